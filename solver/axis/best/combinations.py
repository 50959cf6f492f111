"""The worth of several waves under every combination of one side's orders of loss in them.

Each wave is solved backward once for each of its orders, from every place that it can begin with, and for all orders of
later waves at once.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from math import prod

import numpy as np

from solver.axis.best.order_names import with_orders
from solver.axis.best.ranking import Names
from solver.axis.chain import MOST_NUMBERS
from solver.axis.waves.steps import START, Place, WaveFight, places_by_holder
from solver.axis.waves.waves import Waves
from solver.chain import Grid
from solver.errors import TooLargeError
from solver.progress import Meter


def combination_worths(waves: Waves, side: int, choices: Sequence[Sequence[Names]], meter: Meter) -> Grid:
    """Return the worth of the waves under each combination of orders: [combination, 2], see `WavesWorth`.

    Args:
        waves: The waves, without a plan that looks ahead.
        side: The side: see `with_orders`.
        choices: For each wave the orders of the side; the combinations are in the order of `product`.
        meter: Counts the work.

    Raises:
        TooLargeError: It takes more work than the meter allows, or too much memory.
    """
    last = len(choices) - 1
    places: list[dict[Place, int]] = [{START: 0}, *({} for _ in range(last))]
    fights = [_fights(waves, side, number, choices[number], places, meter) for number in range(last + 1)]
    after: list[Grid] = []
    for number in range(last, -1, -1):
        versions = prod(map(len, choices[number + 1 :]))
        if versions * len(choices[number]) * len(places[number]) * 2 > MOST_NUMBERS:
            raise TooLargeError("units", "this battle takes more work than is allowed")
        follows = partial(_worth_of_places, places, after, versions)
        worths = [
            np.concatenate([np.zeros((0, versions, 2)), *(fight.worth(follows) for fight in some)])
            for some in fights[number]
        ]
        after.insert(0, np.concatenate(worths, axis=1))
    return np.asarray(after[0][0])


def _fights(
    waves: Waves, side: int, number: int, orders: Sequence[Names], places: list[dict[Place, int]], meter: Meter
) -> list[list[WaveFight]]:
    """The fights of one wave under each order, from each of its places; the places after it are noted."""
    groups = places_by_holder(places[number], fleets_apart=False)
    # The worths of all fights together stand in this order.
    places[number] = {place: at for at, place in enumerate(chain.from_iterable(groups))}
    fights_by_order = []
    for names in orders:
        changed = with_orders(waves, side, tuple(names if wave == number else () for wave in range(len(places))))
        fights = [WaveFight(changed, some, meter) for some in groups]
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
