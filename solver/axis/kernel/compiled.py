"""The kernel of product.py in compiled code: the same cells and rounds, but all rows in one call.

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
from solver.axis.kernel.search import unique_inverse
from solver.axis.kernel.volley import FirePair
from solver.chain import Cell, Grid, Mask
from solver.compiled import library


def product_kernel(ground: Ground, eps: float = 0.0) -> ProductKernel:
    """Return the kernel of a battle, compiled if that is there, else in numpy: see `ProductKernel`."""
    return CompiledKernel(ground, eps) if library.library() else ProductKernel(ground, eps)


class CompiledKernel(ProductKernel):
    """The kernel in compiled code: see `ProductKernel`. All rows are a single step."""

    def __init__(self, ground: Ground, eps: float = 0.0) -> None:
        super().__init__(ground, eps)
        self._described: list[_Description] = []

    def steps(self, shape: tuple[int, ...], floor: int) -> Sequence[int]:
        """Return all rows as one step: see `Kernel.steps`."""
        del shape, floor
        return [0]

    def push(self, law: Grid, step: int, floor: int = 0, stopped: Mask | None = None) -> float:
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
        """Make all moves without fire: see `ProductKernel.make_moves`."""
        self._run("make_moves", law)

    def pull(self, worth: Grid, step: int, floor: int = 0, stop_pays: Grid | None = None) -> None:
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
        """Make all moves without fire backward: see `ProductKernel.make_moves_backward`."""
        self._run("make_moves_backward", worth, len(worth), worth[0].size)

    def _run(self, name: str, *arguments: Any) -> None:
        """Run a function of the compiled code on this battle, and count its work."""
        if not self._described:
            self._described.append(_Description(self))
        library.run_metered(name, self.ground.meter, self._described[0].field(self), *arguments)


class _Description:
    """The layout of a battle's cells and meetings, made once for all kernels of the battle."""

    def __init__(self, kernel: CompiledKernel) -> None:
        ground = kernel.ground
        self._references: list[Any] = []
        self._fires: dict[int, native.FireStruct] = {}
        (row_kinds, row_kind), (kinds, column_kind) = map(unique_inverse, (ground.row_kind, ground.column_kind))
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
        row_kind, first, order, moves_to = map(library.address, self._arrays)
        fights, stops = library.address(kernel.fights), library.address(kernel.stops)
        described = native.FieldStruct(*self._fixed, row_kind, first, order, addressof(self._meetings), fights, stops)
        described.moves_to, described.eps, described.least = moves_to, kernel.eps, kernel.eps * native.TRIFLE
        return described

    def _describe_meeting(self, meeting: Meeting) -> native.MeetingStruct:
        """The layout of a meeting."""
        described = native.MeetingStruct(layer=meeting.layer, quiet=bool(meeting.quiet), strikes=bool(meeting.strike))
        if meeting.quiet:
            described.quiet_rows, described.quiet_columns = map(self._keep, meeting.quiet)
        if meeting.strike:
            described.strike = self._describe_pair(meeting.strike)
        for layer, salvo in enumerate(meeting.salvos):
            if salvo:
                described.salvo_there[layer], described.salvo[layer] = True, self._describe_pair(salvo)
        return described

    def _describe_pair(self, pair: FirePair) -> native.PairStruct:
        """The layout of the fire of both sides."""
        return native.PairStruct(*(None if fire is None else addressof(self._describe_fire(fire)) for fire in pair))

    def _describe_fire(self, fire: Fire) -> native.FireStruct:
        """The layout of the fire of one side."""
        if id(fire) not in self._fires:
            self._references.append(fire)
            ways = fire.ways
            described = native.FireStruct(library.address(ways.chances), *ways.chances.shape[::-1])
            described.row, described.first, described.place = map(library.address, (fire.row, ways.first, ways.place))
            described.factor[: len(ways.factors)] = list(map(library.address, ways.factors))
            described.first_outcome, described.outcome = (
                library.address(ways.first_outcome),
                library.address(ways.outcome),
            )
            described.after = library.address(ways.after)
            self._fires[id(fire)] = described
        return self._fires[id(fire)]

    def _keep(self, nodes: Nodes | None) -> int | None:
        """Where some nodes are, kept in memory as long as this layout."""
        self._references.append(nodes)
        return library.address(nodes)
