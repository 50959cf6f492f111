"""The odds of several waves within a limit of work."""

from math import prod

from solver.axis.battle import AxisBattle
from solver.axis.limits import EXACT_CELLS, MOST_NUMBERS, TIMES
from solver.axis.sides import Army
from solver.errors import TooLargeError
from solver.waves.odds import WavesOdds, solve_waves
from solver.waves.waves import Waves


def waves_within(waves: Waves, dropped: float, most: int) -> WavesOdds:
    """Return the odds of several waves: see `solve_waves`.

    Args:
        waves: The waves.
        dropped: The most probability, of 1, that may be dropped to save work.
        most: The limit, in the unit of `Meter`; up to `TIMES` as much work is done.

    Raises:
        TooLargeError: It is more work.
    """
    if all(
        _forces(battle.attacker, battle) * _forces(battle.defender, battle) <= EXACT_CELLS for battle in waves.battles
    ):
        dropped = 0.0
    try:
        return solve_waves(waves, dropped, TIMES * most, MOST_NUMBERS)
    except TooLargeError:
        raise TooLargeError(
            "waves",
            "these waves are too large for me; try up to 100 units a side on land, 40 at sea",
        ) from None


def _forces(side: Army, battle: AxisBattle) -> int:
    """Return about how many forces a side can be reduced to."""
    counts = [count for _, count in side.units]
    return 1 + sum(counts) if battle.theatre == "land" else prod(count + 1 for count in counts)
