"""Battles fought roll by roll, as the database keeps them: begun, rolled, shown, told again, forgotten."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple

from cachetools import LRUCache
from sqlalchemy import ColumnElement, Row, and_, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.fair import MODERATOR
from bot.store import press_statements as statements
from bot.store.connections import Connections, FullError
from bot.store.tables import battles, faces, players

Role = Literal["attacker", "defender", ""]
"""What somebody is in a battle; "" is who only pressed."""

MOST_OF_ONE = 50
"""How many unfinished battles of one place somebody may have begun who begins another."""

LATELY = timedelta(days=1)
"""Unfinished battles of this age no longer count against a new one."""

UNTOUCHED = timedelta(hours=1)
"""After this long without a change, an unfinished battle gives way to a new one where its place is full."""

ABANDONED = timedelta(days=7)
"""After this long without a change, a battle goes in which nothing was rolled, or of which nothing is to stay."""


MOST_LATELY = 1_000
"""Of so many messages it is remembered which battle they show."""


class Fought(NamedTuple):
    """A battle that is fought, or was: `line` in canonical notation, `seed` and `commitment` its fairness.

    `turn` is how many entries its log has, `head` the hash of the last, at first the commitment. `shown` is the newest
    frame that is known to have been shown where the battle is, -1 before any. `start` is the attacker's chance to win
    before the first roll and `chance` the one last known, None where they are not known. `judged` is how many fair
    rolls led there. `kept` says that it stays in the history. `ended` is how it ended.

    `message` is Discord's id of the message that was pressed first. It is part of the dice and never changes.
    `shown_in` is the message that shows the battle now, and `channel` its channel if we may write there by ourselves.
    `begun_by` is the tag of the player who began it. One that is set `aside` no longer counts against new ones.
    `rules` are those it is fought by, see `bot.matchup.habits.RULES`. `base64url` says that its messages write the
    commitment in base64url; older battles go on in hexadecimal, as people saw it first.
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
    shown_in: str | None = None
    channel: str | None = None
    ended: str | None = None
    begun_by: str = "1"
    aside: bool = False
    rules: int = 1
    base64url: bool = False

    @property
    def frame(self) -> int:
        """The number of its newest frame: the turn, and one more once a moderator has ended it."""
        return self.turn + (self.ended == MODERATOR)


class Spot(NamedTuple):
    """Where a battle is seen: the message, its channel if we may write there by ourselves, one pair of eyes or all."""

    message: str
    channel: str | None = None
    private: bool = False


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
        # By message, which battle it shows: people may press before that is in the database.
        self._lately: LRUCache[str, str] = LRUCache(MOST_LATELY)

    def is_shown_in(self, message: str, battle: Fought) -> bool:
        """Whether a message shows a battle now, or was its first."""
        if message == "0":  # that of a command, which is asked under no message
            return False
        return message in (battle.message, battle.shown_in) or self._lately.get(message) == battle.id

    async def begin(self, battle: Fought, people: Sequence[Player], most: int) -> None:
        """Keep a new battle; FullError where its place, or the person who begins it, has too many unfinished ones.

        A place has room for `most` of those begun lately, and for MOST_OF_ONE of the same person. Where the place is
        full, those that were untouched for longest are set aside, if that is long enough.

        Abandoned battles of all places go, as far as nothing of them is worth keeping.
        """
        now = battle.started_at
        of_no_worth = or_(battles.c.turn == 0, ~battles.c.kept)
        unfinished = battles.c.place == battle.place, battles.c.ended.is_(None), ~battles.c.aside
        counted = *unfinished, battles.c.started_at > now - LATELY
        began = players.c.battle == battles.c.id, players.c.tag == battles.c.begun_by
        who = next((player.user for player in people if player.tag == battle.begun_by), None)
        count = select(func.count()).select_from(battles).where(*counted)
        async with self._connections.write() as connection:
            await connection.execute(delete(battles).where(of_no_worth, battles.c.changed_at < now - ABANDONED))
            theirs = count.join(players, and_(*began)).where(players.c.user == who)
            if (await connection.scalar(theirs) or 0) >= MOST_OF_ONE:
                raise FullError
            too_many = (await connection.scalar(count) or 0) - most + 1
            if too_many > 0:
                old = select(battles.c.id).where(*counted, battles.c.changed_at < now - UNTOUCHED)
                old = old.order_by(battles.c.changed_at, battles.c.id).limit(too_many)
                given_way = await connection.execute(update(battles).where(battles.c.id.in_(old)).values(aside=True))
                if given_way.rowcount < too_many:
                    raise FullError
            await connection.execute(insert(battles).values(battle._asdict()))
            await _add(connection, battle.id, people)

    async def find(self, battle: str) -> Record | None:
        """The battle of this id with its log, wherever it is fought."""
        async with self._connections.read() as connection:
            row = (await connection.execute(statements.BATTLE, {"battle": battle})).first()
            if row is None:
                return None
            # What somebody rolls between the two questions belongs to the next who asks.
            log = await connection.execute(statements.LOG, {"battle": battle, "last": row.turn})
            entries = tuple(Roll(r.n, r.entry, r.hash, r.chance) for r in log)
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
        spot: Spot | None,
        presser: Player | None,
        fallen: Mapping[tuple[int, int], int],
    ) -> Fought | None:
        """Write one or more entries behind the first `turn`, all or none, and return the battle as it is then.

        None where somebody was first, or where the battle has ended or is gone. `chance` None leaves the one last
        known. `spot` is where it was pressed; the first of its messages is the one in the dice. `presser` joins the
        players if the tag is new; None where that person is known to be one of them. `fallen` says how often each face
        of a die with so many sides fell; it is counted where the battle is kept.
        """
        assert [entry.n for entry in entries] == list(range(turn + 1, turn + 1 + len(entries))), "a log without gaps"
        new = {"battle": battle, "after": turn, "to_turn": turn + len(entries), "to_head": entries[-1].hash, "at": at}
        new |= {"to_chance": chance, "more_judged": judged, "to_end": ended, "still_kept": kept, **_at(spot)}
        append = statements.append(bool(spot), bool(spot and spot.private))
        async with self._connections.write(guarded=True) as connection:
            row = (await connection.execute(append, new)).first()
            if row is None:
                return None
            await connection.execute(statements.ADD_ROLLS, [{"battle": battle, **entry._asdict()} for entry in entries])
            if presser:
                await connection.execute(statements.ADD_PLAYER, [{"battle": battle, **presser._asdict()}])
            if row.kept and fallen:
                await _count(connection, row.place, fallen)
        return _fought(row)

    async def end(self, battle: str, at: datetime) -> bool:
        """End a battle in a moderator's name; False where it has ended before, or is gone."""
        mine = battles.c.id == battle, battles.c.ended.is_(None)
        async with self._connections.write(guarded=True) as connection:
            done = await connection.execute(update(battles).where(*mine).values(ended=MODERATOR, changed_at=at))
            return done.rowcount > 0

    async def shown(self, battle: str, frame: int, spot: Spot | None = None, moves: bool = True) -> None:
        """Remember that people saw this frame of a battle, and that it `moves` to where they did.

        One that does not move is seen only where it is. What one person alone saw does not count where a message for
        all can be changed to show it. A battle that is not to be kept goes once people saw its end.
        """
        if spot and moves:
            self._lately[spot.message] = battle
        seen = {} if spot is None else _at(spot) if moves else {"to_message": spot.message}
        ours, private = bool(spot and spot.channel), bool(spot and spot.private)
        note = statements.note(bool(spot), private, ours, moves)
        async with self._connections.write(guarded=True) as connection:
            row = (await connection.execute(note, {"battle": battle, "frame": frame, **seen})).first()
            if row and not row.kept and row.ended is not None and row.is_seen:
                await connection.execute(delete(battles).where(battles.c.id == battle))

    async def give_up(self, battle: str, message: str) -> None:
        """Remember that this message can no longer be changed, if the battle was shown there."""
        mine = battles.c.id == battle, battles.c.shown_in == message
        async with self._connections.write(guarded=True) as connection:
            await connection.execute(update(battles).where(*mine).values(shown_in=None, channel=None))

    async def unshown(self, since: datetime, until: datetime) -> list[Fought]:
        """Battles whose message shows less than there is, changed between these moments, the earliest first.

        What a moderator has ended is among them however new: nobody else is about to show that.
        """
        behind = battles.c.shown < statements.NEWEST_FRAME, battles.c.changed_at >= since
        quiet = or_(battles.c.changed_at <= until, battles.c.ended == MODERATOR)
        where = *behind, quiet, battles.c.shown_in.is_not(None), battles.c.channel.is_not(None)
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

    async def history(self, place: str, user: str | None = None, limit: int = 25, going_on: bool = False) -> list[Told]:
        """The battles of a place that are kept, or those of a user there, the newest first.

        Those in which nothing was rolled are left out once they ended. `going_on` asks for all that have not ended,
        kept or not, and for no others.
        """
        unfinished = battles.c.ended.is_(None)
        wanted = [unfinished] if going_on else [battles.c.kept, or_(battles.c.turn > 0, unfinished)]
        where = *wanted, battles.c.place == place, *_with_user(user)
        newest = battles.c.started_at.desc(), battles.c.id.desc()
        async with self._connections.read() as connection:
            query = select(battles).where(*where).order_by(*newest).limit(limit)
            found = [_fought(row) for row in await connection.execute(query)]
            people = await _players(connection, [battle.id for battle in found])
            return [Told(battle, people.get(battle.id, ())) for battle in found]

    async def fortunes(self, place: str, user: str | None = None, other: str | None = None) -> list[Fortune]:
        """How it went in the battles of a place, the oldest first: of its attackers, or of a user on either side.

        Only what can be judged: kept, with a known chance at the start, fair rolls that led to the last one, and not
        ended by a moderator. With `other`, only battles that these two fought against each other.
        """
        known = battles.c.judged > 0, battles.c.start.is_not(None)
        fair = battles.c.kept, *known, battles.c.ended.is_distinct_from(MODERATOR)
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


def _at(spot: Spot | None) -> dict[str, str | None]:
    """Where a battle is shown, as `statements` call it."""
    if spot is None:
        return {}
    return {"to_message": spot.message} | ({} if spot.private else {"to_channel": spot.channel})


def _with_user(user: str | None) -> list[ColumnElement[bool]]:
    return [] if user is None else [battles.c.id.in_(select(players.c.battle).where(players.c.user == user))]


async def _players(connection: AsyncConnection, ids: Sequence[str]) -> dict[str, tuple[Player, ...]]:
    """Who was in each of these battles, in the order in which they came."""
    found: dict[str, tuple[Player, ...]] = {}
    for row in await connection.execute(statements.PLAYERS, {"battles": ids}):
        found[row.battle] = (*found.get(row.battle, ()), Player(row.tag, row.user, row.name, row.role))
    return found


async def _add(connection: AsyncConnection, battle: str, people: Sequence[Player]) -> None:
    if people:
        await connection.execute(insert(players), [{"battle": battle, **player._asdict()} for player in people])


async def _count(connection: AsyncConnection, place: str, fallen: Mapping[tuple[int, int], int]) -> None:
    # Sorted: two who count at once on a server of databases wait for each other in the same order.
    new = [{"place": place, "sides": s, "face": f, "count": n} for (s, f), n in sorted(fallen.items())]
    await connection.execute(statements.ADD_FACES, new)


def _fought(row: Row[Any]) -> Fought:
    return Fought(**row._mapping)
