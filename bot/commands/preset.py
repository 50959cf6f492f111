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
from bot.languages import _, _n
from bot.matchup import AnyBattle, normal, parse, write
from bot.matchup.bombing import pasted_raid
from bot.names import safe_name
from bot.narrow import below, folded
from bot.replies import Field, Form, Reply
from bot.store import FullError, NotTheirsError, Setup, TakenError
from solver.axis import AxisBattle
from solver.waves import Waves


async def ask_name(request: Request, services: Services) -> Form:
    """A form for the name under which the battle of an answer is to be saved.

    It holds the battle too: what the answer shows by the time the form comes back may be another one.
    """
    fields = Field("name", _("Name"), most=LONGEST_NAME), line_field(request)
    return Form(_("Save this battle as a preset"), "preset save", fields)


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
        raise UserError(
            _n(
                "There is already {n} preset here. Make room with `/preset delete`.",
                "There are already {n} presets here. Make room with `/preset delete`.",
                most,
            )
        ) from None
    except NotTheirsError as error:
        raise not_theirs(error, request) from None
    line, old = request.shown(line), request.shown(before.line) if before else ""
    saved = _("Saved `{name}`: `{line}`.", name=name, line=line)
    if before and old != line:
        saved = _("Saved `{name}`: `{line}` (it was `{old}`).", name=name, line=line, old=old)
    change = "rounds:2" if isinstance(battle, AxisBattle | Waves) else "stop:3"
    use = _("Use it by name: `/battle {name}` or `/battle {name} {change}`.", name=name, change=change)
    return Reply(f"{saved} {use}", private=True)


async def list_all(request: Request, services: Services) -> Reply:
    """Every set-up kept here, by name, with who saved it and its note."""
    setups = await services.store.setups(request.place)
    if not setups:
        text = _("There are no presets here yet. Use `/preset save`, or press **Save** under an answer.")
        return Reply(text, private=True)
    pairs = ((*folded(f"{one.name}  {request.shown(one.line)}"), *below(_aside(one))) for one in setups)
    rows = tuple(map("\n".join, pairs))
    text = _n(
        "**Presets here: {n}**. Use one by name after `/battle`.",
        "**Presets here: {n}**. Use one by name after `/battle`.",
        len(rows),
    )
    return Reply(text, table=rows, private=True)


async def show(request: Request, services: Services) -> Reply:
    """One set-up: who saved it, its note, and its odds."""
    name = normal(request.options["name"])
    setup = await services.store.setup(request.place, name)
    if setup is None:
        raise await unknown(request, services, name)
    reading = parse(setup.line)._replace(of_words=(f"`{name}`, {saved_by(setup)}",))
    return await show_battle(reading, request, services)


async def change(request: Request, services: Services) -> Reply:
    """Give a set-up another battle."""
    line = write(await _battle(request, services))
    before, line = await _change(request, services, line=line), request.shown(line)
    if before.line == line:
        return Reply(_("`{name}` is already `{line}`.", name=before.name, line=line), private=True)
    text = _("Changed `{name}` to `{line}` (it was `{old}`).", name=before.name, line=line, old=before.line)
    return Reply(text, private=True)


async def rename(request: Request, services: Services) -> Reply:
    """Give a set-up another name."""
    new = checked_name(request.options["new"])
    before = await _change(request, services, name=new)
    if before.name == new:
        return Reply(_("It is already called `{name}`.", name=new), private=True)
    text = _("Renamed `{old}` to `{new}`: `{line}`.", old=before.name, new=new, line=before.line)
    return Reply(text, private=True)


async def note(request: Request, services: Services) -> Reply:
    """Write a note beside a set-up, or take it away."""
    text = checked_note(request.options.get("text", ""))
    before = await _change(request, services, note=text)
    return Reply(_noted(before, text), private=True)


def _noted(before: Setup, note: str) -> str:
    """What became of a note."""
    if note and before.note not in ("", note):
        return _("Note for `{name}`: `{note}` (it was `{old}`).", name=before.name, note=note, old=before.note)
    if note:
        return _("Note for `{name}`: `{note}`.", name=before.name, note=note)
    if before.note:
        return _("Removed the note `{note}` from `{name}`.", note=before.note, name=before.name)
    return _("`{name}` has no note.", name=before.name)


async def delete(request: Request, services: Services) -> Reply:
    """Forget a set-up."""
    name = normal(request.options["name"])
    manages = may_change_all(request)
    try:
        setup = await services.store.delete(request.place, name, request.user, manages)
    except NotTheirsError as error:
        raise not_theirs(error, request, deletes=True) from None
    if setup is None:
        raise await unknown(request, services, name)
    return Reply(_("Deleted `{name}`. It was `{line}`.", name=name, line=request.shown(setup.line)), private=True)


async def _change(request: Request, services: Services, **values: str) -> Setup:
    """Change a set-up as `Store.change` does, and return what it was; UserError where that cannot be."""
    name = normal(request.options["name"])
    manages = may_change_all(request)
    try:
        before = await services.store.change(request.place, name, request.user, manages, **values)
    except NotTheirsError as error:
        raise not_theirs(error, request) from None
    except TakenError as error:
        taken = error.setup
        owner, line = safe_name(taken.owner_name), request.shown(taken.line)
        raise UserError(
            _(
                "`{name}` is taken: `{line}`, saved by {owner}.",
                name=taken.name,
                line=line,
                owner=owner,
            )
        ) from None
    if before is None:
        raise await unknown(request, services, name)
    return before._replace(line=request.shown(before.line))


async def _battle(request: Request, services: Services) -> AnyBattle:
    try:
        return (await read(request, services)).battle
    except UserError:
        if pasted_raid(request.options["matchup"]):
            raise UserError(_(NO_RAID)) from None
        raise


def _aside(setup: Setup) -> str:
    return safe_name(setup.owner_name) + (f" · {setup.note}" if setup.note else "")
