"""Bombing raids as pictures: whether they pay, and how much money they make."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from bot.charts.bars import CUT_TAIL, MOST_BARS, Bar, swing_bars
from bot.charts.sheet import the_sheet
from bot.charts.style import ATTACKER, DEFENDER, DRAW, GROUND, INK, LEFT, QUIET, RIGHT
from bot.games.axis.chart import BASE, TALLEST, _steps, draw_raid
from bot.games.axis.money import signed_money
from bot.games.axis.swing import DrawnSwings, raid_swings
from bot.words.numbers import split_of_twenty, unsure_percent
from solver.raid.solve import solve_raid
from tests.helpers.bot.lines import read_raid
from tests.helpers.bot.readable import at, check_readable, heights, pixels, rgb, runs, titles, words, written
from tests.helpers.cases import each
from tests.helpers.extent import examples

Profits = list[tuple[int, float]]
PRICE = 12
NAMES = ("worth it", "not worth it", "even")
ONE: Profits = [(-12, 1 / 6), *((damage, 5 / 36) for damage in range(1, 7))]
SUBTITLE = "average damage 14.3, loss 10.0 IPC, max damage 14.4%"
FOOTER = "8 raids in 10: −14 to +20 IPC, average +4.3"


@st.composite
def laws(draw: st.DrawFn) -> Profits:
    """Amounts of money and their chances."""
    size = draw(st.sampled_from([1, 2, 3, 8, 45, 400]))
    low, apart = draw(st.integers(-6000, 500)), draw(st.sampled_from([1, 2, 12, 50]))
    amounts = [low + apart * place for place in range(size)]
    weights = draw(st.lists(st.floats(1e-6, 1), min_size=size, max_size=size)) if size < 9 else [1.0] * size
    return [(amount, weight / sum(weights)) for amount, weight in zip(amounts, weights, strict=True)]


def fates(profits: Profits) -> tuple[float, float, float]:
    return (
        sum(chance for money, chance in profits if money > 0),
        sum(chance for money, chance in profits if money < 0),
        sum(chance for money, chance in profits if money == 0),
    )


def in_bars(profits: Profits) -> tuple[list[Bar], int]:
    """The bars, and how much money in hundredths each is."""
    bars, step, _shared = swing_bars(raid_swings(profits), _steps(raid_swings(profits), PRICE))
    return bars, step


def draw(profits: Profits, title: str = "1 bom against 12 points, A&A 1942", subtitle: str = SUBTITLE) -> Image.Image:
    """A picture with the usual words."""
    chances = fates(profits)
    numbers = (
        unsure_percent(chances[0]),
        unsure_percent(chances[1]),
        unsure_percent(chances[2]) if chances[2] > 0.0005 else "",
    )
    twenty, swings = split_of_twenty(chances), raid_swings(profits)
    drawn = DrawnSwings([title], [subtitle], NAMES, numbers, twenty, ["20 such raids"], swings, [FOOTER])
    return pixels(draw_raid(drawn, PRICE))


@pytest.mark.whole
@examples(25, derandomize=True)
@given(titles, laws())
@example("500 bom against 500 points, A&A Pacific 1940", [(-5500 + 12 * k, 1 / 500) for k in range(500)])
@example("$a_b$ *c*", [(0, 1.0)])
def test_every_raid_can_be_read(title: str, profits: Profits) -> None:
    draw(profits, title, "500.0 damage, 1000.0 IPC lost, max damage >99.9%")
    check_readable()
    assert {"worth it", "not worth it", FOOTER, "500.0 damage, 1000.0 IPC lost, max damage >99.9%"} <= set(words())
    assert any(text.get_color() == DRAW for text, _ in written()) is (fates(profits)[2] > 0.0005)


@examples(25, derandomize=True)
@given(laws())
def test_bars_of_a_raid_show_nearly_all_of_its_law(profits: Profits) -> None:
    bars, step = in_bars(profits)
    assert len(bars) <= MOST_BARS
    assert 1 - 2 * CUT_TAIL - 1e-9 <= sum(bar.chance for bar in bars) <= 1 + 1e-9
    for bar in bars:
        assert bar.x - bar.pitch / 2 >= LEFT - 1e-9
        assert bar.x + bar.pitch / 2 <= RIGHT + 1e-9
        assert bar.low // step == bar.high // step
        assert bar.parts[0] == 0 or bar.high > 0
        assert bar.parts[1] == 0 or bar.low < 0
    for bar, after in pairwise(bars):
        assert bar.high < after.low
        places = after.low // step - bar.low // step
        assert after.x - bar.x == pytest.approx(places * bar.pitch), "money is as far apart as it is"


def test_losses_are_left_and_hollow_gains_right_and_solid() -> None:
    picture = draw(ONE)
    solid, edges = runs(picture, ATTACKER, BASE - 10), runs(picture, DEFENDER, BASE - 10)
    assert (len(solid), len(edges)) == (6, 2)
    assert max(end for _, end in edges) < min(start for start, _ in solid)
    assert at(picture, (edges[0][1] + edges[1][0]) / 2, BASE - 10) == rgb(GROUND)
    assert heights(picture, ATTACKER, BASE) == pytest.approx([TALLEST * 5 / 6] * 6, abs=2)
    assert heights(picture, DEFENDER, BASE) == pytest.approx([TALLEST], abs=2)


def test_a_swing_of_0_is_grey_and_in_the_legend() -> None:
    picture = draw([(-3, 0.3), (0, 0.4), (3, 0.3)])
    assert len(runs(picture, DRAW, BASE - 10)) == 1
    boxes = {text.get_text(): box for text, box in written()}
    colours = {text.get_text(): text.get_color() for text, _ in written()}
    assert colours["40.0%"] == DRAW
    assert colours["0: 40.0%"] == INK
    assert at(picture, boxes["even"].left - 18, (boxes["even"].top + boxes["even"].bottom) / 2) == rgb(DRAW)
    draw([(-3, 0.3), (3, 0.7)])
    assert "even" not in words()


def test_words_and_numbers_in_their_colours() -> None:
    draw(ONE)
    colours = {text.get_text(): text.get_color() for text, _ in written()}
    assert colours["16.7%"] == DEFENDER
    assert colours["83.3%"] == ATTACKER
    assert colours["worth it"] == colours["not worth it"] == QUIET
    assert colours[SUBTITLE] == colours["IPC gained by the raid"] == QUIET
    assert colours["−12: 16.7%"] == colours[FOOTER] == INK
    draw([(-5, 1.0)])
    assert "−5: 100%" in words()


@each([(17, 0), (0, 0), (20, 0), (10, 5)])
def test_twenty_squares_are_twenty_raids(pays: int, even: int) -> None:
    law: Profits = [(-12, (20 - pays - even) / 20), (0, even / 20), (4, pays / 20)]
    picture = draw([end for end in law if end[1]])
    found = [at(picture, 58 + 36 * index, 226) for index in range(20)]
    assert found == [rgb(ATTACKER)] * pays + [rgb(DRAW)] * even + [rgb(GROUND)] * (20 - pays - even)


@each(
    [
        ([(k, 1 / 44) for k in range(-10, 34)], [], None),
        ([(k, 1 / 45) for k in range(-10, 35)], ["bars of 2 IPC"], "−10 to −9: 4.4%"),
        ([(12 * k, 1 / 200) for k in range(-100, 100)], ["bars of 120 IPC"], None),
        ([(-24, 0.1), (-11, 0.1), *((k, 0.8 / 30) for k in range(30))], ["bars of 2 IPC"], "−24: 10.0%"),
    ]
)
def test_bars_of_wide_laws_share_amounts(profits: Profits, told: list[str], tallest: str | None) -> None:
    draw(profits)
    assert [word for word in words() if word.startswith("bars of")] == told
    if tallest:
        assert tallest in words()


@examples(25, derandomize=True)
@given(laws())
def test_amounts_on_the_axis_stand_below_their_bars(profits: Profits) -> None:
    draw(profits)
    bars, step = in_bars(profits)
    origin = bars[0].low if all(bar.possible == 1 for bar in bars) else (bars[0].low // step + 0.5) * step
    ticks = [(text, box) for text, box in written() if text.get_color() == QUIET and BASE < box.top < BASE + 24]
    assert 1 <= len(ticks) <= 8
    for text, box in ticks:
        amount = int(text.get_text().replace("−", "-"))
        assert text.get_text() == signed_money(amount)
        middle = (box.left + box.right) / 2
        assert middle == pytest.approx(bars[0].x + (100 * amount - origin) / step * bars[0].pitch, abs=2)


def test_the_name_of_the_tallest_bar_stays_inside_the_plot() -> None:
    draw([(k, 1 / 200) for k in range(-20, 20)] + [(20, 0.8)])
    (box,) = [box for text, box in written() if text.get_text().endswith(": 80.0%")]
    assert box.right <= RIGHT + 1


@each(["100 bom vs 20", "500 bom vs 500", "500 bom vs 20", "70 bom vs 200", "40 bom vs 60"])
def test_bars_of_great_raids_have_no_gaps_and_no_teeth(line: str) -> None:
    """Of many bombers the number that is shot down has one peak, and so has the money that they make."""
    amounts, chances = solve_raid(read_raid(line)).profit
    bars, step = in_bars(list(zip(amounts.astype(int).tolist(), chances.tolist(), strict=True)))
    assert len(bars) > 10
    assert {after.low // step - bar.low // step for bar, after in pairwise(bars)} == {1}
    rising = [after.chance > bar.chance for bar, after in pairwise(bars)]
    assert sum(before != now for before, now in pairwise(rising)) == 1


def test_equal_raids_have_identical_pictures() -> None:
    first = draw(ONE).tobytes()
    draw([(k, 0.01) for k in range(-50, 50)])
    assert draw(ONE).tobytes() == first
    assert the_sheet().canvas.texts[0].get_text() == "1 bom against 12 points, A&A 1942"
