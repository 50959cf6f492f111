"""Saved set-ups, files of them, and a database from before."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.store.records import Setup
from tests.fake_discord import Upload

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
OLD = Path(__file__).parents[2] / "data" / "revision_0001.db"

LATER_THAN_8 = (
    "ALTER TABLE battles DROP COLUMN mistyped",
    "ALTER TABLE battles DROP COLUMN press",
    "DROP TABLE open_answers",
    "DROP TABLE departures",
    "DROP INDEX setups_by_owner",
    "DROP TABLE interactions",
    "DROP INDEX battles_going_on",
)
"""Takes back what revisions after 0008 have added."""


def setup(name: str, line: str = "12 9", owner: str = "1") -> Setup:
    return Setup(name, line, owner, f"Player {owner}", NOON)


def file_of(*setups: dict[str, Any], **other: Any) -> Upload:
    """A file of set-ups."""
    document = {"sandtable": "setups", "version": 2, "setups": list(setups)} | other
    return Upload("anything.json", json.dumps(document).encode())


def entry(name: str, line: str, note: str = "") -> dict[str, Any]:
    return {"name": name, "line": line, "note": note}
