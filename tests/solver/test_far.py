"""The chance to win of armies far from the end of their battle, against the battle fought to the end."""

from itertools import product
from typing import Any, get_args
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Battle, Pool, Ships, Ties, solve
from solver.chain import backward
from solver.dice import far, large_need, odds
from solver.dice.chain import MOST_CELLS_FOLLOWED
from solver.dice.compared import LossTable
from solver.dice.compiled import CompiledTable
from solver.dice.far import find_endgame
from solver.dice.large_need import need_for_large_army
from solver.dice.pools import loss_laws
from solver.dice.sizes import ArmySide
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver.any_battle import pools, ties
from tests.helpers.solver.kernels import needs_library

pytestmark = needs_library

RULES: list[dict[str, Any]] = [
    {},
    {"ties": "attacker"},
    {"attack_ships": Ships(bombers=1)},
    {"stop": 30},
    {"reserve": 30, "stop": 35},
    {"attack": Pool((12, 10, 8)), "defence": Pool((12, 10))},
    {"attack": Pool((6,) * 4), "defence": Pool((6,) * 3)},
    {"attack": Pool((6,)), "defence": Pool((6,))},
    {"attack": Pool((6, 6)), "defence": Pool((6, 6, 6))},
]


def table_of(attack: Pool, defence: Pool, ties: Ties) -> CompiledTable:
    return CompiledTable(loss_laws(attack, defence, ties))


@examples(60)
@given(
    pools,
    pools,
    st.sampled_from(["attacker", "defender"]),
    st.integers(0, 90),
    st.integers(0, 90),
    st.integers(0, 9),
    st.sampled_from([1e-1, 1e-3, 1e-9]),
    st.sampled_from([0.0, 1e-12, 1e-5]),
)
def test_the_chance_of_an_endgame_is_within_its_error(
    attack: Pool, defence: Pool, ties: Ties, attackers: int, defenders: int, floor: int, hope: float, drop: float
) -> None:
    table = table_of(attack, defence, ties)
    with patch.multiple(far, SMALLEST=8, LARGEST=32, HOPELESS=hope, DEVIATIONS=1):
        endgame = find_endgame(table, floor)
        found = endgame and endgame.win_chance(attackers, defenders, drop)
    if found:
        chance, error = found
        pays = Battle(attackers, defenders).chain().win_pays()
        assert chance == pytest.approx(
            backward(table, pays, floor).item(attackers, defenders), rel=0, abs=error + 1e-14
        )


SIZES = pick(
    [(500, 400), (400, 500), (200, 400), (400, 200), (70, 300), (300, 70)],
    [(1200, 1100), (1000, 1200), (300, 1000), (1000, 300), (70, 1000), (1000, 70)],
)
LARGE = [(rules, size) for number, rules in enumerate(RULES) for size in SIZES[number % pick(6, 1) :: pick(6, 1)]]
"""In the usual run each of the rules with one size, and each size with some of the rules."""


@each(LARGE)
def test_endgames_of_hundreds_agree_with_the_whole_battle(rules: dict[str, Any], size: tuple[int, int]) -> None:
    with patch.object(large_need, "MOST_CELLS_FOLLOWED", 0):
        win_chance, _limit = large_need._win_chance_by_count(Battle(*size, **rules), "defenders", 20_000)
    chance, error = win_chance(size[1])
    assert chance == pytest.approx(solve(Battle(*size, **rules)).attacker_wins, rel=0, abs=min(error + 1e-13, 1e-11))


@each(get_args(Ties))
def test_only_rounds_of_constant_cost_have_an_endgame(ties: Ties) -> None:
    assert bool(find_endgame(table_of(Pool((6, 6, 6)), Pool((6, 6)), ties), 0)) == (ties in ("attacker", "defender"))


def test_dice_that_beat_a_thousand_with_a_handful_have_no_endgame() -> None:
    assert find_endgame(table_of(Pool((2,)), Pool((100, 100)), "defender"), 0) is None


def test_the_hope_of_an_endgame_is_the_best_chance_with_fewer_dice() -> None:
    """Here only a last attacker is, who rolls one die instead of two; the lowest level in question is his best."""
    endgame = find_endgame(table_of(Pool((6, 6)), Pool((6,)), "defender"), 0)
    assert endgame
    alone = Battle(1, endgame.level - 2, Pool((6, 6)), Pool((6,)))
    assert endgame.hope == pytest.approx(solve(alone).attacker_wins, rel=1e-9, abs=0)


@each([1, 2, 40])
def test_endgames_leave_battles_near_their_end_to_the_grid(attackers: int) -> None:
    endgame = find_endgame(table_of(Pool((6, 6, 6)), Pool((6, 6)), "defender"), 0)
    assert endgame
    assert endgame.win_chance(attackers, 1, 0.0) is None
    assert endgame.win_chance(attackers, 20, 0.0) is None
    assert endgame.win_chance(2, attackers + 500, 0.0) is None


@pytest.mark.parametrize(("rules", "side"), list(product(RULES, get_args(ArmySide)))[:: pick(3, 1)], ids=str)
def test_need_by_endgames_agrees_with_whole_battles(
    side: ArmySide, rules: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    size = pick(60, 120)
    battle = Battle(size, size, **rules)
    with monkeypatch.context() as plain:
        plain.setattr(large_need, "MOST_CELLS_OF_EDGE", 0)
        whole = need_for_large_army(battle, side, 0.8, also_count=size)
    swept = need_for_large_army(battle, side, 0.8, also_count=size)
    assert swept.answer == whole.answer
    assert swept.error == 0
    shared = set(swept.counts) & set(whole.counts)
    assert len(shared) > 5
    for count in shared:
        ours, theirs = (found.chances[found.counts.index(count)] for found in (swept, whole))
        assert ours == pytest.approx(theirs, rel=1e-11, abs=1e-13)
    monkeypatch.setattr(large_need, "MOST_CELLS_FOLLOWED", 0)
    found = need_for_large_army(battle, side, 0.8, also_count=size)
    assert (whole.error, found.answer) == (0, whole.answer)
    assert [found.least(mark) for mark in (0.5, 0.8, 0.95)] == [whole.least(mark) for mark in (0.5, 0.8, 0.95)]
    assert 0 < found.error < 1e-10
    known = dict(zip(whole.counts, whole.chances, strict=True))
    for count, chance in zip(found.counts, found.chances, strict=True):
        assert count not in known or chance == pytest.approx(known[count], abs=found.error)


@given(pools, pools, ties, st.integers(0, 30), st.integers(0, 30), st.integers(0, 6), st.booleans(), st.booleans())
def test_the_edge_of_a_table_agrees_with_the_whole_table(
    attack: Pool, defence: Pool, ties: Ties, attackers: int, defenders: int, floor: int, held: bool, guarded: bool
) -> None:
    laws, pays = loss_laws(attack, defence, ties), Battle(attackers, defenders).chain().win_pays()
    pays[0, 0] = guarded
    whole = backward(LossTable(laws), pays, floor)
    edge = CompiledTable(laws).edge_chances(int(held), (attackers, defenders), floor, guarded)
    assert edge == pytest.approx(whole[attackers] if held else whole[:, defenders], rel=1e-12, abs=0)
    part = CompiledTable(laws).edge_chances(int(held), (attackers, defenders), floor, guarded, least=4, enough=0.8)
    enough = [count for count, chance in enumerate(1 - edge if held else edge) if count >= 4 and chance >= 0.8]
    assert part.tolist() == edge[: enough[0] + 1 if enough else None].tolist()


UNEVEN: list[dict[str, Any]] = [
    {"ties": "both"},
    {"ties": "neither"},
    {"ties": "both", "reserve": 1},
    {"ties": "both", "stop": 9},
]


@pytest.mark.parametrize(("rules", "side"), list(product(UNEVEN, get_args(ArmySide)))[:: pick(3, 1)], ids=str)
def test_need_with_rounds_of_varying_cost_is_swept_from_the_end(
    side: ArmySide, rules: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    battle = Battle(*pick((35, 35), (150, 150)), **rules)
    for followed in (MOST_CELLS_FOLLOWED, 0):
        monkeypatch.setattr(large_need, "MOST_CELLS_FOLLOWED", followed)
        monkeypatch.setattr(odds, "MOST_CELLS_FOLLOWED", followed)
        swept = need_for_large_army(battle, side, 0.8)
        with monkeypatch.context() as plain:
            plain.setattr(large_need, "MOST_CELLS_OF_EDGE", 0)
            whole = need_for_large_army(battle, side, 0.8)
        assert swept.answer == whole.answer
        assert swept.error == pytest.approx(whole.error, rel=0.1)
        known = dict(zip(whole.counts, whole.chances, strict=True))
        for count, chance in zip(swept.counts, swept.chances, strict=True):
            assert count not in known or chance == pytest.approx(known[count], abs=1e-12)


def test_need_of_a_battle_without_losses_has_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_need, "MOST_CELLS_FOLLOWED", 0)
    stuck = Pool((6, 6), clamp=(3, 3))
    found = need_for_large_army(Battle(1, 30, stuck, stuck, ties="neither"), "attackers", 0.5)
    assert found.answer is None
    assert set(found.chances) == {0}
