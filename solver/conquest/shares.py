"""Several starts: the best way to share the targets among them."""

from functools import reduce
from operator import or_
from typing import NamedTuple

import numpy as np

from solver.chain import Chances
from solver.conquest.board import Sets
from solver.conquest.fronts import Fronts, disjoint_pairs, starts_of_runs
from solver.conquest.plan import ArmedFront


class _Worths(NamedTuple):
    """The worth of sets of targets, for one start or for several together.

    Attributes:
        sets: The sets, in ascending order.
        worths: The worth of each.
    """

    sets: Sets
    worths: Chances


def share_targets(fronts: Fronts) -> tuple[float, list[ArmedFront]]:
    """Return the worth of the best shares, and each start with its share.

    Args:
        fronts: The worth of all fronts.

    Returns:
        The worth, and the fronts at the beginning; none if the aim cannot be reached.

    Raises:
        TooLargeError: There are too many ways to share the targets.
    """
    board = fronts.board
    starts = [start for start in board.starts if board.armies(start) and board.adjacent[start]]
    every = reduce(or_, (board.reach(start, (1 << board.targets) - 1) for start in starts), 0)
    if not starts or (not fronts.adds and every != (1 << board.targets) - 1):
        return 0.0, []
    own = [_own_worths(fronts, start) for start in starts]
    joint = [own[0]]
    for mine in own[1:-1]:
        joint.append(_join(joint[-1], mine, fronts.adds))
    shares, rest = [], every
    for number in range(len(starts) - 1, 0, -1):
        share = _best_share(joint[number - 1], own[number], rest, fronts.adds)
        shares.append(ArmedFront(starts[number], share, board.armies(starts[number])))
        rest &= ~share
    shares.append(ArmedFront(starts[0], rest, board.armies(starts[0])))
    worths = [fronts.worth_of(*share) for share in shares]
    worth = float(sum(worths) if fronts.adds else np.prod(worths))
    return worth, shares[::-1] if worth else []


def worths_by_armies(fronts: Fronts, start: int) -> Chances:
    """Return the worth of the best shares for each number of armies at one start; those of the others stay.

    Args:
        fronts: The worth of all fronts.
        start: The place of the start.

    Raises:
        TooLargeError: There are too many ways to share the targets.
    """
    board, whole = fronts.board, (1 << fronts.board.targets) - 1
    others = [other for other in board.starts if other != start and board.armies(other) and board.adjacent[other]]
    sets = board.reachable[start]
    if not others:
        return np.asarray(fronts.worth[fronts.number(start, np.array([whole]))[0]]) if whole in sets else _none(fronts)
    joint = _own_worths(fronts, others[0])
    for other in others[1:]:
        joint = _join(joint, _own_worths(fronts, other), fronts.adds)
    place = np.minimum(np.searchsorted(joint.sets, whole & ~sets), len(joint.sets) - 1)
    possible = joint.sets[place] == whole & ~sets
    if not possible.any():
        return _none(fronts)
    own = fronts.worth[fronts.number(start, sets[possible])]
    return np.asarray(_combine(own, joint.worths[place[possible], None], fronts.adds).max(axis=0))


def _none(fronts: Fronts) -> Chances:
    """Return the worth of every number of armies if the targets cannot be reached."""
    return np.zeros(fronts.most + 1)


def _own_worths(fronts: Fronts, start: int) -> _Worths:
    sets = fronts.board.reachable[start]
    return _Worths(sets, fronts.worth[fronts.number(start, sets), fronts.board.armies(start)])


def _join(ours: _Worths, mine: _Worths, adds: bool) -> _Worths:
    """Return the worth of each set that one start more makes possible, with the best shares."""
    sets, worths = ours.sets[:0], ours.worths[:0]
    for rows, columns in disjoint_pairs(ours.sets, mine.sets):
        sets = np.concatenate([sets, ours.sets[rows] | mine.sets[columns]])
        worths = np.concatenate([worths, _combine(ours.worths[rows], mine.worths[columns], adds)])
        order = np.argsort(sets)
        runs = starts_of_runs(sets[order])
        sets, worths = sets[order][runs], np.maximum.reduceat(worths[order], runs)
    return _Worths(sets, worths)


def _best_share(ours: _Worths, mine: _Worths, every: int, adds: bool) -> int:
    """Return the best share of one start in a set that it takes together with others."""
    sets = mine.sets[mine.sets & ~every == 0]
    rest = every & ~sets
    place = np.minimum(np.searchsorted(ours.sets, rest), len(ours.sets) - 1)
    possible = ours.sets[place] == rest
    sets, place = sets[possible], place[possible]
    worths = _combine(ours.worths[place], mine.worths[np.searchsorted(mine.sets, sets)], adds)
    return int(sets[worths.argmax()])


def _combine(ones: Chances, others: Chances, adds: bool) -> Chances:
    return ones + others if adds else ones * others
