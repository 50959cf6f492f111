"""What a host does beside the bot: `sandtable check` before it starts, `sandtable backup` while it runs."""

import asyncio
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

from bot import editions, packs
from bot.errors import UserError
from bot.settings import Settings
from bot.store import NEWER, revision_at, revisions


def check(settings: Settings) -> int:
    """Look at all that the bot would start with, and change nothing of it; 0 if it is right, else 2, with sentences."""
    status = 0
    looks: tuple[Callable[[], str], ...] = (
        lambda: f"The settings are right, and {len(packs.load())} rule packs.",
        lambda: f"The {len(editions.editions())} editions of Axis & Allies are right.",
        lambda: look_at(settings.store) if isinstance(settings.store, Path) else look_at_server(settings.store),
        *([lambda: look_at_redis(settings)] if settings.redis.get_secret_value() else []),
        lambda: "There is a token." if settings.bare_token else "There is no token; `sandtable discord` needs one.",
    )
    for look in looks:
        try:
            print(look())
        except UserError as error:
            print(error.text, file=sys.stderr)
            status = 2
    return status


def look_at(database: Path) -> str:
    """What a start would find in the place of the database; UserError says what would not work there."""
    folder = next(folder for folder in database.absolute().parents if folder.exists())
    if not folder.is_dir():
        raise UserError(f"The data folder {database.parent} cannot be made, as {folder} is no folder.")
    for place in (folder, database):
        if place.exists() and not os.access(place, os.R_OK | os.W_OK):
            raise UserError(f"{place} belongs to somebody else: whoever runs this may not write there.")
    try:
        TemporaryFile(dir=folder).close()
    except OSError as error:
        raise UserError(f"Nothing can be written to {folder}: {error.strerror}.") from None
    if not database.exists():
        return f"The database {database} will be made at the first start."
    try:
        with _opened(database) as connection:
            ((verdict,), *_) = connection.execute("PRAGMA quick_check(1)")
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
            made_by = "SELECT version_num FROM alembic_version"
            revision = next(connection.execute(made_by), None) if "alembic_version" in tables else None
    except sqlite3.Error as error:
        raise UserError(f"The database {database} cannot be used: {error}.") from None
    if verdict != "ok":
        raise UserError(f"The database {database} is damaged, so a backup should take its place: {verdict}.")
    known = revisions()
    if revision is not None and revision[0] not in known:
        raise UserError(NEWER.format(revision[0]))
    state = "is sound" if revision == (known[-1],) else "is sound, and will be brought up to date at the next start"
    return f"The database {database} {state}."


def look_at_server(address: str) -> str:
    """The same of PostgreSQL."""
    from bot.store.postgres import name_of

    name, known, revision = name_of(address), revisions(), asyncio.run(revision_at(address))
    if revision is None:
        return f"The database {name} answers, and its tables will be made at the first start."
    if revision not in known:
        raise UserError(NEWER.format(revision))
    return f"The database {name} answers" + (
        "." if revision == known[-1] else ", and will be brought up to date at the next start."
    )


def look_at_redis(settings: Settings) -> str:
    """Whether Redis answers; UserError where it does not."""
    from bot.shared_cache import SharedCache

    async def ask() -> None:
        async with SharedCache(settings) as shared:
            await shared.look()

    asyncio.run(ask())
    return "Redis answers."


def back_up(settings: Settings, name: str) -> int:
    """Copy the database as it is at one moment to a new file, though others write to it meanwhile; 0, or UserError.

    The copy has its name only when all is in it. Seeds of battles that go on are in it, so only who runs this reads it.
    """
    if settings.store != settings.file:
        raise UserError("The database is PostgreSQL's, which its own program `pg_dump` copies while the bot runs.")
    if not name:
        raise UserError("Where is the copy to go? sandtable backup sandtable-monday.db")
    database, copy = settings.file, Path(name)
    taken = UserError(f"{copy} is there already, and a backup takes nothing's place. Give another name.")
    if not database.exists():
        raise UserError(f"There is no database {database} to copy.")
    look_at(database)
    try:
        if copy.exists():
            raise taken
        with TemporaryDirectory(dir=copy.parent, prefix=".sandtable-") as folder:
            part = Path(folder, database.name).absolute()
            part.touch(mode=0o600)
            with _opened(database) as connection:
                connection.execute("VACUUM INTO ?", (str(part),))
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


@contextmanager
def _opened(database: Path) -> Iterator[sqlite3.Connection]:
    """A connection that makes no database where there is none."""
    # Who opens it for reading only would leave the files of its log behind, which might then be somebody else's.
    with closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=rw", uri=True)) as connection:
        connection.isolation_level = None
        yield connection
