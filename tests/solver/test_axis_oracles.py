"""Right answers from outside to 369 battles of Axis & Allies 1942: every field of every answer."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from solver.axis.battle import AxisBattle
from solver.axis.solve import DROPPED, solve_axis
from tests.helpers.cases import check_each
from tests.helpers.extent import pick
from tests.helpers.solver.axis_battles import RULES
from tests.helpers.solver.axis_compare import furthest
from tests.helpers.solver.kernels import cases_of

DATA = Path(__file__).parents[1] / "data"
CASES: list[dict[str, Any]] = json.loads((DATA / "axis1942.json").read_text())

CHANCES = ("attacker_survives", "defender_survives", "takes")
MEANS = ("attacker_loss", "defender_loss", "rounds")
TABLES = {"profit", "attackers", "defenders"}
"""Tables that were too long are not given in every answer."""


@cache
def battle_of(number: int) -> AxisBattle:
    return AxisBattle.from_dict(CASES[number]["battle"], RULES)


def test_exact_odds_agree_with_known_answers_in_every_field(kernel: str) -> None:
    check_each(cases_of(kernel, len(CASES))[:: pick(2, 1)], check_exact_odds)


def check_exact_odds(number: int) -> None:
    """Nothing is ever divided by what the chances come to: where nothing is dropped, that is 1 by itself."""
    found = solve_axis(battle_of(number), dropped=0)
    answer = found.to_dict()
    (odds,), (expected,) = answer["waves"], CASES[number]["odds"]["waves"]
    assert answer["error"] == 0
    assert (found.chances > 0).all()
    assert found.chances.sum() == pytest.approx(1, rel=0, abs=1e-12)
    for name in TABLES:
        assert sum(row[-1] for row in odds[name]) == pytest.approx(1, rel=0, abs=1e-12), name
    for name in (*CHANCES, *MEANS):
        assert odds[name] == pytest.approx(expected[name], rel=1e-9, abs=1e-9), name
    for name in TABLES & expected.keys():
        assert furthest(odds[name], expected[name]) < 1e-9, name
    assert expected.keys() <= {*CHANCES, *MEANS, *TABLES}, "nothing is passed over"


def test_the_usual_odds_are_within_their_error(kernel: str) -> None:
    check_each(cases_of(kernel, len(CASES))[:: pick(9, 1)], check_usual_odds)


def check_usual_odds(number: int) -> None:
    odds = solve_axis(battle_of(number))
    (answer,), (expected,) = odds.to_dict()["waves"], CASES[number]["odds"]["waves"]
    assert odds.error <= DROPPED == 1e-10
    slack = odds.error + 1e-12
    for name in CHANCES:
        assert abs(answer[name] - expected[name]) <= slack, name
    for name in TABLES & expected.keys():
        assert furthest(answer[name], expected[name]) <= slack, name


@pytest.mark.whole
def test_every_battle_survives_its_document() -> None:
    for battle in map(battle_of, range(len(CASES))):
        assert AxisBattle.from_dict(json.loads(json.dumps(battle.to_dict())), RULES) == battle


def test_separating_forces_without_submarines_makes_no_difference(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """That is done in large battles only, to save work."""
    at_sea = [case for case in CASES if "subs" in case["tags"]][:: pick(8, 2)]
    assert len(at_sea) > 5
    for case in at_sea:
        battle = AxisBattle.from_dict(case["battle"], RULES)
        usual = solve_axis(battle, dropped=0)
        with monkeypatch.context() as small:
            small.setattr("solver.axis.kernel.kinds.MANY_CELLS", 0)
            apart = solve_axis(battle, dropped=0)
        for name in ("attacker_survives", "defender_survives", "attacker_loss", "defender_loss", "rounds"):
            assert getattr(apart, name) == pytest.approx(getattr(usual, name), rel=1e-11), case["id"]
