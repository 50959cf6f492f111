"""/preset: the set-ups a server, or a person in direct messages, keeps under a name."""

from datetime import UTC, datetime
from difflib import get_close_matches

from bot.commands.battle import line_field
from bot.commands.battle import show as show_battle
from bot.commands.request import Request, Services, read
from bot.errors import UserError
from bot.matchup import is_name, normal, parse, write
from bot.matchup.bombing import pasted_raid
from bot.replies import Field, Form, Reply
from bot.store import FullError, NotTheirsError, Setup
from solver.axis import AxisBattle
from solver.waves import Waves

LONGEST_NAME = 32


async def ask_name(request: Request, services: Services) -> Form:
    """A form for the name under which the battle of an answer is to be saved.

    It holds the battle too: what the answer shows by the time the form comes back may be another one.
    """
    return Form("Save this set-up", "preset save", (Field("name", "Name", most=LONGEST_NAME), line_field(request)))


async def save(request: Request, services: Services) -> Reply:
    """Keep a battle under a name."""
    name = _name(request)
    if not is_name(name) or len(name) > LONGEST_NAME:
        raise UserError(
            f"A name is one word of 2 to {LONGEST_NAME} letters, digits and hyphens that starts with a letter "
            f"and is no word of the notation: `ukraine`, `alamo-2`."
        )
    try:
        battle = (await read(request, services)).battle
    except UserError:
        if pasted_raid(request.options["matchup"]):
            raise UserError("A bombing raid cannot be saved, only a battle; `/bombing` has its odds.") from None
        raise
    line = write(battle)
    setup = Setup(name, line, request.user, request.user_name, datetime.now(UTC))
    most = services.settings.most_setups
    try:
        before = await services.store.save(request.place, setup, most, request.manages)
    except FullError:
        raise UserError(f"There are {most} saved set-ups here already. `/preset delete` makes room.") from None
    except NotTheirsError as error:
        raise _not_theirs(error, "change") from None
    change = "rounds:2" if isinstance(battle, AxisBattle | Waves) else "stop:3"
    instead = f" in place of `{before.line}`" if before and before.line != line else ""
    return Reply(
        f"Saved `{name}`: `{line}`{instead}. Use it by name: `/battle {name}`, `/battle {name} {change}`.", private=True
    )


async def list_all(request: Request, services: Services) -> Reply:
    """Every set-up kept here, by name."""
    setups = await services.store.setups(request.place)
    if not setups:
        return Reply("Nothing is saved here yet. `/preset save`, or **Save** under an answer, keeps one.", private=True)
    width = max(len(setup.name) for setup in setups)
    rows = tuple(f"{setup.name:<{width}}  {setup.line}" for setup in setups)
    return Reply(f"**{len(rows)} saved here**, for `/battle` by name", table=rows, private=True)


async def show(request: Request, services: Services) -> Reply:
    """One set-up: who saved it, and its odds."""
    name = _name(request)
    setup = await services.store.setup(request.place, name)
    if setup is None:
        raise await _unknown(request, services, name)
    reading = parse(setup.line)._replace(remarks=(f"`{name}`, saved by {_who(setup)}",))
    return await show_battle(reading, request, services)


async def delete(request: Request, services: Services) -> Reply:
    """Forget a set-up."""
    name = _name(request)
    try:
        setup = await services.store.delete(request.place, name, request.user, request.manages)
    except NotTheirsError as error:
        raise _not_theirs(error, "delete") from None
    if setup is None:
        raise await _unknown(request, services, name)
    return Reply(f"Deleted `{name}`. It was `{setup.line}`.", private=True)


def _name(request: Request) -> str:
    return normal(request.options["name"])


def _who(setup: Setup) -> str:
    """The name of who saved it, without anything that a chat could take for markup or a mention."""
    return "".join(c for c in setup.owner_name if c.isalnum() or c in " .-").strip() or "somebody"


def _not_theirs(error: NotTheirsError, verb: str) -> UserError:
    setup = error.setup
    return UserError(
        f"`{setup.name}` was saved by {_who(setup)} (`{setup.line}`). Only they, or somebody with the right to manage "
        f"this server, can {verb} it. Another name is free to take."
    )


async def _unknown(request: Request, services: Services, name: str) -> UserError:
    names = [setup.name for setup in await services.store.setups(request.place)]
    near = get_close_matches(name, names, n=1)
    hint = f"Did you mean `{near[0]}`?" if near else "`/preset list` shows what there is."
    return UserError(f"Nothing is saved here under that name. {hint}")
