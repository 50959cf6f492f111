"""Live battles of Axis & Allies: one throw of real dice at a time, by the rules of solver/axis/rows.py.

A round is one throw or more: in the first round guns fire before everybody else, and submarines strike first if the
other side has no destroyer. Steps without dice happen by themselves. With low luck that can be a whole round: it
belongs to the next throw, or to the one before if no more dice are needed until the end.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.chances import Standing, chances_from, plan_of
from solver.axis.ends import AxisEnds, remove_crashed
from solver.axis.kernel.forces import Flags, Force, Forces, Places, Segment, full_force
from solver.axis.odds import AxisOdds, odds_of_ends
from solver.axis.rows import EVERY, AxisRows, BattleRows, Salvo, can_leave, is_anything, withdraw_units
from solver.axis.throws import AxisThrow, Counted, Group, Phase, aim_salvo, needs_of, roll_group, salvo_groups
from solver.axis.units import DAMAGED, ROLES
from solver.errors import TooLargeError
from solver.game import DiceToRoll, Ending, SideName, Source, group_dice


@dataclass(frozen=True, slots=True)
class AxisFight:
    """A live battle of one wave.

    Attributes:
        battle: The battle.
        attack: The attacker's force.
        defence: The defender's force.
        rounds: The number of rounds that are over.
        stage: Who fires next.
        had: Whether the attacker and the defender had submarines when the round began; None between rounds.
        reason: Why attackers have left the battle; None if they have not.
        resting: See `Fight`.
        ended: See `Fight`.
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
        """Return a battle before its first throw.

        Args:
            battle: The battle.

        Raises:
            TooLargeError: A rule plans to the end, and that takes too much work.
        """
        rows = _rows(battle)
        start = cls(battle, full_force(rows.segments["attack"]), full_force(rows.segments["defence"]))
        if plan_of(battle).declined if battle.retreat.plans else rows.declines():
            return start._call_off("stopped")
        return start._before_guns()._at_certain_end()

    # State ------------------------------------------------------------------------------------------------

    @property
    def left(self) -> tuple[Counted, Counted]:
        """The attacker's and the defender's units left in the fight; damaged ships have a name of their own."""
        ours, theirs = self._segments
        return _count_units(ours, self.attack.active), _count_units(theirs, self.defence.active)

    @property
    def gone(self) -> tuple[Counted, Counted]:
        """The attacker's and the defender's units that have left the fight alive: retreated or submerged."""
        ours, theirs = self._segments
        return _count_units(ours, self.attack.gone), _count_units(theirs, self.defence.gone)

    @property
    def _segments(self) -> tuple[tuple[Segment, ...], tuple[Segment, ...]]:
        segments = _rows(self.battle).segments
        return segments["attack"], segments["defence"]

    def _losses(self, after: "AxisFight", spare: bool) -> tuple[Counted, Counted]:
        """Return the units, or the spare hits, that the attacker and the defender have lost in between."""
        ours, theirs = self._segments
        return _losses(ours, self.attack, after.attack, spare), _losses(theirs, self.defence, after.defence, spare)

    @property
    def groups(self) -> tuple[list[Group], list[Group]]:
        """The attacker's and the defender's dice of the next throw; none after the end."""
        if self.ended:
            return [], []
        ours, theirs = self._skip_certain()._salvos()
        return salvo_groups(ours, self.battle.dice), salvo_groups(theirs, self.battle.dice)

    def as_odds(self) -> AxisOdds:
        """Return odds with one end: the battle as it stands."""
        # What has nowhere to land has crashed by now.
        battle = self.battle.without_crashes
        ours, theirs = (
            Forces(battle.segments(role), role, battle.dice, np.array([force.active]), np.array([force.gone]))
            for role, force in zip(ROLES, (self.attack, self.defence), strict=True)
        )
        one = np.zeros(1, np.int64)
        return odds_of_ends(battle, ours, theirs, one, one, np.ones(1), 0.0)

    # Throws ----------------------------------------------------------------------------------------------

    @property
    def attacking_side(self) -> SideName:
        """See `Fight`."""
        return "attacker"

    def next_dice(self) -> tuple[list[DiceToRoll], list[DiceToRoll]]:
        """See `Fight`."""
        attack, defence = (
            group_dice((group.sides, need) for group in side for need in group.needs) for side in self.groups
        )
        return attack, defence

    def throw(self, source: Source) -> tuple[AxisThrow, "AxisFight"]:
        """See `Fight`."""
        assert not self.ended, "the battle has ended"
        here = self._skip_certain()
        salvos = here._salvos()
        attack, defence = (salvo_groups(salvo, self.battle.dice) for salvo in salvos)
        ours, theirs = [roll_group(group, source) for group in attack], [roll_group(group, source) for group in defence]
        hits = [[hits for _, hits in side] for side in (ours, theirs)]
        after = here._after_volley(salvos, hits[0], hits[1])
        while not after.resting and (more := after._after_certain_volley()):
            after = more
        after = after._at_certain_end()
        volley = AxisThrow(
            here.rounds + 1,
            here.stage,
            tuple(die for dice, _ in ours for die in dice),
            tuple(die for dice, _ in theirs for die in dice),
            (needs_of(attack), needs_of(defence)),
            (sum(hits[0]), sum(hits[1])),
            self._losses(after, spare=False),
            self._losses(after, spare=True),
        )
        return volley, after

    def retreat(self) -> "AxisFight":
        """See `Fight`: units landed from the sea stay and fight on, except before the first round."""
        if self.ended:
            return self
        if not self.rounds:
            return self._call_off("retreat")
        field = self._field()
        if _rows(self.battle).attacker_alone(field)[0]:
            return self._over(field)
        attack = withdraw_units(field.attack, np.ones(1, bool), can_leave)
        if _force(attack) == self.attack:
            return self
        return replace(self, reason="retreat")._start_round(field._replace(attack=attack))._at_certain_end()

    def _call_off(self, ended: Ending) -> "AxisFight":
        """Return the battle after the attack is called off: no unit is lost."""
        home = withdraw_units(self._field().attack, np.ones(1, bool), is_anything)
        return replace(self, attack=_force(home), reason=ended, ended=ended)

    def _field(self) -> BattleRows:
        """Return the battle as the only row of a field; in the first round its ships fire too."""
        rows = _rows(self.battle)
        ours, theirs = (
            rows.forces(role, np.array([force.active + force.gone]))
            for role, force in zip(ROLES, (self.attack, self.defence), strict=True)
        )
        ships = () if self.rounds else self.battle.ships
        return BattleRows(ours.with_ships(ships) if ships else ours, theirs, np.array([self.rounds]))

    # Moves without dice ---------------------------------------------------------------------------------------

    def _before_guns(self) -> "AxisFight":
        """Return the battle before the guns fire, or at its first round if none do."""
        field = self._field()
        _, guns = _rows(self.battle).guns(field)
        return replace(self, stage="guns") if guns.powers[0].any() else self._start_round(field)

    def _start_round(self, field: BattleRows) -> "AxisFight":
        """Return the battle at the beginning of a round, after all moves without fire."""
        rows = _rows(self.battle)
        settled = rows.make_moves(field, () if field.rounds[0] else self.battle.ships)
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
        strikes = any(aim_salvo(salvo, target).powers[0].any() for salvo, target in salvos)
        return replace(here, stage="strike" if strikes else "fire", had=had)

    def _standing(self, field: BattleRows) -> "AxisFight":
        rounds = int(field.rounds[0])
        return replace(self, attack=_force(field.attack), defence=_force(field.defence), rounds=rounds)

    def _over(self, field: BattleRows) -> "AxisFight":
        """Return the battle after its end: helpless units are destroyed, and planes that cannot land crash."""
        ends = AxisEnds(self.battle, field.attack, field.defence, EVERY, EVERY)
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
        """Return how the battle ended, given that the attacker did not win."""
        attackers, defenders = ((any(force.active), any(force.gone)) for force in (self.attack, self.defence))
        if not any(attackers):
            return "lost" if any(defenders) else "nobody"
        if self.reason and not attackers[0]:
            return self.reason
        return "deadlock" if defenders[0] else "cleared"

    # Dice ------------------------------------------------------------------------------------------------

    def _salvos(self) -> tuple[Salvo, Salvo]:
        """Return what the attacker and the defender fire next, without dice that could hit nobody."""
        rows, field = _rows(self.battle), self._field()
        if self.stage == "guns":
            salvos = rows.guns(field)
        elif self.stage == "strike":
            salvos = rows.strike(field)
        else:
            salvos = rows.fire(field, self._had)
        return aim_salvo(salvos[0], field.defence), aim_salvo(salvos[1], field.attack)

    @property
    def _had(self) -> tuple[Flags, Flags] | None:
        return None if self.had is None else (np.array([self.had[0]]), np.array([self.had[1]]))

    def _after_volley(self, salvos: tuple[Salvo, Salvo], hits: Sequence[int], hits_back: Sequence[int]) -> "AxisFight":
        """Return the battle after a volley with these hits of each group of dice."""
        rows = _rows(self.battle)
        at_theirs, at_ours = (
            salvo.shots([np.array([count]) for count in counts])
            for salvo, counts in zip(salvos, (hits, hits_back), strict=True)
        )
        field = rows.take_hits(self._field(), at_theirs, at_ours, self._had)
        if self.stage == "guns":
            return replace(self, resting=False)._start_round(field)
        if self.stage == "strike":
            return replace(self._standing(field), stage="fire", resting=False)
        return replace(self, had=None, resting=True)._start_round(field._replace(rounds=field.rounds + 1))

    def _after_certain_volley(self) -> "AxisFight | None":
        """Return the battle after the next volley; None if that needs dice or the battle has ended."""
        if self.ended:
            return None
        salvos = self._salvos()
        ours, theirs = (salvo_groups(salvo, self.battle.dice) for salvo in salvos)
        if any(group.needs for group in (*ours, *theirs)):
            return None
        return self._after_volley(salvos, [group.sure for group in ours], [group.sure for group in theirs])

    def _skip_certain(self) -> "AxisFight":
        """Return the battle as soon as it ends or needs dice."""
        here = self
        while self.battle.dice == "low_luck" and (after := here._after_certain_volley()):
            here = after
        return here

    def _at_certain_end(self) -> "AxisFight":
        """Return the end of the battle if that needs no more dice, else the battle as it is."""
        end = self._skip_certain()
        return end if end.ended else self


def axis_chances(fights: Sequence[AxisFight], most: float = inf) -> list[float | None]:
    """Return the attacker's chance to win at each stage, as `AxisOdds.wins` counts it: see `Game`.

    Args:
        fights: Stages of one battle, the earliest first.
        most: The most work, in the unit of `Meter`.

    Returns:
        The chances; None within a round, and before the end if the work is more than `most`.
    """
    waiting = [stage for stage in fights if stage.resting and not stage.ended]
    found: list[float] | list[None]
    try:
        places = [Standing(stage.attack, stage.defence, stage.rounds) for stage in waiting]
        found = chances_from(fights[0].battle, places, most)
    except TooLargeError:
        found = [None] * len(waiting)
    known = iter(found)
    chances = [next(known) if stage.resting and not stage.ended else None for stage in fights]
    return [
        float(stage.ended == "won") if stage.ended else chance for stage, chance in zip(fights, chances, strict=True)
    ]


def axis_percentile(odds: AxisOdds, fight: AxisFight) -> float | None:
    """Return the percentile of an ended battle by its profit: see `Game`.

    Args:
        odds: The odds of the battle before it began.
        fight: The ended battle.
    """
    (profit,), _chances = fight.as_odds().profit
    return odds.percentile(float(profit))


@lru_cache(maxsize=8)
def _rows(battle: AxisBattle) -> AxisRows:
    """Return the rules of a battle, with its plan if it has one."""
    plan = plan_of(battle) if battle.retreat.plans else None

    def stops(field: BattleRows) -> Flags:
        assert plan is not None, "there is a rule that plans"
        return np.array([plan.stops_at(_force(field.attack), _force(field.defence))])

    return AxisRows(battle, stops if plan else None)


def _force(forces: Forces) -> Force:
    """Return the force of the only row."""
    return Force(tuple(forces.active[0].tolist()), tuple(forces.gone[0].tolist()))


def _count_units(segments: Sequence[Segment], counts: Places) -> Counted:
    """Return the number of units of each kind; units without their spare hit count as damaged ones.

    A unit that takes two hits only where it attacks, such as the tank of 1914, is no other unit after the first.
    """
    spare = {segment.unit.name: count for segment, count in zip(segments, counts, strict=True) if segment.spare}
    two_hits = {segment.unit.name for segment in segments if segment.spare}
    found: dict[str, int] = {}
    for segment, count in zip(segments, counts, strict=True):
        name = segment.unit.name
        if segment.spare or not count:
            continue
        whole = min(count, spare.get(name, 0)) if name in two_hits else count
        spare[name] = spare.get(name, 0) - whole
        damaged = f"{DAMAGED}{name}" if segment.unit.hits > 1 else name
        for kind, number in ((name, whole), (damaged, count - whole)):
            if number:
                found[kind] = found.get(kind, 0) + number
    return found


def _losses(segments: Sequence[Segment], before: Force, after: Force, spare: bool) -> Counted:
    """Return the number of units, or of spare hits, that a side has lost between two forces."""
    found: dict[str, int] = {}
    for place, segment in enumerate(segments):
        lost = before.active[place] + before.gone[place] - after.active[place] - after.gone[place]
        if lost and segment.spare == spare:
            name = segment.unit.repaired or segment.unit.name
            found[name] = found.get(name, 0) + lost
    return found
