"""Checks of two forces that meet: whether they fight, submerge or are helpless, and how often guns fire."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.kernel.fire import Selection
from solver.axis.kernel.forces import ONLY, Forces, Segment, is_plane
from solver.axis.kernel.hits import Dice, hit_laws
from solver.axis.sides import Ruling
from solver.chain import Mask


def antiaircraft_shots(battle: AxisBattle, ours: Sequence[Segment], theirs: Sequence[Segment]) -> dict[str, int]:
    """Return how often anti-aircraft guns fire before the battle: not at all if the guns are alone.

    These are the shots by the reach of their hits: "planes", or `ONLY` each kind of plane if they fire at each kind
    apart.

    Args:
        battle: The battle.
        ours: The attacker's units.
        theirs: The defender's units.
    """
    planes = [segment for segment in ours if is_plane(segment.unit)]
    guns = sum(battle.rules.table[name].antiaircraft * count for name, count in battle.captured_guns)
    guns += sum(segment.unit.antiaircraft * segment.units for segment in theirs)
    others = any(not segment.unit.antiaircraft for segment in theirs)
    fires = bool(guns) and others and battle.theatre == "land" and not battle.aa_already_fired
    if battle.guns_by_kind:
        kinds = {segment.unit.name: segment.units for segment in planes}
        return {f"{ONLY}{name}": kinds[name] * fires for name in battle.rules.table if name in kinds}
    return {"planes": min(guns, sum(segment.units for segment in planes)) * fires}


def gun_strength(battle: AxisBattle) -> int:
    """Return the highest face with which the shots of the defender's guns hit.

    Args:
        battle: The battle.
    """
    units = (battle.rules.table[name] for name, _count in battle.defender.units)
    return max((unit.antiaircraft_hits for unit in units if unit.antiaircraft), default=1)


@lru_cache(100)
def antiaircraft_law(shots: int, strength: int, dice: Dice) -> list[float]:
    """Return the law of the planes that anti-aircraft guns shoot down: the probability of each number.

    Args:
        shots: How often the guns fire.
        strength: The highest face with which they hit.
        dice: "standard", "low_luck" or "biased".
    """
    powers = np.zeros((1, 7), np.int64)
    powers[:, strength] = shots
    law: list[float] = hit_laws(powers, dice)[0].tolist()
    return law


def submerge_masks(
    battle: AxisBattle, attack: Forces, defence: Forces, rows: Selection, columns: Selection
) -> tuple[Mask, Mask]:
    """Return whether the attacker's and whether the defender's submarines submerge, as the battle says.

    They do where an enemy is there, but no enemy destroyer, and not transports alone. Submerging comes first, even if
    nobody could hit anybody. The shape is that of rows and columns together: see `AxisEnds`.
    """
    meet = attack.alive[rows] & defence.alive[columns]
    ours = meet & attack.subs[rows] & ~defence.screens[columns] & battle.submerge[0]
    theirs = meet & defence.subs[columns] & ~attack.screens[rows] & battle.submerge[1]
    if battle.ruling >= Ruling.FLEETS_STAY:
        ours, theirs = ours & ~defence.defenceless[columns], theirs & ~attack.defenceless[rows]
    return np.asarray(ours), np.asarray(theirs)


def fight_mask(attack: Forces, defence: Forces, rows: Selection, columns: Selection) -> Mask:
    """Return whether two forces fight a round: both are alive, the defender is not helpless, and somebody can hit.

    The shape is that of rows and columns together: see `AxisEnds`.
    """
    meet = attack.alive[rows] & (defence.alive & ~defence.helpless)[columns]
    return np.asarray(meet & (_can_hit(attack, rows, defence, columns) | _can_hit(defence, columns, attack, rows)))


def _can_hit(shooter: Forces, these: Selection, target: Forces, those: Selection) -> Mask:
    """Whether forces of one side can hit the forces of the other side that they meet."""
    hitting = {name: flags[these] for name, flags in shooter.hitting.items()}
    hittable = {name: flags[those] for name, flags in target.hittable.items()}
    hits = hitting["subs"] & hittable["subs"]
    hits = hits | (hitting["others"] & hittable["others"])
    hits |= hitting["planes"] & (hittable["planes"] | (shooter.screens[these] & hittable["others"]))
    return np.asarray(hits)
