"""Files that people send: downloads them from Discord, if they are small enough, and adds their text to the request."""

import asyncio
import logging
from dataclasses import replace

import aiohttp
import discord

from bot.commands.setups_file import most_bytes, text_of, too_large_error
from bot.errors import UserError
from bot.languages import _
from bot.request import Request
from bot.settings import Settings

log = logging.getLogger(__name__)

PATIENCE = 10
"""Seconds to wait for a file."""


async def with_file(request: Request, file: discord.Attachment, settings: Settings) -> Request:
    """Add the text of a file to a request as its option "file"; UserError if it is too large or not available."""
    if file.size > most_bytes(settings):
        raise too_large_error(settings)
    try:
        async with asyncio.timeout(PATIENCE):
            data = await file.read()
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        log.warning("a file of %d bytes could not be fetched: %s", file.size, error)
        raise UserError(_("Discord can't give me that file right now. Send it again in a minute.")) from None
    return replace(request, options={**request.options, "file": text_of(data)})
