"""Luck: how far the dice moved the chance to win, how rare that is, and whether the dice are fair.

The luck of a roll is the change of the attacker's chance to win. Its mean is 0 whatever the players do. So is the mean
of a battle's luck: the chance before the end minus the chance at the start.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import erfc, exp, pi, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # Modules name its types without computing luck.
    import numpy as np
    import numpy.typing as npt

LEAST_BATTLES = 5
"""With fewer battles the rarity of their luck is unknown."""
MOST_EXACT = 3_000
"""The luck of more battles is taken as normally distributed."""
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class BattleLuck:
    """The luck of one battle.

    Attributes:
        start: The attacker's chance to win before the first roll.
        chance: The attacker's chance to win at the end: 0 or 1 after a fight to the end. For a battle that was left
            early, by retreat or for good, it is the chance just before, because leaving is no luck.
        defends: Whether to count the defender's luck instead of the attacker's.

    Example:
        >>> BattleLuck(start=0.75, chance=1).luck
        0.25
    """

    start: float
    chance: float
    defends: bool = False

    @property
    def luck(self) -> float:
        """The change of this side's chance to win. The luck of the two sides adds up to 0."""
        return self.start - self.chance if self.defends else self.chance - self.start

    @property
    def variance(self) -> float:
        """The variance of the luck.

        A battle fought to the end has W (1 - W), with W the chance at the start. For a battle left at the chance P, the
        value W (1 - W) - P (1 - P) has the right mean, but can be near 0 or negative, above all for players who leave
        when it goes badly; then any luck would look rare. So the square of the luck is used if it is more. On average
        that is too much rather than too little.
        """
        left = self.chance * (1 - self.chance)
        whole = self.start * (1 - self.start)
        return max(whole - left, self.luck**2) if left else whole


@dataclass(frozen=True, slots=True)
class TotalLuck:
    """The luck of several battles together.

    Attributes:
        n: The number of battles.
        luck: The sum of their luck.
        spread: The standard deviation of that sum.
        z: The luck in standard deviations; None for fewer than five battles, or if nothing was left to luck.
        rarity: The chance of luck at least as far from 0 on either side; None like `z`.
    """

    n: int
    luck: float
    spread: float
    z: float | None
    rarity: float | None


def total_luck(battles: Iterable[BattleLuck]) -> TotalLuck:
    """Add up the luck of battles.

    Args:
        battles: The luck of each.

    Example:
        >>> total = total_luck([BattleLuck(0.5, 1)] * 6)
        >>> total.luck, total.rarity
        (3.0, 0.03125)
    """
    fought = list(battles)
    luck = sum(battle.luck for battle in fought)
    spread = sqrt(sum(battle.variance for battle in fought))
    if len(fought) < LEAST_BATTLES or not spread:
        return TotalLuck(len(fought), luck, spread, None, None)
    return TotalLuck(len(fought), luck, spread, luck / spread, _tail_chance(fought, luck))


def _tail_chance(battles: list[BattleLuck], luck: float) -> float:
    """Return the chance that the luck of these battles is at least this far from 0.

    A battle fought to the end is won or lost with a known chance, so the law of the sum is exact. The law of a battle
    left early is unknown; its share of the sum is taken as normally distributed.
    """
    whole = [battle for battle in battles if battle.chance in (0, 1)]
    if len(whole) > MOST_EXACT:
        return rarity(luck / sqrt(sum(battle.variance for battle in battles)))
    import numpy as np

    wins = [1 - battle.start if battle.defends else battle.start for battle in whole]
    law = wins_law(wins)
    lucks = np.arange(len(law)) - sum(wins)
    early = sqrt(sum(battle.variance for battle in battles if battle.chance not in (0, 1)))
    if not early:
        return float(law[np.abs(lucks) >= abs(luck) - ROUNDING].sum())
    beyond = [
        erfc((abs(luck) - at) / early / sqrt(2)) / 2 + erfc((abs(luck) + at) / early / sqrt(2)) / 2
        for at in lucks.tolist()
    ]
    return float(law @ np.array(beyond))


def wins_law(chances: Iterable[float]) -> "npt.NDArray[np.float64]":
    """Return the chance of 0, 1, 2, ... wins in several battles.

    Args:
        chances: The chance to win each of them.

    Example:
        >>> wins_law([0.5, 0.5]).tolist()
        [0.25, 0.5, 0.25]
    """
    import numpy as np

    law = np.ones(1)
    for win in chances:
        law = np.convolve(law, [1 - win, win])
    return law


def rarity(z: float) -> float:
    """Return the chance that a standard normal variable is at least this far from 0 on either side.

    Args:
        z: The luck in standard deviations.

    Example:
        >>> round(rarity(-1.96), 3)
        0.05
    """
    return erfc(abs(z) / sqrt(2))


def rank_among(worth: "npt.NDArray[np.number]", chances: "npt.NDArray[np.float64]", reached: float) -> float:
    """Return where an ending stands among all.

    Args:
        worth: The worth of each ending to the attacker.
        chances: The chance of each; they may add up to less than 1.
        reached: The worth of the ending in question.

    Returns:
        The share of the endings that are worth less, with half of those that are worth as much, from 0 to 1.

    Raises:
        ValueError: There are no endings.
    """
    if not chances.sum():
        raise ValueError("a battle that never ends has no ends to stand among")
    return stand_among(worth, chances, worth == reached, (reached, reached)).rank


class LuckStanding(NamedTuple):
    """Where some endings of a battle, those that somebody tells of, stand among all for the attacker.

    Attributes:
        exactly: The chance of one of them.
        otherwise: The chance of all others.
        worse: The chance of an ending that is worse than each of them.
        or_worse: The chance of one of them, one as good, or a worse one.
        better: The chance of an ending that is better than each of them.
        or_better: The chance of one of them, one as good, or a better one.
    """

    exactly: float
    otherwise: float
    worse: float
    or_worse: float
    better: float
    or_better: float

    @property
    def rank(self) -> float:
        """The attacker's luck from 0 to 1: the share of worse endings, with half of those that are as good."""
        return (self.worse + self.or_worse) / 2 / (self.or_worse + self.better)


def stand_among(
    worth: "npt.NDArray[np.number]",
    chances: "npt.NDArray[np.float64]",
    told: "npt.NDArray[np.bool_]",
    between: tuple[float, float] | None = None,
) -> LuckStanding:
    """Return where some endings stand among all.

    Args:
        worth: The worth of each ending to the attacker.
        chances: The chance of each; they may add up to less than 1.
        told: Whether somebody tells of it.
        between: The worth of the worst and of the best of these; None if it is that of the endings `told`, of which
            there is at least one then.

    Example:
        >>> import numpy as np
        >>> told = stand_among(np.arange(3), np.array([0.25, 0.5, 0.25]), np.array([True, False, False]))
        >>> told.or_worse, told.better, told.rank
        (0.25, 0.75, 0.125)
    """
    least, most = between or (worth[told].min(), worth[told].max())
    places = told, ~told, worth < least, worth <= most, worth > most, worth >= least
    return LuckStanding(*(float(chances[place].sum()) for place in places))


def central_80(worth: "npt.NDArray[np.signedinteger[Any]]", chances: "npt.NDArray[np.float64]") -> tuple[int, int]:
    """Return what endings are worth at least and at most, without the tenth of the worst and that of the best luck.

    Args:
        worth: The worth of each ending, in ascending order.
        chances: The chance of each; they may add up to less than 1.

    Example:
        >>> import numpy as np
        >>> central_80(np.array([0, 1, 2]), np.array([0.05, 0.45, 0.4]))
        (1, 2)
    """
    import numpy as np

    reached = np.cumsum(chances)
    low, high = worth[np.searchsorted(reached / reached[-1], [0.1, 0.9])].tolist()
    return low, high


def evenness_p_value(counts: Sequence[int]) -> float:
    """Return the chance that a fair die falls at least this unevenly: the p-value of Pearson's chi-square test.

    Args:
        counts: How often each face fell, for two or more faces.

    Returns:
        A chance from 0 to 1; 1 if the die was never rolled.

    Raises:
        ValueError: There are fewer than two faces.

    Example:
        >>> round(evenness_p_value([9, 11, 10, 10, 12, 8]), 3)
        0.963
    """
    throws, faces = sum(counts), len(counts)
    if faces < 2:
        raise ValueError("a die has two faces or more")
    if not throws:
        return 1.0
    fair = throws / faces
    return chi_square_tail(sum((count - fair) ** 2 for count in counts) / fair, faces - 1)


def chi_square_tail(value: float, freedom: int) -> float:
    """Return the chance that a chi-square variable is at least this large.

    The recurrence of the incomplete gamma function ends at erfc for odd degrees of freedom and at exp for even ones;
    every term is positive.

    Args:
        value: The least value, 0 or more.
        freedom: The degrees of freedom, at least 1.

    Example:
        >>> round(chi_square_tail(11.07, 5), 3)
        0.05
    """
    half = value / 2
    chance, term = (erfc(sqrt(half)), sqrt(half / pi) * 2 * exp(-half)) if freedom % 2 else (0.0, exp(-half))
    for degrees in range(freedom % 2 + 2, freedom + 1, 2):
        chance += term
        term *= value / degrees
    return min(chance, 1.0)


def fair_band(throws: int, faces: int) -> float:
    """Return how far a face's share of the throws strays from 1 / faces.

    The band holds all faces of 19 in 20 fair dice, or of a few more. It is accurate from about a dozen throws per face
    on.

    Args:
        throws: The number of throws.
        faces: The number of faces.

    Returns:
        The distance as a share of the throws; 1 if there are none.
    """
    if not throws:
        return 1.0
    share = 1 / faces
    return NormalDist().inv_cdf(1 - 0.05 / (2 * faces)) * sqrt(share * (1 - share) / throws)
