"""Locks that end while their holder lives: it notices, and with whoever has them next it answers each event once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from time import monotonic

import pytest

from bot.discord_app.client import Client
from bot.request import Services
from bot.rooms import ROOMS
from bot.settings import Settings
from bot.store import owners, presence
from bot.store.database import open_store
from bot.store.owners import LockTakenError, ShardLocks, hold_shards
from bot.store.presence import hold_presence
from bot.work.engine import Engine
from tests.fake_discord import FakeDiscord
from tests.helpers import servers
from tests.helpers.bot.broken_databases import hang_up
from tests.helpers.program import LONGEST, until
from tests.helpers.silent_link import silent_link

FIRST_ANSWER = "POST /interactions/{interaction_id}/{interaction_token}/callback"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks for a lost connection by himself, or waits long for a lock."""
    monkeypatch.setattr(owners, "EVERY", LONGEST)
    monkeypatch.setattr(owners, "LEASE", 10 * LONGEST)
    monkeypatch.setattr(owners, "RETRY_EVERY", 0.02)


@asynccontextmanager
async def sure_holder(address: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ShardLocks]:
    """A process that has had its locks for long."""
    with monkeypatch.context() as patched:
        patched.setattr(owners, "SHARED_FOR", 0)
        async with hold_shards(address, "ours", None, lambda: None) as locks:
            assert not locks.shares(0)
            patched.undo()
            yield locks


async def test_a_process_shares_its_shards_as_soon_as_its_connection_ends(
    postgres: servers.Postgres, shared: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with sure_holder(shared, monkeypatch) as locks:
        with postgres.stopped():
            await until(lambda: locks.shares(0))
            assert not locks.ignores(0)
        await until(lambda: locks._is_sure)
        assert locks.shares(0), "somebody may have had them meanwhile"


async def test_a_process_shares_its_shards_after_a_long_silence(
    postgres: servers.Postgres, shared: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with silent_link(postgres.port) as link:
        over_link = shared.replace(f":{postgres.port}/", f":{link.port}/")
        async with sure_holder(over_link, monkeypatch) as locks:
            link.silence()
            link.cut()  # of which it hears nothing
            assert not locks.shares(0)
            monkeypatch.setattr(owners, "LEASE", 0.0)
            await until(lambda: locks.shares(0))


async def test_a_process_that_lost_its_locks_shares_and_then_ends(shared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owners, "LONGEST_START", LONGEST)
    monkeypatch.setattr(owners, "LONGEST_REFUSED", LONGEST)
    told = asyncio.Event()
    before = ShardLocks(shared, "ours", None)
    await before.take_at_start()
    await hang_up(shared)
    async with hold_shards(shared, "ours", None, lambda: None) as after:
        watching = asyncio.create_task(before.watch(told.set))
        assert [locks.shares(0) for locks in (before, after)] == [True, True]
        assert [locks.ignores(0) for locks in (before, after)] == [False, False]
        monkeypatch.setattr(owners, "LONGEST_REFUSED", 0)
        await asyncio.wait_for(told.wait(), LONGEST)
        await watching
    assert before.lost_to
    await before.release()


async def test_taking_lost_locks_waits_for_the_lease_of_the_last_holder(
    shared: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owners, "LEASE", 0.2)
    monkeypatch.setattr(owners, "EVERY", 0.02)
    async with hold_shards(shared, "ours", None, lambda: None) as locks:
        taken = locks._taken
        assert locks.shares(0)
        await locks.wait_until_claimed()
        assert monotonic() >= taken + 0.2
        monkeypatch.setattr(owners, "LEASE", 10 * LONGEST)
        async with hold_shards(shared, "ours", None, lambda: None, takes_over=True) as new:
            await asyncio.wait_for(new.wait_until_claimed(), LONGEST)
            assert not new.shares(0), "that one answers alone"


async def test_presence_is_renewed_soon_after_an_outage(
    postgres: servers.Postgres, shared: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "EVERY", LONGEST)
    monkeypatch.setattr(presence, "RETRY_EVERY", 0.02)
    async with hold_presence(shared) as one:
        before = one._connection
        with postgres.stopped():
            await until(lambda: one._connection is None)
        await until(lambda: one._connection not in (None, before))


@asynccontextmanager
async def client(settings: Settings, address: str, stop: asyncio.Event) -> AsyncIterator[tuple[Client, ShardLocks]]:
    """A process over PostgreSQL, as `serve` puts it together."""
    async with (
        hold_shards(address, "ours", None, stop.set) as locks,
        open_store(address) as store,
        Engine(settings, ROOMS, processes=False) as engine,
    ):
        client = Client(Services(settings, engine, lambda: store, ROOMS), locks=locks)
        yield client, locks
        await client.finish_answers()


async def test_two_processes_answer_once_after_a_database_restart(
    discord: FakeDiscord,
    postgres: servers.Postgres,
    shared: str,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(owners, "LONGEST_START", LONGEST)
    monkeypatch.setattr(owners, "LONGEST_REFUSED", LONGEST)
    alice, told = discord.member("Alice"), asyncio.Event()
    async with AsyncExitStack() as stack:
        stack.enter_context(suppress(LockTakenError))
        old, old_locks = await stack.enter_async_context(client(settings, shared, told))
        monkeypatch.setattr(owners, "LEASE", 0.0)
        await stack.enter_async_context(discord.running(old))
        take, may_take = old_locks.take, asyncio.Event()

        async def take_late() -> None:
            await may_take.wait()
            await take()

        with postgres.stopped():
            await until(lambda: old_locks._connection is None)
            monkeypatch.setattr(old_locks, "take", take_late)
        new, _new_locks = await stack.enter_async_context(client(settings, shared, asyncio.Event()))
        may_take.set()
        await stack.enter_async_context(discord.running(new))
        await until(lambda: len(discord.gateway.sessions) == 2 and new.is_ready())
        monkeypatch.setattr(owners, "LEASE", 10 * LONGEST)
        for _ in range(5):
            shown = await alice.sends("roll", matchup="12 9")
            await alice.presses(shown, "Roll")
            assert "79.0%" in (await alice.says("@bot 12 9")).content
        answered = [asked.params["interaction_id"] for asked in discord.requests_to(FIRST_ANSWER)]
        assert len(answered) == len(set(answered)) == 10
        monkeypatch.setattr(owners, "LONGEST_REFUSED", 0)
        await asyncio.wait_for(told.wait(), LONGEST)
