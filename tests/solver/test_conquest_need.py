"""How many armies a start needs: against the odds with each number, one by one."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Battle, BattleError, Conquest, Faces, conquer
from solver.conquest.odds import armies_needed
from tests.helpers.extent import examples, pick
from tests.helpers.solver.conquest_brute import Asked, any_conquest


def takes_all(conquest: Conquest, start: str, armies: int) -> float:
    """The chance to take all with so many armies at a start."""
    starts = tuple((name, armies if name == start else count) for name, count in conquest.starts)
    return conquer(replace(conquest, starts=starts, aim="all")).takes_all


@given(any_conquest(), st.data(), st.floats(0.01, 0.99))
@examples(60)
def test_every_number_of_armies_has_the_chance_of_its_conquest(asked: Asked, data: st.DataObject, goal: float) -> None:
    conquest = asked.conquest()
    start = data.draw(st.sampled_from([name for name, _armies in conquest.starts]))
    found = armies_needed(conquest, start, goal)
    for armies in range(min(8, len(found.chances))):
        assert found.chances[armies] == pytest.approx(takes_all(conquest, start, armies), rel=1e-12, abs=1e-300)
    reached = [armies for armies, chance in enumerate(found.chances) if chance >= goal]
    assert found.answer == (reached[0] if reached else None)


def test_need_counts_every_front_and_says_where_one_more_helps_most() -> None:
    conquest = Conquest.of({"siam": ["india"], "china": ["india", "mongolia"]}, {"siam": 0, "china": 8}, {"india": 9})
    found = armies_needed(conquest, "siam", 0.8)
    assert (found.answer, found.exact) == (6, True)
    assert found.chances[12] == pytest.approx(0.979641, abs=1e-6)
    further = Conquest.of(
        {"siam": ["india"], "china": ["mongolia"]}, {"siam": 0, "china": 5}, {"india": 3, "mongolia": 4}
    )
    helped = armies_needed(further, "siam", 0.5).helps
    assert helped["china"] > helped["siam"] + 0.05


def test_a_need_that_is_too_much_work_for_best_play_is_one_of_plans() -> None:
    conquest = Conquest.of({"a": ["b", "c"], "b": ["c"]}, {"a": 1}, {"b": 3, "c": 2})
    right, rough = armies_needed(conquest, "a", 0.9), armies_needed(conquest, "a", 0.9, 40_000)
    assert (right.exact, rough.exact) == (True, False)
    assert all(low <= high + 1e-12 for low, high in zip(rough.chances, right.chances, strict=False))
    assert rough.answer is not None


def test_dice_that_can_do_only_few_armies_need_few_armies_exactly() -> None:
    dice = Battle(0, 0, faces=(Faces.of(["A", ""]), Faces.of(["A", "D"])))
    found = armies_needed(Conquest.of({"a": ["b"]}, {"a": 1}, {"b": 8}, rules=dice), "a", 0.9)
    assert (found.exact, found.answer is not None) == (True, True)


def test_a_goal_beyond_the_first_numbers_of_armies_is_reached() -> None:
    conquest = Conquest.of({"a": ["b"], "b": ["c"]}, {"a": 1}, {"b": 40, "c": 5})
    found = armies_needed(conquest, "a", 0.9)
    assert found.answer is not None
    assert takes_all(conquest, "a", found.answer - 1) < 0.9 <= takes_all(conquest, "a", found.answer)


def test_a_goal_that_no_number_reaches_has_no_answer() -> None:
    conquest = Conquest.of({"a": ["b"], "c": ["d"]}, {"a": 1, "c": 1}, {"b": 1, "d": 9})
    found = armies_needed(conquest, "a", 0.5)
    assert (found.answer, found.limited) == (None, False)


def test_a_limit_of_work_ends_the_search_for_armies() -> None:
    conquest = Conquest.of({"a": ["b"]}, {"a": 1}, {"b": pick(100, 300)})
    assert armies_needed(conquest, "a", 0.5, pick(10_000, 30_000)).limited


def test_need_of_a_conquest_is_about_a_start() -> None:
    with pytest.raises(BattleError, match="no such territory"):
        armies_needed(Conquest.of({"a": ["b"]}, {"a": 1}, {"b": 3}), "b", 0.5)
