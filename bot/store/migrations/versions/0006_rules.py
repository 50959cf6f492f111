"""Battles know the version of their rules; older battles go on with the first version."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the column."""
    op.add_column("battles", sa.Column("rules", sa.Integer, nullable=False, server_default="1"))
