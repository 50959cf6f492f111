"""The sign of life: renewed while all is well, with how the bot is in it; silent as soon as something is not."""

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.discord_app import health
from bot.discord_app.client import Client
from bot.request import Services
from tests.fake_discord import FakeDiscord
from tests.helpers.program import LONGEST, until


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Signs of life come fifty times a second."""
    monkeypatch.setattr(health, "EVERY", 0.02)


@pytest.fixture
async def client(discord: FakeDiscord, services: Services, alive: Path) -> AsyncIterator[Client]:
    """A bot that has given a sign of life."""
    client = Client(services)
    client._connection.guild_ready_timeout = 0.01  # discord.py would wait two seconds for more servers
    async with discord.running(client):
        await until(lambda: client.is_ready() and alive.exists())
        yield client


async def test_the_health_file_has_the_state_of_the_bot(client: Client, alive: Path) -> None:
    await until(lambda: json.loads(alive.read_text())["shards"] == {"0": "ready"})
    state = json.loads(alive.read_text())
    assert list(state) == ["at", "gateway", "queue", "database", "shards"]
    assert datetime.now(UTC) - datetime.fromisoformat(state["at"]) < timedelta(seconds=LONGEST)
    assert 0 <= state["gateway"] < LONGEST
    assert state["queue"] == 0
    assert 0 <= state["database"] < LONGEST


async def test_the_health_file_is_replaced_as_a_whole(client: Client, alive: Path) -> None:
    before = alive.stat().st_mtime_ns
    await until(lambda: alive.stat().st_mtime_ns > before)
    for _ in range(50):
        assert json.loads(alive.read_text())["queue"] == 0
        await asyncio.sleep(0)


async def test_the_health_file_comes_back_with_its_folder(client: Client, alive: Path) -> None:
    alive.parent.rename(alive.parent.with_name("elsewhere"))
    await until(alive.exists)


async def test_a_stopping_bot_without_connections_is_well(client: Client) -> None:
    assert client.health._trouble_of_shards(["closed"], 0) == "Discord is not connected"
    await client.finish_answers()
    assert client.health._trouble_of_shards(["closed"], 0) == ""


async def test_there_is_no_health_file_without_discord(
    discord: FakeDiscord, client: Client, alive: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with discord.gateway_away():
        await until(lambda: "not well: Discord is not connected" in caplog.text)
        alive.unlink()
        await some_rounds(client)
        assert not alive.exists()
    await until(alive.exists)


def silent(client: Client, patched: pytest.MonkeyPatch) -> None:
    patched.setattr(client.shards[0]._parent.ws._keep_alive, "_last_recv", time.perf_counter() - 1000)


def crowded(client: Client, patched: pytest.MonkeyPatch) -> None:
    patched.setattr(client.services.engine.pool, "open_jobs", client.services.settings.most_waiting)


def broken(client: Client, patched: pytest.MonkeyPatch) -> None:
    async def fail(name: str) -> None:
        raise OSError("the disk is gone")

    patched.setattr(client.services.store, "fact", fail)


def late(client: Client, patched: pytest.MonkeyPatch) -> None:
    patched.setattr(health, "LONGEST_WAIT", -1)


def unwritable(client: Client, patched: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    patched.setattr(Path, "replace", fail)


TROUBLES: dict[str, Callable[[Client, pytest.MonkeyPatch], None]] = {
    "Discord has said nothing for": silent,
    "500 questions wait, and no more are taken": crowded,
    "the database does not answer: the disk is gone": broken,
    "the database took more than -1 s to answer": late,
    "No space left on device": unwritable,
}


async def test_there_is_no_health_file_during_trouble_logged_once(
    client: Client, alive: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def is_told(sentence: str) -> None:
        await until(lambda: sentence in caplog.text)

    for told, trouble in TROUBLES.items():
        with monkeypatch.context() as patched:
            trouble(client, patched)
            await is_told(told)
            alive.unlink()
            await some_rounds(client)
            assert not alive.exists()
            warnings = [record for record in caplog.records if told in record.getMessage()]
            assert [record.levelno for record in warnings] == [logging.WARNING]
        await until(alive.exists)


async def test_a_silent_database_is_logged_by_health(
    client: Client, alive: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    answer = asyncio.Event()

    async def stuck(name: str) -> None:
        await answer.wait()

    monkeypatch.setattr(health, "LONGEST_WAIT", 0.01)
    monkeypatch.setattr(client.services.store, "fact", stuck)
    await until(lambda: "not well: the database does not answer" in caplog.text)
    alive.unlink()
    monkeypatch.undo()
    assert not alive.exists()
    answer.set()
    await until(alive.exists)


async def some_rounds(client: Client) -> None:
    """Wait until the client has looked at itself a few times."""
    looked, store = 0, client.services.store
    before = store.fact

    async def fact(name: str) -> str | None:
        nonlocal looked
        looked += 1
        return await before(name)

    store.fact = fact  # type: ignore[method-assign]
    await until(lambda: looked > 3)
    store.fact = before  # type: ignore[method-assign]
