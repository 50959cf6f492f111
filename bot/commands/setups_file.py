"""The file of presets: writes it, and reads it with every word checked."""

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from bot.errors import UserError
from bot.games.base import Rooms
from bot.languages import _, _n
from bot.notation.defaults import NotationDefaults, reading_with
from bot.notation.lexer import normal
from bot.notation.mistakes import MatchupError
from bot.notation.reading import parse
from bot.presets import line_without_battle, read_name, read_note
from bot.replies import TextFile
from bot.settings import Settings
from bot.store.records import Setup

NAME = "setups.json"
KIND, VERSION = "setups", 2
VERSIONS = (1, VERSION)
"""Those that are read: lines of the first are from the time of the first rules."""
ALLOWED = ("name", "line", "note")
BYTES_EACH = 2_000
"""More bytes than any preset takes in a file that was written here."""


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
    entries = [{"name": one.name, "line": one.line, "note": one.note} for one in setups]
    document = {"sandtable": KIND, "version": VERSION, "setups": entries}
    return TextFile(NAME, f"{json.dumps(document, indent=1, ensure_ascii=False)}\n", for_buttons)


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
    found, version = _entries(_document(text))
    most = settings.most_setups
    if len(found) > most:
        raise UserError(
            _n(
                "The file has {n} preset; there is room for {most} here.",
                "The file has {n} presets; there is room for {most} here.",
                len(found),
                most=most,
            )
        )
    entries = [_entry(rooms, number, one, version) for number, one in enumerate(found, start=1)]
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
        raise UserError(_("Which file? Attach the one you got from `/preset export`, {name}.", name=NAME))
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


def _entry(rooms: Rooms, number: int, found: Any, version: int) -> Entry:
    """Read one entry of the file and check it."""
    known = isinstance(found, dict) and {"name", "line"} <= found.keys() <= {*ALLOWED}
    if not known or not all(isinstance(value, str) for value in found.values()):
        shown = '{"name": "alamo", "line": "12 9", "note": ""}'
        raise UserError(_("Preset {number} in the file should look like {example}.", number=number, example=shown))
    try:
        name = read_name(rooms, found["name"])
        return Entry(name, _line(rooms, name, found["line"], version), read_note(found.get("note", "")))
    except UserError as error:
        name = normal(found["name"])[:40]
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
