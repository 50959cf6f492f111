"""The meetings of two kinds of forces in an Axis & Allies battle: their fire at each other, and their submerging.

The order of hits at sea follows the rulebooks: hits of submarines may take no planes, those of planes without a
destroyer no submarines, and hits that may take fewer units are allotted first.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from solver.axis.course import ROUND, KindFlags, fire_of, strikes_at
from solver.axis.kernel.fire import Fire
from solver.axis.kernel.forces import Nodes, Take, is_sub, withdraw
from solver.axis.kernel.ground import Meeting
from solver.axis.kernel.kinds import HadSubs, Kinds
from solver.axis.kernel.lattice import Lattice
from solver.axis.kernel.volley import FirePair
from solver.axis.kernel.ways import FireStage, Troop
from solver.axis.loss_order import Segment
from solver.progress import Meter


class Meetings:
    """Makes the meeting of each pair of kinds, and each fire only once.

    Args:
        kinds: The kinds of all forces.
        attack: The attacker's forces, with ships that bombard beside them if it is the first round.
        defence: The defender's forces.
        trim: Whether numbers of hits with next to no chance are left out.
        meter: Counts the work.
    """

    def __init__(self, kinds: Kinds, attack: Lattice, defence: Lattice, trim: bool, meter: Meter) -> None:
        self.kinds, self.attack, self.defence, self.trim, self.meter = kinds, attack, defence, trim, meter
        self._fires: dict[tuple[int, tuple[FireStage, ...], tuple[int, int]], Fire] = {}

    def meeting(self, row_kind: int, column_kind: int) -> Meeting:
        """Return the course of a round where forces of two kinds meet.

        Args:
            row_kind: The kind of the attacker's forces.
            column_kind: The kind of the defender's forces.
        """
        kinds = row_kind, column_kind
        if any(self.kinds.battle.submerge) and any(dives[kinds] for dives in self.kinds.dives):
            sides = zip((self.attack, self.defence), self.kinds.dives, strict=True)
            most = self.kinds.battle.submerge
            attack, defence = (
                _nodes_after_submerging(side, limit) if dives[kinds] else None
                for (side, dives), limit in zip(sides, most, strict=True)
            )
            return Meeting(None, 0, (), (attack, defence))
        phases = find_phases(self.kinds, *kinds)
        first, *later = (self._fires_of(phase, kinds) for phase in phases)
        layer = phases[0].leads_to
        return Meeting(first, layer, (None, *later)) if layer else Meeting(None, 0, (first, *later))

    def _fires_of(self, phase: "Phase", kinds: tuple[int, int]) -> FirePair:
        """The fire of both sides in a phase; None for a side that does not fire."""
        return self._fire(0, phase.attack, kinds), self._fire(1, phase.defence, kinds)

    def _fire(self, side: int, stages: tuple[FireStage, ...], kinds: tuple[int, int]) -> Fire | None:
        """The fire of a side, 0 for the attacker's, where forces of two kinds meet."""
        key = side, stages, kinds
        if stages and key not in self._fires:
            troops = (
                Troop(self.attack, np.flatnonzero(self.kinds.rows == kinds[0])),
                Troop(self.defence, np.flatnonzero(self.kinds.columns == kinds[1])),
            )
            self._fires[key] = Fire(troops[1 - side], troops[side], stages, self.trim, self.meter)
        return self._fires.get(key)


class Phase(NamedTuple):
    """Fire of both sides at the same time. The hits of a side are allotted in the order of its stages.

    Attributes:
        attack: The attacker's fire.
        defence: The defender's fire.
        leads_to: 0 if the round is over afterwards, else the phase that follows.
    """

    attack: tuple[FireStage, ...]
    defence: tuple[FireStage, ...]
    leads_to: int


def find_phases(kinds: Kinds, row_kind: int, column_kind: int) -> list[Phase]:
    """Return the first phase of a round of two kinds of forces, then the second phase after each of `Kinds.beginnings`.

    Args:
        kinds: The kinds of all forces.
        row_kind: The kind of the attacker's force.
        column_kind: The kind of the defender's force.
    """
    if not kinds.subs_about:
        everybody = (FireStage(Take("any"), "all"),)
        return [Phase(everybody, everybody, 0)]
    ours, theirs = kinds.flags(row_kind, column_kind)
    strikes = strikes_at(ours, theirs), strikes_at(theirs, ours)
    had = ours.subs, theirs.subs
    if any(strikes):
        strike = (FireStage(Take(ROUND["strike"].reach), "subs"),)
        place = kinds.beginnings.index(had) if had in kinds.beginnings else 0
        first = Phase(strike if strikes[0] else (), strike if strikes[1] else (), place + 1)
    else:
        first = _salvo(kinds, ours, theirs, had)
    return [first, *(_salvo(kinds, ours, theirs, begun) for begun in kinds.beginnings)]


def _salvo(kinds: Kinds, ours: KindFlags, theirs: KindFlags, had: HadSubs) -> Phase:
    """The fire of all that have not fired yet, in a round that began with such submarines."""
    keeps = [kinds.keeps_destroyer(side) and had[1 - side] for side in (0, 1)]
    attack = _fire_stages(ours, theirs, kinds.hunted, any(had), keeps[1])
    return Phase(attack, _fire_stages(theirs, ours, kinds.hunted, any(had), keeps[0]), 0)


@lru_cache(1_000)
def _fire_stages(
    shooter: KindFlags, target: KindFlags, hunted: bool, had_subs: bool, keep: bool
) -> tuple[FireStage, ...]:
    """The stages of a side's fire, beginning with the reach of the fewest units. Hits that reach any unit are joined.

    Args:
        shooter, target, hunted, had_subs: See `fire_of`.
        keep: Whether the target keeps its last destroyer.
    """
    subs, planes = fire_of(shooter, target, hunted, had_subs)
    barred = subs.apart and subs.barred, planes.apart and planes.barred and shooter.flies
    stages = [
        FireStage(Take(by.reach, keep), by.group) for by, bars in zip((subs, planes), barred, strict=True) if bars
    ]
    joined = "others"
    if not barred[1]:
        # With low luck planes roll by themselves even if they may take any unit.
        joined = "planes&others" if planes.apart else "planes+others"
    if subs.apart and not barred[0]:
        joined += "&subs"
    return (*stages, FireStage(Take(ROUND["fire"].reach, keep), joined))


def _nodes_after_submerging(lattice: Lattice, most: int) -> Nodes:
    """The node of each force once its submarines have submerged, so many at most."""
    subs = sub_places(lattice.segments)
    after = (withdraw(force, subs, most) for force in lattice.nodes)
    return np.array([lattice.place.get(force, 0) for force in after], np.int64)


def sub_places(segments: tuple[Segment, ...]) -> set[int]:
    """Return the places of the submarines among segments.

    Args:
        segments: The order of loss of a side.
    """
    return {place for place, segment in enumerate(segments) if is_sub(segment.unit)}
