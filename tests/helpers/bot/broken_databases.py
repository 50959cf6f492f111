"""Databases that are damaged on purpose, or that end all connections."""

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import text

from bot.store.database import open_store
from tests.helpers.program import LONGEST


def damage(file: Path) -> None:
    """Overwrite the rolls, in the middle of a database."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'rolls'").fetchone()
    with file.open("rb+") as raw:
        raw.seek((root - 1) * size)
        raw.write(b"\xff" * size)


async def hang_up(address: str) -> None:
    """End all connections to a database but our own, and wait until they have ended and their locks are free."""
    async with open_store(address) as store, store.battles._connections.write() as connection:
        await connection.execute(
            text(
                f"SELECT pg_terminate_backend(pid, {LONGEST * 1000:.0f}) FROM pg_stat_activity "
                "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
        )
