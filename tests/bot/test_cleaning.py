"""What the database deletes: the data of servers that removed the bot, and battles of long ago."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot import upkeep
from bot.store import cleaning
from bot.store.cleaning import Departure
from bot.store.database import Store, open_store
from tests.helpers.bot.rolled_battles import ALICE, BOB, fought, roll
from tests.helpers.bot.setups import OLD, setup

LEFT = Departure("guild:1", datetime(2026, 10, 1, 12, 30, 15, 123456, UTC))


async def fill(store: Store, place: str, battles: int = 1) -> None:
    """Everything that can be kept of a place."""
    name = {"guild:1": "a", "guild:2": "b"}[place]
    await store.save(place, setup("ukraine"), 10, manages=False)
    await store.set_settings(place, {"game": "2210"})
    await store.set_settings(place, {"game": "risk"}, channel="7")
    for number in range(battles):
        await store.battles.begin(fought(f"{name * 6}{number:02}", place), [ALICE, BOB], 500)
        await roll(store.battles, f"{name * 6}{number:02}")


async def kept(store: Store, place: str) -> list[int]:
    """How many battles, set-ups, settings, settings of a channel and faces are kept of a place."""
    return [
        len(await store.battles.history(place)),
        len(await store.setups(place)),
        *map(len, (await store.settings_with_own(place, "7"))[:2]),
        len(await store.battles.faces(place)),
    ]


async def delete_all(store: Store, departure: Departure) -> int:
    """Delete the data of a server, and return how many portions that took."""
    portions = 1
    while not await store.cleaning.delete_departed(departure):
        portions += 1
    return portions


async def test_deleting_a_server_in_portions_leaves_other_servers(
    where: Path | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cleaning, "PORTION", 2)
    async with open_store(where) as store:
        await fill(store, "guild:1", battles=5)
        await fill(store, "guild:2")
        await store.cleaning.note_departure(LEFT)
        assert await store.cleaning.list_departures() == [LEFT]
        assert await delete_all(store, LEFT) == 4
        assert await kept(store, "guild:1") == [0, 0, 0, 0, 0]
        assert await kept(store, "guild:2") == [1, 1, 1, 1, 1]
        assert await store.cleaning.list_departures() == []
        assert await delete_all(store, LEFT) == 1, "a repetition finds nothing"


async def test_a_server_that_returns_loses_nothing(where: Path | str) -> None:
    async with open_store(where) as store:
        await fill(store, "guild:1")
        await store.cleaning.note_departure(LEFT)
        await store.cleaning.note_return("guild:1")
        assert await store.cleaning.delete_departed(LEFT)
        assert await kept(store, "guild:1") == [1, 1, 1, 1, 1]
        later = LEFT._replace(left_at=LEFT.left_at + timedelta(days=40))
        await store.cleaning.note_departure(LEFT)
        await store.cleaning.note_departure(later)
        assert await store.cleaning.delete_departed(LEFT), "it left again since, and has its time again"
        assert await kept(store, "guild:1") == [1, 1, 1, 1, 1]
        assert await store.cleaning.list_departures() == [later]


async def test_two_processes_delete_each_row_of_a_server_once(
    where: Path | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cleaning, "PORTION", 1)
    async with open_store(where) as one, open_store(where) as two:
        await fill(one, "guild:1", battles=4)
        await fill(one, "guild:2")
        await one.cleaning.note_departure(LEFT)
        portions = await asyncio.gather(*(delete_all(store, LEFT) for store in (one, two, one, two)))
        assert sum(portions) == 4 + 4, "each battle is deleted by one of them, and each learns of the end"
        assert await kept(two, "guild:1") == [0, 0, 0, 0, 0]
        assert await kept(two, "guild:2") == [1, 1, 1, 1, 1]
        await fill(two, "guild:1")
        assert await delete_all(one, LEFT) == 1
        assert await kept(two, "guild:1") == [1, 1, 1, 1, 1], "who comes back later begins anew"


async def test_old_idle_battles_are_deleted_in_portions(where: Path | str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cleaning, "PORTION", 2)
    monkeypatch.setattr(upkeep, "PAUSE", 0)
    ages = {"aaaaaaaa": 91, "bbbbbbbb": 100, "cccccccc": 400, "dddddddd": 89, "eeeeeeee": 0}
    async with open_store(where) as store:
        for name, days in ages.items():
            begun = datetime.now(UTC) - timedelta(days=days)
            await store.battles.begin(fought(name, started_at=begun, changed_at=begun), [ALICE, BOB], 500)
            await roll(store.battles, name, at=begun, ended=None if name == "aaaaaaaa" else "won")
        begun = datetime.now(UTC) - timedelta(days=100)
        await store.battles.begin(fought("ffffffff", started_at=begun, changed_at=begun), [ALICE, BOB], 500)
        await roll(store.battles, "ffffffff", at=datetime.now(UTC))
        left = {"dddddddd", "eeeeeeee", "ffffffff"}
        assert await upkeep.delete_old_battles(store, 90) == 3
        assert await upkeep.delete_old_battles(store, 90) == 0
        assert {battle.id for battle, _ in await store.battles.history("guild:1")} == left
        assert await upkeep.delete_old_battles(store, 0) == 3


@pytest.mark.parametrize("old", ["revision_0001.db", "revision_0004.db"])
async def test_departures_work_in_an_old_database(tmp_path: Path, old: str) -> None:
    file = tmp_path / "sandtable.db"
    shutil.copy(OLD.with_name(old), file)
    async with open_store(file) as store:
        assert await store.cleaning.list_departures() == []
        assert await store.setups("guild:1") or await store.battles.latest_id("guild:1")
        await store.cleaning.note_departure(LEFT)
        await delete_all(store, LEFT)
        assert await store.setups("guild:1") == []
        assert await store.battles.latest_id("guild:1") is None
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("SELECT count(*) FROM rolls JOIN battles ON battle = id").fetchone() == (
            database.execute("SELECT count(*) FROM rolls").fetchone()
        ), "no roll is left without its battle"
