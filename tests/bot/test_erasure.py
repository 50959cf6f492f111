"""`/history forget` leaves no trace of a person in the files of the data folder, the caches or the database."""

import asyncio
import logging
import pickle
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing, nullcontext
from pathlib import Path
from random import Random
from unittest.mock import AsyncMock

import pytest
from redis.asyncio import Redis
from sqlalchemy import select

from bot.discord_app.client import Client
from bot.errors import UserError
from bot.request import Services
from bot.rooms import ROOMS
from bot.settings import Settings, load
from bot.store import cleaning
from bot.store.cleaning import Erasure
from bot.store.database import Store, open_store
from bot.store.tables import metadata
from bot.work import shared_cache
from bot.work.engine import Engine
from bot.work.shared_cache import SharedCache
from tests.fake_discord import FakeDiscord, Person
from tests.helpers import servers
from tests.helpers.bot.live_battles import fought
from tests.helpers.bot.rolled_battles import ALICE, BOB, check_chain, found, roll
from tests.helpers.bot.rolled_battles import fought as battle
from tests.helpers.bot.setups import setup
from tests.helpers.program import LONGEST

pytestmark = pytest.mark.usefixtures("quick_frames")

USER, NAME = "490817263544001122", "Quirinia"
FACES = 3
"""The kinds of dice and faces that `fill` has counted in the direct messages of the person."""


async def fill(store: Store) -> None:
    """All that the database can have of a person, and something of another one."""
    person = ALICE._replace(user=USER, name=NAME)
    for name, place in (("aaaaaaaa", "guild:1"), ("bbbbbbbb", f"user:{USER}"), ("cccccccc", "user:1002")):
        await store.battles.begin(battle(name, place), [BOB] if place == "user:1002" else [person, BOB], 9)
        await roll(store.battles, name, presser=None)
    for place in ("guild:1", f"user:{USER}"):
        await store.save(place, setup("alamo", owner=USER)._replace(owner_name=NAME), 9, manages=False)
    await store.save("user:1002", setup("kiev", owner="1002"), 9, manages=False)
    for place in (f"user:{USER}", "user:1002", "guild:1"):
        await store.set_settings(place, {"game": "2210", "history": "on"})


def files_with(folder: Path, *words: str) -> list[str]:
    """The names of the files in a folder that have one of these words."""
    return sorted(
        file.name
        for file in folder.rglob("*")
        for word in words
        if file.is_file() and word.encode() in file.read_bytes()
    )


# In the database ----------------------------------------------------------------------------------------


async def test_erasing_a_person_leaves_the_rows_of_other_people(where: Path | str) -> None:
    async with open_store(where) as store:
        await fill(store)
        async with store.battles._connections.read(several=True) as connection:
            rows = [str(row) for table in metadata.sorted_tables for row in await connection.execute(select(table))]
        assert await store.cleaning.erase(USER) == Erasure(2, 1, 1, 2, FACES)
        async with store.battles._connections.read(several=True) as connection:
            left = [str(row) for table in metadata.sorted_tables for row in await connection.execute(select(table))]
        assert not [row for row in left if USER in row or NAME in row]
        assert [row for row in rows if USER not in row and NAME not in row and "bbbbbbbb" not in row] == [
            row for row in left if row in rows
        ]
        assert len(await store.setups("guild:1")) == 1
        assert await store.cleaning.erase(USER) == Erasure(0, 0, 0, 0, 0)
        record = await found(store.battles)
        check_chain(record)
        assert record.players == (ALICE._replace(user=None, name=""), BOB)


async def test_the_files_of_sqlite_have_no_trace_while_the_bot_goes_on(tmp_path: Path) -> None:
    async with open_store(tmp_path / "sandtable.db") as store:
        await fill(store)
        assert files_with(tmp_path, USER, NAME)
        reads = [asyncio.create_task(store.setups("guild:1")) for _ in range(20)]
        await store.cleaning.erase(USER)
        assert files_with(tmp_path, USER, NAME) == []
        await asyncio.gather(*reads)


async def test_a_reading_program_delays_the_wiping_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(cleaning, "TRY_EVERY", 0)
    caplog.set_level(logging.INFO)
    async with open_store(tmp_path / "sandtable.db") as store:
        await fill(store)
        with closing(sqlite3.connect(tmp_path / "sandtable.db", isolation_level=None)) as reader:
            reader.execute("BEGIN")
            assert reader.execute("SELECT count(*) FROM setups").fetchone() == (3,)
            assert await store.cleaning.erase(USER) == Erasure(2, 1, 1, 2, FACES)
            assert files_with(tmp_path, USER) == ["sandtable.db-wal"]
            assert "the write-ahead log, which is emptied later" in caplog.text
            await store.set_fact("commands", "others write meanwhile")
        await store.cleaning.wipe()
        assert files_with(tmp_path, USER, NAME) == []


async def test_wiping_waits_for_a_program_that_stops_reading_soon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_store(tmp_path / "sandtable.db") as store:
        await fill(store)
        with closing(sqlite3.connect(tmp_path / "sandtable.db", isolation_level=None)) as reader:

            async def let_go() -> None:
                reader.rollback()

            monkeypatch.setattr(cleaning, "_pause", let_go)
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM setups").fetchone()
            await store.cleaning.erase(USER)
            assert files_with(tmp_path, USER, NAME) == []


@pytest.mark.parametrize("is_deleted", [False, True])
async def test_a_round_of_wiping_leaves_no_copy_between_the_rows(tmp_path: Path, is_deleted: bool) -> None:
    """Rows move when a page is split, and the old page has copies of them: of one person here more than of others."""
    file, random = tmp_path / "sandtable.db", Random(4)
    people = [str(random.randrange(10**17, 10**18)) for _ in range(100)]
    owners = [random.choice(people) for _ in range(1_000)]
    async with open_store(file) as store:
        crowd = [setup(f"n{number}", owner=owner)._replace(owner_name="") for number, owner in enumerate(owners)]
        assert await store.put_all("guild:1", [], crowd)
        await store.cleaning.wipe()
        data = file.read_bytes()
        person = max(people, key=lambda one: data.count(one.encode()) - 2 * owners.count(one))
        own = [f"n{number}" for number, owner in enumerate(owners) if owner == person] if is_deleted else []
        for name in own:
            await store.delete("guild:1", name, person, manages=False)
        assert any(await store.cleaning.erase(person)) is not is_deleted
        assert "sandtable.db" in files_with(tmp_path, person)
        await store.cleaning.wipe()
        assert files_with(tmp_path, person) == []
        assert len(await store.setups("guild:1")) == len(crowd) - len(own)
        assert await store.fact(cleaning.UNCLEAN) is None


async def test_an_erasure_of_nothing_does_not_empty_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    emptied = AsyncMock(return_value=True)
    async with open_store(tmp_path / "sandtable.db") as store:
        await fill(store)
        monkeypatch.setattr(store.cleaning._connections, "empty_log", emptied)
        await store.cleaning.erase("1234")
        assert emptied.await_count == 0
        await store.cleaning.erase("1234")
        assert emptied.await_count == 1, "the note of the first one is there"


@pytest.mark.parametrize("is_large", [False, True])
async def test_a_file_too_large_for_bot_or_disk_is_not_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, is_large: bool
) -> None:
    file = tmp_path / "sandtable.db"
    async with open_store(file) as store:
        await fill(store)
        await store.cleaning.erase(USER)
        with monkeypatch.context() as patch:
            if is_large:
                patch.setattr(cleaning, "LARGEST", 1)
            else:
                usage = shutil.disk_usage(tmp_path)._replace(free=2 * file.stat().st_size - 1)
                patch.setattr(shutil, "disk_usage", lambda _folder: usage)
            for _round in range(2):
                await store.cleaning.wipe()
        assert await store.fact(cleaning.UNCLEAN) is not None
        (line,) = caplog.messages
        assert str(file) in line
        await store.cleaning.wipe()
        assert await store.fact(cleaning.UNCLEAN) is None, "there is room again"
        await store.cleaning.erase(USER)
    command = line.partition(f"sqlite3 {file} ")[2].strip('"')
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.executescript(command)
        assert database.execute("SELECT count(*) FROM facts WHERE name = ?", (cleaning.UNCLEAN,)).fetchone() == (0,)


async def test_a_file_is_written_anew_once_a_day_at_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100_000.0
    monkeypatch.setattr(cleaning, "monotonic", lambda: now)
    async with open_store(tmp_path / "sandtable.db") as store:
        for hours, is_clean in ((0, True), (23, False), (1, True), (25, True)):
            now += hours * 3600
            await store.cleaning.erase(USER)
            await store.cleaning.wipe()
            assert (await store.fact(cleaning.UNCLEAN) is None) == is_clean


async def test_a_writing_program_delays_the_wiping_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, impatient: None
) -> None:
    async with open_store(tmp_path / "sandtable.db") as store:
        await fill(store)
        await store.cleaning.erase(USER)
        with closing(sqlite3.connect(tmp_path / "sandtable.db", isolation_level=None)) as writer:
            writer.execute("BEGIN IMMEDIATE")
            with pytest.raises(UserError, match="busy right now"):
                await store.cleaning.wipe()
        assert await store.fact(cleaning.UNCLEAN) is not None
        monkeypatch.setattr(store.cleaning, "_next_rewrite", 0)
        await store.cleaning.wipe()
        assert await store.fact(cleaning.UNCLEAN) is None


# In the whole bot ---------------------------------------------------------------------------------------


@pytest.fixture
async def services(
    settings: Settings, redis: servers.Redis, unpainted: None, solved_once: None, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Services]:
    """The services of a bot that shares its answers through Redis."""
    monkeypatch.setattr(shared_cache, "LONGEST_WAIT", LONGEST)
    chosen = load(data=settings.data, redis=redis.address, token="ours")
    async with (
        Redis.from_url(redis.address) as there,
        open_store(chosen.file) as store,
        SharedCache(chosen) as shared,
        Engine(chosen, ROOMS, processes=False, shared=shared) as engine,
    ):
        await there.flushdb()
        yield Services(chosen, engine, lambda: store, ROOMS)


async def uses_everything(person: Person, other: Person, direct: Person) -> None:
    """A person has all stored that the bot stores, in a server and in direct messages."""
    await fought(person, opponent=other)
    await person.presses(await other.sends("roll", matchup="12 9", open=True), "Roll")
    await person.sends("luck")
    for where in (person, direct):
        await where.sends("battle", matchup="12 9")
        await where.sends("preset save", name="alamo", matchup="12 9")
        await where.sends("preset note", name="alamo", text="the last stand")
    await fought(direct)
    await direct.sends("luck")
    await direct.sends("settings", game="2210")


async def test_no_file_and_no_cache_has_a_trace_of_an_erased_person(
    discord: FakeDiscord, bot: Client, services: Services, redis: servers.Redis
) -> None:
    person, other = discord.member(NAME), discord.member("Bob")
    direct, words = person.moves(discord.world.direct(person.user)), (str(person.id), NAME)
    await uses_everything(person, other, direct)
    assert files_with(services.settings.data, *words)
    told = (await direct.sends("history forget")).content
    assert told == (
        "Your name was removed from 3 battles on all servers. Private battles are deleted; other battles stay without "
        "your name. Your name was removed from 1 preset; it stays, and server managers can delete it. 1 preset of your "
        "direct messages was deleted. Your own settings were deleted. The counts of dice of your "
        "direct messages were deleted."
    )
    assert files_with(services.settings.data, *words) == []
    assert (await direct.sends("history forget")).content == "Your name isn't in any battle or preset."
    assert "There are no presets here yet" in (await direct.sends("preset list")).content
    shared = services.engine.shared
    assert shared
    await asyncio.gather(*shared._writing)
    async with Redis.from_url(redis.address) as there:
        keys = [key async for key in there.scan_iter()]
        assert keys
        stored = [key + (await there.get(key) or b"") for key in keys]
    kept = [pickle.dumps(item) for item in services.engine._cache.items()]
    assert not [item for item in stored + kept for word in words if word.encode() in item]


async def test_tidying_up_empties_the_log_after_a_fault_too(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = Client(services)  # one that does not run: it would tidy up by itself, too
    await fill(services.store)
    assert files_with(services.settings.data, NAME) != []
    await services.store.cleaning.erase(USER)
    for fails in (False, True):
        await services.store.set_fact("commands", NAME)
        await services.store.set_fact("commands", "something else")
        assert files_with(services.settings.data, NAME) == ["sandtable.db-wal"]
        if fails:
            monkeypatch.setattr(services.store.cleaning, "list_departures", AsyncMock(side_effect=UserError("busy")))
        with pytest.raises(UserError) if fails else nullcontext():
            await bot.tidying_up.tidy_up()
        assert files_with(services.settings.data, NAME) == []
