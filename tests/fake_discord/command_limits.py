"""Limits of the commands a bot registers."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator

from .wire import Json, Problem

CHAT, USER_MENU, MESSAGE_MENU = 1, 2, 3
SUBCOMMAND, GROUP = 1, 2
STRING, INTEGER, NUMBER = 3, 4, 10

PER_KIND = {CHAT: 100, USER_MENU: 15, MESSAGE_MENU: 15}
OPTIONS = 25
COMMAND_TOTAL = 8000

Found = Iterator[Problem]


def command_problems(commands: list[Json]) -> list[Problem]:
    """What is wrong with a whole list of commands, as one bulk overwrite sends it."""
    kinds = Counter(command.get("type") or CHAT for command in commands)
    names = Counter((command.get("type") or CHAT, command.get("name")) for command in commands)
    found = [
        Problem("", f"At most {limit} commands of type {kind}, has {kinds[kind]}.")
        for kind, limit in PER_KIND.items()
        if kinds[kind] > limit
    ]
    found += [Problem("", f"{name!r} is there twice.") for (_, name), count in names.items() if count > 1]
    for index, command in enumerate(commands):
        found += _one_command(command, str(index))
    return found


def _one_command(command: Json, at: str) -> Found:
    if (command.get("type") or CHAT) == CHAT:
        yield from _names(command, at)
        yield from _descriptions(command, at)
        yield from _options(command, at)
    else:
        yield from _length(command.get("name"), f"{at}.name", 1, 32)
        if command.get("description") or command.get("options"):
            yield Problem(at, "A menu command has neither description nor options.")
    if (size := _size(command)) > COMMAND_TOTAL:
        yield Problem(at, f"Names, descriptions and values have {size} characters, at most {COMMAND_TOTAL}.")


def _length(text: object, at: str, least: int, most: int) -> Found:
    if not isinstance(text, str) or not least <= len(text) <= most:
        yield Problem(at, f"Must be between {least} and {most} in length.")


def _names(thing: Json, at: str) -> Found:
    localized = thing.get("name_localizations") or {}
    for where, name in ((f"{at}.name", thing.get("name")), *_under(f"{at}.name_localizations", localized)):
        yield from _length(name, where, 1, 32)
        if isinstance(name, str) and not (all(map(_allowed, name)) and name == name.lower()):
            yield Problem(where, f"Command name is invalid: {name!r}.")


def _allowed(letter: str) -> bool:
    """Whether a letter matches `[-_'\\p{L}\\p{N}\\p{sc=Deva}\\p{sc=Thai}]`."""
    if letter in "-_'" or unicodedata.category(letter)[0] in "LN":
        return True
    return unicodedata.name(letter, "").startswith(("DEVANAGARI ", "THAI "))


def _descriptions(thing: Json, at: str) -> Found:
    localized = thing.get("description_localizations") or {}
    yield from _length(thing.get("description"), f"{at}.description", 1, 100)
    for where, text in _under(f"{at}.description_localizations", localized):
        yield from _length(text, where, 1, 100)


def _under(at: str, texts: Json) -> Iterator[tuple[str, object]]:
    return ((f"{at}.{locale}", text) for locale, text in texts.items())


def _options(thing: Json, at: str) -> Found:
    options: list[Json] = thing.get("options") or []
    if len(options) > OPTIONS:
        yield Problem(f"{at}.options", f"Must be {OPTIONS} or fewer in length.")
    if any(count > 1 for count in Counter(option.get("name") for option in options).values()):
        yield Problem(f"{at}.options", "Option names must be unique.")
    nested = [option.get("type") in (SUBCOMMAND, GROUP) for option in options]
    if any(nested) and not all(nested):
        yield Problem(f"{at}.options", "Subcommands and ordinary options do not mix.")
    required = [bool(option.get("required")) for option in options]
    if required != sorted(required, reverse=True):
        yield Problem(f"{at}.options", "Required options must be placed before non-required options.")
    for index, option in enumerate(options):
        yield from _one_option(option, f"{at}.options.{index}")


def _one_option(option: Json, at: str) -> Found:
    yield from _names(option, at)
    yield from _descriptions(option, at)
    if option.get("type") in (SUBCOMMAND, GROUP):
        yield from _options(option, at)
        return
    choices = option.get("choices") or []
    if option.get("autocomplete") and choices:
        yield Problem(f"{at}.autocomplete", "Not together with choices.")
    if option.get("autocomplete") and option.get("type") not in (STRING, INTEGER, NUMBER):
        yield Problem(f"{at}.autocomplete", "Only for strings and numbers.")
    if len(choices) > 25:
        yield Problem(f"{at}.choices", "Must be 25 or fewer in length.")
    for index, choice in enumerate(choices):
        yield from _length(choice.get("name"), f"{at}.choices.{index}.name", 1, 100)
        if isinstance(choice.get("value"), str):
            yield from _length(choice["value"], f"{at}.choices.{index}.value", 0, 100)


def _size(thing: Json) -> int:
    """Characters of names, descriptions and values, for each text its longest translation."""
    own = sum(
        max(len(text or "") for text in (thing.get(key), *(thing.get(f"{key}_localizations") or {}).values()))
        for key in ("name", "description")
    )
    values = len(thing["value"]) if isinstance(thing.get("value"), str) else 0
    inner = [*(thing.get("options") or []), *(thing.get("choices") or [])]
    return own + values + sum(map(_size, inner))
