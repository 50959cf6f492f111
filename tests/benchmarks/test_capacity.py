"""How much one process carries: processor time for each command, and memory for each thousand servers.

    .venv/bin/pytest tests/benchmarks/test_capacity.py --benchmark-enable -s

The bot is a process of its own here, with one worker, so that what the stand-in for Discord takes does not count. In an
ordinary test run a few commands and servers see that this still works.
"""

import asyncio
import itertools
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tests.fake_discord import FakeDiscord
from tests.fake_discord.gateway import GUILDS
from tests.helpers import servers
from tests.helpers.program import Program, children, started_program
from tests.helpers.speed import repeat, resident

CHANNELS, ROLES = 30, 20
"""How many a simulated server has."""


def lines() -> Iterator[str]:
    """Battles nobody has asked for yet, of the size that people ask for."""
    return (f"{a} {d} {ships}" for ships in ("bombers:2", "") for a, d in itertools.product(range(5, 45), range(5, 45)))


def processor(process: Program) -> float:
    """Seconds of a processor that the bot and its workers have taken."""
    return sum(map(worked, (process.pid, *children(process.pid))))


def worked(process: int, with_ended: bool = False) -> float:
    """Seconds of a processor that one process has taken, with those that it started and that have ended if asked."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11 : 15 if with_ended else 13])) / os.sysconf("SC_CLK_TCK")


@asynccontextmanager
async def bot(folder: Path, **more: str) -> AsyncIterator[tuple[FakeDiscord, Program]]:
    async with (
        FakeDiscord(openapi=False) as discord,
        started_program(discord.token, folder, discord, SANDTABLE_LOG="WARNING", **more) as process,
    ):
        await discord.ready(within=20)
        await discord.member("Alice").sends("battle", matchup="3 2")
        yield discord, process


async def ask(discord: FakeDiscord, process: Program, asked: list[str]) -> float:
    """Milliseconds of a processor for each of these, asked one after another."""
    alice = discord.member("Alice")
    before = processor(process)
    for line in asked:
        await alice.sends("battle", matchup=line)
    return 1000 * (processor(process) - before) / len(asked)


async def hear(discord: FakeDiscord, process: Program, number: int) -> float:
    """Milliseconds of a processor for each message that people write to each other, of which Discord tells the bot."""
    alice = discord.member("Alice")
    before = processor(process)
    for _ in range(number):
        await alice.says("over here", reply=False)
    await alice.sends("battle", matchup="3 2")
    return 1000 * (processor(process) - before) / number


async def grow(discord: FakeDiscord, process: Program, number: int) -> int:
    """Megabytes the bot keeps in so many more servers."""
    for _ in range(number):
        guild = discord.world.add_guild("Another Table")
        for channel in range(CHANNELS):
            discord.world.add_channel(guild, f"channel-{channel}")
        for role in range(ROLES):
            discord.world.add_role(guild, f"Role {role}")
        event = guild.payload(discord.world.bot)
        discord.gateway.dispatch("GUILD_CREATE", event, guild=guild, intent=GUILDS)
    await discord.member("Alice").sends("battle", matchup="3 2", within=60)
    return resident(process.pid)


async def alone(folder: Path, number: int, **more: str) -> dict[str, float]:
    """What a bot takes, a new battle first."""
    new = list(itertools.islice(lines(), number))
    async with bot(folder, **more) as (discord, process):
        return {
            "ms for a new battle": await ask(discord, process, new),
            "ms for a battle asked for before": await ask(discord, process, new[-1:] * number),
            "ms for a message heard": await hear(discord, process, 10 * number),
            "MB": await grow(discord, process, 0),
            f"MB in {number} more servers": await grow(discord, process, number),
            f"MB in {2 * number} more servers": await grow(discord, process, number),
        }


async def beside_another(folder: Path, number: int, redis: str) -> dict[str, float]:
    """What a bot takes that finds what another was asked for."""
    new = list(itertools.islice(lines(), number))
    for name in ("one", "other"):
        async with bot(folder / name, SANDTABLE_REDIS=redis) as (discord, process):
            taken = await ask(discord, process, new)
    return {"ms for a battle that another bot was asked for before": taken}


def test_the_load_of_a_single_process(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    found: dict[str, float] = {}
    repeat(benchmark, lambda: found.update(asyncio.run(alone(tmp_path, 3 if benchmark.disabled else 1000))), 1)
    tell(benchmark, found)


def test_the_load_of_a_process_beside_another(
    benchmark: BenchmarkFixture, tmp_path: Path, redis: servers.Redis
) -> None:
    if benchmark.disabled:
        pytest.skip("it is measured on demand only")
    found: dict[str, float] = {}
    repeat(benchmark, lambda: found.update(asyncio.run(beside_another(tmp_path, 1000, redis.address))), 1)
    tell(benchmark, found)


def tell(benchmark: BenchmarkFixture, found: dict[str, float]) -> None:
    assert all(value >= 0 for value in found.values())
    benchmark.extra_info.update(found)
    print("", *(f"{value:.2f} {what}" for what, value in found.items()), sep="\n")
