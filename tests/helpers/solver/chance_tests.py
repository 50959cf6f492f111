"""Statistical tests of claimed chances that stop as soon as the results decide."""

from collections.abc import Iterable
from itertools import islice
from math import log
from typing import Any

import numpy as np

RICH = 1e6
STAKES = np.geomspace(0.002, 0.9, 12)
"""The shares of the most that can be laid without going broke; each gets as much of the fortune at the start."""


def refused(results: Any, mean: float, low: float, high: float, rich: float = RICH) -> bool:
    """Whether bets on results between `low` and `high`, which are claimed to have this mean, ever make so rich."""
    if not low < mean < high:
        return bool((np.asarray(results) != mean).any()) if low <= mean <= high else True
    off = np.asarray(results, float) - mean
    # Nobody can lose more than is there: one bets that results are higher at most 1 / (mean - low), and so on.
    stakes = np.concatenate([STAKES / (mean - low), -STAKES / (high - mean)])
    fortunes = np.cumsum(np.log1p(np.outer(stakes, off)), axis=1)
    return bool((np.logaddexp.reduce(fortunes, axis=0) >= np.log(rich * len(stakes))).any())


def sequential_test(results: Iterable[bool], right: float, wrong: float, error: float) -> bool:
    """Whether Bernoulli results speak for the right chance before they speak for the wrong one."""
    score, bound = 0.0, log((1 - error) / error)
    for result in islice(results, 100_000):
        score += log(right / wrong) if result else log((1 - right) / (1 - wrong))
        if abs(score) > bound:
            return score > 0
    raise AssertionError("the results speak for neither")
