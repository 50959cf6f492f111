"""PostgreSQL: engines for its addresses, its locks, and turns for the writers of a place, as SQLite has for all."""

import asyncio
import hashlib
import socket
from contextlib import suppress
from typing import Any

from sqlalchemy import (
    URL,
    BigInteger,
    Boolean,
    Connection,
    Dialect,
    ExceptionContext,
    NullPool,
    bindparam,
    event,
    literal_column,
    make_url,
    not_,
)
from sqlalchemy.dialects.postgresql import insert as insert_or
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DisconnectionError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from bot.errors import UserError
from bot.store.tables import interactions

PATIENCE = 2
"""Seconds to wait for a lock, or for a free connection."""
LONGEST_CONNECT, LONGEST_ANSWER = 5, 12
"""Seconds to wait for a connection, and for an answer: the server itself ends a statement before that, if it lives."""
WRITERS, GROUPS, SHARDS, IDENTIFIES = (int.from_bytes(name) for name in (b"sndW", b"sndG", b"sndS", b"sndI"))
"""The classes of our advisory locks: for writers, for the bot, for each shard, and for turns to identify."""
HTTP_BOTS, CATCHING_UP = (int.from_bytes(name) for name in (b"sndD", b"sndC"))
"""The same for each process without shards that is alive, and for the one of them that catches up."""
ANSWERS = int.from_bytes(b"sndA")
"""The class for each living process with shards; its number there is the `owner` of its open answers."""
WANTED, SHARED, CONNECTED = (int.from_bytes(name) for name in (b"sndH", b"sndP", b"sndK"))
"""The same for each shard that is being handed over; `ShardLocks` explains the three."""
MIGRATES = int.from_bytes(b"sndM")
"""The same for the process that is migrating the database."""
ADVISORY_LOCKS = (
    "pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND "
    "database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
"""The source of queries for the holders of our advisory locks."""
_claim = insert_or(interactions).values(
    id=bindparam("id", type_=BigInteger), owner=bindparam("owner", type_=BigInteger)
)
_IS_ALIVE = f"EXISTS (SELECT 1 FROM {ADVISORY_LOCKS} AND classid = {HTTP_BOTS} AND objid::bigint = interactions.owner)"
"""Whether the process that has claimed an interaction still holds the lock that shows it alive (`Presence`)."""
CLAIM = _claim.on_conflict_do_update(
    index_elements=["id"],
    set_={"owner": _claim.excluded.owner},
    where=not_(literal_column(_IS_ALIVE, Boolean)),
).returning(interactions.c.id)
"""Claims an interaction, also from a process that has ended; returns a row if it is ours now."""
SILENT = "it does not answer"
"""The error in the log for a server that has not answered in time."""
SESSION = {
    "application_name": "sandtable",
    "timezone": "UTC",
    "lock_timeout": f"{PATIENCE}s",
    "statement_timeout": "10s",
    "idle_in_transaction_session_timeout": "10s",
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
"""The session's limits: a process that hangs while it writes delays the others by seconds only, and one that vanishes
with its machine loses its locks within half a minute."""
KEEPALIVE = {"TCP_KEEPIDLE": 10, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3}
"""Socket options that detect a dead connection within half a minute, like SESSION at its end."""
UNLIMITED = {"lock_timeout": "0", "statement_timeout": "0"}
MIGRATION_PATIENCE = "500ms"
"""How long a migration waits for each of its locks: others may wait behind it, and give up after PATIENCE."""


def engine_at(address: str, patient: bool = False, **options: Any) -> AsyncEngine:
    """Return an engine for an address of PostgreSQL; it replaces lost connections.

    With `patient` an answer may take any time, also at the server. `options` are further ones of SQLAlchemy's engine.
    """
    session = SESSION | UNLIMITED if patient else SESSION
    longest = None if patient else LONGEST_ANSWER
    connect = {"timeout": LONGEST_CONNECT, "command_timeout": longest, "server_settings": session}
    engine = create_async_engine(url_of(address), connect_args=connect, hide_parameters=True, **options)
    event.listen(engine.sync_engine, "do_connect", _connect)
    event.listen(engine.sync_engine, "checkout", _check_open)
    event.listen(engine.sync_engine, "handle_error", _replace_silent)
    event.listen(engine.sync_engine, "close", _hang_up_alone if options.get("poolclass") is NullPool else _hang_up)
    return engine


def _connect(dialect: Dialect, _record: object, arguments: tuple[Any, ...], named: dict[str, Any]) -> DBAPIConnection:
    """Connect; a server that does not answer cannot be reached, rather than being busy."""
    try:
        return dialect.connect(*arguments, **named)
    except TimeoutError:
        raise ConnectionError(SILENT) from None


def _replace_silent(context: ExceptionContext) -> None:
    """Have all connections replaced by new ones when one of them brought no answer.

    The network may have dropped all of them without a word, and the system notices that after a quarter of an hour.
    """
    if isinstance(context.original_exception, TimeoutError):
        context.is_disconnect = context.invalidate_pool_on_disconnect = True
        raise ConnectionError(SILENT)


def _hang_up(_adapted: object, record: ConnectionPoolEntry) -> None:
    """Close a connection of a pool, which holds no lock, without waiting for the server, which may be silent."""
    connection: Any = record.driver_connection
    if not connection.is_closed():
        connection.terminate()


def _hang_up_alone(adapted: Any, _record: object) -> None:
    """Close a connection that may hold locks, and give the server two seconds to let go of them."""
    adapted.terminate()


def _check_open(_adapted: object, record: ConnectionPoolEntry, _proxy: object) -> None:
    """Have a connection that the server has closed replaced by a new one.

    The driver has heard of it. To ask the server each time, as `pool_pre_ping` does, took three turns of each
    transaction's seven.
    """
    connection: Any = record.driver_connection
    if connection.is_closed():
        raise DisconnectionError


async def keep_alive(connection: AsyncConnection, cut: asyncio.Event | None = None) -> Any:
    """Let the system test a connection often, and return the driver's own connection; its end sets `cut`.

    So a server that is gone with its machine is noticed, which by default takes two hours.
    """
    driver: Any = (await connection.get_raw_connection()).driver_connection
    if cut:
        driver.add_termination_listener(lambda _driver: cut.set())
    link = driver._transport.get_extra_info("socket") if driver else None  # asyncpg has no other way to its socket
    if link is not None and link.family in (socket.AF_INET, socket.AF_INET6):
        link.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in KEEPALIVE.items():
            if hasattr(socket, name):  # macOS has another name for the first
                link.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    return driver


async def hang_up(connection: AsyncConnection | None) -> None:
    """Close a connection, which may be gone already; without one do nothing."""
    if connection:
        with suppress(Exception):
            await connection.close()


def serialize_writers(engine: AsyncEngine) -> None:
    """Make each writer wait for the other writers of its place, of any process; one that is `alone` waits for all.

    So does one that is `migrating`, but it does not wait long. What it does outside of a transaction waits for nobody.

    So a count or a comparison still holds when the writer writes. Each statement sees everything committed before it,
    also what others wrote while this writer waited.
    """

    @event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if options.get("isolation_level") == "AUTOCOMMIT":
            return
        if options.get("migrating"):
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{MIGRATION_PATIENCE}'")
        if options.get("alone") or options.get("migrating"):
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({WRITERS}, 0)")
        if place := options.get("place"):
            connection.exec_driver_sql(
                f"SELECT pg_advisory_xact_lock_shared({WRITERS}, 0), pg_advisory_xact_lock({WRITERS}, {_number(place)})"
            )


def _number(place: str) -> int:
    """Return the number of a place in the class WRITERS; two places that share one only wait for each other."""
    return (int.from_bytes(hashlib.sha256(place.encode()).digest()[:4]) >> 1) or 1


def url_of(address: str) -> URL:
    """Return the address in the driver's form; UserError if it cannot be read."""
    try:
        url = make_url(address).set(drivername="postgresql+asyncpg")
    except (ArgumentError, ValueError):
        raise UserError("The address of the database cannot be read.") from None
    for name in sorted(url.query.keys() - {"sslmode", "host", "port"}):
        raise UserError(f"The address of the database says `{name}`, which is not known; it may say `sslmode`.")
    if "sslmode" not in url.query:
        return url
    return url.difference_update_query(["sslmode"]).update_query_dict({"ssl": url.query["sslmode"]})


def public_name(address: str) -> str:
    """Return the name of a database for messages: without its user and password."""
    url = url_of(address)
    host = url.host or url.query.get("host", "")
    return f"{url.database} at {host}{f':{url.port}' if url.port else ''}"


def public_address(address: str) -> str:
    """Return the address with stars in place of its password."""
    url_of(address)
    return make_url(address).render_as_string(hide_password=True)
