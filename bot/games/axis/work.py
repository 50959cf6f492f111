"""The work of workers for battles of Axis & Allies, and estimates of its processor time."""

from collections.abc import Callable
from functools import partial
from math import factorial, prod
from typing import Any

from bot.games.axis.by_waves import is_plain
from bot.work.engine import Engine
from bot.work.jobs import Chart, multiple
from solver.axis.battle import AxisBattle
from solver.axis.best.armies import ArmyGoal
from solver.axis.best.orders import best_orders
from solver.axis.limits import odds_within, sensitivity_within, survey_within
from solver.axis.live.choices import way_chances
from solver.axis.live.fight import AxisFight
from solver.axis.sides import Army
from solver.axis.simulation.sample import SampledPair, sample_pair
from solver.axis.solve import DROPPED

CHART = Chart("bot.games.axis.chart.draw_axis", personal=False)

PREVIEW_UNITS = 12


def odds_work(battle: AxisBattle, exact: bool, most_work: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the work for the odds of a battle, which is simulated if it is too large; `exact` leaves nothing out."""
    return odds_within, (battle, 0.0 if exact else DROPPED, most_work)


def is_quick(battle: AxisBattle, limit: int = PREVIEW_UNITS) -> bool:
    """Say whether the odds of a battle with up to `limit` units a side are found while somebody types."""
    sides = battle.attacker, battle.defender
    return all(sum(count for _name, count in side.units) <= limit for side in sides)


async def find_pair(engine: Engine, first: AxisBattle, second: AxisBattle) -> SampledPair | None:
    """Simulate two plans with the same luck; None if the attacker declines one of them, or losses are chosen."""
    if not (is_plain(first) and is_plain(second)):
        return None
    swapped = repr(first) > repr(second)  # the other way round the numbers are the same
    plans = (second, first) if swapped else (first, second)
    pair: SampledPair | None = await engine.compute_or_explain(sample_pair, *plans)
    return pair._replace(first=pair.second, second=pair.first) if pair and swapped else pair


MOST = 3.0
"""Seconds for the largest battle of Axis & Allies, at which the solver stops."""


def count_forces(army: Army, land: bool, battle: AxisBattle) -> int:
    """Estimate how many forces a side can be reduced to."""
    if land:
        return 1 + sum(count for _, count in army.units)
    kinds = dict.fromkeys(("sub", "air", "ship"), 1)
    for name, count in army.units:
        unit = battle.rules.table[name]
        kinds["sub" if unit.surprise else "air" if unit.kind == "air" else "ship"] += count
    return prod(kinds.values())


def army_seconds(battle: AxisBattle, dropped: float = DROPPED, *_others: object) -> float:
    """Estimate the seconds for the odds of a battle of Axis & Allies."""
    land = battle.theatre == "land"
    cells = prod(count_forces(side, land, battle) for side in (battle.attacker, battle.defender))
    seconds = 0.004 + 1.2e-6 * cells if land else 0.008 + 1.7e-4 * cells**0.45
    if battle.retreat.plans:
        seconds *= 2 if land else 7
    return min(seconds * (1 if dropped else 3), MOST)


def _orders_seconds(battle: AxisBattle, *_others: object) -> float:
    orders = sum(min(factorial(len(side.units)), 200) for side in (battle.attacker, battle.defender))
    return min(orders * army_seconds(battle), MOST)


def _army_parts_seconds(battle: AxisBattle, goal: ArmyGoal, *_others: object) -> float:
    own, other = battle.attacker, battle.defender
    if goal.role == "defence":
        own, other = other, own
    land = battle.theatre == "land"
    cells = prod(count + 1 for _, count in own.units) * count_forces(other, land, battle)
    return min(0.004 + 1.2e-6 * cells, MOST)


def _pair_seconds(*_plans: object) -> float:
    return MOST


def _ways_seconds(fight: AxisFight, *_others: object) -> float:
    return min(0.4 + 30 * army_seconds(fight.battle), MOST)


ESTIMATES: dict[Callable[..., Any], Callable[..., float]] = {
    odds_within: army_seconds,
    sample_pair: _pair_seconds,
    sensitivity_within: partial(multiple, 30, army_seconds, most=MOST),
    best_orders: _orders_seconds,
    survey_within: _army_parts_seconds,
    way_chances: _ways_seconds,
}
