"""The work of workers for battles in several waves, and how to ask the engine for it."""

from collections.abc import Callable
from typing import Any

from bot.games.axis import work as axis_work
from bot.work.engine import Engine
from solver.axis.best.armies import Armies, ArmyGoal, Survey
from solver.axis.best.ranking import Orders
from solver.axis.solve import DROPPED
from solver.waves.limits import wave_armies_within, wave_sensitivity_within, wave_survey_within, waves_within
from solver.waves.orders import WavesNames, best_wave_orders
from solver.waves.sensitivity import WaveChange
from solver.waves.waves import Waves

PREVIEW_WAVES = 3


def odds_work(waves: Waves, exact: bool, most_work: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the work for the odds of several waves; `exact` leaves nothing out."""
    return waves_within, (waves, 0.0 if exact else DROPPED, most_work)


def is_quick(waves: Waves) -> bool:
    """Say whether the odds of several waves are found while somebody types."""
    return len(waves.battles) <= PREVIEW_WAVES and all(map(axis_work.is_quick, waves.battles))


async def find_changes(engine: Engine, waves: Waves) -> tuple[float, list[WaveChange]]:
    """Find the attacker's chance to hold the field, and that with one unit more or less; UserError if it takes long."""
    found: tuple[float, list[WaveChange]] = await engine.compute_or_explain(
        wave_sensitivity_within, waves, engine.most_work
    )
    return found


async def find_orders(engine: Engine, waves: Waves) -> Orders[WavesNames]:
    """Find the best casualty orders; UserError if that takes too long or there is none to choose."""
    orders: Orders[WavesNames] = await engine.compute_or_explain(best_wave_orders, waves, engine.most_work)
    return orders


async def find_armies(engine: Engine, waves: Waves, goal: ArmyGoal) -> Armies:
    """Find the parts of an army that are best for a goal; UserError if trying them takes too long."""
    armies: Armies = await engine.compute_or_explain(wave_armies_within, waves, goal, engine.most_work)
    return armies


async def survey_parts(engine: Engine, waves: Waves, goal: ArmyGoal) -> Survey:
    """Find all that there is to say about the parts of an army; UserError if trying them takes too long."""
    found: Survey = await engine.compute_or_explain(wave_survey_within, waves, goal, engine.most_work)
    return found
