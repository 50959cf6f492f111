"""The odds of Axis & Allies battles as pictures: who wins, and what it costs."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from bot.charts import draw_axis
from bot.charts.axis import _bars, _law
from bot.charts.battle import BASE, CUT_TAIL, MOST_BARS, TALLEST
from bot.charts.style import ATTACKER, DEFENDER, DRAW, GROUND, INK, LEFT, QUIET, RIGHT, WIDTH, the_sheet
from bot.wording import uncertain
from tests.helpers.bot.chart_bars import heights, runs
from tests.helpers.bot.readable import at, check_readable, pixels, rgb, titles, words, written
from tests.helpers.examples import examples

Losses = list[tuple[float, float]]
NAMES = ("defender holds", "attacker takes it", "no winner")
HOLDS: Losses = [(3, 0.05), (6, 0.1), (9, 0.2)]
TAKES: Losses = [(0, 0.05), (3, 0.1), (6, 0.3), (10, 0.1), (16, 0.08)]
CHANCES = (0.35, 0.63, 0.02)
TWENTY = (7, 12, 1)
TAIL = "8 in 10: profit −23 to +14 IPC"
MANY: Losses = [(12.5 * k, 0.3 / 400) for k in range(401)]

money = (
    st.integers(0, 60)
    | st.sampled_from([0, 0.5, -0.0, -5, 14.5, 1 / 3])
    | st.floats(-200, 5000)
    | st.floats(-1e9, 1e9, allow_nan=False)
)
counted = st.sampled_from(["IPC", "units", "points"])
few_or_many = st.sampled_from([0, 1, 2, 3, 4, 8, 20, 45, 300])


@st.composite
def battles(draw: st.DrawFn) -> tuple[tuple[float, float, float], Losses, Losses]:
    """Chances, and what the attacker and the defender have lost."""
    sides: list[Losses] = []
    for _ in range(2):
        size, spacing = draw(few_or_many), draw(st.sampled_from([None, 0.5, 1, 3, 12.5]))
        first = draw(money)
        amounts = draw(st.lists(money, min_size=size, max_size=size)) if spacing is None else np.arange(size) * spacing
        weights = draw(st.lists(st.floats(0, 1), min_size=size, max_size=size)) if size < 9 else np.hanning(size)
        sides.append([(float(first + amount), float(weight)) for amount, weight in zip(amounts, weights, strict=True)])
    neither = draw(st.sampled_from([0.0, 0.0003, 0.02, 1.0]) | st.floats(0, 1))
    total = neither + sum(weight for side in sides for _, weight in side) or 1.0
    attacker, defender = ([(amount, weight / total) for amount, weight in side] for side in sides)
    chances = (sum(chance for _, chance in defender), sum(chance for _, chance in attacker), neither / total)
    return chances, attacker, defender


def draw(
    chances: tuple[float, float, float] = CHANCES,
    attacker: Losses = TAKES,
    defender: Losses = HOLDS,
    numbers: tuple[str, str, str] | None = None,
    twenty: tuple[int, int, int] = TWENTY,
    money: str = "IPC",
) -> Image.Image:
    """A picture with the usual words."""
    told = numbers or (uncertain(chances[0]), uncertain(chances[1]), uncertain(chances[2]))
    tale = "attacker takes it 12 of 20 such battles"
    sides = attacker, defender
    return pixels(draw_axis("6 against 4", "A&A 1942", chances, NAMES, told, twenty, tale, *sides, TAIL, money))


@examples(50, derandomize=True)
@given(titles, st.sampled_from(["", "A&A 1942 second edition", "$1_2$ *x* of them all"]) | titles, battles(), counted)
@example("$a_b$ *c*", "_1_", ((0.5, 0.5, 0.0), [(1e300, 0.5)], [(-1e300, 0.4), (1e300, 0.1)]), "IPC")
@example("far", "", ((0.5, 0.5, 0.0), [(2e298 * k, 0.01) for k in range(50)], MANY), "points")
def test_every_battle_can_be_read(
    title: str, subtitle: str, battle: tuple[tuple[float, float, float], Losses, Losses], money: str
) -> None:
    chances, attacker, defender = battle
    numbers = (uncertain(chances[0]), uncertain(chances[1]), uncertain(chances[2]))
    tale = "attacker takes it more than 19 of 20 such battles"
    args = (title, subtitle, chances, NAMES, numbers, TWENTY, tale, attacker, defender, TAIL, money)
    pixels(draw_axis(*args))
    check_readable()
    assert {NAMES[0], NAMES[1], numbers[0], numbers[1], tale, TAIL} <= set(words())
    assert any(text.get_color() == DRAW for text, _ in written()) is (chances[2] > 0.0005)


@examples(50, derandomize=True)
@given(battles())
def test_bars_tell_nearly_all_of_the_law(battle: tuple[tuple[float, float, float], Losses, Losses]) -> None:
    _, attacker, defender = battle
    bars, step = _bars(_law(defender), _law(attacker))
    total = sum(chance for _, chance in attacker + defender)
    assert len(bars) <= MOST_BARS
    assert sum(bar.chance for bar in bars) <= total + 1e-9
    assert sum(bar.chance for bar in bars) >= total * (1 - 4 * CUT_TAIL) - 1e-9
    assert bool(bars) is (total > 0)
    sides = [[bar for bar in bars if bar.attacks == attacks] for attacks in (False, True)]
    for side, sign in zip(sides, (1, -1), strict=True):
        lost = [amount for bar in side for amount in (bar.low, bar.high)]
        assert lost == sorted(lost), "the least lost is outermost"
        assert all(sign * (bar.x - after.x) < 0 for bar, after in pairwise(side))
        if step:
            assert all(bar.low // step == bar.high // step for bar in side)
    for bar in bars:
        assert bar.x - bar.pitch / 2 >= LEFT - 1e-9
        assert bar.x + bar.pitch / 2 <= RIGHT + 1e-9
    if all(sides):
        assert max(bar.x for bar in sides[0]) < min(bar.x for bar in sides[1])


@pytest.mark.parametrize("names", [("defender survives", "attacker clears it", "all are sunk"), ("x" * 60,) * 3])
@pytest.mark.parametrize("numbers", [(">99.9%", ">99.9%", ">99.9%"), ("100%", "0%", "1.0%")])
def test_words_that_are_too_long_are_cut(names: tuple[str, str, str], numbers: tuple[str, str, str]) -> None:
    args = ("W" * 90, "W" * 90, CHANCES, names, numbers, TWENTY, "W" * 90, TAKES, HOLDS, "W" * 90)
    pixels(draw_axis(*args))
    check_readable()


def test_the_sides_differ_in_form_and_place() -> None:
    """Attacker's bars are solid and right, defender's hollow and left; nothing else is in their colours there."""
    picture = draw()
    solid, edges = runs(picture, ATTACKER, BASE - 10), runs(picture, DEFENDER, BASE - 10)
    assert len(solid) == len(TAKES)
    assert len(edges) == 2 * len(HOLDS), "each bar is cut at its two sides"
    assert max(end for _, end in edges) < min(start for start, _ in solid)
    assert all(end - start >= 40 for start, end in solid)
    assert all(end - start <= 4 for start, end in edges)
    for (_, start), (end, _) in zip(edges[::2], edges[1::2], strict=True):
        assert at(picture, (start + end) / 2, BASE - 10) == rgb(GROUND)


def test_bars_are_as_tall_as_the_chances_and_the_least_lost_is_outermost() -> None:
    picture = draw()
    assert heights(picture, DEFENDER) == pytest.approx([TALLEST * chance / 0.3 for _, chance in HOLDS], abs=2)
    assert heights(picture, ATTACKER) == pytest.approx([TALLEST * chance / 0.3 for _, chance in TAKES[::-1]], abs=2)
    ticks = {text.get_text(): box.left for text, box in written() if text.get_color() == QUIET and box.top > BASE}
    assert sorted(ticks, key=lambda tick: ticks[tick]) == ["3", "6", "9", "10", "0"]


def test_words_and_numbers_in_their_colours() -> None:
    draw()
    colours = {text.get_text(): text.get_color() for text, _ in written()}
    assert colours["35.0%"] == colours["IPC the defender lost"] == DEFENDER
    assert colours["63.0%"] == colours["IPC the attacker lost"] == ATTACKER
    assert colours["2.0%"] == colours["no winner"] == DRAW
    assert colours["defender holds"] == colours["attacker takes it"] == colours["A&A 1942"] == QUIET
    assert colours["lost 6: 30.0%"] == colours[TAIL] == INK
    draw((0.37, 0.6296, 0.0004))
    assert "no winner" not in words()


@pytest.mark.parametrize("twenty", [(7, 12, 1), (20, 0, 0), (0, 20, 0), (0, 0, 20), (10, 10, 0), (1, 1, 18)])
def test_twenty_squares_are_twenty_battles(twenty: tuple[int, int, int]) -> None:
    picture = draw(twenty=twenty)
    found = [at(picture, 58 + 36 * index, 226) for index in range(20)]
    assert found == [rgb(GROUND)] * twenty[0] + [rgb(DRAW)] * twenty[2] + [rgb(ATTACKER)] * twenty[1]


@pytest.mark.parametrize(("side", "colour"), [("attacker", ATTACKER), ("defender", DEFENDER)])
def test_a_certain_outcome_is_one_bar(side: str, colour: str) -> None:
    attacks = side == "attacker"
    numbers = ("0%", "100%", "0%") if attacks else ("100%", "0%", "0%")
    chances = (0.0, 1.0, 0.0) if attacks else (1.0, 0.0, 0.0)
    picture = draw(chances, [(0.0, 1.0)] if attacks else [], [] if attacks else [(0.0, 1.0)], numbers)
    assert len(runs(picture, colour)) == 1
    assert not runs(picture, DEFENDER if attacks else ATTACKER)
    assert "lost nothing: 100%" in words()
    assert f"IPC the {side} lost" in words()
    assert f"IPC the {'defender' if attacks else 'attacker'} lost" not in words()
    assert "0" in words()


def test_a_bar_is_certain_only_where_its_side_is() -> None:
    draw((0.0, 1.0, 0.0), [(0, 0.0002), (5, 0.9998)], [], ("0%", "100%", "0%"))
    assert "lost 5: >99.9%" in words()


def test_no_ends_no_bars() -> None:
    picture = draw((0.0, 0.0, 1.0), [], [(3, 0.0)], ("0%", "0%", "100%"), (0, 0, 20))
    assert not runs(picture, ATTACKER)
    assert not runs(picture, DEFENDER)
    assert not [word for word in words() if "IPC the" in word or "lost" in word]
    check_readable()


def test_tails_are_cut() -> None:
    picture = draw((0.0015, 0.9985, 0.0), [(0, 0.001), (3, 0.997), (6, 0.0005)], [(3, 0.0015)])
    assert len(runs(picture, ATTACKER)) == 1
    assert not runs(picture, DEFENDER)


@pytest.mark.parametrize(
    ("lost", "told"),
    [(14, "lost 14"), (14.5, "lost 14.5"), (0, "lost nothing"), (-0.0, "lost nothing"), (-5, "gained 5")],
)
def test_the_tallest_bar_is_named(lost: float, told: str) -> None:
    draw((0.37, 0.63, 0.0), [(lost, 0.3), (40, 0.33 / 2), (41, 0.33 / 2)], [(30, 0.27), (20, 0.1)])
    assert f"{told}: 30.0%" in words()


def test_a_bar_for_each_amount_as_long_as_there_are_few() -> None:
    scattered: Losses = [(7 * k + k % 3, 1 / 44) for k in range(22)]
    picture = draw((0.5, 0.5, 0.0), scattered, scattered)
    assert len(runs(picture, ATTACKER)) == 22
    assert not [word for word in words() if "per bar" in word]
    picture = draw((0.5, 0.5, 0.0), [*scattered, (500.5, 1 / 44)], scattered)
    assert len(runs(picture, ATTACKER)) < 22
    assert "20 IPC per bar" in words()


@pytest.mark.parametrize(
    ("attacker", "defender", "told", "bars"),
    [
        ([(k, 0.01) for k in range(50)], [(k, 0.01) for k in range(25)], "2 IPC per bar", (25, 13)),
        ([(k / 2, 0.01) for k in range(88)], [], "1 IPC per bar", (44, 0)),
        ([(k, 0.01) for k in range(-50, 50)], [], "5 IPC per bar", (20, 0)),
        ([(30 * k, 0.002) for k in range(100)], [(30 * k, 0.002) for k in range(100)], "200 per bar", (15, 15)),
        ([(12.5 * k, 0.001) for k in range(401)], [(5000, 0.5)], "200 per bar", (25, 1)),
    ],
)
def test_many_amounts_share_bars(attacker: Losses, defender: Losses, told: str, bars: tuple[int, int]) -> None:
    total = [sum(chance for _, chance in side) for side in (defender, attacker)]
    picture = draw((total[0], total[1], 0.0), attacker, defender)
    assert [word for word in words() if "per bar" in word] == [told]
    assert len(runs(picture, ATTACKER)) == bars[0]
    assert len(runs(picture, DEFENDER, BASE - 12)) == 2 * bars[1]
    assert len(runs(picture, ATTACKER)) + bars[1] <= MOST_BARS


def test_what_is_counted_is_named() -> None:
    draw(money="units")
    assert {"units the defender lost", "units the attacker lost"} <= set(words())
    assert not [word for word in words() if "IPC" in word.removesuffix(TAIL)]
    many: Losses = [(k, 0.01) for k in range(50)]
    draw((0.5, 0.5, 0.0), many, many, money="points")
    assert {"points lost", "5 per bar"} <= set(words()), "where there is no room for more, colours say whose"


def test_a_shared_bar_tells_the_amounts_in_it() -> None:
    attacker: Losses = [(k, 0.02 if 30 <= k < 35 else 0.009) for k in range(100)]
    draw((0.0, 1.0, 0.0), attacker, [])
    assert [word for word in words() if word.startswith("lost 30–34: ")]


@pytest.mark.parametrize("size", [1, 2, 3, 4, 9, 21])
@pytest.mark.parametrize("apart", [1, 3, 2.5, 7])
def test_at_most_three_amounts_stand_below_a_side(size: int, apart: float) -> None:
    law: Losses = [(apart * k + 0.5, 0.5 / size) for k in range(size)]
    draw((0.5, 0.5, 0.0), law, law)
    ticks = [box for text, box in written() if text.get_color() == QUIET and BASE < box.top < BASE + 24]
    for here in ([box for box in ticks if box.left < WIDTH / 2], [box for box in ticks if box.left >= WIDTH / 2]):
        assert min(size, 2) <= len(here) <= 3


def test_the_same_battle_gives_the_same_bytes() -> None:
    first = draw().tobytes()
    draw((0.5, 0.5, 0.0), MANY, MANY)
    assert draw().tobytes() == first
    assert the_sheet().figure.texts[0].get_text() == "6 against 4"
