"""Questions as JSON documents: every kind is answered, as JSON, and wrong ones are refused with the field's name."""

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from solver import Battle, BattleError, Pool, Ships, solve
from solver.axis.battle import AxisBattle
from solver.axis.sensitivity import unit_sensitivity
from solver.axis.sides import Army
from solver.dice.advice import advice
from solver.dice.exact import attacker_wins
from solver.dice.sizes import MOST_NEEDED, need, win_chances, worth_going_on
from solver.path.odds import march, takes_all
from solver.path.path import Path
from solver.questions import read_question
from tests.helpers.cases import each
from tests.helpers.solver.axis_battles import RULES
from tests.helpers.solver.kernels import needs_library

CLASSIC = {"game": "risk", "attackers": 7, "defenders": 5}
ICONS = {"game": "icons", "faces": ["AA", "A", "D", "DD"], "attackers": 4, "defenders": 3}
SHIPS = {"game": "starwars", "attackers": 7, "defenders": 5, "attack": {"capitals": 1}, "defence": {"bombers": 1}}
MARCH = {"game": "risk", "attackers": 9, "path": [3, 2], "leave": [1]}

QUESTIONS: list[dict[str, Any]] = [
    CLASSIC,
    {**CLASSIC, "exact": True},
    {**CLASSIC, "value": 4},
    {**CLASSIC, "late": True, "exact": True},
    {**CLASSIC, "reshape": {}},
    {**CLASSIC, "ties": "neither", "attack": {"dice": [6], "clamp": [3, 3]}, "defence": {"dice": [6], "clamp": [3, 3]}},
    {**ICONS, "exact": True},
    {**ICONS, "rounds": 3, "exact": True},
    {**SHIPS, "exact": True},
    MARCH,
    {**MARCH, "exact": True},
    {"game": "risk", "question": "round"},
    {"game": "risk", "question": "round", "defence": {"dice": [6, 6, 6]}},
    {**CLASSIC, "question": "round", "attackers": 1},
    {**ICONS, "question": "round"},
    {**SHIPS, "question": "round"},
    {"game": "risk", "question": "roll"},
    {"game": "risk", "question": "roll", "dice": [8, 6], "units": 1},
    {"game": "starwars", "question": "roll", "units": 2, "fighters": 1, "bombers": 1},
    {"game": "starwars", "question": "roll", "capitals": 2},
    {**CLASSIC, "question": "table"},
    {**ICONS, "question": "table"},
    {**CLASSIC, "question": "need", "chance": 0.9},
    {"game": "risk", "defenders": 5, "question": "need"},
    {"game": "risk", "attackers": 5, "question": "need", "side": "defenders"},
    {**SHIPS, "question": "advice"},
    {**CLASSIC, "question": "advice", "rounds": 3},
]


@each(QUESTIONS)
def test_every_question_has_an_answer_that_is_json(document: dict[str, Any]) -> None:
    before = json.dumps(document)
    answer = read_question(document).work()
    assert json.loads(json.dumps(answer, allow_nan=False)) == answer
    assert json.dumps(document) == before, "the question is left as it was"


def test_the_question_odds_answers_with_the_odds() -> None:
    assert read_question(CLASSIC).work() == solve(Battle(7, 5)).to_dict()
    assert read_question(CLASSIC).battle == Battle(7, 5)
    assert read_question({**CLASSIC, "question": "odds"}).work() == read_question(CLASSIC).work()


def test_the_field_exact_adds_the_fraction() -> None:
    for document in (CLASSIC, ICONS, SHIPS, {**CLASSIC, "late": True}, {**CLASSIC, "value": 30}):
        battle = Battle.from_dict(document)
        answer = read_question({**document, "exact": True}).work()
        assert Fraction(answer["attacker_wins_exact"]) == attacker_wins(battle)
        assert "attacker_wins_exact" not in read_question({**document, "exact": False}).work()
    won = read_question({"game": "risk", "attackers": 5, "defenders": 0, "exact": True}).work()
    assert won["attacker_wins_exact"] == "1/1"
    with pytest.raises(BattleError) as error:
        read_question({**CLASSIC, "reshape": {}, "exact": True}).work()
    assert error.value.field == "exact"


def test_a_document_with_a_path_is_answered_as_a_path() -> None:
    path = Path.from_dict(MARCH)
    assert read_question(MARCH).battle == path
    answer = read_question({**MARCH, "exact": True}).work()
    assert answer.pop("takes_all_exact") == str(takes_all(path))
    assert answer == march(path).to_dict()


def test_a_document_with_a_value_says_where_to_go_on() -> None:
    answer = read_question({**CLASSIC, "value": 4}).work()
    assert answer["worth_going_on"] == list(worth_going_on(Battle(7, 5, value=4)))
    assert "worth_going_on" not in read_question(CLASSIC).work()


def test_the_question_round_without_numbers_has_all_dice() -> None:
    both, one, none = "2275/7776", "2611/7776", "1445/3888"
    expected = [[0, 2, none], [1, 1, one], [2, 0, both]]
    assert read_question({"game": "risk", "question": "round"}).work() == {"losses": expected}
    assert read_question({**CLASSIC, "question": "round"}).work() == {"losses": expected}
    single = read_question({"game": "risk", "question": "round", "attackers": 1, "defenders": 1}).work()
    assert single == {"losses": [[0, 1, "5/12"], [1, 0, "7/12"]]}


def test_the_question_roll_takes_the_number_of_rolling_units() -> None:
    answer = read_question({"game": "risk", "question": "roll", "dice": [6, 6], "units": 1}).work()
    assert answer == {"weights": [[[face], 1] for face in range(1, 7)], "total": 6}
    assert read_question({"game": "risk", "question": "roll"}).work()["total"] == 216
    four = read_question({"game": "starwars", "question": "roll", "units": 4}).work()
    assert four["total"] == 6**4
    assert len(four["weights"][0][0]) == 4
    assert read_question({"game": "starwars", "question": "roll", "units": 6}).work()["total"] == 6**6
    icons = read_question({"game": "icons", "question": "roll", "faces": ["AA", "D", "D", "D"], "units": 2}).work()
    assert icons == {"weights": [[[0, 2], 9], [[2, 1], 6], [[4, 0], 1]], "total": 16}


def test_the_question_table_begins_with_1_against_1() -> None:
    answer = read_question({**CLASSIC, "question": "table"}).work()["attacker_wins"]
    assert answer == win_chances(Battle(1, 1), 7, 5)[1:, 1:].tolist()
    assert (len(answer), len(answer[0])) == (7, 5)
    assert answer[0][0] == pytest.approx(15 / 36)


def test_the_question_need_defaults_to_attackers_and_80_percent() -> None:
    usual = read_question({"game": "risk", "defenders": 5, "question": "need"}).work()
    found = need(Battle(1, 5), "attackers", 0.8, MOST_NEEDED)
    assert usual == {"answer": found.answer, "counts": list(found.counts), "chances": list(found.chances)} | {
        "limited": False,
        "error": 0.0,
    }
    other = read_question(
        {"game": "risk", "attackers": 5, "question": "need", "side": "defenders", "chance": 0.3}
    ).work()
    assert other["answer"] == need(Battle(5, 1), "defenders", 0.3, MOST_NEEDED).answer
    shown = read_question({**CLASSIC, "attackers": 60, "question": "need"}).work()
    assert shown["counts"][-1] == 60
    beyond = read_question({"game": "risk", "defenders": 5, "rounds": 1, "question": "need"}).work()
    assert beyond["answer"] is None


def test_the_question_need_counts_what_is_left() -> None:
    asked = {"game": "risk", "defenders": 4, "question": "need", "ends": [{"least": 2.5}]}
    answer = read_question(asked).work()
    for count, chance in zip(answer["counts"], answer["chances"], strict=True):
        odds = solve(Battle(count, 4))
        assert chance == pytest.approx(odds.chances[odds.attackers_end >= 3].sum())
    for wrong in ({"side": "defenders", "attackers": 4}, {"ends": [{"least": 2, "most": 3}]}, {"ties": "both"}):
        with pytest.raises(BattleError, match="only takes the least"):
            read_question({**asked, **wrong})


@needs_library
def test_the_question_need_is_answered_against_armies_too_large_for_a_table() -> None:
    question: dict[str, Any] = {"question": "need", "game": "risk", "attackers": 1, "defenders": 10_000}
    answer = read_question(question).work()
    assert not answer["limited"]
    enough = answer["answer"]
    assert solve(Battle(enough, 10_000)).attacker_wins >= 0.8 > solve(Battle(enough - 1, 10_000)).attacker_wins
    assert answer["counts"][-1] <= 40_000
    with pytest.raises(BattleError, match="defenders: the number of armies must be 0 to 250000"):
        read_question({**question, "defenders": 250_001}).work()


def test_the_question_advice_is_for_both_sides() -> None:
    battle = Battle(2, 2, attack_ships=Ships(capitals=1))
    answer = read_question({**battle.to_dict(), "question": "advice"}).work()
    given, _ = advice(battle)
    assert given is not None
    assert answer["attacker"] == {"dice": 1, "most": 2, "best": given.best, "usual": given.usual}
    assert answer["defender"]["dice"] == 2
    assert read_question({**CLASSIC, "question": "advice", "rounds": 3}).work() == {"attacker": None, "defender": None}


def test_the_question_table_takes_500_against_500() -> None:
    answer = read_question({**CLASSIC, "question": "table", "attackers": 500, "defenders": 500}).work()["attacker_wins"]
    assert (len(answer), len(answer[-1])) == (500, 500)
    assert answer[-1][-1] == pytest.approx(solve(Battle(500, 500)).attacker_wins, abs=1e-9)


@each(
    [
        ({**CLASSIC, "question": "weather"}, "question"),
        ({**CLASSIC, "question": ["odds"]}, "question"),
        ({**CLASSIC, "exact": 1}, "exact"),
        ({**CLASSIC, "exact": "yes"}, "exact"),
        ({**MARCH, "exact": None}, "exact"),
        ({**CLASSIC, "units": 2}, "units"),
        ({"game": "chess", "attackers": 1, "defenders": 1}, "game"),
        ({"attackers": 1, "defenders": 1}, "game"),
        ({**CLASSIC, "attackers": -1}, "attackers"),
        ({**CLASSIC, "question": "table", "chance": 0.5}, "chance"),
        ({**CLASSIC, "question": "table", "attackers": 501, "defenders": 500}, "attackers"),
        ({**CLASSIC, "question": "table", "late": "yes"}, "late"),
        ({**CLASSIC, "question": "need", "chance": "0.5"}, "chance"),
        ({**CLASSIC, "question": "need", "chance": True}, "chance"),
        ({**CLASSIC, "question": "need", "side": "both"}, "side"),
        ({"game": "risk", "attackers": 5, "question": "need"}, "defenders"),
        ({"game": "risk", "defenders": 5, "question": "need", "side": "defenders"}, "attackers"),
        ({**CLASSIC, "question": "advice", "chance": 0.5}, "chance"),
        ({"game": "risk", "question": "roll", "units": 4}, "units"),
        ({"game": "risk", "question": "roll", "units": 0}, "units"),
        ({"game": "risk", "question": "roll", "units": 1.0}, "units"),
        ({"game": "risk", "question": "roll", "dice": [1]}, "dice"),
        ({"game": "risk", "question": "roll", "fighters": 1}, "fighters"),
        ({"game": "icons", "question": "roll", "faces": ["A", "D"]}, "units"),
        ({"question": "roll"}, "game"),
        ({"game": "starwars", "question": "roll", "units": 7}, "units"),
        ({"game": "starwars", "question": "roll", "fighters": -1}, "fighters"),
        ({"game": "starwars", "question": "roll", "rerolls": 1}, "rerolls"),
        ({"game": "risk", "question": "round", "attack": {"dice": [1]}}, "attack.dice"),
        ({"game": "starwars", "question": "round"}, "attackers"),
        ({"game": "icons", "attackers": 3, "defenders": 3}, "faces"),
        ({**ICONS, "faces": ["A"]}, "faces"),
        ({**ICONS, "faces": ["A", "X"]}, "faces"),
        ({**ICONS, "faces": "AD"}, "faces"),
        ({**ICONS, "attack": {"faces": ["A", "?"]}}, "attack.faces"),
        ({**ICONS, "defence": {"dice": [6]}}, "defence.dice"),
        ({**ICONS, "ties": "both"}, "ties"),
        ({**ICONS, "attack": []}, "attack"),
    ]
)
def test_a_wrong_question_names_its_field(document: dict[str, Any], field: str) -> None:
    with pytest.raises(BattleError) as error:
        read_question(document)
    assert error.value.field == field


@each(
    [
        ({**CLASSIC, "question": "round", "attackers": 0}, "attackers"),
        ({**CLASSIC, "question": "round", "reserve": 7}, "attackers"),
        ({**CLASSIC, "question": "round", "defenders": 0}, "defenders"),
        ({**CLASSIC, "question": "need", "chance": 1.0}, "chance"),
        ({**CLASSIC, "question": "need", "chance": 0}, "chance"),
        ({**CLASSIC, "attackers": 3000, "defenders": 3000, "exact": True}, "exact"),
    ]
)
def test_a_question_of_too_much_work_names_its_field(document: dict[str, Any], field: str) -> None:
    with pytest.raises(BattleError) as error:
        read_question(document).work()
    assert error.value.field == field


def test_documents_take_icon_dice_for_each_or_both_sides() -> None:
    ours, theirs = ["A", "D"], ["AA", "D", ""]
    sizes = {"game": "icons", "attackers": 3, "defenders": 2}
    apart = Battle.from_dict({**sizes, "attack": {"faces": ours}, "defence": {"faces": theirs}})
    assert apart.faces is not None
    assert [sorted(faces.words) for faces in apart.faces] == [sorted(ours), sorted(theirs)]
    assert Battle.from_dict({**sizes, "faces": theirs, "attack": {"faces": ours}}) == apart
    assert Battle.from_dict({**sizes, "faces": ours, "defence": {"faces": theirs}}) == apart
    assert Battle.from_dict({**sizes, "attack": {"faces": ours}}) == Battle.from_dict({**sizes, "faces": ours})
    assert Battle.from_dict(json.loads(json.dumps(apart.to_dict()))) == apart


def test_all_kinds_of_battles_survive_their_documents() -> None:
    for document in (CLASSIC, ICONS, SHIPS, {**CLASSIC, "late": True}, {**CLASSIC, "value": 3}, {**ICONS, "value": 0}):
        battle = Battle.from_dict(document)
        assert Battle.from_dict(json.loads(json.dumps(battle.to_dict()))) == battle
    assert Battle.from_dict({**CLASSIC, "value": None, "reshape": None, "late": False}) == Battle(7, 5)
    assert Battle.from_dict({**CLASSIC, "attack": {"dice": [8]}}).attack == Pool((8,))


def test_an_added_kind_of_unit_takes_its_place_in_the_order() -> None:
    """A gun that is lost last is no help; as in the usual order, where it is lost first, it is."""
    side = Army.of({"infantry": 2, "tank": 1}, "infantry", "tank", "aa_gun")
    battle = AxisBattle(RULES, "land", Army.of({"infantry": 3}), side)
    usual = replace(battle, defender=replace(side, loss_order=()))
    change = [
        {one.unit: one.wins - wins for one in found if one.role == "defence" and one.more == 1}
        for wins, found in (unit_sensitivity(battle), unit_sensitivity(usual))
    ]
    assert change[0]["aa_gun"] == pytest.approx(0, abs=1e-6)
    assert change[1]["aa_gun"] == pytest.approx(-0.077, abs=0.0005)
    assert change[0]["tank"] == pytest.approx(change[1]["tank"], abs=1e-6)
