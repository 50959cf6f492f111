"""Odds of Axis & Allies in words: who takes it, what it costs, who is left, and in which order units are lost."""

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from bot.editions import Edition, editions
from bot.languages import N_, _, _n, _p, number, sentence, shortest
from bot.matchup import write
from bot.matchup.armies_writing import told_units
from bot.narrow import folded, narrow
from bot.replies import with_remarks
from bot.wording import CALLED_OFF, HELD, about_rounds, exactness, fated, gained, percent, tenths, uncertain, victory
from solver.axis import AxisBattle
from solver.axis_odds import AxisOdds, percentiles
from solver.sides import Side
from solver.units import Role
from solver.waves_together import Together

MOST_ENDS = 6
LONGEST_SIDE = 44
FATES = {
    "holds": HELD,
    "cleared": N_("attacker clears it"),
    "dived": N_("defender submerged"),
    "both": N_("stalemate"),
    "nobody": N_("both wiped out"),
}


def verdict(battle: AxisBattle, odds: AxisOdds) -> str:
    """Who wins, in a few words; whatever else can happen is named."""
    if odds.declined:
        return _("No attack is made")
    wins = victory(odds)
    words: list[str] = [
        _("Attacker takes it: {chance}", chance=wins) if odds.land else _("Attacker wins {chance}", chance=wins)
    ]
    names = fate_names(battle)
    words += [fated(names[fate], percent(odds.fates[fate], odds)) for fate in names if odds.fates[fate] > 0]
    return ", ".join(words)


def both(battle: AxisBattle, short: bool = False) -> str:
    """What it is called when both sides are left at the end; short, to stand between two others in a picture."""
    if battle.retreat or battle.round_limit is not None:
        return _p("short", "attack called off") if short else _(CALLED_OFF)
    return _p("short", "stalemate") if short else _(FATES["both"])


def fate_names(battle: AxisBattle, short: bool = False) -> dict[str, str]:
    """What each way to end but the attacker's victory is called; short, to stand between two others in a picture."""
    names: dict[str, str] = _short_fates() if short else {fate: _(name) for fate, name in FATES.items()}
    bombards = {"nobody": names["cleared"]} if only_bombards(battle) else {}
    return names | {"both": both(battle, short)} | bombards


def only_bombards(battle: AxisBattle) -> bool:
    """Whether ships alone attack a territory: whoever is left there, the ships are."""
    alone = all(battle.rules.table[name].kind == "sea" for name, _count in battle.attacker.units)
    return alone and battle.theatre == "land"


def _short_fates() -> dict[str, str]:
    return {
        "holds": _p("short", "defender holds"),
        "cleared": _p("short", "attacker clears it"),
        "dived": _p("short", "defender submerged"),
        "nobody": _p("short", "both wiped out"),
    }


def answer(battle: AxisBattle, odds: AxisOdds, remarks: Sequence[str] = ()) -> str:
    """The whole answer but its table and small print."""
    edition = editions()[battle.rules.key]
    lines = [f"**{verdict(battle, odds)}** · {describe(battle)} · {_(edition.name)}"]
    remarks = [*remarks, *caveats(edition, odds)]
    if odds.declined:
        lines.append(_("A retreat rule applies before the first shot. Add `decline:no` to attack anyway."))
    else:
        lines += [gain(battle, odds), losses(battle, odds)]
    return with_remarks("\n".join(lines), remarks)


def caveats(edition: Edition, odds: AxisOdds) -> list[str]:
    """What to know before these odds are believed."""
    if odds.unplanned:
        plain = _("Too large to plan ahead: the rules for profit and win chance are ignored")
        return [*edition.remarks, plain]
    return edition.remarks


def describe(battle: AxisBattle) -> str:
    """Who meets whom: "3 inf 2 arm against 5 inf"; of great armies only how many units."""
    edition = editions()[battle.rules.key]
    ours, theirs = told_side(battle.attacker, edition), told_side(battle.defender, edition)
    return _("{attackers} against {defenders}", attackers=ours, defenders=theirs)


def told_side(side: Side, edition: Edition) -> str:
    """The units of a side, or of a great army only how many."""
    told = told_units(dict(side.units), edition)
    return told if len(told) <= LONGEST_SIDE else _n("{n} unit", "{n} units", sum(count for _name, count in side.units))


def listed(words: Sequence[str], units: bool = False) -> str:
    """Words in a sentence: "6", "6 and 2"; of `units`: "inf and arm"."""
    told, *more = words
    for word in more:
        both = _p("units", "{some} and {more}", some=told, more=word)
        told = both if units else _("{some} and {more}", some=told, more=word)
    return told


def losses(battle: AxisBattle, odds: AxisOdds) -> str:
    """Say what each side loses on average, its units in casualty order and what they are worth."""
    ours, theirs = (hundredths(_whole(battle, role)) for role in ("attack", "defence"))
    lost, beaten = (tenths(loss) for loss in money_lost(odds))
    return _(
        "Average losses: attacker {units} ({lost} of {ours}); defender {others} ({beaten} of {theirs})",
        units=_lost_units(battle, "attack", odds) or _("nothing"),
        lost=lost,
        ours=in_money(battle, ours),
        others=_lost_units(battle, "defence", odds),
        beaten=beaten,
        theirs=in_money(battle, theirs),
    )


def _lost_units(battle: AxisBattle, role: Role, odds: AxisOdds) -> str:
    """List the units of a side in casualty order, each with how many fall on average: "2.9 inf, 1.8 arm"."""
    short, table = editions()[battle.rules.key].short, battle.rules.table
    lost = odds.lost_units(defenders=role == "defence")
    # Damaged ships are counted with those that were whole, wherever the first of them stand.
    names = dict.fromkeys(table[unit].repaired or unit for unit in battle.order_of_loss(role))
    return ", ".join(f"{number(lost.get(name, 0.0))} {short[name]}" for name in names)


def gain(battle: AxisBattle, odds: AxisOdds | Together) -> str:
    """Say what the attacker gains: "TUV swing: +1.5 IPC on average, median +5 (8 battles in 10: −21 to +17)"."""
    swing = spread(battle, odds)
    if battle.deadzone or battle.territory_value:
        return _("{profit}, territory included", profit=swing)
    return swing


def money_lost(odds: AxisOdds) -> tuple[float, float]:
    """The worth of the units that the attacker and the defender lose on average, without the territory."""
    return odds.attacker_loss + odds.territory, odds.defender_loss


def _whole(battle: AxisBattle, role: Role) -> float:
    """The money a side can lose: ships that bombard a battle on land are in no danger."""
    return round(sum(one.unit.cost * one.units for one in battle.segments(role) if not one.spare), 2)


def counted(battle: AxisBattle) -> str:
    """Name what the value of units is counted in: the game's money, or what somebody counts instead."""
    return {"value": _("value"), "units": _("units"), "IPC": _("IPC")}[_measure(battle)]


def in_money(battle: AxisBattle, amount: str) -> str:
    """Write an amount of that: "20 IPC"; of own prices the bare number."""
    measure = _measure(battle)
    if measure == "value":
        return amount
    return _("{amount} units", amount=amount) if measure == "units" else _("{amount} IPC", amount=amount)


def _measure(battle: AxisBattle) -> Literal["value", "units", "IPC"]:
    if battle.worth.has_prices or battle.worth.measure == "power":
        return "value"
    return "units" if battle.worth.measure == "units" else "IPC"


def spread(battle: AxisBattle, odds: AxisOdds | Together) -> str:
    """Say what the TUV swing is on average, its median, and between which values most battles end."""
    amounts, chances = odds.profit
    low, median, high = percentiles(amounts, chances)
    if len(amounts) == 1:
        return _("TUV swing: always {amount}", amount=in_money(battle, signed(low)))
    return _(
        "TUV swing: {mean} on average, median {median} (8 battles in 10: {range})",
        mean=in_money(battle, gained(float(amounts @ chances))),
        median=signed(median),
        range=_range(low, high),
    )


def short_spread(odds: AxisOdds | Together) -> str:
    """Say the same in few words: "8 battles in 10: TUV swing −23 to +14"."""
    amounts, _chances = odds.profit
    if len(amounts) == 1:
        return _("TUV swing: always {amount}", amount=signed(float(amounts[0])))
    return _("8 battles in 10: TUV swing {range}", range=swing_range(odds))


def swing_range(odds: AxisOdds | Together) -> str:
    """Write between which TUV swings 8 battles in 10 end."""
    low, _median, high = percentiles(*odds.profit)
    return _range(low, high)


def _range(low: float, high: float) -> str:
    """Write two amounts, or the one they both are: "−23 to +14"."""
    return _p("signed", "{least} to {most}", least=signed(low), most=signed(high)) if low < high else signed(low)


def signed(amount: float) -> str:
    """Money with its sign: "+14", "−2.5", to the hundredth."""
    amount = round(amount, 2)
    return f"{'−' if amount < 0 else '+' * (amount > 0)}{hundredths(abs(amount))}"


def hundredths(amount: float) -> str:
    """Money with as many decimals as it has: "14", "2.5", to the hundredth."""
    return shortest(round(amount, 2), 15)


def ends(odds: AxisOdds, edition: Edition) -> tuple[str, ...]:
    """The likeliest ways to end, one a row: how likely, and who is left of both sides."""
    # Each fate is put in words once: there may be hundreds of thousands of ends.
    codes: dict[str, int] = {}
    ours, theirs = (
        np.array([codes.setdefault(left_words(fate.left, fate.gone, edition), len(codes)) for fate in fates])
        for fates in (odds.attackers, odds.defenders)
    )
    words = list(codes)
    joint, place = np.unique(ours[odds.rows] * len(words) + theirs[odds.columns], return_inverse=True)
    chances = np.bincount(place, odds.chances)
    likeliest = np.argsort(-chances, kind="stable")
    ranked = [
        ((words[joint[end] // len(words)], words[joint[end] % len(words)]), float(chances[end]))
        for end in likeliest[:MOST_ENDS].tolist()
    ]
    rest = float(chances[likeliest[MOST_ENDS:]].sum())
    cells: list[list[str]] = [["", _("attacker left"), _("defender left")]]
    likely = [percent(of, odds, float(len(joint) > 1)) for _sides, of in ranked]
    # The rest may be likelier than each of them, and its chance longer.
    width = max(map(len, [*likely, uncertain(rest)] if rest else likely))
    cells += [[f"{of:>{width}}", *sides] for of, (sides, _of) in zip(likely, ranked, strict=True)]
    lines = narrow(cells, "><<")
    if not rest:
        return lines
    others = _n("{n} other ending", "{n} other endings", len(joint) - MOST_ENDS)
    return *lines, *folded(f"{uncertain(rest):>{width}}  {others}")


def left_words(left: tuple[tuple[str, int], ...], gone: tuple[tuple[str, int], ...], edition: Edition) -> str:
    """Who is left: "2 arm 3 fig", in brackets those who left the fight before the others; "–" for nobody."""
    order = {name: place for place, name in enumerate(edition.rules.table)}
    parts = [told_units(dict(sorted(units, key=lambda unit: order[unit[0]])), edition) for units in (left, gone)]
    if parts[0] and parts[1]:
        return f"{parts[0]} ({parts[1]})"
    return parts[0] or parts[1] or "–"


def certainty(odds: AxisOdds) -> str:
    """How sure the numbers are."""
    if odds.sampled:
        return _n(
            "simulated: {n} battle, ±{error} points",
            "simulated: {n} battles, ±{error} points",
            odds.sampled,
            error=shortest(100 * odds.error, 1),
        )
    return exactness(odds.error)


def duration(rounds: float) -> str:
    """Say how many rounds to expect."""
    whole = round(rounds)
    if abs(rounds - whole) < 1e-12 and whole < 2:
        return _n("{n} round", "{n} rounds", whole) if whole else _("no rounds")
    return about_rounds(rounds)


def note(battle: AxisBattle, odds: AxisOdds) -> str:
    """The small print: how sure, how long, and the line that brings the battle back."""
    return f"{certainty(odds)} · {duration(odds.rounds)} · `{write(battle)}`"


def alternative(battle: AxisBattle, odds: AxisOdds) -> str:
    """The picture in a sentence or two, for those who cannot see it."""
    bars = _("Bars show how likely each TUV swing is.")
    return f"{verdict(battle, odds)}. {sentence(spread(battle, odds))} {bars}"


def units_rows(battle: AxisBattle, wins: float, changes: Mapping[tuple[str, str, int], float]) -> tuple[str, ...]:
    """For every kind of unit what one more and one less does to the attacker's chance, best for its own side first."""
    edition = editions()[battle.rules.key]
    cells: list[list[str]] = [["", "", _("one more"), _("one less")]]
    for role, side, sign in (("attack", _("attacker"), 1), ("defence", _("defender"), -1)):
        names = dict.fromkeys(unit for of, unit, _more in changes if of == role)
        ranked = sorted(names, key=lambda unit: -sign * changes.get((role, unit, 1), wins))
        for unit in ranked:
            moves = [changes.get((role, unit, more)) for more in (1, -1)]
            cells.append([side, edition.short[unit], *(_moved(wins, move) for move in moves)])
    return narrow(cells, "<<>>")


def _moved(wins: float, after: float | None) -> str:
    if after is None:
        return ""
    return gained(100 * (after - wins))
