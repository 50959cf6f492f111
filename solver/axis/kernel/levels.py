"""The kernel of Axis & Allies battles in which every hit takes the next unit, in compiled code: land, or no submarines.

The forces of a side stand on *lines*, one for each force with which it can begin. A line has one force of every rank,
that is of every number of hit points. Where nothing is compiled these battles take the kernel of product.py.

Grids may have more axes in front, for several battles of the same cells at once.
"""

from collections.abc import Sequence
from copy import copy
from ctypes import c_double
from typing import Any, NamedTuple, cast

import numpy as np

from solver.axis.kernel import native
from solver.axis.kernel.forces import Flags, Nodes
from solver.axis.kernel.ground import Choice
from solver.axis.kernel.hits import Laws, tails
from solver.axis.kernel.lattice import Lattice
from solver.axis.kernel.ways import TRIMMED
from solver.chain import Cell, Grid, Mask
from solver.compiled import library
from solver.progress import Meter


class Front(NamedTuple):
    """The lines of a side, and its hits on the other side.

    Attributes:
        nodes: The node of each rank on each line, 0 where there is none: [line, rank].
        there: Whether there is one: [line, rank].
        first: Whether it is the first place of its node, which may stand on several lines: [line, rank].
        laws: The probability of each number of hits, up to as many as the other side can take: [line, rank, hits].
        tails: The probability of at least so many hits: [line, rank, hits].
        minimum: For each rank the fewest hits worth a thought.
        maximum: For each rank the most hits worth a thought.
    """

    nodes: Nodes
    there: Flags
    first: Flags
    laws: Laws
    tails: Laws
    minimum: list[int]
    maximum: list[int]

    @classmethod
    def of(cls, side: Lattice, other: Lattice, trim: bool) -> "Front":
        """Return the lines of a lattice, which remembers them.

        Args:
            side: The lattice.
            other: The lattice of the other side.
            trim: Whether hits with next to no chance are left out.
        """
        asked = int(other.rank[-1]) + 1, trim
        if side.front[0] != asked:
            side.front = asked, cls._of(side, *asked)
        return cast("Front", side.front[1])

    @classmethod
    def _of(cls, side: Lattice, width: int, trim: bool) -> "Front":
        """The lines of a lattice against forces of fewer than `width` hit points."""
        assert side.lines is not None, "its forces stand on lines"
        there = side.lines >= 0
        nodes = np.where(there, side.lines, 0)
        # Where each node stands first: of several places the one that is written last counts.
        at = np.full(len(side), -1)
        at[nodes.reshape(-1)[::-1]] = np.arange(nodes.size)[::-1]
        first = np.zeros(nodes.size, bool)
        first[at[at >= 0]] = True
        laws = side.laws("all")
        parts = []
        for chances in (laws, tails(laws)):
            wide = np.zeros((len(chances), max(width, chances.shape[1])))
            wide[:, : chances.shape[1]] = chances
            parts.append(wide[nodes, :width] * there[:, :, None])
        likely: Flags = np.any(parts[0] > (TRIMMED if trim else 0.0), axis=0)
        # A stronger force hits no less often.
        minimum = np.where(likely.any(axis=1), likely.argmax(axis=1), width - 1)
        minimum = np.minimum.accumulate(minimum[::-1])[::-1]
        maximum = np.maximum.accumulate(width - 1 - likely[:, ::-1].argmax(axis=1))
        return cls(nodes, there, first.reshape(nodes.shape), parts[0], parts[1], minimum.tolist(), maximum.tolist())


class LevelKernel:
    """The kernel of battles on lines: see `Kernel`. It ignores `floor` and `stopped`.

    Inside, a grid is laid out by lines: [attacker's line, defender's line, battle, attacker's rank, defender's rank].

    Args:
        attack: The attacker's forces, on lines.
        defence: The defender's forces, on lines.
        fights: Whether there is a next round: [row, column].
        trim: Whether hits with next to no chance are left out.
        eps: Probability in a cell that is no longer followed.
        meter: Counts the work.
    """

    most_lost: Cell = (10**9, 10**9)

    def __init__(self, attack: Lattice, defence: Lattice, fights: Mask, trim: bool, eps: float, meter: Meter) -> None:
        self.eps, self.meter = eps, meter
        self.fights = self._fights = fights
        self.choice: Choice | None = None
        self._ours, self._theirs = Front.of(attack, defence, trim), Front.of(defence, attack, trim)
        self._ranks = self._ours.nodes.shape[1], self._theirs.nodes.shape[1]
        self._can_fight = min(self._ranks) > 1

    def with_stops(self, stops: Mask) -> "LevelKernel":
        """Return the kernel where the attacker stops in some cells: see `ProductKernel.with_stops`."""
        kernel = copy(self)
        kernel.fights = self._fights & ~stops
        return kernel

    def empty(self) -> Grid:
        """Return a grid of zeros for this battle: [row, column]."""
        return np.zeros(self.fights.shape)

    def make_moves(self, law: Grid) -> None:
        """Do nothing: without submarines nobody moves without fire. See `ProductKernel.make_moves`."""

    def steps(self, shape: tuple[int, ...], floor: int) -> Sequence[None]:
        """Return all cells as one step: see `Kernel.steps`."""
        del shape, floor
        return [None]

    def push(self, law: Grid, step: None, floor: int = 0, stopped: Mask | None = None) -> float:
        """Fight all rounds: see `Kernel.push`. Mass that is no longer followed stays in its cell."""
        del step, floor, stopped
        grid, visits = np.ascontiguousarray(self._law_on_lines(law)), c_double()
        if self._can_fight:
            self._run("push_levels", grid, grid.shape[2], visits)
        law[...] = self._on_nodes(grid).reshape(law.shape)
        return visits.value

    def spread(self, law: Grid, fighting: Grid, low: Cell) -> float:
        """Fight a single round: see `SpreadKernel.spread`. Mass that is no longer followed stays in its cell."""
        waiting = np.zeros_like(law)
        waiting[..., low[0] :, low[1] :] = fighting
        begun = np.where(self.fights & (waiting > self.eps), waiting, 0.0)
        visits = np.ascontiguousarray(self._law_on_lines(begun))
        grid = np.zeros_like(visits)
        self._run("spread_levels", grid, visits, visits.shape[2])
        law += waiting - begun + self._on_nodes(grid).reshape(law.shape)
        return float(begun.sum())

    def pull(self, worth: Grid, step: None, floor: int = 0, stop_pays: Grid | None = None) -> None:
        """Set the worth of all cells: see `Kernel.pull`. `worth` is [payoff, row, column]."""
        del step, floor, stop_pays
        grid = np.ascontiguousarray(np.where(self._shares() > 0, 0.0, self._on_lines(worth)))
        if self._can_fight:
            self._run("pull_levels", grid, len(worth), native.describe_choice(self.choice), worth)
        self._take_from_lines(worth, grid)

    def _run(self, name: str, *arguments: Any) -> None:
        """Run a function of the compiled code on this battle, and count its work."""
        kills, shares = np.ascontiguousarray(self._ours.laws[..., ::-1]), self._shares()
        ours, theirs = _DescribedFront(self._ours), _DescribedFront(self._theirs)
        described = native.LevelsStruct(ours.front, theirs.front, library.address(kills), library.address(shares))
        described.eps, described.least = self.eps, self.eps * native.TRIFLE
        library.run_metered(name, self.meter, described, *arguments)

    # Lines -----------------------------------------------------------------------------------------------

    def _shares(self) -> Grid:
        """One divided by the chance to leave each cell; 0 where there is no fight."""
        ours, theirs = self._ours, self._theirs
        shares = np.zeros((len(ours.nodes), len(theirs.nodes), 1, *self._ranks))
        if self._can_fight:
            hit = theirs.tails[None, :, None, 1:, 1]
            leave = hit + theirs.laws[None, :, None, 1:, 0] * ours.tails[:, None, 1:, None, 1]
            fights = self._on_lines(self.fights)[:, :, 0, 1:, 1:] & ours.there[:, None, 1:, None]
            fights = fights & theirs.there[None, :, None, 1:] & (leave > 0)
            np.divide(1.0, leave, out=shares[:, :, 0, 1:, 1:], where=fights)
        return shares

    def _on_lines(self, grid: Any) -> Any:
        """A grid laid out by lines; a node that stands on several lines is on each."""
        ours, theirs = self._ours.nodes, self._theirs.nodes
        grid = grid.reshape(-1, *grid.shape[-2:])
        if len(ours) == len(theirs) == 1:
            return grid[None, None]
        return np.moveaxis(grid[:, ours[:, None, :, None], theirs[None, :, None, :]], 0, 2)

    def _take_from_lines(self, worth: Grid, grid: Grid) -> None:
        """Set the worth of nodes to that in a grid laid out by lines."""
        ours, theirs = self._ours, self._theirs
        for line, others in np.ndindex(grid.shape[:2]):
            ranks, other_ranks = np.flatnonzero(ours.there[line]), np.flatnonzero(theirs.there[others])
            rows, columns = ours.nodes[line, ranks], theirs.nodes[others, other_ranks]
            worth[:, rows[:, None], columns] = grid[line, others][:, : len(rows), : len(columns)]

    def _law_on_lines(self, law: Grid) -> Grid:
        """A law laid out by lines, not copied if there is one; the mass of a node stands only in its first place."""
        if len(self._ours.nodes) == len(self._theirs.nodes) == 1:
            return np.asarray(self._on_lines(law))
        first = self._ours.first[:, None, None, :, None] & self._theirs.first[None, :, None, None, :]
        return np.where(first, self._on_lines(law), 0.0)

    def _on_nodes(self, grid: Grid) -> Grid:
        """A grid laid out by nodes again, the shares of a node added up: [battle, row, column]."""
        rows, columns = self.fights.shape
        if len(grid) == 1:
            half = grid[0]
        else:
            half = np.zeros((*grid.shape[1:3], rows, grid.shape[4]))
            for nodes, there, line in zip(self._ours.nodes, self._ours.there, grid, strict=True):
                half[:, :, nodes[there]] += line[:, :, there]
        if len(half) == 1:
            return np.asarray(half[0])
        whole = np.zeros((half.shape[1], rows, columns))
        for nodes, there, line in zip(self._theirs.nodes, self._theirs.there, half, strict=True):
            whole[..., nodes[there]] += line[..., there]
        return whole


class _DescribedFront:
    """The layout of the lines of a side, and the arrays that it is about."""

    def __init__(self, front: Front) -> None:
        limits = np.array(front.minimum), np.array(front.maximum)
        self.arrays = front.laws, front.tails, front.nodes, *limits
        self.front = native.FrontStruct(*front.laws.shape, *map(library.address, self.arrays))
