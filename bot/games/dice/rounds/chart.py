"""The pictures of dice: the losses of one round, the rolls of one side, and all rounds of a fleet with its dice."""

from collections.abc import Mapping, Sequence
from math import ceil

import numpy as np
from matplotlib.text import Text

from bot.charts.bars import MOST_BARS, round_ticks, side_box
from bot.charts.grid import Grid, draw_grid, mark_cell, write_in_cell
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
    chance_colours,
)
from bot.charts.text import in_two_lines
from bot.games.dice.rounds.words import RANKS
from bot.languages import _, _n, in_percent, number
from bot.words.numbers import short_percent, unsure_percent

MOST_ROWS = 6
ROUNDING = 1e-12
LEAST_MAPPED, LEAST_WRITTEN = 0.04, 0.005
"""A map has room for all outcomes with at least this share of the likeliest one's chance.
A cell with a chance below the second number stays without one."""
LONGEST = 610.0
WIDEST = 56.0
START, END, ROOM = 160.0, 580.0, 474.0

Losses = dict[tuple[int, int], float]
"""The chance of each (attackers lost, defenders lost)."""


def draw_losses(title: str, outcomes: Sequence[tuple[int, int, float]]) -> bytes:
    """Return the picture of one round as PNG; each outcome is (attackers lost, defenders lost, chance)."""
    law: Losses = {}
    for attackers, defenders, chance in outcomes:
        if chance > 0:
            law[attackers, defenders] = law.get((attackers, defenders), 0.0) + chance
    sheet = new_sheet(title)
    costs = sheet.write(WIDTH / 2, 80, _("losses in one round"), colour=QUIET)
    if len(law) <= MOST_ROWS:
        _draw_rows(sheet, law)
    else:
        sheet.keep_between(costs, _draw_map(sheet, law))
    return sheet.png()


def _draw_rows(sheet: Sheet, law: Losses) -> None:
    """Draw a bar for each outcome, the best for the attacker first."""
    likeliest = max(law.values(), default=1.0)
    pitch = min(504 / max(len(law), 1), 150)
    tall = min(28 + (pitch - 84) * 0.5, 52)
    top = 364 - pitch * len(law) / 2
    ordered = sorted(law.items(), key=lambda outcome: (outcome[0][0] - outcome[0][1], sum(outcome[0])))
    for row, ((attackers, defenders), chance) in enumerate(ordered):
        y = top + pitch * row + 20
        sheet.fit(sheet.write(LEFT, y, _losses_in_words(attackers, defenders), align="left"), RIGHT - LEFT)
        length, bottom = max(LONGEST * chance / likeliest, EDGE), y + 20 + tall
        colour = DRAW if bool(attackers) == bool(defenders) else DEFENDER if attackers else ATTACKER
        sheet.add_shape(*side_box(LEFT, bottom, length, tall, colour))
        sheet.write(LEFT + length + 14, bottom - tall / 2, _chance_in_words(chance), 30, weight="bold", align="left")


def _losses_in_words(attackers: int, defenders: int) -> str:
    """Write an outcome: "each loses 1", "attacker loses 1, defender loses 2"."""
    if attackers == defenders:
        return _("each loses {n}", n=attackers) if attackers else _("nobody loses")
    sides = [
        _("attacker loses {n}", n=attackers) if attackers else "",
        _("defender loses {n}", n=defenders) if defenders else "",
    ]
    return ", ".join(filter(None, sides))


def _chance_in_words(chance: float) -> str:
    """Write a chance; the law of dice is exact, so 1 is "100%"."""
    return in_percent("100") if chance >= 1 - ROUNDING else unsure_percent(chance)


def _draw_map(sheet: Sheet, law: Losses) -> Text:
    """Draw a map of all outcomes by the losses of each side, and explain the likeliest; return the name above it."""
    likeliest, most = max(law.items(), key=lambda outcome: outcome[1])
    attackers, defenders = zip(*(cost for cost, chance in law.items() if chance >= LEAST_MAPPED * most), strict=True)
    low = (min(attackers), min(defenders))
    cells = (max(attackers) - low[0] + 1, max(defenders) - low[1] + 1)
    shown = {
        cost: chance
        for cost, chance in law.items()
        if all(0 <= at - least < count for at, least, count in zip(cost, low, cells, strict=True))
    }
    grid = Grid(low, cells, top=116, height=380)
    chances = np.full(cells, np.nan)
    for cost, chance in shown.items():
        chances[cost[0] - low[0], cost[1] - low[1]] = chance
    upwards = draw_grid(
        sheet, grid, chance_colours(grid.pixel_values(chances) / most), _("attackers lost"), _("defenders lost")
    )
    if grid.roomy:
        for cost, chance in shown.items():
            if chance >= LEAST_WRITTEN:
                write_in_cell(sheet, grid, cost, short_percent(chance), chance / most)
    mark_cell(sheet, grid, likeliest, f"{_losses_in_words(*likeliest)}: {_chance_in_words(most)}")
    return upwards


def draw_roll(title: str, ranks: Sequence[Mapping[int, float]], names: Sequence[str] = ()) -> bytes:
    """Return the picture of one side's roll as PNG: the law of its highest die, of its second, ... up to six of them.

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
