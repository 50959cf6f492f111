"""The links between waves: who meets the next attackers after an ending, and what later waves are worth.

A rule for retreating by profit that looks ahead is computed backward: from the last wave to the first, and in each wave
from its last round to its first. What follows an ending counts like money paid there, so that everything adds up to the
profit of all waves: a captured territory is a gain for the captor and a loss for the other side.
"""

from collections.abc import Iterable, Mapping
from copy import copy
from typing import NamedTuple

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.chain import AxisChain
from solver.axis.course import last_round
from solver.axis.fates import Fate
from solver.axis.kernel.forces import Nodes, is_sub
from solver.axis.kernel.search import unique_inverse
from solver.axis.odds import AxisOdds, odds_of_ends
from solver.axis.plans import Future, RetreatPlans
from solver.axis.sides import Ruling, Units
from solver.axis.solve import fight_battles, odds_without_battle
from solver.axis.units import AMPHIBIOUS
from solver.axis.waves.units import add_units, captors, repair_units, units_after
from solver.axis.waves.waves import Waves
from solver.chain import Chances, Mask
from solver.progress import Meter

CELL_WORK = 40.0
"""The approximate work to find what follows one ending, in the unit of `Meter`."""
STANCES = 3
ALL_STAY, SUBMERGED_STAY, NONE_STAY = range(STANCES)
"""Which attackers stay in a sea zone after an ending."""


class Holder(NamedTuple):
    """The holder of the field before a wave.

    Attributes:
        captor: The wave in which it captured the field; -1 for the first defenders.
        before: The most units of each kind that it can have left, with guns that cannot be hit.
        fleet: At sea, the units of the other side that have stayed there after earlier waves. They fight no more, but
            once no enemy is left they hold the sea together with those who come after them.
        brought: That fleet before its losses.
    """

    captor: int
    before: Units
    fleet: Units = ()
    brought: Units = ()


class WaveEnds:
    """The future after the endings of one wave against one holder of the field.

    Attributes:
        next: The wave in which the field is attacked again, by whether it was captured; None for never.
        defending: The holder if the field was not captured.
        owned: Whether a territory stays with its last holder while nobody stands there.
        guns: The guns that cannot be hit, which go to the holder of the field after this wave.
        stays: Whether attackers who are left stay there, whoever holds the field.
        surfaces: Whether attackers who have submerged hold the sea if nobody else is left: a counter-attack follows.

    Args:
        waves: All waves.
        number: The number of this wave, from 0.
        holder: The holder of the field before it.
        battle: Its battle, with the holder's units and the reinforcements.
    """

    def __init__(self, waves: Waves, number: int, holder: Holder, battle: AxisBattle) -> None:
        self.battle, self.number, self.side = battle, number, waves.side(number)
        self.land = battle.theatre == "land"
        # At sea nobody holds anything but against a counter-attack, or in the end.
        last = number + 1 == len(waves.battles)
        self.capturing = self.land or last or bool(waves.holds[number + 1])
        self.next = {captured: waves.next_wave(number, holder.captor, captured) for captured in (False, True)}
        self.defending = Holder(holder.captor, canonical_units(repair_units(battle.defender.units, battle.rules)))
        self.guns = battle.captured_guns if battle.ruling >= Ruling.FLEETS_STAY else ()
        self.captors = add_units(captors(battle), dict(self.guns))
        # A territory stays with its holder until a land unit of the other side stands there alone.
        self.owned = self.land and battle.ruling >= Ruling.HELPLESS_FALL
        table = battle.rules.table
        names = [name for name, _ in battle.attacker.units]
        self.holding = {name for name in table if not self.land or table[name].kind == "land"}
        self.stays = not self.land and battle.ruling >= Ruling.FLEETS_STAY
        self.surfaces = self.stays and not last and bool(waves.holds[number + 1])
        self.landed = any(name.startswith(AMPHIBIOUS) for name in names)
        self._face(holder)

    def _face(self, holder: Holder) -> None:
        """Set what depends on the fleet against the holder."""
        self.holder = holder
        self.captor = Holder(self.number, canonical_units(add_units(dict(holder.brought), self.captors)))

    def with_fleet_of(self, holder: Holder) -> "WaveEnds":
        """Return what follows against a holder that differs only in the fleet against it.

        Args:
            holder: The holder.
        """
        ways = copy(self)
        ways._face(holder)
        return ways

    @property
    def emptied(self) -> float:
        """The money that the attackers gain from an empty territory: by the first rules lost captors had lost it."""
        battle = self.battle
        value = battle.territory_value if battle.planned_value is None else battle.planned_value
        lost = self.land and not self.owned and self.side == 1 and self.next[False] is None
        return value if lost else 0.0

    def capture_mask(self, odds: AxisOdds) -> Mask:
        """Return a mask of the endings in which the attackers hold the field: see `AxisOdds`.

        On land they have taken it; at sea only they are left, with a ship, be it of their fleet from earlier waves or,
        before a counter-attack, a submerged one.
        """
        if not self.capturing:
            return np.zeros(len(odds.chances), bool)
        if self.land:
            return odds.taken
        there = [(*self.holder.fleet, *fate.left, *(fate.gone if self.surfaces else ())) for fate in odds.attackers]
        ships = [self.has_ship(units) for units in there]
        return np.asarray(np.array(ships, bool)[odds.rows] & ~odds.defender_there)

    def has_ship(self, units: Units) -> bool:
        """Return whether there is a ship among some units.

        Args:
            units: The units.
        """
        table = self.battle.rules.table
        return any(table[name].kind == "sea" for name, _ in units)

    def holder_after_capture(self, fate: Fate) -> tuple[Holder, Units]:
        """Return the holder of the field after a capture, and its units, by the attacker's fate: see `Fate`.

        Units that have left the field do not hold it, but are not lost either.
        """
        if not self.land and self.battle.ruling >= Ruling.HELPLESS_FALL:
            # At sea units that are gone have submerged, and are still there.
            there = add_units(dict(fate.left), dict(fate.gone))
            return self.captor, canonical_units(add_units(dict(self.holder.fleet), there))
        units = tuple([pair for pair in fate.left if pair[0] in self.holding])
        if self.landed:
            units = _without_amphibious(units)
        if not fate.gone:
            return self.captor, units
        away = _without_amphibious([pair for pair in fate.gone if pair[0] in self.holding])
        if not away:
            return self.captor, units
        left = add_units(self.captors, {name: -count for name, count in repair_units(away, self.battle.rules).items()})
        return Holder(self.number, canonical_units(left)), units

    def units_after_defence(self, fate: Fate) -> Units:
        """Return the units of the holder of the field if it was not captured, with those submerged: see `Fate`."""
        if self.battle.defender_retreat:
            return fate.left  # The others have left the field.
        return canonical_units(add_units(dict(fate.left), dict(fate.gone))) if fate.gone else fate.left

    def last_holder(self, captured: bool, units: Units) -> int | None:
        """Return the side that holds the field if no wave follows: see `FinalField.holder`.

        Args:
            captured: Whether the attackers of this wave have captured it.
            units: The units of its holder there.
        """
        side = self.side if captured else 1 - self.side
        return side if units or self.owned else None

    def holders_after_defence(self, odds: AxisOdds) -> tuple[list[Holder], Nodes]:
        """Return the holders of the field if it was not captured, with the fleets against them: see `AxisOdds`.

        Attackers who retreat or decline the battle leave the sea zone, the others stay. Submarines that submerge have
        done so where no enemy destroyer is left. Defenders who have left the field count no more. These are the
        different holders, and the number of the holder in each ending.
        """
        holders, places = self._holders_who_stood(odds)
        if not self.battle.defender_retreat:
            return holders, places
        pairs, which = unique_inverse(places * len(odds.defenders) + odds.columns)
        different: dict[Holder, int] = {}
        numbers = []
        for place, column in zip(*np.divmod(pairs, max(len(odds.defenders), 1)), strict=True):
            away = repair_units(odds.defenders[column].gone, self.battle.rules)
            before = add_units(dict(holders[place].before), {name: -count for name, count in away.items()})
            holder = holders[place]._replace(before=canonical_units(before))
            numbers.append(different.setdefault(holder, len(different)))
        return list(different), np.array(numbers, np.int64)[which]

    def _holders_who_stood(self, odds: AxisOdds) -> tuple[list[Holder], Nodes]:
        """The holders of `holders_after_defence`, with those who have left the field."""
        if not self.stays:
            return [self.defending], np.zeros(len(odds.chances), np.int64)
        stances = np.array([self._stance(fate) for fate in odds.defenders], np.int64)[odds.columns]
        if odds.standoff is not None:
            stances[odds.standoff] = ALL_STAY
        if odds.declined_at is not None:
            stances[odds.declined_at] = NONE_STAY
        pairs, which = unique_inverse(odds.rows * STANCES + stances)
        holders: dict[Holder, int] = {}
        places = [
            holders.setdefault(self._holder_against(odds.attackers[pair // STANCES], pair % STANCES), len(holders))
            for pair in pairs.tolist()
        ]
        return list(holders), np.array(places, np.int64)[which]

    def _stance(self, defenders: Fate) -> int:
        """Which attackers stay there with these defenders, unless there is a stand-off."""
        if not defenders.left:
            return ALL_STAY
        screened = any(self.battle.rules.table[name].screens for name, _ in defenders.left)
        return NONE_STAY if screened or not self.battle.submerge[0] else SUBMERGED_STAY

    def _holder_against(self, attackers: Fate, stance: int) -> Holder:
        """The holder of the field with the fleet that stays against it."""
        gone = {ALL_STAY: dict(attackers.gone), NONE_STAY: {}, SUBMERGED_STAY: self._divers(attackers.gone)}[stance]
        stayed = add_units(dict(attackers.left), gone)
        fleet = canonical_units(add_units(dict(self.holder.fleet), stayed))
        if not fleet or self.next[False] is None:
            return self.defending._replace(fleet=fleet)
        brought = add_units(add_units(dict(self.holder.brought), stayed), dict(attackers.lost))
        return self.defending._replace(fleet=fleet, brought=canonical_units(brought))

    def _divers(self, gone: Units) -> dict[str, int]:
        """Return which of the attackers who are gone have submerged: as many submarines as may, those lost last."""
        subs = {name: count for name, count in gone if is_sub(self.battle.rules.table[name])}
        free, submerged = self.battle.submerge[0], dict[str, int]()
        for name in sorted(subs, key=self.battle.attacker.loss_order.index, reverse=True):
            submerged[name] = min(subs[name], free)
            free -= submerged[name]
        return submerged

    def submerged_attackers(self, fate: Fate) -> Units:
        """Return the submerged attackers in an ending in which nobody holds the field: see `Fate`."""
        return canonical_units(
            {name: count for name, count in fate.gone if self.battle.rules.table[name].kind == "sea"}
        )


class WaveFuture:
    """The worth of later waves to their attackers, on average, in money.

    Args:
        waves: All waves.
        meter: Counts the work, and raises TooLargeError once it is too much.
    """

    def __init__(self, waves: Waves, meter: Meter) -> None:
        self.waves, self.meter = waves, meter

    def future(self, number: int, holder: Holder, chain: AxisChain) -> Future | None:
        """Return what follows each ending of a wave, in money; None if nothing does.

        Args:
            number: The number of the wave, from 0.
            holder: The holder of the field before it.
            chain: The chain of its battle.
        """
        ways = WaveEnds(self.waves, number, holder, chain.battle)
        if ways.next == {False: None, True: None} and not ways.emptied:
            return None
        shape = len(chain.attack), len(chain.defence)
        rows, columns = (places.ravel() for places in np.indices(shape))
        ends = odds_of_ends(chain.battle, chain.attack, chain.defence, rows, columns, np.zeros(len(rows)), 0.0)
        calm = ways.defending._replace(fleet=holder.fleet, brought=holder.brought)
        starts = [(calm, canonical_units(units_after(units, chain.battle))) for units in chain.chances]
        worth, unmade = self._worths_after(ways, ends, starts)
        return Future(worth.reshape(shape), unmade)

    def _worths_after(
        self, ways: WaveEnds, ends: AxisOdds, starts: list[tuple[Holder, Units]]
    ) -> tuple[Chances, list[float]]:
        """The worth of later waves after each ending of a wave, and if nobody comes in it, from each of its starts."""
        self.meter.add(CELL_WORK * len(ends.chances))
        number = ways.number
        ours = [ways.holder_after_capture(fate) for fate in ends.attackers]
        holders, holder_at = ways.holders_after_defence(ends)
        pairs, pair_at = unique_inverse(holder_at * len(ends.defenders) + ends.columns)
        theirs = [
            (holders[pair // len(ends.defenders)], ways.units_after_defence(ends.defenders[pair % len(ends.defenders)]))
            for pair in pairs.tolist()
        ]
        captured = ways.capture_mask(ends)
        sign = {taken: self._sign(number, ways.next[taken]) for taken in (False, True)}
        seen = {place: ours[place] for place in np.flatnonzero(np.bincount(ends.rows[captured])).tolist()}
        capture = self._worths(ways.next[True], seen.values())
        stand = {
            place: sign[False] * worth + (0.0 if place[1] else ways.emptied)
            for place, worth in self._worths(ways.next[False], [*theirs, *starts]).items()
        }
        after_capture = np.array([sign[True] * capture.get(held, 0.0) for held in ours])
        after_stand = np.array([stand[held] for held in theirs])
        worth = np.where(captured, after_capture[ends.rows], after_stand[pair_at])
        return worth, [stand[start] for start in starts]

    def _sign(self, number: int, following: int | None) -> int:
        """Return 1 if the following wave's profit is a gain for this wave's attackers, -1 for a loss, 0 for none."""
        return 0 if following is None else 1 if self.waves.side(number) == self.waves.side(following) else -1

    def _worths(
        self, number: int | None, places: Iterable[tuple[Holder, Units]]
    ) -> Mapping[tuple[Holder, Units], float]:
        """Return the worth of a wave, and of all after it, against each of these holders and units."""
        if number is None:
            return dict.fromkeys(places, 0.0)
        worth: dict[tuple[Holder, Units], float] = {}
        for holder in dict.fromkeys(holder for holder, _ in places):
            sets = list(dict.fromkeys(units for other, units in places if other == holder))
            worth |= zip(((holder, units) for units in sets), self.worths_against(number, holder, sets), strict=True)
        return worth

    def worths_against(self, number: int, holder: Holder, sets: list[Units]) -> list[float]:
        """Return the worth of a wave, and of all after it, against each of these sets of units: the profit in money.

        Args:
            number: The number of the wave, from 0.
            holder: The holder of the field before it.
            sets: Sets of its units, without the reinforcements.
        """
        fresh = dict(self.waves.fresh[number])
        starts = [canonical_units(add_units(dict(units), fresh)) for units in sets]
        chain = AxisChain(self.waves.battle_against(number, dict(holder.before)), chances=dict.fromkeys(starts, 1.0))
        chain.meter = self.meter
        limited = last_round(chain.battle) is not None
        plans = RetreatPlans(chain, self.future(number, holder, chain), always=not limited)
        declined, first = plans.declines(), chain.bombardment_kernel()
        worths, unmet = [], unmet_starts(chain)
        if limited:
            fights = fight_battles(chain, plans.stops, np.eye(len(starts)))
            fought = [float((law * plans.pays[0]).sum()) for _, laws in fights for law in laws]
        for start, no in enumerate(declined):
            if no:
                gained = plans.worth_of_declining(start)
            elif unmet[start]:
                gained = plans.defender_loss_before(start) + self._worth_unmet(number, holder, chain)
            elif limited:
                gained = fought[start]
            else:
                gained = plans.worth_of_attacking(first, start)[0]
            worths.append(gained - plans.defender_loss_before(start))
        return worths

    def _worth_unmet(self, number: int, holder: Holder, chain: AxisChain) -> float:
        """The worth of later waves if no enemy is there in a wave."""
        ends, _ = odds_without_battle(chain, np.array([unmet_starts(chain)], float), declined=False)
        worth, _ = self._worths_after(WaveEnds(self.waves, number, holder, chain.battle), ends, [])
        return float(worth[0])


def unmet_starts(chain: AxisChain) -> Mask:
    """Return whether no enemy is there, so that nobody crashes, for each force with which the defender may begin.

    It says so only where it makes a difference: where planes of the attacker crash after a battle at sea.

    Args:
        chain: The chain of a wave.
    """
    battle = chain.battle
    crash = battle.crash_attacking_fighters and battle.theatre == "sea" and battle.ruling >= Ruling.FLEETS_STAY
    return np.asarray(~chain.defence.alive[chain.columns] & crash)


def canonical_units(units: Mapping[str, int]) -> Units:
    """Return units in the one order in which sets of them are compared, without kinds of none: see `Army.units`."""
    return tuple(sorted((name, count) for name, count in units.items() if count))


def _without_amphibious(units: Iterable[tuple[str, int]]) -> Units:
    """Return units under the names they have unless they land from the sea."""
    plain: dict[str, int] = {}
    for name, count in units:
        name = name.removeprefix(AMPHIBIOUS)
        plain[name] = plain.get(name, 0) + count
    return canonical_units(plain)
