"""Battles of compared dice fought to the end with a few levels in memory, so that armies can be of any size.

This is the walk of the engine, level by level, but a level is a line of cells, and levels behind it are forgotten.
While both sides roll all their dice, every round is the same trial. If it always costs both sides together the same
number of units, k rounds are the k-th power of one polynomial, computed by repeated squaring.
"""

from collections.abc import Iterable, Iterator
from math import inf
from typing import NamedTuple, Self

import numpy as np

from solver.chain import Cell, Chances, Counts
from solver.dice.compared import LossTable, Moves
from solver.dice.compiled import CompiledTable
from solver.errors import BattleError

SHORTEST_LEAP = 8
COMPILED_LEAP = 256
"""Compiled code fights fewer rounds than this one after the other."""
MOST_STEPS = 200_000
LEAST = 5e-324
"""The smallest float above 0."""


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


def solve_by_levels(table: LossTable, start: Cell, floor: int = 0, drop: float = 0.0) -> SurvivorLaw:
    """Fight to the end.

    Args:
        table: A round of the game.
        start: The attackers and defenders at the start.
        floor: The battle is over once no more attackers than this are left.
        drop: Cells at the edge of a level that are less likely than this are not followed.

    Raises:
        BattleError: There are too many levels that cannot be skipped.
    """
    if isinstance(table, CompiledTable):
        fought = table.fight_out(start, floor, drop, COMPILED_LEAP, MOST_STEPS)
        if fought is None:
            raise _endless_error()
        return SurvivorLaw(*fought)
    walk = _Walk(table, start, floor, drop)
    steps = 0
    while walk.level >= 0 and any(low <= high for low, high in walk.bands):
        walk.step()
        steps += 1
        if steps > MOST_STEPS:
            raise _endless_error()
    return walk.final_law()


def _endless_error() -> BattleError:
    return BattleError("attackers", "with these dice a battle of such armies takes too many rounds")


class _Walk:
    """A battle on its way down the levels.

    `lines` are this level and the next few, taken in turn, indexed by attackers. `bands` are the lowest and the highest
    number of attackers with any probability in each.
    """

    def __init__(self, table: LossTable, start: Cell, floor: int, drop: float) -> None:
        self.table, self.floor, self.drop = table, floor, drop
        self.inner: Moves = table.moves[-1][-1]
        self.loss = table.steady_loss
        self.level = sum(start)
        self.lines = np.zeros((sum(table.most_lost) + 1, start[0] + 1))
        self.bands = [(1, 0)] * len(self.lines)
        self._add(self.level, start[0], np.ones(1))
        self.never = self.rounds = self.dropped = 0.0
        self.won = np.zeros(start[0] + 1)
        self.held: list[tuple[int, int, Chances]] = []

    def final_law(self) -> SurvivorLaw:
        """Return the law of the final cells found so far."""
        parts = [(np.arange(len(self.won)), np.zeros(len(self.won), int), self.won)]
        for low, level, line in self.held:
            attackers = np.arange(low, low + len(line))
            parts.append((attackers, level - attackers, line))
        return SurvivorLaw.of(parts, self.rounds, self.never, self.dropped)

    def step(self) -> None:
        """Fight in the cells of this level and go on to the next level, or several rounds further."""
        place = self.level % len(self.lines)
        low, high = self.bands[place]
        if low <= high:
            line = self.lines[place]
            if self.drop or not line[low] or not line[high]:
                low, high = self._trim(line, low, high)
            if self.loss and (leap := self._leap_length(low, high)):
                self._fight_at_once(line, low, high, leap)
                return
            if low <= self.floor:
                self.held.append((low, self.level, line[low : min(high, self.floor, self.level - 1) + 1].copy()))
            if high == self.level:
                self.won[high] = line[high]
            self._fight_level(line, max(low, self.floor + 1), min(high, self.level - 1))
            line[low : high + 1] = 0
            self.bands[place] = (1, 0)
        self.level -= 1

    def _trim(self, line: Chances, low: int, high: int) -> tuple[int, int]:
        """Drop the unlikely ends of a line."""
        likely = np.flatnonzero(line[low : high + 1] >= max(self.drop, LEAST))
        first, last = (low + int(likely[0]), low + int(likely[-1])) if len(likely) else (high + 1, high)
        for part in (line[low:first], line[last + 1 : high + 1]):
            self.dropped += float(part.sum())
            part[:] = 0
        return first, last

    def _fight_level(self, line: Chances, low: int, high: int) -> None:
        """Fight one round in the cells from `low` to `high` attackers.

        The inner cells are taken together, those at the rim one by one.
        """
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
            if mass_there := line.item(a):
                self._fight_at(a, mass_there)

    def _fight_at(self, attackers: int, mass: float) -> None:
        """Fight one round in a single cell of this level."""
        moves = self.table.moves_at(attackers, self.level - attackers)
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

    def _add(self, level: int, low: int, mass: Chances) -> None:
        place = level % len(self.lines)
        high = low + len(mass) - 1
        line = self.lines[place]
        line[low : high + 1] += mass
        lowest, highest = self.bands[place]
        if lowest > highest:
            self.bands[place] = low, high
        elif low < lowest or high > highest:
            self.bands[place] = min(low, lowest), max(high, highest)

    def _leap_length(self, low: int, high: int) -> int:
        """Return how many rounds can be fought at once: 0 if one of them may be fought with fewer than all dice."""
        spare = min(low - max(self.table.caps[0], self.floor + 1), self.level - high - self.table.caps[1])
        leap = spare // self.loss + 1
        if leap < SHORTEST_LEAP or sum(first <= last for first, last in self.bands) > 1:
            return 0
        return leap

    def _fight_at_once(self, line: Chances, low: int, high: int, count: int) -> None:
        """Fight several rounds at once in all cells from `low` to `high` attackers, which hold all the probability."""
        fewest, law, missing = power_law(self.table, count, self.drop)
        mass = line[low : high + 1].copy()
        self.dropped += missing * float(mass.sum())
        line[low : high + 1] = 0
        self.bands[self.level % len(self.lines)] = (1, 0)
        self.rounds += count * float(mass.sum())
        self.level -= count * self.loss
        self._add(self.level, low - fewest - len(law) + 1, np.convolve(mass, law[::-1]))


def power_law(table: LossTable, count: int, drop: float = 0.0) -> tuple[int, Chances, float]:
    """Return the law of the attackers lost in several rounds with all dice.

    Args:
        table: A round of the game.
        count: The number of rounds, at least 1.
        drop: Losses at either end that are less likely than this are left out.

    Returns:
        The lowest number, the chances from there on, and what they lack to 1.
    """
    if isinstance(table, CompiledTable):
        return table.power(count, drop)
    moves = table.moves[-1][-1]
    lost = np.zeros(max(i for i, _, _ in moves.outcomes) + 1)
    for i, _, chance in moves.outcomes:
        lost[i] = chance
    return _power(lost, count, drop)


def _power(lost: Chances, count: int, drop: float) -> tuple[int, Chances, float]:
    if count == 1:
        return _trim_law(0, lost, 0.0, drop)
    fewest, law, missing = _power(lost, count // 2, drop)
    # What is missing from a law is missing from both factors of its square.
    fewest, law, missing = 2 * fewest, np.convolve(law, law), missing * (2 - missing)
    if count % 2:
        law = np.convolve(law, lost)
    return _trim_law(fewest, law, missing, drop)


def _trim_law(fewest: int, law: Chances, missing: float, drop: float) -> tuple[int, Chances, float]:
    """Return the law without its unlikely ends: the lowest number, the chances, and what they lack to 1."""
    likely = np.flatnonzero(law >= drop) if drop else np.flatnonzero(law)
    first, last = int(likely[0]), int(likely[-1])
    missing += float(law[:first].sum() + law[last + 1 :].sum())
    return fewest + first, law[first : last + 1], missing


def edge_chances(
    table: LossTable, sizes: Cell, floor: int, side: int, guarded: bool = False, least: int = 0, enough: float = inf
) -> Chances:
    """Return the attacker's chances to win at the edge of a table of all sizes, which may be too large to keep.

    Args:
        table: A round of the game.
        sizes: The most attackers and defenders.
        floor: The battle is over once no more attackers than this are left.
        side: 0 for 0, 1, ... attackers against the most defenders; 1 for the most attackers against 0, 1, ...
            defenders.
        guarded: Whether attackers who never roll win if nobody else is left.
        least: A count that is not left out.
        enough: Larger counts are left out once this side's chance is so high; that of defenders is to hold.
    """
    if isinstance(table, CompiledTable):
        return table.edge_chances(side, sizes, floor, guarded, least, enough)
    other, chances = sizes[1 - side], list[float]()
    for level, line in enumerate(_lines(table, sizes, floor, guarded)):
        if level >= other:
            chances.append(line.item(level - other if side == 0 else other))
            if len(chances) > least and (1 - chances[-1] if side else chances[-1]) >= enough:
                break
    return np.array(chances)


def _lines(table: LossTable, sizes: Cell, floor: int, guarded: bool) -> Iterator[Chances]:
    """Yield the chances to win on the levels 0, 1, ..., by attackers."""
    lines = np.zeros((sum(table.most_lost) + 1, sizes[0] + 1))
    inner = table.moves[-1][-1]
    for level in range(sum(sizes) + 1):
        line = lines[level % len(lines)]
        low, high = max(level - sizes[1], 0), min(level, sizes[0])
        line[low : high + 1] = 0
        if level == high and (level or guarded):
            line[level] = 1
        low, high = max(low, floor + 1), min(high, level - 1)
        first, last = max(low, table.caps[0]), min(high, level - table.caps[1])
        if first > last:
            first, last = high + 1, high
        elif inner.leave:
            for i, j, chance in inner.outcomes:
                line[first : last + 1] += chance * lines[(level - i - j) % len(lines)][first - i : last + 1 - i]
            line[first : last + 1] /= inner.leave
        for a in (*range(low, first), *range(last + 1, high + 1)):
            moves = table.moves_at(a, level - a)
            if moves.leave:
                after = (chance * lines.item((level - i - j) % len(lines), a - i) for i, j, chance in moves.outcomes)
                line[a] = sum(after) / moves.leave
        yield line
