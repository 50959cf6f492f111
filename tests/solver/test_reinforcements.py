"""Where new armies help most before a turn: against the odds of each way to share them, one by one."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import BattleError, Conquest, TooLargeError, conquer
from solver.conquest.reinforcements import reinforce
from tests.helpers.extent import examples
from tests.helpers.solver.conquest_brute import Asked, any_conquest


def worth(conquest: Conquest, armies: dict[str, int]) -> float:
    """What best play reaches with new armies."""
    starts = tuple((name, own + armies.get(name, 0)) for name, own in conquest.starts)
    return conquer(replace(conquest, starts=starts)).worth


@given(any_conquest(), st.integers(1, 3))
@examples(30)
def test_new_armies_go_where_they_help_most(asked: Asked, armies: int) -> None:
    conquest = asked.conquest()
    found = reinforce(conquest, armies)
    assert found.without == pytest.approx(worth(conquest, {}), rel=1e-12)
    assert [way.worth for way in found.best] == pytest.approx([worth(conquest, way.armies) for way in found.best])
    assert {sum(way.armies.values()) for way in found.best} == {armies}
    assert conquer(found.reinforced).worth == pytest.approx(found.best[0].worth, rel=1e-12)
    at_one = [worth(conquest, {name: armies}) for name, _own in conquest.starts]
    assert found.best[0].worth >= max(at_one) * (1 - 1e-12)
    assert found.worst <= found.best[-1].worth


def test_new_armies_have_limits() -> None:
    conquest = Conquest.of({"a": ["b"]}, {"a": 499}, {"b": 3})
    with pytest.raises(BattleError, match="armies to place"):
        reinforce(conquest, 2)
    starts = dict.fromkeys("abcd", 1)
    with pytest.raises(TooLargeError):
        reinforce(Conquest.of({"e": starts}, starts, {"e": 3}), 400)
