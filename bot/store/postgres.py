"""PostgreSQL as the database of several bots: how it is reached, and what makes writing there as safe as in SQLite."""

from typing import Any

from sqlalchemy import URL, Connection, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.errors import UserError

PATIENCE = 2
"""Seconds for which somebody waits for a lock, or for a connection where all are taken."""
LONGEST_CONNECT, LONGEST_ANSWER = 5, 10
"""Seconds until somebody who says nothing at all is given up."""
WRITERS, GROUPS, SHARDS = (int.from_bytes(name) for name in (b"sndW", b"sndG", b"sndS"))
"""Our kinds of advisory locks, each with numbers of its own: who writes, which bots there are, whose a shard is."""

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
"""So that a process that hangs while it writes keeps the others waiting for seconds only, and one that is gone without
a word, with its machine, loses its locks within half a minute."""


def engine_at(address: str, longest: float | None = LONGEST_ANSWER, **options: Any) -> AsyncEngine:
    """The way to PostgreSQL at an address such as a host gives; what was lost is noticed and reached anew.

    `longest` is how many seconds an answer may take, None for any number.
    """
    connect = {"timeout": LONGEST_CONNECT, "command_timeout": longest, "server_settings": SESSION}
    options |= {"pool_pre_ping": True, "hide_parameters": True}
    return create_async_engine(url_of(address), connect_args=connect, **options)


def take_turns(engine: AsyncEngine) -> None:
    """Who means to write waits for all others who do, in whichever process, as with SQLite's BEGIN IMMEDIATE.

    What was counted or compared before something is written is then still true when it is. Each statement sees what
    was committed before it, so also what was written while the turn was waited for.
    """

    @event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if options.get("migrating"):
            connection.exec_driver_sql(
                "SELECT set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true)"
            )
        if options.get("alone"):
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({WRITERS}, 0)")


def url_of(address: str) -> URL:
    """The address as the driver wants it; UserError where it cannot be read."""
    try:
        url = make_url(address).set(drivername="postgresql+asyncpg")
    except (ArgumentError, ValueError):
        raise UserError("The address of the database cannot be read.") from None
    for name in sorted(url.query.keys() - {"sslmode", "host", "port"}):
        raise UserError(f"The address of the database says `{name}`, which is not known; it may say `sslmode`.")
    if "sslmode" not in url.query:
        return url
    return url.difference_update_query(["sslmode"]).update_query_dict({"ssl": url.query["sslmode"]})


def name_of(address: str) -> str:
    """What a database is called where people read along: without its user and password."""
    url = url_of(address)
    host = url.host or url.query.get("host", "")
    return f"{url.database} at {host}{f':{url.port}' if url.port else ''}"
