"""The worth of forces that have hits to take: tables that the sweep fills from the weakest force to the strongest."""

import numpy as np
import numpy.typing as npt

from solver.axis.kernel.forces import Take
from solver.casualties.sides import Side

Grid = npt.NDArray[np.float64]
SAME = 1e-12
"""Choices whose worth differs by no more are equally good."""

Sizes = dict[tuple[Take, ...], tuple[int, ...]]
"""A number for each reach of some sequences of reaches."""


def table_sizes(most: Sizes) -> Sizes:
    """Return the tables that are needed: those of some sequences of reaches, and of all ends of these.

    Args:
        most: The sequences, each with the highest number of hits of each of its reaches.

    Returns:
        All sequences, each with the size of its table along each reach: one more than the most hits, as there may be 0.
    """
    sizes: Sizes = {}
    for takes, hits in most.items():
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
        """Make empty tables.

        Args:
            worth: The grid.
            side: The attacker's forces.
            sizes: The sequences of reaches, each with the size of its table along each reach: see `table_sizes`.
        """
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
