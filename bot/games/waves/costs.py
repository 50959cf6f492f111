"""Estimates of the processor time, in seconds, of questions about several waves."""

from collections.abc import Callable
from math import factorial, prod
from typing import Any

from bot.games.axis.costs import MOST, army_seconds
from solver.axis.best.armies import ArmyGoal
from solver.axis.best.orders import movable_units
from solver.axis.units import ROLES
from solver.waves.limits import wave_sensitivity_within, wave_survey_within, waves_within
from solver.waves.orders import best_wave_orders
from solver.waves.parts import can_take_together
from solver.waves.waves import Waves

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
