"""The start on Discord, in any way: the token, patience, the end by a signal, shared cache, metrics, and errors."""

import asyncio
import logging
import signal
import sys
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import TYPE_CHECKING, TypeVar

import aiohttp
import discord
from discord.http import Route

from bot.background import wait_until_set
from bot.errors import AwayError, LaterError, UserError
from bot.pace import at_pace
from bot.settings import Settings

if TYPE_CHECKING:
    from bot.discord_app.open_answers import AnsweringClient
    from bot.work.shared_cache import SharedCache

log = logging.getLogger(__name__)

Needed = TypeVar("Needed")

LONGEST_AWAY = 300.0
"""Seconds that a start waits between its attempts, in all, while Discord or the database is away."""
FIRST_PAUSE, LONGEST_PAUSE = at_pace(5.0), 60.0
"""Seconds before the second attempt, and at most before a later one: each pause is twice as long as the one before."""
LONGEST_ANSWER = aiohttp.ClientTimeout(total=5.0)
FINAL_CODES = 4004, 4010, 4011, 4012, 4013, 4014
"""The codes with which Discord closes a connection that it will not take another time either."""


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


async def insist(attempt: Callable[[], Awaitable[Needed]], stop: asyncio.Event) -> Needed:
    """Return what an attempt brings; while what it needs is away, try again, with waits of LONGEST_AWAY in all.

    The program ends if `stop` is set meanwhile.
    """
    waited, pause = 0.0, FIRST_PAUSE
    while True:
        try:
            return await attempt()
        except AwayError as error:
            if waited >= LONGEST_AWAY:
                raise
            pause = min(pause, LONGEST_AWAY - waited)
            log.warning("%s The next attempt is in %.0f seconds.", error, pause)
        if await wait_until_set(stop, pause):
            sys.exit(0)
        waited, pause = waited + pause, min(2 * pause, LONGEST_PAUSE)


async def ask_discord(settings: Settings) -> None:
    """Raise AwayError unless Discord answers a question that needs no token."""
    try:
        async with aiohttp.ClientSession(timeout=LONGEST_ANSWER) as session:
            async with session.get(f"{settings.api}/gateway") as answer:
                if answer.status < 500:
                    return
            raise AwayError(f"Discord at {settings.api} does not work: it answers with status {answer.status}.")
    except (aiohttp.ClientError, OSError) as error:
        raise error_for(error, settings) from None


def shared_cache(settings: Settings) -> AbstractAsyncContextManager["SharedCache | None"]:
    """Return the shared cache; None if the settings have no Redis."""
    if not settings.redis:
        return nullcontext()
    from bot.work.shared_cache import SharedCache

    return SharedCache(settings)


def metrics_of(client: "AnsweringClient") -> AbstractAsyncContextManager[None]:
    """Return what serves the metrics of a client; it does nothing if the settings have no address for them."""
    address = client.services.settings.metrics
    if not address:
        return nullcontext()
    from bot.discord_app.metrics import serve_metrics

    return serve_metrics(client.metrics, address)


def error_for(ended: BaseException | None, settings: Settings) -> BaseException:
    """Return the error to raise for a connection that ended unasked: a UserError if the cause lies with Discord."""
    if isinstance(ended, discord.LoginFailure):
        return UserError("Discord does not accept the token in SANDTABLE_TOKEN.")
    if isinstance(ended, discord.ConnectionClosed):
        kind = UserError if ended.code in FINAL_CODES else LaterError
        return kind(f"Discord closed the connection for good, with code {ended.code}.")
    if isinstance(ended, discord.DiscordException | aiohttp.ClientError | OSError):
        return AwayError(f"Discord at {settings.api} cannot be reached: {ended or 'it does not answer'}.")
    if ended is None or isinstance(ended, UserError):  # the database may have had trouble amid the start
        return LaterError(ended.text if ended else "Discord closed the connection without saying why.")
    return ended
