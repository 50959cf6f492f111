"""/settings: what a server, or a person in direct messages, decides about the bot there."""

import re

from bot.commands.request import Request, Services
from bot.commands.setups import ROLE
from bot.errors import UserError
from bot.replies import Reply

HISTORY = {
    "on": "battles are kept: who fought and what was rolled, nothing else",
    "off": "nothing is kept of a battle once its end was shown; what was kept before stays",
}
NO_ROLE = "none"
LANGUAGE = "language"


async def settings(request: Request, services: Services) -> Reply:
    """Change what is given, and tell how everything stands."""
    given = {name: value for name, value in _given(request).items() if value}
    if given and not request.manages:
        raise UserError("Only somebody with the right to manage this server can change its settings.")
    values = {name: _value(request, name, text) for name, text in given.items()}
    for name, value in values.items():
        await services.store.set_setting(request.place, name, value)
    now = await services.store.setting(request.place, "history") or "on"
    told = [f"**History is {now}**: {HISTORY[now]}. `/settings history:off` or `on` changes it."]
    if _in_server(request):
        role = await services.store.setting(request.place, ROLE)
        also = f" and {_named(role, request)}" if role else ""
        told += [
            f"**Set-ups of others** are changed by who manages this server{also}. `/settings setup_role:` lets the "
            "members of a role do that too, `no_setup_role:True` takes it from them."
        ]
    return Reply("\n".join(told), private=True)


def _given(request: Request) -> dict[str, str]:
    """The settings to change: options, or typed as one, "history:off", "off", "setup_role:none"."""
    name, colon, value = request.options.get("setting", "").strip().casefold().partition(":")
    typed = {name: value.strip()} if colon else {"history": name}
    return {**typed, **{name: request.options[name] for name in ("history", ROLE) if name in request.options}}


def _value(request: Request, name: str, text: str) -> str:
    """What is kept of a setting; UserError where there is no such thing."""
    if name == "history":
        if text not in HISTORY:
            raise UserError("`history` is `on` or `off`.")
        return text
    if name != ROLE:
        raise UserError("There are the settings `history` and `setup_role`.")
    if not _in_server(request):
        raise UserError("There is a role in servers only; here your set-ups are your own.")
    if text == NO_ROLE:
        return ""
    role = re.fullmatch(r"(?:<@&)?(\d{1,20})>?", text)
    if role is None:
        raise UserError("`setup_role` is a role of this server, or `none`.")
    return role[1]


def _in_server(request: Request) -> bool:
    return request.place.startswith("guild:")


def _named(role: str, request: Request) -> str:
    """A role as the chat shows it, which calls nobody; everybody's has the number of its server."""
    return "everybody" if request.place == f"guild:{role}" else f"<@&{role}>"
