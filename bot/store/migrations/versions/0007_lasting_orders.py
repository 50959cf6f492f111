"""Saved set-ups of several waves keep their meaning: orders of loss now go on from wave to wave."""

import sqlalchemy as sa
from alembic import op

from bot.notation.old_lines import in_todays_notation
from bot.rooms import ROOMS

revision = "0007"
down_revision = "0006"
usable_since = "0007"
"""An earlier version would read the new lines in the old way."""


def upgrade() -> None:
    """Rewrite the lines whose meaning would change."""
    setups = sa.table("setups", sa.column("place"), sa.column("name"), sa.column("line"))
    connection = op.get_bind()
    rows = connection.execute(sa.select(setups).where(setups.c.line.contains(" then "))).all()
    for place, name, line in rows:
        if (today := in_todays_notation(ROOMS, line)) != line:
            this = (setups.c.place == place, setups.c.name == name)
            connection.execute(setups.update().where(*this).values(line=today))
