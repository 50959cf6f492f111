"""How far shares of simulated battles may be off, from the shares of parts that were rolled apart."""

from math import hypot, sqrt

from solver.axis.kernel.forces import Nodes
from solver.chain import Chances

NORMAL = 1.959964
"""So many standard errors hold the truth in 19 of 20 cases, if they are known."""
FEW = 4.0
"""Something that happened in none of the battles could still have happened in so many."""


def mean_error(sums: Chances, sizes: Nodes) -> float:
    """Return how far the mean of all battles may be from the truth in 19 of 20 cases.

    Args:
        sums: The sum over the battles of each part.
        sizes: The number of battles of each part.
    """
    if len(sizes) < 2:
        return float("inf")
    total = float(sizes.sum())
    off = sums - sizes * (sums.sum() / total)
    return _quantile(len(sizes) - 1) * sqrt(float(off @ off) * len(sizes) / (len(sizes) - 1)) / total


def safe_error(sums: Chances, sizes: Nodes, unseen: float) -> float:
    """Return the same as `mean_error`, but large enough for what happened in none of the battles.

    Args:
        sums: The sum over the battles of each part.
        sizes: The number of battles of each part.
        unseen: By how much one battle may change the sum.
    """
    return hypot(mean_error(sums, sizes), FEW * unseen / float(sizes.sum()))


def chance_error(sums: Chances, sizes: Nodes) -> float:
    """Return how far a share of all battles, or a difference of two, may be from the chance in 19 of 20 cases.

    Args:
        sums: The number of battles in each part that count.
        sizes: The number of battles of each part.
    """
    return min(safe_error(sums, sizes, 1.0), 1.0)


def _quantile(freedom: int) -> float:
    """Student's quantile: how many standard errors, found from one part more than this, hold the truth as often."""
    first, three = NORMAL, NORMAL**3
    five, seven = NORMAL**5, NORMAL**7
    return (
        first
        + (three + first) / (4 * freedom)
        + (5 * five + 16 * three + 3 * first) / (96 * freedom**2)
        + (3 * seven + 19 * five + 17 * three - 15 * first) / (384 * freedom**3)
    )
