"""The picture of a session's luck: the sum of its luck after each battle, and the band of usual luck.

Usual luck is grey. Luck beyond two standard deviations is orange and solid if good, blue and hollow if bad.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import sqrt
from typing import NamedTuple

from matplotlib.font_manager import FontProperties, findfont, get_font

from bot.charts.bars import round_ticks
from bot.charts.shapes import box, circle, line
from bot.charts.sheet import Sheet, new_sheet
from bot.charts.style import APART, ATTACKER, DEFENDER, EDGE, GROUND, HEIGHT, INK, LEFT, QUIET, RIGHT, SMALL, WIDTH
from bot.languages import _, _n, _p, number
from bot.words.luck import luck_title
from solver.luck import LEAST_BATTLES, BattleLuck, TotalLuck, total_luck

WIDE, NARROW = "#3A3C40", "#54575C"
"""The greys of two standard deviations and of one, between those of the ground and of quiet words."""
START, END, TOP, BASE = 140.0, 632.0, 204.0, 496.0
MIDDLE = (TOP + BASE) / 2
MOST_TICKS, MOST_DOTS = 4, 40
DOT, RING = 6.0, 15.0
FAR = 2.0
"""Luck beyond so many standard deviations has a colour."""


class LuckPoint(NamedTuple):
    """The sum of the luck after so many battles, its standard deviation, and its place in pixels."""

    number: int
    luck: float
    deviation: float
    x: float
    y: float

    @property
    def colour(self) -> str:
        """Neutral, unless the luck is far out."""
        return luck_colour(self.number, self.luck, self.deviation) or INK


def luck_colour(battles: int, luck: float, deviation: float) -> str:
    """Return the colour of luck beyond two standard deviations; "" if it is not, or the battles are too few to tell."""
    if battles < LEAST_BATTLES or abs(luck) <= FAR * deviation or not deviation:
        return ""
    return ATTACKER if luck > 0 else DEFENDER


def draw_luck(title: str, fortunes: Sequence[BattleLuck]) -> bytes:
    """Return the picture of a session's luck as PNG; `fortunes` are those of its battles in order."""
    sheet, whole = new_sheet(printable(title)), total_luck(fortunes)
    points, scale = _points(fortunes)
    last = points[-1]
    _write_head(sheet, whole, last.colour)
    for deviations, grey in ((2, WIDE), (1, NARROW)):
        edge = [(point.x, deviations * point.deviation * scale) for point in points]
        outline = [(x, HEIGHT - MIDDLE + off) for x, off in edge]
        sheet.add_shape([*outline, *((x, HEIGHT - MIDDLE - off) for x, off in reversed(edge))], grey)
    sheet.add_shape(box(START, MIDDLE + 1, END - START, 2), QUIET)
    _draw_points(sheet, points)
    for y, words in ((TOP + 14, _("lucky")), (BASE - 14, _("unlucky"))):
        sheet.fit(sheet.write(LEFT, y, words, colour=QUIET, align="left"), 2 * (START - LEFT))
    even = sheet.write(START - 16, MIDDLE, _p("neither lucky nor unlucky", "even"), colour=QUIET, align="right")
    sheet.fit(even, START - 16 - EDGE)
    sheet.add_shape(box(LEFT, BASE + 2, RIGHT - LEFT, 2), QUIET)
    _write_axis(sheet, points)
    if fortunes:
        sheet.add_ring(last.x, last.y, RING)
        worth = with_sign(last.luck, 1)
        sheet.write(last.x + RING + 11, last.y, worth, colour=last.colour, weight="bold", align="left")
    if whole.z is not None:
        sheet.write_sentence(BASE + 72, _("19 of 20 players end inside the grey band"), colour=QUIET)
    sheet.write_line(WIDTH / 2, 618, _foot(last.luck) if fortunes else "", (30, SMALL), weight="bold")
    return sheet.png()


def _points(fortunes: Sequence[BattleLuck]) -> tuple[list[LuckPoint], float]:
    """Return the points before the first battle and after each one, and the pixels of one win of luck."""
    lucks = list(accumulate((battle.luck for battle in fortunes), initial=0.0))
    spreads = [sqrt(sum_) for sum_ in accumulate((battle.variance for battle in fortunes), initial=0.0)]
    reach = max(1.15 * FAR * spreads[-1], 1.08 * max(map(abs, lucks))) or 1.0
    scale, pitch = (MIDDLE - TOP) / reach, (END - START) / max(len(fortunes), 1)
    both = enumerate(zip(lucks, spreads, strict=True))
    points = [LuckPoint(n, luck, spread, START + n * pitch, MIDDLE - luck * scale) for n, (luck, spread) in both]
    return points, scale


def printable(title: str) -> str:
    """Return a title without letters that the font lacks, such as emoji; the message has them all."""
    font = get_font(findfont(FontProperties()))
    return "".join(c for c in title if font.get_char_index(ord(c))).strip()


def _write_head(sheet: Sheet, whole: TotalLuck, colour: str) -> None:
    """Write how lucky the session was and how rare that is; for a few battles write only their number."""
    battles = _n("{n} battle", "{n} battles", whole.n) if whole.n else _("no battles")
    if whole.z is not None:
        big, small = (
            luck_title(whole.luck, whole.rarity or 0.0),
            _("{battles} (z {z})", battles=battles, z=with_sign(whole.z, 2)),
        )
        if big != _("nothing unusual"):
            small = _("luck this extreme, good or bad, in {battles}", battles=small)
    elif whole.n < LEAST_BATTLES:
        big, small = battles, _("after {n} battles I can tell how rare that is", n=LEAST_BATTLES)
    else:
        big, small = battles, _("nothing was left to luck")
    sheet.write_line(WIDTH / 2, 104, big, (60, 54, 48, 44, 40, 36, 32, SMALL), colour, "bold")
    sheet.write_sentence(166, small, colour=QUIET)


def _draw_points(sheet: Sheet, points: Sequence[LuckPoint]) -> None:
    """Draw the luck from battle to battle, with a dot for each one unless they are too many."""
    for before, point in pairwise(points):
        sheet.add_shape(line(before.x, before.y, point.x, point.y, 4), point.colour)
    if len(points) > MOST_DOTS:
        return
    for point in points[1:]:
        hollow = point.colour == DEFENDER
        face, edge = (GROUND, DEFENDER) if hollow else (point.colour, "none")
        sheet.add_shape(circle(point.x, point.y, DOT + EDGE * hollow / 2), face, edge)


def _write_axis(sheet: Sheet, points: Sequence[LuckPoint]) -> None:
    """Write a few numbers of battles below, the last among them."""
    count = len(points) - 1
    numbers = dict.fromkeys([0, count, *round_ticks(0, count, MOST_TICKS)])
    sheet.write_ticks(BASE + 28, [(points[number].x, str(number)) for number in numbers])
    sheet.fit(sheet.write(RIGHT, BASE + 28, _("battles"), colour=QUIET, align="right"), RIGHT - END - APART)


def _foot(luck: float) -> str:
    """Write the luck in wins more or fewer than expected."""
    worth = number(abs(luck))
    if worth == number(0.0):
        return _("as many wins as expected")
    if luck > 0:
        return _("{wins} wins more than expected", wins=worth)
    return _("{wins} wins fewer than expected", wins=worth)


def with_sign(of: float, decimals: int) -> str:
    """Write a number with its sign; zero has none: "+1.4", "−0.3", "0.0"."""
    words = number(of, decimals, "+z")
    return words.removeprefix("+") if words == number(0.0, decimals, "+") else words
