"""Battles of all sizes at once: the chances of every size in one backward sweep, and the armies that a chance needs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from statistics import NormalDist
from sys import float_info
from typing import Any, Literal

import numpy as np

from solver.chain import Grid, backward, worth_by_rounds
from solver.dice.battle import MOST_ARMIES, Battle, grid_seconds
from solver.dice.chain import MOST_CELLS_FOLLOWED, STEP, DiceChain
from solver.dice.choices import ChoiceTable
from solver.dice.compiled import CompiledTable
from solver.dice.far import find_endgame, mean_rounds
from solver.dice.icon_rounds import worth_by_icon_rounds
from solver.dice.icons import IconTable
from solver.dice.odds import DROPPED, solve
from solver.errors import BattleError, check_count, quoted
from solver.progress import takes

ArmySide = Literal["attackers", "defenders"]

MARKS = (0.5, 0.8, 0.95)
"""Every answer about needed armies names the least counts for these chances."""
MOST_NEEDED = 1_900
"""The most armies of a side that are tried in one table."""
MOST_CELLS_OF_EDGE = 25_000_000
"""Where all sizes have more cells, each number is tried by itself, even if that takes a whole battle."""
CERTAIN = 0.995
CURVE_POINTS = 16
TRIES = 45
"""The approximate number of battles solved if each count is tried by itself; few of them exceed two against one."""


def win_chances(battle: Battle, attackers: int, defenders: int) -> Grid:
    """Return the attacker's chance to win for every size of battle.

    Args:
        battle: The rules and plans; its numbers of armies are not used.
        attackers: The most attackers.
        defenders: The most defenders.

    Returns:
        An array of shape (attackers + 1, defenders + 1), indexed by the armies of both sides.

    Example:
        >>> win_chances(Battle(0, 0), 2, 2)[1:, 1:].round(3).tolist()
        [[0.417, 0.106], [0.754, 0.363]]
    """
    chain = replace(battle, attackers=attackers, defenders=defenders).chain()
    chances = _win_grid(chain)
    if chain.reserve:
        # A row for each number of attackers who may act; fewer only stand by.
        chances = np.concatenate([np.zeros((chain.reserve, defenders + 1)), chances])
        chances[1:, 0] = 1
    if battle.reshape:
        chances[1:, 1:] = battle.reshape.reshape_chances(chances[1:, 1:])
    return chances


def _win_grid(chain: DiceChain) -> Grid:
    """Return the attacker's chances to win by acting attackers and defenders."""
    kernel = chain.kernel()
    if isinstance(kernel, ChoiceTable):
        return np.asarray(kernel.worth)
    if chain.rounds is not None and isinstance(kernel, CompiledTable):
        return kernel.pull_rounds(chain.win_pays(), chain.rounds, chain.floor)
    if chain.rounds is not None:
        *_, worth = chances_by_rounds(chain, everywhere=True)
        return worth
    stopped = chain.stop_mask()
    if stopped is None:
        return backward(kernel, chain.win_pays(), chain.floor)
    # Stopping loses for certain, and nothing is worse. So the chance to lose is the best result of a player who wants
    # to lose and may stop in these cells.
    return 1 - backward(kernel, 1 - chain.win_pays(), chain.floor, stopped.astype(float))


def chances_by_rounds(chain: DiceChain, everywhere: bool = False) -> Iterator[Grid]:
    """Yield the attacker's chances to win, by acting attackers and defenders, with 0, 1, ... rounds left to fight.

    Args:
        chain: A battle with a limit of rounds.
        everywhere: Compute all cells; otherwise only those that the battle can have reached by then.
    """
    kernel = chain.kernel()
    assert chain.rounds is not None, "this battle has no limit of rounds"
    assert not isinstance(kernel, ChoiceTable), "late choices go without a limit of rounds"
    if isinstance(kernel, IconTable):
        return worth_by_icon_rounds(kernel, chain.win_pays(), chain.rounds, chain.floor)
    return worth_by_rounds(kernel, chain.win_pays(), chain.rounds, chain.floor, everywhere)


@dataclass(frozen=True, slots=True)
class Need:
    """How many armies of one side reach a chance.

    The chance of attackers is to win, the chance of defenders that the attacker does not win.

    Attributes:
        side: The side that is counted.
        goal: The chance to reach.
        counts: The counts on the curve, ascending.
        chances: The chance of each count.
        answer: The least count that reaches the goal; None if none does.
        error: An upper bound on the error of the chances; 0 for exact ones.
    """

    side: ArmySide
    goal: float
    counts: tuple[int, ...]
    chances: tuple[float, ...]
    answer: int | None
    error: float = 0.0

    @property
    def limited(self) -> bool:
        """Whether there is no answer only because larger armies could not be tried."""
        return self.answer is None and self.counts[-1] < MOST_NEEDED

    def least(self, goal: float) -> int | None:
        """Return the least count on the curve that reaches a chance; None if none does.

        Args:
            goal: The chance.
        """
        return next((count for count, chance in zip(self.counts, self.chances, strict=True) if chance >= goal), None)


def with_armies(battle: Battle, side: ArmySide, number: int) -> Battle:
    """Return the battle with another number of armies on one side.

    Args:
        battle: The battle.
        side: The side to change.
        number: Its new number of armies.
    """
    return replace(battle, attackers=number) if side == "attackers" else replace(battle, defenders=number)


def other_armies(battle: Battle, side: ArmySide) -> int:
    """Return the armies of the side other than the one that is counted: see `Need`."""
    return battle.defenders if side == "attackers" else battle.attackers


def check_goal(goal: Any) -> None:
    """Raise BattleError unless the value is a chance strictly between 0 and 1.

    Args:
        goal: Any value.

    Raises:
        BattleError: The value is no such chance.
    """
    if type(goal) not in (int, float):
        raise BattleError("chance", "give a chance such as 0.8, not {value}", value=quoted(goal))
    if not 0 < goal < 1:
        raise BattleError("chance", "give a chance between 0 and 1, such as 0.8")


def _need_seconds(battle: Battle, side: ArmySide, _goal: float, most: int, also_count: int) -> float:
    return grid_seconds(with_armies(battle, side, min(max(4 * other_armies(battle, side), also_count, 8), most)))


@takes(_need_seconds)
def need(battle: Battle, side: ArmySide, goal: float, most: int, also_count: int = 0) -> Need:
    """Find how many armies of one side reach a chance.

    Args:
        battle: The rules and the other side's armies.
        side: The side to count.
        goal: The chance to reach, between 0 and 1.
        most: The most armies to try.
        also_count: The curve reaches at least to this count.

    Returns:
        The answer, and the curve up to where the chance is nearly certain or to three times the answer.

    Raises:
        BattleError: The goal is not between 0 and 1.

    Example:
        >>> need(Battle(0, 9), "attackers", 0.8, most=100).answer
        13
    """
    check_goal(goal)
    theirs = other_armies(battle, side)
    reach = min(max(2 * theirs, also_count, battle.floor + 8, 8), most)
    while True:
        curve = _need_curve(battle, side, theirs, reach)
        reached, sure = (np.flatnonzero(curve >= chance) for chance in (goal, CERTAIN))
        answer = int(reached[0]) + 1 if len(reached) else None
        if reach >= most or (answer and (curve[-1] >= CERTAIN or reach >= 3 * answer)):
            break
        reach = min(2 * reach, most)
    end = int(sure[0]) + 1 if len(sure) else reach
    end = min(max(min(end, 3 * (answer or reach)), also_count, answer or 0, 8), reach)
    return Need(side, goal, tuple(range(1, end + 1)), tuple(curve[:end].tolist()), answer)


def beyond_tables(battle: Battle, side: ArmySide, most: int) -> bool:
    """Return whether counts are tried one by one, as a table has no room for them.

    Args:
        battle: The rules and the other side's armies.
        side: The side to count.
        most: The most armies in a table.
    """
    return 2 * other_armies(battle, side) > most and battle.chain().level_by_level and not battle.reshape


def find_need(battle: Battle, side: ArmySide, goal: float, also_count: int = 0) -> Need:
    """Find how many armies of one side reach a chance, from a table or one by one.

    Args:
        battle: The rules and the other side's armies.
        side: The side to count.
        goal: The chance to reach, between 0 and 1.
        also_count: The curve reaches at least to this count.

    Raises:
        BattleError: The other side has too many armies.
    """
    theirs = other_armies(battle, side)
    if not beyond_tables(battle, side, MOST_NEEDED):
        return need(battle, side, goal, MOST_NEEDED, also_count)
    other = "defenders" if side == "attackers" else "attackers"
    check_count(other, theirs, 0, MOST_ARMIES // 4, "the number of armies must be {least} to {most}, not {value}")
    return need_for_large_army(with_armies(battle, side, 1), side, goal, min(also_count, 4 * theirs))


def large_need_work(battle: Battle, side: ArmySide) -> int:
    """Return the approximate work of `need_for_large_army`, in the unit of `DiceChain.work`: see `Need`."""
    return TRIES * with_armies(battle, side, 2 * other_armies(battle, side)).chain().work


@takes(lambda battle, side, *_others: STEP * large_need_work(battle, side))
def need_for_large_army(battle: Battle, side: ArmySide, goal: float, also_count: int = 0) -> Need:
    """Find how many armies of one side reach a chance against an army too large for a table.

    It tries counts one by one, up to four times the other side's armies. The curve holds the counts tried, and the
    count `also_count`. For the other arguments see `Need`.
    """
    tries = _Tries(battle, side, 4 * other_armies(battle, side), also_count, max(goal, CERTAIN))
    limit = tries.limit
    highest = tries.chance(limit)
    answer = tries.least(goal) if highest >= goal else None
    marks = [tries.least(mark) for mark in (0.01, *MARKS, CERTAIN) if mark <= highest]
    low, high = (marks[0], marks[-1]) if marks else (1, limit)
    tries.fill(low, high)
    if also_count:
        tries.chance(also_count)
    counts = [count for count in sorted(tries.known) if low <= count <= high or count in (answer, also_count)]
    chances = tuple(map(tries.chance, counts))
    return Need(side, goal, tuple(counts), chances, answer, max(error for _, error in tries.known.values()))


class _Tries:
    """The chances of a side with some counts of its armies, each of which is found once, when it is first wanted.

    Args:
        battle: The rules and the other side's armies.
        side: The side that is counted.
        limit: The most armies of that side.
        also_count: A larger count that may be wanted too, or 0.
        enough: Counts above the first one with this chance need not be tried.

    Attributes:
        known: For each count tried the attacker's chance to win and the error of that.
        limit: The most armies that are tried.
    """

    def __init__(self, battle: Battle, side: ArmySide, limit: int, also_count: int, enough: float) -> None:
        self.known: dict[int, tuple[float, float]] = {}
        self._side = side
        self._win_chance, self.limit = _win_chance_by_count(battle, side, limit, also_count, enough)

    def chance(self, count: int) -> float:
        """Return the side's chance with so many armies."""
        if count not in self.known:
            self.known[count] = self._win_chance(count)
        wins, _ = self.known[count]
        return wins if self._side == "attackers" else 1 - wins

    def least(self, mark: float) -> int:
        """Return the least count that reaches a chance, which the limit reaches."""
        low = max((count for count in self.known if self.chance(count) < mark), default=0)
        high = min((count for count in self.known if self.chance(count) >= mark), default=self.limit)
        halve = False
        while high - low > 1:
            centre = (low + high) // 2 if halve or not low else self._guess(mark, low, high)
            before = high - low
            low, high = (low, centre) if self.chance(centre) >= mark else (centre, high)
            halve = 2 * (high - low) > before
        return high

    def _guess(self, mark: float, low: int, high: int) -> int:
        """Return a count between two others, near the least with this chance: chances rise about as a bell curve's."""
        here, there = _normal_quantile(self.chance(low)), _normal_quantile(self.chance(high))
        part = (_normal_quantile(mark) - here) / max(there - here, 1e-9)
        return min(max(low + round(part * (high - low)), low + 1), high - 1)

    def fill(self, low: int, high: int) -> None:
        """Try more counts from one to another, for a curve without large gaps."""
        apart = max((high - low) // CURVE_POINTS, 1)
        for count in range(low, high, apart):
            if not any(abs(other - count) < apart / 2 for other in self.known):
                self.chance(count)


def _win_chance_by_count(
    battle: Battle, side: ArmySide, limit: int, also_count: int = 0, enough: float = inf
) -> tuple[Callable[[int], tuple[float, float]], int]:
    """Return the attacker's chance to win, and its error, as a function of a side's armies, and how many to try.

    For the arguments see `_Tries`.
    """
    chain = with_armies(battle, side, max(limit, also_count)).chain()
    # What lies below the floor never rolls, so most of it can be left out.
    below = max(chain.floor - len(chain.attack.dice), 0)
    acting, floor = chain.acting - below, chain.floor - below

    def whole(count: int) -> tuple[float, float]:
        odds = solve(with_armies(battle, side, count))
        return odds.attacker_wins, odds.error

    if not chain.level_by_level or chain.reshape:
        return whole, limit
    table, other = chain.kernel(), other_armies(battle, side)
    if not isinstance(table, CompiledTable):
        if chain.cells > MOST_CELLS_FOLLOWED:
            return whole, limit
        worth = win_chances(battle, chain.acting + chain.reserve, chain.defenders)
        edge = worth[:, -1] if side == "attackers" else worth[-1]
        return lambda count: (edge.item(count), 0.0), limit
    # A side that needs more than twice as many is rare.
    exact = with_armies(battle, side, 2 * other).chain().cells <= MOST_CELLS_FOLLOWED
    endgame = None if exact else find_endgame(table, floor)
    if endgame:

        def by_endgame(count: int) -> tuple[float, float]:
            sized = with_armies(battle, side, count)
            return endgame.win_chance(sized.attackers - sized.reserve - below, sized.defenders, DROPPED) or whole(count)

        return by_endgame, limit
    if chain.cells > MOST_CELLS_OF_EDGE or acting <= floor:
        return whole, limit
    guarded = chain.reserve + below > 0
    # Attackers who stand by are counted, but they are no part of the edge.
    standing = chain.reserve + below if side == "attackers" else 0
    sizes = acting, chain.defenders
    chances = table.edge_chances(int(side == "defenders"), sizes, floor, guarded, also_count - standing, enough)
    error = 0.0
    if len(chances) * other > MOST_CELLS_FOLLOWED:
        error = 4 * float_info.epsilon * mean_rounds(table, acting - floor, chain.defenders)
    return lambda count: (chances.item(max(count - standing, 0)), error), min(limit, len(chances) - 1 + standing)


def _normal_quantile(chance: float) -> float:
    """Return the quantile of the standard normal distribution, also near 0 and 1."""
    return NormalDist().inv_cdf(min(max(chance, 1e-300), 1 - 1e-16))


def _need_curve(battle: Battle, side: ArmySide, theirs: int, reach: int) -> Grid:
    """Return the chances of 1, 2, ... armies of a side."""
    if side == "attackers":
        return np.asarray(win_chances(battle, reach, theirs)[1:, theirs])
    return np.asarray(1 - win_chances(battle, theirs, reach)[theirs, 1:])


def least_attackers(chances: Grid, goals: Sequence[float]) -> list[tuple[int | None, ...]]:
    """Return the least attackers that reach each goal, for 0, 1, ... defenders.

    Args:
        chances: A table of chances, [attackers, defenders].
        goals: The chances to reach.

    Returns:
        For each number of defenders one count for each goal; None if none in the table reaches it.
    """
    reached = np.array([chances >= goal for goal in goals])
    minima = np.where(reached.any(axis=1), reached.argmax(axis=1), -1)
    return [tuple(None if count < 0 else count for count in row) for row in minima.T.tolist()]


@takes(grid_seconds)
def worth_going_on(battle: Battle) -> tuple[int | None, ...]:
    """Return from how many attackers on it pays to go on in a battle for a territory's value.

    Args:
        battle: A battle with a value.

    Returns:
        The least attackers against 1, 2, ... defenders; None if it never pays.

    Raises:
        BattleError: The battle has no value.

    Example:
        >>> worth_going_on(Battle(5, 3, value=3))
        (1, 3, 4)
    """
    chain = battle.chain()
    stopped = chain.stop_mask()
    if stopped is None:
        raise BattleError("value", "give the value of the territory")
    minima: list[int | None] = []
    for defenders in range(1, battle.defenders + 1):
        stops = np.flatnonzero(stopped[chain.floor + 1 :, defenders])
        first = chain.floor + 1 + (int(stops[-1]) + 1 if len(stops) else 0)
        minima.append(first + chain.reserve if first <= chain.acting else None)
    return tuple(minima)
