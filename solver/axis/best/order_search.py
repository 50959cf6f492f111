"""The search for the best orders of loss of one side: all are tried, or those near the best as long as work is left.

There are faster ways to try many orders of a single wave at once, and other ones for several waves.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, permutations, product
from math import factorial, inf, prod
from typing import Any

from solver.axis.best.combinations import combination_worths
from solver.axis.best.order_names import movable_units, roles_in_waves, with_loss_order, with_orders
from solver.axis.best.order_sweep import can_sweep, sweep_orders, sweep_work
from solver.axis.best.ranking import (
    CHANCE,
    PROFIT,
    Names,
    Order,
    SideOrders,
    WavesNames,
    best_for,
    neighbours,
    swap_kinds,
)
from solver.axis.best.sea_sweep import sea_orders_odds
from solver.axis.chain import MOST_NUMBERS, AxisChain
from solver.axis.loss_order import Segment
from solver.axis.sides import Chooses
from solver.axis.solve import solve_chain
from solver.axis.units import ROLES
from solver.axis.waves.steps import OVERHEAD, waves_worth
from solver.axis.waves.waves import Waves
from solver.errors import TooLargeError
from solver.progress import Meter

MOST_ORDERS, MOST_OF_A_WAVE = 5_040, 720
"""All orders are tried up to the first number, those of seven kinds; in one of several waves up to the second."""
MOST_COMBINATIONS = 20_000
"""All combinations of the orders of several waves are tried up to this number."""
IN_ALL = 3 / 4
"""The share of the work in which all orders are tried; if it is too little, the rest goes into a search."""
KEPT = 1.5
"""How many times the work of every swap is kept for the search, as other orders may be more work."""


class OrderSearch:
    """The search for the best orders of one side.

    Args:
        waves: The battle.
        side: 0 for the first attacker's, 1 for the first defender's.
        which: For each wave whether its attacker's order may change, and its defender's.

    Attributes:
        size: About how many orders there are; 1 without a choice.
        spent: About how much work was done, in the unit of `Meter`.
    """

    def __init__(self, waves: Waves, side: int, which: Sequence[Chooses]) -> None:
        self.waves, self.side, self.roles = waves, side, roles_in_waves(waves, side)
        places = zip(waves.battles, self.roles, which, strict=True)
        self.usual = tuple(movable_units(wave, role) if may[ROLES.index(role)] else () for wave, role, may in places)
        self.size = prod(factorial(len(names)) for names in self.usual)
        self.spent = self.wasted = 0.0
        self.meter = Meter()
        self.known: dict[Any, Order] = {}
        self._rows: dict[tuple[int, Names], Any] = {}
        # What a battle of one wave has beside the way that all have: to try each order by itself.
        only = waves.only
        self.sweeps = only is not None and can_sweep(only)
        joint = only is not None and not (self.sweeps or only.kamikaze or only.defender_retreat)
        self.at_sea = joint and self.waves.battles[0].theatre == "sea"

    def answer(self, limit: float) -> SideOrders:
        """Return the best orders that so much work finds; TooLargeError if it is too little. See `Meter`."""
        self.meter = Meter(limit)
        swaps = {
            (number, pair): _with(self.usual, number, swap_kinds(names, *pair))
            for number, names in enumerate(self.usual)
            for pair in combinations(names, 2)
        }
        if not self.sweeps:
            self._try([self.usual], self.meter)
        if self._work(1 + len(swaps)) > limit:
            raise TooLargeError("units", "trying every swap of two kinds takes more work than is allowed")
        if not self._try_every(KEPT * len(swaps) * self.meter.done):
            self._try([self.usual, *swaps.values()], self.meter)
            self._climb()
        self.spent = self._work(len(self.known))
        orders, usual = list(self.known.values()), self.known[self.key(self.usual)]
        changed = [(pair, self.known[self.key(names)]) for (_, pair), names in swaps.items()]
        chance, profit = (best_for(orders, usual, changed, goal) for goal in (CHANCE, PROFIT))
        return SideOrders(usual, chance, profit, len(orders), self.different)

    def _work(self, count: int) -> float:
        """About how much work it is to try so many orders in all; of several waves only what is done is known."""
        if self.sweeps:
            return sweep_work(self._chain, self.roles[0], count)
        return count * self.meter.done / len(self.known) + self.wasted if self.waves.only else self.meter.done

    @cached_property
    def _chain(self) -> AxisChain:
        """The chain of the only wave."""
        return AxisChain(self.waves.battles[0])

    # Which orders there are ------------------------------------------------------------------------------

    def key(self, names: WavesNames) -> tuple[Any, ...]:
        """Return a key that tells orders with different effects apart: see `Order.names`."""
        return tuple(self._row(number, order) for number, order in enumerate(names))

    def _row(self, number: int, names: Names) -> Any:
        """A key that tells orders of a wave apart: the row of all units, if it shows the row of fewer units too."""
        if (number, names) not in self._rows:
            battle, role = self.waves.battles[number], self.roles[number]
            army = battle.army(role)
            row: Any = names
            if battle.theatre == "sea":
                # Units change places by kind: spare hits stay first, transports last.
                spare, movable, last = self._fleets[number]
                row = (*spare, *map(movable.__getitem__, names), *last)
            elif role == "attack" or not (number and (army.keep_land or army.aa_second_last)):
                row = battle.segments(role, with_loss_order(army, names))
            self._rows[number, names] = row
        return self._rows[number, names]

    @cached_property
    def _fleets(self) -> list[tuple[list[Segment], dict[str, Segment], list[Segment]]]:
        """The units in each wave that stay first in each order, those that change places, and those that stay last."""
        fleets = []
        for battle, role, names in zip(self.waves.battles, self.roles, self.usual, strict=True):
            row = battle.segments(role)
            spare, rest = ([segment for segment in row if segment.spare is which] for which in (True, False))
            movable = {segment.unit.name: segment for segment in rest if segment.unit.name in names}
            fleets.append((spare, movable, [segment for segment in rest if segment.unit.name not in movable]))
        return fleets

    @cached_property
    def _choices(self) -> list[list[Names]]:
        """The different orders of each wave; none if there are too many to try them all."""
        most = MOST_ORDERS if self.waves.only else MOST_OF_A_WAVE
        return [
            list({self._row(number, order): order for order in reversed(list(permutations(names)))}.values())
            if factorial(len(names)) <= most
            else []
            for number, names in enumerate(self.usual)
        ]

    @cached_property
    def different(self) -> int:
        """How many orders there are; those with the same effect count once, where all can be tried."""
        return prod(len(some) or factorial(len(names)) for some, names in zip(self._choices, self.usual, strict=True))

    # Trying them -----------------------------------------------------------------------------------------

    def _try_every(self, reserve: float) -> bool:
        """Try all orders if that is not too much work, and leaves `reserve` for a search; return whether it was not."""
        limit = self.meter.limit
        if not all(self._choices):
            return False
        if not self.waves.only:
            return self.different <= MOST_COMBINATIONS and self._try_combinations(reserve)
        every = ((names,) for names in permutations(self.usual[0]))
        if self.at_sea:
            # Nobody knows how much they have in common, so most of the work may be spent on finding that out.
            try:
                self._try(every, Meter(IN_ALL * limit))
            except TooLargeError:
                self.wasted = IN_ALL * limit
                return False
        elif self._work(self.different) > limit:
            return False
        else:
            self._try(every, self.meter)
        return True

    def _try_combinations(self, reserve: float) -> bool:
        """Try all combinations of the orders of several waves, as `_try_every`."""
        meter = self.meter
        left = meter.limit - meter.done
        part = Meter(meter.done + min(IN_ALL * left, left - reserve), meter.done)
        if OVERHEAD * sum(map(len, self._choices)) > part.limit - part.done:
            return False
        try:
            if self.waves.look_ahead:
                # A plan that looks ahead knows the orders of later waves.
                self._try(product(*self._choices), part)
            else:
                worths = combination_worths(self.waves, self.side, self._choices, part).tolist()
                for names, worth in zip(product(*self._choices), worths, strict=True):
                    self._keep(names, *worth)
        except TooLargeError:
            return False
        finally:
            meter.done = part.done
        return True

    def _try(self, orders: Iterable[WavesNames], meter: Meter) -> None:
        """Try these orders, equal ones once; TooLargeError if that is more work than the meter allows."""
        new: dict[Any, WavesNames] = {}
        for names in orders:
            if (key := self.key(names)) not in self.known:
                new.setdefault(key, names)
        for names, worth in zip(new.values(), self._worths(new, meter), strict=True) if new else ():
            self._keep(names, *worth)

    def _worths(self, orders: Mapping[Any, WavesNames], meter: Meter) -> Iterator[tuple[float, float]]:
        """Yield the attacker's chance to win and profit under orders by their keys."""
        first, role, rows = self.waves.battles[0], self.roles[0], [key[0] for key in orders]
        if self.sweeps:
            yield from sweep_orders(first, role, rows).tolist()
        elif self.at_sea:
            worths, done = sea_orders_odds(first, role, rows, meter.limit)
            self.meter.done += done
            yield from worths.tolist()
        else:
            for names in orders.values():
                yield self._worth(with_orders(self.waves, self.side, names), meter)

    def _worth(self, waves: Waves, meter: Meter) -> tuple[float, float]:
        """The attacker's chance to win and profit; of one wave solved with a meter of its own, which is less work."""
        if not self.waves.only:
            return waves_worth(waves, meter)
        chain = AxisChain(waves.battles[0], meter.limit)
        chain.meter.add(OVERHEAD if chain.numbers <= MOST_NUMBERS else inf)
        odds = solve_chain(chain, 0.0)
        meter.done += chain.meter.done
        return odds.wins, odds.defender_loss - odds.attacker_loss

    def _keep(self, names: WavesNames, wins: float, profit: float) -> None:
        """Remember the attacker's chance to win and profit under orders."""
        self.known[self.key(names)] = Order(names, 1 - wins if self.side else wins, -profit if self.side else profit)

    def _climb(self) -> None:
        """For each goal go from the best order on to a better one near it, as long as there is one and work is left."""
        for goal in (CHANCE, PROFIT):
            best, tried = None, max(self.known.values(), key=goal)
            while tried != best:
                best = tried
                if not self._try_near(best.names):
                    break
                tried = max(self.known.values(), key=goal)

    def _try_near(self, names: WavesNames) -> bool:
        """Try the orders with a kind moved or two swapped in one wave; return whether there was work left for it."""
        near = [_with(names, number, order) for number, each in enumerate(names) for order in neighbours(each)]
        near = [names for names in near if self.key(names) not in self.known]
        while near and self._work(len(self.known) + len(near)) > self.meter.limit:
            near = near[: len(near) // 2]
        try:
            self._try(near, self.meter)
        except TooLargeError:
            return False
        return True


def _with(names: WavesNames, number: int, order: Names) -> WavesNames:
    """The orders with another one in a wave."""
    return (*names[:number], order, *names[number + 1 :])
