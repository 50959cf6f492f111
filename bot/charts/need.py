"""How many are needed as a picture: the chance that a side succeeds, over how many it has, or what they cost."""

from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from bot.charts.style import (
    ATTACKER,
    DEFENDER,
    EDGE,
    GROUND,
    HEIGHT,
    INK,
    LEFT,
    QUIET,
    RIGHT,
    SMALL,
    WIDTH,
    Box,
    Sheet,
    box,
    circle,
    new_sheet,
    round_ticks,
)
from bot.languages import _, _n, in_percent, shortest
from bot.wording import attackers_with, uncertain
from solver.tables import MARKS

MOST_DOTS, MOST_STEPS, MOST_TICKS = 36, 240, 5
START, END, TOP, BASE, WIDEST = 60.0, 600.0, 206.0, 484.0, 130.0
"""Right of the end there is room for the words of a mark that the curve crosses there, or never."""
DOT = 8.0
ROUNDING = 1e-12
MOVES = sorted(
    product(range(-540, 330, 12), range(-64, 260, 4)), key=lambda by: abs(by[0]) + 2 * abs(by[1]) + 400 * (by[0] < 0)
)
"""Where words may go, by how far it is to the right and down: to the left of a curve only if all else is taken."""

Side = Literal["attackers", "defenders"]


class Curve(NamedTuple):
    """A chance for every count, and where each is drawn: pixels from the top left, as every place here.

    `unit` is what is counted, where that is not the side's armies: money. `behind` of the attackers stay behind.
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
        """Whether there is room for a dot for every count."""
        return len(self.counts) <= MOST_DOTS and not self.unit

    def reach(self, chance: float) -> int | None:
        """The place in `counts` of the least one with this chance; None where there is none."""
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
    """The picture of how many it takes, as PNG.

    `chances` are those that the side succeeds with each of the increasing `counts`. `answer` is the least count with
    the chance `asked`, None where no count has it; `here` is the count that the reader has.
    So many attackers `behind` stay behind; they are among the counts.
    """
    attacks = side == "attackers"
    succeeds = _("chance that the attacker takes it") if attacks else _("chance that the defender holds")
    return _drawn(title, _curve(side, counts, chances)._replace(behind=behind), succeeds, asked, answer, here)


def draw_bring(
    title: str,
    side: Side,
    costs: Sequence[int],
    chances: Sequence[float],
    asked: float,
    answer: int | None,
    succeeds: str,
    counted: str = "IPC",
) -> bytes:
    """The picture of which army to bring, as PNG: the best chance that so much money buys, which `succeeds` names.

    `answer` is the least of the increasing `costs` with the chance `asked`, None where there is none. `counted` is what
    that money is called.
    """
    curve = _curve(side, costs, chances)._replace(unit=counted)
    return _drawn(title, curve, _("best chance that it {succeeds}", succeeds=succeeds), asked, answer, answer)


def _drawn(title: str, curve: Curve, succeeds: str, asked: float, answer: int | None, here: int | None) -> bytes:
    sheet = new_sheet(title)
    wanted = in_percent(shortest(100 * asked, 6))
    head = _("{chance} is out of reach", chance=wanted)
    if answer is not None:
        head = _("{many} for {chance}", many=_so_many(answer, curve), chance=wanted)
    sheet.fitted(WIDTH / 2, 100, head, (54, 48, 40, 32, SMALL), curve.colour, "bold")
    sheet.fitted(WIDTH / 2, 156, succeeds, (SMALL,), QUIET)
    marks = sorted({asked, *(mark for mark in MARKS if abs(mark - asked) > 1e-9)})
    lines = {mark: _line(sheet, curve, mark, mark == asked) for mark in marks}
    _draw(sheet, curve)
    _axis(sheet, curve)
    ringed = None
    if here is not None and here in curve.counts:
        ringed = int(np.searchsorted(curve.counts, here))
        sheet.ring(curve.x[ringed], curve.y[ringed], 15)
        sheet.ringed(f"{_so_many(here, curve)}: {uncertain(curve.chances[ringed])}")
    _name(sheet, curve, lines, asked, ringed)
    return sheet.png()


def _so_many(count: int, curve: Curve) -> str:
    """A number of a side, or of its money: "1 attacker", "13 attackers", "52 IPC"."""
    if curve.unit:
        return f"{count} {curve.unit}"
    if curve.side == "attackers":
        return _n("{n} attacker", "{n} attackers", count)
    return _n("{n} defender", "{n} defenders", count)


def _curve(side: Side, counts: Sequence[int], chances: Sequence[float]) -> Curve:
    """The curve in its place."""
    many, chance = np.array(counts, dtype=np.int64), np.array(chances, dtype=np.float64)
    pitch = min((END - START) / max(int(many[-1] - many[0]), 1), WIDEST)
    return Curve(side, many, chance, START + (many - many[0]) * pitch, BASE - (BASE - TOP) * chance)


def _draw(sheet: Sheet, curve: Curve) -> None:
    """A dot for every count, or steps where they are too many; the attacker's solid, the defender's hollow."""
    attacks = curve.side == "attackers"
    if curve.dotted:
        for x, y in zip(curve.x.tolist(), curve.y.tolist(), strict=True):
            if attacks:
                sheet.shape(circle(x, y, DOT), curve.colour)
            else:
                sheet.shape(circle(x, y, DOT - EDGE / 2), GROUND, curve.colour)
        return
    steps = _steps(curve)
    for thick, colour in ((6.0, curve.colour),) if attacks else ((10.0, curve.colour), (4.0, GROUND)):
        for left, top, right, bottom in steps:
            half = thick / 2
            sheet.shape(box(left - half, bottom + half, right - left + thick, bottom - top + thick), colour)


def _steps(curve: Curve) -> list[Box]:
    """The curve as level and upright lines; each count's chance holds until the next one.

    They begin and end at whole pixels: so no seam is seen where one meets another.
    """
    shown = np.unique(np.rint(np.linspace(0, len(curve.counts) - 1, MOST_STEPS)).astype(int))
    places = np.rint(np.column_stack([curve.x, curve.y])[shown])
    turns = np.flatnonzero(np.diff(places[:, 1], prepend=-1))
    steps = []
    for (x, y), (next_x, next_y) in pairwise([*places[turns].tolist(), places[-1].tolist()]):
        steps += [Box(x, y, next_x, y), Box(next_x, min(y, next_y), next_x, max(y, next_y))]
    return steps


def _axis(sheet: Sheet, curve: Curve) -> None:
    """The line at the bottom with its counts."""
    sheet.shape(box(LEFT, BASE + 14, RIGHT - LEFT, 2), QUIET)
    first, last = int(curve.counts[0]), int(curve.counts[-1])
    ticks = [count for count in round_ticks(first, last, MOST_TICKS) if first <= count <= last]
    places = np.interp(ticks, curve.counts, curve.x).tolist()
    sheet.ticks(BASE + 36, [(place, str(count)) for place, count in zip(places, ticks, strict=True)])
    words = curve.unit or (attackers_with(curve.behind) if curve.side == "attackers" else _("defenders"))
    sheet.text(RIGHT, 562, words, colour=curve.colour, align="right")


def _line(sheet: Sheet, curve: Curve, chance: float, asked: bool) -> Box:
    """The level of a chance, up to where the curve reaches it."""
    index = curve.reach(chance)
    end = float(curve.x[-1 if index is None else index])
    y = round(BASE - (BASE - TOP) * chance)
    sheet.shape(box(LEFT, y + 2, end - LEFT, 4) if asked else box(LEFT, y + 1, end - LEFT, 2), INK if asked else QUIET)
    return Box(LEFT, y - 2, end, y + 2)


def _name(sheet: Sheet, curve: Curve, lines: Mapping[float, Box], asked: float, here: int | None) -> None:
    """Write each chance, and the least count that has it, right of where it is reached and below its line.

    There a rising curve leaves room. Where others are in the way the words move on; if there is no room they are left
    out: the one asked for is named first, and stands in the headline anyway.
    """
    taken = [*lines.values(), *_obstacles(curve)]
    if here is not None:
        x, y = curve.x[here], curve.y[here]
        taken.append(Box(x - 18, y - 18, x + 18, y + 18))
    for chance in sorted(lines, key=lambda chance: (chance != asked, -chance)):
        index, bold = curve.reach(chance), chance == asked
        words = in_percent(shortest(100 * chance, 6)) + (
            "" if index is None else f": {curve.counts[index]} {curve.unit}".rstrip()
        )
        text = sheet.text(0, 0, words, colour=INK if bold else QUIET, weight="bold" if bold else "normal", align="left")
        size = sheet.extent(text)
        wide, tall = size.right - size.left, size.bottom - size.top
        place = _room(lines[chance].right + 14, lines[chance].bottom + 2, wide, tall, np.array(taken))
        if place is None:
            text.set_text("")
            continue
        text.set_position((place.left / WIDTH, 1 - (place.top + tall / 2) / HEIGHT))
        taken.append(place)


def _obstacles(curve: Curve) -> list[Box]:
    """What the curve covers."""
    if not curve.dotted:
        return [Box(step.left - 6, step.top - 6, step.right + 6, step.bottom + 6) for step in _steps(curve)]
    around = zip(curve.x.tolist(), curve.y.tolist(), strict=True)
    return [Box(x - DOT - 2, y - DOT - 2, x + DOT + 2, y + DOT + 2) for x, y in around]


def _room(left: float, top: float, wide: float, tall: float, taken: npt.NDArray[np.float64]) -> Box | None:
    """The nearest free place for words to the right of a place and below it, or else wherever there is one."""
    for across, down in MOVES:
        spot = Box(left + across, top + down, left + across + wide, top + down + tall)
        if spot.left < LEFT or spot.right > RIGHT + 12 or spot.bottom > BASE + 10 or spot.top < TOP - 30:
            continue
        apart = (taken[:, 0] >= spot.right) | (taken[:, 2] <= spot.left)
        if (apart | (taken[:, 1] >= spot.bottom) | (taken[:, 3] <= spot.top)).all():
            return spot
    return None
