"""Answers about chosen casualties within a limit of work. Battles that are too large follow the best orders of loss."""

from contextlib import nullcontext
from dataclasses import replace
from typing import Any, NamedTuple

from solver.axis.battle import AxisBattle
from solver.axis.best.order_names import movable_units, with_orders
from solver.axis.best.orders import best_orders
from solver.axis.casualties.advice import Casualties, casualties_to_dict, find_casualties
from solver.axis.casualties.forward import odds_of_game
from solver.axis.casualties.solve import choice_seconds, solve_casualties
from solver.axis.endings import endings_to_dict
from solver.axis.limits import TIMES, battle_odds_within, too_large_waves, waves_within
from solver.axis.odds import AxisOdds
from solver.axis.questions import loss_orders_to_dict
from solver.axis.sides import Aim
from solver.axis.solve import DROPPED, MOST_SECONDS, solve_axis
from solver.axis.units import ROLES
from solver.axis.waves.choices import find_wave_casualties
from solver.axis.waves.odds import WavesOdds
from solver.axis.waves.steps import waves_seconds, waves_worth
from solver.axis.waves.waves import Waves
from solver.documents import clamp_chance
from solver.errors import BattleError, TooLargeError, explain_too_large
from solver.progress import Meter, takes

MOST_WORK = 5e9
"""The most work to find the best casualties, in the unit of `Meter`, if nobody says how much."""


class SideChoices(NamedTuple):
    """The gain of a side by choosing, while the other follows its order of loss.

    Attributes:
        takes: For the chance.
        profit: For the TUV swing.
    """

    takes: Casualties
    profit: Casualties


class ChoiceGains(NamedTuple):
    """The gain of each side by choosing; None for a side that can lose one kind of unit only."""

    attacker: SideChoices | None
    defender: SideChoices | None


def _gains_seconds(battle: AxisBattle, _limit: int) -> float:
    return min(choice_seconds(battle, (True, False)) + choice_seconds(battle, (False, True)), MOST_SECONDS)


@takes(waves_seconds)
def chosen_odds_within(battle: Waves, dropped: float, limit: int) -> AxisOdds | WavesOdds:
    """Return the odds of a battle with chosen casualties, of a large one with the best orders of loss: see `Meter`.

    Each of the two may take `TIMES` the limit of work. TooLargeError if the battle lasts too long even to be
    simulated, or takes too much work to find the best orders, or to solve several waves with them.
    """
    try:
        return chosen_odds(battle, dropped, limit)
    except TooLargeError:
        return ordered_odds(battle, dropped, limit)


def chosen_odds(battle: Waves, dropped: float, limit: int) -> AxisOdds | WavesOdds:
    """Return the odds of a battle with chosen casualties; TooLargeError if that is too much work: see `Meter`."""
    if battle.only:
        return odds_of_game(solve_casualties(battle.only, TIMES * limit))
    return waves_within(battle, dropped, limit)


def ordered_odds(battle: Waves, dropped: float, limit: int) -> AxisOdds | WavesOdds:
    """Return the odds of a battle in which those who choose follow their best orders of loss instead: see `Meter`.

    TooLargeError is raised as by `chosen_odds_within`.
    """
    with nullcontext() if battle.only else explain_too_large(too_large_waves(battle)):
        ordered = _with_best_orders(battle, limit)
        return replace(battle_odds_within(ordered, dropped, limit), ordered=ordered)


def worth_of_odds(odds: AxisOdds | WavesOdds, aim: Aim) -> float:
    """Return what a battle with these odds is worth to the first attacker's side.

    Args:
        odds: The odds.
        aim: "takes" or "profit".
    """
    if aim == "takes":
        return clamp_chance(odds.success)
    if isinstance(odds, AxisOdds):
        return odds.defender_loss - odds.attacker_loss
    if odds.joint:  # what a deadzone costs depends on whether a later wave attacks the captor
        return float(odds.joint.profits @ odds.joint.chances)
    return sum((1 - 2 * side) * wave.profit for side, wave in zip(odds.sides, odds.waves, strict=True))


@takes(_gains_seconds)
def choices_within(battle: AxisBattle, limit: int) -> ChoiceGains | None:
    """Return what choosing casualties brings each side; None if that takes more than `TIMES` the limit, see `Meter`."""
    sides = [len(movable_units(battle, role)) > 1 for role in ROLES]
    each = TIMES * limit / max(2 * sum(sides), 1)
    aims: tuple[Aim, Aim] = ("takes", "profit")
    gains: list[SideChoices | None] = []
    for place, has_choice in enumerate(sides):
        chosen = [replace(battle, chooses=(place == 0, place == 1), aim=aim) for aim in aims] if has_choice else []
        try:
            answers = [find_casualties(wave, each) for wave in chosen]
        except TooLargeError:
            return None
        gains.append(SideChoices(*answers) if answers else None)
    return ChoiceGains(*gains)


def _with_best_orders(battle: Waves, limit: int) -> Waves:
    """The battle in which those who choose follow their best orders of loss instead, where they choose."""
    plain = battle.free.in_order
    try:
        orders = best_orders(plain, TIMES * limit, [wave.chooses for wave in battle.battles])
    except TooLargeError:
        raise
    except BattleError:
        return plain  # there is one order only
    for number, side in enumerate(orders):
        if side:
            best = side.chance if battle.aim == "takes" else side.profit
            plain = with_orders(plain, number, best.order.names)
    return plain


def answer_casualties(waves: Waves, limit: float = MOST_WORK, every: bool = False) -> dict[str, Any]:
    """Return the best casualties as a JSON document; for a battle that is too large the best orders of loss.

    TooLargeError if the best orders take more work, too: see `QuestionKind.find_within`. `every` adds all endings.
    """
    battle = waves.only
    try:
        if battle:
            best = find_casualties(battle, limit)
            usual = worth_of_odds(solve_axis(battle, 0.0), battle.aim)
        else:
            best, worth = find_wave_casualties(waves, limit), waves_worth(waves.in_order, Meter(limit))
            usual = worth.holds if waves.aim == "takes" else worth.profit
        endings = endings_to_dict(chosen_odds(waves, DROPPED, int(limit))) if every else {}
    except TooLargeError:
        return _answer_in_order(waves, int(limit), every)
    return casualties_to_dict(best, usual, waves.aim) | endings


def _answer_in_order(waves: Waves, limit: int, every: bool) -> dict[str, Any]:
    """The worth of a battle in which those who choose follow their best orders of loss, and these orders."""
    best, usual = ordered_odds(waves, DROPPED, limit), battle_odds_within(waves.in_order, DROPPED, limit)
    assert best.ordered, "these are odds with orders"
    orders = [loss_orders_to_dict(battle) for battle in best.ordered.battles]
    return {
        "value": worth_of_odds(best, waves.aim),
        "value_of_orders": worth_of_odds(usual, waves.aim),
        "exact": False,
        "loss_orders": orders[0] if waves.only else orders,
        "now": [],
        "error": max(best.error, usual.error),
    } | (endings_to_dict(best) if every else {})
