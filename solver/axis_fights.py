"""A battle of Axis & Allies on the table: one throw of real dice at a time, by the rules of solver/axis_rows.py.

A round is one throw or more: in the first one guns fire before everybody else, and submarines strike before the others
where no destroyer is there. What takes no die happens by itself. With low luck that can be a whole round: it belongs to
the throw after it, or to the one before it where no more dice are needed until the end.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf
from typing import Literal

import numpy as np

from solver.axis import AxisBattle
from solver.axis_chances import Standing, chances_from, plan_of
from solver.axis_odds import AxisOdds, ending_in
from solver.axis_rows import EVERY, AxisRows, Field, Salvo, can_leave, is_any, withdrawn
from solver.errors import TooLargeError
from solver.forces import REACHES, Flags, Force, Forces, Places, Segment, full
from solver.hits import CHANCES, Dice
from solver.plans import Ends, remove_crashed
from solver.play import Die, Ending, Source
from solver.units import DAMAGED, ROLES

Phase = Literal["guns", "strike", "fire"]
"""Who fires: anti-aircraft guns, submarines that strike first, everybody else."""
Counted = Mapping[str, int]
"""How many units of each kind."""


@dataclass(frozen=True, slots=True)
class Group:
    """Dice that one side rolls together: each hits at or below what it `needs`, and so many hits are `sure`."""

    sides: int
    needs: tuple[int, ...]
    sure: int = 0


@dataclass(frozen=True, slots=True)
class Volley:
    """One throw in the round of this `number`. Of each pair the first is the attacker's.

    The dice of a side are those of its submarines, then of planes that roll by themselves, then of all others; of each
    group the strongest first. A die hits at or below what it `needs`. `hits` are those of the side, also without dice.
    `lost` are all units that the side has lost since the throw before, and `damaged` those of two hits that took one.
    """

    number: int
    stage: Phase
    attack: tuple[Die, ...]
    defence: tuple[Die, ...]
    needs: tuple[tuple[int, ...], tuple[int, ...]]
    hits: tuple[int, int]
    lost: tuple[Counted, Counted]
    damaged: tuple[Counted, Counted]


@dataclass(frozen=True, slots=True)
class AxisFight:
    """A battle as it stands: who is left and who is gone on both sides, and how many rounds are over.

    `stage` fires next. `had`, within a round: whether the attacker and the defender had submarines when it began.
    `reason`: why attackers have left the battle, if they have. See `Fight` for `resting` and `ended`.
    """

    battle: AxisBattle
    attack: Force
    defence: Force
    rounds: int = 0
    stage: Phase = "fire"
    had: tuple[bool, bool] | None = None
    reason: Ending | None = None
    resting: bool = True
    ended: Ending | None = None

    @classmethod
    def begin(cls, battle: AxisBattle) -> "AxisFight":
        """The battle before the first shot; TooLargeError where a rule plans to an end that is too far."""
        rows = _rows(battle)
        start = cls(battle, full(rows.segments["attack"]), full(rows.segments["defence"]))
        if plan_of(battle).declined if battle.retreat.plans else rows.declined():
            return start._sent_home("stopped")
        return start._begun()._at_end()

    # What there is to see --------------------------------------------------------------------------------

    @property
    def left(self) -> tuple[Counted, Counted]:
        """Who is left in the fight, of both sides, the attacker first; damaged ships by their own name."""
        ours, theirs = self._segments
        return _named(ours, self.attack.active), _named(theirs, self.defence.active)

    @property
    def gone(self) -> tuple[Counted, Counted]:
        """Who has left the fight alive: retreated, or submerged."""
        ours, theirs = self._segments
        return _named(ours, self.attack.gone), _named(theirs, self.defence.gone)

    @property
    def _segments(self) -> tuple[tuple[Segment, ...], tuple[Segment, ...]]:
        segments = _rows(self.battle).segments
        return segments["attack"], segments["defence"]

    def _less(self, after: "AxisFight", spare: bool) -> tuple[Counted, Counted]:
        """The units, or the spare hits, that both sides have lost until then."""
        ours, theirs = self._segments
        return _less(ours, self.attack, after.attack, spare), _less(theirs, self.defence, after.defence, spare)

    @property
    def groups(self) -> tuple[list[Group], list[Group]]:
        """The dice of the next throw, of both sides; none once the battle has ended."""
        if self.ended:
            return [], []
        ours, theirs = self._certain()._aimed()
        return _groups(ours, self.battle.dice), _groups(theirs, self.battle.dice)

    def as_odds(self) -> AxisOdds:
        """The battle as it stands, as odds that have this one end: who is lost, and what that comes to in money."""
        # What has nowhere to land has crashed by now.
        battle = self.battle.calm
        ours, theirs = (
            Forces(battle.segments(role), role, battle.dice, np.array([force.active]), np.array([force.gone]))
            for role, force in zip(ROLES, (self.attack, self.defence), strict=True)
        )
        one = np.zeros(1, np.int64)
        return ending_in(battle, ours, theirs, one, one, np.ones(1), 0.0)

    # What happens ----------------------------------------------------------------------------------------

    def throw(self, source: Source) -> tuple[Volley, "AxisFight"]:
        """See `Fight`."""
        assert not self.ended, "nothing is thrown any more"
        here = self._certain()
        salvos = here._aimed()
        attack, defence = (_groups(salvo, self.battle.dice) for salvo in salvos)
        ours, theirs = [rolled(group, source) for group in attack], [rolled(group, source) for group in defence]
        hits = [[hits for _, hits in side] for side in (ours, theirs)]
        after = here._fired(salvos, hits[0], hits[1])
        while not after.resting and (more := after._surely()):
            after = more
        after = after._at_end()
        volley = Volley(
            here.rounds + 1,
            here.stage,
            tuple(die for dice, _ in ours for die in dice),
            tuple(die for dice, _ in theirs for die in dice),
            (_needs(attack), _needs(defence)),
            (sum(hits[0]), sum(hits[1])),
            self._less(after, spare=False),
            self._less(after, spare=True),
        )
        return volley, after

    def retreat(self) -> "AxisFight":
        """See `Fight`: those landed from the sea stay and fight on, but before the first round nobody stays."""
        if self.ended:
            return self
        if not self.rounds:
            return self._sent_home("retreat")
        field = self._field()
        if _rows(self.battle).deserted(field)[0]:
            return self._over(field)
        attack = withdrawn(field.attack, np.ones(1, bool), can_leave)
        if _force(attack) == self.attack:
            return self
        return replace(self, reason="retreat")._moved(field._replace(attack=attack))._at_end()

    def _sent_home(self, ended: Ending) -> "AxisFight":
        """An attack that is not made: nobody is lost then, nor crashes."""
        home = withdrawn(self._field().attack, np.ones(1, bool), is_any)
        return replace(self, attack=_force(home), reason=ended, ended=ended)

    def _field(self) -> Field:
        """The one battle as a row; in the first round its ships fire too."""
        rows = _rows(self.battle)
        ours, theirs = (
            rows.forces(role, np.array([force.active + force.gone]))
            for role, force in zip(ROLES, (self.attack, self.defence), strict=True)
        )
        ships = () if self.rounds else self.battle.ships
        return Field(ours.with_ships(ships) if ships else ours, theirs, np.array([self.rounds]))

    # Before dice -----------------------------------------------------------------------------------------

    def _begun(self) -> "AxisFight":
        """The battle before the first shot, once all moves without fire are made."""
        field = self._field()
        _, guns = _rows(self.battle).guns(field)
        return replace(self, stage="guns") if guns.powers[0].any() else self._moved(field)

    def _moved(self, field: Field) -> "AxisFight":
        """The battle at the beginning of a round, once all moves without fire are made."""
        rows = _rows(self.battle)
        settled = rows.settled(field, () if field.rounds[0] else self.battle.ships)
        here = self._standing(settled.field)
        if settled.retreated[0]:
            limit = self.battle.round_limit
            here = replace(here, reason="rounds" if limit is not None and here.rounds >= limit else "stopped")
        if not settled.fights[0]:
            return here._over(settled.field)
        if not rows.subs_about:
            return replace(here, stage="fire")
        ours, theirs = settled.field.attack, settled.field.defence
        had = bool(ours.subs[0]), bool(theirs.subs[0])
        salvos = zip(rows.strike(settled.field), (theirs, ours), strict=True)
        strikes = any(_aimed(salvo, target).powers[0].any() for salvo, target in salvos)
        return replace(here, stage="strike" if strikes else "fire", had=had)

    def _standing(self, field: Field) -> "AxisFight":
        rounds = int(field.rounds[0])
        return replace(self, attack=_force(field.attack), defence=_force(field.defence), rounds=rounds)

    def _over(self, field: Field) -> "AxisFight":
        """The battle that is over: the helpless are destroyed, and planes crash that have nowhere to land."""
        ends = Ends(self.battle, field.attack, field.defence, EVERY, EVERY)
        ours, theirs = (field.attack.active, field.attack.gone), (field.defence.active, field.defence.gone)
        if ends.attackers_crashed is not None:
            ours = remove_crashed(*ours, ends.attackers_crashed)
        if ends.crashed is not None:
            theirs = remove_crashed(*theirs, ends.crashed)
        if ends.cleared[0]:
            theirs = np.zeros_like(theirs[0]), theirs[1]
        attack, defence = (Force(tuple(active[0].tolist()), tuple(gone[0].tolist())) for active, gone in (ours, theirs))
        here = replace(self, attack=attack, defence=defence, had=None, resting=True)
        return replace(here, ended="won" if ends.wins[0] else here._without_victory())

    def _without_victory(self) -> Ending:
        """How a battle ended that the attacker did not win."""
        attackers, defenders = ((any(force.active), any(force.gone)) for force in (self.attack, self.defence))
        if not any(attackers):
            return "lost" if any(defenders) else "nobody"
        if self.reason and not attackers[0]:
            return self.reason
        return "deadlock" if defenders[0] else "cleared"

    # Dice ------------------------------------------------------------------------------------------------

    def _aimed(self) -> tuple[Salvo, Salvo]:
        """What both sides fire next, without dice that could hit nobody."""
        rows, field = _rows(self.battle), self._field()
        if self.stage == "guns":
            salvos = rows.guns(field)
        elif self.stage == "strike":
            salvos = rows.strike(field)
        else:
            salvos = rows.fire(field, self._had)
        return _aimed(salvos[0], field.defence), _aimed(salvos[1], field.attack)

    @property
    def _had(self) -> tuple[Flags, Flags] | None:
        return None if self.had is None else (np.array([self.had[0]]), np.array([self.had[1]]))

    def _fired(self, salvos: tuple[Salvo, Salvo], hits: Sequence[int], hits_back: Sequence[int]) -> "AxisFight":
        """The battle after a volley in which the groups of both sides hit so often."""
        rows = _rows(self.battle)
        at_theirs, at_ours = (
            salvo.shots([np.array([count]) for count in counts])
            for salvo, counts in zip(salvos, (hits, hits_back), strict=True)
        )
        field = rows.struck(self._field(), at_theirs, at_ours, self._had)
        if self.stage == "guns":
            return replace(self, resting=False)._moved(field)
        if self.stage == "strike":
            return replace(self._standing(field), stage="fire", resting=False)
        return replace(self, had=None, resting=True)._moved(field._replace(rounds=field.rounds + 1))

    def _surely(self) -> "AxisFight | None":
        """The battle after the next volley where that takes no die; None where it does, or nothing is fired."""
        if self.ended:
            return None
        salvos = self._aimed()
        ours, theirs = (_groups(salvo, self.battle.dice) for salvo in salvos)
        if any(group.needs for group in (*ours, *theirs)):
            return None
        return self._fired(salvos, [group.sure for group in ours], [group.sure for group in theirs])

    def _certain(self) -> "AxisFight":
        """The battle once it ends or needs dice."""
        here = self
        while self.battle.dice == "low_luck" and (after := here._surely()):
            here = after
        return here

    def _at_end(self) -> "AxisFight":
        """The end of the battle where that is certain; else the battle as it is."""
        end = self._certain()
        return end if end.ended else self


def axis_chances(fights: Sequence[AxisFight], most: float = inf) -> list[float | None]:
    """The attacker's chance to win in each of these stages of one battle, as `AxisOdds.wins` counts it.

    None within a round; and in all that have not ended where it is more work than `most` to tell.
    """
    waiting = [stage for stage in fights if stage.resting and not stage.ended]
    found: list[float] | list[None]
    try:
        places = [Standing(stage.attack, stage.defence, stage.rounds) for stage in waiting]
        found = chances_from(fights[0].battle, places, most)
    except TooLargeError:
        found = [None] * len(waiting)
    known = iter(found)
    told = [next(known) if stage.resting and not stage.ended else None for stage in fights]
    return [float(stage.ended == "won") if stage.ended else chance for stage, chance in zip(fights, told, strict=True)]


@lru_cache(maxsize=8)
def _rows(battle: AxisBattle) -> AxisRows:
    """The rules of a battle, with its plan if it has one."""
    plan = plan_of(battle) if battle.retreat.plans else None

    def stops(field: Field) -> Flags:
        assert plan is not None, "there is a rule that plans"
        return np.array([plan.stops_at(_force(field.attack), _force(field.defence))])

    return AxisRows(battle, stops if plan else None)


def _force(forces: Forces) -> Force:
    """The only force of a row."""
    return Force(tuple(forces.active[0].tolist()), tuple(forces.gone[0].tolist()))


# Units ----------------------------------------------------------------------------------------------------


def _named(segments: Sequence[Segment], counts: Places) -> Counted:
    """How many units of each kind, with those damaged that have no spare hit left."""
    spare = {segment.unit.name: count for segment, count in zip(segments, counts, strict=True) if segment.spare}
    two_hits = {segment.unit.name for segment in segments if segment.spare}
    found: dict[str, int] = {}
    for segment, count in zip(segments, counts, strict=True):
        name = segment.unit.name
        if segment.spare or not count:
            continue
        whole = min(count, spare.get(name, 0)) if name in two_hits else count
        spare[name] = spare.get(name, 0) - whole
        for kind, number in ((name, whole), (f"{DAMAGED}{name}", count - whole)):
            if number:
                found[kind] = found.get(kind, 0) + number
    return found


def _less(segments: Sequence[Segment], before: Force, after: Force, spare: bool) -> Counted:
    """How many units, or spare hits, a side has lost between two forces."""
    found: dict[str, int] = {}
    for place, segment in enumerate(segments):
        lost = before.active[place] + before.gone[place] - after.active[place] - after.gone[place]
        if lost and segment.spare == spare:
            name = segment.unit.repaired or segment.unit.name
            found[name] = found.get(name, 0) + lost
    return found


# Dice -----------------------------------------------------------------------------------------------------


def _aimed(salvo: Salvo, target: Forces) -> Salvo:
    """A salvo without dice of those whose hits nobody there may take."""

    def reached(reach: str) -> bool:
        pairs = zip(target.segments, target.active[0].tolist(), strict=True)
        return any(count and (segment.spare or REACHES[reach](segment.unit)) for segment, count in pairs)

    pairs = zip(salvo.reaches, salvo.powers, strict=True)
    return salvo._replace(powers=tuple(powers if reached(reach) else 0 * powers for reach, powers in pairs))


def _groups(salvo: Salvo, dice: Dice) -> list[Group]:
    """The dice of a salvo, group by group."""
    return [dice_of(powers[0].tolist(), dice) for powers in salvo.powers]


def dice_of(powers: Sequence[int], dice: Dice) -> Group:
    """The dice of so many units of strength 0, 1, ... that roll together."""
    if dice == "low_luck":
        sixes, over = divmod(sum(strength * count for strength, count in enumerate(powers)), 6)
        return Group(6, (over,) if over else (), sixes)
    strongest = [strength for strength in range(len(powers) - 1, 0, -1) for _ in range(powers[strength])]
    sides = 10 if dice == "biased" else 6
    return Group(sides, tuple(round(CHANCES[dice][strength] * sides) for strength in strongest))


def rolled(group: Group, source: Source) -> tuple[tuple[Die, ...], int]:
    """The dice of a group as they fall, and how often the group hits."""
    dice = tuple(Die(group.sides, (source(group.sides),)) for _ in group.needs)
    return dice, group.sure + sum(die.face <= need for die, need in zip(dice, group.needs, strict=True))


def _needs(groups: Sequence[Group]) -> tuple[int, ...]:
    return tuple(need for group in groups for need in group.needs)
