"""Battles of compared dice on lines of cells, in compiled code, so that armies can be of any size.

A level of cells is a line, and levels behind it are forgotten. While both sides roll all their dice, every round is the
same trial. If it always costs both sides together the same number of units, k rounds are the k-th power of one
polynomial, computed by repeated squaring.
"""

from collections.abc import Iterable
from typing import NamedTuple, Self

import numpy as np

from solver.chain import Cell, Chances, Counts
from solver.dice.compiled import BattleStruct, CompiledTable, CourseStruct
from solver.errors import BattleError, TooLargeError

SHORTEST_LEAP = 256
"""Fewer rounds than this are fought one after the other."""
MOST_STEPS = 200_000


class SurvivorLaw(NamedTuple):
    """The law of the units left, in order of attackers left, then defenders left.

    Attributes:
        attackers: The attackers left in each cell that has probability.
        defenders: The defenders left in each.
        chances: The probability of each.
        rounds: The expected number of rounds.
        never: The probability of reaching a cell that is never left.
        dropped: The probability that was not followed, because it was too small.
    """

    attackers: Counts
    defenders: Counts
    chances: Chances
    rounds: float
    never: float = 0.0
    dropped: float = 0.0

    @classmethod
    def of(cls, parts: Iterable[tuple[Counts, Counts, Chances]], *sums: float) -> Self:
        """Return the law of these cells, without those that cannot be reached.

        Args:
            parts: The attackers left, the defenders left and the probability of some cells each.
            sums: The rounds and the further probabilities.
        """
        attackers, defenders, chances = map(np.concatenate, zip(*parts, strict=True))
        order = np.lexsort((defenders, attackers))
        order = order[chances[order] > 0]
        return cls(attackers[order], defenders[order], chances[order], *sums)


def solve_by_levels(table: CompiledTable, start: Cell, floor: int = 0, drop: float = 0.0) -> SurvivorLaw:
    """Fight to the end.

    Args:
        table: A round of the game.
        start: The attackers and defenders at the start.
        floor: The battle is over once no more attackers than this are left.
        drop: Cells at the edge of a level that are less likely than this are not followed.

    Raises:
        BattleError: There are too many levels that cannot be skipped.
    """
    attackers, columns = start[0], start[1] + 1
    # Where the attack is over, some numbers of attackers may be left beside defenders.
    last = min(attackers, floor)
    first = max(min(attackers, floor + 1 - table.most_lost[0]), 0)
    held = (last - first + 1) * columns
    ends = np.zeros(held + attackers - last)
    battle = BattleStruct(*start, floor, drop, SHORTEST_LEAP, MOST_STEPS)
    try:
        table.run("dice_solve", battle, first, last, ends)
    except TooLargeError:
        raise BattleError("attackers", "with these dice a battle of such armies takes too many rounds") from None
    (places,) = ends.nonzero()
    split = int(places.searchsorted(held))
    rows, left = np.divmod(places[:split], columns)
    attackers_left, defenders_left = places - (held - last - 1), np.zeros_like(places)
    attackers_left[:split], defenders_left[:split] = rows + first, left
    return SurvivorLaw(attackers_left, defenders_left, ends[places], battle.rounds, battle.never, battle.dropped)


def solve_within_rounds(table: CompiledTable, start: Cell, limit: int, floor: int = 0) -> SurvivorLaw:
    """Fight a limited number of rounds, without a grid of all cells.

    Args:
        table: A round of the game; with all dice it must always cost both sides together the same.
        start: The attackers and defenders at the start.
        limit: The most rounds that are fought.
        floor: The battle is over once no more attackers than this are left.
    """
    few = min(max(table.caps[0] - 1, floor), start[0]) + 1, min(table.caps[1] - 1, start[1]) + 1
    rows, turned = np.zeros((few[0], start[1] + 1)), np.zeros((few[1], start[0] + 1))
    line, course = np.zeros(start[0] + 1), CourseStruct(*start, floor, limit, SHORTEST_LEAP, *few)
    table.run("dice_rounds", table.turned.struct, course, rows, turned, line)
    # Where both sides have few units, both grids have cells.
    columns = turned.T
    rows[:, : few[1]] += columns[: few[0]]
    columns[: few[0]] = 0
    attackers = np.arange(course.low, course.low + course.count)
    parts = [(attackers, course.level - attackers, line[attackers])]
    for grid in (rows, columns):
        attackers, defenders = np.nonzero(grid)
        parts.append((attackers, defenders, grid[attackers, defenders]))
    return SurvivorLaw.of(parts, course.rounds)
