"""The meetings of two kinds of forces in an Axis & Allies battle: their fire at each other, and their submerging.

The order of hits at sea follows the rulebooks: hits of submarines may take no planes, those of planes without a
destroyer no submarines, and hits that may take fewer units are allotted first.
"""

import numpy as np

from solver.axis.kernel.fire import Fire
from solver.axis.kernel.forces import Nodes, Segment, Take, is_sub, withdraw
from solver.axis.kernel.ground import Meeting
from solver.axis.kernel.kinds import HadSubs, KindFlags, Kinds
from solver.axis.kernel.lattice import Lattice
from solver.axis.kernel.volley import FirePair
from solver.axis.kernel.ways import FireStage, Troop
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
        self._fires: dict[tuple[int, tuple[str, ...], tuple[int, int], bool], Fire] = {}

    def meeting(self, row_kind: int, column_kind: int) -> Meeting:
        """Return the course of a round where forces of two kinds meet.

        Args:
            row_kind: The kind of the attacker's forces.
            column_kind: The kind of the defender's forces.
        """
        kinds, beginnings = (row_kind, column_kind), self.kinds.beginnings
        if not self.kinds.subs_about:
            return Meeting(None, 0, ((self._fire(0, ("any:all",), kinds), self._fire(1, ("any:all",), kinds)),))
        ours, theirs = self.kinds.flags(*kinds)
        quiet = self._submerge_moves(ours, theirs)
        if quiet:
            return Meeting(None, 0, (), quiet)
        strikes = ours.strikes_at(theirs), theirs.strikes_at(ours)
        strike: FirePair | None = None
        if any(strikes):
            first, second = (self._fire(side, ("ships:subs",), kinds) if strikes[side] else None for side in (0, 1))
            strike = first, second
        had = ours.subs, theirs.subs
        layer = (beginnings.index(had) + 1 if had in beginnings else 1) if strike else 0
        salvos = [None if strike else self._salvo(ours, theirs, had, kinds)]
        salvos += [self._salvo(ours, theirs, begun, kinds) for begun in beginnings]
        return Meeting(strike, layer, tuple(salvos))

    def _submerge_moves(self, ours: KindFlags, theirs: KindFlags) -> tuple[Nodes | None, Nodes | None] | None:
        """The moves of submarines that leave the fight because no enemy destroyer is there."""
        flags = self.kinds.battle.submerge
        submerge = flags[0] and ours.submerge_from(theirs), flags[1] and theirs.submerge_from(ours)
        if not any(submerge):
            return None
        attack = _nodes_after_submerging(self.attack) if submerge[0] else None
        return attack, _nodes_after_submerging(self.defence) if submerge[1] else None

    def _salvo(self, ours: KindFlags, theirs: KindFlags, had: HadSubs, kinds: tuple[int, int]) -> FirePair:
        """The fire of all units that have not fired yet, in a round that began with such submarines."""
        attack = fire_stages(ours, theirs, any(had))
        defence = fire_stages(theirs, ours, any(had))
        at_defence = self._fire(0, attack, kinds, self.kinds.keeps_destroyer(1) and had[0])
        return at_defence, self._fire(1, defence, kinds, self.kinds.keeps_destroyer(0) and had[1])

    def _fire(self, side: int, stages: tuple[str, ...], kinds: tuple[int, int], keep: bool = False) -> Fire:
        """The fire of a side, 0 for the attacker's, where forces of two kinds meet."""
        key = side, stages, kinds, keep
        if key not in self._fires:
            troops = (
                Troop(self.attack, np.flatnonzero(self.kinds.rows == kinds[0])),
                Troop(self.defence, np.flatnonzero(self.kinds.columns == kinds[1])),
            )
            parts = (stage.partition(":") for stage in stages)
            fired = [FireStage(Take(reach, keep), group) for reach, _, group in parts]
            self._fires[key] = Fire(troops[1 - side], troops[side], fired, self.trim, self.meter)
        return self._fires[key]


def fire_stages(shooter: KindFlags, target: KindFlags, had_subs: bool) -> tuple[str, ...]:
    """Return the stages of a side's fire as "reach:dice", beginning with the reach of the fewest units.

    Args:
        shooter: The forces that fire.
        target: The forces at which they fire.
        had_subs: Whether any side had submarines when the round began.
    """
    together = shooter.hunts or not had_subs
    subs = shooter.subs and not shooter.strikes_at(target)
    stages = ["any:planes+others"]
    if not together:
        # With low luck planes roll by themselves even if they may take any unit.
        apart = shooter.flies and target.subs
        stages = ["surface:planes", "any:others"] if apart else ["any:planes&others"]
    if subs and target.planes:
        stages.insert(0, "ships:subs")
    elif subs:
        stages[-1] += "&subs"
    return tuple(stages)


def _nodes_after_submerging(lattice: Lattice) -> Nodes:
    """The node of each force once its submarines have submerged."""
    subs = sub_places(lattice.segments)
    after = (withdraw(force, subs) for force in lattice.nodes)
    return np.array([lattice.place.get(force, 0) for force in after], np.int64)


def sub_places(segments: tuple[Segment, ...]) -> set[int]:
    """Return the places of the submarines among segments.

    Args:
        segments: The order of loss of a side.
    """
    return {place for place, segment in enumerate(segments) if is_sub(segment.unit)}
