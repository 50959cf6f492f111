"""Equal processes without shards over one PostgreSQL: whichever is asked answers, and one that dies is replaced."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from discord.utils import time_snowflake, utcnow

from bot import request
from bot.discord_app.http.client import CLAIMS, HttpBot
from bot.replies import Reply
from bot.request import Services
from bot.rooms import ROOMS
from bot.settings import Settings
from bot.store.database import open_store
from bot.store.presence import Presence, hold_presence
from bot.work.engine import Engine
from tests.fake_discord import FakeDiscord, Person, Shown
from tests.fake_discord.wire import Kind
from tests.helpers import servers
from tests.helpers.bot.figures import figures
from tests.helpers.bot.http_bots import http_bot, http_program, register
from tests.helpers.bot.storm import battle_in
from tests.helpers.program import LONGEST, until

CALLBACK = "POST /interactions/{interaction_id}/{interaction_token}/callback"


@asynccontextmanager
async def equal(discord: FakeDiscord, settings: Settings, address: str) -> AsyncIterator[HttpBot]:
    """One of several processes: a client with services of its own over the same database."""
    async with (
        hold_presence(address) as presence,
        open_store(address) as store,
        Engine(settings, ROOMS, processes=False) as engine,
        http_bot(discord, Services(settings, engine, lambda: store, ROOMS), presence) as client,
    ):
        yield client


@pytest.fixture
async def equals(
    discord: FakeDiscord, settings: Settings, shared: str, unannounced: None
) -> AsyncIterator[tuple[HttpBot, HttpBot]]:
    async with equal(discord, settings, shared) as one, equal(discord, settings, shared) as other:
        yield one, other


def begins_roll(person: Person, shown: Shown, discord: FakeDiscord, turn: int) -> Any:
    """Press Roll as it stands under a frame that the message may not show yet."""
    post = discord.board.posts[shown.id]
    action = post.shown().button("Roll").custom_id.rpartition(":")[0]
    data = {"component_type": 2, "custom_id": f"{action}:{turn}", "id": 1}
    return discord.desk.begin(Kind.COMPONENT, person.user, person.channel, data, "Roll", source=post)


@pytest.mark.usefixtures("quick_frames")
async def test_each_press_may_go_to_another_process(discord: FakeDiscord, equals: tuple[HttpBot, HttpBot]) -> None:
    alice = discord.member("Alice")
    first = shown = await alice.sends("roll", matchup="9 8")
    while "Roll" in shown.labels:
        shown = await alice.presses(shown, "Roll")
        assert shown.id == first.id
    assert "Verify" in shown.labels
    assert min(discord.doors.sent.values()) >= 2
    await alice.sends("preset save", name="alamo", matchup="12 9")
    for _ in equals:
        assert "12 9" in (await alice.sends("battle", matchup="alamo")).content


async def test_a_changed_setting_counts_in_all_processes_when_the_seconds_are_over(
    discord: FakeDiscord, equals: tuple[HttpBot, HttpBot], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request, "RECENT", 0)
    mona = discord.member("Mona", manage_guild=True)
    for language, word in (("de", "Angreifer"), ("en", "Attacker"), ("es", "atacante")):
        await mona.sends("settings", language=language)
        for _ in equals:
            assert word in (await mona.sends("battle", matchup="12 9")).content


async def test_an_interaction_that_comes_to_two_processes_is_answered_once(
    discord: FakeDiscord, equals: tuple[HttpBot, HttpBot], monkeypatch: pytest.MonkeyPatch
) -> None:
    post = discord.doors.post

    async def to_both(_: str, body: bytes, headers: dict[str, str] | None = None) -> tuple[int, Any]:
        first, second = await asyncio.gather(*(post(address, body, headers) for address in discord.doors.addresses))
        assert first == second == (202, None)
        return first

    monkeypatch.setattr(discord.doors, "post", to_both)
    alice = discord.member("Alice")
    shown = await alice.sends("roll", matchup="12 9")
    await alice.presses(shown, "Roll")
    battles = equals[0].services.store.battles
    (fought,) = await battles.history(f"guild:{discord.guild.id}")
    assert fought.battle.turn == 1
    await until(lambda: not discord.doors.open)
    assert len(discord.requests_to(CALLBACK)) == 2


async def test_the_interaction_of_a_dead_process_is_taken_over(equals: tuple[HttpBot, HttpBot], shared: str) -> None:
    store = equals[0].services.store
    number = time_snowflake(utcnow())  # so new that no process forgets it by itself
    async with hold_presence(shared) as dying:
        assert await store.claim(number, dying.number)
        assert not await store.claim(number, equals[0]._presence.number)  # type: ignore[union-attr]
        assert not await store.claim(number, dying.number), "who has it alive does not get it twice"
    await until_claimed(equals[0], number)
    assert not await store.claim(number, equals[1]._presence.number)  # type: ignore[union-attr]
    await store.forget_claims(number + 1)
    assert await store.claim(number, equals[1]._presence.number)  # type: ignore[union-attr]


async def until_claimed(client: HttpBot, number: int) -> None:
    """Claim an interaction; PostgreSQL may take a moment to see that another process has ended."""
    for _ in range(CLAIMS):
        if await client._claim(number):
            return
    raise AssertionError


async def until_leading(presence: Presence) -> None:
    """Wait until a process catches up for all, which PostgreSQL allows when it sees that the one before has ended."""
    end = asyncio.get_running_loop().time() + LONGEST
    while not await presence.leads():
        assert asyncio.get_running_loop().time() < end
        await asyncio.sleep(0.01)


async def test_a_single_process_catches_up_for_all_until_it_ends(shared: str) -> None:
    async with hold_presence(shared) as second:
        async with hold_presence(shared) as first:
            assert await first.leads()
            assert await first.leads()
            assert not await second.leads()
        await until_leading(second)


async def test_a_lost_connection_is_made_again(shared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.store.presence.EVERY", 0.01)
    async with hold_presence(shared) as presence, open_store(shared) as store:
        assert await presence.leads()
        before = presence._connection
        async with store._connections.write() as connection:
            await connection.exec_driver_sql(
                "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' "
                f"AND objsubid = 2 AND objid::bigint = {presence.number}"
            )
        await until(lambda: presence._connection not in (None, before))
        await until_leading(presence)
        assert await store.claim(8, presence.number)
        assert not await store.claim(8, 1), "others see again that it is alive"
        await store.forget_claims(9)


@pytest.mark.usefixtures("quick_frames")
async def test_an_older_frame_never_replaces_a_newer_frame(
    discord: FakeDiscord, equals: tuple[HttpBot, HttpBot], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One process is slow to show a roll, and another has rolled on and shown it by then."""
    slow, may_send = asyncio.Event(), asyncio.Event()
    alice = discord.member("Alice")
    first = await alice.sends("roll", matchup="30 30")
    quick, late = equals  # the next press goes to the second
    send = late.frames._send_until_arrived

    async def send_late(reply: Reply, *given: Any) -> bool:
        if reply.frame and reply.frame.turn == 1:
            slow.set()
            await may_send.wait()
        return await send(reply, *given)

    monkeypatch.setattr(late.frames, "_send_until_arrived", send_late)
    begins_roll(alice, first, discord, 0)
    await slow.wait()
    await begins_roll(alice, first, discord, 1).answered()
    after_two = discord.messages[first.id]
    may_send.set()
    await until(lambda: not (late.open_answers or quick.open_answers))
    shown = discord.messages[first.id]
    assert shown.edited > after_two.edited, "the older frame took the place of the newer one"
    assert shown.content == after_two.content


async def test_a_process_is_killed_and_another_goes_on(discord: FakeDiscord, shared: str, tmp_path: Path) -> None:
    metrics = f"127.0.0.1:{servers.free_port()}"
    async with AsyncExitStack() as stack:
        opened = [
            await stack.enter_async_context(
                http_program(tmp_path / name, discord, SANDTABLE_DATABASE=shared, SANDTABLE_METRICS=address)
            )
            for name, address in (("one", metrics), ("other", ""))
        ]
        await register(discord, tmp_path, SANDTABLE_DATABASE=shared)
        alice = discord.member("Alice")
        shown = await alice.sends("roll", matchup="9 8")
        shown = await alice.presses(shown, "Roll")
        # Else the balancer would take the press for unanswered, and send it to the other.
        await until(lambda: sum(discord.doors.sent.values()) == 2)
        opened[1][0].kill()
        await opened[1][0].wait()
        while "Roll" in shown.labels:
            shown = await alice.presses(shown, "Roll")
        assert "Verify" in shown.labels
        assert battle_in(shown.content)
        assert json.loads((tmp_path / "one" / "alive").read_text())["gateway"] == 0
        told = await figures(metrics)
        assert 'answers_total{command="roll on",outcome="answered"}' in told
        assert "servers" not in told, "without a gateway nobody knows how many there are"
        opened[0][0].terminate()
        assert await opened[0][0].wait() == 0


async def test_interactions_of_a_killed_process_go_to_another(
    discord: FakeDiscord, shared: str, tmp_path: Path
) -> None:
    """The balancer sees the connection break, and sends the interaction again."""
    async with (
        http_program(tmp_path / "one", discord, SANDTABLE_DATABASE=shared) as (dying, _),
        http_program(tmp_path / "other", discord, SANDTABLE_DATABASE=shared),
    ):
        await register(discord, tmp_path, SANDTABLE_DATABASE=shared)
        alice = discord.member("Alice")
        discord.limit_next(CALLBACK, retry_after=30)  # it waits with its answer, and dies
        asked = alice.begins("battle", matchup="12 9")
        await until(lambda: any(request.status == 429 for request in discord.requests_to(CALLBACK)))
        dying.kill()
        assert "12 9" in (await asked.answered()).content


async def test_without_the_database_odds_are_still_answered(
    discord: FakeDiscord, equals: tuple[HttpBot, HttpBot], postgres: servers.Postgres
) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("roll", matchup="12 9")
    postgres.stop()
    try:
        for _ in equals:
            assert "12 8" in (await alice.sends("battle", matchup="12 8")).content
            assert "database" in (await alice.presses(shown, "Roll")).content
    finally:
        postgres.start()
    assert (await alice.presses(shown, "Roll")).id == shown.id


def test_processes_have_different_numbers() -> None:
    numbers = {Presence("postgresql://a:b@127.0.0.1:1/c").number for _ in range(20)}
    assert len(numbers) == 20
