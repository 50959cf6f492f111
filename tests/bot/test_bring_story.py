"""/need with Axis & Allies, as a chat: what to bring, what pays best, and what goes wrong."""

import re

from bot.discord_app.client import Client
from solver.axis.solve import solve_axis
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of, picture, rows
from tests.helpers.bot.lines import wave_of
from tests.helpers.extent import pick


def odds(line: str) -> tuple[float, float]:
    """The attacker's chance to win and his profit."""
    battle = wave_of(line)
    solved = solve_axis(battle)
    return solved.wins, solved.defender_loss - solved.attacker_loss


async def test_need_names_the_cheapest_army_and_the_best_swing(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("need", matchup="6 inf 4 art 3 arm 4 fig vs 5 inf 1 aa")
    assert shown.content == (
        "**6 inf 2 art** (26 IPC) take it from 5 inf 1 aa (82.9%, target 80%)\n"
        "Best TUV swing: **6 inf 4 art 3 arm** (52 IPC), +13.2 IPC on average · takes it "
        ">99.9%\n"
        "-# Add `side:defender` to ask what the defender needs · Add `survive` to ask for "
        "survivors instead of a win\n"
        "```\n"
        "cheapest           IPC  takes it    TUV\n"
        "6 inf 2 art         26     82.9%   +5.2\n"
        "4 inf 2 art 1 arm   26     80.3%   +5.4\n"
        "5 inf 3 art         27     88.5%   +7.1\n"
        "best TUV\n"
        "6 inf 4 art 3 arm   52    >99.9%  +13.2\n"
        "5 inf 4 art 3 arm   49    >99.9%  +13.0\n"
        "4 inf 4 art 3 arm   46    >99.9%  +12.7\n"
        "```\n"
        "-# out of 6 inf 4 art 3 arm 4 fig, exact · A&A 1942 · `6 inf 2 art vs 5 inf 1 aa`"
    )
    wins, profit = odds("6 inf 2 art vs 5 inf 1 aa")
    assert (round(100 * wins, 1), round(profit, 1)) == (82.9, 5.2)
    assert picture(shown) == (
        "6 inf 2 art (26 IPC) take it from 5 inf 1 aa (82.9%, target 80%). The curve "
        "shows the best chance for each price."
    )
    assert shown.labels == ["Odds", "Which unit?", "Ask on"]


async def test_buttons_of_need_lead_to_the_odds_and_back(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("need", matchup="6 inf 4 art 3 arm 4 fig vs 5 inf 1 aa")
    answer = await alice.presses(shown, "Odds")
    assert answer.content.startswith("**Attacker takes it: 82.9%")
    assert line_of(answer) == "6 inf 2 art vs 5 inf 1 aa"
    fewer = await alice.presses(answer, "What to bring?")
    assert fewer.content.startswith("**6 inf 2 art** (26 IPC) take it")


async def test_need_reads_chances_sides_and_minimums_for_armies(discord: FakeDiscord, bot: Client) -> None:
    for line, first in [
        (
            "90% 6 inf 4 art 3 arm vs 5 inf 1 aa",
            "**4 inf 4 art** (28 IPC) take it from 5 inf 1 aa (91.1%, target 90%)",
        ),
        ("6 inf 4 art 3 arm vs 5 inf 1 aa 62,5%", "(68.0%, target 62.5%)"),
        (
            "3 inf 2 arm vs 4 inf 1 arm 1 fig side:defender 50%",
            "**4 inf 1 arm** (18 IPC) hold against 3 inf 2 arm (59.2%, target 50%)",
        ),
        ("8 inf vs 1 inf 60% ", "**2 inf** (6 IPC) take it from 1 inf (67.7%, target 60%)"),
        ("4 arm vs 1 inf 50%", "**1 arm** (6 IPC) takes it from 1 inf (50.0%, target 50%)"),
        ("3 des 2 cru vs 3 sub", "**3 des** (24 IPC) beat 3 sub (80.1%, target 80%)"),
        ("2 fig 3 inf vs 1 inf survive 99%", "**3 inf 1 fig** (19 IPC) survive against 1 inf (99.8%, target 99%)"),
        ("4 inf 2 arm vs 3 inf least:3inf,2tanks", "**3 inf 2 arm** (21 IPC)"),
        ("3 tac 2 mec 4 inf vs 2 inf variant:1940", "(16 IPC) take it from 2 inf"),
    ]:
        shown = await discord.member("Alice").sends("need", matchup=line)
        assert first in shown.content.splitlines()[0]
        assert shown.files


async def test_need_says_which_army_comes_closest(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("need", matchup="3 inf 1 arm vs 5 inf")
    first, second = shown.content.splitlines()[:2]
    wins, _ = odds("3 inf 1 arm vs 5 inf")
    told = f"even **3 inf 1 arm** (15 IPC) take it from 5 inf only {100 * wins:.1f}% of the time"
    assert first == f"**80% is out of reach**: {told}"
    assert second.startswith("Smallest loss: **1 inf** (3 IPC), −2.4 IPC on average")
    assert rows(shown)[0][0] == "closest"
    assert line_of(shown) == "3 inf 1 arm vs 5 inf"
    assert "out of reach" in picture(shown)


async def test_need_says_if_no_army_has_a_chance(discord: FakeDiscord, bot: Client) -> None:
    for line, told in [
        ("6 inf vs 40 inf", "**Nothing here can take it from 40 inf**, not even all of it together"),
        ("2 fig vs 1 inf", "**Nothing here can take it from 1 inf**: planes alone can't take a territory"),
        (
            "1 fig 1 bat vs 4 inf",
            "**Nothing here can take it from 4 inf**: planes and ships alone can't take a territory",
        ),
        ("6 inf vs 4 inf retreat:profit<0", "**Nothing here can take it from 4 inf** with these retreat rules"),
        ("60 inf vs 2 inf side:defender", "**Nothing here can hold against 60 inf**, not even all of it together"),
        ("1 inf vs 60 inf survive", "**Nothing here can survive against 60 inf**, not even all of it together"),
    ]:
        shown = await discord.member("Alice").sends("need", matchup=line)
        assert shown.content.splitlines()[0] == told
        assert rows(shown)[0][:2] == ["best", "TUV"], "nothing is the closest"
        assert str(line_of(shown)) == line.removesuffix(" 50%").removesuffix(" side:defender").removesuffix(" survive")
        assert not shown.files, "there is no curve where there is no chance"


async def test_need_far_out_of_reach_names_the_highest_chance(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("need", matchup="6 inf 1 arm vs 14 inf")
    assert shown.content.startswith(
        "**80% is out of reach**: even **6 inf 1 arm** (24 IPC) take it from 14 inf only <0.1% of the time\n"
    )
    assert rows(shown)[1][:4] == ["6", "inf", "1", "arm"]


async def test_need_prefers_the_cheaper_of_equal_swings(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("need", matchup=f"{pick(200, 2000)} inf vs 4 inf")
    assert shown.content.splitlines()[1].startswith("Best TUV swing: **47 inf** (141 IPC), +8.0 IPC on average")
    assert round(odds("47 inf vs 4 inf")[1], 1) == 8.0


async def test_need_says_smallest_loss_only_if_every_attack_loses(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    stays = await alice.sends("need", matchup="6 inf vs 4 inf retreat:profit<0")
    assert stays.content.splitlines()[1] == ("Best TUV swing: **1 inf** (3 IPC), 0.0 IPC on average · takes it 0%")
    goes = await alice.sends("need", matchup="1 inf vs 2 inf")
    assert goes.content.splitlines()[1] == "Also the smallest loss: −2.0 IPC on average"


async def test_ships_without_an_army_are_explained(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    why = "\n-# Ships bombard even if no unit lands, and can't be lost\n"
    shown = await alice.sends("need", matchup="2 bat 2 cru 2 inf vs 3 inf")
    assert "Best TUV swing: **2 cru 2 bat** (64 IPC)" in shown.content
    assert why in shown.content
    for line in ("2 bat 9 inf vs 1 inf value:9", "2 bat 1 cru vs 2 cru", "2 inf vs 1 inf"):
        assert why not in (await alice.sends("need", matchup=line)).content


async def test_an_army_too_large_to_try_is_refused_with_a_sentence(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("need", matchup="60 inf 20 art 20 arm 10 fig vs 60 inf 20 art")
    assert shown.private
    assert shown.content == (
        "This army is too large to try every part of it; try up to 30 units a side on land, 15 at sea."
    )


async def test_need_and_order_refuse_wrong_options_in_a_sentence(discord: FakeDiscord, bot: Client) -> None:
    for command, line, words in [
        ("need", "3 inf vs 2 inf 0%", "Give a chance between 0% and 100%, such as `80%`."),
        ("need", "3 inf vs 2 inf 80% 90%", "This is in the line twice."),
        ("need", "3 inf vs 2 inf side:both", "`side:` needs attacker or defender."),
        ("need", "3 inf vs 2 inf least:2arm", "There is no `2 arm` to choose from."),
        ("need", "3 inf vs 2 inf least:4inf", "`4 inf` is more than you have: there are only 3 to choose from."),
        ("need", "3 inf vs 2 inf least:4cats", "A&A 1942 has no unit `cats`. Did you mean `cars`?"),
        ("need", "3 inf vs 2 inf least:many", "`least:` needs units with their numbers, such as 2inf,1arm."),
        ("need", "3 inf vs 2 inf exact", "`exact` works with `/battle`."),
        ("need", "6 inf vs 4 inf 80", "Did you mean `80%`?"),
        ("battle", "6 inf vs 4 inf 80", "Put a number before each unit"),
        ("need", "6 inf vs 4 inf 180", "Put a number before each unit"),
        ("need", "6 inf vs 4 inf then 2 arm least:7inf", "`7 inf` is more than you have: there are only 6"),
        (
            "need",
            "6 inf vs 4 inf survive then 2 arm",
            "I look for the army that holds it in the end. Leave out `survive`.",
        ),
        ("battle", "3 inf vs 2 inf 80%", "A chance such as `80%` works with `/need`."),
        ("battle", "3 inf vs 2 inf side:defender", "`side` works with `/need`"),
        ("battle", "3 inf vs 2 inf survive", "`survive` works with `/need`"),
    ]:
        shown = await discord.member("Alice").sends(command, matchup=line)
        assert shown.private
        assert words in shown.content


async def test_need_and_order_without_a_line_give_working_examples(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for command, count in (("need", 3), ("order", 1)):
        empty = await alice.says(f"@bot {command}")
        examples = re.findall(f"`/{command} ([^`]+)`", empty.content)
        assert len(examples) == count
        for example in examples:
            shown = await alice.sends(command, matchup=example)
            assert not shown.private, example


async def test_need_and_order_take_presets_of_armies(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await alice.sends("preset save", name="ukraine", matchup="6 inf 4 art vs 5 inf 1 aa")
    shown = await alice.sends("need", matchup="ukraine 4 arm 90%")
    assert "take it from 5 inf 1 aa (91.1%, target 90%)" in shown.content
    assert "out of 6 inf 4 art 4 arm, exact" in shown.content


async def test_options_of_need_are_suggested_for_armies(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for line in ("80% 6 inf 4 art vs 5 inf", "6 inf vs 5 inf side:defender", "6 inf 2 arm vs 5 inf least:1arm survive"):
        assert line in [choice.name for choice in await alice.types("need", matchup=line)]
    begun = await alice.types("need", matchup="80% 6 inf 4 art 3 arm")
    assert begun[0].name == "80% 6 inf 4 art 3 arm vs 4 inf"
    assert "80% 6 inf 4 art 3 arm 4 fig vs 5 inf 1 aa" in [choice.name for choice in begun]
    wrong = await alice.types("need", matchup="6 inf vs 5 inf side:both")
    assert "`side:` needs attacker or defender." in wrong[0].name
