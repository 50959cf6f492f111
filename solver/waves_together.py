"""The joint law of all waves together: what both sides lose in all of them, and who holds the field in the end."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from solver.axis import AxisBattle
from solver.chain import Grid
from solver.documents import told_chance, told_chances
from solver.forces import Nodes, ranked
from solver.odds import Chances
from solver.plans import doomed
from solver.sides import Units
from solver.units import ROLES

LARGEST_CODE = 2**62
"""Losses are told by one number each, which must be less than this."""
NAMES = {0: "attacker", 1: "defender", None: "nobody"}


class TooManyEndsError(Exception):
    """There are too many ends to keep them apart."""


class Field(NamedTuple):
    """Who holds the field in the end (0 the first attacker's side, 1 the first defender's), and the units there.

    Where nobody holds it, `submerged` are attackers who lie there under water, with their side; None is nobody.
    """

    holder: int | None
    units: Units
    submerged: tuple[int, Units] | None = None

    @property
    def diver(self) -> int | None:
        """Whose submarines lie there under water; None is nobody."""
        return self.submerged[0] if self.submerged else None

    def to_dict(self) -> dict[str, Any]:
        """The field as a part of a JSON document."""
        field = {"holder": NAMES[self.holder], "units": dict(self.units)}
        if self.submerged is None:
            return field
        side, units = self.submerged
        return field | {"submerged": {NAMES[side]: dict(units)}}


class Law(NamedTuple):
    """Chances of what was lost before, by its `Codes`, and of which set of units is on the field then.

    `chances` are [row, column]: with the losses `lost` of the row, [side, row], and those `more` of the column, [side,
    column], the set `units` of the column.
    """

    lost: Nodes
    more: Nodes
    units: Nodes
    chances: Grid

    def parts(self) -> Iterator[tuple[Nodes, Nodes, Grid]]:
        """The losses of each row, the sets of units, and their chances: for columns with the same losses together."""
        _, which = different(self.more)
        for number in range(int(which.max(initial=-1)) + 1):
            some = np.flatnonzero(which == number)
            yield self.lost + self.more[:, some[:1]], self.units[some], self.chances[:, some]


def different(lost: Nodes) -> tuple[Nodes, Nodes]:
    """The different pairs of losses of both sides, [side, pair], and which of these each is of some, [side, ...]."""
    (ours, first), (theirs, second) = ranked(lost[0]), ranked(lost[1])
    pairs, which = ranked(first * len(theirs) + second)
    one, two = np.divmod(pairs, max(len(theirs), 1))
    return np.stack([ours[one], theirs[two]]), which


class Codes:
    """Losses of a side as numbers that can be added: so many of the first kind, so many times more of the next."""

    def __init__(self, most: Mapping[str, int]) -> None:
        """`most` is how many of each kind can be lost."""
        self.places: dict[str, int] = {}
        end = 1
        for name, count in most.items():
            self.places[name] = end
            end *= count + 1
        if end > LARGEST_CODE:
            raise TooManyEndsError

    def units(self, codes: Nodes) -> list[Units]:
        """The losses of numbers."""
        found = {}
        for name, place in reversed(self.places.items()):
            counts, codes = np.divmod(codes, place)
            pairs = [None, *((name, count) for count in range(1, int(counts.max(initial=0)) + 1))]
            found[name] = [pairs[count] for count in counts.tolist()]
        if not found:
            return [()] * len(codes)
        rows = zip(*(found[name] for name in sorted(found)), strict=True)
        return [tuple(filter(None, row)) for row in rows]


def codes_of(most: Iterable[Mapping[str, int]]) -> list[Codes]:
    """The codes of the losses of each side; none where they are too large."""
    try:
        return [Codes(counts) for counts in most]
    except TooManyEndsError:
        return []


@dataclass(frozen=True, eq=False)
class Together:
    """With probability `chances[i]` each side s loses `losses[s][lost[s, i]]` and leaves `fields[at[i]]`.

    0 is the first attacker's side, 1 the first defender's. `profits[i]` is the money that side 1 has lost then, less
    that of side 0, with what the territory is worth to side 0 if that holds it, and in a deadzone what is as good as
    lost of whichever side has captured it and was not attacked there since.
    """

    losses: tuple[tuple[Units, ...], tuple[Units, ...]]
    fields: tuple[Field, ...]
    lost: Nodes
    at: Nodes
    chances: Chances
    profits: Chances

    def holds(self, side: int | None) -> float:
        """The chance that a side holds the field in the end; None is nobody."""
        return float(self.left[[field.holder == side for field in self.fields]].sum())

    def unheld(self, diver: int | None) -> float:
        """The chance that nobody holds the field in the end, where only this side has submarines under water."""
        return float(self.left[[field.holder is None and field.diver == diver for field in self.fields]].sum())

    @cached_property
    def left(self) -> Chances:
        """The chances of the `fields`."""
        return np.asarray(np.bincount(self.at, self.chances, len(self.fields)), float)

    def law(self, side: int) -> Chances:
        """The chances of the `losses` of a side."""
        return np.asarray(np.bincount(self.lost[side], self.chances, len(self.losses[side])), float)

    @cached_property
    def profit(self) -> tuple[Chances, Chances]:
        """The law of the profit: amounts of money, and their chances."""
        found, place = np.unique(np.round(self.profits, 6), return_inverse=True)
        return found, np.asarray(np.bincount(place, self.chances, len(found)), float)

    def to_dict(self) -> dict[str, Any]:
        """The law as a JSON document: a table for what each side loses, for who is left in the end, for the profit."""
        amounts, chances = self.profit
        fields = [field.to_dict() for field in self.fields]
        return {
            "holds": {NAMES[side]: told_chance(self.holds(side)) for side in NAMES},
            **{f"{NAMES[side]}_lost": _table(list(map(dict, self.losses[side])), self.law(side)) for side in (0, 1)},
            "left": _table(fields, self.left),
            "profit": [list(pair) for pair in zip(amounts.tolist(), told_chances(chances), strict=True)],
        }


def _table(rows: Sequence[Any], chances: Chances) -> list[list[Any]]:
    return [[rows[place], told_chance(float(chances[place]))] for place in np.argsort(-chances, kind="stable").tolist()]


def together(
    battle: AxisBattle, codes: Sequence[Codes], fields: Sequence[tuple[Field, bool]], ended: Sequence[Law]
) -> Together:
    """The joint law from all that has ended; `battle` says what units and the territory are worth.

    With each field goes whether its units have captured it in a deadzone, and were not attacked there since.
    """
    ends = [np.nonzero(law.chances) for law in ended]
    pairs = list(zip(ended, ends, strict=True))
    known = [
        ranked(np.concatenate([law.lost[side, row] + law.more[side, column] for law, (row, column) in pairs]))
        for side in (0, 1)
    ]
    (_, first), (_, second) = known
    at = np.concatenate([law.units[column] for law, (_, column) in pairs])
    # What the other side has lost and what is on the field hang together: of both there are few.
    others, other = ranked(second * len(fields) + at)
    found, place = ranked(first * len(others) + other)
    chances = np.bincount(place, np.concatenate([law.chances[end] for law, end in pairs]), len(found))
    first, other = np.divmod(found, len(others))
    second, at = np.divmod(others[other], len(fields))
    lost = np.stack([first, second])
    losses = tuple(tuple(code.units(found)) for code, (found, _) in zip(codes, known, strict=True))
    costs = [prices(battle, side, losses[side]) for side in (0, 1)]
    gains = np.array([_gain(battle, field, exposed) for field, exposed in fields])
    profits = costs[1][lost[1]] - costs[0][lost[0]] + gains[at]
    once = {field: place for place, field in enumerate(dict.fromkeys(field for field, _ in fields))}
    at = np.array([once[field] for field, _ in fields], np.int64)[at]
    return Together((losses[0], losses[1]), tuple(once), lost, at, np.asarray(chances), profits)


def _gain(battle: AxisBattle, field: Field, exposed: bool) -> float:
    """What the territory brings to the first attacker's side.

    It has its value if that side holds it in the end. Who is exposed there, on either side, is as good as lost, as in
    `Ends.gains`; with captors who are attacked in a later wave that is not so, for it is seen what becomes of them.
    """
    if battle.theatre == "sea" or field.holder is None:
        return 0.0
    value = 0.0 if field.holder else battle.territory_value
    if not exposed:
        return value
    table = battle.rules.table
    role, other = ROLES[field.holder], ROLES[1 - field.holder]  # those that the sides have in the first wave
    lost = sum(doomed(battle, battle.worth.priced(table[name], role), other) * count for name, count in field.units)
    return value + (lost if field.holder else -lost)


def prices(battle: AxisBattle, side: int, sets: Sequence[Units]) -> Chances:
    """What sets of units of a side are worth: in the part that it has in the first wave, whatever it did later."""
    role = ROLES[side]
    table = battle.rules.table
    worth = {name: battle.worth.of(table[name], role) for name in {name for units in sets for name, _ in units}}
    return np.array([sum(worth[name] * count for name, count in units) for units in sets], float)
