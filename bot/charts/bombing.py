"""A bombing raid as a picture: whether it pays, what twenty such raids look like, and how much money they make.

Bars stand where the profit is on one line of money: raids that cost more than they do left and hollow, the factory's;
those that pay right and solid, the bombers'; even ones grey between them.
"""

from collections.abc import Iterator, Sequence
from itertools import count, groupby

from bot.army_wording import signed
from bot.charts.axis import UNTOLD, across
from bot.charts.battle import BASE, CUT_TAIL, MOST_BARS, TALLEST, Bar, stacked
from bot.charts.style import (
    ATTACKER,
    DEFENDER,
    LEFT,
    QUIET,
    RIGHT,
    SMALL,
    WIDTH,
    Sheet,
    box,
    new_sheet,
    round_ticks,
    squares,
)
from bot.languages import _, _p, in_percent
from bot.wording import uncertain

WIDEST, MOST_TICKS = 56.0, 5
LEAST_PEAKS = 0.25
"""Where so much of the chance lies a bomber's price apart, that is the shape of the law."""

Profits = Sequence[tuple[int, float]]
"""Money that a raid makes, the least first, and the chance of it."""


def draw_raid(
    title: str,
    subtitle: str,
    numbers: tuple[str, str, str],
    twenty: tuple[int, int, int],
    tale: str,
    profits: Profits,
    price: int,
    footer: str,
) -> bytes:
    """The picture of the odds of a bombing raid, as PNG.

    The `numbers` are in words the chances that the raid does not pay, that it does, and that it is even; in this order
    is how many of twenty raids each is, which the `tale` tells. The `price` is that of one bomber.
    """
    sheet = new_sheet(title)
    sheet.fitted(WIDTH / 2, 76, subtitle, (SMALL,), QUIET)
    even = sum(chance for profit, chance in profits if profit == 0) > UNTOLD
    across(sheet, (134, 138), numbers if even else (*numbers[:2], ""), (60, 32), (DEFENDER, ATTACKER), "bold")
    names = _("does not pay"), _("pays"), _p("neither gain nor loss", "even") if even else ""
    across(sheet, (186, 186), names, (SMALL, SMALL), (QUIET, QUIET))
    for shape in squares(twenty[0], twenty[1]):
        sheet.shape(*shape)
    sheet.fitted(WIDTH / 2, 266, tale, (SMALL,))
    bars, step = _bars(profits, price)
    tallest = max(bars, key=lambda bar: bar.chance)
    for bar in bars:
        for shape in stacked(bar, tallest.chance):
            sheet.shape(*shape)
    sheet.shape(box(LEFT, BASE + 2, RIGHT - LEFT, 2), QUIET)
    _name(sheet, tallest, alone=len(profits) == 1)
    _axis(sheet, bars, step)
    sheet.fitted(WIDTH / 2, 610, footer, (30, SMALL), weight="bold")
    return sheet.png()


def _bars(profits: Profits, price: int) -> tuple[list[Bar], int]:
    """The law without its tails, a bar to every step of money that is possible, and how much money a step is."""
    shown = _without_tails(profits)
    low, high = shown[0][0], shown[-1][0]
    step = next(step for step in _steps(shown, price) if high // step - low // step < MOST_BARS)
    first, places = low // step, high // step - low // step + 1
    pitch = min((RIGHT - LEFT) / places, WIDEST)
    start = (WIDTH - pitch * (places - 1)) / 2
    bars = []
    for place, group in groupby(shown, lambda end: end[0] // step):
        ends = list(group)
        parts = [sum(chance for profit, chance in ends if sign * profit > 0) for sign in (1, -1)]
        even = sum(chance for profit, chance in ends if profit == 0)
        x = start + pitch * (place - first)
        bars.append(Bar(ends[0][0], ends[-1][0], len(ends), (parts[0], parts[1], even), x, pitch))
    return bars, step


def _steps(profits: Profits, price: int) -> Iterator[int]:
    """How much money there may be to a bar, the least first.

    Profits peak a bomber's price apart where the damage is as good as certain, so every bar has to hold as many peaks
    as any other; without peaks, a few bars may share one price.
    """
    yield 1
    peaks = [sum(chance for profit, chance in profits if profit % price == rest) for rest in range(price)]
    if max(peaks) < LEAST_PEAKS:
        yield from (step for step in range(2, price) if price % step == 0)
    yield from (price * times for times in count(1))


def _without_tails(profits: Profits) -> Profits:
    """The part of a law in which nearly all raids end."""
    total = sum(chance for _, chance in profits)
    shown, reached = [], 0.0
    for profit, chance in profits:
        reached += chance
        if reached > CUT_TAIL * total and reached - chance < (1 - CUT_TAIL) * total:
            shown.append((profit, chance))
    return shown


def _name(sheet: Sheet, bar: Bar, alone: bool) -> None:
    """Write what the tallest bar is, and its chance, over it."""
    low, high = signed(bar.low), signed(bar.high)
    chance = in_percent("100") if alone else uncertain(bar.chance)
    ends = _("{low} to {high}", low=low, high=high) if low != high else low
    text = sheet.text(0, BASE - TALLEST - 22, f"{ends}: {chance}")
    half = sheet.width(text) / 2 + LEFT / 2
    text.set_x(min(max(bar.x, half), WIDTH - half) / WIDTH)


def _axis(sheet: Sheet, bars: Sequence[Bar], step: int) -> None:
    """Round amounts below the bars, in words what is left and right of 0, and how much money there is to a bar."""
    low, high = bars[0].low, bars[-1].high
    first = low // step * step
    places = [
        # An amount stands in the middle of its own bar, or where many share one, as far into it as it is.
        (bars[0].x + bars[0].pitch * ((amount - first) / step - 0.5 * (step > 1)), signed(amount))
        for amount in round_ticks(low, high, MOST_TICKS)
    ]
    sheet.ticks(BASE + 24, places)
    lost = sheet.text(LEFT, 562, _("IPC lost") if low < 0 else "", colour=DEFENDER, align="left")
    gained = sheet.text(RIGHT, 562, _("IPC gained") if high > 0 else "", colour=ATTACKER, align="right")
    if step > 1:
        sheet.between(sheet.text(WIDTH / 2, 562, _("{n} IPC per bar", n=step), colour=QUIET), lost, gained)
