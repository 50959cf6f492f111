"""Texts on a picture: measure one, and make it fit."""

import re

from bot.charts.style import APART, LEFT, SMALL, WIDTH
from bot.charts.words import Text

COMMA = 6
"""A line break behind a comma may be so many letters farther from the middle than a break elsewhere."""

SHORT_WORD = re.compile(r"[^\W\d_]{1,2}")


def width(text: Text) -> float:
    """Return the width of a text in pixels."""
    box = text.extent()
    return box.right - box.left


def in_two_lines(words: str) -> str:
    """Break words at the space nearest to their middle; a space behind a comma may be a little farther from it.

    A number and a short word, such as "of", stay with the word behind them, and words in brackets stay together.
    """
    gaps = [gap for gap, letter in enumerate(words) if letter == " " and _may_break(words[:gap])]
    if not gaps:
        return words
    gap = min(gaps, key=lambda place: abs(place - len(words) / 2) - COMMA * (words[place - 1] == ","))
    return f"{words[:gap]}\n{words[gap + 1 :]}"


def _may_break(before: str) -> bool:
    """Whether a line may break behind these words."""
    last = before.rpartition(" ")[2]
    return not last[-1:].isdigit() and not SHORT_WORD.fullmatch(last) and before.count("(") == before.count(")")


def fit(text: Text, room: float) -> None:
    """Make a text no wider than `room` pixels: first by smaller letters, then by fewer."""
    words = text.words
    while words:
        if width(text) <= room:
            return
        if text.pixels > SMALL:
            text.pixels = max(text.pixels - 2, SMALL)
        else:
            words = words[:-1].rstrip()
            text.words = f"{words}…"


def keep_between(text: Text, left: Text | None = None, right: Text | None = None) -> None:
    """Move a centred text between two others, or the edges of the picture; make it fit if there is too little room."""
    if not text.words:
        return
    low = left.extent().right + APART if left and left.words else LEFT / 2
    high = right.extent().left - APART if right and right.words else WIDTH - LEFT / 2
    fit(text, high - low)
    here = text.extent()
    half = (here.right - here.left) / 2
    if here.left < low - 1 or here.right > high + 1:
        text.x = min(max((here.left + here.right) / 2, low + half), high - half)
