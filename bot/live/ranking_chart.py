"""The picture of a ranking by luck: a bar for each player, over the grey band of luck that chance alone makes.

Bars go right for good luck and left for bad luck. Beyond two standard deviations they are orange and solid, or blue and
hollow; else they are grey.
"""

from collections.abc import Sequence

from bot.charts import RankedPlayer
from bot.charts.bars import side_box
from bot.charts.shapes import box
from bot.charts.sheet import Sheet, new_sheet
from bot.charts.style import APART, DRAW, EDGE, INK, LEFT, QUIET, RIGHT
from bot.languages import _
from bot.live.luck_chart import FAR, WIDE, luck_colour, printable, with_sign
from bot.words.luck import left_out_text
from solver.luck import TotalLuck

START, END, TOP, BASE = 256.0, 596.0, 116.0, 520.0
"""The edges of the bars, of both sides together, and of the rows."""
MIDDLE, LUCK = (START + END) / 2, 690.0
WIDEST_ROW, BAND, BAR = 92.0, 0.8, 0.4
"""The height of a row at most, and the parts of it that the band and the bar fill."""


def draw_ranking(title: str, players: Sequence[RankedPlayer], left_out: int) -> bytes:
    """Return the picture of a ranking as PNG: the luckiest first, with so many players left out in the middle."""
    sheet = new_sheet(printable(title))
    for x, words, room in (
        (START, _("unlucky"), MIDDLE - START),
        (END, _("lucky"), END - MIDDLE),
        (RIGHT, _("battles"), RIGHT - END),
    ):
        text = sheet.write(x, TOP - 24, words, colour=QUIET, align="left" if x == START else "right")
        sheet.fit(text, room - APART)
    above, slots = (len(players) // 2, len(players) + 1) if left_out else (len(players), len(players))
    pitch = min((BASE - TOP) / slots, WIDEST_ROW)
    reach = max(max(abs(total.luck), FAR * total.spread) for _name, total in players) or 1.0
    sheet.add_shape(box(MIDDLE - 1, TOP + pitch * slots, 2, pitch * slots), QUIET)
    for place, player in enumerate(players):
        below = place >= above
        name = printable(player.name) or f"#{place + 1 + left_out * below}"
        y = TOP + pitch * (place + below + 0.5)
        _draw_row(sheet, name, player.total, (y, pitch), (MIDDLE - START) / reach)
    if left_out:
        sheet.fit(sheet.write(LEFT, TOP + pitch * (above + 0.5), left_out_text(left_out), align="left"), END - LEFT)
    sheet.write_sentence(BASE + 40, _("luck: wins above or below what was expected"), colour=QUIET)
    if any(total.z is not None for _name, total in players):
        sheet.write_sentence(BASE + 86, _("19 of 20 players end inside the grey band"), colour=QUIET)
    return sheet.png()


def _draw_row(sheet: Sheet, name: str, total: TotalLuck, row: tuple[float, float], scale: float) -> None:
    """Draw a player's band and bar, with the name in front and the numbers behind.

    `row` is the middle of the row and its height, and `scale` the pixels of a win.
    """
    y, pitch = row
    colour = luck_colour(total.n, total.luck, total.spread)
    half, length = FAR * total.spread * scale, abs(total.luck) * scale
    if half:
        sheet.add_shape(box(MIDDLE - half, y + pitch * BAND / 2, 2 * half, pitch * BAND), WIDE)
    sheet.add_shape(box(MIDDLE - 1, y + pitch / 2, 2, pitch), QUIET)
    if length:
        width = max(length, EDGE)
        left = MIDDLE if total.luck > 0 else MIDDLE - width
        sheet.add_shape(*side_box(left, y + pitch * BAR / 2, width, pitch * BAR, colour or DRAW))
    sheet.fit(sheet.write(LEFT, y, name, align="left"), START - LEFT - APART)
    worth = with_sign(total.luck, 1)
    sheet.write(LUCK, y, worth, colour=colour or INK, weight="bold" if colour else "normal", align="right")
    sheet.write(RIGHT, y, str(total.n), colour=QUIET, align="right")
