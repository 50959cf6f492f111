"""The picture of a die's throws: the share of each face, above or below the expected share of a fair die."""

from collections.abc import Sequence
from math import ceil, log10

from bot.charts.bars import round_ticks
from bot.charts.shapes import box
from bot.charts.sheet import Sheet, new_sheet
from bot.charts.style import EDGE, INK, LEFT, QUIET, RIGHT, WIDTH
from bot.languages import _, _n, in_percent, number, whole_number
from bot.live.luck_chart import WIDE
from bot.words.luck import evenness
from solver.luck import evenness_p_value, fair_band

START, END, TOP, BASE = 150.0, 776.0, 200.0, 476.0
MIDDLE = (TOP + BASE) / 2
MOST_NAMED, MOST_SHARES, MOST_DECIMALS = 12, 7, 3
WIDEST, LEAST_APART = 64.0, 34.0
LEAST_A_FACE = 5
"""Fewer throws than this for each face are too few for a chi-square test."""


def draw_faces(title: str, counts: Sequence[int]) -> bytes:
    """Return the picture of a die's throws as PNG; `counts[i]` is the number of face i + 1, of two faces or more."""
    sheet = new_sheet(title)
    throws, faces = sum(counts), len(counts)
    enough = throws >= LEAST_A_FACE * faces
    throws_in_words = _n("{n} throw", "{n} throws", throws, n=whole_number(throws))
    big, small = (
        evenness(evenness_p_value(counts)) if enough else (throws_in_words, _("too few to say how evenly they fall"))
    )
    sheet.write_line(WIDTH / 2, 104, big, (60, 54, 48, 40, 32), weight="bold")
    sheet.write_sentence(166, f"{small} ({throws_in_words})" if enough else small, colour=QUIET)
    sheet.add_shape(box(LEFT, BASE + 2, RIGHT - LEFT, 2), QUIET)
    pitch = (END - START) / faces
    places = [START + pitch * (face + 0.5) for face in range(faces)]
    named = range(1, faces + 1) if faces <= MOST_NAMED else round_ticks(1, faces, MOST_NAMED)
    sheet.write_ticks(BASE + 28, [(places[face - 1], str(face)) for face in named])
    sheet.fit(sheet.write(START - 12, BASE + 28, _("face"), colour=QUIET, align="right"), START - 12 - LEFT / 2)
    if enough:
        _draw_shares(sheet, [count / throws for count in counts], fair_band(throws, faces), places, pitch)
        words = _("19 of 20 fair dice stay within the band")
        sheet.write_sentence(606, words, weight="bold")
    return sheet.png()


def _draw_shares(sheet: Sheet, shares: Sequence[float], band: float, places: Sequence[float], pitch: float) -> None:
    """Draw the band, the expected share, and a bar from there for each face."""
    expected = 1 / len(shares)
    scale = (MIDDLE - TOP) / max(1.3 * band, *(abs(share - expected) for share in shares))
    sheet.add_shape(box(START, MIDDLE + band * scale, END - START, 2 * band * scale), WIDE)
    wide = min(0.6 * pitch, WIDEST)
    for x, share in zip(places, shares, strict=True):
        off = (share - expected) * scale
        sheet.add_shape(box(x - wide / 2, MIDDLE - min(off, 0), wide, max(abs(off), EDGE)), QUIET)
    sheet.add_shape(box(START, MIDDLE + 1, END - START, 2), INK)
    decimals = min(max(ceil(-log10(100 * band)) + 1, 1), MOST_DECIMALS)
    edges = (expected + band, max(expected - band, 0)) if band * scale >= LEAST_APART else ()
    for level in (expected, *edges):
        y = MIDDLE - (level - expected) * scale
        colour = INK if level == expected else QUIET
        sheet.write(START - 12, y, in_percent(number(100 * level, decimals)), colour=colour, align="right")
    if len(shares) <= MOST_SHARES:
        for x, share in zip(places, shares, strict=True):
            sheet.write(x, BASE + 66, number(100 * share, decimals), colour=QUIET)
        sheet.write(START - 12, BASE + 66, "%", colour=QUIET, align="right")
