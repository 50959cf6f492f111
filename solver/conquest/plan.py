"""The best plan of a conquest, followed to all its ends: what falls how likely, and the plan as a tree."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from solver.chain import Grid
from solver.conquest.board import Board, members
from solver.conquest.fronts import Decision
from solver.conquest.laws import Law

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
    """What to do after a capture with a number of attackers left.

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
        left: The median number of attackers left after a capture.
        then: What follows with so many left.
    """

    attack: Attack
    left: int
    then: tuple["PlanNode", ...]


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
        self.board, self._laws = board, laws
        self._leave = [target.leave for target in board.conquest.targets]
        self._roots = [root for root in roots if root.targets]
        self._decisions: dict[tuple[int, int], Decision] = {}
        self.fall: Grid = np.zeros(board.targets)
        self._follow(decide)
        self.takes_all = self._chance_of_all()

    def _follow(self, decide: Decide) -> None:
        """Find every front that the plan can meet, the largest first, and count how likely each target falls."""
        most = len(self._laws[0]) - 1
        met: list[dict[tuple[int, int], Grid]] = [{} for _ in range(self.board.targets + 1)]

        def add(place: int, targets: int, armies: int, chance: float) -> None:
            if targets:
                law = met[targets.bit_count()].setdefault((place, targets), np.zeros(most + 1))
                law[armies] += chance

        for root in self._roots:
            add(*root, 1.0)
        for fronts in reversed(met):
            for (place, targets), law in fronts.items():
                decision = self._decisions[place, targets] = decide(place, targets)
                for target, onward in decision.onward.items():
                    left = np.where(decision.attacks == target, law, 0.0) @ self._laws[target]
                    self.fall[target] += left.sum()
                    for count in np.flatnonzero(left).tolist():
                        moving, taken = int(decision.moving[target][count]), int(onward[count])
                        free = max(moving - self._leave[target], 0)
                        add(target, taken, free, left[count])
                        add(place, targets & ~taken & ~(1 << target), count - moving, left[count])

    def _chance_of_all(self) -> float:
        """Return the chance that the fronts take every target."""
        if sum(root.targets for root in self._roots) != (1 << self.board.targets) - 1:
            return 0.0
        most = len(self._laws[0]) - 1
        whole: dict[tuple[int, int], Grid] = {}
        for (place, targets), decision in reversed(self._decisions.items()):
            chance = whole[place, targets] = np.zeros(most + 1)
            for target, onward in decision.onward.items():
                chosen = decision.attacks == target
                ahead = np.zeros(most + 1)
                for count in np.flatnonzero(self._laws[target][chosen].any(axis=0)).tolist():
                    moving, taken = int(decision.moving[target][count]), int(onward[count])
                    rest = targets & ~taken & ~(1 << target)
                    free = max(moving - self._leave[target], 0)
                    front, back = whole.get((target, taken)), whole.get((place, rest))
                    ahead[count] = _at(front, taken, free) * _at(back, rest, count - moving)
                chance[chosen] = self._laws[target][chosen] @ ahead
        return float(np.prod([whole[root.place, root.targets][root.armies] for root in self._roots]))

    @property
    def shares(self) -> dict[str, tuple[str, ...]]:
        """The targets that each start takes, by its name; starts that take none are left out."""
        return {self.board.names[root.place]: self._names(root.targets) for root in self._roots}

    @property
    def nbytes(self) -> int:
        """About how many bytes of memory the plan takes."""
        laws = sum({id(law): law.nbytes for law in self._laws}.values())
        return laws + sum(4 * one.attacks.nbytes * (1 + len(one.onward)) for one in self._decisions.values())

    def attack(self, front: ArmedFront) -> Attack | None:
        """Return what a front does next; None if it stops, or if the plan never meets it.

        Args:
            front: The front.
        """
        decision = self._decisions.get((front.place, front.targets))
        if (
            decision is None
            or front.armies >= len(decision.attacks)
            or (target := int(decision.attacks[front.armies])) < 0
        ):
            return None
        law = self._laws[target][front.armies]
        moves = (
            Move(left, int(decision.moving[target][left]), self._names(int(decision.onward[target][left])))
            for left in np.flatnonzero(law > law.max() * UNLIKELY).tolist()
        )
        names = self.board.names
        return Attack(names[front.place], names[target], front.armies, float(law.sum()), tuple(moves))

    def tree(self) -> tuple[PlanNode, ...]:
        """Return the plan as a tree, from the first attack of each front on."""
        return tuple(node for root in self._roots if (node := self._node(root)))

    def _node(self, front: ArmedFront) -> PlanNode | None:
        attack = self.attack(front)
        if attack is None:
            return None
        decision = self._decisions[front.place, front.targets]
        target = int(decision.attacks[front.armies])
        law = np.cumsum(self._laws[target][front.armies])
        left = int(np.searchsorted(law, law[-1] / 2))
        moving, taken = int(decision.moving[target][left]), int(decision.onward[target][left])
        after = (
            ArmedFront(target, taken, max(moving - self._leave[target], 0)),
            ArmedFront(front.place, front.targets & ~taken & ~(1 << target), left - moving),
        )
        return PlanNode(attack, left, tuple(node for one in after if (node := self._node(one))))

    def _names(self, targets: int) -> tuple[str, ...]:
        return tuple(self.board.names[target] for target in members(targets))


def _at(chances: Mapping[int, float] | Grid | None, targets: int, armies: int) -> float:
    """Return the chance to take a set with so many armies; 0 for fronts that are never met."""
    if not targets:
        return 1.0
    return 0.0 if chances is None else float(chances[armies])
