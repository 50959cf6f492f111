"""The presence of processes without shards in PostgreSQL: who is alive, and which one does what only one should do."""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.background import cancel, wait_until_set
from bot.pace import at_pace
from bot.store.postgres import CATCHING_UP, HTTP_BOTS, engine_at, hang_up, keep_alive
from bot.store.troubles import cause

log = logging.getLogger(__name__)

EVERY = at_pace(5.0)
"""Seconds between two checks of the connection."""
RETRY_EVERY = at_pace(0.25)
"""Seconds between two attempts to connect again."""
LONGEST_CHECK = 5.0
"""Seconds in which the database must answer."""


class Presence:
    """A process's sign in the database that it is alive: a lock on its random `number`, over a connection of its own.

    PostgreSQL releases the lock as soon as the process ends, however it ends. While the connection is lost, others take
    this process for dead; whatever needs the sign calls `hold` before.
    """

    def __init__(self, address: str) -> None:
        self.number = secrets.randbits(31)
        self._engine: AsyncEngine = engine_at(address, poolclass=NullPool, isolation_level="AUTOCOMMIT")
        self._connection: AsyncConnection | None = None
        self._driver: Any = None
        self._leads = self._is_lost = False
        self._turn, self._cut = asyncio.Lock(), asyncio.Event()

    async def leads(self) -> bool:
        """Whether this process is the one that catches up; it stays so until it ends."""
        if not self._leads:
            self._leads = bool(await self._ask(f"SELECT pg_try_advisory_lock({CATCHING_UP}, 0)"))
        return self._leads

    async def watch(self) -> None:
        """Check the connection again and again, and replace it as soon as it is lost, until the task is cancelled."""
        while True:
            self._cut.clear()
            await self._ask("SELECT true")
            await self.hold()
            await wait_until_set(self._cut, RETRY_EVERY if self._connection is None else EVERY)

    async def hold(self) -> None:
        """Take the lock again at once if the connection is known to be lost."""
        async with self._turn:
            if self._connection is None or self._driver.is_closed():
                await self._connect()

    async def close(self) -> None:
        """Release the locks by closing the connection."""
        self._leads = False
        connection, self._connection = self._connection, None
        await hang_up(connection)

    async def _connect(self) -> None:
        await self.close()
        connection: AsyncConnection | None = None
        try:
            connection = await self._engine.connect()
            self._driver = await keep_alive(connection, self._cut)
            await connection.execute(text(f"SELECT pg_advisory_lock({HTTP_BOTS}, {self.number})"))
        except BaseException as error:
            await hang_up(connection)
            if not isinstance(error, Exception):
                raise
            self._note_loss(error)
        else:
            self._connection = connection
            if self._is_lost:
                log.info("other processes see again that this one is alive")
            self._is_lost = False

    async def _ask(self, question: str) -> bool:
        """Return the answer to a question; False if there is no connection."""
        async with self._turn:
            try:
                async with asyncio.timeout(LONGEST_CHECK):
                    return bool(self._connection and await self._connection.scalar(text(question)))
            except Exception as error:
                self._note_loss(error)
                await self.close()
                return False

    def _note_loss(self, error: Exception) -> None:
        """Log that the connection is lost, when it begins."""
        if not self._is_lost:
            log.info("other processes cannot see that this one is alive: %s", cause(error))
        self._is_lost = True


@asynccontextmanager
async def hold_presence(address: str) -> AsyncIterator[Presence]:
    """Be present in the database at this address of PostgreSQL during the block."""
    presence = Presence(address)
    await presence.hold()
    watching = asyncio.create_task(presence.watch())
    try:
        yield presence
    finally:
        await cancel(watching)
        await presence.close()
