"""Sandtable on Discord: turns interactions into requests and replies into messages; only this room uses discord.py."""

from bot.discord_app.client import serve

__all__ = ["serve"]
