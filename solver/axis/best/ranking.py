"""Orders of loss with their odds: the search for the best of them, and the kinds of answers."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import combinations
from typing import Any, Generic, NamedTuple, TypeVar

from solver.documents import clamp_chance
from solver.errors import BattleError, TooLargeError, explain_too_large

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


def _best_for(
    orders: Sequence[Order[Named]],
    usual: Order[Named],
    changed: Sequence[tuple[tuple[str, str], Order[Named]]],
    goal: OrderGoal,
    distance: Callable[[Named, Named], int],
) -> BestOrder[Named]:
    """The best of these orders for a goal; among equal ones the nearest to the usual one: see `OrderSearch.summary`."""
    first = _least_changed(orders, usual, goal, distance)
    others = [order for order in orders if goal(order) < goal(first) - SAME]
    runner_up = _least_changed(others, usual, goal, distance) if others else None
    here = goal(usual)
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
    """Return the number of pairs of kinds that stand the other way round in another order: see `Names`."""
    return sum(names.index(first) > names.index(second) for first, second in combinations(usual, 2))


class OrderSearch(ABC, Generic[Named]):
    """The search for the best orders of one side.

    Attributes:
        ours: Whether it is the attacker's side.
        usual: The order of the battle.
        size: How many orders there are, or another number that grows with it; 0 without a choice.
        known: The orders tried so far, by their effect: see `key`.
        spent: About how much work was done, in the unit of `Meter`.
    """

    ours: bool
    usual: Named
    size: int
    known: dict[Any, Order[Named]]
    spent: float = 0.0

    @abstractmethod
    def key(self, names: Named) -> Hashable:
        """Return a key that tells orders with different effects apart: see `Order.names`."""

    @abstractmethod
    def answer(self, limit: float) -> SideOrders[Named]:
        """Return the best orders that so much work finds; TooLargeError if it is too little. See `Meter`."""

    @abstractmethod
    def try_near(self, names: Named) -> bool:
        """Try the orders near one, see `Order.names`; return whether there was work left for it."""

    def keep(self, names: Named, wins: float, profit: float) -> None:
        """Remember the attacker's chance to win and profit under an order: see `Order`."""
        ours = self.ours
        self.known[self.key(names)] = Order(names, wins if ours else 1 - wins, profit if ours else -profit)

    def climb(self) -> None:
        """For each goal go from the best order on to a better one near it, as long as there is one and work is left."""
        for goal in (chance_of, profit_of):
            best, tried = None, max(self.known.values(), key=goal)
            while tried != best:
                best = tried
                if not self.try_near(best.names):
                    break
                tried = max(self.known.values(), key=goal)

    def summary(
        self, swaps: Iterable[tuple[tuple[str, str], Named]], different: int, distance: Callable[[Named, Named], int]
    ) -> SideOrders[Named]:
        """Return the best of the orders that were tried, of so many different ones: see `SideOrders`.

        `swaps` has for two kinds the order after their swap in that of the battle, `distance` is how far two differ.
        """
        orders, usual = list(self.known.values()), self.known[self.key(self.usual)]
        changed = [(pair, self.known[self.key(names)]) for pair, names in swaps]
        chance, profit = (_best_for(orders, usual, changed, goal, distance) for goal in (chance_of, profit_of))
        return SideOrders(usual, chance, profit, len(orders), different)


def best_of_sides(searches: Sequence[OrderSearch[Named]], limit: float, error: TooLargeError) -> Orders[Named]:
    """Return the best orders of both sides.

    Args:
        searches: The searches of the attacker and of the defender.
        limit: The most work, in the unit of `Meter`. A side with few orders leaves the rest of its work to the other.
        error: The error if that is too little.

    Raises:
        BattleError: If neither side has a choice.
    """
    sides = sorted((search for search in searches if search.size), key=lambda search: search.size)
    if not sides:
        raise BattleError("units", "there is no casualty order to choose: neither side can lose two kinds of units")
    answers: dict[bool, SideOrders[Named]] = {}
    for search in sides:
        with explain_too_large(error):
            answers[search.ours] = search.answer(limit / (len(sides) - len(answers)))
        limit -= search.spent
    return Orders(answers.get(True), answers.get(False))


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
