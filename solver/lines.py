"""Battles of compared dice to their end, with only a few levels in memory, and with leaps: armies of any size.

The same walk as the engine's, level by level, but a level is a line of cells and what lies behind is forgotten. And
while both sides roll all their dice every round is the same trial: where it always costs both together the same
number of units, k rounds are the k-th power of one polynomial, taken by repeated squaring.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.chain import Cell
from solver.errors import BattleError
from solver.table import LossTable, Moves

Line = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

SHORTEST_LEAP = 8
MOST_STEPS = 200_000
LEAST = 5e-324
"""The least number that is more than 0."""


class Ends(NamedTuple):
    """The law of the end, in order of attackers left, then defenders; and what does not come to an end.

    `never` is the chance of cells that can never be left, `rounds` the expected number of rounds, `dropped` the
    probability that was too unlikely to follow.
    """

    attackers: Counts
    defenders: Counts
    chances: Line
    never: float
    rounds: float
    dropped: float


def ends(table: LossTable, start: Cell, floor: int = 0, drop: float = 0.0) -> Ends:
    """Fight to the end; cells at the edge of a level that are less likely than `drop` are not followed.

    BattleError where there are too many levels between which nothing can be leapt over.
    """
    walk = _Walk(table, start, floor, drop)
    steps = 0
    while walk.level >= 0 and any(low <= high for low, high in walk.bands):
        walk.step()
        steps += 1
        if steps > MOST_STEPS:
            raise BattleError("attackers", "with these dice a battle of such armies takes too many rounds")
    return walk.ends()


class _Walk:
    """A battle on its way down the levels.

    `lines` are this level and the next few, taken in turn, indexed by attackers; `bands` say where they hold
    anything: the lowest and the highest number of attackers.
    """

    def __init__(self, table: LossTable, start: Cell, floor: int, drop: float) -> None:
        self.table, self.floor, self.drop = table, floor, drop
        self.inner: Moves = table.moves[-1][-1]
        totals = {i + j for i, j, _ in self.inner.outcomes}
        self.loss = totals.pop() if len(totals) == 1 and self.inner.leave == 1 else 0
        self.level = sum(start)
        self.lines = np.zeros((sum(table.most_lost) + 1, start[0] + 1))
        self.bands = [(1, 0)] * len(self.lines)
        self._add(self.level, start[0], np.ones(1))
        self.never = self.rounds = self.dropped = 0.0
        self.won = np.zeros(start[0] + 1)
        self.held: list[tuple[int, int, Line]] = []

    def ends(self) -> Ends:
        """What has come of it."""
        attackers, defenders, chances = [np.arange(len(self.won))], [np.zeros(len(self.won), int)], [self.won]
        for low, level, line in self.held:
            attackers.append(np.arange(low, low + len(line)))
            defenders.append(level - attackers[-1])
            chances.append(line)
        ours, theirs, law = np.concatenate(attackers), np.concatenate(defenders), np.concatenate(chances)
        order = np.lexsort((theirs, ours))
        order = order[law[order] > 0]
        return Ends(ours[order], theirs[order], law[order], self.never, self.rounds, self.dropped)

    def step(self) -> None:
        """Take the cells of a level, and go to the next one, or leap."""
        place = self.level % len(self.lines)
        low, high = self.bands[place]
        if low <= high:
            line = self.lines[place]
            if self.drop or not line[low] or not line[high]:
                low, high = self._trim(line, low, high)
            if self.loss and (leap := self._leap(low, high)):
                self._rounds(line, low, high, leap)
                return
            if low <= self.floor:
                self.held.append((low, self.level, line[low : min(high, self.floor, self.level - 1) + 1].copy()))
            if high == self.level:
                self.won[high] = line[high]
            self._fight(line, max(low, self.floor + 1), min(high, self.level - 1))
            line[low : high + 1] = 0
            self.bands[place] = (1, 0)
        self.level -= 1

    def _trim(self, line: Line, low: int, high: int) -> tuple[int, int]:
        """Drop the ends of a line that are too unlikely."""
        likely = np.flatnonzero(line[low : high + 1] >= max(self.drop, LEAST))
        first, last = (low + int(likely[0]), low + int(likely[-1])) if len(likely) else (high + 1, high)
        for part in (line[low:first], line[last + 1 : high + 1]):
            self.dropped += float(part.sum())
            part[:] = 0
        return first, last

    def _fight(self, line: Line, low: int, high: int) -> None:
        """One round in the cells from `low` to `high` attackers: the inner ones together, the rim one by one."""
        first, last = max(low, self.table.caps[0]), min(high, self.level - self.table.caps[1])
        if first > last:
            first, last = high + 1, high
        elif self.inner.leave == 0:
            self.never += float(line[first : last + 1].sum())
        else:
            mass = line[first : last + 1]
            visits = mass if self.inner.leave == 1 else mass / self.inner.leave
            self.rounds += float(np.add.reduce(visits))
            for i, j, chance in self.inner.outcomes:
                self._add(self.level - i - j, first - i, visits * chance)
        for a in (*range(low, first), *range(last + 1, high + 1)):
            if one := line.item(a):
                self._fight_at(a, one)

    def _fight_at(self, attackers: int, mass: float) -> None:
        """One round in a single cell of this level."""
        moves = self.table.at(attackers, self.level - attackers)
        if moves.leave == 0:
            self.never += mass
            return
        visits = mass / moves.leave
        self.rounds += visits
        for i, j, chance in moves.outcomes:
            place, left = (self.level - i - j) % len(self.lines), attackers - i
            self.lines[place, left] += visits * chance
            low, high = self.bands[place]
            self.bands[place] = (min(low, left), max(high, left)) if low <= high else (left, left)

    def _add(self, level: int, low: int, mass: Line) -> None:
        place = level % len(self.lines)
        high = low + len(mass) - 1
        line = self.lines[place]
        line[low : high + 1] += mass
        lowest, highest = self.bands[place]
        if lowest > highest:
            self.bands[place] = low, high
        elif low < lowest or high > highest:
            self.bands[place] = min(low, lowest), max(high, highest)

    def _leap(self, low: int, high: int) -> int:
        """How many rounds can be taken at once: none where one of them could be another than those all dice fight."""
        spare = min(low - max(self.table.caps[0], self.floor + 1), self.level - high - self.table.caps[1])
        leap = spare // self.loss + 1
        if leap < SHORTEST_LEAP or sum(first <= last for first, last in self.bands) > 1:
            return 0
        return leap

    def _rounds(self, line: Line, low: int, high: int, count: int) -> None:
        """So many rounds at once, in all cells from `low` to `high` attackers, which hold all there is."""
        lost = np.zeros(self.loss + 1)
        for i, _, chance in self.inner.outcomes:
            lost[i] = chance
        least, law, missing = self._power(lost, count)
        mass = line[low : high + 1].copy()
        self.dropped += missing * float(mass.sum())
        line[low : high + 1] = 0
        self.bands[self.level % len(self.lines)] = (1, 0)
        self.rounds += count * float(mass.sum())
        self.level -= count * self.loss
        self._add(self.level, low - least - len(law) + 1, np.convolve(mass, law[::-1]))

    def _power(self, lost: Line, count: int) -> tuple[int, Line, float]:
        """The law of the attackers lost in so many rounds: its least number, its chances, what it lacks to 1."""
        if count == 1:
            return self._likely(0, lost, 0.0)
        least, law, missing = self._power(lost, count // 2)
        # What is missing from a law is missing from both factors of its square.
        least, law, missing = 2 * least, np.convolve(law, law), missing * (2 - missing)
        if count % 2:
            law = np.convolve(law, lost)
        return self._likely(least, law, missing)

    def _likely(self, least: int, law: Line, missing: float) -> tuple[int, Line, float]:
        likely = np.flatnonzero(law >= self.drop) if self.drop else np.flatnonzero(law)
        first, last = int(likely[0]), int(likely[-1])
        missing += float(law[:first].sum() + law[last + 1 :].sum())
        return least + first, law[first : last + 1], missing
