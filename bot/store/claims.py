"""The SQL statement that gives an interaction to one process, for PostgreSQL alone."""

from sqlalchemy import BigInteger, Boolean, bindparam, literal_column, not_
from sqlalchemy.dialects.postgresql import insert

from bot.store.postgres import ADVISORY_LOCKS, HTTP_BOTS
from bot.store.tables import interactions

_IS_ALIVE = f"EXISTS (SELECT 1 FROM {ADVISORY_LOCKS} AND classid = {HTTP_BOTS} AND objid::bigint = interactions.owner)"
"""Whether the process that has claimed an interaction still holds the lock that shows it alive (`Presence`)."""

_new = insert(interactions).values(id=bindparam("id", type_=BigInteger), owner=bindparam("owner", type_=BigInteger))
CLAIM = _new.on_conflict_do_update(
    index_elements=["id"],
    set_={"owner": _new.excluded.owner},
    where=not_(literal_column(_IS_ALIVE, Boolean)),
).returning(interactions.c.id)
"""Claims an interaction, also from a process that has ended; returns a row if it is ours now."""
