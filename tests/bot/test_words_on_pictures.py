"""Words on pictures stand where matplotlib would set them, which takes ten times as long."""

from io import BytesIO
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from bot.charts.canvas import Canvas
from bot.charts.style import HEIGHT, INK, WIDTH
from bot.charts.words import Words
from tests.helpers.cases import each


def pasted(**look: Any) -> tuple[Any, npt.NDArray[np.intp]]:
    """The extent of a text of a picture, and the first and last row and column with ink."""
    canvas = Canvas()
    bare = pixels_of(canvas.png())
    text = Words(va="center", color=INK, parse_math=False)
    text.set(**look)
    canvas.texts.append(text)
    return text.get_window_extent(), ends_of_ink(pixels_of(canvas.png()) != bare)


def drawn(**look: Any) -> tuple[Any, npt.NDArray[np.intp]]:
    """The same of a text that matplotlib draws."""
    canvas = FigureCanvasAgg(Figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=100))
    renderer: Any = canvas.get_renderer()  # type: ignore[no-untyped-call]
    text = canvas.figure.text(0, 0, "", va="center", color=INK, parse_math=False)
    text.set(**look)
    bare = np.asarray(renderer.buffer_rgba()).copy()
    text.draw(renderer)
    return text.get_window_extent(), ends_of_ink(np.asarray(renderer.buffer_rgba()) != bare)


def pixels_of(png: bytes) -> npt.NDArray[np.uint8]:
    """The colours of a picture."""
    return np.asarray(Image.open(BytesIO(png)).convert("RGB"))


def ends_of_ink(changed: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
    """The first and last row and column with a changed pixel."""
    ink = np.argwhere(changed.any(axis=2))
    return np.concatenate([ink.min(axis=0), ink.max(axis=0)])


@each(
    [
        ("79.0%", 64, "bold", "center"),
        ("attackers left", 26, "normal", "left"),
        ("обороняющийся держится", 30, "normal", "right"),
        ("8 battles in 10 end between\n3 defenders and 9 attackers left", 28, "bold", "center"),
        ("سلام против 9", 32, "normal", "center"),
    ]
)
def test_words_stand_where_matplotlib_sets_them(words: str, pixels: float, weight: str, align: str) -> None:
    look = {"text": words, "fontsize": pixels * 0.72, "weight": weight, "ha": align, "position": (0.5, 0.4)}
    (box, ink), (usual, usual_ink) = pasted(**look), drawn(**look)
    assert np.abs(ink - usual_ink).max() <= 2 + 0.01 * box.width
    assert abs(box.width - usual.width) <= 2 + 0.01 * box.width
    top, left, bottom, right = ink
    assert box.x0 - 1 <= left <= right <= box.x1 + 1
    accent = pixels / 6  # the box of a line is the same whatever its letters
    assert HEIGHT - box.y1 - accent <= top <= bottom <= HEIGHT - box.y0 + accent


def test_what_leaves_the_picture_is_left_out() -> None:
    look = {"text": "attackers", "fontsize": 60, "ha": "center"}
    for place in ((0, 0), (1, 1)):
        _box, (top, left, bottom, right) = pasted(**look, position=place)
        assert (top == 0) == (place == (1, 1))
        assert (left == 0) == (place == (0, 0))
        assert bottom < HEIGHT
        assert right < WIDTH
