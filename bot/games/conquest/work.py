"""The work of workers for conquests, also for those that are to be held, and its limits."""

from collections.abc import Callable
from typing import Any

from bot.charts import Chart
from solver.conquest.conquest import Conquest
from solver.conquest.hold_odds import hold, hold_seconds
from solver.conquest.holding import Holding
from solver.conquest.odds import conquer, conquest_seconds
from solver.conquest.planned import UNIT

CHART = Chart("bot.games.conquest.chart.draw_conquest", personal=False)

QUICK = 0.1
"""Seconds of work that may be done while somebody types."""


def odds_work(conquest: Conquest, _exact: bool, most_work: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the work for the odds of a conquest."""
    return conquer, (conquest, UNIT * most_work)


def is_quick(conquest: Conquest) -> bool:
    """Say whether the odds of a conquest are found while somebody types."""
    return conquest_seconds(conquest) <= QUICK


def hold_work(holding: Holding, _exact: bool, most_work: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the work for the odds of a turn that is to be held."""
    return hold, (holding, UNIT * most_work)


def is_quick_to_hold(holding: Holding) -> bool:
    """Say whether the odds of a turn that is to be held are found while somebody types."""
    return hold_seconds(holding) <= QUICK
