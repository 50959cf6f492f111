"""When the attacker retreats: the rules that look at the next round, and those that plan to the end of the battle.

What a battle pays is the defender's losses less the attacker's, in money, from its beginning on; so what is gained by
going on is the worth of going on less what it pays to withdraw. Rules that plan are found backward, from the last
rounds to the first, and each takes the stops of the others for the end.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from solver.axis import AxisBattle
from solver.axis_chain import AxisChain, AxisKernel
from solver.chain import Grid, Mask, backward
from solver.clashes import fighting, helpless
from solver.fire import Some
from solver.forces import Flags, Forces, Nodes
from solver.hits import tails
from solver.odds import Chances
from solver.sides import Retreat
from solver.units import Role, Unit

SAME = 1e-9
"""Where going on is worth what is asked for, only rounding makes it less."""


class Future(NamedTuple):
    """What it is worth to the attacker, in money, that a battle ends in each cell, beside what that pays by itself.

    `unmade` is the same for an attack that is not made, for each of the forces the defender may begin with.
    """

    ends: Grid
    unmade: list[float]


class Plans:
    """What the attacker of a battle does: whether to attack at all, and in which cells to stop."""

    def __init__(self, chain: AxisChain, future: Future | None = None, always: bool = False) -> None:
        """With `always` it is found out what every cell is worth, also if no rule asks for it."""
        self.chain, self.battle, self.future = chain, chain.battle, future
        self.retreat = chain.battle.retreat
        self.fixed = self._fixed()
        self.stops = self.fixed.copy()
        self.worth = self._planned() if self.retreat.plans or always else None

    # Rules that look at the next round -------------------------------------------------------------------

    def _fixed(self) -> Mask:
        """The cells in which a rule that needs no plan is satisfied."""
        stops = next_round_stops(self.retreat, self.chain.attack, self.chain.defence)
        return stops & self.chain.fights & ~self.chain.dives & self.chain.can_retreat[:, None]

    # Rules that plan -------------------------------------------------------------------------------------

    def _planned(self) -> Grid:
        """Find the stops of the rules that plan; returns what every cell is worth: see `pays`."""
        kernel = self.chain.kernel()
        height = kernel.empty().shape[0]
        worth = np.zeros((len(self.pays), height, self.pays.shape[2]))
        worth[:, : self.pays.shape[1]] = self.pays
        self._grid = worth
        kernel.choose = self._choose
        return backward(kernel, worth)

    def _choose(self, rows: Nodes, columns: Nodes, going: Grid) -> Grid:
        """See `product.Choice`: withdraw where a rule says so."""
        stays = self.chain.stays[rows]
        paid = np.where(stays == rows, self.pays[:, rows, columns], self._grid[:, stays, columns])
        stops = self.fixed[rows, columns]
        if self.retreat.profit_below is not None:
            stops |= going[0] - paid[0] < self.retreat.profit_below - SAME
        if self.retreat.win_chance_below is not None:
            stops |= going[1] < self.retreat.win_chance_below - SAME
        stops &= self.chain.fights[rows, columns] & self.chain.can_retreat[rows]
        self.stops[rows, columns] = stops
        return np.where(stops[None], paid, going)

    @cached_property
    def pays(self) -> Grid:
        """What it pays to end in each cell, and where a rule asks for it whether that is a win: [.., row, column]."""
        profit = self._ends.planned_profit
        won = [] if self.retreat.win_chance_below is None else [self._ends.planned_win]
        return np.stack([profit if self.future is None else profit + self.future.ends, *won])

    @cached_property
    def _ends(self) -> "Ends":
        attack, defence = self.chain.attack, self.chain.defence
        return Ends(self.battle, attack, defence, *np.ogrid[: len(attack), : len(defence)])

    # Whether to attack -----------------------------------------------------------------------------------

    def declined(self) -> list[bool]:
        """Whether the attacker does better not to attack, against each of the forces the defender may begin with.

        That is so where a rule is satisfied before the first shot of a battle that there would be. Rules that plan
        also weigh what it pays to destroy those who are helpless.
        """
        if not (self.battle.decline_allowed and self.retreat):
            return [False] * len(self.chain.columns)
        first = self.chain.bombardment()
        return [self._declined(first, start) for start in range(len(self.chain.columns))]

    def _declined(self, first: AxisKernel, start: int) -> bool:
        chain, plan = self.chain, self.retreat
        row, column = chain.row, chain.columns[start]
        law = first.empty()
        law[row, column] = 1
        first.settle(law)
        where = law[: len(chain.attack)] > 0
        ships_alone = bool(self.battle.ships) and not chain.attack.alive[row] and bool(chain.helpless[column])
        overruns = self.battle.ruling > 1 and (ships_alone or bool(chain.overruns[where].any()))
        if not first.fights[where].any():
            return overruns and self._too_little(first, start)
        if plan.units_at_most is not None and chain.attack.units[row] <= plan.units_at_most:
            return True
        if plan.clear_chance_above is not None:
            ships = chain.attack.with_ships(self.battle.ships)
            if at_least(ships, chain.defence.rank)[row, column] > plan.clear_chance_above + SAME:
                return True
        air_losses = plane_losses(chain.attack, chain.defence)[row, column]
        if plan.air_loss_chance_above is not None and air_losses > plan.air_loss_chance_above + SAME:
            return True
        return self._too_little(first, start)

    def _too_little(self, first: AxisKernel, start: int) -> bool:
        """Whether a rule that plans finds that an attack is not worth what it asks for."""
        plan = self.retreat
        if self.worth is None:
            return False
        worth = self.of_attacking(first, start)
        if plan.profit_below is not None and worth[0] - self.of_declining(start) < plan.profit_below - SAME:
            return True
        return plan.win_chance_below is not None and worth[1] < plan.win_chance_below - SAME

    def of_declining(self, start: int) -> float:
        """The profit of an attack that is not made; nothing crashes then."""
        return self.lost_before(start) + (self.future.unmade[start] if self.future else 0.0)

    def lost_before(self, start: int) -> float:
        """The money the defender has lost before, where he begins with so many."""
        defence = self.chain.defence
        return defence.whole_cost - float(defence.cost()[self.chain.columns[start]])

    def of_attacking(self, first: AxisKernel, start: int) -> list[float]:
        """What an attack is worth, see `pays`: guns, the first round with its ships, and then as planned."""
        assert self.worth is not None
        return [float(worth) for worth in of_beginning(self.chain, first, self.worth, start)]


def of_beginning(chain: AxisChain, first: AxisKernel, worth: Grid, start: int = 0) -> Grid:
    """What an attack that is made is worth by what every cell is: guns, the first round with its ships, the rest.

    `worth` is [payoff, row, column], and `first` the kernel of that round; the answer is one number for each payoff.
    """
    law = first.empty()
    chain.begin(law, [float(place == start) for place in range(len(chain.columns))])
    first.settle(law)
    total = np.zeros(len(worth))
    for row, column in np.argwhere(law > 0).tolist():
        if first.fights[row, column] and (chain.battle.ships or chain.battle.retreat):
            total += law[row, column] * first.ahead(worth, row, column)
        else:
            total += law[row, column] * worth[:, row, column]
    return total


class Ends:
    """What it means that a battle ends where forces of both sides meet: these `rows` and those `columns`.

    `cleared`: no defender is left; `taken`: the territory is the attacker's. `crashed`, for each of the defender's
    forces: how many planes of each segment have no room on a carrier; None where they need none. `attackers_crashed`:
    the same of the attacker's.
    """

    def __init__(self, battle: AxisBattle, attack: Forces, defence: Forces, rows: Some, columns: Some) -> None:
        self.battle, self.attack, self.rows, self.defence, self.columns = battle, attack, rows, defence, columns
        at_sea = battle.theatre == "sea"
        self.crashed = _planes_without_room(defence) if battle.crash_stranded_fighters and at_sea else None
        self.attackers_crashed = _planes_without_room(attack) if battle.crash_attacking_fighters and at_sea else None
        lost_at_once = helpless(defence)[columns] & attack.alive[rows]
        self.cleared: Mask = ~defence.alive[columns] | lost_at_once
        self.taken: Mask = self.cleared & (attack.count(_is_land) > 0)[rows] & (battle.theatre == "land")
        fallen = attack.whole_cost - attack.cost() - attack.cost(gone=True) + _price(attack, self.attackers_crashed)
        self.attacker_loss: Grid = fallen[rows]
        cleared_loss = defence.whole_cost - defence.cost(gone=True)
        loss = cleared_loss - defence.cost() + _price(defence, self.crashed)
        self.defender_loss: Grid = np.where(lost_at_once, cleared_loss[columns], loss[columns])

    @property
    def attacker_stands(self) -> Mask:
        """Where the attacker has units left, in the fight or gone from it."""
        left = np.asarray(np.hstack(self._attackers_left).any(axis=1))
        return np.asarray(left[self.rows])

    @property
    def defender_stands(self) -> Mask:
        """Where the defender has units left, that did not crash."""
        left = self._standing[self.columns]
        gone = np.asarray(self.defence.gone.any(axis=1))[self.columns]
        return np.asarray((left & ~self.cleared) | gone)

    @property
    def _attackers_left(self) -> tuple[Nodes, Nodes]:
        """The attackers in the fight and those gone from it, without planes that crash."""
        attack, crashed = self.attack, self.attackers_crashed
        if crashed is None:
            return attack.active, attack.gone
        return remove_crashed(attack.active, attack.gone, crashed)

    @property
    def _standing(self) -> Flags:
        if self.crashed is None:
            return self.defence.alive
        return np.asarray((self.defence.active > self.crashed).any(axis=1))

    @property
    def deserted(self) -> Mask:
        """Where attackers stand alone, as all planes against them crash.

        By the first rules those who could have fought on had retreated.
        """
        alone = self.attack.alive[self.rows] & ~self._standing[self.columns]
        if self.battle.ruling == 1:
            alone &= ~fighting(self.attack, self.defence, self.rows, self.columns)
        return np.asarray(alone)

    @property
    def wins(self) -> Mask:
        """Where the attacker has won: the territory is taken, or at sea nobody else is left."""
        if self.battle.theatre == "land":
            return self.taken
        left = np.asarray(self._attackers_left[0].any(axis=1))
        return np.asarray((self.cleared | self.deserted) & ~self.defender_stands & left[self.rows])

    @property
    def profit(self) -> Grid:
        """What the attacker gains on balance, in money."""
        gains = self.gains(self.battle.deadzone, self.battle.territory_value)
        return np.asarray(self.defender_loss - self.attacker_loss + gains)

    @property
    def planned_profit(self) -> Grid:
        """The same as the attacker plans by."""
        battle = self.battle
        deadzone = battle.deadzone if battle.planned_deadzone is None else battle.planned_deadzone
        value = battle.territory_value if battle.planned_value is None else battle.planned_value
        return np.asarray(self.defender_loss - self.attacker_loss + self.gains(deadzone, value))

    @property
    def planned_win(self) -> Grid:
        """Where the attacker has won, as it is meant in the plan."""
        if self.battle.win_means == "take":
            return np.asarray(self.taken, float)
        return np.asarray(self.cleared | (self.deserted & (self.battle.ruling > 1)), float)

    def gains(self, deadzone: bool, value: float) -> Grid:
        """What the territory brings: its value, less what in a deadzone is as good as lost."""
        gain = value - (_deadzone(self.battle, self.attack)[self.rows] if deadzone else 0.0)
        return np.asarray(np.where(self.taken, gain, 0.0))


def next_round_stops(retreat: Retreat, attack: Forces, defence: Forces) -> Mask:
    """Where a rule is satisfied that looks no further than the next round: [attacker, defender]."""
    stops = np.zeros((len(attack.active), len(defence.active)), bool)
    if retreat.units_at_most is not None:
        stops |= np.asarray(attack.units <= retreat.units_at_most)[:, None]
    if retreat.clear_chance_above is not None:
        stops |= at_least(attack, defence.rank) > retreat.clear_chance_above + SAME
    if retreat.air_loss_chance_above is not None:
        stops |= plane_losses(attack, defence) > retreat.air_loss_chance_above + SAME
    return stops


def plane_losses(attack: Forces, defence: Forces) -> Grid:
    """The chance that a plane falls in the next round on land: [attacker, defender]."""
    planes = np.array([segment.unit.kind == "air" for segment in attack.segments], bool)
    flying = planes[None, :] & (attack.active > 0)
    has = np.asarray(flying.any(axis=1))
    before = np.where(np.cumsum(flying, axis=1) > 0, 0, attack.active).sum(axis=1)
    return np.where(has[:, None], at_least(defence, before + 1).T, 0.0)


def _is_land(unit: Unit) -> bool:
    return unit.kind == "land"


def doomed(battle: AxisBattle, unit: Unit, other_role: Role = "defence") -> float:
    """What a land unit is worth that defends once against the cheapest there is, infantry, and is lost then.

    What that infantry is worth depends on the part that its side has.
    """
    others = [other for other in battle.rules.units if _is_land(other) and other.attack]
    cheapest = min(others, key=lambda other: other.cost, default=None)
    return unit.cost - (unit.defence * battle.worth.of(cheapest, other_role) / 6 if cheapest else 0.0)


def _deadzone(battle: AxisBattle, attack: Forces) -> Grid:
    prices = [
        doomed(battle, segment.unit) if _is_land(segment.unit) and not segment.spare else 0.0
        for segment in attack.segments
    ]
    return np.asarray(attack.active @ np.array(prices, float))


def _planes_without_room(forces: Forces) -> Nodes:
    """How many planes of each segment have no room on a carrier, for each force."""
    # Who has retreated takes his carriers along.
    there = forces.active + forces.gone
    room = _room(forces, there)
    crashed = np.zeros_like(there)
    for place in range(len(forces.segments))[::-1]:  # most protected first
        if forces.segments[place].unit.kind == "air":
            kept = np.minimum(room, there[:, place])
            room = room - kept
            crashed[:, place] = there[:, place] - kept
    return crashed


def _room(forces: Forces, there: Nodes) -> Nodes:
    """How many planes each force has room for on its carriers, of so many units of each segment."""
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
    """Who is left in the fight, and gone from it, once these planes have crashed."""
    here = np.minimum(active, crashed)
    return active - here, gone - (crashed - here)


def _price(forces: Forces, crashed: Nodes | None) -> Chances:
    """What the planes that crash are worth, for each force."""
    none = np.zeros(len(forces.active))
    return none if crashed is None else crashed @ np.array([segment.unit.cost for segment in forces.segments], float)


def at_least(shooter: Forces, hits: Nodes) -> Grid:
    """The chance that a force hits at least so often in a round on land: [shooter, number of hits]."""
    law = shooter.laws("all")
    chances = np.concatenate([tails(law), np.zeros((len(law), 1))], axis=1)
    return np.asarray(chances[:, np.minimum(hits, law.shape[1])])
