"""Texts on a picture: make one, measure it, make it fit, and keep the pixels of short words.

To set the letters of words again would take longer than all else of a picture.
"""

import re
from collections.abc import Hashable
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from cachetools import LRUCache
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from bot.charts.shapes import Box
from bot.charts.style import APART, HEIGHT, LEFT, SMALL, WIDTH

COMMA = 6
"""A line break behind a comma may be so many letters farther from the middle than a break elsewhere."""

SHORT_WORD = re.compile(r"[^\W\d_]{1,2}")

Align = Literal["left", "center", "right"]


def new_text(
    figure: Figure,
    x: float,
    y: float,
    pixels: float,
    colour: str,
    weight: str = "normal",
    words: str = "",
    align: Align = "center",
) -> Text:
    """Add a text to a figure; `y` is the middle of its line."""
    return figure.text(
        x / WIDTH,
        1 - y / HEIGHT,
        words,
        fontsize=pixels * 0.72,
        color=colour,
        weight=weight,
        ha=align,
        va="center",
        parse_math=False,
    )


def extent(text: Text, canvas: FigureCanvasAgg) -> Box:
    """Return the box that a text fills when it is drawn."""
    box = text.get_window_extent(canvas.get_renderer())  # type: ignore[no-untyped-call]
    return Box(box.x0, HEIGHT - box.y1, box.x1, HEIGHT - box.y0)


def width(text: Text, canvas: FigureCanvasAgg) -> float:
    """Return the width of a text in pixels."""
    box = extent(text, canvas)
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


def fit(text: Text, room: float, canvas: FigureCanvasAgg) -> None:
    """Make a text no wider than `room` pixels: first by smaller letters, then by fewer."""
    words = text.get_text()
    while words:
        if width(text, canvas) <= room:
            return
        pixels = float(text.get_fontsize()) / 0.72
        if pixels > SMALL:
            text.set_fontsize(max(pixels - 2, SMALL) * 0.72)
        else:
            words = words[:-1].rstrip()
            text.set_text(f"{words}…")


def keep_between(text: Text, left: Text | None, right: Text | None, canvas: FigureCanvasAgg) -> None:
    """Move a centred text between two others, or the edges of the picture; make it fit if there is too little room."""
    if not text.get_text():
        return
    low = extent(left, canvas).right + APART if left and left.get_text() else LEFT / 2
    high = extent(right, canvas).left - APART if right and right.get_text() else WIDTH - LEFT / 2
    fit(text, high - low, canvas)
    here = extent(text, canvas)
    half = (here.right - here.left) / 2
    if here.left < low - 1 or here.right > high + 1:
        text.set_x(min(max((here.left + here.right) / 2, low + half), high - half) / WIDTH)


LONGEST, MOST_BYTES = 24, 2**21
"""The cache keeps words of up to this many letters, as longer ones hardly come again, and so many bytes of them."""
MARGIN = 3
"""Letters may reach so many pixels beyond the extent of their text."""


class WordImage(NamedTuple):
    """Words on the bare ground as pixels; `place` is their top left corner, counted from the pixel of their text."""

    place: tuple[int, int]
    pixels: npt.NDArray[np.uint32]


class Lettering:
    """The words of one canvas, which must be empty when its lettering is made."""

    def __init__(self, canvas: FigureCanvasAgg) -> None:
        self._canvas = canvas
        self._pixels: npt.NDArray[np.uint32] = np.asarray(canvas.buffer_rgba()).view(np.uint32)[:, :, 0]  # type: ignore[no-untyped-call]
        self._ground = self._pixels[0, 0]
        self._known: LRUCache[Hashable, WordImage] = LRUCache(MOST_BYTES, getsizeof=lambda image: image.pixels.nbytes)

    def draw(self, text: Text) -> None:
        """Draw a text, or copy its pixels if the cache has them and the ground is bare.

        Pixels are reused only at the same distance from a pixel's corner.
        """
        rows, columns = self._pixels.shape
        x, y = text.get_position()
        x, y = x * columns, y * rows
        look = text.get_fontsize(), text.get_color(), text.get_fontweight(), text.get_horizontalalignment()
        key = text.get_text(), look, x % 1, y % 1
        known = self._known.get(key)
        if known is None:
            box = extent(text, self._canvas)
            left, top = int(box.left) - MARGIN - int(x), int(box.top) - MARGIN + int(y)
            width, height = (int(size) + 2 * MARGIN + 2 for size in (box.right - box.left, box.bottom - box.top))
        else:
            (left, top), (height, width) = known.place, known.pixels.shape
        left, top = left + int(x), top - int(y)
        inside = 0 <= left <= columns - width and 0 <= top <= rows - height
        here = self._pixels[top : top + height, left : left + width] if inside else self._pixels[:0]
        bare = inside and len(text.get_text()) <= LONGEST and bool((here == self._ground).all())
        if bare and known:
            here[:] = known.pixels
            return
        text.draw(self._canvas.get_renderer())  # type: ignore[no-untyped-call]
        if bare:
            self._known[key] = WordImage((left - int(x), top + int(y)), here.copy())
