"""A placement as a picture: how likely each territory is held, with those placed and without."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from bot.charts import draw_places
from bot.charts.places import Row
from bot.charts.style import ATTACKER, DEFENDER, INK, LEFT, RIGHT
from tests.helpers.bot.readable import chances, check_readable, pixels, rgb, titles, words
from tests.helpers.examples import examples

ROWS: list[Row] = [
    ("1st: 4 inf 1 art", "against 4 inf 2 arm", 0.75, 0.25, "75.0%"),
    ("2nd: nobody", "against 2 inf", 0.1, 0.1, "10.0%"),
    ("3rd: 2 fig", "against 5 inf 1 bom", 1.0, 0.0, "100%"),
]
CAPTIONS, NUMBERS = ("all 3 held", "not all held"), ("61.2%", "38.8%")

names = st.sampled_from(
    ["1st: nobody", "8th: 12 inf 4 art 4 arm 3 fig 2 bom 2 aa", "2nd: 3 inf", "3rd: 10000 inf 9 aa"]
)
foes = st.sampled_from(["against 4 inf", "against 5 ainf 4 aart 3 aarm 2 fig 1 bom 1 cru 1 bat", "against 77 units"])
rows_of = st.lists(
    st.tuples(names, foes, chances, chances, st.sampled_from(["0%", "<0.1%", "47.1%", ">99.9%", "100%"])),
    min_size=1,
    max_size=8,
)
numbers = st.sampled_from([NUMBERS, ("<0.1%", ">99.9%"), ("1000000.00", "8000000.00"), ("0.00", "3.00")])


@examples(50)
@given(titles, numbers, chances, rows_of)
def test_every_placement_can_be_read(title: str, numbers: tuple[str, str], share: float, rows: list[Row]) -> None:
    pixels(draw_places(title, ("at least 7 of 8 held", "fewer held"), numbers, share, rows))
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
    marked = [bool(marks(picture, row)) for row in range(180, 590)]
    edges = np.flatnonzero(np.diff([False, *marked, False])) + 180
    return [int(start + end) // 2 for start, end in zip(edges[::2], edges[1::2], strict=True) if end - start > 10]


def test_bars_are_as_long_as_the_chances() -> None:
    picture = pixels(draw_places("7 inf to place", CAPTIONS, NUMBERS, 0.612, ROWS))
    middles = bars(picture)
    assert len(middles) == 3
    width = RIGHT - LEFT
    for row, (_, _, chance, without, _) in zip(middles, ROWS, strict=True):
        solid = runs(picture, ATTACKER, row)
        taken = sum(end - start for start, end in solid)
        covered = 12 if without > chance - 0.02 else 0
        assert taken == pytest.approx(width * (1 - chance), abs=4 + covered)
        hollow = [start for start, end in runs(picture, DEFENDER, row) if end - start <= 4]
        assert hollow, "the defender's part is an edge alone"
        assert max(hollow) <= LEFT + width * chance
        (mark,) = marks(picture, row)
        assert mark == pytest.approx(min(max(LEFT + width * without - 3, LEFT), RIGHT - 6), abs=2)
    said = set(words())
    assert {"61.2%", "38.8%", *CAPTIONS, "held with nobody placed", "75.0%", "against 2 inf"} <= said


def test_whoever_is_likelier_is_larger() -> None:
    for share in (0.2, 0.8):
        draw_places("7 inf to place", CAPTIONS, NUMBERS, share, ROWS)
        assert {"61.2%", "38.8%"} <= set(words())
    few, many = (draw_places("7 inf", CAPTIONS, NUMBERS, share, ROWS) for share in (0.2, 0.8))
    assert few != many


def test_long_names_are_cut_before_the_chance() -> None:
    long = ("1st: " + "12 inf 4 art " * 6, "against 4 inf", 0.5, 0.1, "50.0%")
    pixels(draw_places("long", CAPTIONS, NUMBERS, 0.5, [long]))
    check_readable()
    assert any(word.endswith("…") for word in words())
    assert "against 4 inf" not in words()


def test_the_same_placement_gives_the_same_bytes() -> None:
    first = draw_places("same", CAPTIONS, NUMBERS, 0.5, ROWS)
    draw_places("other", CAPTIONS, ("1%", "99%"), 0.01, ROWS[:1] * 8)
    assert draw_places("same", CAPTIONS, NUMBERS, 0.5, ROWS) == first
