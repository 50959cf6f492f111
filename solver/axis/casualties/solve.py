"""Solves a battle in which casualties are chosen: the worth of the battle and of every pair of forces in it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from math import inf, prod

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.casualties.moves import CasualtyMoves
from solver.axis.casualties.opening_choices import PLANES, ChosenOpening, find_chosen_opening
from solver.axis.casualties.sides import Side, side_in_order, side_that_chooses
from solver.axis.casualties.sweep import CasualtySweep
from solver.axis.casualties.tables import SAME, Grid
from solver.axis.chain import AxisChain
from solver.axis.course import dives_late, few_are_left, fight_mask, has_first_round, last_round, submerge_masks
from solver.axis.ends import AxisEnds
from solver.axis.kernel.forces import Flags, Forces, can_leave
from solver.axis.kernel.kinds import Kinds
from solver.axis.kernel.meetings import sub_places
from solver.axis.sides import Chooses
from solver.axis.solve import MOST_SECONDS, count_forces
from solver.errors import TooLargeError
from solver.progress import Meter

MOST_CELLS = 530_000
"""The most pairs of forces, such as those of five kinds of six units each against an order of loss of 30 units."""

Ends = Callable[[Forces, Forces, Flags], Grid]
"""Returns the worth to the attacker if a battle ends in a cell: [column, row].

It takes the forces of both sides, and in which cells there is a round; it may leave out those in which no battle ends.
"""


@dataclass(frozen=True, eq=False)
class CasualtyGame:
    """A battle with the worth of every pair of forces to the attacker.

    Attributes:
        battle: The battle, in which a side that chooses keeps nothing to the last.
        sweep: The worth of all cells; with a limit of rounds after the first round.
        opening: The course of the battle before it, with the best choices.
        value: The worth of the battle before it begins.
        declined: Whether the attacker does best to decline it.
    """

    battle: AxisBattle
    sweep: CasualtySweep
    opening: ChosenOpening
    value: float
    declined: bool

    @property
    def first(self) -> Grid:
        """The worth before the first round for each of the attacker's forces, with all units of the defender: [row]."""
        return self.worth(self.sweep.defence.start)

    def worth(self, column: int) -> Grid:
        """Return the worth before the first round for each of the attacker's forces: [row].

        Args:
            column: The defender's force.
        """
        return _worth_before_rounds(self.battle, self.sweep, column, self.opening.helpless)


def choice_seconds(battle: AxisBattle, chooses: Chooses) -> float:
    """Estimate the seconds for chosen casualties, from the number of pairs of forces: see `Estimate`."""
    cells: int = prod(
        prod(count + 1 for _name, count in side.units) if free else count_forces(side, battle)
        for side, free in zip((battle.attacker, battle.defender), chooses, strict=True)
    )
    return min((0.004 if battle.theatre == "land" else 0.007) * float(cells**0.47), MOST_SECONDS)


def solve_casualties(battle: AxisBattle, limit: float = inf, ends: Ends | None = None) -> CasualtyGame:
    """Return the worth of a battle in which casualties are chosen.

    Args:
        battle: The battle.
        limit: The most work that this may take, in the unit of `Meter`.
        ends: The worth of its ends; None if it follows from the aim of those who choose.

    Raises:
        TooLargeError: If there are more than `MOST_CELLS` pairs of forces, or if it takes more work.
    """
    battle = battle.free
    chain = AxisChain(battle)
    sweep = solve_sweep(chain, ends or partial(_ends_of_battle, battle), Meter(limit))
    (opening,) = find_openings(chain, sweep)
    meet = bool(chain.defence.alive[chain.columns[0]])
    declined = meet and bool(battle.retreat) and battle.decline_allowed and opening.value < -SAME
    value = 0.0 if declined else opening.value
    return CasualtyGame(battle, sweep, opening, value, declined)


def solve_sweep(
    chain: AxisChain, ends: Ends, meter: Meter, weak_first: tuple[bool, bool] = (True, True)
) -> CasualtySweep:
    """Return the worth of all cells of a battle in which casualties are chosen.

    Args:
        chain: The chain of the battle.
        ends: Returns what the battle is worth to the attacker if it ends.
        meter: Counts the work.
        weak_first: For the attacker and the defender as `side_that_chooses` takes it.

    Raises:
        TooLargeError: If there are more than `MOST_CELLS` pairs of forces, or if it takes more work than allowed.
    """
    battle, (attack, defence) = chain.battle, (_side(chain, place, weak_first[place]) for place in (0, 1))
    if len(attack) * len(defence) > MOST_CELLS:
        raise TooLargeError("units", "there are too many ways to lose these units")
    kinds, moves = Kinds(battle, attack.forces, defence.forces), _moves(chain, attack, defence, ends)
    sweep = CasualtySweep(attack, defence, kinds, moves, meter)
    if (last := last_round(battle)) is None:
        sweep.run()
    elif battle.round_limit is None:
        sweep.run_rounds(last - 1, moves.ends, moves.fights)
    else:
        sweep.run_rounds(last - 1, _worth_at_limit(sweep))
    return sweep


def find_openings(chain: AxisChain, sweep: CasualtySweep) -> list[ChosenOpening]:
    """Return the opening against each force with which the defender may begin.

    Args:
        chain: The chain of the battle.
        sweep: The worth of all its cells.
    """
    worth = cache(partial(_worth_before_rounds, chain.battle, sweep))
    starts = range(len(chain.columns))
    return [find_chosen_opening(chain, sweep.attack, sweep.defence, worth, start) for start in starts]


def _worth_before_rounds(battle: AxisBattle, sweep: CasualtySweep, column: int, helpless: bool) -> Grid:
    """The worth before the first round for each of the attacker's forces: [row]."""
    if has_special_first_round(battle):
        return FirstRound(battle, sweep, column, helpless).worth
    return np.asarray(sweep.worth[0][column].copy())


def has_special_first_round(battle: AxisBattle) -> bool:
    """Return whether the first round is apart: it has to be fought, ships bombard, or nobody submerges before it.

    Args:
        battle: The battle.
    """
    return battle.round_limit is not None or has_first_round(battle) or bool(battle.fleet)


def _side(chain: AxisChain, place: int, weak_first: bool) -> Side:
    """The forces of a side, 0 for the attacker."""
    battle, lattice = chain.battle, (chain.attack, chain.defence)[place]
    starts = chain.columns if place else chain.rows[:1]
    ours, theirs = chain.segments[place], chain.segments[1 - place]
    takes = chain.find_takes(theirs, ours, place)
    if battle.chooses[place]:
        takes += [PLANES] if place == 0 or chain.sizes[1] > 1 else []
        return side_that_chooses(battle, lattice, starts, takes, chain.find_leaving(place), weak_first)
    return side_in_order(lattice, takes, starts)


def _ends_of_battle(battle: AxisBattle, attack: Forces, defence: Forces, _fights: Flags) -> Grid:
    """The worth of the ends of a battle of one wave."""
    ends = AxisEnds(battle, attack, defence, np.arange(len(attack))[None], np.arange(len(defence))[:, None])
    return np.array(ends.wins if battle.aim == "takes" else ends.profit, float)


def _moves(chain: AxisChain, attack: Side, defence: Side, ends: Ends) -> CasualtyMoves:
    """Return the moves that can be made in each cell, with the worth of the ends."""
    battle, rows, columns = chain.battle, np.arange(len(attack))[None], np.arange(len(defence))[:, None]
    fights = fight_mask(attack.forces, defence.forces, rows, columns)
    dives, dived = None, (rows[0], columns[:, 0])
    if any(battle.submerge) and battle.theatre == "sea":
        dives = submerge_masks(battle, attack.forces, defence.forces, rows, columns)
        after = [
            side.nodes_after_leaving(sub_places(side.forces.segments), most)
            for side, most in zip((attack, defence), battle.submerge, strict=True)
        ]
        dived = after[0], after[1]
    leaves, left, leavers = None, columns[:, 0], chain.find_leaving(1)
    if battle.defender_retreat and leavers:
        leaves = fights & few_are_left(battle, defence.forces)[columns]
        left = defence.nodes_after_leaving(leavers.others)
    leaving = chain.find_leaving(0)
    stays, can_stop = rows[0], attack.forces.count(can_leave) > 0
    if leaving and leaving.others:
        landed = attack.forces.count(lambda unit: unit.amphibious) > 0
        stays = np.where(landed, attack.nodes_after_leaving(leaving.others), rows[0])
    return CasualtyMoves(
        ends(attack.forces, defence.forces, fights),
        fights,
        fights & can_stop if battle.retreat else None,
        stays,
        dives,
        dived,
        leaves,
        left,
        battle.chooses,
    )


def _worth_at_limit(sweep: CasualtySweep) -> Grid:
    """The worth of each cell when the rounds are over: all who can leave do, and units landed from the sea fight on."""
    endless = sweep.endless()
    if endless is None:
        return sweep.moves.ends
    return np.where(sweep.ended_after_rounds, sweep.moves.ends, endless.worth[0][:, sweep.moves.stays])


@dataclass(frozen=True, eq=False)
class FirstRound:
    """A first round apart from the others, against one force of the defender: it has to be fought, or ships bombard.

    Its values are for each of the attacker's forces: [row].

    Attributes:
        battle: The battle.
        sweep: The worth of all cells after the round.
        column: The defender's force.
        helpless: Whether the defenders were helpless before the opening.
    """

    battle: AxisBattle
    sweep: CasualtySweep
    column: int
    helpless: bool

    @property
    def worth(self) -> Grid:
        """The worth if submarines do what is best before it."""
        stays, moves = self.without_our_dive, self.sweep.moves
        under = stays[moves.dived[0]]
        return np.where(self._may_dive(0), np.maximum(stays, under) if moves.free[0] else under, stays)

    def _may_dive(self, side: int) -> Flags:
        """Where submarines of a side, 0 for the attacker's, may submerge before it: [row]."""
        dives = self.sweep.moves.dives
        return np.asarray((dives[side][self.column] if dives else False) & ~(self.fights & dives_late(self.battle)))

    @property
    def dives(self) -> tuple[Flags, Flags]:
        """Whether the attacker's submarines submerge before it, and whether the defender's do; some may submerge."""
        moves, stays = self.sweep.moves, self.without_our_dive
        ours, theirs = self._may_dive(0), self._may_dive(1)
        return moves.submerge(0, ours, stays, stays[moves.dived[0]]), moves.submerge(1, theirs, self.fought, stays)

    @cached_property
    def without_our_dive(self) -> Grid:
        """The worth if only the defender's submarines may still submerge before it."""
        moves = self.sweep.moves
        if not self._may_dive(1).any():
            return self.fought
        under = replace(self, column=int(moves.dived[1][self.column])).without_our_dive
        best = np.minimum(self.fought, under) if moves.free[1] else under
        return np.where(self._may_dive(1), best, self.fought)

    @cached_property
    def fought(self) -> Grid:
        """The worth if no submarine submerges before it. Ships fire in it, and what is helpless is lost."""
        shooters, ends = self.sweep.attack.forces.with_ships(self.battle.ships), self.sweep.moves.ends
        worth = self.sweep.worth_of_round(slice(self.column, self.column + 1), shooters)[0]
        return np.asarray(np.where(self.fights, worth, np.where(self.ships_alone, ends[0], ends[self.column])))

    @property
    def fights(self) -> Flags:
        """Whether it is fought, with the ships."""
        defence = self.sweep.defence.forces
        fires = bool(self.battle.ships) and bool(defence.alive[self.column] & ~defence.helpless[self.column])
        return np.asarray(self.sweep.moves.fights[self.column] | fires)

    @property
    def ships_alone(self) -> Flags:
        """Whether nobody attacks but ships against helpless defenders, which these destroy."""
        return np.asarray(~self.sweep.attack.forces.alive & (self.helpless and bool(self.battle.fleet)))
