"""Battles of all sizes at once: the chances of every size in one backward sweep, and the armies that a chance needs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, Literal

import numpy as np

from solver.chain import Grid, backward, worth_by_rounds
from solver.dice.battle import Battle, grid_seconds
from solver.dice.chain import DiceChain
from solver.dice.choices import ChoiceTable
from solver.dice.compiled import CompiledTable
from solver.dice.icon_rounds import worth_by_icon_rounds
from solver.dice.icons import IconTable
from solver.ends import EndRange
from solver.errors import BattleError, quoted
from solver.progress import takes

ArmySide = Literal["attackers", "defenders"]

MARKS = (0.5, 0.8, 0.95)
"""Every answer about needed armies names the least counts for these chances."""
MOST_NEEDED = 1_900
"""The most armies of a side that are tried in one table."""
CERTAIN = 0.995


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


def stop_for_ends(battle: Battle, ranges: Sequence[EndRange]) -> Battle | None:
    """Return a battle in which the attacker stops early, so that it wins where it wins the other with so many left.

    Dice that are compared cost one army each. Then an attack that ends with so many left is one that never came below
    that.

    Args:
        battle: A battle.
        ranges: The ends that are asked about.

    Returns:
        The battle; None if other ends are asked about, or if some armies fall together.

    Example:
        >>> stop_for_ends(Battle(12, 9), [EndRange("attacker", least=5)]).stop
        4
    """
    first, *others = ranges
    alone = not others and first == EndRange("attacker", least=first.least) and first.least >= 1
    compared = battle.faces is None and battle.ties != "both" and not (battle.late or battle.reshape or battle.totals)
    if not alone or not compared or battle.value is not None or battle.reserve:
        return None
    return replace(battle, stop=max(battle.stop, ceil(first.least) - 1))


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
