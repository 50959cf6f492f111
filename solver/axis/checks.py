"""Checks of the armies and the retreat rules of an Axis & Allies battle."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, get_args

from solver.axis.loss_order import canonical_order, has_fixed_place, usual_order
from solver.axis.sides import (
    EVERYBODY,
    LOW_LUCK,
    MOST_MONEY,
    MOST_ROUNDS,
    MOST_UNITS,
    SIDES,
    Army,
    Luck,
    Means,
    Retreat,
    Units,
    dice_of,
)
from solver.axis.units import EVERY_PLANE, Role, Rules, Theatre, Unit
from solver.errors import BattleError, check_count, check_flag, check_number, quoted

if TYPE_CHECKING:
    from solver.axis.battle import AxisBattle


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
    _check_units(counts, table, theatre, role)
    check_count(
        "keep_land", army.keep_land, 0, MOST_UNITS, "the number of units to keep must be {least} to {most}, not {value}"
    )
    _check_late_losses(army, rules, role)
    units = tuple((name, counts[name]) for name in table if counts.get(name))
    order = army.loss_order or usual_order(rules, theatre, role)
    for name in order:
        if name not in table:
            raise BattleError("loss_order", "there is no unit {value}", value=quoted(name))
    for name, _ in units:
        # Nobody has to say when guns are lost that cannot be hit.
        idle = has_fixed_place(table[name], theatre, role) or (army.loss_order and table[name].captured)
        if not idle and not {name, table[name].repaired} & {*order}:
            raise _no_place_error(name, role, bool(army.loss_order))
    army = Army(units, order, army.keep_land, army.aa_second_last)
    order = canonical_order(army, rules, theatre, role)
    return army if order == army.loss_order else replace(army, loss_order=order)


def _check_units(counts: Mapping[str, int], table: Mapping[str, Unit], theatre: Theatre, role: Role) -> None:
    """Raise BattleError unless all units are known, in numbers that are allowed, and can fight here."""
    for name, count in counts.items():
        if name not in table:
            raise BattleError(
                f"units.{quoted(name)[1:-1]}", "there is no such unit; the units are {known}", known=", ".join(table)
            )
        field = f"units.{name}"
        check_count(field, count, 0, MOST_UNITS, "the number of units must be {least} to {most}, not {value}")
        if count:
            _check_place(table[name], theatre, role)


def _check_place(unit: Unit, theatre: Theatre, role: Role) -> None:
    """Refuse a unit that cannot fight here."""
    bombards = theatre == "land" and role == "attack" and unit.bombards
    if unit.kind not in ("air", theatre) and not bombards:
        if theatre == "land":
            raise BattleError(f"units.{unit.name}", "{unit} can't fight on land", unit=unit.name)
        raise BattleError(f"units.{unit.name}", "{unit} can't fight at sea", unit=unit.name)
    if unit.amphibious and role == "defence":
        raise BattleError(f"units.{unit.name}", "only attackers can land from the sea")


def _check_late_losses(army: Army, rules: Rules, role: Role) -> None:
    """Refuse units that are lost late where they cannot be, and guns that do not go together."""
    if army.keep_land and army.aa_second_last:
        raise BattleError("keep_land", "you can't keep land units and also lose the guns last but one")
    guns = [rules.table[name] for name, count in army.units if count and rules.table[name].antiaircraft]
    if len({gun.antiaircraft_hits for gun in guns}) > 1:
        raise BattleError("units", "guns with radar and guns without can't defend together")
    if army.aa_second_last and role == "attack":
        raise BattleError("aa_second_last", "the attacker can't have this")


def check_guns(army: Army, rules: Rules) -> None:
    """Refuse guns of a table with fewer shots than planes where guns fire at each kind of plane apart.

    Args:
        army: The defender's army.
        rules: The rules of the edition.

    Raises:
        BattleError: A gun has too few shots; it names the gun.
    """
    few = [name for name, count in army.units if count and 0 < rules.table[name].antiaircraft < EVERY_PLANE]
    if few and rules.antiaircraft_by_kind:
        raise BattleError(
            f"units.{few[0]}",
            "guns fire at each kind of plane apart here, so write `{shots}` for a shot of {unit} at every plane, or "
            "`rule:aa-by-order`",
            shots=f"aa{EVERY_PLANE}",
            unit=few[0],
        )


def _no_place_error(unit: str, role: Role, named: bool) -> BattleError:
    """Return the error for a unit without a place in the usual order, or in one that is `named`."""
    if named:
        return BattleError("loss_order", "{unit} is not in the casualty order", unit=unit)
    if role == "attack":
        return BattleError(
            f"units.{unit}", "{unit} can't attack here: it is in no casualty order of these rules", unit=unit
        )
    return BattleError(
        f"units.{unit}", "{unit} can't defend here: it is in no casualty order of these rules", unit=unit
    )


def check_dice(luck: Luck, rules: Rules, attackers: Sequence[Unit]) -> None:
    """Check the dice of a battle.

    Args:
        luck: How the dice fall.
        rules: The rules of the edition.
        attackers: The kinds of the attacker's units.

    Raises:
        BattleError: The edition or a unit has no such dice.
    """
    if luck == "biased" and rules.faces > 6:
        raise BattleError("dice", "biased dice have 6 faces")
    if dice_of(luck, rules.faces) in LOW_LUCK and any(unit.better_of_two for unit in attackers):
        raise BattleError("dice", "low luck has no rule for bombers that roll two dice and keep the better one")


def check_rounds(name: str, rounds: int | None) -> None:
    """Check a number of rounds.

    Args:
        name: The field that has it.
        rounds: The number; None for no limit.

    Raises:
        BattleError: It is out of range.
    """
    if rounds is not None:
        check_count(name, rounds, 1, MOST_ROUNDS, "the number of rounds must be {least} to {most}, not {value}")


def _check_units_left(most: int | None) -> None:
    """Check with how many units a side leaves; None if that does not decide it."""
    if most is not None:
        check_count("units_at_most", most, 1, MOST_UNITS, "the number of units must be {least} to {most}, not {value}")


def canonical_submerge(battle: "AxisBattle") -> tuple[int, int]:
    """Return how many submarines of each side submerge: True means all of them.

    Args:
        battle: The battle, with the numbers or with True.

    Raises:
        BattleError: A number is out of range, or only some submarines with two hits may submerge.
    """
    armies, table = (battle.attacker, battle.defender), battle.rules.table
    for name, most, army in zip(SIDES, battle.submerge, armies, strict=True):
        if type(most) is bool or most == EVERYBODY:
            continue
        check_count(name, most, 0, MOST_UNITS, "this must be true, false or a number up to {most}, not {value}")
        if most and any(table[unit].surprise and table[unit].hits > 1 for unit, _ in army.units):
            raise BattleError(name, "submarines with two hits submerge all together, or never")
    ours, theirs = (EVERYBODY if most is True else int(most) for most in battle.submerge)
    return ours, theirs


def check_territory_value(name: str, value: float | None) -> None:
    """Check the value of a territory.

    Args:
        name: The field that has it.
        value: The value; None if it is not given.

    Raises:
        BattleError: It is out of range.
    """
    if value is not None:
        check_number(
            name, value, -MOST_MONEY, MOST_MONEY, "the value of the territory must be {least} to {most}, not {value}"
        )


def check_retreat(retreat: Retreat, theatre: Theatre) -> None:
    """Check the numbers of the retreat rules.

    Args:
        retreat: The rules.
        theatre: "land" or "sea".

    Raises:
        BattleError: If a number is out of its range, or if a rule is for land only and the battle is at sea.
    """
    _check_units_left(retreat.units_at_most)
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
    check_flag("transports_alone", retreat.transports_alone)
    if retreat.transports_alone and theatre == "land":
        raise BattleError("transports_alone", "this works only for battles at sea")


def check_defender_retreat(battle: "AxisBattle") -> None:
    """Check when the defender leaves.

    Args:
        battle: The battle.

    Raises:
        BattleError: A number is out of its range, or it does not go together with other rules of the battle.
    """
    plan = battle.defender_retreat
    check_rounds("rounds", plan.rounds)
    _check_units_left(plan.units_at_most)
    if any(battle.chooses) and not may_choose(battle):
        raise BattleError(
            "rounds",
            "where casualties are chosen, the defender leaves after so many rounds only if the attacker has no plan to "
            "stop",
        )
    if battle.submerge[1]:
        raise BattleError("", "the defender's submarines can't submerge in a battle in which the defender may leave")
    if battle.retreat.plans and plan.rounds is not None:
        raise BattleError(
            "rounds", "an attacker who plans for a profit or a chance can't foresee in which round the defender leaves"
        )


def may_choose(battle: "AxisBattle") -> bool:
    """Return whether casualties can be chosen: not where the attacker may stop and the defender leaves after rounds.

    Args:
        battle: The battle.
    """
    stops = bool(battle.retreat) or battle.round_limit is not None
    return not stops or battle.defender_retreat.rounds is None


def canonical_kamikaze(aims: Units, attacker: Army, rules: Rules, theatre: Theatre) -> Units:
    """Check kamikaze attacks and return them in one form: in the order of the rules, none of them 0.

    Args:
        aims: The ships at which they are aimed, and with how many.
        attacker: The attacker's army.
        rules: The rules of the edition.
        theatre: "land" or "sea".

    Raises:
        BattleError: If there are no such attacks here, if they are too many, or if no ship is there to be hit.
    """
    counts = dict(aims)
    if not rules.kamikaze:
        raise BattleError("", "these rules have no kamikaze attacks")
    if theatre == "land":
        raise BattleError("", "kamikaze attacks need a battle at sea")
    for count in counts.values():
        check_attacks(count, rules)
    check_attacks(sum(counts.values()), rules)
    if not any(counts.values()):
        return ()
    ships = [name for name, _ in attacker.units if rules.table[name].is_warship]
    if not ships:
        raise BattleError("", "kamikaze attacks need a surface warship to aim at, and the attacker has none")
    for name, count in counts.items():
        if count and name not in ships:
            raise BattleError(
                "",
                "kamikaze attacks can't be aimed at {unit}: the attacker's surface warships are {known}",
                unit=name,
                known=", ".join(ships),
            )
    return tuple((name, counts[name]) for name in rules.table if counts.get(name))


def check_attacks(count: int, rules: Rules) -> None:
    """Check a number of kamikaze attacks.

    Args:
        count: The attacks of one side in the whole battle.
        rules: The rules of the edition.

    Raises:
        BattleError: There are more than a side has, or fewer than 0.
    """
    check_count("", count, 0, rules.kamikaze, "the number of kamikaze attacks must be {least} to {most}, not {value}")


def usual_kamikaze(count: int, attacker: Army, rules: Rules) -> Units:
    """Return the usual aims of kamikaze attacks: one for each ship, carriers first and then the dearest, and so on.

    Args:
        count: How many attacks.
        attacker: The attacker's army.
        rules: The rules of the edition.
    """
    ships = [(rules.table[name], count) for name, count in attacker.units if rules.table[name].is_warship]
    ships.sort(key=lambda ship: (not ship[0].carries, -ship[0].cost))
    every = [unit.name for unit, count in ships for _ in range(count)]
    aims: dict[str, int] = {}
    for place in range(count if every else 0):
        name = every[place % len(every)]
        aims[name] = aims.get(name, 0) + 1
    return tuple(aims.items())


def kamikaze_at(battle: "AxisBattle", army: Army) -> Units:
    """Return the aims of a battle's kamikaze attacks at a part of its attacker's army.

    Usual aims stay the usual ones. Of others, attacks on ships that the part lacks get the usual aims.

    Args:
        battle: The battle.
        army: The part.
    """
    count, rules = sum(some for _, some in battle.kamikaze), battle.rules
    if dict(usual_kamikaze(count, battle.attacker, rules)) == dict(battle.kamikaze):
        return usual_kamikaze(count, army, rules)
    aims = {name: some for name, some in battle.kamikaze if army.count(name)}
    for name, some in usual_kamikaze(count - sum(aims.values()), army, rules):
        aims[name] = aims.get(name, 0) + some
    return tuple(aims.items())
