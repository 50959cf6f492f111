"""Battles know who may press; in older battles both named players may, or everybody."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the column."""
    op.add_column("battles", sa.Column("press", sa.String))
