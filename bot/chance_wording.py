"""Chances in long lists: said as everywhere, or with more decimals where each of thousands is small."""

from collections.abc import Callable

from bot.languages import in_percent, number
from bot.wording import AnyOdds, percent, uncertain
from solver.axis_odds import AxisOdds
from solver.bombing import RaidOdds

FINEST = 4
"""How many decimals a chance in a file has."""

Told = Callable[[float, float], str]
"""Turn a chance into text; the second number is the chance of everything else."""


def chance_text(odds: AnyOdds | RaidOdds, fine: bool = False) -> Told:
    """How chances of some odds are said: as everywhere, or fine_percent."""

    def told(chance: float, rest: float) -> str:
        if isinstance(odds, RaidOdds):
            usual = uncertain(chance) if rest > 0 else in_percent("100")
        else:
            usual = percent(chance, odds, rest)
        simulated = isinstance(odds, AxisOdds) and odds.sampled
        return usual if not fine or simulated or usual in (in_percent("0"), in_percent("100")) else fine_percent(chance)

    return told


def fine_percent(chance: float) -> str:
    """A chance with more decimals than people want to read in a message."""
    least = 10.0**-FINEST
    if 100 * chance < least / 2:
        return in_percent(f"<{number(least, FINEST)}")
    if 100 * chance >= 100 - least / 2:
        return in_percent(f">{number(100 - least, FINEST)}")
    return in_percent(number(100 * chance, FINEST))
