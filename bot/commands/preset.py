"""/preset: the set-ups a server, or a person in direct messages, keeps under a name."""

from datetime import UTC, datetime

from bot.commands.battle import line_field
from bot.commands.battle import show as show_battle
from bot.commands.request import Request, Services, read
from bot.commands.setups import (
    LONGEST_NAME,
    NO_RAID,
    checked_name,
    checked_note,
    may_change_all,
    not_theirs,
    saved_by,
    unknown,
)
from bot.errors import UserError
from bot.fight_wording import safe_name
from bot.matchup import AnyBattle, normal, parse, write
from bot.matchup.bombing import pasted_raid
from bot.replies import Field, Form, Reply
from bot.store import FullError, NotTheirsError, Setup, TakenError
from solver.axis import AxisBattle
from solver.waves import Waves


async def ask_name(request: Request, services: Services) -> Form:
    """A form for the name under which the battle of an answer is to be saved.

    It holds the battle too: what the answer shows by the time the form comes back may be another one.
    """
    return Form("Save this set-up", "preset save", (Field("name", "Name", most=LONGEST_NAME), line_field(request)))


async def save(request: Request, services: Services) -> Reply:
    """Keep a battle under a name."""
    name = checked_name(request.options["name"])
    battle = await _battle(request, services)
    line = write(battle)
    setup = Setup(name, line, request.user, request.user_name, datetime.now(UTC))
    most = services.settings.most_setups
    try:
        before = await services.store.save(request.place, setup, most, may_change_all(request))
    except FullError:
        raise UserError(f"There are {most} saved set-ups here already. `/preset delete` makes room.") from None
    except NotTheirsError as error:
        raise not_theirs(error, "change", request) from None
    if before:
        before = before._replace(line=request.shown(before.line))
    line = request.shown(line)
    change = "rounds:2" if isinstance(battle, AxisBattle | Waves) else "stop:3"
    instead = f" in place of `{before.line}`" if before and before.line != line else ""
    return Reply(
        f"Saved `{name}`: `{line}`{instead}. Use it by name: `/battle {name}`, `/battle {name} {change}`.", private=True
    )


async def list_all(request: Request, services: Services) -> Reply:
    """Every set-up kept here, by name, with who saved it and its note."""
    setups = await services.store.setups(request.place)
    if not setups:
        return Reply("Nothing is saved here yet. `/preset save`, or **Save** under an answer, keeps one.", private=True)
    rows = tuple(f"{setup.name}  {request.shown(setup.line)}\n  {_aside(setup)}" for setup in setups)
    return Reply(f"**{len(rows)} saved here**, for `/battle` by name", table=rows, private=True)


async def show(request: Request, services: Services) -> Reply:
    """One set-up: who saved it, its note, and its odds."""
    name = normal(request.options["name"])
    setup = await services.store.setup(request.place, name)
    if setup is None:
        raise await unknown(request, services, name)
    reading = parse(setup.line)._replace(remarks=(f"`{name}`, {saved_by(setup)}",))
    return await show_battle(reading, request, services)


async def change(request: Request, services: Services) -> Reply:
    """Give a set-up another battle."""
    line = write(await _battle(request, services))
    before, line = await _change(request, services, line=line), request.shown(line)
    if before.line == line:
        return Reply(f"`{before.name}` is `{line}` already.", private=True)
    return Reply(f"Changed `{before.name}`: `{line}` in place of `{before.line}`.", private=True)


async def rename(request: Request, services: Services) -> Reply:
    """Give a set-up another name."""
    new = checked_name(request.options["new"])
    before = await _change(request, services, name=new)
    if before.name == new:
        return Reply(f"`{new}` is its name already.", private=True)
    return Reply(f"Renamed `{before.name}` to `{new}`: `{before.line}`.", private=True)


async def note(request: Request, services: Services) -> Reply:
    """Write a note beside a set-up, or take it away."""
    text = checked_note(request.options.get("text", ""))
    before = await _change(request, services, note=text)
    instead = f" in place of `{before.note}`" if before.note not in ("", text) else ""
    if text:
        return Reply(f"Noted beside `{before.name}`: `{text}`{instead}.", private=True)
    taken = f"The note `{before.note}` is gone from" if before.note else "There is no note beside"
    return Reply(f"{taken} `{before.name}`.", private=True)


async def delete(request: Request, services: Services) -> Reply:
    """Forget a set-up."""
    name = normal(request.options["name"])
    manages = may_change_all(request)
    try:
        setup = await services.store.delete(request.place, name, request.user, manages)
    except NotTheirsError as error:
        raise not_theirs(error, "delete", request) from None
    if setup is None:
        raise await unknown(request, services, name)
    return Reply(f"Deleted `{name}`. It was `{request.shown(setup.line)}`.", private=True)


async def _change(request: Request, services: Services, **values: str) -> Setup:
    """Change a set-up as `Store.change` does, and return what it was; UserError where that cannot be."""
    name = normal(request.options["name"])
    manages = may_change_all(request)
    try:
        before = await services.store.change(request.place, name, request.user, manages, **values)
    except NotTheirsError as error:
        raise not_theirs(error, "change", request) from None
    except TakenError as error:
        taken = error.setup._replace(line=request.shown(error.setup.line))
        raise UserError(
            f"`{taken.name}` is the name of another: `{taken.line}`, saved by {safe_name(taken.owner_name)}."
        ) from None
    if before is None:
        raise await unknown(request, services, name)
    return before._replace(line=request.shown(before.line))


async def _battle(request: Request, services: Services) -> AnyBattle:
    try:
        return (await read(request, services)).battle
    except UserError:
        if pasted_raid(request.options["matchup"]):
            raise UserError(NO_RAID) from None
        raise


def _aside(setup: Setup) -> str:
    return safe_name(setup.owner_name) + (f" · {setup.note}" if setup.note else "")
