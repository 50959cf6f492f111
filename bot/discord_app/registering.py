"""Registers the commands at Discord, with descriptions in each language, the ways to install the bot, and its dice.

That happens when the bot starts, if the commands have changed, or for `sandtable register`.
"""

import hashlib
import json
import logging

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation, TranslationContextTypes

from bot.discord_app.emoji import upload_dice
from bot.discord_app.open_answers import AnsweringClient
from bot.discord_app.starting import error_for, prepare
from bot.discord_app.tree import make_tree
from bot.errors import UserError
from bot.languages import ENGLISH, _, language_for_locale, speaking
from bot.live.dice import PICTURED
from bot.request import Services
from bot.rooms import ROOMS
from bot.settings import Settings
from bot.store.database import open_store
from bot.work.engine import Engine

log = logging.getLogger(__name__)

Tree = app_commands.CommandTree[AnsweringClient]

DIGEST = "commands"
"""The name of the fact that remembers which commands Discord has."""
TRANSLATED = (
    TranslationContextLocation.command_description,
    TranslationContextLocation.group_description,
    TranslationContextLocation.parameter_description,
)
SERVER_SCOPES, PERSON_SCOPES = ["bot", "applications.commands"], ["applications.commands"]
PERMISSIONS = discord.Permissions(
    view_channel=True, send_messages=True, send_messages_in_threads=True, attach_files=True, read_message_history=True
)
"""The permissions that the link to add the bot asks for; docs/hosting.md explains each."""


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


async def register(settings: Settings, installs: bool = False, emoji: bool = False) -> int:
    """Send the commands to Discord in any case, and return 0; UserError if Discord does not take them.

    With `installs` it also switches on both ways to install the application, with `emoji` it uploads the dice.
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
            uploaded = await upload_dice(client) if emoji else 0
        except discord.LoginFailure as error:
            raise error_for(error, settings) from None
        except discord.HTTPException as error:
            raise UserError(f"Discord does not take the commands, the ways to install or the dice: {error}.") from None
        except Exception as error:
            raise error_for(error, settings) from None
        finally:
            await client.close()
    print(f"Discord has all {len(there)} commands.")
    if installs:
        print("The bot can now be installed on servers and for people.")
    if emoji:
        print(f"Discord has all {len(PICTURED)} dice as emoji; {uploaded} of them are new.")
    return 0


async def _digest(tree: Tree) -> str:
    """Return the digest of all commands of a tree, and have their descriptions translated."""
    translator = Descriptions()
    await tree.set_translator(translator)
    payload = [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]
    text = json.dumps([tree.client.application_id, discord.__version__, payload], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


class Descriptions(app_commands.Translator):
    """Translates descriptions. The names of commands stay English, so people can tell one another what to type."""

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: TranslationContextTypes
    ) -> str | None:
        """Return a description in the language of a locale; None for English or without a translation."""
        spoken = language_for_locale(locale.value)
        if spoken == ENGLISH or context.location not in TRANSLATED:
            return None
        with speaking(spoken):
            translation = str(_(string.message))
        return translation if translation != string.message else None


def install_lines(application: discord.AppInfo) -> list[str]:
    """Return lines for the log: the link that adds the bot to a server, and which ways to install it are on."""
    link = discord.utils.oauth_url(application.id, permissions=PERMISSIONS, scopes=SERVER_SCOPES)
    ways = {
        "servers": application.guild_integration_config is not None,
        "people": application.user_integration_config is not None,
    }
    off = [way for way, is_on in ways.items() if not is_on]
    if not off:
        said = "both ways to install it are on, for servers and for people"
    else:
        what = f"installing it is off for {off[0]}" if len(off) == 1 else "Discord names no way to install it"
        said = f"{what}: `sandtable register --installs` switches both ways on"
    return [f"the link to add the bot to a server, with the scopes {' and '.join(SERVER_SCOPES)}: {link}", said]


async def set_installs(client: discord.Client) -> None:
    """Switch both ways to install the application on, with a client that is logged in; change nothing else of it."""
    assert client.application is not None, "a client that is logged in knows its application"
    await client.application.edit(
        guild_install_scopes=SERVER_SCOPES, guild_install_permissions=PERMISSIONS, user_install_scopes=PERSON_SCOPES
    )
