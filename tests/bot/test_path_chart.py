"""Marches as pictures: how far one comes, and how many are left."""

from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from bot.charts.style import ATTACKER, DEFENDER
from bot.games.path.battle import chances_in_words, verdict_line
from bot.games.path.chart import TALLEST, TOP, draw_path
from solver.path.odds import march
from solver.path.path import Path
from tests.helpers.bot.lines import parse
from tests.helpers.bot.readable import chances, check_readable, pixels, rgb, titles, words, written
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick

LEGS = [("5", "5 defenders"), ("4", "4 defenders"), ("2 (1 C)", "2 defenders (1 C)")]
TAKES = [0.9, 0.6, 0.45]
ENDS = {1: 0.05, 2: 0.1, 3: 0.2, 4: 0.1}


def leg(name: str) -> tuple[str, str]:
    """A territory as it is told in short and in words."""
    return name, f"{name} defenders"


names = st.sampled_from(["5", "2 (1 C)", "2000", "200 (10 F, 5 B, 3 C)", "1999 (1999 F)", "", "()"])
ends_of = st.dictionaries(st.integers(0, 2000), st.floats(0, 0.01), max_size=80)


@pytest.mark.whole
@examples(25)
@given(titles, st.lists(st.tuples(names, chances), min_size=1, max_size=40), ends_of)
def test_every_picture_of_a_path_can_be_read(title: str, legs: list[tuple[str, float]], ends: dict[int, float]) -> None:
    takes = list(accumulate((chance for _, chance in legs), lambda one, other: one * other))
    pixels(draw_path(title, [leg(name) for name, _ in legs], takes, ends))
    check_readable()


@each(
    [
        (count, name)
        for count in pick([1, 7, 8, 100], [1, 6, 7, 8, 9, 12, 13, 100])
        for name in ["200 (10 F, 5 B, 3 C)", *pick([], ["2000", "2 (1 C)"])]
    ]
)
def test_pictures_of_paths_of_every_length_can_be_read(count: int, name: str) -> None:
    for takes in (np.linspace(0.9996, 0.4, count), np.ones(count), np.zeros(count)):
        pixels(draw_path("a march", [leg(name)] * count, takes.tolist(), dict.fromkeys(range(1, 400), 0.001)))
        check_readable()


def runs(picture: Image.Image, colour: str, row: int) -> list[tuple[int, int]]:
    """Where in a row a colour begins and ends."""
    here = [pixel == rgb(colour) for pixel in (picture.getpixel((x, row)) for x in range(800))]
    edges = np.flatnonzero(np.diff([False, *here, False]))
    return [(int(start), int(end)) for start, end in zip(edges[::2], edges[1::2], strict=True)]


def column(picture: Image.Image, colour: str, x: int, bottom: int) -> list[int]:
    """The rows above a place that have a colour."""
    wanted = rgb(colour)
    return [y for y in range(190, bottom) if picture.getpixel((x, y)) == wanted]


def test_towers_are_as_tall_as_the_chances() -> None:
    picture = pixels(draw_path("12 through 5, 4, 2 (1 C)", LEGS, TAKES, {}))
    towers = runs(picture, ATTACKER, 515)
    assert len(towers) == 3
    whole = 520 - TOP
    for (start, end), taken in zip(towers, TAKES, strict=True):
        x = (start + end) // 2
        assert len(column(picture, ATTACKER, x, 520)) == pytest.approx(whole * taken, abs=2)
        assert not column(picture, DEFENDER, x, 520)
    assert {"90.0%", "60.0%", "45.0%", "55.0%", "is stopped", "takes all"} <= set(words())


def test_towers_are_labelled() -> None:
    draw_path("20 > 5 > 4", LEGS[:2], TAKES[:2], ENDS)
    assert {"chance to get this far", "5 defenders", "4 defenders"} <= set(words())
    assert "defenders in each territory" not in words()
    draw_path("long", LEGS * 3, np.linspace(0.9, 0.3, 9).tolist(), ENDS)
    assert {"% that get this far", "5", "4", "2 (1 C)", "defenders in each territory"} <= set(words())


def test_a_path_called_off_has_its_own_part_of_the_picture() -> None:
    path = parse("20 > 5 > 4 > 2 stop:4").battle
    assert isinstance(path, Path)
    odds = march(path)
    assert odds.takes_all + odds.beaten + odds.called_off == pytest.approx(1)
    draw_path("stops", [leg("5"), leg("4"), leg("2")], odds.takes, {}, chances_in_words(odds))
    assert {"85.5%", "takes all", "14.5%", "attack called off", "0%", "is stopped"} <= set(words())
    assert verdict_line(path, odds).startswith("**Takes all 3 territories: 85.5%, attack called off 14.5%** · ")
    for off, sizes in ((0.3, (56, 56, 40)), (0.35, (56, 40, 40)), (0.5, (40, 40, 56))):
        draw_path("stops", LEGS[:1], [0.4], {}, ("stopped", "off", "won"), off)
        large = [text for text, _ in written() if text.get_fontweight() == "bold"]
        size = {text.get_text(): round(float(text.get_fontsize()) / 0.72) for text in large}
        assert (size["won"], size["stopped"], size["off"]) == sizes, "none is larger than a chance above it"
    draw_path("never stops", LEGS, TAKES, {})
    assert "attack called off" not in words()


def test_a_certain_path_is_drawn_solid() -> None:
    picture = pixels(draw_path("sure", [leg("1")], [1.0], {}))
    ((start, end),) = runs(picture, ATTACKER, 515)
    assert not column(picture, DEFENDER, (start + end) // 2, 520)
    assert "takes it" in words()
    assert "100%" not in words(), "a computed chance is never called certain"


def test_bars_are_as_tall_as_the_chances_of_the_ends() -> None:
    picture = pixels(draw_path("ends", LEGS, TAKES, ENDS))
    found = runs(picture, ATTACKER, 558)
    assert len(found) == 4
    tall = []
    for start, end in found:
        rows = [y for y in column(picture, ATTACKER, (start + end) // 2, 562) if y > 440]
        tall.append(len(rows))
    assert tall == pytest.approx([TALLEST * chance / 0.2 for chance in ENDS.values()], abs=2)
    assert "attackers left in the last territory" in words()
    draw_path("no ends", LEGS, TAKES, {})
    assert "attackers left in the last territory" not in words()


def test_bars_of_large_armies_share_ends() -> None:
    draw_path("many", LEGS, TAKES, dict.fromkeys(range(1001, 1901), 0.0005))
    assert "attackers left in the last territory, 21 per bar" in words()
    assert {"1500"} <= set(words())


@each([(12, 12), (13, 12), (30, 12)])
def test_a_long_path_shows_its_first_and_last_towers(count: int, shown: int) -> None:
    takes = np.linspace(0.99, 0.3, count).tolist()
    picture = pixels(draw_path("long", [leg(str(place)) for place in range(1, count + 1)], takes, {}))
    towers = runs(picture, ATTACKER, 515)
    assert len(towers) == shown
    assert ("…" in words()) is (count > shown)
    assert {"1", "6", str(count)} <= set(words())
    last = (towers[-1][0] + towers[-1][1]) // 2
    assert len(column(picture, ATTACKER, last, 520)) == pytest.approx((520 - TOP) * 0.3, abs=2)


@each([(6, "90.0%", False), (8, "90%", False), (9, "90", True)])
def test_chances_of_towers_have_a_percent_sign_where_it_fits(count: int, told: str, unit: bool) -> None:
    draw_path("units", [leg("5")] * count, np.linspace(0.9, 0.3, count).tolist(), ENDS)
    assert told in words()
    assert ("% that get this far" in words()) is unit


@each([(8, "0%"), (9, "0")])
def test_an_impossible_territory_shows_0_percent(count: int, told: str) -> None:
    draw_path("never", [leg("5")] * count, [0.0] * count, {}, ["100%", "", *["0%"] * count])
    assert words().count(told) >= count
    draw_path("hardly", [leg("5")] * count, [1e-9] * count, {}, [">99.9%", "", *["<0.1%"] * count])
    assert words().count(f"<1{told[1:]}") == count


def test_long_names_take_turns_on_two_lines_before_ships_are_left_out() -> None:
    draw_path("names", LEGS * 4, np.linspace(0.9, 0.3, 12).tolist(), ENDS)
    assert words().count("2 (1 C)") == 4
    draw_path("names", [leg("200 (10 F, 5 B, 3 C)")] * 12, np.linspace(0.9, 0.3, 12).tolist(), ENDS)
    assert words().count("200") == 12


def test_equal_paths_have_identical_pictures() -> None:
    first = draw_path("same", LEGS, TAKES, ENDS)
    draw_path("other", LEGS * 10, np.linspace(0.9, 0.1, 30).tolist(), {})
    assert draw_path("same", LEGS, TAKES, ENDS) == first
