"""Odds of Axis & Allies in words: who takes it, what it costs, who is left, and in which order units are lost."""

from collections.abc import Mapping, Sequence
from gettext import ngettext

import numpy as np

from bot.editions import Edition, editions
from bot.matchup import write
from bot.matchup.armies_writing import plain, told_units
from bot.replies import aligned
from bot.wording import certain, exactness, gained, tenths, uncertain
from solver.axis import AxisBattle
from solver.axis_odds import AxisOdds, percentiles
from solver.sides import Side
from solver.units import AMPHIBIOUS, Role
from solver.waves_together import Together

MOST_ENDS = 6
LONGEST_SIDE = 44
FATES = {
    "holds": "defender holds",
    "cleared": "cleared but not taken",
    "dived": "defender submerged",
    "both": "both sides left",
    "nobody": "nobody left",
}


def verdict(battle: AxisBattle, odds: AxisOdds) -> str:
    """Who wins, in a few words; whatever else can happen is named."""
    if odds.declined:
        return "The attack is not made"
    words = [f"Attacker {'takes it' if odds.land else 'wins'} {chance(odds.wins, odds)}"]
    names = fate_names(battle)
    words += [f"{names[fate]} {chance(odds.fates[fate], odds)}" for fate in names if odds.fates[fate] > 0]
    return ", ".join(words)


def both(battle: AxisBattle) -> str:
    """What it is called when both sides are left at the end."""
    landed = any(name.startswith(AMPHIBIOUS) for name, _ in battle.attacker.units)
    if battle.retreat or (landed and battle.round_limit is not None):
        return "attacker retreats"
    return "both sides left" if battle.round_limit is None else "undecided"


def fate_names(battle: AxisBattle) -> dict[str, str]:
    """What each way to end but the attacker's victory is called."""
    alone = not any(battle.rules.table[name].kind != "sea" for name, _ in battle.attacker.units)
    bombards = {"nobody": FATES["cleared"]} if alone and battle.theatre == "land" else {}
    return FATES | {"both": both(battle)} | bombards


def chance(of: float, odds: AxisOdds) -> str:
    """A chance out of these odds; "0 %" and "100 %" only where that is the whole truth."""
    return certain(of) if not odds.sampled and odds.error == 0 else uncertain(of)


def answer(battle: AxisBattle, odds: AxisOdds, remarks: Sequence[str] = ()) -> str:
    """The whole answer but its table and small print."""
    edition = editions()[battle.rules.key]
    lines = [f"**{verdict(battle, odds)}** · {describe(battle)} · {edition.name}"]
    remarks = [*remarks, *caveats(edition, odds)]
    if odds.declined:
        lines.append("A rule for retreating is satisfied before the first shot; `decline:no` attacks all the same")
    else:
        lines += [money(battle, odds), f"Lost in this order, on average: {orders(battle, odds)}"]
    return "\n".join([*lines, *(f"-# {remark}" for remark in remarks)])


def caveats(edition: Edition, odds: AxisOdds) -> list[str]:
    """What to know before these odds are believed."""
    if odds.unplanned:
        plain = "Too large to plan to the end: fought without the rules for profit and the chance to win"
        return [*edition.remarks, plain]
    return edition.remarks


def describe(battle: AxisBattle) -> str:
    """Who meets whom: "3 inf 2 arm against 5 inf"; of great armies only how many units."""
    edition = editions()[battle.rules.key]
    return f"{told_side(battle.attacker, edition)} against {told_side(battle.defender, edition)}"


def told_side(side: Side, edition: Edition) -> str:
    """The units of a side, or of a great army only how many."""
    told = told_units(dict(side.units), edition)
    return told if len(told) <= LONGEST_SIDE else f"{sum(count for _, count in side.units)} units"


def orders(battle: AxisBattle, odds: AxisOdds) -> str:
    """Both orders of loss that are used, with how many fall on average: "inf 2.9 arm 1.8 · aa 1.0 inf 3.9"."""
    return f"{_order(battle, 'attack', odds) or 'nobody'} · {_order(battle, 'defence', odds)}"


def _order(battle: AxisBattle, role: Role, odds: AxisOdds) -> str:
    short, table = editions()[battle.rules.key].short, battle.rules.table
    lost = odds.lost_units(defenders=role == "defence")
    told: list[str] = []
    counted = set()
    for unit in battle.order_of_loss(role):
        # Damaged ships are counted with those that were whole, wherever the first of them stand.
        name = table[unit].repaired or unit
        told.append(short[unit] + ("" if name in counted else f" {lost.get(name, 0.0):.1f}"))
        counted.add(name)
    return " ".join(told)


def money(battle: AxisBattle, odds: AxisOdds) -> str:
    """What it costs both on average, and what the attacker gains of it."""
    ours, theirs = (plain(_whole(battle, role)) for role in ("attack", "defence"))
    lost, beaten = money_lost(odds)
    told = f"Attacker loses {tenths(lost)} of {ours} {counted(battle)}, defender {tenths(beaten)} of {theirs}"
    told += f" · {spread(odds)}"
    return told + (" with the territory" if battle.deadzone or battle.territory_value else "")


def money_lost(odds: AxisOdds) -> tuple[float, float]:
    """The worth of the units that the attacker and the defender lose on average, without the territory."""
    return odds.attacker_loss + odds.territory, odds.defender_loss


def _whole(battle: AxisBattle, role: Role) -> float:
    """The money a side can lose: ships that bombard a battle on land are in no danger."""
    return round(sum(one.unit.cost * one.units for one in battle.segments(role) if not one.spare), 2)


def counted(battle: AxisBattle) -> str:
    """What the money of a battle is called: the game's own, or what somebody counts instead."""
    if battle.worth.units or battle.worth.measure == "power":
        return "points"
    return "units" if battle.worth.measure == "units" else "IPC"


def spread(odds: AxisOdds | Together) -> str:
    """Between which profits most battles end: "8 in 10: profit −23 to +14, middle −6, on average −5.9"."""
    amounts, chances = odds.profit
    low, middle, high = percentiles(amounts, chances)
    mean = float(amounts @ chances)
    if len(amounts) == 1:
        return f"always a profit of {signed(low)}"
    between = f"{signed(low)} to {signed(high)}" if low < high else signed(low)
    return f"8 in 10: profit {between}, middle {signed(middle)}, on average {gained(mean)}"


def signed(amount: float) -> str:
    """Money with its sign: "+14", "−2.5", to the hundredth."""
    amount = round(amount, 2)
    return f"{'−' if amount < 0 else '+' * (amount > 0)}{plain(abs(amount))}"


def ends(odds: AxisOdds, edition: Edition) -> tuple[str, ...]:
    """The likeliest ways to end, one a row: how likely, and who is left of both sides."""
    # Each fate is put in words once: there may be hundreds of thousands of ends.
    codes: dict[str, int] = {}
    ours, theirs = (
        np.array([codes.setdefault(_left(fate.left, fate.gone, edition), len(codes)) for fate in fates])
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
    cells = [["", "attacker left", "defender left"]]
    cells += [[chance(of if len(joint) > 1 else 1.0, odds), *sides] for sides, of in ranked]
    if rest:
        cells.append([uncertain(rest), f"{len(joint) - MOST_ENDS} other ends", ""])
    return aligned(cells)


def _left(left: tuple[tuple[str, int], ...], gone: tuple[tuple[str, int], ...], edition: Edition) -> str:
    """Who is left: "2 arm 3 fig", in brackets those who left the fight before the others; "–" for nobody."""
    order = {name: place for place, name in enumerate(edition.rules.table)}
    parts = [told_units(dict(sorted(units, key=lambda unit: order[unit[0]])), edition) for units in (left, gone)]
    if parts[0] and parts[1]:
        return f"{parts[0]} ({parts[1]})"
    return parts[0] or parts[1] or "–"


def certainty(odds: AxisOdds) -> str:
    """How sure the numbers are."""
    if odds.sampled:
        return f"simulated: {odds.sampled} battles, ± {100 * odds.error:.1g} points"
    return exactness(odds.error)


def duration(rounds: float) -> str:
    """How many rounds to expect."""
    whole = round(rounds)
    if abs(rounds - whole) < 1e-12 and whole < 2:
        return f"{whole or 'no'} {ngettext('round', 'rounds', whole)}"
    return f"about {rounds:.1f} rounds"


def note(battle: AxisBattle, odds: AxisOdds) -> str:
    """The small print: how sure, how long, and the line that brings the battle back."""
    return f"{certainty(odds)} · {duration(odds.rounds)} · `{write(battle)}`"


def alternative(battle: AxisBattle, odds: AxisOdds) -> str:
    """The picture in a sentence or two, for those who cannot see it."""
    bars = f"Bars show the {counted(battle)} each side has lost where it wins."
    return f"{verdict(battle, odds)}. {spread(odds).capitalize()}. {bars}"


def losses_where(odds: AxisOdds) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """The money lost by the attacker where that side wins, and by the defender where that one stands, with chances."""
    return _law(odds.attacker_loss_at, odds, odds.won), _law(
        odds.defender_loss_at, odds, odds.defender_stands & ~odds.attacker_stands
    )


def _law(amounts: np.ndarray, odds: AxisOdds, where: np.ndarray) -> list[tuple[float, float]]:
    law: dict[float, float] = {}
    for amount, of in zip(amounts[where].round(6).tolist(), odds.chances[where].tolist(), strict=True):
        law[amount] = law.get(amount, 0.0) + of
    return sorted(law.items())


def units_rows(battle: AxisBattle, wins: float, changes: Mapping[tuple[str, str, int], float]) -> tuple[str, ...]:
    """For every kind of unit what one more and one less does to the attacker's chance, best for its own side first."""
    edition = editions()[battle.rules.key]
    cells = [["", "", "one more", "one less"]]
    for role, side, sign in (("attack", "attacker", 1), ("defence", "defender", -1)):
        names = dict.fromkeys(unit for of, unit, _ in changes if of == role)
        ranked = sorted(names, key=lambda unit: -sign * changes.get((role, unit, 1), wins))
        for unit in ranked:
            moves = [changes.get((role, unit, more)) for more in (1, -1)]
            cells.append([side, edition.short[unit], *(_moved(wins, move) for move in moves)])
    return aligned(cells)


def _moved(wins: float, after: float | None) -> str:
    if after is None:
        return ""
    return gained(100 * (after - wins))
