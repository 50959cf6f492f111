"""The commands a bot has registered, and whom Discord offers them to."""

from __future__ import annotations

from copy import deepcopy

from .command_limits import CHAT, command_problems
from .desk import context_of, owners_of
from .timing import Snowflakes
from .wire import ImpossibleError, Json, invalid_form
from .world import Channel, Guild, User

EVERYWHERE = [0, 1, 2]
BOTH_INSTALLS = [0, 1]
LOCALIZATIONS = ("name_localizations", "description_localizations")


class Catalogue:
    """The last registered commands: for everywhere, and per server."""

    def __init__(self, ids: Snowflakes, app_id: int) -> None:
        self.everywhere: list[Json] = []
        self.by_guild: dict[int, list[Json]] = {}
        self._ids = ids
        self._app_id = app_id

    def overwrite(self, commands: list[Json], guild: Guild | None = None) -> list[Json]:
        """Register a whole list; a command of the same type and name keeps its id, as at Discord."""
        if problems := command_problems(commands):
            raise invalid_form(problems)
        before = {(old["type"], old["name"]): old for old in self.registered(guild)}
        made = [self._completed(command, before, guild) for command in commands]
        if guild:
            self.by_guild[guild.id] = made
        else:
            self.everywhere = made
        return made

    def registered(self, guild: Guild | None = None) -> list[Json]:
        return self.by_guild.get(guild.id, []) if guild else self.everywhere

    def listed(self, guild: Guild | None, *, with_localizations: bool) -> list[Json]:
        """What GET answers: translations only on request."""
        commands = deepcopy(self.registered(guild))
        if not with_localizations:
            for command in commands:
                _without_localizations(command)
        return commands

    def find(self, name: str, kind: int, user: User, channel: Channel) -> Json:
        """The command of that name which Discord would show to this user here."""
        known = [*self.registered(channel.guild), *self.everywhere] if channel.guild else self.everywhere
        for command in known:
            if (command["type"], command["name"]) == (kind, name):
                _check_offered(command, user, channel)
                return command
        names = sorted(command["name"] for command in known if command["type"] == kind)
        raise ImpossibleError(f"the bot has not registered {name!r} (type {kind}), only {names}")

    def _completed(self, command: Json, before: dict[tuple[int, str], Json], guild: Guild | None) -> Json:
        """The command as Discord returns it: with an id and with every default filled in."""
        kind = command.get("type") or CHAT
        old = before.get((kind, command["name"]))
        permissions = command.get("default_member_permissions")
        made = {
            "id": old["id"] if old else str(self._ids.next()),
            "application_id": str(self._app_id),
            "version": str(self._ids.next()),
            "type": kind,
            "name": command["name"],
            "name_localizations": command.get("name_localizations") or None,
            "description": command.get("description") or "",
            "description_localizations": command.get("description_localizations") or None,
            "default_member_permissions": None if permissions is None else str(permissions),
            "dm_permission": command.get("dm_permission", True),
            "contexts": _or_default(command.get("contexts"), EVERYWHERE),
            "integration_types": _or_default(command.get("integration_types"), BOTH_INSTALLS),
            "nsfw": bool(command.get("nsfw")),
        }
        if command.get("options"):
            made["options"] = deepcopy(command["options"])
        if guild:
            made |= {"guild_id": str(guild.id), "contexts": None}
        if old and all(old[key] == made[key] for key in made if key != "version"):
            made["version"] = old["version"]
        return made


def _or_default(value: list[int] | None, default: list[int]) -> list[int]:
    return list(default) if value is None else value


def _without_localizations(thing: Json) -> None:
    for key in LOCALIZATIONS:
        thing.pop(key, None)
    for inner in (*thing.get("options", []), *(thing.get("choices") or [])):
        _without_localizations(inner)


def _check_offered(command: Json, user: User, channel: Channel) -> None:
    name = command["name"]
    contexts = command["contexts"]
    if contexts is not None and context_of(channel) not in contexts:
        raise ImpossibleError(f"{name!r} is not offered here: contexts {contexts}, not {context_of(channel)}")
    owners = owners_of(user, channel)
    if not any(str(kind) in owners for kind in command["integration_types"]):
        raise ImpossibleError(f"{name!r} is not offered here: installs {command['integration_types']}")
    needed = int(command["default_member_permissions"] or 0)
    if channel.guild and needed & ~user.permissions:
        raise ImpossibleError(f"{user.name} does not see {name!r}: permissions {needed:#x} are needed")
    if channel.guild and command["default_member_permissions"] == "0":
        raise ImpossibleError(f"{user.name} does not see {name!r}: it is for administrators")
