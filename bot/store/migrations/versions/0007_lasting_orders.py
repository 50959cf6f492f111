"""Saved set-ups of several waves say what they meant before orders of loss went on from wave to wave."""

import sqlalchemy as sa
from alembic import op

from bot.matchup import spelled_out

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Write the lines anew that would mean something else."""
    setups = sa.table("setups", sa.column("place"), sa.column("name"), sa.column("line"))
    connection = op.get_bind()
    rows = connection.execute(sa.select(setups).where(setups.c.line.contains(" then "))).all()
    for place, name, line in rows:
        if (today := spelled_out(line)) != line:
            this = (setups.c.place == place, setups.c.name == name)
            connection.execute(setups.update().where(*this).values(line=today))
