"""Turns that take territories to hold them: against brute force in fractions, and what is true of any turn."""

from contextlib import suppress
from dataclasses import replace
from itertools import permutations
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Battle, BattleError, Conquest, Faces, Ships, TooLargeError, read_question
from solver.compiled import library
from solver.conquest.board import Board
from solver.conquest.held import CompiledHeld, PlainHeld
from solver.conquest.hold_odds import armies_to_hold, hold
from solver.conquest.holding import FAR, Holding
from solver.conquest.odds import STATE_WORK, ConquestNeed
from solver.conquest.phase import first_state
from solver.conquest.stands import Stands
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver.conquest_brute import Asked, any_conquest
from tests.helpers.solver.phase_brute import best_of_turn, best_to_hold

RULES = Battle(0, 0), Battle(0, 0, ties="both"), Battle(0, 0, faces=(Faces.of(["A", "D"]), Faces.of(["AA", "D", ""])))
LAST_MOVES: tuple[bool | Literal["far"], ...] = False, True, FAR
KINDS: list[type[PlainHeld | CompiledHeld]] = [PlainHeld, *([CompiledHeld] if library.library() else [])]


@st.composite
def any_holding(draw: st.DrawFn) -> tuple[Asked, Holding]:
    """A small turn, and what is to be held."""
    asked = draw(any_conquest(most_targets=3, most_armies=8))
    asked = replace(asked, leave=dict.fromkeys(asked.targets, 1), aim="all", rules=draw(st.sampled_from(RULES)))
    names = sorted(asked.targets)
    near = {f"e{number}": draw(st.lists(st.sampled_from(names), min_size=1, unique=True)) for number in range(2)}
    counters = {name: draw(st.integers(1, 4)) for name in near if draw(st.booleans())}
    named = st.lists(st.sampled_from(names), unique=True, min_size=0 if counters else 1)
    least = {name: draw(st.integers(1, 4)) for name in draw(named)}
    asked = replace(asked, neighbours={**asked.neighbours, **near})
    if len(starts := sorted(asked.starts)) > 1 and draw(st.booleans()):
        for here, there in permutations(starts):
            asked.neighbours[here].append(there)
    return asked, Holding.of(asked.conquest(), asked.neighbours, least, counters, draw(st.sampled_from(LAST_MOVES)))


@examples(pick(40, 150))
@given(any_holding())
def test_both_ways_to_hold_agree_with_brute_force(given: tuple[Asked, Holding]) -> None:
    asked, holding = given
    counters = {counter.name: counter.armies for counter in holding.counters}
    expected = best_to_hold(asked, dict(holding.least), counters, holding.fortify)
    assert read_question(holding.to_dict()).battle == holding
    board = Board(holding.conquest)
    stands, state = Stands(holding, board), first_state(board)
    for kind in KINDS:
        worths = kind(board, stands, 20_000)
        assert worths.worth(state) == pytest.approx(float(expected), rel=1e-11, abs=1e-300)
        falls, everything, left = worths.course(state)
        assert everything <= float(best_of_turn(asked)) + 1e-12
        assert min(falls) >= everything * (1 - 1e-12)
        assert left.sum(axis=1) == pytest.approx(everything, rel=1e-11)
        if [len(group.targets) for group in stands.groups] == [1]:
            table, law = stands.groups[0].table, left[stands.groups[0].targets[0]]
            assert law @ table == pytest.approx(float(expected), rel=1e-11, abs=1e-300)


@examples(pick(15, 60))
@given(any_holding())
def test_holding_is_never_harder_with_a_last_move_or_a_counter_attack_less(given: tuple[Asked, Holding]) -> None:
    _asked, holding = given
    odds = hold(holding)
    assert odds.holds <= odds.turn.takes_all + 1e-12
    if not holding.fortify:
        assert hold(replace(holding, fortify=True)).holds >= odds.holds - 1e-12
    assert hold(replace(holding, fortify=FAR)).holds >= odds.holds - 1e-12
    if holding.least and holding.counters:
        assert hold(replace(holding, counters=holding.counters[1:])).holds >= odds.holds - 1e-12


@examples(pick(8, 40))
@given(any_holding(), st.sampled_from([0.2, 0.8]))
def test_the_armies_that_a_start_needs_to_hold_are_those_of_its_odds(given: tuple[Asked, Holding], goal: float) -> None:
    _asked, holding = given
    start = holding.conquest.starts[0][0]
    with suppress(TooLargeError):  # with icon dice all move in, so that some turns are never held
        _check_need(holding, start, armies_to_hold(holding, start, goal, 1e8))


def _check_need(holding: Holding, start: str, need: ConquestNeed) -> None:
    """Compare the chances with the odds of the turn with so many armies."""
    for armies in {0, 1, (need.answer or 2) - 1, need.answer or 2}:
        conquest = replace(holding.conquest, starts=((start, armies), *holding.conquest.starts[1:]))
        assert need.chances[armies] == pytest.approx(hold(replace(holding, conquest=conquest)).holds, abs=1e-12)
    for name, chance in need.helps.items():
        starts = dict(holding.conquest.starts) | {start: need.answer or 0}
        more = replace(holding.conquest, starts=tuple((starts | {name: starts[name] + 1}).items()))
        assert chance == pytest.approx(hold(replace(holding, conquest=more)).holds, abs=1e-12)


def test_the_enemy_attacks_where_it_hurts_most() -> None:
    near = {"a": ["b"], "b": ["c"], "x": ["b", "c"]}
    turn = Conquest.of(near, {"a": 30}, {"b": 1, "c": 1})
    both = hold(Holding.of(turn, near, counters={"x": 6}))
    alone = hold(Holding.of(turn, near | {"x": ["c"]}, counters={"x": 6}))
    assert both.holds < alone.holds
    assert both.mean_left("b") > 5 < both.mean_left("c"), "the armies are shared out"
    assert alone.mean_left("c") > 20


def test_the_last_move_of_a_typical_turn_is_named() -> None:
    near = {"a": ["b"], "c": ["b"]}
    question = {"question": "conquer", "neighbours": near, "starts": {"a": 12, "c": 6}, "targets": {"b": 2}}
    answer = read_question({**question, "hold": {"b": 12}, "fortify": True}).work()
    assert (answer["fortify"]["from"], answer["fortify"]["to"]) == ("c", "b")
    assert sum(answer["left"]["b"][11:]) == pytest.approx(answer["holds"])
    assert answer["holds"] > read_question({**question, "hold": {"b": 12}}).work()["holds"]


@each(
    [
        ({"hold": {"c": 3}}, "hold.c", "this territory isn't one of the targets"),
        ({"hold": {"b": 0}}, "hold.b", "the number of armies must be 1 to 500, not 0"),
        ({"fortify": True}, "hold", "say what must stand after the turn, or who attacks then"),
        ({"counter": {"a": 3}}, "counter.a", "a counter-attack comes from a territory of an enemy"),
        ({"counter": {"z": 3}}, "counter.z", "the map has no such territory"),
        ({"counter": {"d": 3}}, "counter.d", "this territory doesn't border any of the targets"),
        ({"hold": {"b": 2}, "aim": "most"}, "aim", "you can only hold all targets together"),
        ({"hold": {"b": 2}, "leave": 2}, "leave", "with `hold` or `counter` best play decides"),
        ({"hold": {"b": 2}, "place": 2}, "place", "ask about `hold` and `place`"),
        ({"hold": {"b": 2}, "fortify": 1}, "fortify", "this must be true or false, not 1"),
    ]
)
def test_what_cannot_be_held_is_refused(fields: dict[str, object], field: str, reason: str) -> None:
    near = {"a": ["b"], "b": ["c"], "c": ["d"]}
    document = {"question": "conquer", "neighbours": near, "starts": {"a": 9}, "targets": {"b": 3}, **fields}
    with pytest.raises(BattleError) as refused:
        read_question(document)
    assert (refused.value.field, refused.value.reason.startswith(reason)) == (field, True), str(refused.value)


def test_ships_and_turns_that_are_too_large_are_refused() -> None:
    near = {"a": ["b"], "b": ["x"]}
    ships = Conquest.of(near, {"a": 9}, {"b": 3}, rules=Battle(0, 0, attack_ships=Ships(1, 0, 0)))
    with pytest.raises(BattleError, match="don't work with ships"):
        Holding.of(ships, near, counters={"x": 3})
    wide = {start: list("tuvw") for start in "abcd"}
    board = Board(Conquest.of(wide, dict.fromkeys(wide, 10), dict.fromkeys("tuvw", 10)))
    holding = Holding.of(board.conquest, wide, {"t": 3})
    for kind in KINDS:
        with pytest.raises(TooLargeError):
            kind(board, Stands(holding, board), 2_000).worth(first_state(board))
    with pytest.raises(TooLargeError, match="too large to tell whether you can hold"):
        armies_to_hold(holding, "a", 0.8, 2_000 * STATE_WORK)
