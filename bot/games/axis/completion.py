"""Autocomplete for lines of Axis & Allies: what the word being typed may become, a unit, a wave or an option."""

import re
from collections.abc import Iterator

from bot.editions import USUAL, Edition, editions
from bot.games.axis.named.openings import edition_named, place_completions
from bot.games.axis.named.presets import may_be_armies
from bot.games.axis.options import OPTIONS, WORDS
from bot.notation.asked_ends import HITS, OF_UNITS
from bot.notation.dice_options import OF_NEED
from bot.notation.lexer import VERSUS
from bot.notation.options import complete_option

DEFENDERS = ("4 inf", "2 des")
WAVES = ("then 4 arm", "then hold 4 inf", "then 2 des", "then hold 2 des")
"""Defenders on land and at sea, for lines that have none yet."""

_UNIT = re.compile(r"(?:^|(?<=[\s,;]))(\d+) ?([a-z_]*)$")
_WAVE = re.compile(r"(?:^|(?<=[\s,;]))(?:t|th|the|then(?: h| ho| hol| hold)?)$")


def army_completions(typed: str, questions: bool) -> Iterator[str]:
    """Complete the last word of a line; some of the lines, best first, may be no battles yet.

    With `questions` they may have the words that go with `/need`.
    """
    if not may_be_armies(typed) and not re.fullmatch(r"\d+ ?[a-z_]+", typed):
        return
    for line in _words(typed, questions):
        yield line
        if not re.search(rf" {VERSUS} ", f"{line} "):
            yield from (f"{line} vs {units}" for units in DEFENDERS)


def _words(typed: str, questions: bool) -> Iterator[str]:
    """Complete the last word of a line in every way there is."""
    edition = editions().get(edition_named(typed), editions()[USUAL])
    if re.search(rf" {VERSUS}$", typed):
        yield from (f"{typed} {units}" for units in DEFENDERS)
    if not _UNIT.search(typed):
        yield typed
    yield from place_completions(typed, edition.key)
    if begun := _WAVE.search(typed):
        yield from (f"{typed[: begun.start()]}{wave}" for wave in WAVES if wave.startswith(begun[0]))
    if begun := _UNIT.search(typed):
        units = (word for word in edition.short.values() if word.startswith(begun[2]))
        yield from (f"{typed[: begun.start()]}{begun[1]} {word}" for word in units)
    yield from _options(typed, edition, questions)


def _options(typed: str, edition: Edition, questions: bool) -> Iterator[str]:
    """Return lines whose last word is completed to an option; one like "dc" also to one of a side."""
    begun = typed.split()[-1]
    others = (HITS, *(OF_UNITS if questions else OF_NEED))
    words = {option.word: option for option in OPTIONS if option not in others}
    if len(begun.partition(":")[0]) > 1 and begun[0] in "ad":
        words |= {f"{begun[0]}{word}": option for word, option in WORDS.items() if option.sided}
    more = {
        "variant": editions(),
        "tech": dict.fromkeys(edition.technologies.values()),
        "least": [f"1{unit}" for unit in edition.short.values()],
    }
    return (f"{typed.removesuffix(begun)}{word}" for word in complete_option(words, begun, more))
