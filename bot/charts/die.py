"""Pictures of dice, to be small in a line of text: pips on a square for six sides, a digit on a hexagon for eight.

The attacker's are orange and solid, the defender's blue and hollow. Around them a picture is transparent; their edges
are seen on light and on dark.
"""

import io
from math import cos, pi, sin

from PIL import Image

from bot.charts.canvas import NONE, draw_shapes
from bot.charts.ink import ink_of, sides_of, sides_of_edge
from bot.charts.shapes import Box, Outline, circle, rounded_box
from bot.charts.style import ATTACKER, DEFENDER, GROUND, HEIGHT
from bot.charts.words import Text

SIZE = 128
"""Pixels across and down; Discord asks for so many."""
MIDDLE = SIZE / 2
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
    pips = [circle(MIDDLE + x * APART, MIDDLE + y * APART, PIP) for x, y in PIPS[face]] if sides == 6 else []
    # Outside of the die it is transparent, and has its colour all the same: else the rim would be darker.
    die = Image.new("RGB", (SIZE, SIZE), ink)
    draw_shapes(die, [(outline, ground, ink), *((pip, ink, NONE) for pip in pips)], EDGE)
    if not pips:
        _centred(str(face), ink).draw(die)
    solid = Image.new("L", die.size)
    left, top, covered = ink_of([sides_of(outline), sides_of_edge(outline, EDGE)], *die.size)
    solid.paste(Image.fromarray(covered), (left, top))
    die.putalpha(solid)
    png = io.BytesIO()
    die.save(png, "PNG")
    return png.getvalue()


def _centred(digit: str, colour: str) -> Text:
    """Return a digit whose ink is in the middle of the picture; a text has room below it."""
    text = Text(MIDDLE, MIDDLE, digit, DIGIT, colour, "bold")
    sample = Image.new("L", (SIZE, SIZE))
    Text(MIDDLE, MIDDLE, "8", DIGIT, "white", "bold").draw(sample)
    _left, top, _right, bottom = sample.getbbox() or (0, 0, 0, 0)
    text.y += MIDDLE - (top + bottom) / 2
    return text


def _square() -> Outline:
    """Return the outline of a die of six sides."""
    near, far = EDGE / 2, SIZE - EDGE / 2
    return rounded_box(Box(near, near, far, far), CORNER)


def _hexagon() -> Outline:
    """Return the outline of a die of eight sides, as it lies on a table."""
    radius, turns = MIDDLE - EDGE / 2, [pi / 2 + corner * pi / 3 for corner in range(6)]
    return [(MIDDLE + radius * cos(turn), HEIGHT - MIDDLE + radius * sin(turn)) for turn in turns]
