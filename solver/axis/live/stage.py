"""A live battle of Axis & Allies at one moment, and what follows by itself: a volley's hits and all moves without dice.

Nothing here is random, and nobody chooses: hits are taken by the order of loss, or as the caller says.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple, Self

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.course import OPENING, OpeningPhase, Phase, count_planes, guns_draw, phases_left
from solver.axis.ends import AxisEnds, remove_crashed
from solver.axis.kernel.forces import Flags, Forces
from solver.axis.live.standings import Plan
from solver.axis.live.throws import aim_salvo, salvo_groups
from solver.axis.loss_order import Force, Places, Segment
from solver.axis.rows import EVERY, AxisRows, BattleRows, Salvo, SubFlags
from solver.axis.sides import Dice, dice_of
from solver.axis.units import ROLES
from solver.game import Ending


@dataclass(frozen=True, slots=True)
class AxisStage:
    """A live battle of one wave at one moment.

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

    @property
    def segments(self) -> tuple[tuple[Segment, ...], tuple[Segment, ...]]:
        """The orders of loss of the attacker and of the defender."""
        segments = rows_of(self.battle).segments
        return segments["attack"], segments["defence"]

    def field(self) -> BattleRows:
        """Return the battle as the only row of a field; in the first round its ships fire too."""
        rows = rows_of(self.battle)
        ours, theirs = (
            rows.forces(role, np.array([force.active + force.gone]))
            for role, force in zip(ROLES, (self.attack, self.defence), strict=True)
        )
        ships = () if self.rounds else self.battle.ships
        return BattleRows(ours.with_ships(ships) if ships else ours, theirs, np.array([self.rounds]))

    # Moves without dice ---------------------------------------------------------------------------------------

    def open_battle(self, field: BattleRows, phases: Iterable[OpeningPhase] = OPENING) -> Self:
        """Return the battle before the next fire of these phases, or at its first round: see `BattleRows`."""
        for phase in phases:
            salvos = zip(rows_of(self.battle).salvos(phase, field), (field.defence, field.attack), strict=True)
            if any(powers.any() for salvo, target in salvos for powers in aim_salvo(salvo, target).powers):
                return replace(self._standing(field), stage=phase)
        return self.start_round(field)

    def start_round(self, field: BattleRows) -> Self:
        """Return the battle at the beginning of a round, after all moves without fire: see `BattleRows`."""
        rows = rows_of(self.battle)
        moved = rows.make_moves(field, () if field.rounds[0] else self.battle.ships)
        here = self._standing(moved.field)
        if moved.retreated[0]:
            limit = self.battle.round_limit
            here = replace(here, reason="rounds" if limit is not None and here.rounds >= limit else "stopped")
        if not moved.fights[0]:
            return here.end_battle(moved.field)
        if not rows.subs_about:
            return replace(here, stage="fire")
        ours, theirs = moved.field.attack, moved.field.defence
        had = bool(ours.subs[0]), bool(theirs.subs[0])
        salvos = zip(rows.salvos("strike", moved.field), (theirs, ours), strict=True)
        strikes = any(aim_salvo(salvo, target).powers[0].any() for salvo, target in salvos)
        return replace(here, stage="strike" if strikes else "fire", had=had)

    def _standing(self, field: BattleRows) -> Self:
        rounds = int(field.rounds[0])
        return replace(self, attack=force_of(field.attack), defence=force_of(field.defence), rounds=rounds)

    def end_battle(self, field: BattleRows) -> Self:
        """Return the battle after its end: the helpless fall, planes that cannot land crash. See `BattleRows`."""
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

    @property
    def opening_phase(self) -> OpeningPhase | None:
        """The phase of the opening; None from the first round on."""
        return next((phase for phase in OPENING if phase == self.stage), None)

    @property
    def dice(self) -> Dice:
        """The kind of dice that are rolled next."""
        return dice_of(self.battle.dice, self.battle.rules.faces, guns=self.stage == "guns")

    def salvos(self) -> tuple[Salvo, Salvo]:
        """Return what the attacker and the defender fire next, without dice that could hit nobody."""
        field = self.field()
        fire, fire_back = rows_of(self.battle).salvos(self.stage, field, self.sub_flags)
        return aim_salvo(fire, field.defence), aim_salvo(fire_back, field.attack)

    @property
    def planes_to_draw(self) -> dict[str, int]:
        """The planes of each kind if the next fire hits some at random; else none."""
        draws = self.stage == "guns" and guns_draw(self.battle) and not self.ended
        return count_planes(self.battle, self.segments[0]) if draws else {}

    @property
    def sub_flags(self) -> SubFlags | None:
        """The value of `had`, as the rows take it."""
        return None if self.had is None else (np.array([self.had[0]]), np.array([self.had[1]]))

    def after_volley(
        self,
        salvos: tuple[Salvo, Salvo],
        hits: Sequence[int],
        hits_back: Sequence[int],
        chosen: Sequence[Places | None] = (None, None),
    ) -> Self:
        """Return the battle after a volley.

        Args:
            salvos: The salvos of the attacker and of the defender.
            hits: The hits of each group of the attacker's dice.
            hits_back: The same for the defender's dice.
            chosen: The units that the attacker and the defender have left in the fight, by segment; None for what the
                order of loss leaves.
        """
        rows, field = rows_of(self.battle), self.take_hits(salvos, hits, hits_back)
        ours, theirs = (
            forces if left is None else rows.forces(role, np.array([left + force.gone]))
            for forces, left, role, force in zip(field[:2], chosen, ROLES, (self.attack, self.defence), strict=True)
        )
        field = field._replace(attack=ours, defence=theirs)
        if phase := self.opening_phase:
            return replace(self, resting=False).open_battle(field, phases_left(phase))
        if self.stage == "strike":
            return replace(self._standing(field), stage="fire", resting=False)
        return replace(self, had=None, resting=True).start_round(field._replace(rounds=field.rounds + 1))

    def take_hits(self, salvos: tuple[Salvo, Salvo], hits: Sequence[int], hits_back: Sequence[int]) -> BattleRows:
        """Return the only row of a field after hits that are taken by the order of loss.

        Args:
            salvos: The salvos of the attacker and of the defender.
            hits: The hits of each group of the attacker's dice.
            hits_back: The same for the defender's dice.
        """
        at_theirs, at_ours = (
            salvo.shots([np.array([count]) for count in counts])
            for salvo, counts in zip(salvos, (hits, hits_back), strict=True)
        )
        return rows_of(self.battle).take_hits(self.field(), at_theirs, at_ours, self.sub_flags)

    def after_diceless_volley(self) -> Self | None:
        """Return the battle after the next volley; None if that needs dice or the battle has ended."""
        if self.ended:
            return None
        salvos = self.salvos()
        ours, theirs = (salvo_groups(salvo, self.dice) for salvo in salvos)
        if any(group.needs for group in (*ours, *theirs)) or self.planes_to_draw:
            return None
        return self.after_volley(salvos, [group.sure for group in ours], [group.sure for group in theirs])

    def skip_diceless_volleys(self) -> Self:
        """Return the battle as soon as it ends or needs dice."""
        here = self
        while self.battle.dice.startswith("low_luck") and (after := here.after_diceless_volley()):
            here = after
        return here

    def end_without_dice(self) -> Self:
        """Return the end of the battle if that needs no more dice, else the battle as it is."""
        end = self.skip_diceless_volleys()
        return end if end.ended else self


class _LiveRules(NamedTuple):
    """The rules of a battle, and the plan that they lead to if one of them plans to the end."""

    rows: AxisRows
    plan: Plan | None


@lru_cache(maxsize=8)
def _rules_of(battle: AxisBattle) -> _LiveRules:
    plan = Plan(battle) if battle.retreat.plans else None

    def stops(field: BattleRows) -> Flags:
        assert plan is not None, "there is a rule that plans"
        return np.array([plan.stops_at(force_of(field.attack), force_of(field.defence))])

    return _LiveRules(AxisRows(battle, stops if plan else None), plan)


def rows_of(battle: AxisBattle) -> AxisRows:
    """Return the rules of a battle, which follow its plan if it has one: see `Plan`."""
    return _rules_of(battle).rows


def plan_of(battle: AxisBattle) -> Plan | None:
    """Return the plan to the end of a battle; None if no rule plans. See `Plan`."""
    return _rules_of(battle).plan


def force_of(forces: Forces) -> Force:
    """Return the force of the only row of a field: see `Forces`."""
    return Force(tuple(forces.active[0].tolist()), tuple(forces.gone[0].tolist()))
