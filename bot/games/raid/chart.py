"""The picture of a bombing raid: the chances to gain and to lose, twenty such raids as squares, and all gains.

The gains are bars on one axis, like the TUV swings of a battle: raids that pay are solid, raids that do not are hollow.
"""

from collections.abc import Iterator

from bot.charts.scale import round_steps
from bot.games.axis.chart import HUNDREDTHS, draw_swings
from bot.games.axis.swing import DrawnSwings, Swings
from bot.languages import _

LEAST_PEAKS = 0.25
"""The law has peaks a bomber's price apart if these hold at least this chance together."""


def draw_raid(drawn: DrawnSwings, price: int) -> bytes:
    """Return the picture of the odds of a bombing raid as PNG; `price` is that of one bomber."""
    return draw_swings(drawn, _("IPC gained by the raid"), "IPC", _steps(drawn.swings, price))


def _steps(swings: Swings, price: int) -> Iterator[int]:
    """Yield the possible widths of a bar in hundredths of money, the least first.

    If the damage is nearly certain, profits peak a bomber's price apart, and each bar must hold as many peaks as any
    other. Without peaks, a few bars may share one price.
    """
    yield HUNDREDTHS
    peaks = [sum(sum(chances) for profit, *chances in swings if profit % price == rest) for rest in range(price)]
    if max(peaks) < LEAST_PEAKS:
        yield from (HUNDREDTHS * step for step in range(2, price) if price % step == 0)
    yield from (HUNDREDTHS * price * times for times in round_steps())
