"""What many tests share: settings of their own, services, and a running bot on the stand-in for Discord."""

import gc
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import hypothesis
import pytest

from bot.commands.request import Services
from bot.discord_app import answers, frames
from bot.discord_app.client import Client
from bot.engine import Engine
from bot.settings import Settings, load
from bot.store import connections, open_store
from bot.store import postgres as database_server
from bot.store.tables import metadata
from tests import servers
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
    kinds = ("per_minute_user", "per_minute_server", "waiting_user", "seconds_user", "seconds_server")
    return load(data=tmp_path / "data", **{f"most_{kind}": 10**6 for kind in kinds})


@pytest.fixture(scope="session")
def postgres() -> Iterator[servers.Postgres]:
    """A PostgreSQL server, one for all tests."""
    if reason := servers.no_postgres():
        pytest.skip(reason)
    with servers.postgres() as server:
        yield server


@pytest.fixture(scope="session")
def redis() -> Iterator[servers.Redis]:
    """A Redis server, one for all tests."""
    if reason := servers.no_redis():
        pytest.skip(reason)
    with servers.redis() as server:
        yield server


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who writes waits for a turn as long as it takes on a busy machine."""
    monkeypatch.setattr(connections, "PATIENCE", 20)
    monkeypatch.setattr(database_server, "PATIENCE", 20)
    monkeypatch.setitem(database_server.SESSION, "lock_timeout", "20s")


@pytest.fixture(params=["sqlite", "postgresql"])
async def where(request: pytest.FixtureRequest, tmp_path: Path, patient: None) -> Path | str:
    """A place for a database, with nothing in it: a file of SQLite, then PostgreSQL, for both must answer the same."""
    if request.param == "sqlite":
        return tmp_path / "sandtable.db"
    return await emptied(request.getfixturevalue("postgres"))


@pytest.fixture
async def shared(postgres: servers.Postgres, patient: None) -> str:
    """PostgreSQL's address, for tests in which several processes share it; with nothing in it."""
    return await emptied(postgres)


async def emptied(server: servers.Postgres) -> str:
    """The address of a database that has our tables, all of them empty."""
    async with open_store(server.address()) as store, store.battles._connections.write() as connection:
        await connection.exec_driver_sql(f"TRUNCATE {', '.join(metadata.tables)}")
    return server.address()


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
