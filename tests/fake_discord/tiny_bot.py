"""A tiny bot of discord.py's usual parts, with which the stand-in itself is tried."""

from __future__ import annotations

import asyncio
import struct
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Self

import discord
from discord import app_commands

from .interactions import Interaction
from .people import Person
from .stand_in import FakeDiscord
from .timing import BUSY, PATIENCE

Asked = discord.Interaction[Any]
Misdeed = Callable[[Asked], Awaitable[object]]


def png(width: int, height: int) -> bytes:
    """The smallest thing that opens as a picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        checksum = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + checksum

    rows = zlib.compress((b"\0" + b"\0" * width) * height)
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


class Press(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"t1:(?P<what>[a-z]+):(?P<line>.*)"):
    """A button that carries its battle in the custom id."""

    def __init__(self, label: str, what: str, line: str, *, disabled: bool = False) -> None:
        super().__init__(discord.ui.Button(label=label, custom_id=f"t1:{what}:{line}", disabled=disabled))
        self.what = what
        self.line = line

    @classmethod
    async def from_custom_id(cls, interaction: Asked, item: discord.ui.Item[Any], match: Any, /) -> Self:
        return cls("", match["what"], match["line"])

    async def callback(self, interaction: Asked) -> None:
        bot = interaction.client
        assert isinstance(bot, Bot)
        if self.what == "swap":
            swapped = " ".join(reversed(self.line.split()))
            await interaction.response.edit_message(content=swapped, view=buttons(swapped))
        elif self.what == "save":
            await interaction.response.send_modal(SaveForm(self.line))
        elif self.what == "tell":
            await interaction.response.send_message(f"only for you: {self.line}", ephemeral=True)
        elif self.what == "roll":
            await interaction.response.defer()
            await interaction.edit_original_response(content="rolled", attachments=[bot.picture("round-1.png")])
        elif self.what == "keep":
            assert interaction.message is not None
            kept = interaction.message.attachments
            await interaction.response.edit_message(attachments=[*kept, bot.picture("second.png")])


class SaveForm(discord.ui.Modal, title="Save set-up"):
    name: discord.ui.TextInput[Any] = discord.ui.TextInput(label="Name", max_length=20)

    def __init__(self, line: str) -> None:
        super().__init__()
        self.note: discord.ui.TextInput[Any] = discord.ui.TextInput(default=line)
        self.add_item(discord.ui.Label(text="Line", component=self.note))

    async def on_submit(self, interaction: Asked, /) -> None:
        await interaction.response.send_message(f"saved {self.name.value}: {self.note.value}", ephemeral=True)


class GameMenu(discord.ui.Select[Any]):
    def __init__(self) -> None:
        options = [discord.SelectOption(label=name, value=name.lower()) for name in ("Risk", "Icons")]
        super().__init__(placeholder="Game", options=options)

    async def callback(self, interaction: Asked) -> None:
        await interaction.response.edit_message(content=f"chose {self.values}")


def buttons(line: str) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    for label, what in (("Swap sides", "swap"), ("Save", "save"), ("Tell me", "tell"), ("Roll it", "roll")):
        view.add_item(Press(label, what, line))
    view.add_item(Press("Keep", "keep", line))
    view.add_item(Press("Off", "off", line, disabled=True))
    return view


class Bot(discord.AutoShardedClient):
    """Answers /battle, and misbehaves on demand: `misdeed` is what /try does."""

    def __init__(self, **options: Any) -> None:
        intents = discord.Intents(guilds=True, guild_messages=True, dm_messages=True)
        super().__init__(**{"intents": intents, "guild_ready_timeout": 0.1, **options})
        self.tree = app_commands.CommandTree(self)
        self.misdeed: Misdeed = answer
        self.errors: list[int] = []
        self.failed = asyncio.Event()
        self.may_go_on = asyncio.Event()
        add_commands(self.tree, self)

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Press)
        await self.tree.sync()

    async def on_message(self, message: discord.Message) -> None:
        if message.author.bot:
            return
        try:
            if message.content:
                await message.reply(f"heard: {message.content.partition('> ')[2] or message.content}")
        except discord.HTTPException as error:
            self.errors.append(error.status)
            self.failed.set()

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        raise AssertionError(event_method)

    def picture(self, name: str = "chart.png") -> discord.File:
        return discord.File(BytesIO(png(8, 4)), filename=name, description="a chart")


async def answer(interaction: Asked) -> None:
    await interaction.response.send_message("fine")


async def too_long(interaction: Asked) -> None:
    await interaction.response.send_message("x" * 2001)


def add_commands(tree: app_commands.CommandTree[Any], bot: Bot) -> None:
    @tree.command(description="Odds of a battle")
    async def battle(
        interaction: Asked, matchup: app_commands.Range[str, 3, 20], opponent: discord.Member | None = None
    ) -> None:
        content = f"{matchup} in {interaction.locale.value}" + (f" v {opponent.mention}" if opponent else "")
        await interaction.response.send_message(content, file=bot.picture(), view=buttons(matchup))

    @battle.autocomplete("matchup")
    async def suggest(interaction: Asked, current: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=f"{current} → 50%", value=current)]

    @tree.command(description="Slow one")
    async def slow(interaction: Asked, private: bool = False) -> None:
        await interaction.response.defer(ephemeral=private)
        await bot.may_go_on.wait()
        await interaction.edit_original_response(content="at last")

    @tree.command(name="try", description="Whatever a test wants")
    async def try_it(interaction: Asked) -> None:
        try:
            await bot.misdeed(interaction)
        except discord.HTTPException as error:
            bot.errors.append(error.code)

    preset = app_commands.Group(
        name="preset", description="Saved", default_permissions=discord.Permissions(manage_guild=True)
    )

    @preset.command(description="Take in a file")
    async def load(interaction: Asked, file: discord.Attachment) -> None:
        await interaction.response.send_message((await file.read()).decode())

    tree.add_command(preset)

    @tree.context_menu(name="Battle odds")
    async def battle_odds(interaction: Asked, message: discord.Message) -> None:
        await interaction.response.send_message(f"odds of {message.content}")

    @tree.context_menu(name="Who")
    async def who(interaction: Asked, member: discord.Member) -> None:
        await interaction.response.send_message(f"this is {member.display_name}")


@dataclass
class Table:
    discord: FakeDiscord
    bot: Bot

    async def misbehaves(
        self, misdeed: Misdeed, person: Person | None = None, late: float = 0.0, excused: bool = True
    ) -> Interaction:
        """Have the bot do something, and wait until it has."""
        done = asyncio.Event()

        async def wrapped(interaction: Asked) -> None:
            try:
                await misdeed(interaction)
            finally:
                done.set()

        self.bot.misdeed = wrapped
        interaction = (person or self.discord.member("Tester")).begins("try", late=late)
        interaction.excused = excused
        async with asyncio.timeout(PATIENCE):
            await done.wait()
            await asyncio.sleep(0)
        return interaction


@asynccontextmanager
async def laid_table() -> AsyncIterator[Table]:
    """The stand-in with the tiny bot in it, ready."""
    async with FakeDiscord(slack=BUSY) as fake:
        bot = Bot()
        async with fake.running(bot):
            yield Table(fake, bot)
