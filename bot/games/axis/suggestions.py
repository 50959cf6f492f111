"""Lines of Axis & Allies that say their edition, and suggestions for wrong names of editions and units."""

import re

from bot.editions import USUAL, Edition, editions
from bot.notation.defaults import NotationDefaults, current_defaults
from bot.notation.mistakes import nearest_variant, nearest_word


def nearest_edition(name: str) -> str:
    """Return the option for the edition of nearly this name; empty if none is near."""
    return nearest_variant(name, editions())


def nearest_unit(word: str, edition: Edition) -> str:
    """Return the word of an edition for the unit of nearly this name; empty if none is near."""
    return nearest_word(word, edition.words, 0.6)


def edition_with(word: str) -> str:
    """Return the edition that has a word for a unit, the best known one of several; empty if there is none."""
    return next((key for key in (USUAL, *editions()) if word in editions()[key].words), "")


def in_edition(line: str, edition: str) -> str:
    """Return a line of Axis & Allies in another edition than it is in."""
    variant = rf"variant:{edition}"
    changed, count = re.subn(r"(?<![^\s,;])variant ?[:= ] ?[a-z0-9-]+", variant, line, count=1)
    return changed if count else f"{line} {variant}"


def explicit(line: str, defaults: NotationDefaults) -> str:
    """Return a canonical line with its edition if these defaults have another and it does not say it."""
    return line if defaults.edition == USUAL or " variant:" in line else f"{line} variant:{USUAL}"


def example_here(line: str) -> str:
    """Return an example of Axis & Allies, with its edition if another is usual in this place."""
    first, between, others = line.partition(" || ")
    return line if current_defaults().edition == USUAL else f"{first} variant:{USUAL}{between}{others}"
