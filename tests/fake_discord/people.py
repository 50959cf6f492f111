"""People who type, press and read: every verb a test needs, with and without waiting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .command_limits import CHAT, MESSAGE_MENU, USER_MENU
from .component_limits import BUTTON
from .filling import Value, command_data, modal_data
from .interactions import Interaction
from .posts import Post
from .shown import Choice, Modal, Shown
from .timing import PATIENCE
from .wire import ImpossibleError, Json, Kind
from .world import Channel, Role, User

if TYPE_CHECKING:
    from .stand_in import FakeDiscord


@dataclass(frozen=True)
class Upload:
    """A file a person attaches to a command."""

    name: str
    data: bytes = field(repr=False)


class Person:
    """Somebody in one channel. Verbs wait for the result; `begins_…` start the same and return at once.

    Options of a command are keyword arguments. `within` is how many real seconds to wait; `late` how many of
    its three seconds an interaction has lost on the way to the bot.
    """

    def __init__(self, discord: FakeDiscord, user: User, channel: Channel) -> None:
        self.user = user
        self.channel = channel
        self._discord = discord
        self._desk = discord.desk
        self._board = discord.board

    def __repr__(self) -> str:
        return f"<{self.name} in {self.channel.name}>"

    @property
    def id(self) -> int:
        return self.user.id

    @property
    def name(self) -> str:
        return self.user.name

    @property
    def mention(self) -> str:
        return f"<@{self.id}>"

    @property
    def sees(self) -> list[Shown]:
        """Every message in the channel that this person can see, private ones among them."""
        posts = self._board.posts.values()
        return [post.shown() for post in posts if post.channel is self.channel and post.visible_to(self.user)]

    def moves(self, channel: Channel) -> Person:
        """The same person in another channel."""
        return Person(self._discord, self.user, channel)

    # Commands

    async def sends(self, command: str, /, *, within: float = PATIENCE, late: float = 0.0, **options: Given) -> Shown:
        """Run a command ("preset save" is a subcommand) and wait for a message."""
        return await self.begins(command, late=late, **options).answered(within=within)

    def begins(self, command: str, /, *, late: float = 0.0, **options: Given) -> Interaction:
        """Run a command and return at once."""
        found, words = self._command(command)
        data = command_data(found, words, self._values(options))
        self._drop_strangers(data.get("resolved", {}))
        return self._begin(Kind.COMMAND, data, f"/{command} {_told(options)}", late=late)

    async def types(
        self, command: str, /, *, within: float = PATIENCE, late: float = 0.0, **options: Given
    ) -> list[Choice]:
        """Type a command without sending it; the last option is the one being typed. Returns suggestions."""
        return await self.begins_typing(command, late=late, **options).offered(within=within)

    def begins_typing(self, command: str, /, *, late: float = 0.0, **options: Given) -> Interaction:
        found, words = self._command(command)
        if not options:
            raise ImpossibleError("name the option being typed")
        data = command_data(found, words, self._values(options), focused=list(options)[-1])
        return self._begin(Kind.AUTOCOMPLETE, data, f"typing /{command} {_told(options)}", late=late)

    async def uses(self, command: str, on: Shown | Person, *, within: float = PATIENCE) -> Shown:
        """Choose a command from the menu of a message or of a person."""
        return await self.begins_using(command, on).answered(within=within)

    def begins_using(self, command: str, on: Shown | Person, *, late: float = 0.0) -> Interaction:
        kind = MESSAGE_MENU if isinstance(on, Shown) else USER_MENU
        found = self._discord.catalogue.find(command, kind, self.user, self.channel)
        data = command_data(found, (), {}) | {"target_id": str(on.id)}
        if isinstance(on, Shown):
            data["resolved"] = {"messages": {str(on.id): self._look(on).payload()}}
        else:
            member = on.user.member_payload(with_user=False, with_permissions=True)
            users = {"users": {str(on.id): on.user.payload()}}
            data["resolved"] = users | ({"members": {str(on.id): member}} if self.channel.guild else {})
        return self._begin(Kind.COMMAND, data, f"menu {command!r}", late=late)

    # Buttons, menus, forms

    async def presses(self, shown: Shown, label: str, *, within: float = PATIENCE) -> Shown:
        """Press a button and wait for what comes of it: the same message edited, or a new one."""
        return await self.begins_pressing(shown, label).answered(within=within)

    async def opens(self, shown: Shown, label: str, *, within: float = PATIENCE) -> Modal:
        """Press a button and wait for the form it opens."""
        return await self.begins_pressing(shown, label).opened(within=within)

    def begins_pressing(self, shown: Shown, label: str, *, late: float = 0.0) -> Interaction:
        post = self._look(shown)
        button = post.shown().button(label)
        if button.disabled or button.url:
            raise ImpossibleError(f"{label!r} is {'disabled' if button.disabled else 'a link'}")
        data: Json = {"component_type": BUTTON, "custom_id": button.custom_id, "id": 1}
        return self._begin(Kind.COMPONENT, data, f"button {label!r}", source=post, late=late)

    async def picks(self, shown: Shown, menu: str, *labels: str, within: float = PATIENCE) -> Shown:
        """Choose from a menu (by its placeholder or custom id) and wait for what comes of it."""
        return await self.begins_picking(shown, menu, *labels).answered(within=within)

    def begins_picking(self, shown: Shown, menu: str, *labels: str, late: float = 0.0) -> Interaction:
        post = self._look(shown)
        found = post.shown().menu(menu)
        values = [found.options.get(label, label) for label in labels]
        for value in values:
            if found.disabled or value not in found.options.values():
                raise ImpossibleError(f"{value!r} cannot be chosen from {menu!r}: {sorted(found.options)}")
        data: Json = {"component_type": found.kind, "custom_id": found.custom_id, "id": 1, "values": values}
        return self._begin(Kind.COMPONENT, data, f"menu {menu!r}", source=post, late=late)

    async def submits(self, modal: Modal, values: Mapping[str, str], *, within: float = PATIENCE) -> Shown:
        """Send a form; `values` by label or custom id, what is not named stays as it stands in the form."""
        return await self.begins_submitting(modal, values).answered(within=within)

    def begins_submitting(self, modal: Modal, values: Mapping[str, str], *, late: float = 0.0) -> Interaction:
        opener = self._desk.opener(modal)
        if opener.user is not self.user:
            raise ImpossibleError(f"the form {modal.title!r} is on the screen of {opener.user.name}")
        data = modal_data(modal, values)
        return self._begin(Kind.MODAL, data, f"form {modal.title!r}", source=opener.source, late=late)

    # Ordinary messages

    async def says(
        self,
        text: str,
        *,
        reply: bool = True,
        to: Shown | None = None,
        ping: bool = True,
        kind: int = 0,
        within: float = PATIENCE,
    ) -> Shown:
        """Write a message; "@bot" becomes a mention, `to` makes it a reply to a message, with or without a `ping`.

        With another `kind` it is one that Discord writes in her name: 6 is "pinned a message to this channel".

        Returns the bot's answer in the channel, or with `reply=False` at once the message itself.
        """
        if not self.channel.bot_is_here:
            raise ImpossibleError(f"the bot reads nothing in {self.channel.name!r}")
        self._discord.needs_session()
        if reply and not self._discord.gateway.sessions:
            raise ImpossibleError("a bot without a gateway hears no messages")
        content = text.replace("@bot", f"<@{self._discord.world.bot.id}>")
        own = self._board.say(self.channel, self.user, content, self._look(to) if to else None, kind, ping)
        if not reply:
            return own.shown()
        answer = await self._board.bell.until(
            lambda: self._answer_to(own),
            within=within,
            otherwise=lambda: f"the bot did not answer {text!r} within {within} s.\n{self._discord.outlook(own)}",
        )
        return answer.shown()

    def forwards(self, shown: Shown) -> Shown:
        """Forward a message to the channel where she is."""
        return self._board.forward(self.channel, self.user, self._look(shown)).shown()

    def _answer_to(self, own: Post) -> Post | None:
        for post in self._board.posts.values():
            mine = post.reply_to in (None, own) and post.origin is None
            if post.id > own.id and post.channel is self.channel and post.author.bot and mine:
                return post
        return None

    def _command(self, command: str) -> tuple[Json, list[str]]:
        name, *words = command.split(" ")
        return self._discord.catalogue.find(name, CHAT, self.user, self.channel), words

    def _values(self, options: Mapping[str, Given]) -> dict[str, Value]:
        """The options as the wire knows them: people are users, uploads are files."""
        values: dict[str, Value] = {}
        for name, given in options.items():
            if isinstance(given, Upload):
                values[name] = self._board.upload(self.channel, given.name, given.data)
            else:
                values[name] = given.user if isinstance(given, Person) else given
        return values

    def _drop_strangers(self, resolved: Json) -> None:
        """Only people of the server have a member beside their user."""
        known = {str(user.id) for user in self.channel.guild.members} if self.channel.guild else set()
        if members := resolved.pop("members", {}):
            here = {key: member for key, member in members.items() if key in known}
            resolved |= {"members": here} if here else {}

    def _look(self, shown: Shown) -> Post:
        """The message as it is now, if this person sees it."""
        post = self._board.posts.get(shown.id)
        if post is None or post.channel is not self.channel or not post.visible_to(self.user):
            raise ImpossibleError(f"{self.name} does not see message {shown.id} (any more)")
        return post

    def _begin(self, kind: Kind, data: Json, asked: str, *, source: Post | None = None, late: float) -> Interaction:
        self._discord.needs_session()
        return self._desk.begin(kind, self.user, self.channel, data, asked.strip(), source=source, late=late)


def _told(options: Mapping[str, Given]) -> str:
    return " ".join(f"{name}:{value}" for name, value in options.items())


Given = str | int | float | bool | Person | Role | Channel | Upload
"""What may be given for an option of a command."""
