"""One backward sweep over every part of one side's army against every force that the other side can come to.

What a battle is worth from a cell (part, force) on is the mean of what the cells after the next round are worth. Losses
lead from a part to lower levels (solver/parts.py), and parts of a level never feed each other, so a level is a few
products of matrices. A cell that feeds itself is divided by the chance of leaving it, a sum of leaving chances. What
the attacker does depends on the cell alone, so every part follows its own plan.

This is for battles in which every hit may take anybody; solver/axis_fleets.py has those with submarines.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np

from solver.axis_chain import AxisChain
from solver.chain import Grid, Mask
from solver.clashes import fighting
from solver.forces import Forces, Nodes, Take
from solver.hits import Laws, tails
from solver.parts import Parts
from solver.plans import SAME, Ends, next_round_stops
from solver.sides import Retreat
from solver.units import Role

SMALL, LEAST_TOGETHER = 250_000, 8
"""Products of matrices with so many terms are still made by one core; so many shooters are always taken together."""
PAGE, MOST_PAGES = 768, 64
"""So many parts are made ready at a time; more, rather than more often than that."""
MOST_AT_ONCE = 300_000
"""About how many numbers a block has that is worked on at a time."""
Payoff = Literal["survives", "wins", "profit", "planned_profit", "planned_win"]
"""What a cell may be worth: the chance that the side with the parts survives, that the attacker wins, the attacker's
profit, the same as the attacker plans by, and the chance of what is a victory in this plan."""


class Page(NamedTuple):
    """Some parts made ready: as forces, with the laws of their hits, and what is known of their cells: [part, force].

    `pays` is what it pays to end there, [payoff, part, force]. Where it `fights` a cell has a next round; the attacker
    `may` retreat from it, and does where a rule that looks no further is satisfied: `fixed`.
    """

    rows: slice
    forces: Forces
    laws: Laws
    pays: Grid
    fights: Mask
    may: Mask
    fixed: Mask


class Sweep:
    """What every cell is worth: `worth` is [payoff, part, force], and `stops` says where the attacker retreats.

    With `everywhere` the attacker retreats wherever somebody can.
    """

    def __init__(
        self, chain: AxisChain, parts: Parts, role: Role, payoffs: Sequence[Payoff], everywhere: bool = False
    ) -> None:
        self.chain, self.battle, self.parts, self.role = chain, chain.battle, parts, role
        self.payoffs, self.everywhere = tuple(payoffs), everywhere
        self.other = chain.defence if role == "attack" else chain.attack
        shape = len(parts), len(self.other.nodes)
        self.worth = np.zeros((len(payoffs), *shape))
        self.stops = np.zeros(shape, bool)
        self.taken = self.other.taken(Take("any"), int(self.other.rank.max(initial=0)))
        bounds = np.flatnonzero(np.diff(self.other.rank, prepend=-1)).tolist()
        self._ranks = [slice(*pair) for pair in pairwise([*bounds, shape[1]])]
        self._known_laws: dict[int, Laws] = {}

    def run(self) -> Iterator[Page]:
        """Sweep page after page: each comes once its cells' worth is known."""
        for page in self.pages():
            level = self.parts.level[page.rows]
            bounds = [*np.flatnonzero(np.diff(level, prepend=-1)).tolist(), len(level)]
            for start, stop in pairwise(bounds):
                for some in self.blocks(page, start, stop):
                    self._pull(page, some)
            yield page

    def rounds(self, count: int, stops: Mask | None) -> None:
        """After a sweep, for a battle of so many rounds at the most: what the cells are worth with these to go.

        `stops` says where the attacker retreats by a plan; None where no rule plans.
        """
        ends, before = self.worth, self.worth.copy()
        pages = list(self.pages())
        for _ in range(count):
            after = np.empty_like(before)
            for page in pages:
                for some in self.blocks(page):
                    rows = beyond(page, some)
                    law = page.laws[some]
                    goes_on = page.fights[some] & ~(page.fixed[some] if stops is None else stops[rows])
                    fought = self.hit(self.harmed(before, rows, self.laws(rows)), law)
                    after[:, rows] = np.where(goes_on, fought, ends[:, rows])
            before = after
        self.worth = before

    # Pages -----------------------------------------------------------------------------------------------

    def pages(self) -> Iterator[Page]:
        """All parts, cheapest first."""
        size = max(PAGE, len(self.parts) // MOST_PAGES)
        for start in range(0, len(self.parts), size):
            yield self._page(slice(start, min(start + size, len(self.parts))))

    def _page(self, rows: slice) -> Page:
        parts, chain = self.parts, self.chain
        active = parts.active[rows]
        forces = Forces(parts.segments, self.role, self.battle.dice, active, np.zeros_like(active))
        ours = self.role == "attack"
        attack, defence = (forces, self.other) if ours else (self.other, forces)
        own, others = np.ogrid[: len(active), : len(self.other.nodes)]
        cells = (own, others) if ours else (others, own)
        ends = Ends(self.battle, attack, defence, *cells)
        fights = fighting(attack, defence, *cells)
        pays = np.stack([payoff(ends, name, self.role) for name in self.payoffs])
        if self.battle.ends_early:
            can = attack.count(lambda unit: not unit.amphibious) > 0
            may = fights & can[cells[0]]
            fixed = next_round_stops(self.battle.retreat, attack, defence)
            fixed = may & (fixed if ours else fixed.T)
        else:
            may = fixed = np.zeros_like(fights)
        laws = capped(forces.laws("all"), self.taken.shape[1] - 1)
        chain.meter.add(float(fights.size) * (4 + 2 * len(pays)) + 3 * laws.size)
        return Page(rows, forces, laws, pays, fights, may, fixed)

    def blocks(self, page: Page, start: int = 0, stop: int | None = None) -> Iterator[slice]:
        """So many parts of a page at a time as are fast to work on together."""
        stop = page.rows.stop - page.rows.start if stop is None else stop
        others, hits = self.taken.shape
        most = max(int(self.parts.rank[page.rows.start + stop - 1]), 1)
        each = others * max(hits, others, most) * len(self.payoffs)
        at_once = max(MOST_AT_ONCE // each, 1)
        for first in range(start, stop, at_once):
            yield slice(first, min(first + at_once, stop))

    # Rounds ----------------------------------------------------------------------------------------------

    def laws(self, rows: slice) -> Laws:
        """The laws of the other side's hits, as many as one of these parts can take: [force, hits]."""
        most = int(self.parts.rank[rows].max())
        if most not in self._known_laws:
            self._known_laws[most] = capped(self.other.laws("all"), most)
        return self._known_laws[most]

    def harmed(self, worth: Grid, rows: slice, laws: Laws, first: int = 0) -> Grid:
        """What parts are worth after `first` hits or more, by the laws of some shooters.

        Answer [payoff, part, shooter, force]. That is many small products of matrices: of large ones the cores of the
        processor would take shares, which costs more than it saves where they have other work.
        """
        after = np.empty((rows.stop - rows.start, laws.shape[1]), np.int64)
        after[:, 0] = np.arange(rows.start, rows.stop)
        for hits in range(1, laws.shape[1]):
            after[:, hits] = self.parts.after[after[:, hits - 1]]
        lower = np.take(worth, after[:, first:], axis=1)
        self.chain.meter.add(float(lower.size) * (0.25 + 0.03 * len(laws)))
        together = max(SMALL // (lower.shape[2] * lower.shape[3]), LEAST_TOGETHER)
        parts = [laws[start : start + together, first:] @ lower for start in range(0, len(laws), together)]
        return np.concatenate(parts, axis=2) if len(parts) > 1 else parts[0]

    def hit(self, harmed: Grid, own: Laws, forces: slice | Nodes = slice(None)) -> Grid:
        """The mean of that over the hits of the parts on these forces: [payoff, part, force]."""
        payoffs, parts, shooters, others = harmed.shape
        self.chain.meter.add(0.5 * payoffs * parts * shooters * self.taken.shape[1])
        place = np.arange(shooters)[:, None] * others + self.taken[forces]
        fallen = np.take(harmed.reshape(payoffs, parts, -1), place, axis=2)
        return np.asarray((fallen @ own[:, :, None])[..., 0])

    def _pull(self, page: Page, some: slice) -> None:
        rows = beyond(page, some)
        own, fights, pays = page.laws[some], page.fights[some], page.pays[:, some]
        laws = self.laws(rows)
        self.chain.meter.add(20_000 + 1_500.0 * len(self._ranks))
        leave = own[:, 1:].sum(axis=1)[:, None] + own[:, :1] * laws[:, 1:].sum(axis=1)
        shares = np.divide(1.0, leave, out=np.zeros_like(leave), where=fights & (leave > 0))
        # Where the parts lose somebody, all that follows is known; else only while the other side does.
        worth = pays.copy()
        if laws.shape[1] > 1:
            ahead = self.hit(self.harmed(self.worth, rows, laws, first=1), own) * shares
            worth = np.where(shares > 0, ahead, worth)
        else:
            worth = np.where(shares > 0, 0.0, worth)
        feed = (laws[:, 0] * shares)[:, :, None] * own[:, None, 1:]
        paid = self._paid(rows, page, some) if self.battle.ends_early else pays
        for rank in self._ranks:
            lower = np.take(worth, self.taken[rank, 1:], axis=2)
            going = worth[:, :, rank] + np.einsum("xngi,ngi->xng", lower, feed[:, rank])
            if self.battle.ends_early:
                going = self._chosen(page, some, rank, worth, going, paid)
            worth[:, :, rank] = going
        self.worth[:, rows] = worth

    # Plans -----------------------------------------------------------------------------------------------

    def _paid(self, rows: slice, page: Page, some: slice) -> Grid:
        """What it pays to retreat, where that is known before the cells of these parts are."""
        paid = page.pays[:, some].copy()
        if self.role == "attack":
            # Who cannot leave fights on, and those who did are not lost.
            stay = self.parts.landed[rows]
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

    def _chosen(self, page: Page, some: slice, rank: slice, worth: Grid, going: Grid, paid: Grid) -> Grid:
        """What cells are worth with the attacker's choice."""
        may, pays = page.may[some, rank], paid[:, :, rank]
        if self.role == "defence":
            stay = self.chain.stays[rank]
            pays = np.where(stay == np.arange(rank.start, rank.stop), pays, worth[:, :, stay])
        stops = may if self.everywhere else page.fixed[some, rank] | (may & self._planned(going, pays))
        self.stops[beyond(page, some), rank] = stops
        return np.where(stops, pays, going)

    def _planned(self, going: Grid, pays: Grid) -> Mask:
        """Where going on is worth less than a rule asks for."""
        stops = np.zeros(going.shape[1:], bool)
        for name, least in planned_by(self.battle.retreat):
            place = self.payoffs.index(name)
            stops |= going[place] - (pays[place] if name == "planned_profit" else 0) < least - SAME
        return stops


def payoff(ends: Ends, name: Payoff, role: Role) -> Grid:
    """What it pays to end in each cell, where the side of this part is the one that survives or not."""
    stands = "attacker_stands" if role == "attack" else "defender_stands"
    pays = getattr(ends, stands if name == "survives" else name)
    return np.broadcast_to(np.asarray(pays, float), ends.cleared.shape)


def planned_by(plan: Retreat) -> list[tuple[Payoff, float]]:
    """The payoffs that the attacker plans by, and the least that each must be worth to go on."""
    rules: list[tuple[Payoff, float | None]] = [
        ("planned_profit", plan.profit_below),
        ("planned_win", plan.win_chance_below),
    ]
    return [(name, least) for name, least in rules if least is not None]


def beyond(page: Page, some: slice) -> slice:
    """The parts that stand in these places of a page."""
    return slice(page.rows.start + some.start, page.rows.start + some.stop)


def capped(laws: Laws, most: int) -> Laws:
    """Laws of hits of which no more than so many count: [force, 0 to most]."""
    if laws.shape[1] <= most:
        return np.pad(laws, ((0, 0), (0, most + 1 - laws.shape[1])))
    return np.concatenate([laws[:, :most], tails(laws)[:, most : most + 1]], axis=1)
