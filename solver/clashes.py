"""Questions about any forces that meet: who can hit whom, who is helpless, who submerges, how often guns fire."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from solver.axis import AxisBattle
from solver.chain import Mask
from solver.fire import Some
from solver.forces import Flags, Forces, Segment
from solver.hits import Dice, Laws, hit_laws
from solver.units import Unit


def antiaircraft_shots(battle: AxisBattle, ours: Sequence[Segment], theirs: Sequence[Segment]) -> int:
    """How often anti-aircraft guns fire before the battle: none where they are alone."""
    planes = sum(segment.units for segment in ours if segment.unit.kind == "air")
    guns = sum(segment.unit.antiaircraft * segment.units for segment in theirs)
    others = any(not segment.unit.antiaircraft for segment in theirs)
    return min(guns, planes) if others and battle.theatre == "land" and not battle.aa_already_fired else 0


@lru_cache(100)
def antiaircraft_law(shots: int, dice: Dice) -> list[float]:
    """The law of the planes that so many shots of anti-aircraft guns bring down."""
    law: list[float] = antiaircraft_laws([shots], dice)[0].tolist()
    return law


def antiaircraft_laws(shots: Sequence[int], dice: Dice) -> Laws:
    """The laws of the planes that anti-aircraft guns bring down with so many shots: [number of shots, planes]."""
    powers = np.zeros((len(shots), 7), np.int64)
    powers[:, 1] = shots
    return hit_laws(powers, dice)


def helpless(defence: Forces) -> Flags:
    """The forces that are destroyed without a roll by any attacker: only transports, or only guns."""
    units = defence.units
    transports, guns = defence.count(_is_defenceless), defence.count(_is_gun)
    return np.asarray((units > 0) & ((transports == units) | (guns == units)))


def diving(battle: AxisBattle, attack: Forces, defence: Forces, rows: Some, columns: Some) -> tuple[Mask, Mask]:
    """Where submarines of the attacker and of the defender submerge: an enemy is there, but no enemy destroyer.

    That comes first: before helpless defenders are destroyed, and where nobody could hit anybody.
    """
    meet = attack.alive[rows] & defence.alive[columns]
    ours = meet & attack.subs[rows] & ~defence.screens[columns] & battle.submerge[0]
    theirs = meet & defence.subs[columns] & ~attack.screens[rows] & battle.submerge[1]
    return np.asarray(ours), np.asarray(theirs)


def fighting(attack: Forces, defence: Forces, rows: Some, columns: Some) -> Mask:
    """Where forces of both sides that meet fight: both are there, not helpless, and somebody can hit."""
    meet = attack.alive[rows] & (defence.alive & ~helpless(defence))[columns]
    return np.asarray(meet & (_can_hit(attack, rows, defence, columns) | _can_hit(defence, columns, attack, rows)))


def _is_defenceless(unit: Unit) -> bool:
    return unit.defenceless


def _is_gun(unit: Unit) -> bool:
    return unit.antiaircraft > 0


def _can_hit(shooter: Forces, these: Some, target: Forces, those: Some) -> Mask:
    """Whether these forces can hit those of the other side that they meet."""
    hitting = {name: flags[these] for name, flags in shooter.hitting.items()}
    hittable = {name: flags[those] for name, flags in target.hittable.items()}
    hits = hitting["subs"] & hittable["subs"]
    hits = hits | (hitting["others"] & hittable["others"])
    hits |= hitting["planes"] & (hittable["planes"] | (shooter.screens[these] & hittable["others"]))
    return np.asarray(hits)
