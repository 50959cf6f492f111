"""The ways in which a side can take the hits of a volley, as a player chooses them instead of the order of loss.

Each hit takes a unit if there is one that it may take: those in `REACHES`, and transports only if nothing else is left
for it. A ship that takes two hits takes the first before it sinks. Rules that protect units in the order of loss, such
as `keep_land`, do not bind a player.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, product
from math import inf, prod
from typing import Any, NamedTuple

from solver.axis.kernel.forces import REACHES
from solver.axis.loss_order import Places, Segment
from solver.errors import BattleError, quoted

MOST_WAYS = 300
"""So many ways are listed; of more, those near the order of loss. Others can be chosen all the same."""
MOST_SHARES = 20_000
"""With more ways to share the hits of submarines and planes, the order's way is the only one."""

Hits = tuple[tuple[str, int], ...]
"""Hits in the order in which they are allotted: a name in `REACHES`, and how many."""
Way = tuple[tuple[int, int], ...]
"""For each kind how many units are lost, and how many take the first of two hits."""
Counts = tuple[int, ...]
"""A number of hits for each class of kinds that the same hits may take."""


class Kind(NamedTuple):
    """The units of a kind that hits may take; damaged ships are among the whole ones.

    Attributes:
        name: The name of the kind.
        places: The segments of its units, first lost first.
        spare: The segment of their first hits; None if one hit is enough.
        units: How many units there are.
        firsts: How many of them have the first of two hits still to take.
        reached: For each name in `REACHES`, whether its hits may take the kind.
        last: Whether other kinds are taken before it.
    """

    name: str
    places: tuple[int, ...]
    spare: int | None
    units: int
    firsts: int
    reached: tuple[bool, ...]
    last: bool

    def ways(self, hits: int) -> Iterator[tuple[int, int]]:
        """Yield the ways in which the kind can take so many hits: units lost, and first hits.

        Args:
            hits: How many.
        """
        for firsts in range(max(hits - self.units, 0), min(self.firsts, hits) + 1):
            if self.allows(hits - firsts, firsts):
                yield hits - firsts, firsts

    def allows(self, lost: int, firsts: int) -> bool:
        """Return whether so many units can be lost while so many take the first of two hits.

        Args:
            lost: The units lost.
            firsts: The first hits.
        """
        return 0 <= lost <= self.units and 0 <= firsts <= self.firsts and self.firsts - firsts <= self.units - lost


class Toll:
    """The hits on one side, and the ways to take them.

    Attributes:
        kinds: The kinds that are there.
        order: The losses of the order of loss.

    Args:
        segments: The order of loss of the side.
        before: The units in the fight before the hits: [segment].
        after: The units that the order of loss leaves of them.
        hits: The hits.
    """

    def __init__(self, segments: Sequence[Segment], before: Places, after: Places, hits: Hits) -> None:
        self._before, self._hits = before, hits
        self._known: dict[Counts, bool] = {}
        self.kinds = _kinds_of(segments, before)
        self.order = self.way_to(after)
        classes = list(dict.fromkeys((kind.reached, kind.last) for kind in self.kinds))
        self._class_of = [classes.index((kind.reached, kind.last)) for kind in self.kinds]
        self._classes = classes

    @property
    def ways(self) -> list[Way]:
        """The ways to take the hits, that of the order first and then those near it; at most `MOST_WAYS`."""
        return self._found[0]

    @property
    def complete(self) -> bool:
        """Whether `ways` has all of them."""
        return self._found[1]

    @cached_property
    def _found(self) -> tuple[list[Way], bool]:
        """The ways, and whether these are all."""
        ways = [] if self._is_too_large else list(islice(self._every_way(), MOST_WAYS + 1))
        complete = len(ways) <= MOST_WAYS and not self._is_too_large
        if len(ways) > MOST_WAYS:
            ways = self._near_ways()
        others = sorted((way for way in ways if way != self.order), key=self._distance)
        return [self.order, *others], complete

    @property
    def is_open(self) -> bool:
        """Whether there is more than one way."""
        return len(self.ways) > 1

    def allows(self, way: Way) -> bool:
        """Return whether the rules allow a way.

        Args:
            way: Any numbers for each kind.
        """
        if way == self.order or self._is_too_large:
            return way == self.order
        fits = all(kind.allows(*counts) for kind, counts in zip(self.kinds, way, strict=True))
        return fits and self._is_reached(self._class_hits(way))

    def after(self, way: Way) -> Places:
        """Return the units that a way leaves in the fight: [segment].

        Args:
            way: The way.
        """
        left = list(self._before)
        for kind, (lost, firsts) in zip(self.kinds, way, strict=True):
            if kind.spare is not None:
                left[kind.spare] -= firsts
            for place in kind.places:
                taken = min(lost, left[place])
                left[place] -= taken
                lost -= taken
        return tuple(left)

    def way_to(self, after: Places) -> Way:
        """Return the way that leaves these units.

        Args:
            after: The units left in the fight: [segment].
        """
        lost = [before - left for before, left in zip(self._before, after, strict=True)]
        return tuple(
            (sum(lost[place] for place in kind.places), 0 if kind.spare is None else lost[kind.spare])
            for kind in self.kinds
        )

    @property
    def _is_too_large(self) -> bool:
        """Whether there are so many ways to share the first groups of hits that only the order's is known."""
        return prod(hits + 1 for _reach, hits in self._hits[:-1]) > MOST_SHARES

    # As JSON ---------------------------------------------------------------------------------------------

    def read(self, lose: Any, damage: Any) -> Way:
        """Return the way of a choice; BattleError if the rules do not allow it, or if it is no way.

        Args:
            lose: The units lost, by kind: any JSON value.
            damage: The first hits of ships that take two, by kind: any JSON value.
        """
        lost, firsts = self._counts(lose), self._counts(damage)
        way = tuple((lost.get(kind.name, 0), firsts.get(kind.name, 0)) for kind in self.kinds)
        if not self.allows(way):
            raise BattleError("choice", "these losses don't fit the hits")
        return way

    def write(self, way: Way) -> dict[str, dict[str, int]]:
        """Return a way as a choice has it: what is lost, and what is damaged if something is.

        Args:
            way: The way.
        """
        lose, damage = (
            {kind.name: counts[part] for kind, counts in zip(self.kinds, way, strict=True) if counts[part]}
            for part in (0, 1)
        )
        return {"lose": lose, **({"damage": damage} if damage else {})}

    def _counts(self, choice: Any) -> Mapping[str, int]:
        """The units of each kind that a choice names."""
        if not isinstance(choice, dict) or not all(type(count) is int and count > 0 for count in choice.values()):
            raise BattleError("choice", "a choice of losses names units and how many of each")
        names = {kind.name for kind in self.kinds}
        for name in choice:
            if name not in names:
                raise BattleError("choice", "there is no {unit} that could be lost here", unit=quoted(name))
        return choice

    # How hits are allotted -------------------------------------------------------------------------------

    def _distance(self, way: Way) -> tuple[int, Way]:
        """How many hits a way takes elsewhere than the order, and then any order that is always the same."""
        pairs = zip(way, self.order, strict=True)
        return sum(abs(a - b) for counts, usual in pairs for a, b in zip(counts, usual, strict=True)), way

    def _class_hits(self, way: Way) -> Counts:
        """The hits that a way has on each class."""
        hits = [0] * len(self._classes)
        for place, counts in zip(self._class_of, way, strict=True):
            hits[place] += sum(counts)
        return tuple(hits)

    @cached_property
    def _room(self) -> Counts:
        """The hits that each class can take."""
        room = [0] * len(self._classes)
        for place, kind in zip(self._class_of, self.kinds, strict=True):
            room[place] += kind.units + kind.firsts
        return tuple(room)

    def _after_group(self, taken: Counts, reach: str, hits: int, limits: Counts) -> Iterator[Counts]:
        """Yield what a group of hits makes of the hits taken before, as long as no class has more than `limits`."""
        name = list(REACHES).index(reach)
        reached = [place for place, (reaches, _last) in enumerate(self._classes) if reaches[name]]
        free = [place for place in reached if not self._classes[place][1]]
        late = [place for place in reached if self._classes[place][1]]
        rest = [self._room[place] - taken[place] for place in free]
        now = min(hits, sum(rest))
        for share in _shares(
            now, [min(room, limits[place] - taken[place]) for place, room in zip(free, rest, strict=True)]
        ):
            after = list(taken)
            for place, more in zip(free, share, strict=True):
                after[place] += more
            left = hits - now
            for place in late:
                more = min(left, self._room[place] - taken[place])
                after[place] += more
                left -= more
            if all(map(int.__le__, after, limits)):
                yield tuple(after)

    def _reachable(self, limits: Counts, limit: float = inf) -> set[Counts]:
        """Hits on the classes that the rules lead to, if no class has more than `limits`: all, or more than `limit`."""
        reached = {(0,) * len(self._classes)}
        for place, (reach, hits) in enumerate(self._hits):
            after: set[Counts] = set()
            for counts in (counts for taken in reached for counts in self._after_group(taken, reach, hits, limits)):
                after.add(counts)
                if place == len(self._hits) - 1 and len(after) > limit:
                    return after
            reached = after
        return reached

    def _is_reached(self, hits: Counts) -> bool:
        """Whether the rules lead to these hits on the classes."""
        if hits not in self._known:
            self._known[hits] = hits in self._reachable(hits)
        return self._known[hits]

    # Every way -------------------------------------------------------------------------------------------

    def _every_way(self) -> Iterator[Way]:
        """Yield all ways, or more than `MOST_WAYS` of them."""
        order = sorted(range(len(self.kinds)), key=self._class_of.__getitem__)
        for hits in sorted(self._reachable(self._room, MOST_WAYS)):
            members = [
                [kind for kind, here in zip(self.kinds, self._class_of, strict=True) if here == place]
                for place in range(len(hits))
            ]
            parts = [
                list(islice(_ways_of(kinds, number), MOST_WAYS + 1))
                for kinds, number in zip(members, hits, strict=True)
            ]
            for some in product(*parts):
                flat = [counts for part in some for counts in part]
                way = dict(zip(order, flat, strict=True))
                yield tuple(way[place] for place in range(len(self.kinds)))

    def _near_ways(self) -> list[Way]:
        """The order's way and those that one moved hit leads to from another, `MOST_WAYS` in all."""
        ways, known = [self.order], {self.order}
        for way in ways:  # which grows meanwhile
            for other in _moved_hits(way):
                if other not in known and self.allows(other):
                    known.add(other)
                    ways.append(other)
                    if len(ways) == MOST_WAYS:
                        return ways
        return ways


def _kinds_of(segments: Sequence[Segment], before: Places) -> list[Kind]:
    """The kinds that are there; ships that were damaged before the battle come before whole ones of their kind."""
    there = [place for place, segment in enumerate(segments) if before[place] and not segment.spare]
    spares = {segment.unit.name: place for place, segment in enumerate(segments) if segment.spare and before[place]}
    names = dict.fromkeys(segments[place].unit.repaired or segments[place].unit.name for place in there)
    kinds = []
    for name in names:
        places = [place for place in there if name in (segments[place].unit.repaired, segments[place].unit.name)]
        places.sort(key=lambda place: not segments[place].unit.repaired)
        unit = segments[places[-1]].unit
        spare = spares.get(name)
        reached = tuple(reach(unit) for reach in REACHES.values())
        units, firsts = sum(before[place] for place in places), 0 if spare is None else before[spare]
        kinds.append(Kind(name, tuple(places), spare, units, firsts, reached, unit.defenceless))
    return kinds


def _shares(number: int, limits: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write a number as a sum of so many parts, each no more than its limit."""
    if not limits:
        if not number:
            yield ()
        return
    first, *rest = limits
    for here in range(max(number - sum(rest), 0), min(first, number) + 1):
        for others in _shares(number - here, rest):
            yield here, *others


def _ways_of(kinds: Sequence[Kind], hits: int) -> Iterator[Way]:
    """Yield the ways in which kinds that the same hits may take can take so many of them."""
    for share in _shares(hits, [kind.units + kind.firsts for kind in kinds]):
        yield from product(*(kind.ways(some) for kind, some in zip(kinds, share, strict=True)))


def _moved_hits(way: Way) -> Iterator[Way]:
    """Yield the ways with one hit taken elsewhere, be they allowed or not."""
    flat = [count for counts in way for count in counts]
    for fewer, more in product(range(len(flat)), repeat=2):
        if fewer != more and flat[fewer]:
            other = [*flat]
            other[fewer] -= 1
            other[more] += 1
            yield tuple(zip(other[::2], other[1::2], strict=True))
