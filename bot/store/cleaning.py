"""Deletes old battles, and all data of servers that removed the bot, in small portions; every step may be repeated."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import delete, select, update

# SQLite takes the same words as PostgreSQL, but not the other way round.
from sqlalchemy.dialects.postgresql import insert as insert_or

from bot.store.connections import Connections
from bot.store.tables import battles, departures, faces, settings, setups

PORTION = 100
"""The most battles that one transaction deletes, so that nobody waits long for it."""


class Departure(NamedTuple):
    """A server that removed the bot, as "guild:1", and when it did."""

    place: str
    left_at: datetime


class Cleaning:
    """The deletions of the database. Several processes may make the same one at once; it happens once."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    async def note_departure(self, departure: Departure) -> None:
        """Note that a server removed the bot; a later removal takes the place of an earlier one."""
        new = insert_or(departures).values(departure._asdict())
        new = new.on_conflict_do_update(index_elements=["place"], set_={"left_at": departure.left_at})
        async with self._connections.write(single=True) as connection:
            await connection.execute(new)

    async def note_return(self, place: str) -> None:
        """Take the note of a departure back, as the server has the bot again."""
        async with self._connections.write(single=True) as connection:
            await connection.execute(delete(departures).where(departures.c.place == place))

    async def list_departures(self) -> list[Departure]:
        """Return the servers that removed the bot and whose data is still there, the earliest first."""
        async with self._connections.read() as connection:
            query = select(departures).order_by(departures.c.left_at, departures.c.place)
            return [Departure(row.place, row.left_at) for row in await connection.execute(query)]

    async def delete_departed(self, departure: Departure) -> bool:
        """Delete a portion of the data of a server that removed the bot, unless the departure was taken back.

        Returns:
            Whether this was the last portion, or there is nothing to delete.
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
