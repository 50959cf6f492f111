"""Whole battles as one fraction: against every path followed, the odds in floats, and answers from outside."""

from fractions import Fraction
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given

from solver import Battle, BattleError, Pool, Ships, solve
from solver.exact import attacker_wins
from tests.solver.test_battles import battles
from tests.solver.test_oracles import CASES


def test_a_die_against_a_die_and_three_against_two() -> None:
    assert attacker_wins(Battle(1, 1)) == Fraction(15, 36)
    both, one, none = Fraction(2890, 7776), Fraction(2611, 7776), Fraction(2275, 7776)
    two_one = attacker_wins(Battle(2, 1))
    assert attacker_wins(Battle(3, 2)) == both + one * two_one + none * attacker_wins(Battle(1, 2))


@pytest.mark.parametrize(
    "case", [case for case in CASES if "attacker_wins_exact" in case["odds"]], ids=lambda c: c["id"]
)
def test_the_fraction_is_the_one_known_from_outside(case: dict[str, Any]) -> None:
    assert attacker_wins(Battle.from_dict(case["battle"])) == Fraction(case["odds"]["attacker_wins_exact"])


@given(battles)
def test_the_odds_in_floats_are_this_fraction(battle: Battle) -> None:
    assert solve(battle).attacker_wins == pytest.approx(float(attacker_wins(battle)), rel=1e-12, abs=0)


def test_where_nobody_can_ever_lose_anything_nobody_wins() -> None:
    stuck = Pool((6,), clamp=(3, 3))
    assert attacker_wins(Battle(1, 1, stuck, stuck, ties="neither")) == 0
    assert attacker_wins(Battle(1, 1, stuck, stuck, ties="neither", rounds=5)) == 0


def test_what_would_take_too_long_is_refused() -> None:
    assert 0 < attacker_wins(Battle(200, 200)) < 1
    for battle in (Battle(1000, 1000), Battle(2, 3000), Battle(500, 500, rounds=400)):
        with pytest.raises(BattleError, match="too large to work out as a fraction"):
            attacker_wins(battle)


def test_the_signature_of_two_hundred_answers() -> None:
    """One number over everything: a change that moves it changes answers, and must say why."""
    rules: list[dict[str, Any]] = [
        {},
        {"stop": 2},
        {"reserve": 1},
        {"rounds": 3},
        {"ties": "both"},
        {"ties": "neither"},
        {"ties": "attacker", "defence": Pool((8, 8))},
        {"attack_ships": Ships(1, 2, 1)},
        {"attack_ships": Ships(bombers=1), "defence_ships": Ships(2, 1, 2)},
        {"attack": Pool((8, 6, 6, 4), 2, (1, -1)), "defence": Pool((10, 6, 6), 1, (2,), (2, 7))},
    ]
    sizes = [(attackers, defenders) for attackers in (1, 2, 5, 9, 14) for defenders in (1, 3, 8, 13)]
    answers = [attacker_wins(Battle(*size, **rule)) for rule in rules for size in sizes]
    assert len(answers) == 200
    signature = sha256(" ".join(map(str, answers)).encode()).hexdigest()
    assert signature == "1e5d058531723648c90e38fdb1b2a45b3badf06c3e142d6fc529dd340e2e34e0"
