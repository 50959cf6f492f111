"""What a host does beside the bot: looks whether it would start, copies its database while it runs, starts it once."""

import asyncio
import errno
import shutil
import sqlite3
import subprocess
import sys
from base64 import urlsafe_b64encode
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from bot.errors import UserError
from bot.settings import load
from bot.store.database import open_store
from bot.store.records import Setup
from bot.store.unopened import hold_lock, revisions
from tests.fake_discord import FakeDiscord
from tests.helpers import servers
from tests.helpers.bot.broken_databases import damage
from tests.helpers.bot.setups import NOON, OLD
from tests.helpers.program import LONGEST, program, say

FILE = "sandtable.db"
WRITER = """
import itertools, sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=30)
for number in itertools.count():
    database.execute("BEGIN IMMEDIATE")
    database.execute("INSERT INTO facts VALUES (?, 'one half')", (f"a{number}",))
    database.execute("INSERT INTO facts VALUES (?, 'the other')", (f"b{number}",))
    database.execute("COMMIT")
    print(number, flush=True)
"""
"""A program that always writes two rows at once, and says so when both are there."""


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("SANDTABLE_TOKEN", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data"


@pytest.fixture
def database(data: Path) -> Path:
    """The database of a bot that has been running, with a set-up in it."""

    async def begin() -> None:
        async with open_store(data / FILE) as store:
            await store.save("guild:1", Setup("alamo", "12 9", "1", "Alice", NOON), 10, manages=False)

    with ThreadPoolExecutor() as thread:  # some tests have a loop of their own
        thread.submit(asyncio.run, begin()).result()
    return data / FILE


def rows(file: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(query).fetchall()


# check


def test_check_before_the_first_start_makes_no_file(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    status, told, wrong = say(capsys, "check")
    assert (status, wrong) == (0, "")
    assert told.splitlines()[-2:] == [
        f"The database {data / 'sandtable.db'} will be made at the first start.",
        "There is no token; `sandtable discord` needs one.",
    ]
    assert not data.exists()


def test_check_leaves_a_database_in_use_unchanged(
    capsys: pytest.CaptureFixture[str], database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANDTABLE_TOKEN", "very-secret")
    before = database.read_bytes()
    status, told, wrong = say(capsys, "check")
    assert (status, wrong) == (0, "")
    assert told.splitlines()[-2:] == [f"The database {database} is sound.", "There is a token."]
    assert database.read_bytes() == before
    assert [file.name for file in database.parent.iterdir()] == [database.name]


def test_check_names_an_old_database_and_does_not_migrate(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    data.mkdir()
    shutil.copy(OLD, data / FILE)
    status, told, _ = say(capsys, "check")
    assert (status, "will be brought up to date at the next start" in told) == (0, True)
    assert rows(data / FILE, "SELECT version_num FROM alembic_version") == [("0001",)]


def test_check_names_a_database_of_a_newer_version(capsys: pytest.CaptureFixture[str], database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    assert say(capsys, "check")[1].splitlines()[-2] == (
        f"The database {database} is sound; it is that of a newer version of Sandtable (revision 9999), which this "
        "one can use too."
    )


def test_check_lists_every_mistake_at_once(
    capsys: pytest.CaptureFixture[str], data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data.write_text("a file where the folder should be")

    def wrong() -> None:
        raise UserError("risk.toml, [mine]: a pack has no such field.")

    monkeypatch.setattr("bot.packs.load", wrong)
    status, told, errors = say(capsys, "check")
    assert status == 2
    assert errors.splitlines() == [
        "risk.toml, [mine]: a pack has no such field.",
        f"The data folder {data} cannot be made, as {data} is no folder.",
    ]
    assert "editions of Axis & Allies are right" in told


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        (
            "DELETE FROM facts; UPDATE alembic_version SET version_num = '9999'",
            "made by another version of Sandtable (revision 9999)",
        ),
        ("UPDATE sqlite_master SET rootpage = 999 WHERE name = 'setups'", "cannot be used: malformed database schema"),
        (
            "UPDATE sqlite_master SET sql = replace(sql, 'line VARCHAR', 'line CHECK (0)')",
            "damaged",
        ),
    ],
)
def test_check_names_an_unusable_database_in_a_sentence(
    capsys: pytest.CaptureFixture[str], database: Path, query: str, sentence: str
) -> None:
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.executescript(query)
    status, _, wrong = say(capsys, "check")
    assert (status, wrong.count("\n")) == (2, 1)
    assert sentence in wrong


async def test_the_bot_does_not_start_with_a_damaged_database(
    capsys: pytest.CaptureFixture[str], database: Path, discord: FakeDiscord, data: Path
) -> None:
    damage(database)
    status, _, wrong = await asyncio.to_thread(say, capsys, "check")
    assert status == 2
    assert f"The database {database} " in wrong
    async with program(discord.token, data, discord) as process:
        _, told = await process.communicate()
    assert (process.returncode, told.decode().endswith(f" CRITICAL bot: {wrong}"), discord.requests) == (78, True, [])


def test_check_refuses_a_file_that_is_no_database(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    data.mkdir()
    (data / FILE).write_text("no database at all " * 100)
    assert say(capsys, "check")[::2] == (
        2,
        f"The database {data / 'sandtable.db'} cannot be used: file is not a database.\n",
    )


def test_check_names_a_database_without_access(
    capsys: pytest.CaptureFixture[str], database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda place, _: place != database)
    status, _, wrong = say(capsys, "check")
    assert (status, f"{database} belongs to somebody else" in wrong) == (2, True)


def test_check_tests_postgresql_and_redis(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    postgres: servers.Postgres,
    redis: servers.Redis,
    data: Path,
) -> None:
    address = postgres.fresh()
    name = f"{address.rpartition('/')[2]} at 127.0.0.1:{postgres.port}"
    monkeypatch.setenv("SANDTABLE_DATABASE", address)
    monkeypatch.setenv("SANDTABLE_REDIS", redis.address)
    status, told, wrong = say(capsys, "check")
    assert (status, wrong) == (0, "")
    assert told.splitlines()[-3:-1] == [
        f"The database {name} answers, and its tables will be made at the first start.",
        "Redis answers.",
    ]

    async def change(query: str) -> None:
        async with open_store(address) as store, store.battles._connections.write() as connection:
            await connection.exec_driver_sql(query)

    for revision, expected, sentence in (
        (revisions()[-1], 0, f"The database {name} answers."),
        (
            "9999",
            0,
            f"The database {name} answers; it is that of a newer version of Sandtable (revision 9999), which this "
            "one can use too.",
        ),
        ("0002", 0, f"The database {name} answers, and will be brought up to date at the next start."),
    ):
        asyncio.run(change(f"UPDATE alembic_version SET version_num = '{revision}'"))
        status, told, wrong = say(capsys, "check")
        assert (status, sentence in told.splitlines()) == (expected, True)
    assert not data.exists()


def test_check_names_unusable_servers_in_sentences(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANDTABLE_DATABASE", "postgresql://sand:very-secret@127.0.0.1:1/table")
    monkeypatch.setenv("SANDTABLE_REDIS", "redis://:very-secret@127.0.0.1:1")
    status, _, wrong = say(capsys, "check")
    assert status == 2
    database, redis = wrong.splitlines()
    assert database.startswith("The database table at 127.0.0.1:1 cannot be used: [Errno 111] Connect call failed")
    assert redis.startswith("Redis does not answer, so that nothing would be shared: ")
    assert "very-secret" not in wrong
    assert say(capsys, "backup", "copy.db") == (
        2,
        "",
        "The database is PostgreSQL's, which its own program copies while the bot runs: "
        "pg_dump --exclude-table-data=open_answers\n",
    )


# backup


def test_a_backup_opens_and_has_every_row(
    capsys: pytest.CaptureFixture[str], database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "mon day.db"
    assert say(capsys, "backup", str(copy)) == (0, f"The database was copied to {copy}.\n", "")
    for table in ("setups", "facts", "battles", "alembic_version"):
        query = f"SELECT * FROM {table}"
        assert rows(copy, query) == rows(database, query)
    assert copy.stat().st_mode & 0o777 == 0o600
    assert sorted(file.name for file in tmp_path.iterdir()) == ["data", copy.name]

    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path / "restored"))
    (tmp_path / "restored").mkdir()
    copy.rename(tmp_path / "restored" / FILE)

    async def setup() -> Setup | None:
        async with open_store(load().store) as store:
            return await store.setup("guild:1", "alamo")

    found = asyncio.run(setup())
    assert found is not None
    assert found.line == "12 9"


def test_a_backup_is_a_snapshot_while_another_program_writes(
    capsys: pytest.CaptureFixture[str], database: Path, tmp_path: Path
) -> None:
    counts = []
    with ExitStack() as stack:
        writer = stack.enter_context(
            subprocess.Popen([sys.executable, "-c", WRITER, str(database)], stdout=subprocess.PIPE)
        )
        stack.callback(writer.kill)
        assert writer.stdout is not None
        for number in range(4):
            written = int(writer.stdout.readline())
            copy = tmp_path / f"copy-{number}.db"
            assert say(capsys, "backup", str(copy))[0] == 0
            written_by_it = "WHERE value LIKE 'one %' OR value LIKE 'the %' GROUP BY value"
            one, other = (count for (count,) in rows(copy, f"SELECT count(*) FROM facts {written_by_it}"))
            assert one == other
            assert one > written, "what was written before is there"
            assert rows(copy, "PRAGMA integrity_check") == [("ok",)]
            counts.append(one)
    assert counts == sorted(counts)
    assert counts[0] < counts[-1], "it was written to all the time"


def test_a_backup_that_cannot_be_written_is_a_sentence(
    capsys: pytest.CaptureFixture[str], database: Path, tmp_path: Path
) -> None:
    (tmp_path / "taken.db").write_text("mine")
    for name, sentence in {
        "": "Where is the copy to go?",
        "data": "data is there already",
        "taken.db": "taken.db is there already",
        "nowhere/copy.db": "The backup cannot be written to nowhere/copy.db: No such file or directory.",
        "taken.db/copy.db": "The backup cannot be written to taken.db/copy.db: Not a directory.",
        "x" * 300: "File name too long.",
    }.items():
        status, told, wrong = say(capsys, "backup", name)
        assert (status, told, wrong.count("\n")) == (2, "", 1)
        assert sentence in wrong
        assert (tmp_path / "taken.db").read_text() == "mine"
        assert sorted(file.name for file in tmp_path.iterdir()) == ["data", "taken.db"]


def test_a_backup_without_a_database_is_refused(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    assert say(capsys, "backup", "copy.db")[::2] == (2, f"There is no database {data / 'sandtable.db'} to copy.\n")
    assert not Path("copy.db").exists()


def test_a_failed_backup_leaves_no_file(capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path) -> None:
    data.mkdir()
    (data / FILE).write_text("no database at all " * 100)
    status, _, wrong = say(capsys, "backup", "copy.db")
    assert (status, "file is not a database" in wrong) == (2, True)
    assert [file.name for file in tmp_path.iterdir()] == ["data"]


# one bot for a database


async def test_a_second_bot_is_refused_before_it_connects_to_discord(discord: FakeDiscord, data: Path) -> None:
    with hold_lock(data / FILE):
        async with program(discord.token, data, discord) as process:
            _, errors = await asyncio.wait_for(process.communicate(), LONGEST)
    assert (process.returncode, discord.requests) == (75, [])
    assert errors.decode().endswith(f"Another bot is at work with the database {data / FILE}. End it first.\n")


def test_the_terminal_works_beside_the_bot(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    with hold_lock(data / FILE):
        assert say(capsys, "preset save alamo 12 9")[0] == 0
        assert say(capsys, "check")[0] == 0
        assert say(capsys, "backup", "copy.db")[0] == 0


def test_bots_with_separate_databases_run_side_by_side(tmp_path: Path) -> None:
    with hold_lock(tmp_path / "one" / FILE), hold_lock(tmp_path / "two" / FILE):
        pass
    with hold_lock(tmp_path / "one" / FILE), pytest.raises(UserError), hold_lock(tmp_path / "one" / FILE):
        pass
    with hold_lock(tmp_path / "one" / FILE):
        pass


def test_a_data_folder_belongs_to_one_bot_also_with_postgresql(data: Path) -> None:
    with (
        hold_lock(data / FILE, elsewhere=True),
        pytest.raises(UserError, match=f"Another bot has the data folder {data}. Each needs one of its own."),
        hold_lock(data / FILE, elsewhere=True),
    ):
        pass


def test_a_folder_that_cannot_be_locked_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    with (
        pytest.raises(UserError, match=r"sandtable.lock cannot be locked: No locks available"),
        hold_lock(tmp_path / FILE),
    ):
        pass
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match=r"data folder .* cannot be made"), hold_lock(tmp_path / "file" / FILE):
        pass


# the installed files


def test_check_sees_files_of_another_package_among_its_own(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def install(name: str, *files: tuple[str, str]) -> None:
        """Install a package of these files, with their hashes, before all others."""
        lines = []
        for path, text in files:
            place = tmp_path / "site" / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
            digest = urlsafe_b64encode(sha256(text.encode()).digest()).decode().rstrip("=")
            lines.append(f"{path},sha256={digest},{len(text)}")
        metadata = tmp_path / "site" / f"{name}-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Name: {name}\nVersion: 1.0\n")
        (metadata / "RECORD").write_text("\n".join([*lines, "bot/__pycache__/new.pyc,,"]))

    monkeypatch.syspath_prepend(tmp_path / "site")
    install("sandtable", ("bot/new.py", "ours"), ("bot/other.py", "ours"))
    assert "The 2 installed files are Sandtable's own." in say(capsys, "check")[1]
    install("telegram_robot", ("bot/new.py", "theirs"))
    status, _, wrong = say(capsys, "check")
    assert (status, wrong) == (
        2,
        "1 of Sandtable's files are not as they were installed, such as bot/new.py; telegram_robot has files in the "
        "same folders. Install Sandtable into an environment of its own: uv, pipx and Docker do that.\n",
    )
