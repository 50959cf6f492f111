"""Paths: against following every leg in fractions, and what is true of any march."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Battle, BattleError, Faces, Pool, Reshape, Ships, solve
from solver.dice.exact import attacker_wins
from solver.ends import EndRange, ends_to_dict
from solver.path.odds import PathOdds, PathState, march, takes_all, takes_all_chances
from solver.path.path import Path
from tests.helpers.cases import each
from tests.helpers.extent import examples
from tests.helpers.solver import brute, brute_more
from tests.helpers.solver.brute import LawOf

RULES: list[dict[str, Any]] = [
    {},
    {"stop": 2},
    {"ties": "both"},
    {"ties": "neither"},
    {"defence": Pool((6, 6, 6))},
    {"attack": Pool((8, 6)), "defence": Pool((8, 6), bonus=(1,), clamp=(1, 6)), "stop": 1},
    {"attack": Pool((4, 4), clamp=(2, 2)), "defence": Pool((4,), clamp=(2, 2)), "ties": "neither"},
    {"attack_ships": Ships(1, 1, 0), "defence_ships": Ships(0, 0, 1)},
    {"faces": (Faces.of(["A", "D"]), Faces.of(["AA", "D", ""]))},
]
legs = st.lists(st.tuples(st.integers(0, 3), st.sampled_from(RULES), st.integers(0, 3)), min_size=1, max_size=4)

LATE: list[dict[str, Any]] = [{"late": True}, {"late": True, "defence": Pool((8, 6, 6)), "ties": "attacker", "stop": 1}]
any_legs = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from(RULES + 2 * LATE), st.integers(0, 2)), min_size=1, max_size=3
)


def laws_of(leg: Battle) -> LawOf:
    if leg.faces:
        return brute_more.icons(leg.faces[0].words, leg.faces[1].words)
    return partial(_round, leg)


def _round(leg: Battle, attackers: int, defenders: int) -> dict[tuple[int, int], Fraction]:
    return brute.round_law(*leg.pools, attackers, defenders, leg.ties)


def by_hand(path: Path) -> dict[tuple[int, int, int], Fraction]:
    laws: list[Callable[[int, int], Any]] = [laws_of(leg) for leg in path.legs]
    there = [leg.defenders for leg in path.legs]
    return brute_more.marched(laws, there, path.leave, path.legs[0].attackers, [leg.stop for leg in path.legs])


def fallen(path: Path) -> Fraction:
    """How many attackers fall on average, leg after leg; only where every battle ends."""
    coming, lost = {path.legs[0].attackers: Fraction(1)}, Fraction(0)
    for leg, stay in zip(path.legs, (*path.leave, 0), strict=True):
        going_on: dict[int, Fraction] = {}
        for come, chance in coming.items():
            for (left, others), share in brute.follow(laws_of(leg), (come, leg.defenders), leg.stop).items():
                lost += (come - left) * chance * share
                if left and not others:
                    going_on[max(left - stay, 0)] = going_on.get(max(left - stay, 0), Fraction(0)) + chance * share
        coming = going_on
    return lost


def path_of(attackers: int, legs: list[tuple[int, dict[str, Any], int]]) -> Path:
    return Path.of((Battle(attackers, there, **rules) for there, rules, _ in legs), [stay for *_, stay in legs[:-1]])


def rows(odds: PathOdds) -> dict[tuple[int, int, int], float]:
    ends = zip(odds.taken.tolist(), odds.attackers_end.tolist(), odds.defenders_end.tolist(), strict=True)
    return dict(zip(ends, odds.chances.tolist(), strict=True))


@examples(100)
@given(st.integers(0, 5), legs)
def test_a_path_agrees_with_its_territories_in_turn(
    attackers: int, legs: list[tuple[int, dict[str, Any], int]]
) -> None:
    path = path_of(attackers, legs)
    expected = by_hand(path)
    odds = march(path)
    assert rows(odds) == pytest.approx({end: float(share) for end, share in expected.items()}, rel=1e-11)
    assert odds.never == pytest.approx(float(1 - sum(expected.values())), abs=1e-12)
    asked = sum(share for (taken, left, _), share in expected.items() if taken == len(legs) and left in (2, 3))
    found = ends_to_dict([EndRange("attacker", least=2, most=3)], odds.count, odds.chances)
    assert found["ends_chance"] == pytest.approx(float(asked), abs=1e-12)
    whole = sum((share for (taken, _, _), share in expected.items() if taken == len(legs)), Fraction(0))
    assert takes_all(path) == whole
    assert odds.takes_all == pytest.approx(float(whole), rel=1e-11)
    assert odds.attackers_left == pytest.approx(float(sum(a * share for (_, a, _), share in expected.items())))
    reached = [sum((share for end, share in expected.items() if end[0] > number)) for number in range(len(legs))]
    assert odds.takes == pytest.approx([float(share) for share in reached], rel=1e-11)
    assert odds.lost == (None if odds.never else pytest.approx(float(fallen(path)), abs=1e-11))


@examples(100)
@given(st.integers(0, 40), legs)
def test_the_chances_of_a_path_add_up_to_1(attackers: int, legs: list[tuple[int, dict[str, Any], int]]) -> None:
    odds = march(path_of(attackers, legs))
    assert odds.chances.sum() + odds.never == pytest.approx(1, abs=1e-12)
    assert sum(odds.to_dict()["taken"]) + odds.never == pytest.approx(1, abs=1e-12)
    assert (odds.chances > 0).all()


@each(RULES)
def test_a_path_of_one_territory_is_its_battle(rules: dict[str, Any]) -> None:
    battle = Battle(9, 7, **rules)
    odds, battle_odds = march(Path((battle,), ())), solve(battle)
    assert odds.takes_all == pytest.approx(battle_odds.attacker_wins, rel=1e-12)
    assert odds.attackers_left == pytest.approx(battle_odds.attackers_left, rel=1e-12)
    assert takes_all(Path((battle,), ())) == attacker_wins(battle)


@pytest.mark.whole
def test_late_choices_work_on_a_path() -> None:
    """The defender of each territory only wants to keep that one."""
    start = Battle(7, 3, late=True)
    path = Path.of((start, Battle(0, 2), Battle(0, 2, late=True)), (1, 0))
    expected = Fraction(0)
    first = brute_more.late(*start.pools, "defender", (start.attackers, start.defenders)).ends
    for (left, others), share in first.items():
        if others == 0 and left > 0:
            for (still, more), chance in brute.ends(*Battle(1, 1).pools, "defender", (left - 1, 2)).items():
                if more == 0 and still > 0:
                    last = brute_more.late(*Battle(1, 1).pools, "defender", (still, 2)).worth
                    expected += share * chance * last
    assert march(path).takes_all == pytest.approx(float(expected), rel=1e-12)


@examples(40)
@given(st.integers(0, 7), any_legs)
def test_the_chance_from_any_territory_is_that_of_a_path_from_there(
    attackers: int, legs: list[tuple[int, dict[str, Any], int]]
) -> None:
    path = path_of(attackers, legs)
    places = list(everywhere(path))
    expected = [rest_of_the_way(path, place).takes_all for place in places]
    assert takes_all_chances(path, places) == pytest.approx(expected, rel=1e-11)
    last = [place for place in places if place[0] == len(legs) - 1]
    assert takes_all_chances(path, last) == pytest.approx(expected[-len(last) :], rel=1e-11), "whichever are asked for"


def everywhere(path: Path) -> Iterator[PathState]:
    """All places to which somebody can come, highest first."""
    for number, leg in enumerate(path.legs):
        yield from ((number, a, d) for a in range(leg.attackers, -1, -1) for d in range(leg.defenders, -1, -1))


def rest_of_the_way(path: Path, place: PathState) -> PathOdds:
    """The slow twin: a march of those who are left, through what lies before them."""
    number, attackers, defenders = place
    here = replace(path.legs[number], attackers=attackers, defenders=defenders)
    return march(Path.of((here, *path.legs[number + 1 :]), path.leave[number:]))


def test_a_late_defender_of_a_path_defends_only_its_own_territory() -> None:
    path = Path.of((Battle(12, 6, late=True), Battle(0, 4), Battle(0, 3, late=True)), (2, 1))
    places = list(everywhere(path))
    assert takes_all_chances(path, places) == pytest.approx(
        [rest_of_the_way(path, place).takes_all for place in places]
    )


def test_the_chance_on_a_path_of_too_much_work_is_unknown() -> None:
    path = Path.of((Battle(12, 6), Battle(0, 4)), (1,))
    work = sum(leg.chain().grid_work for leg in path.legs)
    places = [(0, 12, 6), (1, 5, 4)]
    assert takes_all_chances(path, places, work - 1) == [None, None]
    assert None not in takes_all_chances(path, places, work)
    assert None not in takes_all_chances(path, places[1:], work - 1), "the way behind does not count"


def test_a_path_ends_if_no_army_above_the_stop_goes_on() -> None:
    alone = march(Path.of((Battle(1, 1), Battle(0, 3)), (1,)))
    assert rows(alone) == pytest.approx({(0, 0, 1): 21 / 36, (1, 0, 3): 15 / 36})
    wary = march(Path.of((Battle(4, 0, stop=3), Battle(0, 3, stop=3)), (1,)))
    assert rows(wary) == {(1, 3, 3): 1.0}
    both_gone = march(Path.of((Battle(1, 1, ties="both"), Battle(0, 1)), (0,)))
    assert (0, 0, 0) in rows(both_gone), "where nobody is left nothing is taken"


def test_leave_may_be_0_or_above_the_armies_left() -> None:
    nobody = march(Path.of((Battle(3, 0), Battle(0, 0), Battle(0, 1)), (0, 9)))
    assert rows(nobody) == {(2, 0, 1): 1.0}
    assert rows(march(Path.of((Battle(3, 0), Battle(0, 0)), (0,)))) == {(2, 3, 0): 1.0}


def test_a_territory_of_a_path_may_have_its_own_rules() -> None:
    document = {
        "game": "risk",
        "attackers": 9,
        "path": [3, 2],
        "leave": [2],
        "legs": [{}, {"defence": {"dice": [6, 6, 6]}, "ties": "attacker"}],
    }
    path = Path.from_dict(document)
    assert path == Path.of((Battle(9, 3), Battle(0, 2, defence=Pool((6, 6, 6)), ties="attacker")), (2,))
    assert path.legs[1].attackers == 7


@each(
    [
        {"game": "risk", "attackers": 13, "path": [5, 4, 6]},
        {"game": "risk", "attackers": 13, "path": [5, 4, 6], "leave": [1, 0, 7], "stop": 2},
        {"game": "risk", "attackers": 13, "path": [5, 4], "legs": [{"late": True}, {"ties": "both"}]},
        {"game": "starwars", "attackers": 9, "path": [4, 4], "attack": {"bombers": 2}, "defence": {"capitals": 1}},
        {"game": "icons", "attackers": 5, "path": [2, 2], "leave": [0], "faces": ["A", "D"]},
        {
            "game": "icons",
            "attackers": 5,
            "path": [2],
            "attack": {"faces": ["A", "D"]},
            "defence": {"faces": ["AA", ""]},
        },
    ]
)
def test_a_path_survives_its_document(document: dict[str, Any]) -> None:
    path = Path.from_dict(document)
    assert Path.from_dict(json.loads(json.dumps(path.to_dict()))) == path
    json.dumps(march(path).to_dict())


def test_leave_defaults_to_1_army_in_each_territory() -> None:
    document = {"game": "risk", "attackers": 13, "path": [5, 4, 6]}
    assert Path.from_dict(document).leave == (1, 1)
    assert Path.from_dict({**document, "leave": [2, 0, 5]}).leave == (2, 0), "the last territory is not left"


@each(
    [
        ({"path": []}, "path"),
        ({"path": [1] * 41}, "path"),
        ({"path": 3}, "path"),
        ({"path": [3, -1]}, "defenders"),
        ({"path": [3, 1.5]}, "defenders"),
        ({"path": [3, 2], "leave": [1, 1, 1]}, "leave"),
        ({"path": [3, 2, 2], "leave": [1]}, "leave"),
        ({"path": [3, 2], "leave": [-1]}, "leave"),
        ({"path": [3, 2], "leave": ["1"]}, "leave"),
        ({"path": [3, 2], "leave": 1}, "leave"),
        ({"path": [3, 2], "legs": [{}]}, "legs"),
        ({"path": [3, 2], "legs": [{}, []]}, "legs.1"),
        ({"path": [3, 2], "legs": [{}, {"attackers": 3}]}, "legs.1"),
        ({"path": [3, 2], "legs": [{}, {"ties": "all"}]}, "legs.1.ties"),
        ({"path": [3, 2], "legs": [{}, {"attack": {"dice": [1]}}]}, "legs.1.attack.dice"),
        ({"reserve": 1}, "path"),
        ({"rounds": 1}, "path"),
        ({"value": 1}, "path"),
        ({"reshape": {}}, "path"),
        ({"walls": 1}, "walls"),
        ({"attackers": -1}, "attackers"),
    ]
)
def test_a_wrong_document_of_a_path_names_its_field(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(BattleError) as error:
        Path.from_dict({"game": "risk", "attackers": 9, "path": [3, 2], **changes})
    assert error.value.field == field


def test_attackers_of_a_path_must_come_from_the_territory_before() -> None:
    with pytest.raises(BattleError, match="the armies that moved on"):
        Path((Battle(5, 3), Battle(5, 2)), (1,))
    with pytest.raises(BattleError, match="reshaped"):
        Path((Battle(5, 3, reshape=Reshape()),), ())
