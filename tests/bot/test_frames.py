"""The frames of live battles on their way: in order, not too fast, until they have arrived."""

import asyncio
import gc
import sqlite3
import weakref
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from typing import Any

import discord as discord_py
import pytest

from bot.discord_app import answers, frames
from bot.discord_app.client import Client
from bot.discord_app.frames import Frames
from bot.errors import UserError
from bot.games.live import LATE
from bot.replies import Frame, Reply
from bot.request import Services
from bot.settings import Settings
from bot.store.battles import Battles
from bot.store.records import StoredBattle
from bot.work import engine
from tests.fake_discord import FakeDiscord, Person
from tests.helpers.bot.storm import (
    CALLBACK,
    CHANNEL,
    PNG,
    Storm,
    battle_in,
    bot_on,
    database_of,
    draw_dots,
    hash_in,
    idle,
)
from tests.helpers.extent import pick
from tests.helpers.program import LONGEST, until

GAP = 0.05


@pytest.fixture(autouse=True)
def quick(patient: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small pictures, and a Discord that likes more changes than the real one."""
    draw_dots(monkeypatch)
    monkeypatch.setattr(frames, "GAP", GAP)
    monkeypatch.setattr(frames, "WAITS", (600.0,))


# Frames by themselves


class Clock:
    """A clock on which time passes only for those who sleep."""

    def __init__(self) -> None:
        self.time = 100.0

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.time += max(seconds, 0)
        await asyncio.sleep(0)

    def frames(self, services: Services) -> Frames:
        """Frames that go by this clock."""
        return Frames(services.store, self.now, self.sleep)


@pytest.fixture
def clock() -> Clock:
    return Clock()


class Message:
    """A message that shows turns of a battle, in its own time or not at all."""

    def __init__(self, services: Services, clock: Clock) -> None:
        self.frames, self.clock = clock.frames(services), clock
        self.sent: list[tuple[int, float]] = []
        self.refusals: list[Exception] = []

    async def show(self, turn: int) -> bool:
        """Show a turn, whenever that can be."""
        return await self.frames.show(
            Reply("", frame=Frame("b", turn)), self.frames.message_state(7), lambda: [self._send]
        )

    async def _send(self, reply: Reply) -> None:
        if self.refusals:
            raise self.refusals.pop()
        assert reply.frame is not None
        self.sent.append((reply.frame.turn, self.clock.now()))

    @property
    def turns(self) -> list[int]:
        """What it has shown."""
        return [turn for turn, _ in self.sent]


@pytest.fixture
def message(services: Services, clock: Clock) -> Message:
    return Message(services, clock)


def refusal(status: int, code: int = 0) -> discord_py.HTTPException:
    """What discord.py raises."""

    class Response:
        reason = ""

        def __init__(self) -> None:
            self.status = status

    response: Any = Response()
    return discord_py.HTTPException(response, {"code": code, "message": "no"})


async def test_of_frames_at_once_the_last_is_sent_after_a_gap(
    message: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "GAP", 600.0)
    assert await message.show(1)
    for turn in (2, 7, 12):
        assert await asyncio.gather(*map(message.show, range(turn, turn + 5))) == [True] * 5
    assert message.turns == [1, 6, 11, 16]
    assert [after - before for (_, before), (_, after) in pairwise(message.sent)] == [600.0] * 3


async def test_an_older_frame_is_not_sent_after_a_newer_frame(
    message: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "GAP", 0)
    meant = message.frames.message_state(7)  # held while the frame is made
    await message.show(2)
    assert await message.show(1)
    assert await message.show(2)
    assert message.turns == [2]
    assert meant.shown == 2


async def test_the_state_of_an_idle_message_is_forgotten(message: Message) -> None:
    await message.show(1)
    await message.show(2)
    look = weakref.ref(message.frames.message_state(7))
    await until(lambda: look() is None)


async def test_a_lost_frame_is_sent_again(message: Message, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "WAITS", (0.01, 0.01))
    message.refusals = [refusal(503), ConnectionResetError()]
    assert await message.show(1)
    message.refusals = [refusal(503), refusal(503), refusal(503)]
    assert not await message.show(2)
    assert await message.show(2), "the next who comes with it tries again"
    assert message.turns == [1, 2]


async def test_a_newer_frame_does_not_wait_for_a_lost_frame(message: Message) -> None:
    message.refusals = [refusal(503)]
    older = asyncio.create_task(message.show(1))
    await until(lambda: not message.refusals)
    assert await asyncio.wait_for(message.show(2), LONGEST)
    assert await older
    assert message.turns == [2]


async def test_a_frame_that_discord_refuses_for_good_is_not_sent_again(message: Message) -> None:
    message.refusals = [refusal(400, 50035)]
    assert not await asyncio.wait_for(message.show(1), LONGEST)
    assert await message.show(1)


async def test_a_stopping_bot_retries_no_frame(message: Message) -> None:
    message.refusals = [refusal(503), refusal(503)]
    waiting = asyncio.create_task(message.show(1))
    await until(lambda: len(message.refusals) < 2)
    message.frames.stop_retrying()
    assert not await asyncio.wait_for(waiting, LONGEST)
    message.refusals = [refusal(503)]
    assert not await asyncio.wait_for(message.show(2), LONGEST)


# Frames in a chat


async def test_a_battle_outlives_the_fifteen_minutes_of_a_token(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for private in (False, True):
        shown = await alice.sends("roll", matchup="12 9", private=private)
        for number in (1, 2):
            discord.clock.advance(16 * 60)
            rolled = await alice.presses(shown, "Roll")
            assert (rolled.id, rolled.private, rolled.edited) == (shown.id, private, number)


@pytest.mark.parametrize(("patience", "private"), [(0, False), (20, True)])
async def test_a_battle_goes_on_in_a_new_message_after_a_deletion(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch, patience: float, private: bool
) -> None:
    monkeypatch.setattr(answers, "PATIENCE", patience)
    storm, alice = Storm(discord), discord.member("Alice")
    shown = await alice.sends("roll", matchup="12 9", private=private)
    pressed = [storm.press(alice, shown, "Roll"), storm.press(alice, shown, "Roll")]
    discord.delete(shown)
    await asyncio.gather(*(storm.heard(press) for press in pressed))
    await idle(bot)
    (there,) = [message for message in alice.sees if message.buttons]
    assert (there.private, hash_in(there.content) != "") == (private, True)
    assert [message.content for message in alice.sees if not message.buttons] == [LATE]
    assert (await alice.presses(there, "Roll")).id == there.id
    await idle(bot)
    (record,) = await storm.check(bot.services)
    assert record.battle.turn == 2


Place = Callable[[FakeDiscord], Person]
places = pytest.mark.parametrize(
    "place",
    [
        *pick([], [lambda discord: discord.stranger("Sam", group=True), lambda discord: discord.stranger("Sam")]),
        lambda discord: discord.stranger("Sam", guild=True),
        lambda discord: discord.member("Sam"),
    ],
)


@places
async def test_a_roll_of_a_late_press_is_shown_at_once_or_with_the_next(
    discord: FakeDiscord, bot: Client, place: Place
) -> None:
    storm, sam = Storm(discord), place(discord)
    shown = await sam.sends("roll", matchup="12 9")
    late = storm.press(sam, shown, "Roll", late=3.5)
    await storm.heard(late)
    await until(lambda: any(request.status == 404 for request in discord.requests))
    await idle(bot)
    seen = hash_in(discord.messages[shown.id].content) != ""
    assert seen == sam.channel.bot_is_here
    again = storm.press(sam, shown, "Roll")
    await again.asked.answered()
    await idle(bot)
    (record,) = await storm.check(bot.services)
    assert record.battle.turn == 1 + seen
    assert await storm.behind([record], bot.services) == []
    assert [told.content for told in again.asked.followups] == ([] if seen else [LATE])


@places
async def test_a_frame_waiting_at_a_stop_is_sent_by_the_next_start(
    discord: FakeDiscord, settings: Settings, place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    storm, sam = Storm(discord), place(discord)
    async with bot_on(discord, settings) as bot:
        shown = await sam.sends("roll", matchup="12 9")
        await idle(bot)
        if sam.channel.bot_is_here:
            discord.fail_next(CHANNEL, status=503, times=2)
        storm.press(sam, shown, "Roll", late=3.5)
        await until(lambda: any(request.status in (404, 503) for request in discord.requests))
        await asyncio.wait_for(bot.finish_answers(), LONGEST)
        assert "called off" not in caplog.text, "the frame is left at once, not when there is no more time"
    assert hash_in(discord.messages[shown.id].content) == ""
    discord.rest.faults.take(discord.rest.named(CHANNEL))  # a slow machine tries only once before it goes
    async with bot_on(discord, settings) as bot:
        if sam.channel.bot_is_here:
            shown = await discord.next_edit(shown)
        else:
            shown = await sam.presses(shown, "Roll")
        assert hash_in(shown.content)
        await idle(bot)
        (record,) = await storm.check(bot.services)
    assert record.battle.turn == 1


async def test_a_roll_is_shown_without_a_picture_that_fails(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("roll", matchup="12 9")
    monkeypatch.setattr(engine, "draw", lambda *_: 1 / 0)
    rolled = await alice.presses(shown, "Roll")
    assert hash_in(rolled.content)
    assert not rolled.files
    assert "goes without its picture" in caplog.text
    monkeypatch.setattr(engine, "draw", lambda *_: PNG)
    assert (await alice.presses(rolled, "Roll")).files


@pytest.mark.usefixtures("impatient")
async def test_a_locked_database_rolls_nothing(discord: FakeDiscord, bot: Client) -> None:
    storm, alice = Storm(discord), discord.member("Alice")
    shown = await alice.sends("roll", matchup="12 9")
    await idle(bot)
    with closing(sqlite3.connect(database_of(bot.services.settings), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        refused = await alice.presses(shown, "Roll")
    assert (refused.private, refused.content) == (True, "The database is busy right now. Try again in a moment.")
    await alice.presses(shown, "Roll")
    await idle(bot)
    (record,) = await storm.check(bot.services)
    assert record.battle.turn == 1


async def test_a_roll_is_shown_although_the_database_cannot_note_it(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def locked(*_: object) -> None:
        raise UserError("The database is busy just now.")

    monkeypatch.setattr(Battles, "mark_seen", locked)
    alice = discord.member("Alice")
    shown = await alice.presses(await alice.sends("roll", matchup="12 9"), "Roll")
    assert hash_in(shown.content) != hash_in((await alice.presses(shown, "Roll")).content) != ""


async def test_the_frame_stays_if_a_newer_frame_cannot_be_read(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def outdated(*_: object) -> bool:
        return True

    async def away(_battle: str) -> Reply:
        tried.set()
        raise UserError("I can't reach the database right now.")

    tried, alice = asyncio.Event(), discord.member("Alice")
    monkeypatch.setattr(Battles, "mark_seen", outdated)
    bot.frames.render_newest = away
    shown = await alice.presses(await alice.sends("roll", matchup="12 9"), "Roll")
    await asyncio.wait_for(tried.wait(), LONGEST)
    await idle(bot)
    assert (shown.private, [record for record in caplog.records if record.levelname == "ERROR"]) == (False, [])


async def test_a_failed_notice_of_a_late_press_leaves_the_frame_shown(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "GAP", 600.0)  # when Bob comes, the message may not change yet
    storm, alice, bob = Storm(discord), discord.member("Alice"), discord.member("Bob")
    shown = await alice.sends("roll", matchup="12 9", open=True)
    form = await bob.opens(shown, "Real dice")
    await alice.presses(shown, "Roll")
    await idle(bot)
    discord.fail_next(CALLBACK, status=400, code=50035, times=2)
    bob.begins_submitting(form, {"dice": "6 4 1 vs 5 3"})
    await until(lambda: any(request.status == 400 for request in discord.requests))
    await idle(bot)
    assert [message.content for message in bob.sees if message.private] == []
    assert await storm.behind(await storm.check(bot.services), bot.services) == []


async def test_a_press_shown_by_a_later_frame_is_answered(
    discord: FakeDiscord, bot: Client, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot.frames = clock.frames(bot.services)
    append, logged, seen = Battles.append, asyncio.Event(), asyncio.Event()

    async def slowly(*given: Any, **named: Any) -> StoredBattle | None:
        stored = await append(*given, **named)
        logged.set()
        await seen.wait()
        return stored

    monkeypatch.setattr(Battles, "append", slowly)
    storm, alice, bob = Storm(discord), discord.member("Alice"), discord.member("Bob")
    shown = await alice.sends("roll", matchup="12 9", open=True)
    quick = storm.press(alice, shown, "Roll")
    await asyncio.wait_for(logged.wait(), LONGEST)
    late = storm.press(bob, shown, "Roll")
    assert hash_in((await late.asked.answered()).content)
    clock.time += 2 * GAP  # the message may change again
    seen.set()
    await quick.asked.acknowledged()
    await idle(bot)
    assert (quick.asked.deferred, quick.asked.followups) == (True, [])
    assert [told.content for told in late.asked.followups] == [LATE]


async def test_two_messages_show_the_same_battle(discord: FakeDiscord, bot: Client) -> None:
    storm, alice = Storm(discord), discord.member("Alice")
    first = await alice.sends("roll", matchup="12 9")
    second = await alice.sends("history open")
    rolled = await alice.presses(second, "Roll")
    assert (rolled.id, hash_in(discord.messages[first.id].content)) == (second.id, "")
    press = storm.press(alice, first, "Roll")
    shown = await press.asked.answered()
    await until(lambda: bool(press.asked.followups))
    assert (shown.id, shown.content) == (first.id, rolled.content)
    assert [told.content for told in press.asked.followups] == [LATE]


@pytest.mark.whole
async def test_a_form_that_is_never_sent_leaves_memory(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await alice.opens(await alice.sends("roll", matchup="12 9"), "Real dice")
    await idle(bot)
    gc.collect()
    assert not [thing for thing in gc.get_objects() if isinstance(thing, discord_py.ui.Modal)]


async def test_a_battle_without_history_stays_until_its_end_is_shown(
    discord: FakeDiscord, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def killed(*_: object) -> None:
        """It never gets there."""

    storm, alice = Storm(discord), discord.member("Alice", manage_guild=True)
    async with bot_on(discord, settings) as bot:
        await alice.sends("settings", history="off")
        shown = await alice.sends("roll", matchup="6 4")
        with monkeypatch.context() as patch:
            patch.setattr(Frames, "show", killed)
            storm.press(alice, shown, "Roll to the end")
            await idle(bot)
    storm.lose()
    async with bot_on(discord, settings) as bot:
        shown = await discord.next_edit(shown)
        assert " with " in shown.content.splitlines()[0], "how it ended"
        assert [file.name for file in shown.files if file.name.endswith("json")]
        await idle(bot)
        assert await bot.services.store.battles.find(battle_in(shown.content) or "") is None
