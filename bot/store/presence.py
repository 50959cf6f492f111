"""The presence of processes without shards in PostgreSQL: who is alive, and which one does what only one should do."""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.background import cancel
from bot.store.owners import keep_alive
from bot.store.postgres import CATCHING_UP, DOORS, engine_at

log = logging.getLogger(__name__)

EVERY = 5.0
"""Seconds between two checks of the connection, and between two attempts to connect again."""
LONGEST_CHECK = 5.0
"""Seconds in which the database must answer."""


class Presence:
    """A process's sign in the database that it is alive: a lock on its random `number`, over a connection of its own.

    PostgreSQL releases the lock as soon as the process ends, however it ends. While the connection is lost, others take
    this process for dead.
    """

    def __init__(self, address: str) -> None:
        self.number = secrets.randbits(31)
        self._engine: AsyncEngine = engine_at(address, poolclass=NullPool, isolation_level="AUTOCOMMIT")
        self._connection: AsyncConnection | None = None
        self._leads = False
        self._turn = asyncio.Lock()

    async def leads(self) -> bool:
        """Whether this process is the one that catches up; it stays so until it ends."""
        if not self._leads:
            self._leads = bool(await self._ask(f"SELECT pg_try_advisory_lock({CATCHING_UP}, 0)"))
        return self._leads

    async def watch(self) -> None:
        """Connect, and connect again whenever the connection is lost, until the task is cancelled."""
        while True:
            if not await self._ask("SELECT true"):
                await self._connect()
            await asyncio.sleep(EVERY)

    async def close(self) -> None:
        """Release the locks by closing the connection."""
        self._leads = False
        connection, self._connection = self._connection, None
        if connection:
            with suppress(Exception):  # It may be gone already.
                await connection.close()

    async def _connect(self) -> None:
        await self.close()
        try:
            connection = await self._engine.connect()
            await keep_alive(connection)
            await connection.execute(text(f"SELECT pg_advisory_lock({DOORS}, {self.number})"))
        except Exception as error:
            log.info("other processes cannot see yet that this one is alive: %s", error)
        else:
            self._connection = connection

    async def _ask(self, question: str) -> bool:
        """Return the answer to a question; False if there is no connection."""
        async with self._turn:
            try:
                async with asyncio.timeout(LONGEST_CHECK):
                    return bool(self._connection and await self._connection.scalar(text(question)))
            except Exception as error:
                log.info("the connection that shows others that this process is alive is lost: %s", error)
                await self.close()
                return False


@asynccontextmanager
async def hold_presence(address: str) -> AsyncIterator[Presence]:
    """Be present in the database at this address of PostgreSQL during the block."""
    presence = Presence(address)
    await presence._connect()
    watching = asyncio.create_task(presence.watch())
    try:
        yield presence
    finally:
        await cancel(watching)
        await presence.close()
