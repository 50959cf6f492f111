"""The map of a conquest as bits: sets of targets, and the sets that a front can take on its way.

A *place* is a number: the targets come first, in the order of `Conquest.targets`, then the starts. A *set* of targets
is a whole number with a bit for each. A set is *reachable* from a place if every target in it is joined to the place
through the set. A *front* is a place with the set that is to be taken onward from it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import permutations
from operator import or_

import numpy as np
import numpy.typing as npt

from solver.conquest.conquest import Conquest
from solver.errors import TooLargeError

Sets = npt.NDArray[np.int64]
"""Sets of targets, as whole numbers."""

MOST_FRONTS = 200_000
"""The most fronts of which the worth is worked out."""


@dataclass(frozen=True)
class Board:
    """The map of a conquest as bits.

    Attributes:
        conquest: The conquest.
    """

    conquest: Conquest

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each place."""
        return (*(target.name for target in self.conquest.targets), *(name for name, _ in self.conquest.starts))

    @property
    def targets(self) -> int:
        """The number of targets."""
        return len(self.conquest.targets)

    @cached_property
    def adjacent(self) -> tuple[int, ...]:
        """The set of targets next to each place."""
        place = {name: number for number, name in enumerate(self.names)}
        adjacent = [0] * len(place)
        for border in self.conquest.borders:
            for here, there in permutations(place[name] for name in border):
                if there < self.targets:
                    adjacent[here] |= 1 << there
        return tuple(adjacent)

    @property
    def starts(self) -> range:
        """The places of the starts."""
        return range(self.targets, len(self.names))

    def armies(self, start: int) -> int:
        """Return the free armies at the place of a start: see `Conquest`."""
        return self.conquest.starts[start - self.targets][1]

    @property
    def acting(self) -> list[int]:
        """The starts that have armies and a target beside them."""
        return [start for start in self.starts if self.armies(start) and self.adjacent[start]]

    def reach(self, place: int, within: int) -> int:
        """Return the targets of the set `within` that can be reached from a place through that set: see `Board`."""
        reached, new = 0, self.adjacent[place] & within
        while new:
            reached |= new
            further = reduce(or_, (self.adjacent[target] for target in members(new)))
            new = further & within & ~reached
        return reached

    @cached_property
    def reachable(self) -> tuple[Sets, ...]:
        """The sets that are reachable from each place, in ascending order; the place is in none of them.

        Raises:
            TooLargeError: There are too many.
        """
        sets: list[Sets] = []
        for place in range(len(self.names)):
            sets.append(self._grow(place))
            if sum(map(len, sets)) > MOST_FRONTS:
                raise too_large()
        return tuple(sets)

    def _grow(self, place: int) -> Sets:
        """Return the sets that are reachable from a place, grown target by target."""
        own = 1 << place if place < self.targets else 0
        sets = np.zeros(1, np.int64)
        borders = np.array([self.adjacent[place] & ~own])
        levels = [sets]
        while len(sets) and sum(map(len, levels)) <= MOST_FRONTS:
            grown, around = [], []
            for target in members(int(np.bitwise_or.reduce(borders))):
                near = np.flatnonzero(borders >> target & 1)
                grown.append(sets[near] | 1 << target)
                around.append((borders[near] | self.adjacent[target]) & ~(grown[-1] | own))
            sets, first = np.unique(np.concatenate(grown or [sets[:0]]), return_index=True)
            borders = np.concatenate(around or [borders[:0]])[first]
            levels.append(sets)
        return np.sort(np.concatenate(levels))

    def attacks(self) -> Iterator[tuple[int, int]]:
        """Yield every pair of a place and a target next to it."""
        for place, adjacent in enumerate(self.adjacent):
            for target in members(adjacent):
                yield place, target

    def onward(self, place: int, target: int) -> tuple[Sets, Sets]:
        """Return the sets to be taken onward from a captured target, and from where it was attacked: see `Board`."""
        both = 1 << target | (1 << place if place < self.targets else 0)
        onward, back = self.reachable[target], self.reachable[place]
        return onward[onward & both == 0], back[back & both == 0]


def too_large() -> TooLargeError:
    """Return the error for a map with too many plans to try them all."""
    return TooLargeError("targets", "this battle takes more work than is allowed")


def members(targets: int) -> Iterator[int]:
    """Yield the targets of a set: see `ArmedFront`.

    Example:
        >>> list(members(0b1010))
        [1, 3]
    """
    while targets:
        lowest = targets & -targets
        yield lowest.bit_length() - 1
        targets ^= lowest
