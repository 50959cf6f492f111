"""The style of all pictures: their size in pixels, their colours, and the size of their letters.

The attacker is orange and solid, the defender sky blue and hollow, a draw grey; only where units are placed, what the
defender holds is solid. People with any kind of colour blindness can tell these colours apart; the forms differ even
without colour.
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt
from matplotlib.colors import to_rgb

WIDTH, HEIGHT = 800, 640
GROUND, INK, QUIET = "#1E1F22", "#F2F3F5", "#B5BAC1"
ATTACKER, DEFENDER, DRAW = "#E69F00", "#56B4E9", "#9AA0A6"
SMALL = 26
"""The size of the smallest letters, in pixels."""
LEFT, RIGHT, EDGE = 24, 776, 3.0
APART = 14.0
"""The least distance between two texts on one line, in pixels."""

# From the defender's blue over the grey between them to the attacker's yellow, ever brighter: it reads in grey too,
# and the darkest is easy to tell from the ground.
HEAT = ("#2B6FA0", "#92999F", "#FFD65C")
HEAT_STEPS = 48


def largest(attacker: float, defender: float, neither: float) -> tuple[bool, bool, bool]:
    """Return which of three chances have large letters, so that none looks larger than a chance above it.

    Both sides have them, but for a side below the chance that neither wins; that has them if it is the largest. Chances
    that read alike are equal.
    """
    sides, middle = (round(attacker, 3), round(defender, 3)), round(neither, 3)
    return sides[0] >= middle, sides[1] >= middle, middle >= max(sides)


def rgb(colour: str) -> npt.NDArray[np.uint8]:
    """Return a colour as (red, green, blue), 0 to 255."""
    parts: npt.NDArray[np.uint8] = np.rint(255 * np.array(to_rgb(colour))).astype(np.uint8)
    return parts


def chance_colours(chances: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """Return the heat map's colours of chances: an array of their shape and (red, green, blue).

    Chances are from 0 to 1. NaN has the colour of the ground.
    """
    missing = np.isnan(chances)
    steps = np.rint(np.clip(np.where(missing, 0, chances), 0, 1) * HEAT_STEPS).astype(int)
    colours: npt.NDArray[np.uint8] = np.take(heat_colours(), steps, axis=0)
    colours[missing] = rgb(GROUND)
    return colours


@lru_cache(maxsize=1)
def heat_colours() -> npt.NDArray[np.uint8]:
    """Return every colour of a heat map, from chance 0 to 1, of shape (steps + 1, 3)."""
    stops = np.array([to_rgb(colour) for colour in HEAT])
    at, known = np.linspace(0, 1, HEAT_STEPS + 1), np.linspace(0, 1, len(HEAT))
    parts = [np.interp(at, known, part) for part in stops.T]
    colours: npt.NDArray[np.uint8] = np.rint(255 * np.column_stack(parts)).astype(np.uint8)
    return colours
