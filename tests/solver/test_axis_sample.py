"""Battles of Axis & Allies that are rolled many times, against the odds of those that can be solved."""

from math import sqrt

import numpy as np
import pytest

from solver.axis.sides import Retreat
from solver.axis.simulation import fights, sample
from solver.axis.simulation.sample import FEW, PARTS, sample_axis, sample_pair
from solver.axis.solve import solve_axis
from solver.axis.worth import Worth
from solver.errors import BattleError
from tests.helpers.cases import each
from tests.helpers.extent import pick
from tests.helpers.solver.axis_battles import DESTROYERS_FIRST, battle, fleets, units
from tests.helpers.solver.sampled_battles import (
    chances_of_so_many_wrong,
    check_that_shares_are_chances,
    intervals,
    pair_intervals,
)

GUNS_FIRST = ("artillery", "infantry", "tank", "fighter", "bomber")
SUBS_LAST = ("destroyer", "carrier", "cruiser", "fighter", "bomber", "battleship", "submarine")
FLEET = "2 submarine, 2 destroyer, 2 fighter, 1 carrier, 1 battleship, 1 transport"
OTHER_FLEET = "3 submarine, 1 destroyer, 3 fighter, 1 carrier, 1 cruiser, 1 battleship, 2 transport"
LANDING = "3 amphibious_infantry, 1 amphibious_tank, 2 infantry, 2 tank, 2 fighter"

CASES = {
    "land": battle("land", "6 infantry, 2 tank", "5 infantry, 1 fighter"),
    "support": battle("land", units("4 infantry, 3 artillery, 1 tank", *GUNS_FIRST), "6 infantry, 1 tank"),
    "guns": battle("land", "4 infantry, 3 fighter, 2 bomber", "3 infantry, 1 aa_gun, 1 fighter"),
    "guns with low luck": battle("land", "4 infantry, 5 fighter", "5 infantry, 2 aa_gun", dice="low_luck"),
    "guns that have fired": battle("land", "4 infantry, 3 fighter", "4 infantry, 2 aa_gun", aa_already_fired=True),
    "guns alone": battle("land", "1 fighter", "3 aa_gun"),
    "guns last but one": battle("land", "4 infantry, 3 tank", units("3 infantry, 2 aa_gun", aa_second_last=True)),
    "bombardment": battle("land", "2 infantry, 1 fighter, 2 cruiser, 1 battleship", "5 infantry, 1 aa_gun"),
    "only ships are left": battle("land", "1 fighter, 3 cruiser", "1 aa_gun, 2 infantry"),
    "land is kept": battle("land", units("3 infantry, 2 tank, 2 fighter", keep_land=2), "6 infantry", dice="biased"),
    "money": battle("land", "5 infantry, 2 artillery, 2 tank", "5 infantry", deadzone=True, territory_value=3.5),
    "own prices": battle(
        "land", "5 infantry, 2 tank, 1 fighter", "5 infantry", worth=Worth("power", (("fighter", 7.5),)), deadzone=True
    ),
    "two rounds": battle("land", "6 infantry, 3 tank", "6 infantry, 2 tank", round_limit=2),
    "one round": battle("land", LANDING, "3 infantry, 1 aa_gun", round_limit=1),
    "landing": battle("land", LANDING, "6 infantry, 1 fighter", round_limit=2, deadzone=True, territory_value=2),
    "landing and leaving": battle("land", LANDING, "7 infantry, 1 tank", retreat=Retreat(units_at_most=6)),
    "few left": battle("land", "7 infantry, 3 tank", "8 infantry", retreat=Retreat(units_at_most=4)),
    "raid": battle(
        "land",
        "9 infantry, 3 tank, 1 cruiser",
        "12 infantry",
        retreat=Retreat(clear_chance_above=0.1),
        decline_allowed=False,
    ),
    "great raid": battle(
        "land", "70 infantry, 30 tank, 10 fighter", "99 infantry", retreat=Retreat(clear_chance_above=0.2)
    ),
    "raid with low luck": battle(
        "land", "9 infantry, 3 tank", "9 infantry", dice="low_luck", retreat=Retreat(clear_chance_above=0.5)
    ),
    "planes are dear": battle(
        "land", "4 infantry, 2 fighter, 1 bomber", "6 infantry, 1 tank", retreat=Retreat(air_loss_chance_above=0.2)
    ),
    "many planes are dear": battle(
        "land", "60 infantry, 30 tank, 9 bomber", "80 infantry", retreat=Retreat(air_loss_chance_above=0.4)
    ),
    "fleets": battle("sea", FLEET, OTHER_FLEET),
    "fleets with low luck": battle("sea", FLEET, OTHER_FLEET, dice="low_luck"),
    "both submerge": battle("sea", FLEET, OTHER_FLEET, submerge=(True, True), crash_stranded_fighters=True),
    "both keep destroyers": battle(
        "sea",
        units(FLEET, *DESTROYERS_FIRST),
        units(OTHER_FLEET, *DESTROYERS_FIRST),
        keep_last_destroyer=(True, True),
    ),
    "only destroyers and transports to keep": battle(
        "sea", "3 submarine", "2 destroyer, 2 transport", keep_last_destroyer=(False, True)
    ),
    "surprise on both sides": battle("sea", "4 submarine, 1 cruiser", "4 submarine, 1 battleship"),
    "planes against submarines": battle("sea", "2 fighter, 1 cruiser", units("3 submarine, 1 cruiser", *SUBS_LAST)),
    "hits that are barred": battle("sea", units("3 submarine, 2 bomber", *SUBS_LAST), units(FLEET, *SUBS_LAST)),
    "hits that are not": battle("sea", units("4 submarine, 2 fighter"), "2 destroyer, 2 battleship, 1 transport"),
    "nobody can hit": battle("sea", "3 submarine", "1 carrier, 3 fighter", crash_stranded_fighters=True),
    "transports": battle("sea", "1 destroyer, 2 fighter", "1 destroyer, 4 transport"),
    "a damaged ship": battle("sea", "1 damaged_battleship, 1 battleship", "2 battleship", round_limit=3),
    "leaving the sea": battle("sea", FLEET, OTHER_FLEET, retreat=Retreat(units_at_most=5)),
    "no attacker": battle("sea", "", "1 cruiser"),
    "nobody to leave": battle("land", "", "2 tank", retreat=Retreat(units_at_most=2), decline_allowed=False),
    "submerged before retreating": battle(
        "sea",
        "3 destroyer, 1 cruiser",
        "4 fighter, 3 submarine",
        retreat=Retreat(units_at_most=1),
        submerge=(True, True),
    ),
    "attackers gone and crashed": battle(
        "sea", "1 carrier, 3 fighter", "1 cruiser, 1 submarine", crash_attacking_fighters=True, round_limit=1
    ),
    "gone and crashed": battle("sea", "1 cruiser", "1 fighter", crash_stranded_fighters=True, round_limit=1),
}

HUGE = fleets(10_000)


PLAIN = {
    "land",
    "raid",
    "great raid",
    "fleets",
    "hits that are barred",
    "gone and crashed",
    "two rounds",
    "no attacker",
}
"""Cases that the usual run leaves out: battles with more rules go through the same code."""


@each([name for name in CASES if name not in pick(PLAIN, set())])
def test_shares_of_simulated_battles_agree_with_the_odds(name: str) -> None:
    check_that_shares_are_chances(CASES[name], seed=list(CASES).index(name))


def test_a_declined_battle_is_not_simulated() -> None:
    ours, theirs = units("3 infantry, 1 fighter, 2 cruiser"), units("4 infantry")
    for retreat in (Retreat(units_at_most=4), Retreat(clear_chance_above=0.02), Retreat(air_loss_chance_above=0)):
        declined = battle("land", ours, theirs, retreat=retreat)
        rolled = sample_axis(declined)
        assert rolled.to_dict() == solve_axis(declined, 0).to_dict()
        assert (rolled.declined, rolled.sampled, rolled.error) == (True, 0, 0)
        assert not sample_axis(battle("land", ours, theirs, retreat=retreat, decline_allowed=False), 100).declined


@pytest.fixture
def _two_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Roll battles in few parts where errors don't matter: a part takes its time however few they are."""
    monkeypatch.setattr(sample, "PARTS", 2)


@pytest.mark.usefixtures("_two_parts")
def test_retreat_thresholds_of_0_and_1_agree_with_exact_odds() -> None:
    for dice in ("standard", "low_luck"):
        for chance in (0, 1):
            rules = Retreat(clear_chance_above=chance)
            raid = battle("land", "8 infantry, 2 tank", "9 infantry", dice=dice, retreat=rules, decline_allowed=False)
            assert sample_axis(raid, 2_000, seed=1).takes == pytest.approx(solve_axis(raid).takes, abs=0.02)


@pytest.mark.usefixtures("_two_parts")
def test_equal_seeds_simulate_equal_battles() -> None:
    one, same, other = (sample_axis(CASES["fleets"], 1_000, seed=seed) for seed in (3, 3, 4))
    assert one.to_dict() == same.to_dict()
    assert one.to_dict() != other.to_dict()


def test_a_huge_battle_gets_the_usual_number_of_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample, "AT_ONCE", 512)
    rolled = sample_axis(HUGE, seed=1)
    assert rolled.sampled == rolled.to_dict()["simulated"] == PARTS * 512
    assert rolled.error == FEW / rolled.sampled, "nothing else happened"
    assert rolled.attacker_survives == 1


@pytest.mark.usefixtures("_two_parts")
def test_hits_of_10000_units_are_simulated_right() -> None:
    first = battle("land", "10000 tank", "5000 infantry, 10000 tank", round_limit=1)
    rolled = sample_axis(first, 20_000, seed=1)
    lost = [sum(count for _, count in fate.lost) for fate in rolled.attackers]
    lost_by_ends = np.array(lost)[rolled.rows]
    mean = float(lost_by_ends @ rolled.chances)
    variance = 5_000 * 2 / 9 + 10_000 / 4
    assert mean == pytest.approx(5_000 / 3 + 5_000, abs=5 * sqrt(variance / 20_000))
    assert float((lost_by_ends - mean) ** 2 @ rolled.chances) == pytest.approx(variance, rel=0.05)
    assert rolled.attacker_loss == pytest.approx(6 * mean)


@pytest.mark.whole
def test_fewer_long_battles_are_simulated_and_endless_ones_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample, "PARTS", 4)
    monkeypatch.setattr(sample, "MOST_WORK", 250_000)
    long = battle("land", "30 tank", "2000 aa_gun, 1 infantry")
    rolled = sample_axis(long, seed=1)
    assert rolled.rounds == pytest.approx(90, rel=0.02)
    assert 1_000 < rolled.sampled < 20_000
    assert rolled.sampled * rolled.rounds < 300_000
    monkeypatch.setattr(fights, "ENDLESS", 85)
    with pytest.raises(BattleError, match="lasts too long"):
        sample_axis(long, 4_000, seed=1)
    monkeypatch.setattr(sample, "MOST_UNDECIDED", 1)
    rolled = sample_axis(long, 4_000, seed=1)
    assert rolled.rounds < 85
    assert 0.5 < rolled.error < 1
    assert rolled.attacker_survives == pytest.approx(rolled.error, abs=0.03)


# How far off --------------------------------------------------------------------------------------------------


@pytest.mark.whole
def test_simulation_goes_on_until_the_chance_is_precise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both sides have the same chance, and the battle has many ends: that takes more than the least number."""
    even = battle("sea", "9 submarine, 5 fighter, 4 destroyer", "9 submarine, 5 fighter, 5 destroyer")
    precise, at_once = 0.0005, sample.AT_ONCE
    monkeypatch.setattr(sample, "PRECISE", precise)
    many, few = sample_axis(even, seed=1), sample_axis(even, 2 * at_once, seed=1)
    assert many.wins_error <= precise < few.wins_error
    assert few.sampled == 2 * at_once < PARTS * at_once < many.sampled
    truth = solve_axis(even)
    assert abs(many.wins - truth.wins) <= 1.5 * many.wins_error


@pytest.mark.whole
def test_even_luck_halves_the_error_of_a_simulation() -> None:
    for name in ("land", "fleets", "two rounds"):
        rolled = sample_axis(CASES[name], 100_000, seed=1)
        by_dice = 1.96 * sqrt(rolled.wins * (1 - rolled.wins) / rolled.sampled)
        assert rolled.wins_error < 0.5 * by_dice, name


@pytest.mark.whole
def test_intervals_of_simulated_odds_hold_in_19_of_20_battles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each number by itself: numbers of one battle are not independent."""
    monkeypatch.setattr(sample, "PARTS", 16)
    told = list(intervals(range(1_000, 1_080), 1_600))
    for name in dict.fromkeys(interval.name for interval in told):
        own = [interval for interval in told if interval.name == name]
        assert chances_of_so_many_wrong(own) > 0.001, name
    narrow = [interval._replace(error=interval.error / 3) for interval in told if interval.name == "profit"]
    assert chances_of_so_many_wrong(narrow) < 1e-6, "a third of that would be too little"


# Two plans ----------------------------------------------------------------------------------------------------

ARMY = "60 infantry, 30 artillery, 40 tank, 20 fighter, 10 bomber"
OTHER_ARMY = "93 infantry, 30 artillery, 20 tank, 15 fighter, 5 bomber"
NAVY = "12 submarine, 10 destroyer, 10 fighter, 5 carrier, 3 battleship, 4 cruiser"
OTHER_NAVY = "8 submarine, 14 destroyer, 12 fighter, 5 carrier, 3 battleship"
PAIRS = pick(8_000, 64_000)
PLANS = {
    "one unit more": (battle("land", ARMY, OTHER_ARMY), battle("land", f"{ARMY}, 1 cruiser", OTHER_ARMY)),
    "another order": (
        battle("land", ARMY, OTHER_ARMY),
        battle("land", units(ARMY, "infantry", "artillery", "fighter", "tank", "bomber"), OTHER_ARMY),
    ),
    "a retreat": (
        battle("land", ARMY, OTHER_ARMY),
        battle("land", ARMY, OTHER_ARMY, retreat=Retreat(units_at_most=40)),
    ),
    "one ship more": (battle("sea", NAVY, OTHER_NAVY), battle("sea", NAVY.replace("10 des", "11 des"), OTHER_NAVY)),
    "another order at sea": (
        battle("sea", NAVY, OTHER_NAVY),
        battle("sea", units(NAVY, "submarine", "destroyer", "cruiser", "fighter", "carrier", "battleship"), OTHER_NAVY),
    ),
}


@pytest.mark.parametrize("name", pick(["another order at sea"], PLANS))
def test_plans_simulated_with_equal_luck_need_fewer_battles(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample, "PARTS", pick(8, 16))
    first, second = PLANS[name]
    pair = sample_pair(first, second, PAIRS, seed=1)
    assert pair
    chances = pair.first.wins, pair.second.wins
    by_dice = 1.96 * sqrt(sum(chance * (1 - chance) for chance in chances) / PAIRS)
    assert pair.wins_error < by_dice / 2
    apart = np.hypot(pair.first.profit_error, pair.second.profit_error)
    assert pair.profit_error < 1.1 * apart


@pytest.mark.usefixtures("_two_parts")
def test_equivalent_plans_are_simulated_without_a_difference() -> None:
    one = battle("land", ARMY, OTHER_ARMY)
    pair = sample_pair(one, battle("land", ARMY, OTHER_ARMY, round_limit=1_000), PAIRS, seed=1)
    assert pair
    assert pair.second.wins == pair.first.wins
    assert pair.wins_error == FEW / PAIRS
    amounts = pair.first.profit[0]
    assert pair.profit_error == pytest.approx(FEW * (amounts[-1] - amounts[0]) / PAIRS)


def test_intervals_of_differences_hold_in_19_of_20_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample, "PARTS", pick(8, 16))
    told = list(pair_intervals(range(2_000, pick(2_005, 2_060)), 1_600))
    for name in dict.fromkeys(interval.name for interval in told):
        own = [interval for interval in told if interval.name == name]
        assert chances_of_so_many_wrong(own) > 0.001, name


def test_a_declined_plan_has_no_simulated_pair() -> None:
    plain = battle("land", "3 infantry", "4 infantry")
    assert sample_pair(plain, battle("land", "3 infantry", "4 infantry", retreat=Retreat(units_at_most=4)), 100) is None


def test_simulation_refuses_retreats_that_need_a_plan() -> None:
    for retreat in (Retreat(profit_below=0), Retreat(win_chance_below=0.5)):
        with pytest.raises(BattleError, match="too large to plan") as refused:
            sample_axis(battle("land", "3 infantry", "3 infantry", retreat=retreat))
        assert refused.value.field.startswith("retreat.")
    for count in (0, 10**9):
        with pytest.raises(BattleError, match="battles"):
            sample_axis(CASES["land"], count)
