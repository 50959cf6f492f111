"""Writers at PostgreSQL: those of one place wait for each other, those of different places do not."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.errors import UserError
from bot.store import battles, postgres
from bot.store.database import Store, open_store
from bot.store.records import FullError
from tests.helpers.bot.rolled_battles import ALICE, fought, roll
from tests.helpers.bot.setups import setup

PLACES = [f"guild:{number}" for number in range(1, 9)]


@pytest.fixture
async def stores(shared: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[Store]]:
    """Two processes with three connections each, of which two can write."""
    async with open_store(shared, 3) as one, open_store(shared, 3) as two:
        yield [one, two]


async def test_each_place_has_its_own_writer(shared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(postgres.SESSION, "lock_timeout", "50ms")
    async with open_store(shared) as one, open_store(shared) as two:
        for store in (one, two):  # the first of each looks for abandoned battles in all places
            await store.battles.begin(fought(f"first of {id(store)}", "guild:3"), [ALICE], 9)
        async with one.battles._connections.write("guild:1"):
            for other in (one, two):
                await other.save("guild:2", setup("alamo"), 9, manages=False)
                await other.battles.begin(fought(f"of {id(other)}", "guild:3"), [ALICE], 9)
                await other.set_fact("commands", "a")
            for refused in (two.save("guild:1", setup("alamo"), 9, manages=False), two.cleaning.erase("1001")):
                with pytest.raises(UserError, match="busy right now"):
                    await refused
        await two.save("guild:1", setup("alamo"), 9, manages=False)
        async with one.battles._connections.write():
            with pytest.raises(UserError, match="busy right now"):
                await two.save("guild:2", setup("kiev"), 9, manages=False)


async def test_a_crowd_in_one_place_leaves_connections_to_other_places(stores: list[Store]) -> None:
    one, _ = stores
    async with AsyncExitStack() as writing:
        await writing.enter_async_context(one.battles._connections.write("guild:1"))
        crowd = [asyncio.create_task(one.save("guild:1", setup(name), 99, manages=False)) for name in "abcdefgh"]
        await one.save("guild:2", setup("alamo"), 9, manages=False)
        assert not any(task.done() for task in crowd)
    await asyncio.gather(*crowd)
    assert len(await one.setups("guild:1")) == len(crowd)


async def test_readers_find_a_connection_while_all_writers_write(stores: list[Store]) -> None:
    one, _ = stores
    async with one.battles._connections.write("guild:1"), one.battles._connections.write("guild:2"):
        waiting = asyncio.create_task(one.save("guild:3", setup("alamo"), 9, manages=False))
        assert await one.setups("guild:3") == []
        assert not waiting.done()
    await waiting


@pytest.mark.whole
async def test_limits_of_a_place_hold_for_writers_at_once(stores: list[Store]) -> None:
    begun = await asyncio.gather(
        *(
            store.battles.begin(fought(f"{place}{n}{number}", place), [ALICE._replace(user=str(number))], 5)
            for place in PLACES
            for number in range(6)
            for n, store in enumerate(stores)
        ),
        *(
            store.save(place, setup(f"{n}{number}"), 5, manages=False)
            for place in PLACES
            for number in range(6)
            for n, store in enumerate(stores)
        ),
        return_exceptions=True,
    )
    assert sum(result in (True, None) for result in begun) == 2 * 5 * len(PLACES)
    assert sum(isinstance(result, FullError) for result in begun) == 2 * 7 * len(PLACES)
    for place in PLACES:
        assert len(await stores[0].setups(place)) == 5
        assert len(await stores[0].battles.history(place, going_on=True)) == 5


async def test_a_person_has_a_limit_of_battles_in_each_place(
    stores: list[Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(battles, "MOST_OF_ONE", 6)
    many = 4
    begun = await asyncio.gather(
        *(
            store.battles.begin(fought(f"{place}{n}{number}", place), [ALICE], 500)
            for place in PLACES[:2]
            for number in range(many)
            for n, store in enumerate(stores)
        ),
        return_exceptions=True,
    )
    assert sum(result is True for result in begun) == 2 * 6
    assert sum(isinstance(result, FullError) for result in begun) == 2 * 2


async def test_beginning_rolling_erasing_and_cleaning_never_deadlock(stores: list[Store]) -> None:
    one, two = stores
    old = [fought(f"old {place}", place) for place in PLACES]
    await asyncio.gather(*(one.battles.begin(battle, [ALICE], 500) for battle in old))
    for turn in range(3):
        for store in stores:
            store.battles._cleaned = None
        week = 7 * 24 * 60 + 60 + turn
        done = await asyncio.gather(
            *(
                store.battles.begin(fought(f"{n}{turn}{place}", place, minute=week), [ALICE], 500)
                for place in PLACES
                for n, store in enumerate(stores)
            ),
            *(roll(store.battles, battle.id) for battle in reversed(old) for store in stores),
            *(store.cleaning.erase(ALICE.user or "") for store in stores),
            *(store.save(place, setup("kiev"), 9, manages=False) for place in PLACES for store in stores),
        )
        assert len(done) == 6 * len(PLACES) + 2
    assert await two.battles.count_unfinished() >= 6 * len(PLACES)


async def test_unfinished_battles_are_selected_by_an_index(where: Path | str) -> None:
    questions = (
        "SELECT count(*) FROM battles WHERE ended IS NULL",
        "SELECT count(*) FROM battles WHERE ended IS NULL AND place = 'guild:1' AND started_at > '2026-11-20'",
    )
    async with open_store(where) as store, store.battles._connections.write() as connection:
        plan = "EXPLAIN QUERY PLAN" if isinstance(where, Path) else "EXPLAIN"
        if not isinstance(where, Path):
            await connection.execute(text("SET LOCAL enable_seqscan = off"))  # it is faster for an empty table
        for question in questions:
            rows = await connection.execute(text(f"{plan} {question}"))
            assert "battles_going_on" in "\n".join(str(row) for row in rows)
