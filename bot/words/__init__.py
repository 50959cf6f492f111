"""Numbers, chances and tables in words, for every game."""
