"""The best orders of loss of each side, in one wave or several: all are tried, or a search finds good ones.

A side has an order of its own in each wave, and the other side keeps its orders. Land units that are kept to the last,
and guns that are lost last but one, stay so.
"""

from collections.abc import Sequence
from math import factorial
from typing import Any

from solver.axis.battle import AxisBattle
from solver.axis.best.order_names import movable_units, roles_in_waves, with_order
from solver.axis.best.order_search import OrderSearch
from solver.axis.best.ranking import CHANCE, PROFIT, BestOrder, Order, OrderGoal, Orders, SideOrders
from solver.axis.sides import SIDES, Chooses
from solver.axis.solve import MOST_SECONDS
from solver.axis.units import ROLES
from solver.axis.waves.steps import waves_seconds
from solver.axis.waves.waves import Waves, as_waves
from solver.documents import clamp_chance
from solver.errors import BattleError, TooLargeError, explain_too_large
from solver.progress import takes


def _orders_seconds(battle: AxisBattle | Waves, _limit: float) -> float:
    waves = as_waves(battle)
    kinds = [len(movable_units(wave, role)) for wave in waves.battles for role in ROLES]
    orders = sum(min(factorial(min(count, 6)), 200) for count in kinds)
    return min(orders * waves_seconds(waves) / len(waves.battles), MOST_SECONDS)


@takes(_orders_seconds)
def best_orders(battle: AxisBattle | Waves, limit: float, which: Sequence[Chooses] | None = None) -> Orders:
    """Return the best orders of loss of each side, against the other side's orders in the battle.

    The attacker is the side that attacks first. In several waves a chance is that of holding the field at the end; for
    the defender it is the chance that the attacker does not.

    Args:
        battle: The battle.
        limit: About the most work that this may take, in the unit of `Meter`. A side with few orders leaves the rest of
            its work to the other.
        which: For each wave whether its attacker's order may change, and its defender's; None if all may.

    Raises:
        TooLargeError: If that is too little to try every swap of two kinds.
        BattleError: If neither side has a choice.

    Example:
        >>> from solver.axis.sides import Army
        >>> from solver.axis.units import Rules, Unit
        >>> infantry, tank = Unit("infantry", "land", 1, 2, 3), Unit("tank", "land", 3, 3, 6)
        >>> rules = Rules("1942", (infantry, tank), (("infantry", "tank"),) * 4)
        >>> battle = AxisBattle(rules, "land", Army.of({"infantry": 3, "tank": 2}), Army.of({"infantry": 4}))
        >>> orders = best_orders(battle, 1e9).attacker
        >>> orders.chance.order.names, orders.tried, round(orders.chance.runner_up.chance, 3)
        ((('infantry', 'tank'),), 2, 0.564)
    """
    waves = as_waves(battle)
    searches = [OrderSearch(waves, side, which or [(True, True)] * len(waves.battles)) for side in (0, 1)]
    sides = sorted((search for search in searches if search.size > 1), key=lambda search: search.size)
    if not sides:
        raise BattleError("units", "there is no casualty order to choose: neither side can lose two kinds of units")
    answers: dict[int, SideOrders] = {}
    for search in sides:
        with explain_too_large(_too_large(waves)):
            answers[search.side] = search.answer(limit / (len(sides) - len(answers)))
        limit -= search.spent
    return Orders(answers.get(0), answers.get(1))


def _too_large(waves: Waves) -> TooLargeError:
    if not waves.only:
        return TooLargeError(
            "waves", "these waves are too large to try other casualty orders; use fewer waves, units or kinds"
        )
    return TooLargeError(
        "units", "this battle is too large to try other casualty orders; use fewer units or fewer kinds"
    )


def orders_to_dict(waves: Waves, orders: Orders) -> dict[str, Any]:
    """Return the best orders as a JSON document: see `Orders`.

    Each can stand as `loss_order` in a document of the battle, for the army of the side in that wave.
    """
    sides = enumerate(zip(SIDES, orders, strict=True))
    return {name: best and _side_to_dict(waves, side, best) for side, (name, best) in sides}


def _side_to_dict(waves: Waves, number: int, side: SideOrders) -> dict[str, Any]:
    """The best orders of one side as a JSON document."""
    roles = roles_in_waves(waves, number)

    def to_dict(order: Order | None) -> dict[str, Any] | None:
        if order is None:
            return None
        battles = zip(map(with_order, waves.battles, roles, order.names), roles, strict=True)
        armies = [battle.army(role) for battle, role in battles]
        lists = [[name for name in army.loss_order if army.count(name)] for army in armies]
        names = {"loss_order": lists[0]} if waves.only else {"loss_orders": lists}
        return {**names, "chance": clamp_chance(order.chance), "profit": order.profit}

    def goal(best: BestOrder, goal: OrderGoal) -> dict[str, Any]:
        swap = best.swap and {"units": list(best.swap[0]), **(to_dict(best.swap[1]) or {})}
        gain = goal(best.order) - goal(side.given)
        return {"best": to_dict(best.order), "gain": gain, "runner_up": to_dict(best.runner_up), "swap": swap}

    return {
        "given": to_dict(side.given),
        "chance": goal(side.chance, CHANCE),
        "profit": goal(side.profit, PROFIT),
        "tried": side.tried,
        "orders": side.different,
    }
