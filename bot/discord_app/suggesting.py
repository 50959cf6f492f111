"""Autocomplete on Discord: answers each key press with what a command suggests, as long as somebody waits for it."""

import logging
import time
from typing import Any

from discord.app_commands import Choice

from bot.commands.command import Command
from bot.discord_app.answers import request_from
from bot.discord_app.delivery import Interaction
from bot.discord_app.rates import SUGGESTION
from bot.languages import speaking
from bot.logs import set_interaction
from bot.work.queue import asking

log = logging.getLogger(__name__)

LATE = 2.0
"""Seconds after which suggestions are no longer looked for: Discord takes none after three."""


def suggest_for(command: Command, option: str) -> Any:
    """Return the autocomplete of an option, as the table of commands has it."""
    suggestions = command.suggests[option]

    async def autocomplete(interaction: Interaction, typed: str) -> list[Choice[str]]:
        set_interaction(interaction.id, "suggestions")
        began = time.monotonic()
        client, request = interaction.client, request_from(interaction, command.name, {option: typed})
        if client.rates.refusal(request.user, request.place, SUGGESTION, len(typed)):
            return []
        client.typed[request.user] = newest = max(interaction.id, client.typed.get(request.user, 0))
        with speaking(request.reader), asking(request.user, request.place):
            async with client.slots.slot(request.user):
                # Who types on or waits too long no longer sees these suggestions, and others wait behind them.
                if client.typed.get(request.user, newest) > interaction.id or time.monotonic() - began > LATE:
                    log.debug("nobody waits for these suggestions any more")
                    return []
                found = await suggestions(request, client.services)
        log.debug("found after %.3f s", time.monotonic() - began)
        return [Choice(name=label, value=line) for label, line in found]

    return autocomplete
