"""The sensitivity of the attacker's chance to one unit more or less of each kind, in each wave.

The chance is that to win, or with several waves that to hold the field at the end.
"""

from contextlib import suppress
from math import inf
from typing import Any, NamedTuple

from solver.axis.at_once import solve_at_once
from solver.axis.battle import AxisBattle
from solver.axis.chain import MOST_NUMBERS, AxisChain
from solver.axis.sides import SIDES, Units
from solver.axis.solve import solve_chain
from solver.axis.units import AMPHIBIOUS, DAMAGED, ROLES, Role, Rules
from solver.axis.waves.steps import waves_worth
from solver.axis.waves.waves import Waves, as_waves
from solver.documents import clamp_chance
from solver.errors import BattleError
from solver.progress import Meter

ROUGHLY = 1e-7
"""The probability that may be dropped in each battle of one wave."""


class UnitChange(NamedTuple):
    """A change by one unit, and its effect.

    Attributes:
        role: The role of the side that changes, in the first wave.
        unit: The kind of unit.
        more: 1 for one unit more, -1 for one less.
        wins: The attacker's chance after the change: to win, or in several waves to hold the field at the end.
        wave: The number of the wave in which the unit comes, from 0.
    """

    role: Role
    unit: str
    more: int
    wins: float
    wave: int = 0


def unit_changes(waves: Waves) -> list[tuple[UnitChange, Waves]]:
    """Return every change by one unit, of the kinds that can take part, with the battle after it.

    The defender of a later wave has more or fewer reinforcements there. The chances are not known yet.

    Args:
        waves: The battle.
    """
    changes: list[tuple[UnitChange, Waves]] = []
    for number, battle in enumerate(waves.battles):
        for place, (role, units) in enumerate(zip(ROLES, (battle.attacker.units, waves.fresh[number]), strict=True)):
            side = ROLES[place if waves.side(number) == 0 else 1 - place]
            # Nobody attacks without units, and the first defenders need some.
            alone = sum(count for _, count in units) == 1 and (role == "attack" or not number)
            for name in _kinds_to_change(battle.rules, role, units):
                for more in (1,) if alone else (1, -1):
                    with suppress(BattleError):
                        changed = waves.with_more(name, more, number, role)
                        changes.append((UnitChange(side, name, more, 0.0, number), changed))
    return changes


def _kinds_to_change(rules: Rules, role: Role, there: Units) -> list[str]:
    """The kinds of which a side may have one more or less: special ones and forms only if it has some."""
    has = dict(there)
    return [
        name
        for name, unit in rules.table.items()
        if has.get(name)
        or not (name.startswith((AMPHIBIOUS, DAMAGED)) or unit.form_of or (role == "attack" and unit.antiaircraft))
    ]


def unit_sensitivity(battle: AxisBattle | Waves, limit: float = inf) -> tuple[float, list[UnitChange]]:
    """Return the first attacker's chance, and that chance after every change by one unit.

    Args:
        battle: The battle.
        limit: The most work that this may take, in the unit of `Meter`.

    Raises:
        TooLargeError: If it takes more work, or if a side has too many forces.

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
    waves, meter = as_waves(battle), Meter(limit)
    wins, changes = _wins(waves, meter), unit_changes(waves)
    # Each is about as much work, so what is too much is refused before it begins.
    Meter(limit).add(meter.done * (1 + len(changes)))
    return wins, [change._replace(wins=_wins(changed, meter)) for change, changed in changes]


def _wins(waves: Waves, meter: Meter) -> float:
    if not waves.only:
        return waves_worth(waves, meter).holds
    if odds := solve_at_once(waves.only, ROUGHLY, meter):
        return odds.wins
    chain = AxisChain(waves.only)
    chain.meter = meter
    meter.add(0.0 if chain.numbers <= MOST_NUMBERS else inf)
    return solve_chain(chain, ROUGHLY).wins


def changes_to_dict(waves: Waves, answer: tuple[float, list[UnitChange]]) -> dict[str, Any]:
    """Return the chance as it is, and after one unit more or less, as a JSON document.

    Args:
        waves: The battle.
        answer: The result of `unit_sensitivity`.
    """
    rows = []
    for role, unit, more, wins, wave in answer[1]:
        place = {"role": role} if waves.only else {"side": SIDES[ROLES.index(role)], "wave": wave}
        rows.append({**place, "unit": unit, "more": more, "wins": clamp_chance(wins)})
    return {"wins": clamp_chance(answer[0]), "changes": rows}
