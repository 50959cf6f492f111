"""Parses typed settings such as "history off, game:2210" to the values that the database keeps."""

import re
from difflib import get_close_matches

from bot.editions import editions
from bot.errors import UserError
from bot.languages import LANGUAGES, _, compose
from bot.notation.lexer import CLASSIC
from bot.notation.mistakes import unknown_word_hint
from bot.packs import load
from bot.place_settings import LEGAL, NO, YES, PlaceSettings
from bot.presets import ROLE
from bot.request import Request

NO_ROLE = "none"
NO_ROLE_OPTION = f"no_{ROLE}"
AS_DISCORD = "discord"
"""The typed value that chooses Discord's language."""
DEFAULT = "default"
"""The typed value that resets a setting, to what it is in the server if it is a channel's own."""
MARKS = ":="
WORD = re.compile(rf'[{MARKS}]|[^\s,;`"{MARKS}]+')
OF_CHANNEL = re.compile(r'(?<![^\s,;`"])channel(\s*[:=]\s*(yes|true|on))?(?![^\s,;`"])', re.IGNORECASE)
"""The word that says that the settings of a line are for a channel alone."""
MOST_WORDS = 12
"""The most words in the name of a game."""
LONGEST_WORD = 40


def split_channel(text: str) -> tuple[str, bool]:
    """Return a line without the word `channel`, and whether it had it."""
    rest, times = OF_CHANNEL.subn(" ", text)
    return rest.strip(), times > 0


def parse_settings(text: str, request: Request, own: bool = False) -> dict[str, str | None]:
    """Parse a line such as "history off, game:2210", or only "off"; UserError for any other word.

    `own` is as in `parse_value`.
    """
    words = WORD.findall(text)
    if text.casefold() in ("on", "off"):
        words = ["history", *words]
    values: dict[str, str | None] = {}
    while words:
        name, *words = _checked_name(words[0], request, own), *words[1:]
        marked = bool(words) and words[0] in MARKS
        words = words[marked:]
        length = _length(name, words, request)
        value_text = " ".join(words[:length]) or (AS_DISCORD if marked and name == "language" else "")
        value, words = parse_value(name, value_text, request, own), words[length:]
        if name.removeprefix("no_") in values:
            raise UserError(_("`{name}` is there twice.", name=name))
        values[name.removeprefix("no_")] = value
    return values


def parse_value(name: str, text: str, request: Request, own: bool = False) -> str | None:
    """Parse the value of one setting; UserError if it has no such value.

    With `own` the setting is a channel's, and None is that of the server.
    """
    value = _stored_value(_checked_name(name, request, own), text)
    if own and _plain(text) == DEFAULT:
        return None
    if value is None:
        raise UserError(_wrong(name, _plain(text)))
    return value


def settings_of(request: Request, own: bool = False) -> list[str]:
    """Return the settings of a place, or a channel's own: a terminal has no privacy, only whole servers have roles."""
    without = {ROLE: own or not request.in_server, "private": request.place == "terminal"}
    return [name for name in LEGAL if not without.get(name)]


def current_value(name: str, chosen: PlaceSettings) -> str:
    """Return the value of a setting as the database has it."""
    value: str | bool = getattr(chosen, name)
    return value if isinstance(value, str) else (YES if value else NO)[name == "history"]


def _checked_name(word: str, request: Request, own: bool) -> str:
    """Return the setting of that name; UserError if there is none."""
    name, names = word.casefold(), settings_of(request, own)
    if name in (ROLE, NO_ROLE_OPTION) and own:
        raise UserError(_("Presets belong to the whole server, so a channel has no `setup_role` of its own."))
    if name in (ROLE, NO_ROLE_OPTION) and not request.in_server:
        raise UserError(_("Roles exist only on servers; here your presets are your own."))
    if name in (*names, NO_ROLE_OPTION):
        return name
    near = get_close_matches(name, names, n=1)
    if near:
        raise UserError(unknown_word_hint(word[:LONGEST_WORD], near[0]))
    hint = _(
        "The settings are {names}. `default` resets one, as in `language:default`.",
        names=", ".join(f"`{name}`" for name in names),
    )
    raise UserError(compose("{what} {hint}", what=_("I don't know `{word}`.", word=word[:LONGEST_WORD]), hint=hint))


def _length(name: str, words: list[str], request: Request) -> int:
    """Count the words after a setting that belong to it: the most that have a meaning, else all before the next one."""
    for length in range(min(MOST_WORDS, len(words)), 0, -1):
        if _stored_value(name, " ".join(words[:length])) is not None:
            return length
    names = *settings_of(request), NO_ROLE_OPTION
    return next((at for at, word in enumerate(words) if word.casefold() in names), len(words))


def _plain(text: str) -> str:
    """Return a text in lower case without commas, blanks and quotes."""
    return " ".join(WORD.findall(text.casefold()))


def _stored_value(name: str, text: str) -> str | None:
    """Return the stored value for a typed or chosen one; None if it has no meaning."""
    said = _plain(text)
    if name == NO_ROLE_OPTION:
        return "" if said in (*YES, "true") else None
    if name == ROLE:
        role = re.fullmatch(r"(?:<@&)?(\d{1,20})>?", said)
        return "" if said in (NO_ROLE, DEFAULT) else role and role[1]
    value = _meanings(name).get(said, said)
    return value if LEGAL[name](value) and said else None


def _meanings(name: str) -> dict[str, str]:
    """Return other texts for the values of a setting, with the stored value of each."""
    usual = {DEFAULT: current_value(name, PlaceSettings())}
    if name == "game":
        packs = {name: key for key, pack in load().items() for name in (pack.name, _(pack.name), key)}
        classic = dict.fromkeys(("Risk", _("Risk"), "classic Risk", _("classic Risk")), CLASSIC)
        return usual | _by_plain(classic | packs)
    if name == "edition":
        return usual | _by_plain(
            {name: key for key, one in editions().items() for name in (one.name, _(one.name), key)}
        )
    if name == "language":
        as_discord = {AS_DISCORD: "", "as Discord says": "", "Same as Discord": "", _("Same as Discord"): ""}
        return usual | _by_plain(as_discord | {own: code for code, own in LANGUAGES.items()})
    if name == "show":
        return usual
    yes, no = ("on", "off") if name == "history" else ("yes", "no")
    return usual | dict.fromkeys((*YES, "true"), yes) | dict.fromkeys((*NO, "false"), no)


def _by_plain(meanings: dict[str, str]) -> dict[str, str]:
    """Return the stored values by the texts they are compared with; a stored value goes before an equal name."""
    return {_plain(said): value for said, value in meanings.items()} | {value: value for value in meanings.values()}


def _wrong(name: str, said: str) -> str:
    """Return the error for a wrong value; it lists the right ones."""
    if name in ("game", "edition"):
        return _no_game(name, said)
    if name in (ROLE, NO_ROLE_OPTION):
        return _("For `setup_role`, give a role of this server or `none`.")
    if name == "show":
        return _("For `show`, use `both`, `words` or `pictures`.")
    if name == "language":
        codes = ", ".join(f"`{code}`" for code in (*LANGUAGES, AS_DISCORD))
        return _("For `language`, use one of {codes}.", codes=codes)
    if name == "history":
        return _("For `history`, use `on` or `off`.")
    return _("For `{name}`, use `yes` or `no`.", name=name)


def _no_game(name: str, said: str) -> str:
    """Return the error for an unknown game or edition; it names the nearest one."""
    if not said and name == "game":
        return _("Which game? For example `game:2210` or `game:classic`; `/help variants` lists them.")
    if not said:
        return _("Which edition? For example `edition:1940` or `edition:1942`; `/help axis` lists them.")
    keys = [CLASSIC, *load()] if name == "game" else [*editions()]
    if near := get_close_matches(said, keys, n=1, cutoff=0.5) or get_close_matches(said, _meanings(name), n=1):
        key = _meanings(name).get(near[0], near[0])
        return _("There is no such game. Did you mean `{name}:{near}`?", name=name, near=key)
    return _("There is no such game. `/help variants` lists those for `game`, `/help axis` those for `edition`.")
