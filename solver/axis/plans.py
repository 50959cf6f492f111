"""When the attacker retreats: rules that look at the next round, and rules that plan to the end of the battle.

A battle pays the defender's losses less the attacker's, in money, from its beginning on. So the gain of going on is the
worth of going on less the worth of retreating here. Rules that plan are solved backward, from the last rounds to the
first; each of them takes the stops of the others as given.
"""

from collections.abc import Sequence
from functools import cached_property
from math import sqrt
from typing import NamedTuple

import numpy as np

from solver.axis.chain import AxisChain, AxisKernel
from solver.axis.course import has_first_round
from solver.axis.ends import AxisEnds
from solver.axis.kernel.forces import Forces, Nodes
from solver.axis.kernel.ground import Choice, Limit
from solver.axis.kernel.hits import CHANCES, Laws, UnitCounts, tails
from solver.axis.sides import LOW_LUCK, Dice, Retreat, Ruling
from solver.chain import Grid, Mask, backward

SAME = 1e-9
"""Rounding may put the worth of going on below the limit of a rule by this much."""


class Future(NamedTuple):
    """The worth of later waves to the attacker, in money.

    Attributes:
        ends: The worth of each end beside its own payoff: [row, column].
        unmade: The worth of declining the battle, for each force with which the defender may begin.
    """

    ends: Grid
    unmade: list[float]


class RetreatPlans:
    """The attacker's plan: whether to attack at all, and where to stop.

    In its methods `start` is the place of the defender's force among those with which they may begin.

    Attributes:
        stops: Whether the attacker stops: [row, column].
        fixed: Whether a rule applies that does not plan: [row, column].
        worth: The worth of every cell, [payoff, row, column]: see `pays`. None if no rule plans.

    Args:
        chain: The chain of the battle.
        future: The worth of later waves; None for a battle of one wave.
        always: Whether to compute the worth of every cell even if no rule asks for it.
    """

    def __init__(self, chain: AxisChain, future: Future | None = None, always: bool = False) -> None:
        self.chain, self.battle, self.future = chain, chain.battle, future
        self.retreat = chain.battle.retreat
        self.fixed = self._rule_stops()
        self.stops = self.fixed.copy()
        self.worth = self._solve_plans() if self.retreat.plans or always else None

    # Rules that look at the next round -------------------------------------------------------------------

    def _rule_stops(self) -> Mask:
        """The cells in which a rule applies that does not plan."""
        if not self.retreat:
            return np.zeros((len(self.chain.attack), len(self.chain.defence)), bool)
        stops = next_round_stops(self.retreat, self.chain.attack, self.chain.defence)
        meets = (self.chain.fights & ~self.chain.submerges) | self.chain.leaves
        return stops & meets & self.chain.can_retreat[:, None]

    # Rules that plan -------------------------------------------------------------------------------------

    def _solve_plans(self) -> Grid:
        """Find the stops of the rules that plan; return the worth of every cell: see `pays`."""
        kernel = self.chain.kernel()
        height = kernel.empty().shape[0]
        worth = np.zeros((len(self.pays), height, self.pays.shape[2]))
        worth[:, : self.pays.shape[1]] = self.pays
        stoppable = self.chain.fights & self.chain.can_retreat[:, None]
        limits = limits_of(self.retreat)
        kernel.choice = Choice(worth, self.pays, self.fixed, stoppable, self.stops, limits, self.chain.stays)
        early = self._foresee_leaving(worth, limits)
        backward(kernel, worth)
        self.stops |= early
        return worth

    def _foresee_leaving(self, worth: Grid, limits: Sequence[Limit]) -> Mask:
        """Set the worth of the cells in which the defender leaves; return where the attacker stops before that."""
        chain, stops = self.chain, np.zeros_like(self.stops)
        rows, columns = np.nonzero(chain.leaves)
        if len(rows):
            going = self.pays[:, rows, chain.left[columns]]
            worth[:, rows, columns] = going
            allowed = chain.leaves & chain.can_retreat[:, None]
            choice = Choice(worth, self.pays, self.fixed, allowed, stops, limits, chain.stays)
            worth[:, rows, columns] = choice.choose(rows, columns, going)
        return stops

    @cached_property
    def pays(self) -> Grid:
        """The payoff of an end in each cell: the profit in money, and 1 for a win if a rule asks for it. [payoff, row,
        column].
        """
        profit = self._cells.planned_profit
        won = [] if self.retreat.win_chance_below is None else [self._cells.planned_win]
        return np.stack([profit if self.future is None else profit + self.future.ends, *won])

    @cached_property
    def _cells(self) -> "AxisEnds":
        """All cells as ends."""
        attack, defence = self.chain.attack, self.chain.defence
        return AxisEnds(self.battle, attack, defence, *np.ogrid[: len(attack), : len(defence)])

    # Whether to attack -----------------------------------------------------------------------------------

    def declines(self) -> list[bool]:
        """Return whether the attacker declines the battle, for each force with which the defender may begin.

        The attacker declines if a rule applies before the first shot, and if there would be a fight at all, or planes
        would crash. Rules that plan also weigh the destruction of helpless defenders.
        """
        if not (self.battle.decline_allowed and self.retreat):
            return [False] * len(self.chain.columns)
        first = self.chain.bombardment_kernel()
        return [self._declines_against(first, start) for start in range(len(self.chain.columns))]

    def _declines_against(self, first: AxisKernel, start: int) -> bool:
        """Whether the attacker declines the battle against one force."""
        chain = self.chain
        row, column = chain.row, chain.columns[start]
        law = first.empty()
        law[row, column] = 1
        first.make_moves(law)
        where = law[: len(chain.attack)] > 0
        ships_alone = bool(self.battle.fleet) and not chain.attack.alive[row] and bool(chain.defence.helpless[column])
        overruns = self.battle.ruling >= Ruling.HELPLESS_FALL and (ships_alone or bool(chain.overruns[where].any()))
        if not first.fights[where].any() and (overruns or not self._crashes(where)):
            return overruns and self._gains_too_little(first, start)
        return self._declines_by_units(row, column) or self._gains_too_little(first, start)

    def _declines_by_units(self, row: int, column: int) -> bool:
        """Whether a rule of the plan that looks at the units alone declines the battle."""
        chain, plan = self.chain, self.retreat
        if plan.units_at_most is not None and chain.attack.units[row] <= plan.units_at_most:
            return True
        if plan.transports_alone and chain.attack.harmless[row]:
            return True
        if plan.clear_chance_above is not None:
            ships = chain.attack.with_ships(self.battle.fleet)
            if _chance_of_hits(ships, chain.defence.rank)[row, column] > plan.clear_chance_above + SAME:
                return True
        if plan.air_loss_chance_above is None:
            return False
        return bool(_plane_losses(chain.attack, chain.defence)[row, column] > plan.air_loss_chance_above + SAME)

    def _crashes(self, where: Mask) -> bool:
        """Whether planes crash in any of these cells although nobody can hit anybody."""
        return bool(AxisEnds(self.battle, self.chain.attack, self.chain.defence, *np.nonzero(where)).crashes.any())

    def _gains_too_little(self, first: AxisKernel, start: int) -> bool:
        """Whether an attack is worth less than a rule that plans asks for."""
        plan = self.retreat
        if self.worth is None:
            return False
        worth = self.worth_of_attacking(first, start)
        if plan.profit_below is not None and worth[0] - self.worth_of_declining(start) < plan.profit_below - SAME:
            return True
        return plan.win_chance_below is not None and worth[1] < plan.win_chance_below - SAME

    def worth_of_declining(self, start: int) -> float:
        """Return the profit of declining the battle, see `RetreatPlans`. No plane crashes then."""
        return self.defender_loss_before(start) + (self.future.unmade[start] if self.future else 0.0)

    def defender_loss_before(self, start: int) -> float:
        """Return the money that the defender has lost before the battle: see `RetreatPlans`."""
        defence = self.chain.defence
        return defence.whole_cost - float(defence.cost_left[self.chain.columns[start]])

    def worth_of_attacking(self, first: AxisKernel, start: int) -> list[float]:
        """Return the worth of an attack, for each of `pays`, by the kernel of the first round: see `RetreatPlans`."""
        assert self.worth is not None
        return [float(worth) for worth in worth_of_start(self.chain, first, self.worth, start)]


def limits_of(retreat: Retreat) -> list[Limit]:
    """Return the limits of the rules that plan.

    Args:
        retreat: The rules.
    """
    profit, win = retreat.profit_below, retreat.win_chance_below
    limits = [] if profit is None else [Limit(0, profit - SAME, gained=True)]
    return limits if win is None else [*limits, Limit(1, win - SAME, gained=False)]


def worth_of_start(chain: AxisChain, first: AxisKernel, worth: Grid, start: int = 0) -> Grid:
    """Return the worth of an attack before the opening: [payoff].

    Args:
        chain: The chain of the battle.
        first: The kernel of the first round, in which ships fire too.
        worth: The worth of every cell: [payoff, row, column].
        start: The place of the defender's force among those with which they may begin.
    """
    law = first.empty()
    chain.begin(law, [float(place == start) for place in range(len(chain.columns))])
    return worth_after_opening(chain, first, worth, law)


def worth_after_opening(chain: AxisChain, first: AxisKernel, worth: Grid, law: Grid) -> Grid:
    """Return the worth of an attack after the opening: [payoff].

    Args:
        chain: The chain of the battle.
        first: The kernel of the first round, in which ships fire too.
        worth: The worth of every cell: [payoff, row, column].
        law: The probability of each cell after the opening; it is changed.
    """
    first.make_moves(law)
    if has_first_round(chain.battle):
        # Fought forward, as the worth of cells amid a round is that of later rounds.
        fighting = law.copy()
        law[...] = 0
        first.spread(law, fighting, (0, 0))
    return np.asarray((worth * law).sum(axis=(1, 2)))


def next_round_stops(retreat: Retreat, attack: Forces, defence: Forces) -> Mask:
    """Return whether a rule applies that looks no further than the next round: [attacker, defender].

    Args:
        retreat: The rules.
        attack: The attacker's forces.
        defence: The defender's forces.
    """
    stops = np.zeros((len(attack.active), len(defence.active)), bool)
    if retreat.units_at_most is not None:
        stops |= np.asarray(attack.units <= retreat.units_at_most)[:, None]
    if retreat.transports_alone:
        stops |= attack.harmless[:, None]
    if retreat.clear_chance_above is not None:
        stops |= _chance_of_hits(attack, defence.rank) > retreat.clear_chance_above + SAME
    if retreat.air_loss_chance_above is not None:
        stops |= _plane_losses(attack, defence) > retreat.air_loss_chance_above + SAME
    return stops


def _plane_losses(attack: Forces, defence: Forces) -> Grid:
    """The probability that the attacker loses a plane in the next round on land: [attacker, defender]."""
    planes = np.array([segment.unit.kind == "air" for segment in attack.segments], bool)
    flying = planes[None, :] & (attack.active > 0)
    has = np.asarray(flying.any(axis=1))
    before = np.where(np.cumsum(flying, axis=1) > 0, 0, attack.active).sum(axis=1)
    return np.where(has[:, None], _chance_of_hits(defence, before + 1).T, 0.0)


def _chance_of_hits(shooter: Forces, hits: Nodes) -> Grid:
    """The probability of at least so many hits in a round on land: [shooter, number of hits]."""
    law = shooter.laws("all")
    chances = np.concatenate([tails(law), np.zeros((len(law), 1))], axis=1)
    return np.asarray(chances[:, np.minimum(hits, law.shape[1])])


class LikelyHits:
    """The highest number of hits that is likelier than a chance, for one volley after another with the same dice."""

    def __init__(self, dice: Dice, chance: float) -> None:
        self.dice, self.chance = dice, chance + SAME
        self._known: dict[tuple[int, ...], int] = {}

    def limits(self, powers: UnitCounts) -> UnitCounts:
        """Return the highest number of hits that each volley reaches with more than this chance; -1 for none.

        Args:
            powers: How many units of each strength fire in each volley: [volley, strength 0 to 6].
        """
        if self.chance >= 1:
            return np.full(len(powers), -1)
        if faces := LOW_LUCK.get(self.dice):
            sure, over = np.divmod(powers @ np.arange(powers.shape[1]), faces)
            return np.asarray(sure + (over / faces > self.chance))
        volleys, place = np.unique(powers[:, 1:], axis=0, return_inverse=True)
        return np.array([self._limit(tuple(counts)) for counts in volleys.tolist()], np.int64)[place.reshape(-1)]

    def _limit(self, counts: tuple[int, ...]) -> int:
        if counts not in self._known:
            low, law = 0, np.ones(1)
            for count, chance in zip(counts, CHANCES[self.dice][1:], strict=False):
                first, more = _binomial(count, chance)
                low, law = low + first, np.convolve(law, more)
            self._known[counts] = low + int((law[::-1].cumsum() > self.chance).sum()) - 1
        return self._known[counts]


def _binomial(count: int, chance: float) -> tuple[int, Laws]:
    """The law of the hits of so many units: the least number, and the chances from there on. Chances below 1e-30 may be
    left out.
    """
    mean, far = count * chance, 30 + 12 * sqrt(count * chance * (1 - chance))
    if not mean or chance == 1:
        return count if mean else 0, np.ones(1)
    hits = np.arange(max(int(mean - far), 0), min(int(mean + far), count) + 1)
    steps = np.log((count + 1 - hits[1:]) / hits[1:] * (chance / (1 - chance))).cumsum()
    law = np.exp(np.append(0.0, steps) - steps.max(initial=0.0))
    return int(hits[0]), law / law.sum()
