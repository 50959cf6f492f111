"""Incoming interactions: checks the shape of each event, and logs one warning for an event that cannot be read.

discord.py does not check its input, so a missing field, or one of another type, would show as an error in one of its
tasks or in our code, with a traceback, as if it were our fault. An event that passes this check and still fails is our
fault.
"""

import logging
from collections.abc import Callable
from traceback import extract_tb
from typing import Annotated, Any, Literal, Self

from discord import InteractionType
from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError, model_validator

log = logging.getLogger(__name__)

Id = Annotated[str, StringConstraints(pattern=r"^[0-8]?[0-9]{1,18}$")]
"""The id of anything at Discord; it fits a column of the database."""
Token = Annotated[str, StringConstraints(pattern=r"^[^\s/?#%]+$")]
COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = (
    InteractionType.application_command.value,
    InteractionType.component.value,
    InteractionType.autocomplete.value,
    InteractionType.modal_submit.value,
)
KINDS: dict[int, type] = {
    **dict.fromkeys((1, 2), type(None)),
    **dict.fromkeys((3, 6, 7, 8, 9, 11), str),
    **{4: int, 5: bool},
}
"""The Python type of an option's value, by Discord's number of the option's type."""
FILE = 11
TYPED = (3, 4, 10)
"""The types of options that people type rather than choose."""


class _Shape(BaseModel):
    """The fields that we or discord.py use, each of the type that Discord documents."""

    model_config = ConfigDict(strict=True)


class _User(_Shape):
    id: Id
    username: str
    global_name: str | None = None
    bot: bool = False


class _Member(_Shape):
    """A member of a server; among the resolved members `user` is missing, as it stands in another field."""

    user: _User | None = None
    nick: str | None = None
    roles: list[Id]


class _Attachment(_Shape):
    id: Id
    filename: str
    size: int
    url: str


class _Forwarded(_Shape):
    content: str


class _Snapshot(_Shape):
    message: _Forwarded


class _Message(_Shape):
    id: Id
    content: str
    flags: int = 0
    attachments: list[_Attachment]
    message_snapshots: list[_Snapshot] | None = None


class _Named(_Shape):
    id: Id


class _Resolved(_Shape):
    users: dict[Id, _User] = {}
    members: dict[Id, _Member] = {}
    roles: dict[Id, _Named] = {}
    messages: dict[Id, _Message] = {}
    attachments: dict[Id, _Attachment] = {}


class _Option(_Shape):
    name: str
    type: int
    value: str | int | float | bool | None = None
    options: list["_Option"] = []
    focused: bool = False

    @model_validator(mode="after")
    def _check_value(self) -> Self:
        if not self.focused and type(self.value) is not KINDS.get(self.type, type(self.value)):
            raise ValueError("the value is of another kind than the option")
        if self.focused and not (isinstance(self.value, str) and self.type in TYPED):
            raise ValueError("what is being typed is no text")
        return self


class _Data(_Shape):
    """The data of an interaction: a command with its options, a button, or a form."""

    name: str = ""
    type: Literal[1, 2, 3] = 1
    target_id: Id | None = None
    options: list[_Option] = []
    resolved: _Resolved = _Resolved()
    custom_id: str = ""
    component_type: int = 0
    components: list[dict[str, Any]] = []

    @model_validator(mode="after")
    def _check_files(self) -> Self:
        options = [*self.options]
        while options:
            option = options.pop()
            options += option.options
            if option.type == FILE and option.value not in self.resolved.attachments:
                raise ValueError("there is no such file")
        return self


class _Event(_Shape):
    id: Id
    application_id: Id
    type: Literal[2, 3, 4, 5]
    token: Token
    data: _Data
    guild_id: Id | None = None
    user: _User | None = None
    member: _Member | None = None
    message: _Message | None = None
    locale: str = ""
    guild_locale: str = ""

    @model_validator(mode="after")
    def _check_whole(self) -> Self:
        """Refuse an event without a sender, or without what its type needs."""
        if (self.member and self.member.user) is None if self.guild_id else self.user is None:
            raise ValueError("there is nobody who sent it")
        if self.type == COMPONENT and self.message is None:
            raise ValueError("there is no message")
        wanted = {"name"} if self.type in (COMMAND, AUTOCOMPLETE) else {"custom_id"}
        wanted |= {COMPONENT: {"component_type"}, MODAL: {"components"}}.get(self.type, set())
        if missing := wanted - self.data.model_fields_set:
            raise ValueError(f"there is no {', '.join(missing)}")
        return self


FIELDS = {
    name
    for shape in (_User, _Member, _Attachment, _Forwarded, _Snapshot, _Message, _Resolved, _Option, _Data, _Event)
    for name in shape.model_fields
}


def parse_event(parse: Callable[[Any], None], event: Any) -> bool:
    """Check an event and pass it to discord.py, which starts a task for it; log and return False if that fails."""
    return is_readable(event) and pass_on(parse, event)


def is_readable(event: Any) -> bool:
    """Whether an event has the shape of an interaction; log if it has not."""
    return pass_on(_Event.model_validate, event)


def pass_on(parse: Callable[[Any], object], event: Any) -> bool:
    """Have an event read; log and return False if that fails."""
    try:
        parse(event)
    except Exception as error:
        log_unreadable(error)
        return False
    return True


def log_unreadable(error: Exception) -> None:
    """Log that an interaction cannot be read, and in which field, without its values and ids."""
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(str(part) if isinstance(part, int) or part in FIELDS else "*" for part in first["loc"])
        what = f"{place or 'event'}: {first['msg']}"
    else:
        what = f"{type(error).__name__} in {extract_tb(error.__traceback__)[-1].name}"
    log.warning("an interaction cannot be read: %s", what)
