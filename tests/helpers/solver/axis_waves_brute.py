"""The slow twin of several waves of Axis & Allies 1942: every end of every wave in fractions; nothing clever."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from tests.helpers.solver import axis_brute
from tests.helpers.solver import axis_rules as rules
from tests.helpers.solver.axis_brute import NONE, Shares
from tests.helpers.solver.axis_rules import Counts, State, Wave

Row = tuple[Counts, Counts, Counts]
"""Of one side: who is lost, left and gone."""
Joint = dict[tuple[Counts, Counts, str | None, Counts], Fraction]
"""How likely it is that so many are lost by side A and by side D in all waves, and that this side holds with these."""


@dataclass
class Told:
    """What is reported of one wave (rules, 11.3 and 15). Chances come to the chance that its attackers come."""

    come: Fraction = NONE
    fought: Fraction = NONE
    attacker_survives: Fraction = NONE
    defender_survives: Fraction = NONE
    takes: Fraction = NONE
    attacker_loss: Fraction = NONE
    defender_loss: Fraction = NONE
    rounds: Fraction = NONE
    profit: dict[Fraction, Fraction] = field(default_factory=dict)
    attackers: dict[Row, Fraction] = field(default_factory=dict)
    defenders: dict[Row, Fraction] = field(default_factory=dict)


class Answer(NamedTuple):
    """What is reported of every wave, the joint law of them all, and the law of what side A gains of them."""

    waves: list[Told]
    joint: Joint
    profit: dict[Fraction, Fraction]
    fleets: dict[tuple[str, Counts, Counts], Fraction]
    """How likely it is that a side holds the sea with these, and that these of the other side are there too."""


class Place(NamedTuple):
    """What the waves so far leave of the territory, or of the sea zone."""

    owner: str
    """Side A attacks first, side D defends first."""
    units: Counts
    """Who stand there: they defend against the next wave."""
    captors: bool
    """Whether the owner has it from a wave, not from before the battle."""
    fought: bool
    """Whether the wave before was fought."""
    captured: bool
    """Whether it was, and captured."""
    attacked: bool
    """Whether the owner was attacked there since he has it."""
    fleet: Counts = ()
    """Who of the other side has stayed in the sea zone."""


class Past(NamedTuple):
    """What has to be known of the waves so far."""

    place: Place
    full: Counts
    """The full set of the owner, those lost since included."""
    beaten: Counts
    """The full set of those who were captured from just now."""
    lost: tuple[Counts, Counts]
    """By side A, by side D, in all waves; landed units are ordinary ones here."""
    brought: Counts = ()
    """The fleet that has stayed, with those lost since it came."""


def solve(battle: dict[str, Any]) -> Answer:
    """Everything that is reported of a chain of waves."""
    chain = Chain(battle)
    law = {Past(BEFORE, (), (), ((), ())): Fraction(1)}
    waves: list[Told] = []
    for number in range(len(chain.waves)):
        told, law = _wave(chain, number, law)
        _with_the_wave_before(chain, number, told, waves)
        waves.append(told)
    joint: Joint = {}
    profit: dict[Fraction, Fraction] = {}
    fleets: dict[tuple[str, Counts, Counts], Fraction] = {}
    for past, share in law.items():
        units = past.place.units
        _add(joint, (*past.lost, past.place.owner if units or chain.land else None, units), share)
        _add(profit, chain.gain(past), share)
        if units and past.place.fleet:
            _add(fleets, (past.place.owner, units, past.place.fleet), share)
    return Answer(waves, joint, profit, fleets)


BEFORE = Place("D", (), captors=False, fought=True, captured=False, attacked=False)


def _wave(chain: "Chain", number: int, law: dict[Past, Fraction]) -> tuple[Told, dict[Past, Fraction]]:
    """What one wave alone comes to, and what is known after it."""
    told = Told()
    after: dict[Past, Fraction] = {}
    for past, share in law.items():
        if not chain.is_fought(number, past.place):
            _add(after, past._replace(place=passed(past.place)), share)
            continue
        wave, states, rounds = chain.fight(number, past.place)
        before = past.beaten if past.place.captured and not chain.holds(number) else past.full
        full = _counts(Counter(dict(before)) + rules.counted(chain.part(number).elements()))
        told.come += share
        told.fought += share if chain.land or wave.defenders else NONE
        told.rounds += share * rounds
        for state, chance in states.items():
            _tell(told, wave, state, full, share * chance)
            _add(after, _afterwards(chain, number, past, full, state), share * chance)
    return told, after


def _tell(told: Told, wave: Wave, state: State, full: Counts, share: Fraction) -> None:
    """Casualties and profit of a wave are counted against all defenders so far, the loss is this wave's."""
    ours, theirs = rules.losses(wave, state)
    end = rules.ending(wave, state)
    lost = Counter(dict(full)) - rules.counted(state.defenders + state.defenders_gone)
    told.attacker_survives += share * (rules.cost(state.attackers + state.attackers_gone) > 0)
    told.defender_survives += share * (rules.cost(state.defenders + state.defenders_gone) > 0)
    told.takes += share * rules.taken(wave, state)
    told.attacker_loss += share * ours
    told.defender_loss += share * theirs
    _add(told.profit, rules.cost(lost.elements(), wave.their_prices) - ours, share)
    _add(told.attackers, (end.attackers_lost, end.attackers_left, end.attackers_gone), share)
    _add(told.defenders, (_counts(lost), end.defenders_left, end.defenders_gone), share)


def _with_the_wave_before(chain: "Chain", number: int, told: Told, waves: list[Told]) -> None:
    """Section 11.3: where a wave was not fought, its side has the territory already, or is not attacked at all."""
    if chain.holds(number):
        told.attacker_survives += 1 - (waves[-1].takes if chain.land else told.come)
        told.takes += 1 - waves[-1].takes if chain.land else NONE
    elif waves and chain.land:
        told.attacker_survives += waves[-1].takes
        told.takes += waves[-1].takes


def _afterwards(chain: "Chain", number: int, past: Past, full: Counts, state: State) -> Past:
    wave, _, _ = chain.fight(number, past.place)
    place = chain.after(number, past.place, state)
    end = rules.ending(wave, state)
    lost = [Counter(dict(counts)) for counts in past.lost]
    us = "AD".index(chain.side(number))
    lost[us] += plain(dict(end.attackers_lost))
    lost[1 - us] += Counter(dict(end.defenders_lost))
    if wave.defender_may_leave:
        full = _counts(Counter(dict(full)) - rules.counted(state.defenders_gone))
    if place.captured:
        # Who has retreated from a landing is away, and no casualty of the wave that is held; who submerged is there.
        captors = plain(rules.counted(_holding(wave.land, wave.attackers)))
        captors += Counter(dict(chain.brought(number, past)))
        if wave.land:
            captors -= plain(rules.counted(_holding(wave.land, state.attackers_gone)))
        return Past(place, _counts(captors), full, (_counts(lost[0]), _counts(lost[1])))
    came = (
        Counter(dict(chain.brought(number, past))) + rules.counted(staying(state)) + Counter(dict(end.attackers_lost))
    )
    return Past(place, full, (), (_counts(lost[0]), _counts(lost[1])), _counts(came) if place.fleet else ())


def staying(state: State) -> list[str]:
    """The attackers who stay in a sea zone: those who fight, and those who have submerged."""
    return list(state.attackers) + list((Counter(state.attackers_gone) - Counter(state.away)).elements())


def plain(units: dict[str, int]) -> Counter[str]:
    """Landed units as ordinary ones."""
    return Counter([unit.removeprefix("amphibious_") for unit in Counter(units).elements()])


def passed(place: Place) -> Place:
    """After a wave that was not fought."""
    return place._replace(fought=False, captured=False)


def _holding(land: bool, units: Iterable[str]) -> list[str]:
    """Planes cannot hold a territory."""
    return [unit for unit in units if not land or rules.is_land(unit)]


def _counts(units: Counter[str]) -> Counts:
    return tuple(sorted((unit, count) for unit, count in units.items() if count))


def _add(law: dict[Any, Fraction], key: object, share: Fraction) -> None:
    law[key] = law.get(key, NONE) + share


class Chain:
    """The waves of a battle: who fights in which of them, and against whom."""

    def __init__(self, battle: dict[str, Any]) -> None:
        self.battle = battle
        self.waves: list[dict[str, Any]] = battle["waves"]
        self.land = battle["theatre"] == "land"
        self._read = cache(self._read_anew)  # a wave is looked at again for each of its ends
        self._fights: dict[tuple[int, Place], tuple[Wave, Shares, Fraction]] = {}
        self._worths: dict[tuple[int, Place], Fraction] = {}

    def holds(self, number: int) -> bool:
        """Whether those who have captured are attacked."""
        return bool(self.waves[number].get("previous_attackers_defend"))

    def side(self, number: int) -> str:
        """Whose wave it is."""
        return "AD"[sum(map(self.holds, range(number + 1))) % 2]

    def part(self, number: int) -> Counter[str]:
        """The units with which a wave's document reinforces the defenders."""
        return Counter(self.waves[number]["defender"]["units"])

    def is_fought(self, number: int, place: Place) -> bool:
        if not self.holds(number):
            return place.fought and not (self.land and place.captured)
        earlier = self.waves[number].get("earlier_captors_defend") and place.captors
        return place.captured or bool(earlier and place.owner != self.side(number))

    def fight(self, number: int, place: Place) -> tuple[Wave, Shares, Fraction]:
        """A wave as it is fought there, the law of its ends, and the expected number of rounds."""
        if (number, place) not in self._fights:
            wave = self._read(number, place)
            if self.battle.get("look_ahead"):
                played = axis_brute.play(wave, lambda state: self._following(number, place, wave, state))
            else:
                played = axis_brute.play(wave)
            self._fights[number, place] = wave, *played
        return self._fights[number, place]

    def _read_anew(self, number: int, place: Place) -> Wave:
        """The wave as a battle of its own; at sea those who are beaten leave only their reinforcements."""
        defenders = Counter({} if self._beaten(number, place) else dict(place.units)) + self.part(number)
        wave = self.waves[number]
        alone = {**wave, "defender": {**wave["defender"], "units": dict(defenders)}}
        if not defenders:
            alone["crash_attacking_fighters"] = False  # there is no battle after which planes crash
        fired = number == 0 and self.battle.get("aa_already_fired", False)
        worth = self.battle.get("worth") or {}
        if self.side(number) == "D":  # prices of one side stay with it
            worth = {**worth, "attacker": worth.get("defender", {}), "defender": worth.get("attacker", {})}
        return rules.read({**self.battle, "aa_already_fired": fired, "worth": worth, "waves": [alone]})

    def _beaten(self, number: int, place: Place) -> bool:
        """Whether the owner is of the side that attacks: only reinforcements of the other side can be there."""
        return place.captured and not self.holds(number)

    def brought(self, number: int, past: Past) -> Counts:
        """The fleet of a wave's side that is there before it, with those lost since it came."""
        if self.land:
            return ()
        return past.full if self._beaten(number, past.place) else past.brought

    def after(self, number: int, before: Place, state: State) -> Place:
        """The units there after an end of a wave; battleships are whole again unless damage stays."""
        wave = self._read(number, before)
        us = self.side(number)
        fleet: Counter[str] = Counter()
        if not self.land:
            fleet = Counter(dict(before.units if self._beaten(number, before) else before.fleet))
        if wave.defender_may_leave:
            state = state._replace(defenders_gone=())
        if self._captured(number, state, fleet):
            there = state.attackers if self.land else staying(state)
            units = plain(rules.counted_after(wave, _holding(self.land, there))) + fleet
            return Place(us, _counts(units), captors=True, fought=True, captured=True, attacked=False)
        them = "D" if us == "A" else "A"
        captors = self.holds(number) or (before.captors and not before.captured)
        units = rules.counted_after(wave, state.defenders + state.defenders_gone)
        fleet += Counter() if self.land else rules.counted_after(wave, staying(state))
        return Place(them, _counts(units), captors, fought=True, captured=False, attacked=True, fleet=_counts(fleet))

    def _captured(self, number: int, state: State, fleet: Counter[str]) -> bool:
        """At sea everybody has to be dead, and a ship there, submerged only before a counter-attack."""
        holds = "land" if self.land else "sea"
        surfaces = not self.land and number + 1 < len(self.waves) and self.holds(number + 1)
        us = staying(state) if surfaces else state.attackers
        there = any(rules.kind(unit) == holds for unit in (*us, *fleet))
        return there and not state.defenders and not state.defenders_gone

    # The money of all waves.

    def gain(self, past: Past) -> Fraction:
        """What side A has gained on balance in the end.

        The territory is worth something to side A if it has it then. Captors who were not attacked there since are as
        good as lost in a deadzone, on either side. Units count as in the first wave.
        """
        one = self._read(0, BEFORE)
        ours, theirs = (Counter(dict(lost)).elements() for lost in past.lost)
        total = rules.cost(theirs, one.their_prices) - rules.cost(ours, one.our_prices)
        place = past.place
        if not self.land:
            return total
        units = tuple(Counter(dict(place.units)).elements())
        as_good_as_lost = one.deadzone and place.captors and not place.attacked
        if place.owner == "A":
            return total + one.value - as_good_as_lost * rules.deadzone_cost(one, units)
        other = replace(one, our_prices=one.their_prices, their_prices=one.our_prices)
        return total + as_good_as_lost * rules.deadzone_cost(other, units)

    # Looking ahead.

    def worth(self, number: int, place: Place) -> Fraction:
        """The money that the side whose wave it is expects to gain on balance in this wave and those to come.

        A territory counts for its captor as his wave plans, each time it is captured; it is the other's loss.
        """
        if (number, place) not in self._worths:
            wave, states, _ = self.fight(number, place)
            planned = replace(wave, value=wave.plan_value, deadzone=wave.plan_deadzone)
            total = NONE
            for state, share in states.items():
                ours, theirs = rules.losses(planned, state)
                total += share * (theirs - ours + self._following(number, place, wave, state))
            self._worths[number, place] = total
        return self._worths[number, place]

    def _following(self, number: int, before: Place, wave: Wave, state: State) -> Fraction:
        """What the next wave that is fought after this end is worth to the side whose wave this is.

        Captors who are attacked then do not pay for the deadzone, which they have.
        """
        place = self.after(number, before, state)
        paid = wave.plan_deadzone * rules.deadzone_cost(wave, state.attackers) if self.land and place.captured else NONE
        for later in range(number + 1, len(self.waves)):
            if self.is_fought(later, place):
                worth = self.worth(later, place)
                return paid + (worth if self.side(later) == self.side(number) else -worth)
            place = passed(place)
        return NONE
