"""What outlives the process: saved set-ups and a few facts, in SQLite through SQLAlchemy's async Core."""

from bot.store.database import FullError, NotTheirsError, Setup, Store, open_store

__all__ = ["FullError", "NotTheirsError", "Setup", "Store", "open_store"]
