"""Reads settings that are typed or chosen: whose they are, their names and their values."""

import re

from bot.errors import UserError
from bot.languages import _, compose
from bot.names import nearest
from bot.notation.mistakes import unknown_word_hint
from bot.place_settings import ROLE, SETTINGS
from bot.request import Request
from bot.setting_kinds import AS_DISCORD, CHANNEL, DEFAULT, MARKS, MINE, WORD, YES, Named, Scope, Where, plain

NO_ROLE_OPTION = f"no_{ROLE}"
SCOPE_WORD = re.compile(rf'(?<![^\s,;`"])({CHANNEL}|{MINE})(\s*[:=]\s*(yes|true|on))?(?![^\s,;`"])', re.IGNORECASE)
"""The word that says that the settings of a line are for a channel alone, or for the person."""
MOST_WORDS = 12
"""The most words in the name of a game."""
LONGEST_WORD = 40


def split_scope(text: str) -> tuple[str, Scope]:
    """Return a line without the words `channel` and `mine`, and whose settings they say it is about."""
    said = {match[1].casefold() for match in SCOPE_WORD.finditer(text)}
    return SCOPE_WORD.sub(" ", text).strip(), MINE if MINE in said else CHANNEL if CHANNEL in said else ""


def parse_settings(text: str, request: Request, scope: Scope = "") -> dict[str, str | None]:
    """Parse a line such as "history off, game:2210", or only "off"; UserError for any other word.

    `scope` is as in `parse_value`.
    """
    words = WORD.findall(text)
    if text.casefold() in ("on", "off"):
        words = ["history", *words]
    values: dict[str, str | None] = {}
    while words:
        name, *words = _checked_name(words[0], request, scope), *words[1:]
        marked = bool(words) and words[0] in MARKS
        words = words[marked:]
        length = _length(name, words, request, scope)
        value_text = " ".join(words[:length]) or (AS_DISCORD if marked and name == "language" else "")
        value, words = parse_value(name, value_text, request, scope), words[length:]
        if name.removeprefix("no_") in values:
            raise UserError(_("`{name}` is there twice.", name=name))
        values[name.removeprefix("no_")] = value
    return values


def parse_value(name: str, text: str, request: Request, scope: Scope) -> str | None:
    """Parse the value of one setting; UserError if it has no such value.

    With a `scope` the setting is a channel's or a person's, and None is that of the server, or of any place.
    """
    value = _stored_value(_checked_name(name, request, scope), text)
    if scope and plain(text) == DEFAULT:
        return None
    if value is None:
        raise UserError(SETTINGS[name.removeprefix("no_")].refusal(plain(text)))
    return value


def where(request: Request, scope: Scope = "") -> Where:
    """Return the place of a request, its roles, and whose settings are meant there."""
    return Where(request.place, request.known_roles, scope)


def settings_of(request: Request, scope: Scope = "") -> list[str]:
    """Return the settings of a place, or those that a channel or a person has of their own."""
    return [name for name, setting in SETTINGS.items() if setting.exists(where(request, scope))]


def _checked_name(word: str, request: Request, scope: Scope) -> str:
    """Return the setting of that name; UserError if there is none."""
    name, names = word.casefold(), settings_of(request, scope)
    only_personal = name in settings_of(request, MINE) and name not in settings_of(request)
    if name not in names and (only_personal or (scope == MINE and name in (*SETTINGS, NO_ROLE_OPTION))):
        own = ", ".join(f"`{known}`" for known in settings_of(request, MINE))
        raise UserError(_("With `mine` people choose {names} for themselves, and nothing else.", names=own))
    if name in (ROLE, NO_ROLE_OPTION) and scope:
        raise UserError(_("Presets belong to the whole server, so a channel has no `setup_role` of its own."))
    if name in (ROLE, NO_ROLE_OPTION) and not request.in_server:
        raise UserError(_("Roles exist only on servers; here your presets are your own."))
    if name in (*names, NO_ROLE_OPTION):
        return name
    if near := nearest(name, names):
        raise UserError(unknown_word_hint(word[:LONGEST_WORD], near))
    hint = _(
        "The settings are {names}. `default` resets one, as in `language:default`.",
        names=", ".join(f"`{name}`" for name in names),
    )
    raise UserError(compose("{what} {hint}", what=_("I don't know `{word}`.", word=word[:LONGEST_WORD]), hint=hint))


def _length(name: str, words: list[str], request: Request, scope: Scope) -> int:
    """Count the words after a setting that belong to it: the most that have a meaning, else all before the next one.

    Names of games that cannot stand together belong to it as well: the error names them.
    """
    setting = SETTINGS.get(name)
    least = setting.count_names(words[:MOST_WORDS]) if isinstance(setting, Named) else 0
    for length in range(min(MOST_WORDS, len(words)), 0, -1):
        if _stored_value(name, " ".join(words[:length])) is not None:
            return max(length, least)
    names = *settings_of(request, scope), NO_ROLE_OPTION
    return next((at for at, word in enumerate(words) if word.casefold() in names), len(words))


def _stored_value(name: str, text: str) -> str | None:
    """Return the stored value for a typed or chosen one; None if it has no meaning."""
    if name == NO_ROLE_OPTION:
        return "" if plain(text) in (*YES, "true") else None
    return SETTINGS[name].parse(text)
