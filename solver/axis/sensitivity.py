"""The sensitivity of the attacker's chance to one unit more or less of each kind, in a battle or in each wave.

The chance is that to win, or with several waves that to hold the field at the end.
"""

from dataclasses import replace
from typing import NamedTuple

from solver.axis.battle import AxisBattle
from solver.axis.best.order_names import roles_in_waves
from solver.axis.sides import Units
from solver.axis.solve import solve_axis
from solver.axis.units import AMPHIBIOUS, DAMAGED, ROLES, Role, Rules
from solver.axis.waves.steps import waves_worth
from solver.axis.waves.waves import Waves
from solver.errors import BattleError
from solver.progress import Meter

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


class WaveChange(NamedTuple):
    """A change by one unit, and its effect.

    Attributes:
        side: 0 for the first attacker's side, 1 for the first defender's.
        wave: The number of the wave in which the unit comes, from 0.
        unit: The kind of unit.
        more: 1 for one unit more, -1 for one less.
        wins: The chance that the first attacker's side holds the field at the end, after the change.
    """

    side: int
    wave: int
    unit: str
    more: int
    wins: float


def _changes_to_try(waves: Waves) -> list[WaveChange]:
    """Every change by one unit in one wave, of the kinds that can take part; some of them may be impossible.

    The defender of a later wave has more or fewer reinforcements there. The chances are not known yet.
    """
    changes = []
    for number, battle in enumerate(waves.battles):
        for role, units in zip(ROLES, (battle.attacker.units, waves.fresh[number]), strict=True):
            side = waves.side(number) if role == "attack" else 1 - waves.side(number)
            # Nobody attacks without units, and the first defenders need some.
            last = sum(count for _, count in units) == 1 and (role == "attack" or not number)
            for name in kinds_to_change(battle.rules, role, units):
                if with_more_units(battle, role, name, 1):
                    changes.append(WaveChange(side, number, name, 1, 0.0))
                if dict(units).get(name) and not last:
                    changes.append(WaveChange(side, number, name, -1, 0.0))
    return changes


def wave_sensitivity(waves: Waves, limit: float) -> tuple[float, list[WaveChange]]:
    """Return the first attacker's chance to hold the field at the end, and that chance after every change by one unit.

    Args:
        waves: The waves.
        limit: The most work that this may take, in the unit of `Meter`.

    Raises:
        TooLargeError: It takes more work, or a wave is too large.
    """
    meter = Meter(limit)
    wins = waves_worth(waves, meter).holds
    changes = _changes_to_try(waves)
    # Each is about as much work, so what is too much is refused before it begins.
    Meter(limit).add(meter.done * (1 + len(changes)))
    tried = []
    for change in changes:
        role = roles_in_waves(waves, change.side)[change.wave]
        try:
            changed = waves.with_more(change.unit, change.more, change.wave, role)
        except BattleError:
            continue
        tried.append(change._replace(wins=waves_worth(changed, meter).holds))
    return wins, tried
