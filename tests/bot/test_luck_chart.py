"""The luck of a session, and how dice have fallen, as pictures; and how rare it is in words."""

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from bot.charts import RankedPlayer
from bot.charts.sheet import the_sheet
from bot.charts.style import ATTACKER, DEFENDER, GROUND, INK, QUIET
from bot.live.faces_chart import LEAST_A_FACE, draw_faces
from bot.live.faces_chart import MIDDLE as EXPECTED
from bot.live.luck_chart import END, MIDDLE, NARROW, START, TOP, WIDE, _points, draw_luck
from bot.live.ranking_chart import END as RIGHT_END
from bot.live.ranking_chart import START as LEFT_END
from bot.live.ranking_chart import TOP as RANKS
from bot.live.ranking_chart import draw_ranking
from bot.words.luck import rarity
from solver.luck import BattleLuck, total_luck
from tests.helpers.bot.readable import at, check_readable, pixels, rgb, titles, words, written
from tests.helpers.cases import each
from tests.helpers.extent import examples

WON, LOST = BattleLuck(0.5, 1.0), BattleLuck(0.5, 0.0)
EVEN = [WON, LOST, LOST, WON, WON, LOST]
FAIR = "fair dice look at least this uneven"
COLOURS = {rgb(ATTACKER), rgb(DEFENDER)}

chances = st.floats(0, 1) | st.sampled_from([0.0, 1.0, 0.5])
fortunes = st.lists(st.builds(BattleLuck, chances, chances, st.booleans()), max_size=60)


def season(battles: int, bias: float) -> list[BattleLuck]:
    """So many battles, with dice that are not quite fair."""
    generator = random.Random(battles)
    starts = [generator.uniform(0.1, 0.9) for _ in range(battles)]
    return [BattleLuck(start, float(generator.random() < start + bias)) for start in starts]


@examples(25, derandomize=True)
@given(titles, fortunes)
@example("none", [])
@example("sure", [BattleLuck(1.0, 1.0)] * 9)
@example("wonder", [BattleLuck(1e-9, 1.0)] * 40)
@example("long", season(900, -0.2))
@example("long", season(700, 0.2))
def test_every_session_can_be_read(title: str, battles: list[BattleLuck]) -> None:
    pixels(draw_luck(title, battles))
    check_readable()


def colours(picture: Image.Image) -> set[object]:
    return {colour for _, colour in picture.getcolors(9999) or []}


def test_common_luck_has_no_colour() -> None:
    assert not colours(pixels(draw_luck("common", EVEN))) & COLOURS
    assert not colours(pixels(draw_luck("four", [WON] * 4))) & COLOURS, "before the fifth battle nothing is rare"
    rising = [BattleLuck(0.3, 1.0)] * 5
    assert (total_luck(rising).z or 0) > 2
    draw_luck("lucky", rising)
    told = {text.get_text(): text.get_color() for text, _ in written()}
    assert told["lucky: like this 1 time in 400"] == told["+3.5"] == ATTACKER
    draw_luck("unlucky", [BattleLuck(0.3, 1.0, defends=True)] * 5)
    told = {text.get_text(): text.get_color() for text, _ in written()}
    assert told["unlucky: like this 1 time in 400"] == told["−3.5"] == DEFENDER


def test_only_luck_outside_the_band_is_coloured() -> None:
    """Seven battles won from 0.4, then as many lost."""
    battles = [BattleLuck(0.4, 1.0)] * 7 + [BattleLuck(0.4, 0.0)] * 7
    picture, (stages, _) = pixels(draw_luck("back", battles)), _points(battles)
    for stage in stages[1:]:
        far = abs(stage.luck) > 2 * stage.deviation and stage.number >= 5
        expected = rgb(ATTACKER) if far else rgb(INK)
        if stage.number < 14:
            assert at(picture, stage.x, stage.y) == expected, stage.number
    assert [stage.number for stage in stages if stage.colour == ATTACKER] == [5, 6, 7, 8, 9]


def test_unlucky_dots_are_hollow() -> None:
    battles = [BattleLuck(0.7, 0.0)] * 8
    picture, (stages, _) = pixels(draw_luck("bad", battles)), _points(battles)
    assert at(picture, stages[6].x, stages[6].y) == rgb(GROUND)
    around = {at(picture, stages[6].x + right, stages[6].y) for right in range(-9, 10)}
    assert rgb(DEFENDER) in around


def test_the_grey_band_is_1_and_2_standard_deviations_wide() -> None:
    battles = EVEN * 4
    picture, (stages, scale) = pixels(draw_luck("band", battles)), _points(battles)
    for number in (6, 12, 18):
        stage = stages[number]
        assert stage.deviation == pytest.approx((number / 4) ** 0.5)
        column = [at(picture, stage.x, y) for y in range(round(MIDDLE) + 8, 490)]
        assert column.count(rgb(NARROW)) == pytest.approx(stage.deviation * scale - 8, abs=10)
        assert column.count(rgb(WIDE)) == pytest.approx(stage.deviation * scale, abs=4)
    assert MIDDLE - 1.15 * 2 * stages[-1].deviation * scale == pytest.approx(TOP), "there is room above the band"
    assert stages[0].x == START
    assert stages[-1].x == END


@each(
    [
        ([], {"no battles", "after 5 battles I can tell how rare that is"}),
        ([WON], {"1 battle", "after 5 battles I can tell how rare that is", "+0.5", "0.5 wins more than expected"}),
        ([LOST] * 4, {"4 battles", "after 5 battles I can tell how rare that is", "2.0 wins fewer than expected"}),
        (
            [WON] * 5,
            {"lucky: like this 1 time in 16", "luck this extreme, good or bad, in 5 battles (z +2.24)", "+2.5"},
        ),
        (EVEN, {"nothing unusual", "6 battles (z 0.00)", "0.0", "as many wins as expected"}),
        ([BattleLuck(1.0, 1.0)] * 5, {"5 battles", "nothing was left to luck"}),
        ([BattleLuck(0.1, 1.0)] * 20, {"lucky: rarer than 1 in a million"}),
        ([BattleLuck(0.9, 0.0)] * 20, {"unlucky: rarer than 1 in a million"}),
    ]
)
def test_the_picture_of_luck_says_its_rarity_and_z_in_small_print(battles: list[BattleLuck], told: set[str]) -> None:
    draw_luck("words", battles)
    assert told <= set(words())
    band = "19 of 20 players end inside the grey band" in words()
    assert band is (total_luck(battles).z is not None)
    assert all(float(text.get_fontsize()) / 0.72 < 27 for text, _ in written() if "(z " in text.get_text())


players = st.builds(RankedPlayer, titles, fortunes.map(total_luck))


@examples(25, derandomize=True)
@given(titles, st.lists(players, min_size=1, max_size=10), st.integers(0, 10**6))
@example("sure", [RankedPlayer("Alice", total_luck([BattleLuck(1.0, 1.0)]))], 0)
@example("names", [RankedPlayer(name, total_luck(EVEN)) for name in ("", "李小龍", "W" * 32, "Zoë")], 0)
def test_every_ranking_can_be_read(title: str, ranked: list[RankedPlayer], left_out: int) -> None:
    pixels(draw_ranking(title, ranked, left_out))
    check_readable()


def test_a_ranking_has_a_bar_and_a_band_for_each_player() -> None:
    lucky, unlucky = [BattleLuck(0.3, 1.0)] * 5, [BattleLuck(0.3, 1.0, defends=True)] * 5
    ranked = [RankedPlayer(name, total_luck(of)) for name, of in (("Ann", lucky), ("Even", EVEN), ("Ulf", unlucky))]
    picture = pixels(draw_ranking("three", ranked, 0))
    middle, (good, even, bad) = (RIGHT_END + LEFT_END) / 2, (RANKS + 92 * (place + 0.5) for place in range(3))
    assert at(picture, middle + 30, good) == rgb(ATTACKER)
    assert at(picture, middle - 30, bad) == rgb(GROUND), "bad luck is hollow"
    assert rgb(DEFENDER) in {at(picture, middle - 30, bad + down) for down in range(40)}
    reach = max(abs(player.total.luck) for player in ranked)
    for y, player in zip((good, even, bad), ranked, strict=True):
        band = sum(at(picture, x, y + 30) == rgb(WIDE) for x in range(800))
        assert band == pytest.approx(4 * player.total.spread * (RIGHT_END - middle) / reach, abs=4)
    told = {text.get_text(): text.get_color() for text, _ in written()}
    assert (told["+3.5"], told["0.0"], told["−3.5"]) == (ATTACKER, INK, DEFENDER)
    assert {"Ann", "Even", "Ulf", "5", "6", "19 of 20 players end inside the grey band"} <= set(told)


def test_a_ranking_leaves_a_gap_for_those_in_between() -> None:
    ranked = [RankedPlayer(f"P{place}", total_luck([WON] * (11 - place))) for place in range(10)]
    ranked[2], ranked[8] = (ranked[place]._replace(name="李小龍") for place in (2, 8))
    draw_ranking("many", ranked, 7)
    names = [word for word in words() if word.startswith(("P", "…", "#"))]
    heights = {text.get_text(): text.get_position()[1] for text, _ in written()}
    assert sorted(names, key=lambda name: -heights[name]) == [
        *("P0", "P1", "#3", "P3", "P4"),
        "… 7 players in between",
        *("P5", "P6", "P7", "#16", "P9"),
    ], "a name that the font lacks is a place"


counted = st.lists(st.integers(0, 400) | st.integers(0, 10**8), min_size=2, max_size=100)


@pytest.mark.whole
@examples(25, derandomize=True)
@given(titles, counted)
@example("none", [0] * 6)
@example("one face", [0, 0, 0, 0, 0, 1000])
@example("even", [10**9] * 6)
@example("few", [5, 5, 5, 5, 5, 5])
def test_every_die_can_be_read(title: str, counts: list[int]) -> None:
    picture = pixels(draw_faces(title, counts))
    check_readable()
    assert not colours(picture) & COLOURS


def test_bars_stand_on_what_is_expected() -> None:
    counts = [110, 90, 100, 125, 75, 100]
    picture = pixels(draw_faces("bars", counts))
    tall = []
    for face in range(6):
        x = 150 + 626 / 6 * (face + 0.5)
        column = [y for y in range(204, 474) if at(picture, x, y) == rgb(QUIET)]
        up = sum(y < EXPECTED - 3 for y in column) - sum(y > EXPECTED + 3 for y in column)
        tall.append(up)
    assert tall[0] == pytest.approx(-tall[1], abs=3)
    assert tall[3] == pytest.approx(-tall[4], abs=3)
    assert tall[3] / tall[0] == pytest.approx(2.5, abs=0.3)
    assert abs(tall[2]) <= 3
    assert {"16.7%", "18.3", "12.5", "19 of 20 fair dice stay within the band", "face"} <= set(words())


@each(
    [
        ([100, 103, 97, 98, 101, 101], "nothing unusual", f"nearly all {FAIR} (600 throws)"),
        ([100, 108, 92, 98, 107, 95], "nothing unusual", f"9 in 10 {FAIR} (600 throws)"),
        ([100, 110, 90, 98, 112, 90], "nothing unusual", f"1 in 2 {FAIR} (600 throws)"),
        ([100, 150, 80, 98, 101, 101], "unusual", f"1 in 10,000 {FAIR} (630 throws)"),
        ([1000, 0], "unusual", f"fewer than 1 in a million {FAIR} (1,000 throws)"),
        ([LEAST_A_FACE, LEAST_A_FACE - 1], "9 throws", "too few to say how evenly they fall"),
    ]
)
def test_the_words_say_how_uneven_dice_are(counts: list[int], big: str, small: str) -> None:
    draw_faces("words", counts)
    assert {big, small} <= {word.replace("\n", " ") for word in words()}


def test_equal_luck_has_identical_pictures() -> None:
    first, dice = draw_luck("same", EVEN), draw_faces("dice", [100, 120, 80])
    draw_luck("other", season(300, 0.1))
    assert draw_luck("same", EVEN) == first
    assert draw_faces("dice", [100, 120, 80]) == dice
    assert the_sheet().canvas.texts[0].get_text() == "dice"


@each(
    [
        (1.0, "nothing unusual"),
        (0.67, "nothing unusual"),
        (0.6, "1 time in 2"),
        (0.3, "1 time in 3"),
        (0.08, "1 time in 12"),
        (1 / 23, "1 time in 25"),
        (0.0104, "1 time in 100"),
        (1 / 260, "1 time in 250"),
        (0.0002, "1 time in 5,000"),
        (1e-6, "1 time in 1,000,000"),
        (9e-7, "less than 1 time in a million"),
        (0.0, "less than 1 time in a million"),
    ]
)
def test_rarity_is_written_in_round_numbers(chance: float, told: str) -> None:
    assert rarity(chance) == told


@given(st.floats(1e-6, 1))
def test_a_written_rarity_is_close_and_never_1_in_1(chance: float) -> None:
    told = rarity(chance)
    if told == "nothing unusual":
        assert chance > 2 / 3 - 1e-9
    else:
        number = int(told.removeprefix("1 time in ").replace(",", ""))
        assert number >= 2
        assert number * chance == pytest.approx(1, rel=0.34)
