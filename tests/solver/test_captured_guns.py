"""Guns that cannot be hit and go with the territory: they fire once at each plane, at each kind of plane apart."""

from dataclasses import replace
from fractions import Fraction
from math import comb
from typing import Any, get_args

import pytest

from bot.editions import editions
from solver.axis.battle import AxisBattle
from solver.axis.best.armies import ArmyGoal, best_armies
from solver.axis.casualties.advice import find_casualties
from solver.axis.casualties.forward import odds_of_game
from solver.axis.casualties.solve import solve_casualties
from solver.axis.live.fight import AxisFight
from solver.axis.packs import rules_of_pack
from solver.axis.sides import Aim, Army
from solver.axis.solve import solve_axis
from solver.axis.units import ROLES, Role
from solver.axis.waves.odds import solve_waves
from solver.axis.waves.waves import Waves, battle_from_dict
from solver.errors import BattleError
from solver.placing.placing import Placing
from tests.helpers.cases import each
from tests.helpers.solver import axis_brute as brute
from tests.helpers.solver.axis_battles import NUMBERS, document
from tests.helpers.solver.axis_compare import agree_on_parts, check_sweep
from tests.helpers.solver.axis_fought import check_that_chances_are_means
from tests.helpers.solver.dice_rolled import script
from tests.helpers.solver.fights import begin, next_dice
from tests.helpers.solver.sampled_battles import check_that_shares_are_chances

RULES = editions()["aa50"].rules
ATTACK = ("infantry", "artillery", "tank", "fighter", "bomber")
CASES: list[tuple[dict[str, int], dict[str, int]]] = [
    ({"infantry": 2, "fighter": 2}, {"infantry": 2}),
    ({"infantry": 1, "tank": 1, "fighter": 1, "bomber": 1}, {"infantry": 1, "fighter": 1}),
    ({"fighter": 2}, {"infantry": 1}),
    ({"infantry": 2}, {"artillery": 1}),
]


def battle(ours: dict[str, int], theirs: dict[str, int], **more: Any) -> AxisBattle:
    return AxisBattle.from_dict(document(ours, theirs, **more) | {"game": "axisaa50"}, RULES)


def shot_at(ours: dict[str, int]) -> list[tuple[dict[str, int], Fraction]]:
    """The attackers that one shot at each plane leaves, and how likely they are: each kind is shot at apart."""
    found = [(ours, Fraction(1))]
    for name in {"fighter", "bomber"} & ours.keys():
        count = ours[name]
        found = [
            (left | {name: count - lost}, share * comb(count, lost) * Fraction(5 ** (count - lost), 6**count))
            for left, share in found
            for lost in range(count + 1)
        ]
    return [({name: count for name, count in left.items() if count}, share) for left, share in found]


@each([(ours, theirs, guns) for guns in [1, 3] for ours, theirs in CASES])
def test_captured_guns_fire_once_at_each_plane(ours: dict[str, int], theirs: dict[str, int], guns: int) -> None:
    """The odds are those of the slow twin without guns, for each number of planes that are left."""
    prices = {unit.name: unit.cost for unit in RULES.units}
    takes, lost, beaten = Fraction(0), Fraction(0), Fraction(0)
    for left, chance in shot_at(ours):
        fallen = sum((prices[name] * (count - left.get(name, 0)) for name, count in ours.items()), 0)
        lost += chance * Fraction(fallen)
        if left:
            answer = brute.solve(document(left, theirs) | {"worth": {"units": prices | {"aa_gun": 6}}})
            takes, lost = takes + chance * answer.takes, lost + chance * answer.attacker_loss
            beaten += chance * answer.defender_loss
    odds = solve_axis(battle(ours, theirs | {"aa_gun": guns}), 0)
    assert odds.takes == pytest.approx(float(takes), abs=1e-12)
    assert odds.to_dict()["waves"][0]["attacker_loss"] == pytest.approx(float(lost), abs=1e-12)
    assert odds.to_dict()["waves"][0]["defender_loss"] == pytest.approx(float(beaten), abs=1e-12)
    assert not any("aa_gun" in dict(fate.lost) or "aa_gun" in dict(fate.left) for fate in odds.defenders)


def test_one_captured_gun_equals_two_and_stops_no_land_unit() -> None:
    one, two = (solve_axis(battle({"infantry": 3, "fighter": 2}, {"infantry": 3, "aa_gun": guns})) for guns in (1, 2))
    assert one.takes == two.takes
    alone = solve_axis(battle({"infantry": 1, "fighter": 1}, {"aa_gun": 2}))
    assert (alone.takes, alone.to_dict()["waves"][0]["attacker_loss"]) == (1, 0)


def test_simulations_choices_and_parts_agree_on_captured_guns() -> None:
    """Simulated, with chosen casualties, and as a part of an army."""
    there = battle({"infantry": 3, "tank": 1, "fighter": 2, "bomber": 1}, {"infantry": 3, "fighter": 1, "aa_gun": 1})
    takes = solve_axis(there, 0).takes
    check_that_shares_are_chances(there, seed=1)
    assert solve_casualties(replace(there, chooses=(True, False))).value >= takes - 1e-12
    armies = best_armies(there, ArmyGoal("defence", "wins", 1e-9, how_many=100))
    whole = next(army for army in armies.best if dict(army.units) == dict(there.defender.units))
    assert whole.odds["wins"] == pytest.approx(1 - takes, abs=1e-9)
    assert all(dict(army.units)["aa_gun"] == 1 for army in armies.best)


def test_the_kind_of_plane_that_captured_guns_hit_is_not_chosen() -> None:
    """The bomber costs more than the fighter; each is lost as often."""
    rules = editions()["revised"].rules
    plain = {"infantry": 3, "fighter": 2, "bomber": 2}
    one = AxisBattle(rules, "land", Army.of({"fighter": 1, "bomber": 1}), Army.of({"infantry": 1, "aa_gun": 1}))
    larger = AxisBattle(rules, "land", Army.of(plain), Army.of({"infantry": 5, "aa_gun": 1}))
    odds = solve_axis(one, 0)
    assert odds.lost_units() == pytest.approx({"fighter": 0.496528, "bomber": 0.244792}, abs=1e-6)
    assert odds.attacker_loss == pytest.approx(8.637153, abs=1e-6)
    assert solve_axis(larger, 0).takes == pytest.approx(0.443604, abs=1e-6)
    assert solve_axis(replace(larger, ruling=4), 0).takes == pytest.approx(0.456594, abs=1e-6)
    assert solve_axis(replace(one, ruling=4), 0).lost_units()["bomber"] == pytest.approx(0.165427, abs=1e-6)


MIXED = {"infantry": 2, "fighter": 2, "bomber": 1}, {"infantry": 2, "fighter": 1, "aa_gun": 1}


@pytest.mark.parametrize("aim", get_args(Aim))
def test_chosen_losses_exclude_planes_hit_by_captured_guns(aim: Aim) -> None:
    """The worth is the mean over what the shots leave; without them the guns count for nothing."""
    there = battle(*MIXED)
    choosing = replace(there, chooses=(True, True), aim=aim)
    chosen = solve_casualties(choosing)
    mean = Fraction(0)
    for left, chance in shot_at(MIXED[0]):
        later = replace(there, attacker=Army.of(left, *there.attacker.loss_order), aa_already_fired=True)
        value = solve_casualties(replace(later, chooses=(True, True), aim=aim)).value
        gone = sum(RULES.table[name].cost * (count - left.get(name, 0)) for name, count in MIXED[0].items())
        mean += chance * Fraction(value - gone * (aim == "profit"))
    assert chosen.value == pytest.approx(float(mean), abs=1e-9)
    assert odds_of_game(chosen).wins == pytest.approx(chosen.value) or aim == "profit"
    assert all(first.by != {"guns": first.hits} for first in find_casualties(choosing).now)


@pytest.mark.parametrize("role", ROLES)
def test_parts_and_orders_against_captured_guns_have_their_odds(role: Role) -> None:
    agree_on_parts(battle(*MIXED), role)
    check_sweep(battle(*MIXED), role)


def test_live_captured_guns_shoot_at_each_kind_without_a_choice() -> None:
    """The second die is for the second fighter, the third for the bomber."""
    _throw, after = AxisFight.begin(battle(*MIXED)).throw(script(6, 6, 1))
    assert (after.left[0], after.choosers) == ({"infantry": 2, "fighter": 2}, ())
    _throw, after = AxisFight.begin(replace(battle(*MIXED), ruling=4)).throw(script(6, 6, 1))
    assert (after.left[0], after.choosers) == ({"infantry": 2, "fighter": 1, "bomber": 1}, ("attacker",))
    small = battle({"infantry": 1, "fighter": 1, "bomber": 1}, {"infantry": 1, "aa_gun": 1})
    check_that_chances_are_means(small, solve_axis(small, 0).wins)


def test_rules_incompatible_with_captured_guns_are_refused() -> None:
    for other in (
        {"air_battle": 2},
        {"units": {**NUMBERS["units"], "bomber": NUMBERS["units"]["bomber"] | {"hits": 2}}},
    ):
        with pytest.raises(BattleError, match="needs planes that one hit destroys"):
            rules_of_pack("mine", NUMBERS | {"antiaircraft_by_kind": True} | other)


def waves(*every: dict[str, Any]) -> Waves:
    read = battle_from_dict({"game": "axisaa50", "theatre": "land", "waves": list(every)}, RULES)
    assert isinstance(read, Waves)
    return read


def wave(ours: dict[str, int], theirs: dict[str, int], **more: Any) -> dict[str, Any]:
    return {"attacker": {"units": ours}, "defender": {"units": theirs}} | more


def test_captured_guns_stay_with_the_territory_in_later_waves() -> None:
    """They fire at the second attack too, and at a counter-attack on those who have taken the territory."""
    first = wave({"infantry": 2, "fighter": 1}, {"infantry": 2, "aa_gun": 1})
    again = wave({"tank": 1, "fighter": 2}, {})
    fired = solve_waves(waves(first, again), 0)
    told = solve_waves(waves(first, wave({"tank": 1, "fighter": 2}, {"aa_gun": 1})), 0)
    assert fired.hold_chance(0) == pytest.approx(told.hold_chance(0), abs=1e-12)
    hold = wave({"infantry": 1, "fighter": 2}, {}, previous_attackers_defend=True)
    countered = solve_waves(waves(first, hold), 0)
    plain = solve_waves(waves(wave({"infantry": 2, "fighter": 1}, {"infantry": 2}), hold), 0)
    ours, theirs = (odds.waves[1].own for odds in (countered, plain))
    fought = [odds.waves[1].fought for odds in (countered, plain)]
    lost = [own.to_dict()["waves"][0]["attacker_loss"] / of for own, of in zip((ours, theirs), fought, strict=True)]
    assert lost[0] > lost[1] + 1, "captured guns fire for their new owner"
    assert waves(first, again).most_lost() == ({"infantry": 2, "fighter": 3, "tank": 1}, {"infantry": 2})


def test_a_live_battle_begins_with_shots_of_captured_guns() -> None:
    fight = begin(battle({"infantry": 1, "fighter": 2, "bomber": 1}, {"infantry": 1, "aa_gun": 1}))
    assert next_dice(fight) == ([], [(3, 6, 1)])


def test_captured_guns_cannot_be_placed() -> None:
    attack = {"theatre": "land", "waves": [wave({"infantry": 2}, {"infantry": 1})]}
    with pytest.raises(BattleError, match=r"units\.aa_gun: aa_gun can't be placed: in these rules"):
        Placing.from_dict({"units": {"aa_gun": 1}, "territories": [attack, attack]}, RULES)


def test_casualty_orders_may_omit_captured_guns() -> None:
    told: dict[str, Any] = {"attacker": {"units": {"infantry": 3}}, "defender": {"units": {"infantry": 2, "aa_gun": 1}}}
    asked = {"theatre": "land", "waves": [told]}
    usual = solve_axis(AxisBattle.from_dict(asked, RULES))
    told["defender"]["loss_order"] = ["infantry"]
    assert solve_axis(AxisBattle.from_dict(asked, RULES)).takes == usual.takes
