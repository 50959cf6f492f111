"""Whole tables: every number is that of its battle alone; and how many armies a chance takes is the least that do."""

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Battle, BattleError, Faces, Pool, Reshape, Ships, solve
from solver.dice.large_need import need_for_large_army
from solver.dice.sizes import ArmySide, need, win_chances
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver.any_battle import small_battles

ICONS = Faces.of(["AAD", "A", "D", ""]), Faces.of(["AA", "DD", ""])
RULES: list[dict[str, Any]] = [
    {},
    {"stop": 3},
    {"reserve": 3},
    {"reserve": 2, "stop": 4},
    {"rounds": 0},
    {"rounds": 3},
    {"rounds": 5, "stop": 2, "ties": "neither"},
    {"rounds": 4, "reserve": 2},
    {"value": 4},
    {"value": 0},
    {"value": 9, "reserve": 1, "ties": "both"},
    {"value": 6, "stop": 2, "ties": "neither"},
    {"late": True},
    {"late": True, "stop": 2, "ties": "attacker"},
    {"late": True, "reserve": 2, "ties": "both"},
    {"reshape": Reshape()},
    {"reshape": Reshape(certain=0.01, win_power=2, cut=0.02), "reserve": 2},
    {"ties": "both", "reserve": 1},
    {"ties": "neither"},
    {
        "attack": Pool((2, 2), bonus=(5, 1), clamp=(2, 3)),
        "defence": Pool((2, 2), bonus=(5, 1), clamp=(2, 3)),
        "ties": "neither",
    },
    {"attack": Pool((8, 6, 6, 4), 2, (1, -1)), "defence": Pool((10, 6, 6), 1, (2,), (2, 7))},
    {"attack_ships": Ships(1, 2, 1), "defence_ships": Ships(bombers=1)},
    {"attack_ships": Ships(2, 0, 1), "value": 3},
    {"faces": ICONS},
    {"faces": ICONS, "reserve": 2},
    {"faces": ICONS, "stop": 2},
    {"faces": ICONS, "rounds": 3},
    {"faces": ICONS, "rounds": 2, "reserve": 1},
    {"faces": ICONS, "value": 4},
]


@each(RULES)
def test_every_cell_of_a_table_agrees_with_its_battle(rules: dict[str, Any]) -> None:
    most = pick((5, 4), (9, 7))
    table = win_chances(Battle(1, 1, **rules), *most)
    assert table.shape == (most[0] + 1, most[1] + 1)
    for attackers, defenders in np.ndindex(table.shape):
        wins = solve(Battle(attackers, defenders, **rules)).attacker_wins
        assert table[attackers, defenders] == pytest.approx(wins, rel=1e-11, abs=1e-13), (attackers, defenders)


@examples(60)
@given(small_battles)
def test_every_cell_of_a_table_under_any_rules_agrees_with_its_battle(battle: Battle) -> None:
    table = win_chances(battle, battle.attackers, battle.defenders)
    for attackers, defenders in product(range(battle.attackers + 1), range(battle.defenders + 1)):
        alone = solve(replace(battle, attackers=attackers, defenders=defenders))
        assert table[attackers, defenders] == pytest.approx(alone.attacker_wins, rel=1e-11, abs=1e-13)


def test_a_table_ignores_the_armies_of_its_battle() -> None:
    assert (win_chances(Battle(3, 50, stop=2), 8, 8) == win_chances(Battle(99, 0, stop=2), 8, 8)).all()


def test_a_table_may_be_smaller_than_the_reserve() -> None:
    table = win_chances(Battle(1, 1, reserve=5), 3, 4)
    assert table.shape == (4, 5)
    assert table[1:, 0].tolist() == [1, 1, 1]
    assert not table[:, 1:].any()


NEEDS: list[dict[str, Any]] = [
    {},
    {"stop": 2},
    {"reserve": 3},
    {"rounds": 9},
    {"ties": "both"},
    {"reshape": Reshape()},
    {"late": True},
    {"value": 40},
    {"faces": (Faces.of(["A", "D", ""]), Faces.of(["A", "D"]))},
]


@each([(rules, goal) for rules in NEEDS for goal in pick([0.1, 0.95], [0.1, 0.5, 0.8, 0.95])])
def test_need_is_the_smallest_number_of_attackers(rules: dict[str, Any], goal: float) -> None:
    found = need(Battle(1, 6, **rules), "attackers", goal, 60)
    assert found.answer is not None
    assert solve(Battle(found.answer, 6, **rules)).attacker_wins >= goal
    for fewer in range(1, found.answer):
        assert solve(Battle(fewer, 6, **rules)).attacker_wins < goal
    for count, chance in zip(found.counts, found.chances, strict=True):
        assert chance == pytest.approx(solve(Battle(count, 6, **rules)).attacker_wins, rel=1e-11, abs=1e-13)


@each([(rules, goal) for rules in NEEDS for goal in pick([0.75], [0.3, 0.75, 0.9])])
def test_need_of_defenders_counts_every_battle_not_lost(rules: dict[str, Any], goal: float) -> None:
    found = need(Battle(7, 1, **rules), "defenders", goal, 60)
    assert found.answer is not None
    assert 1 - solve(Battle(7, found.answer, **rules)).attacker_wins >= goal
    for fewer in range(1, found.answer):
        assert 1 - solve(Battle(7, fewer, **rules)).attacker_wins < goal
    for count, chance in zip(found.counts, found.chances, strict=True):
        assert chance == pytest.approx(1 - solve(Battle(7, count, **rules)).attacker_wins, rel=1e-11, abs=1e-13)


@examples(60)
@given(st.integers(1, 30), st.floats(0.01, 0.99), st.floats(0.01, 0.99), st.sampled_from(["attackers", "defenders"]))
def test_need_for_a_higher_chance_is_never_smaller(theirs: int, low: float, high: float, side: ArmySide) -> None:
    low, high = sorted((low, high))
    first, second = (need(Battle(theirs, theirs), side, goal, 400) for goal in (low, high))
    assert first.answer is not None
    assert second.answer is not None
    assert first.answer <= second.answer
    assert list(second.chances) == sorted(second.chances), "with these dice one more is never worse"
    assert second.least(low) == first.answer
    assert second.least(high) == second.answer


def test_the_curve_of_need_ends_where_chances_are_certain() -> None:
    assert need(Battle(40, 6), "attackers", 0.5, 100, also_count=40).counts == tuple(range(1, 41))
    assert need(Battle(1, 1), "attackers", 0.5, 100).counts[-1] == 8, "a curve of fewer than eight shows little"
    assert need(Battle(6, 40), "defenders", 0.5, 100, also_count=40).counts == tuple(range(1, 41))
    found = need(Battle(1, 20), "attackers", 0.8, 200)
    assert found.answer is not None
    assert found.counts[-1] > found.answer
    assert found.chances[-1] >= 0.995 > found.chances[-2]


def test_a_chance_out_of_reach_has_no_need() -> None:
    out_of_reach = need(Battle(1, 50), "attackers", 0.9, 30)
    assert out_of_reach.answer is None
    assert out_of_reach.counts == tuple(range(1, 31))
    assert max(out_of_reach.chances) < 0.9
    never = need(Battle(1, 6, rounds=2), "attackers", 0.5, 300)
    assert never.answer is None
    assert max(never.chances) == 0, "six defenders last three rounds at least"
    assert need(Battle(1, 6, rounds=2), "attackers", 0.5, 300).least(0.001) is None


def test_need_accepts_exactly_the_target_chance() -> None:
    coin = Battle(1, 1, Pool((2,)), Pool((2,), clamp=(1, 1)))
    assert solve(coin).attacker_wins == 0.5
    found = need(coin, "attackers", 0.5, 50)
    assert (found.answer, found.least(0.5)) == (1, 1)
    assert need(coin, "defenders", 0.5, 50).answer == 1


def test_need_may_be_the_maximum_allowed() -> None:
    answer = need(Battle(1, 20), "attackers", 0.8, 200).answer
    assert answer is not None
    assert need(Battle(1, 20), "attackers", 0.8, answer).answer == answer
    assert need(Battle(1, 20), "attackers", 0.8, answer - 1).answer is None


@each([0, 1, -0.1, 1.5])
def test_targets_of_0_and_100_percent_are_refused(goal: float) -> None:
    with pytest.raises(BattleError) as error:
        need(Battle(5, 5), "attackers", goal, 100)
    assert error.value.field == "chance"


def test_a_table_of_hundreds_agrees_with_its_battles() -> None:
    table = win_chances(Battle(1, 1), 300, 250)
    for attackers, defenders in ((300, 250), (250, 250), (17, 230), (299, 3), (3, 40)):
        wins = solve(Battle(attackers, defenders)).attacker_wins
        assert table[attackers, defenders] == pytest.approx(wins, rel=1e-11, abs=0)
    assert (np.diff(table[:, 1:], axis=0) >= -1e-12).all()
    assert (np.diff(table[1:], axis=1) <= 1e-12).all()


@each(
    [
        (side, rules, goal)
        for side in ["attackers", "defenders"]
        for rules in [{}, {"ties": "attacker"}, {"attack_ships": Ships(bombers=1)}, {"stop": 4}]
        for goal in pick([0.8], [0.2, 0.8, 0.93])
    ]
)
def test_need_for_large_armies_agrees_with_a_table(side: Any, rules: dict[str, Any], goal: float) -> None:
    battle = Battle(45, 45, **rules)
    table, tried = need(battle, side, goal, 400, also_count=45), need_for_large_army(battle, side, goal, also_count=45)
    assert tried.answer == table.answer
    assert [tried.least(mark) for mark in (0.5, 0.95)] == [table.least(mark) for mark in (0.5, 0.95)]
    known = dict(zip(table.counts, table.chances, strict=True))
    assert 45 in tried.counts
    assert list(tried.counts) == sorted(set(tried.counts))
    for count, chance in zip(tried.counts, tried.chances, strict=True):
        assert count not in known or chance == pytest.approx(known[count], abs=1e-12)


def test_need_for_large_armies_out_of_reach_has_no_answer() -> None:
    found = need_for_large_army(Battle(1, 30, attack=Pool((2,)), defence=Pool((100, 100))), "attackers", 0.5)
    assert found.answer is None
    assert len(found.counts) > 0
