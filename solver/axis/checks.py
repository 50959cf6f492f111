"""Checks of the armies and the retreat rules of an Axis & Allies battle."""

from dataclasses import replace
from typing import get_args

from solver.axis.loss_order import canonical_order, has_fixed_place, usual_order
from solver.axis.sides import MOST_MONEY, MOST_UNITS, Army, Means, Retreat
from solver.axis.units import Role, Rules, Theatre, Unit
from solver.errors import BattleError, check_count, check_number, quoted


def canonical_army(army: Army, rules: Rules, theatre: Theatre, role: Role) -> Army:
    """Check an army and return it in one form: units in the order of the rules, none of them 0.

    Args:
        army: The units and their order of loss; an empty order stands for the usual one.
        rules: The rules of the edition.
        theatre: "land" or "sea".
        role: The role of the army.

    Returns:
        The army with its whole order of loss.

    Raises:
        BattleError: If a unit is unknown, cannot fight here or has no place in the order, or if a number is wrong.
    """
    table = rules.table
    counts = dict(army.units)
    for name, count in counts.items():
        if name not in table:
            raise BattleError(
                f"units.{quoted(name)[1:-1]}", "there is no such unit; the units are {known}", known=", ".join(table)
            )
        check_count(f"units.{name}", count, 0, MOST_UNITS, "the number of units must be {least} to {most}, not {value}")
        if count:
            _check_place(table[name], theatre, role)
    check_count(
        "keep_land",
        army.keep_land,
        0,
        MOST_UNITS,
        "the number of units to keep must be {least} to {most}, not {value}",
    )
    if army.keep_land and army.aa_second_last:
        raise BattleError("keep_land", "you can't keep land units and also lose the guns last but one")
    if army.aa_second_last and role == "attack":
        raise BattleError("aa_second_last", "the attacker can't have this")
    for name in army.loss_order:
        if name not in table:
            raise BattleError("loss_order", "there is no unit {value}", value=quoted(name))
    units = tuple((name, counts[name]) for name in table if counts.get(name))
    given = army.loss_order
    army = replace(army, units=units, loss_order=given or usual_order(rules, theatre, role))
    missing = [
        name
        for name, _ in units
        if not {name, table[name].repaired} & {*army.loss_order} and not has_fixed_place(table[name], theatre, role)
    ]
    if missing and given:
        raise BattleError("loss_order", "{unit} is not in the casualty order", unit=missing[0])
    if missing:
        raise _no_place_error(missing[0], role)
    return replace(army, loss_order=canonical_order(army, rules, theatre, role))


def _check_place(unit: Unit, theatre: Theatre, role: Role) -> None:
    """Refuse a unit that cannot fight here."""
    bombards = theatre == "land" and role == "attack" and unit.bombards
    if unit.kind not in ("air", theatre) and not bombards:
        if theatre == "land":
            raise BattleError(f"units.{unit.name}", "{unit} can't fight on land", unit=unit.name)
        raise BattleError(f"units.{unit.name}", "{unit} can't fight at sea", unit=unit.name)
    if unit.amphibious and role == "defence":
        raise BattleError(f"units.{unit.name}", "only attackers can land from the sea")


def _no_place_error(unit: str, role: Role) -> BattleError:
    """The error for a unit without a place in the usual order."""
    if role == "attack":
        return BattleError(
            f"units.{unit}", "{unit} can't attack here: it is in no casualty order of these rules", unit=unit
        )
    return BattleError(
        f"units.{unit}", "{unit} can't defend here: it is in no casualty order of these rules", unit=unit
    )


def check_retreat(retreat: Retreat, theatre: Theatre) -> None:
    """Check the numbers of the retreat rules.

    Args:
        retreat: The rules.
        theatre: "land" or "sea".

    Raises:
        BattleError: If a number is out of its range, or if a rule is for land only and the battle is at sea.
    """
    if retreat.units_at_most is not None:
        check_count(
            "units_at_most",
            retreat.units_at_most,
            1,
            MOST_UNITS,
            "the number of units must be {least} to {most}, not {value}",
        )
    if retreat.win_means not in (None, *get_args(Means)):
        raise BattleError("win_means", "it must be take or destroy, not {value}", value=quoted(retreat.win_means))
    for name in ("win_chance_below", "clear_chance_above", "air_loss_chance_above"):
        if getattr(retreat, name) is not None:
            check_number(name, getattr(retreat, name), 0, 1, "a chance must be {least} to {most}, not {value}")
    if retreat.profit_below is not None:
        check_number(
            "profit_below",
            retreat.profit_below,
            -MOST_MONEY,
            MOST_MONEY,
            "a profit must be {least} to {most}, not {value}",
        )
    for name in ("clear_chance_above", "air_loss_chance_above"):
        if getattr(retreat, name) is not None and theatre == "sea":
            raise BattleError(name, "this works only for battles on land")
