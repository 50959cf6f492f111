"""The database: opened once, brought up to date, closed in order; every question to it is a method here."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import URL, Connection, Row, Select, delete, func, insert, inspect, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine

from bot.errors import UserError
from bot.store.battles import Battles
from bot.store.connections import Connections, FullError, prepare
from bot.store.tables import facts, settings, setups

MIGRATIONS = Path(__file__).parent / "migrations"
NEWER = "The database was made by another version of Sandtable (revision {}); update first."


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


class Store:
    """Everything the bot asks of its database, of battles through `battles`. `place` is whose: "guild:1", "user:2"."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self.battles = Battles(connections)

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
        async with self._connections.write() as connection:
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
        async with self._connections.write() as connection:
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
        async with self._connections.read() as connection:
            value: str | None = await connection.scalar(select(facts.c.value).where(facts.c.name == name))
            return value

    async def remember(self, name: str, value: str) -> None:
        """Remember a fact in place of the one of that name."""
        async with self._connections.write() as connection:
            await connection.execute(delete(facts).where(facts.c.name == name))
            await connection.execute(insert(facts).values(name=name, value=value))

    async def setting(self, place: str, name: str) -> str | None:
        """What was chosen for a place; None where nothing was."""
        async with self._connections.read() as connection:
            where = settings.c.place == place, settings.c.name == name
            value: str | None = await connection.scalar(select(settings.c.value).where(*where))
            return value

    async def set_setting(self, place: str, name: str, value: str) -> None:
        """Choose something for a place, in place of what was."""
        async with self._connections.write() as connection:
            await connection.execute(delete(settings).where(settings.c.place == place, settings.c.name == name))
            await connection.execute(insert(settings).values(place=place, name=name, value=value))

    async def _setups(self, query: Select[Any]) -> list[Setup]:
        async with self._connections.read() as connection:
            return [_setup(row) for row in await connection.execute(query)]


@asynccontextmanager
async def open_store(file: Path) -> AsyncIterator[Store]:
    """The store in this SQLite file, made or migrated where needed; closed at the end."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"The data folder {file.parent} cannot be made: {error.strerror}.") from None
    url = URL.create("sqlite+aiosqlite", database=str(file))
    engine = create_async_engine(url, pool_size=1, max_overflow=0, hide_parameters=True)
    prepare(engine)
    connections = Connections(engine)
    try:
        try:
            async with engine.execution_options(immediate=True).begin() as connection:
                await connection.run_sync(_migrate)
        except DBAPIError as error:
            raise UserError(f"The database {file} cannot be used: {error.orig}.") from None
        yield Store(connections)
    finally:
        # Shielded: a cancelled program must still close the file, or its thread would keep the process alive.
        await asyncio.shield(connections.close())


def revisions() -> list[str]:
    """The revisions of the database that are known here, the newest last."""
    return sorted(script.name[:4] for script in (MIGRATIONS / "versions").glob("[0-9]*.py"))


def _migrate(connection: Connection) -> None:
    """Bring the database to the newest revision; alembic is only loaded where there is something to do."""
    known = revisions()
    current = None
    if inspect(connection).has_table("alembic_version"):
        current = connection.scalar(text("SELECT version_num FROM alembic_version"))
    if current == known[-1]:
        return
    if current is not None and current not in known:
        raise UserError(NEWER.format(current))
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _setup(row: Row[Any]) -> Setup:
    return Setup(row.name, row.line, row.owner, row.owner_name, row.saved_at)
