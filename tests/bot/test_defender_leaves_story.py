"""A battle of Axis & Allies that the defender leaves, from the odds to the log that anybody checks."""

import pytest

from bot.discord_app.client import Client
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.live_battles import under

pytestmark = pytest.mark.usefixtures("quick_frames")


async def test_odds_and_log_of_a_battle_say_that_the_defender_leaves(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    line = "9 inf vs 2 inf 1 aa dretreat:1"
    odds = await alice.sends("battle", matchup=line)
    assert odds.content.startswith("**Attacker takes it: 100%** · 9 inf against 2 inf 1 aa, with options")
    assert "\nThe defender leaves: 82.2%\n" in odds.content
    over = await alice.presses(await alice.sends("roll", matchup=line), "Roll to the end")
    checked = await alice.sends("verify", battle=under(over, "battle"))
    assert "no problems found" in checked.content
    assert ("the defender leaves (`dretreat:1`)" in over.content) == ("inf)" in over.content)


async def test_what_a_defender_who_leaves_leaves_open_is_said(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    order = await alice.sends("order", matchup="3 inf 1 arm vs 3 inf 1 art dretreat:2 rounds:3")
    assert "What to lose now is left out, as the defender may leave (`dretreat`)." in order.content
    never = await alice.sends("battle", matchup="3 inf vs 3 inf rounds:1 dretreat:1")
    assert "`dretreat`: the attacker stops first, so the defender never leaves." in never.content
    table = await alice.sends("table", matchup="3 inf vs 3 inf dretreat:1 rounds")
    assert "Round by round works for one wave without `retreat` or `dretreat`." in table.content
