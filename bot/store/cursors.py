"""A connection to SQLite that makes few visits to its thread: one for a statement, where aiosqlite alone makes four.

Statements that bring nothing back, such as BEGIN, need none of their own. In a rush of presses these visits took a
third of the bot's time.
"""

import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Self

import aiosqlite


def connect(database: str, **options: Any) -> "Connection":
    """The same as `aiosqlite.connect`, for SQLAlchemy's `async_creator_fn`."""
    connection = Connection(partial(sqlite3.connect, database, **options), 64)
    connection._thread.daemon = True  # as SQLAlchemy makes it where it connects by itself
    return connection


class Connection(aiosqlite.Connection):
    """A connection whose cursors are those below."""

    def __init__(self, connector: Callable[[], sqlite3.Connection], iter_chunk_size: int) -> None:
        super().__init__(connector, iter_chunk_size)
        self._later: list[str] = []
        self._is_visited = False

    def cursor(self) -> "Cursor":  # type: ignore[override]
        """A cursor, which need not ask the thread for one."""
        return Cursor(self)

    def later(self, statement: str) -> None:
        """Do a statement together with the next one; at the end of the transaction it is dropped instead."""
        self._later.append(statement)

    async def visit(self, do: Callable[[sqlite3.Cursor], object]) -> tuple[Any, Any, Any, list[Any]]:
        """Do what was put off, then this; returns `description`, `rowcount`, `lastrowid` and all rows."""
        before, self._later, self._is_visited = self._later, [], True

        def visit() -> tuple[Any, Any, Any, list[Any]]:
            cursor = self._conn.cursor()
            try:
                for statement in before:
                    cursor.execute(statement)
                do(cursor)
                rows = cursor.fetchall() if cursor.description else []
                return cursor.description, cursor.rowcount, cursor.lastrowid, rows
            finally:
                cursor.close()

        found: tuple[Any, Any, Any, list[Any]] = await self._execute(visit)  # type: ignore[no-untyped-call]
        return found

    async def commit(self) -> None:
        """End the transaction, if anything was done in it."""
        await self._end(super().commit)

    async def rollback(self) -> None:
        """Undo the transaction, if anything was done in it."""
        await self._end(super().rollback)

    async def _end(self, end: Callable[[], Awaitable[None]]) -> None:
        self._later.clear()
        if self._is_visited:
            await end()
            self._is_visited = False


class Cursor:
    """As much of a cursor as SQLAlchemy uses; all rows of a statement are fetched with it."""

    description: Any = None
    rowcount, lastrowid, arraysize = -1, None, 1

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._rows: list[Any] = []

    async def __aenter__(self) -> Self:
        """Nothing to wait for."""
        return self

    async def execute(self, statement: str, parameters: Sequence[Any] = ()) -> Self:
        """Do a statement and fetch its rows."""
        return await self._visit(lambda cursor: cursor.execute(statement, parameters))

    async def executemany(self, statement: str, parameters: Sequence[Sequence[Any]]) -> Self:
        """Do a statement for each of these, none of which has rows."""
        return await self._visit(lambda cursor: cursor.executemany(statement, parameters))

    async def _visit(self, do: Callable[[sqlite3.Cursor], object]) -> Self:
        self.description, self.rowcount, self.lastrowid, self._rows = await self._connection.visit(do)
        return self

    async def fetchall(self) -> list[Any]:
        """The rows of the last statement."""
        return self._rows

    async def close(self) -> None:
        """Nothing: the cursor of each statement was closed with it."""
