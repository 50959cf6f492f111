"""The armies that a turn leaves, and whether they hold: chances by the armies in each target, and the last move."""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations
from typing import NamedTuple

import numpy as np

from solver.chain import Grid
from solver.conquest.board import Board, members, too_large
from solver.conquest.conquest import MOST_FREE, Conquest
from solver.conquest.holding import FAR, Holding
from solver.conquest.phase import TIE, laws_of_throws
from solver.dice.battle import Battle
from solver.dice.compared import LossTable

MOST_TABLE_WORK = 1_000_000_000
"""The most multiplications for the tables."""
MOST_CELLS = 4_000_000
"""The most numbers in a table, or in the laws of a counter-attack."""


class TargetGroup(NamedTuple):
    """Targets that some counters join.

    Attributes:
        targets: Their numbers.
        table: The chance that all of them stand, by the free armies in each.
    """

    targets: tuple[int, ...]
    table: Grid


class LastMove(NamedTuple):
    """A move after the attacks, of free armies into a target.

    Attributes:
        place: Where they come from.
        target: The target.
        armies: Their number.
    """

    place: int
    target: int
    armies: int


class Stands:
    """The chance that all targets stand after a turn, by the free armies in each place.

    Args:
        holding: The question.
        board: The map of its turn.

    Attributes:
        groups: Targets that need armies. What happens to one group changes nothing for the others.
        onward: For each place the set of targets into which its armies may move after the attacks.
        useful: How many armies in each place can be of use once it has no target left next to it. For example, two in a
            target where three must stand, without counters: one army more stays there anyway.

    Raises:
        TooLargeError: That is too much work.
    """

    def __init__(self, holding: Holding, board: Board) -> None:
        self.board, self.onward = board, _last_moves(holding, board)
        self.most = sum(count for _name, count in holding.conquest.starts)
        names = board.names[: board.targets]
        self._least = np.array([dict(holding.least).get(name, 1) for name in names])
        against = [frozenset(map(names.index, counter.against)) for counter in holding.counters]
        self._laws = _laws_of_counters(holding, self.most)
        needs = {names.index(name) for name, _armies in holding.least}
        self.groups = [self._group(targets, against) for targets in _join_targets(needs, against)]
        self._group_of = {target: group for group in self.groups for target in group.targets}
        self.useful = self._useful_armies(frozenset[int]().union(*against))

    def _useful_armies(self, attacked: frozenset[int]) -> list[int]:
        """Return how many armies in each place can be of use at the end; where counters attack, any number can."""
        needs = enumerate(self._least.tolist())
        own = [self.most if target in attacked else least - 1 for target, least in needs]
        useful = [*own, *(0 for _start in self.board.starts)]
        for place, onward in enumerate(self.onward):
            useful[place] += max((own[target] for target in members(onward)), default=0)
        return [min(count, self.most) for count in useful]

    def _group(self, targets: tuple[int, ...], against: Sequence[frozenset[int]]) -> TargetGroup:
        """Return a group with its table."""
        counters = [number for number, near in enumerate(against) if near.intersection(targets)]
        shape = (self.most + 1,) * len(targets)
        work = 2 ** len(counters) * max(len(counters), 1) * len(targets) * (self.most + 1) ** (len(targets) + 1)
        if work > MOST_TABLE_WORK or (self.most + 1) ** len(targets) > MOST_CELLS:
            raise too_large()
        known: dict[tuple[int, ...], Grid] = {(): np.ones(shape)}
        for size in range(1, len(counters) + 1):
            for some in combinations(counters, size):
                known[some] = reduce(np.minimum, self._first_attacks(some, targets, against, known))
        table = known[tuple(counters)]
        for axis, target in enumerate(targets):
            np.moveaxis(table, axis, 0)[: max(int(self._least[target]) - 1, 0)] = 0.0
        return TargetGroup(targets, np.ascontiguousarray(table))

    def _first_attacks(
        self,
        counters: tuple[int, ...],
        targets: tuple[int, ...],
        against: Sequence[frozenset[int]],
        known: dict[tuple[int, ...], Grid],
    ) -> Iterator[Grid]:
        """Yield the chances to stand for each counter and each target with which the enemy may begin."""
        for counter in counters:
            rest = known[tuple(other for other in counters if other != counter)]
            for axis, target in enumerate(targets):
                if target in against[counter]:
                    yield np.moveaxis(np.tensordot(self._laws[counter], rest, ([1], [axis])), 0, axis)

    def chance(self, free: Sequence[int]) -> float:
        """Return the chance that all stands.

        Args:
            free: The free armies in each place.
        """
        chance = 1.0
        for group in self.groups:
            chance *= float(group.table[tuple(free[target] for target in group.targets)])
        return chance

    def best_end(self, free: Sequence[int]) -> tuple[float, LastMove | None]:
        """Return the chance that all stands after the best last move, and that move; None if none is better.

        Args:
            free: The free armies in each place when the attacks are over.
        """
        best, move = self.chance(free), None
        for place, onward in enumerate(self.onward):
            for target in members(onward):
                for armies in range(1, free[place] + 1) if target in self._group_of else ():
                    after = list(free)
                    after[place] -= armies
                    after[target] += armies
                    chance = self.chance(after)
                    if chance > best * (1 + TIE):
                        best, move = chance, LastMove(place, target, armies)
        return best, move


def _last_moves(holding: Holding, board: Board) -> tuple[int, ...]:
    """Return for each place the set of targets into which its armies may move after the attacks."""
    if holding.fortify != FAR:
        return board.adjacent if holding.fortify else (0,) * len(board.names)
    connected = [frozenset({name}) for name in board.names]
    for border in (*holding.conquest.borders, *holding.ways):
        apart = [names for names in connected if names.isdisjoint(border)]
        joined = frozenset[str]().union(*(names for names in connected if names not in apart))
        connected = [*apart, joined]
    onward = []
    for name in board.names:
        around = next(names for names in connected if name in names)
        onward.append(sum(1 << target for target in range(board.targets) if board.names[target] in around - {name}))
    return tuple(onward)


def _join_targets(needs: set[int], against: Sequence[frozenset[int]]) -> list[tuple[int, ...]]:
    """Return the groups of targets that need armies or are attacked, each joined by the counters that may choose."""
    groups = [{target} for target in needs.union(*against)]
    for near in against:
        joined = set[int]().union(*(group for group in groups if group & near))
        groups = [*(group for group in groups if not group & near), joined]
    return [tuple(sorted(group)) for group in sorted(groups, key=min)]


def _laws_of_counters(holding: Holding, most: int) -> list[Grid]:
    """Return for each counter the chance of [free armies before, free armies after] where it does not break through."""
    if not holding.counters:
        return []
    strongest = max(counter.armies for counter in holding.counters)
    if most + 1 > MOST_FREE or (strongest + 1) * (most + 2) ** 2 > MOST_CELLS:
        raise too_large()
    laws = _defenders_left(holding.conquest.rules, strongest, most + 1)
    return [laws[counter.armies, 1:, 1:] for counter in holding.counters]


def _defenders_left(rules: Battle, attackers: int, defenders: int) -> Grid:
    """Return the chance of [attackers, defenders, defenders left] where attacks to the end leave a defender."""
    duel = Conquest.of({"": ["-"]}, {"": attackers}, {"-": defenders}, rules=rules)
    table = LossTable(laws_of_throws(Board(duel)))
    left = np.zeros((attackers + 1, defenders + 1, defenders + 1))
    left[0, 1:, 1:] = np.eye(defenders)
    for own in range(1, attackers + 1):
        for theirs in range(1, defenders + 1):
            moves = table.moves_at(own, theirs)
            for lost, beaten, chance in moves.outcomes:
                left[own, theirs] += chance / moves.leave * left[own - lost, theirs - beaten]
    return left
