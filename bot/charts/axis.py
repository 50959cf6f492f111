"""The odds of an Axis & Allies battle as a picture: who wins, what twenty such battles look like, and what they cost.

Units differ in worth, so the ends are told apart by the money lost. Attacker right, defender left; the farther out a
bar stands, the less its side has lost.
"""

from collections.abc import Sequence
from functools import partial
from itertools import islice
from math import ceil, floor, isclose
from typing import NamedTuple

import numpy as np
from matplotlib.text import Text

from bot.charts.battle import BASE, CUT_TAIL, MOST_BARS, TALLEST
from bot.charts.style import (
    APART,
    ATTACKER,
    DEFENDER,
    DRAW,
    EDGE,
    GROUND,
    LEFT,
    QUIET,
    RIGHT,
    SMALL,
    WIDTH,
    Sheet,
    box,
    hollow,
    new_sheet,
    round_steps,
    round_ticks,
    squares,
)
from bot.languages import _, shortest
from bot.wording import uncertain

UNTOLD = 0.0005
"""The chance that neither side wins is told where it is more than this."""
COLUMN = 214.0
"""How far from the middle each side's chance is written."""
WIDEST, MOST_TICKS, FEW = 64.0, 3, 8
GAP = 0.5
"""How many bars would fit between the two sides."""
ROUND = 18
"""How many round numbers are tried: up to half a million."""

Losses = Sequence[tuple[float, float]]
"""Money that a side has lost, and the chance of it."""


class Bar(NamedTuple):
    """The ends in which a side has lost from `low` to `high`, their chance, and where it is drawn."""

    attacks: bool
    low: float
    high: float
    chance: float
    x: float
    pitch: float


def draw_axis(
    title: str,
    subtitle: str,
    chances: tuple[float, float, float],
    names: tuple[str, str, str],
    numbers: tuple[str, str, str],
    twenty: tuple[int, int, int],
    tale: str,
    attacker_losses: Losses,
    defender_losses: Losses,
    footer: str,
    counted: str = "IPC",
) -> bytes:
    """The picture of the odds of an Axis & Allies battle, as PNG.

    The `chances` are that the defender holds, that the attacker wins, and that neither does; in this order are their
    `names`, the chances in words, and how many of twenty battles each is, which the `tale` tells. A side's losses are
    the chances of the money it has lost: the attacker's where it wins, the defender's where any of it still stands;
    `counted` is what that money is called.
    """
    sheet = new_sheet(title)
    sheet.fitted(WIDTH / 2, 70, subtitle, (SMALL,), QUIET)
    told = chances[2] > UNTOLD
    across(sheet, (122, 126), numbers if told else (*numbers[:2], ""), (60, 32), (DEFENDER, ATTACKER), "bold")
    across(sheet, (178, 178), names if told else (*names[:2], ""), (SMALL, SMALL), (QUIET, QUIET))
    for shape in squares(twenty[0], twenty[1]):
        sheet.shape(*shape)
    sheet.fitted(WIDTH / 2, 266, tale, (SMALL,))
    bars, step = _bars(_law(defender_losses), _law(attacker_losses))
    if bars:
        _draw(sheet, bars)
        _name_tallest(sheet, bars, chances, numbers)
        _axis(sheet, bars, step, counted)
    sheet.fitted(WIDTH / 2, 610, footer, (30, SMALL), weight="bold")
    return sheet.png()


def across(
    sheet: Sheet,
    lines: tuple[float, float],
    words: tuple[str, str, str],
    pixels: tuple[float, float],
    colours: tuple[str, str],
    weight: str = "normal",
) -> None:
    """The defender's, the attacker's and nobody's words beside one another, as near to their places as they can be.

    Of `lines` and `pixels` the second are those of the words in the middle.
    """
    middle = sheet.text(WIDTH / 2, lines[1], words[2], pixels[1], DRAW, weight)
    sheet.fit(middle, WIDTH / 3)
    reach = WIDTH / 2 - (sheet.width(middle) / 2 + APART if words[2] else APART / 2)
    for side, towards in ((0, -1), (1, 1)):
        text = sheet.text(0, lines[0], words[side], pixels[0], colours[side], weight)
        sheet.fit(text, reach - LEFT / 2)
        off = max(COLUMN, WIDTH / 2 - reach + sheet.width(text) / 2)
        text.set_x((WIDTH / 2 + towards * off) / WIDTH)


def _law(losses: Losses) -> dict[float, float]:
    """The chances of the amounts lost, the least first; what differs by less than a hundredth is one amount."""
    law: dict[float, float] = {}
    for money, chance in sorted(losses):
        if chance > 0:
            amount = round(money, 2) + 0.0
            law[amount] = law.get(amount, 0.0) + chance
    return law


def _bars(defender: dict[float, float], attacker: dict[float, float]) -> tuple[list[Bar], int | None]:
    """The laws of what each side loses as bars, the least lost outermost, without their tails.

    Where they are too many, each is a step of so much money; the step is None where each is one amount.
    """
    tail = CUT_TAIL * (sum(defender.values()) + sum(attacker.values()))
    laws = [_cut(law, tail) for law in (defender, attacker)]
    step = None if sum(map(len, laws)) <= MOST_BARS else next(filter(partial(_fits, laws), round_steps()))
    sides = [_places(list(law), step) for law in laws]
    widths = [side[-1][0] + 1 if side else 0 for side in sides]
    places = sum(widths) + (GAP if all(widths) else 0)
    pitch = min((RIGHT - LEFT) / max(places, 1), WIDEST)
    bars = []
    for attacks, law, side in zip((False, True), laws, sides, strict=True):
        for place, amounts in side:
            off = pitch * (places / 2 - place - 0.5)
            x = WIDTH / 2 + (off if attacks else -off)
            bars.append(Bar(attacks, amounts[0], amounts[-1], sum(law[amount] for amount in amounts), x, pitch))
    return bars, step


def _cut(law: dict[float, float], tail: float) -> dict[float, float]:
    """A law without its tails."""
    chances = np.array(list(law.values()))
    reached = chances.cumsum()
    shown = (reached > tail) & (reached - chances < reached[-1:] - tail)
    return {amount: chance for (amount, chance), here in zip(law.items(), shown.tolist(), strict=True) if here}


def _fits(laws: Sequence[dict[float, float]], step: int) -> bool:
    """Whether there are few enough bars with so much money to each."""
    return sum(max(law) // step - min(law) // step + 1 for law in laws if law) <= MOST_BARS


def _places(amounts: Sequence[float], step: int | None) -> list[tuple[int, list[float]]]:
    """What stands in each place, counted from the outermost one: one amount, or all in a step of money."""
    places: dict[int, list[float]] = {}
    for index, amount in enumerate(amounts):
        place = int(amount // step - amounts[0] // step) if step else index
        places.setdefault(place, []).append(amount)
    return list(places.items())


def _draw(sheet: Sheet, bars: Sequence[Bar]) -> None:
    """The bars, visible however small they are, and the line they stand on."""
    most = max(bar.chance for bar in bars)
    for bar in bars:
        left, width, tall = bar.x - bar.pitch * 0.4, bar.pitch * 0.8, max(TALLEST * bar.chance / most, EDGE)
        if bar.attacks:
            sheet.shape(box(left, BASE, width, tall), ATTACKER)
        else:
            sheet.shape(hollow(left, BASE, width, tall), GROUND, DEFENDER)
    sheet.shape(box(LEFT, BASE + 2, RIGHT - LEFT, 2), QUIET)


def _name_tallest(
    sheet: Sheet, bars: Sequence[Bar], chances: tuple[float, float, float], numbers: tuple[str, str, str]
) -> None:
    """Write what is lost in the tallest bar, and its chance; where its side has no other, in that side's words."""
    bar = max(bars, key=lambda bar: bar.chance)
    alone = [other.attacks for other in bars].count(bar.attacks) == 1
    sure = alone and isclose(bar.chance, chances[bar.attacks])
    chance = numbers[bar.attacks] if sure else uncertain(bar.chance)
    text = sheet.text(0, BASE - TALLEST - 22, f"{_lost(bar.low, bar.high)}: {chance}")
    half = sheet.width(text) / 2 + LEFT / 2
    text.set_x(min(max(bar.x, half), WIDTH - half) / WIDTH)


def _lost(low: float, high: float) -> str:
    """How much is lost: "lost 14", "lost 10–14", "lost nothing"; less than that is a gain."""
    if low == high == 0:
        return _("lost nothing")
    if high <= 0:
        return _("gained {amount}", amount=_span(-high, -low))
    return _("lost {amount}", amount=_span(low, high))


def _span(least: float, most: float) -> str:
    """An amount, or from the least to the most."""
    if least == most:
        return _money(least)
    if least < 0:
        return _("{low} to {high}", low=_money(least), high=_money(most))
    return f"{_money(least)}–{_money(most)}"


def _money(amount: float) -> str:
    """An amount as short as it can be told."""
    return shortest(amount + 0.0, 7)


def _axis(sheet: Sheet, bars: Sequence[Bar], step: int | None, counted: str) -> None:
    """What the bars count: amounts below them, in words whose they are, and how much money there is to a bar."""
    defender, attacker = ([bar for bar in bars if bar.attacks == attacks] for attacks in (False, True))
    labels: list[Text | None] = [None, None]
    if defender:
        labels[0] = sheet.text(
            LEFT, 562, _("{counted} the defender lost", counted=counted), colour=DEFENDER, align="left"
        )
    if attacker:
        labels[1] = sheet.text(
            RIGHT, 562, _("{counted} the attacker lost", counted=counted), colour=ATTACKER, align="right"
        )
    # Where two would touch, the side with more bars keeps its own.
    sides = sorted((side for side in (defender, attacker) if side), key=len, reverse=True)
    sheet.ticks(BASE + 24, [tick for side in sides for tick in _ticks(side, step)])
    if step:
        text = sheet.text(WIDTH / 2, 562, _("{n} {counted} per bar", n=step, counted=counted), colour=QUIET)
        room = _room(sheet, labels)
        if sheet.width(text) > room:
            text.set_text(_("{n} per bar", n=step))
        if sheet.width(text) > room:
            _shorten(labels, counted)
        sheet.between(text, *labels)
    elif _room(sheet, labels) < 0:
        _shorten(labels, counted)


def _room(sheet: Sheet, labels: Sequence[Text | None]) -> float:
    """How much room there is between the words of both sides."""
    left, right = labels
    low = sheet.extent(left).right + APART if left else LEFT / 2
    return (sheet.extent(right).left - APART if right else WIDTH - LEFT / 2) - low


def _shorten(labels: Sequence[Text | None], counted: str) -> None:
    """Leave out whose loss it is: the colours say so too."""
    for label in filter(None, labels):
        label.set_text(_("{counted} lost", counted=counted))


def _ticks(side: Sequence[Bar], step: int | None) -> list[tuple[float, str]]:
    """At most three amounts below a side's bars: round ones that have a bar, or else, where bars are many, any round.

    Where they are few, it is the first, the last, and one between.
    """
    starts = [bar.low // step * step if step else bar.low for bar in side]
    places = [bar.x for bar in side]
    amounts: Sequence[float] = starts if len(side) <= MOST_TICKS else _round_ones(starts)
    low, high = ceil(starts[0]), floor(starts[-1])
    if not amounts and len(side) > FEW and low <= high:
        amounts = round_ticks(low, high, MOST_TICKS)
        if len(amounts) == 1:
            amounts = round_ticks(low, high, 2 * MOST_TICKS - 1)[::2]
    elif not amounts:
        amounts = [starts[0], starts[len(side) // 2], starts[-1]]
    return [(float(np.interp(amount, starts, places)), _money(amount)) for amount in amounts]


def _round_ones(amounts: Sequence[float]) -> list[float]:
    """As many of these amounts as are multiples of a round number and tell how far they go; none if there are none."""
    places = [
        [place for place, amount in enumerate(amounts) if amount % step == 0] for step in islice(round_steps(), ROUND)
    ]
    few = [found for found in places if 1 < len(found) <= MOST_TICKS]
    best = max(few, key=lambda found: found[-1] - found[0], default=[0, 0])
    return [amounts[place] for place in best] if best[-1] - best[0] >= len(amounts) / 2 else []
