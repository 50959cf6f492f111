"""The first wave with every part of the attacker's army at once."""

from collections.abc import Sequence

import numpy as np

from solver.axis.chain import AxisKernel
from solver.axis.kernel.forces import Force, full_force
from solver.axis.kernel.hits import Laws
from solver.axis.opening import attackers_after, opening_law
from solver.axis.sides import Units
from solver.chain import Grid
from solver.progress import Meter
from solver.waves.steps import SET_WORK, START, WaveFight, prices_of
from solver.waves.waves import Waves


def can_take_together(waves: Waves) -> bool:
    """Return whether the parts of the first attacker's army can be taken together.

    The first battle is fought to the end, without ships that bombard and without units that are kept to the last.

    Args:
        waves: The waves.
    """
    first = waves.battles[0]
    return not (waves.look_ahead or first.ends_early or first.fleet or first.attacker.keep_land)


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
