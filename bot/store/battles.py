"""The live battles in the database: begin one, append rolls, note what was shown, and read the history."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from cachetools import LRUCache
from sqlalchemy import Row, and_, delete, func, insert, or_, select, update
from sqlalchemy.dialects.postgresql import insert as insert_or
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.errors import UserError
from bot.store import press_statements as statements
from bot.store.connections import Connections
from bot.store.records import (
    MODERATOR,
    BattleRecord,
    BattleSummary,
    FullError,
    LuckRecord,
    Player,
    Roll,
    Spot,
    StoredBattle,
)
from bot.store.tables import battles, faces, players

MOST_OF_ONE = 50
"""How many unfinished battles one person may have begun in one place."""
LATELY = timedelta(days=1)
"""Unfinished battles older than this do not count against a new one."""
UNTOUCHED = timedelta(hours=1)
"""After this time without a change, an unfinished battle gives way to a new one if its place is full."""
CLEAN_EVERY = timedelta(hours=1)
"""The time between two searches of a process for abandoned battles, for which all other writers wait."""
ABANDONED = timedelta(days=7)
"""After this time without a change, a battle is deleted if it has no rolls or is not to be kept."""
MOST_LATELY = 1_000
"""The number of messages whose battle is remembered in memory."""
NEWEST_FIRST = battles.c.started_at.desc(), battles.c.id.desc()


class Battles:
    """The battles of the database. A `place` is "guild:1", "user:2" or "terminal"."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        # The battle that each message shows: people may press before the database knows it.
        self._lately: LRUCache[str, str] = LRUCache(MOST_LATELY)
        self._cleaned: datetime | None = None

    def is_shown_in(self, message: str, battle: StoredBattle) -> bool:
        """Whether a message shows a battle now, or was its first."""
        if message == "0":  # a command, which comes from no message
            return False
        return message in (battle.message, battle.shown_in) or self._lately.get(message) == battle.id

    async def begin(self, battle: StoredBattle, people: Sequence[Player], limit: float) -> bool:
        """Store a new battle, and once in CLEAN_EVERY delete the abandoned battles of all places.

        A place has room for `limit` unfinished battles begun lately, and for MOST_OF_ONE of one person. If it is full,
        the battles untouched for longest are set aside, if they are UNTOUCHED. FullError if that frees too little room,
        or if the person who begins the battle has too many.

        Return whether it was stored; False if there is a battle of this id already, which stays as it is.
        """
        now = battle.started_at
        unfinished = battles.c.place == battle.place, battles.c.ended.is_(None), ~battles.c.aside
        counted = *unfinished, battles.c.started_at > now - LATELY
        began = and_(players.c.battle == battles.c.id, players.c.tag == battles.c.begun_by)
        beginner = next((player.user for player in people if player.tag == battle.begun_by), None)
        theirs = func.count(players.c.tag).filter(players.c.user == beginner)
        count = select(func.count().label("all"), theirs.label("theirs")).select_from(battles).where(*counted)
        await self._delete_abandoned(now)
        async with self._connections.write(battle.place) as connection:
            there = (await connection.execute(count.outerjoin(players, began))).one()
            if there.theirs >= MOST_OF_ONE:
                raise FullError
            too_many = there.all - limit + 1
            if too_many > 0:
                old = select(battles.c.id).where(*counted, battles.c.changed_at < now - UNTOUCHED)
                old = old.order_by(battles.c.changed_at, battles.c.id).limit(too_many)
                given_way = await connection.execute(update(battles).where(battles.c.id.in_(old)).values(aside=True))
                if given_way.rowcount < too_many:
                    raise FullError
            new = insert_or(battles).values(battle._asdict()).on_conflict_do_nothing()
            if not (await connection.execute(new)).rowcount:
                return False
            if people:
                await connection.execute(insert(players), [{"battle": battle.id, **who._asdict()} for who in people])
            return True

    async def _delete_abandoned(self, now: datetime) -> None:
        """Delete the abandoned battles of all places, once in CLEAN_EVERY; if others write, the next time will do."""
        if self._cleaned and now - self._cleaned < CLEAN_EVERY:
            return
        self._cleaned = now
        of_no_worth = or_(battles.c.turn == 0, ~battles.c.kept)
        with suppress(UserError):
            async with self._connections.write() as connection:
                await connection.execute(delete(battles).where(of_no_worth, battles.c.changed_at < now - ABANDONED))

    async def find(self, battle: str) -> BattleRecord | None:
        """Return the battle of this id with its players and log, in whichever place; None if there is none."""
        async with self._connections.read(several=True) as connection:
            row = (await connection.execute(statements.BATTLE, {"battle": battle})).first()
            if row is None:
                return None
            # Rolls that arrive between these two queries are left to the next call.
            log = await connection.execute(statements.LOG, {"battle": battle, "last": row.turn})
            entries = tuple(Roll(*entry) for _battle, *entry in log)
            people = (await _players(connection, [battle])).get(battle, ())
            return BattleRecord(_battle_from(row), people, entries)

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
    ) -> StoredBattle | None:
        """Write one or more log entries after the first `turn`, all or none; `at` is the time of the press.

        Return the battle after the change; None if another press was first, or the battle has ended or is gone.

        Args:
            chance: The attacker's chance to win now; None leaves the last known one.
            ended: How the battle ended; None if it goes on.
            judged: The number of fair rolls to add to the judged ones.
            kept: Whether the battle stays in the history; False is final.
            spot: Where the button was pressed; the first message becomes a part of the dice.
            presser: The person who pressed, to join the players if the tag is new; None for a known player.
            fallen: How often each (sides, face) fell; counted for battles that are kept.
        """
        assert [entry.n for entry in entries] == list(range(turn + 1, turn + 1 + len(entries))), "a log without gaps"
        new = {"battle": battle, "after": turn, "to_turn": turn + len(entries), "to_head": entries[-1].hash, "at": at}
        new |= {"to_chance": chance, "more_judged": judged, "to_end": ended, "still_kept": kept, **_spot_values(spot)}
        append = statements.append(bool(spot), bool(spot and spot.private))
        async with self._connections.write(guarded=True) as connection:
            row = (await connection.execute(append, new)).first()
            if row is None:
                return None
            await connection.execute(statements.ADD_ROLLS, [{"battle": battle, **entry._asdict()} for entry in entries])
            if presser:
                await connection.execute(statements.ADD_PLAYER, [{"battle": battle, **presser._asdict()}])
            if row.kept and fallen:
                await _count_faces(connection, row.place, fallen)
        return _battle_from(row)

    async def end(self, battle: str, at: datetime) -> bool:
        """End a battle in a moderator's name; return False if it has ended already or is gone."""
        mine = battles.c.id == battle, battles.c.ended.is_(None)
        return await self._connections.execute(update(battles).where(*mine).values(ended=MODERATOR, changed_at=at)) > 0

    async def mark_mistyped(
        self, battle: str, entry: Roll, *, at: datetime, kept: bool, presser: Player | None
    ) -> StoredBattle | None:
        """Write the log entry that marks a battle as mistyped, and end the battle if it goes on.

        `at`, `kept` and `presser` are those of `append`; a battle that has ended before stays in the history.

        Return the battle after the change; None if another press was first, or the battle is marked already or gone.
        """
        new = {"battle": battle, "after": entry.n - 1, "to_head": entry.hash, "at": at, "still_kept": kept}
        async with self._connections.write(guarded=True) as connection:
            row = (await connection.execute(statements.MARK_MISTYPED, new)).first()
            if row is None:
                return None
            await connection.execute(statements.ADD_ROLLS, [{"battle": battle, **entry._asdict()}])
            if presser:
                await connection.execute(statements.ADD_PLAYER, [{"battle": battle, **presser._asdict()}])
        return _battle_from(row)

    async def mark_seen(self, battle: str, frame: int, spot: Spot | None = None, moves: bool = True) -> bool:
        """Note that a frame of a battle was shown at `spot`; with `moves` the battle is shown there from now on.

        Without `moves` the frame counts only if `spot` is the battle's message. A private frame does not count while
        the bot can change a public message. A battle that is not to be kept is deleted after its last frame.

        Return whether the battle has a newer frame.
        """
        if spot and moves:
            self._lately[spot.message] = battle
        seen = {} if spot is None else _spot_values(spot) if moves else {"to_message": spot.message}
        ours, private = bool(spot and spot.channel), bool(spot and spot.private)
        note = statements.mark_seen(bool(spot), private, ours, moves)
        async with self._connections.write(guarded=True) as connection:
            row = (await connection.execute(note, {"battle": battle, "frame": frame, **seen})).first()
            if row and not row.kept and row.ended is not None and row.is_seen:
                await connection.execute(delete(battles).where(battles.c.id == battle))
            return row is not None and row.newest > frame

    async def forget_message(self, battle: str, message: str) -> None:
        """Note that this message of a battle can no longer be changed."""
        mine = battles.c.id == battle, battles.c.shown_in == message
        await self._connections.execute(update(battles).where(*mine).values(shown_in=None, channel=None))

    async def list_outdated(
        self, since: datetime, until: datetime, at_once: Collection[str] = ()
    ) -> list[StoredBattle]:
        """Return the battles changed between these times whose message shows an older frame, the earliest first.

        Battles ended by a moderator or marked as mistyped and those in `at_once` are included however new they are:
        nobody else is about to show their newest frame.
        """
        behind = battles.c.shown < statements.NEWEST_FRAME, battles.c.changed_at >= since
        alone = or_(battles.c.ended == MODERATOR, battles.c.mistyped, battles.c.id.in_(at_once))
        quiet = or_(battles.c.changed_at <= until, alone)
        where = *behind, quiet, battles.c.shown_in.is_not(None), battles.c.channel.is_not(None)
        query = select(battles).where(*where).order_by(battles.c.changed_at, battles.c.id)
        return [_battle_from(row) for row in await self._connections.rows(query)]

    async def count_unfinished(self) -> int:
        """Return the number of unfinished battles."""
        query = select(func.count()).select_from(battles).where(battles.c.ended.is_(None))
        return await self._connections.scalar(query) or 0

    async def latest_id(self, place: str) -> str | None:
        """Return the id of the newest battle of a place; None if it has none."""
        query = select(battles.c.id).where(battles.c.place == place).order_by(*NEWEST_FIRST).limit(1)
        newest: str | None = await self._connections.scalar(query)
        return newest

    async def history(
        self, place: str, user: str | None = None, limit: int = 25, going_on: bool = False
    ) -> list[BattleSummary]:
        """Return the kept battles of a place, or those of one user there, the newest first.

        Ended battles without rolls and those marked as mistyped are left out. With `going_on`, return all unfinished
        battles, kept or not, instead.
        """
        unfinished = battles.c.ended.is_(None)
        listed = battles.c.kept, ~battles.c.mistyped, or_(battles.c.turn > 0, unfinished)
        where = [*([unfinished] if going_on else listed), battles.c.place == place]
        if user is not None:
            where.append(battles.c.id.in_(select(players.c.battle).where(players.c.user == user)))
        async with self._connections.read(several=True) as connection:
            query = select(battles).where(*where).order_by(*NEWEST_FIRST).limit(limit)
            latest = [_battle_from(row) for row in await connection.execute(query)]
            people = await _players(connection, [battle.id for battle in latest])
            return [BattleSummary(battle, people.get(battle.id, ())) for battle in latest]

    async def luck_records(
        self, place: str, user: str | None = None, other: str | None = None, since: datetime | None = None
    ) -> list[LuckRecord]:
        """Return the battles of a place for the luck statistics, the oldest first: of each player, or of one user.

        Only kept battles count that have a known first chance and fair rolls, were not ended by a moderator and are not
        marked as mistyped. With `other`, only battles between these two users count, and with `since`, only those that
        began then or later.
        """
        known = battles.c.judged > 0, battles.c.start.is_not(None)
        fair = battles.c.kept, *known, battles.c.ended.is_distinct_from(MODERATOR), ~battles.c.mistyped
        mine, theirs = players.alias("mine"), players.alias("theirs")
        chances = battles.c.start, func.coalesce(battles.c.chance, battles.c.start)
        query = select(battles.c.id, *chances, mine.c.role, mine.c.user, mine.c.name)
        query = query.join(mine, mine.c.battle == battles.c.id).where(*fair, battles.c.place == place)
        query = query.where(mine.c.role != "").order_by(battles.c.started_at, battles.c.id, mine.c.tag)
        if user is not None:
            query = query.where(mine.c.user == user)
        if other is not None:
            query = query.join(theirs, theirs.c.battle == battles.c.id)
            query = query.where(theirs.c.user == other, theirs.c.role != "", theirs.c.role != mine.c.role)
        if since is not None:
            query = query.where(battles.c.started_at >= since)
        return [LuckRecord(*row) for row in await self._connections.rows(query)]

    async def faces(self, place: str) -> dict[int, dict[int, int]]:
        """Return how often each face fell in a place, by the number of sides of the die: {6: {1: 17, ...}}."""
        query = select(faces).where(faces.c.place == place).order_by(faces.c.sides, faces.c.face)
        counts: dict[int, dict[int, int]] = {}
        for _place, sides, face, count in await self._connections.rows(query):
            counts.setdefault(sides, {})[face] = count
        return counts


def _spot_values(spot: Spot | None) -> dict[str, str | None]:
    """Return the parameters of `statements` for a spot."""
    if spot is None:
        return {}
    return {"to_message": spot.message} | ({} if spot.private else {"to_channel": spot.channel})


async def _players(connection: AsyncConnection, ids: Sequence[str]) -> dict[str, tuple[Player, ...]]:
    """Return the players of each battle, in the order in which they joined."""
    people: dict[str, tuple[Player, ...]] = {}
    for battle, *player in await connection.execute(statements.PLAYERS, {"battles": ids}):
        people[battle] = (*people.get(battle, ()), Player(*player))
    return people


async def _count_faces(connection: AsyncConnection, place: str, fallen: Mapping[tuple[int, int], int]) -> None:
    # Sorted: two transactions that count at once then lock the rows in one order, and cannot wait for each other.
    new = [{"place": place, "sides": s, "face": f, "count": n} for (s, f), n in sorted(fallen.items())]
    await connection.execute(statements.ADD_FACES, new)


def _battle_from(row: Row[Any]) -> StoredBattle:
    return StoredBattle(**row._mapping)
