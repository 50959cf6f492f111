"""Writers that share a transaction: each has a part of its own in it, and one commit, one fsync, ends it for all.

So a rush of writers costs little more than one of them. No writer goes on before everything is on the disk.
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
"""Seconds for which a writer waits for the others of this process. Only when something hangs is it that long."""
LONGEST_BATCH = 0.1
"""Seconds after which a batch takes no more writers, so that nobody waits long for the commit."""


class _Writer:
    """A writer: `turn` brings the connection, `fault` what went wrong in its part, `committed` the end of the batch."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.turn: asyncio.Future[AsyncConnection] = loop.create_future()
        self.fault: asyncio.Future[BaseException | None] = loop.create_future()
        self.committed: asyncio.Future[None] = loop.create_future()


class Batches:
    """Transactions of one engine, one at a time; all who wait when one begins, and soon after, have a part in it.

    For SQLite alone: there only one can write anyway, and all parts see what those before them wrote.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._waiting: deque[_Writer] = deque()
        self._at_work: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def part(self) -> AsyncIterator[AsyncConnection]:
        """A part of a transaction, undone alone where it fails; the end of the block comes after the commit.

        If the transaction fails, it fails for everybody who has a part in it.
        """
        writer = _Writer()
        self._waiting.append(writer)
        if self._at_work is None:
            self._at_work = asyncio.create_task(self._work())
        try:
            async with asyncio.timeout(LONGEST_WAIT):
                connection = await writer.turn
            yield connection
        except BaseException as error:
            writer.fault.set_result(error)
            if writer.turn.done() and not writer.turn.cancelled() and isinstance(error, Exception):
                # Why it failed may lie in a part that is not committed yet.
                await asyncio.shield(writer.committed)
            raise
        writer.fault.set_result(None)
        await asyncio.shield(writer.committed)

    async def close(self) -> None:
        """Refuse everybody whose turn has not come, and wait for the batch that is open.

        Cancelling this cancels that batch too.
        """
        self._refuse(UserError(_(RESTARTING)))
        if self._at_work:
            await self._at_work

    async def _work(self) -> None:
        """Do batch after batch as long as somebody waits. The task belongs to no writer, so none can cancel it."""
        while self._waiting:
            await self._batch()
        self._at_work = None

    async def _batch(self) -> None:
        """One transaction."""
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
                for told in (writer.turn, writer.committed):
                    if not told.done():
                        told.set_exception(error)
                        told.exception()  # perhaps nobody is left to ask for it
        except BaseException:
            for writer in writers:
                writer.turn.cancel()
                writer.committed.cancel()
            raise
        else:
            for writer in writers:
                writer.committed.set_result(None)

    def _refuse(self, error: Exception) -> None:
        """Refuse everybody who waits for a turn."""
        while self._waiting:
            writer = self._waiting.popleft()
            writer.committed.set_result(None)
            if not writer.turn.done():
                writer.turn.set_exception(error)
                writer.turn.exception()  # perhaps nobody is left to ask for it


async def _take_turn(writer: _Writer, connection: AsyncConnection) -> None:
    """Let a writer write its part, and undo that if it fails. An error here fails the whole transaction."""
    if writer.turn.done():  # it no longer waits
        return
    driver = (await connection.get_raw_connection()).driver_connection
    assert isinstance(driver, Connection), "only a file has batches"
    driver.later("SAVEPOINT part")
    if not writer.turn.done():
        writer.turn.set_result(connection)
        # Shielded: after the batch is cancelled, the writer still sets this.
        if fault := await asyncio.shield(writer.fault):
            await _undo(connection, fault)
    driver.later("RELEASE part")


async def _undo(connection: AsyncConnection, fault: BaseException) -> None:
    """Undo the part that failed. If the disk fails, SQLite undoes the whole transaction by itself."""
    try:
        await connection.exec_driver_sql("ROLLBACK TO part")
    except DBAPIError:
        if isinstance(fault, DBAPIError):
            raise fault from None
        raise
