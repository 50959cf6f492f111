"""Shards become ready one by one: meanwhile the bot counts as alive, and says what each of them does."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.discord_app import health
from bot.discord_app.client import Client
from bot.request import Services
from bot.store import identify_turns
from bot.store.identify_turns import IdentifyTurns
from tests.fake_discord import BUSY, FakeDiscord
from tests.fake_discord.gateway import GUILDS, Starts
from tests.fake_discord.running import run
from tests.fake_discord.world import shard_of
from tests.helpers.bot.figures import value_of
from tests.helpers.program import until


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Signs of life come fifty times a second, and nobody loses a turn."""
    monkeypatch.setattr(health, "EVERY", 0.02)
    monkeypatch.setattr(identify_turns, "LONGEST_UNUSED", 600)


@pytest.fixture
async def discord() -> AsyncIterator[FakeDiscord]:
    """A Discord that takes an identify of one shard with an even number and of one with an odd number at a time."""
    async with FakeDiscord(shards=3, slack=BUSY) as fake:
        fake.gateway.starts.lines = 2
        yield fake


def states(alive: Path) -> dict[str, str]:
    """What the sign of life says of each shard; nothing where there is none."""
    return dict(json.loads(alive.read_text())["shards"]) if alive.exists() else {}


def shards_of(settings_of: Services, own: str) -> Services:
    """The services of a process with these shards."""
    return replace(settings_of, settings=replace(settings_of.settings, shards=own))


async def test_a_start_is_alive_while_shards_get_ready_or_wait(
    discord: FakeDiscord, services: Services, shared: str, alive: Path
) -> None:
    table = discord.guild
    while shard_of(table, 3):
        await asyncio.sleep(0.001)
        table = discord.add_guild("Another Table")
    other = IdentifyTurns(shared)
    assert await other.take(1)
    client = Client(shards_of(services, "0-2/3"), IdentifyTurns(shared))
    begun = {"0": "ready", "1": "waiting", "2": "waiting"}
    with discord.redirected():
        async with run(client, discord.token, lambda: until(lambda: states(alive) == begun)):
            assert not client.is_ready()
            assert is_told(client, 0, "ready")
            assert is_told(client, 1, "waiting")
            alice = discord.member("Alice", guild=table)
            assert (await alice.sends("battle", matchup="3 2")).content, "its server is answered already"
            client._progressed -= 1000
            alive.unlink()
            await until(alive.exists)
            await other.give_back()
            await until(lambda: set(states(alive).values()) == {"ready"})
            await until(client.is_ready)


async def test_a_stuck_start_is_not_alive(
    discord: FakeDiscord,
    services: Services,
    alive: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    door, spend = discord.gateway._open, Starts.spend

    def close_behind(starts: Starts, shard: int) -> bool:
        door.clear()
        return spend(starts, shard)

    monkeypatch.setattr(Starts, "spend", close_behind)
    client = Client(shards_of(services, "0-1/3"))
    begun = {"0": "ready", "1": "connecting"}
    with discord.redirected():
        async with run(client, discord.token, lambda: until(lambda: states(alive) == begun)):
            client._progressed -= 1000
            await until(lambda: "not well: no shard has got on with its start" in caplog.text)
            alive.unlink()
            await looked_at(client, 3)
            assert not alive.exists()
            door.set()
            await until(lambda: set(states(alive).values()) == {"ready"})


async def test_health_and_metrics_show_each_state_of_a_shard(
    discord: FakeDiscord, services: Services, alive: Path
) -> None:
    client = Client(shards_of(services, "0/3"))
    async with discord.running(client):
        await until(lambda: states(alive) == {"0": "ready"})
        async with discord.gateway_away():
            await until(lambda: client.shard_states == {0: "closed"})
            assert is_told(client, 0, "closed")
        await until(lambda: states(alive) == {"0": "resumed"})


def is_told(client: Client, shard: int, state: str) -> bool:
    """Whether Prometheus is told that a shard is in this state."""
    return value_of(client, "shard_state", shard=str(shard), state=state) == 1


async def looked_at(client: Client, times: int) -> None:
    """Wait until the client has looked at itself so often."""
    looks, look = 0, client.health._check_database

    async def count() -> tuple[str, float]:
        nonlocal looks
        looks += 1
        return await look()

    client.health._check_database = count  # type: ignore[method-assign]
    await until(lambda: looks > times)


# Without messages


async def test_a_bot_without_the_message_intent_answers_commands(discord: FakeDiscord, services: Services) -> None:
    settings = replace(services.settings, messages=False)
    async with discord.running(Client(replace(services, settings=settings))):
        assert {session.intents for session in discord.gateway.sessions.values()} == {GUILDS}
        alice, carl = discord.member("Alice"), discord.stranger("Carl")
        for person in (alice, carl):
            fight = await person.sends("roll", matchup="3 2")
            assert (await person.presses(fight, "Roll")).id == fight.id
        assert "mention me" not in (await alice.sends("help", topic="more")).content
    async with discord.running(Client(services)):
        assert "mention me" in (await alice.sends("help", topic="more")).content
