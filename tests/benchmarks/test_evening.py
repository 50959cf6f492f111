"""An hour's worth of a busy evening in minutes: how long each answer takes, and what the bot's memory does meanwhile.

    EVENING_RATE=15 .venv/bin/pytest tests/benchmarks/test_evening.py --benchmark-enable -s

The stand-in runs on the same cores, and its own delays are in all figures. How often one person and one server may ask
is not bounded here, as an hour is pressed into minutes.
"""

import asyncio
import os
import time
from pathlib import Path
from signal import SIGKILL, SIGTERM

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tests.fake_discord import FakeDiscord
from tests.helpers.bot.evening import Evening, Size, Took
from tests.helpers.bot.evening_check import check
from tests.helpers.bot.evening_errands import ERRANDS
from tests.helpers.program import started_program

COMMANDS, SERVERS = 10_000, 60
RATE = float(os.environ.get("EVENING_RATE", "35"))
"""Commands a second; suggestions while typing come beside them."""
ENDS = ((1_000, SIGTERM), (2_000, SIGKILL), (3_000, SIGTERM))
"""The last life is the longest, so that it is seen whether memory grows."""
WARM = 4_000
"""After so many commands of a life its caches are full, and its memory should have its size."""


def test_an_evening_of_ten_thousand_commands(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    if benchmark.disabled:
        pytest.skip("takes minutes; tests/bot/test_evening.py has it in small")

    async def play() -> Evening:
        async with FakeDiscord(openapi=False) as discord:
            evening = Evening(discord, ERRANDS, SERVERS, seed=20)
            began, worked, load = time.monotonic(), time.process_time(), os.getloadavg()
            await evening.lasts(COMMANDS, RATE, tmp_path, ENDS, start=started_program, SANDTABLE_WORKERS="2")
            seconds = time.monotonic() - began
            print(
                f"\n{evening.commands} commands and {evening.suggestions} suggestions in {seconds:.0f} s, "
                f"{evening.lost} errands lost by the kill; load before {load}, after {os.getloadavg()}; "
                f"the stand-in worked {time.process_time() - worked:.0f} s"
            )
            show(evening)
            print(f"{len(evening.said)} lines of warnings", *evening.said[:9], sep="\n")
            await check(evening, tmp_path)
            print(f"{len(evening.battles)} live battles, {len(evening.setups.certain)} names of set-ups: nothing lost")
        return evening

    evening = benchmark.pedantic(lambda: asyncio.run(play()), rounds=1)  # type: ignore[no-untyped-call]
    life = [size for size in evening.sizes if size.process == evening.sizes[-1].process]
    warm = next(size for size in life if size.commands >= life[0].commands + WARM)
    assert max(took.answered for took in evening.took) < 1
    assert life[-1].bot - warm.bot < 10
    assert sum(life[-1].workers) - sum(warm.workers) < 10


def show(evening: Evening) -> None:
    """Print how long everything took, and how large the bot was."""
    print(f"{'ms':28} {'number':>6} {'median':>7} {'95%':>7} {'99%':>7} {'most':>7} {'heard':>7}")
    kinds = sorted({took.what for took in evening.took})
    for kind in ("all", *kinds):
        row([took for took in evening.took if kind in ("all", took.what)], kind)
    for size in evening.sizes:
        print(told(size))


def row(took: list[Took], kind: str) -> None:
    """Print one row: until the answer was there, and at the most until anything was heard."""
    ms = sorted(1000 * one.answered for one in took)
    at = [ms[min(len(ms) - 1, int(part * len(ms)))] for part in (0.5, 0.95, 0.99, 1)]
    heard = max(1000 * one.heard for one in took)
    print(f"{kind:28} {len(ms):6} {' '.join(f'{value:7.1f}' for value in [*at, heard])}")


def told(size: Size) -> str:
    """How large the bot was."""
    workers = " + ".join(f"{worker:.0f}" for worker in size.workers)
    return (
        f"after {size.commands:6} commands: bot {size.bot:.1f} MB, workers {workers} MB, "
        f"all its processes {size.together:.0f} MB, worked {size.worked:.0f} s"
    )
