"""What each prepared route does. There are no others."""

from __future__ import annotations

from .board import Board
from .catalogue import Catalogue
from .desk import Desk
from .emojis import Emojis
from .gateway import Gateway
from .interactions import Interaction
from .posts import REPLY, Post
from .rest import Request, Route
from .wire import EPHEMERAL, ApiError, Json, Problem, invalid_form, unknown_message
from .world import Channel, Guild, World

ME = "/users/@me"
CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"
WEBHOOK = "/webhooks/{webhook_id}/{webhook_token}"
MESSAGES = "/channels/{channel_id}/messages"
COMMANDS = "/applications/{application_id}/commands"
EMOJIS = "/applications/{application_id}/emojis"
GUILD_COMMANDS = "/applications/{application_id}/guilds/{guild_id}/commands"


class Handlers:
    """The routes and the parts of the stand-in they work on."""

    def __init__(
        self, world: World, board: Board, desk: Desk, catalogue: Catalogue, emojis: Emojis, gateway: Gateway
    ) -> None:
        self._world = world
        self._board = board
        self._desk = desk
        self._catalogue = catalogue
        self._emojis = emojis
        self._gateway = gateway

    def routes(self) -> list[Route]:
        return [
            Route("GET", "/gateway", lambda _: {"url": self._gateway.url}, is_open=True),
            Route("GET", "/gateway/bot", lambda _: self._gateway_bot()),
            Route("GET", ME, lambda _: self._world.me()),
            Route("POST", f"{ME}/channels", self._open_direct, body=dict),
            Route("GET", "/oauth2/applications/@me", lambda _: self._world.application()),
            Route("GET", "/applications/@me", lambda _: self._world.application()),
            Route("PATCH", "/applications/@me", self._edit_application, body=dict),
            Route("GET", "/guilds/{guild_id}", self._get_guild),
            Route("GET", COMMANDS, self._list_commands),
            Route("PUT", COMMANDS, self._overwrite_commands, body=list),
            Route("GET", GUILD_COMMANDS, self._list_commands),
            Route("PUT", GUILD_COMMANDS, self._overwrite_commands, body=list),
            Route("GET", EMOJIS, self._list_emojis),
            Route("POST", EMOJIS, self._create_emoji, body=dict, status=201),
            Route("DELETE", f"{EMOJIS}/{{emoji_id}}", self._delete_emoji),
            Route("POST", CALLBACK, self._respond, is_open=True, body=dict),
            Route("POST", WEBHOOK, self._follow_up, is_open=True, body=dict),
            Route("GET", f"{WEBHOOK}/messages/@original", self._get_own, is_open=True),
            Route("PATCH", f"{WEBHOOK}/messages/@original", self._edit_own, is_open=True, body=dict),
            Route("DELETE", f"{WEBHOOK}/messages/@original", self._delete_own, is_open=True),
            Route("GET", f"{WEBHOOK}/messages/{{message_id}}", self._get_own, is_open=True),
            Route("PATCH", f"{WEBHOOK}/messages/{{message_id}}", self._edit_own, is_open=True, body=dict),
            Route("DELETE", f"{WEBHOOK}/messages/{{message_id}}", self._delete_own, is_open=True),
            Route("GET", "/channels/{channel_id}", lambda request: self._channel(request).payload()),
            Route("GET", MESSAGES, self._history),
            Route("POST", MESSAGES, self._send, body=dict),
            Route("PATCH", f"{MESSAGES}/{{message_id}}", self._edit_in_channel, body=dict),
        ]

    # The bot and its commands

    def _gateway_bot(self) -> Json:
        limits = self._gateway.starts.payload()
        return {"url": self._gateway.url, "shards": self._gateway.shards, "session_start_limit": limits}

    def _edit_application(self, request: Request) -> Json:
        if others := sorted(request.body.keys() - {"integration_types_config"}):
            raise invalid_form([Problem(name, "that is the host's own") for name in others])
        self._world.installs = request.body["integration_types_config"]
        return self._world.application()

    def _get_guild(self, request: Request) -> Json:
        guild = self._world.guilds.get(int(request.params["guild_id"]))
        if guild is None or not guild.has_bot:
            raise ApiError(404, 10004, "Unknown Guild", mistake=False)
        return guild.payload(self._world.bot)

    def _check_application(self, request: Request) -> None:
        if request.params["application_id"] != str(self._world.app_id):
            raise ApiError(403, 20012, "You are not authorized to perform this action on this application")

    def _guild_of_commands(self, request: Request) -> Guild | None:
        self._check_application(request)
        if "guild_id" not in request.params:
            return None
        guild = self._world.guilds.get(int(request.params["guild_id"]))
        if guild is None or not guild.has_bot:
            raise ApiError(403, 50001, "Missing Access")
        return guild

    def _list_commands(self, request: Request) -> list[Json]:
        wanted = request.query.get("with_localizations", "").lower() in ("1", "true")
        return self._catalogue.listed(self._guild_of_commands(request), with_localizations=wanted)

    def _overwrite_commands(self, request: Request) -> list[Json]:
        return self._catalogue.overwrite(request.body, self._guild_of_commands(request))

    def _list_emojis(self, request: Request) -> Json:
        self._check_application(request)
        return self._emojis.listed()

    def _create_emoji(self, request: Request) -> Json:
        self._check_application(request)
        return self._emojis.create(request.body["name"], request.body["image"])

    def _delete_emoji(self, request: Request) -> None:
        self._check_application(request)
        self._emojis.delete(request.params["emoji_id"])

    # Interactions

    def _respond(self, request: Request) -> Json | None:
        params = request.params
        interaction = self._desk.answering(params["interaction_id"], params["interaction_token"])
        receipt = interaction.respond(request.body, request.parts)
        return receipt if request.query.get("with_response", "").lower() in ("1", "true") else None

    def _continue(self, request: Request) -> Interaction:
        return self._desk.continuing(request.params["webhook_id"], request.params["webhook_token"])

    def _follow_up(self, request: Request) -> Json:
        return self._continue(request).follow_up(request.body, request.parts)

    def _get_own(self, request: Request) -> Json:
        return self._continue(request).get(request.params.get("message_id", "@original"))

    def _edit_own(self, request: Request) -> Json:
        which = request.params.get("message_id", "@original")
        return self._continue(request).edit(which, request.body, request.parts)

    def _delete_own(self, request: Request) -> None:
        self._continue(request).delete(request.params.get("message_id", "@original"))

    # Channels

    def _channel(self, request: Request) -> Channel:
        channel = self._world.channels.get(int(request.params["channel_id"]))
        if channel is None:
            raise ApiError(404, 10003, "Unknown Channel")
        if not channel.bot_is_here:
            raise ApiError(403, 50001, "Missing Access")
        return channel

    def _open_direct(self, request: Request) -> Json:
        user = self._world.users.get(int(request.body.get("recipient_id") or 0))
        if user is None or user.bot:
            raise ApiError(400, 50033, "Invalid Recipient(s)")
        return self._world.direct(user).payload()

    def _send(self, request: Request) -> Json:
        channel = self._channel(request)
        if (request.body.get("flags") or 0) & EPHEMERAL:
            raise invalid_form([Problem("flags", "Only answers to interactions can be private.")])
        post = self._board.create(channel, request.body, request.parts)
        if reference := request.body.get("message_reference"):
            post.kind, post.reply_to = REPLY, self._referred(reference, channel)
            allowed = request.body.get("allowed_mentions")
            if post.reply_to and (allowed is None or allowed.get("replied_user")):
                post.pings = (*post.pings, post.reply_to.author.name)
        return self._board.publish(post).payload()

    def _history(self, request: Request) -> list[Json]:
        channel, query = self._channel(request), request.query
        before, limit = int(query.get("before", 2**63)), int(query.get("limit", 50))
        there = [post for post in self._board.posts.values() if post.channel is channel and not post.private_to]
        return [post.payload() for post in sorted(there, key=lambda post: -post.id) if post.id < before][:limit]

    def _referred(self, reference: Json, channel: Channel) -> Post | None:
        post = self._board.posts.get(int(reference["message_id"]))
        if post is not None and post.channel is channel and not post.private_to:
            return post
        if reference.get("fail_if_not_exists") is False:
            return None
        raise invalid_form([Problem("message_reference", "Unknown message")])

    def _edit_in_channel(self, request: Request) -> Json:
        channel = self._channel(request)
        post = self._board.find(int(request.params["message_id"]))
        if post.channel is not channel or post.private_to:
            raise unknown_message()
        if post.author is not self._world.bot:
            raise ApiError(403, 50005, "Cannot edit a message authored by another user")
        self._board.edit(post, request.body, request.parts)
        return post.payload()
