"""The tables as the code uses them; how a database gets there is in migrations/."""

from sqlalchemy import Column, DateTime, MetaData, String, Table

metadata = MetaData()

setups = Table(
    "setups",
    metadata,
    Column("place", String, primary_key=True),
    Column("name", String, primary_key=True),
    Column("line", String, nullable=False),
    Column("owner", String, nullable=False),
    Column("owner_name", String, nullable=False),
    Column("saved_at", DateTime(timezone=True), nullable=False),
)
"""Saved set-ups: `place` is whose they are ("guild:1", "user:2"), `name` lower case, `line` canonical notation."""

facts = Table(
    "facts",
    metadata,
    Column("name", String, primary_key=True),
    Column("value", String, nullable=False),
)
"""What the bot must remember about itself, such as which commands it registered last."""
