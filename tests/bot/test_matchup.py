"""The notation: a table that freezes it, and the promise that every line is a battle or an error of ours."""

import pathlib
from gettext import NullTranslations

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from bot import languages
from bot.editions import editions
from bot.games.placing.notation import is_placing, parse_placing, write_placing
from bot.games.raid.notation import write_raid
from bot.languages import retranslate, speaking
from bot.maps.reading import load_maps
from bot.notation.dice_options import OPTIONS
from bot.notation.lexer import LONGEST_LINE, may_name_a_preset, normal, unknown_words
from bot.notation.mistakes import MatchupError
from solver import Battle, Waves
from solver.path.path import Path
from solver.raid.raid import Raid
from tests.catalogues import Strange, english_in
from tests.helpers.bot.any_line import any_battle, paths, raid_lines, raids, wild
from tests.helpers.bot.lines import is_name, parse, pasted_raid, read_raid, write
from tests.helpers.cases import each

SAVED = {
    "ukraine": "12 9 bombers:2 stop:4",
    "march": "20 > 5 dbonus:1 > 4 > 2 leave:1,3",
    "front": "3 inf 2 arm vs 4 inf",
}
TABLE = [
    line
    for line in (pathlib.Path(__file__).parents[1] / "data" / "notation.txt").read_text().splitlines()
    if line and not line.startswith("#")
]


@each(TABLE)
def test_the_notation_is_frozen(row: str) -> None:
    kind = "=" if " = " in row else "!"
    line, _, expected = (part.strip() for part in row.rpartition(f" {kind} "))
    if line.startswith("/bombing"):
        check_raid(line, expected, right=kind == "=")
        return
    if line.startswith(("/place", "place")):
        check_placing(line, expected, right=kind == "=")
    elif kind == "=":
        battle = parse(line, SAVED).battle
        assert write(battle) == expected
        again = parse(expected).battle
        # What an order keeps to the last says nothing where a side chooses, so the line may leave it out.
        both = (battle.free, again.free) if isinstance(battle, Waves) else (battle, again)
        assert both[1] == both[0]
    else:
        with pytest.raises(MatchupError) as error:
            parse(line, SAVED)
        assert expected in error.value.reason


def check_raid(line: str, expected: str, right: bool) -> None:
    """Lines of raids are read by `/bombing` alone; where bombers are named, they are battles nowhere else."""
    if not right:
        with pytest.raises(MatchupError) as error:
            read_raid(line)
        assert expected in error.value.reason
        return
    raid = read_raid(line)
    assert write_raid(raid) == expected
    assert read_raid(expected) == raid
    assert pasted_raid(expected)


def test_a_mistake_is_a_text_that_can_be_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(languages, "_catalogue", lambda chosen: Strange() if chosen == "de" else NullTranslations())
    units = {word for edition in editions().values() for word in (*edition.key.split("-"), *edition.short.values())}
    places = {
        word
        for place in load_maps().values()
        for one in (*place.territories.values(), *place.continents.values())
        for word in english_in(one.names["de"].name)
    }
    for line in [row.rpartition(" ! ")[0].strip() for row in TABLE if " = " not in row]:
        told = mistake(line)
        with speaking("de"):
            strange = mistake(line)
            assert retranslate(told.text) == strange.text
        assert retranslate(strange.text) == told.text
        assert retranslate(strange.reason) == told.reason
        assert not {*english_in(strange.reason)} - units - places - set(load_maps()), line


def mistake(line: str) -> MatchupError:
    """What is wrong with a line, to the command that reads it."""
    with pytest.raises(MatchupError) as caught:
        read(line)
    return caught.value


def read(line: str) -> object:
    """What a line means to the command that reads it."""
    if line.startswith("/bombing"):
        return read_raid(line)
    return parse_placing(line, SAVED) if line.startswith(("/place", "place")) else parse(line, SAVED)


@given(raids)
def test_raid_to_text_to_raid_is_a_fixed_point(raid: Raid) -> None:
    assert read_raid(write_raid(raid)) == raid
    assert write_raid(read_raid(write_raid(raid))) == write_raid(raid)


@given(wild | raid_lines)
@example("12 9 bombers:2")
@example("20 bombers:2 > 5")
@example("5 bombers 3 > 2")
@example("1 bom 1 all")
def test_any_line_is_a_raid_or_an_error_and_no_battle_too(line: str) -> None:
    try:
        raid = read_raid(line, takes=("all",))
    except MatchupError as error:
        text = error.text
    else:
        text = ""
    if text:
        assert len(text) < 1000
        assert text.count("```") == (2 if normal(line) else 0)
        assert not pasted_raid(line)
        return
    assert read_raid(write_raid(raid)) == raid
    if pasted_raid(line):
        with pytest.raises(MatchupError):
            parse(line, SAVED, takes=("exact", "chance"))


def check_placing(line: str, expected: str, right: bool) -> None:
    """Lines about several territories are read by `/place` alone."""
    if not right:
        with pytest.raises(MatchupError) as error:
            parse_placing(line, SAVED)
        assert expected in error.value.reason
        return
    placing = parse_placing(line, SAVED)
    assert write_placing(placing) == expected
    assert parse_placing(expected) == placing
    assert is_placing(expected)


@given(any_battle | paths())
def test_text_to_battle_to_text_is_a_fixed_point(battle: Battle | Path) -> None:
    line = write(battle)
    assume(len(line) <= LONGEST_LINE)
    assert parse(line).battle == battle
    assert write(parse(line).battle) == line


@given(wild)
@example("20 bombers:2 > 5 dice:1v1 > 4")
@example("1 1 reshape:.0001,1,0,10 3")
def test_any_line_is_a_battle_or_an_error(line: str) -> None:
    try:
        battle = parse(line, SAVED, takes=("exact", "chance"), lone="defenders").battle
    except MatchupError as error:
        text = error.text
    else:
        assert parse(write(battle)).battle == battle
        return
    assert 0 < len(text) < 1000
    blocks = 1 if normal(line) else 0
    assert text.count("```") == 2 * blocks, "nothing that was typed may end the block it is shown in"


@given(wild)
def test_unknown_words_of_any_line_are_no_options(line: str) -> None:
    assert all(word not in OPTIONS for word in unknown_words(line))


@given(st.text(min_size=1, max_size=12) | st.text("abcdvsx-_129ß²Ⅳ", min_size=1, max_size=4))
def test_every_valid_name_of_a_preset_can_be_used(name: str) -> None:
    name = normal(name)
    if is_name(name):
        for line in (f"{name} stop:1", f"stop:1 {name}", f"{name.upper()} stop:1" if name.isascii() else name):
            assert parse(line, {name: "12 9 stop:1"}).battle == parse("12 9 stop:1").battle


def test_a_preset_whose_name_became_a_word_still_works() -> None:
    saved = {"late": "12 9 bombers:2", "value": "5 4"}
    assert parse("late", saved).battle == parse("12 9 bombers:2").battle
    assert parse("value stop:2", saved).battle == parse("5 4 stop:2").battle
    assert parse("12 9 value:6", saved).battle == Battle(12, 9, value=6)
    assert parse("12 9 late:yes", saved).battle == Battle(12, 9, late=True)
    assert may_name_a_preset("late")
    assert not may_name_a_preset("12 9 late:yes stop:4")


@each(["ukraine", "alamo-2", "größe", "bomber2", "киев", "İstanbul", "दिल्ली", "ทะเล"])
def test_valid_names_of_presets(name: str) -> None:
    assert is_name(normal(name))


@each(["", "12", "2x", "vs", "v2", "stop", "dbombers", "a b", "a:b", "`", "@everyone", "-x", "x"])
def test_invalid_names_of_presets(name: str) -> None:
    assert not is_name(normal(name))


def test_the_caret_stands_under_the_wrong_word() -> None:
    with pytest.raises(MatchupError) as error:
        parse("12 9 bomers:2 stop:4")
    assert error.value.text == (
        "```\n12 9 bomers:2 stop:4\n     ^^^^^^^^\n```\nI don't know `bomers:2`. Did you mean `bombers:2`?"
    )


def test_a_long_line_is_shown_around_the_wrong_word() -> None:
    with pytest.raises(MatchupError) as error:
        parse("12 9 " + "stop:1 " * 20)
    shown, carets = error.value.text.splitlines()[1:3]
    assert len(shown) <= 42
    assert shown[carets.index("^") :].startswith("stop:1")
    with pytest.raises(MatchupError) as error:
        parse("3 inf 4 art 3 arm 2 fig 1 bom vs 5 inf 1 art 2 arm 1 fg 2 aa rounds:3 keep:1 retreat:profit<0 value:3")
    shown, carets = error.value.text.splitlines()[1:3]
    assert shown == "…s 5 inf 1 art 2 arm 1 fg 2 aa rounds:3 k…"
    assert shown[carets.index("^") : len(carets)] == "1 fg"


def test_a_line_without_end_is_refused() -> None:
    with pytest.raises(MatchupError, match="at most 1000 characters"):
        parse("12 9 " + " ".join(["stop:4"] * 10_000))


def test_a_remark_names_ships_that_make_no_difference() -> None:
    assert parse("12 9 bombers:3 dfighters:2").remarks == ("`bombers:3` counts as 2; more make no difference.",)
    assert parse("12 9 arerolls:5").remarks == ("`arerolls:5` counts as 3; more make no difference.",)


@given(st.sampled_from(sorted(OPTIONS)), st.sampled_from(["{0}", "{0}v1", "1v{0}", "1..{0}", "{0},{0}", "-{0}"]))
def test_huge_numbers_are_refused_at_once(word: str, form: str) -> None:
    for number in (10**9, 10**18, 10**100):
        with pytest.raises(MatchupError):
            parse(f"12 9 {word}:{form.format(number)}")


def test_a_remark_names_a_stop_below_the_reserve() -> None:
    assert parse("12 9 stop:3 reserve:4").remarks == ("With `reserve:4`, `stop:3` makes no difference.",)


HUNDRED = "`rounds:100` is a limit of 100 rounds; `rounds:all` means no limit."


@each(["12 9 rounds:100", "3 inf vs 2 inf rounds:100", "3 inf vs 2 inf then 4 arm rounds:100"])
def test_a_remark_says_that_rounds_100_is_a_limit(line: str) -> None:
    assert parse(line).remarks == (HUNDRED,)
    for other in ("99", "101", "all"):
        assert parse(line.replace("rounds:100", f"rounds:{other}")).remarks == ()


def test_rounds_all_in_1914_is_its_usual_limit() -> None:
    for rounds in ("all", "0", "100"):
        reading = parse(f"3 inf vs 2 inf variant:1914 rounds:{rounds}")
        assert (write(reading.battle), reading.remarks) == ("3 inf vs 2 inf variant:1914", ())


@pytest.mark.parametrize("line", ["12 9 rounds:x", "3 inf vs 2 inf rounds:x"])
def test_rounds_all_is_offered_for_no_limit(line: str) -> None:
    with pytest.raises(MatchupError, match="needs a whole number, or all for no limit"):
        parse(line)
    with pytest.raises(MatchupError) as error:
        parse(line.replace("rounds:x", "rounds:al"))
    assert error.value.better == line.replace("rounds:x", "rounds:all")


def test_carets_stand_under_wide_letters() -> None:
    with pytest.raises(MatchupError) as error:
        parse("12 9 戦車 stop:1")
    assert error.value.text.splitlines()[2] == "     ^^^^"
