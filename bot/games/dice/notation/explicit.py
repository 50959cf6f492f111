"""Canonical lines of battles with dice that say what the defaults of a place would change."""

import re

from bot.games.dice.notation.building import OWN_GAME
from bot.games.dice.notation.writing import usual_rules
from bot.notation.defaults import NotationDefaults
from bot.notation.lexer import CLASSIC


def explicit(line: str, defaults: NotationDefaults) -> str:
    """Return the line of a battle or a path with the game, and with nobody who stays behind, if defaults differ."""
    head, step, legs = line.partition(" > ")
    words = {word.partition(":")[0] for word in line.split()}
    if defaults.game != CLASSIC and "variant:" not in head and not words & OWN_GAME:
        head += f" variant:{CLASSIC}"
    line = f"{head}{step}{legs}"
    counted = defaults.behind and "behind" not in words and not _has_icons(line, words)
    return f"{line} behind:0" if counted else line


def _has_icons(line: str, words: set[str]) -> bool:
    """Tell whether somebody rolls icon dice."""
    packs = re.findall(r" variant:(\S+)", line)
    return any(word.endswith("icons") for word in words) or any(usual_rules(pack).faces for pack in packs)
