"""Estimates of the processor time, in seconds, of questions about battles with dice."""

from collections.abc import Callable
from typing import Any

from bot.games.dice.work import in_fractions, tabulate
from bot.work.costs import PICTURE
from solver.dice.advice import advice
from solver.dice.battle import Battle
from solver.dice.chain import DiceChain
from solver.dice.odds import solve
from solver.dice.sizes import ArmySide, large_need_work, need, need_for_large_army, with_armies, worth_going_on

STEP = 7e-9
"""Seconds of a step, the unit of `DiceChain.work`; on a slow day."""


def solve_seconds(chain: DiceChain) -> float:
    """Estimate the seconds for the odds of a battle."""
    return STEP * chain.work


def grid_seconds(battle: Battle, *_others: object) -> float:
    """Estimate the seconds for the chances of a battle from every number of armies."""
    return STEP * battle.chain().grid_work


def need_seconds(battle: Battle, side: ArmySide, _goal: float, most: int, shown: int) -> float:
    """Estimate the seconds to find from a table how many armies are needed."""
    theirs = battle.defenders if side == "attackers" else battle.attackers
    return grid_seconds(with_armies(battle, side, min(max(4 * theirs, shown, 8), most)))


def tries_seconds(battle: Battle, side: ArmySide, *_others: object) -> float:
    """Estimate the seconds to find how many armies are needed by trying each number."""
    return STEP * large_need_work(battle, side)


def _table_seconds(battle: Battle, *_others: object) -> float:
    return PICTURE / 2 + grid_seconds(battle)


def _advice_seconds(battle: Battle) -> float:
    return 4 * grid_seconds(battle)


def _fraction_seconds(battle: Battle) -> float:
    return 10 * grid_seconds(battle)


ESTIMATES: dict[Callable[..., Any], Callable[..., float]] = {
    solve: solve_seconds,
    need: need_seconds,
    need_for_large_army: tries_seconds,
    tabulate: _table_seconds,
    worth_going_on: grid_seconds,
    advice: _advice_seconds,
    in_fractions: _fraction_seconds,
}
