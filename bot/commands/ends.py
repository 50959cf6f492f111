"""All ends: every way in which the battle of an answer can end, with its chance; `all` in a line of /battle."""

from bot.commands.answering import answer
from bot.replies import Reply
from bot.request import Request, Services, read


async def all_ends(order: str, request: Request, services: Services) -> Reply:
    """List all ends of the battle in one of the orders of `ENDS`."""
    reading = await read(request, services, own_commands=True)
    return await answer("ends", reading._replace(asked={**reading.asked, "all": order}), request, services)
