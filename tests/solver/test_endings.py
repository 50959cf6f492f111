"""All endings of battles of Axis & Allies as JSON: they add up to the other odds, and are those of the rules."""

from functools import reduce
from operator import getitem
from typing import Any

import pytest
from hypothesis import given

from solver.errors import BattleError
from solver.questions import read_question
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver import axis_brute, axis_waves_brute
from tests.helpers.solver.any_axis_battle import Document, at_sea, on_land
from tests.helpers.solver.axis_battles import RULES, document
from tests.helpers.solver.axis_chains import any_chain, chain
from tests.helpers.solver.axis_compare import furthest, table

SIDES = "attacker", "defender"
ONE = document({"infantry": 3, "fighter": 1}, {"infantry": 2, "tank": 1})
TWO = chain(document({"infantry": 3}, {"infantry": 2}), document({"tank": 1}, {}, previous_attackers_defend=True))


def answer_to(battle: Document, **asked: Any) -> Document:
    return read_question({"all": True, **battle, **asked}, {"axis1942": RULES}).work()


def marginal(answer: Document, *names: str) -> list[list[Any]]:
    """What the endings have under some names, such as "left.attacker", each with its chance."""
    return [[*(reduce(getitem, name.split("."), row) for name in names), row["chance"]] for row in answer["endings"]]


def check_list(answer: Document) -> None:
    """The likeliest come first, each ending once, and nothing is left out."""
    chances = [row["chance"] for row in answer["endings"]]
    assert chances == sorted(chances, reverse=True)
    assert chances[-1] > 0
    assert len(table([[row | {"chance": 0}, 0] for row in answer["endings"]])) == len(chances)
    assert sum(chances) == pytest.approx(1, abs=1e-9)
    assert answer["left_out"] == {"endings": 0, "chance": 0.0}


@examples(pick(30, 200))
@given(on_land() | at_sea())
def test_endings_of_one_wave_add_up_to_its_odds(battle: Document) -> None:
    answer = answer_to(battle)
    check_list(answer)
    (wave,) = answer["waves"]
    for side in SIDES:
        fates = marginal(answer, f"{side}_lost", f"left.{side}", f"gone.{side}")
        assert furthest(fates, wave[f"{side}s"]) < 1e-9
    assert furthest(marginal(answer, "profit"), wave["profit"]) < 1e-9
    names = "wins", "holds", "dived", "both", "cleared", "nobody"
    ways = [[name, wave[name]] for name in names if wave[name]]
    assert furthest(marginal(answer, "ending"), ways) < 1e-9


@examples(pick(30, 200))
@given(any_chain)
def test_endings_of_waves_add_up_to_their_odds(battle: Document) -> None:
    answer = answer_to(battle)
    check_list(answer)
    every = answer["all_waves"]
    for name in ("attacker_lost", "defender_lost", "left", "profit"):
        assert furthest(marginal(answer, name), every[name]) < 1e-9


def test_endings_of_one_wave_are_those_of_the_rules() -> None:
    wanted = [
        [*map(dict, (end.attackers_lost, end.attackers_left, end.defenders_lost, end.defenders_left)), float(chance)]
        for end, chance in axis_brute.solve(ONE).ends.items()
    ]
    names = "attacker_lost", "left.attacker", "defender_lost", "left.defender"
    found = marginal(answer_to(ONE, exact=True), *names)
    assert furthest(found, wanted) < 1e-12


def test_endings_of_waves_are_those_of_the_rules() -> None:
    joint = axis_waves_brute.solve(TWO).joint
    owners = {"A": "attacker", "D": "defender", None: "nobody"}
    wanted = [
        [dict(ours), dict(theirs), {"holder": owners[owner], "units": dict(units)}, float(chance)]
        for (ours, theirs, owner, units), chance in joint.items()
    ]
    found = marginal(answer_to(TWO), "attacker_lost", "defender_lost", "left")
    assert len(table(wanted)) > 5
    assert furthest(found, wanted) < 1e-12


@each([ONE, TWO])
def test_endings_beyond_the_limit_are_counted(battle: Document) -> None:
    whole = answer_to(battle)
    with pytest.MonkeyPatch.context() as small:
        small.setattr("solver.axis.endings.MOST_LISTED", 3)
        short = answer_to(battle)
    assert short["endings"] == whole["endings"][:3]
    others = whole["endings"][3:]
    chance = sum(row["chance"] for row in others)
    assert short["left_out"] == {"endings": len(others), "chance": pytest.approx(chance, abs=1e-12)}


def test_endings_that_are_not_kept_apart_are_null(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.axis.waves.joint.LARGEST_CODE", 0)
    answer = answer_to(TWO)
    assert answer["endings"] is None
    assert answer["caveat"] == "there are too many endings to list them"
    assert not {"left_out", "all_waves"} & answer.keys()


@each([ONE, TWO])
def test_endings_only_come_where_they_are_asked_for(battle: Document) -> None:
    whole, usual = answer_to(battle), answer_to(battle, all=False)
    assert whole.keys() - usual.keys() == {"endings", "left_out"}
    assert {name: whole[name] for name in usual} == usual


@each([("units", True), ("order", True), ("casualties", 1), ("odds", 1), ("odds", "yes"), ("odds", None)])
def test_a_wrong_request_for_endings_names_the_field(kind: str, value: object) -> None:
    with pytest.raises(BattleError) as error:
        answer_to(ONE, question=kind, all=value)
    assert error.value.field == "all"
