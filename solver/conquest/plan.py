"""A plan that fights each attack to its end, followed to all its ends: what falls how likely, and a typical turn."""

from collections.abc import Callable, Iterator
from math import prod
from typing import NamedTuple

import numpy as np

from solver.chain import Grid
from solver.conquest.board import Board
from solver.conquest.fronts import Decision, Law
from solver.conquest.turn import TO_THE_END, UNLIKELY, MapFight

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
        self._laws = laws
        self.takes_all = self._chance_of_all(laws)

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

    def fights(self) -> tuple[MapFight, ...]:
        """Return the attacks of a typical turn: each has the median number of attackers left after the capture."""
        return tuple(fight for root in self._roots for fight in self._fights(root))

    def _fights(self, front: ArmedFront) -> Iterator[MapFight]:
        decision = self._decisions.get((front.place, front.targets))
        target = -1 if decision is None else int(decision.attacks[front.armies])
        if decision is None or target < 0:
            return
        law = self._laws[target][front.armies]
        likely, total = np.flatnonzero(law > law.max() * UNLIKELY).tolist(), law.sum()
        moves = tuple((left, int(decision.moving[target][left])) for left in likely)
        left = int((np.cumsum(law) < total / 2).sum())
        names = self.board.names
        yield MapFight(
            origin=names[front.place],
            to=names[target],
            armies=front.armies,
            garrison=self.board.conquest.targets[target].garrison,
            rule=TO_THE_END,
            gives_up=0.0,
            takes=float(total),
            moves=moves,
            otherwise=None,
            left=left,
            garrison_left=0,
            moving=int(decision.moving[target][left]),
        )
        for after in self._after(front.place, front.targets, target, left):
            yield from self._fights(after)
