"""The common parts of commands that save or change presets: names, notes, who may change one, and the errors."""

from collections.abc import Mapping

from bot.errors import UserError
from bot.games.base import Rooms
from bot.languages import _, _n, compose
from bot.names import nearest, safe_name, strip_invisible
from bot.notation.lexer import normal
from bot.notation.reading import is_name, own_room
from bot.request import Request, Services
from bot.store.records import NotOwnerError, Setup

LONGEST_NAME = 32
LONGEST_NOTE = 200


def read_name(rooms: Rooms, text: str) -> str:
    """Read the name that somebody typed for a preset, in its canonical form; UserError if it is not allowed."""
    name = normal(text)
    if not is_name(rooms, name) or len(name) > LONGEST_NAME or strip_invisible(name) != name:
        raise UserError(
            _(
                "Names are one word of 2 to {most} letters, digits or hyphens and start with a "
                "letter: `ukraine`, `alamo-2`. Words such as `vs` or `inf` are taken.",
                most=LONGEST_NAME,
            )
        )
    return name


def read_note(text: str) -> str:
    """Read the note that somebody typed, as one line; UserError if it is too long.

    It has nothing invisible and no back-ticks, and is only ever shown between those, where nothing is markup or pings.
    """
    note = " ".join(strip_invisible(text).replace("`", "'").split())
    if len(note) > LONGEST_NOTE:
        raise UserError(_("A note can have at most {most} characters.", most=LONGEST_NOTE))
    return note


def line_without_battle(rooms: Rooms, name: str, text: str, saved: Mapping[str, str]) -> str | None:
    """Return the canonical form of a line that is no battle and can be saved all the same; None for any other.

    MatchupError if there is a mistake in it, UserError if its game has no lines to save, or it cannot have this name.
    """
    for room in rooms:
        other = room.notation.other_lines
        if other and (line := other.keep(text, saved)) is not None:
            if other.check_name:
                other.check_name(name)
            return line
    room_alone = own_room(rooms, text)
    own = room_alone.notation.own_command if room_alone else None
    if own and own.refusal:
        raise UserError(_(own.refusal))
    return None


def full_error(limit: int) -> UserError:
    """Return the error for a place that has as many presets as it may have."""
    return UserError(
        _n(
            "There is already {n} preset here. Make room with `/preset delete`.",
            "There are already {n} presets here. Make room with `/preset delete`.",
            limit,
        )
    )


def may_change_all(request: Request) -> bool:
    """Return whether the person may change presets of others here, as a manager or with the chosen role."""
    return request.manages or request.place_settings.setup_role in request.roles


def may_change(setup: Setup, request: Request) -> bool:
    """Return whether the person may change a preset: their own, or any as `may_change_all` says."""
    return setup.owner == request.user or may_change_all(request)


def owner_text(setup: Setup) -> str:
    """Name the owner of a preset, with its note."""
    text = _("saved by {name}", name=safe_name(setup.owner_name))
    return f"{text} · `{setup.note}`" if setup.note else text


def not_theirs_error(rooms: Rooms, error: NotOwnerError, request: Request, deletes: bool = False) -> UserError:
    """Return the error for a person who may not change or delete a preset."""
    setup = error.setup
    owner, line = safe_name(setup.owner_name), request.line_for_here(rooms, setup.line)
    whose = _("`{name}` was saved by {owner} (`{line}`).", name=setup.name, owner=owner, line=line)
    only = _("Only they, a server manager or the preset role can change it.")
    if deletes:
        only = _("Only they, a server manager or the preset role can delete it.")
    return UserError(compose("{whose} {only} {other}", whose=whose, only=only, other=_("Choose another name.")))


async def unknown_name_error(request: Request, services: Services, name: str) -> UserError:
    """Return the error for a name that no preset here has."""
    names = [setup.name for setup in await services.store.setups(request.place)]
    near = nearest(name, names)
    hint = _("Did you mean `{name}`?", name=near) if near else _("`/preset list` shows all presets.")
    return UserError(compose("{what} {hint}", what=_("There is no preset with that name here."), hint=hint))
