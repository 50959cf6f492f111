"""The Discord client: starts the bot, receives its events, answers messages, and ends in order."""

import asyncio
import logging
import re
from contextlib import AbstractAsyncContextManager, AsyncExitStack, nullcontext, suppress
from functools import partial
from itertools import dropwhile
from typing import TYPE_CHECKING, Any

import discord
from discord.gateway import DiscordWebSocket
from yarl import URL

from bot.background import cancel
from bot.commands.error_help import explain
from bot.commands.history import CHANGES_BATTLE
from bot.commands.run import run
from bot.commands.typed import command_in
from bot.discord_app.answers import UNSHOWN, act, failure_reply, remove_unsendable, roles_in, roles_of
from bot.discord_app.catching_up import CatchingUp
from bot.discord_app.delivery import find_settings_channel, message_parts
from bot.discord_app.emoji import look_up_dice
from bot.discord_app.gateway.handing_over import HandingOver
from bot.discord_app.health import Health
from bot.discord_app.incoming import parse_event
from bot.discord_app.left_waiting import LeftWaiting
from bot.discord_app.open_answers import AnsweringClient
from bot.discord_app.refusals import is_gone
from bot.discord_app.registering import install_lines, register_if_changed
from bot.discord_app.starting import ask_discord, error_for, insist, metrics_of, prepare, shared_cache, stop_event
from bot.discord_app.tidying_up import TidyingUp
from bot.discord_app.tree import make_tree
from bot.errors import RESTARTING, UserError
from bot.languages import ENGLISH, _, language, language_for_locale, speaking
from bot.names import bare_name
from bot.pace import at_pace
from bot.phrases.canonical import canonical_or_none
from bot.place_settings import PlaceSettings
from bot.replies import Reply, line_of
from bot.request import Request, Services
from bot.rooms import ROOMS
from bot.settings import Settings
from bot.store.database import open_store
from bot.store.records import Spot
from bot.work.engine import Engine
from bot.work.forks import Parent
from bot.work.jobs import asking

if TYPE_CHECKING:
    from bot.store.identify_turns import IdentifyTurns
    from bot.store.owners import ShardLocks

log = logging.getLogger(__name__)

LONGEST_CLOSE = 2.0
LAST_MESSAGES = 10
"""The messages among which the last answer is looked for."""
READY_AFTER = at_pace(2.0)
"""Seconds without news of another server after which the list of servers counts as complete."""
QUOTE = re.compile(r"^ *(?:>>> .*|> [^\n]*)", re.MULTILINE | re.DOTALL)
"""A line that quotes somebody, as Discord shows it; behind `>>>` all lines do."""
CODE = re.compile(r"`[^`]+`")
EVERYBODY = re.compile(r"@(?:everyone|here)\b|<@&\d+>")
"""A mention of everyone, or of a role."""
BESIDE_OTHERS = "preset import", "preset export"
"""Commands that are refused in a server's messages, where everybody reads along and could press the button."""


class Client(AnsweringClient):
    """Sandtable on Discord. Needs no privileged intent: it reads only messages that mention it or are sent to it.

    Its shards identify in the `turns` of all processes, if there are several, and change hands with their `locks`. It
    asks for no messages at all if the settings say so.
    """

    def __init__(
        self, services: Services, turns: "IdentifyTurns | None" = None, locks: "ShardLocks | None" = None
    ) -> None:
        shards, messages = services.settings.own_shards, services.settings.messages
        super().__init__(
            services,
            turns,
            intents=discord.Intents(guilds=True, guild_messages=messages, dm_messages=messages),
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
        self.catching_up = CatchingUp(self, self._language_of)
        self.tidying_up = TidyingUp(self)
        self.left_waiting = LeftWaiting(self, locks.number if locks else None)
        self._locks = locks
        self._handing_over = HandingOver(self, locks, self._sync_commands) if locks else None
        self.frames.render_newest = self.catching_up.render_newest if locks else None
        self._tasks: list[asyncio.Task[None]] = []
        self._has_told_installs = False

    async def setup_hook(self) -> None:
        """Register the commands, and start the tasks that run all the time, before the first event."""
        # An event that discord.py cannot read would end the whole program.
        parsers: dict[str, Any] = self._connection.parsers
        parsers["INTERACTION_CREATE"] = partial(parse_event, parsers["INTERACTION_CREATE"])
        if self._handing_over:
            self._handing_over.listen(parsers)
        if not self.has_equals:  # else the process before still answers, which does not know the newest commands
            await self._sync_commands()
        signs = self.health.write_signs(self.services.settings.data / "alive")
        works = [self.catching_up.run(), self.tidying_up.run(), self.left_waiting.run(), signs, look_up_dice(self)]
        if self._handing_over:
            works.append(self._handing_over.forget_claims())
        self._tasks = [asyncio.create_task(work) for work in works]
        if self._locks:
            await self._locks.wait_until_claimed()

    async def close(self) -> None:
        """Stop the tasks and close the connection."""
        # The tasks must be done with the database before it is closed.
        await cancel(*self._tasks)
        await self.left_waiting.close()
        if self._handing_over:
            await self._handing_over.close()
        await super().close()

    async def on_shard_ready(self, shard_id: int) -> None:
        """Note that a shard is ready, and take it over from the process that has it, if there is one."""
        await super().on_shard_ready(shard_id)
        if self._handing_over and self.services.settings.own_shards:
            self._handing_over.note_ready(shard_id)

    async def on_ready(self) -> None:
        """Log that the connection is ready; Discord sends this again after each reconnection."""
        if self._handing_over and not self.services.settings.own_shards:
            self._handing_over.note_ready(0)
        log.info("ready as %s in %d servers", self.user, len(self.guilds))
        if self.application and not self._has_told_installs:
            self._has_told_installs = True
            for line in install_lines(self.application):
                log.info("%s", line)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Note that a server removed the bot; discord.py does not call this for an outage."""
        self.tidying_up.note_removal(guild)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Note that a server added the bot."""
        self.tidying_up.note_return(guild)

    on_interaction = staticmethod(act)

    async def on_message(self, message: discord.Message) -> None:
        """Answer a message that asks the bot."""
        assert self.user is not None, "messages come after the log-in"
        typed = message.type in (discord.MessageType.default, discord.MessageType.reply)
        if not typed or message.author.bot or not _asks(message, self.user):
            return
        # Rate limits come before any query of the database, so their refusals use the language that Discord reports.
        with speaking(self._usual_language(_place_of(message))), asking(str(message.author.id), _place_of(message)):
            await self._answer(message, _question(message.content, self.user))

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Delete the settings that a deleted channel had of its own."""
        try:
            await self.services.store.forget_settings(f"guild:{channel.guild.id}", str(channel.id))
        except UserError as error:
            log.info("the settings of a deleted channel stay for now: %s", error)

    async def _answer(self, message: discord.Message, text: str) -> None:
        """Answer the text of a message."""
        where = message.to_reference(fail_if_not_exists=False)
        refusal = (
            failure_reply(RESTARTING)
            if self.leaving
            else self.rates.refusal(str(message.author.id), _place_of(message), letters=len(text))
        )
        if refusal and not self.leaving and self.rates.was_warned(str(message.author.id)):
            return  # A public refusal each time would disturb everybody there.
        with self.answering("a message", message.id):
            async with self.slots.slot(str(message.author.id)):
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
        guild = message.guild
        channel = await find_settings_channel(self, guild.id, message.channel.id) if guild else ""
        chosen = await self.services.place_settings(_place_of(message), channel, str(message.author.id))
        with speaking(chosen.language or language()):
            return await self._answer_to(message, text, chosen, channel)

    async def _answer_to(self, message: discord.Message, text: str, chosen: PlaceSettings, channel: str) -> Reply:
        """Answer a command, or else a line about a battle, in the language that is set."""
        try:
            command, options = command_in(remove_unsendable(text) or "/help")
        except UserError as error:
            return explain(self.services.rooms, error)
        if message.guild and command in BESIDE_OTHERS:
            return Reply(_("Use the slash command `/{command}`; the answer is only for you.", command=command))
        author = message.author
        rights = author.guild_permissions if isinstance(author, discord.Member) else discord.Permissions.all()
        request = Request(
            command,
            user=str(author.id),
            user_name=bare_name(author.display_name),
            place=_place_of(message),
            options=options,
            manages=rights.manage_guild,
            moderates=rights.manage_guild or rights.manage_messages,
            roles=roles_of(author),
            known_roles=roles_in(message.guild),
            settings_channel=channel,
            reader=chosen.mine.get("language") or language(),
            here=language(),
            place_settings=chosen,
            after="" if text.startswith("/") else await self._line_before(message, text),
        )
        reply = await run(request, self.services)
        assert isinstance(reply, Reply), "no command that can be typed asks back with a form"
        if command in CHANGES_BATTLE:
            self.behind.set()
        return reply

    async def _line_before(self, message: discord.Message, text: str) -> str:
        """Return the line of the answer that a message goes on from: that it replies to, or the last direct one."""
        replied = message.reference.resolved if message.reference else None
        if isinstance(replied, discord.Message):
            return _battle_in(replied) if replied.author == self.user else ""
        if message.guild or canonical_or_none(self.services.rooms, text):
            return ""
        with suppress(discord.HTTPException):
            async for before in message.channel.history(limit=LAST_MESSAGES, before=message):
                if before.author == self.user and (line := _battle_in(before)):
                    return line
        return ""

    async def _sync_commands(self) -> None:
        await register_if_changed(self.tree)

    async def _language_of(self, place: str) -> str:
        return self._usual_language(place)

    def _usual_language(self, place: str) -> str:
        """Return the language that Discord reports: a server's own, or that of a person's last interaction."""
        kind, _colon, number = place.partition(":")
        guild = self.get_guild(int(number)) if kind == "guild" else None
        own = self.locales.get(int(number), ENGLISH) if kind == "user" else ENGLISH
        return language_for_locale(str(guild.preferred_locale)) if guild else own


def _asks(message: discord.Message, bot: discord.ClientUser) -> bool:
    """Whether a message asks the bot: every direct one, one that mentions it, a reply that pings it alone."""
    if message.guild is None:
        return True
    own = QUOTE.sub("", message.content)
    uncoded = CODE.sub("", own)
    if _mention_of(bot).search(uncoded):
        return True
    answered = message.reference.resolved if message.reference else None
    if not isinstance(answered, discord.Message) or answered.author != bot or EVERYBODY.search(uncoded):
        return False
    # Discord shows the text of a reply only if that pings the bot, as no reply to an answer of an interaction does.
    return answered.interaction_metadata is None and bool(own.strip())


def _mention_of(bot: discord.ClientUser) -> re.Pattern[str]:
    """Return the pattern of a mention of the bot, with a comma before it."""
    return re.compile(rf",? ?<@!?{bot.id}>")


def _question(content: str, bot: discord.ClientUser) -> str:
    """Return what a message asks: its text without mentions of the bot, and without what it quotes first."""
    text = _mention_of(bot).sub(" ", content).strip()
    return "\n".join(dropwhile(QUOTE.match, text.split("\n"))).strip() or text


def _battle_in(answer: discord.Message) -> str:
    """Return the battle line of an answer; "" for other texts, such as a help screen that ends in `more`."""
    line = line_of(answer.content) or ""
    return line if re.match(r"[^/]*\d", line) else ""


def _place_of(message: discord.Message) -> str:
    """Return the place of a message, whose set-ups and settings apply: its server, or its author."""
    return f"guild:{message.guild.id}" if message.guild else f"user:{message.author.id}"


async def serve(settings: Settings, parent: Parent | None = None, takes_over: bool = False) -> None:
    """Run the bot until SIGTERM or SIGINT, or until another process has taken over its shards.

    It then finishes what is open, closes the database and returns. Its workers are forked off `parent`, if there is
    one. With `takes_over` it takes its shards over from the process that has them.
    """
    prepare(settings)
    stop = stop_event()
    DiscordWebSocket.DEFAULT_GATEWAY = URL(settings.gateway)
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        locks = await insist(lambda: enter(_shard_locks(settings, stop, takes_over)), stop)
        store = await insist(lambda: enter(open_store(settings.store, settings.most_connections)), stop)
        await insist(lambda: ask_discord(settings), stop)
        cache = await enter(shared_cache(settings))
        engine = await enter(Engine(settings, ROOMS, shared=cache, parent=parent))
        client = Client(Services(settings, engine, lambda: store, ROOMS), _identify_turns(settings), locks)
        async with metrics_of(client):
            await _run_until(client, stop)
    log.info("closed in order")


def _shard_locks(
    settings: Settings, stop: asyncio.Event, takes_over: bool
) -> "AbstractAsyncContextManager[ShardLocks | None]":
    """Return the locks of this process's shards; none for SQLite, whose lock `__main__` holds already."""
    if settings.store == settings.file:
        if takes_over:
            raise UserError("--take-over needs PostgreSQL: an SQLite file has one process. End the other one first.")
        return nullcontext()
    from bot.store.owners import hold_shards

    return hold_shards(str(settings.store), settings.bare_token, settings.own_shards, stop.set, takes_over)


def _identify_turns(settings: Settings) -> "IdentifyTurns | None":
    """Return the turns of all processes to identify; None for SQLite, which has one process."""
    if settings.store == settings.file:
        return None
    from bot.store.identify_turns import IdentifyTurns

    return IdentifyTurns(str(settings.store))


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
        raise error_for(ended, settings)


async def _end_connection(running: asyncio.Task[None]) -> BaseException | None:
    """End a connection, which may still be in the making, and return the error that ended it before; None if none did.

    A cancellation at the moment of a failed attempt is lost to the next attempt, so it is soon cancelled again.
    """
    await cancel(running, every=0.2)
    return None if running.cancelled() else running.exception()
