"""Fire: what the dice of one side make of every force of the other in one phase of a round.

Hits come in up to three *stages*, each with a reach of its own: those that may take fewer units are allotted first.
Where the next units in the order of loss are the same for two stages, their hits are simply added up; only where they
part, every number of hits of the first is a branch of its own. So each force has a list of *ways*: a number of hits of
every kind, and the force after them. Ways that end in the same force stand together as an *outcome*.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from solver.chain import Grid
from solver.forces import Lattice, Nodes, Take
from solver.hits import Laws, mixed, tails

TRIMMED = 1e-18
"""Numbers of hits that are less likely than this are left out where anything at all may be dropped.

That is less than rounding does: what is left out is not followed, and beside 1 it makes no difference.
"""

WAY = 80.0
"""About how much work a way is, in the unit of `DiceChain.work`; more than it takes in time, for the memory."""
LAW = 0.5
"""The same for a number of a law."""
ALWAYS = -1
"""The place of a chance of 1."""

Some = slice | Nodes
"""Forces: those from one to another, or a list in ascending order."""


class Stage(NamedTuple):
    """Hits of one reach, and whose dice make them (see `Lattice.laws`)."""

    take: Take
    group: str


class _Launches(NamedTuple):
    """Where the hits of a stage begin: for each branch whose force it is of, the force it has come to, and its law.

    `factors` are the places of the chances that the hits of earlier stages fell so.
    """

    owner: Nodes
    start: Nodes
    law: Nodes
    factors: tuple[Nodes, ...] = ()

    def each(self, counts: Nodes) -> "_Launches":
        """Every branch so many times."""
        return self.chosen(np.repeat(np.arange(len(self.owner)), counts))

    def chosen(self, order: Nodes) -> "_Launches":
        """These branches, in this order."""
        factors = tuple(factor[order] for factor in self.factors)
        return _Launches(self.owner[order], self.start[order], self.law[order], factors)

    def joined(self, other: "_Launches") -> "_Launches":
        """These branches and others."""
        factors = tuple(np.concatenate(pair) for pair in zip(self.factors, other.factors, strict=True))
        owner, start = np.concatenate([self.owner, other.owner]), np.concatenate([self.start, other.start])
        return _Launches(owner, start, np.concatenate([self.law, other.law]), factors)


class Outcomes(NamedTuple):
    """What becomes of some forces: all outcomes of the first, itself first, then those of the next, and so on.

    `chances` is [shooter, outcome], `after` the force of each outcome, `first` where those of each force begin, and
    `counts` how many it has.
    """

    chances: Grid
    after: Nodes
    first: Nodes
    counts: Nodes


class Troop(NamedTuple):
    """Forces of a lattice that are of one kind, in ascending order."""

    lattice: Lattice
    nodes: Nodes


class Fire:
    """The fire of forces of one kind at those of another in one phase."""

    def __init__(
        self, target: Troop, shooter: Troop, stages: Sequence[Stage], trim: bool, spend: Callable[[float], None]
    ) -> None:
        """With `spend` to say how much work is done, before it is."""
        self._spend = spend
        self._least = TRIMMED if trim else 0.0
        self._stages = len(stages)
        self._laws: list[Laws] = [
            _trimmed(shooter.lattice.laws(stage.group)[shooter.nodes], self._least) for stage in stages
        ]
        self._taken = [target.lattice.taken(stage.take, self._widest) for stage in stages]
        self._legal = [(taken[:, 1:] != taken[:, :-1]).sum(axis=1) for taken in self._taken]
        self._agree = [_agreeing(one, two) for one, two in zip(self._taken, self._taken[1:], strict=False)]
        self._known: dict[tuple[int, ...], int] = {}
        # Of one stage only how many hits a force can take makes a difference.
        self.alike = self._legal[0] if len(stages) == 1 else None
        self._row = np.zeros(len(shooter.lattice), np.int64)
        self._row[shooter.nodes] = np.arange(len(shooter.nodes))
        self._ways(target)

    # The ways --------------------------------------------------------------------------------------------

    def _ways(self, target: Troop) -> None:
        """Follow all branches of all forces at once, stage by stage; then every number of hits of the last."""
        nodes = len(target.lattice)
        launches = _Launches(target.nodes, target.nodes, np.zeros(len(target.nodes), np.int64))
        for stage in range(self._stages - 1):
            launches = self._branched(launches, stage)
        most = np.array([law.shape[1] - 1 for law in self._laws])[launches.law]
        legal = self._legal[-1][launches.start]
        counts = np.minimum(legal, most) + 1
        self._spend(WAY * float(counts.sum()))
        ways = launches.each(counts)
        hits = _within(counts)
        after = self._taken[-1][ways.start, hits]
        place = 2 * (ways.law * self._widest + hits) + (hits == np.repeat(legal, counts))
        # Only chances that some way has are kept in the table.
        wanted = np.zeros(2 * len(self._laws) * self._widest - ALWAYS, bool)
        for places in (place, *ways.factors):
            wanted[places - ALWAYS] = True
        self._chances = self._table(np.flatnonzero(wanted) + ALWAYS)
        rank = np.cumsum(wanted) - 1
        place, *factors = (rank[places - ALWAYS] for places in (place, *ways.factors))
        order = np.argsort(ways.owner * nodes + (nodes - 1 - after), kind="stable")
        if self._least:
            peaks = self._chances.max(axis=0)
            chance = peaks[place]
            for factor in factors:
                chance = chance * peaks[factor]
            order = order[((chance > self._least) | (after == ways.owner))[order]]
        ways, after, self._place = ways.chosen(order), after[order], place[order]
        self._factors = [factor[order] for factor in factors]
        new = np.flatnonzero((np.diff(ways.owner, prepend=-1) != 0) | (np.diff(after, prepend=-1) != 0))
        self._first = np.searchsorted(ways.owner, np.arange(nodes + 1))
        self._outcome, self._after = new, after[new]
        self._first_outcome = np.searchsorted(ways.owner[new], np.arange(nodes + 1))
        self._meet = len(new) < len(after)

    def _branched(self, launches: _Launches, stage: int) -> _Launches:
        """One stage on: hits of this one that take the same units as the next are added to these, others branch off."""
        most = np.array([law.shape[1] - 1 for law in self._laws])[launches.law]
        legal = self._legal[stage][launches.start]
        agree = np.minimum(np.minimum(self._agree[stage][launches.start], legal), most)
        capped = (agree == legal) & (agree < most)
        keys, which = np.unique(np.stack([launches.law, agree, capped]), axis=1, return_inverse=True)
        merged = [self._mixed(law, stage + 1, until, bool(all_of)) for law, until, all_of in keys.T.tolist()]
        main = launches._replace(law=np.array(merged, np.int64)[which.reshape(-1)])
        counts = np.minimum(legal, most) - agree
        self._spend(WAY * float(counts.sum()))
        off = launches.each(counts)
        hits = np.repeat(agree, counts) + 1 + _within(counts)
        all_hits = hits == np.repeat(legal, counts)
        likely = self._likely(off.law, hits, all_hits)
        off, hits, all_hits = off.chosen(likely), hits[likely], all_hits[likely]
        place = 2 * (off.law * self._widest + hits) + all_hits
        branch = _Launches(
            off.owner,
            self._taken[stage][off.start, hits],
            np.full(len(hits), stage + 1),
            (*off.factors, place),
        )
        blank = np.full(len(main.owner), ALWAYS)
        return main._replace(factors=(*main.factors, blank)).joined(branch)

    def _likely(self, laws: Nodes, hits: Nodes, all_hits: Nodes) -> Nodes:
        """Which branches have a chance worth following, for some shooter."""
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
        """More than the most hits of any law there can be."""
        return 1 + sum(int(law.shape[1]) for law in self._laws[: self._stages])

    def _mixed(self, law: int, stage: int, most: int, capped: bool) -> int:
        """The law of the hits of one law up to so many together with those of a stage."""
        key = (law, stage, most, capped)
        if key not in self._known:
            self._known[key] = len(self._laws)
            self._spend(LAW * most * self._laws[stage].size)
            self._laws.append(mixed(self._laws[law], self._laws[stage], most, capped))
        return self._known[key]

    def _table(self, used: Nodes) -> Grid:
        """The chances of every shooter at these places: of so many hits of a law, of so many or more, or always 1."""
        self._spend(float(len(used)) * len(self._laws[0]))
        table = np.ones((len(self._laws[0]), len(used)))
        laws, places = np.divmod(used, 2 * self._widest)
        for number in set(laws[used != ALWAYS].tolist()):
            law = self._laws[number]
            for capped, chances in enumerate((law, tails(law))):
                here = np.flatnonzero((laws == number) & (places % 2 == capped) & (used != ALWAYS))
                table[:, here] = chances[:, places[here] // 2]
        if self._least:
            table[table < self._least] = 0
        return table

    # What comes of them ----------------------------------------------------------------------------------

    def outcomes(self, shooters: Some, targets: Some) -> Outcomes:
        """What all these shooters make of all these targets, which are in ascending order."""
        ways, firsts, _ = _ranges(self._first, targets)
        table = self._chances[self._row[shooters]]
        chances = table.take(self._place[ways], axis=1)
        for factors in self._factors:
            chances *= table.take(factors[ways], axis=1)
        outcomes, first, counts = _ranges(self._first_outcome, targets)
        if self._meet:
            begins = self._outcome[outcomes]
            if isinstance(ways, slice):
                begins = begins - ways.start
            else:
                # Where in the list of ways those of each target begin, and how far into them each outcome is.
                begins = begins - np.repeat(self._first[targets], counts) + np.repeat(firsts, counts)
            chances = np.add.reduceat(chances, begins, axis=1)
        return Outcomes(chances, self._after[outcomes], first, counts)


def _ranges(first: Nodes, some: Some) -> tuple[slice | Nodes, Nodes, Nodes]:
    """Where the lists of some forces stand, in their order, where each begins in what is found, and how long it is."""
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


def _within(counts: Nodes) -> Nodes:
    """0, 1, ... up to each count less one, one after the other."""
    ends = np.cumsum(counts)
    return np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - counts, counts)


def _agreeing(one: Nodes, two: Nodes) -> Nodes:
    """For each force up to how many hits the two reaches take the same units."""
    differ = np.asarray(one != two)
    agree: Nodes = np.where(differ.any(axis=1), differ.argmax(axis=1) - 1, one.shape[1] - 1)
    return agree


def _trimmed(law: Laws, least: float) -> Laws:
    """A law without the highest numbers of hits, where nobody has more than the least chance of these."""
    return law[:, : int(np.flatnonzero((law > least).any(axis=0))[-1]) + 1]
