"""The database: saved set-ups, battles and a few facts, in SQLite or PostgreSQL through SQLAlchemy."""

from bot.store.battles import BattleRecord, Battles, BattleSummary, LuckRecord, Player, Role, Roll, Spot, StoredBattle
from bot.store.cleaning import Departure
from bot.store.connections import FullError
from bot.store.database import NEWER, NotOwnerError, Setup, Store, TakenError, open_store, revision_at, revisions

__all__ = [
    "NEWER",
    "BattleRecord",
    "BattleSummary",
    "Battles",
    "Departure",
    "FullError",
    "LuckRecord",
    "NotOwnerError",
    "Player",
    "Role",
    "Roll",
    "Setup",
    "Spot",
    "Store",
    "StoredBattle",
    "TakenError",
    "open_store",
    "revision_at",
    "revisions",
]
