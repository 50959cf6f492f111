"""The one engine: absorbing chains on cells (attackers left, defenders left).

A *cell* (a, d) is what is left of each side and its *level* is a + d. A round either lowers the level or
changes nothing, and everything follows from that: cells can be taken in an order in which none feeds an earlier
one, and the only loop is a cell on itself, which goes away by dividing by the chance of leaving it. That chance
is a sum of leaving chances, never one minus something, so only non-negative numbers are ever added and multiplied
and the error of each probability, however small, is relative.

The engine walks; a *kernel* knows what a round of a game does to the cells of one step. Cells with no more than
`floor` attackers, or with no defenders, are final, and so are those where the attacker has `stopped`. Grids are
float arrays of shape (attackers + 1, defenders + 1); forward they hold probability, backward the worth of each
cell. For answers as fractions they are arrays of whole numbers or fractions (solver/exact.py).
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Grid = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

Cell = tuple[int, int]
"""How many attackers and how many defenders are left."""

RoundLaw = Mapping[Cell, Fraction]
"""The chance of each pair (attackers lost, defenders lost) in one round."""


class Kernel(Protocol):
    """What a round of a game does to the cells of a grid, taken in steps of which none feeds an earlier one."""

    def steps(self, shape: tuple[int, ...], floor: int) -> Sequence[Any]:
        """The steps of a grid of this shape, in the order of a battle."""

    def push(self, law: Grid, step: Any, floor: int, stopped: Mask | None = None) -> float:
        """Send the mass that reached the cells of a step on to lower ones; returns the rounds fought there."""

    def pull(self, worth: Grid, step: Any, floor: int, stop_pays: Grid | None = None) -> None:
        """Set the worth of the cells of a step from that of lower ones, or what it pays to stop if that is more."""


class EndlessKernel(Kernel, Protocol):
    """A kernel of battles that can come to cells which are never left."""

    def stuck(self, shape: tuple[int, ...]) -> Mask:
        """For every cell of a grid whether nobody can ever lose anything there."""


class SpreadKernel(Protocol):
    """A kernel that can also fight a single round in all cells at once, for battles with a limit of rounds.

    `most_lost` is the most that a round can cost each side.
    """

    most_lost: Cell

    def spread(self, law: Grid, fighting: Grid, low: Cell) -> float:
        """Put where it goes in `law` the mass of `fighting`, whose corner is `low`; returns the mass that fought."""


class RoundKernel(SpreadKernel, Protocol):
    """One that can do so backward too."""

    def gather(self, ahead: Grid, worth: Grid, low: Cell) -> None:
        """One round earlier: make `ahead`, a copy of `worth` from the corner `low` on, its mean after a round."""


def certain(start: Cell) -> Grid:
    """All the probability on one cell, the highest of the grid."""
    law = np.zeros((start[0] + 1, start[1] + 1))
    law[start] = 1.0
    return law


def forward(kernel: Kernel, law: Grid, floor: int = 0, stopped: Mask | None = None) -> float:
    """Fight to the end from the cells that have mass in `law`; returns the expected number of rounds.

    Then final cells hold how likely they are the end. The others hold the mass that passed through them, except
    cells that can never be left: they keep what reached them, and the rounds do not count what is stuck there.
    """
    return sum((kernel.push(law, step, floor, stopped) for step in kernel.steps(law.shape, floor)), 0.0)


def stalled(kernel: EndlessKernel, law: Grid, floor: int = 0, stopped: Mask | None = None) -> float:
    """The probability that, in the law after `forward`, reached cells which can never be left."""
    stuck = kernel.stuck(law.shape)
    if stopped is not None:
        stuck &= ~stopped
    return float(law[floor + 1 :, 1:][stuck[floor + 1 :, 1:]].sum())


def backward(kernel: Kernel, worth: Grid, floor: int = 0, stop_pays: Grid | None = None) -> Grid:
    """Fill in the worth of every cell: what a battle from there pays on average, given the final cells' payoff.

    With `stop_pays`, what it pays to stop, the attacker stops wherever going on is not worth more. Cells that can
    never be left keep the payoff that stands there.
    """
    for step in reversed(kernel.steps(worth.shape, floor)):
        kernel.pull(worth, step, floor, stop_pays)
    return worth


def bounded(kernel: SpreadKernel, law: Grid, rounds: int, floor: int = 0, everywhere: bool = False) -> float:
    """Fight at most so many rounds from the highest cell, or with `everywhere` from all that have mass in `law`.

    Returns the expected number of rounds; then `law` is that of all cells after them.
    """
    start = law.shape[0] - 1, law.shape[1] - 1
    expected = 0.0
    for played in range(rounds):
        low = (floor + 1, 1) if everywhere else _reached(kernel, start, played, floor)
        window = law[..., low[0] :, low[1] :]
        fighting = window.copy()
        window[:] = 0
        fought = kernel.spread(law, fighting, low)
        if fought == 0:
            break
        expected += fought
    return expected


def worth_by_rounds(
    kernel: RoundKernel, worth: Grid, rounds: int, floor: int = 0, everywhere: bool = False
) -> Iterator[Grid]:
    """The worth of cells with 0, 1, ..., `rounds` rounds still to fight, in the one grid that holds the payoff.

    Only cells that the highest one can have led to by then are kept up to date, or with `everywhere` all cells.
    """
    start = worth.shape[0] - 1, worth.shape[1] - 1
    yield worth
    for left in range(1, rounds + 1):
        low = (floor + 1, 1) if everywhere else _reached(kernel, start, rounds - left, floor)
        ahead = worth[low[0] :, low[1] :].copy()
        kernel.gather(ahead, worth, low)
        worth[low[0] :, low[1] :] = ahead
        yield worth


def _reached(kernel: SpreadKernel, start: Cell, rounds: int, floor: int) -> Cell:
    """The lowest cell still fighting that so many rounds can lead to."""
    attackers, defenders = (most - rounds * lost for most, lost in zip(start, kernel.most_lost, strict=True))
    return max(floor + 1, attackers), max(1, defenders)
