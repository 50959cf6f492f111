"""Limits of several processes over one Redis: what people ask of one counts for all, and nobody waits for that."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from redis.asyncio import Redis

from bot.settings import Settings, load
from bot.work import shared_cache
from bot.work.limits import Quotas, Rates
from bot.work.shared_cache import SharedCache
from tests.helpers import servers
from tests.helpers.program import LONGEST

ALICE = ("1", "guild:7")


@pytest.fixture
def sharing(settings: Settings, redis: servers.Redis, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setattr(shared_cache, "LONGEST_WAIT", LONGEST)
    few = {"most_per_minute_user": 3, "most_per_minute_server": 5, "most_seconds_user": 2, "most_seconds_server": 3}
    return load(data=settings.data, redis=redis.address, token="ours", **few)


@pytest.fixture
async def two(sharing: Settings, redis: servers.Redis) -> AsyncIterator[tuple[SharedCache, SharedCache]]:
    async with Redis.from_url(redis.address) as there:
        await there.flushdb()
    async with SharedCache(sharing) as one, SharedCache(sharing) as other:
        yield one, other


async def told(shared: SharedCache) -> None:
    """Wait until everything is told."""
    await asyncio.gather(*shared._writing)


async def test_questions_to_one_process_count_for_the_others(
    sharing: Settings, two: tuple[SharedCache, SharedCache]
) -> None:
    one, other = (Rates(sharing, shared) for shared in two)
    for _ in range(3):
        assert one.refusal(*ALICE) is None
    await told(two[0])
    assert other.refusal(*ALICE) is None, "the other process has not heard of it"
    await told(two[1])
    refusal = other.refusal(*ALICE)
    assert refusal
    assert "You are sending too many requests" in refusal.text


async def test_a_server_has_one_limit_over_all_processes(
    sharing: Settings, two: tuple[SharedCache, SharedCache]
) -> None:
    one, other = (Rates(sharing, shared) for shared in two)
    for person in "abcde":
        assert one.refusal(person, "guild:7") is None
    await told(two[0])
    assert other.refusal("f", "guild:7") is None
    await told(two[1])
    assert other.refusal("g", "guild:7")
    assert other.refusal("g", "guild:8") is None


async def test_seconds_of_workers_are_counted_and_given_back(
    sharing: Settings, two: tuple[SharedCache, SharedCache]
) -> None:
    one, other = (Quotas(sharing.most_seconds_user, sharing.most_seconds_server, "seconds", shared) for shared in two)
    one.count(*ALICE, 2.0)
    await told(two[0])
    other.count(*ALICE, 0.1)
    await told(two[1])
    assert other.wait(*ALICE, 1.0)[0] > 0
    other.count(*ALICE, -0.1)
    one.count(*ALICE, -2.0)
    await told(two[0])
    assert one.wait(*ALICE, 1.9)[0] == 0


async def test_redis_holds_no_names_of_people(
    sharing: Settings, two: tuple[SharedCache, SharedCache], redis: servers.Redis
) -> None:
    assert Rates(sharing, two[0]).refusal("123456789", "guild:987654321") is None
    await told(two[0])
    async with Redis.from_url(redis.address) as there:
        keys: list[Any] = await there.keys("*")
        assert len(keys) == 2
        assert not any(b"123456789" in key or b"987654321" in key for key in keys)
        assert all([0 < await there.pttl(key) <= 60_000 for key in keys]), "it goes away by itself"


async def test_without_redis_each_process_has_its_own_limit(sharing: Settings) -> None:
    away = load(data=sharing.data, redis="redis://127.0.0.1:1/0", token="ours")
    async with SharedCache(away) as shared:
        rates = Rates(sharing, shared)
        assert [rates.refusal(*ALICE) is None for _ in range(4)] == [True, True, True, False]
        await told(shared)
        assert rates.refusal("2", "guild:8") is None
        assert not shared._writing, "Redis is not asked again at once"
