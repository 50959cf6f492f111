"""Which unit matters most: what one more or one less of each kind does to the attacker's chance to win."""

from dataclasses import replace
from typing import NamedTuple

from solver.axis import AxisBattle
from solver.axis_odds import solve_axis
from solver.errors import BattleError
from solver.units import AMPHIBIOUS, DAMAGED, Role

ROUGHLY = 1e-7
"""How much probability may be dropped in each of these battles."""


class Change(NamedTuple):
    """One unit more (`more` is 1) or less (-1) on a side, and the attacker's chance to win then."""

    role: Role
    unit: str
    more: int
    wins: float


def changes(battle: AxisBattle) -> list[tuple[Role, str, int, AxisBattle]]:
    """Every battle with one unit more or less: of the kinds that can be there, and take part in the order of loss."""
    found: list[tuple[Role, str, int, AxisBattle]] = []
    roles: tuple[Role, Role] = ("attack", "defence")
    for role in roles:
        side = battle.attacker if role == "attack" else battle.defender
        there = {name for name, _ in side.units}
        for name in battle.rules.table:
            special = name.startswith((AMPHIBIOUS, DAMAGED)) or (
                role == "attack" and battle.rules.table[name].antiaircraft
            )
            for more in (1, -1):
                changed = with_one(battle, role, name, more) if name in there or not special else None
                if changed is not None:
                    found.append((role, name, more, changed))
    return found


def matters(battle: AxisBattle) -> tuple[float, list[Change]]:
    """The attacker's chance to win, and that after every change of one unit."""
    tried = [
        Change(role, unit, more, solve_axis(changed, ROUGHLY).wins) for role, unit, more, changed in changes(battle)
    ]
    return solve_axis(battle, ROUGHLY).wins, tried


def with_one(battle: AxisBattle, role: Role, unit: str, more: int) -> AxisBattle | None:
    """The battle with so many units of a kind more on a side; None where that is no battle."""
    side = battle.attacker if role == "attack" else battle.defender
    counts = dict(side.units)
    counts[unit] = counts.get(unit, 0) + more
    if counts[unit] < 0 or not any(counts.values()):
        return None
    try:
        changed = replace(side, units=tuple(counts.items()))
        return replace(battle, attacker=changed) if role == "attack" else replace(battle, defender=changed)
    except BattleError:
        return None
