"""The Markov chain of an Axis & Allies battle: the forces of both sides, the cells where they meet, and the kernels."""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property, partial
from math import inf
from typing import Any

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.course import dives_late, few_are_left, fight_mask, leaves_field, round_reaches, submerge_masks
from solver.axis.kernel.compiled import product_kernel
from solver.axis.kernel.forces import Flags, Nodes, Take, can_leave, destroyed_force, withdraw
from solver.axis.kernel.ground import Ground, Meeting
from solver.axis.kernel.kinds import Kinds, keeps_destroyer
from solver.axis.kernel.lattice import Lattice, Leaving, find_lattice
from solver.axis.kernel.levels import LevelKernel
from solver.axis.kernel.meetings import Meetings, sub_places
from solver.axis.kernel.product import ProductKernel
from solver.axis.loss_order import Force, Segment
from solver.axis.opening import find_opening
from solver.axis.sides import EVERYBODY, STAYS, Ruling, Units
from solver.axis.units import Role
from solver.chain import Grid, Mask
from solver.compiled import library
from solver.progress import Meter

DOUBLED = 3
"""Forces stand on lines unless the lines have more than so many times as many places as there are forces."""

MOST_NUMBERS = 12_000_000
"""About how many numbers a chain may have in memory, where work is limited."""

AxisKernel = ProductKernel | LevelKernel


class AxisChain:
    """The chain of a battle. Its rows are the attacker's forces, its columns the defender's.

    Attributes:
        attack: The attacker's forces.
        defence: The defender's forces.
        rows: The nodes with which the attacker may come to the first round; that of all units first.
        columns: The nodes with which the defender may begin, before the opening.
        opened: The nodes that the opening may leave of each of these: [start, place].
        opening: The probability of each pair of nodes after the opening: [start, row, place].
        sizes: See `Opening`.
        meter: Counts the work.
        eps: Probability in a cell that is no longer followed. Set it before the chain is solved.
        trim: Whether numbers of hits with next to no chance are left out. Set it before the chain is solved.

    Args:
        battle: The battle.
        limit: The most work that solving it may take, in the unit of `Meter`.
        chances: Sets of units with which the defender may begin, each with its probability; None for the battle's own.

    Raises:
        TooLargeError: If a side has too many forces.
    """

    def __init__(self, battle: AxisBattle, limit: float = inf, chances: Mapping[Units, float] | None = None) -> None:
        self.battle, self.meter = battle, Meter(limit)
        self.eps, self.trim = 0.0, False
        self.chances = {battle.defender.units: 1.0} if chances is None else dict(chances)
        ours = battle.segments("attack")
        theirs, (whole, *forces) = battle.line_up([battle.defender.units, *self.chances])
        self.segments = ours, theirs
        self.roots, opened, self.opening, self.sizes = find_opening(battle, ours, theirs, forces)
        takes = self.find_takes(theirs, ours, 0), self.find_takes(ours, theirs, 1)
        self.attack = find_lattice(ours, "attack", battle.unit_dice, self.roots, takes[0], self.find_leaving(0))
        if self.opening.shape[2] > 1:
            forces += [force for columns in opened for force in columns]
        self.defence = find_lattice(theirs, "defence", battle.unit_dice, forces, takes[1], self.find_leaving(1), whole)
        self.rows, self.columns = self.attack.starts, self.defence.starts[: len(opened)]
        self.opened = self.defence.starts[-self.opening[:, 0].size :].reshape(len(opened), -1)

    @property
    def numbers(self) -> int:
        """About how many numbers are in memory at once while it is solved."""
        grids = (2 + self.kinds.layers) * (3 if self.battle.retreat.plans else 1)
        cells = self.cells * grids
        for side, other in ((self.attack, self.defence), (self.defence, self.attack)):
            hits = min(1 + other.most_dice, int(side.rank.max(initial=0)))
            cells += len(side) * (3 * (1 + side.most_dice) + hits)
        return cells

    # Setting up ------------------------------------------------------------------------------------------

    def find_takes(self, shooters: tuple[Segment, ...], targets: tuple[Segment, ...], side: int) -> list[Take]:
        """Return the reaches that hits on a side can have.

        Args:
            shooters: The units of the other side.
            targets: The units of the side.
            side: 0 for the attacker, 1 for the defender.
        """
        takes = [Take(reach) for reach in round_reaches(shooters, targets)]
        if keeps_destroyer(self.battle, side, shooters):
            takes += [take._replace(keep=True) for take in takes]
        return takes

    def find_leaving(self, side: int) -> Leaving | None:
        """Return the units of a side that can leave; None if nobody can.

        Args:
            side: 0 for the attacker, 1 for the defender.
        """
        segments = self.segments[side]
        landed, others = _landed_places(segments)
        if side == 1 and self.battle.defender_retreat:
            units = frozenset(place for place, segment in enumerate(segments) if leaves_field(segment.unit))
            return Leaving(frozenset(), units, units)
        subs = sub_places(segments) if self.battle.submerge[side] and self.battle.theatre == "sea" else set()
        others = others if side == 0 and landed and self.battle.ends_early else set()
        most = self.battle.submerge[side] or EVERYBODY
        return Leaving(frozenset(subs), frozenset(others), frozenset(landed), most) if subs or others else None

    @property
    def attackers_leave(self) -> bool:
        """Whether some of the attackers may leave while others fight on."""
        return self.find_leaving(0) is not None

    # The cells -------------------------------------------------------------------------------------------

    @cached_property
    def kinds(self) -> Kinds:
        """The kinds of all forces."""
        return Kinds(self.battle, self.attack, self.defence)

    @property
    def on_lines(self) -> bool:
        """Whether forces stand on lines, that is all hits take the next unit, and few lines run together.

        Then the kernel is a `LevelKernel`, which takes several battles at once. It is there in compiled code alone.
        """
        if not library.library():
            return False
        lines = self.attack.lines, self.defence.lines
        return lines[0] is not None and lines[1] is not None and lines[0].size * lines[1].size <= DOUBLED * self.cells

    @property
    def cells(self) -> int:
        """The number of cells: pairs of forces."""
        return len(self.attack) * len(self.defence)

    @property
    def overruns(self) -> Mask:
        """Whether helpless defenders are destroyed: [row, column]."""
        return self.attack.alive[:, None] & self.defence.helpless[None, :]

    @cached_property
    def fights(self) -> Mask:
        """Whether there is a next round, or submarines submerge: [row, column]."""
        return self._meets & ~self.leaves if self._may_leave else self._meets

    @cached_property
    def leaves(self) -> Mask:
        """Whether the defender leaves after a round because few are left: [row, column]. Nobody fights there then."""
        if not self._may_leave:
            return np.zeros((len(self.attack), len(self.defence)), bool)
        return np.asarray(self._meets & ~self.submerges & few_are_left(self.battle, self.defence))

    @property
    def _may_leave(self) -> bool:
        """Whether the defender may leave."""
        return bool(self.battle.defender_retreat)

    @cached_property
    def left(self) -> Nodes:
        """The force that each of the defender's forces becomes if it leaves: [column]."""
        units = [place for place, segment in enumerate(self.segments[1]) if leaves_field(segment.unit)]
        return self.defence.nodes_of(withdraw(force, units) for force in self.defence.nodes)

    def leave(self, law: Grid, where: Mask) -> None:
        """Let the defender leave in some cells, or do nothing if no defender ever leaves.

        Args:
            law: The probability of each cell, [row, column], with more rows if the kernel has layers.
            where: Whether the defender leaves: [row, column].
        """
        if self._may_leave:
            rows, columns = np.nonzero(where)
            moved = law[rows, columns].copy()
            law[rows, columns] = 0
            np.add.at(law, (rows, self.left[columns]), moved)

    def ends_after(self, stops: Mask) -> tuple[Nodes, Nodes]:
        """Return the row and the column in which each cell ends where nobody fights on: [row, column].

        Args:
            stops: Whether the attacker stops: [row, column].
        """
        rows, columns = np.broadcast_arrays(*self._every_cell)
        if not self._may_leave:
            return rows, columns
        # Where all attackers stop, the defender stays; where landed ones can't and fight on, it leaves.
        stay = stops & (self.stays[:, None] != rows)
        leaves = self.leaves & (stay | ~stops)
        return np.where(leaves & stay, self.stays[:, None], rows), np.where(leaves, self.left[None], columns)

    @cached_property
    def _meets(self) -> Mask:
        """Whether both sides could fight, or submarines submerge: [row, column]."""
        if self._can_all_hit:
            return np.logical_and.outer(self.attack.alive, self.defence.alive & ~self.defence.helpless)
        return fight_mask(self.attack, self.defence, *self._every_cell) | self.submerges

    @property
    def _can_all_hit(self) -> bool:
        """Whether every unit of the attacker can hit every unit of the defender, and no submarine is there."""
        units = [segment.unit for side in self.segments for segment in side]
        strong = all(segment.unit.attack for segment in self.segments[0])
        return strong and not any(unit.surprise for unit in units)

    @cached_property
    def submerges(self) -> Mask:
        """Whether submarines submerge, before anything else happens: [row, column]."""
        if not any(self.battle.submerge):
            return np.zeros((len(self.attack), len(self.defence)), bool)
        ours, theirs = submerge_masks(self.battle, self.attack, self.defence, *self._every_cell)
        return ours | theirs

    @property
    def _every_cell(self) -> tuple[Nodes, Nodes]:
        """The rows and the columns of all cells, in a shape in which they broadcast."""
        return np.arange(len(self.attack))[:, None], np.arange(len(self.defence))[None]

    @cached_property
    def stays(self) -> Nodes:
        """The force that stays behind when each of the attacker's forces retreats; itself if all or none can leave:
        [row].
        """
        landed, others = _landed_places(self.attack.segments)
        nodes = np.arange(len(self.attack))
        if not landed or not self.battle.ends_early:
            return nodes
        for node, force in enumerate(self.attack.nodes):
            if any(force.active[place] for place in landed) and any(force.active[place] for place in others):
                nodes[node] = self.attack.place[withdraw(force, others)]
        return nodes

    @cached_property
    def can_retreat(self) -> Flags:
        """Which of the attacker's forces have a unit that can retreat: [row]."""
        landed = self.attack.count(lambda unit: unit.amphibious)
        if not landed.any() or not self.battle.ends_early:
            return self.attack.alive
        return self.attack.count(can_leave) > 0

    # Kernels ---------------------------------------------------------------------------------------------

    def kernel(self) -> AxisKernel:
        """Return the kernel of this battle."""
        kernel = copy(self._usual_kernel)
        kernel.eps = self.eps
        return kernel

    @cached_property
    def _usual_kernel(self) -> AxisKernel:
        """The kernel of all rounds but the first, made once."""
        return self._kernel(self.attack, self.fights)

    def bombardment_kernel(self) -> AxisKernel:
        """Return the kernel of a first round in which the ships fire too, and before which nobody leaves too early."""
        if dives_late(self.battle) or self._may_leave:
            return self.at_first.bombardment_kernel()
        if not self.battle.ships:
            return self.kernel()
        roots = np.zeros(len(self.attack), bool)
        roots[self.rows] = True
        fights = self.fights | (roots[:, None] & self.defence.alive[None, :] & ~self.defence.helpless[None, :])
        return self._kernel(self.attack.with_ships(self.battle.ships), fights)

    @property
    def at_first(self) -> "AxisChain":
        """The chain before the first round, of the same forces: without those who may leave only after one."""
        chain = copy(self)
        submerge = (0, 0) if dives_late(self.battle) else self.battle.submerge
        chain.battle = replace(self.battle, submerge=submerge, defender_retreat=STAYS)
        for name in ("kinds", "fights", "leaves", "_meets", "submerges", "_usual_kernel"):
            chain.__dict__.pop(name, None)
        return chain

    def _kernel(self, attack: Lattice, fights: Mask) -> AxisKernel:
        """The kernel of a round in which these attackers fire, ships beside them included."""
        if self.on_lines:
            return LevelKernel(attack, self.defence, fights, self.trim, self.eps, self.meter)
        return product_kernel(self._ground(attack, fights), self.eps)

    def _ground(self, attack: Lattice, fights: Mask) -> Ground:
        """The cells of a round in which these attackers fire."""
        moves = self.stays if (self.stays != np.arange(len(self.stays))).any() else None
        return Ground(
            (len(attack), len(self.defence)),
            self.kinds.rows,
            self.kinds.columns,
            Meetings(self.kinds, attack, self.defence, self.trim, self.meter).meeting,
            self.kinds.layers,
            fights,
            moves,
            self.meter,
        )

    def with_roots(
        self, role: Role, roots: Sequence[Force], order: tuple[Segment, ...] | None = None, whole: Force | None = None
    ) -> "AxisChain":
        """Return the chain of the same battle, where one side may begin with any of these forces.

        It has no start of its own: see `begin`.

        Args:
            role: The role of that side.
            roots: The forces that it may begin with.
            order: Another order of loss of that side, of which these are forces; None for the chain's own.
            whole: The force against which losses are counted; None for all units of the chain's order, or with another
                order for the first force.
        """
        chain, side = copy(self), 0 if role == "attack" else 1
        chain.__dict__.pop("kinds", None)
        if order is not None:
            chain.segments = (order, self.segments[1]) if role == "attack" else (self.segments[0], order)
            whole = whole or roots[0]
        shooters, targets = chain.segments[1 - side], chain.segments[side]
        takes, leave = self.find_takes(shooters, targets, side), chain.find_leaving(side)
        lattice = find_lattice(targets, role, self.battle.unit_dice, roots, takes, leave, whole)
        if role == "attack":
            chain.attack, chain.rows = lattice, lattice.starts
        else:
            chain.defence = lattice
        return chain

    def kernel_with_rows(self, role: Role) -> ProductKernel:
        """Return the kernel of this battle at sea with the forces of one side in its rows: see `Role`."""
        ground = self._ground(self.attack, self.fights)
        if role == "attack":
            return product_kernel(ground, self.eps)
        sizes, fights = (len(self.defence), len(self.attack)), np.ascontiguousarray(self.fights.T)
        meeting = partial(_swap_sides, ground.meeting)
        kinds = self.kinds.columns, self.kinds.rows
        turned = Ground(sizes, *kinds, meeting, ground.layers, fights, None, self.meter)
        return product_kernel(turned)

    # The start -------------------------------------------------------------------------------------------

    @property
    def row(self) -> int:
        """The node of the attacker's force before the first shot."""
        return int(self.rows[0])

    def begin(self, law: Grid, starts: Sequence[float] | Grid) -> None:
        """Put the forces that the opening leaves into a grid.

        Args:
            law: The grid, [row, column], or [battle, row, column] for several battles.
            starts: The probability of each force with which the defender may begin: [start], or [battle, start].
        """
        each, opened = np.asarray(starts), self.opened
        if self.swept.any():
            opened = np.where(self.swept[:, None], self._destroyed[opened], opened)
        where: Any = (..., self.rows[:, None], opened[:, None])
        np.add.at(law, where, each[..., None, None] * self.opening)

    @property
    def swept(self) -> Flags:
        """Whether nobody attacks but ships, which destroy guns that are alone: [start]."""
        sweeps = bool(self.battle.fleet) and self.battle.ruling >= Ruling.HELPLESS_FALL
        return np.asarray(self.defence.helpless[self.columns] & (sweeps and not self.attack.alive[self.row]))

    @property
    def _destroyed(self) -> Nodes:
        """The force that each of the defender's forces becomes if it is destroyed: [column]."""
        return self.defence.nodes_of(map(destroyed_force, self.defence.nodes))


def _swap_sides(meeting: Callable[[int, int], Meeting], row: int, column: int) -> Meeting:
    """The meeting of two kinds of forces, with the defender's forces in the rows."""
    strike, layer, salvos, quiet = meeting(column, row)
    swapped = tuple(salvo and salvo[::-1] for salvo in salvos)
    return Meeting(strike and strike[::-1], layer, swapped, quiet and quiet[::-1])


def _landed_places(segments: tuple[Segment, ...]) -> tuple[set[int], set[int]]:
    """The places of units landed from the sea, and of all others."""
    landed = {place for place, segment in enumerate(segments) if segment.unit.amphibious}
    return landed, set(range(len(segments))) - landed
