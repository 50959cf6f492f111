"""`sandtable move-to`: all data of the SQLite file gets to PostgreSQL, also after a kill, and nothing there changes."""

import asyncio
import json
import os
import shutil
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from signal import SIGKILL, SIGTERM, Signals
from typing import Any, NamedTuple

import pytest
from sqlalchemy import BigInteger, Boolean, Column, Float, Integer, NullPool, String, Table, insert

from bot.errors import UserError
from bot.live import fair
from bot.settings import Settings
from bot.store import moving, owners
from bot.store.database import open_store
from bot.store.moving import move
from bot.store.owners import LockTakenError, hold_shards
from bot.store.postgres import engine_at
from bot.store.presence import hold_presence
from bot.store.tables import Moment, metadata, open_answers
from bot.store.unopened import USABLE_SINCE, hold_lock, revisions
from tests.fake_discord import FakeDiscord
from tests.helpers import forked, servers
from tests.helpers.bot.lines import check
from tests.helpers.bot.live_battles import log_of, under
from tests.helpers.bot.setups import OLD
from tests.helpers.bot.storm import bot_on, idle
from tests.helpers.extent import pick
from tests.helpers.forked import Forked
from tests.helpers.program import LONGEST, say

MOVED = [table for table in metadata.sorted_tables if table is not open_answers]
ROWS = 7
"""The rows of each table: more than a batch, and no multiple of one."""
TEXTS = ("", "B", "a", "ä", "_", "Ω 🎲 \\ ' \" \n\t", "zulu")
"""Texts that other databases may sort in another order, or write in another way."""
WAITS = "SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'"
"""Finds whoever waits for a row that another transaction writes."""
COMPANY = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
"""Finds who else is connected: PostgreSQL takes a moment to notice that a process is gone."""
OTHER = "postgresql://sandtable:very-secret@127.0.0.1:1/tables"


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch, patient: None) -> None:
    """Batches of three rows, and no patience with whoever holds a lock."""
    monkeypatch.setattr(moving, "BATCH", 3)
    monkeypatch.setattr(owners, "LONGEST_START", 0)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with rows in each table, to copy."""
    file = tmp_path_factory.mktemp("filled") / "sandtable.db"
    with ThreadPoolExecutor() as thread:  # some tests have a loop of their own
        thread.submit(asyncio.run, fill(file)).result()
    return file


@pytest.fixture
def file(tmp_path: Path, filled: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of the settings, with rows in each table."""
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    return Path(shutil.copy(filled, tmp_path / "data" / "sandtable.db"))


@pytest.fixture
def empty(postgres: servers.Postgres) -> str:
    """The address of a database without tables."""
    return postgres.fresh()


@pytest.fixture(scope="module")
def with_tables(postgres: servers.Postgres) -> str:
    """The name of a database with our tables, to copy."""
    address = postgres.fresh()
    with ThreadPoolExecutor() as thread:
        thread.submit(asyncio.run, fill(address, rows=0)).result()
    return address.rpartition("/")[2]


@pytest.fixture
def address(postgres: servers.Postgres, with_tables: str) -> str:
    """The address of a database with our tables, and nothing in them."""
    return postgres.fresh(with_tables)


async def fill(where: Path | str, rows: int = ROWS) -> None:
    """Put rows into each table, with another value in each column of each, at its limits if it has any."""
    async with open_store(where) as store, store.battles._connections.write() as connection:
        for table in metadata.sorted_tables if rows else ():
            values = [{c.name: value(table, c, number) for c in table.c} for number in range(rows)]
            await connection.execute(insert(table), values)


def value(table: Table, column: Column[Any], number: int) -> object:
    """A value for a column: unlike those in other rows, and unlike any default."""
    if column.nullable and number == 1:
        return None
    kind = column.type
    if isinstance(kind, Moment):
        return datetime(2026, 11, 20, 12, number, 59, 999_999 - number, tzinfo=UTC)
    if isinstance(kind, String):
        # The rolls and players of a battle name it by its key.
        return TEXTS[number] if column.primary_key or column.foreign_keys else f"{TEXTS[number]}{column.name}"
    if isinstance(kind, Boolean):
        return bool(number % 2)
    if isinstance(kind, Float):
        return 0.1 + number / 3
    assert isinstance(kind, Integer), f"{table}.{column} has a type that this test does not know"
    return (2**63 if isinstance(kind, BigInteger) else 2**31) - 1 - number


def move_to(capsys: pytest.CaptureFixture[str], address: str) -> tuple[int, str, str]:
    """Move to an address; return the exit status, the output and the errors. The password is in neither."""
    status, printed, errors = say(capsys, "move-to", address)
    assert "not-needed" not in printed + errors
    assert "very-secret" not in printed + errors
    return status, printed, errors


async def ask(address: str, query: str) -> list[tuple[Any, ...]]:
    """The rows that PostgreSQL answers a query with."""
    async with engine_at(address, poolclass=NullPool).begin() as connection:
        result = await connection.exec_driver_sql(query)
        return [tuple(row) for row in result] if result.returns_rows else []


class Rows(NamedTuple):
    """The columns of a table, and its rows in order of their values."""

    columns: list[str]
    rows: list[tuple[Any, ...]]


async def tables_at(address: str, columns: str = "*") -> dict[str, Rows]:
    """All tables of PostgreSQL with all they hold, read over one connection, as each takes PostgreSQL a process."""
    tables = {}
    async with engine_at(address, poolclass=NullPool).begin() as there:
        names = await there.exec_driver_sql("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        for name in sorted(names.scalars()):
            result = await there.exec_driver_sql(f"SELECT {columns} FROM {name}")
            tables[name] = Rows([*result.keys()], sorted(map(tuple, result), key=repr))
    return tables


async def everything(address: str) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of PostgreSQL but the fact that it has of its own, with the transactions that wrote them."""
    tables = await tables_at(address, "xmin::text, *")
    return {name: [row for row in rows if USABLE_SINCE not in row] for name, (_columns, rows) in tables.items()}


def rows_in(file: Path, query: str) -> list[tuple[Any, ...]]:
    """The rows that SQLite answers a query with."""
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(query).fetchall()


def dump(file: Path) -> list[str]:
    """All that is in a file, with its tables."""
    with closing(sqlite3.connect(file)) as connection:
        return list(connection.iterdump())


def change(file: Path, *statements: str) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def as_sqlite(found: object) -> object:
    """A value of PostgreSQL as SQLite has it."""
    if isinstance(found, datetime):
        return found.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")
    return int(found) if isinstance(found, bool) else found


# What is moved


def test_every_column_of_every_row_of_every_table_is_moved(
    capsys: pytest.CaptureFixture[str], file: Path, empty: str
) -> None:
    before = dump(file)
    status, told, beside = move_to(capsys, empty)
    assert status == 0
    assert dump(file) == before
    # The tables and columns are looked up in the databases, so that none is forgotten here and there.
    tables = [name for (name,) in rows_in(file, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    assert tables == sorted([*metadata.tables, "alembic_version"])
    there = asyncio.run(tables_at(empty))
    assert [*there] == tables
    for table in tables:
        names = [row[1] for row in rows_in(file, f"PRAGMA table_info({table})")]
        assert table not in metadata.tables or set(names) == set(metadata.tables[table].c.keys())
        columns = there[table].columns
        ours = rows_in(file, f"SELECT {', '.join(columns)} FROM {table}")
        assert len(ours) == {"alembic_version": 1, "facts": ROWS + 1}.get(table, ROWS)
        moved = [] if table == open_answers.name else ours
        assert sorted([tuple(map(as_sqlite, row)) for row in there[table].rows], key=repr) == sorted(moved, key=repr)
        assert set(columns) == set(names)
    assert told.splitlines()[: len(MOVED)] == [
        f"{table.name}: {ROWS} rows, {ROWS} copied now, 0 there before" for table in MOVED
    ]
    assert told.endswith(f'start the bot:\n\ndatabase = "{empty.replace("not-needed", "***")}"\n')
    assert beside.splitlines() == [f"Copying {ROWS} rows of {table.name}." for table in MOVED]
    # A key that PostgreSQL counts by itself would begin with 1 again: `move` has nothing for such keys.
    assert asyncio.run(ask(empty, "SELECT * FROM pg_sequences")) == []
    says_that_all_is_there(capsys, empty)


def says_that_all_is_there(capsys: pytest.CaptureFixture[str], address: str) -> None:
    """Moved again, nothing is written."""
    before = asyncio.run(everything(address))
    status, told, beside = move_to(capsys, address)
    assert (status, beside) == (0, "")
    assert told.splitlines()[0] == f"battles: {ROWS} rows, 0 copied now, {ROWS} there before"
    assert asyncio.run(everything(address)) == before


def test_a_file_without_usable_since_is_moved(capsys: pytest.CaptureFixture[str], file: Path, address: str) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(f"DELETE FROM facts WHERE name = '{USABLE_SINCE}'")
    for copied in (ROWS, 0):
        status, told, _ = move_to(capsys, address)
        assert status == 0
        assert f"facts: {ROWS} rows, {copied} copied now, {ROWS - copied} there before\n" in told


OLD_FILES = [("revision_0004.db", "rolls"), ("revision_0001.db", "setups")]


@pytest.mark.parametrize(("made_by", "table"), pick(OLD_FILES[:1], OLD_FILES))
def test_an_old_file_is_brought_up_to_date_and_moved(
    capsys: pytest.CaptureFixture[str], file: Path, address: str, made_by: str, table: str
) -> None:
    shutil.copy(OLD.with_name(made_by), file)
    ((many,),) = rows_in(file, f"SELECT count(*) FROM {table}")
    assert many
    status, told, _ = move_to(capsys, address)
    assert (status, f"{table}: {many} rows, {many} copied now, 0 there before\n" in told) == (0, True)
    assert rows_in(file, "SELECT version_num FROM alembic_version") == [(revisions()[-1],)]
    assert len(asyncio.run(everything(address))[table]) == many


@pytest.mark.whole
async def test_a_live_battle_goes_on_after_the_move(
    discord: FakeDiscord, settings: Settings, address: str, tmp_path: Path
) -> None:
    alice = discord.member("Alice")
    async with bot_on(discord, settings) as bot:
        await alice.sends("preset save", name="alamo", matchup="12 9")
        shown = await alice.presses(await alice.sends("roll", matchup="9 8"), "Roll")
        await idle(bot)
    environment = {**os.environ, "SANDTABLE_DATA": str(settings.data)}
    moved = await forked.run_async("bot", "move-to", address, environment=environment)
    assert moved.returncode == 0, moved
    async with bot_on(discord, replace(settings, database=address)) as bot:
        again = await alice.presses(discord.messages[shown.id], "Roll")
        record = await bot.services.store.battles.find(under(again, "battle"))
        assert record is not None
        assert record.battle.turn == 2
        over = await alice.presses(again, "Roll to the end")
        log = log_of(await alice.sends("verify", battle=under(over, "battle")))
        assert "alamo" in (await alice.sends("preset list")).content
        await idle(bot)
    assert log["commitment"] == record.battle.commitment
    assert fair.problems(log) == check(log) == []
    (tmp_path / "battle.json").write_text(json.dumps(log))
    verified = await forked.run_async("bot", "verify", str(tmp_path / "battle.json"), environment=environment)
    assert (verified.returncode, b"no problems found" in verified.stdout) == (0, True)


# When it is interrupted


@pytest.mark.parametrize(("number", "status"), [(SIGKILL, -SIGKILL), (SIGTERM, 1)])
async def test_an_interrupted_move_goes_on_and_changes_no_copied_row(
    file: Path, address: str, number: Signals, status: int
) -> None:
    engine = engine_at(address, poolclass=NullPool)
    async with engine.connect() as holding:
        # Whoever wants to write this row waits until we have written it, or not.
        await holding.exec_driver_sql("SET idle_in_transaction_session_timeout = 0")
        await holding.exec_driver_sql(
            "INSERT INTO battles (id, place, line, seed, commitment, head, turn, shown, judged, kept, started_at, "
            "changed_at) VALUES ('zulu', '', '', '', '', '', 0, 0, 0, true, now(), now())"
        )
        program = await Forked.start("bot", "move-to", address, constants={"bot.store.moving.BATCH": 3})
        try:
            await until_it_has(address, WAITS)
            program.send_signal(number)
            assert await asyncio.wait_for(program.wait(), LONGEST) == status
        finally:
            program.kill()
            program.close()
        await holding.rollback()
    half = await everything(address)
    assert [row[1] for row in half["battles"]] == sorted(TEXTS)[:3]
    await until_it_has(address, COMPANY, answers=False)
    counts = await move(file, address, lambda _: None)
    assert counts[0] == ("battles", ROWS, ROWS - 3)
    whole = await everything(address)
    assert {name: len(rows) for name, rows in whole.items()} == dict.fromkeys(metadata.tables, ROWS) | {
        open_answers.name: 0,
        "alembic_version": 1,
    }
    assert all(set(half[name]) <= set(whole[name]) for name in half)


async def until_it_has(address: str, query: str, answers: bool = True) -> None:
    """Wait until PostgreSQL has an answer to a query, or none."""
    end = time.monotonic() + LONGEST
    while bool(await ask(address, query)) is not answers:
        assert time.monotonic() < end, query
        await asyncio.sleep(0.02)


async def test_a_move_goes_on_after_the_server_was_lost(file: Path, postgres: servers.Postgres, address: str) -> None:
    def stop(line: str) -> None:
        if "rolls" in line:
            postgres.stop()

    try:
        with pytest.raises(UserError, match=r"cannot be used: .*Run this again to copy the rest\."):
            await move(file, address, stop)
    finally:
        postgres.start()
    half = await everything(address)
    assert (len(half["battles"]), len(half["rolls"])) == (ROWS, 0)
    counts = {one.table: one.copied for one in await move(file, address, lambda _: None)}
    assert (counts["battles"], counts["rolls"]) == (0, ROWS)


# What is refused


def test_a_target_with_other_rows_is_refused_and_left_alone(
    capsys: pytest.CaptureFixture[str], file: Path, address: str
) -> None:
    asyncio.run(fill(address))
    asyncio.run(ask(address, "DELETE FROM setups"))  # something is missing too, and may not be copied
    change_fact = "UPDATE facts SET value = '{}' WHERE name = 'B'"
    later = "UPDATE battles SET started_at = started_at {} interval '1 microsecond' WHERE id = 'ä'"
    insert_fact, delete_fact = "INSERT INTO facts VALUES ('{}', 'x')", "DELETE FROM facts WHERE name = '{}'"
    for row, statement, back in (
        *((f"`facts` with name '{key}'", insert_fact.format(key), delete_fact.format(key)) for key in (" ", "M", "zz")),
        ("`facts` with name 'B'", change_fact.format("x"), change_fact.format("Bvalue")),
        ("`battles` with id 'ä'", later.format("+"), later.format("-")),
        ("`departures` with place 'guild:1'", "INSERT INTO departures VALUES ('guild:1', now())", "SELECT 1"),
    ):
        asyncio.run(ask(address, statement))
        before = asyncio.run(everything(address))
        status, told, beside = move_to(capsys, address)
        assert (status, told, beside.count("\n")) == (2, "", 1), statement
        assert f"has other data: the row of {row} is not the same in {file}. Give an empty database." in beside, beside
        assert asyncio.run(everything(address)) == before
        asyncio.run(ask(address, back))


def test_a_target_of_another_version_is_refused_and_left_alone(
    capsys: pytest.CaptureFixture[str], file: Path, address: str
) -> None:
    asyncio.run(fill(address))
    for revision, sentence in (
        ("0002", "are from an older version of Sandtable. Give an empty database."),
        ("9999", "The database was made by another version of Sandtable (revision 9999); update first."),
    ):
        asyncio.run(ask(address, f"UPDATE alembic_version SET version_num = '{revision}'"))
        before = asyncio.run(everything(address))
        status, _, beside = move_to(capsys, address)
        assert (status, sentence in beside) == (2, True)
        assert asyncio.run(everything(address)) == before


def test_tables_of_another_program_are_left_alone(capsys: pytest.CaptureFixture[str], file: Path, empty: str) -> None:
    asyncio.run(ask(empty, "CREATE TABLE settings AS SELECT 1 AS mine"))
    before = asyncio.run(everything(empty))
    status, _, beside = move_to(capsys, empty)
    assert (status, 'relation "settings" already exists' in beside) == (2, True)
    assert asyncio.run(everything(empty)) == before


def test_a_value_of_another_type_is_named(
    capsys: pytest.CaptureFixture[str], file: Path, filled: Path, address: str
) -> None:
    for table, column, value, told in (
        ("battles", "turn", "'many'", "'many' as `turn`, which must be a whole number"),
        ("battles", "turn", str(2**31), "2147483648 as `turn`, which must be a whole number"),
        ("battles", "chance", "'x'", "'x' as `chance`, which must be a number"),
        ("battles", "kept", "7", "7 as `kept`, which must be 0 or 1"),
        ("battles", "changed_at", "'now'", "'now' as `changed_at`, which must be a time"),
        ("battles", "changed_at", "12", "12 as `changed_at`, which must be a time"),
        ("battles", "line", "x'00ff'", "b'\\x00\\xff' as `line`, which must be a text"),
        ("facts", "value", "x'" + "41" * 100 + "'", f"b'{'A' * 58}… as `value`, which must be a text"),
    ):
        shutil.copy(filled, file)
        change(file, f"UPDATE {table} SET {column} = {value}")
        status, _, beside = move_to(capsys, address)
        assert status == 2
        assert beside.startswith(f"In {file}, the row of `{table}` with "), told
        assert f" has {told}. Change or delete this row, and run this again.\n" in beside


def test_a_row_with_nul_is_named(capsys: pytest.CaptureFixture[str], file: Path, address: str) -> None:
    change(file, "UPDATE players SET name = 'Al' || char(0) || 'ice' WHERE battle = 'zulu'")
    status, told, beside = move_to(capsys, address)
    assert (status, told) == (2, "")
    assert beside == (
        f"In {file}, the row of `players` with battle 'zulu', tag 'zulu' has the character NUL, which PostgreSQL "
        "cannot store. Change or delete this row, and run this again.\n"
    )
    assert not any(rows for name, rows in asyncio.run(everything(address)).items() if name != "alembic_version")


def test_a_file_in_use_by_a_bot_is_not_moved(capsys: pytest.CaptureFixture[str], file: Path, empty: str) -> None:
    with hold_lock(file):
        assert move_to(capsys, empty) == (2, "", f"Another bot is at work with the database {file}. End it first.\n")
    assert asyncio.run(everything(empty)) == {}


@pytest.mark.parametrize(
    ("bot", "sentence"),
    [
        (lambda address: hold_shards(address, "token", None, lambda: None), "Another bot is at work with the database"),
        (hold_presence, "A process `sandtable http` is at work with the database"),
    ],
)
async def test_a_target_in_use_by_a_bot_is_refused(
    file: Path, address: str, bot: Callable[[str], AbstractAsyncContextManager[Any]], sentence: str
) -> None:
    async with bot(address):
        with pytest.raises(UserError, match=sentence):
            await move(file, address, lambda _: None)
    assert not any(rows for name, rows in (await everything(address)).items() if name != "alembic_version")


async def test_a_move_locks_its_file_and_its_target(file: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    copy, tried = moving._Move._copy, []

    async def copy_and_try(mover: moving._Move, table: Table) -> None:
        await copy(mover, table)
        with closing(sqlite3.connect(file, timeout=0)) as terminal, pytest.raises(sqlite3.Error, match="locked"):
            terminal.execute("DELETE FROM rolls")
        with pytest.raises(LockTakenError):
            async with hold_shards(address, "token", None, lambda: None):
                pass
        tried.append(table)

    monkeypatch.setattr(moving._Move, "_copy", copy_and_try)
    await move(file, address, lambda _: None)
    assert tried == MOVED


async def test_a_row_deleted_during_a_move_is_reported(
    file: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = moving._Move._copy

    async def copy_and_delete(mover: moving._Move, table: Table) -> None:
        await copy(mover, table)
        await ask(address, "DELETE FROM facts WHERE name = 'B'")

    monkeypatch.setattr(moving._Move, "_copy", copy_and_delete)
    with pytest.raises(UserError, match=r"1 rows of facts were deleted from .* meanwhile\. Run this again\."):
        await move(file, address, lambda _: None)


def test_a_wrong_address_of_the_target_is_a_sentence(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    for given, sentence in [
        ("", "The data can go to PostgreSQL: sandtable move-to postgresql://user@host/name\n"),
        ("sqlite:///other.db", "The address is wrong: an address looks like postgresql://user:password@host/name."),
        (
            "postgresql://sandtable:very-secret@/",
            "The address is wrong: an address looks like postgresql://user:password@host/name.",
        ),
        (
            "postgresql://host/name more",
            "The address is wrong: an address looks like postgresql://user:password@host/name.",
        ),
        (f"{OTHER}?color=very-secret", "The address of the database says `color`, which is not known"),
        (OTHER, "The database tables at 127.0.0.1:1 cannot be used: [Errno 111] Connect call failed"),
    ]:
        status, told, beside = move_to(capsys, given)
        assert (status, told, beside.count("\n")) == (2, "", 1)
        assert beside.startswith(sentence)


def test_an_unknown_database_is_a_sentence(
    capsys: pytest.CaptureFixture[str], file: Path, postgres: servers.Postgres
) -> None:
    status, _, beside = move_to(capsys, postgres.address("nowhere"))
    assert (status, beside.count("\n")) == (2, 1)
    assert 'cannot be used: database "nowhere" does not exist' in beside


@pytest.mark.parametrize("in_address", [True, False])
async def test_a_wrong_password_is_a_sentence(file: Path, monkeypatch: pytest.MonkeyPatch, in_address: bool) -> None:
    if not in_address:
        monkeypatch.setenv("PGPASSWORD", "very-secret")
    who = "sandtable:very-secret" if in_address else "sandtable"
    heard: list[bytes] = []
    async with refusing_server(heard) as port:
        with pytest.raises(UserError) as refused:
            await move(file, f"postgresql://{who}@127.0.0.1:{port}/tables", lambda _: None)
    assert heard[-1] == b"very-secret\0"
    assert refused.value.text == (
        f'The database tables at 127.0.0.1:{port} cannot be used: password authentication failed for user "sandtable".'
    )


@asynccontextmanager
async def refusing_server(heard: list[bytes]) -> AsyncIterator[int]:
    """A server that has no SSL, asks for a password in plain text, and refuses it, in PostgreSQL's words."""
    no_ssl, ask_password = b"N", b"R\0\0\0\x08\0\0\0\x03"
    error = b'SFATAL\0C28P01\0Mpassword authentication failed for user "sandtable"\0\0'

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # Only the third message begins with the letter of its kind.
        for kind, answer in ((0, no_ssl), (0, ask_password), (1, b"E" + (len(error) + 4).to_bytes(4) + error)):
            await reader.readexactly(kind)
            heard.append(await reader.readexactly(int.from_bytes(await reader.readexactly(4)) - 4))
            writer.write(answer)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]


def test_without_a_file_there_is_nothing_to_move(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    file.unlink()
    assert move_to(capsys, OTHER) == (2, "", f"There is no database {file} to move.\n")
    assert not file.exists()


def test_a_broken_file_is_a_sentence(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    file.write_text("no database at all " * 100)
    status, _, beside = move_to(capsys, OTHER)
    assert (status, beside) == (2, f"The database {file} cannot be used: file is not a database.\n")
