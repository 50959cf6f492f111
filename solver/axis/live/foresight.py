"""The chance to win a live battle of Axis & Allies after a volley if a side goes on choosing its best losses.

One game of chosen casualties holds all that the side can have left after the volley.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.casualties.solve import CasualtyGame, solve_casualties
from solver.axis.course import opening_dice, phases_left
from solver.axis.kernel.forces import Force, Forces, Segment
from solver.axis.kernel.hits import UnitCounts
from solver.axis.live.stage import AxisStage
from solver.axis.sides import Army
from solver.axis.units import ROLES, Role, Unit
from solver.errors import TooLargeError
from solver.game import SideName

MOST_FORESEEN = 25_000_000.0
"""About how much work looking ahead may take, in the unit of `Meter`: half a second at most."""


def chances_with_choices(before: AxisStage, outcomes: Sequence[AxisStage], side: SideName, limit: float) -> list[float]:
    """Return the attacker's chance to win after a volley if a side goes on choosing its best losses.

    The other side follows its order of loss.

    Args:
        before: The battle before the volley.
        outcomes: Where several ways to take the hits on the side lead; the other side has the same units in all.
        side: The side.
        limit: The most work, in the unit of `Meter`; it is `MOST_FORESEEN` at most.

    Raises:
        TooLargeError: It takes more work, or in this battle more is decided than losses.
    """
    if _decides_more(before):
        raise _too_large()
    going = [stage for stage in outcomes if not stage.ended]
    if not going:
        return [float(stage.ended == "won") for stage in outcomes]
    forces = (before.attack, going[0].defence) if side == "attacker" else (going[0].attack, before.defence)
    game = _game(before, forces, side, min(limit, MOST_FORESEEN))
    return [float(stage.ended == "won") if stage.ended else _chance_in(game, before, stage) for stage in outcomes]


def _decides_more(before: AxisStage) -> bool:
    """Whether more is decided after a stage than losses, or otherwise than in a game of chosen casualties."""
    battle = before.battle
    phases = phases_left(before.opening_phase) if before.opening_phase else []
    opens = any(opening_dice(battle, phase, *before.segments, battle.opening_ships) for phase in phases)
    return battle.ends_early or any(battle.submerge) or opens or battle.dice == "low_luck"


def _game(before: AxisStage, forces: Sequence[Force], side: SideName, limit: float) -> CasualtyGame:
    """The game of a side that chooses, with the units of two forces; ships fire only if no round has been fought."""
    battle = before.battle
    armies = []
    for role, army, force, segments in zip(
        ROLES, (battle.attacker, battle.defender), forces, before.segments, strict=True
    ):
        units: dict[str, int] = {}
        for segment, count in zip(segments, force.active, strict=True):
            if count and not segment.spare:
                units[segment.unit.name] = units.get(segment.unit.name, 0) + count
        if role == "attack" and before.stage == "guns":
            units |= {unit.name: count for unit, count in battle.ships}
        armies.append(replace(army, units=tuple(units.items())))
    here = 0 if side == "attacker" else 1
    armies[here] = _with_strong_first(battle, armies[here], ROLES[here])
    rest = replace(battle, attacker=armies[0], defender=armies[1], aa_already_fired=True, kamikaze=())
    there = before.segments[1 - here], forces[1 - here].active
    fresh = rest.segments(ROLES[1 - here])
    if _line_up(*there) != _line_up(fresh, [segment.units for segment in fresh]):
        raise _too_large()  # a fresh battle would have other units kept to the last
    return solve_casualties(replace(rest, chooses=(side == "attacker", side == "defender")), limit)


def _line_up(segments: Sequence[Segment], active: Sequence[int]) -> list[str]:
    """The units of a side one by one, first lost first."""
    pairs = zip(segments, active, strict=True)
    return [segment.unit.name for segment, count in pairs if not segment.spare for _ in range(count)]


def _with_strong_first(battle: AxisBattle, army: Army, role: Role) -> Army:
    """An army in an order that makes the game count forces that lose the stronger of two units, too."""
    table = battle.rules.table
    strong = sorted(army.loss_order, key=lambda name: table[name].strength(role), reverse=True)
    return replace(army, loss_order=tuple(strong))


def _chance_in(game: CasualtyGame, before: AxisStage, stage: AxisStage) -> float:
    """The chance to win at a stage after a volley."""
    sweep = game.sweep
    row, column = (
        _node_of(side.forces, segments, force)
        for side, segments, force in zip(
            (sweep.attack, sweep.defence), stage.segments, (stage.attack, stage.defence), strict=True
        )
    )
    if before.stage == "guns":
        return float(game.first[row])
    if before.stage == "fire":
        return float(sweep.worth[0, column, row])
    beginnings = sweep.kinds.beginnings
    if not beginnings:
        raise _too_large()  # the submarines that struck are lost
    phase = 1 + (beginnings.index(stage.had) if stage.had in beginnings else 0)
    return float(sweep.worth[phase, column, row])


def _node_of(forces: Forces, segments: Sequence[Segment], force: Force) -> int:
    """The node of a force, whose segments may be others than those of the game."""
    wanted = _counts(segments, np.array([force.active]), forces.role)
    there = _counts(forces.segments, forces.active, forces.role)
    same = ~forces.gone.any(axis=1) & (not any(force.gone))
    for nature, counts in there.items():
        same &= counts == wanted.get(nature, 0)
    nodes = np.flatnonzero(same)
    if not len(nodes):
        raise _too_large()
    return int(nodes[0])


def _counts(segments: Sequence[Segment], active: UnitCounts, role: Role) -> dict[tuple[Unit, bool], UnitCounts]:
    """The number of units of each nature, and of first hits, in each force: [force]."""
    totals: dict[tuple[Unit, bool], UnitCounts] = {}
    for segment, counts in zip(segments, active.T, strict=True):
        key = _nature(segment.unit, role), segment.spare
        totals[key] = totals.get(key, 0) + counts
    return totals


def _nature(unit: Unit, role: Role) -> Unit:
    """The unit without the rest, such as its price: forces of defenders that differ only there are one in the game."""
    if role == "attack" or unit.hit_points(role) > 1:
        return unit
    return unit.never_attacks


def _too_large() -> TooLargeError:
    return TooLargeError("units", "this battle takes more work than is allowed")
