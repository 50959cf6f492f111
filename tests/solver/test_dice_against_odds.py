"""Dice against odds: battles are played and bets laid against what the odds claim; nobody gets rich on right odds.

A fair bet on a claimed mean multiplies a fortune of 1 by something that is 1 on average if the claim is right. By
Ville's inequality such a fortune ever reaches a million with a chance of at most one in a million: so often, however
long the play, right odds are refused. That holds for chances and for means alike, as long as results are bounded.
"""

import random
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np
import pytest

from solver import Battle, Faces, Pool, Ships, solve
from solver.game import Source
from solver.path.odds import march
from solver.path.path import Path
from tests.helpers.extent import pick
from tests.helpers.solver.chance_tests import refused
from tests.helpers.solver.dice_rolled import rounds

BATTLES = 8_000


@dataclass(frozen=True)
class Played:
    """How battles ended: attackers and defenders left, and whether the attacker won."""

    attackers: Any
    defenders: Any
    won: Any


def fought(battle: Battle, source: Source) -> tuple[int, int]:
    attackers, defenders = battle.attackers, battle.defenders
    for one in rounds(battle, source):
        attackers, defenders = one.attackers, one.defenders
    return attackers, defenders


def source_of(seed: int) -> Source:
    dice = random.Random(seed).random
    return lambda sides: int(dice() * sides) + 1


def played(battle: Battle) -> Played:
    source = source_of(20061)
    ends = np.array([fought(battle, source) for _ in range(BATTLES)])
    return Played(ends[:, 0], ends[:, 1], (ends[:, 1] == 0) & (ends[:, 0] > 0))


BATTLES_PLAYED = {
    "classic": Battle(8, 3),
    "hopeless": Battle(2, 5),
    "called off": Battle(3, 6, stop=2),
    "in reserve": Battle(7, 2, reserve=1),
    "with a limit of rounds": Battle(6, 6, rounds=3),
    "ships": Battle(3, 6, attack_ships=Ships(1, 0, 0), defence_ships=Ships(0, 1, 1)),
    "larger dice and a clamp": Battle(4, 6, Pool((8, 8, 6), 1, (1,)), Pool((6, 6), 1, (-1,), (1, 6)), ties="both"),
    "icon dice": Battle(4, 2, faces=(Faces.of(["AA", "A", "D", ""]), Faces.of(["A", "DD", "AD"]))),
    "a late choice": Battle(8, 3, late=True),
    "for a value": Battle(8, 3, value=3),
    "a choice after the first die": Battle(8, 3, late="die"),
}
"""The odds are long or short in all of them, for then fewer battles tell right from wrong."""


@pytest.mark.whole
@pytest.mark.parametrize("name", BATTLES_PLAYED)
def test_bets_on_right_odds_lose_and_on_wrong_odds_win(name: str) -> None:
    """Wrong are chances that are two points off, and mean losses a tenth off: the test of the test."""
    battle = BATTLES_PLAYED[name]
    odds, ends = solve(battle), played(battle)
    assert not refused(ends.won, odds.attacker_wins, 0, 1)
    assert not refused(ends.attackers, odds.attackers_left, 0, battle.attackers)
    assert not refused(ends.defenders, odds.defenders_left, 0, battle.defenders)
    for points in (-0.02, 0.02):
        assert refused(ends.won, odds.attacker_wins + points, 0, 1), points
    for share in (0.9, 1.1):
        lost = battle.attackers - ends.attackers
        assert refused(lost, (battle.attackers - odds.attackers_left) * share, 0, battle.attackers), share


@pytest.mark.whole
def test_rolled_paths_end_as_often_as_their_odds_say() -> None:
    path = Path.of((Battle(11, 2), Battle(0, 1, defence=Pool((6, 6, 6))), Battle(0, 2, ties="attacker")), (1, 2))
    source = source_of(1959)
    ends = np.array([_marched(path, source) for _ in range(BATTLES)])
    odds = march(path)
    assert not refused(ends[:, 0] == 3, odds.takes_all, 0, 1)
    assert not refused(ends[:, 0], float(odds.taken @ odds.chances), 0, 3)
    assert not refused(ends[:, 1], odds.attackers_left, 0, 11)
    for points in (-0.02, 0.02):
        assert refused(ends[:, 0] == 3, odds.takes_all + points, 0, 1)


def _marched(path: Path, source: Source) -> tuple[int, int]:
    """How many territories are taken, and who is left where the march ends."""
    coming = path.legs[0].attackers
    for taken, leg in enumerate(path.legs):
        coming, defenders = fought(replace(leg, attackers=coming), source)
        if defenders or not coming:
            return taken, coming
        if taken < len(path.leave):
            coming = max(coming - path.leave[taken], 0)
    return len(path.legs), coming


def test_bets_refuse_right_odds_at_most_at_the_stated_rate() -> None:
    """Of those who want to be rich with a hundred, one in a hundred may be: many coins are thrown 1000 times each."""
    coins = np.random.default_rng(7).random((pick(100, 400), 1000)) < 0.3
    expected = len(coins) / 100
    assert sum(refused(row, 0.3, 0, 1, rich=100) for row in coins) <= expected + 3 * sqrt(expected), (
        "three deviations more are too many"
    )
    assert sum(refused(row, 0.45, 0, 1, rich=100) for row in coins) == len(coins)


def test_bets_refuse_a_certain_claim_at_its_first_exception() -> None:
    assert not refused([0, 0, 0], 0.0, 0, 1)
    assert refused([0, 0, 1], 0.0, 0, 1)
    assert refused([0, 0], -0.1, 0, 1)
    assert refused([1, 1], 1.01, 0, 1)
