"""The picture of an Axis & Allies battle's odds: the chances, twenty such battles as squares, and the TUV swing.

The attacker is on the left, the defender on the right. Below them all TUV swings are bars on one axis, the attacker's
worst on the left; a bar has the forms and colours of the sides that win with such a swing. A bombing raid has the same
picture: raids that pay are solid, raids that do not are hollow.
"""

from collections.abc import Iterable, Iterator, Sequence

from bot.charts import Swings
from bot.charts.bars import (
    HUNDREDTHS,
    Bar,
    bar_shapes,
    round_steps,
    round_ticks,
    side_box,
    swing_bars,
    twenty_squares,
)
from bot.charts.shapes import box
from bot.charts.sheet import Sheet, the_sheet
from bot.charts.style import APART, ATTACKER, DEFENDER, DRAW, LEFT, QUIET, RIGHT, SMALL, WIDTH, largest
from bot.charts.words import Words
from bot.games.axis.money import signed_money
from bot.games.axis.swing import DrawnSwings, Names, swing_name
from bot.languages import _, in_percent, short_number
from bot.words.numbers import unsure_percent

BASE, TALLEST = 498, 170
COLUMN = 214.0
"""The distance of each side's chance from the middle."""
SWATCH = 20.0
MOST_TICKS, FEW = 5, 7
KINDS = ATTACKER, DEFENDER, DRAW


def draw_axis(drawn: DrawnSwings, counted: str = "IPC") -> bytes:
    """Return the picture of the odds of an Axis & Allies battle as PNG.

    `counted` is the unit of the TUV, empty if units have prices of their own.
    """
    return draw_swings(drawn, swing_name(counted), counted)


def draw_swings(drawn: DrawnSwings, name: str, counted: str, steps: Iterable[int] = ()) -> bytes:
    """Return the picture of swings, whose axis has this name, as PNG; `steps` as for `swing_bars`."""
    sheet = the_sheet()
    sheet.clear()
    _draw_head(sheet, drawn)
    sheet.write_first_fitting(WIDTH / 2, 266, drawn.captions, (SMALL,), QUIET)
    bars, step, shared = swing_bars(drawn.swings, steps)
    _draw_bars(sheet, bars, step, shared, sure=len(drawn.swings) == 1)
    _name_axis(sheet, name, f"{short_number(step / HUNDREDTHS, 7)} {counted}".rstrip() if shared else "")
    sheet.write_first_fitting(WIDTH / 2, 610, drawn.footers, (30, SMALL), weight="bold")
    return sheet.png()


def _draw_head(sheet: Sheet, drawn: DrawnSwings) -> None:
    """Draw the title, the chances with their names, and twenty squares: see `largest`."""
    title = sheet.write_first_fitting(WIDTH / 2, 36, drawn.titles, (32, SMALL))
    below, y, large = 68, 120, 54
    if "\n" in title.get_text():
        below, y, large = 83, 124, 46
    sheet.write_first_fitting(WIDTH / 2, below, drawn.subtitles, (SMALL,), QUIET)
    attacker, defender, neither = (sum(swing[kind] for swing in drawn.swings) for kind in (1, 2, 3))
    sizes = [large if is_large else 32 for is_large in largest(attacker, defender, neither)]
    _write_across(sheet, y, drawn.numbers, sizes, (ATTACKER, DEFENDER, DRAW), "bold")
    shown = drawn.names if drawn.numbers[2] else (*drawn.names[:2], "")
    for text, kind in zip(_write_across(sheet, 178, shown, (SMALL,) * 3, (QUIET,) * 3), KINDS, strict=True):
        if text.get_text():
            _draw_key(sheet, text, kind)
    sheet.add_shapes(twenty_squares(drawn.twenty[1], drawn.twenty[0]))


def _write_across(
    sheet: Sheet, y: float, words: Names, pixels: Sequence[float], colours: tuple[str, str, str], weight: str = ""
) -> tuple[Words, Words, Words]:
    """Write the attacker's words on the left, the defender's on the right, and those of neither between them.

    `pixels` are the sizes of the letters. Words too wide for their place have two lines.
    Words without a `weight` are names, and leave room for a key before them.
    """
    key = 0 if weight else SWATCH + 8
    middle = sheet.write(WIDTH / 2 + key / 2, y, words[2], pixels[2], colours[2], weight or "normal")
    sheet.wrap(middle, WIDTH / 3 - key)
    reach = WIDTH / 2 - ((sheet.width(middle) + key) / 2 + APART if words[2] else APART / 2)
    sides = []
    for side, towards in ((0, -1), (1, 1)):
        text = sheet.write(0, y, words[side], pixels[side], colours[side], weight or "normal")
        sheet.wrap(text, reach - LEFT / 2 - key)
        off = max(COLUMN, WIDTH / 2 - reach + (sheet.width(text) + key) / 2)
        text.set_x((WIDTH / 2 + towards * off + key / 2) / WIDTH)
        sides.append(text)
    return sides[0], sides[1], middle


def _draw_key(sheet: Sheet, text: Words, kind: str) -> None:
    """Draw a square in the colour and form of a kind of end before its name."""
    here = sheet.extent(text)
    x, bottom = here.left - SWATCH - 8, (here.top + here.bottom + SWATCH) / 2
    sheet.add_shape(*side_box(x, bottom, SWATCH, SWATCH, kind))


def _draw_bars(sheet: Sheet, bars: Sequence[Bar], step: int, shared: bool, sure: bool) -> None:
    """Draw bars of money in hundredths, a line at 0, amounts below, and the ends and the chance of the tallest bar.

    `sure` means that there is only one possible amount.
    """
    tallest = max(bars, key=lambda bar: bar.chance)
    # An amount is in the middle of its own bar, or at its place inside a shared one.
    origin = (bars[0].low // step + 0.5) * step if shared else bars[0].low

    def place(amount: float) -> float:
        return bars[0].x + bars[0].pitch * (amount - origin) / step

    for bar in bars:
        height = TALLEST * bar.chance / tallest.chance
        sheet.add_shapes(bar_shapes(bar.parts, bar.x, bar.pitch, BASE, height))
    if bars[0].low < 0 < bars[-1].high and (shared or not any(bar.low == 0 for bar in bars)):
        sheet.add_shape(box(place(0) - 1, BASE, 2, TALLEST), QUIET)
    sheet.add_shape(box(LEFT, BASE + 2, RIGHT - LEFT, 2), QUIET)
    ends = signed_money(tallest.low / HUNDREDTHS)
    if tallest.low != tallest.high:
        ends = _("{low} to {high}", low=ends, high=signed_money(tallest.high / HUNDREDTHS))
    chance = in_percent("100") if sure else unsure_percent(tallest.chance)
    text = sheet.write(0, BASE - TALLEST - 22, f"{ends}: {chance}")
    half = sheet.width(text) / 2
    text.set_x(min(max(tallest.x, LEFT + half), RIGHT - half) / WIDTH)
    sheet.write_ticks(BASE + 24, [(place(amount), signed_money(amount / HUNDREDTHS)) for amount in _ticks(bars)])


def _ticks(bars: Sequence[Bar]) -> list[int]:
    """Return the amounts below the bars, the nearest to 0 first: all of them if they are few, else round ones."""
    low, high = bars[0].low, bars[-1].high
    if len(bars) <= FEW and all(bar.possible == 1 for bar in bars):
        return sorted({*(bar.low for bar in bars), *([0] if low < 0 < high else [])}, key=abs)
    whole = round_ticks(-(-low // HUNDREDTHS), high // HUNDREDTHS, MOST_TICKS)
    return sorted((HUNDREDTHS * amount for amount in whole), key=abs)


def _name_axis(sheet: Sheet, name: str, shared: str) -> None:
    """Write the name of the axis below the bars, and the width of a bar if several amounts share one."""
    if not shared:
        sheet.write_line(WIDTH / 2, 562, name, (SMALL,), QUIET)
        return
    left = sheet.write(LEFT, 562, name, colour=QUIET, align="left")
    sheet.fit(left, RIGHT - LEFT)
    right = sheet.write(RIGHT, 562, _("bars of {amount}", amount=shared), colour=QUIET, align="right")
    if sheet.extent(left).right + APART > sheet.extent(right).left:
        right.set_text("")


LEAST_PEAKS = 0.25
"""The law has peaks a bomber's price apart if these hold at least this chance together."""


def draw_raid(drawn: DrawnSwings, price: int) -> bytes:
    """Return the picture of the odds of a bombing raid as PNG; `price` is that of one bomber."""
    return draw_swings(drawn, _("IPC gained by the raid"), "IPC", _steps(drawn.swings, price))


def _steps(swings: Swings, price: int) -> Iterator[int]:
    """Yield the possible widths of a bar in hundredths of money, the least first.

    If the damage is nearly certain, profits peak a bomber's price apart, and each bar must hold as many peaks as any
    other. Without peaks, a few bars may share one price.
    """
    yield HUNDREDTHS
    peaks = [sum(sum(chances) for profit, *chances in swings if profit % price == rest) for rest in range(price)]
    if max(peaks) < LEAST_PEAKS:
        yield from (HUNDREDTHS * step for step in range(2, price) if price % step == 0)
    yield from (HUNDREDTHS * price * times for times in round_steps())
