"""The odds of a battle with every part of one side's army, from the decision to attack on.

The sweep (sweep.py, or sea_sweep.py at sea with submarines) gives the worth of the cells of a battle. This module adds
the beginnings of battles for all parts at once: the opening, a first round in which ships bombard, and whether the
attacker declines.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import inf, prod
from typing import get_args

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.best.parts import HUNDREDTHS, Parts, PartsOdds, Wanted, check_memory
from solver.axis.best.sea_sweep import sea_parts_odds
from solver.axis.best.sweep import Page, Payoff, Sweep, cap_hits, page_parts, planned_payoffs
from solver.axis.chain import AxisChain
from solver.axis.course import Fleet, count_planes, guns_choose, last_round
from solver.axis.kernel.forces import Flags, Forces, Nodes, destroyed_force, is_plane
from solver.axis.loss_order import Force, Segment
from solver.axis.opening import opening_law, units_of
from solver.axis.plans import SAME, next_round_stops
from solver.axis.sides import STAYS, Ruling
from solver.axis.units import Role
from solver.chain import Grid, Mask

BothSides = tuple[Sequence[Segment], Sequence[Segment]]
"""The units of the attacker and of the defender."""


def parts_odds(
    battle: AxisBattle, role: Role, wanted: Sequence[Wanted] = get_args(Wanted), limit: float = inf
) -> PartsOdds:
    """Return the odds of a battle with every part of one side's army against the whole other side: see `PartsOdds`."""
    *_, odds = iterate_parts_odds(battle, role, wanted, limit)
    return odds


def iterate_parts_odds(
    battle: AxisBattle, role: Role, wanted: Sequence[Wanted], limit: float = inf, money: float = inf
) -> Iterator[PartsOdds]:
    """Yield the odds with more and more parts, cheapest first; the last ones have all parts.

    Orders of loss, dice, rules and plans are those of the battle.

    Args:
        battle: The battle with the whole army.
        role: The role of the army.
        wanted: Which odds to compute: "survives", "wins", "profit".
        limit: The most work that this may take, in the unit of `Meter`.
        money: The most that a part may cost; in a battle on land.

    Raises:
        TooLargeError: If it takes more work or memory.
    """
    if battle.kamikaze or any(
        battle.rules.table[name].surprise for name, _ in (*battle.attacker.units, *battle.defender.units)
    ):
        yield sea_parts_odds(battle, role, wanted, limit)
        return
    start = _Start(battle, role, wanted, limit, money)
    for sweep, page in start.sweep():
        start.begin(sweep, page)
        yield start.odds(page.rows.stop)


class _Start:
    """The beginnings of battles with each part."""

    def __init__(self, battle: AxisBattle, role: Role, wanted: Sequence[Wanted], limit: float, money: float) -> None:
        self.battle, self.role, self.wanted = battle, role, tuple(wanted)
        self.sure = inf if money == inf else money + 1 / HUNDREDTHS
        # Where the defender has left, the ends are found for all forces together: they are no forces of their own.
        self.parts, self.chain = Parts(battle, role, money), AxisChain(replace(battle, defender_retreat=STAYS), limit)
        check_memory(self.chain.numbers)
        self.plans = planned_payoffs(battle.retreat)
        self.names: tuple[Payoff, ...] = (*(name for name, _ in self.plans), *wanted)
        fleet = battle.fleet if role == "attack" else ()
        cells = len(self.chain.defence.nodes if role == "attack" else self.chain.attack.nodes)
        cells *= 1 if last_round(battle) is None else 3  # before and after a round, and where it is over
        check_memory(len(self.parts) * len(self.names) * (cells + 2 * prod(count + 1 for _, count in fleet)))
        self.ships: list[Fleet] = list(product(*([(unit, some) for some in range(count + 1)] for unit, count in fleet)))
        self.beside: list[Fleet] = self.ships if battle.ships else [()]  # the fleets that fire in the first round
        # with a round that is always fought
        self.begins = bool(battle.ships or battle.retreat or battle.defender_retreat)
        self.start = self.chain.opened[0] if role == "attack" else self.chain.rows
        shape = len(self.names), len(self.parts)
        self.first = np.zeros((*shape, len(self.beside), len(self.start)))
        self.values = np.zeros((*shape, len(self.ships)))

    def sweep(self) -> Iterator[tuple[Sweep, Page]]:
        """Sweep the cells, page after page. `self.worth` is their worth after a round."""
        if self.battle.defender_retreat.rounds is not None:
            sweep = self._sweep(self.names)
            sweep.rounds_to_leaving(int(self.begins))
            self.worth = sweep.worth
            for page in sweep.pages():
                yield sweep, page
            return
        if self.battle.round_limit is None:
            sweep = self._sweep(self.names)
            self.worth = sweep.worth
            for page in sweep.run():
                yield sweep, page
            return
        plan = self._sweep(self.names[: len(self.plans)])
        if self.plans:
            deque(plan.run(), 0)
        sweep = self._sweep(self.wanted, everywhere=True)
        deque(sweep.run(), 0)
        sweep.rounds(self.battle.round_limit - self.begins, plan.stops if self.plans else None)
        self.worth = np.concatenate([plan.worth, sweep.worth])
        for page in sweep.pages():
            yield sweep, page

    def _sweep(self, payoffs: Sequence[Payoff], everywhere: bool = False) -> Sweep:
        """A sweep over all parts."""
        return Sweep(self.chain, self.parts, self.role, payoffs, self.battle, everywhere)

    def begin(self, sweep: Sweep, page: Page) -> None:
        """Compute the odds of the parts of a page: opening, first round, and whether the attacker declines."""
        rows = page.rows
        if self.begins:
            self.first[:, rows] = self._first(sweep, page)
        else:
            self.first[:, rows, 0] = self.worth[:, rows][:, :, self.start]
        self.values[:, rows] = self._after_opening(rows)
        if self.battle.fleet and self.battle.ruling >= Ruling.HELPLESS_FALL:
            self._bombard(page)
        for place, name in enumerate(self.names):
            if name in ("profit", "planned_profit"):
                # Cells count units that the part lacks as lost.
                missing = page.forces.whole_cost - self.parts.cost[rows][:, None]
                self.values[place, rows] += missing if self.role == "attack" else -missing
        if self.battle.decline_allowed and self.battle.retreat:
            declined = self._declines(page)
            for value, name in zip(self.values[len(self.plans) :], self.wanted, strict=True):
                stays = page.forces.alive[:, None] if name == "survives" else 0.0
                value[rows] = np.where(declined, stays, value[rows])

    def _bombard(self, page: Page) -> None:
        """Destroy guns that are alone where ships attack alone: no die is rolled for that."""
        rows, chain = page.rows, self.chain
        column = chain.columns[0]
        if self.role == "attack" and chain.defence.helpless[column]:
            empty = chain.defence.place[destroyed_force(chain.defence.nodes[column])]
            alone = ~page.forces.alive[:, None] & self._fires
            self.values[:, rows] = np.where(alone, self.worth[:, rows, empty, None], self.values[:, rows])
        if self.role == "defence" and not chain.attack.alive[chain.row]:
            destroyed = self.worth[:, :1, chain.row, None]
            self.values[:, rows] = np.where(page.forces.helpless[:, None], destroyed, self.values[:, rows])

    @property
    def _fires(self) -> Flags:
        """Which fleets have ships."""
        return np.array(list(map(_has_ships, self.ships)))

    def _overruns(self, page: Page) -> Mask:
        """Whether helpless defenders are destroyed without a roll: [part, ships]."""
        if self.battle.ruling < Ruling.HELPLESS_FALL:
            return np.zeros((len(page.forces.alive), 1), bool)
        if self.role == "defence":
            attacked = self.chain.attack.alive[self.chain.row] or bool(self.battle.fleet)
            return (page.forces.helpless & attacked)[:, None]
        helpless = self.chain.defence.helpless[self.chain.columns[0]]
        return np.asarray((page.forces.alive[:, None] | self._fires) & helpless)

    def _fights(self, page: Page) -> Mask:
        """Whether there is a first round with its ships: [part, ships, force that the opening leaves]."""
        fights = page.fights[:, None, self.start]
        if self.role == "defence":
            target = page.forces.alive & ~page.forces.helpless
            return fights | (target[:, None, None] & bool(self.battle.ships))
        can_be_hit = (self.chain.defence.alive & ~self.chain.defence.helpless)[self.start]
        return np.asarray(fights | np.logical_and.outer(np.array(list(map(_has_ships, self.beside))), can_be_hit))

    def _first(self, sweep: Sweep, page: Page) -> Grid:
        """The worth of a first round in which ships fire too, in the shape of `first`."""
        fights = self._fights(page)
        worth = np.repeat(self.worth[:, page.rows][:, :, None, self.start], fights.shape[1], axis=2)
        if self.role == "attack":
            hits = sweep.taken.shape[1] - 1
            dice = page.forces.laws("all").shape[1] + sum(count for _, count in self.battle.ships)
            self.chain.meter.add(float(len(self.beside)) * (40_000 + 4 * dice * len(page.laws)))
            own = [cap_hits(_with_ships(page.forces, fleet).laws("all"), hits) for fleet in self.beside]
            theirs = self.chain.defence.laws("all")[self.start]
        else:
            own = [page.laws]
            theirs = _with_ships(self.chain.attack, self.battle.ships).laws("all")[self.start]
        for some in sweep.blocks(page):
            rows = page_parts(page, some)
            harmed = sweep.worth_after_fire(self.worth, rows, cap_hits(theirs, int(self.parts.rank[rows].max())))
            fought = np.stack([sweep.worth_after_hits(harmed, laws[some], self.start) for laws in own], axis=2)
            worth[:, some] = np.where(fights[some], fought, worth[:, some])
        return worth

    def _after_opening(self, rows: slice) -> Grid:
        """The mean worth after the opening, in the shape of `values`."""
        mean = np.zeros_like(self.values[:, rows])
        planes, downed, hits = self.chain.sizes
        alike = self._alike(rows)
        aimed = guns_choose(self.battle)
        # Guns that decide which planes they hit leave something else of each part, see below.
        left = self._parts_after_opening(rows, (1 if aimed else planes) if self.role == "attack" else downed)
        for place, fleet in enumerate(self.ships):
            beside = place if self.battle.ships else 0
            first = fleet if self.role == "attack" and self.battle.opening_ships else self.battle.opening_ships
            for (ours, theirs), some in alike:
                law = opening_law(self.battle, ours, theirs, first)
                own, downed_here, hits_here = law.shape
                if self.role == "attack":
                    grid = self.first[:, :, beside].reshape(*self.first.shape[:2], downed, hits)
                    shot = self._parts_after_guns(rows.start + some, ours) if aimed else None
                    for lost in range(own):
                        after = shot[lost] if shot else left[0][lost][some]
                        worth = grid[:, after, :downed_here, :hits_here]
                        mean[:, some, place] += (worth * law[lost]).sum(axis=(2, 3))
                    continue
                for lost in range(downed_here):
                    for hit in range(hits_here):
                        worth = self.first[:, left[hit][lost][some], 0, :own]
                        mean[:, some, place] += worth @ law[:, lost, hit]
        return mean

    def _parts_after_opening(self, rows: slice, planes: int) -> list[list[Nodes]]:
        """The number of each part after so many hits of ships and so many lost planes: [hits][planes][part]."""
        after = [[np.arange(rows.start, rows.stop)]]
        for _ in range(planes - 1):
            after[0].append(self.parts.without_plane[after[0][-1]])
        for _ in range(self.chain.sizes[2] - 1 if self.role == "defence" else 0):
            after.append([self.parts.after_hit[left] for left in after[-1]])
        return after

    def _parts_after_guns(self, parts: Nodes, ours: Sequence[Segment]) -> list[Nodes]:
        """Return the parts that are left of parts with these planes after guns that choose their planes: [loss][part].

        The losses have the order of `attackers_after`.
        """
        parts_left = [parts]
        for name, count in count_planes(self.battle, ours).items():
            by_losses = [[left] for left in parts_left]
            for lists in by_losses:
                for _ in range(count):
                    lists.append(self.parts.without_kind[name][lists[-1]])
            parts_left = [left for lists in by_losses for left in lists]
        return parts_left

    def _alike(self, rows: slice) -> list[tuple[BothSides, Nodes]]:
        """The parts that come to the opening alike: the units of both sides, and the places of the parts in `rows`."""
        segments, active = self.parts.segments, self.parts.active[rows]
        flies = np.array([is_plane(segment.unit) for segment in segments], np.int64)
        planes = active * flies if guns_choose(self.battle) else (active @ flies)[:, None]
        guns = np.array([segment.unit.antiaircraft for segment in segments], np.int64)
        alone = active[:, guns == 0].sum(axis=1) == 0
        deciding = np.concatenate([planes, np.stack([active @ guns, alone], axis=1)], axis=1)
        _, first, which = np.unique(deciding, axis=0, return_index=True, return_inverse=True)
        ours, theirs = self.chain.segments
        groups: list[tuple[BothSides, Nodes]] = []
        for place, part in enumerate(first.tolist()):
            units = units_of(segments, Force(tuple(active[part].tolist()), ()))
            both = (units, theirs) if self.role == "attack" else (ours, units)
            groups.append((both, np.flatnonzero(which.reshape(-1) == place)))
        return groups

    def _declines(self, page: Page) -> Mask:
        """Whether a rule is satisfied before the first shot: [part, ships]."""
        plan, column, forces = self.battle.retreat, self.chain.columns[0], page.forces
        if self.role == "attack":
            attack = (_with_ships(forces, fleet) for fleet in self.ships)
            declined = np.stack(
                [next_round_stops(plan, ours, self.chain.defence)[:, column] for ours in attack], axis=1
            )
        else:
            attacker = _with_ships(self.chain.attack, self.battle.fleet)
            declined = next_round_stops(plan, attacker, forces)[[self.chain.row]].T
        fights = self._fights(page)[:, :, 0]
        declined = declined & fights
        for value, (_, minimum) in zip(self.values, self.plans, strict=False):
            declined = declined | ((value[page.rows] < minimum - SAME) & (fights | self._overruns(page)))
        return declined

    def odds(self, stop: int) -> PartsOdds:
        """The odds of the parts before a place, each with every number of ships."""
        battle, parts = self.battle, self.parts
        whole = parts.whole[: np.searchsorted(parts.whole, stop)]
        names = tuple(name for name, _ in battle.army(self.role).units)
        units = np.zeros((len(whole), len(self.ships), len(names)), np.int64)
        for place, segment in enumerate(parts.kinds):
            if not segment.spare:
                units[:, :, names.index(segment.unit.name)] = parts.counts[whole, place][:, None]
        for name, count in battle.captured_guns if self.role == "defence" else ():
            units[:, :, names.index(name)] = count  # they go with the territory, whoever else is there
        for place, fleet in enumerate(self.ships):
            for unit, count in fleet:
                units[:, place, names.index(unit.name)] = count
        worth = [sum(battle.worth.of(ship, "attack") * count for ship, count in fleet) for fleet in self.ships]
        values = self.values[len(self.plans) :, whole].reshape(len(self.wanted), units.shape[0] * units.shape[1])
        return PartsOdds(
            names,
            units.reshape(len(whole) * len(self.ships), len(names)),
            (parts.cost[whole][:, None] + np.array(worth)).reshape(-1),
            dict(zip(self.wanted, values, strict=True)),
            self.sure if stop == len(parts) else float(parts.level[stop] // parts.steps * parts.cheapest) / HUNDREDTHS,
        )


def _has_ships(fleet: Fleet) -> bool:
    """Whether there is any ship in a fleet."""
    return any(count for _, count in fleet)


def _with_ships(forces: Forces, fleet: Fleet) -> Forces:
    """The forces while these ships fire beside them."""
    return forces.with_ships(fleet) if _has_ships(fleet) else forces
