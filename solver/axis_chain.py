"""The chain of an Axis & Allies battle: its two lattices, who fires at whom in every phase, and what happens by itself.

The order of hits at sea is a rule, not a detail: hits of submarines may take no planes, those of planes without a
destroyer no submarines, and hits that may take fewer units are allotted first.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property, partial
from math import inf
from typing import Any

import numpy as np

from solver.axis import AxisBattle
from solver.chain import Grid, Mask
from solver.clashes import antiaircraft_law, antiaircraft_shots, diving, fighting, helpless
from solver.fire import Fire, Stage, Troop
from solver.forces import (
    Flags,
    Force,
    Lattice,
    Nodes,
    Segment,
    Take,
    full,
    is_sub,
    nobody,
    without,
)
from solver.levels import LevelKernel
from solver.product import Ground, Meeting, Meter, ProductKernel
from solver.sides import Units
from solver.units import Role
from solver.volley import Salvo

MANY_CELLS = 30_000
DOUBLED = 3
"""Where the lines of forces are so many times as long as there are forces, it takes less time to have each once."""

AxisKernel = ProductKernel | LevelKernel

Had = tuple[bool, bool]
"""Whether the attacker and the defender had submarines when the round began."""


@dataclass(frozen=True)
class Flagged:
    """What of a kind of force decides how it fights: destroyers, submarines, planes, and whether it ever has planes."""

    screens: bool
    subs: bool
    planes: bool
    flies: bool


class AxisChain:
    """All that a battle is to the engine. Rows are the attacker's forces, columns the defender's.

    Where that would be more work than `most`, solving it raises TooLargeError. `eps` is what is not followed any
    further in a cell, and with `trim` numbers of hits of no chance to speak of are left out; both before anything is
    solved.
    """

    def __init__(self, battle: AxisBattle, most: float = inf, chances: Mapping[Units, float] | None = None) -> None:
        """With `chances` the defender has one of these sets of units; else all that the battle says."""
        self.battle, self.meter = battle, Meter(most)
        self.eps, self.trim = 0.0, False
        self.chances = {battle.defender.units: 1.0} if chances is None else dict(chances)
        ours = battle.segments("attack")
        theirs, (whole, *forces) = battle.line_up([battle.defender.units, *self.chances])
        self.segments = ours, theirs
        self.subs_about = any(segment.unit.surprise for segment in (*ours, *theirs))
        self.volleys = [self._antiaircraft(ours, theirs, force) for force in forces]
        self.roots = _losing_planes(ours, max(map(len, self.volleys)) - 1)
        self.attack = Lattice(ours, "attack", battle.dice, self.roots, self._takes(theirs, ours, 0), self._leave(0))
        takes = self._takes(ours, theirs, 1)
        self.defence = Lattice(theirs, "defence", battle.dice, forces, takes, self._leave(1), whole)
        self.rows, self.columns = self.attack.starts, self.defence.starts

    @property
    def numbers(self) -> int:
        """About how many numbers must be in memory at once to solve it."""
        grids = (3 + len(self._layers)) * (3 if self.battle.retreat.plans else 1)
        cells = self.cells * grids
        for side, other in ((self.attack, self.defence), (self.defence, self.attack)):
            dice, fire = (
                1 + int(one.powers(lambda _: True)[:, 1:].sum(axis=1).max(initial=0)) for one in (side, other)
            )
            cells += len(side) * (3 * dice + min(fire, int(side.rank.max(initial=0))))
        return cells

    # Setting up ------------------------------------------------------------------------------------------

    def _antiaircraft(self, ours: tuple[Segment, ...], theirs: tuple[Segment, ...], force: Force) -> list[float]:
        """The law of the planes lost before the battle to the anti-aircraft guns of a force."""
        there = [segment._replace(units=count) for segment, count in zip(theirs, force.active, strict=True) if count]
        shots = antiaircraft_shots(self.battle, ours, there)
        return antiaircraft_law(shots, self.battle.dice)

    def _takes(self, shooters: tuple[Segment, ...], targets: tuple[Segment, ...], side: int) -> list[Take]:
        """The reaches that hits on a side can have; `side` is 0 for the attacker's losses."""
        takes = [Take("any")]
        if any(segment.unit.surprise for segment in shooters):
            takes.append(Take("ships"))
        planes = any(segment.unit.kind == "air" for segment in shooters)
        if planes and any(segment.unit.surprise for segment in targets):
            takes.append(Take("surface"))
        if self._keeps(side):
            takes += [take._replace(keep=True) for take in takes]
        return takes

    def _keeps(self, side: int) -> bool:
        """Whether a side keeps its last destroyer from submarines that are about."""
        about = any(segment.unit.surprise for segment in self.segments[1 - side])
        return self.battle.keep_last_destroyer[side] and about and self.battle.theatre == "sea"

    def _leave(self, side: int) -> Any:
        """The forces that some of a force can leave behind when they leave the fight; None where nobody can."""
        segments = self.segments[side]
        landed, others = _landed(segments)
        subs = _subs(segments) if self.battle.submerge[side] and self.battle.theatre == "sea" else set()
        others = others if side == 0 and landed and self.battle.ends_early else set()
        return partial(_leaving, subs=subs, others=others, landed=landed) if subs or others else None

    # Kinds of forces -------------------------------------------------------------------------------------

    @cached_property
    def _layers(self) -> list[Had]:
        """What a cell between the phases of a round must know of its beginning, one layer of the grid for each."""
        if not self.subs_about:
            return []
        if any(self._keeps(side) for side in (0, 1)) or self.battle.dice == "low_luck":
            return [(True, True), (True, False), (False, True)]
        return [(True, True)]

    @cached_property
    def tells_subs(self) -> bool:
        """Whether forces with submarines are of another kind than those without.

        That is so where it makes a difference beyond their hits; and in large battles, where forces without them are
        many, and rounds without them much less work.
        """
        many = self.cells > MANY_CELLS
        return len(self._layers) > 1 or any(self.battle.submerge) or (many and bool(self._layers))

    def _kinds(self, lattice: Lattice) -> Nodes:
        """The kind of every force: a number that no loss makes smaller."""
        if not self.subs_about:
            return np.zeros(len(lattice), np.int64)
        kinds = np.where(lattice.screens, np.where(lattice.planes, 0, 1), 2)
        if self.tells_subs:
            kinds = 2 * kinds + ~lattice.subs
        return kinds

    def _flags(self, lattice: Lattice, kind: int) -> Flagged:
        some = int(np.flatnonzero(self._kinds(lattice) == kind)[0])
        has_subs = bool(lattice.subs[some]) if self.tells_subs else bool(lattice.subs.any())
        # Without a destroyer of its own it makes no difference whether a force has planes.
        return Flagged(bool(lattice.screens[some]), has_subs, bool(lattice.planes[some]), bool(lattice.planes.any()))

    # Fire ------------------------------------------------------------------------------------------------

    def meeting(self, row: int, column: int) -> Meeting:
        """What happens where forces of two kinds meet; see `Ground`."""
        kinds = row, column
        if not self.subs_about:
            return Meeting(None, 0, ((self._fire(0, ("any:all",), kinds), self._fire(1, ("any:all",), kinds)),))
        ours, theirs = self._flags(self.attack, row), self._flags(self.defence, column)
        quiet = self._submerging(ours, theirs)
        if quiet:
            return Meeting(None, 0, (), quiet)
        strikes = ours.subs and not theirs.screens, theirs.subs and not ours.screens
        strike: Salvo | None = None
        if any(strikes):
            first, second = (self._fire(side, ("ships:subs",), kinds) if strikes[side] else None for side in (0, 1))
            strike = first, second
        had = ours.subs, theirs.subs
        layer = (self._layers.index(had) + 1 if had in self._layers else 1) if strike else 0
        salvos = [None if strike else self._salvo(ours, theirs, had, kinds)]
        salvos += [self._salvo(ours, theirs, begun, kinds) for begun in self._layers]
        return Meeting(strike, layer, tuple(salvos))

    def _submerging(self, ours: Flagged, theirs: Flagged) -> tuple[Nodes | None, Nodes | None] | None:
        """The moves of submarines that leave the fight, as no destroyer is there to hold them."""
        flags = self.battle.submerge
        dive = flags[0] and ours.subs and not theirs.screens, flags[1] and theirs.subs and not ours.screens
        if not any(dive):
            return None
        return self._submerged(self.attack) if dive[0] else None, self._submerged(self.defence) if dive[1] else None

    def _submerged(self, lattice: Lattice) -> Nodes:
        subs = _subs(lattice.segments)
        after = (without(force, subs) for force in lattice.nodes)
        return np.array([lattice.place.get(force, 0) for force in after], np.int64)

    def _salvo(self, ours: Flagged, theirs: Flagged, had: Had, kinds: tuple[int, int]) -> Salvo:
        """The fire of everybody who has not fired in this round, which began with such submarines."""
        attack = self._stages(ours, theirs, any(had))
        defence = self._stages(theirs, ours, any(had))
        at_defence = self._fire(0, attack, kinds, self._keeps(1) and had[0])
        return at_defence, self._fire(1, defence, kinds, self._keeps(0) and had[1])

    def _stages(self, shooter: Flagged, target: Flagged, had_subs: bool) -> tuple[str, ...]:
        """The stages of a side's fire as "reach:dice", those that may take fewest first."""
        together = shooter.screens or not had_subs
        subs = shooter.subs and target.screens  # elsewhere they have struck first
        stages = ["any:planes+others"]
        if not together:
            # With low luck planes roll by themselves also where they may take anybody.
            apart = shooter.flies and target.subs
            stages = ["surface:planes", "any:others"] if apart else ["any:planes&others"]
        if subs and target.planes:
            stages.insert(0, "ships:subs")
        elif subs:
            stages[-1] += "&subs"
        return tuple(stages)

    @cached_property
    def _fires(self) -> dict[tuple[int, tuple[str, ...], tuple[int, int], bool], Fire]:
        return {}

    def _fire(self, side: int, stages: tuple[str, ...], kinds: tuple[int, int], keep: bool = False) -> Fire:
        """The fire of a side, 0 for the attacker's, where forces of two kinds meet."""
        key = side, stages, kinds, keep
        if key not in self._fires:
            troops = [
                Troop(lattice, np.flatnonzero(self._kinds(lattice) == kind))
                for lattice, kind in zip((self.attack, self.defence), kinds, strict=True)
            ]
            made = []
            for stage in stages:
                reach, _, group = stage.partition(":")
                made.append(Stage(Take(reach, keep), group))
            self._fires[key] = Fire(troops[1 - side], troops[side], made, self.trim, self.meter.add)
        return self._fires[key]

    @property
    def on_lines(self) -> bool:
        """Whether all hits take the next unit in the order of loss, and lines do not run together too soon.

        Then its kernel is one that takes several battles at once.
        """
        lines = self.attack.lines, self.defence.lines
        return lines[0] is not None and lines[1] is not None and lines[0].size * lines[1].size <= DOUBLED * self.cells

    @property
    def cells(self) -> int:
        """How many pairs of forces there are."""
        return len(self.attack) * len(self.defence)

    # The cells -------------------------------------------------------------------------------------------

    @cached_property
    def helpless(self) -> Flags:
        """The defender's forces that are destroyed without a roll by any attacker: only transports, or only guns."""
        return helpless(self.defence)

    @property
    def overruns(self) -> Mask:
        """The cells in which helpless defenders are destroyed."""
        return self.attack.alive[:, None] & self.helpless[None, :]

    @cached_property
    def fights(self) -> Mask:
        """The cells that are not left as they are: there is a next round, or submarines submerge."""
        cells = np.ogrid[: len(self.attack), : len(self.defence)]
        return fighting(self.attack, self.defence, *cells) | self.dives

    @cached_property
    def dives(self) -> Mask:
        """The cells in which submarines submerge, before anything else happens there."""
        cells = np.ogrid[: len(self.attack), : len(self.defence)]
        ours, theirs = diving(self.battle, self.attack, self.defence, *cells)
        return ours | theirs

    @cached_property
    def stays(self) -> Nodes:
        """The force of those who cannot retreat that each of the attacker's forces leaves behind; itself for none."""
        landed, others = _landed(self.attack.segments)
        nodes = np.arange(len(self.attack))
        if not landed or not self.battle.ends_early:
            return nodes
        for node, force in enumerate(self.attack.nodes):
            if any(force.active[place] for place in landed) and any(force.active[place] for place in others):
                nodes[node] = self.attack.place[without(force, others)]
        return nodes

    @cached_property
    def can_retreat(self) -> Flags:
        """The attacker's forces of which somebody can retreat."""
        landed = self.attack.count(lambda unit: unit.amphibious)
        if not landed.any() or not self.battle.ends_early:
            return self.attack.alive
        return self.attack.count(lambda unit: not unit.amphibious) > 0

    def kernel(self) -> AxisKernel:
        """The kernel of this battle."""
        kernel = copy(self._usual)
        kernel.eps = self.eps
        return kernel

    @cached_property
    def _usual(self) -> AxisKernel:
        return self._kernel(self.meeting, self.fights)

    def among(self, role: Role, roots: Iterable[Force]) -> "AxisChain":
        """The same battle at sea, begun with any of these forces on one side."""
        chain, side = copy(self), 0 if role == "attack" else 1
        shooters, targets = self.segments[1 - side], self.segments[side]
        takes, leave = self._takes(shooters, targets, side), self._leave(side)
        lattice = Lattice(targets, role, self.battle.dice, roots, takes, leave)
        if role == "attack":
            chain.attack = lattice
        else:
            chain.defence = lattice
        return chain

    def facing(self, role: Role) -> ProductKernel:
        """The kernel of this battle at sea with the forces of a side in its rows, those of the other in its columns."""
        if role == "attack":
            return ProductKernel(self._ground(self.meeting, self.fights), self.eps)
        sizes = len(self.defence.nodes), len(self.attack.nodes)
        kinds = self._kinds(self.defence), self._kinds(self.attack)
        layers, fights = 1 + len(self._layers), np.ascontiguousarray(self.fights.T)
        meeting = self._turned_meeting
        return ProductKernel(Ground(sizes, self.defence.rank, *kinds, meeting, layers, fights, None, self.meter))

    def _turned_meeting(self, row: int, column: int) -> Meeting:
        strike, layer, salvos, quiet = self.meeting(column, row)
        turned = tuple(salvo and salvo[::-1] for salvo in salvos)
        return Meeting(strike and strike[::-1], layer, turned, quiet and quiet[::-1])

    def bombardment(self) -> AxisKernel:
        """The kernel of a first round in which the ships fire too."""
        if not self.battle.ships:
            return self.kernel()
        first = copy(self)
        first.__dict__.pop("_fires", None)
        first.attack = self.attack.with_ships(self.battle.ships)
        roots = np.zeros(len(self.attack), bool)
        roots[self.rows] = True
        fights = self.fights | (roots[:, None] & self.defence.alive[None, :] & ~self.helpless[None, :])
        return first._kernel(first.meeting, fights)

    def _kernel(self, meeting: Any, fights: Mask) -> AxisKernel:
        if self.on_lines:
            return LevelKernel(self.attack, self.defence, fights, self.trim, self.eps, self.meter)
        return ProductKernel(self._ground(meeting, fights), self.eps)

    def _ground(self, meeting: Any, fights: Mask) -> Ground:
        moves = self.stays if (self.stays != np.arange(len(self.stays))).any() else None
        return Ground(
            (len(self.attack), len(self.defence)),
            self.attack.rank,
            self._kinds(self.attack),
            self._kinds(self.defence),
            meeting,
            1 + len(self._layers),
            fights,
            moves,
            self.meter,
        )

    @property
    def row(self) -> int:
        """The attacker's force before the first shot."""
        return int(self.rows[0])

    def begin(self, law: Grid, starts: Sequence[float] | Grid) -> None:
        """Put into a grid, with these chances of the defender's forces, what anti-aircraft guns leave.

        Both may have an axis in front, for several battles.
        """
        each = np.asarray(starts)
        columns = map(self._after_bombardment, self.columns.tolist())
        for start, (column, volley) in enumerate(zip(columns, self.volleys, strict=True)):
            law[..., self.rows[: len(volley)], column] += each[..., start, None] * np.array(volley)

    def _after_bombardment(self, column: int) -> int:
        """The defender's force before the first shot: guns alone are destroyed also by ships alone."""
        alone = self.battle.ships and not self.attack.alive[self.row] and self.battle.ruling > 1
        return self.defence.place[nobody(self.defence.nodes[column])] if alone and self.helpless[column] else column


def _leaving(force: Force, subs: set[int], others: set[int], landed: set[int]) -> Iterator[Force]:
    """The forces that remain when submarines submerge, or when all but those landed from the sea retreat."""
    if any(force.active[place] for place in subs):
        yield without(force, subs)
    if any(force.active[place] for place in others) and any(force.active[place] for place in landed):
        yield without(force, others)


def _subs(segments: tuple[Segment, ...]) -> set[int]:
    """The places of the submarines."""
    return {place for place, segment in enumerate(segments) if is_sub(segment.unit)}


def _landed(segments: tuple[Segment, ...]) -> tuple[set[int], set[int]]:
    """The places of those landed from the sea, and of all others."""
    landed = {place for place, segment in enumerate(segments) if segment.unit.amphibious}
    return landed, set(range(len(segments))) - landed


def _losing_planes(segments: tuple[Segment, ...], most: int) -> list[Force]:
    """The full force without 0, 1, ... of its next planes in the order of loss."""
    forces = [full(segments)]
    for _ in range(most):
        active = list(forces[-1].active)
        place = next(p for p, segment in enumerate(segments) if segment.unit.kind == "air" and active[p])
        active[place] -= 1
        forces.append(Force(tuple(active), forces[-1].gone))
    return forces
