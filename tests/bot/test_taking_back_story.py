"""Real dice that are taken back: by whom, until when, how that is shown and logged, and that it counts for nothing."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from bot.commands.presses import TAKEN_BACK
from bot.commands.run import run
from bot.discord_app.client import Client
from bot.games.live import LATE
from bot.live.fair import problems
from bot.replies import Reply
from bot.request import Request, Services
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.live_battles import BACK, LIVE, MISTYPED, OVER, TYPED, log_of, rows, types_dice, under
from tests.helpers.bot.storm import idle

pytestmark = pytest.mark.usefixtures("quick_frames", "unannounced")

DICE = "6 4 1 vs 5 3"
NOT_YOURS = "Only the player who typed these dice can take them back."
NOT_TYPED = "Only the last roll can be taken back, if its dice were typed."
AXIS = "2 inf 2 arm 1 fig loss:arm,inf,fig vs 3 inf 1 arm loss:arm,inf"


async def entries_of(services: Services, name: str) -> list[dict[str, Any]]:
    record = await services.store.battles.find(name)
    assert record
    return [json.loads(roll.entry) for roll in record.rolls]


async def test_a_roll_taken_back_stays_in_the_log_and_counts_for_nothing(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    begun = await alice.sends("roll", matchup="12 9", opponent=bob)
    shown = await types_dice(alice, begun, DICE)
    assert shown.labels == [*LIVE, *TYPED]
    refused = await bob.presses(shown, BACK)
    assert (refused.private, refused.content) == (True, NOT_YOURS)
    shown = await alice.presses(shown, BACK)
    assert shown.labels == LIVE
    assert "Attacker wins 79.0%" in shown.content.splitlines()[0]
    assert rows(shown)[-2:] == ["1* 6 4 1 5 3 12 v 7 89.6%", "taken back 12 v 9 79.0%"]
    shown = await alice.presses(shown, "Roll")
    assert rows(shown)[-1].startswith("1 "), "the round is fought anew"
    over = await alice.presses(shown, "Roll to the end")
    assert over.labels == OVER
    assert "The dice helped" in over.content
    checked = await bob.presses(over, "Verify")
    assert "no problems found" in checked.content
    assert "Real dice, taken back, that count for nothing: 1 roll, 5 dice." in checked.content
    assert "typed in, can't be checked" not in checked.content
    log = log_of(checked)
    assert problems(log) == []
    assert log["rolls"][1]["undo"] == 1
    record = await services.store.battles.find(log["battle"])
    assert record
    assert record.battle.judged == len(log["rolls"]) - 2
    assert "no battles yet" not in (await alice.sends("luck")).content
    fallen = sum(len(entry["attack"]) + len(entry["defence"]) for entry in log["rolls"][2:])
    assert f"{fallen} dice of 6 sides" in (await alice.sends("history faces")).content


async def test_only_the_last_roll_of_real_dice_can_be_taken_back(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await types_dice(alice, await alice.sends("roll", matchup="12 9"), DICE)
    shown = await types_dice(alice, shown, "6 5 1 vs 5 3")
    shown = await alice.presses(shown, BACK)
    assert shown.labels == [*LIVE, MISTYPED], "the roll before it stands"
    rolled = await alice.presses(shown, "Roll")
    assert rolled.labels == [*LIVE, MISTYPED], "dice of the bot are never taken back"
    over = await types_dice(alice, await alice.sends("roll", matchup="1 1"), "6 vs 1")
    assert over.labels == [*OVER, MISTYPED], "the seed is public"


async def test_the_defender_chooses_before_a_roll_is_taken_back_or_not_at_all(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await types_dice(alice, await alice.sends("roll", matchup=AXIS, opponent=bob), "3 6 6 6 6 vs 3 6 6 2")
    shown = await alice.presses(shown, BACK)
    assert "waiting" not in shown.content
    assert "taken back" in rows(shown)
    shown = await types_dice(alice, shown, "3 6 6 6 6 vs 3 6 6 2")
    shown = await bob.presses(shown, "Keep these losses")
    assert BACK not in shown.labels
    shown = await types_dice(alice, shown, "6 6 6 vs 6 6 6")
    shown = await alice.presses(shown, BACK)
    assert "waiting" not in shown.content, "the losses are still kept"
    shown = await alice.presses(shown, "Roll")
    assert "no problems found" in (await bob.sends("verify", battle=under(shown, "battle"))).content


async def test_in_games_with_choices_of_the_plan_and_in_raids_a_roll_is_taken_back(
    discord: FakeDiscord, bot: Client
) -> None:
    alice = discord.member("Alice")
    for line, dice in {
        "14 siam > 3 indonesia, 2 new guinea": "6 6 1 vs 1 1",
        "14 > 4 > 3 leave:1": "6 6 1 vs 1 1",
        "5 bom vs 20": "vs 6 6 6 6 6",
        "3 inf then 2 inf vs 3 inf": "6 6 6 vs 6 6 6",
    }.items():
        begun = await alice.sends("roll", matchup=line)
        shown = await types_dice(alice, begun, dice)
        assert BACK in shown.labels, (line, shown.content)
        shown = await alice.presses(shown, BACK)
        assert "taken back" in shown.content, line
        over = await alice.presses(shown, "Roll to the end")
        assert "no problems found" in (await alice.sends("verify", battle=under(over, "battle"))).content, line


async def test_a_roll_is_taken_back_after_a_restart(discord: FakeDiscord, services: Services) -> None:
    alice = discord.member("Alice")
    async with discord.running(Client(services)):
        shown = await types_dice(alice, await alice.sends("roll", matchup="12 9"), DICE)
    async with discord.running(Client(services)):
        shown = await alice.presses(shown, BACK)
    async with discord.running(Client(services)):
        opened = await alice.sends("history open", battle=under(shown, "battle"))
        assert (opened.content, opened.labels) == (shown.content, LIVE)


@pytest.mark.parametrize("first", ["roll", "undo"])
async def test_of_a_roll_and_taking_back_at_once_one_counts(
    discord: FakeDiscord, bot: Client, services: Services, first: str
) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await types_dice(alice, await alice.sends("roll", matchup="12 9", open=True), DICE)
    presses = [(bob, "Roll"), (alice, BACK)]
    pressed = [who.begins_pressing(shown, label) for who, label in (presses if first == "roll" else presses[::-1])]
    await asyncio.gather(*(press.answered() for press in pressed))
    await idle(bot)
    entries = await entries_of(services, under(shown, "battle"))
    assert len(entries) == 2
    assert "no problems found" in (await alice.sends("verify", battle=under(shown, "battle"))).content


async def test_late_foreign_and_repeated_presses_take_nothing_back(services: Services) -> None:
    options = {"matchup": "12 9", "open": "yes"}
    begun = await run(Request("roll", "1", "Alice", "guild:1", options, interaction="10"), services)
    assert isinstance(begun, Reply)
    assert begun.frame
    name = begun.frame.battle

    async def press(user: str, command: str, turn: int, interaction: int, **given: str) -> str:
        asked = Request(command, user, f"Player {user}", "guild:1", given, argument=f"{name}:{turn}")
        reply = await run(replace(asked, interaction=str(interaction), message="5"), services)
        assert isinstance(reply, Reply)
        return reply.aside or (reply.text if reply.failed else "")

    assert await press("1", "take back", 0, 11) == NOT_TYPED
    await press("1", "real dice", 0, 12, dice=DICE)
    assert await press("2", "take back", 1, 13) == NOT_YOURS
    for _ in range(2):
        assert await press("1", "take back", 1, 14) == ""
    assert await press("1", "take back", 1, 15) == TAKEN_BACK
    assert await press("2", "roll on", 1, 16) == TAKEN_BACK
    assert await press("1", "take back", 2, 17) == NOT_TYPED
    await press("2", "roll on", 2, 18)
    assert await press("1", "take back", 2, 19) == LATE
    assert await press("2", "take back", 3, 20) == NOT_TYPED
    assert ["undo" in entry for entry in await entries_of(services, name)] == [False, True, False]
