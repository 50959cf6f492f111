"""Odds reshaped as a whole: games whose "dice" are the exact law of the end, bent by a published recipe.

Balanced Blitz, of RISK: Global Domination (as in the maker's published code of version 3.3), is the one known: a
near-certain winner always wins, the favourite is favoured more, the ends of most luck are cut away, and those in
the middle become likelier.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.chain import Mask
from solver.errors import BattleError, shown

Chances = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Reshape:
    """What is done to the law of the ends, in this order; the defaults are Balanced Blitz.

    A side whose chance is at most `certain` never wins. Chances p and q to win become p^w : q^w with the power
    `win_power`. With the ends in a line, from no attacker lost to no defender lost, the share `cut` of the
    probability is taken away at either end, and the rest fills its place. Among the ends that one side wins, each
    chance is raised to `end_power`, and the side's chance kept.
    """

    certain: float = 0.05
    win_power: float = 1.3
    cut: float = 0.1
    end_power: float = 1.8

    def __post_init__(self) -> None:
        """Refuse numbers that bend nothing sensibly."""
        for name, most in (("certain", 0.49), ("win_power", 10), ("cut", 0.49), ("end_power", 10)):
            value = getattr(self, name)
            if type(value) not in (int, float) or not 0 <= value <= most:
                raise BattleError(name, "give a number from 0 to {most}, not {value}", most=most, value=shown(value))
        if not self.win_power or not self.end_power:
            raise BattleError("win_power" if not self.win_power else "end_power", "the power must be more than 0")

    def bent(self, chances: Chances, won: Mask) -> Chances:
        """The law of the ends of battles that one side wins, reshaped.

        `chances` are in a line, from no attacker lost to no defender lost; `won` says which of them the attacker wins.
        """
        chances = _with_shares(chances, won, self._favoured(float(chances[won].sum()), float(chances[~won].sum())))
        chances = _trimmed(chances, self.cut)
        shares = float(chances[won].sum()), float(chances[~won].sum())
        return _with_shares(chances**self.end_power, won, shares)

    def chance(self, wins: Chances) -> Chances:
        """What becomes of the attacker's chance to win, in battles that one side wins."""
        certain = np.where(wins <= self.certain, 0.0, np.where(wins >= 1 - self.certain, 1.0, wins))
        ours, theirs = certain**self.win_power, (1 - certain) ** self.win_power
        return np.clip((ours / (ours + theirs) - self.cut) / (1 - 2 * self.cut), 0, 1)

    def _favoured(self, attacker: float, defender: float) -> tuple[float, float]:
        """The sides' chances, those of a near-certain loser given to the winner, and the favourite's raised."""
        attacker = 0.0 if attacker <= self.certain else attacker
        defender = 0.0 if defender <= self.certain else defender
        ours, theirs = attacker**self.win_power, defender**self.win_power
        return ours / (ours + theirs), theirs / (ours + theirs)


def _with_shares(chances: Chances, won: Mask, shares: tuple[float, float]) -> Chances:
    """Chances whose sums over each side's ends are these; the proportions within a side stay."""
    shaped = np.zeros_like(chances)
    for side, share in ((won, shares[0]), (~won, shares[1])):
        total = chances[side].sum()
        if total > 0:
            shaped[side] = chances[side] * (share / total)
    return shaped


def _trimmed(chances: Chances, cut: float) -> Chances:
    """A law along a line without so much probability at either end, scaled to the probability it had."""
    # What is cut is counted from the end it is cut at: a small chance at the far end keeps all its digits.
    total = float(chances.sum())
    before = np.concatenate([[0.0], np.cumsum(chances)[:-1]])
    behind = np.concatenate([np.cumsum(chances[::-1])[-2::-1], [0.0]])
    cuts = (np.minimum(np.maximum(cut * total - other, 0), chances) for other in (before, behind))
    return np.maximum(chances - sum(cuts), 0) / (1 - 2 * cut)
