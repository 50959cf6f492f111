"""The database: opened once, brought up to date, closed in order; every question to it is a method here."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import URL, Connection, Row, Select, delete, event, func, insert, inspect, select, text
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.errors import UserError
from bot.store.tables import facts, setups

PATIENCE = 2
"""Seconds for which somebody who writes waits for another program that does, and others for their turn."""

MIGRATIONS = Path(__file__).parent / "migrations"


class Setup(NamedTuple):
    """A saved set-up: its name, its line in canonical notation, who saved it and when."""

    name: str
    line: str
    owner: str
    owner_name: str
    saved_at: datetime


class NotTheirsError(Exception):
    """The set-up belongs to somebody else."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup.name)
        self.setup = setup


class FullError(Exception):
    """The place holds as many set-ups as it may."""


class Store:
    """Everything the bot asks of its database. `place` is whose set-ups are meant: "guild:1", "user:2"."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._writing = engine.execution_options(immediate=True)
        self._turn = asyncio.Lock()

    async def setups(self, place: str) -> list[Setup]:
        """All set-ups of a place, by name."""
        return await self._setups(select(setups).where(setups.c.place == place).order_by(setups.c.name))

    async def setup(self, place: str, name: str) -> Setup | None:
        """The set-up of that name."""
        found = await self._setups(select(setups).where(setups.c.place == place, setups.c.name == name))
        return found[0] if found else None

    async def save(self, place: str, setup: Setup, most: int, manages: bool) -> Setup | None:
        """Keep a set-up, in place of the one of that name, which is returned.

        Those who manage may change what is others', and it stays theirs. Raises NotTheirsError, or FullError where the
        place has `most` others already.
        """
        async with self._write() as connection:
            where = setups.c.place == place, setups.c.name == setup.name
            before = (await connection.execute(select(setups).where(*where))).first()
            if before is None:
                count = select(func.count()).select_from(setups).where(setups.c.place == place)
                if (await connection.scalar(count) or 0) >= most:
                    raise FullError
            elif before.owner != setup.owner and not manages:
                raise NotTheirsError(_setup(before))
            else:
                setup = setup._replace(owner=before.owner, owner_name=before.owner_name)
            await connection.execute(delete(setups).where(*where))
            await connection.execute(insert(setups).values(place=place, **setup._asdict()))
            return None if before is None else _setup(before)

    async def delete(self, place: str, name: str, user: str, manages: bool) -> Setup | None:
        """Forget a set-up and return what it was; None where there is none so named. NotTheirsError as in `save`."""
        async with self._write() as connection:
            where = setups.c.place == place, setups.c.name == name
            before = (await connection.execute(select(setups).where(*where))).first()
            if before is None:
                return None
            if before.owner != user and not manages:
                raise NotTheirsError(_setup(before))
            await connection.execute(delete(setups).where(*where))
            return _setup(before)

    async def fact(self, name: str) -> str | None:
        """What was last remembered under this name."""
        async with self._engine.connect() as connection:
            value: str | None = await connection.scalar(select(facts.c.value).where(facts.c.name == name))
            return value

    async def remember(self, name: str, value: str) -> None:
        """Remember a fact in place of the one of that name."""
        async with self._write() as connection:
            await connection.execute(delete(facts).where(facts.c.name == name))
            await connection.execute(insert(facts).values(name=name, value=value))

    @asynccontextmanager
    async def _write(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that may change something; UserError where another program does not let it.

        Who waits for a turn to write does so without the connection, so that readers come in between.
        """
        try:
            await asyncio.wait_for(self._turn.acquire(), PATIENCE)
            try:
                async with self._writing.begin() as connection:
                    yield connection
            finally:
                self._turn.release()
        except (OperationalError, TimeoutError) as error:
            if isinstance(error, OperationalError) and "locked" not in str(error.orig):
                raise
            raise UserError("The database is busy just now. Try again in a moment.") from None

    async def _setups(self, query: Select[Any]) -> list[Setup]:
        async with self._engine.connect() as connection:
            return [_setup(row) for row in await connection.execute(query)]


@asynccontextmanager
async def open_store(file: Path) -> AsyncIterator[Store]:
    """The store in this SQLite file, made or migrated where needed; closed at the end."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"The data folder {file.parent} cannot be made: {error.strerror}.") from None
    url = URL.create("sqlite+aiosqlite", database=str(file))
    engine = create_async_engine(url, pool_size=1, max_overflow=0)
    _prepare_connections(engine)
    try:
        try:
            async with engine.execution_options(immediate=True).begin() as connection:
                await connection.run_sync(_migrate)
        except DBAPIError as error:
            raise UserError(f"The database {file} cannot be used: {error.orig}.") from None
        yield Store(engine)
    finally:
        # Shielded: a cancelled program must still close the file, or its thread would keep the process alive.
        await asyncio.shield(engine.dispose())


def _prepare_connections(engine: AsyncEngine) -> None:
    """SQLite as a server's database: write-ahead log, foreign keys, patience, and transactions that really begin.

    One connection for the process: tasks take turns. Who means to write says BEGIN IMMEDIATE, so that none can meet
    "database is locked" half way because another process wrote since it began to read; who reads waits for no other
    process.
    """

    @event.listens_for(engine.sync_engine, "connect")
    def connect(connection: Any, _record: object) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in (f"busy_timeout={PATIENCE * 1000}", "journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Connection) -> None:
        immediate = connection.get_execution_options().get("immediate")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


def _migrate(connection: Connection) -> None:
    """Bring the database to the newest revision; alembic is only loaded where there is something to do."""
    known = sorted(script.name[:4] for script in (MIGRATIONS / "versions").glob("[0-9]*.py"))
    current = None
    if inspect(connection).has_table("alembic_version"):
        current = connection.scalar(text("SELECT version_num FROM alembic_version"))
    if current == known[-1]:
        return
    if current is not None and current not in known:
        raise UserError(f"The database was made by another version of Sandtable (revision {current}); update first.")
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _setup(row: Row[Any]) -> Setup:
    # SQLite keeps no time zone; what went in was UTC.
    return Setup(row.name, row.line, row.owner, row.owner_name, row.saved_at.replace(tzinfo=UTC))
