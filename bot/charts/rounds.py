"""All rounds of a fleet as a picture: what each costs both sides, and how often its dice show what."""

from collections.abc import Mapping, Sequence

from bot.charts.grid import short_percent
from bot.charts.style import (
    ATTACKER,
    DEFENDER,
    DRAW,
    EDGE,
    GROUND,
    INK,
    LEFT,
    QUIET,
    RIGHT,
    WIDTH,
    Sheet,
    box,
    hollow,
    new_sheet,
    round_ticks,
)
from bot.languages import _, in_percent, number
from bot.wording import uncertain

MOST_WITH_DICE, MOST_PANELS = 6, 3
"""There is room for the dice up to so many rounds, and so many panels."""
FROM, GAP = 110.0, 4.0
LENGTH = RIGHT - FROM
TOP, BOTTOM, MIDDLE = 104.0, 624.0, 346.0
PANELS, PANEL, APART = 156.0, 186.0, 30.0
"""Where the first panel of dice begins, how wide each is, and how far from the next."""
TALL = 58.0
"""How far apart the lines of the highest die, of the second, ... are."""

Round = tuple[str, Sequence[tuple[int, int, float]]]
"""What a round is called, and its outcomes: (attackers lost, defenders lost, chance), best for the attacker first."""
Dice = tuple[str, Sequence[Mapping[int, float]]]
"""How many dice these are, and the law of the highest, of the second, ..."""


def draw_rounds(title: str, rounds: Sequence[Round], dice: Sequence[Dice], names: Sequence[str]) -> bytes:
    """Return the picture of all rounds as PNG: a bar for each, parted by who loses; below them the dice.

    The dice are left out where there are too many rounds; `names` are those of the highest die, of the second, ...
    """
    sheet = new_sheet(title)
    whose = sheet.text(LEFT, 80, _("defender loses"), colour=ATTACKER, align="left")
    theirs = sheet.text(RIGHT, 80, _("attacker loses"), colour=DEFENDER, align="right")
    sheet.between(sheet.text(WIDTH / 2, 80, _("both alike"), colour=DRAW), whose, theirs)
    most = max(len(laws) for _label, laws in dice)
    roomy = len(rounds) <= MOST_WITH_DICE and max(len(dice), most) <= MOST_PANELS
    pitch = min(((MIDDLE if roomy else BOTTOM) - TOP) / max(len(rounds), 1), 90.0)
    for row, (label, outcomes) in enumerate(rounds):
        y = TOP + pitch * (row + 0.5)
        sheet.fit(sheet.text(LEFT, y, label, align="left"), FROM - LEFT - GAP)
        _bar(sheet, y, min(pitch - 6, 52.0), outcomes)
    if roomy:
        for column, (label, laws) in enumerate(dice):
            _panel(sheet, PANELS + (PANEL + APART) * column, label, laws)
        for row, name in enumerate(names[:most]):
            sheet.fit(sheet.text(LEFT, _base(row) - 16, name, align="left"), PANELS - LEFT - GAP)
    return sheet.png()


def _bar(sheet: Sheet, y: float, tall: float, outcomes: Sequence[tuple[int, int, float]]) -> None:
    """Draw the outcomes of a round beside each other, each as wide as it is likely, its chance in it if it fits."""
    x, bottom = FROM, y + tall / 2
    for attackers, defenders, chance in outcomes:
        width = max(LENGTH * chance - GAP, 1.0)
        if attackers > defenders:
            sheet.shape(hollow(x, bottom, width, tall), GROUND, DEFENDER)
        else:
            sheet.shape(box(x, bottom, width, tall), ATTACKER if defenders > attackers else DRAW)
        for words in (in_percent("100") if chance == 1 else uncertain(chance), short_percent(chance)):
            text = sheet.text(x + width / 2, y, words, colour=INK if attackers > defenders else GROUND)
            if sheet.width(text) <= width - 4 * EDGE:
                break
            text.set_text("")
        x += LENGTH * chance


def _base(row: int) -> float:
    """Return the line on which the bars of a die stand."""
    return MIDDLE + 92 + TALL * row


def _panel(sheet: Sheet, left: float, label: str, laws: Sequence[Mapping[int, float]]) -> None:
    """Draw how often so many dice show what: a row for the highest, one for the second, ... on one axis."""
    low, high = min(map(min, laws)), max(map(max, laws))
    pitch = PANEL / (high - low + 1)
    most = max(max(law.values()) for law in laws)
    sheet.fit(sheet.text(left + PANEL / 2, MIDDLE + 20, label), PANEL)
    for row, law in enumerate(laws):
        for value, chance in law.items():
            height = max((TALL - 14) * chance / most, EDGE)
            sheet.shape(box(left + pitch * (value - low + 0.1), _base(row), pitch * 0.8, height), QUIET)
        sheet.shape(box(left, _base(row) + 2, PANEL, 2), QUIET)
    ticks = [(left + pitch * (value - low + 0.5), number(value, 0)) for value in round_ticks(low, high, 4)]
    sheet.ticks(_base(len(laws) - 1) + 24, ticks)
