"""The store: opens and migrates the database, and reads and writes set-ups, facts and settings."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import URL, ColumnElement, Row, bindparam, delete, func, insert, or_, select, update
from sqlalchemy.dialects.postgresql import insert as insert_or
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.background import run_to_end
from bot.store import cursors
from bot.store.batches import LONGEST_WAIT
from bot.store.battles import Battles
from bot.store.cleaning import Cleaning
from bot.store.connections import Connections, configure_sqlite
from bot.store.open_answers import OpenAnswers
from bot.store.postgres import CLAIM, engine_at, public_name, serialize_writers
from bot.store.records import FullError, NotOwnerError, Setup, TakenError, personal_place
from bot.store.tables import facts, interactions, put, settings, setups
from bot.store.unopened import make_folder
from bot.store.upgrade import bring_up_to_date

MOST_CONNECTIONS = 10
"""The connections to PostgreSQL of a program that has no setting for them."""
_KEYS = "place", "inner", "mine"
_SETTINGS = select(settings).where(settings.c.place.in_([bindparam(key) for key in _KEYS]))
"""Every command runs this query, so it is built once."""


class Store:
    """The database; `battles` holds the live battles, `cleaning` deletes. A `place` is "guild:1" or "user:2".

    `settings_changes` counts how often this process has changed settings; a database that `is_file` has no other one.
    """

    def __init__(self, where: Path | str, most_connections: int = MOST_CONNECTIONS) -> None:
        """Make the store in an SQLite file or at an address of PostgreSQL; its first transaction opens it.

        It has `most_connections` to PostgreSQL, 3 or more; a third of them is for readers alone.
        """
        readers: AsyncEngine | None = None
        if isinstance(where, Path):
            _make_file(where)
            engine, readers, name = _sqlite_engine(where), _sqlite_engine(where), str(where)
        else:
            engine = engine_at(where, pool_size=most_connections, max_overflow=0, pool_timeout=LONGEST_WAIT)
            serialize_writers(engine)
            name = public_name(where)
        prepare = partial(bring_up_to_date, where, engine, name)
        self._connections = Connections(engine, readers, prepare, writers=most_connections * 2 // 3)
        self.battles = Battles(self._connections)
        self.cleaning = Cleaning(self._connections)
        self.open_answers = OpenAnswers(self._connections)
        self.is_file = isinstance(where, Path)
        self.settings_changes = 0

    async def open(self) -> None:
        """Connect, and migrate the database if needed; UserError if it cannot be used."""
        await self._connections.open()

    async def close(self) -> None:
        """Close the database."""
        # Shielded: a cancelled program must still close the file, or its thread would keep the process alive.
        await run_to_end(self._connections.close())

    async def setups(self, place: str) -> list[Setup]:
        """Return all set-ups of a place, sorted by name."""
        async with self._connections.read() as connection:
            return await _all_setups(connection, place)

    async def lines(self, place: str) -> dict[str, str]:
        """Return the lines of all set-ups of a place by their names."""
        return {setup.name: setup.line for setup in await self.setups(place)}

    async def setup(self, place: str, name: str) -> Setup | None:
        """Return the set-up of that name; None if there is none."""
        async with self._connections.read() as connection:
            return await _find_setup(connection, place, name)

    async def save(self, place: str, setup: Setup, limit: int, manages: bool) -> Setup | None:
        """Save a set-up of its owner; one of that name is replaced and returned, and its note and owner stay.

        Raises:
            NotOwnerError: If the set-up is somebody else's, and its new owner does not manage the place.
            FullError: If the place has as many others as it may have.
        """
        async with self._connections.write(place) as connection:
            before = await _find_to_change(connection, place, setup.name, setup.owner, manages)
            if before is None:
                count = select(func.count()).select_from(setups).where(setups.c.place == place)
                if (await connection.scalar(count) or 0) >= limit:
                    raise FullError
            else:
                setup = setup._replace(owner=before.owner, owner_name=before.owner_name, note=before.note)
            await _replace_setup(connection, place, setup)
            return before

    async def change(self, place: str, name: str, user: str, manages: bool, /, **values: str) -> Setup | None:
        """Give a set-up another `name`, `line` or `note`; return the old one, or None if there is none of this name.

        Raises:
            NotOwnerError: As `save` does.
            TakenError: If another set-up has the new name.
        """
        async with self._connections.write(place) as connection:
            before = await _find_to_change(connection, place, name, user, manages)
            if before is None:
                return None
            new = values.get("name", name)
            if new != name and (taken := await _find_setup(connection, place, new)):
                raise TakenError(taken)
            await connection.execute(update(setups).where(*_name_conditions(place, name)).values(values))
            return before

    async def revise(self, place: str, revise: Callable[[list[Setup]], Setup]) -> tuple[Setup | None, Setup]:
        """Save the set-up that `revise` makes of all set-ups of a place; nobody else changes one meanwhile.

        Return the set-up of that name before, or None if there was none, and the saved one.
        """
        async with self._connections.write(place) as connection:
            all_before = await _all_setups(connection, place)
            setup = revise(all_before)
            await _replace_setup(connection, place, setup)
        return next((before for before in all_before if before.name == setup.name), None), setup

    async def delete(self, place: str, name: str, user: str, manages: bool) -> Setup | None:
        """Delete a set-up and return it; None if there is none of this name. Raises NotOwnerError as `save` does."""
        async with self._connections.write(place) as connection:
            before = await _find_to_change(connection, place, name, user, manages)
            await connection.execute(delete(setups).where(*_name_conditions(place, name)))
            return before

    async def put_all(self, place: str, before: Sequence[Setup], changed: Sequence[Setup]) -> bool:
        """Save all of `changed` in place of the set-ups of these names, if the place still has exactly `before`.

        Return whether they were saved.
        """
        async with self._connections.write(place) as connection:
            if await _all_setups(connection, place) != list(before):
                return False
            for setup in changed:
                await _replace_setup(connection, place, setup)
            return True

    async def fact(self, name: str) -> str | None:
        """Return the value of a fact; None if it was never remembered."""
        value: str | None = await self._connections.scalar(select(facts.c.value).where(facts.c.name == name))
        return value

    async def set_fact(self, name: str, value: str) -> None:
        """Store a fact in place of the one of that name."""
        await self._connections.execute(put(facts, {"name": name, "value": value}, "value"))

    async def claim(self, interaction: int, owner: int) -> bool:
        """Return whether the process `owner` is to answer an interaction: nobody else does who is still alive.

        Only processes over PostgreSQL ask; an SQLite file has one process.
        """
        async with self._connections.write(single=True) as connection:
            return (await connection.execute(CLAIM, {"id": interaction, "owner": owner})).first() is not None

    async def claim_once(self, event: int) -> bool:
        """Return whether an event of the gateway is to be answered here: no other process has claimed it.

        A process that has claimed it and ended has answered it, as it hands over its shards in order.
        """
        new = insert_or(interactions).values(id=event, owner=0).on_conflict_do_nothing()
        return await self._connections.execute(new) > 0

    async def forget_claims(self, before: int) -> None:
        """Delete the claims on interactions with smaller ids, which are older."""
        await self._connections.execute(delete(interactions).where(interactions.c.id < before))

    async def settings(self, place: str) -> dict[str, str]:
        """Return all settings of a place."""
        return (await self.settings_with_own(place, ""))[0]

    async def settings_with_own(
        self, place: str, channel: str, user: str = ""
    ) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
        """Return all settings of a server, those of a channel there, and those that a person has of their own."""
        keys = place, _settings_key(place, channel), personal_place(user)
        chosen: dict[str, dict[str, str]] = {key: {} for key in keys}
        for key, name, value in await self._connections.rows(_SETTINGS, dict(zip(_KEYS, keys, strict=True))):
            chosen[key][name] = value
        return chosen[keys[0]], chosen[keys[1]] if channel else {}, chosen[keys[2]]

    async def set_settings(self, place: str, chosen: Mapping[str, str | None], channel: str = "") -> None:
        """Store settings of a place, or of a channel there; None forgets one, and all others stay."""
        key, gone = _settings_key(place, channel), [name for name, value in chosen.items() if value is None]
        rows = [{"place": key, "name": name, "value": chosen[name]} for name in sorted(chosen.keys() - gone)]
        if not chosen:
            return
        async with self._changing_settings(place, guarded=not gone) as connection:
            if gone:
                await connection.execute(delete(settings).where(settings.c.place == key, settings.c.name.in_(gone)))
            if rows:
                await connection.execute(put(settings, rows, "value"))

    async def forget_settings(self, place: str, channel: str = "") -> None:
        """Delete the settings of a channel; without one, all of a place and its channels."""
        key = _settings_key(place, channel)
        mine = settings.c.place == key, settings.c.place.startswith(f"{key}/", autoescape=True)
        async with self._changing_settings(place) as connection:
            await connection.execute(delete(settings).where(or_(*mine)))

    @asynccontextmanager
    async def _changing_settings(self, place: str, guarded: bool = False) -> AsyncIterator[AsyncConnection]:
        """Open a transaction that changes settings, and count it when it has ended, whatever became of it."""
        try:
            async with self._connections.write(place, guarded) as connection:
                yield connection
        finally:
            self.settings_changes += 1


@asynccontextmanager
async def open_store(where: Path | str, most_connections: int = MOST_CONNECTIONS) -> AsyncIterator[Store]:
    """Open a store, migrate its database if needed, and close it at the end; the arguments are those of `Store`.

    Several programs may open it at once; one of them migrates.
    """
    store = Store(where, most_connections)
    try:
        await store.open()
        yield store
    finally:
        await store.close()


def _make_file(file: Path) -> None:
    """Make a file of SQLite for nobody else to read, unless it is there."""
    make_folder(file)
    # It holds the seeds of unfinished battles, and SQLite gives its other files the same rights.
    if not file.exists():
        with suppress(OSError):
            file.touch(mode=0o600)


def _sqlite_engine(file: Path) -> AsyncEngine:
    """Return an engine with a single connection to a file."""
    url = URL.create("sqlite+aiosqlite", database=str(file))
    connect = {"async_creator_fn": cursors.connect}
    options: dict[str, Any] = {"pool_size": 1, "max_overflow": 0, "pool_timeout": LONGEST_WAIT, "hide_parameters": True}
    engine = create_async_engine(url, connect_args=connect, **options)
    configure_sqlite(engine)
    return engine


def _settings_key(place: str, channel: str) -> str:
    """Return the place in the table for the settings of a channel, or of the whole place."""
    return f"{place}/channel:{channel}" if channel else place


async def _all_setups(connection: AsyncConnection, place: str) -> list[Setup]:
    """Return all set-ups of a place by name, sorted here because each database sorts letters in its own way."""
    rows = await connection.execute(select(setups).where(setups.c.place == place))
    return sorted(map(_setup_from, rows), key=lambda setup: setup.name)


def _name_conditions(place: str, name: str) -> tuple[ColumnElement[bool], ...]:
    return setups.c.place == place, setups.c.name == name


async def _find_setup(connection: AsyncConnection, place: str, name: str) -> Setup | None:
    row = (await connection.execute(select(setups).where(*_name_conditions(place, name)))).first()
    return None if row is None else _setup_from(row)


async def _find_to_change(connection: AsyncConnection, place: str, name: str, user: str, manages: bool) -> Setup | None:
    """Return the set-up of that name; NotOwnerError if it is somebody else's and the user does not manage the place."""
    setup = await _find_setup(connection, place, name)
    if setup and setup.owner != user and not manages:
        raise NotOwnerError(setup)
    return setup


async def _replace_setup(connection: AsyncConnection, place: str, setup: Setup) -> None:
    """Write a set-up in place of the one of its name."""
    await connection.execute(delete(setups).where(*_name_conditions(place, setup.name)))
    await connection.execute(insert(setups).values(place=place, **setup._asdict()))


def _setup_from(row: Row[Any]) -> Setup:
    return Setup._make(row[1:])  # without the place
