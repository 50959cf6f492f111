"""The picture of all rounds of a fleet: the losses of each round, and the law of its dice."""

from collections.abc import Mapping, Sequence

from bot.charts.scale import round_ticks
from bot.charts.shapes import box, hollow_box
from bot.charts.sheet import Sheet, new_sheet
from bot.charts.style import ATTACKER, DEFENDER, DRAW, EDGE, GROUND, INK, LEFT, QUIET, RIGHT, WIDTH
from bot.languages import _, in_percent, number
from bot.words.numbers import short_percent, unsure_percent

MOST_WITH_DICE, MOST_PANELS = 6, 3
"""The dice have room beside so many rounds and panels at most."""
START, GAP = 110.0, 4.0
LENGTH = RIGHT - START
TOP, BOTTOM, MIDDLE = 104.0, 624.0, 346.0
PANELS, PANEL, APART = 156.0, 186.0, 30.0
"""The left edge of the first panel of dice, the width of each, and the gap between two."""
TALL = 58.0
"""The distance between the lines of two dice, such as the highest and the second."""

Round = tuple[str, Sequence[tuple[int, int, float]]]
"""The name of a round, and its outcomes: (attackers lost, defenders lost, chance), best for the attacker first."""
Dice = tuple[str, Sequence[Mapping[int, float]]]
"""The number of dice in words, and the law of the highest, of the second, ..."""


def draw_rounds(title: str, rounds: Sequence[Round], dice: Sequence[Dice], names: Sequence[str]) -> bytes:
    """Return the picture of all rounds as PNG: a bar for each, divided by its outcomes; below them the dice.

    Too many rounds leave no room for the dice. `names` are those of the highest die, of the second, ...
    """
    sheet = new_sheet(title)
    whose = sheet.write(LEFT, 80, _("defender loses"), colour=ATTACKER, align="left")
    theirs = sheet.write(RIGHT, 80, _("attacker loses"), colour=DEFENDER, align="right")
    sheet.keep_between(sheet.write(WIDTH / 2, 80, _("both alike"), colour=DRAW), whose, theirs)
    most = max(len(laws) for _label, laws in dice)
    roomy = len(rounds) <= MOST_WITH_DICE and max(len(dice), most) <= MOST_PANELS
    pitch = min(((MIDDLE if roomy else BOTTOM) - TOP) / max(len(rounds), 1), 90.0)
    for row, (label, outcomes) in enumerate(rounds):
        y = TOP + pitch * (row + 0.5)
        sheet.fit(sheet.write(LEFT, y, label, align="left"), START - LEFT - GAP)
        _draw_bar(sheet, y, min(pitch - 6, 52.0), outcomes)
    if roomy:
        for column, (label, laws) in enumerate(dice):
            _draw_panel(sheet, PANELS + (PANEL + APART) * column, label, laws)
        for row, name in enumerate(names[:most]):
            sheet.fit(sheet.write(LEFT, _base_line(row) - 16, name, align="left"), PANELS - LEFT - GAP)
    return sheet.png()


def _draw_bar(sheet: Sheet, y: float, tall: float, outcomes: Sequence[tuple[int, int, float]]) -> None:
    """Draw the outcomes of a round side by side, each as wide as its chance, which is written into it if it fits."""
    x, bottom = START, y + tall / 2
    for attackers, defenders, chance in outcomes:
        width = max(LENGTH * chance - GAP, 1.0)
        if attackers > defenders:
            sheet.add_shape(hollow_box(x, bottom, width, tall), GROUND, DEFENDER)
        else:
            sheet.add_shape(box(x, bottom, width, tall), ATTACKER if defenders > attackers else DRAW)
        for words in (in_percent("100") if chance == 1 else unsure_percent(chance), short_percent(chance)):
            text = sheet.write(x + width / 2, y, words, colour=INK if attackers > defenders else GROUND)
            if sheet.width(text) <= width - 4 * EDGE:
                break
            text.set_text("")
        x += LENGTH * chance


def _base_line(row: int) -> float:
    """Return the base of the bars of the die in this row, in pixels from the top."""
    return MIDDLE + 92 + TALL * row


def _draw_panel(sheet: Sheet, left: float, label: str, laws: Sequence[Mapping[int, float]]) -> None:
    """Draw the laws of some dice on one axis: a row for the highest, one for the second, ..."""
    low, high = min(map(min, laws)), max(map(max, laws))
    pitch = PANEL / (high - low + 1)
    most = max(max(law.values()) for law in laws)
    sheet.fit(sheet.write(left + PANEL / 2, MIDDLE + 20, label), PANEL)
    for row, law in enumerate(laws):
        for value, chance in law.items():
            height = max((TALL - 14) * chance / most, EDGE)
            sheet.add_shape(box(left + pitch * (value - low + 0.1), _base_line(row), pitch * 0.8, height), QUIET)
        sheet.add_shape(box(left, _base_line(row) + 2, PANEL, 2), QUIET)
    ticks = [(left + pitch * (value - low + 0.5), number(value, 0)) for value in round_ticks(low, high, 4)]
    sheet.write_ticks(_base_line(len(laws) - 1) + 24, ticks)
