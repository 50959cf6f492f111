"""Compared dice in compiled code say what they say in numpy, for any rules and whatever is asked."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Battle, Faces, Pool, Ties, solve
from solver.chain import Grid, backward, forward, forward_rounds, point_law, worth_by_rounds
from solver.compiled import library
from solver.dice.compared import LossTable
from solver.dice.compiled import CompiledTable
from solver.dice.icons import IconTable
from solver.dice.pools import loss_laws
from tests.helpers.solver.any_battle import pools, ties
from tests.helpers.solver.kernels import needs_library

sizes = st.tuples(st.integers(0, 70), st.integers(0, 70))
floors, rounds = st.integers(0, 9), st.integers(0, 50)


def tables(attack: Pool, defence: Pool, ties: Ties) -> tuple[CompiledTable, LossTable]:
    laws = loss_laws(attack, defence, ties)
    return CompiledTable(laws), LossTable(laws)


def same(one: Grid | float, other: Grid | float) -> None:
    """Both are the same, but for numbers too small for a float to hold all digits of."""
    np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-290)


@needs_library
@given(pools, pools, ties, sizes, floors, rounds, st.integers(0, 2**32 - 1))
def test_grids_agree_with_numpy(
    attack: Pool, defence: Pool, ties: Ties, start: tuple[int, int], floor: int, rounds: int, seed: int
) -> None:
    compiled, plain = tables(attack, defence, ties)
    pays, stop_pays = np.random.default_rng(seed).random((2, start[0] + 1, start[1] + 1))
    for stops in (None, stop_pays):
        same(backward(compiled, pays.copy(), floor, stops), backward(plain, pays.copy(), floor, stops))
        stopped, grids = None if stops is None else stops > 0.9, [pays.copy(), pays.copy()]
        fought = [forward(*pair, floor, stopped) for pair in zip((compiled, plain), grids, strict=True)]
        same(*grids)
        assert fought[0] == pytest.approx(fought[1], rel=1e-12)
    *_, worth = worth_by_rounds(plain, pays.copy(), rounds, floor, everywhere=True)
    same(compiled.pull_rounds(pays.copy(), rounds, floor), worth)
    law, expected = point_law(start), point_law(start)
    fought = [compiled.fight_rounds(law, rounds, floor), forward_rounds(plain, expected, rounds, floor)]
    same(law, expected)
    assert fought[0] == pytest.approx(fought[1], rel=1e-12)


words = st.lists(st.sampled_from(["", "A", "D", "AA", "AD", "DD", "AAD", "ADD"]), min_size=2, max_size=6)


@needs_library
@given(words, words, st.integers(1, 8), st.integers(0, 9), st.sampled_from([0, 5, 250]))
def test_laws_of_icon_dice_agree_with_numpy(
    attack: list[str], defence: list[str], attackers: int, more: int, rows: int
) -> None:
    laws, first = [], attackers + more
    for setting in ("compiled", "numpy"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(library.SETTING, setting)
            laws.append(IconTable(Faces.of(attack), Faces.of(defence))._row_laws(attackers, first, first + rows))
    assert len(laws[0]) == len(laws[1]) == rows + 1
    for one, other in zip(*laws, strict=True):
        same(one, other)


@needs_library
@given(words, words, st.booleans(), st.integers(0, 12), st.integers(0, 12), st.integers(0, 5), st.booleans())
def test_sweeps_of_icon_dice_agree_with_numpy(
    attack: list[str], defence: list[str], equal: bool, attackers: int, defenders: int, floor: int, stopping: bool
) -> None:
    found, floor = [], min(floor, attackers)
    pays, stop_pays = np.random.default_rng(attackers).random((2, attackers + 1, defenders + 1))
    for setting in ("compiled", "numpy"):
        table, law = IconTable(Faces.of(attack), Faces.of(attack if equal else defence)), pays.copy()
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(library.SETTING, setting)
            rounds = forward(table, law, floor, stop_pays > 0.8 if stopping else None)
            found.append((rounds, law, backward(table, pays.copy(), floor, stop_pays if stopping else None)))
    for one, other in zip(*found, strict=True):
        same(one, other)


@needs_library
def test_threads_of_compiled_dice_do_not_interfere() -> None:
    battles = [Battle(900 + more, 900, ties=ties) for more in range(4) for ties in ("both", "defender")]
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(solve, battles * 4))
    for here, there in pairwise(together[number::8] for number in range(8)):
        assert all(np.array_equal(odds.chances, here[0].chances) for odds in here)
        assert not np.array_equal(here[0].chances, there[0].chances)
