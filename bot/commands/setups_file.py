"""Saved set-ups as one file: written, and read again with every word of it checked."""

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from bot.commands.setups import NO_RAID, checked_name, checked_note
from bot.errors import UserError
from bot.languages import _, _n
from bot.matchup import MatchupError, Unsaid, meaning, normal, parse, write
from bot.matchup.bombing import pasted_raid
from bot.replies import TextFile
from bot.settings import Settings
from bot.store import Setup

NAME = "setups.json"
KIND, VERSION = "setups", 2
VERSIONS = (1, VERSION)
"""Those that are read: lines of the first are from the time of the first rules."""
ALLOWED = ("name", "line", "note")
BYTES_EACH = 2_000
"""More than a set-up takes in a file that was written here."""


class Entry(NamedTuple):
    """A set-up of a file."""

    name: str
    line: str
    note: str = ""


def largest(settings: Settings) -> int:
    """The bytes of the largest file that is read: a little more than all that may be saved takes."""
    return BYTES_EACH * (settings.most_setups + 1)


def setups_file(setups: Iterable[Entry | Setup], for_buttons: bool = False) -> TextFile:
    """These set-ups as a file."""
    entries = [{"name": one.name, "line": one.line, "note": one.note} for one in setups]
    document = {"sandtable": KIND, "version": VERSION, "setups": entries}
    return TextFile(NAME, f"{json.dumps(document, indent=1, ensure_ascii=False)}\n", for_buttons)


def text_of(data: bytes) -> str:
    """The text of a file; UserError where it is none."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(_("This isn't a file from `/preset export`: it isn't UTF-8 text.")) from None


def too_large(settings: Settings) -> UserError:
    """What is said of a file that is not even read."""
    return UserError(_("The file is too large; the limit is {most} kB.", most=largest(settings) // 1000))


def read_setups(text: str, settings: Settings) -> list[Entry]:
    """The set-ups of a file, their lines and names in the one form of each; UserError says what is wrong, and where."""
    if len(text) > largest(settings):
        raise too_large(settings)
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
    entries = [_entry(number, one, version) for number, one in enumerate(found, start=1)]
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
    """The list in the file, and the version of the file."""
    if not isinstance(document, dict) or document.get("sandtable") != KIND:
        told = _(
            "This isn't a file from `/preset export`: it doesn't begin with {beginning}.",
            beginning=f'{{"sandtable": "{KIND}", ...}}',
        )
        raise UserError(told)
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


def _entry(number: int, found: Any, version: int) -> Entry:
    """One of them, checked."""
    known = isinstance(found, dict) and {"name", "line"} <= found.keys() <= {*ALLOWED}
    if not known or not all(isinstance(value, str) for value in found.values()):
        shown = '{"name": "alamo", "line": "12 9", "note": ""}'
        raise UserError(_("Preset {number} in the file should look like {example}.", number=number, example=shown))
    try:
        return Entry(checked_name(found["name"]), _line(found["line"], version), checked_note(found.get("note", "")))
    except UserError as error:
        name = normal(found["name"])[:40]
        reason = error.reason if isinstance(error, MatchupError) else error.text
        told = _("Preset {number} in the file doesn't work: {reason}", number=number, reason=reason)
        if name:
            told = _(
                "Preset {number} in the file, `{name}`, doesn't work: {reason}", number=number, name=name, reason=reason
            )
        raise UserError(told) from None


def _line(text: str, version: int) -> str:
    """A battle's line in its one form."""
    try:
        with meaning(Unsaid(rules=version)):
            battle = parse(text).battle
        return write(battle)
    except MatchupError:
        if pasted_raid(text):
            raise UserError(_(NO_RAID)) from None
        raise
