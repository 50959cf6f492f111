"""Sandtable's bot: battle odds as people ask for them, in a Discord chat and in a terminal."""
