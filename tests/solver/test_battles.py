"""Whole battles: against every path followed in fractions, and the laws any battle obeys."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Battle, BattleError, Pool, Ships, Ties, solve
from solver.dice.questions import rounds_to_dict, stops_to_dict
from solver.ends import EndRange, ends_to_dict
from solver.game import SideName
from tests.helpers.cases import each
from tests.helpers.solver import brute
from tests.helpers.solver.any_battle import battles, pools, small_battles, survivors, ties
from tests.helpers.solver.fights import begin, chances


def by_hand(battle: Battle) -> dict[tuple[int, int], Fraction]:
    """The ends by brute force; a reserve is a smaller battle with others standing by."""
    reserve = min(battle.reserve, battle.attackers)
    start = battle.attackers - reserve, battle.defenders
    stop = max(battle.stop - reserve, 0)
    law = brute.ends(*battle.pools, battle.ties, start, stop, battle.rounds, battle.totals)
    return {(a + reserve, d): chance for (a, d), chance in law.items()}


@given(small_battles)
def test_small_battles_agree_with_all_paths_by_brute_force(battle: Battle) -> None:
    expected = by_hand(battle)
    odds = solve(battle)
    assert survivors(odds) == pytest.approx({end: float(chance) for end, chance in expected.items()}, rel=1e-12)
    assert odds.never == pytest.approx(float(1 - sum(expected.values())), abs=1e-12)


@given(small_battles, st.sampled_from(["attacker", "defender"]), st.booleans(), st.integers(0, 4), st.integers(0, 4))
def test_the_chance_of_some_ends_is_that_of_all_paths_to_them(
    battle: Battle, side: SideName, lost: bool, least: int, more: int
) -> None:
    odds, asked = solve(battle), EndRange(side, lost, least, None if more == 4 else least + more)
    place, whole = (0, battle.attackers) if side == "attacker" else (1, battle.defenders)
    there = range(least, 100 if more == 4 else least + more + 1)
    wanted = sum(chance for end, chance in by_hand(battle).items() if abs(whole * lost - end[place]) in there)
    found = ends_to_dict([asked], odds.count, odds.chances)
    assert found == {"ends_chance": pytest.approx(float(wanted), abs=1e-12)}


@each(
    [
        (fleets, rounds)
        for fleets in [(Ships(1, 2, 1), Ships(0, 1, 2)), (Ships(3, 0, 3), Ships(2, 2, 0))]
        for rounds in [None, 2]
    ]
)
def test_star_wars_battles_agree_with_all_paths_by_brute_force(fleets: tuple[Ships, Ships], rounds: int | None) -> None:
    for attackers, defenders in product(range(1, 6), repeat=2):
        battle = Battle(attackers, defenders, attack_ships=fleets[0], defence_ships=fleets[1], rounds=rounds)
        expected = {end: float(chance) for end, chance in by_hand(battle).items()}
        assert survivors(solve(battle)) == pytest.approx(expected, rel=1e-12)


@given(battles)
def test_the_chances_of_a_battle_add_up_to_1(battle: Battle) -> None:
    odds = solve(battle)
    fates = (odds.attacker_wins, odds.defender_wins, odds.draw, odds.unresolved, odds.never)
    assert all(0 <= fate <= 1 + 1e-12 for fate in fates)
    assert sum(fates) == pytest.approx(1, abs=1e-12)
    assert odds.chances.sum() + odds.never == pytest.approx(1, abs=1e-12)
    assert (odds.chances > 0).all()


@given(battles)
def test_a_battle_never_gains_armies(battle: Battle) -> None:
    odds = solve(battle)
    assert (odds.attackers_end <= battle.attackers).all()
    assert (odds.defenders_end <= battle.defenders).all()
    assert (odds.attackers_end >= min(battle.reserve, battle.attackers)).all()
    assert (odds.rounds is None) == (odds.never > 0)


@given(pools, pools, st.integers(0, 12), st.integers(0, 12), st.sampled_from(["both", "neither"]))
def test_sides_can_be_swapped_if_ties_favour_no_side(ours: Pool, theirs: Pool, many: int, few: int, ties: Ties) -> None:
    there, back = solve(Battle(many, few, ours, theirs, ties=ties)), solve(Battle(few, many, theirs, ours, ties=ties))
    assert there.draw == pytest.approx(back.draw, abs=1e-12)
    swapped = {(a, d): chance for (d, a), chance in survivors(back).items()}
    assert survivors(there) == pytest.approx(swapped, rel=1e-12)


def test_every_bomber_counts_where_totals_are_compared() -> None:
    two, three = (Battle(3, 2, attack_ships=Ships(bombers=bombers), totals=True) for bombers in (2, 3))
    assert solve(three).attacker_wins > solve(two).attacker_wins
    assert Battle(3, 2, attack_ships=Ships(bombers=3)).attack_ships.bombers == 2


def test_eight_large_dice_a_side_can_be_compared_by_their_totals() -> None:
    totals = Counter({0: 1})
    for _die in range(8):
        totals = sum((Counter({so_far + face: totals[so_far] for so_far in totals}) for face in range(1, 9)), Counter())
    won = sum(totals[ours] * totals[theirs] for ours in totals for theirs in range(8, ours))
    odds = solve(Battle(8, 8, Pool((8,) * 8), Pool((8,) * 8), totals=True))
    assert odds.attacker_wins == pytest.approx(won / 8**16, abs=1e-12)


def test_eight_dice_that_explode_can_be_compared_by_their_totals() -> None:
    shown = [6 * (face == 6) + again for face in range(1, 7) for again in (range(1, 7) if face == 6 else [face] * 6)]
    totals = Counter({0: 1})
    for _die in range(8):
        totals = sum((Counter({so_far + one: often for so_far, often in totals.items()}) for one in shown), Counter())
    won = sum(totals[ours] * totals[theirs] for ours in totals for theirs in totals if ours > theirs)
    dice = Pool((6,) * 8, explosions=1)
    odds = solve(Battle(8, 8, dice, dice, totals=True))
    assert odds.attacker_wins == pytest.approx(won / 36**16, abs=1e-12)


@given(st.integers(1, 30), st.integers(1, 30), ties, st.integers(0, 5), st.sampled_from([4, 6, 10]))
def test_further_armies_with_equal_dice_never_hurt(a: int, d: int, ties: Ties, stop: int, sides: int) -> None:
    def win(attackers: int, defenders: int, stop: int = stop, bonus: tuple[int, ...] = ()) -> float:
        attack, defence = Pool((sides,) * 3, bonus=bonus), Pool((sides,) * 2)
        return solve(Battle(attackers, defenders, attack, defence, ties=ties, stop=stop)).attacker_wins

    slack = 1e-12
    assert win(a + 1, d) >= win(a, d) - slack
    assert win(a, d + 1) <= win(a, d) + slack
    assert win(a, d, stop=stop + 1) <= win(a, d) + slack
    assert win(a, d, bonus=(1,)) >= win(a, d) - slack


@given(small_battles.filter(lambda battle: battle.rounds is None))
def test_a_high_limit_of_rounds_equals_no_limit(battle: Battle) -> None:
    endless = solve(battle)
    limited = solve(Battle(**{**{name: getattr(battle, name) for name in battle.__slots__}, "rounds": 500}))
    assert limited.attacker_wins == pytest.approx(endless.attacker_wins, abs=1e-3)
    if battle.ties != "neither":
        assert survivors(limited) == pytest.approx(survivors(endless), rel=1e-9)


@given(battles)
def test_solving_backward_and_forward_agree_on_the_win_chance(battle: Battle) -> None:
    assert chances([begin(battle)])[0] == pytest.approx(solve(battle).attacker_wins, abs=1e-12)


def test_stop_and_reserve_have_different_odds() -> None:
    """The two meanings of "stop at 3", 9 against 6: full dice until 3 or fewer are left, or 3 that never roll."""
    assert solve(Battle(9, 6, stop=3)).attacker_wins == pytest.approx(0.632, abs=5e-4)
    assert solve(Battle(9, 6, reserve=3)).attacker_wins == pytest.approx(0.521, abs=5e-4)


def test_a_battle_that_neither_side_can_win_never_ends() -> None:
    same = Pool((6,), clamp=(3, 3))
    odds = solve(Battle(5, 5, same, same, ties="neither"))
    assert (odds.never, odds.rounds, odds.to_dict()["survivors"]) == (1.0, None, [])


def test_a_battle_may_get_stuck_half_of_the_time() -> None:
    """Highest dice always tie here, second ones do not. One loss leaves a side with a single die, and that is that:

    called off if it was the attacker's, stuck for ever if it was the defender's.
    """
    pool = Pool((2, 2), bonus=(5, 1), clamp=(2, 3))
    odds = solve(Battle(2, 2, pool, pool, ties="neither", stop=1))
    assert (odds.never, odds.defender_wins) == pytest.approx((0.5, 0.5))
    assert odds.rounds is None


def test_the_margin_law_has_the_winner_of_each_margin() -> None:
    odds = solve(Battle(2, 2, ties="neither", rounds=3))
    rungs, (attacker, defender, nobody) = odds.margin_law
    assert rungs.tolist() == [-2, -1, 0, 1, 2]
    assert nobody.sum() == pytest.approx(odds.unresolved)
    assert attacker[:3].sum() == defender[2:].sum() == 0
    assert nobody[2] > 0, "who is even has not won"
    _rungs, (attacker, defender, nobody) = solve(Battle(20, 9, stop=14, rounds=4)).margin_law
    assert attacker.sum() == defender.sum() == 0, "neither has won where the attack is called off"
    assert nobody.sum() == pytest.approx(1)


@given(battles)
def test_the_margin_law_adds_up_to_the_chances_of_the_fates(battle: Battle) -> None:
    odds = solve(battle)
    fates = odds.attacker_wins, odds.beaten, odds.draw + odds.both_left
    assert odds.margin_law[1].sum(axis=1) == pytest.approx(fates, abs=1e-12)


def test_the_central_80_percent_ignores_endless_battles() -> None:
    pool = Pool((2, 2), bonus=(5, 1), clamp=(2, 3))
    odds = solve(Battle(9, 9, pool, pool, ties="neither", stop=1))
    assert 0.2 < odds.never < 0.8
    rungs, chances = odds.margin_law
    law = chances.sum(axis=0) / chances.sum()
    low, high = odds.central_80
    assert law[rungs < low].sum() < 0.1 <= law[rungs <= low].sum()
    assert law[rungs > high].sum() <= 0.1 < law[rungs >= high].sum() + 1e-12
    with pytest.raises(ValueError, match="never ends"):
        _ = solve(Battle(5, 5, Pool((6,), clamp=(3, 3)), Pool((6,), clamp=(3, 3)), ties="neither")).central_80


def test_an_attack_called_off_is_not_counted_as_beaten() -> None:
    odds = solve(Battle(12, 9, stop=4))
    assert odds.called_off == pytest.approx(odds.defender_wins)
    assert (odds.beaten, odds.both_left) == (0, odds.called_off)
    both = solve(Battle(12, 9, ties="both", stop=1))
    assert 0 < both.called_off < both.defender_wins
    assert solve(Battle(12, 9)).called_off == 0
    assert solve(Battle(16, 18, rounds=5)).called_off == 0, "time that runs out is no decision"
    assert solve(Battle(16, 18, rounds=5)).both_left == 1, "and yet both have armies left"
    assert solve(Battle(12, 9, reserve=3)).called_off == pytest.approx(solve(Battle(12, 9, reserve=3)).defender_wins)


def test_a_win_chance_below_float_range_is_no_true_zero() -> None:
    tiny = solve(Battle(1000, 1))
    assert (tiny.defender_wins, tiny.true_zeros) == (0.0, False)
    for battle in (Battle(1000, 0), Battle(12, 9), Battle(1000, 1000, rounds=3), Battle(300, 1)):
        assert solve(battle).true_zeros
    undecided = solve(Battle(1, 1, Pool((100,)), Pool((100,), clamp=(1, 1)), ties="neither", rounds=200))
    assert (undecided.unresolved, undecided.true_zeros) == (0.0, False), "it is one in ten to the four hundred"


def test_equivalent_battles_have_equal_chains() -> None:
    plain = Battle(12, 9).chain()
    assert Battle(12, 9, Pool((6, 6, 6), bonus=(0, 0)), rounds=21).chain() == plain
    assert Battle(2, 9, Pool((8, 6, 6), rerolls=3)).chain() == Battle(2, 9, Pool((8, 6), rerolls=2)).chain()
    with_ships = Battle(12, 9, attack_ships=Ships(bombers=5, fighters=9), defence_ships=Ships(bombers=3))
    assert with_ships == Battle(12, 9, attack_ships=Ships(bombers=2, fighters=3), defence_ships=Ships(bombers=2))
    assert Battle(12, 9, rounds=20).chain() != plain


def test_swapping_sides_twice_loses_only_the_attackers_plans() -> None:
    battle = Battle(12, 9, Pool((8, 6, 6)), Pool((8, 6)), stop=3)
    assert battle.swap_sides() == Battle(9, 12, Pool((8, 6, 6)), Pool((8, 6)))
    fleet = Battle(5, 7, attack_ships=Ships(1, 2, 0), defence_ships=Ships(0, 0, 2))
    assert fleet.swap_sides().swap_sides() == fleet
    assert Battle(12, 9, late=True, reserve=2, variant="mine").swap_sides() == Battle(9, 12, late=True)
    assert Battle(12, 9, ties="both", value=3).swap_sides() == Battle(9, 12, ties="both")
    assert Battle(12, 9, Pool((6,)), Pool((6, 6, 6))).swap_sides() == Battle(9, 12, Pool((6,)), Pool((6, 6, 6)))


def test_the_central_80_percent_cuts_both_tails_alike() -> None:
    odds = solve(Battle(12, 9))
    rungs, chances = odds.margin_law
    law = chances.sum(axis=0)
    low, high = odds.central_80
    assert (low, high) == (-3, 9)
    assert law[rungs < low].sum() < 0.1 <= law[rungs <= low].sum()
    assert law[rungs < high].sum() < 0.9 <= law[rungs <= high].sum()


@each(
    [
        ({"game": "chess"}, "game"),
        ({"game": "risk", "defenders": 1}, "attackers"),
        ({"game": "risk", "attackers": 1}, "defenders"),
        ({"game": "risk", "attackers": -1, "defenders": 1}, "attackers"),
        ({"game": "risk", "attackers": 1.0, "defenders": 1}, "attackers"),
        ({"game": "risk", "attackers": 10**9, "defenders": 1}, "attackers"),
        ({"game": "risk", "attackers": 1, "defenders": 1, "attack": {"dice": 6}}, "attack.dice"),
        ({"game": "risk", "attackers": 1, "defenders": 1, "attack": [6]}, "attack"),
        ({"game": "risk", "attackers": 1, "defenders": 1, "attack": {"clamp": [1]}}, "attack.clamp"),
        ({"game": "risk", "attackers": 1, "defenders": 1, "defence": {"bombers": 1}}, "defence.bombers"),
        ({"game": "risk", "attackers": 1, "defenders": 1, "ties": "nobody"}, "ties"),
        ({"game": "risk", "attackers": 1, "defenders": 1, "stops": 1}, "stops"),
        ({"game": "starwars", "attackers": 1, "defenders": 1, "attack": {"bombers": "2"}}, "attack.bombers"),
        ({"game": "starwars", "attackers": 1, "defenders": 1, "attack": {"bombers": 1, "dice": [8]}}, "attack.dice"),
        ({"game": "risk", "attackers": 1, "defenders": 1, "rounds": -1}, "rounds"),
    ]
)
def test_a_wrong_document_of_a_battle_names_its_field(document: dict[str, Any], field: str) -> None:
    with pytest.raises(BattleError) as error:
        Battle.from_dict(document)
    assert error.value.field == field


def test_the_chances_of_a_large_battle_add_up_to_1() -> None:
    odds = solve(Battle(300, 280, rounds=200))
    assert np.isclose(odds.chances.sum(), 1, rtol=0, atol=1e-12)


@given(small_battles)
def test_rounds_and_stops_of_documents_are_those_of_all_paths(battle: Battle) -> None:
    plain = replace(battle, rounds=None)
    for number, ours, theirs, over, won in rounds_to_dict(plain)["rounds"][:4]:
        law = by_hand(replace(plain, rounds=number))
        assert ours == pytest.approx(float(sum(end[0] * chance for end, chance in law.items())))
        assert theirs == pytest.approx(float(sum(end[1] * chance for end, chance in law.items())))
        assert won == pytest.approx(float(sum(chance for end, chance in law.items() if end[0] and not end[1])))
        floor = max(battle.stop, battle.reserve)
        going = sum(chance for end, chance in law.items() if end[0] > floor and end[1])
        assert over == pytest.approx(float(1 - going), abs=1e-12)
    for stop, ours, _theirs, won in stops_to_dict(plain)["stops"][:3]:
        law = by_hand(replace(plain, stop=stop))
        if sum(law.values()) == 1:
            assert ours == pytest.approx(float(sum(end[0] * chance for end, chance in law.items())))
        assert won == pytest.approx(float(sum(chance for end, chance in law.items() if end[0] and not end[1])))
