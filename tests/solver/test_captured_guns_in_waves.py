"""Guns that cannot be hit in battles of several waves, against a slow twin in fractions."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from solver.axis.best.order_names import with_orders
from solver.axis.best.orders import best_orders
from solver.axis.best.wave_parts import wave_parts_odds
from solver.axis.waves.fight import WavesFight
from solver.axis.waves.odds import solve_waves
from solver.axis.waves.steps import waves_worth
from solver.axis.waves.waves import Waves
from solver.progress import Meter
from tests.helpers.bot.lines import waves_of
from tests.helpers.extent import pick
from tests.helpers.solver.axis_fought import check_that_chances_are_means
from tests.helpers.solver.dice_rolled import script

Strengths = tuple[int, ...]
"""The faces that the units of a side hit with, first lost first."""
NONE = Fraction(0)
PLENTY = 10**9


def hits(strengths: Strengths) -> dict[int, Fraction]:
    law = {0: Fraction(1)}
    for strength in strengths:
        thrown: dict[int, Fraction] = {}
        for count, chance in law.items():
            for more, need in ((1, strength), (0, 6 - strength)):
                thrown[count + more] = thrown.get(count + more, NONE) + chance * Fraction(need, 6)
        law = thrown
    return law


def fight(ours: Strengths, theirs: Strengths) -> dict[tuple[int, int], Fraction]:
    """The law of the units left of both sides."""
    if not ours or not theirs:
        return {(len(ours), len(theirs)): Fraction(1)}
    ends: dict[tuple[int, int], Fraction] = {}
    whole = NONE
    for (mine, share), (their, other) in product(hits(ours).items(), hits(theirs).items()):
        if (mine, their) == (0, 0):
            continue
        whole += share * other
        for end, chance in fight(ours[their:], theirs[mine:]).items():
            ends[end] = ends.get(end, NONE) + share * other * chance
    return {end: chance / whole for end, chance in ends.items()}


def taken_again(waves: Waves, tanks: int, guns: int) -> Fraction:
    """The chance that infantry and two fighters of the last wave take it from so many tanks with so many guns."""
    table = waves.battles[0].rules.table
    infantry, fighter = table["infantry"].attack, table["fighter"].attack
    total = NONE
    for shot, chance in hits((1, 1) if guns else ()).items():
        ours = (infantry, *(fighter,) * (2 - shot))
        ends = fight(ours, (table["tank"].defence,) * tanks)
        total += chance * sum(share for (left, theirs), share in ends.items() if left == len(ours) and not theirs)
    return total


@pytest.mark.parametrize("edition", ["aa50", "revised", "aa-classic"][: pick(1, 3)])
def test_a_captured_gun_defends_only_its_captors(edition: str) -> None:
    """The gun comes with the second wave, which is not fought if the first one has taken the territory."""
    waves = waves_of(f"3 arm vs 1 inf then 1 arm vs 1 aa then hold 1 inf 2 fig variant:{edition}")
    table = waves.battles[0].rules.table
    tank, infantry = table["tank"].attack, table["infantry"].defence
    taken = NONE
    for (left, theirs), chance in fight((tank,) * 3, (infantry,)).items():
        if left and not theirs:
            taken += chance * taken_again(waves, left, guns=0)
        else:
            held = fight((tank,), (infantry,) * theirs)
            taken += chance * held.get((1, 0), NONE) * taken_again(waves, 1, guns=1)
    odds = solve_waves(waves, 0)
    own = odds.waves[2].own.takes
    assert own == pytest.approx(float(taken), abs=1e-12)
    assert waves_worth(waves, Meter()).holds == pytest.approx(odds.hold_chance(0), abs=1e-12)
    if edition == "aa50":
        assert own == pytest.approx(0.0758, abs=5e-5)
        old = replace(waves, battles=tuple(replace(battle, ruling=4) for battle in waves.battles))
        assert solve_waves(old, 0).waves[2].own.takes == pytest.approx(0.0634, abs=5e-5), "as old logs have it"


def test_a_live_captured_gun_fires_at_planes_of_every_wave() -> None:
    waves = waves_of("1 inf vs 1 inf 1 aa then 1 inf 1 fig then hold 1 fig variant:revised")
    check_that_chances_are_means(waves, solve_waves(waves, 0).hold_chance(0))
    lost = WavesFight.begin(waves).throw(script(6, 1))[1]
    assert lost.wave == 1
    assert [(dice.number, dice.hits_at) for dice in lost.next_dice()[1]] == [(1, 1)]
    old = replace(waves, battles=tuple(replace(battle, ruling=4) for battle in waves.battles))
    lost = WavesFight.begin(old).throw(script(6, 1))[1]
    assert [(dice.number, dice.hits_at) for dice in lost.next_dice()[1]] == [(1, 2)], "as old logs have it"


def profit_of(waves: Waves) -> float:
    joint = solve_waves(waves, 0).joint
    assert joint is not None
    return float(joint.profits @ joint.chances)


def test_armies_and_orders_do_not_pay_for_guns_beyond_reach() -> None:
    waves = waves_of("1 inf vs 1 inf 1 aa then 1 inf variant:revised")
    expected = NONE  # infantry costs 3
    ends = fight((1,), (2,))
    for (ours, theirs), chance in ends.items():
        expected += chance * 3 * (ours - theirs)
        if not (ours and not theirs):
            expected += chance * sum(
                share * 3 * (theirs - left - 1 + mine) for (mine, left), share in fight((1,), (2,) * theirs).items()
            )
    assert expected == Fraction(-117, 64)
    attackers = wave_parts_odds(waves, "attack", PLENTY).values["profit"]
    defenders = wave_parts_odds(waves, "defence", PLENTY)
    assert attackers == pytest.approx([-117 / 64], abs=1e-12)
    whole = defenders.units.sum(axis=1).argmax()
    assert np.abs(defenders.values["profit"][whole]) == pytest.approx(117 / 64, abs=1e-12)


def test_the_best_wave_order_beside_captured_guns_has_its_profit() -> None:
    waves = waves_of("1 inf 1 fig vs 1 inf 1 art 1 aa then 1 inf 1 arm vs 1 aa variant:revised")
    orders = best_orders(waves, PLENTY)
    assert orders.attacker
    assert orders.defender
    for side, found in enumerate((orders.attacker, orders.defender)):
        for order in (found.given, found.profit.order):
            profit = profit_of(with_orders(waves, side, order.names))
            assert order.profit == pytest.approx((1 - 2 * side) * profit, abs=1e-9)
