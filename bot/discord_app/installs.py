"""The ways to install the host's application: for servers and for people; says which are on, and switches both on."""

import discord

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
