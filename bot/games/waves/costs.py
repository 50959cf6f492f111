"""An estimate of the processor time, in seconds, of the odds of several waves."""

from bot.games.axis.costs import MOST, army_seconds
from solver.waves.waves import Waves


def waves_seconds(waves: Waves, *_others: object) -> float:
    """Estimate the seconds for the odds of several waves of Axis & Allies."""
    return min(2 * sum(map(army_seconds, waves.battles)), MOST)
