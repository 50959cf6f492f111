"""/preset: the battles that a server, or a person in direct messages, keeps under a name."""

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime

from bot.commands.battle import line_field
from bot.commands.battle import show as show_battle
from bot.errors import UserError
from bot.games.base import Rooms, require
from bot.languages import _, _n
from bot.names import safe_name
from bot.notation.lexer import normal
from bot.notation.mistakes import MatchupError, with_hint
from bot.notation.reading import about_other, is_name, is_notation, parse, room_of_other
from bot.presets import (
    LONGEST_NAME,
    full_error,
    line_without_battle,
    may_change_all,
    not_theirs_error,
    owner_text,
    read_name,
    read_note,
    unknown_name_error,
)
from bot.replies import Form, FormField, Reply
from bot.request import Request, Services, read
from bot.store.records import FullError, NotOwnerError, Setup, TakenError
from bot.words.narrow import below, fold


async def ask_name(request: Request, services: Services) -> Form:
    """Return a form for the name of a new preset, filled in with the battle of the answer.

    It holds the battle too: what the answer shows by the time the form comes back may be another one.
    """
    text = request.options["matchup"]
    with suppress(MatchupError):  # a battle alone can be saved, not what is asked about it
        text = services.rooms.write((await read(request, services)).battle)
    battle = replace(request, options={"matchup": text})
    fields = FormField("name", _("Name"), most=LONGEST_NAME), line_field(battle)
    return Form(_("Save this battle as a preset"), "preset save", fields)


async def save(request: Request, services: Services) -> Reply:
    """Keep a battle under a name."""
    name = read_name(services.rooms, request.options["name"])
    line = await _line(name, request, services)
    setup = Setup(name, line, request.user, request.user_name, datetime.now(UTC))
    limit = services.settings.most_setups
    try:
        before = await services.store.save(request.place, setup, limit, may_change_all(request))
    except FullError:
        raise full_error(limit) from None
    except NotOwnerError as error:
        raise not_theirs_error(services.rooms, error, request) from None
    room = room_of_other(services.rooms, line)
    use = about_other(room, name, line) if room else _use_text(services.rooms, name, line)
    line, old = (
        request.line_for_here(services.rooms, line),
        request.line_for_here(services.rooms, before.line) if before else "",
    )
    saved = _("Saved `{name}`: `{line}`.", name=name, line=line)
    if before and old != line:
        saved = _("Saved `{name}`: `{line}` (it was `{old}`).", name=name, line=line, old=old)
    return Reply(f"{saved} {use}".strip(), private=True)


def _use_text(rooms: Rooms, name: str, line: str) -> str:
    """Say how the battle of a preset is used, with a change; "" if its game knows no changes."""
    changes = rooms.of(parse(rooms, line).battle).notation.changes
    if changes is None:
        return ""
    return _("Use it by name: `/battle {name}` or `/battle {name} {change}`.", name=name, change=changes.example)


async def list_all(request: Request, services: Services) -> Reply:
    """List every preset of this place by name, with its owner and its note."""
    setups = await services.store.setups(request.place)
    if not setups:
        text = _("There are no presets here yet. Use `/preset save`, or press **Save** under an answer.")
        return Reply(text, private=True)
    rows = []
    for setup in setups:
        line = request.line_for_here(services.rooms, setup.line)
        rows.append("\n".join([*fold(f"{setup.name}  {line}"), *below(_aside(setup))]))
    text = _n(
        "**Presets here: {n}**. Use one by name after `/battle`.",
        "**Presets here: {n}**. Use one by name after `/battle`.",
        len(rows),
    )
    return Reply(text, table=tuple(rows), private=True)


async def show(request: Request, services: Services) -> Reply:
    """Show a preset: its owner, its note, and its odds."""
    name = normal(request.options["name"])
    setup = await services.store.setup(request.place, name)
    if setup is None:
        raise await unknown_name_error(request, services, name)
    saved_by = f"`{name}`, {owner_text(setup)}"
    if room := room_of_other(services.rooms, setup.line):
        reply = require(room.notation.other_lines).show(name, setup.line)
        return replace(reply, remarks=(saved_by, *reply.remarks), private=request.private)
    reading = services.rooms.allow(parse(services.rooms, setup.line)._replace(of_words=(saved_by,)))
    return await show_battle(reading, request, services)


async def change(request: Request, services: Services) -> Reply:
    """Give a preset another battle."""
    line = await _line(normal(request.options["name"]), request, services)
    before, line = await _change(request, services, line=line), request.line_for_here(services.rooms, line)
    if before.line == line:
        return Reply(_("`{name}` is already `{line}`.", name=before.name, line=line), private=True)
    text = _("Changed `{name}` to `{line}` (it was `{old}`).", name=before.name, line=line, old=before.line)
    return Reply(text, private=True)


async def rename(request: Request, services: Services) -> Reply:
    """Give a preset another name."""
    new = read_name(services.rooms, request.options["new"])
    setup = await services.store.setup(request.place, normal(request.options["name"]))
    room = room_of_other(services.rooms, setup.line) if setup else None
    if room and (check_name := require(room.notation.other_lines).check_name):
        check_name(new)
    before = await _change(request, services, name=new)
    if before.name == new:
        return Reply(_("It is already called `{name}`.", name=new), private=True)
    text = _("Renamed `{old}` to `{new}`: `{line}`.", old=before.name, new=new, line=before.line)
    return Reply(text, private=True)


async def note(request: Request, services: Services) -> Reply:
    """Write a note beside a preset, or take it away."""
    text = read_note(request.options.get("text", ""))
    before = await _change(request, services, note=text)
    return Reply(_note_text(before, text), private=True)


def _note_text(before: Setup, note: str) -> str:
    """Say how the note of a preset has changed."""
    if note and before.note not in ("", note):
        return _("Note for `{name}`: `{note}` (it was `{old}`).", name=before.name, note=note, old=before.note)
    if note:
        return _("Note for `{name}`: `{note}`.", name=before.name, note=note)
    if before.note:
        return _("Removed the note `{note}` from `{name}`.", note=before.note, name=before.name)
    return _("`{name}` has no note.", name=before.name)


async def delete(request: Request, services: Services) -> Reply:
    """Delete a preset."""
    name = normal(request.options["name"])
    manages = may_change_all(request)
    try:
        setup = await services.store.delete(request.place, name, request.user, manages)
    except NotOwnerError as error:
        raise not_theirs_error(services.rooms, error, request, deletes=True) from None
    if setup is None:
        raise await unknown_name_error(request, services, name)
    return Reply(
        _("Deleted `{name}`. It was `{line}`.", name=name, line=request.line_for_here(services.rooms, setup.line)),
        private=True,
    )


async def _change(request: Request, services: Services, **values: str) -> Setup:
    """Change a preset as `Store.change` does, and return the earlier one; UserError if it cannot be changed."""
    name = normal(request.options["name"])
    manages = may_change_all(request)
    try:
        before = await services.store.change(request.place, name, request.user, manages, **values)
    except NotOwnerError as error:
        raise not_theirs_error(services.rooms, error, request) from None
    except TakenError as error:
        taken = error.setup
        owner, line = safe_name(taken.owner_name), request.line_for_here(services.rooms, taken.line)
        raise UserError(
            _("`{name}` is taken: `{line}`, saved by {owner}.", name=taken.name, line=line, owner=owner)
        ) from None
    if before is None:
        raise await unknown_name_error(request, services, name)
    return before._replace(line=request.line_for_here(services.rooms, before.line))


async def _line(name: str, request: Request, services: Services) -> str:
    """Return the canonical line that the preset of a name is to hold."""
    text = request.options["matchup"]
    try:
        return services.rooms.write((await read(request, services)).battle)
    except MatchupError as error:
        battle_error = error
    _check_name(name, text, battle_error, services.rooms)
    saved = await services.saved_lines(request.place)
    try:
        line = line_without_battle(services.rooms, name, text, saved)
    except MatchupError as error:
        # It is no sentence about a battle, as which it would be read next.
        raise UserError(error.text, f"{request.command} {name} {error.better}" if error.better else "") from None
    if line is None:
        raise battle_error
    return line


def _check_name(name: str, text: str, error: MatchupError, rooms: Rooms) -> None:
    """Raise UserError if the name of a preset has several words: "/preset save our table unit:mech=1/2/4"."""
    word, blank, rest = error.line.partition(" ")
    joined, begins = f"{name}-{word}", (error.start, error.end) == (0, len(word)) and bool(blank)
    if begins and not error.better and is_notation(rooms, text, error) and is_name(rooms, joined):
        line = f"preset save {joined} {rest}"
        raise UserError(with_hint(error.text, _("A name is one word: `{name}`?", name=joined)), line)


def _aside(setup: Setup) -> str:
    return safe_name(setup.owner_name) + (f" · {setup.note}" if setup.note else "")
