"""What many tests share: settings of their own, services, and a running bot on the stand-in for Discord."""

import gc
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import hypothesis
import pytest

from bot import engine
from bot.commands import suggest
from bot.commands.request import Services
from bot.discord_app import answers, frames
from bot.discord_app.client import Client
from bot.engine import Engine
from bot.settings import Settings, load
from bot.store import connections, open_store
from bot.store import postgres as database_server
from bot.store.tables import metadata
from tests.fake_discord import BUSY, FakeDiscord
from tests.helpers import servers

# Machines are shared: how long an example takes says nothing.
hypothesis.settings.register_profile("ours", deadline=None, max_examples=100)
hypothesis.settings.load_profile("ours")


def pytest_collection_finish() -> None:
    """Keep thousands of collected tests out of each search for garbage: they stay to the end anyway."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Let what a failed test left open go with it, or some later test would fail when it is found.

    What stays open after a test that passed is that test's own failure.
    """
    failed = item.session.testsfailed
    result = yield
    if item.session.testsfailed > failed:
        sys.last_value = sys.last_traceback = None
        sys.last_exc = None  # type: ignore[attr-defined]  # from Python 3.12 on; it keeps the frames of the test alive
        quiet, sys.unraisablehook = sys.unraisablehook, lambda _: None
        try:
            for _ in range(3):  # what the first round closes may be in the way of something else
                gc.collect()
        finally:
            sys.unraisablehook = quiet
    return result


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """The defaults, with a data folder that belongs to the test, and no end of patience for who asks a lot."""
    return load(data=tmp_path / "data", most_per_minute_user=10**6, most_per_minute_server=10**6)


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
    """Turns at the database and the odds of suggestions are waited for as long as it takes on a busy machine."""
    monkeypatch.setattr(connections, "PATIENCE", 20)
    monkeypatch.setattr(database_server, "PATIENCE", 20)
    monkeypatch.setitem(database_server.SESSION, "lock_timeout", "20s")
    monkeypatch.setattr(suggest, "PATIENCE", 20)
    monkeypatch.setattr(engine, "PREVIEW_SECONDS", 20)


@pytest.fixture
def impatient(patient: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Little patience with a locked database, from before it is opened."""
    monkeypatch.setattr(connections, "PATIENCE", 0.05)


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
async def services(settings: Settings, patient: None) -> AsyncIterator[Services]:
    """An engine that works in a thread, and a fresh database."""
    async with open_store(settings.data / "sandtable.db") as store, Engine(settings, processes=False) as engine:
        yield Services(settings, engine, store)


@pytest.fixture
async def discord() -> AsyncIterator[FakeDiscord]:
    """A Discord of our own; it complains at the end about everything the real one would refuse."""
    async with FakeDiscord(bot_name="Sandtable", slack=BUSY) as fake:
        yield fake


@pytest.fixture
def quick_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages change as soon as somebody presses, however many do."""
    monkeypatch.setattr(frames, "GAP", 0)


@pytest.fixture
def unannounced(monkeypatch: pytest.MonkeyPatch) -> None:
    """No answer is announced but those that are meant to be slow, on a busy machine too."""
    monkeypatch.setattr(answers, "PATIENCE", 20)


@pytest.fixture
async def bot(discord: FakeDiscord, services: Services, unannounced: None) -> AsyncIterator[Client]:
    """The bot, connected and ready."""
    client = Client(services)
    async with discord.running(client):
        yield client
        await client.goodbye()
