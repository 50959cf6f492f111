"""The canvas of a picture: bare ground, shapes and words on it, and its pixels as PNG."""

import io
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from math import floor
from operator import itemgetter

from PIL import Image, ImageDraw

from bot.charts.ink import Numbers, ink_of, sides_of, sides_of_edge
from bot.charts.shapes import Outline, Shape
from bot.charts.style import ATTACKER, DEFENDER, DRAW, EDGE, GROUND, HEIGHT, INK, QUIET, WIDTH, heat_colours, rgb

NONE = "none"
"""The colour of a face or an edge that is not there."""
HALF = 0.5 + 1e-6
"""Added before a place is rounded down: what is half a pixel apart from a whole one stays a whole one apart."""
STEPS = 16
"""The steps from the ground to a colour; a pixel on the rim of a letter or a shape has one of them."""


def new_canvas() -> Image.Image:
    """Return a picture of nothing but the ground."""
    return Image.new("RGB", (WIDTH, HEIGHT), GROUND)


def draw_shapes(canvas: Image.Image, shapes: Iterable[Shape], thick: float = EDGE) -> None:
    """Draw shapes; each is drawn over those before it. `thick` is the width of their edges."""
    draw = ImageDraw.Draw(canvas)
    for is_box, some in groupby(shapes, lambda shape: _is_box(shape[0])):
        if is_box:
            for outline, face, edge in some:
                _draw_box(draw, outline, face, edge, thick)
        else:
            _draw_smooth(canvas, some, thick)


def _is_box(outline: Outline) -> bool:
    """Tell whether an outline is an upright rectangle as `box` makes it."""
    if len(outline) != 4:
        return False
    (x, low), (right, same_low), (same_right, high), (same_x, same_high) = outline
    return (x, low, right, high) == (same_x, same_low, same_right, same_high)


def _draw_box(draw: ImageDraw.ImageDraw, outline: Outline, face: str, edge: str, thick: float) -> None:
    """Draw an upright rectangle; its sides are moved to whole pixels, so that they are sharp."""
    (x, low), _other, (right, high), _last = outline
    half = 0.0 if edge == NONE else thick / 2
    left, top, right, bottom = (
        floor(place + HALF) for place in (x - half, HEIGHT - high - half, right + half, HEIGHT - low + half)
    )
    if left < right and top < bottom:
        face_ink, edge_ink = (None if colour == NONE else colour for colour in (face, edge))
        draw.rectangle((left, top, right - 1, bottom - 1), face_ink, edge_ink, round(thick))


def _draw_smooth(canvas: Image.Image, shapes: Iterable[Shape], thick: float) -> None:
    """Draw shapes of any form with smooth rims; neighbours of one colour are drawn as one."""
    parts: list[tuple[str, Numbers]] = []
    for outline, face, edge in shapes:
        if face != NONE:
            parts.append((face, sides_of(outline)))
        if edge != NONE:
            parts.append((edge, sides_of_edge(outline, thick)))
    for colour, some in groupby(parts, itemgetter(0)):
        left, top, ink = ink_of([sides for _colour, sides in some], *canvas.size)
        if ink.size:
            canvas.paste(colour, (left, top), Image.fromarray(ink))


def png(canvas: Image.Image) -> bytes:
    """Return the canvas as PNG; a fixed palette takes a third of the time and of the bytes of full colour."""
    buffer = io.BytesIO()
    canvas.quantize(palette=_palette(), dither=Image.Dither.NONE).save(buffer, "PNG", compress_level=3)
    return buffer.getvalue()


@lru_cache(maxsize=1)
def _palette() -> Image.Image:
    """Return every colour of a picture, blended with the ground in steps: few enough for one byte a pixel."""
    ground = rgb(GROUND).astype(float)
    blends = [
        ground + (rgb(colour) - ground) * step / STEPS
        for colour in (INK, QUIET, ATTACKER, DEFENDER, DRAW)
        for step in range(STEPS + 1)
    ]
    palette = Image.new("P", (1, 1))
    palette.putpalette([*(round(part) for blend in blends for part in blend), *heat_colours().flatten().tolist()])
    return palette
