"""Bombing raids: right answers from outside, all dice in fractions, and raids of hundreds."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.axis.units import Rules
from solver.axis.worth import IPC, Worth
from solver.errors import BattleError
from solver.questions import read_question
from solver.raid.odds import ROUNDING, RaidOdds
from solver.raid.raid import MOST_BOMBERS, MOST_POINTS, Dice, Raid
from solver.raid.solve import solve_raid
from tests.helpers.cases import each
from tests.helpers.extent import pick
from tests.helpers.solver import bombing_dice as slow
from tests.helpers.solver.axis_battles import RULES
from tests.helpers.solver.bombing_dice import Asked

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "data" / "bombing.json").read_text())
GAMES = {"axis1942": RULES}
SCALARS = {"bombers_survive", "attacker_loss", "damage", "factory_survives"}

ASKED = [
    *(
        Asked(bombers, points, dice)
        for bombers in (1, 2, pick(3, 4))
        for points in (1, 7, 12, 40)
        for dice in slow.FACES
    ),
    *(Asked(3, 9, dice, fired=True) for dice in slow.FACES),
    *(Asked(bombers, 11, "low_luck") for bombers in pick((5, 6, 7), (5, 6, 7, 9))),
    *(Asked(3, 10, dice, more=2) for dice in slow.FACES),
    *(Asked(3, 8, dice, cost=2) for dice in slow.FACES),
    Asked(2, 30, "standard", cost=50),
    *(Asked(3, 8, dice, price=Fraction("4.25")) for dice in slow.FACES),
    Asked(2, 9, "standard", price=Fraction(0)),
]
"""Small raids of every kind: in one nothing can make up for the bombers, and in the last ones they have own prices."""


def rules_of(asked: Asked) -> Rules:
    """The rules of 1942 with another bomber."""
    units = [replace(unit, cost=asked.cost, raid=asked.more) if unit.name == "bomber" else unit for unit in RULES.units]
    return Rules("axis1942", tuple(units), RULES.orders)


def solved(asked: Asked) -> RaidOdds:
    worth = IPC if asked.price is None else Worth("units", attacker=(("bomber", float(asked.price)),))
    dice: dict[str, Dice] = {"standard": "standard", "biased": "biased", "low_luck": "low_luck"}
    return solve_raid(Raid(rules_of(asked), asked.bombers, asked.points, dice[asked.dice], asked.fired, worth))


# Right answers ------------------------------------------------------------------------------------------


@each(CASES)
def test_raids_agree_with_known_answers_in_every_field(case: dict[str, Any]) -> None:
    answer, expected = read_question(case["battle"], GAMES).work(), case["odds"]
    assert expected.keys() == SCALARS | {"profit"}, "nothing is passed over"
    for name in SCALARS:
        assert answer[name] == pytest.approx(expected[name], rel=0, abs=1e-9), name
    ours, theirs = (dict(law) for law in (answer["profit"], expected["profit"]))
    assert ours.keys() == theirs.keys()
    assert all(ours[money] == pytest.approx(theirs[money], rel=0, abs=1e-9) for money in ours)


def test_known_answers_of_raids_cover_every_kind() -> None:
    assert len(CASES) == 9
    assert {case["battle"]["dice"] for case in CASES} == set(slow.FACES)
    assert {case["battle"]["aa_already_fired"] for case in CASES} == {True, False}


# The slow twin ------------------------------------------------------------------------------------------


@each((asked,) for asked in ASKED)
def test_the_law_of_losses_and_damage_is_that_of_all_dice(asked: Asked) -> None:
    odds, law = solved(asked), slow.raid(asked)
    found = {(int(k), int(d)): odds.chances[k, d] for k, d in zip(*np.nonzero(odds.chances), strict=True)}
    assert found.keys() == law.keys()
    assert all(found[end] == pytest.approx(float(law[end]), rel=1e-13) for end in law)
    assert odds.error == 0
    assert sum(law.values()) == 1
    fallen, damage = zip(*law, strict=True)
    assert odds.raid.losses == (min(fallen), max(fallen))
    assert odds.raid.damages == (min(damage), max(damage))


@each((asked,) for asked in ASKED)
def test_the_swing_of_a_raid_is_that_of_all_dice(asked: Asked) -> None:
    odds, law = solved(asked), slow.raid(asked)
    profits = slow.profit(asked, law)
    amounts, chances = odds.profit
    assert amounts.tolist() == list(profits)
    assert chances.tolist() == pytest.approx([float(share) for share in profits.values()], rel=1e-13)
    assert odds.raid.profits == (min(profits), max(profits))
    signs = [sum(share for money, share in profits.items() if np.sign(money) == sign) for sign in (-1, 1, 0)]
    assert odds.balance == pytest.approx([float(share) for share in signs], rel=1e-13)
    tenths = [Fraction(tenth, 10) for tenth in (1, 5, 9)]
    assert odds.percentiles == tuple(slow.share_of(profits, tenth) for tenth in tenths)
    damages: dict[float, Fraction] = {}
    for (_, damage), share in law.items():
        damages[damage] = damages.get(damage, Fraction(0)) + share
    assert odds.damage_percentiles == tuple(slow.share_of(damages, tenth) for tenth in tenths)
    survives = sum(share for (fallen, _), share in law.items() if fallen < asked.bombers)
    stands = sum(share for (_, damage), share in law.items() if damage < asked.points)
    assert (odds.bombers_survive, odds.factory_survives) == pytest.approx((float(survives), float(stands)), rel=1e-13)
    assert odds.pays_from == slow.pays_from(asked)


@each((asked,) for asked in ASKED)
def test_averages_for_fewer_bombers_agree_with_their_raids(asked: Asked) -> None:
    odds = solved(asked)
    profits = []
    for flight, bombers in zip(odds.flights, range(1, asked.bombers + 1), strict=True):
        law = slow.raid(asked._replace(bombers=bombers))
        damage = sum(points * share for (_, points), share in law.items())
        fallen = sum(lost * share for (lost, _), share in law.items())
        out = sum(share for (_, points), share in law.items() if points == asked.points)
        assert flight.bombers == bombers
        assert flight[1:] == pytest.approx((float(damage), float(asked.counted * fallen), float(out), 0), rel=1e-13)
        profits.append(damage - asked.counted * fallen)
        assert flight.profit == pytest.approx(float(profits[-1]), abs=1e-12)
    assert odds.best.bombers == 1 + profits.index(max(profits))
    assert odds.expected is odds.flights[-1]


@each(
    [
        *(
            Asked(bombers, 20, dice)
            for bombers in pick((16, 17), (10, 16, 17))
            for dice in pick(("biased",), slow.FACES)
        ),
        *pick((), (Asked(64, 150, "biased", more=2), Asked(65, 150, "biased", more=2))),
        Asked(40, 500, "standard", fired=True),
        Asked(65, 30, "low_luck"),
    ]
)
def test_large_raids_have_the_law_of_sums_of_dice(asked: Asked) -> None:
    """Laws of up to 16 and 64 bombers are kept, so raids of one bomber more are asked, too."""
    odds, law = solved(asked), slow.raid_of_many(asked)
    found = {(int(k), int(d)): odds.chances[k, d] for k, d in zip(*np.nonzero(odds.chances), strict=True)}
    assert found.keys() == law.keys()
    assert all(found[end] == pytest.approx(float(law[end]), rel=1e-12) for end in law)
    flight, profits = odds.expected, slow.profit(asked, law)
    assert flight.damage - flight.loss == pytest.approx(float(slow.mean(profits)), rel=1e-12)
    amounts, chances = odds.profit
    assert amounts.tolist() == list(profits)
    assert chances.tolist() == pytest.approx([float(share) for share in profits.values()], rel=1e-12)
    assert odds.pays_from is not None
    for points, pays in ((odds.pays_from, True), (odds.pays_from - 1, odds.pays_from == 1)):
        tried = asked._replace(points=points)
        assert (slow.mean(slow.profit(tried, slow.raid_of_many(tried))) > -ROUNDING) is pays


def test_both_slow_twins_agree_on_small_raids() -> None:
    for dice in slow.FACES:
        asked = Asked(3, 11, dice, more=1)
        assert slow.raid_of_many(asked) == slow.raid(asked)


# Hundreds -----------------------------------------------------------------------------------------------


@pytest.mark.whole
@pytest.mark.parametrize("dice", ["standard", "biased", "low_luck"])
def test_averages_of_hundreds_of_bombers_have_a_formula(dice: Dice) -> None:
    whole = solve_raid(Raid(RULES, 60, MOST_POINTS, dice))
    hit, face = {"standard": (1 / 6, 3.5), "biased": (0.1, 3.3), "low_luck": (1 / 6, 3.5)}[dice]
    for flight in whole.flights:
        assert flight.loss == pytest.approx(12 * flight.bombers * hit, rel=1e-12)
        assert flight.damage == pytest.approx(flight.bombers * (1 - hit) * face, rel=1e-12)
        assert flight.bombed_out == 0
    most = solve_raid(Raid(RULES, MOST_BOMBERS, MOST_POINTS, dice))
    assert most.chances.sum() == pytest.approx(1, rel=0, abs=1e-12)
    assert sum(most.balance) == pytest.approx(1, rel=0, abs=1e-12)
    assert most.expected.loss == pytest.approx(12 * MOST_BOMBERS * hit, rel=1e-12)
    amounts, chances = most.profit
    assert amounts @ chances == pytest.approx(most.expected.profit, rel=1e-9)


def test_averages_of_7_bombers_are_the_same_in_a_raid_of_200() -> None:
    few, many = (solve_raid(Raid(RULES, bombers, 20)) for bombers in (7, 200))
    for ours, theirs in zip(few.flights, many.flights, strict=False):
        assert ours == pytest.approx(theirs, rel=1e-13)
    assert few.best.bombers == many.best.bombers == 6


# Rules and documents ------------------------------------------------------------------------------------


def test_a_raid_survives_its_document() -> None:
    for raid in (Raid(RULES, 5, 20), Raid(RULES, 2, 8, "low_luck", True), Raid(RULES, 500, 1, "biased")):
        document = json.loads(json.dumps(raid.to_dict()))
        assert document.pop("question") == "bombing"
        assert Raid.from_dict(document, RULES) == raid


def test_the_raid_answer_has_the_joint_law_and_the_best_number() -> None:
    answer = json.loads(json.dumps(solve_raid(Raid(RULES, 8, 20)).to_dict()))
    assert (answer["best"], answer["pays_from"], answer["error"]) == (6, 17, 0)
    assert [flight["bombers"] for flight in answer["by_bombers"]] == list(range(1, 9))
    assert answer["by_bombers"][-1]["damage"] == answer["damage"]
    assert sum(chance for *_, chance in answer["outcomes"]) == pytest.approx(1)
    lost = sum(fallen * chance for fallen, _, chance in answer["outcomes"])
    assert answer["attacker_loss"] == pytest.approx(12 * lost)
    assert answer["costs"] + answer["pays"] + answer["even"] == pytest.approx(1)


GOOD = {"game": "axis1942", "question": "bombing", "bombers": 5, "factory_points": 20}


@each(
    [
        ({"bombers": 0}, "bombers: the number of bombers must be 1 to 500, not 0"),
        ({"bombers": True}, "bombers: the number of bombers must be 1 to 500, not true"),
        ({"bombers": 501}, "bombers: the number of bombers must be 1 to 500, not 501"),
        ({"bombers": "5"}, 'bombers: the number of bombers must be 1 to 500, not "5"'),
        ({"factory_points": 0}, "factory_points: the damage a factory can take must be 1 to 500, not 0"),
        ({"factory_points": 1e9}, "factory_points: the damage a factory can take must be 1 to 500, not"),
        ({"dice": "loaded"}, 'dice: the dice must be one of standard, low_luck, biased, not "loaded"'),
        ({"dice": []}, "dice: the dice must be one of standard, low_luck, biased, not []"),
        ({"aa_already_fired": 1}, "aa_already_fired: this must be true or false, not 1"),
        (
            {"points": 3},
            "points: there is no such field; the fields are aa_already_fired, bombers, damage",
        ),
        (
            {"question": "raid"},
            "question: for this game the question must be one of odds, units, order, army, throw, casualties, place, "
            'bombing, not "raid"',
        ),
    ]
)
def test_an_error_in_a_raid_names_its_field(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BattleError) as error:
        read_question({**GOOD, **wrong}, GAMES)
    assert str(error.value).startswith(sentence)


@pytest.mark.parametrize("name", ["bombers", "factory_points"])
def test_a_missing_field_of_a_raid_is_named(name: str) -> None:
    with pytest.raises(BattleError, match=f"{name}: this must be a whole number"):
        read_question({field: value for field, value in GOOD.items() if field != name}, GAMES)
