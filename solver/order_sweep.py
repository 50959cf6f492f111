"""Many orders of loss of one side in one backward sweep, where every hit may take anybody: land, and sea without subs.

Under an order the forces of a side stand in a row, the strongest last. What a force is worth depends on the units in it
and on the order among them alone; so orders that agree on who is lost last share the worth of their small forces, and
all rows together are a tree. One level of the tree, all forces of so many hit points, is a vector step for each force
of the other side.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.axis import AxisBattle
from solver.axis_chain import AxisChain
from solver.chain import Grid
from solver.clashes import fighting, helpless
from solver.forces import Flags, Forces, Lattice, Nodes, Segment, Take
from solver.hits import Laws
from solver.plans import Ends
from solver.units import Role

MOST_NUMBERS = 4_000_000
"""About how many numbers may be in memory at once; where there are more, the rows are taken in parts."""
ONE_THREAD = 200_000
"""Products of matrices with fewer multiplications are done by one thread: with several, workers that share few
processors wait for each other most of the time."""

Row = tuple[int, ...]
"""The units of a side by their kinds, the most protected first; spare hits are a kind of their own."""


def can_sweep(battle: AxisBattle) -> bool:
    """Whether any hit may take anybody, and the battle is fought to the end."""
    segments = (*battle.segments("attack"), *battle.segments("defence"))
    return not battle.ends_early and not any(segment.unit.surprise for segment in segments)


def sweep_work(chain: AxisChain, role: Role, rows: int) -> float:
    """About how many steps, as the engine counts them, it takes to sweep so many orders of a side."""
    mine, other = chain.attack, chain.defence
    if role == "defence":
        mine, other = other, mine
    cells = (1 + int(mine.rank.max(initial=0))) * len(other.nodes)
    trees = len(chain.volleys[0]) if role == "attack" else 1
    return cells * (2_000 + 2 * rows * trees * (1 + int(mine.rank.max(initial=0)) + len(other.nodes)))


def swept(battle: AxisBattle, role: Role, orders: Sequence[tuple[Segment, ...]]) -> npt.NDArray[np.float64]:
    """The attacker's chance to win and its profit on average under each order of a side: [order, 2].

    The orders are given as `AxisBattle.segments` tells them, with the same units each.
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
    """The forces of so many hit points: their parents in the level below, and who stands before these."""

    parents: Nodes
    counts: Nodes


class _Sweep:
    """A battle against one side, `other`, whose order stays as it is.

    `starts` are how likely it is that so many of the attacker's planes are lost before the battle. [0] of what a cell
    pays is the chance to win, [1] the profit.
    """

    def __init__(self, battle: AxisBattle, role: Role) -> None:
        self.battle, self.role = battle, role
        self.chain = AxisChain(battle)
        self.starts = self.chain.volleys[0]
        self.other: Lattice = self.chain.defence if role == "attack" else self.chain.attack
        segments = battle.segments(role)
        kinds = dict.fromkeys((segment.unit, segment.spare) for segment in segments)
        totals = [sum(one.units for one in segments if (one.unit, one.spare) == kind) for kind in kinds]
        self.kinds = [Segment(unit, total, spare) for (unit, spare), total in zip(kinds, totals, strict=True)]
        self.taken = self.other.taken(Take("any"), len(self.other.nodes))
        ships = self.chain.attack.with_ships(battle.ships)
        self.first = ships.laws("all") if role == "defence" else self.other.laws("all")

    def worth(self, orders: Sequence[tuple[Segment, ...]]) -> npt.NDArray[np.float64]:
        """What the start is worth under each order."""
        places = {(kind.unit, kind.spare): place for place, kind in enumerate(self.kinds)}
        whole = [
            tuple(places[one.unit, one.spare] for one in reversed(order) for _ in range(one.units)) for order in orders
        ]
        planes = {place for place, kind in enumerate(self.kinds) if kind.unit.kind == "air"}
        ours = self.role == "attack"
        starts = [[_without(row, planes, lost if ours else 0) for row in whole] for lost in range(len(self.starts))]
        known = self._known({row for rows in starts for row in rows})
        return np.asarray(
            sum(
                chance * np.array([known[row][0 if ours else lost] for row in rows])
                for lost, (chance, rows) in enumerate(zip(self.starts, starts, strict=True))
            )
        )

    def _known(self, rows: set[Row]) -> dict[Row, Grid]:
        """What the start is worth with each row of units: [start of the other side, what]."""
        known: dict[Row, Grid] = {}
        values = self._empty()
        history = np.empty((0, *values.shape))
        for depth, (level, ending) in enumerate(_levels(rows, len(self.kinds))):
            if depth:
                history = np.concatenate([history, values[None]])[:, level.parents]
                values = self._fought(self._forces(level.counts), history)
            if ending:
                nodes = list(ending.values())
                whole = np.concatenate([history, values[None]])[:, nodes]
                known |= zip(ending, self._started(self._forces(level.counts[nodes]), whole), strict=True)
        return known

    # Cells -----------------------------------------------------------------------------------------------

    def _forces(self, counts: Nodes) -> Forces:
        return Forces(self.kinds, self.role, self.battle.dice, counts, np.zeros_like(counts))

    def _sides(self, forces: Forces) -> tuple[Forces, Forces, Nodes, Nodes]:
        """Attackers and defenders, and which of them meet: [force, force of the other side]."""
        mine, theirs = np.ogrid[: len(forces.active), : len(self.other.nodes)]
        return (forces, self.other, mine, theirs) if self.role == "attack" else (self.other, forces, theirs, mine)

    def _pays(self, forces: Forces) -> Grid:
        """What it pays to end in each cell: [force, force of the other side, what]."""
        attack, defence, rows, columns = self._sides(forces)
        ends = Ends(self.battle, attack, defence, rows, columns)
        gains = ends.gains(self.battle.deadzone, self.battle.territory_value)
        profit = ends.defender_loss - ends.attacker_loss + gains
        return np.stack(np.broadcast_arrays(ends.wins.astype(float), profit), axis=-1)

    def _empty(self) -> Grid:
        """What the side without any units is worth."""
        return self._pays(self._forces(np.zeros((1, len(self.kinds)), np.int64)))

    def _fought(self, forces: Forces, history: Grid) -> Grid:
        """What all forces of a level are worth; `history` is what those are that they can become: [rank, force, ..]."""
        values, fights = self._pays(forces), fighting(*self._sides(forces))
        theirs = self.other.laws("all")
        hits = self._hits(forces.laws("all"))
        worth = np.einsum("bmn,mbnp->bmp", hits, self._losing(history, theirs[:, 1:]))
        # Never 1 less the chance to stay: sums of chances to leave.
        strikes = theirs[:, 1:].sum(axis=1)
        for node in np.flatnonzero(fights.any(axis=0)).tolist():
            # Losses come to forces that stand before this one.
            weaker, here = hits[:, node, None, :node], fights[:, node]
            gains = worth[:, node] + theirs[node, 0] * np.matmul(weaker, values[:, :node])[:, 0]
            leaves = weaker[:, 0].sum(axis=1) + hits[:, node, node] * strikes[node]
            values[here, node] = gains[here] / leaves[here, None]
        return values

    def _losing(self, history: Grid, laws: Laws) -> Grid:
        """The worth after losses to each force of the other side: [that force, force, what that has become, what].

        `laws[i, k]` is the chance that these are such that the last but k of the history remains; the first of it, the
        empty force, also remains after all further ones.
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
        """How likely hits by such laws make one force of the other side another: [law, force, force after]."""
        nodes = np.arange(len(self.other.nodes))
        hits = np.zeros((len(laws), len(nodes), len(nodes)))
        for count in range(laws.shape[1]):
            hits[:, nodes, self.taken[:, min(count, self.taken.shape[1] - 1)]] += laws[:, count, None]
        return hits

    # The start -------------------------------------------------------------------------------------------

    def _started(self, forces: Forces, whole: Grid) -> Grid:
        """What battles that begin with these forces are worth, first round and all: [force, other's start, what]."""
        nodes = self._begins()
        values = whole[-1][:, nodes]
        if not self.battle.ships:
            return np.asarray(values)
        laws = (forces.with_ships(self.battle.ships) if self.role == "attack" else forces).laws("all")
        worth = np.einsum("bmn,mbnp->bmp", self._hits(laws), self._losing(whole, self.first))
        fights = self._fights_first(forces)[:, nodes]
        values[fights] = worth[:, nodes][fights]
        if self.role == "defence" and self.battle.ruling > 1:
            # Ships alone destroy guns that are alone; the first of all that the defender can become is nobody.
            destroyed = helpless(forces)[:, None] & ~self.other.alive[nodes]
            values[destroyed] = whole[0][:, nodes][destroyed]
        return np.asarray(values)

    def _begins(self) -> Nodes:
        """The forces that the other side may begin with."""
        return np.array(self.chain.columns) if self.role == "attack" else self.chain.attack.node_of(self.chain.roots)

    def _fights_first(self, forces: Forces) -> Flags:
        """Where there is a first round, in which ships fire: also where nobody else attacks."""
        attack, defence, rows, columns = self._sides(forces)
        there = (defence.alive & ~helpless(defence))[columns] | fighting(attack, defence, rows, columns)
        return np.broadcast_to(there, (len(forces.active), len(self.other.nodes)))


def _without(row: Row, planes: set[int], lost: int) -> Row:
    """The row once so many planes are lost."""
    left = list(row)
    for _ in range(lost):
        del left[max(place for place, kind in enumerate(left) if kind in planes)]
    return tuple(left)


def _levels(rows: set[Row], kinds: int) -> Iterator[tuple[_Level, dict[Row, int]]]:
    """The tree that rows are, level by level from the empty force on, and which rows end at which of its forces."""
    growing = [(row, 0) for row in sorted(rows)]
    level = _Level(np.zeros(1, np.int64), np.zeros((1, kinds), np.int64))
    depth = 0
    while growing:
        yield level, {row: node for row, node in growing if len(row) == depth}
        found: dict[tuple[int, int], int] = {}
        growing = [(row, found.setdefault((node, row[depth]), len(found))) for row, node in growing if len(row) > depth]
        parents, added = (np.array([key[part] for key in found], np.int64) for part in (0, 1))
        counts = level.counts[parents]
        counts[np.arange(len(counts)), added] += 1
        level, depth = _Level(parents, counts), depth + 1
