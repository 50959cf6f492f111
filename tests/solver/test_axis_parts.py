"""Every part of an army at once: each has the odds that it has alone, whatever the rules and the plans are."""

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from solver.axis.battle import AxisBattle
from solver.axis.best.part_odds import iterate_parts_odds, parts_odds
from solver.axis.packs import rules_of_pack
from solver.axis.sides import Army, Retreat
from solver.axis.units import Role
from solver.errors import BattleError
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver.any_axis_battle import at_sea, on_land
from tests.helpers.solver.axis_battles import NUMBERS, RULES
from tests.helpers.solver.axis_compare import agree_on_parts

ROLES: tuple[Role, ...] = ("attack", "defence")
LAND = AxisBattle(
    RULES,
    "land",
    Army.of({"infantry": 4, "amphibious_tank": 2, "tank": 1, "fighter": 2, "bomber": 1, "cruiser": 1}, keep_land=2),
    Army.of({"infantry": 3, "artillery": 1, "aa_gun": 1, "fighter": 1}, aa_second_last=True),
    retreat=Retreat(profit_below=0.013),
    territory_value=5,
)


small = examples(pick(25, 50), derandomize=True, suppress_health_check=[HealthCheck.too_slow])


@small
@given(on_land(), st.sampled_from(ROLES))
def test_every_part_of_a_land_army_has_its_own_odds(battle: dict[str, Any], role: Role) -> None:
    agree_on_parts(AxisBattle.from_dict(battle, RULES), role)


@small
@given(at_sea(), st.sampled_from(ROLES))
def test_every_part_of_a_fleet_has_its_own_odds(battle: dict[str, Any], role: Role) -> None:
    agree_on_parts(AxisBattle.from_dict(battle, RULES), role)


@pytest.mark.parametrize("role", ROLES)
def test_every_part_of_an_army_follows_its_own_best_plan(role: Role) -> None:
    odds = agree_on_parts(LAND, role, every=pick(17, 7))
    declined = [part for part, profit in enumerate(odds.values["profit"]) if profit == 0 and odds.units[part].any()]
    assert declined or role == "defence", "some attacks are better not made"


@pytest.mark.parametrize("role", ROLES)
def test_parts_computed_in_small_pieces_have_the_same_odds(role: Role, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = parts_odds(LAND, role)
    monkeypatch.setattr("solver.axis.best.sweep.PAGE", 7)
    monkeypatch.setattr("solver.axis.best.sweep.MOST_AT_ONCE", 1)
    pieces = parts_odds(LAND, role)
    assert (pieces.units == whole.units).all()
    for name, values in whole.values.items():
        assert pieces.values[name] == pytest.approx(values, rel=1e-12, abs=1e-12), name


def test_cheap_parts_of_an_army_are_computed_first(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = parts_odds(LAND, "attack")
    monkeypatch.setattr("solver.axis.best.sweep.PAGE", 20)
    known = list(iterate_parts_odds(LAND, "attack", ("wins",)))
    assert len(known) > 3
    assert [odds.sure for odds in known] == sorted(odds.sure for odds in known)
    for odds in known:
        assert (odds.cost < odds.sure).sum() == (whole.cost < odds.sure).sum(), "none of them is missing"
        for part in np.flatnonzero(odds.cost < odds.sure)[:50]:
            (same,) = np.flatnonzero((whole.units == odds.units[part]).all(axis=1))
            assert odds.values["wins"][part] == pytest.approx(whole.values["wins"][same], abs=1e-12)


def test_units_without_cost_are_parts_of_an_army() -> None:
    units = {name: unit | ({"cost": 0} if name == "infantry" else {}) for name, unit in NUMBERS["units"].items()}
    rules = rules_of_pack("free", NUMBERS | {"units": units})
    attacker = Army.of({"infantry": 3, "artillery": 2})
    for role in ROLES:
        agree_on_parts(AxisBattle(rules, "land", attacker, Army.of({"infantry": 2, "tank": 1})), role)


def test_carriers_of_two_hits_lose_room_for_planes_with_the_first() -> None:
    units = {
        name: unit | ({"hits": 2, "carries_damaged": 1} if name == "carrier" else {})
        for name, unit in NUMBERS["units"].items()
    }
    rules = rules_of_pack("carriers", NUMBERS | {"units": units})
    ours, theirs = {"carrier": 1, "battleship": 1, "fighter": 2}, {"carrier": 2, "fighter": 3, "battleship": 1}
    for role in ROLES:
        agree_on_parts(AxisBattle(rules, "sea", Army.of(ours), Army.of(theirs), crash_stranded_fighters=True), role)
        agree_on_parts(AxisBattle(rules, "sea", Army.of(ours), Army.of(theirs), crash_attacking_fighters=True), role)


def test_crashing_planes_count_for_the_decision_of_each_part() -> None:
    planes, ships = Army.of({"fighter": 2}), Army.of({"submarine": 2, "destroyer": 1})
    with_bomber = Army.of({"fighter": 2, "bomber": 1})
    for retreat in (Retreat(profit_below=-3), Retreat(units_at_most=2)):
        for role in ROLES:
            agree_on_parts(
                AxisBattle(RULES, "sea", with_bomber, ships, retreat=retreat, crash_attacking_fighters=True), role
            )
            agree_on_parts(AxisBattle(RULES, "sea", ships, planes, retreat=retreat, crash_stranded_fighters=True), role)


@each(
    [
        ("land", {"infantry": 500, "tank": 500}),
        ("sea", {"submarine": 30, "destroyer": 30, "fighter": 30}),
        ("land", {"infantry": 9_000}),
        ("sea", {"destroyer": 9_000}),
        ("land", {"fighter": 5_000, "aa_gun": 2_000}),
    ]
)
def test_parts_of_too_much_work_are_refused_before_the_work(theatre: Any, units: dict[str, int]) -> None:
    ours = {name: count for name, count in units.items() if name != "aa_gun"}
    battle = AxisBattle(RULES, theatre, Army.of(ours), Army.of(units))
    for role in ROLES:
        with pytest.raises(BattleError, match=r"more work than is allowed|too many|more parts"):
            parts_odds(battle, role, limit=10**6)
