"""What many tests share: settings of their own, services, and a running bot on the stand-in for Discord."""

import asyncio
import gc
import io
import pickle
import resource
import shutil
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from functools import cache
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from asyncpg import UndefinedTableError  # type: ignore[import-untyped]
from cachetools import LRUCache
from discord.app_commands import Command as SlashCommand
from discord.http import Route
from PIL import Image
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot import autocomplete, charts, languages
from bot.charts import Chart
from bot.charts.sheet import Sheet
from bot.charts.style import HEIGHT, WIDTH
from bot.commands.table import COMMANDS
from bot.discord_app import answers, frames, open_answers, tree
from bot.discord_app.client import Client
from bot.discord_app.health import Health
from bot.discord_app.left_waiting import LeftWaiting
from bot.discord_app.tidying_up import TidyingUp
from bot.discord_app.tree import slash_command
from bot.games.dice.chart import BattleChart
from bot.languages import language
from bot.request import Services
from bot.rooms import ROOMS
from bot.settings import Settings, load
from bot.store import connections, database, unopened
from bot.store import postgres as database_server
from bot.store.database import open_store
from bot.store.tables import metadata
from bot.store.upgrade import bring_up_to_date
from bot.work import engine
from bot.work.engine import Engine
from bot.work.forks import return_free_memory
from bot.work.jobs import size_of
from bot.work.workers import WorkerThread, clear_solver_caches
from tests.fake_discord import BUSY, FakeDiscord, Guild
from tests.fake_discord.tiny_bot import Table, laid_table
from tests.helpers import forked, servers
from tests.helpers.bot.crowd import table_on_each
from tests.helpers.program import LONGEST

GROWTH = 20_000_000
"""Bytes by which this process may have grown before what tests leave behind is cleared away."""
_size = 0
_folders = count()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Iterator[None]:
    """Clear the caches of the solver after a test that let them grow."""
    global _size
    result = yield
    if _resident() > _size + GROWTH:
        clear_solver_caches()
        gc.collect()
        gc.freeze()  # what lives longer than a test is not searched again and again
        return_free_memory()
        _size = _resident()
    return result


def _resident() -> int:
    """Return the bytes of memory that this process has."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


@pytest.fixture(scope="session", autouse=True)
def patience_with_discord() -> Iterator[None]:
    """No first answer is sent twice because Discord is slow on a busy machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(open_answers, "LONGEST_FIRST", LONGEST)
        yield


@pytest.fixture(scope="session", autouse=True)
def interrupt() -> Iterator[None]:
    """Ctrl+C ends the tests by a handler of our own: else asyncio sets one for each step of each test."""
    before = signal.signal(signal.SIGINT, lambda number, frame: signal.default_int_handler(number, frame))
    yield
    signal.signal(signal.SIGINT, before)


class Compiled(LRUCache[tuple[Any, ...], Any]):
    """Statements that an earlier engine has compiled, for all engines of SQLite, whose dialects are equal."""

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:
        """Return a statement whatever engine asks, which comes first in the key."""
        return super().get(key[1:], default)

    def __setitem__(self, key: tuple[Any, ...], statement: Any) -> None:
        super().__setitem__(key[1:], statement)


@pytest.fixture(scope="session", autouse=True)
def compiled() -> Iterator[None]:
    """Statements are compiled once for all files of SQLite: a story has a new file, and uses many only once."""
    statements = Compiled(1000)

    def engine(*where: Any, **how: Any) -> AsyncEngine:
        made = create_async_engine(*where, **how)
        made.sync_engine._compiled_cache = statements
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "create_async_engine", engine)
        yield


@pytest.fixture(scope="session", autouse=True)
def programs() -> Iterator[None]:
    """Whatever program a test has started ends with the tests."""
    yield
    forked.end()


@pytest.fixture(scope="session")
def defaults() -> Settings:
    """The settings that come with the program, with no end of patience for who asks a lot."""
    kinds = ("per_minute_user", "per_minute_server", "waiting_user", "seconds_user", "seconds_server")
    return load(**{f"most_{kind}": 10**6 for kind in kinds})


@pytest.fixture
def settings(defaults: Settings, tmp_path: Path) -> Settings:
    """The defaults, with a data folder that belongs to the test."""
    return replace(defaults, data=tmp_path / "data")


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the test's own; pytest would look through those of all tests before, for the next free number."""
    return tmp_path_factory.mktemp(f"{request.function.__name__[:30]}{next(_folders)}", numbered=False)


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
    monkeypatch.setitem(database_server.SESSION, "lock_timeout", "20s")
    monkeypatch.setattr(autocomplete, "PATIENCE", 20)
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
    tables = [table.name for table in reversed(metadata.sorted_tables)]
    # TRUNCATE would make a new file for each index of a table. The lock waits for those who still write.
    empty = f"BEGIN; LOCK {', '.join(tables)}; {' '.join(f'DELETE FROM {table};' for table in tables)} COMMIT"
    try:
        await server.execute(empty)
    except UndefinedTableError:
        async with open_store(server.address()):
            pass
    return server.address()


@pytest.fixture(scope="session", autouse=True)
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Each new file of SQLite is a copy of one with our tables, as to make these takes longer than many a test.

    Those of PostgreSQL, of other programs and of other versions are made step by step.
    """
    file, copies = tmp_path_factory.mktemp("migrated") / "sandtable.db", set[Path | str]()
    make, migrations = database._make_file, unopened.MIGRATIONS

    async def open_and_close() -> None:
        async with open_store(file):
            pass

    def copy(new: Path) -> None:
        is_new = not new.exists()
        make(new)
        if is_new and new.exists() and unopened.MIGRATIONS is migrations:
            shutil.copyfile(file, new)
            copies.add(new)

    async def know(where: Path | str, *of: Any) -> None:
        if where in copies:
            copies.remove(where)
        else:
            await bring_up_to_date(where, *of)

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, open_and_close()).result()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "_make_file", copy)
        patch.setattr(database, "bring_up_to_date", know)
        yield


_pictures: LRUCache[bytes, Any] = LRUCache(8 * 2**20, getsizeof=size_of)


@pytest.fixture(scope="session")
def empty_picture() -> bytes:
    """A picture of the usual size with nothing on it."""
    file = io.BytesIO()
    Image.new("1", (WIDTH, HEIGHT)).save(file, "PNG")
    return file.getvalue()


@pytest.fixture
def unpainted(request: pytest.FixtureRequest, empty_picture: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each picture is laid out once and stays empty: painting takes most of the time, and chart tests do it.

    A test that looks at its pictures is marked `painted`.
    """
    if request.node.get_closest_marker("painted"):
        return
    draw = charts.draw

    def once(chart: Chart, *parts: Any) -> Any:
        key = sha256(pickle.dumps((chart, language(), parts))).digest()
        return _keep_in(_pictures, key, lambda: draw(chart, *parts))

    for module in (charts, engine):
        monkeypatch.setattr(module, "draw", once)
    for painter in (Sheet, BattleChart):
        monkeypatch.setattr(painter, "png", lambda _painter: empty_picture)


_solved: LRUCache[tuple[Any, ...], Any] = LRUCache(8 * 2**20, getsizeof=size_of)


def _keep_in(cache: LRUCache[Any, Any], key: Any, work: Callable[[], Any]) -> Any:
    """Return what a cache has under a key, or do the work for it; what is larger than the cache is not kept."""
    if (answer := cache.get(key)) is None:
        answer = work()
        with suppress(ValueError):
            cache[key] = answer
    return answer


@pytest.fixture
def solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an earlier test has had solved in a thread is not solved again; each engine still asks and counts."""
    do = WorkerThread._do

    def once(
        worker: WorkerThread, speak: Callable[..., Any], spoken: str, work: Callable[..., Any], *parts: Any
    ) -> Any:
        if not getattr(work, "__module__", "").startswith("solver."):
            return do(worker, speak, spoken, work, *parts)
        worker.spent = 0.0
        key = work, spoken, sha256(pickle.dumps(parts)).digest()
        return _keep_in(_solved, key, lambda: do(worker, speak, spoken, work, *parts))

    monkeypatch.setattr(WorkerThread, "_do", once)


@pytest.fixture
async def services(settings: Settings, patient: None, unpainted: None, solved_once: None) -> AsyncIterator[Services]:
    """An engine that works in a thread, and a fresh database."""
    file = settings.data / "sandtable.db"
    async with AsyncExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            # No test cuts the power, the only thing against which the disk has to be waited for.
            patch.setattr(connections, "PRAGMAS", (*connections.PRAGMAS, "synchronous=OFF"))
            store = await stack.enter_async_context(open_store(file))
        engine = await stack.enter_async_context(Engine(settings, ROOMS, processes=False))
        yield Services(settings, engine, lambda: store, ROOMS)


async def _nothing(*_of: object) -> None:
    """In the place of work that a test does not need."""


@pytest.fixture
async def discord() -> AsyncIterator[FakeDiscord]:
    """A Discord of our own; it complains at the end about everything the real one would refuse."""
    async with FakeDiscord(bot_name="Sandtable", slack=BUSY) as fake:
        yield fake


@pytest.fixture
def quick_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages change as soon as somebody presses, however many do."""
    monkeypatch.setattr(frames, "GAP", 0)


@pytest.fixture(scope="session")
def commands() -> list[dict[str, Any]]:
    """What the first bot has told Discord its commands are: to work that out takes longer than all else of a start."""
    return []


@pytest.fixture
def host(discord: FakeDiscord, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a host's environment says."""
    monkeypatch.setattr(Route, "BASE", Route.BASE)  # so that it is put back
    for name, value in {"TOKEN": discord.token, "API": discord.api, "DATA": str(tmp_path)}.items():
        monkeypatch.setenv(f"SANDTABLE_{name}", value)


@pytest.fixture
def unannounced(monkeypatch: pytest.MonkeyPatch) -> None:
    """No answer is announced but those that are meant to be slow, on a busy machine too."""
    monkeypatch.setattr(answers, "PATIENCE", 20)
    # Tests that wait for an answer do not want its progress, which comes only on a busy machine.
    monkeypatch.setattr(answers, "TELL_EVERY", 3600)


@pytest.fixture
def untidied(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that starts looks for nothing to delete and for no answers left by others: it takes a sixth of a test."""
    monkeypatch.setattr(TidyingUp, "run", _nothing)
    monkeypatch.setattr(LeftWaiting, "run", _nothing)


@pytest.fixture(scope="session", autouse=True)
def slash_commands() -> Iterator[None]:
    """All bots share their slash commands and what Discord is told of each, which take as long as to connect."""
    payloads: dict[tuple[Any, Any], Any] = {}
    payload_of = SlashCommand.get_translated_payload

    async def payload(command: Any, tree: Any, translator: Any) -> Any:
        if (key := (command, languages._catalogue)) not in payloads:
            payloads[key] = await payload_of(command, tree, translator)
        return payloads[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SlashCommand, "get_translated_payload", payload)
        made = cache(lambda command, name: slash_command(COMMANDS[command], name))
        patch.setattr(tree, "slash_command", lambda command, name: made(command.name, name))
        yield


@pytest.fixture
async def bot(
    discord: FakeDiscord, services: Services, unannounced: None, untidied: None, commands: list[dict[str, Any]]
) -> AsyncIterator[Client]:
    """The bot, connected and ready."""

    async def know(bot: Client) -> None:
        discord.catalogue.everywhere = commands

    bot = Client(services)
    async with AsyncExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Health, "write_signs", _nothing)
            if commands:
                patch.setattr(Client, "_sync_commands", know)
            await stack.enter_async_context(discord.running(bot))
        commands[:] = discord.commands
        yield bot
        await bot.finish_answers()


@pytest.fixture
async def table() -> AsyncIterator[Table]:
    """People around the smallest bot there can be, for the tests of the stand-in itself."""
    async with laid_table() as laid:
        yield laid


@pytest.fixture
async def tables(discord: FakeDiscord) -> list[Guild]:
    """A server on each of two shards."""
    return await table_on_each(discord)


@pytest.fixture
def alive(services: Services) -> Path:
    """The file whose age says that the bot works."""
    return services.settings.data / "alive"
