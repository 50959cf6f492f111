"""The laws of bombing raids with every number of bombers: how many are left after the flak, and what damage they do."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from solver.axis.kernel.hits import Laws, hit_laws
from solver.chain import Chances
from solver.raid.raid import Dice

SIZES = (16, 64)
"""Laws of up to so many bombers stay in memory for the next raid; those of more are made for one raid."""


class Flak(NamedTuple):
    """The effect of the flak on 0, 1, 2, ... bombers.

    Attributes:
        left: `[n, k]` is the probability that k of n bombers are left.
        lost: The expected number of bombers lost: [bombers].
    """

    left: Laws
    lost: Chances


def flak_laws(bombers: int, dice: Dice, fired: bool) -> Flak:
    """Return what the flak does to up to so many bombers, or to more.

    Args:
        bombers: The number of bombers.
        dice: The kind of dice.
        fired: Whether the flak has fired without a hit.
    """
    size = _size(bombers)
    return _flak(size, dice, fired) if size else _flak.__wrapped__(bombers, dice, fired)


def damage_laws(bombers: int, die: tuple[float, ...]) -> Laws:
    """Return the laws of the damage of up to so many bombers, or of more, without a limit of the factory.

    Args:
        bombers: The number of bombers.
        die: The chance that one bomber does 0, 1, 2, ... points of damage.

    Returns:
        The probability of each damage: [bombers, damage].

    Example:
        >>> damage_laws(2, (0.0, 0.5, 0.5))[:3, :5].tolist()
        [[1.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.5, 0.5, 0.0, 0.0], [0.0, 0.0, 0.25, 0.5, 0.25]]
    """
    size = _size(bombers)
    return _damage(size, die) if size else _damage.__wrapped__(bombers, die)


def _size(bombers: int) -> int:
    """Return the number of bombers up to which laws stay in memory; 0 if there are too many."""
    return next((size for size in SIZES if bombers <= size), 0)


@lru_cache(12)
def _flak(bombers: int, dice: Dice, fired: bool) -> Flak:
    counts = np.arange(bombers + 1)
    left = np.zeros((bombers + 1, bombers + 1))
    if fired:
        left[counts, counts] = 1
        return Flak(left, np.zeros(bombers + 1))
    hits = hit_laws(np.column_stack([np.zeros_like(counts), counts]), dice)
    for count in counts.tolist():
        kinds = min(count + 1, hits.shape[1])
        left[count, count + 1 - kinds : count + 1] = hits[count, :kinds][::-1]
    return Flak(left, hits @ np.arange(hits.shape[1]))


@lru_cache(12)
def _damage(bombers: int, die: tuple[float, ...]) -> Laws:
    step = len(die) - 1
    laws = np.zeros((bombers + 1, bombers * step + 1))
    laws[0, 0] = 1
    for count in range(1, bombers + 1):
        laws[count, : count * step + 1] = np.convolve(laws[count - 1, : (count - 1) * step + 1], die)
    return laws
