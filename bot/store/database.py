"""The database: opened once, brought up to date, closed in order; every question to it is a method here."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import (
    URL,
    ColumnElement,
    Connection,
    Row,
    bindparam,
    delete,
    func,
    insert,
    inspect,
    select,
    text,
    update,
)

# SQLite takes the same words as PostgreSQL, but not the other way round.
from sqlalchemy.dialects.postgresql import insert as insert_or
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.errors import UserError
from bot.store import cursors
from bot.store.batches import LONGEST_WAIT
from bot.store.battles import Battles
from bot.store.connections import Connections, FullError, prepare
from bot.store.tables import facts, settings, setups
from bot.store.troubles import cause, is_refusal

MIGRATIONS = Path(__file__).parent / "migrations"
NEWER = "The database was made by another version of Sandtable (revision {}); update first."

CHOSEN = select(settings.c.name, settings.c.value).where(settings.c.place == bindparam("where"))
"""What was chosen for a place; every press asks that, and to put the question together takes longer than to ask it."""


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
            return await _all(connection, place)

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
            if await _all(connection, place) != list(before):
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
        async with self._connections.write(guarded=True) as connection:
            new = insert_or(facts).values(name=name, value=value)
            await connection.execute(new.on_conflict_do_update(index_elements=["name"], set_={"value": value}))

    async def settings(self, place: str) -> dict[str, str]:
        """All that was chosen for a place."""
        async with self._connections.read() as connection:
            rows = await connection.execute(CHOSEN, {"where": place})
            return {row.name: row.value for row in rows}

    async def set_settings(self, place: str, chosen: Mapping[str, str]) -> None:
        """Choose all of this for a place, in place of what was."""
        rows = [{"place": place, "name": name, "value": value} for name, value in sorted(chosen.items())]
        if not rows:
            return
        new = insert_or(settings).values(rows)
        new = new.on_conflict_do_update(index_elements=["place", "name"], set_={"value": new.excluded.value})
        async with self._connections.write(guarded=True) as connection:
            await connection.execute(new)


@asynccontextmanager
async def open_store(where: Path | str) -> AsyncIterator[Store]:
    """The store in this SQLite file, or at this address of PostgreSQL, migrated where needed; closed at the end.

    Several programs may open it at once; one of them migrates.
    """
    engine, name = _in_file(where) if isinstance(where, Path) else _at(where)
    connections = Connections(engine, _engine(where) if isinstance(where, Path) else None)
    try:
        try:
            async with _to_migrate(where, engine) as connection:
                await connection.run_sync(_migrate)
        except Exception as error:
            if not is_refusal(error):
                raise
            raise UserError(f"The database {name} cannot be used: {cause(error)}.") from None
        yield Store(connections)
    finally:
        # Shielded: a cancelled program must still close the file, or its thread would keep the process alive.
        await asyncio.shield(connections.close())


@asynccontextmanager
async def _to_migrate(where: Path | str, engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A transaction in which nobody else writes; with PostgreSQL one that may take as long as it wants."""
    own = engine if isinstance(where, Path) else _at(where, longest=None)[0]
    try:
        async with own.execution_options(immediate=True, alone=True, migrating=True).begin() as connection:
            yield connection
    finally:
        if own is not engine:
            await own.dispose()


def _in_file(file: Path) -> tuple[AsyncEngine, str]:
    """SQLite, and what it is called."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"The data folder {file.parent} cannot be made: {error.strerror}.") from None
    # Seeds of battles that go on are in it, and SQLite gives its other files the same rights.
    if not file.exists():
        with suppress(OSError):
            file.touch(mode=0o600)
    return _engine(file), str(file)


def _engine(file: Path) -> AsyncEngine:
    """One connection to a file."""
    url = URL.create("sqlite+aiosqlite", database=str(file))
    connect = {"async_creator_fn": cursors.connect}
    options: dict[str, Any] = {"pool_size": 1, "max_overflow": 0, "pool_timeout": LONGEST_WAIT, "hide_parameters": True}
    engine = create_async_engine(url, connect_args=connect, **options)
    prepare(engine)
    return engine


def _at(address: str, **more: Any) -> tuple[AsyncEngine, str]:
    """PostgreSQL, and what it is called."""
    # Who has a database in a file need not load this.
    from bot.store import postgres

    engine = postgres.engine_at(address, pool_size=5, max_overflow=5, pool_timeout=LONGEST_WAIT, **more)
    postgres.take_turns(engine)
    return engine, postgres.name_of(address)


async def revision_at(address: str) -> str | None:
    """The revision of the tables at this address of PostgreSQL, None where there are none; it is left as it is.

    UserError where it cannot be reached.
    """
    engine, name = _at(address)
    try:
        async with engine.connect() as connection:
            return await connection.run_sync(_revision)
    except Exception as error:
        if not is_refusal(error):
            raise
        raise UserError(f"The database {name} cannot be used: {cause(error)}.") from None
    finally:
        await engine.dispose()


def revisions() -> list[str]:
    """The revisions of the database that are known here, the newest last."""
    return sorted(script.name[:4] for script in (MIGRATIONS / "versions").glob("[0-9]*.py"))


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


def _migrate(connection: Connection) -> None:
    """Bring the database to the newest revision; alembic is only loaded where there is something to do."""
    known = revisions()
    current = _revision(connection)
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


async def _all(connection: AsyncConnection, place: str) -> list[Setup]:
    """All set-ups of a place, by name: in an order of our own, as each database has another one for letters."""
    rows = await connection.execute(select(setups).where(setups.c.place == place))
    return sorted(map(_setup, rows), key=lambda setup: setup.name)


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
