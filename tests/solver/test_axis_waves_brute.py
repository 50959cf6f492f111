"""The slow twin of several waves, before anything is measured by it: chains worked by hand, and the best plans."""

from dataclasses import replace
from fractions import Fraction
from itertools import chain as joined
from itertools import product
from typing import Any

import pytest
from hypothesis import given

from solver.axis.waves.odds import solve_waves
from solver.axis.waves.waves import Waves, battle_from_dict
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver import axis_brute
from tests.helpers.solver import axis_waves_brute as twin
from tests.helpers.solver.axis_battles import RULES, document
from tests.helpers.solver.axis_chains import any_chain, chain
from tests.helpers.solver.axis_duels import Duel, best_of_both, best_policy
from tests.helpers.solver.axis_rules import Counts, cost

Document = dict[str, Any]


def part(whole: str) -> Fraction:
    return Fraction(whole)


def some(**units: int) -> Counts:
    return tuple(sorted(units.items()))


NOBODY = some()


# Worked by hand ----------------------------------------------------------------------------------------------


def test_a_second_wave_meets_the_survivors_of_the_first() -> None:
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
        (some(infantry=2), lost, "D", NOBODY): part("5/8") * part("1/8"),
    }


def test_captors_defend_the_territory_in_a_hold() -> None:
    """A tank against infantry, then infantry against the tank; the territory is worth 5.

    First wave, of rounds that change anything: only the tank hits, 1/2 2/3 = 1/3; only the infantry, 1/6; both, 1/6.
    So taken with 1/2, held with 1/4, both lost with 1/4. Then 1/6 against 1/2: the infantry alone hits with 1/12, the
    tank alone with 5/12, both with 1/12, so 1/7, 5/7 and 1/7, after 12/7 rounds.
    """
    waves, joint, profit, _ = twin.solve(
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
        (tank, infantry, "D", NOBODY): part("1/4"),
        (NOBODY, some(infantry=2), "A", tank): part("5/14"),
        (tank, infantry, "D", infantry): part("1/14"),
        (tank, some(infantry=2), "A", NOBODY): part("1/14"),
    }
    # All in all the tank that holds out costs nothing: its attackers have come. Infantry that takes it back costs 2.
    assert profit == {
        -6: part("1/4"),
        -3: part("1/4"),
        6 + 5: part("5/14"),
        3 - 6 + 2: part("1/14"),
        6 - 6 + 5: part("1/14"),  # nobody is left, and the territory stays with the captor
    }


def test_battleships_are_repaired_before_a_counter_attack() -> None:
    """A battleship against a cruiser, then a cruiser against the battleship.

    Of rounds that change anything, only the battleship hits with 1/3 : 5/6 = 2/5, both hit with 2/5, only the cruiser
    with 1/5. Damaged ships fight on: the cruiser is sunk with 2/5 + 2/5 + 1/5 2/5 = 22/25, both with 1/5 2/5 = 2/25,
    the battleship with 1/25, after 6/5 + 1/5 6/5 rounds. The other way round it is the same, with the sides exchanged.
    """
    waves, joint, *_ = twin.solve(
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
def test_earlier_captors_defend_if_the_document_says_so(earlier: bool, fought: str) -> None:
    """The first tank takes with 1/2, the second with 1/4 1/2 (against infantry) and 1/4 (against nobody)."""
    tank = {"tank": 1}
    counter = document({"infantry": 1}, {}, previous_attackers_defend=True, earlier_captors_defend=earlier)
    waves = twin.solve(chain(document(tank, {"infantry": 1}), document(tank, {}), counter)).waves
    assert waves[2].fought == part(fought)
    assert waves[2].defender_survives == part(fought) * part("5/7")


def test_captors_are_never_attacked_by_their_own_side() -> None:
    """A tank takes with 1/2. Infantry retakes with 1/7, is destroyed by the tank with 5/7, or together with it.

    Then side A attacks where the territory was retaken, with nobody; then side D where it was not.
    """
    hold: Document = {"previous_attackers_defend": True, "earlier_captors_defend": True}
    waves, joint, *_ = twin.solve(
        chain(
            document({"tank": 1}, {"infantry": 1}),
            document({"infantry": 1}, {}, **hold),
            document({}, {}, **hold),
            document({}, {"infantry": 1}, **hold),
        )
    )
    assert [wave.fought for wave in waves] == [1, part("1/2"), part("1/2") * part("1/7"), part("1/2") * part("6/7")]
    tank, infantry = some(tank=1), some(infantry=1)
    assert waves[3].defenders == {
        (NOBODY, (*infantry, *tank), NOBODY): part("5/14"),
        (tank, infantry, NOBODY): part("1/14"),
    }
    assert joint[NOBODY, some(infantry=2), "A", (*infantry, *tank)] == part("5/14")


def test_a_submerged_submarine_keeps_the_sea_zone() -> None:
    """So that nobody has captured the sea zone, and a second wave meets the submarine."""
    sub = {"submarine": 1}
    dive = document({"cruiser": 1}, sub, theatre="sea", submerge={"attacker": False, "defender": True})
    hold = document({"cruiser": 1}, {}, theatre="sea", previous_attackers_defend=True)
    waves, joint, *_ = twin.solve(chain(dive, hold))
    assert waves[0].attacker_survives == waves[0].defender_survives == 1
    assert waves[1].fought == 0
    assert joint == {(NOBODY, NOBODY, "D", some(submarine=1)): 1}
    again = twin.solve(chain(dive, document({"fighter": 1, "destroyer": 1}, {}, theatre="sea"))).waves[1]
    assert again.fought == 1
    assert again.defender_loss > 0


def test_submerged_captors_defend_in_a_hold(kernel: str) -> None:
    dive = document(
        {"submarine": 1, "cruiser": 1},
        {"cruiser": 1},
        theatre="sea",
        submerge={"attacker": True, "defender": False},
    )
    hold = document({"destroyer": 1}, {}, theatre="sea", previous_attackers_defend=True)
    assert twin.solve(chain(dive, hold)).waves[1].attacker_survives == part("29/52")
    waves = battle_from_dict(chain(dive, hold), RULES)
    assert isinstance(waves, Waves)
    assert solve_waves(waves, 0).waves[1].attacker_survives == pytest.approx(29 / 52, abs=1e-12)
    for ruling, survives in ((1, 3 / 4), (2, 71 / 104), (4, 71 / 104)):
        old = replace(waves, battles=tuple(replace(battle, ruling=ruling) for battle in waves.battles))
        assert solve_waves(old, 0).waves[1].attacker_survives == pytest.approx(survives, abs=1e-12)


def test_the_next_wave_at_sea_meets_only_reinforcements() -> None:
    """A transport is destroyed at once; of two cruisers each is left with 1/3, and with 1/3 none."""
    one = document({"cruiser": 1}, {"transport": 1}, theatre="sea")
    waves, joint, *_ = twin.solve(chain(one, document({"cruiser": 1}, {"cruiser": 1}, theatre="sea")))
    assert waves[1].fought == 1
    assert waves[1].profit == {19: part("1/3"), 7: part("1/3"), -5: part("1/3")}
    assert waves[1].defender_loss == part("2/3") * 12
    transport, cruiser = some(transport=1), some(cruiser=1)
    assert waves[1].defenders == {
        ((*cruiser, *transport), NOBODY, NOBODY): part("2/3"),
        (transport, cruiser, NOBODY): part("1/3"),
    }
    assert joint[cruiser, transport, "D", cruiser] == part("1/3")


def test_planes_do_not_hold_a_territory() -> None:
    """Two guns alone are destroyed at once; the infantry that comes back meets the tank alone (1/7, 5/7, 1/7)."""
    hold = document({"infantry": 1}, {}, previous_attackers_defend=True)
    waves, joint, *_ = twin.solve(chain(document({"tank": 1, "fighter": 1}, {"aa_gun": 2}), hold))
    tank, infantry, guns = some(tank=1), some(infantry=1), some(aa_gun=2)
    assert waves[1].defenders == {(NOBODY, tank, NOBODY): part("5/7"), (tank, NOBODY, NOBODY): part("2/7")}
    assert joint == {
        (NOBODY, (*guns, *infantry), "A", tank): part("5/7"),
        (tank, guns, "D", infantry): part("1/7"),
        (tank, (*guns, *infantry), "A", NOBODY): part("1/7"),
    }


def test_guns_fire_at_the_planes_of_every_wave() -> None:
    """A fighter, for a round, against a gun that has fired and infantry: it hits the gun with 1/2, is hit with 1/3.

    The next fighter meets the gun, loaded again, with 1/2, and is lost with 1/6 + 5/6 1/3 = 4/9, otherwise with 1/3.
    """
    fighter = {"fighter": 1}
    battle = document(fighter, {"aa_gun": 1, "infantry": 1}, round_limit=1, aa_already_fired=True)
    waves = twin.solve(chain(battle, document(fighter, {}, round_limit=1))).waves
    assert waves[0].attacker_loss == 10 * part("1/3")
    assert waves[1].attacker_loss == 10 * (part("1/2") * part("4/9") + part("1/2") * part("1/3"))


def test_lookahead_avoids_territories_it_cannot_hold() -> None:
    """A tank against infantry for a territory worth 2, then a tank against the tank.

    Attacking alone gains 1/2 (3 + 2) + 1/4 (3 - 6) - 1/4 6 = 1/4. Of two tanks each is left with 1/3, none with 1/3,
    so the counter-attack gains 1/3 (6 + 2) - 1/3 6 + 1/3 (6 - 6) = 2/3, for the first attacker keeps the territory
    where nobody is left. Half of the time that is lost again: 1/4 - 1/2 2/3 < 0.
    """
    profit: Document = {"retreat": {"profit_below": 0}}
    battle = chain(
        document({"tank": 1}, {"infantry": 1}, territory_value=2, **profit),
        document({"tank": 1}, {}, previous_attackers_defend=True, **profit),
    )
    near, far = twin.solve(battle), twin.solve(battle | {"look_ahead": True})
    assert (near.waves[0].takes, near.waves[1].fought) == (part("1/2"), part("1/2"))
    assert expected(near.profit) == part("1/4") - part("1/2") * part("2/3")
    assert far.joint == {(NOBODY, NOBODY, "D", some(infantry=1)): 1}
    assert far.waves[0].rounds == far.waves[1].fought == 0


# What holds of every chain -----------------------------------------------------------------------------------


@examples(pick(25, 75), derandomize=True)
@given(any_chain)
def test_the_chances_of_every_chain_of_waves_add_up_to_1(battle: Document) -> None:
    """Units that are lost in one of the waves are lost in all of them; the first wave is a battle like any other."""
    waves, joint, profit, _ = twin.solve(battle)
    assert sum(joint.values()) == sum(profit.values()) == 1
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
            assert sum(table.values()) == wave.come
        assert max(wave.attacker_survives, wave.defender_survives, wave.takes) <= 1
    assert lost == [0, 0]
    if not any("retreat_ev_override" in wave for wave in battle["waves"]):
        assert links.worth(0, twin.BEFORE) == expected(profit), "as it is planned with"
    if not battle.get("look_ahead"):
        alone = axis_brute.solve(battle | {"waves": battle["waves"][:1]})
        assert (waves[0].takes, waves[0].profit, waves[0].rounds) == (alone.takes, alone.profit, alone.rounds)


def worth(units: Counts) -> Fraction:
    return cost(unit for unit, count in units for _ in range(count))


# Looking ahead -----------------------------------------------------------------------------------------------


def gained(battle: Document) -> Fraction:
    """The money that side A gains on average in all waves."""
    return expected(twin.solve(battle).profit)


def expected(law: dict[Fraction, Fraction]) -> Fraction:
    return sum((money * share for money, share in law.items()), Fraction(0))


TANK, TANKS, INFANTRY, FOOT = ("tank", 1), ("tank", 2), ("infantry", 1), ("infantry", 2)

TINY = [
    Duel((INFANTRY, TANK), FOOT),
    Duel((FOOT, TANK), FOOT),
    Duel((FOOT, TANK), TANK, reinforcements=1),
    Duel((TANKS, INFANTRY), INFANTRY, value=4, deadzone=True),
    Duel((FOOT, FOOT), TANK, value=3),
    Duel((INFANTRY, ("tank", 3)), TANK, value=10),
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


@each(TINY[:: pick(2, 1)])
def test_lookahead_gains_as_much_as_the_best_policy(duel: Duel) -> None:
    battle = duel.document()
    best = best_policy(duel)
    assert gained(battle) == best
    assert best_of_both(duel) == best


@each(SMALL[:: pick(7, 1)])
def test_lookahead_retreats_exactly_where_that_is_better(duel: Duel) -> None:
    battle = duel.document()
    assert gained(battle) == best_of_both(duel)


@pytest.mark.whole
def test_a_plan_without_lookahead_gains_less() -> None:
    """In some of these battles, and in none better: otherwise they would show nothing."""
    worse = 0
    for duel in [*joined(TINY, SMALL)]:
        battle = duel.document()
        far, near = (gained(battle | {"look_ahead": ahead}) for ahead in (True, False))
        assert near <= far
        worse += near < far
    assert worse > 10
