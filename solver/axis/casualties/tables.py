"""Hits to take: tables of the worth of attackers who have them, and the ways in which a defender may take them.

The sweep fills the tables from the weakest force to the strongest.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.axis.casualties.sides import Side
from solver.axis.kernel.forces import Nodes, Take

Grid = npt.NDArray[np.float64]
Ranks = npt.NDArray[np.int32]
SAME = 1e-12
"""Choices whose worth differs by no more are equally good."""

Sizes = dict[tuple[Take, ...], tuple[int, ...]]
"""A number for each reach of some sequences of reaches."""


def table_sizes(limits: Sizes) -> Sizes:
    """Return the sizes of the tables that are needed: those of some sequences of reaches, and of all ends of these.

    Along each reach it is one more than the most hits, as there may be 0.

    Args:
        limits: The sequences, each with the highest number of hits of each of its reaches.
    """
    sizes: Sizes = {}
    for takes, hits in limits.items():
        for first in range(len(takes)):
            counts = [1 + count for count in hits[first:]]
            sizes[takes[first:]] = tuple(map(max, counts, sizes.get(takes[first:], counts)))
    return sizes


class HitTables:
    """For one grid of worth, [column, row], the worth to an attacker who has taken hits in the best way.

    Attributes:
        worth: The grid: [column, row].
        tables: For each sequence of reaches the worth after hits of each: [row, column, hits, ...].
    """

    def __init__(self, worth: Grid, side: Side, sizes: Sizes) -> None:
        self.worth, self._side = worth, side
        self.tables: dict[tuple[Take, ...], Grid] = {(): worth.T}
        for takes, counts in sizes.items():
            self.tables[takes] = np.zeros((*worth.T.shape, *counts))
        self._order = sorted((takes for takes in self.tables if takes), key=len)

    @property
    def work(self) -> float:
        """The work for each cell, in the unit of `Meter`."""
        options = {takes: self._side.after[takes[0]].shape[1] for takes in self._order}
        return float(sum(self.tables[takes][0, 0].size * count for takes, count in options.items()))

    def fill(self, columns: slice, rows: slice) -> None:
        """Work out the tables of some cells from those of weaker attackers, then carry the worth of the cells.

        Args:
            columns: The columns.
            rows: Rows of one rank.
        """
        for takes in self._order:
            table, after = self.tables[takes], self._side.after[takes[0]][rows]
            before = table[:, columns, :-1]
            best = before[after[:, 0]]
            for option in after.T[1:]:
                np.maximum(best, before[option], out=best)
            table[rows, columns, 1:] = best
        self.carry(columns, rows)

    def carry(self, columns: slice, rows: slice) -> None:
        """Carry the worth of these cells to where hits change nothing: there are none, or they may take nobody.

        Args:
            columns: The columns.
            rows: The rows.
        """
        for takes in self._order:
            whole, rest = self.tables[takes], self.tables[takes[1:]]
            table = whole[rows, columns]
            table[:, :, 0] = rest[(rows, columns, *(slice(0, size) for size in table.shape[3:]))]
            stuck = np.flatnonzero(self._side.stuck[takes[0]][rows])
            if len(stuck):
                table[stuck, :, 1:] = table[stuck, :, :1]


class LossWays(NamedTuple):
    """Ways in which some forces may take hits that cost them somebody, sorted by what is left.

    Of ways that are equally good the one of the lowest rank is chosen: each hit takes the first option of `Side.after`
    from which such a way goes on.

    Attributes:
        forces: The place of the force before: [way].
        hits: The place of the numbers of hits among all combinations: [way].
        left: The node that is left: [way].
        ranks: The rank of the way: [way].
    """

    forces: Nodes
    hits: Nodes
    left: Nodes
    ranks: Ranks

    def by_left(self) -> Iterator[tuple[int, slice]]:
        """Yield each node that may be left, with the place of its ways."""
        bounds = np.flatnonzero(np.diff(self.left, prepend=-1, append=-1))
        for first, last in zip(bounds.tolist(), bounds[1:].tolist(), strict=False):
            yield int(self.left[first]), slice(first, last)

    def best(self, hits: int, worth: Grid) -> int:
        """Return the node that the best way for some hits leaves.

        Args:
            hits: The place of the numbers of hits, which cost somebody.
            worth: The worth of every node to the side that is hit.
        """
        some = np.flatnonzero(self.hits == hits)
        left = self.left[some[np.argsort(self.ranks[some])]]
        return int(left[np.argmax(worth[left] >= worth[left].max() - SAME)])


def find_loss_ways(
    side: Side, nodes: Nodes, takes: Sequence[Take], limits: Sequence[int], ranked: bool = True
) -> LossWays:
    """Return the ways in which some forces may take hits.

    Args:
        side: The forces of the side.
        nodes: The forces that are hit.
        takes: The reaches of the hits, in the order in which they are allotted.
        limits: The highest number of hits of each reach.
        ranked: Whether the ways have ranks; it is slower.
    """
    start: Nodes = np.arange(len(nodes), dtype=np.int64)
    reached: list[tuple[int, Nodes, Nodes]] = [(0, start, nodes)]
    for take, count in zip(takes, limits, strict=True):
        every: list[tuple[int, Nodes, Nodes]] = []
        for place, forces, left in reached:
            every.append((place * (count + 1), forces, left))
            for hits in range(1, count + 1):
                every.append((place * (count + 1) + hits, *_after_hit(side, take, *every[-1][1:], ranked)))
        reached = every
    ways = np.concatenate([[forces, np.full(len(left), place), left] for place, forces, left in reached], axis=1)
    ways = ways[:, ways[2] != nodes[ways[0]]]
    ranks = np.argsort(ways[2], kind="stable")
    forces, hits, left = ways[:, ranks]
    return LossWays(forces, hits, left, ranks.astype(np.int32))


def _after_hit(side: Side, take: Take, forces: Nodes, left: Nodes, ranked: bool) -> tuple[Nodes, Nodes]:
    """The forces and what one more hit may leave of each, every pair once; with ranks in their order for each force."""
    pairs = (forces[:, None] * len(side) + side.after[take][left]).ravel()
    pairs = pairs[np.sort(np.unique(pairs, return_index=True)[1])] if ranked else np.unique(pairs)
    return pairs // len(side), pairs % len(side)
