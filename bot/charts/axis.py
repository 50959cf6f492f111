"""The odds of an Axis & Allies battle as a picture: who wins, what twenty such battles look like, and the TUV swing.

Attacker left, defender right. Below them all TUV swings stand on one axis, from the attacker's worst to its best; a
bar is parted in the forms and colours of those who win with such a swing.
"""

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import groupby
from math import gcd

from matplotlib.text import Text

from bot.army_wording import signed
from bot.charts.battle import CUT_TAIL, MOST_BARS, Bar, stacked
from bot.charts.style import (
    APART,
    ATTACKER,
    DEFENDER,
    DRAW,
    GROUND,
    LEFT,
    QUIET,
    RIGHT,
    SMALL,
    WIDTH,
    Sheet,
    box,
    hollow,
    in_two_lines,
    round_steps,
    round_ticks,
    squares,
    the_sheet,
)
from bot.languages import _, in_percent, shortest
from bot.wording import uncertain

BASE, TALLEST = 498, 170
COLUMN = 214.0
"""How far from the middle each side's chance is written."""
SWATCH = 20.0
WIDEST, MOST_TICKS, FEW = 80.0, 5, 7
MOST_SHARED = 32
"""So many bars stand for several swings each."""
HUNDREDTHS = 100
KINDS = ATTACKER, DEFENDER, DRAW

Names = tuple[str, str, str]
"""Words for the attacker, for the defender, and for when neither wins."""
Swings = Sequence[tuple[float, float, float, float]]
"""Each possible TUV swing, the least first, with the chances that the attacker, the defender and nobody wins there."""


def draw_axis(
    titles: Sequence[str],
    subtitle: str,
    names: Names,
    numbers: Names,
    twenty: tuple[int, int, int],
    others: Sequence[str],
    swings: Swings,
    footers: Sequence[str],
    counted: str = "IPC",
) -> bytes:
    """Return the picture of the odds of an Axis & Allies battle as PNG.

    Of the `titles`, of the `footers` and of what the `others` say of the ends that nobody wins the first is shown that
    fits. Names, chances in words, and how many of `twenty` battles each is: of the attacker, the defender, neither.
    The last number is empty where there is no such end. `counted` is what the TUV is counted in; it is empty where
    somebody gives units prices of their own.
    """
    sheet = the_sheet()
    sheet.clear()
    draw_head(sheet, titles, [subtitle], names, numbers, twenty)
    sheet.first_fitting(WIDTH / 2, 266, others or [_("20 such battles")], (SMALL,), QUIET)
    bars, step, shared = swing_bars(swings)
    draw_bars(sheet, bars, step, shared, sure=len(swings) == 1)
    name = _("attacker's TUV swing in {counted}", counted=counted) if counted else _("attacker's TUV swing")
    name_axis(sheet, name, f"{shortest(step / HUNDREDTHS, 7)} {counted}".rstrip() if shared else "")
    sheet.first_fitting(WIDTH / 2, 610, footers, (30, SMALL), weight="bold")
    return sheet.png()


def draw_head(
    sheet: Sheet,
    titles: Sequence[str],
    subtitles: Sequence[str],
    names: Names,
    numbers: Names,
    twenty: tuple[int, int, int],
) -> None:
    """Draw the title, the chances with the names of who wins, and twenty squares."""
    title = sheet.first_fitting(WIDTH / 2, 36, titles, (32, SMALL))
    below, y, large = 71, 117, 60
    if "\n" in title.get_text():
        below, y, large = 83, 124, 48
    sheet.first_fitting(WIDTH / 2, below, subtitles, (SMALL,), QUIET)
    _across(sheet, y, numbers, (large, 32), (ATTACKER, DEFENDER, DRAW), "bold")
    shown = names if numbers[2] else (*names[:2], "")
    for text, kind in zip(_across(sheet, 178, shown, (SMALL, SMALL), (QUIET,) * 3), KINDS, strict=True):
        if text.get_text():
            _key(sheet, text, kind)
    for shape in squares(twenty[1], twenty[0]):
        sheet.shape(*shape)


def _across(
    sheet: Sheet, y: float, words: Names, pixels: tuple[float, float], colours: tuple[str, str, str], weight: str = ""
) -> tuple[Text, Text, Text]:
    """Write the attacker's words left, the defender's right and nobody's between them, the last in other letters.

    Words too wide for their place are parted: they stand on two lines. Names have a key before them.
    """
    key = 0 if weight else SWATCH + 8
    middle = sheet.text(WIDTH / 2 + key / 2, y, words[2], pixels[1], colours[2], weight or "normal")
    _part(sheet, middle, WIDTH / 3 - key)
    reach = WIDTH / 2 - ((sheet.width(middle) + key) / 2 + APART if words[2] else APART / 2)
    sides = []
    for side, towards in ((0, -1), (1, 1)):
        text = sheet.text(0, y, words[side], pixels[0], colours[side], weight or "normal")
        _part(sheet, text, reach - LEFT / 2 - key)
        off = max(COLUMN, WIDTH / 2 - reach + (sheet.width(text) + key) / 2)
        text.set_x((WIDTH / 2 + towards * off + key / 2) / WIDTH)
        sides.append(text)
    return sides[0], sides[1], middle


def _part(sheet: Sheet, text: Text, room: float) -> None:
    """Put a text on two lines where it is wider than there is room, and make it fit."""
    if sheet.width(text) > room:
        text.set_text(in_two_lines(text.get_text()))
    sheet.fit(text, room)


def _key(sheet: Sheet, text: Text, kind: str) -> None:
    """Draw a square in the colour and form of a kind of end, before its name."""
    here = sheet.extent(text)
    x, bottom = here.left - SWATCH - 8, (here.top + here.bottom + SWATCH) / 2
    if kind == DEFENDER:
        sheet.shape(hollow(x, bottom, SWATCH, SWATCH), GROUND, DEFENDER)
    else:
        sheet.shape(box(x, bottom, SWATCH, SWATCH), kind)


def swing_bars(swings: Swings, steps: Iterable[int] = ()) -> tuple[list[Bar], int, bool]:
    """Return the law of the TUV swing as bars without its tails, the money of a bar, and whether swings share bars.

    All money is in hundredths. Bars stand where their swings are, on one line. Where there would be too many, several
    swings share a bar, as many as are possible in any other; other `steps` say how much money a bar may be.
    """
    law = [(round(HUNDREDTHS * amount), parts) for amount, *parts in _without_tails(swings)]
    low, high = law[0][0], law[-1][0]
    unit = reduce(gcd, (amount - low for amount, _ in law)) or HUNDREDTHS
    steps = steps or (unit * times for times in round_steps())
    most = {unit: MOST_BARS}
    step = next(step for step in steps if high // step - low // step < most.get(step, MOST_SHARED))
    first, last = low // step, high // step
    pitch = min((RIGHT - LEFT) / (last - first + 1), WIDEST)
    start = (WIDTH - pitch * (last - first)) / 2
    bars = []
    for place, group in groupby(law, lambda swing: swing[0] // step):
        ends = list(group)
        attacker, defender, neither = (sum(parts[kind] for _, parts in ends) for kind in range(3))
        chances = attacker, defender, neither
        bars.append(Bar(ends[0][0], ends[-1][0], len(ends), chances, start + pitch * (place - first), pitch))
    return bars, step, step > unit


def _without_tails(swings: Swings) -> Swings:
    """Return the part of a law in which nearly all battles end."""
    total = sum(sum(parts) for _, *parts in swings)
    shown, reached = [], 0.0
    for swing in swings:
        chance = sum(swing[1:])
        reached += chance
        if reached > CUT_TAIL * total and reached - chance < (1 - CUT_TAIL) * total:
            shown.append(swing)
    return shown


def draw_bars(sheet: Sheet, bars: Sequence[Bar], step: int, shared: bool, sure: bool) -> None:
    """Draw bars of money in hundredths with a line at 0 and amounts below them, and name the tallest bar."""
    tallest = max(bars, key=lambda bar: bar.chance)
    # An amount stands in the middle of its own bar, or as far into a shared one as it is.
    origin = (bars[0].low // step + 0.5) * step if shared else bars[0].low

    def place(amount: float) -> float:
        return bars[0].x + bars[0].pitch * (amount - origin) / step

    for bar in bars:
        for shape in stacked(bar, tallest.chance, BASE, TALLEST):
            sheet.shape(*shape)
    if bars[0].low < 0 < bars[-1].high and (shared or not any(bar.low == 0 for bar in bars)):
        sheet.shape(box(place(0) - 1, BASE, 2, TALLEST), QUIET)
    sheet.shape(box(LEFT, BASE + 2, RIGHT - LEFT, 2), QUIET)
    ends = signed(tallest.low / HUNDREDTHS)
    if tallest.low != tallest.high:
        ends = _("{low} to {high}", low=ends, high=signed(tallest.high / HUNDREDTHS))
    chance = in_percent("100") if sure else uncertain(tallest.chance)
    text = sheet.text(0, BASE - TALLEST - 22, f"{ends}: {chance}")
    half = sheet.width(text) / 2
    text.set_x(min(max(tallest.x, LEFT + half), RIGHT - half) / WIDTH)
    sheet.ticks(BASE + 24, [(place(amount), signed(amount / HUNDREDTHS)) for amount in _ticks(bars)])


def _ticks(bars: Sequence[Bar]) -> list[int]:
    """Return the amounts below the bars, the most important first: 0, then each where they are few, else round ones."""
    low, high = bars[0].low, bars[-1].high
    if len(bars) <= FEW and all(bar.possible == 1 for bar in bars):
        return sorted({*(bar.low for bar in bars), *([0] if low < 0 < high else [])}, key=abs)
    whole = round_ticks(-(-low // HUNDREDTHS), high // HUNDREDTHS, MOST_TICKS)
    return sorted((HUNDREDTHS * amount for amount in whole), key=abs)


def name_axis(sheet: Sheet, name: str, shared: str) -> None:
    """Say what stands below the bars, and how much of it each bar is, where several amounts share one."""
    if not shared:
        sheet.fitted(WIDTH / 2, 562, name, (SMALL,), QUIET)
        return
    left = sheet.text(LEFT, 562, name, colour=QUIET, align="left")
    sheet.fit(left, RIGHT - LEFT)
    right = sheet.text(RIGHT, 562, _("bars of {amount}", amount=shared), colour=QUIET, align="right")
    if sheet.extent(left).right + APART > sheet.extent(right).left:
        right.set_text("")
