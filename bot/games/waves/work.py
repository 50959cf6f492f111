"""The work of workers for battles in several waves, and how to ask the engine for it."""

from collections.abc import Callable
from typing import Any

from bot.games.axis import work as axis_work
from solver.axis.solve import DROPPED
from solver.waves.limits import waves_within
from solver.waves.waves import Waves

PREVIEW_WAVES = 3


def odds_work(waves: Waves, exact: bool, most_work: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the work for the odds of several waves; `exact` leaves nothing out."""
    return waves_within, (waves, 0.0 if exact else DROPPED, most_work)


def is_quick(waves: Waves) -> bool:
    """Say whether the odds of several waves are found while somebody types."""
    return len(waves.battles) <= PREVIEW_WAVES and all(map(axis_work.is_quick, waves.battles))
