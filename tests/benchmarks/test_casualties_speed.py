"""How fast the best casualties are found where they are chosen after each roll: the worth alone, and all odds."""

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from solver.axis.battle import AxisBattle
from solver.axis.casualties.forward import odds_of_game
from solver.axis.casualties.solve import solve_casualties
from solver.axis.waves.odds import solve_waves
from tests.helpers.bot.lines import parse, wave_of

LARGE = "6 inf 6 art 6 arm 6 fig 6 bom choose vs 10 inf 5 art 5 arm 5 fig 5 bom"
BOTH = "3 inf 3 art 3 arm 3 fig 3 bom choose vs 3 inf 3 art 3 arm 3 fig 3 bom choose"
LAND = "6 inf 2 art 2 arm 3 fig choose vs 6 inf 2 art 1 arm 2 fig choose"
FLEETS = "2 sub 2 des 2 cru 2 fig choose vs 2 sub 2 des 2 cru 2 fig choose"


def battle_of(line: str) -> AxisBattle:
    battle = wave_of(line)
    assert any(battle.chooses)
    return battle


@pytest.mark.parametrize("line", [LARGE, BOTH, FLEETS])
def test_the_worth_of_the_best_casualties(benchmark: BenchmarkFixture, line: str) -> None:
    rounds = 1 if benchmark.disabled else 5
    game = benchmark.pedantic(solve_casualties, (battle_of(line),), rounds=rounds)  # type: ignore[no-untyped-call]
    assert 0 < game.value < 1


@pytest.mark.parametrize("line", [LARGE, BOTH, FLEETS])
def test_the_odds_with_the_best_casualties(benchmark: BenchmarkFixture, line: str) -> None:
    game = solve_casualties(battle_of(line))
    rounds = 1 if benchmark.disabled else 5
    odds = benchmark.pedantic(odds_of_game, (game,), rounds=rounds)  # type: ignore[no-untyped-call]
    assert odds.wins == pytest.approx(game.value, rel=0, abs=1e-9)


@pytest.mark.parametrize("line", [f"{FLEETS} then 2 sub 2 fig choose", f"{LAND} then hold 3 inf 3 arm choose"])
def test_the_odds_of_waves_with_the_best_casualties(benchmark: BenchmarkFixture, line: str) -> None:
    rounds = 1 if benchmark.disabled else 5
    odds = benchmark.pedantic(solve_waves, (parse(line).battle,), rounds=rounds)  # type: ignore[no-untyped-call]
    assert 0 < odds.hold_chance(0) < 1
