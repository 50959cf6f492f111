"""The engine of all battles: absorbing Markov chains on cells (attackers left, defenders left).

A *cell* (a, d) is a number of attackers and of defenders left; its *level* is a + d. A round lowers the level or
changes nothing. So the cells can be visited in an order in which none feeds an earlier one. The only loop is from a
cell to itself; dividing by the chance of leaving the cell removes it. That chance is a sum, never one minus something:
the engine adds and multiplies non-negative numbers only, so the error of each probability is relative, however small
the probability.

The engine visits the cells; a *kernel* applies a round of one game to the cells of one step. A cell is final if it has
no more than `floor` attackers, or no defenders, or if the attacker has stopped there. Grids are float arrays of shape
(attackers + 1, defenders + 1). Forward they hold probability, backward the worth of each cell. For answers as fractions
they hold whole numbers or fractions (solver/dice/exact.py).
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Grid = npt.NDArray[np.float64]
Chances = npt.NDArray[np.float64]
"""Probabilities in one row."""
Counts = npt.NDArray[np.signedinteger[Any]]
"""Whole numbers in one row, such as numbers of units."""
Mask = npt.NDArray[np.bool_]

Cell = tuple[int, int]
"""The numbers of attackers and defenders left."""

RoundLaw = Mapping[Cell, Fraction]
"""The chance of each pair (attackers lost, defenders lost) in one round."""


class Kernel(Protocol):
    """A round of one game, applied to the cells of a grid step by step. No step feeds an earlier one.

    For all that uses a kernel, `shape` is the shape of the grid, a cell with no more attackers than `floor` is final,
    and a mask `stopped` marks further final cells. `law` holds the probability of each cell, `worth` the worth of each
    cell; both are changed in place.
    """

    def steps(self, shape: tuple[int, ...], floor: int) -> Sequence[Any]:
        """Return the steps of a grid, from the first round of a battle to the last: see `Kernel`."""

    def push(self, law: Grid, step: Any, floor: int, stopped: Mask | None = None) -> float:
        """Move the probability in the cells of one of the steps on to lower cells: see `Kernel`.

        Returns:
            The expected number of rounds fought in these cells.
        """

    def pull(self, worth: Grid, step: Any, floor: int, stop_pays: Grid | None = None) -> None:
        """Compute the worth of the cells of one of the steps from the worth of lower cells: see `Kernel`.

        `stop_pays` is the worth of stopping in each cell; the attacker takes it if it is more.
        """


class EndlessKernel(Kernel, Protocol):
    """A kernel of battles that may reach a cell where neither side can lose a unit."""

    def stuck_cells(self, shape: tuple[int, ...]) -> Mask:
        """Return a mask of the cells in which neither side can lose a unit: see `Kernel`."""


class SpreadKernel(Protocol):
    """A kernel that can fight one round in all cells at once, for battles with a limit of rounds.

    Attributes:
        most_lost: The most attackers and defenders that one round can cost.
    """

    most_lost: Cell

    def spread(self, law: Grid, fighting: Grid, low: Cell) -> float:
        """Fight one round and add the outcome to `law`.

        Args:
            law: The probability of each cell after the round, changed in place.
            fighting: The probability of each cell before the round; its corner is the cell `low`.
            low: The lowest cell that fights.

        Returns:
            The probability that a round was fought.
        """


class RoundKernel(Protocol):
    """A kernel that can take one round back in all cells at once; `most_lost` is that of `SpreadKernel`."""

    most_lost: Cell

    def gather(self, ahead: Grid, worth: Grid, low: Cell) -> None:
        """Set `ahead` to the mean of `worth` after one more round.

        Args:
            ahead: A copy of `worth` from the cell `low` on, changed in place.
            worth: The worth of each cell after the round.
            low: The lowest cell that fights.
        """


def point_law(start: Cell) -> Grid:
    """Return a grid with all the probability on its highest cell.

    Args:
        start: That cell, (attackers, defenders).

    Example:
        >>> point_law((1, 2)).tolist()
        [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    law = np.zeros((start[0] + 1, start[1] + 1))
    law[start] = 1.0
    return law


def forward(kernel: Kernel, law: Grid, floor: int = 0, stopped: Mask | None = None) -> float:
    """Fight to the end from every cell that has probability: see `Kernel`.

    The grid has the shape (attackers + 1, defenders + 1). Afterwards a final cell holds the chance that the battle ends
    there. Any other cell holds the probability that passed through it; a cell that is never left keeps what reached it.

    Returns:
        The expected number of rounds, not counting those in cells that are never left.
    """
    return sum((kernel.push(law, step, floor, stopped) for step in kernel.steps(law.shape, floor)), 0.0)


def stuck_chance(kernel: EndlessKernel, law: Grid, floor: int = 0, stopped: Mask | None = None) -> float:
    """Return the chance of reaching a cell that is never left, from the grid after `forward`: see `Kernel`."""
    stuck = kernel.stuck_cells(law.shape)
    if stopped is not None:
        stuck &= ~stopped
    return float(law[floor + 1 :, 1:][stuck[floor + 1 :, 1:]].sum())


def backward(kernel: Kernel, worth: Grid, floor: int = 0, stop_pays: Grid | None = None) -> Grid:
    """Compute the worth of every cell, the average payoff of a battle that begins there, and return it: see `Kernel`.

    The grid has the shape (attackers + 1, defenders + 1) and holds the payoff in the final cells. A cell that is never
    left keeps the payoff that it holds. `stop_pays` is the payoff of stopping in each cell. The attacker stops unless
    going on is worth more.
    """
    for step in reversed(kernel.steps(worth.shape, floor)):
        kernel.pull(worth, step, floor, stop_pays)
    return worth


def forward_rounds(kernel: SpreadKernel, law: Grid, rounds: int, floor: int = 0, everywhere: bool = False) -> float:
    """Fight a limited number of rounds.

    Args:
        kernel: A round of the game.
        law: The probability of each cell, changed in place to the law after the rounds.
        rounds: The most rounds that are fought.
        floor: A cell with no more attackers than this is final.
        everywhere: Fight in all cells. Otherwise only the highest cell may have probability at the start.

    Returns:
        The expected number of rounds.
    """
    start = law.shape[0] - 1, law.shape[1] - 1
    expected = 0.0
    for played in range(rounds):
        low = (floor + 1, 1) if everywhere else _lowest_reachable(kernel.most_lost, start, played, floor)
        fought = fight_round(kernel, law, low)
        if fought == 0:
            break
        expected += fought
    return expected


def fight_round(kernel: SpreadKernel, law: Grid, low: Cell) -> float:
    """Fight one round in all cells from the lowest that fights on: see `SpreadKernel.spread`."""
    window = law[..., low[0] :, low[1] :]
    fighting = window.copy()
    window[:] = 0
    return kernel.spread(law, fighting, low)


def worth_by_rounds(
    kernel: RoundKernel, worth: Grid, rounds: int, floor: int = 0, everywhere: bool = False
) -> Iterator[Grid]:
    """Yield the worth of every cell with 0, 1, ..., `rounds` rounds left to fight.

    Args:
        kernel: A round of the game.
        worth: The payoff in each cell once no rounds are left, of shape (attackers + 1, defenders + 1).
        rounds: The most rounds that are left.
        floor: A cell with no more attackers than this is final.
        everywhere: Compute all cells. Otherwise only those that a battle from the highest cell can have reached by
            then.

    Yields:
        `worth`, always the same array, changed in place.
    """
    start = worth.shape[0] - 1, worth.shape[1] - 1
    yield worth
    for left in range(1, rounds + 1):
        low = (floor + 1, 1) if everywhere else _lowest_reachable(kernel.most_lost, start, rounds - left, floor)
        ahead = worth[low[0] :, low[1] :].copy()
        kernel.gather(ahead, worth, low)
        worth[low[0] :, low[1] :] = ahead
        yield worth


def _lowest_reachable(most_lost: Cell, start: Cell, rounds: int, floor: int) -> Cell:
    """Return the lowest cell that is not final and that a battle can reach from `start` in so many rounds."""
    attackers, defenders = (most - rounds * lost for most, lost in zip(start, most_lost, strict=True))
    return max(floor + 1, attackers), max(1, defenders)
