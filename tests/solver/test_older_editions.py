"""Revised and Classic at sea: planes hit submarines always, transports fight, and who strikes first."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.editions import editions
from solver.axis.battle import AxisBattle
from solver.axis.casualties.solve import solve_casualties
from solver.axis.packs import rules_of_pack
from solver.axis.sides import Aim
from solver.axis.solve import solve_axis
from solver.errors import BattleError
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver import axis_brute
from tests.helpers.solver.any_axis_battle import Document, at_sea
from tests.helpers.solver.axis_battles import NUMBERS, document
from tests.helpers.solver.axis_compare import compare
from tests.helpers.solver.axis_editions import in_edition, twins_play
from tests.helpers.solver.casualties_brute import Chosen
from tests.helpers.solver.fights import begin, next_dice
from tests.helpers.solver.kernels import each_kernel
from tests.helpers.solver.sampled_battles import check_that_shares_are_chances

EDITIONS, DICE = ("revised", "aa-classic"), ("standard", "low_luck", "biased")
OLDER = st.sampled_from(EDITIONS)
FLEET = {"submarine": 2, "fighter": 1, "transport": 1, "carrier": 1}


def agree(key: str, battle: Document) -> None:
    """Compare everything that is said of a battle in an edition, with each kernel."""
    there = in_edition(battle, key)
    with twins_play(key) as rules:
        answer = axis_brute.solve(there)
        for _kernel in each_kernel():
            compare(solve_axis(AxisBattle.from_dict(there, rules), 0), answer)


@examples(pick(60, 200), derandomize=True)
@given(OLDER, at_sea(retreats=False))
def test_battles_at_sea_follow_their_older_edition(key: str, battle: Document) -> None:
    agree(key, battle)


@examples(pick(50, 100), derandomize=True)
@given(OLDER, at_sea())
def test_attackers_at_sea_retreat_as_planned_in_older_editions(key: str, battle: Document) -> None:
    agree(key, battle)


@examples(pick(50, 100), derandomize=True)
@given(
    OLDER,
    at_sea(retreats=False),
    st.sampled_from([(True, False), (False, True), (True, True)]),
    st.sampled_from(["takes", "profit"]),
)
def test_chosen_losses_follow_their_older_edition(
    key: str, battle: Document, chooses: tuple[bool, bool], aim: Aim
) -> None:
    there = in_edition(battle, key)
    with twins_play(key) as rules:
        chosen = replace(AxisBattle.from_dict(there, rules), chooses=chooses, aim=aim)
        twin = Chosen(there, *chooses, aim).value()
        assert solve_casualties(chosen).value == pytest.approx(float(twin), rel=0, abs=1e-9)


@pytest.mark.parametrize(
    ("key", "dice"), pick([("revised", "biased"), ("aa-classic", "low_luck")], list(product(EDITIONS, DICE)))
)
def test_simulated_battles_follow_their_older_edition(key: str, dice: str) -> None:
    there = document(FLEET, FLEET | {"battleship": 1, "submarine": 3}, theatre="sea", dice=dice)
    battle = AxisBattle.from_dict(in_edition(there, key), editions()[key].rules)
    check_that_shares_are_chances(battle, seed=2)


@each(
    [
        # Both sides' submarines strike at the same time, or the defender's fire with all others.
        ("revised", [(2, 6, 2)], [(1, 6, 2)]),
        ("aa-classic", [(2, 6, 2)], []),
        ("1942", [(2, 6, 2)], [(1, 6, 1)]),
    ]
)
def test_surprise_strikes_of_live_battles_follow_the_edition(
    key: str, strike: list[tuple[int, int, int]], back: list[tuple[int, int, int]]
) -> None:
    there = document({"submarine": 2, "fighter": 1}, {"submarine": 1, "battleship": 1}, theatre="sea")
    fight = begin(AxisBattle.from_dict(in_edition(there, key), editions()[key].rules))
    assert next_dice(fight) == (strike, back)


@each([("revised", 1.0), ("aa-classic", 1.0), ("1942", 0.0)])
def test_a_plane_sinks_a_submarine_without_a_destroyer(key: str, wins: float) -> None:
    there = document({"fighter": 1}, {"submarine": 1}, theatre="sea")
    assert solve_axis(AxisBattle.from_dict(in_edition(there, key), editions()[key].rules)).wins == pytest.approx(wins)


def test_submarines_of_an_edition_must_be_alike() -> None:
    units = NUMBERS["units"] | {"u_boat": NUMBERS["units"]["submarine"] | {"hunted": True}}
    with pytest.raises(BattleError, match="all submarines must have the same"):
        rules_of_pack("mixed", NUMBERS | {"units": units})


@each([("revised", 1 / 3 * 1 / 3), ("aa-classic", 1 / 3 * 1 / 3), ("1942", 1 / 3)])
def test_units_hit_by_bombardment_do_not_fire_back_in_older_editions(key: str, lost: float) -> None:
    """The battleship misses one time in three; else the infantry falls, in 1942 after its own shot."""
    there = document({"infantry": 1, "battleship": 1}, {"infantry": 1}, round_limit=1)
    odds = solve_axis(AxisBattle.from_dict(in_edition(there, key), editions()[key].rules), 0)
    assert dict(odds.lost_units()).get("infantry", 0.0) == pytest.approx(lost)
