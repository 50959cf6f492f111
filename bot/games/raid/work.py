"""The work of workers for bombing raids."""

from collections.abc import Callable
from typing import Any

from bot.work.jobs import Chart
from solver.raid.raid import Raid
from solver.raid.solve import solve_raid

CHART = Chart("bot.games.raid.chart.draw_raid", personal=False)

PREVIEW_BOMBERS = 100


def odds_work(raid: Raid, _exact: bool, _most_work: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the work for the odds of a raid, none of which is large."""
    return solve_raid, (raid,)


def is_quick(raid: Raid) -> bool:
    """Say whether the odds of a raid are found while somebody types."""
    return raid.bombers <= PREVIEW_BOMBERS


def raid_seconds(raid: Raid) -> float:
    """Estimate the seconds for the odds of a raid."""
    return 0.001 + 2e-7 * raid.bombers**2 + 1e-4 * raid.bombers * raid.interceptors
