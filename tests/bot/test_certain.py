"""Answers, suggestions, labels of plans and pictures agree about what is certain."""

import pytest

from bot.discord_app.client import Client
from bot.games.path.battle import chances_in_words
from bot.games.path.chart import draw_path
from bot.words.numbers import outer_percents, percent, victory
from solver.axis.solve import solve_axis
from solver.path.odds import march
from solver.path.path import Path
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.lines import parse, wave_of
from tests.helpers.bot.live_battles import OVER, first_line, rows
from tests.helpers.bot.readable import words
from tests.helpers.cases import each
from tests.helpers.extent import pick

LINES = [
    ("2 inf vs 1 aa", "100%"),
    ("2 inf vs 1 aa then 1 inf", "100%"),
    ("3 > 1 stop:5", "0%"),
    ("2 > 0 > 0 leave:1", "100%"),
    ("1 fig vs 3 inf", "0%"),
    ("20 arm vs 1 inf", ">99.9%"),
    ("20 arm vs 1 inf then 1 inf", ">99.9%"),
    ("60 > 1", ">99.9%"),
    ("1 > 60", "<0.1%"),
]
LIVE_LINES = [
    ("5 3 abonus:6,6,6", "100%"),
    ("99 > 1 > 1", ">99.9%"),
    ("99 siam > 1 indonesia, 1 new guinea", ">99.9%"),
    ("99 1", ">99.9%"),
    ("20 arm vs 1 inf then 1 inf", ">99.9%"),
]


async def test_all_answers_say_the_same_of_certain_chances(discord: FakeDiscord, bot: Client, patient: None) -> None:
    for line, chance in LINES[:: pick(2, 1)]:
        alice = discord.member("Alice")
        assert f" {chance}" in (await alice.sends("battle", matchup=line)).content.partition("\n")[0].partition(",")[0]
        assert f"{line} → {chance} " in (await alice.types("battle", matchup=line))[0].name
        label = (await alice.types("compare", matchup=f"{line} || {line}"))[0].name
        assert label == f"{line} || {line} → A {chance}, B {chance}"
        assert f" {chance}" in (await alice.sends("compare", matchup=f"{line} || {line}")).content


@pytest.mark.usefixtures("quick_frames", "unannounced")
async def test_live_battles_say_of_certain_chances_what_answers_say(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for line, chance in LIVE_LINES:
        shown = await alice.sends("roll", matchup=line)
        assert f" {chance}" in first_line(shown)
        while shown.labels != OVER:
            assert {row.split()[-1] for row in rows(shown) if row.endswith("%")} <= {chance}
            shown = await alice.presses(shown, "Roll" if "Roll" in shown.labels else shown.labels[0])


@each([("2 > 0 > 0", {"100%", "0%"}), ("3 > 1 stop:5", {"100%", "0%"}), ("60 > 1", {">99.9%", "<0.1%"})])
def test_the_picture_of_a_path_shows_certain_chances(line: str, expected: set[str]) -> None:
    path = parse(line).battle
    assert isinstance(path, Path)
    odds = march(path)
    draw_path("sure", [("territory", "territory")] * odds.legs, odds.takes, {}, chances_in_words(odds))
    assert {word for word in words() if "%" in word} == expected


def test_a_certain_first_territory_of_a_path_shows_100_percent() -> None:
    path = parse("20 > 0 > 5").battle
    assert isinstance(path, Path)
    odds = march(path)
    assert percent(odds.takes[0], odds, float(odds.chances[odds.taken < 1].sum())) == "100%"
    assert victory(odds) not in ("0%", "100%")


def test_a_chance_rounded_to_1_is_not_shown_as_100_percent() -> None:
    battle = wave_of("40 arm vs 1 inf")
    odds = solve_axis(battle, 0)
    assert odds.wins == pytest.approx(1, abs=1e-15)
    assert 0 < odds.end_chances["holds"] < 1e-15
    assert victory(odds) == ">99.9%"


def test_bounds_are_rounded_so_that_neither_promises_too_much() -> None:
    assert outer_percents(0.98366, 0.9861) == ("98.3%", "98.7%")
    assert outer_percents(0.984, 0.984) == ("98.4%", "98.4%")
    assert outer_percents(0.9999, 1.0) == (">99.9%", ">99.9%")
    assert outer_percents(0.0001, 0.0003) == ("<0.1%", "0.1%")
