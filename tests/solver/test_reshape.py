"""Reshaped odds: Balanced Blitz against its recipe done step by step, and the facts published about it."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from solver import Battle, BattleError, Faces, Pool, Reshape, Ships, solve
from solver.dice.exact import attacker_wins
from solver.dice.sizes import win_chances
from tests.helpers.cases import each
from tests.helpers.solver.any_battle import pools, survivors
from tests.helpers.solver.brute_more import blitz

BLITZ = Reshape()
reshapes = st.builds(
    Reshape,
    certain=st.floats(0, 0.3),
    win_power=st.floats(0.5, 3),
    cut=st.floats(0, 0.4),
    end_power=st.floats(0.5, 3),
)


@given(
    pools,
    pools,
    st.sampled_from(["defender", "attacker"]),
    st.integers(0, 20),
    st.integers(0, 20),
    st.integers(0, 4),
    st.just(BLITZ) | reshapes,
)
@example(Pool((3,), bonus=(1,)), Pool((3,)), "attacker", 12, 1, 0, Reshape(0.25, 1.0, 0.0, 0.5))
def test_reshaping_agrees_with_its_recipe_step_by_step(
    attack: Pool, defence: Pool, ties: Any, attackers: int, defenders: int, reserve: int, reshape: Reshape
) -> None:
    plain = Battle(attackers, defenders, attack, defence, ties=ties, reserve=reserve)
    before = solve(plain)
    near = [abs(side - reshape.certain) for side in (before.attacker_wins, before.defender_wins)]
    assume(min(near) > 1e-9)
    after = solve(Battle(attackers, defenders, attack, defence, ties=ties, reserve=reserve, reshape=reshape))
    recipe = blitz(survivors(before), reshape.certain, reshape.win_power, reshape.cut, reshape.end_power)
    told = survivors(after)
    for end in recipe.keys() | told.keys():
        assert told.get(end, 0.0) == pytest.approx(recipe.get(end, 0.0), rel=1e-7, abs=1e-12), end
    assert after.chances.sum() == pytest.approx(1, abs=1e-12)
    assert after.attacker_wins == pytest.approx(
        float(reshape.reshape_chances(np.array(before.attacker_wins))), abs=1e-12
    )


@given(st.integers(1, 60), st.integers(1, 60))
def test_the_reshaped_win_chance_has_a_formula(attackers: int, defenders: int) -> None:
    win = solve(Battle(attackers, defenders)).attacker_wins
    win = 0.0 if win <= 0.05 else 1.0 if win >= 0.95 else win
    raised = win**1.3 / (win**1.3 + (1 - win) ** 1.3)
    expected = min(max((raised - 0.1) / 0.8, 0), 1)
    after = solve(Battle(attackers, defenders, reshape=BLITZ))
    assert after.attacker_wins == pytest.approx(expected, abs=1e-12)
    assert after.defender_wins == pytest.approx(1 - expected, abs=1e-12)
    assert win_chances(Battle(1, 1, reshape=BLITZ), attackers, defenders)[-1, -1] == pytest.approx(expected, abs=1e-12)


def test_reshaping_makes_5_percent_or_less_impossible() -> None:
    for attackers, defenders in ((9, 18), (18, 6), (9, 9)):
        win = solve(Battle(attackers, defenders)).attacker_wins
        after = solve(Battle(attackers, defenders, reshape=Reshape(cut=0))).attacker_wins
        assert (after == 0) == (win <= 0.05)
        assert (after > 1 - 1e-12) == (win >= 0.95)
    edge = solve(Battle(9, 18)).attacker_wins
    assert solve(Battle(9, 18, reshape=Reshape(certain=edge, cut=0))).attacker_wins == 0, "just as much is not more"
    assert solve(Battle(9, 18, reshape=Reshape(certain=edge - 1e-12, cut=0))).attacker_wins > 0


def test_reshaping_cuts_a_tenth_of_luck_at_both_ends() -> None:
    """Nothing else is changed here, so what is left is known: the middle eight tenths, each 1.25 times as likely."""
    only_cut = Reshape(certain=0, win_power=1, cut=0.1, end_power=1)
    before, after = solve(Battle(12, 9)), solve(Battle(12, 9, reshape=only_cut))
    plain, cut = survivors(before), survivors(after)
    low, high = before.central_80
    inside = [end for end in plain if low < (end[0] or -end[1]) < high]
    assert inside
    for end in inside:
        assert cut[end] == pytest.approx(plain[end] / 0.8, rel=1e-9)
    for end, chance in cut.items():
        assert low <= (end[0] or -end[1]) <= high
        assert chance <= plain[end] / 0.8 + 1e-12


def test_neutral_reshaping_makes_no_difference() -> None:
    same = Reshape(certain=0, win_power=1, cut=0, end_power=1)
    for battle in (Battle(12, 9), Battle(9, 12, reserve=3), Battle(5, 0), Battle(0, 5)):
        bent = solve(Battle(battle.attackers, battle.defenders, reserve=battle.reserve, reshape=same))
        assert survivors(bent) == pytest.approx(survivors(solve(battle)), rel=1e-12)
    assert survivors(solve(Battle(5, 0, reshape=BLITZ))) == {(5, 0): 1.0}
    assert survivors(solve(Battle(0, 5, reshape=BLITZ))) == {(0, 5): 1.0}


def test_reshaped_3_against_2_agrees_with_a_hand_computation() -> None:
    """0.655954 to the power 1.3 is 0.578010, 0.344046 is 0.249805: 0.698236 of both. Less 0.1, over 0.8: 0.747794."""
    assert solve(Battle(3, 2, reshape=BLITZ)).attacker_wins == pytest.approx(0.747794, abs=1e-6)


def test_reshaping_favours_the_favourite() -> None:
    die = Pool((6,))
    even = Battle(7, 7, die, die, ties="attacker")
    for attackers in range(3, 20):
        plain = Battle(attackers, 9)
        before = solve(plain).attacker_wins
        after = solve(Battle(attackers, 9, reshape=BLITZ)).attacker_wins
        assert (after > before) == (before > 0.5) or after == before
    assert float(BLITZ.reshape_chances(np.array(0.5))) == pytest.approx(0.5, abs=1e-15)
    assert solve(even).attacker_wins > 0.5


def test_reshaped_battles_have_no_rounds_and_no_fraction() -> None:
    assert solve(Battle(12, 9, reshape=BLITZ)).rounds is None
    with pytest.raises(BattleError, match="reshaped odds can't be fractions"):
        attacker_wins(Battle(12, 9, reshape=BLITZ))


@each(
    [
        ({"certain": 0.5}, "reshape.certain"),
        ({"certain": -0.1}, "reshape.certain"),
        ({"win_power": 0}, "reshape.win_power"),
        ({"win_power": 11}, "reshape.win_power"),
        ({"cut": 0.5}, "reshape.cut"),
        ({"cut": True}, "reshape.cut"),
        ({"end_power": 0}, "reshape.end_power"),
        ({"end_power": "2"}, "reshape.end_power"),
        ({"middle": 1}, "reshape.middle"),
        ([], "reshape"),
    ]
)
def test_a_wrong_document_of_reshaping_names_its_field(document: Any, field: str) -> None:
    with pytest.raises(BattleError) as error:
        Battle.from_dict({"game": "risk", "attackers": 5, "defenders": 4, "reshape": document})
    assert error.value.field == field


@each([{"ties": "both"}, {"ties": "neither"}, {"stop": 1}, {"rounds": 3}, {"late": True}, {"value": 2}])
def test_battles_with_draws_or_stops_cannot_be_reshaped(other: dict[str, Any]) -> None:
    with pytest.raises(BattleError) as error:
        Battle(5, 4, reshape=BLITZ, **other)
    assert error.value.field == "reshape"


def test_reshaped_battles_survive_their_documents() -> None:
    for battle in (
        Battle(12, 9, reshape=BLITZ),
        Battle(12, 9, reserve=2, reshape=Reshape(0.1, 2, 0.05, 1.5)),
        Battle(12, 9, attack_ships=Ships(1, 1, 1), reshape=BLITZ),
    ):
        assert Battle.from_dict(json.loads(json.dumps(battle.to_dict()))) == battle
    assert "reshape" not in Battle(1, 1, faces=(Faces.of("AD"), Faces.of("AD"))).to_dict()
