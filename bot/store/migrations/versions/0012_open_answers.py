"""Answers that people wait for, so that another process can end those of a process that was killed."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "open_answers",
        sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("owner", sa.BigInteger, nullable=False),
        sa.Column("token", sa.String, nullable=False),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("line", sa.String, nullable=False),
    )
