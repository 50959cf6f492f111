"""The locks that allow one process per shard in PostgreSQL: advisory locks, which end with their connection."""

import asyncio
import hashlib
import logging
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from time import monotonic

from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.background import cancel
from bot.errors import UserError
from bot.settings import Shards
from bot.store.postgres import GROUPS, SHARDS, engine_at, public_name
from bot.store.troubles import cause, is_refusal

log = logging.getLogger(__name__)

EVERY = 5.0
"""Seconds between two checks of the connection, and between two attempts to take lost locks again."""
LONGEST_CHECK = 5.0
"""Seconds in which the connection must answer."""
KEEPALIVE = {"TCP_KEEPIDLE": 10, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3}
"""Socket options that detect a dead connection within half a minute, like `bot.store.postgres.SESSION` at its end."""
LONGEST_START = 5.0
"""Seconds for which a start retries to take the locks: a process that crashed may still hold them."""
RETRY_EVERY = 0.25
"""Seconds between two of these attempts."""
TRIES = 12
"""How often lost locks are tried again while somebody holds them: it may be this process, over a dead connection."""


class LockTakenError(UserError):
    """Another process holds one of the locks."""


@asynccontextmanager
async def hold_shards(
    address: str, token: str, shards: Shards | None, stop: Callable[[], object]
) -> AsyncIterator[None]:
    """Hold the locks of these shards (None: of all shards) of the only bot in the database during the block.

    If the connection is lost, the locks are taken again as soon as possible. If another process has them by then,
    `stop` is called and LockTakenError is raised at the end of the block.

    Raises:
        LockTakenError: If another process still holds a lock after LONGEST_START.
    """
    owner = _ShardLocks(address, token, shards)
    await owner.take_at_start()
    watching = asyncio.create_task(owner.watch(stop))
    try:
        yield
    finally:
        await cancel(watching)
        await owner.release()
    if owner.lost_to:
        raise owner.lost_to


class _ShardLocks:
    """The locks of this process, over a connection that serves nothing else.

    All processes of one bot with one number of shards share a lock, whose number is a digest of both. Each process also
    has a lock of its own for each of its shards.
    """

    def __init__(self, address: str, token: str, shards: Shards | None) -> None:
        self._name = public_name(address)
        self._engine: AsyncEngine = engine_at(address, poolclass=NullPool, isolation_level="AUTOCOMMIT")
        self._shards = shards.ids if shards else [0]
        self._count = shards.count if shards else 0
        digest = hashlib.sha256(f"{token}/{self._count}".encode()).digest()
        self._group = int.from_bytes(digest[:4]) >> 1
        self._connection: AsyncConnection | None = None
        self.lost_to: LockTakenError | None = None

    async def take_at_start(self) -> None:
        """Take all locks; retry for LONGEST_START while another process holds them."""
        end = monotonic() + LONGEST_START
        while True:
            try:
                await self.take()
            except LockTakenError:
                if monotonic() >= end:
                    raise
            else:
                return
            await asyncio.sleep(RETRY_EVERY)

    async def take(self) -> None:
        """Take all locks, once.

        Raises:
            LockTakenError: If another process holds one of them.
            UserError: If the database cannot be used.
        """
        try:
            self._connection = await self._engine.connect()
            await keep_alive(self._connection)
            await self._lock(self._connection)
        except UserError:
            await self.release()
            raise
        except Exception as error:
            await self.release()
            if not is_refusal(error):
                raise
            raise UserError(f"The database {self._name} cannot be used: {cause(error)}.") from None

    async def _lock(self, connection: AsyncConnection) -> None:
        await connection.execute(text(f"SELECT pg_advisory_lock_shared({GROUPS}, {self._group})"))
        others = (
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND "
            f"classid = {GROUPS} AND objid <> {self._group} AND "
            "database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        )
        if await connection.scalar(text(others)):
            raise LockTakenError(
                f"Another bot is at work with the database {self._name}, or this one with another number of shards. "
                "End it first."
            )
        for shard in self._shards:
            if not await connection.scalar(text(f"SELECT pg_try_advisory_lock({SHARDS}, {shard})")):
                which = f"shard {shard} of {self._count} of this bot" if self._count else "this bot"
                raise LockTakenError(
                    f"Another process with the database {self._name} runs {which} already. End it first."
                )

    async def release(self) -> None:
        """Release the locks by closing the connection."""
        if self._connection:
            with suppress(Exception):  # It may be gone already.
                await self._connection.close()
        self._connection = None

    async def watch(self, stop: Callable[[], object]) -> None:
        """Check the connection and take lost locks again; call `stop` when another process has them."""
        while not self.lost_to:
            await asyncio.sleep(EVERY)
            if self._connection and not await self._is_alive(self._connection):
                log.warning("the locks on the shards are lost, as the database does not answer; they are taken again")
                await self.release()
                await self._take_again()
        log.error("the shards are another process's now: %s", self.lost_to.text)
        stop()

    async def _is_alive(self, connection: AsyncConnection) -> bool:
        try:
            async with asyncio.timeout(LONGEST_CHECK):
                await connection.execute(text("SELECT 1"))
        except Exception:
            return False
        return True

    async def _take_again(self) -> None:
        refused = 0
        while True:
            try:
                await self.take()
            except LockTakenError as error:
                refused += 1
                if refused == TRIES:
                    self.lost_to = error
                    return
            except Exception as error:
                log.debug("the locks on the shards cannot be had yet: %s", error)
            else:
                log.info("the locks on the shards are held again")
                return
            await asyncio.sleep(EVERY)


async def keep_alive(connection: AsyncConnection) -> None:
    """Let the system test a connection often, to notice a server that is gone with its machine.

    By default that takes two hours.
    """
    raw = (await connection.get_raw_connection()).driver_connection
    link = raw._transport.get_extra_info("socket") if raw else None  # asyncpg has no other way to its socket
    if link is None or link.family not in (socket.AF_INET, socket.AF_INET6):
        return
    link.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in KEEPALIVE.items():
        if hasattr(socket, name):  # macOS has another name for the first
            link.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
