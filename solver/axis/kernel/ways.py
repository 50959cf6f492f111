"""The ways of fire: every number of hits of every stage, and the force that it leaves.

Hits come in up to three *stages*, each with its own reach. Hits that may take fewer units are allotted first. As long
as the next units in the order of loss are the same for two stages, their hits are simply added up; from the first
difference on, every number of hits of the first stage is a branch of its own. So each force has a list of *ways*: a
number of hits of every stage, and the force after them. Ways that end in the same force are joined to one *outcome*.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from solver.axis.kernel import native
from solver.axis.kernel.forces import Nodes, Take
from solver.axis.kernel.hits import Laws, add_hits, tails
from solver.axis.kernel.lattice import Lattice
from solver.axis.kernel.search import unique_inverse
from solver.chain import Grid
from solver.compiled import library
from solver.progress import Meter

TRIMMED = 1e-18
"""Less likely numbers of hits are left out if anything may be dropped; beside 1 they vanish in rounding anyway."""

WAY = 80.0
"""About how much work a way is, in the unit of `Meter`, for the time and the memory that it takes."""
LAW = 0.5
"""About how much work a number of a law is."""
ALWAYS = -1
"""The place of a chance of 1."""


class FireStage(NamedTuple):
    """Hits of one reach.

    Attributes:
        take: Which units the hits may take.
        group: Whose dice make them: see `Forces.laws`.
    """

    take: Take
    group: str


class Troop(NamedTuple):
    """The forces of one kind of a side.

    Attributes:
        lattice: All forces of the side.
        nodes: The nodes of this kind, in ascending order.
    """

    lattice: Lattice
    nodes: Nodes


class Ways(NamedTuple):
    """The ways of the fire of some forces at others.

    Attributes:
        chances: The chances of each shooter at all places: [shooter, place].
        place: The place of the chance of each way.
        factors: The places of its further factors, up to two of them.
        first: The first way of each node of the targets' lattice, and the number of ways at the end.
        outcome: The first way of each outcome, and the number of ways at the end.
        after: The force that each outcome leaves.
        first_outcome: The first outcome of each node, and the number of outcomes at the end.
    """

    chances: Grid
    place: Nodes
    factors: tuple[Nodes, ...]
    first: Nodes
    outcome: Nodes
    after: Nodes
    first_outcome: Nodes


def find_ways(target: Troop, shooter: Troop, stages: Sequence[FireStage], trim: bool, meter: Meter) -> Ways:
    """Return the ways of the fire of some forces at others, found in compiled code if that is there.

    Args:
        target: The forces under fire.
        shooter: The forces that fire.
        stages: The hits in the order in which they are allotted.
        trim: Whether hits with next to no chance are left out.
        meter: Counts the work.

    Raises:
        TooLargeError: If it is more work than the meter allows.
    """
    trifle = TRIMMED if trim else 0.0
    if library.library():
        return _find_compiled(target, shooter, stages, trifle, meter)
    return _Search(target, shooter, stages, trifle, meter.add).ways()


def _find_compiled(target: Troop, shooter: Troop, stages: Sequence[FireStage], trifle: float, meter: Meter) -> Ways:
    """Find the ways in compiled code."""
    laws = [shooter.lattice.laws(stage.group) for stage in stages]
    limit = sum(law.shape[1] for law in laws)
    taken = [target.lattice.nodes_after(stage.take, limit) for stage in stages]
    aim = native.describe_aim(shooter.nodes, target.nodes, laws, taken, trifle)
    library.run_metered("find_ways", meter, aim)
    nodes = len(target.lattice) + 1
    places = [np.empty(aim.ways, np.int32) for _ in stages]
    ways = Ways(
        np.empty((len(shooter.nodes), aim.places)),
        places[0],
        tuple(places[1:]),
        np.empty(nodes, np.int64),
        np.empty(aim.outcomes + 1, np.int64),
        np.empty(aim.outcomes, np.int64),
        np.empty(nodes, np.int64),
    )
    where = (*places, None, None)[:3]
    library.run("take_ways", aim, ways.chances, *where, ways.first, ways.outcome, ways.after, ways.first_outcome)
    return ways


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
        owner, start, law = (np.repeat(column, counts) for column in self[:3])
        return _Launches(owner, start, law, tuple(np.repeat(factor, counts) for factor in self.factors))

    def concatenate(self, other: "_Launches") -> "_Launches":
        """These branches, then others."""
        factors = tuple(np.concatenate(pair) for pair in zip(self.factors, other.factors, strict=True))
        owner, start = np.concatenate([self.owner, other.owner]), np.concatenate([self.start, other.start])
        return _Launches(owner, start, np.concatenate([self.law, other.law]), factors)


class _Search:
    """Finds ways with numpy."""

    def __init__(
        self, target: Troop, shooter: Troop, stages: Sequence[FireStage], trifle: float, spend: Callable[[float], None]
    ) -> None:
        self._target, self._spend = target, spend
        self._stages = len(stages)
        self._laws: list[Laws] = [
            _trim_law(shooter.lattice.laws(stage.group)[shooter.nodes], trifle) for stage in stages
        ]
        self._taken = [target.lattice.nodes_after(stage.take, self._widest) for stage in stages]
        self._legal = [legal_hits(taken) for taken in self._taken]
        self._agree = [_common_hits(first, then) for first, then in zip(self._taken, self._taken[1:], strict=False)]
        self._known: dict[tuple[int, ...], int] = {}

    def ways(self) -> Ways:
        """Follow all branches of all forces at once, stage by stage; then every number of hits of the last."""
        targets = self._target.nodes
        launches = _Launches(targets, targets, np.zeros(len(targets), np.int64))
        for stage in range(self._stages - 1):
            launches = self._branch_stage(launches, stage)
        limits = np.array([law.shape[1] - 1 for law in self._laws])[launches.law]
        counts = np.minimum(self._legal[-1][launches.start], limits) + 1
        self._spend(WAY * float(counts.sum()))
        return self._sort_ways(launches, counts)

    def _sort_ways(self, launches: _Launches, counts: Nodes) -> Ways:
        """List the ways of each force, so many of each branch, by what they leave; join those that leave the same."""
        nodes = len(self._legal[-1])
        ways = launches.repeat(counts)
        hits = _count_up(counts)
        after = self._taken[-1][ways.start, hits]
        place = 2 * (ways.law * self._widest + hits) + (hits == self._legal[-1][ways.start])
        # The table has only the chances of some way.
        used, ranks = unique_inverse(np.array([place, *ways.factors]))
        chances = self._chance_table(used)
        order = np.argsort(ways.owner * nodes + (nodes - 1 - after), kind="stable")
        owner, after = ways.owner[order], after[order]
        place, *factors = ranks[:, order]
        new = np.flatnonzero((np.diff(owner, prepend=-1) != 0) | (np.diff(after, prepend=-1) != 0))
        first, first_outcome = (np.searchsorted(owners, np.arange(nodes + 1)) for owners in (owner, owner[new]))
        return Ways(chances, place, tuple(factors), first, np.append(new, len(after)), after[new], first_outcome)

    def _branch_stage(self, launches: _Launches, stage: int) -> _Launches:
        """Add hits that take the same units as the next stage's to these; let the others branch off."""
        limits = np.array([law.shape[1] - 1 for law in self._laws])[launches.law]
        legal = self._legal[stage][launches.start]
        agree = np.minimum(np.minimum(self._agree[stage][launches.start], legal), limits)
        capped = (agree == legal) & (agree < limits)
        keys, which = unique_inverse(2 * (launches.law * self._widest + agree) + capped)
        merged = []
        for key in keys.tolist():
            law, until = divmod(key // 2, self._widest)
            merged.append(self._joint_law(law, stage + 1, until, bool(key % 2)))
        main = launches._replace(law=np.array(merged, np.int64)[which])
        counts = np.minimum(legal, limits) - agree
        self._spend(WAY * float(counts.sum()))
        off = launches.repeat(counts)
        hits = np.repeat(agree, counts) + 1 + _count_up(counts)
        all_hits = hits == np.repeat(legal, counts)
        place = 2 * (off.law * self._widest + hits) + all_hits
        branch = _Launches(
            off.owner, self._taken[stage][off.start, hits], np.full(len(hits), stage + 1), (*off.factors, place)
        )
        blank = np.full(len(main.owner), ALWAYS)
        return main._replace(factors=(*main.factors, blank)).concatenate(branch)

    @property
    def _widest(self) -> int:
        """One more than the most hits that any law can have."""
        return 1 + sum(int(law.shape[1]) for law in self._laws[: self._stages])

    def _joint_law(self, law: int, stage: int, limit: int, capped: bool) -> int:
        """The law of the hits of one law, up to so many, together with those of a stage."""
        key = (law, stage, limit, capped)
        if key not in self._known:
            self._known[key] = len(self._laws)
            self._spend(LAW * limit * self._laws[stage].size)
            self._laws.append(add_hits(self._laws[law], self._laws[stage], limit, capped))
        return self._known[key]

    def _chance_table(self, used: Nodes) -> Grid:
        """The chances of every shooter at some places: [shooter, place].

        A place stands for exactly so many hits of a law, for at least so many, or for certainty.
        """
        self._spend(float(len(used)) * len(self._laws[0]))
        table = np.ones((len(self._laws[0]), len(used)))
        laws, places = np.divmod(used, 2 * self._widest)
        for number in set(laws[used != ALWAYS].tolist()):
            law = self._laws[number]
            for capped, chances in enumerate((law, tails(law))):
                here = np.flatnonzero((laws == number) & (places % 2 == capped) & (used != ALWAYS))
                table[:, here] = chances[:, places[here] // 2]
        return table


def legal_hits(taken: Nodes) -> Nodes:
    """Return the most hits that each force can take.

    Args:
        taken: The node that each number of hits leaves of each node: [node, hits].
    """
    limits: Nodes = (taken[:, 1:] != taken[:, :-1]).sum(axis=1)
    return limits


def _count_up(counts: Nodes) -> Nodes:
    """For each count the numbers from 0 to one less, one list after the other."""
    ends = np.cumsum(counts)
    return np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - counts, counts)


def _common_hits(first: Nodes, then: Nodes) -> Nodes:
    """For each force the number of hits up to which two reaches take the same units."""
    differ = np.asarray(first != then)
    agree: Nodes = np.where(differ.any(axis=1), differ.argmax(axis=1) - 1, first.shape[1] - 1)
    return agree


def _trim_law(law: Laws, trifle: float) -> Laws:
    """A law without the highest numbers of hits, if no shooter has more than the least chance of them."""
    return np.ascontiguousarray(law[:, : int(np.flatnonzero((law > trifle).any(axis=0))[-1]) + 1])
