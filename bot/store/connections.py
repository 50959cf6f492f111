"""How the database is reached: who reads takes a connection, who writes waits for a turn."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any

from sqlalchemy import Connection, event
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.errors import RESTARTING, UserError
from bot.languages import N_, _

log = logging.getLogger(__name__)

BUSY = N_("The database is busy just now. Try again in a moment.")
LOST = N_("The database cannot be reached just now. Try again in a moment.")

PATIENCE = 2
"""Seconds for which somebody who writes waits for another program that does, and others for their turn."""

PRAGMAS = "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"
"""What was written stays though the power fails; what was deleted, such as a name, is not left in the file."""


class FullError(Exception):
    """The place holds as many of these as it may."""


class Connections:
    """Transactions that read and transactions that write, for all questions to one database, until it is closed."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._writing = engine.execution_options(immediate=True)
        self._alone = engine.execution_options(immediate=True, alone=True)
        # What is read in SQLite's transactions is of one moment anyway.
        one_moment = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        self._reading = engine.execution_options(**one_moment) if engine.name == "postgresql" else engine
        self._turn = asyncio.Lock()
        self._closed = self._lost = False
        self._open = 0
        self._none_open = asyncio.Event()
        self._none_open.set()

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that changes nothing; all it reads is of one moment. UserError where there is no database."""
        with self._counted(), self._calm():
            async with self._reading.connect() as connection:
                yield connection

    @asynccontextmanager
    async def write(self, guarded: bool = False) -> AsyncIterator[AsyncConnection]:
        """A transaction that may change something; UserError where another program does not let it.

        Nobody else changes anything meanwhile, in whichever process, but for those whose changes are `guarded`: by
        the one row that they begin with, or by being one statement. Only where the database is a file are these alone.

        Who waits for a turn to write does so without the connection, so that readers come in between.
        """
        with self._counted(), self._calm():
            await asyncio.wait_for(self._turn.acquire(), PATIENCE)
            try:
                async with (self._writing if guarded else self._alone).begin() as connection:
                    yield connection
            finally:
                self._turn.release()

    @contextmanager
    def _calm(self) -> Iterator[None]:
        """Around every transaction: what will pass is told in a sentence, and the log knows when it began and ended."""
        try:
            yield
        except Exception as error:
            sentence = passing(error)
            if not sentence:
                raise
            if sentence == LOST and not self._lost:
                self._lost = True
                log.warning("the database cannot be reached: %s", cause(error))
            raise UserError(_(sentence)) from None
        if self._lost:
            self._lost = False
            log.info("the database answers again")

    @contextmanager
    def _counted(self) -> Iterator[None]:
        """Around every transaction: none begins once the database is closed, for it would wait for ever."""
        if self._closed:
            raise UserError(_(RESTARTING))
        self._open += 1
        self._none_open.clear()
        try:
            yield
        finally:
            self._open -= 1
            if not self._open:
                self._none_open.set()

    async def close(self) -> None:
        """Let those finish who are at it, and close the database."""
        self._closed = True
        with suppress(TimeoutError):
            await asyncio.wait_for(self._none_open.wait(), 2 * PATIENCE)
        await self._engine.dispose()


def passing(error: Exception) -> str:
    """What to tell of a trouble with the database that will pass; nothing of any other."""
    if isinstance(error, PoolTimeoutError | TimeoutError):
        return BUSY
    state = str(getattr(getattr(error, "orig", error), "sqlstate", None) or "")
    locked = isinstance(error, OperationalError) and "locked" in str(error.orig)
    if locked or state in ("55P03", "57014", "40001", "40P01"):  # a lock, or all of it, took too long; a conflict
        return BUSY
    # Connections that break, servers that start or end, or have no room for more.
    lost = isinstance(error, OSError) or getattr(error, "connection_invalidated", False)
    return LOST if lost or state[:2] in ("08", "53") or state[:3] == "57P" else ""


def is_refusal(error: Exception) -> bool:
    """Whether it is the database, or the way to it, that does not let us in."""
    # A driver's own errors, met before there is a connection, are known by their code alone.
    return isinstance(error, DBAPIError | OSError | ValueError) or hasattr(error, "sqlstate")


def cause(error: Exception) -> str:
    """What the database itself says is wrong, or the system does, without a full stop."""
    orig = getattr(error, "orig", None) or error
    return str(orig.__cause__ or orig).rstrip(".") or "it does not answer"


def prepare(engine: AsyncEngine) -> None:
    """SQLite as a server's database: write-ahead log, foreign keys, patience, and transactions that really begin.

    One connection for the process: tasks take turns. Who means to write says BEGIN IMMEDIATE, so that none can meet
    "database is locked" half way because another process wrote since it began to read; who reads waits for no other
    process. What was committed is on the disk: dice that people saw survive a power cut.
    """

    @event.listens_for(engine.sync_engine, "connect")
    def connect(connection: Any, _record: object) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in (*PRAGMAS, f"busy_timeout={PATIENCE * 1000}"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Connection) -> None:
        immediate = connection.get_execution_options().get("immediate")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")
