"""Words on a picture: a text, where it stands, and how it is drawn.

Words that come again, such as numbers, are kept as ink.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from PIL import Image, ImageFont

from bot.charts.shapes import Box
from bot.charts.style import INK, SMALL

FONTS = Path(__file__).parent / "fonts"
SIMPLE = re.compile(r"[\n -˿Ͱ-ԯ‐-⯿]*")
"""Texts whose letters stand one behind another from left to right, whatever their neighbours: no marks, no Arabic."""
SPACING = 1.2
"""The usual distance of two lines, in sizes of their letters."""
SHARE = {"left": 0.0, "center": 0.5, "right": 1.0}
"""How much of a line stands left of its place, by its alignment."""
NO_LETTER = "\uffff"

Align = Literal["left", "center", "right"]


class Font(NamedTuple):
    """A font in one size, and how far its letters reach above and below their line."""

    letters: ImageFont.FreeTypeFont
    above: float
    below: float


@dataclass(eq=False)
class Text:
    """A text of a picture.

    Attributes:
        x: Its left end, middle or right end, in pixels from the left.
        y: The middle of its height, in pixels from the top.
        words: Its words.
        pixels: The size of its letters.
        colour: Its colour.
        weight: "normal" or "bold".
        align: What `x` is.
        spacing: The distance of two lines, in sizes of their letters.
    """

    x: float
    y: float
    words: str = ""
    pixels: float = SMALL
    colour: str = INK
    weight: str = "normal"
    align: Align = "center"
    spacing: float = SPACING

    def extent(self) -> Box:
        """Return the box that the text fills when it is drawn."""
        lines, font = [*self._lines()], _font(*self._key)
        left, right = min(x for x, *_ in lines), max(x + width for x, _y, width, _line in lines)
        return Box(left, lines[0][1] - font.above, right, lines[-1][1] + font.below)

    def draw(self, canvas: Image.Image) -> None:
        """Draw the text on a picture."""
        for x, y, _width, line in self._lines():
            if line.strip():
                left, top, ink = _ink(line, *self._key)
                canvas.paste(self.colour, (round(x) + left, round(y) + top), ink)

    def _lines(self) -> Iterator[tuple[float, float, float, str]]:
        """Yield the left end, the height, the width and the words of each line."""
        lines, font = self.words.split("\n"), _font(*self._key)
        pace = self.pixels * self.spacing
        first = self.y - (pace * (len(lines) - 1) + font.above + font.below) / 2 + font.above
        for place, line in enumerate(lines):
            width = _width(line, *self._key)
            yield self.x - SHARE[self.align] * width, first + place * pace, width, line

    @property
    def _key(self) -> tuple[bool, float]:
        return self.weight == "bold", self.pixels


def printable(title: str) -> str:
    """Return a title without letters that the font lacks, such as emoji; the message has them all."""
    letters = _font(False, SMALL).letters
    none = bytes(letters.getmask(NO_LETTER))
    return "".join(letter for letter in title if bytes(letters.getmask(letter)) != none).strip()


@lru_cache(64)
def _font(bold: bool, pixels: float, simple: bool = True) -> Font:
    engine = ImageFont.Layout.BASIC if simple else ImageFont.Layout.RAQM
    letters = ImageFont.truetype(FONTS / f"DejaVuSans{'-Bold' * bold}.ttf", pixels, layout_engine=engine)
    _left, top, _right, bottom = letters.getbbox("lp", anchor="ls")
    return Font(letters, -top, bottom)


def _letters(line: str, bold: bool, pixels: float) -> ImageFont.FreeTypeFont:
    """Return the font for a line: letters that join or carry marks are set more slowly, where Pillow can do that."""
    return _font(bold, pixels, SIMPLE.fullmatch(line) is not None).letters


@lru_cache(1024)
def _width(line: str, bold: bool, pixels: float) -> float:
    return _letters(line, bold, pixels).getlength(line)


@lru_cache(256)
def _ink(line: str, bold: bool, pixels: float) -> tuple[int, int, Image.Image]:
    """Return where the ink of a line begins, seen from its place, and how much of it is where."""
    core: Any
    core, (left, top) = _letters(line, bold, pixels).getmask2(line, mode="L", anchor="ls")
    ink = Image.new("L", core.size)
    ink.im = core
    return left, top, ink
