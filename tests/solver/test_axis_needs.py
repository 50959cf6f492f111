"""Which army to bring: the answers are those of trying every army there is, one by one."""

import json
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from solver.axis import AxisBattle, Retreat, Side
from solver.axis_needs import Army, cheapest, most_profitable, with_part
from solver.axis_odds import AxisOdds, solve_axis
from solver.errors import BattleError
from solver.units import Role, Rules, Unit
from tests.solver.axis_battles import RULES

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "data" / "armies.json").read_text())
TARGETS, PROFITS = (
    [case for case in CASES if case["battle"]["recommend"]["goal"] == goal]
    for goal in ("target_survival", "max_profit")
)

LAND = AxisBattle(
    RULES,
    "land",
    Side.of({"infantry": 4, "artillery": 2, "tank": 2, "fighter": 1}),
    Side.of({"infantry": 3, "tank": 1, "aa_gun": 1}),
)
SEA = AxisBattle(
    RULES,
    "sea",
    Side.of({"submarine": 2, "destroyer": 2, "fighter": 2, "battleship": 1}),
    Side.of({"submarine": 1, "cruiser": 1, "fighter": 1, "transport": 1}),
)
BATTLES = {
    "plain": LAND,
    "with a plan": AxisBattle(
        RULES, "land", LAND.attacker, LAND.defender, retreat=Retreat(win_chance_below=0.3003), territory_value=3
    ),
    "at sea": SEA,
}
ROLES: tuple[Role, ...] = ("attack", "defence")


def read(case: dict[str, Any]) -> tuple[AxisBattle, Role, dict[str, Any]]:
    """A case: the battle, whose army is asked about, and what is wanted of it."""
    document = dict(case["battle"])
    assert document.pop("question") == "army"
    wanted = document.pop("recommend")
    return AxisBattle.from_dict(document, RULES), "attack" if wanted["side"] == "attacker" else "defence", wanted


@cache
def every_army(battle: AxisBattle, role: Role) -> list[tuple[dict[str, int], float, AxisOdds]]:
    """Every army that is part of a side's, what it costs, and its odds."""
    side = battle.attacker if role == "attack" else battle.defender
    names = [name for name, _ in side.units]
    found = []
    for counts in product(*(range(count + 1) for _, count in side.units)):
        units = {name: count for name, count in zip(names, counts, strict=True) if count}
        if units:
            cost = sum(battle.rules.table[name].cost * count for name, count in units.items())
            found.append((units, cost, solve_axis(with_part(battle, role, tuple(units.items())), 0)))
    return found


# Right answers from outside ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", TARGETS, ids=lambda case: case["id"])
def test_the_cheapest_armies_are_those_that_are_known(case: dict[str, Any]) -> None:
    battle, role, wanted = read(case)
    found = cheapest(battle, role, wanted["target"], wanted["how_many"], wanted["minimum"])
    assert not found.closest
    expected = case["odds"]["best"]
    assert len(found.best) == len(expected) == wanted["how_many"]
    for army, known in zip(found.best, expected, strict=True):
        assert army.cost == known["cost"]
        assert army.survives == pytest.approx(known["survives"], rel=0, abs=1e-9)
        assert dict(army.units) == known["army"]


def without_supported_infantry(battle: AxisBattle, army: dict[str, int]) -> AxisBattle:
    """The battle with this army, as if infantry with support from the first were no land units in a deadzone.

    Each of them is a kind of its own then: a defence of twice its cost is what makes a deadzone cost nothing.
    """
    infantry = army["infantry"]
    supported = [place < army.get("artillery", 0) for place in range(infantry)]  # most protected first
    kinds = [
        Unit(f"infantry_{place}", "land", 2, 6, 3) if by else Unit(f"infantry_{place}", "land", 1, 2, 3)
        for place, by in enumerate(supported)
    ]
    row = [unit.name for unit in reversed(kinds)]
    orders = tuple((*row, *order) if "infantry" in order else order for order in RULES.orders)
    rules = Rules("supported", (*RULES.units, *kinds), orders)
    others = {name: count for name, count in army.items() if name != "infantry"}
    return AxisBattle(
        rules,
        "land",
        Side.of(others | dict.fromkeys(row, 1)),
        Side.of(dict(battle.defender.units)),
        retreat=battle.retreat,
        deadzone=battle.deadzone,
        territory_value=battle.territory_value,
        decline_allowed=battle.decline_allowed,
    )


@pytest.mark.parametrize("case", PROFITS, ids=lambda case: case["id"])
def test_the_known_profits_are_those_of_an_engine_that_forgets_supported_infantry(case: dict[str, Any]) -> None:
    """In a deadzone it counts these as no land units, which is a fault; without them its profits are ours."""
    battle, role, _ = read(case)
    ours = {army.units: army for army in most_profitable(battle, role, 100).best}
    for known in case["odds"]["best"]:
        faulty = solve_axis(without_supported_infantry(battle, known["army"]), 0)
        assert faulty.defender_loss - faulty.attacker_loss == pytest.approx(known["profit"], rel=0, abs=1e-9)
        army = ours[tuple(known["army"].items())]
        assert army.cost == known["cost"]
        if not known["army"].get("artillery"):
            assert army.profit == pytest.approx(known["profit"], rel=0, abs=1e-9)
        else:
            assert army.profit < known["profit"]


# Every army one by one -----------------------------------------------------------------------------------------------


def same(army: Army, units: dict[str, int], cost: float, odds: AxisOdds, role: Role) -> None:
    """Compare all that is said of an army with its odds."""
    sign = 1 if role == "attack" else -1
    assert dict(army.units) == units
    assert army.cost == cost
    assert army.survives == pytest.approx(odds.attacker_survives if role == "attack" else odds.defender_survives)
    assert army.wins == pytest.approx(odds.wins if role == "attack" else 1 - odds.wins)
    assert army.profit == pytest.approx(sign * (odds.defender_loss - odds.attacker_loss), abs=1e-9)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("name", BATTLES)
@pytest.mark.parametrize("of", ["survives", "wins"])
def test_nothing_cheaper_does(name: str, role: Role, of: Any) -> None:
    battle = BATTLES[name]
    tried = every_army(battle, role)

    def chance(odds: AxisOdds) -> float:
        if of == "wins":
            return odds.wins if role == "attack" else 1 - odds.wins
        return odds.attacker_survives if role == "attack" else odds.defender_survives

    for target in (0.3, 0.55, 0.8):
        good = sorted((one for one in tried if chance(one[2]) >= target), key=lambda one: (one[1], -chance(one[2])))
        found = cheapest(battle, role, target, 5, of=of)
        assert len(found.best) == min(5, len(good))
        if good:
            for army, (units, cost, odds) in zip(found.best, good, strict=False):
                assert army.cost == cost
                assert getattr(army, of) == pytest.approx(chance(odds))
                if sum(one[1] == cost and abs(chance(one[2]) - chance(odds)) < 1e-9 for one in good) == 1:
                    same(army, units, cost, odds, role)
        else:
            likeliest = max(chance(odds) for _, _, odds in tried)
            assert getattr(found.closest[0], of) == pytest.approx(likeliest)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("name", BATTLES)
def test_nothing_gains_more(name: str, role: Role) -> None:
    battle = BATTLES[name]
    sign = 1 if role == "attack" else -1
    tried = sorted(every_army(battle, role), key=lambda one: -sign * (one[2].defender_loss - one[2].attacker_loss))
    for army, (_, _, odds) in zip(most_profitable(battle, role, 4).best, tried, strict=False):
        assert army.profit == pytest.approx(sign * (odds.defender_loss - odds.attacker_loss), abs=1e-9)
    least = {name: 1 for name, _ in (battle.attacker if role == "attack" else battle.defender).units[-1:]}
    best = most_profitable(battle, role, 1, least).best[0]
    same(best, *next(one for one in tried if one[0].keys() >= least.keys()), role)


def test_there_are_never_less_than_the_minimum() -> None:
    least = {"tank": 2, "fighter": 1}
    found = cheapest(LAND, "attack", 0.5, 4, least)
    assert all(dict(army.units).get(name, 0) >= count for army in found.best for name, count in least.items())
    tried = [one for one in every_army(LAND, "attack") if all(one[0].get(n, 0) >= count for n, count in least.items())]
    assert found.best[0].cost == min(cost for _, cost, odds in tried if odds.attacker_survives >= 0.5)


def test_out_of_reach_are_those_that_come_closest() -> None:
    few = AxisBattle(RULES, "land", Side.of({"infantry": 3, "tank": 1}), Side.of({"infantry": 9}))
    found = cheapest(few, "attack", 0.5, 2)
    assert not found.best
    assert [dict(army.units) for army in found.closest] == [{"infantry": 3, "tank": 1}, {"infantry": 2, "tank": 1}]
    assert found.closest[0].survives == pytest.approx(solve_axis(few).attacker_survives)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"target": 0}, "target"),
        ({"target": 1.5}, "target"),
        ({"how_many": 0}, "how_many"),
        ({"how_many": 101}, "how_many"),
        ({"minimum": {"tank": 3}}, "minimum.tank"),
        ({"minimum": {"tank": -1}}, "minimum.tank"),
        ({"minimum": {"zeppelin": 1}}, "minimum.zeppelin"),
        ({"most": 1_000}, "units"),
    ],
)
def test_what_cannot_be_asked_is_refused(wrong: dict[str, Any], field: str) -> None:
    asked: dict[str, Any] = {"battle": LAND, "role": "attack", "target": 0.8}
    with pytest.raises(BattleError) as refused:
        cheapest(**asked | wrong)
    assert refused.value.field == field


def test_somebody_must_be_there_to_choose_from() -> None:
    with pytest.raises(BattleError, match="nobody is there"):
        most_profitable(AxisBattle(RULES, "land", LAND.attacker, Side.of({})), "defence")
