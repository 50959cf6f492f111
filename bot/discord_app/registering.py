"""Registers the commands at Discord: when the bot starts, if they have changed, or for `sandtable register`."""

import hashlib
import json
import logging

import discord
from discord import app_commands

from bot.discord_app.descriptions import Descriptions
from bot.discord_app.installs import set_installs
from bot.discord_app.open_answers import AnsweringClient
from bot.discord_app.starting import error_for, prepare
from bot.discord_app.tree import make_tree
from bot.errors import UserError
from bot.request import Services
from bot.rooms import ROOMS
from bot.settings import Settings
from bot.store.database import open_store
from bot.work.engine import Engine

log = logging.getLogger(__name__)

Tree = app_commands.CommandTree[AnsweringClient]

DIGEST = "commands"
"""The name of the fact that remembers which commands Discord has."""


async def register_if_changed(tree: Tree) -> None:
    """Send the commands to Discord if they differ from those sent last; a digest in the database decides.

    A comparison with Discord's own list would not work: Discord fills in defaults, so every command would differ.
    """
    store = tree.client.services.store
    digest = await _digest(tree)
    if await store.fact(DIGEST) == digest:
        return
    try:
        await tree.sync()
    except discord.HTTPException as error:
        log.error("Discord does not take our commands, so those of before stay: %s", error)  # noqa: TRY400
    else:
        await store.set_fact(DIGEST, digest)
        log.info("told Discord the commands")


async def register(settings: Settings, installs: bool = False) -> int:
    """Send the commands to Discord in any case, and return 0; UserError if Discord does not take them.

    With `installs` it also switches on both ways to install the application.
    """
    prepare(settings)
    async with open_store(settings.store) as store, Engine(settings, ROOMS, processes=False) as engine:
        client = AnsweringClient(Services(settings, engine, lambda: store, ROOMS), intents=discord.Intents(guilds=True))
        tree = make_tree(client)
        try:
            await client.login(settings.bare_token)
            digest = await _digest(tree)
            there = await tree.sync()
            await store.set_fact(DIGEST, digest)
            if installs:
                await set_installs(client)
        except discord.LoginFailure as error:
            raise error_for(error, settings) from None
        except discord.HTTPException as error:
            raise UserError(f"Discord does not take the commands, or the ways to install: {error}.") from None
        except Exception as error:
            raise error_for(error, settings) from None
        finally:
            await client.close()
    print(f"Discord has all {len(there)} commands.")
    if installs:
        print("The bot can now be installed on servers and for people.")
    return 0


async def _digest(tree: Tree) -> str:
    """Return the digest of all commands of a tree, and have their descriptions translated."""
    translator = Descriptions()
    await tree.set_translator(translator)
    payload = [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]
    text = json.dumps([tree.client.application_id, discord.__version__, payload], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
