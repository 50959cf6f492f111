"""Bounds of turns that are too large: against turns that are not, and pools against brute force in fractions."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import prod
from unittest.mock import patch

import pytest
from hypothesis import given

from solver import Conquest, conquer
from solver.conquest import odds, whole_fights
from solver.conquest.board import Board
from solver.conquest.phase import first_state
from solver.conquest.routes import route_bound
from solver.conquest.whole_fights import find_bounds, pool_worth
from solver.conquest.worths import worths_of
from solver.errors import TooLargeError
from tests.helpers.extent import examples, pick
from tests.helpers.solver.conquest_brute import Asked, any_conquest, best
from tests.helpers.solver.kernels import needs_library
from tests.helpers.solver.phase_brute import throw_law

pytestmark = needs_library


@examples(pick(40, 80))
@given(any_conquest(most_targets=5, most_armies=12, starts=4))
def test_best_play_lies_between_its_bounds(asked: Asked) -> None:
    board = Board(asked.conquest())
    exact = worths_of(board).worth(first_state(board))
    with patch.object(whole_fights, "PART", 0), patch.object(whole_fights, "ROUND_NUMBERS", (1_000, 3, 1)):
        assert find_bounds(board).least <= exact * (1 + 1e-12)
        assert find_bounds(board).least >= float(best(asked)) - 1e-12, "the plans in which no front helps another"
    parts = list(whole_fights._parts(board))
    pools = [pool_worth(part) for part in parts]
    pooled = prod(pools) if asked.aim == "all" else sum(pools)
    assert pooled >= exact - 1e-12
    assert pooled == pytest.approx(float(pools_by_hand(asked)), rel=1e-9)
    with suppress(TooLargeError):  # as for icon dice
        assert asked.aim != "all" or prod(route_bound(part, 10**7) for part in parts) >= exact - 1e-12


def test_armies_go_no_way_that_no_border_leads() -> None:
    """Those behind a gate never come back, and only b takes u and v, as armies from a cannot pass it."""
    gates = {"a": ["t", "v"], "t": ["u"], "v": ["w"]}
    fork = Conquest.of(gates, {"a": 16}, dict.fromkeys("tuvw", 3))
    apart = Conquest.of({"a": ["t"], "b": ["t", "u"], "u": ["v"]}, {"a": 20, "b": 5}, {"t": 2, "u": 2, "v": 2})
    for conquest in (fork, apart):
        exact, bound = conquer(conquest).takes_all, route_bound(conquest, 10**6)
        assert exact <= bound < (exact + pool_worth(conquest)) / 2, conquest.starts
    with pytest.raises(TooLargeError):
        route_bound(fork, 1_000)


def pools_by_hand(asked: Asked) -> Fraction:
    """What the pools of all parts are worth."""
    worths = [pool_by_hand(replace(asked, starts=own, targets=targets)) for own, targets in _parts(asked)]
    total = Fraction(asked.aim == "all")
    for worth in worths:
        total = total * worth if asked.aim == "all" else total + worth
    return total


def _parts(asked: Asked) -> Iterator[tuple[dict[str, int], dict[str, int]]]:
    """The starts with armies and the targets that borders connect."""
    left = set(asked.targets)
    armed = {name for name, count in asked.starts.items() if count}
    while left:
        inside = {min(left)}
        while more := {
            other
            for name in inside
            for other in asked.neighbours[name]
            if other in (left | armed) - inside and not (name in armed and other in armed)
        }:
            inside |= more
        yield (
            {name: asked.starts[name] for name in inside & armed},
            {name: asked.targets[name] for name in inside & left},
        )
        left -= inside


def pool_by_hand(asked: Asked) -> Fraction:
    """What all armies together may reach, with as many dice as they like and no borders."""
    adds = asked.aim != "all"
    values = asked.values if asked.aim == "value" else dict.fromkeys(asked.targets, 1)

    @cache
    def worth(armies: int, garrisons: frozenset[tuple[str, int]]) -> Fraction:
        if not garrisons:
            return Fraction(not adds)
        tried = [Fraction(0)]
        for name, count in garrisons if armies else ():
            rest = garrisons - {(name, count)}
            gain = values[name] if adds else 0
            if not count:
                tried.append(gain + worth(armies - 1, rest))
            for dice in range(1, min(3, armies) + 1) if count else ():
                total = Fraction(0)
                for (lost, beaten), chance in throw_law(asked.rules, dice, count).items():
                    if count == beaten and armies > lost:
                        total += chance * (gain + worth(armies - lost - 1, rest))
                    else:
                        total += chance * worth(armies - lost, rest | {(name, count - beaten)})
                tried.append(total)
        return max(tried)

    armies = sum(asked.starts.values())
    free = sum(asked.leave[name] == 0 for name in asked.targets) if armies else 0
    return worth(armies + free, frozenset(asked.targets.items()))


def test_whole_fights_that_no_pool_exceeds_are_best_play() -> None:
    near = {"a": ["t"], "t": ["u", "v"], "u": ["v", "w"]}
    conquest = Conquest.of(near, {"a": 8}, dict.fromkeys("tuvw", 1))
    best = conquer(conquest)
    with patch.object(odds, "FIRST_WORK", 0):
        found = conquer(conquest)
    assert found.exact
    assert found.takes_all == pytest.approx(best.takes_all, rel=1e-9)
    assert [fight.to for fight in found.fights] == [fight.to for fight in best.fights]


def test_a_turn_that_is_too_large_has_narrow_bounds() -> None:
    near = {"a": ["t", "u"], "b": ["v", "w"], "t": ["u"], "v": ["w", "x"], "x": ["t"]}
    here, there = pick((18, 14), (25, 20))
    board = Board(Conquest.of(near, {"a": here, "b": there}, dict.fromkeys("tuvwx", pick(3, 5))))
    with patch.object(whole_fights, "PART", pick(10_000, whole_fights.PART)):
        bounds = find_bounds(board)
    assert bounds.worths
    assert 0.99 < bounds.least < bounds.most < bounds.least + 0.01


def test_fights_with_too_many_ends_are_left_out() -> None:
    board = Board(Conquest.of({"a": ["t"], "b": ["t"]}, {"a": 9, "b": 9}, {"t": 9}))
    with patch.object(whole_fights, "MOST_ENDS", 100):
        bounds = find_bounds(board)
    assert (bounds.worths, bounds.least) == (None, 0.0)
    with patch.object(whole_fights, "MOST_READ", 100):
        assert find_bounds(board).worths is None
