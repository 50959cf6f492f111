"""Whole battles as one fraction: against every path followed, the odds in floats, and answers from outside."""

from fractions import Fraction
from hashlib import sha256
from itertools import product
from typing import Any

import pytest
from hypothesis import given

from solver import Battle, BattleError, Faces, Pool, Reshape, Ships, solve
from solver.dice.exact import attacker_wins
from solver.path.odds import march, takes_all
from solver.path.path import Path
from tests.helpers.cases import each
from tests.helpers.extent import pick
from tests.helpers.solver.any_battle import battles
from tests.helpers.solver.outside import CASES


def test_fractions_of_one_die_and_of_three_against_two() -> None:
    assert attacker_wins(Battle(1, 1)) == Fraction(15, 36)
    both, one, none = Fraction(2890, 7776), Fraction(2611, 7776), Fraction(2275, 7776)
    two_one = attacker_wins(Battle(2, 1))
    assert attacker_wins(Battle(3, 2)) == both + one * two_one + none * attacker_wins(Battle(1, 2))


@each([case for case in CASES if "attacker_wins_exact" in case["odds"]][:: pick(6, 1)])
def test_fractions_agree_with_known_answers(case: dict[str, Any]) -> None:
    assert attacker_wins(Battle.from_dict(case["battle"])) == Fraction(case["odds"]["attacker_wins_exact"])


@given(battles)
def test_the_odds_in_floats_agree_with_the_fraction(battle: Battle) -> None:
    assert solve(battle).attacker_wins == pytest.approx(float(attacker_wins(battle)), rel=1e-12, abs=0)


def test_a_battle_without_losses_has_the_fraction_0() -> None:
    stuck = Pool((6,), clamp=(3, 3))
    assert attacker_wins(Battle(1, 1, stuck, stuck, ties="neither")) == 0
    assert attacker_wins(Battle(1, 1, stuck, stuck, ties="neither", rounds=5)) == 0


def test_a_fraction_of_too_much_work_is_refused() -> None:
    assert 0 < attacker_wins(Battle(200, 200)) < 1
    for battle in (
        Battle(1000, 1000),
        Battle(2, 3000),
        Battle(500, 500, rounds=400),
        Battle(100, 100, late=True),
    ):
        with pytest.raises(BattleError, match="too large for a fraction"):
            attacker_wins(battle)


def test_two_hundred_fractions_have_their_frozen_signature() -> None:
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


@pytest.mark.whole
def test_two_hundred_fractions_of_other_rules_have_their_signature() -> None:
    """The same over icon dice, late choices and paths."""
    icons = Faces.of(["AAD", "A", "D", ""]), Faces.of(["AA", "DD", "A"])
    rules: list[dict[str, Any]] = [
        {"faces": icons},
        {"faces": icons, "rounds": 3},
        {"faces": icons[::-1], "stop": 1},
        {"faces": (icons[0], icons[0]), "reserve": 1},
        {"late": True},
        {"late": True, "stop": 2},
        {"late": True, "ties": "both", "reserve": 1},
        {"late": True, "attack": Pool((8, 6, 6), 1, (1,)), "defence": Pool((8, 6, 4), 1, (), (2, 7))},
    ]
    sizes = [(attackers, defenders) for attackers in (1, 2, 4, 6, 9) for defenders in (1, 3, 5, 8)]
    answers = [attacker_wins(Battle(*size, **rule)) for rule in rules for size in sizes]
    plain: list[dict[str, Any]] = [{}, {"stop": 2}]
    for rule, attackers, path in product(plain, (4, 9, 14, 20), ((3,), (2, 2), (1, 3, 2), (5, 1), (4, 4, 1))):
        legs = [Battle(attackers, there, **rule, ties="attacker" if there == 1 else "defender") for there in path]
        answers.append(takes_all(Path.of(legs, range(1, len(path)))))
    assert len(answers) == 200
    signature = sha256(" ".join(map(str, answers)).encode()).hexdigest()
    assert signature == "49be1d77dec118d2fae15d516bf5828135eaaadfc6f7ec3d634c544c646a3ae6"


def test_the_odds_of_a_path_agree_with_its_fraction() -> None:
    path = Path.of((Battle(30, 9), Battle(0, 7, ties="both"), Battle(0, 6, late=True)), (2, 1))
    assert march(path).takes_all == pytest.approx(float(takes_all(path)), rel=1e-12, abs=0)


def test_battles_without_a_fraction_are_refused() -> None:
    with pytest.raises(BattleError, match="reshaped odds can't be fractions"):
        attacker_wins(Battle(9, 9, reshape=Reshape()))
    with pytest.raises(BattleError, match="too large"):
        takes_all(Path.of((Battle(2000, 900), Battle(0, 900)), (1,)))
