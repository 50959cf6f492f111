"""The best orders of loss in words: their gain over the present order, and the two kinds that matter most.

Battles of one wave and of several have the same answer; `OrderTexts` has what differs.
"""

from collections.abc import Iterator
from typing import NamedTuple

from bot.editions import editions
from bot.games.axis.matchup import describe, join_words
from bot.games.axis.money import in_money
from bot.languages import N_, _, _p, number
from bot.words.narrow import with_texts
from bot.words.numbers import exact_percent, signed_tenths
from solver.axis.best.order_names import roles_in_waves
from solver.axis.best.ranking import BestOrder, Order, Orders, SideOrders, Swapped, WavesNames
from solver.axis.loss_order import usual_order
from solver.axis.units import ROLES, Role
from solver.axis.waves.waves import Waves

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
IN_THE_END: dict[tuple[Role, str], SuccessTexts] = {
    ("attack", "land"): SuccessTexts(
        N_("holds it"),
        N_("holds it in the end {chance}"),
        N_("**Attacker's best casualty orders: {units}**, {chance} to hold it in the end ({given})"),
    ),
    ("defence", "land"): SuccessTexts(
        N_("holds it"),
        N_("holds it in the end {chance}"),
        N_("**Defender's best casualty orders: {units}**, {chance} to hold it in the end ({given})"),
    ),
    ("defence", "sea"): SuccessTexts(
        N_("stops the attacker"),
        N_("stops the attacker {chance}"),
        N_("**Defender's best casualty orders: {units}**, {chance} to stop the attacker ({given})"),
    ),
}
IN_THE_END["attack", "sea"] = IN_THE_END["attack", "land"]


class Wording(NamedTuple):
    """How the order of the battle is named, or its orders if it has several: the usual one, and one of the line."""

    now: tuple[str, str] = (N_("usual order: {chance}"), N_("yours: {chance}"))
    almost: tuple[str, str] = (N_("the usual order is almost the best"), N_("your order is almost the best"))
    best: tuple[str, str] = (N_("the usual order is best"), N_("your order is best"))
    best_tried: tuple[str, str] = (N_("the usual order is the best found"), N_("your order is the best found"))
    given: tuple[str, str] = (N_("the usual order"), N_("your order"))
    same: str = N_("the same order")
    every: str = N_("all orders tried: {orders}")
    some: tuple[str, str] = (N_("{tried} of the attacker's {all} orders"), N_("{tried} of the defender's {all} orders"))


ONE_ORDER = Wording()
SEVERAL_ORDERS = Wording(
    (N_("usual orders: {chance}"), N_("yours: {chance}")),
    (N_("the usual orders are almost the best"), N_("your orders are almost the best")),
    (N_("the usual orders are best"), N_("your orders are best")),
    (N_("the usual orders are the best found"), N_("your orders are the best found")),
    (N_("the usual orders"), N_("your orders")),
    N_("the same orders"),
    N_("all combinations of orders tried: {orders}"),
    (
        N_("{tried} of the attacker's {all} combinations of orders"),
        N_("{tried} of the defender's {all} combinations of orders"),
    ),
)


class OrderTexts:
    """The texts about the orders of a battle.

    `battle` says how money is counted, `about` what the battle is, and `success` how a side's success is named.
    """

    def __init__(self, battle: Waves) -> None:
        self.waves, self.several = battle.battles, not battle.only
        self.roles = {role: roles_in_waves(battle, number) for number, role in enumerate(ROLES)}
        self.battle, *_later = self.waves
        edition = editions()[self.battle.rules.key]
        self.short = edition.short
        self.about = f"{describe(battle)} · {_(edition.name)}"
        texts = IN_THE_END if self.several else SUCCESS_TEXTS
        self.success = {role: texts[role, self.battle.theatre] for role in ROLES}
        self.wording = SEVERAL_ORDERS if self.several else ONE_ORDER

    def order(self, names: WavesNames) -> str:
        """Write orders, without waves in which nothing can change places."""
        units = [" ".join(self.short[name] for name in kinds) for kinds in names]
        if not self.several:
            return units[0]
        waves = [number for number, kinds in enumerate(names) if len(kinds) > 1]
        return "; ".join(_("wave {wave} {units}", wave=number + 1, units=units[number]) for number in waves)

    def change(self, names: WavesNames, current: WavesNames) -> str:
        """Write the best orders where others are given; what stays as it is in a wave goes without saying."""
        changed = tuple(kinds if kinds != other else () for kinds, other in zip(names, current, strict=True))
        return self.order(changed) if self.several else self.order(names).replace(" ", ", ")

    def pair(self, swap: Swapped, current: WavesNames) -> str:
        """Name the two kinds of a swap in the orders of the battle."""
        kinds, after = swap
        units = join_words([self.short[name] for name in kinds], units=True)
        if not self.several:
            return units
        wave = next(number for number, order_there in enumerate(after.names) if order_there != current[number])
        return _("{units} in wave {wave}", units=units, wave=wave + 1)

    def is_usual(self, role: Role, names: WavesNames) -> bool:
        """Tell whether the orders of a side are the usual ones of its kinds of units."""
        for wave, there, kinds in zip(self.waves, self.roles[role], names, strict=True):
            usual = usual_order(wave.rules, wave.theatre, there)
            if tuple(name for name in usual if name in kinds) != kinds:
                return False
        return True

    def is_declined(self, role: Role, order: Order) -> bool:
        """Tell whether an order ends the attack at once, because a rule for retreating already applies."""
        taken = order.chance if role == "attack" else 1 - order.chance
        retreats = bool(self.battle.retreat) and self.battle.decline_allowed
        return retreats and not self.several and taken == order.profit == 0


def order_lines(texts: OrderTexts, orders: Orders) -> list[str]:
    """Return the lines of the answer: the headline, the other side's order, the profits and the best swaps."""
    lines = [_verdict(texts, role, side) for role, side in _sides(orders)]
    lines[0] += f" · {texts.about}"
    profits = [_profit(texts, role, side) for role, side in _sides(orders)]
    lines.append(_("For the TUV swing: {orders}", orders=" · ".join(profits)))
    swaps = [swap for role, side in _sides(orders) if (swap := _swap(texts, role, side))]
    if swaps:
        lines.append(_("The swap that matters most: {swaps}", swaps=" · ".join(swaps)))
    return lines


def _sides(orders: Orders) -> Iterator[tuple[Role, SideOrders]]:
    """Return the sides that have a choice."""
    for role, side in zip(ROLES, orders, strict=True):
        if side:
            yield role, side


def _verdict(texts: OrderTexts, role: Role, side: SideOrders) -> str:
    """Name the best order for a side's chance: "**Attacker's best casualty order: inf, fig, arm**, 85.3% ..."."""
    best, current, deed = side.chance.order, side.given, texts.success[role]
    of = 0 if texts.is_usual(role, current.names) else 1
    if best.names != current.names and best.chance >= current.chance + LEAST_GAIN:
        now = _(texts.wording.now[of], chance=exact_percent(current.chance))
        units = texts.change(best.names, current.names)
        return _(deed.instead, chance=exact_percent(best.chance), given=now, units=units)
    if best.names != current.names:
        text = texts.wording.almost[of]
    else:
        text = (texts.wording.best if side.tried == side.different else texts.wording.best_tried)[of]
    return f"**{_(CAPITALS[role])}: {_(text)}**, {_(deed.chance, chance=exact_percent(current.chance))}"


def _profit(texts: OrderTexts, role: Role, side: SideOrders) -> str:
    """Name the best order for a side's profit: "attacker losing inf arm fig (+3.4 IPC, 1.2 more)"."""
    best, current = side.profit.order, side.given
    if best.names == current.names:
        words = _(texts.wording.given[0 if texts.is_usual(role, current.names) else 1])
    elif best.names == side.chance.order.names:
        words = _(texts.wording.same)
    else:
        words = _("losing {units}", units=texts.order(best.names))
    money, more = in_money(texts.battle, signed_tenths(best.profit)), round(best.profit - current.profit, 1)
    if more:
        money = f"{money}, {_('{money} more', money=number(more))}"
    return _("{side} {order} ({money})", side=_(NAMES[role]), order=words, money=money)


def _swap(texts: OrderTexts, role: Role, side: SideOrders) -> str:
    """Name the two kinds that matter most: "attacker arm and bom (+31.4 points to win, +0.9 IPC)"."""
    best = _swap_goal(side)
    if not best or not best.swap:
        return ""
    points, money = _change(side, best.swap[1])
    changes: list[str] = [_("{amount} points to win", amount=signed_tenths(points))] if best is side.chance else []
    changes += [in_money(texts.battle, signed_tenths(money))] if abs(money) >= LEAST_SHOWN else []
    name, pair, changed = _(NAMES[role]), texts.pair(best.swap, side.given.names), ", ".join(changes)
    return _("{side} {units} ({changes})", side=name, units=pair, changes=changed)


def _swap_goal(side: SideOrders) -> BestOrder | None:
    """Return the goal that the swap changes: the chance, or the profit if no swap changes the chance."""
    for place, best in enumerate((side.chance, side.profit)):
        if best.swap and abs(_change(side, best.swap[1])[place]) >= LEAST_SHOWN:
            return best
    return None


def _change(side: SideOrders, order: Order) -> tuple[float, float]:
    """Return the gain of an order over that of the battle, in points of the chance and in money."""
    return 100 * (order.chance - side.given.chance), order.profit - side.given.profit


def rows(texts: OrderTexts, orders: Orders) -> tuple[str, ...]:
    """For each side its chance and TUV with each order, the best first, and below them the order and what it is."""
    lines: list[str] = []
    for role, side in _sides(orders):
        cells: list[list[str]] = [[_(texts.success[role].bare), _p("column", "TUV")]]
        units: list[str] = [""]
        for order, labels in _orders_with_labels(texts, side).items():
            labels += [_("no attack")] if texts.is_declined(role, order) else []
            cells.append([exact_percent(order.chance), signed_tenths(order.profit)])
            units.append(f"{texts.order(order.names)}: {', '.join(labels)}")
        lines += ["", _(NAMES[role]), *with_texts(cells, ">>", units)]
    return tuple(lines[1:])


def _orders_with_labels(texts: OrderTexts, side: SideOrders) -> dict[Order, list[str]]:
    """Return the orders of a side, each once, with their labels."""
    same = side.chance.order == side.profit.order
    parts: list[tuple[Order, str]] = [(side.chance.order, _p("order", "best") if same else _("best win %"))]
    parts += [] if same else [(side.profit.order, _("best TUV"))]
    seconds = side.chance.runner_up, side.profit.runner_up
    for second, label in zip(seconds, (_("2nd win %"), _("2nd for TUV")), strict=True):
        parts += [(second, _p("order", "2nd") if seconds[0] == seconds[1] else label)] if second else []
    parts.append((side.given, _("as it is")))
    if (best := _swap_goal(side)) and best.swap:
        parts.append((best.swap[1], _("{units} swapped", units=texts.pair(best.swap, side.given.names))))
    labelled: dict[Order, list[str]] = {}
    for order, name in parts:
        names = labelled.setdefault(order, [])
        names += [name] if name not in names else []
    return labelled


def note(wording: Wording, orders: Orders) -> str:
    """Say whether all orders were tried."""
    sides = list(_sides(orders))
    if all(side.tried == side.different for _role, side in sides):
        counts = join_words([str(side.different) for _role, side in sides])
        return f"{_('exact')} · {_(wording.every, orders=counts)}"
    parts = dict(zip(ROLES, wording.some, strict=True))
    counts = join_words([_(parts[role], tried=side.tried, all=side.different) for role, side in sides])
    return _("the best found after trying {orders}", orders=counts)
