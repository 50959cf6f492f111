"""What comes of a battle with every part of one side's army: whether to attack, guns and ships first, then the sweep.

The sweep (solver/axis_sweep.py, at sea with submarines solver/axis_fleets.py) knows what the cells of a battle are
worth; here are the beginnings of battles: anti-aircraft fire, a first round in which ships bombard, and whether the
attacker would rather not attack. Each is the same for all parts at once.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import inf, prod
from typing import get_args

import numpy as np

from solver.axis import AxisBattle
from solver.axis_chain import AxisChain
from solver.axis_fleets import fleets_odds
from solver.axis_sweep import Page, Payoff, Sweep, beyond, capped, planned_by
from solver.chain import Grid, Mask
from solver.clashes import antiaircraft_laws, antiaircraft_shots, helpless
from solver.forces import Forces, nobody
from solver.parts import HUNDREDTHS, Parts, PartsOdds, Wanted, check_numbers
from solver.plans import SAME, next_round_stops
from solver.sides import Units
from solver.units import Role, Unit

Fleet = tuple[tuple[Unit, int], ...]
"""Ships that bombard a battle on land, so many of each kind."""


def parts_odds(
    battle: AxisBattle, role: Role, wanted: Sequence[Wanted] = get_args(Wanted), most: float = inf
) -> PartsOdds:
    """The odds of a battle with every part of one side's army against all of the other side's.

    Orders of loss, dice, rules and plans are those of the battle. TooLargeError where that is more work than `most`.
    """
    *_, odds = growing(battle, role, wanted, most)
    return odds


def growing(battle: AxisBattle, role: Role, wanted: Sequence[Wanted], most: float = inf) -> Iterator[PartsOdds]:
    """The same for ever more parts, cheapest first; the last answer has them all."""
    if any(battle.rules.table[name].surprise for name, _ in (*battle.attacker.units, *battle.defender.units)):
        yield fleets_odds(battle, role, wanted, most)
        return
    start = _Start(battle, role, wanted, most)
    for sweep, page in start.sweep():
        start.begin(sweep, page)
        yield start.told(page.rows.stop)


def with_part(battle: AxisBattle, role: Role, units: Units) -> AxisBattle:
    """The battle with these units in place of one side's army."""
    if role == "attack":
        return replace(battle, attacker=replace(battle.attacker, units=units))
    return replace(battle, defender=replace(battle.defender, units=units))


class _Start:
    """How battles begin with each part, once it is known what cells are worth; `most` is the work that may be done."""

    def __init__(self, battle: AxisBattle, role: Role, wanted: Sequence[Wanted], most: float) -> None:
        self.battle, self.role, self.wanted = battle, role, tuple(wanted)
        self.chain, self.parts = AxisChain(battle, most), Parts(battle, role)
        check_numbers(self.chain.numbers)
        self.plans = planned_by(battle.retreat)
        self.names: tuple[Payoff, ...] = (*(name for name, _ in self.plans), *wanted)
        fleet = battle.ships if role == "attack" else ()
        cells = len(self.chain.defence.nodes if role == "attack" else self.chain.attack.nodes)
        cells *= 1 if battle.round_limit is None else 3  # before and after a round, and where it is over
        check_numbers(len(self.parts) * len(self.names) * (cells + 2 * prod(count + 1 for _, count in fleet)))
        self.ships: list[Fleet] = list(product(*([(unit, some) for some in range(count + 1)] for unit, count in fleet)))
        self.begins = bool(battle.ships or battle.retreat)  # with a round that is always fought
        shots = antiaircraft_shots(battle, *self.chain.segments)
        self.guns = antiaircraft_laws(range(shots + 1), battle.dice)
        column = self.chain.columns[0]
        self.start = np.array([column]) if role == "attack" else self.chain.attack.node_of(self.chain.roots)
        shape = len(self.names), len(self.parts)
        self.first = np.zeros((*shape, len(self.ships) if role == "attack" else len(self.start)))
        self.values = np.zeros((*shape, len(self.ships)))

    def sweep(self) -> Iterator[tuple[Sweep, Page]]:
        """Sweep the cells, page after page; `self.worth` is what they are worth once a round has been fought."""
        if self.battle.round_limit is None:
            sweep = Sweep(self.chain, self.parts, self.role, self.names)
            self.worth = sweep.worth
            for page in sweep.run():
                yield sweep, page
            return
        plan = Sweep(self.chain, self.parts, self.role, self.names[: len(self.plans)])
        if self.plans:
            deque(plan.run(), 0)
        sweep = Sweep(self.chain, self.parts, self.role, self.wanted, everywhere=True)
        deque(sweep.run(), 0)
        sweep.rounds(self.battle.round_limit - self.begins, plan.stops if self.plans else None)
        self.worth = np.concatenate([plan.worth, sweep.worth])
        for page in sweep.pages():
            yield sweep, page

    def begin(self, sweep: Sweep, page: Page) -> None:
        """What it is worth to attack, for the parts of a page: a first round, before that guns; or not to."""
        rows = page.rows
        if self.begins:
            self.first[:, rows] = self._first(sweep, page)
        else:
            self.first[:, rows] = self.worth[:, rows][:, :, self.start]
        if self.battle.ships and self.battle.ruling > 1:
            self._bombard(page)
        self.values[:, rows] = self._after_guns(rows)
        for place, name in enumerate(self.names):
            if name in ("profit", "planned_profit"):
                # Cells count what is missing of the whole army as lost.
                missing = page.forces.whole_cost - self.parts.cost[rows][:, None]
                self.values[place, rows] += missing if self.role == "attack" else -missing
        if self.battle.decline_allowed and self.battle.retreat:
            declined = self._declined(page)
            for value, name in zip(self.values[len(self.plans) :], self.wanted, strict=True):
                stays = page.forces.alive[:, None] if name == "survives" else 0.0
                value[rows] = np.where(declined, stays, value[rows])

    def _bombard(self, page: Page) -> None:
        """Destroy guns that are alone where ships are alone: no die is rolled for that."""
        rows, chain = page.rows, self.chain
        column = self.start[0]
        if self.role == "attack" and chain.helpless[column]:
            empty = chain.defence.place[nobody(chain.defence.nodes[column])]
            for place, fleet in enumerate(self.ships):
                if any(count for _, count in fleet):
                    here = self.first[:, rows, place]
                    self.first[:, rows, place] = np.where(page.forces.alive, here, self.worth[:, rows, empty])
        if self.role == "defence" and not chain.attack.alive[chain.row]:
            destroyed = helpless(page.forces)[None, :, None]
            self.first[:, rows] = np.where(destroyed, self.worth[:, :1][:, :, self.start], self.first[:, rows])

    def _overruns(self, page: Page) -> Mask:
        """Where helpless defenders are destroyed without a roll: as `_fights`."""
        if self.battle.ruling == 1:
            return np.zeros((len(page.forces.alive), 1), bool)
        if self.role == "defence":
            attacked = self.chain.attack.alive[self.chain.row] or bool(self.battle.ships)
            return (helpless(page.forces) & attacked)[:, None]
        fleets = np.array([any(count for _, count in fleet) for fleet in self.ships])
        return np.asarray((page.forces.alive[:, None] | fleets) & self.chain.helpless[self.start[0]])

    def _fights(self, page: Page) -> Mask:
        """Where there is a first round, with ships too: [part, ships] or [part, force that guns leave]."""
        fights = page.fights[:, self.start]
        if self.role == "defence":
            target = page.forces.alive & ~helpless(page.forces)
            return fights | (target[:, None] & bool(self.battle.ships))
        column = self.start[0]
        can_be_hit = bool(self.chain.defence.alive[column] and not helpless(self.chain.defence)[column])
        fires = [can_be_hit and any(count for _, count in fleet) for fleet in self.ships]
        return np.stack([fights[:, 0] | fire for fire in fires], axis=1)

    def _first(self, sweep: Sweep, page: Page) -> Grid:
        """What it is worth to begin with a round in which ships fire too: see `first`."""
        fights = self._fights(page)
        worth = np.repeat(self.worth[:, page.rows][:, :, self.start], len(fights[0]) // len(self.start), axis=2)
        if self.role == "attack":
            hits = sweep.taken.shape[1] - 1
            dice = page.forces.laws("all").shape[1] + sum(count for _, count in self.battle.ships)
            self.chain.meter.add(float(len(self.ships)) * (40_000 + 4 * dice * len(page.laws)))
            own = [capped(_with_ships(page.forces, fleet).laws("all"), hits) for fleet in self.ships]
            theirs = self.chain.defence.laws("all")[self.start]
        else:
            own = [page.laws]
            theirs = _with_ships(self.chain.attack, self.battle.ships).laws("all")[self.start]
        for some in sweep.blocks(page):
            rows = beyond(page, some)
            harmed = sweep.harmed(self.worth, rows, capped(theirs, int(self.parts.rank[rows].max())))
            fought = np.concatenate([sweep.hit(harmed, laws[some], self.start) for laws in own], axis=2)
            worth[:, some] = np.where(fights[some], fought, worth[:, some])
        return worth

    def _after_guns(self, rows: slice) -> Grid:
        """The mean over what anti-aircraft guns leave of the attacker: see `values`."""
        parts = self.parts
        active = parts.active[rows]
        mean = np.zeros_like(self.values[:, rows])
        if self.role == "attack":
            flies = np.array([segment.unit.kind == "air" for segment in parts.segments], np.int64)
            laws = self.guns[np.minimum(active @ flies, len(self.guns) - 1)]
            left = np.arange(rows.start, rows.stop)
            for law in laws.T:
                mean += law[:, None] * self.first[:, left]
                left = parts.without_plane[left]
            return mean
        guns = np.array([segment.unit.antiaircraft for segment in parts.segments], np.int64)
        alone = active[:, guns == 0].sum(axis=1) == 0
        shots = np.where(alone, 0, np.minimum(active @ guns, len(self.guns) - 1))
        for fallen, law in enumerate(self.guns[shots].T):
            mean += (law * self.first[:, rows, fallen])[:, :, None]
        return mean

    def _declined(self, page: Page) -> Mask:
        """Whether a rule is satisfied before the first shot: [part, ships]."""
        plan, column, forces = self.battle.retreat, self.start[0], page.forces
        if self.role == "attack":
            attack = (_with_ships(forces, fleet) for fleet in self.ships)
            declined = np.stack([next_round_stops(plan, one, self.chain.defence)[:, column] for one in attack], axis=1)
        else:
            declined = next_round_stops(plan, _with_ships(self.chain.attack, self.battle.ships), forces)[[column]].T
        fights = self._fights(page)
        fights = fights if self.role == "attack" else fights[:, :1]
        declined = declined & fights
        for value, (_, least) in zip(self.values, self.plans, strict=False):
            declined = declined | ((value[page.rows] < least - SAME) & (fights | self._overruns(page)))
        return declined

    def told(self, stop: int) -> PartsOdds:
        """The odds of the parts up to one, with all their ships."""
        battle, parts = self.battle, self.parts
        side = battle.attacker if self.role == "attack" else battle.defender
        whole = parts.whole[: np.searchsorted(parts.whole, stop)]
        names = tuple(name for name, _ in side.units)
        units = np.zeros((len(whole), len(self.ships), len(names)), np.int64)
        for place, segment in enumerate(parts.kinds):
            if not segment.spare:
                units[:, :, names.index(segment.unit.name)] = parts.counts[whole, place][:, None]
        for place, fleet in enumerate(self.ships):
            for unit, count in fleet:
                units[:, place, names.index(unit.name)] = count
        fleets = np.array([sum(battle.worth.of(unit, "attack") * count for unit, count in one) for one in self.ships])
        values = self.values[len(self.plans) :, whole].reshape(len(self.wanted), units.shape[0] * units.shape[1])
        return PartsOdds(
            names,
            units.reshape(len(whole) * len(self.ships), len(names)),
            (parts.cost[whole][:, None] + fleets).reshape(-1),
            dict(zip(self.wanted, values, strict=True)),
            inf if stop == len(parts) else float(parts.level[stop] // parts.steps * parts.cheapest) / HUNDREDTHS,
        )


def _with_ships(forces: Forces, fleet: Fleet) -> Forces:
    """The forces while these ships fire beside them."""
    return forces.with_ships(fleet) if any(count for _, count in fleet) else forces
