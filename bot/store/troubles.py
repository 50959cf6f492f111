"""Troubles with the database: recognizes them by their errors, with a sentence for people and a line for the log."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from bot.errors import AwayError, LaterError, UserError
from bot.languages import N_

BUSY = N_("The database is busy right now. Try again in a moment.")
LOST = N_("I can't reach the database right now. Try again in a moment.")
FULL = N_("The disk is full, so I can't save anything. Please tell the people who run this bot.")
READ_ONLY = N_(
    "The database is read-only right now, so I can't save anything. Please tell the people who run this bot."
)
DISK = N_("The disk has errors. Please tell the people who run this bot.")
DAMAGED = N_("The database is damaged and must be restored from a backup. Please tell the people who run this bot.")


class Trouble(NamedTuple):
    """A trouble with the database: the sentence for people and the line for the log; "" if it is not logged.

    `states` are PostgreSQL's codes or their beginnings, `words` is a pattern for SQLite's message.
    """

    sentence: str
    line: str
    states: tuple[str, ...]
    words: str


TROUBLES = (
    # A lock, or all of it, took too long; a conflict.
    Trouble(BUSY, "", ("55P03", "57014", "40001", "40P01"), "locked"),
    Trouble(FULL, "the disk of the database is full", ("53100",), "disk is full"),
    Trouble(READ_ONLY, "the database can only be read", ("25006",), "readonly database"),
    Trouble(DISK, "the disk of the database reports errors", ("58",), "disk I/O error"),
    Trouble(DAMAGED, "the database is damaged", ("XX001", "XX002"), "malformed|not a database"),
    # Connections that break, servers that start or end, or have no room for more.
    Trouble(LOST, "the database cannot be reached", ("08", "53", "57P"), "unable to open database file"),
)

START_ERRORS: dict[str, type[UserError]] = {BUSY: AwayError, LOST: AwayError, DAMAGED: UserError}
"""The errors of a start that meets these troubles; other troubles may pass."""


def trouble_of(error: Exception) -> Trouble | None:
    """Return the trouble that an error shows; None for any other error."""
    if isinstance(error, PoolTimeoutError | TimeoutError):
        return TROUBLES[0]
    state = str(getattr(getattr(error, "orig", error), "sqlstate", None) or "")
    message = str(error.orig) if isinstance(error, DBAPIError) and not state else ""
    for trouble in TROUBLES:
        if state.startswith(trouble.states) or (message and re.search(trouble.words, message)):
            return trouble
    lost = isinstance(error, OSError) or getattr(error, "connection_invalidated", False)
    return TROUBLES[-1] if lost else None


def is_refusal(error: Exception) -> bool:
    """Whether an error means that the database refuses us or cannot be reached."""
    # A driver's own errors, before there is a connection, are known only by their code.
    return isinstance(error, DBAPIError | OSError | ValueError) or hasattr(error, "sqlstate")


@contextmanager
def explain_refusal(name: str) -> Iterator[None]:
    """Turn an error in the block into a UserError if the database of this name refuses us or cannot be reached.

    It is an AwayError or a LaterError if the trouble may pass.
    """
    try:
        yield
    except Exception as error:
        if not is_refusal(error):
            raise
        trouble = trouble_of(error)
        kind = START_ERRORS.get(trouble.sentence, LaterError) if trouble else UserError
        raise kind(f"The database {name} cannot be used: {cause(error)}.") from None


def cause(error: Exception) -> str:
    """Return the reason in the words of the database or the system, without a full stop."""
    orig = getattr(error, "orig", None) or error
    return str(orig.__cause__ or orig).rstrip(".") or "it does not answer"
