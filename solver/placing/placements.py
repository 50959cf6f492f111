"""The best placements of units over territories that are attacked.

Given the units in each territory, the battles are independent. Every unit may be placed or kept back, because more
defenders are not better against every plan of an attacker.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
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
    allocations = _best_allocations(placing, merged, held, most)
    while placing.aim != "value" and allocations[0].worth <= SAME and held > 1:
        held -= 1
        allocations = _best_allocations(placing, merged, held, most)
    by_kind = dict(placing.units)
    placement_of = partial(_placement, placing, tables)
    together = [placement_of(_shares_in_one(placing, place)) for place in range(len(placing.territories))]
    return Placements(
        tuple(placement_of(_split_kinds(allocation.shares, kinds, by_kind)) for allocation in allocations),
        placement_of(np.zeros((len(tables), len(by_kind)), np.int64)),
        placement_of(_even_shares(placing)),
        max(together, key=lambda placement: placement.worth),
        tuple(names for names in kinds if len(names) > 1),
        held,
    )


def _best_allocations(placing: Placing, tables: Sequence[Grid], held: int, most: float) -> list[Allocation]:
    values = [territory.value for territory in placing.territories]
    goal = value_goal(values) if placing.aim == "value" else hold_goal(held, len(tables))
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
    at_hand = [name for name, _ in placing.units]
    shape = [count + 1 for _, count in placing.units]
    tables: list[Grid] = []
    same = [(territory.attack, territory.order) for territory in placing.territories]
    for place, territory in enumerate(placing.territories):
        if same.index(same[place]) < place:
            tables.append(tables[same.index(same[place])])
            continue
        battle = territory.with_units(placing.placeable(place))
        solve = partial(parts_odds, battle, "defence", ("wins",), most / len(placing.territories))
        odds = read_part(f"territories.{place}", solve)
        placed = odds.units - np.array([territory.attack.defender.count(name) for name in odds.names], np.int64)
        columns = [column for column, name in enumerate(odds.names) if name in at_hand]
        others = [column for column in range(len(odds.names)) if column not in columns]
        known = (placed >= 0).all(axis=1) & (placed[:, others] == 0).all(axis=1)
        codes = np.zeros((len(placed), len(shape)), np.int64)
        codes[:, [at_hand.index(odds.names[column]) for column in columns]] = placed[:, columns]
        table = np.full(shape, -1.0)
        table[tuple(codes[known].T)] = np.clip(1 - odds.values["wins"][known], 0, 1)
        tables.append(table)
    return tables


def _merge_kinds(kinds: list[tuple[str, ...]], tables: list[Grid]) -> tuple[list[tuple[str, ...]], list[Grid]]:
    """Merge kinds that are equal in every territory; return the groups of kinds, and their tables of chances."""
    for kind, other in combinations(range(len(kinds)), 2):
        pairs = [np.moveaxis(table, (kind, other), (0, 1)) for table in tables]
        if all(np.abs(pair[1:, :-1] - pair[:-1, 1:]).max() < SAME for pair in pairs):
            # First all of the one kind, then the other's beside them.
            joined = [np.concatenate([pair[:, 0], pair[-1, 1:]]) for pair in pairs]
            rest = [names for place, names in enumerate(kinds) if place not in (kind, other)]
            tables = [np.moveaxis(table, 0, kind) for table in joined]
            return _merge_kinds([*rest[:kind], kinds[kind] + kinds[other], *rest[kind:]], tables)
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
        for unit in range(count):
            shares[able[(turn + unit) % len(able)], kind] += 1
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
    worth = float(law[placing.wanted :].sum())
    if placing.aim == "value":
        worth = sum(place.value * chance for place, chance in zip(placing.territories, chances, strict=True))
    names, counts = zip(*placing.units, strict=True)
    placed = tuple(_units_of(names, share) for share in shares)
    back = _units_of(names, np.array(counts) - shares.sum(axis=0))
    return Placement(placed, back, tuple(chances), tuple(law.tolist()), worth)


def _units_of(names: Sequence[str], counts: Nodes) -> Units:
    return tuple((name, count) for name, count in zip(names, counts.tolist(), strict=True) if count)
