"""Answers about chosen casualties within a limit of work. Battles that are too large follow the best orders of loss."""

from dataclasses import replace
from typing import NamedTuple

from solver.axis.battle import AxisBattle
from solver.axis.best.order_names import movable_units, with_order
from solver.axis.best.orders import best_orders
from solver.axis.casualties.advice import Casualties, find_casualties
from solver.axis.casualties.forward import odds_of_game
from solver.axis.casualties.solve import choice_seconds, solve_casualties
from solver.axis.limits import TIMES, odds_within
from solver.axis.odds import AxisOdds
from solver.axis.sides import Aim, Chooses
from solver.axis.solve import DROPPED, MOST_SECONDS
from solver.axis.units import ROLES
from solver.errors import BattleError, TooLargeError
from solver.progress import takes


class SideChoices(NamedTuple):
    """What choosing brings a side, while the other follows its order of loss.

    Attributes:
        takes: For the chance.
        profit: For the TUV swing.
    """

    takes: Casualties
    profit: Casualties


class ChoiceGains(NamedTuple):
    """What choosing brings each side; None for a side that can lose one kind of unit only."""

    attacker: SideChoices | None
    defender: SideChoices | None


def _gains_seconds(battle: AxisBattle, _limit: int) -> float:
    return min(choice_seconds(battle, (True, False)) + choice_seconds(battle, (False, True)), MOST_SECONDS)


@takes(lambda battle, _limit: choice_seconds(battle, battle.chooses))
def chosen_odds_within(battle: AxisBattle, limit: int) -> AxisOdds:
    """Return the odds of a battle with chosen casualties, of a large one with the best orders of loss: see `Meter`.

    Up to `TIMES` the limit of work is done for each of both ways. TooLargeError if the battle lasts too long even to be
    simulated, or takes too much work to find the best orders.
    """
    try:
        return odds_of_game(solve_casualties(battle, TIMES * limit))
    except TooLargeError:
        return ordered_odds(battle, limit)


def ordered_odds(battle: AxisBattle, limit: int) -> AxisOdds:
    """Return the odds of a battle in which those who choose follow their best order of loss instead: see `Meter`.

    TooLargeError is raised as by `chosen_odds_within`.
    """
    ordered = _with_best_orders(battle, limit)
    return replace(odds_within(ordered, DROPPED, limit), ordered=ordered)


@takes(_gains_seconds)
def choices_within(battle: AxisBattle, limit: int) -> ChoiceGains | None:
    """Return what choosing casualties brings each side; None if that takes more than `TIMES` the limit, see `Meter`."""
    sides = [len(movable_units(battle, role)) > 1 for role in ROLES]
    each = TIMES * limit / max(2 * sum(sides), 1)
    aims: tuple[Aim, Aim] = ("takes", "profit")
    gains: list[SideChoices | None] = []
    for place, has_choice in enumerate(sides):
        chooses: Chooses = (place == 0, place == 1)
        try:
            answers = [find_casualties(battle, chooses, aim, each) for aim in aims] if has_choice else []
        except TooLargeError:
            return None
        gains.append(SideChoices(*answers) if answers else None)
    return ChoiceGains(*gains)


def _with_best_orders(battle: AxisBattle, limit: int) -> AxisBattle:
    """The battle in which those who choose follow their best order of loss instead."""
    plain = battle.free.in_order
    try:
        orders = best_orders(plain, TIMES * limit)
    except TooLargeError:
        raise
    except BattleError:
        return plain  # there is one order only
    for role, side, chooses in zip(ROLES, orders, battle.chooses, strict=True):
        if chooses and side:
            best = side.chance if battle.aim == "takes" else side.profit
            plain = with_order(plain, role, *best.order.names)
    return plain
