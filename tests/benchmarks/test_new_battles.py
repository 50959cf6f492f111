"""How fast new battles of Axis & Allies are answered, each asked once in a process, beside the calculator aacalc2.

    .venv/bin/pytest tests/benchmarks/test_new_battles.py --benchmark-enable -s

tests/data/new_battles.json has 300 different battles, most of them small, and the milliseconds of aacalc2 2.0.25 for
each, on Node 20, where it was asked once too: the fastest of four processes, processor time. Ours are measured in the
same way, from document to document. Theirs are scaled by a plain loop that is timed beside ours.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from bot.editions import editions
from solver.questions import read_question

DATA = json.loads(Path(__file__).parents[1].joinpath("data", "new_battles.json").read_text())
CASES: list[dict[str, Any]] = DATA["cases"]
BANDS = (1, 11), (12, 19), (20, 29), (30, 999)
"""The sizes of the larger side."""
PROCESSES = 4


def plain_loop() -> float:
    """The seconds of a loop that has nothing to do with battles."""
    begin, size = time.process_time(), 1000
    row = [0.0] * (size + 1)
    new = row[:]
    for _ in range(size):
        for place in range(1, size + 1):
            new[place] = 0.37 * row[place] + 0.29 * new[place - 1] + 0.34 * row[place - 1]
        row, new = new, row
    return time.process_time() - begin


def answer_all(cases: Sequence[dict[str, Any]]) -> list[float]:
    """Answer each battle once in this process; return the milliseconds."""
    rules, times = {f"axis{key}": edition.rules for key, edition in editions().items()}, []
    for case in cases:
        begin = time.process_time()
        (wave, *_) = read_question(case["document"], rules).work()["waves"]
        times.append((time.process_time() - begin) * 1e3)
        ways = ("wins", "holds", "dived", "both", "cleared", "nobody")
        assert sum(wave[way] for way in ways) == pytest.approx(1), case["id"]
    return times


def answer_in_a_process() -> list[float]:
    """Answer each battle once in a new process; return the milliseconds."""
    code = "import gc; from tests.benchmarks.test_new_battles import *; gc.freeze(); print(answer_all(CASES))"
    # As in workers and in `sandtable solve`, what is loaded is no garbage, and numpy has one thread.
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment)
    times: list[float] = json.loads(found.stdout)
    return times


def test_new_battles(benchmark: BenchmarkFixture) -> None:
    if benchmark.disabled:
        answer_all(CASES[::30])
    else:
        loop = min(plain_loop() for _ in range(9))
        ours = list(map(min, zip(*(answer_in_a_process() for _ in range(PROCESSES)), strict=True)))
        scale = loop / DATA["plain_loop_s"]
        rows = [(case, case["peer_ms"] * scale / mine, mine) for case, mine in zip(CASES, ours, strict=True)]
        for low, high in ((1, 999), *BANDS):
            some = [row for row in rows if low <= max(row[0]["attackers"], row[0]["defenders"]) <= high]
            ratio, slower = statistics.median(row[1] for row in some), sum(row[1] < 1 for row in some)
            median, most = statistics.median(row[2] for row in some), max(row[2] for row in some)
            times = f"ours {median:.2f} ms, the slowest {most:.1f} ms"
            print(f"\n{low} to {high} units: {len(some)} battles, {ratio:.2f} times as fast, {slower} slower; {times}")
        benchmark.extra_info["in all"] = sum(row[1] * row[2] for row in rows) / sum(ours)
        print(f"all together: {benchmark.extra_info['in all']:.2f} times as fast")
    benchmark.pedantic(lambda: None, rounds=1)  # type: ignore[no-untyped-call]
