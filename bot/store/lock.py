"""The lock that allows one bot per SQLite database: a file lock, which the system releases when the process ends."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.errors import UserError
from bot.store.unopened import make_folder


@contextmanager
def hold_lock(database: Path, elsewhere: bool = False) -> Iterator[None]:
    """Hold the lock of a database during the block; UserError if another bot holds it. Terminals need no lock.

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
                raise UserError(f"Another bot has the data folder {file.parent}. Each needs one of its own.") from None
            raise UserError(f"Another bot is at work with the database {database}. End it first.") from None
        except OSError as error:
            raise UserError(f"{file} cannot be locked: {error.strerror}.") from None
        yield
