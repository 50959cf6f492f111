"""Battles with a limit of rounds: lines and many rounds at once against one round after the other on a grid."""

from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Battle, Faces, Pool, Ties, solve
from solver.chain import Cell, point_law, worth_by_rounds
from solver.dice import icon_rounds, lines
from solver.dice.compiled import CompiledTable
from solver.dice.icon_rounds import fight_icon_rounds, worth_by_icon_rounds
from solver.dice.icons import IconTable
from solver.dice.lines import SurvivorLaw, solve_within_rounds
from solver.dice.pools import loss_laws
from tests.helpers.extent import examples
from tests.helpers.solver import plain_rounds
from tests.helpers.solver.any_battle import pools
from tests.helpers.solver.kernels import needs_library

one_falls = st.sampled_from(["attacker", "defender"])
words = st.lists(st.sampled_from(["", "A", "D", "AA", "AD", "DD", "AAD", "ADD"]), min_size=2, max_size=4)
dice = words.map(Faces.of)


def same(one: SurvivorLaw, other: SurvivorLaw) -> None:
    """Both are the same, but for chances too small for a float to hold all digits of."""
    laws = [
        {(a, d): chance for a, d, chance in zip(*map(np.ndarray.tolist, law[:3]), strict=True) if chance > 1e-290}
        for law in (one, other)
    ]
    assert laws[0] == pytest.approx(laws[1], rel=1e-11, abs=0)
    assert one.rounds == pytest.approx(other.rounds, rel=1e-11)


@needs_library
@given(pools, pools, one_falls, st.integers(0, 30), st.integers(0, 30), st.integers(0, 60), st.integers(0, 12))
def test_rounds_by_levels_agree_with_a_grid(
    attack: Pool, defence: Pool, ties: Ties, attackers: int, defenders: int, most: int, floor: int
) -> None:
    table, start = CompiledTable(loss_laws(attack, defence, ties)), (attackers, defenders)
    assert table.steady_loss > 0
    found = solve_within_rounds(table, start, most, floor)
    same(found, plain_rounds.on_a_grid(table, start, most, floor))
    order = list(zip(found.attackers.tolist(), found.defenders.tolist(), strict=True))
    assert order == sorted(set(order)), "every cell is told once, in order"


@needs_library
@examples(25)
@given(pools, pools, one_falls, st.integers(0, 150), st.integers(0, 150), st.integers(0, 300), st.integers(0, 60))
def test_rounds_by_levels_with_leaps_agree_with_a_grid(
    attack: Pool, defence: Pool, ties: Ties, attackers: int, defenders: int, most: int, floor: int
) -> None:
    table, start = CompiledTable(loss_laws(attack, defence, ties)), (attackers, defenders)
    with patch.object(lines, "SHORTEST_LEAP", 8):
        same(solve_within_rounds(table, start, most, floor), plain_rounds.on_a_grid(table, start, most, floor))


@needs_library
@pytest.mark.whole
@pytest.mark.parametrize(
    ("start", "most", "floor"),
    [((500, 500), 700, 0), ((600, 500), 400, 0), ((700, 60), 500, 0), ((60, 700), 500, 0), ((500, 500), 500, 200)],
)
def test_rounds_by_levels_of_hundreds_agree_with_a_grid(start: Cell, most: int, floor: int) -> None:
    table = CompiledTable(loss_laws(Pool((6, 6, 6)), Pool((6, 6)), "defender"))
    found, expected = solve_within_rounds(table, start, most, floor), plain_rounds.on_a_grid(table, start, most, floor)
    same(found, expected)
    assert found.chances.sum() == pytest.approx(1, abs=1e-12)


def test_a_limit_of_rounds_never_reached_makes_no_difference() -> None:
    free, limited = solve(Battle(400, 380)), solve(Battle(400, 380, rounds=779))
    assert limited.attacker_wins == pytest.approx(free.attacker_wins, rel=1e-11)
    assert limited.rounds == pytest.approx(free.rounds, rel=1e-11)
    assert limited.unresolved < 1e-200


@needs_library
def test_hundreds_of_rounds_of_huge_armies_are_fought_at_once() -> None:
    """All of them are three dice against two."""
    odds = solve(Battle(100_000, 100_000, rounds=300))
    assert odds.unresolved == pytest.approx(1, abs=1e-11)
    assert (odds.rounds, odds.error) == (300, 0)
    assert 100_000 - odds.attackers_left == pytest.approx(300 * (2 * 2275 + 2611) / 7776, rel=1e-9)
    assert len(odds.chances) == 601


@given(dice, st.none() | dice, st.integers(0, 7), st.integers(0, 7), st.integers(0, 9), st.integers(0, 3))
def test_icon_rounds_at_once_agree_with_round_by_round(
    ours: Faces, theirs: Faces | None, attackers: int, defenders: int, most: int, floor: int
) -> None:
    table, start = IconTable(ours, theirs or ours), (attackers, defenders)
    at_once, by_one = point_law(start), point_law(start)
    with patch.object(icon_rounds, "CELLS_AT_ONCE", 3):
        rounds = fight_icon_rounds(table, at_once, most, floor)
    assert rounds == pytest.approx(plain_rounds.fight_icons(table, by_one, most, floor), rel=1e-12)
    assert at_once == pytest.approx(by_one, rel=1e-12, abs=0)


@given(dice, st.none() | dice, st.integers(0, 7), st.integers(0, 7), st.integers(0, 9), st.integers(0, 3))
def test_the_worth_of_icon_rounds_at_once_agrees_with_round_by_round(
    ours: Faces, theirs: Faces | None, attackers: int, defenders: int, most: int, floor: int
) -> None:
    table = IconTable(ours, theirs or ours)
    pays = np.arange((attackers + 1) * (defenders + 1.0)).reshape(attackers + 1, -1)
    by_one = [worth.copy() for worth in worth_by_rounds(table, pays.copy(), most, floor, everywhere=True)]
    with patch.object(icon_rounds, "CELLS_AT_ONCE", 3):
        at_once = [worth.copy() for worth in worth_by_icon_rounds(table, pays.copy(), most, floor)]
    assert len(at_once) == len(by_one) == most + 1
    for one, other in zip(at_once, by_one, strict=True):
        assert one == pytest.approx(other, rel=1e-12, abs=0)


@pytest.mark.whole
@pytest.mark.parametrize("theirs", [("AAD", "ADD", "A", "D", "", ""), ("AD", "A", "A", "D", "D", "")], ids=str)
def test_icon_rounds_at_once_of_dozens_agree_with_round_by_round(theirs: tuple[str, ...]) -> None:
    table = IconTable(Faces.of(["AAD", "ADD", "A", "D", "", ""]), Faces.of(theirs))
    (attackers, defenders), most = (30, 28), 20
    at_once, by_one = point_law((attackers, defenders)), point_law((attackers, defenders))
    rounds = fight_icon_rounds(table, at_once, most)
    assert rounds == pytest.approx(plain_rounds.fight_icons(table, by_one, most, 0), rel=1e-11)
    assert at_once == pytest.approx(by_one, rel=1e-11, abs=1e-290)
    assert at_once.sum() == pytest.approx(1, abs=1e-12)
    won = np.zeros((attackers + 1, defenders + 1))
    won[1:, 0] = 1
    *_, worth = worth_by_icon_rounds(table, won, most)
    assert worth[attackers, defenders] == pytest.approx(by_one[1:, 0].sum(), rel=1e-11)


@pytest.mark.parametrize("held", [1, 100, 700])
def test_icon_rounds_beyond_memory_are_solved_in_turn(held: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def answers() -> tuple[Any, ...]:
        table, law = IconTable(Faces.of(["AD", "A", ""]), Faces.of(["AA", "D", ""])), point_law((6, 5))
        rounds = fight_icon_rounds(table, law, 40)
        pays = np.arange(42.0).reshape(7, 6)
        return rounds, law, np.array([worth.copy() for worth in worth_by_icon_rounds(table, pays, 40)])

    whole = answers()
    monkeypatch.setattr(icon_rounds, "MOST_NUMBERS", held)
    for one, other in zip(whole, answers(), strict=True):
        assert one == pytest.approx(other, rel=1e-12, abs=0)


def test_a_battle_without_losses_fights_every_round() -> None:
    odds = solve(Battle(4, 3, faces=(Faces.of(["D", ""]), Faces.of(["D", "D"])), rounds=1_000))
    assert [odds.unresolved, odds.rounds] == pytest.approx([1, 1_000])
