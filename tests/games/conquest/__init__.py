"""Tests of conquests in the bot."""
