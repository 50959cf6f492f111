"""Questions about a battle of any game: the room of its game has the answer, or its sentence that refuses."""

from bot.errors import UserError
from bot.games.base import Reading
from bot.languages import _
from bot.notation.remarks import with_remarks_of_battle
from bot.replies import Form, Reply
from bot.request import Request, Services, read, read_question


async def answer(command: str, reading: Reading, request: Request, services: Services) -> Reply:
    """Let the game of a battle answer a command; UserError if it cannot."""
    function = services.rooms.answer(command, reading.battle)
    return await function(reading.battle, reading, request, services)


async def show(reading: Reading, request: Request, services: Services) -> Reply:
    """Answer with the odds of a battle, or with all its ends if the line asks for them."""
    return await answer(reading.question, reading, request, services)


async def change(request: Request, services: Services) -> Reply:
    """Answer about the battle that the pressed button makes of the one before."""
    reading = await read(request, services)
    battle, remarks = services.rooms.change(request.command, reading.battle)
    return await show(with_remarks_of_battle(services.rooms, Reading(battle, remarks)), request, services)


async def of_one_game(request: Request, services: Services) -> Reply | Form:
    """Let the only game answer that has this command."""
    return await services.rooms.command(request.command)(request, services)


async def need(request: Request, services: Services) -> Reply:
    """Check the chance that the line asks for, and let the game answer."""
    # The game limits the battle to what its rulebook allows: it depends on whose army is asked for.
    reading = await read(request, services, takes=("chance", "side", "least", "survive"), lone="defenders")
    if reading.chance is not None and not 0 < reading.chance < 1:
        raise UserError(_("Give a chance between 0% and 100%, such as `80%`."))
    return await answer("need", reading, request, services)


async def table(request: Request, services: Services) -> Reply:
    """Let the game of the line answer with the chances of other sizes of the armies."""
    reading = await read_question(request, services, lone="attackers")
    return await answer("table", reading, request, services)


async def all_ends(order: str, request: Request, services: Services) -> Reply:
    """List all ends of the battle in one of the orders of `ENDS`."""
    reading = await read(request, services, own_commands=True)
    return await answer("ends", reading._replace(asked={**reading.asked, "all": order}), request, services)
