"""/need without units, and with money, as a chat: which army of all there are, what to buy, and what goes wrong."""

from typing import Any

import pytest

from bot.discord_app.client import Client
from bot.games.axis.need_lines import write_need
from bot.notation.dice_options import ASKED_WITH_NEED
from bot.notation.mistakes import MatchupError
from bot.phrases.reader import understand
from bot.rooms import ROOMS
from solver.axis.best import buying
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of, picture, small_print
from tests.helpers.bot.lines import parse
from tests.helpers.cases import each


async def test_need_without_units_names_the_cheapest_army_of_each_mix(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("need", matchup="vs 5 inf 1 aa 90%")
    assert shown.content == (
        "**4 inf 4 art** (28 IPC) take it from 5 inf 1 aa (91.1%, target 90%)\n"
        "-# `/need 5 inf 3 arm vs` asks what the defender needs · Add `survive` to ask for survivors instead of a win\n"
        "```\n"
        "cheapest           IPC  takes it   TUV\n"
        "4 inf 4 art         28     91.1%  +8.0\n"
        "5 inf 2 art 1 arm   29     91.1%  +7.4\n"
        "8 art               32     91.1%  +5.1\n"
        "```\n"
        "-# out of all land and air units, exact · A&A 1942 · `4 inf 4 art vs 5 inf 1 aa`"
    )
    assert picture(shown).startswith(
        "4 inf 4 art (28 IPC) take it from 5 inf 1 aa (91.1%, target 90%). The curve shows"
    )
    odds = await alice.presses(shown, "Odds")
    assert odds.content.startswith("**Attacker takes it: 91.1%")
    holds = await alice.sends("need", matchup="5 inf 3 arm vs")
    assert holds.content.startswith(
        "**10 inf** (30 IPC) hold against 5 inf 3 arm (84.5%, target 80%)\n-# Add `survive`"
    )
    assert line_of(holds) == "5 inf 3 arm vs 10 inf"
    place = await alice.sends("need", matchup="vs karelia 70%")
    assert "Karelia (Soviet Union) in the opening of A&A 1942: `4 inf 1 art 1 fig`" in place.content
    # No army is good, so all are tried: the fewer there are, the sooner.
    monkeypatch.setattr(buying, "MOST_CELLS", 7_000)
    monkeypatch.setattr(buying, "STEPS", 1)
    hopeless = await alice.sends("need", matchup="vs 2 inf retreat:units<=10000")
    assert hopeless.content.startswith("**Nothing here can take it from 2 inf** with these retreat rules")
    assert (hopeless.labels, line_of(hopeless)) == (["Ask on"], "vs 2 inf retreat:units<=10000")


async def test_need_with_money_says_what_to_buy(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("need", matchup="4 inf 24 ipc vs 6 inf")
    assert shown.content == (
        "**Buy 4 inf 3 art** (24 IPC): takes it 99.0% · 4 inf + 24 IPC against 6 inf\n"
        "Best TUV swing: **1 inf 5 art** (23 IPC), +7.9 IPC on average · takes it 98.7%\n"
        "-# `/need 5 inf 2 arm vs 24 ipc` asks what to buy to hold\n"
        "```\n"
        "best chance        IPC  takes it   TUV\n"
        "4 inf 3 art         24     99.0%  +7.1\n"
        "2 inf 3 art 1 arm   24     98.8%  +7.5\n"
        "1 inf 5 art         23     98.7%  +7.9\n"
        "best TUV\n"
        "1 inf 5 art         23     98.7%  +7.9\n"
        "6 art               24     98.7%  +7.7\n"
        "2 inf 3 art 1 arm   24     98.8%  +7.5\n"
        "```\n"
        "-# out of all that 24 IPC buys, exact · A&A 1942 · `8 inf 3 art vs 6 inf`"
    )
    assert shown.labels == ["Odds", "Which unit?", "Ask on"]
    battle = await alice.sends("battle", matchup="24 ipc vs 5 inf")
    assert battle.content.startswith(
        "**Buy 4 inf 3 art** (24 IPC): takes it 88.0% · 24 IPC against 5 inf\n"
        "Also the best TUV swing: +3.7 IPC on average\n"
    )
    assert "best TUV\n" not in battle.content
    hold = await alice.sends("need", matchup="6 inf 3 arm vs 2 inf 20 ipc")
    assert hold.content.startswith("**Buy 6 inf** (18 IPC): holds 30.3% · 6 inf 3 arm against 2 inf + 20 IPC\n")
    enough = await alice.sends("need", matchup="30 inf 6 ipc vs 1 inf")
    assert enough.content.startswith("**Buy nothing** (0 IPC): takes it 100%")
    hopeless = await alice.sends("need", matchup="5 ipc vs 50 inf")
    assert hopeless.content.startswith("**Nothing here can take it from 50 inf** · 5 IPC against 50 inf")
    assert (hopeless.labels, hopeless.files) == (["Ask on"], ())
    raid = await alice.sends("battle", matchup="5 bom vs 20 ipc")
    assert "a factory that can take 20 damage" in raid.content


@each(
    [
        ("24 ipc", "Against whom? For example `24 ipc vs 5 inf`."),
        ("vs 24 ipc", "Who attacks? For example `5 inf 2 arm vs 24 ipc`."),
        ("24 ipc vs 20 ipc", "Only one side can have money."),
        ("0 ipc vs 5 inf", "The money must be 1 to 1000, not 0."),
        ("1001 ipc vs 5 inf", "The money must be 1 to 1000, not 1001."),
        ("24 ipc vs 5 inf 90%", "Money buys the best chance there is: leave out `90%`."),
        ("24 ipc vs 5 inf side:defender", "This line asks about the other side already"),
        ("vs 5 inf side:defender", "This line asks about the other side already"),
        ("24 ipc vs 5 inf then 3 inf", "With several waves"),
        ("vs 5 inf then hold 3 inf", "With several waves"),
        ("3 inf vs 5 inf then 24 ipc", "With several waves"),
        ("vs 3 des", "At sea, type the ships to choose from"),
        ("30 ipc vs 3 des", "At sea, type the ships to choose from"),
        ("3 inf", "Against whom?"),
    ]
)
def test_a_need_that_cannot_be_asked_says_why(line: str, why: str) -> None:
    with pytest.raises(MatchupError) as refused:
        parse(line, takes=ASKED_WITH_NEED, lone="defenders")
    assert why in refused.value.reason


@each(
    [
        ("vs 5 inf", "vs 5 inf", {"side": "attack"}),
        ("vs 5 inf least:1fig survive lowluck", "vs 5 inf lowluck least:1fig survive", {"least": (("fighter", 1),)}),
        ("5 inf 2 arm vs", "5 inf 2 arm vs", {"side": "defence"}),
        ("5 inf vs loss:inf lowluck", "5 inf vs lowluck", {"side": "defence"}),
        ("24ipc vs 5 inf", "24 ipc vs 5 inf", {"side": "attack", "money": 24}),
        ("4 inf, 24 IPC against 5 inf", "24 ipc 4 inf vs 5 inf", {"money": 24}),
        ("5 inf vs 24 ipc 1 aa", "5 inf vs 24 ipc 1 aa", {"side": "defence", "money": 24}),
        ("3 inf vs 2 inf side:defender", "3 inf vs 2 inf side:defender", {"side": "defence", "money": None}),
    ]
)
def test_lines_of_need_are_written_as_they_are_read(line: str, written: str, asked: dict[str, Any]) -> None:
    reading = parse(line, takes=ASKED_WITH_NEED, lone="defenders")
    assert write_need(reading) == written
    assert {name: reading.asked.get(name) for name in asked} == asked
    again = parse(written, takes=ASKED_WITH_NEED, lone="defenders")
    assert (again.battle, again.asked) == (reading.battle, reading.asked)


async def test_money_is_refused_where_it_means_nothing(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for command in ("roll", "table", "order"):
        refused = await alice.sends(command, matchup="24 ipc vs 5 inf")
        assert "Money works with `/need`" in refused.content
    exact = await alice.sends("battle", matchup="24 ipc vs 5 inf exact")
    assert "`exact` works with `/battle`" in exact.content
    dear = await alice.sends("need", matchup="vs 5 inf worth:fig=14")
    assert "Units to choose freely cost what the edition says" in dear.content
    large = await alice.sends("need", matchup="vs 5000 inf")
    assert large.content.startswith("This battle is too large to try all armies; type the units to choose from")
    choices = await alice.types("need", matchup="24 ipc vs 5 inf")
    assert [choice.value for choice in choices][:1] == ["24 ipc vs 5 inf"]
    assert small_print(large) == []


@each(
    [
        ("what do I need to be 90% sure against 5 inf 1 aa", "/need vs 5 inf 1 aa 90%"),
        ("what do I need to hold against 6 inf 2 arm with 95%", "/need 6 inf 2 arm vs 95%"),
        ("what do I need to stop 6 inf 2 arm", "/need 6 inf 2 arm vs"),
        ("what do I need to hold against 16", "/need 16 vs"),
        ("what should I buy with 24 IPC to take 5 inf", "/need 24 ipc vs 5 inf"),
        ("what should I buy with 24 ipc to hold against 5 inf 3 tanks", "/need 5 inf 3 arm vs 24 ipc"),
        ("he attacks me with 5 inf 2 arm, what should I buy with 20 ipc", "/need 5 inf 2 arm vs 20 ipc"),
        ("I have 24 ipc, what to buy against 5 inf, low luck", "/need 24 ipc vs 5 inf lowluck"),
        ("er greift mit 6 inf 2 panzern an, was soll ich für 20 ipc kaufen", "/need 6 inf 2 arm vs 20 ipc"),
        ("er greift mit 6 an, wie viele brauche ich", "/need 6 vs"),
        ("qué compro con 24 ipc para defender contra 5 inf 2 tanques", "/need 5 inf 2 arm vs 24 ipc"),
        ("что купить на 24 ipc против 5 пехоты", "/need 24 ipc vs 5 inf"),
        ("raid with 5 bombers 20 ipc", "/bombing 5 bom vs 20"),
        ("12 armies vs 20 ipc", ""),
        ("karelia vs 20 ipc", ""),
        ("with 4 inf and 24 ipc what should I buy to take 5 inf", "/need 24 ipc 4 inf vs 5 inf"),
        ("mit 4 inf und 24 ipc, was soll ich kaufen um 5 inf zu schlagen", "/need 24 ipc 4 inf vs 5 inf"),
        ("against 4 inf and 24 ipc what should I buy to take 5 inf", ""),
        ("what should I buy against 5 inf", ""),
        ("what should I buy with 24 ipc", ""),
        ("what do I need if I have 5 inf", ""),
        ("how many inf do I need vs 5 inf", ""),
    ]
)
def test_needs_and_purchases_are_read_in_own_words(said: str, line: str) -> None:
    assert understand(ROOMS, said).line == line
