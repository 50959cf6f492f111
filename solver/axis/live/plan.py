"""The plan that the attacker of a live battle of Axis & Allies follows, wherever players' choices have led."""

from itertools import product
from typing import NamedTuple

from solver.axis.battle import AxisBattle
from solver.axis.kernel.forces import Force
from solver.axis.live.standings import StandingChain
from solver.axis.plans import RetreatPlans
from solver.chain import Mask
from solver.progress import Meter

MOST_PLANNED = 200_000_000.0
"""About how much work a plan may take, in the unit of `Meter`: a second or so."""
MOST_KEPT = 16
"""The most parts of a plan that are kept beside the first."""


class _Part(NamedTuple):
    """The plan for what follows from some forces: the cells, and whether the attacker stops in each."""

    cells: StandingChain
    stops: Mask


class Plan:
    """The plan of an attacker who looks to the end of the battle, at first for its usual course.

    TooLargeError is raised where a plan takes more work than `MOST_PLANNED`.

    Attributes:
        declined: Whether they decline the battle.
    """

    def __init__(self, battle: AxisBattle) -> None:
        self._battle = battle
        cells = StandingChain(battle, Meter(MOST_PLANNED))
        plans = RetreatPlans(cells.chain)
        self.declined = plans.declines()[0]
        self._parts = [_Part(cells, plans.stops)]

    @property
    def usual_stops(self) -> Mask:
        """Whether the attacker stops in each cell of the battle's own chain: [row, column]."""
        return self._parts[0].stops

    def stops_at(self, attack: Force, defence: Force) -> bool:
        """Return whether the attacker stops where two forces meet, the attacker's and the defender's: see `Plan`."""
        if (known := self._known_stop(attack, defence)) is None:
            self.add([attack], [defence])
            known = self._known_stop(attack, defence)
        assert known is not None, "it was just added"
        return known

    def _known_stop(self, attack: Force, defence: Force) -> bool | None:
        """Whether the attacker stops where two forces meet; None if the plan for them is not there."""
        for part in self._parts:
            row, column = part.cells.row(attack), part.cells.column(defence)
            if row is not None and column is not None:
                return bool(part.stops[row, column])
        return None

    def add(self, attacks: list[Force], defences: list[Force]) -> None:
        """Find the plan for what follows from forces of both sides, unless it is there: see `Plan`."""
        if None not in (self._known_stop(*pair) for pair in product(attacks, defences)):
            return
        cells = StandingChain(self._battle, Meter(MOST_PLANNED), (attacks, defences))
        part = _Part(cells, RetreatPlans(cells.chain).stops)
        self._parts = [self._parts[0], part, *self._parts[1:MOST_KEPT]]
