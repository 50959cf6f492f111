"""The database: what is kept, who may change it, and that an old file is brought up to date with all it holds."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import NullPool, create_engine, inspect

from bot.errors import UserError
from bot.store.database import open_store
from bot.store.records import FullError, NotOwnerError, Setup, TakenError
from bot.store.tables import metadata
from bot.store.unopened import MIGRATIONS
from tests.helpers.bot.rolled_battles import ALICE, BOB, check_chain, found, roll
from tests.helpers.bot.setups import NOON, OLD, setup


async def test_presets_are_stored_by_place_and_name(where: Path | str) -> None:
    where = where.parent / "deep" / "folder" / "sandtable.db" if isinstance(where, Path) else where
    async with open_store(where) as store:
        await store.save("guild:1", setup("ukraine"), 10, manages=False)
        await store.save("guild:1", setup("alamo"), 10, manages=False)
        await store.save("user:1", setup("ukraine", "3 2"), 10, manages=False)
    async with open_store(where) as store:
        assert [kept.name for kept in await store.setups("guild:1")] == ["alamo", "ukraine"]
        assert await store.setup("user:1", "ukraine") == setup("ukraine", "3 2")
        assert await store.setup("guild:2", "ukraine") is None
        assert await store.delete("guild:1", "alamo", "1", manages=False) == setup("alamo")
        assert await store.delete("guild:1", "alamo", "1", manages=False) is None


async def test_presets_of_other_people_need_the_right_to_manage(where: Path | str) -> None:
    async with open_store(where) as store:
        await store.save("guild:1", setup("ukraine"), 10, manages=False)
        with pytest.raises(NotOwnerError) as refused:
            await store.save("guild:1", setup("ukraine", "1 1", owner="2"), 10, manages=False)
        assert refused.value.setup.owner_name == "Player 1"
        with pytest.raises(NotOwnerError):
            await store.delete("guild:1", "ukraine", "2", manages=False)
        assert await store.save("guild:1", setup("ukraine", "1 1", owner="2"), 10, manages=True) == setup("ukraine")
        assert await store.setup("guild:1", "ukraine") == setup("ukraine", "1 1"), "it stays whose it was"


async def test_changing_a_preset_keeps_its_other_fields(where: Path | str) -> None:
    async with open_store(where) as store:
        await store.save("guild:1", setup("ukraine"), 10, manages=False)
        await store.save("guild:1", setup("alamo", owner="2"), 10, manages=False)
        await store.save("guild:2", setup("kiev"), 10, manages=False)
        assert await store.change("guild:1", "ukraine", "1", False, note="a bridge") == setup("ukraine")
        with pytest.raises(NotOwnerError):
            await store.change("guild:1", "alamo", "1", False, line="1 1")
        with pytest.raises(TakenError) as taken:
            await store.change("guild:1", "ukraine", "1", False, name="alamo")
        assert taken.value.setup == setup("alamo", owner="2")
        assert await store.change("guild:1", "odessa", "1", False, name="alamo") is None
        await store.change("guild:1", "ukraine", "3", True, name="kiev", line="5 4")
        assert await store.setups("guild:1") == [
            setup("alamo", owner="2"),
            setup("kiev", "5 4")._replace(note="a bridge"),
        ]
        await store.save("guild:1", setup("kiev", "6 4"), 10, manages=False)
        assert await store.setup("guild:1", "kiev") == setup("kiev", "6 4")._replace(note="a bridge")
        assert await store.setups("guild:2") == [setup("kiev")]


async def test_an_import_is_stored_only_if_presets_are_unchanged(where: Path | str) -> None:
    async with open_store(where) as store:
        await store.save("guild:1", setup("ukraine"), 10, manages=False)
        before = await store.setups("guild:1")
        changed = [setup("alamo"), setup("ukraine", "1 1")._replace(note="smaller")]
        assert await store.put_all("guild:1", before, changed)
        assert not await store.put_all("guild:1", before, [setup("kiev")])
        assert await store.setups("guild:1") == changed


async def test_a_preset_is_revised_from_its_current_state(where: Path | str) -> None:
    async with open_store(where) as store:
        await store.save("guild:2", setup("alamo"), 10, manages=False)

        def count(before: list[Setup]) -> Setup:
            return setup("alamo", f"{1 + max([0, *(int(one.line.split()[0]) for one in before)])} 1")

        def refuse(before: list[Setup]) -> Setup:
            raise NotOwnerError(before[0])

        revised = await asyncio.gather(*(store.revise("guild:1", count) for _ in range(10)))
        assert {after.line for _before, after in revised} == {f"{number} 1" for number in range(1, 11)}
        assert sorted(before.line for before, _after in revised if before) == sorted(f"{n} 1" for n in range(1, 10))
        with pytest.raises(NotOwnerError):
            await store.revise("guild:1", refuse)
        assert await store.setups("guild:1") == [setup("alamo", "10 1")]
        assert await store.setups("guild:2") == [setup("alamo")]


async def test_a_place_has_a_limit_of_stored_presets(where: Path | str) -> None:
    async with open_store(where) as store:
        saves = [store.save("guild:1", setup(f"s{number}"), 5, manages=False) for number in range(20)]
        results = await asyncio.gather(*saves, return_exceptions=True)
        assert sum(isinstance(result, FullError) for result in results) == 15
        assert len(await store.setups("guild:1")) == 5
        await store.save("guild:1", (await store.setups("guild:1"))[0], 5, manages=False)
        await store.save("guild:2", setup("other"), 5, manages=False)


async def test_a_fact_replaces_the_last_fact_of_its_name(where: Path | str) -> None:
    async with open_store(where) as store:
        assert await store.fact("commands") is None
        await store.set_fact("commands", "a")
        await store.set_fact("commands", "b")
        assert await store.fact("commands") == "b"


async def test_both_databases_sort_and_distinguish_names_alike(where: Path | str) -> None:
    names = ["a b", "a-b", "a1", "a10", "a2", "ab", "ä", "\u00e9", "e\u0301", "ß", "ß".upper(), "z", "Z", "а", "日本"]
    moment = datetime(2026, 3, 29, 2, 30, 0, 123456, timezone(timedelta(hours=-7, minutes=-30)))
    async with open_store(where) as store:
        for name in names:
            await store.save("guild:1", setup(name)._replace(saved_at=moment), 99, manages=False)
        found = await store.setups("guild:1")
    assert [kept.name for kept in found] == sorted(names)
    assert {(kept.saved_at, kept.saved_at.tzinfo) for kept in found} == {(moment, UTC)}


@pytest.mark.whole
async def test_two_programs_can_share_a_database(where: Path | str) -> None:
    async with open_store(where) as one, open_store(where) as two:
        await asyncio.gather(
            *(one.save("guild:1", setup(f"a{number}"), 99, manages=False) for number in range(20)),
            *(two.save("guild:1", setup(f"b{number}"), 99, manages=False) for number in range(20)),
        )
        assert len(await one.setups("guild:1")) == 40


async def test_reading_does_not_wait_for_writing(tmp_path: Path) -> None:
    file = tmp_path / "sandtable.db"
    async with open_store(file) as store:
        await store.save("guild:1", setup("ukraine"), 10, manages=False)
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            other.execute("DELETE FROM setups")
            assert [kept.name for kept in await store.setups("guild:1")] == ["ukraine"]


async def test_a_data_folder_may_have_any_name(tmp_path: Path) -> None:
    async with open_store(tmp_path / "what? a #1 folder%20" / "sandtable.db") as store:
        await store.set_fact("commands", "a")
    assert (tmp_path / "what? a #1 folder%20" / "sandtable.db").exists()


async def test_an_old_database_is_migrated_and_loses_nothing(tmp_path: Path) -> None:
    file = tmp_path / "sandtable.db"
    shutil.copy(OLD, file)
    async with open_store(file) as store:
        assert [(kept.name, kept.line, kept.owner_name, kept.note) for kept in await store.setups("guild:1")] == [
            ("alamo", "9 12 dbombers:2", "Alice", ""),
            ("ukraine", "12 9 bombers:2 stop:4", "Bob", ""),
        ]
        await store.set_fact("commands", "x")
    newest = ScriptDirectory(str(MIGRATIONS)).get_current_head()
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchall() == [(newest,)]
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)


async def test_battles_of_an_older_database_keep_their_message_and_go_on(tmp_path: Path) -> None:
    file = tmp_path / "sandtable.db"
    shutil.copy(OLD.with_name("revision_0004.db"), file)
    async with open_store(file) as store:
        known = [await found(store.battles, name * 8) for name in "abcd"]
        for record in known:
            check_chain(record)
        assert [(one.battle.message, one.battle.shown_in, one.battle.channel) for one in known] == [
            ("77", "77", "88"),
            (None, None, None),
            ("99", "99", None),
            ("78", "78", "88"),
        ]
        assert [(one.battle.turn, one.battle.shown, one.battle.ended) for one in known] == [
            (1, 1, None),
            (0, -1, None),
            (1, -1, "won"),
            (1, -1, None),
        ]
        assert {(one.battle.begun_by, one.battle.aside, one.battle.rules) for one in known} == {("1", False, 1)}
        assert known[1].players == (BOB._replace(tag="1", role="attacker"), ALICE._replace(tag="2", role="defender"))
        assert [one.id for one in await store.battles.list_outdated(NOON, NOON + timedelta(hours=2))] == ["dddddddd"]
        assert await roll(store.battles, "aaaaaaaa", turn=1)
        check_chain(await found(store.battles))


@pytest.mark.parametrize("old", ["revision_0001.db", "revision_0004.db", None])
async def test_migrations_lead_to_the_tables_the_code_uses(tmp_path: Path, old: str | None) -> None:
    file = tmp_path / "sandtable.db"
    if old:
        shutil.copy(OLD.with_name(old), file)
    async with open_store(file):
        pass
    engine = create_engine(f"sqlite:///{file}", poolclass=NullPool)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
        keys = {table: inspect(connection).get_pk_constraint(table)["constrained_columns"] for table in metadata.tables}
        assert keys == {table.name: [*table.primary_key.columns.keys()] for table in metadata.tables.values()}


async def test_a_database_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "sandtable.db"
    shutil.copy(OLD, file)
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(UserError, match="another version of Sandtable"):
        async with open_store(file):
            pass


async def test_a_file_that_is_no_database_is_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "sandtable.db"
    file.write_text("not a database, but a long enough text to look like a page of one " * 20)
    with pytest.raises(UserError, match=r"The database .* cannot be used: file is not a database"):
        async with open_store(file):
            pass
    with pytest.raises(UserError, match="cannot be made"):
        async with open_store(file / "below" / "sandtable.db"):
            pass
