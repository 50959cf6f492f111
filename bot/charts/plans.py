"""The picture of two plans: one above the other on one scale, to show the difference.

In each plan the attacker is on the left, the defender on the right; each end is a bar in the forms of those who win
there.
"""

from collections.abc import Sequence
from math import ceil, floor, isclose
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bot.charts.bars import LEAST_SHOWN, MOST_BARS, bar_shapes, round_steps, round_ticks, side_box, without_tails
from bot.charts.shapes import box
from bot.charts.sheet import Sheet, new_sheet
from bot.charts.style import APART, ATTACKER, DEFENDER, DRAW, EDGE, INK, LEFT, QUIET, RIGHT, SMALL, WIDTH, largest
from bot.languages import _, _n, in_percent, short_number
from bot.words.compared_plan import DrawnPlan, Law, Three
from bot.words.numbers import fate_text, unsure_percent
from solver.chain import Chances

MOST_TICKS = 7
WIDEST, TALLEST = 64.0, 96.0
NUMBERS, NAME, BASE, STRIP = 118, 165, 314, (200, 290)
"""The places of the first plan's parts, in pixels from the top."""
LOWER = 236
"""The distance from the first plan down to the second."""
WORDS = 74
MICRO, SAME = 1_000_000, 1e-6
"""Amounts of money that differ by less than a millionth are equal."""


class Scale(NamedTuple):
    """The axis of both plans: so many bars of `pitch` pixels from `start` on, for amounts from `low` on.

    Possible amounts are `unit` apart, and each bar is `step` wide.
    """

    low: float
    unit: float
    step: float
    bars: int
    start: float
    pitch: float

    def place(self, amount: float) -> float:
        """Return the place of an amount, in pixels from the left."""
        return self.start + (amount + self.unit / 2 - self.low) / self.step * self.pitch

    def bar_of(self, amounts: Chances) -> npt.NDArray[np.int64]:
        """Return the bar of each amount; it is outside 0 to bars - 1 for an amount beyond the axis."""
        bars: npt.NDArray[np.int64] = np.floor((amounts - self.low) / self.step + SAME).astype(np.int64)
        return bars

    def bin_law(self, law: Law) -> Chances:
        """Return the law by bars, of shape (3, bars), without its tails."""
        places, chances = _without_tails(law)
        inside = self.bar_of(places)
        shown = (inside >= 0) & (inside < self.bars)
        bars: Chances = np.stack([np.bincount(inside[shown], of[shown], self.bars) for of in chances])
        return bars


def draw_plans(titles: Sequence[str], plans: Sequence[DrawnPlan], names: tuple[str, str], measure: str) -> bytes:
    """Return the picture of two plans as PNG.

    The laws are of the "armies" left, negative if they are the defender's, or of a TUV swing in another `measure`.
    Without laws, if the plans have different measures, bands show the chances. `names` are the results of attacker and
    defender. Of the `titles`, and of the titles of each plan, the picture has the first that fits.
    """
    sheet = new_sheet("")
    sheet.write_first_fitting(WIDTH / 2, 36, titles, (32, SMALL))
    left = sheet.write(LEFT, WORDS, names[0], colour=QUIET, align="left")
    right = sheet.write(RIGHT, WORDS, names[1], colour=QUIET, align="right")
    for name in (left, right):
        sheet.fit(name, (RIGHT - LEFT - 14) / 2)
    for place, plan in enumerate(plans):
        _draw_head(sheet, "AB"[place], plan, place * LOWER)
    laws = [plan.law for plan in plans if plan.law]
    if measure == "armies":  # the attacker's are negative, as that side is on the left
        laws = [(-ends[::-1], chances[:, ::-1]) for ends, chances in laws]
    if not laws:
        for place, plan in enumerate(plans):
            _draw_band(sheet, plan.chances, place * LOWER)
    elif any(len(law[0]) for law in laws):
        _draw_bars(sheet, laws, measure, [in_percent("100") in plan.numbers for plan in plans])
    return sheet.png()


def _draw_head(sheet: Sheet, name: str, plan: DrawnPlan, down: int) -> None:
    """Write a plan's letter between its two chances, and its text below: see `largest`."""
    chances, numbers = plan.chances, plan.numbers
    large = largest(*chances)
    sizes = [48 if is_large else SMALL for is_large in large]
    left = sheet.write(LEFT, NUMBERS + down, numbers[0], sizes[0], ATTACKER, "bold", "left")
    right = sheet.write(RIGHT, NUMBERS + down, numbers[1], sizes[1], DEFENDER, "bold", "right")
    letter = sheet.write(WIDTH / 2, NUMBERS + down, name, 48, INK, "bold")
    if chances[2] > LEAST_SHOWN:
        words = sheet.write(0, NUMBERS + down - 1, fate_text(plan.other, numbers[2]), sizes[2], DRAW, align="left")
        room = sheet.extent(right).left - sheet.extent(left).right - sheet.width(letter) - 4 * APART
        (sheet.fit if large[2] else sheet.wrap)(words, room)
        for text, is_large in zip((left, right), large, strict=False):
            if is_large and large[2]:
                text.set_fontsize(words.get_fontsize())
        wide = sheet.width(letter) + 20 + sheet.width(words)
        x = max(WIDTH / 2, sheet.extent(left).right + 2 * APART + wide / 2)
        x = min(x, sheet.extent(right).left - 2 * APART - wide / 2)
        letter.set_x((x - wide / 2 + sheet.width(letter) / 2) / WIDTH)
        words.set_x((x + wide / 2 - sheet.width(words)) / WIDTH)
    sheet.write_first_fitting(WIDTH / 2, NAME + down, plan.titles, (SMALL,))


def _draw_band(sheet: Sheet, chances: Three, down: int) -> None:
    """Draw the chances as one band: the attacker's solid on the left, the defender's hollow on the right."""
    top, bottom = (edge + down for edge in STRIP)
    room, high = RIGHT - LEFT, bottom - top
    wins, holds = (chance * room for chance in chances[:2])
    if holds:
        width = max(holds, 2 * EDGE)
        sheet.add_shape(*side_box(RIGHT - width, bottom, width, high, DEFENDER))
    if chances[2] > LEAST_SHOWN:
        sheet.add_shape(box(LEFT + wins, bottom, room - holds - wins, high), DRAW)
    if wins:
        sheet.add_shape(box(LEFT, bottom, max(wins, EDGE), high), ATTACKER)


def _draw_bars(sheet: Sheet, laws: Sequence[Law], measure: str, sure: Sequence[bool]) -> None:
    """Draw the ends of both plans on one scale."""
    scale = _scale(laws)
    bars = [scale.bin_law(law) for law in laws]
    tallest = max(float(of.sum(axis=0).max(initial=0.0)) for of in bars)
    for plan, law in enumerate(laws):
        base = BASE + plan * LOWER
        for place, parts in enumerate(bars[plan].T.tolist()):
            if (chance := sum(parts)) > LEAST_SHOWN:
                x, height = scale.start + scale.pitch * (place + 0.5), TALLEST * chance / tallest
                sheet.add_shapes(bar_shapes(parts, x, scale.pitch, base, height))
        sheet.add_shape(box(LEFT, base + 2, RIGHT - LEFT, 2), QUIET)
        if len(law[0]):
            tall = bars[plan].sum(axis=0)
            y = base - max(TALLEST * float(tall.max()) / tallest, EDGE) - 18
            _name_tallest(sheet, scale, law, tall, y, measure, sure[plan])
    _write_axis(sheet, scale, measure)


def _scale(laws: Sequence[Law]) -> Scale:
    """Return the scale from the lowest end of both plans to the highest; too many amounts share bars."""
    shown = np.unique(np.concatenate([_without_tails(law)[0] for law in laws]))
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


def _without_tails(law: Law) -> Law:
    """Return the law without its tails."""
    shown = without_tails(law[1].sum(axis=0))
    return law[0][shown], law[1][:, shown]


def _name_tallest(sheet: Sheet, scale: Scale, law: Law, bars: Chances, y: float, measure: str, sure: bool) -> None:
    """Write the ends in the tallest bar, and their chance."""
    place, (ends, _other) = int(bars.argmax()), _without_tails(law)
    ends = ends[scale.bar_of(ends) == place]
    chance = float(bars[place])
    words = in_percent("100") if sure and isclose(chance, 1) else unsure_percent(chance)
    text = sheet.write(0, y, f"{_ends(float(ends[0]), float(ends[-1]), measure)}: {words}")
    half = sheet.width(text) / 2 + LEFT / 2
    text.set_x(min(max(scale.start + scale.pitch * (place + 0.5), half), WIDTH - half) / WIDTH)


def _ends(low: float, high: float, measure: str) -> str:
    """Describe the ends in a bar: "4 defenders left", "5–9 attackers left", "+12"."""
    if measure != "armies":
        return _profit(low) if high - low < SAME else _("{low} to {high}", low=_profit(low), high=_profit(high))
    if low == high == 0:
        return _("both wiped out")
    smaller, larger = sorted((int(abs(low)), int(abs(high))))
    count = f"{smaller}–{larger}" if smaller < larger else f"{smaller}"
    if low <= 0 < high:
        start, end = _n("{n} attacker", "{n} attackers", int(-low)), _n("{n} defender", "{n} defenders", int(high))
        return _("{attackers} to {defenders} left", attackers=start, defenders=end)
    if low < 0:
        return _n("{n} attacker left", "{n} attackers left", larger, n=count)
    return _n("{n} defender left", "{n} defenders left", larger, n=count)


def _profit(amount: float) -> str:
    """Write money with its sign, without needless decimals."""
    return f"{'−' if amount < 0 else '+'}{short_number(abs(amount), 7)}" if amount else "0"


def _write_axis(sheet: Sheet, scale: Scale, measure: str) -> None:
    """Write the numbers and the name of the axis below the lower plan."""
    y, high = BASE + LOWER, scale.low + scale.step * scale.bars - scale.unit
    ticks: Sequence[float] = round_ticks(ceil(scale.low), floor(high), MOST_TICKS) or [scale.low]
    words = [f"{abs(tick):.0f}" if measure == "armies" else _profit(tick) for tick in ticks]
    sheet.write_ticks(y + 24, zip(map(scale.place, ticks), words, strict=True))
    shared = _("{n} per bar", n=short_number(scale.step, 7)) if scale.step > scale.unit else ""
    if measure == "armies":
        left = sheet.write(LEFT, y + 58, _("attackers left"), colour=ATTACKER, align="left")
        right = sheet.write(RIGHT, y + 58, _("defenders left"), colour=DEFENDER, align="right")
        sheet.keep_between(sheet.write(WIDTH / 2, y + 58, shared, colour=QUIET), left, right)
    else:
        swing = _("attacker's TUV swing")
        if measure != _("value"):
            swing = _("attacker's TUV swing in {counted}", counted=measure)
        counted = ", ".join(filter(None, [swing, shared]))
        sheet.write_line(WIDTH / 2, y + 58, counted, (SMALL,), QUIET)
