"""Roll tables and single rounds: against every roll listed."""

from fractions import Fraction
from itertools import product
from math import gcd
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Battle, BattleError, Faces, Pool, Ships
from solver.dice.battle import ATTACK
from solver.dice.rolls import rank_laws, roll_weights, round_law
from tests.helpers.solver import brute, brute_more
from tests.helpers.solver.any_battle import pools, ties


@given(pools, st.integers(1, 3))
def test_a_roll_table_counts_every_roll(pool: Pool, units: int) -> None:
    units = min(units, pool.units)
    weights = roll_weights(pool, units)
    total = sum(weights.values())
    assert {values: Fraction(weight, total) for values, weight in weights.items()} == brute.rolls(pool, units)
    assert gcd(*weights.values()) == 1
    assert list(weights) == sorted(weights)


@given(pools, st.integers(1, 3))
def test_the_law_of_each_rank_agrees_with_all_rolls(pool: Pool, units: int) -> None:
    units = min(units, pool.units)
    laws = rank_laws(roll_weights(pool, units))
    assert len(laws) == units
    for rank, law in enumerate(laws):
        listed: dict[int, Fraction] = {}
        for values, chance in brute.rolls(pool, units).items():
            listed[values[rank]] = listed.get(values[rank], Fraction(0)) + chance
        assert law == listed
        assert list(law) == sorted(law)


def test_the_highest_of_three_dice_is_a_six_91_times_in_216() -> None:
    highest, middle, lowest = rank_laws(roll_weights(ATTACK, 3))
    assert highest[6] == Fraction(91, 216)
    assert lowest[6] == Fraction(1, 216)
    assert middle[1] == Fraction(16, 216)


def test_bombers_change_values_of_rolls_and_no_weights() -> None:
    """All fleets of a side: with bombers every roll has a place of its own, with the weight it had without."""
    for dice, fighters, capitals in product((1, 2, 3), range(4), range(4)):
        plain = Pool((6,) * dice)
        bare = roll_weights(Ships(fighters, 0, capitals).arm(plain), dice)
        for bombers in range(1, dice + 1):
            raised = roll_weights(Ships(fighters, bombers, capitals).arm(plain), dice)
            moved = {
                tuple(value + (rank < bombers) for rank, value in enumerate(values)): weight
                for values, weight in bare.items()
            }
            assert raised == moved


def test_rolls_of_d8_and_two_d6_have_the_published_weights() -> None:
    """A 1 that is rolled again is spread over the others: all weights begin at 7 x 5 x 5 = 175."""
    weights = roll_weights(Ships(fighters=3, capitals=1).arm(ATTACK), 3)
    assert sum(weights.values()) == 175, "with three fighters no die shows a 1"
    assert (2, 2, 2) in weights
    assert min(min(values) for values in weights) == 2
    one = roll_weights(Ships(fighters=1).arm(ATTACK), 1)
    assert one == {(2,): 1, (3,): 1, (4,): 1, (5,): 1, (6,): 1}


def test_two_fighters_reroll_two_1s_16_times_in_216() -> None:
    """The source counts exactly two 1s, which is 15 in 216; three 1s are rolled again twice as well."""
    ones = roll_weights(ATTACK, 3)
    assert sum(weight for values, weight in ones.items() if values.count(1) == 2) == 15
    assert sum(weight for values, weight in ones.items() if values.count(1) >= 2) == 16
    assert sum(ones.values()) == 216


@given(pools, pools, ties, st.integers(1, 5), st.integers(1, 5), st.integers(0, 3))
def test_losses_of_a_round_agree_with_all_rolls(
    attack: Pool, defence: Pool, ties: Any, attackers: int, defenders: int, reserve: int
) -> None:
    battle = Battle(attackers + reserve, defenders, attack, defence, ties=ties, reserve=reserve)
    law = round_law(battle)
    assert law == brute.round_law(attack, defence, attackers, defenders, ties)
    assert list(law) == sorted(law)
    assert sum(law.values()) == 1


faces = st.lists(st.sampled_from(["", "A", "D", "AA", "AD", "DDD"]), min_size=2, max_size=4).map(tuple)


@given(faces, faces, st.integers(1, 4), st.integers(1, 3))
def test_losses_of_an_icon_round_agree_with_all_rolls(
    ours: tuple[str, ...], theirs: tuple[str, ...], attackers: int, defenders: int
) -> None:
    battle = Battle(attackers + 2, defenders, faces=(Faces.of(ours), Faces.of(theirs)), reserve=2)
    assert round_law(battle) == brute_more.icon_round(ours, theirs, attackers, defenders)


def test_rolls_of_no_units_are_refused() -> None:
    pool = Pool((6, 6))
    for units in (0, 3):
        with pytest.raises(BattleError) as error:
            roll_weights(pool, units)
        assert error.value.field == "units"
    icons = Faces.of(["A", "D"]), Faces.of(["A", "D"])
    for battle, field in (
        (Battle(0, 3), "attackers"),
        (Battle(3, 3, reserve=3), "attackers"),
        (Battle(3, 0), "defenders"),
        (Battle(21, 20, faces=icons), "attackers"),
    ):
        with pytest.raises(BattleError) as error:
            round_law(battle)
        assert error.value.field == field
    assert sum(round_law(Battle(20, 20, faces=icons)).values()) == 1
