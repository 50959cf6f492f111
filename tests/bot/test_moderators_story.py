"""Moderators end battles of their server: the seed is shown, no luck is counted, and the log can still be checked."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from bot.commands.presses import CLOSED
from bot.commands.run import run
from bot.discord_app.client import Client
from bot.live import fair
from bot.replies import Reply
from bot.request import Request, Services
from bot.store.records import MODERATOR
from tests.fake_discord import FakeDiscord, Interaction, Person, Shown
from tests.fake_discord.posts import Post
from tests.helpers.bot.lines import check
from tests.helpers.bot.live_battles import FIELD, LIVE, OVER, log_of, types_dice, under
from tests.helpers.bot.storm import idle
from tests.helpers.program import until

pytestmark = pytest.mark.usefixtures("quick_frames")

MANAGE_MESSAGES = 1 << 13
REFUSED = "Only moderators can end a battle: people who may manage messages or this server."


def moderator(discord: FakeDiscord, **given: Any) -> Person:
    """Somebody who may delete what others write."""
    person = discord.member("Max", **given)
    person.user.permissions |= MANAGE_MESSAGES
    return person


async def test_a_battle_ended_by_a_moderator_shows_its_end_at_once(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice, bob, xena, max_ = discord.member("Alice"), discord.member("Bob"), discord.member("Xena"), moderator(discord)
    await asyncio.wait_for(bot.catching_up.caught_up.wait(), 60)
    shown = await alice.presses(await alice.sends("roll", matchup="12 9", opponent=bob), "Roll")
    shown = await alice.presses(shown, "Roll")
    refused = await xena.sends("history end", battle=under(shown, "battle"))
    assert (refused.private, refused.content) == (True, REFUSED)
    told = await max_.sends("history end", battle=under(shown, "battle"))
    assert (told.private, told.labels) == (True, OVER)
    there = await discord.next_edit(shown)
    assert there.content == told.content
    first, *_ = there.content.splitlines()
    assert first.startswith("🎲 **Ended by a moderator · ")
    assert first.endswith("** · 12 against 9 · Alice attacks Bob")
    assert "The dice helped" not in there.content
    assert "Luckiest roll" not in there.content
    assert there.labels == OVER
    seed = under(await alice.presses(there, "Verify"), "seed")
    assert fair.base64url(fair.commitment(under(there, "battle"), seed)) == under(shown, "commitment")
    assert "no battles yet" in (await alice.sends("luck")).content
    assert "ended by a moderator" in (await alice.sends("history list")).content
    assert (await max_.sends("history end", battle=under(shown, "battle"))).content == "That battle is over."
    await idle(bot)
    record = await services.store.battles.find(under(shown, "battle"))
    assert record is not None
    assert (record.battle.turn, record.battle.shown) == (2, 3)


def told_beside(press: Interaction) -> list[Shown]:
    """What only the presser sees: behind the frame that the press shows in the message of the battle, or at once."""
    if isinstance(press.result, Post) and press.result is not press.source:
        return [press.result.shown()]
    return press.followups


async def test_a_battle_ended_by_a_moderator_takes_no_press(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice, boss = discord.member("Alice"), discord.member("Boss", manage_guild=True)
    shown = await alice.sends("roll", matchup="12 9")
    form = await alice.opens(shown, "Real dice")
    await boss.sends("history end", battle=under(shown, "battle"))
    late = alice.begins_submitting(form, {FIELD: "6 6 6 vs 1 1"})
    await until(lambda: bool(told_beside(late)))
    assert [one.content for one in told_beside(late)] == [CLOSED]
    here, battle = f"guild:{discord.guild.id}", under(shown, "battle")
    refused = await run(Request("ask dice", str(alice.id), "Alice", here, argument=f"{battle}:0"), services)
    assert isinstance(refused, Reply)
    assert refused.text == "That battle is over."
    assert discord.messages[shown.id].content.startswith("⚔️ **Ended by a moderator · 12 against 9** · 12 against 9\n")
    assert discord.messages[shown.id].labels == OVER
    assert (await alice.sends("history open")).content == discord.messages[shown.id].content
    again = await alice.presses(discord.messages[shown.id], "Roll again")
    assert again.labels == LIVE


async def test_the_log_of_a_battle_ended_by_a_moderator_is_right(
    discord: FakeDiscord, bot: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for rolls in [0, 2]:
        alice, boss = discord.member("Alice"), discord.member("Boss", manage_guild=True)
        shown = await alice.sends("roll", matchup="20 20")
        for _ in range(rolls):
            shown = await alice.presses(shown, "Roll")
        await boss.sends("history end", battle=under(shown, "battle"))
        checked = await alice.sends("verify", battle=under(shown, "battle"))
        log = log_of(checked)
        assert (log["ended"], len(log["rolls"]), len(log["seed"])) == ("moderator", rolls, 64)
        assert fair.problems(log) == check(log) == []
        says = "A moderator ended this battle: only the log hash in the chat shows that no roll is missing."
        assert says in checked.content
        assert says in fair.report(log)
        file = tmp_path / "battle.json"
        file.write_text(json.dumps(log))
        assert main(["verify", str(file)]) == 0
        assert says in capsys.readouterr().out
        del log["ended"]
        assert check(log) == ["the seed is there, but by the rules the battle is not over: rolls are missing"]


def test_database_and_log_use_the_same_word_for_moderators() -> None:
    assert MODERATOR == fair.MODERATOR


async def test_moderators_end_battles_of_their_own_server_alone(discord: FakeDiscord, bot: Client) -> None:
    alice, boss = discord.member("Alice"), discord.member("Boss", manage_guild=True)
    chief = discord.member("Chief", manage_guild=True, guild=discord.add_guild("Elsewhere"))
    shown = await alice.sends("roll", matchup="12 9")
    hidden = await alice.sends("roll", matchup="12 9", private=True)
    refusal = "I can't find that battle here. See `/history list`."
    for who, battle in ((chief, shown), (boss, hidden)):
        assert (await who.sends("history end", battle=under(battle, "battle"))).content == refusal
    guest = await boss.moves(chief.channel).sends("history end", battle=under(shown, "battle"))
    assert guest.private
    assert discord.messages[shown.id].labels == LIVE
    typed = await alice.says(f"@bot history end {under(shown, 'battle')}")
    assert typed.content == REFUSED
    nameless = await boss.sends("history end", battle=" ")
    assert nameless.content == "Which battle? `/history list` shows their names."


async def test_unfinished_battles_are_suggested_to_moderators(discord: FakeDiscord, bot: Client) -> None:
    alice, max_ = discord.member("Alice"), moderator(discord)
    boss = discord.member("Boss", manage_guild=True)
    await boss.sends("settings", history="off")
    shown = await alice.sends("roll", matchup="12 9")
    await alice.presses(await alice.sends("roll", matchup="6 4"), "Roll to the end")
    assert [one.value for one in await max_.types("history end", battle="")] == [under(shown, "battle")]
    assert [one.value for one in await max_.types("history end", battle="6 4")] == []
    assert await alice.types("history end", battle="") == []


async def test_without_history_a_battle_ended_by_a_moderator_is_deleted(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice, boss = discord.member("Alice"), discord.member("Boss", manage_guild=True)
    await boss.sends("settings", history="off")
    await asyncio.wait_for(bot.catching_up.caught_up.wait(), 60)
    shown = await types_dice(alice, await alice.sends("roll", matchup="12 9"), "6 4 1 vs 5 3")
    await boss.sends("history end", battle=under(shown, "battle"))
    there = await discord.next_edit(shown)
    log = log_of(there)
    assert fair.base64url(fair.commitment(log["battle"], log["seed"])) == under(there, "commitment")
    await idle(bot)
    assert await services.store.battles.find(under(shown, "battle")) is None


async def test_people_end_their_own_battles_in_direct_messages(discord: FakeDiscord, bot: Client) -> None:
    sam = discord.stranger("Sam")
    shown = await sam.sends("roll", matchup="12 9")
    ended = await sam.sends("history end", battle=under(shown, "battle"))
    assert "Ended by a moderator" in ended.content
