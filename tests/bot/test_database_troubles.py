"""A full disk, a read-only database, errors of the disk, damage: a calm sentence each, and one line of the log."""

import asyncio
import logging
import sqlite3
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.discord_app.client import Client
from bot.errors import UserError
from bot.request import Services
from bot.store import cursors
from bot.store.database import Store, open_store
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.broken_databases import damage
from tests.helpers.bot.rolled_battles import ALICE, fought, roll
from tests.helpers.bot.setups import setup

FULL, READ_ONLY, DISK = "The disk is full", "The database is read-only right now", "The disk has errors"
DAMAGED, LOST = "The database is damaged", "I can't reach the database right now"
OVER = "the trouble with the database is over"
LOGGED = {
    FULL: "the disk of the database is full",
    READ_ONLY: "the database can only be read",
    DISK: "the disk of the database reports errors",
    DAMAGED: "the database is damaged",
    LOST: "the database cannot be reached",
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "sandtable.db"


@pytest.fixture
async def store(file: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Store]:
    caplog.set_level(logging.INFO)
    async with open_store(file) as opened:
        yield opened


async def pragma(store: Store, words: str) -> None:
    """Set something for the connection of those who write."""
    async with store.battles._connections._engines[0].connect() as connection:
        await connection.exec_driver_sql(f"PRAGMA {words}")


async def save(store: Store) -> None:
    await store.put_all("guild:1", await store.setups("guild:1"), [setup("alamo", "1 " * 100_000)])


async def refuse(store: Store, sentence: str) -> None:
    """Nothing can be saved, whoever tries."""
    for _ in range(3):
        with pytest.raises(UserError, match=sentence):
            await save(store)


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the log says of the database; no traceback is with it."""
    assert not [record for record in caplog.records if record.exc_info]
    return [record.getMessage() for record in caplog.records if record.name == "bot.store.connections"]


async def test_a_full_disk_is_a_sentence_and_a_line_of_the_log(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    await pragma(store, "max_page_count = 1")
    await refuse(store, FULL)
    assert await store.setups("guild:1") == [], "it can still be read, and that ends nothing"
    await refuse(store, FULL)
    assert lines(caplog) == [f"{LOGGED[FULL]}: database or disk is full"]
    await pragma(store, "max_page_count = 1000000")
    await save(store)
    assert lines(caplog)[1:] == [OVER]


async def test_a_read_only_database_is_a_sentence_and_can_be_read(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    await pragma(store, "query_only = 1")
    await refuse(store, READ_ONLY)
    assert await store.setups("guild:1") == []
    assert await store.battles._connections.empty_log(), "this works, and ends nothing"
    assert lines(caplog) == [f"{LOGGED[READ_ONLY]}: attempt to write a readonly database"]
    await pragma(store, "query_only = 0")
    await save(store)
    assert lines(caplog)[1:] == [OVER]


async def test_an_input_or_output_error_of_the_disk_is_a_sentence(
    store: Store, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as broken:
        broken.setattr(cursors.Connection, "visit", fail)
        for _ in range(3):
            with pytest.raises(UserError, match=DISK):
                await store.setups("guild:1")
        await refuse(store, DISK)
    await save(store)
    assert lines(caplog) == [f"{LOGGED[DISK]}: disk I/O error", OVER]


async def test_a_cancelled_connect_leaves_no_file_open() -> None:
    begun, go_on, opened = threading.Event(), threading.Event(), list[sqlite3.Connection]()

    def open_slowly() -> sqlite3.Connection:
        begun.set()
        go_on.wait()
        opened.append(sqlite3.connect(":memory:", check_same_thread=False))
        return opened[0]

    connection = cursors.Connection(open_slowly, 64)
    connecting = asyncio.ensure_future(connection)
    await asyncio.to_thread(begun.wait)
    connecting.cancel()
    await asyncio.wait([connecting])
    go_on.set()
    await asyncio.to_thread(connection._thread.join)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened[0].execute("SELECT 1")


async def test_a_database_damaged_while_open_is_a_sentence(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with open_store(file) as store:
        await store.battles.begin(fought(), [ALICE], 500)
        await roll(store.battles, count=500)
    damage(file)
    async with open_store(file) as store:
        for _ in range(3):
            with pytest.raises(UserError, match=DAMAGED):
                await store.battles.find("aaaaaaaa")
        assert await store.fact("commands") is None, "what is not damaged can be read"
        with pytest.raises(UserError, match=DAMAGED):
            await store.battles.find("aaaaaaaa")
    assert lines(caplog) == [f"{LOGGED[DAMAGED]}: database disk image is malformed"]


async def test_troubles_of_postgresql_are_sentences(shared: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    codes = {"53100": FULL, "25006": READ_ONLY, "58030": DISK, "53300": LOST, "XX001": DAMAGED}
    async with open_store(shared) as store:
        for code, sentence in codes.items():
            caplog.clear()
            raising = text(f"DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE='{code}'; END $$")
            for _ in range(3):
                with pytest.raises(UserError, match=sentence):
                    async with store.battles._connections.write() as connection:
                        await connection.execute(raising)
            await save(store)
            (line, *over) = lines(caplog)
            assert (line.startswith(f"{LOGGED[sentence]}: "), len(over)) == (True, code != "XX001"), code


async def test_a_standby_of_postgresql_is_read_only(shared: str) -> None:
    async def write(store: Store) -> None:
        async with store.battles._connections.write() as connection:
            await connection.execute(text("SET TRANSACTION READ ONLY"))
            await connection.execute(text("DELETE FROM facts"))

    async with open_store(shared) as store:
        with pytest.raises(UserError, match=READ_ONLY):
            await write(store)


async def test_people_read_the_trouble_and_odds_go_on(
    discord: FakeDiscord, bot: Client, services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    alice = discord.member("Alice")
    shown = await alice.sends("roll", matchup="12 9")
    await pragma(services.store, "query_only = 1")
    for refused in (
        await alice.presses(shown, "Roll"),
        await alice.presses(shown, "Roll"),
        await alice.sends("preset save", name="alamo", matchup="12 9"),
        await alice.sends("roll", matchup="5 5"),
    ):
        assert refused.private
        assert READ_ONLY in refused.content
    assert "79.0%" in (await alice.sends("battle", matchup="12 9")).content
    await pragma(services.store, "query_only = 0")
    await alice.presses(shown, "Roll")
    assert lines(caplog) == [f"{LOGGED[READ_ONLY]}: attempt to write a readonly database", OVER]
    assert [record.name for record in caplog.records if record.levelno >= logging.WARNING] == ["bot.store.connections"]
