"""What the benchmarks share: how to time, how to measure memory, and the plain loop that ours is compared with."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from pytest_benchmark.fixture import BenchmarkFixture

from solver import Battle
from solver.chain import Grid
from solver.dice.pools import loss_laws

LOOP = 0.24
"""Seconds of the plain loop for 1000 x 1000 where the times of other solvers were taken."""

CLASSIC = Battle(1, 1)
LAWS = loss_laws(CLASSIC.attack, CLASSIC.defence, CLASSIC.ties)


def by_a_plain_loop(attackers: int, defenders: int) -> Grid:
    moves = [[[(i, j, float(chance)) for (i, j), chance in law.items()] for law in row] for row in LAWS]
    wins = [[1.0] + [0.0] * defenders for _ in range(attackers + 1)]
    wins[0][0] = 0.0
    for a in range(1, attackers + 1):
        row = moves[min(a, 3) - 1]
        for d in range(1, defenders + 1):
            total = 0.0
            for i, j, chance in row[min(d, 2) - 1]:
                total += chance * wins[a - i][d - j]
            wins[a][d] = total
    return np.array(wins)[1:, 1:]


def fastest(work: Callable[[], Any], rounds: int) -> tuple[float, Any]:
    """The shortest time that a piece of work took in so many rounds, in seconds, and what came of it."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        answer = work()
        times.append(time.perf_counter() - start)
    return min(times), answer


def repeat(benchmark: BenchmarkFixture, action: Callable[[], object], rounds: int) -> None:
    """Time an action so often, after a few times that do not count."""
    benchmark.pedantic(action, rounds=rounds, warmup_rounds=min(5, rounds // 10))  # type: ignore[no-untyped-call]


def resident(process: int) -> int:
    """Megabytes of memory a process keeps."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") // 1_000_000
