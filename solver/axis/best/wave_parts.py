"""The odds of several waves with every part of one side's first army.

That is the army of the first wave: the first attacker's, or the first defender's. All later waves stay as they are.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import prod

import numpy as np

from solver.axis.best.parts import MOST_PARTS, PartsOdds, with_units
from solver.axis.chain import AxisKernel
from solver.axis.kernel.forces import full_force
from solver.axis.kernel.hits import Laws
from solver.axis.loss_order import Force
from solver.axis.opening import attackers_after, opening_law
from solver.axis.sides import Units
from solver.axis.units import ROLES, Role
from solver.axis.waves.ahead import canonical_units
from solver.axis.waves.joint import set_prices
from solver.axis.waves.steps import SET_WORK, START, PlaceWorths, WaveFight, overhead, prices_of, waves_worth
from solver.axis.waves.waves import Waves
from solver.chain import Grid
from solver.errors import TooLargeError
from solver.progress import Meter


def can_take_together(waves: Waves, role: Role) -> bool:
    """Return whether the parts of a side's first army can be taken together.

    The first battle is fought to the end. Parts of attackers have no ships that bombard, no units that are kept to the
    last and no kamikaze attacks against them.

    Args:
        waves: The waves.
        role: The role of the army.
    """
    first = waves.battles[0]
    alike = role == "defence" or not (first.fleet or first.attacker.keep_land or first.kamikaze)
    return alike and not (waves.look_ahead or first.ends_early)


class PartsFight(WaveFight):
    """The first wave, in which the attackers may begin with any part of their army.

    Args:
        waves: All waves.
        parts: The parts.
        meter: Counts the work.

    Raises:
        TooLargeError: The wave is too large, or it takes more work than the meter allows.
    """

    def __init__(self, waves: Waves, parts: Sequence[Units], meter: Meter) -> None:
        super().__init__(waves, [START], meter)
        meter.add(SET_WORK * len(parts))
        ours, theirs = self.chain.segments
        self.laws: list[Laws] = []
        self.first_roots: list[int] = []
        roots: list[Force] = []
        for units in parts:
            counts = dict(units)
            mine = [segment._replace(units=counts.get(segment.unit.name, 0)) for segment in ours]
            there = [segment for segment in mine if segment.units]
            law = opening_law(waves.battles[0], there, theirs, waves.battles[0].opening_ships)
            self.laws.append(law.reshape(len(law), -1))
            self.first_roots.append(len(roots))
            roots += attackers_after(waves.battles[0], mine, full_force(mine), len(law))
        self.chain = self.chain.with_roots("attack", roots)
        self.check_size()
        whole, *there = prices_of(waves, 0, [waves.battles[0].attacker.units, *parts])
        # Units that a part lacks count as lost in the odds.
        self.counted = np.array(there) - whole

    def worth_of_starts(self, first: AxisKernel, worth: Grid) -> Grid:
        """Return the worth of the battle with each part: see `WaveFight`."""
        del first
        opened = self.chain.opened[0]
        starts = worth[:, self.chain.attack.starts[:, None], opened[None]]
        return np.array(
            [
                (starts[:, at : at + len(law), : law.shape[1]] * law).sum(axis=(1, 2))
                for at, law in zip(self.first_roots, self.laws, strict=True)
            ]
        )


def wave_parts_odds(waves: Waves, role: Role, limit: float, least: Units = ()) -> PartsOdds:
    """Return the odds of all waves with each part of a side's first army.

    To win is to hold the field at the end; for the defender it is that the attacker does not.

    Args:
        waves: The waves with the whole army.
        role: The role of the army.
        limit: The most work that this may take, in the unit of `Meter`.
        least: The least number of units of each kind.

    Raises:
        TooLargeError: If it takes more work.
    """
    first, attacks = waves.battles[0], role == "attack"
    army = first.army(role)
    minimum = dict(least) | ({} if attacks else dict(first.captured_guns))
    ranges = [range(minimum.get(name, 0), count + 1) for name, count in army.units]
    number = prod(map(len, ranges))
    together = can_take_together(waves, role)
    each = SET_WORK if together else overhead(waves, 0)
    if number > MOST_PARTS or number * each > limit:
        raise TooLargeError("units", "an army of this size has too many parts to try them all")
    units = np.array([counts for counts in product(*ranges) if any(counts)])
    names = tuple(name for name, _ in army.units)
    parts = [canonical_units(dict(zip(names, counts, strict=True))) for counts in units.tolist()]
    meter = Meter(limit)
    worth = _worth_of_attackers(waves, parts, together, meter) if attacks else _worth_of_defenders(waves, parts, meter)
    cost = set_prices(first, ROLES.index(role), parts)
    if not attacks:
        cost -= set_prices(first, 1, [first.captured_guns])  # they are there anyway
    return PartsOdds(names, units, cost, {"wins": worth[:, 0], "profit": worth[:, 1]})


def _worth_of_attackers(waves: Waves, parts: list[Units], together: bool, meter: Meter) -> Grid:
    """The worth of the waves with each part of the first attacker's army, perhaps all taken together: [part, 2]."""
    if waves.look_ahead:
        # A plan that looks ahead knows the units that it has.
        return np.array([waves_worth(_with_first(waves, "attack", units), meter) for units in parts])
    worths = PlaceWorths(waves, meter)
    if together:
        return PartsFight(waves, parts, meter).worth(worths.find)[:, 0]
    once = np.ones((1, 1))
    steps = [WaveFight(_with_first(waves, "attack", units), [START], meter).step(once) for units in parts]
    # All places are found together, which is less work.
    worths.find(list(dict.fromkeys(place for step in steps for place in step.places)))
    return np.array([step.pays[0] + step.chances[0] @ worths.find(step.places)[:, 0] for step in steps])


def _with_first(waves: Waves, role: Role, units: Units) -> Waves:
    """The waves with a part of one side's army in the battle of the first."""
    first, *later = waves.battles
    return replace(waves, battles=(with_units(first, role, units), *later))


def with_first_units(waves: Waves, role: Role, units: Units) -> Waves:
    """Return the battle with a part of one side's first army: see `Waves.with_army` and `with_units`."""
    return _with_first(waves, role, units).with_army(dict(units), 0, role)


def _worth_of_defenders(waves: Waves, parts: list[Units], meter: Meter) -> Grid:
    """The worth of the waves with each part of the first defender's army: [part, 2]."""
    later, guns = waves.fresh[1:], waves.battles[0].captured_guns
    if waves.look_ahead:
        return np.array([waves_worth(replace(waves, fresh=(units, *later)), meter) for units in parts])
    places = [START._replace(units=units, guns=guns) for units in parts]
    return PlaceWorths(replace(waves, fresh=((), *later)), meter).find(places)[:, 0]
