"""A line and the map that it is about: finds the territories and numbers that its pieces mean."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import islice, pairwise

from bot.errors import UserError
from bot.games.conquest.notation.garrisons import Garrisons, unreadable_text
from bot.games.dice.notation.suggestions import nearest_option
from bot.languages import _
from bot.maps.map import Map, Territory, name_of_key
from bot.maps.reading import load_maps, usual_maps
from bot.notation.lexer import Token
from bot.notation.mistakes import MatchupError, UnknownWordError, not_understood
from solver.conquest.conquest import MOST_FREE

LONGEST_NUMBER = 6
"""The most digits of a number of armies, with needless zeros."""
MOST_WORDS = 8
"""More words than a name has."""


@dataclass(frozen=True)
class MapLine:
    """A line and its map; MatchupError points at a piece that means nothing there."""

    text: str
    found: Map

    def find(self, piece: Token) -> tuple[Territory, ...]:
        """Return the territories that a name stands for: one, or all of a continent."""
        try:
            return self.found.find(piece.text)
        except UserError as error:
            if wrong := self._word_after_name(piece):
                raise wrong from None
            near = name_of_key(self.found.nearest(piece.text))
            raise MatchupError(self.text, piece.start, piece.end, error.text, near) from None

    def _word_after_name(self, piece: Token) -> MatchupError | None:
        """Return the error for a word after a name that is right, which may be an option; None if no name is."""
        words = list(islice(re.finditer(r"\S+", piece.text), MOST_WORDS + 1))
        for before, wrong in reversed(list(pairwise(words))):
            if self.found.has(piece.text[: before.end()]):
                start, end = piece.start + wrong.start(), piece.start + wrong.end()
                near = nearest_option(wrong[0], {})
                return UnknownWordError(self.text, start, end, not_understood(wrong[0], ""), near)
        return None

    def whole_number(self, piece: Token) -> int:
        """Return a number of armies."""
        if not piece.text.isdecimal() or len(piece.text) > LONGEST_NUMBER or int(piece.text) > MOST_FREE:
            reason = _("The number of armies must be a whole number up to {most}.", most=MOST_FREE)
            raise MatchupError(self.text, piece.start, piece.end, reason)
        return int(piece.text)

    def name(self, key: str) -> str:
        """Return the name of a territory in the reader's language."""
        return self.found.territories[key].name


def map_told(line: str, told: Token | None, preset: str, board: Garrisons | None) -> Map | None:
    """Return the map that a line names, or that of the preset with garrisons that it begins with; None without both.

    Args:
        line: The line.
        told: The name of the map.
        preset: The name of the preset; "" if the line begins with none.
        board: Its garrisons.
    """
    if preset and board is None:
        raise MatchupError(line, 0, len(preset), unreadable_text(preset))
    if told is None:
        return load_maps()[board.map] if board else None
    start, end = told.start, max(told.end, told.start + 1)
    if board and board.map != told.text:
        reason = _("`{preset}` has garrisons of the map `{map}`.", preset=preset, map=board.map)
        raise MatchupError(line, start, end, reason)
    if told.text not in load_maps():
        maps = ", ".join(found.key for found in usual_maps())
        reason = _("There is no map `{name}`. The maps are: {maps}.", name=told.text[:40], maps=maps)
        raise MatchupError(line, start, end, reason)
    return load_maps()[told.text]


def likeliest_map(pieces: Iterable[Token], before: Collection[str] = ()) -> Map:
    """Return the map that has the most names of a line; where several have as many, one with its key in `before`."""
    names = [piece.text for piece in pieces if piece.kind == "name"]
    return max(usual_maps(), key=lambda found: (sum(map(found.has, names)), found.key in before))
