"""A battle's odds as a picture: who wins, what twenty such battles look like, and how many are left.

Attacker left, defender right; each end of the battle is a bar.
"""

from functools import lru_cache, partial
from math import ceil
from typing import NamedTuple

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from bot.charts.style import (
    APART,
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
    extent,
    fit,
    in_two_lines,
    new_figure,
    new_text,
    png,
    round_ticks,
    set_shapes,
    squares,
    width,
)
from bot.languages import _, _n, _p, language
from bot.matchup import write
from bot.wording import (
    CALLED_OFF,
    DRAWN,
    NEVER,
    describe,
    fates,
    game,
    house_rules,
    neither,
    of_twenty,
    percent,
    spread,
    uncertain,
)
from solver import Battle, Odds
from solver.odds import Counts

MOST_BARS = 44
CUT_TAIL = 0.002
UNTOLD = 0.0005
"""The picture tells the chance that neither side wins where it is more than this."""
BASE, TALLEST = 466, 138
ATTACKS, DEFENDS, ROOM = 165, WIDTH - 165, 306.0
"""Where each side's chance stands, and the room for its name below."""
AXIS, FOOTER = 524, 590
LONGEST_FOOTER = 42


class Bar(NamedTuple):
    """The ends on rungs `low` to `high` of the ladder, of which so many are possible, and where it is drawn.

    `parts` are the chances that the attacker wins there, that the defender holds, and of all other ends.
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
        counts = _("attackers left"), _("defenders left")
        if ahead:
            counts = _("attackers ahead"), _("defenders ahead")
        self.names = (
            text(ATTACKS, 174, SMALL, QUIET, words=_p("short", "attacker wins")),
            text(DEFENDS, 174, SMALL, QUIET, words=_p("short", "defender holds")),
        )
        self.counts = (
            text(LEFT, AXIS, SMALL, ATTACKER, words=counts[0], align="left"),
            text(RIGHT, AXIS, SMALL, DEFENDER, words=counts[1], align="right"),
        )
        text(WIDTH / 2, 262, SMALL, INK, words=_("20 such battles"))
        for words in self.names:
            _part(words, ROOM, self.canvas)
        for words in self.counts:
            fit(words, WIDTH / 2 - LEFT - APART, self.canvas)
        self.canvas.draw()  # type: ignore[no-untyped-call]
        self.ground = self.canvas.copy_from_bbox(self.figure.bbox)  # type: ignore[no-untyped-call]

        self.title = text(WIDTH / 2, 36, 32, INK)
        self.attacker = text(ATTACKS, 108, 64, ATTACKER, "bold")
        self.defender = text(DEFENDS, 108, 64, DEFENDER, "bold")
        self.neither = text(WIDTH / 2, 114, 32, DRAW, "bold")
        self.fate = text(WIDTH / 2, 174, SMALL, DRAW)
        self.peak = text(0, BASE - TALLEST - 22, SMALL, INK)
        self.ticks = [text(0, BASE + 24, SMALL, QUIET) for _ in range(6)]
        self.binned = text(WIDTH / 2, AXIS, SMALL, QUIET)
        self.footer = text(WIDTH / 2, FOOTER, 28, INK, "bold")

    def draw(self, battle: Battle, odds: Odds) -> bytes:
        """The picture as PNG."""
        bars = _bars(odds)
        self._write(battle, odds, bars)
        self._shape(odds, bars)
        renderer = self.canvas.get_renderer()  # type: ignore[no-untyped-call]
        self.canvas.restore_region(self.ground)  # type: ignore[no-untyped-call]
        texts = (self.title, self.attacker, self.defender, self.neither, self.fate, self.peak)
        for artist in (self.shapes, *texts, *self.ticks, self.binned, self.footer):
            artist.draw(renderer)
        return png(self.canvas)

    def _write(self, battle: Battle, odds: Odds, bars: list[Bar]) -> None:
        """Everything in words and numbers."""
        title = _title(battle)
        self.title.set_text(title)
        self.title.set_fontsize((32 if len(title) <= LONGEST_TITLE and "\n" not in title else SMALL) * 0.72)
        between(self.title, None, None, self.canvas)
        self.attacker.set_text(percent(odds.attacker_wins, odds))
        self.defender.set_text(percent(odds.beaten, odds))
        middle = neither(odds)
        size = 44 if middle > min(odds.attacker_wins, odds.beaten) else 32
        _write(self.neither, percent(middle, odds) if middle > UNTOLD else "", size)
        between(self.neither, self.attacker, self.defender, self.canvas)
        _write(self.fate, _without_winner(odds) if middle > UNTOLD else "")
        _part(self.fate, _room(self.names, self.canvas), self.canvas)
        between(self.fate, *self.names, self.canvas)
        tallest = max(bars, key=lambda bar: bar.chance)
        only = odds.true_zeros and len(odds.ladder[0]) == 1
        chance = percent(tallest.chance, odds) if only else uncertain(tallest.chance)
        _write(self.peak, f"{_span(tallest.low, tallest.high, odds)}: {chance}", x=tallest.x)
        between(self.peak, None, None, self.canvas)
        ticks = [*_ticks(bars), *[(0.0, "")] * len(self.ticks)]
        for text, (x, label) in zip(self.ticks, ticks, strict=False):
            _write(text, label, x=x)
        most = max(bar.possible for bar in bars)
        _write(self.binned, _("{n} per bar", n=most) if most > 1 else "")
        if most > 1 and width(self.binned, self.canvas) > _room(self.counts, self.canvas):
            self.binned.set_text("")  # The name of the tallest bar says how many share it, too.
        between(self.binned, *self.counts, self.canvas)
        footer = spread(odds)
        _write(self.footer, footer if len(footer) <= LONGEST_FOOTER else in_two_lines(footer), 28)
        self.footer.set_fontweight("bold")
        if width(self.footer, self.canvas) > RIGHT - LEFT:
            self.footer.set_fontweight("normal")
        between(self.footer, None, None, self.canvas)

    def _shape(self, odds: Odds, bars: list[Bar]) -> None:
        """Squares, bars, and the line they stand on."""
        tallest = max(bar.chance for bar in bars)
        attacker, defender, _ = of_twenty(odds)
        shapes = [*squares(defender, attacker), *(shape for bar in bars for shape in stacked(bar, tallest))]
        shapes.append((box(LEFT, BASE + 2, RIGHT - LEFT, 2), QUIET, "none"))
        set_shapes(self.shapes, shapes)


def _title(battle: Battle) -> str:
    """What is fought, on one line or on two; the canonical line where house rules are part of it."""
    long, short, line = describe(battle), describe(battle, short=True), write(battle)
    sizes = _("{attackers} against {defenders}", attackers=battle.attackers, defenders=battle.defenders)
    rules = game(battle)
    if battle.variant or battle.faces:
        titles = [f"{long}, {rules}", f"{short}, {rules}", f"{sizes}, {rules}", sizes]
    elif house_rules(battle):
        titles = [line, f"{short}, {_('house rules')}", f"{sizes}, {_('house rules')}", sizes]
    else:
        titles = [long, short, line, sizes]
    parted = [*titles[:-1], *map(in_two_lines, titles[:-1]), sizes]
    return next((title for title in parted if max(map(len, title.splitlines())) <= LONGEST_SMALL_TITLE), sizes)


def _without_winner(odds: Odds) -> str:
    """Return the short name, for pictures, of all ends that neither side has won."""
    names = {
        CALLED_OFF: _p("short", "attack called off"),
        DRAWN: _p("short", "draw"),
        NEVER: _p("short", "never ends"),
    }
    possible = [name for fate, name in names.items() if fate in fates(odds)]
    return possible[0] if len(possible) == 1 else _p("short", "no winner")


def _span(low: int, high: int, odds: Odds) -> str:
    """Say what a bar stands for: "4 defenders left", "5–9 attackers left", "nobody left"."""
    few, many = sorted((abs(low), abs(high)))
    count = str(few) if few == many else f"{few}–{many}"
    if low == high == 0:
        return _("both sides even") if odds.unresolved else _("both wiped out")
    if low < 0 < high:
        return _("defender {defenders} to attacker {attackers} ahead", defenders=-low, attackers=high)
    if odds.unresolved:
        return _("attacker {lead} ahead", lead=count) if high > 0 else _("defender {lead} ahead", lead=count)
    if high > 0:
        return _n("{n} attacker left", "{n} attackers left", many, n=count)
    return _n("{n} defender left", "{n} defenders left", many, n=count)


def _room(sides: tuple[Text, Text], canvas: FigureCanvasAgg) -> float:
    """Return how wide words between two others may be."""
    return extent(sides[1], canvas).left - extent(sides[0], canvas).right - 2 * APART


def _part(text: Text, room: float, canvas: FigureCanvasAgg) -> None:
    """Write words on two lines where one is too wide."""
    if width(text, canvas) > room:
        text.set_text(in_two_lines(text.get_text()))
    fit(text, room, canvas)


def _write(text: Text, words: str, pixels: float = SMALL, x: float = WIDTH / 2) -> None:
    """Write words around a place, in letters of their usual size."""
    text.set_text(words)
    text.set_fontsize(pixels * 0.72)
    text.set_x(x / WIDTH)


def _bars(odds: Odds) -> list[Bar]:
    """The law of the ladder as bars, the attacker's best end at the left, without its tails, binned if too many."""
    rungs, chances = odds.ladder
    law = chances.sum(axis=0)
    reached = np.cumsum(law)
    tail = CUT_TAIL * reached[-1]
    shown = (reached > tail) & (reached - law < reached[-1] - tail)
    rungs, chances = rungs[shown], chances[:, shown]
    bins = _bins_ahead(rungs) if odds.unresolved else _bins_left(rungs)
    pitch = min((RIGHT - LEFT) / len(bins), 64)
    end = (WIDTH + pitch * (len(bins) - 1)) / 2
    bars = []
    for place, (low, high) in enumerate(bins):
        inside = (rungs >= low) & (rungs <= high)
        attacker, defender, nobody = chances[:, inside].sum(axis=1).tolist()
        bars.append(Bar(low, high, int(inside.sum()), (attacker, defender, nobody), end - pitch * place, pitch))
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
