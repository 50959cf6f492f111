"""What may be done instead of a round where casualties are chosen: submarines submerge, and the attacker stops."""

from dataclasses import dataclass

import numpy as np

from solver.axis.kernel.forces import Flags, Nodes
from solver.casualties.tables import Grid

Cells = tuple[slice, slice]
SAME = 1e-12
"""Choices whose worth differs by no more are equally good."""


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

    def best(self, worth: Grid, here: Cells, round_worth: Grid) -> Grid:
        """Return the worth of some cells at the beginning of a round: the attacker moves first, then the defender.

        Args:
            worth: The worth of all weaker cells.
            here: The columns and rows of the cells.
            round_worth: What a round is worth there.
        """
        columns, rows = here
        found = np.where(self.fights[here], round_worth, self.ends[here])
        if self.stops is not None:
            stopped = self._worth_of_stopping(worth, here)
            found = np.where(self.stops[here], np.maximum(found, stopped), found)
        if self.dives:
            under = worth[self.dived[1][columns], rows]
            found = np.where(self.dives[1][here], np.minimum(found, under) if self.free[1] else under, found)
            under = worth[columns, self.dived[0][rows]]
            found = np.where(self.dives[0][here], np.maximum(found, under) if self.free[0] else under, found)
        return found

    def _worth_of_stopping(self, worth: Grid, here: Cells) -> Grid:
        columns, rows = here
        stays = self.stays[rows]
        all_leave = stays == np.arange(rows.start, rows.stop)
        return np.where(all_leave, self.ends[here], worth[columns, stays])

    def choose(self, worth: Grid, here: Cells) -> tuple[Flags, Flags, Flags]:
        """Return what is done in some cells instead of a round, where it is no worse.

        Args:
            worth: The worth of all cells at the beginning of a round.
            here: The columns and rows of the cells.

        Returns:
            Whether the attacker's submarines submerge, whether the defender's do, and whether the attacker stops: each
            [column, row].
        """
        columns, rows = here
        ours = theirs = stops = np.zeros(worth[here].shape, bool)
        if self.dives:
            under = worth[columns, self.dived[0][rows]]
            ours = self.dives[0][here] & ((under >= worth[here] - SAME) | (not self.free[0]))
            under = worth[self.dived[1][columns], rows]
            theirs = ~ours & self.dives[1][here] & ((under <= worth[here] + SAME) | (not self.free[1]))
        if self.stops is not None:
            stops = self.stops[here] & (self._worth_of_stopping(worth, here) >= worth[here] - SAME) & ~ours & ~theirs
        return ours, theirs, stops
