"""A battle as it went, as a picture: the attacker's chance to win before the first round and after each one.

The attacker's part is solid and lies below the line, the defender's is empty and lies above it: the higher the line,
the better for the attacker.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np

from bot.charts.style import (
    APART,
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
    Sheet,
    box,
    circle,
    in_two_lines,
    line,
    round_ticks,
    the_sheet,
)
from bot.languages import _, _n, _p, in_percent, number
from bot.wording import certain, uncertain

START, END, TOP, BASE = 96, 640, 230, 482
"""Left of the start the middle is named, right of the end the chance that it has come to."""
MOST_TICKS, MOST_DOTS = 4, 32
DOT, RING, DASH = 6.0, 15.0, 12
ALONE = 6.0
"""How far to both sides of it a round is drawn whose neighbours are not known."""
LEAST_SWING = 0.0005

Chances = Sequence[float | None]
Point = tuple[float, float]


class Swing(NamedTuple):
    """The round that has changed the attacker's chance most, and the chance before and after it."""

    number: int
    before: float
    after: float

    @property
    def change(self) -> str:
        """By how much: "−31%", "+0.7%"."""
        points = 100 * (self.after - self.before)
        return in_percent(number(points, 0 if abs(points) >= 9.95 else 1, "+"))


def draw_ribbon(
    titles: Sequence[str],
    chances: Chances,
    marks: Sequence[str] = (),
    ended: str = "",
    won: bool | None = None,
    names: tuple[str, str] | None = None,
) -> bytes:
    """Return the picture of a battle as it went, as PNG.

    The first of the `titles` is shown that fits. `chances[i]` is the attacker's chance to win after i rounds, None
    where it is not known; there is at least one. `marks`, where given, tell as briefly how it stood then: "12–9". Once
    the battle has `ended`, this says in a few words how, and `won` whether the attacker has won, None where nobody has.
    `names` are what the defender does, and the attacker, while it goes on, where it is not to hold and to win. An
    attacker who retreats has no roll to blame: then the last chance is the one until then.
    """
    sheet, rounds = the_sheet(), len(chances) - 1
    sheet.clear()
    sheet.first_fitting(WIDTH / 2, 36, (*titles, in_two_lines(titles[-1])), (32, SMALL))
    _head(sheet, chances, ended, won, names or (_p("short", "defender holds"), _p("short", "attacker wins")))
    for run in _runs(chances):
        _draw(sheet, run, dotted=rounds <= MOST_DOTS)
    _middle(sheet, chances)
    sheet.shape(box(LEFT, BASE + 2, RIGHT - LEFT, 2), QUIET)
    swing = _swing(chances)
    if swing:
        _mark(sheet, swing, rounds)
    now = chances[-1]
    if now is not None:
        x, y = _place(rounds, now, rounds)
        sheet.ring(x, y, RING)
        within = min(max(y, TOP + 8), BASE - 18)
        sheet.text(x + RING + 11, within, _told(now, bool(ended)), weight="bold", align="left")
    _axis(sheet, rounds, marks)
    if chances[0] is not None:
        began = _("attacker's win chance at the start: {chance}", chance=uncertain(chances[0]))
        sheet.sentence(606, began, (30, SMALL), weight="bold")
    return sheet.png()


def _place(number: float, chance: float, rounds: int) -> Point:
    """Where the chance after so many rounds is."""
    return START + (END - START) * number / max(rounds, 1), BASE - (BASE - TOP) * chance


def _head(sheet: Sheet, chances: Chances, ended: str, won: bool | None, names: tuple[str, str]) -> None:
    """How it stands now: both chances, or how it has ended."""
    now, rounds = chances[-1], len(chances) - 1
    if ended:
        colour = INK if won is None else ATTACKER if won else DEFENDER
        text = sheet.fitted(WIDTH / 2, 104, ended, (60, 54, 48, 40, 32), colour, "bold")
        if text.get_text() == ended:
            sheet.text(WIDTH / 2, 160, _n("after {n} round", "after {n} rounds", rounds), colour=QUIET)
        else:
            text.set_text(in_two_lines(ended))
            text.set_y(1 - 120 / HEIGHT)
            sheet.fit(text, WIDTH - LEFT)
        return
    told = ("?", "?") if now is None else (uncertain(1 - now), uncertain(now))
    for x, name, chance, colour in zip((614, 186), names, told, (DEFENDER, ATTACKER), strict=True):
        sheet.text(x, 104, chance, 64, colour, "bold")
        sheet.fit(sheet.text(x, 160, name, colour=QUIET), 2 * 186)


def _runs(chances: Chances) -> Iterator[list[Point]]:
    """The places of all rounds whose chance is known, in runs without a gap."""
    rounds = len(chances) - 1
    for known, run in groupby(enumerate(chances), lambda of: of[1] is not None):
        if known:
            yield [_place(number, chance, rounds) for number, chance in run if chance is not None]


def _draw(sheet: Sheet, points: list[Point], dotted: bool) -> None:
    """Both parts from the first of these points to the last, and the line between them."""
    dots = points if dotted else []
    if len(points) == 1:
        ((x, y),) = points
        points = [(x - ALONE, y), (x + ALONE, y)]
    first, last, inside = points[0][0], points[-1][0], EDGE / 2
    sheet.shape([(x, HEIGHT - y) for x, y in ((first, BASE), *points, (last, BASE))], ATTACKER)
    left, right = first + inside, last - inside
    upper = [(left, points[0][1]), (left, TOP + inside), (right, TOP + inside), (right, points[-1][1])]
    sheet.shape([(x, HEIGHT - y) for x, y in (*upper, *reversed(upper))], "none", DEFENDER)
    sheet.shape([(x, HEIGHT - y) for x, y in (*points, *reversed(points))], "none", INK)
    for x, y in dots:
        sheet.shape(circle(x, y, DOT), INK)


def _middle(sheet: Sheet, chances: Chances) -> None:
    """Where both sides have the same chance: a dashed line that is seen on either part."""
    y = (TOP + BASE) // 2
    sheet.text(START - 16, y, in_percent("50"), colour=QUIET, align="right")
    level = [np.nan if chance is None else chance for chance in chances]
    for x in range(START, END, 2 * DASH):
        share = (x + DASH / 2 - START) / (END - START)
        solid = np.interp(share * (len(level) - 1), range(len(level)), level) > 0.5 and len(level) > 1
        sheet.shape(box(x, y + 1, DASH, 2), GROUND if solid else QUIET)


def _swing(chances: Chances) -> Swing | None:
    """The largest change of the chance in one round; None where there is none to speak of."""
    swings = [
        Swing(number, before, after)
        for number, (before, after) in enumerate(pairwise(chances), start=1)
        if before is not None and after is not None and abs(after - before) >= LEAST_SWING
    ]
    return max(swings, key=lambda swing: abs(swing.after - swing.before), default=None)


def _mark(sheet: Sheet, swing: Swing, rounds: int) -> None:
    """Make the line thick in this round, and say above both parts what it changed, with a line down to it."""
    before, after = _place(swing.number - 1, swing.before, rounds), _place(swing.number, swing.after, rounds)
    sheet.shape(line(*before, *after, thick=9), INK)
    x, y = round((before[0] + after[0]) / 2), (before[1] + after[1]) / 2
    sheet.shape(line(x, TOP - 8, x, y), INK)
    colour = ATTACKER if swing.after > swing.before else DEFENDER
    words = _("round {number}: {change} win chance", number=swing.number, change=swing.change)
    text = sheet.text(x, TOP - 26, words, colour=colour, weight="bold")
    sheet.fit(text, RIGHT - LEFT)
    half = sheet.width(text) / 2
    text.set_x(min(max(x, LEFT + half), RIGHT - half) / WIDTH)


def _axis(sheet: Sheet, rounds: int, marks: Sequence[str]) -> None:
    """A few rounds below, the first and the last among them, and how it stood after them."""
    numbers = dict.fromkeys([0, rounds, *round_ticks(0, rounds, MOST_TICKS)])
    places = [(number, _place(number, 0, rounds)[0]) for number in numbers]
    sheet.ticks(BASE + 32, [(x, str(number) if number else _("start")) for number, x in places])
    if rounds:
        sheet.fit(sheet.text(RIGHT, BASE + 32, _("rounds"), colour=QUIET, align="right"), RIGHT - END - APART)
    if marks:
        sheet.ticks(BASE + 68, [(x, marks[number]) for number, x in places if marks[number]])


def _told(chance: float, over: bool) -> str:
    """A chance in words, sure only once the battle is over."""
    return certain(chance) if over else uncertain(chance)
