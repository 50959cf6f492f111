"""The locks on shards: a start waits a little for one that is taken, and the connection with them is kept alive."""

import asyncio
import socket

import pytest

from bot.settings import Shards
from bot.store import owners
from bot.store.owners import LockTakenError, ShardLocks, hold_shards
from bot.store.postgres import KEEPALIVE

FIRST = Shards(0, 0, 2)


def nobody() -> None:
    raise AssertionError


async def test_a_start_takes_a_shard_as_soon_as_it_is_released(shared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owners, "RETRY_EVERY", 0.01)
    monkeypatch.setattr(owners, "LONGEST_START", 60)
    tried: list[ShardLocks] = []
    take = ShardLocks.take

    async def note(self: ShardLocks) -> None:
        tried.append(self)
        await take(self)

    monkeypatch.setattr(ShardLocks, "take", note)
    async with hold_shards(shared, "ours", FIRST, nobody):
        second = asyncio.create_task(ShardLocks(shared, "ours", FIRST).take_at_start())
        while len(tried) < 4:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert not second.done()
    await second
    await tried[-1].release()


async def test_a_start_is_refused_while_its_shard_stays_taken(shared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert owners.LONGEST_START == 5
    monkeypatch.setattr(owners, "RETRY_EVERY", 0.01)
    monkeypatch.setattr(owners, "LONGEST_START", 0.05)
    async with hold_shards(shared, "ours", FIRST, nobody):
        with pytest.raises(LockTakenError, match="runs shard 0 of 2 of this bot already"):
            await ShardLocks(shared, "ours", FIRST).take_at_start()


async def test_the_system_keeps_the_connection_with_the_locks_alive(shared: str) -> None:
    owner = ShardLocks(shared, "ours", FIRST)
    await owner.take_at_start()
    assert owner._connection is not None
    raw = (await owner._connection.get_raw_connection()).driver_connection
    assert raw is not None
    link = raw._transport.get_extra_info("socket")
    assert link.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    found = {name: link.getsockopt(socket.IPPROTO_TCP, getattr(socket, name)) for name in KEEPALIVE}
    assert found == KEEPALIVE
    await owner.release()
