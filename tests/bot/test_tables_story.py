"""/table with `rounds` and `stop`: a battle round by round, and when to stop, against the battles themselves."""

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from bot.charts import Curves
from bot.charts.curves import BASE, END, TOP, draw_curves
from bot.charts.style import ATTACKER, GROUND, rgb
from bot.commands.run import run
from bot.discord_app.client import Client
from bot.games.dice.tables import Stop, best_from
from bot.phrases.canonical import canonical
from bot.replies import Reply
from bot.request import Request, Services
from bot.rooms import ROOMS
from bot.words.after_rounds import MOST_ROWS, rounds_shown
from solver import Battle, solve
from tests.fake_discord import FakeDiscord


async def table(line: str, services: Services) -> Reply:
    reply = await run(Request("table", "1", "Alice", "user:1", {"matchup": line}), services)
    assert isinstance(reply, Reply)
    return reply


async def test_a_battle_goes_round_by_round_and_buttons_lead_there(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("table", matchup="12 9 rounds")
    assert shown.content.startswith("**12 against 9, round by round** · classic Risk")
    sixth = solve(Battle(12, 9, rounds=6))
    over, won = 100 * (1 - sixth.unresolved), 100 * sixth.attacker_wins
    row = f" 6        {sixth.attackers_left:.1f}        {sixth.defenders_left:.1f}  {over:.1f}%      {won:.1f}%"
    assert row in shown.content
    stops = await alice.presses(shown, "When to stop?")
    assert stops.content.startswith("**When to stop: 12 against 9**")
    again = await alice.presses(await alice.sends("table", matchup="12 9"), "Round by round")
    assert row in again.content
    said = await alice.says("@bot when should I stop attacking 12 9")
    assert "Read as `/table 12 9 stop`" in said.content


async def test_stopping_earlier_costs_chance_and_saves_armies(services: Services) -> None:
    reply = await table("12 9 stop", services)
    odds = solve(Battle(12, 9, stop=4))
    assert f"    4  {100 * odds.attacker_wins:.1f}%       {12 - odds.attackers_left:.1f}" in "\n".join(reply.table)
    assert reply.picture
    assert reply.picture.png.startswith(b"\x89PNG")
    assert reply.picture.beside == reply.facts
    all_in = solve(Battle(12, 9))
    assert f"more than {(12 - all_in.attackers_left) / all_in.attacker_wins:.1f} armies" in reply.facts[0]
    assert reply.facts[1].startswith("`value:6` means")
    assert len((await table("100 80 stop", services)).table) <= MOST_ROWS + 3, "a phone has room for so many rows"


def test_a_plan_is_best_where_it_beats_all_others() -> None:
    plans = [Stop(0, 0.8, 5, 0), Stop(3, 0.5, 7, 0), Stop(5, 0.4, 7.2, 0), Stop(None, 0.0, 12, 0)]
    found = {plan.stop: best_from(plan, plans) for plan in plans}
    assert found == {0: pytest.approx(8.75), 3: None, 5: None, None: 0.0}
    for worth in (1.0, 8.0, 9.0, 20.0):
        best = max(plans, key=lambda plan: plan.left + worth * plan.wins)
        begin = found[best.stop]
        assert begin is not None
        assert begin <= worth


def test_curves_go_through_their_numbers() -> None:
    png = draw_curves(Curves("12 against 9", "rounds", [0, 4], ("won", "over"), [0.0, 0.5], [0.0, 1.0]))
    with Image.open(BytesIO(png)) as image:
        pixels = [image.convert("RGB").getpixel((round(END), round(y))) for y in ((TOP + BASE) / 2, TOP)]
    assert pixels == [tuple(rgb(ATTACKER)), tuple(rgb(GROUND))], "the dots of the second curve are hollow"


async def test_rounds_of_units_are_counted_until_nearly_all_battles_are_over(services: Services) -> None:
    reply = await table("3 inf 2 fig vs 4 inf rounds", services)
    assert "0       5.0        4.0" in "\n".join(reply.table)
    assert reply.table[-1].split()[3] == ">99.9%"
    assert reply.picture
    assert "Curves show after each round" in reply.picture.alternative
    assert len(reply.table) <= MOST_ROWS + 3


async def test_what_has_no_such_table_is_refused(services: Services) -> None:
    for line, why in (
        ("20 > 5 rounds", "works for a single battle"),
        ("3 inf vs 2 inf stop", "compare two plans"),
        ("3 inf vs 2 inf retreat:units<=1 rounds", "one wave without `retreat`"),
        ("12 9 late rounds", "Leave out `value`, `late`"),
        ("900000 900000 stop", "too large for a table"),
        ("12 0 rounds", "Both sides need armies"),
        ("12 9 bombrs:2 rounds", "Did you mean `bombers:2`"),
    ):
        reply = await table(line, services)
        assert reply.failed, line
        assert why in reply.text, line


def test_bare_words_ask_for_tables_and_others_are_options() -> None:
    assert canonical(ROOMS, "/table rounds:3 12 9 rounds") == "/table 12 9 rounds:3 rounds"
    for line in ("/table 12 9 rounds:3", "/table 12 9 stop:4 rounds", "/table 12 9 stop"):
        assert canonical(ROOMS, line) == line
    shown = rounds_shown(solve(Battle(12, 9)).rounds or 0)
    assert (shown[0], shown[-1]) == (1, MOST_ROWS)
    assert solve(replace(Battle(12, 9), rounds=shown[-1])).unresolved < 0.002
