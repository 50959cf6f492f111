"""/need and /table: how many armies it takes to win, and the chances of other sizes; each game answers by itself."""

from bot.commands.answering import answer
from bot.errors import UserError
from bot.languages import _
from bot.replies import Reply
from bot.request import Request, Services, read_question


async def need(request: Request, services: Services) -> Reply:
    """Check the chance that the line asks for, and let the game answer."""
    reading = await read_question(request, services, takes=("chance", "side", "least", "survive"), lone="defenders")
    if reading.chance is not None and not 0 < reading.chance < 1:
        raise UserError(_("Give a chance between 0% and 100%, such as `80%`."))
    return await answer("need", reading, request, services)


async def table(request: Request, services: Services) -> Reply:
    """Let the game of the line answer with the chances of other sizes of the armies."""
    reading = await read_question(request, services, lone="attackers")
    return await answer("table", reading, request, services)
