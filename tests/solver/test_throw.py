"""One throw in Axis & Allies: every die in fractions, support and ships that bombard, and what is refused."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import BattleError
from solver.axis.battle import AxisBattle
from solver.axis.throw import MOST_THROWN, find_throw, has_more_fire, throw_laws
from tests.helpers.bot.lines import parse, wave_of
from tests.helpers.solver import axis_brute
from tests.helpers.solver.axis_battles import RULES, document

STRENGTHS = {"infantry": (1, 2), "artillery": (2, 2), "tank": (3, 3), "fighter": (3, 4), "bomber": (4, 1)}
"""What each unit hits with as an attacker and as a defender."""
armies = st.fixed_dictionaries(dict.fromkeys(STRENGTHS, st.integers(0, 3)))


def strengths(units: dict[str, int], side: int) -> tuple[int, ...]:
    """The dice of an army, strongest first; each artillery raises the die of one attacking infantry."""
    dice = [STRENGTHS[name][side] for name, count in units.items() for _ in range(count)]
    for _ in range(min(units["infantry"], units["artillery"]) * (side == 0)):
        dice[dice.index(1)] = 2
    return tuple(sorted(dice, reverse=True))


@given(armies, armies, st.sampled_from(["standard", "low_luck", "biased"]))
def test_the_hits_of_a_throw_are_those_of_all_dice_in_fractions(
    ours: dict[str, int], theirs: dict[str, int], dice: str
) -> None:
    battle = AxisBattle.from_dict(document(ours, theirs, dice=dice), RULES)
    for side, (law, units) in enumerate(zip(throw_laws(battle), (ours, theirs), strict=True)):
        wanted = axis_brute.hits(strengths(units, side), dice)
        found = {hits: chance for hits, chance in enumerate(law.tolist()) if chance}
        assert found == pytest.approx({hits: float(chance) for hits, chance in wanted.items() if chance}, abs=1e-12)


def test_ships_that_bombard_fire_too_and_early_fire_is_told() -> None:
    law, _theirs = throw_laws(wave_of("1 ainf 1 bat vs 1 inf"))
    assert law.tolist() == pytest.approx(
        [float(part) for part in (Fraction(10, 36), Fraction(22, 36), Fraction(4, 36))]
    )
    told = {
        line: has_more_fire(wave_of(line)) for line in ("1 fig vs 1 aa 1 inf", "1 sub vs 1 des", "1 inf vs 1 aa 1 inf")
    }
    assert told == {"1 fig vs 1 aa 1 inf": True, "1 sub vs 1 des": True, "1 inf vs 1 aa 1 inf": False}


def test_a_throw_is_of_one_wave_and_of_no_more_units_than_can_be_counted_at_once() -> None:
    with pytest.raises(BattleError, match="one wave"):
        find_throw(parse("3 inf vs 2 inf then 2 arm").battle)
    with pytest.raises(BattleError, match=f"up to {MOST_THROWN} units"):
        throw_laws(wave_of(f"{MOST_THROWN + 1} inf vs 1 inf"))
