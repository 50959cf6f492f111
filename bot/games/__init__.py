"""The games: each folder has all that the bot knows of one family of battles."""
