"""The canvas of a picture: an empty figure, the shapes on it, and its pixels as PNG."""

import io
from collections.abc import Iterable
from functools import lru_cache

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.transforms import IdentityTransform
from PIL import Image

from bot.charts.shapes import Shape
from bot.charts.style import ATTACKER, DEFENDER, DRAW, EDGE, GROUND, HEIGHT, INK, QUIET, WIDTH, heat_colours, rgb

# For texts that `Words` leaves to matplotlib: letters of this size look no better with hinting, which takes long.
matplotlib.rcParams["text.hinting"] = "no_hinting"


class Canvas(FigureCanvasAgg):
    """A canvas whose pixels, two megabytes of them, are those of all canvases: each picture begins with `clear`."""

    renderer: RendererAgg

    def __init__(self, figure: Figure) -> None:
        super().__init__(figure)
        self.renderer = _renderer()

    def get_renderer(self) -> RendererAgg:
        """Return the one renderer of this process."""
        return self.renderer

    def clear(self) -> None:
        """Cover all pixels with the bare ground."""
        pixels = np.asarray(self.buffer_rgba()).view(np.uint32)  # type: ignore[no-untyped-call]
        pixels[:] = np.array([*rgb(GROUND), 255], np.uint8).view(np.uint32)


@lru_cache(maxsize=1)
def _renderer() -> RendererAgg:
    return RendererAgg(WIDTH, HEIGHT, 100)  # type: ignore[no-untyped-call]


def new_figure() -> tuple[Figure, Canvas, PolyCollection]:
    """Return an empty figure, its canvas, and the collection for its shapes."""
    figure = Figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=100, facecolor=GROUND)
    canvas = Canvas(figure)
    collection = PolyCollection([], transform=IdentityTransform(), linewidths=EDGE * 0.72)
    figure.add_artist(collection)
    return figure, canvas, collection


def set_shapes(collection: PolyCollection, shapes: Iterable[Shape]) -> None:
    """Replace the shapes of a collection; each is drawn over those before it."""
    shapes = list(shapes)
    collection.set_verts([outline for outline, _, _ in shapes])
    collection.set_facecolor([face for _, face, _ in shapes])
    collection.set_edgecolor([edge for _, _, edge in shapes])


def png(canvas: FigureCanvasAgg) -> bytes:
    """Return the canvas as PNG; a fixed palette takes a third of the time and of the bytes of full colour."""
    pixels = canvas.buffer_rgba()  # type: ignore[no-untyped-call]
    image = Image.frombuffer("RGBA", (WIDTH, HEIGHT), pixels, "raw", "RGBA", 0, 1).convert("RGB")
    buffer = io.BytesIO()
    image.quantize(palette=_palette(), dither=Image.Dither.NONE).save(buffer, "PNG", compress_level=3)
    return buffer.getvalue()


@lru_cache(maxsize=1)
def _palette() -> Image.Image:
    """Return every colour of a picture, blended with the ground in steps: few enough for one byte a pixel."""
    ground = np.array(to_rgb(GROUND))
    blends = [
        ground + (np.array(to_rgb(colour)) - ground) * step / 16
        for colour in (INK, QUIET, ATTACKER, DEFENDER, DRAW)
        for step in range(17)
    ]
    palette = Image.new("P", (1, 1))
    palette.putpalette([*(round(255 * part) for blend in blends for part in blend), *heat_colours().flatten().tolist()])
    return palette
