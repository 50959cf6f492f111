"""One process for each shard where several share PostgreSQL: locks that its server takes away with the connection."""

import asyncio
import hashlib
import logging
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from time import monotonic

from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.errors import UserError
from bot.settings import Shards
from bot.store.postgres import GROUPS, SHARDS, engine_at, name_of
from bot.store.troubles import cause, is_refusal

log = logging.getLogger(__name__)

EVERY = 5.0
"""Seconds from one look at the connection to the next, or from one try to have the locks again to the next."""
LONGEST_LOOK = 5.0
"""Seconds in which the connection must answer."""
KEEPALIVE = {"TCP_KEEPIDLE": 10, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3}
"""As the server does it at its end, see `bot.store.postgres.SESSION`: within half a minute."""
LONGEST_START = 5.0
"""Seconds for which a start asks again for locks that are taken: a process that crashed may still hold them."""
AGAIN = 0.25
"""Seconds from one of these attempts to the next."""
TRIES = 12
"""How often the locks are asked for again where somebody holds them: it may be ourselves, over a dead connection."""


class TakenError(UserError):
    """Another process holds one of the locks."""


@asynccontextmanager
async def own(address: str, token: str, shards: Shards | None, stop: Callable[[], object]) -> AsyncIterator[None]:
    """Be the only process with these shards (None: with all) of the only bot in the database, to the end of the block.

    TakenError where another still is after LONGEST_START. Where the connection is lost, the locks are taken again as
    soon as that can be; if another process has them by then, `stop` is called, and TakenError is raised at the end.
    """
    owner = _Owner(address, token, shards)
    await owner.begin()
    watching = asyncio.create_task(owner.watch(stop))
    try:
        yield
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
        await owner.let_go()
    if owner.lost_to:
        raise owner.lost_to


class _Owner:
    """Who holds the locks, over one connection that is used for nothing else.

    All processes of a bot with the same number of shards share one lock, whose number stands for both; each has one of
    its own for every shard of its.
    """

    def __init__(self, address: str, token: str, shards: Shards | None) -> None:
        self._name = name_of(address)
        self._engine: AsyncEngine = engine_at(address, poolclass=NullPool, isolation_level="AUTOCOMMIT")
        self._shards = shards.ids if shards else [0]
        self._count = shards.count if shards else 0
        digest = hashlib.sha256(f"{token}/{self._count}".encode()).digest()
        self._group = int.from_bytes(digest[:4]) >> 1
        self._connection: AsyncConnection | None = None
        self.lost_to: TakenError | None = None

    async def begin(self) -> None:
        """Take all locks at the start of the program, with some patience for another process that has them."""
        end = monotonic() + LONGEST_START
        while True:
            try:
                await self.take()
            except TakenError:
                if monotonic() >= end:
                    raise
            else:
                return
            await asyncio.sleep(AGAIN)

    async def take(self) -> None:
        """Take all locks; TakenError where one is another's, another UserError where the database cannot be used."""
        try:
            self._connection = await self._engine.connect()
            await _keep_alive(self._connection)
            await self._lock(self._connection)
        except UserError:
            await self.let_go()
            raise
        except Exception as error:
            await self.let_go()
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
            raise TakenError(
                f"Another bot is at work with the database {self._name}, or this one with another number of shards. "
                "End it first."
            )
        for shard in self._shards:
            if not await connection.scalar(text(f"SELECT pg_try_advisory_lock({SHARDS}, {shard})")):
                which = f"shard {shard} of {self._count} of this bot" if self._count else "this bot"
                raise TakenError(f"Another process with the database {self._name} runs {which} already. End it first.")

    async def let_go(self) -> None:
        """Give the locks back, with the connection."""
        if self._connection:
            with suppress(Exception):  # It may be gone already.
                await self._connection.close()
        self._connection = None

    async def watch(self, stop: Callable[[], object]) -> None:
        """Look after the connection until somebody else has the locks."""
        while not self.lost_to:
            await asyncio.sleep(EVERY)
            if self._connection and not await self._stands(self._connection):
                log.warning("the locks on the shards are lost, as the database does not answer; they are taken again")
                await self.let_go()
                await self._take_again()
        log.error("the shards are another process's now: %s", self.lost_to.text)
        stop()

    async def _stands(self, connection: AsyncConnection) -> bool:
        try:
            async with asyncio.timeout(LONGEST_LOOK):
                await connection.execute(text("SELECT 1"))
        except Exception:
            return False
        return True

    async def _take_again(self) -> None:
        refused = 0
        while True:
            try:
                await self.take()
            except TakenError as error:
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


async def _keep_alive(connection: AsyncConnection) -> None:
    """Have the system test a connection, so that we notice when a server is gone with its machine.

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
