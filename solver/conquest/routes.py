"""An upper bound for taking all targets, as armies reach targets only over borders: see `route_bound`.

Targets that a group of starts alone can reach are taken by the armies of this group, or not at all. Groups fight apart,
so their chances multiply. Inside a group the armies are a pool, as in whole_fights.py, but for *gates*: over a border
without a way around it, armies go once, when the target behind it falls, and never come back. So armies are shared out
among the targets behind gates.

A pool is not followed target by target. Its state is the armies, the number of targets left, and what these hold beyond
their last armies. Each throw is as good there as on the map: a target whose last army is alone may be any that is left,
if the others can hold the rest, and two armies that fall at once may be of any target.
"""

from collections.abc import Iterable
from functools import reduce
from itertools import accumulate
from operator import or_

from solver.conquest.board import Board, members, too_large
from solver.conquest.conquest import Conquest
from solver.conquest.phase import laws_of_throws
from solver.dice.compared import LossTable, Moves

CELL = 10
"""The state of a pool counts as so many states of a turn: these are worked out in Python."""
MOST_GROUPED = 5
"""The most starts of which every group is looked at."""
MOST_DICE = 4, 2
"""The most dice of both sides for which pools are known."""
ByArmies = list[float]
"""A chance for each number of armies, from 0 on."""


class _Pools:
    """The chances of pools of one part of the map."""

    def __init__(self, part: Conquest, most_states: int) -> None:
        self.board = Board(part)
        self.table = LossTable(laws_of_throws(self.board))
        if part.rules.faces or self.table.caps[0] > MOST_DICE[0] or self.table.caps[1] > MOST_DICE[1]:
            raise too_large()
        self.cost = min(1, *(target.leave for target in part.targets))
        self._room = most_states // CELL

    def of_group(self, group: list[int], alone: int) -> float:
        """Return the chance that a group of starts takes the targets that it alone can reach."""
        within = reduce(or_, (self.board.reach(start, (1 << self.board.targets) - 1) for start in group))
        near = reduce(or_, map(self.board.adjacent.__getitem__, group))
        return self._behind(near, within, alone, sum(map(self.board.armies, group)))[-1]

    def _behind(self, near: int, within: int, counted: int, armies: int) -> ByArmies:
        """Return the chance to take the counted targets, for each number of armies next to those of `near`."""
        pool, gates = self._split(near, within)
        ends = [1.0] * (armies + 1)
        for gate, rest in gates.items():
            if rest & counted:
                behind = self._behind(self.board.adjacent[gate] & rest, rest, counted, armies)
                ends = [max(ends[own - sent] * behind[sent] for sent in range(own + 1)) for own in range(armies + 1)]
        return self._pool([self.board.conquest.targets[one].garrison for one in members(pool & counted)], ends)

    def _split(self, near: int, within: int) -> tuple[int, dict[int, int]]:
        """Return the targets of a pool, and for each of them that is behind a gate those that only it leads to."""
        pool, gates, waiting = 0, dict[int, int](), [(-1, target) for target in members(near)]
        while waiting:
            origin, target = waiting.pop()
            if pool >> target & 1:
                continue
            pool |= 1 << target
            around = self._reach_around(near, within, origin, target)
            if around >> target & 1:
                waiting += [(target, other) for other in members(self.board.adjacent[target] & within)]
            else:
                gates[target] = within & ~around & ~(1 << target)
        return pool, gates

    def _reach_around(self, near: int, within: int, origin: int, target: int) -> int:
        """Return the targets that are reached without the border between two; the origin -1 stands for all starts."""
        reached, new = 0, near & ~(1 << target) if origin < 0 else near
        while new:
            reached |= new
            further = 0
            for here in members(new):
                further |= self.board.adjacent[here] & ~(1 << target if here == origin else 0)
            new = further & within & ~reached
        return reached

    def _pool(self, garrisons: list[int], ends: ByArmies) -> ByArmies:
        """Return the chance to take targets with these garrisons, for each number of armies, and then reach an end."""
        free = self.cost * garrisons.count(0)
        known = {(0, 0): [0.0] * min(free, len(ends)) + ends[: max(len(ends) - free, 0)]}
        beyond = sorted((garrison - 1 for garrison in garrisons if garrison), reverse=True)
        holders = [0]
        for number, held in enumerate(accumulate(beyond), start=1):
            holders += [number] * (held + 1 - len(holders))
        self._room -= len(beyond) * len(holders) * len(ends)
        if self._room < 0:
            raise too_large()
        for left in range(1, len(beyond) + 1):
            for held, least in enumerate(holders):
                if least <= left:
                    self._fill(known, left, held, single=least < left)
        return known[len(beyond), len(holders) - 1]

    def _fill(self, known: dict[tuple[int, int], ByArmies], left: int, held: int, single: bool) -> None:
        """Add the chances of a pool with so many targets left, which hold so many armies beyond their last ones.

        A `single` army may be attacked if the other targets can hold the rest.
        """
        here = known[left, held] = [0.0]
        none = [0.0] * len(known[0, 0])
        last = self._after_capture(known.get((left - 1, held), none))
        taken = self._after_capture(known.get((left - 1, held - 1), none))
        two = here, known.get((left, held - 1), none), [*map(max, known.get((left, held - 2), none), taken)]
        for armies in range(1, len(none)):
            best = 0.0
            for dice in range(1, min(armies, self.table.caps[0]) + 1):
                if single:
                    moves = self.table.moves_at(dice, 1)
                    after = ((here if not beaten else last)[armies - lost] for lost, beaten, _chance in moves.outcomes)
                    best = max(best, _mean(moves, after))
                if held:
                    moves = self.table.moves_at(dice, 2)
                    after = (two[beaten][armies - lost] for lost, beaten, _chance in moves.outcomes)
                    best = max(best, _mean(moves, after))
            here.append(best)

    def _after_capture(self, chances: ByArmies) -> ByArmies:
        """Return the chances by the armies before one of them stays in the target that falls; 0 if nobody is left."""
        return [0.0, *chances[1 - self.cost : len(chances) - self.cost]]


def _mean(moves: Moves, after: Iterable[float]) -> float:
    """Return the mean worth after a throw."""
    return sum(way.chance / moves.leave * worth for way, worth in zip(moves.outcomes, after, strict=True))


def route_bound(part: Conquest, most_states: int) -> float:
    """Return what the chance to take all targets is at most.

    Args:
        part: A part of the map.
        most_states: The most states: see `CELL`.

    Raises:
        TooLargeError: That is too much work, or pools with these dice are unknown.
    """
    pools = _Pools(part, most_states)
    board = pools.board
    acting = board.acting
    if len(acting) > MOST_GROUPED:
        raise too_large()
    reaches = [board.reach(start, (1 << board.targets) - 1) for start in acting]
    best = [1.0]
    for chosen in range(1, 1 << len(acting)):
        others = reduce(or_, (reach for number, reach in enumerate(reaches) if not chosen >> number & 1), 0)
        alone = reduce(or_, (reaches[number] for number in members(chosen))) & ~others
        bound = pools.of_group([acting[number] for number in members(chosen)], alone) if alone else 1.0
        pairs = (best[some] * best[chosen ^ some] for some in range(1, chosen) if some & ~chosen == 0)
        best.append(min([bound, *pairs]))
    return best[-1]
