"""The slash commands /help and /privacy."""

from discord import app_commands

from bot.discord_app.answers import request_from, respond
from bot.discord_app.delivery import Interaction
from bot.discord_app.suggesting import suggest_for
from bot.languages import N_


@app_commands.command(name="help", description=N_("What you can ask"))
@app_commands.describe(topic=N_("A command, a game or a variant. Leave empty for an overview"))
@app_commands.autocomplete(topic=suggest_for("help", "topic"))
async def show_help(interaction: Interaction, topic: str = "") -> None:
    """Show the help."""
    await respond(interaction, request_from(interaction, "help", {"topic": topic}))


@app_commands.command(description=N_("What I store, for how long, and how to delete it"))
async def privacy(interaction: Interaction) -> None:
    """Say what is stored."""
    await respond(interaction, request_from(interaction, "privacy", {}))
