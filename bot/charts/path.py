"""A march as a picture: how far it comes, and how many are left of it if it comes to its end."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import NamedTuple

import numpy as np

from bot.charts.grid import short_percent
from bot.charts.style import (
    ATTACKER,
    DEFENDER,
    EDGE,
    GROUND,
    HEIGHT,
    LEFT,
    QUIET,
    RIGHT,
    SMALL,
    WIDTH,
    Sheet,
    box,
    hollow,
    new_sheet,
    round_ticks,
)
from bot.languages import _, in_percent
from bot.wording import uncertain

MOST_TOWERS, FIRST_TOWERS = 12, 6
TOP, FLOOR, TALL_FLOOR = 240.0, 384.0, 520.0
BASE, TALLEST, MOST_BARS, MOST_TICKS = 562.0, 96.0, 44, 3
CUT_TAIL = 0.002
WIDEST = 150.0
WHOLE, WITH_UNIT = 112, 92
"""The least room, in pixels, for a chance with its decimal and for one with its unit."""


class Tower(NamedTuple):
    """One territory, or several: its name, the chance to come to it, and to have taken it too, also in words."""

    name: str
    reached: float
    taken: float
    number: str


def draw_path(
    title: str,
    legs: Sequence[str],
    takes: Sequence[float],
    ends: Mapping[int, float],
    numbers: Sequence[str] = (),
) -> bytes:
    """The picture of a march through territories, as PNG.

    `legs` are their names, `takes[i]` the chance that all up to and with the i-th fall. `ends` are the chances of how
    many attackers stand in the last one, each together with that all fall; it may be empty. `numbers` are the chance
    that the march is stopped and those of `takes` in words; without them no chance is called certain.
    """
    sheet = new_sheet(title)
    captions = []
    stopped, *taken = numbers or map(uncertain, (1 - takes[-1], *takes))
    for x, chance, colour, words in (
        (186, stopped, DEFENDER, _("is stopped")),
        (614, taken[-1], ATTACKER, _("takes all") if len(takes) > 1 else _("takes it")),
    ):
        sheet.text(x, 98, chance, 56, colour, "bold")
        captions.append(sheet.text(x, 152, words, colour=QUIET))
        sheet.fit(captions[-1], 2 * 186 - LEFT)
    floor = FLOOR if any(ends.values()) else TALL_FLOOR
    towers = _towers(legs, takes, taken)
    pitch = min((RIGHT - LEFT) / len(towers), WIDEST)
    start = (WIDTH - pitch * (len(towers) - 1)) / 2
    if pitch < WITH_UNIT:
        sheet.between(sheet.text(WIDTH / 2, 152, _("chances in %"), colour=QUIET), *captions)
    for place, tower in enumerate(towers):
        _tower(sheet, tower, start + pitch * place, pitch, floor)
    sheet.shape(box(LEFT, floor + 2, RIGHT - LEFT, 2), QUIET)
    _names(sheet, towers, start, pitch, floor + 24)
    if any(ends.values()):
        _ends(sheet, ends)
    return sheet.png()


def _towers(legs: Sequence[str], takes: Sequence[float], numbers: Sequence[str]) -> list[Tower]:
    """A tower for each territory; where they are too many the first ones and the last, and one for all between."""
    reached = [1.0, *takes[:-1]]
    towers = [Tower(*each) for each in zip(legs, reached, takes, numbers, strict=True)]
    if len(towers) <= MOST_TOWERS:
        return towers
    last = len(towers) - (MOST_TOWERS - FIRST_TOWERS - 1)
    middle = Tower("…", reached[FIRST_TOWERS], takes[last - 1], numbers[last - 1])
    return [*towers[:FIRST_TOWERS], middle, *towers[last:]]


def _tower(sheet: Sheet, tower: Tower, x: float, pitch: float, floor: float) -> None:
    """What comes here: solid where it goes on, hollow above where it is stopped; over it the chance to go on."""
    height, width = floor - TOP, min(pitch * 0.8, 96)
    taken, reached = height * tower.taken, height * tower.reached
    if taken:
        sheet.shape(box(x - width / 2, floor, width, max(taken, EDGE)), ATTACKER)
    if reached - taken >= EDGE:
        sheet.shape(hollow(x - width / 2, floor - taken, width, reached - taken), GROUND, DEFENDER)
    sheet.text(x, floor - max(reached, EDGE) - 20, _fitting(tower, pitch))


def _fitting(tower: Tower, pitch: float) -> str:
    """The chance of a tower in as many letters as there is room for."""
    if pitch >= WHOLE:
        return tower.number
    return in_percent(short_percent(tower.taken)) if pitch >= WITH_UNIT else short_percent(tower.taken)


def _names(sheet: Sheet, towers: Sequence[Tower], start: float, pitch: float, y: float) -> None:
    """The names of the territories, on two lines by turns where they are long; cut where that does not help."""
    texts = [sheet.text(start + pitch * place, y, tower.name) for place, tower in enumerate(towers)]
    lines = 1 if max(map(sheet.width, texts)) <= pitch - 8 else 2
    for place, (text, tower) in enumerate(zip(texts, towers, strict=True)):
        x = start + pitch * place
        if lines == 2:
            text.set_position((x / WIDTH, text.get_position()[1] - 32 / HEIGHT * (place % 2)))
        room = min(lines * pitch - 8, 2 * min(x, WIDTH - x) - 8)
        words = tower.name
        while words and sheet.width(text) > room:
            # What it is made of goes first, all at once.
            words = words.partition(" (")[0] if " (" in words else words[:-1]
            text.set_text(f"{words} …")


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
