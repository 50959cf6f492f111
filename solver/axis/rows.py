"""The rules of an Axis & Allies battle for many battles at once, a row for each: simulated ones, or a live one.

Nothing here is random: the caller says how often the dice of a volley hit. The random parts of a battle are, in this
order, the opening (opening.py), the strike of submarines without an enemy destroyer, and the fire of all others.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.axis.battle import AxisBattle
from solver.axis.course import (
    AIMED,
    OPENING,
    ROUND,
    Fleet,
    OpeningPhase,
    Phase,
    dives_late,
    fight_mask,
    fire_of,
    leaves_after,
    leaves_field,
    opening_dice,
    strikes_at,
    submerge_masks,
)
from solver.axis.ends import AxisEnds
from solver.axis.kernel.forces import (
    REACHES,
    Flags,
    Forces,
    Nodes,
    can_leave,
    can_reach,
    full_force,
    is_other,
    is_plane,
    is_sub,
    leaving_units,
)
from solver.axis.kernel.hits import UnitCounts
from solver.axis.loss_order import Segment
from solver.axis.opening import kamikaze_places
from solver.axis.plans import LikelyHits
from solver.axis.sides import EVERYBODY, Ruling
from solver.axis.units import ROLES, Role, Unit

Shots = Sequence[tuple[str, UnitCounts]]
"""Hits in the order in which they are allotted: a reach as `can_reach` takes it, or `AIMED` and a kind of ship for the
hits on one ship of that kind; and the number of hits in each battle."""
EVERY = slice(None)


class BattleRows(NamedTuple):
    """Battles at one moment.

    Attributes:
        attack: The attacker's force in each battle.
        defence: The defender's force in each battle.
        rounds: The number of rounds fought in each battle.
    """

    attack: Forces
    defence: Forces
    rounds: Nodes

    def select(self, which: Flags) -> "BattleRows":
        """Return those of the battles for which a flag is set, [battle]: see `BattleRows`."""
        return BattleRows(_select(self.attack, which), _select(self.defence, which), self.rounds[which])


class RoundStart(NamedTuple):
    """Battles after all moves without fire.

    Attributes:
        field: The battles.
        fights: Whether there is a round: [battle].
        retreated: Whether attackers have just retreated: [battle].
    """

    field: BattleRows
    fights: Flags
    retreated: Flags


class Salvo(NamedTuple):
    """The fire of one side at one time, in groups of dice that roll apart.

    Attributes:
        reaches: Which units the hits of each group may take, as in `Shots`.
        powers: For each group, how many units of each strength fire: [battle, strength].
        barred: Whether hits of the first group, the submarines, are barred from some units. Elsewhere they are allotted
            last. None if nothing depends on that.
    """

    reaches: tuple[str, ...]
    powers: tuple[UnitCounts, ...]
    barred: Flags | None = None

    def shots(self, hits: Sequence[UnitCounts]) -> Shots:
        """Return the hits in the order in which they are allotted.

        Args:
            hits: The hits of each group: [battle].
        """
        if self.barred is None:
            return list(zip(self.reaches, hits, strict=True))
        first, *rest = zip(self.reaches, hits, strict=True)
        return [(first[0], first[1] * self.barred), *rest[:-1], (rest[-1][0], rest[-1][1] + first[1] * ~self.barred)]


Salvos = tuple[Salvo, Salvo]
"""The fire of the attacker and of the defender at the same time."""
SubFlags = tuple[Flags, Flags]
"""Whether the attacker and the defender had submarines when the round began: [battle]."""


class AxisRows:
    """The rules of one battle, applied to many rows.

    Attributes:
        battle: The battle.
        planned: Returns whether the attacker retreats by a rule that plans to the end; None if no rule plans.
        segments: The order of loss of each side.
        subs_about: Whether any unit is a submarine.
        hunted: Whether planes can hit submarines without a destroyer.
        swept: Whether ships alone destroy guns that are alone.
    """

    def __init__(self, battle: AxisBattle, planned: Callable[[BattleRows], Flags] | None = None) -> None:
        self.battle, self.planned = battle, planned
        self.segments = {role: battle.segments(role) for role in ROLES}
        every = (*self.segments["attack"], *self.segments["defence"])
        self.subs_about = any(segment.unit.surprise for segment in every)
        self.hunted = any(segment.unit.hunted for segment in every)
        self.landing = battle.ends_early and any(segment.unit.amphibious for segment in every)
        clear, lose = battle.retreat.clear_chance_above, battle.retreat.air_loss_chance_above
        self.clearing = None if clear is None else LikelyHits(battle.unit_dice, clear)
        self.losing = None if lose is None else LikelyHits(battle.unit_dice, lose)
        ours, theirs = self.segments.values()
        guns_alone = bool(theirs) and all(segment.unit.idle for segment in theirs)
        self.swept = bool(battle.fleet) and not ours and guns_alone and battle.ruling >= Ruling.HELPLESS_FALL

    def forces(self, role: Role, counts: npt.NDArray[np.int_] | npt.NDArray[np.int16]) -> Forces:
        """Return the forces of a side.

        Args:
            role: The role of the side.
            counts: The units in the fight, then those gone from it: [battle, segment].
        """
        segments, whole = self.segments[role], counts.astype(np.int64)
        return Forces(segments, role, self.battle.unit_dice, whole[:, : len(segments)], whole[:, len(segments) :])

    def start(self, battles: int) -> BattleRows:
        """Return battles before the first shot.

        Args:
            battles: How many.
        """
        ours, theirs = (
            self.forces(role, np.repeat(np.array([full_force(segments)], np.int64).reshape(1, -1), battles, axis=0))
            for role, segments in self.segments.items()
        )
        return BattleRows(ours, theirs, np.zeros(battles, np.int64))

    # Before a round --------------------------------------------------------------------------------------

    def declines(self) -> bool:
        """Return whether the attacker declines: a rule that looks at the next round applies before the first shot."""
        if not (self.battle.retreat and self.battle.decline_allowed):
            return False
        start = self.start(1)
        wants = self._wants_retreat(start.attack.with_ships(self.battle.fleet), start.defence)
        field = self._after_submerging(start, self.battle.ships) or start
        crashes = AxisEnds(self.battle, field.attack, field.defence, EVERY, EVERY).crashes & ~field.defence.helpless
        return bool((wants & (self._fights(field, self.battle.ships) | crashes)).all())

    def make_moves(self, field: BattleRows, ships: Fleet = ()) -> RoundStart:
        """Make all moves without fire: submarines submerge, attackers retreat, and defenders leave after that.

        Args:
            field: The battles.
            ships: The ships beside the attacker in the first round.
        """
        retreated, won = np.zeros((2, len(field.rounds)), bool)
        if self.swept and not field.rounds.any():
            field = field._replace(defence=_with_counts(field.defence, np.zeros_like(field.defence.active)))
        while True:
            submerged = self._after_submerging(field, ships)
            if submerged:
                field = submerged
                continue
            fights = self._fights(field, ships) & ~won
            stops = fights & self._stops(field) if fights.any() else fights
            # Nobody retreats from planes that crash: an attacker who stops is alone.
            won |= stops & self.attacker_alone(field)
            stops, fights = stops & ~won, fights & ~won
            if stops.any():
                who = can_leave if self.landing else is_anything
                field = field._replace(attack=withdraw_units(field.attack, stops, who))
                retreated |= stops
            elif (leaves := fights & leaves_after(self.battle, field.defence, field.rounds)).any():
                field = field._replace(defence=withdraw_units(field.defence, leaves, leaves_field))
            else:
                return RoundStart(field, fights, retreated)

    def attacker_alone(self, field: BattleRows) -> Flags:
        """Return whether the attacker is alone once all planes on the other side crash, [battle]: see `BattleRows`."""
        crash = self.battle.crash_stranded_fighters and self.battle.theatre == "sea"
        if not crash or self.battle.ruling < Ruling.HELPLESS_FALL:
            return np.zeros(len(field.rounds), bool)
        return AxisEnds(self.battle, field.attack, field.defence, EVERY, EVERY).attacker_alone

    def _fights(self, field: BattleRows, ships: Fleet) -> Flags:
        """Whether there is a round, with these ships beside the attacker."""
        fights = fight_mask(field.attack, field.defence, EVERY, EVERY)
        return fights | (field.defence.alive & ~field.defence.helpless) if ships else fights

    def _after_submerging(self, field: BattleRows, ships: Fleet) -> BattleRows | None:
        """The battles after submarines have left that no destroyer holds; None if none of them leaves."""
        ours, theirs = field.attack, field.defence
        if not self.subs_about or not any(self.battle.submerge):
            return None
        dive = submerge_masks(self.battle, ours, theirs, EVERY, EVERY)
        if dives_late(self.battle):
            now = (field.rounds > 0) | ~self._fights(field, ships)
            dive = dive[0] & now, dive[1] & now
        if not (dive[0].any() or dive[1].any()):
            return None
        most = self.battle.submerge
        ours = withdraw_units(ours, dive[0], is_sub, most[0])
        theirs = withdraw_units(theirs, dive[1], is_sub, most[1])
        return BattleRows(ours, theirs, field.rounds)

    def _stops(self, field: BattleRows) -> Flags:
        """Whether the attacker retreats: never before the first round."""
        stops = self._wants_retreat(field.attack, field.defence)
        if self.planned:
            stops |= self.planned(field)
        if self.battle.round_limit is not None:
            stops |= field.rounds >= self.battle.round_limit
        stops &= field.rounds > 0
        if self.landing:
            stops &= field.attack.count(can_leave) > 0
        return stops

    def _wants_retreat(self, attack: Forces, defence: Forces) -> Flags:
        """Whether a rule applies that looks at the next round."""
        wants = np.zeros(len(attack.active), bool)
        if self.battle.retreat.units_at_most is not None:
            wants |= attack.units <= self.battle.retreat.units_at_most
        if self.battle.retreat.transports_alone:
            wants |= attack.harmless
        if self.clearing is not None:
            wants |= defence.rank <= self.clearing.limits(attack.powers(is_anything))
        if self.losing is not None:
            flying = np.array([segment.unit.kind == "air" for segment in attack.segments], bool) & (attack.active > 0)
            before = np.where(np.cumsum(flying, axis=1) > 0, 0, attack.active).sum(axis=1)
            wants |= flying.any(axis=1) & (before < self.losing.limits(defence.powers(is_anything)))
        return wants

    # Fire ------------------------------------------------------------------------------------------------

    def salvos(self, phase: Phase, field: BattleRows, had: SubFlags | None = None) -> Salvos:
        """Return the fire of both sides in a phase.

        Args:
            phase: The phase.
            field: The battles.
            had: Whether each side had submarines when the round began; None if there are no submarines.
        """
        ours, theirs = field.attack, field.defence
        if phase == "strike":
            return _strike(ours, theirs), _strike(theirs, ours)
        if phase != "fire":
            return self._opening_salvos(phase, field)
        if had is None:
            fire, fire_back = (Salvo((ROUND[phase].reach,), (side.powers(is_anything),)) for side in (ours, theirs))
            return fire, fire_back
        had_subs = had[0] | had[1]
        return self._fire(ours, theirs, had_subs), self._fire(theirs, ours, had_subs)

    def _opening_salvos(self, phase: OpeningPhase, field: BattleRows) -> Salvos:
        """The fire before the first round. In the air both sides fire as long as anybody does."""
        ours, theirs = field.attack, field.defence
        times = [np.ones(len(field.rounds), np.int64)] * 2
        if phase == "air":
            times = [ours.count(is_plane) * theirs.planes, theirs.count(is_plane) * ours.planes]
        elif phase == "bombard":
            # Helpless units are destroyed without dice.
            times[0] = times[0] * (theirs.alive & ~(theirs.helpless & (ours.alive | self.swept)))
        sides = self.segments["attack"], self.segments["defence"]
        dice = opening_dice(self.battle, phase, *sides, self.battle.opening_ships)
        fire, fire_back = (
            Salvo(tuple(reach for reach, _ in dice), tuple(np.outer(count, powers) for _, powers in dice))
            if role in OPENING[phase].roles
            else Salvo((), ())
            for role, count in zip(ROLES, times, strict=True)
        )
        return fire, fire_back

    def _fire(self, shooter: Forces, target: Forces, had_subs: Flags) -> Salvo:
        """The fire of one side: submarines, planes that roll by themselves, and all others."""
        subs, planes = fire_of(shooter, target, self.hunted, had_subs)
        diving, flying, others = (shooter.powers(which) for which in (is_sub, is_plane, is_other))
        apart = _only(planes.apart, flying)
        powers = _only(subs.apart, diving), apart, others + flying - apart
        return Salvo((subs.reach, planes.reach, ROUND["fire"].reach), powers, np.asarray(subs.barred))

    def take_hits(self, field: BattleRows, at_theirs: Shots, at_ours: Shots, had: SubFlags | None = None) -> BattleRows:
        """Return the battles after hits on both sides.

        Args:
            field: The battles.
            at_theirs: The hits on the defender.
            at_ours: The hits on the attacker.
            had: Whether each side had submarines when the round began; None if there are no submarines.
        """
        keeps = self.battle.keep_last_destroyer
        ours = _forces_after_hits(field.attack, at_ours, had[1] if had and keeps[0] else None)
        theirs = _forces_after_hits(field.defence, at_theirs, had[0] if had and keeps[1] else None)
        return BattleRows(ours, theirs, field.rounds)


def _forces_after_hits(forces: Forces, shots: Shots, keeps: Flags | None) -> Forces:
    """The forces after hits. With `keeps` the last destroyer is kept as long as another unit can be lost."""
    active = forces.active.copy(order="F")
    for reach, hits in shots:
        if reach.startswith(AIMED):
            spare, ship = kamikaze_places(forces.segments, reach.removeprefix(AIMED))
            if spare is not None:
                active[:, spare] -= hits > 0
            active[:, ship] -= hits > (spare is not None)
        elif hits.any():
            places = [place for place, segment in enumerate(forces.segments) if can_reach(reach, segment.unit)]
            left = hits if keeps is None else _lose_but_last(active, forces.segments, places, hits, keeps)
            for place in places:
                lost = np.minimum(active[:, place], left)
                active[:, place] -= lost
                left = left - lost
    return _with_counts(forces, active)


def _lose_but_last(
    active: UnitCounts, segments: Sequence[Segment], places: Sequence[int], hits: UnitCounts, keeps: Flags
) -> UnitCounts:
    """Lose units, but neither the last destroyer nor transports where it is to be kept; return the hits left over."""
    screens = [place for place, segment in enumerate(segments) if segment.unit.screens]
    waiting = hits * keeps
    for place in places:
        if segments[place].unit.defenceless:
            continue
        free = active[:, place]
        if segments[place].unit.screens:
            free = np.minimum(free, np.maximum(active[:, screens].sum(axis=1) - 1, 0))
        lost = np.minimum(free, waiting)
        active[:, place] -= lost
        waiting -= lost
    return np.asarray(hits * ~keeps + waiting)


def withdraw_units(forces: Forces, where: Flags, who: Callable[[Unit], bool], most: int = EVERYBODY) -> Forces:
    """Return the forces after the units of some kinds have left the fight alive.

    Args:
        forces: The force in each battle.
        where: In which battles they leave: [battle].
        who: Whether a kind leaves.
        most: See `leaving_units`.
    """
    kinds = np.array([who(segment.unit) for segment in forces.segments], bool)
    leaving = leaving_units(forces.active * kinds, forces.gone * kinds, most) * where[:, None]
    return _with_counts(forces, forces.active - leaving, forces.gone + leaving)


def _with_counts(forces: Forces, active: UnitCounts, gone: UnitCounts | None = None) -> Forces:
    """The forces with other counts, without ships beside them."""
    return Forces(forces.segments, forces.role, forces.dice, active, forces.gone if gone is None else gone)


def _select(forces: Forces, which: Flags) -> Forces:
    """The forces of some battles, each segment contiguous in memory."""
    return _with_counts(forces, forces.active.T[:, which].T, forces.gone.T[:, which].T)


def _strike(shooter: Forces, target: Forces) -> Salvo:
    """The fire of submarines that strike first."""
    return Salvo((ROUND["strike"].reach,), (_only(strikes_at(shooter, target), shooter.powers(is_sub)),))


def _only(where: Flags | bool, powers: UnitCounts) -> UnitCounts:
    """The dice of those battles for which a flag is set: see `Salvo.powers`."""
    return np.asarray(powers * np.asarray(where)[:, None])


is_anything = REACHES["any"]
"""Returns True for every unit."""
