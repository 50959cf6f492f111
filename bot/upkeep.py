"""The host's tools: tests a start (`sandtable check`), copies (`backup`) or moves the database, deletes old battles."""

import asyncio
import os
import signal
import sqlite3
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import TYPE_CHECKING

from bot import editions, packs
from bot.errors import UserError
from bot.maps.reading import load_maps
from bot.openings import openings
from bot.pace import at_pace
from bot.settings import Settings, load
from bot.store.database import Store
from bot.store.unopened import PRIVATE, Revision, read_revision, revisions
from bot.store.upgrade import revision_at
from bot.version import check_files
from solver.compiled import library

if TYPE_CHECKING:
    from bot.store.moving import Count

NO_KERNEL = (
    "There is no compiled kernel: battles take about 15 times as long, and large ones are refused or simulated sooner; "
    "install gcc, and then Sandtable again."
)
PAUSE = at_pace(0.2)
"""Seconds between two portions of a long deletion, in which others write."""


def check(settings: Settings) -> int:
    """Check all that a start needs, change nothing, and print the results; return 0 if all is right, else 2."""
    wrong: list[str] = []
    checks: tuple[Callable[[], str], ...] = (
        lambda: f"The settings are right, and {len(packs.load())} rule packs.",
        lambda: f"The {len(editions.editions())} editions of Axis & Allies are right.",
        lambda: f"The maps are right: {', '.join(load_maps())}.",
        lambda: f"The openings of Axis & Allies are right: {', '.join(openings())}.",
        check_files,
        describe_kernel,
        lambda: check_folder(settings.data),
        lambda: check_database(settings.store) if isinstance(settings.store, Path) else check_postgres(settings.store),
        *([lambda: check_redis(settings)] if settings.redis else []),
        lambda: "There is a token." if settings.bare_token else "There is no token; `sandtable discord` needs one.",
    )
    for run_check in checks:
        try:
            print(run_check())
        except UserError as error:
            # A fault that several parts have is printed once.
            if error.text not in wrong:
                print(error.text, file=sys.stderr)
            wrong.append(error.text)
    return 2 if wrong else 0


def describe_kernel() -> str:
    """Describe in a sentence whether there is compiled code."""
    if library.library():
        return "The compiled kernel is there."
    return NO_KERNEL


def check_folder(folder: Path) -> str:
    """Describe in a sentence the state of the data folder; UserError if a start with it would fail."""
    there = _nearest(folder)
    if not there.is_dir():
        raise UserError(f"The data folder {folder} cannot be made, as {there} is no folder.")
    _check_rights(there)
    try:
        TemporaryFile(dir=there).close()
    except OSError as error:
        raise UserError(f"Nothing can be written to {there}: {error.strerror}.") from None
    if there != folder.absolute():
        return f"The data folder {folder} will be made at the first start."
    if folder.stat().st_mode & ~PRIVATE & 0o777:
        return f"The data folder {folder} is open to others on this machine: `chmod 700 {folder}` closes it."
    return f"The data folder {folder} is right."


def _nearest(folder: Path) -> Path:
    """Return the folder, or what is there of the path to it, which may be a link to nowhere."""
    path = folder.absolute()
    for place in (path, *path.parents):
        try:
            place.lstat()
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise UserError(f"The data folder {folder} cannot be made: {reason}.") from None
        return place
    raise AssertionError("the root is always there")


def _check_rights(place: Path) -> None:
    if not os.access(place, os.R_OK | os.W_OK):
        raise UserError(f"{place} belongs to somebody else: whoever runs this may not write there.")


def check_database(database: Path) -> str:
    """Describe in a sentence the state of an SQLite database; UserError if a start with it would fail."""
    check_folder(database.parent)
    if not database.exists():
        return f"The database {database} will be made at the first start."
    if not database.is_file():
        raise UserError(f"The database {database} cannot be used: it is no file.")
    _check_rights(database)
    try:
        with _open_existing(database) as connection:
            ((verdict,), *_) = connection.execute("PRAGMA quick_check(1)")
            revision = read_revision(connection)
    except sqlite3.Error as error:
        raise UserError(f"The database {database} cannot be used: {error}.") from None
    if verdict != "ok":
        raise UserError(f"The database {database} is damaged, so a backup should take its place: {verdict}.")
    return f"The database {database} is sound{_describe(revision)}."


def check_postgres(address: str) -> str:
    """Describe in a sentence the state of a PostgreSQL database; UserError if a start with it would fail."""
    from bot.store.postgres import public_name

    name, revision = public_name(address), asyncio.run(revision_at(address))
    if revision.number is None:
        return f"The database {name} answers, and its tables will be made at the first start."
    return f"The database {name} answers{_describe(revision)}."


def _describe(revision: Revision) -> str:
    """Return what a sentence adds about tables that are not of this version; UserError if they are too new."""
    if revision.is_newer():
        return f"; it is that of a newer version of Sandtable (revision {revision.number}), which this one can use too"
    return "" if revision.number == revisions()[-1] else ", and will be brought up to date at the next start"


def check_redis(settings: Settings) -> str:
    """Return a sentence if Redis answers; UserError if it does not."""
    from bot.work.shared_cache import SharedCache

    async def ask() -> None:
        async with SharedCache(settings) as shared:
            await shared.check_connection()

    asyncio.run(ask())
    return "Redis answers."


def back_up(settings: Settings, name: str) -> int:
    """Copy the SQLite database of this moment to the new file `name`, also while the bot runs; return 0.

    The file gets its name only when the copy is complete. It holds the seeds of unfinished battles, so only its owner
    may read it. UserError if the database is not SQLite, the name is taken, or the file cannot be written.
    """
    if settings.store != settings.file:
        raise UserError(
            "The database is PostgreSQL's, which its own program copies while the bot runs: "
            "pg_dump --exclude-table-data=open_answers"
        )
    if not name:
        raise UserError("Where is the copy to go? sandtable backup sandtable-monday.db")
    database, copy = settings.file, Path(name)
    taken = UserError(f"{copy} is there already, and a backup takes nothing's place. Give another name.")
    if not database.exists():
        raise UserError(f"There is no database {database} to copy.")
    check_database(database)
    try:
        if copy.exists():
            raise taken
        with TemporaryDirectory(dir=copy.parent, prefix=".sandtable-") as folder:
            part = Path(folder, database.name).absolute()
            part.touch(mode=0o600)
            with _open_existing(database) as connection:
                connection.execute("VACUUM INTO ?", (str(part),))
            _forget_open_answers(part)
            with part.open("rb+") as written:
                os.fsync(written.fileno())
            copy.touch(exist_ok=False)
            part.replace(copy)
    except FileExistsError:
        raise taken from None
    except (OSError, sqlite3.Error) as error:
        raise UserError(
            f"The backup cannot be written to {copy}: {getattr(error, 'strerror', None) or error}."
        ) from None
    print(f"The database was copied to {copy}.")
    return 0


def _forget_open_answers(copy: Path) -> None:
    """Delete the secrets of open answers from a copy, which is kept longer than they live."""
    with _open_existing(copy) as connection:
        connection.execute("PRAGMA secure_delete=ON")
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'open_answers'").fetchone():
            connection.execute("DELETE FROM open_answers")


def move_to(settings: Settings, address: str) -> int:
    """Copy all data of the SQLite file to the PostgreSQL database at `address`, say how much it was, and return 0.

    UserError if a bot uses one of the databases, the file is damaged, or the target cannot be used or has other data.
    """
    from bot.store.moving import move
    from bot.store.postgres import public_address
    from bot.store.unopened import hold_lock

    try:
        address = load(database=address).database
    except UserError as error:
        raise UserError(f"The address is wrong: {error.text.partition(' is wrong: ')[2]}") from None
    if not address:
        raise UserError("The data can go to PostgreSQL: sandtable move-to postgresql://user@host/name")
    file, shown = settings.file, public_address(address)
    if not file.exists():
        raise UserError(f"There is no database {file} to move.")
    with hold_lock(file):
        check_database(file)
        counts = asyncio.run(_end_in_order(move(file, address, lambda line: print(line, file=sys.stderr))))
    for table, rows, copied in counts:
        print(f"{table}: {rows} rows, {copied} copied now, {rows - copied} there before")
    print(f"All data of {file} is in PostgreSQL: each row was compared. The file keeps it too.")
    print(f'Set this, with the password, and start the bot:\n\ndatabase = "{shown}"')
    return 0


async def _end_in_order(moving: Coroutine[None, None, list["Count"]]) -> list["Count"]:
    """Return what a move has copied; SIGTERM cancels it, since the driver must hang up before the process ends."""
    task = asyncio.ensure_future(moving)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    with suppress(asyncio.CancelledError):
        return await task
    sys.exit(1)


async def delete_old_battles(store: Store, days: int) -> int:
    """Delete the battles that nobody has touched for so many days, a portion at a time; return their number."""
    before, deleted = datetime.now(UTC) - timedelta(days=days), 0
    while portion := await store.cleaning.delete_old_battles(before):
        deleted += portion
        await asyncio.sleep(PAUSE)
    return deleted


@contextmanager
def _open_existing(database: Path) -> Iterator[sqlite3.Connection]:
    """Connect to an existing database; never create one."""
    # A read-only connection would leave the files of the write-ahead log behind, perhaps with another owner.
    with closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=rw", uri=True)) as connection:
        connection.isolation_level = None
        yield connection
