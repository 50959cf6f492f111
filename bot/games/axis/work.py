"""The work of workers for battles of Axis & Allies, and how to ask the engine for it."""

from collections.abc import Callable
from typing import Any

from bot.work.engine import Engine
from bot.work.jobs import Chart
from solver.axis.battle import AxisBattle
from solver.axis.best.armies import Armies, ArmyGoal, Survey
from solver.axis.best.orders import best_orders
from solver.axis.best.ranking import Names, Orders
from solver.axis.limits import armies_within, odds_within, sensitivity_within, survey_within
from solver.axis.sensitivity import UnitChange
from solver.axis.simulation.sample import SampledPair, sample_pair
from solver.axis.solve import DROPPED

CHART = Chart("bot.games.axis.chart.draw_axis", personal=False)

PREVIEW_UNITS = 12


def odds_work(battle: AxisBattle, exact: bool, most_work: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the work for the odds of a battle, which is simulated if it is too large; `exact` leaves nothing out."""
    return odds_within, (battle, 0.0 if exact else DROPPED, most_work)


def is_quick(battle: AxisBattle) -> bool:
    """Say whether the odds of a battle are found while somebody types."""
    sides = battle.attacker, battle.defender
    return all(sum(count for _name, count in side.units) <= PREVIEW_UNITS for side in sides)


async def find_pair(engine: Engine, first: AxisBattle, second: AxisBattle) -> SampledPair | None:
    """Simulate two plans with the same luck; None if the attacker declines one of them."""
    swapped = repr(first) > repr(second)  # the other way round the numbers are the same
    plans = (second, first) if swapped else (first, second)
    pair: SampledPair | None = await engine.compute_or_explain(sample_pair, *plans)
    return pair._replace(first=pair.second, second=pair.first) if pair and swapped else pair


async def find_changes(engine: Engine, battle: AxisBattle) -> tuple[float, list[UnitChange]]:
    """Find the attacker's chance to win, and that with one unit more or less; UserError if that takes too long."""
    found: tuple[float, list[UnitChange]] = await engine.compute_or_explain(
        sensitivity_within, battle, engine.most_work
    )
    return found


async def find_orders(engine: Engine, battle: AxisBattle) -> Orders[Names]:
    """Find the best casualty orders; UserError if that takes too long or there is none to choose."""
    orders: Orders[Names] = await engine.compute_or_explain(best_orders, battle, engine.most_work)
    return orders


async def find_armies(engine: Engine, battle: AxisBattle, goal: ArmyGoal) -> Armies:
    """Find the parts of an army that are best for a goal; UserError if trying them takes too long."""
    armies: Armies = await engine.compute_or_explain(armies_within, battle, goal, engine.most_work)
    return armies


async def survey_parts(engine: Engine, battle: AxisBattle, goal: ArmyGoal) -> Survey:
    """Find all that there is to say about the parts of an army; UserError if trying them takes too long."""
    found: Survey = await engine.compute_or_explain(survey_within, battle, goal, engine.most_work)
    return found
