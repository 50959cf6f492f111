"""The form of an option's row: all that the notation of a game knows of one option, and tables made of rows."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

Owner = Literal["side", "attacker", "defender", "both"]
"""Whose an option is: of the side where it stands, of one side, or of both."""


class Value(NamedTuple):
    """A kind of value: its form, how it is read and how it is described; a `flag` may be left out, and means yes."""

    form: str
    read: Callable[[str], Any]
    wanted: str
    flag: bool = False


@dataclass(frozen=True)
class Option:
    """An option of lines.

    Attributes:
        word: The word that names it.
        value: The kind of its value.
        owner: Whose it is. The option of a side has "a" or "d" before its word where it stands elsewhere.
        synonyms: Other words for it.
        offers: Examples of values, the likeliest first.
        whole: Whether it is about all waves of a battle; another belongs to the wave in which it stands.
        repeatable: Whether its value is a list that may be said in parts.
    """

    word: str
    value: Value
    owner: Owner = "attacker"
    synonyms: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    whole: bool = False
    repeatable: bool = False

    @property
    def sided(self) -> bool:
        """Whether each side can have it."""
        return self.owner == "side"


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
