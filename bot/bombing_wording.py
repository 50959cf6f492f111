"""Odds of bombing raids in words: what they do and cost, whether they pay, and how many bombers are best."""

from dataclasses import replace

from bot.army_wording import signed
from bot.editions import editions
from bot.languages import _, _n, _p, in_percent, number, sentence
from bot.matchup.bombing import write_raid
from bot.narrow import narrow
from bot.replies import with_remarks
from bot.wording import exactness, gained, uncertain
from solver.bombing import ROUNDING, Flight, Raid, RaidOdds

MOST_ROWS = 8


def answer(odds: RaidOdds) -> str:
    """The whole answer but its table and small print."""
    raid = odds.raid
    edition = editions()[raid.rules.key]
    lines = [f"**{verdict(odds)}** · {describe(raid)} · {_(edition.name)}"]
    pay = _("worth it in {share} of such raids", share=pays(odds))
    lines.append(" · ".join([spread(odds), _("{damage} damage", damage=damage(odds)), pay]))
    if advised := " · ".join(advice(odds)):
        lines.append(advised)
    return with_remarks("\n".join(lines), caveats(raid))


def caveats(raid: Raid) -> list[str]:
    """What to know before these odds are believed."""
    edition = editions()[raid.rules.key]
    if raid.bomber.raid is None:
        return [
            _(
                "{edition} has no rules for raids on factories; this raid follows those of 1942",
                edition=_(edition.name),
            )
        ]
    return edition.remarks


def verdict(odds: RaidOdds) -> str:
    """Whether it pays, for what, and how likely nothing is left to be bombed."""
    flight = odds.expected
    mean = gained(flight.profit)
    if mean == gained(0):
        how = _("Breaks even on average")
    elif flight.profit > 0:
        how = _("Worth it: {profit} IPC on average", profit=mean)
    else:
        how = _("Not worth it: {profit} IPC on average", profit=mean)
    costs = _("{damage} damage, {loss} lost", damage=number(flight.damage), loss=number(flight.loss))
    most = _("max damage {chance}", chance=bombed_out(odds.raid, flight))
    return f"{how} ({costs}), {most}"


def describe(raid: Raid) -> str:
    """Who flies against what: "5 bom against 20 points"."""
    return _n(
        "{bombers} against a factory that can take {n} damage",
        "{bombers} against a factory that can take {n} damage",
        raid.factory_points,
        bombers=f"{raid.bombers} {editions()[raid.rules.key].short[raid.bomber.name]}",
    )


def bombed_out(raid: Raid, flight: Flight) -> str:
    """The chance that the factory takes all it can; "0%" and "100%" only where that is the whole truth."""
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
    return in_percent("100") if certain else uncertain(chance) if possible else in_percent("0")


def spread(odds: RaidOdds) -> str:
    """Say between which profits most raids end: "8 raids in 10: −9 to +16 IPC, median +4"."""
    _low, median, _high = odds.percentiles
    if odds.raid.profits[0] == odds.raid.profits[1]:
        return short_spread(odds)
    return f"{short_spread(odds)}, {_('median {median}', median=signed(median))}"


def short_spread(odds: RaidOdds) -> str:
    """Say the same without the median."""
    low, _median, high = odds.percentiles
    if odds.raid.profits[0] == odds.raid.profits[1]:
        return _("always {amount} IPC", amount=signed(low))
    if low < high:
        return _("8 raids in 10: {least} to {most} IPC", least=signed(low), most=signed(high))
    return _("8 raids in 10: {amount} IPC", amount=signed(low))


def damage(odds: RaidOdds) -> str:
    """Between which damages most raids end: "8 to 20"."""
    low, _middle, high = odds.damage_percentiles
    return _("{least} to {most}", least=low, most=high) if low < high else str(low)


def advice(odds: RaidOdds) -> list[str]:
    """How many of the bombers are best, and how much a factory must be able to take for all of them to pay."""
    raid, best = odds.raid, odds.best
    lines: list[str] = []
    if best.bombers < raid.bombers and best.profit >= -ROUNDING:
        few, profit = best.bombers, gained(best.profit)
        lines.append(_("Best: send {few} of the {bombers} ({profit})", few=few, bombers=raid.bombers, profit=profit))
    elif raid.bombers > 1 and best.profit < -ROUNDING:
        lines.append(_("No number of bombers is worth it"))
    elif raid.bombers > 1:
        lines.append(_("Best: send all {bombers}", bombers=raid.bombers))
    if odds.expected.loss and odds.pays_from:
        points = _n(
            "if the factory can take {n} damage or more", "if the factory can take {n} damage or more", odds.pays_from
        )
        lines.append(
            _n(
                "{n} bomber is worth it {points}",
                "{n} bombers are worth it {points}",
                raid.bombers,
                points=points,
            )
        )
    return lines


def rows(odds: RaidOdds) -> tuple[str, ...]:
    """What fewer bombers may expect, one number a row; of many only some, and the best."""
    best, count = odds.best, odds.raid.bombers
    shown = {1, count, best.bombers}
    near = [best.bombers + step for step in (1, -1, 2, -2)] if count > MOST_ROWS else range(1, count + 1)
    shown |= {bombers for bombers in near if 0 < bombers <= count}
    if count > MOST_ROWS:
        shown |= {round(count * part / 4) for part in (1, 2, 3)}
    cells: list[list[str]] = [[_("bombers"), _("damage"), _("lost"), _p("column", "TUV"), _p("column", "max damage")]]
    cells += [_row(odds, odds.flights[bombers - 1]) for bombers in sorted(shown)]
    return narrow(cells, ">>>>>")


def _row(odds: RaidOdds, flight: Flight) -> list[str]:
    money = [number(flight.damage), number(flight.loss), gained(flight.profit)]
    return [str(flight.bombers), *money, bombed_out(odds.raid, flight)]


def note(odds: RaidOdds) -> str:
    """The small print: how sure, and the line that brings the raid back."""
    return f"{exactness(odds.error)} · `{write_raid(odds.raid)}`"


def alternative(odds: RaidOdds) -> str:
    """The picture in a sentence or two, for those who cannot see it."""
    bars = _("Bars show what the raid gains in IPC, losses to the left of 0.")
    return f"{verdict(odds)}. {sentence(spread(odds))} {bars}"
