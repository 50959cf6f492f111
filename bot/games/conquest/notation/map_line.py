"""A line and the map that it is about: the territories and numbers that its pieces mean, and what it wants to take."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from bot.errors import UserError
from bot.games.conquest.notation.pieces import Item, pair_items
from bot.games.conquest.notation.writing import Garrisons, unreadable_text
from bot.games.dice.notation.suggestions import nearest_option
from bot.languages import _, join_texts
from bot.maps.map import Continent, Map, Territory, name_of_key
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
    map: Map

    def find(self, piece: Token) -> tuple[Territory, ...]:
        """Return the territories that a name stands for: one, or all of a continent."""
        try:
            return self.map.find(piece.text)
        except UserError as error:
            if wrong := self._word_after_name(piece):
                raise wrong from None
            near = name_of_key(self.map.nearest(piece.text))
            raise MatchupError(self.text, piece.start, piece.end, error.text, near) from None

    def find_start(self, item: Item, others: Collection[str], reason: str) -> tuple[str, Token]:
        """Return the territory where armies of a line start, and its name there.

        Args:
            item: The armies and the name.
            others: The territories where armies start already.
            reason: The text of the error if the name is missing.
        """
        piece = item.first
        if item.name is None:
            raise MatchupError(self.text, piece.start, piece.end, reason)
        territory, *more = self.find(item.name)
        if more:
            reason = _("An attack starts in one territory, not in a continent.")
            raise MatchupError(self.text, item.name.start, item.name.end, reason)
        if territory.key in others:
            raise MatchupError(self.text, piece.start, piece.end, _("This is in the line twice."))
        return territory.key, item.name

    def _word_after_name(self, piece: Token) -> MatchupError | None:
        """Return the error for a word after a name that is right, which may be an option; None if no name is."""
        words = list(islice(re.finditer(r"\S+", piece.text), MOST_WORDS + 1))
        for before, wrong in reversed(list(pairwise(words))):
            if self.map.has(piece.text[: before.end()]):
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
        return self.map.territories[key].name


def named_map_of(line: str, name: Token | None, preset: str, board: Garrisons | None) -> Map | None:
    """Return the map that a line names, or that of the preset with garrisons that it begins with; None without both.

    Args:
        line: The line.
        name: The name of the map; None if the line names none.
        preset: The name of the preset; "" if the line begins with none.
        board: Its garrisons.
    """
    if preset and board is None:
        raise MatchupError(line, 0, len(preset), unreadable_text(preset))
    if name is None:
        return load_maps()[board.map] if board else None
    start, end = name.start, max(name.end, name.start + 1)
    if board and board.map != name.text:
        reason = _("`{preset}` has garrisons of the map `{map}`.", preset=preset, map=board.map)
        raise MatchupError(line, start, end, reason)
    if name.text not in load_maps():
        maps = ", ".join(known.key for known in usual_maps())
        reason = _("There is no map `{name}`. The maps are: {maps}.", name=name.text[:40], maps=maps)
        raise MatchupError(line, start, end, reason)
    return load_maps()[name.text]


def likeliest_map(pieces: Iterable[Token], before: Collection[str] = ()) -> Map:
    """Return the map that has the most names of a line; where several have as many, one with its key in `before`."""
    names = [piece.text for piece in pieces if piece.kind == "name"]
    return max(usual_maps(), key=lambda known: (sum(map(known.has, names)), known.key in before))


Targets = dict[str, tuple[Token, int | None]]
"""The piece and the garrison of each territory to take; None for a garrison that the line does not say."""
_SIGNS = {"number": "n", "name": "w"}
_BETWEEN_NUMBERS = re.compile("n(nwn)(?!w)")
"""The kinds of pieces of a row of numbers with a name between its last ones: "3 2 1 1 india 3"."""


def read_targets(reader: MapLine, pieces: Sequence[Token], starts: Collection[str]) -> Targets:
    """Return the territories to take; MatchupError points at what is wrong."""
    _check_rows(reader, pieces)
    reading = _TargetsReading(reader, starts)
    for item in pair_items(pieces):
        reading.add_item(item)
    reading.assign_numbers()
    if not reading.targets:
        reason = _("Which territories do you want? For example `12 siam > australia: 3 2 1 1`.")
        raise MatchupError(reader.text, len(reader.text), len(reader.text) + 1, reason)
    return reading.targets


def _check_rows(reader: MapLine, pieces: Sequence[Token]) -> None:
    """Ask back where a name stands between two numbers of a row, so that either may be its own."""
    kinds = "".join(_SIGNS.get(piece.kind, "-") for piece in pieces)
    if row := _BETWEEN_NUMBERS.search(kinds):
        before, name, behind = pieces[row.start(1) : row.end(1)]
        better = f"{before.text}, {name.text} {behind.text}"
        reason = _(
            "Which number belongs to `{name}`? A comma makes it clear: `{example}`.", name=name.text, example=better
        )
        raise MatchupError(reader.text, before.start, behind.end, reason, better)


class _TargetsReading:
    """Reads the territories to take, item by item.

    Numbers without names wait until the next continent begins, or the line ends. They are of the continent named last,
    or else of the only one that they fit.
    """

    def __init__(self, reader: MapLine, starts: Collection[str]) -> None:
        self.targets: Targets = {}
        self._reader, self._starts = reader, starts
        self._numbers: list[Token] = []
        self._continent: list[str] | None = None

    def add_item(self, item: Item) -> None:
        """Add a territory, a continent, or a number without a name."""
        if item.name is None:
            assert item.number is not None, "an item has a name or a number"
            self._numbers.append(item.number)
            return
        territories = [territory.key for territory in self._reader.find(item.name)]
        if item.header or len(territories) > 1:
            self._begin_continent(item, territories)
            return
        if territories[0] in self._starts:
            name = self._reader.name(territories[0])
            reason = _("{territory} is yours already: an attack starts there.", territory=name)
            raise MatchupError(self._reader.text, item.name.start, item.name.end, reason)
        self._add(territories[0], item.name, self._reader.whole_number(item.number) if item.number else None)

    def _begin_continent(self, item: Item, territories: Sequence[str]) -> None:
        """Add all of a continent but the starts; the numbers behind it are those of territories that have none yet."""
        assert item.name is not None, "a continent has a name"
        self.assign_numbers()
        wanted = [key for key in territories if key not in self._starts]
        self._continent = list(filter(self._lacks_number, wanted))
        for key in self._continent or wanted:
            self._add(key, item.name, None)
        self._numbers += [item.number] if item.number else []

    def _add(self, key: str, piece: Token, count: int | None) -> None:
        if not self._lacks_number(key):
            raise MatchupError(self._reader.text, piece.start, piece.end, _("This is in the line twice."))
        self.targets[key] = piece, count

    def _lacks_number(self, key: str) -> bool:
        return key not in self.targets or self.targets[key][1] is None

    def assign_numbers(self) -> None:
        """Give numbers without names to the territories of their continent, in the order of the map."""
        if not self._numbers:
            return
        start, end = self._numbers[0].start, self._numbers[-1].end
        if self._continent is None:
            keys = _continent_with(self._reader, len(self._numbers), self._starts, start, end)
        else:
            keys = list(filter(self._lacks_number, self._continent))
        if len(keys) != len(self._numbers):
            names = join_texts(", ", [self._reader.name(key) for key in keys])
            reason = _("Type a number for each: {territories}.", territories=names)
            raise MatchupError(self._reader.text, start, end, reason)
        for key, number in zip(keys, self._numbers, strict=True):
            self._add(key, number, self._reader.whole_number(number))
        self._numbers.clear()


def _continent_with(reader: MapLine, count: int, starts: Collection[str], start: int, end: int) -> list[str]:
    """Return the territories of the only continent in reach that has so many to take."""
    ways: list[tuple[Continent, list[str]]] = []
    for continent in reader.map.continents.values():
        keys = [key for key in continent.territories if key not in starts]
        near = any(other in keys for start_key in starts for other in reader.map.neighbours[start_key])
        if len(keys) == count and near:
            ways.append((continent, keys))
    if len(ways) == 1:
        return ways[0][1]
    reason = _("Say which continent: `20 siam > australia: 3 2 1 1`.")
    if ways:
        names = join_texts(", ", [continent.name for continent, _keys in ways])
        reason = _("Say which continent: {continents}.", continents=names)
    raise MatchupError(reader.text, start, end, reason)
