"""A placement as a picture: how likely each territory is held, with those placed and without."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from bot.charts.style import ATTACKER, DEFENDER, INK, LEFT, RIGHT
from bot.games.placing.chart import Row, draw_places
from tests.helpers.bot.readable import chances, check_readable, pixels, rgb, titles, words, written
from tests.helpers.extent import examples

ROWS: list[Row] = [
    (["1st: 4 inf 1 art"], "against 4 inf 2 arm", 0.75, 0.25, "75.0%"),
    (["2nd: nobody"], "against 2 inf", 0.1, 0.1, "10.0%"),
    (["3rd: 2 fig"], "against 5 inf 1 bom", 1.0, 0.0, "100%"),
]
CAPTION, NUMBER = "chance to hold all 3", "61.2%"

names = st.sampled_from(
    [["1st: nobody"], ["8th: 12 inf 4 art 4 arm 3 fig 2 bom 2 aa", "8th: 27 units"], ["3rd: 10000 inf 9 aa"]]
)
foes = st.sampled_from(["against 4 inf", "against 5 ainf 4 aart 3 aarm 2 fig 1 bom 1 cru 1 bat", "against 77 units"])
rows_of = st.lists(
    st.tuples(names, foes, chances, chances, st.sampled_from(["0%", "<0.1%", "47.1%", ">99.9%", "100%"])),
    min_size=1,
    max_size=8,
)
numbers = st.sampled_from([NUMBER, "<0.1%", ">99.9%", "1000000.00", "0.00"])


@examples(25)
@given(titles, numbers, rows_of)
def test_every_placement_can_be_read(title: str, number: str, rows: list[Row]) -> None:
    pixels(draw_places(title, number, "chance to hold at least 7 of 8", rows))
    check_readable()


def runs(picture: Image.Image, colour: str, row: int) -> list[tuple[int, int]]:
    """Where in a row of pixels a colour begins and ends."""
    here = [picture.getpixel((x, row)) == rgb(colour) for x in range(800)]
    edges = np.flatnonzero(np.diff([False, *here, False]))
    return [(int(start), int(end)) for start, end in zip(edges[::2], edges[1::2], strict=True)]


def marks(picture: Image.Image, row: int) -> list[int]:
    """Where in a row of pixels the marks begin that say what is held without anybody."""
    return [start for start, end in runs(picture, INK, row) if end - start in (5, 6)]


def bars(picture: Image.Image) -> list[int]:
    """The rows of pixels in the middle of each bar: where the marks of what is without anybody stand."""
    marked = [bool(marks(picture, row)) for row in range(180, 580)]
    edges = np.flatnonzero(np.diff([False, *marked, False])) + 180
    return [int(start + end) // 2 for start, end in zip(edges[::2], edges[1::2], strict=True) if end - start > 10]


def test_bars_are_as_long_as_the_chances() -> None:
    picture = pixels(draw_places("7 inf to place", NUMBER, CAPTION, ROWS))
    middles = bars(picture)
    assert len(middles) == 3
    width = RIGHT - LEFT
    for row, (_, _, chance, without, _) in zip(middles, ROWS, strict=True):
        solid = runs(picture, DEFENDER, row)
        held = sum(end - start for start, end in solid)
        assert held == pytest.approx(width * chance, abs=14), "the mark may cover some"
        assert solid[0][0] == pytest.approx(LEFT, abs=9)
        hollow = [end for start, end in runs(picture, ATTACKER, row) if end - start <= 4]
        assert bool(hollow) == (chance < 1), "the attacker's part is an edge alone"
        assert all(end >= LEFT + width * chance for end in hollow)
        (mark,) = marks(picture, row)
        assert mark == pytest.approx(min(max(LEFT + width * without - 3, LEFT), RIGHT - 6), abs=2)
    said = set(words())
    assert {NUMBER, CAPTION, "75.0%", "against 2 inf"} <= said


def test_a_legend_says_what_the_colours_and_the_mark_are() -> None:
    picture = pixels(draw_places("7 inf to place", NUMBER, CAPTION, ROWS))
    assert {"taken", "held", "held with nobody placed"} <= set(words())
    keys = [runs(picture, colour, 612) for colour in (DEFENDER, ATTACKER)]
    assert [len(key) for key in keys] == [1, 2], "solid, and an edge alone"
    assert marks(picture, 612)


def test_the_picture_of_a_placing_has_a_single_large_number() -> None:
    draw_places("7 inf to place", NUMBER, CAPTION, ROWS)
    large = [text.get_text() for text, _ in written() if float(text.get_fontsize()) / 0.72 > 40]
    assert large == [NUMBER]


def test_long_units_of_a_territory_become_counts() -> None:
    long = (["1st: " + "12 inf 4 art " * 6, "1st: 96 units"], "against 4 inf", 0.5, 0.1, "50.0%")
    pixels(draw_places("long", NUMBER, CAPTION, [long]))
    check_readable()
    assert {"1st: 96 units", "against 4 inf"} <= set(words())


def test_equal_placements_have_identical_pictures() -> None:
    first = draw_places("same", NUMBER, CAPTION, ROWS)
    draw_places("other", "1%", CAPTION, ROWS[:1] * 8)
    assert draw_places("same", NUMBER, CAPTION, ROWS) == first
