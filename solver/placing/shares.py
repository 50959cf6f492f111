"""The best ways to share units out over several places, each with a chance that depends on its share, found exactly.

The goal is a small chain. Its state so far is a row of numbers; a place that holds with chance h turns it into `known +
h * (known @ step)`. So the best that the remaining places can add, with any units left, has a bound for each of these
numbers alone, as if the fate of the earlier places were known. If all places must hold, or one of them, or values are
added up, the bound is exact. The search continues only where the bound is better than the best result so far.
"""

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

import numpy as np

from solver.axis.best.parts import Values
from solver.axis.kernel.forces import Nodes
from solver.chain import Grid
from solver.errors import TooLargeError

SAME = 1e-12
"""Chances that differ by less are equal except for rounding."""
APART = 1e-9
"""Allocations whose worth differs by less are equal for the people who ask."""
MOST_SHARES = 20_000
"""The most shares of the units, with equal kinds counted as one."""
FOR_OTHERS = 50_000_000
"""The work to separate further allocations from the best one, beside twice the work so far; a step takes 5 nanoseconds.
"""


class ShareGoal(NamedTuple):
    """The goal of an allocation as a small chain.

    Attributes:
        start: The state before the first place, a row of numbers.
        steps: The square matrix of each place, of the size of `start`.
        worth: The worth of each number at the end.
    """

    start: Values
    steps: tuple[Grid, ...]
    worth: Values


def hold_goal(wanted: int, places: int) -> ShareGoal:
    """Return the goal to hold some number of places; the state is the law of the number still missing.

    Args:
        wanted: The number of places to hold.
        places: The number of all places.
    """
    step = np.diag(np.ones(wanted), -1) - np.diag([0.0, *np.ones(wanted)])
    missing = np.eye(wanted + 1)
    return ShareGoal(missing[wanted], (step,) * places, missing[0])


def value_goal(values: Sequence[float]) -> ShareGoal:
    """Return the goal to hold the most value on average; the state is 1 and the expected value so far.

    Args:
        values: The value of each place.
    """
    steps = tuple(np.array([[0.0, value], [0.0, 0.0]]) for value in values)
    return ShareGoal(np.array([1.0, 0.0]), steps, np.array([0.0, 1.0]))


class PlaceOptions(NamedTuple):
    """The shares of one place that are better than every part of them.

    Attributes:
        codes: Their numbers.
        units: Their units, [share, kind].
        chances: The chance to hold the place with each.
    """

    codes: Nodes
    units: Nodes
    chances: Values


class Allocation(NamedTuple):
    """One way to share units out.

    Attributes:
        worth: Its worth by the goal.
        shares: The units of each place, [place, kind].
    """

    worth: float
    shares: Nodes


def best_shares(chances: Sequence[Grid], goal: ShareGoal, how_many: int, limit: float) -> list[Allocation]:
    """Find the best ways to share units out; units that are left over help nowhere.

    Args:
        chances: For each place the chance with every share: one axis for each kind, from none to all of its units;
            below 0 if the place cannot have them.
        goal: The goal.
        how_many: The number of allocations to find. If many others are nearly equal to the best, it stands alone.
        limit: The most work to do to find the best one.

    Returns:
        The allocations, best first, each with another worth.

    Raises:
        TooLargeError: There are too many shares, or it takes more work.
    """
    if chances[0].size > MOST_SHARES:
        raise too_many_shares()
    search = _Search(chances, goal, limit)
    best = search.run(1)
    search.limit = FOR_OTHERS + 2 * search.done
    try:
        return search.run(how_many) if how_many > 1 else best
    except TooLargeError:
        return best


class _Search:
    """A depth-first search, with the most promising branch first; `found` has the best allocations so far."""

    def __init__(self, chances: Sequence[Grid], goal: ShareGoal, limit: float) -> None:
        self.chances, self.goal, self.limit, self.done = chances, goal, limit, 0.0
        self.sizes = chances[0].shape
        self.units: Nodes = np.indices(self.sizes).reshape(len(self.sizes), -1).T
        self.found: list[Allocation] = []
        self.options = [self._options(*pair) for pair in zip(chances, goal.steps, strict=True)]
        self.bounds = [bound.reshape(len(goal.start), -1) for bound in self._bounds()]
        self.how_many = 1
        self._fitting: dict[tuple[int, int], Nodes] = {}
        self._seen: set[tuple[int, int, bytes]] = set()

    def _options(self, chances: Grid, step: Grid) -> PlaceOptions:
        """Return the shares of a place, without those that are no better than a part of them.

        Every unit may be kept back.
        """
        beaten = np.full_like(chances, -inf)
        for axis, size in enumerate(chances.shape):
            lower, upper = [slice(None)] * chances.ndim, [slice(None)] * chances.ndim
            lower[axis], upper[axis] = slice(0, size - 1), slice(1, size)
            beaten[tuple(upper)] = np.maximum(beaten[tuple(upper)], chances[tuple(lower)])
        for axis in range(chances.ndim):
            beaten = np.maximum.accumulate(beaten, axis=axis)
        best = (chances > beaten + SAME) & (chances >= 0)
        if not step.any():  # whatever comes of this place
            best[:] = False
            best.flat[0] = True
        codes = np.flatnonzero(best)[::-1]
        return PlaceOptions(codes, self.units[codes], chances.reshape(-1)[codes])

    def _bounds(self) -> list[Grid]:
        """Return the most worth from each place on, by state and units left: [state, *units]."""
        goal, blank = self.goal, (slice(None),)
        after = np.empty((len(goal.worth), *self.sizes))
        after[...] = goal.worth.reshape(-1, *(1,) * len(self.sizes))
        bounds = [after]
        for options, step in zip(reversed(self.options), reversed(goal.steps), strict=True):
            moved = np.tensordot(step, after, 1)
            best = np.full_like(after, -inf)
            for units, chance in zip(options.units.tolist(), options.chances.tolist(), strict=True):
                upper = (*blank, *(slice(count, None) for count in units))
                lower = (*blank, *(slice(0, size - count) for size, count in zip(self.sizes, units, strict=True)))
                going = after[lower] + chance * moved[lower]
                self._count_work(2_500 + 1.5 * going.size)
                np.maximum(best[upper], going, out=best[upper])
            bounds.append(after := best)
        return bounds[::-1]

    def _count_work(self, work: float) -> None:
        self.done += work
        if self.done > self.limit:
            raise too_many_shares()

    def run(self, how_many: int) -> list[Allocation]:
        """Return so many of the best allocations, best first; those found before are among them."""
        self.how_many = how_many
        self._seen.clear()
        self._search_from(0, len(self.units) - 1, self.goal.start, [])
        return list(self.found)

    @property
    def _floor(self) -> float:
        """The worth that another allocation must exceed."""
        return self.found[-1].worth if len(self.found) == self.how_many else -inf

    def _search_from(self, place: int, left: int, known: Values, shares: list[int]) -> None:
        """Share the units left out over the places from this one on."""
        if place == len(self.chances):
            self._keep_allocation(left, known, shares)
            return
        seen = place, left, known.round(12).tobytes()
        if seen in self._seen:
            return
        self._seen.add(seen)
        options = self.options[place]
        which = self._fitting_options(place, left)
        after, step = left - options.codes[which], known @ self.goal.steps[place]
        chances = options.chances[which]
        bounds = self.bounds[place + 1]
        worth = known @ bounds[:, after] + chances * (step @ bounds[:, after])
        self._count_work(10_000 + 4 * worth.size * len(known))
        for choice in np.argsort(-worth, kind="stable").tolist():
            if worth[choice] <= self._floor + SAME:
                break
            share = int(options.codes[which[choice]])
            self._search_from(place + 1, int(after[choice]), known + chances[choice] * step, [*shares, share])

    def _fitting_options(self, place: int, left: int) -> Nodes:
        """Return the options of a place with at most these units; of the last place only those without improvement."""
        if (place, left) not in self._fitting:
            options = self.options[place]
            which = np.flatnonzero((options.units <= self.units[left]).all(axis=1))
            self._count_work(options.units.size)
            if place == len(self.chances) - 1 and self.goal.steps[place].any():
                self._count_work(4 * self.units.size)
                part = tuple(slice(count + 1) for count in self.units[left].tolist())
                highest = _highest(self.chances[place][part])
                which = which[options.chances[which] >= highest[tuple(options.units[which].T)] - SAME]
            self._fitting[place, left] = which
        return self._fitting[place, left]

    def _keep_allocation(self, left: int, known: Values, shares: list[int]) -> None:
        """Keep an allocation, unless a unit left over would help or another one has the same worth."""
        units, worth = self.units[shares], float(known @ self.goal.worth)
        places = zip(self.chances, units.tolist(), self.goal.steps, strict=True)
        if any(step.any() and self._leftover_helps(chances, share, left) for chances, share, step in places):
            return
        if any(abs(worth - allocation.worth) < APART for allocation in self.found):
            return
        self.found.append(Allocation(worth, units))
        self.found.sort(key=lambda allocation: -allocation.worth)
        del self.found[self.how_many :]

    def _leftover_helps(self, chances: Grid, share: list[int], left: int) -> bool:
        more = tuple(slice(low, low + more + 1) for low, more in zip(share, self.units[left].tolist(), strict=True))
        return bool(chances[more].max() > chances[tuple(share)] + SAME)


def _highest(chances: Grid) -> Grid:
    """Return the highest chance with each share or more."""
    for axis in range(chances.ndim):
        chances = np.flip(np.maximum.accumulate(np.flip(chances, axis), axis=axis), axis)
    return chances


def too_many_shares() -> TooLargeError:
    """Return the error for units that can be split in too many ways."""
    return TooLargeError("units", "these units can be split in too many ways to try them all")
