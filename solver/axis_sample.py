"""Battles of Axis & Allies that are too large to solve: many of them rolled, and how far their shares may be off.

What the rules say is done to arrays with a row for each battle. So it takes as long as there are rounds and segments of
the orders of loss; how many units there are makes no difference.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.axis import AxisBattle
from solver.axis_odds import AxisOdds, ending_in
from solver.clashes import antiaircraft_shots, diving, fighting, helpless
from solver.errors import BattleError, check_count
from solver.forces import REACHES, Flags, Forces, Nodes, Segment, full, is_other, is_plane, is_sub
from solver.hits import CHANCES, Counts, Dice, Laws
from solver.plans import SAME
from solver.units import Role, Unit

MOST_BATTLES = 1_000_000
AT_ONCE, AT_FIRST = 20_000, 1_000
"""How many battles are rolled together; the first of them tell how long they take."""
MOST_WORK = 5_000_000
"""About how many rounds of single battles are rolled; where they last long, fewer battles are."""
ENDLESS = 2_000
"""A battle that is not over after so many rounds counts as one that nobody has won."""
MOST_UNDECIDED = 0.01
"""The largest share of such battles of which odds are still told."""

Shots = Sequence[tuple[str, Counts]]
"""Hits in the order in which they are allotted: whom they may take (see `REACHES`), and how many in each battle."""
Ships = tuple[tuple[Unit, int], ...]
Rows = npt.NDArray[np.int16]

EVERY = slice(None)


class Field(NamedTuple):
    """Battles as they stand: both sides, row by row, and how many rounds each has had."""

    attack: Forces
    defence: Forces
    rounds: Nodes

    def chosen(self, which: Flags) -> "Field":
        """Some of the battles."""
        return Field(_chosen(self.attack, which), _chosen(self.defence, which), self.rounds[which])


class Endings(NamedTuple):
    """Battles that are over: the counts of each side, active and then gone, and the rounds and undecided in all."""

    attack: Rows
    defence: Rows
    rounds: int
    undecided: int


def sample_axis(battle: AxisBattle, battles: int = 100_000, seed: int | None = None) -> AxisOdds:
    """The odds of a battle as the shares of so many that are rolled; of fewer where these last very long.

    `error` is the half-width of an interval that holds a probability in 19 of 20 cases, whatever it is, and
    `sampled` how many battles there were. Where the attacker declines, nothing is rolled.
    """
    check_count("battles", battles, 1, MOST_BATTLES, "the number of battles to roll is")
    for name in ("profit_below", "win_chance_below"):
        if getattr(battle.retreat, name) is not None:
            raise BattleError(f"retreat.{name}", "this battle is too large to plan it to the end; give another rule")
    sampler = _Sampler(battle, np.random.default_rng(seed))
    if sampler.declined():
        start, place = sampler.whole(1), np.zeros(1, np.int64)
        home = _left(start.attack, np.ones(1, bool), _is_any)
        calm = replace(battle, crash_stranded_fighters=False)
        return replace(ending_in(calm, home, start.defence, place, place, np.ones(1), 0.0), declined=1.0)
    return sampler.odds(battles)


class _Sampler:
    """Who rolls a battle many times at once."""

    def __init__(self, battle: AxisBattle, generator: np.random.Generator) -> None:
        self.battle, self.generator = battle, generator
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

    # All battles -----------------------------------------------------------------------------------------

    def odds(self, battles: int) -> AxisOdds:
        """Roll the battles, so many at once, and count how they end."""
        found: list[Endings] = []
        done = work = 0
        while done < battles and (not done or work < MOST_WORK):
            affordable = AT_FIRST if not done else max(1, (MOST_WORK - work) * done // max(work, 1))
            some = min(AT_ONCE, battles - done, affordable)
            found.append(self._fought(self._begun(some)))
            done, work = done + some, work + found[-1].rounds
        undecided = sum(endings.undecided for endings in found)
        if undecided > done * MOST_UNDECIDED:
            raise BattleError("units", "this battle lasts too long to be followed to its end; `rounds:100` sets one")
        ours, rows = _distinct(np.concatenate([endings.attack for endings in found]))
        theirs, columns = _distinct(np.concatenate([endings.defence for endings in found]))
        pairs, counts = np.unique(rows * len(theirs) + columns, return_counts=True)
        attack, defence = self._forces("attack", ours), self._forces("defence", theirs)
        odds = ending_in(self.battle, attack, defence, *np.divmod(pairs, len(theirs)), counts / done, work / done)
        error = 1.96 * sqrt(0.25 / done) + (1 + undecided) / done
        return replace(odds, sampled=done, error=min(error, 1.0))

    def _forces(self, role: Role, counts: Rows) -> Forces:
        """The forces of a side from their counts, active and then gone."""
        active, gone = np.split(counts.astype(np.int64), 2, axis=1)
        return Forces(self.segments[role], role, self.battle.dice, active, gone)

    def whole(self, battles: int) -> Field:
        """So many battles before the first shot."""
        counts = (np.array([full(segments)], np.int16).reshape(1, -1) for segments in self.segments.values())
        ours, theirs = (np.repeat(whole, battles, axis=0) for whole in counts)
        return Field(self._forces("attack", ours), self._forces("defence", theirs), np.zeros(battles, np.int64))

    def _begun(self, battles: int) -> Field:
        """So many battles after the fire of anti-aircraft guns."""
        field = self.whole(battles)
        ours = self.segments["attack"]
        powers = np.zeros((battles, 7), np.int64)
        powers[:, 1] = antiaircraft_shots(self.battle, ours, self.segments["defence"])
        active = field.attack.active.copy()
        planes = [place for place, segment in enumerate(ours) if segment.unit.kind == "air"]
        _take(active, planes, self._hits(powers))
        return field._replace(attack=_stood(field.attack, active))

    def _fought(self, field: Field) -> Endings:
        """Fight until all battles are over: in every turn each ends, or makes a move without fire, or has a round."""
        ended: list[Field] = []
        ships = self.battle.ships
        undecided = 0
        while len(field.rounds):
            dived = self._dived(field)
            if dived:
                field = dived
                continue
            fights = self._fights(field, ships)
            stops = fights & self._stops(field)
            if stops.any():
                field = field._replace(attack=_left(field.attack, stops, _can_leave if self.landing else _is_any))
                continue
            endless = fights & (field.rounds >= ENDLESS)
            undecided += int(endless.sum())
            over = ~fights | endless
            if over.any():
                ended.append(field.chosen(over))
                field = field.chosen(~over)
            field = self._round(field._replace(attack=field.attack.with_ships(ships)))
            ships = ()
        rounds = sum(int(some.rounds.sum()) for some in ended)
        ours, theirs = [some.attack for some in ended], [some.defence for some in ended]
        return Endings(_recorded(ours), _recorded(theirs), rounds, undecided)

    # Before a round --------------------------------------------------------------------------------------

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
        return Field(_left(ours, dive[0], is_sub), _left(theirs, dive[1], is_sub), field.rounds)

    def _stops(self, field: Field) -> Flags:
        """Where the attacker retreats, if he fights and as many as can: never before the first round."""
        stops = self._wants_out(field.attack, field.defence)
        if self.battle.round_limit is not None:
            stops |= field.rounds >= self.battle.round_limit
        stops &= field.rounds > 0
        if self.landing:
            stops &= field.attack.count(_can_leave) > 0
        return stops

    def _wants_out(self, attack: Forces, defence: Forces) -> Flags:
        """Where a rule says that the attacker retreats."""
        wants = np.zeros(len(attack.active), bool)
        if self.battle.retreat.units_at_most is not None:
            wants |= attack.units <= self.battle.retreat.units_at_most
        if self.clearing is not None:
            wants |= defence.rank <= self.clearing.most(attack.powers(_is_any))
        if self.losing is not None:
            flying = np.array([segment.unit.kind == "air" for segment in attack.segments], bool) & (attack.active > 0)
            before = np.where(np.cumsum(flying, axis=1) > 0, 0, attack.active).sum(axis=1)
            wants |= flying.any(axis=1) & (before < self.losing.most(defence.powers(_is_any)))
        return wants

    def declined(self) -> bool:
        """Whether a rule is satisfied before the first shot of a battle that there would be."""
        start, ships = self.whole(1), self.battle.ships
        if not (self.battle.retreat and self.battle.decline_allowed):
            return False
        wants = self._wants_out(start.attack.with_ships(ships), start.defence)
        return bool((wants & self._fights(self._dived(start) or start, ships)).all())

    # A round of fire -------------------------------------------------------------------------------------

    def _round(self, field: Field) -> Field:
        """The battles after one more round."""
        ours, theirs, rounds = field
        if not self.subs_about:
            hits, losses = self._hits(ours.powers(_is_any)), self._hits(theirs.powers(_is_any))
            return Field(_struck(ours, [("any", losses)]), _struck(theirs, [("any", hits)]), rounds + 1)
        had = ours.subs, theirs.subs
        at_theirs, at_ours = self._strike(ours, theirs), self._strike(theirs, ours)
        ours, theirs = _struck(ours, at_ours), _struck(theirs, at_theirs)
        at_theirs, at_ours = (self._fire(*pair, had[0] | had[1]) for pair in ((ours, theirs), (theirs, ours)))
        keeps = self.battle.keep_last_destroyer
        ours = _struck(ours, at_ours, had[1] if keeps[0] else None)
        return Field(ours, _struck(theirs, at_theirs, had[0] if keeps[1] else None), rounds + 1)

    def _strike(self, shooter: Forces, target: Forces) -> Shots:
        """The hits of submarines that strike first, as no destroyer is there."""
        powers = shooter.powers(is_sub)
        return [("ships", self._hits(powers * ~target.screens[:, None]))]

    def _fire(self, shooter: Forces, target: Forces, had_subs: Flags) -> Shots:
        """The hits of all who have not struck first; where no hit of submarines is barred from anybody, these are last.

        Planes without a destroyer roll by themselves, and hit no submarines.
        """
        subs, planes, others = (shooter.powers(which) for which in (is_sub, is_plane, is_other))
        together = (shooter.screens | ~had_subs)[:, None]
        by_subs = self._hits(subs * target.screens[:, None])
        by_planes, by_others = self._hits(planes * ~together), self._hits(others + planes * together)
        barred = target.planes
        return [("ships", by_subs * barred), ("surface", by_planes), ("any", by_others + by_subs * ~barred)]

    def _hits(self, powers: Counts) -> Counts:
        """Roll the dice of every battle: so many units of strength 0, 1, ... in each."""
        if self.battle.dice == "low_luck":
            sixes, over = np.divmod(powers @ np.arange(7), 6)
            return np.asarray(sixes + (self.generator.integers(6, size=len(powers)) < over))
        hits = np.zeros(len(powers), np.int64)
        for strength, chance in enumerate(CHANCES[self.battle.dice]):
            if strength and powers[:, strength].any():
                hits += self.generator.binomial(powers[:, strength], chance)
        return hits


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


# Losses ---------------------------------------------------------------------------------------------------


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


def _left(forces: Forces, where: Flags, who: Callable[[Unit], bool]) -> Forces:
    """The forces once, in some battles, all units of such kinds have left the fight alive."""
    leaving = forces.active * (where[:, None] & np.array([who(segment.unit) for segment in forces.segments], bool))
    return _stood(forces, forces.active - leaving, forces.gone + leaving)


def _stood(forces: Forces, active: Counts, gone: Counts | None = None) -> Forces:
    """The side in other numbers, without ships beside it."""
    return Forces(forces.segments, forces.role, forces.dice, active, forces.gone if gone is None else gone)


def _chosen(forces: Forces, which: Flags) -> Forces:
    # Segment after segment lies in one piece.
    return _stood(forces, forces.active.T[:, which].T, forces.gone.T[:, which].T)


def _recorded(sides: Sequence[Forces]) -> Rows:
    """The counts of a side, active and then gone, of all battles."""
    return np.concatenate([np.concatenate([side.active, side.gone], axis=1).astype(np.int16) for side in sides])


def _distinct(rows: Rows) -> tuple[Rows, Nodes]:
    """Every row once, and which of these each is."""
    if not rows.shape[1]:
        return rows[:1], np.zeros(len(rows), np.int64)
    found, place = np.unique(rows, axis=0, return_inverse=True)
    return found, place.reshape(-1)


def _is_any(unit: Unit) -> bool:
    del unit
    return True


def _can_leave(unit: Unit) -> bool:
    return not unit.amphibious
