"""The kernel of Axis & Allies where every hit takes the next unit in the order of loss: on land, or without submarines.

There the forces of a side stand on *lines*: one for each that it can begin with, on which there is one of every rank,
that is with so many hit points. A *level* is all cells with the same number of hit points of both sides together. None
of them feeds another, and all that comes of them is one product of matrices: of what the defender's fire makes of their
rows and what the attacker's makes of their columns. What comes to an end, where a side is destroyed, feeds nothing: it
is added up for all levels at once when the last has been fought.

Grids may have more axes in front, for several battles of the same cells at once.
"""

from collections.abc import Sequence
from copy import copy
from typing import Any, NamedTuple

import numpy as np

from solver.chain import Cell, Grid, Mask
from solver.fire import TRIMMED
from solver.forces import Flags, Lattice, Nodes
from solver.hits import Laws, tails
from solver.product import Choice, Meter

MULTIPLIED = 0.02
"""About how much work a multiplication of two numbers is, of many in a product of matrices, in the unit of `Meter`."""
LEVEL = 2_000.0
"""About how much work all else is that is done for a level."""
TOGETHER = 32
"""So many cells of a level are worked on together: more would be of too different ranks."""


class Front(NamedTuple):
    """The lines of a side against another: `nodes` [line, rank], and which of these are `there`; node 0 elsewhere.

    Where lines have run together a node stands on several: `first` says on which it stands first. `laws` and `tails`
    are the chances of so many hits, and of so many or more, up to as many as the others can take: [line, rank, hits].
    Fewer hits of a rank than `fewest`, and more than `most`, are not to be thought of.
    """

    nodes: Nodes
    there: Flags
    first: Flags
    laws: Laws
    tails: Laws
    fewest: list[int]
    most: list[int]

    @classmethod
    def of(cls, side: Lattice, other: Lattice, trim: bool) -> "Front":
        """The lines of a lattice."""
        assert side.lines is not None, "its forces stand on lines"
        there = side.lines >= 0
        nodes = np.where(there, side.lines, 0)
        first = np.zeros(nodes.size, bool)
        first[np.unique(nodes, return_index=True)[1]] = True
        laws = side.laws("all")
        width = int(other.rank[-1]) + 1
        parts = []
        for chances in (laws, tails(laws)):
            wide = np.zeros((len(chances), max(width, chances.shape[1])))
            wide[:, : chances.shape[1]] = chances
            parts.append(wide[nodes, :width] * there[:, :, None])
        likely: Flags = np.any(parts[0] > (TRIMMED if trim else 0.0), axis=0)
        # A stronger force hits no less often.
        fewest = np.where(likely.any(axis=1), likely.argmax(axis=1), width - 1)
        fewest = np.minimum.accumulate(fewest[::-1])[::-1]
        most = np.maximum.accumulate(width - 1 - likely[:, ::-1].argmax(axis=1))
        return cls(nodes, there, first.reshape(nodes.shape), parts[0], parts[1], fewest.tolist(), most.tolist())

    def slanted(self, levels: int) -> Grid:
        """The laws, each moved so far that forces of one level have their chances to leave a rank above each other.

        Of rank r the chance of h hits stands at `levels` - r - h: [line, rank, place].
        """
        lines, ranks, hits = self.laws.shape
        found = np.zeros((lines, ranks, levels + 1))
        here = np.arange(ranks)[:, None]
        found[:, here, levels - here - np.arange(hits)] = self.laws
        return found

    def place(self, node: int) -> Cell:
        """On which line a force stands, and its rank."""
        line, rank = np.argwhere((self.nodes == node) & self.there)[0].tolist()
        return line, rank


class LevelKernel:
    """The kernel of battles on lines. See `Kernel` and `ProductKernel`; `floor` and `stopped` have no say here.

    Within it a grid is laid out by lines: [attacker's line, defender's line, battle, attacker's rank, defender's rank].
    """

    most_lost: Cell = (10**9, 10**9)

    def __init__(self, attack: Lattice, defence: Lattice, fights: Mask, trim: bool, eps: float, meter: Meter) -> None:
        """`fights` says in which cells there is a next round; with `trim` chances next to nothing are left out."""
        self.eps, self.meter = eps, meter
        self.fights = self._fights = fights
        self.choose: Choice | None = None
        self._ours, self._theirs = Front.of(attack, defence, trim), Front.of(defence, attack, trim)
        self._ranks = self._ours.nodes.shape[1], self._theirs.nodes.shape[1]
        self._top = sum(self._ranks) - 2
        self._levels = range(self._top if min(self._ranks) > 1 else 1, 1, -1)
        self._kills = self._ours.slanted(self._top)[:, None]
        # [1, line, place, force], where the weakest force stands last: it meets the attacker's strongest of a level.
        self._falls = np.ascontiguousarray(self._theirs.slanted(self._top)[:, ::-1].swapaxes(1, 2))[None]

    def stopping(self, stops: Mask) -> "LevelKernel":
        """The same battle where the attacker stops in these cells."""
        kernel = copy(self)
        kernel.fights = self._fights & ~stops
        return kernel

    def empty(self) -> Grid:
        """A grid for this battle."""
        return np.zeros(self.fights.shape)

    def settle(self, law: Grid) -> None:
        """Nothing happens without fire."""

    def steps(self, shape: tuple[int, ...], floor: int) -> Sequence[range]:
        """See `Kernel`: all levels are one step, the highest first."""
        del shape, floor
        return [self._levels]

    # Forward ---------------------------------------------------------------------------------------------

    def push(self, law: Grid, step: range, floor: int = 0, stopped: Mask | None = None) -> float:
        """See `Kernel`; what is not followed any further stays where it is."""
        del floor, stopped
        grid, shares = self._laid(law), self._shares()
        visits = np.zeros_like(grid)
        cells, shared, visited = (one.reshape(*one.shape[:3], -1) for one in (grid, shares, visits))
        for level in step:
            low, on = self._on(level)
            here, share, going = cells[..., on], shared[..., on], visited[..., on]
            if here.shape[3] > TOGETHER:
                # Those on the edge to which next to nothing has come are left out.
                found = np.flatnonzero((here > self.eps).any(axis=(0, 1, 2)))
                some = slice(int(found[0]), int(found[-1]) + 1) if len(found) else slice(0)
                low += some.start or 0
                here, share, going = here[..., some], share[..., some], going[..., some]
            np.multiply(here, share, out=going)
            if going.any():
                self._send(grid, going, level, low)
        grid[visits > 0] = 0
        self._end(grid, visits)
        law[...] = self._by_nodes(grid).reshape(law.shape)
        return float(visits.sum())

    def spread(self, law: Grid, fighting: Grid, low: Cell) -> float:
        """See `SpreadKernel`; what is not followed any further stays where it is."""
        waiting = np.zeros_like(law)
        waiting[..., low[0] :, low[1] :] = fighting
        begun = np.where(self.fights & (waiting > self.eps), waiting, 0.0)
        visits = self._laid(begun)
        grid = np.zeros_like(visits)
        visited = visits.reshape(*visits.shape[:3], -1)
        for level in self._levels:
            lowest, on = self._on(level)
            going = visited[..., on]
            if going.any():
                self._send(grid, going, level, lowest)
        self._end(grid, visits)
        law += waiting - begun + self._by_nodes(grid).reshape(law.shape)
        return float(begun.sum())

    def _send(self, grid: Grid, going: Grid, level: int, low: int) -> None:
        """Put what comes of cells of a level where both sides are left: `going` is what fights there.

        They are those with an attacker of rank `low` and, one after the other, with stronger ones.
        """
        for first, last in _parts(going.shape[3]):
            (rows, columns), falls, kills = self._fire(level, low + first, low + last - 1)
            weighted = going[:, :, :, None, first:last] * falls[:, :, None]
            lines, others, battles, after, cells = weighted.shape
            self.meter.add(LEVEL + weighted.size * (1 + MULTIPLIED * kills.shape[3]))
            sent = weighted.reshape(lines, others, battles * after, cells) @ kills
            grid[..., rows, columns] += sent.reshape(lines, others, battles, after, kills.shape[3])

    def _fire(self, level: int, low: int, high: int) -> tuple[tuple[slice, slice], Grid, Grid]:
        """To which ranks a round leads in cells of a level, with attackers from `low` to `high`, and with what chances.

        Those of the defender's fire are [.., attacker's rank, cell], those of the attacker's [.., cell, other's rank].
        """
        ours, theirs = self._ours, self._theirs
        weak, strong = level - high, level - low
        rows = slice(max(low - theirs.most[strong], 1), max(high - theirs.fewest[weak], 0) + 1)
        columns = slice(max(weak - ours.most[high], 1), max(strong - ours.fewest[low], 0) + 1)
        begin, shift = self._ranks[1] - 1 - level, self._top - level
        falls = self._falls[:, :, shift + rows.start : shift + rows.stop, begin + low : begin + high + 1]
        return (rows, columns), falls, self._kills[:, :, low : high + 1, shift + columns.start : shift + columns.stop]

    def _end(self, grid: Grid, visits: Grid) -> None:
        """Put into a grid what comes of all these visits to the ends where a side is destroyed."""
        ours, theirs = self._ours, self._theirs
        beaten = visits * theirs.tails.swapaxes(1, 2)[None, :, None]
        beating = visits * ours.tails[:, None, None]
        grid[..., 0, 0] += (beaten * ours.tails[:, None, None]).sum(axis=(3, 4))
        left = ours.laws[:, None, None, :, : ours.most[-1] + 1].swapaxes(3, 4) @ beaten
        for hits in range(ours.most[-1] + 1):
            grid[..., 0, 1 : self._ranks[1] - hits] += left[..., hits, hits + 1 :]
        left = beating @ theirs.laws[None, :, None, :, : theirs.most[-1] + 1]
        for hits in range(theirs.most[-1] + 1):
            grid[..., 1 : self._ranks[0] - hits, 0] += left[..., hits + 1 :, hits]

    # Backward --------------------------------------------------------------------------------------------

    def pull(self, worth: Grid, step: range, floor: int = 0, stop_pays: Grid | None = None) -> None:
        """See `Kernel`; `worth` is [payoff, row, column], for several payoffs at once."""
        del floor, stop_pays
        ours, theirs = self._ours, self._theirs
        shares = self._shares()
        grid = np.where(shares > 0, 0.0, self._over(worth))
        ends = self._ending(grid)
        cells, shared, ending = (one.reshape(*one.shape[:3], -1) for one in (grid, shares, ends))
        for level in reversed(step):
            low, on = self._on(level)
            here, share, going = cells[..., on], shared[..., on], ending[..., on]
            for first, last in _parts(here.shape[3]):
                (below, beside), falls, kills = self._fire(level, low + first, low + last - 1)
                lower = grid[..., below, beside]
                self.meter.add(LEVEL + MULTIPLIED * lower.size * falls.shape[3])
                going[..., first:last] += np.vecdot(falls.swapaxes(2, 3)[:, :, None] @ lower, kills[:, :, None])
            going *= share
            if self.choose:
                high = low + here.shape[3] - 1
                rows = ours.nodes[:, None, low : high + 1]
                columns = theirs.nodes[None, :, level - high : level - low + 1][..., ::-1]
                going = self.choose(rows, columns, going.transpose(2, 0, 1, 3)).transpose(1, 2, 0, 3)
            np.copyto(here, going, where=share > 0)
        for line, others in np.ndindex(grid.shape[:2]):
            ranks, other_ranks = np.flatnonzero(ours.there[line]), np.flatnonzero(theirs.there[others])
            rows, columns = ours.nodes[line, ranks], theirs.nodes[others, other_ranks]
            worth[:, rows[:, None], columns] = grid[line, others][:, : len(rows), : len(columns)]

    def _ending(self, grid: Grid) -> Grid:
        """What the ends that a round of each cell can lead to, with a side destroyed, are worth to it on average."""
        ours, theirs = self._ours, self._theirs
        shape = grid.shape[:3]
        beaten = np.zeros((*shape, ours.most[-1] + 1, self._ranks[1]))
        for hits in range(ours.most[-1] + 1):
            beaten[..., hits, hits + 1 :] = grid[..., 0, 1 : self._ranks[1] - hits]
        beating = np.zeros((*shape, self._ranks[0], theirs.most[-1] + 1))
        for hits in range(theirs.most[-1] + 1):
            beating[..., hits + 1 :, hits] = grid[..., 1 : self._ranks[0] - hits, 0]
        lost = ours.laws[:, None, None, :, : ours.most[-1] + 1] @ beaten
        lost += ours.tails[:, None, None] * grid[..., :1, :1]
        won = beating @ theirs.laws[None, :, None, :, : theirs.most[-1] + 1].swapaxes(3, 4)
        return np.asarray(theirs.tails.swapaxes(1, 2)[None, :, None] * lost + ours.tails[:, None, None] * won)

    def ahead(self, worth: Grid, row: int, column: int) -> Grid:
        """What it is worth to fight one round in a cell, by what the cells after it are worth: for every payoff."""
        ours, theirs = self._ours, self._theirs
        (line, rank), (other, other_rank) = ours.place(row), theirs.place(column)
        falling = np.append(theirs.laws[other, other_rank, :rank], theirs.tails[other, other_rank, rank])
        killing = np.append(ours.laws[line, rank, :other_rank], ours.tails[line, rank, other_rank])
        after = worth[:, ours.nodes[line, rank::-1][:, None], theirs.nodes[other, other_rank::-1]]
        return np.asarray((falling @ after) @ killing)

    # Lines -----------------------------------------------------------------------------------------------

    def _shares(self) -> Grid:
        """One by the chance to leave each cell, 0 where there is no fight."""
        ours, theirs = self._ours, self._theirs
        shares = np.zeros((len(ours.nodes), len(theirs.nodes), 1, *self._ranks))
        if self._levels:
            hit = theirs.tails[None, :, None, 1:, 1]
            leave = hit + theirs.laws[None, :, None, 1:, 0] * ours.tails[:, None, 1:, None, 1]
            fights = self._over(self.fights)[:, :, 0, 1:, 1:] & ours.there[:, None, 1:, None]
            fights = fights & theirs.there[None, :, None, 1:] & (leave > 0)
            np.divide(1.0, leave, out=shares[:, :, 0, 1:, 1:], where=fights)
        return shares

    def _over(self, grid: Any) -> Any:
        """A grid laid out by lines; a node that stands on several of them is on each."""
        ours, theirs = self._ours.nodes, self._theirs.nodes
        grid = grid.reshape(-1, *grid.shape[-2:])
        if len(ours) == len(theirs) == 1:
            return grid[None, None]
        return np.moveaxis(grid[:, ours[:, None, :, None], theirs[None, :, None, :]], 0, 2)

    def _laid(self, law: Grid) -> Grid:
        """A law laid out by lines: what is in a node is where it stands first."""
        first = self._ours.first[:, None, None, :, None] & self._theirs.first[None, :, None, None, :]
        return np.where(first, self._over(law), 0.0)

    def _by_nodes(self, grid: Grid) -> Grid:
        """A grid laid out by lines in that of the battle, the shares of nodes added up: [battle, row, column]."""
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

    def _on(self, level: int) -> tuple[int, slice]:
        """The cells of a level where both sides are left: the attacker's lowest rank there, and where they stand.

        That is in a grid of which the ranks have become one axis; one after the other, they have a higher rank.
        """
        rows, columns = self._ranks
        low, high = max(1, level - columns + 1), min(rows - 1, level - 1)
        first = low * columns + level - low
        return low, slice(first, first + (high - low) * (columns - 1) + 1, columns - 1)


def _parts(cells: int) -> list[Cell]:
    """The cells of a level that are worked on together: from which one on, and up to which."""
    parts = 1 + (cells - 1) // TOGETHER
    return [(cells * part // parts, cells * (part + 1) // parts) for part in range(parts)]
