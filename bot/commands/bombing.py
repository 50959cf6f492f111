"""/bombing and the buttons under its answer: what a raid on a factory does, what it costs, and whether it pays."""

from dataclasses import replace

from bot.bombing_wording import alternative, answer, bombed_out, describe, fates, note, rows
from bot.commands.ends import show_raid_ends
from bot.commands.path import file_called
from bot.commands.request import Request, Services
from bot.editions import editions
from bot.errors import UserError
from bot.languages import _, number
from bot.matchup import LONGEST_LINE, meaning
from bot.matchup.bombing import ends_asked, read_raid, write_raid
from bot.replies import Button, Field, Form, Picture, Reply
from bot.swing_wording import LEAST_NEITHER, raid_summaries
from bot.wording import parted
from solver.bombing import MOST_BOMBERS, Raid, RaidOdds
from solver.odds import Chances


async def bombing(request: Request, services: Services) -> Reply:
    """The odds of a bombing raid, with a picture; or all its ends."""
    if order := ends_asked(request.options["matchup"]):
        return await show_raid_ends(_read(request, takes=("all",)), order, request, services)
    return await show_raid(_read(request), request, services)


async def more(request: Request, services: Services) -> Reply:
    """The same raid with one bomber more."""
    raid = _read(request)
    if raid.bombers == MOST_BOMBERS:
        raise UserError(_("That's the most there can be."))
    return await show_raid(replace(raid, bombers=raid.bombers + 1), request, services)


async def fewer(request: Request, services: Services) -> Reply:
    """The same raid with one bomber less."""
    raid = _read(request)
    if raid.bombers == 1:
        raise UserError(_("There is only one bomber."))
    return await show_raid(replace(raid, bombers=raid.bombers - 1), request, services)


async def edit(request: Request, services: Services) -> Form:
    """A form with the raid's line, to change anything about it."""
    line = Field("matchup", _("Bombers, and damage the factory can take"), request.options["matchup"], LONGEST_LINE)
    return Form(_("Change the raid"), "bombing", (line,))


def _read(request: Request, takes: tuple[str, ...] = ()) -> Raid:
    """The raid of the request's line."""
    with meaning(request.meant):
        return read_raid(request.options["matchup"], takes)


async def show_raid(raid: Raid, request: Request, services: Services) -> Reply:
    """The answer to "does this raid pay": text, what fewer bombers may expect, a picture and the next questions."""
    odds = await services.engine.raid(raid)
    return Reply(
        answer(odds),
        table=rows(odds),
        note=note(odds),
        picture=await _picture(odds, services),
        buttons=(
            Button(_("Roll it"), "roll"),
            Button(_("+1 bomber"), "bombing more", enabled=raid.bombers < MOST_BOMBERS),
            Button(_("−1 bomber"), "bombing fewer", enabled=raid.bombers > 1),
            Button(_("All endings"), "ends"),
            Button(_("Edit"), "bombing edit"),
        ),
        private=request.private,
    )


async def _picture(odds: RaidOdds, services: Services) -> Picture:
    raid, flight = odds.raid, odds.expected
    costs, gains, even = odds.fates
    numbers = fates(odds)
    damage, loss = number(flight.damage), number(flight.loss)
    most = bombed_out(raid, flight)
    subtitles = (
        _("average damage {damage}, loss {loss} IPC, max damage {chance}", damage=damage, loss=loss, chance=most),
        _("average damage {damage}, loss {loss} IPC", damage=damage, loss=loss),
    )
    parts = (
        (f"{describe(raid)}, {_(editions()[raid.rules.key].name)}", describe(raid)),
        subtitles,
        (numbers[1], numbers[0], numbers[2] if even > LEAST_NEITHER else ""),
        parted((gains, costs, even)),
        _("20 such raids"),
        _in_whole_money(*odds.profit),
        max(round(raid.bomber.cost), 1),
        raid_summaries(odds),
    )
    png = await services.engine.drawn(raid, "draw_raid", *parts)
    return Picture(png, file_called(write_raid(raid)), alternative(odds), lines=1, table=False)


def _in_whole_money(amounts: Chances, chances: Chances) -> list[tuple[int, float]]:
    """The law of a profit for a picture, whose bars are whole amounts: only a profit of nothing is 0."""
    law: dict[int, float] = {}
    for amount, chance in zip(amounts.tolist(), chances.tolist(), strict=True):
        place = round(amount) or (amount > 0) - (amount < 0)
        law[place] = law.get(place, 0.0) + chance
    return sorted(law.items())
