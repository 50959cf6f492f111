"""The rules of a battle of Axis & Allies done to rows: one for each battle that is rolled, or one on the table.

Nothing here is random: who rolls says how often the dice of a volley hit. What is random in a battle are the fire of
anti-aircraft guns, the strike of submarines that nobody screens, and the fire of all others; in this order.
"""

from collections.abc import Callable, Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.axis import AxisBattle
from solver.clashes import antiaircraft_shots, diving, fighting, helpless
from solver.forces import REACHES, Flags, Forces, Nodes, Segment, full, is_other, is_plane, is_sub
from solver.hits import CHANCES, Counts, Dice, Laws
from solver.plans import SAME, Ends
from solver.units import Role, Unit

Shots = Sequence[tuple[str, Counts]]
"""Hits in the order in which they are allotted: whom they may take (see `REACHES`), and how many in each battle."""
Ships = tuple[tuple[Unit, int], ...]

EVERY = slice(None)


class Field(NamedTuple):
    """Battles as they stand: both sides, row by row, and how many rounds each has had."""

    attack: Forces
    defence: Forces
    rounds: Nodes

    def chosen(self, which: Flags) -> "Field":
        """Some of the battles."""
        return Field(_chosen(self.attack, which), _chosen(self.defence, which), self.rounds[which])


class Settled(NamedTuple):
    """Battles once nobody moves without fire: where there is a round, and where attackers have retreated just now."""

    field: Field
    fights: Flags
    retreated: Flags


class Salvo(NamedTuple):
    """What one side fires at once: groups of dice that roll apart, as `powers`, and whom the hits of each may take.

    `powers[group]` says how many units fire with strength 0, 1, ... in each battle. Where the hits of the first group,
    the submarines, are not `barred` from anybody, they are allotted last; None where nothing depends on that.
    """

    reaches: tuple[str, ...]
    powers: tuple[Counts, ...]
    barred: Flags | None = None

    def shots(self, hits: Sequence[Counts]) -> Shots:
        """The hits in the order in which they are allotted, given those of each group."""
        if self.barred is None:
            return list(zip(self.reaches, hits, strict=True))
        first, *rest = zip(self.reaches, hits, strict=True)
        return [(first[0], first[1] * self.barred), *rest[:-1], (rest[-1][0], rest[-1][1] + first[1] * ~self.barred)]


Salvos = tuple[Salvo, Salvo]
"""What the attacker and the defender fire at the same time."""
Had = tuple[Flags, Flags]
"""Where the attacker and the defender had submarines when the round began."""


class AxisRows:
    """What the rules of one battle make of many rows, each a battle that has come so far.

    `planned` says where the attacker retreats by a rule that plans to the end of the battle.
    """

    def __init__(self, battle: AxisBattle, planned: Callable[[Field], Flags] | None = None) -> None:
        self.battle, self.planned = battle, planned
        self.segments: dict[Role, tuple[Segment, ...]] = {
            "attack": battle.segments("attack"),
            "defence": battle.segments("defence"),
        }
        every = (*self.segments["attack"], *self.segments["defence"])
        self.subs_about = any(segment.unit.surprise for segment in every)
        self.landing = battle.ends_early and any(segment.unit.amphibious for segment in every)
        clear, lose = battle.retreat.clear_chance_above, battle.retreat.air_loss_chance_above
        self.clearing = None if clear is None else _Likely(battle.dice, clear)
        self.losing = None if lose is None else _Likely(battle.dice, lose)

    def forces(self, role: Role, counts: npt.NDArray[np.int_] | npt.NDArray[np.int16]) -> Forces:
        """The forces of a side from their counts, active and then gone."""
        segments, whole = self.segments[role], counts.astype(np.int64)
        return Forces(segments, role, self.battle.dice, whole[:, : len(segments)], whole[:, len(segments) :])

    def whole(self, battles: int) -> Field:
        """So many battles before the first shot."""
        counts = (np.array([full(segments)], np.int64).reshape(1, -1) for segments in self.segments.values())
        ours, theirs = (np.repeat(whole, battles, axis=0) for whole in counts)
        return Field(self.forces("attack", ours), self.forces("defence", theirs), np.zeros(battles, np.int64))

    # Before a round --------------------------------------------------------------------------------------

    def declined(self) -> bool:
        """Whether a rule that looks at the next round is satisfied before the first shot of a battle there would be."""
        start, ships = self.whole(1), self.battle.ships
        if not (self.battle.retreat and self.battle.decline_allowed):
            return False
        wants = self._wants_out(start.attack.with_ships(ships), start.defence)
        return bool((wants & self._fights(self._dived(start) or start, ships)).all())

    def settled(self, field: Field, ships: Ships = ()) -> Settled:
        """Make all moves without fire: submarines submerge, and attackers retreat, also those who have been left."""
        retreated = np.zeros(len(field.rounds), bool)
        if ships and self.battle.ruling > 1:
            # Guns alone are destroyed also by ships alone.
            lost = ~field.attack.alive & helpless(field.defence)
            field = field._replace(defence=_stood(field.defence, np.where(lost[:, None], 0, field.defence.active)))
        won = np.zeros_like(retreated)
        while True:
            dived = self._dived(field)
            if dived:
                field = dived
                continue
            fights = self._fights(field, ships) & ~won
            stops = fights & self._stops(field) if fights.any() else fights
            # Nobody retreats from planes that crash: who stops there stands alone.
            won |= stops & self.deserted(field)
            stops, fights = stops & ~won, fights & ~won
            if not stops.any():
                return Settled(field, fights, retreated)
            field = field._replace(attack=withdrawn(field.attack, stops, can_leave if self.landing else is_any))
            retreated |= stops

    def deserted(self, field: Field) -> Flags:
        """Where all planes against the attacker crash once the battle is over, and nobody else is there."""
        if self.battle.ruling == 1 or not self.battle.crash_stranded_fighters or self.battle.theatre == "land":
            return np.zeros(len(field.rounds), bool)
        return Ends(self.battle, field.attack, field.defence, EVERY, EVERY).deserted

    def _fights(self, field: Field, ships: Ships) -> Flags:
        """Where there is a round, with these ships beside the attacker."""
        fights = fighting(field.attack, field.defence, EVERY, EVERY)
        return fights | (field.defence.alive & ~helpless(field.defence)) if ships else fights

    def _dived(self, field: Field) -> Field | None:
        """The battles once submarines have left that no destroyer holds; None where none of them does."""
        ours, theirs = field.attack, field.defence
        if not self.subs_about or not any(self.battle.submerge):
            return None
        dive = diving(self.battle, ours, theirs, EVERY, EVERY)
        if not dive[0].any() and not dive[1].any():
            return None
        return Field(withdrawn(ours, dive[0], is_sub), withdrawn(theirs, dive[1], is_sub), field.rounds)

    def _stops(self, field: Field) -> Flags:
        """Where the attacker retreats, if he fights and as many as can: never before the first round."""
        stops = self._wants_out(field.attack, field.defence)
        if self.planned:
            stops |= self.planned(field)
        if self.battle.round_limit is not None:
            stops |= field.rounds >= self.battle.round_limit
        stops &= field.rounds > 0
        if self.landing:
            stops &= field.attack.count(can_leave) > 0
        return stops

    def _wants_out(self, attack: Forces, defence: Forces) -> Flags:
        """Where a rule says that the attacker retreats."""
        wants = np.zeros(len(attack.active), bool)
        if self.battle.retreat.units_at_most is not None:
            wants |= attack.units <= self.battle.retreat.units_at_most
        if self.clearing is not None:
            wants |= defence.rank <= self.clearing.most(attack.powers(is_any))
        if self.losing is not None:
            flying = np.array([segment.unit.kind == "air" for segment in attack.segments], bool) & (attack.active > 0)
            before = np.where(np.cumsum(flying, axis=1) > 0, 0, attack.active).sum(axis=1)
            wants |= flying.any(axis=1) & (before < self.losing.most(defence.powers(is_any)))
        return wants

    # Fire ------------------------------------------------------------------------------------------------

    def guns(self, field: Field) -> Salvos:
        """The fire of anti-aircraft guns before the first round, the same in all battles."""
        powers = np.zeros((len(field.rounds), 7), np.int64)
        powers[:, 1] = antiaircraft_shots(self.battle, self.segments["attack"], self.segments["defence"])
        return Salvo((), ()), Salvo(("planes",), (powers,))

    def strike(self, field: Field) -> Salvos:
        """The fire of submarines that strike first, as no destroyer is there."""
        pairs = ((field.attack, field.defence), (field.defence, field.attack))
        ours, theirs = (
            Salvo(("ships",), (shooter.powers(is_sub) * ~target.screens[:, None],)) for shooter, target in pairs
        )
        return ours, theirs

    def fire(self, field: Field, had: Had | None = None) -> Salvos:
        """The fire of all who have not struck first; `had` is needed where submarines are about."""
        if had is None:
            return Salvo(("any",), (field.attack.powers(is_any),)), Salvo(("any",), (field.defence.powers(is_any),))
        had_subs = had[0] | had[1]
        return self._fire(field.attack, field.defence, had_subs), self._fire(field.defence, field.attack, had_subs)

    def _fire(self, shooter: Forces, target: Forces, had_subs: Flags) -> Salvo:
        """Where no hit of submarines is barred from anybody, these are last.

        Planes without a destroyer roll by themselves, and hit no submarines.
        """
        subs, planes, others = (shooter.powers(which) for which in (is_sub, is_plane, is_other))
        together = (shooter.screens | ~had_subs)[:, None]
        powers = subs * target.screens[:, None], planes * ~together, others + planes * together
        return Salvo(("ships", "surface", "any"), powers, target.planes)

    def struck(self, field: Field, at_theirs: Shots, at_ours: Shots, had: Had | None = None) -> Field:
        """The battles after hits on both sides."""
        keeps = self.battle.keep_last_destroyer
        ours = _struck(field.attack, at_ours, had[1] if had and keeps[0] else None)
        theirs = _struck(field.defence, at_theirs, had[0] if had and keeps[1] else None)
        return Field(ours, theirs, field.rounds)


class _Likely:
    """How many hits at the least are more likely than a `chance`, for one volley after another."""

    def __init__(self, dice: Dice, chance: float) -> None:
        self.dice, self.chance = dice, chance + SAME
        self._known: dict[tuple[int, ...], int] = {}

    def most(self, powers: Counts) -> Counts:
        """The highest number of hits that is reached with more than this chance; -1 where not even 0 is."""
        if self.chance >= 1:
            return np.full(len(powers), -1)
        if self.dice == "low_luck":
            sixes, over = np.divmod(powers @ np.arange(7), 6)
            return np.asarray(sixes + (over / 6 > self.chance))
        found, place = np.unique(powers[:, 1:], axis=0, return_inverse=True)
        return np.array([self._most(tuple(counts)) for counts in found.tolist()], np.int64)[place.reshape(-1)]

    def _most(self, counts: tuple[int, ...]) -> int:
        if counts not in self._known:
            least, law = 0, np.ones(1)
            for count, chance in zip(counts, CHANCES[self.dice][1:], strict=True):
                first, more = _binomial(count, chance)
                least, law = least + first, np.convolve(law, more)
            self._known[counts] = least + int((law[::-1].cumsum() > self.chance).sum()) - 1
        return self._known[counts]


def _binomial(count: int, chance: float) -> tuple[int, Laws]:
    """How many of so many hit: the least number, and the law from there on; what is below 1e-30 may be left out."""
    mean, far = count * chance, 30 + 12 * sqrt(count * chance * (1 - chance))
    if not mean or chance == 1:
        return count if mean else 0, np.ones(1)
    hits = np.arange(max(int(mean - far), 0), min(int(mean + far), count) + 1)
    steps = np.log((count + 1 - hits[1:]) / hits[1:] * (chance / (1 - chance))).cumsum()
    law = np.exp(np.append(0.0, steps) - steps.max(initial=0.0))
    return int(hits[0]), law / law.sum()


def _struck(forces: Forces, shots: Shots, keeps: Flags | None = None) -> Forces:
    """The forces after hits; those that `keeps` tells keep their last destroyer as long as another can fall."""
    active = forces.active.copy(order="F")
    for reach, hits in shots:
        if hits.any():
            segments = enumerate(forces.segments)
            places = [place for place, segment in segments if segment.spare or REACHES[reach](segment.unit)]
            left = hits if keeps is None else _take_others(active, forces.segments, places, hits, keeps)
            _take(active, places, left)
    return _stood(forces, active)


def _take(active: Counts, places: Sequence[int], hits: Counts) -> None:
    """Lose so many units of these segments, one segment after the other."""
    for place in places:
        lost = np.minimum(active[:, place], hits)
        active[:, place] -= lost
        hits = hits - lost


def _take_others(
    active: Counts, segments: Sequence[Segment], places: Sequence[int], hits: Counts, keeps: Flags
) -> Counts:
    """Lose units, but neither the last destroyer nor transports, where it is to be kept; returns the hits left over."""
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


def withdrawn(forces: Forces, where: Flags, who: Callable[[Unit], bool]) -> Forces:
    """The forces once, in some battles, all units of such kinds have left the fight alive."""
    leaving = forces.active * (where[:, None] & np.array([who(segment.unit) for segment in forces.segments], bool))
    return _stood(forces, forces.active - leaving, forces.gone + leaving)


def _stood(forces: Forces, active: Counts, gone: Counts | None = None) -> Forces:
    """The side in other numbers, without ships beside it."""
    return Forces(forces.segments, forces.role, forces.dice, active, forces.gone if gone is None else gone)


def _chosen(forces: Forces, which: Flags) -> Forces:
    # Segment after segment lies in one piece.
    return _stood(forces, forces.active.T[:, which].T, forces.gone.T[:, which].T)


def is_any(unit: Unit) -> bool:
    """Whoever it is."""
    del unit
    return True


def can_leave(unit: Unit) -> bool:
    """Whether it can retreat: it was not landed from the sea."""
    return not unit.amphibious
