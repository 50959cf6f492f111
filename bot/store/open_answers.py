"""The answers that people wait for, in the database: another process ends those whose process was killed."""

import asyncio
from typing import NamedTuple

from sqlalchemy import Boolean, ColumnElement, delete, literal_column, not_, select, true, tuple_, update

from bot.pace import at_pace
from bot.store.connections import Connections
from bot.store.postgres import ADVISORY_LOCKS, ANSWERS, HTTP_BOTS
from bot.store.tables import open_answers, put

CERTAIN_AFTER = at_pace(10.0)
"""Seconds after which a process that lives has its lock again, if its connection to PostgreSQL was cut."""


class OpenAnswer(NamedTuple):
    """An answer that somebody waits for.

    Attributes:
        id: The id of the interaction.
        owner: The number of the process that answers.
        token: The secret with which the bot can change the answer for 15 minutes. It belongs in no log.
        text: The text of the message if the answer does not come.
        line: The question of the button below that text; "" if it has none.
    """

    id: int
    owner: int
    token: str
    text: str
    line: str


class OpenAnswers:
    """The table of open answers. It has only those for which people wait longer than usual."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    async def note(self, answer: OpenAnswer) -> None:
        """Write an answer down, also one that a process which was killed had begun."""
        await self._connections.execute(put(open_answers, answer._asdict(), "owner"))

    async def forget(self, interaction: int) -> None:
        """Delete an answer, as it has come or cannot come."""
        await self._connections.execute(delete(open_answers).where(open_answers.c.id == interaction))

    async def take(self, owner: int) -> list[OpenAnswer]:
        """Give the process `owner` the answers of processes that have ended, and return them.

        Two processes that do this at once get different ones.
        """
        left = [open_answers.c.owner != owner, self._has_ended()]
        if not self._connections.file:
            answer = tuple_(open_answers.c.id, open_answers.c.owner)
            seen = [(row.id, row.owner) for row in await self._connections.rows(select(*answer).where(*left))]
            if not seen:
                return []
            await _pause()
            # A row that another process took meanwhile has a new owner. PostgreSQL looks at it again, but not at locks.
            left.append(answer.in_(seen))
        taken = update(open_answers).where(*left).values(owner=owner).returning(*open_answers.c)
        async with self._connections.write(single=True) as connection:
            return [OpenAnswer(*row) for row in await connection.execute(taken)]

    def _has_ended(self) -> ColumnElement[bool]:
        """Return the condition that another process which has an answer has ended; an SQLite file has no other."""
        if self._connections.file:
            return true()
        its_lock = f"{ADVISORY_LOCKS} AND classid IN ({ANSWERS}, {HTTP_BOTS}) AND objid::bigint = open_answers.owner"
        return not_(literal_column(f"EXISTS (SELECT 1 FROM {its_lock})", Boolean))


async def _pause() -> None:
    """Give processes that live the time to have their locks again."""
    await asyncio.sleep(CERTAIN_AFTER)
