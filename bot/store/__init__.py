"""What outlives the process: saved set-ups, battles and a few facts, in SQLite or PostgreSQL through SQLAlchemy."""

from bot.store.battles import Battles, Fortune, Fought, Player, Record, Role, Roll, Spot, Told
from bot.store.connections import FullError
from bot.store.database import NEWER, NotTheirsError, Setup, Store, TakenError, open_store, revision_at, revisions

__all__ = [
    "NEWER",
    "Battles",
    "Fortune",
    "Fought",
    "FullError",
    "NotTheirsError",
    "Player",
    "Record",
    "Role",
    "Roll",
    "Setup",
    "Spot",
    "Store",
    "TakenError",
    "Told",
    "open_store",
    "revision_at",
    "revisions",
]
