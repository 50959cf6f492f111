"""The odds of a battle with every part of one side's army, each solved by itself, where no sweep knows the rules."""

from collections.abc import Iterator, Sequence
from math import inf

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.best.parts import HUNDREDTHS, PartsOdds, Wanted, counts_within, with_units
from solver.axis.chain import MOST_NUMBERS, AxisChain
from solver.axis.solve import solve_chain
from solver.axis.units import Role
from solver.errors import TooLargeError
from solver.progress import Meter

OVERHEAD = 500_000.0
"""The work of solving even the smallest battle, in the unit of `Meter`."""
AT_ONCE = 50
"""So many parts are solved before somebody may have seen enough."""


def each_part_odds(
    battle: AxisBattle, role: Role, wanted: Sequence[Wanted], limit: float, money: float
) -> Iterator[PartsOdds]:
    """Yield the odds with more and more parts, cheapest first; the empty part is the first.

    Args:
        battle: The battle with the whole army.
        role: The role of the army.
        wanted: Which odds to compute: "survives", "wins", "profit".
        limit: The most work that this may take, in the unit of `Meter`.
        money: The most that a part may cost.

    Raises:
        TooLargeError: If it takes more work or memory.
    """
    army, table = battle.army(role), battle.rules.table
    prices = [round(battle.worth.of(table[name], role) * HUNDREDTHS) for name, _ in army.units]
    counts = counts_within([count + 1 for _, count in army.units], prices, money * HUNDREDTHS)
    # Guns that go with the territory come with every part, and cost nothing.
    captured = [table[name].captured for name, _ in army.units]
    counts[:, captured] = [count for name, count in army.units if table[name].captured]
    counts = np.unique(counts, axis=0)
    cost = counts @ np.array([0 if free else price for free, price in zip(captured, prices, strict=True)])
    counts, cost = counts[np.argsort(cost, kind="stable")], np.sort(cost) / HUNDREDTHS
    names, meter, values = tuple(name for name, _ in army.units), Meter(limit), np.zeros((len(wanted), len(counts)))
    for place, units in enumerate(counts.tolist()):
        values[:, place] = _values(with_units(battle, role, tuple(zip(names, units, strict=True))), role, wanted, meter)
        done = place + 1
        if done % AT_ONCE == 0 or done == len(counts):
            sure = inf if done == len(counts) else float(cost[done])
            odds = dict(zip(wanted, values[:, :done].copy(), strict=True))
            yield PartsOdds(names, counts[:done], cost[:done], odds, sure)


def _values(battle: AxisBattle, role: Role, wanted: Sequence[Wanted], meter: Meter) -> list[float]:
    """The wanted odds of a battle."""
    meter.add(OVERHEAD)
    chain = AxisChain(battle, meter.limit)
    chain.meter = meter
    if chain.numbers > MOST_NUMBERS:
        raise TooLargeError("units", "this battle takes more work than is allowed")
    odds = solve_chain(chain, 0.0)
    survives = odds.attacker_survives if role == "attack" else odds.defender_survives
    profit = odds.defender_loss - odds.attacker_loss
    values: dict[Wanted, float] = {"survives": survives, "wins": odds.wins, "profit": profit}
    return [values[name] for name in wanted]
