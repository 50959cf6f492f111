"""The fire before the first round of many battles at once, a row for each: see opening.py for what it is."""

import numpy as np

from solver.axis.checks import kamikaze_dice
from solver.axis.kernel.clashes import antiaircraft_shots, gun_strength
from solver.axis.kernel.forces import is_plane
from solver.axis.opening import KAMIKAZE, OpeningPhase
from solver.axis.rows import AIMED, AxisRows, BattleRows, Salvo, Salvos


def opening_fire(rows: AxisRows, phase: OpeningPhase, field: BattleRows) -> Salvos:
    """Return the fire before the first round. In the air both sides fire again as long as anybody does.

    Args:
        rows: The rules of the battle.
        phase: The phase of the opening.
        field: The battles.
    """
    battle, ours, theirs = rows.battle, field.attack, field.defence
    powers = np.zeros((2, len(field.rounds), 7), np.int64)
    if phase == "kamikaze":
        ships = kamikaze_dice(battle.kamikaze, battle.attacker)
        dice = np.zeros((len(ships), *powers[0].shape), np.int64)
        for one, (_, count) in zip(dice, ships, strict=True):
            one[:, KAMIKAZE] = count
        return Salvo((), ()), Salvo(tuple(AIMED + name for name, _ in ships), tuple(dice))
    if phase == "air":
        strength = battle.air_battle
        for side, (planes, enemies) in enumerate(((ours, theirs), (theirs, ours)) if strength else ()):
            powers[side, :, strength] = planes.count(is_plane) * enemies.planes
        return Salvo(("planes",), (powers[0],)), Salvo(("planes",), (powers[1],))
    if phase == "guns":
        shots = antiaircraft_shots(battle, rows.segments["attack"], rows.segments["defence"])
        dice = np.zeros((len(shots), *powers[0].shape), np.int64)
        for one, count in zip(dice, shots.values(), strict=True):
            one[:, gun_strength(battle)] = count
        return Salvo((), ()), Salvo(tuple(shots), tuple(dice))
    # Helpless units are destroyed without dice.
    there = theirs.alive & ~(theirs.helpless & (ours.alive | rows.swept))
    for unit, count in battle.opening_ships:
        powers[0, :, unit.attack] += count * there
    return Salvo(("any",), (powers[0],)), Salvo((), ())
