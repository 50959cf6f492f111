"""The moves instead of a round where casualties are chosen: submerging, and stopping."""

from dataclasses import dataclass

import numpy as np

from solver.axis.casualties.tables import SAME, Grid
from solver.axis.kernel.forces import Flags, Nodes

Cells = tuple[slice, slice]


@dataclass(frozen=True, eq=False)
class CasualtyMoves:
    """The moves in each cell, and the worth of the battle where it ends. Grids are [column, row].

    Attributes:
        ends: The worth of the battle if it ends in a cell.
        fights: Whether there is a round.
        stops: Whether the attacker may stop; None if they go on to the end.
        stays: The force that fights on when each of the attacker's forces stops; itself if nobody does: [row].
        dives: Whether the attacker's and whether the defender's submarines may submerge; None if none ever do.
        dived: The node of each force after its submarines have submerged, the attacker's and the defender's.
        leaves: Whether the defender leaves after a round, if attackers fight on; None if that never happens.
        left: The node of each of the defender's forces after it has left: [column].
        free: Whether the attacker and whether the defender chooses; otherwise their submarines submerge if they may.
    """

    ends: Grid
    fights: Flags
    stops: Flags | None
    stays: Nodes
    dives: tuple[Flags, Flags] | None
    dived: tuple[Nodes, Nodes]
    leaves: Flags | None
    left: Nodes
    free: tuple[bool, bool]

    def best(self, worth: Grid, here: Cells, round_worth: Grid) -> tuple[Grid, Flags]:
        """Return the worth of some cells at the beginning of a round: the attacker moves first, then the defender.

        And whether the attacker's and whether the defender's submarines submerge: [side, column, row].

        Args:
            worth: The worth of all weaker cells.
            here: The columns and rows of the cells.
            round_worth: The worth of a round there.
        """
        columns, rows = here
        best = np.where(self.fights[here], round_worth, self.ends[here])
        if self.leaves is not None:
            best = np.where(self.leaves[here], self.ends[self.left[columns], rows], best)
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
