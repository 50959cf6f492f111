"""Lines between the territories of a picture: they bend around others, and leave room for their numbers."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bot.charts.shapes import Box, Path
from bot.charts.style import WIDTH
from bot.games.conquest.layout import GAP, HEAD

POINTS, FINE_POINTS = 40, 400
BENDS = (0.0, 0.1, -0.1, 0.2, -0.2, 0.35, -0.35)
"""How far the middle of a line may be aside, in parts of its length; the first that meets no territory is good."""
ASIDE = HEAD / 2
"""The distance between a line and what is beside it."""
SHORTEST = 9.0
"""A part of a line that is shorter than this looks like a dot, pixels."""


def route(boxes: Sequence[Box], one: int, other: int, area: Box) -> Path:
    """Return a line in an area from one box to another that meets as few of the other boxes as possible."""
    start, end = (np.array(middle(boxes[place])) for place in (one, other))
    own = [boxes[one], boxes[other]]
    others = [box for place, box in enumerate(boxes) if place not in (one, other)]
    aside = (end - start)[::-1] * (-1, 1)
    best, fewest = np.array([start, end]), len(boxes) + 2
    for bend in BENDS:
        path = _curve(start, end, aside * bend, own)
        met = int(_inside(path, others).any(axis=0).sum()) + 2 * int(not _inside(path, [area]).all())
        if met < fewest and len(path) > 1:
            best, fewest = path, met
        if not fewest:
            break
    return best


def leave(box: Box, edge: float) -> Path:
    """Return a level line from a box to an edge of the picture, which is at 0 or at its width."""
    x = box.left - GAP if edge < WIDTH / 2 else box.right + GAP
    return np.stack([np.linspace(x, edge, POINTS), np.full(POINTS, middle(box)[1])], axis=1)


def place_on(path: Path, size: tuple[float, float], taken: Sequence[Box], others: Path, area: Box) -> Box | None:
    """Return a box of this size on a line, as near as possible to its middle, clear of its head and of other boxes.

    If there is none, it is beside the line, in an area and clear of the points of other lines too.
    """
    order = sorted(range(len(path)), key=lambda point: abs(2 * point + 1 - len(path)))
    tip_x, tip_y = path[-1].tolist()
    head = box_around(tip_x, tip_y, (2 * HEAD, 2 * HEAD))
    for x, y in path[order].tolist():
        box = box_around(x, y, size)
        if not box.touches(head) and not any(box.touches(other, 1) for other in taken):
            return box
    across, down = (path[-1] - path[0])[::-1] / max(float(np.hypot(*(path[-1] - path[0]))), 1e-9) * (-1, 1)
    away = (abs(across) * size[0] + abs(down) * size[1]) / 2 + ASIDE
    for x, y in path[order].tolist():
        for side in (away, -away):
            box = box_around(x + side * across, y + side * down, size)
            clear = not any(box.touches(other, 1) for other in taken) and not meets(box, others, GAP)
            if clear and is_within(box, area):
                return box
    return None


def meets(box: Box, points: Path, gap: float) -> bool:
    """Whether any of these points is in a box, or nearer to it than a gap."""
    return bool(_inside(points, [box], gap).any())


def is_within(box: Box, area: Box) -> bool:
    """Whether the whole of a box is in an area."""
    return area.left <= box.left and area.top <= box.top and box.right <= area.right and box.bottom <= area.bottom


def after(path: Path, box: Box) -> Path:
    """Return a line without its part before a box on it, if that is so short that it would look like a dot."""
    inside = np.flatnonzero(_inside(path, [box], 0)[:, 0])
    short = len(inside) and float(np.hypot(*(path[inside[0]] - path[0]))) < SHORTEST
    return path[inside[0] :] if short else path


def middle(box: Box) -> tuple[float, float]:
    """Return the middle of a box."""
    return (box.left + box.right) / 2, (box.top + box.bottom) / 2


def box_around(x: float, y: float, size: tuple[float, float]) -> Box:
    """Return the box of this size around a point."""
    return Box(x - size[0] / 2, y - size[1] / 2, x + size[0] / 2, y + size[1] / 2)


def _curve(start: Path, end: Path, aside: Path, own: Sequence[Box]) -> Path:
    """Return a curve with its middle so far aside, without its parts in the two boxes at its ends."""

    def points(along: npt.NDArray[np.float64]) -> Path:
        path: Path = start + np.outer(along, end - start) + np.outer(4 * along * (1 - along), aside)
        return path

    along = np.linspace(0, 1, FINE_POINTS)
    visible = along[~_inside(points(along), own).any(axis=1)]
    return points(np.linspace(visible[0], visible[-1], POINTS)) if len(visible) else np.empty((0, 2))


def _inside(points: Path, boxes: Sequence[Box], gap: float = GAP) -> npt.NDArray[np.bool_]:
    """Whether each point is in each box, or nearer to it than a gap: shape (points, boxes)."""
    edges = np.array(boxes).reshape(-1, 4)
    x, y = points[:, :1], points[:, 1:]
    return (x > edges[:, 0] - gap) & (x < edges[:, 2] + gap) & (y > edges[:, 1] - gap) & (y < edges[:, 3] + gap)
