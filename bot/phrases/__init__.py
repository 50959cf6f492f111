"""Reads lines as people say them: words in, a line of the notation out, or the readings to choose from.

The words are data, one file for each language in config/words. Each word gets a tag, the tags make armies, the armies
get their sides, and all that goes into a line which the notation must read.
"""
