"""Arranges the territories of a picture near their places on the map, apart from each other, and the lines between.

Places are numpy arrays of shape (territories, 2), across and down.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bot.charts.shapes import Box, Path
from bot.charts.style import WIDTH

Places = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int_]

STEPS, GROWN, LOOSE = 240, 72, 168
"""The steps in which rectangles move apart, the first one with their whole sizes, and the first one without lines."""
PUSH, PULL, ASIDE, TURN = 0.4, 0.3, 0.15, 0.5
"""The share of what is missing that a step brings: between rectangles, on short lines, and between a line and others.

Short lines are also pulled across, where there is more room, by a share of the pull along them.
"""
PATIENCE, STRAIN = 0.6, 0.01
"""How fast a pair tries the other direction if it still touches, and how fast the pull on short lines grows."""
MOST_STRETCH = 3.0
"""One direction of the map is stretched at most so many times as much as the other."""
WIDEST = 24.0
"""The most pixels for a percent of the map."""
NEAR, CLEAR = 12.0, 7.0
"""The least distance between two rectangles, and between a rectangle and a line of others, pixels."""
HEAD, GAP = 20.0, 4.0
"""The length of an arrow's head, and the distance between a line and its own rectangles, pixels."""


class Line(NamedTuple):
    """A line between two territories, and the size of what stands on it, in pixels."""

    one: int
    other: int
    size: tuple[float, float]


def unroll(places: Places, borders: Sequence[tuple[int, int, bool]]) -> Places | None:
    """Return the places with a part of the map shifted by its width if a border goes around its edge; then none does.

    A border is two territories and whether it goes around. None if no shift does it.
    """
    if not any(around for _one, _other, around in borders):
        return places
    columns = np.unique(places[:, 0])
    for column in columns[:-1][np.argsort(-np.diff(columns), kind="stable")]:
        right = places[:, 0] > column
        if all((right[one] != right[other]) == around for one, other, around in borders):
            return places - np.outer(right, (100.0, 0.0))
    return None


def scale(places: Places, sizes: Places, area: Box) -> Places:
    """Return the middles of rectangles of these sizes, in pixels, if the places fill an area."""
    low, high = places.min(axis=0), places.max(axis=0)
    room = np.array([area.right - area.left, area.bottom - area.top]) - sizes.max(axis=0)
    factors = np.minimum(room / np.maximum(high - low, 1e-9), WIDEST)
    factors = np.minimum(factors, factors.min() * MOST_STRETCH)
    middle = np.array([area.left + area.right, area.top + area.bottom]) / 2
    scaled: Places = middle + (places - (low + high) / 2) * factors
    return scaled


def spread(wanted: Places, sizes: Places, lines: Sequence[Line], area: Box) -> Places:
    """Return middles near those wanted, for rectangles of these sizes in an area.

    Rectangles that would touch move apart, in the direction in which they are, across or down. So do those whose line
    would be too short for what stands on it. At first, rectangles also move off the lines of others. All that happens
    in small steps, while the rectangles grow to their sizes; where there is too little room, some touch at the end.
    """
    crowd = _Crowd(wanted, sizes, lines, area)
    for step in range(STEPS):
        if not crowd.move(min((step + 1) / GROWN, 1.0), clear=step < LOOSE):
            break
    return crowd.middles


class _Crowd:
    """Rectangles that move apart."""

    def __init__(self, wanted: Places, sizes: Places, lines: Sequence[Line], area: Box) -> None:
        self.middles = wanted
        self._halves = sizes / 2
        self._low = np.array([area.left, area.top]) + self._halves
        self._high = np.array([area.right, area.bottom]) - self._halves
        self._room = np.array([area.right - area.left, area.bottom - area.top])
        self._ends: Numbers = np.array([line[:2] for line in lines], int).reshape(-1, 2)
        self._on_lines = np.array([line.size for line in lines], float).reshape(-1, 2) / 2
        # 1 if the first of a pair is farther on, −1 if the second is.
        number = np.arange(len(wanted))
        self._order = np.sign(wanted[:, None] - wanted)
        self._order += (self._order == 0) * np.sign(number[:, None] - number)[..., None]
        self._tried = np.zeros_like(self._order)
        self._strain = np.zeros(len(lines))

    def move(self, grown: float, clear: bool) -> bool:
        """Move all rectangles, now with this share of their sizes; return whether some have to move on."""
        halves, push = self._halves * grown, np.zeros_like(self.middles)
        wrong = self._push_apart(halves, push, grown)
        if len(self._ends):
            along, length = self._directions()
            wrong |= self._pull_lines(halves, push, grown, along, length)
            if clear:
                wrong |= self._clear_lines(halves, push, along, length)
        self.middles = np.clip(self.middles + push, self._low, self._high)
        return wrong or grown < 1

    def _push_apart(self, halves: Places, push: Places, grown: float) -> bool:
        """Push rectangles that touch apart; return whether there are any."""
        lack = halves[:, None] + halves + NEAR * grown - (self.middles[:, None] - self.middles) * self._order
        touching = (lack > 0).all(axis=2) & ~np.eye(len(lack), dtype=bool)
        share = lack / self._room
        down = (share + self._tried).argmin(axis=2) == 1
        active = np.stack([touching & ~down, touching & down], axis=2)
        push += (lack * self._order * active).sum(axis=1) * PUSH
        if grown == 1:
            self._tried += share * active * PATIENCE
        return bool(touching.any())

    def _pull_lines(self, halves: Places, push: Places, grown: float, along: Places, length: Places) -> bool:
        """Pull the ends of short lines apart; return whether there are any."""
        on_lines = self._on_lines * grown
        parts = [halves[self._ends[:, 0]] + on_lines, on_lines + HEAD, halves[self._ends[:, 1]] + GAP]
        with np.errstate(divide="ignore"):
            shortest = (np.stack(parts, axis=1) / np.abs(along)[:, None]).min(axis=2).sum(axis=1)
        lack = np.maximum(shortest + 3 - length, 0)
        if grown == 1:
            self._strain += lack * STRAIN
        pull = (along + np.sign(along) * (TURN, 0)) * (lack * PULL + (lack > 0) * self._strain)[:, None]
        np.add.at(push, self._ends, np.stack([-pull, pull], axis=1))
        return bool((lack > 0.5).any())

    def _clear_lines(self, halves: Places, push: Places, along: Places, length: Places) -> bool:
        """Push rectangles off the lines of others, and these lines off them; return whether there are any."""
        across = along[:, ::-1] * (-1, 1)
        away = self.middles - self.middles[self._ends[:, :1]]
        onward, aside = (np.einsum("lri,li->lr", away, direction) for direction in (along, across))
        lack = np.abs(across) @ halves.T + CLEAR - np.abs(aside)
        crossed = (lack > 0) & (onward > 0) & (onward < length[:, None])
        np.put_along_axis(crossed, self._ends, values=False, axis=1)
        moves = np.where(crossed, np.copysign(lack, aside), 0) * ASIDE
        push += moves.T @ across
        back = moves.sum(axis=1)[:, None] * across / 2
        np.add.at(push, self._ends, -np.stack([back, back], axis=1))
        return bool(crossed.any())

    def _directions(self) -> tuple[Places, Places]:
        """Return the direction of each line, of length 1, and its length."""
        apart = self.middles[self._ends[:, 1]] - self.middles[self._ends[:, 0]]
        length = np.maximum(np.hypot(apart[:, 0], apart[:, 1]), 1e-9)
        return apart / length[:, None], length


POINTS, FINE_POINTS = 40, 400
BENDS = (0.0, 0.1, -0.1, 0.2, -0.2, 0.35, -0.35)
"""How far the middle of a line may be aside, in parts of its length; the first that meets no territory is good."""
OFF = HEAD / 2
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
    away = (abs(across) * size[0] + abs(down) * size[1]) / 2 + OFF
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
