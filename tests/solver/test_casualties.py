"""Casualties chosen round by round: the worth is that of every hit and every choice followed in fractions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.axis.battle import AxisBattle
from solver.axis.solve import solve_axis
from solver.casualties.battle import Aim, ChosenBattle
from solver.casualties.forward import odds_of_game
from solver.casualties.solve import solve_casualties
from tests.helpers.examples import examples
from tests.helpers.solver.any_axis_battle import Document, at_sea, on_land
from tests.helpers.solver.axis_battles import RULES
from tests.helpers.solver.axis_compare import ends_of
from tests.helpers.solver.casualties_brute import Chosen

CHOOSES = st.sampled_from([(True, False), (False, True), (True, True), (False, False)])
AIMS: st.SearchStrategy[Aim] = st.sampled_from(["takes", "profit"])


def agree(document: Document, chooses: tuple[bool, bool], aim: Aim) -> None:
    """Compare the worth with that of the slow twin, in which a side that chooses keeps nothing to the last."""
    battle = ChosenBattle.of(AxisBattle.from_dict(document, RULES), chooses, aim)
    for side, free in zip(("attacker", "defender"), chooses, strict=True):
        if free:
            document["waves"][0][side] |= {"keep_land": 0, "aa_second_last": False}
    twin = Chosen(document, *chooses, aim).value()
    assert solve_casualties(battle).value == pytest.approx(float(twin), rel=0, abs=1e-9)


@examples(100, derandomize=True)
@given(on_land(retreats=False), CHOOSES, AIMS)
def test_losses_on_land_are_chosen_as_the_rules_say(battle: Document, chooses: tuple[bool, bool], aim: Aim) -> None:
    agree(battle, chooses, aim)


@examples(100, derandomize=True)
@given(at_sea(retreats=False), CHOOSES, AIMS)
def test_losses_at_sea_are_chosen_as_the_rules_say(battle: Document, chooses: tuple[bool, bool], aim: Aim) -> None:
    agree(battle, chooses, aim)


@examples(100, derandomize=True)
@given(on_land(), CHOOSES, AIMS)
def test_attackers_on_land_stop_where_it_is_best(battle: Document, chooses: tuple[bool, bool], aim: Aim) -> None:
    agree(battle, chooses, aim)


@examples(100, derandomize=True)
@given(at_sea(), CHOOSES, AIMS)
def test_attackers_at_sea_stop_where_it_is_best(battle: Document, chooses: tuple[bool, bool], aim: Aim) -> None:
    agree(battle, chooses, aim)


def agree_with_order(document: Document) -> None:
    """Compare the odds if nobody chooses with those of the battle as it stands."""
    battle = AxisBattle.from_dict(document, RULES)
    game = solve_casualties(ChosenBattle.of(battle, (False, False), "takes"))
    odds, usual = odds_of_game(game), solve_axis(battle, 0)
    assert ends_of(odds) == pytest.approx(ends_of(usual), rel=0, abs=1e-9)
    assert odds.rounds == pytest.approx(usual.rounds, rel=0, abs=1e-9)


@examples(50, derandomize=True)
@given(st.one_of(on_land(retreats=False), at_sea(retreats=False)))
def test_without_choices_the_odds_are_those_of_the_orders(battle: Document) -> None:
    agree_with_order(battle)


@examples(100, derandomize=True)
@given(st.one_of(on_land(), at_sea()), CHOOSES, AIMS)
def test_the_odds_have_the_worth_of_the_best_choices(battle: Document, chooses: tuple[bool, bool], aim: Aim) -> None:
    game = solve_casualties(ChosenBattle.of(AxisBattle.from_dict(battle, RULES), chooses, aim))
    odds = odds_of_game(game)
    assert float(odds.chances.sum()) == pytest.approx(1, rel=0, abs=1e-9)
    amounts, chances = odds.profit
    worth = odds.wins if aim == "takes" else float(amounts @ chances)
    assert worth == pytest.approx(game.value, rel=0, abs=2e-6 if aim == "profit" else 1e-9)
