"""The work of workers for chosen casualties, and how to ask the engine for it."""

from collections.abc import Callable
from math import prod
from typing import Any

from bot.games.axis.work import MOST, count_forces
from solver.axis.battle import AxisBattle
from solver.casualties.battle import Chooses, ChosenBattle
from solver.casualties.limits import choices_within, chosen_odds_within

PREVIEW_UNITS = 6


def odds_work(battle: ChosenBattle, exact: bool, most_work: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the work for the odds of a battle; they are exact unless it is too large to choose in."""
    del exact
    return chosen_odds_within, (battle, most_work)


def is_quick(battle: ChosenBattle) -> bool:
    """Say whether the odds of a battle are found while somebody types."""
    sides = battle.attacker, battle.defender
    return all(sum(count for _name, count in side.units) <= PREVIEW_UNITS for side in sides)


def choice_seconds(battle: AxisBattle, chooses: Chooses) -> float:
    """Estimate the seconds for chosen casualties, from the number of pairs of forces."""
    land = battle.theatre == "land"
    cells: int = prod(
        prod(count + 1 for _name, count in side.units) if free else count_forces(side, land, battle)
        for side, free in zip((battle.attacker, battle.defender), chooses, strict=True)
    )
    return min((0.004 if land else 0.007) * float(cells**0.47), MOST)


def _odds_seconds(battle: ChosenBattle, *_others: object) -> float:
    return choice_seconds(battle, battle.chooses)


def _gains_seconds(battle: AxisBattle, *_others: object) -> float:
    each: list[Chooses] = [(True, False), (False, True)]
    return min(sum(choice_seconds(battle, chooses) for chooses in each), MOST)


ESTIMATES: dict[Callable[..., Any], Callable[..., float]] = {
    chosen_odds_within: _odds_seconds,
    choices_within: _gains_seconds,
}
