"""By how much two plans of a comparison differ, as numbers and in words."""

from collections.abc import Sequence
from math import hypot
from typing import NamedTuple

from bot.languages import _, in_percent, number, short_number
from bot.words.compared_plan import WINS, ComparedPlan, are_bounds
from bot.words.numbers import signed_tenths

LEAST, LEAST_GAIN = 0.0005, 0.05
"""Differences below these, of a chance and of what is gained, are not seen in the numbers that people read."""
NAMES = ("A", "B")


class Difference(NamedTuple):
    """By how much the second plan is above the first, with the possible error and the least that is worth a word."""

    by: float
    error: float
    least: float

    @property
    def way(self) -> int:
        """1 if the second is better, -1 if the first is, 0 if it makes no difference or nobody can say."""
        return 0 if abs(self.by) <= max(self.error, self.least) else 1 if self.by > 0 else -1

    @property
    def unsure(self) -> bool:
        """Whether there may be a difference that is smaller than the error of the odds."""
        return self.way == 0 and self.error > self.least


def chance_difference(plans: tuple[ComparedPlan, ComparedPlan]) -> Difference:
    """Return the difference between the attacker's chances in both plans."""
    first, second = plans
    error = first.apart[0] if first.apart else hypot(first.error, second.error)
    if are_bounds(plans):
        error += _room_above(plans, first.chances[WINS], second.chances[WINS])
    return Difference(second.chances[WINS] - first.chances[WINS], error, LEAST)


def gain_difference(plans: tuple[ComparedPlan, ComparedPlan]) -> Difference | None:
    """Return the difference between the attacker's average gains; None if the plans have no common measure."""
    first, second = plans
    if not share_measure(plans) or first.gain is None or second.gain is None:
        return None
    error = first.apart[1] if first.apart else hypot(first.gain_error, second.gain_error)
    if are_bounds(plans):
        error += _room_above(plans, first.gain, second.gain)
    return Difference(second.gain - first.gain, error, LEAST_GAIN)


def _room_above(plans: tuple[ComparedPlan, ComparedPlan], first: float, second: float) -> float:
    """Return by how much the lower of two numbers may be higher."""
    lower = plans[first > second]
    return 0.0 if lower.most is None else lower.most - min(first, second)


def share_measure(plans: tuple[ComparedPlan, ComparedPlan]) -> bool:
    """Return whether the gains have one measure: both armies, or both money at equal prices."""
    return (plans[0].measure, plans[0].worth) == (plans[1].measure, plans[1].worth)


def plan_ahead(plans: tuple[ComparedPlan, ComparedPlan], way: int) -> tuple[str, ComparedPlan]:
    """Return the plan that is ahead, with its name; it goes this `way` from the first to the second."""
    return (NAMES[1], plans[1]) if way > 0 else (NAMES[0], plans[0])


def instead_text(better: ComparedPlan, worse: ComparedPlan, chance: Difference) -> str:
    """Write both chances and their difference: "81.6% instead of 79.0% (+2.6 points)"."""
    ours, theirs = two_numbers(better, worse)
    values = {"better": ours, "worse": theirs, "points": points_text(abs(chance.by))}
    if chance.error <= LEAST:
        return _("{better} instead of {worse} ({points} points)", **values)
    return _("{better} instead of {worse} ({points} points, ± {error})", **values, error=error_text(chance))


def error_text(chance: Difference) -> str:
    """Write the possible error of a difference, in points."""
    return short_number(100 * chance.error, 1)


def two_numbers(better: ComparedPlan, worse: ComparedPlan) -> tuple[str, str]:
    """Write both chances with enough decimals to tell them apart."""
    if better.numbers[WINS] != worse.numbers[WINS]:
        return better.numbers[WINS], worse.numbers[WINS]
    return in_percent(f"{number(100 * better.chances[WINS], 2)}"), in_percent(f"{number(100 * worse.chances[WINS], 2)}")


def points_text(by: float) -> str:
    """Write a difference of chances in points: "+2.6", "−0.07", "0.0"."""
    points = 100 * by
    return signed_tenths(points) if abs(points) >= 0.095 or abs(by) < LEAST else number(points, 2, "+")


def points_between(plans: Sequence[ComparedPlan], step: float) -> str:
    """Write the difference of a chance between plans in percentage points; "" if a chance is only a bound."""
    return "" if are_bounds(plans) else points_text(step)
