"""What all pictures share: their size, colours and letters, a sheet to draw on, and how it becomes PNG.

Attacker orange, solid; defender sky blue, hollow; draws grey: told apart by every kind of colour blindness, and by
their form where there is no colour at all. Places are in pixels from the top left.
"""

import io
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count
from math import cos, pi, sin
from typing import Literal, NamedTuple

import matplotlib
import numpy as np
import numpy.typing as npt
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import IdentityTransform
from PIL import Image

from bot.charts.lettering import Lettering
from bot.languages import ENGLISH, language

# Letters of this size gain nothing from fitting them to the pixels, which would take as long as drawing them.
matplotlib.rcParams["text.hinting"] = "no_hinting"

WIDTH, HEIGHT = 800, 640
GROUND, INK, QUIET = "#1E1F22", "#F2F3F5", "#B5BAC1"
ATTACKER, DEFENDER, DRAW = "#E69F00", "#56B4E9", "#9AA0A6"
SMALL = 26
LONGEST_TITLE, LONGEST_SMALL_TITLE = 42, 52
COMMA = 6
"""So many letters farther from its middle a text is parted if a comma stands there."""
LEFT, RIGHT, EDGE = 24, 776, 3.0
APART = 14.0
"""How far from one another words on a line are at the least."""

# From the defender's blue to the attacker's yellow over the grey between them, ever brighter: it reads in grey too.
HEAT = ("#24648F", "#92999F", "#FFD65C")
HEAT_STEPS = 48

Outline = list[tuple[float, float]]
Shape = tuple[Outline, str, str]
"""An outline in picture coordinates, the colour of its face and of its edge."""
Align = Literal["left", "center", "right"]


class Box(NamedTuple):
    """A rectangle in pixels from the top left."""

    left: float
    top: float
    right: float
    bottom: float

    def touches(self, other: "Box", gap: float = 0) -> bool:
        """Whether the two overlap, or come nearer than a gap."""
        return (
            self.left < other.right + gap
            and other.left < self.right + gap
            and self.top < other.bottom + gap
            and other.top < self.bottom + gap
        )


class Sheet:
    """A figure that is drawn over and over: making one, and setting its letters, is most of the work of a picture.

    What is asked for is kept until `png` draws it: first what is painted, then the shapes, then the words.
    """

    def __init__(self) -> None:
        self.figure, self.canvas, self.shapes = new_figure()
        self.canvas.draw()  # type: ignore[no-untyped-call]
        self.ground = self.canvas.copy_from_bbox(self.figure.bbox)  # type: ignore[no-untyped-call]
        self.lettering = Lettering(self.canvas)
        self.written = 0
        self.drawn: list[Shape] = []
        self.painted: list[tuple[int, int, npt.NDArray[np.uint8]]] = []

    def clear(self) -> None:
        """Begin a new picture."""
        self.written = 0
        self.drawn = []
        self.painted = []
        for text in self.figure.texts:
            text.set_text("")

    def text(
        self,
        x: float,
        y: float,
        words: str,
        pixels: float = SMALL,
        colour: str = INK,
        weight: str = "normal",
        align: Align = "center",
    ) -> Text:
        """Write words in the middle of a line."""
        if self.written == len(self.figure.texts):
            new_text(self.figure, 0, 0, SMALL, INK)
        text = self.figure.texts[self.written]
        self.written += 1
        text.set_position((x / WIDTH, 1 - y / HEIGHT))
        text.set_text(words)
        text.set_fontsize(pixels * 0.72)
        text.set_color(colour)
        text.set_fontweight(weight)
        text.set_horizontalalignment(align)
        return text

    def title(self, words: str) -> None:
        """Write what the picture is about, on two lines where one is too short."""
        self.sentence(36, words, (32, SMALL) if len(words) <= LONGEST_TITLE else (SMALL,))

    def fitted(
        self, x: float, y: float, words: str, sizes: Iterable[float], colour: str = INK, weight: str = "normal"
    ) -> Text:
        """Write words in the largest of these sizes in which they fit on a line; in the smallest as many as fit."""
        text = self.text(x, y, words, colour=colour, weight=weight)
        for pixels in sizes:
            text.set_fontsize(pixels * 0.72)
            if self.fits(text):
                return text
        while words and not self.fits(text):
            words = words[:-1].rstrip()
            text.set_text(f"{words}…")
        return text

    def first_fitting(
        self,
        x: float,
        y: float,
        choices: Sequence[str],
        sizes: Sequence[float],
        colour: str = INK,
        weight: str = "normal",
    ) -> Text:
        """Write the first of these texts that fits in one of these sizes, the longest first; the last one is cut.

        Two lines have the smallest of the sizes.
        """
        text = self.text(x, y, "", colour=colour, weight=weight)
        for words in choices:
            text.set_text(words)
            for pixels in sizes[-1:] if "\n" in words else sizes:
                text.set_fontsize(pixels * 0.72)
                if self.fits(text):
                    return text
        self.fit(text, WIDTH - LEFT)
        return text

    def sentence(
        self, y: float, words: str, sizes: Sequence[float] = (SMALL,), colour: str = INK, weight: str = "normal"
    ) -> Text:
        """Write words in the middle, on two lines where one is too short."""
        return self.first_fitting(WIDTH / 2, y, (words, in_two_lines(words)), sizes, colour, weight)

    def fits(self, text: Text) -> bool:
        """Whether a text stays inside the margins."""
        box = self.extent(text)
        return box.left >= LEFT / 2 and box.right <= WIDTH - LEFT / 2

    def extent(self, text: Text) -> Box:
        """Where a text is, as it will be drawn."""
        return extent(text, self.canvas)

    def width(self, text: Text) -> float:
        """How wide a text is, in pixels."""
        return width(text, self.canvas)

    def fit(self, text: Text, room: float) -> None:
        """Make a text no wider than there is room for: see `fit`."""
        fit(text, room, self.canvas)

    def between(self, text: Text, left: Text | None = None, right: Text | None = None) -> None:
        """Keep a centred text between two others, or the edges of the picture: moved, and if need be made to fit."""
        between(text, left, right, self.canvas)

    def ticks(self, y: float, ticks: Iterable[tuple[float, str]]) -> None:
        """Quiet numbers along a horizontal axis; none touches another, or leaves the picture."""
        taken: list[Box] = []
        for x, words in ticks:
            text = self.text(x, y, words, colour=QUIET)
            box = self.extent(text)
            if box.left < 4 or box.right > WIDTH - 4 or any(box.touches(other, 10) for other in taken):
                text.set_text("")
            else:
                taken.append(box)

    def shape(self, outline: Outline, face: str, edge: str = "none") -> None:
        """Draw a shape over all before it."""
        self.drawn.append((outline, face, edge))

    def ring(self, x: float, y: float, radius: float) -> None:
        """Draw a ring that is seen on every colour."""
        for wider, colour in ((EDGE, GROUND), (-EDGE, GROUND), (0.0, INK)):
            self.shape(circle(x, y, radius + wider), "none", colour)

    def ringed(self, words: str, square: bool = False) -> None:
        """Write at the foot of the picture what is ringed, or framed, in it."""
        written = self.extent(self.fitted(WIDTH / 2 + 22, 606, words, (30, SMALL), weight="bold"))
        x = written.left - 30
        self.shape(box(x - 12, 618, 24, 24) if square else circle(x, 606, 12), "none", INK)

    def paint(self, left: int, top: int, colours: npt.NDArray[np.uint8]) -> None:
        """Lay an image of shape (height, width, 3) on the ground."""
        self.painted.append((left, top, colours))

    def png(self) -> bytes:
        """The picture as PNG."""
        renderer = self.canvas.get_renderer()  # type: ignore[no-untyped-call]
        self.canvas.restore_region(self.ground)  # type: ignore[no-untyped-call]
        pixels = np.asarray(self.canvas.buffer_rgba())  # type: ignore[no-untyped-call]
        for left, top, colours in self.painted:
            pixels[top : top + colours.shape[0], left : left + colours.shape[1], :3] = colours
        set_shapes(self.shapes, self.drawn)
        self.shapes.draw(renderer)
        for text in filter(Text.get_text, self.figure.texts[: self.written]):
            self.lettering.draw(text, extent)
        return png(self.canvas)


@lru_cache(maxsize=1)
def the_sheet() -> Sheet:
    """The sheet of this process."""
    return Sheet()


def new_sheet(title: str) -> Sheet:
    """The sheet of this process, with nothing on it but a title."""
    sheet = the_sheet()
    sheet.clear()
    sheet.title(title)
    return sheet


def new_figure() -> tuple[Figure, FigureCanvasAgg, PolyCollection]:
    """An empty picture, its canvas, and what will hold its shapes."""
    figure = Figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=100, facecolor=GROUND)
    canvas = FigureCanvasAgg(figure)
    shapes = PolyCollection([], transform=IdentityTransform(), linewidths=EDGE * 0.72)
    figure.add_artist(shapes)
    return figure, canvas, shapes


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
    """A text in the middle of a line."""
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
    """Where a text is, as it will be drawn."""
    box = text.get_window_extent(canvas.get_renderer())  # type: ignore[no-untyped-call]
    return Box(box.x0, HEIGHT - box.y1, box.x1, HEIGHT - box.y0)


def width(text: Text, canvas: FigureCanvasAgg) -> float:
    """How wide a text is, in pixels."""
    box = extent(text, canvas)
    return box.right - box.left


def wrapped(words: str, longest: int) -> str:
    """The same on two lines where it is longer than this; English is short, and stays on one.

    It is parted near its middle, behind a comma if there is one not far from there.
    """
    return words if language() == ENGLISH or len(words) <= longest else in_two_lines(words)


def in_two_lines(words: str) -> str:
    """Part words near their middle, where they have a space, behind a comma if there is one not far from there.

    A number stays with the word behind it, and what is in brackets stays together.
    """
    gaps = [gap for gap, letter in enumerate(words) if letter == " " and _may_part(words[:gap])]
    if not gaps:
        return words
    gap = min(gaps, key=lambda place: abs(place - len(words) / 2) - COMMA * (words[place - 1] == ","))
    return f"{words[:gap]}\n{words[gap + 1 :]}"


def _may_part(before: str) -> bool:
    return not before[-1:].isdigit() and before.count("(") == before.count(")")


def fit(text: Text, room: float, canvas: FigureCanvasAgg) -> None:
    """Make a text no wider than there is room for: by smaller letters, and where these are small, by fewer."""
    words = text.get_text()
    while words:
        box = extent(text, canvas)
        if box.right - box.left <= room:
            return
        pixels = float(text.get_fontsize()) / 0.72
        if pixels > SMALL:
            text.set_fontsize(max(pixels - 2, SMALL) * 0.72)
        else:
            words = words[:-1].rstrip()
            text.set_text(f"{words}…")


def between(text: Text, left: Text | None, right: Text | None, canvas: FigureCanvasAgg) -> None:
    """Keep a centred text between two others, or the edges of the picture: moved, and if need be made to fit."""
    if not text.get_text():
        return
    low = extent(left, canvas).right + APART if left and left.get_text() else LEFT / 2
    high = extent(right, canvas).left - APART if right and right.get_text() else WIDTH - LEFT / 2
    fit(text, high - low, canvas)
    here = extent(text, canvas)
    half = (here.right - here.left) / 2
    if here.left < low - 1 or here.right > high + 1:
        text.set_x(min(max((here.left + here.right) / 2, low + half), high - half) / WIDTH)


def set_shapes(collection: PolyCollection, shapes: Iterable[Shape]) -> None:
    """Make these the shapes that are drawn, each over those before it."""
    shapes = list(shapes)
    collection.set_verts([outline for outline, _, _ in shapes])
    collection.set_facecolor([face for _, face, _ in shapes])
    collection.set_edgecolor([edge for _, _, edge in shapes])


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Increasing places as near to those wanted as they can be with such gaps, between two ends where there is room."""
    groups: list[tuple[float, int]] = []
    for index, place in enumerate(wanted):
        middle, size = place - index * gap, 1
        while groups and groups[-1][0] > middle:
            other, count = groups.pop()
            middle, size = (middle * size + other * count) / (size + count), size + count
        groups.append((middle, size))
    starts = [min(max(middle, low), high - (len(wanted) - 1) * gap) for middle, size in groups for _ in range(size)]
    return [start + index * gap for index, start in enumerate(starts)]


def box(x: float, bottom: float, width: float, height: float) -> Outline:
    """A rectangle, given in pixels from the top left; the canvas counts from the bottom."""
    low = HEIGHT - bottom
    return [(x, low), (x + width, low), (x + width, low + height), (x, low + height)]


def hollow(x: float, bottom: float, width: float, height: float) -> Outline:
    """The middle of the edge of a rectangle that is drawn as its edge alone."""
    return box(x + EDGE / 2, bottom - EDGE / 2, max(width - EDGE, 0), max(height - EDGE, 0))


def squares(defender: int, attacker: int) -> list[Shape]:
    """Twenty squares: the attacker's battles solid from the left, the defender's hollow from the right."""
    shapes: list[Shape] = []
    for index in range(20):
        x = 43 + 36 * index
        if index >= 20 - defender:
            shapes.append((hollow(x, 241, 30, 30), GROUND, DEFENDER))
        else:
            shapes.append((box(x, 241, 30, 30), ATTACKER if index < attacker else DRAW, "none"))
    return shapes


def circle(x: float, y: float, radius: float) -> Outline:
    """A circle, near enough."""
    return [(x + radius * cos(k * pi / 16), HEIGHT - y + radius * sin(k * pi / 16)) for k in range(32)]


def line(x: float, y: float, to_x: float, to_y: float, thick: float = 2) -> Outline:
    """A straight line as an outline."""
    length = max(np.hypot(to_x - x, to_y - y), 1e-9)
    across, along = (to_y - y) / length * thick / 2, (to_x - x) / length * thick / 2
    ends = [(x - across, y + along), (to_x - across, to_y + along), (to_x + across, to_y - along)]
    return [(at, HEIGHT - down) for at, down in (*ends, (x + across, y - along))]


def round_ticks(low: int, high: int, most: int) -> list[int]:
    """At most so many round numbers from `low` to `high`, evenly spaced; at least one where `most` is three or more."""
    step = next(step for step in round_steps() if high // step - (low - 1) // step <= most)
    return list(range(-(-low // step) * step, high + 1, step))


def round_steps() -> Iterator[int]:
    """All round numbers, the least first: 1, 2, 5, 10, 20, ..."""
    return (unit * 10**power for power in count() for unit in (1, 2, 5))


def rgb(colour: str) -> npt.NDArray[np.uint8]:
    """A colour as (red, green, blue), 0 to 255."""
    parts: npt.NDArray[np.uint8] = np.rint(255 * np.array(to_rgb(colour))).astype(np.uint8)
    return parts


def heat(chances: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """The colours of chances from 0 to 1: an array of their shape and (red, green, blue)."""
    colours: npt.NDArray[np.uint8] = heat_colours()[np.rint(np.clip(chances, 0, 1) * HEAT_STEPS).astype(int)]
    return colours


@lru_cache(maxsize=1)
def heat_colours() -> npt.NDArray[np.uint8]:
    """Every colour of a heat map, from chance 0 to 1, of shape (steps + 1, 3)."""
    stops = np.array([to_rgb(colour) for colour in HEAT])
    at, known = np.linspace(0, 1, HEAT_STEPS + 1), np.linspace(0, 1, len(HEAT))
    parts = [np.interp(at, known, part) for part in stops.T]
    colours: npt.NDArray[np.uint8] = np.rint(255 * np.column_stack(parts)).astype(np.uint8)
    return colours


@lru_cache(maxsize=1)
def _palette() -> Image.Image:
    """Every colour of a picture, blended with the ground in steps: few enough for one byte a pixel."""
    ground = np.array(to_rgb(GROUND))
    blends = [
        ground + (np.array(to_rgb(colour)) - ground) * step / 16
        for colour in (INK, QUIET, ATTACKER, DEFENDER, DRAW)
        for step in range(17)
    ]
    palette = Image.new("P", (1, 1))
    palette.putpalette([*(round(255 * part) for blend in blends for part in blend), *heat_colours().flatten().tolist()])
    return palette


def png(canvas: FigureCanvasAgg) -> bytes:
    """The canvas as PNG; a fixed palette takes a third of the time and of the bytes of full colour."""
    pixels = canvas.buffer_rgba()  # type: ignore[no-untyped-call]
    image = Image.frombuffer("RGBA", (WIDTH, HEIGHT), pixels, "raw", "RGBA", 0, 1).convert("RGB")
    buffer = io.BytesIO()
    image.quantize(palette=_palette(), dither=Image.Dither.NONE).save(buffer, "PNG", compress_level=3)
    return buffer.getvalue()
