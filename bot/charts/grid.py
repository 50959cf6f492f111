"""A heat map: cells in the colours of their chances, numbers in them where they fit, and a ring around one."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from matplotlib.text import Text

from bot.charts.style import ATTACKER, DEFENDER, GROUND, INK, LEFT, QUIET, Sheet, box, heat, rgb, round_ticks

MOST_TICKS = 5
ROOMY, TALL = 66, 40
"""The least width and height of a cell with a number in it, pixels."""
DARK_INK_ABOVE = 0.25
"""On a brighter cell than this dark letters are read more easily than light ones."""


class Grid(NamedTuple):
    """Cells of counts of attackers, to the right, and of defenders, upwards; places are pixels from the top left.

    `low` are the counts of the cell at the bottom left, `cells` how many cells there are, each attackers first.
    """

    low: tuple[int, int]
    cells: tuple[int, int]
    left: int = 100
    top: int = 146
    width: int = 590
    height: int = 350

    @property
    def right(self) -> int:
        """Where the last column ends."""
        return self.left + self.width

    @property
    def bottom(self) -> int:
        """Where the lowest row ends."""
        return self.top + self.height

    @property
    def pitch(self) -> tuple[float, float]:
        """The width and height of a cell."""
        return self.width / self.cells[0], self.height / self.cells[1]

    @property
    def roomy(self) -> bool:
        """Whether a number fits into a cell."""
        return self.pitch[0] >= ROOMY and self.pitch[1] >= TALL

    @property
    def framed(self) -> bool:
        """Whether a cell is large enough to be ringed along its edge."""
        return min(self.pitch) >= 30

    def centre(self, attackers: int, defenders: int) -> tuple[float, float]:
        """The middle of a cell."""
        wide, tall = self.pitch
        return (
            self.left + (attackers - self.low[0] + 0.5) * wide,
            self.bottom - (defenders - self.low[1] + 0.5) * tall,
        )

    def spread(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """A value of every cell, [attackers, defenders], as one of every pixel, [down, right]: that of its cell."""
        columns, rows = self.cells
        right = ((np.arange(self.width) + 0.5) * columns / self.width).astype(int)
        down = rows - 1 - ((np.arange(self.height) + 0.5) * rows / self.height).astype(int)
        pixels: npt.NDArray[np.float64] = values[right[None, :], down[:, None]]
        return pixels


def short_percent(chance: float) -> str:
    """A chance for a small cell: "79", ">99"."""
    if chance < 0.005:
        return "<1"
    return ">99" if chance >= 0.995 else f"{100 * chance:.0f}"


def draw_grid(sheet: Sheet, grid: Grid, colours: npt.NDArray[np.uint8], across: str, upwards: str) -> Text:
    """Cells of these colours, one a pixel, with axes of these names: the second is above the map, and returned."""
    sheet.paint(grid.left, grid.top, colours)
    (least, fewest), (columns, rows) = grid.low, grid.cells
    attackers = round_ticks(least, least + columns - 1, MOST_TICKS)
    sheet.ticks(grid.bottom + 24, [(grid.centre(count, fewest)[0], str(count)) for count in attackers])
    for count in round_ticks(fewest, fewest + rows - 1, MOST_TICKS):
        sheet.text(grid.left - 12, grid.centre(least, count)[1], str(count), colour=QUIET, align="right")
    sheet.text(grid.right, grid.bottom + 58, across, colour=ATTACKER, align="right")
    return sheet.text(LEFT, 80, upwards, colour=DEFENDER, align="left")


def write(sheet: Sheet, grid: Grid, cell: tuple[int, int], words: str, warmth: float) -> None:
    """Write into a cell, whose colour is that of such a chance."""
    x, y = grid.centre(*cell)
    sheet.text(x, y, words, colour=GROUND if warmth > DARK_INK_ABOVE else INK)


def mark(sheet: Sheet, grid: Grid, cell: tuple[int, int], words: str) -> None:
    """Ring a cell, along its edge where it is large, around it where it is small, and say what it is."""
    (x, y), (wide, tall) = grid.centre(*cell), grid.pitch
    if grid.framed:
        for inset, colour in ((0.5, GROUND), (3.5, INK)):
            outline = box(x - wide / 2 + inset, y + tall / 2 - inset, wide - 2 * inset, tall - 2 * inset)
            sheet.shape(outline, "none", colour)
    else:
        sheet.ring(x, y, 15)
    sheet.ringed(words, square=grid.framed)


def warm(chances: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """The colours of chances, and of a pixel without one (NaN) that of the ground: their shape and (3,)."""
    empty = np.isnan(chances)
    colours = heat(np.where(empty, 0, chances))
    colours[empty] = rgb(GROUND)
    return colours
