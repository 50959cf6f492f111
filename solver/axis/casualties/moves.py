"""The phases of a round where casualties are chosen, and what may be done instead: submerging, and stopping.

A phase says who fires, and which units the hits may take.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from solver.axis.casualties.tables import SAME, Grid
from solver.axis.kernel.forces import Flags, Nodes, Take
from solver.axis.kernel.kinds import HadSubs, KindFlags, Kinds
from solver.axis.kernel.meetings import fire_stages
from solver.axis.kernel.ways import FireStage

Cells = tuple[slice, slice]


@dataclass(frozen=True, eq=False)
class CasualtyMoves:
    """What may be done in each cell, and what the battle is worth where it ends. Grids are [column, row].

    Attributes:
        ends: The worth of the battle if it ends in a cell.
        fights: Whether there is a round.
        stops: Whether the attacker may stop; None if they go on to the end.
        stays: The force that fights on when each of the attacker's forces stops; itself if nobody does: [row].
        dives: Whether the attacker's and whether the defender's submarines may submerge; None if none ever do.
        dived: The node of each force after its submarines have submerged, the attacker's and the defender's.
        free: Whether the attacker and whether the defender chooses; otherwise their submarines submerge if they may.
    """

    ends: Grid
    fights: Flags
    stops: Flags | None
    stays: Nodes
    dives: tuple[Flags, Flags] | None
    dived: tuple[Nodes, Nodes]
    free: tuple[bool, bool]

    def best(self, worth: Grid, here: Cells, round_worth: Grid) -> tuple[Grid, Flags]:
        """Return the worth of some cells at the beginning of a round: the attacker moves first, then the defender.

        And whether the attacker's and whether the defender's submarines submerge: [side, column, row].

        Args:
            worth: The worth of all weaker cells.
            here: The columns and rows of the cells.
            round_worth: What a round is worth there.
        """
        columns, rows = here
        best = np.where(self.fights[here], round_worth, self.ends[here])
        if self.stops is not None:
            stopped = self._worth_of_stopping(worth, here)
            best = np.where(self.stops[here], np.maximum(best, stopped), best)
        submerge = np.zeros((2, *best.shape), bool)
        if self.dives:
            under = worth[self.dived[1][columns], rows]
            submerge[1] = self.submerge(1, self.dives[1][here], best, under)
            best = np.where(submerge[1], under, best)
            under = worth[columns, self.dived[0][rows]]
            submerge[0] = self.submerge(0, self.dives[0][here], best, under)
            best = np.where(submerge[0], under, best)
        return best, submerge

    def submerge(self, side: int, may: Flags, worth: Grid, under: Grid) -> Flags:
        """Return where the submarines of a side submerge: if it chooses, only where that is better.

        Args:
            side: 0 for the attacker, 1 for the defender.
            may: Where they may.
            worth: The worth if they stay.
            under: The worth if they submerge.
        """
        better = under < worth - SAME if side else under > worth + SAME
        return may & (better | (not self.free[side]))

    def _worth_of_stopping(self, worth: Grid, here: Cells) -> Grid:
        columns, rows = here
        stays = self.stays[rows]
        all_leave = stays == np.arange(rows.start, rows.stop)
        return np.where(all_leave, self.ends[here], worth[columns, stays])

    def stop(self, worth: Grid, here: Cells) -> Flags:
        """Return where the attacker stops in some cells, because that is no worse than to go on: [column, row].

        Args:
            worth: The worth of all cells at the beginning of a round.
            here: The columns and rows of the cells.
        """
        if self.stops is None:
            return np.zeros(worth[here].shape, bool)
        return np.asarray(self.stops[here] & (self._worth_of_stopping(worth, here) >= worth[here] - SAME))


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
    strikes = ours.strikes_at(theirs), theirs.strikes_at(ours)
    had = ours.subs, theirs.subs
    if any(strikes):
        strike = (FireStage(Take("ships"), "subs"),)
        place = kinds.beginnings.index(had) if had in kinds.beginnings else 0
        first = Phase(strike if strikes[0] else (), strike if strikes[1] else (), place + 1)
    else:
        first = _salvo(kinds, ours, theirs, had)
    return [first, *(_salvo(kinds, ours, theirs, begun) for begun in kinds.beginnings)]


def _salvo(kinds: Kinds, ours: KindFlags, theirs: KindFlags, had: HadSubs) -> Phase:
    """The fire of all that have not fired yet, in a round that began with such submarines."""
    keeps = [kinds.keeps_destroyer(side) and had[1 - side] for side in (0, 1)]
    attack = _stages(fire_stages(ours, theirs, any(had)), keeps[1])
    return Phase(attack, _stages(fire_stages(theirs, ours, any(had)), keeps[0]), 0)


def _stages(texts: tuple[str, ...], keep: bool) -> tuple[FireStage, ...]:
    parts = (text.split(":") for text in texts)
    return tuple(FireStage(Take(reach, keep), group) for reach, group in parts)
