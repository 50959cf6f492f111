"""The only room that knows discord.py: it turns interactions into requests and replies into messages."""

from bot.discord_app.client import serve

__all__ = ["serve"]
