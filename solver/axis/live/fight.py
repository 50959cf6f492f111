"""Live battles of Axis & Allies: one throw of real dice at a time, by the rules of solver/axis/rows.py.

A round is one throw or more: before the first one guns fire, planes fight each other and ships may bombard, and
submarines strike first if the other side has no destroyer. Steps without dice happen by themselves. With low luck that
can be a whole round: it belongs to the next throw, or to the one before if no more dice are needed until the end.

Hits are taken by the order of loss at once. Until the next throw players can choose other losses instead:

    {"side": "attacker", "lose": {"infantry": 2, "tank": 1}}                 the units that are lost
    {"side": "defender", "lose": {"fighter": 1}, "damage": {"battleship": 1}}    and the ships that take a first hit
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.course import AIMED
from solver.axis.kernel.forces import ONLY, Forces, can_leave, full_force
from solver.axis.live.losses import Hits, Toll, Way
from solver.axis.live.stage import AxisStage, force_of, plan_of, rows_of
from solver.axis.live.throws import (
    AxisThrow,
    Counted,
    Group,
    count_losses,
    count_units,
    draw_planes,
    needs_of,
    roll_group,
    salvo_groups,
)
from solver.axis.loss_order import Force, Places
from solver.axis.odds import AxisOdds, odds_of_ends
from solver.axis.rows import is_anything, withdraw_units
from solver.axis.sides import Ruling, Units
from solver.axis.units import ROLES, Role
from solver.errors import BattleError, TooLargeError
from solver.game import SIDES, DiceToRoll, Die, Ending, SideName, Source, group_dice

MOST_CHOICES = 20
"""The most choices of losses after one throw, so that a log does not grow without end."""


class Volley(NamedTuple):
    """The last volley of a live battle, whose losses can still be chosen.

    Attributes:
        before: The battle before the hits.
        hits: The hits of each group of the attacker's dice, and of the defender's.
        chosen: The units that the attacker and the defender choose to have left in the fight: [segment]; None where the
            order of loss counts.
        choices: How often somebody has chosen.
    """

    before: "AxisFight"
    hits: tuple[tuple[int, ...], tuple[int, ...]]
    chosen: tuple[Places | None, Places | None] = (None, None)
    choices: int = 0

    def play(self) -> "AxisFight":
        """Return the battle after the volley, up to the next dice or to what has to be chosen."""
        after = self._play(self.chosen)
        if self.before.follows_orders:
            return after
        unsaid = [side for side, left in zip(SIDES, self.chosen, strict=True) if left is None]
        asked = tuple(side for side in unsaid if after.ended and self._can_end_otherwise(side, after))
        if after.ended and not asked:
            return after
        return replace(after, volley=self, ended=None, pending=after.ended, asked=asked)

    def choose(self, side: SideName, left: Places) -> "AxisFight":
        """Return the battle after the volley in which a side chooses what it has left in the fight.

        Args:
            side: The side.
            left: Its units by segment.
        """
        return self._replace(chosen=self._with_choice(side, left), choices=self.choices + 1).play()

    def toll(self, side: SideName) -> Toll:
        """Return the hits on a side and the ways to take them.

        Args:
            side: The side.
        """
        before, salvos, here = self.before, self.before.salvos(), SIDES.index(side)
        shots = salvos[1 - here].shots([np.array([count]) for count in self.hits[1 - here]])
        by_order = force_of(before.take_hits(salvos, *self.hits)[:2][here])
        force = (before.attack, before.defence)[here]
        if any(reach.startswith((ONLY, AIMED)) for reach in salvos[1 - here].reaches):
            return _toll(before.battle, ROLES[here], by_order.active, by_order.active, ())  # They were aimed, or drawn.
        hits = tuple((reach, int(count[0])) for reach, count in shots)
        return _toll(before.battle, ROLES[here], force.active, by_order.active, hits)

    def outcome(self, side: SideName, left: Places) -> "AxisFight":
        """Return where the losses of a side lead, without what others could still choose then.

        Args:
            side: The side.
            left: The units that it has left in the fight: [segment].
        """
        return self._play(self._with_choice(side, left))

    def outcomes(self, side: SideName) -> Iterator["AxisFight"]:
        """Yield where the ways to take the hits on a side lead, if there are several.

        Args:
            side: The side.
        """
        toll = self.toll(side)
        lefts = [toll.after(way) for way in toll.ways] if toll.is_open else []
        try:
            self.plan_for(side, lefts)
            for left in lefts:
                yield self.outcome(side, left)
        except TooLargeError:
            return  # The plan of the attacker cannot be found for so many forces.

    def plan_for(self, side: SideName, lefts: Sequence[Places]) -> None:
        """Find at once what the attacker plans after several ways to take the hits on a side, if there is a plan.

        TooLargeError if that takes too much work.

        Args:
            side: The side.
            lefts: The units that each way leaves: [segment].
        """
        before = self.before
        plan = plan_of(before.battle)
        if plan:
            field = before.take_hits(before.salvos(), *self.hits)
            known = (force_of(forces) for forces in field[:2])
            forces = [
                [force if left is None else Force(left, force.gone)]
                for force, left in zip(known, self.chosen, strict=True)
            ]
            here = SIDES.index(side)
            forces[here] = [Force(left, forces[here][0].gone) for left in lefts]
            plan.add(*forces)

    def _with_choice(self, side: SideName, left: Places) -> tuple[Places | None, Places | None]:
        """Return the units that both sides have left by choice, with another choice of one side."""
        return (left, self.chosen[1]) if side == "attacker" else (self.chosen[0], left)

    def _play(self, chosen: tuple[Places | None, Places | None]) -> "AxisFight":
        """The battle after the volley, up to the next dice, with these choices."""
        after = self.before.after_volley(self.before.salvos(), *self.hits, chosen)
        while not after.resting and (more := after.after_diceless_volley()):
            after = more
        return after.end_without_dice()

    def _can_end_otherwise(self, side: SideName, after: "AxisFight") -> bool:
        """Whether a side can take its hits so that the battle goes on, ends in another way or costs the side less."""
        if self.before.in_waves:
            return self.toll(side).is_open  # Units that are left may meet another wave.
        others = list(self.outcomes(side))
        if any(other.ended != after.ended for other in others):
            return True
        if not others or self.before.battle.ruling < Ruling.CHOSEN_TO_THE_END:
            return False
        swings = odds_of_stages([after, *others]).profits.round(9) * (1 if side == "attacker" else -1)
        return bool((swings > swings[0]).any())


def is_declined(battle: AxisBattle) -> bool:
    """Return whether the attackers decline a battle by their plan: see `Plan`."""
    plan = plan_of(battle)
    return plan.declined if plan else rows_of(battle).declines()


@dataclass(frozen=True, slots=True)
class AxisFight(AxisStage):
    """A live battle of one wave.

    Attributes:
        volley: The last volley; None before the first throw, after a retreat and at the end.
        pending: How the battle ends if nobody chooses other losses; None unless it waits for that.
        asked: The sides that can choose another end or a cheaper one, while the battle waits for that; in one of
            several waves those that can choose what they have left.
        follows_orders: Whether nobody chooses losses: they follow the orders.
        in_waves: Whether it is one of several waves.
    """

    volley: Volley | None = None
    pending: Ending | None = None
    asked: tuple[SideName, ...] = ()
    follows_orders: bool = False
    in_waves: bool = False

    @classmethod
    def begin(cls, battle: AxisBattle, in_waves: bool = False) -> "AxisFight":
        """Return a battle before its first throw.

        TooLargeError if a rule plans to the end, and that takes too much work.

        Args:
            battle: The battle.
            in_waves: Whether it is one of several waves.
        """
        ours, theirs = (full_force(segments) for segments in rows_of(battle).segments.values())
        by_order = battle.ruling < (Ruling.CHOSEN_IN_WAVES if in_waves else Ruling.CHOSEN_LOSSES)
        start = cls(battle, ours, theirs, follows_orders=by_order, in_waves=in_waves)
        if is_declined(battle):
            return start._call_off("stopped")
        return start.open_battle(start.field()).end_without_dice()

    # State ------------------------------------------------------------------------------------------------

    @property
    def left(self) -> tuple[Counted, Counted]:
        """The attacker's and the defender's units left in the fight; damaged ships have a name of their own."""
        ours, theirs = self.segments
        return count_units(ours, self.attack.active), count_units(theirs, self.defence.active)

    @property
    def gone(self) -> tuple[Counted, Counted]:
        """The attacker's and the defender's units that have left the fight alive: retreated or submerged."""
        ours, theirs = self.segments
        return count_units(ours, self.attack.gone), count_units(theirs, self.defence.gone)

    def _losses(self, after: "AxisFight", spare: bool) -> tuple[Counted, Counted]:
        """Return the units, or the spare hits, that the attacker and the defender have lost in between."""
        ours, theirs = self.segments
        return (
            count_losses(ours, self.attack, after.attack, spare),
            count_losses(theirs, self.defence, after.defence, spare),
        )

    @property
    def groups(self) -> tuple[list[Group], list[Group]]:
        """The attacker's and the defender's dice of the next throw; none after the end, and while it waits."""
        if self.ended or self.pending:
            return [], []
        here = self.skip_diceless_volleys()
        ours, theirs = here.salvos()
        return salvo_groups(ours, here.dice), salvo_groups(theirs, here.dice)

    def as_odds(self) -> AxisOdds:
        """Return odds with one end: the battle as it stands."""
        return odds_of_stages([self])

    # Throws ----------------------------------------------------------------------------------------------

    @property
    def aims(self) -> Units:
        """The kinds of units at which dice of the next throw are aimed, in the order of the dice, and how many are."""
        if self.ended or self.pending:
            return ()
        here = self.skip_diceless_volleys()
        groups = (
            (reach, len(group.rolls))
            for salvo in here.salvos()
            for reach, group in zip(salvo.reaches, salvo_groups(salvo, here.dice), strict=True)
        )
        return tuple(
            (reach.removeprefix(ONLY).removeprefix(AIMED), dice)
            for reach, dice in groups
            if dice and reach.startswith((ONLY, AIMED))
        )

    @property
    def attacking_side(self) -> SideName:
        """See `Fight`."""
        return "attacker"

    def next_dice(self) -> tuple[list[DiceToRoll], list[DiceToRoll]]:
        """See `Fight`."""
        attack, defence = (
            group_dice((group.sides, need) for group in side for need in group.rolls) for side in self.groups
        )
        # Hits without dice draw a plane each.
        planes, hits = sum(self.planes_to_draw.values()), sum(group.sure for group in self.groups[1])
        draws = range(planes, planes - hits, -1) if hits < planes else ()
        return attack, defence + [DiceToRoll(1, sides, None) for sides in draws]

    def throw(self, source: Source) -> tuple[AxisThrow, "AxisFight"]:
        """See `Fight`."""
        assert not self.ended, "the battle has ended"
        assert not self.pending, "losses are chosen before the battle ends"
        here = replace(self, volley=None).skip_diceless_volleys()
        attack, defence = (salvo_groups(salvo, here.dice) for salvo in here.salvos())
        ours, theirs = [roll_group(group, source) for group in attack], [roll_group(group, source) for group in defence]
        hits = tuple(count for _, count in ours), tuple(count for _, count in theirs)
        drawn: tuple[Die, ...] = ()
        if planes := here.planes_to_draw:
            drawn, fallen = draw_planes(planes, sum(hits[1]), source)
            hits = hits[0], (0, *fallen)
        after = Volley(here, hits).play()
        volley = AxisThrow(
            here.rounds + 1,
            here.stage,
            tuple(die for dice, _ in ours for die in dice),
            (*(die for dice, _ in theirs for die in dice), *drawn),
            (needs_of(attack), needs_of(defence) + (0,) * len(drawn)),
            (sum(hits[0]), sum(hits[1])),
            self._losses(after, spare=False),
            self._losses(after, spare=True),
            self.aims,
        )
        return volley, after

    @property
    def choosers(self) -> tuple[SideName, ...]:
        """The sides that can take the hits of the last volley in more than one way."""
        volley = None if self.ended else self.volley
        return tuple(side for side in SIDES if volley.toll(side).is_open) if volley else ()

    def losses(self, side: SideName) -> Way:
        """Return what a side has lost in the last volley, by the order of loss or by choice.

        Args:
            side: The side.
        """
        assert self.volley, "there was a volley"
        toll, left = self.volley.toll(side), self.volley.chosen[SIDES.index(side)]
        return toll.order if left is None else toll.way_to(left)

    def choose(self, choice: Any) -> "AxisFight":
        """Return the battle after a side has chosen other losses in the last volley.

        Args:
            choice: Any JSON value.

        Raises:
            BattleError: The rules do not allow it.
        """
        if self.ended or not self.volley:
            raise BattleError("choice", "there is nothing to choose here")
        known = isinstance(choice, dict) and {"side", "lose"} <= choice.keys() <= {"side", "lose", "damage"}
        if not known or choice["side"] not in SIDES or choice.get("damage") == {}:
            raise BattleError("choice", "here a side chooses its losses")
        side: SideName = choice["side"]
        toll = self.volley.toll(side)
        way = toll.read(choice["lose"], choice.get("damage", {}))
        if side not in self.asked and way == self.losses(side):
            raise BattleError("choice", "these are the losses already")
        if side not in self.asked and self.volley.choices >= MOST_CHOICES:
            raise BattleError("choice", "losses can be chosen {most} times after a throw", most=MOST_CHOICES)
        return self.volley.choose(side, toll.after(way))

    def keep_losses(self) -> "AxisFight":
        """Return the end of a battle that waits for it, if nobody chooses other losses; else the battle as it is."""
        return replace(self, volley=None, ended=self.pending, pending=None, asked=()) if self.pending else self

    def retreat(self) -> "AxisFight":
        """See `Fight`: units landed from the sea stay and fight on, except before the first round."""
        if self.ended or self.pending:
            return self
        if not self.rounds:
            return self._call_off("retreat")
        field = self.field()
        if rows_of(self.battle).attacker_alone(field)[0]:
            return self.end_battle(field)
        attack = withdraw_units(field.attack, np.ones(1, bool), can_leave)
        if force_of(attack) == self.attack:
            return self
        return (
            replace(self, reason="retreat", volley=None).start_round(field._replace(attack=attack)).end_without_dice()
        )

    def _call_off(self, ended: Ending) -> "AxisFight":
        """Return the battle after the attack is called off: no unit is lost."""
        home = withdraw_units(self.field().attack, np.ones(1, bool), is_anything)
        return replace(self, attack=force_of(home), reason=ended, ended=ended, volley=None)


def odds_of_stages(stages: Sequence[AxisFight]) -> AxisOdds:
    """Return odds with an end for each of several stages of a battle: the battle as it stands there, with chance 1.

    Args:
        stages: The stages.
    """
    # Planes that have nowhere to land have crashed by now.
    battle = stages[0].battle.without_crashes
    ours, theirs = (
        Forces(
            battle.segments(role),
            role,
            battle.unit_dice,
            np.array([force.active for force in forces]),
            np.array([force.gone for force in forces]),
        )
        for role, forces in zip(ROLES, zip(*((here.attack, here.defence) for here in stages), strict=True), strict=True)
    )
    places = np.arange(len(stages))
    return odds_of_ends(battle, ours, theirs, places, places, np.ones(len(stages)), 0.0)


@lru_cache(maxsize=64)
def _toll(battle: AxisBattle, role: Role, before: Places, after: Places, hits: Hits) -> Toll:
    """Return the hits on one side: see `Toll`. The ways to take them are found once."""
    return Toll(rows_of(battle).segments[role], before, after, hits)
