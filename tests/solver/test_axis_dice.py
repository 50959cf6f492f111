"""Dice against odds of Axis & Allies: battles are rolled that hang on one rule each, and bets are laid on how they end.

The bets are those of test_dice_against_odds: who claims the right odds is refused at most once in a million times.
"""

from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest

from solver.axis.battle import AxisBattle
from solver.axis.packs import rules_of_pack
from solver.axis.solve import solve_axis
from solver.axis.units import Rules
from tests.helpers.extent import pick
from tests.helpers.solver import axis_rules
from tests.helpers.solver.axis_battles import NUMBERS, RULES, document
from tests.helpers.solver.axis_dice import Ending, fight
from tests.helpers.solver.chance_tests import refused

Document = dict[str, Any]

BATTLES = pick(900, 4_000)


def otherwise(**units: dict[str, Any]) -> Rules:
    """The rules with these values of units changed; None takes one away."""
    changed = {name: unit | units.get(name, {}) for name, unit in NUMBERS["units"].items()}
    kept = {name: {key: value for key, value in unit.items() if value is not None} for name, unit in changed.items()}
    return rules_of_pack("otherwise", NUMBERS | {"units": kept})


class Case(NamedTuple):
    """A battle that hangs on a rule, and what it would be without this rule."""

    battle: Document
    without: Document
    rules: Rules = RULES


def with_and_without(units: tuple[dict[str, int], dict[str, int]], rule: Document, **others: Any) -> Case:
    """A battle with and without fields of its document."""
    ours, theirs = units
    return Case(document(ours, theirs, **others, **rule), document(ours, theirs, **others))


def under(rules: Rules, ours: dict[str, int], theirs: dict[str, int], **fields: Any) -> Case:
    """A battle under the right rules and under others."""
    battle = document(ours, theirs, **fields)
    return Case(battle, battle, rules)


GUNS_FIRST = ["aa_gun", "tank", "infantry"]

CASES = {
    "artillery supports infantry in every round anew": under(
        otherwise(infantry={"attack": 2, "boost": None}),
        {"infantry": 4, "artillery": 2},
        {"infantry": 4},
        attack_order=["artillery", "infantry"],
    ),
    "infantry without artillery is not supported": under(
        otherwise(infantry={"boost": None}), {"infantry": 4, "artillery": 2}, {"infantry": 4}
    ),
    "anti-aircraft guns fire before the battle": under(
        otherwise(aa_gun={"antiaircraft": 0}), {"fighter": 2, "infantry": 1}, {"aa_gun": 1, "infantry": 2}
    ),
    "ships bombard in the first round": under(
        otherwise(cruiser={"attack": 0}, battleship={"attack": 0}),
        {"infantry": 3, "cruiser": 1, "battleship": 1},
        {"infantry": 3},
    ),
    "land units are kept to the last": with_and_without(
        ({"infantry": 2, "fighter": 2}, {"infantry": 3}), {"keep_land": 1}
    ),
    "guns are lost last but one": with_and_without(
        ({"tank": 3}, {"aa_gun": 1, "infantry": 1, "tank": 1}), {"aa_second_last": True}, defence_order=GUNS_FIRST
    ),
    "landed units cannot retreat": Case(
        document({"amphibious_infantry": 2, "tank": 2}, {"infantry": 3}, round_limit=1),
        document({"infantry": 2, "tank": 2}, {"infantry": 3}, round_limit=1),
    ),
    "submarines strike first": under(
        otherwise(submarine={"surprise": False}), {"submarine": 2}, {"cruiser": 2}, theatre="sea"
    ),
    "a destroyer takes the surprise from submarines": under(
        otherwise(destroyer={"screens": False}), {"submarine": 3}, {"destroyer": 2}, theatre="sea"
    ),
    "planes hit no submarines without a destroyer": under(
        otherwise(submarine={"surprise": False}), {"fighter": 2, "cruiser": 1}, {"submarine": 3}, theatre="sea"
    ),
    "submarines submerge": with_and_without(
        ({"cruiser": 2, "fighter": 1}, {"submarine": 2, "carrier": 1}),
        {"submerge": {"defender": True}},
        theatre="sea",
    ),
    "the last destroyer is kept": with_and_without(
        ({"destroyer": 1, "fighter": 1, "cruiser": 1}, {"submarine": 3}),
        {"keep_last_destroyer": {"attacker": True}},
        theatre="sea",
    ),
    "planes without a carrier crash": with_and_without(
        ({"cruiser": 2, "destroyer": 1}, {"fighter": 2, "carrier": 1}), {"crash_stranded_fighters": True}, theatre="sea"
    ),
    "transports are lost last": under(
        otherwise(transport={"defenceless": False}),
        {"cruiser": 2},
        {"transport": 2, "destroyer": 1},
        theatre="sea",
        defence_order=["transport", "destroyer"],
    ),
    "battleships take two hits": under(
        otherwise(battleship={"hits": 1}),
        {"battleship": 1},
        {"destroyer": 2},
        theatre="sea",
        attack_order=["battleship"],
        defence_order=["destroyer"],
    ),
    "low luck": with_and_without(({"infantry": 2, "tank": 2}, {"infantry": 3}), {"dice": "low_luck"}),
    "biased dice": with_and_without(({"infantry": 2, "tank": 2}, {"infantry": 3}), {"dice": "biased"}),
    "a limit of rounds": with_and_without(({"infantry": 3, "tank": 1}, {"infantry": 3}), {"round_limit": 2}),
    "no retreat from a few": with_and_without(
        ({"infantry": 3, "tank": 2}, {"infantry": 4}), {"retreat": {"units_at_most": 2}}
    ),
    "a retreat before the territory is cleared": with_and_without(
        ({"tank": 3}, {"infantry": 4}), {"retreat": {"clear_chance_above": 0.4}}
    ),
    "a retreat before a plane is lost": with_and_without(
        ({"infantry": 2, "fighter": 2}, {"infantry": 4}), {"retreat": {"air_loss_chance_above": 0.3}}
    ),
}


class Measure(NamedTuple):
    """Something about an end that the odds tell the mean of."""

    of_ending: Callable[[Ending], float]
    most: float = 1


def cost(counts: dict[str, int]) -> float:
    return _cost(frozenset(counts.items()))


@cache
def _cost(counts: frozenset[tuple[str, int]]) -> float:
    return float(axis_rules.cost(Counter(dict(counts)).elements()))


def measures(battle: Document) -> dict[str, Measure]:
    """All of them, and the most that each can be."""
    wave = axis_rules.read(battle)
    return {
        "takes": Measure(lambda end: end.taken),
        "attacker_survives": Measure(lambda end: bool(end.attackers_left or end.attackers_gone)),
        "defender_survives": Measure(lambda end: bool(end.defenders_left or end.defenders_gone)),
        "attacker_loss": Measure(lambda end: cost(end.attackers_lost), float(axis_rules.cost(wave.attackers))),
        "defender_loss": Measure(lambda end: cost(end.defenders_lost), float(axis_rules.cost(wave.defenders))),
    }


@cache
def rolled(rule: str) -> dict[str, Any]:
    """The battle of a rule rolled many times: all ends by what is measured of them."""
    battle, random = CASES[rule].battle, Random(19420)
    wave = axis_rules.read(battle)
    ends = [fight(wave, random) for _ in range(BATTLES)]
    return {name: np.array([one.of_ending(end) for end in ends]) for name, one in measures(battle).items()}


def wrong(rule: str, claimed: AxisBattle) -> list[str]:
    """What of the odds of a battle is refused."""
    odds, results = solve_axis(claimed), rolled(rule)
    bounds = measures(CASES[rule].battle)
    # What nobody has seen is claimed to be no more than the error.
    return [
        name
        for name, one in bounds.items()
        if refused(results[name], min(max(getattr(odds, name), 0), one.most), 0, one.most)
    ]


@pytest.mark.whole
@pytest.mark.parametrize("rule", list(CASES))
def test_bets_on_right_odds_lose_and_on_odds_without_a_rule_win(rule: str) -> None:
    """The battles do hang on their rules."""
    assert wrong(rule, AxisBattle.from_dict(CASES[rule].battle, RULES)) == []
    assert wrong(rule, AxisBattle.from_dict(CASES[rule].without, CASES[rule].rules)) != []


@pytest.mark.whole
def test_bets_on_odds_two_points_off_win() -> None:
    """The test of the test: the odds are long, for then fewer battles tell right from wrong."""
    battle, random = document({"tank": 2}, {"infantry": 4}), Random(7)
    wave = axis_rules.read(battle)
    taken = np.array([fight(wave, random).taken for _ in range(8_000)])
    takes = solve_axis(AxisBattle.from_dict(battle, RULES)).takes
    assert 0.02 < takes < 0.1
    assert not refused(taken, takes, 0, 1)
    for points in (-0.02, 0.02):
        assert refused(taken, takes + points, 0, 1), points
