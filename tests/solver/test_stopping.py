"""Best stops for a territory's value: against recursion in fractions, and against all else the attacker may do."""

from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Battle, BattleError, Faces, Odds, Pool, Ships, solve
from solver.chain import backward
from solver.dice.exact import attacker_wins
from solver.dice.sizes import worth_going_on
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver import brute, brute_more
from tests.helpers.solver.any_battle import pools, ties
from tests.helpers.solver.brute import LawOf

icons = (Faces.of(["A", "D"]), Faces.of(["AA", "D", ""]))
RULES: list[dict[str, Any]] = [
    {},
    {"stop": 3},
    {"reserve": 2},
    {"ties": "both"},
    {"ties": "neither"},
    {"attack_ships": Ships(bombers=1), "defence_ships": Ships(capitals=1)},
    {"attack": Pool((8, 6, 6), 2, (1, -1)), "defence": Pool((8, 6), 1, (2,), (2, 7))},
    {"faces": icons},
    {"faces": icons[::-1], "reserve": 1},
]


def paid(odds: Odds, value: int) -> float:
    """What a battle pays on average: the attackers left, and so many armies' worth for the territory."""
    return odds.attackers_left + value * odds.attacker_wins


@given(pools, pools, ties, st.integers(0, 4), st.integers(0, 4), st.integers(0, 8), st.integers(0, 2))
def test_the_attacker_stops_where_brute_force_stops(
    attack: Pool, defence: Pool, ties: Any, attackers: int, defenders: int, value: int, floor: int
) -> None:
    battle = Battle(attackers, defenders, attack, defence, ties=ties, value=value, stop=floor)
    law = partial(_round, attack, defence, ties)
    check_stops(battle, law, value, (attackers, defenders), min(floor, attackers))


def _round(attack: Pool, defence: Pool, ties: Any, attackers: int, defenders: int) -> Any:
    return brute.round_law(attack, defence, attackers, defenders, ties)


@examples(50)
@given(st.sampled_from([icons, icons[::-1]]), st.integers(0, 4), st.integers(0, 4), st.integers(0, 8))
def test_the_attacker_with_icon_dice_stops_where_brute_force_stops(
    faces: tuple[Faces, Faces], attackers: int, defenders: int, value: int
) -> None:
    battle = Battle(attackers, defenders, faces=faces, value=value)
    law = brute_more.icons(faces[0].words, faces[1].words)
    check_stops(battle, law, value, (attackers, defenders), 0)


def check_stops(battle: Battle, law: LawOf, value: int, start: tuple[int, int], floor: int) -> None:
    expected = brute_more.best_stops(law, value, start, floor)
    stopped = battle.chain().stop_mask()
    assert stopped is not None
    for cell, (worth, stops) in expected.items():
        fought = Battle(
            *cell, battle.attack, battle.defence, ties=battle.ties, faces=battle.faces, value=value, stop=floor
        )
        assert paid(solve(fought), value) == pytest.approx(float(worth), rel=1e-11), cell
        if cell[1] and cell[0] > floor:
            assert stopped[cell] == stops, cell


@each([(rule, value) for rule in RULES for value in pick([1, 11], [0, 1, 4, 11, 1000])])
def test_no_fixed_stop_pays_more_than_the_best_stop(rule: dict[str, Any], value: int) -> None:
    attackers, defenders = (9, 7)
    best = paid(solve(Battle(attackers, defenders, **rule, value=value)), value)
    least = max(rule.get("stop", 0), rule.get("reserve", 0))
    for stop in range(least, attackers + 1):
        assert paid(solve(Battle(attackers, defenders, **{**rule, "stop": stop})), value) <= best + 1e-9
    for reserve in range(rule.get("reserve", 0), attackers + 1):
        assert paid(solve(Battle(attackers, defenders, **{**rule, "reserve": reserve})), value) <= best + 1e-9


@each([(rule, value) for rule in RULES for value in [0, 3, 20]])
def test_the_worth_of_a_battle_for_a_value_is_that_of_its_ends(rule: dict[str, Any], value: int) -> None:
    battle = Battle(12, 9, **rule, value=value)
    chain = battle.chain()
    pays = chain.stop_pays()
    worth = backward(chain.kernel(), pays.copy(), chain.floor, pays)
    assert paid(solve(battle), value) == pytest.approx(worth[-1, -1], rel=1e-12)


def test_a_territory_of_value_0_is_not_attacked() -> None:
    odds = solve(Battle(9, 7, value=0))
    assert (odds.called_off, odds.rounds) == (1.0, 0.0)
    assert worth_going_on(Battle(9, 7, value=0)) == (None,) * 7


def test_an_attack_without_cost_and_gain_is_called_off() -> None:
    """The attacker cannot lose an army here: to fight pays what it pays to stop, though floats differ by a hair."""
    for attack in (Pool((6, 6), bonus=(5, 5)), Pool((6, 6, 6), bonus=(5, 5, 5)), Pool((7, 6), bonus=(5, 5))):
        stopped = Battle(30, 30, attack, Pool((6, 6)), ties="neither", value=0).chain().stop_mask()
        assert stopped is not None
        assert stopped.all()


def test_a_huge_value_is_fought_for_to_the_last_army() -> None:
    """Eight armies are worth no more than eight chances in a million to win it."""
    for rule in RULES:
        endless, kingdom = solve(Battle(8, 6, **rule)), solve(Battle(8, 6, **rule, value=1_000_000))
        assert -1e-12 <= endless.attacker_wins - kingdom.attacker_wins <= 8e-6
    assert solve(Battle(8, 6, value=1_000_000)).chances == pytest.approx(solve(Battle(8, 6)).chances, rel=1e-12)
    assert worth_going_on(Battle(8, 6, value=1_000_000)) == (1,) * 6


def test_an_attacker_with_a_value_stops_in_an_endless_battle() -> None:
    """Nobody can lose anything in these battles, now or after some rounds; there the attacker stops."""
    shields = Faces.of(["AD", "D"])
    same, low = Pool((6,), clamp=(3, 3)), Pool((2, 2), bonus=(5, 1), clamp=(2, 3))
    for battle in (
        Battle(1, 1, faces=(shields, shields), value=5),
        Battle(5, 5, same, same, ties="neither", value=5),
        Battle(3, 2, low, low, ties="neither", value=50),
    ):
        odds = solve(battle)
        assert odds.never == 0
        assert odds.rounds is not None
        assert odds.called_off > 0
        assert odds.chances.sum() == pytest.approx(1, abs=1e-12)


@each([(rule, value) for rule in RULES for value in pick([0, 2, 7], [0, 1, 2, 4, 7, 13, 40])])
def test_worth_going_on_names_the_exact_thresholds(rule: dict[str, Any], value: int) -> None:
    """Whoever has more goes on as well: that the stops against so many defenders are the lowest rows is tested too."""
    battle = Battle(14, 12, **rule, value=value)
    chain = battle.chain()
    stopped = chain.stop_mask()
    assert stopped is not None
    told = worth_going_on(battle)
    assert len(told) == 12
    for acting, defenders in product(range(chain.floor + 1, chain.acting + 1), range(1, 13)):
        least = told[defenders - 1]
        assert (least is not None and acting + chain.reserve >= least) == (not stopped[acting, defenders])


@each([(1, (2, None)), (2, (1, 3)), (3, (1, 3))])
def test_stopping_in_a_small_battle_agrees_with_a_hand_computation(value: int, least: tuple[int | None, ...]) -> None:
    """One against one for 1: 15/36 of 2 armies' worth is less than 1; for 2 it is more. Two against one for 1:

    125/216 of 3 and 91/216 of 1 are more than 2.
    """
    told = worth_going_on(Battle(8, 2, value=value))
    assert told == tuple(_least(value, defenders) for defenders in (1, 2))
    assert told == least


def _least(value: int, defenders: int) -> int | None:
    stops = brute_more.best_stops(partial(_round, *Battle(1, 1).pools, "defender"), value, (8, defenders))
    return next((a for a in range(1, 9) if not stops[a, defenders][1]), None)


def test_without_a_value_there_are_no_thresholds() -> None:
    assert Battle(5, 5).chain().stop_mask() is None
    with pytest.raises(BattleError) as error:
        worth_going_on(Battle(5, 5))
    assert error.value.field == "value"
    with pytest.raises(BattleError) as error:
        Battle(5, 5, value=3, rounds=4)
    assert error.value.field == "value"


def test_the_attacker_stops_exactly_where_the_mask_says() -> None:
    battle = Battle(15, 9, value=9)
    stopped = battle.chain().stop_mask()
    assert stopped is not None
    odds = solve(battle)
    left = (odds.attackers_end > 0) & (odds.defenders_end > 0)
    assert 0 < odds.called_off < 1
    assert stopped[odds.attackers_end[left], odds.defenders_end[left]].all()
    assert np.isclose(odds.chances.sum(), 1, rtol=0, atol=1e-12)


@each(
    [
        Battle(20, 12, value=15),
        Battle(14, 9, value=9, reserve=2, ties="attacker"),
        Battle(9, 7, value=30, stop=2, attack_ships=Ships(1, 1, 1)),
        Battle(12, 7, value=20, ties="both"),
        Battle(6, 4, value=12, faces=(Faces.of(["AA", "A", "D", "DD"]), Faces.of(["A", "D", ""]))),
        Battle(3, 9, value=1),
        Battle(3, 0, value=1),
    ]
)
def test_the_fraction_of_a_battle_for_a_value_agrees_with_its_odds(battle: Battle) -> None:
    assert float(attacker_wins(battle)) == pytest.approx(solve(battle).attacker_wins, rel=1e-12, abs=0)
