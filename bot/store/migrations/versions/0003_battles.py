"""Live battles with their logs and players, the counts of faces, and the settings of each place."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "settings",
        sa.Column("place", sa.String, primary_key=True),
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("value", sa.String, nullable=False),
    )
    op.create_table(
        "battles",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("place", sa.String, nullable=False),
        sa.Column("line", sa.String, nullable=False),
        sa.Column("seed", sa.String, nullable=False),
        sa.Column("commitment", sa.String, nullable=False),
        sa.Column("head", sa.String, nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("shown", sa.Integer, nullable=False),
        sa.Column("start", sa.Float),
        sa.Column("chance", sa.Float),
        sa.Column("judged", sa.Integer, nullable=False),
        sa.Column("kept", sa.Boolean, nullable=False),
        sa.Column("message", sa.String),
        sa.Column("channel", sa.String),
        sa.Column("ended", sa.String),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Index("battles_of_place", "place", "started_at"),
        sa.Index("battles_changed", "changed_at"),
        sa.Index("battles_without_rolls", "turn", "changed_at"),
        sa.Index("battles_not_kept", "kept", "changed_at"),
    )
    op.create_table(
        "rolls",
        sa.Column("battle", sa.String, sa.ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("entry", sa.String, nullable=False),
        sa.Column("hash", sa.String, nullable=False),
        sa.Column("chance", sa.Float),
    )
    op.create_table(
        "players",
        sa.Column("battle", sa.String, sa.ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("tag", sa.String, primary_key=True),
        sa.Column("user", sa.String),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("role", sa.String, nullable=False),
        sa.Index("players_by_user", "user"),
    )
    op.create_table(
        "faces",
        sa.Column("place", sa.String, primary_key=True),
        sa.Column("sides", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("face", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("count", sa.Integer, nullable=False),
    )
