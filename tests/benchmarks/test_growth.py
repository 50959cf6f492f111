"""How time and memory grow with the size of a question: 1, 2, 4, ... of each family, until it is refused.

    OPENBLAS_NUM_THREADS=1 .venv/bin/pytest tests/benchmarks/test_growth.py --benchmark-enable -s

It prints the processor time and the memory that each size takes, and the power that the time grows as. If twice the
size takes more than ten times as long, that is a jump, unless half the way there takes its share: then the power is
high. docs/performance.md shows the curves.
"""

import os
import re
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from bot.errors import UserError
from bot.games.dice.work import Limits, check_size
from bot.games.placing.notation import parse_placing
from solver import Battle, Faces, solve
from solver.axis.best.armies import ArmyGoal
from solver.axis.best.orders import best_orders
from solver.axis.limits import armies_within, odds_within, waves_within
from solver.errors import BattleError, TooLargeError
from solver.path.odds import march
from solver.placing.game import placements_within
from solver.raid.raid import Raid
from solver.raid.solve import solve_raid
from tests.helpers.bot.lines import parse, wave_of
from tests.helpers.solver.axis_battles import RULES

ICONS = Faces.of(["AAD", "ADD", "A", "D", "", ""])
MOST_WORK = 200_000_000
"""The work that a host allows by default."""
MOST_TIMES = 10
"""Twice the size may take so many times as long, if that is more than `NOTICED` seconds."""
NOTICED, LEAST = 0.02, 0.002
LONGEST = 10.0
"""Seconds after which no larger size is tried."""
DROPPED = 1e-10

Work = Callable[[], Any]


class Took(NamedTuple):
    """The processor seconds and the megabytes that a piece of work took; `done` is False if it was refused."""

    seconds: float
    memory: int
    done: bool


def need(ties: str, n: int) -> Work:
    work, arguments = Limits(MOST_WORK).need(Battle(0, n, ties=ties), "attackers", 0.8, 0)  # type: ignore[arg-type]
    return lambda: work(*arguments)


def fight(make: Callable[[int], Battle], n: int) -> Work:
    check_size(make(n), MOST_WORK)
    return partial(solve, make(n))


def axis(line: str, n: int) -> Work:
    battle = wave_of(filled(line, n))

    def work() -> None:
        odds = odds_within(battle, DROPPED, MOST_WORK)
        if odds.sampled or odds.unplanned:
            raise TooLargeError("units", "it is simulated, or solved without its plan")

    return work


def waves(line: str, n: int) -> Work:
    return partial(waves_within, parse(filled(line, n)).battle, DROPPED, MOST_WORK)


def filled(line: str, n: int) -> str:
    """The line with n, n/2 and n/4 of each kind."""
    return line.format(n=n, half=-(-n // 2), quarter=-(-n // 4))


def path(n: int) -> Work:
    return partial(march, parse(f"{2 * n} > {' > '.join(['1'] * n)}").battle)


def orders(line: str, n: int) -> Work:
    return partial(best_orders, parse(filled(line, n)).battle, MOST_WORK)


def army(n: int) -> Work:
    battle = parse(filled("{n} inf 4 art 4 arm 2 fig vs {n} inf {quarter} arm", n)).battle
    return partial(armies_within, battle, ArmyGoal("attack", "survives", 0.9), MOST_WORK)


def placing(n: int) -> Work:
    line = filled("{n} inf {half} art || {n} inf vs 1 inf || {half} arm || {quarter} fig {n} inf", n)
    return partial(placements_within, parse_placing(line), MOST_WORK)


LAND = "{n} inf {half} art {half} arm {quarter} fig vs {n} inf {half} arm {quarter} fig"
SEA = "{n} sub {half} des {quarter} cru {quarter} acc {half} fig {quarter} bat vs " + (
    "{n} sub {half} des {quarter} cru {quarter} acc {half} fig {quarter} bat"
)
BARE = SEA.replace("{half} des ", "")
ICON_FIGHT: Callable[[int], Battle] = lambda n: Battle(n, n, faces=(ICONS, ICONS), rounds=n)  # noqa: E731
FAMILIES: dict[str, tuple[Callable[[int], Work], int]] = {
    "n against n": (partial(fight, lambda n: Battle(n, n)), 2**20),
    "how many beat n": (partial(need, "defender"), 2**15),
    "how many beat n, ties cost both": (partial(need, "both"), 2**11),
    "n against n, n rounds": (partial(fight, lambda n: Battle(n, n, rounds=n)), 2**13),
    "n against n, n/2 rounds": (partial(fight, lambda n: Battle(n, n, rounds=n // 2)), 2**16),
    "n against n, 1000 rounds": (partial(fight, lambda n: Battle(n, n, rounds=1000)), 2**18),
    "n against n, n rounds, ties cost both": (
        partial(fight, lambda n: Battle(n, n, rounds=n, ties="both")),
        2**10,
    ),
    "icons, n against n": (partial(fight, lambda n: Battle(n, n, faces=(ICONS, ICONS))), 2**10),
    "icons, n against n, 3 rounds": (partial(fight, lambda n: replace(ICON_FIGHT(n), rounds=3)), 2**7),
    "icons, n against n, n rounds": (partial(fight, ICON_FIGHT), 2**7),
    "icons, 30 against 30, n rounds": (
        partial(fight, lambda n: Battle(30, 30, faces=(ICONS, ICONS), rounds=n)),
        2**11,
    ),
    "a path through n territories": (path, 2**10),
    "land, n infantry and as many others": (partial(axis, LAND), 2**10),
    "land, retreat:profit<0": (partial(axis, LAND.replace(" vs", " retreat:profit<0 vs")), 2**10),
    "land, 3 rounds": (partial(axis, f"{LAND} rounds:3"), 2**10),
    "sea, n submarines and as many others": (partial(axis, SEA), 2**10),
    "sea, no destroyers": (partial(axis, BARE), 2**10),
    "sea, retreat:profit<0": (partial(axis, SEA.replace(" vs", " retreat:profit<0 vs")), 2**10),
    "three waves on land": (partial(waves, f"{LAND} then {{n}} inf {{half}} arm then {{n}} inf"), 2**10),
    "two waves at sea": (partial(waves, f"{SEA} then {{n}} sub {{half}} des"), 2**10),
    "a raid of n bombers": (lambda n: lambda: solve_raid(Raid(RULES, n, 20)).to_dict(), 2**8),
    "casualty orders on land": (partial(orders, LAND), 2**9),
    "casualty orders at sea": (partial(orders, SEA), 2**9),
    "the best part of n infantry and ten others": (army, 2**9),
    "n infantry and n/2 artillery in three territories": (placing, 2**9),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_time_grows_without_jumps(benchmark: BenchmarkFixture, family: str) -> None:
    make, most = FAMILIES[family]
    if benchmark.disabled:
        most = min(most, 4)
    sizes, took = [], []
    for size in (2**place for place in range(most.bit_length())):
        one = run_here(make, size) if benchmark.disabled else run_apart(make, size)
        if not one.done:
            break
        sizes.append(size)
        took.append(one)
        if one.seconds > LONGEST:
            break
    assert len(sizes) > 1, "even small ones are refused"
    noticed = [place for place, one in enumerate(took) if one.seconds > NOTICED]
    if not benchmark.disabled:
        print(f"\n{family}: " + " · ".join(map(row, sizes, took)) + f" · {power(sizes, took)}")
    for place in filter(None, noticed):
        way = [took[place - 1].seconds, took[place].seconds]
        if not benchmark.disabled and way[1] > MOST_TIMES * max(way[0], LEAST):
            between = run_apart(make, (sizes[place - 1] + sizes[place]) // 2).seconds
            print(f"{sizes[place]} takes {way[1] / way[0]:.0f} times as long as half; between: {1000 * between:.1f} ms")
            for less, more in pairwise((way[0], between, way[1])):
                assert more < MOST_TIMES * max(less, LEAST), f"a jump at {sizes[place]}"
    benchmark.pedantic(make(1), rounds=1)  # type: ignore[no-untyped-call]


def row(size: int, one: Took) -> str:
    return f"{size}: {1000 * one.seconds:.1f} ms, {one.memory} MB"


def power(sizes: list[int], took: list[Took]) -> str:
    """The power that the time of the last three sizes grows as."""
    some = [place for place, one in enumerate(took) if one.seconds > NOTICED / 10][-3:]
    if len(some) < 3:
        return "too quick to see a power"
    found, _ = np.polyfit(np.log([sizes[place] for place in some]), np.log([took[place].seconds for place in some]), 1)
    return f"grows as the power {found:.1f}"


def run_here(make: Callable[[int], Work], size: int) -> Took:
    start = time.process_time()
    try:
        make(size)()
    except (BattleError, UserError):
        return Took(time.process_time() - start, 0, False)
    return Took(time.process_time() - start, 0, True)


def run_apart(make: Callable[[int], Work], size: int) -> Took:
    """Run it up to three times, each in a process of its own, so that no run has anything that another has kept."""
    took = [run_in_a_child(make, size)]
    while took[-1].done and len(took) < 3 and sum(one.seconds for one in took) < 1:
        took.append(run_in_a_child(make, size))
    return min(took)


def run_in_a_child(make: Callable[[int], Work], size: int) -> Took:
    """Run it in a process that begins with what this one has loaded, after another size to load the rest."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        run_here(make, 1 if size > 1 else 2)
        Path("/proc/self/clear_refs").write_text("5")  # forget the highest memory so far
        before = highest_memory()
        took = run_here(make, size)
        os.write(writer, f"{took.seconds} {highest_memory() - before} {took.done:d}".encode())
        os._exit(0)
    os.waitpid(child, 0)
    seconds, memory_taken, done = os.read(reader, 100).split()
    os.close(reader)
    os.close(writer)
    return Took(float(seconds), int(memory_taken), done == b"1")


def highest_memory() -> int:
    """The most megabytes of memory that this process has had."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) // 1000  # type: ignore[index]
