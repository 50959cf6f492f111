"""Units over several territories as a picture: how likely each is held, with them and without."""

from collections.abc import Sequence

from bot.charts.style import (
    ATTACKER,
    DEFENDER,
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
)
from bot.languages import _

TOP, FOOT, WIDEST, TALLEST = 190.0, 580.0, 118.0, 38.0
GAP = 16.0
MARK = 6

Row = tuple[str, str, float, float, str]
"""Who goes there, against whom, the chances to hold with them and without, and the first of these in words."""


def draw_places(
    title: str, captions: tuple[str, str], numbers: tuple[str, str], share: float, rows: Sequence[Row]
) -> bytes:
    """The picture of a placement, as PNG.

    `numbers` are what the defender holds and what the attacker takes, as they are written, `captions` what they are;
    `share` is that of the defender. Each row is a territory.
    """
    sheet = new_sheet(title)
    for x, number, caption, colour in (
        (186, numbers[0], captions[0], DEFENDER),
        (614, numbers[1], captions[1], ATTACKER),
    ):
        larger = (share >= 0.5) == (colour == DEFENDER)
        sheet.text(x, 98, number, 56 if larger else 48, colour, "bold")
        sheet.fit(sheet.text(x, 148, caption, colour=QUIET), 2 * 186)
    pitch = min((FOOT - TOP) / len(rows), WIDEST)
    top = TOP + (FOOT - TOP - pitch * len(rows)) / 2
    for place, row in enumerate(rows):
        _territory(sheet, row, round(top + pitch * place), pitch)
    text = sheet.fitted(WIDTH / 2 + 12, 612, _("held with nobody placed"), (SMALL,), QUIET)
    sheet.shape(box(sheet.extent(text).left - 20, 626, MARK, 28), INK)
    return sheet.png()


def _territory(sheet: Sheet, row: Row, top: float, pitch: float) -> None:
    """One line of words, and below it a bar: the defender's part hollow from the left, the attacker's solid."""
    who, against, chance, without, told = row
    y = top + SMALL / 2
    number = sheet.text(RIGHT, y, told, colour=DEFENDER, weight="bold", align="right")
    room = sheet.extent(number).left - GAP
    text = sheet.text(LEFT, y, who, align="left")
    while len(who) > 1 and sheet.extent(text).right > room:
        who = who[:-1].rstrip()
        text.set_text(f"{who}…")
    start = sheet.extent(text).right + GAP
    quiet = sheet.text(start, y, against, colour=QUIET, align="left")
    if sheet.extent(quiet).right > room:
        quiet.set_text("")
    bottom = round(top + min(pitch - 6, SMALL + 8 + TALLEST))
    tall = bottom - top - SMALL - 6
    width = RIGHT - LEFT
    held = round(width * chance)
    if width - held >= EDGE:
        sheet.shape(box(LEFT + held, bottom, width - held, tall), ATTACKER)
    if held >= EDGE:
        sheet.shape(hollow(LEFT, bottom, held, tall), GROUND, DEFENDER)
    mark = min(max(round(LEFT + width * without - MARK / 2), LEFT), RIGHT - MARK)
    sheet.shape(box(mark - 2, bottom + 3, MARK + 4, tall + 6), GROUND)
    sheet.shape(box(mark, bottom + 3, MARK, tall + 6), INK)
