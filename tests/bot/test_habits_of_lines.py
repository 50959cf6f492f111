"""What lines mean by what they do not say, and the promise that a shown line means the same wherever it is read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.editions import USUAL, editions
from bot.games.base import AnyBattle
from bot.games.placing.notation import LONGEST_TYPED as LONGEST_PLACES
from bot.games.placing.notation import parse_placing, write_placing
from bot.games.raid.notation import write_raid
from bot.notation.defaults import RULES, NotationDefaults, reading_with
from bot.notation.dice_options import CLASSIC
from bot.notation.mistakes import MatchupError
from bot.notation.plans import LONGEST_PLANS
from bot.notation.reading import LONGEST_TYPED
from bot.packs import load
from solver import Battle
from solver.path.path import Path
from solver.raid.raid import Raid
from tests.helpers.bot.any_line import any_battle, army_lines, paths, placing_lines, raids, wild
from tests.helpers.bot.lines import explicit, parse, parse_plans, read_raid, write, write_plans
from tests.helpers.cases import each

SAVED = {"ukraine": "12 9 stop:4", "march": "20 > 5 > 4", "front": "3 inf 2 arm vs 4 inf"}
GAMES = st.sampled_from([CLASSIC, *load()])
EDITIONS = st.sampled_from([USUAL, *editions()])
habits = st.builds(NotationDefaults, GAMES, EDITIONS, st.integers(0, 1), st.just(RULES))


def meant(line: str, **usual: str | int) -> str:
    """The canonical line of what is typed where this is usual."""
    with reading_with(NotationDefaults(**usual)):  # type: ignore[arg-type]
        return write(parse(line, SAVED).battle)


@each(
    [
        ("12 9", "12 9 variant:2210"),
        ("12 9 stop:4", "12 9 variant:2210 stop:4"),
        ("20 > 5 > 4", "20 variant:2210 > 5 > 4 leave:1"),
        ("20 > 5 variant:d8 > 4", "20 > 5 variant:d8 > 4 variant:2210 leave:1"),
        ("12 9 variant:d8", "12 9 variant:d8"),
        ("12 9 variant:classic", "12 9"),
        ("12 9 bombers:2", "12 9 bombers:2"),
        ("12 vs 9 dcapitals:1", "12 9 dcapitals:1"),
        ("3 4 icons:AA,D", "3 4 icons:AA,D"),
        ("20 > 5 > 4 dcapitals:1", "20 > 5 > 4 dcapitals:1 leave:1"),
        ("ukraine", "12 9 stop:4"),
        ("14 10 ukraine", "14 10 stop:4"),
        ("ukraine variant:2210", "12 9 variant:2210 stop:4"),
        ("march", "20 > 5 > 4 leave:1"),
        ("3 inf vs 2 inf", "3 inf vs 2 inf"),
    ]
)
def test_plain_numbers_mean_the_usual_game(line: str, means: str) -> None:
    """Another game that the line tells, and a saved set-up, are as they are."""
    assert meant(line, game="2210") == means


@each(
    [
        ("12 9", "11 9"),
        ("1 9", "0 9"),
        ("12 9 behind:0", "12 9"),
        ("12 9 behind:3", "9 9"),
        ("12 9 variant:2210", "11 9 variant:2210"),
        ("20 > 5 > 4", "19 > 5 > 4 leave:1"),
        ("ukraine", "12 9 stop:4"),
        ("ukraine 14", "13 9 stop:4"),
        ("ukraine vs 14", "12 14 stop:4"),
        ("3 4 icons:AA,D", "3 4 icons:AA,D"),
        ("3 4 variant:coin", "3 4 variant:coin"),
        ("3 inf vs 2 inf", "3 inf vs 2 inf"),
    ]
)
def test_the_setting_behind_is_taken_from_the_attackers(line: str, means: str) -> None:
    assert meant(line, behind=1) == means


def test_a_line_only_the_usual_game_forbids_offers_classic_risk() -> None:
    with reading_with(NotationDefaults("blitz")):
        with pytest.raises(MatchupError) as error:
            parse("20 > 5 > 4")
        assert error.value.reason == (
            "A path can't have `reserve`, `rounds`, `value` or reshaped odds. Plain numbers "
            "mean `variant:blitz` here; add `variant:classic` after the first number to change "
            "that."
        )
        assert write(parse("20 variant:classic > 5 > 4").battle) == "20 > 5 > 4 leave:1"


def test_a_remark_says_how_many_armies_stay_behind() -> None:
    with reading_with(NotationDefaults(behind=1)):
        assert parse("12 9").remarks == ("1 of the 12 stays behind.",)
        assert parse("20 > 5 > 4 behind:2").remarks == ("2 of the 20 stay behind.",)
        assert parse("9", lone="defenders").details.behind == 1, "of the attackers that are asked for"
        assert parse("12", lone="attackers").battle == Battle(12, 1), "no army, but the size of a table"
        with pytest.raises(MatchupError, match="An army of 0 can't leave 1 behind"):
            parse("0 9")
        with pytest.raises(MatchupError, match="not 99999999"):
            parse("99999999 3")
        assert parse("1000001 3").battle == Battle(1_000_000, 3)


def test_armies_without_an_edition_take_the_usual_edition() -> None:
    assert meant("3 inf vs 2 inf", edition="1940") == "3 inf vs 2 inf variant:1940"
    assert meant("3 inf vs 2 inf variant:1942", edition="1940") == "3 inf vs 2 inf"
    assert meant("front", edition="1940") == "3 inf 2 arm vs 4 inf"
    with reading_with(NotationDefaults(edition="1940")):
        assert write_raid(read_raid("5 bom vs 20")) == "5 bom vs 20 variant:1940"
        assert write_placing(parse_placing("8 inf || 4 inf")) == "place 8 inf variant:1940 || 4 inf"
        assert write_placing(parse_placing("8 inf || front", SAVED)) == "place 8 inf || 3 inf 2 arm vs 4 inf"


def test_the_second_plan_keeps_game_and_garrison_of_the_first() -> None:
    with reading_with(NotationDefaults("2210", behind=1)):
        told = write_plans(parse_plans("12 9 || stop:4"))
        assert told == "11 9 variant:2210 || 11 9 variant:2210 stop:4"
        assert write_plans(parse_plans("12 9 || 14")) == "11 9 variant:2210 || 13 9 variant:2210"


def test_lines_are_explicit_only_where_another_game_is_usual() -> None:
    two, behind, late = NotationDefaults("2210"), NotationDefaults(behind=1), NotationDefaults(edition="1940")
    assert explicit("12 9", NotationDefaults()) == "12 9"
    assert explicit("12 9", two) == "12 9 variant:classic"
    assert explicit("12 9 bombers:2", two) == "12 9 bombers:2"
    assert explicit("12 9", behind) == "12 9 behind:0"
    assert explicit("12 9", late) == "12 9"
    assert explicit("3 inf vs 2 inf", late) == "3 inf vs 2 inf variant:1942"
    assert explicit("3 inf vs 2 inf", behind) == "3 inf vs 2 inf"
    assert explicit("12 9 || 12 9 bombers:1", two) == "12 9 variant:classic || 12 9 bombers:1"
    for usual in (two, behind, late):
        assert explicit(explicit("12 9", usual), usual) == explicit("12 9", usual), "said once"
    for text in ("ukraine", "k3f9x2ab", "/help", ""):
        assert explicit(text, NotationDefaults("2210", "1940", 1)) == text


def test_the_longest_line_may_be_made_explicit() -> None:
    usual = NotationDefaults("2210", behind=1)
    battle = parse(" > ".join(["1000"] * 40)).battle
    line = write(battle)
    assert 270 < len(line) <= 300 < len(explicit(line, usual))
    assert readings(explicit(line, usual), usual) == (battle, battle)


def readings(line: str, usual: NotationDefaults) -> tuple[AnyBattle, AnyBattle]:
    """What a line means where this is usual, and where nothing is."""
    with reading_with(usual):
        there = parse(line).battle
    return there, parse(line).battle


@st.composite
def some_of(draw: st.DrawFn, usual: NotationDefaults) -> NotationDefaults:
    """A place that has some of these habits."""
    return NotationDefaults._make(draw(st.sampled_from(pair)) for pair in zip(usual, NotationDefaults(), strict=True))


@given(any_battle | paths() | army_lines, habits, st.data())
def test_an_explicit_line_is_the_same_battle_in_every_place(
    battle: AnyBattle | str, usual: NotationDefaults, data: st.DataObject
) -> None:
    try:
        battle = parse(battle if isinstance(battle, str) else write(battle)).battle
    except MatchupError:
        return  # Too long, or no battle.
    line = explicit(write(battle), usual)
    assert readings(line, usual) == (battle, battle)
    assert readings(line, data.draw(some_of(usual)))[0] == battle
    assert len(line) <= LONGEST_TYPED


@given(st.lists(any_battle | paths(), min_size=2, max_size=2), habits)
def test_explicit_plans_are_the_same_in_every_place(battles: list[Battle | Path], usual: NotationDefaults) -> None:
    try:
        plans = parse_plans(" || ".join(map(write, battles)))
    except MatchupError:
        return
    line = explicit(write_plans(plans), usual)
    with reading_with(usual):
        there = parse_plans(line)
    assert [reading.battle for reading in there] == [reading.battle for reading in plans]
    assert [reading.battle for reading in parse_plans(line)] == [reading.battle for reading in plans]
    assert len(line) <= LONGEST_PLANS


def test_a_casualty_order_without_a_unit_in_place_is_left_out() -> None:
    placing = parse_placing("1 sub 1 tra || 1 sub vs loss:inf,art,arm,fig,bom")
    assert placing == parse_placing(write_placing(placing)) == parse_placing("1 sub 1 tra || 1 sub")


@given(raids, placing_lines, habits)
def test_explicit_raids_and_placings_are_the_same_in_every_place(
    raid: Raid, text: str, usual: NotationDefaults
) -> None:
    line = explicit(write_raid(raid), usual)
    with reading_with(usual):
        assert read_raid(line) == raid
    assert read_raid(line) == raid
    try:
        placing = parse_placing(text)
    except MatchupError:
        return
    line = explicit(write_placing(placing), usual)
    with reading_with(usual):
        assert parse_placing(line) == placing
    assert parse_placing(line) == placing
    assert len(line) <= LONGEST_PLACES


@given(wild, habits)
def test_any_text_in_any_place_is_a_battle_or_an_error(line: str, usual: NotationDefaults) -> None:
    with reading_with(usual):
        try:
            battle = parse(line, SAVED).battle
        except MatchupError:
            return
    assert readings(explicit(write(battle), usual), usual) == (battle, battle)
