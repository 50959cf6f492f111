"""The picture of a battle's course: the attacker's chance to win before the first round and after each one.

The attacker's part is solid below the line, the defender's is empty above it: a higher line is better for the attacker.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest
from typing import NamedTuple

import numpy as np

from bot.charts import Chances, Course
from bot.charts.bars import round_ticks
from bot.charts.shapes import box, circle, line
from bot.charts.sheet import Sheet, the_sheet
from bot.charts.style import APART, ATTACKER, DEFENDER, EDGE, GROUND, HEIGHT, INK, LEFT, QUIET, RIGHT, SMALL, WIDTH
from bot.charts.text import in_two_lines
from bot.languages import N_, _, _n, _p, in_percent, number
from bot.words.numbers import exact_percent, unsure_percent

START, END, TOP, BASE = 96, 640, 230, 482
"""The 50% of the middle is written left of the start, the last chance right of the end."""
MOST_TICKS, MOST_DOTS = 4, 32
DOT, RING, DASH = 6.0, 15.0, 12
ALONE = 6.0
"""The width, to both sides, of a round without known neighbours."""
LEAST_SWING = 0.0005

Point = tuple[float, float]


class Swing(NamedTuple):
    """The round with the largest change of the attacker's chance, and the chances before and after it."""

    number: int
    before: float
    after: float

    @property
    def change(self) -> str:
        """The change in percentage points: "−31", "+0.7"."""
        points = 100 * (self.after - self.before)
        return number(points, 0 if abs(points) >= 9.95 else 1, "+")


def draw_course(course: Course) -> bytes:
    """Return the picture of a battle's course as PNG; there is at least one chance."""
    titles, chances, befores = course.titles, course.chances, course.befores or course.chances[:-1]
    sheet, rounds = the_sheet(), len(chances) - 1
    sheet.clear()
    sheet.write_first_fitting(WIDTH / 2, 36, (*titles, in_two_lines(titles[-1])), (32, SMALL))
    _draw_head(sheet, course)
    for run in _runs(chances, befores):
        _draw_run(sheet, run, dotted=rounds <= MOST_DOTS)
    _draw_middle(sheet, chances, befores)
    sheet.add_shape(box(LEFT, BASE + 2, RIGHT - LEFT, 2), QUIET)
    swing = _largest_swing(chances, befores)
    if swing:
        _mark_swing(sheet, swing, rounds)
    now = chances[-1]
    if now is not None:
        x, y = _place(rounds, now, rounds)
        sheet.add_ring(x, y, RING)
        within = min(max(y, TOP + 8), BASE - 18)
        sheet.write(x + RING + 11, within, exact_percent(now), weight="bold", align="left")
    _write_axis(sheet, rounds, course.marks)
    if chances[0] is not None:
        text = (
            N_("share on average at the start: {chance}")
            if course.is_share
            else N_("attacker's win chance at the start: {chance}")
        )
        began = _(text, chance=exact_percent(chances[0]))
        sheet.write_sentence(606, began, (30, SMALL), weight="bold")
    return sheet.png()


def _place(number: float, chance: float, rounds: int) -> Point:
    """Return the place of the chance after so many rounds."""
    return START + (END - START) * number / max(rounds, 1), BASE - (BASE - TOP) * chance


def _draw_head(sheet: Sheet, course: Course) -> None:
    """Write both chances, or the end of the battle."""
    now, rounds, ended = course.chances[-1], len(course.chances) - 1, course.ended
    if ended:
        colour = INK if course.won is None else ATTACKER if course.won else DEFENDER
        text = sheet.write_line(WIDTH / 2, 104, ended, (60, 54, 48, 40, 32), colour, "bold")
        if text.get_text() == ended:
            sheet.write(WIDTH / 2, 160, _n("after {n} round", "after {n} rounds", rounds), colour=QUIET)
        else:
            text.set_text(in_two_lines(ended))
            text.set_y(1 - 120 / HEIGHT)
            sheet.fit(text, WIDTH - LEFT)
        return
    numbers = ("?", "?") if now is None else (unsure_percent(1 - now), unsure_percent(now))
    if now in (0, 1):
        numbers = exact_percent(1 - now), exact_percent(now)
    names = course.names or (_p("short", "defender holds"), _p("short", "attacker wins"))
    for x, name, chance, colour in zip((614, 186), names, numbers, (DEFENDER, ATTACKER), strict=True):
        sheet.write(x, 104, chance, 64, colour, "bold")
        sheet.fit(sheet.write(x, 160, name, colour=QUIET), 2 * 186)


def _runs(chances: Chances, befores: Chances) -> Iterator[list[Point]]:
    """Yield the places of all rounds with a known chance, in runs without a gap; two where choices have changed it."""
    rounds = len(chances) - 1
    for known, run in groupby(enumerate(zip_longest(chances, befores)), lambda of: of[1][0] is not None):
        if known:
            both = [(number, chance) for number, pair in run for chance in dict.fromkeys(pair)]
            yield [_place(number, chance, rounds) for number, chance in both if chance is not None]


def _draw_run(sheet: Sheet, points: list[Point], dotted: bool) -> None:
    """Draw both parts from the first of these points to the last, and the line between them."""
    dots = points if dotted else []
    if len(points) == 1:
        ((x, y),) = points
        points = [(x - ALONE, y), (x + ALONE, y)]
    first, last, inside = points[0][0], points[-1][0], EDGE / 2
    sheet.add_shape([(x, HEIGHT - y) for x, y in ((first, BASE), *points, (last, BASE))], ATTACKER)
    left, right = first + inside, last - inside
    upper = [(left, points[0][1]), (left, TOP + inside), (right, TOP + inside), (right, points[-1][1])]
    sheet.add_shape([(x, HEIGHT - y) for x, y in (*upper, *reversed(upper))], "none", DEFENDER)
    sheet.add_shape([(x, HEIGHT - y) for x, y in (*points, *reversed(points))], "none", INK)
    for x, y in dots:
        sheet.add_shape(circle(x, y, DOT), INK)


def _draw_middle(sheet: Sheet, chances: Chances, befores: Chances) -> None:
    """Draw a dashed line at a chance of 50%, in a colour that is visible on either part."""
    y = (TOP + BASE) // 2
    sheet.write(START - 16, y, in_percent("50"), colour=QUIET, align="right")
    rounds, places, level = len(chances) - 1, list[float](), list[float]()
    for place, both in enumerate(zip_longest(chances, befores)):
        places += [place, place + 1e-9]
        level += [np.nan if chance is None else chance for chance in both]
    for x in range(START, END, 2 * DASH):
        share = (x + DASH / 2 - START) / (END - START)
        solid = np.interp(share * rounds, places, level) > 0.5 and rounds > 0
        sheet.add_shape(box(x, y + 1, DASH, 2), GROUND if solid else QUIET)


def _largest_swing(chances: Chances, befores: Chances) -> Swing | None:
    """Return the largest change of the chance in one round; None if all are tiny."""
    swings = [
        Swing(number, before, after)
        for number, (before, after) in enumerate(zip(befores, chances[1:], strict=True), start=1)
        if before is not None and after is not None and abs(after - before) >= LEAST_SWING
    ]
    return max(swings, key=lambda swing: abs(swing.after - swing.before), default=None)


def _mark_swing(sheet: Sheet, swing: Swing, rounds: int) -> None:
    """Draw the line of this round thick, and write its change above both parts, with a line down to it."""
    before, after = _place(swing.number - 1, swing.before, rounds), _place(swing.number, swing.after, rounds)
    sheet.add_shape(line(*before, *after, thick=9), INK)
    x, y = round((before[0] + after[0]) / 2), (before[1] + after[1]) / 2
    sheet.add_shape(line(x, TOP - 8, x, y), INK)
    colour = ATTACKER if swing.after > swing.before else DEFENDER
    words = _("round {number}: {change} points", number=swing.number, change=swing.change)
    written = sheet.write(x, TOP - 26, words, colour=colour, weight="bold")
    sheet.fit(written, RIGHT - LEFT)
    half = sheet.width(written) / 2
    written.set_x(min(max(x, LEFT + half), RIGHT - half) / WIDTH)


def _write_axis(sheet: Sheet, rounds: int, marks: Sequence[str]) -> None:
    """Write a few rounds below, the first and the last among them, and the armies left after them."""
    numbers = dict.fromkeys([0, rounds, *round_ticks(0, rounds, MOST_TICKS)])
    places = [(number, _place(number, 0, rounds)[0]) for number in numbers]
    sheet.write_ticks(BASE + 32, [(x, str(number) if number else _("start")) for number, x in places])
    if rounds:
        sheet.fit(sheet.write(RIGHT, BASE + 32, _("rounds"), colour=QUIET, align="right"), RIGHT - END - APART)
    if marks:
        sheet.write_ticks(BASE + 68, [(x, marks[number]) for number, x in places if marks[number]])
