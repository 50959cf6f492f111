"""What JSON documents may ask about Axis & Allies: reads battles of one wave and of several."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from solver.axis.questions import ask_army, ask_odds, ask_order, ask_units, loss_orders_to_dict, read_goal
from solver.axis.solve import DROPPED
from solver.axis.units import Rules
from solver.casualties.questions import ask_casualties, read_choosers
from solver.documents import read_part
from solver.errors import BattleError, quoted
from solver.game import Question
from solver.waves.odds import WavesOdds, solve_waves
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
        goal = read_part("recommend", partial(read_goal, document.pop("recommend", {})))
        whole = battle_from_dict(document, rules[game])
        if isinstance(whole, Waves):
            raise BattleError("waves", "this question works for a battle of one wave")
        return ask_army(whole, goal)
    dropped = DROPPED
    if "exact" in document:
        exact = document.pop("exact")
        if type(exact) is not bool:
            raise BattleError("exact", "this must be true or false, not {value}", value=quoted(exact))
        dropped = 0.0 if exact else DROPPED
    choices = read_choosers(document) if kind == "casualties" else None
    battle = battle_from_dict(document, rules[game])
    if isinstance(battle, Waves):
        if kind != "odds":
            raise BattleError("waves", "this question works for a battle of one wave")
        return Question("odds", battle, (dropped,), partial(_find_odds, battle, dropped))
    if choices:
        return ask_casualties(battle, *choices)
    if kind == "units":
        return ask_units(battle)
    return ask_order(battle) if kind == "order" else ask_odds(battle, dropped)


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
