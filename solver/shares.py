"""How to share units out over several places, each with a chance that depends on what it gets: the best ways, exactly.

A goal is a little chain of its own: what is known of it so far is a row of numbers, and a place that holds with chance
h makes `known + h * (known @ step)` of it. So what is still to be had from any place on, with any units left, can be
bounded for each of these numbers by itself, as if one knew how the places before had fared; where all places must hold,
one of them, or values are added up, that is no bound but the truth. The search goes on only where the bound is better
than what was found.
"""

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

import numpy as np

from solver.chain import Grid
from solver.errors import TooLargeError
from solver.forces import Nodes
from solver.parts import Values

SAME = 1e-12
"""Chances that differ by less are the same but for rounding."""
APART = 1e-9
"""Two ways to share that are worth the same but for less are one to those who ask."""
MOST_SHARES = 20_000
"""So many shares of the units there may be, kinds that do the same counted as one."""
FOR_OTHERS = 50_000_000
"""Work that may be done to tell others from the best beside as much as that took, in steps of about 5 nanoseconds."""


class Goal(NamedTuple):
    """What the places are for: what is known before the first, what each makes of it, and what it is worth at the end.

    `steps` has a square matrix for each place, of the size of `start` and `worth`.
    """

    start: Values
    steps: tuple[Grid, ...]
    worth: Values


def at_least(wanted: int, places: int) -> Goal:
    """The chance that so many places hold; what is known is the law of how many are still missing."""
    step = np.diag(np.ones(wanted), -1) - np.diag([0.0, *np.ones(wanted)])
    missing = np.eye(wanted + 1)
    return Goal(missing[wanted], (step,) * places, missing[0])


def total(values: Sequence[float]) -> Goal:
    """The expected value of the places that hold; what is known is that of those behind us."""
    steps = tuple(np.array([[0.0, value], [0.0, 0.0]]) for value in values)
    return Goal(np.array([1.0, 0.0]), steps, np.array([0.0, 1.0]))


class Options(NamedTuple):
    """The shares of a place that no part of them beats: their numbers, units [share, kind], and chances."""

    codes: Nodes
    units: Nodes
    chances: Values


class Shared(NamedTuple):
    """A way to share the units out: what it is worth, and what every place gets, [place, kind]."""

    worth: float
    shares: Nodes


def best_shares(chances: Sequence[Grid], goal: Goal, how_many: int, most: float = inf) -> list[Shared]:
    """The best ways to share units out, best first, each worth something else; what is left over helps nowhere.

    `chances` has for each place those with all shares, an axis a kind, from none to all units of it; below 0 where a
    place cannot have them. TooLargeError where to find the best is more work than `most`. Where great numbers of others
    are all but the same as the best, telling them apart is not worth the time, and it stands alone.
    """
    if chances[0].size > MOST_SHARES:
        raise too_many()
    search = _Search(chances, goal, most)
    best = search.run(1)
    search.most = FOR_OTHERS + 2 * search.done
    try:
        return search.run(how_many) if how_many > 1 else best
    except TooLargeError:
        return best


class _Search:
    """Depth first, what promises most first; `found` has the best so far."""

    def __init__(self, chances: Sequence[Grid], goal: Goal, most: float) -> None:
        self.chances, self.goal, self.most, self.done = chances, goal, most, 0.0
        self.sizes = chances[0].shape
        self.units: Nodes = np.indices(self.sizes).reshape(len(self.sizes), -1).T
        self.found: list[Shared] = []
        self.options = [self._options(*pair) for pair in zip(chances, goal.steps, strict=True)]
        self.bounds = [bound.reshape(len(goal.start), -1) for bound in self._bounds()]
        self.how_many = 1
        self._fitting: dict[tuple[int, int], Nodes] = {}
        self._seen: set[tuple[int, int, bytes]] = set()

    def _options(self, chances: Grid, step: Grid) -> Options:
        """Every unit may be kept back, so a share that is no better than a part of it is none."""
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
        return Options(codes, self.units[codes], chances.reshape(-1)[codes])

    def _bounds(self) -> list[Grid]:
        """The most that is to be had from each place on, for what is known and the units left: [known, *units]."""
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
                self._work(2_500 + 1.5 * going.size)
                np.maximum(best[upper], going, out=best[upper])
            bounds.append(after := best)
        return bounds[::-1]

    def _work(self, work: float) -> None:
        self.done += work
        if self.done > self.most:
            raise too_many()

    def run(self, how_many: int) -> list[Shared]:
        """The best so many, best first; those that were found before are among them."""
        self.how_many = how_many
        self._seen.clear()
        self._go(0, len(self.units) - 1, self.goal.start, [])
        return list(self.found)

    @property
    def _floor(self) -> float:
        """What is not worth more than this is of no use any more."""
        return self.found[-1].worth if len(self.found) == self.how_many else -inf

    def _go(self, place: int, left: int, known: Values, shares: list[int]) -> None:
        """Share these units out over the places from this one on."""
        if place == len(self.chances):
            self._end(left, known, shares)
            return
        seen = place, left, known.round(12).tobytes()
        if seen in self._seen:
            return
        self._seen.add(seen)
        options = self.options[place]
        which = self._fit(place, left)
        after, step = left - options.codes[which], known @ self.goal.steps[place]
        chances = options.chances[which]
        bounds = self.bounds[place + 1]
        worth = known @ bounds[:, after] + chances * (step @ bounds[:, after])
        self._work(10_000 + 4 * worth.size * len(known))
        for one in np.argsort(-worth, kind="stable").tolist():
            if worth[one] <= self._floor + SAME:
                break
            self._go(place + 1, int(after[one]), known + chances[one] * step, [*shares, int(options.codes[which[one]])])

    def _fit(self, place: int, left: int) -> Nodes:
        """The options of a place with no more than these units; of the last, those to which none can be added."""
        if (place, left) not in self._fitting:
            options = self.options[place]
            which = np.flatnonzero((options.units <= self.units[left]).all(axis=1))
            self._work(options.units.size)
            if place == len(self.chances) - 1 and self.goal.steps[place].any():
                self._work(4 * self.units.size)
                highest = _highest(self.chances[place][self._within(left)])
                which = which[options.chances[which] >= highest[tuple(options.units[which].T)] - SAME]
            self._fitting[place, left] = which
        return self._fitting[place, left]

    def _within(self, left: int) -> tuple[slice, ...]:
        return tuple(slice(0, count + 1) for count in self.units[left].tolist())

    def _end(self, left: int, known: Values, shares: list[int]) -> None:
        """Keep what was found, unless something left over would help, or another one is worth the same."""
        units = self.units[shares]
        held = [float(chances[tuple(share)]) for chances, share in zip(self.chances, units.tolist(), strict=True)]
        if any(self._helps(*one, left) for one in zip(self.chances, units, held, self.goal.steps, strict=True)):
            return
        worth = float(known @ self.goal.worth)
        if any(abs(worth - one.worth) < APART for one in self.found):
            return
        self.found.append(Shared(worth, units))
        self.found.sort(key=lambda one: -one.worth)
        del self.found[self.how_many :]

    def _helps(self, chances: Grid, share: Nodes, held: float, step: Grid, left: int) -> bool:
        more = tuple(slice(low, low + more + 1) for low, more in zip(share, self.units[left], strict=True))
        return bool(step.any() and chances[more].max() > held + SAME)


def _highest(chances: Grid) -> Grid:
    """The highest chance with each share or more."""
    for axis in range(chances.ndim):
        chances = np.flip(np.maximum.accumulate(np.flip(chances, axis), axis=axis), axis)
    return chances


def too_many() -> TooLargeError:
    """The refusal of units that can be shared out in more ways than can be tried."""
    return TooLargeError("units", "these units can be split in too many ways to try them all")
