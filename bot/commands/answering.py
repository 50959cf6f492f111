"""Questions about a battle of any game: the room of its game has the answer, or its sentence that refuses."""

from bot.games.base import Reading
from bot.notation.remarks import with_remarks_of_battle
from bot.replies import Form, Reply
from bot.request import Request, Services, read


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
