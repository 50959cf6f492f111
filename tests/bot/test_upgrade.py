"""Updates of the database: the version before goes on with it, starts with it again, and waits for nothing long."""

import asyncio
import logging
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from bot.errors import UserError
from bot.store.database import Store, open_store
from bot.store.upgrade import revision_at
from tests.helpers import servers
from tests.helpers.bot.rolled_battles import ALICE, check_chain, fought, found, roll
from tests.helpers.bot.setups import setup
from tests.helpers.bot.versions import next_version
from tests.helpers.program import LONGEST, until

INDEX = "SELECT indisvalid, indisunique FROM pg_index WHERE indexrelid = to_regclass('rolls_more')"


@pytest.fixture
def place(where: Path | str, request: pytest.FixtureRequest) -> Path | str:
    """A place for a database of its own, as these tests change its tables: a file of SQLite, then PostgreSQL."""
    if isinstance(where, Path):
        return where
    server: servers.Postgres = request.getfixturevalue("postgres")
    return server.fresh()


@pytest.fixture
def fresh(postgres: servers.Postgres, patient: None) -> str:
    """The address of an empty database of PostgreSQL."""
    return postgres.fresh()


async def test_an_older_version_runs_with_the_tables_of_the_next(
    place: Path | str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with open_store(place) as before:
        await before.battles.begin(fought("aaaaaaaa"), [ALICE], 9)
        await before.save("guild:1", setup("alamo"), 9, manages=False)
        with next_version(tmp_path):
            async with open_store(place) as after:
                await roll(before.battles, "aaaaaaaa")
                await roll(after.battles, "aaaaaaaa", turn=1)
                await roll(before.battles, "aaaaaaaa", turn=2)
                await after.battles.begin(fought("bbbbbbbb"), [ALICE], 9)
                await roll(before.battles, "bbbbbbbb")
                await before.save("guild:1", setup("kiev"), 9, manages=False)
    assert "newer version" not in caplog.text
    async with open_store(place) as again:
        assert await roll(again.battles, "bbbbbbbb", turn=1)
        assert await again.save("guild:1", setup("alamo", "1 1"), 9, manages=False)
        await again.battles.begin(fought("cccccccc"), [ALICE], 9)
    newer = "the database is that of a newer version of Sandtable (revision 9001), which this version can use too"
    assert caplog.messages.count(newer) == 1
    with next_version(tmp_path):
        async with open_store(place) as after:
            records = [await found(after.battles, name * 8) for name in "abc"]
            assert [record.battle.turn for record in records] == [3, 2, 0]
            for record in records:
                check_chain(record)
            assert await after.setups("guild:1") == [setup("alamo", "1 1"), setup("kiev")]


async def test_an_older_version_that_cannot_use_the_tables_is_refused(place: Path | str, tmp_path: Path) -> None:
    with next_version(tmp_path, 'usable_since = "9000"'):
        async with open_store(place) as after:
            await after.save("guild:1", setup("alamo"), 9, manages=False)
    with pytest.raises(UserError, match=r"made by another version of Sandtable \(revision 9001\); update first"):
        async with open_store(place):
            pass
    with next_version(tmp_path):
        async with open_store(place) as after:
            assert await after.setups("guild:1") == [setup("alamo")]


async def test_a_newer_database_without_usable_since_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "sandtable.db"
    async with open_store(file):
        pass
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9001'")
        database.execute("DELETE FROM facts")
    with pytest.raises(UserError, match="another version of Sandtable"):
        async with open_store(file):
            pass


@pytest.mark.whole
async def test_people_write_while_an_index_is_built(fresh: str, tmp_path: Path) -> None:
    async with open_store(fresh) as store:
        await store.battles.begin(fought(), [ALICE], 9)
        with next_version(tmp_path):
            # Somebody reads for long, as a backup does, and PostgreSQL waits for that before the index is valid.
            async with store.battles._connections.read(several=True) as reader:
                await reader.execute(text("SELECT 1"))
                updating = asyncio.create_task(update(fresh))
                while await ask(store, INDEX) != (False, False):
                    assert not updating.done()
                    await asyncio.sleep(0.02)
                assert await roll(store.battles)
                await store.save("guild:1", setup("alamo"), 9, manages=False)
                assert (await revision_at(fresh)).number == "9000"
            await updating
        assert await ask(store, INDEX) == (True, False)
        assert (await revision_at(fresh)).number == "9001"


async def test_a_half_built_index_is_built_again(fresh: str, tmp_path: Path) -> None:
    async with open_store(fresh) as store:
        await store.battles.begin(fought(), [ALICE], 9)
        await roll(store.battles, count=2)
        with suppress(IntegrityError):
            async with store.battles._connections._by_itself.connect() as connection:
                await connection.execute(text("CREATE UNIQUE INDEX CONCURRENTLY rolls_more ON rolls (battle)"))
        assert await ask(store, INDEX) == (False, True)
        with next_version(tmp_path):
            await update(fresh)
        assert await ask(store, INDEX) == (True, False)


async def test_a_waiting_migration_lets_other_programs_write(
    fresh: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with open_store(fresh) as store:
        with next_version(tmp_path):
            async with store.battles._connections.read(several=True) as reader:
                await reader.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
                await reader.execute(text("SELECT * FROM setups"))
                updating = asyncio.create_task(update(fresh))
                await until(lambda: "the migration waits until others let go of the tables" in caplog.text)
                for number in range(20):
                    await store.save("guild:1", setup(f"camp{number}"), 99, manages=False)
                assert (await revision_at(fresh)).number != "9001"
                assert not updating.done()
            await asyncio.wait_for(updating, LONGEST)
        assert (await revision_at(fresh)).number == "9001"
        assert len(await store.setups("guild:1")) == 20


async def update(address: str) -> None:
    """Start a process, as far as its database goes."""
    async with open_store(address):
        pass


async def ask(store: Store, query: str) -> tuple[Any, ...] | None:
    """The first row of an answer."""
    async with store.battles._connections.read() as connection:
        row = (await connection.execute(text(query))).first()
        return None if row is None else tuple(row)
