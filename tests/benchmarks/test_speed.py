"""How long people wait, and how much memory that takes: figures for docs/performance.md, on demand.

    .venv/bin/pytest tests/benchmarks --benchmark-enable --benchmark-columns=min,median,max,rounds

Everything runs through the stand-in, which shares one processor core with the bot here: the real thing is not slower.
In an ordinary test run each of these is done once, to see that it still works.
"""

import asyncio
import itertools
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from bot.discord_app.client import Client
from bot.games.dice.chart import draw_battle
from bot.request import Services
from bot.rooms import ROOMS
from bot.settings import load
from bot.store.database import open_store
from bot.work import engine as engine_module
from bot.work.engine import Engine
from solver import Battle, Ships, solve
from tests.fake_discord import FakeDiscord, Person
from tests.helpers.memory import share
from tests.helpers.program import children, started_program
from tests.helpers.speed import repeat

BATTLE = Battle(12, 9, attack_ships=Ships(bombers=2))


class Table(NamedTuple):
    """A bot with worker processes, running on the stand-in, and somebody to ask it."""

    runner: asyncio.Runner
    discord: FakeDiscord
    engine: Engine
    alice: Person


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    settings = load(data=tmp_path_factory.mktemp("data"), most_per_minute_user=10**6, most_per_minute_server=10**6)
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()

        async def start() -> Table:
            discord = await stack.enter_async_context(FakeDiscord(openapi=False))
            store = await stack.enter_async_context(open_store(settings.data / "sandtable.db"))
            engine = await stack.enter_async_context(Engine(settings, ROOMS))
            await stack.enter_async_context(discord.running(Client(Services(settings, engine, lambda: store, ROOMS))))
            return Table(runner, discord, engine, discord.member("Alice"))

        yield runner.run(start())
        runner.run(stack.aclose())


# Battles nobody has asked for yet, all of about the same size.
fresh = (
    f"{attackers} {defenders} bombers:2" for attackers, defenders in itertools.product(range(20, 90), range(20, 90))
)


def test_solve_12_against_9_once_the_tables_exist(benchmark: BenchmarkFixture) -> None:
    benchmark(solve, BATTLE)


def test_solve_1000_against_1000(benchmark: BenchmarkFixture) -> None:
    benchmark(solve, Battle(1000, 1000))


def test_a_picture_once_the_template_exists(benchmark: BenchmarkFixture) -> None:
    draw_battle(BATTLE, solve(BATTLE))
    benchmark(draw_battle, BATTLE, solve(BATTLE))


def test_from_a_typed_command_to_the_answer_for_a_new_battle(benchmark: BenchmarkFixture, table: Table) -> None:
    def ask() -> None:
        table.runner.run(table.alice.sends("battle", matchup=next(fresh)))

    repeat(benchmark, ask, 100)


def test_from_a_typed_command_to_the_answer_for_a_known_battle(benchmark: BenchmarkFixture, table: Table) -> None:
    def ask() -> None:
        table.runner.run(table.alice.sends("battle", matchup="12 9 bombers:2"))

    repeat(benchmark, ask, 100)


def test_suggestions_for_a_line_being_typed(
    benchmark: BenchmarkFixture, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What takes too long shall be seen in the figures, not be left out of the suggestions.
    monkeypatch.setattr(engine_module, "PREVIEW_SECONDS", 10)

    def ask() -> None:
        choices = table.runner.run(table.alice.types("battle", matchup=next(fresh)))
        assert "%" in choices[0].name

    repeat(benchmark, ask, 100)


def test_two_hundred_new_battles_at_once(benchmark: BenchmarkFixture, table: Table) -> None:
    people = [table.discord.member(f"Player {number}") for number in range(200)]
    acknowledged, answered = [], []

    async def ask() -> None:
        asked = [person.begins("battle", matchup=next(fresh)) for person in people]
        await asyncio.gather(*(question.answered(within=60) for question in asked))
        acknowledged.append(max(question.acknowledged_after or 0 for question in asked))
        answered.append(max(question.answered_after or 0 for question in asked))

    repeat(benchmark, lambda: table.runner.run(ask()), 5)
    benchmark.extra_info["slowest acknowledgement, s"] = sorted(acknowledged)
    benchmark.extra_info["slowest answer, s"] = sorted(answered)
    print(f"\nslowest of 200: acknowledged after {max(acknowledged):.2f} s, answered after {max(answered):.2f} s")


def test_memory_of_the_bot_and_of_a_worker(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    async def use() -> list[float]:
        async with FakeDiscord(openapi=False) as discord, started_program(discord.token, tmp_path, discord) as process:
            await discord.ready(within=20)
            alice = discord.member("Alice")
            # Small and large ones, more than the bot keeps answers of.
            small, large = (5, 3) if benchmark.disabled else (200, 100)
            many = (f"{attackers} 1900" for attackers in range(1500, 1500 + large))
            hard = ("icons AAD,ADD,A,D,-,- 100 100", "600 600 late", "1200 1200 value:600", "1000000 1000000")
            for line in (*itertools.islice(fresh, small), *many, "1999 1999", "1900 1999 stop:3", *hard):
                await alice.sends("battle", matchup=line)
            await alice.sends("roll", matchup="900 900")
            await alice.sends("table", matchup="1400 1400")
            return [share(process.pid), max(share(child) for child in children(process.pid))]

    sizes: list[list[float]] = []
    repeat(benchmark, lambda: sizes.append(asyncio.run(use())), 1)
    benchmark.extra_info["memory, MB"] = sizes[0]
    print(f"\nafter 200 battles and 100 large ones: the bot {sizes[0][0]:.0f} MB, a worker {sizes[0][1]:.0f} MB")
