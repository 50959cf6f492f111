"""Words of pictures that were drawn before, kept as pixels: setting letters takes longer than all else of a picture."""

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt
from cachetools import LRUCache
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

if TYPE_CHECKING:
    from bot.charts.style import Box

LONGEST, KEPT = 24, 2**22
"""Words up to this long are kept, so many bytes of them: longer ones hardly come again."""
MARGIN = 3
"""So far letters may reach beyond the room that is meant for them."""


class Drawn(NamedTuple):
    """Words as they were drawn on the bare ground, and where from the pixel of their text's place."""

    place: tuple[int, int]
    pixels: npt.NDArray[np.uint32]


class Lettering:
    """The words drawn on one canvas, which shows nothing but its ground when this is made."""

    def __init__(self, canvas: FigureCanvasAgg) -> None:
        self._canvas = canvas
        self._pixels: npt.NDArray[np.uint32] = np.asarray(canvas.buffer_rgba()).view(np.uint32)[:, :, 0]  # type: ignore[no-untyped-call]
        self._ground = self._pixels[0, 0]
        self._known: LRUCache[Hashable, Drawn] = LRUCache(KEPT, getsizeof=lambda drawn: drawn.pixels.nbytes)

    def draw(self, text: Text, extent: "Callable[[Text, FigureCanvasAgg], Box]") -> None:
        """Draw a text; short words that were drawn before, as far from a pixel's corner, are copied to the ground."""
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
            self._known[key] = Drawn((left - int(x), top + int(y)), here.copy())
