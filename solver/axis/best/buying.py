"""The armies of any units that fight on land: all that so much money buys, or more and more until enough is known.

Up to a price every mix of units is tried. Of dearer armies only those of few kinds are tried, as there are too many
others.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import inf

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.best.part_odds import iterate_parts_odds
from solver.axis.best.parts import MOST_PARTS, PartsOdds, Wanted, with_units
from solver.axis.loss_order import usual_order
from solver.axis.units import Role
from solver.errors import BattleError

MOST_CELLS = 700_000
"""About how many cells, of an army and a force of the other side, are swept while every mix is tried."""
KINDS_TOGETHER = 2
"""The most kinds of units in a dearer army."""
GROWTH, STEPS = 1.6, 4
"""How many times as dear armies are tried next, and how many times that is done."""
MOST_MONEY = 600
"""More than the price up to which every mix can be tried."""


def kinds_for_sale(battle: AxisBattle, role: Role) -> tuple[str, ...]:
    """Return the kinds of units that a side can buy for a battle on land, in the usual order of loss.

    Guns that nobody can hit are not among them: they are no part of an army that is lost.

    Args:
        battle: The battle.
        role: The role of the side.
    """
    table = battle.rules.table
    units = (table[name] for name in usual_order(battle.rules, "land", role))
    return tuple(unit.name for unit in units if not (unit.amphibious or unit.form_of or unit.captured))


def purchases_odds(battle: AxisBattle, role: Role, money: float, wanted: Sequence[Wanted], limit: float) -> PartsOdds:
    """Return the odds of a battle with the units of a side and all that money can buy beside them.

    Args:
        battle: The battle.
        role: The role of the side.
        money: How much it has, in the unit of the prices.
        wanted: Which odds to compute: "survives", "wins", "profit".
        limit: The most work that this may take, in the unit of `Meter`.

    Raises:
        TooLargeError: If it takes more work or memory.
        BattleError: If money buys nothing.
    """
    prices = _prices(battle, role)
    bought = {name: int(money // price) for name, price in prices.items()}
    if not any(bought.values()):
        raise BattleError("money", "that buys nothing: the cheapest unit costs {price}", price=min(prices.values()))
    there = sum(prices.get(name, battle.rules.table[name].cost) * count for name, count in _losable(battle, role))
    *_, odds = iterate_parts_odds(_with_more(battle, role, bought), role, wanted, limit, money + there)
    return replace(odds, sure=inf)


def iterate_army_odds(
    battle: AxisBattle, role: Role, wanted: Sequence[Wanted], is_good: Callable[[PartsOdds], bool], limit: float
) -> Iterator[PartsOdds]:
    """Yield the odds with more and more armies, cheapest first, each time of every mix of units up to a price.

    If none of these is good, the last odds have armies of `KINDS_TOGETHER` kinds at most, up to any price.

    Args:
        battle: The battle.
        role: The role of the side.
        wanted: Which odds to compute: "survives", "wins", "profit".
        is_good: Tells whether some army is good enough.
        limit: The most work that this may take, in the unit of `Meter`.

    Raises:
        TooLargeError: If it takes more work or memory.
    """
    prices = _prices(battle, role)
    there = dict(battle.army("defence" if role == "attack" else "attack").units)
    forces, cost = 2 + sum(there.values()), sum(battle.rules.table[name].cost * count for name, count in there.items())
    tried = [20 + 1.5 * GROWTH**step * cost for step in range(STEPS)]
    most = _money_for(list(prices.values()), min(MOST_CELLS // forces, MOST_PARTS))
    for money in [*(money for money in tried if money < most), most]:
        for odds in _iterate_up_to(battle, role, money, prices, wanted, limit):
            yield odds
        if is_good(odds):
            return
    pairs = [{name: prices[name] for name in kinds} for kinds in combinations(prices, KINDS_TOGETHER)]
    for money in tried:
        each = (_iterate_up_to(battle, role, money, kinds, wanted, limit / len(pairs)) for kinds in pairs)
        odds = _join(tuple(prices), [_first_good(odds, is_good) for odds in each])
        yield odds
        if is_good(odds):
            return


def _iterate_up_to(
    battle: AxisBattle, role: Role, money: float, prices: Mapping[str, float], wanted: Sequence[Wanted], limit: float
) -> Iterator[PartsOdds]:
    """Yield the odds with all armies of these kinds that cost so much at most."""
    pool = {name: int(money // price) for name, price in prices.items()}
    return iterate_parts_odds(_with_more(battle, role, pool), role, wanted, limit, money)


def _first_good(every: Iterable[PartsOdds], is_good: Callable[[PartsOdds], bool]) -> PartsOdds:
    """The first odds with a good army, without what is not sure yet; those with all armies if none is good."""
    for odds in every:
        if is_good(odds):
            break
    some = odds.cost < odds.sure
    values = {name: value[some] for name, value in odds.values.items()}
    return PartsOdds(odds.names, odds.units[some], odds.cost[some], values)


def _join(names: tuple[str, ...], several: Sequence[PartsOdds]) -> PartsOdds:
    """The odds of all these armies, whose units are of some of the kinds, together."""
    units = [np.zeros((len(odds.cost), len(names)), np.int64) for odds in several]
    for counts, odds in zip(units, several, strict=True):
        counts[:, [names.index(name) for name in odds.names]] = odds.units
    values = {name: np.concatenate([odds.values[name] for odds in several]) for name in several[0].values}
    cost = np.concatenate([odds.cost for odds in several])
    return PartsOdds(names, np.concatenate(units), cost, values, float(cost.max()) + 1, KINDS_TOGETHER)


def _prices(battle: AxisBattle, role: Role) -> dict[str, float]:
    """The price of each kind for sale; BattleError if units count otherwise than by their prices."""
    if battle.theatre != "land":
        raise BattleError("units", "at sea there must be units to choose from")
    table = battle.rules.table
    prices = {name: table[name].cost for name in kinds_for_sale(battle, role)}
    if any(battle.worth.of(table[name], role) != price for name, price in prices.items()):
        raise BattleError("worth", "units to choose freely cost what the edition says, so give them no other prices")
    return prices


def _losable(battle: AxisBattle, role: Role) -> Iterator[tuple[str, int]]:
    """The units of a side that can be lost, with their numbers."""
    table = battle.rules.table
    for name, count in battle.army(role).units:
        if table[name].kind != "sea" and not table[name].captured:
            yield name, count


def _with_more(battle: AxisBattle, role: Role, units: Mapping[str, int]) -> AxisBattle:
    """The battle with these units beside those of a side."""
    own = dict(battle.army(role).units)
    return with_units(
        battle, role, tuple((own | {name: own.get(name, 0) + count for name, count in units.items()}).items())
    )


def _money_for(prices: Sequence[float], most: int) -> float:
    """The most money with which no more armies than `most` can be bought."""
    armies = np.zeros(MOST_MONEY, np.int64)
    armies[0] = 1
    for price in prices:
        step = max(int(price), 1)
        for money in range(step, MOST_MONEY):
            armies[money] += armies[money - step]
    return float(np.searchsorted(np.cumsum(armies), most))
