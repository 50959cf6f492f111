"""Battles with dice: classic Risk, Star Wars Risk and icon dice."""
