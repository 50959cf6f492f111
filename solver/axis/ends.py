"""The ends of an Axis & Allies battle: the winner in each cell, the planes that crash, and the losses in money."""

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.course import fight_mask
from solver.axis.kernel.forces import Flags, Forces, Nodes, Selection, is_land
from solver.axis.sides import Ruling
from solver.axis.units import Role, Unit
from solver.chain import Chances, Grid, Mask


class AxisEnds:
    """The results of a battle that ends in some cells.

    Attributes:
        rows: Which of the attacker's forces.
        columns: Which of the defender's forces, in a shape that broadcasts with `rows`.
        cleared: Whether no defender is left.
        taken: Whether the territory is captured.
        attacker_loss: The attacker's losses in money.
        defender_loss: The defender's losses in money.
        crashed: How many planes of each segment have no room on a carrier, for each of the defender's forces; None if
            they need no carrier.
        attackers_crashed: The same for the attacker's forces; from ruling 5 on some planes need no carrier there.
    """

    def __init__(
        self, battle: AxisBattle, attack: Forces, defence: Forces, rows: Selection, columns: Selection
    ) -> None:
        self.battle, self.attack, self.rows, self.defence, self.columns = battle, attack, rows, defence, columns
        at_sea = battle.theatre == "sea"
        self.crashed = _planes_without_room(defence) if battle.crash_stranded_fighters and at_sea else None
        self.attackers_crashed = None
        if battle.crash_attacking_fighters and at_sea:
            self.attackers_crashed = _planes_without_room(attack, battle.ruling >= Ruling.FLEETS_STAY)
        lost_at_once = defence.helpless[columns] & attack.alive[rows]
        self.cleared: Mask = ~defence.alive[columns] | lost_at_once
        self.taken: Mask = self.cleared & (attack.land_units > 0)[rows] & (battle.theatre == "land")
        fallen = attack.whole_cost - attack.cost_left - attack.cost_gone + _price(attack, self.attackers_crashed)
        self.attacker_loss: Grid = fallen[rows]
        cleared_loss = defence.whole_cost - defence.cost_gone
        loss = cleared_loss - defence.cost_left + _price(defence, self.crashed)
        self.defender_loss: Grid = np.where(lost_at_once, cleared_loss[columns], loss[columns])

    @property
    def attacker_stands(self) -> Mask:
        """Whether the attacker has units left, in the fight or gone from it."""
        left = np.asarray(np.hstack(self._attackers_left).any(axis=1))
        return np.asarray(left[self.rows])

    @property
    def defender_stands(self) -> Mask:
        """Whether the defender has units left that have not crashed."""
        left, gone = (force[self.columns] for force in self._defenders_left)
        return np.asarray((left & ~self.cleared) | gone)

    @property
    def defender_left(self) -> Mask:
        """Whether the defender has left the field: submarines do not submerge in a battle where that can be."""
        gone = np.asarray(self.defence.gone.any(axis=1))[self.columns]
        return np.asarray(gone & bool(self.battle.defender_retreat))

    @property
    def _attackers_left(self) -> tuple[Nodes, Nodes]:
        """The attackers in the fight and those gone from it, without planes that crash."""
        attack, crashed = self.attack, self.attackers_crashed
        if crashed is None:
            return attack.active, attack.gone
        return remove_crashed(attack.active, attack.gone, crashed)

    @property
    def _defenders_left(self) -> tuple[Flags, Flags]:
        """Which of the defender's forces have a unit in the fight, and which have one gone, that does not crash."""
        defence, crashed = self.defence, self.crashed
        if crashed is None:
            return defence.alive, np.asarray(defence.gone.any(axis=1))
        active, gone = remove_crashed(defence.active, defence.gone, crashed)
        return np.asarray(active.any(axis=1)), np.asarray(gone.any(axis=1))

    @property
    def attacker_alone(self) -> Mask:
        """Whether the attacker is alone because all planes on the other side crash.

        Under ruling 1 attackers who could have fought on had retreated.
        """
        alone = self.attack.alive[self.rows] & ~self._defenders_left[0][self.columns]
        if self.battle.ruling < Ruling.HELPLESS_FALL:
            alone &= ~fight_mask(self.attack, self.defence, self.rows, self.columns)
        return np.asarray(alone)

    @property
    def standoff(self) -> Mask | None:
        """Whether nobody can hit anybody, so that both sides stay; None where that cannot be: see `AxisOdds`."""
        attack, defence = self.attack, self.defence
        if self.battle.theatre == "land" or not (attack.subs.any() or defence.subs.any()):
            return None
        meet = attack.alive[self.rows] & defence.alive[self.columns] & ~self.cleared
        return np.asarray(meet & ~fight_mask(attack, defence, self.rows, self.columns))

    @property
    def crashes(self) -> Mask:
        """Whether planes crash because both sides have come, even if nobody can hit anybody; by old rulings never."""
        meet = np.full(self.cleared.shape, self.battle.ruling >= Ruling.FLEETS_STAY)
        crash = np.zeros(self.cleared.shape, bool)
        sides = ((self.attack, self.rows, self.attackers_crashed), (self.defence, self.columns, self.crashed))
        for forces, cells, crashed in sides:
            meet &= np.asarray(np.hstack([forces.active, forces.gone]).any(axis=1))[cells]
            if crashed is not None:
                crash |= np.asarray(crashed.any(axis=1))[cells]
        return np.asarray(crash & meet)

    @property
    def wins(self) -> Mask:
        """Whether the attacker has won: the territory is captured, or at sea nobody else is left."""
        if self.battle.theatre == "land":
            return self.taken
        left = np.asarray(self._attackers_left[0].any(axis=1))
        there = self.defender_stands & ~self.defender_left
        return np.asarray((self.cleared | self.attacker_alone) & ~there & left[self.rows])

    @property
    def profit(self) -> Grid:
        """The attacker's profit in money."""
        gains = self.gains(self.battle.deadzone, self.battle.territory_value)
        return np.asarray(self.defender_loss - self.attacker_loss + gains)

    @property
    def planned_profit(self) -> Grid:
        """The attacker's profit in money as their plan counts it."""
        battle = self.battle
        deadzone = battle.deadzone if battle.planned_deadzone is None else battle.planned_deadzone
        value = battle.territory_value if battle.planned_value is None else battle.planned_value
        return np.asarray(self.defender_loss - self.attacker_loss + self.gains(deadzone, value))

    @property
    def planned_win(self) -> Grid:
        """Whether the attacker has won as their plan counts it: 1 or 0."""
        if self.battle.win_means == "take":
            return np.asarray(self.taken, float)
        return np.asarray(self.cleared | (self.attacker_alone & (self.battle.ruling >= Ruling.HELPLESS_FALL)), float)

    def gains(self, deadzone: bool, value: float) -> Grid:
        """Return what the territory brings in money.

        Args:
            deadzone: Whether land units in it count as good as lost.
            value: The value of the territory.
        """
        gain = value - (_deadzone_losses(self.battle, self.attack)[self.rows] if deadzone else 0.0)
        return np.asarray(np.where(self.taken, gain, 0.0))


def deadzone_loss(battle: AxisBattle, unit: Unit, other_role: Role = "defence") -> float:
    """Return the worth that is lost with a land unit in a deadzone.

    There it defends once against infantry, the cheapest unit that can attack, and then it is lost.

    Args:
        battle: The battle.
        unit: The land unit, at its worth.
        other_role: The role in which the worth of that infantry is taken.
    """
    others = [other for other in battle.rules.units if is_land(other) and other.attack]
    cheapest = min(others, key=lambda other: other.cost, default=None)
    return unit.cost - (unit.defence * battle.worth.of(cheapest, other_role) / battle.rules.faces if cheapest else 0.0)


def _deadzone_losses(battle: AxisBattle, attack: Forces) -> Grid:
    """The worth that each force loses in a deadzone."""
    prices = [
        deadzone_loss(battle, segment.unit) if is_land(segment.unit) and not segment.spare else 0.0
        for segment in attack.segments
    ]
    return np.asarray(attack.active @ np.array(prices, float))


def _planes_without_room(forces: Forces, some_need_none: bool = False) -> Nodes:
    """The number of planes of each segment that need room on a carrier and have none: [force, segment]."""
    # Carriers that have retreated still have their room.
    there = forces.active + forces.gone
    room = _room(forces, there)
    crashed = np.zeros_like(there)
    landed = dict[str, Nodes]()
    for place in range(len(forces.segments))[::-1]:  # most protected first, and spare hits after all units
        unit, spare = forces.segments[place].unit, forces.segments[place].spare
        if unit.kind == "air" and not (some_need_none and unit.land_based):
            here = np.minimum(landed.get(unit.name, np.zeros_like(room)) if spare else room, there[:, place])
            crashed[:, place] = there[:, place] - here
            if not spare:
                room, landed[unit.name] = room - here, landed.get(unit.name, 0) + here
    return crashed


def _room(forces: Forces, there: Nodes) -> Nodes:
    """The number of planes for which the carriers of each force have room: [force]."""
    room = np.zeros(len(there), np.int64)
    for place, segment in enumerate(forces.segments):
        if segment.spare:
            # A carrier with its first hit still to take has more room than a damaged one.
            room += there[:, place] * (segment.unit.carries - segment.unit.carries_damaged)
        else:
            whole = segment.unit.carries if segment.unit.hits == 1 else segment.unit.carries_damaged
            room += there[:, place] * whole
    return room


def remove_crashed(active: Nodes, gone: Nodes, crashed: Nodes) -> tuple[Nodes, Nodes]:
    """Return the units of each force left in the fight and gone from it after planes have crashed.

    Args:
        active: The units in the fight: [force, segment].
        gone: The units gone from it: [force, segment].
        crashed: The planes that crash, first of those in the fight: [force, segment].
    """
    here = np.minimum(active, crashed)
    return active - here, gone - (crashed - here)


def _price(forces: Forces, crashed: Nodes | None) -> Chances:
    """The worth of the planes of each force that crash."""
    none = np.zeros(len(forces.active))
    prices = [0.0 if segment.spare else segment.unit.cost for segment in forces.segments]
    return none if crashed is None else crashed @ np.array(prices, float)
