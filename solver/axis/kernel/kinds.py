"""The kinds of forces in an Axis & Allies battle: forces of one kind fire in the same way at the same targets."""

from collections.abc import Iterable
from functools import cached_property

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.course import KindFlags, can_submerge, submerge_masks
from solver.axis.kernel.forces import Forces, Nodes
from solver.axis.loss_order import Segment
from solver.axis.sides import EVERYBODY, LOW_LUCK, Ruling
from solver.chain import Mask

MANY_CELLS = 30_000
"""In battles with more cells than this, forces without submarines are a kind of their own: their rounds are faster."""

DEFENCELESS = 16
"""The kind of transports alone, and of nobody; all others have lower numbers."""

HadSubs = tuple[bool, bool]
"""Whether the attacker and the defender had submarines when the round began."""


class Kinds:
    """The kinds of the forces of both sides. No loss leads to a kind with a lower number.

    Attributes:
        hunted: Whether planes can hit submarines without a destroyer.
    """

    def __init__(self, battle: AxisBattle, attack: Forces, defence: Forces) -> None:
        self.battle, self.attack, self.defence = battle, attack, defence
        self.segments = attack.segments, defence.segments
        self.subs_about = _has_subs((*attack.segments, *defence.segments))
        self.hunted = any(segment.unit.hunted for side in self.segments for segment in side)

    def keeps_destroyer(self, side: int) -> bool:
        """Return whether a side keeps its last destroyer.

        Args:
            side: 0 for the attacker, 1 for the defender.
        """
        return keeps_destroyer(self.battle, side, self.segments[1 - side])

    @property
    def layers(self) -> int:
        """The number of layers of a grid: one for the beginning of rounds, and one for each of `beginnings`."""
        return 1 + len(self.beginnings)

    @cached_property
    def beginnings(self) -> list[HadSubs]:
        """The beginnings of a round that a cell between its phases must tell apart; none without submarines."""
        if not self.subs_about:
            return []
        if any(self.keeps_destroyer(side) for side in (0, 1)) or self.battle.unit_dice in LOW_LUCK:
            return [(True, True), (True, False), (False, True)]
        return [(True, True)]

    @cached_property
    def separates_subs(self) -> bool:
        """Whether forces with submarines are of another kind than forces without.

        They are if submarines change more than the hits. They also are in large battles: there, forces without
        submarines are many, and their rounds are much less work.
        """
        large = len(self.attack) * len(self.defence) > MANY_CELLS
        return len(self.beginnings) > 1 or any(self.battle.submerge) or (large and bool(self.beginnings))

    @property
    def _apart(self) -> bool:
        """Whether transports alone, which nobody submerges from, are a kind of their own."""
        return any(self.battle.submerge) and self.battle.ruling >= Ruling.FLEETS_STAY

    @cached_property
    def rows(self) -> Nodes:
        """The kind of each of the attacker's forces."""
        return self._of(self.attack, 0)

    @cached_property
    def columns(self) -> Nodes:
        """The kind of each of the defender's forces."""
        return self._of(self.defence, 1)

    def _of(self, forces: Forces, side: int) -> Nodes:
        """The kinds of the forces of a side, 0 for the attacker."""
        if not self.subs_about:
            return np.zeros(len(forces), np.int64)
        kinds = np.where(forces.screens, np.where(forces.planes, 0, 1), 2)
        if self.defence.subs.any() and not self.defence.strikes:
            kinds = np.where(forces.screens | forces.planes, kinds, 3)
        if self.separates_subs:
            kinds = 2 * kinds + ~forces.subs
        if 0 < self.battle.submerge[side] < EVERYBODY:
            kinds = 2 * kinds + ~can_submerge(forces, self.battle.submerge[side])
        return np.where(forces.defenceless | ~forces.alive, DEFENCELESS, kinds) if self._apart else kinds

    @cached_property
    def dives(self) -> tuple[Mask, Mask]:
        """Whether submarines of the attacker and of the defender submerge where two kinds meet: [row, column]."""
        rows, columns = self._strongest
        return submerge_masks(self.battle, self.attack, self.defence, rows[:, None], columns)

    @cached_property
    def _strongest(self) -> Nodes:
        """The strongest force of each kind: [side, kind]."""
        nodes = np.zeros((2, DEFENCELESS + 1), np.int64)
        nodes[0, self.rows], nodes[1, self.columns] = np.arange(len(self.rows)), np.arange(len(self.columns))
        return nodes

    def flags(self, row_kind: int, column_kind: int) -> tuple[KindFlags, KindFlags]:
        """Return the properties of two kinds.

        Args:
            row_kind: A kind of the attacker's forces.
            column_kind: A kind of the defender's forces.
        """
        rows, columns = self._strongest
        return self._flags(self.attack, rows[row_kind]), self._flags(self.defence, columns[column_kind])

    def _flags(self, forces: Forces, some: int) -> KindFlags:
        """The properties of the kind of a force."""
        has_subs = bool(forces.subs[some]) if self.separates_subs else bool(forces.subs.any())
        # If all submarines strike first, it matters only beside a destroyer whether a force has planes.
        screens, planes, flies = bool(forces.screens[some]), bool(forces.planes[some]), bool(forces.planes.any())
        return KindFlags(screens, has_subs, planes, flies, forces.strikes)


def keeps_destroyer(battle: AxisBattle, side: int, shooters: Iterable[Segment]) -> bool:
    """Return whether a side keeps its last destroyer while the other has submarines.

    Args:
        battle: The battle.
        side: 0 for the attacker, 1 for the defender.
        shooters: The other side's units.
    """
    return battle.keep_last_destroyer[side] and _has_subs(shooters) and battle.theatre == "sea"


def _has_subs(segments: Iterable[Segment]) -> bool:
    """Whether there is a submarine among these units."""
    return any(segment.unit.surprise for segment in segments)
