"""The tables of the database, as the code uses them, and how rows are put into them; migrations/ creates them."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

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

# SQLite takes the same words as PostgreSQL, but not the other way round.
from sqlalchemy.dialects.postgresql import Insert, insert
from sqlalchemy.types import TypeEngine


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


def put(table: Table, rows: Mapping[str, Any] | Sequence[Mapping[str, Any]], *columns: str) -> Insert:
    """Return the statement that writes rows; a row that is there with the same key gets the new values of `columns`."""
    new = insert(table).values(rows)
    changes = {name: new.excluded[name] for name in columns}
    return new.on_conflict_do_update(index_elements=list(table.primary_key), set_=changes)


def _keys(*names: str, kind: type[TypeEngine[Any]] = String) -> list[Column[Any]]:
    return [Column(name, kind, primary_key=True, autoincrement=False) for name in names]


def _values(*names: str, kind: type[TypeEngine[Any]] = String, **more: Any) -> list[Column[Any]]:
    return [Column(name, kind, nullable=False, **more) for name in names]


def _battle_key() -> Column[str]:
    return Column("battle", String, ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True)


metadata = MetaData()

setups = Table(
    "setups",
    metadata,
    *_keys("place", "name"),
    *_values("line", "owner", "owner_name"),
    *_values("saved_at", kind=Moment),
    *_values("note", server_default=""),
    Index("setups_by_owner", "owner"),
)
"""Saved set-ups: `place` owns them ("guild:1", "user:2"), `name` is in lower case, `line` in canonical notation."""

facts = Table("facts", metadata, *_keys("name"), *_values("value"))
"""Facts about the bot itself, such as the digest of the commands that it registered last."""

interactions = Table("interactions", metadata, *_keys("id", kind=BigInteger), *_values("owner", kind=BigInteger))
"""The claims of one of several processes in the last minutes: interactions that came as HTTP requests, with the
number of the process that answers (`bot.store.presence`), and what came while a shard changed hands, with 0."""

settings = Table("settings", metadata, *_keys("place", "name"), *_values("value"))
"""The settings of each place; those that a channel has of its own stand under "guild:1/channel:2", those
of a person, wherever they ask, under "user:2/mine"."""

GOING_ON = text("ended IS NULL")
"""The condition of battles that go on; they are few among all battles."""

battles = Table(
    "battles",
    metadata,
    *_keys("id"),
    *_values("place", "line", "seed", "commitment", "head"),
    *_values("turn", "shown", kind=Integer),
    Column("start", Float),
    Column("chance", Float),
    *_values("judged", kind=Integer),
    *_values("kept", kind=Boolean),
    *(Column(name, String) for name in ("message", "shown_in", "channel", "ended", "press")),
    *_values("begun_by", server_default="1"),
    *_values("rules", kind=Integer, server_default="1"),
    *_values("aside", "base64url", "mistyped", kind=Boolean, server_default=false()),
    *_values("started_at", "changed_at", kind=Moment),
    Index("battles_of_place", "place", "started_at"),
    Index("battles_changed", "changed_at"),
    Index("battles_without_rolls", "turn", "changed_at"),
    Index("battles_not_kept", "kept", "changed_at"),
    Index("battles_going_on", "place", "started_at", sqlite_where=GOING_ON, postgresql_where=GOING_ON),
)
"""Live battles; `bot.store.records.StoredBattle` explains the columns."""

rolls = Table(
    "rolls", metadata, _battle_key(), *_keys("n", kind=Integer), *_values("entry", "hash"), Column("chance", Float)
)
"""The log of each battle; no row is ever changed."""

players = Table(
    "players",
    metadata,
    _battle_key(),
    *_keys("tag"),
    Column("user", String),
    *_values("name", "role"),
    Index("players_by_user", "user"),
)
"""The players and pressers, with their ids and names. The log holds only their tags, so these rows can be blanked."""

faces = Table(
    "faces", metadata, *_keys("place"), *_keys("sides", "face", kind=Integer), *_values("count", kind=Integer)
)
"""How often each face of each kind of die fell in a place: the public audit."""

open_answers = Table(
    "open_answers",
    metadata,
    *_keys("id", kind=BigInteger),
    *_values("owner", kind=BigInteger),
    *_values("token", "text", "line"),
)
"""The answers that people wait for now; `bot.store.open_answers.OpenAnswer` explains the columns."""

departures = Table("departures", metadata, *_keys("place"), *_values("left_at", kind=Moment))
"""The servers that removed the bot, and when: see `bot.store.cleaning`."""
