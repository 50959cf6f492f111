"""The kernel of Axis & Allies battles in general: both sides fire at once, and their hits are independent.

A cell is a pair of nodes of two lattices (lattice.py). A step is all forces of the attacker of one rank, that is with
so many hit points, and of one kind. A volley is a product of matrices for all columns of a row together (volley.py).
Within a row mass also moves from column to column while the attacker loses nothing: that is followed to the end.

If submarines may strike first, a round has two phases. Then the grid has a second layer of rows below (higher in
number), for cells between the strike and the fire of the others, and further layers if those must know more about the
round. Cells to which less than `eps` comes are not followed; the mass left in cells that fight is the error.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from itertools import pairwise

import numpy as np

from solver.axis.kernel.forces import Nodes
from solver.axis.kernel.ground import Choice, Ground, Meeting
from solver.axis.kernel.volley import BlockVolley, FirePair
from solver.chain import Cell, Grid, Mask

MOST_AT_ONCE = 200_000
"""About how many numbers a block has, so that it stays in the processor's cache."""

FEW = 64
"""So many columns are taken together even if nothing has come to some of them."""
TURN = 0.2
"""About how much work a number of a volley is each time mass moves within its rows, in the unit of `Meter`."""
TRIFLE = 1e-3
"""The part of `eps` that may be left out of the mass sent to a row."""


class ProductKernel:
    """The kernel of battles in which hits are independent: see `Kernel`. It ignores `floor` and `stopped`.

    Args:
        ground: The cells.
        eps: Probability in a cell that is no longer followed.
    """

    most_lost: Cell = (10**9, 10**9)

    def __init__(self, ground: Ground, eps: float = 0.0) -> None:
        self.ground, self.eps = ground, eps
        self.choice: Choice | None = None
        """The attacker's choice in `pull`; None if they always fight on."""
        self.fights = ground.fights
        self.stops: Mask | None = None
        begins = np.flatnonzero((np.diff(ground.rank, prepend=-1) != 0) | (np.diff(ground.row_kind, prepend=-1) != 0))
        bounds = [*begins.tolist(), len(ground.rank)]
        self._steps = [slice(*pair) for pair in pairwise(bounds)][::-1]
        kinds = range(int(ground.column_kind.max()) + 1)
        by_kind = [(kind, np.flatnonzero(ground.column_kind == kind)) for kind in kinds]
        self._columns = [(kind, columns) for kind, columns in by_kind if len(columns)]
        self._meetings: dict[Cell, Meeting] = {}

    def with_stops(self, stops: Mask) -> "ProductKernel":
        """Return the kernel of the same battle where the attacker stops in some cells.

        Args:
            stops: Whether they stop there: [row, column].
        """
        kernel = copy(self)
        kernel.stops, kernel.fights = stops, self.ground.fights & ~stops
        return kernel

    def empty(self) -> Grid:
        """Return a grid of zeros for this battle, with every layer."""
        rows, columns = self.ground.sizes
        return np.zeros((rows * self.ground.layers, columns))

    # Forward ---------------------------------------------------------------------------------------------

    def steps(self, shape: tuple[int, ...], floor: int) -> Sequence[slice]:
        """Return the rows of each rank and kind, strongest first: see `Kernel.steps`."""
        del shape, floor
        return self._steps

    def push(self, law: Grid, step: slice, floor: int = 0, stopped: Mask | None = None) -> float:
        """Fight all rounds of some rows: see `Kernel.push`. Mass that is no longer followed stays in its cell."""
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
        """The meeting of two kinds, made once."""
        if (row, column) not in self._meetings:
            self._meetings[row, column] = self.ground.meeting(row, column)
        return self._meetings[row, column]

    def _withdraw(self, law: Grid, step: slice) -> None:
        """Move the mass of cells where the attacker retreats to the force that stays behind."""
        moves_to = self.ground.moves_to
        if moves_to is None or self.stops is None:
            return
        for row in range(step.start, step.stop):
            if moves_to[row] != row:
                stops = self.stops[row]
                law[moves_to[row], stops] += law[row, stops]
                law[row, stops] = 0

    def _move(self, law: Grid, rows: slice, columns: Nodes, quiet: tuple[Nodes | None, Nodes | None]) -> None:
        """Make a move without fire in a whole block."""
        here = np.where(self.fights[rows, columns], law[rows, columns], 0)
        if here.any():
            law[rows, columns] -= here
            np.add.at(law, _destinations(rows, columns, quiet), here)

    def _drain(self, law: Grid, rows: slice, columns: Nodes, meeting: Meeting) -> float:
        """Send on the mass in a block until no cell has more than `eps`; return the rounds fought."""
        for layer, salvo in enumerate(meeting.salvos):
            if layer and layer != meeting.layer and salvo:
                self._fire(law, rows, columns, layer, salvo)
        fights = self.fights[rows, columns]
        between = self._layer_rows(rows, meeting.layer)
        rounds = 0.0
        while True:
            here = np.where(fights, law[rows, columns], 0)
            mass = here + law[between, columns] if meeting.layer else here
            active = np.flatnonzero((mass > self.eps).any(axis=0))
            if not len(active):
                return rounds
            if active[-1] < FEW:
                # Mass that stays in these rows moves to weaker columns: including them saves another turn.
                active = np.arange(active[-1] + 1)
            for part in _row_portions(rows, len(active)):
                some = slice(part.start - rows.start, part.stop - rows.start)
                rounds += self._solve(
                    law, part, columns[active], here[some][:, active], fights[some][:, active], meeting
                )

    def _layer_rows(self, rows: slice, layer: int) -> slice:
        """The places of rows in a layer of the grid."""
        by = layer * self.ground.sizes[0]
        return slice(rows.start + by, rows.stop + by)

    def _solve(self, law: Grid, rows: slice, columns: Nodes, here: Grid, fights: Mask, meeting: Meeting) -> float:
        """Follow the mass of some columns until it has left them or the fight is over; return the rounds fought."""
        salvo = meeting.salvos[meeting.layer]
        assert salvo is not None, "a round has fire"
        main = self._volley(salvo, rows, columns)
        strike = self._volley(meeting.strike, rows, columns) if meeting.strike else None
        between = self._layer_rows(rows, meeting.layer)
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
                half = strike.push_within(visits)
                fired += volleys
            else:
                visits = volleys = new * shares
            begun += visits
            new = main.push_within(volleys)
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
            strike.send(law, begun, between.start - rows.start, within=False, trifle=self.eps * TRIFLE)
        main.send(law, fired if strike else begun, 0, within=False, trifle=self.eps * TRIFLE)
        return float(begun.sum())

    def _volley(self, salvo: FirePair, rows: slice, columns: Nodes) -> BlockVolley:
        """The volley of a block, counted as work."""
        volley = BlockVolley(salvo, rows, columns)
        self.ground.meter.add(volley.work)
        return volley

    def _fire(self, law: Grid, rows: slice, columns: Nodes, layer: int, salvo: FirePair) -> None:
        """Fire the last volley of a round in cells between the phases."""
        source = self._layer_rows(rows, layer)
        here = law[source, columns]
        active = (here > self.eps).any(axis=0)
        if active.any():
            law[source, columns[active]] = 0
            self._volley(salvo, rows, columns[active]).send(
                law, here[:, active], 0, within=True, trifle=self.eps * TRIFLE
            )

    # One round at a time ---------------------------------------------------------------------------------

    def spread(self, law: Grid, fighting: Grid, low: Cell) -> float:
        """Fight a single round: see `SpreadKernel.spread`. Mass that is no longer followed stays in its cell."""
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
                    self._layer_rows(rows, meeting.layer).start - rows.start,
                    within=True,
                    trifle=self.eps * TRIFLE,
                )
        for rows, columns, meeting in self._all_blocks() if self.ground.layers > 1 else ():
            for layer, salvo in enumerate(meeting.salvos):
                if layer and salvo:
                    self._fire(law, rows, columns, layer, salvo)
        law += waiting
        self.make_moves(law)
        return fought

    def _all_blocks(self) -> Iterator[tuple[slice, Nodes, Meeting]]:
        """The blocks of all steps."""
        return (block for step in self._steps for block in self._blocks(step))

    def make_moves(self, law: Grid) -> None:
        """Make all moves without fire, as before and after each round: units retreat and submarines submerge.

        Args:
            law: The grid.
        """
        for step in self._steps:
            self._withdraw(law, step)
        for rows, columns, meeting in self._all_blocks():
            if meeting.quiet:
                self._move(law, rows, columns, meeting.quiet)

    # Backward --------------------------------------------------------------------------------------------

    def pull(self, worth: Grid, step: slice, floor: int = 0, stop_pays: Grid | None = None) -> None:
        """Set the worth of the cells of some rows: see `Kernel.pull`. `worth` is [payoff, row, column]."""
        del floor, stop_pays
        for rows, columns, meeting in self._blocks(step, backward=True):
            if meeting.quiet:
                to_rows, to_columns = _destinations(rows, columns, meeting.quiet)
                ahead = worth[:, to_rows, to_columns]
                worth[:, rows, columns] = np.where(self.fights[rows, columns], ahead, worth[:, rows, columns])
            else:
                for part in _row_portions(rows, len(columns)):
                    self._pull(worth, part, columns, meeting)

    def _pull(self, worth: Grid, rows: slice, columns: Nodes, meeting: Meeting) -> None:
        """Set the worth of the cells of a block."""
        salvo = meeting.salvos[meeting.layer]
        assert salvo is not None, "a round has fire"
        main = self._volley(salvo, rows, columns)
        strike = self._volley(meeting.strike, rows, columns) if meeting.strike else None
        between = self._layer_rows(rows, meeting.layer)
        layer = between.start - rows.start
        leave = strike.leave + strike.stay * main.leave if strike else main.leave
        fights = self.fights[rows, columns] & (leave > 0)
        shares = np.divide(1.0, leave, out=np.zeros_like(leave), where=fights)
        after = main.worth_after_losses(worth, 0)
        before = strike.worth_after_losses(worth, layer) if strike else after
        old, between_old = worth[:, rows, columns], worth[:, between, columns]
        while True:
            ahead = after + main.worth_without_losses(worth, 0)
            self.ground.meter.add(TURN * main.killing.size)
            going = ahead * shares
            if strike:
                going = (before + strike.worth_without_losses(worth, layer) + strike.stay * ahead) * shares
            chosen = (
                self.choice.choose(np.arange(rows.start, rows.stop)[:, None], columns[None], going)
                if self.choice
                else going
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
                value = volley.worth_after_losses(worth, 0) + volley.worth_without_losses(worth, 0) + volley.stay * old
                worth[:, self._layer_rows(rows, other), columns] = value

    def gather(self, worth: Grid, ends: Grid) -> Grid:
        """Return the worth of the cells of the first layer with one round more to fight: [payoff, row, column].

        Args:
            worth: The worth without that round, in the first layer of [payoff, row, column].
            ends: The worth of cells in which nobody fights on: [payoff, row, column].
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
        self.make_moves_backward(after)
        return after

    def make_moves_backward(self, worth: Grid) -> None:
        """Give cells with a move without fire the worth of the cells to which it leads.

        Args:
            worth: The worth of all cells: [payoff, row, column].
        """
        for rows, columns, meeting in self._all_blocks():
            if meeting.quiet:
                ahead = worth[:, *_destinations(rows, columns, meeting.quiet)]
                worth[:, rows, columns] = np.where(self.fights[rows, columns], ahead, worth[:, rows, columns])

    def _gather(
        self, into: Grid, worth: Grid, rows: slice, columns: Nodes, salvo: FirePair, layers: tuple[int, int]
    ) -> None:
        """Set the worth in one layer to the mean over a volley that leads to another; in the first layer only of
        fights.
        """
        layer, source = layers
        for part in _row_portions(rows, len(columns)):
            volley, here = self._volley(salvo, part, columns), self._layer_rows(part, source)
            shift = here.start - part.start
            value = (
                volley.worth_after_losses(worth, shift)
                + volley.worth_without_losses(worth, shift)
                + volley.stay * worth[:, here, columns]
            )
            target = self._layer_rows(part, layer)
            fights = True if layer else self.fights[part, columns]
            into[:, target, columns] = np.where(fights, value, into[:, target, columns])

    def worth_of_round(self, worth: Grid, row: int, column: int) -> Grid:
        """Return the worth of fighting one round in a cell, the mean of the worth after it: [payoff].

        Args:
            worth: The worth of all cells: [payoff, row, column].
            row: The row of the cell.
            column: Its column.
        """
        meeting = self._meeting(int(self.ground.row_kind[row]), int(self.ground.column_kind[column]))
        salvo = meeting.strike or meeting.salvos[0]
        assert salvo is not None, "a round has fire"
        volley = BlockVolley(salvo, slice(row, row + 1), np.array([column]))
        layer = meeting.layer * self.ground.sizes[0]
        here = worth[:, row + layer, column][:, None, None]
        value: Grid = (
            volley.worth_after_losses(worth, layer) + volley.worth_without_losses(worth, layer) + volley.stay * here
        )[:, 0, 0]
        return value


def _destinations(rows: slice, columns: Nodes, quiet: tuple[Nodes | None, Nodes | None]) -> tuple[Nodes, Nodes]:
    """The cells to which those of a block move without fire, as an index of the grid."""
    to_rows = np.arange(rows.start, rows.stop) if quiet[0] is None else quiet[0][rows]
    to_columns = columns if quiet[1] is None else quiet[1][columns]
    return to_rows[:, None], to_columns[None, :]


def _row_portions(rows: slice, columns: int) -> Iterator[slice]:
    """The rows in portions of a size that is fast to work on."""
    height = max(MOST_AT_ONCE // max(columns, 1) ** 2, 1)
    for start in range(rows.start, rows.stop, height):
        yield slice(start, min(start + height, rows.stop))
