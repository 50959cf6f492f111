"""How fast it is found which army to bring, beside the times that aacalc2 2.0.25 takes for the same question.

    .venv/bin/pytest tests/benchmarks/test_army_speed.py --benchmark-enable --benchmark-columns=min,median,max,rounds -s

Its times are in milliseconds, on the machine and in the way of tests/benchmarks/test_axis_speed.py; here too they are
scaled by the plain loop. It tries a part of all armies (its ways of searching are named), or all of them.
"""

from dataclasses import replace

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from solver.axis.best.armies import Armies, ArmyGoal, best_armies
from solver.axis.sides import Retreat
from tests.helpers.bot.lines import wave_of
from tests.helpers.speed import LOOP, by_a_plain_loop, fastest

LINE = "12 inf 5 art 5 arm 3 fig 3 bom vs 8 inf 2 art 1 arm 1 aa gunslast deadzone value:2 decline:no"
CHEAPEST, PROFIT = ArmyGoal("attack", "survives", 0.9), ArmyGoal("attack", "profit")
QUESTIONS = {
    "the cheapest army": (CHEAPEST, Retreat(), {"fuzzy": 20.8, "linear": 111.8, "grid": 1_367.0}, 10),
    "the best profit": (PROFIT, Retreat(), {"grid": 1_464.0}, 200),
    "the best profit, with a plan": (PROFIT, Retreat(profit_below=0), {"grid": 3_418.0, "all": 17_067.0}, 200),
}
"""Each with the times of aacalc2's searches, and ours that is wanted at the most, in milliseconds."""


@pytest.fixture(scope="module")
def scale() -> float:
    """How many times slower this machine is than the one on which the other times were taken."""
    return fastest(lambda: by_a_plain_loop(1000, 1000), 3)[0] / LOOP


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_whole_question_for_an_army(benchmark: BenchmarkFixture, name: str, request: pytest.FixtureRequest) -> None:
    goal, plan, theirs, most = QUESTIONS[name]
    battle = wave_of(LINE)

    def work() -> Armies:
        return best_armies(replace(battle, retreat=plan), goal)

    rounds = 1 if benchmark.disabled else 15
    ours, found = fastest(work, rounds)
    assert len(found.best) == 3
    if goal is CHEAPEST:
        assert [army.cost for army in found.best] == [52, 52, 53]
    if not benchmark.disabled:
        scale = request.getfixturevalue("scale")
        ratios = {search: milliseconds / 1000 / ours * scale for search, milliseconds in theirs.items()}
        benchmark.extra_info["times as fast"] = ratios
        told = ", ".join(f"{ratio:.0f} times as fast as {search}" for search, ratio in ratios.items())
        print(f"\n{name}: {1000 * ours:.1f} ms ({1000 * ours / scale:.1f} scaled, at most {most}), {told}")
        assert 1000 * ours / scale < most
    benchmark.pedantic(work, rounds=rounds)  # type: ignore[no-untyped-call]
