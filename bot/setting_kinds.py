"""The kinds of settings: what each takes, what its values do, and how they are typed, chosen in a form and refused."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile
from textwrap import shorten
from typing import Literal, NamedTuple

from bot.errors import sentence_of
from bot.languages import ENGLISH, LANGUAGES, N_, _
from bot.names import nearest
from bot.replies import Choice
from solver import BattleError

YES, NO = ("yes", "on"), ("no", "off")
NO_ROLE = "none"
AS_DISCORD = "discord"
"""The typed value that chooses Discord's language."""
DEFAULT = "default"
"""The typed value that resets a setting, to what it is in the server if it is a channel's own."""
MARKS = ":="
WORD = re.compile(rf'[{MARKS}]|[^\s,;+`"{MARKS}]+')
MOST_CHOICES = 25
LONGEST_ABOUT = 100
CHANNEL: Literal["channel"] = "channel"
MINE: Literal["mine"] = "mine"
"""The words that say whose settings these are, rather than those of the whole place: a channel's, or a person's."""
Scope = Literal["", "channel", "mine"]
SCOPES: tuple[Scope, ...] = "", CHANNEL, MINE


class Where(NamedTuple):
    """Where a setting is shown: the place, the ids of its roles if they are known, and whose setting it is there."""

    place: str
    known_roles: frozenset[str] | None = None
    scope: Scope = ""

    @property
    def in_server(self) -> bool:
        """Whether the place is a server."""
        return self.place.startswith("guild:")


class Value(NamedTuple):
    """A value of a setting: as it is stored, what it does, its choice in a form, and other texts that mean it."""

    stored: str
    effect: str
    label: str
    about: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A setting: its name in the database and in a line, its values, and how they are typed, chosen and refused.

    Attributes:
        name: Its name.
        page: The form that has it.
        about: Its description on Discord.
        label: The title of its field in a form.
        hint: The explanation under that title.
        values: Returns its possible values, in the order of a form.
        usual: The value if nothing was chosen; by default the first one.
        hides_answers: Whether it says who sees answers: a terminal has no such setting, and for a person alone it needs
            no line unless somebody chose it.
        for_several: Whether it is about several people: a terminal has no such setting.
        servers_only: Whether only a whole server has it.
        personal: Whether people choose it for themselves, too.
        only_personal: Whether only people choose it, for themselves.
        nothing: The typed value for "", where that is stored if nothing was chosen.
        wrong: The error for a wrong value.
    """

    name: str
    page: str
    about: str
    label: str
    hint: str = ""
    values: Callable[[], Sequence[Value]] = tuple
    usual: str = ""
    hides_answers: bool = False
    for_several: bool = False
    servers_only: bool = False
    personal: bool = False
    only_personal: bool = False
    nothing: str = ""
    wrong: str = N_("For `{name}`, use `yes` or `no`.")

    @property
    def slash_choices(self) -> Mapping[str, str]:
        """The values that Discord lists, by their labels; none if it is a yes or no there, or others can be given."""
        return {value.stored: value.stored for value in self.values() if value.stored not in ("yes", "no")}

    def find(self, value: str) -> Value | None:
        """Return the value that the database has so; None if there is none."""
        return next((known for known in self.values() if known.stored == value), None)

    def is_legal(self, value: str) -> bool:
        """Return whether the database may have the value."""
        return self.find(value) is not None

    def describe(self, value: str, where: Where) -> str:
        """Say what the value does."""
        del where
        known = self.find(value)
        assert known is not None, "other values are not stored"
        return _(known.effect, **{self.name: _(known.label)})

    def choices(self, value: str) -> Iterator[Choice]:
        """Yield the choices in a form; `value` is chosen now."""
        del value
        for known in self.values():
            about = shorten(_(known.about), LONGEST_ABOUT, placeholder=" …") if known.about else ""
            yield Choice(self.as_typed(known.stored), _(known.label), about)

    def meanings(self) -> Mapping[str, str]:
        """Return other texts for the values, with the stored value of each; the word `default` is among them."""
        values = self.values()
        names = {name: value.stored for value in values for text in value.names for name in (text, _(text))}
        # A stored value goes before an equal name.
        by_text = {plain(text): value for text, value in names.items()} | {value: value for value in names.values()}
        return {DEFAULT: self.usual or values[0].stored} | by_text

    def refusal(self, typed: str) -> str:
        """Return the error for a wrong value."""
        del typed
        return _(self.wrong, name=self.name, codes=", ".join(f"`{value}`" for value in self.slash_choices.values()))

    def parse(self, typed: str) -> str | None:
        """Return the stored value for a typed or chosen one; None if it has no meaning."""
        text = plain(typed)
        known = self.find(self.meanings().get(text, text)) if text else None
        return known.stored if known else None

    def as_typed(self, value: str) -> str:
        """Return a stored value as people type it."""
        return value or self.nothing

    def exists(self, where: Where) -> bool:
        """Return whether a place has this setting, or a channel or a person of their own."""
        if where.scope == MINE or self.only_personal:
            return where.scope == MINE and (self.personal or self.only_personal)
        if self.servers_only:
            return where.in_server and not where.scope
        return not ((self.hides_answers or self.for_several) and where.place == "terminal")


def yes_or_no(*values: Value) -> Callable[[], Sequence[Value]]:
    """Return what gives the two values of a setting that is on or off, for which other words are understood, too."""
    named = [value._replace(names=(*YES, "true") if value.stored in YES else (*NO, "false")) for value in values]
    return lambda: named


@dataclass(frozen=True, kw_only=True)
class Named(Setting):
    """A setting whose values are games or editions.

    Attributes:
        which: The error where none is given.
        common: The keys that a form offers behind the usual one and the one that is chosen now; if there are none, it
            offers all in their order.
        together: Returns the value of several games that stand together, by their names with commas; None if one is
            unknown, and BattleError if they can't. The setting takes one value alone where this is None.
    """

    which: str
    common: tuple[str, ...] = ()
    together: Callable[[str], Value | None] | None = None

    def find(self, value: str) -> Value | None:
        """Return the value that is one game or edition, or several games together; None if there is none."""
        known = super().find(value)
        with suppress(BattleError):
            return known or (self.together and self.together(",".join(value.split())))
        return None

    def count_names(self, words: Sequence[str]) -> int:
        """Count the words at the beginning that are names of games, or nearly so, and are meant together."""
        keys = [value.stored for value in self.values()] if self.together else []
        return sum(1 for _word in takewhile(lambda word: nearest(word.casefold(), keys, 0.75), words))

    def choices(self, value: str) -> Iterator[Choice]:
        """Yield the choices that people are likely to want, as a form has few."""
        known = {choice.value: choice for choice in super().choices(value)}
        if value not in known and (chosen := self.find(value)):
            known[value] = Choice(value, shorten(chosen.label, LONGEST_ABOUT, placeholder=" …"))
        keys = dict.fromkeys((self.usual, value, *self.common, *known) if self.common else known)
        yield from [known[key] for key in keys if key in known][:MOST_CHOICES]

    def refusal(self, typed: str) -> str:
        """Return the error for an unknown game or edition; it names the nearest one."""
        if not typed:
            return _(self.which)
        if self.together:
            try:
                self.together(",".join(typed.split()))
            except BattleError as error:
                return sentence_of(error)
        if corrected := self._correct_names(typed.split()):
            return _("There is no such game. Did you mean `{name}:{near}`?", name=self.name, near=corrected)
        meanings, keys = self.meanings(), [value.stored for value in self.values()]
        if near := nearest(typed, keys, 0.5) or nearest(typed, meanings):
            near_key = meanings.get(near, near)
            return _("There is no such game. Did you mean `{name}:{near}`?", name=self.name, near=near_key)
        return _("There is no such game. `/help variants` lists those for `game`, `/help axis` those for `edition`.")

    def _correct_names(self, names: Sequence[str]) -> str:
        """Return several games together of which some names are mistyped; "" if that is not what is meant."""
        keys = [value.stored for value in self.values()]
        if self.together is None or len(names) < 2 or not any(name in keys for name in names):
            return ""
        value = self.find(",".join(nearest(name, keys, 0.75) or name for name in names))
        return value.stored if value else ""


@dataclass(frozen=True, kw_only=True)
class Language(Setting):
    """The setting of the language; "" is that of Discord, or English in a terminal."""

    @property
    def slash_choices(self) -> Mapping[str, str]:
        """The languages by their own names, and that of Discord."""
        return {**{own: code for code, own in LANGUAGES.items()}, "Same as Discord": AS_DISCORD}

    def describe(self, value: str, where: Where) -> str:
        """Say which language is spoken; that of Discord depends on the place."""
        if where.scope == MINE:
            if value:
                return _("**Language: {language}**, also in answers that everyone sees.", language=LANGUAGES[value])
            return _("**Language: same as your Discord app**, also in answers that everyone sees.")
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


@dataclass(frozen=True, kw_only=True)
class Role(Setting):
    """The setting of a role of the server, by its id; "" is none."""

    def is_legal(self, value: str) -> bool:
        """Return whether this is no role, or the id of one."""
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
        """Return the id of the mentioned or chosen role."""
        role = re.fullmatch(r"(?:<@&)?(\d{1,20})>?", plain(typed))
        return role[1] if role else {NO_ROLE: "", DEFAULT: ""}.get(plain(typed))


def is_gone(role: str, where: Where) -> bool:
    """Return whether a role was deleted."""
    return where.known_roles is not None and role not in where.known_roles


def plain(text: str) -> str:
    """Return a text in lower case without commas, plus signs, blanks and quotes."""
    return " ".join(WORD.findall(text.casefold()))
