"""Orders of loss with their odds: which of them are best, and how near two of them are."""

from collections.abc import Callable, Sequence
from itertools import combinations
from operator import attrgetter
from typing import NamedTuple

SAME = 1e-9
"""Orders whose goals differ by no more count as equal."""

Names = tuple[str, ...]
"""An order of loss: kinds of units, first lost first."""
WavesNames = tuple[Names, ...]
"""The orders of one side: for each wave its kinds of units, first lost first."""


class Order(NamedTuple):
    """The orders of loss of one side, one for each wave, and their odds for that side.

    Attributes:
        names: For each wave the kinds of units, first lost first.
        chance: The chance to win; for a defender, that the attacker does not win.
        profit: The expected profit in money.
    """

    names: WavesNames
    chance: float
    profit: float


OrderGoal = Callable[[Order], float]
CHANCE: OrderGoal = attrgetter("chance")
PROFIT: OrderGoal = attrgetter("profit")
Swapped = tuple[tuple[str, str], Order]
"""Two kinds of units, and the order in which they are swapped in one wave."""


class BestOrder(NamedTuple):
    """The best order for a goal.

    Attributes:
        order: The order.
        runner_up: The best order that is worse; None if all are equal.
        swap: The two kinds whose swap in the order of the battle gains most, or loses most if none gains, and the order
            after it. None if no swap makes a difference.
    """

    order: Order
    runner_up: Order | None
    swap: Swapped | None


class SideOrders(NamedTuple):
    """The orders of a side.

    Attributes:
        given: The order of the battle.
        chance: The best for the chance.
        profit: The best for the profit.
        tried: How many orders were tried. If not all, the best are the best that were found.
        different: How many orders there are; orders with the same effect count once.
    """

    given: Order
    chance: BestOrder
    profit: BestOrder
    tried: int
    different: int


class Orders(NamedTuple):
    """The orders of both sides.

    Attributes:
        attacker: The attacker's; None if they have no choice.
        defender: The defender's; None if they have no choice.
    """

    attacker: SideOrders | None
    defender: SideOrders | None


def swap_kinds(names: Names, first: str, second: str) -> Names:
    """Return the order with two kinds swapped: see `Names`."""
    return tuple({first: second, second: first}.get(name, name) for name in names)


def neighbours(names: Names) -> list[Names]:
    """Return the orders with two kinds swapped, or one moved: see `Names`."""
    near = [swap_kinds(names, *pair) for pair in combinations(names, 2)]
    for name in names:
        rest = [other for other in names if other != name]
        near += [(*rest[:place], name, *rest[place:]) for place in range(len(names))]
    return near


def best_for(orders: Sequence[Order], usual: Order, swaps: Sequence[Swapped], goal: OrderGoal) -> BestOrder:
    """Return the best of these orders for a goal; among equal ones the nearest to that of the battle, the `usual` one.

    `swaps` has orders in which two kinds are swapped: see `BestOrder`.
    """
    first = _least_changed(orders, usual, goal)
    others = [order for order in orders if goal(order) < goal(first) - SAME]
    here, swap = goal(usual), max(swaps, key=lambda change: goal(change[1]))
    if goal(swap[1]) <= here + SAME:
        swap = min(swaps, key=lambda change: goal(change[1]))
    runner_up = _least_changed(others, usual, goal) if others else None
    return BestOrder(first, runner_up, swap if abs(goal(swap[1]) - here) > SAME else None)


def _least_changed(orders: Sequence[Order], usual: Order, goal: OrderGoal) -> Order:
    """The best order for a goal; among equal ones the nearest to that of the battle."""
    highest = max(map(goal, orders))
    as_good = [order for order in orders if goal(order) >= highest - SAME]
    return min(as_good, key=lambda order: sum(map(_inversions, order.names, usual.names)))


def _inversions(names: Names, usual: Names) -> int:
    """The number of pairs of kinds that stand the other way round in another order."""
    return sum(names.index(first) > names.index(second) for first, second in combinations(usual, 2))
