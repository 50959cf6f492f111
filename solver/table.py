"""The kernel of dice that are compared: rounds whose law depends only on how many units each side brings to it."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from solver.chain import Cell, Grid, Mask, RoundLaw


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
    column. A step is a level of the grid: its cells never feed each other. Cells from the caps on (the *inner* ones)
    all share one law, so a level of them is a few shifted multiply-adds; the few at its rim are taken one by one.
    """

    def __init__(self, laws: Sequence[Sequence[RoundLaw]], moves: Callable[[RoundLaw], Moves] | None = None) -> None:
        """With `moves` to say a law in other numbers than floats, for grids of these."""
        moves = moves or _moves
        self.moves = tuple(tuple(moves(law) for law in row) for row in laws)
        self.caps: Cell = len(laws), len(laws[0])
        every = [one for row in self.moves for one in row]
        outcomes = [outcome for one in every for outcome in one.outcomes]
        self.most_lost: Cell = (
            max((outcome.attackers for outcome in outcomes), default=0),
            max((outcome.defenders for outcome in outcomes), default=0),
        )
        chances = [outcome.chance for outcome in outcomes] + [one.stay for one in every if one.stay]
        self.least_chance = min(chances, default=1.0)

    def at(self, attackers: int, defenders: int) -> Moves:
        """The round that this many attackers and defenders (both at least 1) fight."""
        return self.moves[min(attackers, self.caps[0]) - 1][min(defenders, self.caps[1]) - 1]

    def steps(self, shape: tuple[int, ...], floor: int) -> range:
        """See `Kernel`: the levels of a grid, highest first."""
        return levels(shape, floor)

    def push(self, law: Grid, step: int, floor: int, stopped: Mask | None = None) -> float:
        """See `Kernel`."""
        level = step
        inner, rim = level_cells(law.shape, level, floor, self.caps)
        rounds = 0.0
        moves = self.moves[-1][-1]
        flat, width = law.reshape(-1), law.shape[1]
        if inner is not None and moves.leave > 0 and (here := flat[inner]).any():
            visits = here if moves.leave == 1 else here / moves.leave
            if stopped is not None:
                visits = np.where(stopped.reshape(-1)[inner], 0, visits)
            rounds += float(visits.sum())
            for i, j, chance in moves.outcomes:
                flat[shifted(inner, i * width + j)] += visits * chance
        for a in rim:
            mass, moves = law.item(a, level - a), self.at(a, level - a)
            if mass and moves.leave > 0 and (stopped is None or not stopped[a, level - a]):
                visit = mass / moves.leave
                rounds += visit
                for i, j, chance in moves.outcomes:
                    law[a - i, level - a - j] += visit * chance
        return rounds

    def pull(self, worth: Grid, step: int, floor: int, stop_pays: Grid | None = None) -> None:
        """See `Kernel`."""
        level = step
        inner, rim = level_cells(worth.shape, level, floor, self.caps)
        for a in rim:
            moves = self.at(a, level - a)
            if moves.leave > 0:
                total = sum(chance * worth.item(a - i, level - a - j) for i, j, chance in moves.outcomes)
                worth[a, level - a] = total if moves.leave == 1 else total / moves.leave
            if stop_pays is not None:
                worth[a, level - a] = max(worth[a, level - a], stop_pays[a, level - a])
        moves = self.moves[-1][-1]
        flat, width = worth.reshape(-1), worth.shape[1]
        if inner is not None and moves.leave > 0:
            ahead = np.zeros_like(flat[inner])
            for i, j, chance in moves.outcomes:
                ahead += chance * flat[shifted(inner, i * width + j)]
            flat[inner] = ahead if moves.leave == 1 else ahead / moves.leave
        if inner is not None and stop_pays is not None:
            flat[inner] = np.maximum(flat[inner], stop_pays.reshape(-1)[inner])

    def spread(self, law: Grid, fighting: Grid, low: Cell) -> float:
        """See `SpreadKernel`."""
        for rows, columns, kind in blocks(self.caps, low, law.shape):
            moves = self.at(*kind)
            mass = fighting[shifted(rows, low[0]), shifted(columns, low[1])]
            if moves.stay:
                law[rows, columns] += mass * moves.stay
            for i, j, chance in moves.outcomes:
                law[shifted(rows, i), shifted(columns, j)] += mass * chance
        return float(fighting.sum())

    def gather(self, ahead: Grid, worth: Grid, low: Cell) -> None:
        """See `RoundKernel`."""
        for rows, columns, kind in blocks(self.caps, low, worth.shape):
            moves = self.at(*kind)
            here = shifted(rows, low[0]), shifted(columns, low[1])
            ahead[here] *= moves.stay
            for i, j, chance in moves.outcomes:
                ahead[here] += chance * worth[shifted(rows, i), shifted(columns, j)]

    def stuck(self, shape: tuple[int, ...]) -> Mask:
        """See `EndlessKernel`."""
        stuck = np.zeros(shape, bool)
        for rows, columns, kind in blocks(self.caps, (1, 1), shape):
            stuck[rows, columns] = self.at(*kind).leave == 0
        return stuck


def levels(shape: tuple[int, ...], floor: int) -> range:
    """The levels of a grid on which somebody may still fight, highest first."""
    return range(sum(shape) - 2, floor + 1, -1)


def blocks(caps: Cell, low: Cell, shape: tuple[int, ...]) -> Iterator[tuple[slice, slice, Cell]]:
    """The cells from `low` (at least one unit each) on, in rectangles where both sides roll as many dice as (i, j)."""
    high = shape[0] - 1, shape[1] - 1
    for i in range(1, caps[0] + 1):
        rows = slice(max(i, low[0]), (high[0] if i == caps[0] else min(i, high[0])) + 1)
        for j in range(1, caps[1] + 1):
            columns = slice(max(j, low[1]), (high[1] if j == caps[1] else min(j, high[1])) + 1)
            if rows.start < rows.stop and columns.start < columns.stop:
                yield rows, columns, (i, j)


def level_cells(shape: tuple[int, ...], level: int, floor: int, caps: Cell) -> tuple[slice | None, list[int]]:
    """The cells of a level still fighting: inner ones as a slice of the flat grid, the rim by its attackers.

    Where rows are of length d + 1, cell (a, level - a) stands at a * d + level: a level is a slice of step d.
    """
    attackers, defenders = shape[0] - 1, shape[1] - 1
    low, high = max(floor + 1, level - defenders), min(attackers, level - 1)
    first, last = max(low, caps[0]), min(high, level - caps[1])
    if first > last:
        return None, list(range(low, high + 1))
    inner = slice(first * defenders + level, last * defenders + level + 1, defenders)
    return inner, [*range(low, first), *range(last + 1, high + 1)]


def shifted(cells: slice, by: int) -> slice:
    """The same cells, so many places lower."""
    return slice(cells.start - by, cells.stop - by, cells.step)


def given_a_loss(law: RoundLaw) -> RoundLaw:
    """The law of a round given that somebody loses something in it; empty where nobody ever does."""
    leaving = {losses: chance for losses, chance in law.items() if any(losses) and chance}
    total = sum(leaving.values())
    return {losses: chance / total for losses, chance in leaving.items()}


def _moves(law: RoundLaw) -> Moves:
    leaving = [(losses, chance) for losses, chance in sorted(law.items()) if any(losses) and chance]
    leave = sum((chance for _, chance in leaving), Fraction(0))
    outcomes = tuple(Outcome(*losses, float(chance)) for losses, chance in leaving)
    return Moves(outcomes, float(leave), float(1 - leave))
