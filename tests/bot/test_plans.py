"""Two plans in a line: what stands between them, what the second may leave out, and what is wrong."""

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from bot.notation.defaults import NotationDefaults, reading_with
from bot.notation.lexer import LONGEST_LINE, normal
from bot.notation.mistakes import MatchupError
from bot.notation.plans import LONGEST_PLANS, Plans
from solver import Battle
from solver.path.path import Path
from tests.helpers.bot.any_line import any_battle, army_lines, paths, sensible, wild
from tests.helpers.bot.lines import parse, parse_plans, spelled_out, write, write_plans
from tests.helpers.cases import each

SAVED = {
    "ukraine": "12 9 bombers:2 stop:4",
    "march": "20 > 5 dbonus:1 > 4 > 2 leave:1,3",
    "fleet": "3 sub vs 2 des",
    "uk": "3 inf 2 arm vs 4 inf lowluck",
}

SAME = [
    ("12 9 || 12 9 stop:4", "12 9 || 12 9 stop:4"),
    # Whatever stands between them.
    ("12 9||12 9 stop:4", "12 9 || 12 9 stop:4"),
    ("12 9 | | 12 9 stop:4", "12 9 || 12 9 stop:4"),
    ("12 9 ｜｜ stop:4", "12 9 || 12 9 stop:4"),
    ("12 9 | stop:4", "12 9 || 12 9 stop:4"),
    ("12 9 or stop:4", "12 9 || 12 9 stop:4"),
    ("12 9 OR 13 9", "12 9 || 13 9"),
    ("12 9\n12 9 stop:4", "12 9 || 12 9 stop:4"),
    ("12 9\nor\n12 9 stop:4", "12 9 || 12 9 stop:4"),
    ("12\n9 || stop:4", "12 9 || 12 9 stop:4"),
    ("`12 9 || 12 9 stop:4`", "12 9 || 12 9 stop:4"),
    ("/compare 12 9 || stop:4", "12 9 || 12 9 stop:4"),
    ("12 9 → 79.0% attacker || 12 9 stop:4 → 56.1% attacker", "12 9 || 12 9 stop:4"),
    ("12 9 || stop:4 → A 79.0%, B 56.1%", "12 9 || 12 9 stop:4"),
    # The second is the first with a change.
    ("12 9 bombers:2 || bombers:1", "12 9 bombers:2 || 12 9 bombers:1"),
    ("12 9 bombers:2 || 13", "12 9 bombers:2 || 13 9 bombers:2"),
    ("12 9 bombers:2 || vs 10", "12 9 bombers:2 || 12 10 bombers:2"),
    ("12 9 bombers:2 || dice:1v1", "12 9 bombers:2 || 12 9 dice:1v1 bombers:1"),
    ("20 > 5 > 4 || leave:3", "20 > 5 > 4 leave:1 || 20 > 5 > 4 leave:3"),
    ("20 > 5 > 4 || 25", "20 > 5 > 4 leave:1 || 25 > 5 > 4 leave:1"),
    ("icons A,D 3 4 || stop:1", "3 4 icons:A,D || 3 4 icons:A,D stop:1"),
    ("3 inf 2 arm vs 4 inf || retreat:profit<0", "3 inf 2 arm vs 4 inf || 3 inf 2 arm vs 4 inf retreat:profit<0"),
    # A side that lists units is that list.
    ("3 inf 2 arm vs 4 inf || 3 arm", "3 inf 2 arm vs 4 inf || 3 arm vs 4 inf"),
    ("3 inf 2 arm vs 4 inf || 3 tanks", "3 inf 2 arm vs 4 inf || 3 arm vs 4 inf"),
    ("3 inf 2 arm vs 4 inf || 1 fig", "3 inf 2 arm vs 4 inf || 1 fig vs 4 inf"),
    ("5 inf 2 arm vs 4 inf || 5 inf 3 art", "5 inf 2 arm vs 4 inf || 5 inf 3 art vs 4 inf"),
    ("5 inf 2 arm vs 4 inf || 5 inf +3 art", "5 inf 2 arm vs 4 inf || 5 inf 3 art vs 4 inf"),
    # Units with a sign, and those that are gone, change the side.
    ("3 inf 2 arm vs 4 inf || +1 fig", "3 inf 2 arm vs 4 inf || 3 inf 2 arm 1 fig vs 4 inf"),
    ("3 inf 2 arm vs 4 inf || -1 arm", "3 inf 2 arm vs 4 inf || 3 inf 1 arm vs 4 inf"),
    ("3 inf 2 arm vs 4 inf || - 1 tank, + 2 inf", "3 inf 2 arm vs 4 inf || 5 inf 1 arm vs 4 inf"),
    ("3 inf 2 arm vs 4 inf || -5 arm", "3 inf 2 arm vs 4 inf || 3 inf vs 4 inf"),
    ("3 inf 2 arm vs 4 inf || -1 arm vs +1 inf", "3 inf 2 arm vs 4 inf || 3 inf 1 arm vs 5 inf"),
    ("3 inf 2 arm vs 4 inf || vs -1 inf +1 aa", "3 inf 2 arm vs 4 inf || 3 inf 2 arm vs 3 inf 1 aa"),
    ("3 inf 2 arm vs 4 inf || vs 5 inf", "3 inf 2 arm vs 4 inf || 3 inf 2 arm vs 5 inf"),
    ("3 inf 2 arm vs 4 inf || 0 arm", "3 inf 2 arm vs 4 inf || 3 inf vs 4 inf"),
    ("3 inf 2 arm vs 4 inf || loss:arm,inf", "3 inf 2 arm vs 4 inf || 3 inf 2 arm loss:arm,inf vs 4 inf"),
    (
        "6 inf vs 4 inf then 4 arm || then hold 4 inf",
        "6 inf vs 4 inf then 4 arm || 6 inf vs 4 inf then 4 arm then hold 4 inf",
    ),
    ("6 inf vs 4 inf || then 4 arm", "6 inf vs 4 inf || 6 inf vs 4 inf then 4 arm"),
    ("6 inf vs 4 inf then 4 arm || 7 inf", "6 inf vs 4 inf then 4 arm || 7 inf vs 4 inf then 4 arm"),
    ("3 tac vs 4 inf variant:1940 || 4 tac", "3 tac vs 4 inf variant:1940 || 4 tac vs 4 inf variant:1940"),
    (
        "3 inf vs 4 inf retreat:units<=1 || retreat:profit<0",
        "3 inf vs 4 inf retreat:units<=1 || 3 inf vs 4 inf retreat:profit<0",
    ),
    # Rules for retreating have single strokes among them.
    (
        "3 inf vs 2 inf retreat:units<=1|profit<0 || rounds:2",
        "3 inf vs 2 inf retreat:units<=1,profit<0 || 3 inf vs 2 inf rounds:2 retreat:units<=1,profit<0",
    ),
    (
        "3 inf vs 2 inf retreat:units<=1 | profit<0 | rounds:2",
        "3 inf vs 2 inf retreat:units<=1,profit<0 || 3 inf vs 2 inf rounds:2 retreat:units<=1,profit<0",
    ),
    # What the second does not say is as in the first: faces, ships, the variant and all options.
    ("12 9 bombers:2 || 13 9", "12 9 bombers:2 || 13 9 bombers:2"),
    ("12 9 bombers:2 || 13 9 bombers:0", "12 9 bombers:2 || 13 9 bombers:0"),
    ("12 9 bombers:2 stop:4 || 13 9 stop:0", "12 9 bombers:2 stop:4 || 13 9 bombers:2 stop:0"),
    ("icons AA,A,D,DD 4 4 || 5 4", "4 4 icons:AA,A,DD,D || 5 4 icons:AA,A,DD,D"),
    ("12 9 variant:starwars || 13 9", "12 9 variant:starwars || 13 9 variant:starwars"),
    ("12 9 variant:starwars || 13 9 variant:classic", "12 9 variant:starwars || 13 9 variant:classic"),
    ("3 inf vs 2 inf lowluck || 4 inf vs 2 inf", "3 inf vs 2 inf lowluck || 4 inf vs 2 inf lowluck"),
    # Ships that the second names are all the ships of that side.
    ("12 9 bombers:2 || fighters:1", "12 9 bombers:2 || 12 9 fighters:1"),
    ("12 9 bombers:2 dfighters:1 || fighters:1", "12 9 bombers:2 dfighters:1 || 12 9 fighters:1 dfighters:1"),
    ("12 9 bombers:2 dfighters:1 || vs dbombers:1", "12 9 bombers:2 dfighters:1 || 12 9 bombers:2 dbombers:1"),
    ("20 bombers:2 > 5 > 4 || fighters:1", "20 bombers:2 > 5 > 4 leave:1 || 20 fighters:1 > 5 > 4 leave:1"),
    # A ship with 0 is only taken away.
    ("12 bombers:2 fighters:1 vs 9 || fighters:0", "12 9 fighters:1 bombers:2 || 12 9 bombers:2"),
    ("12 9 bombers:2 fighters:1 || bombers:1 fighters:0", "12 9 fighters:1 bombers:2 || 12 9 bombers:1"),
    # A battle with its variant is one of its own; a part of one takes all but the rules from the first.
    ("12 9 bombers:2 || 13 9 variant:classic", "12 9 bombers:2 || 13 9 bombers:0"),
    ("12 9 bombers:2 stop:4 || 13 variant:classic", "12 9 bombers:2 stop:4 || 13 9 stop:4 bombers:0"),
    ("12 9 bombers:2 stop:4 || 13 variant:2210", "12 9 bombers:2 stop:4 || 13 9 variant:2210 stop:4"),
    ("4 4 icons:A,D || variant:2210", "4 4 icons:A,D || 4 4 variant:2210"),
    ("12 9 adice:8,8,8 || vs 10 variant:battle-dice", "12 9 adice:8,8,8 || 12 10 variant:battle-dice"),
    (
        "20 bombers:2 > 5 > 4 || variant:2210",
        "20 bombers:2 > 5 > 4 leave:1 || 20 variant:2210 > 5 > 4 leave:1",
    ),
    ("3 inf 2 arm vs 4 inf || 3 tac variant:1940", "3 inf 2 arm vs 4 inf || 3 tac vs 4 inf variant:1940"),
    (
        "3 tac 1 fig vs 4 inf 1 aa variant:1940 || 4 tac variant:1940",
        "1 fig 3 tac vs 4 inf 1 aa variant:1940 || 4 tac vs 4 inf 1 aa variant:1940",
    ),
    (
        "3 inf 2 tac vs 4 inf variant:1940 || 3 arm variant:1942",
        "3 inf 2 tac vs 4 inf variant:1940 || 3 arm vs 4 inf variant:1942",
    ),
    ("3 inf vs 2 inf || +1 inf variant:1940", "3 inf vs 2 inf || 4 inf vs 2 inf variant:1940"),
    ("3 inf vs 2 inf || +1 tac variant:1940", "3 inf vs 2 inf || 3 inf 1 tac vs 2 inf variant:1940"),
    ("3 inf vs 2 inf || -1 tac variant:1940", "3 inf vs 2 inf || 3 inf vs 2 inf variant:1940"),
    ("3 inf vs 2 inf lowluck || 4 inf variant:1942", "3 inf vs 2 inf lowluck || 4 inf vs 2 inf lowluck"),
    ("3 inf vs 2 inf lowluck || 4 inf vs 2 inf variant:1942", "3 inf vs 2 inf lowluck || 4 inf vs 2 inf lowluck:no"),
    # Waves: one side changes the first, "then" adds others, and where both sides are listed all are as this plan says.
    ("5 inf vs 4 inf then 2 inf || 6 inf vs 5 inf", "5 inf vs 4 inf then 2 inf || 6 inf vs 5 inf"),
    ("5 inf vs 4 inf then 2 inf || 6 inf vs +1 inf", "5 inf vs 4 inf then 2 inf || 6 inf vs 5 inf then 2 inf"),
    (
        "5 inf vs 4 inf retreat:profit<0 lookahead then 2 inf || 7 inf vs 4 inf",
        "5 inf vs 4 inf retreat:profit<0 lookahead then 2 inf || 7 inf vs 4 inf",
    ),
    (
        "5 inf vs 4 inf lowluck then 2 inf || 6 inf vs 5 inf",
        "5 inf vs 4 inf lowluck then 2 inf || 6 inf vs 5 inf lowluck",
    ),
    (
        "5 inf vs 4 inf lowluck then 2 inf || +1 inf",
        "5 inf vs 4 inf lowluck then 2 inf || 6 inf vs 4 inf lowluck then 2 inf",
    ),
    (
        "5 inf vs 4 inf lowluck rounds:2 || 6 inf vs 5 inf then 3 inf",
        "5 inf vs 4 inf lowluck rounds:2 || 6 inf vs 5 inf lowluck rounds:2 then 3 inf",
    ),
    (
        "5 inf vs 4 inf lowluck deadzone value:3 worth:fig=14 rounds:2 then 2 inf then 3 inf"
        " || 6 inf vs 5 inf then 1 arm",
        "5 inf vs 4 inf lowluck rounds:2 deadzone value:3 worth:fig=14 then 2 inf then 3 inf"
        " || 6 inf vs 5 inf lowluck deadzone value:3 worth:fig=14 then 1 arm",
    ),
    (
        "3 tac vs 4 inf biased variant:1940 then 2 inf || 4 tac vs 5 inf then 1 inf",
        "3 tac vs 4 inf variant:1940 biased then 2 inf || 4 tac vs 5 inf variant:1940 biased then 1 inf",
    ),
    (
        "5 inf vs 4 inf then 2 inf || 6 inf then 3 inf",
        "5 inf vs 4 inf then 2 inf || 6 inf vs 4 inf then 2 inf then 3 inf",
    ),
    ("5 inf vs 4 inf then 2 inf || 6 inf vs 4 inf variant:1942", "5 inf vs 4 inf then 2 inf || 6 inf vs 4 inf"),
    # A path and another game are battles of their own.
    ("12 9 stop:4 || 3 4 icons:A,D", "12 9 stop:4 || 3 4 icons:A,D"),
    ("12 9 bombers:2 || icons A,D 3 4", "12 9 bombers:2 || 3 4 icons:A,D"),
    ("icons A,D 3 4 || 12 9 bombers:1", "3 4 icons:A,D || 12 9 bombers:1"),
    ("icons A,D 3 4 || 12 9 dice:2v2", "3 4 icons:A,D || 12 9 dice:2v2"),
    ("icons A,D 3 4 || 12 9 icons:AA,D", "3 4 icons:A,D || 12 9 icons:AA,D"),
    ("20 > 5 > 4 || 12 9", "20 > 5 > 4 leave:1 || 12 9"),
    ("3 inf vs 2 inf || 12 9 variant:2210", "3 inf vs 2 inf || 12 9 variant:2210"),
    ("12 9 || 20 > 5 > 4", "12 9 || 20 > 5 > 4 leave:1"),
    ("12 9 || 3 inf vs 2 inf", "12 9 || 3 inf vs 2 inf"),
    ("3 inf vs 2 inf || 12 9", "3 inf vs 2 inf || 12 9"),
    # Saved set-ups.
    ("ukraine || stop:6", "12 9 bombers:2 stop:4 || 12 9 bombers:2 stop:6"),
    ("ukraine stop:3 || ukraine", "12 9 bombers:2 stop:3 || 12 9 bombers:2 stop:4"),
    ("12 9 or ukraine", "12 9 || 12 9 bombers:2 stop:4"),
    ("uk || uk +1 fig", "3 inf 2 arm vs 4 inf lowluck || 3 inf 2 arm 1 fig vs 4 inf lowluck"),
    ("uk || uk 1 fig", "3 inf 2 arm vs 4 inf lowluck || 3 inf 2 arm 1 fig vs 4 inf lowluck"),
    ("uk -1 tank vs +2 aa guns || uk", "3 inf 1 arm vs 4 inf 2 aa lowluck || 3 inf 2 arm vs 4 inf lowluck"),
    ("fleet || 4 sub", "3 sub vs 2 des || 4 sub vs 2 des"),
    ("march || leave:1", "20 > 5 dbonus:1 > 4 > 2 leave:1,3 || 20 > 5 dbonus:1 > 4 > 2 leave:1"),
]

WRONG = [
    ("12 9", "Type two plans with `||` between them"),
    ("", "Type two plans with `||` between them"),
    ("12 9 ||", "Type two plans with `||` between them"),
    ("|| 12 9", "Type two plans with `||` between them"),
    ("12 9 or", "Type two plans with `||` between them"),
    ("1 1 || 2 1 || 3 1 || 4 1 || 5 1 || 6 1", "I can compare up to 5 plans at a time"),
    ("12 9\n13 9\n14 nine", "Plan C: "),
    ("12 || 13", "Plan A: Against how many?"),
    ("12 9 bomers:2 || 13", "Plan A: I don't know `bomers:2`. Did you mean `bombers:2`?"),
    ("12 9 || bomers:2", "Plan B: I don't know `bomers:2`. Did you mean `bombers:2`?"),
    ("12 9 || leave:2", "Plan B: `leave` works with a path such as"),
    ("12 9 || > 5", "Plan B: How many attack?"),
    ("12 9 || ukraine zzz", "Plan B: I didn't understand `zzz`. Did you mean `ukraine`?"),
    ("12 9 || exact", "Plan B: `exact` works with `/battle`."),
    ("12 9 90% || 13", "Plan A: A chance such as `80%` works with `/need`."),
    ("12 9 || retreat:profit<0", "Plan B: I don't know `retreat:profit<0`."),
    ("12 9 || bombers:1 zzz", "Plan B: I didn't understand `zzz`. Did you mean `bombers:1`?"),
    ("12 9 || reserve:9999999", "Plan B: The number of armies must be 0 to 1000000, not 9999999."),
    ("3 inf vs 2 inf || 4 cats", "Plan B: A&A 1942 has no unit `cats`"),
    ("3 inf vs 2 inf || 4", "Plan B: I can't read this. Put a number before each unit"),
    ("3 inf vs 2 inf || +4 cats", "Plan B: A&A 1942 has no unit `cats`"),
    ("3 inf vs 2 inf || loss:cats", "Plan B: A&A 1942 has no unit `cats`"),
    ("3 inf vs 2 inf || 0 inf", "Plan B: Who attacks?"),
    ("3 inf vs 2 inf || -3 inf", "Plan B: Who attacks?"),
    # What contradicts the first plan is no other game.
    ("12 9 icons:A,D,- || 13 9 late", "Plan B: `late` can't be combined with icon dice"),
    (
        "12 9 bombers:2 || 13 9 adice:8,8,8",
        "Plan B: Ships work only with plain six-sided dice; ",
    ),
    (
        "12 9 variant:2210 || 13 9 bombers:1",
        "Plan B: `2210` does not allow that: ships work only with plain six-sided dice; ",
    ),
    ("12 9 ties:both late || 13 9 ties:neither", "Plan B: `late` can't be combined with icon dice, `ties:neither`"),
    ("3 inf 2 tac vs 4 inf variant:1940 || +1 arm variant:1942", "Plan B: A&A 1942 has no unit `tac`."),
    ("3 tac vs 4 inf loss:tac variant:1940 || 3 arm variant:1942", "Plan B: A&A 1942 has no unit `tac`"),
    ("3 inf vs 2 inf || 13 variant:2210", "Plan B: I can't read this. Put a number before each unit"),
    ("12 9 || variant:1940", "Plan B: `1940` is an edition of Axis & Allies"),
    # A sign changes units that are there.
    ("3 inf +1 fig vs 2 inf || 12 9", "Plan A: I can't read this."),
    ("3 inf vs 2 inf || then +3 inf", "Plan B: I can't read this."),
    ("uk then +1 fig || uk", "Plan A: I can't read this."),
    ("3 inf vs 2 inf || +1 inf +1 inf", "Plan B: This is in the line twice."),
]


@each(SAME)
def test_a_line_of_two_plans_is_read(line: str, expected: str) -> None:
    plans = parse_plans(line, SAVED)
    assert write_plans(plans) == expected
    assert [reading.battle for reading in parse_plans(expected)] == [reading.battle for reading in plans]


@each(
    [
        ("uk +1 fig", "3 inf 2 arm 1 fig vs 4 inf lowluck"),
        ("+1 fig uk", "3 inf 2 arm 1 fig vs 4 inf lowluck"),
        ("uk - 1 tank, + 2 infantry", "5 inf 1 arm vs 4 inf lowluck"),
        ("uk -5 arm vs +2 aa guns", "3 inf vs 4 inf 2 aa lowluck"),
        ("uk 1 inf +1 inf", "2 inf 2 arm vs 4 inf lowluck"),
        ("uk +1 inf then 2 arm", "4 inf 2 arm vs 4 inf lowluck then 2 arm"),
        ("uk 1 fig", "3 inf 2 arm 1 fig vs 4 inf lowluck"),
    ]
)
def test_signs_change_the_units_of_a_preset(line: str, expected: str) -> None:
    assert write(parse(line, SAVED).battle) == expected


@each(WRONG)
def test_a_mistake_names_the_plan_it_is_in(line: str, reason: str) -> None:
    with pytest.raises(MatchupError) as error:
        parse_plans(line, SAVED)
    assert error.value.reason.startswith(reason)


def test_the_caret_stands_under_the_wrong_word_of_a_change() -> None:
    for line, told in (
        ("12 9 || stop:1 bomers:2", "stop:1 bomers:2\n       ^^^^^^^^\n"),
        ("3 inf vs 2 inf || rounds:2 loss:cats", "rounds:2 loss:cats\n         ^^^^^^^^^\n"),
        ("3 inf vs 2 inf || rounds:2 4 cats", "rounds:2 4 cats\n         ^^^^^^\n"),
        ("5 inf 2 arm vs 4 inf || 2 des", "2 des\n^^^^^\n"),
        ("5 inf vs 4 inf || 2 des - 9 inf", "2 des - 9 inf\n^^^^^\n"),
        ("5 inf vs 4 inf || - 9 inf", "- 9 inf\n^\n"),
        ("5 inf vs 4 inf || +99999999999999999 inf", "+99999999999999999 inf\n^^^^^^^^^^^^^^^^^^^^^^\n"),
        ("12 9 bombers:2 || 13 9 adice:8,8,8", "13 9 adice:8,8,8\n^^^^^^^^^^^^^^^^\n"),
        ("3 tac vs 4 inf variant:1940 || +1 inf variant:1942", "+1 inf variant:1942\n^^^^^^^^^^^^^^^^^^^\n"),
    ):
        with pytest.raises(MatchupError) as error:
            parse_plans(line)
        assert f"```\n{told}```\n" in error.value.text


def test_each_plan_has_its_own_remarks() -> None:
    plans = parse_plans("12 9 bombers:3 || 12 9 fighters:4")
    assert plans.first.remarks == ("`bombers:3` counts as 2; more make no difference.",)
    assert plans.second.remarks == ("`fighters:4` counts as 3; more make no difference.",)
    assert parse_plans("12 9 bombers:2 || dice:1v1").second.remarks == (), "nobody has said a word too many"


def test_two_plans_are_refused_where_one_battle_is_expected() -> None:
    with pytest.raises(MatchupError, match=r"Type one battle here; `\|\|` is for two plans after `/compare`\."):
        parse("12 9 || 13 9")


def test_plans_of_the_first_rules_keep_their_meaning() -> None:
    for line, today in (
        ("12 9 bombers:2 || 13 9", "12 9 bombers:2 || 13 9 bombers:0"),
        ("12 9 stop:4 || 12 9", "12 9 stop:4 || 12 9 stop:0"),
        ("4 4 icons:A,D || 5 4", "4 4 icons:A,D || 5 4 variant:classic"),
        ("12 9 ties:both || 12 9", "12 9 ties:both || 12 9 variant:classic"),
        ("12 9 bombers:1 || fighters:1", "12 9 bombers:1 || 12 9 fighters:1 bombers:1"),
        ("3 inf vs 2 inf lowluck || 3 inf vs 2 inf", "3 inf vs 2 inf lowluck || 3 inf vs 2 inf lowluck:no"),
        (
            "3 inf vs 2 inf retreat:units<=1 || 2 inf vs 2 inf",
            "3 inf vs 2 inf retreat:units<=1 || 2 inf vs 2 inf variant:1942",
        ),
        ("1 tac vs 2 inf variant:1940 || 3 inf vs 2 inf", "1 tac vs 2 inf variant:1940 || 3 inf vs 2 inf variant:1942"),
        ("3 inf 2 arm vs 4 inf || 1 fig", "3 inf 2 arm vs 4 inf || 3 inf 2 arm 1 fig vs 4 inf"),
    ):
        assert spelled_out(line) == today
        with reading_with(NotationDefaults(rules=1)):
            then = [write(reading.battle) for reading in parse_plans(line)]
        assert [write(reading.battle) for reading in parse_plans(today)] == then
        assert spelled_out(today) == today, "what is spelled out means the same by both"
    signs = "5 inf 2 arm vs 4 inf || 5 inf +3 art"
    assert spelled_out(signs) == signs, "there were no signs"
    assert spelled_out("12 9 || 12 9 stop:4") == "12 9 || 12 9 stop:4", "a line that means the same stays as it is"


any_waves = st.lists(army_lines.map(lambda line: line.partition(" variant:")[0]), min_size=2, max_size=3).flatmap(
    lambda waves: st.sampled_from([" then ", " then hold "]).map(lambda sign: sign.join(waves))
)
any_plan = st.one_of(any_battle, paths()).map(write) | sensible | army_lines | any_waves


@given(st.lists(any_plan, min_size=2, max_size=3))
def test_the_canonical_line_brings_any_plans_back(lines: list[str]) -> None:
    readings = []
    for line in lines:
        try:
            readings.append(parse(line))
        except MatchupError:
            assume(False)
    line = write_plans(Plans(readings))
    assert len(line) <= LONGEST_PLANS
    plans = parse_plans(line)
    assert [reading.battle for reading in plans] == [reading.battle for reading in readings]
    assert write_plans(plans) == line


@given(any_battle | paths(), st.sampled_from(["stop:2", "13", "vs 7", "late:no", "ties:both"]))
def test_the_second_plan_changes_the_first_like_a_preset(battle: Battle | Path, change: str) -> None:
    line = write(battle)
    assume(len(line) <= LONGEST_LINE - 20)
    try:
        expected, wrong = parse(f"setup {change}", {"setup": line}).battle, ""
    except MatchupError as error:
        expected, wrong = None, f"Plan B: {error.reason}"
    try:
        found, refused = parse_plans(f"{line} || {change}").second.battle, ""
    except MatchupError as error:
        found, refused = None, error.reason
    assert (found, refused) == (expected, wrong)


@given(wild, wild, st.sampled_from(["||", " || ", "|", " or ", "\n", ""]))
@example("12 9", "@everyone", " || ")
@example("12 9", "```", "||")
def test_any_line_is_two_plans_or_an_error(first: str, second: str, sign: str) -> None:
    line = f"{first}{sign}{second}"
    try:
        plans = parse_plans(line, SAVED)
    except MatchupError as error:
        text = error.text
    else:
        assert [reading.battle for reading in parse_plans(write_plans(plans))] == [one.battle for one in plans]
        assert normal(line)
        return
    assert 0 < len(text) < 1000
    assert text.count("```") in (0, 2), "nothing that was typed may end the block it is shown in"
