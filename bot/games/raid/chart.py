"""The picture of a bombing raid: the chances to gain and to lose, twenty such raids as squares, and all gains.

The gains are bars on one axis, like the TUV swings of a battle: raids that pay are solid, raids that do not are hollow.
"""

from collections.abc import Iterator, Sequence

from bot.charts.scale import round_steps
from bot.charts.sheet import the_sheet
from bot.charts.style import QUIET, SMALL, WIDTH
from bot.games.axis.chart import HUNDREDTHS, Names, draw_bars, draw_head, name_axis, swing_bars
from bot.languages import _, _p

LEAST_PEAKS = 0.25
"""The law has peaks a bomber's price apart if these hold at least this chance together."""

Profits = Sequence[tuple[int, float]]
"""Each possible gain of a raid in money, the least first, and its chance."""


def draw_raid(
    titles: Sequence[str],
    subtitles: Sequence[str],
    numbers: Names,
    twenty: tuple[int, int, int],
    caption: str,
    profits: Profits,
    price: int,
    footers: Sequence[str],
) -> bytes:
    """Return the picture of the odds of a bombing raid as PNG.

    `numbers` are in words the chances that the raid pays, that it does not, and that it breaks even (empty if
    impossible); `twenty` holds how many of twenty raids do so, in this order. `price` is that of one bomber. Of the
    titles, the subtitles and the footers, the picture has the first that fits.
    """
    sheet = the_sheet()
    sheet.clear()
    names = _("worth it"), _("not worth it"), _p("neither gain nor loss", "even")
    swings = _swings(profits)
    draw_head(sheet, titles, subtitles, names, numbers, twenty, swings)
    sheet.write_line(WIDTH / 2, 266, caption, (SMALL,), QUIET)
    bars, step, shared = swing_bars(swings, _steps(profits, price))
    draw_bars(sheet, bars, step, shared, sure=len(profits) == 1)
    name_axis(sheet, _("IPC gained by the raid"), f"{step // HUNDREDTHS} IPC" if shared else "")
    sheet.write_first_fitting(WIDTH / 2, 610, footers, (30, SMALL), weight="bold")
    return sheet.png()


def _swings(profits: Profits) -> list[tuple[float, float, float, float]]:
    """Return each profit with the chances that the raid pays with it, that it does not, and that it breaks even."""
    return [(money, chance * (money > 0), chance * (money < 0), chance * (money == 0)) for money, chance in profits]


def _steps(profits: Profits, price: int) -> Iterator[int]:
    """Yield the possible widths of a bar in hundredths of money, the least first.

    If the damage is nearly certain, profits peak a bomber's price apart, and each bar must hold as many peaks as any
    other. Without peaks, a few bars may share one price.
    """
    yield HUNDREDTHS
    peaks = [sum(chance for profit, chance in profits if profit % price == rest) for rest in range(price)]
    if max(peaks) < LEAST_PEAKS:
        yield from (HUNDREDTHS * step for step in range(2, price) if price % step == 0)
    yield from (HUNDREDTHS * price * times for times in round_steps())
