"""The slow twin of chosen casualties: one wave, every hit and every choice in turn, in fractions. Nothing is clever."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from itertools import product
from typing import Any

from tests.helpers.solver import axis_brute as brute
from tests.helpers.solver import axis_rules as rules
from tests.helpers.solver.axis_rules import State, Units, Wave

Worth = tuple[Fraction, Fraction]
"""A worth, and the chance that the round begins again: it is not known yet what that is worth."""
Hits = tuple[int, int, int]
"""Hits of submarines, of planes that cannot hit submarines, and of everybody else."""
NONE, ONE = Fraction(0), Fraction(1)


def ways(units: Units, hits: Hits, merged: bool) -> set[Units]:
    """Everything that hits may leave: those of submarines are allotted first, then those of planes, then all others."""
    subs, planes, others = (0, hits[1], hits[0] + hits[2]) if merged else hits
    found = {units}
    for count, legal in (
        (subs, lambda unit: not rules.is_plane(unit)),
        (planes, lambda unit: not rules.is_sub(unit)),
        (others, lambda _: True),
    ):
        for _ in range(count):
            found = {left for before in found for left in after_hit(before, legal)}
    return found


def after_hit(units: Units, legal: Callable[[str], bool]) -> set[Units]:
    """Everything that one more hit may leave: transports are lost when nobody else can be."""
    kinds = {unit for unit in units if legal(unit)}
    if units.count("battleship") == units.count("spare_hit"):
        kinds.discard("battleship")  # the first hit of each is still to come
    kinds = (kinds if rules.SEA.transports_fight else kinds - {"transport"}) or kinds
    return {rules.without(units, (kind,)) for kind in kinds} or {units}


class Chosen:
    """The worth of a battle to the attacker if casualties are chosen in the best way."""

    def __init__(self, battle: dict[str, Any], attacker: bool, defender: bool, aim: str) -> None:
        self.wave, self.free, self.aim = rules.read(battle), (attacker, defender), aim
        self.plans = any(battle["waves"][0].get("retreat", {}).values())
        self._known: dict[tuple[State, int | None], Fraction] = {}

    @property
    def begins(self) -> bool:
        """Whether the first round has to be fought."""
        return self.plans or bool(self.wave.ships) or self.wave.defender_may_leave

    @property
    def limit(self) -> int | None:
        """The number of rounds after which a side leaves."""
        return self.wave.limit or self.wave.defender_leaves_after

    def value(self) -> Fraction:
        """The worth before the first shot: guns fire, then the first round may have to be fought."""
        total = sum((share * max(map(self._begin, states)) for share, states in self._shots()), NONE)
        return max(total, NONE) if self.plans and self.wave.may_decline else total

    def _shots(self) -> Iterator[tuple[Fraction, list[State]]]:
        """Every shot of the guns, with all that it may leave, first what the order leaves."""
        wave = self.wave
        guns, planes = wave.defenders.count("aa_gun"), sum(map(rules.is_plane, wave.attackers))
        fires = wave.land and not wave.guns_fired and guns < len(wave.defenders)
        for count, share in brute.hits((1,) * (min(3 * guns, planes) if fires else 0), wave.gun_dice).items():
            lost = {wave.attackers}
            for _ in range(count if self.free[0] else 0):
                lost = {left for before in lost for left in after_hit(before, rules.is_plane)}
            usual = rules.without(wave.attackers, rules.next_planes(wave.attackers, count))
            every = [usual, *(lost - {usual})] if self.free[0] else [usual]
            yield share, [wave.start._replace(attackers=left) for left in every]

    def _begin(self, state: State) -> Fraction:
        first = self.begins or rules.SEA.waits
        return self.worth(state, self.limit, first, self.wave.ships if first else ())

    def worth(self, state: State, left: int | None, first: bool = False, ships: Units = ()) -> Fraction:
        """The worth at the beginning of a round, with so many rounds left; the first one may have to be fought."""
        if first:
            return self._dive(state, left, first, ships)
        if (state, left) not in self._known:
            self._known[state, left] = self._dive(state, left, first, ships)
        return self._known[state, left]

    def _dive(self, state: State, left: int | None, first: bool, ships: Units) -> Fraction:
        """First the attacker's submarines may submerge, then the defender's."""
        options, wave = [], self.wave
        waits = first and rules.SEA.waits and not rules.over(state, ships)
        meet = state.attackers and state.defenders and not waits
        if (
            meet
            and wave.attackers_submerge
            and brute.settled(self._only_dives(True), state).attackers_gone != state.attackers_gone
            and "destroyer" not in state.defenders
            and not rules.helpless(state.defenders)
        ):
            under = brute.settled(self._only_dives(True), state)
            options.append(self._dive(under, left, first, ships))
        if options and not self.free[0]:
            return options[0]
        below, rest = [], self._stop
        if (
            meet
            and wave.defenders_submerge
            and brute.settled(self._only_dives(False), state).defenders_gone != state.defenders_gone
            and "destroyer" not in state.attackers
            and not rules.helpless(state.attackers)
        ):
            under = brute.settled(self._only_dives(False), state)
            below.append(self._dive(under, left, first, ships))
        if not below or self.free[1]:
            below.append(rest(state, left, first, ships))
        return max([*options, min(below)])

    def _only_dives(self, attacker: bool) -> Wave:
        ours, theirs = self.wave.attackers_submerge, self.wave.defenders_submerge
        return replace(self.wave, attackers_submerge=ours * attacker, defenders_submerge=theirs * (not attacker))

    def _stop(self, state: State, left: int | None, first: bool, ships: Units) -> Fraction:
        """Then the attacker may stop, if there is a plan."""
        if (state.attackers or ships) and rules.helpless(state.defenders):
            state = state._replace(defenders=())
        if rules.over(state, ships):
            return self._end(rules.crashed(self.wave, state))
        behind = rules.withdrawn(self.wave, state)
        stays = behind.attackers == state.attackers
        late = self.wave.defender_leaves_after if left == 0 else None
        if left == 0 and not stays and not late:
            return self._leave(state, behind)
        field = state if first else rules.left_field(self.wave, state, late or 0)
        if field == state:
            fought = self._round(state, left or None, first, ships)
        else:
            fought = self._end(rules.crashed(self.wave, field))
        may_stop = self.plans and not first and not stays and left != 0
        return max(fought, self._leave(state, behind)) if may_stop else fought

    def _leave(self, state: State, behind: State) -> Fraction:
        if behind.attackers:
            return self.worth(behind, None)
        return self._end(rules.left_by(self.wave, state))

    def _end(self, state: State) -> Fraction:
        ours, theirs = rules.losses(self.wave, state)
        if self.aim == "profit":
            return theirs - ours
        if self.wave.land:
            return Fraction(rules.taken(self.wave, state))
        submerged = state.defenders_gone and not self.wave.defender_may_leave
        return Fraction(not state.defenders and not submerged and rules.size(state.attackers) > 0)

    # One round -------------------------------------------------------------------------------------------

    def _round(self, state: State, left: int | None, first: bool, ships: Units) -> Fraction:
        ours, theirs = state.attackers, state.defenders
        water = any(map(rules.is_sub, ours + theirs))
        hunts = "destroyer" in ours, "destroyer" in theirs
        wave, first_strikes = self.wave, (not hunts[1], not hunts[0] and not rules.SEA.late)
        hunts = hunts[0] or rules.SEA.hunted, hunts[1] or rules.SEA.hunted
        keeps = (
            wave.attackers_keep and any(map(rules.is_sub, theirs)),
            wave.defenders_keep and any(map(rules.is_sub, ours)),
        )

        def after(ours_now: Units, theirs_now: Units) -> Worth:
            if (ours_now, theirs_now) == (ours, theirs) and left is None and not first:
                return NONE, ONE
            following = state._replace(attackers=ours_now, defenders=theirs_now)
            return self.worth(following, None if left is None else left - 1), NONE

        def salvo(ours_left: Units, theirs_left: Units) -> Worth:
            subs, planes, others = brute._fire(ours_left, rules.attack_strengths, water, hunts[0], first_strikes[0])
            fire = subs, planes, others + tuple(rules.UNITS[ship].attack for ship in ships)
            back = brute._fire(theirs_left, rules.defence_strengths, water, hunts[1], first_strikes[1])
            merged = not first_strikes[0] and brute._merged(ours_left, theirs_left)
            merged_back = not first_strikes[1] and brute._merged(theirs_left, ours_left)
            return self._phase(ours_left, theirs_left, (fire, merged), (back, merged_back), keeps, after)

        strike = brute._strike(ours, rules.attack_strengths, first_strikes[0])
        strike_back = brute._strike(theirs, rules.defence_strengths, first_strikes[1])
        worth, again = self._phase(ours, theirs, (strike, False), (strike_back, False), keeps, salvo)
        return worth / (1 - again)

    def _phase(
        self,
        ours: Units,
        theirs: Units,
        fire: tuple[brute.Fire, bool],
        back: tuple[brute.Fire, bool],
        keeps: tuple[bool, bool],
        then: Callable[[Units, Units], Worth],
    ) -> Worth:
        """The defender chooses knowing the hits on them; the attacker knows all hits and what the defender has lost."""
        answered = cache(partial(self._reply, ours, back, keeps, cache(then)))
        return _average(
            (share, _best(min, map(answered, self._left(1, theirs, hits, fire[1], keeps))))
            for hits, share in _hits(fire[0], self.wave.dice)
        )

    def _reply(
        self,
        ours: Units,
        back: tuple[brute.Fire, bool],
        keeps: tuple[bool, bool],
        known: Callable[[Units, Units], Worth],
        theirs_now: Units,
    ) -> Worth:
        """The defender's hits fall when it is known what the defender has left, and the attacker chooses."""
        return _average(
            (share, _best(max, (known(ours_now, theirs_now) for ours_now in self._left(0, ours, hits, back[1], keeps))))
            for hits, share in _hits(back[0], self.wave.dice)
        )

    def _left(self, side: int, units: Units, hits: Hits, merged: bool, keeps: tuple[bool, bool]) -> set[Units]:
        if self.free[side]:
            return ways(units, hits, merged)
        subs, planes, others = (0, hits[1], hits[0] + hits[2]) if merged else hits
        left = brute.allotted(units, subs, keeps[side], lambda unit: not rules.is_plane(unit))
        left = brute.allotted(left, planes, keeps[side], lambda unit: not rules.is_sub(unit))
        return {brute.allotted(left, others, keeps[side], lambda _: True)}


class FirstLoss(Chosen):
    """The worth of a battle to the attacker if one side has taken the first hits in one way, and then all is best."""

    _fixed: tuple[int, Units, Callable[[Iterable[Fraction]], Fraction]] | None = None

    def after_guns(self, left: Units) -> Fraction:
        """The worth when the guns have left the attacker so much."""
        return self._begin(self.wave.start._replace(attackers=left))

    def begun(self) -> list[tuple[Fraction, State]]:
        """The units that fight the first round, and how likely: planes are shot down, and submarines submerge."""
        return [(share, self._after_dive(max(states, key=self._begin))) for share, states in self._shots()]

    def _after_dive(self, state: State) -> State:
        """Only one side may have submarines that submerge: if it chooses, they do so where that is better."""
        wave, first = self.wave, self.begins
        assert not (wave.attackers_submerge and wave.defenders_submerge)
        for side, dives in enumerate((wave.attackers_submerge, wave.defenders_submerge)):
            own, other = (state.defenders, state.attackers) if side else (state.attackers, state.defenders)
            if dives and other and any(map(rules.is_sub, own)) and "destroyer" not in other:
                under = brute.settled(self._only_dives(side == 0), state)
                ships = wave.ships if first else ()
                dived = self._dive(under, self.limit, first, ships)
                stayed = self._stop(state, self.limit, first, ships)
                if not self.free[side] or (dived < stayed if side else dived > stayed):
                    return under
        return state

    def chances_of_hits(self, hits: int) -> list[Fraction]:
        """The chance of so many first hits on land, with each number of planes that the guns shoot down."""
        return [
            share * sum(likely for given, likely in _hits(self._fire(state), self.wave.dice) if sum(given) == hits)
            for share, state in self.begun()
        ]

    def _fire(self, state: State) -> brute.Fire:
        subs, planes, others = brute._fire(state.attackers, rules.attack_strengths, False, False, True)
        return subs, planes, others + tuple(rules.UNITS[ship].attack for ship in self.wave.ships)

    def after_hits(
        self, side: int, left: Units, among: Callable[[Iterable[Fraction]], Fraction], hits: int = 0
    ) -> Fraction:
        """The worth when the first hits have left a side so much, and before those of the other side fall.

        Where several choices are equally good to the defender, `among` picks one. Where guns fire, there are so many
        hits on the defender, and what the guns do is averaged.
        """
        begun, wave = self.begun(), self.wave
        shares = self.chances_of_hits(hits) if len(begun) > 1 else [ONE]
        first, total = self.begins, NONE
        for share, (_share, state) in zip(shares, begun, strict=True):
            if share:
                self._fixed = side, left, among
                total += share * self._round(state, self.limit, first, wave.ships if first else ())
        return total / sum(shares)

    def _phase(
        self,
        ours: Units,
        theirs: Units,
        fire: tuple[brute.Fire, bool],
        back: tuple[brute.Fire, bool],
        keeps: tuple[bool, bool],
        then: Callable[[Units, Units], Worth],
    ) -> Worth:
        if self._fixed is None or not any((*fire[0], *back[0])):
            return super()._phase(ours, theirs, fire, back, keeps, then)
        (side, left, among), self._fixed = self._fixed, None
        known = cache(then)
        answered = cache(partial(self._reply, ours, back, keeps, known))
        if side:
            return answered(left)
        parts = []
        for hits, share in _hits(fire[0], self.wave.dice):
            options = self._left(1, theirs, hits, fire[1], keeps)
            best = min(answered(theirs_now)[0] for theirs_now in options)
            equal = [known(left, theirs_now) for theirs_now in options if answered(theirs_now)[0] == best]
            parts.append((share, (among(worth for worth, _again in equal), equal[0][1])))
        return _average(parts)


def _hits(fire: brute.Fire, dice: str) -> Iterator[tuple[Hits, Fraction]]:
    for (subs, one), (planes, two), (others, three) in product(*(brute.hits(group, dice).items() for group in fire)):
        yield (subs, planes, others), one * two * three


def _average(parts: Iterable[tuple[Fraction, Worth]]) -> Worth:
    worth = again = NONE
    for share, (one, other) in parts:
        worth, again = worth + share * one, again + share * other if other else again
    return worth, again


def _best(better: Callable[[Iterable[Fraction]], Fraction], options: Iterable[Worth]) -> Worth:
    every = list(options)
    if len(every) == 1:
        return every[0]
    assert not any(again for _worth, again in every), "a choice is between losses"
    return better(worth for worth, _again in every), NONE
