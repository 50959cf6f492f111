"""The work of workers for battles of Axis & Allies."""

from collections.abc import Callable
from typing import Any

from bot.charts import Chart
from bot.games.axis.by_waves import has_choices, is_plain
from bot.work.engine import Engine
from solver.axis.battle import AxisBattle
from solver.axis.casualties.limits import chosen_odds_within
from solver.axis.limits import odds_within, waves_within
from solver.axis.simulation.sample import SampledPair, sample_pair
from solver.axis.solve import DROPPED
from solver.axis.waves.waves import Waves, waves_of

CHART = Chart("bot.games.axis.chart.draw_axis", personal=False)

PREVIEW_UNITS, CHOSEN_UNITS, PREVIEW_WAVES = 12, 6, 3


def odds_work(battle: AxisBattle | Waves, exact: bool, most_work: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the work for the odds of a battle, simulated if its one wave is too large; `exact` leaves nothing out."""
    if has_choices(battle):
        return chosen_odds_within, (battle, most_work)
    work: Callable[..., Any] = waves_within if isinstance(battle, Waves) else odds_within
    return work, (battle, 0.0 if exact else DROPPED, most_work)


def is_quick(battle: AxisBattle | Waves) -> bool:
    """Say whether the odds of a battle are found while somebody types."""
    waves, limit = waves_of(battle), CHOSEN_UNITS if has_choices(battle) else PREVIEW_UNITS
    sides = [side for wave in waves for side in (wave.attacker, wave.defender)]
    return len(waves) <= PREVIEW_WAVES and all(sum(count for _name, count in side.units) <= limit for side in sides)


async def find_pair(engine: Engine, first: AxisBattle, second: AxisBattle) -> SampledPair | None:
    """Simulate two plans with the same luck; None if the attacker declines one of them, or losses are chosen."""
    if not (is_plain(first) and is_plain(second)):
        return None
    swapped = repr(first) > repr(second)  # the other way round the numbers are the same
    plans = (second, first) if swapped else (first, second)
    pair: SampledPair | None = await engine.compute_or_explain(sample_pair, *plans)
    return pair._replace(first=pair.second, second=pair.first) if pair and swapped else pair
