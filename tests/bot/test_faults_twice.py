"""A balancer sends the same interaction twice: it is answered once, and rolls once, whichever processes it comes to."""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from bot.store.database import open_store
from tests.fake_discord import FakeDiscord, Interaction, Person
from tests.helpers import servers
from tests.helpers.bot.http_bots import http_program, register
from tests.helpers.bot.live_battles import FIELD
from tests.helpers.program import LONGEST, Program, until

pytestmark = pytest.mark.trial

CALLBACK = "POST /interactions/{interaction_id}/{interaction_token}/callback"
HTTP = "bot.discord_app.http.client"
PATIENT = {f"{HTTP}.LONGEST_CLAIM": LONGEST}
"""What comes twice is claimed in the database, however busy that is."""
Answer = tuple[int, Any]


class Balancer:
    """Stands between our Discord and its processes, and sends interactions on as `way` says."""

    def __init__(self, discord: FakeDiscord, monkeypatch: pytest.MonkeyPatch) -> None:
        self._discord, self._post = discord, discord.doors.post
        self.way: Callable[[bytes], Awaitable[Answer]] = self.to_both
        monkeypatch.setattr(discord.doors, "post", lambda _address, body: self.way(body))

    @property
    def _addresses(self) -> list[str]:
        return self._discord.doors.addresses

    async def to_both(self, body: bytes) -> Answer:
        return await self._to(*self._addresses, body=body)

    async def to_one_twice(self, body: bytes) -> Answer:
        return await self._to(self._addresses[0], self._addresses[0], body=body)

    async def again_when_it_is_answered(self, body: bytes) -> Answer:
        await self._to(self._addresses[0], body=body)
        return await self._to(*self._addresses, body=body)

    async def _to(self, *addresses: str, body: bytes) -> Answer:
        """Send it to these at once: none of them has an answer that differs from the others'."""
        answers = await asyncio.gather(*(self._post(address, body) for address in addresses))
        assert answers == [(202, None)] * len(addresses)
        return answers[0]


async def test_an_interaction_sent_twice_counts_once(
    discord: FakeDiscord, shared: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with AsyncExitStack() as stack:
        for name in ("one", "other"):
            await stack.enter_async_context(http_program(tmp_path / name, discord, PATIENT, SANDTABLE_DATABASE=shared))
        await register(discord, tmp_path, SANDTABLE_DATABASE=shared)
        balancer = Balancer(discord, monkeypatch)
        for way in (balancer.to_both, balancer.to_one_twice, balancer.again_when_it_is_answered):
            balancer.way = way
            await play(discord.member("Alice"))
        await check_all(discord, shared, times=3)


@pytest.mark.whole
async def test_an_interaction_sent_twice_after_an_outage_counts_once(
    discord: FakeDiscord, postgres: servers.Postgres, shared: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rare = PATIENT | {"bot.store.presence.EVERY": LONGEST}
    async with AsyncExitStack() as stack:
        for name in ("one", "other"):
            await stack.enter_async_context(http_program(tmp_path / name, discord, rare, SANDTABLE_DATABASE=shared))
        await register(discord, tmp_path, SANDTABLE_DATABASE=shared)
        Balancer(discord, monkeypatch)
        postgres.stop()
        postgres.start()
        await play(discord.member("Alice"))
        await check_all(discord, shared)


@pytest.mark.whole
async def test_interactions_of_a_killed_process_are_answered_once(
    discord: FakeDiscord, shared: str, tmp_path: Path
) -> None:
    given, tenacious = {"SANDTABLE_DATABASE": shared}, PATIENT | {f"{HTTP}.CLAIMS": 100}
    await register(discord, tmp_path, **given)
    async with AsyncExitStack() as stack:

        async def start() -> tuple[Program, str]:
            folder = tmp_path / f"{len(discord.doors.addresses)}"
            return await stack.enter_async_context(http_program(folder, discord, tenacious, **given))

        processes = [await start(), await start()]

        async def lost(begun: Callable[[], Interaction]) -> Interaction:
            """What somebody begins, whose process waits with its answer, and dies."""
            dying, address = processes.pop(0)
            asked = len(discord.requests_to(CALLBACK))
            discord.doors.begin_with(address)
            discord.limit_next(CALLBACK, retry_after=LONGEST)
            interaction = begun()
            await until(lambda: [request.status for request in discord.requests_to(CALLBACK)[asked:]] == [429])
            dying.kill()
            await dying.wait()
            await until(lambda: not discord.doors.open)
            processes.append(await start())
            return interaction

        alice = discord.member("Alice")
        shown = await (await lost(lambda: alice.begins("roll", matchup="9 8"))).answered()
        press = await lost(lambda: alice.begins_pressing(shown, "Roll"))
        form = await (await lost(lambda: alice.begins_pressing(shown, "Real dice"))).opened()
        typed = await lost(lambda: alice.begins_submitting(form, {FIELD: "6 4 1 vs 5 3"}))
        assert "Roll" in (await typed.answered()).labels
        assert [press.followups, typed.followups] == [[], []], "nobody is told that it was rolled before"
    await check_all(discord, shared)


async def play(alice: Person) -> None:
    """A command, a press, a press that opens a form, and the form."""
    shown = await alice.sends("roll", matchup="9 8")
    shown = await alice.presses(shown, "Roll")
    form = await alice.opens(shown, "Real dice")
    await alice.submits(form, {FIELD: "6 4 1 vs 5 3"})


async def check_all(discord: FakeDiscord, database: str, times: int = 1) -> None:
    """Each time there is one answer to each of four interactions, one battle, and what two of them rolled."""
    await until(lambda: not discord.doors.open)
    taken = Counter(asked.params["interaction_id"] for asked in discord.requests_to(CALLBACK) if asked.status < 400)
    assert sorted(taken.values()) == [1] * 4 * times
    assert len(discord.channel_messages) == times
    async with open_store(database) as store:
        battles = await store.battles.history(f"guild:{discord.guild.id}", going_on=True)
        assert len(battles) == times
        for one in battles:
            record = await store.battles.find(one.battle.id)
            assert record
            rolled = [json.loads(roll.entry)["interaction"] for roll in record.rolls]
            assert len(rolled) == len(set(rolled)) == 2
