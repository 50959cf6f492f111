"""A march as a picture: how far it comes, and how many are left of it if it comes to its end."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import NamedTuple

import numpy as np

from bot.charts.grid import short_percent
from bot.charts.style import (
    ATTACKER,
    DEFENDER,
    DRAW,
    EDGE,
    HEIGHT,
    LEFT,
    QUIET,
    RIGHT,
    SMALL,
    WIDTH,
    Sheet,
    box,
    new_sheet,
    round_ticks,
)
from bot.languages import _, _p, in_percent
from bot.wording import uncertain

MOST_TOWERS, FIRST_TOWERS = 12, 6
TOP, FLOOR, TALL_FLOOR, ROW = 254.0, 372.0, 520.0, 30.0
BASE, TALLEST, MOST_BARS, MOST_TICKS = 562.0, 84.0, 44, 3
ATTACKS, DEFENDS = 186, WIDTH - 186
CUT_TAIL = 0.002
WIDEST = 188.0
WHOLE, WITH_UNIT = 112, 92
"""The least room, in pixels, for a chance with its decimal and for one with its unit."""


class Tower(NamedTuple):
    """One territory, or several: its defenders in short and in words, the chance to take it, also in words."""

    name: str
    words: str
    taken: float
    number: str


def draw_path(
    title: str,
    legs: Sequence[tuple[str, str]],
    takes: Sequence[float],
    ends: Mapping[int, float],
    numbers: Sequence[str] = (),
) -> bytes:
    """Return the picture of a march through territories as PNG.

    `legs` are the defenders of each in short and in words, `takes[i]` the chance that all up to and with the i-th
    fall. `ends` are the chances of how many attackers stand in the last one, each together with that all fall; it may
    be empty. `numbers` are the chances that the march is stopped, that it is called off (empty where it cannot be), and
    those of `takes` in words; without them no chance is called certain.
    """
    sheet = new_sheet(title)
    stopped, off, *taken = numbers or (uncertain(1 - takes[-1]), "", *map(uncertain, takes))
    captions = []
    for x, chance, colour, words in (
        (ATTACKS, taken[-1], ATTACKER, _("takes all") if len(takes) > 1 else _("takes it")),
        (DEFENDS, stopped, DEFENDER, _("is stopped")),
    ):
        sheet.text(x, 98, chance, 56, colour, "bold")
        captions.append(sheet.text(x, 148, words, colour=QUIET))
        sheet.fit(captions[-1], 2 * ATTACKS - LEFT)
    if off:
        sheet.text(WIDTH / 2, 102, off, 40, DRAW, "bold")
        sheet.between(sheet.text(WIDTH / 2, 148, _p("short", "attack called off"), colour=DRAW), *captions)
    floor = FLOOR if any(ends.values()) else TALL_FLOOR
    towers = _towers(legs, takes, taken)
    pitch = min((RIGHT - LEFT) / len(towers), WIDEST)
    start = (WIDTH - pitch * (len(towers) - 1)) / 2
    sheet.fitted(
        WIDTH / 2, 192, _("chance to get this far") if pitch >= WITH_UNIT else _("% that get this far"), (SMALL,)
    )
    for place, tower in enumerate(towers):
        _tower(sheet, tower, start + pitch * place, pitch, floor)
    sheet.shape(box(LEFT, floor + 2, RIGHT - LEFT, 2), QUIET)
    _names(sheet, towers, start, pitch, floor + 24)
    if any(ends.values()):
        _ends(sheet, ends)
    return sheet.png()


def _towers(legs: Sequence[tuple[str, str]], takes: Sequence[float], numbers: Sequence[str]) -> list[Tower]:
    """A tower for each territory; where they are too many the first ones and the last, and one for all between."""
    towers = [Tower(*leg, chance, number) for leg, chance, number in zip(legs, takes, numbers, strict=True)]
    if len(towers) <= MOST_TOWERS:
        return towers
    last = len(towers) - (MOST_TOWERS - FIRST_TOWERS - 1)
    middle = Tower("…", "…", takes[last - 1], numbers[last - 1])
    return [*towers[:FIRST_TOWERS], middle, *towers[last:]]


def _tower(sheet: Sheet, tower: Tower, x: float, pitch: float, floor: float) -> None:
    """Draw a tower as tall as the chance to take all territories up to this one, and write the chance on it."""
    height, width = max((floor - TOP) * tower.taken, EDGE), min(pitch * 0.8, 96)
    if tower.taken:
        sheet.shape(box(x - width / 2, floor, width, height), ATTACKER)
    sheet.text(x, floor - height - 20, _fitting(tower, pitch))


def _fitting(tower: Tower, pitch: float) -> str:
    """The chance of a tower in as many letters as there is room for."""
    if pitch >= WHOLE:
        return tower.number
    return in_percent(short_percent(tower.taken)) if pitch >= WITH_UNIT else short_percent(tower.taken)


def _names(sheet: Sheet, towers: Sequence[Tower], start: float, pitch: float, y: float) -> None:
    """Write who defends each territory: in words where they fit, or else in short, and in a line below what it is.

    Long names stand on two lines by turns; where that does not help, their ships are left out.
    """
    texts = [sheet.text(start + pitch * place, y, tower.words, colour=DEFENDER) for place, tower in enumerate(towers)]
    if max(map(sheet.width, texts)) <= pitch - 8:
        return
    for text, tower in zip(texts, towers, strict=True):
        text.set_text(tower.name)
    lines = 1 if max(map(sheet.width, texts)) <= pitch - 8 else 2
    for place, text in enumerate(texts):
        x = start + pitch * place
        if lines == 2:
            text.set_position((x / WIDTH, text.get_position()[1] - ROW / HEIGHT * (place % 2)))
        if sheet.width(text) > min(lines * pitch - 8, 2 * min(x, WIDTH - x) - 8):
            text.set_text(text.get_text().partition(" (")[0])
    sheet.fitted(WIDTH / 2, y + ROW * lines, _("defenders in each territory"), (SMALL,), DEFENDER)


def _ends(sheet: Sheet, ends: Mapping[int, float]) -> None:
    """How many attackers stand in the last territory: a bar for each count, or for several."""
    counts = np.array(sorted(ends))
    law = np.array([ends[count] for count in counts.tolist()])
    reached = law.cumsum()
    shown = (reached > CUT_TAIL * reached[-1]) & (reached - law < (1 - CUT_TAIL) * reached[-1])
    low, high = int(counts[shown][0]), int(counts[shown][-1])
    step = ceil((high - low + 1) / MOST_BARS)
    bins = (high - low) // step + 1
    heights, _edges = np.histogram(counts[shown], [low + step * place for place in range(bins + 1)], weights=law[shown])
    pitch = min((RIGHT - LEFT) / bins, 64)
    start = (WIDTH - pitch * bins) / 2
    for place, height in enumerate((heights / heights.max() * TALLEST).tolist()):
        if height:
            sheet.shape(box(start + pitch * (place + 0.1), BASE, pitch * 0.8, max(height, EDGE)), ATTACKER)
    sheet.shape(box(LEFT, BASE + 2, RIGHT - LEFT, 2), QUIET)
    ticks = round_ticks(low, high, MOST_TICKS)
    sheet.ticks(BASE + 24, [(start + pitch * ((count - low) // step + 0.5), str(count)) for count in ticks])
    words: str = _("attackers left in the last territory")
    if step > 1:
        words = f"{words}, {_('{n} per bar', n=step)}"
    sheet.fitted(WIDTH / 2, BASE + 56, words, (SMALL,), ATTACKER)
