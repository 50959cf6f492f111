"""/order as a chat: the best order of loss of both sides, how it is used, and what is said where there is none."""

import json
from itertools import chain
from pathlib import Path

import pytest

from bot.console import solve_lines
from bot.discord_app.client import Client
from bot.settings import load
from solver.axis.solve import solve_axis
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of, rows
from tests.helpers.bot.lines import wave_of

LINE = "2 inf 1 arm 2 fig vs 3 inf 1 arm"


def wins(line: str) -> float:
    battle = wave_of(line)
    return solve_axis(battle).wins


async def test_order_names_the_best_casualty_order_and_its_button_uses_it(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("order", matchup=LINE)
    best, usual = wins("2 inf 1 arm 2 fig loss:inf,fig,arm vs 3 inf 1 arm"), wins(LINE)
    verdict = "**Attacker's best casualty order: inf, fig, arm**"
    chances = f"{100 * best:.1f}% to take it (usual order: {100 * usual:.1f}%)"
    assert shown.content.startswith(f"{verdict}, {chances} · 2 inf 1 arm 2 fig against 3 inf 1 arm · A&A 1942\n")
    assert f"**Defender: the usual order is best**, holds {100 * (1 - usual):.1f}%" in shown.content
    assert "For the TUV swing: attacker the usual order (" in shown.content
    assert "The swap that matters most: attacker arm and fig (" in shown.content
    assert "-# exact · all orders tried: 6 and 2 · " in shown.content
    assert line_of(shown) == LINE
    table = " ".join(chain.from_iterable(rows(shown)))
    assert f" {100 * best:.1f}% −1.7 inf fig arm: best win %, " in table
    assert shown.labels == ["Attacker's best", "Defender's best", "Odds", "Ask on"]
    assert shown.button("Defender's best").disabled
    used = await alice.presses(shown, "Attacker's best")
    assert line_of(used) == "2 inf 1 arm 2 fig loss:inf,fig,arm vs 3 inf 1 arm"
    assert used.content.startswith(f"**Attacker takes it: {100 * best:.1f}%")
    again = await alice.presses(used, "Best order?")
    assert again.content.startswith(f"**Attacker: your order is best**, takes it {100 * best:.1f}%")
    assert again.button("Attacker's best").disabled
    back = await alice.presses(again, "Odds")
    assert line_of(back) == line_of(used)


async def test_the_swap_that_matters_most_is_in_chance_or_money(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    line = "3 inf 2 arm 3 fig vs 5 inf 2 art 1 arm 1 fig"
    shown = await alice.sends("order", matchup=line)
    (swap,) = (line for line in shown.content.splitlines() if line.startswith("The swap that matters most: "))
    ours = 100 * (wins(line.replace(" vs", " loss:inf,fig,arm vs")) - wins(line))
    theirs = 100 * (wins(line) - wins(f"{line} dloss:fig,art,arm,inf"))
    assert f": attacker arm and fig (+{ours:.1f} points to win, −" in swap
    assert f" · defender inf and fig (−{-theirs:.1f} points to win, −" in swap
    assert shown.content.count("swapped") == 2, "one a side, in the table too"
    money = await alice.sends("order", matchup="1 fig 1 bom vs 1 inf")
    (swap,) = (line for line in money.content.splitlines() if line.startswith("The swap that matters most: "))
    assert swap.startswith("The swap that matters most: attacker fig and bom (−0.8 IPC)")
    assert "points" not in swap


async def test_order_names_swaps_that_call_off_the_attack(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("order", matchup="5 inf 2 arm vs 4 inf 1 art retreat:profit<0")
    table = " ".join(chain.from_iterable(rows(shown)))
    assert " 0% 0.0 arm inf: 2nd, inf and arm swapped, no attack " in table
    given = await alice.sends("order", matchup="5 inf 2 arm loss:arm,inf vs 4 inf 1 art retreat:profit<0")
    assert "**Attacker's best casualty order: inf, arm**, 81.4% to take it (yours: 0%)" in given.content
    assert "holds 100%" in given.content
    odds = await alice.presses(given, "Odds")
    assert odds.content.startswith("**No attack is made**")


async def test_the_defenders_best_order_has_a_button(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("order", matchup="4 inf 1 arm vs 3 inf 2 art 1 bom dloss:inf,art,bom")
    assert "**Defender's best casualty order: bom, inf, art**, 84.7% to hold (usual order: 78.1%)" in shown.content
    used = await alice.presses(shown, "Defender's best")
    assert "loss:bom," in str(line_of(used))
    assert wins(str(line_of(used))) < wins("4 inf 1 arm vs 3 inf 2 art 1 bom dloss:inf,art,bom")


async def test_order_keeps_worth_and_units_that_survive_to_the_last(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("order", matchup="2 inf 1 arm 1 fig keep:1 vs 2 inf 1 arm 1 aa gunslast worth:units")
    assert "units)" in shown.content
    assert "IPC" not in shown.content
    assert "order: aa" not in shown.content
    line = "2 inf 1 arm 1 fig keep:1 vs 2 inf 1 arm 1 aa gunslast worth:units"
    assert line_of(shown) == line
    assert shown.button("Attacker's best").disabled, "the usual order is best"
    worse = await alice.sends("order", matchup=line.replace("keep:1", "loss:fig,arm,inf keep:1"))
    used = await alice.presses(worse, "Attacker's best")
    assert line_of(used) == line.replace("keep:1", "loss:inf,fig,arm keep:1"), (
        "the plane before the land unit that is kept"
    )


async def test_at_sea_with_submarines_every_order_is_solved(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("order", matchup="2 sub 1 des 1 cru vs 1 sub 2 des")
    assert "wins" in shown.content
    assert "is not beaten" in shown.content
    assert "exact · all orders tried: 6 and 2" in shown.content


async def test_with_too_many_orders_the_best_of_a_search_is_named(tmp_path: Path) -> None:
    line = "2 sub 1 des 1 fig 1 acc 1 cru 1 bat vs 1 sub 1 des"
    battle = wave_of(line)
    document = json.dumps({**battle.to_dict(), "question": "order"})
    with (tmp_path / "out").open("w+") as out:
        assert await solve_lines(load(data=tmp_path, most_work=20), [document], out) == 0
        out.seek(0)
        told = json.loads(out.read())
    assert 16 <= told["attacker"]["tried"] < told["attacker"]["orders"] == 720
    assert told["attacker"]["chance"]["gain"] >= 0


async def test_lines_without_a_casualty_order_are_refused_in_a_sentence(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    huge = "200 fig 90 bom 300 sub 90 des 90 cru 90 acc 90 bat vs 200 fig 300 sub 90 des 90 cru 90 acc 90 bat"
    for line, told in (
        ("12 9", "Casualty orders are for Axis & Allies: `/order 3 inf"),
        ("20 > 5 > 4", "Casualty orders are for Axis & Allies"),
        ("3 inf vs 2 inf", "There is no casualty order to choose"),
        ("3 inf 2 art loss:zeb vs 2 inf", "A&A 1942 has no unit `zeb`"),
        (huge, "This battle is too large to try other casualty orders"),
    ):
        shown = await alice.sends("order", matchup=line)
        assert shown.private
        assert told in shown.content
    assert (await alice.sends("battle", matchup="3 inf vs 2 inf")).button("Best order?").disabled


async def test_order_suggests_battles_of_axis_and_allies(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    begun = [choice.name for choice in await alice.types("order", matchup="3 inf 2 arm vs 4 inf")]
    assert begun[0] == "3 inf 2 arm vs 4 inf"
    empty = [choice.name for choice in await alice.types("order", matchup="")]
    assert len(empty) == 3
    assert all(map(wave_of, empty))
    assert await alice.types("order", matchup="12 9") == []
    assert (await alice.types("order", matchup="3 inf 2 arm vs"))[0].name == "3 inf 2 arm vs 4 inf"


async def test_order_works_by_mention(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").says(f"@bot order {LINE}")
    assert shown.content.startswith("**Attacker's best casualty order: inf, fig, arm**, 79.7% to take it")


async def test_json_answers_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    battle = wave_of(LINE)
    with (tmp_path / "out").open("w+") as out:
        lines = [json.dumps({**battle.to_dict(), "question": "order"})]
        assert await solve_lines(load(data=tmp_path), lines, out) == 0
        out.seek(0)
        told = json.loads(out.read())
    attacker, defender = told["attacker"], told["defender"]
    assert attacker["chance"]["best"]["loss_order"] == ["infantry", "fighter", "tank"]
    assert attacker["given"]["loss_order"] == ["infantry", "tank", "fighter"]
    assert attacker["chance"]["gain"] == pytest.approx(
        wins("2 inf 1 arm 2 fig loss:inf,fig,arm vs 3 inf 1 arm") - wins(LINE)
    )
    assert attacker["chance"]["swap"]["units"] == ["tank", "fighter"]
    assert defender["chance"]["gain"] == 0
    assert defender["chance"]["runner_up"]["chance"] < defender["chance"]["best"]["chance"]
    assert (attacker["tried"], attacker["orders"]) == (6, 6)
