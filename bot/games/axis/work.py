"""The work of workers for battles of Axis & Allies."""

from collections.abc import Callable
from typing import Any

from bot.charts import Chart
from bot.work.engine import Engine
from solver.axis.casualties.limits import chosen_odds_within
from solver.axis.limits import odds_within, waves_within
from solver.axis.simulation.sample import SampledPair, sample_pair
from solver.axis.solve import DROPPED
from solver.axis.waves.waves import Waves

CHART = Chart("bot.games.axis.chart.draw_axis", personal=False)

PREVIEW_UNITS, CHOSEN_UNITS, PREVIEW_WAVES = 12, 6, 3


def odds_work(battle: Waves, exact: bool, most_work: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the work for the odds of a battle, simulated if its one wave is too large; `exact` leaves nothing out."""
    if battle.has_choices:
        return chosen_odds_within, (battle.only, most_work)
    dropped = 0.0 if exact else DROPPED
    return (odds_within if battle.only else waves_within), (battle.only or battle, dropped, most_work)


def is_quick(battle: Waves) -> bool:
    """Say whether the odds of a battle are found while somebody types."""
    waves, limit = battle.battles, CHOSEN_UNITS if battle.has_choices else PREVIEW_UNITS
    sides = [side for wave in waves for side in (wave.attacker, wave.defender)]
    return len(waves) <= PREVIEW_WAVES and all(sum(count for _name, count in side.units) <= limit for side in sides)


async def find_pair(engine: Engine, first: Waves, second: Waves) -> SampledPair | None:
    """Simulate two plans with the same luck; None if the attacker declines one of them, or losses are chosen."""
    plans = [plan.only for plan in (first, second) if plan.only and not plan.has_choices]
    if len(plans) < 2:
        return None
    swapped = repr(plans[0]) > repr(plans[1])  # the other way round the numbers are the same
    one, other = reversed(plans) if swapped else plans
    pair: SampledPair | None = await engine.compute_or_explain(sample_pair, one, other)
    return pair._replace(first=pair.second, second=pair.first) if pair and swapped else pair
