"""The luck of a session as a picture: what dice have given, battle after battle, and the band chance keeps to.

All is grey as long as it is nothing special. What is beyond two standard deviations is orange and solid where it was
lucky, blue and hollow where it was unlucky.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import sqrt
from typing import NamedTuple

from matplotlib.font_manager import FontProperties, findfont, get_font

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
    line,
    new_sheet,
    round_ticks,
)
from bot.languages import _, _n, _p, number
from bot.luck_wording import luck_title
from solver.luck import LEAST_BATTLES, Fortune, Session, session

WIDE, NARROW = "#3A3C40", "#54575C"
"""Greys between the ground and quiet words: within two standard deviations, and within one."""
START, END, TOP, BASE = 140.0, 632.0, 204.0, 496.0
MIDDLE = (TOP + BASE) / 2
MOST_TICKS, MOST_DOTS = 4, 40
DOT, RING = 6.0, 15.0
FAR = 2.0
"""From so many standard deviations on luck is coloured."""


class Stage(NamedTuple):
    """All luck after so many battles, the standard deviation of it, and where it stands."""

    number: int
    luck: float
    spread: float
    x: float
    y: float

    @property
    def colour(self) -> str:
        """Neutral unless it is beyond two standard deviations, of as many battles as that is told of."""
        if self.number < LEAST_BATTLES or abs(self.luck) <= FAR * self.spread or not self.spread:
            return INK
        return ATTACKER if self.luck > 0 else DEFENDER


def draw_luck(title: str, fortunes: Sequence[Fortune]) -> bytes:
    """The picture of a session's luck, as PNG; its battles in the order in which they were fought."""
    sheet, whole = new_sheet(_drawable(title)), session(fortunes)
    stages, scale = _stages(fortunes)
    last = stages[-1]
    _head(sheet, whole, last.colour)
    for deviations, grey in ((2, WIDE), (1, NARROW)):
        edge = [(stage.x, deviations * stage.spread * scale) for stage in stages]
        outline = [(x, HEIGHT - MIDDLE + off) for x, off in edge]
        sheet.shape([*outline, *((x, HEIGHT - MIDDLE - off) for x, off in reversed(edge))], grey)
    sheet.shape(box(START, MIDDLE + 1, END - START, 2), QUIET)
    _draw(sheet, stages)
    for y, words in ((TOP + 14, _("lucky")), (BASE - 14, _("unlucky"))):
        sheet.fit(sheet.text(LEFT, y, words, colour=QUIET, align="left"), 2 * (START - LEFT))
    even = sheet.text(START - 16, MIDDLE, _p("neither lucky nor unlucky", "even"), colour=QUIET, align="right")
    sheet.fit(even, START - 16 - EDGE)
    sheet.shape(box(LEFT, BASE + 2, RIGHT - LEFT, 2), QUIET)
    _axis(sheet, stages)
    if fortunes:
        sheet.ring(last.x, last.y, RING)
        worth = _signed(last.luck, 1)
        sheet.text(last.x + RING + 11, last.y, worth, colour=last.colour, weight="bold", align="left")
    if whole.z is not None:
        sheet.sentence(BASE + 72, _("19 of 20 players end inside the grey band"), colour=QUIET)
    sheet.fitted(WIDTH / 2, 618, _foot(last.luck) if fortunes else "", (30, SMALL), weight="bold")
    return sheet.png()


def _stages(fortunes: Sequence[Fortune]) -> tuple[list[Stage], float]:
    """The session before its first battle and after each one, and how many pixels a won battle is."""
    lucks = list(accumulate((battle.luck for battle in fortunes), initial=0.0))
    spreads = [sqrt(sum_) for sum_ in accumulate((battle.variance for battle in fortunes), initial=0.0)]
    reach = max(1.15 * FAR * spreads[-1], 1.08 * max(map(abs, lucks))) or 1.0
    scale, pitch = (MIDDLE - TOP) / reach, (END - START) / max(len(fortunes), 1)
    both = enumerate(zip(lucks, spreads, strict=True))
    stages = [Stage(n, luck, spread, START + n * pitch, MIDDLE - luck * scale) for n, (luck, spread) in both]
    return stages, scale


def _drawable(title: str) -> str:
    """A title without letters that our font lacks, such as emoji and many scripts; the message has them."""
    font = get_font(findfont(FontProperties()))
    return "".join(c for c in title if font.get_char_index(ord(c))).strip()


def _head(sheet: Sheet, whole: Session, colour: str) -> None:
    """How lucky it was, and how rare that is; of a few battles only how many there are."""
    battles = _n("{n} battle", "{n} battles", whole.n) if whole.n else _("no battles")
    if whole.z is not None:
        big, small = (
            luck_title(whole.luck, whole.rare or 0.0),
            _("{battles} (z {z})", battles=battles, z=_signed(whole.z, 2)),
        )
        if big != _("nothing unusual"):
            small = _("luck this extreme, good or bad, in {battles}", battles=small)
    elif whole.n < LEAST_BATTLES:
        big, small = battles, _("after {n} battles I can tell how rare that is", n=LEAST_BATTLES)
    else:
        big, small = battles, _("nothing was left to luck")
    sheet.fitted(WIDTH / 2, 104, big, (60, 54, 48, 44, 40, 36, 32, SMALL), colour, "bold")
    sheet.sentence(166, small, colour=QUIET)


def _draw(sheet: Sheet, stages: Sequence[Stage]) -> None:
    """The luck from battle to battle; with a dot for each one, unless they are too many."""
    for one, other in pairwise(stages):
        sheet.shape(line(one.x, one.y, other.x, other.y, 4), other.colour)
    if len(stages) > MOST_DOTS:
        return
    for stage in stages[1:]:
        hollow = stage.colour == DEFENDER
        face, edge = (GROUND, DEFENDER) if hollow else (stage.colour, "none")
        sheet.shape(circle(stage.x, stage.y, DOT + EDGE * hollow / 2), face, edge)


def _axis(sheet: Sheet, stages: Sequence[Stage]) -> None:
    """A few numbers of battles below, the last among them."""
    count = len(stages) - 1
    numbers = dict.fromkeys([0, count, *round_ticks(0, count, MOST_TICKS)])
    sheet.ticks(BASE + 28, [(stages[number].x, str(number)) for number in numbers])
    sheet.fit(sheet.text(RIGHT, BASE + 28, _("battles"), colour=QUIET, align="right"), RIGHT - END - APART)


def _foot(luck: float) -> str:
    """What the luck was worth."""
    worth = number(abs(luck))
    if worth == number(0.0):
        return _("as many wins as expected")
    if luck > 0:
        return _("{wins} wins more than expected", wins=worth)
    return _("{wins} wins fewer than expected", wins=worth)


def _signed(of: float, decimals: int) -> str:
    """A number with its sign, nothing has none: "+1.4", "−0.3", "0.0"."""
    told = number(of, decimals, "+z")
    return told.removeprefix("+") if told == number(0.0, decimals, "+") else told
