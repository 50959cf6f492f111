"""Odds reshaped as a whole, for games that change the exact law of the ending by a published recipe.

The one known recipe is Balanced Blitz of RISK: Global Domination, as in the maker's published code of version 3.3. A
near-certain winner always wins, the favourite gains, the luckiest endings are cut away, and middling endings become
likelier.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from solver.errors import BattleError, check_number

if TYPE_CHECKING:  # a recipe is part of battles that are only read
    from solver.chain import Chances, Mask


@dataclass(frozen=True, slots=True)
class Reshape:
    """A recipe that reshapes the law of the ending; the defaults are Balanced Blitz.

    The steps are applied in the order of the fields.

    Attributes:
        certain: A side whose chance is at most this never wins.
        win_power: Chances p and q to win become p^w : q^w with this power w.
        cut: With the endings in a line, from no attacker lost to no defender lost, this share of the probability is
            removed at each end; the rest is scaled up.
        end_power: Among the endings that one side wins each chance is raised to this power; the side's chance is kept.

    Raises:
        BattleError: A number is out of range.
    """

    certain: float = 0.05
    win_power: float = 1.3
    cut: float = 0.1
    end_power: float = 1.8

    def __post_init__(self) -> None:
        """Check that the numbers are in range."""
        for name, maximum in (("certain", 0.49), ("win_power", 10), ("cut", 0.49), ("end_power", 10)):
            check_number(name, getattr(self, name), 0, maximum, "give a number from 0 to {most}, not {value}")
        for name in ("win_power", "end_power"):
            if not getattr(self, name):
                raise BattleError(name, "the power must be more than 0")

    def reshape_ends(self, chances: "Chances", won: "Mask") -> "Chances":
        """Return the reshaped law of the ending.

        Args:
            chances: The probability of each ending, in a line from no attacker lost to no defender lost.
            won: Whether the attacker wins in each; otherwise the defender does.
        """
        chances = _scale_to_shares(chances, won, self._favour(float(chances[won].sum()), float(chances[~won].sum())))
        chances = _trim_ends(chances, self.cut)
        shares = float(chances[won].sum()), float(chances[~won].sum())
        return _scale_to_shares(chances**self.end_power, won, shares)

    def reshape_chances(self, wins: "Chances") -> "Chances":
        """Return the reshaped chances to win of battles that one side wins.

        Args:
            wins: The attacker's chances to win, of any shape.

        Example:
            >>> import numpy as np
            >>> Reshape().reshape_chances(np.array([0.04, 0.5, 0.6])).round(3).tolist()
            [0.0, 0.5, 0.661]
        """
        import numpy as np

        certain = np.where(wins <= self.certain, 0.0, np.where(wins >= 1 - self.certain, 1.0, wins))
        ours, theirs = certain**self.win_power, (1 - certain) ** self.win_power
        return np.clip((ours / (ours + theirs) - self.cut) / (1 - 2 * self.cut), 0, 1)

    def _favour(self, attacker: float, defender: float) -> tuple[float, float]:
        """Return both sides' chances after the first two steps."""
        attacker = 0.0 if attacker <= self.certain else attacker
        defender = 0.0 if defender <= self.certain else defender
        ours, theirs = attacker**self.win_power, defender**self.win_power
        return ours / (ours + theirs), theirs / (ours + theirs)


def _scale_to_shares(chances: "Chances", won: "Mask", shares: tuple[float, float]) -> "Chances":
    """Return the chances scaled so that each side's endings add up to its share."""
    shaped = 0 * chances
    for side, share in ((won, shares[0]), (~won, shares[1])):
        total = chances[side].sum()
        if total > 0:
            shaped[side] = chances[side] * (share / total)
    return shaped


def _trim_ends(chances: "Chances", cut: float) -> "Chances":
    """Return a law along a line without this share of its probability at each end, scaled to its former sum."""
    import numpy as np

    # A cut is counted from its own end: a small chance at the far end keeps all its digits.
    total = float(chances.sum())
    before = np.concatenate([[0.0], np.cumsum(chances)[:-1]])
    behind = np.concatenate([np.cumsum(chances[::-1])[-2::-1], [0.0]])
    cuts = (np.minimum(np.maximum(cut * total - other, 0), chances) for other in (before, behind))
    return np.maximum(chances - sum(cuts), 0) / (1 - 2 * cut)
