"""The best plan of a conquest, followed to all its ends: what falls how likely, and the plan as a tree."""

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.chain import Grid
from solver.conquest.board import Board, members
from solver.conquest.fronts import Decision, Law, Numbers

UNLIKELY = 1e-9
"""Survivors that are so much rarer than the likeliest number are not listed."""

Decide = Callable[[int, int], Decision]
"""Returns the decision of a front, from its place and its set."""


class ArmedFront(NamedTuple):
    """A front with its armies.

    Attributes:
        place: Where it stands.
        targets: The set that is to be taken onward from there.
        armies: The free armies.
    """

    place: int
    targets: int
    armies: int


class Move(NamedTuple):
    """The move after a capture with a number of attackers left.

    Attributes:
        left: The attackers left.
        moving: The armies that move in.
        onward: The names of the targets that are taken onward from the captured territory; the front where the attack
            came from takes the others.
    """

    left: int
    moving: int
    onward: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack of a plan.

    Attributes:
        origin: The name of the territory where it comes from.
        to: The name of its target.
        armies: The armies that attack.
        chance: The chance that the target falls.
        moves: What to do then, for every number of attackers that may well be left.
    """

    origin: str
    to: str
    armies: int
    chance: float
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class PlanNode:
    """An attack in the tree of a plan.

    Attributes:
        attack: The attack.
        move: The move with the median number of attackers left after a capture.
        then: What follows with so many left.
    """

    attack: Attack
    move: Move
    then: tuple["PlanNode", ...]


class _Outcomes(NamedTuple):
    """The outcomes of attacks on a target, by the armies that attack: all that is needed of their law, which is large.

    Attributes:
        chance: The chance that the target falls.
        left: The median number of attackers left then.
        likely: The numbers of attackers that may well be left, a bit for each.
    """

    chance: Grid
    left: Numbers
    likely: npt.NDArray[np.uint8]


class ConquestPlan:
    """A plan that is followed to its ends.

    Args:
        board: The map.
        laws: The law of an attack on each target.
        decide: The plan.
        roots: The fronts at the beginning; their sets have no target in common.

    Attributes:
        board: The map.
        fall: The chance that each target falls.
        takes_all: The chance that every target falls.
    """

    def __init__(self, board: Board, laws: list[Law], decide: Decide, roots: list[ArmedFront]) -> None:
        """Follow the plan."""
        self.board = board
        self._leave = [target.leave for target in board.conquest.targets]
        self._roots = [root for root in roots if root.targets]
        self._decisions: dict[tuple[int, int], Decision] = {}
        self.fall: Grid = np.zeros(board.targets)
        self._follow(laws, decide)
        self.takes_all = self._chance_of_all(laws)
        outcomes = {id(law): _outcomes(law) for law in laws}
        self._outcomes = [outcomes[id(law)] for law in laws]

    def _follow(self, laws: list[Law], decide: Decide) -> None:
        """Find every front that the plan can meet, the largest first, and count how likely each target falls."""
        maximum = len(laws[0]) - 1
        met: list[dict[tuple[int, int], Grid]] = [{} for _ in range(self.board.targets + 1)]

        def add(place: int, targets: int, armies: int, chance: float) -> None:
            if targets:
                law = met[targets.bit_count()].setdefault((place, targets), np.zeros(maximum + 1))
                law[armies] += chance

        for root in self._roots:
            add(*root, 1.0)
        for fronts in reversed(met):
            for (place, targets), law in fronts.items():
                decision = self._decisions[place, targets] = decide(place, targets)
                for target in decision.onward:
                    left = np.where(decision.attacks == target, law, 0.0) @ laws[target]
                    self.fall[target] += left.sum()
                    for count in np.flatnonzero(left).tolist():
                        for front in self._after(place, targets, target, count):
                            add(*front, left[count])

    def _after(self, place: int, targets: int, target: int, left: int) -> tuple[ArmedFront, ArmedFront]:
        """Return the fronts that go on after a capture, from the captured target and from where it was attacked."""
        decision = self._decisions[place, targets]
        moving, taken = int(decision.moving[target][left]), int(decision.onward[target][left])
        onward = ArmedFront(target, taken, max(moving - self._leave[target], 0))
        return onward, ArmedFront(place, targets & ~taken & ~(1 << target), left - moving)

    def _chance_of_all(self, laws: list[Law]) -> float:
        """Return the chance that the fronts take every target."""
        if sum(root.targets for root in self._roots) != (1 << self.board.targets) - 1:
            return 0.0
        maximum = len(laws[0]) - 1
        whole: dict[tuple[int, int], Grid] = {}

        def chance_of(front: ArmedFront) -> float:
            """Return the chance that a front takes its whole set; 0 for one that is never met."""
            if not front.targets:
                return 1.0
            chances = whole.get((front.place, front.targets))
            return 0.0 if chances is None else float(chances[front.armies])

        for (place, targets), decision in reversed(self._decisions.items()):
            chance = whole[place, targets] = np.zeros(maximum + 1)
            for target in decision.onward:
                chosen = decision.attacks == target
                ahead = np.zeros(maximum + 1)
                for count in np.flatnonzero(laws[target][chosen].any(axis=0)).tolist():
                    ahead[count] = prod(map(chance_of, self._after(place, targets, target, count)))
                chance[chosen] = laws[target][chosen] @ ahead
        return float(np.prod([whole[root.place, root.targets][root.armies] for root in self._roots]))

    @property
    def shares(self) -> dict[str, tuple[str, ...]]:
        """The targets that each start takes, by its name; starts that take none are left out."""
        return {self.board.names[root.place]: self._names(root.targets) for root in self._roots}

    @property
    def nbytes(self) -> int:
        """About how many bytes of memory the plan takes."""
        arrays = {id(array): array.nbytes for outcomes in self._outcomes for array in outcomes}
        decisions = self._decisions.values()
        return sum(arrays.values()) + sum(4 * each.attacks.nbytes * (1 + len(each.onward)) for each in decisions)

    def attack(self, front: ArmedFront) -> Attack | None:
        """Return what a front does next; None if it stops, or if the plan never meets it.

        Args:
            front: The front.
        """
        decision = self._decisions.get((front.place, front.targets))
        if decision is None or not 0 <= front.armies < len(decision.attacks):
            return None
        target = int(decision.attacks[front.armies])
        if target < 0:
            return None
        outcomes = self._outcomes[target]
        likely = np.flatnonzero(np.unpackbits(outcomes.likely[front.armies])).tolist()
        moves = (self._move(decision, target, left) for left in likely)
        names = self.board.names
        chance = float(outcomes.chance[front.armies])
        return Attack(names[front.place], names[target], front.armies, chance, tuple(moves))

    def _move(self, decision: Decision, target: int, left: int) -> Move:
        return Move(left, int(decision.moving[target][left]), self._names(int(decision.onward[target][left])))

    def tree(self) -> tuple[PlanNode, ...]:
        """Return the plan as a tree, from the first attack of each front on."""
        return tuple(node for root in self._roots if (node := self._node(root)))

    def _node(self, front: ArmedFront) -> PlanNode | None:
        attack = self.attack(front)
        if attack is None:
            return None
        decision = self._decisions[front.place, front.targets]
        target = int(decision.attacks[front.armies])
        left = int(self._outcomes[target].left[front.armies])
        after = self._after(front.place, front.targets, target, left)
        then = tuple(node for front in after if (node := self._node(front)))
        return PlanNode(attack, self._move(decision, target, left), then)

    def _names(self, targets: int) -> tuple[str, ...]:
        return tuple(self.board.names[target] for target in members(targets))


def _outcomes(law: Law) -> _Outcomes:
    """Return the outcomes of attacks on a target from the law of these attacks."""
    likely = law > law.max(axis=1, keepdims=True) * UNLIKELY
    total = np.cumsum(law, axis=1)
    median = (total < total[:, -1:] / 2).sum(axis=1)
    return _Outcomes(law.sum(axis=1), median, np.packbits(likely, axis=1))
