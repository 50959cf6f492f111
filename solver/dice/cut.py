"""Battles with dice that are cut short, as JSON documents: after each round, and with each plan to stop."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from solver.dice.battle import Battle
from solver.dice.odds import Odds, solve
from solver.documents import clamp_chance
from solver.errors import BattleError

MOST_ROWS = 100
"""The most rounds, or plans, that are listed; of more, only the first."""
OVER = 1e-9
"""No more rounds are listed once no more than this share of all battles goes on."""


def rounds_to_dict(battle: Battle) -> dict[str, Any]:
    """Return what is left after each round, and the chances that the battle is over and won by then.

    Args:
        battle: The battle.

    Raises:
        BattleError: Cut short, it has other plans or odds.
    """
    if battle.value is not None or battle.late or battle.reshape:
        raise BattleError("question", "a battle with `value`, `late` or `reshape` is not asked about by rounds")
    return {"rounds": [[number, *row] for number, row in enumerate(_by_rounds(battle), start=1)]}


def _by_rounds(battle: Battle) -> Iterator[list[float]]:
    most = MOST_ROWS if battle.rounds is None else min(battle.rounds, MOST_ROWS)
    for rounds in range(1, most + 1):
        odds = solve(replace(battle, rounds=rounds))
        going = odds.unresolved + odds.never
        yield [*_left(odds), clamp_chance(1 - going), clamp_chance(odds.attacker_wins)]
        if going <= OVER:
            return


def stops_to_dict(battle: Battle) -> dict[str, Any]:
    """Return what is left, and the chance to win, if the attacker stops with 0, 1, 2, ... armies.

    Args:
        battle: The battle; its own `stop` and `value` do not count.
    """
    plain = replace(battle, value=None)
    odds = (solve(replace(plain, stop=stop)) for stop in range(min(max(battle.attackers, 1), MOST_ROWS)))
    return {"stops": [[stop, *_left(of), clamp_chance(of.attacker_wins)] for stop, of in enumerate(odds)]}


def _left(odds: Odds) -> tuple[float, float]:
    return odds.attackers_left, odds.defenders_left
