"""Shapes as outlines: boxes, circles and lines.

All functions take pixels from the top left of the picture. An outline counts from the bottom, as the canvas does.
"""

from math import cos, pi, sin
from typing import NamedTuple

import numpy as np

from bot.charts.style import EDGE, HEIGHT

Outline = list[tuple[float, float]]
Shape = tuple[Outline, str, str]
"""An outline, the colour of its face and the colour of its edge."""


class Box(NamedTuple):
    """A rectangle in pixels from the top left."""

    left: float
    top: float
    right: float
    bottom: float

    def touches(self, other: "Box", gap: float = 0) -> bool:
        """Whether the two boxes overlap, or come nearer than a gap."""
        return (
            self.left < other.right + gap
            and other.left < self.right + gap
            and self.top < other.bottom + gap
            and other.top < self.bottom + gap
        )


def box(x: float, bottom: float, width: float, height: float) -> Outline:
    """Return the outline of a rectangle."""
    low = HEIGHT - bottom
    return [(x, low), (x + width, low), (x + width, low + height), (x, low + height)]


def hollow_box(x: float, bottom: float, width: float, height: float) -> Outline:
    """Return the outline of a rectangle that only has an edge: its outline is the middle of the edge."""
    return box(x + EDGE / 2, bottom - EDGE / 2, max(width - EDGE, 0), max(height - EDGE, 0))


def circle(x: float, y: float, radius: float) -> Outline:
    """Return a polygon of 32 corners that looks like a circle."""
    return [(x + radius * cos(k * pi / 16), HEIGHT - y + radius * sin(k * pi / 16)) for k in range(32)]


def line(x: float, y: float, to_x: float, to_y: float, thick: float = 2) -> Outline:
    """Return the outline of a straight line."""
    length = max(np.hypot(to_x - x, to_y - y), 1e-9)
    across, along = (to_y - y) / length * thick / 2, (to_x - x) / length * thick / 2
    ends = [(x - across, y + along), (to_x - across, to_y + along), (to_x + across, to_y - along)]
    return [(at, HEIGHT - down) for at, down in (*ends, (x + across, y - along))]
