"""The contents of pictures of Axis & Allies: the chances, the TUV swings split by winner, and texts that fit."""

from collections.abc import Sequence
from typing import NamedTuple

from bot.charts import Swings, swings_of
from bot.editions import editions
from bot.games.axis.matchup import titles
from bot.games.axis.money import in_money, signed_money, swing_range
from bot.games.axis.outcomes import LEAST_NEITHER, Law, fate_names, three_chances
from bot.games.raid import words as bombing_wording
from bot.languages import _, _p
from bot.words.numbers import percent, signed_tenths, split_of_twenty, victory
from solver.axis.battle import AxisBattle
from solver.axis.odds import AxisOdds, percentiles
from solver.axis.waves.odds import WavesOdds
from solver.axis.waves.waves import Waves
from solver.raid.odds import RaidOdds

Names = tuple[str, str, str]
"""Words for the attacker, for the defender, and for neither."""


class DrawnSwings(NamedTuple):
    """The contents of a picture of TUV swings. Of several texts it has the first that fits.

    Attributes:
        titles: The battle or the raid.
        subtitles: The texts below the title.
        names: Its names if the attacker succeeds, if the defender does, and if neither does.
        numbers: The chances of these in words; the last is empty if there is no such end.
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


def drawn_swings(battle: Waves, odds: AxisOdds | WavesOdds, law: Law) -> DrawnSwings:
    """Return what the picture of these odds shows."""
    first, chances = battle.battles[0], three_chances(odds)
    if isinstance(odds, AxisOdds):
        short = fate_names(first, short=True)
        unwon = [(short[fate], odds.end_chances[fate]) for fate in ("submerged", "nobody", "cleared", "both")]
        win = _p("short", "attacker takes it") if odds.land else _p("short", "attacker wins")
        middle = _p("short", "no winner")
    else:
        win, middle = _p("short", "attacker holds"), _p("short", "nobody holds")
        unwon = [(middle, chances[2])]
    likely = sorted((end for end in unwon if end[1] > LEAST_NEITHER), key=lambda end: -end[1])
    others = [(name, percent(chance, odds)) for name, chance in likely]
    return DrawnSwings(
        titles=titles(battle),
        subtitles=[_(editions()[first.rules.key].name)],
        names=(win, _p("short", "defender holds"), others[0][0] if len(others) == 1 else middle),
        numbers=(
            victory(odds),
            percent(chances[1], odds),
            percent(chances[2], odds, chances[0] + chances[1]) if others else "",
        ),
        twenty=split_of_twenty(chances),
        captions=other_ends(others) if len(others) > 1 else [_("20 such battles")],
        swings=battle_swings(law),
        footers=swing_summaries(law),
    )


def battle_swings(law: Law) -> Swings:
    """Return the law of the TUV swing of a battle, divided by who wins it, or holds the field after the last wave."""
    return swings_of(law.profits, law.winners, law.chances)


def raid_swings(profits: Sequence[tuple[int, float]]) -> Swings:
    """Return each profit with the chances that the raid pays with it, that it does not, and that it breaks even."""
    return [(money, chance * (money > 0), chance * (money < 0), chance * (money == 0)) for money, chance in profits]


def swing_unit(battle: AxisBattle) -> str:
    """Return what the TUV is counted in, "IPC" or "units"; nothing where somebody gives units prices of their own."""
    return in_money(battle, "").strip()


def swing_name(counted: str) -> str:
    """Name the attacker's TUV swing, which is counted in this unit; without a unit in prices of one's own."""
    return _("attacker's TUV swing in {counted}", counted=counted) if counted else _("attacker's TUV swing")


def swing_summaries(law: Law) -> tuple[str, ...]:
    """Say between which TUV swings most battles end, and the average; the longest way to say it first."""
    amounts, chances = law.profit
    low, _median, high = percentiles(amounts, chances)
    if len(amounts) == 1:
        return (_("TUV swing: always {amount}", amount=signed_money(low)),)
    most, mean = swing_range(low, high), signed_tenths(float(amounts @ chances))
    short = _("8 battles in 10: TUV swing {range}", range=most)
    return (
        _("{range}, average {mean}", range=short, mean=mean),
        _("8 battles in 10: {range}, average {mean}", range=most, mean=mean),
        short,
    )


def raid_summaries(odds: RaidOdds) -> tuple[str, ...]:
    """Say between which gains most raids end, and the average; the longest way to say it first."""
    short = bombing_wording.short_spread(odds)
    if odds.raid.profits[0] == odds.raid.profits[1]:
        return (short,)
    return _("{range}, average {mean}", range=short, mean=signed_tenths(odds.expected.profit)), short


def other_ends(parts: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """List ends that nobody wins with their chances, the likeliest first; then shorter lists of only the likeliest."""
    listed = [f"{name} {chance}" for name, chance in parts]
    return tuple(", ".join(listed[:count]) for count in range(len(listed), 0, -1))
