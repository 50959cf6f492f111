"""One backward sweep over every part of one side's army against every force of the other side, on land or without subs.

The worth of a cell (part, force) is the mean worth of the cells after the next round. Losses lead from a part to lower
levels (parts.py), and parts of a level never feed each other; so a level is a few products of matrices. A cell that
feeds itself is divided by the chance of leaving it, which is a sum of leaving chances. The attacker's choice depends on
the cell alone, so every part follows its own plan.

Every hit may take any unit here; sea_sweep.py covers battles with submarines.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.best.parts import Parts
from solver.axis.chain import AxisChain
from solver.axis.course import few_are_left, fight_mask, leaves_field
from solver.axis.ends import AxisEnds
from solver.axis.kernel.forces import Forces, Nodes, Take, can_leave
from solver.axis.kernel.hits import Laws, tails
from solver.axis.plans import SAME, next_round_stops
from solver.axis.sides import Retreat
from solver.axis.units import Role
from solver.chain import Grid, Mask

SMALL, LEAST_TOGETHER = 250_000, 8
"""One core makes products of matrices with up to so many terms; at least so many shooters are taken together."""
PAGE, MOST_PAGES = 768, 64
"""The number of parts on a page, and the highest number of pages before pages grow."""
MOST_AT_ONCE = 300_000
"""About how many numbers a block has."""
Payoff = Literal["survives", "wins", "profit", "planned_profit", "planned_win"]
"""The payoffs of a cell: the probability that the side with the parts survives; the probability that the attacker wins;
the attacker's profit; that profit, and that probability, as the attacker's plan counts them."""


class Page(NamedTuple):
    """Some parts, and the facts about their cells that need no sweep.

    Attributes:
        rows: The places of the parts.
        forces: The parts as forces.
        laws: The laws of their hits: [part, hits].
        pays: The payoff of an end in each cell: [payoff, part, force].
        fights: Whether both sides meet in the first round, and in later ones if the defender does not leave:
            [part, force].
        leaves: Whether the defender leaves after a round because few are left: [part, force].
        left: The payoff of an end in each cell after the defender has left: [payoff, part, force].
        may: Whether the attacker may retreat: [part, force].
        fixed: Whether the attacker retreats by a rule that looks no further than the next round: [part, force].
    """

    rows: slice
    forces: Forces
    laws: Laws
    pays: Grid
    fights: Mask
    leaves: Mask
    left: Grid
    may: Mask
    fixed: Mask


class Sweep:
    """The sweep over all cells.

    Attributes:
        worth: The worth of each cell: [payoff, part, force].
        stops: Whether the attacker retreats: [part, force].

    Args:
        chain: The chain of the battle with the whole army.
        parts, role: The parts of the army, and its role.
        payoffs: The payoffs to compute.
        battle: The battle; that of the chain has no defender who leaves.
        everywhere: Whether the attacker retreats wherever a unit can.
    """

    def __init__(
        self,
        chain: AxisChain,
        parts: Parts,
        role: Role,
        payoffs: Sequence[Payoff],
        battle: AxisBattle,
        everywhere: bool = False,
    ) -> None:
        self.chain, self.battle, self.parts, self.role = chain, battle, parts, role
        self.payoffs, self.everywhere = tuple(payoffs), everywhere
        self.other = chain.defence if role == "attack" else chain.attack
        shape = len(parts), len(self.other.nodes)
        self.worth = np.zeros((len(payoffs), *shape))
        self.stops = np.zeros(shape, bool)
        self.taken = self.other.nodes_after(Take("any"), int(self.other.rank.max(initial=0)))
        bounds = np.flatnonzero(np.diff(self.other.rank, prepend=-1)).tolist()
        self._ranks = [slice(*pair) for pair in pairwise([*bounds, shape[1]])]
        self._known_laws: dict[int, Laws] = {}

    def run(self) -> Iterator[Page]:
        """Sweep page after page; yield each page once the worth of its cells is known."""
        landed = any(segment.unit.amphibious for segment in self.chain.segments[0])
        for page in self.pages():
            if self.everywhere and not landed:
                self.worth[:, page.rows] = page.pays  # Everybody retreats at once.
                yield page
                continue
            level = self.parts.level[page.rows]
            bounds = [*np.flatnonzero(np.diff(level, prepend=-1)).tolist(), len(level)]
            for start, stop in pairwise(bounds):
                for some in self.blocks(page, start, stop):
                    self._pull(page, some)
            yield page

    def rounds(self, count: int, stops: Mask | None) -> None:
        """Change `worth`, after a sweep, to that of a battle with a limit of rounds.

        Args:
            count: The highest number of rounds.
            stops: Whether the attacker retreats by a plan: [part, force]; None if no rule plans.
        """
        ends, before = self.worth, self.worth.copy()
        pages = list(self.pages())
        for _ in range(count):
            after = np.empty_like(before)
            for page in pages:
                for some in self.blocks(page):
                    rows = page_parts(page, some)
                    law = page.laws[some]
                    goes_on = page.fights[some] & ~(page.fixed[some] if stops is None else stops[rows])
                    fought = self.worth_after_hits(self.worth_after_fire(before, rows, self.laws(rows)), law)
                    fought = np.where(page.leaves[some], page.left[:, some], fought)
                    after[:, rows] = np.where(goes_on, fought, ends[:, rows])
            before = after
        self.worth = before

    def rounds_to_leaving(self, fought: int) -> None:
        """Set `worth` to that after the first rounds of a battle in which the defender leaves after some rounds.

        Args:
            fought: The number of the first rounds.
        """
        last, limit = self.battle.defender_retreat.rounds or 0, self.battle.round_limit
        pages = list(self.pages())
        for done in range(last, fought - 1, -1):
            ahead, self.worth = self.worth, np.empty_like(self.worth)
            for page in pages:
                for some in self.blocks(page):
                    going, rows = page.left[:, some], page_parts(page, some)
                    if done < last:
                        harmed = self.worth_after_fire(ahead, rows, self.laws(rows))
                        on = self.worth_after_hits(harmed, page.laws[some])
                        going = np.where(page.leaves[some], going, on)
                    self.worth[:, rows] = np.where(page.fights[some], going, page.pays[:, some])
            over = limit is not None and done >= limit
            stopped = [self._worth_with_stops(page, page.may if over else page.fixed) for page in pages]
            self.worth = np.concatenate(stopped, axis=1)

    def _worth_with_stops(self, page: Page, stops: Mask) -> Grid:
        """The worth of the cells of a page where the attacker stops in some; landed units that stay never stop."""
        going = self.worth[:, page.rows]
        paid = self._worth_of_retreat(page.rows, page, slice(None))
        if self.role == "defence":
            stay = self.chain.stays
            paid = np.where(stay == np.arange(len(stay)), paid, going[:, :, stay])
        return np.where(stops, paid, going)

    # Pages -----------------------------------------------------------------------------------------------

    def pages(self) -> Iterator[Page]:
        """Yield all parts, cheapest first."""
        size = max(PAGE, len(self.parts) // MOST_PAGES)
        for start in range(0, len(self.parts), size):
            yield self._page(slice(start, min(start + size, len(self.parts))))

    def _page(self, rows: slice) -> Page:
        """Some parts made ready for the sweep."""
        parts, chain = self.parts, self.chain
        active = parts.active[rows]
        forces = Forces(parts.segments, self.role, self.battle.unit_dice, active, np.zeros_like(active))
        ours = self.role == "attack"
        attack, defence = (forces, self.other) if ours else (self.other, forces)
        own, others = np.ogrid[: len(active), : len(self.other.nodes)]
        cells = (own, others) if ours else (others, own)
        fights = fight_mask(attack, defence, *cells)
        pays = self._payoffs(AxisEnds(self.battle, attack, defence, *cells))
        leaves, left = np.zeros_like(fights), pays
        if self.battle.defender_retreat:
            leaves = fights & few_are_left(self.battle, defence)[cells[1]]
            left = self._payoffs(AxisEnds(self.battle, attack, _without_leavers(defence), *cells))
        if self.battle.ends_early:
            can = attack.count(can_leave) > 0
            may = fights & can[cells[0]]
            fixed = next_round_stops(self.battle.retreat, attack, defence)
            fixed = may & (fixed if ours else fixed.T)
        else:
            may = fixed = np.zeros_like(fights)
        laws = cap_hits(forces.laws("all"), self.taken.shape[1] - 1)
        chain.meter.add(float(fights.size) * (4 + 2 * len(pays)) + 3 * laws.size)
        return Page(rows, forces, laws, pays, fights, leaves, left, may, fixed)

    def _payoffs(self, ends: AxisEnds) -> Grid:
        """The payoff of an end in each cell: [payoff, part, force]."""
        return np.stack([payoff(ends, name, self.role) for name in self.payoffs])

    def blocks(self, page: Page, start: int = 0, stop: int | None = None) -> Iterator[slice]:
        """Yield so many parts of a page at a time as are fast to work on together.

        Args:
            page: The page.
            start: The first place in the page.
            stop: The place after the last; None for the end of the page.
        """
        stop = page.rows.stop - page.rows.start if stop is None else stop
        others, hits = self.taken.shape
        rank = max(int(self.parts.rank[page.rows.start + stop - 1]), 1)
        each = others * max(hits, others, rank) * len(self.payoffs)
        at_once = max(MOST_AT_ONCE // each, 1)
        for first in range(start, stop, at_once):
            yield slice(first, min(first + at_once, stop))

    # Rounds ----------------------------------------------------------------------------------------------

    def laws(self, rows: slice) -> Laws:
        """Return the laws of the other side's hits, up to as many as some parts can take: [force, hits].

        Args:
            rows: The places of the parts.
        """
        rank = int(self.parts.rank[rows].max())
        if rank not in self._known_laws:
            self._known_laws[rank] = cap_hits(self.other.laws("all"), rank)
        return self._known_laws[rank]

    def worth_after_fire(self, worth: Grid, rows: slice, laws: Laws, first: int = 0) -> Grid:
        """Return the worth of parts after the other side's hits, weighted: [payoff, part, shooter, force].

        It is many small products of matrices. Large ones would be shared among the cores of the processor, which costs
        more than it saves if these have other work.

        Args:
            worth: The worth of all cells: [payoff, part, force].
            rows: The places of the parts.
            laws: The laws of the shooters' hits: [shooter, hits].
            first: The lowest number of hits that counts.
        """
        after = np.empty((rows.stop - rows.start, laws.shape[1]), np.int64)
        after[:, 0] = np.arange(rows.start, rows.stop)
        for hits in range(1, laws.shape[1]):
            after[:, hits] = self.parts.after_hit[after[:, hits - 1]]
        lower = np.take(worth, after[:, first:], axis=1)
        self.chain.meter.add(float(lower.size) * (0.25 + 0.03 * len(laws)))
        together = max(SMALL // (lower.shape[2] * lower.shape[3]), LEAST_TOGETHER)
        parts = [laws[start : start + together, first:] @ lower for start in range(0, len(laws), together)]
        return np.concatenate(parts, axis=2) if len(parts) > 1 else parts[0]

    def worth_after_hits(self, harmed: Grid, own: Laws, forces: slice | Nodes = slice(None)) -> Grid:
        """Return the mean worth over the hits of the parts: [payoff, part, force].

        Args:
            harmed: The worth after the other side's hits, as `worth_after_fire` returns it.
            own: The laws of the parts' hits: [part, hits].
            forces: The forces that are hit.
        """
        payoffs, parts, shooters, others = harmed.shape
        self.chain.meter.add(0.5 * payoffs * parts * shooters * self.taken.shape[1])
        place = np.arange(shooters)[:, None] * others + self.taken[forces]
        fallen = np.take(harmed.reshape(payoffs, parts, -1), place, axis=2)
        return np.asarray((fallen @ own[:, :, None])[..., 0])

    def _pull(self, page: Page, some: slice) -> None:
        """Set the worth of the cells of some parts of a level."""
        rows = page_parts(page, some)
        own, fights, pays = page.laws[some], page.fights[some] & ~page.leaves[some], page.pays[:, some]
        laws = self.laws(rows)
        self.chain.meter.add(20_000 + 1_500.0 * len(self._ranks))
        leave = own[:, 1:].sum(axis=1)[:, None] + own[:, :1] * laws[:, 1:].sum(axis=1)
        shares = np.divide(1.0, leave, out=np.zeros_like(leave), where=fights & (leave > 0))
        # All that follows a loss of the part is known already; other cells of the row are taken rank by rank.
        worth = np.where(page.leaves[some], page.left[:, some], pays)
        if laws.shape[1] > 1:
            ahead = self.worth_after_hits(self.worth_after_fire(self.worth, rows, laws, first=1), own) * shares
            worth = np.where(shares > 0, ahead, worth)
        else:
            worth = np.where(shares > 0, 0.0, worth)
        feed = (laws[:, 0] * shares)[:, :, None] * own[:, None, 1:]
        paid = self._worth_of_retreat(rows, page, some) if self.battle.ends_early else pays
        for rank in self._ranks:
            lower = np.take(worth, self.taken[rank, 1:], axis=2)
            going = worth[:, :, rank] + np.einsum("xngi,ngi->xng", lower, feed[:, rank])
            if self.battle.ends_early:
                going = self._choose(page, some, rank, worth, going, paid)
            worth[:, :, rank] = going
        self.worth[:, rows] = worth

    # Plans -----------------------------------------------------------------------------------------------

    def _worth_of_retreat(self, rows: slice, page: Page, some: slice) -> Grid:
        """The worth of retreating, as far as it is known before the cells of these parts are."""
        paid = page.pays[:, some].copy()
        if self.role == "attack":
            # Units that cannot leave fight on; units that have left are not lost.
            stay = self.parts.landed_part[rows]
            split = np.flatnonzero(stay != np.arange(rows.start, rows.stop))
            if len(split):
                left_behind = self.worth[:, stay[split]]
                gone = (self.parts.cost[rows][split] - self.parts.cost[stay[split]])[:, None]
                for name, value in zip(self.payoffs, left_behind, strict=True):
                    if name == "survives":
                        value[:] = 1
                    elif name in ("profit", "planned_profit"):
                        value += gone
                paid[:, split] = left_behind
        return paid

    def _choose(self, page: Page, some: slice, rank: slice, worth: Grid, going: Grid, paid: Grid) -> Grid:
        """The worth of cells with the attacker's choice."""
        may, pays = page.may[some, rank], paid[:, :, rank]
        if self.role == "defence":
            stay = self.chain.stays[rank]
            pays = np.where(stay == np.arange(rank.start, rank.stop), pays, worth[:, :, stay])
        stops = may if self.everywhere else page.fixed[some, rank] | (may & self._planned_stops(going, pays))
        self.stops[page_parts(page, some), rank] = stops
        return np.where(stops, pays, going)

    def _planned_stops(self, going: Grid, pays: Grid) -> Mask:
        """Whether going on is worth less than a rule asks for."""
        stops = np.zeros(going.shape[1:], bool)
        for name, minimum in planned_payoffs(self.battle.retreat):
            place = self.payoffs.index(name)
            stops |= going[place] - (pays[place] if name == "planned_profit" else 0) < minimum - SAME
        return stops


def _without_leavers(defence: Forces) -> Forces:
    """The defender's forces after they have left the field."""
    leaving = defence.active * np.array([leaves_field(segment.unit) for segment in defence.segments], bool)
    active, gone = defence.active - leaving, defence.gone + leaving
    return Forces(defence.segments, "defence", defence.dice, active, gone, defence.whole)


def payoff(ends: AxisEnds, name: Payoff, role: Role) -> Grid:
    """Return the payoff of an end in each cell.

    Args:
        ends: The ends.
        name: The kind of payoff.
        role: The role of the side that "survives" is about.
    """
    stands = "attacker_stands" if role == "attack" else "defender_stands"
    pays = getattr(ends, stands if name == "survives" else name)
    return np.broadcast_to(np.asarray(pays, float), ends.cleared.shape)


def planned_payoffs(plan: Retreat) -> list[tuple[Payoff, float]]:
    """Return the payoffs by which the attacker plans, and the least worth of each at which they go on.

    Args:
        plan: The rules for retreating.
    """
    rules: list[tuple[Payoff, float | None]] = [
        ("planned_profit", plan.profit_below),
        ("planned_win", plan.win_chance_below),
    ]
    return [(name, minimum) for name, minimum in rules if minimum is not None]


def page_parts(page: Page, some: slice) -> slice:
    """Return the places of some parts of a page among all parts: see `Page`."""
    return slice(page.rows.start + some.start, page.rows.start + some.stop)


def cap_hits(laws: Laws, limit: int) -> Laws:
    """Return laws of hits in which more than `limit` hits count as so many: [force, 0 to most].

    Args:
        laws: The laws: [force, hits].
        limit: The highest number of hits.
    """
    if laws.shape[1] <= limit:
        return np.pad(laws, ((0, 0), (0, limit + 1 - laws.shape[1])))
    return np.concatenate([laws[:, :limit], tails(laws)[:, limit : limit + 1]], axis=1)
