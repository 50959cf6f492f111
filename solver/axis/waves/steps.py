"""The steps of waves: how one wave leads to the next, and what all waves are worth, without the history of losses.

Chances to hold the field and averages of money add up over waves, so it is enough to know who stands on the field.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from solver.axis.casualties.solve import choice_seconds
from solver.axis.chain import MOST_NUMBERS, AxisChain, AxisKernel
from solver.axis.kernel.forces import Nodes
from solver.axis.kernel.search import unique_inverse
from solver.axis.odds import AxisOdds, odds_of_ends
from solver.axis.plans import worth_of_start
from solver.axis.sides import Units
from solver.axis.solve import MOST_SECONDS, army_seconds, solve_each
from solver.axis.units import AMPHIBIOUS
from solver.axis.waves.ahead import Holder, WaveEnds, WaveFuture, canonical_units, unmet_starts
from solver.axis.waves.joint import FinalField, set_prices, territory_gain
from solver.axis.waves.units import add_units
from solver.axis.waves.waves import Waves
from solver.chain import Chances, Grid, backward
from solver.errors import TooLargeError
from solver.progress import Meter

OVERHEAD = 400_000
"""The work of solving even the smallest wave, in the unit of `Meter`."""
END_WORK = 40.0
"""The approximate work to find out what follows an ending, in the unit of `Meter`."""
SET_WORK, FATE_WORK = 12_000, 1_000
"""The approximate work for one more set of units, and for a fate of it, in the unit of `Meter`."""


class Place(NamedTuple):
    """The state of the field before a wave.

    Attributes:
        wave: The number of the wave, from 0.
        captor: The wave in which its holder captured the field; -1 for the first defenders.
        units: The holder's units, without the reinforcements of the wave.
        guns: The guns that cannot be hit, without the reinforcements.
        fleet: The fleet against the holder, which fights no more: see `Holder`.
    """

    wave: int
    captor: int
    units: Units
    guns: Units = ()
    fleet: Units = ()


After = Callable[[Sequence[Place]], Grid]
"""Returns what follows for each of several places, in several versions: [place, version, 2]."""

START = Place(0, -1, ())
"""The field before the first wave."""


class WavesWorth(NamedTuple):
    """The worth of waves for the first attacker's side.

    Attributes:
        holds: The chance that it holds the field at the end.
        profit: Its expected profit in money: see `JointOdds.profits`.
    """

    holds: float
    profit: float


@dataclass(frozen=True, eq=False)
class Step:
    """One wave, solved from several places or mixtures of them: the fights.

    Attributes:
        pays: The worth of each fight at once, in the order of `WavesWorth`: [fight, 2]. The chance counts where the
            battle is over, the money is that of this wave.
        places: The places before the next waves.
        chances: The chance to come to each of them: [fight, place].
    """

    pays: Grid
    places: tuple[Place, ...]
    chances: Grid


def waves_seconds(waves: Waves, *_others: object) -> float:
    """Estimate the seconds for the odds of a battle: see `Estimate`."""
    chosen = sum(choice_seconds(wave, wave.chooses) for wave in waves.battles if any(wave.chooses))
    return min((1 if waves.only else 2) * (sum(map(army_seconds, waves.battles)) + chosen), MOST_SECONDS)


def overhead(waves: Waves, number: int) -> float:
    """Return the work of solving a wave, however small it is, in the unit of `Meter`.

    Args:
        waves: The waves.
        number: The number of the wave, from 0.
    """
    return OVERHEAD * (2 if waves.battles[number].retreat.plans else 1)


class WaveFight:
    """One wave against several sets of units of one holder of the field.

    Args:
        waves: All waves.
        places: Different places before that wave, which differ only in the holder's units and in the fleet against it.
        meter: Counts the work.

    Raises:
        TooLargeError: The wave is too large, or it takes more work than the meter allows.
    """

    def __init__(self, waves: Waves, places: Sequence[Place], meter: Meter) -> None:
        number, captor, _, guns, _ = places[0]
        meter.add(overhead(waves, number) + SET_WORK * len(places))
        self.waves, self.places = waves, places
        fresh, table = dict(waves.fresh[number]), waves.battles[number].rules.table
        # The holder may have every unit that can stand there, so that no holder needs a chain of its own.
        largest = {
            name: count - fresh.get(name, 0)
            for name, count in waves.battles[number].defender.units
            if not table[name].captured
        } | dict(guns)
        holder, battle = Holder(captor, canonical_units(largest)), waves.battle_against(number, largest)
        sets = {units: row for row, units in enumerate(dict.fromkeys(place.units for place in places))}
        starts = [canonical_units(add_units(dict(units), fresh)) for units in sets]
        self.chain = AxisChain(battle, chances=dict.fromkeys(starts, 1.0))
        self.chain.meter = meter
        self.check_size()
        fleets = {fleet: row for row, fleet in enumerate(dict.fromkeys(place.fleet for place in places))}
        self.ways = [WaveEnds(waves, number, holder._replace(fleet=fleet, brought=fleet), battle) for fleet in fleets]
        self.future = None
        if waves.look_ahead:
            self.future = WaveFuture(waves, meter).future(number, self.ways[0].holder, self.chain)
        self.set_at = np.array([sets[place.units] for place in places], np.int64)
        self.fleet_at = np.array([fleets[place.fleet] for place in places], np.int64)
        # What can stand there but does not counts as lost in the odds.
        side = waves.side(number)
        whole, *there = prices_of(waves, 1 - side, [battle.defender.units, *starts])
        self.counted = (1 - 2 * side) * (whole - np.array(there))

    def check_size(self) -> None:
        """Refuse a wave that is too large with a TooLargeError."""
        if self.chain.numbers > MOST_NUMBERS:
            raise TooLargeError("waves", "a wave of this size is too large to solve")

    # Forward ---------------------------------------------------------------------------------------------

    def step(self, fights: Grid) -> Step:
        """Return the wave fought to its end.

        Args:
            fights: The chance of each place in each fight: [fight, place].

        Raises:
            TooLargeError: It takes more work than the meter allows.
        """
        begin = np.zeros((len(self.ways), len(fights), len(self.chain.columns)))
        for place, column in enumerate(fights.T):
            begin[self.fleet_at[place], :, self.set_at[place]] += column
        mixed = begin.reshape(-1, begin.shape[2])
        # Each set is fought once if that is less than all mixtures.
        alone = len(mixed) > begin.shape[2]
        odds, solved = solve_each(
            self.chain, 0.0, self.future, np.eye(begin.shape[2]) if alone else mixed, unmet_starts(self.chain)
        )
        self.chain.meter.add(END_WORK * len(odds.chances) * len(self.ways) + len(mixed) * solved.shape[1])
        shares = (mixed @ solved if alone else solved).reshape(*begin.shape[:2], -1)
        paid = np.zeros((len(fights), 2))
        numbers: dict[Place, int] = {}
        chances: list[Grid] = []
        for ways, share in zip(self.ways, shares, strict=True):
            pays, places, at = follow_ends(self.waves, ways, odds, self.chain.meter)
            goes_on = at >= 0
            following_chances = np.array([np.bincount(at[goes_on], row, len(places)) for row in share[:, goes_on]])
            paid += share @ pays
            for following, chance in zip(places, following_chances.T, strict=True):
                if following in numbers:
                    chances[numbers[following]] += chance
                elif chance.any():
                    numbers[following] = len(chances)
                    chances.append(chance.copy())
        paid[:, 1] -= mixed.reshape(begin.shape).sum(axis=0) @ self.counted
        return Step(paid, tuple(numbers), np.array(chances).reshape(-1, len(fights)).T)

    # Backward --------------------------------------------------------------------------------------------

    def worth(self, after: After) -> Grid:
        """Return what the wave is worth against each set, with all that follows: see `WavesWorth`.

        It is the worth in each version: [place, version, 2]. `after` returns what follows for each of several places,
        in several versions. TooLargeError if it takes more work than the meter allows.
        """
        if self.chain.battle.ends_early or unmet_starts(self.chain).any():
            return self._worth_forward(after)
        chain = self.chain
        rows, columns = np.nonzero(~chain.fights)
        ends = odds_of_ends(chain.battle, chain.attack, chain.defence, rows, columns, np.zeros(len(rows)), 0.0)
        chain.meter.add(END_WORK * len(rows))
        worths = [self._worth_against(ways, ends, rows, columns, after) for ways in self.ways]
        if len(worths) == 1:
            return worths[0]
        return np.array([worths[fleet][place] for fleet, place in zip(self.fleet_at, self.set_at, strict=True)])

    def _worth_against(self, ways: WaveEnds, ends: AxisOdds, rows: Nodes, columns: Nodes, after: After) -> Grid:
        """Return the result of `worth` for each set, with one fleet against the holder."""
        chain = self.chain
        pays, places, at = follow_ends(self.waves, ways, ends, chain.meter)
        follows = after(places)
        follows = np.concatenate([follows, np.zeros((1, *follows.shape[1:]))])[at]  # the last for ends without a place
        paid = np.moveaxis(pays[:, None] + follows, 0, -1)
        kernel, first = chain.kernel(), chain.bombardment_kernel()
        height, at_once = kernel.empty().shape[0], max(MOST_NUMBERS // (2 * max(chain.cells, 1)), 1)
        worths = np.empty((len(self.counted), len(paid), 2))
        for version in range(0, len(paid), at_once):
            some = paid[version : version + at_once].reshape(-1, len(rows))
            worth = np.zeros((len(some), height, len(chain.defence)))
            worth[:, rows, columns] = some
            chain.meter.add(float(worth.size))
            backward(kernel, worth)
            starts = self.worth_of_starts(first, worth)
            worths[:, version : version + at_once] = starts.reshape(len(worths), -1, 2)
        worths[:, :, 1] -= self.counted[:, None]
        return worths

    def worth_of_starts(self, first: AxisKernel, worth: Grid) -> Grid:
        """Return the worth of the battle against each set: [set, payoff].

        Args:
            first: The kernel of the first round.
            worth: The worth of each cell: [payoff, row, column].
        """
        chain = self.chain
        if not chain.battle.fleet and not any(chain.battle.submerge):
            opened = worth[:, chain.rows[:, None], chain.opened[:, None]]
            return np.asarray((opened * chain.opening).sum(axis=(2, 3)).T)
        return np.array([worth_of_start(chain, first, worth, start) for start in range(len(chain.columns))])

    def _worth_forward(self, after: After) -> Grid:
        """Return the result of `worth`, if attackers may retreat or rounds are limited."""
        step = self.step(np.eye(len(self.places)))
        return np.asarray(step.pays[:, None] + np.einsum("fp,pvx->fvx", step.chances, after(step.places)))


def follow_ends(waves: Waves, ways: WaveEnds, odds: AxisOdds, meter: Meter) -> tuple[Grid, tuple[Place, ...], Nodes]:
    """Return what each end of a wave is worth at once: see `Step.pays`.

    And the places after the wave, and the number of each end's place, or -1.

    Args:
        waves: The waves.
        ways: The future after the wave.
        odds: The odds of the wave.
        meter: Counts the work.
    """
    meter.add(FATE_WORK * (len(odds.attackers) + len(odds.defenders)))
    captured = ways.capture_mask(odds)
    # The holder of the field depends on one side's fate alone, the fleet against it also on the other's.
    holders, against = ways.holders_after_defence(odds)
    stood = len(odds.attackers) + against * len(odds.defenders) + odds.columns
    codes, code = unique_inverse(np.where(captured, odds.rows, stood))
    places: dict[Place, int] = {}
    over, at = np.zeros((len(codes), 2)), np.full(len(codes), -1, np.int64)
    for end, key in enumerate(codes.tolist()):
        taken = key < len(odds.attackers)
        if taken:
            holder, units = ways.holder_after_capture(odds.attackers[key])
        else:
            number, column = divmod(key - len(odds.attackers), len(odds.defenders))
            holder, units = holders[number], ways.units_after_defence(odds.defenders[column])
        following = ways.next[taken]
        if following is not None:
            place = Place(following, holder.captor, units, ways.guns, holder.fleet)
            at[end] = places.setdefault(place, len(places))
            continue
        field = FinalField(ways.last_holder(taken, units), units)
        exposed = taken and ways.battle.deadzone
        over[end] = field.holder == 0, territory_gain(waves.battles[0], field, exposed)
    pays = over[code]
    sides = ((odds.attackers, odds.rows, ways.side), (odds.defenders, odds.columns, 1 - ways.side))
    for fates, which, side in sides:
        pays[:, 1] += (2 * side - 1) * prices_of(waves, side, [fate.lost for fate in fates])[which]
    return pays, tuple(places), at[code]


def prices_of(waves: Waves, side: int, sets: Sequence[Units]) -> Chances:
    """Return the worth of sets of units of a side, with damaged ships as whole ones, without guns that cannot be hit.

    Args:
        waves: The waves.
        side: 0 for the first attacker's, 1 for the first defender's.
        sets: The sets.
    """
    first = waves.battles[0]
    table = first.rules.table
    names = sorted({name for units in sets for name, _ in units if not table[name].captured})
    plain = [(table[name].repaired or name).removeprefix(AMPHIBIOUS) for name in names]
    price = dict(zip(names, set_prices(first, side, [((name, 1),) for name in plain]).tolist(), strict=True))
    return np.array([sum([price.get(name, 0.0) * count for name, count in units]) for units in sets], float)


def waves_worth(waves: Waves, meter: Meter) -> WavesWorth:
    """Return what all waves are worth for the first attacker's side.

    Args:
        waves: The waves.
        meter: Counts the work.

    Raises:
        TooLargeError: It takes more work than the meter allows, or a wave is too large.
    """
    worth = np.zeros(2)
    coming: dict[Place, float] = {START: 1.0}
    for number in range(len(waves.battles)):
        here = {place: chance for place, chance in coming.items() if place.wave == number}
        for places in places_by_holder(here, waves.look_ahead):
            mixed = np.array([[here[place] for place in places]])
            step = WaveFight(waves, places, meter).step(mixed)
            worth += step.pays[0]
            for place, chance in zip(step.places, step.chances[0].tolist(), strict=True):
                coming[place] = coming.get(place, 0.0) + chance
    return WavesWorth(*worth.tolist())


def places_by_holder(places: Iterable[Place], fleets_apart: bool) -> list[list[Place]]:
    """Return places in groups that differ only in the holder's units, and in the fleet against it.

    Args:
        places: Different places.
        fleets_apart: Whether each group has only one fleet, which a plan that looks ahead has to know.
    """
    groups: dict[Place, list[Place]] = {}
    for place in places:
        groups.setdefault(place._replace(units=(), fleet=place.fleet if fleets_apart else ()), []).append(place)
    return list(groups.values())


class PlaceWorths:
    """The worth of places, each found once.

    Args:
        waves: The waves.
        meter: Counts the work.
    """

    def __init__(self, waves: Waves, meter: Meter) -> None:
        self.waves, self.meter = waves, meter
        self._known: dict[Place, Grid] = {}

    def find(self, places: Sequence[Place]) -> Grid:
        """Return the worth of places, [place, 1, 2]: see `WavesWorth`. TooLargeError if it is too much work."""
        new = [place for place in dict.fromkeys(places) if place not in self._known]
        for some in self._groups(new):
            self._known.update(zip(some, self._solve(some), strict=True))
        return np.array([self._known[place] for place in places]).reshape(len(places), 1, 2)

    def _groups(self, places: Sequence[Place]) -> Iterable[Sequence[Place]]:
        """Places in groups that are solved at once."""
        return places_by_holder(places, self.waves.look_ahead)

    def _solve(self, places: Sequence[Place]) -> Grid:
        """The worth of places of one group."""
        return WaveFight(self.waves, places, self.meter).worth(self.find)
