"""The best placements of units over territories that are attacked.

Given the units in each territory, the battles are independent. Every unit may be placed or kept back, because more
defenders are not better against every plan of an attacker.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf, prod

import numpy as np

from solver.axis.best.part_odds import parts_odds
from solver.axis.kernel.forces import Nodes
from solver.axis.sides import Units
from solver.chain import Grid
from solver.documents import read_part
from solver.placing.placing import Placing
from solver.placing.shares import MOST_SHARES, SAME, Allocation, best_shares, hold_goal, too_many_shares, value_goal

FEW_SHARES = MOST_SHARES // 10
"""The approximate number of shares that is enough to find the kinds of units that differ."""


@dataclass(frozen=True)
class Placement:
    """One way to place the units.

    Attributes:
        shares: The units for each territory.
        kept: The units kept back.
        chances: The chance to hold each territory.
        law: The chances to hold exactly 0, 1, ... territories.
        worth: The aim: a chance, or the expected value held.
    """

    shares: tuple[Units, ...]
    kept: Units
    chances: tuple[float, ...]
    law: tuple[float, ...]
    worth: float


@dataclass(frozen=True)
class Placements:
    """The best placements, and some simple ones to compare.

    Attributes:
        best: The best placements, best first, each with another worth.
        without: The placement of no units.
        even: All kinds spread as evenly as possible.
        together: All units in one territory, the best one for that.
        alike: Groups of kinds that are equal here, so that they can be exchanged.
        held: The number of territories that the best placements try to hold; fewer than wanted if that many cannot be
            held.
    """

    best: tuple[Placement, ...]
    without: Placement
    even: Placement
    together: Placement
    alike: tuple[tuple[str, ...], ...]
    held: int


def place(placing: Placing, most: float = inf) -> Placements:
    """Find the best ways to place units.

    Args:
        placing: The question.
        most: The most work to do, in the unit of `Meter`.

    Raises:
        TooLargeError: It takes more work, or the units can be split in too many ways.

    Example:
        >>> from solver.axis.units import Rules, Unit
        >>> units = (Unit("infantry", "land", 1, 2, 3), Unit("tank", "land", 3, 3, 6))
        >>> rules = Rules("mini", units, (("infantry", "tank"),) * 4)
        >>> attack = {"theatre": "land", "waves": [{"attacker": {"units": {"tank": 1}}, "defender": {}}]}
        >>> placing = Placing.from_dict({"units": {"infantry": 2}, "territories": [attack, attack]}, rules)
        >>> place(placing).best[0].shares
        ((('infantry', 1),), (('infantry', 1),))
    """
    _check_shares(placing, most)
    tables = hold_chances(placing, most)
    kinds, merged = _merge_kinds([(name,) for name, _ in placing.units], tables)
    held = placing.wanted
    shares = _best_allocations(placing, merged, held, most)
    while placing.aim != "value" and shares[0].worth <= SAME and held > 1:
        held -= 1
        shares = _best_allocations(placing, merged, held, most)
    by_kind = dict(placing.units)
    placement_of = partial(_placement, placing, tables)
    together = [placement_of(_shares_in_one(placing, one)) for one in range(len(placing.territories))]
    return Placements(
        tuple(placement_of(_split_kinds(one.shares, kinds, by_kind)) for one in shares),
        placement_of(np.zeros((len(tables), len(by_kind)), np.int64)),
        placement_of(_even_shares(placing)),
        max(together, key=lambda one: one.worth),
        tuple(names for names in kinds if len(names) > 1),
        held,
    )


def _best_allocations(placing: Placing, tables: Sequence[Grid], held: int, most: float) -> list[Allocation]:
    places = len(tables)
    goal = hold_goal(held, places)
    if placing.aim == "value":
        goal = value_goal([territory.value for territory in placing.territories])
    return best_shares(tables, goal, placing.how_many, most)


def _check_shares(placing: Placing, most: float) -> None:
    """Refuse early if a few units of each kind show that there are too many ways to split all of them.

    Kinds that differ among a few units differ among all.
    """
    units = placing.units
    if prod(count + 1 for _, count in units) <= MOST_SHARES:
        return
    each = max(int(FEW_SHARES ** (1 / len(units))) - 1, 1)
    few = replace(placing, units=tuple((name, min(count, each)) for name, count in units))
    kinds, _ = _merge_kinds([(name,) for name, _ in units], hold_chances(few, most))
    counts = dict(units)
    if prod(1 + sum(counts[name] for name in names) for names in kinds) > MOST_SHARES:
        raise too_many_shares()


# Chances ------------------------------------------------------------------------------------------------


def hold_chances(placing: Placing, most: float = inf) -> list[Grid]:
    """Return the chance to hold each territory with every share of the units.

    Args:
        placing: The question.
        most: The most work to do, in the unit of `Meter`.

    Returns:
        For each territory an array with one axis for each kind, indexed by the number placed; -1 if they cannot be
        placed.

    Raises:
        TooLargeError: It takes more work.
    """
    shape = [count + 1 for _, count in placing.units]
    tables: list[Grid] = []
    for place, territory in enumerate(placing.territories):
        first = next(one for one, other in enumerate(placing.territories) if other.attack == territory.attack
                     and other.order == territory.order)  # fmt: skip
        if first < place:
            tables.append(tables[first])
            continue
        battle = territory.with_units(placing.placeable(place))
        odds = read_part(
            f"territories.{place}", partial(parts_odds, battle, "defence", ("wins",), most / len(placing.territories))
        )
        at_hand = [name for name, _ in placing.units]
        placed = odds.units - np.array([territory.attack.defender.count(name) for name in odds.names], np.int64)
        known = (placed >= 0).all(axis=1)
        others = [one for one, name in enumerate(odds.names) if name not in at_hand]
        known &= (placed[:, others] == 0).all(axis=1)
        codes = np.zeros((len(placed), len(shape)), np.int64)
        for one, name in enumerate(odds.names):
            if name in at_hand:
                codes[:, at_hand.index(name)] = placed[:, one]
        table = np.full(shape, -1.0)
        table[tuple(codes[known].T)] = np.clip(1 - odds.values["wins"][known], 0, 1)
        tables.append(table)
    return tables


def _merge_kinds(kinds: list[tuple[str, ...]], tables: list[Grid]) -> tuple[list[tuple[str, ...]], list[Grid]]:
    """Merge kinds that are equal in every territory; return the groups of kinds, and their tables of chances."""
    for one in range(len(kinds)):
        for other in range(one + 1, len(kinds)):
            pairs = [np.moveaxis(table, (one, other), (0, 1)) for table in tables]
            if all(np.abs(pair[1:, :-1] - pair[:-1, 1:]).max() < SAME for pair in pairs):
                # First all of the one kind, then the other's beside them.
                joined = [np.concatenate([pair[:, 0], pair[-1, 1:]]) for pair in pairs]
                rest = [names for place, names in enumerate(kinds) if place not in (one, other)]
                tables = [np.moveaxis(table, 0, one) for table in joined]
                return _merge_kinds([*rest[:one], kinds[one] + kinds[other], *rest[one:]], tables)
    return kinds, tables


# Placements ---------------------------------------------------------------------------------------------


def _split_kinds(shares: Nodes, kinds: Sequence[tuple[str, ...]], counts: Mapping[str, int]) -> Nodes:
    """Return shares of groups of equal kinds as shares of each kind, [territory, kind]."""
    names = list(counts)
    parted = np.zeros((len(shares), len(names)), np.int64)
    for share, alike in zip(shares.T, kinds, strict=True):
        ends = np.cumsum(share)
        start = 0
        for name in alike:
            taken = np.clip(ends, start, start + counts[name])
            parted[:, names.index(name)] = np.diff(taken, prepend=start)
            start += counts[name]
    return parted


def _even_shares(placing: Placing) -> Nodes:
    """Return all units spread evenly; units that are left over continue where the last kind stopped."""
    shares = np.zeros((len(placing.territories), len(placing.units)), np.int64)
    turn = 0
    for kind, (name, count) in enumerate(placing.units):
        able = [place for place, territory in enumerate(placing.territories) if territory.accepts(name)]
        for one in range(count):
            shares[able[(turn + one) % len(able)], kind] += 1
        turn += count
    return shares


def _shares_in_one(placing: Placing, place: int) -> Nodes:
    """Return the share that puts every possible unit into one territory."""
    shares = np.zeros((len(placing.territories), len(placing.units)), np.int64)
    able = placing.placeable(place)
    shares[place] = [able.get(name, 0) for name, _ in placing.units]
    return shares


def _placement(placing: Placing, tables: Sequence[Grid], shares: Nodes) -> Placement:
    """Return the placement with these shares, and its chances."""
    chances = [float(table[tuple(share)]) for table, share in zip(tables, shares.tolist(), strict=True)]
    law = np.ones(1)
    for chance in chances:
        law = np.convolve(law, [1 - chance, chance])
    if placing.aim == "value":
        worth = sum(one.value * chance for one, chance in zip(placing.territories, chances, strict=True))
    else:
        worth = float(law[placing.wanted :].sum())
    names = [name for name, _ in placing.units]
    kept = np.array([count for _, count in placing.units]) - shares.sum(axis=0)
    return Placement(
        tuple(_units_of(names, share) for share in shares),
        _units_of(names, kept),
        tuple(chances),
        tuple(law.tolist()),
        worth,
    )


def _units_of(names: Sequence[str], counts: Nodes) -> Units:
    return tuple((name, count) for name, count in zip(names, counts.tolist(), strict=True) if count)
