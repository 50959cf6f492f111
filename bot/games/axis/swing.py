"""TUV swings for pictures of Axis & Allies: their law for each winner, summaries, and titles that fit."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bot.editions import editions
from bot.games.axis.words import count_text, in_money, short_spread, swing_range
from bot.games.axis.writing import units_text
from bot.games.raid import words as bombing_wording
from bot.languages import _
from bot.words.numbers import signed_tenths
from solver.axis.battle import AxisBattle
from solver.axis.odds import AxisOdds
from solver.axis.waves.joint import JointOdds
from solver.chain import Chances
from solver.raid.odds import RaidOdds

LEAST_NEITHER = 0.0005
"""A picture shows the chance that neither side wins where it is more than this."""

Swings = Sequence[tuple[float, float, float, float]]
"""Each possible TUV swing, the least first, with the chances that the attacker, the defender and nobody wins there."""
Names = tuple[str, str, str]
"""Words for the attacker, for the defender, and for neither."""


class DrawnSwings(NamedTuple):
    """What a picture of TUV swings shows. Of several texts it has the first that fits.

    Attributes:
        titles: The battle or the raid.
        subtitles: The texts below the title.
        names: The successes of the attacker, of the defender and of neither.
        numbers: Their chances in words; the last is empty if there is no such end.
        twenty: How many of twenty battles end so.
        captions: The texts below the twenty squares.
        swings: The swings.
        footers: The texts at the bottom.
    """

    titles: Sequence[str]
    subtitles: Sequence[str]
    names: Names
    numbers: Names
    twenty: tuple[int, int, int]
    captions: Sequence[str]
    swings: Swings
    footers: Sequence[str]


def battle_swings(odds: AxisOdds) -> Swings:
    """Return the law of the TUV swing of a battle, divided by who wins."""
    winners = np.where(odds.ends_won, 0, np.where(odds.ends_without_win["holds"], 1, 2))
    return _law(odds.defender_loss_at - odds.attacker_loss_at, odds.chances, winners)


def waves_swings(odds: JointOdds) -> Swings:
    """Return the law of the TUV swing of all waves, divided by who holds the field at the end."""
    holders = np.array([2 if field.holder is None else field.holder for field in odds.fields])
    return _law(odds.profits, odds.chances, holders[odds.at])


def raid_swings(profits: Sequence[tuple[int, float]]) -> Swings:
    """Return each profit with the chances that the raid pays with it, that it does not, and that it breaks even."""
    return [(money, chance * (money > 0), chance * (money < 0), chance * (money == 0)) for money, chance in profits]


def _law(amounts: Chances, chances: Chances, winners: npt.NDArray[np.int_]) -> Swings:
    distinct, place = np.unique(np.round(amounts, 2), return_inverse=True)
    parts = np.bincount(3 * place + winners, chances, 3 * len(distinct)).reshape(-1, 3)
    return [(amount, *part) for amount, part in zip(distinct.tolist(), parts.tolist(), strict=True)]


def swing_unit(battle: AxisBattle) -> str:
    """Return what the TUV is counted in, "IPC" or "units"; nothing where somebody gives units prices of their own."""
    return in_money(battle, "").strip()


def swing_summaries(odds: AxisOdds | JointOdds) -> tuple[str, ...]:
    """Say between which TUV swings most battles end, and the average; the longest way to say it first."""
    amounts, chances = odds.profit
    short = short_spread(odds)
    if len(amounts) == 1:
        return (short,)
    mean = signed_tenths(float(amounts @ chances))
    return (
        _("{range}, average {mean}", range=short, mean=mean),
        _("8 battles in 10: {range}, average {mean}", range=swing_range(odds), mean=mean),
        short,
    )


def raid_summaries(odds: RaidOdds) -> tuple[str, ...]:
    """Say between which gains most raids end, and the average; the longest way to say it first."""
    short = bombing_wording.short_spread(odds)
    if odds.raid.profits[0] == odds.raid.profits[1]:
        return (short,)
    return _("{range}, average {mean}", range=short, mean=signed_tenths(odds.expected.profit)), short


def battle_titles(battle: AxisBattle) -> tuple[str, ...]:
    """Return titles of a battle, the longest first: all units, on one line or two, then the number of units."""
    armies, edition = (battle.attacker.units, battle.defender.units), editions()[battle.rules.key]
    ours, theirs = (units_text(dict(units), edition) for units in armies)
    our_count, their_count = map(count_text, armies)
    sides = (ours, theirs), (ours, f"\n{theirs}"), (ours, their_count), (our_count, theirs), (our_count, their_count)
    whole = [
        _("{attackers} against {defenders}", attackers=attackers, defenders=defenders) for attackers, defenders in sides
    ]
    return tuple(title.replace(" \n", "\n") for title in whole)


def other_ends(parts: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """List ends that nobody wins with their chances, the likeliest first; then shorter lists of only the likeliest."""
    listed = [f"{name} {chance}" for name, chance in parts]
    return tuple(", ".join(listed[:count]) for count in range(len(listed), 0, -1))
