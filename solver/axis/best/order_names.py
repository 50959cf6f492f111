"""Orders of loss by the names of kinds of units: those of a battle that can change, and the battle with others."""

from dataclasses import replace

from solver.axis.battle import AxisBattle
from solver.axis.best.ranking import Names, WavesNames
from solver.axis.sides import Army
from solver.axis.units import Role
from solver.axis.waves.waves import Waves


def movable_units(battle: AxisBattle, role: Role) -> Names:
    """Return the kinds of a side that have no fixed place in its order, first lost first.

    Args:
        battle: The battle.
        role: The role of the side.
    """
    table, side = battle.rules.table, battle.army(role)
    there = {segment.unit.name for segment in battle.segments(role)}
    if battle.theatre == "sea":
        there -= {name for name in there if table[name].defenceless}
    if side.aa_second_last:
        there -= {name for name in there if table[name].antiaircraft}
    protected = dict.fromkeys(reversed(side.loss_order))  # a name's last place counts
    return tuple(name for name in protected if name in there)[::-1]


def roles_in_waves(waves: Waves, side: int) -> tuple[Role, ...]:
    """Return the role of a side in each wave.

    Args:
        waves: The battle.
        side: 0 for the first attacker's, 1 for the first defender's.
    """
    return tuple("attack" if waves.side(number) == side else "defence" for number in range(len(waves.battles)))


def with_orders(waves: Waves, side: int, names: WavesNames) -> Waves:
    """Return the battle with other orders of loss of one side.

    Args:
        waves: The battle.
        side: 0 for the first attacker's, 1 for the first defender's.
        names: For each wave the kinds of units, first lost first; kinds left out stay first.
    """
    changed = [
        with_order(wave, role, order) if order else wave
        for wave, role, order in zip(waves.battles, roles_in_waves(waves, side), names, strict=True)
    ]
    return replace(waves, battles=tuple(changed))


def with_order(battle: AxisBattle, role: Role, names: Names) -> AxisBattle:
    """Return the battle of one wave with another order of loss of one side.

    Args:
        battle: The battle.
        role: The role of the side.
        names: The kinds of units, first lost first; kinds left out stay first.
    """
    return battle.with_army(role, with_loss_order(battle.army(role), names))


def with_loss_order(side: Army, names: Names) -> Army:
    """Return an army with another order of loss.

    Args:
        side: The army.
        names: The kinds of units, first lost first; kinds left out stay first.
    """
    first = (name for name in side.loss_order if side.count(name) and name not in names)
    return replace(side, loss_order=(*first, *names))
