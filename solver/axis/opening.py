"""The fire before the first round of a battle: one law of the forces with which both sides come to that round.

On land, in this order: anti-aircraft guns fire at planes; the planes of both sides fight each other until a side has
none; ships bombard. At sea the defender makes kamikaze attacks. Some editions have only a part of it. The rounds that
follow are in chain.py.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import compress, product
from math import lgamma
from typing import NamedTuple

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.course import (
    AIMED,
    Fleet,
    OpeningPhase,
    Powers,
    Shot,
    count_planes,
    guns_choose,
    guns_draw,
    opening_dice,
    phases_from,
)
from solver.axis.kernel.forces import full_force, is_plane
from solver.axis.kernel.hits import Laws, hit_laws
from solver.axis.loss_order import Force, Places, Segment
from solver.axis.sides import Dice, dice_of
from solver.axis.units import Role
from solver.errors import TooLargeError

MOST_DUELS = 10_000
"""The most numbers of planes that two sides can come to in the air."""

Sizes = tuple[int, int, int]
ON_LAND: tuple[OpeningPhase, ...] = ("guns", "air", "bombard")
"""The phases that a battle on land can have before its first round."""
VolleyDice = tuple[Powers, ...]
"""The dice of a phase, group by group."""
JointLaw = tuple[tuple[Force, Force, float], ...]
"""Forces of the attacker and of the defender, each pair with its probability."""


class Opening(NamedTuple):
    """The law of the forces with which both sides come to the first round.

    Attributes:
        rows: The attacker's forces, the one before any loss first.
        columns: For each force with which the defender may begin, what it may leave, without any loss first.
        laws: The probability of each pair: [start, row, place of the column].
        sizes: The numbers of losses: of the attacker's planes, of the defender's planes, of units hit by ships.
    """

    rows: list[Force]
    columns: list[list[Force]]
    laws: Laws
    sizes: Sizes


def find_opening(
    battle: AxisBattle, ours: Sequence[Segment], theirs: Sequence[Segment], starts: Sequence[Force]
) -> Opening:
    """Return what happens before the first round.

    Args:
        battle: The battle.
        ours: The attacker's order of loss, with all units that there are.
        theirs: The defender's order of loss.
        starts: The forces with which the defender may begin.
    """
    if battle.theatre == "sea" or not (battle.opening_ships or _count_planes(ours)):
        after = kamikaze_law(opening_dice(battle, "kamikaze", ours, theirs, ()), ours, battle.unit_dice)
        shares = np.array([[[share] for share in after.values()]] * len(starts))
        return Opening(list(after), [[force] for force in starts], shares, (len(after), 1, 1))
    kinds = [_kind_of_start(theirs, force) for force in starts]
    law_of = {
        kind: opening_law(battle, ours, units_of(theirs, force), battle.opening_ships)
        for kind, force in dict(zip(kinds, starts, strict=True)).items()
    }
    laws = [law_of[kind] for kind in kinds]
    lost, downed, hit = (max(law.shape[axis] for law in laws) for axis in range(3))
    joint = np.zeros((len(laws), lost, downed, hit))
    for place, law in zip(joint, laws, strict=True):
        place[: law.shape[0], : law.shape[1], : law.shape[2]] = law
    harmed = downed * hit > 1
    columns = [list(_defenders_after(theirs, force, downed, hit)) if harmed else [force] for force in starts]
    rows = attackers_after(battle, ours, full_force(ours), lost)
    return Opening(rows, columns, joint.reshape(len(laws), lost, downed * hit), (lost, downed, hit))


def _kind_of_start(theirs: Sequence[Segment], force: Force) -> tuple[int, ...]:
    """The number of guns and of planes of each segment, and whether there are other units: starts alike open alike."""
    counts = [
        count if unit.antiaircraft or is_plane(unit) else -(count > 0)
        for (unit, *_), count in zip(theirs, force.active, strict=True)
    ]
    return (*(max(count, 0) for count in counts), min(counts, default=0))


def kamikaze_law(attacks: Sequence[Shot], ours: Sequence[Segment], dice: Dice) -> dict[Force, float]:
    """Return what kamikaze attacks may leave of the attacker, with the probability of each; that without a hit first.

    Args:
        attacks: The attacks on each ship.
        ours: The attacker's order of loss.
        dice: The dice.
    """
    law = {full_force(ours): 1.0}
    for reach, powers in attacks:
        spare, ship = kamikaze_places(ours, reach.removeprefix(AIMED))
        after: dict[Force, float] = {}
        for force, share in law.items():
            for hits, chance in enumerate(hit_laws(np.array([powers]), dice)[0].tolist()):
                active = list(force.active)
                if spare is not None:
                    active[spare] -= min(hits, 1)
                active[ship] -= hits > (spare is not None)
                left = Force(tuple(active), force.gone)
                after[left] = after.get(left, 0.0) + share * chance
        law = after
    return law


def kamikaze_places(ours: Sequence[Segment], name: str) -> tuple[int | None, int]:
    """Return the segment of the first hits of a kind of ship, None if one hit sinks it, and that of the ships.

    Args:
        ours: The attacker's order of loss.
        name: The kind.
    """
    places = {segment.spare: place for place, segment in enumerate(ours) if segment.unit.name == name}
    return places.get(True), places[False]


def rest_of_opening(
    battle: AxisBattle,
    phase: OpeningPhase,
    sides: tuple[Sequence[Segment], Sequence[Segment]],
    forces: tuple[Force, Force],
) -> JointLaw:
    """Return what both sides may have left after the rest of an opening.

    Args:
        battle: The battle.
        phase: The phase whose fire comes next.
        sides: The orders of loss of the attacker and of the defender.
        forces: The forces that the attacker and the defender have left.
    """
    (ours, theirs), (attack, defence) = sides, forces
    left = units_of(ours, attack), units_of(theirs, defence)
    law = opening_law(battle, *left, battle.opening_ships, phases_from(phase))
    lost, downed, hits = law.shape
    rows, columns = attackers_after(battle, ours, attack, lost), list(_defenders_after(theirs, defence, downed, hits))
    shares = law.reshape(lost, -1).tolist()
    pairs = product(zip(rows, shares, strict=True), enumerate(columns))
    return tuple((row, column, law[place]) for (row, law), (place, column) in pairs if law[place])


def opened_forces(battle: AxisBattle, role: Role, order: Sequence[Segment], sizes: Sizes) -> list[Force]:
    """Return what the opening may leave of a side under an order of loss, in the order of `Opening`.

    Args:
        battle: The battle.
        role: The role of the side.
        order: All its units.
        sizes: The sizes of the opening.
    """
    planes, downed, hits = sizes
    if role == "attack":
        return attackers_after(battle, order, full_force(order), planes)
    return list(_defenders_after(order, full_force(order), downed, hits))


def opening_law(
    battle: AxisBattle,
    ours: Sequence[Segment],
    theirs: Sequence[Segment],
    fleet: Fleet,
    phases: Collection[OpeningPhase] = ON_LAND,
) -> Laws:
    """Return the law of the losses before the first round.

    It is [loss of the attacker's planes, defender's planes lost, hits of ships]. If guns decide which planes they hit,
    the losses are those of `attackers_after`.

    Args:
        battle: The battle.
        ours: The attacker's units.
        theirs: The defender's units.
        fleet: The ships that bombard before the first round.
        phases: The phases that are not over.
    """
    planes = _count_planes(ours), _count_planes(theirs)
    guns, air, ships = (
        tuple(powers for _, powers in opening_dice(battle, phase, ours, theirs, fleet)) if phase in phases else ()
        for phase in ON_LAND
    )
    flak = dice_of(battle.dice, battle.rules.faces, guns=True)
    drawn = tuple(count_planes(battle, ours).values()) if guns and guns_draw(battle) else ()
    flying = (_planes_by_hits(ours), _planes_by_hits(theirs)) if air and all(planes) else None
    return _opening_law(guns, air, ships, planes[0], flying, (flak, battle.unit_dice), drawn)


@lru_cache(1_000)
def _opening_law(
    guns: VolleyDice,
    air: VolleyDice,
    ships: VolleyDice,
    planes: int,
    flying: tuple[Places, Places] | None,
    kinds: tuple[Dice, Dice],
    drawn: tuple[int, ...],
) -> Laws:
    """The law of the losses before the first round, with the dice of its phases.

    `planes` is the number of hits that the attacker's planes can take, `flying` that of the planes of both sides by
    hits in an air battle. The kinds of dice are that of guns and that of all others. `drawn` are the planes of each
    kind if hits of guns take them at random.
    """
    flak, dice = kinds
    downed, bombardment = _hit_law(guns, flak), _hit_law(ships, dice)
    downed = _law_of_draws(downed, drawn) if drawn else downed
    if flying is None:
        return np.asarray(np.multiply.outer(downed[:, None], bombardment))
    law = np.zeros((planes + 1, len(flying[1])))
    for lost, chance in enumerate(downed):
        law[lost:] += chance * _duel_law((flying[0][: planes - lost + 1], flying[1]), air[0], dice)
    return np.asarray(np.multiply.outer(law, bombardment))


def _hit_law(volley: VolleyDice, dice: Dice) -> Laws:
    """The law of the hits of a volley: of all numbers of hits of its groups, those of the last one counted first."""
    law = np.ones(1)
    for powers in volley:
        law = np.multiply.outer(law, hit_laws(np.array([powers]), dice)[0]).reshape(-1)
    return law


def _law_of_draws(downed: Laws, planes: tuple[int, ...]) -> Laws:
    """The law of the planes of each kind that fall, those of the last kind counted first: each hit takes any plane."""
    logs = np.array([lgamma(count + 1) for count in range(sum(planes) + 1)])
    lost = np.indices([count + 1 for count in planes]).reshape(len(planes), -1)
    hits = lost.sum(axis=0)
    ways = sum(logs[count] - logs[some] - logs[count - some] for count, some in zip(planes, lost, strict=True))
    share = np.exp(ways - (logs[-1] - logs[hits] - logs[sum(planes) - hits]))
    return np.asarray(share * np.append(downed, np.zeros(len(logs) - len(downed)))[hits])


@lru_cache(1_000)
def _duel_law(flying: tuple[Places, Places], plane: Powers, dice: Dice) -> Laws:
    """The law of the hits that the planes of both sides take in the air: [attacker's, defender's].

    They fight until a side has none, each with the dice of `plane`; `flying` has the number of planes of each side for
    0, 1, 2, ... hits that they can still take. TooLargeError if there are too many planes.
    """
    ours, theirs = (len(numbers) - 1 for numbers in flying)
    if (ours + 1) * (theirs + 1) > MOST_DUELS:
        raise TooLargeError("units", "this battle takes more work than is allowed")
    laws = hit_laws(np.outer(np.arange(max(ours, theirs) + 1), plane), dice)
    left = np.zeros((ours + 1, theirs + 1))
    left[ours, theirs] = 1.0
    for own in range(ours, 0, -1):
        for other in range(theirs, 0, -1):
            # Rounds in which nobody hits do not count.
            fire, fire_back = laws[flying[0][own]], laws[flying[1][other]]
            chances = np.outer(_losses(fire_back, own), _losses(fire, other))
            chances[0, 0] = 0.0
            left[own::-1, other::-1] += left[own, other] / chances.sum() * chances
            left[own, other] = 0.0
    return left[::-1, ::-1]


def _losses(law: Laws, limit: int) -> Laws:
    """The law of the planes shot down, where no more than these can be hit."""
    capped = np.zeros(limit + 1)
    some = law[: limit + 1]
    capped[: len(some)] = some
    capped[limit] += law[limit + 1 :].sum()
    return capped


def attackers_after(battle: AxisBattle, ours: Sequence[Segment], force: Force, losses: int) -> list[Force]:
    """Return what the opening may leave of the attacker, in the order of `Opening.rows`.

    Args:
        battle: The battle. If guns decide which planes they hit, planes of the last kind are counted first.
        ours: The order of loss.
        force: The force before.
        losses: The number of losses; 1 if no plane can be lost.
    """
    if not guns_choose(battle) or losses == 1:
        return _forces_without_planes(ours, force, losses)
    kinds = list(battle.rules.table)
    planes = [place for place, segment in enumerate(ours) if is_plane(segment.unit) and force.active[place]]
    planes.sort(key=lambda place: kinds.index(ours[place].unit.name))
    left = []
    for lost in product(*(range(force.active[place] + 1) for place in planes)):
        fallen = dict(zip(planes, lost, strict=True))
        active = [count - fallen.get(place, 0) for place, count in enumerate(force.active)]
        left.append(Force(tuple(active), force.gone))
    return left


def _defenders_after(theirs: Sequence[Segment], force: Force, planes: int, hits: int) -> Iterator[Force]:
    """Yield what the opening may leave of a force of the defender, in the order of `Opening.columns`.

    So many numbers of planes may be lost in the air, and ships may have so many numbers of hits.
    """
    for left in _forces_without_planes(theirs, force, planes):
        active = list(left.active)
        for place in range(hits):
            if place:
                first = next((at for at, count in enumerate(active) if count), None)
                active = active if first is None else [count - (at == first) for at, count in enumerate(active)]
            yield Force(tuple(active), left.gone)


def _forces_without_planes(segments: Sequence[Segment], force: Force, count: int) -> list[Force]:
    """A force after the loss of 0, 1, ... of its next planes in the order of loss; the same once it has none."""
    forces = [force]
    for _ in range(count - 1):
        active = forces[-1].active
        first = next((at for at, segment in enumerate(segments) if is_plane(segment.unit) and active[at]), None)
        left = tuple([units - (at == first) for at, units in enumerate(active)])
        forces.append(Force(left, force.gone))
    return forces


def _planes_by_hits(segments: Sequence[Segment]) -> Places:
    """The number of planes that are left among units if these can still take 0, 1, 2, ... hits."""
    forces = _forces_without_planes(segments, full_force(segments), _count_planes(segments) + 1)
    flying = [is_plane(segment.unit) and not segment.spare for segment in segments]
    return tuple(sum(compress(force.active, flying)) for force in reversed(forces))


def _count_planes(segments: Sequence[Segment]) -> int:
    """The number of hits that the planes among units can take."""
    return sum(segment.units for segment in segments if is_plane(segment.unit))


def units_of(segments: Sequence[Segment], force: Force) -> list[Segment]:
    """Return the units of a force in its order of loss: see `Force`."""
    return [segment._replace(units=count) for segment, count in zip(segments, force.active, strict=True) if count]
