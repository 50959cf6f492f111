"""Two plans side by side, as a chat: the difference, the picture, the buttons, and what goes wrong."""

import asyncio
import re
from collections.abc import Callable, Hashable
from unittest.mock import ANY

import pytest

from bot.charts import Chart
from bot.commands.run import run
from bot.discord_app.client import Client
from bot.errors import UserError
from bot.games.axis.answers import find_pair
from bot.notation.plans import LONGEST_PLANS
from bot.phrases.reader import understand
from bot.replies import Reply
from bot.request import Request, Services
from bot.rooms import ROOMS
from solver import Battle
from solver.axis.battle import AxisBattle
from solver.axis.limits import odds_within
from solver.axis.odds import AxisOdds
from solver.axis.simulation import sample
from solver.axis.simulation.sample import SampledPair, sample_axis
from solver.axis.solve import solve_axis
from solver.axis.waves.waves import Waves
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of, picture, rows
from tests.helpers.bot.lines import parse
from tests.helpers.cases import each
from tests.helpers.extent import pick
from tests.helpers.program import LONGEST


async def test_compare_says_which_plan_is_better(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("compare", matchup="12 9 bombers:1 || bombers:2")
    assert shown.content == (
        "**B is better for the attacker: 99.4% instead of 96.6% (+2.8 points), and loses 1.4 fewer armies"
        " on average**\n"
        "A: 12 with 1 bomber against 9\n"
        "B: 12 with 2 bombers against 9\n"
        "```\n"
        "                    A      B\n"
        "attacker wins   96.6%  99.4%  +2.8\n"
        "defender holds   3.4%   0.6%  −2.8\n"
        "attackers lost    4.4    3.0  −1.4\n"
        "rounds            7.0    6.4  −0.7\n"
        "```\n"
        "-# exact · Star Wars Risk · `12 9 bombers:1 || 12 9 bombers:2`"
    )
    assert picture(shown).startswith("B is better for the attacker: 99.4% instead of 96.6%")
    assert shown.labels == ["Odds of A", "Odds of B", "Swap A and B", "Edit", "Ask on"]
    assert not shown.private


async def test_compare_of_several_plans_marks_the_best(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("compare", matchup="15 vs 9 or 7 or 5")
    assert shown.content == (
        "**C is best for the attacker: attacker wins 99.0%**\n"
        "A: 15 against 9\n"
        "B: 15 against 7\n"
        "C: 15 against 5\n"
        "```\n"
        "    wins  points  lost\n"
        "A  91.2%    −7.8   7.3\n"
        "B  96.4%    −2.6   5.7\n"
        "C  99.0%     0.0   4.0  best\n"
        "```\n"
        "-# exact · classic Risk · `15 9 || 15 7 || 15 5`"
    )
    assert picture(shown).startswith("C is best for the attacker: attacker wins 99.0%. Bands show the chances: A: ")
    fewer = discord.old_message("`12 9 || 14 9`", {"Odds of C": shown.button("Odds of C").custom_id})
    assert (await alice.presses(fewer, "Odds of C")).content == "There is no plan C here."
    assert shown.labels == ["Odds of A", "Odds of B", "Odds of C", "Edit", "Ask on"]
    assert line_of(await alice.presses(shown, "Odds of C")) == "15 5"
    said = await alice.says("@bot which is best, 15 against 9, 7 or 5?")
    assert line_of(said) == "15 9 || 15 7 || 15 5"
    mixed = await alice.sends(
        "compare", matchup="3 inf 2 arm vs 4 inf || +1 fig || retreat:units<=2 || 12 9 || 12 9 stop:3"
    )
    assert [row[0] for row in rows(mixed)[1:]] == ["A", "B", "C", "D", "E"]
    assert mixed.content.splitlines()[1:6] == [
        "A: `3 inf 2 arm vs 4 inf` · A&A 1942",
        "B: `3 inf 2 arm 1 fig vs 4 inf` · A&A 1942",
        "C: `3 inf 2 arm vs 4 inf retreat:units<=2` · A&A 1942",
        "D: `12 9` · classic Risk",
        "E: `12 9 stop:3` · classic Risk",
    ]
    alike = await alice.sends("compare", matchup="12 9 || 12 9 || 9 9")
    assert alike.content.startswith(
        "**A, B are best for the attacker, hardly any difference between them: attacker wins"
    )
    same = await alice.sends("compare", matchup="12 9 || 12 9 || 12 9")
    assert same.content.startswith("**Hardly any difference: attacker wins 79.0%**")
    wrong = await alice.sends("compare", matchup="12 9 || 13 9 || 14 9 bomers:1")
    assert "Plan C: I don't know `bomers:1`. Did you mean `bombers:1`?" in wrong.content
    assert wrong.labels[0] == "/compare 12 9 || 13 9 || 14 9 bombers:1"


async def test_a_retreat_plan_wins_less_often_but_has_the_better_swing(discord: FakeDiscord, bot: Client) -> None:
    line = "3 inf 2 arm 3 fig vs 5 inf 2 art 1 arm or retreat:profit<0"
    shown = await discord.member("Alice").sends("compare", matchup=line)
    head, first, second, *_ = shown.content.splitlines()
    assert head == (
        "**A takes it more often: 27.5% instead of 24.0% (+3.5 points), but brings 9.1 IPC less on average**"
    )
    assert first == "A: 3 inf 2 arm 3 fig against 5 inf 2 art 1 arm"
    assert second == "B: the same with `retreat:profit<0`"
    told = {" ".join(row[:-3]) or row[0]: row[-3:] for row in rows(shown)[1:]}
    assert told["attacker takes it"] == ["27.5%", "24.0%", "−3.5"]
    assert ["attack", "called", "off", "–", "65.1%", "+65.1"] in rows(shown)
    assert ["TUV", "swing", "−8.1", "+1.0", "+9.1"] in rows(shown)
    assert ["attacker", "loses", "32.5", "14.7", "−17.8"] in rows(shown)
    assert line_of(shown).endswith(" || 3 inf 2 arm 3 fig vs 5 inf 2 art 1 arm retreat:profit<0")


async def test_compare_takes_a_casualty_order_or_a_further_unit(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    order = await alice.sends("compare", matchup="3 inf 2 arm vs 4 inf || loss:arm,inf")
    assert order.content.startswith("**A is better for the attacker: ")
    assert "\nB: the same with `loss:arm,inf`\n" in order.content
    more = await alice.sends("compare", matchup="3 inf 2 arm vs 4 inf || +1 arm")
    assert more.content.startswith("**B is better for the attacker: 95.8% instead of 79.4% (+16.4 points), and brings")


async def test_a_remark_about_both_plans_is_shown_once(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends(
        "compare", matchup="5 bom 2 fig vs 1 fig 20 variant:1940 || 5 bom vs 2 fig 20 variant:1940"
    )
    unconfirmed = "-# Some rules of A&A Global 1940 are unconfirmed or missing: `/help 1940`"
    assert [line for line in shown.content.splitlines() if "unconfirmed" in line] == [unconfirmed]
    mixed = await alice.sends("compare", matchup="5 bom vs 1 fig 20 variant:1940 || 5 bom vs 1 fig 20 variant:1942")
    assert "\n-# A: Some rules of A&A Global 1940 are" in mixed.content
    assert "\n-# B: An optional rule: bombers and escorts fire first" in mixed.content
    waves = await alice.sends("compare", matchup="4 inf vs 3 inf variant:1940 || 4 inf vs 3 inf then 2 inf")
    assert [line for line in waves.content.splitlines() if "unconfirmed" in line] == [unconfirmed]


async def test_plans_of_different_games_are_compared_by_their_chances(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("compare", matchup="12 9 || 3 inf 2 arm vs 4 inf")
    assert shown.content.startswith(
        "**B is better for the attacker: 79.4% instead of 79.0% (+0.4 points)**\n"
        "A: 12 against 9 · classic Risk\n"
        "B: 3 inf 2 arm against 4 inf · A&A 1942\n"
    )
    assert ["TUV", "swing", "–", "+1.0"] in rows(shown)
    assert "Bars" not in picture(shown)
    march = await alice.sends("compare", matchup="20 > 5 > 4 || 12 9")
    assert march.content.startswith("**A succeeds more often: 98.2% instead of 79.0% (+19.2 points), but loses 0.1")
    assert "-# exact · classic Risk · `20 > 5 > 4 leave:1 || 12 9`" in march.content
    assert "Bars show how many are left" in picture(march)


async def test_waves_beside_one_battle_have_the_same_rows(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    lines = "6 inf vs 4 inf then 4 arm", "6 inf 4 arm vs 4 inf"
    shown = await alice.sends("compare", matchup=" || ".join(lines))
    told = {" ".join(row[:-3]): row[-3:] for row in rows(shown)[1:]}
    assert told["both wiped out"] == ["–", "<0.1%", "0.0"], "a territory is always somebody's after several waves"
    for place, line in enumerate(lines):
        odds = await alice.sends("battle", matchup=line)
        (money,) = (line for line in odds.content.splitlines() if line.startswith("Average losses"))
        ours, theirs = re.findall(r"([0-9.]+) of", money)
        assert (told["attacker loses"][place], told["defender loses"][place]) == (ours, theirs)


async def test_the_table_fits_a_phone(discord: FakeDiscord, bot: Client) -> None:
    for line in [
        "12 9 || stop:4",
        "20 > 5 > 4 || 12 9 ties:both",
        "3 inf 2 arm 3 fig vs 5 inf 2 art 1 arm || retreat:profit<0",
        "6 inf vs 4 inf then 4 arm then hold 4 inf || 12 9",
    ]:
        shown = await discord.member("Alice").sends("compare", matchup=line)
        assert max(map(len, shown.content.split("```")[1].splitlines())) <= 42


async def test_numbers_counted_differently_have_no_difference(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for line in ("6 inf vs 4 inf || worth:units", "6 inf vs 4 inf then 4 arm || worth:units"):
        shown = await alice.sends("compare", matchup=line)
        assert shown.content.startswith("**Both plans come to the same: ")
        for name in ("attacker loses", "defender loses", "TUV swing"):
            (row,) = (" ".join(row) for row in rows(shown) if " ".join(row).startswith(name))
            assert re.fullmatch(rf"{name} [+−]?[\d.]+ [+−]?[\d.]+", row), "two numbers and no difference"
        assert rows(shown).count(["counted", "in", "IPC", "units"]) == 1
        assert "Bars" not in picture(shown)
    prices = await alice.sends("compare", matchup="6 inf vs 4 inf worth:inf=4 || worth:inf=5")
    assert prices.content.startswith("**Both plans come to the same: ")
    assert ["counted", "in", "value", "value"] in rows(prices)
    alike = await alice.sends("compare", matchup="6 inf vs 4 inf worth:units || 7 inf")
    assert " units more on average" in alike.content
    assert "counted in" not in alike.content


async def test_compare_says_if_both_plans_come_to_the_same(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    same = await alice.sends("compare", matchup="12 9 || 12v9")
    assert same.content.startswith("**A and B are the same plan: attacker wins 79.0%**\n")
    other = await alice.sends("compare", matchup="3 inf vs 2 inf || 3 inf vs 2 inf retreat:win<0%")
    assert other.content.startswith("**Both plans come to the same: attacker takes it ")


@pytest.mark.whole
async def test_simulated_plans_may_be_too_close_to_call(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def rolled(waves: Waves) -> AxisOdds:
        return sample_axis(waves.battles[0], 400)

    async def rolled_together(work: Callable[..., SampledPair], *plans: AxisBattle) -> SampledPair:
        return work(*plans, 400, 1)

    monkeypatch.setattr(bot.services.engine, "odds", rolled)
    monkeypatch.setattr(bot.services.engine, "compute_or_explain", rolled_together)
    alice = discord.member("Alice")
    close = await alice.sends("compare", matchup="30 inf 9 arm vs 38 inf || retreat:units<=1")
    head, *_ = close.content.splitlines()
    assert head.startswith("**Too close to tell: attacker takes it 3")
    assert head.endswith("%, ± 1 points**"), "apart from each other that would be 3"
    assert "simulated: 400 battles, ±" in close.content
    clear = await alice.sends("compare", matchup="30 inf 9 arm vs 38 inf || +3 arm")
    assert clear.content.startswith("**B is better for the attacker: 7")
    assert " points, ± 3), and brings " in clear.content.splitlines()[0]
    assert picture(clear)


async def test_simulated_plans_share_their_luck(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample, "MOST_WORK", pick(5_000, sample.MOST_WORK))
    lines = "30 inf 9 arm vs 38 inf", "30 inf 9 arm vs 37 inf"
    first, second = (parse(line).battle for line in lines)
    pair, swapped = await find_pair(services.engine, first, second), await find_pair(services.engine, second, first)
    assert pair
    assert swapped
    assert (pair.first.wins, pair.second.wins) == (swapped.second.wins, swapped.first.wins)
    assert pair.wins_error == swapped.wins_error < pair.first.wins_error + pair.second.wins_error
    assert pair.second.wins - pair.first.wins == pytest.approx(
        solve_axis(second.only).wins - solve_axis(first.only).wins, abs=2 * pair.wins_error
    )


async def test_a_plan_that_is_too_large_is_not_compared(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hurried(waves: Waves) -> AxisOdds:
        battle = waves.battles[0]
        return odds_within(battle, 1e-12, 1 if battle.retreat.profit_below is not None else 10**9)

    monkeypatch.setattr(sample, "MOST_WORK", pick(5_000, sample.MOST_WORK))
    titles = []
    drawn = bot.services.engine.draw

    async def seen(chart: Chart, key: Hashable, title: list[str], *parts: object) -> bytes:
        titles.append(title)
        return await drawn(chart, key, title, *parts)

    monkeypatch.setattr(bot.services.engine, "odds", hurried)
    monkeypatch.setattr(bot.services.engine, "draw", seen)
    alice = discord.member("Alice")
    one = await alice.sends("compare", matchup="6 inf vs 4 inf || retreat:profit<0")
    assert one.content.startswith("**I can't tell which is better: B is too large to plan**\n")
    assert "\n-# B: Too large to plan ahead: the rules for profit and win chance are ignored" in one.content
    assert picture(one).startswith("I can't tell which is better: B is too large to plan")
    both = await alice.sends("compare", matchup="6 inf vs 4 inf retreat:profit<0 || 7 inf")
    assert both.content.startswith("**I can't tell which is better: A and B are too large to plan**")
    assert titles == [["B is too large to plan"], ["A and B are too large to plan"]]


async def test_the_buttons_of_a_comparison_change_its_message(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("compare", matchup="12 9 || stop:4")
    swapped = await alice.presses(shown, "Swap A and B")
    assert swapped.id == shown.id
    assert line_of(swapped) == "12 9 stop:4 || 12 9 stop:0"
    assert swapped.content.startswith("**B wins more often: 79.0% instead of 56.1%")
    form = await alice.opens(swapped, "Edit")
    changed = await alice.submits(form, {"Two plans, || between them": "12 9 or 13"})
    assert changed.id == shown.id
    assert line_of(changed) == "12 9 || 13 9"
    odds = await alice.presses(changed, "Odds of B")
    assert odds.id == shown.id
    assert odds.content.startswith("**Attacker wins 83.9%** · 13 against 9")
    assert len(odds.files) == 1
    again = await alice.sends("compare", matchup="12 9 || 13")
    assert line_of(await alice.presses(again, "Odds of A")) == "12 9"


async def test_the_line_of_a_comparison_works_in_every_command(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("compare", matchup="12 9 bombers:2 || bombers:1")
    line = line_of(shown)
    for again in (
        await alice.sends("compare", matchup=line),
        await alice.sends("battle", matchup=line),
        await alice.says(f"@bot {line}"),
        await alice.says("@bot compare\n12 9 bombers:2\nbombers:1"),
        await alice.uses("Battle odds", on=shown),
    ):
        assert (again.content, again.files[0].data) == (shown.content, shown.files[0].data)


async def test_presets_work_in_both_plans(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await alice.sends("preset save", name="ukraine", matchup="3 inf 2 arm vs 5 inf 1 aa")
    await alice.sends("preset save", name="alamo", matchup="12 9 bombers:2")
    for line, expected in (
        ("ukraine || rounds:2", "3 inf 2 arm vs 5 inf 1 aa || 3 inf 2 arm vs 5 inf 1 aa rounds:2"),
        ("alamo || ukraine", "12 9 bombers:2 || 3 inf 2 arm vs 5 inf 1 aa"),
    ):
        assert line_of(await alice.sends("compare", matchup=line)) == expected


async def test_a_mistake_in_two_plans_is_a_private_sentence(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for line, told in (
        ("12 9", "Type two plans with `||` between them: `12 9 bombers:2 || bombers:1`."),
        ("12 9 || bomers:1", "Plan B: I don't know `bomers:1`. Did you mean `bombers:1`?"),
        ("12 || 13", "Plan A: Against how many?"),
        ("1 1 || 2 1 || 3 1 || 4 1 || 5 1 || 6 1", "I can compare up to 5 plans at a time."),
        ("300000 300000 ties:both || 3 2", "Plan A: 300000 against 300000 is too large for me."),
        ("3 2 || 300000 300000 ties:both", "Plan B: 300000 against 300000 is too large for me."),
    ):
        shown = await alice.sends("compare", matchup=line)
        assert shown.private
        assert told in shown.content
        assert not shown.files
    both = await alice.sends("compare", matchup="300000 300000 ties:both || 400000 400000 ties:both")
    assert [line.partition(" is ")[0] for line in both.content.splitlines()] == [
        "Plan A: 300000 against 300000",
        "Plan B: 400000 against 400000",
    ]
    misplaced = await alice.sends("roll", matchup="12 9 || 13")
    assert "`||` is for two plans after `/compare`." in misplaced.content


async def test_remarks_name_the_plan_they_are_about(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    ships = await alice.sends("compare", matchup="12 9 || 12 9 bombers:3")
    assert "-# B: `bombers:3` counts as 2; more make no difference." in ships.content
    stay = await alice.sends("compare", matchup="1 inf vs 8 inf || retreat:win<40%")
    assert "-# B: No attack: a retreat rule applies before the first shot" in stay.content
    stuck = await alice.sends("compare", matchup="2 2 adice:2 aclamp:1..1 ddice:2 dclamp:1..1 ties:neither || 12 9")
    assert "-# It never ends once nobody can hit anything" in stuck.content, "of either plan"
    assert "loses" not in stuck.content, "who can say how many fall where it never ends"


async def test_comparisons_of_the_longest_lines_fit_a_message(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    units = " ".join(f"1{n} {unit}" for n, unit in enumerate(("inf", "art", "arm", "fig", "bom"), start=1))
    plans = "retreat:units<=2,profit<-1.23456,win<12.3456789%,air>12.3456789%,clear>12.3456789%"
    order = "loss:bom,fig,arm,art,inf"
    line = (
        f"{units} {order} keep:3 vs {units} 3 aa {order},aa gunslast rounds:99 {plans} value:1.23456 deadzone lowluck"
    )
    twice = f"{line} || {line} decline:no"
    assert 400 < len(twice) <= LONGEST_PLANS
    shown = await alice.sends("compare", matchup=twice)
    assert len(shown.content) <= 2000
    assert line_of(shown).count(" || ") == 1
    assert picture(shown)


async def test_both_plans_are_computed_at_the_same_time(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    both = asyncio.Event()
    odds = services.engine.odds

    async def counted(battle: Battle) -> object:
        asked.append(battle)
        if len(asked) == 2:
            both.set()
        await asyncio.wait_for(both.wait(), LONGEST)
        return await odds(battle)

    monkeypatch.setattr(services.engine, "odds", counted)
    reply = await run(Request("compare", "1", "Alice", "user:1", {"matchup": "12 9 || 13"}), services)
    assert isinstance(reply, Reply)
    assert not reply.failed
    assert asked == [Battle(12, 9), Battle(13, 9)]


async def test_an_error_of_both_plans_is_said_once(
    services: Services, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def busy(_: object) -> None:
        raise UserError("Too many just now.")

    async def broken(battle: Battle) -> None:
        raise UserError("Not now.") if battle.attackers == 12 else ZeroDivisionError

    request = Request("compare", "1", "Alice", "user:1", {"matchup": "12 9 || 13"})
    monkeypatch.setattr(services.engine, "odds", busy)
    assert await run(request, services) == Reply("Too many just now.", private=True, failed=True)
    monkeypatch.setattr(services.engine, "odds", broken)
    assert await run(request, services) == Reply("Plan A: Not now.", private=True, failed=True)
    request = Request("compare", "1", "Alice", "user:1", {"matchup": "13 9 || 14"})
    assert await run(request, services) == Reply(ANY, private=True, failed=True)
    assert "ZeroDivisionError" in caplog.text


# Suggestions --------------------------------------------------------------------------------------------


async def test_suggestions_show_the_odds_of_both_plans(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    choices = await alice.types("compare", matchup="12 9 || st")
    assert choices[0].name == "12 9 || stop:1 → A 79.0%, B 76.9%"
    assert {choice.value for choice in choices} == {f"12 9 || stop:{count}" for count in (1, 2, 3, 4)}
    assert await alice.types("battle", matchup="12 9 || st") == choices
    shown = await alice.sends("compare", matchup=choices[0].name)
    assert line_of(shown) == "12 9 || 12 9 stop:1"


async def test_half_a_comparison_is_no_mistake_while_typing(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await alice.sends("preset save", name="ukraine", matchup="12 9 stop:4")
    asked: set[str] = set()
    for typed, first in [
        ("", "12 9 bombers:2 || bombers:1"),
        ("12 9", "12 9 bombers:2 || bombers:1"),
        ("13 9 bomb", "13 9 bombers:1 || stop:4"),
        ("13 9 |", "13 9 || stop:4"),
        ("13 9 o", "13 9 || stop:4"),
        ("13 9 || bomb", "13 9 || bombers:1"),
        ("20 > 5 > 4 || le", "20 > 5 > 4 || leave:2"),
        ("3 inf 2 arm vs 4 inf", "3 inf 2 arm vs 4 inf || retreat:profit<0"),
        ("5 inf 2 arm vs 4 inf || retreat:w", "5 inf 2 arm vs 4 inf || retreat:win<40%"),
        ("5 inf 2 arm vs 4 inf || 4 ar", "5 inf 2 arm vs 4 inf || 4 art"),
        ("5 inf vs 4 inf then 2 arm || retreat:w", "5 inf vs 4 inf then 2 arm || retreat:win<40%"),
        ("ukraine", "ukraine || rounds:3"),
        ("ukr", "ukraine || bombers:1"),
        ("13 9 || ukr", "13 9 || ukraine"),
    ]:
        choices = await alice.types("compare", matchup=typed)
        offered = [str(choice.value) for choice in choices]
        assert first in offered
        assert not [choice.name for choice in choices if "Plan" in choice.name or "know" in choice.name]
        for line in sorted({*offered} - asked)[:: pick(16, 1)]:
            assert (await alice.sends("compare", matchup=line)).files, line
        asked.update(offered)


async def test_suggestions_name_the_mistake_in_a_comparison(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for typed, told in (
        ("12 9 zzz", "12 9 zzz → I didn't understand `zzz`."),
        ("12 9 || zzz", "12 9 || zzz → Plan B: I don't know `zzz`."),
        ("zzz || 12", "zzz || 12 → Plan A: I don't know `zzz`."),
        ("1 1 || 2 || 3 || 4 || 5 || 6", "1 1 || 2 || 3 || 4 || 5 || 6 → I can compare up to 5 plans at a time"),
    ):
        assert (await alice.types("compare", matchup=typed))[0].name.startswith(told)
    assert await alice.types("compare", matchup="12 9 stop:4 || " + "1 " * 60) == []


@each(
    [
        ("15 vs 9 or 7 or 5", "/compare 15 9 or 15 7 or 15 5"),
        ("what's best: 15 against 9, 7 or 5", "/compare 15 9 or 15 7 or 15 5"),
        ("12, 13 or 14 against 9", "/compare 12 9 or 13 9 or 14 9"),
        ("12 vs 9 or 13 vs 9 or 14 vs 9", "/compare 12 9 or 13 9 or 14 9"),
        ("meine 15 gegen 9, 7 oder 5", "/compare 15 9 or 15 7 or 15 5"),
        ("15 vs 9 or 7", ""),
        ("15 vs 9, 8, 7, 6, 5 or 4", ""),
    ]
)
def test_several_plans_are_read_in_own_words(said: str, line: str) -> None:
    assert understand(ROOMS, said).line == line
