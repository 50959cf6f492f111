"""/map: shows the garrisons that a place keeps in a preset, and changes them."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import partial

from bot.errors import UserError
from bot.games.conquest.notation.changes import BoardLine, read_board_line
from bot.games.conquest.notation.garrisons import (
    Garrisons,
    boards_of,
    boards_on,
    read_board,
    several_text,
    unreadable_text,
    write_board,
)
from bot.languages import _, compose, language
from bot.maps.map import Continent, Map
from bot.maps.reading import load_maps
from bot.notation.mistakes import MatchupError
from bot.presets import full_error, may_change_all, not_theirs_error
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
    told = _read(text, boards)
    if told.changes:
        return await _change(text, request, services)
    names = [told.preset] if told.preset else boards_on(told.map, boards) if told.named else list(boards)
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


# Shown --------------------------------------------------------------------------------------------------


def show_board(name: str, line: str, private: bool = False) -> Reply:
    """Return the answer with the garrisons of a preset, by continent."""
    board = read_board(line)
    if board is None:
        raise UserError(unreadable_text(name))
    found = load_maps()[board.map]
    known, every = len(board.garrisons), len(found.territories)
    head = _("**Garrisons in `{preset}`**: {known} of {all} territories", preset=name, known=known, all=every)
    one, more, forget = LINES
    change = _("Change them: `/map {one}` or `/map {more}`.", one=one, more=more)
    how = compose("{change} {forget}", change=change, forget=_("`/map {line}` forgets one.", line=forget))
    return Reply(
        f"{head} · {found.names[language()]}",
        remarks=(how,),
        table=tuple("\n".join(_rows(found, part, board)) for part in found.continents.values()),
        private=private,
    )


def _rows(found: Map, continent: Continent, board: Garrisons) -> Iterator[str]:
    """Yield the rows of a continent: the garrisons that are known, then the territories without."""
    names = {key: found.territories[key].name for key in continent.territories}
    known = [unbroken(f"{name} {board.garrisons[key]}") for key, name in names.items() if key in board.garrisons]
    unknown = [unbroken(name) for key, name in names.items() if key not in board.garrisons]
    if not known:
        yield from fold(_("{continent}: not known", continent=continent.name))
        return
    yield from fold(continent.name)
    yield from fold(", ".join(known), INDENT, INDENT)
    if unknown:
        yield from fold(_("not known: {territories}", territories=", ".join(unknown)), INDENT, INDENT * 2)


# Changed ------------------------------------------------------------------------------------------------


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
    told = _read(text, boards)
    names = [told.preset] if told.preset else boards_on(told.map, boards)
    if len(names) > 1:
        raise UserError(several_text(names))
    if not names:
        return _new_preset(told, request, services, setups)
    name = names[0]
    before = by_name[name]
    if before.owner != request.user and not may_change_all(request):
        raise not_theirs_error(services.rooms, NotOwnerError(before), request)
    board = boards[name]
    if board is None:
        raise UserError(unreadable_text(name))
    return before._replace(line=write_board(told.change(board.garrisons)))


def _new_preset(told: BoardLine, request: Request, services: Services, setups: list[Setup]) -> Setup:
    """Return the first preset with garrisons of a place."""
    board, most = told.change({}), services.settings.most_setups
    if not board.garrisons:
        raise UserError(_none_text())
    if USUAL_NAME in (setup.name for setup in setups):
        line = f"/preset save mygame {write_board(board)}"
        raise UserError(_("`{preset}` is taken. Use another name: `{line}`.", preset=USUAL_NAME, line=line))
    if len(setups) >= most:
        raise full_error(most)
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
