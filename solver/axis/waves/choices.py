"""Choices in several waves: what follows each ending with the best choices, and a wave fought by them.

A side that chooses in a wave knows all that may follow: it weighs each ending of the wave by what the later waves are
worth with the best choices of all who choose in them. So waves are solved backward first, and then forward.
"""

from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.casualties.advice import Casualties, first_losses
from solver.axis.casualties.forward import follow
from solver.axis.casualties.solve import CasualtyGame, find_openings, solve_sweep
from solver.axis.casualties.tables import SAME
from solver.axis.chain import AxisChain
from solver.axis.course import last_round
from solver.axis.kernel.forces import Flags, Forces, Nodes
from solver.axis.odds import AxisOdds, odds_of_ends
from solver.axis.sides import Aim, Units
from solver.axis.solve import add_unfought, gather_shares, odds_without_battle
from solver.axis.waves.ahead import WaveEnds, unmet_starts
from solver.axis.waves.steps import START, Place, PlaceWorths, WaveFight, follow_ends, places_by_holder
from solver.axis.waves.waves import Waves
from solver.chain import Chances, Grid, Mask
from solver.progress import Meter

MOST_PLACES = 200
"""About how many places are solved at once in a wave in which nobody chooses."""
LAYER_WORK = 20_000
"""The approximate work for each pair of ranks of forces, however few there are, in the unit of `Meter`."""


def find_wave_casualties(waves: Waves, limit: float) -> Casualties:
    """Return what the best casualties bring in several waves, with the best losses for the first hits of the first.

    Args:
        waves: The waves.
        limit: The most work that this may take, in the unit of `Meter`.

    Raises:
        TooLargeError: If it takes more, or if there are too many ways to lose units.
    """
    worths = ChosenWorths(waves.free, Meter(limit))
    if not any(waves.battles[0].chooses):
        return Casualties(worths.value(), [])
    game = worths.first().game()
    return Casualties(game.value, list(first_losses(game, waves.battles[0].in_order)))


class ChosenWorths(PlaceWorths):
    """The worth of places to the first attacker's side with the best choices from there on, each found once.

    Of their worth only what counts is right: the chance or the profit.

    Args:
        waves: The waves; in each that has choices, without what the orders of those who choose keep to the last.
        meter: Counts the work.
        aim: The aim that counts; None for that of those who choose.
    """

    def __init__(self, waves: Waves, meter: Meter, aim: Aim | None = None) -> None:
        super().__init__(waves, meter)
        self.payoff = int((aim or waves.aim) == "profit")

    def value(self) -> float:
        """Return what the whole battle is worth: the chance to hold the field in the end, or the profit in money."""
        return float(self.find([START])[0, 0, self.payoff])

    def first(self) -> "ChosenFight":
        """Return the first wave, in which somebody chooses."""
        fight = WaveFight(self.waves, [START], self.meter)
        return ChosenFight(self, fight.chain, fight.ways[0])

    def find(self, places: Sequence[Place]) -> Grid:
        """Return the worth of places: see `PlaceWorths`. TooLargeError also for too many ways to lose units."""
        return super().find(
            [place._replace(fleet=known_fleet(self.waves, place.wave, place.fleet)) for place in places]
        )

    def worth_of_ends(self, ways: WaveEnds, odds: AxisOdds) -> Chances:
        """Return the worth of each end of a wave, with the losses in it.

        Args:
            ways: The future after the wave.
            odds: The odds of the wave.
        """
        pays, places, at = follow_ends(self.waves, ways, odds, self.meter)
        return np.asarray(pays[:, self.payoff] + np.append(self.find(places)[:, 0, self.payoff], 0.0)[at])

    def worth_of_cells(
        self, ways: WaveEnds, battle: AxisBattle, attack: Forces, defence: Forces, fights: Flags
    ) -> Grid:
        """Return what it is worth to the attacker of a wave if it ends in a cell, [column, row], as `Ends` does.

        Args:
            ways: The future after the wave.
            battle: Its battle.
            attack: The attacker's forces.
            defence: The defender's forces.
            fights: In which cells there is a round.
        """
        goes_on = bool(battle.retreat) or battle.round_limit is not None
        columns, rows = np.nonzero(~fights | goes_on)
        odds = odds_of_ends(battle, attack, defence, rows, columns, np.zeros(len(rows)), 0.0)
        worth = np.zeros(fights.shape)
        worth[columns, rows] = (1 - 2 * ways.side) * self.worth_of_ends(ways, odds)
        return worth

    def _groups(self, places: Sequence[Place]) -> Iterable[Sequence[Place]]:
        for group in places_by_holder(places, fleets_apart=True):
            yield from (group[first : first + MOST_PLACES] for first in range(0, len(group), MOST_PLACES))

    def _solve(self, places: Sequence[Place]) -> Grid:
        fight = WaveFight(self.waves, places, self.meter)
        if not any(fight.chain.battle.chooses):
            return fight.worth(self.find)
        worth = ChosenFight(self, fight.chain, fight.ways[0]).worth
        return np.repeat((worth - self.payoff * fight.counted)[fight.set_at], 2).reshape(-1, 1, 2)


def known_fleet(waves: Waves, number: int, fleet: Units) -> Units:
    """Return what those who choose need to know of a fleet that fights no more.

    If no counter-attack follows, it only counts whether a ship is there in the end.

    Args:
        waves: The waves.
        number: The wave in which somebody chooses, from 0.
        fleet: The units of the fleet.
    """
    if not fleet or any(waves.holds[number + 1 :]):
        return fleet
    table = waves.battles[number].rules.table
    ship = next((name for name, unit in table.items() if unit.kind == "sea"), "")
    return ((ship, 1),) if any(table[name].kind == "sea" for name, _ in fleet) else ()


def can_lose_weak_first(waves: Waves, number: int, role: int) -> bool:
    """Return whether a side that chooses never does worse if it loses the weaker of two similar units first.

    Strong units must not be worse than weak ones in any later wave, nor few enemies worse than more. So there the side
    has to choose where its units fight again, that is, defend. No plan may act without anybody's choice. And capturing
    the field may only be good: it is not always so in money if captors are attacked, or if those of this wave are met
    instead of later ones.

    Args:
        waves: The waves.
        number: The wave, from 0.
        role: 0 for its attacker, 1 for its defender.
    """
    side = waves.side(number) ^ role
    for later in range(number + 1, len(waves.battles)):
        battle, hold = waves.battles[later], waves.holds[later]
        follows_order = waves.side(later) != side and not battle.chooses[1]
        dives = any(may and not free for may, free in zip(battle.submerge, battle.chooses, strict=True))
        plans = dives or bool(battle.defender_retreat) or (bool(battle.retreat) and not any(battle.chooses))
        exposed = bool(hold) or battle.deadzone if waves.aim == "profit" else hold == "any" and later > 1
        if follows_order or plans or exposed:
            return False
    return True


class ChosenFight:
    """One wave in which casualties are chosen, against one or more forces of one holder of the field.

    Attributes:
        worth: The worth of the wave to the first attacker's side against each force, with all that follows: [start].

    Args:
        worths: The worth of all later places.
        chain: The chain of the wave.
        ways: The future after the wave.
    """

    def __init__(self, worths: ChosenWorths, chain: AxisChain, ways: WaveEnds) -> None:
        self.chain, self._worths, self._ways, self._sign = chain, worths, ways, 1 - 2 * ways.side
        done, battle = worths.meter.done, chain.battle
        weak_first = (
            can_lose_weak_first(worths.waves, ways.number, 0),
            can_lose_weak_first(worths.waves, ways.number, 1),
        )
        self._sweep = solve_sweep(chain, partial(worths.worth_of_cells, ways, battle), worths.meter, weak_first)
        rounds = last_round(battle) or 1
        worths.meter.add(LAYER_WORK * rounds * len(self._sweep.attack.layers) * len(self._sweep.defence.layers))
        self._work = worths.meter.done - done
        self._openings = find_openings(chain, self._sweep)
        fought = self._sign * np.array([opening.value for opening in self._openings])
        self._unmet = unmet_starts(chain)
        may_decline = bool(battle.retreat) and battle.decline_allowed
        some = chain.defence.alive[chain.columns] & ~self._unmet & may_decline
        home = self._without_battle(some, declined=True)
        self._declined: Mask = some & (self._sign * (home - fought) > SAME)
        calm = self._without_battle(self._unmet, declined=False)
        self.worth: Chances = np.where(self._unmet, calm, np.where(self._declined, home, fought))

    def game(self) -> CasualtyGame:
        """Return the wave against the first of the forces as `solve_casualties` returns a battle of one wave."""
        value, declined = float(self._sign * self.worth[0]), bool(self._declined[0])
        return CasualtyGame(self.chain.battle, self._sweep, self._openings[0], value, declined)

    def odds(self, starts: Grid) -> tuple[AxisOdds, Grid]:
        """Return the odds of several battles together, and the share of each: see `solve_each`.

        TooLargeError if it takes more work than the meter of the chain allows.

        Args:
            starts: The probability of each force with which the defender may begin: [battle, start].
        """
        fought = self._fight(starts * ~(self._declined | self._unmet))
        return add_unfought(self.chain, [fought], starts, self._declined, self._unmet)

    def _fight(self, starts: Grid) -> tuple[AxisOdds, Grid]:
        """The odds of the battles that are fought, and each one's share of them."""
        battle, sweep, rounds = self.chain.battle, self._sweep, 0.0
        parts: list[tuple[Nodes, Grid]] = []
        for number, shares in enumerate(starts):
            self.chain.meter.add(self._work if number else 0.0)
            if (last := last_round(battle)) is not None:
                sweep.set_rounds_left(last - 1)
            begun = [(float(shares[start]), self._openings[start]) for start in np.flatnonzero(shares).tolist()]
            ended, fought = follow(battle, sweep, begun)
            cells = np.flatnonzero(ended)
            parts.append((cells, ended.reshape(-1)[None, cells]))
            rounds += fought
        cells, laws = gather_shares(parts)
        columns, rows = np.divmod(cells, len(sweep.attack))
        forces = sweep.attack.forces, sweep.defence.forces
        return odds_of_ends(battle, *forces, rows, columns, laws.sum(axis=0), rounds), laws

    def _without_battle(self, which: Mask, declined: bool) -> Chances:
        """Return the worth if nobody is lost, against some of the forces: [start]."""
        worth = np.zeros(len(which))
        if which.any():
            odds, _ = odds_without_battle(self.chain, np.diag(which.astype(float)), declined)
            worth[which] = self._worths.worth_of_ends(self._ways, odds)
        return worth
