"""/bombing and its buttons: what a raid on a factory does and costs, whether it pays, and the work for its odds."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bot.charts import Chart
from bot.editions import editions
from bot.errors import UserError
from bot.games.axis.all_ends import list_ends
from bot.games.axis.answers import FULL
from bot.games.axis.ends import ends_of_raid
from bot.games.axis.outcomes import LEAST_NEITHER
from bot.games.axis.swing import DrawnSwings, raid_summaries, raid_swings
from bot.games.base import Reading
from bot.games.raid.notation import asked_ends, read_corrected, write_raid
from bot.games.raid.words import alternative, answer, bombed_out_chance, caveats, fates, matchup, rows, short_matchup
from bot.languages import N_, _, _p, number
from bot.notation.defaults import reading_with
from bot.notation.lexer import LONGEST_LINE
from bot.replies import Button, Form, FormField, Picture, Reply, picture_name
from bot.request import Request, Services
from bot.words.compared_plan import DAMAGE, PROFIT, RAID_LOSS, SHOT_DOWN, ComparedPlan, law_by_winner, possible
from bot.words.numbers import split_of_twenty
from solver.chain import Chances
from solver.raid.odds import RaidOdds
from solver.raid.raid import Raid
from solver.raid.solve import solve_raid

CHART = Chart("bot.games.axis.chart.draw_raid", personal=False)

PREVIEW_BOMBERS = 100


def odds_work(raid: Raid, _exact: bool, _most_work: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the work for the odds of a raid, none of which is large."""
    return solve_raid, (raid,)


def is_quick(raid: Raid) -> bool:
    """Say whether the odds of a raid are found while somebody types."""
    return raid.bombers <= PREVIEW_BOMBERS


async def bombing(request: Request, services: Services) -> Reply:
    """Answer with the odds of a bombing raid, or with all its ends."""
    order = asked_ends(request.options["matchup"])
    reading = _read(request, takes=("all",) if order else ())
    return await services.rooms.answer("ends" if order else "battle", reading, request, services)


async def change(request: Request, services: Services) -> Reply:
    """Answer about the raid that the pressed button makes of the one before."""
    after, remarks = services.rooms.change(request.command.removeprefix("bombing "), _read(request).battle)
    return await answer_battle(after, Reading(after, remarks), request, services)


def add_bombers(count: int, raid: Raid) -> tuple[Raid, tuple[str, ...]]:
    """Return the raid with so many bombers more; UserError if that cannot be."""
    bombers = raid.bombers + count
    if not 1 <= bombers <= raid.most_bombers:
        raise UserError(_(FULL) if count > 0 else _("There is only one bomber."))
    return replace(raid, bombers=bombers), ()


async def edit(request: Request, services: Services) -> Form:
    """Ask for another line with a form, filled in with the line of the raid."""
    del services
    line = FormField("matchup", _("Bombers, and damage the factory can take"), request.options["matchup"], LONGEST_LINE)
    return Form(_("Change the raid"), "bombing", (line,))


def _read(request: Request, takes: tuple[str, ...] = ()) -> Reading:
    """Read the raid of the request's line."""
    with reading_with(request.line_defaults):
        return read_corrected(request.options["matchup"], takes)


async def answer_battle(raid: Raid, reading: Reading, request: Request, services: Services) -> Reply:
    """Say whether the raid pays, and what fewer bombers may expect, with a picture and the next questions."""
    del reading
    odds = await services.engine.odds(raid)
    texts = answer(odds)
    return replace(
        texts,
        table=rows(odds),
        picture=await _picture(odds, texts.facts[1:], services),
        buttons=(
            Button(_("Roll it"), "roll"),
            Button(_("+1 bomber"), "bombing more", enabled=raid.bombers < raid.most_bombers),
            Button(_("−1 bomber"), "bombing fewer", enabled=raid.bombers > 1),
            Button(_("All endings"), "ends"),
            Button(_("Edit"), "bombing edit"),
        ),
        private=request.private,
    )


async def _picture(odds: RaidOdds, beside: tuple[str, ...], services: Services) -> Picture:
    raid, flight = odds.raid, odds.expected
    costs, gains, even = odds.balance
    numbers = fates(odds)
    damage, loss = number(flight.damage), number(flight.loss)
    bombed_out = bombed_out_chance(raid, flight)
    averages = [_("average damage {damage}, loss {loss} IPC", damage=damage, loss=loss)]
    if raid.interceptors:
        down = number(flight.shot_down)
        longer = _("average damage {damage}, shot down {down}, loss {loss} IPC", damage=damage, down=down, loss=loss)
        averages.insert(0, longer)
    subtitles = _("{averages}, max damage {chance}", averages=averages[0], chance=bombed_out), *averages
    drawn = DrawnSwings(
        titles=(f"{matchup(raid)}, {_(editions()[raid.rules.key].name)}", matchup(raid), short_matchup(raid)),
        subtitles=subtitles,
        names=(_("worth it"), _("not worth it"), _p("neither gain nor loss", "even")),
        numbers=(numbers[1], numbers[0], numbers[2] if even > LEAST_NEITHER else ""),
        twenty=split_of_twenty((gains, costs, even)),
        captions=[_("20 such raids")],
        swings=raid_swings(_in_whole_money(*odds.profit)),
        footers=raid_summaries(odds),
    )
    png = await services.engine.draw(CHART, raid, drawn, max(round(raid.bomber.cost), 1))
    return Picture(png, picture_name(write_raid(raid)), alternative(odds), beside, table=False)


def _in_whole_money(amounts: Chances, chances: Chances) -> list[tuple[int, float]]:
    """Return the law of a profit in whole amounts, for bars of a picture: only a profit of exactly 0 counts as 0."""
    law: dict[int, float] = {}
    for amount, chance in zip(amounts.tolist(), chances.tolist(), strict=True):
        place = round(amount) or (amount > 0) - (amount < 0)
        law[place] = law.get(place, 0.0) + chance
    return sorted(law.items())


async def answer_ends(raid: Raid, reading: Reading, request: Request, services: Services) -> Reply:
    """List the bombers lost, the damage, and how likely each end is."""
    odds = await services.engine.odds(raid)
    ends = await asyncio.to_thread(ends_of_raid, odds)
    legend = [_("TUV swing in {money}", money=_("IPC"))]
    return await list_ends(
        replace(answer(odds), facts=()), ends, odds, reading.ends, legend, request, odds_of="bombing"
    )


NOT_WORTH_IT, EVEN = N_("not worth it"), N_("breaks even")


def compared_plan(raid: Raid, odds: RaidOdds, line: str) -> ComparedPlan:
    """Return the result of a plan from its raid, its odds and its canonical line."""
    costs, pays, even = odds.balance
    cost_text, pay_text, even_text = fates(odds)
    flight = odds.expected
    amounts, chances = odds.profit
    shot_down = flight.shot_down if raid.interceptors else None
    return ComparedPlan(
        line=line,
        description=matchup(raid),
        game=_(editions()[raid.rules.key].name),
        odds=odds,
        attacker_result="is worth it",
        defender_result=NOT_WORTH_IT,
        chances=(pays, costs, even),
        texts=(pay_text, cost_text, even_text),
        ends={NOT_WORTH_IT: costs, **possible({EVEN: even})},
        law=law_by_winner(amounts, amounts > 0, amounts < 0, chances),
        measure=_("IPC"),
        gain=flight.profit,
        amounts={DAMAGE: flight.damage, RAID_LOSS: flight.loss, SHOT_DOWN: shot_down, PROFIT: flight.profit},
        caveats=tuple(caveats(raid)),
        worth=raid.worth,
        by_gain=True,
    )


def line_options(line: str) -> list[str]:
    """Return the words of a canonical line that are neither numbers nor units."""
    return [word for word in line.split() if ":" in word or word in ("lowluck", "biased", "aafired")]
