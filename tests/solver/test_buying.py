"""Armies of any units, and those that money buys: the answers are those of trying every army there is, one by one."""

from collections.abc import Iterator, Mapping
from functools import cache
from math import inf

import pytest

from bot.editions import editions
from solver.axis.battle import AxisBattle
from solver.axis.best import buying
from solver.axis.best.armies import ArmyGoal, RankedArmy, best_armies, survey
from solver.axis.best.buying import kinds_for_sale
from solver.axis.best.parts import Wanted, with_units
from solver.axis.limits import survey_within
from solver.axis.sides import Army
from solver.axis.solve import solve_axis
from solver.axis.units import Role
from solver.axis.waves.waves import Waves
from solver.axis.worth import Worth
from solver.errors import BattleError, TooLargeError
from tests.helpers.cases import each
from tests.helpers.extent import pick

ENEMIES: dict[Role, dict[str, int]] = {
    "attack": {"infantry": 2, "aa_gun": 1, "fighter": 1},
    "defence": {"infantry": 2, "tank": 1, "fighter": 1},
}


def battle_of(role: Role, own: Mapping[str, int], edition: str = "1942", units: Mapping[str, int] = {}) -> AxisBattle:
    """A battle of a side that has these units, against `units` or the usual enemies."""
    ours, theirs = Army.of(own), Army.of(units or ENEMIES[role])
    attacker, defender = (ours, theirs) if role == "attack" else (theirs, ours)
    return AxisBattle(editions()[edition].rules, "land", attacker, defender)


@cache
def every_army(battle: AxisBattle, role: Role, money: int) -> list[RankedArmy]:
    """Every army that so much money buys beside the units of the side, with what it costs and its odds."""
    own, table = dict(battle.army(role).units), battle.rules.table
    found = []
    for bought in _purchases(
        kinds_for_sale(battle, role), {name: int(unit.cost) for name, unit in table.items()}, money
    ):
        units = {name: own.get(name, 0) + bought.get(name, 0) for name in table}
        there = tuple((name, count) for name, count in units.items() if count)
        if there:
            odds = solve_axis(with_units(battle, role, there), 0)
            gain = odds.defender_loss - odds.attacker_loss
            values: dict[Wanted, float] = {"wins": odds.wins, "profit": gain}
            if role == "defence":
                values = {"wins": 1 - odds.wins, "profit": -gain}
            cost = sum(table[name].cost * count for name, count in there if not table[name].captured)
            found.append(RankedArmy(there, cost, values))
    return found


def _purchases(kinds: tuple[str, ...], prices: Mapping[str, int], money: int) -> Iterator[dict[str, int]]:
    if not kinds:
        yield {}
        return
    first, *others = kinds
    for count in range(money // prices[first] + 1):
        for more in _purchases(tuple(others), prices, money - count * prices[first]):
            yield {first: count, **more}


@each(
    [
        ("attack", {}, "1942"),
        ("attack", {"infantry": 1, "bomber": 1}, "1942"),
        ("attack", {"amphibious_infantry": 1, "cruiser": 1}, "1942"),
        ("defence", {}, "1942"),
        ("defence", {"aa_gun": 1, "fighter": 1}, "1942"),
        *pick([], [("attack", {"infantry": 1}, "1940"), ("defence", {"aa_gun": 1}, "aa-classic")]),
    ]
)
def test_money_buys_the_best_army_there_is(role: Role, own: dict[str, int], edition: str) -> None:
    battle = battle_of(role, own, edition)
    every = every_army(battle, role, 16)
    found = survey(battle, ArmyGoal(role, "wins", money=16, how_many=100))
    best = found.cheapest.best or found.cheapest.closest
    assert len(best) == min(100, len(every))
    goals: tuple[tuple[Wanted, tuple[RankedArmy, ...]], ...] = (
        ("wins", best),
        ("profit", found.profitable.best if found.profitable else ()),
    )
    for name, armies in goals:
        assert armies
        assert armies[0].odds[name] == pytest.approx(max(army.odds[name] for army in every), abs=0.05)
    known = {army.units: army for army in every}
    for army in best:
        assert army.cost == known[army.units].cost
        assert army.odds == pytest.approx(known[army.units].odds, abs=1e-9)
    ranked = sorted(-army.odds["wins"] for army in every)
    assert [-army.odds["wins"] for army in best] == pytest.approx(ranked[: len(best)], abs=1e-9)


@each([("attack", 0.7), ("attack", 0.02), ("defence", 0.5)])
def test_without_units_the_cheapest_army_of_each_mix_is_returned(role: Role, target: float) -> None:
    battle = battle_of(role, {})
    found = best_armies(battle, ArmyGoal(role, "wins", target, any_units=True)).best
    dearest = max(army.cost for army in found)
    good = [army for army in every_army(battle, role, int(dearest)) if army.odds["wins"] >= target]
    good.sort(key=lambda army: (army.cost, -army.odds["wins"]))
    mixes: dict[tuple[str, ...], float] = {}
    for army in good:
        mixes.setdefault(tuple(name for name, _count in army.units), army.cost)
    assert [army.cost for army in found] == sorted(mixes.values())[:3]
    assert len({tuple(name for name, _count in army.units) for army in found}) == 3


def test_dear_armies_have_two_kinds_of_units_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    battle = battle_of("attack", {}, units={"infantry": 5, "fighter": 1})
    goal = ArmyGoal("attack", "wins", 0.9, any_units=True)
    whole = survey(battle, goal)
    monkeypatch.setattr(buying, "MOST_CELLS", 600)
    few = survey(battle, goal)
    assert (whole.kinds, few.kinds) == (None, 2)
    assert all(len(army.units) <= 2 for army in few.cheapest.best)
    two = [army.cost for army in every_army(battle, "attack", 34) if army.odds["wins"] >= 0.9 and len(army.units) <= 2]
    assert few.cheapest.best[0].cost == min(two)
    assert whole.cheapest.best[0].cost <= min(two)
    assert whole.profitable is few.profitable is None


def test_no_glutton_gets_more_work_than_is_allowed() -> None:
    for goal in (ArmyGoal("attack", "wins", 0.9, any_units=True), ArmyGoal("attack", "wins", money=1_000)):
        with pytest.raises(TooLargeError, match="try"):
            survey_within(Waves.one(battle_of("attack", {}, units={"infantry": 80})), goal, 10_000_000)


@each(
    [
        ({"money": 2}, {}, "money"),
        ({"money": -1}, {}, "money"),
        ({"money": 1_001}, {}, "money"),
        ({"money": 10}, {"worth": Worth("units")}, "worth"),
        ({"any_units": True}, {"worth": Worth(attacker=(("infantry", 4.0),))}, "worth"),
        ({}, {}, "units"),
        ({"of": "profit", "any_units": True}, {}, "any_units"),
        ({"any_units": True}, {"attacker": Army.of({"infantry": 1})}, "any_units"),
        ({"any_units": 1}, {}, "any_units"),
        ({"money": 10}, {"theatre": "sea", "defender": Army.of({"submarine": 1})}, "units"),
    ]
)
def test_a_purchase_that_cannot_be_names_its_field(
    goal: dict[str, object], fields: dict[str, object], wrong: str
) -> None:
    values = {"theatre": "land", "attacker": Army.of({}), "defender": Army.of({"infantry": 1}), **fields}
    with pytest.raises(BattleError) as refused:
        best_armies(AxisBattle(editions()["1942"].rules, **values), ArmyGoal("attack", **{"of": "wins", **goal}), inf)  # type: ignore[arg-type]
    assert refused.value.field == wrong


def test_prices_of_the_other_side_may_be_any() -> None:
    battle = battle_of("attack", {})
    dear = AxisBattle(
        battle.rules, "land", battle.attacker, battle.defender, worth=Worth(defender=(("fighter", 30.0),))
    )
    found, usual = (survey(one, ArmyGoal("attack", "wins", money=20)) for one in (dear, battle))
    assert found.cheapest.best[0].units == usual.cheapest.best[0].units
    assert found.cheapest.best[0].odds["profit"] > usual.cheapest.best[0].odds["profit"]
