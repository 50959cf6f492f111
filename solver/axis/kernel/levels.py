"""The kernel of Axis & Allies battles in which every hit takes the next unit: on land, or without submarines.

The forces of a side stand on *lines*, one for each force with which it can begin. A line has one force of every rank,
that is of every number of hit points. A *level* is all cells with the same number of hit points of both sides together.
Cells of a level never feed each other. Everything that follows from them is one product of matrices: what the
defender's fire makes of their rows, times what the attacker's fire makes of their columns. Mass at an end, where a side
is destroyed, feeds nothing; it is added up for all levels at once after the last.

Grids may have more axes in front, for several battles of the same cells at once.
"""

from collections.abc import Sequence
from copy import copy
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np

from solver.axis.kernel.forces import Flags, Nodes
from solver.axis.kernel.ground import Choice
from solver.axis.kernel.hits import Laws, tails
from solver.axis.kernel.lattice import Lattice
from solver.axis.kernel.ways import TRIMMED
from solver.chain import Cell, Grid, Mask
from solver.progress import Meter

MULTIPLIED = 0.02
"""About how much work one multiplication in a large product of matrices is, in the unit of `Meter`."""
LEVEL = 2_000.0
"""About how much other work there is for a level."""
TOGETHER = 32
"""So many cells of a level are taken together; more would differ too much in rank."""


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
        first = np.zeros(nodes.size, bool)
        first[np.unique(nodes, return_index=True)[1]] = True
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

    def laws_by_level(self, levels: int) -> Grid:
        """Return the laws shifted so that chances which lead from a level to the same rank stand in one column.

        The chance that rank r makes h hits stands in place `levels` - r - h: [line, rank, place].

        Args:
            levels: The highest level.
        """
        lines, ranks, hits = self.laws.shape
        shifted = np.zeros((lines, ranks, levels + 1))
        here = np.arange(ranks)[:, None]
        shifted[:, here, levels - here - np.arange(hits)] = self.laws
        return shifted

    def place(self, node: int) -> Cell:
        """Return a line on which a force stands, and its rank.

        Args:
            node: The node of the force.
        """
        line, rank = np.argwhere((self.nodes == node) & self.there)[0].tolist()
        return line, rank


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
        self._top = sum(self._ranks) - 2
        self._levels = range(self._top if min(self._ranks) > 1 else 1, 1, -1)

    def with_stops(self, stops: Mask) -> "LevelKernel":
        """Return the kernel where the attacker stops in some cells: see `ProductKernel.with_stops`."""
        kernel = copy(self)
        kernel.fights = self._fights & ~stops
        return kernel

    @cached_property
    def _kills(self) -> Grid:
        """The laws of the attacker's hits by level: [line, 1, rank, place]."""
        return self._ours.laws_by_level(self._top)[:, None]

    @cached_property
    def _falls(self) -> Grid:
        """The laws of the defender's hits by level: [1, line, place, rank].

        The weakest force stands last: it meets the attacker's strongest of a level.
        """
        return np.ascontiguousarray(self._theirs.laws_by_level(self._top)[:, ::-1].swapaxes(1, 2))[None]

    def empty(self) -> Grid:
        """Return a grid of zeros for this battle: [row, column]."""
        return np.zeros(self.fights.shape)

    def make_moves(self, law: Grid) -> None:
        """Do nothing: without submarines nobody moves without fire. See `ProductKernel.make_moves`."""

    def steps(self, shape: tuple[int, ...], floor: int) -> Sequence[range]:
        """Return all levels, the highest first, as one step: see `Kernel.steps`."""
        del shape, floor
        return [self._levels]

    # Forward ---------------------------------------------------------------------------------------------

    def push(self, law: Grid, step: range, floor: int = 0, stopped: Mask | None = None) -> float:
        """Fight all rounds of some levels: see `Kernel.push`. Mass that is no longer followed stays in its cell."""
        del floor, stopped
        grid, shares = self._law_on_lines(law), self._shares()
        visits = np.zeros_like(grid)
        cells, shared, visited = (values.reshape(*values.shape[:3], -1) for values in (grid, shares, visits))
        for level in step:
            low, on = self._level_cells(level)
            here, share, going = cells[..., on], shared[..., on], visited[..., on]
            if here.shape[3] > TOGETHER:
                # Cells on the edge with next to no mass are left out.
                likely = np.flatnonzero((here > self.eps).any(axis=(0, 1, 2)))
                some = slice(int(likely[0]), int(likely[-1]) + 1) if len(likely) else slice(0)
                low += some.start or 0
                here, share, going = here[..., some], share[..., some], going[..., some]
            np.multiply(here, share, out=going)
            if going.any():
                self._send(grid, going, level, low)
        grid[visits > 0] = 0
        self._send_ends(grid, visits)
        law[...] = self._on_nodes(grid).reshape(law.shape)
        return float(visits.sum())

    def spread(self, law: Grid, fighting: Grid, low: Cell) -> float:
        """Fight a single round: see `SpreadKernel.spread`. Mass that is no longer followed stays in its cell."""
        waiting = np.zeros_like(law)
        waiting[..., low[0] :, low[1] :] = fighting
        begun = np.where(self.fights & (waiting > self.eps), waiting, 0.0)
        visits = self._law_on_lines(begun)
        grid = np.zeros_like(visits)
        visited = visits.reshape(*visits.shape[:3], -1)
        for level in self._levels:
            lowest, on = self._level_cells(level)
            going = visited[..., on]
            if going.any():
                self._send(grid, going, level, lowest)
        self._send_ends(grid, visits)
        law += waiting - begun + self._on_nodes(grid).reshape(law.shape)
        return float(begun.sum())

    def _send(self, grid: Grid, going: Grid, level: int, low: int) -> None:
        """Add the mass after a round of one level to a grid, except where a side is destroyed.

        `going` is the mass that fights: in the cell of the attacker's rank `low`, then in those of higher ranks.
        """
        for first, last in _level_parts(going.shape[3]):
            (rows, columns), falls, kills = self._round_at(level, low + first, low + last - 1)
            weighted = going[:, :, :, None, first:last] * falls[:, :, None]
            lines, others, battles, after, cells = weighted.shape
            self.meter.add(LEVEL + weighted.size * (1 + MULTIPLIED * kills.shape[3]))
            sent = weighted.reshape(lines, others, battles * after, cells) @ kills
            grid[..., rows, columns] += sent.reshape(lines, others, battles, after, kills.shape[3])

    def _round_at(self, level: int, low: int, high: int) -> tuple[tuple[slice, slice], Grid, Grid]:
        """The ranks to which a round leads from a part of a level, and their chances.

        The part has the attacker's ranks from `low` to `high`. The chances of the defender's fire are [.., attacker's
        rank, cell], those of the attacker's fire [.., cell, defender's rank].
        """
        ours, theirs = self._ours, self._theirs
        weak, strong = level - high, level - low
        rows = slice(max(low - theirs.maximum[strong], 1), max(high - theirs.minimum[weak], 0) + 1)
        columns = slice(max(weak - ours.maximum[high], 1), max(strong - ours.minimum[low], 0) + 1)
        begin, shift = self._ranks[1] - 1 - level, self._top - level
        falls = self._falls[:, :, shift + rows.start : shift + rows.stop, begin + low : begin + high + 1]
        return (rows, columns), falls, self._kills[:, :, low : high + 1, shift + columns.start : shift + columns.stop]

    def _send_ends(self, grid: Grid, visits: Grid) -> None:
        """Add the mass after all these visits to a grid where a side is destroyed."""
        ours, theirs = self._ours, self._theirs
        beaten = visits * theirs.tails.swapaxes(1, 2)[None, :, None]
        beating = visits * ours.tails[:, None, None]
        grid[..., 0, 0] += (beaten * ours.tails[:, None, None]).sum(axis=(3, 4))
        left = ours.laws[:, None, None, :, : ours.maximum[-1] + 1].swapaxes(3, 4) @ beaten
        for hits in range(ours.maximum[-1] + 1):
            grid[..., 0, 1 : self._ranks[1] - hits] += left[..., hits, hits + 1 :]
        left = beating @ theirs.laws[None, :, None, :, : theirs.maximum[-1] + 1]
        for hits in range(theirs.maximum[-1] + 1):
            grid[..., 1 : self._ranks[0] - hits, 0] += left[..., hits + 1 :, hits]

    # Backward --------------------------------------------------------------------------------------------

    def pull(self, worth: Grid, step: range, floor: int = 0, stop_pays: Grid | None = None) -> None:
        """Set the worth of the cells of some levels: see `Kernel.pull`. `worth` is [payoff, row, column]."""
        del floor, stop_pays
        ours, theirs = self._ours, self._theirs
        shares = self._shares()
        grid = np.where(shares > 0, 0.0, self._on_lines(worth))
        ends = self._worth_of_ends(grid)
        cells, shared, ending = (values.reshape(*values.shape[:3], -1) for values in (grid, shares, ends))
        for level in reversed(step):
            low, on = self._level_cells(level)
            here, share, going = cells[..., on], shared[..., on], ending[..., on]
            for first, last in _level_parts(here.shape[3]):
                (below, beside), falls, kills = self._round_at(level, low + first, low + last - 1)
                lower = grid[..., below, beside]
                self.meter.add(LEVEL + MULTIPLIED * lower.size * falls.shape[3])
                going[..., first:last] += np.vecdot(falls.swapaxes(2, 3)[:, :, None] @ lower, kills[:, :, None])
            going *= share
            if self.choice:
                high = low + here.shape[3] - 1
                rows = ours.nodes[:, None, low : high + 1]
                columns = theirs.nodes[None, :, level - high : level - low + 1][..., ::-1]
                going = self.choice.choose(rows, columns, going.transpose(2, 0, 1, 3)).transpose(1, 2, 0, 3)
            np.copyto(here, going, where=share > 0)
        self._take_from_lines(worth, grid)

    def _worth_of_ends(self, grid: Grid) -> Grid:
        """The worth of the ends that a round of each cell can lead to, weighted by their probability."""
        ours, theirs = self._ours, self._theirs
        shape = grid.shape[:3]
        beaten = np.zeros((*shape, ours.maximum[-1] + 1, self._ranks[1]))
        for hits in range(ours.maximum[-1] + 1):
            beaten[..., hits, hits + 1 :] = grid[..., 0, 1 : self._ranks[1] - hits]
        beating = np.zeros((*shape, self._ranks[0], theirs.maximum[-1] + 1))
        for hits in range(theirs.maximum[-1] + 1):
            beating[..., hits + 1 :, hits] = grid[..., 1 : self._ranks[0] - hits, 0]
        lost = ours.laws[:, None, None, :, : ours.maximum[-1] + 1] @ beaten
        lost += ours.tails[:, None, None] * grid[..., :1, :1]
        won = beating @ theirs.laws[None, :, None, :, : theirs.maximum[-1] + 1].swapaxes(3, 4)
        return np.asarray(theirs.tails.swapaxes(1, 2)[None, :, None] * lost + ours.tails[:, None, None] * won)

    def worth_of_round(self, worth: Grid, row: int, column: int) -> Grid:
        """Return the worth of fighting one round in a cell: see `ProductKernel.worth_of_round`."""
        ours, theirs = self._ours, self._theirs
        (line, rank), (other, other_rank) = ours.place(row), theirs.place(column)
        falling = np.append(theirs.laws[other, other_rank, :rank], theirs.tails[other, other_rank, rank])
        killing = np.append(ours.laws[line, rank, :other_rank], ours.tails[line, rank, other_rank])
        after = worth[:, ours.nodes[line, rank::-1][:, None], theirs.nodes[other, other_rank::-1]]
        return np.asarray((falling @ after) @ killing)

    # Lines -----------------------------------------------------------------------------------------------

    def _shares(self) -> Grid:
        """One divided by the chance to leave each cell; 0 where there is no fight."""
        ours, theirs = self._ours, self._theirs
        shares = np.zeros((len(ours.nodes), len(theirs.nodes), 1, *self._ranks))
        if self._levels:
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

    def _level_cells(self, level: int) -> tuple[int, slice]:
        """The cells of a level in which both sides are alive: the attacker's lowest rank, and the places of the cells.

        The places belong to a grid whose two ranks are one axis. They go from the attacker's lowest rank to the
        highest.
        """
        rows, columns = self._ranks
        low, high = max(1, level - columns + 1), min(rows - 1, level - 1)
        first = low * columns + level - low
        return low, slice(first, first + (high - low) * (columns - 1) + 1, columns - 1)


def _level_parts(cells: int) -> list[Cell]:
    """The parts in which the cells of a level are taken: the first cell of each, and the one after its last."""
    parts = 1 + (cells - 1) // TOGETHER
    return [(cells * part // parts, cells * (part + 1) // parts) for part in range(parts)]
