"""Autocomplete for /map: names of territories with their garrisons, and what a change changes."""

import re
from collections.abc import Iterator, Mapping

from bot.autocomplete import LONGEST_SUGGESTION, MOST_SUGGESTIONS, Suggestion, hints, saved_lines
from bot.games.conquest.boards import change_texts
from bot.games.conquest.notation.changes import read_board_line
from bot.games.conquest.notation.garrisons import Garrisons, after_name, boards_of, leading_preset
from bot.maps.reading import load_maps, usual_maps
from bot.notation.lexer import normal
from bot.notation.mistakes import MatchupError, with_correction
from bot.notation.reading import LONGEST_TYPED
from bot.request import Request, Services

Boards = Mapping[str, Garrisons | None]
_BEGUN = re.compile(r"(?:[^\W\d_][^,;:=\d]*)?$")
"""The last name of a line, as far as it is typed."""


async def suggest_garrisons(request: Request, services: Services) -> list[Suggestion]:
    """Suggest lines for a typed text: itself with what it changes, presets, and names of territories."""
    typed = normal(request.options.get("garrisons", "")[:LONGEST_TYPED])
    if len(typed) > LONGEST_SUGGESTION:
        return []
    boards = boards_of(await saved_lines(request, services))
    found = [one for one in _suggestions(typed, boards) if len(one.line) <= LONGEST_SUGGESTION]
    if typed and not found and (mistake := _mistake(typed, boards)):
        return hints(services.rooms, typed, mistake)
    return [one._replace(label=one.label[:LONGEST_SUGGESTION]) for one in found[:MOST_SUGGESTIONS]]


def _suggestions(typed: str, boards: Boards) -> Iterator[Suggestion]:
    """Yield suggestions for a typed text, the best first."""
    preset = leading_preset(typed, boards)
    board = boards[preset] if preset else next(iter(boards.values())) if len(boards) == 1 else None
    if changes := _changes(typed, boards, board):
        yield Suggestion(f"{typed} → {changes}", typed)
    if not preset:
        yield from (Suggestion(name, name) for name in boards if name.startswith(typed) and (typed or len(boards) > 1))
    yield from _complete_name(typed, preset, board)


def _changes(typed: str, boards: Boards, board: Garrisons | None) -> str:
    """Say what a line changes; "" if it changes nothing, or cannot be read."""
    try:
        told = read_board_line(typed, boards)
    except MatchupError:
        return ""
    before = board.garrisons if board and board.map == told.map.key else {}
    return ", ".join(change_texts(before, told.change(before)))


def _complete_name(typed: str, preset: str, board: Garrisons | None) -> Iterator[Suggestion]:
    """Complete the last name of a line; those with a garrison come first, with its number."""
    begun = _BEGUN.search(after_name(typed) if preset else typed)
    before = typed.removesuffix(begun[0]).strip() if begun else typed
    if not begun or (not begun[0] and before not in ("", preset) and before[-1:] not in ",;"):
        return
    territories = (load_maps()[board.map] if board else usual_maps()[0]).territories.values()
    garrisons = board.garrisons if board else {}
    for territory in sorted(territories, key=lambda one: one.key not in garrisons):
        name = territory.name.casefold()
        if name.startswith(begun[0]) and name != begun[0]:
            line = f"{before} {name}".strip()
            yield Suggestion(f"{line} → {garrisons[territory.key]}" if territory.key in garrisons else line, line)


def _mistake(typed: str, boards: Boards) -> MatchupError | None:
    """Return the mistake of a line; None if it has none."""
    try:
        read_board_line(typed, boards)
    except MatchupError as error:
        return with_correction(error, lambda line: read_board_line(line, boards), typed)
    return None
