"""A cache of short words as pixels: to set their letters again would take longer than all else of a picture."""

from collections.abc import Hashable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from cachetools import LRUCache
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from bot.charts.text import extent

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
