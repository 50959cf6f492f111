"""Battles of Axis & Allies and their rules as values and as documents: one form for each, and what is refused."""

import json
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.axis.battle import AxisBattle
from solver.axis.packs import rules_of_pack
from solver.axis.sides import EVERYBODY, Army, Retreat
from solver.axis.units import ORDERS, Unit
from solver.errors import BattleError
from tests.helpers.cases import each
from tests.helpers.solver.any_axis_battle import at_sea, on_land
from tests.helpers.solver.axis_battles import NUMBERS, RULES, document

Document = dict[str, Any]
Path = tuple[str | int, ...]

LAND = document({"infantry": 2, "tank": 1, "cruiser": 1}, {"aa_gun": 1, "infantry": 2})
SEA = document({"submarine": 2, "destroyer": 1}, {"battleship": 1, "fighter": 1}, theatre="sea")
ATTACKER: Path = ("waves", 0, "attacker")
DEFENDER: Path = ("waves", 0, "defender")
WAVE: Path = ("waves", 0)
ODD: list[Any] = ["x", "", None, [], {}, [None], {"x": 1}, 1, -1, 0.5, True, 10**400, float("nan"), float("inf")]
"""Of everything that may stand in a document something."""


def read(battle: Document) -> AxisBattle:
    return AxisBattle.from_dict(battle, RULES)


def changed(battle: Any, path: Path, value: Any) -> Any:
    """The document with something else in one place."""
    copy = deepcopy(battle)
    if not path:
        return value
    inner = copy
    for step in path[:-1]:
        inner = inner.setdefault(step, {}) if isinstance(inner, dict) else inner[step]
    inner[path[-1]] = value
    return copy


def places(value: Any, path: Path = ()) -> list[Path]:
    """Every place of a document."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for step, one in inner for place in places(one, (*path, step)))]


# One form for each -------------------------------------------------------------------------------------------


@settings(derandomize=True)
@given(st.one_of(on_land(), at_sea()))
def test_a_battle_survives_its_document(battle: Document) -> None:
    once = read(battle)
    written = json.loads(json.dumps(once.to_dict()))
    assert read(written) == once
    assert hash(read(written)) == hash(once)
    assert read(written).to_dict() == once.to_dict()


@settings(derandomize=True)
@given(st.one_of(on_land(), at_sea()), st.randoms(use_true_random=False))
def test_the_order_of_units_in_a_document_makes_no_difference(battle: Document, random: Any) -> None:
    other = deepcopy(battle)
    for side in ("attacker", "defender"):
        units = list(other["waves"][0][side]["units"].items())
        random.shuffle(units)
        other["waves"][0][side]["units"] = {"carrier" if battle["theatre"] == "sea" else "tank": 0} | dict(units)
    assert read(other) == read(battle)
    assert hash(read(other)) == hash(read(battle))
    assert list(read(other).to_dict()["waves"][0]["attacker"]["units"]) == [
        name for name in RULES.table if read(battle).attacker.count(name)
    ]


def test_fields_left_out_of_a_document_take_their_defaults() -> None:
    battle = read({"waves": [{"attacker": {"units": {"infantry": 2}}, "defender": {"units": {"tank": 1}}}]})
    assert battle == AxisBattle(RULES, "land", Army.of({"infantry": 2}), Army.of({"tank": 1}))
    assert (battle.dice, battle.round_limit, battle.retreat, battle.decline_allowed) == (
        "standard",
        None,
        Retreat(),
        True,
    )
    assert not battle.retreat
    assert read({"waves": [{}]}) == AxisBattle(RULES, "land", Army.of({}), Army.of({}))


def test_a_battle_without_waves_is_refused() -> None:
    battles: list[Document] = [{}, {"waves": []}]
    for battle in battles:
        with pytest.raises(BattleError, match=r"waves: give one wave or more"):
            read(battle)


def test_battles_differ_where_their_documents_do() -> None:
    battles = [
        read(LAND),
        read(changed(LAND, (*ATTACKER, "units", "tank"), 2)),
        read(changed(LAND, (*ATTACKER, "loss_order"), ["tank", "infantry"])),
        read(changed(LAND, (*ATTACKER, "keep_land"), 1)),
        read(changed(LAND, (*DEFENDER, "aa_second_last"), True)),
        read(changed(LAND, ("dice",), "biased")),
        read(changed(LAND, (*WAVE, "round_limit"), 2)),
        read(changed(LAND, (*WAVE, "retreat"), {"units_at_most": 2})),
        read(changed(LAND, (*WAVE, "retreat_ev_override"), {"territory_value": 3})),
        read(changed(LAND, ("aa_already_fired",), True)),
        read(changed(LAND, ("worth",), {"measure": "power"})),
        read(changed(LAND, ("worth",), {"units": {"tank": 7}})),
    ]
    assert len(set(battles)) == len(battles)


def test_swapping_sides_takes_orders_and_flags_along() -> None:
    flags = {"attacker": True, "defender": False}
    there = read(
        document({"submarine": 2, "fighter": 1}, {"destroyer": 1, "transport": 2}, theatre="sea", submerge=flags)
    )
    back = there.swap_sides()
    assert dict(back.attacker.units) == {"destroyer": 1, "transport": 2}
    assert dict(back.defender.units) == {"submarine": 2, "fighter": 1}
    assert back.submerge == (0, EVERYBODY)
    assert back.swap_sides() == there


def test_swapping_sides_takes_choices_along() -> None:
    there = replace(read(document({"infantry": 2}, {"infantry": 1})), chooses=(True, False), aim="profit")
    back = there.swap_sides()
    assert (back.chooses, back.aim) == ((False, True), "profit")
    assert not there.has_plans
    assert back.swap_sides() == there


def test_swapping_sides_leaves_out_units_without_that_role() -> None:
    units = {"amphibious_infantry": 2, "infantry": 1, "battleship": 1}, {"aa_gun": 2, "tank": 1}
    there = read(document(*units, retreat={"units_at_most": 2}, territory_value=5, keep_land=1))
    back = there.swap_sides()
    assert dict(back.attacker.units) == {"tank": 1}, "guns do not attack"
    assert dict(back.defender.units) == {"infantry": 3}, "ships that bombard do not defend on land"
    assert (back.retreat, back.territory_value, back.defender.keep_land) == (Retreat(), 0, 0)


# What is refused ---------------------------------------------------------------------------------------------


def named(part: Any) -> str:
    """A test is called after the field that is wrong."""
    return part if isinstance(part, str) and ("." in part or part in ("units", "waves")) else ""


WRONG: list[tuple[Document, Path, Any, str]] = [
    (LAND, (*ATTACKER, "units", "zeppelin"), 1, "waves.0.attacker.units.zeppelin"),
    (LAND, (*ATTACKER, "units", "tank"), -1, "waves.0.attacker.units.tank"),
    (LAND, (*DEFENDER, "units", "tank"), 10**9, "waves.0.defender.units.tank"),
    (LAND, (*DEFENDER, "units", "tank"), 1.0, "waves.0.defender.units.tank"),
    (LAND, (*DEFENDER, "units", "tank"), True, "waves.0.defender.units.tank"),
    (LAND, (*ATTACKER, "units", "submarine"), 1, "waves.0.attacker.units.submarine"),
    (LAND, (*DEFENDER, "units", "cruiser"), 1, "waves.0.defender.units.cruiser"),
    (LAND, (*DEFENDER, "units", "amphibious_tank"), 1, "waves.0.defender.units.amphibious_tank"),
    (SEA, (*ATTACKER, "units", "infantry"), 1, "waves.0.attacker.units.infantry"),
    (SEA, (*DEFENDER, "units", "aa_gun"), 1, "waves.0.defender.units.aa_gun"),
    (LAND, (*ATTACKER, "loss_order"), ["infantry"], "waves.0.attacker.loss_order"),
    (LAND, (*ATTACKER, "loss_order"), ["infantry", "tank", "zeppelin"], "waves.0.attacker.loss_order"),
    (LAND, (*ATTACKER, "loss_order"), ["infantry", 3, "tank"], "waves.0.attacker.loss_order"),
    (LAND, (*ATTACKER, "loss_order"), "tank", "waves.0.attacker.loss_order"),
    (LAND, (*ATTACKER, "keep_land"), -1, "waves.0.attacker.keep_land"),
    (LAND, (*ATTACKER, "aa_second_last"), True, "waves.0.attacker.aa_second_last"),
    (LAND, (*DEFENDER, "keep_land"), -1, "waves.0.defender.keep_land"),
    (changed(LAND, (*DEFENDER, "aa_second_last"), True), (*DEFENDER, "keep_land"), 1, "waves.0.defender.keep_land"),
    (LAND, (*DEFENDER, "aa_second_last"), 1, "waves.0.defender.aa_second_last"),
    (LAND, ("theatre",), "air", "theatre"),
    (LAND, ("dice",), "loaded", "dice"),
    (LAND, ("deadzone",), 1, "deadzone"),
    (LAND, ("territory_value",), float("nan"), "territory_value"),
    (LAND, ("territory_value",), 10**400, "territory_value"),
    (LAND, ("territory_value",), "much", "territory_value"),
    (LAND, ("decline_allowed",), None, "decline_allowed"),
    (LAND, ("aa_already_fired",), "no", "aa_already_fired"),
    (LAND, ("weather",), "fine", "weather"),
    (LAND, ("waves",), [], "waves"),
    (LAND, ("waves",), LAND["waves"] * 2, "waves"),
    (LAND, ("waves",), {"0": {}}, "waves"),
    (LAND, WAVE, [], "waves.0"),
    (LAND, (*WAVE, "attacker"), [], "waves.0.attacker"),
    (LAND, (*ATTACKER, "units"), [["tank", 1]], "waves.0.attacker.units"),
    (LAND, (*WAVE, "round_limit"), -1, "waves.0.round_limit"),
    (LAND, (*WAVE, "round_limit"), 1.5, "waves.0.round_limit"),
    (LAND, (*WAVE, "round_limit"), 10**6, "waves.0.round_limit"),
    (LAND, (*WAVE, "previous_attackers_defend"), True, "waves.0.previous_attackers_defend"),
    (LAND, (*WAVE, "submerge"), [True, False], "waves.0.submerge"),
    (LAND, (*WAVE, "submerge", "attacker"), 1.5, "waves.0.submerge.attacker"),
    (LAND, (*WAVE, "keep_last_destroyer", "both"), True, "waves.0.keep_last_destroyer.both"),
    (LAND, (*WAVE, "crash_stranded_fighters"), 0, "waves.0.crash_stranded_fighters"),
    (LAND, (*WAVE, "retreat"), "never", "waves.0.retreat"),
    (LAND, (*WAVE, "retreat", "if_it_rains"), True, "waves.0.retreat.if_it_rains"),
    (LAND, (*WAVE, "retreat", "units_at_most"), 1.5, "waves.0.retreat.units_at_most"),
    (LAND, (*WAVE, "retreat", "units_at_most"), -2, "waves.0.retreat.units_at_most"),
    (LAND, (*WAVE, "retreat", "profit_below"), float("inf"), "waves.0.retreat.profit_below"),
    (LAND, (*WAVE, "retreat", "profit_below"), 10**400, "waves.0.retreat.profit_below"),
    (LAND, (*WAVE, "retreat", "win_chance_below"), 1.01, "waves.0.retreat.win_chance_below"),
    (LAND, (*WAVE, "retreat", "win_chance_below"), float("nan"), "waves.0.retreat.win_chance_below"),
    (LAND, (*WAVE, "retreat", "win_means"), "hold", "waves.0.retreat.win_means"),
    (LAND, (*WAVE, "retreat", "clear_chance_above"), -0.1, "waves.0.retreat.clear_chance_above"),
    (SEA, (*WAVE, "retreat", "clear_chance_above"), 0.1, "waves.0.retreat.clear_chance_above"),
    (SEA, (*WAVE, "retreat", "air_loss_chance_above"), 0.1, "waves.0.retreat.air_loss_chance_above"),
    (LAND, (*WAVE, "retreat_ev_override"), 7, "waves.0.retreat_ev_override"),
    (LAND, (*WAVE, "retreat_ev_override", "deadzone"), 1, "waves.0.retreat_ev_override.deadzone"),
    (LAND, (*WAVE, "retreat_ev_override", "territory_value"), "7", "waves.0.retreat_ev_override.territory_value"),
    (LAND, (*WAVE, "retreat_ev_override", "value"), 7, "waves.0.retreat_ev_override.value"),
]


@each(WRONG)
def test_a_wrong_battle_document_names_its_field(battle: Document, path: Path, value: Any, field: str) -> None:
    read(battle)
    with pytest.raises(BattleError) as error:
        read(changed(battle, path, value))
    assert error.value.field == field
    assert error.value.sentence.endswith(".")


FULL = [read(battle).to_dict() for battle in (LAND, SEA)]


@pytest.mark.parametrize("battle", FULL, ids=["on land", "at sea"])
def test_any_value_in_any_field_is_a_battle_or_an_error(battle: Document) -> None:
    for path in places(battle):
        for value in ODD if path else []:
            with suppress(BattleError):
                read(changed(battle, path, value))


@pytest.mark.parametrize("side", ["attacker", "defender"])
def test_only_transports_may_be_missing_in_a_casualty_order(side: str) -> None:
    units = {"transport": 2, "cruiser": 1}
    battle = document(*([units, {}] if side == "attacker" else [{}, units]), theatre="sea")
    read(changed(battle, ("waves", 0, side, "loss_order"), ["cruiser"]))
    with pytest.raises(BattleError, match="cruiser is not in the casualty order"):
        read(changed(battle, ("waves", 0, side, "loss_order"), ["transport"]))


# Rules -------------------------------------------------------------------------------------------------------

WRONG_RULES: list[tuple[Path, Any, str]] = [
    (("units",), None, "units"),
    (("units",), {}, "units"),
    (("units",), ["tank"], "units"),
    (("units", "tank"), 3, "units.tank"),
    (("units", "tank", "speed"), 2, "units.tank.speed"),
    (("units", "tank"), {"kind": "land", "attack": 3, "cost": 6}, "units.tank.defence"),
    (("units", "tank", "kind"), "space", "units.tank.kind"),
    (("units", "tank", "attack"), 7, "units.tank.attack"),
    (("units", "tank", "defence"), "3", "units.tank.defence"),
    (("units", "tank", "cost"), -1, "units.tank.cost"),
    (("units", "battleship", "hits"), 3, "units.battleship.hits"),
    (("units", "battleship", "attack_hits"), 0, "units.battleship.attack_hits"),
    (("units", "carrier", "carries"), 2.5, "units.carrier.carries"),
    (("units", "carrier", "carries_damaged"), None, "units.carrier.carries_damaged"),
    (("units", "aa_gun", "antiaircraft"), -3, "units.aa_gun.antiaircraft"),
    (("units", "submarine", "surprise"), 1, "units.submarine.surprise"),
    (("units", "infantry", "boost"), 2, "units.infantry.boost"),
    (("units", "infantry", "boost"), {"attack": 2}, "units.infantry.boost"),
    (("units", "infantry", "boost"), {"attack": 2, "by": "artillery"}, "units.infantry.boost"),
    (("units", "infantry", "boost"), {"attack": 2, "by": ["mortar"]}, "units.infantry.boost"),
    (("units", "infantry", "boost"), {"attack": 0, "by": ["artillery"]}, "units.infantry.boost"),
    (("units", "infantry", "boost"), {"attack": None, "by": ["artillery"]}, "units.infantry.boost"),
    (("land_attack",), None, "land_attack"),
    (("sea_defence",), ["submarine", 1], "sea_defence"),
    (("sea_defence",), ["submarine", "zeppelin"], "sea_defence"),
    (("land_rounds",), 0, "land_rounds"),
    (("land_rounds",), "1", "land_rounds"),
]


@each(WRONG_RULES)
def test_wrong_rules_of_an_edition_name_their_field(path: Path, value: Any, field: str) -> None:
    with pytest.raises(BattleError) as error:
        rules_of_pack("wrong", changed(NUMBERS, path, value))
    assert error.value.field == field


def test_any_value_in_rules_is_an_edition_or_an_error() -> None:
    for path in places({name: NUMBERS[name] for name in ("units", *ORDERS)} | {"land_rounds": 1}):
        for value in ODD if path else []:
            with suppress(BattleError):
                rules_of_pack("odd", changed(NUMBERS, path, value))


def test_units_have_amphibious_and_damaged_forms() -> None:
    table = RULES.table
    assert table["amphibious_tank"] == Unit("amphibious_tank", "land", 3, 3, 6, amphibious=True)
    assert table["damaged_battleship"].hits == 1
    assert table["damaged_battleship"].repaired == "battleship"
    assert "amphibious_aa_gun" not in table
    assert "damaged_carrier" not in table


def test_an_edition_with_one_round_on_land_fights_no_second() -> None:
    brief = rules_of_pack("brief", NUMBERS | {"land_rounds": 1})
    assert [
        AxisBattle.from_dict(changed(LAND, (*WAVE, "round_limit"), limit), brief).round_limit for limit in (None, 1, 5)
    ] == [1, 1, 1]
    assert AxisBattle.from_dict(SEA, brief).round_limit is None
    for odd in ["x", [], {}, 0.5, True, -1, 0]:
        with pytest.raises(BattleError) as error:
            AxisBattle.from_dict(changed(LAND, (*WAVE, "round_limit"), odd), brief)
        assert error.value.field == "waves.0.round_limit"
