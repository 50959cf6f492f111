"""Lines of garrisons as people type them: "indonesia 4", "australia: 3 2 1 1", "siam -", "ourgame 3 indonesia"."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from bot.errors import UserError
from bot.games.conquest.notation.garrisons import (
    MAP_WORD,
    Garrisons,
    may_name_a_board,
    named_board,
    saved_boards,
    unreadable_text,
    write_board,
)
from bot.games.conquest.notation.map_line import MapLine
from bot.games.conquest.notation.pieces import FORGOTTEN, Item, Piece, pair_items, split_garrisons
from bot.games.conquest.notation.writing import usual_maps
from bot.languages import _, join_texts
from bot.maps.map import Map
from bot.maps.reading import load_maps
from bot.notation.lexer import normal
from bot.notation.mistakes import MatchupError
from solver.conquest.conquest import MOST_FREE

_MAP = re.compile(rf"(?<!\S){MAP_WORD} *([a-z0-9-]*)")


class BoardLine(NamedTuple):
    """What a line of garrisons says.

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

    Without a name, a line is about the map that has the most of its names, of equal ones about one with a preset.

    Raises:
        MatchupError: If there is a mistake in the line.
    """
    line = normal(text)
    preset, board = named_board(line, boards), None
    rest = line
    if preset:
        board = boards[preset]
        if board is None:
            raise MatchupError(line, 0, len(preset), unreadable_text(preset))
        rest = _blank(line, 0, re.search(r"^\S+", line).end())  # type: ignore[union-attr]
    named = _MAP.search(rest)
    if named:
        rest = _blank(rest, named.start(), named.end())
    pieces = split_garrisons(rest)
    found = _map_named(line, named, preset, board) if named else None
    if found is None:
        found = load_maps()[board.map] if board else _likeliest_map(pieces, boards)
    return BoardLine(preset, found, named is not None, _read_changes(MapLine(line, found), pieces))


def keep(text: str, saved: Mapping[str, str]) -> str | None:
    """Return the line of a preset with the garrisons that a typed line says; None if it says none."""
    line, boards = normal(text), saved_boards(saved)
    preset = named_board(line, boards)
    if not preset and not line.startswith(MAP_WORD) and not _names_territories(line):
        return None
    told = read_board_line(text, boards)
    board = boards[preset] if preset else None
    return write_board(told.change(board.garrisons if board else {}))


def check_name(name: str) -> None:
    """Raise UserError if a name would be read as that of a territory in lines with garrisons."""
    if not may_name_a_board(name):
        raise UserError(
            _("Garrisons can't be called `{name}`. Take a name that no territory begins with: `ourgame`.", name=name)
        )


def _blank(line: str, start: int, end: int) -> str:
    """Return a line with a part of it blank, so that all else keeps its place."""
    return f"{line[:start]}{' ' * (end - start)}{line[end:]}"


def _names_territories(line: str) -> bool:
    """Tell whether a line without the signs of a conquest has a number and the name of a territory."""
    try:
        pieces = split_garrisons(line)
    except MatchupError:
        return False
    maps = load_maps().values()
    numbered = any(piece.kind == "number" for piece in pieces)
    return numbered and any(piece.kind == "name" and found.has(piece.text) for piece in pieces for found in maps)


def _map_named(line: str, named: re.Match[str], preset: str, board: Garrisons | None) -> Map:
    """Return the map that a line names."""
    if named[1] not in load_maps():
        maps = ", ".join(found.key for found in usual_maps())
        reason = _("There is no map `{name}`. The maps are: {maps}.", name=named[1][:40], maps=maps)
        raise MatchupError(line, named.start(1), max(named.end(1), named.start(1) + 1), reason)
    if board and board.map != named[1]:
        reason = _("`{preset}` has garrisons of the map `{map}`.", preset=preset, map=board.map)
        raise MatchupError(line, named.start(1), named.end(1), reason)
    return load_maps()[named[1]]


def _likeliest_map(pieces: Collection[Piece], boards: Mapping[str, Garrisons | None]) -> Map:
    """Return the map with most of these names, of equal ones the first with a preset."""
    with_board = {board.map for board in boards.values() if board}
    names = [piece.text for piece in pieces if piece.kind == "name"]
    return max(usual_maps(), key=lambda found: (sum(map(found.has, names)), found.key in with_board))


def _read_changes(reader: MapLine, pieces: list[Piece]) -> dict[str, int | None]:
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


def _groups(reader: MapLine, pieces: list[Piece]) -> Iterator[tuple[Piece, list[Piece]]]:
    """Yield each name of a line with its numbers, which may be those of a continent's territories in order."""
    name: Piece | None = None
    numbers: list[Piece] = []
    for item in pair_items(pieces):
        if item.name is None:
            name, numbers = _with_number(reader, item, name, numbers)
            continue
        if name:
            yield name, numbers
        name, numbers = item.name, [item.number] if item.number else []
    if name:
        yield name, numbers


def _with_number(reader: MapLine, item: Item, name: Piece | None, numbers: list[Piece]) -> tuple[Piece, list[Piece]]:
    """Add a number that stands alone to those of the name before it."""
    assert item.number is not None, "an item has a name or a number"
    if name is None:
        reason = _("Which territory do they hold? For example `indonesia 4`.")
        raise MatchupError(reader.text, item.number.start, item.number.end, reason)
    return name, [*numbers, item.number]


def _count(reader: MapLine, piece: Piece) -> int | None:
    """Return the number of a piece; None for one that forgets the garrison."""
    return None if piece.text in FORGOTTEN else reader.whole_number(piece, MOST_FREE)
