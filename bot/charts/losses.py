"""The picture of one round: what it costs both sides, as bars of few outcomes or as a map of many."""

from collections.abc import Sequence

import numpy as np

from bot.charts.bars import side_box
from bot.charts.grid import Grid, draw_grid, mark_cell, write_in_cell
from bot.charts.sheet import Sheet, new_sheet
from bot.charts.style import ATTACKER, DEFENDER, DRAW, EDGE, LEFT, QUIET, RIGHT, WIDTH, chance_colours
from bot.charts.words import Words
from bot.languages import _, in_percent
from bot.words.numbers import short_percent, unsure_percent

MOST_ROWS = 6
ROUNDING = 1e-12
LEAST_MAPPED, LEAST_WRITTEN = 0.04, 0.005
"""A map has room for all outcomes with at least this share of the likeliest one's chance.
A cell with a chance below the second number stays without one."""
LONGEST = 610.0

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


def _draw_map(sheet: Sheet, law: Losses) -> Words:
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
