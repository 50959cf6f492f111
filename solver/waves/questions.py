"""What JSON documents may ask about Axis & Allies: reads battles of one wave and of several."""

from collections.abc import Mapping
from functools import partial
from math import inf
from typing import Any

from solver.axis.best.armies import ArmyGoal
from solver.axis.questions import (
    MOST_STEPS,
    armies_to_dict,
    ask_army,
    ask_odds,
    ask_order,
    ask_units,
    loss_orders_to_dict,
    read_goal,
)
from solver.axis.sides import SIDES
from solver.axis.solve import DROPPED
from solver.axis.units import Rules
from solver.casualties.questions import ask_casualties, read_choosers
from solver.documents import clamp_chance, read_part
from solver.errors import BattleError, quoted
from solver.game import Question
from solver.waves.armies import best_wave_armies
from solver.waves.odds import WavesOdds, solve_waves
from solver.waves.orders import best_wave_orders, wave_orders_to_dict
from solver.waves.sensitivity import WaveChange, wave_sensitivity
from solver.waves.waves import Waves, battle_from_dict


def read_axis_question(document: dict[str, Any], kind: Any, rules: Mapping[str, Rules]) -> Question | None:
    """Read a question about a battle of Axis & Allies: see `Game`.

    "odds": how it ends. "units": which unit matters. "order": which casualty order is best. "army": what to bring.
    "casualties": what the best casualties bring, round by round.
    """
    game = document.get("game")
    if not isinstance(game, str) or game not in rules or kind in ("place", "bombing"):
        return None
    kinds = ("odds", "units", "order", "army", "casualties", "place", "bombing")
    if kind not in kinds:
        raise BattleError(
            "question",
            "for this game the question must be one of {known}, not {value}",
            known=", ".join(kinds),
            value=quoted(kind),
        )
    if kind == "army":
        return _read_army_question(document, rules[game])
    dropped = DROPPED
    if "exact" in document:
        exact = document.pop("exact")
        if type(exact) is not bool:
            raise BattleError("exact", "this must be true or false, not {value}", value=quoted(exact))
        dropped = 0.0 if exact else DROPPED
    choices = read_choosers(document) if kind == "casualties" else None
    battle = battle_from_dict(document, rules[game], ("aim", "chooses") if choices else ())
    if isinstance(battle, Waves):
        if choices:
            raise BattleError("waves", "this question works for a battle of one wave")
        if kind == "odds":
            return Question("odds", battle, (dropped,), partial(_find_odds, battle, dropped))
        return Question(kind, battle, (), partial({"units": _find_changes, "order": _find_orders}[kind], battle))
    if choices:
        return ask_casualties(battle, *choices)
    if kind == "units":
        return ask_units(battle)
    return ask_order(battle) if kind == "order" else ask_odds(battle, dropped)


def _read_army_question(document: dict[str, Any], rules: Rules) -> Question:
    """Read the question for the best army to bring."""
    asked = document.pop("recommend", {})
    whole = battle_from_dict(document, rules)
    if not isinstance(whole, Waves):
        return ask_army(whole, read_part("recommend", partial(read_goal, asked)))
    goal = read_part("recommend", partial(read_goal, asked, usual="target_wins"))
    if goal.of == "survives":
        raise BattleError("recommend.goal", "with several waves this must be target_wins or max_profit")
    return Question("army", whole, (goal,), partial(_find_army, whole, goal))


def waves_odds_to_dict(waves: Waves, odds: WavesOdds) -> dict[str, Any]:
    """Return the odds of several waves as a JSON document, with the casualty orders of each wave.

    Args:
        waves: The waves.
        odds: Their odds.
    """
    answer = odds.to_dict()
    for wave, battle in zip(answer["waves"], waves.battles, strict=True):
        wave["loss_orders"] = loss_orders_to_dict(battle)
    return answer


def _find_odds(waves: Waves, dropped: float) -> dict[str, Any]:
    return waves_odds_to_dict(waves, solve_waves(waves, dropped))


def _find_changes(waves: Waves) -> dict[str, Any]:
    return wave_changes_to_dict(*wave_sensitivity(waves, inf))


def _find_orders(waves: Waves) -> dict[str, Any]:
    return wave_orders_to_dict(waves, best_wave_orders(waves, MOST_STEPS))


def _find_army(waves: Waves, goal: ArmyGoal) -> dict[str, Any]:
    return armies_to_dict(waves.battles[0], goal, best_wave_armies(waves, goal, inf))


def wave_changes_to_dict(wins: float, changes: list[WaveChange]) -> dict[str, Any]:
    """Return the effect of one unit more or less as a JSON document.

    Args:
        wins: The chance that the first attacker's side holds the field at the end, as it is.
        changes: That chance after each change.
    """
    changed = [
        {"side": SIDES[one.side], "wave": one.wave, "unit": one.unit, "more": one.more, "wins": clamp_chance(one.wins)}
        for one in changes
    ]
    return {"wins": clamp_chance(wins), "changes": changed}
