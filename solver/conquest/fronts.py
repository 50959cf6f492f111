"""The worth of every front with every number of armies, exactly: from small sets of targets to large ones.

It comes from the law of an attack: how many attackers are left, for every number that may attack.

The worth of a front with n armies is the chance to take its whole set, or the average number or value of targets taken.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.chain import Grid, backward
from solver.conquest.board import Board, Sets, too_large
from solver.conquest.conquest import Conquest
from solver.conquest.phase import TIE
from solver.dice.battle import Battle
from solver.dice.compared import LossTable
from solver.errors import TooLargeError

Numbers = npt.NDArray[np.signedinteger[Any]]
Law = Grid
"""`law[n, k]` is the chance that n attackers take the territory with k of them left; `law[n, 0]` is 0."""

MOST_DIVISIONS_AT_ONCE = 512
"""About so many divisions are tried at once, so that they stay in the processor's cache."""
MOST_PAIRS, MOST_PAIRS_AT_ONCE = 500_000_000, 1_000_000
"""The most pairs of sets that are compared for one attack, and at once."""
MOST_LAWS_WORK = 4_000_000_000
"""The most work for the laws of all attacks, about in multiplications."""
MOST_DIVISIONS, MOST_NUMBERS = 2_500_000, 6_000_000
"""The most divisions, and the most numbers in the table of fronts, that are in memory at once."""


class Decision(NamedTuple):
    """The decision of a front, for each number of armies.

    Attributes:
        worth: The worth of the front with each number of armies.
        attacks: The target to attack next; -1 to stop.
        onward: For each target that is attacked and each number of survivors, the set that is taken onward from it.
        moving: For each of these, the armies that move in.
    """

    worth: Grid
    attacks: Numbers
    onward: dict[int, Sets]
    moving: dict[int, Numbers]


class _Divisions(NamedTuple):
    """Divisions of the rest after a capture, sorted by the front that attacks and by its target.

    Attributes:
        front: The front that attacks.
        target: The target that is captured.
        onward: The front that goes on from there.
        back: The front that goes on from where the attack came.
    """

    front: Numbers
    target: Numbers
    onward: Numbers
    back: Numbers


class Fronts:
    """The worth of all fronts of a conquest.

    Args:
        board: The map.
        laws: The law of an attack on each target.
        most_work: The most work to do, about in multiplications.

    Attributes:
        room: The work that is left, to share the targets among several starts.

    Raises:
        TooLargeError: It is more work.
    """

    def __init__(self, board: Board, laws: list[Law], most_work: float) -> None:
        """Work out the worth of all fronts."""
        self.board, self.conquest = board, board.conquest
        self.most = max(armies for _, armies in self.conquest.starts)
        self.laws, self._most_work = laws, most_work
        self.room = most_work
        self._check_work()
        self.adds = self.conquest.aim != "all"
        self.leave = np.array([target.leave for target in self.conquest.targets])
        self.worths = np.array([float(target.worth) for target in self.conquest.targets])
        self._number_fronts()
        self._solve()

    def _check_work(self) -> None:
        """Count the work that is known before anything is done."""
        work = 0
        if sum(map(len, self.board.reachable)) * (self.most + 1) > MOST_NUMBERS:
            raise too_large()
        for place, target in self.board.attacks():
            onward, back = self.board.onward(place, target)
            work += len(onward) * len(back)
        if work > self._most_work:
            raise too_large()

    def _number_fronts(self) -> None:
        """Give every front a number: all those with small sets before those with larger ones."""
        reachable = self.board.reachable
        sets = np.concatenate(reachable)
        order = np.argsort(np.bitwise_count(sets), kind="stable")
        self._sizes = np.bitwise_count(sets)[order]
        numbers = np.empty(len(sets), np.int32)
        numbers[order] = np.arange(len(sets))
        self._numbers = np.split(numbers, np.cumsum([len(sets) for sets in reachable])[:-1])

    def number(self, place: int, sets: Sets) -> Numbers:
        """Return the numbers of the fronts with these sets, which are reachable from their place: see `Board`."""
        return np.asarray(self._numbers[place][np.searchsorted(self.board.reachable[place], sets)])

    def _solve(self) -> None:
        self.worth: Grid = np.zeros((len(self._sizes), self.most + 1))
        if not self.adds:
            self.worth[self._sizes == 0] = 1.0
        divisions = self._divisions()
        ends = np.searchsorted(self._sizes[divisions.front], np.arange(1, self.board.targets + 2))
        for first, last in pairwise(ends.tolist()):
            self._solve_level(_Divisions(*(part[first:last] for part in divisions)))

    def _divisions(self) -> _Divisions:
        """Return every division of every front."""
        parts: list[tuple[Numbers, ...]] = []
        each = self.most * (self.most / 2 + 30) + 100
        room = min(MOST_DIVISIONS, self._most_work / each)
        for place, target in self.board.attacks():
            onward, back = self.board.onward(place, target)
            numbers = self.number(target, onward), self.number(place, back)
            for rows, columns in disjoint_pairs(onward, back):
                room -= len(rows)
                self.room -= each * len(rows)
                if room < 0:
                    raise too_large()
                front = self.number(place, onward[rows] | back[columns] | (1 << target))
                targets = np.full(len(front), target, np.int32)
                parts.append((front, targets, numbers[0][rows], numbers[1][columns]))
        if not parts:
            return _Divisions(*(np.zeros(0, np.int32) for _ in range(4)))
        whole = [np.concatenate(column) for column in zip(*parts, strict=True)]
        del parts
        order = np.lexsort((whole[1], whole[0])).astype(np.int32)
        return _Divisions(*(part[order] for part in whole))

    def _solve_level(self, level: _Divisions) -> None:
        """Work out the worth of all fronts with equally many targets."""
        groups = starts_of_runs(level.front * self.board.targets + level.target)
        ahead = np.empty((self.most + 1, len(groups)))
        first = 0
        while first < len(groups):
            last = max(first + 1, int(np.searchsorted(groups, groups[first] + MOST_DIVISIONS_AT_ONCE)))
            end = groups[last] if last < len(groups) else len(level.front)
            chunk = _Divisions(*(part[groups[first] : end] for part in level))
            ahead[:, first:last] = np.maximum.reduceat(self._divide(chunk), groups[first:last] - groups[first], axis=1)
            first = last
        targets = level.target[groups]
        if self.adds:
            ahead += self.worths[targets]
        for target in np.unique(targets):
            ahead[:, targets == target] = self.laws[target] @ ahead[:, targets == target]
        fronts = level.front[groups]
        runs = starts_of_runs(fronts)
        if len(runs):
            self.worth[fronts[runs]] = np.maximum.reduceat(ahead, runs, axis=1).T

    def _divide(self, chunk: _Divisions) -> Grid:
        """Return the worth of each division with the best number of armies that move in, by survivors and division."""
        moved = np.arange(self.most + 1)
        free = np.maximum(moved[:, None] - self.leave[chunk.target], 0)
        onward = self.worth[chunk.onward, free]
        back = np.ascontiguousarray(self.worth[chunk.back].T)
        combine, minimum = (np.add if self.adds else np.multiply), min(self.conquest.most_dice, self.most + 1)
        best: Grid = np.zeros_like(onward)
        combine(onward[:minimum], back[0], out=best[:minimum])
        room = np.empty_like(onward)
        for move in range(minimum, self.most + 1):
            tried = room[: self.most + 1 - move]
            combine(onward[move], back[: self.most + 1 - move], out=tried)
            np.maximum(best[move:], tried, out=best[move:])
        return best

    def decide(self, place: int, targets: int) -> Decision:
        """Return what a front does under the best plan: see `ArmedFront`."""
        worth = self.worth[int(self.number(place, np.array([targets]))[0])]
        attacks = np.full(self.most + 1, -1)
        highest = np.zeros(self.most + 1)
        onward: dict[int, Sets] = {}
        moving: dict[int, Numbers] = {}
        for target in range(self.board.targets):
            if self.board.adjacent[place] & targets & 1 << target:
                pays, onward[target], moving[target] = self.after(place, target, targets & ~(1 << target))
                ahead = self.laws[target] @ (pays + (self.worths[target] if self.adds else 0))
                better = ahead > highest * (1 + TIE)
                attacks[better], highest[better] = target, ahead[better]
        return Decision(worth, attacks, onward, moving)

    def after(self, place: int, target: int, rest: int) -> tuple[Grid, Sets, Numbers]:
        """Return what is best after a capture.

        Args:
            place: The place that attacked.
            target: The target that is captured.
            rest: The other targets of the front.

        Returns:
            The worth of the rest, the set to take onward from the target and the armies that move in, each by the
            number of survivors.
        """
        onward, front, back = self._shares_of_rest(place, target, rest)
        pays = self._divide(_Divisions(front, np.full(len(front), target), front, back))
        best = pays.argmax(axis=1)
        moves = np.zeros(self.most + 1, np.int64)
        for left in range(1, self.most + 1):
            moving = np.arange(min(left, self.conquest.most_dice), left + 1)
            share = slice(best[left], best[left] + 1)
            moves[left] = moving[self._pays(target, front[share], back[share], left, moving).argmax()]
        return pays[np.arange(self.most + 1), best], onward[best], moves

    def best_onward(self, place: int, target: int, rest: int, left: int, moving: int) -> int:
        """Return the best set to take onward from a captured target, if so many armies move in.

        Args:
            place: The place that attacked.
            target: The target.
            rest: The other targets of the front.
            left: The survivors.
            moving: The survivors that move in.
        """
        onward, front, back = self._shares_of_rest(place, target, rest)
        return int(onward[self._pays(target, front, back, left, np.array([moving]))[:, 0].argmax()])

    def _shares_of_rest(self, place: int, target: int, rest: int) -> tuple[Sets, Numbers, Numbers]:
        """Return the sets that can be taken onward from a target, with these fronts and those that keep the others."""
        onward, _ = self.board.onward(place, target)
        onward = onward[onward & ~rest == 0]
        onward = onward[np.isin(rest & ~onward, self.board.reachable[place], assume_unique=True)]
        return onward, self.number(target, onward), self.number(place, rest & ~onward)

    def _pays(self, target: int, front: Numbers, back: Numbers, left: int, moving: Numbers) -> Grid:
        """Return the worth after a capture, by the pair of fronts and the armies that move in."""
        ahead = self.worth[front[:, None], np.maximum(moving - self.leave[target], 0)]
        behind = self.worth[back[:, None], left - moving]
        return np.asarray(ahead + behind if self.adds else ahead * behind)

    def worth_of(self, place: int, targets: int, armies: int) -> float:
        """Return the worth of a front: see `ArmedFront`."""
        return float(self.worth[int(self.number(place, np.array([targets]))[0]), armies])


def target_laws(conquest: Conquest) -> list[Law]:
    """Return the law of an attack on each target, for as many attackers as any start has: see `attack_laws`.

    Args:
        conquest: The conquest.

    Raises:
        TooLargeError: That is too much work.
    """
    maximum, garrisons = max(armies for _, armies in conquest.starts), {target.garrison for target in conquest.targets}
    if _laws_work(conquest.rules, maximum, max(garrisons)) > MOST_LAWS_WORK:
        raise TooLargeError("starts", "with these dice, so many armies take too much work")
    laws = attack_laws(conquest.rules, maximum, garrisons)
    return [laws[target.garrison] for target in conquest.targets]


def attack_laws(rules: Battle, maximum: int, garrisons: set[int]) -> dict[int, Law]:
    """Return the law of an attack on each garrison.

    Args:
        rules: The rules of the battle.
        maximum: The most attackers.
        garrisons: The numbers of defenders.

    Returns:
        For each garrison an array of shape (maximum + 1, maximum + 1), indexed by the attackers before and after.

    Example:
        >>> attack_laws(Battle(0, 0), 2, {1})[1].round(3).tolist()
        [[0.0, 0.0, 0.0], [0.0, 0.417, 0.0], [0.0, 0.176, 0.579]]
    """
    unopposed = np.eye(maximum + 1)
    unopposed[0, 0] = 0.0
    highest = max(garrisons)
    if highest == 0 or maximum == 0:
        return dict.fromkeys(garrisons, unopposed)
    chain = replace(rules, attackers=maximum, defenders=highest).chain()
    kernel = chain.kernel()
    if isinstance(kernel, LossTable):
        return _laws_of_losses(kernel, maximum, garrisons, unopposed)
    laws = {garrison: np.zeros((maximum + 1, maximum + 1)) for garrison in garrisons}
    for left in range(1, maximum + 1):
        worth = np.zeros((maximum + 1, highest + 1))
        worth[left, 0] = 1.0
        backward(kernel, worth)
        for garrison, law in laws.items():
            law[:, left] = worth[:, garrison]
    return laws


def _laws_work(rules: Battle, maximum: int, highest: int) -> int:
    """Return about how many multiplications `attack_laws` takes for garrisons up to the highest."""
    chain = replace(rules, attackers=maximum, defenders=highest).chain()
    if chain.level_by_level:
        return chain.table_work + maximum * highest * (5_000 + 2 * maximum)
    return chain.table_work + maximum * chain.grid_work * (6 if rules.faces else 1)


def _laws_of_losses(table: LossTable, maximum: int, garrisons: set[int], unopposed: Law) -> dict[int, Law]:
    """Return the laws of dice that are compared, a row of survivors at a time; few laws are in memory at once."""
    laws = {0: unopposed}
    for defenders in range(1, max(garrisons) + 1):
        law = laws[defenders] = np.zeros((maximum + 1, maximum + 1))
        for attackers in range(1, maximum + 1):
            moves = table.moves_at(attackers, defenders)
            for lost, beaten, chance in moves.outcomes:
                law[attackers] += chance / moves.leave * laws[defenders - beaten][attackers - lost]
        if (old := defenders - table.most_lost[1]) >= 0 and old not in garrisons:
            del laws[old]
    return {garrison: laws[garrison] for garrison in garrisons}


def disjoint_pairs(ones: Sets, others: Sets) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield the pairs of sets that have no target in common, as places in both lists, some at a time.

    Args:
        ones: Sets.
        others: Other sets.

    Raises:
        TooLargeError: There are too many sets to compare.
    """
    if len(ones) * len(others) > MOST_PAIRS:
        raise too_large()
    at_once = max(MOST_PAIRS_AT_ONCE // max(len(others), 1), 1)
    for first in range(0, len(ones), at_once):
        rows, columns = np.nonzero((ones[first : first + at_once, None] & others) == 0)
        yield (rows + first).astype(np.int32), columns.astype(np.int32)


def starts_of_runs(keys: Numbers) -> Numbers:
    """Return where runs of equal numbers begin.

    Args:
        keys: Numbers in which equal ones stand together.
    """
    return np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])) if len(keys) else np.zeros(0, np.int64)
