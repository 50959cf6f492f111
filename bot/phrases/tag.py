"""The tag of words in a phrase: their meaning, with the place where they stand."""

from collections.abc import Sequence
from dataclasses import dataclass

ENDS = {".", "!", "?", "\n"}
"""The signs that end a clause."""


@dataclass(frozen=True)
class Tag:
    """The meaning of one or more words that stand together.

    Attributes:
        table: The table of the vocabulary, or "number", "chance", "die", "sign", "unknown".
        value: The meaning within the table; a word that an unknown one is like.
        start: The index of the first token.
        end: The index after the last token.
        numbers: The numbers in it.
        slots: The fillings of its pattern's slots, in order.
        who: The side that the words name, as a role; "" if none.
        plural: Whether it names more than one.
        text: Its words, as they stand in the phrase.
        case: The role that the form of its last word plays, such as "with" of an instrumental; "" if none.
    """

    table: str
    value: str
    start: int
    end: int
    numbers: tuple[int, ...] = ()
    slots: tuple[str, ...] = ()
    who: str = ""
    plural: bool = False
    text: str = ""
    case: str = ""

    def is_role(self, *roles: str) -> bool:
        """Tell whether it is a word with one of these roles."""
        return self.table == "roles" and self.value in roles

    @property
    def means_nothing(self) -> bool:
        """Whether it makes no difference for a battle."""
        return self.table in ("noise", "names", "skips")


def percent(value: str, numbers: Sequence[int]) -> str:
    """Return the chance that words mean: "{n}%" is a number of percent, "{n}/{n}" so many times out of so many."""
    if value == "{n}%":
        return f"{numbers[0]}%"
    if value == "{n}/{n}":
        return f"{100 * numbers[0] / max(numbers[1], 1):.4g}%"
    return value
