"""The best order of loss of a side: all orders tried where that can be, else the best that a search comes to.

The other side keeps the order that it has. What else is said of a side's order stays: land units that are kept, guns
that are lost last but one.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations, permutations
from math import factorial, inf
from typing import Any, NamedTuple

from solver.axis import AxisBattle
from solver.axis_answers import MOST_NUMBERS
from solver.axis_chain import AxisChain
from solver.axis_odds import solve_chain
from solver.documents import told_chance
from solver.errors import BattleError, TooLargeError
from solver.forces import Segment
from solver.order_sweep import can_sweep, sweep_work, swept
from solver.sides import Side
from solver.units import ROLES, Role

MOST_ORDERS = 5_040
"""The most orders that are all looked at: those of seven kinds."""
SAME = 1e-9
"""Orders that differ by no more are as good as each other."""
OVERHEAD = 400_000
"""What it takes to solve even the smallest battle, in steps."""

Names = tuple[str, ...]
"""An order: the kinds that have a place in it, first lost first."""


class Order(NamedTuple):
    """An order of loss, and what its side has of it: its chance, and its profit on average.

    The chance of the attacker is to win, that of the defender that the attacker does not.
    """

    names: Names
    chance: float
    profit: float


Goal = Callable[[Order], float]


def chance_of(order: Order) -> float:
    """The goal to win, or to keep the other from it."""
    return order.chance


def profit_of(order: Order) -> float:
    """The goal to gain money."""
    return order.profit


class Best(NamedTuple):
    """The best order for a goal, the next that is not as good, and which swap of two kinds matters most.

    A swap is one in the order of the battle: that which gains most over it, or, where none gains anything, loses most;
    with the order that comes of it. None where no other order, or no swap, makes any difference.
    """

    order: Order
    runner_up: Order | None
    swap: tuple[tuple[str, str], Order] | None


class SideOrders(NamedTuple):
    """The orders of a side: that of the battle, `given`, and the best for its chance and for its profit.

    `tried` of so many `different` ones were tried, orders that come to the same counted once; where these are not all,
    the best are the best that were found.
    """

    given: Order
    chance: Best
    profit: Best
    tried: int
    different: int


class Orders(NamedTuple):
    """The orders of both sides; None of a side that has no choice."""

    attacker: SideOrders | None
    defender: SideOrders | None


def best_orders(battle: AxisBattle, most: float) -> Orders:
    """The best orders of loss of each side, against the other's as it is, with about `most` steps of work.

    TooLargeError where that is too little to try even every swap of two kinds; BattleError where no side has a choice.
    """
    sides = {role: side for role in ROLES if len((side := _Tried(battle, role)).given) > 1}
    if not sides:
        raise BattleError("units", "there is no casualty order to choose: neither side can lose two kinds of units")
    found: dict[Role, SideOrders] = {}
    left = most
    for role in sorted(sides, key=lambda role: len(sides[role].given)):
        # What a side with few kinds does not need is left to the other.
        try:
            found[role] = sides[role].answer(left / (len(sides) - len(found)))
        except TooLargeError:
            raise TooLargeError(
                "units",
                "this battle is too large to try other casualty orders; use fewer units or fewer kinds",
            ) from None
        left -= sides[role].work(len(sides[role].known))
    return Orders(found.get("attack"), found.get("defence"))


def movable(battle: AxisBattle, role: Role) -> Names:
    """The kinds of a side in their order, without those to which the rules or the line give their place."""
    table, side = battle.rules.table, battle.attacker if role == "attack" else battle.defender
    there = {segment.unit.name for segment in battle.segments(role)}
    if battle.theatre == "sea":
        there -= {name for name in there if table[name].defenceless}
    if side.aa_second_last:
        there -= {name for name in there if table[name].antiaircraft}
    protected = dict.fromkeys(reversed(side.loss_order))  # a name's last place counts
    return tuple(name for name in protected if name in there)[::-1]


def with_order(battle: AxisBattle, role: Role, names: Names) -> AxisBattle:
    """The battle with the kinds of a side lost in another order; kinds that it does not name stay first."""
    side = _reordered(battle.attacker if role == "attack" else battle.defender, names)
    return replace(battle, attacker=side) if role == "attack" else replace(battle, defender=side)


def _reordered(side: Side, names: Names) -> Side:
    first = (name for name in side.loss_order if side.count(name) and name not in names)
    return replace(side, loss_order=(*first, *names))


class _Tried:
    """A side with the orders that were tried so far: `known`, by the rows of units that they come to."""

    def __init__(self, battle: AxisBattle, role: Role) -> None:
        self.battle, self.role = battle, role
        self.side = battle.attacker if role == "attack" else battle.defender
        self.sweeps = can_sweep(battle)
        self.given = movable(battle, role)
        self.known: dict[tuple[Segment, ...], Order] = {}
        self.done = 0.0

    def _row(self, names: Names) -> tuple[Segment, ...]:
        return self.battle.segments(self.role, _reordered(self.side, names))

    def work(self, count: int) -> float:
        """About how many steps it takes to try so many orders in all."""
        if self.sweeps:
            return sweep_work(self._chain, self.role, count)
        return count * self.done / len(self.known)

    @cached_property
    def _chain(self) -> AxisChain:
        return AxisChain(self.battle)

    # Trying ----------------------------------------------------------------------------------------------

    def answer(self, most: float) -> SideOrders:
        """The best orders that are found with so much work; TooLargeError where it is too little."""
        swaps = {pair: _swapped(self.given, *pair) for pair in combinations(self.given, 2)}
        if not self.sweeps:
            self._try([self.given], most)
        if self.work(1 + len(swaps)) > most:
            raise TooLargeError("units", "trying every swap of two kinds takes more work than is allowed")
        different = factorial(len(self.given))
        every = list(permutations(self.given)) if different <= MOST_ORDERS else []
        different = len({self._row(names) for names in every}) or different
        if every and self.work(different) <= most:
            self._try(every, most)
        else:
            self._try([self.given, *swaps.values()], most)
            for goal in (chance_of, profit_of):
                self._climb(goal, most)
        orders, given = list(self.known.values()), self.known[self._row(self.given)]
        changed = {pair: self.known[self._row(names)] for pair, names in swaps.items()}
        chance, profit = (_best(orders, given, changed, goal) for goal in (chance_of, profit_of))
        return SideOrders(given, chance, profit, len(orders), different)

    def _try(self, orders: Iterable[Names], most: float) -> None:
        """Try these orders, those that come to the same once; none of them may be more work than `most` by itself."""
        new: dict[tuple[Segment, ...], Names] = {}
        for names in orders:
            if (row := self._row(names)) not in self.known:
                new.setdefault(row, names)
        if self.sweeps:
            for (row, names), worth in zip(new.items(), swept(self.battle, self.role, list(new)), strict=True):
                self._keep(row, names, *worth.tolist())
            return
        for row, names in new.items():
            chain = AxisChain(with_order(self.battle, self.role, names), most)
            chain.meter.add(OVERHEAD if chain.numbers <= MOST_NUMBERS else inf)
            odds = solve_chain(chain, 0.0)
            self._keep(row, names, odds.wins, odds.defender_loss - odds.attacker_loss)
            self.done += chain.meter.done

    def _keep(self, row: tuple[Segment, ...], names: Names, wins: float, profit: float) -> None:
        ours = self.role == "attack"
        self.known[row] = Order(names, wins if ours else 1 - wins, profit if ours else -profit)

    def _climb(self, goal: Goal, most: float) -> None:
        """From the best order on, try what moving one kind or swapping two makes of it, as long as that is better."""
        best, tried = None, max(self.known.values(), key=goal)
        while tried != best:
            best = tried
            near = [names for names in _near(best.names) if self._row(names) not in self.known]
            while near and self.work(len(self.known) + len(near)) > most:
                near = near[: len(near) // 2]
            self._try(near, most)
            tried = max(self.known.values(), key=goal)


def _swapped(names: Names, one: str, other: str) -> Names:
    return tuple({one: other, other: one}.get(name, name) for name in names)


def _near(names: Names) -> list[Names]:
    """The orders with two kinds swapped, or one moved."""
    near = [_swapped(names, *pair) for pair in combinations(names, 2)]
    for name in names:
        rest = [other for other in names if other != name]
        near += [(*rest[:place], name, *rest[place:]) for place in range(len(names))]
    return near


def _best(orders: Sequence[Order], given: Order, changed: dict[tuple[str, str], Order], goal: Goal) -> Best:
    """The best of these orders; of those that are as good the one nearest to the order of the battle."""
    first = _nearest(orders, given, goal)
    others = [order for order in orders if goal(order) < goal(first) - SAME]
    runner_up = _nearest(others, given, goal) if others else None
    here = goal(given)
    swap = max(changed.items(), key=lambda one: goal(one[1]))
    if goal(swap[1]) <= here + SAME:
        swap = min(changed.items(), key=lambda one: goal(one[1]))
    return Best(first, runner_up, swap if abs(goal(swap[1]) - here) > SAME else None)


def _nearest(orders: Sequence[Order], given: Order, goal: Goal) -> Order:
    """Of the best orders for a goal the one that changes least."""
    most = max(map(goal, orders))
    as_good = [order for order in orders if goal(order) >= most - SAME]
    return min(as_good, key=lambda order: _turned(order.names, given.names))


def _turned(names: Names, given: Names) -> int:
    """How many pairs of kinds stand the other way round."""
    return sum(names.index(one) > names.index(other) for one, other in combinations(given, 2))


def told_orders(battle: AxisBattle, orders: Orders) -> dict[str, Any]:
    """The best orders as a document; every order is one that a document of the battle may have as `loss_order`."""
    return {
        "attacker": orders.attacker and _told_side(battle, "attack", orders.attacker),
        "defender": orders.defender and _told_side(battle, "defence", orders.defender),
    }


def _told_side(battle: AxisBattle, role: Role, side: SideOrders) -> dict[str, Any]:
    def told(order: Order | None) -> dict[str, Any] | None:
        if order is None:
            return None
        changed = with_order(battle, role, order.names)
        full = changed.attacker if role == "attack" else changed.defender
        names = [name for name in full.loss_order if full.count(name)]
        return {"loss_order": names, "chance": told_chance(order.chance), "profit": order.profit}

    def goal(best: Best, goal: Goal) -> dict[str, Any]:
        swap = best.swap and {"units": list(best.swap[0]), **(told(best.swap[1]) or {})}
        gain = goal(best.order) - goal(side.given)
        return {"best": told(best.order), "gain": gain, "runner_up": told(best.runner_up), "swap": swap}

    return {
        "given": told(side.given),
        "chance": goal(side.chance, chance_of),
        "profit": goal(side.profit, profit_of),
        "tried": side.tried,
        "orders": side.different,
    }
