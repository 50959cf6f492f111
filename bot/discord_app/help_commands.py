"""The slash commands /help and /privacy, which need no suggestions."""

from typing import Any

from discord import app_commands

from bot.commands.guide import topics
from bot.discord_app.answers import request_from, respond
from bot.discord_app.delivery import Interaction
from bot.games.base import Rooms
from bot.languages import N_


def help_command(rooms: Rooms) -> app_commands.Command[Any, ..., Any]:
    """Return /help, with a topic for each screen of these games."""

    @app_commands.command(name="help", description=N_("What you can ask"))
    @app_commands.describe(topic=N_("Leave empty for an overview"))
    @app_commands.choices(topic=[app_commands.Choice(name=topic, value=topic) for topic in topics(rooms)])
    async def show_help(interaction: Interaction, topic: str = "") -> None:
        """Show the help."""
        await respond(interaction, request_from(interaction, "help", {"topic": topic}))

    return show_help


@app_commands.command(description=N_("What I store, for how long, and how to delete it"))
async def privacy(interaction: Interaction) -> None:
    """Say what is stored."""
    await respond(interaction, request_from(interaction, "privacy", {}))
