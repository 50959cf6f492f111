"""Right answers from outside: 199 battles of classic Risk, Star Wars Risk and general pools, to 1e-12."""

import json
from pathlib import Path
from typing import Any

import pytest

from solver import Battle, solve

CASES = json.loads((Path(__file__).parents[1] / "data" / "dice_battles.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_odds_agree_in_every_field(case: dict[str, Any]) -> None:
    odds = solve(Battle.from_dict(case["battle"])).to_dict()
    expected = case["odds"]
    for name in ("attacker_wins", "defender_wins", "draw", "unresolved", "never"):
        assert odds[name] == pytest.approx(expected[name], rel=0, abs=1e-12), name
    for name in ("attackers_left", "defenders_left", "rounds"):
        assert odds[name] == pytest.approx(expected[name], rel=1e-12, abs=1e-12), name
    assert [row[:2] for row in odds["survivors"]] == [row[:2] for row in expected["survivors"]]
    for row, wanted in zip(odds["survivors"], expected["survivors"], strict=True):
        assert row[2] == pytest.approx(wanted[2], rel=1e-12, abs=0), "even the smallest tail is right"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_battle_survives_its_document(case: dict[str, Any]) -> None:
    battle = Battle.from_dict(case["battle"])
    assert Battle.from_dict(json.loads(json.dumps(battle.to_dict()))) == battle
