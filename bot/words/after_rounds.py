"""A battle round by round: after each round what is left on average, and whether it is over and won."""

from collections.abc import Awaitable, Callable, Sequence
from math import ceil
from typing import NamedTuple

from bot.charts import CURVES, Curves
from bot.languages import _, number
from bot.replies import Picture, picture_name
from bot.words.narrow import narrow
from bot.words.numbers import percent
from solver.game import GameOdds

MOST_ROWS = 12
"""The most rows: a phone shows so many at once."""
OVER = 0.9995
"""The last row is that of the round after which so many battles are over."""


class AfterRound(NamedTuple):
    """A battle after some rounds: its odds if it ends then, what is left on average, and the chance that it goes on."""

    rounds: int
    odds: GameOdds
    ours: float
    theirs: float
    going: float


def rounds_shown(expected: float) -> list[int]:
    """Return the rounds with rows of a battle that takes so many on average: all of a short one, else some."""
    step = max(ceil((1.15 * expected + 2) / MOST_ROWS), 1)
    return [step * place for place in range(1, MOST_ROWS + 1)]


def round_table(rows: Sequence[AfterRound], start: tuple[float, float]) -> tuple[str, ...]:
    """Return the table of some rounds, below what both sides have at the `start`."""
    cells: list[list[str]] = [["", _("attacker left"), _("defender left"), _("over"), _("attacker won")]]
    cells.append(["0", *(number(left) for left in start), "", ""])
    for row in rows:
        over = percent(1 - row.going, row.odds, row.going)
        won = percent(row.odds.success or 0.0, row.odds, 1 - (row.odds.success or 0.0))
        cells.append([str(row.rounds), number(row.ours), number(row.theirs), over, won])
    return narrow(cells, ">>>>>")


async def rounds_picture(
    rows: Sequence[AfterRound], title: str, line: str, draw: Callable[..., Awaitable[bytes]]
) -> Picture:
    """Return the picture, made by `draw`, of the chances that a battle is over, and won, after some rounds."""
    over, won = [1 - row.going for row in rows], [row.odds.success or 0.0 for row in rows]
    names = _("attacker has won"), _("battle is over")
    curves = Curves(title, _("rounds"), [0, *(row.rounds for row in rows)], names, [0.0, *won], [0.0, *over])
    described = _("{title}. Curves show after each round: {names}.", title=title, names=", ".join(names))
    png = await draw(CURVES, ("rounds", line), curves)
    return Picture(png, picture_name(f"rounds {line}"), described, table=False)
