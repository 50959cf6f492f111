"""Connections to the database: readers take one, writers wait for a turn."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any

from sqlalchemy import Connection, ExceptionContext, event
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.errors import RESTARTING, UserError
from bot.languages import _
from bot.store import cursors
from bot.store.batches import LONGEST_WAIT, Batches
from bot.store.troubles import DAMAGED, LOST, cause, trouble_of

log = logging.getLogger(__name__)

PATIENCE = 2
"""Seconds for which somebody who writes waits for another program that does."""
BESIDE = 4
"""How many guarded writers of this process PostgreSQL has at a time; it commits together what comes together."""

PRAGMAS = "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"
"""What was written stays though the power fails; what was deleted, such as a name, is not left in the file."""


class FullError(Exception):
    """The place holds as many of these as it may."""


class Connections:
    """Transactions that read and transactions that write, for all questions to one database, until it is closed.

    SQLite has one engine for writers and `readers` for the others, who then wait for no commit.
    """

    def __init__(self, engine: AsyncEngine, readers: AsyncEngine | None = None) -> None:
        self._engines = [engine, *([readers] if readers else [])]
        self._writing = engine.execution_options(immediate=True)
        self._alone = engine.execution_options(immediate=True, alone=True)
        # What is read in SQLite's transactions is of one moment anyway.
        one_moment = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        self._reading = readers or engine.execution_options(**one_moment)
        self._batches = Batches(self._alone) if readers else None
        self._turn, self._beside = asyncio.Semaphore(1), asyncio.Semaphore(BESIDE)
        self._closed = False
        self._troubles: dict[str, bool] = {}
        self._open = 0
        self._none_open = asyncio.Event()
        self._none_open.set()

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that changes nothing; all it reads is of one moment. UserError where there is no database."""
        with self._counted(), self._calm(writes=False):
            async with self._reading.connect() as connection:
                yield connection

    @asynccontextmanager
    async def write(self, guarded: bool = False) -> AsyncIterator[AsyncConnection]:
        """A transaction that may change something; UserError where another program does not let it.

        Nobody else changes anything meanwhile, in whichever process, but for those whose changes are `guarded`: by
        the one row that they begin with, or by being one statement. Only where the database is a file are these alone.

        Writers of this process wait for one another as long as they must, and share a commit where they can.
        """
        with self._counted(), self._calm(writes=True):
            async with self._batches.part() if self._batches else self._own(guarded) as connection:
                yield connection

    @asynccontextmanager
    async def _own(self, guarded: bool) -> AsyncIterator[AsyncConnection]:
        """A transaction of its own, for PostgreSQL: a shared one would hold the rows of all until the last is done.

        Two processes whose shared ones take the same rows in another order would wait for each other for ever.
        """
        turns = self._beside if guarded else self._turn
        async with asyncio.timeout(LONGEST_WAIT):
            await turns.acquire()
        try:
            if self._closed:
                raise UserError(_(RESTARTING))
            async with (self._writing if guarded else self._alone).begin() as connection:
                yield connection
        finally:
            turns.release()

    @contextmanager
    def _calm(self, writes: bool) -> Iterator[None]:
        """Around every transaction: troubles become sentences, and the log knows when each began and ended."""
        try:
            yield
        except Exception as error:
            trouble = trouble_of(error)
            if not trouble:
                raise
            if trouble.line and trouble.sentence not in self._troubles:
                log.warning("%s: %s", trouble.line, cause(error))
                self._troubles[trouble.sentence] = writes and trouble.sentence != LOST
            raise UserError(_(trouble.sentence)) from None
        # A read says nothing about writing, and parts of a damaged database can still be read.
        over = [one for one, of_writers in self._troubles.items() if one != DAMAGED and (writes or not of_writers)]
        if over:
            log.info("the database answers again" if over == [LOST] else "the trouble with the database is over")
        for one in over:
            del self._troubles[one]

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
            async with asyncio.timeout(2 * PATIENCE):
                if self._batches:
                    await self._batches.close()
                await self._none_open.wait()
        for engine in self._engines:
            await engine.dispose()


def prepare(engine: AsyncEngine) -> None:
    """SQLite as a server's database: write-ahead log, foreign keys, patience, and transactions that really begin.

    One connection for those who write and one for those who read: tasks take turns. Who means to write says BEGIN
    IMMEDIATE, so that none can meet "database is locked" half way because another process wrote since it began to
    read; who reads waits for no other process. What was committed is on the disk: dice that people saw survive a power
    cut.
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
        if connection.get_execution_options().get("immediate"):
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:  # It takes effect with the first read anyway.
            driver = connection.connection.driver_connection
            assert isinstance(driver, cursors.Connection), "we have opened it"
            driver.before = "BEGIN"

    @event.listens_for(engine.sync_engine, "handle_error")
    def stay(context: ExceptionContext) -> None:
        # A cancelled statement still ends in the connection's thread before the next one begins there. If SQLAlchemy
        # dropped the connection, everybody else in the transaction would lose what they wrote.
        if isinstance(context.original_exception, asyncio.CancelledError):
            context.is_disconnect = False
