"""Whole tables: the chance of every size of battle in one backward sweep, and how many armies a chance takes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any, Literal

import numpy as np

from solver.battle import Battle
from solver.chain import Grid, backward, worth_by_rounds
from solver.choices import ChoiceTable
from solver.dice_chain import DiceChain
from solver.errors import BattleError
from solver.errors import shown as written
from solver.odds import Odds, solve

Side = Literal["attackers", "defenders"]

MARKS = (0.5, 0.8, 0.95)
"""The chances whose least counts every answer about needed armies names."""
MOST_NEEDED = 1_900
"""The most armies of a side that are tried in one table."""
CERTAIN = 0.995
CURVE_POINTS = 16
TRIES = 45
"""About so many battles are solved where each number is tried by itself, few of them of more than two against one."""


def win_chances(battle: Battle, attackers: int, defenders: int) -> Grid:
    """The attacker's chance to win for up to so many attackers against up to so many defenders, [a, d].

    The rules and plans are the battle's, its numbers do not matter.
    """
    chain = replace(battle, attackers=attackers, defenders=defenders).chain()
    chances = _sweep(chain)
    if chain.reserve:
        # A row for each number of attackers who may act; fewer only stand by.
        chances = np.concatenate([np.zeros((chain.reserve, defenders + 1)), chances])
        chances[1:, 0] = 1
    if battle.reshape:
        chances[1:, 1:] = battle.reshape.chance(chances[1:, 1:])
    return chances


def _sweep(chain: DiceChain) -> Grid:
    kernel = chain.kernel()
    if isinstance(kernel, ChoiceTable):
        return np.asarray(kernel.worth)
    if chain.rounds is not None:
        *_, worth = worth_by_rounds(kernel, chain.won(), chain.rounds, chain.floor, everywhere=True)
        return worth
    stopped = chain.stopped()
    if stopped is None:
        return backward(kernel, chain.won(), chain.floor)
    # Whoever has to stop somewhere loses there for certain, and nothing is worse: so the chance to lose is the best
    # that somebody gets who wants to lose and may stop just there.
    stop = stopped.astype(float)
    return 1 - backward(kernel, 1 - chain.won(), chain.floor, stop)


@dataclass(frozen=True, slots=True)
class Need:
    """How many armies of a side a chance takes: `chances[i]` is that of `counts[i]` armies, for the curve.

    For attackers the chance to win, for defenders the chance that the attacker does not. `answer` is the least
    count that reaches `goal`; None where not even the most does. `error` bounds what the chances may be off; 0: exact.
    """

    side: Side
    goal: float
    counts: tuple[int, ...]
    chances: tuple[float, ...]
    answer: int | None
    error: float = 0.0

    @property
    def limited(self) -> bool:
        """Whether there is no answer only because more could not be tried."""
        return self.answer is None and self.counts[-1] < MOST_NEEDED

    def least(self, goal: float) -> int | None:
        """The least count on the curve that reaches a chance."""
        return next((count for count, chance in zip(self.counts, self.chances, strict=True) if chance >= goal), None)


def sized(battle: Battle, side: Side, number: int) -> Battle:
    """The battle with so many armies on one side."""
    return replace(battle, attackers=number) if side == "attackers" else replace(battle, defenders=number)


def check_goal(goal: Any) -> None:
    """Refuse what is no chance to be reached."""
    if type(goal) not in (int, float):
        raise BattleError("chance", "give a chance such as 0.8, not {value}", value=written(goal))
    if not 0 < goal < 1:
        raise BattleError("chance", "give a chance between 0 and 1, such as 0.8")


def need(battle: Battle, side: Side, goal: float, most: int, shown: int = 0) -> Need:
    """How many of a side it takes against the other one of the battle, up to `most`.

    The curve goes on to where the chance is nearly certain, or three times as far as the answer, and to `shown`.
    """
    check_goal(goal)
    theirs = battle.defenders if side == "attackers" else battle.attackers
    reach = min(max(2 * theirs, shown, battle.floor + 8, 8), most)
    while True:
        curve = _curve(battle, side, theirs, reach)
        reached = np.flatnonzero(curve >= goal)
        far = len(reached) > 0 and (curve[-1] >= CERTAIN or reach >= 3 * (int(reached[0]) + 1))
        if far or reach >= most:
            break
        reach = min(2 * reach, most)
    answer = int(reached[0]) + 1 if len(reached) else None
    sure = np.flatnonzero(curve >= CERTAIN)
    end = int(sure[0]) + 1 if len(sure) else reach
    end = min(max(min(end, 3 * (answer or reach)), shown, answer or 0, 8), reach)
    counts = tuple(range(1, end + 1))
    return Need(side, goal, counts, tuple(curve[:end].tolist()), answer)


def tries_of_many(battle: Battle, side: Side) -> int:
    """About how much work `need_of_many` is, in the unit of `DiceChain.work`."""
    theirs = battle.defenders if side == "attackers" else battle.attackers
    return TRIES * sized(battle, side, 2 * theirs).chain().work


def need_of_many(battle: Battle, side: Side, goal: float, shown: int = 0) -> Need:
    """The same against an army too large for a table: the search solves one battle for each number it tries.

    Up to four times as many as stand on the other side; the curve has the numbers that were tried.
    """
    theirs = battle.defenders if side == "attackers" else battle.attackers
    tried: dict[int, Odds] = {}

    def chance(count: int) -> float:
        if count not in tried:
            tried[count] = solve(sized(battle, side, count))
        wins = tried[count].attacker_wins
        return wins if side == "attackers" else 1 - wins

    def least(mark: float) -> int:
        known = sorted(tried)
        low = max((count for count in known if chance(count) < mark), default=0)
        high = min((count for count in known if chance(count) >= mark), default=4 * theirs)
        halve = False
        while high - low > 1:
            middle = (low + high) // 2
            if not halve and low:
                # Chances rise about as those of a bell curve do, so this is near the answer.
                here, there = _bell(chance(low)), _bell(chance(high))
                part = (_bell(mark) - here) / max(there - here, 1e-9)
                middle = min(max(low + round(part * (high - low)), low + 1), high - 1)
            before = high - low
            low, high = (low, middle) if chance(middle) >= mark else (middle, high)
            halve = 2 * (high - low) > before
        return high

    reached = chance(4 * theirs) >= goal
    answer = least(goal) if reached else None
    marks = [least(mark) for mark in (0.01, *MARKS, CERTAIN) if mark <= chance(4 * theirs)]
    low, high = (marks[0], marks[-1]) if marks else (1, 4 * theirs)
    apart = max((high - low) // CURVE_POINTS, 1)
    for count in range(low, high, apart):
        if not any(abs(other - count) < apart / 2 for other in tried):
            chance(count)
    if shown:
        chance(shown)
    counts = [count for count in sorted(tried) if low <= count <= high or count in (answer, shown)]
    error = max(odds.error for odds in tried.values())
    return Need(side, goal, tuple(counts), tuple(chance(count) for count in counts), answer, error)


def _bell(chance: float) -> float:
    """How many standard deviations from the middle a bell curve has reached a chance."""
    return NormalDist().inv_cdf(min(max(chance, 1e-300), 1 - 1e-16))


def _curve(battle: Battle, side: Side, theirs: int, reach: int) -> Grid:
    """The chances of 1, 2, ... armies of a side."""
    if side == "attackers":
        return np.asarray(win_chances(battle, reach, theirs)[1:, theirs])
    return np.asarray(1 - win_chances(battle, theirs, reach)[theirs, 1:])


def least_attackers(chances: Grid, goals: Sequence[float]) -> list[tuple[int | None, ...]]:
    """For 0, 1, ... defenders the least attackers whose chance in a table [a, d] reaches each goal; None: none does."""
    reached = np.array([chances >= goal for goal in goals])
    least = np.where(reached.any(axis=1), reached.argmax(axis=1), -1)
    return [tuple(None if count < 0 else count for count in row) for row in least.T.tolist()]


def worth_going_on(battle: Battle) -> tuple[int | None, ...]:
    """For a battle with a value: from how many attackers on going on pays against 1, 2, ... defenders; None: never."""
    chain = battle.chain()
    stopped = chain.stopped()
    if stopped is None:
        raise BattleError("value", "give the value of the territory")
    least: list[int | None] = []
    for defenders in range(1, battle.defenders + 1):
        stops = np.flatnonzero(stopped[chain.floor + 1 :, defenders])
        first = chain.floor + 1 + (int(stops[-1]) + 1 if len(stops) else 0)
        least.append(first + chain.reserve if first <= chain.acting else None)
    return tuple(least)
