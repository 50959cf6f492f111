"""Battles in the database: how many a place has room for, where each is shown, and how a moderator ends one."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.live.fair import MODERATOR
from bot.store import battles
from bot.store.database import Store, open_store
from bot.store.records import FullError, Player, Spot
from tests.helpers.bot.rolled_battles import ALICE, BOB, CAROL, NOON, check_chain, fought, found, roll


@pytest.fixture
async def store(where: Path | str) -> AsyncIterator[Store]:
    async with open_store(where) as opened:
        yield opened


# How many there is room for


async def going_on(store: Store, place: str = "guild:1") -> list[str]:
    """The unfinished battles of a place that count, the first first."""
    found = await store.battles.history(place, limit=100, going_on=True)
    return [told.battle.id for told in reversed(found) if not told.battle.aside]


async def test_a_place_has_a_limit_of_unfinished_battles(store: Store) -> None:
    names = [f"aaaaaaa{number}" for number in range(5)]
    begun = await asyncio.gather(
        *(store.battles.begin(fought(name), [ALICE], 3) for name in names), return_exceptions=True
    )
    assert sum(isinstance(result, FullError) for result in begun) == 2
    await store.battles.begin(fought("bbbbbbbb", "guild:2"), [ALICE], 3)
    with pytest.raises(FullError):
        await store.battles.begin(fought("cccccccc", minute=60), [ALICE], 3)
    first, *others = await going_on(store)
    assert len(others) == 2
    await roll(store.battles, first, ended="won")
    await store.battles.begin(fought("cccccccc", minute=60), [ALICE], 3)


async def test_a_full_place_sets_aside_battles_idle_for_an_hour(store: Store) -> None:
    for minute, name in enumerate(("aaaaaaaa", "bbbbbbbb", "cccccccc")):
        await store.battles.begin(fought(name, minute=minute), [ALICE], 3)
    await roll(store.battles, "aaaaaaaa", at=NOON + timedelta(minutes=30))
    await store.battles.begin(fought("dddddddd", minute=62), [BOB], 3)
    assert await going_on(store) == ["aaaaaaaa", "cccccccc", "dddddddd"]
    with pytest.raises(FullError):
        await store.battles.begin(fought("eeeeeeee", minute=62), [BOB], 3)
    await store.battles.begin(fought("eeeeeeee", minute=63), [BOB], 3)
    assert await going_on(store) == ["aaaaaaaa", "dddddddd", "eeeeeeee"]
    await store.battles.begin(fought("ffffffff", minute=140), [BOB], 2)
    assert await going_on(store) == ["eeeeeeee", "ffffffff"], "as many as a host who wants fewer asks for"


async def test_a_battle_that_was_set_aside_goes_on(store: Store) -> None:
    await store.battles.begin(fought("aaaaaaaa"), [ALICE, BOB], 1)
    await roll(store.battles, "aaaaaaaa", at=NOON)
    before = await found(store.battles)
    await store.battles.begin(fought("bbbbbbbb", minute=61), [ALICE], 1)
    aside = await found(store.battles)
    assert aside == before._replace(battle=before.battle._replace(aside=True)), "nothing else of it changes"
    assert await roll(store.battles, "aaaaaaaa", turn=1, at=NOON + timedelta(hours=2), ended="won")
    check_chain(await found(store.battles))
    assert {told.battle.id for told in await store.battles.history("guild:1")} == {"aaaaaaaa", "bbbbbbbb"}


@pytest.mark.whole
async def test_ten_people_cannot_fill_a_place_for_good(store: Store) -> None:
    for who in range(10):
        greedy = Player("1", f"20{who}", f"Greedy {who}", "attacker")
        for number in range(5):
            await store.battles.begin(fought(f"aaaaa{who}{number}"), [greedy], 50)
    with pytest.raises(FullError):
        await store.battles.begin(fought("bbbbbbbb", minute=59), [ALICE], 50)
    for number in range(5):
        await store.battles.begin(fought(f"bbbbbbb{number}", minute=61 + number), [ALICE], 50)


async def test_an_unfinished_battle_counts_only_for_its_starter(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(battles, "MOST_OF_ONE", 2)
    bob = BOB._replace(tag="1", role="attacker")
    for name in ("aaaaaaaa", "bbbbbbbb"):
        await store.battles.begin(fought(name), [ALICE, BOB], 500)
        await roll(store.battles, name, presser=CAROL)
    with pytest.raises(FullError):
        await store.battles.begin(fought("cccccccc", minute=24 * 60 - 1), [ALICE, BOB], 500)
    with pytest.raises(FullError):
        # A fight again in the old roles, begun by who defends.
        await store.battles.begin(fought("cccccccc", begun_by="2"), [bob, ALICE._replace(tag="2")], 500)
    for number in range(2):
        await store.battles.begin(fought(f"ccccccc{number}", begun_by="2"), [ALICE, BOB], 500)
    with pytest.raises(FullError):
        await store.battles.begin(fought("dddddddd"), [bob], 500)
    await store.battles.begin(fought("dddddddd"), [CAROL._replace(tag="1")], 500)
    await store.battles.begin(fought("eeeeeeee", "guild:2"), [ALICE], 500)
    await store.battles.begin(fought("ffffffff", minute=24 * 60), [ALICE], 500)


# Where a battle is shown


async def place_of(store: Store) -> tuple[str | None, str | None, str | None]:
    """The message in the dice, and the message and channel where the battle is shown."""
    battle = (await found(store.battles)).battle
    return battle.message, battle.shown_in, battle.channel


async def test_the_message_of_a_battle_is_stored_and_moves(store: Store) -> None:
    await store.battles.begin(fought(), [ALICE], 500)
    assert await place_of(store) == (None, None, None)
    await store.battles.mark_seen("aaaaaaaa", 0, Spot("70", "80"))
    assert await place_of(store) == (None, "70", "80")
    await store.battles.mark_seen("aaaaaaaa", 0, Spot("71", "81"))
    assert await place_of(store) == (None, "71", "81")
    await roll(store.battles, spot=Spot("71", "81"))
    assert await place_of(store) == ("71", "71", "81"), "the first message that was pressed is part of the dice"
    await roll(store.battles, turn=1, spot=Spot("70", "80"))
    assert await place_of(store) == ("71", "70", "80"), "whoever presses looks there"
    await store.battles.mark_seen("aaaaaaaa", 2, Spot("72"))
    assert await place_of(store) == ("71", "72", None), "all see it, where we are no members"
    await store.battles.mark_seen("aaaaaaaa", 2)
    assert await place_of(store) == ("71", "72", None)


async def test_a_battle_moved_with_an_older_frame_is_outdated(store: Store) -> None:
    """Somebody opens it elsewhere while it is rolled on: what is sent there may be older than the last roll."""
    await store.battles.begin(fought(), [ALICE], 500)
    await roll(store.battles, spot=Spot("70", "80"))
    await store.battles.mark_seen("aaaaaaaa", 1, Spot("70", "80"))
    await store.battles.mark_seen("aaaaaaaa", 0, Spot("71", "81"))
    assert [battle.shown_in for battle in await store.battles.list_outdated(NOON, NOON + timedelta(hours=1))] == ["71"]
    await store.battles.mark_seen("aaaaaaaa", 1, Spot("71"), moves=False)
    assert await store.battles.list_outdated(NOON, NOON + timedelta(hours=1)) == []


async def test_a_private_message_does_not_replace_the_public_message(store: Store) -> None:
    await store.battles.begin(fought(), [ALICE], 500)
    await store.battles.mark_seen("aaaaaaaa", 0, Spot("70", "80"))
    await roll(store.battles, spot=Spot("71", private=True))
    assert await place_of(store) == ("71", "70", "80")
    await store.battles.mark_seen("aaaaaaaa", 1, Spot("71", private=True))
    assert [battle.id for battle in await store.battles.list_outdated(NOON, NOON + timedelta(hours=1))] == ["aaaaaaaa"]
    await store.battles.forget_message("aaaaaaaa", "69")
    assert await place_of(store) == ("71", "70", "80")
    await store.battles.forget_message("aaaaaaaa", "70")
    assert await place_of(store) == ("71", None, None)
    await store.battles.mark_seen("aaaaaaaa", 1, Spot("71", private=True))
    assert await place_of(store) == ("71", "71", None)
    assert (await found(store.battles)).battle.shown == 1


async def test_catching_up_an_abandoned_message_does_not_count_as_shown(store: Store) -> None:
    await store.battles.begin(fought(), [ALICE], 500)
    await roll(store.battles, spot=Spot("70", "80"))
    await store.battles.mark_seen("aaaaaaaa", 1, Spot("69", "80"), moves=False)
    assert (await place_of(store), (await found(store.battles)).battle.shown) == (("70", "70", "80"), -1)
    await store.battles.mark_seen("aaaaaaaa", 1, Spot("70"), moves=False)
    assert (await place_of(store), (await found(store.battles)).battle.shown) == (("70", "70", "80"), 1)


# Ended by a moderator


async def test_a_moderator_ends_a_battle_once_and_for_all(store: Store) -> None:
    await store.battles.begin(fought(), [ALICE, BOB], 1)
    await roll(store.battles, spot=Spot("70", "80"))
    await store.battles.mark_seen("aaaaaaaa", 1)
    later = NOON + timedelta(hours=2)
    assert await store.battles.end("aaaaaaaa", later)
    assert not await store.battles.end("aaaaaaaa", later)
    assert not await store.battles.end("bbbbbbbb", later)
    assert not await roll(store.battles, turn=1)
    record = await found(store.battles)
    check_chain(record)
    assert (record.battle.ended, record.battle.turn, record.battle.frame) == (MODERATOR, 1, 2)
    assert await store.battles.luck_records("guild:1") == []
    assert await going_on(store) == []
    await store.battles.begin(fought("bbbbbbbb", minute=1), [ALICE], 1)


async def test_the_end_by_a_moderator_is_to_be_shown_at_once(store: Store) -> None:
    await store.battles.begin(fought(kept=False), [ALICE], 500)
    await roll(store.battles, spot=Spot("70", "80"))
    await store.battles.mark_seen("aaaaaaaa", 1)
    assert await store.battles.list_outdated(NOON, NOON + timedelta(hours=3)) == []
    await store.battles.end("aaaaaaaa", NOON + timedelta(hours=2))
    assert [battle.frame for battle in await store.battles.list_outdated(NOON, NOON)] == [2]
    await store.battles.mark_seen("aaaaaaaa", 1)
    assert await store.battles.find("aaaaaaaa"), "its end was not shown yet"
    await store.battles.mark_seen("aaaaaaaa", 2)
    assert await store.battles.find("aaaaaaaa") is None
