"""The tag of words in a phrase: their meaning, with the place where they stand."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

ENDS = {".", "!", "?", "\n"}
"""The signs that end a clause."""
BATTLE = 2
"""The armies of a battle."""
OF_UNITS = ("units", "ships")
"""The tables of words for units."""
OF_ARMIES = ("number", *OF_UNITS)
"""The tables of words that make an army."""
OWNERS = ("self", "other")
"""The roles of words for the player who asks, and for the other."""
LONGEST_ARTICLE = 2
"""The most letters of the articles "a", "an" and "un"."""
PARTING = ("against", "onto", "attack", "attacked", "hold")
"""The roles of words between two sides."""

CHOICES = " / "
"""Stands between the options that words may mean: "exploding dice" does not say how often."""


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
        return self.table in ("noise", "names", "skips", "outlooks")

    @property
    def left_out(self) -> "Tag":
        """The tag without its meaning."""
        return replace(self, table="skips", value="")

    @property
    def doubted(self) -> "Tag":
        """The tag as that of a word that is not known, so that it is asked about."""
        return replace(self, table="unknown", value=self.text)

    @property
    def is_one(self) -> bool:
        """Whether it is a word for one, and no article such as "a" or "un"."""
        return self.table == "noise" and self.value == "1" and len(self.text) > LONGEST_ARTICLE


NOTHING = Tag("", "", 0, 0)
"""Stands before the first word and behind the last."""


def tag_at(tags: Sequence[Tag], index: int) -> Tag:
    """Return the tag at an index; NOTHING before the first and behind the last."""
    return tags[index] if 0 <= index < len(tags) else NOTHING


def first_meaning(tags: Iterable[Tag]) -> Tag:
    """Return the first of some tags that makes a difference for a battle; NOTHING if none does."""
    return next((tag for tag in tags if not tag.means_nothing), NOTHING)


def leave_out(tags: Sequence[Tag], places: Collection[int]) -> list[Tag]:
    """Return tags of which those at some places mean nothing."""
    return [tag.left_out if index in places else tag for index, tag in enumerate(tags)]


def tags_of(tags: Sequence[Tag], *tables: str) -> list[Tag]:
    """Return the tags of these tables."""
    return [tag for tag in tags if tag.table in tables]


def values_of(tags: Sequence[Tag], table: str) -> list[str]:
    """Return the meanings of the words of a table."""
    return [tag.value for tag in tags if tag.table == table]


def has_table(tags: Sequence[Tag], *tables: str) -> bool:
    """Tell whether there is a word of one of these tables."""
    return any(tag.table in tables for tag in tags)


def has_role(tags: Sequence[Tag], *roles: str) -> bool:
    """Tell whether there is a word with one of these roles."""
    return any(tag.is_role(*roles) for tag in tags)


def is_private(tags: Sequence[Tag]) -> bool:
    """Tell whether words such as "just for me" say who may see the answer."""
    return any(tag.table == "skips" and tag.value == "private" for tag in tags)


def is_talk(tags: Sequence[Tag]) -> bool:
    """Tell whether a phrase is no more than a greeting or thanks."""
    return all(tag.means_nothing or tag.table == "sign" or tag.is_role("self", "other", "here", "for") for tag in tags)
