"""Battles know the player who began them, the message that shows them now, and whether they gave way to others."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the columns; until now the first message showed a battle, and the first player began it."""
    op.add_column("battles", sa.Column("begun_by", sa.String, nullable=False, server_default="1"))
    op.add_column("battles", sa.Column("shown_in", sa.String))
    op.add_column("battles", sa.Column("aside", sa.Boolean, nullable=False, server_default=sa.false()))
    op.execute("UPDATE battles SET shown_in = message")
