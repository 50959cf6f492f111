"""The fire of one side in one phase of a round, and the forces that it leaves of each force of the other side.

Hits come in up to three *stages*, each with its own reach. Hits that may take fewer units are allotted first. As long
as the next units in the order of loss are the same for two stages, their hits are simply added up; from the first
difference on, every number of hits of the first stage is a branch of its own. So each force has a list of *ways*: a
number of hits of every stage, and the force after them. Ways that end in the same force are joined to one *outcome*.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from solver.axis.kernel import native
from solver.axis.kernel.forces import Flags, Nodes, Take, unique_inverse
from solver.axis.kernel.hits import Laws, add_hits, tails
from solver.axis.kernel.lattice import Lattice
from solver.chain import Grid

TRIMMED = 1e-18
"""Less likely numbers of hits are left out if anything may be dropped; beside 1 they vanish in rounding anyway."""

WAY = 80.0
"""About how much work a way is, in the unit of `Meter`, for the time and the memory that it takes."""
LAW = 0.5
"""About how much work a number of a law is."""
ALWAYS = -1
"""The place of a chance of 1."""

Selection = slice | Nodes
"""Some forces of a lattice: a range, or a list of nodes in ascending order."""


class FireStage(NamedTuple):
    """Hits of one reach.

    Attributes:
        take: Which units the hits may take.
        group: Whose dice make them: see `Forces.laws`.
    """

    take: Take
    group: str


class _Launches(NamedTuple):
    """The branches at the beginning of a stage.

    Attributes:
        owner: The force that each branch is of.
        start: The force that it has come to.
        law: The law of its further hits.
        factors: The places of the chances of the hits of earlier stages.
    """

    owner: Nodes
    start: Nodes
    law: Nodes
    factors: tuple[Nodes, ...] = ()

    def repeat(self, counts: Nodes) -> "_Launches":
        """Each branch so many times."""
        return self.select(np.repeat(np.arange(len(self.owner)), counts))

    def select(self, order: Nodes) -> "_Launches":
        """The branches in these places, in this order."""
        factors = tuple(factor[order] for factor in self.factors)
        return _Launches(self.owner[order], self.start[order], self.law[order], factors)

    def concatenate(self, other: "_Launches") -> "_Launches":
        """These branches, then others."""
        factors = tuple(np.concatenate(pair) for pair in zip(self.factors, other.factors, strict=True))
        owner, start = np.concatenate([self.owner, other.owner]), np.concatenate([self.start, other.start])
        return _Launches(owner, start, np.concatenate([self.law, other.law]), factors)


class Outcomes(NamedTuple):
    """The outcomes of some forces: all of the first force, itself first, then all of the second, and so on.

    Attributes:
        chances: The probability of each outcome by shooter: [shooter, outcome].
        after: The force of each outcome.
        first: The place of the first outcome of each force.
        counts: The number of outcomes of each force.
    """

    chances: Grid
    after: Nodes
    first: Nodes
    counts: Nodes


class Troop(NamedTuple):
    """The forces of one kind of a side.

    Attributes:
        lattice: All forces of the side.
        nodes: The nodes of this kind, in ascending order.
    """

    lattice: Lattice
    nodes: Nodes


class Fire:
    """The fire of forces of one kind at those of another in one phase.

    Attributes:
        alike: With one stage, how many hits each target can take: all that matters then. None with several stages.
        row: The row of each shooter in `chances`.
        chances: The chances of each shooter at all places: [row, place].
        place: The place of the chance of each way.
        factors: The places of its further factors, up to two of them.
        first: The first way of each target.
        outcome: The first way of each outcome, and the number of ways at the end.
        after: The force that each outcome leaves.
        first_outcome: The first outcome of each target.
    """

    def __init__(
        self, target: Troop, shooter: Troop, stages: Sequence[FireStage], trim: bool, spend: Callable[[float], None]
    ) -> None:
        """Find the ways of all targets.

        Args:
            target: The forces under fire.
            shooter: The forces that fire.
            stages: The hits in the order in which they are allotted.
            trim: Whether hits with next to no chance are left out.
            spend: Counts work before it is done.
        """
        self._spend = spend
        self._least = TRIMMED if trim else 0.0
        self._stages = len(stages)
        self._laws: list[Laws] = [
            _trim_law(shooter.lattice.laws(stage.group)[shooter.nodes], self._least) for stage in stages
        ]
        self._taken = [target.lattice.nodes_after(stage.take, self._widest) for stage in stages]
        self._legal = [(taken[:, 1:] != taken[:, :-1]).sum(axis=1) for taken in self._taken]
        self._agree = [_common_hits(one, two) for one, two in zip(self._taken, self._taken[1:], strict=False)]
        self._known: dict[tuple[int, ...], int] = {}
        # With one stage, only the number of hits that a force can take matters.
        self.alike = self._legal[0] if len(stages) == 1 else None
        self.row = np.zeros(len(shooter.lattice), np.int64)
        self.row[shooter.nodes] = np.arange(len(shooter.nodes))
        self._follow_ways(target)

    # The ways --------------------------------------------------------------------------------------------

    def _follow_ways(self, target: Troop) -> None:
        """Follow all branches of all forces at once, stage by stage; then every number of hits of the last."""
        launches = _Launches(target.nodes, target.nodes, np.zeros(len(target.nodes), np.int64))
        for stage in range(self._stages - 1):
            launches = self._branch_stage(launches, stage)
        most = np.array([law.shape[1] - 1 for law in self._laws])[launches.law]
        counts = np.minimum(self._legal[-1][launches.start], most) + 1
        self._spend(WAY * float(counts.sum()))
        (self._sort_ways_compiled if native.library() else self._sort_ways)(launches, counts)
        self._meet = len(self.after) < len(self.place)

    def _sort_ways(self, launches: _Launches, counts: Nodes) -> None:
        """List the ways of each force, so many of each branch, by what they leave; join those that leave the same."""
        nodes = len(self._legal[-1])
        ways = launches.repeat(counts)
        hits = _count_up(counts)
        after = self._taken[-1][ways.start, hits]
        place = 2 * (ways.law * self._widest + hits) + (hits == self._legal[-1][ways.start])
        # The table has only the chances of some way.
        wanted = self._no_places()
        for places in (place, *ways.factors):
            wanted[places - ALWAYS] = True
        self.chances = self._chance_table(np.flatnonzero(wanted) + ALWAYS)
        rank = np.cumsum(wanted) - 1
        place, *factors = (rank[places - ALWAYS] for places in (place, *ways.factors))
        order = np.argsort(ways.owner * nodes + (nodes - 1 - after), kind="stable")
        if self._least:
            peaks = self.chances.max(axis=0)
            chance = peaks[place]
            for factor in factors:
                chance = chance * peaks[factor]
            order = order[((chance > self._least) | (after == ways.owner))[order]]
        ways, after, self.place = ways.select(order), after[order], place[order].astype(np.int32)
        self.factors = [factor[order].astype(np.int32) for factor in factors]
        new = np.flatnonzero((np.diff(ways.owner, prepend=-1) != 0) | (np.diff(after, prepend=-1) != 0))
        self.first = np.searchsorted(ways.owner, np.arange(nodes + 1))
        self.outcome, self.after = np.append(new, len(after)), after[new]
        self.first_outcome = np.searchsorted(ways.owner[new], np.arange(nodes + 1))

    def _sort_ways_compiled(self, launches: _Launches, counts: Nodes) -> None:
        """Do in compiled code what `_sort_ways` does."""
        order = np.argsort(launches.owner, kind="stable")
        launches, counts = launches.select(order), counts[order]
        nodes, most, factors = len(self._legal[-1]), int(counts.sum()), launches.factors
        legal, taken = self._legal[-1][launches.start], self._taken[-1]
        described = native.describe_launches(launches, counts, legal, taken, self._widest)
        wanted = self._no_places()
        native.run("mark_places", described, wanted)
        self.chances = self._chance_table(np.flatnonzero(wanted) + ALWAYS)
        peaks = self.chances.max(axis=0) if self._least else np.ones(self.chances.shape[1])
        places = [np.empty(most, np.int32) for _ in range(1 + len(factors))]
        outcome, after = np.empty(most + 1, np.int64), np.empty(most, np.int64)
        self.first, self.first_outcome = np.empty(nodes + 1, np.int64), np.empty(nodes + 1, np.int64)
        where = *places, *(None for _ in range(2 - len(factors)))
        results = outcome, after, self.first, self.first_outcome
        native.run("sort_ways", described, np.cumsum(wanted) - 1, peaks, self._least, *where, *results)
        ways, outcomes = int(self.first[-1]), int(self.first_outcome[-1])
        self.place, *self.factors = (found[:ways].copy() for found in places)
        self.outcome, self.after = outcome[: outcomes + 1].copy(), after[:outcomes].copy()

    def _no_places(self) -> Flags:
        """Flags for all places, from `ALWAYS` on, none of them set."""
        return np.zeros(2 * len(self._laws) * self._widest - ALWAYS, bool)

    def _branch_stage(self, launches: _Launches, stage: int) -> _Launches:
        """Add hits that take the same units as the next stage's to these; let the others branch off."""
        most = np.array([law.shape[1] - 1 for law in self._laws])[launches.law]
        legal = self._legal[stage][launches.start]
        agree = np.minimum(np.minimum(self._agree[stage][launches.start], legal), most)
        capped = (agree == legal) & (agree < most)
        keys, which = unique_inverse(2 * (launches.law * self._widest + agree) + capped)
        merged = []
        for key in keys.tolist():
            law, until = divmod(key // 2, self._widest)
            merged.append(self._joint_law(law, stage + 1, until, bool(key % 2)))
        main = launches._replace(law=np.array(merged, np.int64)[which])
        counts = np.minimum(legal, most) - agree
        self._spend(WAY * float(counts.sum()))
        off = launches.repeat(counts)
        hits = np.repeat(agree, counts) + 1 + _count_up(counts)
        all_hits = hits == np.repeat(legal, counts)
        likely = self._likely_branches(off.law, hits, all_hits)
        off, hits, all_hits = off.select(likely), hits[likely], all_hits[likely]
        place = 2 * (off.law * self._widest + hits) + all_hits
        branch = _Launches(
            off.owner,
            self._taken[stage][off.start, hits],
            np.full(len(hits), stage + 1),
            (*off.factors, place),
        )
        blank = np.full(len(main.owner), ALWAYS)
        return main._replace(factors=(*main.factors, blank)).concatenate(branch)

    def _likely_branches(self, laws: Nodes, hits: Nodes, all_hits: Nodes) -> Nodes:
        """The branches that have a chance worth following for some shooter."""
        if not self._least:
            return np.arange(len(hits))
        most = np.zeros((len(self._laws), self._widest, 2))
        for number in set(laws.tolist()):
            law = self._laws[number]
            most[number, : law.shape[1], 0] = law.max(axis=0)
            most[number, : law.shape[1], 1] = tails(law).max(axis=0)
        return np.flatnonzero(most[laws, hits, all_hits.astype(np.int64)] > self._least)

    @property
    def _widest(self) -> int:
        """One more than the most hits that any law can have."""
        return 1 + sum(int(law.shape[1]) for law in self._laws[: self._stages])

    def _joint_law(self, law: int, stage: int, most: int, capped: bool) -> int:
        """The law of the hits of one law, up to so many, together with those of a stage."""
        key = (law, stage, most, capped)
        if key not in self._known:
            self._known[key] = len(self._laws)
            self._spend(LAW * most * self._laws[stage].size)
            self._laws.append(add_hits(self._laws[law], self._laws[stage], most, capped))
        return self._known[key]

    def _chance_table(self, used: Nodes) -> Grid:
        """The chances of every shooter at some places: [shooter, place].

        A place stands for exactly so many hits of a law, for at least so many, or for certainty.
        """
        self._spend(float(len(used)) * len(self._laws[0]))
        table = np.ones((len(self._laws[0]), len(used)))
        if native.library():
            where, widths = np.array([(native.address(law), law.shape[1]) for law in self._laws]).T.copy()
            native.run("fill_table", table, *table.shape, used, where, widths, self._widest, self._least)
            return table
        laws, places = np.divmod(used, 2 * self._widest)
        for number in set(laws[used != ALWAYS].tolist()):
            law = self._laws[number]
            for capped, chances in enumerate((law, tails(law))):
                here = np.flatnonzero((laws == number) & (places % 2 == capped) & (used != ALWAYS))
                table[:, here] = chances[:, places[here] // 2]
        if self._least:
            table[table < self._least] = 0
        return table

    @property
    def most(self) -> int:
        """The most outcomes of a target."""
        return int(np.diff(self.first_outcome).max(initial=1))

    # Their outcomes --------------------------------------------------------------------------------------

    def outcomes(self, shooters: Selection, targets: Selection) -> Outcomes:
        """Return what some shooters make of some targets.

        Args:
            shooters: Nodes of the shooters' lattice.
            targets: Nodes of the targets' lattice, in ascending order.
        """
        ways, firsts, _ = _list_ranges(self.first, targets)
        table = self.chances[self.row[shooters]]
        chances = table.take(self.place[ways], axis=1)
        for factors in self.factors:
            chances *= table.take(factors[ways], axis=1)
        outcomes, first, counts = _list_ranges(self.first_outcome, targets)
        if self._meet:
            begins = self.outcome[:-1][outcomes]
            if isinstance(ways, slice):
                begins = begins - ways.start
            else:
                # The place of the ways of each target in the list, plus the place of each outcome in them.
                begins = begins - np.repeat(self.first[targets], counts) + np.repeat(firsts, counts)
            chances = np.add.reduceat(chances, begins, axis=1)
        return Outcomes(chances, self.after[outcomes], first, counts)


def _list_ranges(first: Nodes, some: Selection) -> tuple[slice | Nodes, Nodes, Nodes]:
    """The places of the lists of some forces one after the other, the start of each list among them, and its length."""
    if isinstance(some, slice):
        bounds = first[some.start : some.stop + 1]
        start = int(bounds[0])
        return slice(start, int(bounds[-1])), bounds[:-1] - start, bounds[1:] - bounds[:-1]
    begins = first[some]
    counts = first[some + 1] - begins
    total, start, stop = int(counts.sum()), int(begins[0]), int(begins[-1] + counts[-1])
    if stop - start == total:  # nothing is between them
        return slice(start, stop), begins - start, counts
    found = np.cumsum(counts) - counts
    return np.repeat(begins - found, counts) + np.arange(total), found, counts


def _count_up(counts: Nodes) -> Nodes:
    """For each count the numbers from 0 to one less, one list after the other."""
    ends = np.cumsum(counts)
    return np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - counts, counts)


def _common_hits(one: Nodes, two: Nodes) -> Nodes:
    """For each force the number of hits up to which two reaches take the same units."""
    differ = np.asarray(one != two)
    agree: Nodes = np.where(differ.any(axis=1), differ.argmax(axis=1) - 1, one.shape[1] - 1)
    return agree


def _trim_law(law: Laws, least: float) -> Laws:
    """A law without the highest numbers of hits, if no shooter has more than the least chance of them."""
    return np.ascontiguousarray(law[:, : int(np.flatnonzero((law > least).any(axis=0))[-1]) + 1])
