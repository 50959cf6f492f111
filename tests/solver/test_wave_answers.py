"""What matters in several waves, the best orders of loss and the best armies: every one of them solved on its own."""

from dataclasses import replace
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from solver.axis import limits
from solver.axis.best.armies import ArmyGoal, best_armies, survey
from solver.axis.best.order_names import movable_units, roles_in_waves, with_orders
from solver.axis.best.orders import best_orders
from solver.axis.best.ranking import SideOrders, WavesNames
from solver.axis.best.wave_parts import wave_parts_odds
from solver.axis.limits import TIMES
from solver.axis.sensitivity import unit_sensitivity
from solver.axis.units import ROLES
from solver.axis.waves.odds import solve_waves
from solver.axis.waves.steps import START, PlaceWorths, waves_worth
from solver.axis.waves.waves import Waves, battle_from_dict
from solver.errors import BattleError, TooLargeError
from solver.progress import Meter
from tests.helpers.bot.lines import waves_of
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver.axis_battles import RULES
from tests.helpers.solver.axis_chains import any_chain

PLENTY = 10**9
Document = dict[str, Any]


def alone(waves: Waves) -> tuple[float, float]:
    """The first attacker's chance to hold the field and his profit, with every ending kept apart."""
    odds = solve_waves(waves, 0.0)
    assert odds.joint is not None
    return odds.hold_chance(0), float(odds.joint.profits @ odds.joint.chances)


# What waves are worth ----------------------------------------------------------------------------------------


@examples(pick(40, 200))
@given(any_chain)
def test_the_worth_of_waves_needs_no_histories(document: Document) -> None:
    waves = battle_from_dict(document, RULES)
    assert isinstance(waves, Waves)
    worth = waves_worth(waves, Meter())
    assert tuple(worth) == pytest.approx(alone(waves), rel=1e-9, abs=1e-9)


@examples(pick(40, 200))
@given(any_chain)
def test_the_worth_of_waves_is_the_same_solved_backward(document: Document) -> None:
    waves = battle_from_dict(document | {"look_ahead": False}, RULES)
    assert isinstance(waves, Waves)
    (worth,) = PlaceWorths(waves, Meter()).find([START])[:, 0]
    assert worth == pytest.approx(waves_worth(waves, Meter()), rel=1e-9, abs=1e-9)


# Orders of loss ----------------------------------------------------------------------------------------------


def every_order(waves: Waves, side: int) -> dict[WavesNames, tuple[float, float]]:
    """What a side has of each combination of its orders, each solved on its own."""
    given = map(movable_units, waves.battles, roles_in_waves(waves, side))
    found = {}
    for names in product(*map(permutations, given)):
        chance, profit = alone(with_orders(waves, side, names))
        found[names] = (1 - chance, -profit) if side else (chance, profit)
    return found


def check_side(waves: Waves, side: int, found: SideOrders) -> None:
    """That a side's best orders are the best of all, and its numbers theirs."""
    values = every_order(waves, side)
    assert found.tried == found.different <= len(values)
    for place, best in enumerate((found.chance, found.profit)):
        most = max(value[place] for value in values.values())
        assert (best.order.chance, best.order.profit)[place] == pytest.approx(most, rel=1e-9, abs=1e-9)
        for order in filter(None, (best.order, best.runner_up, best.swap and best.swap[1], found.given)):
            assert (order.chance, order.profit) == pytest.approx(values[order.names], rel=1e-9, abs=1e-9)


ALONE = ["2 inf 1 arm 1 fig vs 2 inf 1 art 1 aa retreat:units<=1", "2 sub 1 des 1 cru vs 1 sub 1 cru 1 des"]
LINES = [
    "3 inf 2 arm vs 4 inf then 3 inf",
    "2 inf 1 arm 1 fig vs 2 inf 1 art then 2 arm 1 fig",
    "2 inf 1 arm 1 fig vs 2 inf 1 art then hold 2 inf 1 arm vs 1 fig",
    "2 inf 1 arm vs 1 inf 1 fig value:5 then 1 fig 1 arm then hold 2 inf 1 art",
    "1 inf 1 arm vs 1 inf 1 art then hold:last 1 inf 1 arm then hold 1 art 1 arm",
    "1 sub 1 des 1 fig vs 1 sub 1 cru then 1 fig 1 sub",
    "1 sub 1 des vs 1 des 1 cru then hold 1 cru 1 sub submerge",
    "2 inf 1 arm keep:1 vs 1 inf 1 arm 1 aa gunslast then 1 inf 1 bom vs 1 aa then hold 1 inf 1 arm",
    "2 inf 1 arm retreat:units<=1 vs 2 inf 1 art then hold 1 inf 1 arm rounds:2 vs 1 fig",
    "2 inf 1 arm vs 2 inf 1 art retreat:profit<0 then 1 inf 1 arm lookahead",
]


@each([*ALONE, *pick([LINES[1], *LINES[4:8]], LINES)])
def test_the_best_orders_agree_with_all_combinations(line: str) -> None:
    waves = waves_of(line)
    orders = best_orders(waves, PLENTY)
    for side, found in enumerate(orders):
        if found:
            check_side(waves, side, found)
        else:
            assert len(every_order(waves, side)) == 1


def test_orders_of_early_waves_count_the_later_waves() -> None:
    line = "6 inf 4 art 3 arm 4 fig vs 5 inf 3 art 1 arm then hold 6 inf 3 arm 2 fig"
    attacker, defender = best_orders(waves_of(line), PLENTY)
    assert attacker is not None
    assert defender is not None
    assert attacker.chance.order.names[0] == ("fighter", "infantry", "artillery", "tank"), "planes hold no territory"
    assert attacker.chance.order.chance > attacker.given.chance + 0.4
    assert (attacker.tried, defender.tried) == (144, 36)


def test_a_short_search_of_wave_orders_beats_every_swap() -> None:
    waves = waves_of("2 inf 2 art 2 arm 1 fig 1 bom vs 3 inf 1 art then 2 inf 2 art 2 arm 1 fig")
    attacker = best_orders(waves, 60e6).attacker
    assert attacker is not None
    assert 1 + 10 + 6 <= attacker.tried < attacker.different == 120 * 24
    for number, names in enumerate(attacker.given.names):
        for pair in permutations(names, 2):
            swapped = tuple(dict(zip(pair, pair[::-1], strict=True)).get(name, name) for name in names)
            changed = (*attacker.given.names[:number], swapped, *attacker.given.names[number + 1 :])
            assert alone(with_orders(waves, 0, changed))[0] <= attacker.chance.order.chance + 1e-9


def test_wave_orders_of_five_kinds_are_searched_completely() -> None:
    kinds, orders = pick(("1 inf 1 art 1 arm 1 fig", 24), ("1 inf 1 art 1 arm 1 fig 1 bom", 120))
    attacker = best_orders(waves_of(f"{kinds} vs 1 inf then {kinds}"), PLENTY).attacker
    assert attacker is not None
    assert attacker.tried == attacker.different == orders**2


def test_waves_too_large_for_every_swap_are_refused() -> None:
    waves = waves_of("20 inf 10 arm 5 fig vs 25 inf 5 art 5 arm 4 fig then 20 inf 10 arm")
    with pytest.raises(TooLargeError, match="too large to try other casualty orders"):
        best_orders(waves, 1e6)


def test_waves_without_a_choice_have_no_casualty_order() -> None:
    with pytest.raises(BattleError, match="no casualty order to choose"):
        best_orders(waves_of("3 inf vs 2 inf then 2 inf"), PLENTY)


# One unit more or less ---------------------------------------------------------------------------------------


@each(pick([LINES[2], LINES[6], LINES[9]], [*LINES[:4], *LINES[5:]]))
def test_sensitivity_of_waves_agrees_with_changed_waves(line: str) -> None:
    waves = waves_of(line)
    wins, changes = unit_sensitivity(waves, PLENTY)
    assert wins == pytest.approx(alone(waves)[0], rel=1e-9, abs=1e-9)
    document = waves.to_dict()
    for change in changes[:: max(len(changes) // pick(3, 12), 1)]:
        attacks = waves.side(change.wave) == ROLES.index(change.role)
        wave = document["waves"][change.wave]["attacker" if attacks else "defender"]
        units = wave["units"]
        wave["units"] = units | {change.unit: units.get(change.unit, 0) + change.more}
        changed = battle_from_dict(document, waves.battles[0].rules)
        assert isinstance(changed, Waves)
        assert change.wins == pytest.approx(alone(changed)[0], rel=1e-9, abs=1e-9), change
        wave["units"] = units


def test_sensitivity_of_waves_covers_the_units_of_every_wave() -> None:
    _wins, changes = unit_sensitivity(waves_of("1 inf 1 arm vs 1 inf then hold 1 inf vs 2 fig then 1 arm"), PLENTY)
    fewer = {(one.role, one.wave, one.unit) for one in changes if one.more < 0}
    # The counter-attack is the first defender's; whoever holds it has the fighters. The last unit of an attack stays.
    assert fewer == {("attack", 0, "infantry"), ("attack", 0, "tank"), ("attack", 1, "fighter")}
    more = {(one.role, one.wave) for one in changes if one.more > 0}
    assert more == set(product(ROLES, range(3)))
    better = {one.role for one in changes if one.more > 0 and one.wins > _wins}
    assert better == {"attack"}


# Choices -----------------------------------------------------------------------------------------------------


@each(["2 inf 2 arm 1 fig vs 3 inf 1 fig", "2 inf 1 arm 1 fig vs 2 inf 1 art then 1 inf 1 arm"])
def test_best_orders_and_armies_and_sensitivity_leave_choices_out(line: str) -> None:
    plain, goal = waves_of(line), ArmyGoal("attack", "wins", 0.5)
    chosen = replace(plain, battles=tuple(replace(wave, chooses=(True, True)) for wave in plain.battles))
    assert best_orders(chosen, PLENTY) == best_orders(plain, PLENTY)
    assert survey(chosen, goal, PLENTY) == survey(plain, goal, PLENTY)
    assert unit_sensitivity(chosen, PLENTY) == unit_sensitivity(plain, PLENTY)


# Armies ------------------------------------------------------------------------------------------------------


PARTS = [
    "2 inf 1 arm 2 fig vs 2 inf 2 aa then 1 fig vs 1 inf",
    "1 inf 1 arm 1 cru 1 bat vs 2 inf 1 aa then hold 2 inf",
    "1 bat 1 acc 2 fig acrash vs 1 sub 1 acc 1 fig crash then hold 2 des",
    "1 dbat 1 bat 1 cru vs 2 cru then hold 1 sub 1 des",
    *LINES,
]


@each(list(product(PARTS, ROLES))[:: pick(3, 1)])
def test_every_part_of_an_army_in_waves_has_its_own_odds(line: str, role: Any) -> None:
    waves = waves_of(line)
    odds = wave_parts_odds(waves, role, PLENTY)
    army = waves.battles[0].attacker if role == "attack" else waves.battles[0].defender
    assert len(odds.units) == np.prod([count + 1 for _, count in army.units]) - 1
    document = waves.to_dict()
    for part, counts in enumerate(odds.units.tolist()):
        side = document["waves"][0]["attacker" if role == "attack" else "defender"]
        side["units"] = dict(zip(odds.names, counts, strict=True))
        changed = battle_from_dict(document, waves.battles[0].rules)
        assert isinstance(changed, Waves)
        assert (odds.values["wins"][part], odds.values["profit"][part]) == pytest.approx(
            alone(changed), rel=1e-9, abs=1e-9
        )


def test_the_cheapest_army_for_waves_has_the_chance_and_the_minimum() -> None:
    waves = waves_of("4 inf 2 art 2 arm vs 3 inf then hold 2 inf 1 arm")
    found = survey(waves, ArmyGoal("attack", "wins", 0.7, minimum=(("tank", 1),)), PLENTY)
    odds = wave_parts_odds(waves, "attack", PLENTY)
    good = (odds.values["wins"] >= 0.7) & (odds.units[:, odds.names.index("tank")] > 0)
    assert found.cheapest.best[0].cost == odds.cost[good].min()
    assert found.profitable is not None
    some = odds.units[:, odds.names.index("tank")] > 0
    assert found.profitable.best[0].odds["profit"] == pytest.approx(odds.values["profit"][some].max())
    assert found.frontier[-1][1] == pytest.approx(odds.values["wins"].max())


def test_need_for_the_defender_of_waves_counts_battles_not_lost() -> None:
    waves = waves_of("3 inf 1 arm vs 3 inf 2 art then 2 inf")
    armies = best_armies(waves, ArmyGoal("defence", "wins", 0.3), PLENTY)
    for army in armies.best:
        document = waves.to_dict()
        document["waves"][0]["defender"]["units"] = dict(army.units)
        changed = battle_from_dict(document, waves.battles[0].rules)
        assert isinstance(changed, Waves)
        assert army.odds["wins"] == pytest.approx(1 - alone(changed)[0])
        assert army.odds["wins"] >= 0.3


def test_need_for_survivors_of_several_waves_is_refused() -> None:
    with pytest.raises(BattleError, match="with several waves"):
        best_armies(waves_of(LINES[0]), ArmyGoal("attack", "survives"), PLENTY)


# Limits ------------------------------------------------------------------------------------------------------

LARGE = "60 inf 20 art 20 arm 10 fig vs 60 inf 20 art then 40 inf 20 art 20 arm then hold 60 inf 20 arm"


@pytest.mark.parametrize("role", ROLES)
def test_armies_for_waves_with_too_many_parts_are_refused_early(role: Any) -> None:
    with pytest.raises(TooLargeError, match="too large to try every part"):
        limits.survey_within(waves_of(LARGE), ArmyGoal(role, "wins"), 1_000_000)


def test_sensitivity_of_large_waves_is_refused_before_the_work() -> None:
    waves = waves_of(LARGE)
    meter = Meter()
    waves_worth(waves, meter)
    with pytest.raises(TooLargeError, match="one unit more or less"):
        limits.sensitivity_within(waves, round(10 * meter.done / TIMES))
    assert limits.sensitivity_within(waves_of(LINES[0]), 200_000_000)[1]
