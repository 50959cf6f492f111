"""The one engine: absorbing chains on cells (attackers left, defenders left), solved level by level.

A *cell* (a, d) is what is left of each side and its *level* is a + d. A round either lowers the level or
changes nothing, and everything follows from that: cells of one level never feed each other, so a level is
one step for all of them, and the only loop is a cell on itself, which goes away by dividing by the chance
of leaving it. That chance is a sum of leaving chances, never one minus something, so only non-negative
numbers are ever added and multiplied and the error of each probability, however small, is relative.

The engine walks the levels; a *kernel* knows what a round of a game does to the cells of one level. Cells
with no more than `floor` attackers, or with no defenders, are final. Grids are float arrays of
shape (attackers + 1, defenders + 1); forward they hold probability, backward the worth of each cell. For answers
as fractions they are arrays of whole numbers (solver/exact.py).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Grid = npt.NDArray[np.float64]

Cell = tuple[int, int]
"""How many attackers and how many defenders are left."""

RoundLaw = Mapping[Cell, Fraction]
"""The chance of each pair (attackers lost, defenders lost) in one round."""


class Outcome(NamedTuple):
    """One way for a round to end: what each side loses, and the chance of it."""

    attackers: int
    defenders: int
    chance: float


class Moves(NamedTuple):
    """A round as the engine uses it: the ways to lose something, their total, and the chance of no loss."""

    outcomes: tuple[Outcome, ...]
    leave: float
    stay: float


class LossTable:
    """The kernel of games whose round has a law that depends only on how many units each side brings to it.

    `laws[i][j]` is the law for i + 1 attackers against j + 1 defenders; larger armies use the last row and
    column. Cells from there on (the *inner* cells) all share one law, so a level of them is a few shifted
    multiply-adds; the few cells at the rim of a level are taken one by one. `most_lost` is the most that a round
    can cost each side, `least_chance` the chance of the least likely way for a round to end.
    """

    def __init__(self, laws: Sequence[Sequence[RoundLaw]], moves: Callable[[RoundLaw], Moves] | None = None) -> None:
        """With `moves` to say a law in other numbers than floats, for grids of these."""
        moves = moves or _moves
        self.moves = tuple(tuple(moves(law) for law in row) for row in laws)
        self.caps: Cell = len(laws), len(laws[0])
        every = [moves for row in self.moves for moves in row]
        outcomes = [outcome for moves in every for outcome in moves.outcomes]
        self.most_lost: Cell = (
            max((outcome.attackers for outcome in outcomes), default=0),
            max((outcome.defenders for outcome in outcomes), default=0),
        )
        chances = [outcome.chance for outcome in outcomes] + [moves.stay for moves in every if moves.stay]
        self.least_chance = min(chances, default=1.0)

    def at(self, attackers: int, defenders: int) -> Moves:
        """The round that this many attackers and defenders (both at least 1) fight."""
        return self.moves[min(attackers, self.caps[0]) - 1][min(defenders, self.caps[1]) - 1]

    def push(self, law: Grid, level: int, floor: int) -> float:
        """Send the mass that reached the cells of a level on to lower ones; returns the rounds fought there."""
        inner, rim = self._cells(law.shape, level, floor)
        rounds = 0.0
        moves = self.moves[-1][-1]
        flat, width = law.reshape(-1), law.shape[1]
        if inner is not None and moves.leave > 0 and (here := flat[inner]).any():
            visits = here if moves.leave == 1 else here / moves.leave
            rounds += float(visits.sum())
            for i, j, chance in moves.outcomes:
                flat[_shifted(inner, i * width + j)] += visits * chance
        for a in rim:
            mass, moves = law.item(a, level - a), self.at(a, level - a)
            if mass and moves.leave > 0:
                visit = mass / moves.leave
                rounds += visit
                for i, j, chance in moves.outcomes:
                    law[a - i, level - a - j] += visit * chance
        return rounds

    def pull(self, worth: Grid, level: int, floor: int) -> None:
        """Set the worth of the cells of a level from that of lower ones."""
        inner, rim = self._cells(worth.shape, level, floor)
        for a in rim:
            moves = self.at(a, level - a)
            if moves.leave > 0:
                total = sum(chance * worth.item(a - i, level - a - j) for i, j, chance in moves.outcomes)
                worth[a, level - a] = total if moves.leave == 1 else total / moves.leave
        moves = self.moves[-1][-1]
        flat, width = worth.reshape(-1), worth.shape[1]
        if inner is not None and moves.leave > 0:
            ahead = np.zeros_like(flat[inner])
            for i, j, chance in moves.outcomes:
                ahead += chance * flat[_shifted(inner, i * width + j)]
            flat[inner] = ahead if moves.leave == 1 else ahead / moves.leave

    def blocks(self, low: Cell, high: Cell) -> Iterator[tuple[slice, slice, Moves]]:
        """The cells from `low` (at least one unit each) to `high`, as rectangles that share one law."""
        for i in range(1, self.caps[0] + 1):
            rows = slice(max(i, low[0]), (high[0] if i == self.caps[0] else min(i, high[0])) + 1)
            for j in range(1, self.caps[1] + 1):
                columns = slice(max(j, low[1]), (high[1] if j == self.caps[1] else min(j, high[1])) + 1)
                if rows.start < rows.stop and columns.start < columns.stop:
                    yield rows, columns, self.moves[i - 1][j - 1]

    def _cells(self, shape: tuple[int, ...], level: int, floor: int) -> tuple[slice | None, list[int]]:
        """The cells of a level still fighting: inner ones as a slice of the flat grid, the rim by its attackers.

        Where rows are of length d + 1, cell (a, level - a) stands at a * d + level: a level is a slice of step d.
        """
        attackers, defenders = shape[0] - 1, shape[1] - 1
        low, high = max(floor + 1, level - defenders), min(attackers, level - 1)
        first, last = max(low, self.caps[0]), min(high, level - self.caps[1])
        if first > last:
            return None, list(range(low, high + 1))
        inner = slice(first * defenders + level, last * defenders + level + 1, defenders)
        return inner, [*range(low, first), *range(last + 1, high + 1)]


def forward(table: LossTable, start: Cell, floor: int = 0) -> tuple[Grid, float]:
    """Fight to the end: the law of the final cells, and the expected number of rounds.

    In the grid returned, cells that are not final hold the mass that passed through them, except cells that
    can never be left: they keep what reached them, and the rounds do not count what is stuck there.
    """
    law = _certain(start)
    rounds = 0.0
    for level in range(sum(start), floor + 1, -1):
        rounds += table.push(law, level, floor)
    return law, rounds


def stalled(table: LossTable, law: Grid, floor: int = 0) -> float:
    """The probability that, in the law of `forward`, reached cells which can never be left."""
    blocks = table.blocks((floor + 1, 1), (law.shape[0] - 1, law.shape[1] - 1))
    return float(sum(law[rows, columns].sum() for rows, columns, moves in blocks if moves.leave == 0))


def backward(table: LossTable, worth: Grid, floor: int = 0) -> Grid:
    """Fill in the worth of every cell: what a battle from there pays on average, given the final cells' payoff.

    Cells that can never be left keep the payoff that stands there.
    """
    for level in range(floor + 2, sum(worth.shape) - 1):
        table.pull(worth, level, floor)
    return worth


def bounded(table: LossTable, start: Cell, rounds: int, floor: int = 0) -> tuple[Grid, float]:
    """Fight at most so many rounds: the law of all cells after them, and the expected number of rounds."""
    law = _certain(start)
    expected = 0.0
    for played in range(rounds):
        low = _reached(table, start, played, floor)
        window = law[low[0] :, low[1] :]
        fighting = window.copy()
        alive = float(fighting.sum())
        if alive == 0:
            break
        expected += alive
        window[:] = 0
        for rows, columns, moves in table.blocks(low, start):
            mass = fighting[_shifted(rows, low[0]), _shifted(columns, low[1])]
            if moves.stay:
                law[rows, columns] += mass * moves.stay
            for i, j, chance in moves.outcomes:
                law[_shifted(rows, i), _shifted(columns, j)] += mass * chance
    return law, expected


def worth_by_rounds(table: LossTable, worth: Grid, rounds: int, floor: int = 0) -> Iterator[Grid]:
    """The worth of cells with 0, 1, ..., `rounds` rounds still to fight, in the one grid that holds the payoff.

    Only cells that the highest one can have led to by then are kept up to date.
    """
    start = worth.shape[0] - 1, worth.shape[1] - 1
    yield worth
    for left in range(1, rounds + 1):
        low = _reached(table, start, rounds - left, floor)
        before = worth[low[0] :, low[1] :].copy()
        ahead = np.zeros_like(before)
        for rows, columns, moves in table.blocks(low, start):
            here = _shifted(rows, low[0]), _shifted(columns, low[1])
            ahead[here] = moves.stay * before[here]
            for i, j, chance in moves.outcomes:
                ahead[here] += chance * worth[_shifted(rows, i), _shifted(columns, j)]
        worth[low[0] :, low[1] :] = ahead
        yield worth


def _certain(start: Cell) -> Grid:
    """All the probability on one cell, the highest of the grid."""
    law = np.zeros((start[0] + 1, start[1] + 1))
    law[start] = 1.0
    return law


def _reached(table: LossTable, start: Cell, rounds: int, floor: int) -> Cell:
    """The lowest cell still fighting that so many rounds can lead to."""
    attackers, defenders = (most - rounds * lost for most, lost in zip(start, table.most_lost, strict=True))
    return max(floor + 1, attackers), max(1, defenders)


def _moves(law: RoundLaw) -> Moves:
    leaving = [(losses, chance) for losses, chance in sorted(law.items()) if any(losses) and chance]
    leave = sum((chance for _, chance in leaving), Fraction(0))
    outcomes = tuple(Outcome(*losses, float(chance)) for losses, chance in leaving)
    return Moves(outcomes, float(leave), float(1 - leave))


def _shifted(cells: slice, by: int) -> slice:
    return slice(cells.start - by, cells.stop - by, cells.step)
