"""Best play of a turn on a map: against known answers, brute force in fractions, and what is true of any turn."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Battle, Conquest, Faces, Pool, Ships, TooLargeError, read_question
from solver.compiled import library
from solver.conquest.board import Board
from solver.conquest.conquest import Aim
from solver.conquest.phase import FollowedWorths, PlainWorths, first_state, laws_of_throws
from solver.conquest.worths import CompiledWorths, worths_of
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver.conquest_brute import Asked, any_conquest, best
from tests.helpers.solver.kernels import needs_library
from tests.helpers.solver.phase_brute import best_of_turn

CASES = json.loads((Path(__file__).parents[1] / "data" / "attack-phase.json").read_text())
RULES = [
    Battle(0, 0, ties="both"),
    Battle(0, 0, ties="neither"),
    Battle(0, 0, defence=Pool((6, 6, 6))),
    Battle(0, 0, attack=Pool((4, 4), clamp=(2, 2)), defence=Pool((4,), clamp=(2, 2)), ties="neither"),
    Battle(0, 0, attack_ships=Ships(1, 1, 0), defence_ships=Ships(0, 0, 1)),
    Battle(0, 0, faces=(Faces.of(["A", "D"]), Faces.of(["AA", "D", ""]))),
]


def worth(conquest: Conquest) -> float:
    """What the turn is worth."""
    board = Board(conquest)
    return worths_of(board).worth(first_state(board))


@each(range(len(CASES)))
def test_turns_agree_with_known_answers(number: int) -> None:
    case = CASES[number]
    answer = read_question({"question": "conquer", **case["battle"]}).work()
    name = "takes_all" if "takes_all" in case else "expected"
    assert answer[name] == pytest.approx(case[name], abs=1e-12)
    assert (answer["exact"], answer["error"]) == (True, 0)


@examples(pick(40, 80))
@given(any_conquest(most_targets=3, most_armies=7), st.sampled_from([Battle(0, 0), *RULES]))
def test_both_ways_agree_with_brute_force(asked: Asked, rules: Battle) -> None:
    asked = replace(asked, rules=rules)
    board = Board(asked.conquest())
    state, expected = first_state(board), float(best_of_turn(asked))
    plain, ours = PlainWorths(board, laws_of_throws(board)), worths_of(board)
    assert plain.worth(state) == pytest.approx(expected, rel=1e-11, abs=1e-300)
    assert ours.worth(state) == pytest.approx(expected, rel=1e-11, abs=1e-300)


@needs_library
@examples(pick(30, 60))
@given(any_conquest(most_targets=5, most_armies=12, starts=4))
def test_following_best_play_agrees_with_plain_python(asked: Asked) -> None:
    board = Board(asked.conquest())
    state, laws = first_state(board), laws_of_throws(board)
    ours, plain = CompiledWorths(board, laws), PlainWorths(board, laws)
    falls, everything = ours.follow(state)
    expected, whole = plain.follow(state)
    assert ours.worth(state) == pytest.approx(plain.worth(state), rel=1e-11)
    assert everything == pytest.approx(whole, rel=1e-9)
    if asked.aim == "all":
        assert everything == pytest.approx(ours.worth(state), rel=1e-9)
    else:
        values = [target.worth for target in board.conquest.targets]
        assert falls @ values == pytest.approx(ours.worth(state), rel=1e-9)
        assert expected @ values == pytest.approx(ours.worth(state), rel=1e-9)


@needs_library
@examples(pick(10, 60))
@given(
    st.integers(1, pick(2, 3)),
    st.lists(st.integers(0, pick(3, 4)), min_size=2, max_size=3),
    st.sampled_from(["all", "most"]),
    st.booleans(),
)
def test_targets_that_are_alike_change_places(starts: int, garrisons: list[int], aim: Aim, joined: bool) -> None:
    names = "tuv"[: len(garrisons)]
    near = {start: [*names, "x"] for start in "abc"[:starts]} | {name: ["x"] for name in names}
    if joined:
        near = {place: [*near[place], *(name for name in names if name != place)] for place in near}
    targets = {**dict(zip(names, garrisons, strict=True)), "x": 1}
    board = Board(Conquest.of(near, dict.fromkeys("abc"[:starts], 5), targets, aim=aim))
    state, laws = first_state(board), laws_of_throws(board)
    ours, plain = CompiledWorths(board, laws), PlainWorths(board, laws)
    assert ours.worth(state) == pytest.approx(plain.worth(state), rel=1e-11)
    assert ours.follow(state)[1] == pytest.approx(plain.follow(state)[1], rel=1e-9)


@needs_library
def test_rows_of_worths_may_grow_while_play_is_followed() -> None:
    near = {"a": ["p", "q"], "b": ["p", "q"], "q": ["r"], "r": ["s"]}
    garrisons = {"p": 5, "q": 3, "r": 8, "s": 1}
    ships = Battle(0, 0, attack_ships=Ships(1, 1, 0))
    conquest = Conquest.of(near, {"a": 15, "b": 12}, garrisons, dict.fromkeys(garrisons, 0), "most", rules=ships)
    board = Board(conquest)
    for _ in range(5):
        worths = worths_of(board)
        falls, _everything = worths.follow(first_state(board))
        assert falls.sum() == pytest.approx(worths.worth(first_state(board)), rel=1e-9)


@given(any_conquest(most_targets=4, most_armies=9, starts=3), st.data())
def test_a_turn_is_never_worse_with_more_armies_or_other_names(asked: Asked, data: st.DataObject) -> None:
    here = worth(asked.conquest())
    assert here >= float(best(asked)) - 1e-12, "the plans that fight every attack to its end"
    start = data.draw(st.sampled_from(sorted(asked.starts)))
    more = replace(asked, starts={**asked.starts, start: asked.starts[start] + 1})
    assert worth(more.conquest()) >= here - 1e-12
    target = data.draw(st.sampled_from(sorted(asked.targets)))
    fewer = replace(asked, targets={**asked.targets, target: max(asked.targets[target] - 1, 0)})
    assert worth(fewer.conquest()) >= here - 1e-12
    assert worth(_renamed(asked).conquest()) == pytest.approx(here, rel=1e-11)


def _renamed(asked: Asked) -> Asked:
    """The same with names in another order."""
    names = sorted(asked.neighbours)
    new = dict(zip(names, reversed([f"x{name}" for name in names]), strict=True))
    near = {new[name]: [new[other] for other in others] for name, others in asked.neighbours.items()}
    starts, targets, leave, values = (
        {new[name]: count for name, count in part.items()}
        for part in (asked.starts, asked.targets, asked.leave, asked.values)
    )
    return Asked(near, starts, targets, leave, asked.aim, values, asked.rules)


@each([PlainWorths, *([CompiledWorths] if library.library() else [])])
def test_too_many_states_are_refused(make: Callable[..., FollowedWorths]) -> None:
    near = {"a": ["t", "u"], "b": ["t", "u"], "t": ["u"]}
    board = Board(Conquest.of(near, {"a": 10, "b": 10}, {"t": 10, "u": 10}))
    worths = make(board, laws_of_throws(board), 4_000)
    with pytest.raises(TooLargeError):
        worths.worth(first_state(board))
    with pytest.raises(TooLargeError):
        worths.follow(first_state(board))
    huge = Board(Conquest.of({"a": ["b"]}, {"a": 500}, {"b": 500}))
    if make is PlainWorths:
        with pytest.raises(TooLargeError):
            make(huge, laws_of_throws(huge))
