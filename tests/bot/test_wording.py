"""Odds in words: never more certain than the numbers, and never longer than a message may be."""

import re

import pytest
from hypothesis import given

from bot.commands.request import only
from bot.matchup import parse
from bot.replies import line_of
from bot.wording import alternative, answer, certain, fates, gained, has_end, of_twenty, tenths
from solver import Battle, solve
from tests.helpers.solver.any_battle import battles

STUCK_HALF = "2 2 adice:2,2 abonus:5,1 aclamp:2..3 ddice:2,2 dbonus:5,1 dclamp:2..3 ties:neither stop:1"


@pytest.mark.parametrize(
    ("line", "first", "second"),
    [
        (
            "12 9",
            "**Attacker wins 79.0%** · 12 against 9 · classic Risk",
            "8 in 10: from 3 defenders left to 9 attackers left · expect to lose 7.1 of 12"
            " · average left: attacker 4.9, defender 0.7",
        ),
        (
            "12 9 stop:4",
            "**Attacker wins 56.1%, attack called off 43.9%** · 12 against 9, stop at 4 · classic Risk",
            "8 in 10: from 5 defenders left to 9 attackers left · expect to lose 6.2 of 12"
            " · average left: attacker 5.8, defender 1.6",
        ),
        (
            "30 20 ties:both",
            "**Attacker wins 99.9%, draw <0.1%** · 30 against 20 · Risk with house rules",
            "8 in 10: 12 to 23 attackers left · expect to lose 12.2 of 30 · average left: attacker 17.8, defender <0.1",
        ),
        (
            "12 9 rounds:3",
            "**Attacker wins 0%, attack called off 100%** · 12 against 9, 3 rounds · classic Risk",
            "8 in 10: from the defender 1 ahead to the attacker 7 ahead · expect to lose 2.8 of 12"
            " · average left: attacker 9.2, defender 5.8",
        ),
        (
            "5 0",
            "**Attacker wins 100%** · 5 against 0 · classic Risk",
            "always: 5 attackers left · expect to lose 0.0 of 5 · average left: attacker 5.0, defender 0.0",
        ),
        (
            "3 1000",
            "**Attacker wins <0.1%** · 3 against 1000 · classic Risk",
            "8 in 10: 994 to 1000 defenders left · expect to lose nearly all of 3"
            " · average left: attacker <0.1, defender 997.5",
        ),
        (
            "1000 1",
            "**Attacker wins >99.9%** · 1000 against 1 · classic Risk",
            "8 in 10: 998 to 1000 attackers left · expect to lose 0.5 of 1000"
            " · average left: attacker 999.5, defender <0.1",
        ),
        (
            "4 9 stop:4",
            "**The attack ends before the first roll** · 4 against 9, stop at 4 · classic Risk",
            "always: 9 defenders left · expect to lose 0.0 of 4 · average left: attacker 4.0, defender 9.0",
        ),
        (
            STUCK_HALF,
            "**Attacker wins 0%, attack called off 50.0%, never ends 50.0%** · 2 against 2, stop at 1"
            " · Risk with house rules",
            "all that end: 2 defenders left",
        ),
    ],
)
def test_a_verdict_and_the_numbers(line: str, first: str, second: str) -> None:
    battle = only(parse(line).battle)
    assert answer(battle, solve(battle)).splitlines()[:2] == [first, second]


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("12 9", "attacker 4.9, defender 0.7"),
        ("1 1 icons:A,A", "attacker 0.0, defender 0.0"),
        ("9 9 icons:A,A dicons:-,-", "attacker 9.0, defender 0.0"),
        ("900 1 abonus:3", "attacker >899.9, defender <0.1"),
        ("1 900", "attacker <0.1, defender 899.7"),
    ],
)
def test_as_many_are_left_as_the_ends_say_and_rounding_makes_nothing_certain(line: str, left: str) -> None:
    battle = only(parse(line).battle)
    assert f" · average left: {left}" in answer(battle, solve(battle))


@given(battles)
def test_losses_and_survivors_make_up_the_attackers(battle: Battle) -> None:
    odds = solve(battle)
    found = re.search(r"lose ([\d.]+) of .* attacker ([\d.]+),", answer(battle, odds))
    if found and not odds.never:
        assert float(found[1]) + float(found[2]) == pytest.approx(battle.attackers, abs=0.11)


def test_where_nobody_can_ever_win_it_says_so_and_no_more() -> None:
    battle = only(parse("5 5 aclamp:3..3 dclamp:3..3 ties:neither").battle)
    assert answer(battle, solve(battle)).splitlines() == [
        "**Neither side can ever win** · 5 against 5 · Risk with house rules",
        "-# exact · endless · `5 5 aclamp:3..3 dclamp:3..3 ties:neither`",
    ]


@given(battles)
def test_twenty_battles_are_twenty_and_near_the_chances(battle: Battle) -> None:
    odds = solve(battle)
    counts = of_twenty(odds)
    chances = odds.attacker_wins, odds.beaten, odds.both_left + odds.draw + odds.never
    assert sum(counts) == 20
    assert all(abs(count - 20 * chance) < 1.0001 for count, chance in zip(counts, chances, strict=True))


@given(battles)
def test_an_answer_ends_with_its_battle_and_fits_a_message(battle: Battle) -> None:
    odds = solve(battle)
    text = answer(battle, odds)
    line = line_of(text)
    assert line is not None
    assert only(parse(line).battle) == battle
    assert len(text) <= 2000
    if has_end(odds):
        assert len(alternative(battle, odds)) <= 1024


@given(battles)
def test_the_fates_are_all_there_are(battle: Battle) -> None:
    odds = solve(battle)
    assert sum(fates(odds).values()) + odds.attacker_wins == pytest.approx(1, abs=1e-9)
    assert odds.beaten + odds.both_left == pytest.approx(odds.defender_wins + odds.unresolved, abs=1e-12)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("12 9", "Attacker wins 79.0%; defender holds 21.0%. "),
        ("12 9 stop:4", "Attacker wins 56.1%, attack called off 43.9%. "),
        ("12 9 value:100", "Attacker wins 78.9%, attack called off 7.7%; defender holds 13.4%. "),
        ("4 9 stop:4", "The attack ends before the first roll. "),
    ],
)
def test_the_words_of_a_picture_tell_every_chance_once(line: str, told: str) -> None:
    battle = only(parse(line).battle)
    assert alternative(battle, solve(battle)).startswith(told)


def test_money_that_rounds_to_nothing_has_no_sign() -> None:
    assert [tenths(of) for of in (13.24, -0.44, -0.04, -0.0, 0.0, 0.04)] == ["13.2", "−0.4", "0.0", "0.0", "0.0", "0.0"]
    assert [gained(of) for of in (13.24, -0.44, -0.04, -0.0, 0.0, 0.04)] == [
        "+13.2",
        "−0.4",
        "0.0",
        "0.0",
        "0.0",
        "0.0",
    ]


def test_only_what_is_certain_is_told_as_that() -> None:
    assert [certain(of) for of in (0.0, 1e-9, 0.5, 1 - 1e-9, 1.0)] == ["0%", "<0.1%", "50.0%", ">99.9%", "100%"]
