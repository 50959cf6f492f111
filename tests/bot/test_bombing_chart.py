"""Bombing raids as pictures: whether they pay, and how much money they make."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from bot.army_wording import signed
from bot.charts import draw_raid
from bot.charts.battle import BASE, CUT_TAIL, MOST_BARS, TALLEST
from bot.charts.bombing import _bars
from bot.charts.style import ATTACKER, DEFENDER, DRAW, GROUND, INK, LEFT, QUIET, RIGHT, the_sheet
from bot.matchup.bombing import read_raid
from bot.wording import parted, uncertain
from solver.bombing import solve_raid
from tests.helpers.bot.chart_bars import heights, runs
from tests.helpers.bot.readable import at, check_readable, pixels, rgb, titles, words, written
from tests.helpers.examples import examples

Profits = list[tuple[int, float]]
PRICE = 12
ONE: Profits = [(-12, 1 / 6), *((damage, 5 / 36) for damage in range(1, 7))]
SUBTITLE = "damage 14.3, lost 10.0 IPC, bombed out 14.4%"
FOOTER = "8 in 10: profit −14 to +20, on average +4.3"


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
        sum(chance for money, chance in profits if money < 0),
        sum(chance for money, chance in profits if money > 0),
        sum(chance for money, chance in profits if money == 0),
    )


def draw(profits: Profits, title: str = "1 bom against 12 points, A&A 1942", subtitle: str = SUBTITLE) -> Image.Image:
    """A picture with the usual words."""
    chances = fates(profits)
    numbers = uncertain(chances[0]), uncertain(chances[1]), uncertain(chances[2])
    tale = "pays in 17 of 20 such raids"
    return pixels(draw_raid(title, subtitle, numbers, parted(chances), tale, profits, PRICE, FOOTER))


@examples(50, derandomize=True)
@given(titles, laws())
@example("500 bom against 500 points, A&A Pacific 1940", [(-5500 + 12 * k, 1 / 500) for k in range(500)])
@example("$a_b$ *c*", [(0, 1.0)])
def test_every_raid_can_be_read(title: str, profits: Profits) -> None:
    draw(profits, title, "damage 500.0, lost 1000.0 IPC, bombed out >99.9%")
    check_readable()
    assert {"pays", "does not pay", FOOTER, "damage 500.0, lost 1000.0 IPC, bombed out >99.9%"} <= set(words())
    assert any(text.get_color() == DRAW for text, _ in written()) is (fates(profits)[2] > 0.0005)


@examples(50, derandomize=True)
@given(laws())
def test_bars_tell_nearly_all_of_the_law_where_it_is(profits: Profits) -> None:
    bars, step = _bars(profits, PRICE)
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
    assert heights(picture, ATTACKER) == pytest.approx([TALLEST * 5 / 6] * 6, abs=2)
    assert heights(picture, DEFENDER) == pytest.approx([TALLEST], abs=2)


def test_what_is_even_is_grey() -> None:
    picture = draw([(-3, 0.3), (0, 0.4), (3, 0.3)])
    assert len(runs(picture, DRAW, BASE - 10)) == 1
    colours = {text.get_text(): text.get_color() for text, _ in written()}
    assert colours["40.0%"] == colours["even"] == DRAW
    assert colours["0: 40.0%"] == INK
    draw([(-3, 0.3), (3, 0.7)])
    assert "even" not in words()


def test_words_and_numbers_in_their_colours() -> None:
    draw(ONE)
    colours = {text.get_text(): text.get_color() for text, _ in written()}
    assert colours["16.7%"] == colours["IPC lost"] == DEFENDER
    assert colours["83.3%"] == colours["IPC gained"] == ATTACKER
    assert colours["pays"] == colours["does not pay"] == colours[SUBTITLE] == QUIET
    assert colours["−12: 16.7%"] == colours[FOOTER] == INK
    draw([(2, 0.5), (5, 0.5)])
    assert "IPC lost" not in words()
    draw([(-5, 1.0)])
    assert "IPC gained" not in words()
    assert "−5: 100%" in words()


@pytest.mark.parametrize(("pays", "even"), [(17, 0), (0, 0), (20, 0), (10, 5)])
def test_twenty_squares_are_twenty_raids(pays: int, even: int) -> None:
    law: Profits = [(-12, (20 - pays - even) / 20), (0, even / 20), (4, pays / 20)]
    picture = draw([end for end in law if end[1]])
    found = [at(picture, 58 + 36 * index, 226) for index in range(20)]
    assert found == [rgb(GROUND)] * (20 - pays - even) + [rgb(DRAW)] * even + [rgb(ATTACKER)] * pays


@pytest.mark.parametrize(
    ("profits", "told", "tallest"),
    [
        ([(k, 1 / 44) for k in range(-10, 34)], [], None),
        ([(k, 1 / 45) for k in range(-10, 35)], ["2 IPC per bar"], "−10 to −9: 4.4%"),
        ([(12 * k, 1 / 200) for k in range(-100, 100)], ["60 IPC per bar"], None),
        ([(-24, 0.1), (-11, 0.1), *((k, 0.8 / 30) for k in range(30))], ["2 IPC per bar"], "−24: 10.0%"),
    ],
)
def test_many_amounts_share_bars(profits: Profits, told: list[str], tallest: str | None) -> None:
    draw(profits)
    assert [word for word in words() if "per bar" in word] == told
    if tallest:
        assert tallest in words()


@examples(60, derandomize=True)
@given(laws())
def test_amounts_below_the_bars_stand_where_they_are(profits: Profits) -> None:
    draw(profits)
    bars, step = _bars(profits, PRICE)
    ticks = [(text, box) for text, box in written() if text.get_color() == QUIET and BASE < box.top < BASE + 24]
    assert 1 <= len(ticks) <= 5
    for text, box in ticks:
        amount = int(text.get_text().replace("−", "-"))
        assert text.get_text() == signed(amount)
        middle = (box.left + box.right) / 2
        nearest = min(bars, key=lambda bar: abs(bar.x - middle))
        bar = nearest.x + (amount // step - nearest.low // step) * nearest.pitch
        within = amount % step / step - 0.5 if step > 1 else 0
        assert middle == pytest.approx(bar + within * nearest.pitch, abs=2), "in the middle, or as far into its bar"


@pytest.mark.parametrize("line", ["100 bom vs 20", "500 bom vs 500", "500 bom vs 20", "70 bom vs 200", "40 bom vs 60"])
def test_bars_of_great_raids_have_no_gaps_and_no_teeth(line: str) -> None:
    """Of many bombers the number that is shot down has one peak, and so has the money that they make."""
    amounts, chances = solve_raid(read_raid(line)).profit
    bars, step = _bars(list(zip(amounts.astype(int).tolist(), chances.tolist(), strict=True)), PRICE)
    assert len(bars) > 10
    assert {after.low // step - bar.low // step for bar, after in pairwise(bars)} == {1}
    rising = [after.chance > bar.chance for bar, after in pairwise(bars)]
    assert sum(before != now for before, now in pairwise(rising)) == 1


def test_the_same_raid_gives_the_same_bytes() -> None:
    first = draw(ONE).tobytes()
    draw([(k, 0.01) for k in range(-50, 50)])
    assert draw(ONE).tobytes() == first
    assert the_sheet().figure.texts[0].get_text() == "1 bom against 12 points, A&A 1942"
