"""Odds of bombing raids in words: damage, losses, whether raids pay, and the best number of bombers."""

from dataclasses import replace

from bot.editions import editions
from bot.games.axis.matchup import with_options
from bot.games.axis.money import signed_money
from bot.games.raid.notation import interceptors_text, planes_text, write_raid
from bot.languages import N_, _, _n, _p, in_percent, number, sentence
from bot.replies import Reply
from bot.words.narrow import narrow
from bot.words.numbers import exactness, signed_tenths, unsure_percent
from solver.raid.odds import ROUNDING, Flight, PlaneNumbers, RaidOdds, best_numbers
from solver.raid.raid import Raid

MOST_ROWS = 8


def answer(odds: RaidOdds) -> Reply:
    """Return the texts of an answer: the verdict, what the raid gains, advice, the caveats, and the note."""
    raid = odds.raid
    pay = _("worth it in {share} of such raids", share=fates(odds)[1])
    gains = " · ".join([spread(odds), _("{damage} damage", damage=damage(odds)), pay, *_out_of_action(odds)])
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
    remarks = list(edition.remarks)
    if raid.interceptors and raid.rules.air_attack_first:
        remarks.append(
            _("An optional rule: bombers and escorts fire first, and interceptors that are hit don't fire back.")
        )
    elif raid.escorts and not raid.interceptors:
        remarks.append(_("Escorts make no difference without interceptors."))
    fighters = [raid.fighter] if raid.fighter and raid.interceptors else []
    if any(plane.hits > 1 for plane in [raid.bomber, *fighters]):
        remarks.append(_("In a raid every plane falls with its first hit."))
    return remarks


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
    damage, down, loss = map(number, (flight.damage, flight.shot_down, flight.loss))
    text = N_("{damage} damage, {loss} lost")
    if odds.raid.interceptors:
        text = N_("{damage} damage, {down} shot down, {loss} lost")
    costs = _(text, damage=damage, down=down, loss=loss)
    most = _("max damage {chance}", chance=bombed_out_chance(odds.raid, flight))
    return f"{how} ({costs}), {most}"


def describe(raid: Raid) -> str:
    """Describe the raid and the options: "5 bom against a factory that can take 20 damage, low luck"."""
    line = [word for word in write_raid(raid).split() if word != "base" and not word.startswith("damaged:")]
    return with_options(matchup(raid), " ".join(line))


def matchup(raid: Raid) -> str:
    """Describe the raid: "5 bom against a factory that can take 20 damage"."""
    planes, points = planes_text(raid, raid.bombers, raid.escorts), raid.factory_points
    if raid.target == "base":
        target = _n("a base that can take {n} damage", "a base that can take {n} damage", points)
    else:
        target = _n("a factory that can take {n} damage", "a factory that can take {n} damage", points)
    if raid.interceptors:
        fighters = interceptors_text(raid, raid.interceptors)
        return _("{planes} against {fighters} and {target}", planes=planes, fighters=fighters, target=target)
    return _("{planes} against {target}", planes=planes, target=target)


def short_matchup(raid: Raid) -> str:
    """Name the planes, and the damage that the target can take: "5 bom 2 fig – 3 fig, 20"."""
    theirs = f"{interceptors_text(raid, raid.interceptors)}, " if raid.interceptors else ""
    return f"{planes_text(raid, raid.bombers, raid.escorts)} – {theirs}{raid.factory_points}"


def titles(raid: Raid) -> tuple[str, ...]:
    """Return the titles of a raid, which need one line."""
    return matchup(raid), short_matchup(raid)


def _out_of_action(odds: RaidOdds) -> list[str]:
    """Say how likely the target is out of action afterwards, if its damage is known."""
    if odds.out_of_action is None:
        return []
    needed, (least, most) = odds.raid.puts_out_of_action or 0, odds.raid.damages
    chance = _chance_text(odds.out_of_action, most >= needed, least >= needed)
    return [_("out of action {chance}", chance=chance)]


def bombed_out_chance(raid: Raid, flight: Flight) -> str:
    """Write the chance of the greatest damage; "0%" and "100%" only if that is the whole truth."""
    least, most = replace(raid, bombers=flight.bombers).damages
    return _chance_text(flight.bombed_out, most == raid.factory_points, least == raid.factory_points)


def fates(odds: RaidOdds) -> tuple[str, str, str]:
    """Return the chances, in words, that the raid does not pay, that it does, and that it breaks even."""
    (costs, gains, even), (least, most) = odds.balance, odds.raid.profits
    # In a raid with so few planes no chance is too small to see.
    can_be_even = even > 0 if odds.raid.interceptors else least <= 0 <= most
    return (
        _chance_text(costs, least < 0, most < 0),
        _chance_text(gains, most > 0, least > 0),
        _chance_text(even, can_be_even, least == most == 0),
    )


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
    """Name the best numbers of planes, and the damage limit from which on all of them pay."""
    raid, best = odds.raid, odds.best
    if raid.interceptors:
        return _air_advice(odds)
    lines: list[str] = []
    if best.bombers < raid.bombers and best.profit >= -ROUNDING:
        few, profit = best.bombers, signed_tenths(best.profit)
        lines.append(_("Best: send {few} of the {bombers} ({profit})", few=few, bombers=raid.bombers, profit=profit))
    elif raid.bombers > 1 and best.profit < -ROUNDING:
        lines.append(_("No number of bombers is worth it"))
    elif raid.bombers > 1:
        lines.append(_("Best: send both") if raid.bombers == 2 else _("Best: send all {bombers}", bombers=raid.bombers))
    limit = raid.rules.base_points if raid.target == "base" else None
    if odds.expected.loss and odds.pays_from and (limit is None or odds.pays_from <= limit):
        points = _n(
            "if the target can take {n} damage or more", "if the target can take {n} damage or more", odds.pays_from
        )
        worth = _n("{n} bomber is worth it {points}", "{n} bombers are worth it {points}", raid.bombers, points=points)
        lines.append(worth)
    return lines


def _air_advice(odds: RaidOdds) -> list[str]:
    """Name the best planes against these interceptors, the best interceptors against these planes, and both."""
    raid, both = odds.raid, odds.best_of_both
    defence = interceptors_text(raid, odds.best_defence.interceptors)
    lines = [
        _best_raid(odds.best_attack, raid, interceptors_text(raid, raid.interceptors)),
        _("best defence: {fighters} ({profit})", fighters=defence, profit=signed_tenths(odds.best_defence.profit)),
    ]
    if not both.bombers:
        return [*lines, _("no raid is worth it against the best defence")]
    planes, fighters = planes_text(raid, both.bombers, both.escorts), interceptors_text(raid, both.interceptors)
    profit = signed_tenths(both.profit)
    values = {"planes": planes, "fighters": fighters, "profit": profit}
    return [*lines, _("best if the defender answers: {planes} against {fighters} ({profit})", **values)]


def _best_raid(numbers: PlaneNumbers, raid: Raid, fighters: str) -> str:
    if not numbers.bombers:
        return _("No raid is worth it against {fighters}", fighters=fighters)
    planes, profit = planes_text(raid, numbers.bombers, numbers.escorts), signed_tenths(numbers.profit)
    return _("Best against {fighters}: {planes} ({profit})", fighters=fighters, planes=planes, profit=profit)


def rows(odds: RaidOdds) -> tuple[str, ...]:
    """Return the results of fewer bombers, or of fewer interceptors if there are any, one number a row."""
    return _interceptor_rows(odds) if odds.raid.interceptors else _bomber_rows(odds)


def _interceptor_rows(odds: RaidOdds) -> tuple[str, ...]:
    """Return what this raid gains against each number of interceptors, and the best raid against them."""
    raid, profits = odds.raid, odds.profits
    cells: list[list[str]] = [[_("against"), _p("column", "TUV"), _("best raid"), _p("column", "TUV")]]
    for count in _numbers_shown(0, raid.interceptors, odds.best_defence.interceptors):
        best = best_numbers(profits[:, :, count : count + 1])
        planes = planes_text(raid, best.bombers, best.escorts)
        cells.append(
            [
                interceptors_text(raid, count),
                signed_tenths(float(profits[-1, -1, count])),
                planes,
                signed_tenths(best.profit),
            ]
        )
    return narrow(cells, "><<>")


def _numbers_shown(low: int, high: int, best: int) -> list[int]:
    """Return the numbers of a table: all of few; of many the best, those beside it, and some at equal distances."""
    if high - low < MOST_ROWS:
        return list(range(low, high + 1))
    near = {best + step for step in (1, -1, 2, -2)}
    shown = {low, high, best, *(round(high * part / 4) for part in (1, 2, 3))} | near
    return sorted(number for number in shown if low <= number <= high)


def _bomber_rows(odds: RaidOdds) -> tuple[str, ...]:
    cells: list[list[str]] = [[_("bombers"), _("damage"), _("lost"), _p("column", "TUV"), _p("column", "max damage")]]
    shown = _numbers_shown(1, odds.raid.bombers, odds.best.bombers)
    for flight in (odds.flights[bombers - 1] for bombers in shown):
        money = [number(flight.damage), number(flight.loss), signed_tenths(flight.profit)]
        cells.append([str(flight.bombers), *money, bombed_out_chance(odds.raid, flight)])
    return narrow(cells, ">>>>>")


def alternative(odds: RaidOdds) -> str:
    """Describe the picture in a sentence or two, for people who cannot see it."""
    bars = _("Bars show what the raid gains in IPC, losses to the left of 0.")
    return f"{verdict(odds)}. {sentence(spread(odds))} {bars}"


def brief(odds: RaidOdds) -> str:
    """Say what the raid brings, does and costs on average."""
    flight = odds.expected
    values = {"profit": signed_tenths(flight.profit), "damage": number(flight.damage), "lost": number(flight.loss)}
    if odds.raid.interceptors:
        down = number(flight.shot_down)
        return _("{profit} IPC: {damage} damage, {down} shot down, {lost} lost", down=down, **values)
    return _("{profit} IPC: {damage} damage, {lost} lost", **values)
