"""Odds in words: never more certain than the numbers, and never longer than a message may be."""

import re

import pytest
from hypothesis import example, given

from bot.games.dice.words import alternative, answer, fates, has_end, twenty_battles
from bot.replies import full_text, line_of
from bot.words.numbers import exact_percent, signed_tenths, tenths
from solver import Battle, solve
from tests.helpers.bot.lines import read_battle
from tests.helpers.cases import each
from tests.helpers.solver.any_battle import battles

STUCK_HALF = "2 2 adice:2,2 abonus:5,1 aclamp:2..3 ddice:2,2 dbonus:5,1 dclamp:2..3 ties:neither stop:1"


@each(
    [
        (
            "12 9",
            "**Attacker wins 79.0%** · 12 against 9 · classic Risk",
            "8 battles in 10 end between 3 defenders and 9 attackers left"
            " · average losses: attacker 7.1 of 12, defender 8.3 of 9",
        ),
        (
            "12 9 stop:4",
            "**Attacker wins 56.1%, attack called off 43.9%** · 12 against 9, stop at 4 · classic Risk",
            "8 battles in 10 end between 5 defenders and 9 attackers left"
            " · average losses: attacker 6.2 of 12, defender 7.4 of 9",
        ),
        (
            "30 20 ties:both",
            "**Attacker wins 99.9%, draw <0.1%** · 30 against 20, house rules · Risk",
            "8 battles in 10 end between 12 and 23 attackers left"
            " · average losses: attacker 12.2 of 30, defender 20.0 of 20 (nearly all)",
        ),
        (
            "12 9 rounds:3",
            "**Attacker wins 0%, attack called off 100%** · 12 against 9, 3 rounds · classic Risk",
            "8 battles in 10 end between the defender 1 ahead and the attacker 7 ahead"
            " · average losses: attacker 2.8 of 12, defender 3.2 of 9",
        ),
        (
            "5 0",
            "**Attacker wins 100%** · 5 against 0 · classic Risk",
            "-# exact · no rounds · `5 0`",
        ),
        (
            "3 1000",
            "**Attacker wins <0.1%** · 3 against 1000 · classic Risk",
            "8 battles in 10 end between 994 and 1000 defenders left"
            " · average losses: attacker 3.0 of 3 (nearly all), defender 2.5 of 1000",
        ),
        (
            "1000 1",
            "**Attacker wins >99.9%** · 1000 against 1 · classic Risk",
            "8 battles in 10 end between 998 and 1000 attackers left"
            " · average losses: attacker 0.5 of 1000, defender 1.0 of 1 (nearly all)",
        ),
        (
            "4 9 stop:4",
            "**The attack ends before the first roll** · 4 against 9, stop at 4 · classic Risk",
            "-# exact · no rounds · `4 9 stop:4`",
        ),
        (
            STUCK_HALF,
            "**Attacker wins 0%, attack called off 50.0%, never ends 50.0%** · 2 against 2, stop at 1,"
            " house rules · Risk",
            "If it ends, it ends with 2 defenders left",
        ),
    ]
)
def test_an_answer_has_a_verdict_and_its_numbers(line: str, first: str, second: str) -> None:
    battle = read_battle(line)
    assert full_text(answer(battle, solve(battle))).splitlines()[:2] == [first, second]


@each(
    [
        ("12 9", "attacker 7.1 of 12, defender 8.3 of 9"),
        ("1 1 icons:A,A", "attacker 1.0 of 1, defender 1.0 of 1"),
        ("9 9 icons:A,A dicons:-,-", "attacker 0.0 of 9, defender 9.0 of 9"),
        ("900 1 abonus:3", "attacker <0.1 of 900, defender 1.0 of 1 (nearly all)"),
        ("1 900", "attacker 1.0 of 1 (nearly all), defender 0.3 of 900"),
    ]
)
def test_average_losses_agree_with_the_ends_after_rounding(line: str, lost: str) -> None:
    battle = read_battle(line)
    assert f" · average losses: {lost}\n" in full_text(answer(battle, solve(battle)))


# Nobody can ever be hit, which sums of chances miss by a hair: "−0.0".
@example(read_battle("2 1 adice:3 arerolls:1 ddice:6 drerolls:1 dclamp:3..4 ties:neither rounds:2"))
@given(battles)
def test_losses_and_survivors_make_up_both_sides(battle: Battle) -> None:
    odds = solve(battle)
    text = full_text(answer(battle, odds))
    found = re.search(r"average losses: attacker <?([\d.]+) of (\d+)[^,]*, defender <?([\d.]+) of (\d+)", text)
    assert (found is not None) == ("average losses" in text)
    if found and not odds.never:
        ours, our_all, theirs, their_all = map(float, found.groups())
        assert (our_all, their_all) == (battle.attackers, battle.defenders)
        assert ours + odds.attackers_left == pytest.approx(our_all, abs=0.11)
        assert theirs + odds.defenders_left == pytest.approx(their_all, abs=0.11)


def test_an_endless_battle_is_a_single_sentence() -> None:
    battle = read_battle("5 5 aclamp:3..3 dclamp:3..3 ties:neither")
    assert full_text(answer(battle, solve(battle))).splitlines() == [
        "**Neither side can ever win** · 5 against 5, house rules · Risk",
        "-# exact · endless · `5 5 aclamp:3..3 dclamp:3..3 ties:neither`",
    ]


@given(battles)
def test_the_twenty_battles_of_a_picture_are_near_the_chances(battle: Battle) -> None:
    odds = solve(battle)
    counts = twenty_battles(odds)
    chances = odds.attacker_wins, odds.beaten, odds.both_left + odds.draw + odds.never
    assert sum(counts) == 20
    assert all(abs(count - 20 * chance) < 1.0001 for count, chance in zip(counts, chances, strict=True))


@given(battles)
def test_an_answer_ends_with_its_battle_and_fits_a_message(battle: Battle) -> None:
    odds = solve(battle)
    text = full_text(answer(battle, odds))
    line = line_of(text)
    assert line is not None
    assert read_battle(line) == battle
    assert len(text) <= 2000
    if has_end(odds):
        assert len(alternative(battle, odds)) <= 1024


@given(battles)
def test_the_fates_add_up_to_1(battle: Battle) -> None:
    odds = solve(battle)
    assert sum(fates(odds).values()) + odds.attacker_wins == pytest.approx(1, abs=1e-9)
    assert odds.beaten + odds.both_left == pytest.approx(odds.defender_wins + odds.unresolved, abs=1e-12)


@each(
    [
        ("12 9", "Attacker wins 79.0%; defender holds 21.0%. "),
        ("12 9 stop:4", "Attacker wins 56.1%, attack called off 43.9%. "),
        ("12 9 value:100", "Attacker wins 78.9%, attack called off 7.7%; defender holds 13.4%. "),
        ("4 9 stop:4", "The attack ends before the first roll. "),
    ]
)
def test_the_words_of_a_picture_have_every_chance_once(line: str, told: str) -> None:
    battle = read_battle(line)
    assert alternative(battle, solve(battle)).startswith(told)


def test_money_that_rounds_to_0_has_no_sign() -> None:
    assert [tenths(of) for of in (13.24, -0.44, -0.04, -0.0, 0.0, 0.04)] == ["13.2", "−0.4", "0.0", "0.0", "0.0", "0.0"]
    assert [signed_tenths(of) for of in (13.24, -0.44, -0.04, -0.0, 0.0, 0.04)] == [
        "+13.2",
        "−0.4",
        "0.0",
        "0.0",
        "0.0",
        "0.0",
    ]


def test_only_certain_chances_are_written_as_0_or_100() -> None:
    assert [exact_percent(of) for of in (0.0, 1e-9, 0.5, 1 - 1e-9, 1.0)] == ["0%", "<0.1%", "50.0%", ">99.9%", "100%"]
