"""The work of workers for chosen casualties, and how to ask the engine for it."""

from collections.abc import Callable
from math import prod
from typing import Any

from bot.games.axis.costs import MOST
from bot.work.engine import Engine
from solver.axis.battle import AxisBattle
from solver.casualties.battle import ChosenBattle
from solver.casualties.limits import ChoiceGains, choices_within, chosen_odds_within

PREVIEW_UNITS = 6


def odds_work(battle: ChosenBattle, exact: bool, most_work: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the work for the odds of a battle; they are exact unless it is too large to choose in."""
    del exact
    return chosen_odds_within, (battle, most_work)


def is_quick(battle: ChosenBattle) -> bool:
    """Say whether the odds of a battle are found while somebody types."""
    sides = battle.attacker, battle.defender
    return all(sum(count for _name, count in side.units) <= PREVIEW_UNITS for side in sides)


async def find_choices(engine: Engine, battle: AxisBattle) -> ChoiceGains | None:
    """Find what choosing casualties brings each side; None if that takes too long."""
    found: ChoiceGains | None = await engine.compute_or_explain(choices_within, battle, engine.most_work)
    return found


def choice_seconds(battle: AxisBattle, *_others: object) -> float:
    """Estimate the seconds for chosen casualties, from the number of pairs of forces."""
    sides = battle.attacker, battle.defender
    cells = prod(prod(count + 1 for _name, count in side.units) for side in sides)
    return min(0.02 + 1e-5 * cells, MOST)


ESTIMATES: dict[Callable[..., Any], Callable[..., float]] = {
    chosen_odds_within: choice_seconds,
    choices_within: choice_seconds,
}
