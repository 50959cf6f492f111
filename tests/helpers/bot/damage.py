"""Databases that are damaged on purpose."""

import sqlite3
from contextlib import closing
from pathlib import Path


def damage(file: Path) -> None:
    """Overwrite the rolls, in the middle of a database."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'rolls'").fetchone()
    with file.open("rb+") as raw:
        raw.seek((root - 1) * size)
        raw.write(b"\xff" * size)
