"""The fates of units at the end of an Axis & Allies battle: lost, left in the fight, or gone from it alive."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, overload

import numpy as np

from solver.axis.ends import remove_crashed
from solver.axis.kernel.forces import Flags, Forces, Nodes
from solver.axis.kernel.hits import UnitCounts
from solver.axis.kernel.search import unique_inverse
from solver.axis.loss_order import Segment
from solver.axis.units import name_of_damaged


class Fate(NamedTuple):
    """The fate of the units of a side: the number of each kind.

    Attributes:
        lost: The units lost.
        left: The units left in the fight.
        gone: The units that have left the fight alive.
    """

    lost: tuple[tuple[str, int], ...]
    left: tuple[tuple[str, int], ...]
    gone: tuple[tuple[str, int], ...]


class Fates(Sequence[Fate]):
    """The different fates of a side, each made when somebody looks at it.

    Args:
        whole: The number of units of each kind before the first loss, in alphabetical order.
        left: How many of each kind are left, then the hits that whole ships can still take, and at the end 1 if all
            have left the fight: [fate, place].
        damage: The ships that are told from damaged ones, and the place of the hits that whole ones can still take.
    """

    def __init__(self, whole: Mapping[str, int], left: list[list[int]], damage: Mapping[str, int]) -> None:
        self._whole, self._left, self._damage = whole, left, damage

    def __len__(self) -> int:
        """The number of fates."""
        return len(self._left)

    @overload
    def __getitem__(self, place: int) -> Fate: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Fate, ...]: ...

    def __getitem__(self, place: int | slice) -> Fate | tuple[Fate, ...]:
        """The fate at a place, or those at several."""
        return self._made[place]

    @cached_property
    def _made(self) -> tuple[Fate, ...]:
        """All fates."""
        if self._damage:
            every = map(self.units_at, range(len(self)))
            return tuple(Fate(*(tuple(sorted(units.items())) for units in parts)) for parts in every)
        fates = []
        for counts in self._left:
            pairs = list(zip(self._whole.items(), counts, strict=False))
            lost = tuple([(name, whole - count) for (name, whole), count in pairs if count < whole])
            left = tuple([(name, count) for (name, _), count in pairs if count])
            fates.append(Fate(lost, (), left) if counts[-1] else Fate(lost, left, ()))
        return tuple(fates)

    def units_at(self, place: int) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
        """Return the units lost, left and gone of a fate.

        Args:
            place: The place of the fate.
        """
        counts, whole = self._left[place], self._whole
        lost = {name: whole[name] - count for name, count in zip(whole, counts, strict=False) if count < whole[name]}
        left = {name: count for name, count in zip(whole, counts, strict=False) if count}
        for name, first in self._damage.items():
            sound = counts[first]
            damaged = left.pop(name, 0) - sound
            left |= {name: sound} if sound else {}
            if damaged:
                left[name_of_damaged(name)] = left.get(name_of_damaged(name), 0) + damaged
        return (lost, {}, left) if counts[-1] else (lost, left, {})


def find_fates(
    forces: Forces,
    nodes: Nodes,
    crashed: Nodes | None,
    damage_stays: bool,
    withdrawn: Flags | None = None,
    cleared: Flags | None = None,
) -> tuple[tuple[Fate, ...], Nodes]:
    """Return the different fates of a side, and the place of each end's fate among them.

    Args:
        forces: The forces of the side.
        nodes: The force in each end: [end].
        crashed: The planes of each force that crash: [force, segment]; None if none do.
        damage_stays: Whether damaged ships are told from whole ones.
        withdrawn: In which ends all attackers withdraw: [end]; None for the defender.
        cleared: In which ends all defenders are cleared away: [end]; None for the attacker.
    """
    flags = withdrawn if withdrawn is not None else cleared
    assert flags is not None
    pairs, place = unique_inverse(2 * nodes + flags)
    # Forces remember their fates, but planes do not crash in every battle.
    known = forces.fates.setdefault(damage_stays, {}) if crashed is None else {}
    codes = pairs.tolist()
    new = [code for code in codes if code not in known]
    if new:
        new_fates = _find_fates(forces, np.array(new), crashed, damage_stays, withdrawn is not None)
        known.update(zip(new, new_fates, strict=True))
    fates: dict[Fate, int] = {}
    which = [fates.setdefault(known[code], len(fates)) for code in codes]
    return tuple(fates), np.array(which, np.int64)[place]


def _find_fates(
    forces: Forces, codes: Nodes, crashed: Nodes | None, damage_stays: bool, withdraws: bool
) -> Iterator[Fate]:
    """The fates of forces, which are twice their nodes, and 1 more where all withdraw, or else are cleared away.

    Ships that are lost count as whole ones, and ships that are left too, unless damage stays.
    """
    whole = np.array(forces.whole.active, np.int64)
    node, flagged = codes // 2, (codes % 2)[:, None]
    active, gone = forces.active[node], forces.gone[node]
    if withdraws:
        leaving = active * flagged
        active, gone = active - leaving, gone + leaving
    if crashed is not None:
        active, gone = remove_crashed(active, gone, crashed[node])
    if not withdraws:
        active = active * (1 - flagged)
    kinds: dict[str, list[int]] = {}
    for number, segment in enumerate(forces.segments):
        if not segment.spare:
            kinds.setdefault(segment.unit.repaired or segment.unit.name, []).append(number)
    lost = _count_units(kinds, whole - active - gone)
    if damage_stays:
        kinds, active, gone = _tell_damage(forces.segments, active, gone)
    return map(Fate._make, zip(lost, _count_units(kinds, active), _count_units(kinds, gone), strict=True))


def _tell_damage(
    segments: Sequence[Segment], active: Nodes, gone: Nodes
) -> tuple[dict[str, list[int]], UnitCounts, UnitCounts]:
    """Count whole ships in the place of their first hits still to take, and the others of their kind as damaged.

    Returns the places of each kind, and the units in the fight and gone from it: [force, place].
    """
    spares = ((place, segment.unit) for place, segment in enumerate(segments) if segment.spare)
    firsts = {unit.name: place for place, unit in spares if unit.hits > 1}
    counts = active.copy(), gone.copy()
    kinds: dict[str, list[int]] = {}
    for place, segment in enumerate(segments):
        name = segment.unit.name
        if segment.spare:
            continue
        if name in firsts:
            for sides in counts:
                sides[:, place] -= sides[:, firsts[name]]
            kinds.setdefault(name, []).append(firsts[name])
            name = name_of_damaged(name)
        kinds.setdefault(name, []).append(place)
    return kinds, *counts


def _count_units(kinds: Mapping[str, Sequence[int]], counts: Nodes) -> list[tuple[tuple[str, int], ...]]:
    """The units of each force by name; `kinds` has the segments of each name."""
    if not counts.any():
        return [()] * len(counts)
    segments, columns = counts.T.tolist(), []
    for name, places in sorted(kinds.items()):
        totals = list(map(sum, zip(*(segments[place] for place in places), strict=True)))
        pairs = [None, *((name, count) for count in range(1, max(totals) + 1))]
        columns.append([pairs[total] for total in totals])
    return [tuple([pair for pair in row if pair]) for row in zip(*columns, strict=True)]
