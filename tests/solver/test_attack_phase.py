"""Best play of a turn on a map: against known answers, brute force in fractions, and what is true of any turn."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Battle, Conquest, Faces, Pool, Ships, TooLargeError
from solver.compiled import library
from solver.conquest.board import Board
from solver.conquest.phase import (
    CompiledWorths,
    PlainWorths,
    Worths,
    first_state,
    outcomes,
    throw_laws,
    throws,
    worth_of_throw,
    worths_of,
)
from solver.conquest.turn import typical_turn
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
TWO_FRONTS = {"siam": ["india"], "china": ["india"]}


def worth(conquest: Conquest) -> float:
    """What the turn is worth."""
    board = Board(conquest)
    return worths_of(board).worth(first_state(board))


@each(range(len(CASES)))
def test_turns_agree_with_known_answers(number: int) -> None:
    case = CASES[number]
    conquest = Conquest.from_dict(case["battle"])
    assert worth(conquest) == pytest.approx(case.get("takes_all", case.get("expected")), abs=1e-12)


@examples(pick(40, 80))
@given(any_conquest(most_targets=3, most_armies=7), st.sampled_from([Battle(0, 0), *RULES]))
def test_both_ways_agree_with_brute_force(asked: Asked, rules: Battle) -> None:
    asked = replace(asked, rules=rules)
    board = Board(asked.conquest())
    state, expected = first_state(board), float(best_of_turn(asked))
    plain, ours = PlainWorths(board, throw_laws(board)), worths_of(board)
    assert plain.worth(state) == pytest.approx(expected, rel=1e-11, abs=1e-300)
    assert ours.worth(state) == pytest.approx(expected, rel=1e-11, abs=1e-300)


@needs_library
@examples(pick(30, 60))
@given(any_conquest(most_targets=5, most_armies=12, starts=4))
def test_following_best_play_agrees_with_plain_python(asked: Asked) -> None:
    board = Board(asked.conquest())
    state, laws = first_state(board), throw_laws(board)
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


def test_the_second_front_takes_over() -> None:
    conquest = Conquest.of(TWO_FRONTS, {"siam": 12, "china": 8}, {"india": 9})
    assert worth(conquest) == pytest.approx(0.979641, abs=1e-6)
    board = Board(conquest)
    fights = typical_turn(worths_of(board), first_state(board))
    assert [(fight.origin, fight.to) for fight in fights] == [("siam", "india")]
    assert (0, 3) in fights[0].breaks, "China goes on"


@given(any_conquest(most_targets=3, most_armies=8, starts=2))
def test_the_fights_of_a_typical_turn_are_best_play(asked: Asked) -> None:
    board = Board(asked.conquest())
    worths, state = worths_of(board), first_state(board)
    fights = typical_turn(worths, state)
    assert bool(fights) == (worths.worth(state) > 0 and any(target.worth for target in board.conquest.targets))
    if fights:
        first = next(throw for throw in throws(board, state) if _is_of(board, throw, fights[0].origin, fights[0].to))
        assert worth_of_throw(worths, state, first) == pytest.approx(worths.worth(state), rel=1e-9)
        assert sum(chance for chance, _after in outcomes(worths, state, first)) == pytest.approx(1)


def _is_of(board: Board, throw: tuple[int, int], origin: str, to: str) -> bool:
    return (board.names[throw[0]], board.names[throw[1]]) == (origin, to)


@each([PlainWorths, *([CompiledWorths] if library.library() else [])])
def test_too_many_states_are_refused(make: Callable[..., Worths]) -> None:
    near = {start: list("tuvw") for start in "abcdef"}
    board = Board(Conquest.of(near, dict.fromkeys(near, 10), dict.fromkeys("tuvw", 10)))
    worths = make(board, throw_laws(board), 2_000)
    with pytest.raises(TooLargeError):
        worths.worth(first_state(board))
    with pytest.raises(TooLargeError):
        worths.follow(first_state(board))
    huge = Board(Conquest.of({"a": ["b"]}, {"a": 500}, {"b": 500}))
    if make is PlainWorths:
        with pytest.raises(TooLargeError):
            make(huge, throw_laws(huge))
