"""The ink of outlines: how much of each pixel they cover, exactly, which gives smooth edges."""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from bot.charts.shapes import Outline
from bot.charts.style import HEIGHT

Numbers = npt.NDArray[np.float64]
SHARP = -0.1
"""The cosine of a turn from which on a corner of an edge is cut off: its tip would be far out."""


def sides_of(outline: Outline) -> Numbers:
    """Return the sides of an outline in pixels from the top left, of shape (sides, 2 ends, 2), in one sense of turn."""
    points = _down(outline)
    ends = np.stack([points, np.roll(points, -1, axis=0)], axis=1)
    area = (ends[:, 0, 0] * ends[:, 1, 1] - ends[:, 1, 0] * ends[:, 0, 1]).sum()
    return ends if area >= 0 else ends[::-1, ::-1]


def sides_of_edge(outline: Outline, thick: float) -> Numbers:
    """Return the sides of what the edge of an outline covers: a bar along each side, and the outside of each corner."""
    ends = sides_of(outline)
    ends = ends[(ends[:, 0] != ends[:, 1]).any(axis=1)]
    points, others = ends[:, 0], ends[:, 1]
    along = (others - points) / np.hypot(*(others - points).T)[:, None]
    off = along[:, ::-1] * (1, -1) * (thick / 2)
    bars = np.stack([points + off, others + off, others - off, points - off], axis=1)
    after, then = np.roll(along, -1, axis=0), np.roll(off, -1, axis=0)
    left = (along[:, 0] * after[:, 1] < along[:, 1] * after[:, 0])[:, None]
    out, out_then = np.where(left, -then, off), np.where(left, -off, then)
    cosine = (along * after).sum(axis=1)[:, None]
    tip = (out + out_then) / np.where(cosine < SHARP, 2, 1 + cosine)
    corners = np.stack([others, others + out, others + tip, others + out_then], axis=1)
    shapes = np.concatenate([bars, corners])
    return np.stack([shapes, np.roll(shapes, -1, axis=1)], axis=2).reshape(-1, 2, 2)


def ink_of(sides: Sequence[Numbers], width: int, height: int) -> tuple[int, int, npt.NDArray[np.uint8]]:
    """Return the pixels that shapes with these sides cover together.

    Returns:
        The left and the top of the pixels, and 0 to 255 for each of them. What is outside of a picture of this width
        and height is left out.
    """
    ends = np.concatenate(sides)
    left, top = np.clip(np.floor(ends.min(axis=(0, 1))), 0, (width, height)).astype(int).tolist()
    right, bottom = np.clip(np.ceil(ends.max(axis=(0, 1))), (left, top), (width, height)).astype(int).tolist()
    parts = _cut(_cut(ends - (left, top), 1), 0)
    falls, middle = parts[:, 1, 1] - parts[:, 0, 1], parts.mean(axis=1)
    rows, columns = np.floor(middle[:, 1]).astype(int), np.floor(middle[:, 0])
    across = np.clip(middle[:, 0] - columns, 0, 1)
    wide, tall = right - left, bottom - top
    inside = (rows >= 0) & (rows < tall)
    rows, columns, across, falls = rows[inside], np.clip(columns[inside], -1, wide), across[inside], falls[inside]
    # A side covers its pixel as far as it goes through it, and all of the row to the right of it.
    places = rows * (wide + 3) + columns.astype(int) + 1
    turned = np.bincount(places, falls * (1 - across), tall * (wide + 3))
    turned += np.bincount(places + 1, falls * across, tall * (wide + 3))
    covered = np.abs(turned.reshape(tall, wide + 3).cumsum(axis=1)[:, 1 : wide + 1])
    return left, top, np.rint(np.minimum(covered, 1) * 255).astype(np.uint8)


def _down(outline: Iterable[tuple[float, float]]) -> Numbers:
    """Return the corners of an outline in pixels from the top left."""
    return np.array([0.0, HEIGHT]) + np.array(outline, float) * (1, -1)


def _cut(ends: Numbers, axis: int) -> Numbers:
    """Cut straight lines where they cross a whole number of an axis."""
    start, way = ends[:, 0, axis], ends[:, 1, axis] - ends[:, 0, axis]
    low, high = np.floor(ends[:, :, axis].min(axis=1)), np.ceil(ends[:, :, axis].max(axis=1))
    count = np.maximum(high - low, 1).astype(int)
    which = np.repeat(np.arange(len(ends)), count)
    line = low[which] + np.arange(len(which)) - np.repeat(count.cumsum() - count, count)
    flat = way == 0
    pace = np.where(flat, 1.0, way)[which]
    shares = np.clip((line + np.array([[0], [1]]) - start[which]) / pace, 0, 1)
    shares.sort(axis=0)
    shares[:, flat[which]] = [[0], [1]]
    cut: Numbers = ends[which, :1] + shares.T[:, :, None] * (ends[:, 1:] - ends[:, :1])[which]
    return cut
