"""Saved set-ups, one list for each server or person."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "setups",
        sa.Column("place", sa.String, primary_key=True),
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("line", sa.String, nullable=False),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("owner_name", sa.String, nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
    )
