"""/need: how many armies it takes to win with a chance; each game answers by itself."""

from bot.commands.answering import answer
from bot.errors import UserError
from bot.languages import _
from bot.replies import Reply
from bot.request import Request, Services, read


async def need(request: Request, services: Services) -> Reply:
    """Check the chance that the line asks for, and let the game answer."""
    reading = await read(request, services, takes=("chance", "side", "least", "survive"), lone="defenders")
    if reading.chance is not None and not 0 < reading.chance < 1:
        raise UserError(_("Give a chance between 0% and 100%, such as `80%`."))
    return await answer("need", reading, request, services)
