"""A volley: one phase of fire of both sides in a block of cells, as products of chances.

The hits of one side are independent of those of the other, so what becomes of a cell is what the defender's fire makes
of its row times what the attacker's makes of its column; for all columns of a row that is a product of matrices.
"""

from itertools import pairwise

import numpy as np

from solver.chain import Grid
from solver.fire import Fire
from solver.forces import Nodes

Salvo = tuple[Fire | None, Fire | None]
"""The attacker's fire at the defender and the defender's at the attacker; None where a side does not fire."""

SPARSE = 3
"""Where columns lie so far apart, those between them may be many that nothing leads to."""


class Volley:
    """One phase of fire in the cells of some rows and columns, none of them empty.

    `leave` and `stay` are the chances that a cell changes and that it does not: [row, column]. The defender's fire
    makes of row r the rows `after[r]` with the chances `losing[r]`, [column, row after], itself first; the attacker's
    makes of the columns those that are `reached`: `killing` is [row, column, column after].
    """

    def __init__(self, salvo: Salvo, rows: slice, columns: Nodes) -> None:
        at_columns, at_rows = salvo
        self.rows, self.columns = rows, columns
        self._fall(at_rows)
        self._kill(at_columns)
        self.leave = self._fallen + self.whole * self._moved
        self.stay = self.whole * self._unharmed

    @property
    def work(self) -> float:
        """About how long it takes to make and to send, in the unit of `DiceChain.work`."""
        ways = sum(losing.shape[1] for losing in self.losing)
        return 20_000 + len(self.columns) * ways + self.killing.size * (1 + ways / len(self.losing) / 50)

    def _fall(self, fire: Fire | None) -> None:
        rows, columns = self.rows, self.columns
        count = rows.stop - rows.start
        if fire is None:
            nodes = np.arange(rows.start, rows.stop)
            self.after, self.losing = list(nodes[:, None]), [np.ones((len(columns), 1))] * count
        elif fire.alike is not None and (fire.alike[rows] == fire.alike[rows.start]).all():
            # The same chances for all: to have them once is enough.
            after = fire.outcomes(columns[:0], rows).after
            chances = fire.outcomes(columns, slice(rows.start, rows.start + 1)).chances
            self.after, self.losing = list(after.reshape(count, -1)), [chances] * count
        else:
            chances, after, first, _ = fire.outcomes(columns, rows)
            pairs = list(pairwise([*first.tolist(), len(after)]))
            self.after, self.losing = [after[a:b] for a, b in pairs], [chances[:, a:b] for a, b in pairs]
        self.alike = all(one is self.losing[0] for one in self.losing)
        if self.alike:
            self.whole, self._fallen = self.losing[0][:, 0], self.losing[0][:, 1:].sum(axis=1)
        else:
            self.whole = np.stack([one[:, 0] for one in self.losing])
            self._fallen = np.stack([one[:, 1:].sum(axis=1) for one in self.losing])

    def _kill(self, fire: Fire | None) -> None:
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
        if high - low > SPARSE * len(columns):
            seen = np.zeros(high - low, bool)
            seen[place] = True
            found = np.flatnonzero(seen)
            if 2 * len(found) < high - low:
                rank = np.cumsum(seen) - 1
                self.reached, place, self._inside = found + low, rank[place], rank[self._inside]
        width = int(self._inside[-1]) + 1
        self.killing = np.zeros((count, len(columns) * width))
        owner = np.repeat(np.arange(len(columns)) * width, counts)
        self.killing[:, owner + place] = chances
        self.killing = self.killing.reshape(count, len(columns), width)

    def within(self, visits: Grid) -> Grid:
        """What comes to other columns of these while the attacker loses nobody."""
        moved = ((visits * self.whole)[:, None, :] @ self.killing)[:, 0]
        return moved[:, self._inside]

    def send(self, law: Grid, visits: Grid, layer: int, within: bool, least: float) -> None:
        """Put into `law` what comes of the visits; without `within` not what stays in these rows and columns.

        Rows to which no more than `least` would come are left out.
        """
        self._with_unharmed()
        if self.alike:
            weighted = self.losing[0].T[None] * visits[:, None, :]
            likely = (weighted.sum(axis=2) > least).any(axis=0)
            if not likely.all():
                places = np.flatnonzero(likely)
                weighted, after = weighted[:, places], [rows[places] for rows in self.after]
            else:
                after = self.after
            parts = list(weighted @ self.killing)
        else:
            after, parts = [], []
            for losing, rows, seen, killing in zip(self.losing, self.after, visits, self.killing, strict=True):
                weight = losing.T * seen
                likely = weight.sum(axis=1) > least
                after.append(rows[likely])
                parts.append(weight[likely] @ killing)
        for first, rows, one in zip(self.after, after, parts, strict=True):
            if len(rows):
                if not within and rows[0] == first[0]:
                    one[0, self._inside] = 0
                law[_cells(rows + layer, self.reached)] += one

    def _with_unharmed(self) -> None:
        self.killing[:, np.arange(len(self.columns)), self._inside] = self._unharmed

    def beyond(self, worth: Grid, layer: int) -> Grid:
        """What the cells after a loss of the attacker are worth on average: [payoff, row, column]."""
        self._with_unharmed()
        parts = []
        for losing, rows, killing in zip(self.losing, self.after, self.killing, strict=True):
            lower = worth[:, *_cells(rows[1:] + layer, self.reached)]  # payoff, row after, column after
            parts.append(((killing[None] @ lower.swapaxes(1, 2)) * losing[:, 1:]).sum(axis=2))
        self.killing[:, np.arange(len(self.columns)), self._inside] = 0
        return np.stack(parts, axis=1)

    def along(self, worth: Grid, layer: int) -> Grid:
        """What the other columns of these rows are worth on average while the attacker loses nobody."""
        rows = slice(self.rows.start + layer, self.rows.stop + layer)
        lower = worth[:, rows, self.reached]
        return np.asarray((self.killing[None] @ lower[..., None])[..., 0] * self.whole)


def _cells(rows: Nodes, columns: slice | Nodes) -> tuple[Nodes, slice | Nodes]:
    """An index of all cells of these rows and columns."""
    return (rows, columns) if isinstance(columns, slice) else (rows[:, None], columns)
