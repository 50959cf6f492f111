"""A server that removes the bot has its data deleted when its time is over, and only if Discord says so twice."""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.discord_app import tidying_up
from bot.discord_app.client import Client
from bot.discord_app.tidying_up import TidyingUp
from bot.errors import UserError
from bot.request import Services
from bot.rooms import ROOMS
from bot.settings import load
from bot.store.cleaning import Departure
from bot.store.database import open_store
from bot.work.engine import Engine
from tests.fake_discord import BUSY, FakeDiscord, Guild, Person
from tests.helpers.bot.live_battles import fought, under
from tests.helpers.program import LONGEST, program, until

pytestmark = pytest.mark.usefixtures("quick_frames")

ASKED = "GET /guilds/{guild_id}"
DAYS = load().keep_after_leaving


@pytest.fixture
def untidied() -> None:
    """Here a bot tidies up when it is ready."""


@pytest.fixture(autouse=True)
def turn(monkeypatch: pytest.MonkeyPatch) -> asyncio.Lock:
    """Nobody pauses, and one round is over before the next begins: a test asks for rounds beside those of the bot."""
    monkeypatch.setattr(tidying_up, "PAUSE", 0)
    lock, tidy_up = asyncio.Lock(), TidyingUp.tidy_up

    async def alone(tidying: TidyingUp) -> None:
        async with lock:
            await tidy_up(tidying)

    monkeypatch.setattr(TidyingUp, "tidy_up", alone)
    return lock


def place_of(guild: Guild) -> str:
    return f"guild:{guild.id}"


async def filled(discord: FakeDiscord, guild: Guild) -> Person:
    """Somebody in a server in which everything was kept that can be."""
    person = discord.member("Mia", guild=guild, manage_guild=True)
    await fought(person)
    await person.sends("preset save", name="alamo", matchup="12 9")
    await person.sends("settings", game="2210")
    return person


async def is_kept(services: Services, guild: Guild) -> bool:
    """Whether all of the server is kept; it must be all or nothing."""
    store, place = services.store, place_of(guild)
    found = [
        bool(there)
        for there in (
            await store.battles.history(place),
            await store.setups(place),
            await store.settings(place),
            await store.battles.faces(place),
        )
    ]
    assert len(set(found)) == 1
    return found[0]


async def departures(services: Services) -> list[str]:
    """The servers that are noted as gone."""
    return [departure.place for departure in await services.store.cleaning.list_departures()]


async def noted(services: Services, turn: asyncio.Lock, *guilds: Guild) -> None:
    """Wait until these servers and no others are noted as gone, and the round that did it is over."""
    wanted = sorted(map(place_of, guilds))
    async with asyncio.timeout(LONGEST):
        while sorted(await departures(services)) != wanted:  # noqa: ASYNC110 - only the database knows
            await asyncio.sleep(0.02)
    async with turn:
        pass


async def age(services: Services, guild: Guild, days: float) -> None:
    """Let so many days pass since a server was noted as gone."""
    at = datetime.now(UTC) - timedelta(days=days)
    assert place_of(guild) in await departures(services)
    await services.store.cleaning.note_departure(Departure(place_of(guild), at))


async def long_gone(discord: FakeDiscord, services: Services, turn: asyncio.Lock, name: str) -> Guild:
    """A server with all kinds of data, noted as gone for so long that its data may be deleted."""
    guild = discord.add_guild(name)
    await filled(discord, guild)
    discord.remove_bot(guild)
    await noted(services, turn, guild)
    await age(services, guild, DAYS + 1)
    return guild


# Removed, and deleted --------------------------------------------------------------------------------------


async def test_a_server_without_the_bot_is_deleted_after_its_days(
    discord: FakeDiscord, bot: Client, services: Services, turn: asyncio.Lock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    gone, stays = discord.add_guild("Gone"), discord.add_guild("Stays")
    for guild in (gone, stays):
        await filled(discord, guild)
    discord.remove_bot(gone)
    await noted(services, turn, gone)
    await age(services, gone, DAYS - 1)
    await bot.tidying_up.tidy_up()
    assert await is_kept(services, gone)
    assert discord.requests_to(ASKED) == [], "nobody is asked before the time is over"
    await age(services, gone, DAYS + 0.01)
    await bot.tidying_up.tidy_up()
    assert not await is_kept(services, gone)
    assert await is_kept(services, stays)
    assert await departures(services) == []
    assert [request.status for request in discord.requests_to(ASKED)] == [404]
    assert "deleted the data of a server that removed the bot" in caplog.text
    assert str(gone.id) not in "\n".join(record.getMessage() for record in caplog.records)
    await bot.tidying_up.tidy_up()
    assert len(discord.requests_to(ASKED)) == 1


async def test_a_deleted_server_comes_back_without_its_settings(
    discord: FakeDiscord, bot: Client, services: Services, turn: asyncio.Lock
) -> None:
    gone = discord.add_guild("Gone")
    mia = await filled(discord, gone)
    assert "2210" in (await mia.sends("battle", matchup="12 9")).content
    discord.remove_bot(gone)
    await noted(services, turn, gone)
    await age(services, gone, DAYS + 1)
    await bot.tidying_up.tidy_up()
    discord.bring_back_bot(gone)
    await until(lambda: bot.get_guild(gone.id) is not None)
    assert "2210" not in (await mia.sends("battle", matchup="12 9")).content
    assert (await mia.sends("preset list")).content.startswith("There are no presets here yet.")


# Not deleted -----------------------------------------------------------------------------------------------


async def test_a_server_that_comes_back_in_time_loses_nothing(
    discord: FakeDiscord, bot: Client, services: Services, turn: asyncio.Lock
) -> None:
    guild = discord.add_guild("Undecided")
    mia = await filled(discord, guild)
    discord.remove_bot(guild)
    await noted(services, turn, guild)
    await age(services, guild, DAYS - 1)
    discord.bring_back_bot(guild)
    await noted(services, turn)
    assert await is_kept(services, guild)
    assert under(await mia.sends("history open"), "battle")


async def test_an_outage_is_no_removal(
    discord: FakeDiscord, bot: Client, services: Services, turn: asyncio.Lock
) -> None:
    guild, other = discord.add_guild("Unlucky"), discord.add_guild("Gone")
    await filled(discord, guild)
    with discord.outage(guild):
        await until(lambda: (there := bot.get_guild(guild.id)) is not None and there.unavailable)
        discord.remove_bot(other)  # what comes after it is noted
        await noted(services, turn, other)
        await bot.tidying_up.tidy_up()
    assert await departures(services) == [place_of(other)]
    assert await is_kept(services, guild)


async def test_a_server_missing_from_the_list_is_no_removal(discord: FakeDiscord, services: Services) -> None:
    guild = discord.add_guild("Quiet")
    async with bot_again(discord, services):
        await filled(discord, guild)
    guild.has_bot = False  # while nobody was there to hear of it
    async with bot_again(discord, services) as bot:
        await bot.tidying_up.tidy_up()
        assert await departures(services) == []
        assert await is_kept(services, guild)


async def test_a_removal_outlives_a_restart_and_ends_with_a_return(
    discord: FakeDiscord, services: Services, turn: asyncio.Lock
) -> None:
    gone, back = discord.add_guild("Gone"), discord.add_guild("Back")
    async with bot_again(discord, services):
        for guild in (gone, back):
            await filled(discord, guild)
            discord.remove_bot(guild)
        await noted(services, turn, gone, back)
    for guild in (gone, back):
        await age(services, guild, DAYS + 1)
    back.has_bot = True  # while nobody was there to hear of it
    async with bot_again(discord, services):
        await noted(services, turn)
    assert not await is_kept(services, gone)
    assert await is_kept(services, back)


async def test_no_server_is_deleted_unless_discord_confirms_the_removal(
    discord: FakeDiscord, bot: Client, services: Services, turn: asyncio.Lock
) -> None:
    guild = await long_gone(discord, services, turn, "Gone")
    for status, code in [(401, 0), (403, 0), (403, 40333), (404, 0), (404, 10003), (429, 0), (503, 0)]:
        if status == 429:
            discord.limit_next(ASKED, retry_after=0.01, times=5)
        else:
            discord.fail_next(ASKED, status=status, code=code)
        await bot.tidying_up.tidy_up()
        assert await departures(services) == [place_of(guild)]
        assert await is_kept(services, guild)
    # It is asked again later. No access to the server is gone too.
    discord.fail_next(ASKED, status=403, code=50001)
    await bot.tidying_up.tidy_up()
    assert not await is_kept(services, guild)


async def test_a_server_that_discord_still_shows_is_not_deleted(
    discord: FakeDiscord, bot: Client, services: Services, turn: asyncio.Lock
) -> None:
    guild = await long_gone(discord, services, turn, "Still there")
    guild.has_bot = True  # its event got lost
    await bot.tidying_up.tidy_up()
    assert [request.status for request in discord.requests_to(ASKED)] == [200]
    assert await departures(services) == []
    assert await is_kept(services, guild)


# Old battles, several processes, trouble -------------------------------------------------------------------


async def test_battles_are_deleted_after_the_history_days_of_the_host(
    discord: FakeDiscord, bot: Client, services: Services, turn: asyncio.Lock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    alice = discord.member("Alice")
    await fought(alice)
    old = datetime.now(UTC) - timedelta(days=60)
    async with services.store.battles._connections.write() as connection:
        await connection.exec_driver_sql("UPDATE battles SET changed_at = ?", (old.strftime("%Y-%m-%d %H:%M:%S.%f"),))
    await bot.tidying_up.tidy_up()
    assert (await alice.sends("history list")).content.startswith("**The latest battles here**"), "not two years old"
    short = replace(services.settings, history_days=30)
    async with bot_again(discord, replace(services, settings=short)) as again:
        await again.tidying_up.tidy_up()
    await until(lambda: "deleted battles that nobody touched for 30 days: 1" in caplog.text)
    assert (await services.store.battles.history(place_of(discord.guild))) == []


async def test_a_removal_waits_until_the_database_can_note_it(
    discord: FakeDiscord,
    bot: Client,
    services: Services,
    turn: asyncio.Lock,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    first, second = discord.add_guild("First"), discord.add_guild("Second")
    refused = asyncio.Event()

    async def refuse(_departure: Departure) -> None:
        refused.set()
        raise UserError("The database does not answer.")

    with monkeypatch.context() as patch:
        patch.setattr(services.store.cleaning, "note_departure", refuse)
        discord.remove_bot(first)
        await asyncio.wait_for(refused.wait(), LONGEST)
    discord.remove_bot(second)
    await noted(services, turn, first, second)
    assert "Traceback" not in caplog.text


async def test_each_process_deletes_for_its_own_shards(shared: str, tmp_path: Path, turn: asyncio.Lock) -> None:
    async with FakeDiscord(shards=2, slack=BUSY) as discord:
        guilds: dict[int, Guild] = {}
        while len(guilds) < 2:
            guild = discord.add_guild("Gone")
            guilds.setdefault(guild.id >> 22 & 1, guild)
        async with open_store(shared) as store:
            settings = load(data=tmp_path, shards="0/2", database=shared)
            async with Engine(settings, ROOMS, processes=False) as engine:
                services = Services(settings, engine, lambda: store, ROOMS)
                for guild in guilds.values():
                    guild.has_bot = False
                    await store.set_settings(place_of(guild), {"game": "2210"})
                    await store.cleaning.note_departure(Departure(place_of(guild), datetime(2026, 1, 1, tzinfo=UTC)))
                async with bot_again(discord, services) as bot:
                    await bot.tidying_up.tidy_up()
                    await noted(services, turn, guilds[1])
                    assert await store.settings(place_of(guilds[0])) == {}
                    assert await store.settings(place_of(guilds[1])) == {"game": "2210"}


async def test_a_removal_outlives_a_killed_process(discord: FakeDiscord, tmp_path: Path) -> None:
    guild = discord.add_guild("Gone")

    def count(table: str) -> int:
        with closing(sqlite3.connect(tmp_path / "sandtable.db")) as database:
            (found,) = database.execute(f"SELECT count(*) FROM {table}").fetchone()
            return int(found)

    async with program(discord.token, tmp_path, discord) as process:
        await discord.ready()
        mia = discord.member("Mia", guild=guild)
        await mia.sends("preset save", name="alamo", matchup="12 9")
        discord.remove_bot(guild)
        await until(lambda: count("departures") == 1)
        process.kill()
        await process.wait()
    assert count("setups") == 1
    with closing(sqlite3.connect(tmp_path / "sandtable.db")) as database, database:
        database.execute("UPDATE departures SET left_at = '2026-01-01 00:00:00.000000'")
    async with program(discord.token, tmp_path, discord):
        await until(lambda: count("departures") == 0)
    assert count("setups") == 0


@asynccontextmanager
async def bot_again(discord: FakeDiscord, services: Services) -> AsyncIterator[Client]:
    """The bot, in a process of now."""
    bot = Client(services)
    async with discord.running(bot):
        await bot.wait_until_ready()
        yield bot
        await bot.finish_answers()
