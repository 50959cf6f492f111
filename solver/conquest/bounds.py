"""Bounds on the worth of any plan, where there are too many to try them all.

No plan can do better than one without some of its burdens. Two relaxations are used, each a bound for any rules:

* One target at a time: all that a front does is for this target, so as many armies as possible go on towards it.
* One army: borders do not count, no army has to move where it is not wanted, and all free armies may attack again.
"""

from collections import Counter
from functools import reduce
from itertools import product
from math import prod
from operator import or_

import numpy as np

from solver.chain import Chances, Grid
from solver.conquest.board import Board
from solver.conquest.fronts import Law

BOUND_WORK = 5_000_000_000
"""The most work for each bound, about in multiplications of matrices: half a second."""
ROUNDING = 1e-12

Kind = tuple[int, int, float]
"""The garrison, the armies that stay, and the worth of a target."""


def bound_worth(board: Board, laws: list[Law]) -> float:
    """Return a number that the worth of no plan exceeds.

    Args:
        board: The map.
        laws: The law of an attack on each target, for as many attackers as any start has.
    """
    falls = _bound_falls(board, laws)
    targets = board.conquest.targets
    order = sorted(range(len(targets)), key=lambda place: (targets[place].garrison + targets[place].leave, place))
    armies = sum(board.armies(start) for start in board.starts)
    while order and _one_army_work(board, order, armies, len(laws[0])) > BOUND_WORK:
        order.pop(0)
    together = _bound_of_one_army(board, laws, order, armies) if order else None
    if board.conquest.aim == "all":
        bound = min(float(falls.min()), 1.0 if together is None else together)
        return min(bound * (1 + ROUNDING), 1.0)
    worths = np.array([float(target.worth) for target in targets])
    bound = float(worths @ falls)
    if together is not None:
        others = [number for number in range(len(targets)) if number not in order]
        bound = min(bound, together + float(worths[others] @ falls[others]))
    return min(bound * (1 + ROUNDING), float(worths.sum()))


def _bound_falls(board: Board, laws: list[Law]) -> Chances:
    """Return for each target a chance to fall that no plan exceeds."""
    maximum, targets = len(laws[0]) - 1, board.targets
    attacks = list(board.attacks())
    everywhere = reduce(or_, (board.reach(start, (1 << targets) - 1) for start in board.starts))
    trivial = np.array([float(everywhere >> target & 1) for target in range(targets)])
    survivors = np.arange(maximum + 1)
    staying = survivors - np.minimum(survivors, board.conquest.most_dice)
    free = [np.maximum(survivors - target.leave, 0) for target in board.conquest.targets]
    best: Grid = np.zeros((len(board.names), maximum + 1, targets))
    work = len(attacks) * (maximum + 1) ** 2 * targets
    for step in range(targets):
        if work * (step + 1) > BOUND_WORK:
            return trivial
        # More armies may be worse by some rules; so they count as if they were fewer.
        most_with = np.maximum.accumulate(best, axis=1)
        before = best.copy()
        for place, target in attacks:
            ahead = np.maximum(most_with[target][free[target]], most_with[place][staying])
            ahead[:, target] = 1.0
            np.maximum(best[place], laws[target] @ ahead, out=best[place])
        if np.array_equal(best, before):
            break
    highest = np.max([best[start, board.armies(start)] for start in board.starts], axis=0)
    return np.asarray(np.minimum(highest * (1 + ROUNDING), trivial))


def _kinds(board: Board, order: list[int]) -> Counter[Kind]:
    """Count the targets that are alike."""
    targets = (board.conquest.targets[number] for number in order)
    return Counter((target.garrison, target.leave, target.worth) for target in targets)


def _one_army_work(board: Board, order: list[int], armies: int, sizes: int) -> float:
    kinds = _kinds(board, order)
    states = prod(count + 1 for count in kinds.values())
    return states * len(kinds) * ((armies + 1) * sizes**2 + 300_000)


def _bound_of_one_army(board: Board, laws: list[Law], order: list[int], armies: int) -> float:
    """Return the worth of taking some targets with one army, in any order, each with as many attackers as is best."""
    adds = board.conquest.aim != "all"
    kinds = _kinds(board, order)
    maximum = len(laws[0]) - 1
    steps = []
    for garrison, leave, worth in kinds:
        target = next(number for number in order if board.conquest.targets[number].garrison == garrison)
        steps.append((_free_after(laws[target], min(leave, board.conquest.most_dice)), worth))
    table: dict[tuple[int, ...], Grid] = {}
    for counts in product(*(range(count + 1) for count in kinds.values())):
        worths = np.zeros(armies + 1) if adds or any(counts) else np.ones(armies + 1)
        for kind, count in enumerate(counts):
            if count:
                rest = table[(*counts[:kind], count - 1, *counts[kind + 1 :])]
                law, worth = steps[kind]
                np.maximum(worths, _best_attack(law, rest, worth if adds else None, min(maximum, armies)), out=worths)
        table[counts] = worths
    return float(table[tuple(kinds.values())][armies])


def _free_after(law: Law, leave: int) -> Law:
    """Return the law of the armies that are free after a capture at most, with all that need not stay behind.

    Few survivors may leave fewer than they should: if k move in, the lesser of k and `leave` stay.
    """
    after = np.zeros_like(law)
    for left in range(1, len(law)):
        after[:, max(left - leave, 0)] += law[:, left]
    return after


def _best_attack(law: Law, rest: Grid, worth: float | None, maximum: int) -> Grid:
    """Return the worth of the next attack, by all armies, with the best number of attackers up to a maximum.

    `law` has the armies that are free after the capture, by attackers, `rest` the worth of the other targets, by all
    armies; `worth` is that of the target, or None if all targets have to fall.
    """
    idle = len(rest)
    padded = np.concatenate([rest, np.full(len(law), rest[-1])])
    windows = np.lib.stride_tricks.sliding_window_view(padded, len(law))[:idle]
    ahead = windows @ law.T  # [idle armies, attackers]
    if worth is not None:
        taken = law.sum(axis=1)
        ahead += worth * taken + rest[:, None] * (1 - taken)
    best = np.zeros(idle)
    for attackers in range(maximum + 1):
        np.maximum(best[attackers:], ahead[: idle - attackers, attackers], out=best[attackers:])
    return best
