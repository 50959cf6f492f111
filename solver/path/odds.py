"""The odds of a path, exactly: the law of its endings, and the chance to take every territory."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import inf, log10
from sys import float_info
from typing import Any

import numpy as np

from solver.chain import Chances, Counts, Grid, backward
from solver.dice.battle import grid_seconds
from solver.dice.exact import worth_fought_out
from solver.dice.odds import log10_least_chance, solve_from_law
from solver.documents import clamp_chance, clamp_chances
from solver.ends import EndRange, check_all_units
from solver.errors import BattleError
from solver.game import GameOdds
from solver.luck import rank_among
from solver.path.path import Path
from solver.progress import takes

TERRITORY = 10_000_000
"""Nobody is so far ahead that it outweighs a territory."""

PathState = tuple[int, int, int]
"""A point on a path: the leg, from 0, and the attackers and defenders left in it."""


@dataclass(frozen=True, eq=False)
class PathOdds(GameOdds):
    """The odds of a path: the joint law of the territories taken and of the units left in the last one fought for.

    Attributes:
        legs: The number of territories.
        taken: The territories taken in each ending, in ascending order.
        attackers_end: The attackers left in each, in ascending order for equal territories, without garrisons.
        defenders_end: The defenders left in each, in ascending order for equal attackers.
        chances: The probability of each.
        never: The chance of reaching a point where neither side can lose a unit; such a battle has no ending.
        lost: The expected number of attackers lost; None if `never` is more than 0.
        true_zeros: Whether a chance of 0 is impossible; otherwise it may be too small for a float.
    """

    legs: int
    taken: Counts
    attackers_end: Counts
    defenders_end: Counts
    chances: Chances
    never: float
    lost: float | None
    true_zeros: bool = True

    @cached_property
    def takes(self) -> tuple[float, ...]:
        """The chances to take the first territory, the first two, ... all of them."""
        return tuple(float(self.chances[self.taken >= leg].sum()) for leg in range(1, self.legs + 1))

    @cached_property
    def takes_all(self) -> float:
        """The chance to take every territory."""
        return self.takes[-1]

    @cached_property
    def beaten(self) -> float:
        """The chance that no attacker is left to go on before the last territory is taken."""
        return float(self.chances[(self.taken < self.legs) & (self.attackers_end == 0)].sum())

    @cached_property
    def called_off(self) -> float:
        """The chance that the attacker stops before the last territory is taken, with attackers left."""
        return float(self.chances[(self.taken < self.legs) & (self.attackers_end > 0)].sum())

    @cached_property
    def attackers_left(self) -> float:
        """The expected number of attackers where the path ends, without garrisons."""
        return float(self.attackers_end @ self.chances)

    @property
    def worth(self) -> Counts:
        """The worth of each ending to the attacker: first the territories taken, then how far the attacker is ahead."""
        return self.taken * TERRITORY + self.attackers_end - self.defenders_end

    def count(self, asked: EndRange) -> Counts:
        """Return how many attackers are left in the last territory in each ending, -1 where it is not taken.

        Args:
            asked: The range.

        Raises:
            BattleError: It counts anything else: of those who stay behind the law says nothing.
        """
        check_all_units(asked)
        if asked.lost or asked.side == "defender":
            raise BattleError("ends", "for a path I only know how many attackers are left in the last territory")
        return np.where(self.taken == self.legs, self.attackers_end, -1)

    def percentile(self, taken: int, attackers: int, defenders: int) -> float:
        """Return the share of all endings that are worse for the attacker than this one; see `rank_among`.

        More territories taken are better; among equal numbers, the more the attacker is ahead.

        Args:
            taken: The territories taken.
            attackers: The attackers left in the last one fought for.
            defenders: The defenders left there.
        """
        return rank_among(self.worth, self.chances, taken * TERRITORY + attackers - defenders)

    @property
    def success(self) -> float:
        """The chance that the attacker reaches the aim: see `GameOdds`."""
        return self.takes_all

    @property
    def fate_chances(self) -> tuple[float, ...]:
        """The chance of each way to end: see `GameOdds`."""
        return self.takes_all, self.beaten, self.called_off, self.never

    @property
    def nbytes(self) -> int:
        """About how many bytes the odds take: see `GameOdds`."""
        return 2 * (self.attackers_end.nbytes + self.defenders_end.nbytes + self.chances.nbytes)

    def to_dict(self) -> dict[str, Any]:
        """Return the odds as a JSON document."""
        counts = (self.taken, self.attackers_end, self.defenders_end)
        rows = zip(*(count.tolist() for count in counts), clamp_chances(self.chances), strict=True)
        return {
            "takes_all": clamp_chance(self.takes_all),
            "taken": clamp_chances(self.chances[self.taken == leg].sum() for leg in range(self.legs + 1)),
            "survivors": [list(row) for row in rows],
            "never": clamp_chance(self.never),
        }


def march_seconds(path: Path) -> float:
    """Estimate the seconds for the odds of a path: see `Estimate`."""
    return sum(map(grid_seconds, path.legs))


@takes(march_seconds)
def march(path: Path) -> PathOdds:
    """Return the exact odds of a path.

    Args:
        path: The path.

    Example:
        >>> from solver.dice.battle import Battle
        >>> round(march(Path.of([Battle(12, 5), Battle(0, 4)], leave=[1])).takes_all, 3)
        0.745
    """
    begin = np.zeros(path.legs[0].attackers + 1)
    begin[-1] = 1.0
    never = rarest = lost = 0.0
    parts: list[tuple[Counts, Counts, Counts, Chances]] = []
    for number, leg in enumerate(path.legs):
        law: Grid = np.zeros((leg.attackers + 1, leg.defenders + 1))
        law[:, leg.defenders] = begin
        chain = leg.chain()
        odds = solve_from_law(chain, law)
        never += odds.never
        rarest += log10_least_chance(chain)
        lost += float(begin @ np.arange(len(begin))) - odds.attackers_left
        won = (odds.defenders_end == 0) & (odds.attackers_end > 0)
        ends, taken = ~won, np.full(len(won), number)
        if number == len(path.legs) - 1:
            ends, taken = won | ~won, number + won
        else:
            begin = np.zeros(path.legs[number + 1].attackers + 1)
            np.add.at(begin, np.maximum(odds.attackers_end[won] - path.leave[number], 0), odds.chances[won])
        parts.append((taken[ends], odds.attackers_end[ends], odds.defenders_end[ends], odds.chances[ends]))
    taken, attackers, defenders, chances = (np.concatenate(column) for column in zip(*parts, strict=True))
    fallen = None if never else max(lost, 0.0)
    return PathOdds(len(path.legs), taken, attackers, defenders, chances, never, fallen, rarest > log10(float_info.min))


def takes_all(path: Path) -> Fraction:
    """Return the exact chance to take every territory of a path.

    Args:
        path: The path.

    Raises:
        TooLargeError: The path takes too much work, or the fraction is too long.

    Example:
        >>> from solver.dice.battle import Battle
        >>> takes_all(Path.of([Battle(2, 1), Battle(2, 1)], leave=[1]))
        Fraction(625, 2592)
    """
    chains = [leg.chain() for leg in path.legs]
    pays = [Fraction(0), *[Fraction(1)] * chains[-1].acting]
    for chain, stay in zip(chains[::-1], (*path.leave, 0)[::-1], strict=True):
        # The attackers left in this territory go on to the next one without the garrison.
        pays = worth_fought_out(chain, [Fraction(0), *(pays[max(a - stay, 0)] for a in range(1, chain.acting + 1))])
    return pays[-1]


def takes_all_chances(path: Path, places: Sequence[PathState], limit: float = inf) -> list[float] | list[None]:
    """Return the chance to take every territory from several points of one path.

    Args:
        path: The path.
        places: The points, the earliest first.
        limit: The most work to do, in the unit of `DiceChain.work`.

    Returns:
        A chance for each point, as `PathOdds.takes_all`; all None if that is too much work.
    """
    first, attackers, defenders = places[0]
    here = replace(path.legs[first], attackers=attackers, defenders=defenders)
    rest = Path.of((here, *path.legs[first + 1 :]), path.leave[first:])
    if sum(leg.chain().grid_work for leg in rest.legs) > limit:
        return [None] * len(places)
    chances: dict[PathState, float] = {}
    arriving: Grid | None = None
    for number in reversed(range(len(rest.legs))):
        chain = rest.legs[number].chain()
        worth: Grid = chain.win_pays()
        if arriving is not None:
            worth[:, 0] = arriving[np.maximum(np.arange(chain.acting + 1) - rest.leave[number], 0)]
        # A late defender chooses by the odds of this leg alone: the kernel follows the choices that it has found.
        backward(chain.kernel(), worth, chain.floor)
        arriving = worth[:, -1]
        chances |= {place: worth.item(place[1:]) for place in places if place[0] == first + number}
    return [chances[place] for place in places]
