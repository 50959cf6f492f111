"""All ends, as a chat: every number of losses of a battle with dice, every end of Axis & Allies, in three orders."""

import json
from io import StringIO
from itertools import pairwise
from typing import Any

import pytest

from bot.commands.run import run
from bot.console import solve_lines
from bot.discord_app.client import Client
from bot.games.dice.ends import MOST_ROWS
from bot.replies import Reply
from bot.request import Request, Services
from bot.settings import Settings
from bot.words.narrow import WIDEST
from solver import Battle, solve
from solver.axis.odds import AxisOdds
from solver.axis.simulation.sample import sample_axis
from solver.axis.waves.waves import Waves
from tests.fake_discord import FakeDiscord, Shown
from tests.helpers.bot.answers import line_of, rows, small_print
from tests.helpers.bot.lines import parse
from tests.helpers.extent import pick


def table(shown: Shown) -> list[str]:
    """The lines of an answer's table."""
    return shown.content.split("```")[1].strip("\n").splitlines()


def file_of(shown: Shown) -> str:
    """The text of the only file of an answer."""
    (file,) = shown.files
    assert file.name == "ends.txt"
    return file.data.decode()


# Dice ---------------------------------------------------------------------------------------------------

FIVE_AGAINST_TWO = (
    "**Attacker wins 89.0%** · 5 against 2 · classic Risk\n"
    "```\n"
    "attacker\n"
    "lost  left  chance  at least\n"
    "   0     5   37.2%     37.2%\n"
    "   1     4   22.2%     59.3%\n"
    "   2     3   18.4%     77.7%\n"
    "   3     2    7.9%     85.7%\n"
    "   4     1    3.3%     89.0%\n"
    "   5     0   11.0%      100%\n"
    "\n"
    "defender\n"
    "lost  left  chance  at least\n"
    "   0     2    6.4%      6.4%\n"
    "   1     1    4.6%     11.0%\n"
    "   2     0   89.0%      100%\n"
    "```\n"
    "-# exact · about 2.0 rounds · `5 2`"
)


async def test_all_lists_the_chance_of_every_number_of_losses(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="5 2 all")
    assert shown.content == FIVE_AGAINST_TWO
    # By hand: three dice against two cost the defender two 2890, both one 2611, the attacker two 2275 times of 7776;
    # three against one are won 855 times of 1296.
    two, one, none = 2890 / 7776, 2611 / 7776, 2275 / 7776
    wins = 855 / 1296
    for row, chance in zip(rows(shown)[2:5], (two, one * wins, none * two + one * (1 - wins) * wins), strict=True):
        assert row[2] == f"{100 * chance:.1f}%"
    assert shown.labels == ["Odds", "Ask on"]
    assert not shown.files


async def test_the_button_all_endings_changes_the_message_and_leads_back(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await alice.sends("battle", matchup="5 2")
    ends = await bob.presses(shown, "All endings")
    assert (ends.id, ends.content) == (shown.id, FIVE_AGAINST_TWO)
    assert not ends.files, "the picture belongs to the odds"
    back = await alice.presses(ends, "Odds")
    assert (back.id, back.content) == (shown.id, shown.content)


async def test_all_is_left_out_of_the_line_and_options_stay(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for typed, line in (
        ("all 12 9 stop:4", "12 9 stop:4"),
        ("12 9 rounds:all all", "12 9"),
        ("5 2 ALL:yes", "5 2"),
        ("icons AAD,A,D,- 3 4 all", "3 4 icons:AAD,A,D,-"),
    ):
        shown = await alice.sends("battle", matchup=typed)
        assert line_of(shown) == line
        assert shown.labels == ["Odds", "Ask on"]
    usual = await alice.sends("battle", matchup="5 2 all:no")
    assert "Roll it" in usual.labels
    said = await alice.says("look: `5 2 all`", reply=False)
    assert (await alice.uses("Battle odds", on=said)).content == FIVE_AGAINST_TWO


async def test_ends_with_a_stop_or_a_round_limit_list_both_sides(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    stopped = await alice.sends("battle", matchup="12 9 stop:4 all")
    left = [row[1] for row in rows(stopped)[2:12]]
    assert left == ["12", "11", "10", "9", "8", "7", "6", "5", "4", "3"], "nobody goes on with 4 or fewer"
    one = await alice.sends("battle", matchup="12 9 rounds:1 all")
    assert [row[:2] for row in rows(one) if row and row[0].isdigit()] == [
        *(["0", "12"], ["1", "11"], ["2", "10"]),
        *(["0", "9"], ["1", "8"], ["2", "7"]),
    ]
    assert [row[2] for row in rows(one)[2:5]] == ["37.2%", "33.6%", "29.3%"]
    unmade = await alice.sends("battle", matchup="3 9 stop:4 all")
    assert [row for row in rows(unmade) if row and row[0].isdigit()] == [
        ["0", "3", "100%", "100%"],
        ["0", "9", "100%", "100%"],
    ]


async def test_battles_that_never_end_are_left_out_of_the_list(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    line = "5 5 adice:6 aclamp:3..3 dclamp:3..3 ties:neither"
    nobody = await alice.sends("battle", matchup=f"{line} all")
    assert "100% of these battles never end. They are not in the list." in nobody.content
    assert "```" not in nobody.content
    assert (await alice.sends("battle", matchup=line)).button("All endings").disabled
    # The last two can only tie.
    some = await alice.sends("battle", matchup="2 2 adice:6,6 ddice:6,6 dclamp:6..6 aclamp:6..6 ties:neither all")
    assert "never end" in some.content


async def test_rows_of_large_battles_combine_numbers_and_the_file_has_each(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="100 90 all")
    assert len(shown.content) <= 2000
    assert "Some rows combine several numbers; the file has each one." in small_print(shown)
    lines = table(shown)
    assert len(lines) <= 2 * MOST_ROWS[0] + 5
    assert max(map(len, lines)) <= WIDEST
    odds = solve(Battle(100, 90))
    middle = next(line.split() for line in lines if " 20–24 " in line)
    chance = odds.chances[(odds.attackers_end >= 20) & (odds.attackers_end <= 24)].sum()
    reached = odds.chances[odds.attackers_end >= 20].sum()
    assert middle == ["76–80", "20–24", f"{100 * chance:.1f}%", f"{100 * reached:.1f}%"]
    text = file_of(shown)
    assert text.startswith("Attacker wins 93.8% · 100 against 90 · classic Risk\n100 90\n\nattacker\n")
    every = [line for line in text.splitlines() if line.split() and line.split()[0].isdigit()]
    assert len(every) == 1 + 101 + 91, "the battle's line, and each number of both sides"


async def test_all_endings_of_armies_of_any_size_fit_a_message(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup=pick("60000 54000 all", "1000000 900000 all"))
    assert len(shown.content) <= 2000
    assert "the file has the 5000 likeliest of each side." in shown.content
    text = file_of(shown)
    assert len(text) < 400_000
    assert "more endings, " in text


async def test_all_endings_go_with_exact(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    short = await alice.sends("battle", matchup="3 2 all exact")
    assert "exactly 6610505/10077696" in short.content
    assert "at least" in short.content
    long = await alice.sends("battle", matchup="100 100 all exact")
    assert "whose denominator has 439 digits: see the file" in long.content
    assert len(file_of(long).splitlines()[-1].partition("/")[2]) == 439


async def test_all_endings_of_a_path_name_the_territory(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.presses(await alice.sends("battle", matchup="3 > 1 > 1"), "All endings")
    assert shown.content.splitlines()[:6] == [
        shown.content.splitlines()[0],
        "Territories taken and armies left, best ending first · A / D: what attacker / defender have left",
        "```",
        "taken  A / D  chance  at least",
        "    2  2 / 0   38.2%     38.2%",
        "    2  1 / 0   19.8%     58.0%",
    ]
    # By hand: three dice beat one 855 times of 1296, two 125 of 216, one 15 of 36; one army stays behind.
    assert round(100 * 855 / 1296 * 125 / 216, 1) == 38.2
    assert round(100 * (855 / 1296 * 91 / 216 + 441 / 1296 * 125 / 216) * 15 / 36, 1) == 19.8
    assert line_of(shown) == "3 > 1 > 1 leave:1"
    assert table(shown)[-1].endswith("100%")
    many = await alice.sends("battle", matchup="500 > 200 > 100 > 50 all")
    assert max(map(len, table(many))) <= WIDEST
    assert "the likeliest endings, best first. The file has all of them." in many.content
    assert len(file_of(many).splitlines()) > 500


async def test_all_with_a_sort_order_is_for_axis_and_allies(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="5 2 all:money")
    assert "`all:money` works only for Axis & Allies. These rows are sorted by losses." in small_print(shown)


# Axis & Allies ------------------------------------------------------------------------------------------


async def test_each_end_of_armies_shows_chance_money_and_survivors(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="1 inf vs 1 inf all")
    # Of 18 first rounds one kills both, two only the defender, five only the attacker; ten change nothing.
    assert shown.content == (
        "**Attacker takes it: 25.0%, defender holds 62.5%, both wiped out 12.5%** · 1 inf against "
        "1 inf · A&A 1942\n"
        "All 3 endings, likeliest first · TUV swing in IPC · A / D: what attacker / defender have "
        "left\n"
        "```\n"
        "chance  total  TUV  A / D\n"
        " 62.5%  62.5%   −3  – / 1 inf\n"
        " 25.0%  87.5%   +3  1 inf / –\n"
        " 12.5%   100%    0  – / –\n"
        "```\n"
        "-# exact · about 2.2 rounds · `1 inf vs 1 inf`"
    )
    assert shown.labels == ["By chance", "By TUV", "By winner", "Odds", "Ask on"]
    assert shown.button("By chance").disabled


async def test_ends_of_armies_are_sorted_by_money_or_by_winner(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    two = await alice.sends("battle", matchup="2 arm vs 1 inf lowluck all")
    assert two.content.splitlines()[1].startswith("Both endings, likeliest first · ")
    shown = await alice.presses(await alice.sends("battle", matchup="1 inf vs 1 inf"), "All endings")
    money = await alice.presses(shown, "By TUV")
    assert money.id == shown.id
    assert "All 3 endings, best TUV first" in money.content
    assert table(money) == [
        "chance  at least  TUV  A / D",
        " 25.0%     25.0%   +3  1 inf / –",
        " 12.5%     37.5%    0  – / –",
        " 62.5%      100%   −3  – / 1 inf",
    ]
    winner = await alice.presses(money, "By winner")
    assert table(winner) == [
        "chance  total  TUV  A / D",
        "attacker takes it 25.0%",
        " 25.0%  25.0%   +3  1 inf / –",
        "defender holds 62.5%",
        " 62.5%  87.5%   −3  – / 1 inf",
        "both wiped out 12.5%",
        " 12.5%   100%    0  – / –",
    ]
    for word, same in (("all:money", money), ("all:profit", money), ("all:winner", winner), ("all:chance", shown)):
        typed = await alice.sends("battle", matchup=f"1 inf {word} vs 1 inf")
        assert (typed.content, typed.labels) == (same.content, same.labels)
    assert "Roll it" in (await alice.presses(winner, "Odds")).labels


async def test_ends_of_equal_swing_share_their_total(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="2 inf 1 art vs 2 inf worth:units all:money")
    reached: dict[str, set[str]] = {}
    for line in table(shown)[1:]:
        _chance, total, profit, *_left = line.split()
        reached.setdefault(profit, set()).add(total)
    assert all(len(totals) == 1 for totals in reached.values())
    assert "TUV swing in units ·" in shown.content
    rich = await discord.member("Alice").sends("battle", matchup="2 inf 1 art vs 2 inf value:4 all")
    assert "TUV swing in IPC, territory included ·" in rich.content


async def test_ends_of_armies_are_no_wider_than_a_phone(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="3 inf 2 arm 3 fig vs 5 inf 2 art 1 arm 1 aa all")
    lines = table(shown)
    assert max(map(len, lines)) <= WIDEST
    assert lines[:4] == ["chance   total  TUV", "  A / D", " 12.1%   12.1%  −34", "  – / 1 inf 2 art 1 arm"]
    assert "All 33 endings, likeliest first" in shown.content
    assert not shown.files


async def test_ends_that_do_not_fit_a_message_are_in_a_file(discord: FakeDiscord, bot: Client) -> None:
    for order in ["", ":money", ":winner"]:
        line = "12 inf 6 art 5 arm 4 fig vs 10 inf 4 art 3 arm 2 fig 1 aa"
        shown = await discord.member("Alice").sends("battle", matchup=f"{line} all{order}")
        assert len(shown.content) <= 2000
        assert "; the file has all" in shown.content
        text = file_of(shown)
        head, _gap, body = text.partition("\n\n")
        assert line.split(" vs ", maxsplit=1)[0] in head
        assert "TUV swing in IPC" in head
        heading, *ends = body.splitlines()
        assert heading.split("  ")[0] == "chance"
        assert "attacker loses" in heading
        told = [line for line in ends if line[0] in "<0123456789"]
        assert f"All {len(told)} endings, " in head
        if order == ":money":
            profits = [int(line.split("%")[2].split()[0].replace("−", "-").replace("+", "")) for line in told]
            assert all(one >= other for one, other in pairwise(profits))


async def test_simulated_ends_say_that_they_are_simulated(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def rolled(waves: Waves, exact: bool = False) -> AxisOdds:
        return sample_axis(waves.battles[0], 2_000, 1)

    monkeypatch.setattr(bot.services.engine, "odds", rolled)
    shown = await discord.member("Alice").sends("battle", matchup="30 inf 9 arm vs 38 inf all")
    assert "simulated: 2000 battles, ±0.9 points" in shown.content
    text = file_of(shown)
    assert "simulated: 2000 battles, ±0.9 points" in text
    chances = [line.split("%")[0] for line in text.splitlines() if line.split(" ")[0].endswith("%")]
    assert chances
    assert all(len(chance.lstrip("<>").partition(".")[2]) <= 1 for chance in chances), "no more decimals than are known"


async def test_an_attack_that_is_not_made_has_no_ends(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    line = "1 inf vs 5 inf retreat:win<90%"
    assert (await alice.sends("battle", matchup=line)).button("All endings").disabled
    shown = await alice.sends("battle", matchup=f"{line} all")
    assert shown.content.startswith("**No attack is made**")
    assert shown.labels == ["Odds", "Ask on"]


async def test_all_endings_of_waves_are_those_of_all_waves(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    line = "3 inf vs 2 inf then hold 2 inf"
    shown = await alice.presses(await alice.sends("battle", matchup=line), "All endings")
    assert "left at the end" in shown.content
    sorted_by_winner = await alice.presses(shown, "By winner")
    assert "attacker holds it " in sorted_by_winner.content
    assert line_of(sorted_by_winner) == line
    assert (await alice.sends("battle", matchup=f"{line} all:winner")).content == sorted_by_winner.content
    first = await alice.sends("battle", matchup="3 inf all vs 2 inf then hold 2 inf")
    assert line_of(first) == line


async def test_all_endings_of_a_raid(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.presses(await alice.sends("bombing", matchup="1 bom vs 2"), "All endings")
    assert table(shown) == [
        "chance  total  TUV  bombers lost / damage",
        " 69.4%  69.4%   +2  0 / 2",
        " 16.7%  86.1%  −12  1 / 0",
        " 13.9%   100%   +1  0 / 1",
    ], "a bomber falls to a 6 and does as much damage as its die shows"
    for command in ("bombing", "battle"):
        typed = await alice.sends(command, matchup="1 bom vs 2 all:winner")
        assert table(typed)[1] == "worth it 83.3%"
        assert line_of(typed) == "1 bom vs 2"
    assert "Roll it" in (await alice.presses(shown, "Odds")).labels
    refused = await alice.sends("roll", matchup="1 bom vs 2 all")
    assert "`all` works with `/battle`" in refused.content


# Where the word has no meaning --------------------------------------------------------------------------


async def test_the_last_row_of_1000_against_1000_adds_up_to_100_percent(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="1000 1000 all")
    last = [line for line in shown.content.splitlines() if line.split()[1:2] == ["0"] and line.split()[0] == "1000"]
    assert len(last) == 2
    assert all(line.endswith(" 100%") for line in last)


async def test_advice_is_given_beside_all_ends(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="12 10 capitals:1 advice all")
    assert "(roll 1, not 2, from 2 against 2)" in shown.content
    assert "at least" in shown.content


async def test_battles_that_hardly_ever_end_have_their_ends(discord: FakeDiscord, bot: Client) -> None:
    line = "23 38 ties:neither aclamp:1..2 dclamp:1..2 abonus:0,2 dbonus:1,-1 all"
    shown = await discord.member("Alice").sends("battle", matchup=line)
    assert "of these battles never end. They are not in the list." in shown.content
    assert shown.content.count("at least") == 2, "a table for each side"


ALL_GOES = "`all` works with `/battle` (every ending) and `/dice` (all rounds of a fleet)."


async def test_other_commands_refuse_all_and_name_battle(discord: FakeDiscord, bot: Client) -> None:
    for line in ["12 9 all", "3 inf vs 2 inf all:money"]:
        for command in ["roll", "need", "table", "order", "preset save"]:
            options: dict[str, Any] = {"matchup": line} | ({"name": "alamo"} if command == "preset save" else {})
            shown = await discord.member("Alice").sends(command, **options)
            assert shown.private
            assert ALL_GOES in shown.content
            if command != "preset save":
                assert line in shown.labels


async def test_a_mistyped_sort_order_is_corrected(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="3 inf vs 2 inf all:mony")
    assert "`all:` needs chance, money or winner, or nothing." in shown.content
    assert "3 inf vs 2 inf all:money" in shown.labels


async def test_all_is_suggested_while_typing_a_battle(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    assert (await alice.types("battle", matchup="5 2 al"))[0].value == "5 2 all"
    assert (await alice.types("battle", matchup="3 inf vs 2 inf al"))[0].value == "3 inf vs 2 inf all"
    assert (await alice.types("battle", matchup="5 2 all"))[0].value == "5 2 all"


async def test_the_terminal_shows_all_endings(services: Services) -> None:
    request = Request("battle", "user", "User", "place", {"matchup": "5 2 all"})
    reply = await run(request, services)
    assert isinstance(reply, Reply)
    assert reply.table[1] == "lost  left  chance  at least"


async def test_a_json_question_refuses_all(settings: Settings) -> None:
    out = StringIO()
    assert await solve_lines(settings, [json.dumps({"text": "5 2 all"})], out) == 1
    assert "`all` lists the endings of a battle of Axis & Allies" in json.loads(out.getvalue())["error"]


def test_all_and_its_sort_orders_are_read() -> None:
    for line, ends in (("5 2 all", "chance"), ("5 2 all:winner", "winner"), ("5 2", ""), ("20 > 5 all > 4", "chance")):
        assert parse(line, takes=("all",)).ends == ends
    for line, ends in (("3 inf vs 2 inf all:profit", "money"), ("3 inf vs 2 inf then 2 arm all", "chance")):
        assert parse(line, takes=("all",)).ends == ends
