"""Best play of live turns on a map: what a stage is worth, the best choice, and the chances of all throws.

The worths of a turn's states stay in memory for the next press.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import inf
from typing import Any, NamedTuple, TypeVar

from solver.conquest.board import Board, too_large
from solver.conquest.conquest import Conquest
from solver.conquest.fight import board_of
from solver.conquest.live_turn import LiveTurn
from solver.conquest.odds import conquest_seconds, plan_by_shares, worths_within
from solver.conquest.phase import MapThrow, Worths, best_move, best_throw, conquest_at, worth_of_throw
from solver.conquest.planned import UNIT, chance_of_end, share_reached
from solver.conquest.turn import choose_fight
from solver.errors import TooLargeError
from solver.progress import takes

SMALLER = 0.95
"""The share of the armies of a turn that was too large with which it is tried again."""
MOST_PLANNED = 16
"""The most targets of a turn that begins without best play."""
PLAN_SHARE = 0.1
"""The share of the most work that a plan may be: in such a turn many are made."""
Found = TypeVar("Found")


class ThrowChance(NamedTuple):
    """A throw that is possible.

    Attributes:
        throw: The throw, of places of the board.
        chance: The chance after it with best play: see `turn_chances`.
    """

    throw: MapThrow
    chance: float


def turn_chances(stages: Sequence[LiveTurn], limit: float) -> list[float | None]:
    """Return what best play reaches from each stage: see `Game`.

    Where a throw was chosen, that is best play after this throw. The chance is None before the turn is small enough.

    Args:
        stages: The stages of one turn, the earliest first.
        limit: The most work, in the unit of `DiceChain.work`.
    """
    chances: list[float | None] = []
    is_small = True
    for stage in reversed(stages):  # the last ones are the smallest
        chance = None
        if stage.ended:
            chance = chance_of_end(stage)
        elif is_small:
            try:
                chance = _within(stage, limit, _chance)
            except TooLargeError:
                is_small = False
        chances.append(chance)
    return chances[::-1]


def best_turn_choice(fight: LiveTurn, wish: int | MapThrow | None, limit: float) -> dict[str, Any]:
    """Return the best choice of a turn, due or not, or that which somebody wishes: see `Choices`.

    Before the turn is small enough, it is the choice of a good plan: see `plan_by_shares`.

    Args:
        fight: The turn, which is not over.
        wish: A throw, or the number that moves in; None for the best.
        limit: The most work, in the unit of `DiceChain.work`.

    Raises:
        TooLargeError: There are too many targets for a plan.
    """
    if isinstance(wish, int):
        return {"move": wish}
    if len(fight.moves) == 1:
        return {"move": fight.moves[0]}
    try:
        if fight.moves:
            return {"move": _within(fight, limit, _best_number)}
        throw = wish or _within(fight, limit, _best_throw)
    except TooLargeError:
        return _planned_choice(fight, limit)
    names = fight.board.names
    return {"attack": {"from": names[throw.place], "to": names[throw.target]}} if throw else {"stop": True}


def is_outdated(fight: LiveTurn, limit: float) -> bool:
    """Tell whether another throw is better than the next one: see `Choices`.

    Args:
        fight: The turn.
        limit: The most work, in the unit of `DiceChain.work`.
    """
    try:
        return fight.decision is None and not fight.ended and _within(fight, limit, _best_throw) != fight.attack
    except TooLargeError:
        return False


@takes(lambda fight, *_limit: conquest_seconds(fight.conquest))
def throw_chances(fight: LiveTurn, limit: float = inf) -> list[ThrowChance]:
    """Return all throws that are possible, the best first.

    Args:
        fight: The turn.
        limit: The most work, in the unit of `DiceChain.work`.

    Raises:
        TooLargeError: It is more work.
    """

    def chance(worths: Worths, stage: LiveTurn) -> list[ThrowChance]:
        reached = [worth_of_throw(worths, stage.state, throw) for throw in stage.throws]
        return [
            ThrowChance(throw, share_reached(stage, worth)) for throw, worth in zip(stage.throws, reached, strict=True)
        ]

    return sorted(_within(fight, limit, chance), key=lambda each: -each.chance)


class _Table:
    """The worths of the states of a turn, as far as they are worked out."""

    def __init__(self, conquest: Conquest, most_work: float) -> None:
        self._board, self._most_work = board_of(conquest), most_work
        self._worths: Worths | None = None
        self._too_large: float = inf

    def find(self, fight: LiveTurn, function: Callable[[Worths, LiveTurn], Found]) -> Found:
        """Return what a function finds at a stage; TooLargeError if it is more work."""
        units = sum(fight.state.free) + sum(fight.state.garrisons)
        if units > self._too_large * SMALLER:
            raise too_large()
        try:
            self._worths = self._worths or worths_within(self._board, self._most_work)
            return function(self._worths, fight)
        except TooLargeError:
            self._worths, self._too_large = None, units  # a table that is full cannot go on
            raise


@lru_cache(maxsize=2)
def _table(conquest: Conquest, most_work: float) -> _Table:
    """Return the worths of the states of a turn, which stay in memory."""
    return _Table(conquest, most_work)


def _within(fight: LiveTurn, limit: float, function: Callable[[Worths, LiveTurn], Found]) -> Found:
    """Return what a function finds with the worths of a turn; TooLargeError if it is more work."""
    return _table(fight.conquest, UNIT * limit).find(fight, function)


def has_plans(conquest: Conquest) -> bool:
    """Tell whether a live turn may begin that is too large for best play.

    Args:
        conquest: The turn.
    """
    return len(conquest.targets) <= MOST_PLANNED and not conquest.rules.late


def _planned_choice(fight: LiveTurn, limit: float) -> dict[str, Any]:
    """Return the choice by a good plan for what is left of a turn; TooLargeError if it has too many targets."""
    if not has_plans(fight.conquest):
        raise too_large()
    left, names = conquest_at(fight.board, fight.state), fight.board.names
    bound = 1.0 if left.aim == "all" else float(sum(target.worth for target in left.targets))
    plan = plan_by_shares(Board(left), bound, UNIT * limit * PLAN_SHARE).fights
    if not fight.moves:
        return {"attack": {"from": plan[0].origin, "to": plan[0].to}} if plan else {"stop": True}
    assert fight.attack, "a territory has just been captured"
    attack = [names[place] for place in fight.attack]
    moving = next((step.moving for step in plan if [step.origin, step.to] == attack), fight.moves[-1])
    return {"move": moving if moving in fight.moves else fight.moves[-1]}


def _chance(worths: Worths, stage: LiveTurn) -> float:
    """Return the chance at a stage that is not the end."""
    if stage.decision == "move" and stage.attack:
        return share_reached(stage, worths.worth(best_move(worths, stage.state, stage.attack)))
    if stage.attack is None or stage.decision or not stage.chosen:
        return share_reached(stage, worths.worth(stage.state))
    return share_reached(stage, worth_of_throw(worths, stage.state, stage.attack))


def _best_throw(worths: Worths, stage: LiveTurn) -> MapThrow | None:
    """Return the best throw; of equal ones the next one, or else that with which the plan of the odds begins."""
    if stage.decision is None:
        return best_throw(worths, stage.state, stage.attack)
    plan = choose_fight(worths, stage.state)
    return best_throw(worths, stage.state, plan.throw if plan else None)


def _best_number(worths: Worths, stage: LiveTurn) -> int:
    """Return the best number that moves in."""
    assert stage.attack, "a territory has just been captured"
    place = stage.attack.place
    return stage.state.free[place] - best_move(worths, stage.state, stage.attack).free[place]
