"""Battles that go on have an index of their own: they are counted at each new one, and are few among all battles."""

import sqlalchemy as sa

from bot.store.upgrade import create_index

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Make the index."""
    going_on = sa.text("ended IS NULL")
    create_index(
        "battles_going_on", "battles", ["place", "started_at"], sqlite_where=going_on, postgresql_where=going_on
    )
