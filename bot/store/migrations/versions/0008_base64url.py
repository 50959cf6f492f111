"""Battles know how their messages write the commitment; older battles go on in hexadecimal."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the column."""
    op.add_column("battles", sa.Column("base64url", sa.Boolean, nullable=False, server_default=sa.false()))
