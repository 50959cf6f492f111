"""Connections to the database: opens transactions that read or write, and turns its troubles into sentences."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from sqlalchemy import Connection, ExceptionContext, Executable, event, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.errors import RESTARTING, UserError
from bot.languages import _
from bot.store.batches import LONGEST_WAIT, Batches
from bot.store.troubles import DAMAGED, FULL, LOST, READ_ONLY, cause, trouble_of

log = logging.getLogger(__name__)

PATIENCE = 2
"""Seconds that a writer waits for another program that writes."""
PRAGMAS = "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"
"""SQLite's settings: a commit survives a power failure, and deleted data, such as a name, is wiped from the file."""


class Connections:
    """The transactions of one database, until it is closed.

    SQLite has one engine for writers and a second one, `readers`, so that no reader waits for a commit. At PostgreSQL
    at most `writers` transactions of this process write at a time. `prepare` goes before the first transaction. `file`
    is SQLite's.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        readers: AsyncEngine | None,
        prepare: Callable[[], Awaitable[None]],
        writers: int = 1,
    ) -> None:
        self._engines = [engine, *([readers] if readers else [])]
        self._writing = engine.execution_options(immediate=True)
        self._alone = engine.execution_options(immediate=True, alone=True)
        self._outside = engine.execution_options(outside=True)
        # SQLite's transactions always read one moment.
        one_moment = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        self._reading = readers or engine.execution_options(**one_moment)
        self._by_itself = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._batches = Batches(self._alone) if readers else None
        self.file = Path(engine.url.database or "") if readers else None
        self._most_writers, self._writers = writers, asyncio.Semaphore(writers)
        self._in_places = asyncio.Semaphore(writers)
        self._places: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._prepare: Callable[[], Awaitable[None]] | None = prepare
        self._opening = asyncio.Lock()
        self._closed = False
        self._troubles: dict[str, bool] = {}
        self._open = 0
        self._none_open = asyncio.Event()
        self._none_open.set()

    async def open(self) -> None:
        """Prepare the database unless that is done; whoever comes meanwhile waits."""
        async with self._opening:
            if self._prepare:
                await self._prepare()
                self._prepare = None

    @asynccontextmanager
    async def read(self, several: bool = False) -> AsyncIterator[AsyncConnection]:
        """Open a connection for a statement that only reads; UserError if the database does not answer.

        With `several` there may be more of them, and all see the same moment.
        """
        # A statement by itself needs neither beginning nor end, which PostgreSQL would be sent as two more.
        engine = self._reading if several or self._batches else self._by_itself
        async with self._watch(writes=False), engine.connect() as connection:
            yield connection

    @asynccontextmanager
    async def write(
        self, place: str = "", guarded: bool = False, single: bool = False
    ) -> AsyncIterator[AsyncConnection]:
        """Open a transaction that may write; UserError if another program keeps it from writing.

        With a `place` no other process or task writes to that place meanwhile, and without one none writes at all,
        except `guarded` transactions: these are safe side by side, as they begin with one row that they lock. So are
        those that consist of a `single` statement. A writer with a place changes no other place. In SQLite nobody has
        company.

        Writers of this process wait for one another as long as they must, and share a commit if they can.
        """
        part = self._batches.part() if self._batches else self._own_transaction(place, guarded or single, single)
        async with self._watch(writes=True), part as connection:
            yield connection

    async def execute(self, statement: Executable) -> int:
        """Execute a single statement that writes, and return the number of rows that it changed."""
        async with self.write(single=True) as connection:
            return (await connection.execute(statement)).rowcount

    async def rows(self, query: Executable, parameters: Mapping[str, Any] | None = None) -> Sequence[Any]:
        """Return the rows of a query."""
        async with self.read() as connection:
            return (await connection.execute(query, parameters)).all()

    async def scalar(self, query: Executable) -> Any:
        """Return the first value of the first row of a query; None if it has none."""
        async with self.read() as connection:
            return await connection.scalar(query)

    async def empty_log(self) -> bool:
        """Write SQLite's write-ahead log into its file and empty it; return False if another program uses the log.

        This waits for the transactions of this process, and for no other program. It changes no page, so it may
        succeed while nobody can write.
        """
        if not self._batches:
            return True
        async with self._watch(writes=False), self._outside.connect() as connection, self._reading.connect():
            await connection.exec_driver_sql("PRAGMA busy_timeout=0")
            try:
                is_busy = await connection.scalar(text("PRAGMA wal_checkpoint(TRUNCATE)"))
            finally:
                await connection.exec_driver_sql(_timeout())
        return not is_busy

    async def rewrite(self) -> None:
        """Write every page of SQLite's file anew; writers wait for that.

        `secure_delete` wipes a row that is deleted, but not its copies: when a page is split or merged, rows move, and
        the old page has them until it needs the room.
        """
        async with self._watch(writes=True), self._outside.connect() as connection:
            await connection.exec_driver_sql("VACUUM")

    @asynccontextmanager
    async def _watch(self, writes: bool) -> AsyncIterator[None]:
        """Open the database if need be, count the transaction in the block, and explain its troubles.

        After the database is closed, new transactions are refused, as they would wait for ever.
        """
        if self._closed:
            raise UserError(_(RESTARTING))
        self._open += 1
        self._none_open.clear()
        try:
            if self._prepare:
                await self.open()
            with self._explain_troubles(writes):
                yield
        finally:
            self._open -= 1
            if not self._open:
                self._none_open.set()

    @asynccontextmanager
    async def _own_transaction(self, place: str, guarded: bool, single: bool) -> AsyncIterator[AsyncConnection]:
        """Open a transaction for one writer of PostgreSQL.

        A transaction shared as in `Batches` would lock the rows of all its writers; two processes that lock the same
        rows in different orders would wait for each other for ever.
        """
        guard = self._by_itself if single else self._writing
        engine = guard if guarded else self._writing.execution_options(place=place) if place else self._alone
        async with AsyncExitStack() as turns:
            async with asyncio.timeout(LONGEST_WAIT):
                if not guarded:
                    await self._wait_here(turns, place)
                await turns.enter_async_context(self._writers)
            if self._closed:
                raise UserError(_(RESTARTING))
            async with engine.begin() as connection:
                yield connection

    async def _wait_here(self, turns: AsyncExitStack, place: str) -> None:
        """Wait for the writers of this process in the same place, or without a place for those in all places.

        A writer that waits at the database holds a connection that others could use, and gives up soon.
        """
        await turns.enter_async_context(self._places.setdefault(place, asyncio.Lock()))
        for _each in range(1 if place else self._most_writers):
            await turns.enter_async_context(self._in_places)

    @contextmanager
    def _explain_troubles(self, writes: bool) -> Iterator[None]:
        """Turn database errors in the block into UserErrors, and log when each trouble begins and ends."""
        try:
            yield
        except Exception as error:
            trouble = trouble_of(error)
            if not trouble:
                raise
            if trouble.line and trouble.sentence not in self._troubles:
                log.warning("%s: %s", trouble.line, cause(error))
                of_writers = trouble.sentence in (FULL, READ_ONLY) or (writes and trouble.sentence != LOST)
                self._troubles[trouble.sentence] = of_writers
            raise UserError(_(trouble.sentence)) from None
        # A read says nothing about writing, and parts of a damaged database can still be read.
        over = [key for key, of_writers in self._troubles.items() if key != DAMAGED and (writes or not of_writers)]
        if over:
            log.info("the database answers again" if over == [LOST] else "the trouble with the database is over")
        for key in over:
            del self._troubles[key]

    async def close(self) -> None:
        """Wait for the open transactions, but not for long, and close the database."""
        self._closed = True
        with suppress(TimeoutError):
            async with asyncio.timeout(2 * PATIENCE):
                if self._batches:
                    await self._batches.close()
                await self._none_open.wait()
        for engine in self._engines:
            await engine.dispose()


def _timeout() -> str:
    """Return the statement that lets a connection of SQLite wait for other programs."""
    return f"PRAGMA busy_timeout={PATIENCE * 1000}"


def configure_sqlite(engine: AsyncEngine) -> None:
    """Set up an engine of SQLite: write-ahead log, foreign keys, patience, and transactions that really begin.

    Writers say BEGIN IMMEDIATE; otherwise one could meet "database is locked" half way, because another process wrote
    after it began to read. Readers wait for no other process. A commit is on the disk: dice that people saw survive a
    power cut.
    """

    @event.listens_for(engine.sync_engine, "connect")
    def connect(connection: Any, _record: object) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in PRAGMAS:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.execute(_timeout())
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Connection) -> None:
        if connection.get_execution_options().get("immediate"):
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        elif not connection.get_execution_options().get("outside"):
            connection.connection.driver_connection.later.append("BEGIN")  # type: ignore[union-attr]

    @event.listens_for(engine.sync_engine, "handle_error")
    def keep_connection(context: ExceptionContext) -> None:
        # A cancelled statement still ends in the connection's thread before the next one begins there. If SQLAlchemy
        # dropped the connection, everybody else in the transaction would lose what they wrote.
        if isinstance(context.original_exception, asyncio.CancelledError):
            context.is_disconnect = False
