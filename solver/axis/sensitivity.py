"""The sensitivity of the attacker's chance to win to one unit more or less of each kind."""

from dataclasses import replace
from typing import NamedTuple

from solver.axis.battle import AxisBattle
from solver.axis.sides import Units
from solver.axis.solve import solve_axis
from solver.axis.units import AMPHIBIOUS, DAMAGED, ROLES, Role, Rules
from solver.errors import BattleError

ROUGHLY = 1e-7
"""The probability that may be dropped in each of these battles."""


class UnitChange(NamedTuple):
    """A change by one unit, and its effect.

    Attributes:
        role: The role of the side that changes.
        unit: The kind of unit.
        more: 1 for one unit more, -1 for one less.
        wins: The attacker's chance to win after the change.
    """

    role: Role
    unit: str
    more: int
    wins: float


def unit_changes(battle: AxisBattle) -> list[tuple[Role, str, int, AxisBattle]]:
    """Return every battle with one unit more or less, of the kinds that can take part.

    Args:
        battle: The battle.

    Returns:
        For each change the role of the side, the kind of unit, 1 or -1, and the battle after it.
    """
    changes: list[tuple[Role, str, int, AxisBattle]] = []
    for role in ROLES:
        for name in kinds_to_change(battle.rules, role, battle.army(role).units):
            for more in (1, -1):
                changed = with_more_units(battle, role, name, more)
                if changed is not None:
                    changes.append((role, name, more, changed))
    return changes


def kinds_to_change(rules: Rules, role: Role, there: Units) -> list[str]:
    """Return the kinds of which a side may have one more or less: special ones and forms only if it has some.

    Args:
        rules: The edition.
        role: The role of the side.
        there: The units that it has.
    """
    has = dict(there)
    return [
        name
        for name, unit in rules.table.items()
        if has.get(name)
        or not (name.startswith((AMPHIBIOUS, DAMAGED)) or unit.form_of or (role == "attack" and unit.antiaircraft))
    ]


def unit_sensitivity(battle: AxisBattle) -> tuple[float, list[UnitChange]]:
    """Return the attacker's chance to win, and that chance after every change by one unit.

    Args:
        battle: The battle.

    Raises:
        TooLargeError: If a side has too many forces.

    Example:
        >>> from solver.axis.sides import Army
        >>> from solver.axis.units import Rules, Unit
        >>> infantry, tank = Unit("infantry", "land", 1, 2, 3), Unit("tank", "land", 3, 3, 6)
        >>> rules = Rules("1942", (infantry, tank), (("infantry", "tank"),) * 4)
        >>> battle = AxisBattle(rules, "land", Army.of({"infantry": 3, "tank": 2}), Army.of({"infantry": 4}))
        >>> wins, changes = unit_sensitivity(battle)
        >>> best = max(changes, key=lambda change: change.wins)
        >>> best.role, best.unit, best.more, round(wins, 3), round(best.wins, 3)
        ('attack', 'tank', 1, 0.794, 0.958)
    """
    tried = [
        UnitChange(role, unit, more, solve_axis(changed, ROUGHLY).wins)
        for role, unit, more, changed in unit_changes(battle)
    ]
    return solve_axis(battle, ROUGHLY).wins, tried


def with_more_units(battle: AxisBattle, role: Role, unit: str, more: int) -> AxisBattle | None:
    """Return the battle with more units of one kind.

    Args:
        battle: The battle.
        role: The role of the side that changes.
        unit: The kind of unit.
        more: How many more; negative for fewer.

    Returns:
        The battle, or None if it is impossible.
    """
    counts = dict(battle.army(role).units)
    counts[unit] = counts.get(unit, 0) + more
    if counts[unit] < 0 or not any(counts.values()):
        return None
    try:
        return battle.with_army(role, replace(battle.army(role), units=tuple(counts.items())))
    except BattleError:
        return None
