"""A battle as it went: both parts of the picture, the line between them, and the words around it."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from bot.charts import Course
from bot.charts.ribbon import BASE, END, START, TOP, draw_course
from bot.charts.sheet import the_sheet
from bot.charts.style import ATTACKER, DEFENDER, GROUND, INK, QUIET
from tests.helpers.bot.readable import at, chances, check_readable, pixels, rgb, titles, words, written
from tests.helpers.cases import each
from tests.helpers.extent import examples

WENT = [0.6, 0.7, 0.62, 0.3, 0.35, 0.8]
LEFT_OVER = ["12–9", "11–8", "9–8", "7–7", "6–5", "6–2"]

courses = st.lists(chances | st.none(), min_size=1, max_size=50) | st.integers(2, 2001).map(lambda n: wandering(n))


def wandering(rounds: int) -> list[float | None]:
    """A battle of so many rounds, some of them unknown."""
    generator, chance = random.Random(rounds), 0.5
    course: list[float | None] = [chance]
    for _ in range(rounds):
        chance = min(max(chance + generator.uniform(-0.05, 0.05), 0), 1)
        course.append(None if generator.random() < 0.1 else chance)
    return course


def draw_ribbon(titles: Sequence[str], course: Sequence[float | None], *parts: Any, **others: Any) -> bytes:
    return draw_course(Course(titles, course, *parts, **others))


def fitting(course: Sequence[float | None]) -> list[str]:
    """How many are left, as long as it gets."""
    return [f"{2000 - number}–{2000 - number}" for number in range(len(course))]


def height(chance: float) -> float:
    return BASE - (BASE - TOP) * chance


def across(number: float, rounds: int) -> float:
    return START + (END - START) * number / rounds


@pytest.mark.whole
@examples(40, derandomize=True)
@given(titles, courses, st.booleans(), st.text("abcdefg ", max_size=60), st.sampled_from([True, False, None]))
@example("one", [0.5], True, "", None)
@example("nothing", [None], False, "", None)
@example("first", [None, 0.5], True, "", None)
@example("sure", [1.0, 1.0, 0.0], True, "the attacker has retreated", False)
@example("nearly", [0.99999, 0.00001, 0.99999], True, "", None)
@example("up", [0.0, 0.0, 0.0, 1.0], True, "", None)
@example("long", wandering(2000), True, "W" * 60, True)
def test_every_ribbon_can_be_read(
    title: str, course: list[float | None], marked: bool, ended: str, won: bool | None
) -> None:
    pixels(draw_ribbon([title], course, fitting(course) if marked else [], ended, won))
    check_readable()


def columns(picture: Image.Image, x: float) -> dict[str, list[int]]:
    """Where in a column of the picture the colours are."""
    names = {rgb(colour): colour for colour in (ATTACKER, DEFENDER, INK, GROUND, QUIET)}
    found: dict[str, list[int]] = {colour: [] for colour in names.values()}
    for y in range(TOP - 4, BASE + 2):
        found.get(names.get(at(picture, x, y), ""), []).append(y)
    return found


def test_the_attackers_part_is_solid_and_the_defenders_hollow() -> None:
    picture = pixels(draw_ribbon(["parts"], WENT, LEFT_OVER))
    for number in (0.5, 1.5, 3.5, 4.3):
        before, part = int(number), number % 1
        chance = WENT[before] * (1 - part) + WENT[before + 1] * part
        here = columns(picture, across(number, 5))
        solid, hollow = here[ATTACKER], here[GROUND]
        assert min(solid) == pytest.approx(height(chance), abs=12), "up to the line, whatever its slope"
        assert max(solid) == pytest.approx(BASE, abs=2)
        assert len(solid) > 0.9 * (max(solid) - min(solid)), "but for the middle it is solid"
        assert any(TOP <= y <= TOP + 3 for y in here[DEFENDER]), "its edge"
        above = range(TOP + 6, round(height(chance)) - 8)
        assert not set(above) & set(solid)
        assert len(set(above) & set(hollow)) > 0.9 * len(above), "nothing in it shimmers, but for the dashed middle"
        assert any(abs(y - height(chance)) < 4 for y in here[INK]), "the line between them"


def test_the_50_percent_line_is_visible_on_both_parts() -> None:
    y = (TOP + BASE) // 2
    for chance, dash in ((0.9, GROUND), (0.1, QUIET)):
        picture = pixels(draw_ribbon(["middle"], [chance] * 3))
        row = [at(picture, x, y) for x in range(START + 20, END - 20)]
        assert 0.3 < row.count(rgb(dash)) / len(row) < (0.7 if dash == GROUND else 0.6), chance
    assert "50%" in words()


def test_rounds_without_a_known_chance_are_empty() -> None:
    picture = pixels(draw_ribbon(["gap"], [0.6, 0.7, None, 0.3, None, 0.4, 0.5]))
    for number in (1.5, 2, 2.5, 4.5):
        here = columns(picture, across(number, 6))
        assert not here[ATTACKER] + here[DEFENDER], number
    for number in (0.5, 3, 5.5):
        here = columns(picture, across(number, 6) + 3)
        assert here[ATTACKER], number
    assert "round 1: +10 points" in words(), "what is beside a gap is no swing"
    assert not [word for word in words() if word.startswith("round 3")]


def test_the_effect_of_a_choice_is_no_swing_of_the_dice() -> None:
    picture = pixels(draw_ribbon(["choice"], [0.6, 0.8, 0.5], befores=[0.6, 0.4]))
    assert "round 1: +20 points" in words(), "and not round 2, where the choice before it lost more"
    for number, chance in ((0.9, 0.78), (1.1, 0.41)):
        here = columns(picture, across(number, 2))
        assert min(here[ATTACKER]) == pytest.approx(height(chance), abs=12), "it drops where the choice was made"
    assert any(
        rgb(QUIET) == at(picture, x, (TOP + BASE) // 2) for x in range(round(across(1.1, 2)), round(across(1.4, 2)))
    )


def test_a_share_is_not_called_a_chance() -> None:
    draw_ribbon(["share"], [0.6, 0.8], is_share=True)
    assert {"round 1: +20 points", "share on average at the start: 60.0%"} <= set(words())


def test_the_ribbon_shows_the_chances_now() -> None:
    draw_ribbon(["now"], WENT, LEFT_OVER)
    colours = {text.get_text(): text.get_color() for text, _ in written()}
    assert colours["20.0%"] == DEFENDER
    place = {text.get_text(): box for text, box in written() if float(text.get_fontsize()) > 40}
    assert set(place) == {"20.0%", "80.0%"}
    assert place["80.0%"].right < place["20.0%"].left, "attacker left, defender right"
    assert words().count("80.0%") == 2, "in large, and beside the ring"
    assert {"defender holds", "attacker wins", "start", "5", "rounds", "12–9", "6–2"} <= set(words())
    draw_ribbon(["now"], [0.5, None])
    assert words().count("?") == 2
    draw_ribbon(["path"], WENT, names=("stops short", "takes all"))
    assert {"stops short", "takes all"} <= set(words())


def test_only_exact_0_and_1_are_written_as_certain() -> None:
    draw_ribbon(["unlikely"], [1e-9])
    assert {"<0.1%", ">99.9%", "attacker's win chance at the start: <0.1%"} <= set(words())
    draw_ribbon(["impossible"], [0.0])
    assert {"0%", "100%", "attacker's win chance at the start: 0%"} <= set(words())
    draw_ribbon(["sure"], [0.5, 1.0], ended="attacker has won", won=True)
    assert "100%" in words()


@each([("attacker has won", True, ATTACKER), ("attack called off", False, DEFENDER), ("nobody is left", None, INK)])
def test_the_ribbon_says_how_the_battle_ended(ended: str, won: bool | None, colour: str) -> None:
    draw_ribbon(["over"], [*WENT, 1.0 if won else 0.0], ended=ended, won=won)
    ((text, _),) = [one for one in written() if one[0].get_text() == ended]
    assert text.get_color() == colour
    assert float(text.get_fontsize()) / 0.72 >= 48
    assert "after 6 rounds" in words()
    assert "attacker wins" not in words()
    draw_ribbon(["over"], [0.5, 1.0], ended=ended, won=won)
    assert "after 1 round" in words()


def test_a_long_title_and_a_long_end_keep_every_word() -> None:
    titles = ["12 inf 4 art 6 arm 5 fig 2 bom against 15 inf 3 art 3 arm 4 fig 2 aa", "29 units against 27 units"]
    ended = "Attack called off after 5 rounds, 106 inf 3 arm against 105 inf left"
    draw_ribbon(titles, WENT, ended=ended)
    check_readable()
    assert titles[1] in words()
    path = "2leave 00 > 50 > 40 > 30 > 20 > 10 > 20 > 30 > 40 > 50, 1 in each, stop at 3"
    draw_ribbon([path], WENT)
    assert path in [word.replace("\n", " ") for word in words()], "on two lines"
    check_readable()
    draw_ribbon(titles, WENT, ended=ended)
    assert ended in [word.replace("\n", " ") for word in words()]
    assert not [word for word in words() if "…" in word]


def test_the_last_chance_is_ringed() -> None:
    picture = pixels(draw_ribbon(["ring"], WENT))
    for right, down in ((15, 0), (0, 15), (0, -15)):
        assert at(picture, END + right, height(0.8) + down) == rgb(INK)
    unknown = pixels(draw_ribbon(["ring"], [*WENT, None]))
    assert at(unknown, END + 15, height(0.8)) == rgb(GROUND)


@each(
    [
        (WENT, "round 5: +45 points", ATTACKER),
        ([0.6, 0.2, 0.5], "round 1: −40 points", DEFENDER),
        ([0.6, 0.607, 0.6065], "round 1: +0.7 points", ATTACKER),
        ([0.5, 0.4, 0.3004], "round 1: −10 points", DEFENDER),
        ([None, 0.6, 0.5], "round 2: −10 points", DEFENDER),
    ]
)
def test_the_largest_swing_names_its_round(course: list[float | None], label: str, colour: str) -> None:
    draw_ribbon(["swing"], course)
    ((text, _),) = [one for one in written() if one[0].get_text() == label]
    assert text.get_color() == colour, "it is whose luck it was"
    start = [word for word in words() if word.startswith("attacker's win chance at the start: ")]
    assert len(start) == (course[0] is not None)


def test_a_battle_without_changes_has_no_swing() -> None:
    draw_ribbon(["still"], [0.6, 0.6, 0.6])
    assert not [word for word in words() if word.startswith("round ")]
    assert "attacker's win chance at the start: 60.0%" in words()


def test_the_largest_swing_is_thick_with_a_line_to_its_label() -> None:
    picture = pixels(draw_ribbon(["swing"], WENT))
    rows = columns(picture, across(4.25, 5))[INK]
    assert len(rows) > 9, "thicker than the line elsewhere"
    assert len(columns(picture, across(3.5, 5))[INK]) < 6
    leader = [at(picture, round(across(4.5, 5)), y) for y in range(TOP - 6, round(height(0.575)))]
    assert leader.count(rgb(INK)) > 0.9 * len(leader)


def test_equal_live_battles_have_identical_pictures() -> None:
    first = draw_ribbon(["same"], WENT, LEFT_OVER)
    draw_ribbon(["other"], wandering(300), ended="over")
    assert draw_ribbon(["same"], WENT, LEFT_OVER) == first
    assert the_sheet().canvas.texts[0].get_text() == "same"
