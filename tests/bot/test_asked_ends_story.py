"""How likely is it that so many are left: the line about these ends, their bars, buttons, JSON, and what is refused."""

import io
import json
from dataclasses import replace

import numpy as np
import pytest

from bot.commands.run import run
from bot.console import solve_lines
from bot.discord_app.client import Client
from bot.games.dice.chart import draw_battle
from bot.games.dice.words import marked_margins
from bot.replies import Reply
from bot.request import Request, Services
from bot.settings import Settings
from solver import Battle, solve
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.lines import parse

WORDS = ("exact", "all", "left", "lost", "dleft", "dlost")


async def test_a_line_asks_how_likely_an_end_is_and_the_usual_odds_stay(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="12 9 left:5+")
    odds = solve(Battle(12, 9))
    chance = odds.chances[odds.attackers_end >= 5].sum()
    first, line, *rest = shown.content.splitlines()
    assert first == "**Attacker wins 79.0%** · 12 against 9 · classic Risk"
    assert line == f"**Attacker has at least 5 left: {100 * chance:.1f}%**"
    assert rest[-1].endswith("`12 9 left:5+`")
    assert len(shown.files) == 1
    said = await alice.says("@bot 12 vs 9, lose no more than 3")
    assert "Attacker loses at most 3: 17.2%" in said.content
    listed = await alice.sends("battle", matchup="12 9 all dleft:..2")
    assert "Defender has at most 2 left: 87.0%" in listed.content


async def test_what_a_line_asks_stays_asked_under_buttons(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="1 inf 1 fig vs 2 inf left:1+inf digits:3")
    swapped = await alice.presses(shown, "Swap sides")
    assert swapped.content.endswith("`2 inf vs 1 inf 1 fig digits:3 dleft:1+inf`")
    assert "Defender has at least 1 inf left: " in swapped.content
    back = await alice.presses(swapped, "Swap sides")
    assert back.content == shown.content
    assert (await alice.opens(back, "Save")).fields[1].value == "1 inf 1 fig vs 2 inf"
    fewer = await alice.presses(back, "−1 attacker")
    assert "Left out: `left:1+inf`." in fewer.content
    assert fewer.content.endswith("`1 fig vs 2 inf digits:3`")


async def test_plans_are_compared_by_the_ends_that_one_of_them_asks_about(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.says("@bot 15 vs 9 or 7 or 5 with at least 5 left")
    assert shown.content.endswith("`15 9 left:5+ || 15 7 left:5+ || 15 5 left:5+`")
    for name, defenders in zip("ABC", (9, 7, 5), strict=True):
        odds = solve(Battle(15, defenders))
        chance = odds.chances[odds.attackers_end >= 5].sum()
        assert f"{name}: **Attacker has at least 5 left: {100 * chance:.1f}%**" in shown.content
    assert shown.content.startswith("**The end you ask about is likeliest with C: ")
    stopping = await alice.sends("compare", matchup="12 9 left:5+ or stop:5 or stop:6")
    assert stopping.content.startswith("**The end you ask about is likeliest with C: 100%**"), (
        "the chance to win is the lowest"
    )
    for line, verdict in (
        (
            "12 9 left:5+ or stop:5",
            "**The end you ask about is likelier with B: 86.3% instead of 56.1% (+30.2 points)**",
        ),
        (
            "12 9 left:5+ or left:6+",
            "**The end you ask about is likelier with A: 56.1% instead of 46.3% (+9.8 points)**",
        ),
        ("12 9 left:5+ or stop:4", "**Hardly any difference for the end you ask about: 56.1%**"),
    ):
        assert (await alice.sends("compare", matchup=line)).content.startswith(verdict)
    shown = await alice.sends("compare", matchup="3 inf 2 fig vs 4 inf left:2+air or 4 inf 2 arm vs 4 inf")
    assert "B: **Attacker has at least 2 planes left: 0%**" in shown.content
    swapped = await alice.presses(shown, "Swap A and B")
    assert "A: **Attacker has at least 2 planes left: 0%**" in swapped.content


NEEDED = [
    ("9 left:5+", "**You need 16 attackers to beat 9 with at least 5 left** (83.9%, target 80%)", Battle(16, 9), 5),
    (
        "4 left:3+ 60% ties:neither stop:1",
        "**You need 5 attackers to beat 4 with at least 3 left** (73.0%, target 60%)",
        Battle(5, 4, ties="neither", stop=1),
        3,
    ),
]


async def test_need_asks_how_many_attackers_have_so_many_left(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for line, answer, battle, least in NEEDED:
        shown = await alice.sends("need", matchup=line)
        assert shown.content.startswith(answer)
        enough, fewer = (solve(each) for each in (battle, replace(battle, attackers=battle.attackers - 1)))
        chances = [odds.chances[odds.attackers_end >= least].sum() for odds in (enough, fewer)]
        goal = 0.6 if "60%" in line else 0.8
        assert chances[1] < goal <= chances[0]
        assert f"({100 * chances[0]:.1f}%, " in shown.content
    said = await alice.says("@bot how many do I need against 9 to have at least 5 left")
    assert NEEDED[0][1] in said.content
    odds = await alice.presses(said, "Odds")
    assert odds.content.endswith("`16 9 left:5+`")
    asked = await alice.sends("battle", matchup="12 9 left:4")
    assert "**You need 13 attackers to beat 9**" in (await alice.presses(asked, "How many?")).content


ASKED = [
    ("12 9 stop:4 left:5+ dleft:0", "Attacker has at least 5 left and defender has nothing left: 56.1%"),
    ("12 9 left:13+", "Attacker has at least 13 left: 0%"),
    ("20 > 5 > 4 left:3+", "All taken, attacker has at least 3 left in the last: 97.2%"),
    ("3 inf 2 fig vs 4 inf left:2+fig", "Attacker has at least 2 fig left: 66.9%"),
    ("2 sub 2 fig vs 1 acc 1 des dleft:0acc", "Defender has no acc left: 99.3%"),
    ("3 inf 2 fig vs 4 inf left:2+air,1+inf", "Attacker has at least 2 planes and at least 1 inf left: 45.9%"),
    ("3 inf 2 fig vs 4 inf lost:..6ipc", "Attacker loses at most 6 IPC: "),
    ("3 inf vs 2 inf then 2 arm left:1..2land", "Attacker has 1 to 2 land units left: "),
]


async def test_every_game_counts_what_is_left(services: Services) -> None:
    for line, told in ASKED:
        reply = await run(Request("battle", "1", "Alice", "user:1", {"matchup": line}), services)
        assert isinstance(reply, Reply)
        assert told in reply.facts[0], line


REFUSED = [
    ("need", "9 left:3", "`/need` takes only ends like"),
    ("need", "9 left:3+ ties:both", "`/need` takes only ends like"),
    ("need", "5 > 4 left:3+", "`/need` can't ask for `left:3+` here"),
    ("need", "3 inf 2 fig vs 2 inf left:1+fig", "`/need` can't ask for `left:1+fig` here"),
    ("battle", "12 9 left:x", "5+ for at least 5"),
    ("battle", "12 9 left:", "5+ for at least 5"),
    ("battle", "12 9 rule:", "I don't know `rule:`"),
    ("battle", "3 inf unit: vs 2 inf", "`unit:` needs units such as mech=1/2/4"),
    ("battle", "20 > 5 > 4 dleft:3", "how many attackers are left in the last territory"),
    ("battle", "3 inf vs 4 inf left:2+arm", "The attacker has no `arm` to lose"),
    ("battle", "1 inf 1 bat vs 2 inf left:1bat", "The attacker has no `bat` to lose"),
    ("battle", "12 siam > 3 indonesia left:3+", "`left` doesn't work with territories of a map"),
]


async def test_what_cannot_be_counted_is_refused(services: Services) -> None:
    for command, line, why in REFUSED:
        reply = await run(Request(command, "1", "Alice", "user:1", {"matchup": line}), services)
        assert isinstance(reply, Reply)
        assert reply.failed, line
        assert why in reply.text, line


def test_the_bars_of_the_ends_asked_about_are_marked_if_no_others_share_them() -> None:
    odds = solve(Battle(6, 4))
    marked = marked_margins(odds, odds.attackers_end >= 5)
    assert marked == (5, 6)
    assert marked_margins(odds, np.zeros(len(odds.chances), bool)) == ()
    assert draw_battle(Battle(6, 4), odds, marked) != draw_battle(Battle(6, 4), odds)
    limited = solve(Battle(6, 4, rounds=1))
    assert marked_margins(limited, limited.attackers_end == 6) == (4,)
    shared = solve(Battle(5, 3, rounds=3))
    assert marked_margins(shared, shared.attackers_end == 2) == (), "other ends have the same lead"


def test_a_bare_number_behind_left_is_what_people_say() -> None:
    assert [str(parse(f"12 9 {said}", takes=WORDS).asked["end"]) for said in ("left: 4", "left 5+", "lost 3..1")] == [
        "left:4",
        "left:5+",
        "lost:1..3",
    ]


async def test_json_lines_ask_for_ends_in_fields_and_in_text(settings: Settings) -> None:
    asked = [
        {"text": "12 9 left:5+"},
        {"game": "risk", "attackers": 12, "defenders": 9, "ends": [{"least": 5}]},
        {"text": "3 inf 2 fig vs 4 inf left:2+fig"},
        {"game": "risk", "attackers": 12, "defenders": 9, "ends": [{"unit": "fighter"}]},
        {"game": "risk", "attackers": 12, "defenders": 9, "ends": [{"more": 5}]},
    ]
    out = io.StringIO()
    await solve_lines(settings, map(json.dumps, asked), out)
    first, second, third, alike, unknown = map(json.loads, out.getvalue().splitlines())
    assert first == second
    assert first["ends_chance"] == pytest.approx(0.5610, abs=5e-5)
    assert third["ends_chance"] == pytest.approx(0.669, abs=5e-4)
    assert "no unit can be named" in alike["error"]
    assert "ends.0.more" in unknown["error"]
