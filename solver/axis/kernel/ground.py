"""The cells of an Axis & Allies battle as kernels see them, and the course of a round in each of them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from solver.axis.kernel.forces import Nodes
from solver.axis.kernel.volley import FirePair
from solver.axis.meter import Meter
from solver.chain import Cell, Grid, Mask

Choice = Callable[[Nodes, Nodes, Grid], Grid]
"""The attacker's choice: from the rows and columns of cells and the worth of going on there, returns the worth with the
choice. Rows and columns together have the shape of the cells."""


class Meeting(NamedTuple):
    """The course of a round where forces of two kinds meet.

    Attributes:
        strike: The surprise strike that begins the round; None if nobody strikes first.
        layer: The layer of a cell after the strike; 0 without a strike.
        salvos: For each layer the fire of all units that have not fired yet.
        quiet: If nobody fires: the node that each force of the attacker's and of the defender's becomes; None for a
            side that stays the same.
    """

    strike: FirePair | None
    layer: int
    salvos: tuple[FirePair | None, ...]
    quiet: tuple[Nodes | None, Nodes | None] | None = None


@dataclass(frozen=True)
class Ground:
    """The cells of a battle, in the order in which a kernel takes them.

    Rows stand in the order of rank, then kind. No loss leads to a kind with a lower number.

    Attributes:
        sizes: The number of rows and of columns.
        rank: The rank of each row.
        row_kind: The kind of each row.
        column_kind: The kind of each column.
        meeting: Returns what happens where a kind of rows and a kind of columns meet.
        layers: The number of layers of a grid.
        fights: Whether there is a next round: [row, column].
        moves_to: The row that fights on if a row retreats, itself if that is the end; None if nobody stays behind.
        meter: Counts the work.
    """

    sizes: Cell
    rank: Nodes
    row_kind: Nodes
    column_kind: Nodes
    meeting: Callable[[int, int], Meeting]
    layers: int
    fights: Mask
    moves_to: Nodes | None = None
    meter: Meter = field(default_factory=Meter)
