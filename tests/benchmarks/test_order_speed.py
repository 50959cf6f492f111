"""How fast the best order of loss is found: all orders of a side in one sweep, beside each solved by itself."""

from itertools import permutations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from solver.axis.battle import AxisBattle
from solver.axis.best.order_names import movable_units, with_order
from solver.axis.best.order_sweep import sweep_orders
from solver.axis.best.orders import best_orders
from solver.axis.solve import solve_axis
from tests.helpers.bot.lines import wave_of
from tests.helpers.speed import fastest

LINE = "4 inf 2 art 3 arm 3 fig 2 bom vs 4 inf 2 art 2 arm 2 fig 1 bom 1 aa"
MOST = 200_000_000


def battle_of(line: str) -> AxisBattle:
    return wave_of(line)


FLEET = "2 sub 2 des 2 cru 2 acc 2 bat 2 fig"


@pytest.mark.parametrize(
    "line",
    [LINE, f"{LINE} retreat:profit<0", "2 sub 2 des 1 cru 2 fig vs 2 sub 2 des 1 cru 1 bat", f"{FLEET} vs {FLEET}"],
)
def test_the_best_orders_of_both_sides(benchmark: BenchmarkFixture, line: str) -> None:
    rounds = 1 if benchmark.disabled else 5
    benchmark.pedantic(best_orders, (battle_of(line), MOST), rounds=rounds)  # type: ignore[no-untyped-call]


def test_a_sweep_of_orders_beside_a_battle_for_each_order(benchmark: BenchmarkFixture) -> None:
    battle = battle_of(LINE)
    changed = [with_order(battle, "attack", order) for order in permutations(movable_units(battle, "attack"))]
    orders = [one.segments("attack") for one in changed]
    together, found = fastest(lambda: sweep_orders(battle, "attack", orders), 3)
    some = changed[::10]
    alone, odds = fastest(lambda: [solve_axis(one, 0) for one in some], 1)
    assert [one.wins for one in odds] == pytest.approx(found[::10, 0].tolist(), rel=1e-9)
    ratio = alone / len(some) * len(orders) / together
    assert ratio > 3
    if not benchmark.disabled:
        print(f"\n{len(orders)} orders: {1000 * together:.0f} ms, {ratio:.0f} times as fast as one by one")
    benchmark.pedantic(sweep_orders, (battle, "attack", orders), rounds=1)  # type: ignore[no-untyped-call]
