"""The cells of an Axis & Allies battle as kernels see them, and the course of a round in each of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from solver.axis.kernel.forces import Nodes
from solver.axis.kernel.volley import FirePair
from solver.chain import Cell, Grid, Mask
from solver.progress import Meter


class Limit(NamedTuple):
    """The attacker goes on only while a payoff is not below a limit.

    Attributes:
        payoff: The place of the payoff.
        minimum: The limit.
        gained: Whether it is about what going on gains over stopping, not about going on alone.
    """

    payoff: int
    minimum: float
    gained: bool


@dataclass(frozen=True)
class Choice:
    """The attacker's choice in every cell between going on and stopping.

    Attributes:
        worth: The worth of every cell, being computed: [payoff, row, column].
        pays: The worth of stopping where nobody stays behind: [payoff, row, column].
        rules: Whether they stop whatever going on is worth: [row, column].
        allowed: Whether they may stop: [row, column].
        stops: Whether they stop, noted here: [row, column].
        limits: At most two limits; below any of them they stop.
        stays: The row that fights on if each row stops, itself if that is the end; None if nobody stays behind.
    """

    worth: Grid
    pays: Grid
    rules: Mask
    allowed: Mask
    stops: Mask
    limits: Sequence[Limit] = ()
    stays: Nodes | None = None

    def choose(self, rows: Nodes, columns: Nodes, going: Grid) -> Grid:
        """Return the worth of some cells with the choice.

        Args:
            rows: The rows of the cells.
            columns: Their columns; together with the rows they have the shape of the cells.
            going: The worth of going on: [payoff, *cells].
        """
        paid = self.pays[:, rows, columns]
        if self.stays is not None:
            stays = self.stays[rows]
            paid = np.where(stays == rows, paid, self.worth[:, stays, columns])
        stops = self.rules[rows, columns]
        for payoff, minimum, gained in self.limits:
            stops |= going[payoff] - (paid[payoff] if gained else 0.0) < minimum
        stops &= self.allowed[rows, columns]
        self.stops[rows, columns] = stops
        return np.where(stops, paid, going)


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

    No loss leads to a row with a higher number, or to a kind with a lower one.

    Attributes:
        sizes: The number of rows and of columns.
        row_kind: The kind of each row.
        column_kind: The kind of each column.
        meeting: Returns what happens where a kind of rows and a kind of columns meet.
        layers: The number of layers of a grid.
        fights: Whether there is a next round: [row, column].
        moves_to: The row that fights on if a row retreats, itself if that is the end; None if nobody stays behind.
        meter: Counts the work.
    """

    sizes: Cell
    row_kind: Nodes
    column_kind: Nodes
    meeting: Callable[[int, int], Meeting]
    layers: int
    fights: Mask
    moves_to: Nodes | None = None
    meter: Meter = field(default_factory=Meter)
