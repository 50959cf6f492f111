"""Several processes with a share of the shards each: one database, one owner for each shard, answers found by all."""

import asyncio
import logging
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.charts import draw
from bot.discord_app import metrics
from bot.discord_app.catching_up import CatchingUp
from bot.discord_app.client import Client
from bot.errors import UserError
from bot.games.dice import work as dice_work
from bot.request import Services
from bot.rooms import ROOMS
from bot.settings import Settings, Shards, load
from bot.store import owners
from bot.store.database import open_store
from bot.store.owners import LockTakenError, ShardLocks, hold_shards
from bot.store.records import StoredBattle
from bot.work import engine as engine_module
from bot.work import shared_cache
from bot.work.engine import Engine
from bot.work.shared_cache import SharedCache
from solver import DiceChain, Odds, solve
from tests.fake_discord import BUSY, FakeDiscord, Guild
from tests.helpers import servers
from tests.helpers.bot.answers import line_of
from tests.helpers.bot.broken_databases import hang_up
from tests.helpers.bot.figures import value_of
from tests.helpers.bot.rolled_battles import ALICE, fought, roll
from tests.helpers.program import LONGEST, program, until

FIRST, SECOND = Shards(0, 0, 2), Shards(1, 1, 2)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who cannot have a shard is refused at once."""
    monkeypatch.setattr(owners, "LONGEST_START", 0)


@pytest.fixture
async def discord() -> AsyncIterator[FakeDiscord]:
    async with FakeDiscord(shards=2, slack=BUSY) as fake:
        yield fake


def settings_of(folder: Path, shards: str, database: str, **more: Any) -> Settings:
    many = {"most_per_minute_user": 10**6, "most_per_minute_server": 10**6}
    return load(data=folder / shards.replace("/", "-"), shards=shards, database=database, token="t", **many, **more)


@asynccontextmanager
async def client_of(settings: Settings) -> AsyncIterator[Client]:
    """All that a process has, as `serve` puts it together."""
    async with (
        hold_shards(str(settings.store), settings.bare_token, settings.own_shards, lambda: None),
        open_store(settings.store) as store,
        SharedCache(settings) as shared,
        Engine(settings, ROOMS, processes=False, shared=shared) as engine,
    ):
        client = Client(Services(settings, engine, lambda: store, ROOMS))
        yield client
        await client.finish_answers()


@pytest.mark.usefixtures("quick_frames")
async def test_two_processes_act_as_a_single_bot(
    discord: FakeDiscord,
    tables: list[Guild],
    shared: str,
    redis: servers.Redis,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []

    def count_odds(chain: DiceChain) -> Odds:
        done.append("odds")
        return solve(chain)

    def count_pictures(*given: Any) -> bytes:
        done.append("picture")
        return draw(*given)

    monkeypatch.setattr(shared_cache, "LONGEST_WAIT", LONGEST)
    monkeypatch.setattr(dice_work, "solve", count_odds)
    monkeypatch.setattr(engine_module, "draw", count_pictures)
    async with AsyncExitStack() as stack:
        bots = [
            await stack.enter_async_context(client_of(settings_of(tmp_path, shards, shared, redis=redis.address)))
            for shards in ("0/2", "1/2")
        ]
        for bot in bots:
            await stack.enter_async_context(discord.running(bot))
        assert [[guild.id >> 22 & 1 for guild in bot.guilds][:1] for bot in bots] == [[0], [1]]
        assert len(discord.requests_to("PUT /applications/{application_id}/commands")) == 1
        alice, bob = (discord.member(name, guild=guild) for name, guild in zip(("Alice", "Bob"), tables, strict=True))

        # What one worked out, the other finds.
        asked = await alice.sends("battle", matchup="12 9 bombers:2")
        await until(lambda: not bots[0].services.engine.shared._writing)  # type: ignore[union-attr]
        assert (await bob.sends("battle", matchup="12 9 bombers:2")).content == asked.content
        assert sorted(done) == ["odds", "picture"]
        looked_up = [
            [value_of(bot, "shared_cache_lookups_total", found=found) for bot in bots] for found in ("yes", "no")
        ]
        assert looked_up[0][1] == looked_up[1][0] != 0
        assert looked_up[1][1] == 0

        # What is saved with one, is there with the other: Carl's own set-ups go where he goes.
        carl = discord.stranger("Carl", guild=True)
        other = discord.stranger("Dora", guild=True)
        while len({person.channel.guild.id >> 22 & 1 for person in (carl, other) if person.channel.guild}) < 2:
            await asyncio.sleep(0.001)
            other = discord.stranger("Dora", guild=True)
        await carl.sends("preset save", name="mine", matchup="3 2")
        carl.moves(other.channel)
        assert line_of(await carl.sends("battle", matchup="mine")) == "3 2"
        carl.moves(discord.world.direct(carl.user))
        assert line_of(await carl.sends("battle", matchup="mine")) == "3 2"

        # A battle in a server of each.
        for person, bot in zip((alice, bob), bots, strict=True):
            over = await person.presses(await person.sends("roll", matchup="5 4"), "Roll to the end")
            assert not over.content.startswith("**")
            assert "Verify" in [button.label for button in over.buttons]
            place = f"guild:{person.channel.guild.id}" if person.channel.guild else ""
            for same in bots:
                assert len(await same.services.store.battles.history(place)) == 1
            await until(lambda bot=bot: not bot.open_answers)  # type: ignore[misc]


@pytest.mark.whole
async def test_after_a_restart_each_process_shows_battles_of_its_shards(
    discord: FakeDiscord, tables: list[Guild], shared: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []

    async def show(_: CatchingUp, battle: StoredBattle, _some: object) -> None:
        shown.append(battle.place)

    monkeypatch.setattr(CatchingUp, "_show", show)
    places = [*(f"guild:{guild.id}" for guild in tables), "user:5"]
    for shards, expected in (("0/2", [places[0], places[2]]), ("1/2", [places[1]]), ("0-1/2", places), ("", places)):
        shown.clear()
        settings = settings_of(tmp_path, shards, shared)
        async with open_store(shared) as store, Engine(settings, ROOMS, processes=False) as engine:
            for place in places:
                now = datetime.now(UTC)
                if not await store.battles.latest_id(place):
                    await store.battles.begin(fought(place, place)._replace(started_at=now), [ALICE], 9)
                    await roll(store.battles, place, at=now)
            client = Client(Services(settings, engine, lambda: store, ROOMS))
            async with discord.running(client):
                await asyncio.wait_for(client.catching_up.caught_up.wait(), 60)
        assert sorted(shown) == sorted(expected)


async def test_a_restart_of_the_database_is_survived(
    discord: FakeDiscord,
    tables: list[Guild],
    postgres: servers.Postgres,
    shared: str,
    redis: servers.Redis,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(owners, "EVERY", 0.05)
    monkeypatch.setattr(metrics, "COUNT_EVERY", 0)
    caplog.set_level(logging.INFO)
    settings = settings_of(tmp_path, "0-1/2", shared, redis=redis.address)
    async with client_of(settings) as client, discord.running(client):
        alice = discord.member("Alice")
        await alice.sends("preset save", name="alamo", matchup="12 9")
        fight = await alice.sends("roll", matchup="9 9")
        postgres.stop()
        try:
            assert line_of(await alice.sends("battle", matchup="12 8")) == "12 8", "odds need no database"
            for refused in (await alice.sends("battle", matchup="alamo"), await alice.presses(fight, "Roll")):
                assert refused.private
                assert refused.content == "I can't reach the database right now. Try again in a moment."
            assert await live_battles(client) is None
        finally:
            postgres.start()
        assert line_of(await alice.sends("battle", matchup="alamo")) == "12 9"
        assert await live_battles(client) == 1
        assert (await alice.presses(fight, "Roll")).id == fight.id
        await until(lambda: "the locks on the shards are held again" in caplog.text)


async def live_battles(client: Client) -> float | None:
    """The number of live battles that Prometheus is told; None if it is told none."""
    await client.metrics.refresh()
    return value_of(client, "live_battles")


async def test_health_counts_the_longest_silence_of_a_shard(
    discord: FakeDiscord, tables: list[Guild], services: Services, tmp_path: Path
) -> None:
    settings = load(data=tmp_path, shards="0-1/2")
    client = Client(Services(settings, services.engine, services.find_store, ROOMS))
    async with discord.running(client):
        assert sorted(client.shards) == [0, 1]
        assert client.health.silence() < 60
        beat: Any = client.shards[1]._parent.ws._keep_alive
        beat._last_recv = time.perf_counter() - 1000
        assert client.health.silence() > 900


@pytest.mark.whole
def test_without_shared_servers_their_modules_are_not_loaded(tmp_path: Path) -> None:
    program = (
        "import sys; from bot import console, prompt, upkeep; from bot.__main__ import main;"
        "from bot.discord_app import serve; assert main(['/preset list']) == 0;"
        "assert not {'asyncpg', 'redis', 'bot.work.shared_cache'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], env={**os.environ, "SANDTABLE_DATA": str(tmp_path)}, check=True)


# One owner for each shard


async def test_a_shard_has_one_process_and_a_database_one_bot(shared: str) -> None:
    def nobody() -> None:
        raise AssertionError

    async def refused(token: str, shards: Shards | None) -> str:
        with pytest.raises(LockTakenError) as error:
            async with hold_shards(shared, token, shards, nobody):
                pass
        assert "not-needed" not in error.value.text
        return error.value.text

    async with hold_shards(shared, "ours", FIRST, nobody):
        async with hold_shards(shared, "ours", SECOND, nobody):
            assert "runs shard 1 of 2 of this bot already" in await refused("ours", SECOND)
        async with hold_shards(shared, "ours", SECOND, nobody):
            pass
        assert "runs shard 0 of 2 of this bot already" in await refused("ours", Shards(0, 1, 2))
        for token, shards in (("ours", Shards(1, 1, 4)), ("ours", None), ("another", SECOND)):
            assert "Another bot is at work" in await refused(token, shards)
    async with hold_shards(shared, "ours", None, nobody):
        assert "runs this bot already" in await refused("ours", None)
        assert "Another bot is at work" in await refused("ours", SECOND)


@asynccontextmanager
async def owner(address: str) -> AsyncIterator[ShardLocks]:
    """Who holds the lock on the first shard, and lets go of it at the end, whatever comes between."""
    holder = ShardLocks(address, "ours", FIRST)
    await holder.take()
    try:
        yield holder
    finally:
        await holder.release()


async def test_lost_locks_are_taken_again(
    shared: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(owners, "EVERY", 0.02)
    async with hold_shards(shared, "ours", FIRST, lambda: None):
        await hang_up(shared)
        await until(lambda: "the locks on the shards are held again" in caplog.text)
        assert "the locks on the shards are lost" in caplog.text
        assert not [record for record in caplog.records if record.levelno > logging.WARNING]
        with pytest.raises(LockTakenError):
            async with hold_shards(shared, "ours", FIRST, lambda: None):
                pass


async def test_a_process_that_lost_its_locks_to_another_ends(shared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owners, "EVERY", 0)
    monkeypatch.setattr(owners, "LONGEST_REFUSED", 0)
    stopped = asyncio.Event()
    async with owner(shared) as before:
        await hang_up(shared)
        async with hold_shards(shared, "ours", FIRST, lambda: None):
            await asyncio.wait_for(before.watch(stopped.set), LONGEST)
        assert stopped.is_set()
        assert before.lost_to
        assert "runs shard 0 of 2 of this bot already" in before.lost_to.text


async def test_an_unreachable_database_at_the_start_is_a_sentence(shared: str) -> None:
    with pytest.raises(UserError, match=r"The database postgres at 127.0.0.2:\d+ cannot be used: "):
        async with hold_shards(shared.replace("127.0.0.1", "127.0.0.2"), "ours", None, lambda: None):
            pass


# True processes


async def test_only_a_program_with_a_taken_shard_is_refused(
    discord: FakeDiscord, tables: list[Guild], shared: str, redis: servers.Redis, tmp_path: Path
) -> None:
    given = {"SANDTABLE_DATABASE": shared, "SANDTABLE_REDIS": redis.address, "SANDTABLE_SHARDS": "0/2"}
    hasty = {"bot.store.owners.LONGEST_START": 0.1}
    async with program(discord.token, tmp_path / "one", discord, **given) as one:
        await discord.ready([0])
        async with (
            hold_shards(shared, discord.token, SECOND, lambda: None),
            program(discord.token, tmp_path / "two", discord, hasty, **given) as two,
        ):
            assert (await discord.member("Alice", guild=tables[0]).sends("battle", matchup="12 9")).content
            _, told = await asyncio.wait_for(two.communicate(), LONGEST)
        assert (two.returncode, discord.gateway.identified) == (75, 1)
        assert told.decode().endswith("runs shard 0 of 2 of this bot already. End it first.\n")
        one.terminate()
        _, told = await asyncio.wait_for(one.communicate(), LONGEST)
        assert (one.returncode, "closed in order" in told.decode()) == (0, True)
        assert "not-needed" not in told.decode()
