"""The units of a wave of Axis & Allies: those that stay after one, and the defender with those left from before."""

from collections.abc import Mapping
from dataclasses import replace

from solver.axis.battle import AxisBattle
from solver.axis.loss_order import usual_order
from solver.axis.sides import Army, Units
from solver.axis.units import AMPHIBIOUS, Rules, Theatre


def add_units(units: Mapping[str, int], more: Mapping[str, int]) -> dict[str, int]:
    """Return the sums of two sets of units.

    Args:
        units: The number of each kind.
        more: The numbers to add.

    Example:
        >>> add_units({"inf": 2}, {"inf": 1, "fig": 1})
        {'inf': 3, 'fig': 1}
    """
    return dict(units) | {name: units.get(name, 0) + count for name, count in more.items()}


def captors(battle: AxisBattle) -> dict[str, int]:
    """Return the attackers of a battle that can hold a captured field: all at sea, on land only land units.

    It is the most of each kind after the battle, with ships repaired and without the mark of units landed from the sea.

    Args:
        battle: The battle of a wave.
    """
    units: dict[str, int] = {}
    table = battle.rules.table
    for name, count in battle.attacker.units:
        if battle.theatre == "sea" or table[name].kind == "land":
            plain = table[name].repaired or name.removeprefix(AMPHIBIOUS)
            units = add_units(units, {plain: count})
    return units


def repair_units(units: Units, rules: Rules) -> dict[str, int]:
    """Return units after a battle, with damaged ships repaired.

    Args:
        units: The kinds and their numbers.
        rules: The edition.
    """
    repaired: dict[str, int] = {}
    for name, count in units:
        repaired = add_units(repaired, {rules.table[name].repaired or name: count})
    return repaired


def units_after(units: Units, battle: AxisBattle) -> dict[str, int]:
    """Return units as they are after a battle in which nothing happened to them: ships are repaired or stay damaged.

    Args:
        units: The kinds and their numbers.
        battle: The battle.
    """
    return dict(units) if battle.damage_stays else repair_units(units, battle.rules)


def missing_worth(battle: AxisBattle, sets: Mapping[Units, float]) -> float:
    """Return the expected money that sets of defenders lack of all that can stand there.

    Args:
        battle: The battle of a wave.
        sets: The sets, each with its chance.
    """
    table = battle.rules.table
    names = {name for units in (battle.defender.units, *sets) for name, _ in units if not table[name].captured}
    worth = {name: battle.worth.of(table[name], "defence") for name in names}
    whole, *prices = (
        sum([worth.get(name, 0.0) * count for name, count in units]) for units in (battle.defender.units, *sets)
    )
    return sum([chance * (whole - price) for price, chance in zip(prices, sets.values(), strict=True)])


def with_radar(side: Army, before: Mapping[str, int], rules: Rules) -> Army:
    """Return reinforcements whose guns have the radar of those that are there: a technology is that of a nation.

    Args:
        side: The reinforcements.
        before: The units that are there.
        rules: The edition.
    """
    hits = {name: unit.antiaircraft_hits for name, unit in rules.table.items() if unit.antiaircraft}
    radar = max((name for name, count in before.items() if count and name in hits), key=hits.__getitem__, default="")
    better = {name: radar for name in hits if radar and hits[name] < hits[radar]}
    if not any(count for name, count in side.units if name in better):
        return side
    units: dict[str, int] = {}
    for name, count in side.units:
        units = add_units(units, {better.get(name, name): count})
    order = dict.fromkeys(better.get(name, name) for name in side.loss_order)
    return replace(side, units=tuple(units.items()), loss_order=tuple(order))


def whole_defender(side: Army, before: Mapping[str, int], rules: Rules, theatre: Theatre) -> Army:
    """Return a defender with the units left from before; without an order of loss it gets one that has them all.

    Args:
        side: The reinforcements.
        before: The most units of each kind that are left.
        rules: The edition.
        theatre: "land" or "sea".
    """
    units = add_units(before, dict(side.units))
    own_order = _order_with(side.loss_order, before, rules) if side.loss_order and theatre == "sea" else side.loss_order
    order = own_order or _order_with(usual_order(rules, theatre, "defence"), units, rules)
    there = tuple(name for name in order if name in units or (rules.damage_stays and _whole_kind(rules, name) in units))
    # Where no guns can be, none are lost late.
    guns = any(_can_lose_guns(rules, name) for name, count in units.items() if count)
    late = side.aa_second_last and guns
    return replace(side, units=tuple(units.items()), loss_order=there or (order if units else ()), aa_second_last=late)


def _order_with(order: tuple[str, ...], names: Mapping[str, int], rules: Rules) -> tuple[str, ...]:
    """Return an order of loss with these units too, each before the first that costs more."""
    placed = list(order)
    for name in names:
        if name in rules.table and name not in placed and not rules.table[name].defenceless:
            cost = rules.table[name].cost
            dearer = (place for place, other in enumerate(placed) if rules.table[other].cost > cost)
            placed.insert(next(dearer, len(placed)), name)
    return tuple(placed)


def _whole_kind(rules: Rules, name: str) -> str:
    return rules.table[name].repaired if name in rules.table else ""


def _can_lose_guns(rules: Rules, name: str) -> bool:
    unit = rules.table.get(name)
    return unit is not None and unit.antiaircraft > 0 and not unit.captured
