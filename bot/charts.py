"""Odds to PNG: the one room that draws. Everything here is made to be read at 400 px on a phone.

Attacker orange, solid, right; defender sky blue, hollow, left; draws grey: told apart by every kind of colour
blindness, and by their form where there is no colour at all.
"""

import io
from dataclasses import replace
from functools import lru_cache
from math import ceil
from typing import NamedTuple

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import IdentityTransform
from PIL import Image

from bot.matchup import write
from bot.wording import (
    describe,
    house_rules,
    neither,
    of_twenty,
    percent,
    rungs,
    share,
    twenty,
    uncertain,
    without_winner,
)
from solver import Battle, Odds
from solver.odds import Counts

# Letters of this size gain nothing from fitting them to the pixels, which would take as long as drawing them.
matplotlib.rcParams["text.hinting"] = "no_hinting"

WIDTH, HEIGHT = 800, 640
GROUND, INK, QUIET = "#1E1F22", "#F2F3F5", "#B5BAC1"
ATTACKER, DEFENDER, DRAW = "#E69F00", "#56B4E9", "#9AA0A6"
SMALL = 26
LONGEST_TITLE, LONGEST_SMALL_TITLE = 42, 52
MOST_BARS = 44
CUT_TAIL = 0.002
LEFT, RIGHT, BASE, TALLEST, EDGE = 24, 776, 498, 170, 3.0

Shape = tuple[list[tuple[float, float]], str, str]
"""An outline in picture coordinates, the colour of its face and of its edge."""


class Bar(NamedTuple):
    """The ends on rungs `low` to `high` of the ladder, of which so many are possible, and where it is drawn.

    `parts` are the chances that the attacker wins there, that the defender does, that nobody does.
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


@lru_cache(maxsize=2)
def battle_chart(ahead: bool) -> "BattleChart":
    """The template of this process; making it, and loading its fonts, is most of the work of a first picture."""
    return BattleChart(ahead)


def draw_battle(battle: Battle, odds: Odds) -> bytes:
    """The picture of a battle's odds, as PNG."""
    return battle_chart(ahead=odds.unresolved > 0).draw(battle, odds)


class BattleChart:
    """A picture of a battle's odds with all that is the same for every battle drawn once, to be drawn over."""

    def __init__(self, ahead: bool) -> None:
        """With `ahead` the bars count by how many a side is ahead, not how many it has left."""
        self.figure = Figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=100, facecolor=GROUND)
        self.canvas = FigureCanvasAgg(self.figure)
        self._text(186, 174, SMALL, QUIET, words="defender holds")
        self._text(614, 174, SMALL, QUIET, words="attacker wins")
        counted = "ahead by" if ahead else "left"
        self._text(LEFT, 562, SMALL, DEFENDER, words=f"defenders {counted}", align="left")
        self._text(RIGHT, 562, SMALL, ATTACKER, words=f"attackers {counted}", align="right")
        self.canvas.draw()  # type: ignore[no-untyped-call]
        self.ground = self.canvas.copy_from_bbox(self.figure.bbox)  # type: ignore[no-untyped-call]

        self.title = self._text(WIDTH / 2, 36, 32, INK)
        self.defender = self._text(186, 112, 64, DEFENDER, "bold")
        self.attacker = self._text(614, 112, 64, ATTACKER, "bold")
        self.neither = self._text(400, 118, 32, DRAW, "bold")
        self.fate = self._text(400, 174, SMALL, DRAW)
        self.twenty = self._text(WIDTH / 2, 266, SMALL, INK)
        self.peak = self._text(0, BASE - TALLEST - 22, SMALL, INK)
        self.ticks = [self._text(0, 522, SMALL, QUIET) for _ in range(6)]
        self.binned = self._text(WIDTH / 2, 562, SMALL, QUIET)
        self.footer = self._text(WIDTH / 2, 610, 30, INK, "bold")
        self.shapes = PolyCollection([], transform=IdentityTransform(), linewidths=EDGE * 0.72)
        self.figure.add_artist(self.shapes)

    def draw(self, battle: Battle, odds: Odds) -> bytes:
        """The picture as PNG."""
        bars = _bars(odds)
        self._write(battle, odds, bars)
        self._shape(odds, bars)
        renderer = self.canvas.get_renderer()  # type: ignore[no-untyped-call]
        self.canvas.restore_region(self.ground)  # type: ignore[no-untyped-call]
        texts = (self.title, self.defender, self.attacker, self.neither, self.fate, self.twenty, self.peak)
        for artist in (self.shapes, *texts, *self.ticks, self.binned, self.footer):
            artist.draw(renderer)
        return _png(self.canvas)

    def _text(
        self,
        x: float,
        y: float,
        pixels: int,
        colour: str,
        weight: str = "normal",
        words: str = "",
        align: str = "center",
    ) -> Text:
        """A text in the middle of a line, at a place in pixels from the top left."""
        return self.figure.text(
            x / WIDTH,
            1 - y / HEIGHT,
            words,
            fontsize=pixels * 0.72,
            color=colour,
            weight=weight,
            ha=align,
            va="center",
            parse_math=False,
        )

    def _write(self, battle: Battle, odds: Odds, bars: list[Bar]) -> None:
        """Everything in words and numbers."""
        title = _title(battle)
        self.title.set_text(title)
        self.title.set_fontsize((32 if len(title) <= LONGEST_TITLE else SMALL) * 0.72)
        self.defender.set_text(percent(odds.defender_wins, odds))
        self.attacker.set_text(percent(odds.attacker_wins, odds))
        middle = neither(odds)
        self.neither.set_text(percent(middle, odds) if middle > 0.0005 else "")
        self.fate.set_text(without_winner(odds) if middle > 0.0005 else "")
        self.twenty.set_text(twenty(odds))
        tallest = max(bars, key=lambda bar: bar.chance)
        only = odds.true_zeros and len(odds.ladder[0]) == 1
        chance = percent(tallest.chance, odds) if only else uncertain(tallest.chance)
        _place(self.peak, tallest.x, f"{rungs(tallest.low, tallest.high, odds)}: {chance}")
        ticks = [*_ticks(bars), *[(0.0, "")] * len(self.ticks)]
        for text, (x, label) in zip(self.ticks, ticks, strict=False):
            _place(text, x, label)
        most = max(bar.possible for bar in bars)
        self.binned.set_text(f"{most} per bar" if most > 1 else "")
        low, high = odds.middle
        ends = dict.fromkeys([rungs(low, low, odds), rungs(high, high, odds)])
        self.footer.set_text(f"{share(odds)}: {' to '.join(ends)}")

    def _shape(self, odds: Odds, bars: list[Bar]) -> None:
        """Squares, bars, and the line they stand on."""
        tallest = max(bar.chance for bar in bars)
        shapes = [*_squares(odds), *(shape for bar in bars for shape in _bar(bar, tallest))]
        shapes.append((_box(LEFT, BASE + 2, RIGHT - LEFT, 2), QUIET, "none"))
        self.shapes.set_verts([outline for outline, _, _ in shapes])
        self.shapes.set_facecolor([face for _, face, _ in shapes])
        self.shapes.set_edgecolor([edge for _, _, edge in shapes])


def _title(battle: Battle) -> str:
    """As much of what is fought as fits on one line; the canonical line where house rules are part of it."""
    long, short, line = describe(battle), describe(battle, short=True), write(battle)
    fleets = describe(replace(battle, stop=0, reserve=0, rounds=None), short=True)
    sizes = f"{battle.attackers} against {battle.defenders}"
    whole = [line, f"{short}, house rules"] if house_rules(battle) else [long, short, line]
    cut = "house rules …" if house_rules(battle) else "…"
    titles = [*whole, f"{fleets}, {cut}", f"{sizes}, {cut}"]
    return next(title for title in titles if len(title) <= LONGEST_SMALL_TITLE)


def _place(text: Text, x: float, words: str) -> None:
    """Write words around a place, but inside the picture."""
    half = SMALL * 0.33 * len(words) + 8
    text.set_text(words)
    text.set_x(min(max(x, half), WIDTH - half) / WIDTH)


def _squares(odds: Odds) -> list[Shape]:
    """Twenty squares: the defender's battles hollow from the left, the attacker's solid from the right."""
    attacker, defender, _ = of_twenty(odds)
    shapes = []
    for index in range(20):
        if index < defender:
            shapes.append((_box(44.5 + 36 * index, 239.5, 27, 27), GROUND, DEFENDER))
        else:
            colour = ATTACKER if index >= 20 - attacker else DRAW
            shapes.append((_box(43 + 36 * index, 241, 30, 30), colour, "none"))
    return shapes


def _bars(odds: Odds) -> list[Bar]:
    """The law of the ladder as bars, without its tails, binned where there are too many."""
    rungs, chances = odds.ladder
    law = chances.sum(axis=0)
    reached = np.cumsum(law)
    tail = CUT_TAIL * reached[-1]
    shown = (reached > tail) & (reached - law < reached[-1] - tail)
    rungs, chances = rungs[shown], chances[:, shown]
    bins = _bins_ahead(rungs) if odds.unresolved else _bins_left(rungs)
    pitch = min((RIGHT - LEFT) / len(bins), 64)
    start = (WIDTH - pitch * (len(bins) - 1)) / 2
    bars = []
    for place, (low, high) in enumerate(bins):
        inside = (rungs >= low) & (rungs <= high)
        attacker, defender, nobody = chances[:, inside].sum(axis=1).tolist()
        bars.append(Bar(low, high, int(inside.sum()), (attacker, defender, nobody), start + pitch * place, pitch))
    return bars


def _bins_left(rungs: Counts) -> list[tuple[int, int]]:
    """The rungs that each bar spans, from the lowest to the highest, the same number for all bars, none on both sides.

    Each side begins with its end nearest to the middle: an army that stands by leaves no gap.
    """
    sides = [
        (int(side[0]), int(side[-1])) if len(side) else (1, 0) for side in (-rungs[rungs < 0][::-1], rungs[rungs > 0])
    ]
    per_bar = max(ceil(sum(farthest - nearest + 1 for nearest, farthest in sides) / (MOST_BARS - 2)), 1)
    below, above = (
        [(at, min(at + per_bar - 1, farthest)) for at in range(nearest, farthest + 1, per_bar)]
        for nearest, farthest in sides
    )
    return [*((-high, -low) for low, high in reversed(below)), *([(0, 0)] if 0 in rungs else []), *above]


def _bins_ahead(rungs: Counts) -> list[tuple[int, int]]:
    """The same where rungs tell who is ahead: from end to end, and in steps in which the rungs are possible."""
    low, high = int(rungs[0]), int(rungs[-1])
    unit = int(np.gcd.reduce(np.diff(rungs))) or 1
    step = unit * ceil(((high - low) // unit + 1) / MOST_BARS)
    return [(at, min(at + step - unit, high)) for at in range(low, high + 1, step)]


def _bar(bar: Bar, tallest: float) -> list[Shape]:
    """A bar in the forms of those who win there, one upon the other; visible however small it is."""
    width, left, bottom = bar.pitch * 0.8, bar.x - bar.pitch * 0.4, float(BASE)
    height = max(TALLEST * bar.chance / tallest, 3.0)
    shapes = []
    for part, colour in zip(bar.parts, (ATTACKER, DEFENDER, DRAW), strict=True):
        tall = height * part / bar.chance if part else 0.0
        if colour == DEFENDER and tall >= EDGE:
            line = EDGE / 2
            shapes.append((_box(left + line, bottom - line, width - EDGE, tall - EDGE), GROUND, colour))
        elif tall:
            shapes.append((_box(left, bottom, width, tall), colour, "none"))
        bottom -= tall
    return shapes


def _ticks(bars: list[Bar]) -> list[tuple[float, str]]:
    """At most three numbers a side, at round counts, none touching another."""
    ticks: list[tuple[float, str]] = []
    for side in ([bar for bar in bars if bar.low > 0], [bar for bar in bars if bar.high < 0]):
        if not side:
            continue
        nearest, farthest = sorted((abs(side[0].low), abs(side[-1].high)))
        steps = (unit * 10**power for power in range(7) for unit in (1, 2, 5))
        step = next(step for step in steps if farthest // step - (nearest - 1) // step <= 3)
        for count in range(farthest // step * step, nearest - 1, -step):
            level = count if side[0].low > 0 else -count
            x = float(np.interp(level, [(bar.low + bar.high) / 2 for bar in side], [bar.x for bar in side]))
            label = str(count)
            if all(abs(x - other) > 9 * (len(label) + len(text)) + 14 for other, text in ticks):
                ticks.append((x, label))
    return ticks


def _box(x: float, bottom: float, width: float, height: float) -> list[tuple[float, float]]:
    """A rectangle, given in pixels from the top left; the canvas counts from the bottom."""
    low = HEIGHT - bottom
    return [(x, low), (x + width, low), (x + width, low + height), (x, low + height)]


@lru_cache(maxsize=1)
def _palette() -> Image.Image:
    """Every colour of a picture, blended with the ground in steps: few enough for one byte a pixel."""
    ground = np.array(to_rgb(GROUND))
    blends = [
        ground + (np.array(to_rgb(colour)) - ground) * step / 16
        for colour in (INK, QUIET, ATTACKER, DEFENDER, DRAW)
        for step in range(17)
    ]
    palette = Image.new("P", (1, 1))
    palette.putpalette([round(255 * part) for blend in blends for part in blend])
    return palette


def _png(canvas: FigureCanvasAgg) -> bytes:
    """The canvas as PNG; a fixed palette takes a third of the time and of the bytes of full colour."""
    pixels = canvas.buffer_rgba()  # type: ignore[no-untyped-call]
    image = Image.frombuffer("RGBA", (WIDTH, HEIGHT), pixels, "raw", "RGBA", 0, 1).convert("RGB")
    buffer = io.BytesIO()
    image.quantize(palette=_palette(), dither=Image.Dither.NONE).save(buffer, "PNG", compress_level=3)
    return buffer.getvalue()
