"""The kernel of Axis & Allies: both sides fire at once, and the hits of one are independent of those of the other.

A cell is a pair of nodes of two lattices (solver/forces.py). A step is all forces of the attacker of one rank, that is
with as many hit points, and one kind. What a volley makes of a cell is the product of what the defender's fire makes of
its row and the attacker's fire of its column; for all columns of a row together that is a product of matrices. Within a
row mass also moves from column to column where the attacker loses nothing: that is followed until none is left.

A round has two phases where submarines may strike first: then the grid has a second layer of rows below (higher in
number), for cells between the strike and the fire of the others; more where that needs to know more about the round.

Cells in which less than `eps` arrives are not followed: it stays where it is, so what is left in cells that fight is
the error.
"""

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf
from typing import NamedTuple

import numpy as np

from solver.chain import Cell, Grid, Mask
from solver.errors import TooLargeError
from solver.forces import Nodes
from solver.volley import Salvo, Volley

MOST_AT_ONCE = 200_000
"""About how many numbers a block has that stays near the processor."""

FEW = 64
"""So many columns are worked on together whether anything has come to them or not."""
TURN = 0.2
"""About how much work a number of a volley is each time that mass moves within its rows, in the unit of `Meter`."""
TRIFLE = 1e-3
"""What part of what is dropped in a cell may be left out of what is sent to a row."""

Choice = Callable[[Nodes, Nodes, Grid], Grid]
"""Given the rows and columns of cells and what going on is worth there, what they are worth with the attacker's choice.

Rows and columns are an index of the cells, together of their shape.
"""


@dataclass
class Meter:
    """How much work was done for a battle, and the `most` that may be; more raises TooLargeError."""

    most: float = inf
    done: float = 0.0

    def add(self, work: float) -> None:
        """Count some work."""
        self.done += work
        if self.done > self.most:
            raise TooLargeError("units", "this battle takes more work than is allowed")


class Meeting(NamedTuple):
    """What happens where forces of two kinds meet.

    `strike` is the surprise strike, with which a round begins, None where there is none; then the cell is in the layer
    `layer`. `salvos[layer]` is the fire of everybody else. With `quiet`, nobody fires: the force of one or both sides
    becomes another, given for all its nodes.
    """

    strike: Salvo | None
    layer: int
    salvos: tuple[Salvo | None, ...]
    quiet: tuple[Nodes | None, Nodes | None] | None = None


@dataclass(frozen=True)
class Ground:
    """The cells: `sizes` of both lattices, the ranks of the rows, what kind each row and each column is.

    Rows stand in the order of rank, then kind. Kinds are numbered so that losses never lead to a lower number. `fights`
    says in which cells there is a next round, and `moves_to` which force fights on where a row stops (itself where that
    is the end): units landed from the sea.
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


class ProductKernel:
    """The kernel of battles in which hits are independent. See `Kernel`; `floor` and `stopped` have no say here.

    `choose` is asked in `pull` whether the attacker goes on.
    """

    most_lost: Cell = (10**9, 10**9)

    def __init__(self, ground: Ground, eps: float = 0.0, choose: Choice | None = None) -> None:
        self.ground, self.eps, self.choose = ground, eps, choose
        self.fights = ground.fights
        self.stops: Mask | None = None
        begins = np.flatnonzero((np.diff(ground.rank, prepend=-1) != 0) | (np.diff(ground.row_kind, prepend=-1) != 0))
        bounds = [*begins.tolist(), len(ground.rank)]
        self._steps = [slice(*pair) for pair in pairwise(bounds)][::-1]
        kinds = range(int(ground.column_kind.max()) + 1)
        found = [(kind, np.flatnonzero(ground.column_kind == kind)) for kind in kinds]
        self._columns = [(kind, columns) for kind, columns in found if len(columns)]
        self._meetings: dict[Cell, Meeting] = {}

    def stopping(self, stops: Mask) -> "ProductKernel":
        """The same battle where the attacker stops in these cells."""
        kernel = copy(self)
        kernel.stops, kernel.fights = stops, self.ground.fights & ~stops
        return kernel

    def empty(self) -> Grid:
        """A grid for this battle, with every layer."""
        rows, columns = self.ground.sizes
        return np.zeros((rows * self.ground.layers, columns))

    # Forward ---------------------------------------------------------------------------------------------

    def steps(self, shape: tuple[int, ...], floor: int) -> Sequence[slice]:
        """See `Kernel`: the rows of a rank and kind, strongest first."""
        del shape, floor
        return self._steps

    def push(self, law: Grid, step: slice, floor: int = 0, stopped: Mask | None = None) -> float:
        """See `Kernel`; what is not followed any further stays where it is."""
        del floor, stopped
        rounds = 0.0
        for rows, columns, meeting in self._blocks(step):
            if meeting.quiet:
                self._move(law, rows, columns, meeting.quiet)
            else:
                rounds += self._drain(law, rows, columns, meeting)
        self._withdraw(law, step)
        return rounds

    def _blocks(self, step: slice, backward: bool = False) -> Iterator[tuple[slice, Nodes, Meeting]]:
        """The rows of a step against the columns of each kind, in the order in which mass moves."""
        row_kind = int(self.ground.row_kind[step.start])
        for kind, columns in reversed(self._columns) if backward else self._columns:
            yield step, columns, self._meeting(row_kind, kind)

    def _meeting(self, row: int, column: int) -> Meeting:
        if (row, column) not in self._meetings:
            self._meetings[row, column] = self.ground.meeting(row, column)
        return self._meetings[row, column]

    def _withdraw(self, law: Grid, step: slice) -> None:
        """Where the attacker stops, those who cannot leave go on without the others."""
        moves_to = self.ground.moves_to
        if moves_to is None or self.stops is None:
            return
        for row in range(step.start, step.stop):
            if moves_to[row] != row:
                stops = self.stops[row]
                law[moves_to[row], stops] += law[row, stops]
                law[row, stops] = 0

    def _move(self, law: Grid, rows: slice, columns: Nodes, quiet: tuple[Nodes | None, Nodes | None]) -> None:
        """A certain move without fire, of whole blocks."""
        here = np.where(self.fights[rows, columns], law[rows, columns], 0)
        if here.any():
            law[rows, columns] -= here
            np.add.at(law, _moved(rows, columns, quiet), here)

    def _drain(self, law: Grid, rows: slice, columns: Nodes, meeting: Meeting) -> float:
        """Send on all that is in a block, until no more than `eps` is left in any of its cells."""
        for layer, salvo in enumerate(meeting.salvos):
            if layer and layer != meeting.layer and salvo:
                self._fire(law, rows, columns, layer, salvo)
        fights = self.fights[rows, columns]
        between = self._in_layer(rows, meeting.layer)
        rounds = 0.0
        while True:
            here = np.where(fights, law[rows, columns], 0)
            mass = here + law[between, columns] if meeting.layer else here
            active = np.flatnonzero((mass > self.eps).any(axis=0))
            if not len(active):
                return rounds
            if active[-1] < FEW:
                # What stays in these rows comes to weaker columns: to have these too saves another turn.
                active = np.arange(active[-1] + 1)
            for part in _portions(rows, len(active)):
                some = slice(part.start - rows.start, part.stop - rows.start)
                rounds += self._solve(
                    law, part, columns[active], here[some][:, active], fights[some][:, active], meeting
                )

    def _in_layer(self, rows: slice, layer: int) -> slice:
        """Where rows stand in a layer of the grid."""
        by = layer * self.ground.sizes[0]
        return slice(rows.start + by, rows.stop + by)

    def _solve(self, law: Grid, rows: slice, columns: Nodes, here: Grid, fights: Mask, meeting: Meeting) -> float:
        """Follow the mass of some columns until it has left them or the fight is over; returns the rounds begun."""
        salvo = meeting.salvos[meeting.layer]
        assert salvo is not None, "a round has fire"
        main = self._volley(salvo, rows, columns)
        strike = self._volley(meeting.strike, rows, columns) if meeting.strike else None
        between = self._in_layer(rows, meeting.layer)
        law[rows, columns] -= here
        new, half = here, np.zeros_like(here)
        leave = main.leave
        if strike:
            half = law[between, columns]
            law[between, columns] = 0
            leave = strike.leave + strike.stay * main.leave
        begun, fired, ended = np.zeros_like(here), np.zeros_like(here), np.zeros_like(here)
        shares = np.divide(1.0, leave, out=np.zeros_like(leave), where=fights & (leave > 0))
        all_fight = bool(fights.all())
        while True:
            if strike:
                visits = (new + half * main.stay) * shares
                volleys = half + visits * strike.stay
                half = strike.within(visits)
                fired += volleys
            else:
                visits = volleys = new * shares
            begun += visits
            new = main.within(volleys)
            self.ground.meter.add(TURN * main.killing.size)
            if not all_fight:
                if strike:
                    new += np.where(fights, 0, volleys * main.stay)
                ended += np.where(fights, 0, new)
                new = np.where(fights, new, 0)
            if max(new.max(), half.max()) <= self.eps:
                break
        law[rows, columns] += new + ended
        if strike:
            law[between, columns] += half
            strike.send(law, begun, between.start - rows.start, within=False, least=self.eps * TRIFLE)
        main.send(law, fired if strike else begun, 0, within=False, least=self.eps * TRIFLE)
        return float(begun.sum())

    def _volley(self, salvo: Salvo, rows: slice, columns: Nodes) -> Volley:
        volley = Volley(salvo, rows, columns)
        self.ground.meter.add(volley.work)
        return volley

    def _fire(self, law: Grid, rows: slice, columns: Nodes, layer: int, salvo: Salvo) -> None:
        """The last volley of a round in the cells of a layer between the phases."""
        source = self._in_layer(rows, layer)
        here = law[source, columns]
        active = (here > self.eps).any(axis=0)
        if active.any():
            law[source, columns[active]] = 0
            self._volley(salvo, rows, columns[active]).send(
                law, here[:, active], 0, within=True, least=self.eps * TRIFLE
            )

    # One round at a time ---------------------------------------------------------------------------------

    def spread(self, law: Grid, fighting: Grid, low: Cell) -> float:
        """See `SpreadKernel`; what is not followed any further stays where it is."""
        waiting = self.empty()
        waiting[low[0] :, low[1] :] = fighting
        fought = 0.0
        for rows, columns, meeting in self._all_blocks():
            salvo = None if meeting.quiet else meeting.strike or meeting.salvos[0]
            here = waiting[rows, columns]
            begun = np.where(self.fights[rows, columns] & (here > self.eps), here, 0)
            active = begun.any(axis=0)
            if salvo and active.any():
                fought += float(begun.sum())
                waiting[rows, columns] -= begun
                volley = self._volley(salvo, rows, columns[active])
                volley.send(
                    law,
                    begun[:, active],
                    self._in_layer(rows, meeting.layer).start - rows.start,
                    within=True,
                    least=self.eps * TRIFLE,
                )
        for rows, columns, meeting in self._all_blocks() if self.ground.layers > 1 else ():
            for layer, salvo in enumerate(meeting.salvos):
                if layer and salvo:
                    self._fire(law, rows, columns, layer, salvo)
        law += waiting
        self.settle(law)
        return fought

    def _all_blocks(self) -> Iterator[tuple[slice, Nodes, Meeting]]:
        return (block for step in self._steps for block in self._blocks(step))

    def settle(self, law: Grid) -> None:
        """Make all moves without fire, as before and after every round: who withdraws, and who submerges."""
        for step in self._steps:
            self._withdraw(law, step)
        for rows, columns, meeting in self._all_blocks():
            if meeting.quiet:
                self._move(law, rows, columns, meeting.quiet)

    # Backward --------------------------------------------------------------------------------------------

    def pull(self, worth: Grid, step: slice, floor: int = 0, stop_pays: Grid | None = None) -> None:
        """See `Kernel`; `worth` is [payoff, row, column], for several payoffs at once."""
        del floor, stop_pays
        for rows, columns, meeting in self._blocks(step, backward=True):
            if meeting.quiet:
                to_rows, to_columns = _moved(rows, columns, meeting.quiet)
                ahead = worth[:, to_rows, to_columns]
                worth[:, rows, columns] = np.where(self.fights[rows, columns], ahead, worth[:, rows, columns])
            else:
                for part in _portions(rows, len(columns)):
                    self._pull(worth, part, columns, meeting)

    def _pull(self, worth: Grid, rows: slice, columns: Nodes, meeting: Meeting) -> None:
        salvo = meeting.salvos[meeting.layer]
        assert salvo is not None, "a round has fire"
        main = self._volley(salvo, rows, columns)
        strike = self._volley(meeting.strike, rows, columns) if meeting.strike else None
        between = self._in_layer(rows, meeting.layer)
        layer = between.start - rows.start
        leave = strike.leave + strike.stay * main.leave if strike else main.leave
        fights = self.fights[rows, columns] & (leave > 0)
        shares = np.divide(1.0, leave, out=np.zeros_like(leave), where=fights)
        after = main.beyond(worth, 0)
        before = strike.beyond(worth, layer) if strike else after
        old, between_old = worth[:, rows, columns], worth[:, between, columns]
        while True:
            ahead = after + main.along(worth, 0)
            self.ground.meter.add(TURN * main.killing.size)
            going = ahead * shares
            if strike:
                going = (before + strike.along(worth, layer) + strike.stay * ahead) * shares
            chosen = (
                self.choose(np.arange(rows.start, rows.stop)[:, None], columns[None], going) if self.choose else going
            )
            now = np.where(fights, chosen, old)
            worth[:, rows, columns] = now
            changed = not np.array_equal(now, old)
            old = now
            if strike:
                half = ahead + main.stay * now
                worth[:, between, columns] = half
                changed |= not np.array_equal(half, between_old)
                between_old = half
            if not changed:
                break
        for other, left in enumerate(meeting.salvos):
            if other and other != meeting.layer and left:
                volley = self._volley(left, rows, columns)
                value = volley.beyond(worth, 0) + volley.along(worth, 0) + volley.stay * old
                worth[:, self._in_layer(rows, other), columns] = value

    def gather(self, worth: Grid, ends: Grid) -> Grid:
        """What all cells are worth with one round more to fight: [payoff, row, column].

        `worth` says what they are worth without; it has all layers, of which the first counts. `ends` is what cells are
        worth in which nobody fights on.
        """
        for rows, columns, meeting in self._all_blocks():
            for layer, salvo in enumerate(meeting.salvos):
                if layer and salvo:
                    self._gather(worth, worth, rows, columns, salvo, (layer, 0))
        after = ends.copy()
        for rows, columns, meeting in self._all_blocks():
            if not meeting.quiet and self.fights[rows, columns].any():
                salvo = meeting.strike or meeting.salvos[0]
                assert salvo is not None, "a round has fire"
                self._gather(after, worth, rows, columns, salvo, (0, meeting.layer))
        self.settle_worth(after)
        return after

    def settle_worth(self, worth: Grid) -> None:
        """Make cells with a move without fire worth what those are to which it leads: [payoff, row, column]."""
        for rows, columns, meeting in self._all_blocks():
            if meeting.quiet:
                ahead = worth[:, *_moved(rows, columns, meeting.quiet)]
                worth[:, rows, columns] = np.where(self.fights[rows, columns], ahead, worth[:, rows, columns])

    def _gather(
        self, into: Grid, worth: Grid, rows: slice, columns: Nodes, salvo: Salvo, layers: tuple[int, int]
    ) -> None:
        """The mean over a volley, from one layer to another; in the first layer only of cells that fight."""
        layer, source = layers
        for part in _portions(rows, len(columns)):
            volley, here = self._volley(salvo, part, columns), self._in_layer(part, source)
            shift = here.start - part.start
            value = volley.beyond(worth, shift) + volley.along(worth, shift) + volley.stay * worth[:, here, columns]
            target = self._in_layer(part, layer)
            fights = True if layer else self.fights[part, columns]
            into[:, target, columns] = np.where(fights, value, into[:, target, columns])

    def ahead(self, worth: Grid, row: int, column: int) -> Grid:
        """What it is worth to fight one round in a cell, by what the cells after it are worth: for every payoff."""
        meeting = self._meeting(int(self.ground.row_kind[row]), int(self.ground.column_kind[column]))
        salvo = meeting.strike or meeting.salvos[0]
        assert salvo is not None, "a round has fire"
        volley = Volley(salvo, slice(row, row + 1), np.array([column]))
        layer = meeting.layer * self.ground.sizes[0]
        here = worth[:, row + layer, column][:, None, None]
        value: Grid = (volley.beyond(worth, layer) + volley.along(worth, layer) + volley.stay * here)[:, 0, 0]
        return value


def _moved(rows: slice, columns: Nodes, quiet: tuple[Nodes | None, Nodes | None]) -> tuple[Nodes, Nodes]:
    """Where the cells of a block go by themselves, as an index of the grid."""
    to_rows = np.arange(rows.start, rows.stop) if quiet[0] is None else quiet[0][rows]
    to_columns = columns if quiet[1] is None else quiet[1][columns]
    return to_rows[:, None], to_columns[None, :]


def _portions(rows: slice, columns: int) -> Iterator[slice]:
    """So many rows at a time as are fast to work on together."""
    most = max(MOST_AT_ONCE // max(columns, 1) ** 2, 1)
    for start in range(rows.start, rows.stop, most):
        yield slice(start, min(start + most, rows.stop))
