"""Where the end of a wave leads, and what the waves to come are worth: looking ahead from wave to wave.

A rule for retreating by profit that looks ahead is found backward: from the last wave to the first, and in each of them
from its last rounds to its first. What follows an end counts like money that is paid there, so that all of it comes to
the profit of all waves together: a territory that is taken is gained by the side that takes it, and the other's loss.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from solver.axis import AxisBattle
from solver.axis_chain import AxisChain
from solver.axis_odds import AxisOdds, Fate, ending_in, fought
from solver.chain import Mask
from solver.plans import Future, Plans
from solver.product import Meter
from solver.sides import Units
from solver.units import AMPHIBIOUS
from solver.waves import Waves, added, captors, repaired

CELL = 40.0
"""About how much work it is to tell what follows an end, in the unit of `Meter`."""


class Holder(NamedTuple):
    """Who meets a wave: since which wave they hold the field (-1: from the first), and their units at their most."""

    captor: int
    before: Units


class Ways:
    """Where the ends of a wave against a holder of the field lead: `next` is the wave in which it is attacked again.

    That depends on whether it was captured; None is never.
    """

    def __init__(self, waves: Waves, number: int, holder: Holder, battle: AxisBattle) -> None:
        self.battle, self.number, self.side = battle, number, waves.side(number)
        self.land = battle.theatre == "land"
        # At sea nobody holds anything but against a counter-attack, or in the end.
        last = number + 1 == len(waves.battles)
        self.capturing = self.land or last or bool(waves.holds[number + 1])
        self.next = {captured: waves.follows(number, holder.captor, captured) for captured in (False, True)}
        self.held = Holder(holder.captor, in_order(repaired(battle.defender.units, battle.rules)))
        self.captors = captors(battle)
        value = battle.territory_value if battle.planned_value is None else battle.planned_value
        # A territory stays with whoever holds it until a land unit of the other side stands there alone.
        self.owned = self.land and battle.ruling > 1
        # By the first rules captors who were lost to the last had lost it.
        lost = self.land and not self.owned and self.side == 1 and self.next[False] is None
        self.emptied = value if lost else 0.0
        table = battle.rules.table
        names = [name for name, _ in battle.attacker.units]
        self.holding = {table[name].repaired or name for name in names if not self.land or table[name].kind == "land"}
        self.captor = Holder(number, in_order(self.captors))
        self.landed = any(name.startswith(AMPHIBIOUS) for name in names)

    def captured(self, odds: AxisOdds) -> Mask:
        """The ends in which the attackers hold the field: it is taken, or at sea only they are left, with a ship."""
        if not self.capturing:
            return np.zeros(len(odds.chances), bool)
        if self.land:
            return odds.taken
        table = self.battle.rules.table
        ships = [any(table[name].kind == "sea" for name, _ in fate.left) for fate in odds.attackers]
        return np.asarray(np.array(ships, bool)[odds.rows] & ~odds.defender_stands)

    def of_attacker(self, fate: Fate) -> tuple[Holder, Units]:
        """Who holds the field after a capture: without those who have left it, who are counted neither as lost."""
        if not self.land and self.battle.ruling > 1:
            # At sea those who are gone have submerged, and are still there.
            return self.captor, in_order(added(dict(fate.left), dict(fate.gone)))
        units = tuple([pair for pair in fate.left if pair[0] in self.holding])
        if self.landed:
            units = plain(units)
        away = plain([pair for pair in fate.gone if pair[0] in self.holding])
        if not away:
            return self.captor, units
        return Holder(self.number, in_order(added(self.captors, {name: -count for name, count in away}))), units

    def of_defender(self, fate: Fate) -> tuple[Holder, Units]:
        """Who holds the field if it was not captured: also those who have submerged."""
        return self.held, in_order(added(dict(fate.left), dict(fate.gone))) if fate.gone else fate.left

    def submerged(self, fate: Fate) -> Units:
        """The attackers who are under water in an end in which nobody holds the field."""
        return in_order({name: count for name, count in fate.gone if self.battle.rules.table[name].kind == "sea"})


class Outlook:
    """What the waves to come are worth to their attackers, on balance, in money."""

    def __init__(self, waves: Waves, meter: Meter) -> None:
        self.waves, self.meter = waves, meter

    def future(self, number: int, holder: Holder, chain: AxisChain) -> Future | None:
        """What the ends of a wave are worth for what follows them; None where nothing does."""
        ways = Ways(self.waves, number, holder, chain.battle)
        if ways.next == {False: None, True: None} and not ways.emptied:
            return None
        shape = len(chain.attack), len(chain.defence)
        rows, columns = (places.ravel() for places in np.indices(shape))
        self.meter.add(CELL * len(rows))
        ends = ending_in(chain.battle, chain.attack, chain.defence, rows, columns, np.zeros(len(rows)), 0.0)
        ours = [ways.of_attacker(fate) for fate in ends.attackers]
        theirs = [ways.of_defender(fate) for fate in ends.defenders]
        starts = [(ways.held, in_order(repaired(units, chain.battle.rules))) for units in chain.chances]
        captured = ways.captured(ends)
        sign = {taken: self._sign(number, ways.next[taken]) for taken in (False, True)}
        seen = {place: ours[place] for place in np.unique(ends.rows[captured]).tolist()}
        capture = self._worths(ways.next[True], seen.values())
        stand = {
            place: sign[False] * worth + (0.0 if place[1] else ways.emptied)
            for place, worth in self._worths(ways.next[False], [*theirs, *starts]).items()
        }
        after_capture = np.array([sign[True] * capture.get(one, 0.0) for one in ours])
        after_stand = np.array([stand[one] for one in theirs])
        worth = np.where(captured, after_capture[ends.rows], after_stand[ends.columns])
        return Future(worth.reshape(shape), [stand[start] for start in starts])

    def _sign(self, number: int, following: int | None) -> int:
        """Whether what another wave is worth to its attackers is a gain for those of this one, or a loss."""
        return 0 if following is None else 1 if self.waves.side(number) == self.waves.side(following) else -1

    def _worths(
        self, number: int | None, places: Iterable[tuple[Holder, Units]]
    ) -> Mapping[tuple[Holder, Units], float]:
        """What a wave, and all after it, is worth against each of these."""
        if number is None:
            return dict.fromkeys(places, 0.0)
        worth: dict[tuple[Holder, Units], float] = {}
        for holder in dict.fromkeys(holder for holder, _ in places):
            sets = list(dict.fromkeys(units for other, units in places if other == holder))
            worth |= zip(((holder, units) for units in sets), self.against(number, holder, sets), strict=True)
        return worth

    def against(self, number: int, holder: Holder, sets: list[Units]) -> list[float]:
        """What a wave on is worth against these units of one holder, with those that are fresh in it."""
        fresh = dict(self.waves.fresh[number])
        starts = [in_order(added(dict(units), fresh)) for units in sets]
        chain = AxisChain(self.waves.against(number, dict(holder.before)), chances=dict.fromkeys(starts, 1.0))
        chain.meter = self.meter
        limited = chain.battle.round_limit is not None
        plans = Plans(chain, self.future(number, holder, chain), always=not limited)
        declined, first = plans.declined(), chain.bombardment()
        worths = []
        if limited:
            _, laws = fought(chain, plans.stops, np.eye(len(starts)))
        for start, no in enumerate(declined):
            if no:
                gained = plans.of_declining(start)
            elif limited:
                gained = float((laws[start] * plans.pays[0]).sum())
            else:
                gained = plans.of_attacking(first, start)[0]
            worths.append(gained - plans.lost_before(start))
        return worths


def in_order(units: Mapping[str, int]) -> Units:
    """Units in the one order in which sets of them are compared."""
    return tuple(sorted((name, count) for name, count in units.items() if count))


def plain(units: Iterable[tuple[str, int]]) -> Units:
    """Units by the names they have where they do not come from the sea."""
    found: dict[str, int] = {}
    for name, count in units:
        name = name.removeprefix(AMPHIBIOUS)
        found[name] = found.get(name, 0) + count
    return in_order(found)
