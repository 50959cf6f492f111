"""Luck: what dice did to the chance to win, how rare that is, where an end stands among all, and are the dice even.

A roll's luck is by how much it moved the attacker's chance to win. Its mean is 0 whatever the players do, and so is
that of a battle's rolls together: the chance that they led to less the chance at the start.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import erfc, exp, pi, sqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from solver.axis_odds import AxisOdds
from solver.odds import Odds
from solver.paths import PathOdds

LEAST_BATTLES = 5
"""Of fewer battles than that nothing is called rare."""
MOST_EXACT = 3_000
"""Of more battles the law of their luck is taken for normal."""
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Fortune:
    """What the dice of one battle did: to the attacker's chance to win at its `start`, and what it was in the end.

    That is 1 or 0 where it was fought to the end. Where it was left, by retreat or for good, it is the chance just
    before: leaving is no luck. `defends` says that the luck is the defender's.
    """

    start: float
    chance: float
    defends: bool = False

    @property
    def luck(self) -> float:
        """By how much dice moved this side's chance; the two sides' add up to 0."""
        return self.start - self.chance if self.defends else self.chance - self.start

    @property
    def variance(self) -> float:
        """The variance of the luck: W (1 - W) of a battle fought to the end, with W the chance at the start.

        Of one that was left at a chance of P, W (1 - W) - P (1 - P) has the right mean. But it can be next to nothing,
        or negative, above all for those who leave when it goes badly, and then any luck seems a wonder. So it is the
        square of the luck where that is more: on average rather too much than too little.
        """
        left = self.chance * (1 - self.chance)
        whole = self.start * (1 - self.start)
        return max(whole - left, self.luck**2) if left else whole


@dataclass(frozen=True, slots=True)
class Session:
    """The luck of `n` battles together, and its standard deviation `spread`.

    `z` is how many of these the luck is, and `rare` the chance of luck as far from 0, to whichever side; both None of
    fewer than five battles, or where nothing was left to luck.
    """

    n: int
    luck: float
    spread: float
    z: float | None
    rare: float | None


def session(fortunes: Iterable[Fortune]) -> Session:
    """The luck of battles together."""
    battles = list(fortunes)
    luck = sum(battle.luck for battle in battles)
    spread = sqrt(sum(battle.variance for battle in battles))
    if len(battles) < LEAST_BATTLES or not spread:
        return Session(len(battles), luck, spread, None, None)
    return Session(len(battles), luck, spread, luck / spread, _as_far(battles, luck))


def _as_far(battles: list[Fortune], luck: float) -> float:
    """The chance that the luck of these battles is as far from 0 as this.

    Battles fought to the end are won or not, each with its own chance, so the law of their luck is exact. That of
    battles left early is not known; they are taken for a normal share of it.
    """
    whole = [battle for battle in battles if battle.chance in (0, 1)]
    if len(whole) > MOST_EXACT:
        return rarity(luck / sqrt(sum(battle.variance for battle in battles)))
    wins = [1 - battle.start if battle.defends else battle.start for battle in whole]
    law = np.ones(1)
    for win in wins:
        law = np.convolve(law, [1 - win, win])
    lucks = np.arange(len(law)) - sum(wins)
    early = sqrt(sum(battle.variance for battle in battles if battle.chance not in (0, 1)))
    if not early:
        return float(law[np.abs(lucks) >= abs(luck) - ROUNDING].sum())
    beyond = [
        erfc((abs(luck) - at) / early / sqrt(2)) / 2 + erfc((abs(luck) + at) / early / sqrt(2)) / 2
        for at in lucks.tolist()
    ]
    return float(law @ np.array(beyond))


def rarity(z: float) -> float:
    """The chance that luck is as far from 0 as this, to whichever side."""
    return erfc(abs(z) / sqrt(2))


def percentile(odds: Odds, attackers: int, defenders: int) -> float:
    """Where it stands for the attacker, among all ends, that so many are left: the more ahead, the better.

    This is the chance of a worse end and half the chance of one as good, among the battles that end. What is reached
    need not be an end; the battle may have been left there.
    """
    return _standing(odds.attackers_end - odds.defenders_end, odds.chances, attackers - defenders)


def path_percentile(odds: PathOdds, taken: int, attackers: int, defenders: int) -> float:
    """The same of a path: the more territories taken, the better; then the more the attackers are ahead."""
    ahead = odds.attackers_end - odds.defenders_end
    # Nobody is so far ahead that it outweighs a territory.
    weight = 1 + max([*odds.attackers_end.tolist(), attackers]) + max([*odds.defenders_end.tolist(), defenders])
    return _standing(odds.taken * weight + ahead, odds.chances, taken * weight + attackers - defenders)


def axis_percentile(odds: AxisOdds, profit: float) -> float:
    """The same of an Axis & Allies battle: the more money the defender has lost than the attacker, the better."""
    amounts, chances = odds.profit
    return _standing(amounts, chances, round(profit, 6))


def _standing(worth: npt.NDArray[np.number], chances: npt.NDArray[np.float64], reached: float) -> float:
    """The chance of less than what is reached, and half the chance of as much, out of all of them."""
    whole = float(chances.sum())
    if not whole:
        raise ValueError("a battle that never ends has no ends to stand among")
    return float(chances[worth < reached].sum() + chances[worth == reached].sum() / 2) / whole


def uneven(counts: Sequence[int]) -> float:
    """The chance that a fair die falls as unevenly as this, or more so, by Pearson's chi-square test.

    `counts` is how often each of its faces fell, two faces or more; 1 where it never fell.
    """
    throws, faces = sum(counts), len(counts)
    if faces < 2:
        raise ValueError("a die has two faces or more")
    if not throws:
        return 1.0
    fair = throws / faces
    return chi_square_beyond(sum((count - fair) ** 2 for count in counts) / fair, faces - 1)


def chi_square_beyond(value: float, freedom: int) -> float:
    """The chance that a chi-square of so many degrees of freedom, at least one, is this or more.

    The recurrence of the incomplete gamma function ends at erfc for odd degrees, at exp for even ones; all is added.
    """
    half = value / 2
    chance, term = (erfc(sqrt(half)), sqrt(half / pi) * 2 * exp(-half)) if freedom % 2 else (0.0, exp(-half))
    for degrees in range(freedom % 2 + 2, freedom + 1, 2):
        chance += term
        term *= value / degrees
    return min(chance, 1.0)


def fair_band(throws: int, faces: int) -> float:
    """By how much no face's share strays from what is expected of a fair die, in 19 of 20 such dice or a few more.

    Near enough from some dozen throws a face on; 1 where there is no throw.
    """
    if not throws:
        return 1.0
    share = 1 / faces
    return NormalDist().inv_cdf(1 - 0.05 / (2 * faces)) * sqrt(share * (1 - share) / throws)
