"""/map: shows the garrisons that a place keeps in a preset, changes them, and suggests lines for that."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import partial

from bot.autocomplete import LONGEST_SUGGESTION, MOST_SUGGESTIONS, Suggestion, hints, saved_lines
from bot.errors import UserError
from bot.games.conquest.notation.changes import BoardLine, read_board_line
from bot.games.conquest.notation.writing import (
    Garrisons,
    after_name,
    boards_of,
    boards_on,
    leading_preset,
    read_board,
    several_text,
    unreadable_text,
    write_board,
)
from bot.languages import _, compose, language
from bot.maps.map import Continent, Map
from bot.maps.reading import load_maps, usual_maps
from bot.notation.lexer import normal
from bot.notation.mistakes import MatchupError, with_correction
from bot.notation.reading import LONGEST_TYPED
from bot.presets import full_error, may_change, not_theirs_error
from bot.replies import Reply
from bot.request import Request, Services
from bot.store.records import NotOwnerError, Setup
from bot.words.narrow import INDENT, fold, unbroken

USUAL_NAME = "ourgame"
"""The name of the preset that the first change makes."""
LINES = "indonesia 4", "australia: 3 2 1 1", "indonesia -"
"""Lines that set a garrison, set those of a continent, and forget one."""


async def map_command(request: Request, services: Services) -> Reply:
    """Show the garrisons that are saved here, or change them."""
    text = request.options.get("garrisons", "")
    saved = await services.saved_lines(request.place)
    boards = boards_of(saved)
    line = _read(text, boards)
    if line.changes:
        return await _change(text, request, services)
    names = [line.preset] if line.preset else boards_on(line.map, boards) if line.named else list(boards)
    if not names:
        return Reply(_none_text(), private=request.private)
    if len(names) > 1:
        raise UserError(several_text(names))
    return show_board(names[0], saved[names[0]], private=request.private)


def _none_text() -> str:
    """Say that there are no garrisons here, and how to save some."""
    return _("No garrisons are saved here yet. Type for example `/map {line}`: `/conquer` uses them.", line=LINES[0])


def _read(text: str, boards: Mapping[str, Garrisons | None]) -> BoardLine:
    """Read the line of the command."""
    try:
        return read_board_line(text, boards)
    except MatchupError as error:
        raise UserError(error.text, f"map {error.better}" if error.better else "") from None


def show_board(name: str, line: str, private: bool = False) -> Reply:
    """Return the answer with the garrisons of a preset, by continent."""
    board = read_board(line)
    if board is None:
        raise UserError(unreadable_text(name))
    area = load_maps()[board.map]
    known, every = len(board.garrisons), len(area.territories)
    head = _("**Garrisons in `{preset}`**: {known} of {all} territories", preset=name, known=known, all=every)
    one, more, forget = LINES
    change = _("Change them: `/map {one}` or `/map {more}`.", one=one, more=more)
    how = compose("{change} {forget}", change=change, forget=_("`/map {line}` forgets one.", line=forget))
    return Reply(
        f"{head} · {area.names[language()]}",
        remarks=(how,),
        table=tuple("\n".join(_rows(area, part, board)) for part in area.continents.values()),
        private=private,
    )


def _rows(area: Map, continent: Continent, board: Garrisons) -> Iterator[str]:
    """Yield the rows of a continent: the garrisons that are known, then the territories without."""
    names = {key: area.territories[key].name for key in continent.territories}
    known = [unbroken(f"{name} {board.garrisons[key]}") for key, name in names.items() if key in board.garrisons]
    unknown = [unbroken(name) for key, name in names.items() if key not in board.garrisons]
    if not known:
        yield from fold(_("{continent}: not known", continent=continent.name))
        return
    yield from fold(continent.name)
    yield from fold(", ".join(known), INDENT, INDENT)
    if unknown:
        yield from fold(_("not known: {territories}", territories=", ".join(unknown)), INDENT, INDENT * 2)


async def _change(text: str, request: Request, services: Services) -> Reply:
    """Change garrisons, in the preset that the line means or in a new one."""
    before, after = await services.store.revise(request.place, partial(_revise, text, request, services))
    board = read_board(after.line)
    assert board is not None, "it was written a moment ago"
    was = read_board(before.line) if before else None
    changes = ", ".join(change_texts(was.garrisons if was else {}, board))
    head = f"**{changes}** · `{after.name}`" if changes else _("`{preset}` has these already.", preset=after.name)
    made = _("I made the preset `{preset}` for them. `/map` shows it, and `/conquer` uses it.", preset=after.name)
    return Reply(head, remarks=() if before else (made,), private=request.private)


def _revise(text: str, request: Request, services: Services, setups: list[Setup]) -> Setup:
    """Return the preset with the garrisons that a line changes; UserError if the person may not change it."""
    by_name = {setup.name: setup for setup in setups}
    boards = boards_of({setup.name: setup.line for setup in setups})
    typed_line = _read(text, boards)
    names = [typed_line.preset] if typed_line.preset else boards_on(typed_line.map, boards)
    if len(names) > 1:
        raise UserError(several_text(names))
    if not names:
        return _new_preset(typed_line, request, services, setups)
    name = names[0]
    before = by_name[name]
    if not may_change(before, request):
        raise not_theirs_error(services.rooms, NotOwnerError(before), request)
    board = boards[name]
    if board is None:
        raise UserError(unreadable_text(name))
    return before._replace(line=write_board(typed_line.change(board.garrisons)))


def _new_preset(typed_line: BoardLine, request: Request, services: Services, setups: list[Setup]) -> Setup:
    """Return the first preset with garrisons of a place."""
    board, limit = typed_line.change({}), services.settings.most_setups
    if not board.garrisons:
        raise UserError(_none_text())
    if USUAL_NAME in (setup.name for setup in setups):
        line = f"/preset save mygame {write_board(board)}"
        raise UserError(_("`{preset}` is taken. Use another name: `{line}`.", preset=USUAL_NAME, line=line))
    if len(setups) >= limit:
        raise full_error(limit)
    return Setup(USUAL_NAME, write_board(board), request.user, request.user_name, datetime.now(UTC))


def change_texts(before: Mapping[str, int], after: Garrisons) -> Iterator[str]:
    """Say for each territory whose garrison has changed what it is now, and what it was."""
    for key, territory in load_maps()[after.map].territories.items():
        old, new = before.get(key), after.garrisons.get(key)
        if old == new:
            continue
        if new is None:
            yield _("{territory} not known (was {old})", territory=territory.name, old=old)
        elif old is None:
            yield f"{territory.name} {new}"
        else:
            yield _("{territory} {new} (was {old})", territory=territory.name, new=new, old=old)


Boards = Mapping[str, Garrisons | None]
_BEGUN = re.compile(r"(?:[^\W\d_][^,;:=\d]*)?$")
"""The last name of a line, as far as it is typed."""


async def suggest_garrisons(request: Request, services: Services) -> list[Suggestion]:
    """Suggest lines for a typed text: itself with what it changes, presets, and names of territories."""
    typed = normal(request.options.get("garrisons", "")[:LONGEST_TYPED])
    if len(typed) > LONGEST_SUGGESTION:
        return []
    boards = boards_of(await saved_lines(request, services))
    suggestions = [each for each in _suggestions(typed, boards) if len(each.line) <= LONGEST_SUGGESTION]
    if typed and not suggestions and (mistake := _mistake(typed, boards)):
        return hints(services.rooms, typed, mistake)
    return [each._replace(label=each.label[:LONGEST_SUGGESTION]) for each in suggestions[:MOST_SUGGESTIONS]]


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
        typed_line = read_board_line(typed, boards)
    except MatchupError:
        return ""
    before = board.garrisons if board and board.map == typed_line.map.key else {}
    return ", ".join(change_texts(before, typed_line.change(before)))


def _complete_name(typed: str, preset: str, board: Garrisons | None) -> Iterator[Suggestion]:
    """Complete the last name of a line; those with a garrison come first, with its number."""
    begun = _BEGUN.search(after_name(typed) if preset else typed)
    before = typed.removesuffix(begun[0]).strip() if begun else typed
    if not begun or (not begun[0] and before not in ("", preset) and before[-1:] not in ",;"):
        return
    territories = (load_maps()[board.map] if board else usual_maps()[0]).territories.values()
    garrisons = board.garrisons if board else {}
    for territory in sorted(territories, key=lambda place: place.key not in garrisons):
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
