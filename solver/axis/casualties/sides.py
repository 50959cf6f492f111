"""The forces of a side that chooses its casualties, or loses them in order, and what a hit may leave of each."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, pairwise

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.course import guns_choose
from solver.axis.kernel.forces import REACHES, Flags, Forces, Nodes, Take, leaving_units
from solver.axis.kernel.hits import UnitCounts
from solver.axis.kernel.lattice import Lattice, Leaving
from solver.axis.kernel.search import MOST_FORCES
from solver.axis.loss_order import Force, Segment
from solver.axis.sides import EVERYBODY
from solver.axis.units import AMPHIBIOUS, Role, Unit
from solver.errors import TooLargeError

MOST_CODES = 2**62
"""The most combinations of counts that are numbered."""


@dataclass(frozen=True, eq=False)
class Side:
    """The forces of a side, weakest first, and what one hit may leave of each.

    Attributes:
        forces: The forces.
        starts: The nodes with which it may begin.
        after: For each reach of a hit the nodes that it may leave: [node, option]. The first option is that of the
            order of loss, then comes the cheapest: of options that are equally good the first is chosen. Where an
            option is not open, it repeats the first. A hit that may take nobody leaves the node itself.
        open: For each reach whether each option is open: [node, option].
    """

    forces: Forces
    starts: Nodes
    after: Mapping[Take, Nodes]
    open: Mapping[Take, Flags]

    def __len__(self) -> int:
        """The number of forces."""
        return len(self.forces)

    @property
    def start(self) -> int:
        """The first node with which it may begin."""
        return int(self.starts[0])

    @cached_property
    def stuck(self) -> dict[Take, Flags]:
        """Whether a hit of a reach may take nobody: by reach, [node]."""
        nodes = np.arange(len(self))
        return {take: after[:, 0] == nodes for take, after in self.after.items()}

    @cached_property
    def layers(self) -> list[slice]:
        """The nodes of each rank, weakest first. A hit leads from one rank to the rank below."""
        rank = self.forces.rank
        bounds = np.searchsorted(rank, np.arange(int(rank.max(initial=0)) + 2)).tolist()
        return [slice(first, last) for first, last in pairwise(bounds) if last > first]

    def find(self, forces: Sequence[Force]) -> Nodes:
        """Return the nodes of some forces.

        Args:
            forces: Forces of this side.
        """
        return np.array([self._places[force] for force in forces], np.int64)

    def nodes_after_leaving(self, places: Iterable[int], most: int = EVERYBODY) -> Nodes:
        """Return the node of each force after its units of some segments have left: itself if they cannot.

        Args:
            places: The segments. Only for units that can leave in this battle.
            most: See `leaving_units`.
        """
        leaving = np.zeros(len(self.forces.segments), np.int64)
        leaving[list(places)] = 1
        left = leaving_units(self.forces.active * leaving, self.forces.gone * leaving, most)
        moved = np.flatnonzero(left.any(axis=1))
        pairs = zip((self.forces.active - left)[moved].tolist(), (self.forces.gone + left)[moved].tolist(), strict=True)
        nodes = np.arange(len(self))
        known = [Force(tuple(active), tuple(gone)) for active, gone in pairs]
        nodes[moved] = [self._places.get(force, node) for force, node in zip(known, moved.tolist(), strict=True)]
        return nodes

    @cached_property
    def _places(self) -> dict[Force, int]:
        pairs = zip(self.forces.active.tolist(), self.forces.gone.tolist(), strict=True)
        return {Force(tuple(active), tuple(gone)): node for node, (active, gone) in enumerate(pairs)}


def side_in_order(lattice: Lattice, takes: Iterable[Take], starts: Nodes) -> Side:
    """Return a side that loses its units in order.

    Args:
        lattice: Its lattice.
        takes: The reaches that hits on it can have.
        starts: The nodes with which it may begin.
    """
    after = {take: lattice.nodes_after(take, 1)[:, :2][:, -1:] for take in takes}
    return Side(lattice, starts, after, {take: np.ones_like(nodes, bool) for take, nodes in after.items()})


def side_that_chooses(
    battle: AxisBattle, lattice: Lattice, starts: Nodes, takes: Sequence[Take], leave: Leaving | None, weak_first: bool
) -> Side:
    """Return a side that chooses its casualties.

    Of two kinds that differ in nothing but strength and worth, the one that is weaker and no dearer is lost first: that
    is never worse if the side chooses as long as they fight. The other could do all that it does, and would be lost for
    no less. It is not so where shots are aimed at the other one.

    Args:
        battle: The battle, in which the side keeps nothing to the last.
        lattice: The forces that it could come to in order.
        starts: The nodes there with which it may begin.
        takes: The reaches that hits on it can have.
        leave: The units that may leave the fight; None if nobody leaves.
        weak_first: Whether to do so. Otherwise the side may lose any kind first.

    Raises:
        TooLargeError: If there are more than `MOST_FORCES` forces, or more than `MOST_CODES` combinations of counts.
    """
    segments, role, begin = lattice.segments, lattice.role, lattice.active[starts]
    if not segments:
        nowhere, shut = np.zeros((1, 1), np.int64), np.zeros((1, 1), bool)
        return Side(lattice, starts, dict.fromkeys(takes, nowhere), dict.fromkeys(takes, shut))
    # Where only some submarines may submerge, those that stay may be of any kind.
    divers = leave.subs if leave and leave.most < EVERYBODY else frozenset()
    alike = [pair for pair in _weak_first(battle, role, segments, begin) if not {*pair} <= divers] if weak_first else []
    active = _possible_counts(segments, alike)
    active = active[_is_within(active, np.unique(begin, axis=0))]
    gone = np.zeros_like(active)
    if leave:
        active, gone = _with_departures(active, leave)
    code = _Code(segments, leave.subs | leave.others if leave else ())
    codes = code.of(active, gone)
    _codes, first = np.unique(codes, return_index=True)
    order = first[np.lexsort((codes[first], active[first].sum(axis=1)))]
    active, gone, codes = active[order], gone[order], codes[order]
    forces = Forces(segments, role, battle.unit_dice, active, gone, lattice.whole)
    options = {take: _options(segments, alike, active, take) for take in takes}
    places = np.argsort(codes)
    after: dict[Take, Nodes] = {}
    for take, possible in options.items():
        ranked = _rank_options(segments, possible)
        options[take] = np.take_along_axis(possible, ranked, axis=1)
        wanted = codes[:, None] - np.where(options[take], code.active[ranked], 0)
        nodes = places[np.searchsorted(codes, wanted, sorter=places)]
        after[take] = np.where(options[take], nodes, nodes[:, :1])
    begun = code.of(begin, np.zeros_like(begin))
    return Side(forces, places[np.searchsorted(codes, begun, sorter=places)], after, options)


def _weak_first(
    battle: AxisBattle, role: Role, segments: Sequence[Segment], begin: UnitCounts
) -> list[tuple[int, int]]:
    """Return pairs of segments that differ in strength and worth alone, of which the first is lost first."""
    return [
        (first, then)
        for first, then in _alike(segments, role, priced=battle.aim == "profit")
        if _is_first_lost(segments, (first, then), begin) and not _is_aimed_at(battle, role, segments[then].unit)
    ]


def _with_departures(active: UnitCounts, leave: Leaving) -> tuple[UnitCounts, UnitCounts]:
    """Return forces and what they are once units have left; and the units that have left each."""
    leavers = (leave.subs, leave.most), (leave.others, EVERYBODY)
    departed = [_depart(active, places, most) for places, most in leavers if places]
    left, gone = (np.concatenate(parts) for parts in zip((active, np.zeros_like(active)), *departed, strict=True))
    return left, gone


def _is_within(active: UnitCounts, begin: UnitCounts) -> Flags:
    """Whether each force is what hits may leave of a first one: a ship does not count as damaged and as whole."""
    within = np.zeros(len(active), bool)
    for first in begin[::-1]:
        if not within.all():
            within |= (active <= first).all(axis=1)
    return within


def _is_first_lost(segments: Sequence[Segment], pair: tuple[int, int], begin: UnitCounts) -> bool:
    """Whether no force of these has lost units of the second of two segments and still has some of the first."""
    first, then = pair
    return bool(((begin[:, first] == 0) | (begin[:, then] == segments[then].units)).all())


def _is_aimed_at(battle: AxisBattle, role: Role, unit: Unit) -> bool:
    """Whether guns or kamikaze attacks decide how many of a kind are lost before the first round."""
    by_guns = guns_choose(battle) and unit.kind == "air"
    return role == "attack" and (by_guns or unit.name in dict(battle.kamikaze))


class _Code:
    """Numbers for forces: one for each combination of counts of units in the fight and gone from it."""

    def __init__(self, segments: Sequence[Segment], leaving: Container[int]) -> None:
        sizes = [segment.units + 1 for segment in segments]
        sizes += [size if place in leaving else 1 for place, size in enumerate(sizes)]
        weights = [1]
        for size in sizes:
            weights.append(weights[-1] * size)
        if weights[-1] > MOST_CODES:
            raise TooLargeError("units", "there are too many ways to lose these units")
        self.active = np.array(weights[: len(segments)], np.int64)
        self.gone = np.array(weights[len(segments) : -1], np.int64)

    def of(self, active: UnitCounts, gone: UnitCounts) -> Nodes:
        """The number of each force."""
        return np.asarray(active @ self.active + gone @ self.gone)


def _possible_counts(segments: Sequence[Segment], alike: Sequence[tuple[int, int]]) -> UnitCounts:
    """The units in the fight of every force that a side can come to by its choices: [force, segment]."""
    counts: UnitCounts = np.zeros((1, len(segments)), np.int64)
    for place, segment in enumerate(segments):
        counts = np.repeat(counts, segment.units + 1, axis=0)
        counts[:, place] = np.arange(len(counts)) % (segment.units + 1)
        possible = np.ones(len(counts), bool)
        for spare, ship in _spares(segments):
            possible &= (counts[:, spare] <= counts[:, ship]) | (ship > place)
        for first, then in alike:
            possible &= (counts[:, first] == 0) | (counts[:, then] == segments[then].units) | (then > place)
        counts = counts[possible]
        if len(counts) > MOST_FORCES:
            raise TooLargeError("units", "there are too many ways to lose these units")
    return counts


def _spares(segments: Sequence[Segment]) -> list[tuple[int, int]]:
    """The segments of spare hits, each with the segment of its ships."""
    names = {segment.unit.name: place for place, segment in enumerate(segments) if not segment.spare}
    return [(place, names[segment.unit.name]) for place, segment in enumerate(segments) if segment.spare]


def _alike(segments: Sequence[Segment], role: Role, priced: bool) -> list[tuple[int, int]]:
    """Pairs of segments that differ in nothing but strength and worth, the first never better to keep than the second.

    Where the order of loss has the better one first, they stay apart, so that the order is one of the choices.
    """
    profiles = {
        place: _profile(segment.unit, role, segments)
        for place, segment in enumerate(segments)
        if segment.unit.hit_points(role) == 1
    }
    alike = [(first, then) for first, then in combinations(profiles, 2) if profiles[first] == profiles[then]]
    units = [segment.unit for segment in segments]
    return [(first, then) for first, then in alike if _is_no_better(units[first], units[then], role, priced)]


def _is_no_better(weaker: Unit, stronger: Unit, role: Role, priced: bool) -> bool:
    if role == "attack" and weaker.defence > stronger.defence:
        return False  # those who are left may have to defend in a later wave
    return weaker.strength(role) <= stronger.strength(role) and (weaker.cost <= stronger.cost or not priced)


def _profile(unit: Unit, role: Role, segments: Sequence[Segment]) -> Unit:
    """All of a unit that counts in a battle, but for its strength and its worth."""
    plain = unit.bare
    if role == "defence":
        return replace(unit.never_attacks, defence=0)
    supports = any(unit.name.removeprefix(AMPHIBIOUS) in segment.unit.by for segment in segments)
    if supports or unit.boost is not None:
        return plain
    return replace(plain, name="", attack=0, defence=unit.defence if unit.kind == "land" else 0)


def _depart(active: UnitCounts, places: Iterable[int], most: int) -> tuple[UnitCounts, UnitCounts]:
    """Return the units that remain, and those that leave, when so many of some segments leave forces at most.

    The others of these segments fight on, and may be lost.
    """
    here = sorted(places)
    some = active[active[:, here].any(axis=1)]
    gone = np.zeros_like(some)
    gone[:, here] = leaving_units(some[:, here], gone[:, here], most)
    parts = [(some - gone, gone)]
    for left in np.unique(gone[gone.sum(axis=1) == most], axis=0):
        rest = active[(active >= left).all(axis=1)] - left
        parts.append((rest, np.broadcast_to(left, rest.shape)))
    actives, goners = zip(*parts, strict=True)
    return np.concatenate(actives), np.concatenate(goners)


def _options(segments: Sequence[Segment], alike: Sequence[tuple[int, int]], active: UnitCounts, take: Take) -> Flags:
    """Whether a hit of a reach may take a unit of each segment: [force, segment]."""
    reached = REACHES[take.reach]
    legal = np.array([reached(segment.unit) for segment in segments], bool)
    possible = np.asarray((active > 0) & legal)
    for spare, ship in _spares(segments):
        possible[:, ship] &= active[:, ship] > active[:, spare]
    for first, then in alike:
        possible[:, then] &= active[:, first] == 0
    last = np.array([segment.unit.defenceless for segment in segments], bool)
    others = np.asarray(possible[:, ~last].any(axis=1))
    possible[:, last] &= ~others[:, None]
    return possible


def _rank_options(segments: Sequence[Segment], possible: Flags) -> Nodes:
    """The segments that a hit may take, the best liked first: that of the order of loss, then the cheapest.

    Those that it may not take come last, and places that no force needs are left out.
    """
    costs = np.array([0.0 if segment.spare else segment.unit.cost for segment in segments])
    costs = np.where(possible, costs, np.inf)
    some = np.flatnonzero(possible.any(axis=1))
    costs[some, np.argmax(possible[some], axis=1)] = -np.inf
    width = max(int(possible.sum(axis=1).max()), 1)
    return np.argsort(costs, axis=1, kind="stable")[:, :width]
