"""Solves a battle in which casualties are chosen: the worth of the battle and of every pair of forces in it."""

from dataclasses import dataclass, replace
from functools import partial
from math import inf

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.chain import AxisChain
from solver.axis.ends import AxisEnds
from solver.axis.kernel.clashes import fight_mask, submerge_masks
from solver.axis.kernel.forces import Flags
from solver.axis.kernel.kinds import Kinds
from solver.axis.kernel.meetings import sub_places
from solver.axis.units import ROLES
from solver.casualties.battle import ChosenBattle
from solver.casualties.moves import CasualtyMoves
from solver.casualties.opening_choices import PLANES, ChosenOpening, find_chosen_opening
from solver.casualties.sides import Side, side_in_order, side_that_chooses
from solver.casualties.sweep import CasualtySweep
from solver.casualties.tables import Grid
from solver.errors import TooLargeError
from solver.progress import Meter

MOST_CELLS = 530_000
"""The most pairs of forces, such as those of five kinds of six units each against an order of loss of 30 units."""


@dataclass(frozen=True, eq=False)
class CasualtyGame:
    """A battle with the worth of every pair of forces to the attacker.

    Attributes:
        battle: The battle.
        sweep: The worth of all cells; with a limit of rounds after the first round.
        opening: What happens before it, with the best choices.
        value: The worth of the battle before it begins.
        declined: Whether the attacker does best to decline it.
    """

    battle: ChosenBattle
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
        return _worth_before_rounds(self.battle, self.sweep, column)


def solve_casualties(battle: ChosenBattle, most: float = inf) -> CasualtyGame:
    """Return the worth of a battle in which casualties are chosen.

    Args:
        battle: The battle.
        most: The most work that this may take, in the unit of `Meter`.

    Raises:
        TooLargeError: If there are more than `MOST_CELLS` pairs of forces, or if it takes more work.

    Example:
        >>> from solver.axis.sides import Army
        >>> from solver.axis.units import Rules, Unit
        >>> infantry, fighter = Unit("infantry", "land", 1, 2, 3), Unit("fighter", "air", 3, 4, 10)
        >>> rules = Rules("1942", (infantry, fighter), (("infantry", "fighter"),) * 4)
        >>> armies = Army.of({"infantry": 1, "fighter": 2}), Army.of({"infantry": 1})
        >>> round(solve_casualties(ChosenBattle(rules, "land", *armies)).value, 6)
        0.988368
    """
    chain = AxisChain(battle)
    attack, defence = (_side(chain, battle, place) for place in (0, 1))
    if len(attack) * len(defence) > MOST_CELLS:
        raise TooLargeError("units", "there are too many ways to lose these units")
    kinds, moves = Kinds(battle, attack.forces, defence.forces), _moves(chain, battle, attack, defence)
    sweep = CasualtySweep(attack, defence, kinds, moves, Meter(most))
    limit = battle.round_limit
    if limit is None:
        sweep.run()
    else:
        sweep.run_rounds(limit - 1, _worth_at_limit(sweep))
    worth = partial(_worth_before_rounds, battle, sweep)
    opening = find_chosen_opening(chain, attack, defence, battle.chooses, worth)
    declined = bool(battle.retreat) and battle.decline_allowed and opening.value < 0
    value = 0.0 if declined else opening.value
    return CasualtyGame(battle, sweep, opening, value, declined)


def _worth_before_rounds(battle: AxisBattle, sweep: CasualtySweep, column: int) -> Grid:
    """The worth before the first round for each of the attacker's forces: [row]."""
    if has_special_first_round(battle):
        return worth_of_first_round(battle, sweep, column)
    return np.asarray(sweep.worth[0][column].copy())


def has_special_first_round(battle: AxisBattle) -> bool:
    """Return whether the first round is apart from the others: it has to be fought, or ships bombard.

    Args:
        battle: The battle.
    """
    return battle.round_limit is not None or bool(battle.retreat) or bool(battle.fleet)


def _side(chain: AxisChain, battle: ChosenBattle, place: int) -> Side:
    """The forces of a side, 0 for the attacker."""
    ours, theirs = chain.segments[place], chain.segments[1 - place]
    takes = chain.find_takes(theirs, ours, place)
    if battle.chooses[place]:
        takes += [PLANES] if place == 0 or chain.sizes[1] > 1 else []
        leave = chain.find_leaving(place)
        return side_that_chooses(battle, ROLES[place], takes, leave, priced=battle.aim == "profit")
    lattice, start = (chain.defence, chain.columns) if place else (chain.attack, chain.rows)
    return side_in_order(lattice, takes, int(start[0]))


def _moves(chain: AxisChain, battle: ChosenBattle, attack: Side, defence: Side) -> CasualtyMoves:
    """What may be done in each cell, and what the ends are worth."""
    rows, columns = np.arange(len(attack))[None], np.arange(len(defence))[:, None]
    ends = AxisEnds(battle, attack.forces, defence.forces, rows, columns)
    fights = fight_mask(attack.forces, defence.forces, rows, columns)
    dives, dived = None, (rows[0], columns[:, 0])
    if any(battle.submerge) and battle.theatre == "sea":
        dives = submerge_masks(battle, attack.forces, defence.forces, rows, columns)
        after = [side.nodes_after_leaving(sub_places(side.forces.segments)) for side in (attack, defence)]
        dived = after[0], after[1]
    leaving = chain.find_leaving(0)
    stays, can_stop = rows[0], attack.forces.count(lambda unit: not unit.amphibious) > 0
    if leaving and leaving.others:
        landed = attack.forces.count(lambda unit: unit.amphibious) > 0
        stays = np.where(landed, attack.nodes_after_leaving(leaving.others), rows[0])
    return CasualtyMoves(
        np.array(ends.wins if battle.aim == "takes" else ends.profit, float),
        fights,
        fights & can_stop if battle.retreat else None,
        stays,
        dives,
        dived,
        battle.chooses,
    )


def endless_sweep(sweep: CasualtySweep) -> CasualtySweep | None:
    """Return the worth of fights that no limit of rounds and no plan ends: those of units landed from the sea.

    Args:
        sweep: The cells.

    Returns:
        The worth; None if no unit was landed.
    """
    if not sweep.attack.forces.count(lambda unit: unit.amphibious).any():
        return None
    endless = CasualtySweep(sweep.attack, sweep.defence, sweep.kinds, replace(sweep.moves, stops=None), sweep.meter)
    endless.run()
    return endless


def rows_that_leave(sweep: CasualtySweep) -> Flags:
    """Return which of the attacker's forces are out of the battle when they stop: all but those with landed units.

    Args:
        sweep: The cells.
    """
    stays = sweep.moves.stays
    can_leave = sweep.attack.forces.count(lambda unit: not unit.amphibious) > 0
    return np.asarray(can_leave & (stays == np.arange(len(stays))))


def _worth_at_limit(sweep: CasualtySweep) -> Grid:
    """The worth of each cell when the rounds are over: all who can leave do, and units landed from the sea fight on."""
    endless = endless_sweep(sweep)
    if endless is None:
        return sweep.moves.ends
    return np.where(rows_that_leave(sweep), sweep.moves.ends, endless.worth[0][:, sweep.moves.stays])


def worth_of_first_round(battle: AxisBattle, sweep: CasualtySweep, column: int) -> Grid:
    """Return the worth of a first round that has to be fought, if submarines do what is best before it: [row].

    Args:
        battle: The battle.
        sweep: The worth of all cells after it.
        column: The defender's force.
    """
    found, moves = worth_without_our_dive(battle, sweep, column), sweep.moves
    if moves.dives is None:
        return found
    under = found[moves.dived[0]]
    return np.where(moves.dives[0][column], np.maximum(found, under) if moves.free[0] else under, found)


def first_dives(battle: AxisBattle, sweep: CasualtySweep, column: int) -> tuple[Flags, Flags]:
    """Return whether submarines submerge before a first round that has to be fought: the attacker's, then the rest.

    Args:
        battle: The battle, in which submarines may submerge.
        sweep: The worth of all cells after the round.
        column: The defender's force.

    Returns:
        For each of the attacker's forces whether its submarines submerge, and whether the defender's do: [row].
    """
    moves, found = sweep.moves, worth_without_our_dive(battle, sweep, column)
    assert moves.dives, "submarines may submerge"
    ours, theirs = moves.dives[0][column], moves.dives[1][column]
    fought = worth_of_fighting(battle, sweep, column)
    return moves.submerge(0, ours, found, found[moves.dived[0]]), moves.submerge(1, theirs, fought, found)


def worth_without_our_dive(battle: AxisBattle, sweep: CasualtySweep, column: int) -> Grid:
    """Return the worth of a first round before which only the defender's submarines may still submerge: [row].

    Args:
        battle: The battle.
        sweep: The worth of all cells after it.
        column: The defender's force.
    """
    found, moves = worth_of_fighting(battle, sweep, column), sweep.moves
    if moves.dives is None or not moves.dives[1][column].any():
        return found
    under = worth_without_our_dive(battle, sweep, int(moves.dived[1][column]))
    return np.where(moves.dives[1][column], np.minimum(found, under) if moves.free[1] else under, found)


def worth_of_fighting(battle: AxisBattle, sweep: CasualtySweep, column: int) -> Grid:
    """Return the worth of a first round before which no submarine submerges: [row].

    Ships fire beside the attacker, and what is helpless is lost.

    Args:
        battle: The battle.
        sweep: The worth of all cells after it.
        column: The defender's force.
    """
    shooters = sweep.attack.forces.with_ships(battle.ships)
    found = sweep.worth_of_round(slice(column, column + 1), shooters)[0]
    return np.where(first_fights(battle, sweep, column), found, first_ends(battle, sweep, column))


def first_fights(battle: AxisBattle, sweep: CasualtySweep, column: int) -> Flags:
    """Return which of the attacker's forces fight a first round with their ships: [row].

    Args:
        battle: The battle.
        sweep: The cells.
        column: The defender's force.
    """
    defence = sweep.defence.forces
    fires = bool(battle.ships) and bool(defence.alive[column] & ~defence.helpless[column])
    return np.asarray(sweep.moves.fights[column] | fires)


def first_ends(battle: AxisBattle, sweep: CasualtySweep, column: int) -> Grid:
    """Return what the battle is worth where there is no first round: [row].

    Args:
        battle: The battle.
        sweep: The cells.
        column: The defender's force.
    """
    ends = sweep.moves.ends
    return np.asarray(np.where(ships_alone(battle, sweep), ends[0], ends[column]))


def ships_alone(battle: AxisBattle, sweep: CasualtySweep) -> Flags:
    """Return which of the attacker's forces are none but ships against helpless defenders, which these destroy: [row].

    Args:
        battle: The battle.
        sweep: The cells.
    """
    helpless = bool(battle.fleet) and bool(sweep.defence.forces.helpless[sweep.defence.start])
    return np.asarray(~sweep.attack.forces.alive & helpless)
