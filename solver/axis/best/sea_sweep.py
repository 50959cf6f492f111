"""Every part of one side's fleet, or every order of its losses, in a battle with submarines.

There the order of hits matters, and a round has phases. All parts, or orders, stand on one lattice with all forces that
any of them can come to. The kernel of a single battle (product.py) goes through it backward, with them in its rows.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from typing import TypeVar

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.best.parts import Parts, PartsOdds, Values, Wanted, check_memory
from solver.axis.best.sweep import Payoff, payoff, planned_payoffs
from solver.axis.chain import AxisChain
from solver.axis.checks import kamikaze_at
from solver.axis.course import dives_late, has_first_round, kamikaze_dice, last_round
from solver.axis.ends import AxisEnds
from solver.axis.kernel.ground import Choice, Limit
from solver.axis.loss_order import Force, Segment
from solver.axis.opening import kamikaze_law
from solver.axis.plans import SAME, next_round_stops
from solver.axis.sides import Army, Ruling
from solver.axis.units import Role
from solver.chain import Grid, Mask, backward

Cells = TypeVar("Cells", Grid, Mask)

A_ROOT, A_PAIR = 20_000.0, 0.2
"""About the work to find the forces of a part, and to compare two forces of the other side, in the unit of `Meter`. The
kernel counts its own work."""


def sea_parts_odds(battle: AxisBattle, role: Role, wanted: Sequence[Wanted], limit: float) -> PartsOdds:
    """Return the odds of a battle at sea with every part of one side's fleet: see `PartsOdds`."""
    parts = Parts(battle, role)
    roots = [_after_kamikaze(battle, role, parts.kinds, force) for force in parts.forces(parts.whole)]
    values = _SeaSweep(AxisChain(battle, limit), role, roots).values(wanted)
    names = tuple(name for name, _ in battle.army(role).units)
    counted = [place for place, segment in enumerate(parts.kinds) if not segment.spare]
    order = [next(place for place in counted if parts.kinds[place].unit.name == name) for name in names]
    return PartsOdds(names, parts.counts[parts.whole][:, order], parts.cost[parts.whole], values)


def _after_kamikaze(battle: AxisBattle, role: Role, kinds: Sequence[Segment], force: Force) -> Mapping[Force, float]:
    """Return the parts that kamikaze attacks may leave of a part, with their probabilities; the part itself first."""
    if role == "defence" or not battle.kamikaze:
        return {force: 1.0}
    ours = [kind._replace(units=count) for kind, count in zip(kinds, force.active, strict=True)]
    army = Army(tuple((kind.unit.name, kind.units) for kind in ours if not kind.spare))
    return kamikaze_law(kamikaze_dice(kamikaze_at(battle, army), army), ours, battle.unit_dice)


def sea_orders_odds(
    battle: AxisBattle, role: Role, orders: Sequence[tuple[Segment, ...]], limit: float
) -> tuple[Values, float]:
    """Return the odds of a battle at sea under each order of loss of one side, and the work that it took: see `Meter`.

    The odds are the attacker's chance to win and expected profit in money: [order, 2]. The orders are as
    `AxisBattle.segments` returns them, all with the same units. TooLargeError if it takes more work or memory.
    """
    chain = AxisChain(battle, limit)
    forces, joint = _join_orders(orders)
    values = _SeaSweep(chain, role, [{force: 1.0} for force in forces], joint).values(("wins", "profit"))
    return np.stack([values["wins"], values["profit"]], axis=1), chain.meter.done


def _join_orders(orders: Sequence[tuple[Segment, ...]]) -> tuple[list[Force], tuple[Segment, ...]]:
    """The orders as forces in one order of loss, in which each kind has several places; and that order.

    An order takes the last places that it can, so that orders which end alike come to the same forces.
    """
    spare = [segment for segment in orders[0] if segment.spare]
    kinds = dict.fromkeys(segment for order in orders for segment in order if not segment.spare)
    longest = max(map(len, orders)) - len(spare)
    joint = (*spare, *kinds, *(kind for _ in range(longest - 1) for kind in kinds))
    forces = []
    for order in orders:
        active, place = [0] * len(joint), len(joint)
        for segment in reversed(order):
            place = next(place for place in range(place - 1, -1, -1) if joint[place] == segment)
            active[place] = segment.units
        forces.append(Force(tuple(active), (0,) * len(joint)))
    return forces, joint


class _SeaSweep:
    """The cells of all parts: rows are the forces of the side with the parts, columns the forces of the other side."""

    def __init__(
        self,
        alone: AxisChain,
        role: Role,
        roots: Sequence[Mapping[Force, float]],
        joint: tuple[Segment, ...] | None = None,
    ) -> None:
        """Take the chain of the battle, and the forces of a side in its order of loss or in a `joint` one.

        Each comes as what the opening may leave of it, with its probability, itself first.
        """
        self.battle, self.role, self.plans = alone.battle, role, planned_payoffs(alone.battle.retreat)
        opened = [force for law in roots for force in law]
        alone.meter.add(A_ROOT * len(opened))
        self.chain = chain = alone.with_roots(role, opened, joint)
        check_memory(chain.numbers)
        own, other = (chain.attack, chain.defence) if role == "attack" else (chain.defence, chain.attack)
        alone.meter.add(A_PAIR * len(own) * len(other) ** 2)
        self.kernel, late = chain.kernel_with_rows(role), dives_late(self.battle) or bool(self.battle.defender_retreat)
        before = chain.at_first if late else chain
        self.first = before.kernel_with_rows(role) if late else self.kernel
        self.opened, self.shares = own.starts, np.array([share for law in roots for share in law.values()])
        self.firsts = np.cumsum([0, *map(len, roots[:-1])])
        self.rows, self.column = self.opened[self.firsts], len(other) - 1
        # What kamikaze attacks leave of the other side, which is all of it without them.
        self.left, self.law = (chain.rows, chain.opening[0, :, 0]) if role == "defence" else (chain.columns, np.ones(1))
        self.missing, self.alive = own.whole_cost - own.cost_left[self.rows], own.alive[self.rows]
        cells = np.ogrid[: len(chain.attack), : len(chain.defence)]
        self.ends = AxisEnds(self.battle, chain.attack, chain.defence, *cells)
        self.left_ends = self.ends
        if self.battle.defender_retreat:
            self.left_ends = AxisEnds(self.battle, chain.attack, chain.defence, cells[0], chain.left[None])
        self.leaves = self._parts_first(chain.leaves)
        self.fights = self.kernel.fights & ~self._parts_first(chain.submerges)  # not those who submerge
        self.rules = self._parts_first(next_round_stops(self.battle.retreat, chain.attack, chain.defence))
        self.stops = self.rules & self.fights
        self.begins = self.first.fights & ~self._parts_first(before.submerges)

    def _parts_first(self, cells: Cells) -> Cells:
        """Values of cells [attacker, defender] turned to [part's side, other side]."""
        return cells if self.role == "attack" else np.ascontiguousarray(cells.T)

    def values(self, wanted: Sequence[Wanted]) -> dict[Wanted, Values]:
        """The odds of each part by name: see `PartsOdds`."""
        battle, plans = self.battle, tuple(name for name, _ in self.plans)
        names: tuple[Payoff, ...] = (*plans, *wanted)
        if last_round(battle) is None:
            worth = self._sweep(names)
        else:
            planned = [self._sweep(plans)] if plans else []
            worth = np.concatenate([*planned, self._sweep_rounds(wanted)])
        if has_first_round(battle):
            worth = self.first.gather(self._with_layers(worth), worth)
        opened = worth[:, self.opened][:, :, self.left] @ self.law
        values = np.add.reduceat(opened * self.shares, self.firsts, axis=1)
        for name, value in zip(names, values, strict=True):
            if name in ("profit", "planned_profit"):
                # Cells count units that the part lacks as lost.
                value += self.missing if self.role == "attack" else -self.missing
        if battle.decline_allowed and battle.retreat:
            declined = self._declines(values)
            for name, value in zip(names, values, strict=True):
                value[declined] = self.alive[declined] if name == "survives" else 0
        return dict(zip(wanted, values[len(plans) :], strict=True))

    def _pays(self, names: Sequence[Payoff], ends: AxisEnds) -> Grid:
        """The payoff of an end in each cell: [payoff, part, other]."""
        return np.stack([self._parts_first(payoff(ends, name, self.role)) for name in names])

    def _with_layers(self, worth: Grid) -> Grid:
        """A grid with every layer, and these values in the first."""
        grid = np.zeros((len(worth), *self.kernel.empty().shape))
        grid[:, : worth.shape[1]] = worth
        return grid

    def _sweep(self, names: Sequence[Payoff]) -> Grid:
        """The worth of the cells without a limit of rounds; it also notes where the attacker stops."""
        pays = self._pays(names, self.ends)
        worth, kernel = self._with_layers(pays), copy(self.kernel)
        limits = [Limit(names.index(name), minimum - SAME, name == "planned_profit") for name, minimum in self.plans]
        early, (rows, columns) = np.zeros_like(self.stops), np.nonzero(self.leaves)
        if len(rows):
            going = self._pays(names, self.left_ends)[:, rows, columns]
            choice = Choice(worth, pays, self.rules, self.leaves, early, limits)
            worth[:, rows, columns] = choice.choose(rows, columns, going)
        if self.battle.retreat:
            kernel.choice = Choice(worth, pays, self.rules, self.fights, self.stops, limits)
        worth = backward(kernel, worth)[:, : pays.shape[1]]
        self.stops |= early
        return worth

    def _sweep_rounds(self, names: Sequence[Payoff]) -> Grid:
        """The worth of the cells with a limit of rounds, after whose last one a side leaves: attackers decide first."""
        pays, left = self._pays(names, self.ends), self._pays(names, self.left_ends)
        limit, last = self.battle.round_limit, self.battle.defender_retreat.rounds
        rounds = min(number for number in (limit, last) if number is not None)
        stops = self.stops | self.rules
        kernel = self.kernel.with_stops(stops & self.fights)
        ends = np.where(self.leaves & ~stops, left, pays)
        worth = pays.copy() if rounds == limit else np.where((self.fights | self.leaves) & ~stops, left, pays)
        kernel.make_moves_backward(worth)
        for _ in range(rounds - has_first_round(self.battle)):
            worth = kernel.gather(self._with_layers(worth), ends)
        return worth

    def _declines(self, planned: Grid) -> Mask:
        """For which parts a rule applies before the first shot."""
        overruns = self._parts_first(self.chain.overruns)
        # Where nobody can hit anybody, planes that crash are a reason to stay away, too.
        fights = self.begins | (self._parts_first(self.ends.crashes) & ~overruns)
        cells = np.stack([fights, fights | (overruns & (self.battle.ruling >= Ruling.HELPLESS_FALL))]).astype(float)
        self.first.make_moves_backward(cells)
        fights, meets = cells[:, self.rows, self.column] > 0
        declined = self.rules[self.rows, self.column] & fights
        for value, (_, minimum) in zip(planned, self.plans, strict=False):
            declined = declined | ((value < minimum - SAME) & meets)
        return np.asarray(declined)
