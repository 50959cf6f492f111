"""Two plans as one picture: one above the other, on one scale."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from bot.charts.bars import CUT_TAIL, MOST_BARS
from bot.charts.plans import BASE, LOWER, STRIP, TALLEST, _scale, draw_plans
from bot.charts.style import ATTACKER, DEFENDER, DRAW, GROUND, INK, LEFT, QUIET, RIGHT, WIDTH
from bot.words.compared_plan import DrawnPlan, Law, Three
from bot.words.numbers import unsure_percent
from tests.helpers.bot.readable import at, check_readable, pixels, rgb, titles, words, written
from tests.helpers.cases import each
from tests.helpers.extent import examples

NAMES = ("attacker wins", "defender holds")
OTHERS = ("neither", "called off")


def law(ends: dict[float, Three]) -> Law:
    """The ends in order with the chances of each that the attacker wins there, the defender does, nobody does."""
    places = np.array(sorted(ends), float)
    return places, np.array([ends[place] for place in places.tolist()]).reshape(-1, 3).T


A = law({-2: (0, 0.1, 0), -1: (0, 0.2, 0), 0: (0, 0, 0.05), 1: (0.15, 0, 0), 2: (0.3, 0, 0), 3: (0.2, 0, 0)})
B = law({-3: (0, 0.05, 0), 2: (0.35, 0, 0), 3: (0.6, 0, 0)})


def drawn(
    texts: Sequence[Sequence[str]],
    chances: Sequence[Three],
    numbers: Sequence[tuple[str, str, str]],
    laws: Sequence[Law] | None,
    others: tuple[str, str] = OTHERS,
) -> list[DrawnPlan]:
    """Two plans of these parts."""
    parts = zip(texts, chances, numbers, others, laws or (None, None), strict=True)
    return [DrawnPlan(*plan) for plan in parts]


def draw(laws: list[Law] | None = None, measure: str = "armies", bands: bool = False) -> Image.Image:
    """A picture with the usual words."""
    laws = laws or [A, B]
    chances = [(float(of[0].sum()), float(of[1].sum()), float(of[2].sum())) for _, of in laws]
    numbers = [(unsure_percent(one), unsure_percent(other), unsure_percent(rest)) for one, other, rest in chances]
    told = [["12 against 9"], ["the same with stop:4"]]
    shown = None if bands else laws
    return pixels(draw_plans(["B: +30.0 points to win"], drawn(told, chances, numbers, shown), NAMES, measure))


def runs(picture: Image.Image, colour: str, row: float) -> list[tuple[int, int]]:
    """Where in a row a colour begins and ends."""
    here = [at(picture, x, row) == rgb(colour) for x in range(WIDTH)]
    edges = np.flatnonzero(np.diff([False, *here, False]))
    return [(int(start), int(end)) for start, end in zip(edges[::2], edges[1::2], strict=True)]


def heights(picture: Image.Image, colour: str, base: int) -> list[int]:
    """How tall the bars of a colour are that stand on a line, from left to right."""
    found = []
    for start, end in runs(picture, colour, base - 1):
        column = [y for y in range(base - int(TALLEST) - 4, base) if at(picture, (start + end) / 2, y) == rgb(colour)]
        found.append(base - min(column))
    return found


amounts = st.lists(
    st.integers(-60, 60) | st.sampled_from([0.5, -3.25, 1 / 3, 400, -400]) | st.floats(-1e9, 1e9, allow_nan=False),
    min_size=0,
    max_size=40,
    unique=True,
)


@st.composite
def laws(draw: st.DrawFn) -> Law:
    """Ends of any plan: few or many, near or far, all certain or hardly any."""
    spaced = draw(st.sampled_from([None, 0.5, 1, 3, 12.5]))
    if spaced is not None:
        size, first = draw(st.sampled_from([1, 2, 44, 45, 46, 300])), draw(st.integers(-200, 200))
        places = (np.arange(size, dtype=np.float64) + first) * spaced
    else:
        places = np.array(sorted(round(amount, 6) for amount in draw(amounts)), float)
    weights = np.random.default_rng(draw(st.integers(0, 9))).random((3, len(places)))
    weights *= draw(st.sampled_from([[1, 1, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]).map(np.array))[:, None]
    return places, weights / (weights.sum() or 1)


@examples(25, derandomize=True)
@given(titles, st.tuples(titles, titles), laws(), laws(), st.sampled_from(["armies", "IPC", "points"]), st.booleans())
@example("$a_b$ *c*", ("_1_", "`2`"), A, B, "armies", False)
@example("W" * 52, ("W" * 90, "M" * 90), A, A, "IPC", False)
def test_every_two_plans_can_be_read(
    title: str, told: tuple[str, str], first: Law, second: Law, measure: str, bands: bool
) -> None:
    if measure == "armies":
        first, second = (
            (np.unique(np.rint(of[0])), of[1][:, : len(np.unique(np.rint(of[0])))]) for of in (first, second)
        )
    both = [first, second]
    chances = [(float(of[0].sum()), float(of[1].sum()), float(of[2].sum())) for _, of in both]
    numbers = [(unsure_percent(one), unsure_percent(other), unsure_percent(rest)) for one, other, rest in chances]
    plans = drawn([[one] for one in told], chances, numbers, None if bands else both)
    pixels(draw_plans([title], plans, NAMES, measure))
    check_readable()
    shown = words()
    assert {*NAMES, "A", "B"} <= set(shown)
    for of, (wins, holds, rest), name in zip(chances, numbers, OTHERS, strict=True):
        assert {wins, holds} <= set(shown)
        assert (f"{name} {rest}" in shown) is (of[2] > 0.0005)


@examples(25, derandomize=True)
@given(laws(), laws())
def test_bars_show_nearly_all_of_both_laws(first: Law, second: Law) -> None:
    if not len(first[0]) and not len(second[0]):
        return
    scale = _scale([first, second])
    assert 1 <= scale.bars <= MOST_BARS
    assert scale.start >= LEFT - 1e-9
    assert scale.start + scale.bars * scale.pitch <= RIGHT + 1e-9
    for places, chances in (first, second):
        bars = scale.bin_law((places, chances))
        assert (bars.sum(axis=1) <= chances.sum(axis=1) + 1e-9).all()
        assert bars.sum() >= chances.sum() * (1 - 2 * CUT_TAIL) - 1e-9


def test_no_bars_stand_where_a_plan_hardly_ever_ends() -> None:
    """The second plan widens the scale; what the first has there are its own tails, and a gap."""
    tails: Three = (0.0005, 0, 0)
    first = law({1: tails, 2: tails, 10: (0.5, 0, 0), 15: (1e-9, 0, 0), 20: (0.498, 0, 0), 30: tails, 31: tails})
    second = law({-2: (0, 0.5, 0), 31: (0.5, 0, 0)})
    picture = draw([first, second])
    assert heights(picture, ATTACKER, BASE) == pytest.approx([TALLEST * 0.996, TALLEST], abs=2)
    assert len(runs(picture, ATTACKER, BASE + LOWER - 2)) == 1


def test_titles_that_are_too_long_are_cut() -> None:
    chances = [(0.3, 0.3, 0.4)] * 2
    numbers = [(">99.9%", ">99.9%", ">99.9%")] * 2
    pixels(draw_plans(["W" * 90], drawn([["W" * 90]] * 2, chances, numbers, [A, B]), ("x" * 30, "y" * 60), "IPC"))
    check_readable()


def test_the_first_title_that_fits_is_written() -> None:
    numbers = [("79.0%", "21.0%", "0%")] * 2
    titles, plans = ["W" * 60, "A: +2 points to win"], [["M" * 80, "59 units against 47 units"]] * 2
    draw_plans(titles, drawn(plans, [(0.79, 0.21, 0)] * 2, numbers, [A, B]), NAMES, "armies")
    assert "A: +2 points to win" in words()
    assert words().count("59 units against 47 units") == 2
    assert not [word for word in words() if "…" in word]


def test_bars_stand_above_each_other_and_are_as_tall_as_the_chances() -> None:
    picture = draw()
    for base, solid, hollow in ((BASE, [0.2, 0.3, 0.15], [0.2, 0.1]), (BASE + LOWER, [0.6, 0.35], [0.05])):
        assert heights(picture, ATTACKER, base) == pytest.approx([TALLEST * one / 0.6 for one in solid], abs=2)
        assert heights(picture, DEFENDER, base) == pytest.approx([TALLEST * one / 0.6 for one in hollow], abs=2)
    upper, lower = runs(picture, ATTACKER, BASE - 2), runs(picture, ATTACKER, BASE + LOWER - 2)
    assert upper[:-1] == lower, "two and three are left in both plans, at the same places"
    assert heights(picture, DRAW, BASE) == pytest.approx([TALLEST * 0.05 / 0.6], abs=2)


def test_the_sides_differ_in_form_and_place() -> None:
    picture = draw()
    edges = runs(picture, DEFENDER, BASE - 10)
    assert len(edges) == 4, "each of two bars is cut at its two sides"
    assert at(picture, (edges[0][1] + edges[1][0]) / 2, BASE - 10) == rgb(GROUND)
    assert max(end for _, end in runs(picture, ATTACKER, BASE - 10)) < min(start for start, _ in edges)


def test_words_and_numbers_in_their_colours() -> None:
    draw()
    colours = {text.get_text(): text.get_color() for text, _ in written()}
    assert colours["65.0%"] == colours["95.0%"] == colours["attackers left"] == ATTACKER
    assert colours["30.0%"] == colours["5.0%"] == colours["defenders left"] == DEFENDER
    assert colours["neither 5.0%"] == DRAW
    assert colours["A"] == colours["B"] == INK
    assert colours["2 attackers left: 30.0%"] == colours["3 attackers left: 60.0%"] == INK
    assert colours["defender holds"] == colours["attacker wins"] == QUIET
    ticks = sorted((box.left, text.get_text()) for text, box in written() if BASE + LOWER < box.top < BASE + LOWER + 24)
    assert [tick for _, tick in ticks] == ["3", "2", "1", "0", "1", "2", "3"], "both sides grow outwards"


def test_the_largest_chance_of_two_plans_has_the_largest_letters() -> None:
    numbers = [("2.7%", "0.2%", "97.1%"), ("34.0%", "63.3%", "2.7%")]
    names = ("attack called off", "both sides are wiped out")
    shown = [(0.027, 0.002, 0.971), (0.34, 0.633, 0.027)]
    draw_plans(["A"], drawn([["1 inf"], ["2 inf"]], shown, numbers, None, names), NAMES, "armies")
    check_readable()
    size = {text.get_text(): float(text.get_fontsize()) for text, _ in written()}
    assert size["attack called off 97.1%"] > size["2.7%"] == size["0.2%"]
    assert size["34.0%"] == size["63.3%"] > size["both sides are\nwiped out 2.7%"]


def test_no_chance_is_written_larger_than_a_chance_above_it() -> None:
    numbers = [("56.0%", "0%", "44.0%"), ("50.0%", "0.0%", "50.0%")]
    draw_plans(["A"], drawn([["1"], ["2"]], [(0.56, 0, 0.44), (0.5, 0, 0.5)], numbers, None), NAMES, "armies")
    check_readable()
    size = {text.get_text(): float(text.get_fontsize()) for text, _ in written()}
    assert size["56.0%"] > size["neither 44.0%"] == size["0%"]
    assert size["50.0%"] == size["called off 50.0%"] > size["0.0%"]


def test_money_is_labelled_as_tuv_swing() -> None:
    first = law({-30: (0, 0.4, 0), 0: (0, 0, 0.1), 12: (0.5, 0, 0)})
    draw([first, first], "IPC")
    assert "+12: 50.0%" in words()
    assert "attacker's TUV swing in IPC" in words()
    assert {"−30", "0", "+10"} <= set(words())
    assert "attackers left" not in words()


@each(
    [
        (1, 44, "armies", "", "20 attackers left: 50.6%"),
        (1, 100, "armies", "5 per bar", "16–20 attackers left: 52.3%"),
        (1, 100, "IPC", "attacker's TUV swing in IPC, 5 per bar", "+20 to +24: 52.3%"),
        (3, 100, "IPC", "attacker's TUV swing in IPC, 15 per bar", "+60 to +72: 52.3%"),
        (0.5, 40, "IPC", "attacker's TUV swing in IPC", "+10: 50.6%"),
        (1.001, 100, "IPC", "attacker's TUV swing in IPC, 5 per bar", "+20.02 to +24.024: 52.3%"),
    ]
)
def test_bars_of_wide_laws_share_ends(apart: float, size: int, measure: str, per_bar: str, tallest: str) -> None:
    """All are equally likely but one, which is as likely as all of them together."""
    places = np.arange(size, dtype=np.float64) * apart
    chances = np.zeros((3, size), np.float64)
    chances[0] = 1 / (2 * size - 1)
    chances[0, 20] *= size
    draw([(places, chances), (places, chances)], measure)
    assert words().count(tallest) == 2
    assert per_bar in words() if per_bar else not [word for word in words() if "per bar" in word]


def test_a_certain_end_is_written_as_100_percent() -> None:
    draw([law({0: (0, 0, 1.0)}), B], "IPC")
    assert "0: >99.9%" in words(), "the numbers do not say so"
    chances, numbers = [(0.0, 0.0, 1.0), (0.95, 0.05, 0.0)], [("0%", "0%", "100%"), ("95.0%", "5.0%", "0%")]
    plans = [["stays away"], ["goes"]]
    pixels(draw_plans(["A"], drawn(plans, chances, numbers, [law({0: (0, 0, 1.0)}), B]), NAMES, "IPC"))
    assert "0: 100%" in words()


def test_plans_counted_in_different_units_are_bands() -> None:
    picture = draw(bands=True)
    room = RIGHT - LEFT
    for plan, (wins, holds, rest) in enumerate(((0.65, 0.3, 0.05), (0.95, 0.05, 0))):
        row = (STRIP[0] + STRIP[1]) / 2 + plan * LOWER
        ((start, end),) = runs(picture, ATTACKER, row)
        assert start == pytest.approx(LEFT, abs=1)
        assert end - start == pytest.approx(room * wins, abs=2)
        left, right = runs(picture, DEFENDER, row)
        assert right[1] == pytest.approx(RIGHT, abs=1)
        assert right[1] - left[0] == pytest.approx(room * holds, abs=2)
        assert sum(end - start for start, end in runs(picture, DRAW, row)) == pytest.approx(room * rest, abs=2)
    assert "attackers left" not in words()


def test_plans_without_an_end_have_no_bars() -> None:
    nothing = law({})
    picture = draw([nothing, nothing])
    assert not runs(picture, ATTACKER, BASE - 1)
    picture = draw([nothing, B])
    assert not runs(picture, ATTACKER, BASE - 1)
    assert len(runs(picture, ATTACKER, BASE + LOWER - 1)) == 2
    check_readable()


def test_equal_plans_have_identical_pictures() -> None:
    first = draw().tobytes()
    draw([B, A], "IPC")
    assert draw().tobytes() == first
    assert "B: +30.0 points to win" in words()
