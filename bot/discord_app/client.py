"""The Discord client: starts the bot, receives its events, answers messages, and ends in order."""

import asyncio
import hashlib
import json
import logging
import re
import signal
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL

from bot.background import cancel
from bot.commands.error_help import explain
from bot.commands.run import run
from bot.commands.typed import command_in
from bot.discord_app.answers import (
    UNSHOWN,
    failure_reply,
    is_moderator,
    press,
    remove_unsendable,
    roles_in,
    roles_of,
    submit,
)
from bot.discord_app.catching_up import CatchingUp
from bot.discord_app.delivery import Interaction
from bot.discord_app.descriptions import Descriptions
from bot.discord_app.health import Health
from bot.discord_app.incoming import parse_event
from bot.discord_app.messages import message_parts
from bot.discord_app.metrics import serve_metrics
from bot.discord_app.open_answers import AnsweringClient
from bot.discord_app.refusals import is_gone
from bot.discord_app.tree import make_tree
from bot.errors import RESTARTING, UserError
from bot.languages import ENGLISH, _, language, language_for_locale, speaking
from bot.names import bare_name
from bot.place_settings import PlaceSettings
from bot.replies import Reply
from bot.request import Request, Services
from bot.rooms import ROOMS
from bot.settings import Settings
from bot.store.database import open_store
from bot.store.records import Spot
from bot.work.engine import Engine
from bot.work.forks import Parent
from bot.work.turns import asking

if TYPE_CHECKING:
    from bot.work.shared_cache import SharedCache

log = logging.getLogger(__name__)

LONGEST_CLOSE = 2.0
READY_AFTER = 2.0
"""Seconds without news of another server after which the list of servers counts as complete."""
BESIDE_OTHERS = "preset import", "preset export"
"""Commands that are refused in a server's messages, where everybody reads along and could press the button."""


class Client(AnsweringClient):
    """Sandtable on Discord. Needs no privileged intent: it reads only messages that mention it or are sent to it."""

    def __init__(self, services: Services) -> None:
        shards = services.settings.own_shards
        super().__init__(
            services,
            intents=discord.Intents(guilds=True, guild_messages=True, dm_messages=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            guild_ready_timeout=READY_AFTER,
            activity=discord.CustomActivity("/battle 12 9"),
            **({"shard_ids": shards.ids, "shard_count": shards.count} if shards else {}),
        )
        self.health = Health(self)
        self.tree = make_tree(self)
        self.catching_up = CatchingUp(self, self._usual_language)
        self._alive: asyncio.Task[None] | None = None
        self._keeping_up: asyncio.Task[None] | None = None

    async def setup_hook(self) -> None:
        """Register the commands, and start to catch up and to give signs of life, before the first event."""
        # An event that discord.py cannot read would end the whole program.
        parsers = self._connection.parsers
        parsers["INTERACTION_CREATE"] = partial(parse_event, parsers["INTERACTION_CREATE"])
        await self._sync_commands()
        self._keeping_up = asyncio.create_task(self.catching_up.run())
        self._alive = asyncio.create_task(self.health.write_signs(self.services.settings.data / "alive"))

    async def close(self) -> None:
        """Stop the tasks and close the connection."""
        # The tasks must be done with the database before it is closed.
        await cancel(*(task for task in (self._alive, self._keeping_up) if task))
        await super().close()

    async def on_ready(self) -> None:
        """Log that the connection is ready; Discord sends this again after each reconnection."""
        log.info("ready as %s in %d servers", self.user, len(self.guilds))

    async def on_interaction(self, interaction: Interaction) -> None:
        """Answer a button or a form; discord.py itself calls the commands.

        The id of a button or form says everything about it, so both survive a restart.
        """
        self.locales[interaction.user.id] = language_for_locale(str(interaction.locale))
        acts = {discord.InteractionType.component: press, discord.InteractionType.modal_submit: submit}
        data: Any = interaction.data
        if act := acts.get(interaction.type):
            version, _colon, action = data["custom_id"].partition(":")
            await act(interaction, version, action)

    async def on_message(self, message: discord.Message) -> None:
        """Answer a message that begins with a mention of the bot, and any direct message."""
        assert self.user is not None, "messages come after the log-in"
        mention = re.match(rf"\s*<@!?{self.user.id}>", message.content)
        typed = message.type in (discord.MessageType.default, discord.MessageType.reply)
        if not typed or message.author.bot or not (mention or message.guild is None):
            return
        # Rate limits come before any query of the database, so their refusals use the language that Discord reports.
        with speaking(self._usual_language(_place_of(message))), asking(str(message.author.id), _place_of(message)):
            await self._answer(message, message.content[mention.end() if mention else 0 :].strip())

    async def _answer(self, message: discord.Message, text: str) -> None:
        """Answer the text of a message."""
        where = message.to_reference(fail_if_not_exists=False)
        refusal = (
            failure_reply(RESTARTING)
            if self.leaving
            else self.rates.refusal(str(message.author.id), _place_of(message))
        )
        if refusal and not self.leaving and self.rates.was_warned(str(message.author.id)):
            return  # A public refusal each time would disturb everybody there.
        with self.answering("a message", message.id):
            async with self.desk.seat(str(message.author.id)):
                reply = refusal or await self._reply(message, text)
            try:
                sent = await message.channel.send(**message_parts(reply), reference=where, mention_author=False)
            except discord.HTTPException as error:
                if is_gone(error):
                    raise
                log.exception("the answer to a message could not be shown")
                await message.channel.send(
                    **message_parts(failure_reply(UNSHOWN)), reference=where, mention_author=False
                )
                return
            if reply.frame:
                await self.frames.mark_seen(reply.frame, Spot(str(sent.id), str(sent.channel.id)))

    async def _reply(self, message: discord.Message, text: str) -> Reply:
        """Return the reply to a message, in the language of the place; messages do not name the person's."""
        chosen = await self.services.place_settings(_place_of(message))
        with speaking(chosen.language or language()):
            return await self._answer_to(message, text, chosen)

    async def _answer_to(self, message: discord.Message, text: str, chosen: PlaceSettings) -> Reply:
        """Answer a command, or else a line about a battle, in the language that is set."""
        try:
            command, options = command_in(remove_unsendable(text) or "/help")
        except UserError as error:
            return explain(self.services.rooms, error)
        if message.guild and command in BESIDE_OTHERS:
            return Reply(_("Use the slash command `/{command}`; the answer is only for you.", command=command))
        author = message.author
        request = Request(
            command,
            user=str(author.id),
            user_name=bare_name(author.display_name),
            place=_place_of(message),
            options=options,
            manages=author.guild_permissions.manage_guild if isinstance(author, discord.Member) else True,
            moderates=is_moderator(author.guild_permissions) if isinstance(author, discord.Member) else True,
            roles=roles_of(author),
            known_roles=roles_in(message.guild),
            reader=language(),
            here=language(),
            place_settings=chosen,
        )
        reply = await run(request, self.services)
        assert isinstance(reply, Reply), "no command that can be typed asks back with a form"
        if command == "history end":
            self.behind.set()
        return reply

    def _usual_language(self, place: str) -> str:
        """Return the language that Discord reports: a server's own, or that of a person's last interaction."""
        kind, _colon, number = place.partition(":")
        guild = self.get_guild(int(number)) if kind == "guild" else None
        own = self.locales.get(int(number), ENGLISH) if kind == "user" else ENGLISH
        return language_for_locale(str(guild.preferred_locale)) if guild else own

    async def _sync_commands(self) -> None:
        """Send the commands to Discord if they differ from those sent last; a digest in the database decides.

        A comparison with Discord's own list would not work: Discord fills in defaults, so every command would differ.
        """
        translator = Descriptions()
        await self.tree.set_translator(translator)
        payload = [await command.get_translated_payload(self.tree, translator) for command in self.tree.get_commands()]
        text = json.dumps([self.application_id, discord.__version__, payload], sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()
        if await self.services.store.fact("commands") == digest:
            return
        try:
            await self.tree.sync()
        except discord.HTTPException as error:
            log.error("Discord does not take our commands, so those of before stay: %s", error)  # noqa: TRY400
        else:
            await self.services.store.set_fact("commands", digest)
            log.info("told Discord the commands")


def _place_of(message: discord.Message) -> str:
    """Return the place of a message, whose set-ups and settings apply: its server, or its author."""
    return f"guild:{message.guild.id}" if message.guild else f"user:{message.author.id}"


async def serve(settings: Settings, parent: Parent | None = None) -> None:
    """Run the bot until SIGTERM or SIGINT; then finish what is open, close the database and return.

    Its workers are forked off `parent`, if there is one.
    """
    if not settings.bare_token:
        raise UserError("There is no token. Put the bot's token from Discord's developer portal in SANDTABLE_TOKEN.")
    # The bot does not use voice, so warnings about its missing libraries are noise.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    Route.BASE = settings.api
    DiscordWebSocket.DEFAULT_GATEWAY = URL(settings.gateway)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with (
        _shard_locks(settings, stop),
        open_store(settings.store) as store,
        _shared_cache(settings) as cache,
        Engine(settings, ROOMS, shared=cache, parent=parent) as engine,
    ):
        client = Client(Services(settings, engine, lambda: store, ROOMS))
        async with serve_metrics(client.metrics, client.services):
            await _run_until(client, stop)
    log.info("closed in order")


def _shard_locks(settings: Settings, stop: asyncio.Event) -> AbstractAsyncContextManager[None]:
    """Return the locks of this process's shards; none for SQLite, whose lock `__main__` holds already."""
    if settings.store == settings.file:
        return nullcontext()
    from bot.store.owners import hold_shards

    return hold_shards(str(settings.store), settings.bare_token, settings.own_shards, stop.set)


def _shared_cache(settings: Settings) -> AbstractAsyncContextManager["SharedCache | None"]:
    """Return the shared cache; None if the settings have no Redis."""
    if not settings.redis:
        return nullcontext()
    from bot.work.shared_cache import SharedCache

    return SharedCache(settings)


async def _run_until(client: Client, stop: asyncio.Event) -> None:
    """Run a client until `stop` is set or the connection ends; then finish the open answers and close it."""
    settings = client.services.settings
    running = asyncio.create_task(client.start(settings.bare_token))
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    await client.finish_answers()
    ended = await _end_connection(running)
    with suppress(TimeoutError):
        await asyncio.wait_for(client.close(), LONGEST_CLOSE)
    if not stop.is_set():
        raise _error_for(ended, settings)


async def _end_connection(running: asyncio.Task[None]) -> BaseException | None:
    """End a connection, which may still be in the making, and return the error that ended it before; None if none did.

    A cancellation at the moment of a failed attempt is lost to the next attempt, so it is soon cancelled again.
    """
    await cancel(running, every=0.2)
    return None if running.cancelled() else running.exception()


def _error_for(ended: BaseException | None, settings: Settings) -> BaseException:
    """Return the error to raise for a connection that ended unasked: a UserError if the cause lies with Discord."""
    if isinstance(ended, discord.LoginFailure):
        return UserError("Discord does not accept the token in SANDTABLE_TOKEN.")
    if isinstance(ended, discord.ConnectionClosed):
        return UserError(f"Discord closed the connection for good, with code {ended.code}.")
    if isinstance(ended, discord.DiscordException | aiohttp.ClientError | OSError):
        return UserError(f"Discord at {settings.api} cannot be reached: {ended}.")
    return ended or UserError("Discord closed the connection without saying why.")
