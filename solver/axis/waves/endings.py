"""The endings of waves after which nobody attacks any more: who holds the field, and the laws of all losses there."""

from collections.abc import Sequence

import numpy as np

from solver.axis.kernel.forces import Nodes
from solver.axis.kernel.search import unique_inverse
from solver.axis.odds import AxisOdds
from solver.axis.sides import Units
from solver.axis.waves.ahead import Holder, WaveEnds, canonical_units
from solver.axis.waves.histories import loss_codes
from solver.axis.waves.joint import LARGEST_CODE, Codes, FinalField, LossLaw
from solver.axis.waves.units import add_units
from solver.chain import Chances

Rest = tuple[Units, Units]
"""The units of the holder of the field in an ending, and those submerged there if nobody holds it."""


class FleetEndings:
    """All endings.

    Attributes:
        fields: The numbers of the final fields, each with whether its captors are exposed in a deadzone.
        laws: The laws of the losses; their units are numbers of `fields`.
        held: The chance that each side holds the field, 0 and 1, and that nobody does, None.
    """

    def __init__(self) -> None:
        self.fields: dict[tuple[FinalField, bool], int] = {}
        self.laws: list[LossLaw] = []
        self.held: dict[int | None, float] = {0: 0.0, 1: 0.0, None: 0.0}
        self._rests: dict[Rest, int] = {}

    def hold(self, ways: WaveEnds, taken: bool, sets: Sequence[Units], places: Nodes, mass: Chances) -> None:
        """Note who holds the field in some endings.

        Args:
            ways: The future after the wave.
            taken: Whether its attackers have captured the field.
            sets: Sets of units.
            places: The set of the holder in each ending.
            mass: The chance of each ending.
        """
        there = np.array([taken or ways.owned or bool(units) for units in sets], bool)[places]
        self.held[ways.side if taken else 1 - ways.side] += float(mass @ there)
        self.held[None] += float(mass @ ~there)

    def rest_numbers(
        self, ways: WaveEnds, odds: AxisOdds, some: Nodes, sets: Sequence[Units], places: Nodes, taken: bool
    ) -> Nodes:
        """Return the number of the rest in some endings.

        Args:
            ways: The future after the wave.
            odds: The odds of the wave.
            some: The endings.
            sets: Sets of units.
            places: The set of the holder of the field in each of them.
            taken: Whether the attackers have captured the field.
        """
        rows = 0 * places
        if not (taken or ways.land):
            # Attackers may be submerged where nobody is left to hold the field.
            nobody = np.array([not units for units in sets], bool)[places]
            rows = np.where(nobody, 1 + odds.rows[some], 0)
        pairs, which = unique_inverse(places * (len(odds.attackers) + 1) + rows)
        numbers = []
        for pair in pairs.tolist():
            place, row = divmod(pair, len(odds.attackers) + 1)
            rest = sets[place], ways.submerged_attackers(odds.attackers[row - 1]) if row else ()
            numbers.append(self._rests.setdefault(rest, len(self._rests)))
        return np.array(numbers, np.int64)[which]

    def add(
        self, ways: WaveEnds, taken: bool, law: LossLaw, against: Units, fleets: Sequence[Units], span: int
    ) -> None:
        """Add the law of some endings.

        Args:
            ways: The future after the wave.
            taken: Whether its attackers have captured the field.
            law: The law; its units are numbers of rests.
            against: The attackers of this wave who have stayed at sea against the holder.
            fleets: The fleets that were there before them.
            span: The losses of the attackers count this much more with each further fleet: see `with_fleets`.
        """
        rests = list(self._rests)
        rests = [rests[number] for number in law.units.tolist()]
        if len(fleets) == 1:
            self.laws.append(law._replace(units=self._field_numbers(ways, taken, rests, against, fleets[0])))
            return
        fleet_of = law.lost[ways.side] // span
        for number in dict.fromkeys(fleet_of.tolist()):
            rows = np.flatnonzero(fleet_of == number)
            columns = np.flatnonzero(law.chances[rows].any(axis=0))
            lost = law.lost[:, rows]
            lost[ways.side] -= number * span
            here = [rests[column] for column in columns.tolist()]
            units = self._field_numbers(ways, taken, here, against, fleets[number])
            self.laws.append(LossLaw(lost, law.more[:, columns], units, law.chances[np.ix_(rows, columns)]))

    def _field_numbers(self, ways: WaveEnds, taken: bool, rests: Sequence[Rest], against: Units, fleet: Units) -> Nodes:
        """The numbers of the final fields with these rests, and with a fleet that was there before this wave."""
        exposed = taken and ways.land and ways.battle.deadzone
        against = _join_units(fleet, against)
        numbers = []
        for units, under in rests:
            if taken:
                field = FinalField(ways.side, _join_units(fleet, units))
            else:
                submerged = (ways.side, under) if under else None
                field = FinalField(ways.last_holder(False, units), units, submerged, against if units else ())
            numbers.append(self.fields.setdefault((field, exposed), len(self.fields)))
        return np.array(numbers, np.int64)


def alike_fleets(ways: WaveEnds, holders: Sequence[Holder], codes: Sequence[Codes]) -> list[list[int]]:
    """Return the places of holders whose endings are passed on together.

    After the last wave fleets make no difference but to the final field, and to whether there are ships to hold it.

    Args:
        ways: The future after the wave.
        holders: Holders that differ only in the fleets against them.
        codes: The codes of each side's losses.
    """
    last = ways.next == {False: None, True: None} and bool(codes)
    if not last or codes[ways.side].end * len(holders) > LARGEST_CODE:
        return [[place] for place in range(len(holders))]
    groups: dict[bool, list[int]] = {}
    for place, holder in enumerate(holders):
        groups.setdefault(ways.has_ship(holder.fleet), []).append(place)
    return list(groups.values())


def with_fleets(histories: Sequence[Nodes], side: int, span: int) -> Nodes:
    """Return the histories against several fleets as one, [side, history]: of each further fleet they are larger.

    Args:
        histories: The histories against each fleet, [side, history].
        side: The side of the fleets.
        span: A number above all losses of that side.
    """
    moved = [known.copy() for known in histories]
    for number, known in enumerate(moved):
        known[side] += number * span
    return np.concatenate(moved, axis=1)


def without_fleet(histories: Nodes, ways: WaveEnds, codes: Sequence[Codes]) -> Nodes:
    """Return the histories without the losses of a fleet that defends in the next wave, which counts them.

    Args:
        histories: The histories, [side, history].
        ways: The future after the wave, against the holder with that fleet.
        codes: The codes of each side's losses; none if histories are not kept apart.
    """
    without = histories.copy()
    for units, sign in ((ways.holder.brought, -1), (ways.holder.fleet, 1)) if codes else ():
        without[ways.side] += sign * sum(codes[ways.side].places.get(name, 0) * count for name, count in units)
    return without


def losses_of(
    ways: WaveEnds, odds: AxisOdds, taken: bool, holder: Holder, codes: Sequence[Codes]
) -> tuple[Nodes, Nodes]:
    """Return the attackers' and the defenders' losses in the endings of a wave, as numbers.

    The units of the next holder of the field are counted with it later.

    Args:
        ways: The future after the wave.
        odds: The odds of the wave.
        taken: Whether its attackers have captured the field.
        holder: The next holder.
        codes: The codes of each side's losses; none if histories are not kept apart.
    """
    lost = beaten = np.zeros(len(odds.chances), np.int64)
    if codes:
        ours, theirs = codes[ways.side].places, codes[1 - ways.side].places
        counted = dict(holder.before) if taken and ways.next[taken] is not None else {}
        lost = loss_codes(odds.attackers, odds.rows, {name: at for name, at in ours.items() if name not in counted})
        if taken or ways.next[taken] is None:
            beaten = loss_codes(odds.defenders, odds.columns, theirs)
    return lost, beaten


def _join_units(units: Units, more: Units) -> Units:
    """Two sets of units as one."""
    return canonical_units(add_units(dict(units), dict(more))) if units and more else units or more
