"""The slow twin of several waves, before anything is measured by it: chains worked by hand, and the best plans."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import chain as joined
from itertools import product
from math import comb
from typing import Any

import pytest
from hypothesis import given, settings

from tests.solver import axis_brute
from tests.solver import axis_waves_brute as twin
from tests.solver.axis_battles import document
from tests.solver.axis_chains import any_chain, chain
from tests.solver.axis_rules import UNITS, Counts, cost

Document = dict[str, Any]


def part(whole: str) -> Fraction:
    return Fraction(whole)


def some(**units: int) -> Counts:
    return tuple(sorted(units.items()))


NOBODY = some()


# Worked by hand ----------------------------------------------------------------------------------------------


def test_a_second_wave_finds_what_the_first_has_left() -> None:
    """One infantry after the other against one.

    A round that changes anything: only the attacker hits, 1/6 2/3 = 2/18; only the defender, 5/6 1/3 = 5/18; both,
    1/18. So the attacker is left with 2/8, the defender with 5/8, nobody with 1/8, after 18/8 rounds. The second wave
    meets the defender (5/8) or an empty territory (1/8).
    """
    infantry = {"infantry": 1}
    one = document(infantry, infantry)
    first, second = twin.solve(chain(one, document(infantry, {}))).waves
    assert (first.fought, first.takes, first.rounds) == (part("1"), part("1/4"), part("9/4"))
    assert second.fought == part("3/4")
    assert second.takes == second.attacker_survives == part("1/4") + part("5/8") * part("1/4") + part("1/8")
    assert second.defender_survives == part("5/8") * part("5/8")
    assert second.attacker_loss == part("5/8") * part("6/8") * 3
    assert second.defender_loss == part("5/8") * part("3/8") * 3, "in this wave only"
    assert second.rounds == part("5/8") * part("9/4")
    lost, there = some(infantry=1), some(infantry=1)
    assert second.attackers == {
        (lost, NOBODY, NOBODY): part("5/8") * part("6/8"),
        (NOBODY, there, NOBODY): part("5/8") * part("2/8") + part("1/8"),
    }
    assert second.defenders == {
        (NOBODY, there, NOBODY): part("5/8") * part("5/8"),
        (lost, NOBODY, NOBODY): part("5/8") * part("3/8") + part("1/8"),
    }
    # Profit is counted against all defenders so far: who finds nobody gains what the wave before has destroyed.
    assert second.profit == {-3: part("25/64"), 0: part("5/64"), 3: part("10/64") + part("1/8")}
    assert twin.solve(chain(one, document(infantry, {}))).joint == {
        (NOBODY, lost, "A", there): part("2/8"),  # taken by the first wave: the second has lost nobody
        (lost, lost, "A", there): part("5/8") * part("2/8") + part("1/8"),
        (some(infantry=2), NOBODY, "D", there): part("5/8") * part("5/8"),
        (some(infantry=2), lost, None, NOBODY): part("5/8") * part("1/8"),
    }


def test_captors_have_to_hold_what_they_took() -> None:
    """A tank against infantry, then infantry against the tank; the territory is worth 5.

    First wave, of rounds that change anything: only the tank hits, 1/2 2/3 = 1/3; only the infantry, 1/6; both, 1/6.
    So taken with 1/2, held with 1/4, both lost with 1/4. Then 1/6 against 1/2: the infantry alone hits with 1/12, the
    tank alone with 5/12, both with 1/12, so 1/7, 5/7 and 1/7, after 12/7 rounds.
    """
    waves, joint = twin.solve(
        chain(
            document({"amphibious_tank": 1, "bomber": 0}, {"infantry": 1}, deadzone=True, territory_value=5),
            document({"infantry": 1}, {}, previous_attackers_defend=True),
        )
    )
    first, hold = waves
    assert first.takes == part("1/2")
    # A tank that took the territory will cost 6 - 3/2.
    assert first.attacker_loss == part("1/2") * 6 + part("1/2") * (part("9/2") - 5)
    assert hold.fought == part("1/2")
    assert hold.takes == hold.attacker_survives == part("1/2") + part("1/2") * part("1/7")
    assert hold.defender_survives == part("1/2") * part("5/7")
    # Infantry that takes it back will cost 3 - 1.
    assert hold.attacker_loss == part("1/2") * (part("6/7") * 3 + part("1/7") * (2 - 5))
    assert hold.defender_loss == part("1/2") * part("2/7") * 6
    assert hold.rounds == part("1/2") * part("12/7")
    assert hold.defenders == {
        (NOBODY, some(tank=1), NOBODY): part("5/14"),
        (some(tank=1), NOBODY, NOBODY): part("2/14"),
    }
    tank, infantry = some(tank=1), some(infantry=1)
    assert joint == {
        (tank, NOBODY, "D", infantry): part("1/4"),
        (tank, infantry, None, NOBODY): part("1/4"),
        (NOBODY, some(infantry=2), "A", tank): part("5/14"),
        (tank, infantry, "D", infantry): part("1/14"),
        (tank, some(infantry=2), None, NOBODY): part("1/14"),
    }


def test_at_sea_battleships_are_whole_again_when_they_are_attacked_in_turn() -> None:
    """A battleship against a cruiser, then a cruiser against the battleship.

    Of rounds that change anything, only the battleship hits with 1/3 : 5/6 = 2/5, both hit with 2/5, only the cruiser
    with 1/5. Damaged ships fight on: the cruiser is sunk with 2/5 + 2/5 + 1/5 2/5 = 22/25, both with 1/5 2/5 = 2/25,
    the battleship with 1/25, after 6/5 + 1/5 6/5 rounds. The other way round it is the same, with the sides exchanged.
    """
    waves, joint = twin.solve(
        chain(
            document({"battleship": 1}, {"cruiser": 1}, theatre="sea"),
            document({"cruiser": 1}, {}, theatre="sea", previous_attackers_defend=True),
        )
    )
    first, hold = waves
    assert (first.attacker_survives, first.defender_survives) == (part("22/25"), part("1/25"))
    assert first.takes == hold.takes == 0, "nothing is taken at sea"
    assert hold.fought == part("22/25")
    assert hold.attacker_survives == part("3/25") + part("22/25") * part("1/25"), "who does not attack survives"
    assert hold.defender_survives == part("22/25") ** 2
    assert hold.rounds == part("22/25") * part("36/25")
    bat, cruiser = some(battleship=1), some(cruiser=1)
    assert joint == {
        (bat, NOBODY, "D", cruiser): part("1/25"),
        (bat, cruiser, None, NOBODY): part("2/25"),
        (NOBODY, some(cruiser=2), "A", bat): part("22/25") ** 2,
        (bat, some(cruiser=2), None, NOBODY): part("22/25") * part("2/25"),
        (bat, cruiser, "D", cruiser): part("22/25") * part("1/25"),
    }


@pytest.mark.parametrize(("earlier", "fought"), [(False, "3/8"), (True, "7/8")])
def test_captors_of_an_earlier_wave_are_attacked_if_the_document_says_so(earlier: bool, fought: str) -> None:
    """The first tank takes with 1/2, the second with 1/4 1/2 (against infantry) and 1/4 (against nobody)."""
    tank = {"tank": 1}
    counter = document({"infantry": 1}, {}, previous_attackers_defend=True, earlier_captors_defend=earlier)
    waves = twin.solve(chain(document(tank, {"infantry": 1}), document(tank, {}), counter)).waves
    assert waves[2].fought == part(fought)
    assert waves[2].defender_survives == part(fought) * part("5/7")


def test_who_looks_ahead_does_not_take_what_he_could_not_hold() -> None:
    """A tank against infantry for a territory worth 2, then a tank against the tank.

    Attacking alone gains 1/2 (3 + 2) + 1/4 (3 - 6) - 1/4 6 = 1/4. Of two tanks each is left with 1/3, none with 1/3,
    so the counter-attack gains 1/3 (6 + 2) - 1/3 6 + 1/3 (6 - 6) = 2/3, which half of the time is the first attacker's
    loss: 1/4 - 1/2 2/3 < 0.
    """
    profit: Document = {"retreat": {"profit_below": 0}}
    battle = chain(
        document({"tank": 1}, {"infantry": 1}, territory_value=2, **profit),
        document({"tank": 1}, {}, previous_attackers_defend=True, **profit),
    )
    near, far = twin.solve(battle), twin.solve(battle | {"look_ahead": True})
    assert (near.waves[0].takes, near.waves[1].fought) == (part("1/2"), part("1/2"))
    assert gained(battle, near) == part("1/4") - part("1/2") * part("2/3")
    assert far.joint == {(NOBODY, NOBODY, "D", some(infantry=1)): 1}
    assert far.waves[0].rounds == far.waves[1].fought == 0


# What holds of every chain -----------------------------------------------------------------------------------


@settings(derandomize=True, max_examples=150)
@given(any_chain)
def test_every_chain_adds_up(battle: Document) -> None:
    """Units that are lost in one of the waves are lost in all of them; the first wave is a battle like any other."""
    waves, joint = twin.solve(battle)
    assert sum(joint.values()) == 1
    lost = [Fraction(0), Fraction(0)]
    for (*both, _, _), share in joint.items():
        for number in (0, 1):
            lost[number] += share * worth(both[number])
    links = twin.Chain(battle)
    for number, wave in enumerate(waves):
        us = "AD".index(links.side(number))
        lost[us] -= sum(share * worth(row[0]) for row, share in wave.attackers.items())
        lost[1 - us] -= wave.defender_loss
        for table in (wave.attackers, wave.defenders, wave.profit):
            assert sum(table.values()) == wave.fought
        assert max(wave.attacker_survives, wave.defender_survives, wave.takes) <= 1
    assert lost == [0, 0]
    if not any("retreat_ev_override" in wave for wave in battle["waves"]):
        assert links.worth(0, twin.BEFORE) == gained(battle, twin.Answer(waves, joint)), "as it is planned with"
    if not battle.get("look_ahead"):
        alone = axis_brute.solve(battle | {"waves": battle["waves"][:1]})
        assert (waves[0].takes, waves[0].profit, waves[0].rounds) == (alone.takes, alone.profit, alone.rounds)


def worth(units: Counts) -> int:
    return cost(unit for unit, count in units for _ in range(count))


# Looking ahead -----------------------------------------------------------------------------------------------


def gained(battle: Document, answer: twin.Answer) -> Fraction:
    """The money that side A gains on balance in all waves."""
    links = twin.Chain(battle)
    signs = (1 if links.side(number) == "A" else -1 for number in range(len(answer.waves)))
    return sum(
        (sign * (wave.defender_loss - wave.attacker_loss) for sign, wave in zip(signs, answer.waves, strict=True)),
        Fraction(0),
    )


@dataclass(frozen=True)
class Duel:
    """Two waves on land, each side with units of one kind, worked out apart from everything else here."""

    attackers: tuple[tuple[str, int], tuple[str, int]]
    """Of both waves."""
    defenders: tuple[str, int]
    reinforcements: int = 0
    """Of the kind that defends in the second wave."""
    hold: bool = False
    value: int = 0
    deadzone: bool = False
    may_decline: bool = True

    def document(self) -> Document:
        (one, many), (kind, count) = self.attackers
        defender, size = self.defenders
        profit: Document = {"retreat": {"profit_below": 0}}
        return chain(
            document({one: many}, {defender: size}, **profit),
            document(
                {kind: count},
                {one if self.hold else defender: self.reinforcements},
                previous_attackers_defend=self.hold,
                **profit,
            ),
            territory_value=self.value,
            deadzone=self.deadzone,
            decline_allowed=self.may_decline,
            look_ahead=True,
        )

    def kinds(self, wave: int) -> tuple[str, str]:
        """Who attacks and who defends."""
        return self.attackers[wave][0], self.attackers[0][0] if wave and self.hold else self.defenders[0]


Point = tuple[int, int | None, int]
"""Where there is a choice: the wave, how many attack and defend; before the first shot no number attacks."""
Policy = Mapping[Point, bool]
"""Whether to leave there."""


class Plan:
    """What a duel is worth under a policy; without one, the better of both at every point."""

    def __init__(self, duel: Duel, policy: Policy | None = None) -> None:
        self.duel = duel
        self.policy = policy
        self.start = cache(self._start)
        self.point = cache(self._point)

    def _start(self, wave: int, defend: int) -> Fraction:
        """To the side whose wave it is."""
        attack = self.duel.attackers[wave][1]
        if not attack or not defend:
            return self.end(wave, attack, defend)
        first = sum((share * value for _, share, value in self.round(wave, attack, defend)), Fraction(0))
        if not self.duel.may_decline:
            return first
        return self.better((wave, None, defend), first, self.end(wave, 0, defend))

    def _point(self, wave: int, attack: int, defend: int) -> Fraction:
        """After a round."""
        if not attack or not defend:
            return self.end(wave, attack, defend)
        on, leaving = Fraction(0), Fraction(0)
        for changed, share, value in self.round(wave, attack, defend, stays=True):
            if changed:
                on, leaving = on + share * value, leaving + share
        return self.better((wave, attack, defend), on / leaving, self.end(wave, 0, defend))

    def better(self, point: Point, on: Fraction, off: Fraction) -> Fraction:
        if self.policy is None:
            return max(on, off)
        return off if self.policy[point] else on

    def round(
        self, wave: int, attack: int, defend: int, stays: bool = False
    ) -> Iterator[tuple[bool, Fraction, Fraction]]:
        """Whether anything changed, how likely it is, and the money from there on."""
        ours, theirs = self.duel.kinds(wave)
        for hit, back in product(range(attack + 1), range(defend + 1)):
            share = binomial(attack, hit, UNITS[ours].attack) * binomial(defend, back, UNITS[theirs].defence)
            killed, lost = min(hit, defend), min(back, attack)
            if killed or lost or not stays:
                money = killed * UNITS[theirs].cost - lost * UNITS[ours].cost
                yield bool(killed or lost), share, money + self.point(wave, attack - lost, defend - killed)

    def end(self, wave: int, attack: int, defend: int) -> Fraction:
        """What the territory is worth if it is taken, and what follows; who is left but did not take it goes home."""
        ours = UNITS[self.duel.kinds(wave)[0]]
        taken = attack > 0 and not defend
        total = Fraction(0)
        if taken:
            total += self.duel.value - self.duel.deadzone * attack * (ours.cost - Fraction(ours.defence, 2))
        if wave == 0 and taken == self.duel.hold:
            following = self.start(1, (attack if self.duel.hold else defend) + self.duel.reinforcements)
            total += -following if self.duel.hold else following
        return total


def binomial(dice: int, hits: int, strength: int) -> Fraction:
    return comb(dice, hits) * Fraction(strength, 6) ** hits * Fraction(6 - strength, 6) ** (dice - hits)


def policies(duel: Duel, wave: int) -> Iterator[dict[Point, bool]]:
    """Every way to leave or not at every point of a wave."""
    many = duel.attackers[wave][1]
    most = duel.defenders[1] if wave == 0 else duel.attackers[0][1] if duel.hold else duel.defenders[1]
    defend = range(1, most + 1 + (duel.reinforcements if wave else 0))
    points: list[Point] = [(wave, attack, left) for attack in range(1, many + 1) for left in defend]
    if duel.may_decline:
        points += [(wave, None, left) for left in (defend if wave else defend[-1:])]
    for leaves in product([False, True], repeat=len(points)):
        yield dict(zip(points, leaves, strict=True))


def best_policy(duel: Duel) -> Fraction:
    """The most that side A can make sure of, over all policies; the second wave chooses against it in a hold."""
    answers = list(policies(duel, 1))
    choose = min if duel.hold else max
    start = duel.defenders[1]
    return max(
        choose(Plan(duel, {**first, **second}).start(0, start) for second in answers) for first in policies(duel, 0)
    )


TANK, TANKS, INFANTRY, FOOT = ("tank", 1), ("tank", 2), ("infantry", 1), ("infantry", 2)

TINY = [
    Duel((INFANTRY, TANK), FOOT),
    Duel((FOOT, TANK), FOOT),
    Duel((FOOT, TANK), TANK, reinforcements=1),
    Duel((TANKS, INFANTRY), INFANTRY, value=4, deadzone=True),
    Duel((FOOT, FOOT), TANK, value=3),
    Duel((FOOT, INFANTRY), FOOT, value=10, may_decline=False),
    Duel((TANK, TANK), INFANTRY, hold=True, value=2),
    Duel((FOOT, TANK), INFANTRY, hold=True, value=4),
    Duel((TANK, FOOT), INFANTRY, hold=True, value=8, deadzone=True),
    Duel((TANK, TANK), INFANTRY, reinforcements=1, hold=True, value=6),
    Duel((FOOT, TANK), INFANTRY, hold=True, value=5, may_decline=False),
]
SMALL = [
    Duel((first, second), defenders, reinforcements, hold, value, deadzone=bool(value % 2))
    for first, second, defenders in product([("infantry", 3), ("tank", 3)], [("infantry", 3), TANKS], [TANKS, FOOT])
    for reinforcements, hold, value in [(0, False, 6), (1, False, 9), (0, True, 6), (0, True, 9), (1, True, 6)]
]


@pytest.mark.parametrize("duel", TINY)
def test_who_looks_ahead_does_as_well_as_the_best_of_all_policies(duel: Duel) -> None:
    battle = duel.document()
    best = best_policy(duel)
    assert gained(battle, twin.solve(battle)) == best
    assert Plan(duel).start(0, duel.defenders[1]) == best


@pytest.mark.parametrize("duel", SMALL)
def test_who_looks_ahead_leaves_exactly_where_that_is_better(duel: Duel) -> None:
    battle = duel.document()
    assert gained(battle, twin.solve(battle)) == Plan(duel).start(0, duel.defenders[1])


def test_who_does_not_look_ahead_does_worse() -> None:
    """In some of these battles, and in none better: otherwise they would show nothing."""
    worse = 0
    for duel in joined(TINY, SMALL):
        battle = duel.document()
        far, near = (gained(battle, twin.solve(battle | {"look_ahead": ahead})) for ahead in (True, False))
        assert near <= far
        worse += near < far
    assert worse > 10
