"""Raids with escorts and interceptors: all dice in fractions, and the best numbers of planes by trying each."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

from solver.axis.units import Rules, Unit
from solver.axis.worth import IPC, Worth
from solver.errors import BattleError
from solver.raid.game import AirThrow, RaidFight
from solver.raid.odds import RaidOdds
from solver.raid.raid import MOST_PLANES, Dice, Raid
from solver.raid.solve import solve_raid
from tests.helpers.cases import each
from tests.helpers.extent import pick
from tests.helpers.solver import air_dice as slow
from tests.helpers.solver.air_dice import Flown
from tests.helpers.solver.axis_battles import RULES
from tests.helpers.solver.axis_fought import dice
from tests.helpers.solver.bombing_dice import FACES, Asked
from tests.helpers.solver.dice_rolled import script
from tests.helpers.solver.fights import next_dice

FLOWN = [
    *(Flown(Asked(2, 7, dice), 1, 2) for dice in FACES),
    *(Flown(Asked(2, 9, dice), 0, 1, (1, 1, 1)) for dice in FACES),
    *(Flown(Asked(1, 4, dice), 2, 0) for dice in FACES),
    *(Flown(Asked(1, 20, dice, more=2), 2, 3, (1, 2, 3)) for dice in FACES),
    Flown(Asked(7, 12, "low_luck"), 3, 5),
    Flown(Asked(2, 8, "standard", price=Fraction("4.25")), 1, 2, price=Fraction(7), their_price=Fraction("2.5")),
    Flown(Asked(3, 12, "standard"), 0, 2, (0, 1, 1)),
    *(Flown(Asked(2, 7, dice), 1, 2, first=True) for dice in FACES),
    Flown(Asked(7, 12, "low_luck"), 3, 5, first=True),
]
"""Small raids of every kind: without escorts, without interceptors, strong planes, bombers that cannot
shoot, attackers that fire first."""

flights = each(FLOWN)


def rules_of(flown: Flown) -> Rules:
    """The rules of 1942 with these planes."""
    bomber, escort, interceptor = flown.strengths

    def changed(unit: Unit) -> Unit:
        if unit.name == "bomber":
            return replace(unit, raid=flown.raid.more, air_attack=bomber)
        return replace(unit, air_attack=escort, air_defence=interceptor) if unit.name == "fighter" else unit

    return Rules("axis1942", tuple(map(changed, RULES.units)), RULES.orders, air_attack_first=flown.first)


def raid_of(flown: Flown) -> Raid:
    raid, kinds = flown.raid, dict[str, Dice](standard="standard", biased="biased", low_luck="low_luck")
    attacker = ("bomber", float(raid.counted)), ("fighter", float(flown.price))
    worth = Worth(attacker=attacker, defender=(("fighter", float(flown.their_price)),))
    dice, planes = kinds[raid.dice], (flown.escorts, flown.interceptors)
    return Raid(rules_of(flown), raid.bombers, raid.points, dice, raid.fired, worth, *planes)


def solved(flown: Flown) -> RaidOdds:
    return solve_raid(raid_of(flown))


@flights
def test_the_law_of_an_air_battle_is_that_of_all_dice(flown: Flown) -> None:
    odds, law = solved(flown), slow.ends(flown)
    assert sum(law.values()) == 1
    ours: dict[tuple[int, ...], float] = {}
    for hits, lost, damage, chance in zip(*odds.outcomes, strict=True):
        place = int(lost), min(int(hits), flown.escorts), int(damage)
        ours[place] = ours.get(place, 0.0) + float(chance)
    theirs: dict[tuple[int, ...], Fraction] = {}
    for end, share in law.items():
        key = end.bombers, end.escorts, end.damage
        theirs[key] = theirs.get(key, Fraction(0)) + share
    assert ours == pytest.approx({end: float(share) for end, share in theirs.items()}, rel=1e-12)
    ends = odds.ends()
    joint = dict(zip(zip(*(part.tolist() for part in ends[:4]), strict=True), ends.chances.tolist(), strict=True))
    assert joint == pytest.approx({tuple(end): float(share) for end, share in law.items()}, rel=1e-12)
    assert ends.profits(odds.raid).tolist() == pytest.approx(
        [float(slow.money(flown, slow.End(*end))) for end in joint]
    )
    for number, chance in enumerate(odds.interceptors_lost):
        assert chance == pytest.approx(float(sum(s for end, s in law.items() if end.interceptors == number)), abs=1e-15)
    for number, chance in enumerate(odds.escorts_lost):
        assert chance == pytest.approx(float(sum(s for end, s in law.items() if end.escorts == number)), abs=1e-15)


@flights
def test_the_swing_of_an_air_battle_is_that_of_all_dice(flown: Flown) -> None:
    odds, law = solved(flown), slow.ends(flown)
    profits: dict[float, Fraction] = {}
    for end, share in law.items():
        amount = round(float(slow.money(flown, end)), 2)
        profits[amount] = profits.get(amount, Fraction(0)) + share
    amounts, chances = odds.profit
    assert dict(zip(amounts.tolist(), chances.tolist(), strict=True)) == pytest.approx(
        {amount: float(share) for amount, share in profits.items()}, rel=1e-12
    )
    assert odds.raid.profits == (min(profits), max(profits))
    assert odds.raid.losses == (min(end.bombers for end in law), max(end.bombers for end in law))
    assert odds.raid.damages == (min(end.damage for end in law), max(end.damage for end in law))
    assert odds.expected.profit == pytest.approx(float(slow.mean(flown)), rel=1e-12)
    down = sum((end.interceptors * share for end, share in law.items()), Fraction(0))
    assert odds.expected.shot_down == pytest.approx(float(flown.their_price * down), rel=1e-12)


@each(FLOWN[:: pick(2, 1)])
def test_the_best_numbers_of_planes_agree_with_brute_force(flown: Flown) -> None:
    odds = solved(flown)
    tried = {
        (bombers, escorts, interceptors): slow.mean(
            flown._replace(raid=flown.raid._replace(bombers=bombers), escorts=escorts, interceptors=interceptors)
        )
        for bombers in range(flown.raid.bombers + 1)
        for escorts in range(flown.escorts + 1)
        for interceptors in range(flown.interceptors + 1)
    }
    for numbers, profit in tried.items():
        assert odds.profits[numbers] == pytest.approx(float(profit), abs=1e-11), numbers
    for flight in odds.flights:
        assert flight.profit == pytest.approx(
            float(tried[flight.bombers, flown.escorts, flown.interceptors]), abs=1e-11
        )
    answered = {
        (bombers, escorts): min(tried[bombers, escorts, count] for count in range(flown.interceptors + 1))
        for bombers, escorts, _ in tried
    }
    attack, defence, both = odds.best_attack, odds.best_defence, odds.best_of_both
    most = max(profit for (_, _, interceptors), profit in tried.items() if interceptors == flown.interceptors)
    assert (attack.profit, tried[attack[:3]]) == pytest.approx((float(most), most))
    least = answered[flown.raid.bombers, flown.escorts]
    assert (defence.profit, tried[defence[:3]]) == pytest.approx((float(least), least))
    assert both.profit == pytest.approx(float(max(answered.values())), abs=1e-11)
    assert float(answered[both.bombers, both.escorts]) == pytest.approx(both.profit, abs=1e-11)
    assert float(tried[both[:3]]) == pytest.approx(both.profit, abs=1e-11)


def test_escorts_without_interceptors_make_no_difference() -> None:
    flown = Flown(Asked(3, 12, "standard"), 2, 0)
    with_escorts, without = solved(flown), solved(flown._replace(escorts=0))
    assert with_escorts.profit[1] == pytest.approx(without.profit[1])
    assert with_escorts.pays_from == without.pays_from


def test_a_target_with_damage_may_be_put_out_of_action() -> None:
    """A factory of 20 with 6 damage is out of action with 4 more."""
    raid = replace(raid_of(FLOWN[0]), bombers=1, escorts=0, interceptors=0, factory_points=14, damage=6)
    assert raid.puts_out_of_action == 4
    assert solve_raid(raid).out_of_action == pytest.approx(5 / 6 * 3 / 6)
    assert solve_raid(replace(raid, damage=None)).out_of_action is None
    assert solve_raid(replace(raid, factory_points=2, damage=4)).out_of_action == pytest.approx(1)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"escorts": -1}, "escorts: the number of escorts must be 0 to 30, not -1"),
    ({"interceptors": 31}, "interceptors: the number of interceptors must be 0 to 30, not 31"),
    ({"interceptors": 1, "bombers": 31}, "bombers: with escorts or interceptors the number of bombers must be 1 to 30"),
    ({"interceptors": 1, "aa_already_fired": True}, "interceptors: the air battle comes before the AA fire"),
    ({"target": "base"}, "target: these rules have no bases to bomb"),
    ({"target": "harbour"}, 'target: the target must be one of factory, base, not "harbour"'),
    ({"kind": "fighter"}, 'kind: the kind of bomber must be one of bomber, not "fighter"'),
    ({"damage": -1}, "damage: the damage a factory has must be 0 to 500, not -1"),
]


@each(WRONG)
def test_an_error_in_an_air_raid_names_its_field(wrong: dict[str, Any], sentence: str) -> None:
    document = {"bombers": 3, "factory_points": 12, **wrong}
    with pytest.raises(BattleError) as error:
        Raid.from_dict(document, rules_of(FLOWN[0]))
    assert str(error.value).startswith(sentence)


def test_bombers_that_only_bomb_bases_cannot_bomb_a_factory() -> None:
    tactical = Unit("tactical_bomber", "air", 3, 3, 11, raid=0, only_bases=True, air_attack=1)
    rules = Rules("mini", (*rules_of(FLOWN[0]).units, tactical), RULES.orders, base_points=6)
    with pytest.raises(BattleError, match="kind: these bombers can bomb bases, but no factories"):
        Raid(rules, 2, 6, kind="tactical_bomber")
    raid = Raid(rules, 2, 6, kind="tactical_bomber", target="base")
    assert raid.bomber == tactical
    assert raid.puts_out_of_action == 3
    assert Raid(rules, 2, 2, target="base", damage=4) == Raid(rules, 2, 2, target="base")
    assert Raid(rules, 2, 2, target="base").puts_out_of_action == 0
    with pytest.raises(BattleError, match="factory_points: a base can take 6 damage at most, not 7"):
        Raid(rules, 2, 7, target="base")
    with pytest.raises(BattleError, match="damage: a base can have 6 damage; this one has the rest, 4, and not 3"):
        Raid(rules, 2, 2, target="base", damage=3)
    assert Raid(rules, 2, 6, target="base").bomber.name == "bomber"
    assert Raid(rules, 2, 6, kind="bomber", target="base") == Raid(rules, 2, 6, target="base")
    document = {name: value for name, value in raid.to_dict().items() if name != "question"}
    assert Raid.from_dict(document, rules) == raid


def test_prices_of_planes_that_do_not_fly_make_no_difference() -> None:
    rules = rules_of(FLOWN[0])
    worth = Worth(units=(("fighter", 12.0),), defender=(("bomber", 3.0),))
    assert Raid(rules, 3, 12, worth=worth).worth == IPC
    assert Raid(rules, 3, 12, worth=worth, escorts=1, interceptors=1).worth == Worth(units=(("fighter", 12),))
    own = Worth(attacker=(("fighter", 9.0),))
    assert Raid(rules, 3, 12, worth=own, interceptors=1).worth == IPC
    assert Raid(rules, 3, 12, worth=own, escorts=1, interceptors=1).worth == Worth(attacker=(("fighter", 9),))


def test_the_largest_raid_has_its_answer() -> None:
    odds = solve_raid(Raid(rules_of(FLOWN[0]), MOST_PLANES, 40, escorts=MOST_PLANES, interceptors=MOST_PLANES))
    assert odds.profit[1].sum() == pytest.approx(1)
    assert odds.best_of_both.profit >= odds.best_defence.profit
    assert odds.best_of_both.profit <= odds.best_attack.profit + 1e-9


# Live ------------------------------------------------------------------------------------------------------


def test_both_sides_fire_at_the_same_time() -> None:
    fight = RaidFight.begin(raid_of(Flown(Asked(2, 12, "standard"), 1, 2)))
    assert fight.resting
    assert next_dice(fight) == ([(3, 6, 1)], [(2, 6, 2)])
    throw, after = fight.throw(script(1, 4, 1, 2, 3))
    assert isinstance(throw, AirThrow)
    assert (throw.bombers, throw.escorts, throw.interceptors) == (0, 1, 2)
    assert (after.bombers, after.escorts, after.interceptors, after.resting) == (2, 0, 0, False)
    assert next_dice(after) == ([], [(2, 6, 1)])
    flak, between = after.throw(script(1, 6))
    assert len(flak.defence) == 2
    _, over = between.throw(script(5))
    assert (over.bombers, over.damage, over.ended) == (1, 5, "rounds")


def test_interceptors_hit_first_do_not_fire_back() -> None:
    fight = RaidFight.begin(raid_of(Flown(Asked(2, 12, "standard"), 1, 2, first=True)))
    assert next_dice(fight) == ([(3, 6, 1)], [])
    _, between = fight.throw(script(1, 4, 6))
    assert next_dice(between) == ([], [(1, 6, 2)])
    assert not between.resting
    _, after = between.throw(script(2))
    assert (after.bombers, after.escorts, after.interceptors) == (2, 0, 1)
    assert next_dice(after) == ([], [(2, 6, 1)])
    _, clear = fight.throw(script(1, 1, 6))
    assert (clear.interceptors, next_dice(clear)) == (0, ([], [(2, 6, 1)]))
    _, lost = RaidFight.begin(raid_of(Flown(Asked(1, 12, "standard"), 0, 1))).throw(script(1, 1))
    assert (lost.ended, lost.interceptors) == ("lost", 0)


def test_steps_of_an_air_battle_without_dice_are_skipped() -> None:
    """With low luck six bombers and six interceptors that hit with 1 lose one plane each."""
    fight = RaidFight.begin(raid_of(Flown(Asked(6, 12, "low_luck"), 0, 6, (1, 1, 1))))
    assert (fight.bombers, fight.interceptors, fight.air_steps) == (5, 5, 0)
    assert next_dice(fight) == ([], [(1, 6, 5)])
    assert RaidFight.begin(raid_of(Flown(Asked(6, 12, "low_luck"), 0, 19, first=True))).ended == "lost"


@each([flown for flown in FLOWN if flown.interceptors][:: pick(3, 1)])
def test_raids_end_as_often_as_the_odds_say(flown: Flown) -> None:
    raid, odds, ends, raids = raid_of(flown), solved(flown).ends(), Counter[tuple[int, ...]](), pick(300, 2_000)
    for seed in range(raids):
        fight, source = RaidFight.begin(raid), dice(seed)
        while not fight.ended:
            _, fight = fight.throw(source)
        lost = raid.bombers - fight.bombers, raid.escorts - fight.escorts, raid.interceptors - fight.interceptors
        ends[*lost, fight.damage] += 1
    likely = dict(zip(zip(*(part.tolist() for part in odds[:4]), strict=True), odds.chances.tolist(), strict=True))
    assert ends.keys() <= likely.keys()
    for end, chance in likely.items():
        spread = 5 * sqrt(chance * (1 - chance) / raids)
        assert abs(ends[end] / raids - chance) <= spread + 2e-3, end
