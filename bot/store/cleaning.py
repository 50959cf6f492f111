"""Deletes old battles, the data of servers that removed the bot, and what names a person; steps may be repeated."""

import asyncio
import logging
import shutil
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from sqlalchemy import delete, func, or_, select, update

from bot.errors import UserError
from bot.store.connections import Connections
from bot.store.tables import battles, departures, faces, facts, players, put, settings, setups

log = logging.getLogger(__name__)

PORTION = 100
"""The most battles that one transaction deletes, so that nobody waits long for it."""
TRIES = 10
"""How often an erasure tries to empty the write-ahead log while other programs use it."""
TRY_EVERY = 0.1
"""Seconds between two of these attempts."""
UNCLEAN = "unclean"
"""The fact with the time of an erasure that may have left something between the rows of SQLite's file."""
LARGEST = 2**26
"""The size in bytes of the largest file that is written anew while the bot runs: writers wait a second for that."""
REWRITE_EVERY = 24 * 3600.0
"""Seconds between two attempts to write the file anew, as anybody can cause them."""
_UNCLEAN_SINCE = select(facts.c.value).where(facts.c.name == UNCLEAN)


class Departure(NamedTuple):
    """A server that removed the bot, as "guild:1", and when it did."""

    place: str
    left_at: datetime


class Erasure(NamedTuple):
    """The numbers of rows that an erasure changed: battles and presets that lost a name, and rows it deleted.

    `battles` counts the deleted ones too.
    """

    battles: int
    presets: int
    own_presets: int
    own_settings: int
    own_faces: int


class Cleaning:
    """The deletions of the database. Several processes may make the same one at once; it happens once."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._next_rewrite = 0.0
        self._has_warned = False

    async def note_departure(self, departure: Departure) -> None:
        """Note that a server removed the bot; a later removal takes the place of an earlier one."""
        await self._connections.execute(put(departures, departure._asdict(), "left_at"))

    async def note_return(self, place: str) -> None:
        """Take the note of a departure back, as the server has the bot again."""
        await self._connections.execute(delete(departures).where(departures.c.place == place))

    async def list_departures(self) -> list[Departure]:
        """Return the servers that removed the bot and whose data is still there, the earliest first."""
        query = select(departures).order_by(departures.c.left_at, departures.c.place)
        return [Departure(*row) for row in await self._connections.rows(query)]

    async def delete_departed(self, departure: Departure) -> bool:
        """Delete a portion of the data of a server that removed the bot, unless the departure was taken back.

        Return whether this was the last portion, or there is nothing to delete.
        """
        place = departure.place
        noted = departures.c.place == place, departures.c.left_at == departure.left_at
        some = select(battles.c.id).where(battles.c.place == place).limit(PORTION)
        async with self._connections.write(place) as connection:
            # This locks the row: who takes the departure back waits, or was first, and then nothing is deleted.
            held = await connection.execute(update(departures).where(*noted).values(left_at=departure.left_at))
            if not held.rowcount:
                return True
            if (await connection.execute(delete(battles).where(battles.c.id.in_(some)))).rowcount:
                return False
            for table in (setups, settings, faces):
                await connection.execute(delete(table).where(table.c.place == place))
            # Its channels may have settings of their own.
            await connection.execute(delete(settings).where(settings.c.place.startswith(f"{place}/", autoescape=True)))
            await connection.execute(delete(departures).where(*noted))
            return True

    async def delete_old_battles(self, before: datetime) -> int:
        """Delete a portion of the battles, ended or not, untouched since `before`; return the number deleted."""
        old = battles.c.changed_at < before
        some = select(battles.c.id).where(old).order_by(battles.c.changed_at).limit(PORTION)
        async with self._connections.write() as connection:
            # `old` is asked twice: somebody may roll while this waits for the row.
            return (await connection.execute(delete(battles).where(old, battles.c.id.in_(some)))).rowcount

    async def erase(self, user: str) -> Erasure:
        """Remove a user from all battles and presets, and delete all data of their direct messages."""
        own = f"user:{user}"
        fought = battles.c.id.in_(select(players.c.battle).where(players.c.user == user))
        async with self._connections.write() as connection:
            touched = select(func.count()).select_from(battles).where(or_(battles.c.place == own, fought))
            count = await connection.scalar(touched) or 0
            # Battles first, as in all changes: two transactions that wait for each other would wait for ever.
            await connection.execute(delete(battles).where(battles.c.place == own))
            own_faces = await connection.execute(delete(faces).where(faces.c.place == own))
            await connection.execute(update(players).where(players.c.user == user).values(user=None, name=""))
            own_presets = await connection.execute(delete(setups).where(setups.c.place == own))
            all_own = or_(settings.c.place == own, settings.c.place.startswith(f"{own}/", autoescape=True))
            own_settings = await connection.execute(delete(settings).where(all_own))
            theirs = update(setups).where(setups.c.owner == user)
            presets = await connection.execute(theirs.values(owner="", owner_name=""))
            deleted = (own_presets, own_settings, own_faces)
            erasure = Erasure(count, presets.rowcount, *(result.rowcount for result in deleted))
            is_unclean = any(erasure) or await connection.scalar(_UNCLEAN_SINCE) is not None
            if self._connections.file:
                # Also if nothing was left to erase: rows that were deleted before may have left something.
                now = datetime.now(UTC).isoformat()
                await connection.execute(put(facts, {"name": UNCLEAN, "value": now}, "value"))
        if is_unclean:
            await self._empty_log_soon()
        return erasure

    async def wipe(self) -> None:
        """Remove what SQLite's files still have of deleted rows, in the log and between the rows."""
        file = self._connections.file
        if file is None:
            return
        since = await self._connections.scalar(_UNCLEAN_SINCE)
        if since is not None and monotonic() >= self._next_rewrite and self._has_room(file):
            # One that fails counts, too, or a full disk would be a new trouble in each round.
            self._next_rewrite = monotonic() + REWRITE_EVERY
            await self._connections.rewrite()
            # Not that of an erasure that came meanwhile.
            await self._connections.execute(delete(facts).where(facts.c.name == UNCLEAN, facts.c.value == since))
        await self._connections.empty_log()

    def _has_room(self, file: Path) -> bool:
        """Whether the file is small enough to be written anew; the first time it is not, the log says what to do."""
        size = file.stat().st_size
        # SQLite makes a copy, and then writes it into the log.
        has_room = size <= LARGEST and 2 * size <= shutil.disk_usage(file.parent).free
        if not has_room and not self._has_warned:
            self._has_warned = True
            log.warning(
                "%s may have traces of erased names, but it is too large for the running bot to write it anew, or the "
                "disk is too full: stop the bot, make room for two copies, and run "
                """sqlite3 %s "VACUUM; DELETE FROM facts WHERE name = '%s'\"""",
                file,
                file,
                UNCLEAN,
            )
        return has_room

    async def _empty_log_soon(self) -> None:
        """Empty the log after an erasure, which is done whatever becomes of this: `wipe` does it later."""
        with suppress(UserError):
            for _attempt in range(TRIES):
                if await self._connections.empty_log():
                    return
                await _pause()
            log.info("another program keeps deleted data in the write-ahead log, which is emptied later")


async def _pause() -> None:
    """Give another program time to let go of the log."""
    await asyncio.sleep(TRY_EVERY)
