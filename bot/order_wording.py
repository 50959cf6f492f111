"""The best orders of loss in words: what they bring over the order that is there, and which two kinds matter."""

from collections.abc import Iterator

from bot.army_wording import counted, describe
from bot.editions import editions
from bot.matchup import write
from bot.replies import aligned
from bot.wording import certain, gained
from solver.axis import AxisBattle, usual_order
from solver.axis_orders import Best, Order, Orders, SideOrders
from solver.units import ROLES, Role

LEAST_GAIN, LEAST_TOLD = 0.0005, 0.05
"""The least gain of a chance, and the least points or money, that are worth a word."""
NAMES: dict[Role, str] = {"attack": "attacker", "defence": "defender"}


def answer(battle: AxisBattle, orders: Orders) -> str:
    """The whole answer but its table and small print."""
    lines = [_verdict(battle, role, side) for role, side in _sides(orders)]
    lines[0] += f" · {describe(battle)} · {editions()[battle.rules.key].name}"
    profits = [f"{NAMES[role]} {_profit(battle, role, side)}" for role, side in _sides(orders)]
    lines.append(f"For profit: {' · '.join(profits)}")
    swaps = [f"{NAMES[role]} {swap}" for role, side in _sides(orders) if (swap := _swap(battle, side))]
    if swaps:
        lines.append(f"The swap that matters most: {' · '.join(swaps)}")
    return "\n".join(lines)


def _sides(orders: Orders) -> Iterator[tuple[Role, SideOrders]]:
    """The sides that have a choice."""
    for role, side in zip(ROLES, orders, strict=True):
        if side:
            yield role, side


def _verdict(battle: AxisBattle, role: Role, side: SideOrders) -> str:
    """The best order for a side's chance: "**Attacker takes it 85.3 %, not 51.2 %**, losing inf art fig bom arm"."""
    name, deed = NAMES[role].capitalize(), _deed(battle, role)
    best, given = side.chance.order, side.given
    if best.names == given.names:
        found = "is best" if side.tried == side.different else "is the best found"
        return f"**{name}: {_given(battle, role, side)} {found}**, {deed} {certain(best.chance)}"
    if best.chance < given.chance + LEAST_GAIN:
        return f"**{name}: {_given(battle, role, side)} is all but best**, {deed} {certain(given.chance)}"
    return f"**{name} {deed} {certain(best.chance)}, not {certain(given.chance)}**, losing {_told(battle, best)}"


def _deed(battle: AxisBattle, role: Role) -> str:
    if role == "attack":
        return "takes it" if battle.theatre == "land" else "wins"
    return "keeps it" if battle.theatre == "land" else "is not beaten"


def _given(battle: AxisBattle, role: Role, side: SideOrders) -> str:
    """What the order of the battle is called."""
    usual = [name for name in usual_order(battle.rules, battle.theatre, role) if name in side.given.names]
    return "the usual order" if tuple(usual) == side.given.names else "the order in the line"


def _profit(battle: AxisBattle, role: Role, side: SideOrders) -> str:
    """What is best for the profit: "losing inf arm fig (+3.4 IPC, 1.2 more)"."""
    best, given = side.profit.order, side.given
    if best.names == given.names:
        words = _given(battle, role, side)
    elif best.names == side.chance.order.names:
        words = "the same order"
    else:
        words = f"losing {_told(battle, best)}"
    more = round(best.profit - given.profit, 1)
    return f"{words} ({gained(best.profit)} {counted(battle)}{f', {more} more' if more else ''})"


def _swap(battle: AxisBattle, side: SideOrders) -> str:
    """Which two kinds matter most, and by how much: "arm and bom (for the chance: +31.4 points, +0.9 IPC)"."""
    best = _swapped(side)
    if not best or not best.swap:
        return ""
    points, money = _change(side, best.swap[1])
    changes = [f"{gained(points)} points"] if best is side.chance else []
    changes += [f"{gained(money)} {counted(battle)}"] if abs(money) >= LEAST_TOLD else []
    return f"{_pair(battle, best)} (for the {'chance' if best is side.chance else 'profit'}: {', '.join(changes)})"


def _swapped(side: SideOrders) -> Best | None:
    """That of a side's goals by which the swap is told: the chance, or the profit where no swap changes the chance."""
    for place, best in enumerate((side.chance, side.profit)):
        if best.swap and abs(_change(side, best.swap[1])[place]) >= LEAST_TOLD:
            return best
    return None


def _change(side: SideOrders, order: Order) -> tuple[float, float]:
    """How much better an order is than that of the battle, in points of the chance and in money."""
    return 100 * (order.chance - side.given.chance), order.profit - side.given.profit


def _pair(battle: AxisBattle, best: Best) -> str:
    short = editions()[battle.rules.key].short
    return " and ".join(short[name] for name in best.swap[0]) if best.swap else ""


def _told(battle: AxisBattle, order: Order) -> str:
    """An order as it is told: "inf art fig bom arm"."""
    short = editions()[battle.rules.key].short
    return " ".join(short[name] for name in order.names)


# The table -----------------------------------------------------------------------------------------------


def rows(battle: AxisBattle, orders: Orders) -> tuple[str, ...]:
    """For each side the orders that are told of, the best first, with what it has of each."""
    cells: list[list[str]] = []
    for role, side in _sides(orders):
        cells.append([NAMES[role], _deed(battle, role), counted(battle), ""])
        for order, labels in _labelled(battle, side).items():
            labels += ["not made"] if _declined(battle, role, order) else []
            cells.append([_told(battle, order), certain(order.chance), gained(order.profit), ", ".join(labels)])
    return aligned(cells)


def _labelled(battle: AxisBattle, side: SideOrders) -> dict[Order, list[str]]:
    """The orders that are told of a side, each once, with what each is."""
    same = side.chance.order == side.profit.order
    told = [(side.chance.order, "best" if same else "best chance")]
    told += [] if same else [(side.profit.order, "best profit")]
    seconds = side.chance.runner_up, side.profit.runner_up
    for second, label in zip(seconds, ("2nd for chance", "2nd for profit"), strict=True):
        told += [(second, "2nd" if seconds[0] == seconds[1] else label)] if second else []
    told.append((side.given, "as it is"))
    if (best := _swapped(side)) and best.swap:
        told.append((best.swap[1], f"{_pair(battle, best)} swapped"))
    labelled: dict[Order, list[str]] = {}
    for order, label in told:
        labels = labelled.setdefault(order, [])
        labels += [label] if label not in labels else []
    return labelled


def _declined(battle: AxisBattle, role: Role, order: Order) -> bool:
    """Whether the attack is not made with this order, because a rule for retreating is satisfied before it begins."""
    taken = order.chance if role == "attack" else 1 - order.chance
    return bool(battle.retreat) and battle.decline_allowed and taken == order.profit == 0


def note(battle: AxisBattle, orders: Orders) -> str:
    """The small print: whether all orders were tried, and the line that brings the question back."""
    sides = list(_sides(orders))
    if all(side.tried == side.different for _, side in sides):
        sure = f"exact · all {' and '.join(str(side.different) for _, side in sides)} orders tried"
    else:
        counts = [f"{side.tried} of the {NAMES[role]}'s {side.different} orders" for role, side in sides]
        sure = f"the best found, tried {' and '.join(counts)}"
    return f"{sure} · `{write(battle)}`"
