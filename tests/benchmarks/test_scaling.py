"""What the model of large bots is computed from: processor time, turns at the database, and memory; see `scaling.py`.

    .venv/bin/pytest tests/benchmarks/test_scaling.py --benchmark-enable -s

This writes the numbers into tests/data/scaling.json and the tables into docs/scaling.md. The bot is a process of its
own with two workers, over PostgreSQL and Redis, and is asked one thing after another. In an ordinary test run a few
questions see that this still works, and nothing is written.
"""

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import redis.asyncio
from pytest_benchmark.fixture import BenchmarkFixture

from tests.benchmarks.scaling import KINDS, WAYS, Cost, Measured, Way
from tests.benchmarks.scaling_page import write_page
from tests.benchmarks.test_capacity import lines, worked
from tests.fake_discord import FakeDiscord, Person
from tests.fake_discord.gateway import GUILDS
from tests.fake_discord.wire import Json
from tests.fake_discord.world import THREAD
from tests.helpers import servers
from tests.helpers.bot.http_bots import HOST, is_open, register
from tests.helpers.counted_link import Counted, counted_link
from tests.helpers.memory import family, share, started
from tests.helpers.program import LONGEST, Program, children, started_program, until
from tests.helpers.speed import repeat

QUESTIONS, SERVERS, MESSAGES, SHARDS = 200, 1000, 10_000, 4
CHANNELS, ROLES, THREADS, EMOJIS = 30, 20, 10, 20
"""How many a server has."""
TYPED = "12", "12 9", "12 9 b", "12 9 bombers", "20 17 st", "8 8", "5 6 reserve", "30 25"
BETWEEN = 5.0
"""Seconds that Discord wants between two identifies."""
QUIET = 0.5
"""Seconds without a turn at the database after which everything is done that a question leads to."""

PEOPLE = 10

Ask = Callable[[Person, int], Awaitable[Any]]


class Bench:
    """A bot and its servers, and what they have taken so far."""

    def __init__(self, process: Program, postgres: servers.Postgres, link: Counted, cache: servers.Redis) -> None:
        self.process, self._postgres, self._link, self._cache = process, postgres, link, cache

    async def taken(self) -> Cost:
        """Everything since the start, once nothing more comes of what was asked."""
        before = -1
        while before != (before := self._link.turns):  # noqa: ASYNC110 - only the link knows
            await asyncio.sleep(QUIET)
        assert self._postgres.process
        database = self._postgres.process.pid
        return Cost(
            own=1000 * worked(self.process.pid),
            workers=1000 * sum(worked(one) for one in children(self.process.pid)),
            database=1000 * sum(worked(one, with_ended=True) for one in (database, *started(database))),
            turns=self._link.turns,
            writes=self._link.commits,
            redis=await self._requests(),
        )

    async def _requests(self) -> int:
        """How many requests Redis has had: of those for limits, each runs a script with one SET or DEL."""
        async with redis.asyncio.Redis.from_url(self._cache.address) as client:
            stats = await client.info("commandstats")
        return sum(stats.get(f"cmdstat_{name}", {"calls": 0})["calls"] for name in ("getrange", "set", "del"))

    async def cost(self, ask: Ask, people: Sequence[Person], number: int) -> Cost:
        """What each of so many questions takes, after some that prepare the statements of each connection."""
        first, before = number // 10, await self.taken()
        for one in range(first + number):
            if one == first:
                before = await self.taken()
            await ask(people[one % PEOPLE], one)
        return (await self.taken()).since(before, number)

    async def costs(self, discord: FakeDiscord, number: int) -> dict[str, Cost]:
        """What each kind of question takes. Every press is in a battle of its own, whose message may change at once."""
        people = [discord.member(f"P{number}") for number in range(PEOPLE)]
        new = list(itertools.islice(lines(), 2 * number))
        begun = []
        # For two seconds, further suggestions in a server need not ask the database.
        elsewhere = [discord.member("Typist", guild=discord.add_guild("A Table")) for _ in range(2 * number)]

        async def roll(person: Person, _number: int) -> None:
            begun.append(await person.sends("roll", matchup="60 55"))

        asks: dict[str, Ask] = {
            "new": lambda person, one: person.sends("battle", matchup=new[one]),
            "known": lambda person, _one: person.sends("battle", matchup=new[0]),
            "suggestion": lambda _person, one: elsewhere[one].types("battle", matchup=TYPED[one % len(TYPED)]),
            "roll": roll,
            "press": lambda person, one: person.presses(begun[one], "Roll"),
        }
        assert tuple(asks) == KINDS
        await people[0].sends("battle", matchup="3 2")
        return {kind: await self.cost(ask, people, number) for kind, ask in asks.items()}

    def megabytes(self) -> float:
        """How much memory the bot and its workers have."""
        return sum(map(share, family(self.process.pid)))

    def worked(self) -> float:
        """Seconds of a processor that the bot and its workers have worked."""
        return sum(map(worked, family(self.process.pid)))


@asynccontextmanager
async def bench(
    discord: FakeDiscord, way: str, folder: Path, postgres: servers.Postgres, cache: servers.Redis
) -> AsyncIterator[Bench]:
    """A bot that has just started, with or without shards, on a database that has its tables."""
    address, port = postgres.fresh(), servers.free_port()
    await register(discord, folder, SANDTABLE_DATABASE=address)
    async with counted_link(postgres.port) as link:
        more = {
            "SANDTABLE_DATABASE": address.replace(f":{postgres.port}/", f":{link.port}/"),
            "SANDTABLE_REDIS": cache.address,
            "SANDTABLE_HTTP_PORT": str(port),
            "SANDTABLE_MOST_BATTLES": "10000",
            "SANDTABLE_WORKERS": "2",
            "SANDTABLE_LOG": "WARNING",
        }
        async with started_program(discord.token, folder, discord, way, **more) as process:
            if way == "http":
                await is_open(f"http://{HOST}:{port}", process)
                discord.doors.addresses.append(f"http://{HOST}:{port}")
            else:
                await discord.ready(within=LONGEST)
            yield Bench(process, postgres, link, cache)


def a_server(discord: FakeDiscord) -> Json:
    """What Discord tells of a server of the usual size: channels with two rules each, roles, threads and emojis."""
    world = discord.world
    guild = world.add_guild("Another Table")
    for number in range(CHANNELS):
        world.add_channel(guild, f"channel-{number}")
    for number in range(THREADS):
        world.add_channel(guild, f"thread {number}", THREAD, guild.channel)
    for number in range(ROLES):
        world.add_role(guild, f"Role {number}")
    event = guild.payload(world.bot)
    for channel in event["channels"]:
        rules = [{"id": role["id"], "type": 0, "allow": "1024", "deny": "2048"} for role in event["roles"][:2]]
        channel |= {"topic": f"All about {channel['name']}", "permission_overwrites": rules}
    flags: Json = {"roles": [], "require_colons": True, "managed": False, "animated": False, "available": True}
    event["emojis"] = [{"id": str(guild.id + number), "name": f"emoji{number}", **flags} for number in range(EMOJIS)]
    return event


async def hold(discord: FakeDiscord, bot: Bench, number: int) -> tuple[float, float]:
    """Seconds of a processor for a thousand servers that Discord tells of, and the megabytes that they take."""
    alice = discord.member("Alice")
    found = []
    for _ in range(2):  # the first time what is read and forgotten needs memory too
        before, size = bot.worked(), bot.megabytes()
        for _ in range(number):
            event = a_server(discord)
            guild = discord.world.guilds[int(event["id"])]
            discord.gateway.dispatch("GUILD_CREATE", event, guild=guild, intent=GUILDS)
        await alice.sends("battle", matchup="3 2", within=LONGEST)
        found.append((1000 * (bot.worked() - before) / number, 1000 * (bot.megabytes() - size) / number))
    return found[-1]


async def hear(discord: FakeDiscord, bot: Bench, number: int) -> float:
    """Milliseconds of a processor for each message that people write to each other."""
    alice = discord.member("Alice")
    await bot.taken()  # so that nothing of before is still at work
    before = bot.worked()
    for _ in range(number):
        await alice.says("over here", reply=False)
    await alice.sends("battle", matchup="3 2", within=LONGEST)
    return 1000 * (bot.worked() - before) / number


async def identify(folder: Path, postgres: servers.Postgres, shards: int) -> float:
    """Seconds from one identify to the next, of two processes that start at once, each with half of the shards."""
    address, half = postgres.fresh(), shards // 2
    async with FakeDiscord(openapi=False, shards=shards) as discord:
        discord.gateway.starts.every = BETWEEN
        await register(discord, folder, SANDTABLE_DATABASE=address)
        more = {"SANDTABLE_DATABASE": address, "SANDTABLE_LOG": "WARNING"}
        one, other = (f"{first}-{first + half - 1}/{shards}" for first in (0, half))
        async with (
            started_program(discord.token, folder / "one", discord, SANDTABLE_SHARDS=one, **more),
            started_program(discord.token, folder / "other", discord, SANDTABLE_SHARDS=other, **more),
        ):
            await until(lambda: discord.gateway.identified == 1)
            began = time.monotonic()
            await until(lambda: discord.gateway.identified == shards)
            assert discord.gateway.starts.refused == 0
            return (time.monotonic() - began) / (shards - 1)


async def measure(folder: Path, postgres: servers.Postgres, cache: servers.Redis, part: float) -> Measured:
    """All that is measured, with so large a part of the questions and servers."""
    costs: dict[Way, dict[str, Cost]] = {}
    start: dict[Way, float] = {}
    rest: dict[Way, float] = {}
    heard = told = held = 0.0
    for way in WAYS:
        async with redis.asyncio.Redis.from_url(cache.address) as client:
            await client.flushall()  # so that both ways find nothing there
        async with FakeDiscord(openapi=False) as discord, bench(discord, way, folder / way, postgres, cache) as bot:
            start[way], rest[way] = bot.worked(), bot.megabytes()
            costs[way] = await bot.costs(discord, int(part * QUESTIONS))
            if way == "discord":
                heard = await hear(discord, bot, int(part * MESSAGES))
                told, held = await hold(discord, bot, int(part * SERVERS))
    between = await identify(folder, postgres, SHARDS if part == 1 else 2)
    return Measured(costs, start, rest, heard, told, held, between)


def test_the_measurements_of_the_scaling_model(
    benchmark: BenchmarkFixture, tmp_path: Path, postgres: servers.Postgres, redis: servers.Redis
) -> None:
    found: list[Measured] = []
    part = 0.01 if benchmark.disabled else 1
    repeat(benchmark, lambda: found.append(asyncio.run(measure(tmp_path, postgres, redis, part))), 1)
    assert found[0].identify > BETWEEN
    if not benchmark.disabled:
        found[0].keep()
        write_page()
