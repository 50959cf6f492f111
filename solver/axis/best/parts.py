"""The parts of an army: every army that can be made of its units, and what a hit leaves of each.

The order of loss is fixed, so losses lead from part to part, down to the empty part. Every hit here may take any unit,
as in all battles without submarines.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, prod
from typing import Literal

import numpy as np
import numpy.typing as npt

from solver.axis.battle import AxisBattle
from solver.axis.checks import kamikaze_at
from solver.axis.kernel.forces import Nodes, is_plane
from solver.axis.loss_order import Force, Segment
from solver.axis.sides import Units
from solver.axis.units import Role
from solver.errors import TooLargeError

Values = npt.NDArray[np.float64]
Wanted = Literal["survives", "wins", "profit"]

HUNDREDTHS = 100
MOST_PARTS, MOST_NUMBERS = 400_000, 24_000_000
MOST_TRIED = 5_000_000
"""The most combinations of units of which those are taken that do not cost too much."""


@dataclass(frozen=True, eq=False)
class PartsOdds:
    """The odds of a battle with each part of one side's army, the empty part included.

    Attributes:
        names: The kinds of units.
        units: The number of units of each kind: [part, kind].
        cost: The worth of each part in money.
        values: By name, for each part: the probability that its side "survives" with units in the fight or gone from
            it; the probability that the attacker "wins"; the attacker's expected "profit" in money.
        sure: All parts that cost less than this are here.
        kinds: The most kinds of units that a part here has; None for any number.
    """

    names: tuple[str, ...]
    units: Nodes
    cost: Values
    values: dict[Wanted, Values]
    sure: float = inf
    kinds: int | None = None


def with_units(battle: AxisBattle, role: Role, units: Units) -> AxisBattle:
    """Return the battle with a part of one side's army: see `AxisBattle.with_army` and `kamikaze_at`."""
    army = replace(battle.army(role), units=units)
    if role == "attack" and battle.kamikaze:
        return replace(battle, attacker=army, kamikaze=kamikaze_at(battle, army))
    return battle.with_army(role, army)


def check_memory(numbers: int) -> None:
    """Refuse a computation that would take too much memory with a TooLargeError.

    Args:
        numbers: How many numbers it keeps at once.
    """
    if numbers > MOST_NUMBERS:
        raise TooLargeError("units", "an army of this size has too many parts to try them all")


class Parts:
    """All parts of one side's army, without ships that bombard a battle on land. Part 0 is the empty one.

    Parts stand in the order of `level`: a loss always leads to a lower level. A level is a span of money, `cheapest`
    hundredths wide, and goes down also if a hit costs nothing.

    Attributes:
        segments: The order of loss. Units kept to the last have segments of their own.
        active: The units of each part: [part, segment].
        counts: The units of each part by kind: [part, kind].
        cost: The worth of each part in money.
        level: The level of each part.

    Raises:
    Args:
        battle, role: The battle with the whole army, and the role of that.
        money: The most that a part may cost.

    Raises:
        TooLargeError: If there are more than `MOST_PARTS`.
    """

    def __init__(self, battle: AxisBattle, role: Role, money: float = inf) -> None:
        side = battle.army(role)
        kinds = battle.segments(role, replace(side, keep_land=0, aa_second_last=False))
        sizes = [segment.units + 1 for segment in kinds]
        self._radix = np.array([prod(sizes[place + 1 :]) for place in range(len(sizes))], np.int64)
        prices = [0 if segment.spare else round(segment.unit.cost * HUNDREDTHS) for segment in kinds]
        self.cheapest = min((price for price in prices if price), default=1)
        counts = counts_within(sizes, prices, money * HUNDREDTHS)
        counts = counts[self._possible_mask(kinds, counts.T)]
        cost, free = counts @ np.array(prices, np.int64), counts @ np.array([int(not price) for price in prices])
        self.steps = 1 + int(free.max())
        level = cost // self.cheapest * self.steps + free
        order = np.argsort(level, kind="stable")
        self._sorted_codes = counts @ self._radix
        self._places = np.argsort(order)
        self.counts: Nodes = np.ascontiguousarray(counts[order])
        self.cost: Values = cost[order] / HUNDREDTHS
        self.level, self._code = level[order], self._sorted_codes[order]
        self.kinds = kinds
        self._arrange(side.keep_land, side.aa_second_last)

    def _possible_mask(self, kinds: tuple[Segment, ...], counts: Nodes) -> Nodes:
        """Which of these counts are possible: no more spare hits than ships."""
        possible = np.ones(counts.shape[1], bool)
        for place, segment in enumerate(kinds):
            if segment.spare:
                own = next(i for i, other in enumerate(kinds) if other.unit is segment.unit and not other.spare)
                possible &= counts[place] <= counts[own]
        return possible

    def _arrange(self, keep_land: int, guns_last: bool) -> None:
        """Put the units of each part in order; `_source` has the kind of each segment."""
        kinds, counts = self.kinds, self.counts
        places = range(len(kinds))
        last = np.zeros_like(counts)
        guns = [place for place in places if guns_last and kinds[place].unit.antiaircraft]
        left = np.full(len(counts), 1 if guns else keep_land)
        for place in reversed(places):  # most protected first
            if place not in guns and (guns or kinds[place].unit.can_be_kept):
                last[:, place] = np.minimum(counts[:, place], left)
                left = left - last[:, place]
        early = [place for place in places if place not in guns]
        late = [place for place in early if last[:, place].any()]
        self._source = np.array([*early, *guns, *late], np.int64)
        self.segments = tuple(kinds[place] for place in self._source)
        self.active: Nodes = np.concatenate([(counts - last)[:, early], counts[:, guns], last[:, late]], axis=1)

    def __len__(self) -> int:
        """The number of parts."""
        return len(self.counts)

    @cached_property
    def rank(self) -> Nodes:
        """The number of hits that destroy each part."""
        rank: Nodes = self.counts.sum(axis=1)
        return rank

    @cached_property
    def whole(self) -> Nodes:
        """The parts without damaged ships."""
        unharmed = np.ones(len(self), bool)
        for place, segment in enumerate(self.kinds):
            if segment.spare:
                own = next(i for i, other in enumerate(self.kinds) if other.unit is segment.unit and not other.spare)
                unharmed &= self.counts[:, place] == self.counts[:, own]
        return np.flatnonzero(unharmed)

    @cached_property
    def after_hit(self) -> Nodes:
        """The part that a hit leaves of each part."""
        return self._without_first([True] * len(self.segments))

    @cached_property
    def without_plane(self) -> Nodes:
        """Each part without its next plane; the part itself if it has none."""
        return self._without_first([is_plane(segment.unit) for segment in self.segments])

    @cached_property
    def without_kind(self) -> dict[str, Nodes]:
        """Each part without a plane of each kind; the part itself if it has none."""
        kinds = [segment.unit for segment in self.segments if is_plane(segment.unit)]
        return {kind.name: self._without_first([part.unit is kind for part in self.segments]) for kind in kinds}

    def _without_first(self, which: Sequence[bool]) -> Nodes:
        """Each part without the next unit of these segments."""
        lost = np.zeros(len(self), np.int64)
        for place in reversed(range(len(self.segments))):
            if which[place]:
                lost = np.where(self.active[:, place] > 0, self._radix[self._source[place]], lost)
        return self._place(self._code - lost)

    def _place(self, codes: Nodes) -> Nodes:
        """The places of the parts with these codes."""
        return np.asarray(self._places[np.searchsorted(self._sorted_codes, codes)])

    @cached_property
    def landed_part(self) -> Nodes:
        """Each part without the units that can retreat; the part itself if all or none can."""
        landed = np.array([segment.unit.amphibious for segment in self.kinds], bool)
        alone = self._place(self.counts[:, landed] @ self._radix[landed])
        return np.where(alone == 0, np.arange(len(self)), alone)

    def forces(self, some: Nodes) -> list[Force]:
        """Return parts as forces with the segments `kinds`.

        Args:
            some: The places of the parts.
        """
        gone = (0,) * len(self.kinds)
        return [Force(tuple(counts), gone) for counts in self.counts[some].tolist()]


def counts_within(sizes: Sequence[int], prices: Sequence[int], money: float) -> Nodes:
    """Return all combinations of counts that cost so much at most, in the order of their codes: [combination, kind].

    Args:
        sizes: The counts of each kind are below its size.
        prices: The price of one of each kind.
        money: The most that a combination may cost.

    Raises:
        TooLargeError: There are too many.
    """
    counts, cost = np.zeros((1, 0), np.int64), np.zeros(1, np.int64)
    for size, price in zip(sizes, prices, strict=True):
        size = int(min(size, money // price + 1)) if price else size
        if len(counts) * size > MOST_TRIED:
            raise _too_many_error()
        costs = np.add.outer(cost, price * np.arange(size)).reshape(-1)
        some = np.flatnonzero(costs <= money)
        if len(some) > MOST_PARTS:
            raise _too_many_error()
        counts, cost = np.column_stack([counts[some // size], some % size]), costs[some]
    return counts


def _too_many_error() -> TooLargeError:
    return TooLargeError(
        "units", "an army of this size has too many parts to try; the limit is {most}", most=MOST_PARTS
    )
