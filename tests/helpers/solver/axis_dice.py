"""The dice roller of Axis & Allies 1942: a referee plays one wave step by step, as the rules tell it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from operator import le
from random import Random
from typing import NamedTuple

from tests.helpers.solver.axis_rules import (
    BIASED,
    UNITS,
    Counts,
    State,
    Units,
    Wave,
    attack_strengths,
    counted,
    deadlocked,
    defence_strengths,
    helpless,
    is_land,
    is_plane,
    landed,
    size,
)

Leaves = Callable[[State], bool]
"""Whether the attacker, by a plan of his own, leaves a fight that stands like this."""


@dataclass(frozen=True)
class Ending:
    """Section 15: how a battle ended; bombarding ships on land are not counted."""

    attackers_left: dict[str, int]
    attackers_gone: dict[str, int]
    attackers_lost: dict[str, int]
    defenders_left: dict[str, int]
    defenders_gone: dict[str, int]
    defenders_lost: dict[str, int]
    rounds: int
    taken: bool


@dataclass
class Side:
    """One side: who fights, the most protected first, who is gone and who is lost."""

    units: list[str]
    submerges: bool
    keeps: bool
    gone: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    def has(self, unit: str) -> bool:
        return unit in self.units

    def has_planes(self) -> bool:
        return any(map(is_plane, self.units))

    def lose(self, place: int) -> None:
        self.lost.append(self.units.pop(place))

    def crash(self) -> None:
        """The planes beyond two for each carrier are lost, the least protected ones; of those who left, likewise."""
        for units in (self.units, self.gone):
            planes = [unit for unit in units if is_plane(unit)]
            for unit in planes[2 * units.count("carrier") :]:
                units.reverse()
                units.remove(unit)
                units.reverse()
                self.lost.append(unit)

    def leave(self, leaving: Callable[[str], bool]) -> None:
        """These units are out of the fight, alive."""
        self.gone += [unit for unit in self.units if leaving(unit)]
        self.units = [unit for unit in self.units if not leaving(unit)]

    def casualty(self, legal: Callable[[str], bool], protects: bool) -> None:
        """Section 5.2: the next legal unit is lost, or the next but one to keep the last destroyer."""
        places = range(len(self.units) - 1, -1, -1)
        chosen = next((place for place in places if legal(self.units[place])), None)
        if chosen is None:
            return
        if protects and self.units[chosen] == "destroyer" and self.units.count("destroyer") == 1:
            targets = (place for place in places if legal(self.units[place]))
            others = (place for place in targets if self.units[place] not in ("destroyer", "transport"))
            chosen = next(others, chosen)
        self.lose(chosen)


class Dice(NamedTuple):
    """The strengths with which a side fires: of submarines, of planes and of all others."""

    subs: tuple[int, ...]
    planes: tuple[int, ...]
    others: tuple[int, ...]


@dataclass
class Hits:
    """The hits of one side that are still to be allotted, by who scored them."""

    subs: int = 0
    planes: int = 0
    others: int = 0


def fight(wave: Wave, random: Random, leaves: Leaves | None = None, *, declines: bool = False) -> Ending:
    """Roll a wave.

    The planned retreats of section 8.4 are not thought out here: who rolls them says when the attacker `leaves` (asked
    before each round but the first) and whether he `declines` to start at all.
    """
    if leaves is None and (wave.profit_below is not None or wave.win_below is not None):
        raise NotImplementedError("planned retreats need to be told when to leave")
    return Referee(wave, random, leaves or (lambda _: False)).play(declines=declines)


class Referee:
    """Who plays one wave by the rules."""

    def __init__(self, wave: Wave, random: Random, leaves: Leaves) -> None:
        self.wave, self.random, self.leaves = wave, random, leaves
        self.attacker = Side(list(wave.attackers), wave.attackers_submerge > 0, wave.attackers_keep)
        self.defender = Side(list(wave.defenders), wave.defenders_submerge > 0, wave.defenders_keep)
        self.ships = list(wave.ships)
        self.rounds = 0

    def play(self, *, declines: bool) -> Ending:
        """Section 4: the order of events."""
        if self.wave.may_decline and (declines or self.must_retreat()):
            self.attacker.leave(lambda _: True)
            return self.ending()
        self.fire_guns()
        self.move_quietly()
        while not self.over():
            if self.rounds and self.wants_out():
                self.retreat()
                continue
            self.fight_round()
            self.ships = []
            self.move_quietly()
        self.crash_fighters()
        return self.ending()

    def over(self) -> bool:
        """Section 4.4: somebody has nobody who fights, or nobody can hit."""
        ours, theirs = self.attacker.units, self.defender.units
        return not theirs or not (ours or self.ships) or deadlocked(tuple(ours), tuple(theirs))

    def wants_out(self) -> bool:
        """Sections 7 and 8: a rule, the plan or the limit; landed units never leave by themselves (8.7)."""
        if self.wave.landing and all(map(landed, self.attacker.units)):
            return False
        if self.wave.limit is not None and self.rounds >= self.wave.limit:
            return True
        return self.must_retreat() or self.leaves(self.state())

    def retreat(self) -> None:
        """Section 8.7: in a planned landing the landed units stay and fight on."""
        self.attacker.leave(lambda unit: not (self.wave.landing and landed(unit)))

    def state(self) -> State:
        ours, theirs = self.attacker, self.defender
        return State(tuple(ours.units), tuple(ours.gone), tuple(theirs.units), tuple(theirs.gone))

    def ending(self) -> Ending:
        """Section 15: attackers who are not alone at the end are gone."""
        ours, theirs = self.attacker, self.defender
        taken = self.wave.land and not theirs.units and any(map(is_land, ours.units))
        if theirs.units:
            ours.leave(lambda _: True)
        return Ending(
            attackers_left=tally(ours.units),
            attackers_gone=tally(ours.gone),
            attackers_lost=tally(ours.lost),
            defenders_left=tally(theirs.units),
            defenders_gone=tally(theirs.gone),
            defenders_lost=tally(theirs.lost),
            rounds=self.rounds,
            taken=taken,
        )

    def crash_fighters(self) -> None:
        """Section 9: a side keeps two planes for each carrier left, the most protected ones."""
        for side, crash in ((self.attacker, self.wave.our_crash), (self.defender, self.wave.crash)):
            if crash:
                side.crash()

    # Section 6: dice.

    def roll(self, strengths: Sequence[int]) -> int:
        """The hits of a group of dice."""
        if self.wave.dice == "low_luck":
            sure, rest = divmod(sum(strengths), 6)
            return sure + (self.random.randrange(6) < rest)
        return sum(map(le, self.faces(len(strengths)), strengths))

    def faces(self, many: int) -> list[int]:
        """The faces of so many dice."""
        if self.wave.dice == "biased":
            return self.random.choices((1, 2, 3, 4, 5, 6), (1, 2, 3, 2, 1, 1), k=many)
        return [self.random.randrange(6) + 1 for _ in range(many)]

    # Sections 4.2, 4.5: what happens outside of rounds.

    def fire_guns(self) -> None:
        """Section 4.2: three shots a gun, at most one a plane; guns alone do not fire."""
        guns = self.defender.units.count("aa_gun")
        planes = sum(map(is_plane, self.attacker.units))
        if not self.wave.land or self.wave.guns_fired or guns == len(self.defender.units):
            return
        for _ in range(self.roll([1] * min(3 * guns, planes))):
            self.attacker.casualty(is_plane, protects=False)

    def move_quietly(self) -> None:
        """Section 4.5: submarines submerge, then helpless defenders are destroyed."""
        ours, theirs = self.attacker, self.defender
        if ours.units and theirs.units:
            hunted, hunting = (one.has("destroyer") or helpless(tuple(one.units)) for one in (theirs, ours))
            if ours.submerges and not hunted:
                ours.leave(is_sub)
            if theirs.submerges and not hunting:
                theirs.leave(is_sub)
        if ours.units and helpless(tuple(theirs.units)):
            while theirs.units:
                theirs.lose(-1)

    # Section 5: one round of fire.

    def fight_round(self) -> None:
        """Section 5.2, with section 5.1 as the case without submarines."""
        self.rounds += 1
        ours, theirs = self.attacker, self.defender
        water = ours.has("submarine") or theirs.has("submarine")
        we_hunt, they_hunt = ours.has("destroyer"), theirs.has("destroyer")
        we_protect = ours.keeps and theirs.has("submarine")
        they_protect = theirs.keeps and ours.has("submarine")

        strike, strike_back = Hits(), Hits()
        if not they_hunt:
            strike.subs = self.roll(dice_of(tuple(ours.units), attack_strengths).subs)
        if not we_hunt:
            strike_back.subs = self.roll(dice_of(tuple(theirs.units), defence_strengths).subs)
        self.allot(strike, theirs, they_protect)
        self.allot(strike_back, ours, we_protect)

        dice = dice_of(tuple(ours.units), attack_strengths, tuple(self.ships))
        dice_back = dice_of(tuple(theirs.units), defence_strengths)
        fire = self.fire(dice, water, we_hunt, subs=they_hunt)
        fire_back = self.fire(dice_back, water, they_hunt, subs=we_hunt)
        free = they_hunt and ours.has_planes() and not theirs.has_planes()
        free_back = we_hunt and theirs.has_planes() and not ours.has_planes()
        self.allot(fire, theirs, they_protect, free=free)
        self.allot(fire_back, ours, we_protect, free=free_back)

    def fire(self, dice: Dice, water: bool, hunts: bool, *, subs: bool) -> Hits:
        """Section 5.3: who rolls together; submarines fire here only if they had no surprise strike."""
        below = self.roll(dice.subs) if subs else 0
        if hunts or not water:
            return Hits(below, 0, self.roll(dice.planes + dice.others))
        return Hits(below, self.roll(dice.planes), self.roll(dice.others))

    def allot(self, hits: Hits, target: Side, protects: bool, *, free: bool = False) -> None:
        """Section 5.2.3: hits of submarines, of planes, all others; the first come last if they are `free`."""
        if free:
            hits = Hits(0, hits.planes, hits.subs + hits.others)
        for _ in range(hits.subs):
            target.casualty(lambda unit: not is_plane(unit), protects)
        for _ in range(hits.planes):
            target.casualty(lambda unit: not is_sub(unit), protects)
        for _ in range(hits.others):
            target.casualty(lambda _: True, protects)

    # Section 8: when the attacker leaves.

    def must_retreat(self) -> bool:
        """Sections 8.1 to 8.3."""
        return self.too_few() or self.too_easy() or self.too_dear()

    def too_few(self) -> bool:
        """Section 8.1: so many units at most; spare hits and bombarding ships are no units."""
        return bool(self.wave.at_most) and size(self.attacker.units) <= self.wave.at_most

    def too_easy(self) -> bool:
        """Section 8.2: this round may well be the last; ships that bombard help."""
        if self.wave.clear_above is None or not self.wave.land:
            return False
        strengths = attack_strengths(tuple(self.attacker.units)) + attack_strengths(tuple(self.ships))
        needed = len(self.defender.units)
        return chance_of(needed, tuple(strengths), self.wave.dice) > self.wave.clear_above

    def too_dear(self) -> bool:
        """Section 8.3: this round may well cost a plane."""
        if self.wave.air_above is None or not self.wave.land or not self.attacker.has_planes():
            return False
        needed = 1
        for unit in reversed(self.attacker.units):
            if is_plane(unit):
                break
            needed += 1
        return (
            chance_of(needed, tuple(defence_strengths(tuple(self.defender.units))), self.wave.dice)
            > self.wave.air_above
        )


def is_sub(unit: str) -> bool:
    return unit == "submarine"


@cache
def dice_of(units: Units, strengths: Callable[[Units], list[int]], ships: Units = ()) -> Dice:
    """Sections 3.1 and 5.3: what these units, and ships beside them, fire with."""
    power = [*zip(units, strengths(units), strict=True), *((ship, UNITS[ship].attack) for ship in ships)]
    subs = tuple(strength for unit, strength in power if is_sub(unit))
    planes = tuple(strength for unit, strength in power if is_plane(unit))
    others = tuple(strength for unit, strength in power if not is_sub(unit) and not is_plane(unit))
    return Dice(subs, planes, others)


def tally(units: list[str]) -> dict[str, int]:
    """How many of each unit, as the rules count them."""
    return dict(_tally(tuple(units)))


@cache
def _tally(units: Units) -> Counts:
    return tuple(counted(units).items())


@lru_cache(maxsize=100_000)
def chance_of(needed: int, strengths: tuple[int, ...], dice: str) -> Fraction:
    """The chance of at least so many hits: the first die hits or not, and the others have to do the rest."""
    if dice == "low_luck":
        sure, rest = divmod(sum(strengths), 6)
        return Fraction(needed <= sure) if needed != sure + 1 else Fraction(rest, 6)
    if needed <= 0:
        return Fraction(1)
    if needed > len(strengths):
        return Fraction(0)
    hit = BIASED[strengths[0]] if dice == "biased" else Fraction(strengths[0], 6)
    return hit * chance_of(needed - 1, strengths[1:], dice) + (1 - hit) * chance_of(needed, strengths[1:], dice)
