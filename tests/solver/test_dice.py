"""The laws of dice, against rulebooks, printed figures, and every roll listed."""

from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from solver import BattleError, Pool, Ships, Ties
from solver.chain import RoundLaw
from solver.dice.battle import ATTACK, DEFENCE
from solver.dice.pools import loss_laws, losses, value_laws
from tests.helpers.cases import each
from tests.helpers.extent import pick
from tests.helpers.solver import brute


def loss_law(attack: Pool, defence: Pool, ties: Ties) -> RoundLaw:
    """The law where all dice of both pools are rolled."""
    return loss_laws(attack, defence, ties)[-1][-1]


def defenders_lost(law: RoundLaw) -> float:
    return float(sum(chance * lost for (_, lost), chance in law.items()))


def star_wars(attack: Ships, defence: Ships) -> RoundLaw:
    return loss_law(attack.arm(ATTACK), defence.arm(DEFENCE), "defender")


def test_three_dice_against_two_have_the_well_known_losses() -> None:
    law = loss_law(ATTACK, DEFENCE, "defender")
    assert law == {(0, 2): Fraction(2890, 7776), (1, 1): Fraction(2611, 7776), (2, 0): Fraction(2275, 7776)}


@each(
    [
        (Ships(fighters=2), 1.22694),
        (Ships(fighters=3), 1.22800),
        (Ships(bombers=2), 1.49344),
        (Ships(bombers=3), 1.49344),
        (Ships(capitals=2), 1.39489),
        (Ships(capitals=3), 1.51351),
    ]
)
def test_each_ship_changes_the_dice_as_the_rules_say(ships: Ships, expected: float) -> None:
    assert defenders_lost(star_wars(ships, Ships())) == pytest.approx(expected, abs=5e-6)


def test_losses_of_every_fleet_agree_with_all_rolls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.dice.pools.value_laws", cache(value_laws))  # each fleet meets many others
    for attack in (Ships(*counts) for counts in product(range(0, 4, pick(3, 1)), range(0, 4), range(0, 4, pick(3, 1)))):
        for defence in (Ships(*counts) for counts in product(range(0, 3, 2), range(3), range(0, 3, 2))):
            ours, theirs = attack.arm(ATTACK), defence.arm(DEFENCE)
            assert star_wars(attack, defence) == brute.round_law(ours, theirs, 3, 2, "defender")


@each(
    [
        (attack, defence, ties)
        for ties in ["defender", "attacker", "both", "neither"]
        for attack, defence in [
            (Pool((6, 6, 6)), Pool((6, 6))),
            (Pool((8, 6, 4), rerolls=2, bonus=(1, 0, -1)), Pool((6, 4), rerolls=1)),
            (Pool((6, 6, 6), bonus=(-1, 0, 2)), Pool((8,), bonus=(-1,), clamp=(1, 6))),
            (Pool((4, 4, 4, 4)), Pool((10, 4, 2), rerolls=3, clamp=(2, 5))),
            (Pool((20, 3)), Pool((12, 12), bonus=(0, 3))),
        ]
    ]
)
def test_losses_of_any_dice_agree_with_all_rolls(attack: Pool, defence: Pool, ties: Ties) -> None:
    for units, others in product(range(1, 5), range(1, 4)):
        law = loss_law(attack.for_units(units), defence.for_units(others), ties)
        assert law == brute.round_law(attack, defence, units, others, ties)


def test_large_dice_still_have_an_exact_law() -> None:
    law = loss_law(Pool((20, 20, 20)), Pool((20, 20)), "defender")
    assert sum(law.values()) == 1
    one = loss_law(Pool((100,)), Pool((100,)), "defender")
    assert one == {(0, 1): Fraction(99, 200), (1, 0): Fraction(101, 200)}


def test_dice_are_compared_highest_with_highest() -> None:
    assert losses((6, 4, 1), (5, 5), "defender") == (1, 1)
    assert losses((5, 5), (5, 4, 1), "defender") == (1, 1)
    assert losses((5, 5), (5, 5), "both") == (2, 2)
    assert losses((5, 5), (5, 5), "neither") == (0, 0)


def test_the_largest_dice_are_rerolled_first_and_get_the_bonus() -> None:
    pool = Pool((6, 8), rerolls=1, bonus=(1,))
    assert pool.dice == (8, 6)
    assert pool.values_of((2, 5)) == (6, 2)
    assert pool.for_units(1) == Pool((8,), rerolls=1, bonus=(1,))


def test_dice_are_clamped_and_sorted_after_the_bonus() -> None:
    assert Pool((6, 6), bonus=(-3,), clamp=(1, 6)).values_of((4, 2)) == (2, 1)
    assert Pool((6, 6), bonus=(2, 2), clamp=(1, 6)).values_of((6, 3)) == (6, 5)


@each(
    [
        ({"dice": ()}, "dice"),
        ({"dice": (6,) * 9}, "dice"),
        ({"dice": (1,)}, "dice"),
        ({"dice": (101,)}, "dice"),
        ({"dice": (True,)}, "dice"),
        ({"dice": (6.0,)}, "dice"),
        ({"dice": (100, 100, 100)}, "dice"),
        ({"dice": (6,), "rerolls": -1}, "rerolls"),
        ({"dice": (6,), "bonus": (1, 1)}, "bonus"),
        ({"dice": (6,), "bonus": (1000,)}, "bonus"),
        ({"dice": (6,), "clamp": (6, 1)}, "clamp"),
        ({"dice": (6, 6), "keep": 3}, "keep"),
        ({"dice": (6, 6), "keep": 1, "bonus": (1, 1)}, "bonus"),
        ({"dice": (6, 6), "keep": 1, "worst": 1}, "worst"),
        ({"dice": (6, 6), "rerolls": 1, "once": "yes"}, "once"),
        ({"dice": (22, 22), "rerolls": 1, "explosions": 4}, "dice"),
        ({"dice": (6, 6), "explosions": 6}, "explosions"),
        ({"dice": (22, 22), "explosions": 5}, "dice"),
        ({"dice": (6, 6), "leader": 101}, "leader"),
        ({"dice": (6,), "clamp": (1, 10**9)}, "clamp"),
    ]
)
def test_impossible_dice_are_refused_with_their_field(pool: dict[str, object], field: str) -> None:
    with pytest.raises(BattleError) as error:
        Pool(**pool)  # type: ignore[arg-type]
    assert error.value.field == field
