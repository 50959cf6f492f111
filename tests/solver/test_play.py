"""Battles with dice on the table: scripted dice, and dice against odds."""

import random
from collections.abc import Iterable
from itertools import islice
from math import log

import pytest

from solver import Battle, Pool, Ships, solve
from solver.play import Die, Source, over, play, ribbon


def script(*faces: int) -> Source:
    """Dice that fall as written; asking for a larger face than a die has is a fault of the script."""
    left = iter(faces)

    def roll(sides: int) -> int:
        face = next(left)
        assert face <= sides
        return face

    return roll


def test_a_battle_is_rolled_as_the_rulebook_says() -> None:
    first, second = play(Battle(4, 2), script(6, 4, 1, 5, 4, 3, 3, 3, 2))
    assert [die.face for die in first.attack] == [6, 4, 1]
    assert (first.attackers_lost, first.defenders_lost) == (1, 1)
    assert (second.attackers, second.defenders) == (3, 0)
    assert second.defence == (Die(6, (2,)),)


def test_a_one_is_rolled_again_right_after_it_fell_largest_die_first() -> None:
    ships = Ships(fighters=2, bombers=1, capitals=1)
    (fought,) = play(Battle(3, 1, attack_ships=ships), script(1, 1, 7, 1, 3, 1, 2))
    assert fought.attack == (Die(8, (1, 1, 7)), Die(6, (1, 3)), Die(6, (1,)))
    assert fought.attack_values == (8, 3, 1)
    assert fought.defence_values == (2,)


def test_a_battle_ends_when_it_is_called_off_or_the_rounds_are_over() -> None:
    lost = script(*[1, 1, 1, 6, 6] * 9)
    assert [r.attackers for r in play(Battle(9, 9, stop=5), lost)] == [7, 5]
    assert [r.attackers for r in play(Battle(9, 9, rounds=1), lost)] == [7]
    (only,) = play(Battle(5, 9, reserve=4), script(1, 6, 6))
    assert (only.attackers, len(only.attack)) == (4, 1)
    assert not list(play(Battle(3, 3, stop=3), script()))
    assert over(Battle(3, 0), 3, 0, 0)


def test_the_ribbon_tells_the_chance_before_and_after_each_round() -> None:
    battle = Battle(8, 7)
    rounds = list(play(battle, _dice(1)))
    chances = ribbon(battle, rounds)
    states = [(8, 7), *((r.attackers, r.defenders) for r in rounds)]
    assert chances == pytest.approx([solve(Battle(a, d)).attacker_wins for a, d in states], abs=1e-12)


def test_the_ribbon_counts_the_rounds_that_are_left() -> None:
    battle = Battle(6, 4, rounds=4)
    rounds = list(play(battle, _dice(3)))
    states = [(6, 4), *((r.attackers, r.defenders) for r in rounds)]
    expected = [solve(Battle(a, d, rounds=4 - played)).attacker_wins for played, (a, d) in enumerate(states)]
    assert ribbon(battle, rounds) == pytest.approx(expected, abs=1e-12)


def test_the_ribbon_counts_those_who_stand_by() -> None:
    battle = Battle(9, 4, reserve=3, stop=4)
    rounds = list(play(battle, _dice(5)))
    states = [(9, 4), *((r.attackers, r.defenders) for r in rounds)]
    expected = [solve(Battle(a, d, reserve=3, stop=4)).attacker_wins for a, d in states]
    assert ribbon(battle, rounds) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    "battle",
    [
        Battle(9, 8),
        Battle(7, 6, attack_ships=Ships(1, 1, 1), defence_ships=Ships(1, 1, 0)),
        Battle(9, 7, stop=3),
        Battle(9, 9, reserve=2, rounds=6),
        Battle(6, 6, Pool((8, 6, 6), bonus=(-1, 1)), Pool((6, 6), rerolls=1, clamp=(2, 6)), ties="both"),
    ],
    ids=repr,
)
def test_dice_and_odds_agree(battle: Battle) -> None:
    """A sequential test of Wald's: right odds are refused, and odds off by 4 points passed, 1 time in a million."""
    win = solve(battle).attacker_wins
    for wrong in (win - 0.04, win + 0.04):
        assert sequential_test((wins(battle, _dice(seed)) for seed in range(10**6)), win, wrong, 1e-6)


def sequential_test(results: Iterable[bool], right: float, wrong: float, error: float) -> bool:
    """Whether Bernoulli results speak for the right chance before they speak for the wrong one."""
    score, bound = 0.0, log((1 - error) / error)
    for result in islice(results, 100_000):
        score += log(right / wrong) if result else log((1 - right) / (1 - wrong))
        if abs(score) > bound:
            return score > 0
    raise AssertionError("the results speak for neither")


def wins(battle: Battle, source: Source) -> bool:
    attackers, defenders = battle.attackers, battle.defenders
    for fought in play(battle, source):
        attackers, defenders = fought.attackers, fought.defenders
    return defenders == 0 and attackers > 0


def _dice(seed: int) -> Source:
    generator = random.Random(seed)
    return lambda sides: generator.randint(1, sides)
