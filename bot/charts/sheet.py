"""The sheet that most pictures are drawn on: it takes texts, shapes and images, and becomes PNG."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from PIL import Image

from bot.charts.canvas import draw_shapes, new_canvas, png
from bot.charts.shapes import Box, Outline, Shape, box, circle
from bot.charts.style import EDGE, GROUND, INK, LEFT, QUIET, SMALL, WIDTH
from bot.charts.text import fit, in_two_lines, keep_between, width
from bot.charts.words import Align, Text

LONGEST_TITLE = 42


class Sheet:
    """Collects images, shapes and texts until `png` draws them, in this order."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Begin a new picture."""
        self.texts: list[Text] = []
        self.shapes: list[Shape] = []
        self.images: list[tuple[int, int, npt.NDArray[np.uint8]]] = []

    def write(
        self,
        x: float,
        y: float,
        words: str,
        pixels: float = SMALL,
        colour: str = INK,
        weight: str = "normal",
        align: Align = "center",
    ) -> Text:
        """Write words; `y` is the middle of their line."""
        text = Text(x, y, words, pixels, colour, weight, align)
        self.texts.append(text)
        return text

    def write_line(
        self, x: float, y: float, words: str, sizes: Iterable[float], colour: str = INK, weight: str = "normal"
    ) -> Text:
        """Write words on one line in the largest of these sizes that fits; cut them if even the smallest does not."""
        text = self.write(x, y, words, colour=colour, weight=weight)
        for pixels in sizes:
            text.pixels = pixels
            if self.fits(text):
                return text
        while words and not self.fits(text):
            words = words[:-1].rstrip()
            text.words = f"{words}…"
        return text

    def write_first_fitting(
        self,
        x: float,
        y: float,
        choices: Sequence[str],
        sizes: Sequence[float],
        colour: str = INK,
        weight: str = "normal",
    ) -> Text:
        """Write the first of these texts, the longest first, that fits in one of these sizes; the last one is cut.

        A text of two lines has the smallest of the sizes.
        """
        text = self.write(x, y, "", colour=colour, weight=weight)
        for words in choices:
            text.words = words
            for pixels in sizes[-1:] if "\n" in words else sizes:
                text.pixels = pixels
                if self.fits(text):
                    return text
        self.fit(text, WIDTH - LEFT)
        return text

    def write_sentence(
        self, y: float, words: str, sizes: Sequence[float] = (SMALL,), colour: str = INK, weight: str = "normal"
    ) -> Text:
        """Write words in the middle of the picture, on two lines if one is too short."""
        return self.write_first_fitting(WIDTH / 2, y, (words, in_two_lines(words)), sizes, colour, weight)

    def write_ticks(self, y: float, ticks: Iterable[tuple[float, str]]) -> None:
        """Write quiet numbers along a horizontal axis; leave out any that touches an earlier one or an edge."""
        taken: list[Box] = []
        for x, words in ticks:
            text = self.write(x, y, words, colour=QUIET)
            box = self.extent(text)
            if box.left < 4 or box.right > WIDTH - 4 or any(box.touches(other, 10) for other in taken):
                text.words = ""
            else:
                taken.append(box)

    def write_ring_legend(self, words: str, square: bool = False) -> None:
        """Explain the ring, or the `square` frame, at the foot of the picture."""
        here = self.extent(self.write_line(WIDTH / 2 + 22, 606, words, (30, SMALL), weight="bold"))
        x = here.left - 30
        self.add_shape(box(x - 12, 618, 24, 24) if square else circle(x, 606, 12), "none", INK)

    def fits(self, text: Text) -> bool:
        """Whether a text stays inside the margins."""
        box = self.extent(text)
        return box.left >= LEFT / 2 and box.right <= WIDTH - LEFT / 2

    def extent(self, text: Text) -> Box:
        """Return the box that a text fills when it is drawn."""
        return text.extent()

    def width(self, text: Text) -> float:
        """Return the width of a text in pixels."""
        return width(text)

    def fit(self, text: Text, room: float) -> None:
        """Make a text no wider than `room` pixels: see `fit`."""
        fit(text, room)

    def wrap(self, text: Text, room: float) -> None:
        """Break a text into two lines if one is too wide, and make it fit."""
        if self.width(text) > room:
            text.words = in_two_lines(text.words)
        self.fit(text, room)

    def keep_between(self, text: Text, left: Text | None = None, right: Text | None = None) -> None:
        """Move a centred text between two others, or the edges of the picture: see `keep_between`."""
        keep_between(text, left, right)

    def add_shape(self, outline: Outline, face: str, edge: str = "none") -> None:
        """Draw a shape over all earlier ones."""
        self.shapes.append((outline, face, edge))

    def add_shapes(self, shapes: Iterable[Shape]) -> None:
        """Draw shapes over all earlier ones."""
        self.shapes.extend(shapes)

    def add_ring(self, x: float, y: float, radius: float) -> None:
        """Draw a ring that is visible on every colour."""
        for wider, colour in ((EDGE, GROUND), (-EDGE, GROUND), (0.0, INK)):
            self.add_shape(circle(x, y, radius + wider), "none", colour)

    def add_image(self, left: int, top: int, colours: npt.NDArray[np.uint8]) -> None:
        """Lay an image of shape (height, width, 3) on the ground."""
        self.images.append((left, top, colours))

    def png(self) -> bytes:
        """Draw the picture and return it as PNG."""
        canvas = new_canvas()
        for left, top, colours in self.images:
            canvas.paste(Image.fromarray(colours), (left, top))
        draw_shapes(canvas, self.shapes)
        for text in self.texts:
            text.draw(canvas)
        return png(canvas)


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
