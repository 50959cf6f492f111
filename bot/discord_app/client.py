"""The connection to Discord: one client from its start to its orderly end."""

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

from bot.commands import run
from bot.commands.habits import Habits
from bot.commands.request import Request, Services
from bot.commands.teaching import taught
from bot.commands.typed import command_in
from bot.discord_app.answers import (
    UNSHOWN,
    clean,
    moderates,
    press,
    roles_in,
    roles_of,
    sorry,
    submit,
)
from bot.discord_app.catching_up import CatchingUp
from bot.discord_app.delivery import Interaction
from bot.discord_app.descriptions import Descriptions
from bot.discord_app.health import Health
from bot.discord_app.incoming import take_in
from bot.discord_app.messages import message_parts
from bot.discord_app.metrics import shown
from bot.discord_app.open_answers import AnsweringClient
from bot.discord_app.refusals import is_gone
from bot.discord_app.tree import make_tree
from bot.engine import Engine
from bot.errors import RESTARTING, UserError
from bot.languages import ENGLISH, _, language, nearest, speaking
from bot.names import bare_name
from bot.replies import Reply
from bot.settings import Settings
from bot.store import Spot, open_store
from bot.turns import asking

if TYPE_CHECKING:
    from bot.shared_cache import SharedCache

log = logging.getLogger(__name__)

LONGEST_CLOSE = 2.0
READY_AFTER = 2.0
"""Seconds without news of another server after which Discord is taken to have told of all."""
BESIDE_OTHERS = "preset import", "preset export"
"""Commands that are not answered where everybody reads along, and could press the button."""


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
        self.catching_up = CatchingUp(self, self._usual)
        self._alive: asyncio.Task[None] | None = None
        self._keeping_up: asyncio.Task[None] | None = None

    async def setup_hook(self) -> None:
        """Before the first event: know our commands, show what was not seen yet, and signs of life."""
        # What discord.py cannot read of one event would end the whole program.
        parsers = self._connection.parsers
        parsers["INTERACTION_CREATE"] = partial(take_in, parsers["INTERACTION_CREATE"])
        await self._sync()
        self._keeping_up = asyncio.create_task(self.catching_up.go_on())
        self._alive = asyncio.create_task(self.health.show(self.services.settings.data / "alive"))

    async def close(self) -> None:
        """Leave, without another sign of life."""
        tasks = [task for task in (self._alive, self._keeping_up) if task]
        for task in tasks:
            task.cancel()
        # Who is asking the database something must have let go of it before it is closed.
        await asyncio.gather(*tasks, return_exceptions=True)
        await super().close()

    async def on_ready(self) -> None:
        """The connection stands; this comes again after each reconnection."""
        log.info("ready as %s in %d servers", self.user, len(self.guilds))

    async def on_interaction(self, interaction: Interaction) -> None:
        """A button was pressed or a form came back; commands find their own way.

        Both are told by their ids alone, so they survive a restart.
        """
        self.locales[interaction.user.id] = nearest(str(interaction.locale))
        acts = {discord.InteractionType.component: press, discord.InteractionType.modal_submit: submit}
        data: Any = interaction.data
        if act := acts.get(interaction.type):
            version, _colon, action = data["custom_id"].partition(":")
            await act(interaction, version, action)

    async def on_message(self, message: discord.Message) -> None:
        """A line that begins with our name, or any line in a direct message, is a question."""
        assert self.user is not None, "messages come after the log-in"
        mention = re.match(rf"\s*<@!?{self.user.id}>", message.content)
        typed = message.type in (discord.MessageType.default, discord.MessageType.reply)
        if not typed or message.author.bot or not (mention or message.guild is None):
            return
        # Who asks too often is refused before the database is asked anything, so in what Discord says is spoken there.
        with speaking(self._usual(_place(message))), asking(str(message.author.id), _place(message)):
            await self._answer(message, message.content[mention.end() if mention else 0 :].strip())

    async def _answer(self, message: discord.Message, text: str) -> None:
        """Answer a line that somebody wrote."""
        where = message.to_reference(fail_if_not_exists=False)
        refusal = sorry(RESTARTING) if self.leaving else self.rates.refusal(str(message.author.id), _place(message))
        if refusal and not self.leaving and self.rates.is_told(str(message.author.id)):
            return  # Here all would see it each time, and have to wait for it.
        with self.answering("a message", message.id):
            async with self.desk.seat(str(message.author.id)):
                reply = refusal or await self._reply(message, text)
            try:
                sent = await message.channel.send(**message_parts(reply), reference=where, mention_author=False)
            except discord.HTTPException as error:
                if is_gone(error):
                    raise
                log.exception("the answer to a message could not be shown")
                await message.channel.send(**message_parts(sorry(UNSHOWN)), reference=where, mention_author=False)
                return
            if reply.frame:
                await self.frames.arrived(reply.frame, Spot(str(sent.id), str(sent.channel.id)))

    async def _reply(self, message: discord.Message, text: str) -> Reply:
        """The answer to an ordinary message, in the language of the place, as nobody tells us that of the person."""
        habits = await self.services.habits(_place(message))
        with speaking(habits.language or language()):
            return await self._answer_to(message, text, habits)

    async def _answer_to(self, message: discord.Message, text: str, habits: Habits) -> Reply:
        """The same in the language of the moment: the answer to a command, or else to a line about a battle."""
        try:
            command, options = command_in(clean(text) or "/help")
        except UserError as error:
            return taught(error)
        if message.guild and command in BESIDE_OTHERS:
            return Reply(_("Use the slash command `/{command}`; the answer is only for you.", command=command))
        author = message.author
        request = Request(
            command,
            user=str(author.id),
            user_name=bare_name(author.display_name),
            place=_place(message),
            options=options,
            manages=author.guild_permissions.manage_guild if isinstance(author, discord.Member) else True,
            moderates=moderates(author.guild_permissions) if isinstance(author, discord.Member) else True,
            roles=roles_of(author),
            known_roles=roles_in(message.guild),
            reader=language(),
            here=language(),
            habits=habits,
        )
        reply = await run(request, self.services)
        assert isinstance(reply, Reply), "no command that can be typed asks back with a form"
        if command == "history end":
            self.behind.set()
        return reply

    def _usual(self, place: str) -> str:
        """What Discord says is spoken: a server's own language, in direct messages that of the last press there."""
        kind, _colon, number = place.partition(":")
        guild = self.get_guild(int(number)) if kind == "guild" else None
        own = self.locales.get(int(number), ENGLISH) if kind == "user" else ENGLISH
        return nearest(str(guild.preferred_locale)) if guild else own

    async def _sync(self) -> None:
        """Send the commands to Discord if they are not the ones sent last; our own note of them decides.

        What Discord returns is no measure: it fills in defaults, so that every command would look changed.
        """
        said = Descriptions()
        await self.tree.set_translator(said)
        payload = [await command.get_translated_payload(self.tree, said) for command in self.tree.get_commands()]
        text = json.dumps([self.application_id, discord.__version__, payload], sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()
        if await self.services.store.fact("commands") == digest:
            return
        try:
            await self.tree.sync()
        except discord.HTTPException as error:
            log.error("Discord does not take our commands, so those of before stay: %s", error)  # noqa: TRY400
        else:
            await self.services.store.remember("commands", digest)
            log.info("told Discord the commands")


def _place(message: discord.Message) -> str:
    """Whose set-ups are meant where a message was sent."""
    return f"guild:{message.guild.id}" if message.guild else f"user:{message.author.id}"


async def serve(settings: Settings) -> None:
    """Run the bot until SIGTERM or SIGINT; then finish what is open, close the database and return."""
    if not settings.bare_token:
        raise UserError("There is no token. Put the bot's token from Discord's developer portal in SANDTABLE_TOKEN.")
    # There is nothing to say about voice, so its missing libraries are no news.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    Route.BASE = settings.api
    DiscordWebSocket.DEFAULT_GATEWAY = URL(settings.gateway)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with (
        _owned(settings, stop),
        open_store(settings.store) as store,
        _shared(settings) as cache,
        Engine(settings, shared=cache) as engine,
    ):
        client = Client(Services(settings, engine, store))
        async with shown(client.metrics, client.services):
            await _live(client, stop)
    log.info("closed in order")


def _owned(settings: Settings, stop: asyncio.Event) -> AbstractAsyncContextManager[None]:
    """Around all that only one process may do; where the database is a file, who starts the program sees to that."""
    if settings.store == settings.file:
        return nullcontext()
    from bot.store.owners import own

    return own(str(settings.store), settings.bare_token, settings.own_shards, stop.set)


def _shared(settings: Settings) -> AbstractAsyncContextManager["SharedCache | None"]:
    """What others have worked out already, where there is a place for that."""
    if not settings.redis.get_secret_value():
        return nullcontext()
    from bot.shared_cache import SharedCache

    return SharedCache(settings)


async def _live(client: Client, stop: asyncio.Event) -> None:
    """A client from its start until it shall stop, or Discord does not want it any more."""
    settings = client.services.settings
    running = asyncio.create_task(client.start(settings.bare_token))
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    await client.goodbye()
    ended = await _end(running)
    with suppress(TimeoutError):
        await asyncio.wait_for(client.close(), LONGEST_CLOSE)
    if not stop.is_set():
        raise _told(ended, settings)


async def _end(running: asyncio.Task[None]) -> BaseException | None:
    """End a connection that may still be trying to come about, and return what ended it before, if anything did.

    Asked more than once: what is cancelled in the moment in which an attempt fails would go on to the next attempt.
    """
    while not running.done():
        running.cancel()
        await asyncio.wait({running}, timeout=0.2)
    return None if running.cancelled() else running.exception()


def _told(ended: BaseException | None, settings: Settings) -> BaseException:
    """The end of a connection that nobody wanted to end, as a sentence where it is Discord's doing."""
    if isinstance(ended, discord.LoginFailure):
        return UserError("Discord does not accept the token in SANDTABLE_TOKEN.")
    if isinstance(ended, discord.ConnectionClosed):
        return UserError(f"Discord closed the connection for good, with code {ended.code}.")
    if isinstance(ended, discord.DiscordException | aiohttp.ClientError | OSError):
        return UserError(f"Discord at {settings.api} cannot be reached: {ended}.")
    return ended or UserError("Discord closed the connection without saying why.")
