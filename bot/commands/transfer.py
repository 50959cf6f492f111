"""/preset export and import: writes all presets of a place to one file, and takes such a file in, all or nothing."""

import asyncio
import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from bot.errors import UserError
from bot.games.base import Rooms
from bot.languages import N_, _, _n, _p
from bot.names import safe_name
from bot.notation.defaults import NotationDefaults, reading_with
from bot.notation.lexer import normal
from bot.notation.mistakes import MatchupError
from bot.notation.reading import parse
from bot.presets import line_without_battle, may_change, read_name, read_note
from bot.replies import IMPORT, Button, Reply, TextFile
from bot.request import Request, Services
from bot.settings import Settings
from bot.store.records import Setup
from bot.words.narrow import below, fold

SETUPS_FILE = "setups.json"
KIND, VERSION = "setups", 2
VERSIONS = (1, VERSION)
"""The versions that are read: lines of the first are from the time of the first rules."""
ALLOWED = ("name", "line", "note")
BYTES_EACH = 2_000
"""More bytes than any preset takes in a file that was written here."""

LATE = N_("The presets here have changed in the meantime, so nothing was imported yet. This is the new preview:")


class Entry(NamedTuple):
    """A preset in a file."""

    name: str
    line: str
    note: str = ""


def most_bytes(settings: Settings) -> int:
    """Return the size of the largest file that is read, a little above all that can be saved."""
    return BYTES_EACH * (settings.most_setups + 1)


def setups_file(setups: Iterable[Entry | Setup], for_buttons: bool = False) -> TextFile:
    """Return these presets as a file."""
    entries = [{"name": preset.name, "line": preset.line, "note": preset.note} for preset in setups]
    document = {"sandtable": KIND, "version": VERSION, "setups": entries}
    return TextFile(SETUPS_FILE, f"{json.dumps(document, indent=1, ensure_ascii=False)}\n", for_buttons)


def text_of(data: bytes) -> str:
    """Return the text of a file; UserError if it is no text."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(_("This isn't a file from `/preset export`: it isn't UTF-8 text.")) from None


def too_large_error(settings: Settings) -> UserError:
    """Return the error for a file that is too large to read."""
    return UserError(_("The file is too large; the limit is {most} kB.", most=most_bytes(settings) // 1000))


def read_setups(rooms: Rooms, text: str, settings: Settings) -> list[Entry]:
    """Read the presets of a file, in canonical form; UserError names the entry that is wrong."""
    if len(text) > most_bytes(settings):
        raise too_large_error(settings)
    rows, version = _entries(_document(text))
    limit = settings.most_setups
    if len(rows) > limit:
        raise UserError(
            _n(
                "The file has {n} preset; there is room for {most} here.",
                "The file has {n} presets; there is room for {most} here.",
                len(rows),
                most=limit,
            )
        )
    entries = [_entry(rooms, number, entry, version) for number, entry in enumerate(rows, start=1)]
    numbers: dict[str, int] = {}
    for number, entry in enumerate(entries, start=1):
        if (first := numbers.setdefault(entry.name, number)) != number:
            raise UserError(
                _(
                    "Presets {first} and {second} in the file are both called `{name}`.",
                    first=first,
                    second=number,
                    name=entry.name,
                )
            )
    return entries


def _document(text: str) -> Any:
    if not text.strip():
        raise UserError(_("Which file? Attach the one you got from `/preset export`, {name}.", name=SETUPS_FILE))
    try:
        return json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise UserError(
            _(
                "This isn't a file from `/preset export`: line {line}, character {character} isn't valid JSON.",
                line=error.lineno,
                character=error.colno,
            )
        ) from None
    except (ValueError, RecursionError):
        raise UserError(
            _("This isn't a file from `/preset export`: a number is too long, or the data is nested too deeply.")
        ) from None


def _entries(document: Any) -> tuple[list[Any], int]:
    """Return the list of entries in the file, and the version of the file."""
    if not isinstance(document, dict) or document.get("sandtable") != KIND:
        text = _(
            "This isn't a file from `/preset export`: it doesn't begin with {beginning}.",
            beginning=f'{{"sandtable": "{KIND}", ...}}',
        )
        raise UserError(text)
    if type(document.get("version")) is not int or document["version"] not in VERSIONS:
        raise UserError(
            _(
                "The file is from another version of Sandtable; this one reads versions {versions}.",
                versions=", ".join(map(str, VERSIONS)),
            )
        )
    if not isinstance(document.get("setups"), list):
        raise UserError(_("This isn't a file from `/preset export`: \"setups\" isn't a list."))
    return list(document["setups"]), document["version"]


def _entry(rooms: Rooms, number: int, fields: Any, version: int) -> Entry:
    """Read one entry of the file and check it."""
    known = isinstance(fields, dict) and {"name", "line"} <= fields.keys() <= {*ALLOWED}
    if not known or not all(isinstance(value, str) for value in fields.values()):
        shown = '{"name": "alamo", "line": "12 9", "note": ""}'
        raise UserError(_("Preset {number} in the file should look like {example}.", number=number, example=shown))
    try:
        name = read_name(rooms, fields["name"])
        return Entry(name, _line(rooms, name, fields["line"], version), read_note(fields.get("note", "")))
    except UserError as error:
        name = normal(fields["name"])[:40]
        reason = error.reason if isinstance(error, MatchupError) else error.text
        text = _("Preset {number} in the file doesn't work: {reason}", number=number, reason=reason)
        if name:
            text = _(
                "Preset {number} in the file, `{name}`, doesn't work: {reason}", number=number, name=name, reason=reason
            )
        raise UserError(text) from None


def _line(rooms: Rooms, name: str, text: str, version: int) -> str:
    """Return the line of a preset in its canonical form."""
    try:
        with reading_with(NotationDefaults(rules=version)):
            battle = parse(rooms, text).battle
        return rooms.write(battle)
    except MatchupError:
        if line := line_without_battle(rooms, name, text, {}):
            return line
        raise


Line = TypeVar("Line", Setup, Entry)


class Plan(NamedTuple):
    """The effect of an import: which presets are new, which change, and which stay.

    `theirs` is somebody else's, which the person may not change; `same` are here as the file has them; `over` is by
    how many it would be too many. `entries` is all that the file has, `here` all that is here.
    """

    entries: list[Entry]
    here: list[Setup]
    new: tuple[Entry, ...]
    changed: tuple[tuple[Setup, Entry], ...]
    kept: tuple[tuple[Setup, Entry], ...]
    theirs: tuple[tuple[Setup, Entry], ...]
    same: int
    over: int

    @property
    def works(self) -> bool:
        """Whether the import changes something and nothing stands in its way."""
        return bool(self.new or self.changed) and not self.theirs and self.over <= 0


async def export(request: Request, services: Services) -> Reply:
    """Return all presets of this place as one file."""
    setups = await services.store.setups(request.place)
    if not setups:
        raise UserError(_("There are no presets here yet."))
    text = _n(
        "**{n} preset** in one file. Read it back with `/preset import`, here or on another server.",
        "**{n} presets** in one file. Read them back with `/preset import`, here or on another server.",
        len(setups),
    )
    return Reply(text, file=setups_file(setups), private=True)


async def preview(request: Request, services: Services) -> Reply:
    """Show the effect of an import, with a button to run it."""
    plan = await _plan(request, services)
    argument = f"{'replace' if request.options.get('replace') else 'add'}-{_mark(plan)}"
    return Reply(
        "\n".join(_plan_text(plan, services.settings.most_setups)),
        table=_rows_for_here(plan, request, services.rooms),
        file=setups_file(plan.entries, for_buttons=True) if plan.works else None,
        buttons=(Button(_("Import"), IMPORT, argument=argument),) if plan.works else (),
        private=True,
        failed=bool(plan.theirs) or plan.over > 0,
    )


async def take_in(request: Request, services: Services) -> Reply:
    """Import the file as the preview showed it; if the presets have changed since, show a new preview."""
    how, _dash, shown = request.argument.partition("-")
    request = replace(request, options={**request.options, "replace": "yes" if how == "replace" else ""})
    plan = await _plan(request, services)
    now = datetime.now(UTC)
    setups = [Setup(entry.name, entry.line, request.user, request.user_name, now, entry.note) for entry in plan.new]
    setups += [before._replace(line=entry.line, note=entry.note, saved_at=now) for before, entry in plan.changed]
    done = plan.works and shown == _mark(plan) and await services.store.put_all(request.place, plan.here, setups)
    if done:
        text = _("Imported: **{changes}**.", changes=_summary(plan))
        return Reply(text, table=_rows_for_here(plan, request, services.rooms), private=True)
    again = await preview(request, services)
    return replace(again, text=f"{_(LATE)}\n{again.text}")


async def _plan(request: Request, services: Services) -> Plan:
    """Compare the file of a request with the presets of this place."""
    # In a thread: to read some hundred lines takes a moment, in which others want answers.
    entries = await asyncio.to_thread(read_setups, services.rooms, request.options.get("file", ""), services.settings)
    here = await services.store.setups(request.place)
    by_name = {setup.name: setup for setup in here}
    new = tuple(entry for entry in entries if entry.name not in by_name)
    known = [(by_name[entry.name], entry) for entry in entries if entry.name in by_name]
    other = [(setup, entry) for setup, entry in known if (setup.line, setup.note) != (entry.line, entry.note)]
    replaced = other if request.options.get("replace") else []
    return Plan(
        entries,
        here,
        new,
        changed=tuple(pair for pair in replaced if may_change(pair[0], request)),
        kept=() if replaced else tuple(other),
        theirs=tuple(pair for pair in replaced if not may_change(pair[0], request)),
        same=len(known) - len(other),
        over=len(here) + len(new) - services.settings.most_setups if new else 0,
    )


def _rows_for_here(plan: Plan, request: Request, rooms: Rooms) -> tuple[str, ...]:
    """Return the rows of a plan with the lines as people type them in this place."""

    def for_here(preset: Line) -> Line:
        return preset._replace(line=request.line_for_here(rooms, preset.line))

    changed, kept, theirs = (
        tuple((for_here(setup), for_here(entry)) for setup, entry in pairs)
        for pairs in (plan.changed, plan.kept, plan.theirs)
    )
    return tuple(_rows(plan._replace(new=tuple(map(for_here, plan.new)), changed=changed, kept=kept, theirs=theirs)))


def _plan_text(plan: Plan, limit: int) -> Iterator[str]:
    """Say what an import would change, and what stands in its way."""
    yield _("**This file has: {changes}.**", changes=_summary(plan))
    if plan.works:
        yield _("Nothing changes until you press **Import**.")
    if plan.kept:
        yield _("Presets with the same name stay as they are here; `replace:True` overwrites them.")
    if plan.theirs:
        yield _(
            "I can't import this: some presets belong to someone else, and only they, a server "
            "manager or the preset role can change them. Without `replace` they stay as they are."
        )
    if plan.over > 0:
        yield _(
            "I can't import this: there are {setups} here, the limit is {most}, and the file brings {over} too "
            "many. Make room with `/preset delete`.",
            setups=_n("{n} preset", "{n} presets", len(plan.here)),
            most=limit,
            over=plan.over,
        )
    if not (plan.new or plan.changed or plan.theirs):
        yield _("There is nothing to import.")


def _summary(plan: Plan) -> str:
    parts = (
        _n("{n} new", "{n} new", len(plan.new)) if plan.new else "",
        _n("{n} changed", "{n} changed", len(plan.changed)) if plan.changed else "",
        _n("{n} kept as it is here", "{n} kept as they are here", len(plan.kept)) if plan.kept else "",
        _n("{n} saved by someone else", "{n} saved by someone else", len(plan.theirs)) if plan.theirs else "",
        _n("{n} the same in both", "{n} the same in both", plan.same) if plan.same else "",
    )
    return ", ".join(filter(None, parts)) or _("nothing")


def _rows(plan: Plan) -> Iterator[str]:
    """Yield a row for every preset that is not alike in both, with what happens to it."""
    new, changed, kept, refused = (
        _p("a set-up of a file", "new"),
        _p("a set-up of a file", "changed"),
        _p("a set-up of a file", "kept"),
        _p("a set-up of a file", "refused"),
    )
    was, instead = _p("before an old line", "before"), _p("before a line that is not taken", "in the file")
    for entry in plan.new:
        yield _row(f"{new}  {entry.name}  {entry.line}", entry.note)
    for setup, entry in plan.changed:
        yield _row(f"{changed}  {setup.name}  {entry.line}", *_differences(setup, entry, was))
    for setup, entry in plan.kept:
        yield _row(f"{kept}  {setup.name}  {setup.line}", *_differences(entry, setup, instead))
    for setup, entry in plan.theirs:
        who = _("saved by {name}", name=safe_name(setup.owner_name))
        yield _row(f"{refused}  {setup.name}  {setup.line}", who, *_differences(entry, setup, instead))


def _row(text: str, *more: str) -> str:
    """Return a row in narrow lines, with more about it below."""
    return "\n".join([*fold(text), *chain.from_iterable(map(below, more))])


def _differences(other: Entry | Setup, shown: Entry | Setup, word: str) -> Iterator[str]:
    """Yield the lines and notes of one preset that another version of it has otherwise."""
    if other.line != shown.line:
        yield f"{word}  {other.line}"
    if other.note != shown.note:
        yield f"{_p('of a set-up', 'note')}  {shown.note or '-'}, {word}  {other.note or '-'}"


def _mark(plan: Plan) -> str:
    """Return a short checksum of a plan; another plan has another one."""
    changes = plan.new, plan.changed, plan.kept, plan.theirs
    return hashlib.sha256(repr(changes).encode()).hexdigest()[:16]
