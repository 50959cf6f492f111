"""How dice have fallen, as a picture: the share of each face of a die, around what is expected of a fair one."""

from collections.abc import Sequence
from math import ceil, log10

from bot.charts.luck import WIDE
from bot.charts.style import EDGE, INK, LEFT, QUIET, RIGHT, WIDTH, Sheet, box, new_sheet, round_ticks
from bot.languages import _, _n, in_percent, number, whole
from bot.luck_wording import evenness
from solver.luck import fair_band, uneven

START, END, TOP, BASE = 150.0, 776.0, 200.0, 476.0
MIDDLE = (TOP + BASE) / 2
MOST_NAMED, MOST_TOLD, MOST_DECIMALS = 12, 7, 3
WIDEST, LEAST_APART = 64.0, 34.0
LEAST_A_FACE = 5
"""Of fewer throws than that to a face nothing is said: then chi-square is no good law of theirs."""


def draw_faces(title: str, counts: Sequence[int]) -> bytes:
    """The picture of how a die has fallen, as PNG; `counts[i]` is how often face i + 1 did, of two faces or more."""
    sheet = new_sheet(title)
    throws, faces = sum(counts), len(counts)
    enough = throws >= LEAST_A_FACE * faces
    fallen = _n("{n} throw", "{n} throws", throws, n=whole(throws))
    big, small = evenness(uneven(counts)) if enough else (fallen, _("too few to say how evenly they fall"))
    sheet.fitted(WIDTH / 2, 104, big, (60, 54, 48, 40, 32), weight="bold")
    sheet.sentence(166, f"{small} ({fallen})" if enough else small, colour=QUIET)
    sheet.shape(box(LEFT, BASE + 2, RIGHT - LEFT, 2), QUIET)
    pitch = (END - START) / faces
    places = [START + pitch * (face + 0.5) for face in range(faces)]
    named = range(1, faces + 1) if faces <= MOST_NAMED else round_ticks(1, faces, MOST_NAMED)
    sheet.ticks(BASE + 28, [(places[face - 1], str(face)) for face in named])
    sheet.fit(sheet.text(START - 12, BASE + 28, _("face"), colour=QUIET, align="right"), START - 12 - LEFT / 2)
    if enough:
        _draw(sheet, [count / throws for count in counts], fair_band(throws, faces), places, pitch)
        words = _("19 of 20 fair dice stay within the band")
        sheet.sentence(606, words, weight="bold")
    return sheet.png()


def _draw(sheet: Sheet, shares: Sequence[float], band: float, places: Sequence[float], pitch: float) -> None:
    """The band, the share that is expected, and a bar from there for each face."""
    expected = 1 / len(shares)
    scale = (MIDDLE - TOP) / max(1.3 * band, *(abs(share - expected) for share in shares))
    sheet.shape(box(START, MIDDLE + band * scale, END - START, 2 * band * scale), WIDE)
    wide = min(0.6 * pitch, WIDEST)
    for x, share in zip(places, shares, strict=True):
        off = (share - expected) * scale
        sheet.shape(box(x - wide / 2, MIDDLE - min(off, 0), wide, max(abs(off), EDGE)), QUIET)
    sheet.shape(box(START, MIDDLE + 1, END - START, 2), INK)
    decimals = min(max(ceil(-log10(100 * band)) + 1, 1), MOST_DECIMALS)
    edges = (expected + band, max(expected - band, 0)) if band * scale >= LEAST_APART else ()
    for level in (expected, *edges):
        y = MIDDLE - (level - expected) * scale
        colour = INK if level == expected else QUIET
        sheet.text(START - 12, y, in_percent(number(100 * level, decimals)), colour=colour, align="right")
    if len(shares) <= MOST_TOLD:
        for x, share in zip(places, shares, strict=True):
            sheet.text(x, BASE + 66, number(100 * share, decimals), colour=QUIET)
        sheet.text(START - 12, BASE + 66, "%", colour=QUIET, align="right")
