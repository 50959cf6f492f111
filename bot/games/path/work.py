"""The work of workers for paths, and how to ask the engine for it."""

from collections.abc import Callable
from typing import Any

from bot.errors import UserError
from bot.games.dice.work import PREVIEW_WORK, explain_fraction
from bot.games.path.limits import check_march
from bot.languages import _
from bot.work.engine import Engine
from bot.work.jobs import Chart
from solver.documents import quotient
from solver.path.exact import takes_all
from solver.path.path import Path, march

CHART = Chart("bot.games.path.chart.draw_path", personal=False)


def odds_work(path: Path, _exact: bool, _most_work: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the work for the odds of a path."""
    return march, (path,)


def is_quick(path: Path) -> bool:
    """Say whether the odds of a path are found while somebody types."""
    return sum(leg.chain().work for leg in path.legs) <= PREVIEW_WORK


async def find_fraction(engine: Engine, path: Path) -> str:
    """Return the chance to take all territories as "p/q"; UserError if it cannot be had."""
    try:
        check_march(path, engine.most_work)
    except UserError:
        raise UserError(_("Too large to show as a fraction.")) from None
    return await explain_fraction(engine, in_fractions, path)


def in_fractions(path: Path) -> str:
    """Return the chance to take all territories as "p/q"; BattleError says why it cannot be had."""
    return quotient(takes_all(path))
