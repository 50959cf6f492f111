"""The database before it is opened: its folder, its lock, its revision, and what a place has chosen or saved.

SQLAlchemy takes longer to load than most answers of the terminal take in all, so nothing here needs it.
"""

import fcntl
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from bot.errors import LaterError, UserError

PRIVATE = 0o700
"""The rights of a folder that nobody but its owner may read."""
MIGRATIONS = Path(__file__).parent / "migrations"
NEWER = "The database was made by another version of Sandtable (revision {}); update first."
USABLE_SINCE = "usable_since"
"""The name of the fact that says which versions can use the tables."""


class Revision(NamedTuple):
    """The revision of a database; its `number` is None if it has no tables.

    `usable_since` is a number too: a version can use these tables if it knows that revision, even if it does not know
    `number`. The migrations say so; None if none did yet.
    """

    number: str | None
    usable_since: str | None

    def is_newer(self) -> bool:
        """Whether a newer version has migrated the database; UserError if this version cannot use it then."""
        known = revisions()
        if self.number is None or self.number in known:
            return False
        if self.usable_since not in known:
            raise UserError(NEWER.format(self.number))
        return True


def revisions() -> list[str]:
    """Return the revisions of the database that this program knows, the newest last."""
    return sorted(script.name[:4] for script in (MIGRATIONS / "versions").glob("[0-9]*.py"))


def read_revision(connection: sqlite3.Connection) -> Revision:
    """Return the revision of an SQLite database."""
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    queries = {
        "alembic_version": "SELECT version_num FROM alembic_version",
        "facts": f"SELECT value FROM facts WHERE name = '{USABLE_SINCE}'",
    }
    rows = [connection.execute(query).fetchone() if table in tables else None for table, query in queries.items()]
    return Revision(*(row and row[0] for row in rows))


def make_folder(file: Path) -> None:
    """Make the folder of a database file, for nobody else to read; UserError if that cannot be."""
    try:
        file.parent.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"The data folder {file.parent} cannot be made: {error.strerror}.") from None


@contextmanager
def hold_lock(database: Path, elsewhere: bool = False) -> Iterator[None]:
    """Hold the lock of a database during the block, which the system releases when the process ends.

    UserError if another bot holds it. Terminals need no lock.

    If the database is `elsewhere`, in PostgreSQL, the lock guards the data folder, which has one process's signs of
    life.
    """
    file = database.with_suffix(".lock")
    make_folder(file)
    try:
        held = file.open("ab")
    except OSError as error:
        raise UserError(f"The data folder {file.parent} cannot be used: {error.strerror}.") from None
    # The file itself stays: removing it could take it away from the next holder.
    with held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if elsewhere:
                raise LaterError(f"Another bot has the data folder {file.parent}. Each needs one of its own.") from None
            raise LaterError(f"Another bot is at work with the database {database}. End it first.") from None
        except OSError as error:
            raise UserError(f"{file} cannot be locked: {error.strerror}.") from None
        yield


def read_settings(file: Path, place: str) -> dict[str, str] | None:
    """Return all settings of a place; None if the file must be opened as a database first, or cannot be read."""
    return _read(file, "SELECT name, value FROM settings WHERE place = ?", place)


def read_lines(file: Path, place: str) -> dict[str, str] | None:
    """Return the lines of the set-ups of a place by their names; None as `read_settings` does."""
    return _read(file, "SELECT name, line FROM setups WHERE place = ? ORDER BY name", place)


def _read(file: Path, query: str, place: str) -> dict[str, str] | None:
    if not file.exists():
        return {}
    try:
        # A read-only connection would leave the files of the write-ahead log behind, perhaps with another owner.
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True)) as connection:
            revision = connection.execute("SELECT version_num FROM alembic_version").fetchone()
            rows = connection.execute(query, (place,)).fetchall()
    except sqlite3.Error:
        return None
    return dict(rows) if revision == (revisions()[-1],) else None
