"""A note beside each saved set-up."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the column; older set-ups have no note."""
    op.add_column("setups", sa.Column("note", sa.String, nullable=False, server_default=""))
