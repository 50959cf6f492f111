"""A process with a shard is killed at each step of taking it: the next one has it soon, and others lose nothing."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.store import identify_turns
from bot.store.database import Store, open_store
from bot.store.identify_turns import IdentifyTurns
from bot.store.postgres import IDENTIFIES, SHARDS
from tests.fake_discord import BUSY, FakeDiscord, Guild
from tests.helpers import servers
from tests.helpers.program import LONGEST, program, until
from tests.helpers.silent_link import SilentLink, silent_link

pytestmark = pytest.mark.trial

EVERY = identify_turns.TURN / 4
"""What our Discord wants between two identifies: less than processes keep, as one may be late on a busy machine."""
GATEWAY = "GET /gateway/bot"


@pytest.fixture
async def discord() -> AsyncIterator[FakeDiscord]:
    async with FakeDiscord(shards=2, slack=BUSY) as fake:
        fake.gateway.starts.every = EVERY
        # discord.py warns of a lag that is none if an answer comes before it has noted when it asked, as happens on a
        # busy machine. So no heartbeat falls due here.
        fake.gateway.heartbeat_ms = 600_000
        yield fake


Until = Callable[[], Awaitable[None]]
"""Waits until a process has come to a step, where it stays."""


@dataclass
class Scene:
    """Where the process with the second shard is killed: our Discord, the database, and its way there."""

    discord: FakeDiscord
    store: Store
    address: str
    link: SilentLink

    async def until_locked(self, kind: int, number: int, granted: bool = True) -> None:
        """Wait until somebody has a lock, or waits for it."""
        query = text(
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND "
            f"classid = {kind} AND objid = {number} AND granted = {granted}"
        )
        async with asyncio.timeout(LONGEST), self.store.battles._connections.read() as connection:
            while not await connection.scalar(query):  # noqa: ASYNC110 - only the database knows
                await asyncio.sleep(0.01)


Step = Callable[[Scene], AbstractAsyncContextManager[Until]]


@asynccontextmanager
async def before_it_has_the_lock(scene: Scene) -> AsyncIterator[Until]:
    scene.link.silence()
    yield lambda: until(lambda: scene.link.connections > 0)
    scene.link.speak()


@asynccontextmanager
async def before_it_asks_for_a_turn(scene: Scene) -> AsyncIterator[Until]:
    async def there() -> None:
        await scene.until_locked(SHARDS, 1)
        await until(lambda: any(request.status == 429 for request in scene.discord.requests_to(GATEWAY)))

    scene.discord.limit_next(GATEWAY, retry_after=LONGEST)
    yield there


@asynccontextmanager
async def in_the_line_for_a_turn(scene: Scene) -> AsyncIterator[Until]:
    first = IdentifyTurns(scene.address)
    assert await first.take(0)
    yield lambda: scene.until_locked(IDENTIFIES, 0, granted=False)
    await first.give_back()


@asynccontextmanager
async def with_a_turn_that_is_not_used(scene: Scene) -> AsyncIterator[Until]:
    with scene.discord.gateway.closed_door():
        yield lambda: scene.until_locked(IDENTIFIES, 0)


@asynccontextmanager
async def after_its_identify(scene: Scene) -> AsyncIterator[Until]:
    starts = scene.discord.gateway.starts
    before = starts.remaining
    with scene.discord.gateway.without_ready():
        yield lambda: until(lambda: starts.remaining < before)


STEPS: tuple[Step, ...] = (
    before_it_has_the_lock,
    before_it_asks_for_a_turn,
    in_the_line_for_a_turn,
    with_a_turn_that_is_not_used,
    after_its_identify,
)


@pytest.mark.whole
async def test_a_killed_process_holds_up_no_other_shard(
    discord: FakeDiscord,
    tables: list[Guild],
    postgres: servers.Postgres,
    shared: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(identify_turns, "LONGEST_UNUSED", 600)
    given = {"SANDTABLE_DATABASE": shared}
    async with (
        silent_link(postgres.port) as link,
        open_store(shared) as store,
        program(discord.token, tmp_path / "other", discord, SANDTABLE_SHARDS="0/2", **given) as other,
    ):
        await discord.ready([0])
        (session,) = discord.gateway.sessions.values()
        connection = session.connection
        scene = Scene(discord, store, shared, link)
        alice, bob = (discord.member(name, guild=table) for name, table in zip(("Alice", "Bob"), tables, strict=True))
        given |= {"SANDTABLE_SHARDS": "1/2"}
        over_link = given | {"SANDTABLE_DATABASE": shared.replace(f":{postgres.port}/", f":{link.port}/")}
        for step in STEPS:
            folder = tmp_path / step.__name__
            async with (
                step(scene) as there,
                program(discord.token, folder / "killed", discord, **over_link) as killed,
            ):
                await there()
                killed.kill()
                await killed.wait()
                assert "12 9" in (await alice.sends("battle", matchup="12 9")).content
            identified = discord.gateway.identified
            async with program(discord.token, folder / "next", discord, **given) as next_one:
                await until(lambda: discord.gateway.identified > identified)  # noqa: B023
                await discord.ready([0, 1])
                for person in (alice, bob):
                    assert "12 8" in (await person.sends("battle", matchup="12 8")).content
                next_one.kill()  # now that it is ready
                await next_one.wait()
            assert (discord.gateway.starts.refused, discord.gateway.resumed) == (0, 0)
            assert session.connection is connection, "nobody else has noticed anything"
        other.terminate()
        _, told = await asyncio.wait_for(other.communicate(), LONGEST)
        assert other.returncode == 0
        assert [line for line in told.decode().splitlines() if " INFO " not in line] == []
