"""Estimates: known at once for whatever somebody may type, small for small battles, and large for large ones."""

from collections.abc import Callable
from math import isfinite
from typing import Any

import pytest
from hypothesis import given

from bot.errors import UserError
from bot.games.dice.work import TRYING, Limits
from bot.games.placing.notation import parse_placing
from bot.work.jobs import CHEAP, Costs
from solver import Battle, BattleError, solve
from solver.axis.best.armies import ArmyGoal
from solver.axis.best.orders import best_orders
from solver.axis.casualties.limits import choices_within, chosen_odds_within
from solver.axis.limits import odds_within, sensitivity_within, survey_within, waves_within
from solver.axis.solve import DROPPED
from solver.axis.units import ROLES
from solver.axis.waves.waves import Waves
from solver.dice.large_need import large_need_work, need_for_large_army
from solver.path.odds import march
from solver.path.path import Path
from solver.placing.game import placements_within
from solver.progress import ESTIMATES
from tests.helpers.bot.any_line import army_lines, placing_lines, sensible
from tests.helpers.bot.lines import parse, wave_of
from tests.helpers.cases import each
from tests.helpers.solver.kernels import needs_library

MOST = 200_000_000
LIMITS = Limits(MOST)


def estimate(work: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
    """Estimate the seconds that some work takes."""
    return ESTIMATES[work](*arguments)


def seconds_of(line: str) -> dict[str, float]:
    """What every question about a line should take."""
    battle = parse(line).battle
    if isinstance(battle, Waves) and not battle.only:
        survey = [estimate(survey_within, (battle, ArmyGoal(role, "wins"), MOST)) for role in ROLES]
        return {
            "odds": estimate(waves_within, (battle, DROPPED, MOST)),
            "matters": estimate(sensitivity_within, (battle, MOST)),
            "orders": estimate(best_orders, (battle, MOST)),
            "survey": max(survey),
        }
    if isinstance(battle, Path):
        return {"odds": estimate(march, (battle,))}
    if isinstance(battle, Battle):
        return {"odds": estimate(solve, (battle.chain(),))}
    survey = [estimate(survey_within, (battle, ArmyGoal(role, "survives"), MOST)) for role in ROLES]
    return {
        "odds": estimate(odds_within, (battle.only, DROPPED, MOST)),
        "matters": estimate(sensitivity_within, (battle, MOST)),
        "orders": estimate(best_orders, (battle.only, MOST)),
        "survey": max(survey),
    }


@each(["12 9", "200 180 bombers:2", "9 > 5 > 3", "30 30 icons:AAD,ADD,A,D,-,-", "30 inf 10 arm 5 fig vs 40 inf 8 arm",
     "2 sub 2 des 1 bat 2 fig vs 2 sub 2 des 1 acc 2 fig", "10 inf 5 arm vs 8 inf then 10 inf"])  # fmt: skip
def test_usual_battles_are_estimated_as_cheap(line: str) -> None:
    assert seconds_of(line)["odds"] <= CHEAP


@each(
    [
        ("1000000 1000000", "odds"),
        ("90 90 icons:AAD,ADD,A,D,-,-", "odds"),
        ("15 sub 15 des 15 cru 15 fig 15 acc 15 bat vs 15 sub 15 des 15 cru 15 fig 15 acc 15 bat", "odds"),
        ("100 inf 44 fig vs 100 inf 40 aa 4 fig", "odds"),
        ("30 inf 10 art 10 arm 6 fig 2 bom vs 40 inf 8 art 5 arm 5 fig 2 aa", "matters"),
        ("30 inf 10 art 10 arm 6 fig 2 bom vs 40 inf 8 art 5 arm 5 fig 2 aa", "orders"),
        ("30 inf 10 art 10 arm 6 fig 2 bom vs 40 inf 8 art 5 arm 5 fig 2 aa", "survey"),
        ("20 inf 10 art 5 arm vs 20 inf 8 art then 10 inf 5 arm", "matters"),
        ("20 inf 10 art 5 arm vs 20 inf 8 art then 10 inf 5 arm", "orders"),
        ("20 inf 10 art 5 arm vs 20 inf 8 art then 10 inf 5 arm", "survey"),
    ]
)
def test_slow_questions_are_estimated_as_dear(line: str, question: str) -> None:
    assert seconds_of(line)[question] > CHEAP


def test_placing_large_armies_is_estimated_as_dear() -> None:
    few = parse_placing("8 inf || 4 inf vs 1 inf || 3 arm", {})
    many = parse_placing("20 inf 10 art 10 arm 5 fig || 30 inf 10 arm vs 3 inf || 30 arm || 20 inf 20 art 5 fig", {})
    assert estimate(placements_within, (few, MOST)) <= CHEAP < estimate(placements_within, (many, MOST))


@given(sensible | army_lines)
def test_every_battle_has_an_estimate(line: str) -> None:
    try:
        told = seconds_of(line)
    except (UserError, BattleError):
        return
    assert all(isfinite(seconds) and seconds > 0 for seconds in told.values())


@given(placing_lines)
def test_every_placing_has_an_estimate(line: str) -> None:
    try:
        placing = parse_placing(line, {})
    except (UserError, BattleError):
        return
    assert 0 < estimate(placements_within, (placing, MOST)) < 60


def test_a_measured_time_replaces_the_estimate() -> None:
    known, battle = Costs(), wave_of("3 inf vs 4 inf")
    asked = (battle, DROPPED, MOST)
    assert known.expect(odds_within, asked) <= CHEAP
    known.learn(odds_within, asked, 2.0)
    assert known.expect(odds_within, asked) == 2.0
    for _ in range(60):
        known.learn(odds_within, asked, 0.01)
    assert known.expect(odds_within, asked) <= CHEAP


def test_a_failed_estimate_counts_as_cheap() -> None:
    assert Costs().expect(solve, ("no chain",)) == CHEAP


@needs_library
def test_the_search_of_need_has_a_budget() -> None:
    for line, most in (("9 20000", 20_000), ("9 20000 adice:12,10,8 ddice:12,10", 20_000), ("9 1500 ties:both", 1_500)):
        battle = parse(line).battle
        assert isinstance(battle, Battle)
        work, arguments = LIMITS.need(battle, "attackers", 0.9, 0)
        assert (work, battle.defenders) == (need_for_large_army, most)
        assert large_need_work(battle, "attackers") <= TRYING * MOST
        assert estimate(work, arguments) > CHEAP
    dear = parse("9 19000 ties:both").battle
    assert isinstance(dear, Battle)
    with pytest.raises(UserError, match=r"works against up to (\d+), not against 19000"):
        LIMITS.need(dear, "attackers", 0.9, 0)


def test_chosen_casualties_are_dear_where_many_forces_meet() -> None:
    large, small = (
        "6 inf 6 art 6 arm 6 fig 6 bom choose vs 10 inf 5 art 5 arm 5 fig 5 bom",
        "3 inf 2 fig choose vs 4 inf",
    )
    for line, cheap in ((large, False), (small, True)):
        chosen = wave_of(line)
        assert (estimate(choices_within, (chosen.in_order, MOST)) <= CHEAP) == cheap
        assert (estimate(chosen_odds_within, (Waves.one(chosen), DROPPED, MOST)) <= CHEAP) == cheap
    for line, cheap in ((f"{large} then 2 arm", False), ("2 inf 1 fig choose vs 2 inf then 2 arm", True)):
        assert (estimate(chosen_odds_within, (parse(line).battle, DROPPED, MOST)) <= CHEAP) == cheap


def test_choosing_for_both_sides_costs_more_than_for_one_side() -> None:
    one, both = (
        estimate(chosen_odds_within, (parse(f"3 inf 3 art 3 arm choose vs 3 inf 3 art 3 arm{word}").battle, 0, MOST))
        for word in ("", " choose")
    )
    assert one < both / 2
