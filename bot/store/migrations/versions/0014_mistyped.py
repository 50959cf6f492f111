"""Battles of real dice may be marked as mistyped: they count for no luck and stand in no list."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Add the column."""
    op.add_column("battles", sa.Column("mistyped", sa.Boolean, nullable=False, server_default=sa.false()))
