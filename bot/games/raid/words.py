"""Odds of bombing raids in words: damage, losses, whether raids pay, and the best number of bombers."""

from dataclasses import replace

from bot.editions import editions
from bot.games.axis.words import signed_money, with_options
from bot.games.raid.notation import write_raid
from bot.languages import _, _n, _p, in_percent, number, sentence
from bot.replies import Reply
from bot.words.narrow import narrow
from bot.words.numbers import exactness, signed_tenths, unsure_percent
from solver.raid.odds import ROUNDING, Flight, RaidOdds
from solver.raid.raid import Raid

MOST_ROWS = 8


def answer(odds: RaidOdds) -> Reply:
    """Return the texts of an answer: the verdict, what the raid gains, advice, the caveats, and the note."""
    raid = odds.raid
    pay = _("worth it in {share} of such raids", share=profit_chance(odds))
    gains = " · ".join([spread(odds), _("{damage} damage", damage=damage(odds)), pay])
    return Reply(
        f"**{verdict(odds)}** · {describe(raid)} · {_(editions()[raid.rules.key].name)}",
        facts=(gains, *filter(None, [" · ".join(advice(odds))])),
        remarks=tuple(caveats(raid)),
        note=exactness(odds.error),
        line=write_raid(raid),
    )


def caveats(raid: Raid) -> list[str]:
    """Return the caveats of these odds."""
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
    """Say whether the raid pays, with the average result and the chance of the greatest damage."""
    flight = odds.expected
    mean = signed_tenths(flight.profit)
    if mean == signed_tenths(0):
        how = _("Breaks even on average")
    elif flight.profit > 0:
        how = _("Worth it: {profit} IPC on average", profit=mean)
    else:
        how = _("Not worth it: {profit} IPC on average", profit=mean)
    costs = _("{damage} damage, {loss} lost", damage=number(flight.damage), loss=number(flight.loss))
    most = _("max damage {chance}", chance=bombed_out_chance(odds.raid, flight))
    return f"{how} ({costs}), {most}"


def describe(raid: Raid) -> str:
    """Describe the raid and the options: "5 bom against a factory that can take 20 damage, low luck"."""
    return with_options(matchup(raid), write_raid(raid))


def matchup(raid: Raid) -> str:
    """Describe the raid: "5 bom against a factory that can take 20 damage"."""
    return _n(
        "{bombers} against a factory that can take {n} damage",
        "{bombers} against a factory that can take {n} damage",
        raid.factory_points,
        bombers=f"{raid.bombers} {editions()[raid.rules.key].short[raid.bomber.name]}",
    )


def bombed_out_chance(raid: Raid, flight: Flight) -> str:
    """Write the chance of the greatest damage; "0%" and "100%" only if that is the whole truth."""
    least, most = replace(raid, bombers=flight.bombers).damages
    return _chance_text(flight.bombed_out, most == raid.factory_points, least == raid.factory_points)


def fates(odds: RaidOdds) -> tuple[str, str, str]:
    """Return the chances, in words, that the raid does not pay, that it does, and that it breaks even."""
    (costs, gains, even), (least, most) = odds.balance, odds.raid.profits
    return (
        _chance_text(costs, least < 0, most < 0),
        _chance_text(gains, most > 0, least > 0),
        _chance_text(even, least <= 0 <= most, least == most == 0),
    )


def profit_chance(odds: RaidOdds) -> str:
    """Write the chance that the raid makes money."""
    return fates(odds)[1]


def _chance_text(chance: float, possible: bool, certain: bool) -> str:
    return in_percent("100") if certain else unsure_percent(chance) if possible else in_percent("0")


def spread(odds: RaidOdds) -> str:
    """Say between which profits most raids end: "8 raids in 10: −9 to +16 IPC, median +4"."""
    _low, median, _high = odds.percentiles
    if odds.raid.profits[0] == odds.raid.profits[1]:
        return short_spread(odds)
    return f"{short_spread(odds)}, {_('median {median}', median=signed_money(median))}"


def short_spread(odds: RaidOdds) -> str:
    """Say between which profits most raids end, without the median."""
    low, _median, high = odds.percentiles
    if odds.raid.profits[0] == odds.raid.profits[1]:
        return _("always {amount} IPC", amount=signed_money(low))
    if low < high:
        return _("8 raids in 10: {least} to {most} IPC", least=signed_money(low), most=signed_money(high))
    return _("8 raids in 10: {amount} IPC", amount=signed_money(low))


def damage(odds: RaidOdds) -> str:
    """Say between which damages most raids end: "8 to 20"."""
    low, _middle, high = odds.damage_percentiles
    return _("{least} to {most}", least=low, most=high) if low < high else str(low)


def advice(odds: RaidOdds) -> list[str]:
    """Name the best number of bombers, and the damage limit from which on all of them pay."""
    raid, best = odds.raid, odds.best
    lines: list[str] = []
    if best.bombers < raid.bombers and best.profit >= -ROUNDING:
        few, profit = best.bombers, signed_tenths(best.profit)
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
    """Return the results of fewer bombers, one number a row; of many only some, and the best."""
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
    money = [number(flight.damage), number(flight.loss), signed_tenths(flight.profit)]
    return [str(flight.bombers), *money, bombed_out_chance(odds.raid, flight)]


def alternative(odds: RaidOdds) -> str:
    """Describe the picture in a sentence or two, for people who cannot see it."""
    bars = _("Bars show what the raid gains in IPC, losses to the left of 0.")
    return f"{verdict(odds)}. {sentence(spread(odds))} {bars}"
