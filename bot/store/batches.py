"""Batches: writers to SQLite share one transaction, in which each has a part, and one commit with one fsync.

So a rush of writers costs little more than one writer. No writer goes on before its batch is on the disk.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.errors import RESTARTING, UserError
from bot.languages import _
from bot.store.cursors import Connection

LONGEST_WAIT = 30.0
"""Seconds that a writer waits for the others of this process. Only a fault makes it that long."""
LONGEST_BATCH = 0.1
"""Seconds after which a batch takes no more writers, so that nobody waits long for the commit."""


class _Writer:
    """A writer: `turn` will hold its connection, `fault` the error in its part, `committed` the end of the batch."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.turn: asyncio.Future[AsyncConnection] = loop.create_future()
        self.fault: asyncio.Future[BaseException | None] = loop.create_future()
        self.committed: asyncio.Future[None] = loop.create_future()


class Batches:
    """The write transactions of one engine, one at a time; each takes all writers that wait at its start or soon after.

    For SQLite only: it allows one writer at a time anyway, and each part sees what the parts before it wrote.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._waiting: deque[_Writer] = deque()
        self._at_work: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def part(self) -> AsyncIterator[AsyncConnection]:
        """Open a part of a transaction; the block ends after the commit.

        A part that fails is undone alone. If the transaction fails, it fails for all its parts.
        """
        writer = _Writer()
        self._waiting.append(writer)
        if self._at_work is None:
            self._at_work = asyncio.create_task(self._run_batches())
        try:
            async with asyncio.timeout(LONGEST_WAIT):
                connection = await writer.turn
            yield connection
        except BaseException as error:
            writer.fault.set_result(error)
            if writer.turn.done() and not writer.turn.cancelled() and isinstance(error, Exception):
                # The reason may lie in a part that is not committed yet.
                await asyncio.shield(writer.committed)
            raise
        writer.fault.set_result(None)
        await asyncio.shield(writer.committed)

    async def close(self) -> None:
        """Refuse all waiting writers, and wait for the open batch; cancelling this cancels the batch too."""
        self._refuse(UserError(_(RESTARTING)))
        if self._at_work:
            await self._at_work

    async def _run_batches(self) -> None:
        """Run batch after batch as long as writers wait. The task belongs to no writer, so no writer can cancel it."""
        while self._waiting:
            await self._run_batch()
        self._at_work = None

    async def _run_batch(self) -> None:
        """Run one transaction for the waiting writers, and tell each of them how it ended."""
        writers: list[_Writer] = []
        try:
            async with self._engine.begin() as connection:
                end = monotonic() + LONGEST_BATCH
                while self._waiting and (not writers or monotonic() < end):
                    writers.append(self._waiting.popleft())
                    await _take_turn(writers[-1], connection)
        except Exception as error:
            if not writers:  # It could not even begin, and the next one would wait as long in vain.
                self._refuse(error)
            for writer in writers:
                for future in (writer.turn, writer.committed):
                    if not future.done():
                        future.set_exception(error)
                        future.exception()  # perhaps nobody is left to ask for it
        except BaseException:
            for writer in writers:
                writer.turn.cancel()
                writer.committed.cancel()
            raise
        else:
            for writer in writers:
                writer.committed.set_result(None)

    def _refuse(self, error: Exception) -> None:
        """Refuse all waiting writers with this error."""
        while self._waiting:
            writer = self._waiting.popleft()
            writer.committed.set_result(None)
            if not writer.turn.done():
                writer.turn.set_exception(error)
                writer.turn.exception()  # perhaps nobody is left to ask for it


async def _take_turn(writer: _Writer, connection: AsyncConnection) -> None:
    """Let a writer write its part, and undo the part if it fails. An error here fails the whole transaction."""
    if writer.turn.done():  # it no longer waits
        return
    driver = (await connection.get_raw_connection()).driver_connection
    assert isinstance(driver, Connection), "only a file has batches"
    driver.later.append("SAVEPOINT part")
    if not writer.turn.done():
        writer.turn.set_result(connection)
        # Shielded: after the batch is cancelled, the writer still sets this.
        if fault := await asyncio.shield(writer.fault):
            await _undo(connection, fault)
    driver.later.append("RELEASE part")


async def _undo(connection: AsyncConnection, fault: BaseException) -> None:
    """Undo a failed part. If the disk fails, SQLite undoes the whole transaction by itself."""
    try:
        await connection.exec_driver_sql("ROLLBACK TO part")
    except DBAPIError:
        if isinstance(fault, DBAPIError):
            raise fault from None
        raise
