"""A volley: the fire of both sides at once in the cells of a row, as products of chances.

The hits of one side are independent of those of the other. So the law after a volley is the product of what the
defender's fire makes of the row and what the attacker's fire makes of the column. For all columns together that is a
product of matrices.
"""

import numpy as np

from solver.axis.kernel.fire import Fire, Outcomes
from solver.axis.kernel.forces import Nodes
from solver.chain import Chances, Grid

FirePair = tuple[Fire | None, Fire | None]
"""The attacker's fire and the defender's fire; None for a side that does not fire."""


class RowVolley:
    """One phase of fire, a salvo of both sides, in the cells of a row and of ascending columns.

    Attributes:
        leave: The probability that a cell changes: [column].
        stay: The probability that it does not: [column].
        after: The rows that the defender's fire makes of the row, itself first.
        losing: The probability of each of these: [column, row after].
        whole: The probability of the first of these: [column].
        reached: The columns that the attacker's fire makes of the columns.
        every: The probability of each of these: [column, column after].
        killing: The same, but 0 for a column that does not change.
    """

    def __init__(self, salvo: FirePair, row: int, columns: Nodes) -> None:
        at_columns, at_rows = salvo
        itself = np.array([row])
        self.row = row
        self.losing, self.after, _, _ = _outcomes(at_rows, columns, itself)
        chances, after, first, counts = _outcomes(at_columns, itself, columns)
        low, places = int(after.min()), np.arange(len(columns))
        self.reached, self._inside = slice(low, int(columns[-1]) + 1), columns - low
        self.every = np.zeros((len(columns), self._inside[-1] + 1))
        self.every[np.repeat(places, counts), after - low] = chances[0]
        self.killing = self.every.copy()
        self.killing[places, self._inside] = 0
        self.whole = self.losing[:, 0]
        self.leave = self.losing[:, 1:].sum(axis=1) + self.whole * self.killing.sum(axis=1)
        self.stay = self.whole * chances[0, first]

    @property
    def work(self) -> float:
        """About how much work it is to make and to send the volley, in the unit of `Meter`."""
        return 10_000 + self.losing.size + self.every.size * (1 + len(self.after) / 50)

    def push_within(self, visits: Chances) -> Chances:
        """Return the mass that moves to other columns while the attacker loses nobody: [column].

        Args:
            visits: The mass that fights in each cell: [column].
        """
        return np.asarray(((visits * self.whole) @ self.killing)[self._inside])

    def send(self, law: Grid, visits: Chances, layer: int, within: bool) -> None:
        """Add the mass after the volley to a grid.

        Args:
            law: The grid.
            visits: The mass that fights in each cell: [column].
            layer: The number of rows between the row and the layer to which the mass goes.
            within: Whether to add the mass that stays in the row and in these columns, too.
        """
        mass = (self.losing.T * visits) @ self.every
        if not within:
            mass[0, self._inside] = 0
        law[self.after + layer, self.reached] += mass

    def worth_after_losses(self, worth: Grid, layer: int) -> Grid:
        """Return the worth after a loss of the attacker, weighted by its probability: [payoff, column].

        Args:
            worth: The worth of all cells: [payoff, row, column].
            layer: The number of rows between the row and the layer to which the volley leads.
        """
        lower = worth[:, self.after[1:] + layer, self.reached]  # payoff, row after, column after
        return np.asarray(((self.every @ lower.swapaxes(1, 2)) * self.losing[:, 1:]).sum(axis=2))

    def worth_without_losses(self, worth: Grid, layer: int) -> Grid:
        """Return the worth of other columns while the attacker loses nobody, weighted: see `RowVolley.killing`."""
        return np.asarray((worth[:, self.row + layer, self.reached] @ self.killing.T) * self.whole)


def _outcomes(fire: Fire | None, shooters: Nodes, targets: Nodes) -> Outcomes:
    """Return the targets after the fire of some shooters; the targets themselves if nobody fires."""
    if fire:
        return fire.outcomes(shooters, targets)
    places = np.arange(len(targets))
    return Outcomes(np.ones((len(shooters), len(targets))), targets, places, np.ones_like(places))
