"""The worth of a live battle of Axis & Allies after a volley if a side goes on choosing its best losses.

That is the chance to win, or the mean TUV swing.

One game of chosen casualties holds all that the side can have left after the volley. In several waves its ends are
worth what follows them if the same player chooses in the later waves, too.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.casualties.solve import CasualtyGame, Ends, solve_casualties
from solver.axis.checks import may_choose
from solver.axis.course import last_round, opening_dice, phases_left
from solver.axis.kernel.forces import Forces
from solver.axis.kernel.hits import UnitCounts
from solver.axis.live.fight import AxisFight, odds_of_stages
from solver.axis.live.stage import AxisStage
from solver.axis.loss_order import Force, Segment
from solver.axis.sides import Aim, Army
from solver.axis.units import ROLES, Role, Unit
from solver.axis.waves.choices import ChosenWorths
from solver.axis.waves.fight import WavesFight
from solver.errors import TooLargeError
from solver.game import SideName
from solver.progress import Meter

MOST_FORESEEN = 25_000_000.0
"""About how much work looking ahead may take, in the unit of `Meter`: half a second at most."""


class Later(NamedTuple):
    """The future after a wave.

    Attributes:
        at_ends: The worth of the ends of the wave to its attacker: see `Ends`. None for the chance to win.
        after: The same for stages that have ended.
        aim: The aim of the side that chooses.
    """

    at_ends: Ends | None
    after: Callable[[Sequence[AxisFight]], Sequence[float]]
    aim: Aim = "takes"


ALONE = Later(None, lambda stages: [float(stage.ended == "won") for stage in stages])
"""The future after a battle of one wave."""
SWING_ALONE = Later(None, lambda stages: odds_of_stages(stages).profits.tolist(), "profit")
"""The future after a battle of one wave in which a side aims at its TUV swing."""


def chances_with_choices(
    before: AxisStage, outcomes: Sequence[AxisFight], side: SideName, limit: float, later: Later = ALONE
) -> list[float]:
    """Return the attacker's chance to win after a volley if a side goes on choosing its best losses.

    The other side follows its order of loss.

    Args:
        before: The battle before the volley.
        outcomes: Where several ways to take the hits on the side lead; the other side has the same units in all.
        side: The side.
        limit: The most work, in the unit of `Meter`; it is `MOST_FORESEEN` at most.
        later: The future; the result is the mean of its worth to the attacker.

    Raises:
        TooLargeError: It takes more work, or in this battle more is decided than losses.
    """
    if _decides_more(before):
        raise _too_large()
    going, over = ([stage for stage in outcomes if bool(stage.ended) == ended] for ended in (False, True))
    ends = iter(later.after(over) if over else ())
    if not going:
        return list(ends)
    forces = (before.attack, going[0].defence) if side == "attacker" else (going[0].attack, before.defence)
    game = _game(before, forces, side, min(limit, MOST_FORESEEN), later)
    return [next(ends) if stage.ended else _chance_in(game, before, stage) for stage in outcomes]


def swings_with_choices(
    before: AxisStage, outcomes: Sequence[AxisFight], side: SideName, limit: float, later: Later
) -> list[float]:
    """Return the attacker's mean TUV swing from a volley on if a side goes on choosing the losses best for its TUV.

    It counts the units lost in the volley, too. TooLargeError as `chances_with_choices` raises it.

    Args:
        before: The battle before the volley.
        outcomes: Where several ways to take the hits on the side lead; the other side has the same units in all.
        side: The side.
        limit: The most work, in the unit of `Meter`; it is `MOST_FORESEEN` at most.
        later: The future; after stages that have ended it returns the TUV swing from the start of the battle on.
    """
    going = next((stage for stage in outcomes if not stage.ended), None)
    here = 0 if side == "attacker" else 1
    # The game counts what is lost after the other side's losses in the volley.
    other = ROLES[1 - here]
    lost = worth_there(before, other) - worth_there(going, other) if going else 0.0
    beside = lost if side == "attacker" else -lost
    past = past_swing(before) + beside
    shifted = later._replace(after=lambda stages: [swing - past for swing in later.after(stages)])
    return [swing + beside for swing in chances_with_choices(before, outcomes, side, limit, shifted)]


def past_swing(stage: AxisStage) -> float:
    """Return the attacker's TUV swing up to a stage before the end.

    Args:
        stage: The stage.
    """
    whole = [sum(part.unit.cost * part.units for part in segments if not part.spare) for segments in stage.segments]
    ours, theirs = (total - worth_there(stage, role) for total, role in zip(whole, ROLES, strict=True))
    return theirs - ours


def worth_there(stage: AxisStage, role: Role) -> float:
    """Return what the units of a side are worth that it still has, in the fight or gone from it.

    Args:
        stage: The stage.
        role: The role of the side.
    """
    place = ROLES.index(role)
    force = (stage.attack, stage.defence)[place]
    there = zip(stage.segments[place], force.active, force.gone, strict=True)
    return sum(part.unit.cost * (active + gone) for part, active, gone in there if not part.spare)


def later_with_choices(fight: WavesFight, side: SideName, limit: float, aim: Aim) -> Later:
    """Return what follows a wave if a player goes on choosing the best losses, and the other follows the orders.

    Args:
        fight: The waves after a volley.
        side: The side in the wave under way on which the player is.
        limit: The most work, in the unit of `Meter`; it is `MOST_FORESEEN` at most.
        aim: The player's aim: that the first attacker holds the field in the end, or the TUV swing.

    Raises:
        TooLargeError: More is decided than losses. What it returns raises it if it takes more work.
    """
    volley, every = fight.fight.volley, fight.waves.battles
    assert volley, "there was a volley"
    ahead = every[fight.wave + 1 :]
    if any(of.retreat or any(of.submerge) for of in ahead) or not all(map(may_choose, every)):
        raise _too_large()
    attacks = [(side == "attacker") == (fight.waves.side(number) == fight.side) for number in range(len(every))]
    chosen = [
        replace(battle, chooses=(first, not first), aim=aim) for battle, first in zip(every, attacks, strict=True)
    ]
    waves = replace(fight.waves, battles=tuple(chosen)).free
    worths, ways, sign = ChosenWorths(waves, Meter(min(limit, MOST_FORESEEN))), fight.ends, 1 - 2 * fight.side
    return Later(
        partial(worths.worth_of_cells, ways, volley.before.battle),
        lambda stages: [sign * worth for worth in worths.worth_of_ends(ways, odds_of_stages(stages)).tolist()],
        aim,
    )


def _decides_more(before: AxisStage) -> bool:
    """Whether more is decided after a stage than losses, or otherwise than in a game of chosen casualties."""
    battle = before.battle
    phases = phases_left(before.opening_phase) if before.opening_phase else []
    opens = any(opening_dice(battle, phase, *before.segments, battle.opening_ships) for phase in phases)
    stops = bool(battle.retreat) or last_round(battle) is not None
    return stops or any(battle.submerge) or opens or battle.dice.startswith("low_luck")


def _game(before: AxisStage, forces: Sequence[Force], side: SideName, limit: float, later: Later) -> CasualtyGame:
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
    rest = replace(rest, chooses=(side == "attacker", side == "defender"), aim=later.aim)
    return solve_casualties(rest, limit, later.at_ends)


def _line_up(segments: Sequence[Segment], active: Sequence[int]) -> list[str]:
    """The units of a side one by one, first lost first."""
    pairs = zip(segments, active, strict=True)
    return [segment.unit.name for segment, count in pairs if not segment.spare for _ in range(count)]


def _with_strong_first(battle: AxisBattle, army: Army, role: Role) -> Army:
    """An army in an order that makes the game count forces that lose the stronger or dearer of two units, too."""
    table = battle.rules.table
    strong = sorted(
        army.loss_order, key=lambda name: (table[name].strength(role), battle.worth.of(table[name], role)), reverse=True
    )
    return replace(army, loss_order=tuple(strong))


def _chance_in(game: CasualtyGame, before: AxisStage, stage: AxisStage) -> float:
    """The chance to win at a stage after a volley."""
    sweep = game.sweep
    row, column = (
        _node_of(side.forces, segments, force, priced=game.battle.aim == "profit")
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


def _node_of(forces: Forces, segments: Sequence[Segment], force: Force, priced: bool) -> int:
    """The node of a force, whose segments may be others than those of the game."""
    wanted = _counts(segments, np.array([force.active]), forces.role, priced)
    there = _counts(forces.segments, forces.active, forces.role, priced)
    same = ~forces.gone.any(axis=1) & (not any(force.gone))
    for nature, counts in there.items():
        same &= counts == wanted.get(nature, 0)
    nodes = np.flatnonzero(same)
    if not len(nodes):
        raise _too_large()
    return int(nodes[0])


def _counts(
    segments: Sequence[Segment], active: UnitCounts, role: Role, priced: bool
) -> dict[tuple[Unit, bool], UnitCounts]:
    """The number of units of each nature, and of first hits, in each force: [force]."""
    totals: dict[tuple[Unit, bool], UnitCounts] = {}
    for segment, counts in zip(segments, active.T, strict=True):
        key = _nature(segment.unit, role, priced), segment.spare
        totals[key] = totals.get(key, 0) + counts
    return totals


def _nature(unit: Unit, role: Role, priced: bool) -> Unit:
    """The unit without what does not count for a defender: forces that differ only there are one in the game."""
    if role == "attack" or unit.hit_points(role) > 1:
        return unit
    return replace(unit.never_attacks, cost=unit.cost if priced else 0)


def _too_large() -> TooLargeError:
    return TooLargeError("units", "this battle takes more work than is allowed")
