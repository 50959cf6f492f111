"""The course of a battle: who fires when, and at what, and which submarines leave before that.

Simulations, live battles and exact odds read it. If both sides fire in a phase, they fire at the same time. Casualties
leave at its end, and do not fire in a later one.
"""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.kernel.forces import ONLY, Flags, Forces, Nodes, Selection, is_plane, is_sub
from solver.axis.loss_order import Segment
from solver.axis.sides import Army, Ruling, Units
from solver.axis.units import ROLES, Role, Unit
from solver.chain import Mask

OpeningPhase = Literal["guns", "air", "bombard", "kamikaze"]
"""The phases before the first round: anti-aircraft guns fire, planes fight each other, ships bombard; at sea there are
kamikaze attacks."""
Phase = OpeningPhase | Literal["strike", "fire"]
"""The phases of a battle: those of the opening, then in each round the strike of submarines where no enemy destroyer
is, and the fire of everybody else."""
Fleet = tuple[tuple[Unit, int], ...]
"""The ships that bombard a battle on land: kinds, and how many of each."""
Powers = tuple[int, ...]
"""How many dice there are of each strength, from 0 on."""
Shot = tuple[str, Powers]
"""The reach of some hits, and the dice that make them: see `can_reach`."""

AIMED = "aimed at "
"""Before the name of a kind of ship, the reach of kamikaze attacks on one ship of that kind."""
KAMIKAZE = 2
"""With this number or less a kamikaze attack hits."""


class PhaseRule(NamedTuple):
    """The events of a phase.

    Attributes:
        roles: Who fires.
        reach: Which units the hits may take: see `can_reach`. In "fire" hits of some groups reach less: see `fire_of`.
        repeats: Whether it goes on as long as anybody can fire.
    """

    roles: tuple[Role, ...]
    reach: str
    repeats: bool = False


OPENING: dict[OpeningPhase, PhaseRule] = {
    "guns": PhaseRule(("defence",), "planes"),
    "air": PhaseRule(ROLES, "planes", repeats=True),
    "bombard": PhaseRule(("attack",), "any"),
    "kamikaze": PhaseRule(("defence",), "aimed"),
}
"""The phases before the first round, in their order. An edition has some of them."""
ROUND: dict[Literal["strike", "fire"], PhaseRule] = {
    "strike": PhaseRule(ROLES, "ships"),
    "fire": PhaseRule(ROLES, "any"),
}
"""The phases of a round, in their order."""


def phases_from(phase: OpeningPhase) -> list[OpeningPhase]:
    """Return a phase of the opening and those that follow.

    Args:
        phase: The phase.
    """
    phases = list(OPENING)
    return phases[phases.index(phase) :]


def phases_left(phase: OpeningPhase) -> list[OpeningPhase]:
    """Return the phases of the opening that may follow a volley.

    Args:
        phase: The phase of the volley.
    """
    return phases_from(phase)[not OPENING[phase].repeats :]


def opening_dice(
    battle: AxisBattle, phase: OpeningPhase, ours: Sequence[Segment], theirs: Sequence[Segment], fleet: Fleet
) -> list[Shot]:
    """Return the dice of a phase before the first round, in groups that roll one after the other.

    Args:
        battle: The battle.
        phase: The phase. In the air the dice are those of one plane.
        ours: The attacker's units.
        theirs: The defender's units.
        fleet: The ships that bombard in this phase.
    """
    reach = OPENING[phase].reach
    match phase:
        case "guns":
            return list(_gun_dice(battle, ours, theirs))
        case "air":
            return [(reach, _dice(battle.air_battle, 1))] if battle.air_battle else []
        case "bombard":
            strengths = [unit.attack for unit, count in fleet for _ in range(count)]
            return [(reach, tuple(map(strengths.count, range(battle.rules.faces + 1))))] if strengths else []
        case "kamikaze":
            return kamikaze_dice(battle.kamikaze, battle.attacker)


def _gun_dice(battle: AxisBattle, ours: Sequence[Segment], theirs: Sequence[Segment]) -> Iterator[Shot]:
    """The shots of anti-aircraft guns: at all planes, or at each kind apart.

    Where hits take planes at random, a group without dice for each kind has the hits that are drawn for it.
    """
    guns, planes = _guns_that_fire(battle, theirs), [segment for segment in ours if is_plane(segment.unit)]
    if not guns or not planes:
        return
    strength = guns[0][0].antiaircraft_hits
    kinds = count_planes(battle, planes)
    if guns_choose(battle) and not guns_draw(battle):
        yield from ((ONLY + name, _dice(strength, count)) for name, count in kinds.items())
        return
    shots = sum(unit.antiaircraft * count for unit, count in guns)
    yield OPENING["guns"].reach, _dice(strength, min(shots, sum(kinds.values())))
    if guns_draw(battle):
        yield from ((ONLY + name, _dice(strength, 0)) for name in kinds)


def guns_choose(battle: AxisBattle) -> bool:
    """Return whether the defender's guns decide which planes they hit: at each kind apart, or at random.

    Args:
        battle: The battle.
    """
    guns = any(battle.rules.table[name].antiaircraft for name, _count in battle.defender.units)
    by_kind = battle.rules.antiaircraft_by_kind and battle.ruling >= Ruling.FLEETS_STAY
    return battle.guns_can_fire and guns and (by_kind or guns_draw(battle))


def guns_draw(battle: AxisBattle) -> bool:
    """Return whether hits of guns take planes at random, from several kinds.

    Args:
        battle: The battle.
    """
    if not (battle.rules.antiaircraft_at_random and battle.guns_can_fire):
        return False
    return len({name for name, _count in battle.attacker.units if battle.rules.table[name].kind == "air"}) > 1


def count_planes(battle: AxisBattle, units: Sequence[Segment]) -> dict[str, int]:
    """Return the number of planes of each kind among units, in the order of the table of the edition.

    Args:
        battle: The battle.
        units: The units.
    """
    planes = {segment.unit.name: segment.units for segment in units if is_plane(segment.unit) and not segment.spare}
    return {name: planes[name] for name in battle.rules.table if name in planes}


def _guns_that_fire(battle: AxisBattle, theirs: Sequence[Segment]) -> list[tuple[Unit, int]]:
    """The defender's anti-aircraft guns, also those that cannot be hit; mostly none if there are no other units."""
    alone = all(segment.unit.idle for segment in theirs)
    if not battle.guns_can_fire or (alone and not battle.rules.lone_guns_fire):
        return []
    captured = [(battle.rules.table[name], count) for name, count in battle.captured_guns]
    others = (segment for segment in theirs if segment.unit.antiaircraft and not segment.spare)
    return captured + [(segment.unit, segment.units) for segment in others]


def kamikaze_dice(aims: Units, attacker: Army) -> list[Shot]:
    """Return the kamikaze attacks on each ship: those on a kind are shared out evenly.

    Args:
        aims: The kinds at which they are aimed, and with how many.
        attacker: The attacker's army.
    """
    dice = []
    for name, count in aims:
        each, over = divmod(count, attacker.count(name))
        attacks = (each + (ship < over) for ship in range(attacker.count(name)))
        dice += [(AIMED + name, _dice(KAMIKAZE, count)) for count in attacks if count]
    return dice


def _dice(strength: int, count: int) -> Powers:
    """So many dice of one strength."""
    return (*[0] * strength, count)


class KindFlags(NamedTuple):
    """The properties that decide how forces of one kind fight.

    Attributes:
        screens: Whether they have a destroyer.
        subs: Whether they have submarines.
        planes: Whether they have planes.
        flies: Whether any force of the side has planes.
        strikes: Whether the submarines of the side strike first where no enemy destroyer is.
    """

    screens: bool
    subs: bool
    planes: bool
    flies: bool
    strikes: bool


Fighters = Forces | KindFlags
"""A force in each of many battles, or all forces of one kind."""


class GroupFire(NamedTuple):
    """The fire of some units of a side in the phase "fire".

    Attributes:
        group: Who fires: "subs" or "planes".
        reach: Which units the hits may take.
        apart: Whether these units fire, and roll apart from all others.
        barred: Whether the reach leaves out any unit of the target.
    """

    group: str
    reach: str
    apart: Flags | bool
    barred: Flags | bool


def strikes_at(shooter: Fighters, target: Fighters) -> Flags | bool:
    """Return whether a side has submarines that strike first, because no enemy destroyer is there.

    Args:
        shooter: The forces of the side.
        target: The forces that they meet.
    """
    return shooter.subs & _no(target.screens) & shooter.strikes


def fire_of(shooter: Fighters, target: Fighters, hunted: bool, had_subs: Flags | bool) -> tuple[GroupFire, GroupFire]:
    """Return the fire of submarines and that of planes, in the order in which hits are allotted.

    Submarines that have struck first fire no more, and hit no planes. Planes hit submarines only beside a destroyer of
    their own. Those that do not roll apart roll with all others, whose hits may take any unit and are allotted last.

    Args:
        shooter: The forces that fire.
        target: The forces at which they fire.
        hunted: Whether planes can hit submarines without a destroyer.
        had_subs: Whether any side had submarines when the round began.
    """
    subs = GroupFire("subs", "ships", shooter.subs & _no(strikes_at(shooter, target)), target.planes)
    return subs, GroupFire("planes", "surface", _no(shooter.screens | hunted) & had_subs, target.subs)


def round_reaches(shooters: Sequence[Segment], targets: Sequence[Segment]) -> list[str]:
    """Return the reaches that hits on a side can have in a round.

    Args:
        shooters: The units of the other side.
        targets: The units of the side.
    """
    reaches = [ROUND["fire"].reach]
    if any(segment.unit.surprise for segment in shooters):
        reaches.append(ROUND["strike"].reach)
    hidden = any(segment.unit.surprise and not segment.unit.hunted for segment in targets)
    return [*reaches, "surface"] if hidden and any(is_plane(segment.unit) for segment in shooters) else reaches


def submerge_masks(
    battle: AxisBattle, attack: Forces, defence: Forces, rows: Selection, columns: Selection
) -> tuple[Mask, Mask]:
    """Return whether the attacker's and whether the defender's submarines submerge, as the battle says.

    They do where an enemy is there, but no enemy destroyer, and not transports alone, as long as fewer have submerged
    than may. Submerging comes first, even if nobody could hit anybody. The shape is that of rows and columns together:
    see `AxisEnds`.
    """
    meet = attack.alive[rows] & defence.alive[columns]
    ours = meet & can_submerge(attack, battle.submerge[0])[rows] & ~defence.screens[columns]
    theirs = meet & can_submerge(defence, battle.submerge[1])[columns] & ~attack.screens[rows]
    if battle.ruling >= Ruling.FLEETS_STAY:
        ours, theirs = ours & ~defence.defenceless[columns], theirs & ~attack.defenceless[rows]
    return np.asarray(ours), np.asarray(theirs)


def dives_late(battle: AxisBattle) -> bool:
    """Return whether submarines submerge only after the first round.

    Args:
        battle: The battle.
    """
    # An old log of a table that played so says it itself: only editions learned it with this ruling.
    switched = battle.ruling >= Ruling.SUBMERGED_LATE or "submerge-after" in battle.rules.own[1]
    return battle.rules.submerge_after and switched and any(battle.submerge)


def has_first_round(battle: AxisBattle) -> bool:
    """Return whether the first round is apart: nobody can stop or leave before it, ships fire, or nobody submerges yet.

    Args:
        battle: The battle.
    """
    return bool(battle.ships) or bool(battle.retreat or battle.defender_retreat) or dives_late(battle)


def leaves_field(unit: Unit) -> bool:
    """Return whether a unit leaves with the defender: all do but guns that only shoot at planes.

    Args:
        unit: The unit.
    """
    return not unit.idle


def few_are_left(battle: AxisBattle, defence: Forces) -> Flags:
    """Return which forces of the defender leave after a round because of how few they are: [force].

    Args:
        battle: The battle.
        defence: The forces.
    """
    most = battle.defender_retreat.units_at_most
    return np.asarray(defence.units <= (0 if most is None else most))


def leaves_after(battle: AxisBattle, defence: Forces, rounds: Nodes) -> Flags:
    """Return which forces of the defender leave after so many rounds, if attackers fight on: [force].

    Args:
        battle: The battle.
        defence: The forces.
        rounds: The number of rounds that each has fought.
    """
    leaves, last = few_are_left(battle, defence), battle.defender_retreat.rounds
    if last is not None:
        leaves |= rounds >= last
    return np.asarray(leaves & (rounds > 0))


def last_round(battle: AxisBattle) -> int | None:
    """Return the last round after which somebody leaves whatever has happened; None if nobody does.

    Args:
        battle: The battle.
    """
    limits = [limit for limit in (battle.round_limit, battle.defender_retreat.rounds) if limit is not None]
    return max(limits, default=None)


def can_submerge(forces: Forces, most: int) -> Flags:
    """Return which forces have submarines that may still submerge: [force].

    Args:
        forces: The forces of a side.
        most: How many may submerge in all.
    """
    return np.asarray(forces.subs & (forces.count(is_sub, gone=True) < most))


def fight_mask(attack: Forces, defence: Forces, rows: Selection, columns: Selection) -> Mask:
    """Return whether two forces fight a round: both are alive, the defender is not helpless, and somebody can hit.

    The shape is that of rows and columns together: see `AxisEnds`.
    """
    meet = attack.alive[rows] & (defence.alive & ~defence.helpless)[columns]
    return np.asarray(meet & (_can_hit(attack, rows, defence, columns) | _can_hit(defence, columns, attack, rows)))


def _can_hit(shooter: Forces, these: Selection, target: Forces, those: Selection) -> Mask:
    """Whether forces of one side can hit those of the other side that they meet, where both have somebody left."""
    hitting, hittable = shooter.hitting, target.hittable
    hits = hitting["others"][these] | (hitting["subs"][these] & hittable["subs"][those])
    hits |= hitting["planes"][these] & (hittable["planes"][those] | shooter.screens[these])
    return np.asarray(hits)


def _no(flags: Flags | bool) -> Flags | bool:
    """The opposite of flags; `~` of a bool would be a number."""
    return flags ^ True
