"""Copies everything from an SQLite file to a PostgreSQL database, and compares all rows before and after."""

import sqlite3
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, contextmanager
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import (
    URL,
    BigInteger,
    Boolean,
    Column,
    Connection,
    Float,
    Integer,
    NullPool,
    Result,
    Row,
    Select,
    String,
    Table,
    create_engine,
    false,
    func,
    or_,
    select,
    text,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.errors import UserError
from bot.store.connections import PATIENCE
from bot.store.database import open_store
from bot.store.owners import hold_shards
from bot.store.postgres import ADVISORY_LOCKS, HTTP_BOTS, engine_at, public_name, serialize_writers
from bot.store.tables import Moment, facts, metadata, open_answers
from bot.store.troubles import cause, is_refusal
from bot.store.unopened import NEWER, USABLE_SINCE, revisions
from bot.store.upgrade import revision_at

BATCH = 1_000
"""The rows that are copied in one transaction, and the most of a table that are in memory at once."""
LONGEST_SHOWN = 60
"""The letters of a value that an error shows."""
_PRESENT = f"SELECT count(*) FROM {ADVISORY_LOCKS} AND classid = {HTTP_BOTS}"
"""Counts the processes `sandtable http` in the database."""
_WHOLE = "typeof({name}) = 'integer' AND {name} BETWEEN"
# As SQLAlchemy writes them; `datetime` knows the calendar, and takes much else.
_TIME = "{name} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9]*'"
KINDS = (
    (Moment, "a time", f"typeof({{name}}) = 'text' AND {_TIME} AND datetime({{name}}) IS NOT NULL"),
    (Boolean, "0 or 1", f"{_WHOLE} 0 AND 1"),
    (BigInteger, "a whole number", f"{_WHOLE} {-(2**63)} AND {2**63 - 1}"),
    (Integer, "a whole number", f"{_WHOLE} {-(2**31)} AND {2**31 - 1}"),
    (Float, "a number", "typeof({name}) IN ('real', 'integer')"),
    (String, "a text", "typeof({name}) = 'text'"),
)
"""The values of columns of each type, in words and as a condition of SQLite; the first that fits."""


class Count(NamedTuple):
    """The number of rows of a table in the file, and how many of them were not in the target yet."""

    table: str
    rows: int
    copied: int


async def move(file: Path, address: str, tell: Callable[[str], object]) -> list[Count]:
    """Copy every row of an SQLite file to a database of PostgreSQL, and return what was copied.

    Both are brought to the newest revision before; else the file stays as it is, and nobody writes to it meanwhile. The
    caller holds its lock, and hears from `tell` which table is copied. If the copying is interrupted, the next call
    copies the rest. UserError if the database cannot be used, a bot uses it, or it has a row that is not in the file.
    """
    name, revision = public_name(address), await revision_at(address)
    if revision.is_newer():
        raise UserError(NEWER.format(revision.number))
    if revision.number not in (None, revisions()[-1]):
        raise UserError(f"The tables in {name} are from an older version of Sandtable. Give an empty database.")
    # With a token of its own it is another bot, so that none starts there meanwhile.
    async with hold_shards(address, "move-to", None, lambda: None):
        for where in (file, address):
            async with open_store(where):
                pass
        engine = engine_at(address, patient=True, poolclass=NullPool)
        serialize_writers(engine)
        with _explain_troubles(file, name), _reading(file) as source:
            return await _Move(source, engine, file, name).run(tell)


class _Move:
    """The file, open for reading, and the database that gets its rows."""

    def __init__(self, source: Connection, target: AsyncEngine, file: Path, name: str) -> None:
        self._source = source
        self._writing = target.execution_options(alone=True)
        self._reading = target.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self._file, self._name = file, name

    async def run(self, tell: Callable[[str], object]) -> list[Count]:
        """Compare all tables, copy what is missing, and compare them again."""
        # A battle comes before its rolls and players. Nobody waits for the answers of a bot that has ended.
        tables = [table for table in metadata.sorted_tables if table is not open_answers]
        await self._refuse_company()
        for table in tables:
            self._refuse_strange_values(table)
            self._refuse_nul(table)
        counts = [await self._compare(table) for table in tables]
        for table, count in zip(tables, counts, strict=True):
            if count.copied:
                tell(f"Copying {count.copied} rows of {table}.")
                await self._copy(table)
        for table in tables:
            if missing := (await self._compare(table)).copied:
                raise UserError(f"{missing} rows of {table} were deleted from {self._name} meanwhile. Run this again.")
        return counts

    async def _refuse_company(self) -> None:
        async with self._reading.connect() as connection:
            if await connection.scalar(text(_PRESENT)):
                raise UserError(f"A process `sandtable http` is at work with the database {self._name}. End it first.")

    def _refuse_nul(self, table: Table) -> None:
        """Refuse a row with the character NUL, which PostgreSQL cannot store; the bot has never written one."""
        texts = [column for column in table.c if isinstance(column.type, String)]
        has_nul = or_(false(), *(func.instr(column, func.char(0)) > 0 for column in texts))
        if row := self._source.execute(select(table).where(has_nul).limit(1)).first():
            raise UserError(
                f"In {self._file}, {_name_of(table, row)} has the character NUL, which PostgreSQL cannot store. "
                "Change or delete this row, and run this again."
            )

    def _refuse_strange_values(self, table: Table) -> None:
        """Refuse a row with a value of another type than its column; SQLite stores any, and the bot writes none."""
        keys = [column.name for column in table.primary_key.columns]
        for column in table.c:
            kind, condition = _kind_of(column)
            names = ", ".join(f'"{name}"' for name in (*keys, column.name))
            empty = f'"{column.name}" IS NULL OR ' if column.nullable else ""
            query = f'SELECT {names} FROM "{table.name}" WHERE NOT ({empty}{condition}) LIMIT 1'
            if row := self._source.exec_driver_sql(query).first():
                key = ", ".join(f"{name} {value!r}" for name, value in zip(keys, row, strict=False))
                raise UserError(
                    f"In {self._file}, the row of `{table.name}` with {key} has {_shorten(row[-1])} as "
                    f"`{column.name}`, which must be {kind}. Change or delete this row, and run this again."
                )

    async def _compare(self, table: Table) -> Count:
        """Return how many rows of a table the target lacks; UserError if it has one that is not exactly in the file."""
        rows = missing = 0
        key = itemgetter(*(place for place, column in enumerate(table.c) if column.primary_key))
        async with aclosing(self._rows_there(table)) as theirs:
            there = await anext(theirs, None)
            for ours in self._rows(table):
                if there == ours:
                    there = await anext(theirs, None)
                elif there is None or key(there) > key(ours):
                    missing += 1
                else:
                    break
                rows += 1
        # What is left comes before a row of the file, or after all of them, or has the key of one and differs from it.
        if there is not None:
            raise UserError(
                f"The database {self._name} has other data: {_name_of(table, there)} is not the same in {self._file}. "
                "Give an empty database."
            )
        return Count(table.name, rows, missing)

    async def _copy(self, table: Table) -> None:
        """Copy all rows of a table; those that are there stay."""
        new = insert(table).on_conflict_do_nothing()
        for rows in self._rows(table).partitions():
            async with self._writing.begin() as connection:
                await connection.execute(new, [row._asdict() for row in rows])

    def _rows(self, table: Table) -> Result[Any]:
        return self._source.execute(_in_order(table), execution_options={"yield_per": BATCH})

    async def _rows_there(self, table: Table) -> AsyncGenerator[Row[Any]]:
        async with self._reading.connect() as connection:
            async for row in await connection.stream(_in_order(table, "C"), execution_options={"yield_per": BATCH}):
                yield row


@contextmanager
def _reading(file: Path) -> Iterator[Connection]:
    """Open a file and keep others from writing to it during the block."""
    url, connect = URL.create("sqlite", database=str(file)), {"timeout": PATIENCE}
    with create_engine(url, poolclass=NullPool, connect_args=connect).connect() as connection:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield connection


@contextmanager
def _explain_troubles(file: Path, name: str) -> Iterator[None]:
    """Turn errors of either database in the block into UserErrors."""
    try:
        yield
    except Exception as error:
        if not is_refusal(error):
            raise
        if isinstance(getattr(error, "orig", None), sqlite3.Error):
            raise UserError(f"The database {file} cannot be used: {cause(error)}.") from None
        raise UserError(
            f"The database {name} cannot be used: {cause(error)}. Run this again to copy the rest."
        ) from None


def _in_order(table: Table, collation: str = "") -> Select[Any]:
    """Return the query for all rows of a table by their keys, with texts in the order of their bytes, as Python has.

    It leaves out the fact that each database has of its own.
    """
    keys = table.primary_key.columns
    ordered = (key.collate(collation) if collation and isinstance(key.type, String) else key for key in keys)
    query = select(table).order_by(*ordered)
    return query.where(facts.c.name != USABLE_SINCE) if table is facts else query


def _kind_of(column: Column[Any]) -> tuple[str, str]:
    """Return what the values of a column are, in words and as a condition of SQLite."""
    words, condition = next(row for kind, *row in KINDS if isinstance(column.type, kind))
    return words, condition.format(name=f'"{column.name}"')


def _shorten(value: object) -> str:
    """Return a value for a message, without most of a long one."""
    shown = repr(value)
    return shown if len(shown) <= LONGEST_SHOWN else f"{shown[:LONGEST_SHOWN]}…"


def _name_of(table: Table, row: Row[Any]) -> str:
    """Return words for a row: its table and its key."""
    keys = ", ".join(f"{column.name} {row._mapping[column]!r}" for column in table.primary_key.columns)
    return f"the row of `{table}` with {keys}"
