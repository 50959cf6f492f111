"""Battles whose message fell behind the log: shown where people look now, at the next start or within a minute."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.discord_app import answers, catching_up, frames
from bot.discord_app.catching_up import CatchingUp
from bot.discord_app.client import Client
from bot.discord_app.frames import Frames
from bot.errors import UserError
from bot.request import Services
from bot.rooms import ROOMS
from bot.settings import Settings, load
from bot.store.battles import Battles
from bot.store.records import BattleRecord
from tests.fake_discord import FakeDiscord, Person, Shown
from tests.helpers.bot.kills import killed
from tests.helpers.bot.live_battles import under
from tests.helpers.bot.storm import CHANNEL, Storm, bot_on, draw_dots, hash_in, idle
from tests.helpers.extent import pick
from tests.helpers.program import LONGEST, until

AT_ONCE = timedelta(0)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small pictures, and a Discord that likes many changes of a message."""
    draw_dots(monkeypatch)
    monkeypatch.setattr(frames, "GAP", 0)


@pytest.fixture
def by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot catches up when the test says so, with whatever is behind then."""

    async def never(_: CatchingUp) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(CatchingUp, "run", never)
    monkeypatch.setattr(catching_up, "QUIET", AT_ONCE)


async def falls_behind(bot: Client, person: Person, shown: Shown, label: str = "Roll") -> None:
    """Somebody presses, and what fell is logged but not shown, as when Discord takes no frames for a while."""

    async def never(*_: Any, **__: Any) -> bool:
        return False

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Frames, "show", never)
        await person.begins_pressing(shown, label).acknowledged()
        await idle(bot)


async def record_of(services: Services, battle: str) -> BattleRecord:
    record = await services.store.battles.find(battle)
    assert record is not None
    return record


# After a kill between the log and the frame

Moves = Callable[[FakeDiscord, Storm, Client, Person, Shown], Awaitable[Shown]]


async def stays(_discord: FakeDiscord, _storm: Storm, _bot: Client, _alice: Person, shown: Shown) -> Shown:
    return shown


async def deleted(discord: FakeDiscord, storm: Storm, bot: Client, alice: Person, shown: Shown) -> Shown:
    press = storm.press(alice, shown, "Roll")
    discord.delete(shown)
    await storm.heard(press)
    await idle(bot)
    (there,) = [message for message in alice.sees if message.buttons]
    return there


async def opened(_discord: FakeDiscord, _storm: Storm, _bot: Client, alice: Person, _shown: Shown) -> Shown:
    return await alice.sends("history open")


async def shared(_discord: FakeDiscord, _storm: Storm, bot: Client, alice: Person, shown: Shown) -> Shown:
    await alice.presses(shown, "Roll")
    await idle(bot)
    return await alice.sends("history share")


async def opened_by_mention(_discord: FakeDiscord, _storm: Storm, _bot: Client, alice: Person, _shown: Shown) -> Shown:
    return await alice.says("@bot history open")


@pytest.mark.parametrize("moves", [stays, deleted, opened_by_mention, *pick([], [opened, shared])])
async def test_after_a_kill_the_message_in_use_is_caught_up(
    discord: FakeDiscord, settings: Settings, tmp_path: Path, moves: Moves
) -> None:
    storm, alice, left = Storm(discord), discord.member("Alice"), load(data=tmp_path / "left")
    async with bot_on(discord, settings, goodbye=False) as bot:
        first = await alice.sends("roll", matchup="12 9")
        await idle(bot)
        there = await moves(discord, storm, bot, alice, first)
        await idle(bot)
        with killed("when it is written", settings.data, left.data) as stopped:
            storm.press(alice, there, "Roll")
            await asyncio.wait_for(stopped.wait(), 60)
    storm.lose()
    async with bot_on(discord, left) as bot:
        await asyncio.wait_for(bot.catching_up.caught_up.wait(), 60)
        record = await record_of(bot.services, under(first, "battle"))
        assert hash_in(discord.messages[there.id].content) == record.battle.head[:8]
        assert (record.battle.shown, record.battle.shown_in) == (record.battle.turn, str(there.id))
        assert record.battle.message == str(there.id if moves in (opened, opened_by_mention) else first.id)
        await storm.check(bot.services)


@pytest.mark.parametrize(
    ("patience", "private", "group"), [(0, False, False), (0, True, False), (5, False, True), (5, False, False)]
)
async def test_the_message_of_the_first_frame_is_known_before_a_press(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch, patience: float, private: bool, group: bool
) -> None:
    monkeypatch.setattr(answers, "PATIENCE", patience)
    sam = discord.stranger("Sam", group=True) if group else discord.member("Sam")
    shown = await sam.sends("roll", matchup="12 9", private=private)
    await idle(bot)
    battle = (await record_of(bot.services, under(shown, "battle"))).battle
    assert (battle.message, battle.shown_in, battle.shown) == (None, str(shown.id), 0)
    assert battle.channel == (None if private or group else str(sam.channel.id))


async def test_the_message_of_a_battle_rolled_by_mention_is_known(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.says("@bot roll 12 9")
    await idle(bot)
    battle = (await record_of(bot.services, under(shown, "battle"))).battle
    assert (battle.shown_in, battle.channel, battle.shown) == (str(shown.id), str(alice.channel.id), 0)


# While the bot runs


async def test_a_lost_frame_is_sent_again_without_a_press(
    discord: FakeDiscord, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catching_up, "EVERY", 0.05)
    monkeypatch.setattr(catching_up, "QUIET", AT_ONCE)
    alice, bot = discord.member("Alice"), Client(services)
    async with discord.running(bot):
        shown = await alice.sends("roll", matchup="12 9")
        await asyncio.wait_for(bot.catching_up.caught_up.wait(), 60)
        await falls_behind(bot, alice, shown)
        await until(lambda: hash_in(discord.messages[shown.id].content) != "")
        await bot.finish_answers()


async def test_an_unreachable_database_is_logged_once_and_waited_for(
    discord: FakeDiscord, services: Services, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(catching_up, "EVERY", 0.01)
    unshown, looks = Battles.list_outdated, 0

    async def away(self: Battles, *times: Any) -> Any:
        nonlocal looks
        looks += 1
        if looks <= 3:
            raise UserError("The database cannot be reached just now.")
        return await unshown(self, *times)

    monkeypatch.setattr(Battles, "list_outdated", away)
    bot = Client(services)
    async with discord.running(bot):
        await asyncio.wait_for(bot.catching_up.caught_up.wait(), 60)
        await bot.finish_answers()
    assert looks >= 4
    said = [record for record in caplog.records if "cannot be caught up" in record.getMessage()]
    assert [(record.levelno, bool(record.exc_info)) for record in said] == [(logging.WARNING, False)]


@pytest.mark.whole
@pytest.mark.parametrize("steps", range(4))
async def test_the_search_for_outdated_battles_can_always_be_cancelled(
    discord: FakeDiscord, services: Services, steps: int
) -> None:
    bot = Client(services)
    async with discord.running(bot):
        await asyncio.wait_for(bot.catching_up.caught_up.wait(), 60)
        searching = bot._tasks[0]
        for _ in range(4):  # until it waits
            await asyncio.sleep(0)
        bot.behind.set()
        for _ in range(steps):
            await asyncio.sleep(0)
        searching.cancel()
        await asyncio.wait({searching}, timeout=LONGEST)
        assert searching.cancelled()


@pytest.mark.usefixtures("by_hand")
async def test_a_battle_that_changed_just_now_is_not_caught_up_yet(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = discord.member("Alice")
    monkeypatch.setattr(catching_up, "QUIET", timedelta(seconds=60))
    shown = await alice.sends("roll", matchup="12 9")
    await falls_behind(bot, alice, shown)
    assert await bot.catching_up.catch_up()
    assert not discord.requests_to(CHANNEL)
    monkeypatch.setattr(catching_up, "QUIET", AT_ONCE)
    assert await bot.catching_up.catch_up()
    assert hash_in(discord.messages[shown.id].content)


@pytest.mark.usefixtures("by_hand")
async def test_a_message_being_edited_is_not_caught_up(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("roll", matchup="12 9")
    await falls_behind(bot, alice, shown)
    look = bot.frames.message_state(shown.id)
    async with look.sending:
        assert await bot.catching_up.catch_up()
    assert not discord.requests_to(CHANNEL)


@pytest.mark.usefixtures("by_hand")
async def test_a_deleted_message_is_given_up_and_its_battle_stays(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("roll", matchup="12 9")
    await falls_behind(bot, alice, shown)
    discord.delete(shown)
    for _ in range(3):
        assert await bot.catching_up.catch_up()
    assert [request.status for request in discord.requests_to(CHANNEL)] == [404]
    record = await record_of(bot.services, under(shown, "battle"))
    assert (record.battle.message, record.battle.shown_in, record.battle.channel) == (str(shown.id), None, None)
    there = await alice.sends("history open")
    assert hash_in(there.content) == record.battle.head[:8]
    await falls_behind(bot, alice, there)
    assert await bot.catching_up.catch_up()
    assert hash_in(discord.messages[there.id].content) not in ("", record.battle.head[:8])


@pytest.mark.usefixtures("by_hand")
async def test_a_channel_without_permission_is_not_tried_again(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for number, (status, code) in enumerate([(403, 50001), (403, 50013), (404, 10003), (400, 50083)], start=1):
        shown = await alice.sends("roll", matchup="12 9")
        await falls_behind(bot, alice, shown)
        discord.fail_next(CHANNEL, status=status, code=code)
        for _ in range(2):
            assert await bot.catching_up.catch_up()
        assert len(discord.requests_to(CHANNEL)) == number


@pytest.mark.usefixtures("by_hand")
async def test_a_frame_that_discord_fails_is_tried_next_time(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("roll", matchup="12 9")
    await falls_behind(bot, alice, shown)
    discord.fail_next(CHANNEL, status=503)
    assert await bot.catching_up.catch_up()
    assert hash_in(discord.messages[shown.id].content) == ""
    assert await bot.catching_up.catch_up()
    assert hash_in(discord.messages[shown.id].content)
    assert await bot.catching_up.catch_up()
    assert len(discord.requests_to(CHANNEL)) == 2, "what is shown is not shown again"


@pytest.mark.usefixtures("by_hand")
async def test_a_frame_that_cannot_be_drawn_is_given_up(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("roll", matchup="12 9")
    await falls_behind(bot, alice, shown)

    async def damaged(*_: object) -> None:
        raise UserError("The log of this battle is damaged.")

    monkeypatch.setattr(catching_up, "render_frame", damaged)
    for _ in range(10):
        assert await bot.catching_up.catch_up()
    said = [record for record in caplog.records if "could not be caught up" in record.getMessage()]
    assert len(said) == catching_up.TRIES


@pytest.mark.usefixtures("by_hand")
@pytest.mark.parametrize("private", [False, True])
async def test_private_and_day_old_messages_are_not_caught_up(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch, private: bool
) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("roll", matchup="12 9", private=private)
    await falls_behind(bot, alice, shown)
    with monkeypatch.context() as patch:
        if not private:
            patch.setattr(catching_up, "CAUGHT_UP", AT_ONCE)
        assert await bot.catching_up.catch_up()
    bot.leaving = True
    assert await bot.catching_up.catch_up()
    bot.leaving = False
    assert not discord.requests_to(CHANNEL)
    assert await bot.catching_up.catch_up()
    assert len(discord.requests_to(CHANNEL)) == (not private)


@pytest.mark.usefixtures("by_hand")
async def test_each_process_catches_up_what_its_shards_hear(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("roll", matchup="12 9")
    await falls_behind(bot, alice, shown)
    mine = (discord.guild.id >> 22) % 2
    for number in (1 - mine, mine):
        there = replace(bot.services.settings, shards=f"{number}/2")
        other = Services(there, bot.services.engine, bot.services.find_store, ROOMS)
        monkeypatch.setattr(bot, "services", other)
        assert await bot.catching_up.catch_up()
        assert len(discord.requests_to(CHANNEL)) == (number == mine)


@pytest.mark.whole
@pytest.mark.usefixtures("by_hand")
async def test_only_two_messages_are_caught_up_at_once(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catching_up, "CATCHING_UP", 2)
    alice = discord.member("Alice")
    shown = [await alice.sends("roll", matchup="12 9") for _ in range(5)]
    for one in shown:
        await falls_behind(bot, alice, one)
    bring, at_once, most = CatchingUp._update_message, 0, 0

    async def counted(*given: Any) -> None:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        await bring(*given)
        at_once -= 1

    monkeypatch.setattr(CatchingUp, "_update_message", counted)
    assert await bot.catching_up.catch_up()
    assert all(hash_in(discord.messages[one.id].content) for one in shown)
    assert most == 2


@pytest.mark.usefixtures("by_hand")
async def test_of_two_messages_of_a_battle_the_last_pressed_is_caught_up(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    first = await alice.sends("roll", matchup="20 20")
    second = await alice.sends("history open")
    await falls_behind(bot, alice, first)
    assert await bot.catching_up.catch_up()
    assert (hash_in(discord.messages[first.id].content) != "", hash_in(discord.messages[second.id].content)) == (
        True,
        "",
    )
