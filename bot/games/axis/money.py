"""Money in answers about Axis & Allies: the TUV swing, what both sides lose, and how amounts are written."""

from collections.abc import Iterator, Mapping
from typing import Literal

from bot.editions import editions
from bot.games.axis.outcomes import Law
from bot.languages import N_, _, _p, number, short_number
from bot.words.numbers import signed_tenths, tenths
from solver.axis.battle import AxisBattle
from solver.axis.odds import AxisOdds, percentiles
from solver.axis.units import ROLES, Role
from solver.axis.waves.joint import JointOdds, set_prices
from solver.axis.waves.waves import Waves


def gain(battle: AxisBattle, law: Law) -> str:
    """Say what the attacker gains: "TUV swing: +1.5 IPC on average, median +5 (8 battles in 10: −21 to +17)"."""
    return with_territory(battle, spread(battle, law))


def with_territory(battle: AxisBattle, swing: str) -> str:
    """Return a text about the TUV swing that also says whether it includes the territory."""
    included = battle.deadzone or battle.territory_value
    return _("{profit}, territory included", profit=swing) if included else swing


def spread(battle: AxisBattle, law: Law) -> str:
    """Say what the TUV swing is on average, its median, and between which values most battles end."""
    amounts, chances = law.profit
    low, median, high = percentiles(amounts, chances)
    if len(amounts) == 1:
        return _("TUV swing: always {amount}", amount=in_money(battle, signed_money(low)))
    return _(
        "TUV swing: {mean} on average, median {median} (8 battles in 10: {range})",
        mean=in_money(battle, signed_tenths(float(amounts @ chances))),
        median=signed_money(median),
        range=swing_range(low, high),
    )


def swing_range(low: float, high: float) -> str:
    """Write between which TUV swings 8 battles in 10 end, or the one that they both are: "−23 to +14"."""
    least, most = signed_money(low), signed_money(high)
    return _p("signed", "{least} to {most}", least=least, most=most) if low < high else least


def value_unit(battle: AxisBattle) -> str:
    """Name the unit of value: the game's money, or the measure that somebody counts instead."""
    return {"value": _("value"), "units": _("units"), "IPC": _("IPC")}[_measure(battle)]


def in_money(battle: AxisBattle, amount: str) -> str:
    """Write an amount with its unit: "20 IPC"; with own prices the bare number."""
    measure = _measure(battle)
    if measure == "value":
        return amount
    return _("{amount} units", amount=amount) if measure == "units" else _("{amount} IPC", amount=amount)


def _measure(battle: AxisBattle) -> Literal["value", "units", "IPC"]:
    if battle.worth.has_prices or battle.worth.measure == "power":
        return "value"
    return "units" if battle.worth.measure == "units" else "IPC"


def losses(battle: Waves, law: Law) -> str:
    """Say what each side loses on average, of one wave with its units in casualty order, and what they are worth."""
    first, *_later = battle.battles
    (lost, beaten), (ours, theirs) = map(tenths, money_lost(battle, law)), _at_stake(battle)
    values = {"lost": lost, "beaten": beaten, "ours": in_money(first, ours), "theirs": in_money(first, theirs)}
    if isinstance(law, JointOdds):
        text = N_("Average losses in all waves: attacker {lost} of {ours}, defender {beaten} of {theirs}")
        return _(text, **values)
    return _(
        "Average losses: attacker {units} ({lost} of {ours}); defender {others} ({beaten} of {theirs})",
        units=_lost_units(first, "attack", law) or _("nothing"),
        others=_lost_units(first, "defence", law) or _("nothing"),
        **values,
    )


def _at_stake(battle: Waves) -> Iterator[str]:
    """Write what the units are worth that each side can lose: ships that bombard a battle on land are in no danger."""
    first = battle.battles[0]
    if battle.only:
        for role in ROLES:
            yield hundredths(sum(part.unit.cost * part.units for part in first.segments(role) if not part.spare))
        return
    for role, units in zip(ROLES, battle.most_lost(), strict=True):
        safe = "sea" if first.theatre == "land" else ""
        at_stake = {name: count for name, count in units.items() if first.rules.table[name].kind != safe}
        yield hundredths(worth_of(first, role, at_stake))


def _lost_units(battle: AxisBattle, role: Role, odds: AxisOdds) -> str:
    """List the units of a side in casualty order, each with how many fall on average: "2.9 inf, 1.8 arm"."""
    short, table = editions()[battle.rules.key].short, battle.rules.table
    lost = odds.lost_units(defenders=role == "defence")
    # Damaged ships are counted with those that were whole, wherever the first of them stand.
    names = dict.fromkeys(table[unit].repaired or unit for unit in battle.order_of_loss(role))
    return ", ".join(f"{number(lost.get(name, 0.0))} {short[name]}" for name in names)


def money_lost(battle: Waves, law: Law) -> tuple[float, float]:
    """Return the average worth of the units that both sides lose in all waves, without the territory."""
    if isinstance(law, AxisOdds):
        return law.attacker_loss + law.territory, law.defender_loss
    first, *_later = battle.battles
    ours, theirs = (float(set_prices(first, side, law.losses[side]) @ law.law(side)) for side in (0, 1))
    return ours, theirs


def worth_of(battle: AxisBattle, role: Role, units: Mapping[str, int]) -> float:
    """Return what units of a side are worth together."""
    return sum(count * battle.worth.of(battle.rules.table[name], role) for name, count in units.items())


def signed_money(amount: float) -> str:
    """Write money with its sign, to the hundredth: "+14", "−2.5"."""
    amount = round(amount, 2)
    return f"{'−' if amount < 0 else '+' * (amount > 0)}{hundredths(abs(amount))}"


def hundredths(amount: float) -> str:
    """Write money with as many decimals as it has, two at most: "14", "2.5"."""
    return short_number(round(amount, 2), 15)
