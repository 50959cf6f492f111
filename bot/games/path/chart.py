"""The picture of a path: the chance to take each territory, and the attackers left in the last one."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import NamedTuple

import numpy as np

from bot.charts.bars import MOST_BARS, round_ticks, without_tails
from bot.charts.shapes import box
from bot.charts.sheet import Sheet, new_sheet
from bot.charts.style import ATTACKER, DEFENDER, DRAW, EDGE, HEIGHT, LEFT, QUIET, RIGHT, SMALL, WIDTH, largest
from bot.languages import _, _p, in_percent
from bot.words.numbers import shorter_percent, unsure_percent

MOST_TOWERS, FIRST_TOWERS = 12, 6
TOP, FLOOR, TALL_FLOOR, ROW = 254.0, 372.0, 520.0, 30.0
BASE, TALLEST, MOST_TICKS = 562.0, 84.0, 3
ATTACKS, DEFENDS = 186, WIDTH - 186
WIDEST = 188.0
WHOLE, WITH_UNIT = 112, 92
"""The least room, in pixels, for a chance with its decimal and for one with its unit."""


class Tower(NamedTuple):
    """The tower of a territory, or of several: its defenders in short and in words, and the chance to get past them."""

    name: str
    words: str
    chance: float
    number: str


def draw_path(
    title: str,
    legs: Sequence[tuple[str, str]],
    takes: Sequence[float],
    ends: Mapping[int, float],
    numbers: Sequence[str] = (),
    called_off: float = 0.0,
) -> bytes:
    """Return the picture of a path through territories as PNG.

    `legs` are the defenders of each in short and in words; `takes[i]` is the chance to take territories 0 to i. `ends`
    maps the number of attackers in the last territory to the chance that all fall and so many are left; it may be
    empty. `numbers` are in words the chances that the attack is stopped, that it is called off (empty if impossible),
    and those of `takes`. Without `numbers`, no chance is written as certain. `called_off` is the second of them.
    """
    sheet = new_sheet(title)
    stopped, off, *taken = numbers or (unsure_percent(1 - takes[-1]), "", *map(unsure_percent, takes))
    large = largest(takes[-1], 1 - takes[-1] - called_off, called_off)
    sizes = [56 if is_large else 40 for is_large in large]
    captions = []
    for x, chance, pixels, colour, words in (
        (ATTACKS, taken[-1], sizes[0], ATTACKER, _("takes all") if len(takes) > 1 else _("takes it")),
        (DEFENDS, stopped, sizes[1], DEFENDER, _("is stopped")),
    ):
        sheet.write(x, 98, chance, pixels, colour, "bold")
        captions.append(sheet.write(x, 148, words, colour=QUIET))
        sheet.fit(captions[-1], 2 * ATTACKS - LEFT)
    if off:
        sheet.write(WIDTH / 2, 102, off, sizes[2], DRAW, "bold")
        sheet.keep_between(sheet.write(WIDTH / 2, 148, _p("short", "attack called off"), colour=DRAW), *captions)
    floor = FLOOR if any(ends.values()) else TALL_FLOOR
    towers = _towers(legs, takes, taken)
    pitch = min((RIGHT - LEFT) / len(towers), WIDEST)
    start = (WIDTH - pitch * (len(towers) - 1)) / 2
    sheet.write_line(
        WIDTH / 2, 192, _("chance to get this far") if pitch >= WITH_UNIT else _("% that get this far"), (SMALL,)
    )
    for place, tower in enumerate(towers):
        _draw_tower(sheet, tower, start + pitch * place, pitch, floor)
    sheet.add_shape(box(LEFT, floor + 2, RIGHT - LEFT, 2), QUIET)
    _write_names(sheet, towers, start, pitch, floor + 24)
    if any(ends.values()):
        _draw_ends(sheet, ends)
    return sheet.png()


def _towers(legs: Sequence[tuple[str, str]], takes: Sequence[float], numbers: Sequence[str]) -> list[Tower]:
    """Return a tower for each territory; of too many the first, the last, and one for all between."""
    towers = [Tower(*leg, chance, number) for leg, chance, number in zip(legs, takes, numbers, strict=True)]
    if len(towers) <= MOST_TOWERS:
        return towers
    last = len(towers) - (MOST_TOWERS - FIRST_TOWERS - 1)
    middle = Tower("…", "…", takes[last - 1], numbers[last - 1])
    return [*towers[:FIRST_TOWERS], middle, *towers[last:]]


def _draw_tower(sheet: Sheet, tower: Tower, x: float, pitch: float, floor: float) -> None:
    """Draw a tower as tall as the chance to take all territories up to this one, and write the chance on it."""
    height, width = max((floor - TOP) * tower.chance, EDGE), min(pitch * 0.8, 96)
    if tower.chance:
        sheet.add_shape(box(x - width / 2, floor, width, height), ATTACKER)
    short = shorter_percent(tower.chance, tower.number)
    words = tower.number if pitch >= WHOLE else in_percent(short) if pitch >= WITH_UNIT else short
    sheet.write(x, floor - height - 20, words)


def _write_names(sheet: Sheet, towers: Sequence[Tower], start: float, pitch: float, y: float) -> None:
    """Write the defenders of each territory: in words if they fit, or else in short with a caption below.

    Long names alternate between two lines; any that is still too long loses its ships.
    """
    texts = [sheet.write(start + pitch * place, y, tower.words, colour=DEFENDER) for place, tower in enumerate(towers)]
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
    sheet.write_line(WIDTH / 2, y + ROW * lines, _("defenders in each territory"), (SMALL,), DEFENDER)


def _draw_ends(sheet: Sheet, ends: Mapping[int, float]) -> None:
    """Draw the law of the attackers left in the last territory: a bar for each count, or for several."""
    counts = np.array(sorted(ends))
    law = np.array([ends[count] for count in counts.tolist()])
    shown = without_tails(law)
    low, high = int(counts[shown][0]), int(counts[shown][-1])
    step = ceil((high - low + 1) / MOST_BARS)
    bins = (high - low) // step + 1
    heights, _edges = np.histogram(counts[shown], [low + step * place for place in range(bins + 1)], weights=law[shown])
    pitch = min((RIGHT - LEFT) / bins, 64)
    start = (WIDTH - pitch * bins) / 2
    for place, height in enumerate((heights / heights.max() * TALLEST).tolist()):
        if height:
            sheet.add_shape(box(start + pitch * (place + 0.1), BASE, pitch * 0.8, max(height, EDGE)), ATTACKER)
    sheet.add_shape(box(LEFT, BASE + 2, RIGHT - LEFT, 2), QUIET)
    ticks = round_ticks(low, high, MOST_TICKS)
    sheet.write_ticks(BASE + 24, [(start + pitch * ((count - low) // step + 0.5), str(count)) for count in ticks])
    words: str = _("attackers left in the last territory")
    if step > 1:
        words = f"{words}, {_('{n} per bar', n=step)}"
    sheet.write_line(WIDTH / 2, BASE + 56, words, (SMALL,), ATTACKER)
