"""Moves everything from the SQLite file to an empty PostgreSQL database: `sandtable move-to`.

Rows are copied a thousand at a time, and those that are there already are left out: a move that was interrupted goes on
where it stopped. The file is only read.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from sqlalchemy import Row, Table, insert, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.errors import UserError
from bot.settings import Settings
from bot.store.database import engine_of, open_store
from bot.store.lock import hold_lock
from bot.store.owners import hold_shards
from bot.store.postgres import public_name
from bot.store.tables import facts, metadata
from bot.store.troubles import cause, is_refusal

AT_ONCE = 1_000
"""The rows that are copied in one transaction."""


class Compared(NamedTuple):
    """Some rows of the file, and what PostgreSQL has of them: those that it lacks, and those that differ there."""

    count: int
    missing: list[Row[Any]]
    different: list[Row[Any]]


def move(settings: Settings, address: str) -> int:
    """Move the database in the data folder to an address of PostgreSQL, and print what was done; return 0.

    Raises:
        UserError: If a bot uses one of them, other data is there already, or a database cannot be used.
    """
    if not address:
        raise UserError("Where is the database to go? sandtable move-to postgresql://user:password@host/database")
    name = public_name(address)
    if not settings.file.exists():
        raise UserError(f"There is no database {settings.file} to move.")
    with hold_lock(settings.file):
        counts = asyncio.run(_move(settings, address))
    moved = ", ".join(f"{count} {table}" for table, count in counts.items() if count) or "nothing, as it was empty"
    print(f"Everything is in {name} now, and was compared: {moved}.")
    print(f"Set `database` to that address. {settings.file} is as it was; delete it when you no longer need it.")
    return 0


async def _move(settings: Settings, address: str) -> dict[str, int]:
    """Copy all tables and compare them; return the number of rows of each."""
    async with hold_shards(address, settings.bare_token, None, lambda: None):
        # Opening them brings both to the same revision.
        async with open_store(settings.file), open_store(address):
            pass
        async with _engine(settings.file) as source, _engine(address) as target:
            try:
                await _refuse_other_data(source, target)
                for table in metadata.sorted_tables:
                    async for rows in _walk(table, source, target):
                        if rows.missing:
                            async with target.begin() as connection:
                                await connection.execute(insert(table), [row._asdict() for row in rows.missing])
                return await _check_all(source, target)
            except Exception as error:
                if not is_refusal(error):
                    raise
                raise UserError(
                    f"Not everything could be moved: {cause(error)}. The same command goes on from here."
                ) from None


@asynccontextmanager
async def _engine(where: Any) -> AsyncIterator[AsyncEngine]:
    """Open one of the databases."""
    engine = engine_of(where)
    try:
        yield engine
    finally:
        await engine.dispose()


async def _refuse_other_data(source: AsyncEngine, target: AsyncEngine) -> None:
    """Raise UserError if PostgreSQL holds anything that is not in the file, before anything is written there."""
    for table in metadata.sorted_tables:
        async for rows in _walk(table, source, target):
            if rows.different and table is not facts:
                raise UserError(f"There is other data in the table {table.name} already, so nothing was moved.")
        async for rows in _walk(table, target, source):
            if rows.missing and table is not facts:
                raise UserError(f"There is more data in the table {table.name} already, so nothing was moved.")


async def _check_all(source: AsyncEngine, target: AsyncEngine) -> dict[str, int]:
    """Compare every row; return the number of rows of each table."""
    counts = {}
    for table in metadata.sorted_tables:
        counts[table.name] = 0
        async for rows in _walk(table, source, target):
            if rows.missing or (rows.different and table is not facts):
                raise UserError(f"The table {table.name} has changed meanwhile. Run the same command again.")
            counts[table.name] += rows.count
    return counts


async def _walk(table: Table, source: AsyncEngine, target: AsyncEngine) -> AsyncIterator[Compared]:
    """Compare the rows of a table with those of the other database, some at a time, in the order of their keys."""
    key = list(table.primary_key)
    places = [list(table.c).index(column) for column in key]
    query = select(table).order_by(*key).limit(AT_ONCE)
    after: tuple[Any, ...] = ()
    while True:
        async with source.connect() as connection:
            rows = await _rows(connection, query.where(tuple_(*key) > after) if after else query)
        if not rows:
            return
        keys = [tuple(row[place] for place in places) for row in rows]
        async with target.connect() as connection:
            found = await _rows(connection, select(table).where(tuple_(*key).in_(keys)))
        known = {tuple(row[place] for place in places): tuple(row) for row in found}
        pairs = [(row, known.get(one)) for row, one in zip(rows, keys, strict=True)]
        yield Compared(
            len(rows),
            [row for row, there in pairs if there is None],
            [row for row, there in pairs if there is not None and there != tuple(row)],
        )
        after = keys[-1]


async def _rows(connection: AsyncConnection, query: Any) -> list[Row[Any]]:
    rows: Iterable[Row[Any]] = await connection.execute(query)
    return list(rows)
