"""Where interactions begin: their tokens, and the INTERACTION_CREATE events that tell the bot of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from .board import Board
from .doors import Doors
from .interactions import Interaction, unknown_interaction
from .posts import Post
from .shown import Modal
from .timing import Clock, Snowflakes
from .wire import ApiError, Json, Kind
from .world import DIRECT, ORDINARY, Channel, Guild, User, World

IN_GUILD, IN_DIRECT, IN_PRIVATE = 0, 1, 2
BY_GUILD, BY_USER = "0", "1"


class Dispatch(Protocol):
    """Send an event to the bot; what only bots with an intent hear is told by `intent`."""

    def __call__(self, event: str, data: Json, *, guild: Guild | None, intent: int = 0) -> None: ...


class Desk:
    """Every interaction by its token."""

    def __init__(
        self,
        board: Board,
        world: World,
        clock: Clock,
        ids: Snowflakes,
        dispatch: Dispatch,
        outlook: Callable[[], str],
    ) -> None:
        self.board = board
        self.world = world
        self.clock = clock
        self.outlook = outlook
        self._ids = ids
        self._dispatch = dispatch
        self.doors: Doors | None = None
        self._by_token: dict[str, Interaction] = {}

    def begin(
        self,
        kind: Kind,
        user: User,
        channel: Channel,
        data: Json,
        asked: str,
        *,
        source: Post | None = None,
        late: float = 0.0,
    ) -> Interaction:
        """Make an interaction and tell the bot; `late` seconds of its three are then already gone."""
        now = self.clock.now()
        interaction_id = self._ids.next(late)
        token = f"token-{interaction_id}"
        interaction = Interaction(
            self,
            interaction_id,
            token,
            kind,
            user,
            channel,
            asked,
            born=self.clock.deadlines() - late,
            started=now,
            source=source,
            excused=late > 0,
        )
        interaction.is_menu = "target_id" in data
        interaction.origin = self._origin(interaction, data)
        self._by_token[token] = interaction
        if self.doors and self.doors.addresses:
            self.doors.knock(interaction, self._event(interaction, data))
        else:
            self._dispatch("INTERACTION_CREATE", self._event(interaction, data), guild=channel.guild)
        return interaction

    def silences(self) -> Iterator[tuple[str, str]]:
        """The interactions that people still wait for, though the bot heard of them in time, and how."""
        for interaction in self._by_token.values():
            if interaction.excused or interaction.result is not None:
                continue
            if interaction.response is None:
                yield interaction.asked, "was never answered"
            elif interaction.left_waiting:
                yield interaction.asked, 'was left at "thinking..."'

    def by_token(self, token: str) -> Interaction | None:
        return self._by_token.get(token)

    def answering(self, interaction_id: str, token: str) -> Interaction:
        """The interaction that a callback means."""
        interaction = self._by_token.get(token)
        if interaction is None or str(interaction.id) != interaction_id:
            raise unknown_interaction(mistake=True)
        return interaction

    def continuing(self, app_id: str, token: str) -> Interaction:
        """The interaction that a webhook route means, while its token lives."""
        if app_id != str(self.world.app_id):
            raise ApiError(404, 10015, "Unknown Webhook")
        interaction = self._by_token.get(token)
        if interaction is None:
            raise ApiError(401, 50027, "Invalid Webhook Token")
        interaction.check_token()
        return interaction

    def opener(self, modal: Modal) -> Interaction:
        """The interaction that opened a form."""
        return next(found for found in self._by_token.values() if found.id == modal.interaction_id)

    def _event(self, interaction: Interaction, data: Json) -> Json:
        user, channel, source = interaction.user, interaction.channel, interaction.source
        event: Json = {
            "id": str(interaction.id),
            "application_id": str(self.world.app_id),
            "type": int(interaction.kind),
            "token": interaction.token,
            "version": 1,
            "data": data,
            "locale": user.locale,
            "channel": channel.payload() | {"permissions": str(user.permissions)},
            "channel_id": str(channel.id),
            "context": context_of(channel),
            "authorizing_integration_owners": owners_of(user, channel),
            "app_permissions": str(ORDINARY),
            "entitlements": [],
            "attachment_size_limit": self.board.size_limit,
        }
        if channel.guild:
            event["guild"] = channel.guild.stub()
            event["guild_id"] = str(channel.guild.id)
            event["guild_locale"] = channel.guild.locale
            event["member"] = user.member_payload(with_permissions=True)
        else:
            event["user"] = user.payload()
        if source and interaction.kind in (Kind.COMPONENT, Kind.MODAL):
            event["message"] = source.payload()
        return event

    @staticmethod
    def _origin(interaction: Interaction, data: Json) -> Json:
        """The `interaction_metadata` of messages that answer this interaction."""
        origin: Json = {
            "id": str(interaction.id),
            "type": int(interaction.kind),
            "user": interaction.user.payload(),
            "authorizing_integration_owners": owners_of(interaction.user, interaction.channel),
        }
        if interaction.kind is Kind.COMPONENT and interaction.source:
            origin["interacted_message_id"] = str(interaction.source.id)
        resolved = data.get("resolved")
        if isinstance(resolved, dict) and "messages" in resolved:
            origin["target_message_id"] = data["target_id"]
        return origin


def context_of(channel: Channel) -> int:
    """Where an interaction happens: in a server, in the bot's direct messages, elsewhere in private."""
    if channel.guild:
        return IN_GUILD
    return IN_DIRECT if channel.kind == DIRECT else IN_PRIVATE


def owners_of(user: User, channel: Channel) -> Json:
    """Who installed the app that answers: the server, the user, or (in direct messages) both."""
    if channel.guild and channel.guild.has_bot:
        return {BY_GUILD: str(channel.guild.id)}
    by_user: Json = {BY_USER: str(user.id)}
    return by_user | {BY_GUILD: "0"} if channel.kind == DIRECT else by_user
