"""Battles in the database: nothing that was rolled is lost or doubled, and nothing of a person stays who asks so."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import nullcontext
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from bot.errors import UserError
from bot.store import connections, postgres
from bot.store.database import Store, open_store
from bot.store.records import MODERATOR, LuckRecord, Player, Roll, Spot, StoredBattle
from bot.store.tables import metadata
from tests.helpers import forked
from tests.helpers.bot.rolled_battles import ALICE, BOB, CAROL, NOON, check_chain, fought, found, roll, rolled

TABLES = "battles", "rolls", "players", "faces", "settings"


@pytest.fixture
async def store(where: Path | str) -> AsyncIterator[Store]:
    async with open_store(where) as opened:
        yield opened


async def rows(store: Store) -> dict[str, int]:
    """How many rows each table has that is about battles."""
    return {name: len(await dump(store, name)) for name in TABLES}


async def dump(store: Store, *tables: str) -> list[str]:
    """All that these tables hold, or all of them, a row each."""
    async with store.battles._connections.read() as connection:
        return [
            str(row)
            for name in tables or metadata.tables
            for row in await connection.execute(select(metadata.tables[name]))
        ]


async def test_a_stored_battle_is_read_as_it_was_written(where: Path | str) -> None:
    two = NOON + timedelta(hours=2)
    async with open_store(where) as store:
        await store.battles.begin(fought(), [ALICE, BOB], 500)
        assert await roll(store.battles, count=2, chance=0.5)
        assert await roll(store.battles, turn=2, presser=CAROL, chance=None, spot=Spot("78", "89"), judged=0)
        assert (await found(store.battles)).battle.chance == 0.5, "the last that is known"
        assert await roll(store.battles, turn=3, chance=1.0, ended="won", at=two, spot=None)
    async with open_store(where) as store:
        record = await found(store.battles)
        check_chain(record)
        assert record.players == (ALICE, BOB, CAROL)
        assert [entry.chance for entry in record.rolls] == [0.5] * 4
        ended = fought(turn=4, head=record.rolls[-1].hash, chance=1.0, judged=3, ended="won")
        assert record.battle == ended._replace(message="77", shown_in="78", channel="89", changed_at=two)


async def test_players_are_stored_in_the_order_of_joining(store: Store) -> None:
    await store.battles.begin(fought(), [Player(str(tag), None, "", "") for tag in range(1, 10)], 500)
    for turn in range(3):
        await roll(store.battles, turn=turn, presser=Player(str(turn + 10), None, "", ""))
    assert [player.tag for player in (await found(store.battles)).players] == [str(tag) for tag in range(1, 13)]


async def test_of_ten_presses_at_once_only_one_rolls(store: Store) -> None:
    await store.battles.begin(fought(), [ALICE, BOB], 500)
    for turn in (0, 1):
        pressed = await asyncio.gather(*(roll(store.battles, turn=turn, presser=CAROL) for _ in range(10)))
        assert sorted(pressed) == [False] * 9 + [True]
    record = await found(store.battles)
    check_chain(record)
    assert record.battle.turn == 2
    assert await store.battles.faces("guild:1") == {6: {4: 2, 5: 2, 6: 2}}


@pytest.mark.whole
async def test_of_fifty_presses_in_two_programs_only_one_rolls(where: Path | str) -> None:
    async with open_store(where) as one, open_store(where) as two:
        await one.battles.begin(fought(), [ALICE, BOB], 500)
        pressed = await asyncio.gather(*(roll(store.battles, count=2) for store in (one, two) for _ in range(25)))
        assert sorted(pressed) == [False] * 49 + [True]
        record = await found(two.battles)
    check_chain(record)
    assert record.battle.turn == 2


async def test_a_roll_is_written_whole_or_not_at_all(store: Store) -> None:
    await store.battles.begin(fought(), [ALICE], 500)
    before, counts = await found(store.battles), await rows(store)
    with pytest.raises(IntegrityError):
        await roll(store.battles, fallen={(6, 1): None})
    assert await found(store.battles) == before
    assert await rows(store) == counts
    assert await roll(store.battles, count=2)
    with pytest.raises(AssertionError, match="without gaps"):
        await store.battles.append(
            "aaaaaaaa",
            5,
            (await found(store.battles)).rolls,
            at=NOON,
            chance=None,
            ended=None,
            judged=0,
            kept=True,
            spot=None,
            presser=None,
            fallen={},
        )


async def test_a_battle_that_has_ended_or_is_gone_takes_no_roll(store: Store) -> None:
    await store.battles.begin(fought(), [ALICE], 500)
    assert await roll(store.battles, ended="retreat")
    assert not await roll(store.battles, turn=1)
    assert not await roll(store.battles, "bbbbbbbb")
    assert (await found(store.battles)).battle.turn == 1


async def test_a_battle_is_marked_as_mistyped_once_and_only_after_its_last_roll(store: Store) -> None:
    two = NOON + timedelta(hours=2)
    for name, ended in (("aaaaaaaa", None), ("bbbbbbbb", "won"), ("cccccccc", MODERATOR)):
        await store.battles.begin(fought(name), [ALICE, BOB], 500)
        assert await roll(store.battles, name, count=2)
        if ended == MODERATOR:
            assert await store.battles.end(name, NOON)
        assert ended != "won" or await roll(store.battles, name, turn=2, ended="won")
        before = await found(store.battles, name)
        (early,), (entry,) = rolled("", 1), rolled(before.battle.head, before.battle.turn)
        assert await mark(store, name, early) is None, "somebody has rolled"
        marked = await asyncio.gather(*(mark(store, name, entry, at=two) for _ in range(5)))
        assert [battle is None for battle in marked].count(False) == 1
        record = await found(store.battles, name)
        check_chain(record)
        assert record.battle in marked
        assert record.battle == before.battle._replace(
            turn=before.battle.turn + 1, head=entry.hash, changed_at=two, ended=ended or "stopped", mistyped=True
        )
        assert record.players == (ALICE, BOB, CAROL)
        assert record.battle.frame == before.battle.frame + 1
        assert record.battle in await store.battles.list_outdated(NOON, NOON), "nobody else shows it"
        (later,) = rolled(entry.hash, entry.n)
        assert await mark(store, name, later) is None, "once is enough"
        assert not await roll(store.battles, name, turn=entry.n)
        assert not await store.battles.end(name, two)
    assert await mark(store, "dddddddd", entry) is None
    await store.battles.begin(fought("eeeeeeee"), [ALICE, BOB], 500)
    await roll(store.battles, "eeeeeeee", ended="won")
    for user in (None, ALICE.user):
        assert [battle.id for battle, _players in await store.battles.history("guild:1", user)] == ["eeeeeeee"]
        assert {record.id for record in await store.battles.luck_records("guild:1", user)} == {"eeeeeeee"}
    assert await store.battles.history("guild:1", going_on=True) == []


async def test_a_mark_ends_a_battle_as_the_history_of_its_place_is(store: Store) -> None:
    for name, ended, stays in (("aaaaaaaa", None, False), ("bbbbbbbb", "won", True)):
        await store.battles.begin(fought(name), [ALICE], 500)
        await roll(store.battles, name, ended=ended)
        (entry,) = rolled((await found(store.battles, name)).battle.head, 1)
        marked = await mark(store, name, entry, kept=False)
        assert marked
        assert marked.kept == stays


async def mark(store: Store, name: str, entry: Roll, **given: Any) -> StoredBattle | None:
    """Mark a battle as mistyped, in the name of somebody who has not pressed before."""
    about: dict[str, Any] = {"at": NOON, "kept": True, "presser": CAROL}
    return await store.battles.mark_mistyped(name, entry, **about | given)


async def test_rolls_reported_before_a_kill_are_stored(where: Path | str) -> None:
    async with open_store(where) as store:
        await store.battles.begin(fought(), [ALICE, BOB], 500)
    done = await forked.run_async("tests.helpers.bot.rolled_battles", str(where), "6")
    assert (done.returncode, done.stderr) == (0, b"")
    told = [int(line) for line in done.stdout.split()]
    assert len(told) >= 6
    assert told == sorted(set(told)), "each process goes on behind the last, or behind a roll nobody was told"
    async with open_store(where) as store:
        record = await found(store.battles)
        check_chain(record)
        assert record.battle.turn >= told[-1]
        assert record.battle.turn % 3 == 0, "no half round"
        turns = record.battle.turn
        assert await store.battles.faces("guild:1") == {6: {4: turns, 5: turns, 6: turns}}
        assert record.battle.turn - len(told) * 3 <= 6 * 3, "a kill hides at most one round from those who watch"


async def test_sqlite_syncs_each_commit_to_disk(tmp_path: Path) -> None:
    async with open_store(tmp_path / "sandtable.db") as store, store.battles._connections.read() as connection:
        assert (await connection.exec_driver_sql("PRAGMA synchronous")).scalar() == 2


async def test_a_battle_without_history_is_deleted_once_its_end_was_shown(store: Store) -> None:
    await store.battles.begin(fought(kept=False), [ALICE, BOB], 500)
    await roll(store.battles, count=2)
    await store.battles.mark_seen("aaaaaaaa", 2)
    await roll(store.battles, turn=2, ended="won", presser=CAROL)
    await store.battles.mark_seen("aaaaaaaa", 2)
    check_chain(await found(store.battles))
    await store.battles.mark_seen("aaaaaaaa", 3)
    assert await rows(store) == dict.fromkeys(TABLES, 0)
    await store.battles.begin(fought(), [ALICE, BOB], 500)
    await roll(store.battles, ended="won")
    await store.battles.mark_seen("aaaaaaaa", 1)
    assert await rows(store) == {"battles": 1, "rolls": 1, "players": 2, "faces": 3, "settings": 0}


async def test_the_last_shown_turn_never_goes_back(store: Store) -> None:
    await store.battles.begin(fought(), [ALICE], 500)
    assert (await found(store.battles)).battle.shown == -1
    for turn, known in ((0, 0), (2, 2), (1, 2)):
        await store.battles.mark_seen("aaaaaaaa", turn)
        assert (await found(store.battles)).battle.shown == known


async def test_outdated_messages_are_listed(store: Store) -> None:
    for minute, name in enumerate(("aaaaaaaa", "bbbbbbbb", "cccccccc", "dddddddd", "eeeeeeee")):
        await store.battles.begin(fought(name, f"guild:{minute}", minute), [ALICE], 500)
    hour = NOON + timedelta(hours=1)
    await roll(store.battles, "aaaaaaaa", at=hour)
    await roll(store.battles, "bbbbbbbb", at=hour - timedelta(minutes=1), ended="won")
    await roll(store.battles, "cccccccc", at=hour)
    await store.battles.mark_seen("cccccccc", 1)
    await roll(store.battles, "dddddddd", at=hour, spot=None)
    await roll(store.battles, "eeeeeeee", at=hour, spot=Spot("77"))
    behind = await store.battles.list_outdated(NOON, hour)
    assert [(battle.id, battle.shown_in, battle.channel) for battle in behind] == [
        ("bbbbbbbb", "77", "88"),
        ("aaaaaaaa", "77", "88"),
    ]
    earlier = hour - timedelta(minutes=1)
    assert [battle.id for battle in await store.battles.list_outdated(hour, hour)] == ["aaaaaaaa"]
    assert [battle.id for battle in await store.battles.list_outdated(NOON, earlier)] == ["bbbbbbbb"]


async def test_the_history_has_the_newest_first(store: Store) -> None:
    await store.battles.begin(fought("aaaaaaaa"), [ALICE, BOB], 500)
    await store.battles.begin(fought("bbbbbbbb", minute=2), [ALICE], 500)
    await store.battles.begin(fought("cccccccc", minute=1), [BOB], 500)
    await store.battles.begin(fought("dddddddd", minute=3, kept=False), [BOB], 500)
    await store.battles.begin(fought("eeeeeeee", minute=4, ended="stopped"), [BOB], 500)
    await store.battles.begin(fought("ffffffff", "guild:2"), [BOB], 500)
    await roll(store.battles, "bbbbbbbb", ended="won", presser=CAROL)

    async def history(user: str | None = None, limit: int = 25) -> list[str]:
        return [told.battle.id for told in await store.battles.history("guild:1", user, limit)]

    assert await history() == ["bbbbbbbb", "cccccccc", "aaaaaaaa"]
    assert await history(None, 2) == ["bbbbbbbb", "cccccccc"]
    assert await history("1001") == ["bbbbbbbb", "aaaaaaaa"]
    assert await history("1003") == ["bbbbbbbb"]
    assert [told.players for told in await store.battles.history("guild:1")] == [(ALICE, CAROL), (BOB,), (ALICE, BOB)]
    assert await store.battles.latest_id("guild:1") == "eeeeeeee"
    assert await store.battles.latest_id("guild:3") is None


async def test_luck_counts_fair_battles_of_one_side(store: Store) -> None:
    alice, bob = ALICE._replace(role="defender"), BOB._replace(tag="1", role="attacker")
    carol = CAROL._replace(tag="2", role="defender")
    await store.battles.begin(fought("bbbbbbbb", minute=1), [alice, bob._replace(tag="2")], 500)
    await store.battles.begin(fought("aaaaaaaa"), [ALICE, BOB], 500)
    await store.battles.begin(fought("cccccccc", minute=2), [ALICE, carol], 500)
    await store.battles.begin(fought("dddddddd", minute=3, start=None), [ALICE, BOB], 500)
    await store.battles.begin(fought("eeeeeeee", minute=4, kept=False), [ALICE, BOB], 500)
    await store.battles.begin(fought("ffffffff", minute=5), [ALICE, BOB], 500)
    await store.battles.begin(fought("gggggggg", minute=6), [BOB, CAROL], 500)
    await store.battles.begin(fought("hhhhhhhh", "guild:3"), [ALICE, BOB._replace(role="attacker")], 500)
    for name in ("aaaaaaaa", "cccccccc", "dddddddd", "eeeeeeee", "hhhhhhhh"):
        await roll(store.battles, name, presser=Player("9", "1009", "Dora", ""))
    await roll(store.battles, "bbbbbbbb", chance=1.0, ended="won")
    await roll(store.battles, "gggggggg", judged=0)

    first = LuckRecord("aaaaaaaa", 0.75, 0.5, "attacker", "1001", "Alice")
    second = LuckRecord("bbbbbbbb", 0.75, 1.0, "defender", "1001", "Alice")
    third = first._replace(id="cccccccc")
    bobs = [first._replace(role="defender", user="1002", name="Bob")]
    bobs.append(second._replace(role="attacker", user="1002", name="Bob"))
    carols = third._replace(role="defender", user="1003", name="Carol")
    assert await store.battles.luck_records("guild:1") == [first, bobs[0], second, bobs[1], third, carols]
    assert await store.battles.luck_records("guild:1", "1001") == [first, second, third]
    assert await store.battles.luck_records("guild:1", "1001", "1002") == [first, second]
    assert await store.battles.luck_records("guild:1", "1002", "1001") == bobs
    assert await store.battles.luck_records("guild:1", "1003", "1002") == []
    assert await store.battles.luck_records("guild:2") == []
    assert await store.battles.luck_records("guild:1", "1009") == [], "whose press it was is not whose luck"
    assert await store.battles.luck_records("guild:1", "1001", "1009") == []
    assert len(await store.battles.luck_records("guild:3", "1001")) == 1
    assert await store.battles.luck_records("guild:3", "1001", "1002") == [], "they fought on one side"
    later = NOON + timedelta(minutes=1)
    assert await store.battles.luck_records("guild:1", since=later) == [second, bobs[1], third, carols]
    assert await store.battles.luck_records("guild:1", "1001", "1002", later) == [second]
    assert await store.battles.luck_records("guild:1", "1001", since=later + timedelta(minutes=2)) == []
    await store.cleaning.erase("1001")
    assert await store.battles.luck_records("guild:1", "1001") == []
    forgotten = [record._replace(user=None, name="") for record in (first, second, third)]
    assert [record for record in await store.battles.luck_records("guild:1") if not record.user] == forgotten


async def test_faces_are_counted_where_battles_are_kept(store: Store) -> None:
    await store.battles.begin(fought(), [ALICE], 500)
    await store.battles.begin(fought("bbbbbbbb", "guild:2"), [ALICE], 500)
    await store.battles.begin(fought("cccccccc", "guild:2", kept=False), [ALICE], 500)
    await roll(store.battles, count=4)
    await roll(store.battles, turn=4, fallen={(8, 8): 2, (6, 1): 1})
    await roll(store.battles, turn=5, fallen={}, judged=0)
    await roll(store.battles, "bbbbbbbb")
    await roll(store.battles, "cccccccc")
    assert await store.battles.faces("guild:1") == {6: {1: 1, 4: 4, 5: 4, 6: 4}, 8: {8: 2}}
    assert await store.battles.faces("guild:2") == {6: {4: 1, 5: 1, 6: 1}}


async def test_abandoned_battles_are_deleted_after_a_week(store: Store) -> None:
    await store.battles.begin(fought("aaaaaaaa"), [ALICE], 500)
    await store.battles.begin(fought("bbbbbbbb"), [ALICE], 500)
    await store.battles.begin(fought("cccccccc", kept=False), [ALICE], 500)
    await store.battles.begin(fought("dddddddd", minute=120), [ALICE], 500)
    await roll(store.battles, "bbbbbbbb")
    await roll(store.battles, "cccccccc", presser=CAROL)
    week = 7 * 24 * 60
    await store.battles.begin(fought("eeeeeeee", "guild:2", minute=week), [BOB], 500)
    assert await store.battles.find("aaaaaaaa") is not None
    await store.battles.begin(fought("ffffffff", "guild:2", minute=week + 90), [BOB], 500)
    left = [name for name in ("aaaaaaaa", "bbbbbbbb", "cccccccc", "dddddddd") if await store.battles.find(name)]
    assert left == ["bbbbbbbb", "dddddddd"], "what was rolled stays, unless it was not to be kept"
    assert await rows(store) == {"battles": 4, "rolls": 1, "players": 4, "faces": 3, "settings": 0}


async def test_a_writer_locked_out_by_another_program_gets_a_sentence(
    where: Path | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = isinstance(where, Path)
    async with open_store(where) as other:
        monkeypatch.setattr(connections, "PATIENCE", 0.05)
        monkeypatch.setitem(postgres.SESSION, "lock_timeout", "50ms")
        async with open_store(where) as store:
            await store.battles.begin(fought(), [ALICE], 500)
            async with other.battles._connections.write():
                for refused in (store.battles.begin(fought("bbbbbbbb"), [], 500), store.cleaning.erase("1001")):
                    with pytest.raises(UserError, match="busy right now"):
                        await refused
                for guarded in (
                    roll(store.battles),
                    store.battles.mark_seen("aaaaaaaa", 0),
                    store.set_settings("guild:1", {"history": "off"}),
                ):
                    with pytest.raises(UserError, match="busy right now") if file else nullcontext():
                        await guarded
                assert await store.battles.latest_id("guild:1") == "aaaaaaaa"
            assert await roll(store.battles, turn=0 if file else 1)
