"""The first message of a duel says in words what the attacker's line decides for the defender."""

import pytest

from bot.discord_app import answers
from bot.discord_app.client import Client
from tests.fake_discord import FakeDiscord
from tests.helpers.program import until


@pytest.mark.parametrize(
    ("line", "decided"),
    [
        ("12 9 dice:3v1", "1 die a round"),
        ("12 9 late", "how many dice, each time the number that is best after the attacker's roll"),
        ("12 > 4 > 2 dice:3v1", "1 die a round"),
        (
            "12 9 dice:3v1 late",
            "how many dice, each time the number that is best after the attacker's roll; 1 die a round",
        ),
        ("2 sub 1 fig vs 2 sub 1 bat submerge", "submarines submerge once no enemy destroyer is there"),
        (
            "2 des 1 acc vs 2 des 1 bat kamikaze:2 loss:bat,des variant:1940",
            "2 kamikaze attacks, aimed at 1 des 1 acc; casualties in the order bat, des, unless others are chosen",
        ),
        ("5 inf vs 2 inf 1 arm loss:arm,inf", "casualties in the order arm, inf, unless others are chosen"),
        (
            "5 inf 1 arm vs 2 inf then hold 4 inf retreat:units<=2",
            "wave 2: when to stop (`retreat:units<=2`)",
        ),
        (
            "5 inf vs 2 inf then 4 inf vs 1 arm loss:arm,inf",
            "wave 2: casualties in the order arm, inf, unless others are chosen",
        ),
        ("5 inf vs 4 inf dretreat:2,units<=1", "when to leave (`dretreat:2,units<=1`)"),
        ("5 inf vs 2 inf 2 fig dkeep:1", "which units are lost late (`dkeep:1`), unless others are chosen"),
    ],
)
async def test_a_duel_says_what_the_line_decides_for_the_defender(
    discord: FakeDiscord, bot: Client, line: str, decided: str
) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await alice.sends("roll", matchup=line, opponent=bob)
    assert f"\n-# The line decides for Bob: {decided}.\n" in shown.content


@pytest.mark.parametrize(
    "line", ["12 9 stop:4 dice:2v2", "12 9 variant:balanced", "3 ss submerge vs 2 ss", "5 inf vs 2 inf"]
)
async def test_nothing_is_said_where_the_line_decides_nothing(discord: FakeDiscord, bot: Client, line: str) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    assert "decides" not in (await alice.sends("roll", matchup=line, opponent=bob)).content
    assert "decides" not in (await alice.sends("roll", matchup="12 9 dice:3v1")).content


async def test_the_message_of_its_own_says_it_too(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "PATIENCE", 0)
    alice, bob = discord.member("Alice"), discord.member("Bob")
    asked = alice.begins("roll", matchup="12 9 dice:3v1", opponent=bob)
    shown = await asked.answered()
    await until(lambda: bool(asked.followups))
    said = "The line decides for Bob: 1 die a round."
    assert (asked.followups[0].content, said in shown.content) == (f"{bob.mention}, Alice attacks you. {said}", True)
    assert said not in (await alice.presses(shown, "Roll")).content
