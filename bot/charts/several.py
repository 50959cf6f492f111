"""The picture of several plans: the chances of each as a band, the attacker's on the left, the best one marked."""

from collections.abc import Sequence

from bot.charts import DrawnChances
from bot.charts.bars import LEAST_SHOWN, side_box
from bot.charts.shapes import box
from bot.charts.sheet import Sheet, new_sheet
from bot.charts.style import ATTACKER, DEFENDER, DRAW, EDGE, HEIGHT, INK, LEFT, QUIET, RIGHT, SMALL, WIDTH

TOP, BOTTOM = 84, HEIGHT - 20
"""The places of all plans, in pixels from the top."""
LETTER, NUMBER, THICK = 56, 118, 30
"""Room for the letter and for a number on either side of a band, and the thickness of that."""


def draw_several(titles: Sequence[str], plans: Sequence[DrawnChances]) -> bytes:
    """Return the picture of several plans as PNG; it has the first title that fits, as each plan has."""
    sheet = new_sheet("")
    sheet.write_first_fitting(WIDTH / 2, 36, titles, (32, SMALL))
    pitch = (BOTTOM - TOP) / len(plans)
    for place, plan in enumerate(plans):
        _draw_plan(sheet, plan, TOP + pitch * (place + 0.5))
    return sheet.png()


def _draw_plan(sheet: Sheet, plan: DrawnChances, y: float) -> None:
    """Draw the band of a plan, with its letter, both chances and its battle above."""
    colour, weight = (INK, "bold") if plan.is_best else (QUIET, "normal")
    sheet.write(LEFT, y + 14, plan.name, 40, colour, weight, "left")
    sheet.write_first_fitting((LEFT + LETTER + RIGHT) / 2, y - 24, plan.titles, (SMALL,), colour)
    start, room = LEFT + LETTER + NUMBER, RIGHT - LEFT - LETTER - 2 * NUMBER
    bottom = y + 14 + THICK / 2
    left = sheet.write(start - 12, y + 14, plan.numbers[0], SMALL, ATTACKER, weight, "right")
    right = sheet.write(start + room + 12, y + 14, plan.numbers[1], SMALL, DEFENDER, weight, "left")
    for number in (left, right):
        sheet.fit(number, NUMBER - 12)
    wins, holds, neither = (chance * room for chance in plan.chances)
    if holds:
        width = max(holds, 2 * EDGE)
        sheet.add_shape(*side_box(start + room - width, bottom, width, THICK, DEFENDER))
    if plan.chances[2] > LEAST_SHOWN:
        sheet.add_shape(box(start + wins, bottom, neither, THICK), DRAW)
    if wins:
        sheet.add_shape(box(start, bottom, max(wins, EDGE), THICK), ATTACKER)
