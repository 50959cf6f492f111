"""Every force that hits and leaving units make of many first ones, found rank by rank with tables of numbers.

And the different values of an array of whole numbers.

The rank of a force is the number of its active units. A hit takes one, and whoever leaves is no longer active. So once
all forces of higher ranks are known, those of a rank are known, too.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from solver.axis.kernel.forces import Nodes, leaving_units
from solver.axis.kernel.hits import UnitCounts
from solver.errors import TooLargeError

MOST_FORCES = 20_000
BITS = 62
"""So many bits of a number are used to tell forces apart."""
SPARSE = 8
"""A table is faster than sorting for numbers that are on average no further apart than this."""


class Loss(NamedTuple):
    """The units that one hit may take: the first segment of `legal` that has an active unit.

    Attributes:
        legal: The segments that the hit may take, first lost first.
        screens: The segments of destroyers, the last of which is kept; empty if none is.
        instead: The segments that the hit takes before the last destroyer, first lost first.
    """

    legal: Nodes
    screens: Nodes
    instead: Nodes


class Departure(NamedTuple):
    """Units that may leave together.

    Attributes:
        leaving: Their segments.
        needed: They leave only if some of these segments have active units.
        most: How many of them may leave in all: see `leaving_units`.
    """

    leaving: Nodes
    needed: Nodes
    most: int


class Found(NamedTuple):
    """The forces that were found.

    Attributes:
        counts: The units of each: [force, active or gone, segment].
        roots: The place of each of the first forces among them.
        after: The place of the force that each loss leaves of a force, which is its own if it may take nobody: [loss]
            [force].
    """

    counts: UnitCounts
    roots: Nodes
    after: list[Nodes]


def check_forces(count: int) -> None:
    """Refuse more forces than `MOST_FORCES` with a TooLargeError.

    Args:
        count: How many there are.
    """
    if count > MOST_FORCES:
        raise TooLargeError("units", "a side of this size can lose units in too many ways")


def search_ranks(roots: UnitCounts, losses: Sequence[Loss], departures: Sequence[Departure]) -> Found:
    """Find all forces that losses and departures make of the first ones, in any order, each once.

    Args:
        roots: The first forces: [force, active or gone, segment].
        losses: The losses by hits.
        departures: Which units may leave.

    Raises:
        TooLargeError: There are more than `MOST_FORCES`.
    """
    segments = roots.shape[2]
    words = _words(np.tile(roots.sum(axis=1).max(axis=0), 2))
    places = np.empty(len(roots), np.int64)
    # The forces that wait for their rank, and where to note the places that they get.
    waiting: dict[int, list[tuple[UnitCounts, Nodes, Nodes]]] = defaultdict(list)
    _let_wait(waiting, roots.reshape(len(roots), 2 * segments), places, np.arange(len(roots)), segments)
    levels: list[UnitCounts] = []
    after: list[list[Nodes]] = [[] for _ in losses]
    first = 0
    while waiting:
        batches = waiting.pop(max(waiting))
        level, which = _different(np.concatenate([rows for rows, *_ in batches]), words)
        begin = 0
        for rows, noted, at in batches:
            noted[at] = first + which[begin : begin + len(rows)]
            begin += len(rows)
        check_forces(first + len(level))
        for loss, known in zip(losses, after, strict=True):
            known.append(np.arange(first, first + len(level)))
            left, hit = _lose(level, loss)
            _let_wait(waiting, left, known[-1], hit, segments)
        for departure in departures:
            left = _depart(level, departure, segments)
            _let_wait(waiting, left, np.empty(len(left), np.int64), np.arange(len(left)), segments)
        levels.append(level)
        first += len(level)
    counts = np.concatenate(levels).reshape(first, 2, segments)
    return Found(counts, places, [np.concatenate(known) for known in after])


def _words(limits: Nodes) -> UnitCounts:
    """The weight of each count in the few numbers that tell forces apart: [count, number]."""
    used, word, weights = 0, 0, []
    for count in limits.tolist():
        bits = count.bit_length()
        if used + bits > BITS:
            used, word = 0, word + 1
        weights.append((word, 1 << used))
        used += bits
    words = np.zeros((len(weights), word + 1), np.int64)
    for place, (word, weight) in enumerate(weights):
        words[place, word] = weight
    return words


def _different(rows: UnitCounts, words: UnitCounts) -> tuple[UnitCounts, Nodes]:
    """The different rows, and the place of each row among them."""
    codes = rows @ words
    order = np.lexsort(codes.T)
    codes = codes[order]
    new = np.ones(len(rows), bool)
    new[1:] = (codes[1:] != codes[:-1]).any(axis=1)
    which = np.empty(len(rows), np.int64)
    which[order] = new.cumsum() - 1
    return rows[order[new]], which


def _let_wait(
    waiting: dict[int, list[tuple[UnitCounts, Nodes, Nodes]]], rows: UnitCounts, noted: Nodes, at: Nodes, segments: int
) -> None:
    """Let forces wait for their ranks; their places will be noted there."""
    ranks = rows[:, :segments].sum(axis=1)
    for rank in set(ranks.tolist()):
        here = ranks == rank
        waiting[rank].append((rows[here], noted, at[here]))


def _lose(level: UnitCounts, loss: Loss) -> tuple[UnitCounts, Nodes]:
    """Return the rest of those forces that a loss takes a unit of, and which these are."""
    there = level[:, loss.legal] > 0
    hit = np.flatnonzero(there.any(axis=1))
    left = level[hit]
    if not len(left):
        return left, hit
    taken = loss.legal[there[hit].argmax(axis=1)]
    if loss.screens.size and loss.instead.size:
        last = (left[:, loss.screens].sum(axis=1) == 1) & np.isin(taken, loss.screens)
        others = left[:, loss.instead] > 0
        saved = last & others.any(axis=1)
        taken[saved] = loss.instead[others[saved].argmax(axis=1)]
    left[np.arange(len(left)), taken] -= 1
    return left, hit


def _depart(level: UnitCounts, departure: Departure, segments: int) -> UnitCounts:
    """Return the rest of the forces whose units can leave, once these have left."""
    leaving, needed, most = departure
    away = leaving_units(level[:, leaving], level[:, leaving + segments], most)
    some = away.any(axis=1) & (level[:, needed] > 0).any(axis=1)
    left, away = level[some], away[some]
    left[:, leaving + segments] += away
    left[:, leaving] -= away
    return left


def unique_inverse(codes: Nodes) -> tuple[Nodes, Nodes]:
    """Return the different values of an array of whole numbers, ascending, and the place of each element's value.

    It does what `numpy.unique` does with `return_inverse`, but avoids sorting if the values are close together.

    Args:
        codes: Whole numbers, of any shape.
    """
    low, high = (int(codes.min()), int(codes.max())) if codes.size else (0, 0)
    if high - low > SPARSE * (codes.size + 1000):
        # `numpy.unique` imports a package when it is first called, which takes longer than most battles.
        flat = codes.reshape(-1)
        order = flat.argsort(kind="stable")
        ordered = flat[order]
        new = np.concatenate([[True], ordered[1:] != ordered[:-1]])
        which = np.empty(len(flat), np.int64)
        which[order] = np.cumsum(new) - 1
        return ordered[new], which.reshape(codes.shape)
    seen = np.zeros(high - low + 1, bool)
    seen[codes - low] = True
    values = np.flatnonzero(seen)
    place = np.zeros(len(seen), np.int64)
    place[values] = np.arange(len(values))
    return values + low, place[codes - low]
