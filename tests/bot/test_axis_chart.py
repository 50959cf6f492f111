"""The odds of Axis & Allies battles as pictures: who wins, and the TUV swing."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from bot.charts.bars import CUT_TAIL, MOST_BARS, swing_bars
from bot.charts.sheet import the_sheet
from bot.charts.style import ATTACKER, DEFENDER, DRAW, GROUND, INK, LEFT, QUIET, RIGHT, SMALL
from bot.games.axis.chart import BASE, TALLEST, draw_axis
from bot.games.axis.money import signed_money
from bot.games.axis.swing import DrawnSwings
from bot.words.numbers import split_of_twenty, unsure_percent
from tests.helpers.bot.readable import at, check_readable, heights, pixels, rgb, runs, titles, words, written
from tests.helpers.cases import each
from tests.helpers.extent import examples

Swings = list[tuple[float, float, float, float]]
NAMES = ("attacker takes it", "defender holds", "no winner")
FEW: Swings = [(-9, 0, 0.2, 0), (-3, 0, 0.15, 0), (0, 0.05, 0, 0.02), (3, 0.3, 0, 0), (9, 0.28, 0, 0)]
FOOTERS = (
    "8 battles in 10: TUV swing −9 to +9, average +1.5",
    "8 battles in 10: −9 to +9, average +1.5",
    "8 battles in 10: −9 to +9",
)


def even(amounts: list[float]) -> Swings:
    """Swings that are all as likely, the attacker's above 0."""
    share = 1 / len(amounts)
    return [(amount, share * (amount > 0), share * (amount < 0), share * (amount == 0)) for amount in amounts]


@st.composite
def laws(draw: st.DrawFn) -> Swings:
    """TUV swings, the least first, with the chances of all three ends."""
    size, apart = draw(st.sampled_from([1, 2, 3, 8, 45, 400])), draw(st.sampled_from([0.5, 1, 3, 12.5, 1000]))
    first = draw(st.integers(-2000, 500) | st.sampled_from([0.5, -14.25, 1e7]))
    if size < 9:
        weights = np.array(draw(st.lists(st.tuples(*[st.floats(1e-6, 1)] * 3), min_size=size, max_size=size)))
    else:
        weights = np.outer(np.hanning(size + 2)[1:-1], [1, 1, 0])
    shares: list[list[float]] = (weights / weights.sum()).tolist()
    return [(float(first + apart * place), *share) for place, share in enumerate(shares)]  # type: ignore[misc]


def draw(
    swings: Swings = FEW,
    titles: tuple[str, ...] = ("3 inf against 2 inf",),
    others: tuple[str, ...] = (),
    counted: str = "IPC",
    names: tuple[str, str, str] = NAMES,
) -> Image.Image:
    """A picture with the usual words."""
    attacker, defender, neither = (sum(swing[part] for swing in swings) for part in (1, 2, 3))
    numbers = unsure_percent(attacker), unsure_percent(defender), unsure_percent(neither) if neither > 0.0005 else ""
    twenty = split_of_twenty((attacker, defender, neither))
    captions = others or ["20 such battles"]
    drawn = DrawnSwings(titles, ["A&A 1942"], names, numbers, twenty, captions, swings, FOOTERS)
    return pixels(draw_axis(drawn, counted))


@pytest.mark.whole
@examples(25, derandomize=True)
@given(titles, laws(), st.sampled_from(["IPC", "units", "points"]))
@example("$a_b$ *c*", even([-10.0, 0.0, 10.0]), "IPC")
@example("far", even([2e9 * k for k in range(-30, 30)]), "points")
def test_every_picture_of_armies_can_be_read(title: str, swings: Swings, counted: str) -> None:
    draw(swings, (title,), counted=counted)
    check_readable()
    assert {NAMES[0], NAMES[1], f"attacker's TUV swing in {counted}"} <= set(words())
    assert any(text.get_color() == DRAW for text, _ in written()) is (sum(swing[3] for swing in swings) > 0.0005)


@examples(25, derandomize=True)
@given(laws())
def test_bars_of_the_swing_show_nearly_all_of_its_law(swings: Swings) -> None:
    bars, step, shared = swing_bars(swings)
    assert len(bars) <= MOST_BARS
    for part in range(3):
        total = sum(swing[part + 1] for swing in swings)
        assert total - 2 * CUT_TAIL - 1e-9 <= sum(bar.parts[part] for bar in bars) <= total + 1e-9
    assert shared is any(bar.possible > 1 for bar in bars)
    for bar in bars:
        assert bar.x - bar.pitch / 2 >= LEFT - 1e-9
        assert bar.x + bar.pitch / 2 <= RIGHT + 1e-9
        assert bar.low // step == bar.high // step
    for bar, after in pairwise(bars):
        assert after.x - bar.x == pytest.approx((after.low // step - bar.low // step) * bar.pitch)


def test_the_attacker_and_its_worst_swing_stand_on_the_left() -> None:
    picture = draw()
    place = {text.get_text(): box.left for text, box in written()}
    assert place["63.0%"] < place["2.0%"] < place["35.0%"]
    assert place["attacker takes it"] < place["no winner"] < place["defender holds"]
    assert place["−9"] < place["−3"] < place["0"] < place["+3"] < place["+9"]
    found = [at(picture, 58 + 36 * index, 226) for index in range(20)]
    assert found == [rgb(ATTACKER)] * 13 + [rgb(GROUND)] * 7


def test_bars_are_coloured_by_who_wins() -> None:
    picture = draw()
    solid, edges = runs(picture, ATTACKER, BASE - 1), runs(picture, DEFENDER, BASE - 10)
    assert len(solid) == 3
    assert len(edges) == 4, "a hollow bar is cut at its two sides"
    assert max(end for _, end in edges) < min(start for start, _ in solid)
    assert at(picture, (edges[0][1] + edges[1][0]) / 2, BASE - 10) == rgb(GROUND)
    assert heights(picture, ATTACKER, BASE)[1:] == pytest.approx([TALLEST, TALLEST * 0.28 / 0.3], abs=2)
    stacked = at(picture, (solid[0][0] + solid[0][1]) / 2, BASE - TALLEST * 0.06 / 0.3)
    assert stacked == rgb(DRAW), "what nobody wins stands on what the attacker wins"


def test_each_kind_of_bar_stands_before_its_name() -> None:
    """The legend: a solid square, a hollow one, and a grey one only where nobody may win."""
    picture = draw()
    boxes = {text.get_text(): box for text, box in written()}
    for name, colour in zip(NAMES, (ATTACKER, GROUND, DRAW), strict=True):
        box = boxes[name]
        assert at(picture, box.left - 18, (box.top + box.bottom) / 2) == rgb(colour), name
    draw(even([-3.0, 3.0]))
    assert "no winner" not in words()


def test_words_of_both_sides_have_their_colours() -> None:
    draw(others=("attacker clears it 1.5%, both wiped out 0.5%",))
    colours = {text.get_text(): text.get_color() for text, _ in written()}
    assert (colours["63.0%"], colours["35.0%"], colours["2.0%"]) == (ATTACKER, DEFENDER, DRAW)
    assert colours["+3: 30.0%"] == colours[FOOTERS[0]] == INK
    assert colours["attacker clears it 1.5%, both wiped out 0.5%"] == QUIET
    assert "20 such battles" not in words()
    draw()
    assert "20 such battles" in words()


def test_the_largest_chance_has_the_largest_letters() -> None:
    for neither, largest in ((0.47, "47.0%"), (0.45, "46.0%")):
        draw([(-3, 0, 0.99 - 0.46 - neither, 0), (0, 0, 0, neither), (3, 0.46, 0, 0), (6, 0, 0.01, 0)])
        assert max(written(), key=lambda word: float(word[0].get_fontsize()))[0].get_text() == largest


def test_no_chance_is_written_larger_than_a_chance_above_it() -> None:
    for attacker, neither in ((0.56, 0.44), (0.5, 0.5), (0.44, 0.56), (0.2, 0.1)):
        chances = attacker, 1 - attacker - neither, neither
        draw([(-3, 0, chances[1], 0), (0, 0, 0, neither), (3, attacker, 0, 0)])
        large = [text for text, _ in written() if text.get_fontweight() == "bold"]
        sizes = {text.get_color(): float(text.get_fontsize()) for text in large}
        ranked = sorted(zip(chances, (ATTACKER, DEFENDER, DRAW), strict=True))
        assert all(sizes[less] <= sizes[more] for (_, less), (_, more) in pairwise(ranked)), chances
        assert (sizes[ATTACKER] == sizes[DRAW]) is (attacker == neither), chances


def test_the_edition_leaves_room_above_large_letters() -> None:
    draw([(-3, 0, 0.1, 0), (0, 0, 0, 0.9)])
    ((edition, _),) = [(box, text) for text, box in written() if text.get_text() == "A&A 1942"]
    ((number, _),) = [(box, text) for text, box in written() if text.get_text() == "90.0%"]
    assert number.top - edition.bottom >= 6


def test_0_is_marked_where_the_swing_may_be_more_or_less() -> None:
    picture = draw(even([-20.0, 30.0]))
    (box,) = [box for text, box in written() if text.get_text() == "0"]
    middle = (box.left + box.right) / 2
    assert any(at(picture, middle + off, BASE - 100) == rgb(QUIET) for off in (-1, 0, 1))
    draw(even([20.0, 30.0]))
    assert "0" not in words()


@each([-5, 0, 14.5, 1200])
def test_a_swing_that_is_always_the_same_is_one_certain_bar(swing: float) -> None:
    picture = draw([(swing, 1.0, 0.0, 0.0)])
    assert len(runs(picture, ATTACKER, BASE - 1)) == 1
    assert {f"{signed_money(swing)}: 100%", signed_money(swing)} <= set(words())


def test_a_bar_is_certain_only_where_no_other_swing_is_possible() -> None:
    draw([(0, 0.0002, 0, 0), (5, 0.9998, 0, 0)])
    assert "+5: >99.9%" in words()


@each(
    [
        ([3.0 * k for k in range(-20, 20)], [], None),
        ([float(k) for k in range(-22, 22)], [], None),
        ([float(k) for k in range(-50, 50)], ["bars of 5 IPC"], "−50 to −46: 5.0%"),
        ([3.0 * k for k in range(100)], ["bars of 15 IPC"], "0 to +12: 5.0%"),
        ([k / 2 for k in range(88)], ["bars of 2.5 IPC"], None),
        ([30.0 * k for k in range(-100, 100)], ["bars of 300 IPC"], None),
    ]
)
def test_bars_of_wide_laws_share_equally_many_swings(
    amounts: list[float], told: list[str], tallest: str | None
) -> None:
    draw(even(amounts))
    assert [word for word in words() if word.startswith("bars of")] == told
    assert tallest is None or tallest in words()
    bars, _step, _shared = swing_bars(even(amounts))
    assert len({bar.possible for bar in bars[1:-1]}) == 1, "no teeth where there are none"


def test_the_name_of_a_tall_bar_at_the_edge_stays_inside_the_margins() -> None:
    for amounts in (
        [(-300.0, 0.0, 0.9, 0.0), (300.0, 0.1, 0.0, 0.0)],
        [(-300.0, 0.0, 0.1, 0.0), (300.0, 0.9, 0.0, 0.0)],
    ):
        draw(amounts)
        (box,) = [box for text, box in written() if text.get_text().endswith(": 90.0%")]
        assert box.left >= LEFT - 1
        assert box.right <= RIGHT + 1


LONG = (
    "12 inf 4 art 6 arm 5 fig 2 bom against 15 inf 3 art 3 arm 4 fig 2 aa",
    "12 inf 4 art 6 arm 5 fig 2 bom against\n15 inf 3 art 3 arm 4 fig 2 aa",
    "12 inf 4 art 6 arm 5 fig 2 bom against 27 units",
)


def test_a_title_is_never_cut() -> None:
    draw(titles=LONG)
    assert LONG[1] in words(), "on two lines"
    check_readable()
    draw(titles=("W" * 90, f"{'W' * 60}\n{'W' * 60}", "29 units against 27 units"))
    assert "29 units against 27 units" in words()
    assert not [word for word in words() if "…" in word]


def test_wide_names_of_ends_stand_on_two_lines() -> None:
    draw(names=("attacker conquers the territory", "defender holds the territory", "nobody wins the territory"))
    check_readable()
    assert not [word for word in words() if "…" in word]
    assert all(float(text.get_fontsize()) / 0.72 >= SMALL - 1e-9 for text, _ in written())


@pytest.mark.parametrize(("wide", "shown"), [(0, FOOTERS[0]), (40, FOOTERS[2])])
def test_the_footer_drops_words_before_letters(wide: int, shown: str) -> None:
    footers = (*(footer + "W" * wide for footer in FOOTERS[:2]), FOOTERS[2])
    draw_axis(DrawnSwings(["A"], ["B"], NAMES, ("50.0%", "50.0%", ""), (10, 10, 0), [""], FEW, footers))
    assert shown in words()


def test_equal_battles_of_armies_have_identical_pictures() -> None:
    first = draw().tobytes()
    draw(even([float(k) for k in range(-50, 50)]))
    assert draw().tobytes() == first
    assert the_sheet().canvas.texts[0].get_text() == "3 inf against 2 inf"
