"""Battles fought roll by roll, as the database keeps them: begun, rolled, shown, told again, forgotten."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple

from sqlalchemy import ColumnElement, Row, delete, func, insert, or_, select, update

# SQLite takes the same words as PostgreSQL, but not the other way round.
from sqlalchemy.dialects.postgresql import insert as insert_or
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.connections import Connections, FullError
from bot.store.tables import battles, faces, players, rolls

Role = Literal["attacker", "defender", ""]
"""What somebody is in a battle; "" is who only pressed."""

MOST_OF_ONE = 50
"""How many unfinished battles of one place somebody may be in who begins another."""

LATELY = timedelta(days=1)
"""Unfinished battles of this age no longer count against a new one."""

ABANDONED = timedelta(days=7)
"""After this long without a change, a battle goes in which nothing was rolled, or of which nothing is to stay."""


class Fought(NamedTuple):
    """A battle that is fought, or was: `line` in canonical notation, `seed` and `commitment` its fairness.

    `turn` is how many entries its log has, `head` the hash of the last, at first the commitment; `shown` the last turn
    that is known to have been shown, -1 before any. `start` is the attacker's chance to win before the first roll and
    `chance` the one last known, None where they are not known. `judged` is how many fair rolls led there. `kept` says
    that it stays in the history. `message` and `channel` are Discord's, None before the first roll. `ended` is how it
    ended.
    """

    id: str
    place: str
    line: str
    seed: str
    commitment: str
    head: str
    start: float | None
    started_at: datetime
    changed_at: datetime
    turn: int = 0
    shown: int = -1
    chance: float | None = None
    judged: int = 0
    kept: bool = True
    message: str | None = None
    channel: str | None = None
    ended: str | None = None


class Roll(NamedTuple):
    """An entry of a log, numbered from 1: JSON without its hash; `chance` where a round is over after it."""

    n: int
    entry: str
    hash: str
    chance: float | None


class Player(NamedTuple):
    """Somebody in a battle. The log knows the tag alone; who wants to be forgotten is a tag and no more."""

    tag: str
    user: str | None
    name: str
    role: Role


class Told(NamedTuple):
    """A battle and who was in it."""

    battle: Fought
    players: tuple[Player, ...]


class Record(NamedTuple):
    """A battle, who was in it, and its whole log in order."""

    battle: Fought
    players: tuple[Player, ...]
    rolls: tuple[Roll, ...]


class Fortune(NamedTuple):
    """What luck is worked out from: the attacker's chance at first and at last, and whose side is asked about."""

    id: str
    start: float
    chance: float
    role: Role


class Battles:
    """Everything the bot asks of its database about battles. `place` is where: "guild:1", "user:2", "terminal"."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    async def begin(self, battle: Fought, people: Sequence[Player], most: int) -> None:
        """Keep a new battle; FullError where `most` others of its place were begun lately and have not ended.

        The same where MOST_OF_ONE are of the first of these people, so that nobody can bar all others.

        Abandoned battles of all places go, as far as nothing of them is worth keeping.
        """
        now = battle.started_at
        of_no_worth = or_(battles.c.turn == 0, ~battles.c.kept)
        unfinished = battles.c.place == battle.place, battles.c.ended.is_(None), battles.c.started_at > now - LATELY
        async with self._connections.write() as connection:
            await connection.execute(delete(battles).where(of_no_worth, battles.c.changed_at < now - ABANDONED))
            count = select(func.count()).select_from(battles).where(*unfinished)
            theirs = count.where(*_with_user(people[0].user))
            if (await connection.scalar(count) or 0) >= most or (await connection.scalar(theirs) or 0) >= MOST_OF_ONE:
                raise FullError
            await connection.execute(insert(battles).values(battle._asdict()))
            await _add(connection, battle.id, people)

    async def find(self, battle: str) -> Record | None:
        """The battle of this id with its log, wherever it is fought."""
        async with self._connections.read() as connection:
            row = (await connection.execute(select(battles).where(battles.c.id == battle))).first()
            if row is None:
                return None
            # What somebody rolls between the two questions belongs to the next who asks.
            log = select(rolls).where(rolls.c.battle == battle, rolls.c.n <= row.turn).order_by(rolls.c.n)
            entries = tuple(Roll(r.n, r.entry, r.hash, r.chance) for r in await connection.execute(log))
            people = (await _players(connection, [battle])).get(battle, ())
            return Record(_fought(row), people, entries)

    async def append(
        self,
        battle: str,
        turn: int,
        entries: Sequence[Roll],
        *,
        at: datetime,
        chance: float | None,
        ended: str | None,
        judged: int,
        kept: bool,
        message: str | None,
        channel: str | None,
        presser: Player | None,
        fallen: Mapping[tuple[int, int], int],
    ) -> bool:
        """Write one or more entries behind the first `turn`, all or none; False where somebody was first.

        False too where the battle has ended or is gone. `chance` None leaves the one last known. `message` and
        `channel` are those of the first who names any. `presser` joins the players if his tag is new. `fallen` says
        how often each face of a die with so many sides fell; it is counted where the battle is kept.
        """
        assert [entry.n for entry in entries] == list(range(turn + 1, turn + 1 + len(entries))), "a log without gaps"
        new: dict[str, Any] = {
            "turn": turn + len(entries),
            "head": entries[-1].hash,
            "judged": battles.c.judged + judged,
            "changed_at": at,
            "ended": ended,
            "message": func.coalesce(battles.c.message, message),
            "channel": func.coalesce(battles.c.channel, channel),
        }
        new |= {} if kept else {"kept": False}
        new |= {"chance": chance} if chance is not None else {}
        where = battles.c.id == battle, battles.c.turn == turn, battles.c.ended.is_(None)
        changed = update(battles).where(*where).values(new).returning(battles.c.place, battles.c.kept)
        async with self._connections.write(guarded=True) as connection:
            row = (await connection.execute(changed)).first()
            if row is None:
                return False
            await connection.execute(insert(rolls), [{"battle": battle, **entry._asdict()} for entry in entries])
            if presser and presser.tag not in {p.tag for p in (await _players(connection, [battle])).get(battle, ())}:
                await _add(connection, battle, [presser])
            if row.kept and fallen:
                await _count(connection, row.place, fallen)
        return True

    async def shown(self, battle: str, turn: int) -> None:
        """Remember that people saw the battle after so many entries; one not to be kept goes once they saw its end."""
        mine = battles.c.id == battle
        noted = update(battles).where(mine, battles.c.shown < turn).values(shown=turn)
        noted = noted.returning(battles.c.kept, battles.c.ended, battles.c.turn)
        async with self._connections.write(guarded=True) as connection:
            row = (await connection.execute(noted)).first()
            if row and not row.kept and row.ended is not None and turn >= row.turn:
                await connection.execute(delete(battles).where(mine))

    async def unshown(self, since: datetime) -> list[Fought]:
        """Battles with a message that shows less than was rolled, changed since then, the earliest first."""
        behind = battles.c.shown < battles.c.turn, battles.c.changed_at >= since
        where = *behind, battles.c.message.is_not(None), battles.c.channel.is_not(None)
        async with self._connections.read() as connection:
            query = select(battles).where(*where).order_by(battles.c.changed_at, battles.c.id)
            return [_fought(row) for row in await connection.execute(query)]

    async def going_on(self) -> int:
        """How many battles have not ended."""
        async with self._connections.read() as connection:
            query = select(func.count()).select_from(battles).where(battles.c.ended.is_(None))
            return await connection.scalar(query) or 0

    async def latest(self, place: str) -> str | None:
        """The id of the battle begun last in a place."""
        newest = battles.c.started_at.desc(), battles.c.id.desc()
        async with self._connections.read() as connection:
            query = select(battles.c.id).where(battles.c.place == place).order_by(*newest).limit(1)
            found: str | None = await connection.scalar(query)
            return found

    async def history(self, place: str, user: str | None = None, limit: int = 25) -> list[Told]:
        """The battles of a place that are kept, or those of a user there, the newest first.

        Those in which nothing was rolled are left out once they ended.
        """
        where = (
            battles.c.kept,
            or_(battles.c.turn > 0, battles.c.ended.is_(None)),
            battles.c.place == place,
            *_with_user(user),
        )
        newest = battles.c.started_at.desc(), battles.c.id.desc()
        async with self._connections.read() as connection:
            query = select(battles).where(*where).order_by(*newest).limit(limit)
            found = [_fought(row) for row in await connection.execute(query)]
            people = await _players(connection, [battle.id for battle in found])
            return [Told(battle, people.get(battle.id, ())) for battle in found]

    async def fortunes(self, place: str, user: str | None = None, other: str | None = None) -> list[Fortune]:
        """How it went in the battles of a place, the oldest first: of its attackers, or of a user on either side.

        Only what can be judged: kept, with a known chance at the start, and fair rolls that led to the last one. With
        `other`, only battles that these two fought against each other.
        """
        fair = battles.c.kept, battles.c.judged > 0, battles.c.start.is_not(None)
        mine, theirs = players.alias("mine"), players.alias("theirs")
        columns = battles.c.id, battles.c.start, battles.c.chance
        query = select(*columns).where(*fair, battles.c.place == place).order_by(battles.c.started_at, battles.c.id)
        if user is not None:
            query = query.add_columns(mine.c.role).join(mine, mine.c.battle == battles.c.id)
            query = query.where(mine.c.user == user, mine.c.role != "")
        if other is not None:
            query = query.join(theirs, theirs.c.battle == battles.c.id)
            query = query.where(theirs.c.user == other, theirs.c.role != "", theirs.c.role != mine.c.role)
        async with self._connections.read() as connection:
            return [
                Fortune(
                    row.id,
                    row.start,
                    row.start if row.chance is None else row.chance,
                    "attacker" if user is None else row.role,
                )
                for row in await connection.execute(query)
            ]

    async def faces(self, place: str) -> dict[int, dict[int, int]]:
        """How often each face fell of dice with so many sides, in a place: {6: {1: 17, ...}}."""
        query = select(faces).where(faces.c.place == place).order_by(faces.c.sides, faces.c.face)
        counts: dict[int, dict[int, int]] = {}
        async with self._connections.read() as connection:
            for row in await connection.execute(query):
                counts.setdefault(row.sides, {})[row.face] = row._mapping["count"]
        return counts

    async def forget(self, user: str) -> int:
        """Take a user's id and name out of all battles, and delete those of his own place; how many had either."""
        own = f"user:{user}"
        theirs = or_(battles.c.place == own, *_with_user(user))
        async with self._connections.write() as connection:
            touched = await connection.scalar(select(func.count()).select_from(battles).where(theirs)) or 0
            # Battles first, as with all who change them: two who wait for each other would wait for ever.
            for table in (battles, faces):
                await connection.execute(delete(table).where(table.c.place == own))
            await connection.execute(update(players).where(players.c.user == user).values(user=None, name=""))
            return touched


def _with_user(user: str | None) -> list[ColumnElement[bool]]:
    return [] if user is None else [battles.c.id.in_(select(players.c.battle).where(players.c.user == user))]


async def _players(connection: AsyncConnection, ids: Sequence[str]) -> dict[str, tuple[Player, ...]]:
    """Who was in each of these battles, in the order in which they came."""
    found: dict[str, tuple[Player, ...]] = {}
    order = players.c.battle, func.length(players.c.tag), players.c.tag
    for row in await connection.execute(select(players).where(players.c.battle.in_(ids)).order_by(*order)):
        found[row.battle] = (*found.get(row.battle, ()), Player(row.tag, row.user, row.name, row.role))
    return found


async def _add(connection: AsyncConnection, battle: str, people: Sequence[Player]) -> None:
    if people:
        await connection.execute(insert(players), [{"battle": battle, **player._asdict()} for player in people])


async def _count(connection: AsyncConnection, place: str, fallen: Mapping[tuple[int, int], int]) -> None:
    # Sorted: two who count at once on a server of databases wait for each other in the same order.
    new = [{"place": place, "sides": s, "face": f, "count": n} for (s, f), n in sorted(fallen.items())]
    add = insert_or(faces)
    more = {"count": faces.c.count + add.excluded.count}
    await connection.execute(add.on_conflict_do_update(index_elements=["place", "sides", "face"], set_=more), new)


def _fought(row: Row[Any]) -> Fought:
    return Fought(**row._mapping)
