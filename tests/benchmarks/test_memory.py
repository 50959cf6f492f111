"""How much memory the bot takes with two workers: at rest, after a busy evening, and while it solves what is largest.

    EVENING_COMMANDS=10000 .venv/bin/pytest tests/benchmarks/test_memory.py --benchmark-enable -s
    SMALL_QUESTIONS=36000 .venv/bin/pytest tests/benchmarks/test_memory.py --benchmark-enable -s -k small

The bot is started as a host starts it, for the second time, as the first start makes the database. What processes share
is counted in parts (PSS), so that sums are right; only the most that a worker ever had counts all that it shares.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random
from signal import SIGTERM
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from bot.charts import draw
from bot.games.dice.work import CHART
from bot.work.workers import WorkerProcess
from solver import Battle, solve
from tests.fake_discord import FakeDiscord, Person
from tests.helpers.bot.evening import Evening
from tests.helpers.bot.evening_errands import ERRANDS
from tests.helpers.memory import family, most, share
from tests.helpers.program import LONGEST, Program, children, started_program, until
from tests.helpers.speed import repeat

COMMANDS = int(os.environ.get("EVENING_COMMANDS", "4000"))
QUESTIONS = int(os.environ.get("SMALL_QUESTIONS", "12000"))
RATE, SERVERS = 60, 60
CALM = 3.0
"""Seconds after the evening until it is measured: workers give free memory back when nobody asks."""
WORKERS = {"SANDTABLE_WORKERS": "2", "SANDTABLE_LOG": "WARNING"}
REST, EVENING, WORKER, WORST = 260, 330, 90, 300
"""The most megabytes: of all processes at rest and after an evening, of each worker then, and of a worker ever."""
GROWTH = 2
"""The most megabytes by which a worker grows in the second half of very many small questions."""


def fleets() -> Iterator[str]:
    """The largest battles at sea: those that are barely solved, and 15 of each kind, which are simulated."""
    for number, kinds, more in (
        (15, "sub des cru acc bat fig tra", " 15 bom"),
        (14, "sub des cru acc bat fig", ""),
        (14, "sub des cru acc bat fig", " 14 bom"),
        (13, "sub des cru acc bat fig tra", ""),
        (25, "sub des fig", ""),
    ):
        army = " ".join(f"{number} {kind}" for kind in kinds.split())
        yield f"{army}{more} vs {army}"


async def with_bot(folder: Path, use: Callable[[Program, FakeDiscord], Awaitable[None]]) -> None:
    """Use a bot that has started for the second time."""
    async with FakeDiscord(openapi=False) as discord:
        for start in (1, 2):
            async with started_program(discord.token, folder, discord, **WORKERS) as process:
                await discord.ready(within=LONGEST)
                if start == 2:
                    await use(process, discord)
                process.send_signal(SIGTERM)
                await asyncio.wait_for(process.communicate(), LONGEST)


def measure(process: int) -> tuple[float, list[float]]:
    """Megabytes of all processes together, and of each worker."""
    shares = {one: share(one) for one in family(process)}
    workers = [shares[one] for one in children(process)]
    told = " + ".join(f"{size:.0f}" for size in shares.values())
    print(f"{told} = {sum(shares.values()):.0f} MB, of which workers {[round(size) for size in workers]}")
    return sum(shares.values()), workers


def test_memory_at_rest(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    async def look(process: Program, _discord: FakeDiscord) -> None:
        together, workers = measure(process.pid)
        assert together < REST
        assert max(workers) < WORKER

    repeat(benchmark, lambda: asyncio.run(with_bot(tmp_path, look)), 1)


def test_memory_after_an_evening(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    if benchmark.disabled:
        pytest.skip("takes minutes; tests/bot/test_evening.py has it in small")

    async def play() -> Evening:
        async with FakeDiscord(openapi=False) as discord:
            evening = Evening(discord, ERRANDS, SERVERS, seed=20, calm=CALM)
            await evening.lasts(COMMANDS, RATE, tmp_path, ((50, SIGTERM),), start=started_program, **WORKERS)
        return evening

    sizes: list[Any] = []
    repeat(benchmark, lambda: sizes.extend(asyncio.run(play()).sizes), 1)
    for size in sizes:
        workers = " + ".join(f"{worker:.0f}" for worker in size.workers)
        print(f"after {size.commands} commands: bot {size.bot:.0f}, workers {workers}, together {size.together:.0f} MB")
    assert sizes[-1].together < EVENING
    assert max(sizes[-1].workers) < WORKER


def test_the_peak_memory_of_a_worker(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    async def ask(process: Program, discord: FakeDiscord) -> None:
        alice: Person = discord.member("Alice")
        for line in fleets():
            await alice.sends("battle", matchup=line, within=LONGEST)
            highest = max(most(worker) for worker in children(process.pid))
            print(f"so far a worker has had {highest:.0f} MB at most: {line}")
        assert highest < WORST
        await until(lambda: max(map(share, children(process.pid))) < WORKER)
        measure(process.pid)

    repeat(benchmark, lambda: asyncio.run(with_bot(tmp_path, ask)), 1)


def test_the_growth_of_a_worker_with_small_questions_ends(benchmark: BenchmarkFixture) -> None:
    if benchmark.disabled:
        pytest.skip("takes minutes; tests/test_layout.py looks at the limits of the caches")

    async def ask() -> list[float]:
        worker, chance, sizes = WorkerProcess(LONGEST), Random(40), list[float]()
        try:
            for number in range(1, QUESTIONS + 1):
                attackers, stop = chance.randint(2, 60), chance.choice((0, 0, 0, 4))
                battle = Battle(attackers, chance.randint(1, 60), stop=min(stop, attackers - 1))
                await worker.run(draw, CHART, battle, await worker.run(solve, battle.chain()))
                if number % (QUESTIONS // 6) == 0:
                    sizes.append((worker.memory() or 0) / 1e6)
                    print(f"after {number} questions and their pictures: {sizes[-1]:.1f} MB")
        finally:
            worker.close()
        return sizes

    sizes: list[float] = []
    repeat(benchmark, lambda: sizes.extend(asyncio.run(ask())), 1)
    assert sizes[5] - sizes[2] < GROWTH
