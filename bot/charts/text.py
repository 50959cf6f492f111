"""Texts on a picture: make one, measure it, and make it fit."""

import re
from typing import Literal

from bot.charts.canvas import Canvas
from bot.charts.shapes import Box
from bot.charts.style import APART, HEIGHT, LEFT, SMALL, WIDTH
from bot.charts.words import Words

COMMA = 6
"""A line break behind a comma may be so many letters farther from the middle than a break elsewhere."""

SHORT_WORD = re.compile(r"[^\W\d_]{1,2}")

Align = Literal["left", "center", "right"]


def new_text(
    canvas: Canvas,
    x: float,
    y: float,
    pixels: float,
    colour: str,
    weight: str = "normal",
    words: str = "",
    align: Align = "center",
) -> Words:
    """Add a text to a canvas; `y` is the middle of its line."""
    text = Words(x / WIDTH, 1 - y / HEIGHT, words, va="center", ha=align, parse_math=False)
    text.set(fontsize=pixels * 0.72, color=colour, weight=weight)
    canvas.texts.append(text)
    return text


def extent(text: Words) -> Box:
    """Return the box that a text fills when it is drawn."""
    box = text.get_window_extent()
    return Box(box.x0, HEIGHT - box.y1, box.x1, HEIGHT - box.y0)


def width(text: Words) -> float:
    """Return the width of a text in pixels."""
    box = extent(text)
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


def fit(text: Words, room: float) -> None:
    """Make a text no wider than `room` pixels: first by smaller letters, then by fewer."""
    words = text.get_text()
    while words:
        if width(text) <= room:
            return
        pixels = float(text.get_fontsize()) / 0.72
        if pixels > SMALL:
            text.set_fontsize(max(pixels - 2, SMALL) * 0.72)
        else:
            words = words[:-1].rstrip()
            text.set_text(f"{words}…")


def keep_between(text: Words, left: Words | None = None, right: Words | None = None) -> None:
    """Move a centred text between two others, or the edges of the picture; make it fit if there is too little room."""
    if not text.get_text():
        return
    low = extent(left).right + APART if left and left.get_text() else LEFT / 2
    high = extent(right).left - APART if right and right.get_text() else WIDTH - LEFT / 2
    fit(text, high - low)
    here = extent(text)
    half = (here.right - here.left) / 2
    if here.left < low - 1 or here.right > high + 1:
        text.set_x(min(max((here.left + here.right) / 2, low + half), high - half) / WIDTH)
