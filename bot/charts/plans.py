"""Two plans as a picture: one above the other, on one scale, so that what moves is seen.

Attacker left, defender right, in each of them; each end is a bar in the forms of those who win there.
"""

from collections.abc import Sequence
from math import ceil, floor, isclose
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bot.charts.style import (
    APART,
    ATTACKER,
    DEFENDER,
    DRAW,
    EDGE,
    GROUND,
    INK,
    LEFT,
    QUIET,
    RIGHT,
    SMALL,
    WIDTH,
    Sheet,
    box,
    hollow,
    new_sheet,
    round_steps,
    round_ticks,
)
from bot.languages import _, _n, in_percent, shortest
from bot.wording import fated, uncertain

MOST_BARS, MOST_TICKS = 44, 7
CUT_TAIL = 0.002
WIDEST, TALLEST = 64.0, 96.0
UNTOLD = 0.0005
"""The chance that neither side wins is told where it is more than this, and bars are drawn."""
NUMBERS, NAME, BASE, STRIP = 118, 160, 314, (200, 290)
"""Where the parts of the first plan are, from the top; those of the second are all so much lower:"""
LOWER = 236
WORDS = 74
MICRO, SAME = 1_000_000, 1e-6
"""Money is told to a millionth; less than that is nothing."""

Chances = npt.NDArray[np.float64]
Law = tuple[Chances, Chances]
"""Ends in order, and the chances, of shape (3, ends), of each with the attacker winning there, the defender, nobody."""
Three = tuple[float, float, float]


class Scale(NamedTuple):
    """What both plans are drawn on: so many bars of `pitch` pixels from `start` on, for amounts from `low` on.

    Amounts are `unit` apart, and there is `step` to a bar.
    """

    low: float
    unit: float
    step: float
    bars: int
    start: float
    pitch: float

    def place(self, amount: float) -> float:
        """Where an amount is, in pixels from the left."""
        return self.start + (amount + self.unit / 2 - self.low) / self.step * self.pitch

    def bar_of(self, amounts: Chances) -> npt.NDArray[np.int64]:
        """In which bar amounts are; those without one are in bars that there are not."""
        bars: npt.NDArray[np.int64] = np.floor((amounts - self.low) / self.step + SAME).astype(np.int64)
        return bars

    def counted(self, law: Law) -> Chances:
        """The law by bars, of shape (3, bars), without its tails."""
        places, chances = _cut(law)
        inside = self.bar_of(places)
        shown = (inside >= 0) & (inside < self.bars)
        bars: Chances = np.stack([np.bincount(inside[shown], of[shown], self.bars) for of in chances])
        return bars


def draw_plans(
    titles: Sequence[str],
    plans: Sequence[Sequence[str]],
    names: tuple[str, str],
    chances: Sequence[Three],
    numbers: Sequence[tuple[str, str, str]],
    others: Sequence[str],
    laws: Sequence[Law] | None,
    measure: str,
) -> bytes:
    """Return the picture of two plans as PNG.

    Of each there is what it is, the chances that the attacker wins, that the defender holds and that neither does, the
    same in words, what `others` than these two ends are called, and the law of its ends: "armies" left, less than 0
    where they are the defender's, or a TUV swing in other units. Without laws, where the ends of the two are not
    counted alike, bands show the chances. `names` are what the attacker does, and the defender. Of the `titles`, and of
    the texts of each plan, the first that has room is written.
    """
    sheet = new_sheet("")
    sheet.first_fitting(WIDTH / 2, 36, titles, (32, SMALL))
    left = sheet.text(LEFT, WORDS, names[0], colour=QUIET, align="left")
    right = sheet.text(RIGHT, WORDS, names[1], colour=QUIET, align="right")
    for name in (left, right):
        sheet.fit(name, (RIGHT - LEFT - 14) / 2)
    for plan in (0, 1):
        _head(sheet, "AB"[plan], plans[plan], chances[plan], numbers[plan], others[plan], plan * LOWER)
    if laws is None:
        for plan in (0, 1):
            _band(sheet, chances[plan], plan * LOWER)
    elif any(len(law[0]) for law in laws):
        # The attacker's side is the left one.
        _bars(sheet, list(map(_mirrored, laws)) if measure == "armies" else laws, measure, numbers)
    return sheet.png()


def _mirrored(law: Law) -> Law:
    """Return the law with its ends counted the other way: the attacker's less than 0."""
    return -law[0][::-1], law[1][:, ::-1]


def _head(
    sheet: Sheet, name: str, plan: Sequence[str], chances: Three, numbers: tuple[str, str, str], other: str, down: int
) -> None:
    """Write a plan's letter between its two chances, and below what it is."""
    left = sheet.text(LEFT, NUMBERS + down, numbers[0], 48, ATTACKER, "bold", "left")
    right = sheet.text(RIGHT, NUMBERS + down, numbers[1], 48, DEFENDER, "bold", "right")
    letter = sheet.text(WIDTH / 2, NUMBERS + down, name, 48, INK, "bold")
    if chances[2] > UNTOLD:
        words = sheet.text(0, NUMBERS + down, fated(other, numbers[2]), SMALL, DRAW, align="left")
        sheet.fit(words, sheet.extent(right).left - sheet.extent(left).right - sheet.width(letter) - 4 * APART)
        wide = sheet.width(letter) + 20 + sheet.width(words)
        middle = max(WIDTH / 2, sheet.extent(left).right + 2 * APART + wide / 2)
        middle = min(middle, sheet.extent(right).left - 2 * APART - wide / 2)
        letter.set_x((middle - wide / 2 + sheet.width(letter) / 2) / WIDTH)
        words.set_x((middle + wide / 2 - sheet.width(words)) / WIDTH)
    sheet.first_fitting(WIDTH / 2, NAME + down, plan, (SMALL,))


def _band(sheet: Sheet, chances: Three, down: int) -> None:
    """Draw the chances as one band: the attacker's solid on the left, the defender's hollow on the right."""
    top, bottom = (edge + down for edge in STRIP)
    room, high = RIGHT - LEFT, bottom - top
    wins, holds = (chance * room for chance in chances[:2])
    if holds:
        width = max(holds, 2 * EDGE)
        sheet.shape(hollow(RIGHT - width, bottom, width, high), GROUND, DEFENDER)
    if chances[2] > UNTOLD:
        sheet.shape(box(LEFT + wins, bottom, room - holds - wins, high), DRAW)
    if wins:
        sheet.shape(box(LEFT, bottom, max(wins, EDGE), high), ATTACKER)


def _bars(sheet: Sheet, laws: Sequence[Law], measure: str, numbers: Sequence[tuple[str, str, str]]) -> None:
    """The ends of both plans on one scale."""
    scale = _scale(laws)
    bars = [scale.counted(law) for law in laws]
    most = max(float(of.sum(axis=0).max(initial=0.0)) for of in bars)
    for plan, law in enumerate(laws):
        base = BASE + plan * LOWER
        for place, parts in enumerate(bars[plan].T.tolist()):
            _bar(sheet, scale.start + scale.pitch * place, scale.pitch, base, parts, most)
        sheet.shape(box(LEFT, base + 2, RIGHT - LEFT, 2), QUIET)
        if len(law[0]):
            tall = bars[plan].sum(axis=0)
            y = base - max(TALLEST * float(tall.max()) / most, EDGE) - 18
            _name_tallest(sheet, scale, law, tall, y, measure, sure=in_percent("100") in numbers[plan])
    _axis(sheet, scale, measure)


def _scale(laws: Sequence[Law]) -> Scale:
    """A bar for each amount, or for as many as must share one, from the lowest end of both plans to the highest."""
    shown = np.unique(np.concatenate([_cut(law)[0] for law in laws]))
    low, high = float(shown[0]), float(shown[-1])
    unit = int(np.gcd.reduce(np.rint(np.diff(shown) * MICRO).astype(np.int64))) / MICRO or 1.0
    step = unit
    if (high - low) / unit >= MOST_BARS:
        whole = unit if unit.is_integer() else 1.0
        step = next(whole * times for times in round_steps() if (high - low) / (whole * times) <= MOST_BARS - 2)
        low = floor(low / step) * step
    bars = floor((high - low) / step + SAME) + 1
    pitch = min((RIGHT - LEFT) / bars, WIDEST)
    return Scale(low, unit, step, bars, (WIDTH - pitch * bars) / 2, pitch)


def _cut(law: Law) -> Law:
    """The ends of a plan without its tails."""
    places, chances = law[0], law[1].sum(axis=0)
    reached = chances.cumsum()
    if not len(places):
        return law
    tail = CUT_TAIL * reached[-1]
    shown = (chances > 0) & (reached > tail) & (reached - chances < reached[-1] - tail)
    return places[shown], law[1][:, shown]


def _bar(sheet: Sheet, left: float, pitch: float, base: float, parts: Sequence[float], most: float) -> None:
    """A bar in the forms of those who win there, one upon the other; visible unless it is hardly possible."""
    chance = sum(parts)
    if chance <= UNTOLD:
        return
    tall, x, width = max(TALLEST * chance / most, EDGE), left + pitch * 0.1, pitch * 0.8
    for part, colour in zip(parts, (ATTACKER, DEFENDER, DRAW), strict=True):
        high = tall * part / chance
        if colour == DEFENDER and high >= EDGE:
            sheet.shape(hollow(x, base, width, high), GROUND, colour)
        elif high:
            sheet.shape(box(x, base, width, high), colour)
        base -= high


def _name_tallest(sheet: Sheet, scale: Scale, law: Law, bars: Chances, y: float, measure: str, sure: bool) -> None:
    """Write the ends that are in the tallest bar, and their chance."""
    place, (ends, _) = int(bars.argmax()), _cut(law)
    ends = ends[scale.bar_of(ends) == place]
    chance = float(bars[place])
    told = in_percent("100") if sure and isclose(chance, 1) else uncertain(chance)
    text = sheet.text(0, y, f"{_ends(float(ends[0]), float(ends[-1]), measure)}: {told}")
    half = sheet.width(text) / 2 + LEFT / 2
    text.set_x(min(max(scale.start + scale.pitch * (place + 0.5), half), WIDTH - half) / WIDTH)


def _ends(low: float, high: float, measure: str) -> str:
    """Say which ends a bar stands for: "4 defenders left", "5–9 attackers left", "+12"."""
    if measure != "armies":
        return _profit(low) if high - low < SAME else _("{low} to {high}", low=_profit(low), high=_profit(high))
    if low == high == 0:
        return _("both wiped out")
    few, many = sorted((int(abs(low)), int(abs(high))))
    count = f"{few}–{many}" if few < many else f"{few}"
    if low <= 0 < high:
        start, end = _n("{n} attacker", "{n} attackers", int(-low)), _n("{n} defender", "{n} defenders", int(high))
        return _("{attackers} to {defenders} left", attackers=start, defenders=end)
    if low < 0:
        return _n("{n} attacker left", "{n} attackers left", many, n=count)
    return _n("{n} defender left", "{n} defenders left", many, n=count)


def _profit(amount: float) -> str:
    """Money with its sign, as short as it can be told."""
    return f"{'−' if amount < 0 else '+'}{shortest(abs(amount), 7)}" if amount else "0"


def _axis(sheet: Sheet, scale: Scale, measure: str) -> None:
    """What the bars of both count, below the lower ones."""
    y, high = BASE + LOWER, scale.low + scale.step * scale.bars - scale.unit
    ticks: Sequence[float] = round_ticks(ceil(scale.low), floor(high), MOST_TICKS) or [scale.low]
    words = [f"{abs(tick):.0f}" if measure == "armies" else _profit(tick) for tick in ticks]
    sheet.ticks(y + 24, zip(map(scale.place, ticks), words, strict=True))
    shared = _("{n} per bar", n=shortest(scale.step, 7)) if scale.step > scale.unit else ""
    if measure == "armies":
        left = sheet.text(LEFT, y + 58, _("attackers left"), colour=ATTACKER, align="left")
        right = sheet.text(RIGHT, y + 58, _("defenders left"), colour=DEFENDER, align="right")
        sheet.between(sheet.text(WIDTH / 2, y + 58, shared, colour=QUIET), left, right)
    else:
        swing = _("attacker's TUV swing")
        if measure != _("value"):
            swing = _("attacker's TUV swing in {counted}", counted=measure)
        counted = ", ".join(filter(None, [swing, shared]))
        sheet.fitted(WIDTH / 2, y + 58, counted, (SMALL,), QUIET)
