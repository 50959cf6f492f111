"""Lines of garrisons as people type them: "indonesia 4", "australia: 3 2 1 1", "siam -", "ourgame 3 indonesia"."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from bot.errors import UserError
from bot.games.conquest.notation.map_line import MapLine, likeliest_map, named_map_of
from bot.games.conquest.notation.pieces import FORGOTTEN, Item, pair_items, split_garrisons
from bot.games.conquest.notation.writing import (
    MAP_WORD,
    Garrisons,
    boards_of,
    leading_preset,
    may_name_a_board,
    without_preset,
    write_board,
)
from bot.languages import _, join_texts
from bot.maps.map import Map
from bot.maps.reading import load_maps
from bot.notation.lexer import Token, normal
from bot.notation.mistakes import MatchupError
from bot.notation.reading import check_length


class BoardLine(NamedTuple):
    """The content of a line of garrisons.

    Attributes:
        preset: The preset with garrisons that it begins with; "" if it begins with none.
        map: The map that it names or means.
        named: Whether it names the map.
        changes: The garrisons by territory; None forgets one.
    """

    preset: str
    map: Map
    named: bool
    changes: Mapping[str, int | None]

    def change(self, before: Mapping[str, int]) -> Garrisons:
        """Return the garrisons after the line, from those before."""
        after = {**before, **self.changes}
        return Garrisons(self.map.key, {key: count for key, count in after.items() if count is not None})


def read_board_line(text: str, boards: Mapping[str, Garrisons | None]) -> BoardLine:
    """Read a line of garrisons; `boards` are the presets with garrisons by their names.

    A line that names no map is about the one that has the most of its names. Where several have as many, it is one with
    a preset.

    Raises:
        MatchupError: If there is a mistake in the line.
    """
    check_length(text)
    line = normal(text)
    preset = leading_preset(line, boards)
    board = boards[preset] if preset else None
    pieces, map_name = split_garrisons(without_preset(line, preset))
    line_map = named_map_of(line, map_name, preset, board)
    if line_map is None:
        line_map = likeliest_map(pieces, {saved.map for saved in boards.values() if saved})
    return BoardLine(preset, line_map, map_name is not None, _read_changes(MapLine(line, line_map), pieces))


def keep(text: str, saved: Mapping[str, str]) -> str | None:
    """Return the line of a preset with the garrisons that a typed line says; None if it says none."""
    line, boards = normal(text), boards_of(saved)
    preset = leading_preset(line, boards)
    if not preset and not line.startswith(MAP_WORD) and not _names_territories(line):
        return None
    board_line = read_board_line(text, boards)
    board = boards[preset] if preset else None
    return write_board(board_line.change(board.garrisons if board else {}))


def check_name(name: str) -> None:
    """Raise UserError if a name would be read as that of a territory in lines with garrisons."""
    if not may_name_a_board(name):
        raise UserError(
            _("Garrisons can't be called `{name}`. Take a name that no territory begins with: `ourgame`.", name=name)
        )


def _names_territories(line: str) -> bool:
    """Tell whether a line without the signs of a conquest has a number and the name of a territory."""
    try:
        pieces, _map = split_garrisons(line)
    except MatchupError:
        return False
    maps = load_maps().values()
    numbered = any(piece.kind == "number" for piece in pieces)
    return numbered and any(piece.kind == "name" and known.has(piece.text) for piece in pieces for known in maps)


def _read_changes(reader: MapLine, pieces: list[Token]) -> dict[str, int | None]:
    """Return the garrisons that pieces say; what they say of one territory counts more than that of a continent."""
    one_by_one: dict[str, int | None] = {}
    by_continent: dict[str, int | None] = {}
    for name, numbers in _groups(reader, pieces):
        keys = [territory.key for territory in reader.find(name)]
        counts = [_count(reader, number) for number in numbers]
        if not counts:
            reason = _("How many armies? Type the number too: `{example}`.", example=f"{name.text} 4")
            raise MatchupError(reader.text, name.start, name.end, reason)
        if len(keys) > 1 and len(counts) == 1:
            by_continent |= dict.fromkeys(keys, counts[0])
            continue
        if len(counts) != len(keys):
            names = join_texts(", ", [reader.name(key) for key in keys])
            reason = _("Type a number for each: {territories}.", territories=names)
            raise MatchupError(reader.text, name.start, numbers[-1].end, reason)
        for key, count in zip(keys, counts, strict=True):
            if key in one_by_one:
                raise MatchupError(reader.text, name.start, name.end, _("This is in the line twice."))
            one_by_one[key] = count
    return by_continent | one_by_one


def _groups(reader: MapLine, pieces: list[Token]) -> Iterator[tuple[Token, list[Token]]]:
    """Yield each name of a line with its numbers, which may be those of a continent's territories in order."""
    name: Token | None = None
    numbers: list[Token] = []
    for item in pair_items(pieces):
        if item.name is None:
            name, numbers = _with_number(reader, item, name, numbers)
            continue
        if name:
            yield name, numbers
        name, numbers = item.name, [item.number] if item.number else []
    if name:
        yield name, numbers


def _with_number(reader: MapLine, item: Item, name: Token | None, numbers: list[Token]) -> tuple[Token, list[Token]]:
    """Add a number that stands alone to those of the name before it."""
    assert item.number is not None, "an item has a name or a number"
    if name is None:
        reason = _("Which territory do they hold? For example `indonesia 4`.")
        raise MatchupError(reader.text, item.number.start, item.number.end, reason)
    return name, [*numbers, item.number]


def _count(reader: MapLine, piece: Token) -> int | None:
    """Return the number of a piece; None for one that forgets the garrison."""
    return None if piece.text in FORGOTTEN else reader.whole_number(piece)
