"""The bars and squares that several pictures of odds share, in the forms of attacker, defender and neither."""

from typing import NamedTuple

from bot.charts.shapes import Shape, box, hollow_box
from bot.charts.style import ATTACKER, DEFENDER, DRAW, EDGE, GROUND

MOST_BARS = 44
CUT_TAIL = 0.002
"""The share of all chances that a picture leaves out at each end of a law."""
LEAST_SHOWN = 0.0005
"""A picture leaves out chances up to this."""


class Bar(NamedTuple):
    """The ends from `low` to `high`, so many of them `possible`, that share a bar; `x` is its middle.

    `parts` are the chances that the attacker wins there, that the defender wins, and that neither does.
    """

    low: int
    high: int
    possible: int
    parts: tuple[float, float, float]
    x: float
    pitch: float

    @property
    def chance(self) -> float:
        """The chance of all its ends."""
        return sum(self.parts)


def bar_shapes(bar: Bar, tallest: float, base: float, most: float) -> list[Shape]:
    """Return the shapes of a bar: its parts in the forms of those who win there, one upon the other.

    A bar with the chance `tallest` is `most` pixels high. A bar is visible however small its chance is.
    """
    width, left, bottom = bar.pitch * 0.8, bar.x - bar.pitch * 0.4, float(base)
    height = max(most * bar.chance / tallest, 3.0)
    shapes = []
    for part, colour in zip(bar.parts, (ATTACKER, DEFENDER, DRAW), strict=True):
        tall = height * part / bar.chance if part else 0.0
        if colour == DEFENDER and tall >= EDGE:
            shapes.append((hollow_box(left, bottom, width, tall), GROUND, colour))
        elif tall:
            shapes.append((box(left, bottom, width, tall), colour, "none"))
        bottom -= tall
    return shapes


def twenty_squares(defender: int, attacker: int) -> list[Shape]:
    """Return twenty squares: the attacker's battles solid from the left, the defender's hollow from the right."""
    shapes: list[Shape] = []
    for index in range(20):
        x = 43 + 36 * index
        if index >= 20 - defender:
            shapes.append((hollow_box(x, 241, 30, 30), GROUND, DEFENDER))
        else:
            shapes.append((box(x, 241, 30, 30), ATTACKER if index < attacker else DRAW, "none"))
    return shapes
