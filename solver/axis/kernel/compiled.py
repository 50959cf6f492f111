"""The kernel of product.py in compiled code: the same cells and rounds, but all rows of a battle in one call.

It follows each cell by itself: cells with no more than `eps` are left out, and pairs of outcomes with next to nothing.
"""

from collections.abc import Sequence
from ctypes import addressof, c_double
from typing import Any

import numpy as np

from solver.axis.kernel import native
from solver.axis.kernel.fire import Fire
from solver.axis.kernel.forces import Nodes
from solver.axis.kernel.ground import Ground, Meeting
from solver.axis.kernel.product import ProductKernel
from solver.axis.kernel.volley import FirePair
from solver.chain import Cell, Grid, Mask


def product_kernel(ground: Ground, eps: float = 0.0) -> ProductKernel:
    """Return the kernel of a battle: compiled if that is there, else in numpy.

    Args:
        ground: The cells.
        eps: Probability in a cell that is no longer followed.
    """
    return CompiledKernel(ground, eps) if native.library() else ProductKernel(ground, eps)


class CompiledKernel(ProductKernel):
    """The kernel in compiled code: see `ProductKernel`. All rows are a single step."""

    def __init__(self, ground: Ground, eps: float = 0.0) -> None:
        """Take the cells.

        Args:
            ground: The cells.
            eps: Probability in a cell that is no longer followed.
        """
        super().__init__(ground, eps)
        self._described: list[_Description] = []

    def steps(self, shape: tuple[int, ...], floor: int) -> Sequence[slice]:
        """Return all rows as one step: see `Kernel.steps`."""
        del shape, floor
        return [slice(0, self.ground.sizes[0])]

    def push(self, law: Grid, step: slice, floor: int = 0, stopped: Mask | None = None) -> float:
        """Fight all rounds: see `Kernel.push`. Mass that is no longer followed stays in its cell."""
        del step, floor, stopped
        rounds = c_double()
        self._run("push", law, rounds)
        return rounds.value

    def spread(self, law: Grid, fighting: Grid, low: Cell) -> float:
        """Fight a single round: see `SpreadKernel.spread`. Mass that is no longer followed stays in its cell."""
        waiting, fought = self.empty(), c_double()
        waiting[low[0] :, low[1] :] = fighting
        self._run("spread", law, waiting, fought)
        law += waiting
        self.make_moves(law)
        return fought.value

    def make_moves(self, law: Grid) -> None:
        """Make all moves without fire, as before and after each round: units retreat and submarines submerge.

        Args:
            law: The grid.
        """
        self._run("make_moves", law)

    def pull(self, worth: Grid, step: slice, floor: int = 0, stop_pays: Grid | None = None) -> None:
        """Set the worth of all cells: see `Kernel.pull`. `worth` is [payoff, row, column]."""
        del step, floor, stop_pays
        self._run("pull", worth, len(worth), native.describe_choice(self.choice))

    def gather(self, worth: Grid, ends: Grid) -> Grid:
        """Return the worth of all cells with one round more to fight: see `ProductKernel.gather`."""
        after = np.zeros_like(worth)
        after[:, : ends.shape[1]] = ends
        self._run("gather", after, worth, len(worth))
        self.make_moves_backward(after)
        return after[:, : ends.shape[1]]

    def make_moves_backward(self, worth: Grid) -> None:
        """Give cells with a move without fire the worth of the cells to which it leads.

        Args:
            worth: The worth of all cells: [payoff, row, column].
        """
        self._run("make_moves_backward", worth, len(worth), worth[0].size)

    def _run(self, name: str, *arguments: Any) -> None:
        """Run a function of the compiled code on this battle, and count its work."""
        if not self._described:
            self._described.append(_Description(self))
        native.run_metered(name, self.ground.meter, self._described[0].field(self), *arguments)


class _Description:
    """The layout of a battle's cells and meetings, made once for all kernels of the battle."""

    def __init__(self, kernel: CompiledKernel) -> None:
        ground = kernel.ground
        self._kept: list[Any] = []
        self._fires: dict[int, native.FireStruct] = {}
        row_kinds, row_kind = np.unique(ground.row_kind, return_inverse=True)
        kinds, column_kind = np.unique(ground.column_kind, return_inverse=True)
        pairs = [(row, column) for row in row_kinds.tolist() for column in kinds.tolist()]
        self._meetings = (native.MeetingStruct * len(pairs))(
            *(self._describe_meeting(kernel._meeting(*pair)) for pair in pairs)
        )
        order = np.argsort(column_kind, kind="stable")
        first = np.searchsorted(column_kind[order], np.arange(len(kinds) + 1))
        self._arrays = row_kind, first, order, ground.moves_to
        self._fixed = (*ground.sizes, ground.layers, len(row_kinds), len(kinds))

    def field(self, kernel: CompiledKernel) -> native.FieldStruct:
        """Return the layout of the cells of a kernel of this battle."""
        row_kind, first, order, moves_to = map(native.address, self._arrays)
        fights, stops = native.address(kernel.fights), native.address(kernel.stops)
        found = native.FieldStruct(*self._fixed, row_kind, first, order, addressof(self._meetings), fights, stops)
        found.moves_to, found.eps, found.least = moves_to, kernel.eps, kernel.eps * native.TRIFLE
        return found

    def _describe_meeting(self, meeting: Meeting) -> native.MeetingStruct:
        """The layout of a meeting."""
        found = native.MeetingStruct(layer=meeting.layer, quiet=bool(meeting.quiet), strikes=bool(meeting.strike))
        if meeting.quiet:
            found.quiet_rows, found.quiet_columns = map(self._keep, meeting.quiet)
        if meeting.strike:
            found.strike = self._describe_pair(meeting.strike)
        for layer, salvo in enumerate(meeting.salvos):
            if salvo:
                found.salvo_there[layer], found.salvo[layer] = True, self._describe_pair(salvo)
        return found

    def _describe_pair(self, pair: FirePair) -> native.PairStruct:
        """The layout of the fire of both sides."""
        return native.PairStruct(*(None if fire is None else addressof(self._describe_fire(fire)) for fire in pair))

    def _describe_fire(self, fire: Fire) -> native.FireStruct:
        """The layout of the fire of one side."""
        if id(fire) not in self._fires:
            self._kept.append(fire)
            ways = fire.ways
            found = native.FireStruct(native.address(ways.chances), ways.chances.shape[1])
            found.row, found.first, found.place = map(native.address, (fire.row, ways.first, ways.place))
            found.factor[: len(ways.factors)] = list(map(native.address, ways.factors))
            found.first_outcome, found.outcome = native.address(ways.first_outcome), native.address(ways.outcome)
            found.after, found.most = native.address(ways.after), fire.most
            self._fires[id(fire)] = found
        return self._fires[id(fire)]

    def _keep(self, nodes: Nodes | None) -> int | None:
        """Where some nodes are, kept in memory as long as this layout."""
        self._kept.append(nodes)
        return native.address(nodes)
