"""The picture of a battle's odds: both sides' chances, twenty such battles as squares, and the armies left as bars.

The attacker is on the left, the defender on the right. Each end of the battle is a bar.
"""

from collections.abc import Sequence
from functools import lru_cache, partial
from math import ceil

import numpy as np

from bot.charts.bars import LEAST_SHOWN, MOST_BARS, Bar, bar_shapes, round_ticks, twenty_squares, without_tails
from bot.charts.canvas import Canvas
from bot.charts.shapes import box
from bot.charts.sheet import LONGEST_TITLE
from bot.charts.style import APART, ATTACKER, DEFENDER, DRAW, INK, LEFT, QUIET, RIGHT, SMALL, WIDTH, largest
from bot.charts.text import extent, fit, in_two_lines, keep_between, new_text, width
from bot.charts.words import Words
from bot.games.dice.notation.writing import write_dice
from bot.games.dice.words import fates, game, house_rules, matchup, neither, spread, twenty_battles
from bot.languages import _, _n, _p, language
from bot.words.numbers import CALLED_OFF, DRAWN, HOUSE_RULES, NEVER, percent, unsure_percent
from solver import Battle, Odds
from solver.chain import Counts

BASE, TALLEST = 466, 138
ATTACKS, DEFENDS, ROOM = 165, WIDTH - 165, 306.0
"""The places of both sides' chances, and the room for the names below."""
AXIS, FOOTER = 524, 590
MARK = 6
"""How thick the line below marked bars is."""
CLOSE = 0.95
"""The line spacing of three lines between two chances."""
LONGEST_SMALL_TITLE, LONGEST_FOOTER = 52, 42


def battle_chart(ahead: bool) -> "BattleChart":
    """Return the template of this process and language; to make it takes most of the time of a first picture."""
    return _chart(ahead, language())


@lru_cache(maxsize=4)
def _chart(ahead: bool, _language: str) -> "BattleChart":
    return BattleChart(ahead)


def draw_battle(battle: Battle, odds: Odds, marked: Sequence[int] = ()) -> bytes:
    """Return the picture of a battle's odds as PNG; a thick line stands below the bars of the `marked` margins."""
    return battle_chart(ahead=odds.unresolved > 0).draw(battle, odds, marked)


class BattleChart:
    """A template for pictures of odds: it writes once what all battles have in common."""

    def __init__(self, ahead: bool) -> None:
        """Write the common part. With `ahead`, bars show the lead of a side, not how many armies it has left."""
        self.canvas = Canvas()
        text = partial(new_text, self.canvas)
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
            _wrap(words, ROOM)
        for words in self.counts:
            fit(words, WIDTH / 2 - LEFT - APART)

        self.title = text(WIDTH / 2, 36, 32, INK)
        self.attacker = text(ATTACKS, 108, 64, ATTACKER, "bold")
        self.defender = text(DEFENDS, 108, 64, DEFENDER, "bold")
        self.neither = text(WIDTH / 2, 108, 32, DRAW, "bold")
        self.fate = text(WIDTH / 2, 174, SMALL, DRAW)
        self.peak = text(0, BASE - TALLEST - 22, SMALL, INK)
        self.ticks = [text(0, BASE + 24, SMALL, QUIET) for _other in range(6)]
        self.binned = text(WIDTH / 2, AXIS, SMALL, QUIET)
        self.footer = text(WIDTH / 2, FOOTER, 28, INK, "bold")

    def draw(self, battle: Battle, odds: Odds, marked: Sequence[int] = ()) -> bytes:
        """Return the picture of these odds as PNG: see `draw_battle`."""
        bars = _bars(odds)
        self._write_chances(battle, odds)
        self._write_ends(odds, bars)
        self._draw_shapes(odds, bars, marked)
        return self.png()

    def png(self) -> bytes:
        """Draw what was written, and return it as PNG."""
        return self.canvas.png()

    def _write_chances(self, battle: Battle, odds: Odds) -> None:
        """Write the title, and the chances with their names."""
        title = _title(battle)
        self.title.set_text(title)
        self.title.set_fontsize((32 if len(title) <= LONGEST_TITLE and "\n" not in title else SMALL) * 0.72)
        keep_between(self.title, None, None)
        middle = neither(odds)
        large = largest(odds.attacker_wins, odds.beaten, middle)
        _set_words(self.attacker, percent(odds.attacker_wins, odds), 64 if large[0] else 40, ATTACKS)
        _set_words(self.defender, percent(odds.beaten, odds), 64 if large[1] else 40, DEFENDS)
        _set_words(self.neither, percent(middle, odds) if middle > LEAST_SHOWN else "", 56 if large[2] else 40)
        keep_between(self.neither, self.attacker, self.defender)
        _set_words(self.fate, _without_winner(odds) if middle > LEAST_SHOWN else "")
        _wrap(self.fate, _room(self.names))
        keep_between(self.fate, *self.names)

    def _write_ends(self, odds: Odds, bars: list[Bar]) -> None:
        """Write the words and numbers around the bars."""
        tallest = max(bars, key=lambda bar: bar.chance)
        only = odds.true_zeros and len(odds.margin_law[0]) == 1
        chance = percent(tallest.chance, odds) if only else unsure_percent(tallest.chance)
        _set_words(self.peak, f"{_span(tallest.low, tallest.high, odds)}: {chance}", x=tallest.x)
        keep_between(self.peak, None, None)
        ticks = [*_ticks(bars), *[(0.0, "")] * len(self.ticks)]
        for text, (x, label) in zip(self.ticks, ticks, strict=False):
            _set_words(text, label, x=x)
        shared = max(bar.possible for bar in bars)
        _set_words(self.binned, _("{n} per bar", n=shared) if shared > 1 else "")
        if shared > 1 and width(self.binned) > _room(self.counts):
            self.binned.set_text("")  # The name of the tallest bar says how many share it, too.
        keep_between(self.binned, *self.counts)
        footer = spread(odds)
        _set_words(self.footer, footer if len(footer) <= LONGEST_FOOTER else in_two_lines(footer), 28)
        self.footer.set_fontweight("bold")
        if width(self.footer) > RIGHT - LEFT:
            self.footer.set_fontweight("normal")
        keep_between(self.footer, None, None)

    def _draw_shapes(self, odds: Odds, bars: list[Bar], marked: Sequence[int]) -> None:
        """Draw the squares, the bars, the line below the bars, and the thick one below those that are marked."""
        tallest = max(bar.chance for bar in bars)
        attacker, defender, _other = twenty_battles(odds)
        shapes = twenty_squares(defender, attacker)
        for bar in bars:
            shapes += bar_shapes(bar.parts, bar.x, bar.pitch, BASE, TALLEST * bar.chance / tallest)
        shapes.append((box(LEFT, BASE + 2, RIGHT - LEFT, 2), QUIET, "none"))
        for bar in bars:
            if any(bar.low <= margin <= bar.high for margin in marked):
                shapes.append((box(bar.x - bar.pitch / 2, BASE + 2 + MARK, bar.pitch, MARK), INK, "none"))
        self.canvas.shapes = shapes


def _title(battle: Battle) -> str:
    """Describe the battle on one line or two; one with house rules is its canonical line, if that fits."""
    long, short, line = matchup(battle), matchup(battle, short=True), write_dice(battle)
    sizes = _("{attackers} against {defenders}", attackers=battle.attackers, defenders=battle.defenders)
    rules = game(battle)
    if battle.variant or battle.faces:
        titles = [f"{long}, {rules}", f"{short}, {rules}", f"{sizes}, {rules}", sizes]
    elif house_rules(battle):
        titles = [line, _(HOUSE_RULES, battle=short), _(HOUSE_RULES, battle=sizes), sizes]
    else:
        titles = [long, short, line, sizes]
    choices = [*titles[:-1], *map(in_two_lines, titles[:-1]), sizes]
    return next((title for title in choices if max(map(len, title.splitlines())) <= LONGEST_SMALL_TITLE), sizes)


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
    """Describe the ends in a bar: "4 defenders left", "5–9 attackers left", "both wiped out"."""
    smaller, larger = sorted((abs(low), abs(high)))
    count = str(smaller) if smaller == larger else f"{smaller}–{larger}"
    if low == high == 0:
        return _("both sides even") if odds.unresolved else _("both wiped out")
    if low < 0 < high:
        return _("defender {defenders} to attacker {attackers} ahead", defenders=-low, attackers=high)
    if odds.unresolved:
        return _("attacker {lead} ahead", lead=count) if high > 0 else _("defender {lead} ahead", lead=count)
    if high > 0:
        return _n("{n} attacker left", "{n} attackers left", larger, n=count)
    return _n("{n} defender left", "{n} defenders left", larger, n=count)


def _room(sides: tuple[Words, Words]) -> float:
    """Return the room for words between two texts, in pixels."""
    return extent(sides[1]).left - extent(sides[0]).right - 2 * APART


def _wrap(text: Words, room: float) -> None:
    """Break a text into two lines if one is too wide, and into one word a line if those are too wide."""
    words = text.get_text()
    if width(text) > room:
        text.set_text(in_two_lines(words))
    if width(text) > room:
        text.set_text(words.replace(" ", "\n"))
    text.set_linespacing(CLOSE if text.get_text().count("\n") > 1 else 1.2)
    fit(text, room)


def _set_words(text: Words, words: str, pixels: float = SMALL, x: float = WIDTH / 2) -> None:
    """Set the words of a text around a place."""
    text.set_text(words)
    text.set_fontsize(pixels * 0.72)
    text.set_x(x / WIDTH)


def _bars(odds: Odds) -> list[Bar]:
    """Return the law of the margins as bars without its tails, the attacker's best end at the left."""
    margins, chances = odds.margin_law
    shown = without_tails(chances.sum(axis=0))
    margins, chances = margins[shown], chances[:, shown]
    bins = _bins_ahead(margins) if odds.unresolved else _bins_left(margins)
    pitch = min((RIGHT - LEFT) / len(bins), 64)
    end = (WIDTH + pitch * (len(bins) - 1)) / 2
    bars = []
    for place, (low, high) in enumerate(bins):
        inside = (margins >= low) & (margins <= high)
        attacker, defender, nobody = chances[:, inside].sum(axis=1).tolist()
        bars.append(Bar(low, high, int(inside.sum()), (attacker, defender, nobody), end - pitch * place, pitch))
    return bars


def _bins_left(margins: Counts) -> list[tuple[int, int]]:
    """Return the margins that each bar spans, from the lowest to the highest: as many for each bar, all of one side.

    Each side begins with its end nearest to the middle, so a reserve leaves no gap.
    """
    sides = [
        (int(side[0]), int(side[-1])) if len(side) else (1, 0)
        for side in (-margins[margins < 0][::-1], margins[margins > 0])
    ]
    per_bar = max(ceil(sum(farthest - nearest + 1 for nearest, farthest in sides) / (MOST_BARS - 2)), 1)
    below, above = (
        [(at, min(at + per_bar - 1, farthest)) for at in range(nearest, farthest + 1, per_bar)]
        for nearest, farthest in sides
    )
    return [*((-high, -low) for low, high in reversed(below)), *([(0, 0)] if 0 in margins else []), *above]


def _bins_ahead(margins: Counts) -> list[tuple[int, int]]:
    """Return the leads that each bar spans, from the lowest to the highest, in multiples of the least step."""
    low, high = int(margins[0]), int(margins[-1])
    unit = int(np.gcd.reduce(np.diff(margins))) or 1
    step = unit * ceil(((high - low) // unit + 1) / MOST_BARS)
    return [(at, min(at + step - unit, high)) for at in range(low, high + 1, step)]


def _ticks(bars: list[Bar]) -> list[tuple[float, str]]:
    """Return at most three round counts a side with their places; none touches another."""
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
