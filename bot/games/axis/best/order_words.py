"""The best orders of loss in words: their gain over the present order, and the two kinds that matter most."""

from collections.abc import Iterator
from typing import NamedTuple

from bot.editions import editions
from bot.games.axis.words import describe, in_money, join_words
from bot.languages import N_, _, _p, number
from bot.words.narrow import with_texts
from bot.words.numbers import exact_percent, signed_tenths
from solver.axis.battle import AxisBattle
from solver.axis.best.ranking import BestOrder, Order, Orders, SideOrders
from solver.axis.loss_order import usual_order
from solver.axis.units import ROLES, Role

LEAST_GAIN, LEAST_SHOWN = 0.0005, 0.05
"""The least gain of a chance, and the least points or money, that are worth a word."""
NAMES: dict[Role, str] = {"attack": N_("attacker"), "defence": N_("defender")}
CAPITALS: dict[Role, str] = {"attack": N_("Attacker"), "defence": N_("Defender")}


class SuccessTexts(NamedTuple):
    """The texts about a side's success: alone, with its chance, and with the chance under another order."""

    bare: str
    chance: str
    instead: str


SUCCESS_TEXTS = {
    ("attack", "land"): SuccessTexts(
        N_("takes it"),
        N_("takes it {chance}"),
        N_("**Attacker's best casualty order: {units}**, {chance} to take it ({given})"),
    ),
    ("attack", "sea"): SuccessTexts(
        N_("wins"), N_("wins {chance}"), N_("**Attacker's best casualty order: {units}**, {chance} to win ({given})")
    ),
    ("defence", "land"): SuccessTexts(
        N_("holds"), N_("holds {chance}"), N_("**Defender's best casualty order: {units}**, {chance} to hold ({given})")
    ),
    ("defence", "sea"): SuccessTexts(
        N_("is not beaten"),
        N_("is not beaten {chance}"),
        N_("**Defender's best casualty order: {units}**, {chance} not to be beaten ({given})"),
    ),
}


def order_lines(battle: AxisBattle, orders: Orders) -> list[str]:
    """Return the lines of the answer: the headline, the other side's order, the profits and the best swaps."""
    lines = [_verdict(battle, role, side) for role, side in _sides(orders)]
    lines[0] += f" · {describe(battle)} · {_(editions()[battle.rules.key].name)}"
    profits = [_profit(battle, role, side) for role, side in _sides(orders)]
    lines.append(_("For the TUV swing: {orders}", orders=" · ".join(profits)))
    swaps = [swap for role, side in _sides(orders) if (swap := _swap(battle, role, side))]
    if swaps:
        lines.append(_("The swap that matters most: {swaps}", swaps=" · ".join(swaps)))
    return lines


def _sides(orders: Orders) -> Iterator[tuple[Role, SideOrders]]:
    """Return the sides that have a choice."""
    for role, side in zip(ROLES, orders, strict=True):
        if side:
            yield role, side


def _verdict(battle: AxisBattle, role: Role, side: SideOrders) -> str:
    """Name the best order for a side's chance: "**Attacker's best casualty order: inf, fig, arm**, 85.3% ..."."""
    best, given, deed = side.chance.order, side.given, SUCCESS_TEXTS[role, battle.theatre]
    usual = _is_usual(battle, role, side)
    if best.names != given.names and best.chance >= given.chance + LEAST_GAIN:
        before, units = exact_percent(given.chance), _order_text(battle, best).replace(" ", ", ")
        now = _("usual order: {chance}", chance=before) if usual else _("yours: {chance}", chance=before)
        return _(deed.instead, chance=exact_percent(best.chance), given=now, units=units)
    if best.names != given.names:
        found = _("the usual order is almost the best") if usual else _("your order is almost the best")
    elif side.tried == side.different:
        found = _("the usual order is best") if usual else _("your order is best")
    else:
        found = _("the usual order is the best found") if usual else _("your order is the best found")
    return f"**{_(CAPITALS[role])}: {found}**, {_(deed.chance, chance=exact_percent(given.chance))}"


def _is_usual(battle: AxisBattle, role: Role, side: SideOrders) -> bool:
    """Return whether the battle has the usual order rather than one of the line."""
    usual = [name for name in usual_order(battle.rules, battle.theatre, role) if name in side.given.names]
    return tuple(usual) == side.given.names


def _profit(battle: AxisBattle, role: Role, side: SideOrders) -> str:
    """Name the best order for a side's profit: "attacker losing inf arm fig (+3.4 IPC, 1.2 more)"."""
    best, given = side.profit.order, side.given
    if best.names == given.names:
        words = _("the usual order") if _is_usual(battle, role, side) else _("your order")
    elif best.names == side.chance.order.names:
        words = _("the same order")
    else:
        words = _("losing {units}", units=_order_text(battle, best))
    money, more = in_money(battle, signed_tenths(best.profit)), round(best.profit - given.profit, 1)
    if more:
        money = f"{money}, {_('{money} more', money=number(more))}"
    return _("{side} {order} ({money})", side=_(NAMES[role]), order=words, money=money)


def _swap(battle: AxisBattle, role: Role, side: SideOrders) -> str:
    """Name the two kinds that matter most: "attacker arm and bom (+31.4 points to win, +0.9 IPC)"."""
    best = _swap_goal(side)
    if not best or not best.swap:
        return ""
    points, money = _change(side, best.swap[1])
    changes: list[str] = [_("{amount} points to win", amount=signed_tenths(points))] if best is side.chance else []
    changes += [in_money(battle, signed_tenths(money))] if abs(money) >= LEAST_SHOWN else []
    name, pair, told = _(NAMES[role]), _pair(battle, best.swap[0]), ", ".join(changes)
    return _("{side} {units} ({changes})", side=name, units=pair, changes=told)


def _swap_goal(side: SideOrders) -> BestOrder | None:
    """Return the goal that the swap changes: the chance, or the profit if no swap changes the chance."""
    for place, best in enumerate((side.chance, side.profit)):
        if best.swap and abs(_change(side, best.swap[1])[place]) >= LEAST_SHOWN:
            return best
    return None


def _change(side: SideOrders, order: Order) -> tuple[float, float]:
    """Return the gain of an order over that of the battle, in points of the chance and in money."""
    return 100 * (order.chance - side.given.chance), order.profit - side.given.profit


def _pair(battle: AxisBattle, kinds: tuple[str, str]) -> str:
    short = editions()[battle.rules.key].short
    return join_words([short[name] for name in kinds], units=True)


def _order_text(battle: AxisBattle, order: Order) -> str:
    """Write an order: "inf art fig bom arm"."""
    short = editions()[battle.rules.key].short
    return " ".join(short[name] for name in order.names)


# The table -----------------------------------------------------------------------------------------------


def rows(battle: AxisBattle, orders: Orders) -> tuple[str, ...]:
    """For each side its chance and TUV with each order, the best first, and below them the order and what it is."""
    lines: list[str] = []
    for role, side in _sides(orders):
        cells: list[list[str]] = [[_(SUCCESS_TEXTS[role, battle.theatre].bare), _p("column", "TUV")]]
        units: list[str] = [""]
        for order, labels in _orders_with_labels(battle, side).items():
            labels += [_("no attack")] if _is_declined(battle, role, order) else []
            cells.append([exact_percent(order.chance), signed_tenths(order.profit)])
            units.append(f"{_order_text(battle, order)}: {', '.join(labels)}")
        lines += ["", _(NAMES[role]), *with_texts(cells, ">>", units)]
    return tuple(lines[1:])


def _orders_with_labels(battle: AxisBattle, side: SideOrders) -> dict[Order, list[str]]:
    """Return the orders of a side, each once, with their labels."""
    same = side.chance.order == side.profit.order
    parts: list[tuple[Order, str]] = [(side.chance.order, _p("order", "best") if same else _("best win %"))]
    parts += [] if same else [(side.profit.order, _("best TUV"))]
    seconds = side.chance.runner_up, side.profit.runner_up
    for second, label in zip(seconds, (_("2nd win %"), _("2nd for TUV")), strict=True):
        parts += [(second, _p("order", "2nd") if seconds[0] == seconds[1] else label)] if second else []
    parts.append((side.given, _("as it is")))
    if (best := _swap_goal(side)) and best.swap:
        parts.append((best.swap[1], _("{units} swapped", units=_pair(battle, best.swap[0]))))
    labelled: dict[Order, list[str]] = {}
    for order, name in parts:
        names = labelled.setdefault(order, [])
        names += [name] if name not in names else []
    return labelled


def _is_declined(battle: AxisBattle, role: Role, order: Order) -> bool:
    """Return whether this order ends the attack at once, because a rule for retreating already applies."""
    taken = order.chance if role == "attack" else 1 - order.chance
    return bool(battle.retreat) and battle.decline_allowed and taken == order.profit == 0


def note(orders: Orders) -> str:
    """Say whether all orders were tried."""
    sides = list(_sides(orders))
    if all(side.tried == side.different for _role, side in sides):
        counts = join_words([str(side.different) for _role, side in sides])
        return f"{_('exact')} · {_('all {orders} orders tried', orders=counts)}"
    parts = {
        "attack": N_("{tried} of the attacker's {all} orders"),
        "defence": N_("{tried} of the defender's {all} orders"),
    }
    counts = join_words([_(parts[role], tried=side.tried, all=side.different) for role, side in sides])
    return _("the best found after trying {orders}", orders=counts)
