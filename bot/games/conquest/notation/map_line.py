"""A line and the map that it is about: finds the territories and numbers that its pieces mean."""

import re
from dataclasses import dataclass
from itertools import pairwise

from bot.errors import UserError
from bot.games.conquest.notation.garrisons import typed_name
from bot.games.conquest.notation.pieces import Piece
from bot.games.dice.notation.suggestions import nearest_option
from bot.languages import _
from bot.maps.map import Map, Territory
from bot.notation.mistakes import MatchupError, UnknownWordError, not_understood
from solver.conquest.conquest import MOST_FREE


@dataclass(frozen=True)
class MapLine:
    """A line and its map; MatchupError points at a piece that means nothing there."""

    text: str
    found: Map

    def find(self, piece: Piece) -> tuple[Territory, ...]:
        """Return the territories that a name stands for: one, or all of a continent."""
        try:
            return self.found.find(piece.text)
        except UserError as error:
            if wrong := self._word_after_name(piece):
                raise wrong from None
            near = typed_name(self.found.nearest(piece.text))
            raise MatchupError(self.text, piece.start, piece.end, error.text, near) from None

    def _word_after_name(self, piece: Piece) -> MatchupError | None:
        """Return the error for a word after a name that is right, which may be an option; None if no name is."""
        words = list(re.finditer(r"\S+", piece.text))
        for before, wrong in reversed(list(pairwise(words))):
            if self.found.has(piece.text[: before.end()]):
                start, end = piece.start + wrong.start(), piece.start + wrong.end()
                near = nearest_option(wrong[0], {})
                return UnknownWordError(self.text, start, end, not_understood(wrong[0], ""), near)
        return None

    def whole_number(self, piece: Piece, most: int = 999_999) -> int:
        """Return a number of armies."""
        if not piece.text.isdecimal() or len(piece.text) > 6 or int(piece.text) > most:
            reason = _("The number of armies must be a whole number up to {most}.", most=MOST_FREE)
            raise MatchupError(self.text, piece.start, piece.end, reason)
        return int(piece.text)

    def name(self, key: str) -> str:
        """Return the name of a territory in the reader's language."""
        return self.found.territories[key].name
