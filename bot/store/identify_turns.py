"""The turns of all processes to identify at Discord, kept in PostgreSQL: one at a time, and some seconds between two.

Discord refuses an identify that comes too soon after another one with the same number `shard % max_concurrency`.
"""

import asyncio
import logging

from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.pace import at_pace
from bot.store.postgres import IDENTIFIES, engine_at, hang_up, keep_alive

log = logging.getLogger(__name__)

TURN = at_pace(5.25)
"""Seconds from one identify to the next: Discord wants 5, and not all take the same time to get there."""
LONGEST_UNUSED = 15
"""Seconds after which PostgreSQL takes an unused turn back, so that a process that hangs holds up nobody for long."""
_LIMITS = text(
    "SELECT set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true), "
    "set_config('idle_in_transaction_session_timeout', :unused, true)"
)
_LOCK = text(f"SELECT pg_advisory_xact_lock({IDENTIFIES}, :line)")
_AGE = text("SELECT extract(epoch FROM clock_timestamp())::float - value::float FROM facts WHERE name = :name")
_NOTE = text(
    "INSERT INTO facts (name, value) VALUES (:name, extract(epoch FROM clock_timestamp())::text) "
    "ON CONFLICT (name) DO UPDATE SET value = excluded.value"
)


class IdentifyTurns:
    """The turns at one database. A `line` is one of Discord's numbers `shard % max_concurrency`.

    A turn is a transaction with the lock of its line, which PostgreSQL gives to the longest waiter. Its end
    notes the time for the next turn, so neither a process that dies nor one that hangs lets two identify too soon.
    `is_away` says whether the database did not answer when it was last asked for a turn.
    """

    def __init__(self, address: str) -> None:
        self._engine = engine_at(address, patient=True, poolclass=NullPool)
        self._held: dict[int, AsyncConnection] = {}
        self.is_away = False

    def holds(self, line: int) -> bool:
        """Whether the turn of a line is held, unless PostgreSQL has taken it back."""
        return line in self._held

    async def take(self, line: int) -> bool:
        """Wait for the next turn of a line; return whether it is held, and False if the database does not answer."""
        if line in self._held:
            return True
        connection: AsyncConnection | None = None
        try:
            connection = await self._engine.connect()
            self.is_away = False
            await keep_alive(connection)
            await connection.execute(_LIMITS, {"unused": f"{LONGEST_UNUSED}s"})
            await connection.execute(_LOCK, {"line": line})
            while (wait := await _seconds_left(connection, line)) > 0:  # noqa: ASYNC110 - only the database knows
                await asyncio.sleep(wait)
        except BaseException as error:
            await hang_up(connection)
            if not isinstance(error, Exception):
                raise
            log.debug("no turn to identify can be had: %s", error)
            self.is_away = True
            return False
        self._held[line] = connection
        return True

    async def use(self, line: int) -> bool:
        """End the turn that is held; return whether the caller may identify now, which it may not if the turn is lost.

        The time is on the disk before anybody identifies.
        """
        connection = self._held.pop(line)
        try:
            await connection.execute(_NOTE, {"name": _fact(line)})
            await connection.commit()
        except Exception as error:
            log.debug("a turn to identify is lost: %s", error)
            return False
        finally:
            await hang_up(connection)
        return True

    async def give_back(self) -> None:
        """Give back all turns that are held."""
        while self._held:
            await hang_up(self._held.popitem()[1])


async def _seconds_left(connection: AsyncConnection, line: int) -> float:
    """Return the seconds until the next identify may come, by the database's clock, which all processes share."""
    age: float | None = await connection.scalar(_AGE, {"name": _fact(line)})
    # A time far ahead is from before the clock was set back.
    return 0 if age is None or age < -TURN else TURN - age


def _fact(line: int) -> str:
    """Return the name of the fact with the time of the last identify of a line."""
    return f"identified {line}"
