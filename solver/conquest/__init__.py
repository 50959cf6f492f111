"""Territories on a map that are to be conquered."""
