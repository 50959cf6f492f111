"""The tables of the database, as the code uses them; migrations/ creates them."""

from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    TypeDecorator,
    false,
    text,
)


class Moment(TypeDecorator[datetime]):
    """A point in time, in UTC; SQLite keeps no time zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        """Convert a time to UTC."""
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        """Add the time zone, UTC."""
        return value and value.replace(tzinfo=UTC)


metadata = MetaData()

setups = Table(
    "setups",
    metadata,
    Column("place", String, primary_key=True),
    Column("name", String, primary_key=True),
    Column("line", String, nullable=False),
    Column("owner", String, nullable=False),
    Column("owner_name", String, nullable=False),
    Column("saved_at", Moment, nullable=False),
    Column("note", String, nullable=False, server_default=""),
    Index("setups_by_owner", "owner"),
)
"""Saved set-ups: `place` owns them ("guild:1", "user:2"), `name` is in lower case, `line` in canonical notation."""

facts = Table(
    "facts",
    metadata,
    Column("name", String, primary_key=True),
    Column("value", String, nullable=False),
)
"""Facts about the bot itself, such as the digest of the commands that it registered last."""

interactions = Table(
    "interactions",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("owner", BigInteger, nullable=False),
)
"""What one of several processes has claimed in the last minutes: interactions that came as HTTP requests, with the
number of the process that answers (`bot.store.presence`), and what came while a shard changed hands, with 0."""

settings = Table(
    "settings",
    metadata,
    Column("place", String, primary_key=True),
    Column("name", String, primary_key=True),
    Column("value", String, nullable=False),
)
"""The settings of each place; those that a channel has of its own stand under "guild:1/channel:2"."""

GOING_ON = text("ended IS NULL")
"""The condition of battles that go on; they are few among all battles."""

battles = Table(
    "battles",
    metadata,
    Column("id", String, primary_key=True),
    Column("place", String, nullable=False),
    Column("line", String, nullable=False),
    Column("seed", String, nullable=False),
    Column("commitment", String, nullable=False),
    Column("head", String, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("shown", Integer, nullable=False),
    Column("start", Float),
    Column("chance", Float),
    Column("judged", Integer, nullable=False),
    Column("kept", Boolean, nullable=False),
    Column("message", String),
    Column("shown_in", String),
    Column("channel", String),
    Column("ended", String),
    Column("begun_by", String, nullable=False, server_default="1"),
    Column("rules", Integer, nullable=False, server_default="1"),
    Column("aside", Boolean, nullable=False, server_default=false()),
    Column("base64url", Boolean, nullable=False, server_default=false()),
    Column("started_at", Moment, nullable=False),
    Column("changed_at", Moment, nullable=False),
    Index("battles_of_place", "place", "started_at"),
    Index("battles_changed", "changed_at"),
    Index("battles_without_rolls", "turn", "changed_at"),
    Index("battles_not_kept", "kept", "changed_at"),
    Index("battles_going_on", "place", "started_at", sqlite_where=GOING_ON, postgresql_where=GOING_ON),
)
"""Live battles; `bot.store.records.StoredBattle` explains the columns."""

rolls = Table(
    "rolls",
    metadata,
    Column("battle", String, ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("entry", String, nullable=False),
    Column("hash", String, nullable=False),
    Column("chance", Float),
)
"""The log of each battle; no row is ever changed."""

players = Table(
    "players",
    metadata,
    Column("battle", String, ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True),
    Column("tag", String, primary_key=True),
    Column("user", String),
    Column("name", String, nullable=False),
    Column("role", String, nullable=False),
    Index("players_by_user", "user"),
)
"""The players and pressers, with their ids and names. The log holds only their tags, so these rows can be blanked."""

faces = Table(
    "faces",
    metadata,
    Column("place", String, primary_key=True),
    Column("sides", Integer, primary_key=True, autoincrement=False),
    Column("face", Integer, primary_key=True, autoincrement=False),
    Column("count", Integer, nullable=False),
)
"""How often each face of each kind of die fell in a place: the public audit."""

open_answers = Table(
    "open_answers",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("owner", BigInteger, nullable=False),
    Column("token", String, nullable=False),
    Column("text", String, nullable=False),
    Column("line", String, nullable=False),
)
"""The answers that people wait for now; `bot.store.open_answers.OpenAnswer` explains the columns."""

departures = Table(
    "departures",
    metadata,
    Column("place", String, primary_key=True),
    Column("left_at", Moment, nullable=False),
)
"""The servers that removed the bot, and when: see `bot.store.cleaning`."""
