"""Turns to identify: the shards of all processes connect one after the other, and as many as Discord allows."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import discord as library
import pytest
from discord.gateway import KeepAliveHandler
from sqlalchemy import TextClause, text

from bot.background import cancel
from bot.discord_app.gateway import shards
from bot.discord_app.gateway.shards import ShardedClient
from bot.store import identify_turns
from bot.store.database import Store, open_store
from bot.store.identify_turns import IdentifyTurns
from bot.store.postgres import IDENTIFIES
from tests.fake_discord import BUSY, FakeDiscord
from tests.fake_discord.gateway import Starts
from tests.fake_discord.running import run
from tests.helpers import servers
from tests.helpers.program import LONGEST, program, until

EVERY = identify_turns.TURN / 4
"""What our Discord wants between two identifies: less than processes keep, as one may be late on a busy machine."""
SHARDS = 6


@pytest.fixture
async def discord() -> AsyncIterator[FakeDiscord]:
    async with FakeDiscord(shards=SHARDS, slack=BUSY) as fake:
        fake.gateway.starts.every = EVERY
        fake.gateway.starts.reset_after = 0.01
        yield fake


def client_of(turns: IdentifyTurns | None, *ids: int) -> ShardedClient:
    """The client of a process with these shards."""
    return ShardedClient(
        turns,
        intents=library.Intents(guilds=True),
        shard_ids=list(ids),
        shard_count=SHARDS,
        guild_ready_timeout=0.01,
    )


async def start_all(discord: FakeDiscord, clients: list[ShardedClient]) -> None:
    """Start processes at once, with discord.py's own hook, and end them when all their shards are ready."""
    with discord.redirected(hurry=False):
        async with AsyncExitStack() as stack:
            await asyncio.gather(
                *(stack.enter_async_context(run(client, discord.token, discord.ready)) for client in clients)
            )


async def test_discord_refuses_programs_that_do_not_take_turns(discord: FakeDiscord, tmp_path: Path) -> None:
    discord.gateway.starts.every = LONGEST
    async with AsyncExitStack() as stack:
        for number in range(3):  # each has a database of its own
            given = {"SANDTABLE_SHARDS": f"{number}/6"}
            await stack.enter_async_context(program(discord.token, tmp_path / str(number), discord, **given))
        await until(lambda: discord.gateway.starts.refused >= 2)
    assert discord.gateway.identified == 1


@pytest.mark.parametrize("lines", [1, 2])
async def test_the_shards_of_all_processes_identify_once_each_in_turn(
    discord: FakeDiscord, shared: str, lines: int
) -> None:
    discord.gateway.starts.lines = lines
    await start_all(discord, [client_of(IdentifyTurns(shared), first, first + 1) for first in (0, 2, 4)])
    starts = discord.gateway.starts
    assert (discord.gateway.identified, starts.refused, starts.total - starts.remaining) == (SHARDS, 0, SHARDS)


async def test_programs_that_start_at_once_identify_in_turn(discord: FakeDiscord, shared: str, tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        for number, own in enumerate(("0-1/6", "2-3/6", "4-5/6")):
            given = {"SANDTABLE_DATABASE": shared, "SANDTABLE_SHARDS": own}
            await stack.enter_async_context(program(discord.token, tmp_path / str(number), discord, **given))
        await discord.ready()
    assert (discord.gateway.identified, discord.gateway.starts.refused) == (SHARDS, 0)


async def test_a_session_that_ends_is_started_anew_in_turn(discord: FakeDiscord, shared: str) -> None:
    clients = [client_of(IdentifyTurns(shared), 0, 1, 2), client_of(IdentifyTurns(shared), 3, 4, 5)]
    with discord.redirected(hurry=False):
        async with AsyncExitStack() as stack:
            await asyncio.gather(*(stack.enter_async_context(run(c, discord.token, discord.ready)) for c in clients))
            await discord.invalidate_session()
            await discord.ready()
    assert (discord.gateway.identified, discord.gateway.starts.refused) == (2 * SHARDS, 0)


# One turn


async def test_turns_follow_the_time_before_in_the_order_of_asking(shared: str) -> None:
    waiting = [IdentifyTurns(shared) for _ in range(3)]
    assert await waiting[0].take(0)
    order: list[int] = []

    async def wait(number: int) -> None:
        assert await waiting[number].take(0)
        order.append(number)
        assert await waiting[number].use(0)

    others = [asyncio.create_task(wait(1))]
    await in_line(shared, 1)
    others.append(asyncio.create_task(wait(2)))
    await in_line(shared, 2)
    before = time.monotonic()
    assert await waiting[0].use(0)
    await asyncio.gather(*others)
    assert order == [1, 2]
    assert time.monotonic() - before >= 2 * identify_turns.TURN
    other = IdentifyTurns(shared)
    assert await other.take(1), "another line"
    await other.give_back()


async def in_line(address: str, count: int) -> None:
    """Wait until so many wait for a turn."""
    waiting = text(f"SELECT count(*) FROM pg_locks WHERE classid = {IDENTIFIES} AND NOT granted")
    async with open_store(address) as store:
        while await ask(store, waiting) < count:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def ask(store: Store, query: TextClause) -> int:
    """What the database answers."""
    async with store.battles._connections.read() as connection:
        return int(await connection.scalar(query) or 0)


@pytest.mark.parametrize("used", [False, True])
async def test_a_process_that_ends_in_its_turn_holds_up_no_other(shared: str, used: bool) -> None:
    dying, next_one = IdentifyTurns(shared), IdentifyTurns(shared)
    assert await dying.take(0)
    before = time.monotonic()
    if used:
        assert await dying.use(0)
    else:
        await dying.give_back()
    assert await next_one.take(0)
    assert not used or time.monotonic() - before >= identify_turns.TURN
    await next_one.give_back()


async def test_an_unused_turn_goes_to_the_next_process(shared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identify_turns, "LONGEST_UNUSED", 0.1)
    hanging, next_one = IdentifyTurns(shared), IdentifyTurns(shared)
    assert await hanging.take(0)
    monkeypatch.setattr(identify_turns, "LONGEST_UNUSED", 600)
    assert await next_one.take(0)
    assert not await hanging.use(0)
    assert await next_one.use(0)


@pytest.mark.whole
async def test_without_the_database_there_are_no_turns(postgres: servers.Postgres, shared: str) -> None:
    turns = IdentifyTurns(shared)
    assert await turns.take(0)
    postgres.stop()
    try:
        assert not await turns.use(0)
        assert not await turns.take(0)
        assert turns.is_away
    finally:
        postgres.start()
    assert await turns.take(0)
    assert not turns.is_away
    await turns.give_back()


async def test_a_reconnecting_shard_waits_locally_without_the_database(
    discord: FakeDiscord, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(shards, "LONGEST_IN_LINE", 0.1)
    client = client_of(IdentifyTurns("postgresql://sandtable@127.0.0.1:1/nowhere"), 0)
    discord.gateway.shards = 1
    async with discord.running(client):
        assert client.shard_states[0] in ("connecting", "ready")
    assert "shard 0 identifies without a turn, as the database does not answer" in caplog.text


async def test_a_shard_that_waits_too_long_connects_again(
    discord: FakeDiscord, shared: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(identify_turns, "LONGEST_UNUSED", 600)
    client, other = client_of(IdentifyTurns(shared), 0), IdentifyTurns(shared)
    async with discord.running(client):
        assert await other.take(0)
        monkeypatch.setattr(shards, "LONGEST_IN_LINE", 0.1)
        await discord.invalidate_session()
        await until(lambda: "Attempting a reconnect for shard ID 0" in caplog.text)
        assert client.shard_states[0] in ("waiting", "closed")
        monkeypatch.setattr(shards, "LONGEST_IN_LINE", LONGEST)
        await other.give_back()
        await discord.ready([0])
    assert (discord.gateway.identified, discord.gateway.starts.refused) == (2, 0)


# As many as Discord allows


async def test_a_start_with_too_few_identifies_logs_and_waits(
    discord: FakeDiscord, caplog: pytest.LogCaptureFixture
) -> None:
    discord.gateway.starts.every = 0
    discord.gateway.starts.remaining = 1
    client = client_of(None, 0, 1)
    told = "Discord allows 1 identifies until its reset and 2 are needed: they wait"
    with discord.redirected():
        async with run(client, discord.token, lambda: until(lambda: told in caplog.text)):
            assert client.shard_states == {0: "waiting", 1: "waiting"}
            assert discord.gateway.identified == 0
            assert client.seconds_without_progress == 0
            discord.gateway.starts.remaining = 1000
            await discord.ready([0, 1])


async def test_a_shard_that_finds_no_identify_left_in_its_turn_waits(
    discord: FakeDiscord, shared: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    spend = Starts.spend

    def spend_all(starts: Starts, shard: int) -> bool:
        taken = spend(starts, shard)
        starts.remaining = 0  # another process has used the rest
        monkeypatch.setattr(Starts, "spend", spend)
        return taken

    monkeypatch.setattr(Starts, "spend", spend_all)
    discord.gateway.starts.remaining = 2
    told = "Discord allows 0 identifies until its reset and 1 are needed: they wait"
    with discord.redirected():
        async with run(
            client_of(IdentifyTurns(shared), 0, 1), discord.token, lambda: until(lambda: told in caplog.text)
        ):
            assert discord.gateway.identified == 1
            discord.gateway.starts.remaining = 1000
            await discord.ready([0, 1])


async def test_discord_is_asked_again_only_if_identifies_may_be_used_up(discord: FakeDiscord, shared: str) -> None:
    await start_all(discord, [client_of(IdentifyTurns(shared), *range(SHARDS))])
    assert len(discord.requests_to("GET /gateway/bot")) == 1


async def test_stopping_while_a_shard_waits_leaves_no_heartbeat(
    discord: FakeDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_of(None, 0)

    def hearts() -> list[KeepAliveHandler]:
        threads = [thread for thread in threading.enumerate() if isinstance(thread, KeepAliveHandler)]
        return [thread for thread in threads if thread.ws._connection is client._connection]

    async def wait(_shard: int) -> bool:
        await asyncio.Event().wait()
        return True

    monkeypatch.setattr(client, "_use_turn", wait)
    with discord.redirected():
        life = asyncio.create_task(client.start(discord.token))
        await until(lambda: bool(hearts()))
        await cancel(life)
        await client.close()
    await until(lambda: not hearts())
