"""/table, /order and /need for several waves, as a chat and as JSON: the numbers are those of `/battle`."""

import json
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.console import solve_lines
from bot.discord_app.client import Client
from bot.editions import editions
from bot.notation.lexer import LONGEST_LINE
from bot.settings import load
from solver.axis.best.order_names import movable_units, roles_in_waves, with_orders
from solver.axis.waves.odds import solve_waves
from solver.axis.waves.waves import Waves, battle_from_dict
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of, picture, rows, small_print
from tests.helpers.bot.lines import parse, write
from tests.helpers.extent import examples
from tests.helpers.solver.axis_chains import any_chain

LINE = "3 inf 2 arm vs 4 inf then 3 inf"
HOLD = "6 inf 4 art 3 arm 4 fig vs 5 inf 3 art 1 arm then hold 6 inf 3 arm 2 fig"


def odds(line: str) -> tuple[float, float]:
    """The attacker's chance to hold it in the end in percent, and his TUV swing."""
    waves = parse(line).battle
    assert isinstance(waves, Waves)
    solved = solve_waves(waves, 0.0)
    assert solved.joint is not None
    return 100 * solved.hold_chance(0), float(solved.joint.profits @ solved.joint.chances)


# Which unit? -------------------------------------------------------------------------------------------------


async def test_table_names_the_wave(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.presses(await alice.sends("battle", matchup=LINE), "Which unit?")
    now, more, less = (
        odds(LINE)[0],
        odds("3 inf 3 arm vs 4 inf then 3 inf")[0],
        odds("3 inf 1 arm vs 4 inf then 3 inf")[0],
    )
    bomber, fighter = odds(LINE.replace(" vs", " 1 bom vs"))[0], odds(LINE.replace("4 inf", "4 inf 1 fig"))[0]
    best = f"**One more bom in wave 1 helps the attacker most (+{bomber - now:.1f})"
    worst = f"One more fig in wave 1 helps the defender most (−{now - fighter:.1f})**"
    assert shown.content.startswith(
        f"{best} · {worst} · attacker holds it in the end {now:.1f}% · 3 inf 2 arm against 4 inf, then 3 inf\n"
    )
    assert ["attacker", "arm", "1", f"+{more - now:.1f}", f"−{now - less:.1f}"] in rows(shown)
    fresh = odds("3 inf 2 arm vs 4 inf then 3 inf vs 1 inf")[0]
    assert ["defender", "inf", "2", f"−{now - fresh:.1f}"] in rows(shown)
    assert line_of(shown) == LINE
    back = await alice.presses(shown, "Odds")
    assert line_of(back) == LINE


async def test_the_counter_attacker_counts_as_the_defender(discord: FakeDiscord, bot: Client) -> None:
    line = "6 inf vs 3 inf then hold 4 inf 1 arm"
    shown = await discord.member("Alice").sends("table", matchup=line)
    now, less = odds(line)[0], odds("6 inf vs 3 inf then hold 4 inf")[0]
    (row,) = (row for row in rows(shown) if row[:3] == ["defender", "arm", "2"])
    assert row[4] == f"+{less - now:.1f}"
    fresh = odds("6 inf vs 3 inf then hold 4 inf 1 arm vs 1 fig")[0]
    assert ["attacker", "fig", "2", f"+{fresh - now:.1f}"] in rows(shown)


# Best order? -------------------------------------------------------------------------------------------------


async def test_order_names_the_best_casualty_orders_by_wave(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("order", matchup=HOLD)
    used = HOLD.replace(" vs", " loss:fig,inf,art,arm vs")
    (best, _), (given, _) = odds(used), odds(HOLD)
    assert shown.content.startswith(
        f"**Attacker's best casualty orders: wave 1 fig inf art arm**, {best:.1f}% to hold it in the end "
        f"(usual orders: {given:.1f}%) · 17 units against 9 units, then hold 11 units · A&A 1942\n"
        "**Defender's best casualty orders: wave 2 inf fig arm**, "
    )
    assert "The swap that matters most: attacker inf and fig in wave 1 (+" in shown.content
    assert "-# exact · all combinations of orders tried: 144 and 36 · " in shown.content
    table = " ".join(chain.from_iterable(rows(shown)))
    assert "wave 1 inf art arm fig; wave 2 inf art arm: as it is" in table
    assert shown.labels == ["Attacker's best", "Defender's best", "Odds", "Ask on"]
    after = await alice.presses(shown, "Attacker's best")
    assert line_of(after) == used
    assert after.content.startswith(f"**Attacker holds it in the end: {best:.1f}%")
    again = await alice.presses(after, "Best order?")
    assert again.content.startswith(f"**Attacker: your orders are best**, holds it in the end {best:.1f}%")
    assert again.button("Attacker's best").disabled
    theirs = await alice.presses(await alice.sends("order", matchup=HOLD), "Defender's best")
    assert line_of(theirs) == HOLD.replace("3 arm 2 fig", "3 arm 2 fig loss:inf,fig,arm")


async def test_order_at_sea_says_if_the_defender_stops_the_attacker(discord: FakeDiscord, bot: Client) -> None:
    line = "2 sub 2 des vs 1 sub 2 des 1 cru then hold 2 sub 1 cru"
    shown = await discord.member("Alice").sends("order", matchup=line)
    assert f"**Defender: the usual orders are best**, stops the attacker {100 - odds(line)[0]:.1f}%" in shown.content


async def test_too_many_combinations_of_orders_are_searched(tmp_path: Path) -> None:
    line = "20 inf 9 arm 5 fig vs 20 inf 5 art 5 arm 4 fig then 20 inf 10 arm"
    (told,) = await answers(tmp_path, json.dumps({"question": "order", "text": line}), 40)
    assert 1 < told["defender"]["tried"] < told["defender"]["orders"] == 576


async def test_waves_without_a_choice_disable_best_order(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="3 inf vs 2 inf then 2 inf")
    assert shown.button("Best order?").disabled
    refused = await alice.sends("order", matchup="3 inf vs 2 inf then 2 inf")
    assert "There is no casualty order to choose" in refused.content


@examples(40)
@given(any_chain, st.integers(0, 1), st.randoms())
def test_orders_of_each_wave_are_written_into_the_line(document: dict[str, Any], side: int, random: Any) -> None:
    waves = battle_from_dict(document | {"game": "axis1942"}, editions()["1942"].rules)
    assert isinstance(waves, Waves)
    assume(all(wave.theatre == "land" or wave.retreat.win_means != "take" for wave in waves.battles))
    assume(any(waves.battles[0].attacker.units) and any(waves.fresh[0]))
    names = [random.sample(some, len(some)) for some in map(movable_units, waves.battles, roles_in_waves(waves, side))]
    after = with_orders(waves, side, tuple(map(tuple, names)))
    assume(len(write(after)) <= LONGEST_LINE)
    assert parse(write(after)).battle == after


# What to bring? ----------------------------------------------------------------------------------------------


async def test_need_names_the_army_that_holds_in_the_end(discord: FakeDiscord, bot: Client) -> None:
    alice, line = discord.member("Alice"), "6 inf 4 art 3 arm vs 5 inf then hold 4 inf 1 arm"
    shown = await alice.sends("need", matchup=line)
    chance, swing = odds("5 inf 4 art vs 5 inf then hold 4 inf 1 arm")
    head = f"**5 inf 4 art** (31 IPC) at the start hold it in the end ({chance:.1f}%, target 80%)"
    assert shown.content.startswith(f"{head}\nBest TUV swing: **6 inf 4 art 3 arm** (52 IPC), +")
    assert small_print(shown)[:3] == [
        "6 inf 4 art 3 arm against 5 inf, then hold 4 inf 1 arm",
        "Only the attackers of wave 1 vary; every later wave stays as it is",
        "Add `side:defender` to ask what the defender needs",
    ]
    assert ["5", "inf", "4", "art", "31", f"{chance:.1f}%", f"+{swing:.1f}"] in rows(shown)
    assert picture(shown).startswith(head.replace("*", ""))
    assert line_of(shown) == "5 inf 4 art vs 5 inf then hold 4 inf 1 arm"
    again = await alice.presses(await alice.presses(shown, "Odds"), "What to bring?")
    assert again.content.startswith(head)


async def test_need_names_the_defender_for_all_waves(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("need", matchup="50% 3 inf vs 5 inf 3 arm then 4 inf side:defender")
    units, _ = shown.content.removeprefix("**").split("**", 1)
    chance = 100 - odds(f"3 inf vs {units} then 4 inf")[0]
    assert chance >= 50
    assert f"at the start hold it in the end ({chance:.1f}%, target 50%)" in shown.content
    assert "Only the defenders of wave 1 vary" in shown.content


async def test_need_aims_kamikaze_attacks_at_the_ships_of_each_army(discord: FakeDiscord, bot: Client) -> None:
    line = "2 cru 1 des vs 1 des variant:1940 kamikaze:2 then 2 cru kamikaze:1"
    shown = await discord.member("Alice").sends("need", matchup=line)
    best = "1 des vs 1 des variant:1940 kamikaze:2 then 2 cru kamikaze:1"
    assert shown.content.startswith(f"**1 des** (8 IPC) at the start holds it in the end ({odds(best)[0]:.1f}%")
    assert line_of(shown) == best


async def test_need_distinguishes_out_of_reach_and_hopeless(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    far = await alice.sends("need", matchup="2 inf vs 5 inf then hold 4 inf")
    assert far.content.startswith(
        "**80% is out of reach**: even **2 inf** (6 IPC) at the start hold it in the end only "
    )
    none = await alice.sends("need", matchup="2 fig vs 1 inf then hold 9 arm")
    assert none.content.startswith("**Nothing here can hold it in the end**\n")


# As JSON -----------------------------------------------------------------------------------------------------


async def answers(tmp_path: Path, line: str, most_work: int = 200) -> list[dict[str, Any]]:
    """The answers of `sandtable solve`, whose first question may be a line of text."""
    document = json.loads(line)
    if "text" in document:
        waves = parse(document.pop("text")).battle
        assert isinstance(waves, Waves)
        document = waves.to_dict() | document
    with (tmp_path / "out").open("w+") as out:
        await solve_lines(load(data=tmp_path, most_work=most_work), [json.dumps(document)], out)
        out.seek(0)
        return [json.loads(line) for line in out]


async def test_json_answers_sensitivity_of_waves(tmp_path: Path) -> None:
    (told,) = await answers(tmp_path, json.dumps({"question": "units", "text": LINE}))
    assert 100 * told["wins"] == pytest.approx(odds(LINE)[0])
    (change,) = (
        one
        for one in told["changes"]
        if (one["side"], one["wave"], one["unit"], one["more"]) == ("attacker", 1, "infantry", -1)
    )
    assert 100 * change["wins"] == pytest.approx(odds("3 inf 2 arm vs 4 inf then 2 inf")[0])


async def test_json_answers_orders_of_waves(tmp_path: Path) -> None:
    (told,) = await answers(tmp_path, json.dumps({"question": "order", "text": HOLD}))
    best = told["attacker"]["chance"]["best"]
    assert best["loss_orders"] == [["fighter", "infantry", "artillery", "tank"], ["infantry", "artillery", "tank"]]
    waves = parse(HOLD).battle
    document = waves.to_dict()
    for wave, (side, order) in enumerate(zip(("attacker", "defender"), best["loss_orders"], strict=True)):
        document["waves"][wave][side]["loss_order"] = order
    (again,) = await answers(tmp_path, json.dumps(document))
    assert again["all_waves"]["holds"]["attacker"] == pytest.approx(best["chance"])
    assert told["attacker"]["chance"]["gain"] == pytest.approx(best["chance"] - told["attacker"]["given"]["chance"])
    swap = told["attacker"]["chance"]["swap"]
    assert swap["units"] == ["infantry", "fighter"]
    assert swap["loss_orders"][0] == ["fighter", "artillery", "tank", "infantry"]


async def test_json_answers_armies_for_waves(tmp_path: Path) -> None:
    line = "6 inf 4 art 3 arm vs 5 inf then hold 4 inf 1 arm"
    (told,) = await answers(tmp_path, json.dumps({"question": "army", "text": line, "recommend": {"target": 0.8}}))
    assert told["reached"]
    assert told["best"][0]["army"] == {"infantry": 5, "artillery": 4}
    assert 100 * told["best"][0]["wins"] == pytest.approx(odds("5 inf 4 art vs 5 inf then hold 4 inf 1 arm")[0])
    profit = {"question": "army", "text": line, "recommend": {"goal": "max_profit", "how_many": 1}}
    (most,) = await answers(tmp_path, json.dumps(profit))
    assert most["best"][0]["army"] == {"infantry": 6, "artillery": 4, "tank": 3}
    wrong = {"question": "army", "text": line, "recommend": {"goal": "target_survival"}}
    (refused,) = await answers(tmp_path, json.dumps(wrong))
    assert refused["error"] == "recommend.goal: with several waves this must be target_wins or max_profit"


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("units", "too large to try one unit more or less"),
        ("order", "too large to try other casualty orders"),
        ("army", "too large to try every part of it in several waves"),
    ],
)
async def test_the_limit_of_the_host_holds_for_waves(tmp_path: Path, question: str, words: str) -> None:
    line = "30 inf 20 art 20 arm 9 fig vs 40 inf 20 art 9 fig then 30 inf 20 art 20 arm then hold 30 inf 20 arm 9 fig"
    (told,) = await answers(tmp_path, json.dumps({"question": question, "text": line}), 1)
    assert words in told["error"]
