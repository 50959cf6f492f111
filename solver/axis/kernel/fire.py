"""The fire of one side in one phase of a round, and the forces that it leaves of each force of the other side."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from solver.axis.kernel.forces import Nodes
from solver.axis.kernel.ways import FireStage, Troop, Ways, find_ways
from solver.chain import Grid
from solver.progress import Meter


class Outcomes(NamedTuple):
    """The outcomes of some forces: all of the first force, itself first, then all of the second, and so on.

    Attributes:
        chances: The probability of each outcome by shooter: [shooter, outcome].
        after: The force of each outcome.
        first: The place of the first outcome of each force.
        counts: The number of outcomes of each force.
    """

    chances: Grid
    after: Nodes
    first: Nodes
    counts: Nodes


class Fire:
    """The fire of forces of one kind at those of another in one phase.

    Attributes:
        ways: The ways of all targets.
        row: The row of each shooter in the table of chances.

    Args:
        target, shooter: The forces under fire, and those that fire.
        stages: The hits in the order in which they are allotted.
        trim: Whether hits with next to no chance are left out.
        meter: Counts the work.
    """

    def __init__(self, target: Troop, shooter: Troop, stages: Sequence[FireStage], trim: bool, meter: Meter) -> None:
        self.ways: Ways = find_ways(target, shooter, stages, trim, meter)
        self.row = np.zeros(len(shooter.lattice), np.int64)
        self.row[shooter.nodes] = np.arange(len(shooter.nodes))

    def outcomes(self, shooters: Nodes, targets: Nodes) -> Outcomes:
        """Return what some shooters make of some targets.

        Args:
            shooters: Nodes of the shooters' lattice.
            targets: Nodes of the targets' lattice, in ascending order.
        """
        known = self.ways
        ways, first_way, _ = _list_ranges(known.first, targets)
        table = known.chances[self.row[shooters]]
        chances = table.take(known.place[ways], axis=1)
        for factors in known.factors:
            chances *= table.take(factors[ways], axis=1)
        outcomes, first, counts = _list_ranges(known.first_outcome, targets)
        # The place of the ways of each target in the list, plus the place of each outcome in them.
        begins = known.outcome[outcomes] + np.repeat(first_way - known.first[targets], counts)
        return Outcomes(np.add.reduceat(chances, begins, axis=1), known.after[outcomes], first, counts)


def _list_ranges(first: Nodes, some: Nodes) -> tuple[Nodes, Nodes, Nodes]:
    """The places of the lists of some forces one after the other, the start of each list among them, and its length."""
    counts = first[some + 1] - first[some]
    starts = np.cumsum(counts) - counts
    return np.repeat(first[some] - starts, counts) + np.arange(counts.sum()), starts, counts
