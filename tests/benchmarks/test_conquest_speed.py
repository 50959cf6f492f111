"""How long it takes to answer a conquest: exactly, or with a plan and a bound.

    OPENBLAS_NUM_THREADS=1 .venv/bin/pytest tests/benchmarks/test_conquest_speed.py --benchmark-enable -s

It prints processor times, the median of five. In an ordinary test run each is answered once.
"""

import time
from statistics import median

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from solver import Conquest, conquer

ASIA = {
    "Ukraine": ["Ural", "Afghanistan", "Middle East"],
    "Ural": ["Siberia", "China", "Afghanistan"],
    "Siberia": ["Yakutsk", "Irkutsk", "Mongolia", "China"],
    "Yakutsk": ["Irkutsk", "Kamchatka"],
    "Kamchatka": ["Irkutsk", "Mongolia", "Japan"],
    "Mongolia": ["Irkutsk", "Japan", "China"],
    "China": ["Afghanistan", "India", "Siam"],
    "India": ["Middle East", "Afghanistan", "Siam"],
    "Middle East": ["Afghanistan"],
}
TWELVE = sorted({name for names in ASIA.values() for name in names})


def everywhere(count: int) -> dict[str, list[str]]:
    """A map on which each of so many territories is next to all others and to the start."""
    names = [f"t{number}" for number in range(count)]
    return {"start": names, **{name: [other for other in names if other != name] for name in names}}


def garrisons(count: int) -> dict[str, int]:
    """Garrisons of 2, 3 and 4."""
    return {f"t{number}": 2 + number % 3 for number in range(count)}


CASES = {
    "two fronts of 20, two garrisons of 20": Conquest.of(
        {"a": ["x", "y"], "b": ["x", "y"]}, {"a": 20, "b": 20}, {"x": 20, "y": 20}
    ),
    "Asia, 40 armies": Conquest.of(ASIA, {"Ukraine": 40}, dict.fromkeys(TWELVE, 2)),
    "Asia, 60 armies": Conquest.of(ASIA, {"Ukraine": 60}, dict.fromkeys(TWELVE, 2)),
    "Asia, 60 armies, as many as possible": Conquest.of(ASIA, {"Ukraine": 60}, dict.fromkeys(TWELVE, 2), aim="most"),
    "Asia, 100 armies": Conquest.of(ASIA, {"Ukraine": 100}, dict.fromkeys(TWELVE, 2)),
    **{
        f"{count} targets, all neighbours, 60 armies": Conquest.of(everywhere(count), {"start": 60}, garrisons(count))
        for count in (6, 8, 10, 20)
    },
}


@pytest.mark.parametrize("name", CASES)
def test_the_answer_to_a_conquest(benchmark: BenchmarkFixture, name: str) -> None:
    times = []
    for _ in range(1 if benchmark.disabled else 5):
        start = time.process_time()
        odds = conquer(CASES[name])
        times.append(time.process_time() - start)
    assert odds.worth <= odds.bound
    if not benchmark.disabled:
        print(f"\n{name}: {median(times):.3f} s, error {odds.error:.2g}")
    benchmark(lambda: None)
