"""The joint law of several waves: the losses of both sides in all waves, and the holder of the field at the end."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.ends import deadzone_loss
from solver.axis.kernel.forces import Nodes
from solver.axis.kernel.search import unique_inverse
from solver.axis.odds import law_of_amounts
from solver.axis.sides import Units
from solver.axis.units import ROLES
from solver.chain import Chances, Grid
from solver.documents import clamp_chance, clamp_chances

LARGEST_CODE = 2**62
"""The losses of a side are written as one number below this."""
FEW = 2_000
"""Fewer losses of both sides are sorted at once, which is faster than to sort those of each side first."""
NAMES = {0: "attacker", 1: "defender", None: "nobody"}


class TooManyEndsError(Exception):
    """There are too many endings to keep apart."""


class FinalField(NamedTuple):
    """The field after the last wave.

    Attributes:
        holder: The side that holds it: 0 the first attacker's, 1 the first defender's, None nobody.
        units: The units of the holder there.
        submerged: If nobody holds it, the side and the units of the attackers submerged there; None if there are none.
        against: At sea, the units of the other side that are there too.
    """

    holder: int | None
    units: Units
    submerged: tuple[int, Units] | None = None
    against: Units = ()

    @property
    def submerged_side(self) -> int | None:
        """The side with submerged units there; None if there are none."""
        return self.submerged[0] if self.submerged else None

    def to_dict(self) -> dict[str, Any]:
        """Return the field as part of a JSON document."""
        field = {"holder": NAMES[self.holder], "units": dict(self.units)}
        if self.against:
            return field | {"against": dict(self.against)}
        if self.submerged is None:
            return field
        side, units = self.submerged
        return field | {"submerged": {NAMES[side]: dict(units)}}


class LossLaw(NamedTuple):
    """The joint law of the losses so far and of the units on the field.

    Attributes:
        lost: The losses of each row as `Codes`, [side, row].
        more: The further losses of each column, [side, column].
        units: The number of the set of units of each column.
        chances: The probability of each [row, column].
    """

    lost: Nodes
    more: Nodes
    units: Nodes
    chances: Grid


def unique_pairs(lost: Nodes) -> tuple[Nodes, Nodes]:
    """Return the distinct losses of both sides, [side, pair], and the number of the pair of each loss, [...].

    Args:
        lost: Losses as `Codes`, [side, ...].
    """
    wide = int(lost[1].max(initial=0)) + 1
    if lost.size < FEW and (int(lost[0].max(initial=0)) + 1) * wide <= LARGEST_CODE:
        pairs, which = unique_inverse(lost[0] * wide + lost[1])
        return np.array(np.divmod(pairs, wide)), which
    (ours, first), (theirs, second) = unique_inverse(lost[0]), unique_inverse(lost[1])
    pairs, which = unique_inverse(first * len(theirs) + second)
    own, other = np.divmod(pairs, max(len(theirs), 1))
    return np.array([ours[own], theirs[other]]), which


class Codes:
    """The losses of one side as numbers that can be added: each kind of unit has a weight, as digits have.

    Attributes:
        end: All numbers are below it.

    Args:
        limits: The most units of each kind that can be lost.

    Raises:
        TooManyEndsError: The numbers would be too large.
    """

    def __init__(self, limits: Mapping[str, int]) -> None:
        self.places: dict[str, int] = {}
        end = 1
        for name, count in limits.items():
            self.places[name] = end
            end *= count + 1
        if end > LARGEST_CODE:
            raise TooManyEndsError
        self.end = end

    def units(self, codes: Nodes) -> list[Units]:
        """Return the losses with these numbers.

        Args:
            codes: An array of numbers.
        """
        columns = {}
        for name, place in reversed(self.places.items()):
            counts, codes = np.divmod(codes, place)
            pairs = [None, *((name, count) for count in range(1, int(counts.max(initial=0)) + 1))]
            columns[name] = [pairs[count] for count in counts.tolist()]
        if not columns:
            return [()] * len(codes)
        rows = zip(*(columns[name] for name in sorted(columns)), strict=True)
        return [tuple(filter(None, row)) for row in rows]


def codes_of(limits: Iterable[Mapping[str, int]]) -> list[Codes]:
    """Return the codes of each side's losses; none if they would be too large.

    Args:
        limits: The most units of each kind that each side can lose.
    """
    try:
        return [Codes(counts) for counts in limits]
    except TooManyEndsError:
        return []


@dataclass(frozen=True, eq=False)
class JointOdds:
    """The joint law of several waves. Side 0 is the first attacker's, side 1 the first defender's.

    Attributes:
        losses: The sets of units that each side can lose in all waves.
        fields: The final fields.
        lost: The number of the set that each side loses in each ending, [side, ending].
        at: The number of the final field in each ending.
        chances: The probability of each ending.
        profits: The money that side 1 has lost in each ending, minus that of side 0, plus the value of the territory if
            side 0 holds it. In a deadzone a captor that was not attacked since counts as lost.
    """

    losses: tuple[tuple[Units, ...], tuple[Units, ...]]
    fields: tuple[FinalField, ...]
    lost: Nodes
    at: Nodes
    chances: Chances
    profits: Chances

    def hold_chance(self, side: int | None) -> float:
        """Return the chance that a side holds the field at the end.

        Args:
            side: 0, 1, or None for nobody.
        """
        return float(self.left[[field.holder == side for field in self.fields]].sum())

    def unheld_chance(self, submerged_side: int | None) -> float:
        """Return the chance that nobody holds the field at the end and only this side has submerged units.

        Args:
            submerged_side: 0, 1, or None for no submerged units.
        """
        return float(
            self.left[[field.holder is None and field.submerged_side == submerged_side for field in self.fields]].sum()
        )

    @cached_property
    def left(self) -> Chances:
        """The probability of each final field."""
        return np.asarray(np.bincount(self.at, self.chances, len(self.fields)), float)

    def law(self, side: int) -> Chances:
        """Return the probability of each of a side's sets of losses.

        Args:
            side: 0 or 1.
        """
        return np.asarray(np.bincount(self.lost[side], self.chances, len(self.losses[side])), float)

    @property
    def winners(self) -> Nodes:
        """The side that holds the field at the end, 2 for nobody: [ending]."""
        return np.array([2 if field.holder is None else field.holder for field in self.fields])[self.at]

    @cached_property
    def profit(self) -> tuple[Chances, Chances]:
        """The law of the profit: amounts of money in ascending order, and their chances."""
        return law_of_amounts(self.profits, self.chances)

    @property
    def nbytes(self) -> int:
        """About how many bytes of memory this takes."""
        return 32 * len(self.chances) + 400 * sum(map(len, (*self.losses, self.fields)))

    def to_dict(self) -> dict[str, Any]:
        """Return the law as a JSON document, with tables of each side's losses, the final fields and the profit."""
        amounts, chances = self.profit
        fields = [field.to_dict() for field in self.fields]
        return {
            "holds": {NAMES[side]: clamp_chance(self.hold_chance(side)) for side in NAMES},
            **{f"{NAMES[side]}_lost": _table(list(map(dict, self.losses[side])), self.law(side)) for side in (0, 1)},
            "left": _table(fields, self.left),
            "profit": list(map(list, zip(amounts.tolist(), clamp_chances(chances), strict=True))),
        }


def _table(rows: Sequence[Any], chances: Chances) -> list[list[Any]]:
    order = np.argsort(-chances, kind="stable")
    pairs = zip(order.tolist(), clamp_chances(chances[order]), strict=True)
    return [[rows[place], chance] for place, chance in pairs]


def joint_odds(
    battle: AxisBattle, codes: Sequence[Codes], fields: Sequence[tuple[FinalField, bool]], ended: Sequence[LossLaw]
) -> JointOdds:
    """Return the joint law of all endings.

    Args:
        battle: The battle of the first wave; it has the worth of units and of the territory.
        codes: The codes of each side's losses.
        fields: The final fields, each with whether its captors are exposed in a deadzone without another attack.
        ended: The laws of the endings; their units are numbers of `fields`.
    """
    ends = [np.nonzero(law.chances) for law in ended]
    pairs = list(zip(ended, ends, strict=True))
    known = [
        unique_inverse(np.concatenate([law.lost[side, row] + law.more[side, column] for law, (row, column) in pairs]))
        for side in (0, 1)
    ]
    (_, first), (_, second) = known
    at = np.concatenate([law.units[column] for law, (_, column) in pairs])
    # The other side's losses and the field depend on each other, so there are few pairs.
    others, other = unique_inverse(second * len(fields) + at)
    endings, place = unique_inverse(first * len(others) + other)
    chances = np.bincount(place, np.concatenate([law.chances[end] for law, end in pairs]), len(endings))
    first, other = np.divmod(endings, len(others))
    second, at = np.divmod(others[other], len(fields))
    lost = np.array([first, second])
    losses = tuple(tuple(code.units(endings)) for code, (endings, _) in zip(codes, known, strict=True))
    costs = [set_prices(battle, side, losses[side]) for side in (0, 1)]
    gains = np.array([territory_gain(battle, field, exposed) for field, exposed in fields])
    profits = costs[1][lost[1]] - costs[0][lost[0]] + gains[at]
    once = {field: place for place, field in enumerate(dict.fromkeys(field for field, _ in fields))}
    at = np.array([once[field] for field, _ in fields], np.int64)[at]
    return JointOdds((losses[0], losses[1]), tuple(once), lost, at, np.asarray(chances), profits)


def territory_gain(battle: AxisBattle, field: FinalField, exposed: bool) -> float:
    """Return the money that the first attacker's side gains from the territory.

    It gains the value if it holds the territory at the end. Exposed units count as lost, as in `AxisOdds`, but not
    captors that are attacked in a later wave, because that wave shows their fate.

    Args:
        battle: The battle of the first wave.
        field: The field after the last wave.
        exposed: Whether its holders are exposed in a deadzone.
    """
    if battle.theatre == "sea" or field.holder is None:
        return 0.0
    value = 0.0 if field.holder else battle.territory_value
    if not exposed:
        return value
    table = battle.rules.table
    role, other = ROLES[field.holder], ROLES[1 - field.holder]  # those that the sides have in the first wave
    lost = sum(
        deadzone_loss(battle, battle.worth.at_worth(table[name], role), other) * count for name, count in field.units
    )
    return value + (lost if field.holder else -lost)


def set_prices(battle: AxisBattle, side: int, sets: Sequence[Units]) -> Chances:
    """Return the worth of sets of units of one side, in its role of the first wave.

    Args:
        battle: The battle of the first wave.
        side: 0 or 1.
        sets: The sets of units.
    """
    role = ROLES[side]
    table = battle.rules.table
    worth = {name: battle.worth.of(table[name], role) for name in {name for units in sets for name, _ in units}}
    return np.array([sum([worth[name] * count for name, count in units]) for units in sets], float)
