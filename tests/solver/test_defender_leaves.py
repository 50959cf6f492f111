"""Battles of Axis & Allies that the defender leaves by a house rule, against every number of hits in fractions."""

from dataclasses import replace
from math import prod
from typing import Any

import pytest
from hypothesis import given

from solver.axis.battle import AxisBattle
from solver.axis.best.part_odds import parts_odds
from solver.axis.sides import Army, DefenderRetreat, Retreat
from solver.axis.solve import solve_axis
from solver.axis.units import ROLES
from solver.axis.waves.odds import solve_waves
from solver.axis.waves.waves import battle_from_dict
from solver.errors import BattleError
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver.any_axis_battle import LEAVES, Document, at_sea, on_land, where_defenders_leave
from tests.helpers.solver.axis_battles import RULES, battle, document
from tests.helpers.solver.axis_chains import chain
from tests.helpers.solver.axis_compare import agree_with_each_kernel
from tests.helpers.solver.axis_fought import check_that_chances_are_means
from tests.helpers.solver.sampled_battles import check_that_shares_are_chances


@examples(pick(60, 120), derandomize=True)
@given(on_land() | at_sea(), LEAVES)
def test_defenders_leave_after_a_round(fought: Document, leaves: Document) -> None:
    fought = where_defenders_leave(fought, leaves)
    agree_with_each_kernel(fought)
    read = AxisBattle.from_dict(fought, RULES)
    assert AxisBattle.from_dict(read.to_dict(), RULES) == read


FEW, LATE = DefenderRetreat(units_at_most=1), DefenderRetreat(rounds=2)


def test_a_fleet_has_the_sea_to_itself_once_the_defender_leaves() -> None:
    odds = solve_axis(battle("sea", "1 cruiser", "1 battleship", defender_retreat=DefenderRetreat(rounds=1)))
    assert odds.wins == odds.attacker_survives == pytest.approx(1 / 3), "unless the battleship hits with 4 of 6"
    assert odds.end_chances["holds"] == pytest.approx(2 / 3)
    # It survives with one hit or none.
    assert odds.defender_survives == pytest.approx(1)
    assert odds.defender_loss == 0


@each(
    [
        battle("land", "1 infantry, 1 fighter", "2 infantry, 1 aa_gun", defender_retreat=LATE),
        battle("land", "2 tank", "2 infantry", defender_retreat=replace(FEW, rounds=3), round_limit=4),
        battle(
            "land",
            "1 amphibious_infantry, 1 tank",
            "2 infantry",
            defender_retreat=FEW,
            retreat=Retreat(win_chance_below=0.5),
            decline_allowed=False,
        ),
        battle("sea", "1 submarine, 1 destroyer", "2 destroyer", defender_retreat=FEW, submerge=(True, False)),
    ]
)
def test_defenders_leave_live_battles_and_simulated_ones_too(fought: AxisBattle) -> None:
    check_that_chances_are_means(fought, solve_axis(fought, 0).wins)
    if not fought.retreat:
        check_that_shares_are_chances(fought, 1)


def test_live_waves_meet_nobody_who_has_left() -> None:
    first = document({"infantry": 1, "tank": 1}, {"infantry": 2, "aa_gun": 1}, defender_retreat={"units_at_most": 1})
    later = document({"tank": 1}, {"infantry": 1}, previous_attackers_defend=True)
    waves = battle_from_dict(chain(first, later), RULES)
    check_that_chances_are_means(waves, solve_waves(waves, 0).hold_chance(0))


@each(
    [
        battle("land", "2 infantry, 1 tank, 1 amphibious_tank, 1 battleship", "2 infantry", defender_retreat=LATE),
        battle(
            "land",
            "2 infantry, 1 amphibious_tank, 1 fighter",
            "3 infantry, 1 aa_gun",
            defender_retreat=FEW,
            retreat=Retreat(win_chance_below=0.5),
            round_limit=3,
        ),
        battle(
            "land",
            "1 amphibious_infantry, 2 tank",
            "3 infantry",
            defender_retreat=replace(LATE, rounds=3),
            round_limit=2,
        ),
        battle(
            "sea",
            "2 destroyer, 1 transport",
            "1 carrier, 2 fighter",
            defender_retreat=replace(FEW, rounds=3),
            retreat=Retreat(units_at_most=1),
            crash_stranded_fighters=True,
        ),
        battle("sea", "2 submarine, 1 destroyer", "1 submarine, 1 cruiser", defender_retreat=LATE, round_limit=3),
        battle(
            "sea",
            "1 submarine, 1 cruiser, 1 fighter",
            "1 submarine, 1 destroyer",
            defender_retreat=FEW,
            retreat=Retreat(profit_below=0.5, units_at_most=1),
            submerge=(True, False),
        ),
    ]
)
def test_every_part_of_an_army_is_solved_where_the_defender_leaves(fought: AxisBattle) -> None:
    for role in ROLES:
        odds = parts_odds(fought, role)
        for units, cost, *values in zip(odds.units.tolist(), odds.cost, *odds.values.values(), strict=True):
            part = Army.of(dict(zip(odds.names, units, strict=True)))
            alone = solve_axis(fought.with_army(role, part), 0)
            survives = alone.attacker_survives if role == "attack" else alone.defender_survives
            profit = alone.defender_loss - alone.attacker_loss
            assert values == pytest.approx([survives, alone.wins, profit], abs=1e-9)
            assert cost == sum(RULES.table[name].cost * count for name, count in part.units)
        assert len(odds.cost) == prod(count + 1 for _, count in fought.army(role).units)


@each(
    [
        ({"chooses": (True, False), "round_limit": 3}, "only if the attacker has no plan to stop"),
        ({"submerge": (False, True)}, "submarines can't submerge"),
        ({"retreat": Retreat(profit_below=0)}, "can't foresee"),
        ({"defender_retreat": DefenderRetreat(rounds=0)}, "the number of rounds must be"),
        ({"defender_retreat": DefenderRetreat(units_at_most=0)}, "the number of units must be"),
    ]
)
def test_what_does_not_go_together_with_a_defender_who_leaves_is_refused(rules: dict[str, Any], reason: str) -> None:
    with pytest.raises(BattleError, match=reason):
        battle("sea", "2 destroyer", "2 submarine", **{"defender_retreat": LATE} | rules)
