"""Ends of a battle that somebody asks about: those in which a side has so many units left, or has lost so many."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

from solver.documents import check_fields, clamp_chance, read_list, read_object, read_part
from solver.errors import BattleError, check_choice, check_number, quoted
from solver.game import SideName

if TYPE_CHECKING:  # a range is read before anything is computed
    from solver.chain import Chances, Counts, Mask

MOST_COUNTED = 10**9
"""The largest limit of a range."""
ROUNDING = 1e-9
"""Sums of money that differ by no more are the same."""
COUNTED = "left", "lost"
"""The subject of a range, by whether it counts losses."""


@dataclass(frozen=True, slots=True)
class EndRange:
    """How much a side has left or has lost in the ends that are asked about.

    Attributes:
        side: The side.
        lost: Whether its losses are counted, rather than what it has left.
        least: The least that it may be.
        most: The most that it may be; None for no limit.
        of: The things that are counted: a kind of unit, "land", "air" or "sea" for all of these, or "money" for the
            worth of all units; "" counts all units.

    Example:
        >>> import numpy as np
        >>> EndRange("attacker", least=5).holds(np.array([4, 5, 6])).tolist()
        [False, True, True]
    """

    side: SideName
    lost: bool = False
    least: float = 0
    most: float | None = None
    of: str = ""

    def holds(self, counts: "Counts | Chances") -> "Mask":
        """Return which numbers are in the range.

        Args:
            counts: The numbers, one for each end.
        """
        within: Mask = counts > self.least - ROUNDING
        return within if self.most is None else within & (counts < self.most + ROUNDING)

    @classmethod
    def from_dict(cls, document: Any) -> "EndRange":
        """Read a range from a JSON document.

        Args:
            document: The fields `side`, `count`, `least`, `most` and `unit`, each of which may be missing.

        Raises:
            BattleError: A field is unknown or wrong.
        """
        fields = read_object(document)
        check_fields(fields, ("side", "count", "least", "most", "unit"))
        side, counted, unit = fields.get("side", "attacker"), fields.get("count", "left"), fields.get("unit", "")
        check_choice("side", side, get_args(SideName), "the {name} must be one of {known}, not {value}")
        check_choice("count", counted, COUNTED, "the {name} must be one of {known}, not {value}")
        least, most = fields.get("least", 0), fields.get("most", MOST_COUNTED)
        for name, value in (("least", least), ("most", most)):
            check_number(name, value, 0, MOST_COUNTED, "this must be {least} to {most}, not {value}")
        if not isinstance(unit, str):
            raise BattleError("unit", "this must be a name, not {value}", value=quoted(unit))
        return cls(side, counted == "lost", least, most if "most" in fields else None, unit)

    def to_dict(self) -> dict[str, Any]:
        """Return the range as a JSON document."""
        limit = {} if self.most is None else {"most": self.most}
        return {"side": self.side, "count": COUNTED[self.lost], "least": self.least, **limit, "unit": self.of}


Count = Callable[[EndRange], "Counts | Chances"]
"""Returns what a range counts in each end of a battle."""


def take_ranges(document: dict[str, Any]) -> tuple[EndRange, ...]:
    """Take the ranges `ends` out of a JSON document; there may be none.

    Args:
        document: The fields of a question; the field is removed.

    Raises:
        BattleError: One of them is wrong.
    """
    if "ends" not in document:
        return ()
    ranges = read_list(document, "ends")
    del document["ends"]
    return tuple(read_part(f"ends.{place}", partial(EndRange.from_dict, part)) for place, part in enumerate(ranges))


def ends_within(ranges: Iterable[EndRange], count: Count, ends: int) -> "Mask":
    """Return which ends of a battle are in all of the ranges.

    Args:
        ranges: The ranges.
        count: Returns what a range counts in each end.
        ends: The number of ends.
    """
    import numpy as np

    within: Mask = np.ones(ends, bool)
    for asked in ranges:
        within &= asked.holds(count(asked))
    return within


def ends_to_dict(ranges: Iterable[EndRange], count: Count, chances: "Chances") -> dict[str, Any]:
    """Return the chance of the ends in all ranges as part of a JSON document; nothing if there is no range.

    Args:
        ranges: The ranges.
        count: Returns what a range counts in each end.
        chances: The probability of each end.
    """
    asked = tuple(ranges)
    if not asked:
        return {}
    return {"ends_chance": clamp_chance(float(chances[ends_within(asked, count, len(chances))].sum()))}


def check_all_units(asked: EndRange) -> None:
    """Raise BattleError if a range counts only some units in a game in which all are alike.

    Args:
        asked: The range.
    """
    if asked.of:
        raise BattleError("ends", "here all armies are alike, so no unit can be named")


def lacking(side: SideName, unit: str) -> BattleError:
    """Return the error for a unit that a side does not have, or cannot lose.

    Args:
        side: The side.
        unit: The unit.
    """
    if side == "attacker":
        return BattleError("ends", "the attacker has no {unit} to lose", unit=unit)
    return BattleError("ends", "the defender has no {unit} to lose", unit=unit)
