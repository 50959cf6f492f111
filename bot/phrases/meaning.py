"""The meaning of a phrase, the rules that find it, what else it may mean, and the error for phrases without one."""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar

from bot.phrases.tag import Tag
from bot.settings import CONFIG

Seen = TypeVar("Seen")
Made = TypeVar("Made")
Conditions = Mapping[str, Callable[[Seen], bool]]
"""Rules of which any decides the same: their names, and what each looks for."""


class Rule(NamedTuple, Generic[Seen, Made]):
    """A rule for reading: a name that can be shown, what it looks for, and what it makes of that."""

    name: str
    fits: Callable[[Seen], bool]
    make: Made


def find_rule(rules: Iterable[Rule[Seen, Made]], seen: Seen) -> Rule[Seen, Made] | None:
    """Return the first rule that fits; None if none does."""
    return next((rule for rule in rules if rule.fits(seen)), None)


def find_condition(conditions: Conditions[Seen], seen: Seen) -> str:
    """Return the name of the first condition that is met; "" if none is."""
    return next((name for name, is_met in conditions.items() if is_met(seen)), "")


class NotClearError(Exception):
    """The phrase has no one meaning; `readings` are the lines that it may mean, and `why` says what is missing."""

    def __init__(self, why: str, *readings: str) -> None:
        super().__init__(why)
        self.why, self.readings = why, readings


def refuse(doubts: Iterable[Rule[Seen, str]], seen: Seen) -> None:
    """Raise NotClearError with the reason of the first doubt that fits."""
    if doubt := find_rule(doubts, seen):
        raise NotClearError(doubt.make)


class Evidence(NamedTuple):
    """A reason why an army attacks or defends: the rule of config/sides.toml, and the word by which it fits.

    With `of_enemy` the rule speaks of the army's enemy, and the army does the opposite.
    """

    army: int
    rule: str
    why: str
    of_enemy: bool = False

    @property
    def weight(self) -> float:
        """How much it counts that the army attacks; below zero, it defends."""
        weight = weights()[self.rule]
        return -weight if self.of_enemy else weight


@lru_cache
def weights() -> Mapping[str, float]:
    """Return how much each rule about who attacks counts."""
    document: dict[str, dict[str, float]] = tomllib.loads((CONFIG / "sides.toml").read_text("utf-8"))
    return document["weights"]


@dataclass
class Meaning:
    """The line of a phrase, with the reasons for it, another line that it may mean, and a remark about its words.

    `is_summed` tells whether the line has sums of the numbers in the phrase.
    """

    line: str
    reasons: tuple[Evidence, ...] = ()
    other: str = ""
    remark: str = ""
    is_summed: bool = False


class Offer(NamedTuple):
    """A line that a phrase may mean, and the words of the phrase that it leaves out."""

    line: str
    without: str = ""


@dataclass(frozen=True)
class Understood:
    """The meaning of a phrase.

    Attributes:
        line: The line in canonical notation, with its command unless that is `/battle`; "" if nobody could know.
        offers: The lines it may mean, where nobody could know; the likeliest first.
        why: The reason to ask back then.
        tags: The words with their tags.
        reasons: Why an army attacks or defends.
        other: The line that it may mean instead; "" if there is none.
        example: A line about the same territories, where something is asked back about a map; "" elsewhere.
        on_map: Whether it is about a map.
        remark: The remark of the answer about the words; "" for none.
        is_private: Whether the words want the answer to be seen by one person only.
        language: The language that the words ask for; "" if they ask for none.
    """

    line: str = ""
    offers: tuple[Offer, ...] = ()
    why: str = ""
    tags: tuple[Tag, ...] = ()
    reasons: tuple[Evidence, ...] = ()
    other: str = ""
    example: str = ""
    on_map: bool = False
    remark: str = ""
    is_private: bool = False
    language: str = ""
