"""Chosen casualties in words: what choosing gains a side, and what to lose now for the hits that may fall."""

from collections.abc import Iterator
from typing import NamedTuple

from bot.editions import editions
from bot.games.axis.best.order_words import NAMES, SUCCESS_TEXTS, OrderTexts
from bot.games.axis.money import in_money, signed_money, worth_of
from bot.games.axis.outcomes import law_of, success
from bot.languages import N_, _, _p, compose, join_texts
from bot.words.narrow import fold, with_texts
from bot.words.numbers import exact_percent, signed_tenths, victory
from solver.axis.battle import AxisBattle
from solver.axis.best.order_names import roles_in_waves
from solver.axis.best.ranking import Orders, SideOrders, WavesNames
from solver.axis.casualties.advice import FirstLosses
from solver.axis.casualties.limits import ChoiceGains, SideChoices, worth_of_odds
from solver.axis.odds import AxisOdds
from solver.axis.units import ROLES, Role
from solver.axis.waves.odds import WavesOdds
from solver.axis.waves.waves import Waves

LEAST_SHOWN = 0.05
"""The least points or money that are worth a number."""
MOST_ROWS = 8
TOO_LARGE = N_("This battle is too large to choose casualties round by round: these are the best fixed orders.")
WITH_ORDERS = {
    "takes it": N_("With fixed casualty orders the attacker takes it {chance}; {change}"),
    "wins": N_("With fixed casualty orders the attacker wins {chance}; {change}"),
    "holds it in the end": N_("With fixed casualty orders the attacker holds it in the end {chance}; {change}"),
}
"""The result of the fixed orders, by `Success.compared`."""
FIRED_BY = {
    "submarines": N_("{n} by subs"),
    "planes": N_("{n} by planes"),
    "guns": N_("{n} by AA guns"),
    "others": N_("{n} by others"),
}


class _ChoosingSide(NamedTuple):
    """A side with a choice: its role, its best orders, and what choosing brings it."""

    role: Role
    orders: SideOrders
    choices: SideChoices


def gain_text(battle: Waves, odds: AxisOdds | WavesOdds, usual: AxisOdds | WavesOdds) -> str:
    """Say what choosing changes, beside the odds where both sides follow their orders; "" if that is unknown."""
    stops = any(wave.retreat and any(wave.chooses) for wave in battle.battles)
    deed = _("choosing casualties and when to stop") if stops else _("choosing")
    if battle.aim == "profit":
        laws = law_of(odds), law_of(usual)
        if laws[0] is None or laws[1] is None:
            return ""
        more = float(laws[0].profits @ laws[0].chances - laws[1].profits @ laws[1].chances)
        if abs(more) < LEAST_SHOWN:
            return _("Compared with fixed casualty orders, {choosing} gains nothing", choosing=deed)
        money = in_money(battle.battles[0], signed_tenths(more))
        text = N_("Compared with fixed casualty orders, {choosing} changes the TUV swing by {money}")
        return _(text, choosing=deed, money=money)
    points = 100 * (odds.success - usual.success)
    change = _("{choosing} changes that by {points} points", choosing=deed, points=signed_tenths(points))
    if abs(points) < LEAST_SHOWN:
        change = _("{choosing} gains nothing", choosing=deed)
    return _(WITH_ORDERS[success(battle).compared], chance=victory(usual), change=change)


def too_large_text(battle: Waves, ordered: Waves, usual: AxisOdds | WavesOdds | None = None) -> str:
    """Say that these are odds with orders, with which ones, and perhaps what the orders of the line bring."""
    texts, orders, is_usual = OrderTexts(battle), [], True
    for side, role in enumerate(ROLES):
        there, was = (_chosen_orders(waves, battle, side) for waves in (ordered, battle))
        if order := texts.order(there):
            orders.append(compose("{side} {order}", side=_(NAMES[role]), order=order))
            is_usual = is_usual and texts.is_usual(role, was)
    if not orders:
        return _(TOO_LARGE)
    listed = " · ".join(orders)
    if usual:
        worth = worth_of_odds(usual, battle.aim)
        now = exact_percent(worth) if battle.aim == "takes" else in_money(battle.battles[0], signed_tenths(worth))
        listed = f"{listed} ({_(texts.wording.now[0 if is_usual else 1], chance=now)})"
    return _(
        "Too large to choose casualties round by round: these are the odds with the best fixed orders found, {orders}",
        orders=listed,
    )


def _chosen_orders(ordered: Waves, battle: Waves, side: int) -> WavesNames:
    """The orders of a side in the waves in which it chooses; empty ones in the others."""
    places = zip(ordered.battles, battle.battles, roles_in_waves(battle, side), strict=True)
    armies = [(wave.army(role), there.chooses[ROLES.index(role)]) for wave, there, role in places]
    return tuple(tuple(filter(army.count, army.loss_order)) if free else () for army, free in armies)


def choice_lines(battle: AxisBattle, orders: Orders, choices: ChoiceGains | None) -> list[str]:
    """Say how much choosing after each roll gains over the best fixed orders."""
    if choices is None:
        return [_(TOO_LARGE)]
    sides = list(_sides(orders, choices))
    gains = [_gain_text(battle, side) for side in sides]
    if not any(gains):
        # The table compares with the order of the battle, not with the best one.
        better = any(_gain(losses) for side in sides for losses in side.choices.takes.now)
        nothing = N_("Choosing gains nothing over the best order") if better else N_("Choosing gains nothing")
        return [_(nothing)] if gains else []
    text = N_("Choosing after each roll instead of keeping the best order: {sides}")
    if battle.retreat:
        text = N_("Choosing casualties and when to stop instead of keeping the best order and the plan: {sides}")
    return [_(text, sides=" · ".join(filter(None, gains)))]


def choice_rows(battle: AxisBattle, orders: Orders, choices: ChoiceGains | None) -> tuple[str, ...]:
    """Return for each side what to lose for the hits that may fall first, where that gains something over its order."""
    lines: list[str] = []
    for side in _sides(orders, choices) if choices else ():
        now = [losses for losses in side.choices.takes.now if losses.order_value is None or _gain(losses)]
        likely = sorted(now, key=lambda losses: -losses.chance)[:MOST_ROWS]
        shown = [losses for losses in now if losses in likely]
        if not any(_gain(losses) for losses in shown):
            continue
        cells: list[list[str]] = [[_("hits"), _p("column", "gain"), _p("column", "TUV")]]
        texts: list[str] = [""]
        for losses in shown:
            hits = ", ".join(_(FIRED_BY[who], n=count) for who, count in losses.by.items())
            gain, known = _gain(losses), losses.order_value is not None
            saved = worth_of(battle, side.role, losses.order_lose) - worth_of(battle, side.role, losses.lose)
            cells.append([hits or str(losses.hits), signed_tenths(gain) if known else "–", signed_money(saved)])
            texts.append(_losses_text(battle, losses))
        head = _(
            "{side}: what to lose now; gain in points over your order if you choose well afterwards, and TUV saved now",
            side=_(NAMES[side.role]),
        )
        lines += ["", *fold(head), *with_texts(cells, "<>>", texts)]
    return tuple(lines)


def _sides(orders: Orders, choices: ChoiceGains) -> Iterator[_ChoosingSide]:
    for role, order, choice in zip(ROLES, orders, choices, strict=True):
        if order and choice:
            yield _ChoosingSide(role, order, choice)


def _gain_text(battle: AxisBattle, side: _ChoosingSide) -> str:
    """Say what choosing gains a side: "attacker takes it 68.2% (+1.4), TUV swing +3.4 IPC (+0.2)"; "" for nothing."""
    takes, profit = side.choices.takes.value, side.choices.profit.value
    if side.role == "defence":
        takes, profit = 1 - takes, -profit
    points, money = 100 * (takes - side.orders.chance.order.chance), profit - side.orders.profit.order.profit
    gains = []
    if points >= LEAST_SHOWN:
        done = _(SUCCESS_TEXTS[side.role, battle.theatre].chance, chance=exact_percent(takes))
        gains.append(compose("{done} ({points})", done=done, points=signed_tenths(points)))
    if money >= LEAST_SHOWN:
        swing = in_money(battle, signed_tenths(profit))
        gains.append(_("TUV swing {money} ({more})", money=swing, more=signed_tenths(money)))
    return _("{side} {gains}", side=_(NAMES[side.role]), gains=join_texts(", ", gains)) if gains else ""


def _gain(losses: FirstLosses) -> float:
    """Return the points that the best losses gain over those by the order, 0 if next to none."""
    if losses.order_value is None:
        return 0.0
    gain = 100 * (losses.value - losses.order_value) * (-1 if losses.defends else 1)
    return gain if gain >= LEAST_SHOWN else 0.0


def _losses_text(battle: AxisBattle, losses: FirstLosses) -> str:
    """Name the units to lose and the ships to damage: "lose 2 sub 1 des, damage 1 bat"."""
    short = editions()[battle.rules.key].short
    lost, hurt = (
        " ".join(f"{count} {short[name]}" for name, count in units.items()) for units in (losses.lose, losses.damage)
    )
    parts = [_("lose {units}", units=lost)] if lost else []
    return ", ".join([*parts, _("damage {ships}", ships=hurt)] if hurt else parts)
