"""The pictures of dice: the rolls of one side, and all rounds of a fleet with its dice."""

from collections.abc import Mapping, Sequence
from math import ceil

import numpy as np

from bot.charts.bars import MOST_BARS, round_ticks, side_box
from bot.charts.shapes import box
from bot.charts.sheet import Sheet, new_sheet
from bot.charts.style import (
    APART,
    ATTACKER,
    DEFENDER,
    DRAW,
    EDGE,
    GROUND,
    HEIGHT,
    INK,
    LEFT,
    QUIET,
    RIGHT,
    WIDTH,
)
from bot.charts.text import in_two_lines
from bot.games.dice.rounds.words import RANKS
from bot.languages import _, _n, in_percent, number
from bot.words.numbers import short_percent, unsure_percent

WIDEST = 56.0
START, END, ROOM = 160.0, 580.0, 474.0


def draw_roll(title: str, ranks: Sequence[Mapping[int, float]], names: Sequence[str] = ()) -> bytes:
    """Return the picture of one side's roll as PNG: the law of its highest die, of its second, ... up to eight of them.

    With `names`, `ranks` are the laws of other numbers.
    """
    sheet = new_sheet(title)
    ranks = [rank for rank in ranks if any(rank.values())][: len(RANKS)]
    if not ranks:
        return sheet.png()
    low, high = min(min(rank) for rank in ranks), max(max(rank) for rank in ranks)
    step = ceil((high - low + 1) / MOST_BARS)
    bins = (high - low) // step + 1
    pitch = min((END - START) / bins, WIDEST)
    start = (START + END - pitch * bins) / 2
    lows = [(low + step * place, start + pitch * place) for place in range(bins)]
    apart = min(ROOM / len(ranks), 230)
    first = 320 + apart * (1 - len(ranks) / 2)
    for row, rank in enumerate(ranks):
        base = first + apart * row
        _draw_law(sheet, rank, lows, pitch, base, apart - 22)
        name = names[row] if names else _(RANKS[row])
        sheet.fit(sheet.write(LEFT, base - 18, name, align="left"), START - LEFT)
        mean = sum(value * chance for value, chance in rank.items()) / sum(rank.values())
        words = _("average {value}", value=number(round(mean, 2) + 0.0, 2))
        average = sheet.write(RIGHT, base - 18, words, colour=QUIET, align="right")
        if sheet.width(average) > RIGHT - END - APART:
            average.set_text(in_two_lines(words))
            average.set_y(1 - (base - 34) / HEIGHT)
        sheet.fit(average, RIGHT - END)
    places = [(value, start + pitch * ((value - low) // step + 0.5)) for value in round_ticks(low, high, 6)]
    sheet.write_ticks(base + 26, [(x, number(value, 0)) for value, x in places])
    if step > 1:
        sheet.write(WIDTH / 2, 80, _n("{n} value per bar", "{n} values per bar", step), colour=QUIET)
    return sheet.png()


def _draw_law(
    sheet: Sheet, rank: Mapping[int, float], bins: Sequence[tuple[int, float]], pitch: float, base: float, tall: float
) -> None:
    """Draw the bars of one die on their line; each of the `bins` is a bar's least value and its left edge."""
    values, chances = np.array(list(rank)), np.array(list(rank.values()))
    heights, _edges = np.histogram(values, [low for low, _other in bins] + [np.inf], weights=chances)
    for (_other, x), height in zip(bins, (heights / heights.max() * tall).tolist(), strict=True):
        if height:
            sheet.add_shape(box(x + pitch * 0.1, base, pitch * 0.8, max(height, EDGE)), QUIET)
    sheet.add_shape(box(START, base + 2, END - START, 2), QUIET)


MOST_WITH_DICE, MOST_PANELS = 6, 3
"""The dice have room beside so many rounds and panels at most."""
BARS, GAP = 110.0, 4.0
LENGTH = RIGHT - BARS
TOP, BOTTOM, MIDDLE = 104.0, 624.0, 346.0
PANELS, PANEL, BETWEEN = 156.0, 186.0, 30.0
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
    rows = max(len(laws) for _label, laws in dice)
    roomy = len(rounds) <= MOST_WITH_DICE and max(len(dice), rows) <= MOST_PANELS
    pitch = min(((MIDDLE if roomy else BOTTOM) - TOP) / max(len(rounds), 1), 90.0)
    for row, (label, outcomes) in enumerate(rounds):
        y = TOP + pitch * (row + 0.5)
        sheet.fit(sheet.write(LEFT, y, label, align="left"), BARS - LEFT - GAP)
        _draw_bar(sheet, y, min(pitch - 6, 52.0), outcomes)
    if roomy:
        for column, (label, laws) in enumerate(dice):
            _draw_panel(sheet, PANELS + (PANEL + BETWEEN) * column, label, laws)
        for row, name in enumerate(names[:rows]):
            sheet.fit(sheet.write(LEFT, _base_line(row) - 16, name, align="left"), PANELS - LEFT - GAP)
    return sheet.png()


def _draw_bar(sheet: Sheet, y: float, tall: float, outcomes: Sequence[tuple[int, int, float]]) -> None:
    """Draw the outcomes of a round side by side, each as wide as its chance, which is written into it if it fits."""
    x, bottom = BARS, y + tall / 2
    for attackers, defenders, chance in outcomes:
        width = max(LENGTH * chance - GAP, 1.0)
        colour = DEFENDER if attackers > defenders else ATTACKER if defenders > attackers else DRAW
        sheet.add_shape(*side_box(x, bottom, width, tall, colour))
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
    tallest = max(max(law.values()) for law in laws)
    sheet.fit(sheet.write(left + PANEL / 2, MIDDLE + 20, label), PANEL)
    for row, law in enumerate(laws):
        for value, chance in law.items():
            height = max((TALL - 14) * chance / tallest, EDGE)
            sheet.add_shape(box(left + pitch * (value - low + 0.1), _base_line(row), pitch * 0.8, height), QUIET)
        sheet.add_shape(box(left, _base_line(row) + 2, PANEL, 2), QUIET)
    ticks = [(left + pitch * (value - low + 0.5), number(value, 0)) for value in round_ticks(low, high, 4)]
    sheet.write_ticks(_base_line(len(laws) - 1) + 24, ticks)
