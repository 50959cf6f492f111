"""How fast the dear questions about dice are beside the plain ways to answer them, and how their time grows.

    .venv/bin/pytest tests/benchmarks/test_dice_speed.py --benchmark-enable --benchmark-columns=min,median,max,rounds -s

Machines differ and are shared, so what counts are the ratios in one run. In an ordinary test run each way is used once,
and must come to the same answer.
"""

import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from bot.games.dice.limits import Limits
from solver import Battle, Faces, solve
from solver.chain import point_law
from solver.dice import sizes
from solver.dice.icons import icon_table
from solver.dice.pools import loss_table
from solver.dice.sizes import need_for_large_army
from tests.helpers.solver import plain_rounds
from tests.helpers.speed import fastest

ICONS = Faces.of(["AAD", "ADD", "A", "D", "", ""])
MOST_TIMES = 10
"""Twice the size may take so many times as long, from `NOTICED` seconds on."""
NOTICED = 0.01


def show_ratio(benchmark: BenchmarkFixture, what: str, ours: float, theirs: float) -> None:
    benchmark.extra_info["times as fast"] = theirs / ours
    if not benchmark.disabled:
        print(f"\n{what}: {1000 * ours:.1f} ms against {1000 * theirs:.0f} ms, {theirs / ours:.0f} times as fast")


@pytest.mark.parametrize(("defenders", "goal"), [(1_500, 0.8), (10_000, 0.8), (20_000, 0.9)])
def test_how_many_are_needed_beside_a_whole_battle_for_each_number(
    benchmark: BenchmarkFixture, defenders: int, goal: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    battle = Battle(0, defenders)
    ours, found = fastest(lambda: need_for_large_army(battle, "attackers", goal), 1 if benchmark.disabled else 5)
    with monkeypatch.context() as plain:
        plain.setattr(sizes, "find_endgame", lambda *_: None)
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
def test_so_many_rounds_beside_one_after_the_other(benchmark: BenchmarkFixture, battle: Battle) -> None:
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


def needed(n: int) -> Callable[[], Any]:
    work, arguments = Limits(2 * 10**8).need(Battle(0, n), "attackers", 0.8, 0)
    return lambda: work(*arguments)


def needed_if_ties_cost_both(n: int) -> Callable[[], Any]:
    work, arguments = Limits(2 * 10**8).need(Battle(0, n, ties="both"), "attackers", 0.8, 0)
    return lambda: work(*arguments)


def fought(make: Callable[[int], Battle]) -> Callable[[int], Callable[[], Any]]:
    return lambda n: partial(solve, make(n))


FAMILIES: dict[str, tuple[Callable[[int], Callable[[], Any]], int]] = {
    "needed against n": (needed, 16_384),
    "needed against n, ties cost both": (needed_if_ties_cost_both, 2_048),
    "n v n, n rounds": (fought(lambda n: Battle(n, n, rounds=n)), 4_096),
    "n v n, n/2 rounds": (fought(lambda n: Battle(n, n, rounds=n // 2)), 65_536),
    "n v n, 1000 rounds": (fought(lambda n: Battle(n, n, rounds=1000)), 262_144),
    "n v n, n rounds, ties cost both": (fought(lambda n: Battle(n, n, rounds=n, ties="both")), 512),
    "icons n v n, 3 rounds": (fought(lambda n: Battle(n, n, faces=(ICONS, ICONS), rounds=3)), 64),
    "icons n v n, n rounds": (fought(lambda n: Battle(n, n, faces=(ICONS, ICONS), rounds=n)), 64),
    "icons 30 v 30, n rounds": (fought(lambda n: Battle(30, 30, faces=(ICONS, ICONS), rounds=n)), 2_048),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_the_time_grows_without_jumps(benchmark: BenchmarkFixture, family: str) -> None:
    """Print the processor time for 1, 2, 4, ..., and the power that it grows as from the first time noticed on."""
    question, most = FAMILIES[family]
    most = min(most, 32) if benchmark.disabled else most
    counts = [2**place for place in range(most.bit_length())]
    times = [processor_time(question(n), 1 if benchmark.disabled else 3) for n in counts]
    noticed = [place for place, seconds in enumerate(times) if seconds > NOTICED]
    if not benchmark.disabled:
        print(f"\n{family}: " + ", ".join(f"{n}: {1000 * one:.1f} ms" for n, one in zip(counts, times, strict=True)))
        if noticed[1:]:
            sizes_of, times_of = np.log(counts[noticed[0] :]), np.log(times[noticed[0] :])
            power, _ = np.polyfit(sizes_of, times_of, 1)
            print(f"from {counts[noticed[0]]} on it grows as the power {power:.1f}")
        for place in noticed:
            assert times[place] < MOST_TIMES * max(times[place - 1], NOTICED), counts[place]
    benchmark.pedantic(question(most), rounds=1)  # type: ignore[no-untyped-call]


def processor_time(work: Callable[[], Any], rounds: int) -> float:
    """The median of the processor time that a piece of work takes, in seconds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return median(times)
