"""The best orders of loss over several waves: all combinations are tried if possible, else a search finds good ones.

A side has an order of its own in each wave, and the other side keeps its orders. Each wave is solved backward once for
each of its orders, from every place that it can begin with, and for all orders of later waves at once.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, combinations, permutations, product
from math import factorial, prod
from typing import Any

import numpy as np

from solver.axis.best.orders import full_order, movable_units, with_loss_order, with_order
from solver.axis.best.ranking import (
    Names,
    Orders,
    OrderSearch,
    SideOrders,
    best_of_sides,
    inversions,
    neighbours,
    side_to_dict,
    swap_kinds,
)
from solver.axis.chain import MOST_NUMBERS
from solver.axis.sides import SIDES
from solver.axis.solve import MOST_SECONDS, army_seconds
from solver.axis.units import ROLES, Role
from solver.axis.waves.steps import OVERHEAD, START, Place, WaveFight, places_by_holder, waves_worth
from solver.axis.waves.waves import Waves
from solver.chain import Grid
from solver.errors import TooLargeError
from solver.progress import Meter, takes

WavesNames = tuple[Names, ...]
"""The orders of one side: for each wave its kinds of units, first lost first."""

MOST_ORDERS = 720
"""All orders of a side in one wave are tried up to this number: those of six kinds."""
MOST_COMBINATIONS = 20_000
"""All combinations of the orders of all waves are tried up to this number."""
IN_PRODUCTS = 3 / 4
"""The share of the work in which all combinations are tried; if it is too little, the rest goes into a search."""
KEPT = 1.5
"""How many times the work of every swap is kept for the search, as other orders may be more work."""


def waves_seconds(waves: Waves, *_others: object) -> float:
    """Estimate the seconds for the odds of several waves: see `Estimate`."""
    return min(2 * sum(map(army_seconds, waves.battles)), MOST_SECONDS)


def _orders_seconds(waves: Waves, _limit: float) -> float:
    kinds = [len(movable_units(battle, role)) for battle in waves.battles for role in ROLES]
    orders = sum(min(factorial(min(count, 6)), 200) for count in kinds)
    return min(orders * waves_seconds(waves) / len(waves.battles), MOST_SECONDS)


@takes(_orders_seconds)
def best_wave_orders(waves: Waves, limit: float) -> Orders[WavesNames]:
    """Return the best orders of loss of each side in all waves, against the other side's orders in the battle.

    The attacker is the side that attacks first. A chance is that of holding the field at the end; for the defender it
    is the chance that the attacker does not.

    Args:
        waves: The waves.
        limit: About the most work that this may take, in the unit of `Meter`.

    Raises:
        TooLargeError: If that is too little to try every swap of two kinds.
        BattleError: If neither side has a choice.
    """
    error = TooLargeError(
        "waves", "these waves are too large to try other casualty orders; use fewer waves, units or kinds"
    )
    return best_of_sides([_SideSearch(waves, side) for side in (0, 1)], limit, error)


def role_in_wave(waves: Waves, side: int, number: int) -> Role:
    """Return the role of a side in a wave.

    Args:
        waves: The waves.
        side: 0 for the first attacker's, 1 for the first defender's.
        number: The number of the wave, from 0.
    """
    return "attack" if waves.side(number) == side else "defence"


def with_wave_orders(waves: Waves, side: int, names: WavesNames) -> Waves:
    """Return the waves with other orders of loss of one side.

    Args:
        waves: The waves.
        side: 0 for the first attacker's, 1 for the first defender's.
        names: For each wave the kinds of units, first lost first; kinds left out stay first.
    """
    battles = [
        with_order(battle, role_in_wave(waves, side, number), order) if order else battle
        for number, (battle, order) in enumerate(zip(waves.battles, names, strict=True))
    ]
    return replace(waves, battles=tuple(battles))


class _SideSearch(OrderSearch[WavesNames]):
    """The search for the best orders of one side."""

    def __init__(self, waves: Waves, side: int) -> None:
        self.waves, self.side = waves, side
        self.roles = [role_in_wave(waves, side, number) for number in range(len(waves.battles))]
        self.ours, self.usual = side == 0, tuple(map(movable_units, waves.battles, self.roles))
        self.known = {}
        self.meter = Meter()
        self._rows: dict[tuple[int, Names], Any] = {}
        self.choices = [self._choices(number) for number in range(len(self.usual))]
        # Combinations of orders with the same effect count once.
        numbers = (
            len(orders) if factorial(len(names)) <= MOST_ORDERS else factorial(len(names))
            for orders, names in zip(self.choices, self.usual, strict=True)
        )
        self.size = prod(numbers) if any(len(names) > 1 for names in self.usual) else 0

    def _choices(self, number: int) -> list[Names]:
        """The different orders of a wave; only the given one if there are too many to try them all."""
        names = self.usual[number]
        if factorial(len(names)) > MOST_ORDERS:
            return [names]
        return list({self._row(number, order): order for order in reversed(list(permutations(names)))}.values())

    def _row(self, number: int, names: Names) -> Any:
        """A key that tells orders of a wave apart: the row of all units, if it shows the row of fewer units too."""
        if (number, names) not in self._rows:
            battle, role = self.waves.battles[number], self.roles[number]
            army = battle.army(role)
            varies = role == "defence" and number > 0 and (army.keep_land or army.aa_second_last)
            row = names if varies else battle.segments(role, with_loss_order(army, names) if names else army)
            self._rows[number, names] = row
        return self._rows[number, names]

    def key(self, names: WavesNames) -> tuple[Any, ...]:
        """Return a key that tells the orders of all waves apart: see `OrderSearch`."""
        return tuple(self._row(number, order) for number, order in enumerate(names))

    @property
    def _lists_all(self) -> bool:
        """Whether `choices` has every order of every wave."""
        return all(factorial(len(names)) <= MOST_ORDERS for names in self.usual)

    # Search ----------------------------------------------------------------------------------------------

    def answer(self, limit: float) -> SideOrders[WavesNames]:
        """Return the best orders that so much work finds: see `OrderSearch`."""
        swaps, self.meter = list(self._swaps()), Meter(limit)
        self._try([self.usual], self.meter)
        if not self._try_every(KEPT * len(swaps) * self.meter.done):
            self._try((names for _, names in swaps), self.meter)
            self.climb()
        self.spent = self.meter.done
        return self.summary(swaps, self.size, _distance)

    def _swaps(self) -> Iterator[tuple[tuple[str, str], WavesNames]]:
        """The orders with two kinds swapped in one wave, with these kinds."""
        for number, names in enumerate(self.usual):
            for pair in combinations(names, 2):
                yield pair, _with(self.usual, number, swap_kinds(names, *pair))

    def _try_every(self, reserve: float) -> bool:
        """Try all combinations if that leaves `reserve` work for a search; return whether it did."""
        meter = self.meter
        if not self._lists_all or self.size > MOST_COMBINATIONS:
            return False
        left = meter.limit - meter.done
        part = Meter(meter.done + min(IN_PRODUCTS * left, left - reserve), meter.done)
        if OVERHEAD * sum(map(len, self.choices)) > part.limit - part.done:
            return False
        try:
            if self.waves.look_ahead:
                # A plan that looks ahead knows the orders of later waves.
                self._try(product(*self.choices), part)
            else:
                for names, worth in zip(product(*self.choices), self._products(part).tolist(), strict=True):
                    self.keep(names, *worth)
        except TooLargeError:
            return False
        finally:
            meter.done = part.done
        return True

    def _try(self, orders: Iterable[WavesNames], meter: Meter) -> None:
        """Try these orders one by one, equal ones once."""
        for names in orders:
            if self.key(names) not in self.known:
                worth = waves_worth(with_wave_orders(self.waves, self.side, names), meter)
                self.keep(names, worth.holds, worth.profit)

    def try_near(self, names: WavesNames) -> bool:
        """Try the orders with a kind moved or two swapped in one wave: see `OrderSearch`."""
        near = (_with(names, number, order) for number, each in enumerate(names) for order in neighbours(each))
        try:
            self._try(near, self.meter)
        except TooLargeError:
            return False
        return True

    # All combinations ------------------------------------------------------------------------------------

    def _products(self, meter: Meter) -> Grid:
        """The worth of the waves under each combination of orders, in the order of `product`: [combination, 2]."""
        last = len(self.choices) - 1
        places: list[dict[Place, int]] = [{START: 0}, *({} for _ in range(last))]
        fights = [self._fights(number, places, meter) for number in range(last + 1)]
        after: list[Grid] = []
        for number in range(last, -1, -1):
            versions = prod(map(len, self.choices[number + 1 :]))
            if versions * len(self.choices[number]) * len(places[number]) * 2 > MOST_NUMBERS:
                raise TooLargeError("units", "this battle takes more work than is allowed")
            follows = partial(_worth_of_places, places, after, versions)
            worths = [
                np.concatenate([np.zeros((0, versions, 2)), *(fight.worth(follows) for fight in some)])
                for some in fights[number]
            ]
            after.insert(0, np.concatenate(worths, axis=1))
        return np.asarray(after[0][0])

    def _fights(self, number: int, places: list[dict[Place, int]], meter: Meter) -> list[list[WaveFight]]:
        """The fights of one wave under each order, from each of its places; the places after it are noted."""
        groups = places_by_holder(places[number], fleets_apart=False)
        # The worths of all fights together stand in this order.
        places[number] = {place: at for at, place in enumerate(chain.from_iterable(groups))}
        fights_by_order = []
        for names in self.choices[number]:
            waves = with_wave_orders(self.waves, self.side, _with(((),) * len(self.usual), number, names))
            fights = [WaveFight(waves, some, meter) for some in groups]
            for fight in fights if number + 1 < len(places) else ():
                for place in fight.step(np.full((1, len(fight.places)), 1 / len(fight.places))).places:
                    places[place.wave].setdefault(place, len(places[place.wave]))
            fights_by_order.append(fights)
        return fights_by_order


def _worth_of_places(
    places: Sequence[Mapping[Place, int]], after: Sequence[Grid], versions: int, wanted: Sequence[Place]
) -> Grid:
    """The worth of places, under each combination of the orders of all waves after one: [place, combination, 2].

    `after` has the worth of the places of each of these waves, under the orders from that wave on; `versions` is how
    many combinations there are. Places that are next to never reached count nothing.
    """
    worths = np.zeros((len(wanted), versions, 2))
    first = len(places) - len(after)
    for row, place in zip(worths, wanted, strict=True):
        if (at := places[place.wave].get(place)) is not None:
            worth = after[place.wave - first][at]
            row[:] = np.tile(worth, (versions // len(worth), 1))
    return worths


def _with(names: WavesNames, number: int, order: Names) -> WavesNames:
    """The orders with another one in a wave."""
    return (*names[:number], order, *names[number + 1 :])


def _distance(names: WavesNames, usual: WavesNames) -> int:
    """The number of pairs of kinds that stand the other way round in some wave."""
    return sum(map(inversions, names, usual))


def wave_orders_to_dict(waves: Waves, orders: Orders[WavesNames]) -> dict[str, Any]:
    """Return the best orders as a JSON document, with an order for each wave: see `Orders`.

    Each can stand as `loss_order` in a document of the waves, for the army of the side in that wave.
    """
    return {
        name: best and side_to_dict(best, partial(_names_to_dict, waves, side))
        for side, (name, best) in enumerate(zip(SIDES, orders, strict=True))
    }


def _names_to_dict(waves: Waves, side: int, names: WavesNames) -> dict[str, Any]:
    """The orders of a side as a field of a JSON document."""
    roles = [role_in_wave(waves, side, number) for number in range(len(names))]
    return {"loss_orders": list(map(full_order, waves.battles, roles, names))}
