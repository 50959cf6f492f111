"""How fast the dear questions about dice are beside the plain ways to answer them, each in one run.

    .venv/bin/pytest tests/benchmarks/test_dice_speed.py --benchmark-enable --benchmark-columns=min,median,max,rounds -s

Machines differ and are shared, so what counts are the ratios in one run. In an ordinary test run each way is used once,
and must come to the same answer.
"""

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from solver import Battle, Faces, solve
from solver.chain import point_law
from solver.dice import large_need
from solver.dice.chain import loss_table
from solver.dice.kill_rates import icon_table
from solver.dice.large_need import need_for_large_army
from tests.helpers.solver import plain_rounds
from tests.helpers.speed import fastest

ICONS = Faces.of(["AAD", "ADD", "A", "D", "", ""])


def show_ratio(benchmark: BenchmarkFixture, what: str, ours: float, theirs: float) -> None:
    benchmark.extra_info["times as fast"] = theirs / ours
    if not benchmark.disabled:
        print(f"\n{what}: {1000 * ours:.1f} ms against {1000 * theirs:.0f} ms, {theirs / ours:.0f} times as fast")


@pytest.mark.parametrize(("defenders", "goal"), [(1_500, 0.8), (10_000, 0.8), (20_000, 0.9)])
def test_need_of_large_armies_beside_a_battle_for_each_number(
    benchmark: BenchmarkFixture, defenders: int, goal: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    battle = Battle(0, defenders)
    ours, found = fastest(lambda: need_for_large_army(battle, "attackers", goal), 1 if benchmark.disabled else 5)
    with monkeypatch.context() as plain:
        plain.setattr(large_need, "find_endgame", lambda *_: None)
        theirs, expected = fastest(lambda: need_for_large_army(battle, "attackers", goal), 1)
    assert found.answer == expected.answer
    assert found.chances[found.counts.index(found.answer)] == pytest.approx(
        expected.chances[expected.counts.index(expected.answer)], abs=1e-10
    )
    show_ratio(benchmark, f"/need {defenders} {goal:.0%}", ours, theirs)
    benchmark(need_for_large_army, battle, "attackers", goal)


@pytest.mark.parametrize(
    "battle",
    [
        Battle(600, 600, rounds=1000),
        Battle(1000, 1000, rounds=500),
        Battle(1000, 1000, rounds=1000),
        Battle(30, 30, faces=(ICONS, ICONS), rounds=3),
        Battle(30, 30, faces=(ICONS, ICONS), rounds=84),
    ],
    ids=lambda battle: f"{battle.game} {battle.attackers} {battle.defenders} rounds:{battle.rounds}",
)
def test_rounds_at_once_beside_round_by_round(benchmark: BenchmarkFixture, battle: Battle) -> None:
    start, most = (battle.attackers, battle.defenders), battle.rounds
    assert most is not None

    def one_by_one() -> float:
        if battle.faces:
            law = point_law(start)
            plain_rounds.fight_icons(icon_table(*battle.faces), law, most, 0)
            return float(law[1:, 0].sum())
        plain = plain_rounds.on_a_grid(loss_table(battle.attack, battle.defence, battle.ties), start, most, 0)
        return float(plain.chances[(plain.defenders == 0) & (plain.attackers > 0)].sum())

    ours, odds = fastest(lambda: solve(battle), 1 if benchmark.disabled else 5)
    theirs, wins = fastest(one_by_one, 1)
    assert odds.attacker_wins == pytest.approx(wins, abs=1e-10)
    show_ratio(benchmark, f"{start[0]} against {start[1]}, {most} rounds, {battle.game}", ours, theirs)
    benchmark(solve, battle)
