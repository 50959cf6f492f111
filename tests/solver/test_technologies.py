"""Technologies: jets, super submarines, heavy bombers and advanced artillery as units of their own."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.editions import editions
from solver.axis.battle import AxisBattle
from solver.axis.casualties.solve import solve_casualties
from solver.axis.live.fight import AxisFight
from solver.axis.live.throws import AxisThrow
from solver.axis.loss_order import usual_order
from solver.axis.packs import rules_of_pack
from solver.axis.sensitivity import unit_changes
from solver.axis.sides import Aim
from solver.axis.solve import solve_axis
from solver.axis.units import ORDERS
from solver.axis.waves.waves import Waves, battle_from_dict
from solver.axis.worth import Worth
from solver.errors import BattleError
from solver.game import DiceToRoll, Die
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver import axis_brute
from tests.helpers.solver.any_axis_battle import NEVER, Document, armies, both, plans
from tests.helpers.solver.axis_battles import NUMBERS, document
from tests.helpers.solver.axis_chains import chain
from tests.helpers.solver.axis_compare import compare
from tests.helpers.solver.axis_editions import twins_play
from tests.helpers.solver.casualties_brute import Chosen
from tests.helpers.solver.dice_rolled import script
from tests.helpers.solver.fights import begin, next_dice
from tests.helpers.solver.kernels import each_kernel
from tests.helpers.solver.sampled_battles import check_that_shares_are_chances

JET, HEAVY, SUPER, ADVANCED = "jet_fighter", "heavy_bomber", "super_submarine", "advanced_artillery"
LAND = [
    "infantry",
    "infantry",
    "artillery",
    ADVANCED,
    f"amphibious_{ADVANCED}",
    "tank",
    "fighter",
    JET,
    "bomber",
    HEAVY,
]
SEA = ["submarine", SUPER, SUPER, "destroyer", "fighter", JET, "bomber", HEAVY, "carrier", "transport"]


@st.composite
def battles(draw: st.DrawFn, theatre: str, retreats: bool = True) -> Document:
    """A small battle in an edition with technologies."""
    key = draw(st.sampled_from(["1940", "aa50", "revised"] if theatre == "land" else ["aa50", "revised", "aa-classic"]))
    rules = editions()[key].rules
    dice = ["standard", "biased"] + (["low_luck"] if key in ("revised", "aa-classic") else [])
    sides: dict[str, Any] = {}
    for side in ("attack", "defence"):
        order = list(
            usual_order(rules, "land" if theatre == "land" else "sea", "attack" if side == "attack" else "defence")
        )
        kinds = [name for name in (LAND if theatre == "land" else SEA) if name in order]
        sides[side] = draw(armies(kinds, 4)), draw(st.permutations(order))
    more = {} if theatre == "land" else {"submerge": draw(both), "crash_stranded_fighters": draw(st.booleans())}
    found = document(
        sides["attack"][0],
        sides["defence"][0],
        theatre=theatre,
        attack_order=sides["attack"][1],
        defence_order=sides["defence"][1],
        dice=draw(st.sampled_from(dice)),
        **(draw(plans(theatre)) if retreats else NEVER),
        **more,
    )
    return found | {"game": f"axis{key}"}


def agree(battle: Document) -> None:
    """Compare everything that is said of a battle with the slow twin, with each kernel."""
    with twins_play(battle["game"].removeprefix("axis")) as rules:
        answer = axis_brute.solve(battle)
        for _kernel in each_kernel():
            compare(solve_axis(AxisBattle.from_dict(battle, rules), 0), answer)


@examples(pick(60, 200), derandomize=True)
@given(battles("land"))
def test_technologies_on_land_agree_with_every_die(battle: Document) -> None:
    agree(battle)


@examples(pick(60, 200), derandomize=True)
@given(battles("sea"))
def test_technologies_at_sea_agree_with_every_die(battle: Document) -> None:
    agree(battle)


@examples(pick(50, 100), derandomize=True)
@given(
    st.one_of(battles("land", False), battles("sea", False)),
    st.sampled_from([(True, False), (False, True), (True, True)]),
    st.sampled_from(["takes", "profit"]),
)
def test_losses_of_technology_units_are_chosen_like_brute_force(
    battle: Document, chooses: tuple[bool, bool], aim: Aim
) -> None:
    with twins_play(battle["game"].removeprefix("axis")) as rules:
        chosen = replace(AxisBattle.from_dict(battle, rules), chooses=chooses, aim=aim)
        twin = Chosen(battle, *chooses, aim).value()
        assert solve_casualties(chosen).value == pytest.approx(float(twin), rel=0, abs=1e-9)


def land(key: str, ours: dict[str, int], theirs: dict[str, int], **more: Any) -> AxisBattle:
    rules = editions()[key].rules
    orders: dict[str, Any] = {"attack_order": list(usual_order(rules, "land", "attack"))}
    orders["defence_order"] = list(usual_order(rules, "land", "defence"))
    return AxisBattle.from_dict(document(ours, theirs, **orders, **more) | {"game": f"axis{key}"}, rules)


@each([(key, dice) for dice in [6, 10] for key in ["1940", "aa50", "revised", *pick((), ("aa-classic",))]])
def test_hits_of_two_heavy_bombers_agree_with_all_faces(key: str, dice: int) -> None:
    """Every face of every die: in 1940 and Anniversary the better of two counts, elsewhere each die."""
    rolls = {"1940": 2, "aa50": 2, "revised": 2, "aa-classic": 3}[key]
    need = 4 if dice == 6 else 8
    wanted: dict[int, Fraction] = {}
    for faces in (
        product(range(1, dice + 1), repeat=2 * rolls) if dice == 6 else product((need, need + 1), repeat=2 * rolls)
    ):
        share = Fraction(1, 6) ** (2 * rolls)
        if dice == 10:
            share = Fraction(1)
            for face in faces:
                share *= Fraction(8, 10) if face <= need else Fraction(2, 10)
        each = [sum(face <= need for face in faces[place::2]) for place in (0, 1)]
        hits = sum(min(count, 1) if key in ("1940", "aa50") else count for count in each)
        wanted[min(hits, 9)] = wanted.get(min(hits, 9), Fraction(0)) + share
    there = land(key, {HEAVY: 2}, {"infantry": 9}, dice="standard" if dice == 6 else "biased", round_limit=1)
    found: dict[int, float] = {}
    odds = solve_axis(there, 0)
    for column, chance in zip(odds.columns.tolist(), odds.chances.tolist(), strict=True):
        lost = dict(odds.defenders[column].lost).get("infantry", 0)
        found[lost] = found.get(lost, 0.0) + chance
    assert found == pytest.approx({hits: float(share) for hits, share in wanted.items()}, abs=1e-12)


@each(list(product(["1940", "revised"], ["standard", "biased"]))[:: pick(3, 1)])
def test_simulated_technologies_agree_with_the_odds(key: str, dice: str) -> None:
    rule = {"clear_chance_above": 0.8}
    there = land(key, {HEAVY: 2, JET: 1, "infantry": 5}, {"infantry": 6, JET: 1}, dice=dice, retreat=rule)
    check_that_shares_are_chances(there, seed=3)


def test_a_live_heavy_bomber_rolls_two_dice_and_counts_the_better() -> None:
    fight = begin(land("1940", {HEAVY: 2, "infantry": 1}, {"infantry": 3}))
    assert next_dice(fight) == ([DiceToRoll(4, 6, 4), DiceToRoll(1, 6, 1)], [DiceToRoll(3, 6, 2)])
    throw, after = fight.throw(script(6, 4, 5, 6, 1, 6, 6, 6))
    assert isinstance(throw, AxisThrow)
    assert throw.attack == (Die(6, (6, 4), lowest=True), Die(6, (5, 6), lowest=True), Die(6, (1,)))
    assert [die.face for die in throw.attack] == [4, 5, 1]
    assert (throw.needs[0], throw.hits) == ((4, 4, 1), (2, 0))
    assert isinstance(after, AxisFight)
    assert after.left[1] == {"infantry": 1}


def test_a_heavy_bomber_may_hit_twice_in_revised() -> None:
    fight = begin(land("revised", {HEAVY: 1}, {"infantry": 3}))
    assert next_dice(fight)[0] == [DiceToRoll(2, 6, 4)]
    throw, _after = fight.throw(script(1, 4, 6, 6, 6))
    assert isinstance(throw, AxisThrow)
    assert throw.hits == (2, 0)
    assert next_dice(begin(land("revised", {"infantry": 1}, {HEAVY: 1})))[1] == [DiceToRoll(1, 6, 1)], "only in attack"


def test_low_luck_has_no_rule_for_the_better_of_two_dice() -> None:
    with pytest.raises(BattleError, match="low luck has no rule"):
        land("1940", {HEAVY: 1}, {"infantry": 1}, dice="low_luck")
    assert land("1940", {"infantry": 1}, {HEAVY: 1}, dice="low_luck"), "in defence it rolls one die"


def test_technology_units_support_like_their_plain_unit() -> None:
    rules = editions()["1940"].rules
    order = rules.orders[ORDERS.index("land_attack")]
    assert order.index(JET) == order.index("fighter") + 1
    assert rules.table["tactical_bomber"].by == ("fighter", JET, "tank")
    assert rules.table[JET].raid is None
    assert rules.table[JET].air_defence is None
    assert (rules.table[JET].form_of, rules.table[JET].technology) == ("fighter", "jets")
    paired = solve_axis(land("1940", {"tactical_bomber": 1, JET: 1}, {"infantry": 9}, round_limit=1), 0)
    assert sum(dict(paired.lost_units(True)).values()) == pytest.approx(8 / 6)


def test_technology_units_have_the_price_of_their_plain_unit() -> None:
    there = land("1940", {JET: 2, "infantry": 1}, {"infantry": 1, HEAVY: 1})
    rules = there.rules
    priced = Worth(units=(("fighter", 7),)).canonical(rules)
    assert priced.of(rules.table[JET], "attack") == 7
    assert priced.units == (("fighter", 7),)
    swapped = there.swap_sides()
    assert dict(swapped.attacker.units) == {"infantry": 1, HEAVY: 1}
    assert dict(swapped.defender.units) == {"infantry": 1, JET: 2}


def test_sensitivity_adds_technology_units_only_to_sides_with_them() -> None:
    battle = Waves.one(land("1940", {"infantry": 2}, {JET: 1, "tank": 1}))
    changed = {(change.role, change.unit) for change, _after in unit_changes(battle)}
    assert ("defence", JET) in changed
    assert ("attack", JET) not in changed
    assert ("defence", HEAVY) not in changed


@each(
    [
        (3, "technologies: give a table of technologies"),
        ({"jets": {}}, "technologies.jets: give a table for each unit"),
        ({"jets": {"zeppelin": {"name": "jet"}}}, "technologies.jets.zeppelin: there is no unit"),
        ({"jets": {"fighter": {"attack": 4}}}, "technologies.jets.fighter: give the name"),
        ({"jets": {"fighter": {"name": "jet", "attack": 9}}}, "technologies.jets.fighter.attack: the attack of a unit"),
        ({"jets": {"fighter": {"name": "tank"}}}, "technologies: every unit and every form"),
        ({"a": {"fighter": {"name": "jet"}}, "b": {"fighter": {"name": "jot"}}}, "technologies.b.fighter: another"),
        ({"a": {"infantry": {"name": "guard", "attack_dice": 2}}}, "attack_dice: a unit can have only one of these"),
    ]
)
def test_wrong_technologies_are_refused(technologies: Any, told: str) -> None:
    with pytest.raises(BattleError) as error:
        rules_of_pack("wrong", NUMBERS | {"technologies": technologies})
    assert told in f"{error.value.field}: {error.value.reason}"


@each(
    [
        (key, guns, shots, dice)
        for dice in ["standard", "biased", "low_luck"]
        for key, guns, shots in [("1940", 1, 3), ("aa50", 2, 4)]
    ]
)
def test_guns_with_radar_hit_with_1_and_2(key: str, guns: int, shots: int, dice: str) -> None:
    """The law of the planes shot down is that of dice which hit with 2; nobody else can hit."""
    there = land(key, {"fighter": 4}, {"radar_gun": guns, "infantry": 1}, dice=dice, round_limit=1)
    law = axis_brute.hits((2,) * shots, dice)
    no_hit = axis_brute.hits((2,), dice).get(0, Fraction(0))
    odds, survived = solve_axis(there, 0), Fraction(0)
    for hit, share in law.items():
        survived += share * (4 - hit - (1 - no_hit) * (hit < 4))
    assert 4 - dict(odds.lost_units()).get("fighter", 0.0) == pytest.approx(float(survived), abs=1e-12)
    chosen = solve_casualties(replace(there, chooses=(True, False), aim="profit")).value
    assert chosen == pytest.approx(odds.defender_loss - odds.attacker_loss, abs=1e-9), "there is nothing to choose"
    begun = begin(there)
    if dice == "standard":
        assert next_dice(begun) == ([], [DiceToRoll(shots, 6, 2)])
        check_that_shares_are_chances(there, seed=4)


def test_guns_with_radar_and_without_do_not_defend_together() -> None:
    with pytest.raises(BattleError, match="guns with radar and guns without"):
        land("1940", {"fighter": 1}, {"radar_gun": 1, "aa_gun": 1})


def waves(*guns: Document, key: str = "1940", **last: Any) -> Waves:
    """Waves against infantry that have these guns; `last` are fields of the last one."""
    there = [{"infantry": 1, **gun} for gun in guns]
    of_wave = [{"defence_order": []} for _ in there[1:]] + [{"defence_order": [], **last}]
    every = [document({"infantry": 2, "fighter": 2}, units, **of) for units, of in zip(there, of_wave, strict=True)]
    battle = battle_from_dict(chain(*every), editions()[key].rules)
    assert isinstance(battle, Waves)
    return battle


RADAR, PLAIN = {"radar_gun": 1}, {"aa_gun": 1}


@each([(RADAR, PLAIN), (RADAR, {}, PLAIN), (RADAR, PLAIN, RADAR), (RADAR, {"aa_gun": 1, "radar_gun": 1})])
def test_guns_of_reinforcements_have_the_radar_of_their_nation(*guns: Document) -> None:
    """The battle is that with radar in every wave."""
    expected = [{"radar_gun": sum(gun.values())} if gun else {} for gun in guns]
    assert waves(*guns) == waves(*expected)


def test_radar_comes_with_no_other_wave() -> None:
    with pytest.raises(BattleError, match="guns with radar and guns without"):
        waves(PLAIN, RADAR)
    with pytest.raises(BattleError, match="guns with radar and guns without"):
        waves(RADAR, PLAIN, key="aa50", previous_attackers_defend=True)  # captured guns keep theirs
    assert dict(waves(RADAR, PLAIN, previous_attackers_defend=True).fresh[1]) == {"infantry": 1, "aa_gun": 1}


def test_an_order_of_loss_names_guns_as_they_are_written() -> None:
    plain, radar = (waves(RADAR, gun, defence_order=["infantry", *gun]) for gun in (PLAIN, RADAR))
    assert plain == radar
