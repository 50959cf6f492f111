"""The worth of every pair of forces where casualties are chosen, worked out from the weakest pair to the strongest.

A round is a small game with chance between the choices: the attacker's hits fall, the defender chooses who is lost, the
defender's hits fall, the attacker chooses, and the casualties leave. So the worth of a cell, a pair of forces, is

    V(A, D) = E over hits h of  min over D' left by h of  E over hits g of  max over A' left by g of  V(A', D')

A round in which nobody is lost leads back to the cell: V is what the other rounds give, divided by their probability.
At sea a round may have two phases, and further grids hold the worth between them. A side without a choice has one way
to take each hit.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import product
from math import prod

import numpy as np

from solver.axis.casualties.moves import CasualtyMoves
from solver.axis.casualties.sides import Side
from solver.axis.casualties.tables import SAME, Grid, HitTables, LossWays, Ranks, find_loss_ways, table_sizes
from solver.axis.kernel.forces import Flags, Forces, Nodes, Take, can_leave
from solver.axis.kernel.hits import Laws
from solver.axis.kernel.kinds import Kinds
from solver.axis.kernel.meetings import Phase, find_phases
from solver.axis.kernel.ways import FireStage
from solver.errors import TooLargeError
from solver.progress import Meter

MOST_NUMBERS = 17_000_000
"""The most numbers in the tables of hits, eight bytes each."""
WAY, PRODUCT = 15.0, 1 / 3
"""The work of finding a way to lose units, and of a product within a long sum, in the unit of `Meter`."""


class CasualtySweep:
    """The worth of all cells. Its grids are [column, row]: the defender's forces, then the attacker's.

    In its methods `place` is the number of a phase, `columns` are columns of one rank, `nodes` and `rows` are forces of
    the defender and of the attacker, `shooters` all of the attacker's forces, perhaps with ships beside them.

    Attributes:
        attack: The attacker's forces.
        defence: The defender's forces.
        kinds: The kinds of all forces: they decide in which phases two forces meet.
        moves: The moves that can be made instead of a round.
        meter: Counts the work.
        tables: For each phase the worth of attackers who have hits to take.
        worth: The worth at the beginning of a round, then in each phase that may follow: [phase, column, row].
        submerge: Whether the attacker's and whether the defender's submarines submerge: [side, column, row].
        leaves_last: Where the defender leaves after the last round; None for nowhere.
        history: The worth and `submerge` with 0, 1, 2, ... rounds left, if there is a limit.

    Raises:
        TooLargeError: The tables need more than `MOST_NUMBERS` numbers.
    """

    def __init__(self, attack: Side, defence: Side, kinds: Kinds, moves: CasualtyMoves, meter: Meter) -> None:
        self.meter = meter
        self.attack, self.defence, self.kinds, self.moves = attack, defence, kinds, moves
        self.worth = np.zeros((kinds.layers, len(defence), len(attack)))
        self.submerge = np.zeros((2, len(defence), len(attack)), bool)
        self.leaves_last: Flags | None = None
        self.history: list[tuple[Grid, Flags]] = []
        self._phases = lru_cache(None)(lambda row, column: find_phases(kinds, row, column))
        limits: list[dict[tuple[Take, ...], tuple[int, ...]]] = [{} for _ in self.worth]
        for row, column in product(np.unique(kinds.rows).tolist(), np.unique(kinds.columns).tolist()):
            for phase in self._phases(row, column):
                wanted, takes = limits[phase.leads_to], takes_of(phase.defence)
                hits = [law.shape[1] - 1 for law in laws_of(defence.forces, phase.defence)]
                wanted[takes] = tuple(map(max, hits, wanted.get(takes, hits)))
        sizes = [table_sizes(wanted) for wanted in limits]
        if self.worth[0].size * sum(prod(counts) for tables in sizes for counts in tables.values()) > MOST_NUMBERS:
            raise TooLargeError("units", "there are too many ways to lose these units")
        self.tables = [HitTables(grid, attack, tables) for grid, tables in zip(self.worth, sizes, strict=True)]

    # Sweeps ----------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Work out the worth of all cells of a battle that goes on to its end; TooLargeError if the meter is full."""
        for columns in self.defence.layers:
            forces = self.attack.forces
            before = [
                (self._worth_with_loss(phase, columns, forces), self.their_luck(phase, columns, forces))
                for phase in range(len(self.worth))
            ]
            for rows in self.attack.layers:
                self._solve(before, columns, rows)

    def run_rounds(self, rounds: int, ends: Grid, leaves: Flags | None = None) -> None:
        """Work out the worth of all cells of a battle with so many rounds left.

        Args:
            rounds: How many.
            ends: The worth of each cell after the last one: [column, row].
            leaves: See `leaves_last`.
        """
        self.leaves_last = leaves
        # Submarines may still submerge when the rounds are over.
        self.history = [self._begin_rounds(ends.copy(), replace(self.moves, stops=None, leaves=leaves))]
        self.set_rounds_left(0)
        for _ in range(rounds):
            self.history.append(self._begin_rounds(self._all_rounds(0), self.moves))
            self.set_rounds_left(len(self.history) - 1)

    def endless(self) -> "CasualtySweep | None":
        """Return the worth of fights that no limit of rounds and no plan ends: those of units landed from the sea.

        It is None if no unit was landed.
        """
        if not self.attack.forces.count(lambda unit: unit.amphibious).any():
            return None
        endless = CasualtySweep(self.attack, self.defence, self.kinds, replace(self.moves, stops=None), self.meter)
        endless.run()
        return endless

    @cached_property
    def rows_that_leave(self) -> Flags:
        """Which of the attacker's forces are out of the battle when they stop: all but those with landed units."""
        leaves = self.attack.forces.count(can_leave) > 0
        return np.asarray(leaves & (self.moves.stays == np.arange(len(self.attack))))

    @property
    def ended_after_rounds(self) -> Flags:
        """Where the battle is over when all rounds are fought: units that have captured stay. [column, row]."""
        return np.asarray(self.rows_that_leave | ~self.moves.fights)

    def set_rounds_left(self, rounds: int) -> None:
        """Put the worth with so many rounds left after this one into the grids and tables.

        Args:
            rounds: How many, at most as many as in `history`.
        """
        worth, self.submerge = self.history[rounds]
        self._put(0, worth)
        for phase in range(1, len(self.worth)):
            self._put(phase, self._all_rounds(phase))

    def worth_of_round(self, columns: slice, shooters: Forces, phase: int = 0) -> Grid:
        """Return the worth of a round, or of one phase, after the sweep, [column, row]: see `CasualtySweep`."""
        every = slice(0, len(self.attack))
        lucky = self.their_luck(phase, columns, shooters)
        return self._worth_with_loss(phase, columns, shooters) + lucky * self._worth_without_loss(phase, columns, every)

    def _all_rounds(self, phase: int) -> Grid:
        """The worth of a round in all cells."""
        return np.concatenate([self.worth_of_round(here, self.attack.forces, phase) for here in self.defence.layers])

    def _begin_rounds(self, worth: Grid, moves: CasualtyMoves) -> tuple[Grid, Flags]:
        """The worth of a round, or of a move instead, in all cells, and where submarines submerge."""
        submerge = np.zeros_like(self.submerge)
        for here in product(self.defence.layers, self.attack.layers):
            worth[here], submerge[:, *here] = moves.best(worth, here, worth[here])
        return worth, submerge

    def _put(self, phase: int, worth: Grid) -> None:
        """Replace a grid and its tables."""
        self.worth[phase] = worth
        every = slice(0, len(self.defence))
        self.meter.add(worth.size * self.tables[phase].work)
        for rows in self.attack.layers:
            self.tables[phase].fill(every, rows)

    def _solve(self, before: Sequence[tuple[Grid, Grid]], columns: slice, rows: slice) -> None:
        """Work out the worth of the cells of one rank."""
        here = columns, rows
        cells = (columns.stop - columns.start) * (rows.stop - rows.start)
        for tables in self.tables:
            self.meter.add(cells * tables.work)
            tables.fill(columns, rows)  # the worth of the cells themselves is 0 so far
        if len(before) == 1 and not self.moves.fights[here].any():
            self.worth[0][here], self.submerge[:, *here] = self.moves.best(self.worth[0], here, self.worth[0][here])
        else:
            parts: list[Grid] = []
            stays: list[Grid] = []
            for phase, (gains, lucky) in enumerate(before):
                parts.append(gains[:, rows] + lucky[:, rows] * self._worth_without_loss(phase, columns, rows))
                stays.append(lucky[:, rows] * self.our_luck(phase, columns, rows))
            worth, again = parts[0], stays[0]
            then = self.leads_to(columns, rows)
            for phase in range(1, len(before)):
                worth = np.where(then == phase, worth + stays[0] * parts[phase], worth)
                again = np.where(then == phase, again * stays[phase], again)
            worth = np.divide(worth, 1 - again, out=np.zeros_like(worth), where=again < 1)
            self.worth[0][here], self.submerge[:, *here] = self.moves.best(self.worth[0], here, worth)
            for phase in range(1, len(before)):
                self.worth[phase][here] = parts[phase] + stays[phase] * self.worth[0][here]
        for tables in self.tables:
            tables.carry(columns, rows)

    def leads_to(self, columns: slice, rows: slice) -> Nodes:
        """Return the phase that follows the first one of a round in each cell, [column, row]: see `CasualtySweep`."""
        phases = np.zeros((columns.stop - columns.start, rows.stop - rows.start), np.int64)
        for phase, some, others in self.meetings(0, columns, rows):
            phases[np.ix_(some, others)] = phase.leads_to
        return phases

    def meetings(self, place: int, columns: slice, rows: slice) -> Iterator[tuple[Phase, Nodes, Nodes]]:
        """Yield for each two kinds their phase, and where they are in columns and rows: see `CasualtySweep`."""
        theirs, ours = self.kinds.columns[columns], self.kinds.rows[rows]
        for column, row in product(np.unique(theirs).tolist(), np.unique(ours).tolist()):
            yield self._phases(row, column)[place], np.flatnonzero(theirs == column), np.flatnonzero(ours == row)

    # Hits ------------------------------------------------------------------------------------------------

    def their_luck(self, place: int, columns: slice, shooters: Forces) -> Grid:
        """Return the chance that the defender loses nobody in a phase, [column, row]: see `CasualtySweep`."""
        luck = np.ones((columns.stop - columns.start, len(self.attack)))
        for phase, some, rows in self.meetings(place, columns, slice(0, len(self.attack))):
            for stage, law in zip(phase.attack, laws_of(shooters, phase.attack), strict=True):
                stuck = self.defence.stuck[stage.take][columns][some, None]
                luck[np.ix_(some, rows)] *= np.where(stuck, 1.0, law[rows, 0])
        return luck

    def our_luck(self, place: int, columns: slice, rows: slice) -> Grid:
        """Return the chance that the attacker loses nobody in a phase, [column, row]: see `CasualtySweep`."""
        luck = np.ones((columns.stop - columns.start, rows.stop - rows.start))
        for phase, some, others in self.meetings(place, columns, rows):
            for stage, law in zip(phase.defence, laws_of(self.defence.forces, phase.defence), strict=True):
                stuck = self.attack.stuck[stage.take][rows][others]
                luck[np.ix_(some, others)] *= np.where(stuck, 1.0, law[columns][some, :1])
        return luck

    def _worth_with_loss(self, place: int, columns: slice, shooters: Forces) -> Grid:
        """Return the worth of a phase if the defender loses somebody, times the chance of that: [column, row]."""
        gains = np.zeros((columns.stop - columns.start, len(self.attack)))
        for phase, some, rows in self.meetings(place, columns, slice(0, len(self.attack))):
            if phase.attack:
                chances = self.joint_hits(phase, shooters, rows)
                best = self.best_replies(phase, columns.start + some, rows, shooters)[0]
                np.copyto(best, 0.0, where=np.isinf(best))
                gains[np.ix_(some, rows)] = np.einsum("dha,ha->da", best, chances)
        return gains

    def joint_hits(self, phase: Phase, shooters: Forces, rows: Nodes) -> Grid:
        """Return the chance of every combination of hits on the defender, [combination, row]: see `CasualtySweep`."""
        laws = [law[rows] for law in laws_of(shooters, phase.attack)]
        return _joint(laws, [law.shape[1] - 1 for law in laws]).T

    def best_replies(
        self, phase: Phase, nodes: Nodes, rows: Nodes, shooters: Forces, ranked: bool = False
    ) -> tuple[Grid, LossWays]:
        """Return what the defender's best losses are worth after every combination of hits: see `CasualtySweep`.

        It is the worth, [node, combination, row], infinite where nobody is lost; and all ways to lose units, with ranks
        if they are `ranked`.
        """
        limits = [law.shape[1] - 1 for law in laws_of(shooters, phase.attack)]
        combinations = prod(count + 1 for count in limits)
        ways = find_loss_ways(self.defence, nodes, takes_of(phase.attack), limits, ranked)
        hits = self.tables[phase.leads_to].tables[takes_of(phase.defence)][0, 0].size
        self.meter.add(len(ways.left) * (WAY + (1 + PRODUCT * hits) * len(rows)))
        best = np.full((len(nodes) * combinations, len(rows)), np.inf)
        places = ways.forces * combinations + ways.hits
        for some, worth in self.worth_of_ways(phase, nodes, rows, ways):
            here = places[some]
            best[here] = np.minimum(best[here], worth, out=worth)
        return best.reshape(len(nodes), combinations, len(rows)), ways

    def first_replies(self, phase: Phase, nodes: Nodes, rows: Nodes, shooters: Forces) -> tuple[Ranks, LossWays]:
        """Return which of the defender's best losses is chosen after every combination of hits: see `CasualtySweep`.

        It is the rank of the way, [node, combination, row], above all ranks where nobody is lost; and all ways.
        """
        best, ways = self.best_replies(phase, nodes, rows, shooters, ranked=True)
        first: Ranks = np.full(best.shape, len(ways.left), np.int32)
        for some, worth in self.worth_of_ways(phase, nodes, rows, ways):
            here = ways.forces[some], ways.hits[some]
            chosen = np.where(worth <= best[here] + SAME, ways.ranks[some, None], first[here])
            first[here] = np.minimum(first[here], chosen, out=chosen)
        return first, ways

    def worth_of_ways(self, phase: Phase, nodes: Nodes, rows: Nodes, ways: LossWays) -> Iterator[tuple[slice, Grid]]:
        """Yield the worth of ways to lose units, before the defender fires: see `CasualtySweep`.

        It is the place of the ways, and their worth: [way, row].
        """
        table, fire = self.after_fire(phase, nodes)
        whole = len(rows) == len(self.attack)
        for left, some in ways.by_left():
            yield some, fire[ways.forces[some]] @ (table[:, left] if whole else table[rows, left]).T

    def after_fire(self, phase: Phase, nodes: Nodes) -> tuple[Grid, Laws]:
        """Return the worth after every combination of hits on the attacker, and their law: see `CasualtySweep`.

        It is the worth, [row, column, combination], and the law of some defenders: [node, combination].
        """
        table = self.tables[phase.leads_to].tables[takes_of(phase.defence)]
        laws = [law[nodes] for law in laws_of(self.defence.forces, phase.defence)]
        fire = _joint(laws, [size - 1 for size in table.shape[2:]])
        return table.reshape(*table.shape[:2], -1), np.broadcast_to(fire, (len(nodes), fire.shape[1]))

    def _worth_without_loss(self, place: int, columns: slice, rows: slice) -> Grid:
        """Return the worth of a phase if the defender loses nobody: [column, row]."""
        worth = np.zeros((columns.stop - columns.start, rows.stop - rows.start))
        for phase, some, others in self.meetings(place, columns, rows):
            table, fire = self.after_fire(phase, columns.start + some)
            here = table[rows.start + others][:, columns.start + some]
            worth[np.ix_(some, others)] = np.einsum("dg,adg->da", fire, here)
        return worth


def takes_of(stages: Sequence[FireStage]) -> tuple[Take, ...]:
    """Return the reaches of the hits of some stages.

    Args:
        stages: The stages.
    """
    return tuple(stage.take for stage in stages)


def laws_of(forces: Forces, stages: Sequence[FireStage]) -> list[Laws]:
    """Return the law of the hits of each stage: [force, hits].

    Args:
        forces: The forces that fire.
        stages: The stages.
    """
    return [forces.laws(stage.group) for stage in stages]


def _joint(laws: Sequence[Laws], limits: Sequence[int]) -> Laws:
    """The law of all combinations of hits, the last stage the fastest: [force, combination]."""
    joint = np.ones((len(laws[0]) if laws else 1, 1))
    for law, count in zip(laws, limits, strict=True):
        padded = np.zeros((len(law), count + 1))
        padded[:, : law.shape[1]] = law
        joint = (joint[:, :, None] * padded[:, None, :]).reshape(len(law), -1)
    return joint
