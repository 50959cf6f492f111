"""How often the intervals of simulated battles are right, and how much narrower they are than those of plain dice."""

from math import sqrt
from statistics import median

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tests.helpers.solver.sampled_battles import chances_of_so_many_wrong, intervals, pair_intervals, rare_ends


@pytest.mark.parametrize("kind", ["one", "two"])
def test_intervals_of_simulated_battles(benchmark: BenchmarkFixture, kind: str) -> None:
    many = 6 if benchmark.disabled else 560
    find = intervals if kind == "one" else pair_intervals
    told = benchmark.pedantic(lambda: list(find(range(10_000, 10_000 + many), 8_000)), rounds=1)  # type: ignore[no-untyped-call]
    for name in dict.fromkeys(interval.name for interval in told):
        # What happens always or never is told right by any interval.
        own = [
            one for one in told if one.name == name and (kind == "two" or name == "profit" or 0.01 < one.truth < 0.99)
        ]
        right = sum(interval.right for interval in own)
        print(f"\n{kind}, {name}: {right} of {len(own)} right", end="")
        if kind == "one" and name == "wins" and own:
            by_dice = [1.96 * sqrt(one.truth * (1 - one.truth) / 8_000) for one in own]
            times = [error / one.error for error, one in zip(by_dice, own, strict=True)]
            print(f", {median(times):.1f} times as narrow as with plain dice", end="")
            assert benchmark.disabled or median(times) > 2
        assert not own or chances_of_so_many_wrong(own) > 0.001


def test_intervals_of_simulated_rare_ends(benchmark: BenchmarkFixture) -> None:
    many = 5 if benchmark.disabled else 300
    told = benchmark.pedantic(lambda: list(rare_ends(range(20_000, 20_000 + many))), rounds=1)  # type: ignore[no-untyped-call]
    right = sum(found.least <= truth <= found.most for found, truth in told)
    print(f"\nrare: {right} of {len(told)} right")
    assert right >= 0.9 * len(told)
