"""The ways in which a defender may take hits: for every number of hits the forces that they may leave."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from solver.axis.kernel.forces import Nodes, Take
from solver.casualties.sides import Side


class LossWays(NamedTuple):
    """Ways in which some forces may take hits that cost them somebody, sorted by what is left.

    Attributes:
        forces: The place of the force before: [way].
        hits: The place of the numbers of hits among all combinations: [way].
        left: The node that is left: [way].
    """

    forces: Nodes
    hits: Nodes
    left: Nodes

    def by_left(self) -> Iterator[tuple[int, slice]]:
        """Yield each node that may be left, with the place of its ways."""
        bounds = np.flatnonzero(np.diff(self.left, prepend=-1, append=-1))
        for first, last in zip(bounds.tolist(), bounds[1:].tolist(), strict=False):
            yield int(self.left[first]), slice(first, last)


def find_loss_ways(side: Side, nodes: Nodes, takes: Sequence[Take], most: Sequence[int]) -> LossWays:
    """Return the ways in which some forces may take hits.

    Args:
        side: The forces of the side.
        nodes: The forces that are hit.
        takes: The reaches of the hits, in the order in which they are allotted.
        most: The highest number of hits of each reach.
    """
    start: Nodes = np.arange(len(nodes), dtype=np.int64)
    reached: list[tuple[int, Nodes, Nodes]] = [(0, start, nodes)]
    for take, count in zip(takes, most, strict=True):
        every: list[tuple[int, Nodes, Nodes]] = []
        for place, forces, left in reached:
            every.append((place * (count + 1), forces, left))
            for hits in range(1, count + 1):
                every.append((place * (count + 1) + hits, *_after_hit(side, take, *every[-1][1:])))
        reached = every
    found = np.concatenate([[forces, np.full(len(left), place), left] for place, forces, left in reached], axis=1)
    found = found[:, found[2] != nodes[found[0]]]
    return LossWays(*found[:, np.argsort(found[2], kind="stable")])


def _after_hit(side: Side, take: Take, forces: Nodes, left: Nodes) -> tuple[Nodes, Nodes]:
    """The forces and what one more hit may leave of each, every pair once."""
    after = side.after[take][left]
    pairs = np.unique((forces[:, None] * len(side) + after).ravel())
    return pairs // len(side), pairs % len(side)
