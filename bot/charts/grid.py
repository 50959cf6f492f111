"""A heat map: cells in the colours of their chances, numbers in them if they fit, and a ring around one."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bot.charts.bars import round_ticks
from bot.charts.shapes import box
from bot.charts.sheet import Sheet
from bot.charts.style import ATTACKER, DEFENDER, GROUND, INK, LEFT, QUIET
from bot.charts.words import Words

MOST_TICKS = 5
ROOMY, TALL = 66, 40
"""The least width and height of a cell with a number in it, pixels."""
DARK_INK_ABOVE = 0.2
"""On the cell of a higher chance, dark letters are easier to read than light ones."""


class Grid(NamedTuple):
    """A grid with a cell for each count of attackers, to the right, and of defenders, upwards.

    `low` holds the counts of the cell at the bottom left, `cells` the numbers of cells, each with attackers first.
    Places are in pixels from the top left.
    """

    low: tuple[int, int]
    cells: tuple[int, int]
    left: int = 100
    top: int = 146
    width: int = 590
    height: int = 350

    @property
    def right(self) -> int:
        """The right edge of the last column."""
        return self.left + self.width

    @property
    def bottom(self) -> int:
        """The lower edge of the lowest row."""
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
        """Whether a cell is so large that a frame along its edge marks it; a ring marks a smaller one."""
        return min(self.pitch) >= 30

    def centre(self, attackers: int, defenders: int) -> tuple[float, float]:
        """Return the middle of a cell."""
        wide, tall = self.pitch
        return (
            self.left + (attackers - self.low[0] + 0.5) * wide,
            self.bottom - (defenders - self.low[1] + 0.5) * tall,
        )

    def pixel_values(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return for every pixel [down, right] the value of its cell [attackers, defenders]."""
        columns, rows = self.cells
        right = ((np.arange(self.width) + 0.5) * columns / self.width).astype(int)
        down = rows - 1 - ((np.arange(self.height) + 0.5) * rows / self.height).astype(int)
        pixels: npt.NDArray[np.float64] = values[right[None, :], down[:, None]]
        return pixels


def draw_grid(sheet: Sheet, grid: Grid, colours: npt.NDArray[np.uint8], across: str, upwards: str) -> Words:
    """Draw a map of these pixels, and its axes with their names; return the upper name, which is above the map."""
    sheet.add_image(grid.left, grid.top, colours)
    (leftmost, lowest), (columns, rows) = grid.low, grid.cells
    attackers = round_ticks(leftmost, leftmost + columns - 1, MOST_TICKS)
    sheet.write_ticks(grid.bottom + 24, [(grid.centre(count, lowest)[0], str(count)) for count in attackers])
    for count in round_ticks(lowest, lowest + rows - 1, MOST_TICKS):
        sheet.write(grid.left - 12, grid.centre(leftmost, count)[1], str(count), colour=QUIET, align="right")
    sheet.write(grid.right, grid.bottom + 58, across, colour=ATTACKER, align="right")
    return sheet.write(LEFT, 80, upwards, colour=DEFENDER, align="left")


def write_in_cell(sheet: Sheet, grid: Grid, cell: tuple[int, int], words: str, chance: float) -> None:
    """Write into a cell that has the colour of this chance."""
    x, y = grid.centre(*cell)
    sheet.write(x, y, words, colour=GROUND if chance > DARK_INK_ABOVE else INK)


def mark_cell(sheet: Sheet, grid: Grid, cell: tuple[int, int], words: str) -> None:
    """Frame a large cell or ring a small one, and explain it in these words."""
    (x, y), (wide, tall) = grid.centre(*cell), grid.pitch
    if grid.framed:
        for inset, colour in ((0.5, GROUND), (3.5, INK)):
            outline = box(x - wide / 2 + inset, y + tall / 2 - inset, wide - 2 * inset, tall - 2 * inset)
            sheet.add_shape(outline, "none", colour)
    else:
        sheet.add_ring(x, y, 15)
    sheet.write_ring_legend(words, square=grid.framed)
