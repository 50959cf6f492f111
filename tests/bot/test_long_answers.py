"""However much somebody types, and however much an answer says, it is a message that Discord takes."""

import pytest

from bot.discord_app.client import Client
from bot.discord_app.delivery import ALL, LONGEST_CONTENT, message_parts
from bot.notation.mistakes import MatchupError
from bot.notation.plans import LONGEST_BOTH
from bot.replies import Reply, TextFile, line_of
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.lines import parse, parse_plans, write
from tests.helpers.bot.live_battles import FIELD
from tests.helpers.cases import each

LONG = ("9" * 1980, "6 4 1 vs " + "9" * 1900, "x" * 2000, "9 " * 1000, "6 4 1 vs 5 " * 180, "`" * 2000, "A" * 2000)
"""What fits into the form for dice that lie on a table."""


UNITS = "11 inf 12 art 13 arm 4 fig 5 bom"
ORDER = "loss:bom,fig,arm,art,inf"
LATE = "loss:aa,fig,bom,arm,art,inf"
THREE_WAVES = (
    f"{UNITS} {ORDER} keep:3 vs {UNITS} 3 aa {LATE} gunslast rounds:9 retreat:units<=2,win<12.345% value:1.2 lowluck "
    f"then {UNITS} {ORDER} keep:4 vs 1 inf {LATE.replace('art,inf', 'inf,art')} retreat:air>12.345%,clear>5% "
    f"then hold {UNITS} {ORDER} vs 2 inf {LATE} rounds:8 retreat:units<=3,destroy<12.345%"
)


async def test_three_waves_with_orders_of_loss_fit(discord: FakeDiscord, bot: Client) -> None:
    line = write(parse(THREE_WAVES).battle)
    assert 400 < len(line) < 1_000
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup=THREE_WAVES)
    assert line_of(shown.content) == line
    form = await alice.opens(shown, "Edit")
    assert [field.value for field in form.fields] == [line]
    again = await alice.submits(form, {"Attackers and defenders": f"{line} deadzone"})
    assert " deadzone " in (line_of(again.content) or "")
    saved = await alice.sends("preset save", name="evening", matchup=line)
    assert "evening" in saved.content
    assert line_of((await alice.sends("battle", matchup="evening")).content) == line
    rolled = await alice.sends("roll", matchup=line)
    assert line in rolled.content
    plans = await alice.sends("compare", matchup=f"{line} || lowluck:no")
    assert len(plans.content) <= LONGEST_CONTENT
    both = line_of(plans.content) or ""
    assert [plan.battle for plan in parse_plans(both)] == [
        parse(line).battle,
        parse(line.replace(" lowluck", "")).battle,
    ]
    swapped = await alice.presses(plans, "Swap A and B")
    assert len(line_of(swapped.content) or "") == len(both)


async def test_two_plans_of_1500_characters_fit_a_message(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    legs = " > 5 dbonus:1,1 dclamp:1..6 arerolls:2 ties:attacker > 5 dbonus:1 dclamp:1..7 ties:both"
    path = f"20{legs * 7}"
    assert 1_200 < len(f"{path} || 30{legs * 7}") <= LONGEST_BOTH
    shown = await alice.sends("compare", matchup=f"{path} || 30{legs * 7}")
    assert len(shown.content) <= LONGEST_CONTENT
    assert len(line_of(shown.content) or "") > 1_200
    in_full = await alice.sends("compare", matchup=f"20{legs * 9} || 30")
    assert "Written out in full, the plans have more than 1500 characters." in in_full.content
    with pytest.raises(MatchupError, match="Two plans together can have at most 1500 characters"):
        parse_plans(f"20{legs * 9} || 30{legs * 9}")


async def test_long_typed_dice_are_quoted_in_short(discord: FakeDiscord, bot: Client) -> None:
    for line in ["12 9", "icons AAD,A,D,- 3 4", "3 inf vs 2 inf", "20 > 5 > 3"]:
        alice = discord.member("Alice")
        rolled = await alice.sends("roll", matchup=line)
        for text in LONG:
            told = await alice.submits(await alice.opens(rolled, "Real dice"), {FIELD: text})
            assert told.private
            assert len(told.content) < 400
            assert not told.files


async def test_a_typed_face_with_2000_digits_is_refused(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    rolled = await alice.sends("roll", matchup="12 9")
    form = await alice.opens(rolled, "Real dice")
    told = await alice.submits(form, {FIELD: f"{'9' * 1980} 1 1 vs 1 1"})
    assert told.content == "A die with 6 sides has no 99999999999999999999…."


@each(
    [
        Reply("x" * 5000),
        Reply("x" * 5000, note="log `abc` · `12 9`"),
        Reply("x" * 1990, table=("row",) * 400, note="`12 9`"),
        Reply("short", note="`" + "9" * 3000 + "`"),
        Reply("`" + "**zq** " * 600 + "`", note="`12 9`"),
        Reply("x" * 2001, file=TextFile("setups.json", "{}")),
    ]
)
def test_an_answer_of_any_length_fits_with_a_file_of_the_rest(reply: Reply) -> None:
    parts = message_parts(reply)
    assert 0 < len(parts["content"]) <= LONGEST_CONTENT
    assert parts["content"].count("`") % 2 == 0
    whole = next(file for file in parts["files"] if file.filename == ALL).fp.read().decode()
    assert whole.startswith(reply.text)
    assert reply.note in whole
    if line_of(f"-# {reply.note}") == "12 9":
        assert line_of(parts["content"]) == "12 9", "its buttons still know the battle"
