"""What was probably meant by a line that is wrong: it can be read, and it is what the person meant."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.autocomplete import LONGEST_SUGGESTION, short_correction
from bot.games.placing.notation import parse_placing
from bot.notation.mistakes import MatchupError
from tests.helpers.bot.any_line import army_lines, placing_lines, raid_lines, sensible, wild
from tests.helpers.bot.lines import parse, parse_plans, read_raid
from tests.helpers.cases import each

SAVED = {"ukraine": "12 9 bombers:1", "karelia": "3 inf 2 arm vs 5 inf"}
TAKES = ("exact", "chance", "side", "least", "survive")


def battle(line: str) -> object:
    return parse(line, SAVED)


def question(line: str) -> object:
    return parse(line, SAVED, TAKES, "defenders")


def plans(line: str) -> object:
    return parse_plans(line, SAVED)


def placing(line: str) -> object:
    return parse_placing(line, SAVED)


READERS = (battle, question, plans, placing, read_raid)


def better(line: str, read: Callable[[str], object] = battle) -> str:
    """The line as it was probably meant; empty where nobody knows."""
    with pytest.raises(MatchupError) as caught:
        read(line)
    return caught.value.better


@each(
    [
        ("12 9 bomers:2", "12 9 bombers:2"),
        ("12 9 12bombers", "12 9 bombers:12"),
        ("12 9 bomers:2 stp:3", "12 9 bombers:2 stop:3"),
        ("12 9 2210", "12 9 variant:2210"),
        ("12 9 zzyzx", "12 9"),
        ("12 9 lowluck", ""),
        ("12 9 zzyzx with artillery", ""),
        ("12 9 9", "12 > 9 > 9"),
        ("12 9 variant:2200 stop:1", "12 9 variant:2210 stop:1"),
        ("12 9 blitz", "12 9 variant:blitz"),
        ("12 9 d8", "12 9 variant:d8"),
        ("12 9 adice:8 6 6", "12 9 adice:8,6,6"),
        ("12 9 ties:atacker", "12 9 ties:attacker"),
        ("12 9 dice:two", "12 9 dice:2v2"),
        ("20 > 5 bomers:1 > 4", "20 > 5 bombers:1 > 4"),
        ("12 > 5 > 4 icons:5+", "12 icons:5+ > 5 > 4"),
        ("ukrain stop:3", "ukraine stop:3"),
        ("ukraine stp:3", "ukraine stop:3"),
        ("3 inf 2 armr vs 5 inf", "3 inf 2 armor vs 5 inf"),
        ("3 inf vs 2 inf than 4 arm", "3 inf vs 2 inf then 4 arm"),
        ("3 inf 2 arm vs 5 inf los:arm,inf", "3 inf 2 arm vs 5 inf loss:arm,inf"),
        ("3 inf 2 arm vs 5 inf loss:armr,inf", "3 inf 2 arm vs 5 inf loss:armor,inf"),
        ("3 inf vs 2 inf variant:1949", "3 inf vs 2 inf variant:1940"),
        ("karelia lowlck", "karelia lowluck"),
        ("3 inf vs 4 inf retreat:profit", "3 inf vs 4 inf retreat:profit<0"),
        ("3 inf vs 4 inf retreat:win rounds:x", "3 inf vs 4 inf retreat:win<40% rounds:2"),
    ]
)
def test_a_mistake_offers_the_nearest_right_line(line: str, meant: str) -> None:
    assert better(line) == meant


@each(
    [
        ("12 9 xyzzy stop:3", "12 9 stop:3"),
        ("3 inf 1 arm vs 5 inf hullabaloo", "3 inf 1 arm vs 5 inf"),
    ]
)
def test_an_unknown_word_is_left_out_of_the_corrected_line(line: str, rest: str) -> None:
    assert better(line) == rest


@each(["", "12", "hello", "hello there", "999999999999 3", "3 inf vs", "karelia hullabaloo"])
def test_a_line_without_a_right_part_gets_no_correction(line: str) -> None:
    assert better(line) == ""


@each(
    [
        *("12 9 stop:4 stop:3", "12 9 leave:3", "20 > 5 rounds:3 > 4", "12 9 dice:9v1"),
        *("12 9 lowluk", "12 9 retreat:units<=4", "12 9 keep:1", "12 9 biassed", "12 9 no 13", "12 9 xyzzy 3"),
        *("2 acc vs 3 des kamikaze:9 variant:1940", "3 inf vs 2 inf stop:4"),
    ]
)
def test_a_correction_needs_its_numbers_and_no_word_of_another_game(line: str) -> None:
    assert better(line) == ""


@each(
    [
        (question, "9 bomers:1 90%", "9 bombers:1 90%"),
        (question, "6 inf vs 4 inf 80", "6 inf vs 4 inf 80%"),
        (plans, "12 9 bomers:2 || 13 9", "12 9 bombers:2 || 13 9"),
        (plans, "12 9 bombers:2 || bomers:1", "12 9 bombers:2 || bombers:1"),
        (plans, "12 9 stp:2 || stp:1", "12 9 stop:2 || stop:1"),
        (plans, "5 inf 2 arm vs 4 inf or lowlck", "5 inf 2 arm vs 4 inf || lowluck"),
        (placing, "8 inf hold:1 2 figg || 4 inf || 6 inf", "8 inf 2 fig hold:1 || 4 inf || 6 inf"),
        (placing, "8 inf || 4 inf lowlck || 6 inf", "8 inf || 4 inf lowluck || 6 inf"),
        (placing, "8 mech || 4 inf || 3 inf unit:mech=1/2/4", "8 mech unit:mech=1/2/4 || 4 inf || 3 inf"),
        (placing, "8 inf || ukrane || karelia lowlck", ""),
        (read_raid, "5 bmo vs 20", "5 bom vs 20"),
        (read_raid, "5 bom vs 20 lowlck", "5 bom vs 20 lowluck"),
    ]
)
def test_mistakes_in_raids_placings_and_plans_are_corrected(
    read: Callable[[str], object], line: str, meant: str
) -> None:
    assert better(line, read) == meant


misspelt = st.builds(
    lambda line, place, letter, gone: (
        f"{line[: place % (len(line) + 1)]}{letter}{line[place % (len(line) + 1) + gone :]}"
    ),
    sensible | army_lines | raid_lines | placing_lines | st.sampled_from(["ukraine stop:3", "12 9 stop:2 || stop:1"]),
    st.integers(0, 200),
    st.sampled_from(["", "e", "s", " ", ":", "1", "x"]),
    st.integers(0, 2),
)


@given(wild | misspelt, st.sampled_from(READERS))
def test_every_correction_can_be_read(line: str, read: Callable[[str], object]) -> None:
    try:
        read(line)
    except MatchupError as error:
        if error.better:
            read(error.better)


def test_a_correction_too_long_for_discord_is_not_suggested() -> None:
    for letters in (LONGEST_SUGGESTION, LONGEST_SUGGESTION + 1):
        mistake = MatchupError("y", 0, 1, "What is `y`?", "x" * letters)
        assert short_correction(mistake) == ("x" * letters if letters == LONGEST_SUGGESTION else "")
