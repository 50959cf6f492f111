"""Pictures of dice, to be small in a line of text: pips on a square for six sides, a digit on a hexagon for eight.

The attacker's are orange and solid, the defender's blue and hollow. Around them a picture is transparent; their edges
are seen on light and on dark.
"""

import io
from math import cos, pi, sin

from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.transforms import IdentityTransform

from bot.charts.shapes import Box, Outline, circle, rounded_box
from bot.charts.style import ATTACKER, DEFENDER, GROUND, HEIGHT

SIZE = 128
"""Pixels across and down; Discord asks for so many."""
TOP, MIDDLE = HEIGHT - SIZE, SIZE / 2
"""Where the picture begins, and its middle: outlines are those of a sheet, of which it is the lower left corner."""
EDGE, CORNER, DIGIT = 9.0, 22.0, 86.0
PIP, APART = 14.0, 30.0
CORNERS = (-1, 1), (1, -1), (-1, -1), (1, 1)
PIPS = {
    1: ((0, 0),),
    2: CORNERS[:2],
    3: (*CORNERS[:2], (0, 0)),
    4: CORNERS,
    5: (*CORNERS, (0, 0)),
    6: (*CORNERS, (-1, 0), (1, 0)),
}
"""Where the pips of each face are, right and down from the middle."""


def draw_die(side: str, sides: int, face: int) -> bytes:
    """Return the picture of a die of six or eight sides as PNG; `side` is "attack" or "defence"."""
    ink, ground = (GROUND, ATTACKER) if side == "attack" else (DEFENDER, GROUND)
    outline = _square() if sides == 6 else _hexagon()
    pips = [circle(MIDDLE + x * APART, TOP + MIDDLE + y * APART, PIP) for x, y in PIPS[face]] if sides == 6 else []
    figure = Figure(figsize=(SIZE / 100, SIZE / 100), dpi=100, facecolor="none")
    collection = PolyCollection([outline, *pips], transform=IdentityTransform(), linewidths=EDGE * 0.72)
    collection.set_facecolor([ground, *(ink for _pip in pips)])
    collection.set_edgecolor([ink, *("none" for _pip in pips)])
    figure.add_artist(collection)
    if not pips:
        figure.text(
            *(0.5, 0.5, str(face)), fontsize=DIGIT * 0.72, color=ink, weight="bold", ha="center", va="center_baseline"
        )
    png = io.BytesIO()
    figure.savefig(png, format="png")
    return png.getvalue()


def _square() -> Outline:
    """Return the outline of a die of six sides."""
    near, far = EDGE / 2, SIZE - EDGE / 2
    return rounded_box(Box(near, TOP + near, far, TOP + far), CORNER)


def _hexagon() -> Outline:
    """Return the outline of a die of eight sides, as it lies on a table."""
    radius, turns = MIDDLE - EDGE / 2, [pi / 2 + corner * pi / 3 for corner in range(6)]
    return [(MIDDLE + radius * cos(turn), MIDDLE + radius * sin(turn)) for turn in turns]
