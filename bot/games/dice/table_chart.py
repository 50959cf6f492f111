"""The picture of a table of chances: every size of attack against every size of defence, with contours."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bot.charts.bars import space_apart
from bot.charts.grid import Grid, draw_grid, mark_cell, write_in_cell
from bot.charts.shapes import line
from bot.charts.sheet import Sheet, new_sheet
from bot.charts.style import APART, GROUND, INK, QUIET, RIGHT, chance_colours, rgb
from bot.languages import _, in_percent
from bot.words.numbers import attackers_with, short_percent, unsure_percent
from solver.dice.sizes import MARKS

ROUNDING = 1e-12


class Exit(NamedTuple):
    """The place where a contour leaves the map, at the top or else to the right, and the contour's name."""

    words: str
    x: float
    y: float
    top: bool


def draw_table(title: str, chances: npt.NDArray[np.float64], ring: tuple[int, int] | None, behind: int = 0) -> bytes:
    """Return the picture of a table of chances as PNG.

    `chances[a, d]` is the chance that a attackers win against d defenders, of shape (A + 1, D + 1) with A and D at
    least 1; row and column 0 are not shown. `ring` is the (attackers, defenders) that the reader asked for.
    `behind` more attackers stay behind; the axis counts them too.
    """
    wins = np.asarray(chances, dtype=np.float64)[1:, 1:]
    grid = Grid(low=(1 + behind, 1), cells=(wins.shape[0], wins.shape[1]))
    sheet = new_sheet(title)
    pixels = grid.pixel_values(wins)
    upwards = draw_grid(sheet, grid, _colours_with_contours(pixels), attackers_with(behind), _("defenders"))
    shown = _("attacker's chance to win, in %") if grid.roomy else _("attacker's chance to win")
    text, room = sheet.write(RIGHT, 80, shown, align="right"), RIGHT - sheet.extent(upwards).right - APART
    if sheet.width(text) > room:
        text.set_text(_("chance to win, in %") if grid.roomy else _("chance to win"))
    sheet.fit(text, room)
    _name_contours(sheet, grid, pixels)
    if grid.roomy:
        for (attackers, defenders), chance in np.ndenumerate(wins):
            write_in_cell(sheet, grid, (attackers + 1 + behind, defenders + 1), short_percent(chance), chance)
    if ring and 1 <= ring[0] <= wins.shape[0] and 1 <= ring[1] <= wins.shape[1]:
        cell = ring[0] + behind, ring[1]
        sizes = _("{attackers} against {defenders}", attackers=cell[0], defenders=cell[1])
        mark_cell(sheet, grid, cell, f"{sizes}: {unsure_percent(chances[ring])}")
    return sheet.png()


def _colours_with_contours(pixels: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """Return the colours of the map, with a light line between dark rims along each contour."""
    level = sum((pixels >= contour - ROUNDING).astype(np.int8) for contour in MARKS)
    core, rim = np.zeros(pixels.shape, bool), np.zeros(pixels.shape, bool)
    for axis in (0, 1):
        edge = np.diff(level, axis=axis) != 0
        for side in _sides(core, axis):
            side |= edge
    for axis in (0, 1):
        for side, neighbour in zip(_sides(rim, axis), reversed(_sides(core, axis)), strict=True):
            side |= neighbour
    colours = chance_colours(pixels)
    # The rim separates the line from bright cells.
    colours[rim] = rgb(GROUND)
    colours[core] = rgb(INK)
    return colours


def _sides(pixels: npt.NDArray[np.bool_], axis: int) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Return views of all pixels but the last along an axis, and of their neighbours: all but the first."""
    return (pixels[:-1], pixels[1:]) if axis == 0 else (pixels[:, :-1], pixels[:, 1:])


def _name_contours(sheet: Sheet, grid: Grid, pixels: npt.NDArray[np.float64]) -> None:
    """Write the chance of each contour where it leaves the map, in order and without overlaps."""
    places = [_exit(grid, pixels >= contour - ROUNDING, in_percent(f"{100 * contour:.0f}")) for contour in MARKS]
    exits = [at for at in places if at]
    above = sorted((at for at in exits if at.top), key=lambda at: at.x)
    beside = sorted((at for at in exits if not at.top), key=lambda at: at.y)
    for at, x in zip(above, space_apart([at.x for at in above], 86, 150, grid.right + 40), strict=True):
        sheet.write(x, grid.top - 35, at.words)
        sheet.add_shape(line(at.x, at.y, x, grid.top - 18), QUIET)
    for at, y in zip(beside, space_apart([at.y for at in beside], 36, grid.top + 12, grid.bottom - 12), strict=True):
        sheet.write(grid.right + 20, y, at.words, align="left")
        sheet.add_shape(line(at.x, at.y, grid.right + 12, y), QUIET)


def _exit(grid: Grid, above: npt.NDArray[np.bool_], words: str) -> Exit | None:
    """Return the exit of a contour; one that stays inside the map is named at the top, from a place on it."""
    if above.all() or not above.any():
        return None
    across, down = np.diff(above, axis=1), np.diff(above, axis=0)
    if across[0].any():
        return Exit(words, grid.left + 1 + int(across[0].argmax()), grid.top, top=True)
    if down[:, -1].any():
        return Exit(words, grid.right, grid.top + 1 + int(down[:, -1].argmax()), top=False)
    row, column = np.argwhere(down if down.any() else across)[0]
    return Exit(words, grid.left + 1 + int(column), grid.top + 1 + int(row), top=True)
