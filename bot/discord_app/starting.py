"""What every start on Discord needs: the token, the end by a signal, the shared cache, and the errors of a host."""

import asyncio
import signal
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import TYPE_CHECKING

import aiohttp
import discord
from discord.http import Route

from bot.errors import UserError
from bot.settings import Settings

if TYPE_CHECKING:
    from bot.work.shared_cache import SharedCache


def prepare(settings: Settings) -> None:
    """Point discord.py at Discord; UserError without a token."""
    if not settings.bare_token:
        raise UserError("There is no token. Put the bot's token from Discord's developer portal in SANDTABLE_TOKEN.")
    # The bot does not use voice, so warnings about its missing libraries are noise.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    Route.BASE = settings.api


def stop_event() -> asyncio.Event:
    """Return the event that SIGTERM and SIGINT set."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


def shared_cache(settings: Settings) -> AbstractAsyncContextManager["SharedCache | None"]:
    """Return the shared cache; None if the settings have no Redis."""
    if not settings.redis:
        return nullcontext()
    from bot.work.shared_cache import SharedCache

    return SharedCache(settings)


def error_for(ended: BaseException | None, settings: Settings) -> BaseException:
    """Return the error to raise for a connection that ended unasked: a UserError if the cause lies with Discord."""
    if isinstance(ended, discord.LoginFailure):
        return UserError("Discord does not accept the token in SANDTABLE_TOKEN.")
    if isinstance(ended, discord.ConnectionClosed):
        return UserError(f"Discord closed the connection for good, with code {ended.code}.")
    if isinstance(ended, discord.DiscordException | aiohttp.ClientError | OSError):
        return UserError(f"Discord at {settings.api} cannot be reached: {ended}.")
    return ended or UserError("Discord closed the connection without saying why.")
