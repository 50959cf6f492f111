"""The SQL statements of a press, built once: SQLAlchemy takes as long to build one as to run it."""

from functools import cache
from typing import Any

from sqlalchemy import Boolean, ColumnElement, Integer, String, and_, bindparam, case, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as insert_or
from sqlalchemy.sql.dml import ReturningUpdate

from bot.store.records import MODERATOR, STOPPED
from bot.store.tables import battles, faces, players, rolls

BATTLE = select(battles).where(battles.c.id == bindparam("battle"))
"""Selects a battle by its id."""
LOG = select(rolls).where(rolls.c.battle == bindparam("battle"), rolls.c.n <= bindparam("last")).order_by(rolls.c.n)
"""Selects the log of a battle up to its last entry."""
PLAYERS = select(players).where(players.c.battle.in_(bindparam("battles", expanding=True)))
PLAYERS = PLAYERS.order_by(players.c.battle, func.length(players.c.tag), players.c.tag)
"""Selects the players of some battles, in the order in which they joined."""
ADD_ROLLS = insert(rolls)
ADD_PLAYER = insert_or(players).on_conflict_do_nothing()

_new_faces = insert_or(faces)
ADD_FACES = _new_faces.on_conflict_do_update(
    index_elements=["place", "sides", "face"], set_={"count": faces.c.count + _new_faces.excluded.count}
)
"""Adds to the counts of faces."""
NEWEST_FRAME: ColumnElement[int] = battles.c.turn + case((battles.c.ended == MODERATOR, 1), else_=0)
"""`StoredBattle.frame` in SQL."""

_still_kept = bindparam("still_kept", type_=Boolean)
_message, _channel = bindparam("to_message", type_=String), bindparam("to_channel", type_=String)


@cache
def append(seen: bool, private: bool) -> ReturningUpdate[Any]:
    """Return the statement that moves a battle from turn `after` to turn `to_turn` and returns its row.

    With `seen` the battle is shown in `to_message`: to all, in the channel `to_channel`, or only to one person if
    `private`.
    """
    new: dict[str, Any] = {
        "turn": bindparam("to_turn"),
        "head": bindparam("to_head"),
        "judged": battles.c.judged + bindparam("more_judged"),
        "changed_at": bindparam("at"),
        "ended": bindparam("to_end"),
        "chance": func.coalesce(bindparam("to_chance"), battles.c.chance),
        "kept": and_(battles.c.kept, _still_kept),
    }
    if seen:
        new |= {"message": func.coalesce(battles.c.message, _message), **_columns(private)}
    where = battles.c.id == bindparam("battle"), battles.c.turn == bindparam("after"), battles.c.ended.is_(None)
    return update(battles).where(*where).values(new).returning(*battles.c)


MARK_MISTYPED = (
    update(battles)
    .where(battles.c.id == bindparam("battle"), battles.c.turn == bindparam("after"), ~battles.c.mistyped)
    .values(
        turn=battles.c.turn + 1,
        head=bindparam("to_head"),
        changed_at=bindparam("at"),
        kept=case((battles.c.ended.is_(None), and_(battles.c.kept, _still_kept)), else_=battles.c.kept),
        ended=func.coalesce(battles.c.ended, STOPPED),
        mistyped=True,
    )
    .returning(*battles.c)
)
"""Moves a battle, ended or not, from turn `after` to the next, which marks it as mistyped, and returns its row."""


@cache
def mark_seen(seen: bool, private: bool, ours: bool, moves: bool) -> ReturningUpdate[Any]:
    """Return the statement that notes a shown `frame`; its row is `kept`, `ended`, `newest` and `is_seen`.

    `newest` is the newest frame, `is_seen` whether it was shown.

    `seen` and `private` are as in `append`. With `ours` the bot may change the message. `moves` is as in
    `Battles.mark_seen`.
    """
    mine, frame = battles.c.id == bindparam("battle"), bindparam("frame", type_=Integer)
    where: list[ColumnElement[bool]] = []
    changes = [(battles.c.shown < frame, frame)]
    if seen and ours and moves:
        # The message it moves to may be older than the one it leaves, and then has to be caught up.
        changes.append((battles.c.shown_in.is_distinct_from(_message), frame))
    new: dict[str, Any] = {"shown": case(*changes, else_=battles.c.shown)}
    if seen and not moves:
        where = [battles.c.shown_in == _message]
    elif seen:
        where = [battles.c.channel.is_(None)] if private else []
        new |= _columns(private)
    noted = update(battles).where(mine, *where).values(new)
    is_seen = (battles.c.shown >= NEWEST_FRAME).label("is_seen")
    return noted.returning(battles.c.kept, battles.c.ended, NEWEST_FRAME.label("newest"), is_seen)


def _columns(private: bool) -> dict[str, Any]:
    """Return the new values of the columns that say where a battle is shown.

    A private message does not replace one that the bot can change: nobody else would see the rolls.
    """
    if not private:
        return {"shown_in": _message, "channel": _channel}
    return {"shown_in": case((battles.c.channel.is_(None), _message), else_=battles.c.shown_in)}
