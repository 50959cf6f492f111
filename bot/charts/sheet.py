"""The sheet that most pictures are drawn on: it takes texts, shapes and images, and becomes PNG."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from bot.charts.canvas import Canvas
from bot.charts.shapes import Box, Outline, Shape, box, circle
from bot.charts.style import EDGE, GROUND, HEIGHT, INK, LEFT, QUIET, SMALL, WIDTH
from bot.charts.text import Align, extent, fit, in_two_lines, keep_between, new_text, width
from bot.charts.words import Words

LONGEST_TITLE = 42


class Sheet:
    """A canvas that is reused for picture after picture: new texts would take longer than the drawing.

    It collects images, shapes and texts until `png` draws them, in this order.
    """

    def __init__(self) -> None:
        self.canvas = Canvas()
        self.text_count = 0

    def clear(self) -> None:
        """Begin a new picture."""
        self.text_count = 0
        self.canvas.images, self.canvas.shapes = [], []
        for text in self.canvas.texts:
            text.set_text("")

    def write(
        self,
        x: float,
        y: float,
        words: str,
        pixels: float = SMALL,
        colour: str = INK,
        weight: str = "normal",
        align: Align = "center",
    ) -> Words:
        """Write words; `y` is the middle of their line."""
        if self.text_count == len(self.canvas.texts):
            new_text(self.canvas, 0, 0, SMALL, INK)
        text = self.canvas.texts[self.text_count]
        self.text_count += 1
        text.set_position((x / WIDTH, 1 - y / HEIGHT))
        text.set_text(words)
        text.set_fontsize(pixels * 0.72)
        text.set_color(colour)
        text.set_fontweight(weight)
        text.set_horizontalalignment(align)
        return text

    def write_line(
        self, x: float, y: float, words: str, sizes: Iterable[float], colour: str = INK, weight: str = "normal"
    ) -> Words:
        """Write words on one line in the largest of these sizes that fits; cut them if even the smallest does not."""
        text = self.write(x, y, words, colour=colour, weight=weight)
        for pixels in sizes:
            text.set_fontsize(pixels * 0.72)
            if self.fits(text):
                return text
        while words and not self.fits(text):
            words = words[:-1].rstrip()
            text.set_text(f"{words}…")
        return text

    def write_first_fitting(
        self,
        x: float,
        y: float,
        choices: Sequence[str],
        sizes: Sequence[float],
        colour: str = INK,
        weight: str = "normal",
    ) -> Words:
        """Write the first of these texts, the longest first, that fits in one of these sizes; the last one is cut.

        A text of two lines has the smallest of the sizes.
        """
        text = self.write(x, y, "", colour=colour, weight=weight)
        for words in choices:
            text.set_text(words)
            for pixels in sizes[-1:] if "\n" in words else sizes:
                text.set_fontsize(pixels * 0.72)
                if self.fits(text):
                    return text
        self.fit(text, WIDTH - LEFT)
        return text

    def write_sentence(
        self, y: float, words: str, sizes: Sequence[float] = (SMALL,), colour: str = INK, weight: str = "normal"
    ) -> Words:
        """Write words in the middle of the picture, on two lines if one is too short."""
        return self.write_first_fitting(WIDTH / 2, y, (words, in_two_lines(words)), sizes, colour, weight)

    def write_ticks(self, y: float, ticks: Iterable[tuple[float, str]]) -> None:
        """Write quiet numbers along a horizontal axis; leave out any that touches an earlier one or an edge."""
        taken: list[Box] = []
        for x, words in ticks:
            text = self.write(x, y, words, colour=QUIET)
            box = self.extent(text)
            if box.left < 4 or box.right > WIDTH - 4 or any(box.touches(other, 10) for other in taken):
                text.set_text("")
            else:
                taken.append(box)

    def write_ring_legend(self, words: str, square: bool = False) -> None:
        """Explain the ring, or the `square` frame, at the foot of the picture."""
        here = self.extent(self.write_line(WIDTH / 2 + 22, 606, words, (30, SMALL), weight="bold"))
        x = here.left - 30
        self.add_shape(box(x - 12, 618, 24, 24) if square else circle(x, 606, 12), "none", INK)

    def fits(self, text: Words) -> bool:
        """Whether a text stays inside the margins."""
        box = self.extent(text)
        return box.left >= LEFT / 2 and box.right <= WIDTH - LEFT / 2

    def extent(self, text: Words) -> Box:
        """Return the box that a text fills when it is drawn."""
        return extent(text)

    def width(self, text: Words) -> float:
        """Return the width of a text in pixels."""
        return width(text)

    def fit(self, text: Words, room: float) -> None:
        """Make a text no wider than `room` pixels: see `fit`."""
        fit(text, room)

    def wrap(self, text: Words, room: float) -> None:
        """Break a text into two lines if one is too wide, and make it fit."""
        if self.width(text) > room:
            text.set_text(in_two_lines(text.get_text()))
        self.fit(text, room)

    def keep_between(self, text: Words, left: Words | None = None, right: Words | None = None) -> None:
        """Move a centred text between two others, or the edges of the picture: see `keep_between`."""
        keep_between(text, left, right)

    def add_shape(self, outline: Outline, face: str, edge: str = "none") -> None:
        """Draw a shape over all earlier ones."""
        self.canvas.shapes.append((outline, face, edge))

    def add_shapes(self, shapes: Iterable[Shape]) -> None:
        """Draw shapes over all earlier ones."""
        self.canvas.shapes.extend(shapes)

    def add_ring(self, x: float, y: float, radius: float) -> None:
        """Draw a ring that is visible on every colour."""
        for wider, colour in ((EDGE, GROUND), (-EDGE, GROUND), (0.0, INK)):
            self.add_shape(circle(x, y, radius + wider), "none", colour)

    def add_image(self, left: int, top: int, colours: npt.NDArray[np.uint8]) -> None:
        """Lay an image of shape (height, width, 3) on the ground."""
        self.canvas.images.append((left, top, colours))

    def png(self) -> bytes:
        """Draw the picture and return it as PNG."""
        return self.canvas.png()


@lru_cache(maxsize=1)
def the_sheet() -> Sheet:
    """Return the one sheet of this process."""
    return Sheet()


def new_sheet(title: str) -> Sheet:
    """Clear the sheet of this process, write a title on it, on two lines if need be, and return it."""
    sheet = the_sheet()
    sheet.clear()
    sheet.write_sentence(36, title, (32, SMALL) if len(title) <= LONGEST_TITLE else (SMALL,))
    return sheet
