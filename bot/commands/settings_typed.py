"""What is typed or chosen for settings: which are meant, and what is kept of each; all is understood, or refused."""

import re
from difflib import get_close_matches

from bot.commands.habits import LEGAL, NO, YES, Habits
from bot.commands.request import Request
from bot.commands.setups import ROLE
from bot.editions import editions
from bot.errors import UserError
from bot.languages import LANGUAGES, _, joined
from bot.matchup import CLASSIC
from bot.matchup.mistakes import unknown
from bot.packs import load

NO_ROLE = "none"
NO_ROLE_OPTION = f"no_{ROLE}"
AS_DISCORD = "discord"
"""What is typed where the language is to be Discord's."""
DEFAULT = "default"
"""What is typed where a setting is to be as if nothing had been chosen."""
MARKS = ":="
WORD = re.compile(rf'[{MARKS}]|[^\s,;`"{MARKS}]+')
MOST_WORDS = 12
"""How many words the name of a game may have."""
LONGEST_WORD = 40


def typed(text: str, request: Request) -> dict[str, str]:
    """What is kept of the settings in a line, "history off, game:2210", or only "off"; UserError for any other word."""
    words = WORD.findall(text)
    if text.casefold() in ("on", "off"):
        words = ["history", *words]
    values: dict[str, str] = {}
    while words:
        name, *words = _checked_name(words[0], request), *words[1:]
        marked = bool(words) and words[0] in MARKS
        words = words[marked:]
        length = _length(name, words, request)
        told = " ".join(words[:length]) or (AS_DISCORD if marked and name == "language" else "")
        value, words = understood(name, told, request), words[length:]
        if name.removeprefix("no_") in values:
            raise UserError(_("`{name}` is there twice.", name=name))
        values[name.removeprefix("no_")] = value
    return values


def understood(name: str, text: str, request: Request) -> str:
    """What is kept of a setting; UserError where there is no such thing."""
    value = _kept(_checked_name(name, request), text)
    if value is None:
        raise UserError(_wrong(name, _plain(text)))
    return value


def names_in(request: Request) -> list[str]:
    """The settings that there are in a place: in a terminal nobody else sees anything, and roles are for servers."""
    without = {ROLE: not request.in_server, "private": request.place == "terminal"}
    return [name for name in LEGAL if not without.get(name)]


def standing(name: str, habits: Habits) -> str:
    """How a setting stands, as the database has it."""
    value: str | bool = getattr(habits, name)
    return value if isinstance(value, str) else (YES if value else NO)[name == "history"]


def _checked_name(word: str, request: Request) -> str:
    """The setting of that name."""
    name, names = word.casefold(), names_in(request)
    if name in (ROLE, NO_ROLE_OPTION) and not request.in_server:
        raise UserError(_("Roles exist only on servers; here your presets are your own."))
    if name in (*names, NO_ROLE_OPTION):
        return name
    near = get_close_matches(name, names, n=1)
    if near:
        raise UserError(unknown(word[:LONGEST_WORD], near[0]))
    hint = _(
        "The settings are {names}. `default` resets one, as in `language:default`.",
        names=", ".join(f"`{name}`" for name in names),
    )
    raise UserError(joined("{what} {hint}", what=_("I don't know `{word}`.", word=word[:LONGEST_WORD]), hint=hint))


def _length(name: str, words: list[str], request: Request) -> int:
    """How many words behind a setting are about it: the most that mean something, else all up to the next setting."""
    for length in range(min(MOST_WORDS, len(words)), 0, -1):
        if _kept(name, " ".join(words[:length])) is not None:
            return length
    names = *names_in(request), NO_ROLE_OPTION
    return next((at for at, word in enumerate(words) if word.casefold() in names), len(words))


def _plain(text: str) -> str:
    """A text without what is forgiven: letters of another size, commas, blanks, and quotes."""
    return " ".join(WORD.findall(text.casefold()))


def _kept(name: str, text: str) -> str | None:
    """What the database has of a setting for what was typed or chosen; None where that means nothing."""
    said = _plain(text)
    if name == NO_ROLE_OPTION:
        return "" if said in (*YES, "true") else None
    if name == ROLE:
        role = re.fullmatch(r"(?:<@&)?(\d{1,20})>?", said)
        return "" if said in (NO_ROLE, DEFAULT) else role and role[1]
    value = _meanings(name).get(said, said)
    return value if LEGAL[name](value) and said else None


def _meanings(name: str) -> dict[str, str]:
    """What can be said of a setting beside what the database has for it."""
    usual = {DEFAULT: standing(name, Habits())}
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
    """The same by how it is compared; what the database has goes before names that are alike."""
    return {_plain(said): value for said, value in meanings.items()} | {value: value for value in meanings.values()}


def _wrong(name: str, said: str) -> str:
    """What a setting can be, where it cannot be this."""
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
    """The same of games and editions, of which there are many."""
    if not said and name == "game":
        return _("Which game? For example `game:2210` or `game:classic`; `/help variants` lists them.")
    if not said:
        return _("Which edition? For example `edition:1940` or `edition:1942`; `/help axis` lists them.")
    keys = [CLASSIC, *load()] if name == "game" else [*editions()]
    if near := get_close_matches(said, keys, n=1, cutoff=0.5) or get_close_matches(said, _meanings(name), n=1):
        key = _meanings(name).get(near[0], near[0])
        return _("There is no such game. Did you mean `{name}:{near}`?", name=name, near=key)
    return _("There is no such game. `/help variants` lists those for `game`, `/help axis` those for `edition`.")
