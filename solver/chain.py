"""The one engine: absorbing chains on cells (attackers left, defenders left), solved level by level.

A *cell* (a, d) is what is left of each side and its *level* is a + d. A round either lowers the level or
changes nothing, and everything follows from that: cells of one level never feed each other, so a level is
one step for all of them, and the only loop is a cell on itself, which goes away by dividing by the chance
of leaving it. That chance is a sum of leaving chances, never one minus something, so only non-negative
numbers are ever added and multiplied and the error of each probability, however small, is relative.

Cells with no more than `floor` attackers, or with no defenders, are final. Grids are float arrays of
shape (attackers + 1, defenders + 1); forward they hold probability, backward the worth of each cell.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Grid = npt.NDArray[np.float64]

RoundLaw = Mapping[tuple[int, int], Fraction]
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
    """A game in which a round's law depends only on how many units each side brings to it.

    `laws[i][j]` is the law for i + 1 attackers against j + 1 defenders; larger armies use the last row and
    column. Cells from there on (the *inner* cells) all share one law, so a level of them is a few shifted
    multiply-adds; the few cells at the rim are taken one by one.
    """

    def __init__(self, laws: Sequence[Sequence[RoundLaw]]) -> None:
        self.moves = tuple(tuple(_moves(law) for law in row) for row in laws)
        self.caps = len(laws), len(laws[0])

    def at(self, attackers: int, defenders: int) -> Moves:
        """The round that this many attackers and defenders (both at least 1) fight."""
        return self.moves[min(attackers, self.caps[0]) - 1][min(defenders, self.caps[1]) - 1]


def forward(table: LossTable, start: Grid, floor: int = 0) -> tuple[Grid, float]:
    """Fight to the end: the law of the final cells, and the expected number of rounds.

    In the grid returned, cells that are not final hold the mass that passed through them, except cells that
    can never be left: they keep what reached them, and the rounds do not count what is stuck there.
    """
    law = start.copy()
    flat = law.reshape(-1)
    width = law.shape[1]
    rounds = 0.0
    for level, inner, rim in _levels(table, law.shape, floor):
        if inner is not None:
            moves = table.moves[-1][-1]
            here = flat[inner]
            if moves.leave > 0 and here.any():
                visits = here if moves.leave == 1 else here / moves.leave
                rounds += float(visits.sum())
                for lost_a, lost_d, chance in moves.outcomes:
                    flat[_shifted(inner, lost_a * width + lost_d)] += visits * chance
        for a in rim:
            mass = law.item(a, level - a)
            moves = table.at(a, level - a)
            if mass and moves.leave > 0:
                visit = mass / moves.leave
                rounds += visit
                for lost_a, lost_d, chance in moves.outcomes:
                    law[a - lost_a, level - a - lost_d] += visit * chance
    return law, rounds


def backward(table: LossTable, payoff: Grid, floor: int = 0) -> Grid:
    """The worth of every cell: what a battle from there pays on average, given the payoff of the final cells.

    Cells that can never be left are worth their own payoff.
    """
    worth = payoff.copy()
    flat = worth.reshape(-1)
    width = worth.shape[1]
    for level, inner, rim in _levels(table, worth.shape, floor, ascending=True):
        for a in rim:
            moves = table.at(a, level - a)
            if moves.leave > 0:
                total = sum(p * worth.item(a - i, level - a - j) for i, j, p in moves.outcomes)
                worth[a, level - a] = total / moves.leave
        moves = table.moves[-1][-1]
        if inner is not None and moves.leave > 0:
            flat[inner] = sum(p * flat[_shifted(inner, i * width + j)] for i, j, p in moves.outcomes) / moves.leave
    return worth


def bounded(table: LossTable, start: Grid, rounds: int, floor: int = 0) -> tuple[Grid, float]:
    """Fight at most so many rounds: the law of all cells after them, and the expected number of rounds."""
    law = start.copy()
    expected = 0.0
    for _ in range(rounds):
        fighting = law[floor + 1 :, 1:].copy()
        alive = float(fighting.sum())
        if alive == 0:
            break
        expected += alive
        law[floor + 1 :, 1:] = 0
        for rows, columns, moves in _blocks(table, law.shape, floor):
            mass = fighting[rows.start - floor - 1 : rows.stop - floor - 1, columns.start - 1 : columns.stop - 1]
            if moves.stay:
                law[rows, columns] += mass * moves.stay
            for i, j, chance in moves.outcomes:
                law[rows.start - i : rows.stop - i, columns.start - j : columns.stop - j] += mass * chance
    return law, expected


def stalled(table: LossTable, law: Grid, floor: int = 0) -> float:
    """The probability that, in the law of `forward`, reached cells which can never be left."""
    blocks = _blocks(table, law.shape, floor)
    return float(sum(law[rows, columns].sum() for rows, columns, moves in blocks if moves.leave == 0))


def worth_by_rounds(table: LossTable, payoff: Grid, rounds: int, floor: int = 0) -> Iterator[Grid]:
    """The worth of every cell with 0, 1, ..., `rounds` rounds still to fight."""
    worth = payoff.copy()
    yield worth
    for _ in range(rounds):
        after, worth = worth, payoff.copy()
        for rows, columns, moves in _blocks(table, worth.shape, floor):
            worth[rows, columns] = moves.stay * after[rows, columns]
            for i, j, chance in moves.outcomes:
                shifted = after[rows.start - i : rows.stop - i, columns.start - j : columns.stop - j]
                worth[rows, columns] += chance * shifted
        yield worth


def _moves(law: RoundLaw) -> Moves:
    leaving = [(losses, chance) for losses, chance in sorted(law.items()) if any(losses) and chance]
    leave = sum((chance for _, chance in leaving), Fraction(0))
    outcomes = tuple(Outcome(*losses, float(chance)) for losses, chance in leaving)
    return Moves(outcomes, float(leave), float(1 - leave))


def _levels(
    table: LossTable, shape: tuple[int, ...], floor: int, ascending: bool = False
) -> Iterator[tuple[int, slice | None, list[int]]]:
    """The cells still fighting, by levels: inner ones as a slice of the flat grid, the rim by its attackers.

    Where rows are of length d + 1, cell (a, level - a) stands at a * d + level: a level is a slice of step d.
    """
    attackers, defenders = shape[0] - 1, shape[1] - 1
    cap_a, cap_d = table.caps
    levels = range(floor + 2, attackers + defenders + 1)
    for level in levels if ascending else reversed(levels):
        low, high = max(floor + 1, level - defenders), min(attackers, level - 1)
        first, last = max(low, cap_a), min(high, level - cap_d)
        if first <= last:
            inner = slice(first * defenders + level, last * defenders + level + 1, defenders)
            yield level, inner, [*range(low, first), *range(last + 1, high + 1)]
        else:
            yield level, None, list(range(low, high + 1))


def _shifted(cells: slice, by: int) -> slice:
    return slice(cells.start - by, cells.stop - by, cells.step)


def _blocks(table: LossTable, shape: tuple[int, ...], floor: int) -> Iterator[tuple[slice, slice, Moves]]:
    """The cells still fighting, as rectangles that share one law."""
    attackers, defenders = shape[0] - 1, shape[1] - 1
    cap_a, cap_d = table.caps
    for i in range(1, cap_a + 1):
        rows = slice(max(i, floor + 1), (attackers if i == cap_a else min(i, attackers)) + 1)
        for j in range(1, cap_d + 1):
            columns = slice(j, (defenders if j == cap_d else min(j, defenders)) + 1)
            if rows.start < rows.stop and columns.start < columns.stop:
                yield rows, columns, table.moves[i - 1][j - 1]
