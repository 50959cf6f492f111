"""A battle's odds as a picture: who wins, what twenty such battles look like, and how many are left.

Attacker right, defender left; each end of the battle is a bar.
"""

from dataclasses import replace
from functools import lru_cache, partial
from math import ceil
from typing import NamedTuple

import numpy as np
from matplotlib.text import Text

from bot.charts.style import (
    ATTACKER,
    DEFENDER,
    DRAW,
    EDGE,
    GROUND,
    INK,
    LEFT,
    LONGEST_SMALL_TITLE,
    LONGEST_TITLE,
    QUIET,
    RIGHT,
    SMALL,
    WIDTH,
    Shape,
    between,
    box,
    fit,
    new_figure,
    new_text,
    png,
    round_ticks,
    set_shapes,
    squares,
    wrapped,
)
from bot.languages import _, _p, language
from bot.matchup import write
from bot.wording import (
    describe,
    game,
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

MOST_BARS = 44
CUT_TAIL = 0.002
BASE, TALLEST = 498, 170
ROOM = 348.0
"""For the words of each side."""


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


def battle_chart(ahead: bool) -> "BattleChart":
    """The template of this process and language; making it, and loading its fonts, is most of a first picture."""
    return _chart(ahead, language())


@lru_cache(maxsize=4)
def _chart(ahead: bool, _language: str) -> "BattleChart":
    return BattleChart(ahead)


def draw_battle(battle: Battle, odds: Odds) -> bytes:
    """The picture of a battle's odds, as PNG."""
    return battle_chart(ahead=odds.unresolved > 0).draw(battle, odds)


class BattleChart:
    """A picture of a battle's odds with all that is the same for every battle drawn once, to be drawn over."""

    def __init__(self, ahead: bool) -> None:
        """With `ahead` the bars count by how many a side is ahead, not how many it has left."""
        self.figure, self.canvas, self.shapes = new_figure()
        text = partial(new_text, self.figure)
        names = _p("short", "defender holds"), _p("short", "attacker wins")
        counts = _("defenders left"), _("attackers left")
        if ahead:
            counts = _("defenders ahead by"), _("attackers ahead by")
        self.names = text(186, 174, SMALL, QUIET, words=names[0]), text(614, 174, SMALL, QUIET, words=names[1])
        self.counts = (
            text(LEFT, 562, SMALL, DEFENDER, words=counts[0], align="left"),
            text(RIGHT, 562, SMALL, ATTACKER, words=counts[1], align="right"),
        )
        for words in (*self.names, *self.counts):
            fit(words, ROOM, self.canvas)
        self.canvas.draw()  # type: ignore[no-untyped-call]
        self.ground = self.canvas.copy_from_bbox(self.figure.bbox)  # type: ignore[no-untyped-call]

        self.title = text(WIDTH / 2, 36, 32, INK)
        self.defender = text(186, 112, 64, DEFENDER, "bold")
        self.attacker = text(614, 112, 64, ATTACKER, "bold")
        self.neither = text(400, 118, 32, DRAW, "bold")
        self.fate = text(400, 174, SMALL, DRAW)
        self.twenty = text(WIDTH / 2, 266, SMALL, INK)
        self.peak = text(0, BASE - TALLEST - 22, SMALL, INK)
        self.ticks = [text(0, 522, SMALL, QUIET) for _ in range(6)]
        self.binned = text(WIDTH / 2, 562, SMALL, QUIET)
        self.footer = text(WIDTH / 2, 610, 30, INK, "bold")

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
        return png(self.canvas)

    def _write(self, battle: Battle, odds: Odds, bars: list[Bar]) -> None:
        """Everything in words and numbers."""
        title = _title(battle)
        self.title.set_text(title)
        self.title.set_fontsize((32 if len(title) <= LONGEST_TITLE and "\n" not in title else SMALL) * 0.72)
        between(self.title, None, None, self.canvas)
        self.defender.set_text(percent(odds.defender_wins, odds))
        self.attacker.set_text(percent(odds.attacker_wins, odds))
        middle = neither(odds)
        self.neither.set_text(percent(middle, odds) if middle > 0.0005 else "")
        _write(self.fate, without_winner(odds, short=True) if middle > 0.0005 else "")
        between(self.fate, *self.names, self.canvas)
        _write(self.twenty, twenty(odds))
        between(self.twenty, None, None, self.canvas)
        tallest = max(bars, key=lambda bar: bar.chance)
        only = odds.true_zeros and len(odds.ladder[0]) == 1
        chance = percent(tallest.chance, odds) if only else uncertain(tallest.chance)
        _place(self.peak, tallest.x, f"{rungs(tallest.low, tallest.high, odds)}: {chance}")
        ticks = [*_ticks(bars), *[(0.0, "")] * len(self.ticks)]
        for text, (x, label) in zip(self.ticks, ticks, strict=False):
            _place(text, x, label)
        most = max(bar.possible for bar in bars)
        _write(self.binned, _("{n} per bar", n=most) if most > 1 else "")
        between(self.binned, *self.counts, self.canvas)
        low, high = odds.middle
        ends = rungs(low, low, odds)
        if low != high:
            ends = _("{low} to {high}", low=ends, high=rungs(high, high, odds))
        _write(self.footer, f"{share(odds)}: {ends}", 30)
        between(self.footer, None, None, self.canvas)

    def _shape(self, odds: Odds, bars: list[Bar]) -> None:
        """Squares, bars, and the line they stand on."""
        tallest = max(bar.chance for bar in bars)
        attacker, defender, _ = of_twenty(odds)
        shapes = [*squares(defender, attacker), *(shape for bar in bars for shape in stacked(bar, tallest))]
        shapes.append((box(LEFT, BASE + 2, RIGHT - LEFT, 2), QUIET, "none"))
        set_shapes(self.shapes, shapes)


def _title(battle: Battle) -> str:
    """As much of what is fought as there is room for; the canonical line where house rules are part of it."""
    long, short, line = describe(battle), describe(battle, short=True), write(battle)
    fleets = describe(replace(battle, stop=0, reserve=0, rounds=None, value=None), short=True)
    sizes = _("{attackers} against {defenders}", attackers=battle.attackers, defenders=battle.defenders)
    rules = game(battle)
    if battle.variant or battle.faces:
        whole, cut = [f"{long}, {rules}", f"{short}, {rules}"], f"{rules} …"
    elif house_rules(battle):
        whole, cut = [line, f"{short}, {_('house rules')}"], f"{_('house rules')} …"
    else:
        whole, cut = [long, short, line], "…"
    titles = [*whole, f"{fleets}, {cut}", f"{sizes}, {cut}", f"{sizes}, …"]
    told = [wrapped(title, LONGEST_SMALL_TITLE) for title in titles]
    return next((title for title in told if max(map(len, title.splitlines())) <= LONGEST_SMALL_TITLE), told[-1])


def _write(text: Text, words: str, pixels: float = SMALL) -> None:
    """Write words in the middle, in letters of their usual size."""
    text.set_text(words)
    text.set_fontsize(pixels * 0.72)
    text.set_x(0.5)


def _place(text: Text, x: float, words: str) -> None:
    """Write words around a place, but inside the picture."""
    half = SMALL * 0.33 * len(words) + 8
    text.set_text(words)
    text.set_x(min(max(x, half), WIDTH - half) / WIDTH)


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


def stacked(bar: Bar, tallest: float, base: float = BASE, most: float = TALLEST) -> list[Shape]:
    """A bar in the forms of those who win there, one upon the other; visible however small it is."""
    width, left, bottom = bar.pitch * 0.8, bar.x - bar.pitch * 0.4, float(base)
    height = max(most * bar.chance / tallest, 3.0)
    shapes = []
    for part, colour in zip(bar.parts, (ATTACKER, DEFENDER, DRAW), strict=True):
        tall = height * part / bar.chance if part else 0.0
        if colour == DEFENDER and tall >= EDGE:
            line = EDGE / 2
            shapes.append((box(left + line, bottom - line, width - EDGE, tall - EDGE), GROUND, colour))
        elif tall:
            shapes.append((box(left, bottom, width, tall), colour, "none"))
        bottom -= tall
    return shapes


def _ticks(bars: list[Bar]) -> list[tuple[float, str]]:
    """At most three numbers a side, at round counts, none touching another."""
    ticks: list[tuple[float, str]] = []
    for side in ([bar for bar in bars if bar.low > 0], [bar for bar in bars if bar.high < 0]):
        if not side:
            continue
        nearest, farthest = sorted((abs(side[0].low), abs(side[-1].high)))
        for count in reversed(round_ticks(nearest, farthest, 3)):
            level = count if side[0].low > 0 else -count
            x = float(np.interp(level, [(bar.low + bar.high) / 2 for bar in side], [bar.x for bar in side]))
            label = str(count)
            if all(abs(x - other) > 9 * (len(label) + len(text)) + 14 for other, text in ticks):
                ticks.append((x, label))
    return ticks
