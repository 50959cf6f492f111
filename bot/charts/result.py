"""The picture of a battle that somebody tells the end of: the law of all ends, with that end marked, and its luck."""

from collections.abc import Sequence

from bot.charts import DrawnResult
from bot.charts.bars import HUNDREDTHS, Bar, bar_shapes, round_ticks, swing_bars
from bot.charts.shapes import box
from bot.charts.sheet import Sheet, the_sheet
from bot.charts.style import APART, ATTACKER, DEFENDER, INK, LEFT, QUIET, RIGHT, SMALL, WIDTH

BASE, TALLEST, MOST_TICKS = 478.0, 190.0, 5
MARK = 8.0
"""How thick the mark below the bars is."""


def draw_result(drawn: DrawnResult) -> bytes:
    """Return the picture as PNG."""
    sheet = the_sheet()
    sheet.clear()
    sheet.write_first_fitting(WIDTH / 2, 36, drawn.titles, (32, SMALL))
    sheet.write_sentence(108, drawn.verdict, (44, 40, 36, 32, SMALL), weight="bold")
    sheet.write_sentence(168, drawn.luck, colour=QUIET)
    bars, step, _shared = swing_bars(drawn.swings, marked=drawn.marked)
    tallest = max(bar.chance for bar in bars)
    for bar in bars:
        sheet.add_shapes(bar_shapes(bar.parts, bar.x, bar.pitch, BASE, TALLEST * bar.chance / tallest))
    sheet.add_shape(box(LEFT, BASE + 2, RIGHT - LEFT, 2), QUIET)
    marked = [round(HUNDREDTHS * amount) for amount in drawn.marked]
    _mark(sheet, drawn.mark, [bar for bar in bars if any(bar.low <= at <= bar.high for at in marked)], tallest)
    _write_axis(sheet, bars, step, drawn.names)
    sheet.write_sentence(610, drawn.foot, (30, SMALL), weight="bold")
    return sheet.png()


def _mark(sheet: Sheet, words: str, marked: Sequence[Bar], tallest: float) -> None:
    """Draw a thick line below the bars that are marked, with words above them and a line down to the tallest."""
    for bar in marked:
        sheet.add_shape(box(bar.x - bar.pitch / 2, BASE + 2 + MARK, bar.pitch, MARK), INK)
    peak = max(marked, key=lambda bar: bar.chance)
    top, height = BASE - TALLEST - 44, TALLEST * peak.chance / tallest
    text = sheet.write(0, top, words)
    sheet.fit(text, RIGHT - LEFT)
    half = sheet.width(text) / 2
    text.set_x(min(max(peak.x, LEFT + half), RIGHT - half) / WIDTH)
    sheet.add_shape(box(peak.x - 1, BASE - height - 6, 2, TALLEST + 20 - height), INK)


def _write_axis(sheet: Sheet, bars: Sequence[Bar], step: int, names: Sequence[str]) -> None:
    """Write round numbers below the bars, and the names of the axis."""
    signed, first = len(names) == 1, bars[0]
    low, high = first.low // HUNDREDTHS, -(-bars[-1].high // HUNDREDTHS)
    ticks = []
    for amount in sorted(round_ticks(low, high, MOST_TICKS), key=abs):
        x = first.x + first.pitch * (HUNDREDTHS * amount - first.low) / step
        words = f"{'−' if amount < 0 else '+' * (amount > 0)}{abs(amount)}" if signed else str(abs(amount))
        ticks.append((x, words))
    sheet.write_ticks(BASE + 36, ticks)
    if signed:
        sheet.write_line(WIDTH / 2, BASE + 72, names[0], (SMALL,), QUIET)
        return
    for x, name, colour, align in ((LEFT, names[0], ATTACKER, "left"), (RIGHT, names[1], DEFENDER, "right")):
        text = sheet.write(x, BASE + 72, name, colour=colour, align="left" if align == "left" else "right")
        sheet.fit(text, WIDTH / 2 - LEFT - APART)
