"""Several starts: the best way to share the targets among them."""

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import NamedTuple

import numpy as np

from solver.chain import Chances
from solver.conquest.board import Board, Sets, too_large
from solver.conquest.fronts import MOST_PAIRS_AT_ONCE, Fronts, disjoint_pairs, starts_of_runs
from solver.conquest.plan import ArmedFront

MOST_SETS = 2_000_000
"""The most sets of several starts together: some 100 MB while they are joined."""
PAIR_WORK, SET_WORK = 3, 150
"""The work to compare a pair of sets, and to join one that has no target in common, in multiplications."""


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
    starts = _acting(board)
    reaches = _reaches(board, starts)
    every = _union(reaches)
    if not starts or (not fronts.adds and every != (1 << board.targets) - 1):
        return 0.0, []
    own = _own_worths(fronts, starts, reaches)
    joint = _join_all(fronts, own, reaches)
    shares, rest = [], every
    for number in range(len(starts) - 1, 0, -1):
        share = _best_share(joint[number - 1], own[number], rest, fronts.adds)
        shares.append(ArmedFront(starts[number], share, board.armies(starts[number])))
        rest &= ~share
    shares.append(ArmedFront(starts[0], rest, board.armies(starts[0])))
    worths = [fronts.worth_of(*share) for share in shares]
    worth = float(sum(worths) if fronts.adds else np.prod(worths))
    return worth, sorted(shares) if worth else []


def worths_by_armies(fronts: Fronts, start: int) -> Chances:
    """Return the worth of the best shares for each number of armies at one start; those of the others stay.

    Args:
        fronts: The worth of all fronts.
        start: The place of the start.

    Raises:
        TooLargeError: There are too many ways to share the targets.
    """
    board, whole = fronts.board, (1 << fronts.board.targets) - 1
    starts = [*(other for other in _acting(board) if other != start), start]
    reaches = _reaches(board, starts)
    if _union(reaches) != whole:
        return np.zeros(fronts.most + 1)
    sets = board.reachable[start]
    if len(starts) == 1:
        return np.asarray(fronts.worth[fronts.number(start, np.array([whole]))[0]])
    joint = _join_all(fronts, _own_worths(fronts, starts, reaches), reaches)[-1]
    place = np.minimum(np.searchsorted(joint.sets, whole & ~sets), len(joint.sets) - 1)
    possible = joint.sets[place] == whole & ~sets
    own = fronts.worth[fronts.number(start, sets[possible])]
    return np.asarray(_combine(own, joint.worths[place[possible], None], fronts.adds).max(axis=0))


def _acting(board: Board) -> list[int]:
    """Return the starts that have armies and a target beside them, in an order in which few pairs are compared.

    The one with the most sets comes last, as its sets are joined with no others. Before it, starts with many sets come
    early, when there are still few sets to join them with.
    """
    starts = sorted(board.acting, key=lambda start: (len(board.reachable[start]), start), reverse=True)
    return starts[1:] + starts[:1]


def _reaches(board: Board, starts: list[int]) -> list[int]:
    """Return the set of all targets that can be reached from each start."""
    return [board.reach(start, (1 << board.targets) - 1) for start in starts]


def _union(sets: Iterable[int]) -> int:
    return reduce(or_, sets, 0)


def _own_worths(fronts: Fronts, starts: list[int], reaches: list[int]) -> list[_Worths]:
    """Return the worth of the sets of each start; all of them have every target that no other start can reach."""
    worths = []
    for number, start in enumerate(starts):
        sets = fronts.board.reachable[start]
        alone = reaches[number] & ~_union(reaches[:number] + reaches[number + 1 :])
        sets = sets[sets & alone == alone]
        worths.append(_Worths(sets, fronts.worth[fronts.number(start, sets), fronts.board.armies(start)]))
    return worths


def _join_all(fronts: Fronts, own: list[_Worths], reaches: list[int]) -> list[_Worths]:
    """Return the worth of the sets of the first start, of the first two together, and so on; without the last start.

    `own` has the worth of the sets of each start, `reaches` all targets that it can reach.
    """
    joint, room = own[:1], fronts.room
    for number in range(1, len(own) - 1):
        needed = _union(reaches[: number + 1]) & ~_union(reaches[number + 1 :])
        worths, work = _join(joint[-1], own[number], needed, fronts.adds, room)
        joint.append(worths)
        room -= work
    return joint


def _join(ours: _Worths, mine: _Worths, needed: int, adds: bool, room: float) -> tuple[_Worths, float]:
    """Return the worth of the sets that one start more makes possible, with the best shares, and the work of that.

    Sets without all needed targets are left out.
    """
    work = float(PAIR_WORK * len(ours.sets) * len(mine.sets))
    if work > room:
        raise too_large()
    parts = [_Worths(ours.sets[:0], ours.worths[:0])]
    for rows, columns in disjoint_pairs(ours.sets, mine.sets):
        sets = ours.sets[rows] | mine.sets[columns]
        whole = sets & needed == needed
        rows, columns = rows[whole], columns[whole]
        parts.append(_Worths(sets[whole], _combine(ours.worths[rows], mine.worths[columns], adds)))
        work += SET_WORK * len(rows)
        if work > room:
            raise too_large()
        if sum(len(part.sets) for part in parts[1:]) > max(len(parts[0].sets), MOST_PAIRS_AT_ONCE):
            parts = [_merge(parts)]
    return _merge(parts), work


def _merge(parts: list[_Worths]) -> _Worths:
    """Return the best worth of each set; TooLargeError if there are too many sets."""
    sets = np.concatenate([part.sets for part in parts])
    order = np.argsort(sets)
    sets = sets[order]
    runs = starts_of_runs(sets)
    if len(runs) > MOST_SETS:
        raise too_large()
    if not len(runs):
        return parts[0]
    worths = np.concatenate([part.worths for part in parts])[order]
    return _Worths(sets[runs], np.maximum.reduceat(worths, runs))


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
