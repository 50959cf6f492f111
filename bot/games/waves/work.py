"""The work of workers for battles in several waves, and estimates of its processor time."""

from collections.abc import Callable
from math import factorial, prod
from typing import Any

from bot.games.axis.work import MOST, army_seconds
from bot.games.axis.work import is_quick as is_quick_battle
from solver.axis.best.armies import ArmyGoal
from solver.axis.best.orders import movable_units
from solver.axis.limits import wave_sensitivity_within, wave_survey_within, waves_within
from solver.axis.solve import DROPPED
from solver.axis.units import ROLES
from solver.waves.armies import can_take_together
from solver.waves.orders import best_wave_orders
from solver.waves.waves import Waves

PREVIEW_WAVES = 3


def odds_work(waves: Waves, exact: bool, most_work: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the work for the odds of several waves; `exact` leaves nothing out."""
    return waves_within, (waves, 0.0 if exact else DROPPED, most_work)


def is_quick(waves: Waves) -> bool:
    """Say whether the odds of several waves are found while somebody types."""
    return len(waves.battles) <= PREVIEW_WAVES and all(map(is_quick_battle, waves.battles))


MOST_KINDS, MOST_ORDERS = 6, 200
"""So many kinds of units, and so many of their orders, count in an estimate."""


def waves_seconds(waves: Waves, *_others: object) -> float:
    """Estimate the seconds for the odds of several waves of Axis & Allies."""
    return min(2 * sum(map(army_seconds, waves.battles)), MOST)


def _units_seconds(waves: Waves, *_others: object) -> float:
    return min(15 * len(waves.battles) * waves_seconds(waves), MOST)


def _orders_seconds(waves: Waves, *_others: object) -> float:
    kinds = [len(movable_units(battle, role)) for battle in waves.battles for role in ROLES]
    orders = sum(min(factorial(min(some, MOST_KINDS)), MOST_ORDERS) for some in kinds)
    return min(orders * waves_seconds(waves) / len(waves.battles), MOST)


def _army_parts_seconds(waves: Waves, goal: ArmyGoal, *_others: object) -> float:
    army = waves.battles[0].attacker if goal.role == "attack" else waves.battles[0].defender
    parts = prod(count + 1 for _, count in army.units)
    together = goal.role == "defence" or can_take_together(waves)
    return min(waves_seconds(waves) + (1e-4 if together else 3e-3) * parts, MOST)


ESTIMATES: dict[Callable[..., Any], Callable[..., float]] = {
    waves_within: waves_seconds,
    wave_sensitivity_within: _units_seconds,
    best_wave_orders: _orders_seconds,
    wave_survey_within: _army_parts_seconds,
}
