"""The locks that allow one process per shard in PostgreSQL: advisory locks, which end with their connection.

A process can also take over the shards of another one, which goes on with each shard until the new one is connected.
"""

import asyncio
import hashlib
import logging
import math
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import Any, Literal

from sqlalchemy import NullPool, Row, TextClause, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.background import cancel, wait_until_set
from bot.errors import LaterError
from bot.pace import at_pace
from bot.settings import Shards
from bot.store.postgres import (
    ADVISORY_LOCKS,
    ANSWERS,
    CONNECTED,
    GROUPS,
    SHARDS,
    SHARED,
    WANTED,
    engine_at,
    hang_up,
    keep_alive,
    public_name,
)
from bot.store.troubles import explain_refusal

log = logging.getLogger(__name__)

EVERY = at_pace(2.0)
"""Seconds between two checks of the connection."""
LONGEST_CHECK = 5.0
"""Seconds in which the connection must answer."""
LEASE = at_pace(3.0)
"""Seconds after a check for which the locks count as held: the database may let go of them without a word.

A process that has taken locks connects to Discord no sooner, and so hears nothing that another one answers unclaimed.
"""
LONGEST_START = 5.0
"""Seconds for which a start retries to take the locks: a process that crashed may still hold them."""
LONGEST_OFFER = 10.0
"""Seconds in which the process that has the shards must offer them to the one that wants them."""
RETRY_EVERY = at_pace(0.25)
"""Seconds between two attempts to take locks, and between two looks at a shard that changes hands."""
LONGEST_REFUSED = 60.0
"""Seconds for which lost locks are tried again while somebody holds them: it may be this process, over a dead
connection."""
LINGER = 1.5
"""Seconds for which the old process stays connected beside the new one: events may still be on their way to it."""
SHARED_FOR = 90.0
"""Seconds for which a shard still counts as shared after it has changed hands, as events may come late, and after its
lock was taken: a process that has lost it goes on for LONGEST_REFUSED."""

Stage = Literal["ours", "wanted", "coming", "offered"]
"""The owner of a shard: we alone, or another process from which we want it; or both, while it comes to us or is offered
to another process."""
_OTHERS = text(
    f"SELECT classid::bigint AS kind, objid::bigint AS number FROM {ADVISORY_LOCKS} AND pid <> pg_backend_pid()"
)
"""The advisory locks of all other connections: their classes and numbers."""


class LockTakenError(LaterError):
    """Another process holds one of the locks."""


@asynccontextmanager
async def hold_shards(
    address: str, token: str, shards: Shards | None, stop: Callable[[], object], takes_over: bool = False
) -> AsyncIterator["ShardLocks"]:
    """Hold the locks of these shards (None: of all shards) of the only bot in the database during the block.

    With `takes_over`, a process that has the shards is asked to hand them over. If the connection is lost, the locks
    are taken again as soon as possible. If another process has them by then, `stop` is called and LockTakenError is
    raised at the end of the block. `stop` is also called when all shards have been handed over to another process.

    LockTakenError if another process still holds a lock after LONGEST_START, or does not hand its shards over.
    """
    owner = ShardLocks(address, token, shards, takes_over)
    await owner.take_at_start()
    watching = asyncio.create_task(owner.watch(stop))
    try:
        yield owner
    finally:
        await cancel(watching)
        await owner.release()
    if owner.lost_to:
        raise owner.lost_to


class ShardLocks:
    """The locks of this process, over a connection that serves nothing else.

    All processes of one bot with one number of shards share a lock, whose number is a digest of both. Each process also
    has a lock of its own for each of its shards (0 if it has them all), and one on its random `number`, a sign of life.

    A shard changes hands in these steps. The new process locks it as WANTED, and the old one offers it with the lock
    SHARED. The new one connects, ignores what it hears, and locks the shard as CONNECTED. From now on both hear it, and
    each claims an event in the database before it answers. The old one then hangs up and unlocks the shard, and the new
    one locks it.

    Locks end with their connection, while their holder lives. A process that cannot be sure of its locks, and one that
    has just taken them, claims each event too.
    """

    def __init__(self, address: str, token: str, shards: Shards | None, takes_over: bool = False) -> None:
        self._name, self.number = public_name(address), secrets.randbits(31)
        self._engine: AsyncEngine = engine_at(address, poolclass=NullPool, isolation_level="AUTOCOMMIT")
        self._own, self._count = shards, shards.count if shards else 0
        self._stages: dict[int, Stage] = dict.fromkeys(
            shards.ids if shards else [0], "wanted" if takes_over else "ours"
        )
        self._late_until: dict[int, float] = {}
        self._connected_since: dict[int, float] = {}
        digest = hashlib.sha256(f"{token}/{self._count}".encode()).digest()
        self._group = int.from_bytes(digest[:4]) >> 1
        self._connection: AsyncConnection | None = None
        self._driver: Any = None
        self._cut = asyncio.Event()
        self._checked = self._taken = -math.inf
        self._turn = asyncio.Lock()
        self.lost_to: LockTakenError | None = None
        self.hang_up: Callable[[int], Awaitable[None]] | None = None
        """Closes this process's connection to Discord for a shard that another process has taken over."""

    def shard_of(self, place: str) -> int:
        """Return the number under which the shard of a place has its locks."""
        return self._own.shard_of(place) if self._own else 0

    @property
    def wants_shards(self) -> bool:
        """Whether another process still answers alone on some of the shards."""
        return "wanted" in self._stages.values()

    def ignores(self, shard: int) -> bool:
        """Whether another process alone answers what this one hears on a shard."""
        return self._stages.get(shard) == "wanted"

    def shares(self, shard: int) -> bool:
        """Whether another process may answer what this one hears on a shard, so that it must be claimed before."""
        stage = self._stages.get(shard)
        if stage == "wanted":
            return False
        return stage != "ours" or not self._is_sure or monotonic() < self._late_until.get(shard, 0)

    def is_coming(self, shard: int) -> bool:
        """Whether a shard is still another process's too, which answers whatever need not be claimed."""
        return self._stages.get(shard) == "coming"

    @property
    def _is_sure(self) -> bool:
        """Whether this process must still have its locks."""
        is_open = self._connection is not None and not self._driver.is_closed()
        return is_open and monotonic() < self._checked + LEASE

    # Taking and losing them

    async def take_at_start(self) -> None:
        """Take all locks; retry for some time while another process holds them, or is asked to hand them over."""
        end = monotonic() + (LONGEST_OFFER if self.wants_shards else LONGEST_START)
        while True:
            try:
                if not self._connection:
                    await self.take()
                with explain_refusal(self._name):
                    await self._check_offers()
            except Exception as error:
                if not isinstance(error, LockTakenError) or monotonic() >= end:
                    await self.release()
                    raise
            else:
                return
            await asyncio.sleep(RETRY_EVERY)

    async def wait_until_claimed(self) -> None:
        """Wait until a process that had the locks before and still lives must claim what it answers."""
        await asyncio.sleep(self._taken + LEASE - monotonic())

    async def take(self) -> None:
        """Take all locks, once; those that are wanted from another process need not be free.

        LockTakenError if another process holds one of them, UserError if the database cannot be used.
        """
        try:
            with explain_refusal(self._name):
                self._connection = await self._engine.connect()
                self._driver = await keep_alive(self._connection, self._cut)
                began = monotonic()
                await self._lock_all()
                self._checked = began
        except Exception:
            await self.release()
            raise

    async def _lock_all(self) -> None:
        await self._ask(text(f"SELECT pg_advisory_lock_shared({ANSWERS}, {self.number})"))
        await self._ask(text(f"SELECT pg_advisory_lock_shared({GROUPS}, {self._group})"))
        if any(number != self._group for number in (await self._others()).get(GROUPS, ())):
            raise LockTakenError(
                f"Another bot is at work with the database {self._name}, or this one with another number of shards. "
                "End it first."
            )
        for shard, stage in self._stages.items():
            if stage in ("wanted", "coming"):
                if not await self._lock(WANTED, shard):
                    raise self._refusal_of(shard, ", and a third one takes it over")
            elif await self._lock(SHARDS, shard):
                self._note_taken(shard)
                if stage == "offered":
                    await self._lock(SHARED, shard)
            elif stage == "offered":
                self._connected_since[shard] = -math.inf  # the new process has it already
            else:
                raise self._refusal_of(shard)

    async def _check_offers(self) -> None:
        """Raise LockTakenError unless all shards that are wanted are offered; those that nobody has are ours."""
        offered = (await self._others()).get(SHARED, set()) if self.wants_shards else set()
        for shard in [shard for shard, stage in self._stages.items() if stage == "wanted" and shard not in offered]:
            if not await self._lock(SHARDS, shard):
                raise self._refusal_of(shard, " and does not hand it over")
            self._stages[shard] = "ours"
            self._note_taken(shard)
            await self._unlock(WANTED, shard)

    def _note_taken(self, shard: int) -> None:
        """Note that a lock was free: another process may have lost it and not know that yet."""
        self._taken = monotonic()
        self._late_until[shard] = self._taken + SHARED_FOR

    def _refusal_of(self, shard: int, more: str = "") -> LockTakenError:
        which = f"shard {shard} of {self._count} of this bot" if self._count else "this bot"
        return LockTakenError(
            f"Another process with the database {self._name} runs {which} already{more}. End it first."
        )

    async def release(self) -> None:
        """Release the locks by closing the connection."""
        await hang_up(self._connection)
        self._connection, self._checked = None, -math.inf

    async def watch(self, stop: Callable[[], object]) -> None:
        """Check the connection, take lost locks again and hand over shards that are wanted.

        Call `stop` when another process has the locks, or when all shards are handed over.
        """
        while self._stages and not self.lost_to:
            await wait_until_set(self._cut, RETRY_EVERY if "offered" in self._stages.values() else EVERY)
            self._cut.clear()
            if self._connection and not await self._attend():
                log.warning("the locks on the shards are lost, as the database does not answer; they are taken again")
                await self.release()
                await self._take_again()
        if self.lost_to:
            log.error("the shards are another process's now: %s", self.lost_to.text)
        else:
            log.info("all shards are handed over")
        stop()

    async def _take_again(self) -> None:
        end = math.inf
        while True:
            try:
                await self.take()
            except LockTakenError as error:
                end = min(end, monotonic() + LONGEST_REFUSED)
                if monotonic() >= end:
                    self.lost_to = error
                    return
            except Exception as error:
                log.debug("the locks on the shards cannot be had yet: %s", error)
            else:
                log.info("the locks on the shards are held again")
                return
            await asyncio.sleep(RETRY_EVERY)

    # Changing hands

    async def take_over(self, shard: int) -> None:
        """Take a shard that is wanted over from the process that has it, now that this one is connected with it too."""
        self._stages[shard] = "coming"
        locked_over: AsyncConnection | None = None
        while True:
            with suppress(Exception):  # `watch` connects again
                if locked_over is not self._connection:
                    await self._lock(CONNECTED, shard)
                    locked_over = self._connection
                if await self._lock(SHARDS, shard):
                    break
            await asyncio.sleep(RETRY_EVERY)
        self._stages[shard] = "ours"
        self._late_until[shard] = monotonic() + SHARED_FOR
        with suppress(Exception):
            await self._unlock(CONNECTED, shard)
            await self._unlock(WANTED, shard)
        log.info("shard %d is taken over", shard)

    async def _attend(self) -> bool:
        """Offer and hand over what other processes want; return whether the database answers."""
        began = monotonic()
        try:
            others = await self._others()
            self._checked = began
            wanted, connected = others.get(WANTED, set()), others.get(CONNECTED, set())
            for shard, stage in list(self._stages.items()):
                if stage == "ours" and shard in wanted:
                    await self._offer(shard)
                elif stage == "offered" and (shard in connected or shard in self._connected_since):
                    await self._hand_over(shard)
                elif stage == "offered" and shard not in wanted:
                    await self._take_back(shard)
        except Exception as error:
            log.debug("the connection with the locks does not answer: %s", error)
            return False
        return True

    async def _offer(self, shard: int) -> None:
        log.info("another process is about to take over shard %d", shard)
        self._stages[shard] = "offered"  # before the other process may answer
        await self._lock(SHARED, shard)

    async def _take_back(self, shard: int) -> None:
        log.info("the process that was about to take over shard %d has ended", shard)
        self._stages[shard] = "ours"
        self._late_until[shard] = monotonic() + SHARED_FOR
        await self._unlock(SHARED, shard)

    async def _hand_over(self, shard: int) -> None:
        """Hang up, some time after the other process has connected."""
        since = self._connected_since.setdefault(shard, monotonic())
        if monotonic() < since + LINGER or not self.hang_up:
            return
        self._late_until[shard] = monotonic() + SHARED_FOR
        del self._stages[shard]
        try:
            await self.hang_up(shard)
        except Exception:
            log.exception("the connection of shard %d could not be closed", shard)
        log.info("shard %d is handed over", shard)
        await self._unlock(SHARDS, shard)
        await self._unlock(SHARED, shard)

    # At the database

    async def _others(self) -> dict[int, set[int]]:
        """Return the numbers of the locks that other connections hold, by class."""
        numbers: dict[int, set[int]] = {}
        for row in await self._ask(_OTHERS):
            numbers.setdefault(row.kind, set()).add(row.number)
        return numbers

    async def _lock(self, kind: int, number: int) -> bool:
        """Take a lock if it is free; return whether it is taken."""
        return bool((await self._ask(text(f"SELECT pg_try_advisory_lock({kind}, {number})")))[0][0])

    async def _unlock(self, kind: int, number: int) -> None:
        await self._ask(text(f"SELECT pg_advisory_unlock({kind}, {number})"))

    async def _ask(self, question: TextClause) -> Sequence[Row[Any]]:
        async with self._turn, asyncio.timeout(LONGEST_CHECK):
            if not self._connection:
                raise ConnectionError("there is no connection")
            return (await self._connection.execute(question)).all()
