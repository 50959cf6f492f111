"""The lattice of a side of an Axis & Allies battle: every force that it can come to, and which unit each hit takes.

The forces are the *nodes* of the lattice, weakest first. On land they are the places on a line. Lattices are kept for
the next battles: a group often asks about the same units again, against others or by other rules.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from solver.axis.kernel.forces import REACHES, Forces, Nodes, Take, withdraw
from solver.axis.kernel.hits import UnitCounts
from solver.axis.kernel.search import MOST_FORCES, Departure, Found, Loss, check_forces, search_ranks
from solver.axis.loss_order import Force, Places, Segment
from solver.axis.sides import EVERYBODY, Dice
from solver.axis.units import Role, Unit

MANY = 40
"""From so many first forces on, forces are found rank by rank, which pays only for many."""
MOST_KEPT, MOST_LATTICES = 2_000_000, 50
"""About how many numbers the lattices have that are kept for later battles, none more than half of it; and how many
lattices."""
FORCE = 100
"""About how many numbers a force takes."""
TABLES, TABLES_ON_LINES = 12, 5
"""About how many tables of its forces by hits a lattice remembers."""


@dataclass(frozen=True, slots=True)
class Leaving:
    """The units of a side that may leave the fight alive.

    Attributes:
        subs: The segments of submarines that may submerge.
        others: The segments that may retreat.
        landed: The segments that were landed from the sea, and stay.
        most: How many submarines may submerge in all.
    """

    subs: frozenset[int]
    others: frozenset[int]
    landed: frozenset[int]
    most: int = EVERYBODY

    @property
    def departures(self) -> list[Departure]:
        """The units that may leave, as tables of forces need them: see `search_ranks`."""
        rows = (self.subs, self.subs, self.most), (self.others, self.landed, EVERYBODY)
        return [
            Departure(np.array(sorted(leaving), np.int64), np.array(sorted(needed), np.int64), most)
            for leaving, needed, most in rows
            if leaving and needed
        ]

    def __call__(self, force: Force) -> Iterator[Force]:
        """Yield what remains when submarines submerge, or when all but those landed from the sea retreat.

        Args:
            force: The force before.
        """
        under = withdraw(force, self.subs, self.most)
        if under != force:
            yield under
        if any(force.active[place] for place in self.others) and any(force.active[place] for place in self.landed):
            yield withdraw(force, self.others)


class Lattice(Forces):
    """The forces that one side can come to, and what each hit leaves of them.

    Attributes:
        starts: The nodes with which the side may begin.
        front: The last result of `Front.of`, and its arguments.
        lines: The node of each rank on each line, or -1: [line, rank]. There is one line for each start that no other
            line contains. None if hits do not always take the next unit in the order of loss.

    Args:
        segments, role, dice, whole: See `Forces`.
        roots: The forces with which the side may begin.
        takes: The reaches that hits on it can have.
        leave: The units that may leave the fight; None if nobody leaves.

    Raises:
        TooLargeError: If there are more than `MOST_FORCES`.
    """

    def __init__(
        self,
        segments: Sequence[Segment],
        role: Role,
        dice: Dice,
        roots: Iterable[Force],
        takes: Sequence[Take],
        leave: Leaving | None = None,
        whole: Force | None = None,
    ) -> None:
        self.segments = tuple(segments)
        self.lines: Nodes | None = None
        self._after_hit: dict[Take, Nodes] = {}
        self._most_asked = 0
        self._after_hits = dict.fromkeys(takes, np.empty((0, 0), np.int64))
        self.front: tuple[Any, Any] = (None, None)
        forces = list(roots)
        # With submarines losses are no line, or the order of forces of one rank matters.
        falling = (
            leave is None and list(takes) == [Take("any")] and not any(segment.unit.surprise for segment in segments)
        )
        active = self._line_up(forces) if falling else None
        if active is not None:
            gone = np.zeros_like(active)
        else:
            counts = self._search(forces, takes, leave)
            active, gone = counts[:, 0], counts[:, 1]
        super().__init__(segments, role, dice, active, gone, whole)

    def _line_up(self, roots: Sequence[Force]) -> UnitCounts | None:
        """Put what hits leave of each root on lines; return the forces [force, segment], or None if the lines are too
        long.
        """
        lines: list[UnitCounts] = []
        stands: dict[Places, tuple[int, int]] = {}
        first_line: dict[Places, int] = {}
        for root in sorted({force.active for force in roots}, key=sum, reverse=True):
            rank = sum(root)
            on = first_line.get(root, len(lines))
            stands[root] = on, rank
            if on < len(lines):
                continue
            if rank + sum(map(len, lines)) >= MOST_FORCES:
                return None
            units = np.array(root, np.int64)
            hits = np.arange(rank, -1, -1)[:, None] - (np.cumsum(units) - units)
            lines.append(units - np.clip(hits, 0, units))
            for force in map(tuple, lines[-1].tolist()):
                first_line.setdefault(force, on)
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

    def _search(self, roots: Sequence[Force], takes: Sequence[Take], leave: Leaving | None) -> UnitCounts:
        """Follow every hit and every leaving unit; return the forces: [force, active or gone, segment]."""
        if len(roots) < MANY:
            search = self._search_one_by_one(roots, takes, leave)
        else:
            losses = [self._loss(take) for take in takes]
            search = search_ranks(np.array(roots, np.int64), losses, leave.departures if leave else [])
        order = self._order(search.counts)
        node = np.empty_like(order)
        node[order] = np.arange(len(order))
        self.starts = node[search.roots]
        self._after_hit = {take: node[after[order]] for take, after in zip(takes, search.after, strict=True)}
        counts: UnitCounts = search.counts[order]
        return counts

    def _search_one_by_one(self, roots: Sequence[Force], takes: Sequence[Take], leave: Leaving | None) -> Found:
        """Find the forces like `search_ranks`, each by itself."""
        forces = list(dict.fromkeys(roots))
        known = {force: place for place, force in enumerate(forces)}
        after: dict[Take, list[int]] = {take: [] for take in takes}
        legal = {take: self._legal_places(take) for take in takes}
        for force in forces:  # which grows meanwhile
            for take in takes:
                left = self._after_loss(force, take, legal[take])
                after[take].append(known.setdefault(left, len(forces)))
                if len(known) > len(forces):
                    forces.append(left)
            for left in leave(force) if leave else ():
                known.setdefault(left, len(forces))
                if len(known) > len(forces):
                    forces.append(left)
            check_forces(len(forces))
        counts: UnitCounts = np.array(forces, np.int64).reshape(len(forces), 2, -1)
        places = np.array([known[root] for root in roots], np.int64)
        return Found(counts, places, [np.array(after[take], np.int64) for take in takes])

    def _loss(self, take: Take) -> Loss:
        """Return the units that a hit may take, as tables of forces need them: see `search_ranks`."""
        legal = self._legal_places(take)
        screens = [place for place, segment in enumerate(self.segments) if take.keep and segment.unit.screens]
        instead = [place for place in legal if self._taken_before_screens(place)]
        return Loss(*(np.array(places, np.int64) for places in (legal, screens, instead)))

    def _order(self, counts: UnitCounts) -> Nodes:
        """The order of forces: weakest first, and forces of a rank by what decides how they fight."""
        active = counts[:, 0]
        screens, subs, planes = (active[:, places].any(axis=1) for places in self._deciding_places)
        units = counts.reshape(len(counts), -1).T[::-1]
        return np.lexsort((*units, subs, screens & planes, screens, active.sum(axis=1)))

    def with_ships(self, ships: tuple[tuple[Unit, int], ...]) -> Self:
        """Return these forces while some ships fire beside each of them: see `Forces.with_ships`."""
        lattice = super().with_ships(ships)
        lattice.front = None, None
        return lattice

    @cached_property
    def nodes(self) -> list[Force]:
        """The forces, weakest first."""
        pairs = zip(self.active.tolist(), self.gone.tolist(), strict=True)
        return [Force(tuple(active), tuple(gone)) for active, gone in pairs]

    @cached_property
    def place(self) -> dict[Force, int]:
        """The node of each force."""
        return {force: node for node, force in enumerate(self.nodes)}

    @cached_property
    def _deciding_places(self) -> tuple[list[int], list[int], list[int]]:
        """The segments of destroyers, submarines and planes. On land they decide nothing, and the lists are empty."""
        places: tuple[list[int], list[int], list[int]] = ([], [], [])
        for place, segment in enumerate(self.segments):
            for some, here in zip(
                places, (segment.unit.screens, segment.unit.surprise, segment.unit.kind == "air"), strict=True
            ):
                some.extend([place] if here and not segment.spare else [])
        return places if places[0] or places[1] else ([], [], [])

    def _legal_places(self, take: Take) -> tuple[int, ...]:
        """The segments that hits of a reach may take."""
        reached = REACHES[take.reach]
        return tuple(place for place, segment in enumerate(self.segments) if reached(segment.unit))

    def _after_loss(self, force: Force, take: Take, legal: tuple[int, ...]) -> Force:
        """Return the rest of a force after the next hit: the force itself if the hit may take nobody."""
        active = force.active
        for place in legal:
            if active[place]:
                break
        else:
            return force
        if take.keep and self._last_screen(active, place):
            place = next((other for other in legal if active[other] and self._taken_before_screens(other)), place)
        return Force((*active[:place], active[place] - 1, *active[place + 1 :]), force.gone)

    def _taken_before_screens(self, place: int) -> bool:
        """Whether the last destroyer is kept if a hit can take this segment."""
        unit = self.segments[place].unit
        return not unit.screens and not unit.defenceless

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

    def nodes_after(self, take: Take, limit: int) -> Nodes:
        """Return the node that each number of hits leaves of each node: [node, hits].

        Args:
            take: Which units the hits may take.
            limit: The highest number of hits. Fewer if no force takes so many; perhaps more if more were asked before.
        """
        self._most_asked = max(self._most_asked, min(limit, int(self.rank.max(initial=0))))
        known = self._after_hits[take]
        if known.shape[1] <= self._most_asked:
            after, known = self._after_hit[take], np.empty((len(self), self._most_asked + 1), np.int64)
            known[:, 0] = np.arange(len(self))
            for hits in range(self._most_asked):
                known[:, hits + 1] = after[known[:, hits]]
            self._after_hits[take] = known
        return known

    @cached_property
    def numbers(self) -> int:
        """About how many numbers it takes, with all that it remembers."""
        tables = TABLES if self.lines is None else TABLES_ON_LINES
        return len(self) * (FORCE + tables * (1 + int(self.rank.max(initial=0))))


_kept: dict[tuple[Any, ...], Lattice] = {}


def find_lattice(
    segments: tuple[Segment, ...],
    role: Role,
    dice: Dice,
    roots: Iterable[Force],
    takes: Iterable[Take],
    leave: Leaving | None,
    whole: Force | None = None,
) -> Lattice:
    """Return the lattice of a side: see `Lattice`.

    It is the one of an earlier battle if that had the same side. Do not change it.
    """
    key = segments, role, dice, tuple(roots), tuple(takes), leave, whole
    lattice = _kept.pop(key, None)
    if lattice is None:
        lattice = Lattice(segments, role, dice, key[3], key[4], leave, whole)
    if lattice.numbers <= MOST_KEPT // 2:
        _kept[key] = lattice  # behind all others: those in front are forgotten first
    while len(_kept) > MOST_LATTICES or sum(known.numbers for known in list(_kept.values())) > MOST_KEPT:
        _kept.pop(next(iter(_kept)), None)
    return lattice
