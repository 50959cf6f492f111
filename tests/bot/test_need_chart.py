"""How many are needed as a picture: the curve, its marks and the words beside them."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.charts import NeedCurve, Side
from bot.charts.need import BASE, MOST_DOTS, ROUNDING, START, TOP, draw_need, plot_curve
from bot.charts.sheet import the_sheet
from bot.charts.style import ATTACKER, DEFENDER, GROUND, INK, QUIET
from tests.helpers.bot.readable import at, chances, check_readable, pixels, rgb, titles, words, written
from tests.helpers.cases import each
from tests.helpers.extent import examples

SIDES: list[Side] = ["attackers", "defenders"]


def draw_armies(*parts: Any) -> bytes:
    return draw_need(NeedCurve(*parts))


def draw_prices(*parts: Any) -> bytes:
    """Draw what money buys; the reader has the answer."""
    curve = NeedCurve(*parts)
    return draw_need(curve._replace(here=curve.answer, money="IPC", succeeds="best chance to take it"))


def rising(count: int, middle: float, width: float) -> list[float]:
    """A curve as those of odds."""
    return [1 / (1 + 2.718281828 ** min((middle - at) / width, 500)) for at in range(1, count + 1)]


def least(chances: list[float], asked: float) -> int | None:
    return next((count for count, chance in enumerate(chances, 1) if chance >= asked - ROUNDING), None)


@st.composite
def curves(draw: st.DrawFn) -> list[float]:
    """Chances for 1, 2, 3, ... of a side, rising but for some."""
    if draw(st.booleans()):
        count = draw(st.integers(1, 120) | st.sampled_from([36, 37, 500, 2000]))
        return rising(count, draw(st.floats(-5, count + 5)), draw(st.floats(0.05, 40)))
    listed = draw(st.lists(chances, min_size=1, max_size=50))
    return listed if draw(st.booleans()) else sorted(listed)


asked_for = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99, 0.9999]) | st.floats(0.001, 0.9999)


@pytest.mark.whole
@examples(25)
@given(titles, st.sampled_from(SIDES), curves(), asked_for, st.integers(0, 60) | st.none(), st.integers(0, 1900))
def test_every_curve_can_be_read(
    title: str, side: Side, curve: list[float], asked: float, here: int | None, more: int
) -> None:
    counts = [count + more for count in range(1, len(curve) + 1)]
    answer = least(curve, asked)
    pixels(draw_armies(title, side, counts, curve, asked, answer and answer + more, here and here + more))
    check_readable()


@pytest.mark.whole
@examples(25)
@given(titles, curves(), asked_for, st.integers(0, 60) | st.none(), st.sampled_from([1, 2, 1000]))
def test_a_curve_with_armies_that_stay_behind_can_be_read(
    title: str, curve: list[float], asked: float, here: int | None, behind: int
) -> None:
    counts, answer = [count + behind for count in range(1, len(curve) + 1)], least(curve, asked)
    pixels(
        draw_armies(
            title, "attackers", counts, curve, asked, answer and answer + behind, here and here + behind, behind
        )
    )
    check_readable()
    assert ("attackers, 1 of whom stays behind" in words()) == (behind == 1)


@examples(25)
@given(st.integers(1, 2000), st.floats(0, 1), st.floats(0.3, 60), asked_for)
def test_on_every_rising_curve_all_marks_are_named(count: int, middle: float, width: float, asked: float) -> None:
    curve = rising(count, middle * count, width)
    draw_armies("rising", "attackers", range(1, count + 1), curve, asked, least(curve, asked), None)
    for mark in (0.5, 0.8, 0.95, asked):
        reached = least(curve, mark)
        assert f"{100 * mark:.6g}%" + (f": {reached}" if reached else "") in words()
    check_readable()


@each(
    [
        (0.8, 13, "13 attackers for 80%"),
        (0.8, 1, "1 attacker for 80%"),
        (0.999, 2, "2 attackers for 99.9%"),
        (0.8, None, "80% is out of reach"),
    ]
)
def test_the_headline_of_the_curve_is_the_answer(asked: float, answer: int | None, headline: str) -> None:
    draw_armies("against 9", "attackers", range(1, 26), rising(25, 8.5, 2.0), asked, answer, None)
    assert headline in words()
    (text,) = [text for text in the_sheet().canvas.texts if text.get_text() == headline]
    assert float(text.get_fontsize()) / 0.72 >= 40


@examples(25)
@given(titles, st.sampled_from(SIDES), st.data(), asked_for)
def test_a_curve_of_money_can_be_read(title: str, side: Side, data: st.DataObject, asked: float) -> None:
    costs = sorted(data.draw(st.sets(st.integers(1, 900), min_size=1, max_size=120)))
    bought = sorted(data.draw(st.lists(chances, min_size=len(costs), max_size=len(costs))))
    answer = next((cost for cost, chance in zip(costs, bought, strict=True) if chance >= asked), None)
    pixels(draw_prices(title, side, costs, bought, asked, answer))
    check_readable()
    assert "best chance to take it" in words()
    assert (f"{answer} IPC for {100 * asked:.6g}%" if answer else f"{100 * asked:.6g}% is out of reach") in words()


def test_round_sums_of_money_are_on_the_axis() -> None:
    draw_prices("Take it", "attackers", [9, 13, 22, 37], [0.1, 0.4, 0.82, 0.99], 0.8, 22)
    assert {"10", "20", "30", "80%: 22", "50%: 22", "22 IPC: 82.0%", "IPC"} <= set(words())


@pytest.mark.parametrize("side", SIDES)
def test_every_number_of_armies_has_its_dot(side: Side) -> None:
    """The attacker's are solid and the defender's hollow."""
    counts, curve = list(range(3, 3 + MOST_DOTS)), rising(MOST_DOTS, 12, 4)
    picture = pixels(draw_armies("dots", side, counts, curve, 0.9, None, None))
    places = plot_curve(NeedCurve("", side, counts, curve, 0.8, None), START)
    colour = rgb(ATTACKER if side == "attackers" else DEFENDER)
    inside = {at(picture, round(x), round(y)) for x, y in zip(places.x, places.y, strict=True)}
    assert inside == ({colour} if side == "attackers" else {rgb(GROUND)})
    for x, y in zip(places.x, places.y, strict=True):
        around = {at(picture, x + across, y) for across in range(-9, 10)}
        assert colour in around
    assert all(one > other for one, other in pairwise(places.y)), "up is more"
    steps = [other - one for one, other in pairwise(places.x)]
    assert steps == pytest.approx([steps[0]] * len(steps)), "as far apart as the counts are"


@pytest.mark.parametrize("side", SIDES)
def test_curves_of_large_armies_are_steps(side: Side) -> None:
    curve = [0.2] * 150 + [0.7] * 150
    picture = pixels(draw_armies("steps", side, range(1, 301), curve, 0.6, 151, None))
    places = plot_curve(NeedCurve("", side, range(1, 301), curve, 0.8, None), START)
    colour = rgb(ATTACKER if side == "attackers" else DEFENDER)
    for index in (40, 100, 220, 280):
        x, y = round(places.x[index]), round(places.y[index])
        column = [at(picture, x, y + down) for down in range(-8, 9)]
        assert column.count(colour) >= 4, index
        assert (column[8] == colour) is (side == "attackers")
    x = round(places.x[150])
    height = round(places.y[100] + places.y[200]) // 2
    assert colour in {at(picture, x + across, height) for across in range(-6, 7)}, "it rises where the chance does"


def test_marks_reach_the_curve_and_the_target_stands_out() -> None:
    counts, curve = range(1, 26), rising(25, 12, 3)
    picture = pixels(draw_armies("marks", "attackers", counts, curve, 0.8, least(curve, 0.8), None))
    places = plot_curve(NeedCurve("", "attackers", counts, curve, 0.8, None), START)
    for mark, colour, thick in ((0.5, QUIET, 1), (0.8, INK, 3), (0.95, QUIET, 1)):
        index = places.reach(mark)
        assert index is not None
        y = round(BASE - (BASE - TOP) * mark)
        rows = [at(picture, places.x[0] + 10, y + down) for down in range(-6, 7)]
        assert rows.count(rgb(colour)) == thick, mark
        row = [at(picture, x, y) for x in range(round(places.x[0]), round(places.x[index]) - 40)]
        assert row.count(rgb(colour)) > 0.9 * len(row)
    bold = {text.get_text() for text in the_sheet().canvas.texts if text.get_fontweight() == "bold" and text.get_text()}
    assert bold == {"17 attackers for 80%", "80%: 17"}


@each([0.8, 0.9, 0.94, 0.99, 0.001])
def test_names_of_marks_are_ordered_by_their_chance(asked: float) -> None:
    draw_armies("order", "attackers", range(1, 26), rising(25, 12, 3), asked, 17, None)
    named = [(box.top, float(text.get_text().partition("%")[0])) for text, box in written() if "%: " in text.get_text()]
    assert len(named) == len({0.5, 0.8, 0.95, asked}) - (asked == 0.99), "none reaches 99%"
    assert sorted(named) == sorted(named, key=lambda name: -name[1])


def test_the_axes_have_their_names() -> None:
    draw_armies("win", "attackers", range(1, 26), rising(25, 12, 3), 0.8, 17, None)
    assert {"chance to win", "attackers"} <= set(words())
    draw_armies("hold", "defenders", range(1, 26), rising(25, 12, 3), 0.8, 17, None)
    assert {"chance to hold", "defenders"} <= set(words())


def test_each_mark_has_a_line_from_its_name_to_the_axis() -> None:
    counts, curve = range(1, 26), rising(25, 12, 3)
    picture = pixels(draw_armies("lines", "attackers", counts, curve, 0.8, least(curve, 0.8), None))
    places = plot_curve(NeedCurve("", "attackers", counts, curve, 0.8, None), START)
    for mark, colour in ((0.5, QUIET), (0.8, INK), (0.95, QUIET)):
        index = places.reach(mark)
        assert index is not None
        column = [at(picture, round(places.x[index]), y) for y in range(round(places.y[index]) + 20, int(BASE))]
        assert column.count(rgb(colour)) > 0.9 * len(column)


def test_the_typed_number_is_ringed_and_named() -> None:
    counts, curve = range(1, 26), rising(25, 12, 3)
    places = plot_curve(NeedCurve("", "attackers", counts, curve, 0.8, None), START)
    ringed = pixels(draw_armies("ring", "attackers", counts, curve, 0.8, 17, 9))
    plain = pixels(draw_armies("ring", "attackers", counts, curve, 0.8, 17, None))
    x, y = round(places.x[8]), round(places.y[8])
    ink = rgb(INK)
    for across, down in ((15, 0), (-15, 0), (0, 15), (0, -15)):
        assert at(ringed, x + across, y + down) == ink
        assert at(plain, x + across, y + down) != ink
    draw_armies("ring", "attackers", counts, curve, 0.8, 17, 9)
    assert "9 attackers: 26.9%" in words()
    draw_armies("ring", "attackers", counts, curve, 0.8, 17, 99)
    assert not [word for word in words() if word.startswith("99")], "what is not on the curve is not ringed"


def test_equal_curves_have_identical_pictures() -> None:
    counts, curve = range(1, 26), rising(25, 12, 3)
    first = draw_armies("same", "attackers", counts, curve, 0.8, 17, 9)
    draw_armies("other", "defenders", range(1, 401), rising(400, 100, 30), 0.9, None, 9)
    assert draw_armies("same", "attackers", counts, curve, 0.8, 17, 9) == first
