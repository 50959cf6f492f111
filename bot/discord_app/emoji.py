"""The dice as emoji of the application: uploads our drawings of them, and looks up which Discord has.

The name of an emoji ends in a few digits of the drawing's hash, so that a new drawing takes the place of an old one.
"""

import asyncio
import logging
import re
from hashlib import sha256

import discord

from bot.discord_app.open_answers import AnsweringClient
from bot.discord_app.refusals import is_unsent
from bot.live.dice import PICTURED
from bot.pace import at_pace

log = logging.getLogger(__name__)

OURS = re.compile(rf"({'|'.join(PICTURED)})_[0-9a-f]{{4}}")
"""The names of emoji that are dice."""
LOOK_EVERY = at_pace(600.0)
"""Seconds between two looks which dice Discord has."""


async def upload_dice(client: discord.Client) -> int:
    """Upload the dice that Discord lacks, then delete those of other drawings; return how many were uploaded."""
    from bot.charts.die import draw_die  # the bot itself draws in its workers

    there = await client.fetch_application_emojis()
    drawings = {}
    for name, die in PICTURED.items():
        png = draw_die(*die)
        drawings[f"{name}_{sha256(png).hexdigest()[:4]}"] = png
    missing = drawings.keys() - {emoji.name for emoji in there}
    for name in sorted(missing):
        await client.create_application_emoji(name=name, image=drawings[name])
    for emoji in there:
        if OURS.fullmatch(emoji.name) and emoji.name not in drawings:
            await emoji.delete()
    return len(missing)


async def look_up_dice(client: AnsweringClient) -> None:
    """Look up which dice Discord has, at once and then every ten minutes, until the task is cancelled."""
    dice = client.services.dice
    while True:
        try:
            there = await client.fetch_application_emojis()
        except Exception as error:
            level = logging.INFO if is_unsent(error) else logging.ERROR
            log.log(level, "Discord did not say which dice it has, so live battles show what they did: %r", error)
        else:
            there.sort(key=lambda emoji: emoji.id)  # of two drawings of a die the newest counts
            dice.clear()
            dice.update((name[1], str(emoji)) for emoji in there if (name := OURS.fullmatch(emoji.name)))
        await asyncio.sleep(LOOK_EVERY)
