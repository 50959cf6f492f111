"""The slow twin of Axis & Allies 1942: one wave, every number of hits in turn, in fractions. Nothing here is clever."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from tests.helpers.solver import axis_rules as rules
from tests.helpers.solver.axis_rules import End, State, Units, Wave

Law = dict[int, Fraction]
"""The law of a number of hits."""
Dice = tuple[int, ...]
"""The strengths of dice that roll together."""
Fire = tuple[Dice, Dice, Dice]
"""The dice of submarines, of planes that cannot hit submarines, and of everybody else."""
Shares = dict[State, Fraction]
"""How likely each state is."""
MARGIN = Fraction(1, 10**9)
"""Section 8.6: a threshold has to be passed by more than this."""
NONE = Fraction(0)


@dataclass(frozen=True)
class Answer:
    """Section 15: the joint law of the ends, and what is reported of it."""

    ends: dict[End, Fraction]
    rounds: Fraction
    takes: Fraction
    attacker_survives: Fraction
    defender_survives: Fraction
    attacker_loss: Fraction
    defender_loss: Fraction
    profit: dict[Fraction, Fraction]


def solve(battle: dict[str, Any]) -> Answer:
    """Everything that is reported of a battle of one wave."""
    wave = rules.read(battle)
    states, rounds = play(wave)
    ends: dict[End, Fraction] = {}
    profit: dict[Fraction, Fraction] = {}
    takes = attacker_survives = defender_survives = attacker_loss = defender_loss = NONE
    for state, share in states.items():
        ours, theirs = rules.losses(wave, state)
        _add(ends, rules.ending(wave, state), share)
        _add(profit, theirs - ours, share)
        takes += share * rules.taken(wave, state)
        attacker_survives += share * (rules.size(state.attackers + state.attackers_gone) > 0)
        defender_survives += share * (rules.size(state.defenders + state.defenders_gone) > 0)
        attacker_loss += share * ours
        defender_loss += share * theirs
    return Answer(ends, rounds, takes, attacker_survives, defender_survives, attacker_loss, defender_loss, profit)


def _add(law: dict[Any, Fraction], key: object, share: Fraction) -> None:
    law[key] = law.get(key, NONE) + share


# Section 6: dice.


@cache
def hits(strengths: Dice, dice: str) -> Law:
    """The law of the hits of dice that roll together."""
    faces = rules.FACES
    if dice in ("low_luck", "low_luck_but_aa"):
        sure, rest = divmod(sum(strength % 100 * max(strength // 100, 1) for strength in strengths), faces)
        law = {sure: Fraction(faces - rest, faces), sure + 1: Fraction(rest, faces)}
        return {count: share for count, share in law.items() if share}
    law = {0: Fraction(1)}
    for strength in strengths:
        several, face = divmod(strength, 100)
        chance = rules.BIASED[face] if dice == "biased" else Fraction(face, faces)
        if several == 1:
            chance += (1 - chance) * chance
        for _ in range(max(several, 1)):
            more: Law = {}
            for count, share in law.items():
                _add(more, count, share * (1 - chance))
                _add(more, count + 1, share * chance)
            law = {count: share for count, share in more.items() if share}
    return law


def at_least(count: int, law: Law) -> Fraction:
    return sum((share for hit, share in law.items() if hit >= count), NONE)


# Sections 4.5, 4.6: what happens without fire.


def settled(wave: Wave, state: State, ships: Units = (), first: bool = False) -> State:
    """The quiet moves, at once and for free: submarines submerge, helpless defenders are destroyed, by ships too.

    Nobody submerges from transports alone, and where submarines wait not before a `first` round that is fought.
    """
    ours, gone, theirs, theirs_gone, away = state
    waits = first and rules.SEA.waits and not rules.over(state, ships)
    if ours and theirs and not waits:
        if wave.attackers_submerge and "destroyer" not in state.defenders and not rules.helpless(state.defenders):
            ours, gone = _submerged(ours, gone, wave.attackers_submerge)
        if wave.defenders_submerge and "destroyer" not in state.attackers and not rules.helpless(state.attackers):
            theirs, theirs_gone = _submerged(theirs, theirs_gone, wave.defenders_submerge)
    if (ours or ships) and rules.helpless(theirs):
        theirs = ()
    return State(ours, gone, theirs, theirs_gone, away)


def _submerged(units: Units, gone: Units, most: int) -> tuple[Units, Units]:
    """The submarines that are lost last go under, so many in all."""
    subs = tuple(unit for unit in units if rules.is_sub(unit))[: max(most - sum(map(rules.is_sub, gone)), 0)]
    return rules.without(units, subs), (*gone, *subs)


# Section 5: one round of fire.


def next_states(wave: Wave, state: State, ships: Units = ()) -> Shares:
    """The law of what a round leaves, quiet moves done; a bombardment joins in the fire of the attackers."""
    law: Shares = {}
    for (ours, theirs), share in fought(wave, state.attackers, state.defenders, ships).items():
        _add(law, settled(wave, state._replace(attackers=ours, defenders=theirs)), share)
    return law


def fought(wave: Wave, ours: Units, theirs: Units, ships: Units = ()) -> dict[tuple[Units, Units], Fraction]:
    """Section 5.2: surprise strikes, then everybody else who is left, both sides at a time."""
    water = any(map(rules.is_sub, ours + theirs))
    we_hunt, they_hunt = "destroyer" in ours, "destroyer" in theirs
    we_keep = wave.attackers_keep and any(map(rules.is_sub, theirs))
    they_keep = wave.defenders_keep and any(map(rules.is_sub, ours))
    we_surprise, they_surprise = not they_hunt, not we_hunt and not rules.SEA.late
    we_hunt, they_hunt = we_hunt or rules.SEA.hunted, they_hunt or rules.SEA.hunted
    strike = _strike(ours, rules.attack_strengths, we_surprise)
    strike_back = _strike(theirs, rules.defence_strengths, they_surprise)
    struck = product(
        _shot(wave.dice, strike, theirs, they_keep).items(), _shot(wave.dice, strike_back, ours, we_keep).items()
    )
    law: dict[tuple[Units, Units], Fraction] = {}
    for (theirs_left, share), (ours_left, other) in struck:
        subs, planes, others = _fire(ours_left, rules.attack_strengths, water, we_hunt, we_surprise)
        fire = (subs, planes, others + tuple(rules.UNITS[ship].attack for ship in ships))
        back = _fire(theirs_left, rules.defence_strengths, water, they_hunt, they_surprise)
        shots = _shot(wave.dice, fire, theirs_left, they_keep, not we_surprise and _merged(ours_left, theirs_left))
        shots_back = _shot(wave.dice, back, ours_left, we_keep, not they_surprise and _merged(theirs_left, ours_left))
        for (theirs_now, chance), (ours_now, chance_back) in product(shots.items(), shots_back.items()):
            _add(law, (ours_now, theirs_now), share * other * chance * chance_back)
    return law


def _strike(units: Units, strengths: Callable[[Units], list[int]], surprise: bool) -> Fire:
    """The submarines alone, if they have their surprise strike."""
    subs = tuple(unit for unit in units if rules.is_sub(unit) and surprise)
    return tuple(strengths(subs)), (), ()


def _fire(units: Units, strengths: Callable[[Units], list[int]], water: bool, hunt: bool, surprise: bool) -> Fire:
    """Section 5.3: who rolls together; submarines that had their surprise strike roll no more."""
    subs: Dice = ()
    planes: Dice = ()
    others: Dice = ()
    for unit, strength in zip(units, strengths(units), strict=True):
        if rules.is_sub(unit):
            subs = subs if surprise else (*subs, strength)
        elif rules.is_plane(unit) and water and not hunt:
            planes = (*planes, strength)
        else:
            others = (*others, strength)
    return subs, planes, others


def _merged(shooters: Units, target: Units) -> bool:
    """The exception of section 5.2.3: hits of submarines that are not restricted at all wait for the others."""
    return any(map(rules.is_plane, shooters)) and not any(map(rules.is_plane, target))


@cache
def _shot(dice: str, fire: Fire, target: Units, keeps: bool, merged: bool = False) -> dict[Units, Fraction]:
    """Section 5.2.3: what is left of a target, hits of submarines first, then those of planes, then all others."""
    law: dict[Units, Fraction] = {}
    for (subs, share), (planes, other), (rest, last) in product(*(hits(group, dice).items() for group in fire)):
        if merged:
            subs, rest = 0, subs + rest
        left = allotted(target, subs, keeps, lambda unit: not rules.is_plane(unit))
        left = allotted(left, planes, keeps, lambda unit: not rules.is_sub(unit))
        left = allotted(left, rest, keeps, lambda _: True)
        _add(law, left, share * other * last)
    return law


def allotted(units: Units, count: int, keeps: bool, legal: Callable[[str], bool]) -> Units:
    """The legal targets are lost in their order; the last destroyer may be kept at the expense of the next one."""
    left = list(units)
    for _ in range(count):
        places = [place for place in reversed(range(len(left))) if legal(left[place])]
        if not places:
            break
        spared = left[places[0]] == "destroyer" and left.count("destroyer") == 1 and keeps
        never = ("destroyer",) if rules.SEA.transports_fight else ("destroyer", "transport")
        instead = [place for place in places if left[place] not in never]
        del left[instead[0] if spared and instead else places[0]]
    return tuple(left)


# Section 8: retreats.


def called_off(wave: Wave, state: State, ships: Units = ()) -> bool:
    """Sections 8.1 to 8.3."""
    ours, theirs = state.attackers, state.defenders
    if wave.at_most and rules.size(ours) <= wave.at_most:
        return True
    if wave.transports_leave and not any(rules.attack_strengths(ours)):
        return True
    if wave.clear_above is not None and wave.land:
        strengths = rules.attack_strengths(ours) + rules.attack_strengths(ships)
        if at_least(len(theirs), hits(tuple(strengths), wave.dice)) > wave.clear_above + MARGIN:
            return True
    if wave.air_above is not None and wave.land and any(map(rules.is_plane, ours)):
        before = next(place for place, unit in enumerate(reversed(ours)) if rules.is_plane(unit))
        law = hits(tuple(rules.defence_strengths(theirs)), wave.dice)
        return at_least(before + 1, law) > wave.air_above + MARGIN
    return False


def money(wave: Wave, state: State, following: State) -> Fraction:
    """What the defender loses on the way, less what the attacker does; who is gone is not lost (8.4)."""

    def worth(state: State) -> Fraction:
        ours, gone, theirs, theirs_gone, _away = state
        return rules.cost(ours + gone, wave.our_prices) - rules.cost(theirs + theirs_gone, wave.their_prices)

    return worth(following) - worth(state)


class Outlook(NamedTuple):
    """The money still to be won, on balance, and the chance of what is meant by a win."""

    profit: Fraction
    chance: Fraction


def nothing(_: State) -> Fraction:
    """What follows the end of a wave that is the only one, or is planned as if it were."""
    return NONE


class Plans:
    """Section 8.4: the planned retreats, computed backwards, with no round limit in mind.

    Rules that plan do it together: both look at the battle in which the attacker leaves wherever any rule says so.
    `ahead` tells for every end, planes crashed, what the waves to come are worth to the attacker.
    """

    def __init__(self, wave: Wave, ahead: Callable[[State], Fraction] = nothing) -> None:
        self.wave = wave
        self._ahead = ahead
        self._known: dict[State, tuple[Outlook, bool]] = {}

    def leaves(self, state: State) -> bool:
        """Whether any rule calls a fight off that goes on; landed units alone never leave (8.7)."""
        if self.wave.profit_below is None and self.wave.win_below is None:
            return not self._stays(state) and called_off(self.wave, state)
        return self._thought_out(state)[1]

    def _stays(self, state: State) -> bool:
        return rules.withdrawn(self.wave, state).attackers == state.attackers

    def declines(self) -> bool:
        """Section 8.5: what starting is worth, guns and the compulsory first round included.

        Where there is nobody to fight, nothing is declined, unless planes would crash.
        """
        wave = self.wave
        start = settled(wave, wave.start, wave.ships, first=True)
        helpless = len(start.defenders) < len(wave.defenders) - len(start.defenders_gone)
        crash = bool(wave.attackers and wave.defenders) and rules.crashed(wave, start) != start
        if not wave.may_decline or (rules.over(start, wave.ships) and not helpless and not crash):
            return False
        if not helpless and called_off(wave, wave.start, wave.ships):
            return True
        if wave.profit_below is None and wave.win_below is None:
            return False
        starting = self._started()
        better = starting.profit - self._ahead(rules.declined(wave))
        return self._too_little(better, wave.profit_below) or self._too_little(starting.chance, wave.win_below)

    def _too_little(self, value: Fraction, wanted: Fraction | None) -> bool:
        return wanted is not None and value < wanted - MARGIN

    def _started(self) -> Outlook:
        """What it is worth to start at all."""
        wave, total = self.wave, Outlook(NONE, NONE)
        for state, share in after_guns(wave).items():
            law = {state: Fraction(1)} if rules.over(state, wave.ships) else next_states(wave, state, wave.ships)
            total = self._added(total, wave.start, law, share)
        return total

    def _added(self, total: Outlook, state: State, law: Shares, share: Fraction) -> Outlook:
        profit, chance = total
        for following, likely in law.items():
            ahead = self.outlook(following)
            profit += share * likely * (money(self.wave, state, following) + ahead.profit)
            chance += share * likely * ahead.chance
        return Outlook(profit, chance)

    def outlook(self, state: State) -> Outlook:
        """What a state is worth."""
        return self._thought_out(state)[0]

    def _thought_out(self, state: State) -> tuple[Outlook, bool]:
        if state not in self._known:
            self._known[state] = self._think(state)
        return self._known[state]

    def _think(self, state: State) -> tuple[Outlook, bool]:
        """What a state is worth, and whether the attacker leaves there."""
        wave = self.wave
        if rules.over(state):
            return self._at_the_end(state), False
        alone = rules.left_field(wave, state, 1)
        law = next_states(wave, state) if alone == state else {alone: Fraction(1)}
        stay = law.pop(state, NONE)  # rounds that change nothing do not count
        fighting = self._added(Outlook(NONE, NONE), state, law, 1 / (1 - stay))
        if self._stays(state):
            return fighting, False
        leaving = self._left(state)
        better = fighting.profit - leaving.profit
        leaves = (
            called_off(wave, state)
            or self._too_little(better, wave.profit_below)
            or self._too_little(fighting.chance, wave.win_below)
        )
        return leaving if leaves else fighting, leaves

    def _left(self, state: State) -> Outlook:
        """The worth of landed units that stay behind; or of the planes that crash, and of later waves (8.7, 9)."""
        behind = rules.withdrawn(self.wave, state)
        if behind.attackers:
            return self.outlook(behind)
        left = rules.left_by(self.wave, state)
        won = not self.wave.win_takes and not left.defenders
        return Outlook(money(self.wave, state, left) + self._ahead(left), Fraction(won))

    def _parting(self, state: State) -> Fraction:
        """What every end pays: the planes that crash, and what follows."""
        after = rules.crashed(self.wave, state)
        return money(self.wave, state, after) + self._ahead(after)

    def _at_the_end(self, state: State) -> Outlook:
        wave = self.wave
        there = rules.crashed(wave, state) if state.attackers else state
        won = rules.taken(wave, state) if wave.win_takes else not there.defenders
        if state.defenders or not wave.land:
            return Outlook(self._parting(state), Fraction(won))
        held = wave.plan_value if any(map(rules.is_land, state.attackers)) else NONE
        held -= wave.plan_deadzone * rules.deadzone_cost(wave, state.attackers)
        return Outlook(held + self._parting(state), Fraction(won))


# Sections 4 and 7: the course of a wave.


def after_guns(wave: Wave) -> Shares:
    """Section 4.2: the law of what the anti-aircraft volley leaves, quiet moves done."""
    planes = sum(map(rules.is_plane, wave.attackers))
    fires = wave.land and not wave.guns_fired and (rules.LONE_GUNS_FIRE or not rules.helpless(wave.defenders))
    shots = min(sum(rules.SHOTS.get(unit, 0) for unit in wave.defenders), planes) if fires else 0
    law: Shares = {}
    for count, share in hits((1,) * shots, wave.gun_dice).items():
        ours = rules.without(wave.attackers, rules.next_planes(wave.attackers, count))
        _add(law, settled(wave, wave.start._replace(attackers=ours), wave.ships, first=True), share)
    return law


def play(wave: Wave, ahead: Callable[[State], Fraction] = nothing) -> tuple[Shares, Fraction]:
    """The law of the states at the end, and the expected number of rounds."""
    plans = Plans(wave, ahead)
    if plans.declines():
        return {rules.declined(wave): Fraction(1)}, NONE
    ends: Shares = {}
    fighting: Shares = {}
    rounds = NONE
    for state, share in after_guns(wave).items():
        if rules.over(state, wave.ships):
            _add(ends, rules.crashed(wave, state), share)
            continue
        rounds += share
        for following, chance in next_states(wave, state, wave.ships).items():
            _go_on(plans, following, share * chance, fighting, ends, 1)
    for number in range(1, max(wave.limit or 1, wave.defender_leaves_after or 1) + 1):
        if number == wave.limit:
            fighting, states = {}, fighting
            for state, share in states.items():
                _leave(wave, state, share, fighting, ends, number)
        states = fighting if number < max(wave.limit or 1, wave.defender_leaves_after or 1) else {}
        fighting = {} if states else fighting
        for state, share in states.items():
            rounds += share
            for following, chance in next_states(wave, state).items():
                _go_on(plans, following, share * chance, fighting, ends, number + 1)
    for size in range(len(wave.attackers) + len(wave.defenders), 0, -1):
        for state in [state for state in fighting if len(state.attackers) + len(state.defenders) == size]:
            share = fighting.pop(state)
            law = next_states(wave, state)
            often = share / (1 - law.pop(state, NONE))
            rounds += often
            for following, chance in law.items():
                _go_on(plans, following, often * chance, fighting, ends, number + 1)
    return ends, rounds


def _go_on(plans: Plans, state: State, share: Fraction, fighting: Shares, ends: Shares, rounds: int) -> None:
    """After so many rounds: it is over, somebody leaves, or the next one follows."""
    if not rules.over(state) and plans.leaves(state):
        _leave(plans.wave, state, share, fighting, ends, rounds)
    elif rounds == plans.wave.limit and not rules.over(state):
        _add(fighting, state, share)  # The attackers decide first.
    else:
        _stay(plans.wave, state, share, fighting, ends, rounds)


def _leave(wave: Wave, state: State, share: Fraction, fighting: Shares, ends: Shares, rounds: int) -> None:
    """The attackers leave; landed ones that stay fight on to the end, whatever the limit (8.7)."""
    behind = rules.withdrawn(wave, state)
    if behind.attackers:
        _stay(wave, behind, share, fighting, ends, rounds)
    else:
        _add(ends, rules.left_by(wave, state), share)


def _stay(wave: Wave, state: State, share: Fraction, fighting: Shares, ends: Shares, rounds: int) -> None:
    """The attackers stay: it is over, the defender leaves, or both fight on."""
    after = rules.left_field(wave, state, rounds)
    if rules.over(after):
        _add(ends, rules.crashed(wave, after), share)
    else:
        _add(fighting, after, share)
