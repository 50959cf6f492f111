"""The picture of two numbers that change with a third, such as the chance to win and the price with each `stop:`."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from bot.charts import Curves
from bot.charts.bars import round_ticks
from bot.charts.shapes import box, circle, line
from bot.charts.sheet import Sheet, new_sheet
from bot.charts.style import ATTACKER, EDGE, GROUND, INK, LEFT, QUIET, RIGHT
from bot.languages import in_percent, number

START, END, TOP, BASE = 132.0, 668.0, 196.0, 492.0
LEVELS = (0.0, 0.5, 1.0)
"""The shares with a line across the plot."""
MOST_TICKS, DOT, THICK, NAME = 6, 9.0, 6.0, 34.0


def draw_curves(curves: Curves) -> bytes:
    """Return the picture of both curves as PNG: an orange one with full dots, and a white one with hollow dots."""
    sheet, steps = new_sheet(curves.title), np.array(curves.steps, dtype=float)
    places = np.interp(steps, [steps[0], max(steps[-1], steps[0] + 1)], [START, END]).tolist()
    for share in LEVELS:
        y = _level(share)
        sheet.add_shape(box(START - 12, y + 1, END - START + 24, 2), QUIET)
        sheet.write(START - 22, y, in_percent(number(100 * share, 0)), colour=QUIET, align="right")
        if curves.whole is not None:
            sheet.write(END + 22, y, f"{share * curves.whole:g}", colour=INK, align="left")
    _draw_curve(sheet, places, curves.shares, INK, hollow=True)
    _draw_curve(sheet, places, curves.chances, ATTACKER, hollow=False)
    for row, (name, colour, hollow) in enumerate(zip(curves.names, (ATTACKER, INK), (False, True), strict=True)):
        y = 96 + 40 * row
        _add_dot(sheet, LEFT + DOT, y, colour, hollow)
        sheet.fit(sheet.write(LEFT + NAME, y, name, colour=colour, align="left"), RIGHT - LEFT - NAME)
    first, last = curves.steps[0], curves.steps[-1]
    ticks = [tick for tick in round_ticks(first, last, MOST_TICKS) if first <= tick <= last]
    along = np.interp(ticks, steps, places).tolist()
    sheet.write_ticks(BASE + 38, [(x, str(tick)) for x, tick in zip(along, ticks, strict=True)])
    sheet.fit(sheet.write(RIGHT, 584, curves.axis, colour=QUIET, align="right"), RIGHT - LEFT)
    return sheet.png()


def _level(share: float) -> float:
    """Return the place of a share from the top."""
    return round(BASE - (BASE - TOP) * share)


def _draw_curve(sheet: Sheet, places: Sequence[float], shares: Sequence[float], colour: str, hollow: bool) -> None:
    """Draw a line through the shares at these places, and a dot for each."""
    points = [(x, BASE - (BASE - TOP) * share) for x, share in zip(places, shares, strict=True)]
    for here, there in pairwise(points):
        sheet.add_shape(line(*here, *there, thick=THICK), colour)
    for x, y in points:
        _add_dot(sheet, x, y, colour, hollow)


def _add_dot(sheet: Sheet, x: float, y: float, colour: str, hollow: bool) -> None:
    """Draw a dot, hollow or full."""
    sheet.add_shape(circle(x, y, DOT - EDGE / 2 if hollow else DOT), GROUND if hollow else colour, colour)
