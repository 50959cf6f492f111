"""The client without a gateway: `sandtable http` answers interactions that Discord sends as HTTP requests."""

import asyncio
import logging
from contextlib import AbstractAsyncContextManager, AsyncExitStack, nullcontext, suppress
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

import discord
from cachetools import LRUCache, TTLCache
from discord.webhook.async_ import async_context

from bot.background import cancel, run_to_end
from bot.discord_app.answers import act
from bot.discord_app.catching_up import CatchingUp
from bot.discord_app.emoji import look_up_dice
from bot.discord_app.health import Health
from bot.discord_app.http.first_answers import FirstAnswer
from bot.discord_app.http.server import INTERACTIONS, OLDEST, InteractionServer, UnreadableError
from bot.discord_app.incoming import AUTOCOMPLETE, is_readable, pass_on
from bot.discord_app.left_waiting import LeftWaiting
from bot.discord_app.open_answers import AnsweringClient
from bot.discord_app.starting import ask_discord, error_for, insist, metrics_of, prepare, shared_cache, stop_event
from bot.discord_app.tidying_up import TidyingUp
from bot.discord_app.tree import make_tree
from bot.errors import UserError
from bot.languages import ENGLISH, language_for_locale
from bot.request import Services
from bot.rooms import ROOMS
from bot.settings import Settings
from bot.store.database import open_store
from bot.work.engine import Engine
from bot.work.forks import Parent

if TYPE_CHECKING:
    from bot.store.presence import Presence

log = logging.getLogger(__name__)

LONGEST = 3.0
"""Seconds that Discord waits for the first answer."""
CLAIMS, CLAIM_EVERY = 10, 0.1
"""How often an interaction is claimed that another process has, and the seconds between: that may just have ended."""
LONGEST_CLAIM = 0.5
"""Seconds for which an answer waits for the database to give it to this process."""
FORGET_EVERY = 60.0
"""Seconds between two deletions of old claims."""
MOST_REMEMBERED = 20_000
"""The number of interactions and of languages of servers in memory."""


class HttpBot(AnsweringClient):
    """Sandtable without a gateway, shards, or a list of servers: all it knows of a place comes with each interaction.

    With a `presence` it is one of several equal processes over one PostgreSQL; without one it is the only process.
    """

    hears_to_the_end = False  # The server refuses new requests before that.

    def __init__(self, services: Services, presence: "Presence | None") -> None:
        super().__init__(
            services,
            intents=discord.Intents(guilds=True),  # discord.py warns of a client without them
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
        )
        self._presence = presence
        self.has_equals = presence is not None
        self.tree = make_tree(self)
        self.health = Health(self)
        self.catching_up = CatchingUp(self, self._language_of)
        self.frames.render_newest = self.catching_up.render_newest if presence else None
        self.tidying_up = TidyingUp(self)
        self.left_waiting = LeftWaiting(self, presence.number if presence else None)
        self._languages: LRUCache[str, str] = LRUCache(MOST_REMEMBERED)
        self._heard: TTLCache[int, asyncio.Future[dict[str, Any] | None]] = TTLCache(MOST_REMEMBERED, OLDEST)
        self._tasks: list[asyncio.Task[None]] = []

    async def setup_hook(self) -> None:
        """Start to catch up, to tidy up, to give signs of life, to forget old claims, and to look up the dice."""
        signs = self.health.write_signs(self.services.settings.data / "alive")
        works = [self.catching_up.run(), self.tidying_up.run(), self.left_waiting.run(), signs]
        works += [self._forget_claims(), look_up_dice(self)]
        self._tasks = [asyncio.create_task(work) for work in works]

    async def close(self) -> None:
        """Stop the tasks and close the connections."""
        await cancel(*self._tasks)
        await self.left_waiting.close()
        await super().close()

    def is_ready(self) -> bool:
        """Return True: no shard has to connect first."""
        return True

    async def wait_until_ready(self) -> None:
        """Return at once: there is no gateway to wait for."""

    async def catches_up(self) -> bool:
        """Whether this process updates outdated messages: one of the equal processes does it for all."""
        return self._presence is None or await self._presence.leads()

    on_interaction = staticmethod(act)

    async def hear(self, event: dict[str, Any]) -> dict[str, Any] | None:
        """Have an interaction answered, and return the body of the HTTP answer; None if Discord has got the answer.

        An interaction that comes twice is answered once, whichever processes it comes to. Suggestions change nothing,
        so they may be answered twice.

        Raises:
            UnreadableError: If the interaction lacks what every one has.
        """
        if not is_readable(event):
            raise UnreadableError
        if event["type"] == AUTOCOMPLETE:
            return await self._answer(event)
        number = int(event["id"])
        answer = self._heard.get(number)
        if answer is None:
            answer = self._heard[number] = run_to_end(self._answer_once(number, event))
        return await asyncio.shield(answer)

    async def _answer_once(self, number: int, event: dict[str, Any]) -> dict[str, Any] | None:
        """Answer an interaction unless another process does."""
        if await self._claim(number):
            return await self._answer(event)
        log.info("interaction %d came twice; another process answers it", number)
        return None

    async def _claim(self, number: int) -> bool:
        """Whether an interaction is this process's to answer: no other process has it that is still alive."""
        if self._presence is None:
            return True
        try:
            for _again in range(CLAIMS):
                async with asyncio.timeout(LONGEST_CLAIM):
                    await self._presence.hold()  # others must see that this process is alive
                    # Not broken off: whatever it waits for, it is best left to end by itself.
                    if await run_to_end(self.services.store.claim(number, self._presence.number)):
                        return True
                await asyncio.sleep(CLAIM_EVERY)
        except (UserError, TimeoutError):
            return True  # Without the database nobody can tell, and odds are still answered.
        return False

    async def _answer(self, event: dict[str, Any]) -> dict[str, Any] | None:
        """Pass an interaction on to discord.py as the gateway does, and wait until its first answer is sent."""
        first = FirstAnswer()
        if not copy_context().run(self._pass_on, event, first):
            raise UnreadableError
        with suppress(TimeoutError):
            return await asyncio.wait_for(first.sent, LONGEST)
        return None

    def _pass_on(self, event: dict[str, Any], first: FirstAnswer) -> bool:
        """Give an interaction to discord.py, whose tasks inherit the way of the first answer; False if unreadable."""
        async_context.set(first)
        return pass_on(self._connection.parse_interaction_create, event)

    async def _language_of(self, place: str) -> str:
        """Return the language that a server has at Discord, for a place without a chosen one."""
        kind, _colon, number = place.partition(":")
        if kind != "guild":
            return ENGLISH
        if place not in self._languages:
            try:
                guild = await self.http.get_guild(int(number), with_counts=False)
            except discord.HTTPException as error:
                log.info("the language of a server is not known: %s", error)
                return ENGLISH
            self._languages[place] = language_for_locale(guild["preferred_locale"])
        return self._languages[place]

    async def _forget_claims(self) -> None:
        """Delete claims on interactions too old to come again, every minute until the task is cancelled."""
        while self._presence:
            with suppress(UserError):
                oldest = discord.utils.time_snowflake(discord.utils.utcnow()) - (2 * OLDEST * 1000 << 22)
                await self.services.store.forget_claims(oldest)
            await asyncio.sleep(FORGET_EVERY)


async def serve_http(settings: Settings, parent: Parent | None = None) -> None:
    """Answer interactions over HTTP until SIGTERM or SIGINT; then finish what is open and return.

    Its workers are forked off `parent`, if there is one.
    """
    prepare(settings)
    stop = stop_event()
    logging.getLogger("discord.client").addFilter(_is_not_about_the_endpoint)
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        presence = await enter(_presence(settings))
        store = await insist(lambda: enter(open_store(settings.store, settings.most_connections)), stop)
        await insist(lambda: ask_discord(settings), stop)
        cache = await enter(shared_cache(settings))
        engine = await enter(Engine(settings, ROOMS, shared=cache, parent=parent))
        client = HttpBot(Services(settings, engine, lambda: store, ROOMS), presence)
        try:
            async with metrics_of(client):
                await _run_until(client, stop)
        finally:
            await client.close()
    log.info("closed in order")


def _presence(settings: Settings) -> AbstractAsyncContextManager["Presence | None"]:
    """Return the presence among equal processes; None for SQLite, whose file has one process."""
    if settings.store == settings.file:
        return nullcontext()
    from bot.store.presence import hold_presence

    return hold_presence(str(settings.store))


async def _run_until(client: HttpBot, stop: asyncio.Event) -> None:
    """Log in and serve until `stop` is set; then finish the open answers."""
    settings = client.services.settings
    try:
        await client.login(settings.bare_token)
    except Exception as error:
        raise error_for(error, settings) from None
    assert client.application, "known since the log-in"
    server = InteractionServer(client.application.verify_key, client.hear)
    try:
        async with server.serve(settings.http_host, settings.http_port):
            log.info("ready as %s at http://%s:%d%s", client.user, settings.http_host, settings.http_port, INTERACTIONS)
            if not client.application.interactions_endpoint_url:
                log.info("Discord sends nothing here yet: its developer portal has no Interactions Endpoint URL")
            await stop.wait()
        await client.finish_answers()
    finally:
        await server.close()


def _is_not_about_the_endpoint(record: logging.LogRecord) -> bool:
    """Whether a line of discord.py is worth logging: it warns of an address for interactions, which we need."""
    return "interaction endpoint URL" not in record.getMessage()
