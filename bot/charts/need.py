"""The picture of a need: a side's chance to succeed as a curve over the number of its armies, or over their cost."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bot.charts import NeedCurve
from bot.charts.bars import round_ticks, space_apart
from bot.charts.shapes import Box, box, circle, line
from bot.charts.sheet import Sheet, new_sheet
from bot.charts.style import ATTACKER, DEFENDER, EDGE, GROUND, INK, LEFT, QUIET, RIGHT, SMALL, WIDTH
from bot.languages import _, _n, in_percent, short_number
from bot.words.numbers import attackers_with, unsure_percent
from solver.dice.sizes import MARKS

MOST_DOTS, MOST_STEPS, MOST_TICKS = 36, 240, 5
START, END, TOP, BASE, WIDEST = 186.0, 764.0, 212.0, 484.0, 130.0
"""The names of the marks have room left of the start; longer names move the start of the curve."""
DOT, GAP, LEADER = 8.0, 30.0, 14.0
ROUNDING = 1e-12


class Plot(NamedTuple):
    """A curve with the place of each count in pixels from the top left."""

    need: NeedCurve
    counts: npt.NDArray[np.int64]
    chances: npt.NDArray[np.float64]
    x: npt.NDArray[np.float64]
    y: npt.NDArray[np.float64]

    @property
    def attacks(self) -> bool:
        """Whether the attacker asks."""
        return self.need.side == "attackers"

    @property
    def colour(self) -> str:
        """The colour of its side."""
        return ATTACKER if self.attacks else DEFENDER

    @property
    def dotted(self) -> bool:
        """Whether every count has room for a dot."""
        return len(self.counts) <= MOST_DOTS and not self.need.money

    def reach(self, chance: float) -> int | None:
        """Return the index of the least count with this chance; None if no count has it."""
        reached = self.chances >= chance - ROUNDING
        return int(reached.argmax()) if reached.any() else None

    def count_in_words(self, count: int) -> str:
        """Write a count: "1 attacker", "13 attackers", "52 IPC"."""
        if self.need.money:
            return f"{count} {self.need.money}"
        if self.attacks:
            return _n("{n} attacker", "{n} attackers", count)
        return _n("{n} defender", "{n} defenders", count)


def draw_need(need: NeedCurve) -> bytes:
    """Return the picture of the armies that a side needs, or of the best chance for each amount of money, as PNG."""
    sheet, plot, goal = new_sheet(need.title), plot_curve(need, START), need.goal
    wanted = in_percent(short_number(100 * goal, 6))
    head = _("{chance} is out of reach", chance=wanted)
    if need.answer is not None:
        head = _("{many} for {chance}", many=plot.count_in_words(need.answer), chance=wanted)
    sheet.write_line(WIDTH / 2, 100, head, (54, 48, 40, 32, SMALL), plot.colour, "bold")
    succeeds = _("chance to win") if plot.attacks else _("chance to hold")
    sheet.write(LEFT, 164, need.succeeds or succeeds, align="left")
    marks = sorted({goal, *(mark for mark in MARKS if abs(mark - goal) > 1e-9)}, reverse=True)
    plot = plot_curve(need, _name_marks(sheet, plot, marks))
    for mark in marks:
        _draw_mark(sheet, plot, mark)
    _draw_chances(sheet, plot)
    _write_axis(sheet, plot)
    if need.here is not None and need.here in plot.counts:
        ringed = int(np.searchsorted(plot.counts, need.here))
        sheet.add_ring(plot.x[ringed], plot.y[ringed], 15)
        sheet.write_ring_legend(f"{plot.count_in_words(need.here)}: {unsure_percent(plot.chances[ringed])}")
    return sheet.png()


def plot_curve(need: NeedCurve, start: float) -> Plot:
    """Return the curve with its first count at this place."""
    counts, chances = np.array(need.counts, dtype=np.int64), np.array(need.chances, dtype=np.float64)
    along = counts - counts[0]
    x = start + along * min((END - start) / max(int(along[-1]), 1), WIDEST)
    return Plot(need, counts, chances, x, BASE - (BASE - TOP) * chances)


def _draw_chances(sheet: Sheet, plot: Plot) -> None:
    """Draw a dot for every count, or steps if they are too many: the attacker's solid, the defender's hollow."""
    if plot.dotted:
        for x, y in zip(plot.x.tolist(), plot.y.tolist(), strict=True):
            if plot.attacks:
                sheet.add_shape(circle(x, y, DOT), plot.colour)
            else:
                sheet.add_shape(circle(x, y, DOT - EDGE / 2), GROUND, plot.colour)
        return
    steps = _steps(plot)
    for thick, colour in ((6.0, plot.colour),) if plot.attacks else ((10.0, plot.colour), (4.0, GROUND)):
        for left, top, right, bottom in steps:
            half = thick / 2
            sheet.add_shape(box(left - half, bottom + half, right - left + thick, bottom - top + thick), colour)


def _steps(plot: Plot) -> list[Box]:
    """Return the curve as level and upright lines; each count's chance holds until the next one.

    Lines begin and end at whole pixels, so no seam is visible between two of them.
    """
    shown = np.unique(np.rint(np.linspace(0, len(plot.counts) - 1, MOST_STEPS)).astype(int))
    places = np.rint(np.column_stack([plot.x, plot.y])[shown])
    turns = np.flatnonzero(np.diff(places[:, 1], prepend=-1))
    steps = []
    for (x, y), (next_x, next_y) in pairwise([*places[turns].tolist(), places[-1].tolist()]):
        steps += [Box(x, y, next_x, y), Box(next_x, min(y, next_y), next_x, max(y, next_y))]
    return steps


def _write_axis(sheet: Sheet, plot: Plot) -> None:
    """Draw the line at the bottom with its counts."""
    sheet.add_shape(box(LEFT, BASE + 14, RIGHT - LEFT, 2), QUIET)
    first, last = int(plot.counts[0]), int(plot.counts[-1])
    ticks = [count for count in round_ticks(first, last, MOST_TICKS) if first <= count <= last]
    places = np.interp(ticks, plot.counts, plot.x).tolist()
    sheet.write_ticks(BASE + 36, [(place, str(count)) for place, count in zip(places, ticks, strict=True)])
    words = plot.need.money or (attackers_with(plot.need.behind) if plot.attacks else _("defenders"))
    sheet.write(RIGHT, 562, words, colour=plot.colour, align="right")


def _name_marks(sheet: Sheet, plot: Plot, marks: Sequence[float]) -> float:
    """Write each chance, the highest at the top, and the least count that has it. Return the start of the plot."""
    end, levels = START - LEADER - DOT, [_level(mark) for mark in marks]
    places = space_apart(levels, GAP, TOP, BASE)
    for mark, place in zip(marks, places, strict=True):
        index, bold = plot.reach(mark), mark == plot.need.goal
        words = in_percent(short_number(100 * mark, 6)) + ("" if index is None else f": {plot.counts[index]}")
        weight = "bold" if bold else "normal"
        text = sheet.write(LEFT, place, words, colour=INK if bold else QUIET, weight=weight, align="left")
        end = max(end, sheet.extent(text).right + 4)
    for mark, level, place in zip(marks, levels, places, strict=True):
        thick, colour = (4, INK) if mark == plot.need.goal else (2, QUIET)
        sheet.add_shape(line(end, place, end + LEADER, level, thick), colour)
    return end + LEADER + DOT


def _level(chance: float) -> float:
    """Return the place of a chance in whole pixels from the top."""
    return round(BASE - (BASE - TOP) * chance)


def _draw_mark(sheet: Sheet, plot: Plot, chance: float) -> None:
    """Draw a line at this chance up to the count that has it, and from there down to the axis."""
    index, y = plot.reach(chance), _level(chance)
    start, end = float(plot.x[0]) - DOT, END + DOT if index is None else float(plot.x[index])
    thick, colour = (4, INK) if chance == plot.need.goal else (2, QUIET)
    sheet.add_shape(box(start, y + thick / 2, end - start, thick), colour)
    if index is not None:
        top = float(plot.y[index])
        sheet.add_shape(box(round(end) - thick / 2, BASE + 14, thick, BASE + 14 - top), colour)
