"""The lattice of a side of an Axis & Allies battle: every force that it can come to, and which unit each hit takes.

The forces are the *nodes* of the lattice, weakest first. On land they are the places on a line.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from solver.axis.kernel.forces import REACHES, Force, Forces, Nodes, Places, Segment, Take
from solver.axis.kernel.hits import Dice, UnitCounts
from solver.axis.units import Role
from solver.errors import TooLargeError

MOST_FORCES = 20_000


class Lattice(Forces):
    """The forces that one side can come to, and what each hit leaves of them.

    Attributes:
        starts: The nodes with which the side may begin.
        lines: The node of each rank on each line, or -1: [line, rank]. There is one line for each start that no other
            line contains. None if hits do not always take the next unit in the order of loss.
    """

    def __init__(
        self,
        segments: Sequence[Segment],
        role: Role,
        dice: Dice,
        roots: Iterable[Force],
        takes: Sequence[Take],
        leave: Callable[[Force], Iterable[Force]] | None = None,
        whole: Force | None = None,
    ) -> None:
        """Find all forces that hits and leaving units make of the first ones.

        Args:
            segments: The order of loss, first lost first.
            role: The role of the side.
            dice: "standard", "low_luck" or "biased".
            roots: The forces with which the side may begin.
            takes: The reaches that hits on it can have.
            leave: Returns what remains of a force whose units may leave the fight; None if nobody leaves.
            whole: The force against which losses are counted; None for all units of the segments.

        Raises:
            TooLargeError: If there are more than `MOST_FORCES`.
        """
        self.segments = tuple(segments)
        self.lines: Nodes | None = None
        self._after_hit: dict[Take, Nodes] = {}
        found = list(roots)
        # With submarines losses are no line, or the order of forces of one rank matters.
        falling = (
            leave is None and list(takes) == [Take("any")] and not any(segment.unit.surprise for segment in segments)
        )
        active = self._line_up(found) if falling else None
        if active is not None:
            gone = np.zeros_like(active)
        else:
            counts = self._search(found, takes, leave or (lambda _: ()))
            self.starts = self.nodes_of(found)
            active, gone = counts[:, 0], counts[:, 1]
        super().__init__(segments, role, dice, active, gone, whole)

    def _line_up(self, roots: Sequence[Force]) -> UnitCounts | None:
        """Put what hits leave of each root on lines; return the forces [force, segment], or None if the lines are too
        long.
        """
        lines: list[UnitCounts] = []
        stands: dict[Places, tuple[int, int]] = {}
        for root in sorted({force.active for force in roots}, key=sum, reverse=True):
            rank = sum(root)
            on = next((place for place, line in enumerate(lines) if (line[rank] == root).all()), len(lines))
            stands[root] = on, rank
            if on < len(lines):
                continue
            if rank + sum(map(len, lines)) >= MOST_FORCES:
                return None
            units = np.array(root, np.int64)
            hits = np.arange(rank, -1, -1)[:, None] - (np.cumsum(units) - units)
            lines.append(units - np.clip(hits, 0, units))
        # By rank, and within a rank by units.
        rows = np.concatenate([np.column_stack([np.arange(len(line)), line]) for line in lines])
        order = np.lexsort(rows.T[::-1])
        new = (np.diff(rows[order], axis=0, prepend=-1) != 0).any(axis=1)
        node = np.empty(len(rows), np.int64)
        node[order] = np.cumsum(new) - 1
        self.lines = np.full((len(lines), len(lines[0])), -1)
        weaker, begin = np.zeros(int(node.max()) + 1, np.int64), 0
        for place, line in enumerate(lines):
            here = node[begin : begin + len(line)]
            self.lines[place, : len(line)], weaker[here[1:]] = here, here[:-1]
            begin += len(line)
        self._after_hit[Take("any")] = weaker
        self.starts = self.lines[tuple(np.array([stands[force.active] for force in roots]).T)]
        counts: UnitCounts = rows[order[new], 1:]
        return counts

    def _search(
        self, roots: Sequence[Force], takes: Sequence[Take], leave: Callable[[Force], Iterable[Force]]
    ) -> UnitCounts:
        """Follow every hit and every leaving unit; return the forces: [force, active or gone, segment]."""
        following: dict[Take, dict[Force, Force]] = {take: {} for take in takes}
        waiting = list(dict.fromkeys(roots))
        known = set(waiting)
        legal = {take: self._legal_places(take) for take in takes}
        while waiting:
            force = waiting.pop()
            nexts = list(leave(force))
            for take in takes:
                place = self._next_loss(force.active, take, legal[take])
                after = force
                if place is not None:
                    active = force.active
                    after = Force((*active[:place], active[place] - 1, *active[place + 1 :]), force.gone)
                following[take][force] = after
                nexts.append(after)
            if len(known) > MOST_FORCES:
                raise TooLargeError("units", "a side of this size can lose units in too many ways")
            for after in nexts:
                if after not in known:
                    known.add(after)
                    waiting.append(after)
        self.nodes = sorted(known, key=self._sort_key)
        for take in takes:
            self._after_hit[take] = self.nodes_of(following[take][force] for force in self.nodes)
        return np.array(self.nodes, np.int64).reshape(len(self.nodes), 2, -1)

    @cached_property
    def nodes(self) -> list[Force]:
        """The forces, weakest first."""
        pairs = zip(self.active.tolist(), self.gone.tolist(), strict=True)
        return [Force(tuple(active), tuple(gone)) for active, gone in pairs]

    @cached_property
    def place(self) -> dict[Force, int]:
        """The node of each force."""
        return {force: node for node, force in enumerate(self.nodes)}

    def _sort_key(self, force: Force) -> tuple[Any, ...]:
        """The place of a force in the order: weakest first, and forces of a rank by what decides how they fight."""
        screens, subs, planes = (any(force.active[place] for place in places) for places in self._deciding_places)
        return sum(force.active), screens, screens and planes, subs, force

    @cached_property
    def _deciding_places(self) -> tuple[list[int], list[int], list[int]]:
        """The segments of destroyers, submarines and planes. On land they decide nothing, and the lists are empty."""
        places: tuple[list[int], list[int], list[int]] = ([], [], [])
        for place, segment in enumerate(self.segments):
            for found, here in zip(
                places, (segment.unit.screens, segment.unit.surprise, segment.unit.kind == "air"), strict=True
            ):
                found.extend([place] if here and not segment.spare else [])
        return places if places[0] or places[1] else ([], [], [])

    def _legal_places(self, take: Take) -> tuple[int, ...]:
        """The segments that hits of a reach may take."""
        reached = REACHES[take.reach]
        return tuple(place for place, segment in enumerate(self.segments) if segment.spare or reached(segment.unit))

    def _next_loss(self, active: Places, take: Take, legal: tuple[int, ...]) -> int | None:
        """The segment that the next hit takes; None if the hit may take nobody."""
        first = next((place for place in legal if active[place]), None)
        if not take.keep or first is None or not self._last_screen(active, first):
            return first
        others = (
            place
            for place in legal
            if active[place] and not self.segments[place].unit.screens and not self.segments[place].unit.defenceless
        )
        return next(others, first)

    def _last_screen(self, active: Places, place: int) -> bool:
        """Whether this segment holds the only destroyer."""
        screens = sum(count for count, segment in zip(active, self.segments, strict=True) if segment.unit.screens)
        return self.segments[place].unit.screens and screens == 1

    def nodes_of(self, forces: Iterable[Force]) -> Nodes:
        """Return the nodes of some forces, in the order given.

        Args:
            forces: Forces of this lattice.
        """
        return np.array([self.place[force] for force in forces], np.int64)

    def nodes_after(self, take: Take, most: int) -> Nodes:
        """Return the node that each number of hits leaves of each node: [node, hits].

        Args:
            take: Which units the hits may take.
            most: The highest number of hits; fewer if no force takes so many.
        """
        one = self._after_hit[take]
        most = min(most, int(self.rank.max(initial=0)))
        taken = np.empty((len(self), most + 1), np.int64)
        taken[:, 0] = np.arange(len(self))
        for hits in range(most):
            taken[:, hits + 1] = one[taken[:, hits]]
        return taken
