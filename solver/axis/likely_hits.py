"""The number of hits that is likelier than a chance, for retreat rules in simulated and live Axis & Allies battles."""

from math import sqrt

import numpy as np

from solver.axis.kernel.hits import CHANCES, Dice, Laws, UnitCounts
from solver.axis.plans import SAME


class LikelyHits:
    """The highest number of hits that is likelier than a chance, for one volley after another with the same dice."""

    def __init__(self, dice: Dice, chance: float) -> None:
        self.dice, self.chance = dice, chance + SAME
        self._known: dict[tuple[int, ...], int] = {}

    def limits(self, powers: UnitCounts) -> UnitCounts:
        """Return the highest number of hits that each volley reaches with more than this chance; -1 for none.

        Args:
            powers: How many units of each strength fire in each volley: [volley, strength 0 to 6].
        """
        if self.chance >= 1:
            return np.full(len(powers), -1)
        if self.dice == "low_luck":
            sixes, over = np.divmod(powers @ np.arange(7), 6)
            return np.asarray(sixes + (over / 6 > self.chance))
        volleys, place = np.unique(powers[:, 1:], axis=0, return_inverse=True)
        return np.array([self._limit(tuple(counts)) for counts in volleys.tolist()], np.int64)[place.reshape(-1)]

    def _limit(self, counts: tuple[int, ...]) -> int:
        if counts not in self._known:
            low, law = 0, np.ones(1)
            for count, chance in zip(counts, CHANCES[self.dice][1:], strict=False):
                first, more = _binomial(count, chance)
                low, law = low + first, np.convolve(law, more)
            self._known[counts] = low + int((law[::-1].cumsum() > self.chance).sum()) - 1
        return self._known[counts]


def _binomial(count: int, chance: float) -> tuple[int, Laws]:
    """The law of the hits of so many units: the least number, and the chances from there on. Chances below 1e-30 may be
    left out.
    """
    mean, far = count * chance, 30 + 12 * sqrt(count * chance * (1 - chance))
    if not mean or chance == 1:
        return count if mean else 0, np.ones(1)
    hits = np.arange(max(int(mean - far), 0), min(int(mean + far), count) + 1)
    steps = np.log((count + 1 - hits[1:]) / hits[1:] * (chance / (1 - chance))).cumsum()
    law = np.exp(np.append(0.0, steps) - steps.max(initial=0.0))
    return int(hits[0]), law / law.sum()
