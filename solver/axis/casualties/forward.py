"""The odds of a battle in which casualties are chosen: its probability is followed from the start, by the best choices.

Each step undoes one of the sweep back: the worth that a cell has there decides where its probability goes here.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import product

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.casualties.opening_choices import ChosenOpening
from solver.axis.casualties.solve import CasualtyGame, FirstRound, has_special_first_round
from solver.axis.casualties.sweep import CasualtySweep, takes_of
from solver.axis.casualties.tables import SAME, Grid
from solver.axis.chain import AxisChain
from solver.axis.course import last_round
from solver.axis.kernel.forces import Forces, Nodes
from solver.axis.kernel.meetings import Phase
from solver.axis.odds import AxisOdds, odds_of_ends
from solver.axis.solve import add_unfought


def odds_of_game(game: CasualtyGame) -> AxisOdds:
    """Return the odds of a battle with the best choices of those who choose.

    Args:
        game: The battle, solved. It is not usable afterwards if it has a limit of rounds.
    """
    sweep, battle = game.sweep, game.battle
    if game.declined:
        return add_unfought(AxisChain(battle), [], np.ones((1, 1)), np.ones(1, bool), np.zeros(1, bool))[0]
    ended, rounds = follow(battle, sweep, [(1.0, game.opening)])
    columns, rows = np.nonzero(ended)
    return odds_of_ends(battle, sweep.attack.forces, sweep.defence.forces, rows, columns, ended[columns, rows], rounds)


def follow(
    battle: AxisBattle, sweep: CasualtySweep, openings: Iterable[tuple[float, ChosenOpening]]
) -> tuple[Grid, float]:
    """Return the probability that a battle ends in each cell, [column, row], and the expected number of rounds.

    Args:
        battle: The battle.
        sweep: The worth of all cells; with a limit of rounds after the first round.
        openings: The possible openings, each with its probability.
    """
    flow = _Flow(sweep)
    starts: dict[tuple[int, bool], Grid] = {}
    for share, opening in openings:
        for row, columns, law in zip(opening.rows.tolist(), opening.columns.tolist(), opening.law, strict=True):
            for column, chance in zip(columns, (share * law).tolist(), strict=True):
                starts.setdefault((column, opening.helpless), np.zeros(len(sweep.attack)))[row] += chance
    for (column, helpless), start in starts.items():
        if has_special_first_round(battle):
            flow.fight_first(FirstRound(battle, sweep, column, helpless), start)
        else:
            flow.law[0][column] += start
    if (last := last_round(battle)) is None:
        flow.run()
    else:
        flow.run_rounds(last - 1)
    return flow.ended, flow.rounds


class _Flow:
    """The probability on its way through the cells.

    Attributes:
        law: The probability that waits before each phase in each cell: [phase, column, row].
        ended: The probability that the battle has ended in each cell: [column, row].
        rounds: The expected number of rounds so far.
    """

    def __init__(self, sweep: CasualtySweep) -> None:
        self._sweep = sweep
        self.law, self.ended, self.rounds = np.zeros_like(sweep.worth), np.zeros(sweep.worth.shape[1:]), 0.0
        # What still has hits to take, as in `HitTables`.
        self._hit = [
            {takes: np.zeros_like(table) for takes, table in hits.tables.items() if takes} for hits in sweep.tables
        ]

    # Courses ---------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Follow the battle to its end."""
        sweep, phases = self._sweep, range(len(self.law))
        for columns in reversed(sweep.defence.layers):
            fought = np.zeros((len(self.law), columns.stop - columns.start, len(sweep.attack)))
            lucky = [sweep.their_luck(phase, columns, sweep.attack.forces) for phase in phases]
            for rows in reversed(sweep.attack.layers):
                self._arrive(columns, rows)
                stays = [luck[:, rows] * sweep.our_luck(phase, columns, rows) for phase, luck in enumerate(lucky)]
                fought[:, :, rows] = self._visit(columns, rows, stays)
                for phase in phases:
                    self._hit_attackers(phase, columns, rows, fought[phase][:, rows] * lucky[phase][:, rows])
                self._arrive(columns, rows)
                self.law[:, columns, rows] = 0.0  # the visits count what comes back to these cells
                self._lose(columns, rows)
            for phase in phases:
                self._hit_defenders(phase, columns, fought[phase], sweep.attack.forces)

    def run_rounds(self, rounds: int) -> None:
        """Follow so many rounds, and what units landed from the sea do afterwards.

        Args:
            rounds: How many.
        """
        sweep = self._sweep
        for left in range(rounds, 0, -1):
            fought = self._visit_all()
            sweep.set_rounds_left(left - 1)
            self._fight(0, fought, sweep.attack.forces)
            self._fight_on()
        for columns, rows in product(reversed(sweep.defence.layers), reversed(sweep.attack.layers)):
            law, self.law[0][columns, rows] = self.law[0][columns, rows].copy(), 0.0
            self.law[0][columns, rows] = self._dive(columns, rows, law)
        if sweep.leaves_last is not None:
            _add(self.ended, sweep.moves.left, self.law[0] * sweep.leaves_last)
            self.ended += self.law[0] * ~sweep.leaves_last
            return
        endless, over = sweep.endless(), sweep.ended_after_rounds
        if endless is None:
            self.ended += self.law[0]
            return
        self.ended += self.law[0] * over
        rest = _Flow(endless)
        _add(rest.law[0].T, sweep.moves.stays, (self.law[0] * ~over).T)
        rest.run()
        self.ended, self.rounds = self.ended + rest.ended, self.rounds + rest.rounds

    def fight_first(self, first: FirstRound, law: Grid) -> None:
        """Follow a first round that has to be fought, and the submarines that submerge before it.

        Args:
            first: The round, against one force of the defender.
            law: The probability of each of the attacker's forces: [row].
        """
        sweep, moves, battle, column = self._sweep, self._sweep.moves, first.battle, first.column
        if moves.dives is not None:
            ours, theirs = first.dives
            law, diving = law * ~ours, law * ours
            _add(law, moves.dived[0], diving)
            if (law * theirs).any():
                self.fight_first(replace(first, column=int(moves.dived[1][column])), law * theirs)
            law = law * ~theirs
        fights, alone = first.fights, first.ships_alone
        self.ended[0] += law * ~fights * alone
        self.ended[column] += law * ~fights * ~alone
        self.rounds += float(law[fights].sum())
        fought = np.zeros_like(self.ended)
        fought[column] = law * fights
        self._fight(0, fought, sweep.attack.forces.with_ships(battle.ships))
        if last_round(battle) is not None:
            self._fight_on()

    def _fight_on(self) -> None:
        """Follow the phases of a round behind its first one."""
        for phase in range(1, len(self.law)):
            struck, self.law[phase] = self.law[phase].copy(), 0.0
            self._fight(phase, struck, self._sweep.attack.forces)

    def _fight(self, phase: int, fought: Grid, shooters: Forces) -> None:
        """Follow one phase of a round everywhere; its probability then is in `law`."""
        sweep = self._sweep
        for columns in sweep.defence.layers:
            if fought[columns].any():
                lucky = sweep.their_luck(phase, columns, shooters)
                self._hit_attackers(phase, columns, slice(0, len(sweep.attack)), fought[columns] * lucky)
                self._hit_defenders(phase, columns, fought[columns], shooters)
        every = slice(0, len(sweep.defence))
        for rows in reversed(sweep.attack.layers):
            self._arrive(every, rows)
            self._lose(every, rows)

    # Moves -----------------------------------------------------------------------------------------------

    def _visit_all(self) -> Grid:
        """Make all moves before a round; return what fights it: [column, row]."""
        sweep, fought = self._sweep, np.zeros_like(self.ended)
        for columns in reversed(sweep.defence.layers):
            for rows in reversed(sweep.attack.layers):
                fought[columns, rows] = self._move(columns, rows, self.law[0][columns, rows].copy())
                self.law[0][columns, rows] = 0.0
        self.rounds += float(fought.sum())
        return fought

    def _visit(self, columns: slice, rows: slice, stays: list[Grid]) -> Grid:
        """Make all moves in some cells; return how often each phase is fought there: [phase, column, row]."""
        sweep, fought = self._sweep, self.law[:, columns, rows].copy()
        self.law[:, columns, rows] = 0.0
        then, again = sweep.leads_to(columns, rows), stays[0]
        for phase in range(1, len(stays)):
            fought[0] += fought[phase] * stays[phase]
            again = np.where(then == phase, again * stays[phase], again)
        fought[0] = self._move(columns, rows, fought[0])
        np.divide(fought[0], 1 - again, out=fought[0], where=again < 1)
        for phase in range(1, len(stays)):
            fought[phase] += np.where(then == phase, fought[0] * stays[0], 0.0)
        self.rounds += float(fought[0].sum())
        return fought

    def _move(self, columns: slice, rows: slice, law: Grid) -> Grid:
        """Move what does not fight a round in some cells to where it goes; return the rest."""
        moves, here, law = self._sweep.moves, (columns, rows), self._dive(columns, rows, law)
        stops, ended = moves.stop(self._sweep.worth[0], here), ~moves.fights[here]
        if moves.stops is not None:
            leave = self._sweep.rows_that_leave[rows]
            _add(self.law[0][columns].T, moves.stays[rows], (law * (stops & ~leave)).T)
            ended |= stops & leave
        self.ended[here] += law * ended
        law = law * (moves.fights[here] & ~stops)
        if moves.leaves is None:
            return law
        _add(self.ended[:, rows], moves.left[columns], law * moves.leaves[here])
        return np.asarray(law * ~moves.leaves[here])

    def _dive(self, columns: slice, rows: slice, law: Grid) -> Grid:
        """Move what submerges in some cells to where it goes; return the rest."""
        moves, (ours, theirs) = self._sweep.moves, self._sweep.submerge[:, columns, rows]
        if moves.dives is None:
            return law
        theirs = theirs & ~ours
        _add(self.law[0][columns].T, moves.dived[0][rows], (law * ours).T)
        _add(self.law[0][:, rows], moves.dived[1][columns], law * theirs)
        return np.asarray(law * ~(ours | theirs))

    # Hits ------------------------------------------------------------------------------------------------

    def _hit_attackers(self, place: int, columns: slice, rows: slice, law: Grid) -> None:
        """Let the defender's hits fall where the attacker's cost nobody; `law` is the probability of that."""
        for phase, some, others in self._sweep.meetings(place, columns, rows):
            table, fire = self._hits_of(phase, columns.start + some)
            here = np.ix_(rows.start + others, columns.start + some)
            table[here] += law[np.ix_(some, others)].T[:, :, None] * fire

    def _hit_defenders(self, place: int, columns: slice, law: Grid, shooters: Forces) -> None:
        """Let the attacker's hits fall, the defender choose, and the defender's hits fall; `law` is who fights."""
        sweep = self._sweep
        for phase, some, rows in sweep.meetings(place, columns, slice(0, len(sweep.attack))):
            here = law[np.ix_(some, rows)]
            if phase.attack and here.any():
                nodes, chances = columns.start + some, sweep.joint_hits(phase, shooters, rows)
                first, ways = sweep.first_replies(phase, nodes, rows, shooters)
                table, fire = self._hits_of(phase, nodes)
                waiting = here[:, None] * chances
                for left, which in ways.by_left():
                    forces, hits, ranks = ways.forces[which], ways.hits[which], ways.ranks[which]
                    chosen = np.where(first[forces, hits] == ranks[:, None], waiting[forces, hits], 0.0)
                    table[rows, left] += chosen.T @ fire[forces]

    def _hits_of(self, phase: Phase, nodes: Nodes) -> tuple[Grid, Grid]:
        """The table of hits on the attacker, [row, column, combination], and their law: [node, combination]."""
        fire = self._sweep.after_fire(phase, nodes)[1]
        takes = takes_of(phase.defence)
        table = self._hit[phase.leads_to][takes] if takes else self.law[phase.leads_to].T
        return table.reshape(*table.shape[:2], -1), fire

    def _arrive(self, columns: slice, rows: slice) -> None:
        """Carry what has no more hits to take, or whose hits may take nobody, to where it goes."""
        for phase, tables in enumerate(self._hit):
            for takes in sorted(tables, key=len, reverse=True):
                rest = tables.get(takes[1:], self.law[phase].T)
                table = tables[takes][rows, columns]
                part = rest[(rows, columns, *(slice(0, size) for size in table.shape[3:]))]
                part += table[:, :, 0]
                table[:, :, 0] = 0.0
                stuck = np.flatnonzero(self._sweep.attack.stuck[takes[0]][rows])
                if len(stuck):
                    part[stuck] += table[stuck, :, 1:].sum(axis=2)
                    table[stuck, :, 1:] = 0.0

    def _lose(self, columns: slice, rows: slice) -> None:
        """Let the attacker choose what the next hit takes."""
        side = self._sweep.attack
        for tables, worth in zip(self._hit, self._sweep.tables, strict=True):
            for takes, table in tables.items():
                after, possible = side.after[takes[0]][rows], side.open[takes[0]][rows]
                before, best = worth.tables[takes][:, columns, :-1], worth.tables[takes][rows, columns, 1:]
                waiting = table[rows, columns, 1:].copy()
                table[rows, columns, 1:] = 0.0
                if not waiting.any():
                    continue
                for option in range(after.shape[1]):
                    some = np.flatnonzero(possible[:, option])
                    good = before[after[some, option]] >= best[some] - SAME
                    chosen = np.where(good, waiting[some], 0.0)
                    waiting[some] -= chosen
                    _add(table[:, columns, :-1], after[some, option], chosen)


def _add(law: Grid, places: Nodes, more: Grid) -> None:
    """Add something to a law at places of its first axis, which may repeat."""
    if len(np.unique(places)) == len(places):
        law[places] += more
    else:
        np.add.at(law, places, more)
