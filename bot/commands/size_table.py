"""/table: the chances of other sizes of the armies; each game answers by itself."""

from bot.commands.answering import answer
from bot.replies import Reply
from bot.request import Request, Services, read


async def table(request: Request, services: Services) -> Reply:
    """Let the game of the line answer."""
    reading = await read(request, services, lone="attackers")
    return await answer("table", reading, request, services)
