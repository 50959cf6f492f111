"""The ways to install the host's application: for servers and for people; says which are on, and switches both on."""

import aiohttp
import discord
from discord.http import Route

from bot.errors import UserError
from bot.settings import Settings

SERVER_SCOPES, PERSON_SCOPES = ["bot", "applications.commands"], ["applications.commands"]
PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    attach_files=True,
    read_message_history=True,
)
"""What the link to add the bot asks for; docs/hosting.md explains each."""


def install_lines(application: discord.AppInfo) -> list[str]:
    """Return lines for the log: the link that adds the bot to a server, and which ways to install it are on."""
    link = discord.utils.oauth_url(application.id, permissions=PERMISSIONS, scopes=SERVER_SCOPES)
    ways = {
        "servers": application.guild_integration_config is not None,
        "people": application.user_integration_config is not None,
    }
    off = [way for way, is_on in ways.items() if not is_on]
    if not off:
        told = "both ways to install it are on, for servers and for people"
    else:
        what = f"installing it is off for {off[0]}" if len(off) == 1 else "Discord names no way to install it"
        told = f"{what}: `sandtable register --installs` switches both ways on"
    return [f"the link to add the bot to a server, with the scopes {' and '.join(SERVER_SCOPES)}: {link}", told]


async def set_installs(client: discord.Client) -> None:
    """Switch both ways to install the application on, with a client that is logged in; change nothing else of it."""
    assert client.application is not None, "a client that is logged in knows its application"
    await client.application.edit(
        guild_install_scopes=SERVER_SCOPES,
        guild_install_permissions=PERMISSIONS,
        user_install_scopes=PERSON_SCOPES,
    )


async def register_installs(settings: Settings) -> None:
    """Log in, switch both ways to install the application on, and log out; UserError if Discord refuses."""
    if not settings.bare_token:
        raise UserError("There is no token. Put the bot's token from Discord's developer portal in SANDTABLE_TOKEN.")
    Route.BASE = settings.api
    try:
        async with discord.Client(intents=discord.Intents.none()) as client:
            await client.login(settings.bare_token)
            await set_installs(client)
    except discord.LoginFailure:
        raise UserError("Discord does not accept the token in SANDTABLE_TOKEN.") from None
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        raise UserError(f"Discord at {settings.api} does not set the ways to install: {error}.") from None
