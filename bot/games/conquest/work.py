"""The work of workers for conquests, its limits, and estimates of its time."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from bot.work.jobs import Chart, multiple
from solver.conquest.conquest import Conquest
from solver.conquest.fight import ConquestFight
from solver.conquest.game import UNIT, best_choice, conquest_chances
from solver.conquest.odds import armies_needed, conquer

CHART = Chart("bot.games.conquest.chart.draw_conquest", personal=False)

QUICK_TARGETS, QUICK_ARMIES = 5, 30
SLOWEST = 5.0


def odds_work(conquest: Conquest, _exact: bool, most_work: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the work for the odds of a conquest."""
    return conquer, (conquest, UNIT * most_work)


def is_quick(conquest: Conquest) -> bool:
    """Say whether the odds of a conquest are found while somebody types."""
    return len(conquest.targets) <= QUICK_TARGETS and max(armies for _name, armies in conquest.starts) <= QUICK_ARMIES


def conquest_seconds(conquest: Conquest, *_others: object) -> float:
    """Estimate the seconds for the best plan: the ways to go on double with each target."""
    armies = max(count for _name, count in conquest.starts)
    return float(min(0.005 + 2e-7 * 3.0 ** len(conquest.targets) * (20 + armies) ** 2 / 20, SLOWEST))


def _choice_seconds(fight: ConquestFight, *_others: object) -> float:
    return conquest_seconds(fight.conquest)


def _chances_seconds(fights: Sequence[ConquestFight], *_others: object) -> float:
    return conquest_seconds(fights[0].conquest)


ESTIMATES: dict[Callable[..., Any], Callable[..., float]] = {
    conquer: conquest_seconds,
    armies_needed: partial(multiple, 3, conquest_seconds, most=2 * SLOWEST),
    best_choice: _choice_seconds,
    conquest_chances: _chances_seconds,
}
