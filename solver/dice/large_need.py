"""The armies needed for a chance against an army too large for a table of all sizes."""

from collections.abc import Callable
from math import inf
from statistics import NormalDist
from sys import float_info

from solver.dice.battle import MOST_ARMIES, Battle
from solver.dice.chain import MOST_CELLS_FOLLOWED, STEP
from solver.dice.compiled import CompiledTable
from solver.dice.far import find_endgame, mean_rounds
from solver.dice.odds import DROPPED, solve
from solver.dice.sizes import (
    CERTAIN,
    MARKS,
    MOST_NEEDED,
    ArmySide,
    Need,
    need,
    other_armies,
    win_chances,
    with_armies,
)
from solver.errors import check_count
from solver.progress import takes

MOST_CELLS_OF_EDGE = 25_000_000
"""Where all sizes have more cells, each number is tried by itself, even if that takes a whole battle."""
CURVE_POINTS = 16
TRIES = 45
"""The approximate number of battles solved if each count is tried by itself; few of them exceed two against one."""


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
    # Cells below the floor never roll, so most of them can be left out.
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
