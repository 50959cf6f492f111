"""Bars and squares in the forms of attacker, defender and neither, and numbers along an axis."""

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import compress, count, groupby
from math import gcd
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bot.charts import Swings
from bot.charts.shapes import Shape, box, hollow_box
from bot.charts.style import ATTACKER, DEFENDER, DRAW, EDGE, GROUND, LEFT, RIGHT, WIDTH
from solver.chain import Chances

MOST_BARS = 44
MOST_SHARED = 32
"""The most bars of swings if several share one."""
WIDEST = 80.0
HUNDREDTHS = 100
CUT_TAIL = 0.002
"""The share of all chances that a picture leaves out at each end of a law."""
LEAST_SHOWN = 0.0005
"""A picture leaves out chances up to this."""


class Bar(NamedTuple):
    """The ends from `low` to `high`, so many of them `possible`, that share a bar; `x` is its middle.

    `parts` are the chances that the attacker wins there, that the defender wins, and that neither does.
    """

    low: int
    high: int
    possible: int
    parts: tuple[float, float, float]
    x: float
    pitch: float

    @property
    def chance(self) -> float:
        """The chance of all its ends."""
        return sum(self.parts)


def without_tails(law: Chances) -> npt.NDArray[np.bool_]:
    """Return which ends of a law a picture shows: those with a chance that are not in its tails."""
    reached = law.cumsum()
    tail = CUT_TAIL * reached[-1] if len(law) else 0.0
    shown: npt.NDArray[np.bool_] = (law > 0) & (reached > tail) & (reached - law < reached[-1:] - tail)
    return shown


def swing_bars(swings: Swings, steps: Iterable[int] = (), marked: Sequence[float] = ()) -> tuple[list[Bar], int, bool]:
    """Return the law of a swing as bars without its tails, the width of a bar, and whether swings share bars.

    All amounts are in hundredths. Too many swings share bars of equal width. `steps` are the possible widths, if not
    round multiples of the distance between two swings. If all swings that are `marked`, the least first,
    are in a tail, it is shown up to the nearest of them.
    """
    chances = np.array([sum(parts) for _amount, *parts in swings])
    shown = without_tails(chances)
    if marked:
        first, last = np.flatnonzero(shown)[[0, -1]].tolist()
        worst, best = np.searchsorted([amount for amount, *_parts in swings], [marked[0], marked[-1]]).tolist()
        shown[best:first] = shown[last : worst + 1] = True
        shown &= chances > 0
    law = [(round(HUNDREDTHS * amount), parts) for amount, *parts in compress(swings, shown)]
    low, high = law[0][0], law[-1][0]
    unit = reduce(gcd, (amount - low for amount, _other in law)) or HUNDREDTHS
    steps = steps or (unit * times for times in round_steps())
    limits = {unit: MOST_BARS}
    step = next(step for step in steps if high // step - low // step < limits.get(step, MOST_SHARED))
    first, last = low // step, high // step
    pitch = min((RIGHT - LEFT) / (last - first + 1), WIDEST)
    start = (WIDTH - pitch * (last - first)) / 2
    bars = []
    for place, group in groupby(law, lambda swing: swing[0] // step):
        ends = list(group)
        attacker, defender, neither = (sum(parts[kind] for _other, parts in ends) for kind in range(3))
        split = attacker, defender, neither
        bars.append(Bar(ends[0][0], ends[-1][0], len(ends), split, start + pitch * (place - first), pitch))
    return bars, step, step > unit


def side_box(x: float, bottom: float, width: float, height: float, colour: str) -> Shape:
    """Return a rectangle in the form of a side: the defender's hollow, others solid."""
    if colour == DEFENDER:
        return hollow_box(x, bottom, width, height), GROUND, colour
    return box(x, bottom, width, height), colour, "none"


def bar_shapes(parts: Sequence[float], x: float, pitch: float, base: float, height: float) -> list[Shape]:
    """Return the shapes of a bar around `x`: its parts in the forms of those who win there, one upon the other.

    `parts` are the chances as in `Bar`. A bar is visible however small its height is.
    """
    chance, bottom, height = sum(parts), float(base), max(height, EDGE)
    shapes = []
    for part, colour in zip(parts, (ATTACKER, DEFENDER, DRAW), strict=True):
        tall, left, width = height * part / (chance or 1), x - pitch * 0.4, pitch * 0.8
        if tall >= EDGE:
            shapes.append(side_box(left, bottom, width, tall, colour))
        elif tall:
            shapes.append((box(left, bottom, width, tall), colour, "none"))
        bottom -= tall
    return shapes


def twenty_squares(defender: int, attacker: int) -> list[Shape]:
    """Return twenty squares: the attacker's battles solid from the left, the defender's hollow from the right."""
    colours = [ATTACKER] * attacker + [DRAW] * (20 - attacker - defender) + [DEFENDER] * defender
    return [side_box(43 + 36 * place, 241, 30, 30, colour) for place, colour in enumerate(colours)]


def round_ticks(low: int, high: int, limit: int) -> list[int]:
    """Return at most so many round numbers from `low` to `high`, evenly spaced.

    There is at least one if `limit` is three or more.
    """
    step = next(step for step in round_steps() if high // step - (low - 1) // step <= limit)
    return list(range(-(-low // step) * step, high + 1, step))


def round_steps() -> Iterator[int]:
    """Yield all round numbers, the least first: 1, 2, 5, 10, 20, ..."""
    return (unit * 10**power for power in count() for unit in (1, 2, 5))


def space_apart(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return increasing places at least a gap apart, as near as possible to the increasing places wanted.

    They stay between `low` and `high` if there is room.
    """
    groups: list[tuple[float, int]] = []
    for index, place in enumerate(wanted):
        middle, size = place - index * gap, 1
        while groups and groups[-1][0] > middle:
            other, number = groups.pop()
            middle, size = (middle * size + other * number) / (size + number), size + number
        groups.append((middle, size))
    starts = [min(max(middle, low), high - (len(wanted) - 1) * gap) for middle, size in groups for _ in range(size)]
    return [start + index * gap for index, start in enumerate(starts)]
