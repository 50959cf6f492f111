"""Every part of one side's fleet where submarines are about: the order of hits is a rule then, and rounds have phases.

All parts begin on one lattice, that of all forces that any of them can come to, and the kernel of a single battle
(solver/product.py) goes through it backward, with the parts in its rows whichever side they are of.
"""

from collections.abc import Sequence
from copy import copy
from typing import TypeVar

import numpy as np

from solver.axis import AxisBattle
from solver.axis_chain import AxisChain
from solver.axis_sweep import Payoff, payoff, planned_by
from solver.chain import Grid, Mask, backward
from solver.forces import Nodes
from solver.parts import Parts, PartsOdds, Values, Wanted, check_numbers
from solver.plans import SAME, Ends, next_round_stops
from solver.units import Role

Cells = TypeVar("Cells", Grid, Mask)

A_ROOT, A_PAIR = 20_000.0, 0.2
"""About how much work it is to find out what a part can be reduced to, and to weigh what two forces of the other side
are worth against it, in the unit of `Meter`; beside what the kernel counts."""


def fleets_odds(battle: AxisBattle, role: Role, wanted: Sequence[Wanted], most: float) -> PartsOdds:
    """The odds of a battle at sea with every part of one side's fleet; TooLargeError where that is more work."""
    parts = Parts(battle, role)
    values = _Fleets(battle, role, parts, most).values(wanted)
    side = battle.attacker if role == "attack" else battle.defender
    names = tuple(name for name, _ in side.units)
    counted = [place for place, segment in enumerate(parts.kinds) if not segment.spare]
    order = [next(place for place in counted if parts.kinds[place].unit.name == name) for name in names]
    return PartsOdds(names, parts.counts[parts.whole][:, order], parts.cost[parts.whole], values)


class _Fleets:
    """The cells of all parts: rows are the forces of the side with the parts, columns those of the other."""

    def __init__(self, battle: AxisBattle, role: Role, parts: Parts, most: float) -> None:
        self.battle, self.role, self.plans = battle, role, planned_by(battle.retreat)
        roots = parts.forces(parts.whole)
        alone = AxisChain(battle, most)
        alone.meter.add(A_ROOT * len(roots))
        self.chain = chain = alone.among(role, roots)
        check_numbers(chain.numbers)
        own, other = (chain.attack, chain.defence) if role == "attack" else (chain.defence, chain.attack)
        alone.meter.add(A_PAIR * len(own.nodes) * len(other.nodes) ** 2)
        self.kernel = chain.facing(role)
        self.rows, self.column = own.node_of(roots), len(other.nodes) - 1
        self.missing, self.alive = own.whole_cost - parts.cost[parts.whole], own.alive[self.rows]
        cells = np.ogrid[: len(chain.attack.nodes), : len(chain.defence.nodes)]
        self.ends = Ends(battle, chain.attack, chain.defence, *cells)
        self.fights = self.kernel.fights & ~self._facing(chain.dives)  # not those who submerge
        self.rules = self._facing(next_round_stops(battle.retreat, chain.attack, chain.defence))
        self.stops = self.rules & self.fights

    def _facing(self, cells: Cells) -> Cells:
        """Values of cells [attacker, defender] with the side that has the parts first."""
        return cells if self.role == "attack" else np.ascontiguousarray(cells.T)

    def values(self, wanted: Sequence[Wanted]) -> dict[Wanted, Values]:
        """The odds of each part, by name: see `PartsOdds`."""
        battle, plans = self.battle, tuple(name for name, _ in self.plans)
        names: tuple[Payoff, ...] = (*plans, *wanted)
        if battle.round_limit is None:
            worth = self._swept(names)
        else:
            planned = [self._swept(plans)] if plans else []
            worth = np.concatenate([*planned, self._bounded(wanted, battle.round_limit - bool(battle.retreat))])
        if battle.retreat:  # then one round is always fought
            worth = self.kernel.gather(self._layered(worth), worth)
        values = worth[:, self.rows, self.column]
        for name, value in zip(names, values, strict=True):
            if name in ("profit", "planned_profit"):
                # Cells count what is missing of the whole fleet as lost.
                value += self.missing if self.role == "attack" else -self.missing
        if battle.decline_allowed and battle.retreat:
            declined = self._declined(values)
            for name, value in zip(names, values, strict=True):
                value[declined] = self.alive[declined] if name == "survives" else 0
        return dict(zip(wanted, values[len(plans) :], strict=True))

    def _pays(self, names: Sequence[Payoff]) -> Grid:
        """What it pays to end in each cell: [payoff, part, other]."""
        return np.stack([self._facing(payoff(self.ends, name, self.role)) for name in names])

    def _layered(self, worth: Grid) -> Grid:
        """A grid with every layer, these values in the first."""
        grid = np.zeros((len(worth), *self.kernel.empty().shape))
        grid[:, : worth.shape[1]] = worth
        return grid

    def _swept(self, names: Sequence[Payoff]) -> Grid:
        """What cells are worth, with as many rounds as it takes; those in which the attacker stops are noted."""
        pays = self._pays(names)

        def choose(rows: Nodes, columns: Nodes, going: Grid) -> Grid:
            paid, stops = pays[:, rows, columns], self.rules[rows, columns]
            for name, least in self.plans:
                place = names.index(name)
                stops |= going[place] - (paid[place] if name == "planned_profit" else 0) < least - SAME
            stops &= self.fights[rows, columns]
            self.stops[rows, columns] = stops
            return np.where(stops, paid, going)

        kernel = copy(self.kernel)
        kernel.choose = choose if self.battle.retreat else None
        return backward(kernel, self._layered(pays))[:, : pays.shape[1]]

    def _bounded(self, names: Sequence[Payoff], rounds: int) -> Grid:
        """What cells are worth with so many rounds at the most."""
        pays = self._pays(names)
        kernel = self.kernel.stopping(self.stops)
        worth = pays.copy()
        kernel.settle_worth(worth)
        for _ in range(rounds):
            worth = kernel.gather(self._layered(worth), pays)
        return worth

    def _declined(self, planned: Grid) -> Mask:
        """For which parts a rule is satisfied before the first shot."""
        overruns = self._facing(self.chain.overruns) & (self.battle.ruling > 1)
        cells = np.stack([self.fights, self.fights | overruns]).astype(float)
        self.kernel.settle_worth(cells)
        fights, meets = cells[:, self.rows, self.column] > 0
        declined = self.rules[self.rows, self.column] & fights
        for value, (_, least) in zip(planned, self.plans, strict=False):
            declined = declined | ((value < least - SAME) & meets)
        return np.asarray(declined)
