"""The connection to Discord: one client from its start to its orderly end."""

import asyncio
import hashlib
import json
import logging
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import discord
from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL

from bot.commands import run
from bot.commands.request import Request, Services
from bot.discord_app.answers import LEAVING, ActionButton, message_parts, submit
from bot.discord_app.tree import make_tree
from bot.engine import Engine
from bot.errors import UserError
from bot.replies import Form
from bot.settings import Settings
from bot.store import open_store

log = logging.getLogger(__name__)

ALIVE_EVERY = 10.0
LONGEST_GOODBYE = 8.0


class Client(discord.AutoShardedClient):
    """Sandtable on Discord. Needs no privileged intent: it reads only messages that mention it or are sent to it."""

    def __init__(self, services: Services) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True, guild_messages=True, dm_messages=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            activity=discord.CustomActivity("/battle 12 9"),
        )
        self.services = services
        self.tree = make_tree(self)
        self.leaving = False
        self._open_answers = 0
        self._all_answered = asyncio.Event()
        self._all_answered.set()
        self._alive: asyncio.Task[None] | None = None

    async def setup_hook(self) -> None:
        """Before the first event: know our buttons, tell Discord our commands if they changed, show signs of life."""
        self.add_dynamic_items(ActionButton)
        await self._sync()
        self._alive = asyncio.create_task(self._show_life(self.services.settings.data / "alive"))

    async def on_ready(self) -> None:
        """The connection stands; this comes again after each reconnection."""
        log.info("ready as %s in %d servers", self.user, len(self.guilds))

    async def on_interaction(self, interaction: discord.Interaction["Client"]) -> None:
        """A form came back; the rest finds its own way. Forms are told by their id, so they too survive a restart."""
        data = interaction.data
        if interaction.type is discord.InteractionType.modal_submit and data is not None:
            custom_id = str(data.get("custom_id"))
            if re.fullmatch(r"b\d+:[^:]+:[^:]+", custom_id):
                await submit(interaction, custom_id, data)

    async def on_message(self, message: discord.Message) -> None:
        """A line that begins with our name, or any line in a direct message, is a question."""
        assert self.user is not None, "messages come after the log-in"
        mention = re.match(rf"\s*<@!?{self.user.id}>", message.content)
        if message.author.bot or not (mention or message.guild is None):
            return
        text = message.content[mention.end() if mention else 0 :].strip()
        with self.answering():
            reply = LEAVING if self.leaving else await run(self._request(message, text), self.services)
            assert not isinstance(reply, Form), "no command that can be typed asks back with a form"
            await message.reply(**message_parts(reply), mention_author=False)

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Around every answer: the client does not go while one is open."""
        self._open_answers += 1
        self._all_answered.clear()
        try:
            yield
        finally:
            self._open_answers -= 1
            if not self._open_answers:
                self._all_answered.set()

    async def goodbye(self) -> None:
        """Take no more questions, finish the answers that are open, then leave."""
        self.leaving = True
        try:
            await asyncio.wait_for(self._all_answered.wait(), LONGEST_GOODBYE)
        except TimeoutError:
            log.warning("left %d answers unfinished", self._open_answers)
        if self._alive is not None:
            self._alive.cancel()
        await self.close()

    def _request(self, message: discord.Message, text: str) -> Request:
        """The question in an ordinary message: a command's name first, if any; else it is about a battle."""
        word, _, rest = text.partition(" ")
        command = word.lstrip("/").casefold()
        if command not in ("battle", "roll", "help"):
            command, rest = ("battle", text) if text else ("help", "")
        author = message.author
        return Request(
            command,
            user=str(author.id),
            user_name=author.display_name,
            place=f"guild:{message.guild.id}" if message.guild else f"user:{author.id}",
            options={"matchup": rest},
            manages=author.guild_permissions.manage_guild if isinstance(author, discord.Member) else True,
        )

    async def _sync(self) -> None:
        """Send the commands to Discord if they are not the ones sent last; our own note of them decides.

        What Discord returns is no measure: it fills in defaults, so that every command would look changed.
        """
        payload = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        text = json.dumps([self.application_id, discord.__version__, payload], sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()
        if await self.services.store.fact("commands") != digest:
            await self.tree.sync()
            await self.services.store.remember("commands", digest)
            log.info("told Discord the commands")

    async def _show_life(self, file: Path) -> None:
        """Touch a file as long as we are connected to Discord; its age is the measure of health."""
        await self.wait_until_ready()
        while True:
            if not any(shard.is_closed() for shard in self.shards.values()):
                await asyncio.to_thread(file.touch)
            await asyncio.sleep(ALIVE_EVERY)


async def serve(settings: Settings) -> None:
    """Run the bot until SIGTERM or SIGINT; then finish what is open, close the database and return."""
    if settings.token is None:
        raise UserError("There is no token. Put the bot's token from Discord's developer portal in SANDTABLE_TOKEN.")
    # There is nothing to say about voice, so its missing libraries are no news.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    Route.BASE = settings.api
    DiscordWebSocket.DEFAULT_GATEWAY = URL(settings.gateway)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with open_store(settings.data / "sandtable.db") as store, Engine(settings) as engine:
        client = Client(Services(settings, engine, store))
        running = asyncio.create_task(client.start(settings.token.get_secret_value()))
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        await client.goodbye()
        try:
            await running
        except discord.LoginFailure:
            raise UserError("Discord does not accept the token in SANDTABLE_TOKEN.") from None
    log.info("closed in order")
