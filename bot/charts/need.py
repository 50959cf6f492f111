"""The picture of a need: a side's chance to succeed as a curve over the number of its armies, or over their cost."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

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

Side = Literal["attackers", "defenders"]


class Curve(NamedTuple):
    """The chance of every count, and its place in pixels from the top left.

    `unit` is the name of the money that is counted, empty if armies are. `behind` of the attackers stay behind.
    """

    side: Side
    counts: npt.NDArray[np.int64]
    chances: npt.NDArray[np.float64]
    x: npt.NDArray[np.float64]
    y: npt.NDArray[np.float64]
    unit: str = ""
    behind: int = 0

    @property
    def colour(self) -> str:
        """The colour of its side."""
        return ATTACKER if self.side == "attackers" else DEFENDER

    @property
    def dotted(self) -> bool:
        """Whether every count has room for a dot."""
        return len(self.counts) <= MOST_DOTS and not self.unit

    def reach(self, chance: float) -> int | None:
        """Return the index of the least count with this chance; None if no count has it."""
        reached = self.chances >= chance - ROUNDING
        return int(reached.argmax()) if reached.any() else None


def draw_need(
    title: str,
    side: Side,
    counts: Sequence[int],
    chances: Sequence[float],
    asked: float,
    answer: int | None,
    here: int | None,
    behind: int = 0,
) -> bytes:
    """Return the picture of the armies that a side needs as PNG.

    `chances` are the side's chances to succeed with each of the increasing `counts`. `answer` is the least count with
    the chance `asked`, None if no count has it; `here` is the count that the reader has. The counts include the
    attackers who stay `behind`.
    """
    attacks = side == "attackers"
    succeeds = _("chance to win") if attacks else _("chance to hold")
    return _draw_curve(title, _curve(side, counts, chances)._replace(behind=behind), succeeds, asked, answer, here)


def draw_bring(
    title: str,
    side: Side,
    costs: Sequence[int],
    chances: Sequence[float],
    asked: float,
    answer: int | None,
    to_succeed: str,
    counted: str = "IPC",
) -> bytes:
    """Return the picture of the army to bring as PNG: the best chance `to_succeed` for each amount of money.

    `answer` is the least of the increasing `costs` with the chance `asked`, None if no cost has it. `counted` is the
    name of the money.
    """
    curve = _curve(side, costs, chances)._replace(unit=counted)
    return _draw_curve(title, curve, _("best chance {to_succeed}", to_succeed=to_succeed), asked, answer, answer)


def _draw_curve(title: str, curve: Curve, succeeds: str, asked: float, answer: int | None, here: int | None) -> bytes:
    """Return the picture of a curve as PNG; `succeeds` is the name of the chance, the rest as for `draw_need`."""
    sheet = new_sheet(title)
    wanted = in_percent(short_number(100 * asked, 6))
    head = _("{chance} is out of reach", chance=wanted)
    if answer is not None:
        head = _("{many} for {chance}", many=_count_in_words(answer, curve), chance=wanted)
    sheet.write_line(WIDTH / 2, 100, head, (54, 48, 40, 32, SMALL), curve.colour, "bold")
    sheet.write(LEFT, 164, succeeds, align="left")
    marks = sorted({asked, *(mark for mark in MARKS if abs(mark - asked) > 1e-9)}, reverse=True)
    curve = _starting_at(curve, _name_marks(sheet, curve, marks, asked))
    for mark in marks:
        _draw_mark(sheet, curve, mark, mark == asked)
    _draw_chances(sheet, curve)
    _write_axis(sheet, curve)
    if here is not None and here in curve.counts:
        ringed = int(np.searchsorted(curve.counts, here))
        sheet.add_ring(curve.x[ringed], curve.y[ringed], 15)
        sheet.write_ring_legend(f"{_count_in_words(here, curve)}: {unsure_percent(curve.chances[ringed])}")
    return sheet.png()


def _count_in_words(count: int, curve: Curve) -> str:
    """Write a count: "1 attacker", "13 attackers", "52 IPC"."""
    if curve.unit:
        return f"{count} {curve.unit}"
    if curve.side == "attackers":
        return _n("{n} attacker", "{n} attackers", count)
    return _n("{n} defender", "{n} defenders", count)


def _curve(side: Side, counts: Sequence[int], chances: Sequence[float]) -> Curve:
    """Return the curve of these chances at its usual place."""
    many, chance = np.array(counts, dtype=np.int64), np.array(chances, dtype=np.float64)
    return _starting_at(Curve(side, many, chance, many.astype(float), BASE - (BASE - TOP) * chance), START)


def _starting_at(curve: Curve, start: float) -> Curve:
    """Return the curve with its first count at this place."""
    along = curve.counts - curve.counts[0]
    return curve._replace(x=start + along * min((END - start) / max(int(along[-1]), 1), WIDEST))


def _draw_chances(sheet: Sheet, curve: Curve) -> None:
    """Draw a dot for every count, or steps if they are too many: the attacker's solid, the defender's hollow."""
    attacks = curve.side == "attackers"
    if curve.dotted:
        for x, y in zip(curve.x.tolist(), curve.y.tolist(), strict=True):
            if attacks:
                sheet.add_shape(circle(x, y, DOT), curve.colour)
            else:
                sheet.add_shape(circle(x, y, DOT - EDGE / 2), GROUND, curve.colour)
        return
    steps = _steps(curve)
    for thick, colour in ((6.0, curve.colour),) if attacks else ((10.0, curve.colour), (4.0, GROUND)):
        for left, top, right, bottom in steps:
            half = thick / 2
            sheet.add_shape(box(left - half, bottom + half, right - left + thick, bottom - top + thick), colour)


def _steps(curve: Curve) -> list[Box]:
    """Return the curve as level and upright lines; each count's chance holds until the next one.

    Lines begin and end at whole pixels, so no seam is visible between two of them.
    """
    shown = np.unique(np.rint(np.linspace(0, len(curve.counts) - 1, MOST_STEPS)).astype(int))
    places = np.rint(np.column_stack([curve.x, curve.y])[shown])
    turns = np.flatnonzero(np.diff(places[:, 1], prepend=-1))
    steps = []
    for (x, y), (next_x, next_y) in pairwise([*places[turns].tolist(), places[-1].tolist()]):
        steps += [Box(x, y, next_x, y), Box(next_x, min(y, next_y), next_x, max(y, next_y))]
    return steps


def _write_axis(sheet: Sheet, curve: Curve) -> None:
    """Draw the line at the bottom with its counts."""
    sheet.add_shape(box(LEFT, BASE + 14, RIGHT - LEFT, 2), QUIET)
    first, last = int(curve.counts[0]), int(curve.counts[-1])
    ticks = [count for count in round_ticks(first, last, MOST_TICKS) if first <= count <= last]
    places = np.interp(ticks, curve.counts, curve.x).tolist()
    sheet.write_ticks(BASE + 36, [(place, str(count)) for place, count in zip(places, ticks, strict=True)])
    words = curve.unit or (attackers_with(curve.behind) if curve.side == "attackers" else _("defenders"))
    sheet.write(RIGHT, 562, words, colour=curve.colour, align="right")


def _name_marks(sheet: Sheet, curve: Curve, marks: Sequence[float], asked: float) -> float:
    """Write each chance, the highest at the top, and the least count that has it. Return the start of the curve."""
    end, levels = START - LEADER - DOT, [_level(mark) for mark in marks]
    places = space_apart(levels, GAP, TOP, BASE)
    for mark, place in zip(marks, places, strict=True):
        index, bold = curve.reach(mark), mark == asked
        words = in_percent(short_number(100 * mark, 6)) + ("" if index is None else f": {curve.counts[index]}")
        weight = "bold" if bold else "normal"
        text = sheet.write(LEFT, place, words, colour=INK if bold else QUIET, weight=weight, align="left")
        end = max(end, sheet.extent(text).right + 4)
    for mark, level, place in zip(marks, levels, places, strict=True):
        thick, colour = (4, INK) if mark == asked else (2, QUIET)
        sheet.add_shape(line(end, place, end + LEADER, level, thick), colour)
    return end + LEADER + DOT


def _level(chance: float) -> float:
    """Return the place of a chance in whole pixels from the top."""
    return round(BASE - (BASE - TOP) * chance)


def _draw_mark(sheet: Sheet, curve: Curve, chance: float, asked: bool) -> None:
    """Draw a line at this chance up to the count that has it, and from there down to the axis."""
    index, y = curve.reach(chance), _level(chance)
    start, end = float(curve.x[0]) - DOT, END + DOT if index is None else float(curve.x[index])
    thick, colour = (4, INK) if asked else (2, QUIET)
    sheet.add_shape(box(start, y + thick / 2, end - start, thick), colour)
    if index is not None:
        top = float(curve.y[index])
        sheet.add_shape(box(round(end) - thick / 2, BASE + 14, thick, BASE + 14 - top), colour)
