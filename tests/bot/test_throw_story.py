"""/dice for units: the hits of one army or of both in one throw, as words, picture, JSON and mistakes."""

import io
import json

import pytest

from bot.console import solve_lines
from bot.discord_app.client import Client
from bot.phrases.canonical import canonical
from bot.rooms import ROOMS
from bot.settings import Settings
from tests.fake_discord import FakeDiscord

ALONE = """\
**10 inf: 1.67 hits on average** · as attackers · A&A 1942
**At least 3 hits: 22.5%**"""


async def test_one_army_throws_alone_or_both_together(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    alone = await alice.sends("dice", matchup="10 inf hits:3+")
    assert alone.content.startswith(ALONE)
    assert "   2   29.1%     51.5%" in alone.content
    assert len(alone.files) == 1
    assert (await alice.says("@bot 3 hits or more with 10 infantry")).content.startswith(ALONE)
    defends = await alice.sends("dice", matchup="5 bat 14 fig defend")
    assert defends.content.startswith("**14 fig 5 bat: 12.67 hits on average** · as defenders")
    both = await alice.sends("dice", matchup="3 inf 2 arm vs 4 inf")
    assert both.content.startswith("**3 inf 2 arm: 1.50 hits on average · 4 inf: 1.33 hits on average** · A&A 1942")
    assert "   1     37.6%     39.5%" in both.content
    assert (await alice.presses(both, "Odds")).content.startswith("**Attacker takes it")
    for line in ("3 2 stop:4", "3 inf vs 2 inf dretreat:2"):
        idle = f"In a single round `{line.split()[-1]}` makes no difference."
        assert idle in (await alice.sends("dice", matchup=line)).content


async def test_mistakes_in_a_line_of_one_army_are_shown_in_it(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for line, shown in (
        ("10 inf 3 foo", "10 inf 3 foo\n       ^^^^^\n"),
        ("2 aa", "2 aa\n^^^^\n"),
        ("3 inf 2 sub defend", "3 inf 2 sub\n"),
    ):
        assert shown in (await alice.sends("dice", matchup=line)).content
    assert "one wave" in (await alice.sends("dice", matchup="3 inf vs 2 inf then 2 arm")).content
    assert "up to 1000 units" in (await alice.sends("dice", matchup="1500 inf")).content
    assert "`hits` works with `/dice`" in (await alice.sends("battle", matchup="3 inf vs 2 inf hits:2+")).content


def test_canonical_lines_of_a_throw_mean_themselves() -> None:
    for line in (
        "/dice 10 inf hits:3+",
        "/dice 14 fig 5 bat defend",
        "/dice 3 inf vs 4 inf lowluck",
        "/dice 4 sub lowluck",
    ):
        assert canonical(ROOMS, line) == line
    assert canonical(ROOMS, "/dice 2 bom defending hits:1") == "/dice 2 bom defend hits:1"


async def test_json_lines_ask_for_a_throw(settings: Settings) -> None:
    side = {"units": {"infantry": 2}}
    out = io.StringIO()
    question = {"question": "throw", "game": "axis1942", "waves": [{"attacker": side, "defender": side}]}
    await solve_lines(settings, [json.dumps(question)], out)
    answer = json.loads(out.getvalue())
    assert answer["attacker"] == pytest.approx([25 / 36, 10 / 36, 1 / 36])
    assert answer["defender"] == pytest.approx([16 / 36, 16 / 36, 4 / 36])


async def test_lines_of_one_army_and_bare_words_are_no_mistakes_while_typing(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for command, line in (
        ("dice", "10 inf"),
        ("dice", "10 inf hits:3+"),
        ("dice", "5 bat defend"),
        ("table", "12 9 rounds"),
        ("table", "12 9 stop"),
        ("battle", "12 9 left:5+ digits:6"),
    ):
        choices = await alice.types(command, matchup=line)
        assert choices[0].value == line, (line, choices)
