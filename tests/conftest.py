"""What many tests share: settings of their own, services, and a running bot on the stand-in for Discord."""

import gc
from collections.abc import AsyncIterator
from pathlib import Path

import hypothesis
import pytest

from bot.commands.request import Services
from bot.discord_app import answers, frames
from bot.discord_app.client import Client
from bot.engine import Engine
from bot.settings import Settings, load
from bot.store import open_store
from tests.fake_discord import FakeDiscord

# Machines are shared: how long an example takes says nothing.
hypothesis.settings.register_profile("ours", deadline=None, max_examples=100)
hypothesis.settings.load_profile("ours")


def pytest_collection_finish() -> None:
    """Keep thousands of collected tests out of each search for garbage: they stay to the end anyway."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """The defaults, with a data folder that belongs to the test, and no end of patience for who asks a lot."""
    return load(data=tmp_path / "data", most_per_minute_user=10**6, most_per_minute_server=10**6)


@pytest.fixture
async def services(settings: Settings) -> AsyncIterator[Services]:
    """An engine that works in a thread, and a fresh database."""
    async with open_store(settings.data / "sandtable.db") as store, Engine(settings, processes=False) as engine:
        yield Services(settings, engine, store)


@pytest.fixture
async def discord() -> AsyncIterator[FakeDiscord]:
    """A Discord of our own; it complains at the end about everything the real one would refuse."""
    async with FakeDiscord(bot_name="Sandtable") as fake:
        yield fake


@pytest.fixture
def quick_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages change as soon as somebody presses, however many do."""
    monkeypatch.setattr(frames, "GAP", 0)


@pytest.fixture
async def bot(discord: FakeDiscord, services: Services, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Client]:
    """The bot, connected and ready; on a busy machine too it announces no answer that is not meant to be slow."""
    monkeypatch.setattr(answers, "PATIENCE", 2)
    client = Client(services)
    async with discord.running(client):
        yield client
        await client.goodbye()
