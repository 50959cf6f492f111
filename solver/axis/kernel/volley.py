"""A volley: the fire of both sides at once in a block of cells, as products of chances.

The hits of one side are independent of those of the other. So the law after a volley is the product of what the
defender's fire makes of the row and what the attacker's fire makes of the column. For all columns of a row that is a
product of matrices.
"""

from itertools import pairwise

import numpy as np

from solver.axis.kernel.fire import Fire
from solver.axis.kernel.forces import Nodes
from solver.chain import Grid

FirePair = tuple[Fire | None, Fire | None]
"""The attacker's fire and the defender's fire; None for a side that does not fire."""


class BlockVolley:
    """One phase of fire, a salvo of both sides, in the cells of some rows and ascending columns, none of them empty.

    Attributes:
        leave: The probability that a cell changes: [row, column].
        stay: The probability that it does not: [row, column].
        after: For each row the rows that the defender's fire makes of it, itself first.
        losing: For each row the probability of each of these: [column, row after].
        reached: The columns that the attacker's fire makes of the columns.
        killing: The probability of each of these: [row, column, column after].
    """

    def __init__(self, salvo: FirePair, rows: slice, columns: Nodes) -> None:
        at_columns, at_rows = salvo
        self.rows, self.columns = rows, columns
        self._set_losing(at_rows)
        self._set_killing(at_columns)
        self.leave = self._fallen + self.whole * self._moved
        self.stay = self.whole * self._unharmed

    @property
    def work(self) -> float:
        """About how much work it is to make and to send the volley, in the unit of `Meter`."""
        ways = sum(losing.shape[1] for losing in self.losing)
        return 20_000 + len(self.columns) * ways + self.killing.size * (1 + ways / len(self.losing) / 50)

    def _set_losing(self, fire: Fire | None) -> None:
        """Compute what the defender's fire makes of the rows."""
        rows, columns = self.rows, self.columns
        count = rows.stop - rows.start
        if fire is None:
            nodes = np.arange(rows.start, rows.stop)
            self.after, self.losing = list(nodes[:, None]), [np.ones((len(columns), 1))] * count
        else:
            chances, after, first, _ = fire.outcomes(columns, rows)
            pairs = list(pairwise([*first.tolist(), len(after)]))
            self.after, self.losing = [after[a:b] for a, b in pairs], [chances[:, a:b] for a, b in pairs]
        self.whole = np.stack([row_chances[:, 0] for row_chances in self.losing])
        self._fallen = np.stack([row_chances[:, 1:].sum(axis=1) for row_chances in self.losing])

    def _set_killing(self, fire: Fire | None) -> None:
        """Compute what the attacker's fire makes of the columns."""
        rows, columns = self.rows, self.columns
        count = rows.stop - rows.start
        if fire is None:
            self.reached: slice | Nodes = columns
            self.killing = np.zeros((count, len(columns), len(columns)))
            self._unharmed = np.ones((count, len(columns)))
            self._moved = np.zeros((count, len(columns)))
            self._inside = np.arange(len(columns))
            return
        together = columns[-1] - columns[0] < len(columns)
        some = slice(int(columns[0]), int(columns[-1]) + 1) if together else columns
        chances, after, first, counts = fire.outcomes(rows, some)
        self._unharmed = chances[:, first]
        chances[:, first] = 0
        self._moved = np.add.reduceat(chances, first, axis=1)
        low, high = int(after.min()), int(columns[-1]) + 1
        self.reached, place = slice(low, high), after - low
        self._inside = columns - low
        width = int(self._inside[-1]) + 1
        self.killing = np.zeros((count, len(columns) * width))
        owner = np.repeat(np.arange(len(columns)) * width, counts)
        self.killing[:, owner + place] = chances
        self.killing = self.killing.reshape(count, len(columns), width)

    def push_within(self, visits: Grid) -> Grid:
        """Return the mass that moves to other columns of the block while the attacker loses nobody: [row, column].

        Args:
            visits: The mass that fights in each cell: [row, column].
        """
        moved = ((visits * self.whole)[:, None, :] @ self.killing)[:, 0]
        return moved[:, self._inside]

    def send(self, law: Grid, visits: Grid, layer: int, within: bool, trifle: float) -> None:
        """Add the mass after the volley to a grid.

        Args:
            law: The grid.
            visits: The mass that fights in each cell: [row, column].
            layer: The number of rows between the block and the layer to which the mass goes.
            within: Whether to add the mass that stays in the rows and columns of the block, too.
            trifle: Rows to which no more than this would come are left out.
        """
        self._put_unharmed()
        after, parts = [], []
        for losing, rows, seen, killing in zip(self.losing, self.after, visits, self.killing, strict=True):
            weight = losing.T * seen
            likely = weight.sum(axis=1) > trifle
            after.append(rows[likely])
            parts.append(weight[likely] @ killing)
        for first, rows, part in zip(self.after, after, parts, strict=True):
            if len(rows):
                if not within and rows[0] == first[0]:
                    part[0, self._inside] = 0
                law[_cells(rows + layer, self.reached)] += part

    def _put_unharmed(self) -> None:
        """Put the chances that a column does not change into `killing`."""
        self.killing[:, np.arange(len(self.columns)), self._inside] = self._unharmed

    def worth_after_losses(self, worth: Grid, layer: int) -> Grid:
        """Return the worth after a loss of the attacker, weighted by its probability: [payoff, row, column].

        Args:
            worth: The worth of all cells: [payoff, row, column].
            layer: The number of rows between the block and the layer to which the volley leads.
        """
        self._put_unharmed()
        parts = []
        for losing, rows, killing in zip(self.losing, self.after, self.killing, strict=True):
            lower = worth[:, *_cells(rows[1:] + layer, self.reached)]  # payoff, row after, column after
            parts.append(((killing[None] @ lower.swapaxes(1, 2)) * losing[:, 1:]).sum(axis=2))
        self.killing[:, np.arange(len(self.columns)), self._inside] = 0
        return np.stack(parts, axis=1)

    def worth_without_losses(self, worth: Grid, layer: int) -> Grid:
        """Return the worth of other columns while the attacker loses nobody, weighted: see `BlockVolley.killing`."""
        rows = slice(self.rows.start + layer, self.rows.stop + layer)
        lower = worth[:, rows, self.reached]
        return np.asarray((self.killing[None] @ lower[..., None])[..., 0] * self.whole)


def _cells(rows: Nodes, columns: slice | Nodes) -> tuple[Nodes, slice | Nodes]:
    """An index of all cells of these rows and columns."""
    return (rows, columns) if isinstance(columns, slice) else (rows[:, None], columns)
