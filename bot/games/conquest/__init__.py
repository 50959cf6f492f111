"""Conquests: territories of a map that are to be taken in one turn."""
