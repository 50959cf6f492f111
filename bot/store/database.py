"""The database: opened once, brought up to date, closed in order; every question to it is a method here."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import URL, ColumnElement, Connection, Row, Select, delete, func, insert, inspect, select, text, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from bot.errors import UserError
from bot.store.battles import Battles
from bot.store.connections import Connections, FullError, prepare
from bot.store.tables import facts, settings, setups

MIGRATIONS = Path(__file__).parent / "migrations"
NEWER = "The database was made by another version of Sandtable (revision {}); update first."


class Setup(NamedTuple):
    """A saved set-up: its name, its line in canonical notation, who saved it and when, and a note of one line."""

    name: str
    line: str
    owner: str
    owner_name: str
    saved_at: datetime
    note: str = ""


class NotTheirsError(Exception):
    """The set-up belongs to somebody else."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup.name)
        self.setup = setup


class TakenError(Exception):
    """The name is that of another set-up."""

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
        async with self._connections.read() as connection:
            return [_setup(row) for row in await connection.execute(_all(place))]

    async def setup(self, place: str, name: str) -> Setup | None:
        """The set-up of that name."""
        async with self._connections.read() as connection:
            return await _found(connection, place, name)

    async def save(self, place: str, setup: Setup, most: int, manages: bool) -> Setup | None:
        """Keep a set-up, in place of the one of that name, which is returned; its note stays.

        Those who manage may change what is others', and it stays theirs. Raises NotTheirsError, or FullError where the
        place has `most` others already.
        """
        async with self._connections.write() as connection:
            before = await _to_change(connection, place, setup.name, setup.owner, manages)
            if before is None:
                count = select(func.count()).select_from(setups).where(setups.c.place == place)
                if (await connection.scalar(count) or 0) >= most:
                    raise FullError
            else:
                setup = setup._replace(owner=before.owner, owner_name=before.owner_name, note=before.note)
            await _put(connection, place, setup)
            return before

    async def change(self, place: str, name: str, user: str, manages: bool, /, **values: str) -> Setup | None:
        """Give a set-up another `name`, `line` or `note`, and return what it was; None where there is none so named.

        Raises NotTheirsError as `save` does, and TakenError where another has the new name.
        """
        async with self._connections.write() as connection:
            before = await _to_change(connection, place, name, user, manages)
            if before is None:
                return None
            new = values.get("name", name)
            if new != name and (taken := await _found(connection, place, new)):
                raise TakenError(taken)
            await connection.execute(update(setups).where(*_named(place, name)).values(values))
            return before

    async def delete(self, place: str, name: str, user: str, manages: bool) -> Setup | None:
        """Forget a set-up and return what it was; None where there is none so named. NotTheirsError as in `save`."""
        async with self._connections.write() as connection:
            before = await _to_change(connection, place, name, user, manages)
            await connection.execute(delete(setups).where(*_named(place, name)))
            return before

    async def put_all(self, place: str, before: Sequence[Setup], changed: Sequence[Setup]) -> bool:
        """Keep all of `changed`, in place of those of their names.

        False, and nothing is changed, where the set-ups of the place are not those of `before` any more.
        """
        async with self._connections.write() as connection:
            rows = await connection.execute(_all(place))
            if [_setup(row) for row in rows] != list(before):
                return False
            for setup in changed:
                await _put(connection, place, setup)
            return True

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

    async def settings(self, place: str) -> dict[str, str]:
        """All that was chosen for a place."""
        async with self._connections.read() as connection:
            rows = await connection.execute(select(settings.c.name, settings.c.value).where(settings.c.place == place))
            return {row.name: row.value for row in rows}

    async def set_settings(self, place: str, chosen: Mapping[str, str]) -> None:
        """Choose all of this for a place, in place of what was."""
        async with self._connections.write() as connection:
            for name, value in chosen.items():
                await connection.execute(delete(settings).where(settings.c.place == place, settings.c.name == name))
                await connection.execute(insert(settings).values(place=place, name=name, value=value))


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


def _all(place: str) -> Select[Any]:
    return select(setups).where(setups.c.place == place).order_by(setups.c.name)


def _named(place: str, name: str) -> tuple[ColumnElement[bool], ...]:
    return setups.c.place == place, setups.c.name == name


async def _found(connection: AsyncConnection, place: str, name: str) -> Setup | None:
    row = (await connection.execute(select(setups).where(*_named(place, name)))).first()
    return None if row is None else _setup(row)


async def _to_change(connection: AsyncConnection, place: str, name: str, user: str, manages: bool) -> Setup | None:
    """The set-up of that name; NotTheirsError where it is somebody else's."""
    found = await _found(connection, place, name)
    if found and found.owner != user and not manages:
        raise NotTheirsError(found)
    return found


async def _put(connection: AsyncConnection, place: str, setup: Setup) -> None:
    """Keep a set-up in place of the one of its name."""
    await connection.execute(delete(setups).where(*_named(place, setup.name)))
    await connection.execute(insert(setups).values(place=place, **setup._asdict()))


def _setup(row: Row[Any]) -> Setup:
    return Setup(row.name, row.line, row.owner, row.owner_name, row.saved_at, row.note)
