"""The work of workers for paths, its limits, and estimates of its processor time."""

from collections.abc import Callable
from functools import partial
from typing import Any

from bot.errors import UserError
from bot.games.dice.work import PREVIEW_WORK, Limits, explain_fraction, grid_seconds
from bot.languages import _
from bot.work.engine import Engine
from bot.work.jobs import Chart, multiple
from solver.documents import quotient
from solver.game import Question
from solver.path.path import Path, march, takes_all

CHART = Chart("bot.games.path.chart.draw_path", personal=False)


def odds_work(path: Path, _exact: bool, _most_work: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the work for the odds of a path."""
    return march, (path,)


def is_quick(path: Path) -> bool:
    """Say whether the odds of a path are found while somebody types."""
    return sum(leg.chain().work for leg in path.legs) <= PREVIEW_WORK


async def find_fraction(engine: Engine, path: Path) -> str:
    """Return the chance to take all territories as "p/q"; UserError if it cannot be had."""
    return await explain_fraction(engine, in_fractions, path, check_march)


def in_fractions(path: Path) -> str:
    """Return the chance to take all territories as "p/q"; BattleError says why it cannot be had."""
    return quotient(takes_all(path))


def check_march(path: Path, most_work: int) -> None:
    """Raise UserError if a path is too large."""
    for leg in path.legs:
        Limits(most_work).check_size(leg, grid=True)
    if sum(leg.chain().grid_work for leg in path.legs) > most_work:
        raise UserError(_("This path is too large for me. Try a part of it."))


def march_seconds(path: Path, *_others: object) -> float:
    """Estimate the seconds for the odds of a path."""
    return sum(map(grid_seconds, path.legs))


ESTIMATES: dict[Callable[..., Any], Callable[..., float]] = {
    march: march_seconds,
    in_fractions: partial(multiple, 10, march_seconds),
}


async def answer_odds(question: Question, engine: Engine) -> dict[str, Any]:
    """Answer how a path ends, if it is not too large."""
    check_march(question.battle, engine.most_work)
    return await engine.answer(question)
