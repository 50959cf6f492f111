"""The forces of a side of an Axis & Allies battle: how many of its units are left, and what these do in a round.

An *order of loss* is a row of *segments*, first lost first. A segment holds some units of one kind, or the spare hits
of units that take two. A *force* says how many of each segment are left in the fight, and how many are gone from it
alive.
"""

from collections.abc import Callable, Collection, Sequence
from copy import copy
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from solver.axis.kernel.hits import Laws, UnitCounts, add_hits, hit_laws
from solver.axis.loss_order import Force, Segment
from solver.axis.sides import EVERYBODY, FACES, Dice
from solver.axis.units import Role, Unit

Nodes = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Selection = slice | Nodes
"""Some forces: a range, or a list of nodes in ascending order."""
Amounts = npt.NDArray[np.float64]
"""A number for each force."""


class Take(NamedTuple):
    """Which units hits may take.

    Attributes:
        reach: A name in `REACHES`.
        keep: Whether the last destroyer is kept as long as another unit can be lost.
    """

    reach: str
    keep: bool = False


REACHES: dict[str, Callable[[Unit], bool]] = {
    "any": lambda _: True,
    "ships": lambda unit: unit.kind != "air",
    "surface": lambda unit: not unit.surprise,
    "planes": lambda unit: unit.kind == "air",
}
"""Which units hits of each reach may take. Hits of submarines reach "ships", hits of planes without a destroyer
"surface", hits of anti-aircraft guns "planes"."""
ONLY = "only "
"""Before the name of a kind, the reach of hits that may take this kind alone."""


class Forces:
    """Many forces of one side, a row for each.

    Attributes:
        segments: The order of loss of the side, first lost first.
        role: The role of the side.
        dice: The kind of dice that it rolls.
        active: How many units of each segment are left in the fight: [force, segment].
        gone: How many have left it alive: [force, segment].
        whole: The force against which losses are counted, by default all units of the segments.
        ships: The ships that fire beside each force.
        fates: The fates of these forces as fates.py finds them, by whether damage stays.
    """

    def __init__(
        self,
        segments: Sequence[Segment],
        role: Role,
        dice: Dice,
        active: UnitCounts,
        gone: UnitCounts,
        whole: "Force | None" = None,
    ) -> None:
        self.segments, self.role, self.dice = tuple(segments), role, dice
        self.active, self.gone = active, gone
        self.whole = whole or full_force(segments)
        self.ships: tuple[tuple[Unit, int], ...] = ()
        self.fates: dict[bool, dict[int, Any]] = {}
        self._known_laws: dict[str, Laws] = {}

    def __len__(self) -> int:
        """The number of forces."""
        return len(self.active)

    # Properties ------------------------------------------------------------------------------------------

    def count(self, which: Callable[[Unit], bool], gone: bool = False) -> UnitCounts:
        """Return how many units of some kinds each force has: [force]. Spare hits do not count.

        Args:
            which: Whether a kind counts.
            gone: Whether to count units that have left the fight instead of those in it.
        """
        chosen = np.array([not segment.spare and which(segment.unit) for segment in self.segments], np.int64)
        counts: UnitCounts = (self.gone if gone else self.active) @ chosen
        return counts

    @cached_property
    def rank(self) -> UnitCounts:
        """The number of hits that destroy each force: [force]."""
        ranks: UnitCounts = self.active.sum(axis=1)
        return ranks

    @cached_property
    def units(self) -> UnitCounts:
        """The number of units of each force: [force]. Spare hits do not count."""
        return self.count(lambda _: True)

    @cached_property
    def screens(self) -> Flags:
        """Whether each force has a destroyer: [force]."""
        return self.count(lambda unit: unit.screens) > 0

    @cached_property
    def subs(self) -> Flags:
        """Whether each force has a submarine: [force]."""
        return self.count(is_sub) > 0

    @cached_property
    def planes(self) -> Flags:
        """Whether each force has planes: [force]."""
        return self.count(is_plane) > 0

    @cached_property
    def strikes(self) -> bool:
        """Whether submarines of the side strike first where no enemy destroyer is."""
        return any(segment.unit.strikes(self.role) for segment in self.segments)

    @cached_property
    def most_dice(self) -> int:
        """The most dice that a force rolls, without ships beside it."""
        return int(self.powers(lambda _: True)[:, 1:].sum(axis=1).max(initial=0))

    @cached_property
    def alive(self) -> Flags:
        """Whether each force has anybody left in the fight: [force]."""
        return self.rank > 0

    @cached_property
    def hitting(self) -> dict[str, Flags]:
        """Whether each force has submarines, planes and others with a strength above 0: by group, [force]."""
        groups = {"subs": is_sub, "planes": is_plane, "others": is_other}
        return {name: self.powers(which)[:, 1:].sum(axis=1) > 0 for name, which in groups.items()}

    @property
    def harmless(self) -> Flags:
        """Which forces can hit nobody: [force]."""
        return np.asarray(self.powers(lambda _: True)[:, 1:].sum(axis=1) == 0)

    @cached_property
    def hittable(self) -> dict[str, Flags]:
        """Whether each force has a unit that a group of the other side can hit: by group, [force].

        Submarines ("subs") cannot hit planes, planes without a destroyer ("planes") cannot hit submarines that are not
        hunted, and "others" can hit every unit.
        """
        return {
            "subs": self.count(lambda unit: not is_plane(unit)) > 0,
            "planes": self.count(lambda unit: unit.hunted or not is_sub(unit)) > 0,
        }

    @cached_property
    def helpless(self) -> Flags:
        """Which forces any attacker destroys without a roll: those of transports alone, or of guns alone. [force]."""
        guns = (self.units > 0) & (self.count(lambda unit: unit.idle) == self.units)
        return np.asarray(guns | self.defenceless)

    @cached_property
    def defenceless(self) -> Flags:
        """Which forces are transports alone: [force]."""
        return np.asarray((self.units > 0) & (self.count(lambda unit: unit.defenceless) == self.units))

    @cached_property
    def land_units(self) -> UnitCounts:
        """The number of land units of each force: [force]."""
        return self.count(is_land)

    @cached_property
    def whole_cost(self) -> float:
        """The worth in money of all units of the side before the first loss."""
        pairs = zip(self.segments, self.whole.active, strict=True)
        return sum(segment.unit.cost * count for segment, count in pairs if not segment.spare)

    @cached_property
    def cost_left(self) -> Amounts:
        """The worth in money of the units of each force that are left in the fight: [force]."""
        return np.asarray(self.active @ self._prices)

    @cached_property
    def cost_gone(self) -> Amounts:
        """The worth in money of the units of each force that have left it alive: [force]."""
        return np.asarray(self.gone @ self._prices)

    @cached_property
    def _prices(self) -> Amounts:
        """The worth of a unit of each segment."""
        return np.array([0 if segment.spare else segment.unit.cost for segment in self.segments], float)

    # Fire ------------------------------------------------------------------------------------------------

    def powers(self, which: Callable[[Unit], bool]) -> UnitCounts:
        """Return how many dice of each strength are rolled: [force, strength 0 to 6].

        Where the better of two dice may count, the columns are all those of `CHANCES`.

        Args:
            which: Whether a kind fires.
        """
        pairs = self.role == "attack" and any(segment.unit.better_of_two for segment in self.segments)
        faces = FACES[self.dice]
        powers = np.zeros((len(self.active), 1 + faces + pairs * faces), np.int64, order="F")
        for place, segment in enumerate(self.segments):
            if not segment.spare and which(segment.unit):
                unit, rolled = segment.unit, self.active[:, place]
                more = unit.rolls_more(self.role)
                column = unit.strength(self.role) + (more and unit.better_of_two) * faces
                powers[:, column] += rolled * unit.attack_dice if more else rolled
                if unit.supremacy:  # After the opening only one side has planes.
                    raised = self.active[:, place] * self.planes
                    powers[:, unit.strength(self.role)] -= raised
                    powers[:, unit.supremacy[self.role == "defence"]] += raised
        if self.role == "attack":
            self._support(powers, which)
        for unit, count in self.ships:
            powers[:, unit.strength(self.role)] += count * which(unit)
        return powers

    def with_ships(self, ships: tuple[tuple[Unit, int], ...]) -> Self:
        """Return these forces while some ships fire beside each of them.

        Args:
            ships: The kinds of ships, and how many of each.
        """
        forces = copy(self)
        forces.ships, forces._known_laws = ships, {}
        forces.__dict__.pop("hitting", None)
        return forces

    def _support(self, powers: UnitCounts, which: Callable[[Unit], bool]) -> None:
        """Raise the strength of supported units, one for each supporter that is left in this round."""
        left: dict[tuple[str, ...], UnitCounts] = {}
        supported = [segment.unit for segment in self.segments if segment.unit.boost is not None and not segment.spare]
        for unit in sorted(dict.fromkeys(supported), key=support_rank):
            if not which(unit):
                continue
            free = left.setdefault(unit.by, self._count_of(unit.by))
            here = self.count(unit.__eq__)
            pairs = np.minimum(here, free)
            free -= pairs
            powers[:, unit.attack] -= pairs
            powers[:, unit.boost or 0] += pairs

    def _count_of(self, names: tuple[str, ...]) -> UnitCounts:
        """The number of units that those with these names in each force can raise, landed or not."""
        raised = np.zeros(len(self.active), np.int64)
        for place, segment in enumerate(self.segments):
            if segment.unit.name.removeprefix("amphibious_") in names and not segment.spare:
                raised += segment.unit.supports * self.active[:, place]
        return raised

    def laws(self, group: str) -> Laws:
        """Return the laws of the hits of a group of dice: [force, hits].

        Args:
            group: "subs", "planes", "others" or "all". Groups joined by "+" roll as one, groups joined by "&" each by
                itself.
        """
        if group not in self._known_laws:
            if "&" in group:
                parts = [self.laws(part) for part in group.split("&")]
                law = parts[0]
                for part in parts[1:]:
                    law = add_hits(law, part, law.shape[1], capped=False)
            else:
                kinds = group.split("+")
                law = hit_laws(self.powers(lambda unit: group == "all" or _group_of(unit) in kinds), self.dice)
            self._known_laws[group] = law
        return self._known_laws[group]


def can_reach(reach: str, unit: Unit) -> bool:
    """Return whether hits may take a unit.

    Args:
        reach: A name in `REACHES`, or `ONLY` and a kind.
        unit: The kind of unit.
    """
    return unit.name == reach.removeprefix(ONLY) if reach.startswith(ONLY) else REACHES[reach](unit)


def is_sub(unit: Unit) -> bool:
    """Return whether a unit is a submarine: see `Unit.surprise`."""
    return unit.surprise


def support_rank(unit: Unit) -> tuple[int, int]:
    """Return when a unit is supported: those that gain most come first, then the weakest, in any order of loss.

    Args:
        unit: A unit that others support.
    """
    return unit.attack - (unit.boost or 0), unit.attack


def is_plane(unit: Unit) -> bool:
    """Return whether a unit is a plane: see `Unit.kind`."""
    return unit.kind == "air"


def is_land(unit: Unit) -> bool:
    """Return whether a unit is a land unit: see `Unit.kind`."""
    return unit.kind == "land"


def is_other(unit: Unit) -> bool:
    """Return whether a unit is neither a submarine nor a plane: see `Unit.kind`."""
    return not unit.surprise and unit.kind != "air"


def can_leave(unit: Unit) -> bool:
    """Return whether a unit can retreat: it was not landed from the sea, see `Unit.amphibious`."""
    return not unit.amphibious


def _group_of(unit: Unit) -> str:
    """The group in which a unit's die is rolled: "subs", "planes" or "others"."""
    return "subs" if is_sub(unit) else "planes" if is_plane(unit) else "others"


def full_force(segments: Sequence[Segment]) -> Force:
    """Return the force with all units of a side in the fight.

    Args:
        segments: The order of loss of the side.
    """
    return Force(tuple(segment.units for segment in segments), (0,) * len(segments))


def destroyed_force(force: Force) -> Force:
    """Return a force after the loss of every unit in the fight.

    Args:
        force: The force before.
    """
    return Force((0,) * len(force.active), force.gone)


def leaving_units(active: UnitCounts, gone: UnitCounts, most: int) -> UnitCounts:
    """Return how many units of each segment leave the fight alive, those that are lost last first: [.., segment].

    Args:
        active: The units of the segments that may leave.
        gone: The units that have left before.
        most: The most that may leave in all, these included.
    """
    free = np.maximum(most - gone.sum(axis=-1, keepdims=True), 0)
    later = active[..., ::-1].cumsum(axis=-1)[..., ::-1] - active
    leaving: UnitCounts = np.clip(free - later, 0, active)
    return leaving


def withdraw(force: Force, places: Collection[int], most: int = EVERYBODY) -> Force:
    """Return a force after the units of some segments have left the fight alive.

    Args:
        force: The force before.
        places: The places of the segments.
        most: See `leaving_units`.
    """
    free, leaving = most - sum(force.gone[place] for place in places), [0] * len(force.active)
    for place in sorted(places, reverse=True):
        leaving[place] = max(min(force.active[place], free), 0)
        free -= leaving[place]
    active = tuple(count - away for count, away in zip(force.active, leaving, strict=True))
    return Force(active, tuple(map(sum, zip(force.gone, leaving, strict=True))))
