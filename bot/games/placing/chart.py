"""The picture of a placement: the chance to hold each territory, with the units placed and without."""

from collections.abc import Sequence

from bot.charts.shapes import box, hollow_box
from bot.charts.sheet import Sheet, new_sheet
from bot.charts.style import ATTACKER, DEFENDER, EDGE, GROUND, INK, LEFT, QUIET, RIGHT, SMALL, WIDTH
from bot.languages import _

TOP, FOOT, WIDEST, TALLEST = 176.0, 570.0, 190.0, 84.0
GAP, MARK, KEY, BESIDE = 16.0, 6, 26, 8
ROOMY = 70.0
"""A row higher than this has more room between its bar and the words of the next row."""
LEGEND = 612

Row = tuple[Sequence[str], str, float, float, str]
"""The units placed, in ever fewer words; the attackers; the chances to hold with the units and without; the first in
words."""


def draw_places(title: str, number: str, caption: str, rows: Sequence[Row]) -> bytes:
    """Return the picture of a placement as PNG.

    `number` is the result in words, such as a chance, and `caption` its name. Each row is a territory.
    """
    sheet = new_sheet(title)
    sheet.write(WIDTH / 2, 98, number, 60, DEFENDER, "bold")
    sheet.write_line(WIDTH / 2, 148, caption, (SMALL,))
    pitch = min((FOOT - TOP) / len(rows), WIDEST)
    top = TOP + (FOOT - TOP - pitch * len(rows)) / 2
    for place, row in enumerate(rows):
        _draw_territory(sheet, row, round(top + pitch * place), pitch)
    _draw_legend(sheet)
    return sheet.png()


def _draw_legend(sheet: Sheet) -> None:
    """Explain the two parts of a bar and the mark on it."""
    texts = [
        sheet.write(0, LEGEND, name, align="left") for name in (_("held"), _("taken"), _("held with nobody placed"))
    ]
    keys, beside = (KEY, KEY, MARK), 2 * KEY + MARK + 3 * BESIDE
    if sum(map(sheet.width, texts)) > RIGHT - LEFT - beside - 2 * GAP:
        texts[-1].set_text(_("nobody placed"))
    x = WIDTH / 2 - (sum(map(sheet.width, texts)) + beside + 2 * GAP) / 2
    faces = (DEFENDER, "none"), (GROUND, ATTACKER), (INK, "none")
    for text, wide, (face, edge) in zip(texts, keys, faces, strict=True):
        sheet.add_shape((hollow_box if edge == ATTACKER else box)(x, LEGEND + 13, wide, KEY), face, edge)
        text.set_x((x + wide + BESIDE) / WIDTH)
        x += wide + BESIDE + sheet.width(text) + GAP


def _draw_territory(sheet: Sheet, row: Row, top: float, pitch: float) -> None:
    """Draw a line of words and below it a bar: solid on the left as far as it is held, the attacker's part hollow."""
    units, attackers, chance, without, words = row
    y = top + SMALL / 2
    number = sheet.write(RIGHT, y, words, colour=DEFENDER, weight="bold", align="right")
    room = sheet.extent(number).left - GAP
    text = sheet.write(LEFT, y, units[0], align="left")
    for shorter in units[1:]:
        if sheet.extent(text).right > room:
            text.set_text(shorter)
    sheet.fit(text, room - LEFT)
    start = sheet.extent(text).right + GAP
    quiet = sheet.write(start, y, attackers, colour=QUIET, align="left")
    if sheet.extent(quiet).right > room:
        quiet.set_text("")
    bottom = round(top + min(pitch - (14 if pitch > ROOMY else 6), SMALL + 8 + TALLEST))
    tall = bottom - top - SMALL - 6
    width = RIGHT - LEFT
    held = round(width * chance)
    if width - held >= EDGE:
        sheet.add_shape(hollow_box(LEFT + held, bottom, width - held, tall), GROUND, ATTACKER)
    if held >= EDGE:
        sheet.add_shape(box(LEFT, bottom, held, tall), DEFENDER)
    mark = min(max(round(LEFT + width * without - MARK / 2), LEFT), RIGHT - MARK)
    sheet.add_shape(box(mark - 2, bottom + 3, MARK + 4, tall + 6), GROUND)
    sheet.add_shape(box(mark, bottom + 3, MARK, tall + 6), INK)
