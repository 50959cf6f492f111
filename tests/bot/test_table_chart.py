"""Tables of chances as pictures: the right colour for every cell, and where it turns."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.charts.bars import space_apart
from bot.charts.grid import Grid
from bot.charts.style import GROUND, HEAT, HEAT_STEPS, INK, chance_colours, heat_colours
from bot.games.dice.table_chart import draw_table
from tests.helpers.bot.readable import at, chances, check_readable, pixels, rgb, titles, words
from tests.helpers.cases import each
from tests.helpers.extent import examples

Table = npt.NDArray[np.float64]


def table(attackers: int, defenders: int, edge: float = 0.85, width: float = 1.0) -> Table:
    """A table that looks as one of odds does."""
    a, d = np.ogrid[: attackers + 1, : defenders + 1]
    odds: Table = 1 / (1 + np.exp(np.clip((edge * d - a) / width / np.sqrt(a + d + 1.0), -60, 60)))
    return odds


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Tables of every shape, smooth ones and wild ones."""
    attackers, defenders = draw(st.tuples(st.integers(1, 60), st.integers(1, 60)))
    if draw(st.booleans()):
        return table(attackers, defenders, draw(st.floats(0, 30)), draw(st.floats(0.01, 10)))
    few = draw(st.lists(chances, min_size=1, max_size=7))
    return np.resize(np.array(few), (attackers + 1, defenders + 1))


def luminance(colour: tuple[int, int, int]) -> float:
    parts = [part / 255 / 12.92 if part < 10.3 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@pytest.mark.whole
@examples(25)
@given(titles, tables(), st.tuples(st.integers(1, 60), st.integers(1, 60)) | st.none())
def test_every_table_can_be_read(title: str, chances: Table, ring: tuple[int, int] | None) -> None:
    pixels(draw_table(title, chances, ring))
    check_readable()


@each(
    [
        (lambda: table(1, 1), (1, 1)),
        (lambda: table(8, 9, width=0.01), (8, 9)),
        (lambda: table(400, 400), (400, 400)),
        (lambda: table(2000, 2000), (2000, 2000)),
        (lambda: table(2000, 1), (2000, 1)),
        (lambda: table(1, 2000), (1, 2000)),
        (lambda: np.ones((13, 10)), (12, 9)),
        (lambda: np.zeros((13, 10)), None),
    ]
)
def test_tables_at_their_limits_can_be_read(chances: Callable[[], Table], ring: tuple[int, int] | None) -> None:
    pixels(draw_table("2000 with 12 bombers against 2000, stop at 40, house", chances(), ring))
    check_readable()


def test_a_title_of_a_table_too_wide_is_cut() -> None:
    draw_table("W" * 52, table(8, 9), None)
    check_readable()
    assert words()[0].startswith("WWW")
    assert words()[0].endswith("…")


def test_colours_get_brighter_with_every_step() -> None:
    """So the map reads in grey, too; its ends are told apart by the colour-blind as blue and yellow."""
    bright = [luminance((int(red), int(green), int(blue))) for red, green, blue in heat_colours()]
    assert len(bright) == HEAT_STEPS + 1
    assert all(one < other for one, other in pairwise(bright))
    assert (bright[0] + 0.05) / (luminance(rgb(GROUND)) + 0.05) >= 3, "the map stands out from the ground"
    assert (chance_colours(np.array([0.0, 1.0])) == [rgb(HEAT[0]), rgb(HEAT[-1])]).all()


def test_attackers_go_right_and_defenders_up() -> None:
    chances = table(12, 10, width=3.0)
    picture, grid = pixels(draw_table("12 against 10", chances, None)), Grid((1, 1), (12, 10))
    for attackers in range(1, 13):
        for defenders in range(1, 11):
            x, y = grid.centre(attackers, defenders)
            expected = chance_colours(chances[attackers, defenders])
            assert np.abs(np.array(at(picture, x, y)) - expected).max() <= 8, (attackers, defenders)


def test_brighter_cells_have_the_greater_chance() -> None:
    """Numbers stand in the middle, so the corners of the cells are looked at."""
    chances = table(6, 6)
    picture, grid = pixels(draw_table("6 against 6", chances, None)), Grid((1, 1), (6, 6))
    cells = [(attackers, defenders) for attackers in range(1, 7) for defenders in range(1, 7)]
    cells.sort(key=lambda cell: chances[cell])
    seen = []
    for cell in cells:
        x, y = grid.centre(*cell)
        seen.append(luminance(at(picture, x - 30, y - 20)))
    assert all(one <= other + 0.02 for one, other in pairwise(seen))
    assert seen[-1] - seen[0] > 0.3


def test_a_large_table_is_made_smaller_not_cut() -> None:
    chances = np.zeros((2001, 2001))
    chances[1001:, :1001] = 1.0
    picture, grid = pixels(draw_table("2000 against 2000", chances, None)), Grid((1, 1), (2000, 2000))
    middle_x, middle_y = grid.left + grid.width // 2, grid.top + grid.height // 2
    low, high = rgb(HEAT[0]), rgb(HEAT[-1])
    for x, y, expected in [
        (grid.right - 2, grid.bottom - 2, high),
        (middle_x + 5, middle_y + 5, high),
        (middle_x - 5, middle_y + 5, low),
        (middle_x + 5, middle_y - 5, low),
        (grid.left + 1, grid.top + 1, low),
    ]:
        assert np.abs(np.subtract(at(picture, x, y), expected)).max() <= 8, (x, y)


@each(
    [
        (table(25, 19), ["50%", "80%", "95%"]),
        (np.where(table(25, 19) < 0.5, 0.1, 0.9), ["50%", "80%"]),
        (np.where(table(25, 19) < 0.5, 0.1, 0.6), ["50%"]),
        (np.where(table(25, 19) < 0.5, 0.85, 0.99), ["95%"]),
        (np.full((26, 20), 0.99), []),
        (np.full((26, 20), 0.01), []),
    ]
)
def test_only_contours_in_the_table_are_named(chances: Table, named: list[str]) -> None:
    draw_table("12 against 9", chances, None)
    assert [word for word in words() if word.endswith("%")] == named


def test_a_contour_runs_between_cells() -> None:
    chances = np.full((7, 6), 0.4)
    chances[4:] = 0.6
    picture, grid = pixels(draw_table("6 against 5", chances, None)), Grid((1, 1), (6, 5))
    ink = rgb(INK)
    edge = grid.left + grid.width // 2
    for y in range(grid.top + 5, grid.bottom - 5, 7):
        assert at(picture, edge, y) == ink
        assert {at(picture, edge + side, y) for side in (-2, 1)} == {rgb(GROUND)}, "it stands out from bright cells"
        assert at(picture, edge - 12, y) not in (ink, rgb(GROUND))
        assert at(picture, edge + 12, y) not in (ink, rgb(GROUND))
    assert "50%" in words()


@each([(6, 5, (2, 4)), (25, 19, (12, 9)), (300, 300, (7, 250))])
def test_the_cell_of_the_battle_is_ringed_and_written(attackers: int, defenders: int, ring: tuple[int, int]) -> None:
    chances = table(attackers, defenders)
    ringed = pixels(draw_table("ringed", chances, ring))
    plain = pixels(draw_table("ringed", chances, None))
    grid = Grid((1, 1), (attackers, defenders))
    left, top, right, bottom = (int(part) for part in (grid.left - 20, grid.top - 20, grid.right + 20, grid.bottom))
    changed = np.argwhere(np.any(np.asarray(ringed) != np.asarray(plain), axis=2)[top:bottom, left:right])
    middle = (changed.min(axis=0) + changed.max(axis=0)) / 2
    x, y = grid.centre(*ring)
    assert abs(middle[1] + left - x) < 3
    assert abs(middle[0] + top - y) < 3
    assert rgb(INK) in {at(ringed, column + left, row + top) for row, column in changed}
    draw_table("ringed", chances, ring)
    assert f"{ring[0]} against {ring[1]}: {100 * chances[ring]:.1f}%" in words() or chances[ring] < 0.0005


@pytest.mark.whole
@examples(25)
@given(titles, tables(), st.integers(1, 60), st.integers(1, 60), st.sampled_from([1, 2, 30, 1000]))
def test_a_table_with_armies_that_stay_behind_can_be_read(
    title: str, chances: Table, attackers: int, defenders: int, behind: int
) -> None:
    pixels(draw_table(title, chances, (attackers, defenders), behind))
    check_readable()


@pytest.mark.parametrize(("attackers", "defenders"), [(6, 5), (25, 19)])
def test_the_axis_of_a_table_counts_armies_that_stay_behind(attackers: int, defenders: int) -> None:
    """The map is the same; only its numbers are higher."""
    chances, ring = table(attackers, defenders), (4, 3)
    rollers = pixels(draw_table("behind", chances, ring))
    assert f"4 against 3: {100 * chances[ring]:.1f}%" in words()
    counted = pixels(draw_table("behind", chances, ring, 1))
    assert f"5 against 3: {100 * chances[ring]:.1f}%" in words()
    assert "attackers, 1 of whom stays behind" in words()
    grid = Grid((1, 1), (attackers, defenders))
    box = int(grid.left), int(grid.top), int(grid.right), int(grid.bottom)
    assert np.array_equal(np.asarray(rollers.crop(box)), np.asarray(counted.crop(box)))


def test_chances_are_written_in_cells_with_room() -> None:
    chances = np.array([[0.5, 0.5, 0.5], [0.5, 0.004, 0.417], [0.5, 0.786, 0.9999]])
    draw_table("2 against 2", chances, None)
    assert {"<1", "42", "79", ">99", "attacker's chance to win, in %"} <= set(words())
    for large in (np.full((21, 21), 0.42), np.full((21, 3), 0.42), np.full((3, 21), 0.42)):
        draw_table("too many", large, None)
        assert "42" not in words()
        assert "attacker's chance to win" in words()


def test_an_axis_of_a_table_has_at_most_five_ticks() -> None:
    draw_table("2000 against 73", table(2000, 73), None)
    assert [word for word in words() if word.isdigit()] == ["500", "1000", "1500", "2000", "20", "40", "60"]


def test_equal_tables_have_identical_pictures() -> None:
    first = draw_table("12 against 9", table(25, 19), (12, 9))
    draw_table("6 against 6", table(6, 6), (3, 3))
    assert draw_table("12 against 9", table(25, 19), (12, 9)) == first


@given(st.lists(st.floats(0, 700), max_size=6).map(sorted), st.floats(1, 100))
def test_labels_of_contours_are_spaced_apart_inside_the_picture(wanted: list[float], gap: float) -> None:
    places = space_apart(wanted, gap, 0, 700)
    assert len(places) == len(wanted)
    assert all(other - one >= gap - 1e-6 for one, other in pairwise(places))
    assert all(-1e-6 <= place <= 700 + 1e-6 for place in places)
    if all(other - one >= gap for one, other in pairwise(wanted)):
        assert places == pytest.approx(wanted)
