"""Orders of loss with their odds: the kinds of answers about them, and the best of those that were tried."""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any, Generic, NamedTuple, TypeVar

from solver.documents import clamp_chance
from solver.errors import BattleError

SAME = 1e-9
"""Orders whose goals differ by no more count as equal."""

Names = tuple[str, ...]
"""An order of loss: kinds of units, first lost first."""
Named = TypeVar("Named")
"""The order of a side in its only wave, or its orders in several waves."""


class Order(NamedTuple, Generic[Named]):
    """An order of loss, and its odds for its own side.

    Attributes:
        names: The kinds of units, first lost first; for several waves those of each wave.
        chance: The chance to win; for a defender, that the attacker does not win.
        profit: The expected profit in money.
    """

    names: Named
    chance: float
    profit: float


OrderGoal = Callable[[Order[Any]], float]


def chance_of(order: Order[Any]) -> float:
    """Return the chance of an order, as a goal: see `Order`."""
    return order.chance


def profit_of(order: Order[Any]) -> float:
    """Return the profit of an order, as a goal: see `Order`."""
    return order.profit


class BestOrder(NamedTuple, Generic[Named]):
    """The best order for a goal.

    Attributes:
        order: The order.
        runner_up: The best order that is worse; None if all are equal.
        swap: The two kinds whose swap in the order of the battle gains most, or loses most if none gains, and the order
            after it. None if no swap makes a difference.
    """

    order: Order[Named]
    runner_up: Order[Named] | None
    swap: tuple[tuple[str, str], Order[Named]] | None


class SideOrders(NamedTuple, Generic[Named]):
    """The orders of a side.

    Attributes:
        given: The order of the battle.
        chance: The best for the chance.
        profit: The best for the profit.
        tried: How many orders were tried. If not all, the best are the best that were found.
        different: How many orders there are; orders with the same effect count once.
    """

    given: Order[Named]
    chance: BestOrder[Named]
    profit: BestOrder[Named]
    tried: int
    different: int


class Orders(NamedTuple, Generic[Named]):
    """The orders of both sides.

    Attributes:
        attacker: The attacker's; None if they have no choice.
        defender: The defender's; None if they have no choice.
    """

    attacker: SideOrders[Named] | None
    defender: SideOrders[Named] | None


def no_choice_error() -> BattleError:
    """Return the error for a battle in which neither side has an order to choose."""
    return BattleError("units", "there is no casualty order to choose: neither side can lose two kinds of units")


def swap_kinds(names: Names, first: str, second: str) -> Names:
    """Return the order with two kinds swapped.

    Args:
        names: The order.
        first: A kind.
        second: Another kind.
    """
    return tuple({first: second, second: first}.get(name, name) for name in names)


def neighbours(names: Names) -> list[Names]:
    """Return the orders with two kinds swapped, or one moved.

    Args:
        names: The order.
    """
    near = [swap_kinds(names, *pair) for pair in combinations(names, 2)]
    for name in names:
        rest = [other for other in names if other != name]
        near += [(*rest[:place], name, *rest[place:]) for place in range(len(names))]
    return near


def best_for(
    orders: Sequence[Order[Named]],
    given: Order[Named],
    changed: Sequence[tuple[tuple[str, str], Order[Named]]],
    goal: OrderGoal,
    distance: Callable[[Named, Named], int],
) -> BestOrder[Named]:
    """Return the best of these orders; among equal ones the nearest to the order of the battle.

    Args:
        orders: The orders.
        given: The order of the battle.
        changed: For two kinds, the order after their swap in that of the battle.
        goal: What shall be as high as possible.
        distance: How far two orders differ.
    """
    first = _least_changed(orders, given, goal, distance)
    others = [order for order in orders if goal(order) < goal(first) - SAME]
    runner_up = _least_changed(others, given, goal, distance) if others else None
    here = goal(given)
    swap = max(changed, key=lambda change: goal(change[1]))
    if goal(swap[1]) <= here + SAME:
        swap = min(changed, key=lambda change: goal(change[1]))
    return BestOrder(first, runner_up, swap if abs(goal(swap[1]) - here) > SAME else None)


def _least_changed(
    orders: Sequence[Order[Named]], usual: Order[Named], goal: OrderGoal, distance: Callable[[Named, Named], int]
) -> Order[Named]:
    """The best order for a goal; among equal ones the nearest to the order of the battle."""
    highest = max(map(goal, orders))
    as_good = [order for order in orders if goal(order) >= highest - SAME]
    return min(as_good, key=lambda order: distance(order.names, usual.names))


def inversions(names: Names, usual: Names) -> int:
    """Return the number of pairs of kinds that stand the other way round.

    Args:
        names: An order.
        usual: Another order of the same kinds.
    """
    return sum(names.index(first) > names.index(second) for first, second in combinations(usual, 2))


def side_to_dict(side: SideOrders[Named], names_to_dict: Callable[[Named], dict[str, Any]]) -> dict[str, Any]:
    """Return the best orders of one side as a JSON document.

    Args:
        side: The orders.
        names_to_dict: Returns an order as fields of the document.
    """

    def to_dict(order: Order[Named] | None) -> dict[str, Any] | None:
        if order is None:
            return None
        return names_to_dict(order.names) | {"chance": clamp_chance(order.chance), "profit": order.profit}

    def goal(best: BestOrder[Named], goal: OrderGoal) -> dict[str, Any]:
        swap = best.swap and {"units": list(best.swap[0]), **(to_dict(best.swap[1]) or {})}
        gain = goal(best.order) - goal(side.given)
        return {"best": to_dict(best.order), "gain": gain, "runner_up": to_dict(best.runner_up), "swap": swap}

    return {
        "given": to_dict(side.given),
        "chance": goal(side.chance, chance_of),
        "profit": goal(side.profit, profit_of),
        "tried": side.tried,
        "orders": side.different,
    }
