"""Which army to bring: the answers are those of trying every army there is, one by one."""

import json
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from solver.axis.battle import AxisBattle
from solver.axis.best.armies import HOPELESS, SEEN, ArmyGoal, RankedArmy, armies_to_dict, best_armies, survey
from solver.axis.best.parts import Wanted, with_units
from solver.axis.odds import AxisOdds
from solver.axis.sides import Army, Retreat
from solver.axis.solve import solve_axis
from solver.axis.units import Role, Rules, Unit
from solver.axis.waves.waves import Waves
from solver.errors import BattleError
from solver.questions import read_question
from tests.helpers.cases import each
from tests.helpers.extent import pick
from tests.helpers.solver.axis_battles import RULES

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "data" / "armies.json").read_text())
TARGETS, PROFITS = (
    [case for case in CASES if case["battle"]["recommend"]["goal"] == goal]
    for goal in ("target_survival", "max_profit")
)

LAND = AxisBattle(
    RULES,
    "land",
    Army.of({"infantry": 4, "artillery": 2, "tank": 2, "fighter": 1}),
    Army.of({"infantry": 3, "tank": 1, "aa_gun": 1}),
)
SEA = AxisBattle(
    RULES,
    "sea",
    Army.of({"submarine": 2, "destroyer": 2, "fighter": 2, "battleship": 1}),
    Army.of({"submarine": 1, "cruiser": 1, "fighter": 1, "transport": 1}),
)
BATTLES = {
    "plain": LAND,
    "with a plan": AxisBattle(
        RULES, "land", LAND.attacker, LAND.defender, retreat=Retreat(win_chance_below=0.3003), territory_value=3
    ),
    "at sea": SEA,
}
ROLES: tuple[Role, ...] = ("attack", "defence")


def read(case: dict[str, Any]) -> tuple[AxisBattle, ArmyGoal]:
    """A case: the battle, and what is wanted."""
    document = dict(case["battle"])
    assert document.pop("question") == "army"
    wanted = document.pop("recommend")
    role: Role = "attack" if wanted["side"] == "attacker" else "defence"
    of: Wanted = "profit" if wanted["goal"] == "max_profit" else "survives"
    least = tuple((wanted["minimum"] or {}).items())
    return AxisBattle.from_dict(document, RULES), ArmyGoal(role, of, wanted["target"], wanted["how_many"], least)


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
            found.append((units, cost, solve_axis(with_units(battle, role, tuple(units.items())), 0)))
    return found


# Right answers from outside ------------------------------------------------------------------------------------------


@each(TARGETS)
def test_the_cheapest_armies_agree_with_known_answers(case: dict[str, Any]) -> None:
    found, expected = read_question(case["battle"], {"axis1942": RULES}).work(), case["odds"]["best"]
    assert found["reached"]
    assert not found["closest"]
    assert len(found["best"]) == len(expected) == case["battle"]["recommend"]["how_many"]
    for army, known in zip(found["best"], expected, strict=True):
        assert army["army"] == known["army"]
        assert army["cost"] == known["cost"]
        assert army["survives"] == pytest.approx(known["survives"], rel=0, abs=1e-9)


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
        Army.of(others | dict.fromkeys(row, 1)),
        Army.of(dict(battle.defender.units)),
        retreat=battle.retreat,
        deadzone=battle.deadzone,
        territory_value=battle.territory_value,
        decline_allowed=battle.decline_allowed,
    )


@each(PROFITS)
def test_known_profits_are_those_without_supported_infantry(case: dict[str, Any]) -> None:
    """In a deadzone it counts these as no land units, which is a fault; without them its profits are ours."""
    battle, goal = read(case)
    ours = {army.units: army for army in best_armies(battle, replace(goal, how_many=100)).best}
    for known in case["odds"]["best"]:
        faulty = solve_axis(without_supported_infantry(battle, known["army"]), 0)
        assert faulty.defender_loss - faulty.attacker_loss == pytest.approx(known["profit"], rel=0, abs=1e-9)
        army = ours[tuple(known["army"].items())]
        assert army.cost == known["cost"]
        if not known["army"].get("artillery"):
            assert army.odds["profit"] == pytest.approx(known["profit"], rel=0, abs=1e-9)
        else:
            assert army.odds["profit"] < known["profit"]


# Every army one by one -----------------------------------------------------------------------------------------------


def same(army: RankedArmy, units: dict[str, int], cost: float, odds: AxisOdds, role: Role) -> None:
    """Compare all that is said of an army with its odds."""
    sign = 1 if role == "attack" else -1
    expected = {
        "survives": odds.attacker_survives if role == "attack" else odds.defender_survives,
        "wins": odds.wins if role == "attack" else 1 - odds.wins,
        "profit": sign * (odds.defender_loss - odds.attacker_loss),
    }
    assert (dict(army.units), army.cost) == (units, cost)
    assert army.odds == pytest.approx({name: expected[name] for name in army.odds}, abs=1e-9)


@each([(name, role, of) for role in ROLES for name in BATTLES for of in ["survives", "wins"]])
def test_no_cheaper_army_reaches_the_target(name: str, role: Role, of: Any) -> None:
    battle = BATTLES[name]
    tried = every_army(battle, role)

    def chance(odds: AxisOdds) -> float:
        if of == "wins":
            return odds.wins if role == "attack" else 1 - odds.wins
        return odds.attacker_survives if role == "attack" else odds.defender_survives

    for target in pick((0.55,), (0.3, 0.55, 0.8)):
        good = sorted((one for one in tried if chance(one[2]) >= target), key=lambda one: (one[1], -chance(one[2])))
        found = best_armies(battle, ArmyGoal(role, of, target, 5))
        assert len(found.best) == min(5, len(good))
        if good:
            for army, (units, cost, odds) in zip(found.best, good, strict=False):
                assert army.cost == cost
                assert army.odds[of] == pytest.approx(chance(odds))
                if sum(one[1] == cost and abs(chance(one[2]) - chance(odds)) < 1e-9 for one in good) == 1:
                    same(army, units, cost, odds, role)
        else:
            likeliest = max(chance(odds) for _, _, odds in tried)
            assert found.closest[0].odds[of] == pytest.approx(likeliest)


@each([(name, role) for role in ROLES for name in BATTLES])
def test_no_army_gains_a_higher_profit(name: str, role: Role) -> None:
    battle = BATTLES[name]
    sign = 1 if role == "attack" else -1
    tried = sorted(every_army(battle, role), key=lambda one: -sign * (one[2].defender_loss - one[2].attacker_loss))
    for army, (_, _, odds) in zip(best_armies(battle, ArmyGoal(role, "profit", how_many=4)).best, tried, strict=False):
        assert army.odds["profit"] == pytest.approx(sign * (odds.defender_loss - odds.attacker_loss), abs=1e-9)
    name = (battle.attacker if role == "attack" else battle.defender).units[-1][0]
    best = best_armies(battle, ArmyGoal(role, "profit", minimum=((name, 1),))).best[0]
    same(best, *next(one for one in tried if name in one[0]), role)


def test_armies_have_at_least_the_minimum_units() -> None:
    least = {"tank": 2, "fighter": 1}
    found = best_armies(LAND, ArmyGoal("attack", "survives", 0.5, 4, tuple(least.items())))
    assert all(dict(army.units).get(name, 0) >= count for army in found.best for name, count in least.items())
    tried = [one for one in every_army(LAND, "attack") if all(one[0].get(n, 0) >= count for n, count in least.items())]
    assert found.best[0].cost == min(cost for _, cost, odds in tried if odds.attacker_survives >= 0.5)


def test_no_army_has_more_of_the_limited_ships_than_units_that_land() -> None:
    attackers = Army.of({"infantry": 1, "amphibious_infantry": 2, "cruiser": 2, "battleship": 2})
    battle = AxisBattle(RULES, "land", attackers, Army.of({"infantry": 2}))
    tried = [
        one
        for one in every_army(battle, "attack")
        if one[0].get("cruiser", 0) + one[0].get("battleship", 0) <= one[0].get("amphibious_infantry", 0)
    ]
    found = survey(battle, ArmyGoal("attack", "wins", 0.6, 100, ships=("cruiser", "battleship")))
    good = [one for one in tried if one[2].wins >= 0.6]
    assert sorted(army.cost for army in found.cheapest.best) == sorted(cost for _, cost, _ in good)
    assert found.profitable is not None
    assert len(found.profitable.best) == len(tried)
    assert found.frontier[-1][1] == pytest.approx(max(odds.wins for _, _, odds in tried))


def test_out_of_reach_the_closest_armies_are_listed() -> None:
    few = AxisBattle(RULES, "land", Army.of({"infantry": 3, "tank": 1}), Army.of({"infantry": 9}))
    found = best_armies(few, ArmyGoal("attack", "survives", 0.5, 2))
    assert not found.best
    assert [dict(army.units) for army in found.closest] == [{"infantry": 3, "tank": 1}, {"infantry": 2, "tank": 1}]
    assert found.closest[0].odds["survives"] == pytest.approx(solve_axis(few).attacker_survives)


def test_armies_with_negligible_chances_are_not_listed_as_closest() -> None:
    few = AxisBattle(RULES, "land", Army.of({"infantry": 6, "tank": 1}), Army.of({"infantry": 14}))
    found = best_armies(few, ArmyGoal("attack", "wins", 0.5, 100)).closest
    chances = [solve_axis(with_units(few, "attack", army.units), 0).wins for army in found]
    assert [army.odds["wins"] for army in found] == pytest.approx(chances, rel=1e-6)
    likely = [place for place, chance in enumerate(chances) if chance >= HOPELESS]
    assert likely == list(range(len(likely)))
    assert 0 < len(likely) < len(found) == 13
    assert [chances[place] for place in likely] == sorted((chances[place] for place in likely), reverse=True)
    costs = [army.cost for army in found[len(likely) :]]
    assert costs == sorted(costs)


def test_of_armies_with_equal_shown_profit_the_cheapest_is_best() -> None:
    many = AxisBattle(RULES, "land", Army.of({"infantry": 60}), Army.of({"infantry": 3}))
    tried = []
    for count in range(1, 61):
        odds = solve_axis(with_units(many, "attack", (("infantry", count),)), 0)
        tried.append((count, odds.defender_loss - odds.attacker_loss))
    most = max(gain for _, gain in tried)
    first = next(count for count, gain in tried if gain > most - SEEN)
    found = survey(many, ArmyGoal("attack", "wins")).profitable
    assert found is not None
    assert 10 < first < 40
    assert [dict(army.units)["infantry"] for army in found.best] == [first, first + 1, first + 2]
    assert dict(best_armies(many, ArmyGoal("attack", "profit")).best[0].units)["infantry"] > first, "to the last digit"


@each(
    [
        ({"target": 0}, "target"),
        ({"target": 1.5}, "target"),
        ({"how_many": 0}, "how_many"),
        ({"how_many": 101}, "how_many"),
        ({"target": "0.8"}, "target"),
        ({"minimum": (("tank", 3),)}, "minimum.tank"),
        ({"minimum": (("tank", -1),)}, "minimum.tank"),
        ({"minimum": (("zeppelin", 1),)}, "minimum.zeppelin"),
    ]
)
def test_a_wrong_goal_of_an_army_names_its_field(wrong: dict[str, Any], field: str) -> None:
    asked: dict[str, Any] = {"role": "attack", "of": "wins"}
    with pytest.raises(BattleError) as refused:
        best_armies(LAND, ArmyGoal(**asked | wrong))
    assert refused.value.field == field


def test_a_survey_of_armies_of_too_much_work_is_refused() -> None:
    for of in ("survives", "wins", "profit"):
        with pytest.raises(BattleError, match="more work than is allowed"):
            best_armies(LAND, ArmyGoal("attack", of), limit=1_000)


def test_an_empty_side_has_no_units_to_choose_from() -> None:
    with pytest.raises(BattleError, match="there are no units to choose from"):
        best_armies(AxisBattle(RULES, "land", LAND.attacker, Army.of({})), ArmyGoal("defence", "profit"))


# Documents -----------------------------------------------------------------------------------------------------------


def test_an_army_document_defaults_to_attackers_and_80_percent() -> None:
    document = {**LAND.to_dict(), "game": "axis1942", "question": "army"}
    found = read_question(document, {"axis1942": RULES}).work()
    goal = ArmyGoal("attack", "survives", 0.8)
    assert found == armies_to_dict(Waves.one(LAND), goal, best_armies(LAND, goal))
    best = found["best"][0]
    alone = solve_axis(with_units(LAND, "attack", tuple(best["army"].items())), 0)
    expected = {"survives": alone.attacker_survives, "wins": alone.wins, "takes": alone.takes}
    assert {name: best[name] for name in expected} == pytest.approx(expected)
    for_profit = read_question({**document, "recommend": {"goal": "max_profit"}}, {"axis1942": RULES}).work()
    assert for_profit["best"][0]["profit"] > 0
    recommend = {"goal": "target_wins", "side": "defender", "target": 1, "minimum": None, "how_many": 2}
    found = read_question({**document, "recommend": recommend}, {"axis1942": RULES}).work()
    assert (found["best"], found["reached"], len(found["closest"])) == ([], False, 2)


@each(
    [
        (7, "recommend"),
        ({"goals": "max_profit"}, "recommend.goals"),
        ({"goal": "min_profit"}, "recommend.goal"),
        ({"goal": ["max_profit"]}, "recommend.goal"),
        ({"side": "both"}, "recommend.side"),
        ({"target": True}, "recommend.target"),
        ({"how_many": 1.5}, "recommend.how_many"),
        ({"minimum": ["tank"]}, "recommend.minimum"),
        ({"minimum": {"tank": []}}, "recommend.minimum.tank"),
    ]
)
def test_a_wrong_recommendation_in_a_document_names_its_field(recommend: Any, field: str) -> None:
    document = {**LAND.to_dict(), "game": "axis1942", "question": "army", "recommend": recommend}
    with pytest.raises(BattleError) as refused:
        read_question(document, {"axis1942": RULES})
    assert refused.value.field == field


# All that there is to say --------------------------------------------------------------------------------------------


@each(ROLES)
def test_a_survey_has_both_answers_and_the_chance_of_every_sum(role: Role) -> None:
    goal = ArmyGoal(role, "wins", 0.6)
    found = survey(LAND, goal)
    assert found.profitable is not None
    expected = [(army.units, army.cost, army.odds["wins"]) for army in best_armies(LAND, goal).best]
    assert [(army.units, army.cost, army.odds["wins"]) for army in found.cheapest.best] == expected
    ranked = best_armies(LAND, ArmyGoal(role, "profit", how_many=100)).best
    most = ranked[0].odds["profit"]
    as_good = sorted(ranked, key=lambda army: ((most - army.odds["profit"]) // SEEN, army.cost))
    assert [army.units for army in found.profitable.best] == [army.units for army in as_good[:3]]
    costs, rising = zip(*found.frontier, strict=True)
    assert list(costs) == sorted(set(costs))
    assert list(rising) == sorted(set(rising))
    tried = [(cost, odds.wins if role == "attack" else 1 - odds.wins) for _, cost, odds in every_army(LAND, role)]
    for money in range(int(min(costs)), 60):
        best = max(chance for cost, chance in tried if cost <= money)
        assert max(chance for cost, chance in found.frontier if cost <= money) == pytest.approx(best, abs=1e-12)


def test_a_survey_cut_short_still_has_the_cheapest_army(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("solver.axis.best.sweep.PAGE", 10)
    few = AxisBattle(RULES, "land", LAND.attacker, Army.of({"infantry": 1}))
    goal = ArmyGoal("attack", "wins", 0.5)
    whole = survey(few, goal)
    assert whole.profitable is not None
    work = next(
        work for work in range(2_000_000, 0, pick(-100_000, -20_000)) if survey(few, goal, work).profitable is None
    )
    found = survey(few, goal, work)
    assert found.cheapest.best == whole.cheapest.best
    assert 1 < len(found.frontier) < len(whole.frontier)
    assert found.frontier == whole.frontier[: len(found.frontier)]
    with pytest.raises(BattleError, match="more work"):
        survey(few, ArmyGoal("attack", "wins", 1), work)
