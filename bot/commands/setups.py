"""What all that is done with saved set-ups has in common: names, notes, who may change them, what is said of them."""

from difflib import get_close_matches

from bot.commands.request import Request, Services
from bot.errors import UserError
from bot.languages import N_, _, joined
from bot.matchup import is_name, normal
from bot.names import safe_name, visible
from bot.store import NotTheirsError, Setup

LONGEST_NAME = 32
LONGEST_NOTE = 200
NO_RAID = N_("You can save a battle, but not a bombing raid; `/bombing` has its odds.")
ROLE = "setup_role"
"""The setting that holds the id of the role whose members may change set-ups of others."""


def checked_name(text: str) -> str:
    """The name that somebody typed for a set-up, in its one form; UserError where none can be called so."""
    name = normal(text)
    if not is_name(name) or len(name) > LONGEST_NAME or visible(name) != name:
        raise UserError(
            _(
                "Names are one word of 2 to {most} letters, digits or hyphens and start with a "
                "letter: `ukraine`, `alamo-2`. Words such as `vs` or `inf` are taken.",
                most=LONGEST_NAME,
            )
        )
    return name


def checked_note(text: str) -> str:
    """The note that somebody typed, on one line; UserError where it is too long.

    It has nothing invisible and no back-ticks, and is only ever shown between those, where nothing is markup or pings.
    """
    note = " ".join(visible(text).replace("`", "'").split())
    if len(note) > LONGEST_NOTE:
        raise UserError(_("A note can have at most {most} characters.", most=LONGEST_NOTE))
    return note


def may_change_all(request: Request) -> bool:
    """Whether the person may change set-ups of others here: who manages the server, and who has the chosen role."""
    return request.manages or request.habits.setup_role in request.roles


def saved_by(setup: Setup) -> str:
    """Who saved it, and its note."""
    told = _("saved by {name}", name=safe_name(setup.owner_name))
    return f"{told} · `{setup.note}`" if setup.note else told


def not_theirs(error: NotTheirsError, request: Request, deletes: bool = False) -> UserError:
    """What is said to who may not change a set-up, or delete it."""
    setup = error.setup
    owner, line = safe_name(setup.owner_name), request.shown(setup.line)
    whose = _("`{name}` was saved by {owner} (`{line}`).", name=setup.name, owner=owner, line=line)
    only = _("Only they, a server manager or the preset role can change it.")
    if deletes:
        only = _("Only they, a server manager or the preset role can delete it.")
    return UserError(joined("{whose} {only} {other}", whose=whose, only=only, other=_("Choose another name.")))


async def unknown(request: Request, services: Services, name: str) -> UserError:
    """What is said where nothing has that name."""
    names = [setup.name for setup in await services.store.setups(request.place)]
    near = get_close_matches(name, names, n=1)
    hint = _("Did you mean `{name}`?", name=near[0]) if near else _("`/preset list` shows all presets.")
    return UserError(joined("{what} {hint}", what=_("There is no preset with that name here."), hint=hint))
