"""/battle and the buttons under its answer: odds, and the next question about the same battle."""

import re
from dataclasses import replace

from bot.commands.request import Request, Services, read
from bot.errors import UserError
from bot.matchup import LONGEST_LINE, write
from bot.replies import Button, Field, Form, Picture, Reply
from bot.wording import alternative, answer, has_end
from solver import Battle

MOST_PIECES = 50


async def battle(request: Request, services: Services) -> Reply:
    """The odds of a battle, with a picture."""
    reading = await read(request, services)
    return await show(reading.battle, request, services, reading.remarks)


async def find(request: Request, services: Services) -> Reply:
    """The odds of the first battle that stands somewhere in a text: in back-ticks, or as a line of its own."""
    text = request.options["text"]
    for piece in [*re.findall(r"`([^`\n]+)`", text)[::-1], text, *text.splitlines()][:MOST_PIECES]:
        try:
            reading = await read(replace(request, options={"matchup": piece}), services)
        except UserError:
            continue
        return await show(reading.battle, request, services, reading.remarks)
    raise UserError("There is no battle in that message, such as `12 9`, that I can read.")


async def swap(request: Request, services: Services) -> Reply:
    """The same battle with the sides exchanged."""
    before = (await read(request, services)).battle
    after = before.swapped()
    lost = () if after.swapped() == before else ("What has no meaning in the other role was left out.",)
    return await show(after, request, services, lost)


async def more(request: Request, services: Services) -> Reply:
    """The same battle with one more attacker."""
    before = (await read(request, services)).battle
    return await show(replace(before, attackers=before.attackers + 1), request, services)


async def fewer(request: Request, services: Services) -> Reply:
    """The same battle with one attacker less."""
    before = (await read(request, services)).battle
    if before.attackers <= 1:
        raise UserError("There is only one attacker left to take away.")
    return await show(replace(before, attackers=before.attackers - 1), request, services)


async def edit(request: Request, services: Services) -> Form:
    """A form with the battle's line, to change anything about it."""
    return Form("Change the battle", "battle", (line_field(request),))


def line_field(request: Request) -> Field:
    """The field of a form that holds the battle's line."""
    return Field("matchup", "Who meets whom", request.options["matchup"], LONGEST_LINE)


async def show(battle: Battle, request: Request, services: Services, remarks: tuple[str, ...] = ()) -> Reply:
    """The answer to "what are the odds": text, picture and what may be asked next."""
    odds = await services.engine.odds(battle)
    picture = None
    if has_end(odds):
        png = await services.engine.picture(battle)
        picture = Picture(png, f"{file_name(battle)}.png", alternative(battle, odds))
    buttons = (
        Button("Roll it", "roll", enabled=odds.rounds is not None),
        Button("Swap sides", "swap", enabled=battle.defenders > 0),
        Button("+1", "more"),
        Button("−1", "fewer", enabled=battle.attackers > 1),
        Button("Edit", "edit"),
        Button("Save", "save"),
    )
    return Reply(answer(battle, odds, remarks), picture=picture, buttons=buttons, private=request.private)


def file_name(battle: Battle) -> str:
    """A name for the battle's files, safe everywhere."""
    return "".join(c if c.isalnum() else "-" for c in write(battle))
