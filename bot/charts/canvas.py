"""The canvas of a picture: its texts, the shapes below them, and its pixels as PNG."""

import io
from collections.abc import Sequence
from functools import lru_cache

import matplotlib
import numpy as np
import numpy.typing as npt
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.collections import Collection
from matplotlib.colors import to_rgb
from matplotlib.path import Path
from matplotlib.transforms import IdentityTransform
from PIL import Image

from bot.charts.shapes import Shape
from bot.charts.style import ATTACKER, DEFENDER, DRAW, EDGE, GROUND, HEIGHT, INK, QUIET, WIDTH, heat_colours, rgb
from bot.charts.words import Words

# For texts that `Words` leaves to matplotlib: letters of this size look no better with hinting, which takes long.
matplotlib.rcParams["text.hinting"] = "no_hinting"


class Canvas:
    """The content of one picture.

    It has no figure of matplotlib: the code of figures takes as long to load as all else that draws.

    Attributes:
        images: Its images, each with its left and upper edge and its colours, of shape (height, width, 3).
        shapes: Its shapes, each over the images and those before it.
        texts: Its texts, over all of these.
    """

    def __init__(self) -> None:
        self.images: list[tuple[int, int, npt.NDArray[np.uint8]]] = []
        self.shapes: list[Shape] = []
        self.texts: list[Words] = []
        self._collection = Shapes(transform=IdentityTransform(), linewidths=EDGE * 0.72)

    def png(self) -> bytes:
        """Draw the picture and return it as PNG.

        A fixed palette takes a third of the time and of the bytes of full colour.
        """
        # Not kept: its two megabytes would stay in each worker, and to make them takes a hundredth of the time.
        renderer = RendererAgg(WIDTH, HEIGHT, 100)  # type: ignore[no-untyped-call]
        pixels = np.asarray(renderer.buffer_rgba())  # type: ignore[no-untyped-call]
        pixels.view(np.uint32)[:] = np.array([*rgb(GROUND), 255], np.uint8).view(np.uint32)
        for left, top, colours in self.images:
            pixels[top : top + colours.shape[0], left : left + colours.shape[1], :3] = colours
        self._collection.set_shapes(self.shapes)
        self._collection.draw(renderer)
        written = [text for text in self.texts if text.get_text()]
        for text in written:
            if not text.is_simple:
                text.draw(renderer)
        image = Image.frombytes("RGB", (WIDTH, HEIGHT), pixels, "raw", "RGBX")
        for text in written:
            if text.is_simple:
                text.paste(image)
        buffer = io.BytesIO()
        image.quantize(palette=_palette(), dither=Image.Dither.NONE).save(buffer, "PNG", compress_level=3)
        return buffer.getvalue()


class Shapes(Collection):
    """The shapes of a picture."""

    def set_shapes(self, shapes: Sequence[Shape]) -> None:
        """Replace them."""
        # The last path is empty: of a single one matplotlib asks the figure how large it is.
        closed = (Path([*outline, outline[0]], closed=True) for outline, _, _ in shapes)
        self._paths = [*closed, Path(np.empty((0, 2)))]
        self.set_facecolor([face for _, face, _ in shapes])
        self.set_edgecolor([edge for _, _, edge in shapes])


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
