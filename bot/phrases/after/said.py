"""The words of a follow-up: the armies that it names, their owners, and all other words."""

from dataclasses import dataclass, field

from bot.phrases.pieces import HOLD_LAST, SHIPS
from bot.phrases.tag import Tag, tags_of

HOLDS = ("hold", *HOLD_LAST)
"""The roles of verbs of defence."""
POINTS = "points"
"""Stands for the unit of what a factory can take."""
TIMES = ("twice", "half")
"""The words that say how many times of an army is there."""
KINDS = {ship: unit for unit, ship in SHIPS.items()}
"""The units that ships are, by their words in notation."""


@dataclass
class Amount:
    """So many armies, or units of a kind, and what becomes of them.

    Attributes:
        count: How many; None where the words name a kind alone, as in "without the bombers".
        unit: The kind of unit; "" for armies.
        side: The side that a word names; "" if none does.
        mode: "set" if they are there, or "more", "fewer", "without", "old", "twice" or "half".
        led: The meaning of the word before it: "with", "against", "then", "make", "corrects" or ""; "have" where an
            owner has it, "has" where somebody does who is not named.
        where: Which territory of several it is in: "1", "2", "3" or "last"; "" if nothing says so.
        text: The word for its unit.
    """

    count: int | None
    unit: str = ""
    side: str = ""
    mode: str = "set"
    led: str = ""
    where: str = ""
    text: str = ""


@dataclass
class Said:
    """The parts of a follow-up.

    Attributes:
        amounts: The armies that it names.
        marks: The words of follow-ups in it, by what they say.
        tags: Its other words.
        ended: The options that go: "without low luck".
        unknown: The words that nobody knows.
        roles: The meanings of its words about armies.
        owners: The words for sides in it, by their roles.
        defends: Whether it asks how the other side would fare: "and if he attacks me?".
    """

    amounts: list[Amount] = field(default_factory=list)
    marks: set[str] = field(default_factory=set)
    tags: list[Tag] = field(default_factory=list)
    ended: list[Tag] = field(default_factory=list)
    unknown: list[Tag] = field(default_factory=list)
    roles: set[str] = field(default_factory=set)
    owners: list[str] = field(default_factory=list)
    defends: bool = False

    def values(self, *tables: str) -> list[Tag]:
        """Return the words of some tables."""
        return tags_of(self.tags, *tables)
