"""How fast the solver is beside the ways it replaces, in one run: figures for docs/performance.md, on demand.

    .venv/bin/pytest tests/benchmarks/test_races.py --benchmark-enable --benchmark-columns=min,median,max,rounds -s

Machines differ and are shared, so what counts are the ratios. In an ordinary test run each way is used once, and
must come to the same answer.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from solver import Battle, Faces, solve
from solver.chain import Grid, RoundLaw
from solver.dice.exact import attacker_wins
from solver.dice.sizes import win_chances
from solver.path.odds import march
from solver.path.path import Path
from tests.helpers.speed import CLASSIC, LAWS, by_a_plain_loop, fastest

ICONS = Faces.of(["AAD", "ADD", "A", "D", "", ""])


def law_of(attackers: int, defenders: int) -> RoundLaw:
    return LAWS[min(attackers, 3) - 1][min(defenders, 2) - 1]


def by_matrix_inversion(attackers: int, defenders: int) -> Grid:
    """As a well-known essay on the Markov chain of Risk does: (I - Q)^-1 R over all states."""
    cells = [(a, d) for a in range(1, attackers + 1) for d in range(1, defenders + 1)]
    place = {cell: number for number, cell in enumerate(cells)}
    stay, won = np.zeros((len(cells), len(cells))), np.zeros(len(cells))
    for (a, d), number in place.items():
        for (i, j), chance in law_of(a, d).items():
            if d == j:
                won[number] += float(chance)
            elif a > i:
                stay[number, place[a - i, d - j]] = float(chance)
    chances = np.linalg.inv(np.eye(len(cells)) - stay) @ won
    return np.asarray(chances.reshape(attackers, defenders))


def by_recursion(attackers: int, defenders: int) -> Grid:
    @cache
    def wins(a: int, d: int) -> float:
        if a == 0 or d == 0:
            return float(d == 0)
        return sum(float(chance) * wins(a - i, d - j) for (i, j), chance in law_of(a, d).items())

    return np.array([[wins(a, d) for d in range(1, defenders + 1)] for a in range(1, attackers + 1)])


@pytest.mark.parametrize(
    ("other", "size"),
    [(by_matrix_inversion, 40), (by_recursion, 100), (by_a_plain_loop, 187), (by_a_plain_loop, 1000)],
    ids=["matrix inversion 40", "memoised recursion 100", "plain loop 187", "plain loop 1000"],
)
def test_a_table_beside_plain_algorithms(
    benchmark: BenchmarkFixture, other: Callable[[int, int], Grid], size: int
) -> None:
    rounds = 1 if benchmark.disabled else 5
    ours, table = fastest(lambda: win_chances(CLASSIC, size, size), 5 * rounds)
    theirs, same = fastest(lambda: other(size, size), rounds)
    assert np.abs(table[1:, 1:] - same).max() < 1e-12
    benchmark.extra_info["times as fast"] = theirs / ours
    if not benchmark.disabled:
        print(
            f"\n{size} x {size}: {1000 * ours:.2f} ms against {1000 * theirs:.0f} ms, {theirs / ours:.0f} times as fast"
        )
    benchmark(win_chances, CLASSIC, size, size)


def test_the_table_of_187_against_187(benchmark: BenchmarkFixture) -> None:
    assert benchmark(win_chances, CLASSIC, 187, 187)[3, 2] == pytest.approx(
        float(Fraction(attacker_wins(Battle(3, 2))))
    )


@pytest.mark.parametrize("armies", [1_000, 10_000, 1_000_000])
def test_equal_armies_against_each_other(benchmark: BenchmarkFixture, armies: int) -> None:
    assert benchmark(solve, Battle(armies, armies)).attacker_wins > 0.99


@pytest.mark.parametrize("units", [10, 30, 100])
def test_equal_armies_with_icon_dice(benchmark: BenchmarkFixture, units: int) -> None:
    odds = benchmark(solve, Battle(units, units, faces=(ICONS, ICONS)))
    assert odds.attacker_wins == pytest.approx(odds.defender_wins)


def test_a_fraction_of_100_against_100(benchmark: BenchmarkFixture) -> None:
    assert benchmark(attacker_wins, Battle(100, 100)) > Fraction(4, 5)


def test_a_late_choice_of_100_against_100(benchmark: BenchmarkFixture) -> None:
    assert benchmark(solve, Battle(100, 100, late=True)).attacker_wins < 0.5


def test_a_path_through_ten_territories(benchmark: BenchmarkFixture) -> None:
    path = Path.of([Battle(60, 5)] * 10, [1] * 9)
    assert benchmark(march, path).takes_all > 0.1
