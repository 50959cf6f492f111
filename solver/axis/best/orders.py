"""The best order of loss of a side: all orders are tried if possible, otherwise a search finds a good one.

The other side keeps its order. Land units that are kept to the last, and guns that are lost last but one, stay so.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import combinations, permutations
from math import factorial, inf
from typing import Any

from solver.axis.battle import AxisBattle
from solver.axis.best.order_sweep import can_sweep, sweep_orders, sweep_work
from solver.axis.best.parts import Values
from solver.axis.best.ranking import (
    Names,
    Orders,
    OrderSearch,
    SideOrders,
    best_of_sides,
    inversions,
    neighbours,
    side_to_dict,
    swap_kinds,
)
from solver.axis.best.sea_sweep import sea_orders_odds
from solver.axis.chain import MOST_NUMBERS, AxisChain
from solver.axis.kernel.forces import Segment
from solver.axis.sides import SIDES, Army
from solver.axis.solve import MOST_SECONDS, army_seconds, solve_chain
from solver.axis.units import ROLES, Role
from solver.errors import TooLargeError
from solver.progress import takes

MOST_ORDERS = 5_040
"""All orders are tried up to this number: those of seven kinds."""
OVERHEAD = 400_000
"""The work of solving even the smallest battle, in the unit of `Meter`."""

AT_SEA = 3 / 4
"""The share of the work in which all orders of a fleet are tried; if it is too little, the rest goes into a search."""


def _orders_seconds(battle: AxisBattle, _limit: float) -> float:
    orders = sum(min(factorial(len(side.units)), 200) for side in (battle.attacker, battle.defender))
    return min(orders * army_seconds(battle), MOST_SECONDS)


@takes(_orders_seconds)
def best_orders(battle: AxisBattle, limit: float) -> Orders[Names]:
    """Return the best orders of loss of each side, against the other side's order in the battle.

    Args:
        battle: The battle.
        limit: About the most work that this may take, in the unit of `Meter`.

    Raises:
        TooLargeError: If that is too little to try every swap of two kinds.
        BattleError: If neither side has a choice.

    Example:
        >>> from solver.axis.units import Rules, Unit
        >>> infantry, tank = Unit("infantry", "land", 1, 2, 3), Unit("tank", "land", 3, 3, 6)
        >>> rules = Rules("1942", (infantry, tank), (("infantry", "tank"),) * 4)
        >>> battle = AxisBattle(rules, "land", Army.of({"infantry": 3, "tank": 2}), Army.of({"infantry": 4}))
        >>> orders = best_orders(battle, 1e9).attacker
        >>> orders.chance.order.names, orders.tried, round(orders.chance.runner_up.chance, 3)
        (('infantry', 'tank'), 2, 0.564)
    """
    error = TooLargeError(
        "units", "this battle is too large to try other casualty orders; use fewer units or fewer kinds"
    )
    return best_of_sides([_OrderSearch(battle, role) for role in ROLES], limit, error)


def movable_units(battle: AxisBattle, role: Role) -> Names:
    """Return the kinds of a side that have no fixed place in its order, first lost first.

    Args:
        battle: The battle.
        role: The role of the side.
    """
    table, side = battle.rules.table, battle.army(role)
    there = {segment.unit.name for segment in battle.segments(role)}
    if battle.theatre == "sea":
        there -= {name for name in there if table[name].defenceless}
    if side.aa_second_last:
        there -= {name for name in there if table[name].antiaircraft}
    protected = dict.fromkeys(reversed(side.loss_order))  # a name's last place counts
    return tuple(name for name in protected if name in there)[::-1]


def with_order(battle: AxisBattle, role: Role, names: Names) -> AxisBattle:
    """Return the battle with another order of loss of one side.

    Args:
        battle: The battle.
        role: The role of the side.
        names: The kinds of units, first lost first; kinds left out stay first.
    """
    return battle.with_army(role, with_loss_order(battle.army(role), names))


def with_loss_order(side: Army, names: Names) -> Army:
    """Return an army with another order of loss.

    Args:
        side: The army.
        names: The kinds of units, first lost first; kinds left out stay first.
    """
    first = (name for name in side.loss_order if side.count(name) and name not in names)
    return replace(side, loss_order=(*first, *names))


class _OrderSearch(OrderSearch[Names]):
    """The search for the best order of one side. The key of an order is its row of units."""

    def __init__(self, battle: AxisBattle, role: Role) -> None:
        self.battle, self.role = battle, role
        self.side = battle.army(role)
        self.sweeps = can_sweep(battle)
        self.at_sea = battle.theatre == "sea" and not self.sweeps and not battle.kamikaze
        self.ours, self.usual = role == "attack", movable_units(battle, role)
        self.known, self.size = {}, len(self.usual) if len(self.usual) > 1 else 0
        self.done = self.wasted = self.limit = 0.0
        self._rows: dict[Names, tuple[Segment, ...]] = {}

    def key(self, names: Names) -> tuple[Segment, ...]:
        """Return the row of units under an order: see `OrderSearch`."""
        if names not in self._rows:
            at_sea = self.battle.theatre == "sea"
            self._rows[names] = self._row_at_sea(names) if at_sea else self._row_on_land(names)
        return self._rows[names]

    def _row_on_land(self, names: Names) -> tuple[Segment, ...]:
        """Give the row of units under an order, by all special rules."""
        return self.battle.segments(self.role, with_loss_order(self.side, names))

    def _row_at_sea(self, names: Names) -> tuple[Segment, ...]:
        """Give the row of a fleet, where units change places by kind: spare hits stay first, transports last."""
        spare, movable, last = self._places
        return (*spare, *map(movable.__getitem__, names), *last)

    @cached_property
    def _places(self) -> tuple[list[Segment], dict[str, Segment], list[Segment]]:
        """The units of a fleet that stay first in each order, those that change places, and those that stay last."""
        row = self.battle.segments(self.role)
        spare, rest = ([segment for segment in row if segment.spare is which] for which in (True, False))
        movable = {segment.unit.name: segment for segment in rest if segment.unit.name in self.usual}
        return spare, movable, [segment for segment in rest if segment.unit.name not in movable]

    def work(self, count: int) -> float:
        """About how much work it is to try so many orders in all."""
        if self.sweeps:
            return sweep_work(self._chain, self.role, count)
        return count * self.done / len(self.known) + self.wasted

    @cached_property
    def _chain(self) -> AxisChain:
        """The chain of the battle."""
        return AxisChain(self.battle)

    # Search ----------------------------------------------------------------------------------------------

    def answer(self, limit: float) -> SideOrders[Names]:
        """Return the best orders that so much work finds: see `OrderSearch`."""
        self.limit = limit
        swaps = {pair: swap_kinds(self.usual, *pair) for pair in combinations(self.usual, 2)}
        if not self.sweeps:
            self._try([self.usual], limit)
        if self.work(1 + len(swaps)) > limit:
            raise TooLargeError("units", "trying every swap of two kinds takes more work than is allowed")
        different = factorial(len(self.usual))
        every = list(permutations(self.usual)) if different <= MOST_ORDERS else []
        different = len({self.key(names) for names in every}) or different
        if not (every and self._try_every(every, different)):
            self._try([self.usual, *swaps.values()], limit)
            self.climb()
        self.spent = self.work(len(self.known))
        return self.summary(swaps.items(), different, inversions)

    def _try_every(self, every: Sequence[Names], different: int) -> bool:
        """Try all orders if that is not too much work; return whether it was not."""
        if self.at_sea:
            # Nobody knows how much they have in common, so most of the work may be spent on finding that out.
            try:
                self._try(every, AT_SEA * self.limit)
            except TooLargeError:
                self.wasted = AT_SEA * self.limit
                return False
        elif self.work(different) > self.limit:
            return False
        else:
            self._try(every, self.limit)
        return True

    def _try(self, orders: Iterable[Names], limit: float) -> None:
        """Try these orders, equal ones once; TooLargeError if one, or at sea all, take more work than `limit`."""
        new: dict[tuple[Segment, ...], Names] = {}
        for names in orders:
            if (row := self.key(names)) not in self.known:
                new.setdefault(row, names)
        if new and (self.sweeps or self.at_sea):
            for names, worth in zip(new.values(), self._sweep(list(new), limit), strict=True):
                self.keep(names, *worth.tolist())
            return
        for names in new.values():
            chain = AxisChain(with_order(self.battle, self.role, names), limit)
            chain.meter.add(OVERHEAD if chain.numbers <= MOST_NUMBERS else inf)
            odds = solve_chain(chain, 0.0)
            self.keep(names, odds.wins, odds.defender_loss - odds.attacker_loss)
            self.done += chain.meter.done

    def _sweep(self, rows: Sequence[tuple[Segment, ...]], limit: float) -> Values:
        """The chance and the profit of the attacker under several orders, found together: [order, 2]."""
        if self.sweeps:
            return sweep_orders(self.battle, self.role, rows)
        worth, done = sea_orders_odds(self.battle, self.role, rows, limit)
        self.done += done
        return worth

    def try_near(self, names: Names) -> bool:
        """Try the orders with one kind moved or two swapped, as many as there is work for: see `OrderSearch`."""
        near = [names for names in neighbours(names) if self.key(names) not in self.known]
        while near and self.work(len(self.known) + len(near)) > self.limit:
            near = near[: len(near) // 2]
        self._try(near, self.limit)
        return True


def orders_to_dict(battle: AxisBattle, orders: Orders[Names]) -> dict[str, Any]:
    """Return the best orders as a JSON document, where each can stand as `loss_order`: see `Orders`."""
    return {
        name: side and side_to_dict(side, partial(_order_to_dict, battle, role))
        for name, role, side in zip(SIDES, ROLES, orders, strict=True)
    }


def _order_to_dict(battle: AxisBattle, role: Role, names: Names) -> dict[str, Any]:
    """An order as a field of a JSON document."""
    return {"loss_order": full_order(battle, role, names)}


def full_order(battle: AxisBattle, role: Role, names: Names) -> list[str]:
    """Return an order with the kinds of a side that stay first.

    Args:
        battle: The battle.
        role: The role of the side.
        names: The kinds of units, first lost first.
    """
    side = with_order(battle, role, names).army(role)
    return [name for name in side.loss_order if side.count(name)]
