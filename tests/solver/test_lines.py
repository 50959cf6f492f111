"""Walks on lines: against the engine on grids, with leaps and without, and armies too large for anything else."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Battle, BattleError, Pool, Ties, solve
from solver.chain import Cell, Chances, forward, point_law, stuck_chance
from solver.dice import lines, odds
from solver.dice.battle import ATTACK, DEFENCE
from solver.dice.chain import MOST_CELLS_FOLLOWED
from solver.dice.compared import LossTable
from solver.dice.compiled import CompiledTable
from solver.dice.lines import SurvivorLaw, solve_by_levels
from solver.dice.pools import loss_laws
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver.any_battle import pools, survivors, ties
from tests.helpers.solver.kernels import needs_library

pytestmark = needs_library
floors = st.integers(0, 6)


def on_a_grid(attack: Pool, defence: Pool, ties: Ties, start: Cell, floor: int) -> SurvivorLaw:
    """The same ends from the engine that keeps every cell."""
    table, law = LossTable(loss_laws(attack, defence, ties)), point_law(start)
    rounds = forward(table, law, floor)
    never = stuck_chance(table, law, floor)
    final = law > 0
    final[floor + 1 :, 1:] = False
    attackers, defenders = np.nonzero(final)
    return SurvivorLaw(attackers, defenders, law[final], rounds, never)


def same(one: SurvivorLaw, other: SurvivorLaw) -> None:
    assert one.attackers.tolist() == other.attackers.tolist()
    assert one.defenders.tolist() == other.defenders.tolist()
    assert one.chances == pytest.approx(other.chances, rel=1e-11, abs=0)
    assert one.never == pytest.approx(other.never, abs=1e-12)
    assert one.rounds == pytest.approx(other.rounds, rel=1e-11)


@given(pools, pools, ties, st.integers(0, 40), st.integers(0, 40), floors)
def test_solving_by_levels_agrees_with_a_grid(
    attack: Pool, defence: Pool, ties: Ties, attackers: int, defenders: int, floor: int
) -> None:
    table = CompiledTable(loss_laws(attack, defence, ties))
    same(
        solve_by_levels(table, (attackers, defenders), floor),
        on_a_grid(attack, defence, ties, (attackers, defenders), floor),
    )


@examples(25)
@given(pools, pools, ties, st.integers(0, 300), st.integers(0, 300), st.integers(0, 60))
def test_solving_by_levels_with_leaps_agrees_with_a_grid(
    attack: Pool, defence: Pool, ties: Ties, attackers: int, defenders: int, floor: int
) -> None:
    walked = solve_by_levels(CompiledTable(loss_laws(attack, defence, ties)), (attackers, defenders), floor)
    expected = on_a_grid(attack, defence, ties, (attackers, defenders), floor)
    same(_likely(walked), _likely(expected))


def _likely(all_ends: SurvivorLaw) -> SurvivorLaw:
    """Without what is too unlikely for a float to hold all digits of."""
    kept = all_ends.chances > 1e-290
    return all_ends._replace(
        attackers=all_ends.attackers[kept], defenders=all_ends.defenders[kept], chances=all_ends.chances[kept]
    )


RULES = [
    Battle(200, 180),
    Battle(180, 200, stop=17),
    Battle(150, 220, reserve=9),
    Battle(200, 190, Pool((6,) * 4), Pool((6,) * 3)),
    Battle(120, 130, Pool((6,)), Pool((6,))),
    Battle(200, 150, ties="both"),
    Battle(200, 150, ties="neither"),
    Battle(150, 150, Pool((8, 6, 6), 2, (1, -1)), Pool((8, 6), 1, (2,), (2, 7)), ties="attacker"),
]


@each(RULES)
def test_leaps_make_no_difference(battle: Battle) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "SHORTEST_LEAP", 8)
        leaping = solve(battle)
        patch.setattr(lines, "SHORTEST_LEAP", 10**9)
        walking = solve(battle)
    assert survivors(leaping) == pytest.approx(survivors(walking), rel=1e-11)
    assert leaping.rounds == pytest.approx(walking.rounds, rel=1e-11)
    assert leaping.error == walking.error == 0


@each([(battle, drop) for drop in pick([1e-6], [1e-9, 1e-6, 1e-4]) for battle in RULES])
def test_the_dropped_chance_is_all_that_is_missing(battle: Battle, drop: float) -> None:
    chain = battle.chain()
    table = CompiledTable(loss_laws(chain.attack, chain.defence, chain.ties))
    start = chain.acting, chain.defenders
    whole, part = solve_by_levels(table, start, chain.floor), solve_by_levels(table, start, chain.floor, drop)
    assert whole.dropped == 0 < part.dropped < 1
    assert part.chances.sum() + part.never + part.dropped == pytest.approx(1, abs=1e-12)
    known = dict(zip(zip(part.attackers.tolist(), part.defenders.tolist(), strict=True), part.chances, strict=True))
    missing = 0.0
    for a, d, chance in zip(whole.attackers.tolist(), whole.defenders.tolist(), whole.chances.tolist(), strict=True):
        assert known.get((a, d), 0.0) <= chance * (1 + 1e-11), "nothing is made more likely"
        missing += chance - known.get((a, d), 0.0)
    assert missing <= part.dropped + 1e-12
    assert 0 <= whole.rounds - part.rounds <= part.dropped * sum(start) + 1e-9


def test_only_battles_above_the_limit_of_cells_have_an_error() -> None:
    assert solve(Battle(1000, 1000)).error == 0
    side = int(MOST_CELLS_FOLLOWED**0.5)
    assert solve(Battle(side - 1, side - 1)).error == 0, "these are just as many cells as are followed"
    assert 0 < solve(Battle(side, side)).error < 1e-10


def test_the_odds_of_large_battles_are_within_their_error(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = solve(Battle(600, 640))
    monkeypatch.setattr(odds, "MOST_CELLS_FOLLOWED", 1000)
    for dropped in (1e-27, 1e-12, 1e-7):
        monkeypatch.setattr(odds, "DROPPED", dropped)
        rough = solve(Battle(600, 640))
        assert 0 < rough.error < 1e5 * dropped + 1e-11
        assert abs(rough.attacker_wins - exact.attacker_wins) <= rough.error
        assert abs(rough.defender_wins - exact.defender_wins) <= rough.error
        every = survivors(exact)
        assert max(abs(every[end] - chance) for end, chance in survivors(rough).items()) <= rough.error


def test_thousands_against_thousands_agree_with_plain_iteration() -> None:
    for attackers, defenders in pick([(4_000, 4_700)], [(10_000, 10_000), (10_000, 11_700)]):
        found = solve(Battle(attackers, defenders))
        assert 0 < found.error < 1e-10
        won = _iterated(attackers, defenders)
        assert found.attacker_wins == pytest.approx(float(won.sum()), abs=found.error)
        told = np.zeros(attackers + 1)
        rows = found.defenders_end == 0
        told[found.attackers_end[rows]] = found.chances[rows]
        assert np.abs(told - won).max() <= found.error


def _iterated(attackers: int, defenders: int) -> Chances:
    """The chance to win with 0, 1, ... attackers left: all cells of a level at once, levels one after the other."""
    laws = [
        [{lost: float(share) for lost, share in law.items()} for law in row]
        for row in loss_laws(ATTACK, DEFENCE, "defender")
    ]
    level = attackers + defenders
    levels = {level - down: np.zeros(attackers + 1) for down in range(3)}
    levels[level][attackers] = 1.0
    won = np.zeros(attackers + 1)
    while level > 0:
        line = levels.pop(level)
        levels[level - 3] = np.zeros(attackers + 1)
        if level <= attackers:
            won[level] = line[level]
        low, high = 3, min(attackers, level - 2)
        for (i, j), share in laws[2][1].items():
            if low <= high:
                levels[level - i - j][low - i : high + 1 - i] += line[low : high + 1] * share
        for a in {1, 2, level - 1}:
            if 1 <= a <= attackers and a < level and not low <= a <= high:
                for (i, j), share in laws[min(a, 3) - 1][min(level - a, 2) - 1].items():
                    levels[level - i - j][a - i] += line[a] * share
        level -= 1
    return won


@each(pick([(20_000, 23_400)], [(50_000, 50_000), (100_000, 117_000), (1_000_000, 1_000_000)]))
def test_losses_of_huge_armies_are_rounds_times_their_cost(attackers: int, defenders: int) -> None:
    """All rounds but a handful at the very end are three dice against two: losses are the rounds' number times that."""
    found = solve(Battle(attackers, defenders))
    assert found.rounds is not None
    assert 0 < found.error < 1e-8
    cost = Fraction(2275 * 2 + 2611, 7776), Fraction(2890 * 2 + 2611, 7776)
    assert attackers - found.attackers_left == pytest.approx(found.rounds * float(cost[0]), abs=4)
    assert defenders - found.defenders_left == pytest.approx(found.rounds * float(cost[1]), abs=4)
    assert found.chances.sum() == pytest.approx(1, abs=found.error)


@pytest.mark.whole
def test_the_win_chance_of_huge_armies_follows_the_bell_curve() -> None:
    """Attackers lose less than defenders by 1230 in 7776 a round; where that makes them even, chance decides.

    What decides is the losses of both weighed so that on average they are even; it swings by the square root.
    """
    attackers, mean = 100_000, (7161 / 7776, 8391 / 7776)
    deviation = (sum(share * lost**2 for share, lost in ((2275, 2), (2611, 1))) / 7776 - mean[0] ** 2) ** 0.5
    for sigmas, wins in ((0, 0.5), (1, 0.8413), (-1, 0.1587), (2, 0.9772)):
        # When all defenders are gone after about `rounds`, the attackers lost are off by two deviations in mean[1].
        rounds = attackers / mean[0]
        spare = sigmas * rounds**0.5 * deviation * 2 / mean[1]
        defenders = round((attackers - spare) * mean[1] / mean[0])
        assert solve(Battle(attackers, defenders)).attacker_wins == pytest.approx(wins, abs=0.004)


@pytest.mark.whole
def test_a_huge_attack_is_called_off_at_its_stop() -> None:
    found = solve(Battle(200_000, 1_000_000, stop=100_000))
    assert found.called_off == pytest.approx(1, abs=1e-9)
    assert set(found.attackers_end.tolist()) == {99_999, 100_000}


def test_1_army_lasts_equally_long_against_10_and_a_million() -> None:
    few, many = solve(Battle(1, 10)), solve(Battle(1, 1_000_000))
    assert many.rounds == pytest.approx(few.rounds, rel=1e-3)
    assert many.attacker_wins == 0
    assert not many.true_zeros
    assert solve(Battle(1_000_000, 1)).attackers_left == pytest.approx(1_000_000 - 0.5, abs=0.1)


def test_huge_armies_with_hardly_any_losses_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MOST_STEPS", 10_000)
    with pytest.raises(BattleError, match="a battle of such armies takes too many rounds"):
        solve(Battle(1_000_000, 3, Pool((2,)), Pool((100, 100))))
