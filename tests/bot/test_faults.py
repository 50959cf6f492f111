"""Faults of PostgreSQL and Redis under real processes: who asks is answered meanwhile, and soon all is as before."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from pathlib import Path
from signal import SIGCONT, SIGINT, SIGKILL, SIGSTOP, Signals

import pytest
from redis.asyncio import Redis as Client

from bot.settings import Settings
from tests.fake_discord import BUSY, FakeDiscord, Guild, Person
from tests.helpers import servers
from tests.helpers.bot.crowd import Crowd
from tests.helpers.bot.http_bots import http_program, register
from tests.helpers.extent import pick
from tests.helpers.program import AS_THEY_ARE, LONGEST, Program, program
from tests.helpers.silent_link import silent_link

pytestmark = pytest.mark.trial

HASTY = {f"bot.store.{where}.LONGEST_CHECK": 0.5 for where in ("owners", "presence")}
HASTY |= {"bot.store.postgres.LONGEST_CONNECT": 2.0, "bot.store.postgres.LONGEST_ANSWER": 2.0}
"""Less patience than there is, for tests in which PostgreSQL does not answer."""
SHARING = {"bot.work.shared_cache.AWAY": 0.3, "bot.work.shared_cache.LONGEST_WAIT": 1.0}
MOST = 2
"""How much one person may ask in a minute, where that is tried."""


@pytest.fixture
async def discord() -> AsyncIterator[FakeDiscord]:
    async with FakeDiscord(shards=2, slack=BUSY) as fake:
        yield fake


@asynccontextmanager
async def two_processes(
    mode: str, discord: FakeDiscord, data: Path, constants: Mapping[str, float] = AS_THEY_ARE, /, **given: str
) -> AsyncIterator[list[Program]]:
    """Two processes over one database, with a shard each or with none."""
    processes: list[Program] = []
    async with AsyncExitStack() as stack:
        for number in (0, 1):
            own, folder = {"SANDTABLE_SHARDS": f"{number}/2"}, data / str(number)
            if mode == "discord":
                processes.append(
                    await stack.enter_async_context(program(discord.token, folder, discord, constants, **given, **own))
                )
            else:
                processes.append(
                    (await stack.enter_async_context(http_program(folder, discord, constants, **given)))[0]
                )
        if mode == "discord":
            await discord.ready()
        else:
            await register(discord, data / "register", **given)
        yield processes


async def ended(processes: list[Program]) -> list[str]:
    """What processes have logged, which end in order, and of which no line is a fault."""
    told = []
    for process in processes:
        assert process.returncode is None
        process.terminate()
    for process in processes:
        _, errors = await asyncio.wait_for(process.communicate(), LONGEST)
        told.append(errors.decode())
        assert (process.returncode, "closed in order" in told[-1]) == (0, True)
        for word in ("Traceback", "ERROR", "fault"):
            assert word not in told[-1], told[-1]
    return told


# PostgreSQL


ENDS = [("discord", SIGKILL), ("discord", SIGINT), ("http", SIGKILL)]


@pytest.mark.parametrize(("mode", "how"), pick(ENDS[:1], ENDS))
async def test_the_database_ends_and_comes_back(
    mode: str,
    how: Signals,
    discord: FakeDiscord,
    tables: list[Guild],
    postgres: servers.Postgres,
    shared: str,
    settings: Settings,
    tmp_path: Path,
) -> None:
    async with two_processes(mode, discord, tmp_path, SANDTABLE_DATABASE=shared) as processes:
        crowd = Crowd(discord, tables)
        async with crowd.at_work():
            await crowd.until_each_has(2, "odds", "rolls", "suggestions")
            postgres.stop(how)
            try:
                await crowd.until_each_has(3, "odds", "refusals", "suggestions")
            finally:
                postgres.start()
            await crowd.until_each_has(3, "odds", "rolls", "suggestions")
        await crowd.check_logs(shared, settings)
        for told in await ended(processes):
            assert told.count("WARNING bot.store.connections: the database cannot be reached") <= 2


@pytest.mark.whole
@pytest.mark.parametrize("mode", ["discord", "http"])
async def test_the_database_falls_silent(
    mode: str,
    discord: FakeDiscord,
    tables: list[Guild],
    postgres: servers.Postgres,
    shared: str,
    settings: Settings,
    tmp_path: Path,
) -> None:
    async with silent_link(postgres.port) as link:
        address = shared.replace(f":{postgres.port}/", f":{link.port}/")
        async with two_processes(mode, discord, tmp_path, HASTY, SANDTABLE_DATABASE=address) as processes:
            crowd = Crowd(discord, tables)
            async with crowd.at_work():
                await crowd.until_each_has(1, "odds", "rolls", "suggestions")
                link.cut()
                await crowd.until_each_has(2, "odds", "rolls", "suggestions")
                link.silence()
                await crowd.until_each_has(1, "odds", "refusals", "suggestions")
                link.speak()
                await crowd.until_each_has(2, "odds", "rolls", "suggestions")
            await crowd.check_logs(shared, settings)
            await ended(processes)


@pytest.mark.whole
async def test_a_process_ends_though_the_database_is_silent(
    discord: FakeDiscord, postgres: servers.Postgres, shared: str, tmp_path: Path
) -> None:
    async with silent_link(postgres.port) as link:
        given = {"SANDTABLE_DATABASE": shared.replace(f":{postgres.port}/", f":{link.port}/")}
        hasty = HASTY | {"bot.store.connections.PATIENCE": 0.5}
        async with two_processes("discord", discord, tmp_path, hasty, **given) as processes:
            people = [discord.member(f"P{number}") for number in range(8)]
            await asyncio.gather(*(person.sends("roll", matchup="9 8") for person in people))
            link.silence()
            await ended(processes)


# Redis


async def test_redis_is_full_hangs_loses_its_keys_and_is_restarted(
    discord: FakeDiscord, tables: list[Guild], shared: str, tmp_path: Path
) -> None:
    if reason := servers.no_redis():
        pytest.skip(reason)
    with servers.redis() as redis:
        given = {"SANDTABLE_DATABASE": shared, "SANDTABLE_REDIS": redis.address}
        given |= {"SANDTABLE_MOST_PER_MINUTE_USER": f"{MOST}"}
        async with (
            two_processes("discord", discord, tmp_path, SHARING, **given) as processes,
            Client.from_url(redis.address) as there,
        ):
            asking = Asking(discord, tables)
            await asking.until_all_is_shared()
            await there.config_set("maxmemory", 1)
            while not (await there.info("errorstats")).get("errorstat_OOM"):
                await asking.ask_all()
            await asking.check_limits()
            await there.config_set("maxmemory", 0)
            await asking.until_all_is_shared()
            redis.send(SIGSTOP)
            await asking.check_limits()
            redis.send(SIGCONT)
            await asking.until_all_is_shared()
            await there.flushall()
            await asking.check_limits()
            await asking.until_all_is_shared()
            redis.stop()
            await asking.check_limits()
            redis.start()
            await asking.until_all_is_shared()
            for told in await ended(processes):
                assert told.count("WARNING bot.work.shared_cache") < 8


class Asking:
    """People who ask as often as they may, in a server of each process."""

    def __init__(self, discord: FakeDiscord, tables: list[Guild]) -> None:
        self._discord, self._tables = discord, tables
        self._people, self._armies = count(), count(20)

    async def ask_all(self) -> None:
        """Ask something new in each server."""
        for table in self._tables:
            assert await self._ask(self._somebody(table), self._new_line())

    async def check_limits(self) -> None:
        """Each process answers as much as one person may ask, and no more."""
        for table in self._tables:
            person = self._somebody(table)
            assert [await self._ask(person, self._new_line()) for _ in range(MOST + 1)] == [True] * MOST + [False]

    async def until_all_is_shared(self) -> None:
        """Until a process knows of a limit that is used up in the other."""
        while True:
            person = self._somebody(self._tables[0])
            assert all([await self._ask(person, self._new_line()) for _ in range(MOST)])
            person = person.moves(self._tables[1].channel)
            if not all([await self._ask(person, self._new_line()) for _ in range(MOST)]):
                return

    async def _ask(self, person: Person, line: str) -> bool:
        """Whether an answer comes, rather than a refusal as that was too much."""
        shown = await person.sends("battle", matchup=line)
        assert (line in shown.content) != ("You are sending too many requests" in shown.content)
        return line in shown.content

    def _somebody(self, table: Guild) -> Person:
        return self._discord.member(f"P{next(self._people)}", guild=table)

    def _new_line(self) -> str:
        number = next(self._armies)
        return f"{number % 97 + 2} {number % 89 + 2}"
