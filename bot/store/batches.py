"""Writers that share a transaction: each has a part of its own in it, and one commit, one fsync, ends it for all.

So a rush of writers costs little more than one of them. Nobody hears of his part before all of it is on the disk.
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

LONGEST_WAIT = 30.0
"""Seconds for which a writer waits for the others of this process. Only something that hangs makes it so long."""
LONGEST_BATCH = 0.1
"""Seconds after which a batch takes in nobody else, so that nobody waits long for the commit."""


class _Writer:
    """Somebody who writes: the connection when it is his turn, what went wrong in his part, the end of the batch."""

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

        What goes wrong with the transaction goes wrong for all who have a part in it.
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
        """Tell those whose turn has not come that it does not come any more, and wait for the batch that is open.

        Whoever calls this off calls that batch off too.
        """
        self._refuse(UserError(_(RESTARTING)))
        if self._at_work:
            await self._at_work

    async def _work(self) -> None:
        """Batch after batch, as long as somebody waits. This task is nobody's, so nobody can call it off."""
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
            if not writers:  # It could not even begin, and the next would wait as long for the same.
                self._refuse(error)
            for writer in writers:
                for told in (writer.turn, writer.committed):
                    if not told.done():
                        told.set_exception(error)
                        told.exception()  # nobody may be left who asks for it
        except BaseException:
            for writer in writers:
                writer.turn.cancel()
                writer.committed.cancel()
            raise
        else:
            for writer in writers:
                writer.committed.set_result(None)

    def _refuse(self, error: Exception) -> None:
        """No turn for those who wait for one."""
        while self._waiting:
            writer = self._waiting.popleft()
            writer.committed.set_result(None)
            if not writer.turn.done():
                writer.turn.set_exception(error)


async def _take_turn(writer: _Writer, connection: AsyncConnection) -> None:
    """Let a writer do his part, and undo it where he failed. An error here is the whole transaction's."""
    if writer.turn.done():  # he waits no more
        return
    await connection.exec_driver_sql("SAVEPOINT part")
    if not writer.turn.done():
        writer.turn.set_result(connection)
        # Shielded: where the batch is called off, the writer still says how it went.
        if fault := await asyncio.shield(writer.fault):
            await _undo(connection, fault)
    await connection.exec_driver_sql("RELEASE part")


async def _undo(connection: AsyncConnection, fault: BaseException) -> None:
    """Undo the part that failed. Where the disk fails, SQLite has undone the whole transaction by itself."""
    try:
        await connection.exec_driver_sql("ROLLBACK TO part")
    except DBAPIError:
        if isinstance(fault, DBAPIError):
            raise fault from None
        raise
