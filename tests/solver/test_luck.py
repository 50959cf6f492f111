"""Luck: by listing every way a small battle can go, by rolling thousands of sessions, and by textbooks' tables."""

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import prod, sqrt

import numpy as np
import pytest

from solver import Battle, Odds, Pool, solve
from solver.axis.battle import AxisBattle
from solver.axis.solve import solve_axis
from solver.dice.fight import DiceFight
from solver.dice.sizes import win_chances
from solver.game import Source
from solver.luck import (
    BattleLuck,
    chi_square_tail,
    evenness_p_value,
    fair_band,
    rarity,
    stand_among,
    total_luck,
    wins_law,
)
from solver.path.fight import PathFight
from solver.path.odds import march
from solver.path.path import Path
from tests.helpers.cases import each
from tests.helpers.extent import pick
from tests.helpers.solver.axis_battles import RULES, document
from tests.helpers.solver.brute import round_law
from tests.helpers.solver.fights import begin

THREE, TWO = Pool((6, 6, 6)), Pool((6, 6))

Leaves = Callable[[float, float], bool]
"""Whether a player who began with the first of these chances leaves a battle that has come to the second."""


def stays(start: float, now: float) -> bool:
    return False


LEAVERS: dict[str, Leaves] = {
    "stays to the end": stays,
    "leaves when it goes badly": lambda start, now: now < 0.5,
    "leaves once a fifth is lost": lambda start, now: now < start - 0.2,
    "leaves while ahead": lambda start, now: now > 0.6,
    "leaves after the first round": lambda start, now: True,
}


@cache
def chance(attackers: int, defenders: int) -> Fraction:
    """The chance to win, by listing all ways it can go."""
    if not attackers or not defenders:
        return Fraction(attackers > 0)
    law = round_law(THREE, TWO, attackers, defenders, "defender").items()
    return sum((of * chance(attackers - lost, defenders - killed) for (lost, killed), of in law), Fraction(0))


def goes(
    attackers: int, defenders: int, leaves: Leaves, start: float, of: Fraction = Fraction(1)
) -> Iterator[tuple[Fraction, Fraction]]:
    """Every way the battle can go: its chance, and the chance to win where it was over or was left."""
    if not attackers or not defenders:
        yield of, chance(attackers, defenders)
        return
    for (lost, killed), share in round_law(THREE, TWO, attackers, defenders, "defender").items():
        left = attackers - lost, defenders - killed
        if all(left) and leaves(start, float(chance(*left))):
            yield of * share, chance(*left)
        else:
            yield from goes(*left, leaves, start, of * share)


@each([(cell, leaver) for leaver in LEAVERS for cell in [(1, 1), (3, 2), (4, 3), (2, 4)]])
def test_luck_has_mean_0_and_its_claimed_variance_for_any_play(cell: tuple[int, int], leaver: str) -> None:
    start = chance(*cell)
    ways = list(goes(*cell, LEAVERS[leaver], float(start)))
    assert sum(of for of, _ in ways) == 1
    assert sum(of * (now - start) for of, now in ways) == 0
    variance = sum(of * (now - start) ** 2 for of, now in ways)
    assert variance == sum(of * (start * (1 - start) - now * (1 - now)) for of, now in ways)
    fortunes = [(float(of), BattleLuck(float(start), float(now))) for of, now in ways]
    assert sum(of * fortune.luck for of, fortune in fortunes) == pytest.approx(0, abs=1e-12)
    told = sum(of * fortune.variance for of, fortune in fortunes)
    if leaver == "stays to the end":
        assert told == pytest.approx(float(variance), abs=1e-12)
    assert told >= float(variance) - 1e-12, "never too little, which would make wonders of common luck"


def test_luck_adds_up_over_rolls_and_to_0_over_both_sides() -> None:
    """Won from 0.3 by way of 0.5, 0.2 and 0.9."""
    stages = [0.3, 0.5, 0.2, 0.9, 1.0]
    won = BattleLuck(stages[0], stages[-1])
    assert won.luck == pytest.approx(sum(BattleLuck(*roll).luck for roll in pairwise(stages)))
    assert won.luck == pytest.approx(0.7)
    assert BattleLuck(0.3, 1.0, defends=True).luck == -won.luck
    assert BattleLuck(0.3, 1.0, defends=True).variance == won.variance == pytest.approx(0.21)


def test_a_left_battle_counts_only_luck_of_its_dice() -> None:
    assert BattleLuck(0.8, 0.8).variance == BattleLuck(0.8, 0.8).luck == 0, "nothing was rolled"
    assert BattleLuck(0.5, 0.7).luck == pytest.approx(0.2)
    assert BattleLuck(0.5, 0.7).variance == pytest.approx(0.25 - 0.21)
    assert BattleLuck(0.9, 0.5).variance == pytest.approx(0.16), "0.09 - 0.25 would be less than nothing"


def test_luck_has_a_z_from_five_battles_on() -> None:
    won = BattleLuck(0.5, 1.0)
    assert total_luck([won] * 4).z is None
    five = total_luck([won] * 5)
    assert (five.n, five.luck) == (5, 2.5)
    assert five.spread == pytest.approx(sqrt(1.25))
    assert five.z == pytest.approx(2.5 / sqrt(1.25))
    assert total_luck([BattleLuck(1.0, 1.0)] * 9).z is None, "nothing was left to luck"
    assert total_luck([]).luck == 0


def sessions(count: int, leaves: Leaves, quits: float) -> list[float]:
    """The z of so many sessions of 5 to 8 battles, with dice that fall; before each round one is given up by chance."""
    grid = win_chances(Battle(9, 7), 9, 7)
    starts = [(a, d) for a in range(1, 10) for d in range(1, 8) if 0.15 < grid[a, d] < 0.9]
    generator = random.Random(20)
    source = dice(generator)
    found = []
    for _ in range(count):
        fortunes = []
        for _ in range(generator.randint(5, 8)):
            cell = generator.choice(starts)
            fight = begin(Battle(*cell))
            assert isinstance(fight, DiceFight)
            while fight.ended is None and generator.random() >= quits:
                _, fight = fight.throw(source)
                if fight.ended is None and leaves(grid.item(cell), grid.item(fight.attackers, fight.defenders)):
                    break
            now = grid.item(fight.attackers, fight.defenders)
            fortunes.append(BattleLuck(grid.item(cell), now, defends=generator.random() < 0.5))
        z = total_luck(fortunes).z
        found.extend([] if z is None else [z])
    return found


def dice(generator: random.Random) -> Source:
    return lambda sides: int(generator.random() * sides) + 1


SESSIONS = pick(250, 1_500)


@pytest.mark.whole
def test_the_z_of_luck_has_mean_0_and_spread_1() -> None:
    """Within four standard errors."""
    z = np.array(sessions(SESSIONS, stays, quits=0))
    assert len(z) == SESSIONS
    assert abs(z.mean()) < 4 / sqrt(SESSIONS)
    assert abs(sqrt((z**2).mean()) - 1) < 4 / sqrt(2 * SESSIONS)
    for far in (1.0, 2.0, 3.0):
        share = rarity(far)
        assert abs((abs(z) > far).mean() - share) < 4 * sqrt(share / SESSIONS) + 0.01, far


@each(["stays to the end", "leaves when it goes badly", "leaves once a fifth is lost"])
def test_leaving_battles_makes_far_luck_no_more_common(leaver: str) -> None:
    """Battles given up by chance, and by plan: the mean stays 0, and far luck is no more common than it is told."""
    z = np.array(sessions(SESSIONS, LEAVERS[leaver], quits=0.1))
    assert len(z) > 0.99 * SESSIONS
    assert abs(z.mean()) < 4 / sqrt(SESSIONS)
    assert 0.7 < sqrt((z**2).mean()) < 1 + 4 / sqrt(2 * SESSIONS)
    for far in (2.0, 3.0):
        share = rarity(far)
        assert (abs(z) > far).mean() < share + 4 * sqrt(share / SESSIONS), far


def test_rarity_agrees_with_normal_tables() -> None:
    assert rarity(0) == 1
    assert rarity(1) == rarity(-1) == pytest.approx(0.317311, abs=1e-6)
    assert rarity(1.959964) == pytest.approx(0.05, abs=1e-7)
    assert rarity(-5) == pytest.approx(5.733e-7, rel=1e-4)


@each([Battle(1, 1), Battle(12, 9), Battle(9, 9, stop=3), Battle(5, 5, ties="both")])
def test_percentiles_average_to_a_half(battle: Battle) -> None:
    """So they have in every law where ends that are as good share a place; and the better end has the higher one."""
    odds = solve(battle)
    stood = ends(odds)
    assert sum(chance * stands for _, chance, stands in stood) == pytest.approx(0.5)
    ranked = sorted(stood)
    assert all(one[2] <= other[2] for one, other in pairwise(ranked))
    assert ranked[0][2] > 0
    assert ranked[-1][2] < 1


def ends(odds: Odds) -> list[tuple[int, float, float]]:
    """Of each end, who is ahead by how many, its chance, and where it stands."""
    rows = zip(odds.attackers_end.tolist(), odds.defenders_end.tolist(), odds.chances.tolist(), strict=True)
    return [(a - d, chance, odds.percentile(a, d)) for a, d, chance in rows]


def test_percentiles_of_1_against_1_are_the_middles_of_its_ends() -> None:
    odds = solve(Battle(1, 1))
    assert odds.percentile(0, 1) == pytest.approx(21 / 36 / 2)
    assert odds.percentile(1, 0) == pytest.approx(21 / 36 + 15 / 36 / 2)
    assert odds.percentile(1, 1) == pytest.approx(21 / 36), "left before it was over: between both"


@pytest.mark.whole
def test_percentiles_of_rolled_battles_are_uniform() -> None:
    odds, source = solve(Battle(60, 50)), dice(random.Random(3))
    counts = [0] * 10
    for _ in range(600):
        fight = begin(Battle(60, 50))
        assert isinstance(fight, DiceFight)
        while fight.ended is None:
            _, fight = fight.throw(source)
        counts[int(10 * odds.percentile(fight.attackers, fight.defenders))] += 1
    assert evenness_p_value(counts) > 1e-3, counts


def test_a_battle_without_an_end_has_no_percentile() -> None:
    pool = Pool((2, 2), clamp=(2, 2))
    stuck = Battle(2, 2, pool, pool, ties="neither")
    with pytest.raises(ValueError, match="never ends"):
        solve(stuck).percentile(2, 2)
    with pytest.raises(ValueError, match="never ends"):
        march(Path.of([stuck], [])).percentile(0, 2, 2)


def test_percentiles_of_a_path_rank_territories_above_armies() -> None:
    path = Path.of([Battle(9, 4), Battle(9, 2), Battle(9, 5)], [1, 1])
    odds = march(path)
    columns = (odds.taken, odds.attackers_end, odds.defenders_end, odds.chances)
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    ordered = sorted((taken, a - d, chance, odds.percentile(taken, a, d)) for taken, a, d, chance in rows)
    for taken, ahead, _, stands in ordered:
        worse = sum(chance for *place, chance, _ in ordered if tuple(place) < (taken, ahead))
        same = sum(chance for *place, chance, _ in ordered if tuple(place) == (taken, ahead))
        assert stands == pytest.approx(worse + same / 2)
    fight, source = begin(path), dice(random.Random(1))
    while fight.ended is None:
        _, fight = fight.throw(source)
    assert isinstance(fight, PathFight)
    end = fight.leg + (fight.ended == "won"), fight.fight.attackers, fight.fight.defenders
    assert end in [row[:3] for row in rows], "fights end where odds say they do"


def test_percentiles_of_armies_rank_by_profit() -> None:
    battle = AxisBattle.from_dict(document({"infantry": 2, "tank": 1}, {"infantry": 2}), RULES)
    odds = solve_axis(battle)
    profits = (odds.defender_loss_at - odds.attacker_loss_at).tolist()
    stands = [odds.percentile(profit) for profit in profits]
    assert odds.chances @ np.array(stands) == pytest.approx(0.5)
    for profit, stood in zip(profits, stands, strict=True):
        less = sum(chance for other, chance in zip(profits, odds.chances, strict=True) if other < profit - 1e-9)
        same = sum(chance for other, chance in zip(profits, odds.chances, strict=True) if abs(other - profit) < 1e-9)
        assert stood == pytest.approx(less + same / 2)


@each(
    [
        (1, 3.841, 10.828),
        (2, 5.991, 13.816),
        (3, 7.815, 16.266),
        (5, 11.070, 20.515),
        (7, 14.067, 24.322),
        (11, 19.675, 31.264),
        (19, 30.144, 43.820),
        (99, 123.225, 148.230),
    ]
)
def test_chi_square_agrees_with_tables(freedom: int, twentieth: float, thousandth: float) -> None:
    assert chi_square_tail(twentieth, freedom) == pytest.approx(0.05, abs=2e-5)
    assert chi_square_tail(thousandth, freedom) == pytest.approx(0.001, abs=1e-6)
    assert chi_square_tail(0, freedom) == 1
    assert chi_square_tail(1e9, freedom) == 0


def test_chi_square_agrees_with_the_area_under_its_curve() -> None:
    """The slow twin adds up thin slices of x^(k/2 - 1) e^(-x/2)."""
    x = (np.arange(400_000) + 0.5) / 1_000
    for freedom in (2, 3, 5, 8, 13, 40):
        curve = np.exp((freedom / 2 - 1) * np.log(x) - x / 2)
        for value in (1, 4, 10, 35):
            assert chi_square_tail(value, freedom) == pytest.approx(curve[x > value].sum() / curve.sum(), abs=1e-4)


def test_a_loaded_die_is_uneven_and_an_unused_die_is_not() -> None:
    assert evenness_p_value([100, 100, 100, 100, 100, 100]) == 1
    assert evenness_p_value([0] * 6) == 1
    assert evenness_p_value([10, 10, 10, 10, 10, 40]) < 1e-6
    assert evenness_p_value([8, 12]) == pytest.approx(rarity(4 / sqrt(20)))
    with pytest.raises(ValueError, match="two faces"):
        evenness_p_value([5])


def test_fair_dice_are_as_uneven_as_their_p_value_says() -> None:
    generator = np.random.default_rng(5)
    for faces in (6, 8):
        thrown = generator.multinomial(600, [1 / faces] * faces, size=2_000)
        counts = np.bincount([min(int(10 * evenness_p_value(counts.tolist())), 9) for counts in thrown], minlength=10)
        assert evenness_p_value(counts.tolist()) > 1e-3, counts
        inside = (abs(thrown / 600 - 1 / faces) <= fair_band(600, faces)).all(axis=1).mean()
        assert 0.94 < inside < 0.97
    assert fair_band(0, 6) == 1


def test_the_rarity_of_luck_agrees_with_all_ways_to_win() -> None:
    starts = (0.99, 0.6, 0.35, 0.8, 0.5, 0.25)
    ends = list(product((0.0, 1.0), repeat=len(starts)))
    for defends in (False, True):
        fought = [[BattleLuck(*pair, defends) for pair in zip(starts, end, strict=True)] for end in ends]
        chances = [prod(start if won else 1 - start for start, won in zip(starts, end, strict=True)) for end in ends]
        lucks = [sum(battle.luck for battle in battles) for battles in fought]
        for battles, luck in zip(fought, lucks, strict=True):
            as_far = sum(p for p, other in zip(chances, lucks, strict=True) if abs(other) >= abs(luck) - 1e-12)
            assert total_luck(battles).rarity == pytest.approx(as_far, abs=1e-12)


def test_losing_one_of_five_near_certain_battles_is_not_so_rare() -> None:
    whole = total_luck([BattleLuck(0.99, 1.0)] * 4 + [BattleLuck(0.99, 0.0)])
    assert whole.z == pytest.approx(-4.27, abs=0.01)
    assert whole.rarity == pytest.approx(1 - 0.99**5, abs=1e-12)


def test_the_luck_of_thousands_of_battles_is_nearly_normal() -> None:
    many = total_luck([BattleLuck(0.5, float(number % 5 < 3)) for number in range(3_500)])
    assert many.rarity == pytest.approx(rarity(many.z or 0.0))
    left = [BattleLuck(0.5, 0.8), BattleLuck(0.5, 0.3)] * 60
    both = total_luck([BattleLuck(0.5, float(number % 2)) for number in range(400)] + left)
    assert both.rarity == pytest.approx(rarity(both.z or 0.0), rel=0.02)


# Ends that somebody tells of ------------------------------------------------------------------------------------


@cache
def margins(attackers: int, defenders: int) -> dict[int, Fraction]:
    """How far the attacker is ahead at the end, with the chance of each, by listing all ways it can go."""
    if not attackers or not defenders:
        return {attackers - defenders: Fraction(1)}
    law: dict[int, Fraction] = {}
    for (lost, killed), of in round_law(THREE, TWO, attackers, defenders, "defender").items():
        for ahead, chance in margins(attackers - lost, defenders - killed).items():
            law[ahead] = law.get(ahead, Fraction(0)) + of * chance
    return law


def test_where_an_end_stands_is_counted_over_all_ends() -> None:
    odds, law = solve(Battle(7, 5)), margins(7, 5)
    for told in ([ahead] for ahead in law), [[-5, -4, -3, -2, -1], [1, 2, 3, 4, 5, 6, 7], [-1, 2]]:
        for some in told:
            standing = stand_among(odds.worth, odds.chances, np.isin(odds.worth, some))
            worse = sum(of for ahead, of in law.items() if ahead < min(some))
            better = sum(of for ahead, of in law.items() if ahead > max(some))
            exactly = sum(law[ahead] for ahead in some)
            expected = exactly, 1 - exactly, worse, 1 - better, better, 1 - worse
            assert standing == pytest.approx(tuple(map(float, expected)), abs=1e-12)
            assert standing.rank == pytest.approx(float(worse + (1 - worse - better) / 2), abs=1e-12)


def test_where_an_end_stands_is_its_percentile_in_a_live_battle() -> None:
    odds = solve(Battle(12, 9))
    told = (odds.attackers_end == 0) & (odds.defenders_end == 4)
    assert stand_among(odds.worth, odds.chances, told).rank == odds.percentile(0, 4)


def test_the_law_of_wins_is_that_of_all_ways_to_win_and_lose() -> None:
    chances = [0.79, 0.97, 0.5, 0.02]
    expected = [0.0] * 5
    for won in product((True, False), repeat=4):
        expected[sum(won)] += prod(of if has else 1 - of for of, has in zip(chances, won, strict=True))
    assert wins_law(chances).tolist() == pytest.approx(expected, abs=1e-12)
