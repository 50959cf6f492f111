"""Battles of compared dice with a limit of rounds, if every round with all dice costs both sides together the same.

After so many rounds all cells where both sides roll all their dice are of one level, so a line holds them. The rounds
that are certain to be fought with all dice are fought at once. The few rows and columns of cells where a side is short
of dice are small grids, which the line only feeds: nothing ever leaves them.
"""

import numpy as np

from solver.chain import Cell, Chances, fight_round
from solver.dice.compared import LossTable
from solver.dice.compiled import CompiledTable, CourseStruct
from solver.dice.lines import SHORTEST_LEAP, SurvivorLaw, power_law


def solve_within_rounds(table: LossTable, start: Cell, limit: int, floor: int = 0) -> SurvivorLaw:
    """Fight a limited number of rounds.

    Args:
        table: A round of the game; with all dice it must always cost both sides together the same.
        start: The attackers and defenders at the start.
        limit: The most rounds that are fought.
        floor: The battle is over once no more attackers than this are left.
    """
    walk = _Walk(table, start, floor)
    left = limit - walk.leap(limit)
    if isinstance(table, CompiledTable):
        walk.fight_compiled(table, left)
    else:
        while left and walk.fight():
            left -= 1
    return walk.law()


class _Walk:
    """A battle on its way through the rounds.

    The `line` holds the cells of one level with all dice, from `low` attackers on. `rows` hold all cells with so few
    attackers that they roll fewer dice or are done, `columns` those with so few defenders, [attackers, defenders].
    """

    def __init__(self, table: LossTable, start: Cell, floor: int) -> None:
        self.table, self.floor = table, floor
        self.inner = table.moves[-1][-1]
        self.loss = table.steady_loss
        self.reached = self.level = sum(start)
        self.rows = np.zeros((min(max(table.caps[0] - 1, floor), start[0]) + 1, start[1] + 1))
        self.columns = np.zeros((start[0] + 1, min(table.caps[1] - 1, start[1]) + 1))
        self.rounds = 0.0
        self.low, self.line = self._keep_inner(start[0], np.ones(1))

    def leap(self, limit: int) -> int:
        """Fight at once as many rounds as have all dice for certain, up to a limit; return their number."""
        if not len(self.line):
            return 0
        spare = self.low - len(self.rows), self.level - self.low - self.columns.shape[1]
        costs = max(i for i, _, _ in self.inner.outcomes), max(j for _, j, _ in self.inner.outcomes)
        certain = [room // lost + 1 for room, lost in zip(spare, costs, strict=True) if lost]
        count = min(limit, *certain)
        if count < SHORTEST_LEAP:
            return 0
        fewest, law, _ = power_law(self.table, count)
        self.rounds, self.level = float(count), self.level - count * self.loss
        self.reached -= count * sum(self.table.most_lost)
        self.low, self.line = self._keep_inner(self.low - fewest - len(law) + 1, law[::-1])
        return count

    def fight(self) -> bool:
        """Fight one round; return whether there was anybody to fight."""
        few, fewer = self.rows.shape[0] - 1, self.columns.shape[1] - 1
        fought = fight_round(self.table, self.rows, (self.floor + 1, max(self.reached - few, 1)))
        fought += fight_round(self.table, self.columns, (max(self.reached - fewer, self.floor + 1), 1))
        if len(self.line):
            fought += float(self.line.sum())
            costs = [i for i, _, _ in self.inner.outcomes]
            line = np.zeros(len(self.line) + max(costs) - min(costs))
            for i, _, chance in self.inner.outcomes:
                line[max(costs) - i :][: len(self.line)] += self.line * chance
            self.level -= self.loss
            self.low, self.line = self._keep_inner(self.low - max(costs), line)
        self.reached -= sum(self.table.most_lost)
        self.rounds += fought
        return fought > 0

    def fight_compiled(self, table: CompiledTable, limit: int) -> None:
        """Fight up to so many rounds in compiled code."""
        line = np.zeros(len(self.columns))
        line[self.low : self.low + len(self.line)] = self.line
        course = CourseStruct(
            len(self.columns) - 1,
            self.rows.shape[1] - 1,
            self.floor,
            len(self.rows),
            self.columns.shape[1],
            self.level,
            self.low,
            len(self.line),
            self.reached,
            self.rounds,
        )
        table.run("dice_rounds", course, limit, self.rows, self.columns, line)
        self.rounds, self.level, self.low = course.rounds, course.level, course.low
        self.line = line[self.low : self.low + course.count]

    def _keep_inner(self, low: int, line: Chances) -> tuple[int, Chances]:
        """Move the cells of a line where a side is short of dice to their grid; return where the others begin."""
        first = min(max(len(self.rows) - low, 0), len(line))
        last = max(min(self.level - self.columns.shape[1] + 1 - low, len(line)), first)
        for grid, part in (self.rows, range(first)), (self.columns, range(last, len(line))):
            for place in part:
                grid[low + place, self.level - low - place] += line[place]
        return low + first, line[first:last]

    def law(self) -> SurvivorLaw:
        """Return the law of the cells now."""
        corner = self.columns[: len(self.rows)]
        self.rows[:, : self.columns.shape[1]] += corner
        corner[:] = 0
        attackers = np.arange(self.low, self.low + len(self.line))
        parts = [(attackers, self.level - attackers, self.line)]
        for grid in (self.rows, self.columns):
            attackers, defenders = np.nonzero(grid)
            parts.append((attackers, defenders, grid[attackers, defenders]))
        return SurvivorLaw.of(parts, self.rounds)
