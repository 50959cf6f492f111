"""The kinds of settings: what each takes, what its values do, and how they are typed, chosen in a form and refused."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from textwrap import shorten
from typing import Any, NamedTuple

from bot.languages import ENGLISH, LANGUAGES, N_, _
from bot.replies import Choice

YES, NO = ("yes", "on"), ("no", "off")
NO_ROLE = "none"
AS_DISCORD = "discord"
"""The typed value that chooses Discord's language."""
DEFAULT = "default"
"""The typed value that resets a setting, to what it is in the server if it is a channel's own."""
MARKS = ":="
WORD = re.compile(rf'[{MARKS}]|[^\s,;`"{MARKS}]+')
MOST_CHOICES = 25
LONGEST_ABOUT = 100


class Where(NamedTuple):
    """Where a setting is shown: the place, and the ids of its roles, None where nobody knows them."""

    place: str
    known_roles: frozenset[str] | None = None

    @property
    def in_server(self) -> bool:
        """Whether the place is a server."""
        return self.place.startswith("guild:")


@dataclass(frozen=True, kw_only=True)
class Setting(ABC):
    """A setting: its name in the database and in a line, and what every kind of setting can do.

    Attributes:
        name: Its name.
        page: The form that has it.
        about: What it is about, on Discord.
        label: The title of its field in a form.
        hint: The explanation under that title.
        hides_answers: Whether it says who sees answers: a terminal has no such setting, and for a person alone it needs
            no line unless somebody chose it.
        servers_only: Whether only a whole server has it.
        nothing: The typed value for "", where that is stored if nothing was chosen.
        wrong: The error for a wrong value.
    """

    name: str
    page: str
    about: str
    label: str
    hint: str = ""
    hides_answers: bool = False
    servers_only: bool = False
    nothing: str = ""
    wrong: str = ""

    @property
    def slash_choices(self) -> Mapping[str, str]:
        """The values that Discord lists, by their labels; none if it is a yes or no there, or others can be given."""
        return {}

    @abstractmethod
    def is_legal(self, value: str) -> bool:
        """Return whether the database may have the value."""

    @abstractmethod
    def meanings(self) -> Mapping[str, str]:
        """Return other texts for the values, with the stored value of each; the word `default` is among them."""

    @abstractmethod
    def describe(self, value: str, where: Where) -> str:
        """Say what the value does."""

    def choices(self, value: str) -> Iterator[Choice]:
        """Yield the choices in a form; `value` is chosen now."""
        del value
        return iter(())

    def refusal(self, typed: str) -> str:
        """Return the error for a wrong value."""
        del typed
        return _(self.wrong, name=self.name, codes=", ".join(f"`{value}`" for value in self.slash_choices.values()))

    def parse(self, typed: str) -> str | None:
        """Return the stored value for a typed or chosen one; None if it has no meaning."""
        text = plain(typed)
        value = self.meanings().get(text, text)
        return value if text and self.is_legal(value) else None

    def as_typed(self, value: str) -> str:
        """Return a stored value as people type it."""
        return value or self.nothing

    def exists(self, where: Where, own: bool = False) -> bool:
        """Return whether a place has this setting, or with `own` a channel of its own."""
        if self.servers_only:
            return where.in_server and not own
        return not (self.hides_answers and where.place == "terminal")


class Value(NamedTuple):
    """One of few values: as it is stored, what it does, and its choice in a form."""

    stored: str
    effect: str
    label: str
    about: str = ""


@dataclass(frozen=True, kw_only=True)
class OneOf(Setting):
    """A setting with few values; if they are a yes and a no, other words for these are understood."""

    values: tuple[Value, ...]
    wrong: str = N_("For `{name}`, use `yes` or `no`.")

    @property
    def slash_choices(self) -> Mapping[str, str]:
        """See `Setting`."""
        return {} if self.values[0].stored in ("yes", "no") else {one.stored: one.stored for one in self.values}

    @property
    def is_flag(self) -> bool:
        """Whether the values are a yes and a no."""
        return any(value.stored in YES for value in self.values)

    def is_legal(self, value: str) -> bool:
        """See `Setting`."""
        return any(value == one.stored for one in self.values)

    def describe(self, value: str, where: Where) -> str:
        """See `Setting`."""
        del where
        return next(_(one.effect) for one in self.values if one.stored == value)

    def choices(self, value: str) -> Iterator[Choice]:
        """See `Setting`."""
        del value
        for one in self.values:
            yield Choice(one.stored, _(one.label), _(one.about) if one.about else "")

    def meanings(self) -> Mapping[str, str]:
        """See `Setting`."""
        usual = {DEFAULT: self.values[0].stored}
        if not self.is_flag:
            return usual
        yes, no = sorted((one.stored for one in self.values), key=NO.__contains__)
        return usual | dict.fromkeys((*YES, "true"), yes) | dict.fromkeys((*NO, "false"), no)


@dataclass(frozen=True, kw_only=True)
class Named(Setting):
    """A setting whose values are the names of games or editions.

    Attributes:
        known: Returns all of them by their keys.
        usual: The key of the usual one.
        effect: What the chosen one does.
        which: The error where none is given.
        common: The keys that a form offers behind the usual one and the one that is chosen now; if there are none, it
            offers all in their order.
        also: Other names, with the key of each.
    """

    known: Callable[[], Mapping[str, Any]]
    usual: str
    effect: str
    which: str
    common: tuple[str, ...] = ()
    also: tuple[tuple[str, str], ...] = ()

    def is_legal(self, value: str) -> bool:
        """See `Setting`."""
        return value in self.known()

    def describe(self, value: str, where: Where) -> str:
        """See `Setting`."""
        del where
        return _(self.effect, **{self.name: _(self.known()[value].name)})

    def choices(self, value: str) -> Iterator[Choice]:
        """See `Setting`."""
        known = self.known()
        keys = dict.fromkeys((self.usual, value, *self.common, *known) if self.common else known)
        for key in [key for key in keys if key in known][:MOST_CHOICES]:
            about = known[key].about
            yield Choice(key, _(known[key].name), shorten(_(about), LONGEST_ABOUT, placeholder=" …") if about else "")

    def refusal(self, typed: str) -> str:
        """Return the error for an unknown game or edition; it names the nearest one."""
        if not typed:
            return _(self.which)
        meanings = self.meanings()
        if near := get_close_matches(typed, self.known(), n=1, cutoff=0.5) or get_close_matches(typed, meanings, n=1):
            near_key = meanings.get(near[0], near[0])
            return _("There is no such game. Did you mean `{name}:{near}`?", name=self.name, near=near_key)
        return _("There is no such game. `/help variants` lists those for `game`, `/help axis` those for `edition`.")

    def meanings(self) -> Mapping[str, str]:
        """See `Setting`."""
        names = {name: key for text, key in self.also for name in (text, _(text))}
        names |= {name: key for key, one in self.known().items() for name in (one.name, _(one.name), key)}
        return {DEFAULT: self.usual} | _by_plain(names)


@dataclass(frozen=True, kw_only=True)
class Language(Setting):
    """The setting of the language; "" is that of Discord, or English in a terminal."""

    @property
    def slash_choices(self) -> Mapping[str, str]:
        """See `Setting`."""
        return {**{own: code for code, own in LANGUAGES.items()}, "Same as Discord": AS_DISCORD}

    def is_legal(self, value: str) -> bool:
        """See `Setting`."""
        return not value or value in LANGUAGES

    def describe(self, value: str, where: Where) -> str:
        """See `Setting`."""
        if where.place == "terminal":
            return _("**Language: {language}.**", language=LANGUAGES[value or ENGLISH])
        if not where.in_server:
            if value:
                return _(
                    "**Language: {language}.** `/settings language:discord` goes back to the language of your app.",
                    language=LANGUAGES[value],
                )
            return _(
                "**Language: same as your Discord app.** In DMs I use the language of your last command, "
                "or English. `/settings language:` picks one."
            )
        if value:
            return _(
                "**Language: {language}.** Private answers use the reader's own language.",
                language=LANGUAGES[value],
            )
        return _("**Language: same as this server on Discord.** Private answers use the reader's own language.")

    def choices(self, value: str) -> Iterator[Choice]:
        """See `Setting`."""
        del value
        yield Choice(AS_DISCORD, _("Same as Discord"))
        yield from (Choice(code, own) for code, own in LANGUAGES.items())

    def meanings(self) -> Mapping[str, str]:
        """See `Setting`."""
        as_discord = {
            DEFAULT: "",
            AS_DISCORD: "",
            "as Discord says": "",
            "Same as Discord": "",
            _("Same as Discord"): "",
        }
        return _by_plain(as_discord | {own: code for code, own in LANGUAGES.items()})


@dataclass(frozen=True, kw_only=True)
class Role(Setting):
    """The setting of a role of the server, by its id; "" is none."""

    def is_legal(self, value: str) -> bool:
        """See `Setting`."""
        return not value or value.isdecimal()

    def describe(self, value: str, where: Where) -> str:
        """Say who may change presets of others. The mention pings nobody; the role of everybody has its server's id."""
        if not value:
            who = _("**Only server managers can change others' presets.**")
        elif where.place == f"guild:{value}":
            who = _("**Everyone can change others' presets.**")
        elif is_gone(value, where):
            who = _("**Only server managers can change others' presets** (the role you chose was deleted).")
        else:
            who = _("**Server managers and {role} can change others' presets.**", role=f"<@&{value}>")
        how = _("`/settings setup_role:` gives that right to a role, `no_setup_role:True` takes it back.")
        return f"{who} {how}"

    def parse(self, typed: str) -> str | None:
        """See `Setting`."""
        role = re.fullmatch(r"(?:<@&)?(\d{1,20})>?", plain(typed))
        return role[1] if role else self.meanings().get(plain(typed))

    def meanings(self) -> Mapping[str, str]:
        """See `Setting`."""
        return {NO_ROLE: "", DEFAULT: ""}


def is_gone(role: str, where: Where) -> bool:
    """Return whether a role was deleted."""
    return where.known_roles is not None and role not in where.known_roles


def plain(text: str) -> str:
    """Return a text in lower case without commas, blanks and quotes."""
    return " ".join(WORD.findall(text.casefold()))


def _by_plain(meanings: Mapping[str, str]) -> dict[str, str]:
    """Return the stored values by the texts they are compared with; a stored value goes before an equal name."""
    return {plain(text): value for text, value in meanings.items()} | {value: value for value in meanings.values()}
