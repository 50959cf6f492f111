"""A bombing raid as a picture: whether it pays, what twenty such raids look like, and what it gains.

What raids gain stands on one axis, as the TUV swing of a battle does: those that pay solid, those that do not hollow.
"""

from collections.abc import Iterator, Sequence

from bot.charts.axis import HUNDREDTHS, Names, draw_bars, draw_head, name_axis, swing_bars
from bot.charts.style import QUIET, SMALL, WIDTH, round_steps, the_sheet
from bot.languages import _, _p

LEAST_PEAKS = 0.25
"""Where so much of the chance lies a bomber's price apart, that is the shape of the law."""

Profits = Sequence[tuple[int, float]]
"""Money that a raid gains, the least first, and the chance of it."""


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

    The `numbers` are in words the chances that the raid pays, that it does not, and that it breaks even, empty where it
    cannot; in this order is how many of `twenty` raids each is. The `price` is that of one bomber. The first title,
    subtitle and footer that fit are shown.
    """
    sheet = the_sheet()
    sheet.clear()
    names = _("worth it"), _("not worth it"), _p("neither gain nor loss", "even")
    draw_head(sheet, titles, subtitles, names, numbers, twenty)
    sheet.fitted(WIDTH / 2, 266, caption, (SMALL,), QUIET)
    bars, step, shared = swing_bars(_swings(profits), _steps(profits, price))
    draw_bars(sheet, bars, step, shared, sure=len(profits) == 1)
    name_axis(sheet, _("IPC gained by the raid"), f"{step // HUNDREDTHS} IPC" if shared else "")
    sheet.first_fitting(WIDTH / 2, 610, footers, (30, SMALL), weight="bold")
    return sheet.png()


def _swings(profits: Profits) -> list[tuple[float, float, float, float]]:
    """Return the law of the profit with the chances that the raid pays, that it does not, and that it breaks even."""
    return [(money, chance * (money > 0), chance * (money < 0), chance * (money == 0)) for money, chance in profits]


def _steps(profits: Profits, price: int) -> Iterator[int]:
    """Yield how much money there may be to a bar, in hundredths, the least first.

    Profits peak a bomber's price apart where the damage is as good as certain, so every bar has to hold as many peaks
    as any other; without peaks, a few bars may share one price.
    """
    yield HUNDREDTHS
    peaks = [sum(chance for profit, chance in profits if profit % price == rest) for rest in range(price)]
    if max(peaks) < LEAST_PEAKS:
        yield from (HUNDREDTHS * step for step in range(2, price) if price % step == 0)
    yield from (HUNDREDTHS * price * times for times in round_steps())
