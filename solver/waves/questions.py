"""What JSON documents may ask about Axis & Allies: reads battles of one wave and of several."""

from collections.abc import Mapping
from functools import partial
from math import inf
from typing import Any

from solver.axis import questions as axis
from solver.axis.best.armies import Armies, ArmyGoal
from solver.axis.sides import SIDES
from solver.axis.solve import DROPPED
from solver.axis.units import Rules
from solver.casualties.questions import CASUALTIES, read_choosers
from solver.documents import clamp_chance, read_exact, read_part
from solver.errors import BattleError, quoted
from solver.game import Question, QuestionKind
from solver.waves.armies import best_wave_armies
from solver.waves.limits import wave_armies_within, wave_sensitivity_within, waves_within
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
    exact = read_exact(document)
    choices = read_choosers(document) if kind == "casualties" else None
    battle = battle_from_dict(document, rules[game], ("aim", "chooses") if choices else ())
    waves = isinstance(battle, Waves)
    if choices and waves:
        raise BattleError("waves", "this question works for a battle of one wave")
    if choices:
        return Question(CASUALTIES, battle, choices)
    if kind == "odds" and exact:
        return Question(EXACT_ODDS if waves else axis.EXACT_ODDS, battle)
    return Question((QUESTIONS if waves else axis.QUESTIONS)[kind], battle)


def _read_army_question(document: dict[str, Any], rules: Rules) -> Question:
    """Read the question for the best army to bring."""
    asked = document.pop("recommend", {})
    whole = battle_from_dict(document, rules)
    if not isinstance(whole, Waves):
        return Question(axis.QUESTIONS["army"], whole, read_part("recommend", partial(axis.read_goal, asked)))
    goal = read_part("recommend", partial(axis.read_goal, asked, usual="target_wins"))
    if goal.of == "survives":
        raise BattleError("recommend.goal", "with several waves this must be target_wins or max_profit")
    return Question(QUESTIONS["army"], whole, goal)


def waves_odds_to_dict(waves: Waves, odds: WavesOdds) -> dict[str, Any]:
    """Return the odds of several waves as a JSON document, with the casualty orders of each wave.

    Args:
        waves: The waves.
        odds: Their odds.
    """
    answer = odds.to_dict()
    for wave, battle in zip(answer["waves"], waves.battles, strict=True):
        wave["loss_orders"] = axis.loss_orders_to_dict(battle)
    return answer


def wave_armies_to_dict(waves: Waves, goal: ArmyGoal, found: Armies) -> dict[str, Any]:
    """Return the best armies of the first wave as a JSON document: see `armies_to_dict`.

    Args:
        waves: The waves.
        goal: What the army must achieve.
        found: The best armies.
    """
    return axis.armies_to_dict(waves.battles[0], goal, found)


def wave_changes_to_dict(_waves: Waves, found: tuple[float, list[WaveChange]]) -> dict[str, Any]:
    """Return the effect of one unit more or less as a JSON document.

    Args:
        _waves: The waves.
        found: The chance that the first attacker's side holds the field at the end, as it is and after each change.
    """
    wins, changes = found
    changed = [
        {"side": SIDES[one.side], "wave": one.wave, "unit": one.unit, "more": one.more, "wins": clamp_chance(one.wins)}
        for one in changes
    ]
    return {"wins": clamp_chance(wins), "changes": changed}


QUESTIONS = {
    "odds": QuestionKind("odds", solve_waves, waves_odds_to_dict, partial(waves_within, dropped=DROPPED)),
    "units": QuestionKind("units", partial(wave_sensitivity, most=inf), wave_changes_to_dict, wave_sensitivity_within),
    "order": QuestionKind(
        "order", partial(best_wave_orders, most=axis.MOST_STEPS), wave_orders_to_dict, best_wave_orders
    ),
    "army": QuestionKind("army", partial(best_wave_armies, most=inf), wave_armies_to_dict, wave_armies_within),
}
"""The questions about several waves; the details of "army" are its `ArmyGoal`."""
EXACT_ODDS = QuestionKind(
    "odds", partial(solve_waves, dropped=0.0), waves_odds_to_dict, partial(waves_within, dropped=0.0)
)
