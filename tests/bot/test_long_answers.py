"""However much somebody types, and however much an answer says, it is a message that Discord takes."""

import pytest

from bot.discord_app.client import Client
from bot.discord_app.messages import ALL, LONGEST_CONTENT, message_parts
from bot.replies import Reply, TextFile, line_of
from tests.fake_discord import FakeDiscord

LONG = ("9" * 1980, "6 4 1 vs " + "9" * 1900, "x" * 2000, "9 " * 1000, "6 4 1 vs 5 " * 180, "`" * 2000, "A" * 2000)
"""What fits into the form for dice that lie on a table."""


@pytest.mark.parametrize("line", ["12 9", "icons AAD,A,D,- 3 4", "3 inf vs 2 inf", "20 > 5 > 3"])
async def test_dice_of_any_length_are_told_back_in_short(discord: FakeDiscord, bot: Client, line: str) -> None:
    alice = discord.member("Alice")
    rolled = await alice.sends("roll", matchup=line)
    for text in LONG:
        told = await alice.submits(await alice.opens(rolled, "Real dice"), {"As they lie, such as 6 4 1 vs 5 3": text})
        assert told.private
        assert len(told.content) < 400
        assert not told.files


async def test_a_face_with_very_many_digits_is_no_face(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    rolled = await alice.sends("roll", matchup="12 9")
    form = await alice.opens(rolled, "Real dice")
    told = await alice.submits(form, {"As they lie, such as 6 4 1 vs 5 3": f"{'9' * 1980} 1 1 vs 1 1"})
    assert told.content == "There is no 99999999999999999999… on a die with 6 sides."


@pytest.mark.parametrize(
    "reply",
    [
        Reply("x" * 5000),
        Reply("x" * 5000, note="log `abc` · `12 9`"),
        Reply("x" * 1990, table=("row",) * 400, note="`12 9`"),
        Reply("short", note="`" + "9" * 3000 + "`"),
        Reply("`" + "**zq** " * 600 + "`", note="`12 9`"),
        Reply("x" * 2001, file=TextFile("setups.json", "{}")),
    ],
)
def test_whatever_an_answer_says_it_fits_and_nothing_is_lost(reply: Reply) -> None:
    parts = message_parts(reply)
    assert 0 < len(parts["content"]) <= LONGEST_CONTENT
    assert parts["content"].count("`") % 2 == 0
    whole = next(file for file in parts["files"] if file.filename == ALL).fp.read().decode()
    assert whole.startswith(reply.text)
    assert reply.note in whole
    if line_of(f"-# {reply.note}") == "12 9":
        assert line_of(parts["content"]) == "12 9", "its buttons still know the battle"
