"""How many attackers a path needs: the answers are those of trying every number."""

import pytest

from solver import Battle, Ships
from solver.errors import TooLargeError
from solver.path.needs import path_need, with_attackers
from solver.path.odds import march
from solver.path.path import Path
from tests.helpers.cases import each

PATHS = [
    Path.of([Battle(1, 5), Battle(0, 4), Battle(0, 2)], [1, 1]),
    Path.of([Battle(1, 2), Battle(0, 0), Battle(0, 3, attack_ships=Ships(bombers=1))], [2, 0]),
    Path.of([Battle(1, 3, stop=2), Battle(0, 1, ties="attacker")], [1]),
]


@each([(path, goal) for path in PATHS for goal in (0.5, 0.8, 0.99)])
def test_the_least_attackers_for_a_path_are_found(path: Path, goal: float) -> None:
    need = path_need(path, goal, 1e9)
    for count, chance in zip(need.counts, need.chances, strict=True):
        assert chance == pytest.approx(march(with_attackers(path, count)).takes_all, abs=1e-12)
    assert need.answer == next(count for count, chance in zip(need.counts, need.chances, strict=True) if chance >= goal)


def test_a_path_too_large_for_a_need_is_refused_or_ends_where_work_does() -> None:
    with pytest.raises(TooLargeError):
        path_need(Path.of([Battle(1, 500)] * 40, [1] * 39), 0.8, 1_000_000)
    limited = path_need(Path.of([Battle(1, 500)] * 6, [1] * 5), 0.8, 1e9)
    assert limited.answer is None
    assert limited.counts[-1] == 1_900
