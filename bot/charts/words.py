"""Words on a picture: a text of matplotlib that Pillow measures and pastes, in a small part of the time.

Words that come again, such as numbers, are kept as pixels.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from matplotlib.colors import to_rgb
from matplotlib.font_manager import FontProperties, findfont
from matplotlib.text import Text
from matplotlib.transforms import Bbox
from PIL import Image, ImageDraw, ImageFont

from bot.charts.style import HEIGHT, WIDTH

SIMPLE = re.compile(r"[\n -˿Ͱ-ԯ‐-⯿]*")
"""Texts whose letters stand one behind another from left to right, whatever their neighbours: no marks, no Arabic."""
SPACING = 1.2
"""The usual distance of two lines, in sizes of their letters."""
SHARE = {"left": 0.0, "center": 0.5, "right": 1.0}
"""How much of a line stands left of its place, by its alignment."""


class Font(NamedTuple):
    """A font in one size, and how far its letters reach above and below their line."""

    letters: ImageFont.FreeTypeFont
    above: float
    below: float


class Words(Text):
    """A text of a picture; its place is the middle of its height, and its left end, middle or right end."""

    @property
    def is_simple(self) -> bool:
        """Whether it is measured and pasted here; all else matplotlib measures and draws."""
        return bool(SIMPLE.fullmatch(self.get_text()))

    def get_window_extent(self, renderer: Any = None, dpi: float | None = None) -> Bbox:
        """Return the box that the text fills when it is drawn."""
        if not self.is_simple:
            self._lay_into_figure()
            return super().get_window_extent(renderer, dpi)
        lines = [*self._lines()]
        left, right = min(x for x, *_ in lines), max(x + width for x, _y, width, _line in lines)
        font = self._font()
        top, bottom = lines[0][1] - font.above, lines[-1][1] + font.below
        return Bbox.from_extents(left, HEIGHT - bottom, right, HEIGHT - top)

    def draw(self, renderer: Any) -> None:
        """Draw a text that is not simple."""
        self._lay_into_figure()
        super().draw(renderer)

    def _lay_into_figure(self) -> None:
        """Give matplotlib what it asks about the place of a text that it measures or draws."""
        self.set(figure=_figure(), transform=_figure().transFigure)

    def paste(self, image: Image.Image) -> None:
        """Set the text on an image."""
        red, green, blue = (round(255 * part) for part in to_rgb(self.get_color()))
        for x, y, _width, line in self._lines():
            if line.strip():
                left, top, ink = _picture(line, *self._key())
                image.paste((red, green, blue), (round(x) + left, round(y) + top), ink)

    def _lines(self) -> Iterator[tuple[float, float, float, str]]:
        """Yield the left end, the height, the width and the words of each line."""
        x, y = self.get_position()
        lines, font = self.get_text().split("\n"), self._font()
        chosen = vars(self)["_linespacing"]  # matplotlib 3.10 tells it in no other way
        pace = self._key()[1] * (SPACING if chosen == "normal" else chosen)
        first = HEIGHT * (1 - y) - (pace * (len(lines) - 1) + font.above + font.below) / 2 + font.above
        for place, line in enumerate(lines):
            width = _width(line, *self._key())
            yield WIDTH * x - SHARE[self.get_horizontalalignment()] * width, first + place * pace, width, line

    def _key(self) -> tuple[bool, float]:
        return self.get_fontweight() == "bold", float(self.get_fontsize()) / 0.72

    def _font(self) -> Font:
        return _font(*self._key())


@lru_cache(64)
def _font(bold: bool, pixels: float) -> Font:
    file = findfont(FontProperties(weight="bold" if bold else "normal"))
    letters = ImageFont.truetype(file, pixels, layout_engine=ImageFont.Layout.BASIC)
    _left, top, _right, bottom = letters.getbbox("lp", anchor="ls")
    return Font(letters, -top, bottom)


@lru_cache(1024)
def _width(line: str, bold: bool, pixels: float) -> float:
    return _font(bold, pixels).letters.getlength(line)


@lru_cache(256)
def _picture(line: str, bold: bool, pixels: float) -> tuple[int, int, Image.Image]:
    """Return where a line begins, seen from its place, how far it reaches above it, and how much ink is where."""
    letters = _font(bold, pixels).letters
    left, top, right, bottom = map(round, letters.getbbox(line, anchor="ls"))
    image = Image.new("L", (right - left + 2, bottom - top + 2))
    ImageDraw.Draw(image).text((1 - left, 1 - top), line, fill=255, font=letters, anchor="ls")
    return left - 1, top - 1, image


@lru_cache(1)
def _figure() -> Any:
    """Return a figure of the size of a picture."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure  # loading it takes long, and few pictures have such a text

    return FigureCanvasAgg(Figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=100)).figure
