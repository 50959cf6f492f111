"""Writers that come together share a commit: each part stands or falls alone, and nobody hears of his before it."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import IntegrityError

from bot.errors import UserError
from bot.store import batches, connections, postgres
from bot.store.database import Store, open_store
from bot.store.records import FullError
from tests.helpers.bot.rolled_battles import ALICE, check_chain, fought, found, roll
from tests.helpers.bot.setups import setup

PLACE = "guild:1"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "sandtable.db"


@pytest.fixture
async def store(file: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Store]:
    """A store in a file, whose batches take in everybody who comes before they end."""
    monkeypatch.setattr(batches, "LONGEST_BATCH", 60)
    async with open_store(file) as opened:
        yield opened


async def save(store: Store, name: str, most: int = 1000) -> None:
    await store.save(PLACE, setup(name), most, manages=False)


def names(file: Path) -> set[str]:
    """The set-ups that another program finds."""
    with closing(sqlite3.connect(file)) as other:
        return {name for (name,) in other.execute("SELECT name FROM setups")}


@contextmanager
def commits(store: Store) -> Iterator[list[object]]:
    """The commits of a block."""
    made: list[object] = []
    note, engine = made.append, store.battles._connections._engines[0].sync_engine
    event.listen(engine, "commit", note)
    yield made
    event.remove(engine, "commit", note)


@pytest.mark.whole
async def test_two_hundred_writers_at_once_share_a_commit(store: Store, file: Path) -> None:
    with commits(store) as made:
        await asyncio.gather(*(save(store, f"alamo-{number}") for number in range(200)))
        assert len(made) == 1
        await save(store, "kiev")
        assert len(made) == 2
    assert len(names(file)) == 201


async def test_no_writer_returns_before_the_batch_is_committed(store: Store, file: Path) -> None:
    async def one(number: int) -> None:
        await save(store, f"alamo-{number}")
        assert len(names(file)) == 20

    await asyncio.gather(*map(one, range(20)))


async def test_a_failed_writer_undoes_only_its_own_part(store: Store, file: Path) -> None:
    async def half() -> None:
        async with store.battles._connections.write() as connection:
            await connection.execute(text("DELETE FROM setups"))
            raise FullError

    async def twice() -> None:
        async with store.battles._connections.write() as connection:
            for _ in range(2):
                await connection.execute(text("INSERT INTO facts VALUES ('one', 'fact')"))

    with commits(store) as made:
        results = await asyncio.gather(
            save(store, "alamo"),
            half(),
            save(store, "kiev", most=1),
            twice(),
            save(store, "odessa"),
            return_exceptions=True,
        )
        assert len(made) == 1
    assert [type(result) for result in results] == [type(None), FullError, FullError, IntegrityError, type(None)]
    assert names(file) == {"alamo", "odessa"}
    assert await store.fact("one") is None


async def test_a_failed_commit_fails_for_all_its_writers(store: Store, file: Path) -> None:
    async def broken() -> None:
        async with store.battles._connections.write() as connection:
            await connection.execute(text("PRAGMA defer_foreign_keys = ON"))
            await connection.execute(text("INSERT INTO rolls VALUES ('nowhere', 1, '{}', '', NULL)"))

    results = await asyncio.gather(save(store, "alamo"), broken(), save(store, "kiev"), return_exceptions=True)
    assert [type(result) for result in results] == [IntegrityError] * 3
    assert names(file) == set()
    await save(store, "odessa")
    assert names(file) == {"odessa"}


async def test_a_full_disk_fails_the_batch_and_later_writers_go_on(store: Store, file: Path) -> None:
    async def room(pages: int) -> None:
        async with store.battles._connections.write() as connection:
            await connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    async def large() -> None:
        async with store.battles._connections.write() as connection:
            await connection.execute(text("INSERT INTO facts VALUES ('large', zeroblob(1000000))"))

    await room(1)  # as many as there are
    results = await asyncio.gather(save(store, "alamo"), large(), save(store, "kiev"), return_exceptions=True)
    assert "The disk is full" in str(results[1])
    assert names(file) == {name for name, said in zip(("alamo", "", "kiev"), results, strict=True) if said is None}
    await room(10**6)
    await large()
    await save(store, "odessa")
    assert "odessa" in names(file)


@pytest.mark.whole
@pytest.mark.parametrize("steps", range(0, 60, 3))
async def test_a_cancelled_writer_costs_other_writers_nothing(store: Store, file: Path, steps: int) -> None:
    before, called_off, after = (asyncio.create_task(save(store, name)) for name in ("alamo", "kiev", "odessa"))
    for _ in range(steps):
        await asyncio.sleep(0.0002 if steps > 30 else 0)
    called_off.cancel()
    await asyncio.gather(before, after)
    await asyncio.wait({called_off})
    assert names(file) >= {"alamo", "odessa"}
    assert called_off.cancelled() or "kiev" in names(file)
    await save(store, "minsk")
    assert await store.setup(PLACE, "minsk")


@pytest.mark.whole
async def test_presses_on_40_battles_lead_to_one_entry_each(store: Store) -> None:
    ids = [f"aaaaaa{number:02}" for number in range(40)]
    await asyncio.gather(*(store.battles.begin(fought(name, f"user:{name}"), [ALICE], 500) for name in ids))
    pressed = await asyncio.gather(*(roll(store.battles, name) for name in ids for _ in range(3)))
    assert sum(pressed) == len(ids)
    for name in ids:
        record = await found(store.battles, name)
        assert record.battle.turn == 1
        check_chain(record)


@pytest.mark.whole
async def test_writers_of_a_process_wait_for_each_other_without_a_limit(
    where: Path | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "PATIENCE", 0.01)
    monkeypatch.setitem(postgres.SESSION, "lock_timeout", "10ms")
    async with open_store(where) as store:
        async with store.battles._connections.write():
            waiting = [asyncio.create_task(save(store, name)) for name in ("alamo", "kiev")]
            done, _ = await asyncio.wait(waiting, timeout=0.1)
            assert not done
        await asyncio.gather(*waiting)


async def test_a_writer_that_waits_too_long_gets_a_sentence(where: Path | str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_store(where) as store:
        async with store.battles._connections.write():
            monkeypatch.setattr(batches, "LONGEST_WAIT", 0.05)
            monkeypatch.setattr(connections, "LONGEST_WAIT", 0.05)
            with pytest.raises(UserError, match="busy right now"):
                await save(store, "alamo")
            monkeypatch.setattr(batches, "LONGEST_WAIT", 60)
            monkeypatch.setattr(connections, "LONGEST_WAIT", 60)
        await save(store, "kiev")
        assert [kept.name for kept in await store.setups(PLACE)] == ["kiev"]


async def test_closing_finishes_begun_writers_and_refuses_waiting_writers(where: Path | str) -> None:
    begun = asyncio.Event()
    async with open_store(where) as store:

        async def slow() -> None:
            async with store.battles._connections.write() as connection:
                await connection.execute(text("INSERT INTO facts VALUES ('one', 'fact')"))
                begun.set()
                await asyncio.sleep(0.05)

        writing = asyncio.create_task(slow())
        await begun.wait()
        waiting = [asyncio.create_task(save(store, name)) for name in ("alamo", "kiev")]
        await asyncio.sleep(0)
    await writing
    for told in await asyncio.gather(*waiting, return_exceptions=True):
        assert isinstance(told, UserError)
        assert "I'm restarting" in told.text
    async with open_store(where) as store:
        assert (await store.fact("one"), await store.setups(PLACE)) == ("fact", [])


async def test_closing_cancels_a_hanging_writer_with_its_batch(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "PATIENCE", 0.05)
    begun, goes_on = asyncio.Event(), asyncio.Event()
    async with open_store(file) as store:

        async def hang() -> None:
            async with store.battles._connections.write() as connection:
                await connection.execute(text("INSERT INTO facts VALUES ('one', 'fact')"))
                begun.set()
                await goes_on.wait()

        writing = asyncio.create_task(hang())
        await begun.wait()
    goes_on.set()
    with pytest.raises(asyncio.CancelledError):
        await writing
    async with open_store(file) as store:
        assert await store.fact("one") is None
