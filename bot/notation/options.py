"""The form of an option's row: all that the notation of a game knows of one option, and tables made of rows."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any, Literal, NamedTuple

Owner = Literal["side", "attacker", "defender", "both"]
"""The owner of an option: the side where it stands, one side, or both."""


def write_value(value: Any) -> str:
    """Write a number or a text that is the value of an option."""
    return value if isinstance(value, str) else write_number(value)


class Value(NamedTuple):
    """A kind of value: its form, how it is read and written, and how it is described.

    A `flag` may be left out, and means yes; commas join the parts of a list. Where the form can't tell whether what
    follows is a part of the list, `goes_on` does, from the list before it and what follows.
    """

    form: str
    read: Callable[[str], Any]
    wanted: str
    flag: bool = False
    is_list: bool = False
    write: Callable[[Any], str] = write_value
    goes_on: Callable[[str, str], bool] | None = None

    def read_at(self, line: str, position: int, ends: str) -> tuple[Any, int] | None:
        """Read the value behind a colon, an equals sign or a space, up to one of these characters or the end.

        Returns:
            The value, and the position behind it; None if there is none of this form. If this has no form, the value is
            what the pieces behind it say.
        """
        if not self.form:
            return None, position
        match = re.compile(rf"(?: ?[:=] ?| )({self.form})(?=[{ends}]|$)").match(line, position)
        if match is None:
            return None
        end = match.end() if self.goes_on is None else self._end_of_list(match, self.goes_on)
        return self.read(line[match.start(1) : end]), end

    def _end_of_list(self, match: re.Match[str], goes_on: Callable[[str, str], bool]) -> int:
        """Return where a list ends of which perhaps more was matched."""
        end = match.end()
        for comma in re.finditer(" ?[,+] ?", match[1]):
            rest = match[1][comma.end() :]
            if not goes_on(match[1][: comma.start()], re.split(" ?[,+]", rest)[0]):
                return match.start(1) + comma.start()
        return end


@dataclass(frozen=True)
class Option:
    """An option of lines.

    Attributes:
        word: The word that names it.
        value: The kind of its value.
        owner: Whose it is. The option of a side has "a" or "d" before its word where it stands elsewhere.
        synonyms: Other words for it.
        offers: Examples of values, the likeliest first.
        whole: Whether it is about all waves of a battle, or about a whole path, wherever it stands.
        repeatable: Whether its value is a list that may be said in parts.
        gone: The value by which a second plan goes without it; a flag's is "no".
        refusal: The error where another question is asked than the one it is about; "" if it is about the battle.
        help: The line of the help about it; "" if it stands in one with others.
        remark: The remark of an answer if a battle at sea has it.
        field: The field of the battle that it sets, as errors name it; "" for none. A side's option sets a pair, unless
            the field has "{side}" in it.
        make: Makes that field of the value, in Axis & Allies also of the edition and the attacker's army; None if the
            value is the field.
        find: Returns the value that a canonical line has, from the battles of a wave and of those behind it, for a
            side's option also from the number of the side; None or False where the line says nothing. None if the value
            is that of the field, and the line says nothing of its default.
    """

    word: str
    value: Value
    owner: Owner = "attacker"
    synonyms: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    whole: bool = False
    repeatable: bool = False
    gone: str = ""
    refusal: str = ""
    help: str = ""
    remark: str = ""
    field: str = ""
    make: Callable[..., Any] | None = None
    find: Callable[..., Any] | None = None

    @property
    def sided(self) -> bool:
        """Whether each side can have it."""
        return self.owner == "side"

    def write(self, battles: Sequence[Any], side: int = 0, base: Any = None) -> str:
        """Return the option as the canonical line of a wave has it; "" if it says nothing.

        Args:
            battles: The battles of the wave and of those behind it.
            side: 0 for the attacker's option, 1 for the defender's, if each side can have it.
            base: A battle with the values of which lines say nothing; None for the defaults.
        """
        if self.find:
            value, usual = self.find(battles, side) if self.sided else self.find(battles), None
            value = None if value is False else value
        else:
            part, name = _part_and_name(self.field, side)
            owner = getattr(battles[0], part) if part else battles[0]
            value = getattr(owner, name)
            if base:
                usual = getattr(getattr(base, part) if part else base, name)
            else:
                usual = type(owner).__dataclass_fields__[name].default
            if self.owner == "side" and "{" not in self.field:
                value, usual = value[side], usual[side]
        if value == usual:
            return ""
        if isinstance(value, bool):
            return self.word if value else f"{self.word}:no"
        return f"{self.word}:{self.value.write(value)}"


@lru_cache(1_000)
def _part_and_name(field: str, side: int) -> tuple[str, str]:
    """Return the part of a battle that has a field, "" for the battle itself, and the name of the field there."""
    part, _dot, name = field.format(side=("attack", "defence")[side]).rpartition(".")
    return part, name


def write_number(number: float) -> str:
    """Write a number without a power of ten: 4, -2.5, 0.0001."""
    return f"{Decimal(str(number)):f}".removesuffix(".0")


def read_number(text: str) -> float:
    """Read a number with a point or a comma; whole numbers become int."""
    number = round(float(text.replace(",", ".")), 6)
    return int(number) if number.is_integer() else number


class Words(NamedTuple):
    """The words of options: the rows by all words, those of sides also with the letter of a side; and what each sets.

    In the key that a word sets "{side}" stands for the side where it is; a word with a letter is of that side.
    """

    options: dict[str, Option]
    keys: dict[str, str]


def words_of(options: Sequence[Option], sides: Sequence[str], sign: str) -> Words:
    """Return the words of rows; in keys the sides have these names, with a sign behind them.

    A word that is also one of both sides together means those; with a letter it is of one side.
    """
    of_sides, others = (by_word(row for row in options if row.sided == sided) for sided in (True, False))
    keys = {word: f"{{side}}{sign}{word}" for word in of_sides if word not in others}
    keys |= {f"{side[0]}{word}": f"{side}{sign}{word}" for side in sides for word in of_sides}
    keys |= {word: word for word in others}
    return Words({word: others.get(word) or of_sides.get(word) or of_sides[word[1:]] for word in keys}, keys)


def by_word(options: Iterable[Option]) -> dict[str, Option]:
    """Return rows by their words."""
    return {option.word: option for option in options}


def words_of_synonyms(options: Iterable[Option]) -> dict[str, str]:
    """Return the word of each synonym; if each side can have the option, a plain one may have the letter of a side."""
    return {
        f"{side}{synonym}": f"{side}{option.word}"
        for option in options
        for synonym in option.synonyms
        for side in (("", "a", "d") if option.sided and "-" not in synonym else ("",))
    }


def dropped_words(options: Iterable[Option], attacker: str) -> dict[str, str]:
    """Return by which words a second plan goes without the options of the first.

    Args:
        options: The rows.
        attacker: The prefix of the attacker's word for an option that each side can have: "a" or nothing.
    """
    gone = [(option, option.gone or ("no" if option.value.flag else "")) for option in options]
    return {
        f"{side}{option.word}": f"{side or attacker}{option.word}:{value}" if option.sided else f"{option.word}:{value}"
        for option, value in gone
        if value
        for side in (("", "d") if option.sided else ("",))
    }


def complete_option(options: Mapping[str, Option], begun: str, more: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Complete a word of a line to an option, with a value if it takes one.

    Args:
        options: The rows by all words that they answer to.
        begun: The word as far as it is typed, perhaps with a colon and the beginning of a value.
        more: The values to offer of options whose values depend on rules or editions, by the words of their rows.
    """
    name, colon, value = begun.partition(":")
    for word, option in options.items():
        if word == name if colon else word.startswith(name):
            if option.value.flag and not colon:
                yield word
            offers = more.get(option.word, option.offers)
            yield from (f"{word}:{offer}" for offer in offers if offer.startswith(value))
