"""Many orders of loss of one side in one backward sweep, if every hit may take any unit: on land, or without
submarines.

Under an order the units of a side stand in a row, the most protected first. The worth of a force depends only on its
units and their order. So orders that agree on the last units share the worth of small forces, and all rows together
form a tree. One level of the tree, all forces of so many hit points, is a vector step for each force of the other side.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.axis.battle import AxisBattle
from solver.axis.chain import AxisChain
from solver.axis.course import fight_mask
from solver.axis.ends import AxisEnds
from solver.axis.kernel.forces import Flags, Forces, Nodes, Take
from solver.axis.kernel.hits import Laws
from solver.axis.kernel.lattice import Lattice
from solver.axis.loss_order import Force, Segment
from solver.axis.opening import opened_forces
from solver.axis.units import Role
from solver.chain import Grid

MOST_NUMBERS = 4_000_000
"""About how many numbers are in memory at once; more rows are taken in parts."""
ONE_THREAD = 200_000
"""Products of matrices with fewer multiplications use one thread: workers that share few processors would wait for each
other most of the time."""

Row = tuple[int, ...]
"""The units of a side by kind, most protected first; spare hits are a kind of their own."""


def can_sweep(battle: AxisBattle) -> bool:
    """Return whether orders can be swept, as any hit may take any unit, up to the end: see `AxisBattle`."""
    segments = (*battle.segments("attack"), *battle.segments("defence"))
    return not (battle.ends_early or battle.kamikaze) and not any(segment.unit.surprise for segment in segments)


def sweep_work(chain: AxisChain, role: Role, rows: int) -> float:
    """Return about how much work it is to sweep so many orders of a side, in the unit of `Meter`.

    Args:
        chain: The chain of the battle.
        role: The role of the side.
        rows: The number of orders.
    """
    mine, other = chain.attack, chain.defence
    if role == "defence":
        mine, other = other, mine
    cells = (1 + int(mine.rank.max(initial=0))) * len(other.nodes)
    trees: int = chain.opening.shape[1 if role == "attack" else 2]
    return cells * (2_000 + 2 * rows * trees * (1 + int(mine.rank.max(initial=0)) + len(other.nodes)))


def sweep_orders(battle: AxisBattle, role: Role, orders: Sequence[tuple[Segment, ...]]) -> npt.NDArray[np.float64]:
    """Return the attacker's chance to win and expected profit in money under each order of a side: [order, 2].

    Args:
        battle: The battle.
        role: The role of the side.
        orders: The orders as `AxisBattle.segments` returns them, all with the same units.
    """
    sweep = _Sweep(battle, role)
    worth = np.empty((len(orders), 2))
    if not orders:
        return worth
    others = len(sweep.other.nodes)
    per_row = 4 * others * (sum(segment.units for segment in orders[0]) + others) * len(sweep.starts)
    at_once = max(MOST_NUMBERS // per_row, 1)
    for first in range(0, len(orders), at_once):
        worth[first : first + at_once] = sweep.worth(orders[first : first + at_once])
    return worth


class _Level(NamedTuple):
    """The forces of so many hit points.

    Attributes:
        parents: The force of the level below from which each one grows.
        counts: The units of each kind in each force: [force, kind].
    """

    parents: Nodes
    counts: Nodes


class _Sweep:
    """A battle against a side whose order stays.

    Attributes:
        other: The forces of that side.
        starts: The probability of each force that the opening leaves this side and the other: [own, other].
    """

    def __init__(self, battle: AxisBattle, role: Role) -> None:
        self.battle, self.role = battle, role
        self.chain = AxisChain(battle)
        self.starts = self.chain.opening[0] if role == "attack" else self.chain.opening[0].T
        self.other: Lattice = self.chain.defence if role == "attack" else self.chain.attack
        segments = battle.segments(role)
        kinds = dict.fromkeys((segment.unit, segment.spare) for segment in segments)
        totals = [sum(part.units for part in segments if (part.unit, part.spare) == kind) for kind in kinds]
        self.kinds = [Segment(unit, total, spare) for (unit, spare), total in zip(kinds, totals, strict=True)]
        self.taken = self.other.nodes_after(Take("any"), len(self.other.nodes))
        ships = self.chain.attack.with_ships(battle.ships)
        self.first = ships.laws("all") if role == "defence" else self.other.laws("all")

    def worth(self, orders: Sequence[tuple[Segment, ...]]) -> npt.NDArray[np.float64]:
        """The chance and the profit of the battle under each order: [order, 2]."""
        places = {(kind.unit, kind.spare): place for place, kind in enumerate(self.kinds)}
        starts = []
        for order in orders:
            opened = opened_forces(self.battle, self.role, order, self.chain.sizes)
            kinds = [places[segment.unit, segment.spare] for segment in order]
            starts.append([_row_of(kinds, force) for force in opened])
        known = self._worth_by_row({row for rows in starts for row in rows})
        return np.array([sum(law @ known[row] for law, row in zip(self.starts, rows, strict=True)) for rows in starts])

    def _worth_by_row(self, rows: set[Row]) -> dict[Row, Grid]:
        """The chance and the profit of the battle with each row of units: [start of the other side, 2]."""
        known: dict[Row, Grid] = {}
        values = self._empty()
        history = np.empty((0, *values.shape))
        for depth, (level, ending) in enumerate(_levels(rows, len(self.kinds))):
            if depth:
                history = np.concatenate([history, values[None]])[:, level.parents]
                values = self._worth_of_round(self._forces(level.counts), history)
            if ending:
                nodes = list(ending.values())
                whole = np.concatenate([history, values[None]])[:, nodes]
                known |= zip(ending, self._worth_of_start(self._forces(level.counts[nodes]), whole), strict=True)
        return known

    # Cells -----------------------------------------------------------------------------------------------

    def _forces(self, counts: Nodes) -> Forces:
        """The forces with these units, none of them gone."""
        return Forces(self.kinds, self.role, self.battle.unit_dice, counts, np.zeros_like(counts))

    def _sides(self, forces: Forces) -> tuple[Forces, Forces, Nodes, Nodes]:
        """Attackers, defenders, and an index of the pairs that meet: [force, force of the other side]."""
        mine, theirs = np.ogrid[: len(forces.active), : len(self.other.nodes)]
        return (forces, self.other, mine, theirs) if self.role == "attack" else (self.other, forces, theirs, mine)

    def _pays(self, forces: Forces) -> Grid:
        """The payoff of an end in each cell: [force, force of the other side, 2]."""
        attack, defence, rows, columns = self._sides(forces)
        ends = AxisEnds(self.battle, attack, defence, rows, columns)
        gains = ends.gains(self.battle.deadzone, self.battle.territory_value)
        profit = ends.defender_loss - ends.attacker_loss + gains
        return np.stack(np.broadcast_arrays(ends.wins.astype(float), profit), axis=-1)

    def _empty(self) -> Grid:
        """The worth of the side without any units."""
        return self._pays(self._forces(np.zeros((1, len(self.kinds)), np.int64)))

    def _worth_of_round(self, forces: Forces, history: Grid) -> Grid:
        """The worth of all forces of a level, from the worth of the forces they can become: `history` is [rank, force,
        ..].
        """
        values, fights = self._pays(forces), fight_mask(*self._sides(forces))
        theirs = self.other.laws("all")
        hits = self._hits(forces.laws("all"))
        worth = np.einsum("bmn,mbnp->bmp", hits, self._worth_after_losses(history, theirs[:, 1:]))
        # A sum of chances to leave, never 1 minus the chance to stay.
        strikes = theirs[:, 1:].sum(axis=1)
        for node in np.flatnonzero(fights.any(axis=0)).tolist():
            # Losses lead to forces with a lower node.
            weaker, here = hits[:, node, None, :node], fights[:, node]
            gains = worth[:, node] + theirs[node, 0] * np.matmul(weaker, values[:, :node])[:, 0]
            leaves = weaker[:, 0].sum(axis=1) + hits[:, node, node] * strikes[node]
            values[here, node] = gains[here] / leaves[here, None]
        return values

    def _worth_after_losses(self, history: Grid, laws: Laws) -> Grid:
        """The worth after losses to each force of the other side: [that force, force, force of the other side, 2].

        `laws[i, k]` is the probability of losses that leave the last but k of the history. Its first entry, the empty
        force, also remains after further losses.
        """
        depth = len(history)
        some = min(depth, laws.shape[1])
        capped = np.zeros((len(laws), depth))
        capped[:, depth - some :] = laws[:, :some][:, ::-1]
        if depth:
            capped[:, 0] += laws[:, depth:].sum(axis=1)
        columns = history.reshape(depth, int(np.prod(history.shape[1:])))
        worth = np.empty((len(laws), columns.shape[1]))
        width = max(ONE_THREAD // max(capped.size, 1), 1)
        for first in range(0, columns.shape[1], width):
            worth[:, first : first + width] = capped @ columns[:, first : first + width]
        return worth.reshape(len(laws), *history.shape[1:])

    def _hits(self, laws: Laws) -> Grid:
        """The probability that hits by such laws turn a force of the other side into another: [law, force, other]."""
        nodes = np.arange(len(self.other.nodes))
        hits = np.zeros((len(laws), len(nodes), len(nodes)))
        for count in range(laws.shape[1]):
            hits[:, nodes, self.taken[:, min(count, self.taken.shape[1] - 1)]] += laws[:, count, None]
        return hits

    # The start -------------------------------------------------------------------------------------------

    def _worth_of_start(self, forces: Forces, whole: Grid) -> Grid:
        """The worth of battles that begin with these forces, from the first round on: [force, other's start, 2]."""
        nodes = self._start_nodes()
        values = whole[-1][:, nodes]
        if self.role == "defence" and self.chain.swept[0]:
            # Ships alone destroy guns that are alone; entry 0 of the history is the empty force.
            return np.asarray(np.broadcast_to(whole[0][:, nodes], values.shape))
        if not self.battle.ships:
            return np.asarray(values)
        laws = (forces.with_ships(self.battle.ships) if self.role == "attack" else forces).laws("all")
        worth = np.einsum("bmn,mbnp->bmp", self._hits(laws), self._worth_after_losses(whole, self.first))
        fights = self._first_round_mask(forces)[:, nodes]
        values[fights] = worth[:, nodes][fights]
        return np.asarray(values)

    def _start_nodes(self) -> Nodes:
        """The forces with which the other side may begin."""
        return np.asarray(self.chain.opened[0] if self.role == "attack" else self.chain.rows)

    def _first_round_mask(self, forces: Forces) -> Flags:
        """Whether there is a first round: ships fire in it even if nobody else attacks."""
        attack, defence, rows, columns = self._sides(forces)
        there = (defence.alive & ~defence.helpless)[columns] | fight_mask(attack, defence, rows, columns)
        return np.broadcast_to(there, (len(forces.active), len(self.other.nodes)))


def _row_of(kinds: Sequence[int], force: Force) -> Row:
    """The units of a force, most protected first; `kinds` has the kind of each segment."""
    pairs = zip(reversed(kinds), reversed(force.active), strict=True)
    return tuple([kind for kind, count in pairs for _ in range(count)])


def _levels(rows: set[Row], kinds: int) -> Iterator[tuple[_Level, dict[Row, int]]]:
    """The tree of the rows, level by level from the empty force on, and the rows that end at forces of each level."""
    growing = [(row, 0) for row in sorted(rows)]
    level = _Level(np.zeros(1, np.int64), np.zeros((1, kinds), np.int64))
    depth = 0
    while growing:
        yield level, {row: node for row, node in growing if len(row) == depth}
        nodes: dict[tuple[int, int], int] = {}
        growing = [(row, nodes.setdefault((node, row[depth]), len(nodes))) for row, node in growing if len(row) > depth]
        parents, added = (np.array([key[part] for key in nodes], np.int64) for part in (0, 1))
        counts = level.counts[parents]
        counts[np.arange(len(counts)), added] += 1
        level, depth = _Level(parents, counts), depth + 1
