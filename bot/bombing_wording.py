"""Odds of bombing raids in words: what they do and cost, whether they pay, and how many bombers are best."""

from dataclasses import replace
from gettext import ngettext

from bot.army_wording import signed
from bot.editions import editions
from bot.matchup.bombing import write_raid
from bot.replies import aligned
from bot.wording import exactness, gained, uncertain
from solver.bombing import ROUNDING, Flight, Raid, RaidOdds

MOST_ROWS = 8


def answer(odds: RaidOdds) -> str:
    """The whole answer but its table and small print."""
    raid = odds.raid
    edition = editions()[raid.rules.key]
    lines = [f"**{verdict(odds)}** · {describe(raid)} · {edition.name}"]
    lines.append(f"{spread(odds)} · damage {damage(odds)} · pays in {pays(odds)} of such raids")
    if advised := " · ".join(advice(odds)):
        lines.append(advised)
    if raid.bomber.raid is None:
        lines.append(f"-# The rules of {edition.name} know no raids on factories; this is one by those of 1942")
    else:
        lines += [f"-# {remark}" for remark in edition.remarks]
    return "\n".join(lines)


def verdict(odds: RaidOdds) -> str:
    """Whether it pays, for what, and how likely nothing is left to be bombed."""
    flight = odds.expected
    mean = gained(flight.profit)
    how = "Breaks even" if mean == "0.0" else f"{'Pays' if flight.profit > 0 else 'Does not pay,'} {mean} IPC"
    costs = f"{flight.damage:.1f} damage for {flight.loss:.1f} lost"
    return f"{how} on average: {costs}, factory bombed out {bombed_out(odds.raid, flight)}"


def describe(raid: Raid) -> str:
    """Who flies against what: "5 bom against 20 points"."""
    points = f"{raid.factory_points} {ngettext('point', 'points', raid.factory_points)}"
    return f"{raid.bombers} {editions()[raid.rules.key].short[raid.bomber.name]} against {points}"


def bombed_out(raid: Raid, flight: Flight) -> str:
    """The chance that the factory takes all it can; "0 %" and "100 %" only where that is the whole truth."""
    least, most = replace(raid, bombers=flight.bombers).damages
    return _sure(flight.bombed_out, most == raid.factory_points, least == raid.factory_points)


def fates(odds: RaidOdds) -> tuple[str, str, str]:
    """The chances that the raid does not pay, that it does, and that it is even, in words."""
    (costs, gains, even), (least, most) = odds.fates, odds.raid.profits
    return (
        _sure(costs, least < 0, most < 0),
        _sure(gains, most > 0, least > 0),
        _sure(even, least <= 0 <= most, least == most == 0),
    )


def pays(odds: RaidOdds) -> str:
    """The chance that the raid makes money."""
    return fates(odds)[1]


def _sure(chance: float, possible: bool, certain: bool) -> str:
    return "100 %" if certain else uncertain(chance) if possible else "0 %"


def spread(odds: RaidOdds) -> str:
    """Between which profits most raids end: "8 in 10: profit −9 to +16, middle +4"."""
    low, middle, high = odds.percentiles
    if odds.raid.profits[0] == odds.raid.profits[1]:
        return f"always a profit of {signed(low)}"
    between = f"{signed(low)} to {signed(high)}" if low < high else signed(low)
    return f"8 in 10: profit {between}, middle {signed(middle)}"


def damage(odds: RaidOdds) -> str:
    """Between which damages most raids end: "8 to 20"."""
    low, _, high = odds.damage_percentiles
    return f"{low} to {high}" if low < high else str(low)


def advice(odds: RaidOdds) -> list[str]:
    """How many of the bombers are best, and how much a factory must be able to take for all of them to pay."""
    raid, best, lines = odds.raid, odds.best, []
    if best.profit < -ROUNDING:
        lines.append("No number of them pays" if raid.bombers > 1 else "")
    elif best.bombers < raid.bombers:
        lines.append(f"Best with {best.bombers} of the {raid.bombers}: {gained(best.profit)}")
    elif raid.bombers > 1:
        lines.append(f"Best with all {raid.bombers}")
    if odds.expected.loss:
        whose = f"{raid.bombers} {ngettext('bomber pays for itself', 'bombers pay for themselves', raid.bombers)}"
        points = odds.pays_from
        lines.append(f"{whose} against {points} {ngettext('point', 'points', points or 0)} or more" if points else "")
    return [line for line in lines if line]


def rows(odds: RaidOdds) -> tuple[str, ...]:
    """What fewer bombers may expect, one number a row; of many only some, and the best."""
    best, count = odds.best, odds.raid.bombers
    shown = {1, count, best.bombers}
    near = [best.bombers + step for step in (1, -1, 2, -2)] if count > MOST_ROWS else range(1, count + 1)
    shown |= {number for number in near if 0 < number <= count}
    if count > MOST_ROWS:
        shown |= {round(count * part / 4) for part in (1, 2, 3)}
    cells = [["bombers", "damage", "lost", "profit", "bombed out", ""]]
    cells += [_row(odds, odds.flights[number - 1], best) for number in sorted(shown)]
    return aligned(cells, right=True)


def _row(odds: RaidOdds, flight: Flight, best: Flight) -> list[str]:
    money = [f"{flight.damage:.1f}", f"{flight.loss:.1f}", gained(flight.profit)]
    return [
        str(flight.bombers),
        *money,
        bombed_out(odds.raid, flight),
        "best" if flight == best and best.profit >= -ROUNDING and odds.raid.bombers > 1 else "",
    ]


def note(odds: RaidOdds) -> str:
    """The small print: how sure, and the line that brings the raid back."""
    return f"{exactness(odds.error)} · `{write_raid(odds.raid)}`"


def alternative(odds: RaidOdds) -> str:
    """The picture in a sentence or two, for those who cannot see it."""
    return f"{verdict(odds)}. {spread(odds).capitalize()}. Bars show the profit, losses to the left of 0."
