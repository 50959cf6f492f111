"""The best orders of loss in words: what they bring over the order that is there, and which two kinds matter."""

from collections.abc import Iterator
from typing import NamedTuple

from bot.army_wording import describe, in_money, listed
from bot.editions import editions
from bot.languages import N_, _, _p, number
from bot.matchup import write
from bot.narrow import with_texts
from bot.wording import certain, gained
from solver.axis import AxisBattle, usual_order
from solver.axis_orders import Best, Order, Orders, SideOrders
from solver.units import ROLES, Role

LEAST_GAIN, LEAST_TOLD = 0.0005, 0.05
"""The least gain of a chance, and the least points or money, that are worth a word."""
NAMES: dict[Role, str] = {"attack": N_("attacker"), "defence": N_("defender")}
CAPITALS: dict[Role, str] = {"attack": N_("Attacker"), "defence": N_("Defender")}


class Deed(NamedTuple):
    """What a side does that has won: by itself, with the chance, and with that of another order."""

    bare: str
    chance: str
    instead: str


DEEDS = {
    ("attack", "land"): Deed(
        N_("takes it"),
        N_("takes it {chance}"),
        N_("**Attacker's best casualty order: {units}**, {chance} to take it ({given})"),
    ),
    ("attack", "sea"): Deed(
        N_("wins"), N_("wins {chance}"), N_("**Attacker's best casualty order: {units}**, {chance} to win ({given})")
    ),
    ("defence", "land"): Deed(
        N_("holds"), N_("holds {chance}"), N_("**Defender's best casualty order: {units}**, {chance} to hold ({given})")
    ),
    ("defence", "sea"): Deed(
        N_("is not beaten"),
        N_("is not beaten {chance}"),
        N_("**Defender's best casualty order: {units}**, {chance} not to be beaten ({given})"),
    ),
}


def answer(battle: AxisBattle, orders: Orders) -> str:
    """The whole answer but its table and small print."""
    lines = [_verdict(battle, role, side) for role, side in _sides(orders)]
    lines[0] += f" · {describe(battle)} · {_(editions()[battle.rules.key].name)}"
    profits = [_profit(battle, role, side) for role, side in _sides(orders)]
    lines.append(_("For the TUV swing: {orders}", orders=" · ".join(profits)))
    swaps = [swap for role, side in _sides(orders) if (swap := _swap(battle, role, side))]
    if swaps:
        lines.append(_("The swap that matters most: {swaps}", swaps=" · ".join(swaps)))
    return "\n".join(lines)


def _sides(orders: Orders) -> Iterator[tuple[Role, SideOrders]]:
    """The sides that have a choice."""
    for role, side in zip(ROLES, orders, strict=True):
        if side:
            yield role, side


def _verdict(battle: AxisBattle, role: Role, side: SideOrders) -> str:
    """The best order for a side's chance: "**Attacker's best casualty order: inf, fig, arm**, 85.3% to take it ..."."""
    best, given, deed = side.chance.order, side.given, DEEDS[role, battle.theatre]
    usual = _is_usual(battle, role, side)
    if best.names != given.names and best.chance >= given.chance + LEAST_GAIN:
        before, units = certain(given.chance), _told(battle, best).replace(" ", ", ")
        now = _("usual order: {chance}", chance=before) if usual else _("yours: {chance}", chance=before)
        return _(deed.instead, chance=certain(best.chance), given=now, units=units)
    if best.names != given.names:
        found = _("the usual order is almost the best") if usual else _("your order is almost the best")
    elif side.tried == side.different:
        found = _("the usual order is best") if usual else _("your order is best")
    else:
        found = _("the usual order is the best found") if usual else _("your order is the best found")
    return f"**{_(CAPITALS[role])}: {found}**, {_(deed.chance, chance=certain(given.chance))}"


def _is_usual(battle: AxisBattle, role: Role, side: SideOrders) -> bool:
    """Whether the order of the battle is the usual one, not one that the line gives."""
    usual = [name for name in usual_order(battle.rules, battle.theatre, role) if name in side.given.names]
    return tuple(usual) == side.given.names


def _profit(battle: AxisBattle, role: Role, side: SideOrders) -> str:
    """What is best for a side's profit: "attacker losing inf arm fig (+3.4 IPC, 1.2 more)"."""
    best, given = side.profit.order, side.given
    if best.names == given.names:
        words = _("the usual order") if _is_usual(battle, role, side) else _("your order")
    elif best.names == side.chance.order.names:
        words = _("the same order")
    else:
        words = _("losing {units}", units=_told(battle, best))
    money, more = in_money(battle, gained(best.profit)), round(best.profit - given.profit, 1)
    if more:
        money = f"{money}, {_('{money} more', money=number(more))}"
    return _("{side} {order} ({money})", side=_(NAMES[role]), order=words, money=money)


def _swap(battle: AxisBattle, role: Role, side: SideOrders) -> str:
    """Which two kinds matter most, and by how much: "attacker arm and bom (+31.4 points to win, +0.9 IPC)"."""
    best = _swapped(side)
    if not best or not best.swap:
        return ""
    points, money = _change(side, best.swap[1])
    changes: list[str] = [_("{amount} points to win", amount=gained(points))] if best is side.chance else []
    changes += [in_money(battle, gained(money))] if abs(money) >= LEAST_TOLD else []
    name, pair, told = _(NAMES[role]), _pair(battle, best.swap[0]), ", ".join(changes)
    return _("{side} {units} ({changes})", side=name, units=pair, changes=told)


def _swapped(side: SideOrders) -> Best | None:
    """That of a side's goals by which the swap is told: the chance, or the profit where no swap changes the chance."""
    for place, best in enumerate((side.chance, side.profit)):
        if best.swap and abs(_change(side, best.swap[1])[place]) >= LEAST_TOLD:
            return best
    return None


def _change(side: SideOrders, order: Order) -> tuple[float, float]:
    """How much better an order is than that of the battle, in points of the chance and in money."""
    return 100 * (order.chance - side.given.chance), order.profit - side.given.profit


def _pair(battle: AxisBattle, kinds: tuple[str, str]) -> str:
    short = editions()[battle.rules.key].short
    return listed([short[name] for name in kinds], units=True)


def _told(battle: AxisBattle, order: Order) -> str:
    """An order as it is told: "inf art fig bom arm"."""
    short = editions()[battle.rules.key].short
    return " ".join(short[name] for name in order.names)


# The table -----------------------------------------------------------------------------------------------


def rows(battle: AxisBattle, orders: Orders) -> tuple[str, ...]:
    """For each side its chance and TUV with each order, the best first, and below them the order and what it is."""
    lines: list[str] = []
    for role, side in _sides(orders):
        cells: list[list[str]] = [[_(DEEDS[role, battle.theatre].bare), _p("column", "TUV")]]
        units: list[str] = [""]
        for order, labels in _labelled(battle, side).items():
            labels += [_("no attack")] if _declined(battle, role, order) else []
            cells.append([certain(order.chance), gained(order.profit)])
            units.append(f"{_told(battle, order)}: {', '.join(labels)}")
        lines += ["", _(NAMES[role]), *with_texts(cells, ">>", units)]
    return tuple(lines[1:])


def _labelled(battle: AxisBattle, side: SideOrders) -> dict[Order, list[str]]:
    """The orders that are told of a side, each once, with what each is."""
    same = side.chance.order == side.profit.order
    told: list[tuple[Order, str]] = [(side.chance.order, _p("order", "best") if same else _("best win %"))]
    told += [] if same else [(side.profit.order, _("best TUV"))]
    seconds = side.chance.runner_up, side.profit.runner_up
    for second, label in zip(seconds, (_("2nd win %"), _("2nd for TUV")), strict=True):
        told += [(second, _p("order", "2nd") if seconds[0] == seconds[1] else label)] if second else []
    told.append((side.given, _("as it is")))
    if (best := _swapped(side)) and best.swap:
        told.append((best.swap[1], _("{units} swapped", units=_pair(battle, best.swap[0]))))
    labelled: dict[Order, list[str]] = {}
    for order, name in told:
        names = labelled.setdefault(order, [])
        names += [name] if name not in names else []
    return labelled


def _declined(battle: AxisBattle, role: Role, order: Order) -> bool:
    """Whether the attack is not made with this order, because a rule for retreating is satisfied before it begins."""
    taken = order.chance if role == "attack" else 1 - order.chance
    return bool(battle.retreat) and battle.decline_allowed and taken == order.profit == 0


def note(battle: AxisBattle, orders: Orders) -> str:
    """The small print: whether all orders were tried, and the line that brings the question back."""
    sides = list(_sides(orders))
    if all(side.tried == side.different for _role, side in sides):
        counts = listed([str(side.different) for _role, side in sides])
        sure: str = f"{_('exact')} · {_('all {orders} orders tried', orders=counts)}"
    else:
        parts = {
            "attack": N_("{tried} of the attacker's {all} orders"),
            "defence": N_("{tried} of the defender's {all} orders"),
        }
        counts = listed([_(parts[role], tried=side.tried, all=side.different) for role, side in sides])
        sure = _("the best found after trying {orders}", orders=counts)
    return f"{sure} · `{write(battle)}`"
