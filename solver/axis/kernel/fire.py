"""The fire of one side in one phase of a round, and the forces that it leaves of each force of the other side."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from solver.axis.kernel.forces import Nodes
from solver.axis.kernel.ways import FireStage, Troop, Ways, find_ways
from solver.chain import Grid
from solver.progress import Meter

Selection = slice | Nodes
"""Some forces of a lattice: a range, or a list of nodes in ascending order."""


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

    @property
    def most(self) -> int:
        """The most outcomes of a target."""
        return int(np.diff(self.ways.first_outcome).max(initial=1))

    def outcomes(self, shooters: Selection, targets: Selection) -> Outcomes:
        """Return what some shooters make of some targets.

        Args:
            shooters: Nodes of the shooters' lattice.
            targets: Nodes of the targets' lattice, in ascending order.
        """
        known = self.ways
        ways, firsts, _ = _list_ranges(known.first, targets)
        table = known.chances[self.row[shooters]]
        chances = table.take(known.place[ways], axis=1)
        for factors in known.factors:
            chances *= table.take(factors[ways], axis=1)
        outcomes, first, counts = _list_ranges(known.first_outcome, targets)
        if len(known.after) < len(known.place):
            begins = known.outcome[:-1][outcomes]
            if isinstance(ways, slice):
                begins = begins - ways.start
            else:
                # The place of the ways of each target in the list, plus the place of each outcome in them.
                begins = begins - np.repeat(known.first[targets], counts) + np.repeat(firsts, counts)
            chances = np.add.reduceat(chances, begins, axis=1)
        return Outcomes(chances, known.after[outcomes], first, counts)


def _list_ranges(first: Nodes, some: Selection) -> tuple[slice | Nodes, Nodes, Nodes]:
    """The places of the lists of some forces one after the other, the start of each list among them, and its length."""
    if isinstance(some, slice):
        bounds = first[some.start : some.stop + 1]
        start = int(bounds[0])
        return slice(start, int(bounds[-1])), bounds[:-1] - start, bounds[1:] - bounds[:-1]
    begins = first[some]
    counts = first[some + 1] - begins
    total, start, stop = int(counts.sum()), int(begins[0]), int(begins[-1] + counts[-1])
    if stop - start == total:  # nothing is between them
        return slice(start, stop), begins - start, counts
    starts = np.cumsum(counts) - counts
    return np.repeat(begins - starts, counts) + np.arange(total), starts, counts
