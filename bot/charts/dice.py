"""Dice as pictures: what one round costs each side, and what a side rolls."""

from collections.abc import Mapping, Sequence
from math import ceil

import numpy as np
from matplotlib.text import Text

from bot.charts.grid import Grid, draw_grid, mark, short_percent, warm, write
from bot.charts.style import (
    APART,
    ATTACKER,
    DEFENDER,
    DRAW,
    EDGE,
    GROUND,
    HEIGHT,
    LEFT,
    QUIET,
    RIGHT,
    WIDTH,
    Sheet,
    box,
    hollow,
    in_two_lines,
    new_sheet,
    round_ticks,
)
from bot.languages import N_, _, _n, in_percent, number
from bot.wording import uncertain

MOST_ROWS = 6
ROUNDING = 1e-12
UNSEEN, UNWRITTEN = 0.04, 0.005
"""A map of losses is as large as those take that are not rarer than this share of the likeliest;
what is rarer than one in two hundred is not written into its cell."""
LONGEST = 610.0
RANKS = (N_("highest"), N_("second"), N_("third"), N_("fourth"), N_("fifth"), N_("sixth"))
MOST_BARS, WIDEST = 44, 56.0
FROM, TO, ROOM = 160.0, 580.0, 474.0

Losses = dict[tuple[int, int], float]
"""The chance of each (attackers lost, defenders lost)."""


def draw_losses(title: str, outcomes: Sequence[tuple[int, int, float]]) -> bytes:
    """The picture of one round, as PNG; each outcome is (attackers lost, defenders lost, chance)."""
    law: Losses = {}
    for attackers, defenders, chance in outcomes:
        if chance > 0:
            law[attackers, defenders] = law.get((attackers, defenders), 0.0) + chance
    sheet = new_sheet(title)
    costs = sheet.text(WIDTH / 2, 80, _("losses in one round"), colour=QUIET)
    if len(law) <= MOST_ROWS:
        _rows(sheet, law)
    else:
        sheet.between(costs, _map(sheet, law))
    return sheet.png()


def _rows(sheet: Sheet, law: Losses) -> None:
    """A bar for each outcome, best for the attacker first."""
    most = max(law.values(), default=1.0)
    pitch = min(504 / max(len(law), 1), 150)
    tall = min(28 + (pitch - 84) * 0.5, 52)
    top = 364 - pitch * len(law) / 2
    ordered = sorted(law.items(), key=lambda outcome: (outcome[0][0] - outcome[0][1], sum(outcome[0])))
    for row, ((attackers, defenders), chance) in enumerate(ordered):
        y = top + pitch * row + 20
        sheet.fit(sheet.text(LEFT, y, _cost(attackers, defenders), align="left"), RIGHT - LEFT)
        length, bottom = max(LONGEST * chance / most, EDGE), y + 20 + tall
        if attackers and not defenders:
            sheet.shape(hollow(LEFT, bottom, length, tall), GROUND, DEFENDER)
        else:
            sheet.shape(box(LEFT, bottom, length, tall), DRAW if attackers or not defenders else ATTACKER)
        sheet.text(LEFT + length + 14, bottom - tall / 2, _chance(chance), 30, weight="bold", align="left")


def _cost(attackers: int, defenders: int) -> str:
    """Who loses how many: "each loses 1", "attacker loses 1, defender loses 2"."""
    if attackers == defenders:
        return _("each loses {n}", n=attackers) if attackers else _("nobody loses")
    sides = [
        _("attacker loses {n}", n=attackers) if attackers else "",
        _("defender loses {n}", n=defenders) if defenders else "",
    ]
    return ", ".join(filter(None, sides))


def _chance(chance: float) -> str:
    """The law of dice is exact: what cannot fail is certain."""
    return in_percent("100") if chance >= 1 - ROUNDING else uncertain(chance)


def _map(sheet: Sheet, law: Losses) -> Text:
    """All outcomes by what each side loses; the brightest is the likeliest, which is named. The words above it."""
    likeliest, most = max(law.items(), key=lambda outcome: outcome[1])
    attackers, defenders = zip(*(cost for cost, chance in law.items() if chance >= UNSEEN * most), strict=True)
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
    upwards = draw_grid(sheet, grid, warm(grid.spread(chances) / most), _("attackers lost"), _("defenders lost"))
    if grid.roomy:
        for cost, chance in shown.items():
            if chance >= UNWRITTEN:
                write(sheet, grid, cost, short_percent(chance), chance / most)
    mark(sheet, grid, likeliest, f"{_cost(*likeliest)}: {_chance(most)}")
    return upwards


def draw_roll(title: str, ranks: Sequence[Mapping[int, float]], names: Sequence[str] = ()) -> bytes:
    """The picture of what a side rolls, as PNG: the law of its highest die, of its second, ... up to six of them.

    With other `names` it is the law of other numbers.
    """
    sheet = new_sheet(title)
    ranks = [rank for rank in ranks if any(rank.values())][: len(RANKS)]
    if not ranks:
        return sheet.png()
    low, high = min(min(rank) for rank in ranks), max(max(rank) for rank in ranks)
    step = ceil((high - low + 1) / MOST_BARS)
    bins = (high - low) // step + 1
    pitch = min((TO - FROM) / bins, WIDEST)
    start = (FROM + TO - pitch * bins) / 2
    lows = [(low + step * place, start + pitch * place) for place in range(bins)]
    apart = min(ROOM / len(ranks), 230)
    first = 320 + apart * (1 - len(ranks) / 2)
    for row, rank in enumerate(ranks):
        base = first + apart * row
        _law(sheet, rank, lows, pitch, base, apart - 22)
        name = names[row] if names else _(RANKS[row])
        sheet.fit(sheet.text(LEFT, base - 18, name, align="left"), FROM - LEFT)
        mean = sum(value * chance for value, chance in rank.items()) / sum(rank.values())
        told = _("average {value}", value=number(round(mean, 2) + 0.0, 2))
        average = sheet.text(RIGHT, base - 18, told, colour=QUIET, align="right")
        if sheet.width(average) > RIGHT - TO - APART:
            average.set_text(in_two_lines(told))
            average.set_y(1 - (base - 34) / HEIGHT)
        sheet.fit(average, RIGHT - TO)
    places = [(value, start + pitch * ((value - low) // step + 0.5)) for value in round_ticks(low, high, 6)]
    sheet.ticks(base + 26, [(x, number(value, 0)) for value, x in places])
    if step > 1:
        sheet.text(WIDTH / 2, 80, _n("{n} value per bar", "{n} values per bar", step), colour=QUIET)
    return sheet.png()


def _law(
    sheet: Sheet, rank: Mapping[int, float], bins: Sequence[tuple[int, float]], pitch: float, base: float, tall: float
) -> None:
    """The bars of one die, given the least value and the left edge of each, on their line."""
    values, chances = np.array(list(rank)), np.array(list(rank.values()))
    heights, _ = np.histogram(values, [low for low, _ in bins] + [np.inf], weights=chances)
    for (_, x), height in zip(bins, (heights / heights.max() * tall).tolist(), strict=True):
        if height:
            sheet.shape(box(x + pitch * 0.1, base, pitch * 0.8, max(height, EDGE)), QUIET)
    sheet.shape(box(FROM, base + 2, TO - FROM, 2), QUIET)
