"""Files that people send: fetched from Discord, if they are small enough, and given to the request as text."""

import asyncio
import logging
from dataclasses import replace

import aiohttp
import discord

from bot.commands.request import Request
from bot.commands.setups_file import largest, text_of, too_large
from bot.errors import UserError
from bot.languages import _
from bot.settings import Settings

log = logging.getLogger(__name__)

PATIENCE = 10
"""Seconds for which a file is waited for."""


async def with_file(request: Request, file: discord.Attachment, settings: Settings) -> Request:
    """The request with the text of a file as its option "file"; UserError where there is none to be had."""
    if file.size > largest(settings):
        raise too_large(settings)
    try:
        async with asyncio.timeout(PATIENCE):
            data = await file.read()
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        log.warning("a file of %d bytes could not be fetched: %s", file.size, error)
        raise UserError(_("Discord can't give me that file right now. Send it again in a minute.")) from None
    return replace(request, options={**request.options, "file": text_of(data)})
