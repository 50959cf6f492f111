"""FakeDiscord itself: the server, what tests may ask of it, and the trouble they may order."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from types import TracebackType
from typing import Self
from unittest.mock import patch

import discord
import yarl
from aiohttp import web

from .board import Board, Change
from .catalogue import Catalogue
from .desk import Desk
from .doors import Doors
from .emojis import Emojis
from .gateway import DIRECT_MESSAGES, GUILD_MESSAGES, GUILDS, Gateway
from .openapi import oracle
from .people import Person
from .posts import Looks, Post, numbered
from .ratelimits import Fault
from .rest import Request, Rest, route_key
from .routes import Handlers
from .running import run
from .shown import Shown
from .timing import PATIENCE, Clock, Snowflakes
from .violations import Violations
from .wire import API_PATH, MEBIBYTE, ImpossibleError, Json
from .world import FORUM, MANAGE_GUILD, ORDINARY, PRIVATE_THREAD, TEXT_CHANNEL, THREAD, Channel, Guild, Role, World

HOST = "127.0.0.1"
EVENTS: dict[Change, str] = {
    "created": "MESSAGE_CREATE",
    "edited": "MESSAGE_UPDATE",
    "deleted": "MESSAGE_DELETE",
}


class FakeDiscord:
    """A local Discord; see the package's docstring for the manual."""

    def __init__(
        self,
        *,
        bot_name: str = "Sandtable",
        shards: int = 1,
        openapi: bool = True,
        slack: float = 1.0,
        commands: Sequence[Json] = (),
    ) -> None:
        self.token = "fake.bot.token"
        self.clock = Clock(slack)
        self.violations = Violations()
        ids = Snowflakes()
        self.world = World(ids, bot_name)
        self.guild = self.world.add_guild("The Table")
        self.board = Board(ids, self.world)
        self.board.listeners.append(self._tell_bot)
        self.gateway = Gateway(self.world, self.token, self.violations)
        self.gateway.shards = shards
        self.doors = Doors(self.violations)
        self.world.verify_key = self.doors.public_key
        self.desk = Desk(self.board, self.world, self.clock, ids, self.gateway.dispatch, self.outlook)
        self.desk.doors = self.doors
        self.catalogue = Catalogue(ids, self.world.app_id)
        self.catalogue.overwrite(list(commands))
        self.emojis = Emojis(ids, self.world)
        self.rest = Rest(self.token, self.clock, self.violations, oracle() if openapi else None)
        handlers = Handlers(self.world, self.board, self.desk, self.catalogue, self.emojis, self.gateway)
        self.rest.routes = handlers.routes()
        self.rest.interaction_of = self.desk.by_token
        self._runner: web.AppRunner | None = None

    # Life

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=128 * MEBIBYTE)
        app.router.add_get("/gateway{rest:.*}", self.gateway.serve)
        app.router.add_get("/attachments/{channel}/{id}/{name}", self._serve_file)
        app.router.add_route("*", "/{path:.*}", self.rest.serve)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, HOST, 0)
        await site.start()
        port = self._runner.addresses[0][1]
        self.api = f"http://{HOST}:{port}{API_PATH}"
        self.gateway.url = f"ws://{HOST}:{port}/gateway"
        self.board.files_at = f"http://{HOST}:{port}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.gateway.close()
        await self.doors.close()
        if self._runner:
            await self._runner.cleanup()
        if error is None:
            for asked, silence in self.desk.silences():
                self.violations.add(asked, silence)
            self.violations.check()
            self.rest.faults.check()

    async def _serve_file(self, request: web.Request) -> web.Response:
        """What Discord's file server does."""
        file = self.board.uploads.get(int(request.match_info["id"]))
        if file is None or file.name != request.match_info["name"]:
            raise web.HTTPNotFound
        return web.Response(body=file.data)

    def _tell_bot(self, change: Change, post: Post) -> None:
        """Discord tells a bot of every public message where it is, its own among them."""
        if post.private_to or not post.channel.bot_is_here:
            return
        guild = post.channel.guild
        intent = GUILD_MESSAGES if guild else DIRECT_MESSAGES
        self.gateway.dispatch(EVENTS[change], post.event(self.world.bot), guild=guild, intent=intent)

    # The client under test

    @contextmanager
    def redirected(self, *, hurry: bool = True) -> Iterator[None]:
        """Point discord.py here, and back again at the end.

        `hurry` also takes away its five seconds of waiting before every identify but the first.
        """
        hook = _no_wait if hurry else discord.Client.before_identify_hook
        with (
            patch.object(discord.http.Route, "BASE", self.api),
            patch.object(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(self.gateway.url)),
            patch.object(discord.Client, "before_identify_hook", hook),
        ):
            yield

    @asynccontextmanager
    async def running(self, client: discord.Client) -> AsyncIterator[None]:
        """Run a client (redirected) until the end of the block; starts when its shards are ready."""
        shards = getattr(client, "shard_ids", None)
        with self.redirected():
            async with run(client, self.token, lambda: self.ready(shards)):
                yield

    async def ready(self, shards: Sequence[int] | None = None, *, within: float = PATIENCE) -> None:
        """Wait until these shards, or all of them, have identified or resumed and were sent all events."""
        await self.gateway.bell.until(
            lambda: self.gateway.are_ready(shards),
            within=within,
            otherwise=lambda: f"no client got ready within {within} s.\n{self.outlook()}",
        )

    def needs_session(self) -> None:
        """Raise if there is no bot to hear anything."""
        if not (self.gateway.sessions or self.doors.addresses):
            raise ImpossibleError("no bot has identified: `await discord.ready()` first")

    def outlook(self, unheard: Post | None = None) -> str:
        """The state of things in words, for the messages of failures."""
        lines = [f"sessions: {len(self.gateway.sessions)}, ready: {self.gateway.is_ready}"]
        if unheard:
            guild = unheard.channel.guild
            if not self.gateway.heard_by(guild, GUILD_MESSAGES if guild else DIRECT_MESSAGES):
                lines.append("the bot has not asked for the intent to hear such messages")
        lines += [f"last request: {request} -> {request.status}" for request in self.requests[-3:]]
        lines += [f"violation: {violation}" for violation in self.violations]
        return "\n".join(lines)

    # People and places

    def member(
        self,
        name: str,
        *,
        locale: str = "en-US",
        manage_guild: bool = False,
        guild: Guild | None = None,
        roles: Sequence[Role] = (),
        bot: bool = False,
    ) -> Person:
        """Somebody in a server where the bot is, by default `discord.guild`; or another bot there."""
        guild = guild or self.guild
        user = self.world.add_user(name, locale, guild)
        user.bot = bot
        user.permissions = ORDINARY | (MANAGE_GUILD if manage_guild else 0)
        user.roles = list(roles)
        return Person(self, user, guild.channel)

    def stranger(self, name: str, *, locale: str = "en-US", guild: bool = False, group: bool = False) -> Person:
        """Somebody who installed the app for themselves: in direct messages with the bot, or (`guild`) in a
        server, or (`group`) in a group of friends, where the bot is not.
        """
        if guild:
            foreign = self.world.add_guild(f"{name}'s server", locale, has_bot=False)
            return Person(self, self.world.add_user(name, locale, foreign), foreign.channel)
        user = self.world.add_user(name, locale)
        return Person(self, user, self.world.group(user) if group else self.world.direct(user))

    def add_guild(self, name: str, *, locale: str = "en-US") -> Guild:
        """Another server that has invited the bot."""
        guild = self.world.add_guild(name, locale)
        self.gateway.dispatch("GUILD_CREATE", guild.payload(self.world.bot), guild=guild, intent=GUILDS)
        return guild

    def remove_bot(self, guild: Guild) -> None:
        """A server removes the bot."""
        guild.has_bot = False
        self.gateway.dispatch("GUILD_DELETE", {"id": str(guild.id)}, guild=guild, intent=GUILDS)

    def bring_back_bot(self, guild: Guild) -> None:
        """A server that removed the bot invites it again."""
        guild.has_bot = True
        payload = guild.payload(self.world.bot)
        del payload["unavailable"]
        self.gateway.dispatch("GUILD_CREATE", payload, guild=guild, intent=GUILDS)

    @contextmanager
    def outage(self, guild: Guild) -> Iterator[None]:
        """Inside the block a server is away, as Discord has trouble; it still has the bot."""
        gone = {"id": str(guild.id), "unavailable": True}
        self.gateway.dispatch("GUILD_DELETE", gone, guild=guild, intent=GUILDS)
        try:
            yield
        finally:
            self.gateway.dispatch("GUILD_CREATE", guild.payload(self.world.bot), guild=guild, intent=GUILDS)

    def role(self, name: str, guild: Guild | None = None) -> Role:
        """A new role in a server."""
        guild = guild or self.guild
        role = self.world.add_role(guild, name)
        event = {"guild_id": str(guild.id), "role": role.payload()}
        self.gateway.dispatch("GUILD_ROLE_CREATE", event, guild=guild, intent=GUILDS)
        return role

    def add_channel(self, name: str, *, forum: bool = False, guild: Guild | None = None) -> Channel:
        """Another channel of a server, or a forum."""
        guild = guild or self.guild
        channel = self.world.add_channel(guild, name, FORUM if forum else TEXT_CHANNEL)
        self.gateway.dispatch("CHANNEL_CREATE", channel.payload(), guild=guild, intent=GUILDS)
        return channel

    def add_thread(self, channel: Channel, name: str, *, told: bool = True, private: bool = False) -> Channel:
        """A thread in a channel, or a post in a forum; one that is not `told` was archived before the bot came."""
        assert channel.guild, "threads are in servers"
        thread = self.world.add_channel(channel.guild, name, PRIVATE_THREAD if private else THREAD, channel)
        if told:
            self.gateway.dispatch("THREAD_CREATE", thread.payload(), guild=channel.guild, intent=GUILDS)
        return thread

    def remove_channel(self, channel: Channel) -> None:
        """Somebody deletes a channel."""
        assert channel.guild, "direct messages stay"
        self.world.remove_channel(channel.guild, channel)
        self.gateway.dispatch("CHANNEL_DELETE", channel.payload(), guild=channel.guild, intent=GUILDS)

    # What can be seen

    @property
    def messages(self) -> Mapping[int, Shown]:
        """Every message by id as it looks when it is looked up, private ones among them."""
        return Looks(self.board.posts)

    @property
    def channel_messages(self) -> list[Shown]:
        """What everybody sees in the first channel of the default server."""
        posts = self.board.posts.values()
        return [p.shown() for p in posts if p.channel is self.guild.channel and not p.private_to]

    @property
    def commands(self) -> list[Json]:
        """The commands registered last for everywhere, as Discord would list them."""
        return self.catalogue.registered()

    def guild_commands(self, guild: Guild | None = None) -> list[Json]:
        """The commands registered last for one server."""
        return self.catalogue.registered(guild or self.guild)

    @property
    def requests(self) -> list[Request]:
        return self.rest.requests

    def requests_to(self, route: str) -> list[Request]:
        """The requests of one route, such as "PUT /applications/{id}/commands"."""
        key = self.rest.named(route)
        return [request for request in self.requests if route_key(f"{request.method} {request.route}") == key]

    async def next_edit(self, shown: Shown, *, within: float = PATIENCE) -> Shown:
        """Wait until a message has been edited once more than it was in `shown`."""
        await self.board.bell.until(
            lambda: shown.id in self.board.posts and self.board.posts[shown.id].edited > shown.edited,
            within=within,
            otherwise=lambda: f"message {shown.id} was not edited within {within} s.\n{self.outlook()}",
        )
        return self.messages[shown.id]

    def old_message(self, content: str, buttons: dict[str, str]) -> Shown:
        """A message the bot left here in earlier days; `buttons` maps labels to custom ids."""
        post = self.board.blank(self.guild.channel)
        rows = [{"type": 2, "style": 2, "label": label, "custom_id": custom_id} for label, custom_id in buttons.items()]
        post.content, post.components = content, numbered([{"type": 1, "components": rows}])
        return self.board.publish(post).shown()

    def delete(self, shown: Shown) -> None:
        """Somebody deletes a message."""
        self.board.delete(self.board.find(shown.id))

    # Trouble

    async def drop_gateway(self, code: int | None = None) -> None:
        """Every socket breaks, with a close frame of that code or without a word."""
        await self.gateway.drop(code)

    def gateway_away(self) -> AbstractAsyncContextManager[None]:
        """Inside the block every socket is gone and none gets in; events wait for the resume."""
        return self.gateway.away()

    async def reconnect_request(self) -> None:
        """Op 7: the client should leave and resume."""
        await self.gateway.ask_to_reconnect()

    async def invalidate_session(self) -> None:
        """Op 9, not resumable: the client must identify anew."""
        await self.gateway.invalidate()

    def limit_next(self, route: str, *, retry_after: float, times: int = 1, everywhere: bool = False) -> None:
        """The next requests of a route get a 429; `everywhere` makes it the global limit."""
        self.rest.faults.order(self.rest.named(route), Fault(429, retry_after, everywhere), times)

    def fail_next(self, route: str, *, status: int, times: int = 1, code: int = 0) -> None:
        """The next requests of a route fail. discord.py repeats 500, 502 and 504 after 1, 3, 5… seconds."""
        self.rest.faults.order(self.rest.named(route), Fault(status, code=code), times)

    def take_back_faults(self, route: str) -> None:
        """Let the next requests of a route succeed: for a test in which chance says how many there are."""
        self.rest.faults.take_back(self.rest.named(route))

    def limit_rate(self, route: str, *, limit: int, per: float) -> None:
        """From now on a route allows `limit` requests in `per` seconds, and says so in its headers."""
        self.rest.buckets.limits[self.rest.named(route)] = (limit, per)


async def _no_wait(client: discord.Client, shard_id: int | None, *, initial: bool = False) -> None:
    """In the place of `Client.before_identify_hook`."""
