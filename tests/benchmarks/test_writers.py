"""Writers at a PostgreSQL that is 20 ms away: how much several processes write in a second, in one place and in many.

    .venv/bin/pytest tests/benchmarks/test_writers.py --benchmark-enable -s

Each process is a store of its own. What counts is the ratio: in one place every writer waits for the others, as all
writers of all places once did.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from bot.store.database import Store, open_store
from tests.helpers import servers
from tests.helpers.bot.rolled_battles import ALICE, fought
from tests.helpers.bot.setups import setup
from tests.helpers.slow_link import slow_link

PROCESSES, DELAY = 4, 0.02
Write = Callable[[Store, str, int], Awaitable[None]]


async def begin(store: Store, place: str, number: int) -> None:
    """Somebody begins a battle."""
    await store.battles.begin(fought(f"{place}-{number}", place), [ALICE._replace(user=str(number))], 500)


async def save(store: Store, place: str, number: int) -> None:
    """Somebody saves a set-up."""
    await store.save(place, setup(f"number {number}"), 500, manages=False)


@pytest.mark.parametrize("write", [begin, save])
def test_writers_of_different_places_do_not_wait_for_each_other(
    benchmark: BenchmarkFixture, postgres: servers.Postgres, write: Write
) -> None:
    many = 2 if benchmark.disabled else 100
    one, each = asyncio.run(rates(postgres.fresh(), write, many))
    benchmark.extra_info["times as many"] = each / one
    if not benchmark.disabled:
        print(f"\n{write.__name__}: {one:.1f} a second in one place, {each:.1f} in many: {each / one:.1f} times")
    benchmark(lambda: None)


async def rates(address: str, write: Write, many: int) -> tuple[float, float]:
    """How much all processes together write in a second, if all write in one place and if each writer has its own."""
    async with open_store(address):
        pass  # the tables are made without the delay
    port = address.rpartition(":")[2].partition("/")[0]
    async with AsyncExitStack() as stack:
        slow = await stack.enter_async_context(slow_link(int(port), DELAY))
        there = address.replace(f":{port}/", f":{slow}/")
        stores = [await stack.enter_async_context(open_store(there)) for _ in range(PROCESSES)]
        await rate(stores, write, [f"user:{n}" for n in range(many)], many)  # which opens the connections
        one = await rate(stores, write, ["guild:1"], many)
        return one, await rate(stores, write, [f"guild:{2 + n}" for n in range(many)], many)


async def rate(stores: list[Store], write: Write, places: list[str], many: int) -> float:
    """How much is written in a second by so many writers who begin at once."""
    began = time.perf_counter()
    await asyncio.gather(*(write(stores[n % PROCESSES], places[n % len(places)], n) for n in range(many)))
    return many / (time.perf_counter() - began)
