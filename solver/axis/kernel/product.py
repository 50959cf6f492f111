"""The kernel of Axis & Allies battles in general: both sides fire at once, and their hits are independent.

A cell is a pair of nodes of two lattices (lattice.py). Rows are fought one after the other, the strongest first, and
the columns of each kind together. A volley is a product of matrices (volley.py). Within a row mass also moves from
column to column while the attacker loses nothing: that is followed to the end.

If submarines may strike first, a round has two phases. Then the grid has a second layer of rows below (higher in
number), for cells between the strike and the fire of the others, and further layers if those must know more about the
round. Cells to which less than `eps` comes are not followed; the mass left in cells that fight is the error.
"""

from collections.abc import Iterator, Sequence
from copy import copy

import numpy as np

from solver.axis.kernel.forces import Nodes
from solver.axis.kernel.ground import Choice, Ground, Meeting
from solver.axis.kernel.volley import FirePair, RowVolley
from solver.chain import Cell, Grid, Mask

TURN = 0.2
"""About how much work a number of a volley is each time mass moves within its row, in the unit of `Meter`."""


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
        kinds = sorted(set(ground.column_kind.tolist()))
        self._columns = [(kind, np.flatnonzero(ground.column_kind == kind)) for kind in kinds]
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

    def steps(self, shape: tuple[int, ...], floor: int) -> Sequence[int]:
        """Return the rows, strongest first: see `Kernel.steps`."""
        del shape, floor
        return range(self.ground.sizes[0])[::-1]

    def push(self, law: Grid, step: int, floor: int = 0, stopped: Mask | None = None) -> float:
        """Fight all rounds of a row: see `Kernel.push`. Mass that is no longer followed stays in its cell."""
        del floor, stopped
        rounds = 0.0
        for columns, meeting in self._blocks(step):
            if meeting.quiet:
                self._move(law, step, columns, meeting.quiet)
            else:
                rounds += self._fight_row(law, step, columns, meeting)
        self._withdraw(law, step)
        return rounds

    def _blocks(self, row: int, backward: bool = False) -> Iterator[tuple[Nodes, Meeting]]:
        """The columns of each kind, and how the row meets them, in the order in which mass moves."""
        row_kind = int(self.ground.row_kind[row])
        for kind, columns in reversed(self._columns) if backward else self._columns:
            yield columns, self._meeting(row_kind, kind)

    def _all_blocks(self) -> Iterator[tuple[int, Nodes, Meeting]]:
        """The blocks of all rows."""
        return ((row, *block) for row in range(self.ground.sizes[0])[::-1] for block in self._blocks(row))

    def _meeting(self, row: int, column: int) -> Meeting:
        """The meeting of two kinds, made once."""
        if (row, column) not in self._meetings:
            self._meetings[row, column] = self.ground.meeting(row, column)
        return self._meetings[row, column]

    def _withdraw(self, law: Grid, row: int) -> None:
        """Move the mass of cells where the attacker retreats to the force that stays behind."""
        moves_to = self.ground.moves_to
        if moves_to is not None and self.stops is not None and moves_to[row] != row:
            stops = self.stops[row]
            law[moves_to[row], stops] += law[row, stops]
            law[row, stops] = 0

    def _move(self, law: Grid, row: int, columns: Nodes, quiet: tuple[Nodes | None, Nodes | None]) -> None:
        """Make a move without fire in a whole block."""
        here = np.where(self.fights[row, columns], law[row, columns], 0)
        law[row, columns] -= here
        to_row, to_columns = _destinations(row, columns, quiet)
        np.add.at(law[to_row], to_columns, here)

    def _layer(self, layer: int) -> int:
        """How many rows below a row its place in a layer of the grid is."""
        return layer * self.ground.sizes[0]

    def _fight_row(self, law: Grid, row: int, columns: Nodes, meeting: Meeting) -> float:
        """Follow the mass of a row until it has left some columns or the fight is over; return the rounds fought."""
        for layer, salvo in enumerate(meeting.salvos):
            if layer and layer != meeting.layer and salvo:
                self._fire(law, row, columns, layer, salvo)
        between = row + self._layer(meeting.layer)
        new = np.where(self.fights[row, columns], law[row, columns], 0)
        half = law[between, columns] * bool(meeting.strike)
        likely = np.flatnonzero(new + half > self.eps)
        if not len(likely):
            return 0.0
        end = likely[-1] + 1
        columns, new, half = columns[:end], new[:end], half[:end]
        main, strike = self._volleys(meeting, row, columns)
        fights, leave = self.fights[row, columns], strike.leave + strike.stay * main.leave if strike else main.leave
        shares = np.divide(1.0, leave, out=np.zeros_like(leave), where=fights & (leave > 0))
        law[row, columns] -= new
        law[between, columns] -= half
        begun, fired, ended = (np.zeros(end) for _ in range(3))
        while True:
            visits = volleys = new * shares
            if strike:
                visits = (new + half * main.stay) * shares
                volleys = half + visits * strike.stay
                half = strike.push_within(visits)
            begun += visits
            fired += volleys
            new = main.push_within(volleys) + np.where(fights, 0, volleys * main.stay)
            self.ground.meter.add(TURN * main.killing.size)
            ended += np.where(fights, 0, new)
            new = np.where(fights, new, 0)
            if max(new.max(), half.max()) <= self.eps:
                break
        law[row, columns] += new + ended
        law[between, columns] += half
        if strike:
            strike.send(law, begun, between - row, within=False)
        main.send(law, fired, 0, within=False)
        return float(begun.sum())

    def _volleys(self, meeting: Meeting, row: int, columns: Nodes) -> tuple[RowVolley, RowVolley | None]:
        """The volley of all who have not struck first, and the strike of those who have; None if nobody does."""
        salvo = meeting.salvos[meeting.layer]
        assert salvo is not None, "a round has fire"
        return self._volley(salvo, row, columns), self._volley(meeting.strike, row, columns) if meeting.strike else None

    def _volley(self, salvo: FirePair, row: int, columns: Nodes) -> RowVolley:
        """The volley of a block, counted as work."""
        volley = RowVolley(salvo, row, columns)
        self.ground.meter.add(volley.work)
        return volley

    def _fire(self, law: Grid, row: int, columns: Nodes, layer: int, salvo: FirePair) -> None:
        """Fire the last volley of a round in cells between the phases."""
        source = row + self._layer(layer)
        some = columns[law[source, columns] > self.eps]
        if len(some):
            here = law[source, some]
            law[source, some] = 0
            self._volley(salvo, row, some).send(law, here, 0, within=True)

    # One round at a time ---------------------------------------------------------------------------------

    def spread(self, law: Grid, fighting: Grid, low: Cell) -> float:
        """Fight a single round: see `SpreadKernel.spread`. Mass that is no longer followed stays in its cell."""
        waiting = self.empty()
        waiting[low[0] :, low[1] :] = fighting
        fought = 0.0
        for row, columns, meeting in self._all_blocks():
            salvo = None if meeting.quiet else meeting.strike or meeting.salvos[0]
            some = columns[self.fights[row, columns] & (waiting[row, columns] > self.eps)]
            if salvo and len(some):
                here = waiting[row, some]
                fought += float(here.sum())
                waiting[row, some] = 0
                self._volley(salvo, row, some).send(law, here, self._layer(meeting.layer), within=True)
        for row, columns, meeting in self._all_blocks() if self.ground.layers > 1 else ():
            for layer, salvo in enumerate(meeting.salvos):
                if layer and salvo:
                    self._fire(law, row, columns, layer, salvo)
        law += waiting
        self.make_moves(law)
        return fought

    def make_moves(self, law: Grid) -> None:
        """Make all moves without fire, as before and after each round: units retreat and submarines submerge.

        Args:
            law: The grid.
        """
        for row in range(self.ground.sizes[0])[::-1]:
            self._withdraw(law, row)
        for row, columns, meeting in self._all_blocks():
            if meeting.quiet:
                self._move(law, row, columns, meeting.quiet)

    # Backward --------------------------------------------------------------------------------------------

    def pull(self, worth: Grid, step: int, floor: int = 0, stop_pays: Grid | None = None) -> None:
        """Set the worth of the cells of a row: see `Kernel.pull`. `worth` is [payoff, row, column]."""
        del floor, stop_pays
        for columns, meeting in self._blocks(step, backward=True):
            if meeting.quiet:
                self._move_backward(worth, step, columns, meeting.quiet)
            else:
                self._pull(worth, step, columns, meeting)

    def _pull(self, worth: Grid, row: int, columns: Nodes, meeting: Meeting) -> None:
        """Set the worth of the cells of a block."""
        main, strike = self._volleys(meeting, row, columns)
        layer = self._layer(meeting.layer)
        leave = strike.leave + strike.stay * main.leave if strike else main.leave
        fights = self.fights[row, columns] & (leave > 0)
        shares = np.divide(1.0, leave, out=np.zeros_like(leave), where=fights)
        after = main.worth_after_losses(worth, 0)
        before = strike.worth_after_losses(worth, layer) if strike else after
        old, between_old = worth[:, row, columns], worth[:, row + layer, columns]
        while True:
            ahead = after + main.worth_without_losses(worth, 0)
            self.ground.meter.add(TURN * main.killing.size)
            going = ahead * shares
            if strike:
                going = (before + strike.worth_without_losses(worth, layer) + strike.stay * ahead) * shares
            chosen = self.choice.choose(np.full_like(columns, row), columns, going) if self.choice else going
            now = np.where(fights, chosen, old)
            worth[:, row, columns] = now
            changed = not np.array_equal(now, old)
            old = now
            if strike:
                half = ahead + main.stay * now
                worth[:, row + layer, columns] = half
                changed |= not np.array_equal(half, between_old)
                between_old = half
            if not changed:
                break
        for other, left in enumerate(meeting.salvos):
            if other and other != meeting.layer and left:
                worth[:, row + self._layer(other), columns] = self._mean(worth, row, columns, left, 0)

    def _mean(self, worth: Grid, row: int, columns: Nodes, salvo: FirePair, layer: int) -> Grid:
        """The mean worth over a volley that leads to a layer: [payoff, column]."""
        volley, shift = self._volley(salvo, row, columns), self._layer(layer)
        moved = volley.worth_after_losses(worth, shift) + volley.worth_without_losses(worth, shift)
        mean: Grid = moved + volley.stay * worth[:, row + shift, columns]
        return mean

    def gather(self, worth: Grid, ends: Grid) -> Grid:
        """Return the worth of the cells of the first layer with one round more to fight: [payoff, row, column].

        Args:
            worth: The worth without that round, in the first layer of [payoff, row, column].
            ends: The worth of cells in which nobody fights on: [payoff, row, column].
        """
        for row, columns, meeting in self._all_blocks():
            for layer, salvo in enumerate(meeting.salvos):
                if layer and salvo:
                    worth[:, row + self._layer(layer), columns] = self._mean(worth, row, columns, salvo, 0)
        after = ends.copy()
        for row, columns, meeting in self._all_blocks():
            some = columns[self.fights[row, columns]]
            if not meeting.quiet and len(some):
                salvo = meeting.strike or meeting.salvos[0]
                assert salvo is not None, "a round has fire"
                after[:, row, some] = self._mean(worth, row, some, salvo, meeting.layer)
        self.make_moves_backward(after)
        return after

    def make_moves_backward(self, worth: Grid) -> None:
        """Give cells with a move without fire the worth of the cells to which it leads.

        Args:
            worth: The worth of all cells: [payoff, row, column].
        """
        for row, columns, meeting in self._all_blocks():
            if meeting.quiet:
                self._move_backward(worth, row, columns, meeting.quiet)

    def _move_backward(self, worth: Grid, row: int, columns: Nodes, quiet: tuple[Nodes | None, Nodes | None]) -> None:
        """Give the cells of a block the worth of those to which a move without fire leads."""
        ahead = worth[:, *_destinations(row, columns, quiet)]
        worth[:, row, columns] = np.where(self.fights[row, columns], ahead, worth[:, row, columns])


def _destinations(row: int, columns: Nodes, quiet: tuple[Nodes | None, Nodes | None]) -> tuple[int, Nodes]:
    """The cells to which those of a block move without fire, as an index of the grid."""
    to_rows, to_columns = quiet
    return row if to_rows is None else int(to_rows[row]), columns if to_columns is None else to_columns[columns]
