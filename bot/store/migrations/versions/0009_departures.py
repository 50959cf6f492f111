"""Servers that removed the bot are noted, so that their data can be deleted; a person's set-ups are found quickly."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add the table and the index."""
    op.create_table(
        "departures",
        sa.Column("place", sa.String, primary_key=True),
        sa.Column("left_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("setups_by_owner", "setups", ["owner"])
