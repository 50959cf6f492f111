"""Dice as pictures: what a round costs, and what a side rolls."""

from collections.abc import Mapping
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from bot.charts.losses import draw_losses
from bot.charts.style import ATTACKER, DEFENDER, DRAW, GROUND, QUIET
from bot.games.dice.rounds.chart import draw_roll
from tests.helpers.bot.readable import at, check_readable, pixels, rgb, titles, words
from tests.helpers.cases import each
from tests.helpers.extent import examples

Outcomes = list[tuple[int, int, float]]
RISK: Outcomes = [(0, 2, 2890 / 7776), (1, 1, 2611 / 7776), (2, 0, 2275 / 7776)]
ICONS: Outcomes = [(a, d, (a + 1) * (10 - d) / 3025) for a in range(10) for d in range(10)]


@st.composite
def rounds(draw: st.DrawFn) -> Outcomes:
    """What a round may cost, with every chance."""
    most = draw(st.sampled_from([1, 2, 3, 9, 40]))
    loss = st.integers(0, most)
    costs = draw(st.lists(st.tuples(loss, loss), min_size=1, max_size=100, unique=True))
    weights = draw(st.lists(st.floats(1e-6, 1), min_size=len(costs), max_size=len(costs)))
    return [(a, d, weight / sum(weights)) for (a, d), weight in zip(costs, weights, strict=True)]


def ranks(dice: int, sides: int, bonus: int = 0) -> list[dict[int, float]]:
    """The law of the highest of so many dice, of the second, and so on."""
    laws: list[dict[int, float]] = [{} for _ in range(dice)]
    for roll in product(range(1, sides + 1), repeat=dice):
        for law, value in zip(laws, sorted(roll, reverse=True), strict=True):
            law[value + bonus] = law.get(value + bonus, 0.0) + sides**-dice
    return laws


laws = st.dictionaries(st.integers(-30, 210), st.floats(1e-6, 1), min_size=1, max_size=60)


@examples(25)
@given(titles, rounds())
def test_every_round_can_be_read(title: str, outcomes: Outcomes) -> None:
    pixels(draw_losses(title, outcomes))
    check_readable()


@examples(25)
@given(titles, st.lists(laws, min_size=1, max_size=6))
def test_every_roll_can_be_read(title: str, rolled: list[dict[int, float]]) -> None:
    pixels(draw_roll(title, rolled))
    check_readable()


def test_pictures_at_their_limits_can_be_read() -> None:
    longest = "6 dice of 200 with all rerolled against 6 dice of 200"[:52]
    for outcomes in ([(12, 34, 1.0)], ICONS, [(k, 1, 1 / 12) for k in range(12)], [(1, k, 1 / 99) for k in range(99)]):
        pixels(draw_losses(longest, outcomes))
        check_readable()
    for rolled in ([{6: 1.0}], [{-199: 0.5, 200: 0.5}] * 6, ranks(1, 200), ranks(2, 6, -100)):
        pixels(draw_roll(longest, rolled))
        check_readable()


@each(
    [
        (0, 0, "nobody loses"),
        (1, 1, "each loses 1"),
        (2, 0, "attacker loses 2"),
        (0, 3, "defender loses 3"),
        (1, 2, "attacker loses 1, defender loses 2"),
    ]
)
def test_the_cost_of_a_round_is_written(attackers: int, defenders: int, told: str) -> None:
    draw_losses("one", [(attackers, defenders, 1.0)])
    assert told in words()
    assert "100%" in words(), "what cannot fail is certain"


def bars(picture: Image.Image) -> dict[str, tuple[int, int]]:
    """How long each of three bars is, and how many of its pixels are coloured at half its height, told by colour."""
    found: dict[str, tuple[int, int]] = {}
    for row, colour in zip((205, 355, 505), (ATTACKER, DRAW, DEFENDER), strict=True):
        columns = [x for x in range(660) if at(picture, x, row) == rgb(colour)]
        found[colour] = (columns[-1] - columns[0] + 1, len(columns))
    return found


def test_bars_of_a_round_have_the_length_of_their_chance() -> None:
    found = bars(pixels(draw_losses("3 dice against 2", RISK)))
    longest = found[ATTACKER][0]
    for colour, (_, _, chance) in zip((ATTACKER, DRAW, DEFENDER), RISK, strict=True):
        assert found[colour][0] / longest == pytest.approx(chance / RISK[0][2], abs=0.01)
    assert found[ATTACKER][1] == found[ATTACKER][0], "solid"
    assert found[DRAW][1] == found[DRAW][0]
    assert found[DEFENDER][1] < 10, "hollow"
    assert {"37.2%", "33.6%", "29.3%"} <= set(words())


def test_up_to_six_outcomes_are_bars_and_further_outcomes_a_map() -> None:
    six = [(0, 1, 0.3), (1, 0, 0.2), (0, 2, 0.2), (2, 0, 0.1), (1, 1, 0.1), (0, 0, 0.1), (9, 9, 0.0)]
    draw_losses("six", six)
    assert sum(word.endswith("%") for word in words()) == 6
    assert "attackers lost" not in words()
    draw_losses("seven", [*six, (3, 0, 0.05)])
    assert {"attackers lost", "defenders lost", "defender loses 1: 30.0%"} <= set(words())


def test_the_likeliest_outcome_of_a_map_is_brightest() -> None:
    outcomes = [(a, d, (1 + a + 3 * d) / 86) for a in range(4) for d in range(4) if (a, d) != (3, 3)]
    picture = pixels(draw_losses("fifteen", outcomes))
    grid_left, grid_top, wide, tall = 100, 116, 590 / 4, 380 / 4
    seen = {
        (a, d): sum(at(picture, grid_left + (a + 0.2) * wide, grid_top + (3 - d + 0.2) * tall))
        for a in range(4)
        for d in range(4)
    }
    assert seen.pop((3, 3)) == sum(rgb(GROUND))
    order = sorted(outcomes, key=lambda outcome: outcome[2])
    assert max(seen, key=lambda cell: seen[cell]) == order[-1][:2]
    assert seen[order[0][:2]] < seen[order[6][:2]] < seen[order[-1][:2]]


def heights(picture: Image.Image, base: int, places: list[float]) -> list[int]:
    """How tall the bars on a line are at these places."""
    found = []
    for x in places:
        tall = 0
        while at(picture, x, base - 2 - tall) == rgb(QUIET):
            tall += 1
        found.append(tall)
    return found


def test_bars_of_a_roll_share_an_axis() -> None:
    rolled = ranks(2, 6)
    picture = pixels(draw_roll("2 dice", rolled))
    column = [at(picture, 164, y) == rgb(QUIET) for y in range(640)]
    bases = [y for y in range(639) if column[y] and not column[y - 1]]
    assert len(bases) == 2, "a line for each die"
    places = [370 + 56 * (value - 3.5) for value in range(1, 7)]
    for base, law in zip(bases, rolled, strict=True):
        tall = heights(picture, base, places)
        assert max(tall) == pytest.approx(208, abs=3), "the likeliest takes the room there is"
        expected = [law[value] / max(law.values()) * max(tall) for value in range(1, 7)]
        assert tall == pytest.approx(expected, abs=3)
    assert {"highest", "second", "average 4.47", "average 2.53"} <= set(words())


@each(
    [
        ([{-3: 1.0}], {"highest", "average\n−3.00", "−3"}),
        ([{-1: 0.5, 1: 0.5}], {"average 0.00", "−1", "0", "1"}),
        (ranks(1, 200), {"average\n100.50", "50", "100", "150", "200", "5 values per bar"}),
        (ranks(6, 2), {"highest", "second", "third", "fourth", "fifth", "sixth"}),
    ]
)
def test_dice_values_of_every_size_are_written(rolled: list[Mapping[int, float]], told: set[str]) -> None:
    draw_roll("values", rolled)
    assert told <= set(words())


def test_equal_dice_have_identical_pictures() -> None:
    first, second = draw_losses("same", RISK), draw_roll("same", ranks(3, 6))
    draw_losses("other", ICONS)
    assert draw_losses("same", RISK) == first
    assert draw_roll("same", ranks(3, 6)) == second
