"""A table of chances as a picture: every size of attack against every size of defence, and where it turns."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bot.charts.grid import Grid, draw_grid, mark, short_percent, warm, write
from bot.charts.style import APART, GROUND, INK, QUIET, RIGHT, Sheet, line, new_sheet, rgb, spread
from bot.languages import _, in_percent
from bot.wording import attackers_with, uncertain
from solver.tables import MARKS

ROUNDING = 1e-12


class Exit(NamedTuple):
    """A contour's name, and where it leaves the map: at the top, or else to the right."""

    words: str
    x: float
    y: float
    top: bool


def draw_table(title: str, chances: npt.NDArray[np.float64], ring: tuple[int, int] | None, behind: int = 0) -> bytes:
    """The picture of a table of chances, as PNG.

    `chances[a, d]` is the chance that a attackers win against d defenders, of shape (A + 1, D + 1) with A and D at
    least 1; row and column 0 are not shown. `ring` is the (attackers, defenders) the reader asked for. `behind` more
    attackers stay behind, and the reader counts them too.
    """
    wins = np.asarray(chances, dtype=np.float64)[1:, 1:]
    grid = Grid(low=(1 + behind, 1), cells=(wins.shape[0], wins.shape[1]))
    sheet = new_sheet(title)
    pixels = grid.spread(wins)
    upwards = draw_grid(sheet, grid, _contoured(pixels), attackers_with(behind), _("defenders"))
    shown = _("attacker's chance to win, in %") if grid.roomy else _("attacker's chance to win")
    text, room = sheet.text(RIGHT, 80, shown, align="right"), RIGHT - sheet.extent(upwards).right - APART
    if sheet.width(text) > room:
        text.set_text(_("chance to win, in %") if grid.roomy else _("chance to win"))
    sheet.fit(text, room)
    _name_contours(sheet, grid, pixels)
    if grid.roomy:
        for (attackers, defenders), chance in np.ndenumerate(wins):
            write(sheet, grid, (attackers + 1 + behind, defenders + 1), short_percent(chance), chance)
    if ring and 1 <= ring[0] <= wins.shape[0] and 1 <= ring[1] <= wins.shape[1]:
        cell = ring[0] + behind, ring[1]
        sizes = _("{attackers} against {defenders}", attackers=cell[0], defenders=cell[1])
        mark(sheet, grid, cell, f"{sizes}: {uncertain(chances[ring])}")
    return sheet.png()


def _contoured(pixels: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """The colours of the map with a light line, between dark rims, where neighbours lie on two sides of a contour."""
    level = sum((pixels >= contour - ROUNDING).astype(np.int8) for contour in MARKS)
    core, rim = np.zeros(pixels.shape, bool), np.zeros(pixels.shape, bool)
    for axis in (0, 1):
        edge = np.diff(level, axis=axis) != 0
        for side in _sides(core, axis):
            side |= edge
    for axis in (0, 1):
        for side, neighbour in zip(_sides(rim, axis), reversed(_sides(core, axis)), strict=True):
            side |= neighbour
    colours = warm(pixels)
    # The rim parts the line from bright cells.
    colours[rim] = rgb(GROUND)
    colours[core] = rgb(INK)
    return colours


def _sides(pixels: npt.NDArray[np.bool_], axis: int) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """All but the last, and all but the first, along an axis: each pixel beside its neighbour. Both are views."""
    return (pixels[:-1], pixels[1:]) if axis == 0 else (pixels[:, :-1], pixels[:, 1:])


def _name_contours(sheet: Sheet, grid: Grid, pixels: npt.NDArray[np.float64]) -> None:
    """Write the chance of each contour where it leaves the map, in order and apart, however near they come."""
    found = [_exit(grid, pixels >= contour - ROUNDING, in_percent(f"{100 * contour:.0f}")) for contour in MARKS]
    exits = [at for at in found if at]
    above = sorted((at for at in exits if at.top), key=lambda at: at.x)
    beside = sorted((at for at in exits if not at.top), key=lambda at: at.y)
    for at, x in zip(above, spread([at.x for at in above], 86, 150, grid.right + 40), strict=True):
        sheet.text(x, grid.top - 35, at.words)
        sheet.shape(line(at.x, at.y, x, grid.top - 18), QUIET)
    for at, y in zip(beside, spread([at.y for at in beside], 36, grid.top + 12, grid.bottom - 12), strict=True):
        sheet.text(grid.right + 20, y, at.words, align="left")
        sheet.shape(line(at.x, at.y, grid.right + 12, y), QUIET)


def _exit(grid: Grid, above: npt.NDArray[np.bool_], words: str) -> Exit | None:
    """Where a contour leaves the map; where it only turns inside, a place on it, named from above."""
    if above.all() or not above.any():
        return None
    across, down = np.diff(above, axis=1), np.diff(above, axis=0)
    if across[0].any():
        return Exit(words, grid.left + 1 + int(across[0].argmax()), grid.top, top=True)
    if down[:, -1].any():
        return Exit(words, grid.right, grid.top + 1 + int(down[:, -1].argmax()), top=False)
    row, column = np.argwhere(down if down.any() else across)[0]
    return Exit(words, grid.left + 1 + int(column), grid.top + 1 + int(row), top=True)
