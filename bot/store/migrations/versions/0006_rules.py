"""Battles know by which rules they are fought; those that are there already go on by the first ones."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the column."""
    op.add_column("battles", sa.Column("rules", sa.Integer, nullable=False, server_default="1"))
