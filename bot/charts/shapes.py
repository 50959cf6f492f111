"""Shapes as outlines: boxes, circles and lines.

All functions take pixels from the top left of the picture. An outline counts from the bottom, as the canvas does.
"""

from math import cos, pi, sin
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bot.charts.style import EDGE, HEIGHT

Outline = list[tuple[float, float]]
Shape = tuple[Outline, str, str]
"""An outline, the colour of its face and the colour of its edge."""
Path = npt.NDArray[np.float64]
"""Points of a line, of shape (points, 2), across and down."""


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


def rounded_box(here: Box, radius: float) -> Outline:
    """Return the outline of a rectangle with round corners."""
    radius = min(radius, (here.right - here.left) / 2, (here.bottom - here.top) / 2)
    x, y = (here.left + here.right) / 2, (here.top + here.bottom) / 2
    wide, high = (here.right - here.left) / 2 - radius, (here.bottom - here.top) / 2 - radius
    corners = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    turns = [(side, (8 * corner + step) * pi / 16) for corner, side in enumerate(corners) for step in range(9)]
    return [
        (x + across * wide + radius * cos(turn), HEIGHT - y + up * high + radius * sin(turn))
        for (across, up), turn in turns
    ]


def stroke(path: Path, thick: float) -> Outline:
    """Return the outline of a curved line through these points."""
    sides = _aside(path) * thick / 2
    return _upwards(np.concatenate([path + sides, (path - sides)[::-1]]))


def arrow(path: Path, thick: float, head: float) -> Outline:
    """Return the outline of an arrow along a curved line; its head is at the last point, as long and as wide as `head`.

    An arrow that is shorter than its head is all head.
    """
    from_tip = np.hypot(*(path - path[-1]).T)
    shaft = path[from_tip > head * 0.9]
    base = shaft[-1] if len(shaft) else path[0]
    along = (path[-1] - base) / max(float(np.hypot(*(path[-1] - base))), 1e-9)
    wing = np.array([-along[1], along[0]]) * head / 2
    foot = path[-1] - along * head
    if len(shaft) < 2:
        return _upwards(np.array([foot + wing, path[-1], foot - wing]))
    sides = _aside(shaft) * thick / 2
    return _upwards(np.concatenate([shaft + sides, [foot + wing, path[-1], foot - wing], (shaft - sides)[::-1]]))


def _aside(path: Path) -> Path:
    """Return at each point of a line the direction across it, of length 1."""
    along = np.gradient(path, axis=0)
    along = along / np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)[:, None]
    return np.stack([-along[:, 1], along[:, 0]], axis=1)


def _upwards(points: Path) -> Outline:
    """Return points, which are in pixels from the top left, as an outline."""
    return [(x, HEIGHT - y) for x, y in points.tolist()]
