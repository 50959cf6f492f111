"""The kernel of dice that are compared, with a law of losses for each number of units that the sides roll for."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from solver.chain import Cell, Grid, Mask, RoundLaw


class Outcome(NamedTuple):
    """One outcome of a round.

    Attributes:
        attackers: The attackers lost.
        defenders: The defenders lost.
        chance: The probability of this outcome.
    """

    attackers: int
    defenders: int
    chance: float


class Moves(NamedTuple):
    """One round in the form that the engine uses.

    Attributes:
        outcomes: The outcomes in which a unit is lost.
        leave: The sum of their chances.
        stay: The chance that no unit is lost.
    """

    outcomes: tuple[Outcome, ...]
    leave: float
    stay: float


class LossTable:
    """The kernel of games in which the law of a round depends only on the units that each side rolls for.

    A step is a level of the grid: its cells never feed each other. All cells from the caps on (the *inner* ones) share
    one law, so a level of them takes a few shifted multiply-adds. The few cells at its rim are taken one by one.

    Args:
        laws: `[i][j]` is the law for i + 1 attackers against j + 1 defenders; larger armies use the last row and
            column.
        convert: Converts a law to the numbers of the grid; None for floats.
    """

    def __init__(self, laws: Sequence[Sequence[RoundLaw]], convert: Callable[[RoundLaw], Moves] | None = None) -> None:
        """Convert the laws and find the caps."""
        self.moves = tuple(tuple(map(convert or _float_moves, row)) for row in laws)
        self.caps: Cell = len(laws), len(laws[0])
        kinds = [moves for row in self.moves for moves in row]
        outcomes = [outcome for moves in kinds for outcome in moves.outcomes]
        attackers, defenders = ([outcome[side] for outcome in outcomes] for side in (0, 1))
        self.most_lost: Cell = int(max(attackers, default=0)), int(max(defenders, default=0))
        chances = [outcome.chance for outcome in outcomes] + [moves.stay for moves in kinds if moves.stay]
        self.least_chance = min(chances, default=1.0)

    @property
    def steady_loss(self) -> int:
        """The units that every round with all dice costs both sides together; 0 if that is not always the same."""
        inner = self.moves[-1][-1]
        totals = {i + j for i, j, _ in inner.outcomes}
        return totals.pop() if len(totals) == 1 and inner.leave == 1 else 0

    def moves_at(self, attackers: int, defenders: int) -> Moves:
        """Return the round that these armies fight.

        Args:
            attackers: Their number, at least 1.
            defenders: Their number, at least 1.
        """
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
                flat[shift(inner, i * width + j)] += visits * chance
        for a in rim:
            mass, moves = law.item(a, level - a), self.moves_at(a, level - a)
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
            moves = self.moves_at(a, level - a)
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
                ahead += chance * flat[shift(inner, i * width + j)]
            flat[inner] = ahead if moves.leave == 1 else ahead / moves.leave
        if inner is not None and stop_pays is not None:
            flat[inner] = np.maximum(flat[inner], stop_pays.reshape(-1)[inner])

    def spread(self, law: Grid, fighting: Grid, low: Cell) -> float:
        """See `SpreadKernel`."""
        for rows, columns, kind in blocks(self.caps, low, law.shape):
            moves, mass = self.moves_at(*kind), fighting[shift(rows, low[0]), shift(columns, low[1])]
            if moves.stay:
                law[rows, columns] += mass * moves.stay
            for i, j, chance in moves.outcomes:
                law[shift(rows, i), shift(columns, j)] += mass * chance
        return float(fighting.sum())

    def gather(self, ahead: Grid, worth: Grid, low: Cell) -> None:
        """See `RoundKernel`."""
        for rows, columns, kind in blocks(self.caps, low, worth.shape):
            moves = self.moves_at(*kind)
            here = shift(rows, low[0]), shift(columns, low[1])
            ahead[here] *= moves.stay
            for i, j, chance in moves.outcomes:
                ahead[here] += chance * worth[shift(rows, i), shift(columns, j)]

    def stuck_cells(self, shape: tuple[int, ...]) -> Mask:
        """See `EndlessKernel`."""
        stuck = np.zeros(shape, bool)
        for rows, columns, kind in blocks(self.caps, (1, 1), shape):
            stuck[rows, columns] = self.moves_at(*kind).leave == 0
        return stuck


def has_library() -> bool:
    """Return whether there is compiled code for battles with dice."""
    from solver.compiled import library  # Writing battles down never needs it.

    return library.library() is not None


def levels(shape: tuple[int, ...], floor: int) -> range:
    """Return the levels of a grid on which both sides may still fight, highest first: see `Kernel`."""
    return range(sum(shape) - 2, floor + 1, -1)


def blocks(caps: Cell, low: Cell, shape: tuple[int, ...]) -> Iterator[tuple[slice, slice, Cell]]:
    """Yield the rectangles of cells in which both sides roll a fixed number of dice.

    Args:
        caps: The most dice of the attacker and of the defender.
        low: The lowest cell, with at least one unit on each side.
        shape: The shape of the grid.

    Yields:
        The rows, the columns, and the dice (attacker's, defender's).
    """
    high = shape[0] - 1, shape[1] - 1
    for i in range(1, caps[0] + 1):
        rows = slice(max(i, low[0]), (high[0] if i == caps[0] else min(i, high[0])) + 1)
        for j in range(1, caps[1] + 1):
            columns = slice(max(j, low[1]), (high[1] if j == caps[1] else min(j, high[1])) + 1)
            if rows.start < rows.stop and columns.start < columns.stop:
                yield rows, columns, (i, j)


def level_cells(shape: tuple[int, ...], level: int, floor: int, caps: Cell) -> tuple[slice | None, list[int]]:
    """Return the cells of a level that still fight.

    With rows of length d + 1, the cell (a, level - a) has the place a * d + level in the flat grid, so a level is a
    slice of step d.

    Args:
        shape: The shape of the grid, (attackers + 1, d + 1).
        level: The units on both sides together.
        floor: A cell with no more attackers than this is final.
        caps: The most dice of the attacker and of the defender.

    Returns:
        The inner cells as a slice of the flat grid, None if there are none, and the attackers of the cells at the rim.
    """
    attackers, defenders = shape[0] - 1, shape[1] - 1
    low, high = max(floor + 1, level - defenders), min(attackers, level - 1)
    first, last = max(low, caps[0]), min(high, level - caps[1])
    if first > last:
        return None, list(range(low, high + 1))
    inner = slice(first * defenders + level, last * defenders + level + 1, defenders)
    return inner, [*range(low, first), *range(last + 1, high + 1)]


def shift(cells: slice, by: int) -> slice:
    """Return a slice moved down.

    Args:
        cells: A slice with a start and a stop.
        by: The number of places.
    """
    return slice(cells.start - by, cells.stop - by, cells.step)


def law_given_loss(law: RoundLaw) -> RoundLaw:
    """Return the law of a round under the condition that a unit is lost; it is empty if that is impossible.

    Args:
        law: The law of a round.

    Example:
        >>> law_given_loss({(0, 0): Fraction(3, 4), (1, 0): Fraction(1, 4)})
        {(1, 0): Fraction(1, 1)}
    """
    leaving = {losses: chance for losses, chance in law.items() if any(losses) and chance}
    total = sum(leaving.values())
    return {losses: chance / total for losses, chance in leaving.items()}


def _float_moves(law: RoundLaw) -> Moves:
    """Return a law in floats."""
    leaving = [(losses, chance) for losses, chance in sorted(law.items()) if any(losses) and chance]
    leave = sum((chance for _, chance in leaving), Fraction(0))
    outcomes = tuple(Outcome(*losses, float(chance)) for losses, chance in leaving)
    return Moves(outcomes, float(leave), float(1 - leave))
