"""The ways in which a defender may take hits: for every number of hits the forces that they may leave."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.axis.kernel.forces import Nodes, Take
from solver.casualties.sides import Side
from solver.casualties.tables import SAME, Grid

Ranks = npt.NDArray[np.int32]


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
            worth: What every node is worth to the side that is hit.
        """
        some = np.flatnonzero(self.hits == hits)
        left = self.left[some[np.argsort(self.ranks[some])]]
        return int(left[np.argmax(worth[left] >= worth[left].max() - SAME)])


def find_loss_ways(
    side: Side, nodes: Nodes, takes: Sequence[Take], most: Sequence[int], ranked: bool = True
) -> LossWays:
    """Return the ways in which some forces may take hits.

    Args:
        side: The forces of the side.
        nodes: The forces that are hit.
        takes: The reaches of the hits, in the order in which they are allotted.
        most: The highest number of hits of each reach.
        ranked: Whether the ways have ranks; it is slower.
    """
    start: Nodes = np.arange(len(nodes), dtype=np.int64)
    reached: list[tuple[int, Nodes, Nodes]] = [(0, start, nodes)]
    for take, count in zip(takes, most, strict=True):
        every: list[tuple[int, Nodes, Nodes]] = []
        for place, forces, left in reached:
            every.append((place * (count + 1), forces, left))
            for hits in range(1, count + 1):
                every.append((place * (count + 1) + hits, *_after_hit(side, take, *every[-1][1:], ranked)))
        reached = every
    found = np.concatenate([[forces, np.full(len(left), place), left] for place, forces, left in reached], axis=1)
    found = found[:, found[2] != nodes[found[0]]]
    ranks = np.argsort(found[2], kind="stable")
    forces, hits, left = found[:, ranks]
    return LossWays(forces, hits, left, ranks.astype(np.int32))


def _after_hit(side: Side, take: Take, forces: Nodes, left: Nodes, ranked: bool) -> tuple[Nodes, Nodes]:
    """The forces and what one more hit may leave of each, every pair once; with ranks in their order for each force."""
    pairs = (forces[:, None] * len(side) + side.after[take][left]).ravel()
    pairs = pairs[np.sort(np.unique(pairs, return_index=True)[1])] if ranked else np.unique(pairs)
    return pairs // len(side), pairs % len(side)
