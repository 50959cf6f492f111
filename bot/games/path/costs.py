"""Estimates of the processor time, in seconds, of questions about paths."""

from collections.abc import Callable
from typing import Any

from bot.games.dice.costs import grid_seconds
from bot.games.path.work import in_fractions
from solver.path.path import Path, march


def march_seconds(path: Path, *_others: object) -> float:
    """Estimate the seconds for the odds of a path."""
    return sum(map(grid_seconds, path.legs))


def _fraction_seconds(path: Path) -> float:
    return 10 * march_seconds(path)


ESTIMATES: dict[Callable[..., Any], Callable[..., float]] = {march: march_seconds, in_fractions: _fraction_seconds}
