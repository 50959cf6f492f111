"""Ends of battles of Axis & Allies that somebody asks about: their chance is that of all dice followed in fractions."""

from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import BattleError
from solver.axis.battle import AxisBattle
from solver.axis.endings import count_ends
from solver.axis.solve import solve_axis
from solver.axis.units import Rules
from solver.axis.waves.odds import solve_waves
from solver.axis.waves.waves import Waves, battle_from_dict
from solver.ends import EndRange, ends_to_dict
from tests.helpers.extent import examples, pick
from tests.helpers.solver import axis_brute
from tests.helpers.solver import axis_waves_brute as twin
from tests.helpers.solver.any_axis_battle import Document, at_sea, on_land
from tests.helpers.solver.axis_battles import RULES, document
from tests.helpers.solver.axis_chains import chain
from tests.helpers.solver.axis_rules import Counts, End

PRICES = {"infantry": 3, "artillery": 4, "tank": 6, "fighter": 10, "bomber": 12, "aa_gun": 5, "submarine": 6} | {
    "destroyer": 8,
    "carrier": 14,
    "cruiser": 12,
    "battleship": 20,
    "transport": 7,
}
KINDS = ("", "air", "sea", "land", "money", "fighter", "infantry", "submarine", "battleship")


def counted(units: Counts, of: str, rules: Rules) -> Fraction:
    """How many of these units count, or what they are worth."""
    total = Fraction(0)
    for name, count in units:
        plain = name.removeprefix("amphibious_").removeprefix("damaged_")
        matters = of in ("", plain, rules.table[name].kind) or of == "money"
        total += count * matters * (PRICES[plain] if of == "money" else 1)
    return total


def by_hand(battle: Document, asked: EndRange) -> Fraction:
    """The chance of ends in a range, from every end of the slow twin."""

    def amount(end: End) -> Fraction:
        left, gone, lost = end[:3] if asked.side == "attacker" else end[3:]
        return counted(lost if asked.lost else left + gone, asked.of, RULES)

    ends = axis_brute.solve(battle).ends.items()
    most = 10**6 if asked.most is None else asked.most
    return sum((share for end, share in ends if asked.least <= amount(end) <= most), Fraction(0))


ranges = st.builds(
    EndRange,
    st.sampled_from(["attacker", "defender"]),
    st.booleans(),
    st.integers(0, 3),
    st.sampled_from([None, 3, 12]),
    st.sampled_from(KINDS),
)


@examples(pick(20, 100), derandomize=True)
@given(on_land(retreats=False) | at_sea(retreats=False), ranges)
def test_the_chance_of_some_ends_is_that_of_all_dice_in_fractions(battle: Document, asked: EndRange) -> None:
    battle = {name: value for name, value in battle.items() if name != "worth"}
    fought = AxisBattle.from_dict(battle, RULES)
    odds = solve_axis(fought, 0)
    try:
        found = ends_to_dict([asked], partial(count_ends, Waves.one(fought), odds), odds.chances)
    except BattleError:
        sides = odds.attackers if asked.side == "attacker" else odds.defenders
        assert all(not counted(pairs, asked.of, RULES) for fate in sides for pairs in fate)
        return
    assert found["ends_chance"] == pytest.approx(float(by_hand(battle, asked)), abs=1e-9)


def test_of_several_waves_all_units_count_that_a_side_has_not_lost_in_any() -> None:
    battle = chain(document({"infantry": 3, "fighter": 1}, {"infantry": 3}), document({"tank": 1}, {}))
    waves = battle_from_dict(battle, RULES)
    joint = solve_waves(waves).joint
    assert joint is not None
    whole = {"infantry": 3, "fighter": 1, "tank": 1}
    for of, most in (("", 2), ("fighter", 0), ("land", 1)):
        there = sum(counted(((name, count),), of, RULES) for name, count in whole.items())
        wanted = sum(
            share for (lost, *_), share in twin.solve(battle).joint.items() if there - counted(lost, of, RULES) <= most
        )
        found = ends_to_dict([EndRange("attacker", most=most, of=of)], partial(count_ends, waves, joint), joint.chances)
        assert found["ends_chance"] == pytest.approx(float(wanted), abs=1e-12)
