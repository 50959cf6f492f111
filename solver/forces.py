"""Forces: what a side of an Axis & Allies battle can be reduced to, and which unit each hit takes.

An *order of loss* is a row of *segments*, first lost first, each some units of one kind or the spare hits of those with
two. A *force* is how many of each segment are left, with those that are gone: alive, but out of the fight. The forces
that a side can come to are the *nodes* of its lattice, weakest first; on land they are the places on a line.
"""

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from solver.errors import TooLargeError
from solver.hits import Counts, Dice, Laws, hit_laws, mixed
from solver.units import Role, Unit

MOST_FORCES = 20_000

SPARSE = 8
"""For numbers that are no further apart than this on average a table of all between them is faster than sorting."""

Nodes = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Places = tuple[int, ...]
"""How many units of each segment."""


class Segment(NamedTuple):
    """So many units of a kind next to each other in the order of loss; `spare`: their first hits, which are free."""

    unit: Unit
    units: int
    spare: bool = False


class Force(NamedTuple):
    """What is left in the fight and what is gone from it, by segments."""

    active: Places
    gone: Places


class Take(NamedTuple):
    """Whom hits of one reach may take, by name, and whether the last destroyer is kept as long as another can fall."""

    reach: str
    keep: bool = False


REACHES: dict[str, Callable[[Unit], bool]] = {
    "any": lambda _: True,
    "ships": lambda unit: unit.kind != "air",
    "surface": lambda unit: not unit.surprise,
    "planes": lambda unit: unit.kind == "air",
}
"""Whom hits may take: those of submarines no planes, those of planes without a destroyer no submarines, and those of
anti-aircraft guns only planes."""


class Forces:
    """Forces of one side in rows: how many of each segment are `active` and `gone`, and the `ships` beside them."""

    def __init__(
        self,
        segments: Sequence[Segment],
        role: Role,
        dice: Dice,
        active: Counts,
        gone: Counts,
        whole: "Force | None" = None,
    ) -> None:
        """`whole` is the force against which losses are counted; where it is not given, all units of the segments."""
        self.segments, self.role, self.dice = tuple(segments), role, dice
        self.active, self.gone = active, gone
        self.whole = whole or full(segments)
        self.ships: tuple[tuple[Unit, int], ...] = ()
        self._known_laws: dict[str, Laws] = {}

    def __len__(self) -> int:
        """How many forces."""
        return len(self.active)

    # What the forces are ---------------------------------------------------------------------------------

    def count(self, which: Callable[[Unit], bool], gone: bool = False) -> Counts:
        """How many units of such kinds each force has, spare hits not counted."""
        chosen = np.array([not segment.spare and which(segment.unit) for segment in self.segments], np.int64)
        counts: Counts = (self.gone if gone else self.active) @ chosen
        return counts

    @cached_property
    def rank(self) -> Counts:
        """How many hits each force can take."""
        ranks: Counts = self.active.sum(axis=1)
        return ranks

    @cached_property
    def units(self) -> Counts:
        """How many units each force has, spare hits not counted."""
        return self.count(lambda _: True)

    @cached_property
    def screens(self) -> Flags:
        """Which forces have a destroyer."""
        return self.count(lambda unit: unit.screens) > 0

    @cached_property
    def subs(self) -> Flags:
        """Which forces have a submarine."""
        return self.count(is_sub) > 0

    @cached_property
    def planes(self) -> Flags:
        """Which forces have planes."""
        return self.count(is_plane) > 0

    @cached_property
    def alive(self) -> Flags:
        """Which forces have anybody left in the fight."""
        return self.rank > 0

    @cached_property
    def hitting(self) -> dict[str, Flags]:
        """Which forces have submarines, planes and others that can hit at all."""
        groups = {"subs": is_sub, "planes": is_plane, "others": is_other}
        return {name: self.powers(which)[:, 1:].sum(axis=1) > 0 for name, which in groups.items()}

    @cached_property
    def hittable(self) -> dict[str, Flags]:
        """Which forces have somebody for submarines to hit, somebody for planes without a destroyer, and anybody."""
        return {
            "subs": self.count(lambda unit: not is_plane(unit)) > 0,
            "planes": self.count(lambda unit: not is_sub(unit)) > 0,
            "others": self.alive,
        }

    @property
    def whole_cost(self) -> float:
        """The money that all units of the side were worth together."""
        pairs = zip(self.segments, self.whole.active, strict=True)
        return sum(segment.unit.cost * count for segment, count in pairs if not segment.spare)

    def cost(self, gone: bool = False) -> npt.NDArray[np.float64]:
        """The money that the units of each force are worth."""
        prices = np.array([0 if segment.spare else segment.unit.cost for segment in self.segments], float)
        worth: npt.NDArray[np.float64] = (self.gone if gone else self.active) @ prices
        return worth

    # What they do ----------------------------------------------------------------------------------------

    def powers(self, which: Callable[[Unit], bool]) -> Counts:
        """For each force how many of its units of such kinds fire with strength 0, 1, ...: [force, strength]."""
        powers = np.zeros((len(self.active), 7), np.int64)
        for place, segment in enumerate(self.segments):
            if not segment.spare and which(segment.unit):
                powers[:, segment.unit.strength(self.role)] += self.active[:, place]
        if self.role == "attack":
            self._support(powers, which)
        for unit, count in self.ships:
            if which(unit):
                powers[:, unit.strength(self.role)] += count
        return powers

    def with_ships(self, ships: tuple[tuple[Unit, int], ...]) -> Self:
        """The same forces while these ships fire beside each of them."""
        forces = copy(self)
        forces.ships, forces._known_laws = ships, {}
        forces.__dict__.pop("hitting", None)
        return forces

    def _support(self, powers: Counts, which: Callable[[Unit], bool]) -> None:
        """Raise the strength of those who are supported, in every round by who is there then, one by each supporter."""
        left: dict[tuple[str, ...], Counts] = {}
        supported = [segment.unit for segment in self.segments if segment.unit.boost is not None and not segment.spare]
        for unit in sorted(dict.fromkeys(supported), key=lambda unit: unit.attack - (unit.boost or 0)):
            if not which(unit):
                continue
            free = left.setdefault(unit.by, self._count_of(unit.by))
            here = self.count(unit.__eq__)
            pairs = np.minimum(here, free)
            free -= pairs
            powers[:, unit.attack] -= pairs
            powers[:, unit.boost or 0] += pairs

    def _count_of(self, names: tuple[str, ...]) -> Counts:
        return self.count(lambda unit: unit.name.removeprefix("amphibious_") in names).copy()

    def laws(self, group: str) -> Laws:
        """The law of hits of each force's dice of a group; groups joined by "+" roll as one, by "&" each by itself."""
        if group not in self._known_laws:
            if "&" in group:
                parts = [self.laws(part) for part in group.split("&")]
                law = parts[0]
                for part in parts[1:]:
                    law = mixed(law, part, law.shape[1], capped=False)
            else:
                kinds = group.split("+")
                law = hit_laws(self.powers(lambda unit: group == "all" or group_of(unit) in kinds), self.dice)
            self._known_laws[group] = law
        return self._known_laws[group]


class Lattice(Forces):
    """The forces that one side can come to, and what a hit makes of each of them.

    Those it begins with are the nodes `starts`. Where every hit takes the next unit in the order of loss, each of them
    stands at the end of one of the `lines`, [line, rank]: on it is what hits leave of it (-1: nobody has that rank).
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
        """The forces that `roots` come to by hits of these reaches, or, as `leave` says, by some leaving the fight."""
        self.segments = tuple(segments)
        self.lines: Nodes | None = None
        self._following: dict[Take, Nodes] = {}
        found = list(roots)
        # Where submarines are their losses are no line, or the order of forces of a rank matters.
        falling = (
            leave is None and list(takes) == [Take("any")] and not any(segment.unit.surprise for segment in segments)
        )
        active = self._fall(found) if falling else None
        if active is not None:
            gone = np.zeros_like(active)
        else:
            counts = self._search(found, takes, leave or (lambda _: ()))
            self.starts = self.node_of(found)
            active, gone = counts[:, 0], counts[:, 1]
        super().__init__(segments, role, dice, active, gone, whole)

    def _fall(self, roots: Sequence[Force]) -> Counts | None:
        """Line up what hits leave of each of these; returns the forces there are, None where lines are too long."""
        lines: list[Counts] = []
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
        # In the order of rank, and those of a rank by their units.
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
        self._following[Take("any")] = weaker
        self.starts = self.lines[tuple(np.array([stands[force.active] for force in roots]).T)]
        counts: Counts = rows[order[new], 1:]
        return counts

    def _search(
        self, roots: Sequence[Force], takes: Sequence[Take], leave: Callable[[Force], Iterable[Force]]
    ) -> Counts:
        """Follow every hit and everybody who leaves; returns the forces there are, [force, active or gone, segment]."""
        following: dict[Take, dict[Force, Force]] = {take: {} for take in takes}
        waiting = list(dict.fromkeys(roots))
        known = set(waiting)
        legal = {take: self._legal(take) for take in takes}
        while waiting:
            force = waiting.pop()
            nexts = list(leave(force))
            for take in takes:
                place = self._next(force.active, take, legal[take])
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
        self.nodes = sorted(known, key=self._standing)
        for take in takes:
            self._following[take] = self.node_of(following[take][force] for force in self.nodes)
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

    def _standing(self, force: Force) -> tuple[Any, ...]:
        """The order of forces: the weakest first, and those of a rank by what decides how they fight."""
        screens, subs, planes = (any(force.active[place] for place in places) for places in self._deciding)
        return sum(force.active), screens, screens and planes, subs, force

    @cached_property
    def _deciding(self) -> tuple[list[int], list[int], list[int]]:
        """The segments of destroyers, submarines and planes; on land there is nothing that decides."""
        places: tuple[list[int], list[int], list[int]] = ([], [], [])
        for place, segment in enumerate(self.segments):
            for found, here in zip(
                places, (segment.unit.screens, segment.unit.surprise, segment.unit.kind == "air"), strict=True
            ):
                found.extend([place] if here and not segment.spare else [])
        return places if places[0] or places[1] else ([], [], [])

    def _legal(self, take: Take) -> tuple[int, ...]:
        reached = REACHES[take.reach]
        return tuple(place for place, segment in enumerate(self.segments) if segment.spare or reached(segment.unit))

    def _next(self, active: Places, take: Take, legal: tuple[int, ...]) -> int | None:
        """The segment that the next hit falls on; None where nobody may be hit."""
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
        """Whether the only destroyer stands in this segment."""
        screens = sum(count for count, segment in zip(active, self.segments, strict=True) if segment.unit.screens)
        return self.segments[place].unit.screens and screens == 1

    def node_of(self, forces: Iterable[Force]) -> Nodes:
        """The nodes of forces."""
        return np.array([self.place[force] for force in forces], np.int64)

    def taken(self, take: Take, most: int) -> Nodes:
        """The node after 0, 1, 2, ... hits of a reach, up to so many or as many as any force can take: [node, hits]."""
        one = self._following[take]
        most = min(most, int(self.rank.max(initial=0)))
        taken = np.empty((len(self), most + 1), np.int64)
        taken[:, 0] = np.arange(len(self))
        for hits in range(most):
            taken[:, hits + 1] = one[taken[:, hits]]
        return taken


def is_sub(unit: Unit) -> bool:
    """Whether it is a submarine."""
    return unit.surprise


def is_plane(unit: Unit) -> bool:
    """Whether it flies."""
    return unit.kind == "air"


def is_other(unit: Unit) -> bool:
    """Whether it is neither of these."""
    return not unit.surprise and unit.kind != "air"


def group_of(unit: Unit) -> str:
    """With whom a unit's dice are rolled: submarines, planes and all others."""
    return "subs" if is_sub(unit) else "planes" if is_plane(unit) else "others"


def full(segments: Sequence[Segment]) -> Force:
    """All units, none of them gone."""
    return Force(tuple(segment.units for segment in segments), (0,) * len(segments))


def nobody(force: Force) -> Force:
    """The force after every unit still in the fight is lost."""
    return Force((0,) * len(force.active), force.gone)


def without(force: Force, places: Any) -> Force:
    """The force once all units of these segments have left the fight alive."""
    active = tuple(0 if place in places else count for place, count in enumerate(force.active))
    gone = tuple(
        left + (count if place in places else 0)
        for place, (left, count) in enumerate(zip(force.gone, force.active, strict=True))
    )
    return Force(active, gone)


def ranked(codes: Nodes) -> tuple[Nodes, Nodes]:
    """The different ones of some numbers, in order, and which of these each is."""
    least, most = (int(codes.min()), int(codes.max())) if codes.size else (0, 0)
    if most - least > SPARSE * (codes.size + 1000):
        found, which = np.unique(codes, return_inverse=True)
        return found, which.reshape(codes.shape)
    seen = np.zeros(most - least + 1, bool)
    seen[codes - least] = True
    found = np.flatnonzero(seen)
    place = np.zeros(len(seen), np.int64)
    place[found] = np.arange(len(found))
    return found + least, place[codes - least]
