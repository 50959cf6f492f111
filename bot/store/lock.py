"""One bot for a database: a lock beside its file, which the system takes away with the process, however that ends."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.errors import UserError


@contextmanager
def alone(database: Path, elsewhere: bool = False) -> Iterator[None]:
    """Be the only bot that answers from this database; UserError where another does. Terminals may work beside it.

    Where the database is `elsewhere` the folder alone is meant, for the signs of life in it are of one process.
    """
    file = database.with_suffix(".lock")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        held = file.open("ab")
    except OSError as error:
        raise UserError(f"The data folder {file.parent} cannot be used: {error.strerror}.") from None
    # The file itself stays: who would remove it might remove it from under the next who holds it.
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
