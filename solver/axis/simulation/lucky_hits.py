"""The hits of simulated battles: numbers from 0 to 1 become hits by the law of the dice, and dice may be tilted."""

from math import exp, prod

import numpy as np

from solver.axis.kernel.forces import Nodes
from solver.axis.kernel.hits import CHANCES, UnitCounts, hit_laws
from solver.axis.kernel.search import unique_inverse
from solver.axis.sides import LOW_LUCK, Dice
from solver.chain import Chances

LONGEST, MOST_NUMBERS = 2_000, 400_000
"""Longer laws, and larger tables of them, take longer than dice."""


class LuckyHits:
    """The hits of one side's dice in many battles, out of the luck of each.

    More luck never brings fewer hits, and nor do more dice of the same kind.

    Tilted dice hit more often or less often than real ones. Then each battle has a *weight*: how much likelier its
    hits are with real dice. Sums of weights are as right as shares of battles with real dice.

    Args:
        dice: The kind of dice.
        tilt: The odds that a die hits are multiplied by e to the power of this.
    """

    def __init__(self, dice: Dice, tilt: float = 0.0) -> None:
        self._dice, self._tilt = dice, tilt

    def hits(self, powers: UnitCounts, luck: Chances, generator: np.random.Generator) -> tuple[UnitCounts, Chances]:
        """Return the hits of many volleys, and the logarithms of their weights.

        Args:
            powers: How many units of each strength fire: [battle, strength].
            luck: The luck of each battle, from 0 to 1: [battle].
            generator: It rolls the dice of volleys whose laws would be too long.
        """
        if faces := LOW_LUCK.get(self._dice):
            return self._low_luck(powers, luck, faces)
        sizes = powers.max(axis=0, initial=0)
        sizes[0] = 0
        strengths = np.flatnonzero(sizes).tolist()
        if not strengths:
            return np.zeros(len(powers), np.int64), np.zeros(len(powers))
        if prod((sizes + 1).tolist()) >= 2**62:
            return self._roll(powers, strengths, generator)
        codes: Nodes = powers[:, strengths[0]]
        for strength in strengths[1:]:
            codes = codes * (int(sizes[strength]) + 1) + powers[:, strength]
        volleys, which = unique_inverse(codes)
        longest = int(sizes.sum()) + 1
        if longest > LONGEST or len(volleys) * longest > MOST_NUMBERS:
            return self._roll(powers, strengths, generator)
        some = np.empty(len(volleys), np.int64)
        some[which] = np.arange(len(powers))
        return self._look_up(powers[some], which, luck)

    def _low_luck(self, powers: UnitCounts, luck: Chances, faces: int) -> tuple[UnitCounts, Chances]:
        """The hits with low luck: those that are sure, and the only die, which has so many faces."""
        sure, over = np.divmod(powers @ np.arange(powers.shape[1]), faces)
        chance = over / faces
        times = 1 - chance + chance * exp(self._tilt)
        falls = luck >= (1 - chance) / times
        return sure + falls, np.where(chance > 0, np.log(times) - self._tilt * falls, 0.0)

    def _look_up(self, volleys: UnitCounts, which: Nodes, luck: Chances) -> tuple[UnitCounts, Chances]:
        """The hits by the laws of these volleys; `which` is the volley of each battle."""
        laws = hit_laws(volleys, self._dice)
        scale = np.zeros(len(laws))
        if self._tilt:
            # Only differences of exponents count; the most likely hits have about 1.
            raised = np.log(np.maximum(laws, 1e-300)) + self._tilt * np.arange(laws.shape[1])
            tops = raised.max(axis=1)
            laws = np.where(laws > 0, np.exp(raised - tops[:, None]), 0.0)
            sums = laws.sum(axis=1)
            laws /= sums[:, None]
            scale = tops + np.log(sums)
        limits = laws.shape[1] - 1 - np.argmax(laws[:, ::-1] > 0, axis=1)
        steps = np.minimum(laws.cumsum(axis=1), 1.0)
        # A row for each law in one line of numbers, so that one search finds all.
        steps += np.arange(len(laws))[:, None]
        hits = np.searchsorted(steps.ravel(), which + luck, side="right") - which * steps.shape[1]
        hits = np.minimum(hits, limits[which])
        return hits, scale[which] - self._tilt * hits if self._tilt else np.zeros(len(which))

    def _roll(
        self, powers: UnitCounts, strengths: list[int], generator: np.random.Generator
    ) -> tuple[UnitCounts, Chances]:
        """The hits of dice that are rolled without the luck of the battles."""
        hits, weights = np.zeros(len(powers), np.int64), np.zeros(len(powers))
        for strength in strengths:
            chance = CHANCES[self._dice][strength]
            times = 1 - chance + chance * exp(self._tilt)
            fallen = generator.binomial(powers[:, strength], min(chance * exp(self._tilt) / times, 1.0))
            hits += fallen
            weights += powers[:, strength] * np.log(times) - self._tilt * fallen
        return hits, weights
